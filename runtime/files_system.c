#define _XOPEN_SOURCE 700
#include "files_system.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_PART = 256 };

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

bool system_program_path(char *path, size_t size) {
  return system_real_path("/proc/self/exe", path, size);
}

bool system_output_path(const char *path, char *real, size_t size, Error *error) {
  struct stat info;
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) return error_set(error, "%s: is there and is not a file", path);
  if (system_real_path(path, real, size)) return true;
  return snprintf(real, size, "%s", path) < (int)size || error_set(error, "%s: the path is too long", path);
}

// The XDG base directory specification: a relative path in the variable counts as none.
static bool user_folder(const char *variable, const char *below_home, char *path, size_t size) {
  const char *given = getenv(variable), *home = getenv("HOME");
  if (given && given[0] == '/') return snprintf(path, size, "%s", given) < (int)size;
  if (!home || home[0] != '/') {
    const struct passwd *user = getpwuid(getuid());
    home = user ? user->pw_dir : NULL;
  }
  return home && snprintf(path, size, "%s/%s", home, below_home) < (int)size;
}

bool system_data_folder(char *path, size_t size) {
  return user_folder("XDG_DATA_HOME", ".local/share", path, size);
}

bool system_cache_folder(char *path, size_t size) {
  return user_folder("XDG_CACHE_HOME", ".cache", path, size);
}

// --- Folders, one part at a time ---

static bool make_root(const char *root, Error *error) {
  char folder[1024];
  if (snprintf(folder, sizeof folder, "%s", root) >= (int)sizeof folder) return error_set(error, "%s: too long", root);
  for (char *at = folder; at;) {
    at = strchr(at + 1, '/');
    if (at) *at = 0;
    // The XDG base directory specification asks for 0700.
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
      return error_set(error, "%s: the folder cannot be made: %s", folder, strerror(errno));
    if (at) *at = '/';
  }
  return true;
}

// Opens the folder that a part names; `folder` is closed. Returns -1 with errno set.
static int enter(int folder, const char *part, size_t length, bool makes) {
  char name[MAX_PART];
  int next = -1;
  errno = ENAMETOOLONG;
  if (length < sizeof name) {
    memcpy(name, part, length);
    name[length] = 0;
    if (makes) mkdirat(folder, name, 0755);
    next = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  }
  int reason = errno;
  close(folder);
  errno = reason;
  return next;
}

// Opens the folder that holds the last part of a path; *leaf is set to that part. Returns -1 with an error.
static int open_parent(const char *root, const char *path, bool makes, const char **leaf, Error *error) {
  *leaf = path;
  if (makes && !make_root(root, error)) return -1;
  int folder = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (const char *slash; folder >= 0 && (slash = strchr(*leaf, '/')); *leaf = slash + 1) {
    folder = enter(folder, *leaf, (size_t)(slash - *leaf), makes);
    if (folder >= 0) continue;
    const char *reason = errno == ELOOP || errno == ENOTDIR ? "it is not a folder" : strerror(errno);
    error_set(error, "%s/%.*s: cannot be entered: %s", root, (int)(slash - path), path, reason);
    return -1;
  }
  if (folder < 0) error_set(error, "%s: cannot be entered: %s", root, strerror(errno));
  return folder;
}

bool system_has_folder(const char *root, const char *path) {
  const char *leaf;
  int folder = open_parent(root, path, false, &leaf, NULL);
  if (folder < 0) return false;
  folder = enter(folder, leaf, strlen(leaf), false);
  if (folder < 0) return false;
  close(folder);
  return true;
}

// --- Files ---

static bool write_all(int file, Bytes bytes) {
  for (size_t done = 0; done < bytes.size;) {
    ssize_t wrote = write(file, bytes.data + done, bytes.size - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    done += (size_t)wrote;
  }
  return fsync(file) == 0;
}

static bool replace_in(int folder, const char *leaf, Bytes bytes) {
  // One name a process is enough: what lies there already was left by one that is gone.
  char beside[64];
  snprintf(beside, sizeof beside, ".palfrey-%ld.part", (long)getpid());
  unlinkat(folder, beside, 0);
  int file = openat(folder, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (file < 0) return false;
  bool is_good = write_all(file, bytes);
  int reason = errno;
  if (close(file) != 0 && is_good) {
    is_good = false;
    reason = errno;
  }
  if (is_good && renameat(folder, beside, folder, leaf) == 0) {
    fsync(folder);  // the new name, too, outlives a loss of power; a file system that cannot do this is no error
    return true;
  }
  if (is_good) reason = errno;
  unlinkat(folder, beside, 0);
  errno = reason;
  return false;
}

bool system_replace_file(const char *root, const char *path, Bytes bytes, Error *error) {
  const char *leaf;
  int folder = open_parent(root, path, true, &leaf, error);
  if (folder < 0) return false;
  struct stat info;
  bool is_free = fstatat(folder, leaf, &info, AT_SYMLINK_NOFOLLOW) != 0 || S_ISREG(info.st_mode);
  bool is_good = is_free && replace_in(folder, leaf, bytes);
  int reason = errno;
  close(folder);
  if (!is_free) return error_set(error, "%s/%s: is not a file", root, path);
  return is_good || error_set(error, "%s/%s: cannot be written: %s", root, path, strerror(reason));
}

bool system_remove(const char *root, const char *path, Error *error) {
  const char *leaf;
  int folder = open_parent(root, path, false, &leaf, error);
  if (folder < 0) return false;
  struct stat info;
  bool is_there = fstatat(folder, leaf, &info, AT_SYMLINK_NOFOLLOW) == 0;
  bool is_removed = is_there && unlinkat(folder, leaf, S_ISDIR(info.st_mode) ? AT_REMOVEDIR : 0) == 0;
  int reason = errno;
  close(folder);
  return is_removed || error_set(error, "%s/%s: cannot be removed: %s", root, path, strerror(reason));
}
