// Where the bytes of glTF files come from: chunks, files beside the model, base64.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gltf_file.h"

// ---- The binary container

static void fill_triangle(Glb *glb) {
  *glb = (Glb){0};
  glb_floats(glb, "VEC3", SQUARE, 3);
  glb_pack(glb, "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],'nodes':[{'mesh':0}]}");
}

static size_t bin_chunk(const Glb *glb) {
  return 20 + (size_t)(glb->file[12] | glb->file[13] << 8);
}

static void test_chunks(void **state) {
  (void)state;
  static Glb glb;
  Memory memory = {0};
  fill_triangle(&glb);
  // A chunk of a kind that nobody knows, and bytes behind the end.
  memcpy(glb.file + glb.size, "\4\0\0\0WHATabcd", 12);
  put_u32(glb.file + 8, (uint32_t)glb.size + 12);
  memcpy(glb.file + glb.size + 12, "behind", 6);
  Model *model = check_loads(&memory, "a.glb", glb.file, glb.size + 18);
  assert_int_equal(model->meshes[0].vertex_count, 3);
  assert_true(has_warning(model, "6 bytes after the end"));
  check_freed(&memory, model);
}

static void test_chunks_refused(void **state) {
  (void)state;
  static Glb glb;
  fill_triangle(&glb);
  put_u32(glb.file + 4, 1);
  check_refused("a.glb", glb.file, glb.size, "offset 0x4: version is 1, expected 2");
  fill_triangle(&glb);
  put_u32(glb.file + 8, (uint32_t)glb.size + 1);
  check_refused("a.glb", glb.file, glb.size, "offset 0x8: truncated: the length is");
  fill_triangle(&glb);
  put_u32(glb.file + 12, 0xfffffff0u);
  check_refused("a.glb", glb.file, glb.size, "offset 0xc: truncated: a chunk of 4294967280 bytes");
  fill_triangle(&glb);
  memcpy(glb.file + 16, "BIN", 4);
  check_refused("a.glb", glb.file, glb.size, "the first chunk is not JSON");
  fill_triangle(&glb);
  memcpy(glb.file + bin_chunk(&glb) + 4, "NONE", 4);
  check_refused("a.glb", glb.file, glb.size, "buffers[0]: it has no \"uri\", and there is no binary chunk");
  fill_triangle(&glb);
  put_u32(glb.file + bin_chunk(&glb), 32);
  check_refused("a.glb", glb.file, glb.size, "truncated: \"byteLength\" is 36, there are 32 bytes");
}

// ---- What it is

static void test_found_by_content(void **state) {
  (void)state;
  static const char PLAIN[] = " \n{ \"asset\": {\"version\": \"2.0\"}}",
                    MARKED[] = "\xef\xbb\xbf{\"asset\":{\"version\":\"2.0\"}}", OTHER[] = "{\"assets\":[]}";
  Memory memory = {0};
  Model *model = check_loads(&memory, "model", PLAIN, sizeof PLAIN - 1);
  assert_string_equal(model->format, "gltf");
  check_freed(&memory, model);
  model = check_loads(&memory, "model", MARKED, sizeof MARKED - 1);
  check_freed(&memory, model);
  check_refused("model", OTHER, sizeof OTHER - 1, "unknown model format");
  check_refused("model", "{", 1, "unknown model format");
  check_refused("model", " ", 1, "unknown model format");
}

// ---- Base64

static void check_data(const char *uri, const char *expected, size_t size) {
  char json[512];
  snprintf(json, sizeof json, "{\"asset\":{\"version\":\"2.0\"},\"images\":[{\"uri\":\"%s\"}]}", uri);
  Memory memory = {0};
  Model *model = check_loads(&memory, "a.gltf", json, strlen(json));
  assert_int_equal(model->images[0].embedded.size, size);
  assert_memory_equal(model->images[0].embedded.data, expected, size);
  check_freed(&memory, model);
}

static void check_data_refused(const char *uri, const char *word) {
  char json[512];
  snprintf(json, sizeof json, "{\"asset\":{\"version\":\"2.0\"},\"images\":[{\"uri\":\"%s\"}]}", uri);
  check_refused("a.gltf", json, strlen(json), word);
}

