// Zips made to harm or broken on the way: what the directory shows is refused at opening, what only the bytes show is
// refused at reading, and `verify` tells of everything. Zips that are merely odd are read.
#define _XOPEN_SOURCE 700
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
#include "support/zip_maker.h"
#include "zip_check.h"

#define MAIN \
  { .name = "main.lua", .content = "return 1" }

static const char LONG[] =
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

// All faults of a zip, one a line.
typedef struct Faults {
  const ZipDirectory *directory;
  char text[4096];
  int count;
} Faults;

static void add_fault(void *user, const ZipEntry *entry, const char *what) {
  Faults *faults = user;
  char line[512];
  zip_fault_text(faults->directory, entry, what, line, sizeof line);
  size_t used = strlen(faults->text);
  snprintf(faults->text + used, sizeof faults->text - used, "%s\n", line);
  faults->count++;
}

static void verify(const char *path, Faults *faults) {
  Memory memory = {0};
  Error error = {0};
  ZipDirectory directory;
  *faults = (Faults){.directory = &directory};
  if (!zip_directory_read(&memory, path, FILES_MAX_ENTRIES, &directory, &error)) {
    snprintf(faults->text, sizeof faults->text, "%s\n", error.text);
    faults->count = 1;
  } else {
    assert_true(zip_check_data(&directory, add_fault, faults, &error));
  }
  zip_directory_free(&directory);
  assert_int_equal(memory.live_bytes, 0);
}

static void assert_has_fault(const char *path, const char *says) {
  Faults faults;
  verify(path, &faults);
  if (!strstr(faults.text, says)) fail_msg("\"%s\" does not say \"%s\"", faults.text, says);
}

// Opens a game and reads one of its files. Returns whether both went well.
static bool open_and_read(const char *path, const char *name, char *content, Error *error) {
  Memory memory = {0};
  Bytes bytes = {0};
  Files *files = files_create(&memory, "test", error);
  assert_non_null(files);
  bool is_open = files_open_game(files, path, error), is_read = is_open && files_read(files, name, &bytes, error);
  assert_true(is_read || error->text[0]);
  if (is_read) snprintf(content, 256, "%s", (const char *)bytes.data);
  if (!is_open) content[0] = 0;
  memory_free(&memory, bytes.data);
  files_free(files);
  assert_int_equal(memory.live_bytes, 0);
  return is_read;
}

static void assert_reads(const char *path, const char *name, const char *wanted) {
  char content[256] = "not read";
  Error error = {0};
  Faults faults;
  if (!open_and_read(path, name, content, &error)) fail_msg("%s", error.text);
  assert_string_equal(content, wanted);
  verify(path, &faults);
  if (faults.count > 0) fail_msg("%s", faults.text);
}

typedef struct Case {
  ZipPart part;
  const char *says;
} Case;

// The zip of main.lua, the part and one more file behind it.
static const char *make_case(const TempFolder *temp, const ZipPart *part) {
  ZipPart parts[] = {MAIN, *part, {.name = "z.txt", .content = "behind"}};
  zip_make_parts(temp, "case.zip", parts, 3);
  return temp_path(temp, "case.zip");
}

