// PNG, JPEG and GIF from tests/data/images, the choice of the loader, the PNG encoder, and all of it out of memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka needs the four above.
#include <cmocka.h>
#include <stdlib.h>

#include "image_check.h"
#include "loaders/image_describe.h"

// The PNG and GIF files hold 9 x 5 pixels by a formula.
enum { WIDTH = 9, HEIGHT = 5, MAX_FILE_SIZE = 4096 };

typedef struct TestFile {
  char path[128];
  uint8_t data[MAX_FILE_SIZE];
  size_t size;
} TestFile;

static Bytes read_file(TestFile *file, const char *name) {
  snprintf(file->path, sizeof file->path, "tests/data/images/%s", name);
  FILE *stream = fopen(file->path, "rb");
  if (!stream) fail_msg("cannot open %s", file->path);
  file->size = fread(file->data, 1, sizeof file->data, stream);
  fclose(stream);
  return (Bytes){file->data, file->size};
}

static void load_file(Memory *memory, const char *name, Image *image) {
  TestFile file;
  Bytes bytes = read_file(&file, name);
  check_loads(memory, file.path, bytes, image);
}

/// Compares every pixel with a formula.
static void check_formula(const char *name, int channels, void (*formula)(int x, int y, int pixel[4])) {
  Memory memory = {0};
  Image image;
  load_file(&memory, name, &image);
  assert_int_equal(image.width, WIDTH);
  assert_int_equal(image.height, HEIGHT);
  assert_int_equal(image.source_channels, channels);
  assert_int_equal(image.warning_count, 0);
  bool has_alpha = false;
  for (int y = 0; y < HEIGHT; y++) {
    for (int x = 0; x < WIDTH; x++) {
      int expected[4] = {0, 0, 0, 255};
      formula(x, y, expected);
      has_alpha = has_alpha || expected[3] != 255;
      for (int i = 0; i < 4; i++) {
        int value = image.pixels[(y * WIDTH + x) * 4 + i];
        if (value != expected[i]) fail_msg("%s: %d,%d channel %d is %d, not %d", name, x, y, i, value, expected[i]);
      }
    }
  }
  assert_int_equal(image.has_alpha, has_alpha);
  image_free(&memory, &image);
  assert_int_equal(memory.live_bytes, 0);
}

static void set_color(int x, int y, int pixel[4]) {
  pixel[0] = 25 * x, pixel[1] = 50 * y, pixel[2] = 15 * (x + y);
}

static void set_color_and_alpha(int x, int y, int pixel[4]) {
  set_color(x, y, pixel);
  pixel[3] = 255 - 20 * x;
}

static void set_color_and_key(int x, int y, int pixel[4]) {
  set_color(x, y, pixel);
  if (x == 2 && y == 2) pixel[3] = 0;
}

static void set_grey(int x, int y, int pixel[4]) {
  (void)y;
  pixel[0] = pixel[1] = pixel[2] = 25 * x;
}

static void set_grey_and_alpha(int x, int y, int pixel[4]) {
  set_grey(x, y, pixel);
  pixel[3] = 255 - 20 * x;
}

static void set_grey_and_key(int x, int y, int pixel[4]) {
  set_grey(x, y, pixel);
  if (x == 3) pixel[3] = 0;
}

static void set_1_bit(int x, int y, int pixel[4]) {
  pixel[0] = pixel[1] = pixel[2] = 255 * ((x + y) & 1);
}

static void set_2_bits(int x, int y, int pixel[4]) {
  pixel[0] = pixel[1] = pixel[2] = 85 * ((x + y) & 3);
}

static void set_palette(int x, int y, int pixel[4]) {
  int index = x + y;
  pixel[0] = 16 * index, pixel[1] = 255 - 16 * index, pixel[2] = index;
}

static void set_palette_and_alpha(int x, int y, int pixel[4]) {
  set_palette(x, y, pixel);
  if (x + y < 2) pixel[3] = x + y == 0 ? 0 : 128;
}

