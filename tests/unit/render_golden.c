// Pictures kept in tests/golden/render. They must be equal on the driver that made them (driver.txt beside them), elsewhere
// at most 3 per channel apart on 99.5 % of the pixels. PALFREY_GOLDEN=update writes them anew: look at them then.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/offscreen.h"
#include "support/shapes.h"
#include "support/stage.h"

#define FOLDER "tests/golden/render/"

enum { PICTURE_SIZE = STAGE_WIDTH * STAGE_HEIGHT * 4 };

static Stage stage;

// --- Comparing ---

static bool is_updating(void) {
  const char *mode = getenv("PALFREY_GOLDEN");
  return mode && strcmp(mode, "update") == 0;
}

static bool read_file(const char *path, Bytes *bytes) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  fseek(file, 0, SEEK_END);
  bytes->size = (size_t)ftell(file);
  bytes->data = calloc(1, bytes->size + 1);
  rewind(file);
  bool is_read = fread(bytes->data, 1, bytes->size, file) == bytes->size;
  fclose(file);
  return is_read;
}

static void write_file(const char *path, Bytes bytes) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes.data, 1, bytes.size, file) != bytes.size) fail_msg("cannot write %s", path);
  fclose(file);
}

static bool is_same_driver(void) {
  Bytes text = {0};
  if (!read_file(FOLDER "driver.txt", &text)) return false;
  text.data[strcspn((char *)text.data, "\n")] = 0;
  bool is_same = strcmp((char *)text.data, gpu_driver_name(stage.gpu)) == 0;
  free(text.data);
  return is_same;
}

static void compare(const char *path, const Image *wanted) {
  int limit = is_same_driver() ? 0 : 3, over = 0;
  assert_int_equal(wanted->width, STAGE_WIDTH);
  assert_int_equal(wanted->height, STAGE_HEIGHT);
  for (int i = 0; i < PICTURE_SIZE; i += 4) {
    int worst = 0;
    for (int c = 0; c < 4; c++) {
      int difference = abs(wanted->pixels[i + c] - stage.pixels[i + c]);
      if (difference > worst) worst = difference;
    }
    over += worst > limit;
  }
  int allowed = limit == 0 ? 0 : STAGE_WIDTH * STAGE_HEIGHT / 200;
  if (over > allowed) fail_msg("%s: %d pixels differ by more than %d", path, over, limit);
}

static void expect_golden(const char *name) {
  Error error = {0};
  char path[256];
  snprintf(path, sizeof path, FOLDER "%s.png", name);
  Bytes png = {0};
  if (is_updating()) {
    assert_true(image_encode_png(&stage.memory, stage.pixels, STAGE_WIDTH, STAGE_HEIGHT, 4, &png, &error));
    write_file(path, png);
    memory_free(&stage.memory, png.data);
    char driver[160];
    int length = snprintf(driver, sizeof driver, "%s\n", gpu_driver_name(stage.gpu));
    write_file(FOLDER "driver.txt", (Bytes){(uint8_t *)driver, (size_t)length});
    return;
  }
  Image wanted = {0};
  if (!read_file(path, &png)) fail_msg("no %s", path);
  if (!image_load(&stage.memory, path, png, &wanted, &error)) fail_msg("%s", error.text);
  free(png.data);
  compare(path, &wanted);
  image_free(&stage.memory, &wanted);
}

// --- A courtyard ---

enum { MODEL_COUNT = 4, ITEM_COUNT = 12, TEXTURE_COUNT = 3, TEXTURE_SIDE = 64 };

typedef struct Courtyard {
  Model *models[MODEL_COUNT];  // ground, wall, pane of glass, ball
  GpuModel *uploaded[MODEL_COUNT];
  Texture *textures[TEXTURE_COUNT];
  DrawItem items[ITEM_COUNT];
  DrawLight lights[3];
  DrawBox box;
  DrawScene scene;
} Courtyard;

static Courtyard courtyard;

