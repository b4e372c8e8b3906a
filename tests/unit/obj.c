#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model_check.h"

#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
#define SQUARE TRIANGLE "v 1 1 0\n"

// Companion files by name; counts what is asked for.
typedef struct Library {
  Memory *memory;
  const char *name, *text;
  char asked[512];
} Library;

static bool read_library(void *user, const char *path, Bytes *bytes, Error *error) {
  Library *library = user;
  size_t length = strlen(library->asked);
  snprintf(library->asked + length, sizeof library->asked - length, "%s|", path);
  if (strcmp(path, library->name) != 0) return error_set(error, "%s: not found", path);
  *bytes = copy_bytes(library->memory, library->text, strlen(library->text));
  return bytes->data || error_set_out_of_memory(error);
}

static Memory memory;
static Library library;

static Model *load_obj_with(const char *text, const char *library_name, const char *library_text) {
  library = (Library){.memory = &memory, .name = library_name, .text = library_text};
  LoadRequest request = {.memory = &memory, .path = "folder/a.obj", .read = read_library, .read_user = &library};
  Error error = {0};
  Model *model = model_load(&request, copy_bytes(&memory, text, strlen(text)), &error);
  if (!model) fail_msg("%s", error.text);
  return model;
}

static Model *load_obj(const char *text) {
  return load_obj_with(text, "", "");
}

static void check_counts(const Model *model, int mesh_count, int vertex_count, int triangle_count) {
  int vertices = 0, indices = 0;
  assert_int_equal(model->mesh_count, mesh_count);
  for (int i = 0; i < mesh_count; i++) {
    vertices += model->meshes[i].vertex_count;
    indices += model->meshes[i].index_count;
  }
  assert_int_equal(vertices, vertex_count);
  assert_int_equal(indices, 3 * triangle_count);
}

static void check_normal(const ModelMesh *mesh, int index, float x, float y, float z) {
  const float *n = mesh->normals + 3 * (size_t)mesh->indices[index];
  if (fabsf(n[0] - x) + fabsf(n[1] - y) + fabsf(n[2] - z) > 2e-3f)
    fail_msg("normal %g %g %g, expected %g %g %g", (double)n[0], (double)n[1], (double)n[2], (double)x, (double)y,
             (double)z);
}

// ---- Geometry

static void test_simple_file(void **state) {
  (void)state;
  Model *model = load_obj(TRIANGLE "vt 0 0\nvt 1 0.25\nvn 0 0 5\nf 1/1/1 2/2/1 3/2/1\n");
  const ModelMesh *mesh = &model->meshes[0];
  check_counts(model, 1, 3, 1);
  assert_int_equal(model->warning_count, 0);
  assert_true(mesh->positions[3 * mesh->indices[1]] == 1);
  assert_true(mesh->uvs[2 * mesh->indices[1]] == 1 && mesh->uvs[2 * mesh->indices[1] + 1] == 0.75f);
  check_normal(mesh, 2, 0, 0, 1);
  assert_string_equal(model->nodes[0].name, "default");
  assert_string_equal(model->materials[model->submeshes[0].material].name, "default");
  assert_int_equal(model->source_vertices, 3);
  assert_int_equal(model->source_uvs, 2);
  check_freed(&memory, model);
}

static void test_indices(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int vertex_count, triangle_count;
  } CASES[] = {
      {TRIANGLE "f -3 -2 -1\n", 3, 1},
      // Back from here, not from the end.
      {TRIANGLE "f -3 -2 -1\nv 9 9 9\nf -4 -3 -2", 6, 2},
      // Ahead of the vertices, and both ways mixed.
      {"f 1 2 3\n" TRIANGLE, 3, 1},
      {"v 0 0 0\nv 1 0 0\nf 1 2 3\nf -2 -1 3\nv 0 1 0\n", 6, 2},
      {"vn 0 0 1\nf 1//1 2//1 3//1\n" TRIANGLE "f 1//2 2//2 3//2\nvn 0 1 0\n", 6, 2},
      {TRIANGLE "f 1/ 2// 3///\n", 3, 1},
      {TRIANGLE "fo 1 2 3\n", 3, 1},
      {TRIANGLE "  \tf\t1  2\t 3   # comment\n", 3, 1},
      {TRIANGLE "f +1 02 3.0\n", 3, 1},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    Model *model = load_obj(CASES[i].text);
    check_counts(model, 1, CASES[i].vertex_count, CASES[i].triangle_count);
    check_freed(&memory, model);
  }
}

