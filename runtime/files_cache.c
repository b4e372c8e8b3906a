// What can be made again at any time, in the user's folder for caches. Nobody is told when it cannot be read or written.
#include <stdio.h>
#include <sys/stat.h>

#include "files_parts.h"
#include "files_system.h"
#include "hash.h"

// Below the folder for caches; false before there is an identity.
static bool cache_path(const Files *files, const char *name, char *below, size_t size) {
  return files->save_below[0] && snprintf(below, size, "%s/%s", files->save_below, name) < (int)size;
}

bool files_read_cache(Files *files, const char *name, Bytes *bytes) {
  char root[MAX_REAL_PATH], below[MAX_REAL_PATH], real[2 * MAX_REAL_PATH + 2];
  struct stat info;
  *bytes = (Bytes){0};
  if (!cache_path(files, name, below, sizeof below) || !system_cache_folder(root, sizeof root)) return false;
  snprintf(real, sizeof real, "%s/%s", root, below);
  FILE *file = fopen(real, "rb");
  if (!file) return false;
  bool is_good = fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= FILES_MAX_SIZE;
  bytes->size = is_good ? (size_t)info.st_size : 0;
  // Not zeroed first: every byte comes from the file.
  bytes->data = is_good ? memory_resize(files->memory, NULL, bytes->size + 1) : NULL;
  is_good = bytes->data && fread(bytes->data, 1, bytes->size, file) == bytes->size;
  fclose(file);
  if (is_good) return true;
  memory_free(files->memory, bytes->data);
  *bytes = (Bytes){0};
  return false;
}

void files_write_cache(Files *files, const char *name, Bytes bytes) {
  char root[MAX_REAL_PATH], below[MAX_REAL_PATH];
  Error ignored;
  if (cache_path(files, name, below, sizeof below) && system_cache_folder(root, sizeof root))
    system_replace_file(root, below, bytes, &ignored);
}

uint64_t files_program_stamp(void) {
  char path[MAX_REAL_PATH];
  struct stat info;
  if (!system_program_path(path, sizeof path) || stat(path, &info) != 0) return 0;
  uint64_t facts[3] = {(uint64_t)info.st_size, (uint64_t)info.st_mtim.tv_sec, (uint64_t)info.st_mtim.tv_nsec};
  return hash_bytes((Bytes){(uint8_t *)facts, sizeof facts});
}