static void what_the_directory_shows_is_refused_at_opening(void **state) {
  static const Case CASES[] = {
      {{.name = "a", .content = "x", .local_name = "b"}, "a: its local header has another name"},
      {{.name = "a", .content = "x", .local_name = "longer"}, "a: its local header has another name"},
      {{.name = "a", .content = "x", .local_method = 8}, "a: its local header says it is packed in another way"},
      {{.name = "a", .content = "x", .local_size = 2}, "a: its local header has other sizes"},
      {{.name = "a", .content = "x", .local_crc32 = 7}, "a: its local header has another CRC-32"},
      {{.name = "a", .content = "x", .is_streamed = true, .local_size = 2}, "a: its local header has other sizes"},
      {{.name = "a", .content = "x", .shares_part = 1}, "a: its local header has another name"},
      {{.name = "a", .content = "x", .size = 30}, "z.txt: its bytes are those of another entry too"},
      {{.name = "a", .content = "x", .extra_packed = 1}, "a: its two sizes differ"},
      {{.name = "a", .content = LONG, .is_deflated = true, .size = 200 << 20}, "a: it declares more bytes than"},
      {{.name = "a", .content = LONG, .is_deflated = true, .size = 257 << 20}, "a: it is larger than the 256 MB"},
      {{.name = "a", .content = "x", .size = 9999}, "a: it lies outside of the zip"},
      {{.name = "a", .content = "x", .method = 14}, "a: it is packed in another way"},
      {{.name = "a", .content = "x", .flags = 1}, "a: it is encrypted"},
      {{.name = "a", .content = "x", .attributes = 0120777u << 16}, "a: it is a link"},
      {{.name = "a", .content = "x", .attributes = 0020666u << 16}, "a: it is neither a file nor a folder"},
      {{.name = "a/", .content = "x"}, "a/: it is a folder and has bytes"},
      {{.name = "main.lua", .content = "return 2"}, "main.lua: it is in the zip twice"},
      {{.name = "main.lua/", .content = ""}, "twice, as a file and as a folder"},
      {{.name = "main.lua/x", .content = ""}, "main.lua/x: it lies in \"main.lua\", which is a file"},
      {{.name = "a//b", .content = ""}, "a//b: its name has an empty part"},
      {{.name = "/a", .content = ""}, "/a: its name does not start at the root"},
      {{.name = "a/../../b", .content = ""}, "its name has \".\" or \"..\""},
      {{.name = "a\nb", .content = "x", .flags = 1}, "a?b: it is encrypted"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const char *path = make_case(*state, &CASES[i].part);
    char content[256] = "opened";
    Error error = {0};
    if (open_and_read(path, "main.lua", content, &error)) fail_msg("a zip opens that should say \"%s\"", CASES[i].says);
    assert_string_equal(content, "");
    if (!strstr(error.text, CASES[i].says)) fail_msg("\"%s\" does not say \"%s\"", error.text, CASES[i].says);
    assert_has_fault(path, CASES[i].says);
  }
}

static void what_only_the_bytes_show_is_refused_at_reading(void **state) {
  static const Case CASES[] = {
      {{.name = "a", .content = "x", .crc32 = 0x1234abcd}, "a: damaged: its CRC-32 is 8cdc1683, the directory says 12"},
      {{.name = "a", .content = LONG, .is_deflated = true, .crc32 = 1}, "a: damaged: its CRC-32 is"},
      {{.name = "a", .content = LONG, .is_deflated = true, .size = 20}, "a: damaged: it unpacks to more bytes"},
      {{.name = "a", .content = LONG, .is_deflated = true, .size = 500}, "a: damaged: it unpacks to 91 bytes, the dir"},
      {{.name = "a", .content = LONG, .is_deflated = true, .extra_packed = -2}, "a: damaged: its packed bytes end ear"},
      {{.name = "a", .content = LONG, .is_deflated = true, .extra_packed = 2}, "a: damaged: it has bytes behind"},
      {{.name = "a", .content = "\xff\xff\xff", .method = 8}, "a: damaged: its packed bytes are no deflated data"},
      {{.name = "a", .content = "", .method = 8}, "a: damaged: its packed bytes end early"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const char *path = make_case(*state, &CASES[i].part);
    char content[256] = "opened";
    Error error = {0};
    assert_true(open_and_read(path, "z.txt", content, &error));
    assert_string_equal(content, "behind");
    assert_false(open_and_read(path, "a", content, &error));
    if (!strstr(error.text, CASES[i].says)) fail_msg("\"%s\" does not say \"%s\"", error.text, CASES[i].says);
    assert_true(strncmp(error.text, path, strlen(path)) == 0);
    assert_has_fault(path, CASES[i].says);
  }
}

static void every_fault_is_told(void **state) {
  static const ZipPart PARTS[] = {
      {.name = "../up", .content = "x"},
      MAIN,
      {.name = "b", .content = "x", .crc32 = 1},
      {.name = "c", .content = "x", .method = 12},
      {.name = "d", .content = LONG, .is_deflated = true, .size = 92},
      {.name = "whole", .content = LONG, .is_deflated = true},
  };
  Faults faults;
  zip_make_parts(*state, "many.zip", PARTS, 6);
  verify(temp_path(*state, "many.zip"), &faults);
  assert_int_equal(faults.count, 4);
  assert_non_null(strstr(faults.text, "many.zip: ../up: its name"));
  assert_non_null(strstr(faults.text, "many.zip: b: damaged: its CRC-32"));
  assert_non_null(strstr(faults.text, "many.zip: c: it is packed"));
  assert_non_null(strstr(faults.text, "many.zip: d: damaged: it unpacks to 91 bytes"));
}

// A bomb of entries that all unpack the same bytes, and one of many that are each within their limit.
static void bombs_are_refused(void **state) {
  ZipPart same[] = {MAIN, {.name = "a", .content = LONG, .is_deflated = true}, {.name = "a", .content = LONG}};
  same[2].is_deflated = true;
  same[2].shares_part = 2;
  zip_make_parts(*state, "same.zip", same, 3);
  assert_has_fault(temp_path(*state, "same.zip"), "same.zip: a: it is in the zip twice");
  ZipPart many[12];
  char names[12][12];
  for (int i = 0; i < 12; i++) {
    snprintf(names[i], sizeof names[i], "%d", i);
    many[i] = (ZipPart){.name = names[i], .content = LONG, .is_deflated = true, .size = 200 << 20};
  }
  zip_make_parts(*state, "many.zip", many, 12);
  assert_has_fault(temp_path(*state, "many.zip"), "many.zip: its files take 2400 MB unpacked, at most 2048");
}

static void entries_that_are_not_counted_are_found(void **state) {
  static const ZipPart PARTS[] = {MAIN, {.name = "hidden", .content = "x"}};
  zip_make(*state, "more.zip", &(ZipShape){.parts = PARTS, .count = 2, .declared_count = 1});
  assert_has_fault(temp_path(*state, "more.zip"), "the directory goes on for 52 bytes behind its 1 entries");
}

static void odd_zips_are_read(void **state) {
  static const Case CASES[] = {
      {{.name = "a", .content = "streamed", .is_streamed = true}, "streamed"},
      {{.name = "a", .content = LONG, .is_deflated = true, .is_streamed = true}, LONG},
      {{.name = "a", .content = LONG, .is_deflated = true}, LONG},
      {{.name = "a", .content = "", .is_deflated = true}, ""},
      {{.name = "a", .content = "of no Unix", .attributes = 1}, "of no Unix"},
      {{.name = "a", .content = "large form", .local_size = 0xffffffff}, "large form"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    assert_reads(make_case(*state, &CASES[i].part), "a", CASES[i].says);
  static const ZipPart NAMES[] = {
      MAIN, {.name = "A", .content = "upper"}, {.name = "a", .content = "lower"}, {.name = "\x81", .content = "cp437"}};
  zip_make_parts(*state, "names.zip", NAMES, 4);
  assert_reads(temp_path(*state, "names.zip"), "A", "upper");
  assert_reads(temp_path(*state, "names.zip"), "a", "lower");
  assert_reads(temp_path(*state, "names.zip"), "\xc3\xbc", "cp437");
}

// Something in front of the zip, and up to 64 KiB of something behind it, a signature say.
static void the_zip_is_found_in_the_file(void **state) {
  static const ZipPart PARTS[] = {MAIN, {.name = "a", .content = "found"}};
  static const int LENGTHS[] = {0, 10, 5000, 65536, 65537};
  char *behind = calloc(1, 65538);
  assert_non_null(behind);
  for (size_t i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
    memset(behind, 'x', (size_t)LENGTHS[i]);
    ZipShape shape = {.parts = PARTS, .count = 2, .before = "an executable", .comment = "a comment", .after = behind};
    zip_make(*state, "odd.zip", &shape);
    if (LENGTHS[i] <= 65536)
      assert_reads(temp_path(*state, "odd.zip"), "a", "found");
    else
      assert_has_fault(temp_path(*state, "odd.zip"), "not a zip");
  }
  free(behind);
  zip_make(*state, "odd.zip",
           &(ZipShape){.parts = PARTS, .count = 2, .before = "an executable", .after = "0123456789"});
  Memory memory = {0};
  assert_true(zip_directory_is_there(&memory, temp_path(*state, "odd.zip")));
  temp_write_text(*state, "none", "PK\5\6 and more text than an end record has, and nothing else at all");
  assert_false(zip_directory_is_there(&memory, temp_path(*state, "none")));
  assert_false(zip_directory_is_there(&memory, temp_path(*state, "absent")));
  assert_int_equal(mkfifo(temp_path(*state, "pipe"), 0600), 0);
  assert_has_fault(temp_path(*state, "pipe"), "pipe: is not a file");
  assert_has_fault(temp_path(*state, ""), "is not a file");
  assert_int_equal(memory.live_bytes, 0);
}

// A game that is replaced while it runs goes on with the bytes it was opened with.
static void a_replaced_zip_stays_the_old_one(void **state) {
  static const ZipPart OLD[] = {MAIN, {.name = "a", .content = "old"}}, NEW[] = {MAIN, {.name = "a", .content = "new"}};
  Memory memory = {0};
  Error error = {0};
  Bytes bytes;
  zip_make_parts(*state, "game.zip", OLD, 2);
  Files *files = files_create(&memory, "test", &error);
  assert_true(files && files_open_game(files, temp_path(*state, "game.zip"), &error));
  char to[1024];
  snprintf(to, sizeof to, "%s", temp_path(*state, "game.zip"));
  zip_make_parts(*state, "new.zip", NEW, 2);
  assert_int_equal(rename(temp_path(*state, "new.zip"), to), 0);
  assert_true(files_read(files, "a", &bytes, &error));
  assert_string_equal((const char *)bytes.data, "old");
  memory_free(&memory, bytes.data);
  files_free(files);
}

#define TEMP_TEST(function) cmocka_unit_test_setup_teardown(function, temp_folder_make, temp_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEMP_TEST(what_the_directory_shows_is_refused_at_opening),
      TEMP_TEST(what_only_the_bytes_show_is_refused_at_reading),
      TEMP_TEST(every_fault_is_told),
      TEMP_TEST(bombs_are_refused),
      TEMP_TEST(entries_that_are_not_counted_are_found),
      TEMP_TEST(odd_zips_are_read),
      TEMP_TEST(the_zip_is_found_in_the_file),
      TEMP_TEST(a_replaced_zip_stays_the_old_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
