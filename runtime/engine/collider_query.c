#include "engine/collider_set.h"
#include "engine/sweep.h"

// A question while it goes from collider to collider.
typedef struct Query {
  UprightSegment segment;
  float radius, length;
  float first, end;  // of the motion: the first contact so far, and a little more, behind which nothing counts
  float tie;         // contacts this near to each other are met together
  Vec3 direction;
  bool wants_deepest;  // no motion: the deepest overlap
  const Slot *slot;    // being tested
  bool is_hit;
  SweepHit hit;
} Query;

// --- Keeping the best ---

static void keep(Query *query, const Contact *contact, Vec3 face) {
  query->is_hit = true;
  query->hit = (SweepHit){
      .time = contact->travelled,
      .point = contact->nearest.point,
      .normal = contact->nearest.normal,
      .face = face,
      .triangle = -1,
      .owner = query->slot->collider.owner,
      .shape = query->slot->collider.shape,
      .starts_inside = contact->is_inside,
      .depth = contact->is_inside ? query->radius - contact->nearest.distance : 0,
  };
}

// Surfaces that meet in an edge or corner are met there at the same time, up to rounding. Then the one that is met more
// squarely is told: the tread of a stair and not its riser, by somebody who comes down on the edge.
static bool is_preferred(const Query *query, const Contact *contact, Vec3 face) {
  const float EVEN = 1e-5f;
  if (!query->is_hit || contact->travelled < query->hit.time - query->tie) return true;
  if (contact->travelled > query->hit.time + query->tie) return false;
  float square = vec3_dot(face, query->direction), best = vec3_dot(query->hit.face, query->direction);
  return square < best - EVEN || (square < best + EVEN && contact->travelled < query->hit.time);
}

// Looks at one target; true when it is what the query is to tell so far.
static bool take_target(Query *query, const SweepTarget *target, Vec3 face) {
  Contact contact = {.is_inside = true};
  if (query->wants_deepest) {
    contact.nearest = sweep_nearest(target, query->segment);
    float depth = query->radius - contact.nearest.distance;
    if (!(depth > 0) || (query->is_hit && depth <= query->hit.depth)) return false;
  } else if (!sweep_segment(query->segment, query->radius, query->direction, query->length, target, &contact) ||
             contact.travelled > query->end) {
    return false;
  }
  if (vec3_equals(face, vec3(0, 0, 0))) face = contact.nearest.normal;
  if (vec3_dot(face, contact.nearest.normal) < 0) face = vec3_negate(face);
  bool is_best = query->wants_deepest || is_preferred(query, &contact, face);
  if (is_best) keep(query, &contact, face);
  if (contact.travelled < query->first) query->first = contact.travelled;
  if (contact.travelled + query->tie < query->end) query->end = contact.travelled + query->tie;
  return is_best;
}

static Vec3 face_of(const SweepTarget *target) {
  return vec3((float)target->normal.x, (float)target->normal.y, (float)target->normal.z);
}

// --- Meshes ---

static void tell_triangle(SweepHit *hit, int triangle, Vec3 a, Vec3 b, Vec3 c) {
  Vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a), ap = vec3_sub(hit->point, a);
  float d00 = vec3_dot(ab, ab), d01 = vec3_dot(ab, ac), d11 = vec3_dot(ac, ac);
  float d20 = vec3_dot(ap, ab), d21 = vec3_dot(ap, ac), determinant = d00 * d11 - d01 * d01;
  hit->triangle = triangle;
  if (!(determinant > 0)) return;
  hit->u = clampf((d11 * d20 - d01 * d21) / determinant, 0, 1);
  hit->v = clampf((d00 * d21 - d01 * d20) / determinant, 0, 1);
}

static float visit_triangle(void *user, int triangle, Vec3 a, Vec3 b, Vec3 c, float limit) {
  Query *query = user;
  const Affine *to_world = &query->slot->collider.transform;
  a = affine_point(*to_world, a);
  b = affine_point(*to_world, b);
  c = affine_point(*to_world, c);
  SweepTarget target = sweep_target_triangle(a, b, c);
  if (take_target(query, &target, face_of(&target))) tell_triangle(&query->hit, triangle, a, b, c);
  return query->wants_deepest ? limit : query->end;
}

