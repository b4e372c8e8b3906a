#ifndef PALFREY_LOG_H
#define PALFREY_LOG_H
// What the runtime itself has to say goes to standard error, one line each, with a prefix that names the weight of it.
#include "error.h"

void log_info(const char *format, ...) PRINTF_LIKE(1, 2);
void log_warning(const char *format, ...) PRINTF_LIKE(1, 2);
void log_error(const char *format, ...) PRINTF_LIKE(1, 2);

#endif
