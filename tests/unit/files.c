// The files of a game: paths that stay inside, folders and zips good and bad, and the save folder.
#include "files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "support/temp_folder.h"
#include "support/zip_maker.h"

// A game that is open, and what went wrong last.
typedef struct Game {
  Memory memory;
  Files *files;
  Error error;
} Game;

static bool open_path(Game *game, const char *path) {
  *game = (Game){0};
  game->files = files_create(&game->memory, "test", &game->error);
  assert_non_null(game->files);
  return files_open_game(game->files, path, &game->error);
}

static void assert_opens(Game *game, const char *path) {
  if (!open_path(game, path)) fail_msg("%s", game->error.text);
}

static void close_game(Game *game) {
  files_free(game->files);
  assert_int_equal(game->memory.live_bytes, 0);
}

static bool has_content(Game *game, const char *path, const char *content) {
  Bytes bytes;
  if (!files_read(game->files, path, &bytes, &game->error)) return false;
  bool is_same = bytes.size == strlen(content) && memcmp(bytes.data, content, bytes.size + 1) == 0;
  memory_free(&game->memory, bytes.data);
  return is_same;
}

static void assert_says(const Game *game, const char *part) {
  if (!strstr(game->error.text, part)) fail_msg("\"%s\" does not say \"%s\"", game->error.text, part);
}

static void assert_refused(const char *path, const char *part) {
  Game game;
  assert_false(open_path(&game, path));
  assert_says(&game, part);
  close_game(&game);
}

static bool write_text(Game *game, const char *path, const char *text) {
  return files_write(game->files, path, (Bytes){(uint8_t *)text, strlen(text)}, &game->error);
}

// --- Paths ---

static void paths_are_cleaned(void **state) {
  (void)state;
  static const char *const CASES[][2] = {
      {"a.txt", "a.txt"}, {"a//b", "a/b"},    {"./a/./b/", "a/b"},
      {"a\\b", "a/b"},    {"", ""},           {".", ""},
      {"...", "..."},     {"a/..b", "a/..b"}, {"m\xc3\xbasica.ogg", "m\xc3\xbasica.ogg"},
  };
  char clean[FILES_MAX_PATH];
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    assert_true(files_clean_path(CASES[i][0], clean, NULL));
    assert_string_equal(clean, CASES[i][1]);
  }
}

static void paths_that_lead_outside_are_refused(void **state) {
  (void)state;
  static const char *const CASES[] = {
      "..",   "../a",  "a/..",  "a/../b", "/a",      "\\a",  "C:/a",  "c:\\a",
      "a\nb", "a\x7f", "a\\..", "//a",    "a/../..", "\xff", "a\xc3", "\xc0\xae\xc0\xae/a"};
  char clean[FILES_MAX_PATH], longest[FILES_MAX_PATH + 1];
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    Error error = {0};
    assert_false(files_clean_path(CASES[i], clean, &error));
    assert_true(error.text[0] != 0);
  }
  memset(longest, 'a', sizeof longest - 1);
  longest[FILES_MAX_PATH] = 0;
  assert_false(files_clean_path(longest, clean, NULL));
  longest[FILES_MAX_PATH - 2] = 0;
  assert_true(files_clean_path(longest, clean, NULL));
}

// --- Folders ---

static void make_game(const TempFolder *temp) {
  temp_write_text(temp, "game/main.lua", "return 1");
  temp_write_text(temp, "game/Models/Knight.md2", "knight");
  temp_write_text(temp, "game/b.txt", "b");
  temp_write_text(temp, "game/a.txt", "");
  temp_write_text(temp, "outside.txt", "secret");
}

static void a_folder_is_read(void **state) {
  make_game(*state);
  Game game;
  FileInfo info;
  assert_opens(&game, temp_path(*state, "game"));
  assert_string_equal(files_main(game.files), "main.lua");
  assert_string_equal(files_game_name(game.files), "game");
  assert_false(files_is_packaged(game.files));
  assert_true(has_content(&game, "main.lua", "return 1"));
  assert_true(has_content(&game, "a.txt", ""));
  assert_true(has_content(&game, "Models\\Knight.md2", "knight"));
  assert_true(files_get_info(game.files, "b.txt", &info));
  assert_int_equal(info.size, 1);
  assert_true(info.modified > 0);
  assert_true(files_get_info(game.files, "", &info) && info.is_folder);
  assert_false(files_get_info(game.files, "none", &info));
  close_game(&game);
}

