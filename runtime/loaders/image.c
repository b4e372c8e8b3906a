#include "loaders/image.h"

#include <stdarg.h>
#include <stdio.h>

#include "path.h"

static const ImageLoader *const LOADERS[] = {&PNG_LOADER, &JPEG_LOADER, &GIF_LOADER,
                                             &BMP_LOADER, &PCX_LOADER,  &TGA_LOADER};

enum { LOADER_COUNT = sizeof LOADERS / sizeof *LOADERS };

static const ImageLoader *find_loader(Bytes bytes, const char *path) {
  for (int i = 0; i < LOADER_COUNT; i++) {
    if (LOADERS[i]->matches && LOADERS[i]->matches(bytes)) return LOADERS[i];
  }
  for (int i = 0; i < LOADER_COUNT; i++) {
    if (path_has_extension(path, LOADERS[i]->extensions)) return LOADERS[i];
  }
  return NULL;
}

static bool set_unknown_format_error(const char *path, Error *error) {
  char names[64] = "";
  size_t length = 0;
  for (int i = 0; i < LOADER_COUNT && length < sizeof names; i++) {
    int written = snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "", LOADERS[i]->name);
    if (written > 0) length += (size_t)written;
  }
  return error_set(error, "%s: unknown image format, expected one of: %s", path, names);
}

static bool find_alpha(const Image *image) {
  size_t size = (size_t)image->width * (size_t)image->height * 4;
  for (size_t i = 3; i < size; i += 4) {
    if (image->pixels[i] != 255) return true;
  }
  return false;
}

bool image_is_known(Bytes bytes, const char *path) {
  return find_loader(bytes, path) != NULL;
}

bool image_load(Memory *memory, const char *path, Bytes bytes, Image *image, Error *error) {
  *image = (Image){0};
  const ImageLoader *loader = find_loader(bytes, path);
  if (!loader) return set_unknown_format_error(path, error);
  image->format = loader->name;
  if (!loader->load(memory, path, bytes, image, error)) {
    image_free(memory, image);
    return false;
  }
  image->has_alpha = find_alpha(image);
  return true;
}

static bool check_size(const char *path, int64_t width, int64_t height, Error *error) {
  if (width < 1 || height < 1) {
    return error_set(error, "%s: offset 0x0: the header says %lld x %lld pixels, expected at least 1 x 1", path,
                     (long long)width, (long long)height);
  }
  if (width > IMAGE_MAX_SIDE || height > IMAGE_MAX_SIDE || width * height > IMAGE_MAX_PIXELS) {
    return error_set(error,
                     "%s: offset 0x0: the header says %lld x %lld pixels, expected at most %d a side and %d in all",
                     path, (long long)width, (long long)height, IMAGE_MAX_SIDE, IMAGE_MAX_PIXELS);
  }
  return true;
}

bool image_check_density(const char *path, int64_t width, int64_t height, Bytes bytes, int64_t pixels_per_byte,
                         Error *error) {
  if (!check_size(path, width, height, error)) return false;
  // As a quotient, so that no size of file can overflow it.
  if ((uint64_t)(width * height / pixels_per_byte) <= bytes.size) return true;
  return error_set(error, "%s: offset 0x%zx: the file ends, but %d x %d pixels do not fit into %zu bytes", path,
                   bytes.size, (int)width, (int)height, bytes.size);
}

bool image_allocate(Memory *memory, const char *path, int64_t width, int64_t height, Image *image, Error *error) {
  if (!check_size(path, width, height, error)) return false;
  image->pixels = memory_alloc_array(memory, (size_t)(width * height), 4);
  if (!image->pixels) return error_set_out_of_memory(error);
  image->width = (int)width;
  image->height = (int)height;
  return true;
}

void image_warn(Image *image, const char *format, ...) {
  if (image->warning_count >= IMAGE_MAX_WARNINGS) return;
  char *text = image->warnings[image->warning_count++];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof image->warnings[0], format, arguments);
  va_end(arguments);
}

void image_free(Memory *memory, Image *image) {
  memory_free(memory, image->pixels);
  *image = (Image){0};
}
