#include "event_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USES_NAME = 1, USES_ID = 2, USES_BUTTON = 4, USES_REPEAT = 8, USES_XY = 16, USES_DELTA = 32, USES_VALUE = 64 };

typedef struct EventForm {
  const char *word;
  EventType type;
  int fields;
} EventForm;

static const EventForm FORMS[] = {
    {"keydown", EVENT_KEY_DOWN, USES_NAME | USES_REPEAT},
    {"keyup", EVENT_KEY_UP, USES_NAME},
    {"text", EVENT_TEXT, USES_NAME},
    {"mousemove", EVENT_MOUSE_MOVE, USES_XY | USES_DELTA},
    {"mousedown", EVENT_MOUSE_DOWN, USES_NAME | USES_BUTTON | USES_XY},
    {"mouseup", EVENT_MOUSE_UP, USES_NAME | USES_BUTTON | USES_XY},
    {"wheel", EVENT_WHEEL, USES_DELTA},
    {"paddown", EVENT_PAD_DOWN, USES_NAME | USES_ID},
    {"padup", EVENT_PAD_UP, USES_NAME | USES_ID},
    {"padaxis", EVENT_PAD_AXIS, USES_NAME | USES_ID | USES_VALUE},
    {"touchdown", EVENT_TOUCH_DOWN, USES_ID | USES_XY},
    {"touchmove", EVENT_TOUCH_MOVE, USES_ID | USES_XY},
    {"touchup", EVENT_TOUCH_UP, USES_ID | USES_XY},
    {"resize", EVENT_RESIZE, USES_XY},
    {"focus", EVENT_FOCUS, USES_VALUE},
    {"quit", EVENT_QUIT, 0},
};

enum { FORM_COUNT = sizeof FORMS / sizeof *FORMS };

static const EventForm *form_of_type(EventType type) {
  for (int i = 0; i < FORM_COUNT; i++) {
    if (FORMS[i].type == type) return &FORMS[i];
  }
  return NULL;
}

bool event_line_has_form(EventType type) {
  return form_of_type(type) != NULL;
}

// Names go to the end of their line, so the only character they must not hold is its end.
static void write_name(FILE *file, const char *name) {
  fputc(' ', file);
  for (; *name; name++)
    fputc(*name == '\n' || *name == '\r' ? ' ' : *name, file);
}

void event_line_write(FILE *file, const Event *event) {
  const EventForm *form = form_of_type(event->type);
  if (!form) return;
  fprintf(file, "%s", form->word);
  if (form->fields & USES_ID) fprintf(file, " %d", event->id);
  if (form->fields & USES_BUTTON) fprintf(file, " %d", event->button);
  if (form->fields & USES_REPEAT) fprintf(file, " %d", event->is_repeat);
  if (form->fields & USES_XY) fprintf(file, " %.9g %.9g", (double)event->x, (double)event->y);
  if (form->fields & USES_DELTA) fprintf(file, " %.9g %.9g", (double)event->dx, (double)event->dy);
  if (form->fields & USES_VALUE) fprintf(file, " %.9g", (double)event->value);
  if (form->fields & USES_NAME) write_name(file, event->name);
  fputc('\n', file);
}

bool line_read_number(const char **text, double *value) {
  char *end;
  *value = strtod(*text, &end);
  bool is_good = end != *text && isfinite(*value) && fabs(*value) < 1e15;
  *text = end;
  return is_good;
}

bool line_read_int(const char **text, int *value) {
  double number;
  bool is_good = line_read_number(text, &number) && number == floor(number) && fabs(number) < 2e9;
  *value = is_good ? (int)number : 0;
  return is_good;
}

static bool read_float(const char **text, float *value) {
  double number;
  bool is_good = line_read_number(text, &number);
  *value = is_good ? (float)number : 0;
  return is_good;
}

bool line_read_word(const char *line, const char *word, const char **rest) {
  size_t length = strlen(word);
  bool is_match = strncmp(line, word, length) == 0 && (line[length] == ' ' || !line[length]);
  *rest = line + length + (is_match && line[length] ? 1 : 0);
  return is_match;
}

static bool read_fields(const char *rest, int fields, Event *event) {
  int repeat = 0;
  bool is_good = true;
  if (fields & USES_ID) is_good = is_good && line_read_int(&rest, &event->id);
  if (fields & USES_BUTTON) is_good = is_good && line_read_int(&rest, &event->button);
  if (fields & USES_REPEAT) is_good = is_good && line_read_int(&rest, &repeat);
  if (fields & USES_XY) is_good = is_good && read_float(&rest, &event->x) && read_float(&rest, &event->y);
  if (fields & USES_DELTA) is_good = is_good && read_float(&rest, &event->dx) && read_float(&rest, &event->dy);
  if (fields & USES_VALUE) is_good = is_good && read_float(&rest, &event->value);
  event->is_repeat = repeat != 0;
  if (!is_good || !(fields & USES_NAME)) return is_good && !*rest;
  // One blank stands between the last number and the name; a name may begin with another.
  if (fields != USES_NAME && *rest++ != ' ') return false;
  if (strlen(rest) >= sizeof event->name) return false;
  memcpy(event->name, rest, strlen(rest) + 1);
  return true;
}

bool event_line_read(const char *line, Event *event) {
  const char *rest;
  *event = (Event){0};
  for (int i = 0; i < FORM_COUNT; i++) {
    if (!line_read_word(line, FORMS[i].word, &rest)) continue;
    event->type = FORMS[i].type;
    return read_fields(rest, FORMS[i].fields, event);
  }
  return false;
}
