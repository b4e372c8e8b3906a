#ifndef TESTS_STAGE_H
#define TESTS_STAGE_H
// A renderer with a picture of 320 x 240 pixels and what tests draw in it.
#include "engine/render.h"

enum { STAGE_WIDTH = 320, STAGE_HEIGHT = 240 };

typedef struct Stage {
  Memory memory;
  Gpu *gpu;
  Renderer *renderer;
  GpuTarget *target;
  RenderStats stats;    ///< of the last picture
  int expected_errors;  ///< of the driver
  uint8_t pixels[STAGE_WIDTH * STAGE_HEIGHT * 4];
} Stage;

/// With `is_null` nothing needs a context.
void stage_open(Stage *stage, DeviceLimit limit, bool is_null);

/// Fails the test when the driver reported an error or memory is left.
void stage_close(Stage *stage);

/// Draws and reads the picture.
void stage_draw(Stage *stage, const DrawScene *scene);
void stage_read(Stage *stage);

const uint8_t *stage_pixel(const Stage *stage, int x, int y);

/// Fails unless the pixel is within `tolerance` (of 255) of a colour of 0..1, cut at 1.
void stage_expect(const Stage *stage, int x, int y, Vec3 color, int tolerance);

#endif
