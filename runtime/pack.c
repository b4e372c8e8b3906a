#define _XOPEN_SOURCE 700
#include "pack.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>
#include <zlib.h>

#include "files.h"
#include "files_system.h"
#include "pack_list.h"
#include "pack_references.h"
#include "pack_script.h"
#include "path.h"
#include "zip_check.h"

// Bit 11 of the general purpose flags: names are UTF-8 (PKWARE's APPNOTE, 4.4.4).
enum { ZIP_UTF8 = 1 << 11, MADE_BY_UNIX = 3 << 8 };

void pack_warn(PackReport *report, const char *format, ...) {
  int index = report->warning_count++;
  if (index >= PACK_MAX_WARNINGS) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(report->warnings[index], sizeof report->warnings[0], format, arguments);
  va_end(arguments);
}

// --- Files ---

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
  int method = pack_kind_is_stored(entry->path) ? 0 : Z_DEFLATED;
  zip_fileinfo info = {.tmz_date = {.tm_mday = 1, .tm_year = 1980}, .external_fa = (uLong)0100644 << 16};
  bool is_good = zipOpenNewFileInZip4(zip, entry->path, &info, NULL, 0, NULL, 0, NULL, method, 9, 0, -MAX_WBITS,
                                      DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, NULL, 0, MADE_BY_UNIX, ZIP_UTF8) == ZIP_OK;
  is_good = is_good && zipWriteInFileInZip(zip, bytes.data, (unsigned)bytes.size) == ZIP_OK;
  return is_good && zipCloseFileInZip(zip) == ZIP_OK;
}

// Notes which files a script speaks of by their names.
static void listen_to(PackList *list, Bytes script) {
  for (int i = 0; i < list->entries.count; i++) {
    PackEntry *entry = &list->entries.items[i];
    const char *slash = strrchr(entry->path, '/');
    entry->is_spoken = entry->is_spoken || strstr((const char *)script.data, slash ? slash + 1 : entry->path);
  }
}

// Looks for what a file names.
static void look_through(PackList *list, const PackEntry *entry, Bytes bytes, PackReport *report) {
  PackKind kind = pack_kind_of(entry->path);
  if (kind == PACK_SCRIPTS) {
    pack_script_check(list, entry->path, bytes, report);
    listen_to(list, bytes);
  }
  if (kind == PACK_SCRIPTS || kind == PACK_MODELS || kind == PACK_OTHER) pack_references_in_bytes(list, bytes);
}

// What models read besides pictures, which they only name.
static bool may_be_baked_in(const PackEntry *entry) {
  static const char *const COMPANIONS[] = {"mtl", "bin", NULL};
  return pack_kind_of(entry->path) == PACK_OTHER || path_has_extension(entry->path, COMPANIONS);
}

static bool is_baked_in(const PackDesc *desc, const PackEntry *entry) {
  return desc->bake && may_be_baked_in(entry) && !entry->is_spoken && desc->is_baked_in(desc->bake_user, entry->path);
}

static bool write_entry(Memory *memory, PackList *list, const PackDesc *desc, const PackEntry *entry, zipFile zip,
                        PackReport *report, Error *error) {
  Bytes bytes = {0};
  if (!read_whole(memory, desc->folder, entry, &bytes, error)) return false;
  look_through(list, entry, bytes, report);
  bool is_baked = !desc->bake || pack_kind_of(entry->path) != PACK_MODELS ||
                  desc->bake(desc->bake_user, entry->path, &bytes, report);
  bool is_left_out = is_baked && is_baked_in(desc, entry);
  bool is_good = is_baked && (is_left_out || add_entry(zip, entry, bytes));
  memory_free(memory, bytes.data);
  if (!is_baked) return error_set_out_of_memory(error);
  report->file_count += is_good && !is_left_out;
  return is_good || error_set(error, "%s: cannot be written into the zip", entry->path);
}

// Where models are baked scripts come first, then models: both tell what of the rest goes into the package.
static int rank(const PackDesc *desc, const PackEntry *entry) {
  PackKind kind = pack_kind_of(entry->path);
  return !desc->bake || kind == PACK_SCRIPTS ? 0 : kind == PACK_MODELS && !may_be_baked_in(entry) ? 1 : 2;
}

static bool write_entries(Memory *memory, PackList *list, const PackDesc *desc, zipFile zip, PackReport *report,
                          Error *error) {
  for (int now = 0; now <= 2; now++) {
    for (int i = 0; i < list->entries.count; i++) {
      const PackEntry *entry = &list->entries.items[i];
      if (rank(desc, entry) == now && !write_entry(memory, list, desc, entry, zip, report, error)) return false;
    }
  }
  return true;
}

