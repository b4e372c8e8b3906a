#ifndef PALFREY_PATH_H
#define PALFREY_PATH_H
// The extensions of paths, by which formats are told apart.
#include <stdbool.h>

/// What follows the last dot in a path's last part, within `path`; "" when there is none. The dot that a hidden file's
/// name begins with starts no extension.
const char *path_extension(const char *path);

/// Whether the extension is one of a list that ends with NULL, whatever its letter case.
bool path_has_extension(const char *path, const char *const *extensions);

#endif
