#include "stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "offscreen.h"

static void check(bool is_right, const Error *error) {
  if (!is_right) fail_msg("%s", error->text);
}

void stage_open(Stage *stage, DeviceLimit limit, bool is_null) {
  Error error = {0};
  memset(stage, 0, sizeof *stage);
  GpuDesc desc = {.is_null = is_null, .limit = limit, .reports_errors = true, .load = is_null ? NULL : offscreen_load};
  stage->gpu = gpu_create(&stage->memory, &desc, &error);
  check(stage->gpu != NULL, &error);
  stage->renderer = renderer_create(&stage->memory, stage->gpu, &error);
  check(stage->renderer != NULL, &error);
  stage->target = gpu_target_create(stage->gpu, STAGE_WIDTH, STAGE_HEIGHT, &error);
  check(stage->target != NULL, &error);
  gpu_target_bind(stage->gpu, stage->target);
}

void stage_close(Stage *stage) {
  renderer_free(stage->renderer);
  gpu_target_free(stage->gpu, stage->target);
  assert_int_equal(gpu_error_count(stage->gpu), stage->expected_errors);
  gpu_free(stage->gpu);
  assert_int_equal(stage->memory.live_bytes, 0);
}

void stage_read(Stage *stage) {
  gpu_read_pixels(stage->gpu, STAGE_HEIGHT, 0, 0, STAGE_WIDTH, STAGE_HEIGHT, stage->pixels);
}

void stage_draw(Stage *stage, const DrawScene *scene) {
  Error error = {0};
  stage->stats = (RenderStats){0};
  check(renderer_draw(stage->renderer, scene, STAGE_WIDTH, STAGE_HEIGHT, &stage->stats, &error), &error);
  stage_read(stage);
}

const uint8_t *stage_pixel(const Stage *stage, int x, int y) {
  assert_in_range(x, 0, STAGE_WIDTH - 1);
  assert_in_range(y, 0, STAGE_HEIGHT - 1);
  return stage->pixels + 4 * (y * STAGE_WIDTH + x);
}

void stage_expect(const Stage *stage, int x, int y, Vec3 color, int tolerance) {
  const uint8_t *pixel = stage_pixel(stage, x, y);
  const float parts[3] = {color.x, color.y, color.z};
  for (int i = 0; i < 3; i++) {
    int wanted = (int)(clampf(parts[i], 0, 1) * 255 + 0.5f);
    if (abs(wanted - pixel[i]) > tolerance)
      fail_msg("pixel %d,%d is %d %d %d; channel %d should be %d", x, y, pixel[0], pixel[1], pixel[2], i, wanted);
  }
}