static void what_cannot_be_read_says_why(void **state) {
  make_game(*state);
  Game game;
  assert_opens(&game, temp_path(*state, "game"));
  assert_false(has_content(&game, "Models", ""));
  assert_says(&game, "folder");
  assert_false(has_content(&game, "", ""));
  assert_says(&game, "folder");
  assert_false(has_content(&game, "none.txt", ""));
  assert_says(&game, "none.txt: there is no such file");
  assert_false(has_content(&game, "models/knight.md2", ""));
  assert_says(&game, "only Models/Knight.md2");
  assert_false(has_content(&game, "../outside.txt", ""));
  assert_false(has_content(&game, "Models/..", ""));
  close_game(&game);
}

static void links_are_not_followed(void **state) {
  make_game(*state);
  temp_link(*state, "game/link.txt", temp_path(*state, "outside.txt"));
  temp_link(*state, "game/up", "..");
  temp_link(*state, "game/inner.txt", "b.txt");
  Game game;
  assert_opens(&game, temp_path(*state, "game"));
  assert_false(has_content(&game, "link.txt", "secret"));
  assert_says(&game, "link");
  assert_false(has_content(&game, "up/outside.txt", "secret"));
  assert_false(has_content(&game, "inner.txt", "b"));
  close_game(&game);
}

typedef struct Names {
  char text[512];
} Names;

static void add_name(void *user, const char *name, bool is_folder) {
  Names *names = user;
  size_t used = strlen(names->text);
  snprintf(names->text + used, sizeof names->text - used, "%s%s ", name, is_folder ? "/" : "");
}

static void folders_are_listed_in_order(void **state) {
  make_game(*state);
  temp_link(*state, "game/link.txt", "b.txt");
  temp_write_text(*state, "game/B.txt", "B");
  temp_write_text(*state, "game/bad\xff", "");
  Game game;
  Names names = {{0}};
  assert_opens(&game, temp_path(*state, "game"));
  assert_true(files_each(game.files, "", add_name, &names, &game.error));
  assert_string_equal(names.text, "B.txt Models/ a.txt b.txt main.lua ");
  assert_false(files_each(game.files, "none", add_name, &names, &game.error));
  assert_false(files_each(game.files, "b.txt", add_name, &names, &game.error));
  assert_says(&game, "not a folder");
  close_game(&game);
}

static void names_are_found_in_any_case(void **state) {
  make_game(*state);
  temp_write_text(*state, "game/models/other.md2", "other");
  Game game;
  char found[FILES_MAX_PATH];
  assert_opens(&game, temp_path(*state, "game"));
  assert_true(files_find_any_case(game.files, "MODELS/KNIGHT.MD2", found));
  assert_string_equal(found, "Models/Knight.md2");
  assert_true(files_find_any_case(game.files, "models/Other.md2", found));
  assert_string_equal(found, "models/other.md2");
  assert_true(files_find_any_case(game.files, "Main.lua", found));
  assert_string_equal(found, "main.lua");
  assert_false(files_find_any_case(game.files, "MODELS/none.md2", found));
  assert_false(files_find_any_case(game.files, "B.TXT/c", found));
  assert_false(files_find_any_case(game.files, "../OUTSIDE.txt", found));
  assert_false(files_find_any_case(game.files, "", found));
  close_game(&game);
}

static void a_single_script_is_a_game(void **state) {
  temp_write_text(*state, "tiny.lua", "return 2");
  Game game;
  char real[1024];
  assert_opens(&game, temp_path(*state, "tiny.lua"));
  assert_string_equal(files_main(game.files), "tiny.lua");
  assert_string_equal(files_game_name(game.files), "tiny");
  assert_true(has_content(&game, "tiny.lua", "return 2"));
  assert_true(files_real_path(game.files, "tiny.lua", false, real, sizeof real));
  assert_string_equal(real, temp_path(*state, "tiny.lua"));
  close_game(&game);
}

