#ifndef PALFREY_PACK_H
#define PALFREY_PACK_H
// Packs a game's folder into one zip: the same bytes for the same files, on any day and machine.
#include "error.h"
#include "memory.h"

enum { PACK_MAX_WARNINGS = 32 };

typedef struct PackReport {
  int file_count;
  size_t packed_bytes;  ///< of the zip
  char warnings[PACK_MAX_WARNINGS][256];
  int warning_count;
} PackReport;

/// Refuses links, names that would not work everywhere and a folder without main.lua. Folders named "spec", names that
/// start with a dot and backups are left out. The zip appears whole or not at all.
bool pack_folder(Memory *memory, const char *folder, const char *zip_path, PackReport *report, Error *error);

#endif
