#include "engine/skin_path.h"

#include <stdio.h>
#include <string.h>

static const char *const ENDINGS[] = {"png", "tga", "jpg", "jpeg", "bmp", "pcx", "gif"};

static int folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (int)(slash - path) + 1 : 0;
}

static bool format_path(char out[FILES_MAX_PATH], int folder, const char *model_path, int stem, const char *name,
                        const char *ending) {
  int length = snprintf(out, FILES_MAX_PATH, "%.*s%.*s%s%s", folder, model_path, stem, name, ending ? "." : "",
                        ending ? ending : "");
  return length >= 0 && length < FILES_MAX_PATH;
}

bool skin_path_join(const char *model_path, const char *path, char joined[FILES_MAX_PATH]) {
  return format_path(joined, folder_length(model_path), model_path, (int)strlen(path), path, NULL);
}

static int stem_length(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot && dot != name ? (int)(dot - name) : (int)strlen(name);
}

static bool exists_any_case(Files *files, const char *path, char found[FILES_MAX_PATH]) {
  char clean[FILES_MAX_PATH];
  FileInfo info;
  return files_clean_path(path, clean, NULL) && files_find_any_case(files, clean, found) &&
         files_get_info(files, found, &info) && !info.is_folder;
}

static bool find_with_endings(Files *files, const char *model_path, int stem, const char *name,
                              char found[FILES_MAX_PATH]) {
  char path[FILES_MAX_PATH];
  for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; i++) {
    if (format_path(path, folder_length(model_path), model_path, stem, name, ENDINGS[i]) &&
        exists_any_case(files, path, found))
      return true;
  }
  return false;
}

bool skin_path_find(Files *files, const char *model_path, const char *name, char found[FILES_MAX_PATH]) {
  char slashed[FILES_MAX_PATH], path[FILES_MAX_PATH];
  if (name && name[0] && snprintf(slashed, sizeof slashed, "%s", name) < (int)sizeof slashed) {
    for (char *c = slashed; *c; c++) {
      if (*c == '\\') *c = '/';
    }
    // Folders in front may be those of another disk.
    for (const char *rest = slashed; rest; rest = strchr(rest, '/') ? strchr(rest, '/') + 1 : NULL) {
      if (skin_path_join(model_path, rest, path) && exists_any_case(files, path, found)) return true;
    }
    const char *base = slashed + folder_length(slashed);
    // ".name" means "beside the model, ending unknown" (UFO:AI).
    if (base[0] == '.') base++;
    if (skin_path_join(model_path, base, path) && exists_any_case(files, path, found)) return true;
    if (find_with_endings(files, model_path, stem_length(base), base, found)) return true;
  }
  return false;
}

bool skin_path_find_own(Files *files, const char *model_path, char found[FILES_MAX_PATH]) {
  const char *own = model_path + folder_length(model_path);
  return find_with_endings(files, model_path, stem_length(own), own, found);
}