static void a_missing_main_is_looked_for(void **state) {
  temp_write_text(*state, "outer/inner/main.lua", "");
  temp_make_folder(*state, "empty");
  temp_write_text(*state, "junk.zip", "this is no zip");
  temp_write_text(*state, "nothing.zip", "");
  assert_refused(temp_path(*state, "outer"), "inner/main.lua");
  assert_refused(temp_path(*state, "empty"), "no main.lua");
  assert_refused(temp_path(*state, "none"), "no such file or folder");
  assert_refused(temp_path(*state, "junk.zip"), "not a zip");
  assert_refused(temp_path(*state, "nothing.zip"), "not a zip");
}

// --- Zips ---

static void a_zip_is_read(void **state) {
  static const ZipPart PARTS[] = {
      {.name = "main.lua", .content = "return 3"},
      {.name = "a/", .content = ""},
      {.name = "a\\b.txt", .content = "b", .is_of_dos = true},
      {.name = "m\xa3sica.ogg", .content = "cp437"},
      {.name = "\xc3\xa9t\xc3\xa9.txt", .content = "utf-8", .flags = 1 << 11},
  };
  Game game;
  Names names = {{0}};
  char real[1024];
  zip_make(*state, "good.zip",
           &(ZipShape){.parts = PARTS, .count = 5, .before = "#!/bin/sh\n", .comment = "a comment"});
  assert_opens(&game, temp_path(*state, "good.zip"));
  assert_true(files_is_packaged(game.files));
  assert_string_equal(files_game_name(game.files), "good");
  assert_true(has_content(&game, "main.lua", "return 3"));
  assert_true(has_content(&game, "a/b.txt", "b"));
  assert_true(has_content(&game, "m\xc3\xbasica.ogg", "cp437"));
  assert_true(has_content(&game, "\xc3\xa9t\xc3\xa9.txt", "utf-8"));
  assert_true(files_each(game.files, "", add_name, &names, &game.error));
  assert_string_equal(names.text, "a/ main.lua m\xc3\xbasica.ogg \xc3\xa9t\xc3\xa9.txt ");
  assert_false(files_real_path(game.files, "main.lua", false, real, sizeof real));
  close_game(&game);
}

// One more entry beside main.lua makes each of these zips a bad one.
static void bad_entries_are_refused_by_name(void **state) {
  static const struct {
    ZipPart part;
    const char *says;
  } CASES[] = {
      {{.name = "/etc/passwd", .content = ""}, "root"},
      {{.name = "C:/x.txt", .content = ""}, "root"},
      {{.name = "../up.txt", .content = ""}, ".."},
      {{.name = "a\\..\\up.txt", .content = "", .is_of_dos = true}, ".."},
      {{.name = "a\\b.txt", .content = ""}, "backslash"},
      {{.name = "./dot.txt", .content = ""}, "\".\""},
      {{.name = "main.lua", .content = "again"}, "twice"},
      {{.name = "main.lua/", .content = ""}, "twice"},
      {{.name = "z\0.txt", .name_length = 6, .content = ""}, "zero"},
      {{.name = "bz.txt", .content = "bz", .method = 12}, "packed"},
      {{.name = "secret.txt", .content = "x", .flags = 1}, "encrypted"},
      {{.name = "link", .content = "/etc/passwd", .attributes = 0120777u << 16}, "link"},
      {{.name = "long.txt", .content = "five!", .size = 0x7fffffff}, "outside"},
      {{.name = "huge.txt", .content = "five!", .size = 0xffffffff}, "zip64"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    ZipPart parts[] = {{.name = "main.lua", .content = "return 1"}, CASES[i].part};
    zip_make_parts(*state, "bad.zip", parts, 2);
    assert_refused(temp_path(*state, "bad.zip"), CASES[i].says);
  }
}

static void bad_zips_are_refused(void **state) {
  static const ZipPart INNER = {.name = "game/main.lua", .content = "return 1"};
  static const ZipPart MAIN = {.name = "main.lua", .content = "return 1"};
  zip_make(*state, "empty.zip", &(ZipShape){0});
  assert_refused(temp_path(*state, "empty.zip"), "empty");
  zip_make_parts(*state, "inner.zip", &INNER, 1);
  assert_refused(temp_path(*state, "inner.zip"), "game/main.lua");
  zip_make(*state, "count.zip", &(ZipShape){.parts = &MAIN, .count = 1, .declared_count = 2});
  assert_refused(temp_path(*state, "count.zip"), "entry 2 of 2");
  zip_make(*state, "many.zip", &(ZipShape){.parts = &MAIN, .count = 1, .declared_count = FILES_MAX_ENTRIES + 1});
  assert_refused(temp_path(*state, "many.zip"), "at most 5000");
}

static uint8_t *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  uint8_t *bytes = calloc(1, 4096);
  assert_true(file && bytes);
  *size = fread(bytes, 1, 4096, file);
  fclose(file);
  return bytes;
}