static void test_png_kinds(void **state) {
  (void)state;
  check_formula("rgb8.png", 3, set_color);
  check_formula("rgb8_interlaced.png", 3, set_color);
  check_formula("rgb16.png", 3, set_color);
  check_formula("rgb8_key.png", 4, set_color_and_key);
  check_formula("rgba8.png", 4, set_color_and_alpha);
  check_formula("rgba16_interlaced.png", 4, set_color_and_alpha);
  check_formula("grey8.png", 1, set_grey);
  check_formula("grey1.png", 1, set_1_bit);
  check_formula("grey2_interlaced.png", 1, set_2_bits);
  check_formula("grey16_key.png", 2, set_grey_and_key);
  check_formula("grey_alpha8.png", 2, set_grey_and_alpha);
  check_formula("palette4.png", 3, set_palette);
  check_formula("palette4_alpha.png", 4, set_palette_and_alpha);
  check_formula("text_profile.png", 1, set_grey);
}

static void test_png_refused(void **state) {
  (void)state;
  TestFile file;
  Bytes bytes = read_file(&file, "rgb8.png");
  // Without the end chunk all pixels are there; what ends before names the place.
  for (size_t size = 8; size < bytes.size - 12; size++) {
    char place[64];
    snprintf(place, sizeof place, "offset 0x%zx: the file ends", size);
    check_refused(file.path, check_bytes(bytes.data, size), place);
  }
  bytes.data[45]++;
  check_refused(file.path, bytes, "damaged PNG");
  read_file(&file, "rgb8.png");
  memset(file.data + 16, 0, 4);
  check_refused(file.path, bytes, "0 x 5 pixels");
  memcpy(file.data + 16, "\0\1\x86\xA0\0\1\x86\xA0", 8);
  check_refused(file.path, bytes, "100000 x 100000 pixels, expected at most 8192");
  memcpy(file.data + 16, "\0\0\x20\0\0\0\x10\0", 8);
  check_refused(file.path, bytes, "8192 x 4096 pixels do not fit");
  check_refused("a.png", check_bytes((uint8_t *)"GIFT or something else", 22), "no PNG signature");
}

/// Two halves of 16 x 16 pixels each; JPEG may be off by a little, and by more where the colours of the halves meet.
static void check_halves(const char *name, int channels, const uint8_t left[3], const uint8_t right[3]) {
  Memory memory = {0};
  Image image;
  load_file(&memory, name, &image);
  assert_int_equal(image.width, 32);
  assert_int_equal(image.height, 16);
  assert_int_equal(image.source_channels, channels);
  assert_false(image.has_alpha);
  for (int i = 0; i < 32 * 16 * 4; i++) {
    int x = i / 4 % 32;
    if (i % 4 == 3 || x == 15 || x == 16) continue;
    int expected = x < 16 ? left[i % 4] : right[i % 4];
    if (abs(image.pixels[i] - expected) > 4) fail_msg("%s: %d is %d, not %d", name, i, image.pixels[i], expected);
  }
  assert_int_equal(image.warning_count, 0);
  image_free(&memory, &image);
}

static void test_jpeg_kinds(void **state) {
  (void)state;
  static const uint8_t DARK[3] = {40, 40, 40}, LIGHT[3] = {200, 200, 200};
  static const uint8_t RED[3] = {200, 30, 20}, BLUE[3] = {10, 60, 220};
  static const uint8_t CYAN[3] = {0, 255, 255}, ORANGE[3] = {191, 95, 0};  // the second has a quarter of black
  check_halves("grey.jpg", 1, DARK, LIGHT);
  check_halves("color.jpg", 3, RED, BLUE);
  check_halves("color_progressive.jpg", 3, RED, BLUE);
  check_halves("color_rgb.jpg", 3, RED, BLUE);
  check_halves("cmyk.jpg", 3, CYAN, ORANGE);
  check_halves("cmyk_adobe.jpg", 3, CYAN, ORANGE);
  check_halves("ycck_adobe.jpg", 3, CYAN, ORANGE);
}

