#ifndef PALFREY_BENCH_LOAD_PEER_H
#define PALFREY_BENCH_LOAD_PEER_H
// One way of loading models, for the benchmark "load". Peers are shared objects of their own, so that the program runs
// whether they could be built or not; each exports one `const LoadPeer LOAD_PEER`. Only load() is timed.
#include <stdbool.h>
#include <stddef.h>

/// What a file holds, or what a loader made of it. Positions are in the axes of the file.
typedef struct LoadFacts {
  long triangle_count;
  float min[3], max[3];
} LoadFacts;

typedef struct LoadPeer {
  const char *name;
  const char *formats;  ///< the extensions it takes part with, each between blanks: " obj 3ds "
  /// Gets ready to load a file whose bytes are in memory and stay there. Companion files lie in the current folder.
  void *(*open)(const void *bytes, size_t size, const char *file_name);
  /// From the bytes to arrays of positions, normals and indices, all triangles.
  bool (*load)(void *opened);
  /// The facts, from the arrays themselves.
  void (*tell)(const void *opened, LoadFacts *facts);
  void (*close)(void *opened);
} LoadPeer;

static inline void load_facts_start(LoadFacts *facts) {
  facts->triangle_count = 0;
  for (int i = 0; i < 3; i++) {
    facts->min[i] = 1e30f;
    facts->max[i] = -1e30f;
  }
}

static inline void load_facts_add_point(LoadFacts *facts, float x, float y, float z) {
  const float p[3] = {x, y, z};
  for (int i = 0; i < 3; i++) {
    if (p[i] < facts->min[i]) facts->min[i] = p[i];
    if (p[i] > facts->max[i]) facts->max[i] = p[i];
  }
}

#endif
