#ifndef PALFREY_TESTS_IMAGE_CHECK_H
#define PALFREY_TESTS_IMAGE_CHECK_H
// What the tests of images share: loading with a check for leaks, and pictures written as letters. Include cmocka
// first.
#include <stdio.h>
#include <string.h>

#include "loaders/image.h"

/// The colour of a letter: primaries and their mixtures, k black, w white, h half grey, . transparent black.
static inline const uint8_t *check_color(char letter) {
  static const char LETTERS[] = "krgbcmywh.";
  static const uint8_t COLORS[10][4] = {
      {0, 0, 0, 255},     {255, 0, 0, 255},   {0, 255, 0, 255},     {0, 0, 255, 255},     {0, 255, 255, 255},
      {255, 0, 255, 255}, {255, 255, 0, 255}, {255, 255, 255, 255}, {128, 128, 128, 255}, {0, 0, 0, 0}};
  const char *found = strchr(LETTERS, letter);
  assert_non_null(found);
  return COLORS[found - LETTERS];
}

/// Compares with rows of letters that are separated by slashes: "rg/bw".
static inline void check_letters(const Image *image, const char *expected) {
  const char *slash = strchr(expected, '/');
  assert_int_equal(image->width, slash ? slash - expected : (int)strlen(expected));
  assert_int_equal(image->height, ((int)strlen(expected) + 1) / (image->width + 1));
  for (int y = 0; y < image->height; y++) {
    for (int x = 0; x < image->width; x++) {
      const uint8_t *pixel = image->pixels + (y * image->width + x) * 4;
      const uint8_t *color = check_color(expected[y * (image->width + 1) + x]);
      if (memcmp(pixel, color, 4) != 0) {
        fail_msg("pixel %d,%d is %d,%d,%d,%d, expected %d,%d,%d,%d", x, y, pixel[0], pixel[1], pixel[2], pixel[3],
                 color[0], color[1], color[2], color[3]);
      }
    }
  }
}

static inline void check_loads(Memory *memory, const char *path, Bytes bytes, Image *image) {
  Error error = {0};
  if (!image_load(memory, path, bytes, image, &error)) fail_msg("%s", error.text);
}

/// Loads a picture that is written as letters; `word` is part of its warning, NULL for none.
static inline void check_picture(const char *path, Bytes bytes, const char *expected, int channels, const char *word) {
  Memory memory = {0};
  Image image;
  check_loads(&memory, path, bytes, &image);
  check_letters(&image, expected);
  assert_int_equal(image.source_channels, channels);
  assert_int_equal(image.warning_count > 0, word != NULL);
  if (word && !strstr(image.warnings[0], word)) fail_msg("warning: %s", image.warnings[0]);
  image_free(&memory, &image);
  assert_int_equal(memory.live_bytes, 0);
}

/// Expects a refusal whose text contains `word`, with nothing left behind and little memory ever taken.
static inline void check_refused(const char *path, Bytes bytes, const char *word) {
  Memory memory = {0};
  Image image;
  Error error = {0};
  assert_false(image_load(&memory, path, bytes, &image, &error));
  if (!strstr(error.text, word)) fail_msg("error: %s, expected: %s", error.text, word);
  assert_int_equal(strncmp(error.text, path, strlen(path)), 0);
  assert_null(image.pixels);
  assert_int_equal(memory.live_bytes, 0);
  assert_true(memory.peak_bytes < 1 << 20);
}

static inline Bytes check_bytes(uint8_t *data, size_t size) {
  return (Bytes){data, size};
}

#endif
