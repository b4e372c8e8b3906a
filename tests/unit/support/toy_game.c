#include "toy_game.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "put.h"

int toy_game_open(void **state) {
  ToyGame *game = calloc(1, sizeof *game);
  void *folder = NULL;
  if (!game || temp_folder_make(&folder) != 0) return 1;
  game->folder = folder;
  temp_write_text(game->folder, "game/main.lua", "");
  stage_open(&game->stage, DEVICE_LIMIT_PROFILE, true);
  game->files = files_create(&game->stage.memory, "test", &game->error);
  if (!game->files || !files_open_game(game->files, temp_path(game->folder, "game"), &game->error) ||
      !files_set_identity(game->files, "toy", &game->error) ||
      !(game->assets = assets_create(&game->stage.memory, game->files, game->stage.renderer, &game->error)))
    fail_msg("%s", game->error.text);
  *state = game;
  return 0;
}

int toy_game_close(void **state) {
  ToyGame *game = *state;
  void *folder = game->folder;
  assets_free(game->assets);
  files_free(game->files);
  stage_close(&game->stage);
  free(game);
  return temp_folder_remove(&folder);
}

static const char *game_path(const char *path) {
  static char full[TEMP_PATH];
  snprintf(full, sizeof full, "game/%s", path);
  return full;
}

void toy_write(const ToyGame *game, const char *path, const char *text) {
  temp_write_text(game->folder, game_path(path), text);
}

void toy_remove(const ToyGame *game, const char *path) {
  assert_int_equal(remove(temp_path(game->folder, game_path(path))), 0);
}

void toy_write_png(ToyGame *game, const char *path, int width, int height, const uint8_t rgba[4]) {
  Bytes png;
  uint8_t *pixels = test_malloc((size_t)width * (size_t)height * 4);
  for (int i = 0; i < width * height; i++)
    memcpy(pixels + 4 * i, rgba, 4);
  assert_true(image_encode_png(&game->stage.memory, pixels, width, height, 4, &png, &game->error));
  temp_write(game->folder, game_path(path), png.data, png.size);
  memory_free(&game->stage.memory, png.data);
  test_free(pixels);
}

enum {
  VERTEX_COUNT = 4,
  TRIANGLE_COUNT = 2,
  MAX_FRAMES = 32,
  FRAME_SIZE = 40 + 4 * VERTEX_COUNT,
  STS = 68,
  TRIANGLES = STS + 4 * VERTEX_COUNT,
  FRAMES = TRIANGLES + 12 * TRIANGLE_COUNT,
};

// Width and depth 1, around the origin; z is up in the file.
static void put_frame(uint8_t *frame, const char *name, size_t name_length, float height) {
  static const uint8_t CORNERS[VERTEX_COUNT][3] = {{0, 0, 0}, {255, 0, 0}, {255, 255, 255}, {0, 255, 255}};
  const float sizes[3] = {1, 1, height};
  for (int i = 0; i < 3; i++) {
    put_f32(frame + 4 * i, sizes[i] / 255);
    put_f32(frame + 12 + 4 * i, i < 2 ? -0.5f : 0);
  }
  memcpy(frame + 24, name, name_length < 15 ? name_length : 15);
  for (int i = 0; i < VERTEX_COUNT; i++)
    memcpy(frame + 40 + 4 * i, CORNERS[i], 3);
}

void toy_write_md2(const ToyGame *game, const char *path, const char *frames, float height) {
  static const uint16_t CORNERS[TRIANGLE_COUNT][3] = {{0, 1, 2}, {0, 2, 3}};
  uint8_t bytes[FRAMES + FRAME_SIZE * MAX_FRAMES] = {0};
  int count = 0;
  for (const char *name = frames; *name && count < MAX_FRAMES; count++) {
    size_t length = strcspn(name, " ");
    put_frame(bytes + FRAMES + count * FRAME_SIZE, name, length, height + (float)count);
    name += length + strspn(name + length, " ");
  }
  size_t size = FRAMES + (size_t)count * FRAME_SIZE;
  const uint32_t header[17] = {0x32504449,
                               8,
                               64,
                               64,
                               FRAME_SIZE,
                               0,
                               VERTEX_COUNT,
                               VERTEX_COUNT,
                               TRIANGLE_COUNT,
                               0,
                               (uint32_t)count,
                               STS,
                               STS,
                               TRIANGLES,
                               FRAMES,
                               (uint32_t)size,
                               (uint32_t)size};
  for (int i = 0; i < 17; i++)
    put_u32(bytes + 4 * i, header[i]);
  for (int i = 0; i < 3 * TRIANGLE_COUNT; i++) {
    uint8_t *triangle = bytes + TRIANGLES + 12 * (i / 3);
    put_u16(triangle + 2 * (i % 3), CORNERS[i / 3][i % 3]);
    put_u16(triangle + 6 + 2 * (i % 3), CORNERS[i / 3][i % 3]);
  }
  temp_write(game->folder, game_path(path), bytes, size);
}

int toy_reload(ToyGame *game, const char *path) {
  int reloaded = -1;
  if (!assets_reload(game->assets, path, &reloaded, &game->error)) fail_msg("%s", game->error.text);
  return reloaded;
}

void toy_refuse(ToyGame *game, const char *path, const char *part) {
  int reloaded = -1;
  assert_false(assets_reload(game->assets, path, &reloaded, &game->error));
  assert_int_equal(reloaded, 0);
  if (!strstr(game->error.text, part)) fail_msg("\"%s\" does not say \"%s\"", game->error.text, part);
}
