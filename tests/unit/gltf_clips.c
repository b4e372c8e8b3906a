// Skins and animations of glTF files.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gltf_file.h"

#define JOINT_NODES "'nodes':[{'mesh':0,'skin':0},{'children':[2]},{'translation':[0,1,0]}]}"

// A triangle whose corners hang on the given joints: arrays 0 to 2.
static void start_skinned(Glb *glb, const int joints[4], const float weights[4]) {
  *glb = (Glb){0};
  int all_joints[12];
  float all_weights[12];
  for (int i = 0; i < 12; i++) {
    all_joints[i] = joints[i % 4];
    all_weights[i] = weights[i % 4];
  }
  glb_floats(glb, "VEC3", SQUARE, 3);
  glb_integers(glb, 5121, "VEC4", all_joints, 3, "");
  glb_floats(glb, "VEC4", all_weights, 3);
}

// ---- Skins

static void test_eight_joints(void **state) {
  (void)state;
  static Glb glb;
  Memory memory = {0};
  start_skinned(&glb, (const int[]){0, 1, 2, 3}, (const float[]){0.1f, 0.2f, 0.3f, 0});
  const int more[12] = {4, 0, 0, 5, 4, 0, 0, 5, 4, 0, 0, 5};
  const float weights[12] = {0.25f, 0, 0, 0.15f, 0.25f, 0, 0, 0.15f, 0.25f, 0, 0, 0.15f};
  glb_integers(&glb, 5121, "VEC4", more, 3, "");
  glb_floats(&glb, "VEC4", weights, 3);
  Model *model = glb_load(&memory, &glb,
                          "'skins':[{'joints':[1,2,3,4,5,6]}],'meshes':[{'primitives':[{'attributes':{'POSITION':0,"
                          "'JOINTS_0':1,'WEIGHTS_0':2,'JOINTS_1':3,'WEIGHTS_1':4}}]}],"
                          "'nodes':[{'mesh':0,'skin':0},{},{},{},{},{},{}]}");
  // Those of 0.1 is left out, the others make 0.9.
  float by_joint[6] = {0};
  for (int i = 0; i < 4; i++)
    by_joint[model->meshes[0].joints[i]] += model->meshes[0].weights[i];
  const float expected[6] = {0, 0.2f / 0.9f, 0.3f / 0.9f, 0, 0.25f / 0.9f, 0.15f / 0.9f};
  for (int i = 0; i < 6; i++)
    check_near(by_joint[i], expected[i], "weight of a joint");
  assert_true(has_warning(model, "note: of more than 4 joints"));
  // Without matrices the joints are where the mesh is.
  check_near(model->node_skins[0].inverse_bind[5].x.x, 1, "identity");
  check_freed(&memory, model);
}

static void test_bytes_as_weights(void **state) {
  (void)state;
  static Glb glb;
  Memory memory = {0};
  glb = (Glb){0};
  glb_floats(&glb, "VEC3", SQUARE, 3);
  glb_integers(&glb, 5123, "VEC4", (const int[12]){1}, 3, "");
  glb_integers(&glb, 5121, "VEC4", (const int[]){127, 127, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0}, 3, ",'normalized':true");
  const float bind[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,
                          1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3, -1, 0, 1};
  int matrices = glb_floats(&glb, "MAT4", bind, 2);
  const char *format =
      "'skins':[{'name':'bones','joints':[1,2],'skeleton':1,'inverseBindMatrices':%d}],'meshes':["
      "{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2}}]}]," JOINT_NODES;
  Model *model = glb_load(&memory, &glb, write_json(format, matrices));
  check_near(model->meshes[0].weights[0], 0.5f, "127 of 254");
  check_near(model->meshes[0].weights[1], 0.5f, "127 of 254");
  assert_string_equal(model->node_skins[0].name, "bones");
  assert_int_equal(model->node_skins[0].root, 1);
  check_near(model->node_skins[0].inverse_bind[1].origin.x, 3, "a matrix by columns");
  check_freed(&memory, model);
  glb_refused(&glb, write_json(format, 0), "inverseBindMatrices of 3 numbers an element, 16 are expected");
  start_skinned(&glb, (const int[]){0, 0, 0, 0}, (const float[]){1, 0, 0, 0});
  glb_floats(&glb, "MAT4", bind, 1);
  glb_refused(&glb, write_json(format, 3), "count of 1 matrices for 2 joints");
}

