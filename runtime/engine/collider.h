#ifndef PALFREY_ENGINE_COLLIDER_H
#define PALFREY_ENGINE_COLLIDER_H
// What blocks movement: triangle meshes, boxes, spheres and capsules under any affine transform. A ColliderSet is filled
// by the world, which owns the shapes, and answers sweeps and overlaps; it knows nothing of nodes, only owner numbers.
// New colliders take part from the next colliders_refit on, moved ones are seen where they are as soon as they are touched:
// characters that move one after the other never meet in the same place. Mesh triangles are tested in world space, so
// uneven scale, mirroring and parents are right. Meshes are shells, boxes are solid.
#include "engine/bvh.h"

typedef enum ColliderShape {
  COLLIDER_NONE = 0,
  COLLIDER_MESH,
  COLLIDER_BOX,
  COLLIDER_SPHERE,
  COLLIDER_CAPSULE,
} ColliderShape;

typedef struct Collider {
  ColliderShape shape;
  const Bvh *mesh;   ///< COLLIDER_MESH: shared, in local space
  Affine transform;  ///< local space to world
  Vec3 half_size;    ///< COLLIDER_BOX, local, around the transform's origin
  float radius;      ///< COLLIDER_SPHERE and COLLIDER_CAPSULE, metres in the world (the transform gives the place only)
  float height;      ///< COLLIDER_CAPSULE: upright along world +Y, whole height, origin at its feet
  uint32_t layers;   ///< bits; a query's mask must share one
  uint32_t owner;    ///< the world's number for whose it is, given back by queries
} Collider;

typedef struct ColliderSet ColliderSet;

ColliderSet *colliders_create(Memory *memory, Error *error);
void colliders_free(ColliderSet *set);

/// Adds a collider; `id` names it until it is removed. Takes part in queries from the next colliders_refit on.
bool colliders_add(ColliderSet *set, const Collider *collider, int *id, Error *error);
void colliders_remove(ColliderSet *set, int id);

/// The collider of an id, to be changed freely but for its shape; colliders_touch must follow before the next query.
Collider *colliders_get(ColliderSet *set, int id);
void colliders_touch(ColliderSet *set, int id);

/// Takes in new colliders and sorts the moving ones into a grid. No allocation in a steady state. Linear.
bool colliders_refit(ColliderSet *set, Error *error);

/// What a query leaves out.
typedef struct ColliderFilter {
  uint32_t mask;            ///< 0 means all layers
  const uint32_t *ignored;  ///< owners
  int ignored_count;
} ColliderFilter;

/// A sphere (height 0) or an upright capsule moved by `motion`. `center` is its middle, `height` its whole height. Radii
/// below a few hundredths of a millimetre count as that.
typedef struct Sweep {
  Vec3 center;
  float radius, height;
  Vec3 motion;
  ColliderFilter filter;
} Sweep;

typedef struct SweepHit {
  float time;    ///< 0..1 of the motion, where the surfaces touch
  Vec3 point;    ///< of contact
  Vec3 normal;   ///< unit, from the obstacle towards the moving shape
  Vec3 face;     ///< unit normal of the surface itself on that side: differs from `normal` at edges and corners
  int triangle;  ///< of a mesh, else -1
  float u, v;    ///< barycentric on the triangle
  uint32_t owner;
  ColliderShape shape;
  bool starts_inside;  ///< overlapped from the start: time 0, `depth` to get out along `normal`
  float depth;
} SweepHit;

/// The first contact of the motion; exact, so nothing is passed at any speed. Mesh triangles block from both sides.
/// A shape that starts in touch but moves away or along is free to go; so is one that starts inside and does not go deeper.
/// Of surfaces that are met together the one that is met most squarely is told.
bool colliders_sweep(const ColliderSet *set, const Sweep *sweep, SweepHit *hit);

/// Owners whose colliders meet the sphere or capsule at sweep->center (motion ignored), lowest collider id first; returns
/// how many were written, at most `capacity`. An owner is named once.
int colliders_overlap(const ColliderSet *set, const Sweep *sweep, uint32_t *owners, int capacity);

/// The deepest overlap at sweep->center, as a hit with starts_inside; false when free.
bool colliders_penetration(const ColliderSet *set, const Sweep *sweep, SweepHit *hit);

/// Calls for every pair of capsule colliders nearer than `margin`, each pair once, the lower id first, in a fixed order.
/// Near is meant level: flat ends, distance over x and z.
typedef void ColliderPairVisitor(void *user, const Collider *a, const Collider *b);
void colliders_each_capsule_pair(const ColliderSet *set, float margin, ColliderPairVisitor *visit, void *user);

#endif
