#ifndef TESTS_BARE_RUNTIME_H
#define TESTS_BARE_RUNTIME_H
// A runtime for scripts without window, pictures and steps: what the bindings need to make worlds and load files.
#include "bindings/host.h"

typedef struct BareRuntime {
  Memory memory;
  Gpu *gpu;
  Host host;
} BareRuntime;

/// Opens a folder as the game, with the Lua state. On failure what was opened is closed again.
bool bare_runtime_open(BareRuntime *runtime, const char *folder, Error *error);

/// Closes all of it.
void bare_runtime_close(BareRuntime *runtime);

#endif