static void test_dropped_faces(void **state) {
  (void)state;
  static const char *const FACES[][2] = {
      {"f 1 2 4", "line 5: vertex index 4 is out of range (1 to 3), face dropped"},
      {"f 0 1 2", "line 5: vertex index 0"},
      {"f 1 2 -4", "line 5: vertex index -4"},
      {"f 1 2 4294967297", "line 5: vertex index 4294967297"},
      {"f 1 2 99999999999999999999", "out of range"},
      {"f 1 2 x", "line 5: index \"x\" is not a number"},
      {"f 1 2", "line 5: a face of 2 corners"},
      {"f", "line 5: a face of 0 corners"},
      {"f 1 1 2", "line 5: a face of 2 corners"},
  };
  for (size_t i = 0; i < sizeof FACES / sizeof *FACES; i++) {
    char text[256];
    snprintf(text, sizeof text, "%sf 1 2 3\n%s\n", TRIANGLE, FACES[i][0]);
    Model *model = load_obj(text);
    check_counts(model, 1, 3, 1);
    if (!has_warning(model, FACES[i][1])) fail_msg("no warning \"%s\" but \"%s\"", FACES[i][1], model->warnings[0]);
    check_freed(&memory, model);
    snprintf(text, sizeof text, "%s\n%s\n", TRIANGLE, FACES[i][0]);
    check_refused("a.obj", text, strlen(text), "a.obj:5: none of 1 faces");
  }
}

static void test_dropped_parts(void **state) {
  (void)state;
  Model *model = load_obj(TRIANGLE "vt 0 0\nf 1/1/9 2/5/9 3/-2/9\n");
  check_counts(model, 1, 3, 1);
  assert_non_null(model->meshes[0].uvs);
  assert_true(has_warning(model, "texture coordinate index 5 is out of range"));
  assert_true(has_warning(model, "normal index 9 is out of range"));
  assert_true(has_warning(model, "1 more warnings of corners"));
  check_normal(&model->meshes[0], 0, 0, 0, 1);
  check_freed(&memory, model);
}

static void test_polygons(void **state) {
  (void)state;
  Model *model = load_obj(SQUARE "v 2 0 0\nv 2 1 0\nf 1 2 4 3\nf 2 5 6 4\nf 1 1 2 2 3 3\n");
  check_counts(model, 1, 11, 5);
  assert_true(has_warning(model, "line 9: repeated corner"));
  check_freed(&memory, model);
}

static void test_no_geometry(void **state) {
  (void)state;
  static const char *const TEXTS[] = {"", "# nothing\n", "v 0 0 0\n", TRIANGLE "l 1 2\np 1 2 3\n", "\\", "\\\n"};
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    Model *model = load_obj(TEXTS[i]);
    check_counts(model, 0, 0, 0);
    assert_true(has_warning(model, "no faces"));
    check_freed(&memory, model);
  }
}

static void test_numbers(void **state) {
  (void)state;
  Model *model = load_obj("v nan 1e999 0\nv 1abc 0 0\nv 1 x 0\nf 1 2 3\n");
  check_counts(model, 1, 3, 1);
  assert_true(has_warning(model, "line 1: \"nan\" is a non-finite number"));
  assert_true(has_warning(model, "line 2: \"1abc\" does not end"));
  assert_true(has_warning(model, "line 3: \"x\" is not a number"));
  assert_true(has_warning(model, "1 more warnings of numbers"));
  const float *p = model->meshes[0].positions;
  for (int i = 0; i < 3; i++)
    assert_true(p[i] == 0);
  check_freed(&memory, model);
  // Squares of these overflow a float.
  model = load_obj("v 1e38 0 0\nv 0 1e38 0\nv -1e38 0 0\nf 1 2 3\n");
  check_normal(&model->meshes[0], 0, 0, 0, 1);
  check_freed(&memory, model);
}

