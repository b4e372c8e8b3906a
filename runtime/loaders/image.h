#ifndef PALFREY_LOADERS_IMAGE_H
#define PALFREY_LOADERS_IMAGE_H
// Images of all formats become RGBA, 8 bits a channel, top row first. The format is picked by content (TGA, which has no
// signature, by the file's name). Sizes are checked before anything is allocated.
#include "error.h"
#include "memory.h"

enum {
  IMAGE_MAX_SIDE = 8192,  ///< pixels
  IMAGE_MAX_PIXELS = 32 * 1024 * 1024,
  IMAGE_MAX_WARNINGS = 4,
};

typedef struct Image {
  int width, height;
  uint8_t *pixels;      ///< 4 * width * height bytes
  int source_channels;  ///< 1 grey, 2 grey and alpha, 3 colour, 4 colour and alpha, as the file has them
  const char *format;   ///< "png", "jpeg", "gif", "bmp", "tga", "pcx"
  bool has_alpha;       ///< some pixel is not opaque; image_load finds out
  char warnings[IMAGE_MAX_WARNINGS][128];
  int warning_count;
} Image;

typedef struct ImageLoader {
  const char *name;
  const char *extensions[3];     ///< lower case without dot, NULL after the last
  bool (*matches)(Bytes bytes);  ///< NULL for formats without a signature
  bool (*load)(Memory *memory, const char *path, Bytes bytes, Image *image, Error *error);
} ImageLoader;

extern const ImageLoader PNG_LOADER, JPEG_LOADER, GIF_LOADER, BMP_LOADER, TGA_LOADER, PCX_LOADER;

/// Whether the bytes or the name are those of an image.
bool image_is_known(Bytes bytes, const char *path);

/// Decodes an image; `path` starts the error's text. Free it with image_free. On failure the image is empty.
bool image_load(Memory *memory, const char *path, Bytes bytes, Image *image, Error *error);

/// Refuses sizes beyond the limits, and a header that claims more pixels than the whole file can hold at
/// `pixels_per_byte`, the densest its encoding gets: a small file must not cost much memory. Used by the loaders before
/// image_allocate.
bool image_check_density(const char *path, int64_t width, int64_t height, Bytes bytes, int64_t pixels_per_byte,
                         Error *error);

/// Makes room for the pixels, all transparent black, after checking the size; used by the loaders.
bool image_allocate(Memory *memory, const char *path, int64_t width, int64_t height, Image *image, Error *error);

/// Notes what was repaired. Those beyond IMAGE_MAX_WARNINGS are dropped.
void image_warn(Image *image, const char *format, ...) PRINTF_LIKE(2, 3);

void image_free(Memory *memory, Image *image);

/// Encodes RGB or RGBA rows, top row first, as PNG. The bytes belong to the caller (memory_free).
bool image_encode_png(Memory *memory, const uint8_t *pixels, int width, int height, int channels, Bytes *png,
                      Error *error);

#endif
