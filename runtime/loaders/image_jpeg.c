// JPEG by libjpeg-turbo, which decodes bit for bit alike on all processors with the slow integer transform. Its errors
// longjmp; they land in this file only, in functions that keep nothing in local variables.
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

// jpeglib.h needs stdio.h and size_t before it.
#include <jpeglib.h>

#include "loaders/image.h"

enum {
  // Every block of 8 x 8 samples takes at least one bit. The coarsest sampling there can be, one component of 4 x 1 blocks
  // and one of 1 x 4 in 32 x 32 pixels, gets 1024 pixels out of a byte.
  MAX_PIXELS_PER_BYTE = 1024,
  // Sensible progressive files have about ten; every further one costs a pass over the whole picture.
  MAX_SCANS = 100,
};

typedef struct JpegReader {
  struct jpeg_decompress_struct decompress;
  struct jpeg_error_mgr errors;
  struct jpeg_progress_mgr progress;
  jmp_buf escape;
  Memory *memory;
  const char *path;
  Bytes bytes;
  Image *image;
  Error *error;
} JpegReader;

static bool matches_jpeg(Bytes bytes) {
  return bytes.size >= 3 && memcmp(bytes.data, "\xff\xd8\xff", 3) == 0;
}

/// Where reading has arrived; at the end libjpeg reads from a buffer of its own.
static size_t find_offset(const JpegReader *reader) {
  const struct jpeg_source_mgr *source = reader->decompress.src;
  if (!source || source->bytes_in_buffer > reader->bytes.size) return 0;
  size_t offset = reader->bytes.size - source->bytes_in_buffer;
  return source->next_input_byte == reader->bytes.data + offset ? offset : reader->bytes.size;
}

static void handle_jpeg_error(j_common_ptr common) {
  JpegReader *reader = common->client_data;
  char text[JMSG_LENGTH_MAX];
  common->err->format_message(common, text);
  error_set(reader->error, "%s: offset 0x%zx: damaged JPEG: %s", reader->path, find_offset(reader), text);
  longjmp(reader->escape, 1);
}

/// Damage that libjpeg gets over. Only the first is told, the rest follows from it.
static void handle_jpeg_message(j_common_ptr common, int level) {
  if (level >= 0 || common->err->num_warnings++ > 0) return;
  JpegReader *reader = common->client_data;
  char text[JMSG_LENGTH_MAX];
  common->err->format_message(common, text);
  image_warn(reader->image, "jpeg: offset 0x%zx: %s", find_offset(reader), text);
}

static void ignore_jpeg_output(j_common_ptr common) {
  (void)common;
}

static void limit_scans(j_common_ptr common) {
  JpegReader *reader = common->client_data;
  if (reader->decompress.input_scan_number <= MAX_SCANS) return;
  error_set(reader->error, "%s: offset 0x%zx: more than %d scans", reader->path, find_offset(reader), MAX_SCANS);
  longjmp(reader->escape, 1);
}

/// Programs of the Adobe kind store inks inverted; others as the standard has them.
static void convert_cmyk_row(uint8_t *row, int width, bool is_inverted) {
  for (int x = 0; x < width; x++, row += 4) {
    int black = is_inverted ? row[3] : 255 - row[3];
    for (int channel = 0; channel < 3; channel++) {
      int ink = is_inverted ? row[channel] : 255 - row[channel];
      row[channel] = (uint8_t)((ink * black + 127) / 255);
    }
    row[3] = 255;
  }
}

static bool start_jpeg(JpegReader *reader) {
  struct jpeg_decompress_struct *decompress = &reader->decompress;
  jpeg_mem_src(decompress, reader->bytes.data, (unsigned long)reader->bytes.size);
  jpeg_read_header(decompress, TRUE);
  int64_t width = decompress->image_width, height = decompress->image_height;
  if (!image_check_density(reader->path, width, height, reader->bytes, MAX_PIXELS_PER_BYTE, reader->error) ||
      !image_allocate(reader->memory, reader->path, width, height, reader->image, reader->error)) {
    return false;
  }
  bool is_cmyk = decompress->jpeg_color_space == JCS_CMYK || decompress->jpeg_color_space == JCS_YCCK;
  decompress->out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_RGBA;
  decompress->dct_method = JDCT_ISLOW;
  reader->image->source_channels = decompress->num_components == 1 ? 1 : 3;
  return true;
}

static bool read_jpeg(JpegReader *reader) {
  if (setjmp(reader->escape)) return false;
  jpeg_create_decompress(&reader->decompress);
  reader->decompress.progress = &reader->progress;
  if (!start_jpeg(reader)) return false;
  jpeg_start_decompress(&reader->decompress);
  while (reader->decompress.output_scanline < reader->decompress.output_height) {
    size_t y = reader->decompress.output_scanline;
    uint8_t *row = reader->image->pixels + y * (size_t)reader->image->width * 4;
    jpeg_read_scanlines(&reader->decompress, &row, 1);
    if (reader->decompress.out_color_space == JCS_CMYK) {
      convert_cmyk_row(row, reader->image->width, reader->decompress.saw_Adobe_marker);
    }
  }
  return true;
}

static bool load_jpeg(Memory *memory, const char *path, Bytes bytes, Image *image, Error *error) {
  if (!matches_jpeg(bytes)) return error_set(error, "%s: offset 0x0: no JPEG signature", path);
  JpegReader reader = {.memory = memory, .path = path, .bytes = bytes, .image = image, .error = error};
  reader.decompress.err = jpeg_std_error(&reader.errors);
  reader.decompress.client_data = &reader;
  reader.errors.error_exit = handle_jpeg_error;
  reader.errors.emit_message = handle_jpeg_message;
  reader.errors.output_message = ignore_jpeg_output;
  reader.progress.progress_monitor = limit_scans;
  bool is_good = read_jpeg(&reader);
  jpeg_destroy_decompress(&reader.decompress);
  return is_good;
}

const ImageLoader JPEG_LOADER = {
    .name = "jpeg", .extensions = {"jpg", "jpeg"}, .matches = matches_jpeg, .load = load_jpeg};
