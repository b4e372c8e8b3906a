#include "load/body.h"
#include "load/little_endian.h"
#include "load/maker.h"

// The chunks are those of lib3ds's chunk table. Sizes are known before a chunk is written, as its head says them.
enum {
  MAIN = 0x4d4d,
  VERSION = 0x0002,
  EDIT = 0x3d3d,
  MATERIAL = 0xafff,
  MATERIAL_NAME = 0xa000,
  DIFFUSE = 0xa020,
  COLOR_24 = 0x0011,
  OBJECT = 0x4000,
  MESH = 0x4100,
  POINTS = 0x4110,
  FACES = 0x4120,
  FACE_MATERIAL = 0x4130,
  UVS = 0x4140,
  SMOOTHING = 0x4150,
};

enum { HEAD = 6, NAME_SIZE = 8, MATERIAL_COUNT = 4, COLUMNS = 64, MOST_ROWS = 90, SMOOTH_ROWS = 6 };

enum { MATERIAL_SIZE = HEAD + HEAD + NAME_SIZE + HEAD + HEAD + 3 };

typedef struct Sizes {
  uint32_t vertices, faces, points_size, uvs_size, material_size, faces_size, mesh_size, object_size;
} Sizes;

static Sizes measure(const Body *body) {
  Sizes s = {.vertices = (uint32_t)((body->rows + 1) * (body->columns + 1)),
             .faces = (uint32_t)(2 * body->rows * body->columns)};
  s.points_size = HEAD + 2 + 12 * s.vertices;
  s.uvs_size = HEAD + 2 + 8 * s.vertices;
  s.material_size = HEAD + NAME_SIZE + 2;  // and two bytes a face
  s.faces_size = HEAD + 2 + 8 * s.faces + MATERIAL_COUNT * s.material_size + 2 * s.faces + HEAD + 4 * s.faces;
  s.mesh_size = HEAD + s.points_size + s.uvs_size + s.faces_size;
  s.object_size = HEAD + NAME_SIZE + s.mesh_size;
  return s;
}

static void write_head(FILE *file, uint32_t id, uint32_t size) {
  write_u16(file, id);
  write_u32(file, size);
}

// A letter and six digits, as the 8 bytes that NAME_SIZE counts.
static void write_name(FILE *file, char letter, int number) {
  fprintf(file, "%c%06d", letter, number);
  putc(0, file);
}

static void write_materials(FILE *file) {
  for (int i = 0; i < MATERIAL_COUNT; i++) {
    write_head(file, MATERIAL, MATERIAL_SIZE);
    write_head(file, MATERIAL_NAME, HEAD + NAME_SIZE);
    write_name(file, 'm', i);
    write_head(file, DIFFUSE, HEAD + HEAD + 3);
    write_head(file, COLOR_24, HEAD + 3);
    fprintf(file, "%c%c%c", 100 + i, 120, 140 - i);
  }
}

static void write_points(FILE *file, const Body *body, const Sizes *s) {
  write_head(file, POINTS, s->points_size);
  write_u16(file, s->vertices);
  for (int row = 0; row <= body->rows; row++) {
    for (int column = 0; column <= body->columns; column++) {
      // The format's z is up.
      Vec3 p = body_vertex(body, row, column).position;
      write_f32(file, p.x);
      write_f32(file, -p.z);
      write_f32(file, p.y);
    }
  }
  write_head(file, UVS, s->uvs_size);
  write_u16(file, s->vertices);
  for (int row = 0; row <= body->rows; row++) {
    for (int column = 0; column <= body->columns; column++) {
      BodyVertex vertex = body_vertex(body, row, column);
      write_f32(file, vertex.u);
      write_f32(file, vertex.v);
    }
  }
}

static void write_quad(FILE *file, const Body *body, int row, int column) {
  enum { EDGES_SHOWN = 7 };
  static const int TRIANGLES[2][3] = {{0, 1, 2}, {0, 2, 3}};
  int corners[4][2];
  body_quad(row, column, corners);
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 3; k++) {
      const int *corner = corners[TRIANGLES[i][k]];
      write_u16(file, (uint32_t)(corner[0] * (body->columns + 1) + corner[1]));
    }
    write_u16(file, EDGES_SHOWN);
  }
}

// Each material gets every fourth face.
static void write_face_materials(FILE *file, const Sizes *s) {
  for (uint32_t i = 0; i < MATERIAL_COUNT; i++) {
    uint32_t count = (s->faces + MATERIAL_COUNT - 1 - i) / MATERIAL_COUNT;
    write_head(file, FACE_MATERIAL, s->material_size + 2 * count);
    write_name(file, 'm', (int)i);
    write_u16(file, count);
    for (uint32_t face = i; face < s->faces; face += MATERIAL_COUNT)
      write_u16(file, face);
  }
}

// Bands of rows; every second band shares a bit with the next one.
static void write_smoothing(FILE *file, const Body *body, const Sizes *s) {
  write_head(file, SMOOTHING, HEAD + 4 * s->faces);
  for (int row = 0; row < body->rows; row++) {
    int band = row / SMOOTH_ROWS;
    uint32_t groups = 1u << (band % 24) | (band % 2 == 0 ? 1u << ((band + 1) % 24) : 0);
    for (int i = 0; i < 2 * body->columns; i++)
      write_u32(file, groups);
  }
}

static void write_body(FILE *file, const Body *body) {
  Sizes s = measure(body);
  write_head(file, OBJECT, s.object_size);
  write_name(file, 'b', body->index);
  write_head(file, MESH, s.mesh_size);
  write_points(file, body, &s);
  write_head(file, FACES, s.faces_size);
  write_u16(file, s.faces);
  for (int row = 0; row < body->rows; row++) {
    for (int column = 0; column < body->columns; column++)
      write_quad(file, body, row, column);
  }
  write_face_materials(file, &s);
  write_smoothing(file, body, &s);
}

// The bodies that make a file of that size; the last ones may be smaller. Returns how many there are.
static int plan(size_t size, Body *bodies, int limit, uint32_t *objects_size) {
  int count = 0;
  *objects_size = 0;
  for (; count < limit && *objects_size < size; count++) {
    Body body = {count, COLUMNS, MOST_ROWS};
    while (body.rows > 1 && *objects_size + measure(&body).object_size > size)
      body.rows--;
    if (body.rows == 1) break;
    bodies[count] = body;
    *objects_size += measure(&body).object_size;
  }
  return count;
}

bool load_make_3ds(const char *path, size_t size, LoadFacts *facts) {
  enum { MOST_BODIES = 1000 };
  Body bodies[MOST_BODIES];
  uint32_t edit_size;
  int count = plan(size, bodies, MOST_BODIES, &edit_size);
  edit_size += HEAD + MATERIAL_COUNT * MATERIAL_SIZE;
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  load_facts_start(facts);
  write_head(file, MAIN, HEAD + HEAD + 4 + edit_size);
  write_head(file, VERSION, HEAD + 4);
  write_u32(file, 3);
  write_head(file, EDIT, edit_size);
  write_materials(file);
  LoadFacts standing;
  load_facts_start(&standing);
  for (int i = 0; i < count; i++) {
    write_body(file, &bodies[i]);
    body_add_facts(&bodies[i], &standing);
  }
  facts->triangle_count = standing.triangle_count;
  load_facts_add_point(facts, standing.min[0], -standing.min[2], standing.min[1]);
  load_facts_add_point(facts, standing.max[0], -standing.max[2], standing.max[1]);
  return fclose(file) == 0;
}
