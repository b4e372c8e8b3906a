#include <string.h>

#include "files.h"

static bool is_bad_character(unsigned char c) {
  return c < 0x20 || c == 0x7f || c == ':';
}

bool files_clean_path(const char *path, char clean[FILES_MAX_PATH], Error *error) {
  size_t length = 0;
  clean[0] = 0;
  if (path[0] == '/' || path[0] == '\\') return error_set(error, "%s: paths are relative to the game's root", path);
  for (const char *at = path; *at;) {
    size_t part = strcspn(at, "/\\");
    if (part == 2 && at[0] == '.' && at[1] == '.')
      return error_set(error, "%s: a path cannot lead out of the game (\"..\")", path);
    for (size_t i = 0; i < part; i++) {
      if (is_bad_character((unsigned char)at[i]))
        return error_set(error, "%s: a path has no control characters and no \":\"", path);
    }
    bool is_dot = part == 1 && at[0] == '.';
    if (part > 0 && !is_dot) {
      if (length + part + 2 > FILES_MAX_PATH)
        return error_set(error, "a path has at most %d bytes", FILES_MAX_PATH - 1);
      if (length > 0) clean[length++] = '/';
      memcpy(clean + length, at, part);
      length += part;
      clean[length] = 0;
    }
    at += part;
    if (*at) at++;
  }
  return true;
}
