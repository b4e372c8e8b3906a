// The file system of a game on PhysFS. PhysFS keeps one state for the whole process; there is one Files at a time.
#include <physfs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cp437.h"
#include "files_parts.h"
#include "files_system.h"
#include "files_zip.h"
#include "utf8.h"

const char *files_last_reason(void) {
  PHYSFS_ErrorCode code = PHYSFS_getLastErrorCode();
  if (code == PHYSFS_ERR_SYMLINK_FORBIDDEN) return "links are not followed";
  return code == PHYSFS_ERR_OK ? "unknown reason" : PHYSFS_getErrorByCode(code);
}

Files *files_create(Memory *memory, const char *program, Error *error) {
  Files *files = memory_alloc(memory, sizeof *files);
  if (!files) {
    error_set_out_of_memory(error);
    return NULL;
  }
  files->memory = memory;
  if (!PHYSFS_init(program)) {
    error_set(error, "the file system could not start: %s", files_last_reason());
    memory_free(memory, files);
    return NULL;
  }
  // Folders and zips only: each further kind of archive would be one more reader of hostile bytes.
  static const char *const UNUSED[] = {"7Z",  "GRP",     "WAD", "HOG", "MVL", "QPAK",
                                       "SLB", "ISO9660", "ISO", "VDF", "PAK", "CSM"};
  for (size_t i = 0; i < sizeof UNUSED / sizeof *UNUSED; i++)
    PHYSFS_deregisterArchiver(UNUSED[i]);
  PHYSFS_permitSymbolicLinks(0);
  return files;
}

void files_free(Files *files) {
  if (!files) return;
  PHYSFS_deinit();
  zip_directory_free(&files->zip);
  memory_free(files->memory, files);
}

// --- Opening a game ---

static bool has_ending(const char *path, const char *ending) {
  size_t length = strlen(path), end = strlen(ending);
  return length > end && strcmp(path + length - end, ending) == 0;
}

// Cuts an ending off, whatever its letter case.
static bool cut_ending(char *name, const char *ending) {
  size_t length = strlen(name), end = strlen(ending);
  if (length <= end || strcasecmp(name + length - end, ending) != 0) return false;
  name[length - end] = 0;
  return true;
}

// The last part of a path without the ending of a zip or script; "." and ".." are resolved first. It has to serve as
// an identity, so what cannot stand in one becomes "_".
static void name_game(Files *files, const char *path) {
  char real[MAX_REAL_PATH], clean[FILES_MAX_PATH];
  if (!system_real_path(path, real, sizeof real)) snprintf(real, sizeof real, "%s", path);
  const char *slash = strrchr(real, '/');
  snprintf(files->name, sizeof files->name, "%s", slash ? slash + 1 : real);
  if (!cut_ending(files->name, ".zip")) cut_ending(files->name, ".lua");
  bool is_utf8 = utf8_is_valid(files->name);
  for (char *c = files->name; *c; c++) {
    char text[2] = {*c, 0};
    bool is_ascii = (unsigned char)*c < 0x80;
    if (*c == '\\' || (is_ascii ? !files_clean_path(text, clean, NULL) : !is_utf8)) *c = '_';
  }
  if (!files->name[0]) snprintf(files->name, sizeof files->name, "game");
}

typedef struct MainSearch {
  char found[FILES_MAX_PATH];
} MainSearch;

static void look_for_main(void *user, const char *name, bool is_folder) {
  MainSearch *search = user;
  char path[FILES_MAX_PATH];
  int length = snprintf(path, sizeof path, "%s/main.lua", name);
  if (is_folder && !search->found[0] && length < (int)sizeof path && PHYSFS_exists(path))
    memcpy(search->found, path, sizeof path);
}

static bool check_main(Files *files, const char *path, Error *error) {
  FileInfo info = {0};
  if (files_get_info(files, files->main, &info) && !info.is_folder) return true;
  MainSearch search = {{0}};
  files_each(files, "", look_for_main, &search, NULL);
  if (search.found[0])
    return error_set(error, "%s: main.lua is not at the root but at %s; pack or run that folder", path, search.found);
  return error_set(error, "%s: there is no main.lua in it", path);
}

static bool mount(Files *files, const char *path, Error *error) {
  if (snprintf(files->game, sizeof files->game, "%s", path) >= (int)sizeof files->game)
    return error_set(error, "%s: the path is too long", path);
  if (PHYSFS_mount(path, "/", 0)) return true;
  return error_set(error, "%s: not a folder or a zip that can be read: %s", path, files_last_reason());
}

static bool mount_script(Files *files, const char *path, Error *error) {
  char folder[MAX_REAL_PATH];
  const char *slash = strrchr(path, '/');
  int length = snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
  if (length >= (int)sizeof folder) return error_set(error, "%s: the path is too long", path);
  if (length == 0) snprintf(folder, sizeof folder, "/");
  return files_clean_path(slash ? slash + 1 : path, files->main, error) && mount(files, folder, error);
}

