// TGA as Truevision's specification 2.0 has it: palettes, true colour and grey, plain or in packets, from any corner.
#include <string.h>

#include "bytes.h"
#include "loaders/image.h"

enum { HEADER_SIZE = 18 };

enum { TGA_MAPPED = 1, TGA_COLOR = 2, TGA_GREY = 3, TGA_PACKED = 8 };

typedef struct TgaHeader {
  int kind;  // TGA_MAPPED, TGA_COLOR or TGA_GREY
  bool is_packed, has_map;
  int map_first, map_count, map_bits;
  int width, height, bits, alpha_bits;
  bool is_right_to_left, is_top_down;
  size_t map_offset, pixel_offset;
} TgaHeader;

/// The pixels of the file, one after the other, and the packet that is being read.
typedef struct TgaReader {
  const TgaHeader *header;
  const uint8_t *data;
  size_t size, offset;
  int pixel_size;
  int packet_left;
  bool is_run;
  uint8_t run_pixel[4];
  bool has_bad_index;
} TgaReader;

static int count_bytes(int bits) {
  return (bits + 7) / 8;
}

static TgaHeader read_header(const uint8_t *data) {
  TgaHeader header = {
      .kind = data[2] & ~TGA_PACKED,
      .is_packed = (data[2] & TGA_PACKED) != 0,
      .has_map = data[1] == 1,
      .map_first = read_u16(data + 3),
      .map_count = read_u16(data + 5),
      .map_bits = data[7],
      .width = read_u16(data + 12),
      .height = read_u16(data + 14),
      .bits = data[16],
      .alpha_bits = data[17] & 15,
      .is_right_to_left = (data[17] & 16) != 0,
      .is_top_down = (data[17] & 32) != 0,
  };
  size_t map_size = header.has_map ? (size_t)header.map_count * (size_t)count_bytes(header.map_bits) : 0;
  header.map_offset = HEADER_SIZE + (size_t)data[0];
  header.pixel_offset = header.map_offset + map_size;
  return header;
}

static bool is_color_depth(int bits) {
  return bits == 15 || bits == 16 || bits == 24 || bits == 32;
}

static bool check_header(const char *path, const TgaHeader *header, const uint8_t *data, Error *error) {
  if (header->kind < TGA_MAPPED || header->kind > TGA_GREY) {
    return error_set(error, "%s: offset 0x2: image type %d, expected 1, 2, 3, 9, 10 or 11 for TGA", path, data[2]);
  }
  if (data[1] > 1) return error_set(error, "%s: offset 0x1: palette type %d, expected 0 or 1", path, data[1]);
  if (header->kind == TGA_MAPPED && (!header->has_map || !is_color_depth(header->map_bits))) {
    return error_set(error, "%s: offset 0x7: a palette of %d bits, expected 15, 16, 24 or 32", path,
                     header->has_map ? header->map_bits : 0);
  }
  bool is_known = header->kind == TGA_COLOR ? is_color_depth(header->bits) : header->bits == 8 || header->bits == 16;
  if (!is_known) {
    return error_set(error, "%s: offset 0x10: %d bits a pixel, expected %s for type %d", path, header->bits,
                     header->kind == TGA_COLOR ? "15, 16, 24 or 32" : "8 or 16", data[2]);
  }
  if (data[17] & 0xC0) return error_set(error, "%s: offset 0x11: interleaved rows are not supported", path);
  return true;
}

/// Whether the file can hold the picture: exactly if its pixels are plain, at best if they are packed.
static bool check_size(const char *path, const TgaHeader *header, Bytes bytes, Error *error) {
  int pixel_size = count_bytes(header->bits);
  if (!image_check_density(path, header->width, header->height, bytes, 128 / (1 + pixel_size) + 1, error)) return false;
  size_t needed = header->is_packed ? 1 : (size_t)header->width * (size_t)header->height * (size_t)pixel_size;
  if (header->pixel_offset <= bytes.size && bytes.size - header->pixel_offset >= needed) return true;
  return error_set(error, "%s: offset 0x%zx: the file ends, expected %d x %d pixels of %d bits from offset 0x%zx", path,
                   bytes.size, header->width, header->height, header->bits, header->pixel_offset);
}

static uint8_t expand_5_bits(int value) {
  return (uint8_t)((value & 31) << 3 | (value & 31) >> 2);
}

static void decode_color(const uint8_t *source, int bits, int alpha_bits, uint8_t *target) {
  if (bits <= 16) {
    int value = read_u16(source);
    target[0] = expand_5_bits(value >> 10);
    target[1] = expand_5_bits(value >> 5);
    target[2] = expand_5_bits(value);
    target[3] = bits == 16 && alpha_bits > 0 && !(value & 0x8000) ? 0 : 255;
  } else {
    target[0] = source[2], target[1] = source[1], target[2] = source[0];
    target[3] = bits == 32 ? source[3] : 255;
  }
}

