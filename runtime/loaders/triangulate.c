#include "loaders/triangulate.h"

#include <string.h>

// A corner of the polygon that is left, in two rings: of all corners, and of those that bulge inwards, which alone can
// lie inside an ear.
struct PolygonCorner {
  double u, v;
  int previous, next;
  int reflex_previous, reflex_next;
  bool is_reflex;
};

typedef struct Ring {
  PolygonCorner *corners;
  int left;
  int first_reflex;  // -1 when there is none
  int64_t *work;
  uint32_t *out;
} Ring;

// How choosy the search for an ear is. Each level is for polygons where the one before finds nothing.
typedef enum Level { LEVEL_EAR = 0, LEVEL_STRAIGHT, LEVEL_CONVEX, LEVEL_ANY } Level;

// Looks at corners for all polygons of a triangulator together. Real polygons need n * n at the most; files made to take
// for ever get triangles that are less well chosen, and in the end any.
enum { WORK_LIMIT = 50 * 1000 * 1000, WORK_END = 2 * WORK_LIMIT };

void polygon_normal(const Vec3 *points, int count, double normal[3]) {
  normal[0] = normal[1] = normal[2] = 0;
  Vec3 a = points[count - 1];
  for (int i = 0; i < count; i++) {
    Vec3 b = points[i];
    normal[0] += ((double)a.y - b.y) * ((double)a.z + b.z);
    normal[1] += ((double)a.z - b.z) * ((double)a.x + b.x);
    normal[2] += ((double)a.x - b.x) * ((double)a.y + b.y);
    a = b;
  }
}

static double cross(const PolygonCorner *a, const PolygonCorner *b, const PolygonCorner *c) {
  return (b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u);
}

static bool is_same_place(const PolygonCorner *a, const PolygonCorner *b) {
  return a->u == b->u && a->v == b->v;
}

static bool grow(Triangulator *triangulator, int count) {
  if (count <= triangulator->capacity) return true;
  PolygonCorner *corners = memory_resize(triangulator->memory, triangulator->corners, (size_t)count * sizeof *corners);
  if (!corners) return false;
  triangulator->corners = corners;
  triangulator->capacity = count;
  return true;
}

// Drops the axis along which the polygon is seen largest, so that it is counter-clockwise in u and v. False when the
// polygon has no area to look at.
static bool project(const Vec3 *points, int count, PolygonCorner *corners) {
  double normal[3];
  polygon_normal(points, count, normal);
  int axis = fabs(normal[0]) > fabs(normal[1]) ? 0 : 1;
  if (fabs(normal[2]) > fabs(normal[axis])) axis = 2;
  if (!(fabs(normal[axis]) > 0) || !isfinite(normal[axis])) return false;
  for (int i = 0; i < count; i++) {
    double p[3] = {points[i].x, points[i].y, points[i].z};
    double u = p[(axis + 1) % 3], v = p[(axis + 2) % 3];
    corners[i] = (PolygonCorner){.u = normal[axis] > 0 ? u : v, .v = normal[axis] > 0 ? v : u};
  }
  return true;
}

// No corner turns right and the outline goes round only once: along u it changes its direction just twice.
static bool is_convex(const PolygonCorner *corners, int count) {
  int turns = 0, direction = 0, first_direction = 0;
  const PolygonCorner *a = &corners[count - 2], *b = &corners[count - 1];
  for (int i = 0; i < count; i++) {
    const PolygonCorner *c = &corners[i];
    if (cross(a, b, c) < 0) return false;
    int now = (c->u > b->u) - (c->u < b->u);
    if (now != 0) {
      if (!first_direction) first_direction = now;
      turns += direction != 0 && now != direction;
      direction = now;
    }
    a = b;
    b = c;
  }
  return turns + (direction != first_direction) <= 2;
}

static void write_fan(int count, uint32_t *triangles) {
  for (uint32_t i = 1; i + 1 < (uint32_t)count; i++, triangles += 3) {
    triangles[0] = 0;
    triangles[1] = i;
    triangles[2] = i + 1;
  }
}

static void remove_reflex(Ring *ring, int index) {
  PolygonCorner *corner = &ring->corners[index];
  if (!corner->is_reflex) return;
  corner->is_reflex = false;
  if (corner->reflex_previous >= 0) ring->corners[corner->reflex_previous].reflex_next = corner->reflex_next;
  if (corner->reflex_next >= 0) ring->corners[corner->reflex_next].reflex_previous = corner->reflex_previous;
  if (ring->first_reflex == index) ring->first_reflex = corner->reflex_next;
}

static double turn_at(const Ring *ring, int index) {
  const PolygonCorner *corner = &ring->corners[index];
  return cross(&ring->corners[corner->previous], corner, &ring->corners[corner->next]);
}

