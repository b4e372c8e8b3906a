// Changes of files as editors and other programs make them, by inotify and by polling.
#define _GNU_SOURCE  // unshare
#include "watch.h"

#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/temp_folder.h"

typedef struct Fixture {
  Memory memory;
  Watch *watch;
  TempFolder *folder;
} Fixture;

static void sleep_ms(long ms) {
  nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static int open_for_writing(const Fixture *fixture, const char *name) {
  int file = open(temp_path(fixture->folder, name), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  assert_true(file >= 0);
  return file;
}

static void put(int file, const char *text) {
  assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
}

static void write_file(const Fixture *fixture, const char *name, const char *text) {
  int file = open_for_writing(fixture, name);
  put(file, text);
  close(file);
}

static void rename_file(const Fixture *fixture, const char *from, const char *to) {
  assert_int_equal(rename(temp_path(fixture->folder, from), temp_path(fixture->folder, to)), 0);
}

static void remove_file(const Fixture *fixture, const char *name) {
  assert_int_equal(unlink(temp_path(fixture->folder, name)), 0);
}

static void start(Fixture *fixture, bool polls) {
  fixture->watch = watch_create(&fixture->memory, &(WatchDesc){.folder = fixture->folder->path, .polls = polls}, NULL);
  assert_non_null(fixture->watch);
}

// Waits for the next change, up to five seconds.
static void expect_change(const Fixture *fixture, const char *path, bool is_gone) {
  WatchChange change;
  for (int i = 0; i < 2500; i++) {
    if (watch_next(fixture->watch, &change)) {
      assert_string_equal(change.path, path);
      assert_int_equal(change.is_gone, is_gone);
      return;
    }
    sleep_ms(2);
  }
  fail_msg("%s: the change was not seen", path);
}

static void expect_nothing(const Fixture *fixture) {
  WatchChange change;
  for (int i = 0; i < 150; i++) {
    if (watch_next(fixture->watch, &change)) fail_msg("%s was told of", change.path);
    sleep_ms(2);
  }
}

static int set_up(void **state) {
  static Fixture fixture;
  void *folder;
  if (temp_folder_make(&folder) != 0) return 1;
  fixture = (Fixture){.folder = folder};
  temp_write_text(fixture.folder, "a.lua", "first");
  temp_write_text(fixture.folder, "sub/b.lua", "first");
  *state = &fixture;
  return 0;
}

static int tear_down(void **state) {
  Fixture *fixture = *state;
  watch_free(fixture->watch);
  assert_int_equal(fixture->memory.live_bytes, 0);
  void *folder = fixture->folder;
  return temp_folder_remove(&folder);
}

static void check_patterns(Fixture *fixture) {
  // Truncated and written.
  write_file(fixture, "a.lua", "second");
  expect_change(fixture, "a.lua", false);
  // Below.
  write_file(fixture, "sub/b.lua", "second");
  expect_change(fixture, "sub/b.lua", false);
  // Written beside and renamed; git unlinks first.
  write_file(fixture, ".a.lua.part", "third, by renaming");
  rename_file(fixture, ".a.lua.part", "a.lua");
  expect_change(fixture, "a.lua", false);
  remove_file(fixture, "a.lua");
  write_file(fixture, "a.lua", "fourth, anew");
  expect_change(fixture, "a.lua", false);
  // vim: renamed away, written anew, the old one deleted.
  rename_file(fixture, "a.lua", "a.lua~");
  write_file(fixture, "a.lua", "fifth, from vim");
  remove_file(fixture, "a.lua~");
  expect_change(fixture, "a.lua", false);
  // A new file, and one in a new folder.
  write_file(fixture, "new.lua", "new");
  expect_change(fixture, "new.lua", false);
  temp_make_folder(fixture->folder, "more");
  write_file(fixture, "more/c.lua", "new");
  expect_change(fixture, "more/c.lua", false);
  write_file(fixture, "more/c.lua", "newer");
  expect_change(fixture, "more/c.lua", false);
  // Gone, and there again.
  remove_file(fixture, "new.lua");
  expect_change(fixture, "new.lua", true);
  write_file(fixture, "new.lua", "back");
  expect_change(fixture, "new.lua", false);
  expect_nothing(fixture);
}

static void test_inotify_sees_all_ways_of_writing(void **state) {
  Fixture *fixture = *state;
  start(fixture, false);
  check_patterns(fixture);
}

static void test_polling_sees_all_ways_of_writing(void **state) {
  Fixture *fixture = *state;
  start(fixture, true);
  check_patterns(fixture);
}

static void test_half_files_are_not_told(void **state) {
  Fixture *fixture = *state;
  start(fixture, false);
  int file = open_for_writing(fixture, "a.lua");
  expect_nothing(fixture);
  put(file, "half a");
  expect_nothing(fixture);
  put(file, " file");
  close(file);
  expect_change(fixture, "a.lua", false);
  expect_nothing(fixture);
}

static void test_emptied_files_are_given_time(void **state) {
  Fixture *fixture = *state;
  start(fixture, false);
  close(open_for_writing(fixture, "a.lua"));
  expect_nothing(fixture);
  write_file(fixture, "a.lua", "text");
  expect_change(fixture, "a.lua", false);
  // One that stays empty is told of in the end.
  close(open_for_writing(fixture, "a.lua"));
  expect_change(fixture, "a.lua", false);
  expect_nothing(fixture);
}

static void test_odd_names_and_links_are_passed_over(void **state) {
  Fixture *fixture = *state;
  temp_make_folder(fixture->folder, ".git");
  start(fixture, false);
  write_file(fixture, ".a.lua.swp", "x");
  write_file(fixture, "a.lua~", "x");
  write_file(fixture, "#a.lua#", "x");
  write_file(fixture, ".git/index", "x");
  expect_nothing(fixture);
  temp_link(fixture->folder, "link.lua", "a.lua");
  expect_nothing(fixture);
}

static void test_many_changes_come_once_each(void **state) {
  enum { COUNT = 300 };
  Fixture *fixture = *state;
  bool is_told[COUNT] = {0};
  int told = 0;
  start(fixture, false);
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < COUNT; i++) {
      char name[64];
      snprintf(name, sizeof name, "sub/file%d.lua", i);
      write_file(fixture, name, "text");
    }
  }
  for (int i = 0; i < 2500 && told < COUNT; i++) {
    WatchChange change;
    while (watch_next(fixture->watch, &change)) {
      int number = -1;
      assert_int_equal(sscanf(change.path, "sub/file%d.lua", &number), 1);
      assert_in_range(number, 0, COUNT - 1);
      assert_false(is_told[number]);
      is_told[number] = true;
      told++;
    }
    sleep_ms(2);
  }
  assert_int_equal(told, COUNT);
  expect_nothing(fixture);
}

