// Packages: the same bytes for the same files, what is left out, refused and warned of, that games run from them, and that
// programs can carry them.
#define _XOPEN_SOURCE 700
#include "pack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "files.h"
#include "support/temp_folder.h"
#include "zip_check.h"

static Memory memory;
static PackReport report;
static Error error;

static bool pack(const TempFolder *temp, const char *folder, const char *zip) {
  memory = (Memory){0};
  error = (Error){0};
  bool is_good = pack_folder(&memory, &(PackDesc){.folder = temp_path(temp, folder), .path = temp_path(temp, zip)},
                             &report, &error);
  assert_int_equal(memory.live_bytes, 0);
  assert_true(is_good || error.text[0]);
  return is_good;
}

static void assert_packs(const TempFolder *temp, const char *folder, const char *zip) {
  if (!pack(temp, folder, zip)) fail_msg("%s", error.text);
}

static void assert_refused(const TempFolder *temp, const char *folder, const char *part) {
  assert_false(pack(temp, folder, "refused.zip"));
  if (!strstr(error.text, part)) fail_msg("\"%s\" does not say \"%s\"", error.text, part);
  assert_false(temp_has_text(temp, "refused.zip", ""));
  assert_false(temp_has_text(temp, "refused.zip.part", ""));
}

static uint8_t *read_file(const char *path, size_t *size) {
  enum { MAX_SIZE = 1 << 20 };
  FILE *file = fopen(path, "rb");
  uint8_t *bytes = calloc(1, MAX_SIZE);
  assert_true(file && bytes);
  *size = fread(bytes, 1, MAX_SIZE, file);
  fclose(file);
  return bytes;
}

static void assert_same_files(const TempFolder *temp, const char *a, const char *b) {
  size_t a_size, b_size;
  uint8_t *a_bytes = read_file(temp_path(temp, a), &a_size), *b_bytes = read_file(temp_path(temp, b), &b_size);
  assert_int_equal(a_size, b_size);
  assert_memory_equal(a_bytes, b_bytes, a_size);
  free(a_bytes);
  free(b_bytes);
}

static void make_game(const TempFolder *temp) {
  static const char TEXT[] =
      "return \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"\n";
  temp_write_text(temp, "game/main.lua", TEXT);
  temp_write_text(temp, "game/Z.txt", "z");
  temp_write_text(temp, "game/a b.txt", "");
  temp_write_text(temp, "game/m\xc3\xbasica.OGG", TEXT);
  temp_write_text(temp, "game/models/knight.md2", TEXT);
  temp_write_text(temp, "game/models/spec.txt", "kept");
}

static void packages_are_the_same_bytes(void **state) {
  make_game(*state);
  assert_packs(*state, "game", "one.zip");
  assert_int_equal(report.file_count, 6);
  // Made in another order and at another time, in another place.
  temp_write_text(*state, "copy/models/spec.txt", "kept");
  temp_write_text(*state, "copy/models/knight.md2", "");
  size_t size;
  for (int i = 0; i < 4; i++) {
    static const char *const NAMES[] = {"models/knight.md2", "Z.txt", "m\xc3\xbasica.OGG", "main.lua"};
    char from[64], to[64];
    snprintf(from, sizeof from, "game/%s", NAMES[i]);
    snprintf(to, sizeof to, "copy/%s", NAMES[i]);
    uint8_t *bytes = read_file(temp_path(*state, from), &size);
    temp_write(*state, to, bytes, size);
    free(bytes);
  }
  temp_write_text(*state, "copy/a b.txt", "");
  assert_packs(*state, "copy", "two.zip");
  assert_same_files(*state, "one.zip", "two.zip");
  free(read_file(temp_path(*state, "one.zip"), &size));
  assert_int_equal(report.packed_bytes, size);
}

static void entries_are_sorted_and_media_are_stored(void **state) {
  static const char *const NAMES[] = {"Z.txt",           "a b.txt",          "main.lua", "models/knight.md2",
                                      "models/spec.txt", "m\xc3\xbasica.OGG"};
  make_game(*state);
  assert_packs(*state, "game", "game.zip");
  ZipDirectory directory;
  const char *path = temp_path(*state, "game.zip");
  assert_true(zip_directory_read(&memory, path, FILES_MAX_ENTRIES, &directory, &error));
  assert_true(zip_check_or_refuse(&directory, &error));
  assert_int_equal(directory.count, 6);
  for (int i = 0; i < directory.count; i++) {
    const ZipEntry *entry = &directory.entries[i];
    assert_string_equal(entry->name, NAMES[i]);
    assert_int_equal(entry->flags & 1 << 11, 1 << 11);
  }
  assert_int_equal(directory.entries[2].method, ZIP_METHOD_DEFLATED);
  assert_true(directory.entries[2].packed_size < directory.entries[2].size);
  assert_int_equal(directory.entries[3].method, ZIP_METHOD_STORED);
  assert_int_equal(directory.entries[5].method, ZIP_METHOD_STORED);
  zip_directory_free(&directory);
}

