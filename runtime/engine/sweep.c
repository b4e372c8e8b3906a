#include "engine/sweep.h"

// --- Nearest points (C. Ericson, "Real-Time Collision Detection", 2005, sections 5.1.5 and 5.1.9) ---

static Vec3 nearest_point_on_triangle(Vec3 p, Vec3 a, Vec3 b, Vec3 c) {
  Vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a), ap = vec3_sub(p, a);
  float d1 = vec3_dot(ab, ap), d2 = vec3_dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return a;
  Vec3 bp = vec3_sub(p, b);
  float d3 = vec3_dot(ab, bp), d4 = vec3_dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return b;
  float vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return vec3_add_scaled(a, ab, d1 / (d1 - d3));
  Vec3 cp = vec3_sub(p, c);
  float d5 = vec3_dot(ab, cp), d6 = vec3_dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return c;
  float vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return vec3_add_scaled(a, ac, d2 / (d2 - d6));
  float va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
    return vec3_add_scaled(b, vec3_sub(c, b), (d4 - d3) / ((d4 - d3) + (d5 - d6)));
  float scale = 1 / (va + vb + vc);
  return vec3_add(vec3_add_scaled(a, ab, vb * scale), vec3_scale(ac, vc * scale));
}

// A pair of points, one of the segment and one of the shape.
typedef struct PointPair {
  Vec3 ours, theirs;
  float squared;
} PointPair;

static void keep_nearer(PointPair *best, Vec3 ours, Vec3 theirs) {
  float squared = vec3_length_squared(vec3_sub(ours, theirs));
  if (squared < best->squared) *best = (PointPair){ours, theirs, squared};
}

// The nearest points of the upright segment and the edge from `a` to `b`.
static void try_edge(UprightSegment segment, Vec3 a, Vec3 b, PointPair *best) {
  Vec3 edge = vec3_sub(b, a), from = vec3_sub(segment.low, a);
  float e = vec3_dot(edge, edge), f = vec3_dot(edge, from), h = segment.height, up = edge.y * h;
  if (!(e > 0)) return;
  float determinant = h * h * e - up * up, s = 0;
  if (determinant > 0) s = clampf((up * f - from.y * h * e) / determinant, 0, 1);
  float t = clampf((up * s + f) / e, 0, 1);
  // The edge's parameter was clamped, so ours is found anew for it.
  if (h > 0) s = clampf((a.y + edge.y * t - segment.low.y) / h, 0, 1);
  Vec3 ours = vec3(segment.low.x, segment.low.y + h * s, segment.low.z);
  keep_nearer(best, ours, vec3_add_scaled(a, edge, t));
}

// Whether the segment goes through the triangle; `at` gets the point.
static bool passes_through(UprightSegment segment, Vec3 a, Vec3 b, Vec3 c, Vec3 normal, Vec3 *at) {
  if (segment.height <= 0 || normal.y == 0) return false;
  float height = vec3_dot(vec3_sub(a, segment.low), normal) / normal.y;
  if (!(height >= 0 && height <= segment.height)) return false;
  *at = vec3(segment.low.x, segment.low.y + height, segment.low.z);
  return vec3_dot(vec3_cross(vec3_sub(b, a), vec3_sub(*at, a)), normal) >= 0 &&
         vec3_dot(vec3_cross(vec3_sub(c, b), vec3_sub(*at, b)), normal) >= 0 &&
         vec3_dot(vec3_cross(vec3_sub(a, c), vec3_sub(*at, c)), normal) >= 0;
}

