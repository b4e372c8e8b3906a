#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"

static const char HELP[] =
    "Palfrey runs 3D games written in Lua.\n"
    "\n"
    "palfrey [options] GAME [args...]  run a game: a folder, a zip or a single .lua file; options stand before it,\n"
    "                                  what follows it goes to palfrey.load\n"
    "  --size WxH                      size of the picture in pixels\n"
    "  --seed N                        seed of math.random (headless 0, else from the clock)\n"
    "  --record FILE                   write what the player does into a recording\n"
    "  --replay FILE                   play a recording; with --record, make it anew for this version\n"
    "  --watch, --no-watch             reload files that change while the game runs, or not\n"
    "  --stats                         tell frame times and memory at the end, on standard error\n"
    "  Without a display:\n"
    "  --headless                      offscreen, silent, in fixed steps, as fast as it can\n"
    "  --frames N                      stop after N steps\n"
    "  --screenshot FILE[@N]           write the picture of step N (without N: the last) as PNG; may be repeated\n"
    "  --null-gpu                      draw nothing at all\n"
    "  --json                          print one JSON object about the run on standard output, and nothing else\n"
    "\n"
    "palfrey new DIR                   a small working game to start from\n"
    "palfrey pack DIR [-o ZIP]         check a game and pack it into one zip\n"
    "  --bake                          models as .mbj, under their own names\n"
    "  --fuse                          into one program, which is this runtime and the game; its arguments are the\n"
    "                                  game's, options of the runtime come from PALFREY_OPTIONS=\"--size 640x480\"\n"
    "palfrey verify ZIP [--json]       look for every fault of a package\n"
    "palfrey test [DIR]                run the specs in DIR/spec with busted, inside the runtime\n"
    "  --output HANDLER, --filter PATTERN, as busted has them\n"
    "palfrey info FILE                 what a model, an image or a package holds\n"
    "  --json, --time S, --frame N     as JSON; nodes at a time, bounds of a frame; --clip NAME tells of which clip\n"
    "  --linear-keys                   straight lines between the keys of 3DS files in place of their splines\n"
    "palfrey convert IN OUT            a model of any kind to .mbj, which loads at once; an image to .png\n"
    "palfrey view MODEL                look at a model\n"
    "  --skin FILE, --clip NAME, --time S, --mode textured|shaded|flat|wire, --size WxH, --screenshot FILE\n"
    "\n"
    "palfrey --help, palfrey --version\n"
    "\n"
    "Exit status: 0 done, 1 the game or a file is at fault, 2 wrong usage, 3 no usable OpenGL ES.\n";

const char *options_help(void) {
  return HELP;
}

// The command line while it is read.
typedef struct Reader {
  char **arguments;
  int count, at;
  const char *attached;  // the value of "--name=value", until it is used
  Options *options;
  Error *error;
} Reader;

static const char *next_value(Reader *reader, const char *option) {
  const char *attached = reader->attached;
  reader->attached = NULL;
  if (attached) return attached;
  if (reader->at < reader->count) return reader->arguments[reader->at++];
  error_set(reader->error, "%s: a value is missing", option);
  return NULL;
}

static bool read_integer(Reader *reader, const char *option, int64_t least, int64_t *value) {
  const char *text = next_value(reader, option);
  if (!text) return false;
  char *end;
  errno = 0;
  long long number = strtoll(text, &end, 10);
  if (end == text || *end || errno || number < least)
    return error_set(reader->error, "%s: a whole number from %lld on expected, got \"%s\"", option, (long long)least,
                     text);
  *value = number;
  return true;
}

static bool read_seed(Reader *reader) {
  const char *text = next_value(reader, "--seed");
  if (!text) return false;
  char *end;
  errno = 0;
  reader->options->seed = strtoull(text, &end, 10);
  reader->options->has_seed = true;
  if (end != text && !*end && !errno && text[0] != '-') return true;
  return error_set(reader->error, "--seed: a whole number from 0 on expected, got \"%s\"", text);
}

static bool read_size(Reader *reader) {
  const char *text = next_value(reader, "--size");
  if (!text) return false;
  char *end, *height = NULL;
  long width = strtol(text, &end, 10), high = 0;
  if (end != text && *end == 'x') high = strtol(end + 1, &height, 10);
  bool is_good = height && height != end + 1 && !*height && width >= 1 && width <= 16384 && high >= 1 && high <= 16384;
  if (!is_good) return error_set(reader->error, "--size: WIDTHxHEIGHT of 1 to 16384 expected, got \"%s\"", text);
  reader->options->width = (int)width;
  reader->options->height = (int)high;
  return true;
}

static bool read_time(Reader *reader) {
  const char *text = next_value(reader, "--time");
  if (!text) return false;
  char *end;
  double time = strtod(text, &end);
  if (end == text || *end || !isfinite(time) || time < 0)
    return error_set(reader->error, "--time: seconds from 0 on expected, got \"%s\"", text);
  reader->options->time = time;
  return true;
}

