#ifndef PALFREY_ENGINE_RAY_H
#define PALFREY_ENGINE_RAY_H
// Rays against triangles and boxes. Triangles that share an edge leave no gap between them: a ray that meets the edge
// hits one of the two at least.
#include "vmath.h"

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

/// What all tests of one ray share: made once, right as long as origin and direction stay.
typedef struct RayFrame {
  Vec3 inverse;  ///< of the direction, always finite
  int axis;      ///< the direction's longest one: 0 x, 1 y, 2 z
  float shear_x, shear_y, scale;
  float facing;  ///< the sign of the direction along the axis; 0 without any direction
} RayFrame;

RayFrame ray_frame(const Ray *ray);

/// Updates `hit` but for its triangle and returns true when the triangle is met nearer than ray->max_distance.
bool ray_frame_hits_triangle(const Ray *ray, const RayFrame *frame, Vec3 a, Vec3 b, Vec3 c, TriangleHit *hit);

/// The same for a single triangle.
bool ray_hits_triangle(const Ray *ray, Vec3 a, Vec3 b, Vec3 c, TriangleHit *hit);

/// Whether the ray meets the box, edges included, before max_distance; `entry` gets where (0 from inside). No NaN from
/// rays along a face.
bool ray_hits_bounds(const Ray *ray, Bounds bounds, float *entry);

/// The same for the walk over a tree: quicker, and where ray_hits_bounds would miss by rounding it may hit. A ray that runs
/// exactly in a face may miss, so boxes are to be a little too large.
static inline bool ray_frame_hits_bounds(Vec3 origin, Vec3 inverse, float max_distance, Bounds bounds, float *entry) {
  float x1 = (bounds.min.x - origin.x) * inverse.x, x2 = (bounds.max.x - origin.x) * inverse.x;
  float y1 = (bounds.min.y - origin.y) * inverse.y, y2 = (bounds.max.y - origin.y) * inverse.y;
  float z1 = (bounds.min.z - origin.z) * inverse.z, z2 = (bounds.max.z - origin.z) * inverse.z;
  float enter = x1 < x2 ? x1 : x2, leave = x1 < x2 ? x2 : x1;
  float enter_y = y1 < y2 ? y1 : y2, leave_y = y1 < y2 ? y2 : y1;
  float enter_z = z1 < z2 ? z1 : z2, leave_z = z1 < z2 ? z2 : z1;
  if (enter_y > enter) enter = enter_y;
  if (enter_z > enter) enter = enter_z;
  if (leave_y < leave) leave = leave_y;
  if (leave_z < leave) leave = leave_z;
  if (enter < 0) enter = 0;
  if (leave > max_distance) leave = max_distance;
  *entry = enter;
  // More than the rounding of both (T. Ize, "Robust BVH ray traversal", 2013), so that no tree hides a triangle.
  return enter <= leave * 1.000001f;
}

#endif
