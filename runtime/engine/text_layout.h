#ifndef PALFREY_ENGINE_TEXT_LAYOUT_H
#define PALFREY_ENGINE_TEXT_LAYOUT_H
// Laying out text: from bytes to lines to the places of glyphs.
#include "engine/font.h"

/// Some bytes of UTF-8.
typedef struct TextSpan {
  const char *start, *end;
} TextSpan;

/// The next character, or U+FFFD for a byte that is no part of one; moves `start` on. The span is not empty.
uint32_t text_layout_next(TextSpan *text);

typedef struct TextLine {
  TextSpan span;
  float width;  ///< pixels, without the blanks at the end
} TextLine;

/// Takes the next line off the text: up to "\n", or to the last blank before `width` (0: any width), or inside a word that
/// alone is wider. False at the end of the text.
bool text_layout_take_line(Font *font, int size, float width, TextSpan *text, TextLine *line);

/// Called for each character of a line with the pen's place from the line's start.
typedef bool TextVisitor(void *user, const Glyph *glyph, float x);
bool text_layout_each_glyph(Font *font, int size, TextSpan line, TextVisitor *visit, void *user);

#endif
