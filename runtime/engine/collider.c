#include "engine/collider.h"

#include "array.h"
#include "engine/sweep.h"

// Capsules and spheres that belong to characters move every step and are found by a grid over x and z; everything else
// stands in a list. Cells are hashed into a table of twice as many buckets as there are capsules.
#define CELL_SIZE 2.0f

enum { MAX_CELLS_WALKED = 64 };

typedef struct Slot {
  Collider collider;
  Bounds bounds;                        // in the world, as of the last refit
  bool is_used, is_touched, is_active;  // active: part of the last refit
} Slot;

struct ColliderSet {
  Memory *memory;
  ARRAY(Slot) slots;
  ARRAY(int) free_ids;
  ARRAY(int) fixed;         // ids of meshes, boxes and spheres
  ARRAY(int) moving;        // ids of capsules
  ARRAY(int) bucket_start;  // into bucket_ids, one more than there are buckets
  ARRAY(int) bucket_ids;
  int bucket_mask;
  float largest_radius;  // of the capsules
};

ColliderSet *colliders_create(Memory *memory, Error *error) {
  ColliderSet *set = memory_alloc(memory, sizeof *set);
  if (!set) {
    error_set_out_of_memory(error);
    return NULL;
  }
  set->memory = memory;
  return set;
}

void colliders_free(ColliderSet *set) {
  if (!set) return;
  array_free(set->memory, &set->slots);
  array_free(set->memory, &set->free_ids);
  array_free(set->memory, &set->fixed);
  array_free(set->memory, &set->moving);
  array_free(set->memory, &set->bucket_start);
  array_free(set->memory, &set->bucket_ids);
  memory_free(set->memory, set);
}

bool colliders_add(ColliderSet *set, const Collider *collider, int *id, Error *error) {
  Slot slot = {.collider = *collider, .is_used = true, .is_touched = true, .bounds = BOUNDS_EMPTY};
  if (set->free_ids.count > 0) {
    *id = set->free_ids.items[--set->free_ids.count];
    set->slots.items[*id] = slot;
    return true;
  }
  *id = set->slots.count;
  bool has_room = array_reserve(set->memory, &set->free_ids, set->slots.count + 1 - set->free_ids.count);
  return (has_room && array_push(set->memory, &set->slots, slot)) || error_set_out_of_memory(error);
}

void colliders_remove(ColliderSet *set, int id) {
  set->slots.items[id].is_used = false;
  set->slots.items[id].is_active = false;
  set->free_ids.items[set->free_ids.count++] = id;
}

Collider *colliders_get(ColliderSet *set, int id) {
  return &set->slots.items[id].collider;
}

void colliders_touch(ColliderSet *set, int id) {
  set->slots.items[id].is_touched = true;
}

// --- Refit ---

static Bounds collider_bounds(const Collider *collider) {
  Vec3 origin = collider->transform.origin;
  float r = collider->radius;
  switch (collider->shape) {
    case COLLIDER_MESH:
      return bounds_transform(bvh_bounds(collider->mesh), collider->transform);
    case COLLIDER_BOX:
      return bounds_transform((Bounds){vec3_negate(collider->half_size), collider->half_size}, collider->transform);
    case COLLIDER_SPHERE:
      return (Bounds){vec3_sub(origin, vec3(r, r, r)), vec3_add(origin, vec3(r, r, r))};
    case COLLIDER_CAPSULE:
      return (Bounds){vec3_sub(origin, vec3(r, 0, r)), vec3_add(origin, vec3(r, collider->height, r))};
    case COLLIDER_NONE:
      break;
  }
  return BOUNDS_EMPTY;
}

static int cell_of(float coordinate) {
  return (int)floorf(clampf(coordinate, -1e8f, 1e8f) / CELL_SIZE);
}

static int bucket_of(const ColliderSet *set, int x, int z) {
  uint32_t hash = (uint32_t)x * 73856093u ^ (uint32_t)z * 19349663u;
  return (int)(hash & (uint32_t)set->bucket_mask);
}

static int bucket_of_collider(const ColliderSet *set, const Collider *collider) {
  return bucket_of(set, cell_of(collider->transform.origin.x), cell_of(collider->transform.origin.z));
}

