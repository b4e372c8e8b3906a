#ifndef PALFREY_BENCH_LOAD_BODY_H
#define PALFREY_BENCH_LOAD_BODY_H
// The shapes of the files that the benchmark "load" makes: bumpy tubes side by side, each a grid of quads wound
// counter-clockwise from outside. The last column lies where the first one does, with other texture coordinates.
#include "load/peer.h"
#include "vmath.h"

typedef struct Body {
  int index;          ///< where it stands and how it is bent
  int columns, rows;  ///< of quads
} Body;

typedef struct BodyVertex {
  Vec3 position, normal;
  float u, v;  ///< v upwards
} BodyVertex;

/// The vertex at 0..rows and 0..columns.
BodyVertex body_vertex(const Body *body, int row, int column);

/// The four corners of a quad as row and column.
void body_quad(int row, int column, int corners[4][2]);

void body_add_facts(const Body *body, LoadFacts *facts);

#endif
