// Primitives of glTF files: modes, forms of numbers, what they share and what they lack.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "gltf_file.h"

static const float UP[12] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
static const float UVS[8] = {0, 0, 1, 0, 1, 1, 0, 1};

#define NODE "'nodes':[{'mesh':0}]}"

// A square with normals: arrays 0 and 1.
static void start_square(Glb *glb) {
  *glb = (Glb){0};
  assert_int_equal(glb_floats(glb, "VEC3", SQUARE, 4), 0);
  assert_int_equal(glb_floats(glb, "VEC3", UP, 4), 1);
}

static void check_indices(const ModelMesh *mesh, const uint32_t *expected, int count) {
  assert_int_equal(mesh->index_count, count);
  for (int i = 0; i < count; i++)
    assert_int_equal(mesh->indices[i], expected[i]);
}

// ---- Indices

static void test_indices_of_all_modes(void **state) {
  (void)state;
  static Glb glb;
  static const int TYPES[] = {5121, 5123, 5125}, RAW[] = {3, 2, 1, 0, 3};
  static const uint32_t EXPECTED[3][9] = {{3, 2, 1}, {3, 2, 1, 2, 0, 1, 1, 0, 3}, {2, 1, 3, 1, 0, 3, 0, 3, 3}};
  static const int COUNTS[] = {3, 9, 9};
  for (int type = 0; type < 3; type++) {
    for (int mode = 0; mode < 3; mode++) {
      Memory memory = {0};
      start_square(&glb);
      glb_integers(&glb, TYPES[type], "SCALAR", RAW, 5, "");
      Model *model = glb_load(&memory, &glb,
                              write_json("'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':1},"
                                         "'indices':2,'mode':%d}]}]," NODE,
                                         mode + 4));
      assert_int_equal(model->meshes[0].vertex_count, 4);
      check_indices(&model->meshes[0], EXPECTED[mode], COUNTS[mode]);
      check_freed(&memory, model);
    }
  }
}

static void test_indices_out_of_range(void **state) {
  (void)state;
  static Glb glb;
  for (int mode = 4; mode <= 6; mode++) {
    for (int is_flat = 0; is_flat < 2; is_flat++) {
      start_square(&glb);
      glb_integers(&glb, 5125, "SCALAR", (const int[]){0, 1, 4}, 3, "");
      glb_refused(&glb,
                  write_json("'meshes':[{'primitives':[{'attributes':{'POSITION':0%s},'indices':2,'mode':%d}]}]," NODE,
                             is_flat ? "" : ",'NORMAL':1", mode),
                  "meshes[0]: vertex index 4 is out of range, there are 4 vertices");
    }
  }
}

// ---- Sharing

static void test_primitives_that_share(void **state) {
  (void)state;
  static Glb glb;
  Memory memory = {0};
  start_square(&glb);
  glb_integers(&glb, 5123, "SCALAR", (const int[]){0, 1, 2}, 3, "");
  glb_integers(&glb, 5123, "SCALAR", (const int[]){0, 2, 3}, 3, "");
  Model *model = glb_load(&memory, &glb,
                          "'materials':[{},{}],'meshes':[{'primitives':["
                          "{'attributes':{'POSITION':0,'NORMAL':1},'indices':2,'material':0},"
                          "{'attributes':{'POSITION':0,'NORMAL':1},'indices':3,'material':1}]}]," NODE);
  const ModelMesh *mesh = &model->meshes[0];
  assert_int_equal(mesh->vertex_count, 4);
  assert_int_equal(mesh->submesh_count, 2);
  check_indices(mesh, (const uint32_t[]){0, 1, 2, 0, 2, 3}, 6);
  assert_int_equal(model->submeshes[1].material, 1);
  assert_int_equal(model->submeshes[1].first_index, 3);
  check_freed(&memory, model);
}

