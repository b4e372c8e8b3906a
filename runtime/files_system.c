#define _XOPEN_SOURCE 700
#include "files_system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes.h"

SystemKind system_kind(const char *path) {
  struct stat info;
  if (stat(path, &info) != 0) return SYSTEM_NOTHING;
  return S_ISDIR(info.st_mode) ? SYSTEM_FOLDER : S_ISREG(info.st_mode) ? SYSTEM_FILE : SYSTEM_NOTHING;
}

bool system_real_path(const char *path, char *real, size_t size) {
  char *resolved = realpath(path, NULL);
  bool fits = resolved && snprintf(real, size, "%s", resolved) < (int)size;
  free(resolved);
  return fits;
}

bool system_make_folders(const char *path, size_t trusted, Error *error) {
  char folder[2048];
  if (snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder) return error_set(error, "%s: too long", path);
  for (char *at = folder + 1; (at = strchr(at, '/')); at++) {
    *at = 0;
    struct stat info;
    if (mkdir(folder, 0755) != 0 && errno != EEXIST)
      return error_set(error, "%s: the folder cannot be made: %s", folder, strerror(errno));
    bool is_own = (size_t)(at - folder) > trusted;
    if (is_own && (lstat(folder, &info) != 0 || !S_ISDIR(info.st_mode)))
      return error_set(error, "%s: is not a folder", folder);
    *at = '/';
  }
  return true;
}

static bool write_all(int file, Bytes bytes) {
  for (size_t done = 0; done < bytes.size;) {
    ssize_t wrote = write(file, bytes.data + done, bytes.size - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    done += (size_t)wrote;
  }
  return fsync(file) == 0;
}

bool system_replace_file(const char *path, Bytes bytes, Error *error) {
  struct stat info;
  if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode)) return error_set(error, "%s: is not a file", path);
  char beside[2080];
  snprintf(beside, sizeof beside, "%s.XXXXXX", path);
  int file = mkstemp(beside);
  if (file < 0) return error_set(error, "%s: cannot be written: %s", path, strerror(errno));
  bool is_good = write_all(file, bytes) && fchmod(file, 0644) == 0;
  if (close(file) != 0) is_good = false;
  if (is_good && rename(beside, path) == 0) return true;
  int reason = errno;
  unlink(beside);
  return error_set(error, "%s: cannot be written: %s", path, strerror(reason));
}

bool system_remove(const char *path, Error *error) {
  struct stat info;
  if (lstat(path, &info) != 0) return error_set(error, "%s: there is no such file in the save folder", path);
  int failed = S_ISDIR(info.st_mode) ? rmdir(path) : unlink(path);
  return failed ? error_set(error, "%s: cannot be removed: %s", path, strerror(errno)) : true;
}

// The end record of a zip (PKWARE's APPNOTE, 4.3.16) is 22 bytes and a comment of up to 65535.
enum { END_SIZE = 22, END_SEARCH = END_SIZE + 65535 };

static bool check_end_record(const char *path, const uint8_t *tail, size_t size, int most_entries, Error *error) {
  for (size_t at = size; at-- > 0;) {
    if (size - at < END_SIZE || read_u32(tail + at) != 0x06054b50) continue;
    int entries = read_u16(tail + at + 10);
    if (entries == 0) return error_set(error, "%s: the zip is empty", path);
    if (entries > most_entries)
      return error_set(error, "%s: the zip has %d entries, at most %d are allowed", path, entries, most_entries);
    return true;
  }
  return error_set(error, "%s: not a zip: it has no end record", path);
}

bool system_check_zip(const char *path, int most_entries, Error *error) {
  FILE *file = fopen(path, "rb");
  if (!file) return error_set(error, "%s: cannot be opened: %s", path, strerror(errno));
  long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  size_t wanted = size > END_SEARCH ? END_SEARCH : size > 0 ? (size_t)size : 0;
  uint8_t tail[END_SEARCH];
  bool is_read = size >= 0 && fseek(file, size - (long)wanted, SEEK_SET) == 0 && fread(tail, 1, wanted, file) == wanted;
  bool is_good = is_read ? check_end_record(path, tail, wanted, most_entries, error)
                         : error_set(error, "%s: cannot be read", path);
  fclose(file);
  return is_good;
}
