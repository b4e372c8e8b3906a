#ifndef PALFREY_ENGINE_TEXTURE_H
#define PALFREY_ENGINE_TEXTURE_H
// An image on the GPU; only the renderer's own files include this.
#include "engine/render.h"

/// What the alpha of an image is good for.
typedef enum TextureAlpha {
  TEXTURE_OPAQUE = 0,
  TEXTURE_CUTOUT,  ///< every pixel is there or not
  TEXTURE_TRANSLUCENT,
} TextureAlpha;

struct Texture {
  GpuTexture *gpu;
  int width, height;  ///< of the image; on the GPU it may be another
  TextureAlpha alpha;
  Color average;
  uint32_t serial;  ///< in the order of making, for sorting
  size_t bytes;
};

Texture *texture_create(Memory *memory, Gpu *gpu, const Image *image, uint32_t serial, Error *error);

/// Shows another image from now on. On failure nothing changes.
bool texture_replace(Memory *memory, Gpu *gpu, Texture *texture, const Image *image, Error *error);

void texture_free(Memory *memory, Gpu *gpu, Texture *texture);

#endif
