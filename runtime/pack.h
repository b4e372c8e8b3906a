#ifndef PALFREY_PACK_H
#define PALFREY_PACK_H
// Packs a game's folder into one zip: the same bytes for the same files, on any day and machine; or into one program,
// which is the runtime with that zip behind it.
#include "error.h"
#include "memory.h"
#include "pack_kind.h"

enum { PACK_MAX_WARNINGS = 32 };

typedef struct PackTotal {
  int file_count;
  int64_t bytes, packed_bytes;
} PackTotal;

typedef struct PackReport {
  int file_count;
  size_t packed_bytes;  ///< of the zip or program
  PackTotal totals[PACK_KIND_COUNT];
  char warnings[PACK_MAX_WARNINGS][256];
  int warning_count;  ///< of all; those past the last are not kept
} PackReport;

/// May put other bytes in place of a file's, under the same name. What it finds wrong is a warning, and the file stays as it
/// is. False without memory.
typedef bool PackBake(void *user, const char *path, Bytes *bytes, PackReport *report);

/// Whether all of a file has gone into models that were baked, which are asked for before.
typedef bool PackIsBakedIn(void *user, const char *path);

typedef struct PackDesc {
  const char *folder;
  const char *path;            ///< of the zip or program to write
  const char *program;         ///< the runtime to put in front of the zip, or NULL
  PackBake *bake;              ///< asked for every model, or NULL
  PackIsBakedIn *is_baked_in;  ///< asked for files that only models read
  void *bake_user;
} PackDesc;

/// Refuses links, names that would not work everywhere and a folder without main.lua. Folders named "spec", names that
/// start with a dot and backups are left out, and what is baked in where no script names it. What is written appears whole
/// or not at all, and is verified before.
bool pack_folder(Memory *memory, const PackDesc *desc, PackReport *report, Error *error);

void pack_warn(PackReport *report, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
