#ifndef TESTS_TEMP_FOLDER_H
#define TESTS_TEMP_FOLDER_H
// A folder for one test, gone afterwards: cmocka's set-up and tear-down. Paths are relative to it.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEMP_PATH = 512 };

typedef struct TempFolder {
  char path[TEMP_PATH];
} TempFolder;

/// Also makes its folder "home" the user's, so that saves stay inside.
int temp_folder_make(void **state);
int temp_folder_remove(void **state);

/// Sets XDG_DATA_HOME.
void temp_set_user_data(const TempFolder *folder, const char *path);

/// The real path of a file; the text lives until the next call but three.
const char *temp_path(const TempFolder *folder, const char *path);

/// Makes the folders on the way.
void temp_write(const TempFolder *folder, const char *path, const void *data, size_t size);
void temp_write_text(const TempFolder *folder, const char *path, const char *text);
void temp_make_folder(const TempFolder *folder, const char *path);
void temp_link(const TempFolder *folder, const char *path, const char *target);

/// Whether the file holds exactly this text.
bool temp_has_text(const TempFolder *folder, const char *path, const char *text);

#endif