static void init_ring(Ring *ring, int count) {
  ring->left = count;
  ring->first_reflex = -1;
  for (int i = 0; i < count; i++) {
    ring->corners[i].previous = i > 0 ? i - 1 : count - 1;
    ring->corners[i].next = i + 1 < count ? i + 1 : 0;
  }
  for (int i = count - 1; i >= 0; i--) {
    PolygonCorner *corner = &ring->corners[i];
    corner->is_reflex = turn_at(ring, i) <= 0;
    if (!corner->is_reflex) continue;
    corner->reflex_previous = -1;
    corner->reflex_next = ring->first_reflex;
    if (ring->first_reflex >= 0) ring->corners[ring->first_reflex].reflex_previous = i;
    ring->first_reflex = i;
  }
}

// Whether a corner of the rest lies in the triangle at `index`. Corners in the very place of the triangle's own do not
// count: a bridge to a hole passes there twice.
static bool is_blocked(Ring *ring, int index) {
  const PolygonCorner *b = &ring->corners[index];
  const PolygonCorner *a = &ring->corners[b->previous], *c = &ring->corners[b->next];
  for (int i = ring->first_reflex; i >= 0; i = ring->corners[i].reflex_next) {
    const PolygonCorner *p = &ring->corners[i];
    ++*ring->work;
    if (cross(a, b, p) < 0 || cross(b, c, p) < 0 || cross(c, a, p) < 0) continue;
    if (!is_same_place(p, a) && !is_same_place(p, b) && !is_same_place(p, c)) return true;
  }
  return false;
}

static bool may_cut(Ring *ring, int index, Level level) {
  double turn = turn_at(ring, index);
  if (level == LEVEL_ANY) return true;
  if (level == LEVEL_STRAIGHT) return turn == 0;
  return turn > 0 && (level == LEVEL_CONVEX || *ring->work > WORK_LIMIT || !is_blocked(ring, index));
}

static void write_triangle(Ring *ring, int index) {
  const PolygonCorner *corner = &ring->corners[index];
  *ring->out++ = (uint32_t)corner->previous;
  *ring->out++ = (uint32_t)index;
  *ring->out++ = (uint32_t)corner->next;
}

static void cut(Ring *ring, int index) {
  PolygonCorner *corner = &ring->corners[index];
  int previous = corner->previous, next = corner->next;
  write_triangle(ring, index);
  remove_reflex(ring, index);
  ring->corners[previous].next = next;
  ring->corners[next].previous = previous;
  ring->left--;
  // Cutting an ear never makes a corner reflex, only the other way round.
  if (turn_at(ring, previous) > 0) remove_reflex(ring, previous);
  if (turn_at(ring, next) > 0) remove_reflex(ring, next);
}

// Cuts off ears (G. H. Meisters, "Polygons have ears", 1975). As long as all triangles cut off turn left, they cover a
// polygon that does not cut itself exactly once, so what blocks an ear is only a matter of leaving good ones.
static void cut_ears(Ring *ring) {
  int index = 0, failures = 0;
  Level level = LEVEL_EAR;
  while (ring->left > 3) {
    int next = ring->corners[index].next;
    if (++*ring->work > WORK_END) level = LEVEL_ANY;
    if (may_cut(ring, index, level)) {
      cut(ring, index);
      failures = 0;
      level = LEVEL_EAR;
      // Going on behind the next corner makes fewer slivers than cutting fans.
      next = ring->corners[next].next;
    } else if (++failures > ring->left) {
      failures = 0;
      level++;
    }
    index = next;
  }
  write_triangle(ring, index);
}

static void triangle_normal(Vec3 a, Vec3 b, Vec3 c, double normal[3]) {
  double p[3] = {(double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z};
  double q[3] = {(double)c.x - a.x, (double)c.y - a.y, (double)c.z - a.z};
  normal[0] = p[1] * q[2] - p[2] * q[1];
  normal[1] = p[2] * q[0] - p[0] * q[2];
  normal[2] = p[0] * q[1] - p[1] * q[0];
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void split_quad(const Vec3 p[4], uint32_t *triangles) {
  static const uint32_t FROM_0[6] = {0, 1, 2, 0, 2, 3}, FROM_1[6] = {1, 2, 3, 1, 3, 0};
  double a[3], b[3];
  triangle_normal(p[0], p[1], p[2], a);
  triangle_normal(p[0], p[2], p[3], b);
  // The diagonal from corner 0 is right unless one of its two triangles turns against both together.
  double both = dot(a, b);
  bool is_right = both >= 0 || (dot(a, a) + both >= 0 && dot(b, b) + both >= 0);
  memcpy(triangles, is_right ? FROM_0 : FROM_1, sizeof FROM_0);
}

bool triangulate(Triangulator *triangulator, const Vec3 *points, int count, uint32_t *triangles) {
  if (count == 4) {
    split_quad(points, triangles);
    return true;
  }
  if (count > 4 && !grow(triangulator, count)) return false;
  if (count == 3 || !project(points, count, triangulator->corners) || is_convex(triangulator->corners, count)) {
    write_fan(count, triangles);
    return true;
  }
  Ring ring = {.corners = triangulator->corners, .work = &triangulator->work, .out = triangles};
  init_ring(&ring, count);
  cut_ears(&ring);
  return true;
}

void triangulator_free(Triangulator *triangulator) {
  memory_free(triangulator->memory, triangulator->corners);
}
