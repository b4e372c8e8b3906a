#include "log.h"

#include <stdarg.h>
#include <stdio.h>

static void write_line(const char *prefix, const char *format, va_list arguments) {
  fputs(prefix, stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
}

void log_info(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_line("palfrey: ", format, arguments);
  va_end(arguments);
}

void log_warning(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_line("palfrey: warning: ", format, arguments);
  va_end(arguments);
}

void log_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_line("palfrey: error: ", format, arguments);
  va_end(arguments);
}
