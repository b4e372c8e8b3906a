#include "engine/sweep.h"

static Wide wide(Vec3 v) {
  return (Wide){v.x, v.y, v.z};
}

static Vec3 narrow(Wide v) {
  return (Vec3){(float)v.x, (float)v.y, (float)v.z};
}

static Wide wide_sub(Wide a, Wide b) {
  return (Wide){a.x - b.x, a.y - b.y, a.z - b.z};
}

static Wide wide_scale(Wide a, double s) {
  return (Wide){a.x * s, a.y * s, a.z * s};
}

static Wide wide_add_scaled(Wide a, Wide b, double s) {
  return (Wide){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}

static double wide_dot(Wide a, Wide b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Wide wide_cross(Wide a, Wide b) {
  return (Wide){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double clamp(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

// --- Targets ---

SweepTarget sweep_target_triangle(Vec3 a, Vec3 b, Vec3 c) {
  SweepTarget target = {.corners = {wide(a), wide(b), wide(c)}};
  for (int i = 0; i < 3; i++) {
    target.edges[i] = wide_sub(target.corners[(i + 1) % 3], target.corners[i]);
    double squared = wide_dot(target.edges[i], target.edges[i]);
    target.edge_inverse[i] = squared > 0 ? 1 / squared : 0;
  }
  Wide normal = wide_cross(target.edges[0], target.edges[1]);
  double length = sqrt(wide_dot(normal, normal));
  if (!(length > 1e-60)) return target;
  target.normal = wide_scale(normal, 1 / length);
  for (int i = 0; i < 3; i++)
    target.inward[i] = wide_cross(target.normal, target.edges[i]);
  return target;
}

SweepTarget sweep_target_capsule(UprightSegment core, float radius) {
  return (SweepTarget){.low = wide(core.low), .height = core.height, .radius = radius, .is_round = true};
}

// --- Distances ---

// A segment at a place, and the nearest pair of points so far. `apart` leads from the target's point to the segment's.
typedef struct Approach {
  Wide low;
  double height;
  Wide apart, point;
  double squared;
} Approach;

// The normal and distance of what an approach found.
typedef struct Gap {
  double distance;
  Wide normal, point;
} Gap;

// The nearest points of two segments (C. Ericson, "Real-Time Collision Detection", 2005, 5.1.9), one of them upright.
static void approach_edge(Approach *best, const SweepTarget *target, int index) {
  Wide edge = target->edges[index], from = wide_sub(target->corners[index], best->low);
  double flat = edge.x * edge.x + edge.z * edge.z, beside = from.x * edge.x + from.z * edge.z;
  double up = flat > 0 ? from.y - edge.y * (beside / flat) : from.y;
  up = clamp(up, 0, best->height);
  double along = -(beside + (from.y - up) * edge.y) * target->edge_inverse[index];
  if (!(along >= 0 && along <= 1)) {
    along = along > 1 ? 1 : 0;
    up = clamp(from.y + edge.y * along, 0, best->height);
  }
  Wide there = wide_add_scaled(from, edge, along);
  Wide apart = {-there.x, up - there.y, -there.z};
  double squared = wide_dot(apart, apart);
  if (squared >= best->squared) return;
  best->squared = squared;
  best->apart = apart;
  best->point = wide_add_scaled(target->corners[index], edge, along);
}

static bool is_over_face(const SweepTarget *target, Wide p) {
  for (int i = 0; i < 3; i++) {
    if (!(wide_dot(wide_sub(p, target->corners[i]), target->inward[i]) >= 0)) return false;
  }
  return true;
}

// Where a segment goes through the face, the way out is the shorter one along the normal.
static bool passes_through(const Approach *at, const SweepTarget *target, double low, double high, Gap *gap) {
  if (!((low < 0 && high > 0) || (low > 0 && high < 0))) return false;
  Wide crossing = at->low;
  crossing.y += at->height * (low / (low - high));
  if (!is_over_face(target, crossing)) return false;
  double up = high > 0 ? high : low, down = high > 0 ? -low : -high;
  *gap = up >= down ? (Gap){-down, target->normal, crossing} : (Gap){-up, wide_scale(target->normal, -1), crossing};
  return true;
}

static Gap gap_of_triangle(const SweepTarget *target, Wide low, double height) {
  Approach best = {.low = low, .height = height, .squared = INFINITY};
  Wide top = {low.x, low.y + height, low.z}, normal = target->normal;
  double low_side = wide_dot(wide_sub(low, target->corners[0]), normal), high_side = low_side + height * normal.y;
  double side = low_side + high_side >= 0 ? 1 : -1, flat = INFINITY;
  bool has_face = normal.x != 0 || normal.y != 0 || normal.z != 0;
  Gap gap;
  if (has_face && passes_through(&best, target, low_side, high_side, &gap)) return gap;
  // Over the face the plane tells distance and direction.
  if (has_face && is_over_face(target, low)) {
    flat = low_side;
    best.point = wide_add_scaled(low, normal, -low_side);
  }
  if (has_face && height > 0 && fabs(high_side) < fabs(flat) && is_over_face(target, top)) {
    flat = high_side;
    best.point = wide_add_scaled(top, normal, -high_side);
  }
  best.squared = flat * flat;
  for (int i = 0; i < 3; i++)
    approach_edge(&best, target, i);
  if (best.squared >= flat * flat) {
    if (flat != 0) side = flat > 0 ? 1 : -1;
    return (Gap){fabs(flat), wide_scale(normal, side), best.point};
  }
  double distance = sqrt(best.squared);
  if (distance > 1e-12) return (Gap){distance, wide_scale(best.apart, 1 / distance), best.point};
  return (Gap){0, has_face ? wide_scale(normal, side) : (Wide){0, 1, 0}, best.point};
}

static Gap gap_of_round(const SweepTarget *target, Wide low, double height) {
  double above = low.y - (target->low.y + target->height), below = target->low.y - (low.y + height);
  Wide apart = {low.x - target->low.x, above > 0 ? above : below > 0 ? -below : 0, low.z - target->low.z};
  double distance = sqrt(wide_dot(apart, apart));
  // Of two that stand in the same place one goes along +X.
  Wide normal = distance > 1e-12 ? wide_scale(apart, 1 / distance) : (Wide){1, 0, 0};
  double common_top = low.y + height < target->low.y + target->height ? low.y + height : target->low.y + target->height;
  Wide core = {target->low.x, common_top > target->low.y ? common_top : target->low.y, target->low.z};
  return (Gap){distance - target->radius, normal, wide_add_scaled(core, normal, target->radius)};
}

static Gap gap_of(const SweepTarget *target, Wide low, double height) {
  return target->is_round ? gap_of_round(target, low, height) : gap_of_triangle(target, low, height);
}

static Nearest tell(Gap gap) {
  return (Nearest){(float)gap.distance, narrow(gap.normal), narrow(gap.point)};
}

Nearest sweep_nearest(const SweepTarget *target, UprightSegment segment) {
  return tell(gap_of(target, wide(segment.low), segment.height));
}

// --- Sweeps ---

float sweep_tolerance(Vec3 place) {
  Vec3 size = vec3_abs(place);
  float most = size.x > size.y ? size.x : size.y;
  if (size.z > most) most = size.z;
  return 1e-5f + most * 2.5e-7f;
}

// The motion that is being looked at, and how far along it the search has come.
typedef struct Search {
  const SweepTarget *target;
  Wide low, direction;
  double height, length, travelled;
  Gap gap;
} Search;

// Newton's steps until the gap is down to `level`; false when it never is.
static bool search_level(Search *search, double level, double tolerance) {
  enum { MAX_STEPS = 100 };
  for (int step = 0; step < MAX_STEPS; step++) {
    double left = search->gap.distance - level;
    if (left <= tolerance) return true;
    double slope = wide_dot(search->direction, search->gap.normal);
    if (!(slope < 0)) return false;
    search->travelled += left / -slope;
    if (!(search->travelled <= search->length)) return false;
    search->gap =
        gap_of(search->target, wide_add_scaled(search->low, search->direction, search->travelled), search->height);
  }
  // Grazing so flatly that the steps became small: this is as near as it matters.
  return true;
}

// Whether the whole motion stays on one side of the triangle's plane, out of reach: most candidates end here.
static bool stays_beside_plane(const Search *search, double radius) {
  const SweepTarget *target = search->target;
  if (target->is_round) return false;
  double start = wide_dot(wide_sub(search->low, target->corners[0]), target->normal);
  double rise = search->height * target->normal.y, move = wide_dot(search->direction, target->normal) * search->length;
  double low = start + (rise < 0 ? rise : 0) + (move < 0 ? move : 0);
  double high = start + (rise > 0 ? rise : 0) + (move > 0 ? move : 0);
  return low > radius || high < -radius;
}

bool sweep_segment(UprightSegment segment, float radius, Vec3 direction, float length, const SweepTarget *target,
                   Contact *contact) {
  Search search = {.target = target,
                   .low = wide(segment.low),
                   .direction = wide(direction),
                   .height = segment.height,
                   .length = length};
  double allowed = 2 * (double)sweep_tolerance(segment.low), level = radius > allowed ? (double)radius : allowed;
  if (stays_beside_plane(&search, level)) return false;
  search.gap = gap_of(target, search.low, search.height);
  double start_distance = search.gap.distance;
  bool is_inside = start_distance < level - allowed;
  if (!search_level(&search, level, 1e-7)) return false;
  *contact = (Contact){(float)search.travelled, tell(search.gap), is_inside};
  // Who is inside must not creep on by small steps.
  if (is_inside && wide_dot(search.direction, search.gap.normal) < -1e-3) return true;
  return search_level(&search, is_inside ? start_distance - allowed : level - allowed, 0);
}
