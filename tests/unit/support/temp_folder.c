#define _XOPEN_SOURCE 700
#include "support/temp_folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void need(bool is_good, const char *what) {
  if (is_good) return;
  fprintf(stderr, "temporary folder: %s: %s\n", what, strerror(errno));
  abort();
}

int temp_folder_make(void **state) {
  TempFolder *folder = calloc(1, sizeof *folder);
  need(folder != NULL, "memory");
  const char *parent = getenv("TMPDIR");
  int length = snprintf(folder->path, sizeof folder->path, "%s/palfrey-test-XXXXXX", parent ? parent : P_tmpdir);
  need(length < (int)sizeof folder->path, "a path that fits");
  need(mkdtemp(folder->path) != NULL, folder->path);
  temp_make_folder(folder, "home");
  setenv("HOME", temp_path(folder, "home"), 1);
  unsetenv("XDG_DATA_HOME");
  *state = folder;
  return 0;
}

void temp_set_user_data(const TempFolder *folder, const char *path) {
  setenv("XDG_DATA_HOME", temp_path(folder, path), 1);
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk) {
  (void)info;
  (void)kind;
  (void)walk;
  return remove(path);
}

int temp_folder_remove(void **state) {
  TempFolder *folder = *state;
  nftw(folder->path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  free(folder);
  return 0;
}

const char *temp_path(const TempFolder *folder, const char *path) {
  static char paths[4][2 * TEMP_PATH];
  static int next;
  char *full = paths[next++ % 4];
  snprintf(full, sizeof paths[0], "%s/%s", folder->path, path);
  return full;
}

void temp_make_folder(const TempFolder *folder, const char *path) {
  char full[2 * TEMP_PATH];
  snprintf(full, sizeof full, "%s/%s", folder->path, path);
  for (char *at = full + strlen(folder->path) + 1; at; at = strchr(at + 1, '/')) {
    char held = *at;
    *at = held == '/' ? 0 : held;
    mkdir(full, 0755);
    *at = held;
  }
  need(mkdir(full, 0755) == 0 || errno == EEXIST, full);
}

void temp_write(const TempFolder *folder, const char *path, const void *data, size_t size) {
  char parent[TEMP_PATH];
  const char *slash = strrchr(path, '/');
  snprintf(parent, sizeof parent, "%.*s", slash ? (int)(slash - path) : 0, path);
  if (slash) temp_make_folder(folder, parent);
  FILE *file = fopen(temp_path(folder, path), "wb");
  need(file && fwrite(data, 1, size, file) == size && fclose(file) == 0, path);
}

void temp_write_text(const TempFolder *folder, const char *path, const char *text) {
  temp_write(folder, path, text, strlen(text));
}

void temp_link(const TempFolder *folder, const char *path, const char *target) {
  need(symlink(target, temp_path(folder, path)) == 0, path);
}

bool temp_has_text(const TempFolder *folder, const char *path, const char *text) {
  char found[1024];
  FILE *file = fopen(temp_path(folder, path), "rb");
  if (!file) return false;
  size_t size = fread(found, 1, sizeof found, file);
  fclose(file);
  return size == strlen(text) && memcmp(found, text, size) == 0;
}
