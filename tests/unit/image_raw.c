// TGA, BMP and PCX: each variant as bytes written by hand against the expected picture.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka needs the four above.
#include <cmocka.h>

#include "image_check.h"

/// A file that is being written.
typedef struct Writer {
  uint8_t data[2048];
  size_t size;
} Writer;

static void put(Writer *writer, int size, uint32_t value) {
  for (int i = 0; i < size; i++)
    writer->data[writer->size++] = (uint8_t)(value >> 8 * i);
}

static void put_bytes(Writer *writer, const void *bytes, size_t size) {
  memcpy(writer->data + writer->size, bytes, size);
  writer->size += size;
}

static Bytes get_bytes(Writer *writer) {
  return (Bytes){writer->data, writer->size};
}

/// A colour in the order of TGA and BMP files: blue first.
static void put_color(Writer *writer, char letter, int size) {
  const uint8_t *color = check_color(letter);
  uint8_t bytes[4] = {color[2], color[1], color[0], color[3]};
  put_bytes(writer, bytes, (size_t)size);
}

#define PUT(writer, ...) put_bytes((writer), (uint8_t[]){__VA_ARGS__}, sizeof(uint8_t[]){__VA_ARGS__})

// TGA

static Writer start_tga(int kind, int map_first, int map_count, int map_bits, int width, int height, int bits,
                        int descriptor) {
  Writer writer = {.size = 0};
  PUT(&writer, 2, map_count > 0, (uint8_t)kind);
  put(&writer, 2, (uint32_t)map_first);
  put(&writer, 2, (uint32_t)map_count);
  put(&writer, 1, (uint32_t)map_bits);
  put(&writer, 4, 0);
  put(&writer, 2, (uint32_t)width);
  put(&writer, 2, (uint32_t)height);
  PUT(&writer, (uint8_t)bits, (uint8_t)descriptor, 'i', 'd');
  return writer;
}

