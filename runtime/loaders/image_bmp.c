// BMP of Windows and OS/2. Rows start at the bottom unless the height is negative and are padded to four bytes. Alpha
// exists only where a mask says so: the fourth byte of plain 32-bit pixels is padding.
#include <string.h>

#include "bytes.h"
#include "loaders/image.h"

enum {
  FILE_HEADER_SIZE = 14,
  CORE_HEADER_SIZE = 12,  // OS/2 1: 16-bit sizes, palette of three bytes a colour
  INFO_HEADER_SIZE = 40,
  MASKS_OFFSET = FILE_HEADER_SIZE + INFO_HEADER_SIZE,  // behind the header or, in longer ones, within
};

enum { BMP_PLAIN, BMP_RLE8, BMP_RLE4, BMP_MASKS, BMP_ALPHA_MASKS = 6 };

typedef struct BmpHeader {
  uint32_t header_size;
  int64_t width, height;
  bool is_top_down;
  int bits;
  uint32_t compression, color_count, pixel_offset;
  uint32_t masks[4];  // red, green, blue, alpha
  uint8_t palette[256][3];
} BmpHeader;

static bool matches_bmp(Bytes bytes) {
  return bytes.size >= FILE_HEADER_SIZE + 4 && memcmp(bytes.data, "BM", 2) == 0 && read_u32(bytes.data + 14) <= 124;
}

static bool set_end_error(const char *path, Bytes bytes, const char *expected, Error *error) {
  return error_set(error, "%s: offset 0x%zx: the file ends, expected %s", path, bytes.size, expected);
}

static bool is_known_header_size(uint32_t size) {
  static const uint8_t SIZES[] = {CORE_HEADER_SIZE, 16, INFO_HEADER_SIZE, 52, 56, 64, 108, 124};
  for (size_t i = 0; i < sizeof SIZES; i++) {
    if (size == SIZES[i]) return true;
  }
  return false;
}

static bool read_sizes(const char *path, Bytes bytes, BmpHeader *header, Error *error) {
  const uint8_t *data = bytes.data;
  if (bytes.size < FILE_HEADER_SIZE + CORE_HEADER_SIZE) return set_end_error(path, bytes, "the header", error);
  header->pixel_offset = read_u32(data + 10);
  header->header_size = read_u32(data + 14);
  if (!is_known_header_size(header->header_size)) {
    return error_set(error, "%s: offset 0xe: a header of %u bytes, expected 12, 16, 40, 52, 56, 64, 108 or 124", path,
                     header->header_size);
  }
  if (bytes.size < FILE_HEADER_SIZE + header->header_size) return set_end_error(path, bytes, "the header", error);
  if (header->header_size == CORE_HEADER_SIZE) {
    header->width = read_u16(data + 18);
    header->height = read_u16(data + 20);
    header->bits = read_u16(data + 24);
    return true;
  }
  header->width = read_i32(data + 18);
  header->height = read_i32(data + 22);
  header->bits = read_u16(data + 28);
  if (header->header_size >= INFO_HEADER_SIZE) {
    header->compression = read_u32(data + 30);
    header->color_count = read_u32(data + 46);
  }
  header->is_top_down = header->height < 0;
  if (header->is_top_down) header->height = -header->height;
  return true;
}

/// Whether bits and compression go together. In OS/2's own header 3 means another compression.
static bool check_encoding(const char *path, const BmpHeader *header, Error *error) {
  int bits = header->bits;
  bool is_known = false;
  switch (header->compression) {
    case BMP_PLAIN:
      is_known = bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 24 || bits == 32;
      break;
    case BMP_RLE8:
      is_known = bits == 8;
      break;
    case BMP_RLE4:
      is_known = bits == 4;
      break;
    case BMP_MASKS:
    case BMP_ALPHA_MASKS:
      is_known = (bits == 16 || bits == 32) && header->header_size != 64;
      break;
  }
  if (is_known) return true;
  return error_set(error,
                   "%s: offset 0x1c: %d bits a pixel with compression %u, expected 1, 2, 4, 8, 16, 24 or 32 with 0, 8 "
                   "with 1, 4 with 2, or 16 or 32 with 3",
                   path, bits, header->compression);
}

