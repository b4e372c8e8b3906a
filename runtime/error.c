#include "error.h"

#include <stdarg.h>
#include <stdio.h>

static bool set(Error *error, bool is_mistake, const char *format, va_list arguments) {
  if (!error) return false;
  vsnprintf(error->text, sizeof error->text, format, arguments);
  error->is_mistake = is_mistake;
  error->is_out_of_memory = false;
  return false;
}

bool error_set(Error *error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  set(error, false, format, arguments);
  va_end(arguments);
  return false;
}

bool error_set_mistake(Error *error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  set(error, true, format, arguments);
  va_end(arguments);
  return false;
}

bool error_set_out_of_memory(Error *error) {
  error_set(error, "out of memory");
  if (error) error->is_out_of_memory = true;
  return false;
}