static void test_tga_origins(void **state) {
  (void)state;
  static const struct {
    int descriptor;
    const char *expected;
  } CASES[] = {{0x00, "bw/rg"}, {0x10, "wb/gr"}, {0x20, "rg/bw"}, {0x30, "gr/wb"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    Writer writer = start_tga(2, 0, 0, 0, 2, 2, 24, CASES[i].descriptor);
    for (const char *letter = "rgbw"; *letter; letter++)
      put_color(&writer, *letter, 3);
    check_picture("a.tga", get_bytes(&writer), CASES[i].expected, 3, NULL);
  }
}

static void test_tga_alpha(void **state) {
  (void)state;
  Writer real = start_tga(2, 0, 0, 0, 3, 1, 32, 0x28);
  PUT(&real, 0, 0, 255, 255, 0, 0, 0, 0, 255, 0, 0, 255);
  check_picture("a.tga", get_bytes(&real), "r.b", 4, NULL);
  Writer empty = start_tga(2, 0, 0, 0, 2, 1, 32, 0x20);
  PUT(&empty, 0, 0, 255, 0, 255, 0, 0, 0);
  check_picture("a.tga", get_bytes(&empty), "rb", 4, NULL);
  Writer bit = start_tga(2, 0, 0, 0, 3, 1, 16, 0x21);
  PUT(&bit, 0x00, 0xFC, 0x00, 0x00, 0xE0, 0x83);
  check_picture("a.tga", get_bytes(&bit), "r.g", 4, NULL);
  Writer no_bit = start_tga(2, 0, 0, 0, 3, 1, 16, 0x20);
  PUT(&no_bit, 0x00, 0x7C, 0x1F, 0x00, 0xFF, 0x7F);
  check_picture("a.tga", get_bytes(&no_bit), "rbw", 3, NULL);
  Writer fifteen = start_tga(2, 0, 0, 0, 2, 1, 15, 0x20);
  PUT(&fifteen, 0xE0, 0x03, 0xFF, 0x7F);
  check_picture("a.tga", get_bytes(&fifteen), "gw", 3, NULL);
}

static void test_tga_palette_and_grey(void **state) {
  (void)state;
  for (int bits = 24; bits <= 32; bits += 8) {
    Writer writer = start_tga(1, 1, 2, bits, 3, 1, 8, 0x20);
    put_color(&writer, 'r', bits / 8);
    put_color(&writer, 'b', bits / 8);
    PUT(&writer, 2, 1, 2);
    check_picture("a.tga", get_bytes(&writer), "brb", bits / 8, NULL);
  }
  Writer small = start_tga(1, 0, 2, 15, 2, 1, 16, 0x20);
  PUT(&small, 0x00, 0x7C, 0x1F, 0x00, 1, 0, 0, 0);
  check_picture("a.tga", get_bytes(&small), "br", 3, NULL);
  Writer outside = start_tga(1, 1, 1, 24, 3, 1, 8, 0x20);
  put_color(&outside, 'r', 3);
  PUT(&outside, 0, 1, 2);
  check_picture("a.tga", get_bytes(&outside), "krk", 3, "palette");
  Writer grey = start_tga(3, 0, 0, 0, 3, 1, 8, 0x20);
  PUT(&grey, 0, 128, 255);
  check_picture("a.tga", get_bytes(&grey), "khw", 1, NULL);
  Writer grey_alpha = start_tga(3, 0, 0, 0, 2, 1, 16, 0x28);
  PUT(&grey_alpha, 128, 255, 0, 0);
  check_picture("a.tga", get_bytes(&grey_alpha), "h.", 2, NULL);
}

static void test_tga_packets(void **state) {
  (void)state;
  Writer color = start_tga(10, 0, 0, 0, 2, 2, 24, 0x20);
  PUT(&color, 0x82, 0, 0, 255, 0x00, 0, 255, 0);  // three red across the rows, one green
  check_picture("a.tga", get_bytes(&color), "rr/rg", 3, NULL);
  Writer map = start_tga(9, 0, 2, 24, 2, 2, 8, 0x20);
  PUT(&map, 0, 0, 255, 255, 0, 0, 0x01, 0, 1, 0xFF, 1);  // the last packet is longer than the picture
  check_picture("a.tga", get_bytes(&map), "rb/bb", 3, NULL);
  Writer grey = start_tga(11, 0, 0, 0, 2, 1, 8, 0x20);
  PUT(&grey, 0x81, 128);
  check_picture("a.tga", get_bytes(&grey), "hh", 1, NULL);
}

static void test_tga_refused(void **state) {
  (void)state;
  Writer kind = start_tga(77, 0, 0, 0, 2, 2, 24, 0);
  check_refused("a.tga", get_bytes(&kind), "offset 0x2: image type 77");
  Writer depth = start_tga(2, 0, 0, 0, 2, 2, 8, 0);
  check_refused("a.tga", get_bytes(&depth), "offset 0x10: 8 bits");
  Writer no_map = start_tga(1, 0, 0, 0, 2, 2, 8, 0);
  check_refused("a.tga", get_bytes(&no_map), "palette");
  Writer short_plain = start_tga(2, 0, 0, 0, 2, 2, 24, 0);
  PUT(&short_plain, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
  check_refused("a.tga", get_bytes(&short_plain), "offset 0x1f: the file ends");
  Writer short_packet = start_tga(10, 0, 0, 0, 2, 2, 24, 0);
  PUT(&short_packet, 0x80, 1, 2, 3, 0x80, 1, 2);
  check_refused("a.tga", get_bytes(&short_packet), "ends in row 0 of 2");
  Writer bomb = start_tga(10, 0, 0, 0, 8192, 4096, 8, 0x20);
  bomb.data[16] = 24;
  check_refused("a.tga", get_bytes(&bomb), "do not fit");
  Writer map_bomb = start_tga(9, 0, 65535, 32, 2, 2, 8, 0);
  check_refused("a.tga", get_bytes(&map_bomb), "the file ends");
  Writer empty = start_tga(2, 0, 0, 0, 0, 2, 24, 0);
  check_refused("a.tga", get_bytes(&empty), "0 x 2 pixels");
  check_refused("a.tga", check_bytes(kind.data, 17), "offset 0x11: the file ends");
}

// BMP

/// Starts a file with the palette of some letters. Masks belong to the caller: behind a header of 40 bytes.
static Writer start_bmp(int header_size, int width, int height, int bits, int compression, const char *palette) {
  Writer writer = {.size = 0};
  int color_size = header_size == 12 ? 3 : 4;
  int masks_size = header_size == 40 ? (compression == 3 ? 12 : compression == 6 ? 16 : 0) : 0;
  put_bytes(&writer, "BM", 2);
  writer.size = 10;
  put(&writer, 4, (uint32_t)(14 + header_size + masks_size + color_size * (int)strlen(palette)));
  put(&writer, 4, (uint32_t)header_size);
  int side_size = header_size == 12 ? 2 : 4;
  put(&writer, side_size, (uint32_t)width);
  put(&writer, side_size, (uint32_t)height);
  put(&writer, 2, 1);
  put(&writer, 2, (uint32_t)bits);
  if (header_size >= 40) put(&writer, 4, (uint32_t)compression);
  writer.size = (size_t)(14 + header_size);
  for (; *palette; palette++) {
    put_color(&writer, *palette, color_size);
    if (color_size == 4) writer.data[writer.size - 1] = 0;
  }
  return writer;
}

static void put_masks(Writer *writer, uint32_t red, uint32_t green, uint32_t blue, uint32_t alpha) {
  size_t end = writer->size;
  writer->size = 54;
  put(writer, 4, red);
  put(writer, 4, green);
  put(writer, 4, blue);
  if (alpha) put(writer, 4, alpha);
  if (end > writer->size) writer->size = end;
}

static void test_bmp_palettes(void **state) {
  (void)state;
  Writer one = start_bmp(40, 3, 2, 1, 0, "rb");
  PUT(&one, 0xA0, 0, 0, 0, 0x40, 0, 0, 0);
  check_picture("a.bmp", get_bytes(&one), "rbr/brb", 3, NULL);
  Writer four = start_bmp(40, 3, -2, 4, 0, "rgbw");
  PUT(&four, 0x01, 0x20, 0, 0, 0x32, 0x1F, 0, 0);
  check_picture("a.bmp", get_bytes(&four), "rgb/wbg", 3, NULL);
  Writer eight = start_bmp(12, 2, 2, 8, 0, "rgb");
  PUT(&eight, 0, 1, 0, 0, 2, 9);  // an index beyond the palette, and no padding behind the last row
  check_picture("a.bmp", get_bytes(&eight), "bk/rg", 3, NULL);
  Writer os2 = start_bmp(64, 2, 1, 8, 0, "rg");
  PUT(&os2, 0, 1, 0, 0);
  check_picture("a.bmp", get_bytes(&os2), "rg", 3, NULL);
}

static void test_bmp_colors(void **state) {
  (void)state;
  Writer core = start_bmp(12, 2, 1, 24, 0, "");
  PUT(&core, 0, 0, 255, 0, 255, 0, 0, 0);
  check_picture("a.bmp", get_bytes(&core), "rg", 3, NULL);
  Writer five = start_bmp(40, 2, 1, 16, 0, "");
  PUT(&five, 0x00, 0x7C, 0xE0, 0x03);
  check_picture("a.bmp", get_bytes(&five), "rg", 3, NULL);
  Writer padded = start_bmp(40, 2, 1, 32, 0, "");
  PUT(&padded, 0, 0, 255, 7, 255, 0, 0, 0);
  check_picture("a.bmp", get_bytes(&padded), "rb", 3, NULL);
}

static void test_bmp_masks(void **state) {
  (void)state;
  Writer six = start_bmp(40, 2, 1, 16, 3, "");
  put_masks(&six, 0xF800, 0x7E0, 0x1F, 0);
  PUT(&six, 0xE0, 0x07, 0x00, 0xF8);
  check_picture("a.bmp", get_bytes(&six), "gr", 3, NULL);
  static const int HEADER_SIZES[] = {56, 108, 124};
  for (int i = 0; i < 3; i++) {
    Writer writer = start_bmp(HEADER_SIZES[i], 3, 1, 32, 3, "");
    put_masks(&writer, 0xFF, 0xFF00, 0xFF0000, 0xFF000000);
    PUT(&writer, 255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 255, 255);
    check_picture("a.bmp", get_bytes(&writer), "r.b", 4, NULL);
  }
  Writer alpha = start_bmp(40, 2, 1, 16, 6, "");
  put_masks(&alpha, 0xF00, 0xF0, 0xF, 0xF000);
  PUT(&alpha, 0x0F, 0xFF, 0x00, 0x00);
  check_picture("a.bmp", get_bytes(&alpha), "m.", 4, NULL);
  Writer ten = start_bmp(52, 2, 1, 32, 3, "");
  put_masks(&ten, 0x3FF00000, 0xFFC00, 0x3FF, 0);
  put(&ten, 4, 0x3FFFFFFF);
  put(&ten, 4, 0x3FF);
  check_picture("a.bmp", get_bytes(&ten), "wb", 3, NULL);
}

static void test_bmp_runs(void **state) {
  (void)state;
  Writer eight = start_bmp(40, 4, 3, 8, 1, "krgb");
  PUT(&eight, 3, 1, 1, 2, 0, 0);        // bottom row: rrrg
  PUT(&eight, 0, 3, 1, 2, 3, 0, 0, 0);  // three plain indexes and padding
  PUT(&eight, 0, 2, 1, 0, 9, 2, 0, 1);  // a step over one pixel, a run beyond the row, the end
  check_picture("a.bmp", get_bytes(&eight), "kggg/rgbk/rrrg", 3, NULL);
  Writer four = start_bmp(40, 5, 2, 4, 2, "krgb");
  PUT(&four, 5, 0x12, 0, 0);              // bottom row: rgrgr
  PUT(&four, 0, 5, 0x12, 0x31, 0x20, 0);  // five plain indexes and padding
  check_picture("a.bmp", get_bytes(&four), "rgbrg/rgrgr", 3, NULL);
  Writer step = start_bmp(40, 2, 2, 8, 1, "kr");
  PUT(&step, 0, 2, 1, 1, 1, 1, 0, 1);
  check_picture("a.bmp", get_bytes(&step), "kr/kk", 3, NULL);
}

static void test_bmp_refused(void **state) {
  (void)state;
  Writer header = start_bmp(40, 2, 2, 24, 0, "");
  check_refused("a.bmp", check_bytes(header.data, 20), "offset 0x14: the file ends");
  check_refused("a.bmp", get_bytes(&header), "offset 0xa: pixels at 0x36");
  PUT(&header, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
  check_refused("a.bmp", get_bytes(&header), "the file ends in row 1 of 2");
  Writer size = start_bmp(41, 2, 2, 24, 0, "");
  check_refused("a.bmp", get_bytes(&size), "offset 0xe: a header of 41 bytes");
  Writer encoding = start_bmp(40, 2, 2, 4, 1, "rg");
  PUT(&encoding, 0, 1);
  check_refused("a.bmp", get_bytes(&encoding), "offset 0x1c: 4 bits a pixel with compression 1");
  Writer runs = start_bmp(40, 4, 2, 8, 1, "rg");
  PUT(&runs, 4, 1, 0, 0, 0, 9, 1, 2);
  check_refused("a.bmp", get_bytes(&runs), "the file ends in row 1 of 2");
  Writer bomb = start_bmp(40, 8192, 4096, 8, 1, "rg");
  PUT(&bomb, 0, 1);
  check_refused("a.bmp", get_bytes(&bomb), "do not fit");
  Writer huge = start_bmp(40, 2, INT32_MIN, 8, 0, "rg");
  PUT(&huge, 0, 1);
  check_refused("a.bmp", get_bytes(&huge), "2 x 2147483648 pixels");
  Writer negative = start_bmp(40, -2, 2, 8, 0, "rg");
  PUT(&negative, 0, 1);
  check_refused("a.bmp", get_bytes(&negative), "-2 x 2 pixels");
}

// PCX

/// Starts a file whose window is at 5, 7. The palette of the header has colours by letters.
static Writer start_pcx(int encoding, int bits, int planes, int stride, int width, int height, const char *palette) {
  Writer writer = {.size = 0};
  PUT(&writer, 10, 5, (uint8_t)encoding, (uint8_t)bits, 5, 0, 7, 0);
  put(&writer, 2, (uint32_t)(5 + width - 1));
  put(&writer, 2, (uint32_t)(7 + height - 1));
  writer.size = 16;
  for (; *palette; palette++)
    put_bytes(&writer, check_color(*palette), 3);
  writer.size = 65;
  put(&writer, 1, (uint32_t)planes);
  put(&writer, 2, (uint32_t)stride);
  writer.size = 128;
  return writer;
}

static void test_pcx_8_bits(void **state) {
  (void)state;
  Writer palette = start_pcx(1, 8, 1, 4, 3, 2, "");
  PUT(&palette, 0xC2, 1, 2, 0, 0xC1, 0xFF, 1, 1, 0, 12);
  for (int i = 0; i < 256; i++)
    put_bytes(&palette, check_color(i == 1 ? 'r' : i == 2 ? 'g' : i == 255 ? 'm' : 'k'), 3);
  check_picture("a.pcx", get_bytes(&palette), "rrg/mrr", 3, NULL);  // 255 is a colour like any other
  Writer grey = start_pcx(0, 8, 1, 3, 3, 1, "");
  PUT(&grey, 0, 128, 255);
  check_picture("a.pcx", get_bytes(&grey), "khw", 1, "palette");
  Writer color = start_pcx(0, 8, 3, 4, 3, 1, "");
  PUT(&color, 255, 0, 0, 9, 0, 255, 0, 9, 0, 0, 255, 9);
  check_picture("a.pcx", get_bytes(&color), "rgb", 3, NULL);
  Writer alpha = start_pcx(0, 8, 4, 2, 2, 1, "");
  PUT(&alpha, 255, 0, 0, 0, 0, 0, 255, 0);
  check_picture("a.pcx", get_bytes(&alpha), "r.", 4, NULL);
}

static void test_pcx_planes(void **state) {
  (void)state;
  Writer mono = start_pcx(0, 1, 1, 2, 10, 1, "rg");
  PUT(&mono, 0xA0, 0x7F);  // the bits behind the width do not count
  check_picture("a.pcx", get_bytes(&mono), "wkwkkkkkkw", 1, NULL);
  Writer two = start_pcx(0, 1, 2, 2, 4, 1, "rgbw");
  PUT(&two, 0x50, 0, 0x30, 0);
  check_picture("a.pcx", get_bytes(&two), "rgbw", 3, NULL);
  Writer three = start_pcx(0, 1, 3, 1, 4, 1, "rgbwcmyk");
  PUT(&three, 0x50, 0x30, 0xF0);
  check_picture("a.pcx", get_bytes(&three), "cmyk", 3, NULL);
  Writer four = start_pcx(0, 1, 4, 1, 3, 1, "rrrrrrrrggggggbw");
  PUT(&four, 0x20, 0x60, 0x60, 0xE0);
  check_picture("a.pcx", get_bytes(&four), "gbw", 3, NULL);
  Writer ega = start_pcx(0, 1, 4, 1, 2, 1, "");
  PUT(&ega, 0x40, 0x40, 0x40, 0x40);
  check_picture("a.pcx", get_bytes(&ega), "kw", 3, "palette");
}

static void test_pcx_packed_indexes(void **state) {
  (void)state;
  Writer four = start_pcx(0, 4, 1, 2, 3, 1, "krgbkkkkkkkkkkkw");
  PUT(&four, 0x1F, 0x30);
  check_picture("a.pcx", get_bytes(&four), "rwb", 3, NULL);
  Writer two = start_pcx(0, 2, 1, 2, 4, 1, "krgb");
  PUT(&two, 0x1B, 0);
  check_picture("a.pcx", get_bytes(&two), "krgb", 3, NULL);
}

static void test_pcx_cga(void **state) {
  (void)state;
  static const struct {
    uint8_t background, green, blue;
    uint8_t expected[4][3];
  } CASES[] = {
      {0x00, 0, 255, {{0, 0, 0}, {85, 255, 255}, {255, 85, 255}, {255, 255, 255}}},
      {0x10, 255, 0, {{0, 0, 170}, {85, 255, 85}, {255, 85, 85}, {255, 255, 85}}},
      {0x40, 100, 0, {{170, 0, 0}, {0, 170, 0}, {170, 0, 0}, {170, 85, 0}}},
      {0xF0, 0, 0, {{255, 255, 255}, {0, 170, 170}, {170, 0, 170}, {170, 170, 170}}},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    Writer writer = start_pcx(0, 2, 1, 2, 4, 1, "");
    writer.data[16] = CASES[i].background;
    writer.data[20] = CASES[i].green;
    writer.data[21] = CASES[i].blue;
    PUT(&writer, 0x1B, 0);
    Memory memory = {0};
    Image image;
    check_loads(&memory, "a.pcx", get_bytes(&writer), &image);
    for (int x = 0; x < 4; x++)
      assert_memory_equal(image.pixels + 4 * x, CASES[i].expected[x], 3);
    image_free(&memory, &image);
  }
}

static void test_pcx_repaired(void **state) {
  (void)state;
  Writer runs = start_pcx(1, 8, 3, 1, 1, 2, "");
  PUT(&runs, 0xC6, 0xFF);
  check_picture("a.pcx", get_bytes(&runs), "w/w", 3, "runs");
  Writer cut = start_pcx(1, 8, 3, 1, 1, 2, "");
  PUT(&cut, 1, 0, 0xC0, 9, 0);
  cut.data[128] = 0;
  check_picture("a.pcx", get_bytes(&cut), "k/k", 3, "pixels end 3 bytes early");
  Writer wide = start_pcx(0, 8, 3, 4, 1, 1, "");
  PUT(&wide, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  check_picture("a.pcx", get_bytes(&wide), "r", 3, "bytes a line");
}

static void test_pcx_refused(void **state) {
  (void)state;
  Writer bomb = start_pcx(1, 8, 3, 8192, 8192, 4096, "");
  PUT(&bomb, 0xFF, 0, 0xFF, 0);
  check_refused("a.pcx", get_bytes(&bomb), "cannot hold");
  Writer layout = start_pcx(1, 8, 2, 4, 4, 4, "");
  check_refused("a.pcx", get_bytes(&layout), "offset 0x3: 8 bits in 2 planes");
  Writer stride = start_pcx(1, 4, 1, 2, 5, 4, "");
  check_refused("a.pcx", get_bytes(&stride), "offset 0x42: 2 bytes a line, expected at least 3");
  Writer wide = start_pcx(1, 1, 1, 2000, 9000, 4, "");
  for (int i = 0; i < 300; i++)
    PUT(&wide, 0xFF, 0);
  check_refused("a.pcx", get_bytes(&wide), "9000 x 4 pixels");
  check_refused("a.pcx", check_bytes(bomb.data, 127), "offset 0x7f: the file ends");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tga_origins),
      cmocka_unit_test(test_tga_alpha),
      cmocka_unit_test(test_tga_palette_and_grey),
      cmocka_unit_test(test_tga_packets),
      cmocka_unit_test(test_tga_refused),
      cmocka_unit_test(test_bmp_palettes),
      cmocka_unit_test(test_bmp_colors),
      cmocka_unit_test(test_bmp_masks),
      cmocka_unit_test(test_bmp_runs),
      cmocka_unit_test(test_bmp_refused),
      cmocka_unit_test(test_pcx_8_bits),
      cmocka_unit_test(test_pcx_planes),
      cmocka_unit_test(test_pcx_packed_indexes),
      cmocka_unit_test(test_pcx_cga),
      cmocka_unit_test(test_pcx_repaired),
      cmocka_unit_test(test_pcx_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
