#ifndef PALFREY_TOOLS_H
#define PALFREY_TOOLS_H
// The verbs of the command line that run no game. Each returns the exit status.
#include "options.h"

/// palfrey new: the start of a game.
int tools_new(const Options *options);

/// palfrey pack: one zip, or with --fuse one program.
int tools_pack(const Options *options, const char *program);

/// palfrey verify: every fault of a package.
int tools_verify(const Options *options);

/// palfrey info: what a file holds. `program` is argv[0].
int tools_info(const Options *options, const char *program);

/// palfrey convert: models to MBJ, images to PNG.
int tools_convert(const Options *options, const char *program);

#endif
