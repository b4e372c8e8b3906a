#ifndef PALFREY_ENGINE_SKIN_PATH_H
#define PALFREY_ENGINE_SKIN_PATH_H
// Where the images named inside a model are. Models carry the paths of the machine they were made on, so the name is
// looked for as written below the model's folder, then without the folders in front of it one by one, then with other
// endings beside the model; always in any letter case, never above the game's root.
#include "files.h"

/// `path` relative to the folder of `model_path`; false when the result is too long.
bool skin_path_join(const char *model_path, const char *path, char joined[FILES_MAX_PATH]);

/// Finds the image; `name` may be NULL or empty.
bool skin_path_find(Files *files, const char *model_path, const char *name, char found[FILES_MAX_PATH]);

/// Finds the image that is named like the model itself.
bool skin_path_find_own(Files *files, const char *model_path, char found[FILES_MAX_PATH]);

#endif
