#include "loaders/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "put.h"

// A model with one of everything. Each test breaks one thing of a fresh copy.
typedef struct Fixture {
  Memory memory;
  Model model;
  ModelMesh meshes[2];
  ModelSubmesh submeshes[2];
  ModelMorphTarget morph_targets[1];
  ModelMaterial materials[2];
  ModelImage images[1];
  ModelNode nodes[3];
  ModelSkin node_skins[1];
  ModelClip clips[2];
  ModelTrack tracks[1];
  ModelLight lights[1];
  ModelCamera cameras[1];
  ModelLod lods[1];
  float positions[9], normals[9], uvs[6], weights[12], morphs[9], times[2], values[6], tcb[10];
  uint16_t joints[12], corner_vertices[3];
  uint32_t indices[3];
  uint8_t frames[2 * (PACKED_FRAME_HEADER_SIZE + 12)];
  int skin_joints[2];
  Affine inverse_bind[2];
} Fixture;

static void fill_meshes(Fixture *f) {
  static const float POSITIONS[9] = {1, 2, 3, -4, 5, 6, 7, 8, -9};
  memcpy(f->positions, POSITIONS, sizeof POSITIONS);
  for (int i = 0; i < 3; i++)
    f->indices[i] = (uint32_t)i;
  for (int i = 0; i < 3; i++)
    f->weights[4 * i] = 1;
  f->meshes[0] = (ModelMesh){.name = "skinned",
                             .vertex_count = 3,
                             .positions = f->positions,
                             .normals = f->normals,
                             .uvs = f->uvs,
                             .joints = f->joints,
                             .weights = f->weights,
                             .indices = f->indices,
                             .index_count = 3,
                             .submesh_count = 1,
                             .morph_target_count = 1};
  f->morph_targets[0] = (ModelMorphTarget){"smile", f->morphs, f->morphs, 0};
  for (int i = 0; i < 2; i++) {
    uint8_t *frame = f->frames + i * (PACKED_FRAME_HEADER_SIZE + 12);
    for (int k = 0; k < 6; k++)
      put_f32(frame + 4 * k, 1);
    for (int k = 0; k < 12; k++)
      frame[PACKED_FRAME_HEADER_SIZE + k] = (uint8_t)(k + i);
  }
  f->meshes[1] = (ModelMesh){.name = "frames",
                             .vertex_count = 3,
                             .indices = f->indices,
                             .index_count = 3,
                             .first_submesh = 1,
                             .submesh_count = 1,
                             .frames = {f->frames, PACKED_FRAME_HEADER_SIZE + 12, 2, 3},
                             .corner_vertices = f->corner_vertices};
  f->submeshes[0] = (ModelSubmesh){0, 0, 3};
  f->submeshes[1] = (ModelSubmesh){-1, 0, 3};
}

static void fill_animation(Fixture *f) {
  f->skin_joints[0] = 1;
  f->skin_joints[1] = 2;
  f->inverse_bind[0] = f->inverse_bind[1] = AFFINE_IDENTITY;
  f->node_skins[0] = (ModelSkin){"skin", 2, f->skin_joints, f->inverse_bind, 1};
  f->times[1] = 1;
  f->tracks[0] = (ModelTrack){.target = 1,
                              .keys = {.property = TRACK_TRANSLATION,
                                       .interpolation = INTERPOLATE_TCB,
                                       .component_count = 3,
                                       .key_count = 2,
                                       .times = f->times,
                                       .values = f->values,
                                       .tcb = f->tcb}};
  f->clips[0] = (ModelClip){.name = "v", .kind = CLIP_VERTEX, .frame_count = 2, .end = 0.2f, .fps = 10};
  f->clips[1] = (ModelClip){.name = "n", .kind = CLIP_NODE, .track_count = 1, .end = 1, .fps = 30};
}