// Counting sort of the capsules by bucket, which keeps the order of ids within one.
static bool fill_grid(ColliderSet *set) {
  int bucket_count = 16;
  while (bucket_count < 2 * set->moving.count)
    bucket_count *= 2;
  set->bucket_start.count = set->bucket_ids.count = 0;
  if (!array_reserve(set->memory, &set->bucket_start, bucket_count + 1) ||
      !array_reserve(set->memory, &set->bucket_ids, set->moving.count))
    return false;
  set->bucket_mask = bucket_count - 1;
  set->bucket_start.count = bucket_count + 1;
  set->bucket_ids.count = set->moving.count;
  int *start = set->bucket_start.items;
  for (int i = 0; i <= bucket_count; i++)
    start[i] = 0;
  for (int i = 0; i < set->moving.count; i++)
    start[bucket_of_collider(set, &set->slots.items[set->moving.items[i]].collider) + 1]++;
  for (int i = 0; i < bucket_count; i++)
    start[i + 1] += start[i];
  // Filled from behind, each start is moved to its place by the filling.
  for (int i = set->moving.count - 1; i >= 0; i--) {
    int id = set->moving.items[i], bucket = bucket_of_collider(set, &set->slots.items[id].collider);
    set->bucket_ids.items[--start[bucket + 1]] = id;
  }
  for (int i = 0; i < bucket_count; i++)
    start[i] = start[i + 1];
  start[bucket_count] = set->moving.count;
  return true;
}

bool colliders_refit(ColliderSet *set, Error *error) {
  set->fixed.count = set->moving.count = 0;
  set->largest_radius = 0;
  if (!array_reserve(set->memory, &set->fixed, set->slots.count) ||
      !array_reserve(set->memory, &set->moving, set->slots.count))
    return error_set_out_of_memory(error);
  for (int id = 0; id < set->slots.count; id++) {
    Slot *slot = &set->slots.items[id];
    if (!slot->is_used) continue;
    slot->is_active = true;
    if (slot->is_touched) slot->bounds = collider_bounds(&slot->collider);
    slot->is_touched = false;
    if (slot->collider.shape != COLLIDER_CAPSULE) {
      set->fixed.items[set->fixed.count++] = id;
      continue;
    }
    set->moving.items[set->moving.count++] = id;
    if (slot->collider.radius > set->largest_radius) set->largest_radius = slot->collider.radius;
  }
  return fill_grid(set) || error_set_out_of_memory(error);
}

// --- Walking over the colliders near a box ---

typedef void SlotVisitor(void *user, const Slot *slot);

static bool is_filtered(const Collider *collider, const ColliderFilter *filter) {
  if (filter->mask && !(collider->layers & filter->mask)) return true;
  for (int i = 0; i < filter->ignored_count; i++) {
    if (filter->ignored[i] == collider->owner) return true;
  }
  return false;
}

static void visit_slot(const ColliderSet *set, int id, Bounds area, const ColliderFilter *filter, SlotVisitor *visit,
                       void *user) {
  const Slot *slot = &set->slots.items[id];
  if (slot->is_active && bounds_overlap(slot->bounds, area) && !is_filtered(&slot->collider, filter)) visit(user, slot);
}

static void visit_moving(const ColliderSet *set, Bounds area, const ColliderFilter *filter, SlotVisitor *visit,
                         void *user) {
  int x0 = cell_of(area.min.x - set->largest_radius), x1 = cell_of(area.max.x + set->largest_radius);
  int z0 = cell_of(area.min.z - set->largest_radius), z1 = cell_of(area.max.z + set->largest_radius);
  double cells = ((double)x1 - x0 + 1) * ((double)z1 - z0 + 1);
  if (cells > MAX_CELLS_WALKED) {
    for (int i = 0; i < set->moving.count; i++)
      visit_slot(set, set->moving.items[i], area, filter, visit, user);
    return;
  }
  for (int z = z0; z <= z1; z++) {
    for (int x = x0; x <= x1; x++) {
      int bucket = bucket_of(set, x, z);
      for (int i = set->bucket_start.items[bucket]; i < set->bucket_start.items[bucket + 1]; i++) {
        int id = set->bucket_ids.items[i];
        const Collider *collider = &set->slots.items[id].collider;
        // Cells that share a bucket: everybody is visited from the own cell only.
        if (cell_of(collider->transform.origin.x) != x || cell_of(collider->transform.origin.z) != z) continue;
        visit_slot(set, id, area, filter, visit, user);
      }
    }
  }
}

