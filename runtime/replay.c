#include "replay.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

#define MAGIC "palfrey recording 1"

enum { MAX_LINE = 256, MAX_SIDE = 16384 };

// One line an event: its word, then the fields it uses, in this order: id, button, repeat, x, y, dx, dy, value, name. The
// name comes last because it may hold blanks.
enum { USES_NAME = 1, USES_ID = 2, USES_BUTTON = 4, USES_REPEAT = 8, USES_XY = 16, USES_DELTA = 32, USES_VALUE = 64 };

typedef struct EventForm {
  EventType type;
  const char *word;
  int fields;
} EventForm;

static const EventForm FORMS[] = {
    {EVENT_KEY_DOWN, "keydown", USES_NAME | USES_REPEAT},
    {EVENT_KEY_UP, "keyup", USES_NAME},
    {EVENT_TEXT, "text", USES_NAME},
    {EVENT_MOUSE_MOVE, "mousemove", USES_XY | USES_DELTA},
    {EVENT_MOUSE_DOWN, "mousedown", USES_NAME | USES_BUTTON | USES_XY},
    {EVENT_MOUSE_UP, "mouseup", USES_NAME | USES_BUTTON | USES_XY},
    {EVENT_WHEEL, "wheel", USES_DELTA},
    {EVENT_PAD_DOWN, "paddown", USES_NAME | USES_ID},
    {EVENT_PAD_UP, "padup", USES_NAME | USES_ID},
    {EVENT_PAD_AXIS, "padaxis", USES_NAME | USES_ID | USES_VALUE},
    {EVENT_TOUCH_DOWN, "touchdown", USES_ID | USES_XY},
    {EVENT_TOUCH_MOVE, "touchmove", USES_ID | USES_XY},
    {EVENT_TOUCH_UP, "touchup", USES_ID | USES_XY},
    {EVENT_RESIZE, "resize", USES_XY},
    {EVENT_FOCUS, "focus", USES_VALUE},
};

enum { FORM_COUNT = sizeof FORMS / sizeof *FORMS };

// ------------------------------------------------------------------------------------------------- recording

struct Recorder {
  Memory *memory;
  FILE *file;
  char path[1024];
  int64_t step;  // the step whose number was written last, or -1
};

static bool write_failed(const Recorder *recorder, Error *error) {
  return error_set(error, "%s: the recording cannot be written: %s", recorder->path, strerror(errno));
}

Recorder *recorder_create(Memory *memory, const char *path, const ReplayHead *head, Error *error) {
  Recorder *recorder = memory_alloc(memory, sizeof *recorder);
  if (!recorder) {
    error_set_out_of_memory(error);
    return NULL;
  }
  recorder->memory = memory;
  recorder->step = -1;
  snprintf(recorder->path, sizeof recorder->path, "%s", path);
  recorder->file = fopen(path, "w");
  if (!recorder->file) {
    write_failed(recorder, error);
    memory_free(memory, recorder);
    return NULL;
  }
  fprintf(recorder->file, MAGIC "\nbuild %s\nseed %llu\nstep-seconds %.17g\nsize %d %d\n", head->build_id,
          (unsigned long long)head->seed, head->step_seconds, head->width, head->height);
  return recorder;
}

static void write_step(Recorder *recorder, int64_t step) {
  if (recorder->step != step) fprintf(recorder->file, "step %lld\n", (long long)step);
  recorder->step = step;
}

static const EventForm *form_of_type(EventType type) {
  for (int i = 0; i < FORM_COUNT; i++) {
    if (FORMS[i].type == type) return &FORMS[i];
  }
  return NULL;
}

// Names go to the end of their line, so the only character they must not hold is its end.
static void write_name(FILE *file, const char *name) {
  fputc(' ', file);
  for (; *name; name++)
    fputc(*name == '\n' || *name == '\r' ? ' ' : *name, file);
}

bool recorder_add(Recorder *recorder, int64_t step, const Event *event, Error *error) {
  const EventForm *form = form_of_type(event->type);
  if (!form) return true;
  FILE *file = recorder->file;
  write_step(recorder, step);
  fprintf(file, "%s", form->word);
  if (form->fields & USES_ID) fprintf(file, " %d", event->id);
  if (form->fields & USES_BUTTON) fprintf(file, " %d", event->button);
  if (form->fields & USES_REPEAT) fprintf(file, " %d", event->is_repeat);
  if (form->fields & USES_XY) fprintf(file, " %.9g %.9g", (double)event->x, (double)event->y);
  if (form->fields & USES_DELTA) fprintf(file, " %.9g %.9g", (double)event->dx, (double)event->dy);
  if (form->fields & USES_VALUE) fprintf(file, " %.9g", (double)event->value);
  if (form->fields & USES_NAME) write_name(file, event->name);
  fputc('\n', file);
  return !ferror(file) || write_failed(recorder, error);
}