static void make_fixture(Fixture *f) {
  *f = (Fixture){0};
  fill_meshes(f);
  fill_animation(f);
  f->materials[0] = f->materials[1] = model_default_material();
  f->materials[0].stages[0].image = 0;
  f->images[0].name = "a.png";
  for (int i = 0; i < 3; i++)
    f->nodes[i] = model_default_node("node");
  f->nodes[0].mesh = 0;
  f->nodes[0].skin = 0;
  f->nodes[1].light = 0;
  f->nodes[2].parent = 1;
  f->nodes[2].camera = 0;
  f->cameras[0].target = 1;
  f->lods[0] = (ModelLod){0, 1, 1, 1};
  f->model = (Model){.arena = {.memory = &f->memory},
                     .format = "test",
                     .meshes = f->meshes,
                     .submeshes = f->submeshes,
                     .morph_targets = f->morph_targets,
                     .materials = f->materials,
                     .images = f->images,
                     .nodes = f->nodes,
                     .node_skins = f->node_skins,
                     .clips = f->clips,
                     .tracks = f->tracks,
                     .lights = f->lights,
                     .cameras = f->cameras,
                     .lods = f->lods,
                     .mesh_count = 2,
                     .submesh_count = 2,
                     .morph_target_count = 1,
                     .material_count = 2,
                     .image_count = 1,
                     .node_count = 3,
                     .node_skin_count = 1,
                     .clip_count = 2,
                     .track_count = 1,
                     .light_count = 1,
                     .camera_count = 1,
                     .lod_count = 1,
                     .active_camera = 0};
}

static void test_a_good_model(void **state) {
  (void)state;
  Fixture f;
  Error error = {0};
  make_fixture(&f);
  if (!model_validate(&f.model, "good", &error)) fail_msg("%s", error.text);
  assert_true(vec3_equals(f.meshes[0].bounds.min, vec3(-4, 2, -9)));
  assert_true(vec3_equals(f.meshes[0].bounds.max, vec3(7, 8, 6)));
  // Bytes 0 to 8, 1 to 9, 2 to 10 and one more in the second frame, times 1 plus 1.
  assert_true(vec3_equals(f.meshes[1].bounds.min, vec3(-11, 3, -10)));
  assert_true(vec3_equals(f.meshes[1].bounds.max, vec3(-2, 12, -1)));
  assert_int_equal(f.memory.live_bytes, 0);
  f.memory.fail_after = 1;
  assert_false(model_validate(&f.model, "good", &error));
  assert_string_equal(error.text, "out of memory");
}

static void check_refused_with(Fixture *f, const char *word) {
  Error error = {0};
  bool is_good = model_validate(&f->model, "broken", &error);
  if (is_good) fail_msg("accepted, expected an error about %s", word);
  if (strncmp(error.text, "broken: ", 8) != 0 || !strstr(error.text, word))
    fail_msg("the error is \"%s\", expected one about %s", error.text, word);
  assert_int_equal(f->memory.live_bytes, 0);
}

// REFUSE(change, word): the model with one change is refused with an error about the word.
#define REFUSE(change, word)      \
  do {                            \
    Fixture f;                    \
    make_fixture(&f);             \
    change;                       \
    check_refused_with(&f, word); \
  } while (0)

static void test_meshes(void **state) {
  (void)state;
  REFUSE(f.indices[2] = 3, "index 3");
  REFUSE(f.indices[0] = UINT32_MAX, "index");
  REFUSE(f.meshes[0].index_count = 2, "indices");
  REFUSE(f.meshes[0].index_count = -3, "indices");
  REFUSE(f.meshes[0].indices = NULL, "indices");
  REFUSE(f.meshes[0].vertex_count = -1, "vertices");
  REFUSE(f.meshes[0].vertex_count = MODEL_MAX_VERTICES + 1, "vertices");
  REFUSE(f.meshes[0].positions = NULL, "positions");
  REFUSE(f.meshes[1].positions = f.positions, "positions");
  REFUSE(f.meshes[0].weights = NULL, "weights");
  REFUSE(f.positions[4] = NAN, "position");
  REFUSE(f.normals[8] = -INFINITY, "normal");
  REFUSE(f.uvs[5] = NAN, "texture coordinate");
  REFUSE(f.weights[11] = NAN, "weight");
  REFUSE(f.meshes[0].submesh_count = 3, "submesh");
  REFUSE(f.meshes[0].first_submesh = INT32_MAX, "submesh");
  REFUSE(f.submeshes[0].material = 2, "material");
  REFUSE(f.submeshes[0].material = -2, "material");
  REFUSE(f.submeshes[0].index_count = 6, "triangles");
  REFUSE(f.submeshes[0].first_index = 1; f.submeshes[0].index_count = 0, "triangles");
  REFUSE(f.meshes[0].morph_target_count = 2, "morph");
  REFUSE(f.morphs[8] = NAN, "morph");
  const ModelTreeNode leaf = {.count = 1};
  const int32_t order[1] = {0};
  REFUSE((f.meshes[0].tree = (ModelTree){&leaf, NULL, 1, 1}), "collision tree");
  REFUSE((f.meshes[0].tree = (ModelTree){NULL, order, 1, 1}), "collision tree");
}