static void test_primitives_that_differ(void **state) {
  (void)state;
  static Glb glb;
  Memory memory = {0};
  start_square(&glb);
  int uvs = glb_floats(&glb, "VEC2", UVS, 4);
  int colors = glb_floats(&glb, "VEC3", (const float[]){1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0}, 4);
  Model *model = glb_load(&memory, &glb,
                          write_json("'meshes':[{'primitives':["
                                     "{'attributes':{'POSITION':0,'NORMAL':1,'TEXCOORD_0':%d},'mode':6},"
                                     "{'attributes':{'POSITION':0,'COLOR_0':%d},'mode':6}]}]," NODE,
                                     uvs, colors));
  const ModelMesh *mesh = &model->meshes[0];
  // The second has no normals: its six corners are its own.
  assert_int_equal(mesh->vertex_count, 4 + 6);
  check_indices(mesh, (const uint32_t[]){1, 2, 0, 2, 3, 0, 4, 5, 6, 7, 8, 9}, 12);
  assert_true(mesh->uvs[2] == 1 && mesh->uvs[2 * 4] == 0);
  assert_int_equal(mesh->colors[1], 255);          // white, as it has none
  assert_int_equal(mesh->colors[4 * 4 + 1], 0);    // red
  assert_int_equal(mesh->colors[4 * 8 + 0], 0);    // the last corner of the square, black
  assert_int_equal(mesh->colors[4 * 9 + 3], 255);  // three numbers a colour: opaque
  check_near(mesh->normals[3 * 9 + 2], 1, "flat normal");
  // Colours show without a material too, so one is made for them.
  assert_int_equal(model->submeshes[0].material, -1);
  assert_int_equal(model->submeshes[1].material, 0);
  assert_true(model->materials[0].tracks_vertex_color);
  check_freed(&memory, model);
}

static void test_points_beside_triangles(void **state) {
  (void)state;
  static Glb glb;
  Memory memory = {0};
  start_square(&glb);
  Model *model = glb_load(&memory, &glb,
                          "'meshes':[{},{'primitives':[{'attributes':{'POSITION':0},'mode':0},{'attributes':{}},"
                          "{'attributes':{'POSITION':0,'NORMAL':1},'mode':5}]}],'nodes':[{'mesh':0},{'mesh':1}]}");
  assert_int_equal(model->nodes[0].mesh, -1);
  assert_int_equal(model->meshes[1].submesh_count, 1);
  assert_int_equal(model->meshes[1].index_count, 6);
  assert_true(has_warning(model, "meshes[1]: points are not drawn"));
  assert_true(has_warning(model, "meshes[1]: a primitive without positions"));
  check_freed(&memory, model);
}

// ---- Forms of numbers

static void check_form_refused(int component_type, const char *type, const char *key, const char *word) {
  static Glb glb;
  static const int ZEROS[64];
  start_square(&glb);
  if (component_type == 5126)
    glb_floats(&glb, type, (const float[16]){0}, strcmp(type, "SCALAR") == 0 ? 4 : 1);
  else
    glb_integers(&glb, component_type, type, ZEROS, 4, "");
  bool is_position = strcmp(key, "POSITION") == 0;
  glb_refused(&glb,
              write_json("'meshes':[{'primitives':[{'attributes':{%s'%s':2}}]}]," NODE,
                         is_position ? "" : "'POSITION':0,", key),
              word);
}

static void test_forms_refused(void **state) {
  (void)state;
  check_form_refused(5125, "VEC3", "POSITION", "accessors[2]: POSITION cannot have \"componentType\" 5125");
  check_form_refused(5121, "VEC2", "POSITION", "POSITION of 2 numbers an element, 3 are expected");
  check_form_refused(5121, "VEC3", "NORMAL", "NORMAL cannot have");
  check_form_refused(5125, "VEC2", "TEXCOORD_0", "TEXCOORD_0 cannot have");
  check_form_refused(5120, "VEC4", "COLOR_0", "COLOR_0 cannot have");
  check_form_refused(5120, "VEC4", "JOINTS_0", "JOINTS_0 cannot have");
  check_form_refused(5126, "SCALAR", "WEIGHTS_0", "WEIGHTS_0 of 1 numbers");
  check_form_refused(5121, "VEC4", "JOINTS_0", "joints need weights");
  check_form_refused(5126, "VEC3", "NORMAL", "count of NORMAL is 1, there are 4 positions");
  static Glb glb;
  start_square(&glb);
  glb_integers(&glb, 5122, "SCALAR", (const int[]){0, 1, 2}, 3, "");
  glb_refused(&glb, "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':2}]}]," NODE,
              "indices cannot have \"componentType\" 5122");
}

