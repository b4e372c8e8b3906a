#include "load/body.h"

static const float HEIGHT = 4, DISTANCE = 3;

BodyVertex body_vertex(const Body *body, int row, int column) {
  double v = (double)row / body->rows, u = (double)column / body->columns;
  double angle = 2 * PI * (column % body->columns) / body->columns;
  double wave = 9 * v + body->index, bumps = 5 * angle + 3 * v;
  double radius = 1 + 0.25 * vmath_sin(wave) + 0.15 * vmath_cos(bumps);
  double along_angle = -0.75 * vmath_sin(bumps), along_v = 2.25 * vmath_cos(wave) - 0.45 * vmath_sin(bumps);
  double s = vmath_sin(angle), c = vmath_cos(angle);
  Vec3 up = {(float)(along_v * c), HEIGHT, (float)(along_v * s)};
  Vec3 round = {(float)(along_angle * c - radius * s), 0, (float)(along_angle * s + radius * c)};
  Vec3 place = {DISTANCE * (float)(body->index % 16), 0, DISTANCE * (float)(body->index / 16)};
  return (BodyVertex){
      .position = vec3_add(place, vec3((float)(radius * c), HEIGHT * (float)v, (float)(radius * s))),
      .normal = vec3_normalize_or(vec3_cross(up, round), vec3(0, 1, 0)),
      .u = (float)u,
      .v = (float)v,
  };
}

void body_quad(int row, int column, int corners[4][2]) {
  static const int STEPS[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (int i = 0; i < 4; i++) {
    corners[i][0] = row + STEPS[i][0];
    corners[i][1] = column + STEPS[i][1];
  }
}

void body_add_facts(const Body *body, LoadFacts *facts) {
  facts->triangle_count += 2L * body->rows * body->columns;
  for (int row = 0; row <= body->rows; row++) {
    for (int column = 0; column < body->columns; column++) {
      Vec3 p = body_vertex(body, row, column).position;
      load_facts_add_point(facts, p.x, p.y, p.z);
    }
  }
}