static void test_skins_refused(void **state) {
  (void)state;
  static Glb glb;
#define SKINNED_MESH "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2}}]}],"
  start_skinned(&glb, (const int[]){200, 0, 0, 0}, (const float[]){1, 0, 0, 0});
  glb_refused(&glb, "'skins':[{'joints':[1,2]}]," SKINNED_MESH JOINT_NODES, "joint");
  glb_refused(&glb, "'skins':[{'joints':[]}]," SKINNED_MESH JOINT_NODES, "skins[0]: it has no joints");
  glb_refused(&glb, "'skins':[{'joints':[9]}]," SKINNED_MESH JOINT_NODES, "skins[0]: \"joints\" is index 9");
  glb_refused(&glb, "'skins':[{'joints':[1,2]}]," SKINNED_MESH "'scene':0,'scenes':[{'nodes':[0]}]," JOINT_NODES,
              "its joint, node 1, is in no scene that is loaded");
}

// One mesh shown with two skins, once with none; and a skin of a scene that is not shown.
static void test_one_mesh_many_skins(void **state) {
  (void)state;
  static Glb glb;
  Memory memory = {0};
  start_skinned(&glb, (const int[]){0, 0, 0, 0}, (const float[]){1, 0, 0, 0});
  Model *model = glb_load(&memory, &glb,
                          "'skins':[{'joints':[5]},{'joints':[3]},{'joints':[4]}]," SKINNED_MESH
                          "'scenes':[{'nodes':[0,1,2,3,4]},{'nodes':[5]}],"
                          "'nodes':[{'mesh':0,'skin':2},{'mesh':0,'skin':1},{'mesh':0},{},{},{'mesh':0,'skin':0}]}");
  assert_int_equal(model->node_skin_count, 2);
  assert_int_equal(model->node_skins[model->nodes[0].skin].joints[0], 4);
  assert_int_equal(model->node_skins[model->nodes[1].skin].joints[0], 3);
  assert_int_equal(model->nodes[2].skin, -1);
  check_freed(&memory, model);
}

// ---- Animations

static const float TURNS[8] = {0, 0, 0, 1, 0, 0, 0.6f, 0.8f};

static void test_names_and_rates(void **state) {
  (void)state;
  static Glb glb;
  Memory memory = {0};
  glb = (Glb){0};
  int even = glb_floats(&glb, "SCALAR", (const float[]){1.0f / 24, 5.0f / 24}, 2);
  int uneven = glb_floats(&glb, "SCALAR", (const float[]){0, 0.2345f}, 2);
  int turns = glb_floats(&glb, "VEC4", TURNS, 2);
  const char *format =
      "'nodes':[{}],'animations':["
      "{'name':'walk','samplers':[{'input':%d,'output':%d}],'channels':[{'sampler':0,'target':{'node':0,"
      "'path':'rotation'}}]},"
      "{'name':'walk','samplers':[{'input':%d,'output':%d}],'channels':[{'sampler':0,'target':{'node':0,"
      "'path':'rotation'}}]},"
      "{'samplers':[{'input':%d,'output':%d,'interpolation':'STEP'}],'channels':[{'sampler':0,'target':{'node':0,"
      "'path':'rotation'}},{'sampler':0,'target':{'path':'pointer'}}]},"
      "{'name':'empty','samplers':[],'channels':[]}]}";
  Model *model = glb_load(&memory, &glb, write_json(format, even, turns, uneven, turns, even, turns));
  assert_int_equal(model->clip_count, 3);
  assert_string_equal(model->clips[0].name, "walk");
  assert_string_equal(model->clips[1].name, "walk 2");
  assert_string_equal(model->clips[2].name, "clip3");
  check_near(model->clips[0].fps, 24, "rate");
  check_near(model->clips[1].fps, 30, "rate of keys on none");
  check_near(model->clips[0].start, 1.0f / 24, "start");
  check_near(model->clips[0].end, 5.0f / 24, "end");
  assert_int_equal(model->clips[0].kind, CLIP_NODE);
  assert_int_equal(model->tracks[2].keys.interpolation, INTERPOLATE_STEP);
  assert_true(has_warning(model, "animations[2]: a channel of pointer is not supported"));
  check_freed(&memory, model);
}