static void a_package_reads_like_its_folder(void **state) {
  static const char *const NAMES[] = {"Z.txt", "a b.txt", "main.lua", "models/knight.md2", "m\xc3\xbasica.OGG"};
  make_game(*state);
  assert_packs(*state, "game", "game.zip");
  Files *files = files_create(&memory, "test", &error);
  assert_true(files_open_game(files, temp_path(*state, "game.zip"), &error));
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    char path[64];
    size_t size;
    Bytes bytes;
    snprintf(path, sizeof path, "game/%s", NAMES[i]);
    uint8_t *expected = read_file(temp_path(*state, path), &size);
    assert_true(files_read(files, NAMES[i], &bytes, &error));
    assert_int_equal(bytes.size, size);
    assert_memory_equal(bytes.data, expected, size);
    memory_free(&memory, bytes.data);
    free(expected);
  }
  files_free(files);
}

static void what_is_no_part_of_the_game_is_left_out(void **state) {
  static const char *const LEFT_OUT[] = {"game/spec/a_spec.lua", "game/.git/config",  "game/.hidden",
                                         "game/main.lua~",       "game/main.lua.bak", "game/models/spec/x.lua",
                                         "game/#main.lua#",      "game/main.lua.orig"};
  make_game(*state);
  assert_packs(*state, "game", "one.zip");
  for (size_t i = 0; i < sizeof LEFT_OUT / sizeof *LEFT_OUT; i++)
    temp_write_text(*state, LEFT_OUT[i], "x");
  temp_link(*state, "game/.link", "/etc/passwd");
  for (int round = 0; round < 2; round++) {
    assert_packs(*state, "game", "game/game.zip");
    assert_same_files(*state, "one.zip", "game/game.zip");
  }
}

static void what_works_in_one_place_only_is_refused(void **state) {
  const TempFolder *temp = *state;
  temp_write_text(temp, "inner/game/main.lua", "");
  assert_refused(temp, "inner", "game/main.lua");
  temp_write_text(temp, "none/other.lua", "");
  assert_refused(temp, "none", "no main.lua");
  assert_refused(temp, "nowhere", "nowhere");
  temp_write_text(temp, "link/main.lua", "");
  temp_link(temp, "link/a.txt", "main.lua");
  assert_refused(temp, "link", "a.txt: is a link");
  static const char *const NAMES[][2] = {
      {"a\\b.txt", "backslash"},  {"a\nb.txt", "control"}, {"a\xff.txt", "UTF-8"}, {"c:d", "\":\""},
      {"MAIN.lua", "case"},       {"what?.png", "?"},      {"a|b.png", "|"},       {"end ", "space or a dot"},
      {"end.", "space or a dot"}, {"NUL.txt", "a device"}, {"com1", "a device"},
  };
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    char folder[32], path[64];
    snprintf(folder, sizeof folder, "odd%zu", i);
    snprintf(path, sizeof path, "%s/%s", folder, NAMES[i][0]);
    temp_write_text(temp, path, "");
    snprintf(path, sizeof path, "%s/main.lua", folder);
    temp_write_text(temp, path, "");
    assert_refused(temp, folder, NAMES[i][1]);
  }
}

static void a_failure_leaves_the_old_package(void **state) {
  make_game(*state);
  temp_write_text(*state, "refused.zip", "old");
  temp_link(*state, "game/link", "main.lua");
  assert_false(pack(*state, "game", "refused.zip"));
  assert_true(temp_has_text(*state, "refused.zip", "old"));
  assert_false(pack(*state, "game", "no/such/folder.zip"));
}

