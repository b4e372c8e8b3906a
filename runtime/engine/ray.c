#include "engine/ray.h"

// The inverse of a direction's component. Zero counts as next to nothing: 0 times infinity never comes up.
static float invert(float component) {
  const float LEAST = 1e-30f;
  return fabsf(component) > LEAST ? 1 / component : component < 0 ? -1 / LEAST : 1 / LEAST;
}

// The components turned so that the axis comes last; keeps the handedness.
static Vec3 turn(Vec3 v, int axis) {
  return axis == 2 ? v : axis == 1 ? vec3(v.z, v.x, v.y) : vec3(v.y, v.z, v.x);
}

RayFrame ray_frame(const Ray *ray) {
  Vec3 d = ray->direction, size = vec3_abs(d);
  RayFrame frame = {.inverse = {invert(d.x), invert(d.y), invert(d.z)}};
  frame.axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  Vec3 turned = turn(d, frame.axis);
  frame.facing = turned.z > 0 ? 1.0f : turned.z < 0 ? -1.0f : 0.0f;
  frame.scale = invert(turned.z);
  frame.shear_x = turned.x * frame.scale;
  frame.shear_y = turned.y * frame.scale;
  return frame;
}

// A corner seen along the ray: x and y beside it, z along it.
static Vec3 look_at(const Ray *ray, const RayFrame *frame, Vec3 corner) {
  Vec3 p = turn(vec3_sub(corner, ray->origin), frame->axis);
  return vec3(p.x - frame->shear_x * p.z, p.y - frame->shear_y * p.z, p.z);
}

// Twice the area of the triangle of the ray and an edge. Products of floats are exact in double, so the edge of the
// neighbour, which runs the other way, gets exactly the opposite.
static double edge_area(Vec3 from, Vec3 to) {
  return (double)to.x * from.y - (double)to.y * from.x;
}

// S. Woop, C. Benthin and I. Wald, "Watertight ray/triangle intersection", 2013.
bool ray_frame_hits_triangle(const Ray *ray, const RayFrame *frame, Vec3 a, Vec3 b, Vec3 c, TriangleHit *hit) {
  Vec3 p = look_at(ray, frame, a), q = look_at(ray, frame, b), r = look_at(ray, frame, c);
  double at_a = edge_area(q, r), at_b = edge_area(r, p), at_c = edge_area(p, q);
  if ((at_a < 0 || at_b < 0 || at_c < 0) && (at_a > 0 || at_b > 0 || at_c > 0)) return false;
  double sum = at_a + at_b + at_c, front = sum * (double)frame->facing;
  // A ray along the plane misses; so does anything that is not a number.
  if (!(ray->hits_backfaces ? front != 0 : front > 0)) return false;
  double inverse = 1 / sum;
  double along = (at_a * p.z + at_b * q.z + at_c * r.z) * inverse * frame->scale;
  if (!(along >= 0 && along < (double)ray->max_distance)) return false;
  hit->distance = (float)along;
  hit->u = (float)(at_b * inverse);
  hit->v = (float)(at_c * inverse);
  return true;
}

bool ray_hits_triangle(const Ray *ray, Vec3 a, Vec3 b, Vec3 c, TriangleHit *hit) {
  RayFrame frame = ray_frame(ray);
  return ray_frame_hits_triangle(ray, &frame, a, b, c, hit);
}

// One axis of a box on its own; false when the ray passes beside it.
static bool clip_axis(float origin, float direction, float low, float high, float *enter, float *leave) {
  if (direction == 0) return origin >= low && origin <= high;
  float inverse = invert(direction), first = (low - origin) * inverse, second = (high - origin) * inverse;
  if (first > second) {
    float swapped = first;
    first = second;
    second = swapped;
  }
  if (first > *enter) *enter = first;
  if (second < *leave) *leave = second;
  return *enter <= *leave;
}

bool ray_hits_bounds(const Ray *ray, Bounds bounds, float *entry) {
  float leave = ray->max_distance;
  *entry = 0;
  return clip_axis(ray->origin.x, ray->direction.x, bounds.min.x, bounds.max.x, entry, &leave) &&
         clip_axis(ray->origin.y, ray->direction.y, bounds.min.y, bounds.max.y, entry, &leave) &&
         clip_axis(ray->origin.z, ray->direction.z, bounds.min.z, bounds.max.z, entry, &leave);
}
