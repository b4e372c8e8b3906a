#include "replay.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "event_line.h"

enum { MAX_LINE = 256, MAX_SIDE = 16384, MAX_FILE_SIZE = 256 * 1024 * 1024 };

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
  const char *at, *end;
  char line[MAX_LINE];
  int line_number;
  Replay *replay;
  Error *error;
} Reader;

static bool fail(Reader *reader, const char *expected) {
  return error_set(reader->error, "%s:%d: %s expected, found \"%.60s\"", reader->path, reader->line_number, expected,
                   reader->line);
}

// False at the end of the file, and for a line that cannot be one of ours, which then fails as what was expected.
static bool next_line(Reader *reader) {
  reader->line[0] = 0;
  reader->line_number++;
  if (reader->at == reader->end) return false;
  const char *stop = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
  size_t length = (size_t)((stop ? stop : reader->end) - reader->at);
  const char *text = reader->at;
  reader->at = stop ? stop + 1 : reader->end;
  if (length > 0 && text[length - 1] == '\r') length--;
  bool fits = length < sizeof reader->line && !memchr(text, 0, length);
  if (!fits) length = length < 60 ? length : 60;
  memcpy(reader->line, text, length);
  reader->line[length] = 0;
  return fits;
}

static bool read_seed(const char *text, uint64_t *seed) {
  char *end;
  errno = 0;
  *seed = strtoull(text, &end, 10);
  return text[0] >= '0' && text[0] <= '9' && !*end && !errno;
}

static bool read_build(Reader *reader, const char *build_id) {
  ReplayHead *head = &reader->replay->head;
  const char *rest;
  if (!next_line(reader) || !line_read_word(reader->line, "build", &rest) || strlen(rest) >= sizeof head->build_id)
    return fail(reader, "\"build\"");
  if (build_id && strcmp(rest, build_id) != 0)
    return error_set(reader->error, "%s: recorded by %s, which this %s cannot play", reader->path, rest, build_id);
  memcpy(head->build_id, rest, strlen(rest) + 1);
  return true;
}

static bool read_head(Reader *reader, const char *build_id) {
  ReplayHead *head = &reader->replay->head;
  const char *rest;
  if (!next_line(reader) || strcmp(reader->line, REPLAY_MAGIC) != 0) return fail(reader, "\"" REPLAY_MAGIC "\"");
  if (!read_build(reader, build_id)) return false;
  if (!next_line(reader) || !line_read_word(reader->line, "seed", &rest) || !read_seed(rest, &head->seed))
    return fail(reader, "\"seed\"");
  if (!next_line(reader) || !line_read_word(reader->line, "step-seconds", &rest) ||
      !line_read_number(&rest, &head->step_seconds) || *rest || head->step_seconds < 0.001 || head->step_seconds > 1)
    return fail(reader, "\"step-seconds\" from 0.001 to 1");
  if (!next_line(reader) || !line_read_word(reader->line, "size", &rest) || !line_read_int(&rest, &head->width) ||
      !line_read_int(&rest, &head->height) || *rest || head->width < 1 || head->width > MAX_SIDE || head->height < 1 ||
      head->height > MAX_SIDE)
    return fail(reader, "\"size\" with width and height");
  return true;
}

static bool read_event(Reader *reader, int64_t step) {
  StepEvent entry = {.step = step};
  if (step < 0 || !event_line_read(reader->line, &entry.event)) return fail(reader, "an event of a step");
  return array_push(reader->replay->memory, &reader->replay->events, entry) || error_set_out_of_memory(reader->error);
}

static bool read_step(Reader *reader, const char *rest, int64_t *step) {
  double number;
  if (!line_read_number(&rest, &number) || number != floor(number) || number <= (double)*step || *rest)
    return fail(reader, "a step later than the one before");
  *step = (int64_t)number;
  return true;
}

static bool read_hash(Reader *reader, const char *rest, int64_t step) {
  char *end;
  StepHash entry = {step, strtoull(rest, &end, 16)};
  bool is_good = strspn(rest, "0123456789abcdef") == 16 && end - rest == 16 && !*end && step >= 0;
  if (!is_good) return fail(reader, "16 hexadecimal digits");
  return array_push(reader->replay->memory, &reader->replay->hashes, entry) || error_set_out_of_memory(reader->error);
}

static bool read_steps(Reader *reader) {
  int64_t step = -1;
  const char *rest;
  while (next_line(reader)) {
    if (line_read_word(reader->line, "step", &rest)) {
      if (!read_step(reader, rest, &step)) return false;
    } else if (line_read_word(reader->line, "hash", &rest)) {
      if (!read_hash(reader, rest, step)) return false;
    } else if (line_read_word(reader->line, "end", &rest)) {
      double count;
      if (!line_read_number(&rest, &count) || count != floor(count) || count < (double)step || *rest)
        return fail(reader, "the number of steps");
      reader->replay->step_count = (int64_t)count;
      return reader->at == reader->end || (next_line(reader), fail(reader, "nothing after the end"));
    } else if (!read_event(reader, step)) {
      return false;
    }
  }
  return fail(reader, "\"end\" with the number of steps");
}

Replay *replay_parse(Memory *memory, const char *path, Bytes bytes, const char *build_id, Error *error) {
  Replay *replay = memory_alloc(memory, sizeof *replay);
  if (!replay) {
    error_set_out_of_memory(error);
    return NULL;
  }
  replay->memory = memory;
  const char *text = (const char *)bytes.data;
  Reader reader = {.path = path, .at = text, .end = text + bytes.size, .replay = replay, .error = error};
  if (read_head(&reader, build_id) && read_steps(&reader)) return replay;
  replay_free(replay);
  return NULL;
}

static bool read_file(Memory *memory, const char *path, Bytes *bytes, Error *error) {
  FILE *file = fopen(path, "rb");
  if (!file) return error_set(error, "%s: the recording cannot be opened: %s", path, strerror(errno));
  long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  bool is_good = size >= 0 && size <= MAX_FILE_SIZE && fseek(file, 0, SEEK_SET) == 0;
  bytes->size = is_good ? (size_t)size : 0;
  bytes->data = is_good ? memory_alloc(memory, bytes->size) : NULL;
  is_good = bytes->data && fread(bytes->data, 1, bytes->size, file) == bytes->size;
  fclose(file);
  return is_good || error_set(error, "%s: the recording cannot be read", path);
}

Replay *replay_open(Memory *memory, const char *path, const char *build_id, Error *error) {
  Bytes bytes = {0};
  Replay *replay = NULL;
  if (read_file(memory, path, &bytes, error)) replay = replay_parse(memory, path, bytes, build_id, error);
  memory_free(memory, bytes.data);
  return replay;
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
  while (replay->next_event < replay->events.count) {
    const StepEvent *entry = &replay->events.items[replay->next_event];
    if (entry->step > step) return false;
    replay->next_event++;
    if (entry->step < step) continue;
    *event = entry->event;
    return true;
  }
  return false;
}

bool replay_hash(const Replay *replay, int64_t step, uint64_t *hash) {
  int low = 0, high = replay->hashes.count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (replay->hashes.items[middle].step < step)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == replay->hashes.count || replay->hashes.items[low].step != step) return false;
  *hash = replay->hashes.items[low].hash;
  return true;
}
