#ifndef PALFREY_ARRAY_H
#define PALFREY_ARRAY_H
// A growable array of any type: `typedef ARRAY(Vec3) Vec3Array; Vec3Array points = {0};`
// Pointers into `items` are valid until the next push or reserve.
#include "memory.h"

#define ARRAY(Type) \
  struct {          \
    Type *items;    \
    int count;      \
    int capacity;   \
  }

/// Makes room for `extra` more items; false when memory is exhausted, and then nothing has changed.
#define array_reserve(memory, array, extra)                                                          \
  ((extra) <= (array)->capacity - (array)->count ||                                                  \
   array_grow_items((memory), (void **)&(array)->items, &(array)->capacity, (array)->count, (extra), \
                    sizeof *(array)->items))

/// Appends a value; false when memory is exhausted.
#define array_push(memory, array, ...) \
  (array_reserve((memory), (array), 1) && ((array)->items[(array)->count++] = (__VA_ARGS__), true))

#define array_free(memory, array) \
  (memory_free((memory), (array)->items), (array)->items = NULL, (array)->count = 0, (array)->capacity = 0)

/// The function behind array_reserve.
bool array_grow_items(Memory *memory, void **items, int *capacity, int count, int extra, size_t item_size);

#endif
