#ifndef PALFREY_FILES_ZIP_H
#define PALFREY_FILES_ZIP_H
// A package as files.c opens it: looked through first, then given to PhysFS as the part of the file that is the zip,
// whatever stands behind it. PhysFS knows names and folders; the bytes of files are read here, for PhysFS would not
// notice that they are not what the directory says.
#include "files_parts.h"

/// Mounts files->zip, which is closed with `files`.
bool files_mount_zip(Files *files, const char *path, Error *error);

/// The entry of a clean path, when PhysFS finds the file `located` in the package and not in the save folder; or NULL.
const ZipEntry *files_zip_entry(const Files *files, const char *path, const char *located);

bool files_read_zip(const Files *files, const ZipEntry *entry, Bytes *bytes, Error *error);

#endif
