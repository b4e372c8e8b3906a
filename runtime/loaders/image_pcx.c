// PCX as ZSoft's manual describes it and as real files are. A line holds `planes` rows of `stride` bytes; the pixels of
// a row are packed from the high bits, and plane k gives bit k of a palette index (or one channel).
#include <string.h>

#include "bytes.h"
#include "loaders/image.h"

enum {
  HEADER_SIZE = 128,
  PALETTE_SIZE = 769,  // a marker and 256 colours, at the very end
  PALETTE_MARKER = 12,
  MAX_LINES_SIZE = 256 << 20,
};

typedef struct PcxHeader {
  int version, encoding, bits, planes, stride;
  int left, top, right, bottom;  // inclusive
  int64_t width, height;
} PcxHeader;

/// The bytes between header and palette, and the run that is being read: runs may cross planes and lines.
typedef struct PcxReader {
  const uint8_t *data;
  size_t offset, end;
  bool is_packed;
  uint8_t run_value;
  int run_left;
  bool has_crossing_runs;
} PcxReader;

// The sixteen colours of EGA, which also are those of CGA.
static const uint8_t EGA_PALETTE[16][3] = {
    {0, 0, 0},     {0, 0, 170},     {0, 170, 0},    {0, 170, 170},   {170, 0, 0},   {170, 0, 170},
    {170, 85, 0},  {170, 170, 170}, {85, 85, 85},   {85, 85, 255},   {85, 255, 85}, {85, 255, 255},
    {255, 85, 85}, {255, 85, 255},  {255, 255, 85}, {255, 255, 255},
};

static bool matches_pcx(Bytes bytes) {
  if (bytes.size < HEADER_SIZE || bytes.data[0] != 10) return false;
  uint8_t version = bytes.data[1], encoding = bytes.data[2], bits = bytes.data[3];
  return version <= 5 && version != 1 && encoding <= 1 && (bits == 1 || bits == 2 || bits == 4 || bits == 8);
}

static bool is_known_layout(int bits, int planes) {
  if (bits == 8) return planes == 1 || planes == 3 || planes == 4;
  if (bits == 1) return planes >= 1 && planes <= 4;
  return (bits == 2 || bits == 4) && planes == 1;
}

static PcxHeader read_header(const uint8_t *data) {
  PcxHeader header = {
      .version = data[1],
      .encoding = data[2],
      .bits = data[3],
      .left = read_u16(data + 4),
      .top = read_u16(data + 6),
      .right = read_u16(data + 8),
      .bottom = read_u16(data + 10),
      .planes = data[65],
      .stride = read_u16(data + 66),
  };
  header.width = header.right - header.left + 1;
  header.height = header.bottom - header.top + 1;
  return header;
}

static bool check_header(const char *path, const PcxHeader *header, Error *error) {
  if (header->encoding > 1) {
    return error_set(error, "%s: offset 0x2: encoding %d, expected 0 (none) or 1 (runs)", path, header->encoding);
  }
  if (header->width < 1 || header->height < 1) {
    return error_set(error, "%s: offset 0x4: the window %d,%d - %d,%d is empty", path, header->left, header->top,
                     header->right, header->bottom);
  }
  if (!is_known_layout(header->bits, header->planes)) {
    return error_set(error,
                     "%s: offset 0x3: %d bits in %d planes, expected 8 in 1, 3 or 4, 1 in 1 to 4, or 2 or 4 in 1", path,
                     header->bits, header->planes);
  }
  if (header->stride * 8 < header->width * header->bits) {
    return error_set(error, "%s: offset 0x42: %d bytes a line, expected at least %d for a width of %d", path,
                     header->stride, (int)((header->width * header->bits + 7) / 8), (int)header->width);
  }
  if (header->height * header->planes * header->stride > MAX_LINES_SIZE) {
    return error_set(error, "%s: offset 0x42: %d lines of %d x %d bytes, expected at most %d bytes", path,
                     (int)header->height, header->planes, header->stride, MAX_LINES_SIZE);
  }
  return true;
}

