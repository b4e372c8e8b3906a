// PNG by libpng. Its errors longjmp; they land in this file only, in functions that keep nothing in local variables,
// and whoever called those cleans up.
#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "loaders/image.h"

enum {
  HEADER_SIZE = 33,          // signature and the IHDR chunk
  MAX_DEFLATE_RATIO = 1032,  // 258 bytes from two bits
  MAX_CHUNK_BYTES = 1 << 20,
};

typedef struct PngReader {
  Memory *memory;
  const char *path;
  Bytes bytes;
  size_t offset;
  Image *image;
  Error *error;
  png_structp png;
  png_infop info;
  bool has_run_out_of_memory;
} PngReader;

static uint32_t read_u32_big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool matches_png(Bytes bytes) {
  return bytes.size >= 8 && memcmp(bytes.data, "\x89PNG\r\n\x1a\n", 8) == 0;
}

static png_voidp allocate_for_png(png_structp png, png_alloc_size_t size) {
  PngReader *reader = png_get_mem_ptr(png);
  void *block = memory_alloc(reader->memory, size);
  if (!block) reader->has_run_out_of_memory = true;
  return block;
}

static void free_for_png(png_structp png, png_voidp block) {
  PngReader *reader = png_get_mem_ptr(png);
  memory_free(reader->memory, block);
}

static void handle_png_error(png_structp png, png_const_charp text) {
  PngReader *reader = png_get_error_ptr(png);
  if (reader->has_run_out_of_memory) {
    error_set_out_of_memory(reader->error);
  } else {
    error_set(reader->error, "%s: offset 0x%zx: damaged PNG: %s", reader->path, reader->offset, text);
  }
  png_longjmp(png, 1);
}

static void handle_png_warning(png_structp png, png_const_charp text) {
  PngReader *reader = png_get_error_ptr(png);
  image_warn(reader->image, "png: %s", text);
}

static void read_png_bytes(png_structp png, png_bytep target, size_t size) {
  PngReader *reader = png_get_io_ptr(png);
  size_t left = reader->bytes.size - reader->offset;
  if (size > left) {
    error_set(reader->error, "%s: offset 0x%zx: the file ends, expected %zu more bytes", reader->path,
              reader->bytes.size, size - left);
    png_longjmp(png, 1);
  }
  memcpy(target, reader->bytes.data + reader->offset, size);
  reader->offset += size;
}

/// Looks at the header before libpng does: sizes are refused with our words and before anything is allocated.
static bool check_png_header(const char *path, Bytes bytes, Error *error) {
  if (bytes.size >= 8 && !matches_png(bytes)) {
    return error_set(error, "%s: offset 0x0: no PNG signature", path);
  }
  if (bytes.size < HEADER_SIZE) {
    return error_set(error, "%s: offset 0x%zx: the file ends, expected a PNG header of %d bytes", path, bytes.size,
                     HEADER_SIZE);
  }
  if (memcmp(bytes.data + 12, "IHDR", 4) != 0) {
    return error_set(error, "%s: offset 0xc: the first chunk is not IHDR", path);
  }
  static const uint8_t CHANNELS[7] = {1, 0, 3, 1, 2, 0, 4};
  uint8_t bits = bytes.data[24], kind = bytes.data[25];
  // Values out of range are left to libpng, which knows the combinations; here they only must not divide by zero.
  int bits_per_pixel = (kind < 7 && CHANNELS[kind] ? CHANNELS[kind] : 1) * (bits ? bits : 1);
  return image_check_density(path, read_u32_big_endian(bytes.data + 16), read_u32_big_endian(bytes.data + 20), bytes,
                             MAX_DEFLATE_RATIO * 8 / bits_per_pixel + 1, error);
}

/// Makes libpng deliver RGBA of 8 bits for every kind of picture.
static void set_png_transformations(PngReader *reader) {
  static const uint8_t SOURCE_CHANNELS[7] = {1, 0, 3, 3, 2, 0, 4};
  bool has_key = png_get_valid(reader->png, reader->info, PNG_INFO_tRNS) != 0;
  int kind = png_get_color_type(reader->png, reader->info) & 7;
  reader->image->source_channels = SOURCE_CHANNELS[kind] + (has_key ? 1 : 0);
  png_set_expand(reader->png);
  png_set_scale_16(reader->png);
  png_set_gray_to_rgb(reader->png);
  png_set_add_alpha(reader->png, 255, PNG_FILLER_AFTER);
}

static void read_png_rows(PngReader *reader) {
  int pass_count = png_set_interlace_handling(reader->png);
  png_read_update_info(reader->png, reader->info);
  size_t row_size = (size_t)reader->image->width * 4;
  if (png_get_rowbytes(reader->png, reader->info) != row_size) png_error(reader->png, "rows of an unexpected size");
  for (int pass = 0; pass < pass_count; pass++) {
    for (int y = 0; y < reader->image->height; y++)
      png_read_row(reader->png, reader->image->pixels + (size_t)y * row_size, NULL);
  }
}

static bool read_png(PngReader *reader) {
  if (setjmp(png_jmpbuf(reader->png))) return false;
  png_set_read_fn(reader->png, reader, read_png_bytes);
  png_set_user_limits(reader->png, IMAGE_MAX_SIDE, IMAGE_MAX_SIDE);
  png_set_chunk_malloc_max(reader->png, MAX_CHUNK_BYTES);
  // Texts, profiles and the like are of no use to a texture and only a way to exhaust memory: skip all but PLTE and
  // tRNS.
  png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_read_info(reader->png, reader->info);
  set_png_transformations(reader);
  read_png_rows(reader);
  return true;
}

static bool load_png(Memory *memory, const char *path, Bytes bytes, Image *image, Error *error) {
  if (!check_png_header(path, bytes, error)) return false;
  if (!image_allocate(memory, path, read_u32_big_endian(bytes.data + 16), read_u32_big_endian(bytes.data + 20), image,
                      error)) {
    return false;
  }
  PngReader reader = {.memory = memory, .path = path, .bytes = bytes, .image = image, .error = error};
  reader.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &reader, handle_png_error, handle_png_warning, &reader,
                                        allocate_for_png, free_for_png);
  if (reader.png) reader.info = png_create_info_struct(reader.png);
  bool is_good = reader.info ? read_png(&reader) : error_set_out_of_memory(error);
  png_destroy_read_struct(&reader.png, &reader.info, NULL);
  return is_good;
}

const ImageLoader PNG_LOADER = {.name = "png", .extensions = {"png"}, .matches = matches_png, .load = load_png};
