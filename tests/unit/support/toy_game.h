#ifndef TESTS_TOY_GAME_H
#define TESTS_TOY_GAME_H
// A game in a folder for a while, with the cache of its files on the null GPU, and small files to put into it.
#include "engine/assets.h"
#include "stage.h"
#include "temp_folder.h"

typedef struct ToyGame {
  TempFolder *folder;
  Stage stage;
  Files *files;
  Assets *assets;
  Error error;
} ToyGame;

/// cmocka's set-up and tear-down; the latter fails the test when memory is left.
int toy_game_open(void **state);
int toy_game_close(void **state);

void toy_write(const ToyGame *game, const char *path, const char *text);
void toy_remove(const ToyGame *game, const char *path);

/// A picture of one colour.
void toy_write_png(ToyGame *game, const char *path, int width, int height, const uint8_t rgba[4]);

/// A character of frames with these names, separated by blanks: a slab, `height` high in the first frame and one higher in
/// each further one. It names no skin.
void toy_write_md2(const ToyGame *game, const char *path, const char *frames, float height);

/// Reads a changed file again, which must go well; returns how many assets changed.
int toy_reload(ToyGame *game, const char *path);

/// The same for one that must fail, with a message that says `part`.
void toy_refuse(ToyGame *game, const char *path, const char *part);

#endif
