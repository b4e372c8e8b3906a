// What hostile and large files may cost, whatever their format: at most eight bytes of memory for each of the file, beside
// what the model itself holds, and few allocations. Files that must be refused cost no more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "loaders/md2.h"
#include "model_check.h"
#include "put.h"

enum { LARGE = 1 << 19, TIMES_THE_FILE = 8, FREE = 1 << 19 };

// A file while it is made.
typedef struct Doc {
  uint8_t *bytes;
  size_t size, capacity;
} Doc;

static void reserve(Doc *doc, size_t more) {
  if (doc->size + more <= doc->capacity) return;
  doc->capacity = 2 * (doc->capacity + more);
  doc->bytes = realloc(doc->bytes, doc->capacity);
  assert_non_null(doc->bytes);
}

static void add_text(Doc *doc, const char *format, ...) PRINTF_LIKE(2, 3);

static void add_text(Doc *doc, const char *format, ...) {
  enum { LONGEST = 512 };
  reserve(doc, LONGEST);
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf((char *)doc->bytes + doc->size, LONGEST, format, arguments);
  va_end(arguments);
  assert_in_range(length, 0, LONGEST - 1);
  doc->size += (size_t)length;
}

static void add_u16(Doc *doc, uint32_t value) {
  reserve(doc, 2);
  put_u16(doc->bytes + doc->size, value);
  doc->size += 2;
}

static void add_u32(Doc *doc, uint32_t value) {
  add_u16(doc, value);
  add_u16(doc, value >> 16);
}

static void add_zeros(Doc *doc, size_t count) {
  reserve(doc, count);
  memset(doc->bytes + doc->size, 0, count);
  doc->size += count;
}

static bool read_library(void *user, const char *path, Bytes *bytes, Error *error) {
  static const char TEXT[] = "newmtl a\nKd 1 0 0\nmap_Kd a.png\nnewmtl b\n";
  if (!strstr(path, ".mtl")) return error_set(error, "%s: not found", path);
  *bytes = copy_bytes(user, TEXT, sizeof TEXT - 1);
  return bytes->data != NULL;
}

// Loads the file, whether it is good or not, and frees it.
static void check_cost(const char *path, Doc *doc, const char *what) {
  Memory memory = {0};
  Error error = {0};
  LoadRequest request = {.memory = &memory, .path = path, .read = read_library, .read_user = &memory};
  Model *model = model_load(&request, copy_bytes(&memory, doc->bytes, doc->size), &error);
  if (!model && (error.is_out_of_memory || strncmp(error.text, path, strlen(path)) != 0))
    fail_msg("%s: the error is \"%s\"", what, error.text);
  size_t limit = TIMES_THE_FILE * doc->size + (model ? model_resident_bytes(model) : 0) + FREE;
  if (memory.peak_bytes > limit)
    fail_msg("%s: %zu bytes of memory for %zu of the file, at most %zu are allowed", what, (size_t)memory.peak_bytes,
             doc->size, limit);
  if (memory.allocation_count > doc->size / 8 + 200)
    fail_msg("%s: %zu allocations for %zu bytes", what, (size_t)memory.allocation_count, doc->size);
  check_freed(&memory, model);
  free(doc->bytes);
  *doc = (Doc){0};
}

// ---- OBJ

#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n"

static void test_obj_lines(void **state) {
  (void)state;
  static const char *const LINES[] = {
      "f 1 2 3\n",
      "f -1 -2 -3\n",
      "f 1/1/1 2/1/1 3/1/1\n",
      "f 1 2 3 1 2 3 1 2 3\n",
      "f 9 9 9\n",
      "f 1 1 1\n",
      "f\n",
      "v 1 2 3\n",
      "v\n",
      "v 1 2 3 1 1 1\n",
      "vt 1\n",
      "vn 1 1 1\n",
      "s 1\nf 1 2 3\n",
      "l 1 2\n",
      "p 1\n",
      "x\n",
      "\\\n",
      "\n",
      "\r",
      "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n",
      "o a\ng b\nf 1 2 3\n",
      "g a\n",
      "mtllib a.mtl\n",
      "f 1 2 3\nv 1 2 3\nf 4 5 6\n",  // ahead: read twice
  };
  for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
    Doc doc = {0};
    add_text(&doc, TRIANGLE);
    while (doc.size < LARGE)
      add_text(&doc, "%s", LINES[i]);
    check_cost("a.obj", &doc, LINES[i]);
  }
}