static void test_numbers_that_are_none(void **state) {
  (void)state;
  static const char *const KEYS[] = {"POSITION", "NORMAL", "TEXCOORD_0", "COLOR_0"};
  static Glb glb;
  for (int i = 0; i < 4; i++) {
    start_square(&glb);
    const float numbers[16] = {0, 0, 0, 0, NAN};
    int array = glb_floats(&glb, i < 2 ? "VEC3" : i == 2 ? "VEC2" : "VEC4", numbers, 4);
    glb_refused(&glb,
                write_json("'meshes':[{'primitives':[{'attributes':{%s'%s':%d}}]}]," NODE, i > 0 ? "'POSITION':0," : "",
                           KEYS[i], array),
                "not finite");
  }
}

static void test_integers_not_marked(void **state) {
  (void)state;
  static Glb glb;
  Memory memory = {0};
  glb = (Glb){0};
  glb_integers(&glb, 5122, "VEC3", (const int[]){0, 0, 0, 5, 0, 0, 0, -5, 0}, 3, "");
  align(&glb);
  glb_integers(&glb, 5121, "VEC4", (const int[]){255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255}, 3, "");
  Model *model = glb_load(&memory, &glb, "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'COLOR_0':1}}]}]," NODE);
  check_near(model->meshes[0].positions[7], -5, "a short");
  assert_int_equal(model->meshes[0].colors[0], 255);
  assert_int_equal(model->meshes[0].colors[4], 0);
  assert_true(has_warning(model, "accessors[0]: POSITION are integers, but KHR_mesh_quantization is not declared"));
  assert_true(has_warning(model, "accessors[1]: COLOR_0 are integers that are not marked as normalized"));
  check_freed(&memory, model);
}

// Every byte of linear light as the display shows it (IEC 61966-2-1), and opacity as it is.
static void test_all_colors(void **state) {
  (void)state;
  static Glb glb;
  Memory memory = {0};
  int colors[256 * 4];
  float positions[256 * 3] = {0};
  for (int i = 0; i < 256; i++)
    colors[4 * i] = colors[4 * i + 1] = colors[4 * i + 2] = colors[4 * i + 3] = i;
  glb = (Glb){0};
  glb_floats(&glb, "VEC3", positions, 256);
  glb_integers(&glb, 5121, "VEC4", colors, 256, ",'normalized':true");
  Model *model = glb_load(
      &memory, &glb, "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':0,'COLOR_0':1},'mode':5}]}]," NODE);
  for (int i = 0; i < 256; i++) {
    double linear = i / 255.0;
    double shown = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
    assert_int_equal(model->meshes[0].colors[4 * i], (int)floor(255 * shown + 0.5));
    assert_int_equal(model->meshes[0].colors[4 * i + 3], i);
  }
  check_freed(&memory, model);
}

static void test_sets_of_coordinates(void **state) {
  (void)state;
  static Glb glb;
  Memory memory = {0};
  start_square(&glb);
  int first = glb_floats(&glb, "VEC2", UVS, 4);
  int second = glb_floats(&glb, "VEC2", (const float[]){9, 9, 8, 8, 7, 7, 6, 6}, 4);
  Model *model = glb_load(&memory, &glb,
                          write_json("'images':[{'uri':'a.png'}],'textures':[{'source':0}],'materials':["
                                     "{'pbrMetallicRoughness':{'baseColorTexture':{'index':0,'texCoord':1}}},"
                                     "{'pbrMetallicRoughness':{'baseColorTexture':{'index':0,'texCoord':2}}}],"
                                     "'meshes':[{'primitives':[{'material':0,'attributes':{'POSITION':0,'NORMAL':1,"
                                     "'TEXCOORD_0':%d,'TEXCOORD_1':%d}}]},{'primitives':[{'material':1,'attributes':"
                                     "{'POSITION':0,'NORMAL':1,'TEXCOORD_0':%d}}]}]," NODE,
                                     first, second, first));
  check_near(model->meshes[0].uvs[2], 8, "of the set that the picture uses");
  assert_null(model->meshes[1].uvs);
  assert_true(has_warning(model, "meshes[1]: it has no TEXCOORD_2"));
  check_freed(&memory, model);
}

// ---- Morph targets