static void test_colors(void **state) {
  (void)state;
  Model *model = load_obj("v 0 0 0\nv 1 0 0 0.5 1 0\nv 0 1 0 1 2 -1 0.2\nf 1 2 3\n");
  const ModelMesh *mesh = &model->meshes[0];
  static const uint8_t COLORS[3][4] = {{255, 255, 255, 255}, {128, 255, 0, 255}, {255, 0, 51, 255}};
  for (int i = 0; i < 3; i++)
    assert_memory_equal(mesh->colors + 4 * mesh->indices[i], COLORS[i], 4);
  assert_true(model->materials[0].tracks_vertex_color);
  check_freed(&memory, model);
  // Four numbers are a position with a weight.
  model = load_obj("v 0 0 0 2\nv 1 0 0 2\nv 0 1 0 2\nf 1 2 3\n");
  assert_null(model->meshes[0].colors);
  assert_true(model->meshes[0].bounds.max.x == 1);
  check_freed(&memory, model);
}

// ---- Normals that the file lacks

#define ROOF "v 0 0 0\nv 0 0 1\nv 1 1 0\nv 1 1 1\nv 2 0 0\nv 2 0 1\n"
#define ROOF_FACES "f 1 2 4 3\nf 3 4 6 5\n"

static void test_normals(void **state) {
  (void)state;
  const float slope = 0.70710678f;
  Model *model = load_obj(ROOF ROOF_FACES);
  check_counts(model, 1, 8, 4);
  check_normal(&model->meshes[0], 0, -slope, slope, 0);
  check_normal(&model->meshes[0], 6, slope, slope, 0);
  check_freed(&memory, model);

  model = load_obj(ROOF "s 1\n" ROOF_FACES);
  check_counts(model, 1, 6, 4);
  const ModelMesh *mesh = &model->meshes[0];
  for (int i = 0; i < 12; i++) {
    const float *p = mesh->positions + 3 * (size_t)mesh->indices[i];
    float x = p[1] == 1 ? 0 : p[0] == 0 ? -slope : slope;
    check_normal(mesh, i, x, p[1] == 1 ? 1 : slope, 0);
  }
  check_freed(&memory, model);

  static const char *const FLAT[] = {ROOF "s 1\nf 1 2 4 3\ns 2\nf 3 4 6 5\n", ROOF "s 3\ns off\n" ROOF_FACES,
                                     ROOF "s 3\ns 0\n" ROOF_FACES, ROOF "s 1\nf 1 2 4 3\ns off\nf 3 4 6 5\n"};
  for (size_t i = 0; i < sizeof FLAT / sizeof *FLAT; i++) {
    model = load_obj(FLAT[i]);
    check_counts(model, 1, 8, 4);
    check_freed(&memory, model);
  }
}

// A cube in one smoothing group: the normals point along its diagonals, however its faces are cut into triangles.
static void test_normals_do_not_depend_on_the_cut(void **state) {
  (void)state;
  Model *model = load_obj(
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\ns 1\n"
      "f 4 3 2\nf 4 2 1\nf 5 6 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 1 5 8\nf 1 8 4\n");
  const ModelMesh *mesh = &model->meshes[0];
  check_counts(model, 1, 8, 12);
  for (int i = 0; i < mesh->index_count; i++) {
    const float *p = mesh->positions + 3 * (size_t)mesh->indices[i];
    const float diagonal = 0.57735027f;
    check_normal(mesh, i, p[0] > 0 ? diagonal : -diagonal, p[1] > 0 ? diagonal : -diagonal,
                 p[2] > 0 ? diagonal : -diagonal);
  }
  check_freed(&memory, model);
}

static void test_useless_normals(void **state) {
  (void)state;
  Model *model = load_obj(TRIANGLE "vn 0 0 0\nf 1//1 2//1 3//1\nf 3 3 1 2 2//1\n");
  check_normal(&model->meshes[0], 0, 0, 0, 1);
  check_freed(&memory, model);
  // No direction at all.
  model = load_obj("v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n");
  check_normal(&model->meshes[0], 0, 0, 1, 0);
  check_freed(&memory, model);
}

// ---- Objects and groups

static void check_node(const Model *model, int index, const char *name, int parent, int triangle_count) {
  const ModelNode *node = &model->nodes[index];
  assert_string_equal(node->name, name);
  assert_int_equal(node->parent, parent);
  assert_int_equal(node->mesh < 0 ? 0 : model->meshes[node->mesh].index_count / 3, triangle_count);
}