// Every line has a number of its own.
static void test_obj_numbered_lines(void **state) {
  (void)state;
  static const char *const LINES[] = {
      "g %d\nf 1 2 3\n",       "g %d\n",      "o %d\nf 1 2 3\n",          "o a\ng %d\n",
      "usemtl %d\nf 1 2 3\n",  "mtllib %d\n", "mtllib %d.mtl\n",          "s %d\nf 1 2 3\n",
      "vt %d 0\nf 1/-1 2 3\n", "x%d\n",       "vn 0 %d 1\nf 1//-1 2 3\n", "v 0 %d 0\ns 7\nf 1 2 -1\n",
  };
  for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
    Doc doc = {0};
    add_text(&doc, TRIANGLE);
    for (int k = 0; doc.size < LARGE; k++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
      add_text(&doc, LINES[i], k);
#pragma GCC diagnostic pop
    }
    check_cost("a.obj", &doc, LINES[i]);
  }
}

static void test_obj_long_lines(void **state) {
  (void)state;
  static const char *const STARTS[] = {"f", "v", "g ", "usemtl ", "mtllib ", "#", "o ", "x", "f 1"};
  static const char *const PIECES[] = {" 1", " 1 2 3", " ", "1", "a", "\\\n", "/"};
  for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++) {
    for (size_t k = 0; k < sizeof PIECES / sizeof *PIECES; k++) {
      Doc doc = {0};
      add_text(&doc, TRIANGLE "%s", STARTS[i]);
      while (doc.size < LARGE)
        add_text(&doc, "%s", PIECES[k]);
      check_cost("a.obj", &doc, STARTS[i]);
    }
  }
}

// Two combs into each other: no ear is found quickly.
static void test_obj_polygons(void **state) {
  (void)state;
  enum { CORNERS = 20000 };
  Doc doc = {0};
  for (int i = 0; i < CORNERS; i++)
    add_text(&doc, "v %d %d 0\n", i, i % 2 == 0 ? 0 : i < CORNERS / 2 ? 100 : -100);
  add_text(&doc, "f");
  for (int i = 0; i < CORNERS; i++)
    add_text(&doc, " %d", i + 1);
  check_cost("a.obj", &doc, "a large polygon");
}

static void test_obj_utf16(void **state) {
  (void)state;
  Doc doc = {0};
  add_u16(&doc, 0xfeff);
  for (const char *c = TRIANGLE; *c; c++)
    add_u16(&doc, (uint32_t)*c);
  while (doc.size < LARGE) {
    for (const char *c = "g \xe9\nf 1 2 3\n"; *c; c++)
      add_u16(&doc, (uint8_t)*c);
    add_u16(&doc, 0x4e00);
  }
  check_cost("a.obj", &doc, "UTF-16");
}

// ---- MD2

static void set_field(Doc *doc, int field, size_t value) {
  put_u32(doc->bytes + 4 * field, (uint32_t)value);
}

// All lists lie over each other in a file of zeros, each as long as the file lets it be.
static void test_md2(void **state) {
  (void)state;
  enum { HEADER = 68, FRAME = 44, FIELDS = 17 };
  const size_t ROOM = LARGE - HEADER;
  for (int large = 0; large < 6; large++) {
    Doc doc = {0};
    add_zeros(&doc, LARGE);
    memcpy(doc.bytes, "IDP2", 4);
    const size_t fields[FIELDS] = {
        0,
        8,
        64,
        64,
        large == 0 ? (size_t)FRAME + 4 * 2000 : FRAME,
        large == 1 ? ROOM / 64 : 0,
        large == 0 ? 2001 : 1,
        large == 2 ? ROOM / 4 : 1,
        large == 3 ? ROOM / 12 : 1,
        large == 4 ? ROOM / 4 : 0,
        large == 5   ? 4096
        : large == 0 ? 60
                     : 1,
        HEADER,
        HEADER,
        HEADER,
        HEADER,
        HEADER,
        LARGE,
    };
    for (int i = 1; i < FIELDS; i++)
      set_field(&doc, i, fields[i]);
    check_cost("a.md2", &doc, "lists over each other");
  }
}