static void decode_pixel(TgaReader *reader, const uint8_t *source, uint8_t *target) {
  const TgaHeader *header = reader->header;
  if (header->kind == TGA_COLOR) {
    decode_color(source, header->bits, header->alpha_bits, target);
  } else if (header->kind == TGA_GREY) {
    memset(target, source[0], 3);
    target[3] = header->bits == 16 ? source[1] : 255;
  } else {
    int index = (header->bits == 16 ? read_u16(source) : source[0]) - header->map_first;
    target[3] = 255;
    if (index < 0 || index >= header->map_count) {
      reader->has_bad_index = true;
    } else {
      size_t entry = (size_t)index * (size_t)count_bytes(header->map_bits);
      decode_color(reader->data + header->map_offset + entry, header->map_bits, header->alpha_bits, target);
    }
  }
}

/// The file's next pixel, or NULL at its end.
static const uint8_t *read_pixel(TgaReader *reader) {
  size_t pixel_size = (size_t)reader->pixel_size;
  if (reader->header->is_packed && reader->packet_left == 0) {
    if (reader->size - reader->offset < 1 + pixel_size) return NULL;
    uint8_t packet = reader->data[reader->offset++];
    reader->packet_left = (packet & 127) + 1;
    reader->is_run = (packet & 128) != 0;
    memcpy(reader->run_pixel, reader->data + reader->offset, pixel_size);
    if (reader->is_run) reader->offset += pixel_size;
  }
  reader->packet_left--;
  if (reader->is_run) return reader->run_pixel;
  if (reader->size - reader->offset < pixel_size) return NULL;
  reader->offset += pixel_size;
  return reader->data + reader->offset - pixel_size;
}

static bool decode_pixels(TgaReader *reader, const char *path, Image *image, Error *error) {
  const TgaHeader *header = reader->header;
  for (int row = 0; row < image->height; row++) {
    int y = header->is_top_down ? row : image->height - 1 - row;
    for (int column = 0; column < image->width; column++) {
      int x = header->is_right_to_left ? image->width - 1 - column : column;
      const uint8_t *source = read_pixel(reader);
      if (!source) {
        return error_set(error, "%s: offset 0x%zx: the file ends in row %d of %d", path, reader->size, row,
                         image->height);
      }
      decode_pixel(reader, source, image->pixels + ((size_t)y * (size_t)image->width + (size_t)x) * 4);
    }
  }
  return true;
}

/// Old writers leave the fourth byte at 0 and say that it is no alpha; others forget to say that it is. So only one
/// that is 0 everywhere is no alpha.
static void drop_empty_alpha(Image *image) {
  size_t size = (size_t)image->width * (size_t)image->height * 4;
  for (size_t i = 3; i < size; i += 4) {
    if (image->pixels[i] != 0) return;
  }
  for (size_t i = 3; i < size; i += 4)
    image->pixels[i] = 255;
}

static int count_channels(const TgaHeader *header) {
  if (header->kind == TGA_GREY) return header->bits == 16 ? 2 : 1;
  int bits = header->kind == TGA_MAPPED ? header->map_bits : header->bits;
  return bits == 32 || (bits == 16 && header->alpha_bits > 0) ? 4 : 3;
}

static bool load_tga(Memory *memory, const char *path, Bytes bytes, Image *image, Error *error) {
  if (bytes.size < HEADER_SIZE) {
    return error_set(error, "%s: offset 0x%zx: the file ends, expected a header of %d bytes", path, bytes.size,
                     HEADER_SIZE);
  }
  TgaHeader header = read_header(bytes.data);
  if (!check_header(path, &header, bytes.data, error) || !check_size(path, &header, bytes, error) ||
      !image_allocate(memory, path, header.width, header.height, image, error)) {
    return false;
  }
  TgaReader reader = {.header = &header, .data = bytes.data, .size = bytes.size, .offset = header.pixel_offset};
  reader.pixel_size = count_bytes(header.bits);
  image->source_channels = count_channels(&header);
  if (!decode_pixels(&reader, path, image, error)) return false;
  if (reader.has_bad_index) image_warn(image, "pixels beyond the palette of %d colours are black", header.map_count);
  if (header.alpha_bits == 0 && image->source_channels == 4) drop_empty_alpha(image);
  return true;
}

const ImageLoader TGA_LOADER = {.name = "tga", .extensions = {"tga"}, .load = load_tga};
