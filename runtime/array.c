#include "array.h"

#include <limits.h>

bool array_grow_items(Memory *memory, void **items, int *capacity, int count, int extra, size_t item_size) {
  if (extra < 0 || count > INT_MAX / 2 - extra) return false;
  int wanted = count + extra;
  // Small arrays double; what large ones have too much would matter.
  enum { SMALL = 1 << 14 };
  int grown = *capacity < 8 ? 8 : *capacity < SMALL ? *capacity * 2 : *capacity + *capacity / 2;
  if (grown < wanted) grown = wanted;
  void *resized = memory_resize(memory, *items, (size_t)grown * item_size);
  if (!resized) return false;
  *items = resized;
  *capacity = grown;
  return true;
}