static void test_md2_promises(void **state) {
  (void)state;
  for (int field = 1; field < 17; field++) {
    static const uint32_t VALUES[] = {0x7fffffff, 0xffffffff, 0x80000000, 0x10000, 2048, 4096};
    for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++) {
      Doc doc = {0};
      const size_t fields[17] = {0, 8, 64, 64, 44, 0, 1, 1, 1, 0, 1, 68, 68, 68, 68, 68, 200};
      add_zeros(&doc, 200);
      memcpy(doc.bytes, "IDP2", 4);
      for (int k = 1; k < 17; k++)
        set_field(&doc, k, k == field ? VALUES[i] : fields[k]);
      check_cost("a.md2", &doc, "a promise");
    }
  }
}

// ---- 3DS

static size_t begin_chunk(Doc *doc, uint32_t id) {
  add_u16(doc, id);
  add_u32(doc, 0);
  return doc->size - 6;
}

static void end_chunk(Doc *doc, size_t start) {
  put_u32(doc->bytes + start + 2, (uint32_t)(doc->size - start));
}

// A mesh of three vertices; the faces' groups are different if asked for.
static void add_mesh(Doc *doc, uint32_t face_count, bool has_groups) {
  size_t object = begin_chunk(doc, 0x4000);
  add_text(doc, "m");
  add_zeros(doc, 1);
  size_t mesh = begin_chunk(doc, 0x4100), points = begin_chunk(doc, 0x4110);
  add_u16(doc, 3);
  add_zeros(doc, 36);
  end_chunk(doc, points);
  size_t faces = begin_chunk(doc, 0x4120);
  add_u16(doc, face_count);
  for (uint32_t i = 0; i < face_count; i++) {
    for (uint32_t k = 0; k < 4; k++)
      add_u16(doc, k % 3);
  }
  size_t groups = begin_chunk(doc, 0x4150);
  for (uint32_t i = 0; has_groups && i < face_count; i++)
    add_u32(doc, i * 2654435761u);
  end_chunk(doc, groups);
  end_chunk(doc, faces);
  end_chunk(doc, mesh);
  end_chunk(doc, object);
}

static void add_named_node(Doc *doc, uint32_t number) {
  size_t node = begin_chunk(doc, 0xb002), id = begin_chunk(doc, 0xb030);
  add_u16(doc, number);
  end_chunk(doc, id);
  size_t head = begin_chunk(doc, 0xb010);
  add_text(doc, "m");
  add_zeros(doc, 5);
  add_u16(doc, number % 200 == 0 ? 0xffff : number - 1);
  end_chunk(doc, head);
  size_t track = begin_chunk(doc, 0xb020);
  add_zeros(doc, 10);
  add_u32(doc, 2);
  add_zeros(doc, 2 * 18);
  end_chunk(doc, track);
  end_chunk(doc, node);
}

static void add_3ds_content(Doc *doc, int kind) {
  size_t start;
  switch (kind) {
    case 0:
      add_mesh(doc, 0xffff, true);
      break;
    case 1:
      while (doc->size < LARGE)
        add_mesh(doc, 1, false);
      break;
    case 2:
      for (int i = 0; doc->size < LARGE; i++) {
        start = begin_chunk(doc, 0xafff);
        size_t name = begin_chunk(doc, 0xa000);
        add_text(doc, "m%d", i);
        add_zeros(doc, 1);
        end_chunk(doc, name);
        end_chunk(doc, start);
      }
      break;
    case 3:
      while (doc->size < LARGE)
        begin_chunk(doc, 0x4000);
      break;
    case 4:
      start = begin_chunk(doc, 0xafff);
      for (int i = 0; doc->size < LARGE; i++) {
        size_t map = begin_chunk(doc, 0xa200), file = begin_chunk(doc, 0xa300);
        add_text(doc, "%d", i);
        add_zeros(doc, 1);
        end_chunk(doc, file);
        end_chunk(doc, map);
      }
      end_chunk(doc, start);
      break;
    default:
      while (doc->size < LARGE) {
        start = begin_chunk(doc, 0x4000);
        add_text(doc, "l");
        add_zeros(doc, 1);
        size_t light = begin_chunk(doc, 0x4600);
        add_zeros(doc, 12);
        end_chunk(doc, light);
        end_chunk(doc, start);
      }
  }
}

static void test_3ds(void **state) {
  (void)state;
  static const char *const NAMES[] = {"groups", "small meshes", "materials", "chunks in chunks", "maps", "lights"};
  for (int kind = 0; kind < 6; kind++) {
    Doc doc = {0};
    size_t main_chunk = begin_chunk(&doc, 0x4d4d), editor = begin_chunk(&doc, 0x3d3d);
    add_3ds_content(&doc, kind);
    end_chunk(&doc, editor);
    end_chunk(&doc, main_chunk);
    check_cost("a.3ds", &doc, NAMES[kind]);
  }
}

