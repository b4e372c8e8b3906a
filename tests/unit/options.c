// The command line: every option, what is wrong usage, and the name that was meant.
#include "options.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "nearest.h"

enum { MAX_WORDS = 48 };

static Options options;
static Error error;

// Reads a line as a shell would without quotes; "palfrey" goes in front. The words live until the next call.
static bool parse(const char *line) {
  static char text[1024];
  static char *words[MAX_WORDS];
  int count = 0;
  snprintf(text, sizeof text, "palfrey %s", line);
  for (char *at = text; *at && count < MAX_WORDS;) {
    words[count++] = at;
    at += strcspn(at, " ");
    if (*at) *at++ = 0;
  }
  error = (Error){0};
  bool is_good = options_parse(count, words, &options, &error);
  assert_true(is_good || error.text[0]);
  return is_good;
}

static void assert_parses(const char *line) {
  if (!parse(line)) fail_msg("%s: %s", line, error.text);
}

static void nothing_asked_means_nothing(void **state) {
  (void)state;
  assert_parses("game");
  assert_int_equal(options.verb, VERB_RUN);
  assert_string_equal(options.target, "game");
  assert_int_equal(options.argument_count, 0);
  assert_int_equal(options.frames, -1);
  assert_int_equal(options.frame, -1);
  assert_true(isnan(options.time));
  assert_false(options.is_headless || options.has_json || options.has_null_gpu || options.has_no_watch ||
               options.has_seed || options.has_stats);
  assert_true(options.width == 0 && options.height == 0 && options.screenshot_count == 0);
  assert_true(!options.record && !options.replay && !options.output);
}

static void every_option_of_a_run_is_read(void **state) {
  (void)state;
  assert_parses(
      "--headless --frames 9000000000 --screenshot a.png@5 --screenshot b@c.png --screenshot=d.png --size 320x240 "
      "--seed "
      "18446744073709551615 --record r --replay p --no-watch --null-gpu --json --stats a.zip --frames 2 x");
  assert_true(options.is_headless && options.has_no_watch && options.has_null_gpu && options.has_json &&
              options.has_stats && options.has_seed);
  assert_true(options.frames == 9000000000 && options.seed == UINT64_MAX);
  assert_true(options.width == 320 && options.height == 240);
  assert_int_equal(options.screenshot_count, 3);
  assert_string_equal(options.screenshots[0].path, "a.png");
  assert_int_equal(options.screenshots[0].step, 5);
  assert_string_equal(options.screenshots[1].path, "b@c.png");
  assert_int_equal(options.screenshots[1].step, 0);
  assert_string_equal(options.screenshots[2].path, "d.png");
  assert_string_equal(options.record, "r");
  assert_string_equal(options.replay, "p");
  assert_string_equal(options.target, "a.zip");
}

static void what_follows_the_game_is_its_own(void **state) {
  (void)state;
  assert_parses("--watch game --headless pack -- x");
  assert_int_equal(options.argument_count, 4);
  assert_string_equal(options.arguments[0], "--headless");
  assert_string_equal(options.arguments[3], "x");
  assert_false(options.is_headless || options.has_no_watch);
  assert_parses("-- --game");
  assert_string_equal(options.target, "--game");
  assert_parses("./pack");
  assert_int_equal(options.verb, VERB_RUN);
}

