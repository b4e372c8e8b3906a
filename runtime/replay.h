#ifndef PALFREY_REPLAY_H
#define PALFREY_REPLAY_H
// Recordings of what the user did, step by step, as a text file of lines: a head with format, build id, seed, step length
// and size, then for each step with events its number and the events, and every 60 steps the state hash, so that a replay
// notices where it leaves the recording.
#include "error.h"
#include "memory.h"
#include "platform.h"

typedef struct ReplayHead {
  char build_id[64];
  uint64_t seed;
  double step_seconds;
  int width, height;
} ReplayHead;

typedef struct Recorder Recorder;
typedef struct Replay Replay;

Recorder *recorder_create(Memory *memory, const char *path, const ReplayHead *head, Error *error);
bool recorder_add(Recorder *recorder, int64_t step, const Event *event, Error *error);
bool recorder_add_hash(Recorder *recorder, int64_t step, uint64_t hash, Error *error);
/// Ends the file with the number of steps; the file is complete or the error says why not.
bool recorder_close(Recorder *recorder, int64_t steps, Error *error);

/// Reads a recording whole; refuses damage (path:line:) and another build id than `build_id`, unless that is NULL.
Replay *replay_open(Memory *memory, const char *path, const char *build_id, Error *error);
void replay_free(Replay *replay);
const ReplayHead *replay_head(const Replay *replay);
int64_t replay_step_count(const Replay *replay);
/// The next event of this step; false when there is no more.
bool replay_next(Replay *replay, int64_t step, Event *event);
/// The recorded hash of a step; false when none was recorded.
bool replay_hash(const Replay *replay, int64_t step, uint64_t *hash);

#endif
