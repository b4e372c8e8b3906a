#ifndef PALFREY_PACK_LIST_H
#define PALFREY_PACK_LIST_H
// The files of a folder that go into a package, sorted bytewise, and whether they may.
#include "array.h"
#include "error.h"

typedef struct PackEntry {
  char *path;  ///< relative, "/" between parts
  int64_t size;
  bool is_used;    ///< something in the package names it
  bool is_spoken;  ///< a script holds its name
} PackEntry;

typedef struct PackList {
  Memory *memory;
  const char *left_out[2];  ///< files that are passed over wherever they lie, or NULL
  ARRAY(PackEntry) entries;
} PackList;

bool pack_list_read(PackList *list, const char *folder, Error *error);
void pack_list_free(PackList *list);

/// The entry of that path, or NULL; with `any_case` one that differs in letter case only is found too.
const PackEntry *pack_list_find(const PackList *list, const char *path, bool any_case);

/// The same for an entry whose path is `path` or ends with it, at a whole part.
const PackEntry *pack_list_find_below(const PackList *list, const char *path, bool any_case);

#endif
