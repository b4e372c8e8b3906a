// The scene: handles, order, transforms, parents.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/scene.h"

typedef struct Fixture {
  Memory memory;
  Scene scene;
} Fixture;

static int open_scene(void **state) {
  static Fixture fixture;
  fixture = (Fixture){0};
  scene_init(&fixture.scene, &fixture.memory, 100);
  *state = &fixture;
  return 0;
}

static int close_scene(void **state) {
  Fixture *fixture = *state;
  scene_free(&fixture->scene);
  assert_int_equal(fixture->memory.live_bytes, 0);
  return 0;
}

static Handle add(Scene *scene, const char *name, Handle parent) {
  Handle handle;
  Error error;
  assert_true(scene_add(scene, NODE_GROUP, name, parent, &handle, &error));
  return handle;
}

static void assert_near(float a, float b) {
  assert_true(fabsf(a - b) < 1e-4f);
}

static void a_removed_node_is_known_to_be_gone(void **state) {
  Scene *scene = &((Fixture *)*state)->scene;
  Handle first = add(scene, "first", (Handle){0});
  scene_remove(scene, first);
  Handle second = add(scene, "second", (Handle){0});
  assert_int_equal(first.index, second.index);
  assert_null(scene_get(scene, first));
  assert_non_null(scene_get(scene, second));
  assert_null(scene_get(scene, (Handle){0}));
  assert_null(scene_get(scene, (Handle){12345, 1}));
}

static void the_limit_is_named(void **state) {
  Scene *scene = &((Fixture *)*state)->scene;
  Handle handle;
  Error error = {0};
  for (int i = 0; i < 100; i++)
    add(scene, NULL, (Handle){0});
  assert_false(scene_add(scene, NODE_GROUP, NULL, (Handle){0}, &handle, &error));
  assert_non_null(strstr(error.text, "limits.nodes"));
}

static void transforms_go_from_parents_to_children_whatever_the_order(void **state) {
  Scene *scene = &((Fixture *)*state)->scene;
  Error error;
  Handle child = add(scene, "child", (Handle){0}), parent = add(scene, "parent", (Handle){0});
  scene_get(scene, child)->position = vec3(1, 0, 0);
  scene_get(scene, parent)->position = vec3(0, 0, 5);
  scene_set_heading(scene_get(scene, parent), 90);
  assert_true(scene_set_parent(scene, child, parent, &error));
  assert_true(scene_update(scene, &error));
  // Its place in the world stayed; then the parent moves and takes it along.
  Vec3 origin = scene_get(scene, child)->world.origin;
  assert_near(origin.x, 1);
  assert_near(origin.z, 0);
  scene_get(scene, parent)->position = vec3(0, 2, 5);
  assert_true(scene_update(scene, &error));
  assert_near(scene_get(scene, child)->world.origin.y, 2);
  assert_near(scene_get(scene, child)->previous_world.origin.y, 0);
}

static void a_node_cannot_be_its_own_ancestor(void **state) {
  Scene *scene = &((Fixture *)*state)->scene;
  Error error;
  Handle top = add(scene, NULL, (Handle){0}), below = add(scene, NULL, top), deep = add(scene, NULL, below);
  assert_false(scene_set_parent(scene, top, deep, &error));
  assert_false(scene_set_parent(scene, top, top, &error));
  assert_true(scene_set_parent(scene, deep, top, &error));
  assert_true(scene_set_parent(scene, below, deep, &error));
}

static void rotations_read_back_as_they_were_set(void **state) {
  Scene *scene = &((Fixture *)*state)->scene;
  Node *node = scene_get(scene, add(scene, NULL, (Handle){0}));
  for (float heading = -170; heading < 180; heading += 7.3f) {
    scene_set_heading(node, heading);
    assert_true(scene_get_heading(node) == heading);
    scene_set_quat(node, node->rotation);
    assert_near(scene_get_heading(node), heading);
  }
  scene_set_rotation(node, 33.25f, vec3(1, 2, 3));
  assert_true(node->axis_angle == 33.25f && node->axis.y == 2);
}

static void walking_below_a_node_visits_each_once(void **state) {
  Scene *scene = &((Fixture *)*state)->scene;
  Handle top = add(scene, NULL, (Handle){0}), a = add(scene, NULL, top), b = add(scene, NULL, top);
  add(scene, NULL, a);
  add(scene, NULL, a);
  add(scene, NULL, b);
  add(scene, "outside", (Handle){0});
  int count = 0;
  for (Handle at = {0}; (at = scene_next_below(scene, top, at)).generation;)
    count++;
  assert_int_equal(count, 6);
}

static void names_find_the_first_made(void **state) {
  Scene *scene = &((Fixture *)*state)->scene;
  Handle first = add(scene, "twin", (Handle){0}), second = add(scene, "twin", (Handle){0});
  assert_true(handle_equals(scene_find(scene, "twin"), first));
  scene_remove(scene, first);
  assert_true(handle_equals(scene_find(scene, "twin"), second));
  assert_int_equal(scene_find(scene, "nobody").generation, 0);
}

static void running_out_of_memory_changes_nothing(void **state) {
  Fixture *fixture = *state;
  for (long n = 1; n < 20; n++) {
    int before = fixture->scene.count;
    Handle handle;
    Error error;
    fixture->memory.fail_after = n;
    bool is_added = scene_add(&fixture->scene, NODE_GROUP, "name", (Handle){0}, &handle, &error);
    fixture->memory.fail_after = 0;
    assert_int_equal(fixture->scene.count, before + is_added);
    assert_true(scene_update(&fixture->scene, &error));
  }
}

#define SCENE_TEST(function) cmocka_unit_test_setup_teardown(function, open_scene, close_scene)

int main(void) {
  const struct CMUnitTest tests[] = {
      SCENE_TEST(a_removed_node_is_known_to_be_gone),
      SCENE_TEST(the_limit_is_named),
      SCENE_TEST(transforms_go_from_parents_to_children_whatever_the_order),
      SCENE_TEST(a_node_cannot_be_its_own_ancestor),
      SCENE_TEST(rotations_read_back_as_they_were_set),
      SCENE_TEST(walking_below_a_node_visits_each_once),
      SCENE_TEST(names_find_the_first_made),
      SCENE_TEST(running_out_of_memory_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
