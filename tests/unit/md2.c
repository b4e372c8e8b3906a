#include "loaders/md2.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bytes.h"
#include "model_check.h"
#include "put.h"

// A square of two triangles, wound clockwise seen from +X, whose corners 0 and 2 both triangles share. It has sections in
// the order skins, texture coordinates, triangles, frames, glcmds; tests change what they need.
enum {
  VERTEX_COUNT = 4,
  ST_COUNT = 5,
  TRIANGLE_COUNT = 2,
  MAX_FRAMES = 20,
  GLCMDS_WORDS = 1 + 3 * VERTEX_COUNT + 1,
  FRAME_SIZE = 40 + 4 * VERTEX_COUNT,
  SKINS = 68,
  STS = SKINS + 64,
  TRIANGLES = STS + 4 * ST_COUNT,
  FRAMES = TRIANGLES + 12 * TRIANGLE_COUNT,
  MAX_SIZE = FRAMES + FRAME_SIZE * MAX_FRAMES + 4 * GLCMDS_WORDS,
};

typedef struct File {
  uint8_t bytes[MAX_SIZE];
  size_t size;
} File;

enum {
  AT_SKIN_WIDTH = 8,
  AT_FRAME_SIZE = 16,
  AT_SKIN_COUNT = 20,
  AT_ST_COUNT = 28,
  AT_GLCMDS = 36,
  AT_FRAME_COUNT = 40,
  AT_SKINS = 44,
  AT_FRAMES = 56,
  AT_GLCMDS_OFFSET = 60
};

static void put_frames(uint8_t *frames, const char *const *names, int count) {
  static const uint8_t CORNERS[VERTEX_COUNT][2] = {{0, 0}, {255, 0}, {255, 255}, {0, 255}};
  for (int i = 0; i < count; i++, frames += FRAME_SIZE) {
    for (int k = 0; k < 3; k++) {
      put_f32(frames + 4 * k, 0.5f);
      put_f32(frames + 12 + 4 * k, (float)(i + k));
    }
    memcpy(frames + 24, names[i], strlen(names[i]) < 16 ? strlen(names[i]) : 16);
    for (int k = 0; k < VERTEX_COUNT; k++) {
      uint8_t *vertex = frames + 40 + 4 * k;
      vertex[0] = 7;
      vertex[1] = CORNERS[k][0];
      vertex[2] = CORNERS[k][1];
      vertex[3] = 52;
    }
  }
}

// A strip: its second triangle is turned by the rule of strips.
static void put_glcmds(uint8_t *words) {
  static const uint8_t ORDER[VERTEX_COUNT] = {3, 2, 0, 1};
  put_u32(words, VERTEX_COUNT);
  for (int i = 0; i < VERTEX_COUNT; i++)
    put_u32(words + 4 + 12 * i + 8, ORDER[i]);
}

static File make_file(const char *const *names, int frame_count) {
  File file = {.size = (size_t)(FRAMES + FRAME_SIZE * frame_count + 4 * GLCMDS_WORDS)};
  const uint32_t header[17] = {0x32504449,
                               8,
                               64,
                               32,
                               FRAME_SIZE,
                               1,
                               VERTEX_COUNT,
                               ST_COUNT,
                               TRIANGLE_COUNT,
                               GLCMDS_WORDS,
                               (uint32_t)frame_count,
                               SKINS,
                               STS,
                               TRIANGLES,
                               FRAMES,
                               (uint32_t)(FRAMES + FRAME_SIZE * frame_count),
                               (uint32_t)file.size};
  static const int16_t ST[ST_COUNT][2] = {{0, 0}, {63, 0}, {63, 31}, {0, 31}, {-10, 100}};
  static const uint16_t CORNERS[TRIANGLE_COUNT][6] = {{0, 2, 1, 0, 2, 1}, {0, 3, 2, 0, 3, 4}};
  for (int i = 0; i < 17; i++)
    put_u32(file.bytes + 4 * i, header[i]);
  memcpy(file.bytes + SKINS, "players/a/skin.pcx", 18);
  for (int i = 0; i < ST_COUNT; i++) {
    put_u16(file.bytes + STS + 4 * i, (uint16_t)ST[i][0]);
    put_u16(file.bytes + STS + 4 * i + 2, (uint16_t)ST[i][1]);
  }
  for (int i = 0; i < 6 * TRIANGLE_COUNT; i++)
    put_u16(file.bytes + TRIANGLES + 2 * i, CORNERS[i / 6][i % 6]);
  put_frames(file.bytes + FRAMES, names, frame_count);
  put_glcmds(file.bytes + FRAMES + FRAME_SIZE * frame_count);
  return file;
}