// Any byte of a zip may be wrong and any part of its end missing: it opens or it is refused with a message.
static void damage_is_survived(void **state) {
  static const ZipPart PARTS[] = {{.name = "main.lua", .content = "return 1"}, {.name = "a/b", .content = "b"}};
  size_t size;
  zip_make_parts(*state, "whole.zip", PARTS, 2);
  uint8_t *bytes = read_file(temp_path(*state, "whole.zip"), &size);
  for (size_t i = 0; i < 2 * size; i++) {
    size_t at = i % size;
    uint8_t held = bytes[at];
    bytes[at] ^= i < size ? 0xff : 0x01;
    temp_write(*state, "damaged.zip", bytes, i < size && at % 2 ? at : size);
    bytes[at] = held;
    Game game;
    Names names = {{0}};
    if (open_path(&game, temp_path(*state, "damaged.zip")))
      files_each(game.files, "", add_name, &names, &game.error);
    else
      assert_true(game.error.text[0] != 0);
    has_content(&game, "a/b", "b");
    close_game(&game);
  }
  free(bytes);
}

// --- The save folder ---

static void saves_lie_on_top_of_the_game(void **state) {
  make_game(*state);
  Game game;
  char real[1024];
  assert_opens(&game, temp_path(*state, "game"));
  assert_false(write_text(&game, "b.txt", "no"));
  assert_true(files_set_identity(game.files, "jogo \xc3\xa7\xc3\xa3o", &game.error));
  assert_false(files_real_path(game.files, "x", true, real, 4));
  assert_true(write_text(&game, "b.txt", "saved"));
  assert_true(write_text(&game, "deep/er/c.txt", "c"));
  assert_true(has_content(&game, "b.txt", "saved"));
  assert_true(has_content(&game, "deep/er/c.txt", "c"));
  assert_true(temp_has_text(*state, "home/.local/share/palfrey/jogo \xc3\xa7\xc3\xa3o/b.txt", "saved"));
  assert_true(write_text(&game, "b.txt", "again"));
  assert_true(has_content(&game, "b.txt", "again"));
  assert_true(files_remove(game.files, "b.txt", &game.error));
  assert_true(has_content(&game, "b.txt", "b"));
  assert_false(files_remove(game.files, "b.txt", &game.error));
  assert_true(temp_has_text(*state, "game/b.txt", "b"));
  assert_false(files_remove(game.files, "deep", &game.error));
  assert_true(files_remove(game.files, "deep/er/c.txt", &game.error));
  assert_true(files_remove(game.files, "deep/er", &game.error));
  close_game(&game);
}

static void saves_are_there_the_next_time(void **state) {
  make_game(*state);
  temp_set_user_data(*state, "d\xc3\xa9p\xc3\xb4t");
  for (int round = 0; round < 2; round++) {
    Game game;
    assert_opens(&game, temp_path(*state, "game"));
    assert_true(files_set_identity(game.files, "other", &game.error));
    assert_false(has_content(&game, "score", "7"));
    assert_true(files_set_identity(game.files, "one", &game.error));
    assert_int_equal(has_content(&game, "score", "7"), round);
    assert_true(write_text(&game, "score", "7"));
    assert_true(files_set_identity(game.files, "other", &game.error));
    assert_false(has_content(&game, "score", "7"));
    close_game(&game);
  }
  assert_true(temp_has_text(*state, "d\xc3\xa9p\xc3\xb4t/palfrey/one/score", "7"));
}