Nearest nearest_on_triangle(UprightSegment segment, Vec3 a, Vec3 b, Vec3 c) {
  Vec3 normal = vec3_normalize_or(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)), vec3(0, 1, 0));
  Vec3 high = vec3(segment.low.x, segment.low.y + segment.height, segment.low.z), at;
  if (passes_through(segment, a, b, c, normal, &at)) {
    // The way out is the shorter one along the normal: the depth is what sticks out on the other side.
    float below = vec3_dot(vec3_sub(segment.low, at), normal), above = vec3_dot(vec3_sub(high, at), normal);
    bool is_front = above > below ? above > -below : below > -above;
    float depth = is_front ? (below < above ? below : above) : -(below > above ? below : above);
    return (Nearest){depth, is_front ? normal : vec3_negate(normal), at};
  }
  PointPair best = {.squared = INFINITY};
  keep_nearer(&best, segment.low, nearest_point_on_triangle(segment.low, a, b, c));
  if (segment.height > 0) {
    keep_nearer(&best, high, nearest_point_on_triangle(high, a, b, c));
    try_edge(segment, a, b, &best);
    try_edge(segment, b, c, &best);
    try_edge(segment, c, a, &best);
  }
  float distance = sqrtf(best.squared);
  // Over the face, or on it, the plane gives distance and direction without the rounding of the nearest point. On it, the
  // direction is the side most of the segment is on.
  Vec3 middle = vec3(segment.low.x, segment.low.y + segment.height * 0.5f, segment.low.z);
  Vec3 side = vec3_dot(vec3_sub(middle, a), normal) >= 0 ? normal : vec3_negate(normal);
  Vec3 apart = vec3_sub(best.ours, best.theirs);
  float over = vec3_dot(apart, side);
  if (over >= distance * (1 - 1e-6f)) return (Nearest){vec3_dot(vec3_sub(best.ours, a), side), side, best.theirs};
  return (Nearest){distance, vec3_scale(apart, 1 / distance), best.theirs};
}

Nearest nearest_on_capsule(UprightSegment segment, UprightSegment other, float radius) {
  float low = segment.low.y - (other.low.y + other.height), high = other.low.y - (segment.low.y + segment.height);
  float gap = low > 0 ? low : high > 0 ? -high : 0;
  Vec3 apart = vec3(segment.low.x - other.low.x, gap, segment.low.z - other.low.z);
  float distance = vec3_length(apart);
  Vec3 normal = vec3_normalize_or(apart, vec3(1, 0, 0));
  float top = segment.low.y + segment.height < other.low.y + other.height ? segment.low.y + segment.height
                                                                          : other.low.y + other.height;
  Vec3 center = vec3(other.low.x, top > other.low.y ? top : other.low.y, other.low.z);
  return (Nearest){distance - radius, normal, vec3_add_scaled(center, normal, radius)};
}

static Nearest target_triangle(const SweepTarget *target, UprightSegment segment) {
  return nearest_on_triangle(segment, target->a, target->b, target->c);
}

static Nearest target_capsule(const SweepTarget *target, UprightSegment segment) {
  return nearest_on_capsule(segment, target->other, target->radius);
}

SweepTarget sweep_target_triangle(Vec3 a, Vec3 b, Vec3 c) {
  return (SweepTarget){.nearest = target_triangle, .a = a, .b = b, .c = c};
}

SweepTarget sweep_target_capsule(UprightSegment other, float radius) {
  return (SweepTarget){.nearest = target_capsule, .other = other, .radius = radius};
}

float sweep_tolerance(Vec3 place) {
  Vec3 size = vec3_abs(place);
  float most = size.x > size.y ? size.x : size.y;
  if (size.z > most) most = size.z;
  return 1e-5f + most * 4e-7f;
}

bool sweep_segment(UprightSegment segment, float radius, Vec3 direction, float length, const SweepTarget *target,
                   Contact *contact) {
  enum { MAX_STEPS = 48 };
  float tolerance = sweep_tolerance(segment.low), travelled = 0;
  for (int step = 0; step < MAX_STEPS; step++) {
    UprightSegment moved = {vec3_add_scaled(segment.low, direction, travelled), segment.height};
    Nearest nearest = target->nearest(target, moved);
    float gap = nearest.distance - radius, approach = -vec3_dot(direction, nearest.normal);
    // Receding, or so nearly along the surface that the rest of the way stays within rounding.
    if (approach * (length - travelled) <= tolerance && (gap > -tolerance || approach <= 0)) return false;
    if (gap <= tolerance) {
      *contact = (Contact){travelled, nearest, step == 0 && gap < -tolerance};
      return true;
    }
    travelled += gap / approach;
    if (travelled > length) return false;
  }
  // Grazing so flatly that the steps became small: this is as near as it matters.
  UprightSegment moved = {vec3_add_scaled(segment.low, direction, travelled), segment.height};
  *contact = (Contact){travelled, target->nearest(target, moved), false};
  return true;
}
