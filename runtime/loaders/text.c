#include "loaders/text.h"

// The length of the UTF-8 sequence at `text`, or 0 when it is none (overlong forms, surrogates, cut ends).
static size_t utf8_length(const unsigned char *text, size_t left) {
  unsigned char first = text[0];
  if (first < 0x80) return 1;
  size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || length > left) return 0;
  for (size_t i = 1; i < length; i++) {
    if ((text[i] & 0xc0) != 0x80) return 0;
  }
  if (first == 0xe0 && text[1] < 0xa0) return 0;
  if (first == 0xed && text[1] > 0x9f) return 0;
  if (first == 0xf0 && text[1] < 0x90) return 0;
  if (first == 0xf4 && text[1] > 0x8f) return 0;
  return length;
}

static bool is_utf8(const unsigned char *text, size_t length) {
  for (size_t i = 0, step; i < length; i += step) {
    step = utf8_length(text + i, length - i);
    if (step == 0) return false;
  }
  return true;
}

char *text_copy_utf8(Arena *arena, const char *text, size_t length) {
  const unsigned char *bytes = (const unsigned char *)text;
  if (is_utf8(bytes, length)) return arena_copy_string(arena, text, length);
  char *copy = arena_alloc(arena, 2 * length + 1), *end = copy;
  for (size_t i = 0; copy && i < length; i++) {
    if (bytes[i] >= 0x80) *end++ = (char)(0xc0 | bytes[i] >> 6);
    *end++ = (char)(bytes[i] < 0x80 ? bytes[i] : 0x80 | (bytes[i] & 0x3f));
  }
  return copy;
}
