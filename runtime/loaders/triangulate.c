#include "loaders/triangulate.h"

#include <string.h>

// A corner of the polygon that is left, in two lists: the ring of all corners, and those that are still to be looked at,
// which may be ears.
struct PolygonCorner {
  double u, v;
  int previous, next;
  int queue_previous, queue_next;
  bool is_queued;
  bool is_reflex;  // bulges inwards: only such ones can lie inside an ear
};

// The reflex corners by where they are: cells of equal size, the corners of a cell side by side.
typedef struct Grid {
  double low[2], scale[2];
  int side;          // cells along u, and along v
  int *first_items;  // of each cell, and one more
  int *items;
} Grid;

typedef struct Ring {
  PolygonCorner *corners;
  Grid grid;
  int left;
  int first_queued, last_queued;  // -1 when there is none
  Triangulator *triangulator;
  uint32_t *out;
} Ring;

// How choosy the search for an ear is. Each level is for polygons where the one before finds nothing.
typedef enum Level { LEVEL_EAR = 0, LEVEL_STRAIGHT, LEVEL_CONVEX, LEVEL_ANY } Level;

// Looks at corners for all polygons of a triangulator together, and how many more each corner adds: ten are enough for
// those of real polygons. Files made to take for ever get triangles that are less well chosen, and in the end any.
enum { FREE_WORK = 50 * 1000 * 1000, WORK_OF_A_CORNER = 256 };

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

// A grid has no more cells than the polygon has corners.
static bool grow(Triangulator *triangulator, int count) {
  if (count <= triangulator->capacity) return true;
  size_t wanted = (size_t)count;
  PolygonCorner *corners = memory_resize(triangulator->memory, triangulator->corners, wanted * sizeof *corners);
  if (corners) triangulator->corners = corners;
  int *cells = memory_resize(triangulator->memory, triangulator->cells, (2 * wanted + 1) * sizeof *cells);
  if (cells) triangulator->cells = cells;
  if (!corners || !cells) return false;
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

static double turn_at(const Ring *ring, int index) {
  const PolygonCorner *corner = &ring->corners[index];
  return cross(&ring->corners[corner->previous], corner, &ring->corners[corner->next]);
}

// ---- The grid

static int cell_along(const Grid *grid, int axis, double at) {
  double cell = (at - grid->low[axis]) * grid->scale[axis];
  return cell < grid->side - 1 ? cell > 0 ? (int)cell : 0 : grid->side - 1;
}

static int cell_of(const Grid *grid, const PolygonCorner *corner) {
  return cell_along(grid, 1, corner->v) * grid->side + cell_along(grid, 0, corner->u);
}

static void measure_grid(Grid *grid, const PolygonCorner *corners, int count) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  int reflex_count = 0;
  for (int i = 0; i < count; i++) {
    if (!corners[i].is_reflex) continue;
    reflex_count++;
    const double at[2] = {corners[i].u, corners[i].v};
    for (int axis = 0; axis < 2; axis++) {
      low[axis] = at[axis] < low[axis] ? at[axis] : low[axis];
      high[axis] = at[axis] > high[axis] ? at[axis] : high[axis];
    }
  }
  grid->side = 1;
  while ((grid->side + 1) * (grid->side + 1) <= reflex_count)
    grid->side++;
  for (int axis = 0; axis < 2; axis++) {
    grid->low[axis] = low[axis];
    grid->scale[axis] = high[axis] > low[axis] ? grid->side / (high[axis] - low[axis]) : 0;
  }
}

// A counting sort of the reflex corners by their cell.
static void fill_grid(Grid *grid, const PolygonCorner *corners, int count) {
  int cell_count = grid->side * grid->side, *first = grid->first_items;
  grid->items = first + cell_count + 1;
  memset(first, 0, ((size_t)cell_count + 1) * sizeof *first);
  for (int i = 0; i < count; i++) {
    if (corners[i].is_reflex) first[cell_of(grid, &corners[i])]++;
  }
  // Every entry becomes the end of its cell, and the start once the cell is filled from behind.
  for (int cell = 1; cell <= cell_count; cell++)
    first[cell] += first[cell - 1];
  for (int i = count - 1; i >= 0; i--) {
    if (corners[i].is_reflex) grid->items[--first[cell_of(grid, &corners[i])]] = i;
  }
}

// ---- The queue

static void unqueue(Ring *ring, int index) {
  PolygonCorner *corner = &ring->corners[index];
  if (!corner->is_queued) return;
  corner->is_queued = false;
  if (corner->queue_previous >= 0)
    ring->corners[corner->queue_previous].queue_next = corner->queue_next;
  else
    ring->first_queued = corner->queue_next;
  if (corner->queue_next >= 0)
    ring->corners[corner->queue_next].queue_previous = corner->queue_previous;
  else
    ring->last_queued = corner->queue_previous;
}

// Puts a corner at the queue's end, wherever it was before.
static void enqueue(Ring *ring, int index) {
  unqueue(ring, index);
  PolygonCorner *corner = &ring->corners[index];
  corner->is_queued = true;
  corner->queue_previous = ring->last_queued;
  corner->queue_next = -1;
  if (ring->last_queued >= 0)
    ring->corners[ring->last_queued].queue_next = index;
  else
    ring->first_queued = index;
  ring->last_queued = index;
}

