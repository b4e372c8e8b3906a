#define _XOPEN_SOURCE 700
// Any bytes as a package: looked through as `palfrey verify` does, and opened and read as a game is. Fails on crashes, on
// memory left behind, on refusals without a text, and where opening and verifying do not agree.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "zip_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Verdict {
  const ZipDirectory *directory;
  int faults;
} Verdict;

static void count_fault(void *user, const ZipEntry *entry, const char *what) {
  Verdict *verdict = user;
  char text[512];
  zip_fault_text(verdict->directory, entry, what, text, sizeof text);
  if (!what[0] || strchr(text, '\n')) abort();
  verdict->faults++;
}

// How many faults the directory shows, and all; -1 where memory ran out or there is no directory.
static int verify(Memory *memory, const char *path, bool with_data) {
  ZipDirectory directory;
  Error error = {0};
  Verdict verdict = {.directory = &directory};
  bool is_good = zip_directory_read(memory, path, FILES_MAX_ENTRIES, &directory, &error) &&
                 (with_data ? zip_check_data(&directory, count_fault, &verdict, &error)
                            : zip_check(&directory, count_fault, &verdict, &error));
  if (!is_good && !error.text[0]) abort();
  zip_directory_free(&directory);
  return is_good ? verdict.faults : -1;
}

typedef struct Walk {
  Files *files;
  Memory *memory;
  int read, failed;
} Walk;

static void read_entry(void *user, const char *name, bool is_folder) {
  Walk *walk = user;
  Bytes bytes = {0};
  Error error = {0};
  if (is_folder) return;
  if (files_read(walk->files, name, &bytes, &error))
    walk->read++;
  else if (error.text[0])
    walk->failed++;
  else
    abort();
  memory_free(walk->memory, bytes.data);
}

// What has no fault in its directory is opened, unless PhysFS has something against it; then its root is read.
static void open_as_game(Memory *memory, const char *path, int directory_faults, int all_faults) {
  Error error = {0};
  Files *files = files_create(memory, "fuzz", &error);
  bool is_open = files && files_open_folder(files, path, &error);
  if (is_open && directory_faults != 0) abort();
  if (!is_open && !error.text[0]) abort();
  Walk walk = {.files = files, .memory = memory};
  if (is_open) files_each(files, "", read_entry, &walk, &error);
  if (all_faults == 0 && walk.failed > 0) abort();
  files_free(files);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Memory memory = {0};
  char path[64];
  FILE *file = tmpfile();
  if (!file || fwrite(data, 1, size, file) != size || fflush(file) != 0) abort();
  snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
  int directory_faults = verify(&memory, path, false), all_faults = verify(&memory, path, true);
  if (all_faults < directory_faults || (directory_faults < 0) != (all_faults < 0)) abort();
  zip_directory_is_there(&memory, path);
  open_as_game(&memory, path, directory_faults, all_faults);
  // The last byte decides where memory runs out, if it does.
  memory.fail_after = size > 0 && data[size - 1] & 0x80 ? 1 + (data[size - 1] & 31) : 0;
  if (memory.fail_after) verify(&memory, path, true);
  fclose(file);
  if (memory.live_bytes != 0) abort();
  return 0;
}
