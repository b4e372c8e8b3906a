#ifndef PALFREY_UTF8_H
#define PALFREY_UTF8_H
#include <stdbool.h>
#include <stddef.h>

/// The length of the UTF-8 sequence at the start of a text, or 0 when there is none: overlong forms, surrogates and
/// sequences that are cut are none. `left` is at least 1.
size_t utf8_sequence_length(const char *text, size_t left);

bool utf8_is_valid(const char *text);

#endif