static bool read_masks(const char *path, Bytes bytes, BmpHeader *header, Error *error) {
  static const uint32_t MASKS_16[3] = {0x7C00, 0x3E0, 0x1F}, MASKS_32[3] = {0xFF0000, 0xFF00, 0xFF};
  if (header->compression != BMP_MASKS && header->compression != BMP_ALPHA_MASKS) {
    memcpy(header->masks, header->bits == 16 ? MASKS_16 : MASKS_32, sizeof MASKS_16);
    return true;
  }
  bool has_alpha = header->compression == BMP_ALPHA_MASKS || header->header_size >= 56;
  int count = has_alpha ? 4 : 3;
  if (bytes.size < MASKS_OFFSET + 4 * (size_t)count) return set_end_error(path, bytes, "the colour masks", error);
  for (int i = 0; i < count; i++)
    header->masks[i] = read_u32(bytes.data + MASKS_OFFSET + 4 * i);
  return true;
}

/// Reads as many colours as there are between header and pixels, wherever the header claims more.
static bool read_palette(const char *path, Bytes bytes, BmpHeader *header, Error *error) {
  size_t offset = FILE_HEADER_SIZE + header->header_size;
  if (header->pixel_offset < offset || header->pixel_offset >= bytes.size) {
    return error_set(error, "%s: offset 0xa: pixels at 0x%x, expected from 0x%zx up to 0x%zx", path,
                     header->pixel_offset, offset, bytes.size);
  }
  if (header->bits > 8) return true;
  size_t color_size = header->header_size == CORE_HEADER_SIZE ? 3 : 4;
  size_t count = (size_t)1 << header->bits, room = (header->pixel_offset - offset) / color_size;
  if (header->color_count > 0 && header->color_count < count) count = header->color_count;
  if (count > room) count = room;
  for (size_t i = 0; i < count; i++) {
    const uint8_t *color = bytes.data + offset + i * color_size;
    header->palette[i][0] = color[2], header->palette[i][1] = color[1], header->palette[i][2] = color[0];
  }
  return true;
}

static uint8_t extract_channel(uint32_t value, uint32_t mask) {
  if (mask == 0) return 0;
  while (!(mask & 1))
    mask >>= 1, value >>= 1;
  return (uint8_t)(((uint64_t)(value & mask) * 255 + mask / 2) / mask);
}

static void decode_masked_pixel(const BmpHeader *header, uint32_t value, uint8_t *target) {
  for (int i = 0; i < 3; i++)
    target[i] = extract_channel(value, header->masks[i]);
  target[3] = header->masks[3] ? extract_channel(value, header->masks[3]) : 255;
}

static void set_index(const BmpHeader *header, int index, uint8_t *target) {
  memcpy(target, header->palette[index], 3);
  target[3] = 255;
}

static void decode_row(const BmpHeader *header, const uint8_t *source, int width, uint8_t *target) {
  for (int x = 0; x < width; x++, target += 4) {
    if (header->bits == 32) {
      decode_masked_pixel(header, read_u32(source + 4 * x), target);
    } else if (header->bits == 24) {
      const uint8_t *color = source + 3 * x;
      target[0] = color[2], target[1] = color[1], target[2] = color[0], target[3] = 255;
    } else if (header->bits == 16) {
      decode_masked_pixel(header, read_u16(source + 2 * x), target);
    } else {
      int bit = x * header->bits;
      set_index(header, source[bit / 8] >> (8 - header->bits - bit % 8) & ((1 << header->bits) - 1), target);
    }
  }
}

static uint8_t *find_row(const BmpHeader *header, Image *image, int row) {
  int y = header->is_top_down ? row : image->height - 1 - row;
  return image->pixels + (size_t)y * (size_t)image->width * 4;
}

static bool load_plain(Memory *memory, const char *path, Bytes bytes, const BmpHeader *header, Image *image,
                       Error *error) {
  if (!image_check_density(path, header->width, header->height, bytes, 8, error)) return false;
  size_t row_size = ((size_t)header->width * (size_t)header->bits + 7) / 8, stride = (row_size + 3) & ~(size_t)3;
  // Some writers leave out the padding of the last row.
  size_t needed = stride * (size_t)(header->height - 1) + row_size, held = bytes.size - header->pixel_offset;
  if (needed > held) {
    return error_set(error, "%s: offset 0x%zx: the file ends in row %d of %d", path, bytes.size, (int)(held / stride),
                     (int)header->height);
  }
  if (!image_allocate(memory, path, header->width, header->height, image, error)) return false;
  for (int row = 0; row < image->height; row++) {
    const uint8_t *source = bytes.data + header->pixel_offset + (size_t)row * stride;
    decode_row(header, source, image->width, find_row(header, image, row));
  }
  return true;
}