static File make_plain_file(void) {
  static const char *const NAMES[] = {"a1", "a2", "a3"};
  return make_file(NAMES, 3);
}

static Model *load_file(Memory *memory, const File *file) {
  return check_loads(memory, "square.md2", file->bytes, file->size);
}

static void test_whole_model(void **state) {
  (void)state;
  Memory memory = {0};
  File file = make_plain_file();
  Model *model = load_file(&memory, &file);
  const ModelMesh *mesh = &model->meshes[0];
  assert_int_equal(model->warning_count, 0);
  assert_int_equal(mesh->index_count, 6);
  // Vertex 2 has two texture coordinates, vertex 0 one.
  assert_int_equal(mesh->vertex_count, 5);
  assert_int_equal(mesh->frames.frame_count, 3);
  assert_int_equal(mesh->frames.vertex_count, 4);
  // Bytes times 0.5 plus 0 to 4, by the axis map: x' = -y, y' = z, z' = -x.
  assert_true(vec3_equals(mesh->bounds.min, vec3(-127.5f - 3, 2, -3.5f - 2)));
  assert_true(vec3_equals(mesh->bounds.max, vec3(-1, 127.5f + 4, -3.5f)));
  assert_int_equal(model->skin_count, 1);
  assert_string_equal(model->skins[0], "players/a/skin.pcx");
  assert_string_equal(model->images[model->materials[0].stages[0].image].name, "players/a/skin.pcx");
  assert_int_equal(model->source_vertices, 4);
  assert_int_equal(model->source_uvs, 5);
  assert_int_equal(model->source_skin_width, 64);
  assert_int_equal(model->source_glcmds_triangles, 2);
  assert_int_equal(model->node_count, 1);
  assert_int_equal(model->nodes[0].mesh, 0);
  check_freed(&memory, model);
}

static void test_corners(void **state) {
  (void)state;
  Memory memory = {0};
  File file = make_plain_file();
  Model *model = load_file(&memory, &file);
  const ModelMesh *mesh = &model->meshes[0];
  // The file's order clockwise is 0 2 1 and 0 3 2: ours is the other way round.
  static const uint16_t VERTICES[6] = {0, 1, 2, 0, 2, 3};
  static const float UVS[6][2] = {{0.5f / 64, 0.5f / 32}, {63.5f / 64, 0.5f / 32},   {63.5f / 64, 31.5f / 32},
                                  {0.5f / 64, 0.5f / 32}, {-9.5f / 64, 100.5f / 32}, {0.5f / 64, 31.5f / 32}};
  for (int i = 0; i < 6; i++) {
    uint32_t corner = mesh->indices[i];
    assert_int_equal(mesh->corner_vertices[corner], VERTICES[i]);
    assert_true(mesh->uvs[2 * corner] == UVS[i][0] && mesh->uvs[2 * corner + 1] == UVS[i][1]);
  }
  assert_int_equal(mesh->indices[0], mesh->indices[3]);
  check_freed(&memory, model);
}

static void test_clips(void **state) {
  (void)state;
  static const char *const NAMES[] = {"stand01", "stand02",         "pain101", "pain102", "pain201", "run1",
                                      "run_2",   "death_07",        "wave",    "x",       "x_",      "b12",
                                      "7",       "exactly16charsxx"};
  static const struct {
    const char *name;
    int first, count;
  } CLIPS[] = {{"stand", 0, 2}, {"pain1", 2, 2}, {"pain2", 4, 1}, {"run", 5, 2}, {"death", 7, 1},
               {"wave", 8, 1},  {"x", 9, 2},     {"b", 11, 1},    {"", 12, 1},   {"exactly16charsxx", 13, 1}};
  Memory memory = {0};
  File file = make_file(NAMES, 14);
  Model *model = load_file(&memory, &file);
  assert_int_equal(model->clip_count, sizeof CLIPS / sizeof *CLIPS);
  for (int i = 0; i < model->clip_count; i++) {
    const ModelClip *clip = &model->clips[i];
    assert_string_equal(clip->name, CLIPS[i].name);
    assert_int_equal(clip->kind, CLIP_VERTEX);
    assert_int_equal(clip->first_frame, CLIPS[i].first);
    assert_int_equal(clip->frame_count, CLIPS[i].count);
    assert_true(clip->fps == 10);
  }
  assert_true(has_warning(model, "frame names"));
  check_freed(&memory, model);
}

