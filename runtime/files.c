// The file system of a game on PhysFS. PhysFS keeps one state for the whole process; there is one Files at a time.
#include "files.h"

#include <errno.h>
#include <physfs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "files_system.h"

struct Files {
  Memory *memory;
  char game[1024];  // real path of the folder or zip that is mounted
  char main[FILES_MAX_PATH];
  char name[1024];
  char save[1024];  // real path of the save folder, "" without identity
  bool is_packaged, is_save_mounted;
};

static const char *last_reason(void) {
  PHYSFS_ErrorCode code = PHYSFS_getLastErrorCode();
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
    error_set(error, "the file system could not start: %s", last_reason());
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
  memory_free(files->memory, files);
}

// --- Opening a game ---

static bool has_ending(const char *path, const char *ending) {
  size_t length = strlen(path), end = strlen(ending);
  return length > end && strcmp(path + length - end, ending) == 0;
}

// The last part of a path without the ending of a zip or script; "." and ".." are resolved first.
static void name_game(Files *files, const char *path) {
  char real[1024];
  if (!system_real_path(path, real, sizeof real)) snprintf(real, sizeof real, "%s", path);
  const char *slash = strrchr(real, '/');
  snprintf(files->name, sizeof files->name, "%s", slash ? slash + 1 : real);
  if (has_ending(files->name, ".zip")) files->name[strlen(files->name) - 4] = 0;
  if (has_ending(files->name, ".lua")) files->name[strlen(files->name) - 4] = 0;
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
  PHYSFS_Stat stat;
  if (PHYSFS_stat(files->main, &stat) && stat.filetype == PHYSFS_FILETYPE_REGULAR) return true;
  MainSearch search = {{0}};
  files_each(files, "", look_for_main, &search, NULL);
  if (search.found[0])
    return error_set(error, "%s: main.lua is not at the root but at %s; pack or run that folder", path, search.found);
  return error_set(error, "%s: there is no main.lua in it", path);
}

static bool mount(Files *files, const char *path, Error *error) {
  snprintf(files->game, sizeof files->game, "%s", path);
  if (PHYSFS_mount(path, "/", 0)) return true;
  return error_set(error, "%s: not a folder or a zip that can be read: %s", path, last_reason());
}

bool files_open_folder(Files *files, const char *path, Error *error) {
  name_game(files, path);
  return mount(files, path, error);
}