static void enqueue_all(Ring *ring, int start) {
  int index = start;
  for (int i = 0; i < ring->left; i++) {
    enqueue(ring, index);
    index = ring->corners[index].next;
  }
}

// ---- Ears

static void init_ring(Ring *ring, int count) {
  PolygonCorner *corners = ring->corners;
  ring->left = count;
  ring->first_queued = ring->last_queued = -1;
  for (int i = 0; i < count; i++) {
    corners[i].previous = i > 0 ? i - 1 : count - 1;
    corners[i].next = i + 1 < count ? i + 1 : 0;
    corners[i].is_queued = false;
  }
  for (int i = 0; i < count; i++)
    corners[i].is_reflex = turn_at(ring, i) <= 0;
  measure_grid(&ring->grid, corners, count);
  fill_grid(&ring->grid, corners, count);
  enqueue_all(ring, 0);
}

// Whether a corner lies in the triangle a, b, c. Corners in the very place of the triangle's own do not count: a bridge
// to a hole passes there twice.
static bool is_in_the_way(const PolygonCorner *p, const PolygonCorner *a, const PolygonCorner *b,
                          const PolygonCorner *c) {
  if (!p->is_reflex || cross(a, b, p) < 0 || cross(b, c, p) < 0 || cross(c, a, p) < 0) return false;
  return !is_same_place(p, a) && !is_same_place(p, b) && !is_same_place(p, c);
}

static double min3(double a, double b, double c) {
  return fmin(fmin(a, b), c);
}

static double max3(double a, double b, double c) {
  return fmax(fmax(a, b), c);
}

// Whether a corner of the rest lies in the triangle at `index`.
static bool is_blocked(Ring *ring, int index) {
  const Grid *grid = &ring->grid;
  const PolygonCorner *b = &ring->corners[index];
  const PolygonCorner *a = &ring->corners[b->previous], *c = &ring->corners[b->next];
  int left = cell_along(grid, 0, min3(a->u, b->u, c->u)), right = cell_along(grid, 0, max3(a->u, b->u, c->u));
  int top = cell_along(grid, 1, max3(a->v, b->v, c->v));
  for (int row = cell_along(grid, 1, min3(a->v, b->v, c->v)); row <= top; row++) {
    int first = grid->first_items[row * grid->side + left], end = grid->first_items[row * grid->side + right + 1];
    ring->triangulator->work += 1 + end - first;
    for (int i = first; i < end; i++) {
      if (is_in_the_way(&ring->corners[grid->items[i]], a, b, c)) return true;
    }
  }
  return false;
}

static bool is_over(const Triangulator *triangulator, int times) {
  return triangulator->work / times > triangulator->work_limit;
}

static bool may_cut(Ring *ring, int index, Level level) {
  double turn = turn_at(ring, index);
  ring->triangulator->work++;
  if (level == LEVEL_ANY || is_over(ring->triangulator, 2)) return true;
  if (level == LEVEL_STRAIGHT) return turn == 0;
  return turn > 0 && (level == LEVEL_CONVEX || is_over(ring->triangulator, 1) || !is_blocked(ring, index));
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
  corner->is_reflex = false;
  ring->corners[previous].next = next;
  ring->corners[next].previous = previous;
  ring->left--;
  // Cutting an ear never makes a corner reflex, only the other way round.
  if (turn_at(ring, previous) > 0) ring->corners[previous].is_reflex = false;
  if (turn_at(ring, next) > 0) ring->corners[next].is_reflex = false;
  // The two are looked at again, last: going on behind them makes fewer slivers than cutting fans.
  enqueue(ring, previous);
  enqueue(ring, next);
}

// Cuts off ears (G. H. Meisters, "Polygons have ears", 1975). As long as all triangles cut off turn left, they cover a
// polygon that does not cut itself exactly once, so what blocks an ear is only a matter of leaving good ones.
static void cut_ears(Ring *ring) {
  int index = 0;
  bool has_cut = false;
  Level level = LEVEL_EAR;
  while (ring->left > 3) {
    if (ring->first_queued < 0) {
      // What blocked a corner may be gone without its neighbours having changed.
      if (!has_cut) level++;
      has_cut = false;
      enqueue_all(ring, index);
    }
    int candidate = ring->first_queued;
    unqueue(ring, candidate);
    if (!may_cut(ring, candidate, level)) continue;
    index = ring->corners[candidate].next;
    cut(ring, candidate);
    has_cut = true;
    level = LEVEL_EAR;
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
  triangulator->work_limit += (int64_t)WORK_OF_A_CORNER * count + (triangulator->work_limit == 0 ? FREE_WORK : 0);
  Ring ring = {.corners = triangulator->corners,
               .grid.first_items = triangulator->cells,
               .triangulator = triangulator,
               .out = triangles};
  init_ring(&ring, count);
  cut_ears(&ring);
  return true;
}

bool triangulator_has_given_up(const Triangulator *triangulator) {
  return is_over(triangulator, 1);
}

void triangulator_free(Triangulator *triangulator) {
  memory_free(triangulator->memory, triangulator->corners);
  memory_free(triangulator->memory, triangulator->cells);
}
