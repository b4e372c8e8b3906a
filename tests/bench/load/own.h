#ifndef PALFREY_BENCH_LOAD_OWN_H
#define PALFREY_BENCH_LOAD_OWN_H
// Palfrey's own loaders and the floor, as peers.
#include "load/peer.h"

/// Loads with model_load, validation and all. The copy of the bytes that it takes over is made by open().
extern const LoadPeer LOAD_PALFREY;

/// Reads the file of that name out of the system's cache and copies it once.
extern const LoadPeer LOAD_FLOOR;

/// Bytes alive at most while LOAD_PALFREY loaded, the file's own with them.
size_t load_palfrey_peak(const void *opened);

/// Whether there is a loader for these bytes.
bool load_palfrey_can(const void *bytes, size_t size, const char *file_name);

#endif
