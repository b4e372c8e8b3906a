#include "utf8.h"

#include <string.h>

size_t utf8_sequence_length(const char *text, size_t left) {
  const unsigned char *bytes = (const unsigned char *)text;
  unsigned char first = bytes[0];
  if (first < 0x80) return 1;
  size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || length > left) return 0;
  for (size_t i = 1; i < length; i++) {
    if ((bytes[i] & 0xc0) != 0x80) return 0;
  }
  if (first == 0xe0 && bytes[1] < 0xa0) return 0;
  if (first == 0xed && bytes[1] > 0x9f) return 0;
  if (first == 0xf0 && bytes[1] < 0x90) return 0;
  if (first == 0xf4 && bytes[1] > 0x8f) return 0;
  return length;
}

bool utf8_is_valid(const char *text) {
  for (size_t left = strlen(text); left > 0;) {
    size_t length = utf8_sequence_length(text, left);
    if (length == 0) return false;
    text += length;
    left -= length;
  }
  return true;
}
