#ifndef PALFREY_LOADERS_TRIANGULATE_H
#define PALFREY_LOADERS_TRIANGULATE_H
// Polygons of any size into triangles: concave ones, ones with holes that a bridge of doubled corners joins to the outside,
// and ones that are not quite flat. A polygon of n corners always gives n - 2 triangles, wound like it.
#include "memory.h"
#include "vmath.h"

typedef struct PolygonCorner PolygonCorner;

/// Scratch memory, kept from polygon to polygon. Starts with only `memory` set.
typedef struct Triangulator {
  Memory *memory;
  PolygonCorner *corners;
  int *cells;
  int capacity;
  int64_t work, work_limit;  ///< looks at corners: done so far, and how many there may be
} Triangulator;

/// Twice the area along the normal of the polygon (M. E. Newell, in Sutherland et al., 1974); zero when it has none.
void polygon_normal(const Vec3 *points, int count, double normal[3]);

/// Writes 3 * (count - 2) numbers of points into `triangles`; `count` is 3 or more. A polygon that cuts itself gives some
/// triangles of its corners. False without memory.
bool triangulate(Triangulator *triangulator, const Vec3 *points, int count, uint32_t *triangles);

/// Whether polygons, all together, took so long that the triangles of the last ones were not chosen well.
bool triangulator_has_given_up(const Triangulator *triangulator);

void triangulator_free(Triangulator *triangulator);

#endif
