// Folders of a game, and names whose letter case is not known.
#include <physfs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cp437.h"
#include "files_parts.h"
#include "utf8.h"

// The name of an entry as paths have it; false for those that no path can reach.
static bool name_entry(const Files *files, const char *raw, char name[FILES_MAX_PATH]) {
  char clean[FILES_MAX_PATH];
  if (utf8_is_valid(raw))
    snprintf(name, FILES_MAX_PATH, "%s", raw);
  else if (!files->is_packaged || !cp437_to_utf8(raw, name, FILES_MAX_PATH))
    return false;
  return files_clean_path(name, clean, NULL) && strcmp(clean, name) == 0 && clean[0];
}

typedef struct Listing {
  const Files *files;
  const char *folder;  // as PhysFS knows it
  FileVisitor *visit;
  void *user;
} Listing;

static void visit_entry(const Listing *listing, const char *raw) {
  char name[FILES_MAX_PATH], path[FILES_MAX_PATH];
  PHYSFS_Stat stat;
  int length = snprintf(path, sizeof path, "%s%s%s", listing->folder, listing->folder[0] ? "/" : "", raw);
  if (length >= (int)sizeof path || !name_entry(listing->files, raw, name) || !PHYSFS_stat(path, &stat)) return;
  bool is_folder = stat.filetype == PHYSFS_FILETYPE_DIRECTORY;
  if (is_folder || stat.filetype == PHYSFS_FILETYPE_REGULAR) listing->visit(listing->user, name, is_folder);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

bool files_each(Files *files, const char *folder, FileVisitor *visit, void *user, Error *error) {
  char located[FILES_MAX_PATH];
  FileInfo info = {0};
  if (!files_locate(files, folder, located, &info, error)) return false;
  if (!info.is_folder) return error_set(error, "%s: is not a folder", folder);
  char **names = PHYSFS_enumerateFiles(located);
  if (!names) return error_set(error, "%s: cannot be listed: %s", folder, files_last_reason());
  size_t count = 0;
  while (names[count])
    count++;
  if (count > 1) qsort(names, count, sizeof *names, compare_names);
  Listing listing = {files, located, visit, user};
  for (size_t i = 0; i < count; i++)
    visit_entry(&listing, names[i]);
  PHYSFS_freeList(names);
  return true;
}

// --- Any letter case ---

typedef struct CaseSearch {
  const char *part;
  size_t length;
  bool wants_folder, is_exact;
  char found[FILES_MAX_PATH];
} CaseSearch;

static void look_for_part(void *user, const char *name, bool is_folder) {
  CaseSearch *search = user;
  if (strlen(name) != search->length || strncasecmp(name, search->part, search->length) != 0) return;
  if (search->is_exact || (search->wants_folder && !is_folder)) return;
  search->is_exact = strncmp(name, search->part, search->length) == 0;
  if (search->is_exact || !search->found[0]) snprintf(search->found, sizeof search->found, "%s", name);
}

// Part by part; where several folders equal a part the exact one is followed, else the first.
bool files_find_any_case(Files *files, const char *path, char found[FILES_MAX_PATH]) {
  char clean[FILES_MAX_PATH], located[FILES_MAX_PATH];
  FileInfo info = {0};
  if (!files_clean_path(path, clean, NULL) || !clean[0]) return false;
  memcpy(found, clean, sizeof clean);
  if (files_locate(files, clean, located, &info, NULL)) return true;
  found[0] = 0;
  for (const char *part = clean; *part;) {
    size_t length = strcspn(part, "/"), used = strlen(found);
    CaseSearch search = {.part = part, .length = length, .wants_folder = part[length] == '/'};
    if (!files_each(files, found, look_for_part, &search, NULL) || !search.found[0]) return false;
    // The parts have the lengths of the path's, which fits.
    snprintf(found + used, FILES_MAX_PATH - used, "%s%s", used ? "/" : "", search.found);
    part += length + search.wants_folder;
  }
  return true;
}
