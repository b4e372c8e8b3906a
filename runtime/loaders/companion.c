#include "loaders/companion.h"

#include <string.h>

static bool is_separator(char c) {
  return c == '/' || c == '\\';
}

static bool is_absolute(const char *name, size_t length) {
  return (length > 0 && is_separator(name[0])) || (length > 1 && name[1] == ':');
}

// Appends a part; false when there is no room for it.
static bool append_part(char path[COMPANION_MAX_PATH], const char *part, size_t length) {
  size_t end = strlen(path), separator = end > 0;
  if (end + separator + length + 1 > COMPANION_MAX_PATH) return false;
  if (separator) path[end++] = '/';
  memcpy(path + end, part, length);
  path[end + length] = 0;
  return true;
}

static bool remove_part(char path[COMPANION_MAX_PATH]) {
  if (!path[0]) return false;
  char *slash = strrchr(path, '/');
  *(slash ? slash : path) = 0;
  return true;
}

static bool is_dots(const char *part, size_t length, size_t count) {
  return length == count && part[0] == '.' && part[length - 1] == '.';
}

static bool clean(const char *from, const char *name, size_t length, char path[COMPANION_MAX_PATH]) {
  const char *slash = strrchr(from, '/');
  path[0] = 0;
  if (is_absolute(name, length) || (slash && !append_part(path, from, (size_t)(slash - from)))) return false;
  for (size_t start = 0, end; start < length; start = end + 1) {
    for (end = start; end < length && !is_separator(name[end]);)
      end++;
    size_t part_length = end - start;
    if (part_length == 0 || is_dots(name + start, part_length, 1)) continue;
    bool fits =
        is_dots(name + start, part_length, 2) ? remove_part(path) : append_part(path, name + start, part_length);
    if (!fits) return false;
  }
  return true;
}

bool companion_clean_path_from(const char *from, const char *name, size_t length, char path[COMPANION_MAX_PATH]) {
  const char *end = memchr(name, 0, length);
  if (end) length = (size_t)(end - name);
  if (clean(from, name, length, path)) return true;
  size_t start = length;
  while (start > 0 && !is_separator(name[start - 1]) && name[start - 1] != ':')
    start--;
  if (!clean(from, name + start, length - start, path)) path[0] = 0;
  return false;
}

bool companion_clean_path(const char *name, size_t length, char path[COMPANION_MAX_PATH]) {
  return companion_clean_path_from("", name, length, path);
}