static void paths_in_scripts_are_looked_up(void **state) {
  make_game(*state);
  temp_write_text(*state, "game/main.lua",
                  "-- it's \"none/of/this.png\"\n"
                  "--[==[ 'nor/this.png' ]]\n"
                  "]==] local ok = { 'models/knight.md2', \"knight.md2\", \"models\\\\knight.md2\" }\n"
                  "local long = [[ 'nor/that.png' ]] .. \"x\" .. '.png' .. name .. \"/skin.png\"\n"
                  "local format = (\"skins/%d.png\"):format(1), \"http://a/b.png\", '.png', 'a\\tb.png', \"open.png\n"
                  "palfrey.screen.screenshot(\"shot.png\") palfrey.files.write 'own.png'\n"
                  "addModel{ model = 'Models/Knight.md2', skin = \"models/none.png\" }");
  assert_packs(*state, "game", "game.zip");
  assert_int_equal(report.warning_count, 3);
  assert_string_equal(report.warnings[0],
                      "main.lua:7: \"Models/Knight.md2\" is written \"models/knight.md2\" in the folder");
  assert_string_equal(report.warnings[1], "main.lua:7: there is no file \"models/none.png\"");
  assert_string_equal(report.warnings[2], "m\xc3\xbasica.OGG: nothing in the game names it");
}

static bool has_warning(const char *text) {
  for (int i = 0; i < report.warning_count; i++) {
    if (strcmp(report.warnings[i], text) == 0) return true;
  }
  return false;
}

static void modules_are_looked_up(void **state) {
  temp_write_text(
      *state, "game/main.lua",
      "local palfrey, a = require \"palfrey\", require(\"parts.a\")\n"
      "require 'parts' require \"Parts.A\"\n"
      "require\"none.at.all\" myrequire \"never\" require(\"parts.\" .. name)\n"
      "world:load \"Levels/One.lua\" world:load(\"saved.lua\") read 'slot.bin' world:save(\"levels/One.lua\")");
  temp_write_text(*state, "game/parts/a.lua", "return 1");
  temp_write_text(*state, "game/parts/init.lua", "return 1");
  temp_write_text(*state, "game/levels/one.lua", "return { skin = \"Brick.png\" }");
  temp_write_text(*state, "game/brick.png", "x");
  assert_packs(*state, "game", "game.zip");
  assert_int_equal(report.warning_count, 4);
  assert_true(has_warning("main.lua:2: require \"Parts.A\", but the file is written \"parts/a.lua\""));
  assert_true(has_warning("main.lua:3: there is no module \"none.at.all\""));
  assert_true(has_warning("main.lua:4: \"Levels/One.lua\" is written \"levels/one.lua\" in the folder"));
  assert_true(has_warning("levels/one.lua:1: \"Brick.png\" is written \"brick.png\" in the folder"));
}

// Whatever any text or model may mean counts as named; only the last two are named by nothing.
static void assets_that_nothing_names_are_told(void **state) {
  static const char *const FILES[] = {"models/a.md2",    "models/a.png",  "models/b_evil.png", "walls/one.png",
                                      "sounds/hit1.ogg", "deep/x/y.png",  "skins/3.png",       "set/my brick.png",
                                      "set/wall.mtl",    "set/Other.TGA", "long.png",          "left/over.png",
                                      "left/over.md2"};
  temp_write_text(*state, "game/main.lua",
                  "add(\"models/a.md2\", name .. \"_evil.png\", \"walls/\" .. n, \"sounds/hit\" .. i .. \".ogg\")\n"
                  "each(\"deep\") skin((\"skins/%d.png\"):format(3)) add('set/level.obj', [[long.png]])");
  for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
    char path[64];
    snprintf(path, sizeof path, "game/%s", FILES[i]);
    temp_write_text(*state, path, "x");
  }
  temp_write_text(*state, "game/set/level.obj", "mtllib wall.mtl\nv 0.5 1.25 0.md\n");
  temp_write_text(*state, "game/set/wall.mtl", "map_Kd -s 1 1 1 my brick.png\nmap_Ka art\\OTHER.pcx");
  assert_packs(*state, "game", "game.zip");
  for (int i = 0; i < report.warning_count; i++)
    assert_true(strstr(report.warnings[i], "left/over"));
  assert_int_equal(report.warning_count, 2);
  assert_true(has_warning("left/over.md2: nothing in the game names it"));
  assert_true(has_warning("left/over.png: nothing in the game names it"));
}

static void warnings_past_the_last_are_counted(void **state) {
  temp_write_text(*state, "game/main.lua", "");
  for (int i = 0; i < PACK_MAX_WARNINGS + 5; i++) {
    char path[64];
    snprintf(path, sizeof path, "game/%d.png", i);
    temp_write_text(*state, path, "x");
  }
  assert_packs(*state, "game", "game.zip");
  assert_int_equal(report.warning_count, PACK_MAX_WARNINGS + 5);
}

