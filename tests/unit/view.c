// The front end of the renderer: culling, the order of drawing, the choice of lights.
#include "engine/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/shaders.h"
#include "support/shapes.h"
#include "support/stage.h"

static Stage stage;
static View view;

static int open_view(void **state) {
  (void)state;
  stage_open(&stage, DEVICE_LIMIT_PROFILE, true);
  view = (View){.memory = &stage.memory};
  return 0;
}

static int close_view(void **state) {
  (void)state;
  view_free(&view);
  stage_close(&stage);
  return 0;
}

static GpuModel *upload(const Model *model) {
  Error error = {0};
  GpuModel *result = renderer_upload_model(stage.renderer, model, &error);
  assert_non_null(result);
  return result;
}

static void build(const DrawScene *scene) {
  Error error = {0};
  assert_true(view_build(&view, scene, STAGE_WIDTH, STAGE_HEIGHT, &error));
}

static float spread(Random *random, float reach) {
  return (random_float(random) * 2 - 1) * reach;
}

static Vec3 random_point(Random *random, float reach) {
  float x = spread(random, reach), y = spread(random, reach), z = spread(random, reach);
  return vec3(x, y, z);
}

// --- Culling ---

// Whether all corners of a box lie beyond one side of clip space: what culling must find, computed the long way.
static bool is_beyond_one_side(float clip[4][4], Bounds bounds) {
  int beyond[6] = {0};
  for (int i = 0; i < 8; i++) {
    const float p[4] = {i & 1 ? bounds.max.x : bounds.min.x, i & 2 ? bounds.max.y : bounds.min.y,
                        i & 4 ? bounds.max.z : bounds.min.z, 1};
    float c[4] = {0};
    for (int row = 0; row < 4; row++) {
      for (int k = 0; k < 4; k++)
        c[row] += clip[row][k] * p[k];
    }
    for (int axis = 0; axis < 3; axis++) {
      beyond[2 * axis] += c[axis] < -c[3];
      beyond[2 * axis + 1] += c[axis] > c[3];
    }
  }
  for (int i = 0; i < 6; i++) {
    if (beyond[i] == 8) return true;
  }
  return false;
}

static void test_culling_agrees_with_brute_force(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 3);
  int seen = 0, culled = 0, disagreements = 0;
  for (int i = 0; i < 200; i++) {
    DrawScene scene = shape_scene(i & 1 ? CAMERA_PARALLEL : CAMERA_PERSPECTIVE);
    scene.camera.world = affine_from_trs(
        random_point(&random, 20), quat_from_heading_pitch(spread(&random, 3), spread(&random, 1)), vec3(1, 1, 1));
    scene.camera.far_plane = 30;
    scene.camera.size = 15;
    build(&scene);
    for (int k = 0; k < 100; k++) {
      Vec3 center = random_point(&random, 30), half = vec3_abs(random_point(&random, 4));
      Bounds bounds = {vec3_sub(center, half), vec3_add(center, half)};
      bool sees = view_sees(&view, bounds);
      // Only what touches a side to the last digit may be told apart.
      disagreements += sees == is_beyond_one_side(view.clip, bounds);
      seen += sees;
      culled += !sees;
    }
  }
  assert_in_range(disagreements, 0, 2);
  assert_true(seen > 1000 && culled > 1000);
  assert_false(view_sees(&view, BOUNDS_EMPTY));
}

static void test_culled_items_are_counted(void **state) {
  (void)state;
  Model *model = shape_square(&stage.memory, shape_material(1, 1, 1));
  GpuModel *gpu_model = upload(model);
  DrawItem items[3];
  const float places[3] = {0, 40, -40};
  for (int i = 0; i < 3; i++)
    items[i] = shape_item(gpu_model, model, shape_at(places[i], 0, 0), (uint32_t)i);
  DrawScene scene = shape_scene(CAMERA_PERSPECTIVE);
  scene.items = items;
  scene.item_count = 3;
  stage_draw(&stage, &scene);
  assert_int_equal(stage.stats.items_drawn, 1);
  assert_int_equal(stage.stats.items_culled, 2);
  assert_int_equal(stage.stats.draw_calls, 1);
  assert_int_equal(stage.stats.triangles, 2);
  renderer_free_model(stage.renderer, gpu_model);
  model_free(model);
}

// --- Sorting ---

enum { MODEL_COUNT = 6, ITEM_COUNT = 300 };

static void shuffle(Random *random, DrawItem *items, int count) {
  for (int i = count - 1; i > 0; i--) {
    int other = (int)(random_next(random) % (uint32_t)(i + 1));
    DrawItem item = items[i];
    items[i] = items[other];
    items[other] = item;
  }
}

