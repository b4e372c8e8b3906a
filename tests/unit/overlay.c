// The overlay: layout of text without a context, pixels with one.
#include "engine/overlay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/font.h"
#include "engine/text_layout.h"
#include "support/offscreen.h"
#include "support/shapes.h"
#include "support/stage.h"

static const char FONT_PATH[] = "runtime/engine/palfrey.ttf";

static Stage stage;
static Bytes font_bytes;
static Overlay *overlay;
static const Color WHITE = {1, 1, 1, 1}, RED = {1, 0, 0, 1}, GREEN = {0, 1, 0, 1};

static void read_font(void) {
  FILE *file = fopen(FONT_PATH, "rb");
  if (!file) {
    printf("skipped: no %s\n", FONT_PATH);
    exit(77);
  }
  fseek(file, 0, SEEK_END);
  font_bytes.size = (size_t)ftell(file);
  font_bytes.data = malloc(font_bytes.size);
  rewind(file);
  if (fread(font_bytes.data, 1, font_bytes.size, file) != font_bytes.size) exit(1);
  fclose(file);
}

static void open_overlay(bool is_null) {
  Error error = {0};
  stage_open(&stage, DEVICE_LIMIT_PROFILE, is_null);
  overlay = overlay_create(&stage.memory, stage.renderer, font_bytes, &error);
  if (!overlay) fail_msg("%s", error.text);
  overlay_begin(overlay, STAGE_WIDTH, STAGE_HEIGHT);
}

static int open_null(void **state) {
  (void)state;
  open_overlay(true);
  return 0;
}

static int open_gl(void **state) {
  (void)state;
  offscreen_open();
  open_overlay(false);
  return 0;
}

static int close_null(void **state) {
  (void)state;
  overlay_free(overlay);
  stage_close(&stage);
  return 0;
}

static int close_gl(void **state) {
  close_null(state);
  offscreen_close();
  return 0;
}

static void draw(void) {
  Error error = {0};
  DrawScene scene = shape_scene(CAMERA_PARALLEL);
  stage.stats = (RenderStats){0};
  assert_true(renderer_draw(stage.renderer, &scene, STAGE_WIDTH, STAGE_HEIGHT, &stage.stats, &error));
  if (!overlay_draw(overlay, &stage.stats, &error)) fail_msg("%s", error.text);
  stage_read(&stage);
}

static void write_text(const char *text, float x, float y, const TextStyle *style) {
  Error error = {0};
  assert_true(overlay_text(overlay, text, strlen(text), x, y, style, &error));
}

static Vec3 measure(const char *text, const TextStyle *style) {
  Vec3 size = {0, 0, 0};
  overlay_measure(overlay, text, strlen(text), style, &size.x, &size.y);
  return size;
}

// --- Characters ---

static void expect_characters(const char *bytes, size_t length, const uint32_t *wanted, int count) {
  TextSpan text = {bytes, bytes + length};
  for (int i = 0; i < count; i++) {
    assert_true(text.start < text.end);
    assert_int_equal(text_layout_next(&text), wanted[i]);
  }
  assert_true(text.start == text.end);
}

static void test_utf8(void **state) {
  (void)state;
  expect_characters("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\x8e", 10, (uint32_t[]){'a', 0xe9, 0x20ac, 0x1f40e}, 4);
  // Cut off, overlong, surrogate, too large, lone continuation.
  expect_characters("\xe2\x82", 2, (uint32_t[]){0xfffd, 0xfffd}, 2);
  expect_characters("\xc0\x80", 2, (uint32_t[]){0xfffd, 0xfffd}, 2);
  expect_characters("\xed\xa0\x80", 3, (uint32_t[]){0xfffd, 0xfffd, 0xfffd}, 3);
  expect_characters("\xf4\x90\x80\x80", 4, (uint32_t[]){0xfffd, 0xfffd, 0xfffd, 0xfffd}, 4);
  expect_characters("\x80z\xff", 3, (uint32_t[]){0xfffd, 'z', 0xfffd}, 3);
}

// --- Layout ---

static void expect_lines(const char *text, float width, const char *const *wanted, int count) {
  Error error = {0};
  Font *font = font_create(&stage.memory, stage.gpu, font_bytes, &error);
  TextSpan rest = {text, text + strlen(text)};
  TextLine line;
  for (int i = 0; i < count; i++) {
    assert_true(text_layout_take_line(font, 64, width, &rest, &line));
    size_t length = (size_t)(line.span.end - line.span.start);
    if (length != strlen(wanted[i]) || memcmp(line.span.start, wanted[i], length) != 0)
      fail_msg("line %d is \"%.*s\", wanted \"%s\"", i, (int)length, line.span.start, wanted[i]);
  }
  assert_false(text_layout_take_line(font, 64, width, &rest, &line));
  font_free(font);
}

