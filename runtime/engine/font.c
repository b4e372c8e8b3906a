#include "engine/font.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

// What stb_truetype works with while it draws one glyph. It does not check everywhere whether it gets memory, so all of it
// is taken beforehand; the glyph of our font that needs most needs 36 KB.
enum { SCRATCH_SIZE = 128 * 1024 };

typedef struct Scratch {
  uint8_t *block;
  size_t used;
  bool is_exhausted;
} Scratch;

static void *scratch_alloc(Scratch *scratch, size_t size) {
  size = (size + 15) & ~(size_t)15;
  if (!scratch->block || size > SCRATCH_SIZE - scratch->used) {
    scratch->is_exhausted = true;
    return NULL;
  }
  scratch->used += size;
  return scratch->block + scratch->used - size;
}

#define STBTT_malloc(size, scratch) scratch_alloc((scratch), (size))
#define STBTT_free(block, scratch) ((void)(block), (void)(scratch))
#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#define STBRP_STATIC
#define STB_RECT_PACK_IMPLEMENTATION
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
#include <stb/stb_rect_pack.h>
#include <stb/stb_truetype.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

enum {
  ATLAS_WIDTH = 1024,
  ATLAS_FIRST_HEIGHT = 128,
  ATLAS_MAX_HEIGHT = 2048,
  SOLID_SIDE = 4,
  REPLACEMENT = 0xfffd,
};

typedef struct Entry {
  uint64_t key;  // size and character; 0 is a free place
  Glyph glyph;
} Entry;

struct Font {
  Memory *memory;
  Gpu *gpu;
  stbtt_fontinfo info;
  int ascent, descent, line_gap;  // in the font's units
  Entry *entries;                 // a hash table with open addressing, at most half full
  int entry_count, entry_capacity;
  stbrp_context packer;
  stbrp_node nodes[ATLAS_WIDTH];
  uint8_t *pixels;
  int height;                  // of pixels
  int dirty_start, dirty_end;  // rows the texture does not have yet
  bool is_full;
  GpuTexture *texture;
  int texture_height;
  Scratch scratch;
  bool is_out_of_memory;  // a glyph is missing since font_check_memory
};

// --- The atlas ---

static bool reserve_rows(Font *font, int rows) {
  int height = font->height > 0 ? font->height : ATLAS_FIRST_HEIGHT;
  while (height < rows)
    height *= 2;
  if (height == font->height) return true;
  uint8_t *pixels = memory_resize(font->memory, font->pixels, (size_t)height * ATLAS_WIDTH);
  if (!pixels) return false;
  memset(pixels + (size_t)font->height * ATLAS_WIDTH, 0, (size_t)(height - font->height) * ATLAS_WIDTH);
  font->pixels = pixels;
  font->height = height;
  return true;
}

// Finds a place with a pixel of space on each side, so that smoothing never mixes two glyphs.
static bool place(Font *font, int width, int height, int *x, int *y) {
  stbrp_rect rect = {.w = width + 2, .h = height + 2};
  if (!stbrp_pack_rects(&font->packer, &rect, 1)) {
    font->is_full = true;
    return false;
  }
  if (!reserve_rows(font, rect.y + rect.h)) {
    font->is_out_of_memory = true;
    return false;
  }
  *x = rect.x + 1;
  *y = rect.y + 1;
  if (*y < font->dirty_start) font->dirty_start = *y;
  if (*y + height > font->dirty_end) font->dirty_end = *y + height;
  return true;
}

static bool start_atlas(Font *font) {
  int limit = gpu_profile(font->gpu)->max_texture_size;
  stbrp_init_target(&font->packer, ATLAS_WIDTH, limit < ATLAS_MAX_HEIGHT ? limit : ATLAS_MAX_HEIGHT, font->nodes,
                    ATLAS_WIDTH);
  if (font->pixels) memset(font->pixels, 0, (size_t)font->height * ATLAS_WIDTH);
  if (font->entries) memset(font->entries, 0, (size_t)font->entry_capacity * sizeof *font->entries);
  font->entry_count = 0;
  font->is_full = false;
  int x, y;
  if (!place(font, SOLID_SIDE, SOLID_SIDE, &x, &y)) return false;
  for (int row = 0; row < SOLID_SIDE; row++)
    memset(font->pixels + (size_t)(y + row) * ATLAS_WIDTH + x, 255, SOLID_SIDE);
  font->dirty_start = 0;
  font->dirty_end = font->height;
  return true;
}

Font *font_create(Memory *memory, Gpu *gpu, Bytes bytes, Error *error) {
  Font *font = memory_alloc(memory, sizeof *font);
  if (!font) {
    error_set_out_of_memory(error);
    return NULL;
  }
  font->memory = memory;
  font->gpu = gpu;
  font->info.userdata = &font->scratch;
  int offset = bytes.size > 12 ? stbtt_GetFontOffsetForIndex(bytes.data, 0) : -1;
  if (offset < 0 || !stbtt_InitFont(&font->info, bytes.data, offset)) {
    error_set(error, "the font is not a TrueType file");
    font_free(font);
    return NULL;
  }
  stbtt_GetFontVMetrics(&font->info, &font->ascent, &font->descent, &font->line_gap);
  if (start_atlas(font)) return font;
  error_set_out_of_memory(error);
  font_free(font);
  return NULL;
}

void font_free(Font *font) {
  if (!font) return;
  gpu_texture_free(font->gpu, font->texture);
  memory_free(font->memory, font->pixels);
  memory_free(font->memory, font->entries);
  memory_free(font->memory, font);
}