static void test_objects_and_groups(void **state) {
  (void)state;
  Model *model = load_obj(SQUARE
                          "f 1 2 3\n"
                          "o house\nf 1 2 3\ng wall left\nf 1 2 3\nf 1 2 4\ng roof\nf 1 2 3\n"
                          "o tree\ng\nf 1 2 3\ng wall left\nf 1 2 3\n"
                          "o house\ng wall left\nf 1 2 3\n"
                          "o spawn\no door\nf 1 2 3\ng goal\n");
  assert_int_equal(model->node_count, 10);
  check_node(model, 0, "default", -1, 1);
  check_node(model, 1, "house", -1, 1);
  check_node(model, 2, "wall left", 1, 3);
  check_node(model, 3, "roof", 1, 1);
  check_node(model, 4, "tree", -1, 1);
  check_node(model, 5, "wall left", 4, 1);
  check_node(model, 6, "spawn", -1, 0);
  // The group at hand goes on into the new object.
  check_node(model, 7, "door", -1, 0);
  check_node(model, 8, "wall left", 7, 1);
  check_node(model, 9, "goal", 7, 0);
  check_freed(&memory, model);
}

static void test_names_without_faces(void **state) {
  (void)state;
  Model *model = load_obj(TRIANGLE "g marker\ng start\nf 1 2 3\ng end\n");
  assert_int_equal(model->node_count, 3);
  check_node(model, 0, "marker", -1, 0);
  check_node(model, 1, "start", -1, 1);
  check_node(model, 2, "end", -1, 0);
  check_freed(&memory, model);
  model = load_obj("o caf\xe9 \xe9\n" TRIANGLE "f 1 2 3\n");
  check_node(model, 0, "caf\xc3\xa9 \xc3\xa9", -1, 1);
  check_freed(&memory, model);
}

static void test_too_many_groups(void **state) {
  (void)state;
  size_t size = 12 * (MODEL_MAX_NODES + 10), length = 0;
  char *text = malloc(size);
  for (int i = 0; i < MODEL_MAX_NODES + 2; i++)
    length += (size_t)snprintf(text + length, size - length, "g %d\n", i);
  check_refused("a.obj", text, length, "65536 objects and groups");
  free(text);
}

// ---- Materials

static const char MATERIALS[] =
    "Kd 1 0 0\n"
    "newmtl red paint \n\tKd 1 0.25 0\nKa 0.5\nKs 0.1 0.2 0.3\nKe 0 0 1\nNs 20\nd 0.5\nTr 0.1\nillum 2\n"
    "newmtl unused\nKd 0 1 0\nTr 0.25\n"
    "newmtl red paint\nKd 0 0 0\n"
    "newmtl bright\nillum 0\nKd spectral file.rfl\nd -halo 1\nNi 1.5\nbogus 1\n";

static void test_materials(void **state) {
  (void)state;
  Model *model = load_obj_with("mtllib a b.mtl\r\n" SQUARE
                               "usemtl red paint\r\nf 1 2 3\nusemtl bright\nf 1 2 4\n"
                               "usemtl red paint\t\nf 2 4 3\nusemtl missing\nf 1 4 3\n",
                               "a b.mtl", MATERIALS);
  assert_string_equal(library.asked, "a b.mtl|");
  const ModelMaterial *red = &model->materials[0];
  assert_int_equal(model->material_count, 4);
  assert_string_equal(red->name, "red paint");
  assert_true(red->diffuse.r == 1 && red->diffuse.g == 0.25f && red->diffuse.b == 0 && red->diffuse.a == 0.5f);
  assert_true(red->ambient.r == 0.5f && red->ambient.b == 0.5f && red->specular.b == 0.3f && red->emissive.b == 1);
  assert_true(red->shininess == 20 && red->blend == BLEND_ALPHA && !red->is_unlit);
  assert_true(model->materials[1].diffuse.a == 0.75f);
  assert_true(model->materials[2].is_unlit);
  assert_string_equal(model->materials[3].name, "missing");
  static const int MATERIAL_OF[3] = {0, 2, 3}, TRIANGLES_OF[3] = {2, 1, 1};
  assert_int_equal(model->submesh_count, 3);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(model->submeshes[i].material, MATERIAL_OF[i]);
    assert_int_equal(model->submeshes[i].index_count, 3 * TRIANGLES_OF[i]);
  }
  assert_true(has_warning(model, "a b.mtl:1: the statement Kd stands before any newmtl"));
  assert_true(has_warning(model, "spectral"));
  assert_true(has_warning(model, "bogus"));
  assert_true(has_warning(model, "\"missing\" is in no library"));
  check_freed(&memory, model);
}