static void every_verb_has_its_options(void **state) {
  (void)state;
  assert_parses("pack dir -o out.zip");
  assert_int_equal(options.verb, VERB_PACK);
  assert_string_equal(options.output, "out.zip");
  assert_parses("pack -o out.zip dir");
  assert_string_equal(options.target, "dir");
  assert_parses("test --output=plainTerminal --filter a.b --seed 3 dir");
  assert_int_equal(options.verb, VERB_TEST);
  assert_true(options.is_headless);
  assert_string_equal(options.output, "plainTerminal");
  assert_string_equal(options.filter, "a.b");
  assert_parses("test");
  assert_string_equal(options.target, ".");
  assert_parses("info m.md2 --json --time 0.25 --frame 3");
  assert_int_equal(options.verb, VERB_INFO);
  assert_true(options.has_json && options.time == 0.25 && options.frame == 3);
  assert_parses("view m.md2 --skin s.png --clip run --mode wire --time 1 --size 64x48 --screenshot v.png");
  assert_int_equal(options.verb, VERB_VIEW);
  assert_string_equal(options.skin, "s.png");
  assert_string_equal(options.clip, "run");
  assert_string_equal(options.mode, "wire");
  assert_true(options.is_headless && options.frames > 0 && options.width == 64);
  assert_parses("view m.md2");
  assert_false(options.is_headless);
}

static void help_and_version_need_no_game(void **state) {
  (void)state;
  static const char *const HELP[] = {"--help", "--headless --help", "pack --help", "view m.md2 --help"};
  for (size_t i = 0; i < sizeof HELP / sizeof *HELP; i++) {
    assert_parses(HELP[i]);
    assert_int_equal(options.verb, VERB_HELP);
  }
  assert_parses("--version");
  assert_int_equal(options.verb, VERB_VERSION);
  char *alone[] = {"palfrey"};
  assert_true(options_parse(1, alone, &options, &error));
  assert_int_equal(options.verb, VERB_HELP);
}

// The help names everything and fits a terminal.
static void the_help_is_whole(void **state) {
  (void)state;
  static const char *const NAMES[] = {"--headless",
                                      "--frames N",
                                      "--screenshot FILE[@N]",
                                      "--size WxH",
                                      "--seed N",
                                      "--record FILE",
                                      "--replay FILE",
                                      "--watch",
                                      "--no-watch",
                                      "--null-gpu",
                                      "--json",
                                      "--help",
                                      "--version",
                                      "palfrey pack",
                                      "-o ZIP",
                                      "palfrey test",
                                      "--output",
                                      "--filter",
                                      "palfrey info",
                                      "palfrey view",
                                      "--skin FILE",
                                      "--clip NAME",
                                      "--time S",
                                      "--mode",
                                      "--frame N",
                                      "Exit status",
                                      "palfrey new DIR",
                                      "--fuse",
                                      "palfrey verify ZIP",
                                      "PALFREY_OPTIONS"};
  const char *help = options_help();
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    if (!strstr(help, NAMES[i])) fail_msg("the help lacks %s", NAMES[i]);
  }
  for (const char *line = help; *line; line += strcspn(line, "\n") + 1)
    assert_true(strcspn(line, "\n") <= 120);
}