static void test_frames(void **state) {
  (void)state;
  REFUSE(f.corner_vertices[1] = 3, "corner");
  REFUSE(f.meshes[1].corner_vertices = NULL, "frames");
  REFUSE(f.meshes[1].frames.frame_count = MODEL_MAX_FRAMES + 1, "frames");
  REFUSE(f.meshes[1].frames.frame_count = -1, "frames");
  REFUSE((f.meshes[0] = f.meshes[1], f.meshes[0].first_submesh = 0, f.meshes[0].frames.frame_count = 1), "frames");
  REFUSE(f.meshes[1].frames.vertex_count = 0, "frames");
  REFUSE(f.meshes[1].frames.stride = PACKED_FRAME_HEADER_SIZE + 11, "frames");
  REFUSE(f.meshes[1].frames.bytes = NULL, "frames");
  REFUSE(put_f32(f.frames, INFINITY), "not finite");
  REFUSE(put_f32(f.frames + PACKED_FRAME_HEADER_SIZE + 12 + 16, NAN), "not finite");
  REFUSE(put_f32(f.frames + 4, 3e38f), "not finite");
  Fixture f;
  make_fixture(&f);
  f.frames[PACKED_FRAME_HEADER_SIZE + 3] = 162;
  assert_true(model_validate(&f.model, "normal", NULL));
  assert_int_equal(f.model.warning_count, 1);
  arena_free(&f.model.arena);
}

static void test_nodes_and_skins(void **state) {
  (void)state;
  REFUSE(f.nodes[0].parent = 0, "parent");
  REFUSE(f.nodes[1].parent = 2, "parent");
  REFUSE(f.nodes[1].parent = -2, "parent");
  REFUSE(f.nodes[0].mesh = 2, "mesh");
  REFUSE(f.nodes[0].skin = 1, "skin");
  REFUSE(f.nodes[1].light = 1, "light");
  REFUSE(f.nodes[2].camera = 1, "camera");
  REFUSE(f.nodes[2].translation.y = NAN, "not finite");
  REFUSE(f.nodes[2].rotation.w = NAN, "not finite");
  REFUSE(f.nodes[2].geometry.origin.x = INFINITY, "not finite");
  REFUSE(f.nodes[2].has_matrix = true; f.nodes[2].matrix.z.z = NAN, "not finite");
  REFUSE(f.joints[11] = 2, "joint");
  REFUSE(f.skin_joints[1] = 3, "joint");
  REFUSE(f.node_skins[0].joint_count = 0, "joints");
  REFUSE(f.node_skins[0].root = 3, "root");
  REFUSE(f.inverse_bind[1].x.y = NAN, "bind");
  REFUSE(f.node_skins[0].joints = NULL, "joints are missing");
  REFUSE(f.node_skins[0].inverse_bind = NULL, "joints are missing");
}

static void test_depth(void **state) {
  (void)state;
  static ModelNode nodes[MODEL_MAX_DEPTH + 1];
  for (int i = 0; i <= MODEL_MAX_DEPTH; i++) {
    nodes[i] = model_default_node("deep");
    nodes[i].parent = i - 1;
  }
  Fixture f;
  make_fixture(&f);
  f.model.nodes = nodes;
  f.model.node_count = MODEL_MAX_DEPTH;
  f.model.node_skin_count = f.model.track_count = 0;
  f.model.clip_count = 1;
  Error error;
  if (!model_validate(&f.model, "deep", &error)) fail_msg("%s", error.text);
  f.model.node_count++;
  check_refused_with(&f, "deeper");
}

