#ifndef PALFREY_OPTIONS_H
#define PALFREY_OPTIONS_H
// The command line. Options stand before the game; what follows the game is the game's own. "--" ends the options. A
// program that carries its game leaves all arguments to it; options come from the variable PALFREY_OPTIONS then.
#include "error.h"
#include "memory.h"

typedef enum Verb {
  VERB_RUN = 0,
  VERB_HELP,
  VERB_VERSION,
  VERB_NEW,
  VERB_PACK,
  VERB_VERIFY,
  VERB_TEST,
  VERB_INFO,
  VERB_VIEW,
  VERB_CONVERT,
} Verb;

enum { OPTIONS_MAX_SCREENSHOTS = 16 };

typedef struct ScreenshotRequest {
  char path[512];
  int64_t step;  ///< counted from 1; 0 is the last
} ScreenshotRequest;

typedef struct Options {
  Verb verb;
  const char *target;            ///< game, folder or file
  const char *const *arguments;  ///< of the game, or of busted
  int argument_count;
  bool is_headless, has_json, has_null_gpu, has_no_watch;
  int64_t frames;     ///< -1 unless given
  int width, height;  ///< 0 unless given
  bool has_seed;
  uint64_t seed;
  const char *record, *replay;
  ScreenshotRequest screenshots[OPTIONS_MAX_SCREENSHOTS];
  int screenshot_count;
  // Verbs.
  const char *output;              ///< pack -o, test --output, what convert writes
  bool has_fuse;                   ///< pack --fuse
  const char *filter;              ///< test --filter
  const char *skin, *clip, *mode;  ///< view
  double time;                     ///< info, view --time; NAN unless given
  int frame;                       ///< info --frame; -1 unless given
  bool has_linear_keys;            ///< info --linear-keys
  bool has_bake;                   ///< pack --bake
  bool has_stats;                  ///< --stats: frame times after the run, on stderr
} Options;

/// Reads the command line. An unknown option is an error that names the nearest known one.
bool options_parse(int argc, char **argv, Options *options, Error *error);

enum { OPTIONS_MAX_WORDS = 64 };

/// Words taken out of a text, which the options point into.
typedef struct OptionWords {
  char text[4096];
  char *words[OPTIONS_MAX_WORDS];
  int count;
} OptionWords;

/// For a program that carries its game in its own file: all arguments are the game's. `given` is the text of
/// PALFREY_OPTIONS or NULL: options of a run, with blanks between.
bool options_parse_fused(int argc, char **argv, const char *game, const char *given, OptionWords *words,
                         Options *options, Error *error);

/// The text of --help.
const char *options_help(void);

#endif