static void test_names_of_clips(void **state) {
  (void)state;
  static const char *const NAMES[][2] = {{"death101", "death1"},
                                         {"run001", "run"},
                                         {"run1", "run"},
                                         {"wave", "wave"},
                                         {"pain1_01", "pain1"},
                                         {"a1000", "a10"},
                                         {"a00102", "a1"},
                                         {"\"stand\"_01", "\"stand\""},
                                         {"_", ""}};
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    char frame_name[17] = "", clip_name[17];
    memcpy(frame_name, NAMES[i][0], strlen(NAMES[i][0]));
    md2_clip_name(frame_name, clip_name);
    assert_string_equal(clip_name, NAMES[i][1]);
  }
}

static void test_some_frames(void **state) {
  (void)state;
  static const char *const NAMES[] = {"a1", "a2", "b1", "b2", "c1", "a1"};
  static const int KEPT[] = {1, 4, 5};
  Memory memory = {0};
  Error error = {0};
  File file = make_file(NAMES, 6);
  LoadRequest request = {.memory = &memory, .path = "square.md2", .frames = KEPT, .frame_count = 3};
  Model *model = model_load(&request, copy_bytes(&memory, file.bytes, file.size), &error);
  assert_non_null(model);
  const VertexFrames *frames = &model->meshes[0].frames;
  assert_int_equal(frames->frame_count, 3);
  for (int i = 0; i < 3; i++)
    assert_memory_equal(frames->bytes + (size_t)i * frames->stride, file.bytes + FRAMES + KEPT[i] * FRAME_SIZE,
                        FRAME_SIZE);
  static const char *const CLIPS[] = {"a", "c", "a"};
  assert_int_equal(model->clip_count, 3);
  for (int i = 0; i < 3; i++) {
    assert_string_equal(model->clips[i].name, CLIPS[i]);
    assert_int_equal(model->clips[i].first_frame, i);
    assert_int_equal(model->clips[i].frame_count, 1);
  }
  check_freed(&memory, model);
}

static void test_frames_that_do_not_exist(void **state) {
  (void)state;
  static const int KEPT[2][2] = {{0, 3}, {1, 1}};
  static const char *const WORDS[2] = {"the model has 3 frames", "do not ascend"};
  File file = make_plain_file();
  for (int i = 0; i < 2; i++) {
    Memory memory = {0};
    Error error = {0};
    LoadRequest request = {.memory = &memory, .path = "square.md2", .frames = KEPT[i], .frame_count = 2};
    assert_null(model_load(&request, copy_bytes(&memory, file.bytes, file.size), &error));
    assert_non_null(strstr(error.text, WORDS[i]));
    assert_int_equal(memory.live_bytes, 0);
  }
}

static void test_skins(void **state) {
  (void)state;
  Memory memory = {0};
  File file = make_plain_file();
  // A name without an end, as the last bytes of the file.
  memset(file.bytes + file.size, 'A', 64);
  put_u32(file.bytes + AT_SKINS, (uint32_t)file.size);
  file.size += 64;
  put_u32(file.bytes + 64, (uint32_t)file.size);
  Model *model = load_file(&memory, &file);
  assert_int_equal(strlen(model->skins[0]), 64);
  check_freed(&memory, model);

  file = make_plain_file();
  put_u32(file.bytes + AT_SKIN_COUNT, 0);
  put_u32(file.bytes + AT_SKINS, STS);
  model = load_file(&memory, &file);
  assert_int_equal(model->skin_count, 0);
  assert_int_equal(model->materials[0].stages[0].image, -1);
  check_freed(&memory, model);

  file = make_plain_file();
  memcpy(file.bytes + SKINS, "D:\\art\\..\\b\\c.pcx", 18);
  model = load_file(&memory, &file);
  assert_string_equal(model->skins[0], "D:\\art\\..\\b\\c.pcx");
  assert_string_equal(model->images[0].name, "c.pcx");
  check_freed(&memory, model);
}

