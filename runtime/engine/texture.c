#include "engine/texture.h"

#include <string.h>

static int power_of_two_above(int value) {
  int power = 1;
  while (power < value)
    power *= 2;
  return power;
}

// The side an image gets on the GPU.
static int device_side(const DeviceProfile *profile, int side) {
  if (!profile->has_npot_textures) side = power_of_two_above(side);
  while (side > profile->max_texture_size)
    side /= 2;
  return side > 0 ? side : 1;
}

// One row or column of pixels, `step` bytes apart.
typedef struct Line {
  const uint8_t *source;
  uint8_t *target;
  size_t source_step, target_step;
  int source_count, target_count;
} Line;

// Resizes by a triangle filter that covers at least two source pixels, so that it smooths and averages alike. Colours
// count by their alpha: what cannot be seen must not show at the edges.
static void resize_line(Line line) {
  float scale = (float)line.source_count / (float)line.target_count, reach = scale > 1 ? scale : 1;
  for (int i = 0; i < line.target_count; i++) {
    float center = ((float)i + 0.5f) * scale - 0.5f;
    float color[3] = {0}, alpha = 0, weights = 0;
    for (int k = (int)ceilf(center - reach); k <= (int)floorf(center + reach); k++) {
      int at = k < 0 ? 0 : k >= line.source_count ? line.source_count - 1 : k;
      const uint8_t *pixel = line.source + (size_t)at * line.source_step;
      float weight = 1 - fabsf((float)k - center) / reach, weighted = weight * ((float)pixel[3] + 0.01f);
      for (int c = 0; c < 3; c++)
        color[c] += weighted * pixel[c];
      alpha += weighted;
      weights += weight;
    }
    uint8_t *pixel = line.target + (size_t)i * line.target_step;
    for (int c = 0; c < 3; c++)
      pixel[c] = (uint8_t)clampf(alpha > 0 ? color[c] / alpha + 0.5f : 0, 0, 255);
    pixel[3] = (uint8_t)clampf(weights > 0 ? alpha / weights + 0.49f : 0, 0, 255);
  }
}

static bool resize(Memory *memory, const Image *image, int width, int height, uint8_t **pixels, Error *error) {
  size_t source_row = (size_t)image->width * 4, row = (size_t)width * 4;
  uint8_t *wide = memory_alloc_array(memory, (size_t)image->height, row);
  *pixels = memory_alloc_array(memory, (size_t)height, row);
  if (!wide || !*pixels) {
    memory_free(memory, wide);
    memory_free(memory, *pixels);
    return error_set_out_of_memory(error);
  }
  for (int y = 0; y < image->height; y++)
    resize_line((Line){image->pixels + (size_t)y * source_row, wide + (size_t)y * row, 4, 4, image->width, width});
  for (int x = 0; x < width; x++)
    resize_line((Line){wide + 4 * (size_t)x, *pixels + 4 * (size_t)x, row, row, image->height, height});
  memory_free(memory, wide);
  return true;
}

static void look_at_pixels(const Image *image, Texture *texture) {
  double sum[4] = {0};
  size_t count = (size_t)image->width * (size_t)image->height;
  bool is_binary = true;
  for (size_t i = 0; i < count; i++) {
    const uint8_t *pixel = image->pixels + 4 * i;
    for (int c = 0; c < 3; c++)
      sum[c] += pixel[c] * (pixel[3] / 255.0);
    sum[3] += pixel[3] / 255.0;
    is_binary = is_binary && (pixel[3] == 0 || pixel[3] == 255);
  }
  double total = sum[3] > 0 ? sum[3] * 255 : 1;
  texture->average = (Color){(float)(sum[0] / total), (float)(sum[1] / total), (float)(sum[2] / total), 1};
  bool is_opaque = sum[3] == (double)count;
  texture->alpha = is_opaque ? TEXTURE_OPAQUE : is_binary ? TEXTURE_CUTOUT : TEXTURE_TRANSLUCENT;
}

// Fills an empty texture.
static bool upload(Memory *memory, Gpu *gpu, const Image *image, Texture *texture, Error *error) {
  int width = device_side(gpu_profile(gpu), image->width), height = device_side(gpu_profile(gpu), image->height);
  uint8_t *resized = NULL;
  if ((width != image->width || height != image->height) && !resize(memory, image, width, height, &resized, error))
    return false;
  GpuTextureDesc desc = {
      .width = width, .height = height, .pixels = resized ? resized : image->pixels, .has_mipmaps = true};
  texture->width = image->width;
  texture->height = image->height;
  look_at_pixels(image, texture);
  texture->gpu = gpu_texture_create(gpu, &desc, error);
  // With all mipmaps a third more.
  texture->bytes = (size_t)width * (size_t)height * 16 / 3;
  memory_free(memory, resized);
  return texture->gpu != NULL;
}

Texture *texture_create(Memory *memory, Gpu *gpu, const Image *image, uint32_t serial, Error *error) {
  Texture *texture = memory_alloc(memory, sizeof *texture);
  if (!texture) {
    error_set_out_of_memory(error);
    return NULL;
  }
  *texture = (Texture){.serial = serial};
  if (upload(memory, gpu, image, texture, error)) return texture;
  memory_free(memory, texture);
  return NULL;
}

bool texture_replace(Memory *memory, Gpu *gpu, Texture *texture, const Image *image, Error *error) {
  Texture replacement = {.serial = texture->serial};
  if (!upload(memory, gpu, image, &replacement, error)) return false;
  gpu_texture_free(gpu, texture->gpu);
  *texture = replacement;
  return true;
}

void texture_free(Memory *memory, Gpu *gpu, Texture *texture) {
  if (!texture) return;
  gpu_texture_free(gpu, texture->gpu);
  memory_free(memory, texture);
}

size_t texture_bytes(const Texture *texture) {
  return texture->bytes;
}

void texture_size(const Texture *texture, int *width, int *height) {
  *width = texture->width;
  *height = texture->height;
}
