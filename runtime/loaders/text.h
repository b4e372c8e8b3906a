#ifndef PALFREY_LOADERS_TEXT_H
#define PALFREY_LOADERS_TEXT_H
#include "memory.h"

/// Copies text into the arena as UTF-8 with a NUL: bytes that are not UTF-8 are taken as Latin-1. NULL without memory.
char *text_copy_utf8(Arena *arena, const char *text, size_t length);

#endif