static void saving_follows_no_links(void **state) {
  make_game(*state);
  temp_make_folder(*state, "home/.local/share/palfrey/id");
  temp_make_folder(*state, "elsewhere");
  temp_link(*state, "home/.local/share/palfrey/id/out", temp_path(*state, "elsewhere"));
  temp_link(*state, "home/.local/share/palfrey/id/file", temp_path(*state, "outside.txt"));
  temp_link(*state, "home/.local/share/palfrey/linked", temp_path(*state, "elsewhere"));
  Game game;
  assert_opens(&game, temp_path(*state, "game"));
  assert_true(files_set_identity(game.files, "id", &game.error));
  assert_false(write_text(&game, "out/x", "x"));
  assert_says(&game, "not a folder");
  assert_false(write_text(&game, "file", "x"));
  assert_false(files_remove(game.files, "out/x", &game.error));
  assert_true(temp_has_text(*state, "outside.txt", "secret"));
  assert_true(files_remove(game.files, "file", &game.error));
  assert_true(temp_has_text(*state, "outside.txt", "secret"));
  assert_true(files_set_identity(game.files, "linked", &game.error));
  assert_false(write_text(&game, "x", "x"));
  assert_false(temp_has_text(*state, "elsewhere/x", "x"));
  close_game(&game);
}

static void paths_to_write_are_checked(void **state) {
  make_game(*state);
  static const char *const IDENTITIES[] = {"", ".", "..", "a/b", "/", "a\\b", "c:", "a\nb"};
  Game game;
  assert_opens(&game, temp_path(*state, "game"));
  for (size_t i = 0; i < sizeof IDENTITIES / sizeof *IDENTITIES; i++)
    assert_false(files_set_identity(game.files, IDENTITIES[i], &game.error));
  assert_true(files_set_identity(game.files, "id", &game.error));
  assert_true(write_text(&game, "folder/file", "x"));
  assert_false(write_text(&game, "../x", "x"));
  assert_false(write_text(&game, "", "x"));
  assert_false(write_text(&game, "folder", "x"));
  assert_false(write_text(&game, "folder/file/x", "x"));
  assert_false(files_remove(game.files, "..", &game.error));
  assert_false(files_remove(game.files, "", &game.error));
  assert_true(has_content(&game, "folder/file", "x"));
  close_game(&game);
}

// A name of a folder that cannot be an identity still gives one.
static void every_name_gives_an_identity(void **state) {
  static const char *const NAMES[] = {"a:b", "new\nline", "latin\xe9", "normal.zip"};
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    char main_path[64];
    snprintf(main_path, sizeof main_path, "%s/main.lua", NAMES[i]);
    temp_write_text(*state, main_path, "");
    Game game;
    assert_opens(&game, temp_path(*state, NAMES[i]));
    assert_true(files_set_identity(game.files, files_game_name(game.files), &game.error));
    close_game(&game);
  }
}

static void memory_may_run_out(void **state) {
  static const ZipPart PARTS[] = {{.name = "main.lua", .content = "return 1"}, {.name = "a/b", .content = "b"}};
  zip_make_parts(*state, "good.zip", PARTS, 2);
  bool is_read = false;
  for (long count = 1; !is_read; count++) {
    assert_true(count < 100);
    Memory memory = {.fail_after = count};
    Error error = {0};
    Bytes bytes = {0};
    Files *files = files_create(&memory, "test", &error);
    is_read = files && files_open_game(files, temp_path(*state, "good.zip"), &error) &&
              files_read(files, "a/b", &bytes, &error);
    assert_true(is_read || error.text[0]);
    memory_free(&memory, bytes.data);
    files_free(files);
    assert_int_equal(memory.live_bytes, 0);
  }
}

#define TEMP_TEST(function) cmocka_unit_test_setup_teardown(function, temp_folder_make, temp_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_are_cleaned),
      cmocka_unit_test(paths_that_lead_outside_are_refused),
      TEMP_TEST(a_folder_is_read),
      TEMP_TEST(what_cannot_be_read_says_why),
      TEMP_TEST(links_are_not_followed),
      TEMP_TEST(folders_are_listed_in_order),
      TEMP_TEST(names_are_found_in_any_case),
      TEMP_TEST(a_single_script_is_a_game),
      TEMP_TEST(a_missing_main_is_looked_for),
      TEMP_TEST(a_zip_is_read),
      TEMP_TEST(bad_entries_are_refused_by_name),
      TEMP_TEST(bad_zips_are_refused),
      TEMP_TEST(damage_is_survived),
      TEMP_TEST(saves_lie_on_top_of_the_game),
      TEMP_TEST(saves_are_there_the_next_time),
      TEMP_TEST(saving_follows_no_links),
      TEMP_TEST(paths_to_write_are_checked),
      TEMP_TEST(every_name_gives_an_identity),
      TEMP_TEST(memory_may_run_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