static void test_no_texture_coordinates(void **state) {
  (void)state;
  Memory memory = {0};
  File file = make_plain_file();
  put_u32(file.bytes + AT_ST_COUNT, 0);
  put_u32(file.bytes + AT_ST_COUNT + 20, 0x7fffffff);
  Model *model = load_file(&memory, &file);
  assert_null(model->meshes[0].uvs);
  assert_int_equal(model->meshes[0].vertex_count, 4);
  check_freed(&memory, model);

  file = make_plain_file();
  put_u32(file.bytes + AT_SKIN_WIDTH, 0);
  model = load_file(&memory, &file);
  assert_true(has_warning(model, "skin size"));
  for (int i = 0; i < 2 * model->meshes[0].vertex_count; i++)
    assert_true(isfinite(model->meshes[0].uvs[i]));
  check_freed(&memory, model);
}

static void test_repairs(void **state) {
  (void)state;
  Memory memory = {0};
  File file = make_plain_file();
  file.bytes[FRAMES + 43] = 255;
  Model *model = load_file(&memory, &file);
  assert_true(has_warning(model, "normal"));
  check_freed(&memory, model);

  file = make_plain_file();
  put_u32(file.bytes + FRAMES + 3 * FRAME_SIZE + 12, 1000);
  model = load_file(&memory, &file);
  assert_true(has_warning(model, "glcmds"));
  assert_int_equal(model->source_glcmds_triangles, 0);
  check_freed(&memory, model);

  // Frames farther apart than they are long, the last one without the gap.
  static const char *const NAMES[] = {"a1", "a2", "a3"};
  file = make_plain_file();
  memset(file.bytes + FRAMES, 0, 3 * FRAME_SIZE);
  put_frames(file.bytes + FRAMES, NAMES, 1);
  put_frames(file.bytes + FRAMES + FRAME_SIZE + 12, NAMES + 1, 1);
  put_u32(file.bytes + AT_FRAME_SIZE, FRAME_SIZE + 12);
  put_u32(file.bytes + AT_FRAME_COUNT, 2);
  put_u32(file.bytes + AT_GLCMDS, 0);
  model = load_file(&memory, &file);
  assert_true(has_warning(model, "framesize"));
  assert_int_equal(model->clip_count, 1);
  assert_int_equal(model->clips[0].frame_count, 2);
  check_freed(&memory, model);
}

// Sections on top of each other must not make what was checked wrong afterwards.
static void test_overlapping_sections(void **state) {
  (void)state;
  Memory memory = {0};
  for (int shift = 0; shift < 24; shift++) {
    File file = make_plain_file();
    memset(file.bytes + TRIANGLES, 0, 24);
    put_u32(file.bytes + AT_FRAMES, (uint32_t)(TRIANGLES + shift));
    put_u32(file.bytes + AT_FRAME_COUNT, 1);
    Model *model = load_file(&memory, &file);
    for (int i = 0; i < 6; i++)
      assert_true(model->meshes[0].indices[i] < (uint32_t)model->meshes[0].vertex_count);
    check_freed(&memory, model);
  }
}

