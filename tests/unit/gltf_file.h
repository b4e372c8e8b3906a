#ifndef PALFREY_TESTS_GLTF_FILE_H
#define PALFREY_TESTS_GLTF_FILE_H
// glTF files composed in tests. Include cmocka first. Texts have single quotes for the double ones of JSON.
#include <math.h>
#include <stdarg.h>

#include "model_check.h"
#include "put.h"

#define START "{'asset':{'version':'2.0'},"

static const float SQUARE[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

// A .glb while it is made: numbers are appended, then the JSON goes in front.
typedef struct Glb {
  uint8_t bin[16384], file[32768];
  size_t bin_size, size;
  char views[4096],
      accessors[4096];  // as the JSON lists them, of the arrays that were added by glb_floats and the like
  int accessor_count;
} Glb;

static inline void add_floats(Glb *glb, const float *values, int count) {
  for (int i = 0; i < count; i++, glb->bin_size += 4)
    put_f32(glb->bin + glb->bin_size, values[i]);
}

static inline void add_shorts(Glb *glb, const int *values, int count) {
  for (int i = 0; i < count; i++, glb->bin_size += 2)
    put_u16(glb->bin + glb->bin_size, (uint32_t)values[i]);
}

static inline void add_bytes(Glb *glb, const int *values, int count) {
  for (int i = 0; i < count; i++)
    glb->bin[glb->bin_size++] = (uint8_t)values[i];
}

static inline void align(Glb *glb) {
  glb->bin_size = (glb->bin_size + 3) / 4 * 4;
}

// `json` has single quotes for double ones.
static inline void pack(Glb *glb, const char *json) {
  size_t length = strlen(json), padded = (length + 3) / 4 * 4;
  align(glb);
  glb->size = 12 + 8 + padded + 8 + glb->bin_size;
  assert_true(glb->size <= sizeof glb->file);
  memcpy(glb->file, "glTF", 4);
  put_u32(glb->file + 4, 2);
  put_u32(glb->file + 8, (uint32_t)glb->size);
  put_u32(glb->file + 12, (uint32_t)padded);
  memcpy(glb->file + 16, "JSON", 4);
  memset(glb->file + 20, ' ', padded);
  for (size_t i = 0; i < length; i++)
    glb->file[20 + i] = (uint8_t)(json[i] == '\'' ? '"' : json[i]);
  uint8_t *bin = glb->file + 20 + padded;
  put_u32(bin, (uint32_t)glb->bin_size);
  memcpy(bin + 4, "BIN\0", 4);
  memcpy(bin + 8, glb->bin, glb->bin_size);
}

static inline Model *load_packed(Memory *memory, Glb *glb, const char *json) {
  pack(glb, json);
  return check_loads(memory, "a.glb", glb->file, glb->size);
}

static inline void check_near(float found, float expected, const char *what) {
  if (!(fabsf(found - expected) <= 1e-5f * fmaxf(1, fabsf(expected))))
    fail_msg("%s: %g, expected %g", what, (double)found, (double)expected);
}

static inline const char *write_json(const char *format, ...) {
  static char text[8192];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

// ---- Arrays with an accessor and a view each

/// Adds the accessor of what was appended since `start`; returns its index.
static inline int glb_end_array(Glb *glb, size_t start, int component_type, const char *type, int count,
                                const char *more) {
  const char *comma = glb->accessor_count > 0 ? "," : "";
  size_t views = strlen(glb->views), accessors = strlen(glb->accessors);
  snprintf(glb->views + views, sizeof glb->views - views, "%s{'buffer':0,'byteOffset':%zu,'byteLength':%zu}", comma,
           start, glb->bin_size - start);
  snprintf(glb->accessors + accessors, sizeof glb->accessors - accessors,
           "%s{'bufferView':%d,'componentType':%d,'count':%d,'type':'%s'%s}", comma, glb->accessor_count,
           component_type, count, type, more);
  align(glb);
  return glb->accessor_count++;
}

static inline int glb_components(const char *type) {
  return strcmp(type, "SCALAR") == 0 ? 1 : strcmp(type, "MAT4") == 0 ? 16 : type[3] - '0';
}

static inline int glb_floats(Glb *glb, const char *type, const float *values, int count) {
  size_t start = glb->bin_size;
  add_floats(glb, values, count * glb_components(type));
  return glb_end_array(glb, start, 5126, type, count, "");
}

/// Unsigned or signed bytes, shorts or ints by the component type; `more` goes into the accessor: ",'normalized':true".
static inline int glb_integers(Glb *glb, int component_type, const char *type, const int *values, int count,
                               const char *more) {
  size_t start = glb->bin_size;
  int number_count = count * glb_components(type);
  if (component_type <= 5121) add_bytes(glb, values, number_count);
  if (component_type == 5122 || component_type == 5123) add_shorts(glb, values, number_count);
  for (int i = 0; component_type == 5125 && i < number_count; i++, glb->bin_size += 4)
    put_u32(glb->bin + glb->bin_size, (uint32_t)values[i]);
  return glb_end_array(glb, start, component_type, type, count, more);
}

/// Puts the arrays in front of the rest of the JSON, which begins behind the "{".
static inline void glb_pack(Glb *glb, const char *rest) {
  static char text[16384];
  snprintf(text, sizeof text, START "'buffers':[{'byteLength':%zu}],'bufferViews':[%s],'accessors':[%s],%s",
           glb->bin_size, glb->views, glb->accessors, rest);
  pack(glb, text);
}

static inline Model *glb_load(Memory *memory, Glb *glb, const char *rest) {
  glb_pack(glb, rest);
  return check_loads(memory, "a.glb", glb->file, glb->size);
}

static inline void glb_refused(Glb *glb, const char *rest, const char *word) {
  glb_pack(glb, rest);
  check_refused("a.glb", glb->file, glb->size, word);
}

static inline void check_text_refused(const char *json, const char *word) {
  char text[2048];
  size_t length = strlen(json);
  for (size_t i = 0; i <= length; i++)
    text[i] = json[i] == '\'' ? '"' : json[i];
  check_refused("a.gltf", text, length, word);
}

#endif