void font_begin(Font *font) {
  if (font->is_full) start_atlas(font);
}

bool font_check_memory(Font *font, Error *error) {
  if (!font->is_out_of_memory) return true;
  font->is_out_of_memory = false;
  return error_set_out_of_memory(error);
}

// --- Glyphs ---

static float scale_of(const Font *font, int size) {
  return stbtt_ScaleForPixelHeight(&font->info, (float)size / FONT_SIZE_STEPS);
}

static int find_index(const Font *font, uint32_t character) {
  int index = stbtt_FindGlyphIndex(&font->info, (int)character);
  if (index == 0) index = stbtt_FindGlyphIndex(&font->info, REPLACEMENT);
  return index;
}

static bool draw_pixels(Font *font, const Glyph *glyph, float scale) {
  Scratch *scratch = &font->scratch;
  *scratch = (Scratch){.block = memory_resize(font->memory, NULL, SCRATCH_SIZE)};
  if (!scratch->block) return false;
  uint8_t *pixels = font->pixels + (size_t)glyph->y * ATLAS_WIDTH + glyph->x;
  stbtt_MakeGlyphBitmap(&font->info, pixels, glyph->width, glyph->height, ATLAS_WIDTH, scale, scale, glyph->index);
  memory_free(font->memory, scratch->block);
  scratch->block = NULL;
  return !scratch->is_exhausted;
}

static Glyph draw_glyph(Font *font, uint32_t character, int size) {
  float scale = scale_of(font, size);
  int advance, bearing, x0, y0, x1, y1;
  Glyph glyph = {.index = find_index(font, character)};
  stbtt_GetGlyphHMetrics(&font->info, glyph.index, &advance, &bearing);
  stbtt_GetGlyphBitmapBox(&font->info, glyph.index, scale, scale, &x0, &y0, &x1, &y1);
  glyph.advance = (float)advance * scale;
  int width = x1 - x0, height = y1 - y0;
  if (width <= 0 || height <= 0 || width > ATLAS_WIDTH - 2) return glyph;
  if (!place(font, width, height, &glyph.x, &glyph.y)) return glyph;
  glyph.width = width;
  glyph.height = height;
  glyph.left = x0;
  glyph.top = y0;
  if (!draw_pixels(font, &glyph, scale)) font->is_out_of_memory = true;
  return glyph;
}

static Entry *find_entry(Entry *entries, int capacity, uint64_t key) {
  uint32_t at = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32);
  for (;; at++) {
    Entry *entry = &entries[at & (uint32_t)(capacity - 1)];
    if (entry->key == key || entry->key == 0) return entry;
  }
}

static bool grow_entries(Font *font) {
  if (font->entry_count * 2 < font->entry_capacity) return true;
  int capacity = font->entry_capacity > 0 ? font->entry_capacity * 2 : 256;
  Entry *entries = memory_alloc_array(font->memory, (size_t)capacity, sizeof *entries);
  if (!entries) return false;
  for (int i = 0; i < font->entry_capacity; i++) {
    const Entry *old = &font->entries[i];
    if (old->key) *find_entry(entries, capacity, old->key) = *old;
  }
  memory_free(font->memory, font->entries);
  font->entries = entries;
  font->entry_capacity = capacity;
  return true;
}

Glyph font_glyph(Font *font, uint32_t character, int size) {
  uint64_t key = (uint64_t)size << 32 | character;
  if (!grow_entries(font)) {
    font->is_out_of_memory = true;
    return (Glyph){0};
  }
  Entry *entry = find_entry(font->entries, font->entry_capacity, key);
  if (entry->key == 0) {
    Glyph glyph = draw_glyph(font, character, size);
    if (font->is_out_of_memory) return (Glyph){0};
    *entry = (Entry){key, glyph};
    font->entry_count++;
  }
  return entry->glyph;
}

float font_kerning(const Font *font, const Glyph *left, const Glyph *right, int size) {
  return (float)stbtt_GetGlyphKernAdvance(&font->info, left->index, right->index) * scale_of(font, size);
}

float font_ascent(const Font *font, int size) {
  return (float)font->ascent * scale_of(font, size);
}

float font_line_height(const Font *font, int size) {
  return (float)(font->ascent - font->descent + font->line_gap) * scale_of(font, size);
}

void font_solid(const Font *font, float *x, float *y) {
  (void)font;
  // It is placed first, in the corner, after its pixel of space.
  *x = *y = 1 + SOLID_SIDE * 0.5f;
}

void font_forget_texture(Font *font) {
  gpu_texture_free(font->gpu, font->texture);
  font->texture = NULL;
  font->texture_height = 0;
}

GpuTexture *font_texture(Font *font, int *width, int *height, Error *error) {
  if (font->texture_height != font->height) {
    gpu_texture_free(font->gpu, font->texture);
    GpuTextureDesc desc = {.width = ATLAS_WIDTH, .height = font->height, .format = GPU_ALPHA, .pixels = font->pixels};
    font->texture = gpu_texture_create(font->gpu, &desc, error);
    font->texture_height = font->texture ? font->height : 0;
  } else if (font->dirty_start < font->dirty_end) {
    gpu_texture_replace_rows(font->gpu, font->texture, font->dirty_start, font->dirty_end - font->dirty_start,
                             font->pixels + (size_t)font->dirty_start * ATLAS_WIDTH);
  }
  font->dirty_start = font->height;
  font->dirty_end = 0;
  *width = ATLAS_WIDTH;
  *height = font->height;
  return font->texture;
}
