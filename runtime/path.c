#include "path.h"

#include <string.h>
#include <strings.h>

const char *path_extension(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  return dot && dot != name ? dot + 1 : "";
}

bool path_has_extension(const char *path, const char *const *extensions) {
  const char *extension = path_extension(path);
  for (; *extensions; extensions++) {
    if (strcasecmp(extension, *extensions) == 0) return true;
  }
  return false;
}
