#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app.h"
#include "starter_files.h"
#include "tools.h"

enum { MAX_PATH = 1024 };

// Where the files of the project go in a new game.
static const struct { const char *from, *to; } PLACES[] = {{"scripts/starter/", ""}, {"scripts/types/", ".palfrey/"}};

static bool place_file(const char *folder, const EmbeddedFile_starter_files *file, char *path, Error *error) {
  int length = -1;
  for (size_t i = 0; length < 0 && i < sizeof PLACES / sizeof *PLACES; i++) {
    size_t skipped = strlen(PLACES[i].from);
    if (strncmp(file->path, PLACES[i].from, skipped) == 0)
      length = snprintf(path, MAX_PATH, "%s/%s%s", folder, PLACES[i].to, file->path + skipped);
  }
  return (length >= 0 && length < MAX_PATH) || error_set(error, "%s: the path is too long", folder);
}

// Where there is something, the user may want to keep it.
static bool check_empty(const char *folder, bool *is_there, Error *error) {
  DIR *entries = opendir(folder);
  *is_there = entries != NULL;
  if (!entries && errno == ENOENT) return true;
  if (!entries) return error_set(error, "%s: cannot be used: %s", folder, strerror(errno));
  bool is_empty = true;
  struct dirent *entry;
  for (errno = 0; is_empty && (entry = readdir(entries)); errno = 0)
    is_empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
  int reason = errno;
  closedir(entries);
  if (is_empty && reason != 0) return error_set(error, "%s: cannot be used: %s", folder, strerror(reason));
  return is_empty || error_set(error, "%s: is not empty; a new game wants a folder of its own", folder);
}

// Makes the folders between `folder`, which is there, and a file below it.
static bool make_folders(const char *folder, char *path, Error *error) {
  for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    bool is_made = mkdir(path, 0777) == 0 || errno == EEXIST;
    if (!is_made) error_set(error, "%s: cannot be made: %s", path, strerror(errno));
    *slash = '/';
    if (!is_made) return false;
  }
  return true;
}

static bool write_file(const char *folder, const EmbeddedFile_starter_files *file, Error *error) {
  char path[MAX_PATH];
  if (!place_file(folder, file, path, error) || !make_folders(folder, path, error)) return false;
  FILE *out = fopen(path, "wbx");
  if (!out) return error_set(error, "%s: cannot be written: %s", path, strerror(errno));
  bool is_good = fwrite(file->data, 1, file->size, out) == file->size;
  if (fclose(out) != 0) is_good = false;
  return is_good || error_set(error, "%s: cannot be written: %s", path, strerror(errno));
}

// Takes away what was written, and folders that are empty then, up to `folder` itself.
static void take_back(const char *folder, int count) {
  for (int i = 0; i < count; i++) {
    char path[MAX_PATH];
    if (!place_file(folder, &starter_files[i], path, NULL)) continue;
    unlink(path);
    for (char *slash = strrchr(path, '/'); slash > path + strlen(folder); slash = strrchr(path, '/')) {
      *slash = 0;
      rmdir(path);
    }
  }
}

static bool write_game(const char *folder, Error *error) {
  bool is_there;
  if (!check_empty(folder, &is_there, error)) return false;
  if (!is_there && mkdir(folder, 0777) != 0) return error_set(error, "%s: cannot be made: %s", folder, strerror(errno));
  for (int i = 0; i < starter_files_count; i++) {
    if (write_file(folder, &starter_files[i], error)) continue;
    take_back(folder, i + 1);
    if (!is_there) rmdir(folder);
    return false;
  }
  return true;
}

int tools_new(const Options *options) {
  Error error = {0};
  if (!write_game(options->target, &error)) {
    fprintf(stderr, "palfrey new: %s\n", error.text);
    return EXIT_GAME_ERROR;
  }
  printf(
      "%s: a game of %d files\n"
      "  palfrey %s         plays it\n"
      "  palfrey test %s    runs its specs\n"
      "  palfrey pack %s    makes one zip of it\n"
      "README.md tells the rest.\n",
      options->target, starter_files_count, options->target, options->target, options->target);
  return EXIT_DONE;
}