static void sizes_are_told_by_kind(void **state) {
  make_game(*state);
  assert_packs(*state, "game", "game.zip");
  assert_int_equal(report.totals[PACK_SCRIPTS].file_count, 1);
  assert_int_equal(report.totals[PACK_MODELS].file_count, 1);
  assert_int_equal(report.totals[PACK_SOUNDS].file_count, 1);
  assert_int_equal(report.totals[PACK_OTHER].file_count, 3);
  assert_int_equal(report.totals[PACK_OTHER].bytes, 5);
  assert_int_equal(report.totals[PACK_MODELS].bytes, report.totals[PACK_MODELS].packed_bytes);
  assert_true(report.totals[PACK_SCRIPTS].packed_bytes < report.totals[PACK_SCRIPTS].bytes);
}

// A program with its game is the program, then the zip, whose offsets count from the start of the file.
static void a_program_can_carry_its_game(void **state) {
  static const char PROGRAM[] =
      "\x7f"
      "ELF and the rest of a program, PK\5\6 and all";
  make_game(*state);
  temp_write_text(*state, "runtime", PROGRAM);
  PackDesc desc = {
      .folder = temp_path(*state, "game"), .path = temp_path(*state, "out"), .program = temp_path(*state, "runtime")};
  memory = (Memory){0};
  if (!pack_folder(&memory, &desc, &report, &error)) fail_msg("%s", error.text);
  assert_int_equal(memory.live_bytes, 0);
  size_t size;
  uint8_t *bytes = read_file(desc.path, &size);
  assert_memory_equal(bytes, PROGRAM, sizeof PROGRAM - 1);
  assert_int_equal(report.packed_bytes, size);
  struct stat info;
  assert_true(stat(desc.path, &info) == 0 && (info.st_mode & 0111) == 0111);
  ZipDirectory directory;
  assert_true(zip_directory_read(&memory, desc.path, FILES_MAX_ENTRIES, &directory, &error));
  const ZipEntry *first = &directory.entries[0];
  assert_int_equal(first->offset, sizeof PROGRAM - 1);
  zip_directory_free(&directory);
  free(bytes);
  desc.program = temp_path(*state, "none");
  assert_false(pack_folder(&memory, &desc, &report, &error));
}

static void memory_may_run_out(void **state) {
  make_game(*state);
  PackDesc desc = {.folder = temp_path(*state, "game"), .path = temp_path(*state, "x.zip")};
  for (long count = 1;; count++) {
    assert_true(count < 1000);
    memory = (Memory){.fail_after = count};
    error = (Error){0};
    bool is_packed = pack_folder(&memory, &desc, &report, &error);
    assert_int_equal(memory.live_bytes, 0);
    if (is_packed) break;
    assert_true(error.text[0] != 0);
  }
}

#define TEMP_TEST(function) cmocka_unit_test_setup_teardown(function, temp_folder_make, temp_folder_remove)

// A device or pipe in the place of the package stays what it is.
static void what_is_no_file_is_not_replaced(void **state) {
  const TempFolder *temp = *state;
  make_game(temp);
  assert_int_equal(mkfifo(temp_path(temp, "pipe.zip"), 0600), 0);
  assert_false(pack(temp, "game", "pipe.zip"));
  assert_non_null(strstr(error.text, "not a file"));
  struct stat info;
  assert_true(stat(temp_path(temp, "pipe.zip"), &info) == 0 && S_ISFIFO(info.st_mode));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEMP_TEST(packages_are_the_same_bytes),
      TEMP_TEST(entries_are_sorted_and_media_are_stored),
      TEMP_TEST(a_package_reads_like_its_folder),
      TEMP_TEST(what_is_no_part_of_the_game_is_left_out),
      TEMP_TEST(what_works_in_one_place_only_is_refused),
      TEMP_TEST(a_failure_leaves_the_old_package),
      TEMP_TEST(paths_in_scripts_are_looked_up),
      TEMP_TEST(modules_are_looked_up),
      TEMP_TEST(assets_that_nothing_names_are_told),
      TEMP_TEST(warnings_past_the_last_are_counted),
      TEMP_TEST(sizes_are_told_by_kind),
      TEMP_TEST(a_program_can_carry_its_game),
      TEMP_TEST(memory_may_run_out),
      TEMP_TEST(what_is_no_file_is_not_replaced),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
