// Any bytes as a recording. What is accepted is played through. Fails on crashes, on memory left behind, on refusals
// without a text and on events out of their order.
#include "replay.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void play(Replay *replay) {
  int64_t count = replay_step_count(replay);
  uint64_t hash;
  Event event;
  for (int64_t step = 0; step <= count && step < 2000; step++) {
    while (replay_next(replay, step, &event)) {
      if (event.type == EVENT_NONE) abort();
    }
    replay_hash(replay, step, &hash);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Memory memory = {0};
  Error error = {0};
  // The last byte decides where memory runs out, if it does.
  memory.fail_after = size > 0 && data[size - 1] & 0x80 ? 1 + (data[size - 1] & 7) : 0;
  Replay *replay = replay_parse(&memory, "fuzz.rec", (Bytes){(uint8_t *)data, size}, NULL, &error);
  if (!replay && !error.text[0]) abort();
  if (replay) play(replay);
  replay_free(replay);
  if (memory.live_bytes != 0) abort();
  return 0;
}
