#ifndef PALFREY_POOL_H
#define PALFREY_POOL_H
// Generational handles: a slot's generation changes when its object goes, so an old handle is known to be dead.
// The pool gives out slot numbers; the owner keeps the objects in an array of its own, indexed by slot.
#include "array.h"

typedef struct Handle {
  uint32_t index;
  uint32_t generation;  ///< 0 in no living handle, so {0} is "none"
} Handle;

typedef struct Pool {
  ARRAY(uint32_t) generations;  ///< of each slot; odd while the slot is in use
  ARRAY(uint32_t) free_slots;
} Pool;

/// Takes the slot freed last, else a new one; false when memory is exhausted.
bool pool_acquire(Pool *pool, Memory *memory, Handle *handle);

/// Frees the slot of a living handle. Cannot fail: room for the free list is made when a slot is.
void pool_release(Pool *pool, Handle handle);

bool pool_contains(const Pool *pool, Handle handle);

/// The living handle of a slot, or {0}.
Handle pool_handle_at(const Pool *pool, uint32_t index);

bool handle_equals(Handle a, Handle b);

void pool_free(Pool *pool, Memory *memory);

#endif