/// Refuses what no encoding can hold, so that a small file never costs much memory. Half a picture is still accepted.
static bool check_size(const char *path, const PcxHeader *header, const PcxReader *reader, Error *error) {
  int64_t held = reader->end > HEADER_SIZE ? (int64_t)(reader->end - HEADER_SIZE) : 0;
  int64_t needed = header->height * header->planes * header->stride;
  int64_t expansion = reader->is_packed ? 63 : 2 * 2;
  if (held > 0 && held * expansion >= needed * 2) return true;
  return error_set(error,
                   "%s: offset 0x%zx: the pixels end after %d bytes, which cannot hold lines of %lld bytes in all",
                   path, reader->end, (int)held, (long long)needed);
}

/// Reads one line of all planes and returns how many bytes of it the file had; the rest is zero.
static size_t read_line(PcxReader *reader, uint8_t *line, size_t size) {
  size_t count = 0;
  memset(line, 0, size);
  if (!reader->is_packed) {
    count = reader->end - reader->offset < size ? reader->end - reader->offset : size;
    memcpy(line, reader->data + reader->offset, count);
    reader->offset += count;
    return count;
  }
  while (count < size) {
    for (; reader->run_left > 0 && count < size; reader->run_left--)
      line[count++] = reader->run_value;
    if (count == size || reader->offset >= reader->end) break;
    uint8_t value = reader->data[reader->offset++];
    reader->run_left = 1;
    if (value >= 0xC0) {
      reader->run_left = reader->offset < reader->end ? value & 0x3F : 0;
      if (reader->offset == reader->end) break;
      value = reader->data[reader->offset++];
    }
    reader->run_value = value;
  }
  if (reader->run_left > 0) reader->has_crossing_runs = true;
  return count;
}

/// The palette of a two-bit picture of PC Paintbrush, whose header names CGA's fixed colours instead of giving any: the
/// background in the high half of the first byte, the other three by the second colour's green and blue.
static void set_cga_palette(const uint8_t *colors, uint8_t palette[256][3]) {
  int green = colors[4], blue = colors[5];
  int first = green > blue ? 2 : 3;  // green, red, brown or cyan, magenta, white
  int bright = green > 200 || blue > 200 ? 8 : 0;
  memcpy(palette[0], EGA_PALETTE[colors[0] >> 4], 3);
  for (int i = 0; i < 3; i++)
    memcpy(palette[i + 1], EGA_PALETTE[first + 2 * i + bright], 3);
}

/// Whether a two-bit picture's header has CGA's meaning. It cannot be told for certain; but a picture with colours of
/// its own uses more than the first two, and CGA's background byte has an empty low half.
static bool has_cga_header(const uint8_t *colors) {
  static const uint8_t ZEROS[10] = {0};
  return (colors[0] & 15) == 0 && memcmp(colors + 1, ZEROS, 2) == 0 && memcmp(colors + 6, ZEROS, 6) == 0;
}

/// Takes the sixteen colours of the header, or what stands for them where it has none.
static void read_header_palette(const PcxHeader *header, const uint8_t *colors, Image *image, uint8_t palette[256][3]) {
  static const uint8_t ZEROS[48] = {0};
  if (header->bits == 2 && has_cga_header(colors)) {
    set_cga_palette(colors, palette);
  } else if (memcmp(colors, ZEROS, sizeof ZEROS) == 0) {
    image_warn(image, "no palette in the header, the colours of EGA are used");
    memcpy(palette, EGA_PALETTE, sizeof EGA_PALETTE);
  } else {
    memcpy(palette, colors, 48);
  }
}

static void read_palette(const PcxHeader *header, Bytes bytes, const PcxReader *reader, Image *image,
                         uint8_t palette[256][3]) {
  image->source_channels = header->bits == 8 && header->planes > 1 ? header->planes : 3;
  if (header->bits == 8 && header->planes == 1 && reader->end < bytes.size) {
    memcpy(palette, bytes.data + bytes.size - 768, 768);
  } else if (header->bits == 8 && header->planes == 1) {
    image->source_channels = 1;
    image_warn(image, "no palette of 256 colours at the end, grey is used");
    for (int i = 0; i < 256; i++)
      memset(palette[i], i, 3);
  } else if (header->bits == 1 && header->planes == 1) {
    // Readers agree on black and white whatever the header's colours are.
    image->source_channels = 1;
    memset(palette[1], 255, 3);
  } else if (header->bits < 8) {
    read_header_palette(header, bytes.data + 16, image, palette);
  }
}

