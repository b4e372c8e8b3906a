#include "files_zip.h"

#include <physfs.h>
#include <stdio.h>
#include <string.h>

#include "zip_check.h"
#include "zip_data.h"

// --- The zip as PhysFS sees it ---

typedef struct Window {
  PHYSFS_Io io;
  const Files *files;
  int64_t at;
} Window;

static PHYSFS_sint64 window_read(PHYSFS_Io *io, void *bytes, PHYSFS_uint64 size) {
  Window *window = io->opaque;
  const ZipDirectory *zip = &window->files->zip;
  int64_t left = zip->end - window->at, wanted = size < (PHYSFS_uint64)left ? (int64_t)size : left;
  if (!zip_directory_read_at(zip, window->at, bytes, (size_t)wanted, NULL)) {
    PHYSFS_setErrorCode(PHYSFS_ERR_IO);
    return -1;
  }
  window->at += wanted;
  return wanted;
}

static int window_seek(PHYSFS_Io *io, PHYSFS_uint64 at) {
  Window *window = io->opaque;
  if (at > (PHYSFS_uint64)window->files->zip.end) {
    PHYSFS_setErrorCode(PHYSFS_ERR_PAST_EOF);
    return 0;
  }
  window->at = (int64_t)at;
  return 1;
}

static PHYSFS_sint64 window_tell(PHYSFS_Io *io) {
  return ((Window *)io->opaque)->at;
}

static PHYSFS_sint64 window_length(PHYSFS_Io *io) {
  return ((Window *)io->opaque)->files->zip.end;
}

static void window_destroy(PHYSFS_Io *io) {
  Window *window = io->opaque;
  memory_free(window->files->memory, window);
}

static PHYSFS_Io *window_open(const Files *files);

static PHYSFS_Io *window_duplicate(PHYSFS_Io *io) {
  PHYSFS_Io *other = window_open(((Window *)io->opaque)->files);
  if (!other) PHYSFS_setErrorCode(PHYSFS_ERR_OUT_OF_MEMORY);
  return other;
}

static PHYSFS_Io *window_open(const Files *files) {
  Window *window = memory_alloc(files->memory, sizeof *window);
  if (!window) return NULL;
  *window = (Window){.io = {.opaque = window,
                            .read = window_read,
                            .seek = window_seek,
                            .tell = window_tell,
                            .length = window_length,
                            .duplicate = window_duplicate,
                            .destroy = window_destroy},
                     .files = files};
  return &window->io;
}

static bool mount(Files *files, const char *path, Error *error) {
  if (snprintf(files->game, sizeof files->game, "%s", path) >= (int)sizeof files->game)
    return error_set(error, "%s: the path is too long", path);
  PHYSFS_Io *io = window_open(files);
  if (!io) return error_set_out_of_memory(error);
  if (PHYSFS_mountIo(io, path, "/", 0)) return true;
  error_set(error, "%s: not a zip that can be read: %s", path, files_last_reason());
  io->destroy(io);
  return false;
}

bool files_mount_zip(Files *files, const char *path, Error *error) {
  files->is_packaged = true;
  return zip_directory_read(files->memory, path, FILES_MAX_ENTRIES, &files->zip, error) &&
         zip_check_or_refuse(&files->zip, error) && mount(files, path, error);
}

// --- Reading ---

const ZipEntry *files_zip_entry(const Files *files, const char *path, const char *located) {
  const char *from = files->is_packaged ? PHYSFS_getRealDir(located) : NULL;
  if (!from || strcmp(from, files->game) != 0) return NULL;
  const ZipEntry *entry = zip_directory_find(&files->zip, path, strlen(path));
  return entry && entry->kind == ZIP_FILE ? entry : NULL;
}

bool files_read_zip(const Files *files, const ZipEntry *entry, Bytes *bytes, Error *error) {
  Error fault = {0};
  uint8_t *data = memory_resize(files->memory, NULL, (size_t)entry->size + 1);
  if (!data) return error_set_out_of_memory(error);
  if (!zip_data_read(&files->zip, entry, data, &fault)) {
    char text[sizeof fault.text];
    memory_free(files->memory, data);
    zip_fault_text(&files->zip, entry, fault.text, text, sizeof text);
    return error_set(error, "%s", text);
  }
  data[entry->size] = 0;
  *bytes = (Bytes){data, entry->size};
  return true;
}
