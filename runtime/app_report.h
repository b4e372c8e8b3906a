#ifndef PALFREY_APP_REPORT_H
#define PALFREY_APP_REPORT_H
// What a finished run has to say about itself.
#include "array.h"
#include "engine/assets.h"
#include "engine/render.h"

/// Wall-clock times of frames, in seconds; for people and benchmarks, never for the simulation.
typedef struct FrameTimes {
  Memory *memory;
  ARRAY(float) seconds;
} FrameTimes;

enum { FRAME_TIMES_KEPT = 100000 };

/// Room is made at the first frame; what does not fit is not kept.
void frame_times_add(FrameTimes *times, double seconds);
void frame_times_free(FrameTimes *times, Memory *memory);

/// How often shots and blows hit whom, by name.
typedef struct HitTally {
  struct HitCount {
    char name[64];
    int count;
  } entries[16];
  int entry_count;
} HitTally;

/// Counts one hit; names past the last entry are not kept.
void hit_tally_add(HitTally *tally, const char *name);

typedef struct RunReport {
  int64_t steps;
  double seconds;  ///< of game time
  uint64_t state_hash;
  RenderStats stats;  ///< of the last frame
  int lua_kb, engine_kb;
  int64_t lua_allocations;  ///< in the whole run, as calls of the C library
  const char *failure;      ///< or NULL
} RunReport;

/// One JSON object on standard output.
void report_json(const RunReport *report);

/// A few lines for people on standard error.
void report_stats(const RunReport *report, FrameTimes *times, const HitTally *hits, const Assets *assets);

/// The bytes of the built-in font.
Bytes app_default_font(void);

#endif