static uint32_t tile_pixel(int kind, int x, int y) {
  if (kind == 0) return ((x / 16 + y / 16) & 1) ? 0xb0a890ff : 0x807860ff;
  if (kind == 1) {
    bool is_joint = y % 16 < 2 || (x + (y / 16 & 1) * 16) % 32 < 2;
    return is_joint ? 0x606060ff : 0xa05040ff;
  }
  return (x / 8) & 1 ? 0x3060c0ff : 0xe0c040ff;
}

static void make_textures(void) {
  Error error = {0};
  for (int kind = 0; kind < TEXTURE_COUNT; kind++) {
    uint32_t pixels[TEXTURE_SIDE * TEXTURE_SIDE];
    for (int i = 0; i < TEXTURE_SIDE * TEXTURE_SIDE; i++)
      pixels[i] = tile_pixel(kind, i % TEXTURE_SIDE, i / TEXTURE_SIDE);
    Image image = shape_image(TEXTURE_SIDE, TEXTURE_SIDE, pixels);
    courtyard.textures[kind] = renderer_upload_image(stage.renderer, &image, &error);
    free(image.pixels);
    assert_non_null(courtyard.textures[kind]);
  }
}

static void make_models(void) {
  Error error = {0};
  ModelMaterial ground = shape_material(1, 1, 1), wall = shape_material(1, 1, 1), glass = shape_unlit(0.3f, 0.9f, 0.5f);
  ground.stages[0].uv_x[0] = ground.stages[0].uv_y[1] = 6;
  wall.stages[0].uv_x[0] = 4;
  glass.diffuse.a = 0.4f;
  glass.cull = CULL_NONE;
  courtyard.models[0] = shape_waves(&stage.memory, 25, 0.02f, ground);
  courtyard.models[1] = shape_square(&stage.memory, wall);
  courtyard.models[2] = shape_square(&stage.memory, glass);
  courtyard.models[3] = shape_packed_ball(&stage.memory, 10, 4, 0.7f);
  courtyard.models[3]->materials[0].specular = (Color){0.6f, 0.6f, 0.6f, 1};
  courtyard.models[3]->materials[0].shininess = 20;
  for (int i = 0; i < MODEL_COUNT; i++) {
    courtyard.uploaded[i] = renderer_upload_model(stage.renderer, courtyard.models[i], &error);
    assert_non_null(courtyard.uploaded[i]);
  }
}

static void add_item(int model, int texture, Affine place) {
  int index = courtyard.scene.item_count++;
  DrawItem *item = &courtyard.items[index];
  *item = shape_item(courtyard.uploaded[model], courtyard.models[model], place, (uint32_t)index);
  item->skin = texture >= 0 ? courtyard.textures[texture] : NULL;
}

static void place_items(void) {
  add_item(0, 0, affine_from_trs(vec3(0, 0, 0), QUAT_IDENTITY, vec3(8, 1, 8)));
  add_item(1, 1, affine_from_trs(vec3(0, 1.5f, -8), QUAT_IDENTITY, vec3(8, 1.5f, 1)));
  for (int side = -1; side <= 1; side += 2) {
    Quat turn = quat_from_axis_angle(vec3(0, 1, 0), (float)(-side * PI / 2));
    add_item(1, 1, affine_from_trs(vec3((float)side * 8, 1.5f, 0), turn, vec3(8, 1.5f, 1)));
  }
  for (int i = 0; i < 4; i++) {
    add_item(3, 2, shape_at((float)i * 2 - 3, 0.7f, -(float)(i % 2) * 3));
    courtyard.items[courtyard.scene.item_count - 1].pose = (FramePose){i % 3, i % 3 + 1, 0.4f};
  }
  add_item(2, -1, affine_from_trs(vec3(1.6f, 1, 1.5f), quat_from_heading_pitch(0.4f, 0), vec3(0.8f, 1, 1)));
}