static void test_lines(void **state) {
  (void)state;
  expect_lines("one\ntwo\n\nfour", 0, (const char *const[]){"one", "two", "", "four"}, 4);
  expect_lines("", 0, NULL, 0);
  const TextStyle style = {.size = 16};
  float width = measure("the quick", &style).x + 0.5f;
  expect_lines("the quick brown fox", width, (const char *const[]){"the quick", "brown", "fox"}, 3);
  expect_lines("the quick   brown", width, (const char *const[]){"the quick", "brown"}, 2);
  // A word that alone is too wide is cut where it must be.
  float narrow = measure("mmm", &style).x + 0.5f;
  expect_lines("mmmmmmm", narrow, (const char *const[]){"mmm", "mmm", "m"}, 3);
  expect_lines("mm", 1, (const char *const[]){"m", "m"}, 2);
}

static void test_measure(void **state) {
  (void)state;
  TextStyle style = {.size = 20};
  Vec3 one = measure("Horse", &style), two = measure("Horse\nHorse", &style);
  assert_true(one.x > 20 && one.x < 100);
  assert_true(two.x == one.x && two.y == 2 * one.y);
  assert_true(one.y >= 20);
  assert_true(measure("", &style).x == 0 && measure("", &style).y == 0);
  TextStyle standard = {0}, sixteen = {.size = 16};
  assert_true(measure("Horse", &standard).x == measure("Horse", &sixteen).x);
  style.size = 40;
  assert_float_equal(measure("Horse", &style).x, 2 * one.x, 0.5);
  assert_true(measure("a \t", &style).x == measure("a", &style).x);
}

static void test_broken_fonts_are_refused(void **state) {
  (void)state;
  Error error = {0};
  uint8_t zeros[64] = {0};
  assert_null(overlay_create(&stage.memory, stage.renderer, (Bytes){zeros, sizeof zeros}, &error));
  assert_null(overlay_create(&stage.memory, stage.renderer, (Bytes){0}, &error));
  assert_non_null(strstr(error.text, "TrueType"));
}

static void test_batches_and_memory(void **state) {
  (void)state;
  Error error = {0};
  const TextStyle style = {.size = 16, .color = {1, 1, 1, 1}};
  size_t allocations = 0;
  for (int frame = 0; frame < 4; frame++) {
    if (frame == 2) allocations = stage.memory.allocation_count;
    overlay_begin(overlay, STAGE_WIDTH, STAGE_HEIGHT);
    for (int i = 0; i < 100; i++) {
      write_text("score 12345", 3, (float)i, &style);
      overlay_rectangle(overlay, 1, 2, 30, 40, RED, i & 1 ? 2 : 0, &error);
    }
    draw();
    // Rectangles use the texture of the font: all in one.
    assert_int_equal(stage.stats.draw_calls, 1);
  }
  assert_int_equal(stage.memory.allocation_count, allocations);
  overlay_begin(overlay, STAGE_WIDTH, STAGE_HEIGHT);
  for (int i = 0; i < 20000; i++)
    overlay_rectangle(overlay, 1, 2, 30, 40, RED, 0, &error);
  draw();
  assert_int_equal(stage.stats.draw_calls, 3);
  assert_int_equal(stage.stats.triangles, 40000);
}

// All sizes of all letters do not fit: what is missing is blank, and there again in the next frame.
static void test_full_atlas_starts_anew(void **state) {
  (void)state;
  Error error = {0};
  Font *font = font_create(&stage.memory, stage.gpu, font_bytes, &error);
  int blank_count = 0;
  for (int size = 300; size < 1024; size += 10) {
    for (uint32_t c = 'A'; c <= 'Z'; c++)
      blank_count += font_glyph(font, c, size).width == 0;
  }
  assert_true(blank_count > 0);
  int width, height;
  assert_non_null(font_texture(font, &width, &height, &error));
  font_begin(font);
  assert_true(font_glyph(font, 'Z', 1020).width > 0);
  assert_non_null(font_texture(font, &width, &height, &error));
  font_free(font);
}

// --- Pixels ---

static void test_rectangles(void **state) {
  (void)state;
  Error error = {0};
  overlay_rectangle(overlay, 10, 20, 30, 5, RED, 0, &error);
  overlay_rectangle(overlay, 100, 50, 20, 20, GREEN, 3, &error);
  overlay_rectangle(overlay, 0, 239, 320, 1, (Color){0, 0, 1, 0.5f}, 0, &error);
  draw();
  int red = 0, green = 0;
  for (int i = 0; i < STAGE_WIDTH * STAGE_HEIGHT; i++) {
    red += stage.pixels[4 * i] == 255;
    green += stage.pixels[4 * i + 1] == 255;
  }
  assert_int_equal(red, 30 * 5);
  assert_int_equal(green, 20 * 20 - 14 * 14);
  stage_expect(&stage, 10, 20, vec3(1, 0, 0), 0);
  stage_expect(&stage, 39, 24, vec3(1, 0, 0), 0);
  stage_expect(&stage, 40, 24, vec3(0, 0, 0), 0);
  stage_expect(&stage, 110, 60, vec3(0, 0, 0), 0);
  stage_expect(&stage, 319, 239, vec3(0, 0, 0.5f), 1);
  assert_int_equal(stage_pixel(&stage, 319, 239)[3], 255);
}

