#ifndef PALFREY_ZIP_DIRECTORY_H
#define PALFREY_ZIP_DIRECTORY_H
// What a zip says it holds: its central directory (PKWARE's APPNOTE, 4.3.12 to 4.3.16), read without its files. Zips of
// the large form (zip64) and those in several parts are refused; bytes before the zip are not.
#include "array.h"
#include "error.h"

typedef struct ZipEntry {
  char *name;  ///< "\" of DOS is turned into "/"
  int name_length;
  int flags, method;
  uint32_t crc32, packed_size, size;
  int64_t offset;  ///< of the local header, in the file
  bool is_folder, is_link;
} ZipEntry;

typedef struct ZipDirectory {
  Arena arena;
  ZipEntry *entries;
  int count;
  int64_t at;  ///< where the directory begins in the file: behind all entries
} ZipDirectory;

enum { ZIP_FLAG_ENCRYPTED = 1, ZIP_METHOD_STORED = 0, ZIP_METHOD_DEFLATED = 8 };

/// Refuses a zip with no or with more than `most_entries` entries before it reads them. Free the directory in any case.
bool zip_directory_read(Memory *memory, const char *path, int most_entries, ZipDirectory *directory, Error *error);
void zip_directory_free(ZipDirectory *directory);

/// Refuses what a game cannot use or must not: names that lead outside, that are there twice or are both file and
/// folder, links, what is encrypted or packed in another way than stored or deflated, and files that would lie outside
/// of the zip or over each other.
bool zip_directory_check(const ZipDirectory *directory, const char *path, Error *error);

#endif
