#include "text_buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void text_buffer_append(TextBuffer *buffer, const char *text, size_t length) {
  bool fits = !buffer->has_failed && length < INT32_MAX / 2;
  // One more than asked for, so that there is always room for the NUL.
  if (!fits || !array_reserve(buffer->memory, &buffer->characters, (int)length + 1)) {
    buffer->has_failed = true;
    return;
  }
  memcpy(buffer->characters.items + buffer->characters.count, text, length);
  buffer->characters.count += (int)length;
}

void text_buffer_append_string(TextBuffer *buffer, const char *text) {
  text_buffer_append(buffer, text, strlen(text));
}

void text_buffer_append_format(TextBuffer *buffer, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  text_buffer_append_string(buffer, text);
}

const char *text_buffer_string(TextBuffer *buffer) {
  text_buffer_append(buffer, "", 0);
  if (buffer->has_failed) return NULL;
  buffer->characters.items[buffer->characters.count] = 0;
  return buffer->characters.items;
}

void text_buffer_free(TextBuffer *buffer) {
  array_free(buffer->memory, &buffer->characters);
}