static void test_images_are_exact_and_in_order(void **state) {
  (void)state;
  Error error = {0};
  uint32_t pixels[64 * 32];
  for (uint32_t i = 0; i < 64 * 32; i++)
    pixels[i] = (i % 64 * 4) << 24 | (i / 64 * 8) << 16 | 0x40ff;
  Image image = shape_image(64, 32, pixels);
  Texture *texture = renderer_upload_image(stage.renderer, &image, &error);
  free(image.pixels);
  overlay_rectangle(overlay, 0, 0, 200, 100, GREEN, 0, &error);
  overlay_image(overlay, texture, 20, 30, 64, 32, WHITE, NULL, &error);
  overlay_image(overlay, texture, 120, 30, 8, 8, (Color){0.5f, 1, 1, 1}, (const float[4]){16, 8, 8, 8}, &error);
  overlay_rectangle(overlay, 25, 35, 4, 4, RED, 0, &error);
  draw();
  assert_int_equal(stage.stats.draw_calls, 3);
  for (int y = 0; y < 32; y++) {
    for (int x = 0; x < 64; x++) {
      bool is_covered = x >= 5 && x < 9 && y >= 5 && y < 9;
      Vec3 color = vec3((float)x * 4 / 255, (float)y * 8 / 255, 64 / 255.0f);
      stage_expect(&stage, 20 + x, 30 + y, is_covered ? vec3(1, 0, 0) : color, 1);
    }
  }
  stage_expect(&stage, 122, 33, vec3(18 * 2 / 255.0f, 11 * 8 / 255.0f, 64 / 255.0f), 1);
  stage_expect(&stage, 128, 33, vec3(0, 1, 0), 0);
  uint8_t *first = malloc(sizeof stage.pixels);
  memcpy(first, stage.pixels, sizeof stage.pixels);
  draw();
  assert_memory_equal(first, stage.pixels, sizeof stage.pixels);
  free(first);
  renderer_free_texture(stage.renderer, texture);
}

static Bounds find_ink(void) {
  Bounds ink = BOUNDS_EMPTY;
  for (int i = 0; i < STAGE_WIDTH * STAGE_HEIGHT; i++) {
    if (stage.pixels[4 * i] > 0)
      ink = bounds_add_point(ink, vec3((float)(i % STAGE_WIDTH), (float)(i / STAGE_WIDTH), stage.pixels[4 * i]));
  }
  return ink;
}

static void test_text_lies_where_it_was_measured(void **state) {
  (void)state;
  for (int align = 0; align < 3; align++) {
    TextStyle style = {.size = 24, .color = WHITE, .align = (TextAlign)align};
    Vec3 size = measure("\xc3\x84g Hn", &style);
    overlay_begin(overlay, STAGE_WIDTH, STAGE_HEIGHT);
    write_text("\xc3\x84g Hn", 160, 50, &style);
    draw();
    Bounds ink = find_ink();
    float left = 160 - size.x * (float)align / 2;
    assert_true(ink.min.x >= left - 1 && ink.min.x <= left + 4);
    assert_true(ink.max.x <= left + size.x + 1 && ink.max.x >= left + size.x - 5);
    assert_true(ink.min.y >= 49 && ink.max.y <= 50 + size.y);
    assert_true(ink.max.y - ink.min.y > 15);
    assert_true(ink.max.z == 255);
  }
}

static void test_text_stays_when_the_atlas_grows(void **state) {
  (void)state;
  const TextStyle small = {.size = 18, .color = WHITE}, large = {.size = 200, .color = WHITE};
  write_text("Palfrey", 10, 10, &small);
  draw();
  uint8_t *first = malloc(sizeof stage.pixels);
  memcpy(first, stage.pixels, sizeof stage.pixels);
  overlay_begin(overlay, STAGE_WIDTH, STAGE_HEIGHT);
  write_text("Palfrey", 10, 10, &small);
  write_text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 10, 1000, &large);
  draw();
  assert_memory_equal(first, stage.pixels, sizeof stage.pixels);
  free(first);
}

int main(void) {
#define NULL_TEST(function) cmocka_unit_test_setup_teardown(function, open_null, close_null)
#define GL_TEST(function) cmocka_unit_test_setup_teardown(function, open_gl, close_gl)
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_utf8),
      NULL_TEST(test_lines),
      NULL_TEST(test_measure),
      NULL_TEST(test_broken_fonts_are_refused),
      NULL_TEST(test_batches_and_memory),
      NULL_TEST(test_full_atlas_starts_anew),
      GL_TEST(test_rectangles),
      GL_TEST(test_images_are_exact_and_in_order),
      GL_TEST(test_text_lies_where_it_was_measured),
      GL_TEST(test_text_stays_when_the_atlas_grows),
  };
  read_font();
  int failures = cmocka_run_group_tests(tests, NULL, NULL);
  free(font_bytes.data);
  return failures;
}