static void decode_channels(const PcxHeader *header, const uint8_t *line, int width, uint8_t *row) {
  for (int x = 0; x < width; x++, row += 4) {
    row[3] = 255;
    for (int plane = 0; plane < header->planes; plane++)
      row[plane] = line[plane * header->stride + x];
  }
}

static void decode_indexes(const PcxHeader *header, const uint8_t *line, uint8_t palette[256][3], int width,
                           uint8_t *row) {
  int per_byte = 8 / header->bits, mask = (1 << header->bits) - 1;
  for (int x = 0; x < width; x++, row += 4) {
    int index = 0, shift = 8 - header->bits - x % per_byte * header->bits;
    for (int plane = 0; plane < header->planes; plane++)
      index |= (line[plane * header->stride + x / per_byte] >> shift & mask) << plane;
    memcpy(row, palette[index], 3);
    row[3] = 255;
  }
}

static void warn_of_repairs(const PcxHeader *header, const PcxReader *reader, size_t missing, Image *image) {
  if (header->stride > (header->width * header->bits + 7) / 8 + 2) {
    image_warn(image, "%d bytes a line for a width of %d", header->stride, image->width);
  }
  if (reader->has_crossing_runs) image_warn(image, "runs cross the ends of lines");
  if (reader->run_left > 0) image_warn(image, "the last run is %d bytes too long", reader->run_left);
  if (missing > 0) image_warn(image, "the pixels end %zu bytes early, the rest is 0", missing);
}

static bool decode_lines(Memory *memory, const PcxHeader *header, PcxReader *reader, uint8_t palette[256][3],
                         Image *image, Error *error) {
  size_t line_size = (size_t)header->planes * (size_t)header->stride, missing = 0;
  uint8_t *line = memory_alloc(memory, line_size);
  if (!line) return error_set_out_of_memory(error);
  for (int y = 0; y < image->height; y++) {
    uint8_t *row = image->pixels + (size_t)y * (size_t)image->width * 4;
    missing += line_size - read_line(reader, line, line_size);
    if (header->bits == 8 && header->planes > 1) {
      decode_channels(header, line, image->width, row);
    } else {
      decode_indexes(header, line, palette, image->width, row);
    }
  }
  memory_free(memory, line);
  warn_of_repairs(header, reader, missing, image);
  return true;
}

static bool load_pcx(Memory *memory, const char *path, Bytes bytes, Image *image, Error *error) {
  if (bytes.size < HEADER_SIZE) {
    return error_set(error, "%s: offset 0x%zx: the file ends, expected a header of %d bytes", path, bytes.size,
                     HEADER_SIZE);
  }
  if (bytes.data[0] != 10) {
    return error_set(error, "%s: offset 0x0: first byte %d, expected 10 for PCX", path, bytes.data[0]);
  }
  PcxHeader header = read_header(bytes.data);
  PcxReader reader = {.data = bytes.data, .offset = HEADER_SIZE, .end = bytes.size, .is_packed = header.encoding == 1};
  bool wants_palette = header.bits == 8 && header.planes == 1 && bytes.size >= HEADER_SIZE + PALETTE_SIZE;
  if (wants_palette && bytes.data[bytes.size - PALETTE_SIZE] == PALETTE_MARKER) reader.end -= PALETTE_SIZE;
  if (!check_header(path, &header, error) || !check_size(path, &header, &reader, error)) return false;
  if (!image_allocate(memory, path, header.width, header.height, image, error)) return false;
  uint8_t palette[256][3] = {0};
  read_palette(&header, bytes, &reader, image, palette);
  return decode_lines(memory, &header, &reader, palette, image, error);
}

const ImageLoader PCX_LOADER = {.name = "pcx", .extensions = {"pcx", "pcc"}, .matches = matches_pcx, .load = load_pcx};
