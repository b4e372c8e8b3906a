#include "loaders/names.h"

#include <string.h>

// The finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, 2014).
static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

static int *find_slot(const IdMap *map, uint64_t key) {
  size_t mask = (size_t)map->slot_count - 1;
  size_t at = (size_t)mix(key) & mask;
  while (map->slots[at] && map->keys.items[map->slots[at] - 1] != key)
    at = (at + 1) & mask;
  return &map->slots[at];
}

static bool grow(IdMap *map) {
  int slot_count = map->slot_count ? 2 * map->slot_count : 64;
  int *slots = memory_alloc_array(map->memory, (size_t)slot_count, sizeof *slots);
  if (!slots) return false;
  memory_free(map->memory, map->slots);
  map->slots = slots;
  map->slot_count = slot_count;
  for (int i = 0; i < map->keys.count; i++)
    *find_slot(map, map->keys.items[i]) = i + 1;
  return true;
}

int id_map_add(IdMap *map, uint64_t key) {
  if (3 * (int64_t)map->keys.count >= 2 * (int64_t)map->slot_count && !grow(map)) return -1;
  int *slot = find_slot(map, key);
  if (*slot) return *slot - 1;
  if (!array_push(map->memory, &map->keys, key)) return -1;
  *slot = map->keys.count;
  return map->keys.count - 1;
}

int id_map_find(const IdMap *map, uint64_t key) {
  return map->slot_count > 0 ? *find_slot(map, key) - 1 : -1;
}

void id_map_free(IdMap *map) {
  array_free(map->memory, &map->keys);
  memory_free(map->memory, map->slots);
  map->slots = NULL;
  map->slot_count = 0;
}

// FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo).
static uint64_t hash_text(TextSlice text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < text.length; i++)
    hash = (hash ^ (unsigned char)text.start[i]) * 0x100000001b3u;
  return hash;
}

// Different texts with the same hash move on to other keys.
static uint64_t next_key(uint64_t key) {
  return mix(key + 1);
}

static bool has_text(const NameTable *table, int id, TextSlice text) {
  const TextSlice *known = &table->texts.items[id];
  return known->length == text.length && memcmp(known->start, text.start, text.length) == 0;
}

int name_table_add(NameTable *table, TextSlice text) {
  for (uint64_t key = hash_text(text);; key = next_key(key)) {
    if (!array_reserve(table->ids.memory, &table->texts, 1)) return -1;
    int id = id_map_add(&table->ids, key);
    if (id < 0) return -1;
    if (id == table->texts.count) table->texts.items[table->texts.count++] = text;
    if (has_text(table, id, text)) return id;
  }
}

int name_table_find(const NameTable *table, TextSlice text) {
  for (uint64_t key = hash_text(text);; key = next_key(key)) {
    int id = id_map_find(&table->ids, key);
    if (id < 0 || has_text(table, id, text)) return id;
  }
}

bool name_table_keep(NameTable *table) {
  size_t size = 0;
  for (int i = 0; i < table->texts.count; i++)
    size += table->texts.items[i].length;
  char *at = table->kept = memory_alloc(table->ids.memory, size);
  for (int i = 0; at && i < table->texts.count; i++) {
    TextSlice *text = &table->texts.items[i];
    text->start = memcpy(at, text->start, text->length);
    at += text->length;
  }
  return at != NULL;
}

void name_table_free(NameTable *table) {
  memory_free(table->ids.memory, table->kept);
  array_free(table->ids.memory, &table->texts);
  id_map_free(&table->ids);
}
