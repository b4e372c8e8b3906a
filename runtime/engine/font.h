#ifndef PALFREY_ENGINE_FONT_H
#define PALFREY_ENGINE_FONT_H
// A TrueType font whose glyphs are drawn into one texture when they are first wanted, at any size. The texture grows
// downwards; when it cannot grow any more, further glyphs are blank until font_begin, which then starts anew.
#include "engine/gpu.h"

enum { FONT_SIZE_STEPS = 4, FONT_MAX_SIZE = 256 };

typedef struct Font Font;

/// Places are in the texture's pixels; a glyph without ink has no width.
typedef struct Glyph {
  int index;  ///< in the font, for kerning
  int x, y, width, height;
  int left, top;  ///< of the picture from the pen, y downwards
  float advance;
} Glyph;

/// `bytes` must outlive the font.
Font *font_create(Memory *memory, Gpu *gpu, Bytes bytes, Error *error);
void font_free(Font *font);

/// Before a frame: forgets all glyphs if there was no room for some in the last one.
void font_begin(Font *font);

/// A size is a number of steps of 1 / FONT_SIZE_STEPS pixels. Characters the font does not have show as U+FFFD. Blank when
/// there is no memory, which font_check_memory tells.
Glyph font_glyph(Font *font, uint32_t character, int size);

/// False when a glyph was left out for want of memory since the last call.
bool font_check_memory(Font *font, Error *error);

float font_kerning(const Font *font, const Glyph *left, const Glyph *right, int size);

/// From the top of a line to its baseline, and from one line to the next, in pixels.
float font_ascent(const Font *font, int size);
float font_line_height(const Font *font, int size);

/// A place in the texture that is opaque all around, in pixels.
void font_solid(const Font *font, float *x, float *y);

/// Lets go of the texture: it is made again at need, with the same glyphs.
void font_forget_texture(Font *font);

/// The texture, with all glyphs asked for so far in it. NULL on failure.
GpuTexture *font_texture(Font *font, int *width, int *height, Error *error);

#endif
