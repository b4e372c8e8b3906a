#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "event_line.h"
#include "files_system.h"
#include "replay.h"

struct Recorder {
  Memory *memory;
  FILE *file;
  char path[1024], beside[1032];  // it is written beside its place: a replay can be recorded into its own file
  int64_t step;                   // the step whose number was written last, or -1
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
  if (!system_output_path(path, recorder->path, sizeof recorder->path, error)) {
    memory_free(memory, recorder);
    return NULL;
  }
  snprintf(recorder->beside, sizeof recorder->beside, "%s.part", recorder->path);
  recorder->file = fopen(recorder->beside, "w");
  if (!recorder->file) {
    write_failed(recorder, error);
    memory_free(memory, recorder);
    return NULL;
  }
  fprintf(recorder->file, REPLAY_MAGIC "\nbuild %s\nseed %llu\nstep-seconds %.17g\nsize %d %d\n", head->build_id,
          (unsigned long long)head->seed, head->step_seconds, head->width, head->height);
  return recorder;
}

static void write_step(Recorder *recorder, int64_t step) {
  if (recorder->step != step) fprintf(recorder->file, "step %lld\n", (long long)step);
  recorder->step = step;
}

bool recorder_add(Recorder *recorder, int64_t step, const Event *event, Error *error) {
  if (!event_line_has_form(event->type)) return true;
  write_step(recorder, step);
  event_line_write(recorder->file, event);
  return !ferror(recorder->file) || write_failed(recorder, error);
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
  is_good = is_good && rename(recorder->beside, recorder->path) == 0;
  if (!is_good) write_failed(recorder, error);
  if (!is_good) remove(recorder->beside);
  memory_free(recorder->memory, recorder);
  return is_good;
}
