#ifndef PALFREY_ZIP_DIRECTORY_H
#define PALFREY_ZIP_DIRECTORY_H
// What a zip says it holds: its central directory (PKWARE's APPNOTE, 4.3.12 to 4.3.16), read without its files. What it
// says is not checked here (zip_check.h). Bytes before the zip, as in an executable that carries its game, and up to 64
// KiB behind it are passed over; zips of the large form (zip64) and those in several parts are refused.
#include "error.h"
#include "memory.h"

typedef enum ZipKind { ZIP_FILE = 0, ZIP_FOLDER, ZIP_LINK, ZIP_DEVICE } ZipKind;

typedef struct ZipEntry {
  const char *name;  ///< UTF-8: CP437 is converted, "\" of DOS is turned into "/"; folders end in "/"
  int name_length;   ///< without the "/" of folders
  const uint8_t *raw_name;
  int raw_length;
  int flags, method;
  uint32_t crc32, packed_size, size;
  int64_t offset;   ///< of the local header, in the file
  int64_t data_at;  ///< where its bytes begin; 0 until zip_check has found a good local header
  ZipKind kind;
  bool is_faulty;  ///< zip_check has something against it
} ZipEntry;

typedef struct ZipDirectory {
  Arena arena;
  const char *path;  ///< of the file, for messages
  int file;          ///< its descriptor, where `is_open`: read by position only, so from any thread
  bool is_open;
  ZipEntry *entries;
  ZipEntry **by_name;  ///< sorted bytewise, without the "/" of folders
  int count;
  int64_t at;            ///< where the directory begins in the file: behind all entries
  int64_t end;           ///< where the zip ends in the file
  int64_t unread_bytes;  ///< of the directory, behind its entries
} ZipDirectory;

enum { ZIP_FLAG_ENCRYPTED = 1, ZIP_FLAG_STREAMED = 8, ZIP_METHOD_STORED = 0, ZIP_METHOD_DEFLATED = 8 };

/// Refuses a zip with no or with more than `most_entries` entries before it reads them. Free the directory in any case;
/// until then the file stays open.
bool zip_directory_read(Memory *memory, const char *path, int most_entries, ZipDirectory *directory, Error *error);
void zip_directory_free(ZipDirectory *directory);

/// Whether a file ends in a zip, judged by its end record and the first entry.
bool zip_directory_is_there(Memory *memory, const char *path);

/// The entry of that name, or NULL. The "/" of folders is not part of the name.
ZipEntry *zip_directory_find(const ZipDirectory *directory, const char *name, size_t length);

/// Bytes of the file; an error when there are fewer.
bool zip_directory_read_at(const ZipDirectory *directory, int64_t at, void *bytes, size_t size, Error *error);

#endif