static void check_base64(const char *text, const char *expected, const char *word) {
  char uri[256];
  snprintf(uri, sizeof uri, "data:image/png;base64,%s", text);
  if (word)
    check_data_refused(uri, word);
  else
    check_data(uri, expected, strlen(expected));
}

// The examples of RFC 4648 and what is no base64.
static void test_base64(void **state) {
  (void)state;
  check_base64("", "", NULL);
  check_base64("Zg==", "f", NULL);
  check_base64("Zm8=", "fo", NULL);
  check_base64("Zm9v", "foo", NULL);
  check_base64("Zm9vYmFy", "foobar", NULL);
  check_base64("Zm9vYg", "foob", NULL);  // padding may be missing
  check_base64("+/9a", "\xfb\xff\x5a", NULL);
}

// The examples of RFC 2397 and around them.
static void test_other_data(void **state) {
  (void)state;
  check_data("DATA:image/png;BASE64,Zm9v", "foo", 3);
  check_data("data:,A%20brief%20note", "A brief note", 12);
  check_data("data:image/png,%00%ff%0g%", "\0\xff%0g%", 6);
  check_data("data:text/plain;charset=iso-8859-7,%be%fe%be", "\xbe\xfe\xbe", 3);
  check_data("data:,", "", 0);
}

static void test_base64_refused(void **state) {
  (void)state;
  check_base64("Z", NULL, "images[0]: its base64 is damaged after 0 letters");
  check_base64("Zm9vZm9vZm9vY", NULL, "damaged after 12 letters");
  check_base64("Zm9vZ-9v", NULL, "damaged after 4 letters");
  check_base64("Zg===", NULL, "damaged");
  check_base64("Zm 9v", NULL, "damaged");
  check_base64("Zm9\\u00e9", NULL, "damaged");
  check_data_refused("data:image/png;base64", "without a comma");
}

// ---- Files beside the model

typedef struct Folder {
  Memory *memory;
  const char *files[4];
  int reads[4];
} Folder;

static bool read_beside(void *user, const char *path, Bytes *bytes, Error *error) {
  Folder *folder = user;
  for (int i = 0; i < 4; i++) {
    if (!folder->files[i] || strcmp(path, folder->files[i]) != 0) continue;
    folder->reads[i]++;
    uint8_t square[36];
    for (int k = 0; k < 9; k++)
      put_f32(square + 4 * k, SQUARE[k]);
    *bytes = copy_bytes(folder->memory, square, sizeof square);
    return bytes->data || error_set_out_of_memory(error);
  }
  return error_set(error, "%s: not found", path);
}

static Model *load_beside(Folder *folder, const char *json, Error *error) {
  char text[2048];
  size_t length = strlen(json);
  for (size_t i = 0; i <= length; i++)
    text[i] = json[i] == '\'' ? '"' : json[i];
  LoadRequest request = {.memory = folder->memory, .path = "a.gltf", .read = read_beside, .read_user = folder};
  return model_load(&request, copy_bytes(folder->memory, text, length), error);
}

static Model *check_loads_beside(Folder *folder, const char *json) {
  Error error = {0};
  Model *model = load_beside(folder, json, &error);
  if (!model) fail_msg("%s", error.text);
  return model;
}

#define SHOWN                                                                                                 \
  "'bufferViews':[{'buffer':0,'byteLength':36}],'accessors':[{'bufferView':0,'componentType':5126,'count':3," \
  "'type':'VEC3'}],'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],'nodes':[{'mesh':0}]}"