bool recorder_add_hash(Recorder *recorder, int64_t step, uint64_t hash, Error *error) {
  write_step(recorder, step);
  fprintf(recorder->file, "hash %016llx\n", (unsigned long long)hash);
  return !ferror(recorder->file) || write_failed(recorder, error);
}

bool recorder_close(Recorder *recorder, int64_t steps, Error *error) {
  fprintf(recorder->file, "end %lld\n", (long long)steps);
  bool is_good = !ferror(recorder->file);
  if (fclose(recorder->file) != 0) is_good = false;
  if (!is_good) write_failed(recorder, error);
  memory_free(recorder->memory, recorder);
  return is_good;
}

// ------------------------------------------------------------------------------------------------- replaying

typedef struct StepEvent {
  int64_t step;
  Event event;
} StepEvent;

typedef struct StepHash {
  int64_t step;
  uint64_t hash;
} StepHash;

struct Replay {
  Memory *memory;
  ReplayHead head;
  ARRAY(StepEvent) events;
  ARRAY(StepHash) hashes;
  int64_t step_count;
  int next_event;
};

// The file while it is read.
typedef struct Reader {
  const char *path;
  FILE *file;
  char line[MAX_LINE];
  int line_number;
  Replay *replay;
  Error *error;
} Reader;

static bool fail(Reader *reader, const char *expected) {
  return error_set(reader->error, "%s:%d: %s expected, found \"%.60s\"", reader->path, reader->line_number, expected,
                   reader->line);
}

static bool next_line(Reader *reader) {
  reader->line[0] = 0;
  reader->line_number++;
  if (!fgets(reader->line, sizeof reader->line, reader->file)) return false;
  size_t length = strcspn(reader->line, "\r\n");
  if (!reader->line[length] && length == sizeof reader->line - 1) return false;
  reader->line[length] = 0;
  return true;
}

// Reads a number at *text and moves behind it.
static bool read_number(const char **text, double *value) {
  char *end;
  *value = strtod(*text, &end);
  bool is_good = end != *text && isfinite(*value) && fabs(*value) < 1e15;
  *text = end;
  return is_good;
}

static bool read_int(const char **text, int *value) {
  double number;
  bool is_good = read_number(text, &number) && number == floor(number) && fabs(number) < 2e9;
  *value = is_good ? (int)number : 0;
  return is_good;
}

static bool read_float(const char **text, float *value) {
  double number;
  bool is_good = read_number(text, &number);
  *value = is_good ? (float)number : 0;
  return is_good;
}

static bool read_field(const char *line, const char *word, const char **rest) {
  size_t length = strlen(word);
  bool is_match = strncmp(line, word, length) == 0 && line[length] == ' ';
  *rest = line + length + (is_match ? 1 : 0);
  return is_match;
}

static bool read_head(Reader *reader, const char *build_id) {
  ReplayHead *head = &reader->replay->head;
  const char *rest;
  if (!next_line(reader) || strcmp(reader->line, MAGIC) != 0) return fail(reader, "\"" MAGIC "\"");
  if (!next_line(reader) || !read_field(reader->line, "build", &rest)) return fail(reader, "\"build\"");
  if (build_id && strcmp(rest, build_id) != 0)
    return error_set(reader->error, "%s: recorded by %.60s, which this %s cannot play", reader->path, rest, build_id);
  snprintf(head->build_id, sizeof head->build_id, "%.60s", rest);
  if (!next_line(reader) || !read_field(reader->line, "seed", &rest)) return fail(reader, "\"seed\"");
  head->seed = strtoull(rest, NULL, 10);
  if (!next_line(reader) || !read_field(reader->line, "step-seconds", &rest) ||
      !read_number(&rest, &head->step_seconds) || head->step_seconds < 0.001 || head->step_seconds > 1)
    return fail(reader, "\"step-seconds\" from 0.001 to 1");
  if (!next_line(reader) || !read_field(reader->line, "size", &rest) || !read_int(&rest, &head->width) ||
      !read_int(&rest, &head->height) || head->width < 1 || head->width > MAX_SIDE || head->height < 1 ||
      head->height > MAX_SIDE)
    return fail(reader, "\"size\" with width and height");
  return true;
}