// The box around the shape at its start, in the world.
static Bounds start_bounds(const Query *query) {
  Vec3 low = query->segment.low, high = vec3(low.x, low.y + query->segment.height, low.z);
  return bounds_grow((Bounds){low, high}, query->radius + 2 * sweep_tolerance(low));
}

static void test_mesh(Query *query) {
  const Slot *slot = query->slot;
  const Bvh *mesh = slot->collider.mesh;
  if (!slot->has_inverse) {
    // Squashed flat by its transform: there is no way back into its own space.
    bvh_query(mesh, bvh_bounds(mesh), visit_triangle, query);
    return;
  }
  Bounds local = bounds_transform(start_bounds(query), slot->inverse);
  Ray ray = {bounds_center(local), affine_vector(slot->inverse, query->direction), query->end, true};
  if (query->wants_deepest)
    bvh_query(mesh, local, visit_triangle, query);
  else
    bvh_sweep_box(mesh, &ray, bounds_half_size(local), visit_triangle, query);
}

// --- Boxes ---

// The planes of a box: the outward normals, and how far the shape's core lies outside of each.
typedef struct BoxSide {
  Vec3 normal;
  float nearest, farthest;  // of the core from the plane, below 0 inside
  float start, slope;       // of the core's low end, and what its height adds
} BoxSide;

static void box_sides(const Query *query, BoxSide sides[6]) {
  const Collider *box = &query->slot->collider;
  const Affine *t = &box->transform;
  const Vec3 axes[3] = {t->x, t->y, t->z};
  const float half[3] = {box->half_size.x, box->half_size.y, box->half_size.z};
  for (int i = 0; i < 6; i++) {
    int axis = i >> 1;
    Vec3 normal = vec3_normalize_or(vec3_cross(axes[(axis + 1) % 3], axes[(axis + 2) % 3]), vec3(0, 0, 0));
    // A mirrored box has them turned inside out.
    float sign = (vec3_dot(normal, axes[axis]) < 0) == (i & 1) ? 1.0f : -1.0f;
    normal = vec3_scale(normal, sign);
    Vec3 on_side = vec3_add_scaled(t->origin, axes[axis], i & 1 ? -half[axis] : half[axis]);
    float low = vec3_dot(vec3_sub(query->segment.low, on_side), normal), slope = query->segment.height * normal.y;
    sides[i] = (BoxSide){normal, slope < 0 ? low + slope : low, slope < 0 ? low : low + slope, low, slope};
  }
}

// Whether some of the core is inside of all sides.
static bool core_is_inside(const BoxSide sides[6]) {
  float from = 0, to = 1;
  for (int i = 0; i < 6; i++) {
    if (sides[i].nearest >= 0) return false;
    if (sides[i].farthest <= 0) continue;
    float crossing = -sides[i].start / sides[i].slope;
    if (sides[i].slope > 0 && crossing < to) to = crossing;
    if (sides[i].slope < 0 && crossing > from) from = crossing;
  }
  return from < to || (from == to && from > 0 && to < 1);
}

// Out by the nearest side.
static void push_from_box(Query *query, const BoxSide sides[6]) {
  int nearest = 0;
  for (int i = 1; i < 6; i++) {
    if (sides[i].nearest > sides[nearest].nearest) nearest = i;
  }
  const BoxSide *side = &sides[nearest];
  float depth = query->radius - side->nearest;
  if (query->is_hit && depth <= query->hit.depth) return;
  Vec3 low = query->segment.low;
  if (side->slope < 0) low.y += query->segment.height;
  Contact contact = {0, {side->nearest, side->normal, vec3_add_scaled(low, side->normal, -side->nearest)}, true};
  keep(query, &contact, side->normal);
}