static void test_names_of_files(void **state) {
  (void)state;
  // As written in the file, and the file that there is.
  static const char *const NAMES[][2] = {
      {"a%20b.bin", "a b.bin"},
      {"100%25.bin", "100%.bin"},
      {"100%.bin", "100%.bin"},
      {"a%20b.bin", "a%20b.bin"},
      {"a%zz.bin", "a%zz.bin"},
      {"x/./a.bin", "x/a.bin"},
      {"x%2fa.bin", "x/a.bin"},
      {"../../a.bin", "a.bin"},
      {"%2e%2e/a.bin", "a.bin"},
      {"a%00.bin", "a%00.bin"},
      {"caf%C3%A9.bin", "caf\xc3\xa9.bin"},
  };
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    Memory memory = {0};
    Folder folder = {.memory = &memory, .files = {NAMES[i][1]}};
    Model *model =
        check_loads_beside(&folder, write_json(START "'buffers':[{'byteLength':36,'uri':'%s'}]," SHOWN, NAMES[i][0]));
    assert_int_equal(folder.reads[0], 1);
    assert_int_equal(model->meshes[0].vertex_count, 3);
    check_freed(&memory, model);
  }
}

// Pictures are read later, by the name that the model gives.
static void test_names_of_pictures(void **state) {
  (void)state;
  Memory memory = {0};
  Folder folder = {.memory = &memory, .files = {"a b.png", "c%20d.png"}};
  Model *model = check_loads_beside(&folder, START
                                    "'images':[{'uri':'a%20b.png'},{'uri':'c%20d.png'},{'uri':'e.png'},"
                                    "{'uri':'f%20g.png'}]}");
  const char *expected[4] = {"a b.png", "c%20d.png", "e.png", "f g.png"};
  for (int i = 0; i < 4; i++)
    assert_string_equal(model->images[i].name, expected[i]);
  check_freed(&memory, model);
}

static void test_file_of_many_buffers(void **state) {
  (void)state;
  Memory memory = {0};
  Folder folder = {.memory = &memory, .files = {"a.bin", "b.bin"}};
  const char *json = START
      "'buffers':[{'byteLength':12,'uri':'a.bin'},{'byteLength':36,'uri':'./a.bin'},"
      "{'byteLength':36,'uri':'b.bin'}],'bufferViews':[{'buffer':1,'byteLength':36}],"
      "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3'}],"
      "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':0}}]}],'nodes':[{'mesh':0}]}";
  Model *model = check_loads_beside(&folder, json);
  assert_int_equal(folder.reads[0], 1);
  assert_int_equal(folder.reads[1], 1);
  assert_memory_equal(model->meshes[0].positions, SQUARE, 36);
  check_freed(&memory, model);
  // What the first takes less of the file is no limit for the second, and the other way round.
  Error error = {0};
  model = load_beside(&folder,
                      START
                      "'buffers':[{'byteLength':36,'uri':'a.bin'},{'byteLength':12,'uri':'a.bin'}],"
                      "'bufferViews':[{'buffer':1,'byteLength':36}],'accessors':[{'bufferView':0,'componentType':"
                      "5126,'count':3,'type':'VEC3'}],'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]}",
                      &error);
  assert_null(model);
  assert_non_null(strstr(error.text, "bufferViews[0]: bytes 0 to 36 are outside the buffer, which has 12"));
  assert_int_equal(memory.live_bytes, 0);
}

static void test_failing_memory(void **state) {
  (void)state;
  Memory memory = {0};
  Folder folder = {.memory = &memory, .files = {"a%20.bin", "b.png", "c%20.png"}};
  LoadRequest request = {.memory = &memory, .path = "a.gltf", .read = read_beside, .read_user = &folder};
  char text[2048];
  const char *json = START
      "'buffers':[{'byteLength':36,'uri':'a%20.bin'},{'byteLength':36,'uri':'a%20.bin'}],"
      "'images':[{'uri':'b.png'},{'uri':'c%20.png'}]," SHOWN;
  for (size_t i = 0; i <= strlen(json); i++)
    text[i] = json[i] == '\'' ? '"' : json[i];
  check_failing_allocations(&request, text, strlen(text));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chunks),
      cmocka_unit_test(test_chunks_refused),
      cmocka_unit_test(test_found_by_content),
      cmocka_unit_test(test_base64),
      cmocka_unit_test(test_other_data),
      cmocka_unit_test(test_base64_refused),
      cmocka_unit_test(test_names_of_files),
      cmocka_unit_test(test_names_of_pictures),
      cmocka_unit_test(test_file_of_many_buffers),
      cmocka_unit_test(test_failing_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
