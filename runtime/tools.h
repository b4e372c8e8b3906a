#ifndef PALFREY_TOOLS_H
#define PALFREY_TOOLS_H
// The verbs of the command line that run no game.
#include "options.h"

/// palfrey pack: returns the exit status.
int tools_pack(const Options *options);

/// palfrey info: returns the exit status.
int tools_info(const Options *options, const char *program);

#endif
