#include <stdio.h>

#include "load/body.h"
#include "load/maker.h"

enum { COLUMNS = 64, MOST_ROWS = 60, MATERIAL_COUNT = 6, TRIANGLE_ROWS = 8 };

static const char LIBRARY[] = "load.mtl";

// How many elements stand before a body.
typedef struct Totals {
  int positions, uvs;
} Totals;

static bool write_library(void) {
  FILE *file = fopen(LIBRARY, "w");
  if (!file) return false;
  for (int i = 0; i < MATERIAL_COUNT; i++)
    fprintf(file, "newmtl material_%d\nNs 96.078\nKa 0 0 0\nKd 0.%d 0.5 0.%d\nKs 0.5 0.5 0.5\nillum 2\n\n", i, i + 1,
            8 - i);
  return fclose(file) == 0;
}

static void write_vertices(FILE *file, const Body *body) {
  for (int row = 0; row <= body->rows; row++) {
    for (int column = 0; column < body->columns; column++) {
      Vec3 p = body_vertex(body, row, column).position;
      fprintf(file, "v %.6f %.6f %.6f\n", (double)p.x, (double)p.y, (double)p.z);
    }
  }
  for (int row = 0; row <= body->rows; row++) {
    for (int column = 0; column <= body->columns; column++) {
      BodyVertex vertex = body_vertex(body, row, column);
      fprintf(file, "vt %.6f %.6f\n", (double)vertex.u, (double)vertex.v);
    }
  }
  for (int row = 0; row <= body->rows; row++) {
    for (int column = 0; column < body->columns; column++) {
      Vec3 n = body_vertex(body, row, column).normal;
      fprintf(file, "vn %.6f %.6f %.6f\n", (double)n.x, (double)n.y, (double)n.z);
    }
  }
}

static void write_corner(FILE *file, const Body *body, const Totals *totals, const int corner[2]) {
  int position = totals->positions + corner[0] * body->columns + corner[1] % body->columns + 1;
  int uv = totals->uvs + corner[0] * (body->columns + 1) + corner[1] + 1;
  fprintf(file, " %d/%d/%d", position, uv, position);
}

static void write_face(FILE *file, const Body *body, const Totals *totals, int corners[4][2], const int *chosen,
                       int count) {
  fputc('f', file);
  for (int i = 0; i < count; i++)
    write_corner(file, body, totals, corners[chosen[i]]);
  fputc('\n', file);
}

static void write_faces(FILE *file, const Body *body, const Totals *totals) {
  static const int QUAD[4] = {0, 1, 2, 3}, FIRST[3] = {0, 1, 2}, SECOND[3] = {0, 2, 3};
  for (int row = 0; row < body->rows; row++) {
    int half = row >= body->rows / 2;
    if (row == 0 || row == body->rows / 2)
      fprintf(file, "g body_%d_%s\nusemtl material_%d\ns 1\n", body->index, half ? "top" : "bottom",
              (body->index + half) % MATERIAL_COUNT);
    for (int column = 0; column < body->columns; column++) {
      int corners[4][2];
      body_quad(row, column, corners);
      if (row % TRIANGLE_ROWS != 0) {
        write_face(file, body, totals, corners, QUAD, 4);
      } else {
        write_face(file, body, totals, corners, FIRST, 3);
        write_face(file, body, totals, corners, SECOND, 3);
      }
    }
  }
}

static void write_body(FILE *file, const Body *body, Totals *totals) {
  fprintf(file, "o body_%d\n", body->index);
  write_vertices(file, body);
  write_faces(file, body, totals);
  totals->positions += (body->rows + 1) * body->columns;
  totals->uvs += (body->rows + 1) * (body->columns + 1);
}

bool load_make_obj(const char *path, size_t size, LoadFacts *facts) {
  FILE *file = write_library() ? fopen(path, "wb") : NULL;
  if (!file) return false;
  fprintf(file, "# Made for the benchmark \"load\"\nmtllib %s\n", LIBRARY);
  load_facts_start(facts);
  Totals totals = {0};
  long left = (long)size, row_size = 10000;
  for (int index = 0; left > 3 * row_size; index++) {
    long rows = left / row_size - 1;
    Body body = {index, COLUMNS, (int)(rows < MOST_ROWS ? rows : MOST_ROWS)};
    write_body(file, &body, &totals);
    body_add_facts(&body, facts);
    long before = left;
    left = (long)size - ftell(file);
    row_size = (before - left) / (body.rows + 1);
  }
  return fclose(file) == 0;
}
