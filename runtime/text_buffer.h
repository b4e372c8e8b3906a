#ifndef PALFREY_TEXT_BUFFER_H
#define PALFREY_TEXT_BUFFER_H
// A text that grows. When memory runs out everything further does nothing, and text_buffer_string tells at the end.
#include "array.h"
#include "error.h"

typedef struct TextBuffer {
  Memory *memory;
  ARRAY(char) characters;
  bool has_failed;
} TextBuffer;

void text_buffer_append(TextBuffer *buffer, const char *text, size_t length);
void text_buffer_append_string(TextBuffer *buffer, const char *text);

/// Appends at most 255 characters.
void text_buffer_append_format(TextBuffer *buffer, const char *format, ...) PRINTF_LIKE(2, 3);

/// The text so far, or NULL when memory ran out. It belongs to the buffer.
const char *text_buffer_string(TextBuffer *buffer);

void text_buffer_free(TextBuffer *buffer);

#endif