bool files_open_folder(Files *files, const char *path, Error *error) {
  name_game(files, path);
  return system_kind(path) == SYSTEM_FILE ? files_mount_zip(files, path, error) : mount(files, path, error);
}

bool files_open_game(Files *files, const char *path, Error *error) {
  SystemKind kind = system_kind(path);
  if (kind == SYSTEM_NOTHING) return error_set(error, "%s: there is no such file or folder", path);
  name_game(files, path);
  snprintf(files->main, sizeof files->main, "main.lua");
  if (kind == SYSTEM_FOLDER) return mount(files, path, error) && check_main(files, path, error);
  bool is_mounted = has_ending(path, ".lua") ? mount_script(files, path, error) : files_mount_zip(files, path, error);
  return is_mounted && check_main(files, path, error);
}

const char *files_main(const Files *files) {
  return files->main;
}

bool files_is_packaged(const Files *files) {
  return files->is_packaged;
}

const char *files_game_name(const Files *files) {
  return files->name;
}

// --- Reading ---

static bool look_up(const char *located, FileInfo *info) {
  PHYSFS_Stat stat;
  if (!PHYSFS_stat(located, &stat)) return false;
  bool is_folder = stat.filetype == PHYSFS_FILETYPE_DIRECTORY;
  *info = (FileInfo){is_folder, is_folder || stat.filesize < 0 ? 0 : stat.filesize, stat.modtime};
  return is_folder || stat.filetype == PHYSFS_FILETYPE_REGULAR;
}

bool files_locate(const Files *files, const char *path, char located[FILES_MAX_PATH], FileInfo *info, Error *error) {
  char clean[FILES_MAX_PATH];
  if (!files_clean_path(path, clean, error)) return false;
  memcpy(located, clean, sizeof clean);
  if (look_up(located, info)) return true;
  bool is_link = PHYSFS_getLastErrorCode() == PHYSFS_ERR_SYMLINK_FORBIDDEN;
  if (files->is_packaged && cp437_from_utf8(clean, located, FILES_MAX_PATH) && look_up(located, info)) return true;
  if (is_link) return error_set(error, "%s: is a link, or lies behind one; links are not followed", clean);
  return error_set(error, "%s: there is no such file", clean);
}

static bool read_open(Files *files, PHYSFS_File *file, const char *path, Bytes *bytes, Error *error) {
  PHYSFS_sint64 size = PHYSFS_fileLength(file);
  if (size < 0) return error_set(error, "%s: its size is unknown", path);
  if (size > FILES_MAX_SIZE) return error_set(error, "%s: larger than %d MB", path, FILES_MAX_SIZE >> 20);
  uint8_t *data = memory_resize(files->memory, NULL, (size_t)size + 1);
  if (!data) return error_set_out_of_memory(error);
  PHYSFS_sint64 got = PHYSFS_readBytes(file, data, (PHYSFS_uint64)size);
  if (got != size) {
    memory_free(files->memory, data);
    return error_set(error, "%s: damaged: %lld of its %lld bytes can be read", path, (long long)(got < 0 ? 0 : got),
                     (long long)size);
  }
  data[size] = 0;
  *bytes = (Bytes){data, (size_t)size};
  return true;
}

// Names written on a system where letter case does not count are the usual reason why a file is not found.
static bool say_missing(Files *files, const char *path, Error *error) {
  char found[FILES_MAX_PATH];
  if (error && files_find_any_case(files, path, found))
    error_set(error, "%s: there is no such file, only %s in other letter case", path, found);
  return false;
}

bool files_read(Files *files, const char *path, Bytes *bytes, Error *error) {
  char clean[FILES_MAX_PATH], located[FILES_MAX_PATH];
  FileInfo info = {0};
  *bytes = (Bytes){0};
  if (!files_locate(files, path, located, &info, error)) return say_missing(files, path, error);
  if (info.is_folder) return error_set(error, "%s: is a folder, not a file", located[0] ? path : "\"\"");
  files_clean_path(path, clean, NULL);
  const ZipEntry *entry = files_zip_entry(files, clean, located);
  if (entry) return files_read_zip(files, entry, bytes, error);
  PHYSFS_File *file = PHYSFS_openRead(located);
  if (!file) return error_set(error, "%s: cannot be opened: %s", path, files_last_reason());
  bool is_read = read_open(files, file, path, bytes, error);
  PHYSFS_close(file);
  return is_read;
}

bool files_get_info(Files *files, const char *path, FileInfo *info) {
  char located[FILES_MAX_PATH];
  return files_locate(files, path, located, info, NULL);
}

bool files_real_path(Files *files, const char *path, bool in_save_folder, char *real, size_t size) {
  char clean[FILES_MAX_PATH];
  const char *root = in_save_folder ? files->save : files->game;
  if (files->is_packaged && !in_save_folder) return false;
  return root[0] && files_clean_path(path, clean, NULL) && snprintf(real, size, "%s/%s", root, clean) < (int)size;
}