static void visit_near(const ColliderSet *set, Bounds area, const ColliderFilter *filter, SlotVisitor *visit,
                       void *user) {
  for (int i = 0; i < set->fixed.count; i++)
    visit_slot(set, set->fixed.items[i], area, filter, visit, user);
  if (set->moving.count > 0) visit_moving(set, area, filter, visit, user);
}

// --- Testing one collider ---

typedef struct Query {
  UprightSegment segment;
  float radius, length, end;  // of the motion; the end shrinks to a little more than the nearest contact so far
  Vec3 direction;
  bool wants_deepest;  // no motion: the deepest overlap
  const Slot *slot;    // being tested
  bool is_hit;
  SweepHit hit;
} Query;

static void keep(Query *query, const Contact *contact, Vec3 face, int triangle, float u, float v) {
  query->is_hit = true;
  // A little more than the contact, so that surfaces met together are all looked at.
  float end = contact->travelled + 2 * sweep_tolerance(contact->nearest.point);
  if (end < query->end) query->end = end;
  query->hit = (SweepHit){
      .time = contact->travelled,
      .point = contact->nearest.point,
      .normal = contact->nearest.normal,
      .face = face,
      .triangle = triangle,
      .u = u,
      .v = v,
      .owner = query->slot->collider.owner,
      .starts_inside = contact->is_inside,
      .depth = contact->is_inside ? query->radius - contact->nearest.distance : 0,
  };
}

// Tests one target; true when it is met at all, and not after what was met before.
static bool test_target(const Query *query, const SweepTarget *target, Contact *contact) {
  if (!query->wants_deepest)
    return sweep_segment(query->segment, query->radius, query->direction, query->length, target, contact) &&
           contact->travelled <= query->end;
  Nearest nearest = target->nearest(target, query->segment);
  *contact = (Contact){0, nearest, true};
  float depth = query->radius - nearest.distance;
  return depth > 0 && (!query->is_hit || depth > query->hit.depth);
}

static void barycentric(Vec3 p, Vec3 a, Vec3 b, Vec3 c, float *u, float *v) {
  Vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a), ap = vec3_sub(p, a);
  float d00 = vec3_dot(ab, ab), d01 = vec3_dot(ab, ac), d11 = vec3_dot(ac, ac);
  float d20 = vec3_dot(ap, ab), d21 = vec3_dot(ap, ac), determinant = d00 * d11 - d01 * d01;
  *u = determinant != 0 ? (d11 * d20 - d01 * d21) / determinant : 0;
  *v = determinant != 0 ? (d00 * d21 - d01 * d20) / determinant : 0;
}

// Surfaces that meet in an edge or corner are met there at the same time, up to rounding. Then the one that is met more
// squarely is told: the tread of a stair and not its riser, by somebody who comes down on the edge.
static bool is_preferred(const Query *query, const Contact *contact, Vec3 face) {
  if (!query->is_hit || query->wants_deepest) return true;
  float tie = 2 * sweep_tolerance(contact->nearest.point);
  if (contact->travelled < query->hit.time - tie) return true;
  if (contact->travelled > query->hit.time + tie) return false;
  float square = vec3_dot(face, query->direction), best = vec3_dot(query->hit.face, query->direction);
  return square < best - 1e-5f || (square < best + 1e-5f && contact->travelled < query->hit.time);
}

static void test_triangle(Query *query, int triangle, Vec3 a, Vec3 b, Vec3 c) {
  SweepTarget target = sweep_target_triangle(a, b, c);
  Contact contact;
  if (!test_target(query, &target, &contact)) return;
  float u, v;
  barycentric(contact.nearest.point, a, b, c, &u, &v);
  Vec3 face = vec3_normalize_or(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)), contact.nearest.normal);
  if (vec3_dot(face, contact.nearest.normal) < 0) face = vec3_negate(face);
  if (is_preferred(query, &contact, face)) keep(query, &contact, face, triangle, u, v);
}