/// Writes `count` pixels of a run (two indexes in turn) or, with a step, of indexes one after the other. What passes
/// the end of the row is dropped.
static int write_indexes(const BmpHeader *header, const uint8_t *source, bool is_run, int count, Image *image, int row,
                         int x) {
  uint8_t *target = find_row(header, image, row);
  for (int i = 0; i < count && x < image->width; i++, x++) {
    int byte = is_run ? source[0] : source[header->bits == 4 ? i / 2 : i];
    int index = header->bits == 8 ? byte : i % 2 == 0 ? byte >> 4 : byte & 15;
    set_index(header, index, target + (size_t)x * 4);
  }
  return x;
}

/// Decodes runs. A pair of bytes is a run, or after a 0: end of row, end of picture, a step, or a count of plain
/// indexes padded to two bytes. Pixels that are stepped over have the first colour.
static bool decode_runs(const char *path, Bytes bytes, const BmpHeader *header, Image *image, Error *error) {
  size_t offset = header->pixel_offset;
  int x = 0, row = 0;
  while (row < image->height) {
    if (bytes.size - offset < 2) {
      if (row == image->height - 1 && x == image->width) return true;
      return error_set(error, "%s: offset 0x%zx: the file ends in row %d of %d", path, bytes.size, row, image->height);
    }
    const uint8_t *pair = bytes.data + offset;
    size_t left = bytes.size - offset - 2, used = 0;
    if (pair[0] > 0) {
      x = write_indexes(header, pair + 1, true, pair[0], image, row, x);
    } else if (pair[1] == 1) {
      return true;
    } else if (pair[1] == 0) {
      x = 0, row++;
    } else if (pair[1] == 2) {
      used = left < 2 ? left : 2;
      if (used == 2) x += pair[2], row += pair[3];
      if (x > image->width) x = image->width;
    } else {
      size_t size = header->bits == 4 ? (pair[1] + 1u) / 2 : pair[1];
      used = left < size ? left : (size + 1) & ~(size_t)1;
      if (left >= size) x = write_indexes(header, pair + 2, false, pair[1], image, row, x);
      if (used > left) used = left;
    }
    offset += 2 + used;
  }
  return true;
}

static bool load_packed(Memory *memory, const char *path, Bytes bytes, const BmpHeader *header, Image *image,
                        Error *error) {
  // The densest there is are steps: four bytes pass over 255 x 255 pixels.
  if (!image_check_density(path, header->width, header->height, bytes, 255 * 255 / 4, error) ||
      !image_allocate(memory, path, header->width, header->height, image, error)) {
    return false;
  }
  for (size_t i = 0; i < (size_t)image->width * (size_t)image->height; i++)
    set_index(header, 0, image->pixels + i * 4);
  return decode_runs(path, bytes, header, image, error);
}

static bool load_bmp(Memory *memory, const char *path, Bytes bytes, Image *image, Error *error) {
  if (bytes.size >= 2 && memcmp(bytes.data, "BM", 2) != 0) {
    return error_set(error, "%s: offset 0x0: no BMP signature, expected BM", path);
  }
  BmpHeader header = {0};
  if (!read_sizes(path, bytes, &header, error) || !check_encoding(path, &header, error) ||
      !read_masks(path, bytes, &header, error) || !read_palette(path, bytes, &header, error)) {
    return false;
  }
  image->source_channels = header.masks[3] ? 4 : 3;
  bool is_packed = header.compression == BMP_RLE8 || header.compression == BMP_RLE4;
  return is_packed ? load_packed(memory, path, bytes, &header, image, error)
                   : load_plain(memory, path, bytes, &header, image, error);
}

const ImageLoader BMP_LOADER = {.name = "bmp", .extensions = {"bmp", "dib"}, .matches = matches_bmp, .load = load_bmp};