static void test_one_that_is_always_written_does_not_hold_up_others(void **state) {
  Fixture *fixture = *state;
  start(fixture, false);
  int file = open_for_writing(fixture, "game.log");
  put(file, "line\n");
  write_file(fixture, "a.lua", "second");
  WatchChange change;
  bool is_seen = false;
  for (int i = 0; i < 2500 && !is_seen; i++) {
    put(file, "line\n");
    is_seen = watch_next(fixture->watch, &change);
    sleep_ms(2);
  }
  assert_true(is_seen);
  assert_string_equal(change.path, "a.lua");
  close(file);
}

static void test_a_folder_that_is_renamed_is_still_watched(void **state) {
  Fixture *fixture = *state;
  start(fixture, false);
  rename_file(fixture, "sub", "other");
  expect_change(fixture, "other/b.lua", false);
  write_file(fixture, "other/b.lua", "second");
  expect_change(fixture, "other/b.lua", false);
}

static void test_a_folder_that_is_not_there_watches_nothing(void **state) {
  Fixture *fixture = *state;
  fixture->watch = watch_create(&fixture->memory, &(WatchDesc){.folder = temp_path(fixture->folder, "nowhere")}, NULL);
  assert_non_null(fixture->watch);
  expect_nothing(fixture);
}

// Allows this process two folders to watch; false where the system does not let it.
static bool limit_watches(void) {
  if (unshare(CLONE_NEWUSER) != 0) return false;
  int file = open("/proc/sys/user/max_inotify_watches", O_WRONLY);
  bool is_limited = file >= 0 && write(file, "2", 1) == 1;
  close(file);
  return is_limited;
}

static void test_without_watches_left_the_folders_are_polled(void **state) {
  enum { LIMITED = 0, FAILED = 1, NOT_LIMITED = 2 };
  Fixture *fixture = *state;
  temp_make_folder(fixture->folder, "x");
  temp_make_folder(fixture->folder, "y");
  pid_t child = fork();
  if (child == 0) {
    if (!limit_watches()) _exit(NOT_LIMITED);
    WatchChange change = {.is_gone = true};
    Watch *watch = watch_create(&fixture->memory, &(WatchDesc){.folder = fixture->folder->path}, NULL);
    temp_write_text(fixture->folder, "y/deep.lua", "text");
    for (int i = 0; watch && i < 2500 && !watch_next(watch, &change); i++)
      sleep_ms(2);
    _exit(strcmp(change.path, "y/deep.lua") == 0 ? LIMITED : FAILED);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_LIMITED) skip();
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == LIMITED);
}

static void test_every_failed_allocation_is_survived(void **state) {
  Fixture *fixture = *state;
  for (size_t n = 1; n < 40; n++) {
    Memory memory = {.fail_after = n, .fail_count = 1};
    Watch *watch = watch_create(&memory, &(WatchDesc){.folder = fixture->folder->path, .polls = n % 2 == 0}, NULL);
    write_file(fixture, "a.lua", "text");
    WatchChange change;
    for (int i = 0; watch && i < 5; i++) {
      watch_next(watch, &change);
      sleep_ms(1);
    }
    watch_free(watch);
    assert_int_equal(memory.live_bytes, 0);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(inotify_sees_all_ways_of_writing),
      TEST(polling_sees_all_ways_of_writing),
      TEST(half_files_are_not_told),
      TEST(emptied_files_are_given_time),
      TEST(odd_names_and_links_are_passed_over),
      TEST(many_changes_come_once_each),
      TEST(one_that_is_always_written_does_not_hold_up_others),
      TEST(a_folder_that_is_renamed_is_still_watched),
      TEST(a_folder_that_is_not_there_watches_nothing),
      TEST(without_watches_left_the_folders_are_polled),
      TEST(every_failed_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