static void test_box(Query *query) {
  // Two triangles a side, corners by the bits of their numbers: 1 is x, 2 is y, 4 is z.
  static const int SIDES[6][4] = {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3}, {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}};
  const Collider *box = &query->slot->collider;
  BoxSide sides[6];
  Vec3 corners[8];
  box_sides(query, sides);
  if (query->wants_deepest && core_is_inside(sides)) {
    push_from_box(query, sides);
    return;
  }
  for (int i = 0; i < 8; i++) {
    Vec3 signs = vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    corners[i] = affine_point(box->transform, vec3_mul(signs, box->half_size));
  }
  for (int i = 0; i < 6; i++) {
    // Sides are met from outside only, so who is inside can leave.
    if (sides[i].farthest <= 0) continue;
    for (int half = 0; half < 2; half++) {
      SweepTarget target =
          sweep_target_triangle(corners[SIDES[i][0]], corners[SIDES[i][1 + half]], corners[SIDES[i][2 + half]]);
      take_target(query, &target, sides[i].normal);
    }
  }
}

// --- Spheres and capsules ---

static void test_round(Query *query) {
  const Collider *round = &query->slot->collider;
  UprightSegment core = {round->transform.origin, 0};
  if (round->shape == COLLIDER_CAPSULE) {
    core.low.y += round->radius;
    core.height = round->height > 2 * round->radius ? round->height - 2 * round->radius : 0;
  }
  SweepTarget target = sweep_target_capsule(core, round->radius);
  take_target(query, &target, vec3(0, 0, 0));
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
  float height = sweep->height > 2 * sweep->radius ? sweep->height - 2 * sweep->radius : 0;
  double x = sweep->motion.x, y = sweep->motion.y, z = sweep->motion.z, length = sqrt(x * x + y * y + z * z);
  Query query = {.radius = sweep->radius, .length = (float)length, .tie = sweep_tolerance(sweep->center)};
  query.segment = (UprightSegment){vec3(sweep->center.x, sweep->center.y - height * 0.5f, sweep->center.z), height};
  query.first = query.end = query.length;
  if (length > 0) query.direction = vec3((float)(x / length), (float)(y / length), (float)(z / length));
  return query;
}

bool colliders_sweep(const ColliderSet *set, const Sweep *sweep, SweepHit *hit) {
  Query query = make_query(sweep);
  if (!(query.length > 0)) return false;
  Bounds start = start_bounds(&query);
  Bounds end = {vec3_add(start.min, sweep->motion), vec3_add(start.max, sweep->motion)};
  colliders_visit(set, bounds_union(start, end), &sweep->filter, test_slot, &query);
  if (!query.is_hit) return false;
  *hit = query.hit;
  hit->time = query.first / query.length;
  return true;
}

bool colliders_penetration(const ColliderSet *set, const Sweep *sweep, SweepHit *hit) {
  Query query = make_query(sweep);
  query.wants_deepest = true;
  colliders_visit(set, start_bounds(&query), &sweep->filter, test_slot, &query);
  if (query.is_hit) *hit = query.hit;
  return query.is_hit;
}

static bool is_listed(const uint32_t *owners, int count, uint32_t owner) {
  for (int i = 0; i < count; i++) {
    if (owners[i] == owner) return true;
  }
  return false;
}

int colliders_overlap(const ColliderSet *set, const Sweep *sweep, uint32_t *owners, int capacity) {
  Query fresh = make_query(sweep);
  fresh.wants_deepest = true;
  Bounds area = start_bounds(&fresh);
  int count = 0;
  for (int id = 0; id < set->slots.count && count < capacity; id++) {
    const Slot *slot = &set->slots.items[id];
    if (!slot->is_active || !bounds_overlap(slot->bounds, area)) continue;
    if (colliders_is_filtered(&slot->collider, &sweep->filter)) continue;
    if (is_listed(owners, count, slot->collider.owner)) continue;
    Query query = fresh;
    test_slot(&query, slot);
    if (query.is_hit) owners[count++] = slot->collider.owner;
  }
  return count;
}
