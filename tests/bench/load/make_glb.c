#include <stdarg.h>
#include <stdlib.h>

#include "load/body.h"
#include "load/little_endian.h"
#include "load/maker.h"

// The layout is that of the glTF 2.0 specification (Khronos Group), sections 3.6 and 4.4.
enum {
  MAGIC = 0x46546c67,
  JSON_CHUNK = 0x4e4f534a,
  BINARY_CHUNK = 0x004e4942,
  FLOAT = 5126,
  UNSIGNED_SHORT = 5123,
  UNSIGNED_INT = 5125,
  ATTRIBUTES_SIZE = 32,  // position, normal, texture coordinates
  MATERIAL_COUNT = 3,
  COLUMNS = 96,
  SMALL_ROWS = 60,
  LARGE_ROWS = 900,
  MOST_BODIES = 200,
};

typedef struct Part {
  Body body;
  bool is_large;  // plain arrays with 32-bit indices
  size_t vertex_count, index_count, offset;
} Part;

static size_t attributes_size(const Part *part) {
  return part->vertex_count * ATTRIBUTES_SIZE;
}

static size_t part_size(const Part *part) {
  return attributes_size(part) + part->index_count * (part->is_large ? 4 : 2);
}

static Part make_part(int index, int rows, size_t offset) {
  Part part = {.body = {index, COLUMNS, rows}, .offset = offset};
  part.vertex_count = (size_t)(rows + 1) * (COLUMNS + 1);
  part.index_count = (size_t)rows * COLUMNS * 6;
  part.is_large = part.vertex_count > 65535;
  return part;
}

// Every fifth body is a large one, while there is room.
static int plan(size_t size, Part *parts) {
  size_t offset = 0;
  int count = 0;
  for (; count < MOST_BODIES; count++) {
    Part part = make_part(count, count % 5 == 1 ? LARGE_ROWS : SMALL_ROWS, offset);
    if (offset + part_size(&part) > size) part = make_part(count, SMALL_ROWS, offset);
    if (offset + part_size(&part) > size) break;
    parts[count] = part;
    offset += part_size(&part);
  }
  return count;
}

typedef struct Text {
  char *bytes;
  size_t length, capacity;
} Text;

static void add(Text *text, const char *format, ...) {
  if (text->capacity - text->length < 1024) {
    text->capacity = 2 * text->capacity + 4096;
    text->bytes = realloc(text->bytes, text->capacity);
    if (!text->bytes) abort();
  }
  va_list arguments;
  va_start(arguments, format);
  text->length += (size_t)vsnprintf(text->bytes + text->length, text->capacity - text->length, format, arguments);
  va_end(arguments);
}