// One sampler for the turn of a node and the weights of four targets: only the turn is a quaternion.
static void test_sampler_of_two_kinds(void **state) {
  (void)state;
  static Glb glb;
  Memory memory = {0};
  glb = (Glb){0};
  glb_floats(&glb, "VEC3", SQUARE, 3);
  int times = glb_floats(&glb, "SCALAR", (const float[]){0, 1}, 2);
  int shorts =
      glb_integers(&glb, 5122, "VEC4", (const int[]){0, 0, 0, 16384, 0, 0, 0, -32767}, 2, ",'normalized':true");
  int halves = glb_floats(&glb, "SCALAR", (const float[]){0.5f, 0.5f, 0.5f, 0.5f, 0.25f, 0.25f, 0.25f, 0.25f}, 8);
  const char *format =
      "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'targets':[{},{},{},{}]}]}],'nodes':[{'mesh':0}],"
      "'animations':[{'samplers':[{'input':%d,'output':%d},{'input':%d,'output':%d}],'channels':["
      "{'sampler':0,'target':{'node':0,'path':'rotation'}},{'sampler':1,'target':{'node':0,'path':'%s'}}]}]}";
  Model *model = glb_load(&memory, &glb, write_json(format, times, shorts, times, halves, "weights"));
  check_near(model->tracks[0].keys.values[3], 1, "half a turn's worth of a short, of unit length");
  check_near(model->tracks[0].keys.values[7], 1, "the sign turned for the shorter way");
  check_near(model->tracks[1].keys.values[4], 0.25f, "a weight");
  assert_int_equal(model->tracks[1].keys.component_count, 4);
  check_freed(&memory, model);
  glb_refused(&glb, write_json(format, times, halves, times, halves, "weights"), "rotation of 1 numbers an element");
  int turn = glb_floats(&glb, "VEC4", TURNS, 1);
  glb_refused(&glb, write_json(format, times, turn, times, halves, "weights"),
              "rotation of 2 numbers where 4 are expected");
  glb_refused(&glb, write_json(format, times, shorts, times, shorts, "translation"), "translation of 4 numbers");
}

static void check_animation_refused(const float times[2], int value_count, const char *animation, const char *word) {
  static Glb glb;
  glb = (Glb){0};
  glb_floats(&glb, "SCALAR", times, 2);
  glb_floats(&glb, "VEC3", SQUARE, value_count);
  glb_refused(&glb, write_json("'nodes':[{}],'animations':[%s]}", animation), word);
}

static void test_animations_refused(void **state) {
  (void)state;
#define MOVE "'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}]}"
  const float rising[2] = {0, 1}, falling[2] = {1, 0}, endless[2] = {0, INFINITY};
  check_animation_refused(falling, 2, "{'samplers':[{'input':0,'output':1}]," MOVE, "does not ascend");
  check_animation_refused(endless, 2, "{'samplers':[{'input':0,'output':1}]," MOVE, "not finite");
  check_animation_refused(rising, 3, "{'samplers':[{'input':0,'output':1}]," MOVE, "does not fit 2 times");
  check_animation_refused(rising, 4, "{'samplers':[{'input':0,'output':1,'interpolation':'CUBICSPLINE'}]," MOVE,
                          "translation of 2 numbers where 3 are expected");
  check_animation_refused(rising, 4, "{'samplers':[{'input':0,'output':1}]," MOVE,
                          "animations[0]: translation of 6 numbers where 3 are expected");
  check_animation_refused(rising, 2, "{'samplers':[{'input':1,'output':1}]," MOVE, "times of an animation of 3");
  check_animation_refused(rising, 2, "{'samplers':[{'input':0,'output':1,'interpolation':'SINE'}]," MOVE, "SINE");
  check_animation_refused(rising, 2, "{'samplers':[{'input':0}]," MOVE, "without \"input\" or \"output\"");
  check_animation_refused(rising, 2, "{'samplers':[]," MOVE, "\"sampler\"");
  check_animation_refused(rising, 2, "{'samplers':[3]," MOVE, "a sampler is not an object");
  check_animation_refused(rising, 2, "{'samplers':[],'channels':[1]}", "a channel is not an object");
  check_animation_refused(rising, 2, "{'samplers':[],'channels':[{}]}", "a channel without a sampler");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_eight_joints),       cmocka_unit_test(test_bytes_as_weights),
      cmocka_unit_test(test_skins_refused),      cmocka_unit_test(test_one_mesh_many_skins),
      cmocka_unit_test(test_names_and_rates),    cmocka_unit_test(test_sampler_of_two_kinds),
      cmocka_unit_test(test_animations_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