static float visit_mesh_triangle(void *user, int triangle, Vec3 a, Vec3 b, Vec3 c, float limit) {
  Query *query = user;
  const Affine *to_world = &query->slot->collider.transform;
  test_triangle(query, triangle, affine_point(*to_world, a), affine_point(*to_world, b), affine_point(*to_world, c));
  return query->wants_deepest || query->end > limit ? limit : query->end;
}

// The box around the shape at its start, in the world.
static Bounds start_bounds(const Query *query) {
  Vec3 low = query->segment.low, high = vec3(low.x, low.y + query->segment.height, low.z);
  return bounds_grow((Bounds){low, high}, query->radius + sweep_tolerance(low));
}

static void test_mesh(Query *query) {
  Affine inverse;
  if (!affine_invert(query->slot->collider.transform, &inverse)) return;
  Bounds local = bounds_transform(start_bounds(query), inverse);
  Ray ray = {bounds_center(local), affine_vector(inverse, query->direction), query->end, true};
  if (query->wants_deepest) ray.direction = vec3(0, 0, 0);
  bvh_sweep_box(query->slot->collider.mesh, &ray, bounds_half_size(local), visit_mesh_triangle, query);
}

// A body whose middle is inside a box is as deep as the way out through the nearest side is long.
static bool test_box_inside(Query *query) {
  const Collider *box = &query->slot->collider;
  const Vec3 columns[] = {box->transform.x, box->transform.y, box->transform.z};
  Affine inverse;
  if (!affine_invert(box->transform, &inverse)) return false;
  Vec3 middle = query->segment.low;
  middle.y += query->segment.height * 0.5f;
  Vec3 local = affine_point(inverse, middle);
  const float places[] = {local.x, local.y, local.z};
  const float halves[] = {box->half_size.x, box->half_size.y, box->half_size.z};
  Contact contact = {.nearest.distance = -INFINITY, .nearest.point = middle, .is_inside = true};
  for (int axis = 0; axis < 3; axis++) {
    float left = halves[axis] - fabsf(places[axis]);
    if (left < 0) return false;
    float distance = -left * vec3_length(columns[axis]);
    if (distance <= contact.nearest.distance) continue;
    contact.nearest.distance = distance;
    contact.nearest.normal =
        vec3_normalize_or(vec3_scale(columns[axis], places[axis] < 0 ? -1.0f : 1.0f), vec3(0, 1, 0));
  }
  if (query->is_hit && query->radius - contact.nearest.distance <= query->hit.depth) return true;
  keep(query, &contact, contact.nearest.normal, -1, 0, 0);
  return true;
}

static void test_box(Query *query) {
  if (query->wants_deepest && test_box_inside(query)) return;

  // Two triangles a side, corners by the bits of their numbers: 1 is x, 2 is y, 4 is z.
  static const int SIDES[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 4, 6}, {0, 6, 2},
                                   {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3}};
  const Collider *box = &query->slot->collider;
  Vec3 corners[8];
  for (int i = 0; i < 8; i++) {
    Vec3 signs = vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    corners[i] = affine_point(box->transform, vec3_mul(signs, box->half_size));
  }
  for (int i = 0; i < 12; i++)
    test_triangle(query, -1, corners[SIDES[i][0]], corners[SIDES[i][1]], corners[SIDES[i][2]]);
}

static void test_round(Query *query) {
  const Collider *round = &query->slot->collider;
  UprightSegment other = {round->transform.origin, 0};
  if (round->shape == COLLIDER_CAPSULE) {
    other.low.y += round->radius;
    other.height = round->height - 2 * round->radius;
    if (other.height < 0) other.height = 0;
  }
  SweepTarget target = sweep_target_capsule(other, round->radius);
  Contact contact;
  if (test_target(query, &target, &contact) && is_preferred(query, &contact, contact.nearest.normal))
    keep(query, &contact, contact.nearest.normal, -1, 0, 0);
}