static void add_views(Text *text, const Part *part, bool is_first) {
  const char *comma = is_first ? "" : ",";
  size_t n = part->vertex_count, offset = part->offset;
  if (part->is_large) {
    static const size_t SIZES[3] = {12, 12, 8};
    for (int i = 0; i < 3; i++) {
      add(text, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", i ? "," : comma, offset, n * SIZES[i]);
      offset += n * SIZES[i];
    }
  } else {
    for (int i = 0; i < 3; i++)
      add(text, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"byteStride\":%d}", i ? "," : comma, offset,
          attributes_size(part), ATTRIBUTES_SIZE);
    offset += attributes_size(part);
  }
  add(text, ",{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", offset, part_size(part) - attributes_size(part));
}

// Four accessors a part: position, normal, texture coordinates, indices, each with a view of its own.
static void add_accessors(Text *text, const Part *part, int first_view) {
  LoadFacts facts;
  load_facts_start(&facts);
  body_add_facts(&part->body, &facts);
  static const int OFFSETS[3] = {0, 12, 24};
  for (int i = 0; i < 3; i++) {
    add(text, "%s{\"bufferView\":%d,\"byteOffset\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"",
        first_view + i ? "," : "", first_view + i, part->is_large ? 0 : OFFSETS[i], FLOAT, part->vertex_count,
        i < 2 ? "VEC3" : "VEC2");
    if (i == 0)
      add(text, ",\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]", (double)facts.min[0], (double)facts.min[1],
          (double)facts.min[2], (double)facts.max[0], (double)facts.max[1], (double)facts.max[2]);
    add(text, "}");
  }
  add(text, ",{\"bufferView\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"SCALAR\"}", first_view + 3,
      part->is_large ? UNSIGNED_INT : UNSIGNED_SHORT, part->index_count);
}

static void add_json(Text *text, const Part *parts, int count, size_t binary_size) {
  add(text, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[");
  for (int i = 0; i < count; i++)
    add(text, "%s%d", i ? "," : "", i);
  add(text, "]}],\"nodes\":[");
  for (int i = 0; i < count; i++)
    add(text, "%s{\"name\":\"body %d\",\"mesh\":%d}", i ? "," : "", i, i);
  add(text, "],\"materials\":[");
  for (int i = 0; i < MATERIAL_COUNT; i++)
    add(text, "%s{\"name\":\"material %d\"}", i ? "," : "", i);
  add(text, "],\"meshes\":[");
  for (int i = 0; i < count; i++)
    add(text,
        "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d,\"TEXCOORD_0\":%d},\"indices\":%d,"
        "\"material\":%d}]}",
        i ? "," : "", 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3, i % MATERIAL_COUNT);
  add(text, "],\"accessors\":[");
  for (int i = 0; i < count; i++)
    add_accessors(text, &parts[i], 4 * i);
  add(text, "],\"bufferViews\":[");
  for (int i = 0; i < count; i++)
    add_views(text, &parts[i], i == 0);
  add(text, "],\"buffers\":[{\"byteLength\":%zu}]}", binary_size);
  while (text->length % 4 != 0)
    add(text, " ");
}

static void write_attribute(FILE *file, const BodyVertex *vertex, int attribute) {
  const Vec3 *p = attribute == 0 ? &vertex->position : &vertex->normal;
  if (attribute < 2) {
    write_f32(file, p->x);
    write_f32(file, p->y);
    write_f32(file, p->z);
  } else {
    write_f32(file, vertex->u);
    write_f32(file, vertex->v);
  }
}

static void write_attributes(FILE *file, const Part *part, int first, int last) {
  for (int row = 0; row <= part->body.rows; row++) {
    for (int column = 0; column <= part->body.columns; column++) {
      BodyVertex vertex = body_vertex(&part->body, row, column);
      for (int attribute = first; attribute <= last; attribute++)
        write_attribute(file, &vertex, attribute);
    }
  }
}

static void write_indices(FILE *file, const Part *part) {
  static const int TRIANGLES[6] = {0, 1, 2, 0, 2, 3};
  for (int i = 0; i < part->body.rows * part->body.columns; i++) {
    int corners[4][2];
    body_quad(i / part->body.columns, i % part->body.columns, corners);
    for (int k = 0; k < 6; k++) {
      const int *corner = corners[TRIANGLES[k]];
      uint32_t index = (uint32_t)(corner[0] * (part->body.columns + 1) + corner[1]);
      if (part->is_large)
        write_u32(file, index);
      else
        write_u16(file, index);
    }
  }
}

static void write_part(FILE *file, const Part *part) {
  if (part->is_large) {
    for (int attribute = 0; attribute < 3; attribute++)
      write_attributes(file, part, attribute, attribute);
  } else {
    write_attributes(file, part, 0, 2);
  }
  write_indices(file, part);
}

bool load_make_glb(const char *path, size_t size, LoadFacts *facts) {
  Part parts[MOST_BODIES];
  int count = plan(size, parts);
  FILE *file = fopen(path, "wb");
  if (!file || count == 0) return false;
  size_t binary_size = parts[count - 1].offset + part_size(&parts[count - 1]);
  Text json = {0};
  add_json(&json, parts, count, binary_size);
  write_u32(file, MAGIC);
  write_u32(file, 2);
  write_u32(file, (uint32_t)(12 + 8 + json.length + 8 + binary_size));
  write_u32(file, (uint32_t)json.length);
  write_u32(file, JSON_CHUNK);
  fwrite(json.bytes, 1, json.length, file);
  write_u32(file, (uint32_t)binary_size);
  write_u32(file, BINARY_CHUNK);
  load_facts_start(facts);
  for (int i = 0; i < count; i++) {
    write_part(file, &parts[i]);
    body_add_facts(&parts[i].body, facts);
  }
  free(json.bytes);
  return fclose(file) == 0;
}