static bool read_event(Reader *reader, int64_t step) {
  StepEvent entry = {.step = step};
  Event *event = &entry.event;
  const EventForm *form = NULL;
  const char *rest = NULL;
  for (int i = 0; i < FORM_COUNT && !form; i++) {
    if (read_field(reader->line, FORMS[i].word, &rest)) form = &FORMS[i];
  }
  if (!form || step < 0) return fail(reader, "an event after a step");
  event->type = form->type;
  int repeat = 0;
  bool is_good = true;
  if (form->fields & USES_ID) is_good = is_good && read_int(&rest, &event->id);
  if (form->fields & USES_BUTTON) is_good = is_good && read_int(&rest, &event->button);
  if (form->fields & USES_REPEAT) is_good = is_good && read_int(&rest, &repeat);
  if (form->fields & USES_XY) is_good = is_good && read_float(&rest, &event->x) && read_float(&rest, &event->y);
  if (form->fields & USES_DELTA) is_good = is_good && read_float(&rest, &event->dx) && read_float(&rest, &event->dy);
  if (form->fields & USES_VALUE) is_good = is_good && read_float(&rest, &event->value);
  event->is_repeat = repeat != 0;
  if (is_good && form->fields & USES_NAME) {
    if (*rest == ' ') rest++;
    is_good = strlen(rest) < sizeof event->name;
    if (is_good) memcpy(event->name, rest, strlen(rest) + 1);
  }
  if (!is_good) return fail(reader, "the fields of the event");
  return array_push(reader->replay->memory, &reader->replay->events, entry) || error_set_out_of_memory(reader->error);
}

static bool read_step(Reader *reader, const char *rest, int64_t *step) {
  double number;
  if (!read_number(&rest, &number) || number != floor(number) || number <= (double)*step || *rest)
    return fail(reader, "a step later than the one before");
  *step = (int64_t)number;
  return true;
}

static bool read_hash(Reader *reader, const char *rest, int64_t step) {
  char *end;
  StepHash entry = {step, strtoull(rest, &end, 16)};
  if (end - rest != 16 || *end || step < 0) return fail(reader, "16 hexadecimal digits");
  return array_push(reader->replay->memory, &reader->replay->hashes, entry) || error_set_out_of_memory(reader->error);
}

static bool read_steps(Reader *reader) {
  int64_t step = -1;
  const char *rest;
  while (next_line(reader)) {
    if (read_field(reader->line, "step", &rest)) {
      if (!read_step(reader, rest, &step)) return false;
    } else if (read_field(reader->line, "hash", &rest)) {
      if (!read_hash(reader, rest, step)) return false;
    } else if (read_field(reader->line, "end", &rest)) {
      double count;
      if (!read_number(&rest, &count) || count != floor(count) || count < (double)step || *rest)
        return fail(reader, "the number of steps");
      reader->replay->step_count = (int64_t)count;
      return true;
    } else if (!read_event(reader, step)) {
      return false;
    }
  }
  return fail(reader, "\"end\" with the number of steps");
}

Replay *replay_open(Memory *memory, const char *path, const char *build_id, Error *error) {
  Reader reader = {.path = path, .error = error};
  reader.file = fopen(path, "r");
  if (!reader.file) {
    error_set(error, "%s: the recording cannot be opened: %s", path, strerror(errno));
    return NULL;
  }
  reader.replay = memory_alloc(memory, sizeof *reader.replay);
  bool is_good = reader.replay || error_set_out_of_memory(error);
  if (is_good) {
    reader.replay->memory = memory;
    is_good = read_head(&reader, build_id) && read_steps(&reader);
  }
  fclose(reader.file);
  if (is_good) return reader.replay;
  replay_free(reader.replay);
  return NULL;
}

void replay_free(Replay *replay) {
  if (!replay) return;
  array_free(replay->memory, &replay->events);
  array_free(replay->memory, &replay->hashes);
  memory_free(replay->memory, replay);
}

const ReplayHead *replay_head(const Replay *replay) {
  return &replay->head;
}

int64_t replay_step_count(const Replay *replay) {
  return replay->step_count;
}

bool replay_next(Replay *replay, int64_t step, Event *event) {
  if (replay->next_event >= replay->events.count) return false;
  const StepEvent *entry = &replay->events.items[replay->next_event];
  if (entry->step != step) return false;
  *event = entry->event;
  replay->next_event++;
  return true;
}

bool replay_hash(const Replay *replay, int64_t step, uint64_t *hash) {
  for (int i = 0; i < replay->hashes.count; i++) {
    if (replay->hashes.items[i].step != step) continue;
    *hash = replay->hashes.items[i].hash;
    return true;
  }
  return false;
}
