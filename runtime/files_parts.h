#ifndef PALFREY_FILES_PARTS_H
#define PALFREY_FILES_PARTS_H
// What the files that make up files.h share.
#include "files.h"
#include "zip_directory.h"

enum { MAX_REAL_PATH = 1024 };

struct Files {
  Memory *memory;
  char game[MAX_REAL_PATH];  // the folder or zip that is mounted
  char main[FILES_MAX_PATH];
  char name[MAX_REAL_PATH];
  char data[MAX_REAL_PATH / 2];          // the folder of the user's data, "" without identity
  char save_below[FILES_MAX_PATH + 16];  // palfrey/IDENTITY, below it
  char save[MAX_REAL_PATH + 32];         // both together: the save folder
  bool is_packaged, is_save_mounted;
  ZipDirectory zip;  // where the game is packaged
};

/// Finds the name by which PhysFS knows a path: in zips that do not say that their names are UTF-8 it can be CP437. False
/// when there is neither a file nor a folder.
bool files_locate(const Files *files, const char *path, char located[FILES_MAX_PATH], FileInfo *info, Error *error);

/// Why the last call of PhysFS failed.
const char *files_last_reason(void);

#endif