static void test_targets_of_flat_and_shared(void **state) {
  (void)state;
  static Glb glb;
  Memory memory = {0};
  start_square(&glb);
  int deltas = glb_floats(&glb, "VEC3", (const float[]){0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4}, 4);
  const char *json = write_json(
      "'meshes':[{'primitives':["
      "{'attributes':{'POSITION':0,'NORMAL':1},'targets':[{'POSITION':%d,'NORMAL':%d}]},"
      "{'attributes':{'POSITION':0,'NORMAL':1},'targets':[{'POSITION':%d,'NORMAL':%d}]},"
      "{'attributes':{'POSITION':0},'mode':6,'targets':[{'POSITION':%d}]}]}]," NODE,
      deltas, deltas, deltas, deltas, deltas);
  Model *model = glb_load(&memory, &glb, json);
  const ModelMesh *mesh = &model->meshes[0];
  assert_int_equal(mesh->vertex_count, 4 + 6);
  assert_int_equal(mesh->morph_target_count, 1);
  const ModelMorphTarget *target = &model->morph_targets[0];
  assert_string_equal(target->name, "target0");
  check_near(target->positions[3 * 3 + 2], 4, "shared corner");
  check_near(target->normals[3 * 3 + 2], 4, "shared corner");
  check_near(target->positions[3 * (4 + 1) + 2], 3, "second corner of the fan's first triangle");
  check_near(target->normals[3 * (4 + 1) + 2], 0, "a flat face's normal stays");
  check_freed(&memory, model);
  start_square(&glb);
  deltas = glb_floats(&glb, "VEC3", SQUARE, 3);
  glb_refused(
      &glb,
      write_json("'meshes':[{'primitives':[{'attributes':{'POSITION':0},'targets':[{'POSITION':%d}]}]}]," NODE, deltas),
      "a morph target of 3 elements for 4 positions");
  start_square(&glb);
  glb_refused(&glb, "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'targets':[7]}]}]," NODE,
              "a morph target is not an object");
  start_square(&glb);
  glb_refused(&glb, "'meshes':[{'weights':[1],'primitives':[{'attributes':{'POSITION':0},'targets':[{},{}]}]}]," NODE,
              "\"weights\" is not 2 numbers");
}

// ---- Accessors

static void check_accessor_refused(const char *accessor, const char *word) {
  static char text[1024];
  snprintf(text, sizeof text,
           START
           "'buffers':[{'byteLength':36,'uri':'data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAACAPwAAgD8AAAAA'}],"
           "'bufferViews':[{'buffer':0,'byteLength':36},{'buffer':0,'byteLength':36,'byteStride':8},"
           "{'buffer':0,'byteOffset':30,'byteLength':12}],'accessors':[%s],"
           "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]," NODE,
           accessor);
  check_text_refused(text, word);
}

static void test_accessors_refused(void **state) {
  (void)state;
  check_accessor_refused("{'componentType':5126,'type':'VEC3'}", "accessors[0]: \"count\" is missing");
  check_accessor_refused("{'componentType':5124,'count':1,'type':'VEC3'}", "\"componentType\" 5124 is unknown");
  check_accessor_refused("{'componentType':5126,'count':1,'type':'MAT2'}", "\"type\" MAT2 is none that is used");
  check_accessor_refused("{'componentType':5126,'count':1.5,'type':'VEC3'}", "\"count\" is not a whole number");
  check_accessor_refused("{'bufferView':1,'componentType':5126,'count':1,'type':'VEC3'}",
                         "elements of 12 bytes do not fit a stride of 8");
  check_accessor_refused("{'bufferView':2,'componentType':5126,'count':1,'type':'VEC3'}",
                         "bufferViews[2]: bytes 30 to 42 are outside the buffer, which has 36");
  check_accessor_refused("{'bufferView':0,'byteOffset':28,'componentType':5126,'count':1,'type':'VEC3'}",
                         "count 1 needs 40 bytes, its view has 36");
  check_accessor_refused("{'bufferView':0,'byteOffset':1e12,'componentType':5126,'count':1,'type':'VEC3'}",
                         "accessors[0]: ");
  check_accessor_refused("{'componentType':5126,'count':3,'type':'VEC3','sparse':{'count':4}}", "whole number");
  check_accessor_refused("{'componentType':5126,'count':3,'type':'VEC3','sparse':{}}", "sparse \"count\" is missing");
  check_accessor_refused("{'componentType':5126,'count':3,'type':'VEC3','sparse':{'count':1}}",
                         "sparse \"indices\" are missing");
  check_accessor_refused("{'componentType':5126,'count':3,'type':'VEC3','sparse':{'count':1,'indices':{}}}",
                         "sparse \"values\" are missing");
  check_accessor_refused(
      "{'componentType':5126,'count':3,'type':'VEC3','sparse':{'count':1,'indices':{'componentType':5125},'values':{}}"
      "}",
      "sparse \"indices\" have no view");
  check_accessor_refused(
      "{'componentType':5126,'count':3,'type':'VEC3','sparse':{'count':2,'indices':"
      "{'bufferView':0,'componentType':5121},'values':{'bufferView':0}}}",
      "sparse index 0 is out of range or order");
  check_accessor_refused(
      "{'componentType':5126,'count':3,'type':'VEC3','sparse':{'count':1,'indices':"
      "{'bufferView':0,'componentType':5122},'values':{'bufferView':0}}}",
      "sparse indices are not unsigned");
  check_accessor_refused(
      "{'componentType':5126,'count':3,'type':'VEC3','sparse':{'count':1,'indices':"
      "{'bufferView':0,'componentType':5121},'values':{'bufferView':0,'byteOffset':32}}}",
      "count 1 needs 44 bytes");
}

