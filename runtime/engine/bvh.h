#ifndef PALFREY_ENGINE_BVH_H
#define PALFREY_ENGINE_BVH_H
// A bounding volume hierarchy over the triangles of one mesh, in the mesh's own space. It is built once a mesh, shared by
// all nodes that show it, and never changes. Positions and indices belong to the model and must outlive it.
#include "engine/ray.h"
#include "error.h"
#include "loaders/model.h"
#include "memory.h"
#include "vmath.h"

typedef struct Bvh Bvh;

/// Triangles as 3 indices each into positions of 3 floats each.
typedef struct TriangleSoup {
  const float *positions;
  const uint32_t *indices;
  int triangle_count;
} TriangleSoup;

/// Builds by binned surface area heuristic. Degenerate triangles are kept out. NULL when memory is exhausted.
Bvh *bvh_build(Memory *memory, TriangleSoup soup, Error *error);
void bvh_free(Memory *memory, Bvh *bvh);

/// A tree that was made ahead, of a validated model, which must outlive it.
Bvh *bvh_adopt(Memory *memory, TriangleSoup soup, const ModelTree *tree, Error *error);

/// The tree for a model; it lives as long as the Bvh.
ModelTree bvh_tree(const Bvh *bvh);

size_t bvh_bytes(const Bvh *bvh);
Bounds bvh_bounds(const Bvh *bvh);

/// The nearest hit; the lowest triangle wins a tie.
bool bvh_raycast(const Bvh *bvh, const Ray *ray, TriangleHit *hit);

/// Called for triangles a query may touch; returns the new end of the query (distance as of the ray), at most `limit`.
typedef float BvhVisitor(void *user, int triangle, Vec3 a, Vec3 b, Vec3 c, float limit);

/// Visits every triangle whose box, grown by `half`, meets the ray: the candidates of a swept box or of anything in it.
void bvh_sweep_box(const Bvh *bvh, const Ray *ray, Vec3 half, BvhVisitor *visit, void *user);

/// Visits every triangle whose box meets `bounds`.
void bvh_query(const Bvh *bvh, Bounds bounds, BvhVisitor *visit, void *user);

#endif
