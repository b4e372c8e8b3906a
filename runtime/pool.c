#include "pool.h"

bool pool_acquire(Pool *pool, Memory *memory, Handle *handle) {
  if (pool->free_slots.count > 0) {
    uint32_t index = pool->free_slots.items[--pool->free_slots.count];
    *handle = (Handle){index, ++pool->generations.items[index]};
    return true;
  }
  int wanted = pool->generations.count + 1;
  if (!array_reserve(memory, &pool->free_slots, wanted - pool->free_slots.count)) return false;
  if (!array_push(memory, &pool->generations, 1)) return false;
  *handle = (Handle){(uint32_t)wanted - 1, 1};
  return true;
}

void pool_release(Pool *pool, Handle handle) {
  pool->generations.items[handle.index]++;
  pool->free_slots.items[pool->free_slots.count++] = handle.index;
}

bool pool_contains(const Pool *pool, Handle handle) {
  return handle.index < (uint32_t)pool->generations.count && (handle.generation & 1) != 0 &&
         pool->generations.items[handle.index] == handle.generation;
}

Handle pool_handle_at(const Pool *pool, uint32_t index) {
  if (index >= (uint32_t)pool->generations.count) return (Handle){0};
  uint32_t generation = pool->generations.items[index];
  return (generation & 1) != 0 ? (Handle){index, generation} : (Handle){0};
}

bool handle_equals(Handle a, Handle b) {
  return a.index == b.index && a.generation == b.generation;
}

void pool_free(Pool *pool, Memory *memory) {
  array_free(memory, &pool->generations);
  array_free(memory, &pool->free_slots);
}
