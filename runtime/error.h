#ifndef PALFREY_ERROR_H
#define PALFREY_ERROR_H
// Errors are texts for the person who can fix the cause. A function that takes an `Error *` as its last parameter can
// fail: it returns false or NULL and has filled the error. Every other function cannot fail.
#include <stdbool.h>

typedef struct Error {
  char text[512];
  bool is_mistake;        ///< the caller's mistake rather than a fact of the world: raised in Lua instead of returned
  bool is_out_of_memory;  ///< raised in Lua, too: nobody expects it, and a lost result would be missed much later
} Error;

#if defined(__GNUC__)
#define PRINTF_LIKE(format_index, first_argument) __attribute__((format(printf, format_index, first_argument)))
#else
#define PRINTF_LIKE(format_index, first_argument)
#endif

/// Formats the text into `error` (which may be NULL) and returns false, so that callers can `return error_set(...)`.
bool error_set(Error *error, const char *format, ...) PRINTF_LIKE(2, 3);

/// As error_set, for a mistake of the caller.
bool error_set_mistake(Error *error, const char *format, ...) PRINTF_LIKE(2, 3);

/// Sets the one text for exhausted memory; returns false.
bool error_set_out_of_memory(Error *error);

#endif