static bool read_screenshot(Reader *reader) {
  const char *text = next_value(reader, "--screenshot");
  if (!text) return false;
  Options *options = reader->options;
  if (options->screenshot_count == OPTIONS_MAX_SCREENSHOTS)
    return error_set(reader->error, "--screenshot: at most %d of them", OPTIONS_MAX_SCREENSHOTS);
  ScreenshotRequest *request = &options->screenshots[options->screenshot_count++];
  const char *at = strrchr(text, '@');
  char *end = NULL;
  long long step = at ? strtoll(at + 1, &end, 10) : 0;
  bool has_step = at && end != at + 1 && !*end;
  size_t length = has_step ? (size_t)(at - text) : strlen(text);
  if (has_step && step < 1) return error_set(reader->error, "--screenshot: steps count from 1, got %lld", step);
  if (length == 0 || length >= sizeof request->path)
    return error_set(reader->error, "--screenshot: the name of a file expected, got \"%s\"", text);
  memcpy(request->path, text, length);
  request->path[length] = 0;
  request->step = has_step ? step : 0;
  return true;
}

static bool read_text(Reader *reader, const char *option, const char **value) {
  *value = next_value(reader, option);
  return *value != NULL;
}

static bool read_frame(Reader *reader) {
  int64_t frame;
  if (!read_integer(reader, "--frame", 0, &frame)) return false;
  if (frame > 1000000) return error_set(reader->error, "--frame: there are no so many frames");
  reader->options->frame = (int)frame;
  return true;
}

static bool set(bool *flag, bool value) {
  *flag = value;
  return true;
}

typedef enum OptionName {
  OPTION_HEADLESS,
  OPTION_FRAMES,
  OPTION_SCREENSHOT,
  OPTION_SIZE,
  OPTION_SEED,
  OPTION_RECORD,
  OPTION_REPLAY,
  OPTION_WATCH,
  OPTION_NO_WATCH,
  OPTION_NULL_GPU,
  OPTION_JSON,
  OPTION_STATS,
  OPTION_HELP,
  OPTION_VERSION,
  OPTION_OUTPUT_SHORT,
  OPTION_OUTPUT,
  OPTION_FUSE,
  OPTION_FILTER,
  OPTION_SKIN,
  OPTION_CLIP,
  OPTION_MODE,
  OPTION_TIME,
  OPTION_FRAME,
  OPTION_LINEAR_KEYS,
  OPTION_BAKE,
  OPTION_COUNT,
} OptionName;

static const char *const NAMES[OPTION_COUNT] = {
    [OPTION_HEADLESS] = "--headless", [OPTION_FRAMES] = "--frames",   [OPTION_SCREENSHOT] = "--screenshot",
    [OPTION_SIZE] = "--size",         [OPTION_SEED] = "--seed",       [OPTION_RECORD] = "--record",
    [OPTION_REPLAY] = "--replay",     [OPTION_WATCH] = "--watch",     [OPTION_NO_WATCH] = "--no-watch",
    [OPTION_NULL_GPU] = "--null-gpu", [OPTION_JSON] = "--json",       [OPTION_STATS] = "--stats",
    [OPTION_HELP] = "--help",         [OPTION_VERSION] = "--version", [OPTION_OUTPUT_SHORT] = "-o",
    [OPTION_OUTPUT] = "--output",     [OPTION_FILTER] = "--filter",   [OPTION_SKIN] = "--skin",
    [OPTION_CLIP] = "--clip",         [OPTION_MODE] = "--mode",       [OPTION_TIME] = "--time",
    [OPTION_FRAME] = "--frame",       [OPTION_FUSE] = "--fuse",       [OPTION_LINEAR_KEYS] = "--linear-keys",
    [OPTION_BAKE] = "--bake",
};

#define BIT(option) (1u << (option))

