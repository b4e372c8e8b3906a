#ifndef PALFREY_HASH_H
#define PALFREY_HASH_H
// A fast number for the content of files: to tell whether one has changed, not to keep anyone from forging it.
#include "memory.h"

/// 64 bits over all bytes and the size, the same on all processors: the 64-bit variant of xxHash (Y. Collet, 2012) with seed
/// 0, from its specification.
uint64_t hash_bytes(Bytes bytes);

#endif
