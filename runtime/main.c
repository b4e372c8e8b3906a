#include <stdio.h>

#include "app.h"
#include "tools.h"
#include "version.h"

int main(int argc, char **argv) {
  Options options;
  Error error = {0};
  if (!options_parse(argc, argv, &options, &error)) {
    fprintf(stderr, "palfrey: %s\nTry palfrey --help.\n", error.text);
    return EXIT_USAGE;
  }
  switch (options.verb) {
    case VERB_HELP:
      fputs(options_help(), stdout);
      return EXIT_DONE;
    case VERB_VERSION:
      puts("palfrey " PALFREY_VERSION);
      return EXIT_DONE;
    case VERB_PACK:
      return tools_pack(&options);
    case VERB_INFO:
      return tools_info(&options, argv[0]);
    case VERB_TEST:
    case VERB_VIEW:
    case VERB_RUN:
      break;
  }
  return app_run(&options, argv[0]);
}