static void test_library_names(void **state) {
  (void)state;
  static const struct {
    const char *line, *name, *asked;
    bool is_found;
  } CASES[] = {
      {"mtllib m.mtl", "m.mtl", "m.mtl|", true},
      {"mtllib sub\\m.mtl", "sub/m.mtl", "sub/m.mtl|", true},
      {"mtllib ./a/../m.mtl", "m.mtl", "m.mtl|", true},
      {"mtllib none.mtl m.mtl", "m.mtl", "none.mtl m.mtl|none.mtl|m.mtl|", true},
      {"mtllib none\\ x.mtl my\\ m.mtl", "my m.mtl", "none/ x.mtl my/ m.mtl|none x.mtl|my m.mtl|", true},
      {"mtllib m.mtl\nmtllib m.mtl", "m.mtl", "m.mtl|", true},
      {"mtllib x.mtl m.mtl m.mtl\nmtllib ./m.mtl", "m.mtl", "x.mtl m.mtl m.mtl|x.mtl|m.mtl|", true},
      {"mtllib ../../m.mtl", "m.mtl", "m.mtl|", true},
      {"mtllib C:\\art\\m.mtl", "m.mtl", "m.mtl|", true},
      {"mtllib /etc/passwd", "/etc/passwd", "passwd|", false},
      {"mtllib ..", "..", "", false},
      {"mtllib", "", "", false},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    char text[256];
    snprintf(text, sizeof text, "%s\n%susemtl m\nf 1 2 3\n", CASES[i].line, TRIANGLE);
    Model *model = load_obj_with(text, CASES[i].name, "newmtl m\nKd 0 0 0\n");
    assert_string_equal(library.asked, CASES[i].asked);
    assert_true((model->materials[0].diffuse.r == 0) == CASES[i].is_found);
    check_freed(&memory, model);
  }
}

static void test_maps(void **state) {
  (void)state;
  static const struct {
    const char *line, *image;
    float scale, offset;
    bool is_clamped;
  } CASES[] = {
      {"map_Kd a.png", "a.png", 1, 0, false},
      {"map_Kd my a.png", "my a.png", 1, 0, false},
      {"map_Kd \"my a.png\"", "my a.png", 1, 0, false},
      {"map_kd -o 0 -7 0 -s 1 10 1 -clamp on a.png", "a.png", 1, 0, true},
      {"map_Kd -texres 512 t\\foo.jpg", "t/foo.jpg", 1, 0, false},
      {"map_Kd n.png -bm 1", "n.png", 1, 0, false},
      {"map_Kd my n.png -s 2 2 -clamp off", "my n.png", 2, 0, false},
      {"map_Kd -s 10 a.png", "a.png", 10, 0, false},
      {"map_Kd -o 0.5 -s 10 20 2d.png", "2d.png", 10, 0.5f, false},
      {"map_Kd -blendu on -blendv off -boost 2 -cc on -imfchan r -type sphere -mm 0.1 0.3 -t 1 2 3 a.png", "a.png", 1,
       0, false},
      {"map_Kd C:\\art\\x.png", "x.png", 1, 0, false},
      {"map_Kd ../x.png", "x.png", 1, 0, false},
      {"map_Kd a.png\nmap_Ka b.png\nmap_Bump c.png", "a.png", 1, 0, false},
      {"map_Ka b.png", NULL, 1, 0, false},
      {"map_Kd", NULL, 1, 0, false},
      {"map_Kd -s 1 1 1", NULL, 1, 0, false},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    char text[256];
    snprintf(text, sizeof text, "newmtl m\r\n%s\r\n", CASES[i].line);
    Model *model = load_obj_with("mtllib m.mtl\n" TRIANGLE "usemtl m\nf 1 2 3\n", "m.mtl", text);
    const ModelTextureStage *stage = &model->materials[0].stages[0];
    const char *image = stage->image < 0 ? NULL : model->images[stage->image].name;
    if (!image != !CASES[i].image || (image && strcmp(image, CASES[i].image) != 0))
      fail_msg("%s: image %s", CASES[i].line, image ? image : "none");
    assert_true(stage->uv_x[0] == CASES[i].scale && stage->uv_offset[0] == CASES[i].offset);
    assert_int_equal(stage->wrap_u, CASES[i].is_clamped ? WRAP_CLAMP : WRAP_REPEAT);
    check_freed(&memory, model);
  }
}

