#ifndef PALFREY_FILES_SYSTEM_H
#define PALFREY_FILES_SYSTEM_H
// What files.c needs of the operating system besides PhysFS: real paths, and a folder to write in. Writing takes a root,
// which the user's set-up decides and which may be reached through links, and a path below it that never follows one.
#include "error.h"
#include "memory.h"

typedef enum SystemKind { SYSTEM_NOTHING = 0, SYSTEM_FILE, SYSTEM_FOLDER } SystemKind;

SystemKind system_kind(const char *path);
bool system_real_path(const char *path, char *real, size_t size);

/// The file of the running program; false where the system does not tell.
bool system_program_path(char *path, size_t size);

/// Where a file that is to be replaced stands, behind any link to it. Refuses what is there and is no file: renaming over
/// a device or pipe would take it away.
bool system_output_path(const char *path, char *real, size_t size, Error *error);

/// Where programs keep a user's data.
bool system_data_folder(char *path, size_t size);

/// Where programs keep what they can make again.
bool system_cache_folder(char *path, size_t size);

/// Whether `path` is a folder below `root`, without a link on the way.
bool system_has_folder(const char *root, const char *path);

/// Makes the folders that are missing and replaces a file at once: whoever reads it sees the old content or the new.
bool system_replace_file(const char *root, const char *path, Bytes bytes, Error *error);

/// Removes a file, a link or an empty folder.
bool system_remove(const char *root, const char *path, Error *error);

#endif