static void light_scene(void) {
  courtyard.lights[0] =
      (DrawLight){.kind = LIGHT_DIRECTIONAL, .color = {0.6f, 0.6f, 0.5f, 1}, .direction = {-0.48f, -0.64f, -0.6f}};
  courtyard.lights[1] =
      (DrawLight){.kind = LIGHT_POINT, .color = {1, 0.5f, 0.2f, 1}, .position = {-4, 1.5f, -5}, .range = 6};
  courtyard.lights[2] = (DrawLight){.kind = LIGHT_SPOT,
                                    .color = {0.3f, 0.5f, 1, 1},
                                    .position = {4, 4, -3},
                                    .direction = {0, -1, 0},
                                    .range = 9,
                                    .cos_inner = 0.9f,
                                    .cos_outer = 0.75f};
}

static int open_courtyard(void **state) {
  (void)state;
  offscreen_open();
  stage_open(&stage, DEVICE_LIMIT_PROFILE, false);
  memset(&courtyard, 0, sizeof courtyard);
  make_textures();
  make_models();
  light_scene();
  courtyard.scene = shape_scene(CAMERA_PERSPECTIVE);
  place_items();
  DrawScene *scene = &courtyard.scene;
  scene->camera.world = affine_from_trs(vec3(0, 2.2f, 6), quat_from_heading_pitch(0, -0.2f), vec3(1, 1, 1));
  scene->background = (Color){0.55f, 0.65f, 0.8f, 1};
  scene->ambient = (Color){0.3f, 0.3f, 0.35f, 1};
  scene->items = courtyard.items;
  scene->lights = courtyard.lights;
  scene->light_count = 3;
  return 0;
}

static int close_courtyard(void **state) {
  (void)state;
  for (int i = 0; i < MODEL_COUNT; i++) {
    renderer_free_model(stage.renderer, courtyard.uploaded[i]);
    model_free(courtyard.models[i]);
  }
  for (int i = 0; i < TEXTURE_COUNT; i++)
    renderer_free_texture(stage.renderer, courtyard.textures[i]);
  stage_close(&stage);
  offscreen_close();
  return 0;
}

static void test_textured(void **state) {
  (void)state;
  stage_draw(&stage, &courtyard.scene);
  expect_golden("textured");
}

static void test_fog(void **state) {
  (void)state;
  courtyard.scene.fog = (ModelFog){FOG_LINEAR, courtyard.scene.background, 4, 15, 0};
  stage_draw(&stage, &courtyard.scene);
  expect_golden("fog");
}

static void test_shaded(void **state) {
  (void)state;
  courtyard.scene.mode = VIEW_SHADED;
  stage_draw(&stage, &courtyard.scene);
  expect_golden("shaded");
}

static void test_flat(void **state) {
  (void)state;
  courtyard.scene.mode = VIEW_FLAT;
  stage_draw(&stage, &courtyard.scene);
  expect_golden("flat");
}

// Which pixels a line goes through is each driver's own choice, so pictures of lines are compared on one driver only;
// unit/render counts their pixels everywhere.
static void test_wire_with_boxes(void **state) {
  (void)state;
  DrawBox boxes[4];
  for (int i = 0; i < 4; i++)
    boxes[i] = (DrawBox){courtyard.items[4 + i].bounds, {1, 0.8f, 0.2f, 1}};
  courtyard.scene.mode = VIEW_WIRE;
  courtyard.scene.boxes = boxes;
  courtyard.scene.box_count = 4;
  stage_draw(&stage, &courtyard.scene);
  if (is_updating() || is_same_driver()) expect_golden("wire");
}

static void test_parallel(void **state) {
  (void)state;
  courtyard.scene.camera.kind = CAMERA_PARALLEL;
  courtyard.scene.camera.size = 5;
  courtyard.scene.camera.world = affine_from_trs(vec3(5, 8, 6), quat_from_heading_pitch(0.7f, -0.7f), vec3(1, 1, 1));
  stage_draw(&stage, &courtyard.scene);
  expect_golden("parallel");
}

int main(void) {
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_courtyard, close_courtyard)
  const struct CMUnitTest tests[] = {
      TEST(test_textured),        TEST(test_fog),      TEST(test_shaded), TEST(test_flat),
      TEST(test_wire_with_boxes), TEST(test_parallel),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
