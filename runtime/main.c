#include <stdio.h>
#include <stdlib.h>

#include "app.h"
#include "files_system.h"
#include "tools.h"
#include "version.h"
#include "zip_directory.h"

// A game packed with --fuse stands behind the program, in one file with it.
static bool find_own_game(char *path, size_t size) {
  Memory memory = {0};
  return system_program_path(path, size) && zip_directory_is_there(&memory, path);
}

static int run_verb(const Options *options, const char *program) {
  switch (options->verb) {
    case VERB_HELP:
      fputs(options_help(), stdout);
      return EXIT_DONE;
    case VERB_VERSION:
      puts("palfrey " PALFREY_VERSION);
      return EXIT_DONE;
    case VERB_NEW:
      return tools_new(options);
    case VERB_PACK:
      return tools_pack(options, program);
    case VERB_VERIFY:
      return tools_verify(options);
    case VERB_INFO:
      return tools_info(options, program);
    case VERB_CONVERT:
      return tools_convert(options, program);
    case VERB_TEST:
    case VERB_VIEW:
    case VERB_RUN:
      break;
  }
  return app_run(options, program);
}

int main(int argc, char **argv) {
  Options options;
  OptionWords words;
  Error error = {0};
  char own[1024];
  bool is_read = find_own_game(own, sizeof own)
                     ? options_parse_fused(argc, argv, own, getenv("PALFREY_OPTIONS"), &words, &options, &error)
                     : options_parse(argc, argv, &options, &error);
  if (is_read) return run_verb(&options, argv[0]);
  fprintf(stderr, "palfrey: %s\nTry palfrey --help.\n", error.text);
  return EXIT_USAGE;
}
