#ifndef PALFREY_FILES_SYSTEM_H
#define PALFREY_FILES_SYSTEM_H
// What files.c needs of the operating system besides PhysFS: real paths, and writing that is never half done.
#include "error.h"
#include "memory.h"

typedef enum SystemKind { SYSTEM_NOTHING = 0, SYSTEM_FILE, SYSTEM_FOLDER } SystemKind;

SystemKind system_kind(const char *path);
bool system_real_path(const char *path, char *real, size_t size);

/// Makes the folders of a file's path; those beyond `trusted` bytes of it must not be links.
bool system_make_folders(const char *path, size_t trusted, Error *error);

/// Writes beside the file, then takes its place.
bool system_replace_file(const char *path, Bytes bytes, Error *error);

/// Removes a file or an empty folder.
bool system_remove(const char *path, Error *error);

/// Looks at the end record of a zip before PhysFS does: whether it is one, not empty, and not too large to mount.
bool system_check_zip(const char *path, int most_entries, Error *error);

#endif