static size_t find_last(Bytes bytes, const char *marker) {
  for (size_t i = bytes.size - 2; i > 0; i--) {
    if (memcmp(bytes.data + i, marker, 2) == 0) return i;
  }
  fail_msg("no marker");
  return 0;
}

static void test_jpeg_refused(void **state) {
  (void)state;
  TestFile file;
  Bytes bytes = read_file(&file, "color.jpg");
  check_refused(file.path, check_bytes(bytes.data, 100), "offset 0x64: damaged JPEG");
  size_t frame = find_last(bytes, "\xff\xc0");
  memcpy(bytes.data + frame + 5, "\x10\0\x20\0", 4);
  check_refused(file.path, bytes, "8192 x 4096 pixels do not fit");
  memcpy(bytes.data + frame + 5, "\xfd\xe8\xfd\xe8", 4);
  check_refused(file.path, bytes, "65000 x 65000 pixels, expected at most");
}

static void test_jpeg_with_many_scans(void **state) {
  (void)state;
  TestFile file;
  Bytes bytes = read_file(&file, "color_progressive.jpg");
  size_t scan = find_last(bytes, "\xff\xda"), scan_size = bytes.size - 2 - scan;
  Memory memory = {0};
  Bytes bomb = {memory_alloc(&memory, scan + 200 * scan_size + 2), 0};
  memcpy(bomb.data, bytes.data, scan);
  for (int i = 0; i < 200; i++)
    memcpy(bomb.data + scan + (size_t)i * scan_size, bytes.data + scan, scan_size);
  bomb.size = scan + 200 * scan_size + 2;
  memcpy(bomb.data + bomb.size - 2, "\xff\xd9", 2);
  check_refused(file.path, bomb, "more than 100 scans");
  memory_free(&memory, bomb.data);
}

static void test_jpeg_cut_is_repaired(void **state) {
  (void)state;
  TestFile file;
  Bytes bytes = read_file(&file, "grey.jpg");
  Memory memory = {0};
  Image image;
  check_loads(&memory, file.path, check_bytes(bytes.data, bytes.size - 4), &image);
  assert_int_equal(image.warning_count, 1);
  assert_non_null(strstr(image.warnings[0], "offset 0x"));
  image_free(&memory, &image);
}

static int gif_index(int x, int y) {
  return (x + 2 * y) & 3;
}

static void set_gif(int x, int y, int pixel[4]) {
  int index = gif_index(x, y);
  pixel[0] = 60 * index, pixel[1] = 255 - 60 * index, pixel[2] = 10 * index;
}

static void set_gif_local(int x, int y, int pixel[4]) {
  int index = gif_index(x, y);
  pixel[0] = 255 - index, pixel[1] = index, pixel[2] = 7 * index;
}

static void clear(int pixel[4]) {
  memset(pixel, 0, 4 * sizeof *pixel);
}

static void set_gif_without_2(int x, int y, int pixel[4]) {
  set_gif(x, y, pixel);
  if (gif_index(x, y) == 2) clear(pixel);
}

static void set_gif_without_1(int x, int y, int pixel[4]) {
  set_gif(x, y, pixel);
  if (gif_index(x, y) == 1) clear(pixel);
}

static void set_gif_at_2_1(int x, int y, int pixel[4]) {
  set_gif(x - 2, y - 1, pixel);
  if (x < 2 || x >= 6 || y < 1 || y >= 4) clear(pixel);
}

static void test_gif_kinds(void **state) {
  (void)state;
  check_formula("plain.gif", 3, set_gif);
  check_formula("transparent.gif", 4, set_gif_without_2);
  check_formula("two_frames.gif", 4, set_gif_without_1);
  check_formula("offset.gif", 4, set_gif_at_2_1);
  check_formula("local_palette.gif", 3, set_gif_local);
}

