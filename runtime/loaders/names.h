#ifndef PALFREY_LOADERS_NAMES_H
#define PALFREY_LOADERS_NAMES_H
// Numbers for keys and names in the order of their first use, found again in constant time.
#include "array.h"
#include "loaders/text.h"

/// Gives each key an id, counted from 0.
typedef struct IdMap {
  Memory *memory;
  ARRAY(uint64_t) keys;  ///< by id
  int *slots;            ///< id + 1, or 0
  int slot_count;        ///< a power of two
} IdMap;

/// Gives each text an id. The texts stay where they are and must outlive the table, or name_table_keep.
typedef struct NameTable {
  IdMap ids;
  ARRAY(TextSlice) texts;  ///< by id
  char *kept;              ///< what name_table_keep has copied
} NameTable;

/// The id of the key, which is the former count when the key is new; -1 without memory.
int id_map_add(IdMap *map, uint64_t key);

/// The id of the key, or -1 when it has none.
int id_map_find(const IdMap *map, uint64_t key);
void id_map_free(IdMap *map);

/// The id of the text, new or old; -1 without memory.
int name_table_add(NameTable *table, TextSlice text);

/// The id of the text, or -1 when it has none.
int name_table_find(const NameTable *table, TextSlice text);

/// Copies the texts that are there, which then may go. False without memory.
bool name_table_keep(NameTable *table);
void name_table_free(NameTable *table);

#endif
