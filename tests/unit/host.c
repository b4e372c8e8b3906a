// The command line, recordings, files and packages.
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "files.h"
#include "nearest.h"
#include "options.h"
#include "pack.h"
#include "replay.h"
#include "vmath.h"

// ------------------------------------------------------------------------------------------------- a folder to work in

typedef struct Place {
  Memory memory;
  char folder[64];
} Place;

static int make_place(void **state) {
  static Place place;
  place = (Place){0};
  strcpy(place.folder, "/tmp/palfrey-unit-XXXXXX");
  *state = &place;
  return mkdtemp(place.folder) && setenv("XDG_DATA_HOME", place.folder, 1) == 0 ? 0 : -1;
}

static int drop_place(void **state) {
  Place *place = *state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", place->folder);
  assert_int_equal(place->memory.live_bytes, 0);
  return system(command);
}

static const char *path_in(const Place *place, const char *name) {
  static char path[4][256];
  static int next;
  char *result = path[next++ % 4];
  snprintf(result, sizeof path[0], "%s/%s", place->folder, name);
  return result;
}

static void put(const Place *place, const char *name, const char *text) {
  char folder[256];
  snprintf(folder, sizeof folder, "%s", path_in(place, name));
  for (char *at = folder + strlen(place->folder) + 1; (at = strchr(at, '/')); at++) {
    *at = 0;
    mkdir(folder, 0755);
    *at = '/';
  }
  FILE *file = fopen(folder, "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

// ------------------------------------------------------------------------------------------------- options

static bool parse(Options *options, Error *error, int count, ...) {
  static char texts[16][64];
  static char *argv[17];
  va_list arguments;
  va_start(arguments, count);
  for (int i = 0; i < count; i++) {
    snprintf(texts[i], sizeof texts[i], "%s", va_arg(arguments, const char *));
    argv[i] = texts[i];
  }
  va_end(arguments);
  return options_parse(count, argv, options, error);
}

static void the_command_line_is_read(void **state) {
  (void)state;
  Options options;
  Error error = {0};
  assert_true(parse(&options, &error, 12, "palfrey", "--headless", "--frames", "10", "--size=320x240", "--seed", "7",
                    "--screenshot", "a.png@5", "game", "--frames", "x"));
  assert_true(options.is_headless && options.frames == 10 && options.width == 320 && options.height == 240);
  assert_true(options.has_seed && options.seed == 7 && options.screenshot_count == 1);
  assert_string_equal(options.screenshots[0].path, "a.png");
  assert_int_equal(options.screenshots[0].step, 5);
  assert_string_equal(options.target, "game");
  assert_int_equal(options.argument_count, 2);
  assert_true(parse(&options, &error, 5, "palfrey", "pack", "dir", "-o", "x.zip"));
  assert_true(options.verb == VERB_PACK && strcmp(options.output, "x.zip") == 0);
  assert_true(parse(&options, &error, 2, "palfrey", "test"));
  assert_true(options.verb == VERB_TEST && options.is_headless && strcmp(options.target, ".") == 0);
}

static void wrong_usage_is_named(void **state) {
  (void)state;
  Options options;
  Error error = {0};
  assert_false(parse(&options, &error, 3, "palfrey", "--headles", "game"));
  assert_non_null(strstr(error.text, "--headless"));
  assert_false(parse(&options, &error, 3, "palfrey", "--frames", "many"));
  assert_non_null(strstr(error.text, "many"));
  assert_false(parse(&options, &error, 2, "palfrey", "--frames"));
  assert_false(parse(&options, &error, 2, "palfrey", "--headless"));
  assert_false(parse(&options, &error, 4, "palfrey", "--size", "0x9", "game"));
  assert_false(parse(&options, &error, 4, "palfrey", "info", "x.md2", "--headless"));
  assert_false(parse(&options, &error, 5, "palfrey", "view", "x.md2", "--mode", "pretty"));
  assert_false(parse(&options, &error, 3, "palfrey", "--headless=yes", "game"));
}

static void names_nearby_are_found(void **state) {
  (void)state;
  static const char *const NAMES[] = {"position", "model", "health", "color", "scale"};
  assert_string_equal(nearest_name("postion", NAMES, 5), "position");
  assert_string_equal(nearest_name("modle", NAMES, 5), "model");
  assert_string_equal(nearest_name("haelth", NAMES, 5), "health");
  assert_string_equal(nearest_name("colour", NAMES, 5), "color");
  assert_string_equal(nearest_name("Scale", NAMES, 5), "scale");
  assert_null(nearest_name("velocity", NAMES, 5));
  assert_null(nearest_name("", NAMES, 5));
}

// ------------------------------------------------------------------------------------------------- recordings

static Event random_event(Random *random) {
  static const EventType TYPES[] = {EVENT_KEY_DOWN, EVENT_KEY_UP,     EVENT_TEXT,     EVENT_MOUSE_MOVE,
                                    EVENT_MOUSE_UP, EVENT_WHEEL,      EVENT_PAD_DOWN, EVENT_PAD_AXIS,
                                    EVENT_RESIZE,   EVENT_TOUCH_DOWN, EVENT_FOCUS};
  Event event = {.type = TYPES[random_next(random) % 11]};
  float value = random_float(random) * 300 - 150;
  switch (event.type) {
    case EVENT_KEY_DOWN:
      event.is_repeat = random_next(random) & 1;
      strcpy(event.name, "left shift");
      break;
    case EVENT_KEY_UP:
      strcpy(event.name, "a");
      break;
    case EVENT_TEXT:
      strcpy(event.name, "\xc3\xa9 x");
      break;
    case EVENT_MOUSE_MOVE:
      event.x = value;
      event.y = 3;
      event.dx = value / 3;
      event.dy = -value;
      break;
    case EVENT_MOUSE_UP:
      strcpy(event.name, "mouse2");
      event.button = 2;
      event.x = value;
      break;
    case EVENT_WHEEL:
      event.dy = -1;
      break;
    case EVENT_PAD_DOWN:
      strcpy(event.name, "pad:a");
      event.id = 2;
      break;
    case EVENT_PAD_AXIS:
      strcpy(event.name, "pad:leftx");
      event.id = 1;
      event.value = value / 150;
      break;
    case EVENT_RESIZE:
      event.x = 640;
      event.y = 480;
      break;
    case EVENT_TOUCH_DOWN:
      event.id = 5;
      event.x = value;
      event.y = 1;
      break;
    default:
      event.value = 1;
      break;
  }
  return event;
}

static void record(Place *place, const char *path, uint64_t seed) {
  Random random;
  Error error = {0};
  ReplayHead head = {
      .build_id = "test-1", .seed = 123456789012345u, .step_seconds = 1.0 / 60, .width = 64, .height = 32};
  random_seed(&random, seed);
  Recorder *recorder = recorder_create(&place->memory, path, &head, &error);
  assert_non_null(recorder);
  for (int64_t step = 0; step < 200; step++) {
    for (uint32_t i = random_next(&random) % 3; i > 0; i--) {
      Event event = random_event(&random);
      assert_true(recorder_add(recorder, step, &event, &error));
    }
    if (step > 0 && step % 60 == 0) assert_true(recorder_add_hash(recorder, step, (uint64_t)step * 77, &error));
  }
  assert_true(recorder_close(recorder, 200, &error));
}

static void recordings_play_back_what_was_recorded(void **state) {
  Place *place = *state;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    const char *path = path_in(place, "a.rec");
    Random random;
    Error error = {0};
    record(place, path, seed);
    Replay *replay = replay_open(&place->memory, path, "test-1", &error);
    assert_non_null(replay);
    assert_true(replay_head(replay)->seed == 123456789012345u && replay_head(replay)->step_seconds == 1.0 / 60);
    assert_int_equal(replay_step_count(replay), 200);
    random_seed(&random, seed);
    for (int64_t step = 0; step < 200; step++) {
      Event played;
      for (uint32_t i = random_next(&random) % 3; i > 0; i--) {
        Event event = random_event(&random);
        assert_true(replay_next(replay, step, &played));
        assert_true(played.type == event.type && strcmp(played.name, event.name) == 0 && played.x == event.x &&
                    played.dx == event.dx && played.value == event.value && played.id == event.id &&
                    played.button == event.button && played.is_repeat == event.is_repeat);
      }
      assert_false(replay_next(replay, step, &played));
      uint64_t hash;
      assert_int_equal(replay_hash(replay, step, &hash), step > 0 && step % 60 == 0);
    }
    replay_free(replay);
  }
}

static void another_build_is_refused(void **state) {
  Place *place = *state;
  Error error = {0};
  record(place, path_in(place, "a.rec"), 1);
  assert_null(replay_open(&place->memory, path_in(place, "a.rec"), "test-2", &error));
  assert_non_null(strstr(error.text, "test-1"));
}

// Damage at any byte is refused or played, and never worse.
static void damaged_recordings_are_harmless(void **state) {
  Place *place = *state;
  static char text[65536];
  Error error = {0};
  record(place, path_in(place, "a.rec"), 3);
  FILE *file = fopen(path_in(place, "a.rec"), "rb");
  size_t size = fread(text, 1, sizeof text, file);
  fclose(file);
  for (size_t at = 0; at < size; at += 3) {
    char kept = text[at];
    text[at] = (char)(at * 31);
    file = fopen(path_in(place, "b.rec"), "wb");
    fwrite(text, 1, at % 5 == 0 ? at : size, file);
    fclose(file);
    text[at] = kept;
    replay_free(replay_open(&place->memory, path_in(place, "b.rec"), "test-1", &error));
  }
}

// ------------------------------------------------------------------------------------------------- files

static Files *open_game(Place *place, const char *name) {
  Error error = {0};
  Files *files = files_create(&place->memory, "test", &error);
  assert_non_null(files);
  if (!files_open_game(files, path_in(place, name), &error)) fail_msg("%s", error.text);
  assert_true(files_set_identity(files, "unit test \xc3\xa7\xc3\xa3o", &error));
  return files;
}

static void expect_text(Place *place, Files *files, const char *path, const char *expected) {
  Bytes bytes;
  Error error = {0};
  if (!files_read(files, path, &bytes, &error)) fail_msg("%s", error.text);
  assert_string_equal((const char *)bytes.data, expected);
  memory_free(&place->memory, bytes.data);
}

static void the_save_folder_lies_on_top_of_the_game(void **state) {
  Place *place = *state;
  Error error = {0};
  Bytes bytes;
  put(place, "game/main.lua", "-- main");
  put(place, "game/data/a.txt", "from the game");
  Files *files = open_game(place, "game");
  assert_string_equal(files_game_name(files), "game");
  expect_text(place, files, "data/a.txt", "from the game");
  assert_true(files_write(files, "data/a.txt", (Bytes){(uint8_t *)"saved", 5}, &error));
  expect_text(place, files, "data\\a.txt", "saved");
  assert_true(files_remove(files, "data/a.txt", &error));
  expect_text(place, files, "data/a.txt", "from the game");
  assert_false(files_remove(files, "data/a.txt", &error));
  assert_false(files_read(files, "data", &bytes, &error));
  assert_false(files_read(files, "none", &bytes, &error));
  char found[FILES_MAX_PATH];
  assert_true(files_find_any_case(files, "DATA/A.TXT", found));
  assert_string_equal(found, "data/a.txt");
  files_free(files);
}

static void paths_do_not_lead_outside(void **state) {
  Place *place = *state;
  static const char *const PATHS[] = {"../secret", "a/../../secret", "..\\secret", "/etc/passwd",
                                      "c:/x",      "a\nb",           "\\x"};
  put(place, "game/main.lua", "-- main");
  put(place, "secret", "no");
  Files *files = open_game(place, "game");
  for (size_t i = 0; i < sizeof PATHS / sizeof *PATHS; i++) {
    Error error = {0};
    Bytes bytes;
    FileInfo info;
    assert_false(files_read(files, PATHS[i], &bytes, &error));
    assert_false(files_write(files, PATHS[i], (Bytes){(uint8_t *)"x", 1}, &error));
    assert_false(files_get_info(files, PATHS[i], &info));
  }
  char clean[FILES_MAX_PATH], long_path[FILES_MAX_PATH + 10];
  assert_true(files_clean_path("a//./b\\c/", clean, NULL));
  assert_string_equal(clean, "a/b/c");
  memset(long_path, 'a', sizeof long_path - 1);
  long_path[sizeof long_path - 1] = 0;
  assert_false(files_clean_path(long_path, clean, NULL));
  files_free(files);
}

static void links_are_not_followed(void **state) {
  Place *place = *state;
  Error error = {0};
  Bytes bytes;
  put(place, "game/main.lua", "-- main");
  put(place, "secret", "no");
  assert_int_equal(symlink(path_in(place, "secret"), path_in(place, "game/link")), 0);
  Files *files = open_game(place, "game");
  assert_false(files_read(files, "link", &bytes, &error));
  files_free(files);
}

static void games_that_are_none_are_named(void **state) {
  Place *place = *state;
  Error error = {0};
  Files *files = files_create(&place->memory, "test", &error);
  put(place, "outer/inner/main.lua", "-- main");
  assert_false(files_open_game(files, path_in(place, "outer"), &error));
  assert_non_null(strstr(error.text, "inner/main.lua"));
  files_free(files);
  files = files_create(&place->memory, "test", &error);
  put(place, "x.zip", "this is no zip");
  assert_false(files_open_game(files, path_in(place, "x.zip"), &error));
  assert_false(files_open_game(files, path_in(place, "nowhere"), &error));
  files_free(files);
}

// ------------------------------------------------------------------------------------------------- packages

static void packages_are_the_same_bytes_and_read_back(void **state) {
  Place *place = *state;
  PackReport report;
  Error error = {0};
  put(place, "game/main.lua", "local m = \"Models/a.md2\"\nlocal n = 'none.png'\n");
  put(place, "game/models/a.md2", "model");
  put(place, "game/spec/x_spec.lua", "left out");
  put(place, "game/.hidden", "left out");
  assert_true(pack_folder(&place->memory, path_in(place, "game"), path_in(place, "a.zip"), &report, &error));
  assert_int_equal(report.file_count, 2);
  assert_int_equal(report.warning_count, 2);
  assert_non_null(strstr(report.warnings[0], "models/a.md2"));
  assert_true(pack_folder(&place->memory, path_in(place, "game"), path_in(place, "b.zip"), &report, &error));
  char command[256];
  snprintf(command, sizeof command, "cmp %s %s", path_in(place, "a.zip"), path_in(place, "b.zip"));
  assert_int_equal(system(command), 0);
  Files *files = open_game(place, "a.zip");
  assert_true(files_is_packaged(files));
  expect_text(place, files, "models/a.md2", "model");
  files_free(files);
}

static void what_cannot_be_packed_is_named(void **state) {
  Place *place = *state;
  PackReport report;
  Error error = {0};
  put(place, "outer/game/main.lua", "-- main");
  assert_false(pack_folder(&place->memory, path_in(place, "outer"), path_in(place, "a.zip"), &report, &error));
  assert_non_null(strstr(error.text, "game/main.lua"));
  put(place, "twins/main.lua", "-- main");
  put(place, "twins/a.txt", "1");
  put(place, "twins/A.txt", "2");
  assert_false(pack_folder(&place->memory, path_in(place, "twins"), path_in(place, "a.zip"), &report, &error));
  assert_non_null(strstr(error.text, "letter case"));
  put(place, "linked/main.lua", "-- main");
  assert_int_equal(symlink("/etc/passwd", path_in(place, "linked/x")), 0);
  assert_false(pack_folder(&place->memory, path_in(place, "linked"), path_in(place, "a.zip"), &report, &error));
  assert_int_equal(access(path_in(place, "a.zip"), F_OK), -1);
}

#define PLACE_TEST(function) cmocka_unit_test_setup_teardown(function, make_place, drop_place)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_command_line_is_read),
      cmocka_unit_test(wrong_usage_is_named),
      cmocka_unit_test(names_nearby_are_found),
      PLACE_TEST(recordings_play_back_what_was_recorded),
      PLACE_TEST(another_build_is_refused),
      PLACE_TEST(damaged_recordings_are_harmless),
      PLACE_TEST(the_save_folder_lies_on_top_of_the_game),
      PLACE_TEST(paths_do_not_lead_outside),
      PLACE_TEST(links_are_not_followed),
      PLACE_TEST(games_that_are_none_are_named),
      PLACE_TEST(packages_are_the_same_bytes_and_read_back),
      PLACE_TEST(what_cannot_be_packed_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