static void test_refusals(void **state) {
  (void)state;
  static const struct {
    int at;
    uint32_t value;
    const char *word;
  } CASES[] = {{0, 0x33504449, "magic"},
               {4, 7, "version 7"},
               {16, 55, "frame size 55"},
               {24, 0, "no vertices"},
               {24, 70000, "count of vertices"},
               {32, 0, "no triangles"},
               {32, 357913942, "count of triangles"},
               {40, 0x80000000, "count of frames"},
               {40, 6, "truncated"},
               {48, 4, "outside"},
               {52, 0xffffffff, "outside"},
               {56, 0x7ffffff0, "outside"},
               {TRIANGLES, 4, "index 4 of a vertex"},
               {TRIANGLES + 8, 5, "index 5 of a texture coordinate"},
               {FRAMES, 0x7fc00000, "not finite"},
               {FRAMES + 12, 0x7f800000, "not finite"},
               {FRAMES, 0x7f7fffff, "not finite"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    File file = make_plain_file();
    put_u32(file.bytes + CASES[i].at, CASES[i].value);
    check_refused("square.md2", file.bytes, file.size, CASES[i].word);
  }
}

// Whatever is cut off, nothing is read past the end. (Sizes from the glcmds on are accepted.)
static void test_every_size(void **state) {
  (void)state;
  File file = make_plain_file();
  for (size_t size = 0; size < file.size; size++) {
    Memory memory = {0};
    Error error = {0};
    Model *model = load_bytes(&memory, "square.md2", file.bytes, size, &error);
    assert_int_equal(model != NULL, size >= FRAMES + 3 * FRAME_SIZE);
    assert_true(model || error.text[0]);
    check_freed(&memory, model);
  }
}

static void test_failing_allocations(void **state) {
  (void)state;
  static const int KEPT[] = {0, 2};
  Memory memory = {0};
  File file = make_plain_file();
  LoadRequest request = {.memory = &memory, .path = "square.md2"};
  check_failing_allocations(&request, file.bytes, file.size);
  request.frames = KEPT;
  request.frame_count = 2;
  check_failing_allocations(&request, file.bytes, file.size);
}

// ---- The command lists of real files

static bool read_corpus_file(Memory *memory, const char *name, Bytes *bytes) {
  char path[256];
  snprintf(path, sizeof path, "../shared/corpus/md2/%s", name);
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  fseek(file, 0, SEEK_END);
  bytes->size = (size_t)ftell(file);
  rewind(file);
  bytes->data = memory_alloc(memory, bytes->size);
  assert_int_equal(fread(bytes->data, 1, bytes->size, file), bytes->size);
  fclose(file);
  return true;
}

static void check_glcmds_count(const Bytes *file) {
  int count = read_i32(file->data + 32), vertex_count = read_i32(file->data + 24);
  int word_count = read_i32(file->data + 36);
  const uint8_t *words = file->data + read_i32(file->data + 60);
  const char *problem;
  assert_int_equal(md2_count_glcmds_triangles(words, word_count, vertex_count, &problem), count);
  assert_null(problem);
}

static void test_glcmds_are_as_many_as_the_triangles(void **state) {
  (void)state;
  File file = make_plain_file();
  check_glcmds_count(&(Bytes){file.bytes, file.size});
  static const char *const NAMES[] = {"sydney/sydney.md2", "faerie/faerie.md2", "crosshair/tris.md2",
                                      "ufoai/soldiers/malelight/head05.md2"};
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    Memory memory = {0};
    Bytes bytes = {0};
    if (!read_corpus_file(&memory, NAMES[i], &bytes)) skip();
    check_glcmds_count(&bytes);
    memory_free(&memory, bytes.data);
  }
}

static void test_hostile_glcmds(void **state) {
  (void)state;
  uint8_t words[4 * 8];
  const char *problem;
  static const struct {
    uint32_t first;
    int expected;
    const char *word;
  } CASES[] = {{0x80000000, -1, "past the end"},
               {0x7fffffff, -1, "past the end"},
               {3, -1, "past the end"},
               {2, 0, "lacks its end"},
               {0xfffffffe, 0, "lacks its end"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    memset(words, 0, sizeof words);
    put_u32(words, CASES[i].first);
    assert_int_equal(md2_count_glcmds_triangles(words, 7, 1, &problem), CASES[i].expected);
    assert_non_null(problem);
    assert_non_null(strstr(problem, CASES[i].word));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_whole_model),
      cmocka_unit_test(test_corners),
      cmocka_unit_test(test_clips),
      cmocka_unit_test(test_names_of_clips),
      cmocka_unit_test(test_some_frames),
      cmocka_unit_test(test_frames_that_do_not_exist),
      cmocka_unit_test(test_skins),
      cmocka_unit_test(test_no_texture_coordinates),
      cmocka_unit_test(test_repairs),
      cmocka_unit_test(test_overlapping_sections),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_every_size),
      cmocka_unit_test(test_failing_allocations),
      cmocka_unit_test(test_glcmds_are_as_many_as_the_triangles),
      cmocka_unit_test(test_hostile_glcmds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