static void test_3ds_keyframer(void **state) {
  (void)state;
  Doc doc = {0};
  size_t main_chunk = begin_chunk(&doc, 0x4d4d), editor = begin_chunk(&doc, 0x3d3d);
  add_mesh(&doc, 1, false);
  end_chunk(&doc, editor);
  size_t keyframer = begin_chunk(&doc, 0xb000);
  for (uint32_t i = 0; doc.size < LARGE; i++)
    add_named_node(&doc, i);
  end_chunk(&doc, keyframer);
  end_chunk(&doc, main_chunk);
  check_cost("a.3ds", &doc, "nodes in nodes");
}

// ---- glTF

#define ASSET "{\"asset\":{\"version\":\"2.0\"}"

// A list of the same value, as often as it goes into the file, behind what it needs.
static void test_gltf_lists(void **state) {
  (void)state;
  static const char ACCESSOR[] =
      ",\"accessors\":[{\"count\":300,\"type\":\"VEC3\",\"componentType\":5126},"
      "{\"count\":300,\"type\":\"SCALAR\",\"componentType\":5126}],\"nodes\":[{}]";
  static const struct {
    const char *before, *value, *after;
  } LISTS[] = {
      {",\"nodes\":[", "{}", "]"},
      {",\"nodes\":[", "{\"mesh\":0}", "],\"meshes\":[{\"primitives\":[]}]"},
      {",\"meshes\":[", "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}", "]"},
      {",\"meshes\":[{\"primitives\":[", "{\"attributes\":{\"POSITION\":0}}", "]}]"},
      {",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[", "{\"POSITION\":0}", "]}]}]"},
      {",\"animations\":[{\"samplers\":[{\"input\":1,\"output\":0}],\"channels\":[",
       "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}", "]}]"},
      {",\"materials\":[", "{\"name\":\"m\"}", "]"},
      {",\"images\":[", "{\"uri\":\"a.png\"}", "]"},
      {",\"buffers\":[", "{\"byteLength\":3,\"uri\":\"data:;base64,AAAA\"}", "]"},
      {",\"skins\":[{\"joints\":[", "0", "]}]"},
      {",\"cameras\":[", "{\"type\":\"perspective\",\"perspective\":{\"yfov\":1,\"znear\":1}}", "]"},
      {",\"x\":[", "0", "]"},
      {",\"x\":[", "[", ""},
  };
  for (size_t i = 0; i < sizeof LISTS / sizeof *LISTS; i++) {
    Doc doc = {0};
    bool has_nodes = strstr(LISTS[i].before, "nodes") != NULL;
    add_text(&doc, ASSET "%s%s%s", has_nodes ? "" : ACCESSOR, LISTS[i].before, LISTS[i].value);
    while (doc.size < LARGE)
      add_text(&doc, ",%s", LISTS[i].value);
    add_text(&doc, "%s}", LISTS[i].after);
    check_cost("a.gltf", &doc, LISTS[i].value);
  }
}

static void test_gltf_base64(void **state) {
  (void)state;
  Doc doc = {0};
  add_text(&doc, ASSET ",\"buffers\":[{\"byteLength\":%d,\"uri\":\"data:;base64,", LARGE / 4 * 3);
  for (int i = 0; i < LARGE / 4; i++)
    add_text(&doc, "AAAA");
  add_text(
      &doc,
      "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d}],\"accessors\":[{\"bufferView\":0,\"count\":%d,"
      "\"type\":\"VEC3\",\"componentType\":5121}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]}",
      LARGE / 4 * 3, LARGE / 4);
  check_cost("a.gltf", &doc, "base64");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_obj_lines),      cmocka_unit_test(test_obj_numbered_lines),
      cmocka_unit_test(test_obj_long_lines), cmocka_unit_test(test_obj_polygons),
      cmocka_unit_test(test_obj_utf16),      cmocka_unit_test(test_md2),
      cmocka_unit_test(test_md2_promises),   cmocka_unit_test(test_3ds),
      cmocka_unit_test(test_3ds_keyframer),  cmocka_unit_test(test_gltf_lists),
      cmocka_unit_test(test_gltf_base64),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