static void expect_order(void) {
  bool was_blended = false;
  for (int i = 0; i < view.commands.count; i++) {
    const DrawCommand *command = &view.commands.items[i], *last = command - 1;
    bool is_blended = view_is_blended(command->features);
    assert_false(was_blended && !is_blended);
    if (i > 0 && is_blended && was_blended) {
      float nearer = view.visible.items[command->visible].depth, farther = view.visible.items[last->visible].depth;
      assert_true(farther >= nearer);
      if (farther == nearer) assert_true(last->id < command->id);
    }
    if (i > 0 && !is_blended) assert_true(last->features <= command->features);
    was_blended = is_blended;
  }
}

static void test_order_of_drawing(void **state) {
  (void)state;
  Model *models[MODEL_COUNT];
  GpuModel *uploaded[MODEL_COUNT];
  for (int i = 0; i < MODEL_COUNT; i++) {
    ModelMaterial material = i & 1 ? shape_unlit(1, 1, 1) : shape_material(1, 1, 1);
    if (i > 3) material.diffuse.a = 0.5f;
    models[i] = shape_square(&stage.memory, material);
    uploaded[i] = upload(models[i]);
  }
  Random random;
  random_seed(&random, 5);
  DrawItem items[ITEM_COUNT];
  for (int i = 0; i < ITEM_COUNT; i++) {
    // Many at the very same depth, so that ties are common.
    Affine place = shape_at(spread(&random, 3), spread(&random, 3), -(float)(random_next(&random) % 4));
    items[i] = shape_item(uploaded[i % MODEL_COUNT], models[i % MODEL_COUNT], place, (uint32_t)i);
  }
  DrawScene scene = shape_scene(CAMERA_PARALLEL);
  scene.camera.size = 12;
  scene.items = items;
  scene.item_count = ITEM_COUNT;
  build(&scene);
  assert_int_equal(view.commands.count, ITEM_COUNT);
  expect_order();
  uint32_t wanted[ITEM_COUNT];
  for (int i = 0; i < ITEM_COUNT; i++)
    wanted[i] = view.commands.items[i].id;
  size_t allocations = stage.memory.allocation_count;
  for (int round = 0; round < 5; round++) {
    shuffle(&random, items, ITEM_COUNT);
    build(&scene);
    for (int i = 0; i < ITEM_COUNT; i++)
      assert_int_equal(view.commands.items[i].id, wanted[i]);
  }
  assert_int_equal(stage.memory.allocation_count, allocations);
  for (int i = 0; i < MODEL_COUNT; i++) {
    renderer_free_model(stage.renderer, uploaded[i]);
    model_free(models[i]);
  }
}

static void test_opaque_items_of_one_state_go_front_to_back(void **state) {
  (void)state;
  Model *model = shape_square(&stage.memory, shape_material(1, 1, 1));
  GpuModel *gpu_model = upload(model);
  DrawItem items[8];
  for (int i = 0; i < 8; i++)
    items[i] = shape_item(gpu_model, model, shape_at(0, 0, -(float)(i * 5 % 8)), (uint32_t)i);
  DrawScene scene = shape_scene(CAMERA_PERSPECTIVE);
  scene.items = items;
  scene.item_count = 8;
  build(&scene);
  for (int i = 0; i < 8; i++)
    assert_float_equal(view.visible.items[view.commands.items[i].visible].depth, 5 + i, 1e-5);
  renderer_free_model(stage.renderer, gpu_model);
  model_free(model);
}

static void test_steady_frames_allocate_nothing(void **state) {
  (void)state;
  Model *model = shape_packed_ball(&stage.memory, 6, 3, 1);
  GpuModel *gpu_model = upload(model);
  DrawItem items[20];
  for (int i = 0; i < 20; i++)
    items[i] = shape_item(gpu_model, model, shape_at((float)i * 0.1f, 0, 0), (uint32_t)i);
  DrawLight light = {.kind = LIGHT_DIRECTIONAL, .color = {1, 1, 1, 1}, .direction = {0, -1, 0}};
  DrawScene scene = shape_scene(CAMERA_PERSPECTIVE);
  scene.items = items;
  scene.item_count = 20;
  scene.lights = &light;
  scene.light_count = 1;
  for (int mode = 0; mode < 4; mode++) {
    scene.mode = (ViewMode)mode;
    stage_draw(&stage, &scene);
    size_t allocations = stage.memory.allocation_count;
    for (int i = 0; i < 3; i++)
      stage_draw(&stage, &scene);
    assert_int_equal(stage.memory.allocation_count, allocations);
  }
  renderer_free_model(stage.renderer, gpu_model);
  model_free(model);
}

// --- Lights ---

