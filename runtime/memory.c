#define _DEFAULT_SOURCE
#include "memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Every block carries its size in front of it; the header's size keeps the payload aligned as malloc does.
typedef struct BlockHeader {
  _Alignas(max_align_t) size_t size;
} BlockHeader;

// Small requests share chunks of this size; larger ones get a chunk of their own.
enum { ARENA_CHUNK_SIZE = 1024 };

typedef struct ArenaChunk {
  struct ArenaChunk *next;
  size_t used, capacity;  // both 0 for an adopted block
  void *adopted;
} ArenaChunk;

bool memory_counts_to_failure(atomic_long *fail_after, long fail_count) {
  if (fail_count == 0 && atomic_load_explicit(fail_after, memory_order_relaxed) <= 0) return false;
  long left = atomic_fetch_sub(fail_after, 1);
  return left == 1 || (left < 1 && 1 - left < fail_count);
}

static bool should_fail(Memory *memory) {
  return memory_counts_to_failure(&memory->fail_after, memory->fail_count);
}

static void count_bytes(Memory *memory, size_t added, size_t removed) {
  size_t live = atomic_fetch_add(&memory->live_bytes, added - removed) + added - removed;
  size_t peak = atomic_load(&memory->peak_bytes);
  while (live > peak && !atomic_compare_exchange_weak(&memory->peak_bytes, &peak, live)) {
  }
}

#ifdef MADV_HUGEPAGE

// Asks for large pages under a large block: touching them first takes far less time than as many small ones. For all of
// its pages, so that it stays one mapping, which can grow by being mapped elsewhere.
static void ask_for_large_pages(void *block, size_t size) {
  enum { LARGE = 1 << 20 };
  if (size < LARGE) return;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)block / page * page;
  uintptr_t end = ((uintptr_t)block + size + page - 1) / page * page;
  madvise((void *)start, end - start, MADV_HUGEPAGE);
}

#else

static void ask_for_large_pages(void *block, size_t size) {
  (void)block, (void)size;
}

#endif

void *memory_resize(Memory *memory, void *block, size_t size) {
  if (size > SIZE_MAX - sizeof(BlockHeader) || should_fail(memory)) return NULL;
  BlockHeader *old = block ? (BlockHeader *)block - 1 : NULL;
  size_t old_size = old ? old->size : 0;
  BlockHeader *header = realloc(old, sizeof *header + size);
  if (!header) return NULL;
  ask_for_large_pages(header, sizeof *header + size);
  header->size = size;
  atomic_fetch_add_explicit(&memory->allocation_count, 1, memory_order_relaxed);
  count_bytes(memory, size, old_size);
  return header + 1;
}

void *memory_alloc(Memory *memory, size_t size) {
  if (size > SIZE_MAX - sizeof(BlockHeader) || should_fail(memory)) return NULL;
  BlockHeader *header = calloc(1, sizeof *header + size);
  if (!header) return NULL;
  ask_for_large_pages(header, sizeof *header + size);
  header->size = size;
  atomic_fetch_add_explicit(&memory->allocation_count, 1, memory_order_relaxed);
  count_bytes(memory, size, 0);
  return header + 1;
}

void *memory_alloc_array(Memory *memory, size_t count, size_t item_size) {
  if (item_size != 0 && count > SIZE_MAX / item_size) return NULL;
  return memory_alloc(memory, count * item_size);
}

void memory_free(Memory *memory, void *block) {
  if (!block) return;
  BlockHeader *header = (BlockHeader *)block - 1;
  count_bytes(memory, 0, header->size);
  free(header);
}

char *memory_copy_string(Memory *memory, const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = memory_alloc(memory, size);
  return copy ? memcpy(copy, text, size) : NULL;
}

// To what every type's alignment divides.
static size_t round_up(size_t size) {
  return (size + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
}

static ArenaChunk *add_chunk(Arena *arena, size_t capacity) {
  size_t header = round_up(sizeof(ArenaChunk));
  if (capacity > SIZE_MAX - header) return NULL;
  ArenaChunk *chunk = memory_alloc(arena->memory, header + capacity);
  if (!chunk) return NULL;
  chunk->used = header;
  chunk->capacity = header + capacity;
  arena->bytes += header + capacity;
  return chunk;
}

void *arena_alloc(Arena *arena, size_t size) {
  if (size > SIZE_MAX / 2) return NULL;
  size = round_up(size);
  ArenaChunk *first = arena->chunks;
  if (!first || first->capacity - first->used < size) {
    bool is_large = size > ARENA_CHUNK_SIZE / 4;
    ArenaChunk *chunk = add_chunk(arena, is_large ? size : ARENA_CHUNK_SIZE);
    if (!chunk) return NULL;
    // A chunk filled at once goes behind the first one, whose rest stays in use.
    if (is_large && first) {
      chunk->next = first->next;
      first->next = chunk;
    } else {
      chunk->next = first;
      arena->chunks = chunk;
    }
    first = chunk;
  }
  void *result = (char *)first + first->used;
  first->used += size;
  return result;
}

void *arena_alloc_array(Arena *arena, size_t count, size_t item_size) {
  if (item_size != 0 && count > SIZE_MAX / item_size) return NULL;
  return arena_alloc(arena, count * item_size);
}

char *arena_copy_string(Arena *arena, const char *text, size_t length) {
  char *copy = arena_alloc(arena, length + 1);
  if (copy) memcpy(copy, text, length);
  return copy;
}

bool arena_adopt(Arena *arena, void *block, size_t size) {
  ArenaChunk *chunk = memory_alloc(arena->memory, sizeof *chunk);
  if (!chunk) return false;
  chunk->adopted = block;
  arena->bytes += sizeof *chunk + size;
  if (arena->chunks) {
    chunk->next = arena->chunks->next;
    arena->chunks->next = chunk;
  } else {
    arena->chunks = chunk;
  }
  return true;
}

void *arena_alloc_unset(Arena *arena, size_t count, size_t item_size) {
  enum { LARGE = 4096 };
  if (item_size != 0 && count > SIZE_MAX / item_size) return NULL;
  if (count * item_size < LARGE) return arena_alloc(arena, count * item_size);
  void *block = memory_resize(arena->memory, NULL, count * item_size);
  if (!block || arena_adopt(arena, block, count * item_size)) return block;
  memory_free(arena->memory, block);
  return NULL;
}

void arena_free(Arena *arena) {
  for (ArenaChunk *chunk = arena->chunks; chunk;) {
    ArenaChunk *next = chunk->next;
    memory_free(arena->memory, chunk->adopted);
    memory_free(arena->memory, chunk);
    chunk = next;
  }
  arena->chunks = NULL;
  arena->bytes = 0;
}
