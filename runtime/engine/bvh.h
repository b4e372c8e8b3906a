#ifndef PALFREY_ENGINE_BVH_H
#define PALFREY_ENGINE_BVH_H
// A bounding volume hierarchy over the triangles of one mesh, in the mesh's own space. It is built once a mesh, shared by
// all nodes that show it, and never changes. Positions and indices belong to the model and must outlive it.
#include "error.h"
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

size_t bvh_bytes(const Bvh *bvh);
Bounds bvh_bounds(const Bvh *bvh);

typedef struct Ray {
  Vec3 origin;
  Vec3 direction;       ///< need not be of unit length; distances count in multiples of it
  float max_distance;   ///< in multiples of the direction
  bool hits_backfaces;  ///< else only triangles whose counter-clockwise side faces the ray
} Ray;

typedef struct TriangleHit {
  float distance;  ///< in multiples of the ray's direction
  int triangle;
  float u, v;  ///< barycentric: the point is (1 - u - v) * a + u * b + v * c
} TriangleHit;

/// Watertight-enough ray and triangle test; updates `hit` and returns true when nearer than ray->max_distance.
bool ray_hits_triangle(const Ray *ray, Vec3 a, Vec3 b, Vec3 c, TriangleHit *hit);

/// Whether the ray meets the box, edges included, before max_distance; `entry` gets where (0 from inside). No NaN from
/// rays along a face.
bool ray_hits_bounds(const Ray *ray, Bounds bounds, float *entry);

/// The nearest hit; the lowest triangle wins a tie.
bool bvh_raycast(const Bvh *bvh, const Ray *ray, TriangleHit *hit);

/// Called for triangles a query may touch; returns the new end of the query (distance as of the ray), at most `limit`.
typedef float BvhVisitor(void *user, int triangle, Vec3 a, Vec3 b, Vec3 c, float limit);

/// Visits every triangle whose box, grown by `half`, meets the ray: the candidates of a swept box or of anything in it.
void bvh_sweep_box(const Bvh *bvh, const Ray *ray, Vec3 half, BvhVisitor *visit, void *user);

/// Visits every triangle whose box meets `bounds`.
void bvh_query(const Bvh *bvh, Bounds bounds, BvhVisitor *visit, void *user);

#endif
