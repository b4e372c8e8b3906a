#include "error.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set(Error *error, const char *format, ...) {
  if (!error) return false;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  return false;
}

bool error_set_out_of_memory(Error *error) {
  return error_set(error, "out of memory");
}
