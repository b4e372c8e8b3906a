// PNG is the one format that is written: screenshots and golden images. The same pixels give the same bytes.
#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "loaders/image.h"

typedef struct PngWriter {
  Memory *memory;
  Bytes bytes;
  size_t capacity;
  Error *error;
  const uint8_t *pixels;
  int width, height, channels;
  png_structp png;
  png_infop info;
  bool has_run_out_of_memory;
} PngWriter;

static void *note_allocation(PngWriter *writer, void *block) {
  if (!block) writer->has_run_out_of_memory = true;
  return block;
}

static png_voidp allocate_for_png(png_structp png, png_alloc_size_t size) {
  PngWriter *writer = png_get_mem_ptr(png);
  return note_allocation(writer, memory_alloc(writer->memory, size));
}

static void free_for_png(png_structp png, png_voidp block) {
  PngWriter *writer = png_get_mem_ptr(png);
  memory_free(writer->memory, block);
}

static void handle_png_error(png_structp png, png_const_charp text) {
  PngWriter *writer = png_get_error_ptr(png);
  if (writer->has_run_out_of_memory)
    error_set_out_of_memory(writer->error);
  else
    error_set(writer->error, "cannot encode PNG: %s", text);
  png_longjmp(png, 1);
}

static void ignore_png_warning(png_structp png, png_const_charp text) {
  (void)png, (void)text;
}

static void write_png_bytes(png_structp png, png_bytep data, size_t size) {
  PngWriter *writer = png_get_io_ptr(png);
  if (size > writer->capacity - writer->bytes.size) {
    size_t capacity = (writer->bytes.size + size) * 2;
    uint8_t *grown = note_allocation(writer, memory_resize(writer->memory, writer->bytes.data, capacity));
    if (!grown) png_error(png, "out of memory");
    writer->bytes.data = grown;
    writer->capacity = capacity;
  }
  memcpy(writer->bytes.data + writer->bytes.size, data, size);
  writer->bytes.size += size;
}

static void flush_nothing(png_structp png) {
  (void)png;
}

/// Keeps everything in the writer, as locals are lost when libpng jumps back.
static bool write_png(PngWriter *writer) {
  if (setjmp(png_jmpbuf(writer->png))) return false;
  png_set_write_fn(writer->png, writer, write_png_bytes, flush_nothing);
  png_set_IHDR(writer->png, writer->info, (png_uint_32)writer->width, (png_uint_32)writer->height, 8,
               writer->channels == 4 ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(writer->png, 6);
  png_write_info(writer->png, writer->info);
  for (int y = 0; y < writer->height; y++)
    png_write_row(writer->png, writer->pixels + (size_t)y * (size_t)writer->width * (size_t)writer->channels);
  png_write_end(writer->png, NULL);
  return true;
}

bool image_encode_png(Memory *memory, const uint8_t *pixels, int width, int height, int channels, Bytes *png,
                      Error *error) {
  *png = (Bytes){0};
  if (width < 1 || height < 1 || channels < 3 || channels > 4) {
    return error_set_mistake(error, "cannot encode %d x %d pixels of %d channels as PNG, expected 3 or 4 channels",
                             width, height, channels);
  }
  PngWriter writer = {.memory = memory, .error = error, .pixels = pixels};
  writer.width = width;
  writer.height = height;
  writer.channels = channels;
  writer.png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &writer, handle_png_error, ignore_png_warning, &writer,
                                         allocate_for_png, free_for_png);
  if (writer.png) writer.info = png_create_info_struct(writer.png);
  bool is_good = writer.info ? write_png(&writer) : error_set_out_of_memory(error);
  png_destroy_write_struct(&writer.png, &writer.info);
  if (!is_good) {
    memory_free(memory, writer.bytes.data);
    return false;
  }
  *png = writer.bytes;
  return true;
}