static void test_gif_interlaced(void **state) {
  (void)state;
  Memory memory = {0};
  Image image;
  load_file(&memory, "interlaced.gif", &image);
  assert_int_equal(image.height, 20);
  for (int i = 0; i < 3 * 20; i++)
    assert_int_equal(image.pixels[4 * i], 60 * gif_index(i % 3, i / 3));
  image_free(&memory, &image);
}

static void test_gif_odd_frames(void **state) {
  (void)state;
  Memory memory = {0};
  Image image;
  load_file(&memory, "beyond_screen.gif", &image);
  assert_int_equal(image.width, 6);
  assert_int_equal(image.height, 4);
  assert_int_equal(image.warning_count, 1);
  assert_int_equal(image.pixels[3], 0);
  assert_int_equal(image.pixels[(1 * 6 + 2) * 4 + 3], 255);
  image_free(&memory, &image);
  // One red pixel: codes clear, 0, end of three bits each.
  static uint8_t pixel[] = {'G', 'I', 'F', '8', '7', 'a', 1, 0, 1, 0, 0x80, 0, 0, 255,  0, 0, 0,  0,
                            0,   ',', 0,   0,   0,   0,   1, 0, 1, 0, 0,    2, 2, 0x44, 1, 0, ';'};
  check_picture("a.gif", check_bytes(pixel, sizeof pixel), "r", 3, NULL);
}

static void test_gif_refused(void **state) {
  (void)state;
  TestFile file;
  Bytes bytes = read_file(&file, "no_palette.gif");
  check_refused(file.path, bytes, "has a palette");
  bytes = read_file(&file, "no_frame.gif");
  check_refused(file.path, bytes, "expected a picture");
  bytes = read_file(&file, "plain.gif");
  for (size_t size = 6; size < bytes.size - 4; size++)
    check_refused(file.path, check_bytes(bytes.data, size), ": offset 0x");
  memcpy(file.data + 6, "\0\x20\0\x10", 4);
  check_refused(file.path, bytes, "8192 x 4096 pixels do not fit");
}

static void test_format_is_found_by_content_then_name(void **state) {
  (void)state;
  TestFile file;
  Bytes bytes = read_file(&file, "rgb8.png");
  Memory memory = {0};
  Image image;
  check_loads(&memory, "misnamed.jpg", bytes, &image);
  assert_string_equal(image.format, "png");
  image_free(&memory, &image);
  assert_true(image_is_known(bytes, "no name"));
  assert_true(image_is_known((Bytes){0}, "textures/a.TGA"));
  assert_false(image_is_known((Bytes){0}, "folder.tga/readme"));
  assert_false(image_is_known(check_bytes((uint8_t *)"text", 4), "readme.txt"));
  check_refused("readme.txt", check_bytes((uint8_t *)"text", 4),
                "unknown image format, expected one of: png, jpeg, gif, bmp, pcx, tga");
  static const char *const NAMES[] = {"a.png", "a.jpg", "a.gif", "a.bmp", "a.pcx", "a.tga"};
  for (int i = 0; i < 6; i++)
    check_refused(NAMES[i], check_bytes(file.data, 0), ": offset 0x0: ");
}

static void test_encoded_png_is_the_same(void **state) {
  (void)state;
  for (int channels = 3; channels <= 4; channels++) {
    Memory memory = {0};
    uint8_t pixels[7 * 3 * 4];
    for (int i = 0; i < 7 * 3 * channels; i++)
      pixels[i] = (uint8_t)(i * 37);
    Bytes first, second;
    Error error = {0};
    assert_true(image_encode_png(&memory, pixels, 7, 3, channels, &first, &error));
    assert_true(image_encode_png(&memory, pixels, 7, 3, channels, &second, &error));
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    memory_free(&memory, second.data);
    Image image;
    check_loads(&memory, "a.png", first, &image);
    assert_int_equal(image.source_channels, channels);
    for (int i = 0; i < 7 * 3; i++)
      assert_memory_equal(image.pixels + 4 * i, pixels + channels * i, (size_t)channels);
    assert_false(image_encode_png(&memory, pixels, 7, 3, 2, &second, &error));
    assert_true(error.is_mistake);
    image_free(&memory, &image);
    memory_free(&memory, first.data);
    assert_int_equal(memory.live_bytes, 0);
  }
}