// What a library names is meant to lie beside it.
static void test_maps_of_a_library_in_a_folder(void **state) {
  (void)state;
  static const struct {
    const char *line, *name, *path;
  } CASES[] = {
      {"map_Kd a.png", "a.png", "art/a.png"},           {"map_Kd tex/a.png", "tex/a.png", "art/tex/a.png"},
      {"map_Kd ../tex/a.png", "a.png", "tex/a.png"},    {"map_Kd ../../a.png", "a.png", "art/a.png"},
      {"map_Kd C:\\work\\a.png", "a.png", "art/a.png"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    char text[64];
    snprintf(text, sizeof text, "newmtl m\n%s\n", CASES[i].line);
    Model *model = load_obj_with("mtllib art/m.mtl\n" TRIANGLE "usemtl m\nf 1 2 3\n", "art/m.mtl", text);
    assert_string_equal(model->images[0].name, CASES[i].name);
    assert_string_equal(model_image_path(&model->images[0]), CASES[i].path);
    check_freed(&memory, model);
  }
}

// v grows upwards in the file and downwards here; the transform of the texture has to follow.
static void test_offset_of_a_map(void **state) {
  (void)state;
  Model *model = load_obj_with("mtllib m.mtl\n" TRIANGLE "vt 0 0.25\nusemtl m\nf 1/1 2/1 3/1\n", "m.mtl",
                               "newmtl m\nmap_Kd -s 1 4 -o 0 0.5 a.png\n");
  const ModelTextureStage *stage = &model->materials[0].stages[0];
  float v = model->meshes[0].uvs[1] * stage->uv_y[1] + stage->uv_offset[1];
  assert_true(v == 1 - (0.25f * 4 + 0.5f));
  check_freed(&memory, model);
}

static void test_opacity_maps(void **state) {
  (void)state;
  Model *model = load_obj_with("mtllib m.mtl\n" TRIANGLE "usemtl m\nf 1 2 3\n", "m.mtl",
                               "newmtl m\nmap_Kd a.png\nmap_d .\\a.png\nnewmtl n\nmap_d other.png\n");
  assert_int_equal(model->materials[0].blend, BLEND_ALPHA);
  assert_true(has_warning(model, "other.png"));
  assert_int_equal(model->image_count, 1);
  check_freed(&memory, model);
}

// ---- Hostile files

static void test_text_forms(void **state) {
  (void)state;
  static const char *const TEXTS[] = {
      "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r",
      "v 0 0 0\r\nv 1 \\\r\n0 0\r\nv 0 1 0\r\nf 1 \\\n 2 3",
      "\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 \\",
      "v 0 0 0\nv 1 0 0\n#\\\nv 0 1 0\nf 1 2 3",
  };
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    Model *model = load_obj(TEXTS[i]);
    check_counts(model, 1, 3, 1);
    check_freed(&memory, model);
  }
}

static void test_unknown_statements(void **state) {
  (void)state;
  Model *model = load_obj(TRIANGLE "f 1 2 3\ncurv 0 1\nvp 1\nbogus\nvw 1 2\nl 1 2\ncall a.obj\n\x01\x02\n");
  assert_true(has_warning(model, "line 5: statement \"curv\" is not supported"));
  assert_true(has_warning(model, "line 7: statement \"bogus\" is unknown"));
  assert_true(has_warning(model, "line 9: lines are not drawn"));
  assert_true(has_warning(model, "1 more warnings of statements"));
  check_freed(&memory, model);
}

// More different corners at one position than the loader looks through: all of them must still arrive.
static void test_crowded_position(void **state) {
  (void)state;
  enum { COUNT = 3000, LINE = 48 };
  char *text = malloc(LINE * (2 * COUNT + 4));
  size_t length = (size_t)sprintf(text, "%s", TRIANGLE);
  for (int i = 0; i < COUNT; i++)
    length += (size_t)sprintf(text + length, "vt %d 0\n", i);
  for (int i = 0; i < COUNT; i++)
    length += (size_t)sprintf(text + length, "f 1/%d 2/1 3/1\n", i + 1);
  Model *model = load_obj(text);
  const ModelMesh *mesh = &model->meshes[0];
  assert_int_equal(mesh->index_count, 3 * COUNT);
  for (int i = 0; i < COUNT; i++)
    assert_true(mesh->uvs[2 * mesh->indices[3 * i]] == (float)i);
  check_freed(&memory, model);
  free(text);
}