// Which options a verb takes besides --help.
static unsigned allowed_options(Verb verb) {
  switch (verb) {
    case VERB_PACK:
      return BIT(OPTION_OUTPUT_SHORT) | BIT(OPTION_FUSE) | BIT(OPTION_BAKE);
    case VERB_NEW:
      return 0;
    case VERB_VERIFY:
      return BIT(OPTION_JSON);
    case VERB_TEST:
      return BIT(OPTION_OUTPUT_SHORT) | BIT(OPTION_OUTPUT) | BIT(OPTION_FILTER) | BIT(OPTION_SIZE) | BIT(OPTION_SEED) |
             BIT(OPTION_NULL_GPU);
    case VERB_CONVERT:
      return BIT(OPTION_JSON);
    case VERB_INFO:
      return BIT(OPTION_JSON) | BIT(OPTION_TIME) | BIT(OPTION_CLIP) | BIT(OPTION_FRAME) | BIT(OPTION_LINEAR_KEYS);
    case VERB_VIEW:
      return BIT(OPTION_SKIN) | BIT(OPTION_CLIP) | BIT(OPTION_MODE) | BIT(OPTION_TIME) | BIT(OPTION_SIZE) |
             BIT(OPTION_SCREENSHOT);
    default:
      return BIT(OPTION_HEADLESS) | BIT(OPTION_FRAMES) | BIT(OPTION_SCREENSHOT) | BIT(OPTION_SIZE) | BIT(OPTION_SEED) |
             BIT(OPTION_RECORD) | BIT(OPTION_REPLAY) | BIT(OPTION_WATCH) | BIT(OPTION_NO_WATCH) | BIT(OPTION_NULL_GPU) |
             BIT(OPTION_JSON) | BIT(OPTION_STATS) | BIT(OPTION_VERSION);
  }
}

static int find_option(const char *text, size_t length) {
  for (int i = 0; i < OPTION_COUNT; i++) {
    if (strlen(NAMES[i]) == length && strncmp(NAMES[i], text, length) == 0) return i;
  }
  return -1;
}

static bool raise_unknown(Reader *reader, const char *text, size_t length, unsigned allowed) {
  const char *known[OPTION_COUNT];
  char option[64];
  int count = 0;
  for (int i = 0; i < OPTION_COUNT; i++) {
    if (allowed & BIT(i)) known[count++] = NAMES[i];
  }
  snprintf(option, sizeof option, "%.*s", (int)(length < sizeof option ? length : sizeof option - 1), text);
  const char *nearest = nearest_name(option, known, count);
  if (nearest) return error_set(reader->error, "unknown option %s; did you mean %s?", option, nearest);
  return error_set(reader->error, "unknown option %s", option);
}

static bool read_option(Reader *reader, int option) {
  Options *options = reader->options;
  switch ((OptionName)option) {
    case OPTION_HEADLESS:
      return set(&options->is_headless, true);
    case OPTION_FRAMES:
      return read_integer(reader, "--frames", 0, &options->frames);
    case OPTION_SCREENSHOT:
      return read_screenshot(reader);
    case OPTION_SIZE:
      return read_size(reader);
    case OPTION_SEED:
      return read_seed(reader);
    case OPTION_RECORD:
      return read_text(reader, "--record", &options->record);
    case OPTION_REPLAY:
      return read_text(reader, "--replay", &options->replay);
    case OPTION_WATCH:
      return set(&options->has_no_watch, false);
    case OPTION_NO_WATCH:
      return set(&options->has_no_watch, true);
    case OPTION_NULL_GPU:
      return set(&options->has_null_gpu, true);
    case OPTION_JSON:
      return set(&options->has_json, true);
    case OPTION_STATS:
      return set(&options->has_stats, true);
    case OPTION_HELP:
      options->verb = VERB_HELP;
      return true;
    case OPTION_VERSION:
      options->verb = VERB_VERSION;
      return true;
    case OPTION_OUTPUT_SHORT:
      return read_text(reader, "-o", &options->output);
    case OPTION_OUTPUT:
      return read_text(reader, "--output", &options->output);
    case OPTION_FUSE:
      return set(&options->has_fuse, true);
    case OPTION_LINEAR_KEYS:
      return set(&options->has_linear_keys, true);
    case OPTION_BAKE:
      return set(&options->has_bake, true);
    case OPTION_FILTER:
      return read_text(reader, "--filter", &options->filter);
    case OPTION_SKIN:
      return read_text(reader, "--skin", &options->skin);
    case OPTION_CLIP:
      return read_text(reader, "--clip", &options->clip);
    case OPTION_MODE:
      return read_text(reader, "--mode", &options->mode);
    case OPTION_TIME:
      return read_time(reader);
    case OPTION_FRAME:
      return read_frame(reader);
    case OPTION_COUNT:
      break;
  }
  return false;
}

// One option, as "--name value" or "--name=value".
static bool read_argument(Reader *reader, const char *text) {
  unsigned allowed = allowed_options(reader->options->verb) | BIT(OPTION_HELP);
  const char *equals = text[1] == '-' ? strchr(text, '=') : NULL;
  size_t length = equals ? (size_t)(equals - text) : strlen(text);
  int option = find_option(text, length);
  if (option < 0 || !(allowed & BIT(option))) return raise_unknown(reader, text, length, allowed);
  reader->attached = equals ? equals + 1 : NULL;
  if (!read_option(reader, option)) return false;
  return !reader->attached || error_set(reader->error, "%s takes no value", NAMES[option]);
}

