#include "engine/collider.h"

#include "engine/collider_set.h"

// Cells are hashed into a table of at least twice as many buckets as there are capsules.
#define CELL_SIZE 2.0f

enum { MAX_CELLS_WALKED = 64 };

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
  bool has_room = array_reserve(set->memory, &set->free_ids, set->slots.count + 1 - set->free_ids.count) &&
                  array_push(set->memory, &set->slots, slot);
  if (!has_room) return error_set_out_of_memory(error);
  *id = set->slots.count - 1;
  return true;
}

void colliders_remove(ColliderSet *set, int id) {
  set->slots.items[id].is_used = false;
  set->slots.items[id].is_active = false;
  set->free_ids.items[set->free_ids.count++] = id;
}

Collider *colliders_get(ColliderSet *set, int id) {
  return &set->slots.items[id].collider;
}

// --- Places ---

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
    case COLLIDER_CAPSULE: {
      float height = collider->height > 2 * r ? collider->height : 2 * r;
      return (Bounds){vec3_sub(origin, vec3(r, 0, r)), vec3_add(origin, vec3(r, height, r))};
    }
    case COLLIDER_NONE:
      break;
  }
  return BOUNDS_EMPTY;
}

static void place(Slot *slot) {
  slot->is_touched = false;
  slot->bounds = collider_bounds(&slot->collider);
  if (slot->collider.shape == COLLIDER_MESH)
    slot->has_inverse = affine_invert(slot->collider.transform, &slot->inverse);
}

// Everything beyond the edge, and what is not a number, shares the outermost cells.
static int32_t cell_of(float coordinate) {
  const float EDGE = 1e8f;
  float inside = coordinate > -EDGE ? coordinate < EDGE ? coordinate : EDGE : -EDGE;
  return (int32_t)floorf(inside / CELL_SIZE);
}

// How far a capsule reaches beyond the cell that it is sorted into.
static float reach_beyond_cell(const Slot *slot) {
  Vec3 origin = slot->collider.transform.origin;
  float x = fabsf(origin.x - ((float)slot->cell_x + 0.5f) * CELL_SIZE) - 0.5f * CELL_SIZE;
  float z = fabsf(origin.z - ((float)slot->cell_z + 0.5f) * CELL_SIZE) - 0.5f * CELL_SIZE;
  float beyond = x > z ? x : z;
  return slot->collider.radius + (beyond > 0 ? beyond : 0);
}

void colliders_touch(ColliderSet *set, int id) {
  Slot *slot = &set->slots.items[id];
  slot->is_touched = true;
  if (!slot->is_active) return;
  place(slot);
  if (slot->collider.shape != COLLIDER_CAPSULE) return;
  float reach = reach_beyond_cell(slot);
  if (reach > set->reach) set->reach = reach;
}

// --- Refit ---

static int bucket_of(const ColliderSet *set, int32_t x, int32_t z) {
  uint32_t hash = (uint32_t)x * 73856093u ^ (uint32_t)z * 19349663u;
  return (int)((hash ^ hash >> 15) & (uint32_t)set->bucket_mask);
}

static int bucket_of_slot(const ColliderSet *set, int id) {
  return bucket_of(set, set->slots.items[id].cell_x, set->slots.items[id].cell_z);
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
    start[bucket_of_slot(set, set->moving.items[i]) + 1]++;
  for (int i = 0; i < bucket_count; i++)
    start[i + 1] += start[i];
  // Filled from behind, each bucket's end moves down to its start.
  for (int i = set->moving.count - 1; i >= 0; i--) {
    int id = set->moving.items[i];
    set->bucket_ids.items[--start[bucket_of_slot(set, id) + 1]] = id;
  }
  for (int i = 0; i < bucket_count; i++)
    start[i] = start[i + 1];
  start[bucket_count] = set->moving.count;
  return true;
}

