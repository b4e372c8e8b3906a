#ifndef PALFREY_ENGINE_COLLIDER_SET_H
#define PALFREY_ENGINE_COLLIDER_SET_H
// The inside of a ColliderSet, for collider*.c only. Capsules belong to characters, move every step and are found by a grid
// over x and z; everything else stands in a list.
#include "array.h"
#include "engine/collider.h"

typedef struct Slot {
  Collider collider;
  Bounds bounds;   // in the world
  Affine inverse;  // of a mesh's transform
  bool has_inverse;
  bool is_used, is_touched;
  bool is_active;          // known since a refit
  int32_t cell_x, cell_z;  // where the last refit has put a capsule into the grid
} Slot;

struct ColliderSet {
  Memory *memory;
  ARRAY(Slot) slots;  // by id
  ARRAY(int) free_ids;
  ARRAY(int) fixed;         // ids of meshes, boxes and spheres
  ARRAY(int) moving;        // ids of capsules
  ARRAY(int) bucket_start;  // into bucket_ids, one more than there are buckets
  ARRAY(int) bucket_ids;
  int bucket_mask;
  float reach;  // how far a capsule may reach from its cell: the largest radius and way since the refit
};

typedef void SlotVisitor(void *user, const Slot *slot);

/// Visits the active colliders whose bounds meet the area and that pass the filter: first the fixed, then the moving ones.
void colliders_visit(const ColliderSet *set, Bounds area, const ColliderFilter *filter, SlotVisitor *visit, void *user);

/// Only the moving ones.
void colliders_visit_moving(const ColliderSet *set, Bounds area, const ColliderFilter *filter, SlotVisitor *visit,
                            void *user);

/// Whether a query leaves the collider out.
bool colliders_is_filtered(const Collider *collider, const ColliderFilter *filter);

#endif