static bool check_main(const PackList *list, const char *folder, Error *error) {
  if (pack_list_find(list, "main.lua", false)) return true;
  const PackEntry *other = pack_list_find(list, "main.lua", true);
  if (other) return error_set(error, "%s: main.lua is written %s in it", folder, other->path);
  for (int i = 0; i < list->entries.count; i++) {
    const char *path = list->entries.items[i].path, *slash = strchr(path, '/');
    if (slash && strcmp(slash, "/main.lua") == 0)
      return error_set(error, "%s: main.lua is not at the root but at %s; pack that folder", folder, path);
  }
  return error_set(error, "%s: there is no main.lua in it", folder);
}

// --- What comes out ---

static bool copy_program(const char *from, const char *to, Error *error) {
  char chunk[65536];
  FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wb") : NULL;
  bool is_good = in && out;
  for (size_t size = 1; is_good && size > 0;) {
    size = fread(chunk, 1, sizeof chunk, in);
    is_good = !ferror(in) && fwrite(chunk, 1, size, out) == size;
  }
  if (in) fclose(in);
  if (out && fclose(out) != 0) is_good = false;
  if (is_good && chmod(to, 0755) != 0) is_good = false;
  return is_good || error_set(error, "%s: cannot be copied: %s", from, strerror(errno));
}

static void count_entry(PackReport *report, const ZipEntry *entry) {
  PackTotal *total = &report->totals[pack_kind_of(entry->name)];
  total->file_count++;
  total->bytes += entry->size;
  total->packed_bytes += entry->packed_size;
}

static void take_first_fault(void *user, const ZipEntry *entry, const char *what) {
  Error *error = user;
  if (!error->text[0]) error_set(error, "%s%s%s", entry ? entry->name : "", entry ? ": " : "", what);
}

// A package is read once before anyone gets it: what it holds is what the folder held, and within all limits.
static bool verify(Memory *memory, const char *beside, PackReport *report, Error *error) {
  ZipDirectory directory;
  Error fault = {0};
  bool is_good = zip_directory_read(memory, beside, FILES_MAX_ENTRIES, &directory, error) &&
                 zip_check_data(&directory, take_first_fault, &fault, error);
  for (int i = 0; is_good && i < directory.count; i++)
    count_entry(report, &directory.entries[i]);
  zip_directory_free(&directory);
  return is_good && (!fault.text[0] || error_set(error, "%s", fault.text));
}

static bool write_zip(Memory *memory, PackList *list, const PackDesc *desc, const char *beside, PackReport *report,
                      Error *error) {
  if (desc->program && !copy_program(desc->program, beside, error)) return false;
  errno = 0;
  // Behind a program the zip's offsets count from the start of the file, so that any unzip program can read it.
  zipFile zip = zipOpen(beside, desc->program ? APPEND_STATUS_CREATEAFTER : APPEND_STATUS_CREATE);
  if (!zip) return error_set(error, "%s: cannot be written: %s", desc->path, errno ? strerror(errno) : "no memory");
  bool is_good = write_entries(memory, list, desc, zip, report, error);
  if (zipClose(zip, NULL) != ZIP_OK && is_good) is_good = error_set(error, "%s: cannot be written", desc->path);
  return is_good && verify(memory, beside, report, error);
}

static bool write_package(Memory *memory, PackList *list, const PackDesc *desc, const char *beside, PackReport *report,
                          Error *error) {
  bool is_good = write_zip(memory, list, desc, beside, report, error);
  if (is_good && rename(beside, desc->path) != 0)
    is_good = error_set(error, "%s: cannot be written: %s", desc->path, strerror(errno));
  struct stat info;
  if (is_good && stat(desc->path, &info) == 0) report->packed_bytes = (size_t)info.st_size;
  if (!is_good) unlink(beside);
  return is_good;
}

bool pack_folder(Memory *memory, const PackDesc *desc, PackReport *report, Error *error) {
  char place[2000], beside[2048];
  *report = (PackReport){0};
  if (!system_output_path(desc->path, place, sizeof place, error)) return false;
  snprintf(beside, sizeof beside, "%s.part", place);
  PackDesc real = *desc;
  real.path = place;
  // The package may stand in the folder: it must not hold the one before.
  PackList list = {.memory = memory, .left_out = {place, beside}};
  bool is_good = pack_list_read(&list, desc->folder, error) && check_main(&list, desc->folder, error) &&
                 write_package(memory, &list, &real, beside, report, error);
  if (is_good) pack_references_warn(&list, report);
  pack_list_free(&list);
  return is_good;
}