bool files_open_game(Files *files, const char *path, Error *error) {
  SystemKind kind = system_kind(path);
  if (kind == SYSTEM_NOTHING) return error_set(error, "%s: there is no such file or folder", path);
  name_game(files, path);
  snprintf(files->main, sizeof files->main, "main.lua");
  if (kind == SYSTEM_FOLDER) return mount(files, path, error) && check_main(files, path, error);
  if (!has_ending(path, ".lua")) {
    files->is_packaged = true;
    return system_check_zip(path, FILES_MAX_ENTRIES, error) && mount(files, path, error) &&
           check_main(files, path, error);
  }
  char folder[1024];
  const char *slash = strrchr(path, '/');
  int length = snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
  if (length == 0) snprintf(folder, sizeof folder, "/");
  snprintf(files->main, sizeof files->main, "%s", slash ? slash + 1 : path);
  return mount(files, folder, error) && check_main(files, path, error);
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

// --- The save folder ---

static void mount_save(Files *files) {
  if (files->is_save_mounted || system_kind(files->save) != SYSTEM_FOLDER) return;
  files->is_save_mounted = PHYSFS_mount(files->save, "/", 0) != 0;
}

bool files_set_identity(Files *files, const char *identity, Error *error) {
  char clean[FILES_MAX_PATH];
  if (!files_clean_path(identity, clean, NULL) || strchr(clean, '/') || !clean[0] || strcmp(clean, ".") == 0)
    return error_set(error, "identity \"%s\": the name of a folder expected", identity);
  const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
  int length;
  if (data && data[0] == '/')
    length = snprintf(files->save, sizeof files->save, "%s/palfrey/%s", data, clean);
  else
    length = snprintf(files->save, sizeof files->save, "%s/.local/share/palfrey/%s", home ? home : "/tmp", clean);
  if (length >= (int)sizeof files->save) return error_set(error, "the path of the save folder is too long");
  mount_save(files);
  return true;
}

static bool save_path(Files *files, const char *path, char *real, size_t size, Error *error) {
  char clean[FILES_MAX_PATH];
  if (!files_clean_path(path, clean, error)) return false;
  if (!clean[0]) return error_set(error, "\"%s\": the name of a file expected", path);
  if (!files->save[0]) return error_set(error, "%s: there is no save folder yet", clean);
  if (snprintf(real, size, "%s/%s", files->save, clean) >= (int)size) return error_set(error, "%s: too long", clean);
  return true;
}

bool files_write(Files *files, const char *path, Bytes bytes, Error *error) {
  char real[2048];
  if (!save_path(files, path, real, sizeof real, error)) return false;
  if (bytes.size > FILES_MAX_SIZE) return error_set(error, "%s: larger than %d MB", path, FILES_MAX_SIZE >> 20);
  if (!system_make_folders(real, strlen(files->save), error) || !system_replace_file(real, bytes, error)) return false;
  mount_save(files);
  return true;
}

bool files_remove(Files *files, const char *path, Error *error) {
  char real[2048];
  return save_path(files, path, real, sizeof real, error) && system_remove(real, error);
}

// --- Reading ---

static bool read_open(Files *files, PHYSFS_File *file, const char *path, Bytes *bytes, Error *error) {
  PHYSFS_sint64 size = PHYSFS_fileLength(file);
  if (size < 0) return error_set(error, "%s: its size is unknown", path);
  if (size > FILES_MAX_SIZE) return error_set(error, "%s: larger than %d MB", path, FILES_MAX_SIZE >> 20);
  uint8_t *data = memory_resize(files->memory, NULL, (size_t)size + 1);
  if (!data) return error_set_out_of_memory(error);
  // PhysFS reads on past what a damaged zip holds, or stops early, without an error of its own.
  PHYSFS_sint64 got = PHYSFS_readBytes(file, data, (PHYSFS_uint64)size);
  if (got != size) {
    memory_free(files->memory, data);
    return error_set(error, "%s: %lld bytes could be read, %lld were expected", path, (long long)got, (long long)size);
  }
  data[size] = 0;
  *bytes = (Bytes){data, (size_t)size};
  return true;
}

bool files_read(Files *files, const char *path, Bytes *bytes, Error *error) {
  char clean[FILES_MAX_PATH];
  *bytes = (Bytes){0};
  if (!files_clean_path(path, clean, error)) return false;
  PHYSFS_Stat stat;
  if (!PHYSFS_stat(clean, &stat)) return error_set(error, "%s: there is no such file", clean[0] ? clean : path);
  if (stat.filetype != PHYSFS_FILETYPE_REGULAR) return error_set(error, "%s: is not a file", clean);
  PHYSFS_File *file = PHYSFS_openRead(clean);
  if (!file) return error_set(error, "%s: cannot be opened: %s", clean, last_reason());
  bool is_read = read_open(files, file, clean, bytes, error);
  PHYSFS_close(file);
  return is_read;
}

bool files_get_info(Files *files, const char *path, FileInfo *info) {
  (void)files;
  char clean[FILES_MAX_PATH];
  PHYSFS_Stat stat;
  if (!files_clean_path(path, clean, NULL) || !PHYSFS_stat(clean, &stat)) return false;
  if (stat.filetype != PHYSFS_FILETYPE_REGULAR && stat.filetype != PHYSFS_FILETYPE_DIRECTORY) return false;
  *info = (FileInfo){stat.filetype == PHYSFS_FILETYPE_DIRECTORY, stat.filesize < 0 ? 0 : stat.filesize, stat.modtime};
  return true;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

bool files_each(Files *files, const char *folder, FileVisitor *visit, void *user, Error *error) {
  (void)files;
  char clean[FILES_MAX_PATH], path[FILES_MAX_PATH];
  PHYSFS_Stat stat;
  if (!files_clean_path(folder, clean, error)) return false;
  if (!PHYSFS_stat(clean, &stat) || stat.filetype != PHYSFS_FILETYPE_DIRECTORY)
    return error_set(error, "%s: there is no such folder", clean);
  char **names = PHYSFS_enumerateFiles(clean);
  if (!names) return error_set(error, "%s: cannot be listed: %s", clean, last_reason());
  size_t count = 0;
  while (names[count])
    count++;
  qsort(names, count, sizeof *names, compare_names);
  for (size_t i = 0; i < count; i++) {
    if (strcmp(names[i], ".") == 0 || strcmp(names[i], "..") == 0) continue;
    int length = snprintf(path, sizeof path, "%s%s%s", clean, clean[0] ? "/" : "", names[i]);
    if (length >= (int)sizeof path || !PHYSFS_stat(path, &stat)) continue;
    visit(user, names[i], stat.filetype == PHYSFS_FILETYPE_DIRECTORY);
  }
  PHYSFS_freeList(names);
  return true;
}

// --- Any letter case ---

typedef struct CaseSearch {
  const char *part;
  size_t length;
  char found[FILES_MAX_PATH];
} CaseSearch;

static bool equals_any_case(const char *a, const char *b, size_t length) {
  for (size_t i = 0; i < length; i++) {
    char x = a[i], y = b[i];
    if (x >= 'A' && x <= 'Z') x = (char)(x + 32);
    if (y >= 'A' && y <= 'Z') y = (char)(y + 32);
    if (x != y) return false;
  }
  return true;
}

static void look_for_part(void *user, const char *name, bool is_folder) {
  (void)is_folder;
  CaseSearch *search = user;
  bool is_match = strlen(name) == search->length && equals_any_case(name, search->part, search->length);
  if (is_match && !search->found[0]) snprintf(search->found, sizeof search->found, "%s", name);
}

bool files_find_any_case(Files *files, const char *path, char found[FILES_MAX_PATH]) {
  char clean[FILES_MAX_PATH];
  if (!files_clean_path(path, clean, NULL)) return false;
  found[0] = 0;
  if (PHYSFS_exists(clean)) {
    memcpy(found, clean, sizeof clean);
    return true;
  }
  for (const char *part = clean; *part;) {
    size_t length = strcspn(part, "/");
    CaseSearch search = {part, length, {0}};
    if (!files_each(files, found, look_for_part, &search, NULL) || !search.found[0]) return false;
    size_t used = strlen(found);
    if (used + length + 2 > FILES_MAX_PATH) return false;
    snprintf(found + used, FILES_MAX_PATH - used, "%s%s", used ? "/" : "", search.found);
    part += length;
    if (*part == '/') part++;
  }
  return found[0] != 0;
}

bool files_real_path(Files *files, const char *path, bool in_save_folder, char *real, size_t size) {
  char clean[FILES_MAX_PATH];
  const char *root = in_save_folder ? files->save : files->game;
  if (files->is_packaged && !in_save_folder) return false;
  return root[0] && files_clean_path(path, clean, NULL) && snprintf(real, size, "%s/%s", root, clean) < (int)size;
}