static void test_animation(void **state) {
  (void)state;
  REFUSE(f.tracks[0].target = 3, "target");
  REFUSE(f.tracks[0].is_material = true, "material");
  REFUSE(f.tracks[0].keys.component_count = 4, "keys");
  REFUSE(f.tracks[0].keys.key_count = 0, "keys");
  REFUSE(f.tracks[0].keys.times = NULL, "keys");
  REFUSE(f.tracks[0].keys.values = NULL, "keys");
  REFUSE(f.tracks[0].keys.property = TRACK_MORPH_WEIGHTS, "keys");
  REFUSE(f.tracks[0].keys.tcb = NULL, "tension");
  REFUSE(f.tracks[0].keys.property = TRACK_PROPERTY_COUNT, "unknown");
  REFUSE(f.tracks[0].keys.interpolation = TRACK_INTERPOLATION_COUNT, "unknown");
  const float spins[8] = {[3] = NAN};
  REFUSE(f.tracks[0].keys.spins = spins, "not finite");
  REFUSE(f.times[0] = 2, "ascend");
  REFUSE(f.times[0] = NAN, "not finite");
  REFUSE(f.values[5] = NAN, "not finite");
  REFUSE(f.tcb[9] = NAN, "not finite");
  REFUSE(f.clips[0].frame_count = 3, "frames");
  REFUSE(f.clips[0].first_frame = -1, "frames");
  REFUSE(f.clips[0].fps = 0, "frames");
  REFUSE(f.clips[1].track_count = 2, "tracks");
  REFUSE(f.clips[1].end = -1, "times");
  REFUSE((f.clips[1].start = -3e38f, f.clips[1].end = 3e38f), "times");
  REFUSE(f.clips[1].fps = -1, "times");
  REFUSE(f.clips[1].name = NULL, "name");
}

static void test_the_rest(void **state) {
  (void)state;
  REFUSE(f.materials[0].stages[1].image = 1, "image");
  REFUSE(f.materials[1].diffuse.g = NAN, "not finite");
  REFUSE(f.materials[1].stages[0].uv_offset[1] = NAN, "not finite");
  REFUSE(f.images[0].name = NULL, "name");
  REFUSE(f.lights[0].attenuation[2] = NAN, "not finite");
  REFUSE(f.lights[0].target = 3, "target");
  REFUSE(f.cameras[0].target = 3, "target");
  REFUSE(f.cameras[0].projection[15] = NAN, "not finite");
  REFUSE(f.lods[0].replacement = 2, "level of detail");
  REFUSE(f.model.active_camera = 1, "camera");
  REFUSE(f.model.mesh_count = -1, "count");
  REFUSE(f.model.node_count = MODEL_MAX_NODES + 1, "nodes");
  REFUSE(f.model.fog.density = NAN, "not finite");
  const char *no_text[1] = {NULL};
  REFUSE((f.model.skins = no_text, f.model.skin_count = 1), "no name");
  REFUSE((f.model.warnings = no_text, f.model.warning_count = 1), "no text");
  const ModelCompanion no_path = {0};
  REFUSE(f.model.companions = &no_path, "no path");
}

static void test_warnings(void **state) {
  (void)state;
  Memory memory = {0};
  Model model = {.arena = {.memory = &memory}};
  for (int i = 0; i < 3; i++)
    model_warn(&model, "the same %d", 1);
  assert_int_equal(model.warning_count, 1);
  for (int i = 0; i < 2 * MODEL_MAX_WARNINGS; i++)
    model_warn(&model, "number %d", i);
  assert_int_equal(model.warning_count, MODEL_MAX_WARNINGS);
  assert_string_equal(model.warnings[1], "number 0");
  arena_free(&model.arena);
  model = (Model){.arena = {.memory = &memory}};
  memory.fail_after = 1;
  model_warn(&model, "nobody hears this");
  assert_int_equal(model.warning_count, 0);
  assert_int_equal(memory.live_bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_good_model),    cmocka_unit_test(test_meshes),   cmocka_unit_test(test_frames),
      cmocka_unit_test(test_nodes_and_skins), cmocka_unit_test(test_depth),    cmocka_unit_test(test_animation),
      cmocka_unit_test(test_the_rest),        cmocka_unit_test(test_warnings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
