#ifndef PALFREY_LOADERS_COMPANION_H
#define PALFREY_LOADERS_COMPANION_H
// Names of companion files as models write them: with backslashes, from the author's own disk, or climbing out of the
// folder. Only clean relative paths leave a loader.
#include <stdbool.h>
#include <stddef.h>

enum { COMPANION_MAX_PATH = 256 };

/// Makes a path below the model's folder of a name: "/" between the parts, neither "." nor "..". An absolute path, one
/// that climbs out of the folder or one that is too long is cut down to its last part, and the result is then false.
/// `path` is empty when nothing is left.
bool companion_clean_path(const char *name, size_t length, char path[COMPANION_MAX_PATH]);

/// The same for a name in a companion, which is meant to lie beside that one: `from` is its path below the model's folder.
bool companion_clean_path_from(const char *from, const char *name, size_t length, char path[COMPANION_MAX_PATH]);

#endif