bool colliders_refit(ColliderSet *set, Error *error) {
  set->fixed.count = set->moving.count = 0;
  set->reach = 0;
  if (!array_reserve(set->memory, &set->fixed, set->slots.count) ||
      !array_reserve(set->memory, &set->moving, set->slots.count))
    return error_set_out_of_memory(error);
  for (int id = 0; id < set->slots.count; id++) {
    Slot *slot = &set->slots.items[id];
    if (!slot->is_used) continue;
    slot->is_active = true;
    if (slot->is_touched) place(slot);
    if (slot->collider.shape != COLLIDER_CAPSULE) {
      set->fixed.items[set->fixed.count++] = id;
      continue;
    }
    set->moving.items[set->moving.count++] = id;
    slot->cell_x = cell_of(slot->collider.transform.origin.x);
    slot->cell_z = cell_of(slot->collider.transform.origin.z);
    float reach = reach_beyond_cell(slot);
    if (reach > set->reach) set->reach = reach;
  }
  return fill_grid(set) || error_set_out_of_memory(error);
}

// --- Walking over the colliders near a box ---

bool colliders_is_filtered(const Collider *collider, const ColliderFilter *filter) {
  if (filter->mask && !(collider->layers & filter->mask)) return true;
  for (int i = 0; i < filter->ignored_count; i++) {
    if (filter->ignored[i] == collider->owner) return true;
  }
  return false;
}

static void visit_slot(const Slot *slot, Bounds area, const ColliderFilter *filter, SlotVisitor *visit, void *user) {
  if (slot->is_active && bounds_overlap(slot->bounds, area) && !colliders_is_filtered(&slot->collider, filter))
    visit(user, slot);
}

static void visit_cell(const ColliderSet *set, int32_t x, int32_t z, Bounds area, const ColliderFilter *filter,
                       SlotVisitor *visit, void *user) {
  int bucket = bucket_of(set, x, z);
  for (int i = set->bucket_start.items[bucket]; i < set->bucket_start.items[bucket + 1]; i++) {
    const Slot *slot = &set->slots.items[set->bucket_ids.items[i]];
    // Other cells may share the bucket; who is in them is visited from there.
    if (slot->cell_x == x && slot->cell_z == z) visit_slot(slot, area, filter, visit, user);
  }
}

void colliders_visit_moving(const ColliderSet *set, Bounds area, const ColliderFilter *filter, SlotVisitor *visit,
                            void *user) {
  if (set->bucket_start.count == 0) return;
  int32_t x0 = cell_of(area.min.x - set->reach), x1 = cell_of(area.max.x + set->reach);
  int32_t z0 = cell_of(area.min.z - set->reach), z1 = cell_of(area.max.z + set->reach);
  int64_t cells = ((int64_t)x1 - x0 + 1) * ((int64_t)z1 - z0 + 1);
  if (cells > MAX_CELLS_WALKED) {
    for (int i = 0; i < set->moving.count; i++)
      visit_slot(&set->slots.items[set->moving.items[i]], area, filter, visit, user);
    return;
  }
  for (int32_t z = z0; z <= z1; z++) {
    for (int32_t x = x0; x <= x1; x++)
      visit_cell(set, x, z, area, filter, visit, user);
  }
}

void colliders_visit(const ColliderSet *set, Bounds area, const ColliderFilter *filter, SlotVisitor *visit,
                     void *user) {
  for (int i = 0; i < set->fixed.count; i++)
    visit_slot(&set->slots.items[set->fixed.items[i]], area, filter, visit, user);
  if (set->moving.count > 0) colliders_visit_moving(set, area, filter, visit, user);
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
  if (slot->collider.shape != COLLIDER_CAPSULE || slot - walk->first <= 0) return;  // both in the array of slots
  const Collider *a = &walk->first->collider, *b = &slot->collider;
  Vec3 apart = vec3_sub(a->transform.origin, b->transform.origin);
  bool shares_height = apart.y < b->height + walk->margin && -apart.y < a->height + walk->margin;
  float reach = a->radius + b->radius + walk->margin;
  if (shares_height && apart.x * apart.x + apart.z * apart.z < reach * reach) walk->visit(walk->user, a, b);
}

void colliders_each_capsule_pair(const ColliderSet *set, float margin, ColliderPairVisitor *visit, void *user) {
  const ColliderFilter everything = {0};
  for (int i = 0; i < set->moving.count; i++) {
    const Slot *slot = &set->slots.items[set->moving.items[i]];
    if (!slot->is_active) continue;
    PairWalk walk = {slot, margin, visit, user};
    colliders_visit_moving(set, bounds_grow(slot->bounds, margin), &everything, note_pair, &walk);
  }
}