static void test_slot(void *user, const Slot *slot) {
  Query *query = user;
  query->slot = slot;
  switch (slot->collider.shape) {
    case COLLIDER_MESH:
      test_mesh(query);
      break;
    case COLLIDER_BOX:
      test_box(query);
      break;
    case COLLIDER_SPHERE:
    case COLLIDER_CAPSULE:
      test_round(query);
      break;
    case COLLIDER_NONE:
      break;
  }
}

// --- Questions ---

static Query make_query(const Sweep *sweep) {
  float height = sweep->height - 2 * sweep->radius;
  if (height < 0) height = 0;
  Query query = {.radius = sweep->radius, .length = vec3_length(sweep->motion)};
  query.segment = (UprightSegment){vec3(sweep->center.x, sweep->center.y - height * 0.5f, sweep->center.z), height};
  query.end = query.length;
  query.direction = query.length > 0 ? vec3_scale(sweep->motion, 1 / query.length) : vec3(0, 0, 0);
  return query;
}

bool colliders_sweep(const ColliderSet *set, const Sweep *sweep, SweepHit *hit) {
  Query query = make_query(sweep);
  float length = query.length;
  if (!(length > 0)) return false;
  Bounds start = start_bounds(&query);
  Bounds end = {vec3_add(start.min, sweep->motion), vec3_add(start.max, sweep->motion)};
  visit_near(set, bounds_union(start, end), &sweep->filter, test_slot, &query);
  if (!query.is_hit) return false;
  *hit = query.hit;
  hit->time = query.hit.time / length;
  return true;
}

bool colliders_penetration(const ColliderSet *set, const Sweep *sweep, SweepHit *hit) {
  Query query = make_query(sweep);
  query.wants_deepest = true;
  visit_near(set, start_bounds(&query), &sweep->filter, test_slot, &query);
  if (query.is_hit) *hit = query.hit;
  return query.is_hit;
}

typedef struct OverlapList {
  Query query;  // the same for every collider
  uint32_t *owners;
  int count, capacity;
} OverlapList;

static void note_overlap(void *user, const Slot *slot) {
  OverlapList *list = user;
  Query query = list->query;
  test_slot(&query, slot);
  if (!query.is_hit) return;
  for (int i = 0; i < list->count && i < list->capacity; i++) {
    if (list->owners[i] == slot->collider.owner) return;
  }
  if (list->count < list->capacity) list->owners[list->count] = slot->collider.owner;
  list->count++;
}

int colliders_overlap(const ColliderSet *set, const Sweep *sweep, uint32_t *owners, int capacity) {
  OverlapList list = {.query = make_query(sweep), .owners = owners, .capacity = capacity};
  list.query.wants_deepest = true;
  visit_near(set, start_bounds(&list.query), &sweep->filter, note_overlap, &list);
  return list.count;
}

// --- Pairs ---

typedef struct PairWalk {
  const Slot *first;
  float margin;
  ColliderPairVisitor *visit;
  void *user;
} PairWalk;

static void note_pair(void *user, const Slot *slot) {
  PairWalk *walk = user;
  if (slot->collider.shape != COLLIDER_CAPSULE || slot <= walk->first) return;
  const Collider *a = &walk->first->collider, *b = &slot->collider;
  Vec3 apart = vec3_sub(a->transform.origin, b->transform.origin);
  bool shares_height = apart.y < b->height + walk->margin && -apart.y < a->height + walk->margin;
  float reach = a->radius + b->radius + walk->margin;
  apart.y = 0;
  if (shares_height && vec3_length_squared(apart) < reach * reach) walk->visit(walk->user, a, b);
}

void colliders_each_capsule_pair(const ColliderSet *set, float margin, ColliderPairVisitor *visit, void *user) {
  const ColliderFilter everything = {0};
  for (int i = 0; i < set->moving.count; i++) {
    const Slot *slot = &set->slots.items[set->moving.items[i]];
    if (!slot->is_active) continue;
    PairWalk walk = {slot, margin, visit, user};
    visit_moving(set, bounds_grow(slot->bounds, margin), &everything, note_pair, &walk);
  }
}