// Faces may use vertices twice, as bridges to holes do, but not any number of times; vertices that come later count, too.
static void test_corner_limit(void **state) {
  (void)state;
  enum { FEW = 70, MANY = 71 };
  for (int corners = FEW; corners <= MANY; corners++) {
    for (int is_ahead = 0; is_ahead < 2; is_ahead++) {
      char text[1024];
      size_t length = (size_t)sprintf(text, "%sf 1 2 3\nf", is_ahead ? "" : TRIANGLE);
      for (int i = 0; i < corners; i++)
        length += (size_t)sprintf(text + length, " %d", i % 2 == 1 && i == corners - 1 ? 3 : i % 2 + 1);
      sprintf(text + length, "\n%s", is_ahead ? TRIANGLE : "");
      Model *model = load_obj(text);
      assert_int_equal(model->meshes[0].index_count, 3 * (corners == FEW ? 1 + FEW - 2 : 1));
      assert_true(has_warning(model, "more than 70 corners with 3 vertices") == (corners == MANY));
      check_freed(&memory, model);
    }
  }
}

static void test_empty_vertices(void **state) {
  (void)state;
  static const char *const TEXTS[] = {"v\n" TRIANGLE "f 1 2 3\n", "v # none\nf 1 2 3\n" TRIANGLE};
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    Model *model = load_obj(TEXTS[i]);
    check_counts(model, 1, 3, 1);
    assert_true(has_warning(model, "a position of 0 numbers"));
    assert_true(model->meshes[0].bounds.max.x == 1);
    assert_int_equal(model->source_vertices, 3);
    check_freed(&memory, model);
  }
}

static void test_failing_allocations(void **state) {
  (void)state;
  static const char TEXT[] =
      "mtllib m.mtl\n" SQUARE
      "v 2 1 0 1 0 0\nvt 0 0\nvn 0 0 1\no a\ng b\nusemtl m\nf 1/1/1 2/1/1 3/1/1\ns 1\nf 1 2 4 3\n"
      "usemtl n\nf 1 2 5 4 3\ns off\nf 1 2 3\ng c\n";
  static const char AHEAD[] = "f 1 2 3\n" TRIANGLE;
  library = (Library){.memory = &memory, .name = "m.mtl", .text = "newmtl m\nmap_Kd a.png\nmap_d b.png\nbogus\n"};
  LoadRequest request = {.memory = &memory, .path = "a.obj", .read = read_library, .read_user = &library};
  check_failing_allocations(&request, AHEAD, sizeof AHEAD - 1);
  request.read = NULL;
  check_failing_allocations(&request, TEXT, sizeof TEXT - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_simple_file),
      cmocka_unit_test(test_indices),
      cmocka_unit_test(test_dropped_faces),
      cmocka_unit_test(test_dropped_parts),
      cmocka_unit_test(test_polygons),
      cmocka_unit_test(test_no_geometry),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_colors),
      cmocka_unit_test(test_normals),
      cmocka_unit_test(test_normals_do_not_depend_on_the_cut),
      cmocka_unit_test(test_useless_normals),
      cmocka_unit_test(test_objects_and_groups),
      cmocka_unit_test(test_names_without_faces),
      cmocka_unit_test(test_too_many_groups),
      cmocka_unit_test(test_materials),
      cmocka_unit_test(test_library_names),
      cmocka_unit_test(test_maps),
      cmocka_unit_test(test_maps_of_a_library_in_a_folder),
      cmocka_unit_test(test_offset_of_a_map),
      cmocka_unit_test(test_opacity_maps),
      cmocka_unit_test(test_text_forms),
      cmocka_unit_test(test_unknown_statements),
      cmocka_unit_test(test_crowded_position),
      cmocka_unit_test(test_corner_limit),
      cmocka_unit_test(test_empty_vertices),
      cmocka_unit_test(test_failing_allocations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