// ---- Work out of proportion

// The start of a file with a buffer of that many vertices, the accessor of all of them and one of three elements.
static char *put_large_array(char *at, int vertices, int component_type, const char *type) {
  at += sprintf(at, "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%d,\"uri\":\"data:;base64,",
                vertices * 12);
  memset(at, 'A', (size_t)vertices * 16);
  at += vertices * 16;
  return at + sprintf(at,
                      "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d}],\"accessors\":[{\"bufferView\":0,"
                      "\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"},{\"bufferView\":0,\"componentType\":%d,"
                      "\"count\":3,\"type\":\"%s\"}],\"meshes\":[{\"primitives\":[",
                      vertices * 12, vertices, component_type, type);
}

// A large primitive without targets beside a tiny one with many: the targets span both.
static void test_targets_of_a_large_mesh(void **state) {
  (void)state;
  enum { TARGETS = 1000, VERTICES = 20000, SIZE = 1 << 20 };
  char *text = malloc(SIZE), *at = text;
  assert_non_null(text);
  at = put_large_array(at, VERTICES, 5126, "VEC3");
  at += sprintf(at, "{\"attributes\":{\"POSITION\":0}},{\"attributes\":{\"POSITION\":1},\"targets\":[{}");
  for (int i = 1; i < TARGETS; i++)
    at += sprintf(at, ",{}");
  at += sprintf(at, "]}]}],\"nodes\":[{\"mesh\":0}]}");
  Memory memory = {0};
  Error error = {0};
  Model *model = load_bytes(&memory, "a.gltf", text, (size_t)(at - text), &error);
  assert_null(model);
  assert_non_null(strstr(error.text, "the same data is used too often"));
  assert_true(memory.peak_bytes < 8 * (size_t)(at - text));
  free(text);
}

// Each of many primitives looks at all of a large array, of which it shows nothing: that must not take long.
static void test_much_work_for_few_bytes(void **state) {
  (void)state;
  enum { PRIMITIVES = 20000, VERTICES = 100000, SIZE = 1 << 22 };
  char *text = malloc(SIZE), *at = text;
  assert_non_null(text);
  at = put_large_array(at, VERTICES, 5121, "SCALAR");
  for (int i = 0; i < PRIMITIVES; i++)
    at += sprintf(at, "%s{\"attributes\":{\"POSITION\":0},\"indices\":1}", i ? "," : "");
  at += sprintf(at, "]}],\"nodes\":[{\"mesh\":0}]}");
  clock_t start = clock();
  check_refused("a.gltf", text, (size_t)(at - text), "the same data is used too often");
  assert_true(clock() - start < 3 * CLOCKS_PER_SEC);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_indices_of_all_modes),
      cmocka_unit_test(test_indices_out_of_range),
      cmocka_unit_test(test_primitives_that_share),
      cmocka_unit_test(test_primitives_that_differ),
      cmocka_unit_test(test_points_beside_triangles),
      cmocka_unit_test(test_forms_refused),
      cmocka_unit_test(test_numbers_that_are_none),
      cmocka_unit_test(test_integers_not_marked),
      cmocka_unit_test(test_all_colors),
      cmocka_unit_test(test_sets_of_coordinates),
      cmocka_unit_test(test_targets_of_flat_and_shared),
      cmocka_unit_test(test_accessors_refused),
      cmocka_unit_test(test_targets_of_a_large_mesh),
      cmocka_unit_test(test_much_work_for_few_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
