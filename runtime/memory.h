#ifndef PALFREY_MEMORY_H
#define PALFREY_MEMORY_H
// All memory of the engine comes from a Memory, which counts what is alive and can be told to fail, so that tests reach
// every path that runs out of memory. One Memory serves the whole runtime and may be used from several threads.
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Memory {
  atomic_size_t live_bytes;
  atomic_size_t peak_bytes;
  atomic_size_t allocation_count;  ///< ever made; a steady frame does not change it
  atomic_long fail_after;          ///< with n > 0 the n-th allocation from now fails; 0 never
  long fail_count;                 ///< how many fail from there on; 0 for one
} Memory;

/// A block of bytes. Who owns it is said where it is used.
typedef struct Bytes {
  uint8_t *data;
  size_t size;
} Bytes;

/// Returns zeroed memory, aligned for every type, or NULL. A size of 0 gives a valid pointer.
void *memory_alloc(Memory *memory, size_t size);

/// As memory_alloc for `count` items, safe against overflow of the product.
void *memory_alloc_array(Memory *memory, size_t count, size_t item_size);

/// Changes the size of a block, which may be NULL. New bytes are not zeroed. On failure returns NULL and the block stays.
void *memory_resize(Memory *memory, void *block, size_t size);

void memory_free(Memory *memory, void *block);

/// Counts an allocation for a `fail_after` and `fail_count`; true when it is to fail.
bool memory_counts_to_failure(atomic_long *fail_after, long fail_count);

char *memory_copy_string(Memory *memory, const char *text);

/// An arena gives out memory that is freed all at once. It starts empty: `Arena arena = {.memory = memory}`.
typedef struct Arena {
  Memory *memory;
  struct ArenaChunk *chunks;
  size_t bytes;  ///< what the arena holds in all, its own chunk headers included
} Arena;

/// Returns zeroed memory, aligned for every type, that lives until arena_free; or NULL.
void *arena_alloc(Arena *arena, size_t size);
void *arena_alloc_array(Arena *arena, size_t count, size_t item_size);

/// As arena_alloc_array, but the memory is not zeroed: for large arrays that are filled at once.
void *arena_alloc_unset(Arena *arena, size_t count, size_t item_size);

char *arena_copy_string(Arena *arena, const char *text, size_t length);

/// Hands a block of the same Memory to the arena, which frees it with the rest. On failure the caller still owns it.
bool arena_adopt(Arena *arena, void *block, size_t size);

void arena_free(Arena *arena);

#endif