static Verb find_verb(const char *text) {
  static const struct {
    const char *name;
    Verb verb;
  } VERBS[] = {{"new", VERB_NEW},   {"pack", VERB_PACK}, {"verify", VERB_VERIFY},  {"test", VERB_TEST},
               {"info", VERB_INFO}, {"view", VERB_VIEW}, {"convert", VERB_CONVERT}};
  for (size_t i = 0; i < sizeof VERBS / sizeof *VERBS; i++) {
    if (strcmp(text, VERBS[i].name) == 0) return VERBS[i].verb;
  }
  return VERB_RUN;
}

static bool check(const Options *options, Error *error) {
  static const char *const MODES[] = {"textured", "shaded", "flat", "wire"};
  bool has_mode = !options->mode;
  for (int i = 0; !has_mode && i < 4; i++)
    has_mode = strcmp(options->mode, MODES[i]) == 0;
  if (!has_mode) return error_set(error, "--mode: textured, shaded, flat or wire expected, got \"%s\"", options->mode);
  if (!options->target) {
    static const char *const WHAT[] = {
        [VERB_RUN] = "a game",  [VERB_NEW] = "a folder", [VERB_PACK] = "a folder", [VERB_VERIFY] = "a package",
        [VERB_INFO] = "a file", [VERB_VIEW] = "a model", [VERB_CONVERT] = "a file"};
    return error_set(error, "%s is missing", WHAT[options->verb]);
  }
  if (options->verb == VERB_CONVERT && !options->output) return error_set(error, "the name of the new file is missing");
  return true;
}

// What a verb works on, and what it means without saying so.
static void complete(Options *options) {
  if (options->verb == VERB_TEST) {
    options->is_headless = true;
    if (!options->target) options->target = ".";
  }
  if (options->verb == VERB_VIEW && options->screenshot_count > 0) {
    // Two steps bring a clip to the time asked for, the third shows it.
    options->is_headless = true;
    options->frames = 3;
  }
}

// Reads up to the game, or to the end for the other verbs.
static bool read_arguments(Reader *reader, bool is_run) {
  Options *options = reader->options;
  bool has_options = true;
  while (reader->at < reader->count && options->verb != VERB_HELP && options->verb != VERB_VERSION) {
    const char *text = reader->arguments[reader->at++];
    if (has_options && strcmp(text, "--") == 0) {
      has_options = false;
      continue;
    }
    if (has_options && text[0] == '-' && text[1]) {
      if (!read_argument(reader, text)) return false;
      continue;
    }
    if (options->target && options->verb == VERB_CONVERT && !options->output) {
      options->output = text;
      continue;
    }
    if (options->target) return error_set(reader->error, "one thing to work on expected, got a second: %s", text);
    options->target = text;
    // What follows the game is the game's own.
    if (!is_run) continue;
    options->arguments = (const char *const *)reader->arguments + reader->at;
    options->argument_count = reader->count - reader->at;
    break;
  }
  return true;
}

bool options_parse(int argc, char **argv, Options *options, Error *error) {
  *options = (Options){.frames = -1, .time = NAN, .frame = -1};
  if (argc < 2) {
    options->verb = VERB_HELP;
    return true;
  }
  options->verb = find_verb(argv[1]);
  bool is_run = options->verb == VERB_RUN;
  Reader reader = {.arguments = argv, .count = argc, .at = is_run ? 1 : 2, .options = options, .error = error};
  if (!read_arguments(&reader, is_run)) return false;
  if (options->verb == VERB_HELP || options->verb == VERB_VERSION) return true;
  complete(options);
  return check(options, error);
}

static bool split_words(const char *text, OptionWords *words, Error *error) {
  words->count = 0;
  if (snprintf(words->text, sizeof words->text, "%s", text) >= (int)sizeof words->text)
    return error_set(error, "the text is too long");
  for (char *at = words->text; *(at += strspn(at, " \t\n"));) {
    if (words->count == OPTIONS_MAX_WORDS) return error_set(error, "at most %d words", OPTIONS_MAX_WORDS);
    words->words[words->count++] = at;
    at += strcspn(at, " \t\n");
    if (*at) *at++ = 0;
  }
  return true;
}

bool options_parse_fused(int argc, char **argv, const char *game, const char *given, OptionWords *words,
                         Options *options, Error *error) {
  Error inner = {0};
  *options = (Options){.frames = -1, .time = NAN, .frame = -1};
  bool is_good = split_words(given ? given : "", words, &inner);
  Reader reader = {.arguments = words->words, .count = words->count, .options = options, .error = &inner};
  is_good = is_good && read_arguments(&reader, true);
  if (is_good && options->target) is_good = error_set(&inner, "options only, got \"%s\"", options->target);
  if (!is_good) return error_set(error, "PALFREY_OPTIONS: %s", inner.text);
  options->target = game;
  options->arguments = (const char *const *)argv + 1;
  options->argument_count = argc > 1 ? argc - 1 : 0;
  return true;
}
