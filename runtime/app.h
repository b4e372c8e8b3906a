#ifndef PALFREY_APP_H
#define PALFREY_APP_H
// The whole runtime for one game: makes the parts, runs the frames, takes them down again.
#include "options.h"

enum { EXIT_DONE = 0, EXIT_GAME_ERROR = 1, EXIT_USAGE = 2, EXIT_NO_GRAPHICS = 3 };

/// Runs a game, or the specs of one, as the options say; returns the exit status.
int app_run(const Options *options, const char *program);

#endif
