#include "engine/text_layout.h"

enum { REPLACEMENT = 0xfffd, TAB_BLANKS = 4 };

uint32_t text_layout_next(TextSpan *text) {
  static const uint32_t SMALLEST[] = {0, 0, 0x80, 0x800, 0x10000};
  const uint8_t *bytes = (const uint8_t *)text->start;
  uint8_t first = bytes[0];
  text->start++;
  if (first < 0x80) return first;
  int length = first >= 0xf0 && first < 0xf8 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0;
  if (length == 0 || first >= 0xf8 || text->end - (const char *)bytes < length) return REPLACEMENT;
  uint32_t character = first & (0x7fu >> length);
  for (int i = 1; i < length; i++) {
    if ((bytes[i] & 0xc0) != 0x80) return REPLACEMENT;
    character = character << 6 | (bytes[i] & 0x3f);
  }
  bool is_surrogate = character >= 0xd800 && character < 0xe000;
  if (character < SMALLEST[length] || is_surrogate || character > 0x10ffff) return REPLACEMENT;
  text->start += length - 1;
  return character;
}

// The pen while it walks along a line.
typedef struct Pen {
  Font *font;
  int size;
  float x;
  bool has_last;
  Glyph last, glyph;  // the glyph before, and the one at `start`
  float start;
} Pen;

static void advance(Pen *pen, uint32_t character) {
  bool is_tab = character == '\t';
  pen->glyph = font_glyph(pen->font, is_tab ? ' ' : character, pen->size);
  if (pen->has_last) pen->x += font_kerning(pen->font, &pen->last, &pen->glyph, pen->size);
  pen->start = pen->x;
  pen->x += pen->glyph.advance * (is_tab ? TAB_BLANKS : 1);
  pen->last = pen->glyph;
  pen->has_last = true;
}

static bool is_blank(uint32_t character) {
  return character == ' ' || character == '\t';
}

bool text_layout_take_line(Font *font, int size, float width, TextSpan *text, TextLine *line) {
  if (text->start >= text->end) return false;
  Pen pen = {.font = font, .size = size};
  const char *start = text->start;
  // Where the line would end if it had to end at a blank or inside the word: end of its ink, start of the next line.
  TextLine at_blank = {{start, NULL}, 0};
  const char *after_blank = NULL;
  float ink = 0;
  while (text->start < text->end) {
    const char *before = text->start;
    uint32_t character = text_layout_next(text);
    if (character == '\n') {
      *line = (TextLine){{start, before}, ink};
      return true;
    }
    if (character == '\r') continue;
    bool was_blank = ink < pen.x;
    advance(&pen, character);
    if (is_blank(character)) {
      if (!was_blank) at_blank = (TextLine){{start, before}, ink};
      after_blank = text->start;
      continue;
    }
    if (width > 0 && pen.x > width && before > start) {
      text->start = after_blank ? after_blank : before;
      *line = after_blank ? at_blank : (TextLine){{start, before}, ink};
      return true;
    }
    ink = pen.x;
  }
  *line = (TextLine){{start, text->end}, ink};
  return true;
}

bool text_layout_each_glyph(Font *font, int size, TextSpan line, TextVisitor *visit, void *user) {
  Pen pen = {.font = font, .size = size};
  while (line.start < line.end) {
    uint32_t character = text_layout_next(&line);
    if (character == '\r') continue;
    advance(&pen, character);
    if (!visit(user, &pen.glyph, pen.start)) return false;
  }
  return true;
}
