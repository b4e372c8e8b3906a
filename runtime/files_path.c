#include <string.h>

#include "files.h"
#include "utf8.h"

// ":" would be a drive letter, or a stream of a file, on Windows.
static bool has_bad_character(const char *part, size_t length) {
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)part[i];
    if (c < 0x20 || c == 0x7f || c == ':') return true;
  }
  return false;
}

static bool is_dots(const char *part, size_t length, size_t count) {
  return length == count && strspn(part, ".") == length;
}

bool files_clean_path(const char *path, char clean[FILES_MAX_PATH], Error *error) {
  size_t length = 0;
  clean[0] = 0;
  if (path[0] == '/' || path[0] == '\\') return error_set(error, "%s: paths are relative to the game's root", path);
  if (!utf8_is_valid(path)) return error_set(error, "a path is not UTF-8");
  for (const char *at = path; *at;) {
    size_t part = strcspn(at, "/\\");
    if (is_dots(at, part, 2)) return error_set(error, "%s: a path cannot lead out of the game (\"..\")", path);
    if (has_bad_character(at, part)) return error_set(error, "%s: a path has no control characters and no \":\"", path);
    if (part > 0 && !is_dots(at, part, 1)) {
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
