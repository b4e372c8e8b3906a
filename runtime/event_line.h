#ifndef PALFREY_EVENT_LINE_H
#define PALFREY_EVENT_LINE_H
// An event as a line of a recording: its word and the fields it has, as replay.h describes them.
#include <stdio.h>

#include "platform.h"

/// Nothing is written for an event that recordings do not hold.
void event_line_write(FILE *file, const Event *event);
bool event_line_read(const char *line, Event *event);

bool event_line_has_form(EventType type);

/// Whether a line begins with a word, followed by a blank or nothing; *rest is then what follows.
bool line_read_word(const char *line, const char *word, const char **rest);

/// Reads a number at *text and moves behind it. Numbers without an end, or too large to be meant, are none.
bool line_read_number(const char **text, double *value);
bool line_read_int(const char **text, int *value);

#endif
