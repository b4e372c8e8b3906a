// The save folder of a game: written without PhysFS, read through it.
#include <physfs.h>
#include <stdio.h>
#include <string.h>

#include "files_parts.h"
#include "files_system.h"

static void mount_save(Files *files) {
  if (files->is_save_mounted || !system_has_folder(files->data, files->save_below)) return;
  files->is_save_mounted = PHYSFS_mount(files->save, "/", 0) != 0;
}

bool files_set_identity(Files *files, const char *identity, Error *error) {
  char clean[FILES_MAX_PATH];
  if (!files_clean_path(identity, clean, NULL) || strchr(clean, '/') || !clean[0] || strlen(clean) > 255)
    return error_set(error, "identity \"%s\": the name of a folder expected", identity);
  if (files->is_save_mounted) PHYSFS_unmount(files->save);
  files->is_save_mounted = false;
  files->save[0] = 0;
  if (!system_data_folder(files->data, sizeof files->data))
    return error_set(error, "the path of the user's data is unknown or too long for a save folder");
  snprintf(files->save_below, sizeof files->save_below, "palfrey/%s", clean);
  snprintf(files->save, sizeof files->save, "%s/%s", files->data, files->save_below);
  mount_save(files);
  return true;
}

// The path of a file below the folder for data.
static bool save_path(const Files *files, const char *path, char *below, size_t size, Error *error) {
  char clean[FILES_MAX_PATH];
  if (!files_clean_path(path, clean, error)) return false;
  if (!clean[0]) return error_set(error, "\"%s\": the name of a file expected", path);
  if (!files->save[0]) return error_set(error, "%s: there is no save folder yet", clean);
  if (snprintf(below, size, "%s/%s", files->save_below, clean) >= (int)size)
    return error_set(error, "%s: the path is too long", clean);
  return true;
}

bool files_write(Files *files, const char *path, Bytes bytes, Error *error) {
  char below[MAX_REAL_PATH];
  if (!save_path(files, path, below, sizeof below, error)) return false;
  if (bytes.size > FILES_MAX_SIZE) return error_set(error, "%s: larger than %d MB", path, FILES_MAX_SIZE >> 20);
  if (!system_replace_file(files->data, below, bytes, error)) return false;
  mount_save(files);
  return true;
}

bool files_remove(Files *files, const char *path, Error *error) {
  char below[MAX_REAL_PATH];
  return save_path(files, path, below, sizeof below, error) && system_remove(files->data, below, error);
}

bool files_write_source(Files *files, const char *path, Bytes bytes, Error *error) {
  char clean[FILES_MAX_PATH];
  if (files->is_packaged) return error_set(error, "%s: a package does not change", path);
  return files_clean_path(path, clean, error) && system_replace_file(files->game, clean, bytes, error);
}