static void wrong_usage_is_told(void **state) {
  (void)state;
  static const char *const CASES[][2] = {
      {"--headless", "a game is missing"},
      {"pack", "a folder is missing"},
      {"info --json", "a file is missing"},
      {"--headles game", "did you mean --headless?"},
      {"--screen-shot a.png game", "did you mean --screenshot?"},
      {"--Frames 3 game", "did you mean --frames?"},
      {"--xyzzy game", "unknown option --xyzzy"},
      {"-x game", "unknown option -x"},
      {"pack dir --json", "unknown option --json"},
      {"game.md2 --x", ""},
      {"--frames", "--frames: a value is missing"},
      {"--frames -1 game", "--frames: a whole number"},
      {"--frames 3x game", "3x"},
      {"--frames= game", "--frames"},
      {"--frames 99999999999999999999 game", "--frames"},
      {"--seed -1 game", "--seed"},
      {"--seed 18446744073709551616 game", "--seed"},
      {"--size 320 game", "--size"},
      {"--size 0x240 game", "--size"},
      {"--size 320x240x game", "--size"},
      {"--size 99999x1 game", "--size"},
      {"--screenshot a.png@0 game", "--screenshot"},
      {"--screenshot @3 game", "--screenshot"},
      {"--headless=yes game", "--headless takes no value"},
      {"--json=game", "--json takes no value"},
      {"info m.md2 --time nan", "--time"},
      {"info m.md2 --time -1", "--time"},
      {"info m.md2 --frame 1e9", "--frame"},
      {"view m.md2 --mode pretty", "wire expected, got \"pretty\""},
      {"pack one two", "got a second: two"},
      {"new", "a folder is missing"},
      {"new dir --fuse", "unknown option --fuse"},
      {"verify", "a package is missing"},
      {"verify a.zip --fuse", "unknown option --fuse"},
      {"--fuse game", "unknown option --fuse"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    bool is_good = parse(CASES[i][0]);
    if (is_good != !CASES[i][1][0] || !strstr(error.text, CASES[i][1]))
      fail_msg("%s: \"%s\" does not say \"%s\"", CASES[i][0], error.text, CASES[i][1]);
  }
  char line[512] = "";
  for (int i = 0; i <= OPTIONS_MAX_SCREENSHOTS; i++)
    strcat(line, "--screenshot a.png ");
  assert_false(parse(strcat(line, "game")));
}

// A program that carries its game: arguments are the game's, options come from the environment.
static void options_of_a_fused_program_come_apart(void **state) {
  (void)state;
  char *arguments[] = {"./game", "--headless", "level2"};
  OptionWords words;
  assert_true(options_parse_fused(3, arguments, "/games/game", NULL, &words, &options, &error));
  assert_int_equal(options.verb, VERB_RUN);
  assert_string_equal(options.target, "/games/game");
  assert_int_equal(options.argument_count, 2);
  assert_string_equal(options.arguments[0], "--headless");
  assert_false(options.is_headless);
  assert_true(options_parse_fused(1, arguments, "game", "  --headless\t--frames 3 ", &words, &options, &error));
  assert_true(options.is_headless);
  assert_int_equal(options.frames, 3);
  assert_int_equal(options.argument_count, 0);
  static const char *const BAD[][2] = {
      {"--headles", "did you mean"}, {"other.zip", "options only"}, {"--frames", "value"}};
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
    assert_false(options_parse_fused(1, arguments, "game", BAD[i][0], &words, &options, &error));
    assert_true(strncmp(error.text, "PALFREY_OPTIONS: ", 17) == 0 && strstr(error.text, BAD[i][1]));
  }
  char many[5000] = "";
  memset(many, 'x', sizeof many - 1);
  assert_false(options_parse_fused(1, arguments, "game", many, &words, &options, &error));
  for (size_t i = 1; i < sizeof many - 1; i += 2)
    many[i] = ' ';
  many[200] = 0;
  assert_false(options_parse_fused(1, arguments, "game", many, &words, &options, &error));
}

static void the_name_that_was_meant_is_found(void **state) {
  (void)state;
  static const char *const NAMES[] = {"position", "model", "health", "color", "scale", "skin"};
  static const char *const CASES[][2] = {
      {"postion", "position"}, {"modle", "model"}, {"haelth", "health"}, {"colour", "color"},
      {"Scale", "scale"},      {"skni", "skin"},   {"models", "model"},  {"model", "model"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    assert_string_equal(nearest_name(CASES[i][0], NAMES, 6), CASES[i][1]);
  char longest[300];
  memset(longest, 'a', sizeof longest - 1);
  longest[sizeof longest - 1] = 0;
  assert_null(nearest_name("velocity", NAMES, 6));
  assert_null(nearest_name("", NAMES, 6));
  assert_null(nearest_name(longest, NAMES, 6));
  assert_null(nearest_name("model", NAMES, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_asked_means_nothing),
      cmocka_unit_test(every_option_of_a_run_is_read),
      cmocka_unit_test(what_follows_the_game_is_its_own),
      cmocka_unit_test(every_verb_has_its_options),
      cmocka_unit_test(help_and_version_need_no_game),
      cmocka_unit_test(the_help_is_whole),
      cmocka_unit_test(wrong_usage_is_told),
      cmocka_unit_test(options_of_a_fused_program_come_apart),
      cmocka_unit_test(the_name_that_was_meant_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