static void test_exhausted_memory(void **state) {
  (void)state;
  static const char *const NAMES[] = {"rgb8.png",  "palette4_alpha.png", "rgba16_interlaced.png",
                                      "color.jpg", "plain.gif",          "interlaced.gif"};
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    TestFile file;
    Bytes bytes = read_file(&file, NAMES[i]);
    bool is_good = false;
    for (long n = 1; !is_good; n++) {
      Memory memory = {.fail_after = n};
      Image image;
      Error error = {0};
      is_good = image_load(&memory, file.path, bytes, &image, &error);
      assert_int_equal(is_good, error.text[0] == '\0');
      assert_true(n < 1000);
      image_free(&memory, &image);
      assert_int_equal(memory.live_bytes, 0);
    }
  }
}

static void test_exhausted_memory_of_encoder(void **state) {
  (void)state;
  uint8_t pixels[64 * 64 * 3];
  uint32_t value = 1;
  for (size_t i = 0; i < sizeof pixels; i++)
    pixels[i] = (uint8_t)((value = value * 1664525 + 1013904223) >> 24);
  bool is_good = false;
  for (long n = 1; !is_good; n++) {
    Memory memory = {.fail_after = n};
    Bytes png;
    Error error = {0};
    is_good = image_encode_png(&memory, pixels, 64, 64, 3, &png, &error);
    assert_int_equal(is_good, error.text[0] == '\0');
    assert_int_equal(is_good, !error.is_out_of_memory);
    memory_free(&memory, png.data);
    assert_int_equal(memory.live_bytes, 0);
  }
}

static void test_description(void **state) {
  (void)state;
  uint8_t pixels[4] = {1, 2, 3, 4};
  Image image = {.width = 1, .height = 1, .pixels = pixels, .source_channels = 4, .format = "pcx"};
  Memory memory = {0};
  TextBuffer json = {.memory = &memory};
  Error error = {0};
  assert_true(image_describe_json(&image, &json, &error));
  assert_string_equal(text_buffer_string(&json),
                      "{\"format\":\"pcx\",\"width\":1,\"height\":1,\"channels\":4,\"rgba_crc32\":\"b63cfbcd\","
                      "\"warnings\":[]}");
  text_buffer_free(&json);
  image_warn(&image, "a \"quoted\"\n\\ text");
  image_warn(&image, "second");
  for (int i = 0; i < IMAGE_MAX_WARNINGS; i++)
    image_warn(&image, "%0300d", 1);
  assert_int_equal(image.warning_count, IMAGE_MAX_WARNINGS);
  assert_true(image_describe_json(&image, &json, &error));
  assert_non_null(strstr(text_buffer_string(&json), "[\"a \\\"quoted\\\"\\u000a\\\\ text\",\"second\",\"000"));
  text_buffer_free(&json);
  memory.fail_after = 1;
  assert_false(image_describe_json(&image, &json, &error));
  assert_true(error.is_out_of_memory);
  assert_int_equal(memory.live_bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_png_kinds),
      cmocka_unit_test(test_png_refused),
      cmocka_unit_test(test_jpeg_kinds),
      cmocka_unit_test(test_jpeg_refused),
      cmocka_unit_test(test_jpeg_with_many_scans),
      cmocka_unit_test(test_jpeg_cut_is_repaired),
      cmocka_unit_test(test_gif_kinds),
      cmocka_unit_test(test_gif_interlaced),
      cmocka_unit_test(test_gif_odd_frames),
      cmocka_unit_test(test_gif_refused),
      cmocka_unit_test(test_format_is_found_by_content_then_name),
      cmocka_unit_test(test_encoded_png_is_the_same),
      cmocka_unit_test(test_exhausted_memory),
      cmocka_unit_test(test_exhausted_memory_of_encoder),
      cmocka_unit_test(test_description),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
