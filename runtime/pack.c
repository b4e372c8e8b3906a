#define _XOPEN_SOURCE 700
#include "pack.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>
#include <zlib.h>

#include "files.h"
#include "pack_list.h"

// Bit 11 of the general purpose flags: names are UTF-8 (PKWARE's APPNOTE, 4.4.4).
enum { ZIP_UTF8 = 1 << 11, MADE_BY_UNIX = 3 << 8 };

// Models are read whole and often, media are compressed already: both are stored. Text is deflated.
static const char *const STORED[] = {"md2", "mbj", "3ds", "m3g", "glb", "png", "jpg", "jpeg", "gif", "ogg"};
static const char *const ASSETS[] = {"md2", "obj",  "mtl", "mbj", "3ds", "m3g", "gltf", "glb", "png",
                                     "jpg", "jpeg", "gif", "bmp", "tga", "pcx", "ogg",  "wav", "ttf"};

static bool has_ending_of(const char *path, const char *const *endings, size_t count) {
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < count; i++) {
    if (strcasecmp(dot + 1, endings[i]) == 0) return true;
  }
  return false;
}

static void warn(PackReport *report, const char *format, ...) PRINTF_LIKE(2, 3);

static void warn(PackReport *report, const char *format, ...) {
  if (report->warning_count == PACK_MAX_WARNINGS) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(report->warnings[report->warning_count++], sizeof report->warnings[0], format, arguments);
  va_end(arguments);
}

// Tells of a literal path in a script that no file of the package has.
static void check_literal(const PackList *list, const char *script, int line, const char *literal, PackReport *report) {
  if (!has_ending_of(literal, ASSETS, sizeof ASSETS / sizeof *ASSETS) || pack_list_find(list, literal, false)) return;
  const PackEntry *near_match = pack_list_find(list, literal, true);
  if (near_match)
    warn(report, "%s:%d: \"%s\" is written \"%s\" in the folder", script, line, literal, near_match->path);
  else
    warn(report, "%s:%d: there is no file \"%s\"", script, line, literal);
}

// Looks at every short string in quotes that stands on one line.
static void check_script(const PackList *list, const char *script, const Bytes *text, PackReport *report) {
  int line = 1;
  for (size_t at = 0; at < text->size; at++) {
    char quote = (char)text->data[at];
    if (quote == '\n') line++;
    if (quote != '"' && quote != '\'') continue;
    char literal[FILES_MAX_PATH];
    size_t length = 0, end = at + 1;
    while (end < text->size && text->data[end] != quote && text->data[end] != '\n' && length < sizeof literal - 1)
      literal[length++] = (char)text->data[end++];
    literal[length] = 0;
    if (end < text->size && text->data[end] == quote) {
      check_literal(list, script, line, literal, report);
      at = end;
    }
  }
}

static bool read_whole(Memory *memory, const char *folder, const PackEntry *entry, Bytes *bytes, Error *error) {
  char real[2048];
  snprintf(real, sizeof real, "%s/%s", folder, entry->path);
  FILE *file = fopen(real, "rb");
  if (!file) return error_set(error, "%s: cannot be read: %s", entry->path, strerror(errno));
  bytes->size = (size_t)entry->size;
  bytes->data = memory_resize(memory, NULL, bytes->size + 1);
  bool is_good = bytes->data && fread(bytes->data, 1, bytes->size + 1, file) == bytes->size && !ferror(file);
  fclose(file);
  if (is_good) return true;
  memory_free(memory, bytes->data);
  return error_set(error, "%s: changed while it was read", entry->path);
}

static bool add_entry(zipFile zip, const PackEntry *entry, Bytes bytes) {
  bool is_stored = has_ending_of(entry->path, STORED, sizeof STORED / sizeof *STORED);
  zip_fileinfo info = {.tmz_date = {.tm_mday = 1, .tm_year = 1980}, .external_fa = (uLong)0100644 << 16};
  bool is_good =
      zipOpenNewFileInZip4(zip, entry->path, &info, NULL, 0, NULL, 0, NULL, is_stored ? 0 : Z_DEFLATED, 9, 0,
                           -MAX_WBITS, DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, NULL, 0, MADE_BY_UNIX, ZIP_UTF8) == ZIP_OK;
  is_good = is_good && zipWriteInFileInZip(zip, bytes.data, (unsigned)bytes.size) == ZIP_OK;
  return is_good && zipCloseFileInZip(zip) == ZIP_OK;
}

static bool write_entries(Memory *memory, const PackList *list, const char *folder, zipFile zip, PackReport *report,
                          Error *error) {
  for (int i = 0; i < list->entries.count; i++) {
    const PackEntry *entry = &list->entries.items[i];
    Bytes bytes = {0};
    if (!read_whole(memory, folder, entry, &bytes, error)) return false;
    const char *dot = strrchr(entry->path, '.');
    if (dot && strcmp(dot, ".lua") == 0) check_script(list, entry->path, &bytes, report);
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
                      PackReport *report, Error *error) {
  char beside[2048];
  if (snprintf(beside, sizeof beside, "%s.part", zip_path) >= (int)sizeof beside)
    return error_set(error, "%s: the path is too long", zip_path);
  zipFile zip = zipOpen(beside, APPEND_STATUS_CREATE);
  if (!zip) return error_set(error, "%s: cannot be written: %s", zip_path, strerror(errno));
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
  PackList list = {.memory = memory};
  *report = (PackReport){0};
  bool is_good = pack_list_read(&list, folder, error) && check_main(&list, folder, error) &&
                 write_zip(memory, &list, folder, zip_path, report, error);
  pack_list_free(&list);
  return is_good;
}
