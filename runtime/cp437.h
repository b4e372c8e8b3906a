#ifndef PALFREY_CP437_H
#define PALFREY_CP437_H
// The character set of names in zips that do not say they are UTF-8 (PKWARE's APPNOTE, appendix D).
#include <stdbool.h>
#include <stddef.h>

/// Both return false when the text does not fit, or has a character that the other set lacks.
bool cp437_to_utf8(const char *text, char *utf8, size_t size);
bool cp437_from_utf8(const char *utf8, char *text, size_t size);

#endif