static void test_the_strongest_lights_are_chosen(void **state) {
  (void)state;
  enum { LIGHT_COUNT = 30 };
  Random random;
  random_seed(&random, 11);
  for (int round = 0; round < 200; round++) {
    DrawLight lights[LIGHT_COUNT];
    for (int i = 0; i < LIGHT_COUNT; i++) {
      static const LightKind KINDS[] = {LIGHT_POINT, LIGHT_POINT, LIGHT_SPOT, LIGHT_DIRECTIONAL, LIGHT_AMBIENT};
      lights[i] = (DrawLight){
          .kind = KINDS[random_next(&random) % 5],
          .color = {random_float(&random), random_float(&random), random_float(&random), 1},
          .position = random_point(&random, 10),
          .direction = vec3_normalize_or(random_point(&random, 1), vec3(0, -1, 0)),
          .range = random_float(&random) * 8,
          .cos_inner = 0.9f,
          .cos_outer = 0.7f,
      };
    }
    DrawScene scene = {.lights = lights, .light_count = LIGHT_COUNT};
    Bounds bounds = {{-1, -1, -1}, {1, 1, 1}};
    VisibleItem item = {0};
    view_choose_lights(&scene, bounds, &item);
    float weakest = INFINITY;
    bool is_chosen[LIGHT_COUNT] = {false};
    for (int i = 0; i < item.light_count; i++) {
      is_chosen[item.lights[i]] = true;
      weakest = fminf(weakest, view_light_strength(&lights[item.lights[i]], bounds));
      if (i > 0) assert_true(item.lights[i - 1] < item.lights[i]);
    }
    for (int i = 0; i < LIGHT_COUNT; i++) {
      float strength = view_light_strength(&lights[i], bounds);
      if (!is_chosen[i] && strength > 0) {
        assert_int_equal(item.light_count, RENDER_LIGHTS_PER_ITEM);
        assert_true(strength <= weakest);
      }
      if (is_chosen[i]) assert_true(strength > 0);
    }
  }
}

static void test_equal_lights_are_taken_in_order(void **state) {
  (void)state;
  DrawLight lights[9];
  for (int i = 0; i < 9; i++)
    lights[i] = (DrawLight){.kind = LIGHT_DIRECTIONAL, .color = {1, 1, 1, 1}, .direction = {0, -1, 0}};
  lights[7].color.g = 2;
  DrawScene scene = {.lights = lights, .light_count = 9};
  VisibleItem item = {0};
  view_choose_lights(&scene, (Bounds){{-1, -1, -1}, {1, 1, 1}}, &item);
  const uint16_t wanted[4] = {0, 1, 2, 7};
  assert_memory_equal(item.lights, wanted, sizeof wanted);
  assert_false(item.has_local_lights);
}

static void test_lights_that_reach_nothing_are_left_out(void **state) {
  (void)state;
  Bounds bounds = {{-1, -1, -1}, {1, 1, 1}};
  DrawLight light = {.kind = LIGHT_POINT, .color = {1, 1, 1, 1}, .position = {5, 0, 0}, .range = 3.9f};
  assert_true(view_light_strength(&light, bounds) == 0);
  light.range = 4.5f;
  assert_true(view_light_strength(&light, bounds) > 0);
  light.range = 0;
  assert_true(view_light_strength(&light, bounds) == 1);
  light.kind = LIGHT_SPOT;
  light.direction = vec3(1, 0, 0);
  light.cos_inner = 0.95f;
  light.cos_outer = 0.9f;
  assert_true(view_light_strength(&light, bounds) == 0);
  light.direction = vec3(-1, 0, 0);
  assert_true(view_light_strength(&light, bounds) == 1);
}

// --- Memory ---

static void test_running_out_of_memory(void **state) {
  (void)state;
  Error error = {0};
  Model *model = shape_packed_ball(&stage.memory, 6, 3, 1);
  for (long n = 1; n < 1000; n++) {
    size_t live = stage.memory.live_bytes;
    stage.memory.fail_after = n;
    GpuModel *gpu_model = renderer_upload_model(stage.renderer, model, &error);
    bool flat = gpu_model && gpu_model_need_flat(gpu_model, 0, &error);
    bool lines = flat && gpu_model_need_lines(gpu_model, 0, &error);
    stage.memory.fail_after = 0;
    if (gpu_model) renderer_free_model(stage.renderer, gpu_model);
    assert_int_equal(stage.memory.live_bytes, live);
    if (lines) {
      assert_true(n > 10);
      model_free(model);
      return;
    }
  }
  fail();
}

int main(void) {
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_view, close_view)
  const struct CMUnitTest tests[] = {
      TEST(test_culling_agrees_with_brute_force),
      TEST(test_culled_items_are_counted),
      TEST(test_order_of_drawing),
      TEST(test_opaque_items_of_one_state_go_front_to_back),
      TEST(test_steady_frames_allocate_nothing),
      TEST(test_the_strongest_lights_are_chosen),
      TEST(test_equal_lights_are_taken_in_order),
      TEST(test_lights_that_reach_nothing_are_left_out),
      TEST(test_running_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
