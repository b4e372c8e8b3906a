// The box of a model at rest, vertex by vertex.
#include "loaders/model_bounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "loaders/model_pose.h"

// A square standing on a corner once it is turned by 45 degrees about +Z: its box does not grow.
static const float DIAMOND[12] = {1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0};

typedef struct Fixture {
  Memory memory;
  ModelMesh mesh;
  ModelNode nodes[3];
  ModelSkin skin;
  ModelMorphTarget target;
  Model model;
} Fixture;

static Fixture make(void) {
  Fixture f = {.mesh = {.vertex_count = 4, .positions = DIAMOND, .bounds = {{-1, -1, 0}, {1, 1, 0}}},
               .model = {.mesh_count = 1, .node_count = 1}};
  for (int i = 0; i < 3; i++)
    f.nodes[i] = model_default_node("node");
  f.nodes[0].mesh = 0;
  return f;
}

static void check(Fixture *f, Vec3 min, Vec3 max) {
  Bounds bounds;
  f->model.meshes = &f->mesh;
  f->model.nodes = f->nodes;
  f->model.node_skins = &f->skin;
  f->model.morph_targets = &f->target;
  assert_true(model_rest_bounds(&f->model, &f->memory, &bounds));
  if (vec3_length(vec3_sub(bounds.min, min)) > 1e-5f || vec3_length(vec3_sub(bounds.max, max)) > 1e-5f)
    fail_msg("(%g %g %g) to (%g %g %g)", (double)bounds.min.x, (double)bounds.min.y, (double)bounds.min.z,
             (double)bounds.max.x, (double)bounds.max.y, (double)bounds.max.z);
  assert_int_equal(f->memory.live_bytes, 0);
  for (long n = 1; n <= 3; n++) {
    f->memory.fail_after = n;
    assert_false(model_rest_bounds(&f->model, &f->memory, &bounds));
    assert_int_equal(f->memory.live_bytes, 0);
  }
  f->memory.fail_after = 0;
}

static Quat turn(void) {
  return quat_from_axis_angle(vec3(0, 0, 1), (float)(45 * RADIANS_PER_DEGREE));
}

static void test_turned(void **state) {
  (void)state;
  const float SIDE = 0.70710678f;
  Fixture f = make();
  f.nodes[0].rotation = turn();
  f.nodes[0].translation = vec3(0, 10, 0);
  check(&f, vec3(-SIDE, 10 - SIDE, 0), vec3(SIDE, 10 + SIDE, 0));
  // Below a node that turns it back, away from its own middle.
  f = make();
  f.model.node_count = 2;
  f.nodes[0].mesh = -1;
  f.nodes[0].rotation = turn();
  f.nodes[1].parent = 0;
  f.nodes[1].mesh = 0;
  f.nodes[1].rotation = (Quat){0, 0, -f.nodes[0].rotation.z, f.nodes[0].rotation.w};
  f.nodes[1].geometry.origin = vec3(0, 0, 5);
  check(&f, vec3(-1, -1, 5), vec3(1, 1, 5));
}

// The joints are at rest elsewhere than at the bind pose, and the mesh's own node does not matter.
static void test_skinned(void **state) {
  (void)state;
  static const uint16_t JOINTS[16] = {0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0};
  static const float WEIGHTS[16] = {1, 0, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 1, 0, 0, 0};
  static const int NODES[2] = {1, 2};
  Affine inverse_bind[2] = {AFFINE_IDENTITY, AFFINE_IDENTITY};
  Fixture f = make();
  f.mesh.joints = JOINTS;
  f.mesh.weights = WEIGHTS;
  f.skin = (ModelSkin){.joint_count = 2, .joints = NODES, .inverse_bind = inverse_bind};
  f.model.node_count = 3;
  f.model.node_skin_count = 1;
  f.nodes[0].skin = 0;
  f.nodes[0].translation = vec3(100, 0, 0);
  f.nodes[2].translation = vec3(0, 0, 8);
  inverse_bind[1].origin = vec3(0, 0, -2);
  check(&f, vec3(-1, -1, 0), vec3(1, 1, 6));
}

static void test_morphed(void **state) {
  (void)state;
  static const float DELTAS[12] = {0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0};
  Fixture f = make();
  f.mesh.morph_target_count = 1;
  f.model.morph_target_count = 1;
  f.target = (ModelMorphTarget){.positions = DELTAS};
  check(&f, vec3(-1, -1, 0), vec3(1, 1, 0));
  f.target.default_weight = 0.5f;
  check(&f, vec3(-1, -1, 0), vec3(1, 3, 0));
  f.nodes[0].morph_weights = (const float[]){1};
  check(&f, vec3(-1, -1, 0), vec3(1, 5, 0));
}

// A file of few bytes may have a large mesh shown by very many nodes: from some number on, its box is enough.
static void test_many_instances(void **state) {
  (void)state;
  enum { NODES = 20 };
  ModelNode nodes[NODES];
  Fixture f = make();
  for (int i = 0; i < NODES; i++) {
    nodes[i] = model_default_node("node");
    nodes[i].mesh = 0;
    nodes[i].rotation = turn();
  }
  f.model.meshes = &f.mesh;
  f.model.nodes = nodes;
  f.model.node_count = NODES;
  Bounds bounds;
  assert_true(model_rest_bounds(&f.model, &f.memory, &bounds));
  assert_true(fabsf(bounds.max.x - 1.41421356f) < 1e-5f);
  f.model.node_count = 0;
  assert_true(model_rest_bounds(&f.model, &f.memory, &bounds));
  assert_true(bounds_is_empty(bounds));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_turned),
      cmocka_unit_test(test_skinned),
      cmocka_unit_test(test_morphed),
      cmocka_unit_test(test_many_instances),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
