#ifndef PALFREY_REPLAY_H
#define PALFREY_REPLAY_H
// Recordings of what the user did, step by step, as a text file of lines, so that they can be read, cut and compared:
//
//     palfrey recording 1
//     build palfrey-0.1.0-1
//     seed 7
//     step-seconds 0.016666666666666666
//     size 960 540
//     step 12
//     keydown 0 left shift
//     mousemove 480 270 -3 0.5
//     step 60
//     hash 3a1f00c2d4e5b697
//     end 600
//
// The steps that have events or a hash come in their order, counted from 0, and are followed by their events. An event
// is its word and the fields it has, in this order: id, button, repeat, x, y, dx, dy, value, name; the name comes last
// because it may hold blanks. Numbers are written so that they read back exactly. A hash is that of the state when this
// step begins; every 60 steps one tells a replay whether it still follows the recording. "end" gives the number of
// steps: without it the file is cut.
#include "error.h"
#include "memory.h"
#include "platform.h"

#define REPLAY_MAGIC "palfrey recording 1"

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
/// Ends the file with the number of steps and puts it in its place, or the error says why not. Frees the recorder.
bool recorder_close(Recorder *recorder, int64_t steps, Error *error);

/// Reads a recording whole; refuses damage (path:line:) and another build id than `build_id`, which may be NULL for any.
Replay *replay_open(Memory *memory, const char *path, const char *build_id, Error *error);
/// The same for bytes that are in memory already; they are not needed afterwards.
Replay *replay_parse(Memory *memory, const char *path, Bytes bytes, const char *build_id, Error *error);
void replay_free(Replay *replay);
const ReplayHead *replay_head(const Replay *replay);
int64_t replay_step_count(const Replay *replay);
/// The next event of this step; false when there is no more.
bool replay_next(Replay *replay, int64_t step, Event *event);
/// The recorded hash of a step; false when none was recorded.
bool replay_hash(const Replay *replay, int64_t step, uint64_t *hash);

#endif
