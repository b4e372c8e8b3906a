#define _XOPEN_SOURCE 700
#include "pack_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "files.h"
#include "utf8.h"

enum { MAX_DEPTH = 32 };

static bool is_left_out(const char *name, bool is_folder) {
  size_t length = strlen(name);
  return name[0] == '.' || (is_folder && strcmp(name, "spec") == 0) || name[length - 1] == '~' ||
         (length > 4 && strcmp(name + length - 4, ".bak") == 0) ||
         (length > 5 && strcmp(name + length - 5, ".orig") == 0) || (name[0] == '#' && name[length - 1] == '#');
}

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool is_one_of(const PackList *list, const char *name, const struct stat *info) {
  struct stat other;
  for (int i = 0; i < 2; i++) {
    const char *path = list->left_out[i];
    bool can_be = path && strcmp(last_part(path), name) == 0 && stat(path, &other) == 0;
    if (can_be && other.st_dev == info->st_dev && other.st_ino == info->st_ino) return true;
  }
  return false;
}

// Names that Windows keeps for devices, with any extension.
static bool is_device(const char *name) {
  static const char *const DEVICES[] = {"con", "prn", "aux", "nul", "com", "lpt"};
  size_t length = strcspn(name, ".");
  for (size_t i = 0; i < sizeof DEVICES / sizeof *DEVICES; i++) {
    bool has_number = i >= 4;
    if (length != 3u + has_number || strncasecmp(name, DEVICES[i], 3) != 0) continue;
    if (!has_number || (name[3] >= '1' && name[3] <= '9')) return true;
  }
  return false;
}

static bool check_name(const char *path, Error *error) {
  char clean[FILES_MAX_PATH];
  const char *name = last_part(path), *bad = strpbrk(name, "<>\"|?*");
  if (bad) return error_set(error, "%s: a name with %c does not work everywhere", path, *bad);
  if (strchr(" .", name[strlen(name) - 1]))
    return error_set(error, "%s: a name that ends with a space or a dot does not work everywhere", path);
  if (is_device(name)) return error_set(error, "%s: the name of a device on Windows", path);
  if (strchr(path, '\\')) return error_set(error, "%s: a name with a backslash does not work everywhere", path);
  if (!utf8_is_valid(path)) return error_set(error, "%s: the name is not UTF-8", path);
  return files_clean_path(path, clean, error);
}

static bool add_file(PackList *list, const char *path, int64_t size, Error *error) {
  if (!check_name(path, error)) return false;
  if (size > FILES_MAX_SIZE) return error_set(error, "%s: larger than %d MB", path, FILES_MAX_SIZE >> 20);
  if (list->entries.count >= FILES_MAX_ENTRIES)
    return error_set(error, "a package has at most %d files", FILES_MAX_ENTRIES);
  PackEntry entry = {.path = memory_copy_string(list->memory, path), .size = size};
  if (entry.path && array_push(list->memory, &list->entries, entry)) return true;
  memory_free(list->memory, entry.path);
  return error_set_out_of_memory(error);
}

static bool read_folder(PackList *list, const char *root, const char *below, int depth, Error *error);

static bool read_entry(PackList *list, const char *root, const char *below, const char *name, int depth, Error *error) {
  char path[FILES_MAX_PATH], real[2048];
  int length = snprintf(path, sizeof path, "%s%s%s", below, below[0] ? "/" : "", name);
  if (length >= (int)sizeof path || snprintf(real, sizeof real, "%s/%s", root, path) >= (int)sizeof real)
    return error_set(error, "%s/%s: the path is too long", below, name);
  struct stat info;
  if (lstat(real, &info) != 0) return error_set(error, "%s: cannot be read: %s", path, strerror(errno));
  if (is_left_out(name, S_ISDIR(info.st_mode)) || is_one_of(list, name, &info)) return true;
  if (S_ISDIR(info.st_mode)) return check_name(path, error) && read_folder(list, root, path, depth + 1, error);
  if (S_ISLNK(info.st_mode)) return error_set(error, "%s: is a link; a package holds files only", path);
  if (!S_ISREG(info.st_mode)) return error_set(error, "%s: is not a file", path);
  return add_file(list, path, info.st_size, error);
}

static bool read_folder(PackList *list, const char *root, const char *below, int depth, Error *error) {
  char real[2048];
  if (depth > MAX_DEPTH) return error_set(error, "%s: folders are nested deeper than %d", below, MAX_DEPTH);
  snprintf(real, sizeof real, "%s/%s", root, below);
  DIR *folder = opendir(real);
  if (!folder) return error_set(error, "%s: cannot be opened: %s", below[0] ? below : root, strerror(errno));
  bool is_good = true;
  struct dirent *entry;
  for (errno = 0; is_good && (entry = readdir(folder)); errno = 0)
    is_good = read_entry(list, root, below, entry->d_name, depth, error);
  int reason = is_good ? errno : 0;
  closedir(folder);
  return reason == 0 ? is_good : error_set(error, "%s: cannot be read: %s", below[0] ? below : root, strerror(reason));
}

static int compare_entries(const void *a, const void *b) {
  return strcmp(((const PackEntry *)a)->path, ((const PackEntry *)b)->path);
}

static int compare_any_case(const void *a, const void *b) {
  return strcasecmp(*(const char *const *)a, *(const char *const *)b);
}

// Two names that differ in case only are one file on some systems.
static bool check_cases(const PackList *list, Error *error) {
  int count = list->entries.count;
  const char **paths = memory_alloc_array(list->memory, (size_t)count, sizeof *paths);
  if (!paths) return error_set_out_of_memory(error);
  for (int i = 0; i < count; i++)
    paths[i] = list->entries.items[i].path;
  if (count > 1) qsort(paths, (size_t)count, sizeof *paths, compare_any_case);
  bool is_good = true;
  for (int i = 1; is_good && i < count; i++) {
    if (strcasecmp(paths[i - 1], paths[i]) == 0)
      is_good = error_set(error, "%s and %s differ in letter case only", paths[i - 1], paths[i]);
  }
  memory_free(list->memory, paths);
  return is_good;
}

bool pack_list_read(PackList *list, const char *folder, Error *error) {
  if (!read_folder(list, folder, "", 0, error)) return false;
  if (list->entries.count > 1)
    qsort(list->entries.items, (size_t)list->entries.count, sizeof *list->entries.items, compare_entries);
  return check_cases(list, error);
}

void pack_list_free(PackList *list) {
  for (int i = 0; i < list->entries.count; i++)
    memory_free(list->memory, list->entries.items[i].path);
  array_free(list->memory, &list->entries);
}

const PackEntry *pack_list_find(const PackList *list, const char *path, bool any_case) {
  for (int i = 0; i < list->entries.count; i++) {
    const char *known = list->entries.items[i].path;
    if ((any_case ? strcasecmp(known, path) : strcmp(known, path)) == 0) return &list->entries.items[i];
  }
  return NULL;
}

const PackEntry *pack_list_find_below(const PackList *list, const char *path, bool any_case) {
  size_t wanted = strlen(path);
  for (int i = 0; i < list->entries.count; i++) {
    const char *known = list->entries.items[i].path;
    size_t length = strlen(known);
    if (length < wanted || (length > wanted && known[length - wanted - 1] != '/')) continue;
    const char *end = known + length - wanted;
    if ((any_case ? strcasecmp(end, path) : strcmp(end, path)) == 0) return &list->entries.items[i];
  }
  return NULL;
}
