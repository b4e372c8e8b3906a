#define _XOPEN_SOURCE 700
#include "pack.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>
#include <zlib.h>

#include "files.h"
#include "files_system.h"
#include "pack_list.h"
#include "pack_script.h"
#include "path.h"

// Bit 11 of the general purpose flags: names are UTF-8 (PKWARE's APPNOTE, 4.4.4).
enum { ZIP_UTF8 = 1 << 11, MADE_BY_UNIX = 3 << 8 };

// Models are read whole and often, media are compressed already: both are stored. Text is deflated.
static const char *const STORED[] = {"md2", "mbj", "3ds", "m3g", "glb", "png", "jpg", "jpeg", "gif", "ogg", NULL};

static bool read_whole(Memory *memory, const char *folder, const PackEntry *entry, Bytes *bytes, Error *error) {
  char real[2048];
  snprintf(real, sizeof real, "%s/%s", folder, entry->path);
  FILE *file = fopen(real, "rb");
  if (!file) return error_set(error, "%s: cannot be read: %s", entry->path, strerror(errno));
  bytes->size = (size_t)entry->size;
  bytes->data = memory_resize(memory, NULL, bytes->size + 1);
  bool is_good = bytes->data && fread(bytes->data, 1, bytes->size + 1, file) == bytes->size && !ferror(file);
  fclose(file);
  if (is_good) {
    bytes->data[bytes->size] = 0;
    return true;
  }
  bool has_memory = bytes->data != NULL;
  memory_free(memory, bytes->data);
  return has_memory ? error_set(error, "%s: changed while it was read", entry->path) : error_set_out_of_memory(error);
}

static bool add_entry(zipFile zip, const PackEntry *entry, Bytes bytes) {
  int method = path_has_extension(entry->path, STORED) ? 0 : Z_DEFLATED;
  zip_fileinfo info = {.tmz_date = {.tm_mday = 1, .tm_year = 1980}, .external_fa = (uLong)0100644 << 16};
  bool is_good = zipOpenNewFileInZip4(zip, entry->path, &info, NULL, 0, NULL, 0, NULL, method, 9, 0, -MAX_WBITS,
                                      DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, NULL, 0, MADE_BY_UNIX, ZIP_UTF8) == ZIP_OK;
  is_good = is_good && zipWriteInFileInZip(zip, bytes.data, (unsigned)bytes.size) == ZIP_OK;
  return is_good && zipCloseFileInZip(zip) == ZIP_OK;
}

static bool write_entries(Memory *memory, const PackList *list, const char *folder, zipFile zip, PackReport *report,
                          Error *error) {
  for (int i = 0; i < list->entries.count; i++) {
    const PackEntry *entry = &list->entries.items[i];
    Bytes bytes = {0};
    if (!read_whole(memory, folder, entry, &bytes, error)) return false;
    if (strcmp(path_extension(entry->path), "lua") == 0) pack_script_check(list, entry->path, bytes, report);
    bool is_good = add_entry(zip, entry, bytes);
    memory_free(memory, bytes.data);
    if (!is_good) return error_set(error, "%s: cannot be written into the zip", entry->path);
  }
  report->file_count = list->entries.count;
  return true;
}

static bool check_main(const PackList *list, const char *folder, Error *error) {
  if (pack_list_find(list, "main.lua", false)) return true;
  for (int i = 0; i < list->entries.count; i++) {
    const char *path = list->entries.items[i].path, *slash = strchr(path, '/');
    if (slash && strcmp(slash, "/main.lua") == 0)
      return error_set(error, "%s: main.lua is not at the root but at %s; pack that folder", folder, path);
  }
  return error_set(error, "%s: there is no main.lua in it", folder);
}

static bool write_zip(Memory *memory, const PackList *list, const char *folder, const char *zip_path,
                      const char *beside, PackReport *report, Error *error) {
  errno = 0;
  zipFile zip = zipOpen(beside, APPEND_STATUS_CREATE);
  if (!zip) return error_set(error, "%s: cannot be written: %s", zip_path, errno ? strerror(errno) : "no memory");
  bool is_good = write_entries(memory, list, folder, zip, report, error);
  if (zipClose(zip, NULL) != ZIP_OK && is_good) is_good = error_set(error, "%s: cannot be written", zip_path);
  if (is_good && rename(beside, zip_path) != 0)
    is_good = error_set(error, "%s: cannot be written: %s", zip_path, strerror(errno));
  struct stat info;
  if (is_good && stat(zip_path, &info) == 0) report->packed_bytes = (size_t)info.st_size;
  if (!is_good) unlink(beside);
  return is_good;
}

bool pack_folder(Memory *memory, const char *folder, const char *zip_path, PackReport *report, Error *error) {
  char place[2000], beside[2048];
  *report = (PackReport){0};
  if (!system_output_path(zip_path, place, sizeof place, error)) return false;
  snprintf(beside, sizeof beside, "%s.part", place);
  zip_path = place;
  // The package may stand in the folder: it must not hold the one before.
  PackList list = {.memory = memory, .left_out = {zip_path, beside}};
  bool is_good = pack_list_read(&list, folder, error) && check_main(&list, folder, error) &&
                 write_zip(memory, &list, folder, zip_path, beside, report, error);
  pack_list_free(&list);
  return is_good;
}
