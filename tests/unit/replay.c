// Recordings: what is written reads back exactly, and damage is told with its line.
#include "replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/temp_folder.h"
#include "vmath.h"

enum { STEP_COUNT = 200, MAX_EVENTS = 1000 };

typedef struct Course {
  ReplayHead head;
  Event events[MAX_EVENTS];
  int64_t steps[MAX_EVENTS];
  int count;
} Course;

// Any finite number of the sizes that occur, with all its bits.
static float random_value(Random *random) {
  return (random_float(random) - 0.5f) * (float)(1u << random_next(random) % 16);
}

static Event random_event(Random *random) {
  static const char *const NAMES[] = {"a", " ", "left shift", "\xc3\xa9", "  two", "", "0", "-1.5"};
  Event event = {.type = (EventType)(EVENT_KEY_DOWN + random_next(random) % (EVENT_FOCUS - EVENT_KEY_DOWN + 1))};
  switch (event.type) {
    case EVENT_KEY_DOWN:
      event.is_repeat = random_next(random) & 1;
      break;
    case EVENT_MOUSE_DOWN:
    case EVENT_MOUSE_UP:
      event.button = (int)(random_next(random) % 5);
      break;
    case EVENT_PAD_AXIS:
    case EVENT_FOCUS:
      event.value = random_value(random);
      break;
    default:
      break;
  }
  bool has_id = event.type >= EVENT_PAD_DOWN && event.type <= EVENT_TOUCH_UP;
  bool has_name = event.type <= EVENT_TEXT || event.type == EVENT_MOUSE_DOWN || event.type == EVENT_MOUSE_UP ||
                  (event.type >= EVENT_PAD_DOWN && event.type <= EVENT_PAD_AXIS);
  bool has_place = event.type == EVENT_MOUSE_MOVE || event.type == EVENT_MOUSE_DOWN || event.type == EVENT_MOUSE_UP ||
                   event.type >= EVENT_TOUCH_DOWN;
  if (has_id) event.id = (int)(random_next(random) % 9) - 1;
  if (has_name) strcpy(event.name, NAMES[random_next(random) % 8]);
  if (has_place && event.type != EVENT_FOCUS) {
    event.x = random_value(random);
    event.y = random_value(random);
  }
  if (event.type == EVENT_MOUSE_MOVE || event.type == EVENT_WHEEL) event.dx = random_value(random);
  return event;
}

static Course *make_course(uint64_t seed) {
  Course *course = calloc(1, sizeof *course);
  Random random;
  assert_non_null(course);
  random_seed(&random, seed);
  course->head = (ReplayHead){.build_id = "test 1", .seed = UINT64_MAX - seed, .width = 320, .height = 240};
  course->head.step_seconds = 1.0 / (30 + (double)seed);
  for (int64_t step = 0; step < STEP_COUNT; step++) {
    for (uint32_t i = random_next(&random) % 4; i > 0; i--) {
      course->steps[course->count] = step;
      course->events[course->count++] = random_event(&random);
    }
  }
  return course;
}

static void record(const Course *course, const char *path) {
  Memory memory = {0};
  Error error = {0};
  Recorder *recorder = recorder_create(&memory, path, &course->head, &error);
  int next = 0;
  assert_non_null(recorder);
  for (int64_t step = 0; step < STEP_COUNT; step++) {
    if (step % 60 == 0) assert_true(recorder_add_hash(recorder, step, (uint64_t)(step + 1) << 50, &error));
    for (; next < course->count && course->steps[next] == step; next++)
      assert_true(recorder_add(recorder, step, &course->events[next], &error));
  }
  // What a recording does not hold is passed over.
  assert_true(recorder_add(recorder, STEP_COUNT - 1, &(Event){.type = EVENT_NONE}, &error));
  assert_true(recorder_close(recorder, STEP_COUNT, &error));
  assert_int_equal(memory.live_bytes, 0);
}

static void assert_same(const Event *a, const Event *b) {
  assert_int_equal(a->type, b->type);
  assert_string_equal(a->name, b->name);
  assert_true(a->is_repeat == b->is_repeat && a->id == b->id && a->button == b->button);
  assert_memory_equal(&a->x, &b->x, sizeof a->x);
  assert_memory_equal(&a->y, &b->y, sizeof a->y);
  assert_memory_equal(&a->dx, &b->dx, sizeof a->dx);
  assert_memory_equal(&a->value, &b->value, sizeof a->value);
}

static void what_is_recorded_reads_back(void **state) {
  for (uint64_t seed = 0; seed < 20; seed++) {
    Memory memory = {0};
    Error error = {0};
    Event event;
    uint64_t hash;
    Course *course = make_course(seed);
    record(course, temp_path(*state, "run.rec"));
    Replay *replay = replay_open(&memory, temp_path(*state, "run.rec"), "test 1", &error);
    if (!replay) fail_msg("%s", error.text);
    assert_true(replay_head(replay)->seed == course->head.seed);
    assert_true(replay_head(replay)->step_seconds == course->head.step_seconds);
    assert_int_equal(replay_step_count(replay), STEP_COUNT);
    int next = 0;
    for (int64_t step = 0; step < STEP_COUNT; step++) {
      for (; replay_next(replay, step, &event); next++) {
        assert_int_equal(course->steps[next], step);
        assert_same(&event, &course->events[next]);
      }
      assert_int_equal(replay_hash(replay, step, &hash), step % 60 == 0);
      if (step % 60 == 0) assert_true(hash == (uint64_t)(step + 1) << 50);
    }
    assert_int_equal(next, course->count);
    replay_free(replay);
    free(course);
    assert_int_equal(memory.live_bytes, 0);
  }
}

static void events_of_steps_that_were_left_out_are_passed_over(void **state) {
  Memory memory = {0};
  Event event;
  Course *course = make_course(3);
  record(course, temp_path(*state, "run.rec"));
  Replay *replay = replay_open(&memory, temp_path(*state, "run.rec"), NULL, NULL);
  assert_non_null(replay);
  int at = course->count / 2;
  while (course->steps[at - 1] == course->steps[at])
    at++;
  assert_true(replay_next(replay, course->steps[at], &event));
  assert_same(&event, &course->events[at]);
  replay_free(replay);
  free(course);
}

// --- Damage ---

#define HEAD "palfrey recording 1\nbuild b\nseed 1\nstep-seconds 0.02\nsize 64 48\n"

static Replay *parse(Memory *memory, const char *text, size_t size, Error *error) {
  // A copy of its own, so that a read behind its end is noticed.
  uint8_t *bytes = malloc(size ? size : 1);
  memcpy(bytes, text, size);
  Replay *replay = replay_parse(memory, "x.rec", (Bytes){bytes, size}, "b", error);
  free(bytes);
  return replay;
}

static void faults_are_told_with_their_line(void **state) {
  (void)state;
  static const char *const CASES[][2] = {
      {"", "x.rec:1: \"palfrey recording 1\""},
      {"palfrey recording 2\n", "x.rec:1:"},
      {"palfrey recording 1\nbuild c\n", "recorded by c"},
      {"palfrey recording 1\nbuild b\nseed -1\n", "x.rec:3:"},
      {"palfrey recording 1\nbuild b\nseed 1\nstep-seconds nan\n", "x.rec:4:"},
      {"palfrey recording 1\nbuild b\nseed 1\nstep-seconds 0.02\nsize 0 1\n", "x.rec:5:"},
      {HEAD, "x.rec:6: \"end\""},
      {HEAD "end\n", "x.rec:6:"},
      {HEAD "end 5\nmore\n", "x.rec:7: nothing after the end"},
      {HEAD "keyup a\nend 5\n", "x.rec:6: an event of a step"},
      {HEAD "step 4\nstep 4\n", "x.rec:7: a step later"},
      {HEAD "step 4\nend 3\n", "x.rec:7: the number of steps"},
      {HEAD "step 1\nkeydown a\n", "x.rec:7:"},
      {HEAD "step 1\nmousemove 1 2 3\n", "x.rec:7:"},
      {HEAD "step 1\nmousemove 1 2 3 4 5\n", "x.rec:7:"},
      {HEAD "step 1\nmousemove 1 2 inf 4\n", "x.rec:7:"},
      {HEAD "step 1\nkeyup a name that is longer than any name can be\n", "x.rec:7:"},
      {HEAD "step 1\nhash 123\n", "x.rec:7:"},
      {HEAD "step 1\nhash 0x34567890123456\n", "x.rec:7:"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    Memory memory = {0};
    Error error = {0};
    assert_null(parse(&memory, CASES[i][0], strlen(CASES[i][0]), &error));
    if (!strstr(error.text, CASES[i][1])) fail_msg("\"%s\" does not say \"%s\"", error.text, CASES[i][1]);
    assert_int_equal(memory.live_bytes, 0);
  }
}

// Damage at any byte, and an end anywhere, is refused or plays something else; nothing worse.
static void damage_is_survived(void **state) {
  (void)state;
  static const char TEXT[] = HEAD
      "step 0\r\nkeydown 0 left shift\nmousemove 480 270 -3 0.5\nstep 7\npadaxis 1 -0.25 pad:lefty\nmousedown 1 5 6 "
      "mouse1\nstep 60\nhash 3a1f00c2d4e5b697\nend 61\n";
  static const char WRONG[] = {0, ' ', '\n', '9', '-', '\xff', 'e'};
  char text[sizeof TEXT];
  for (size_t at = 0; at < sizeof TEXT - 1; at++) {
    for (size_t i = 0; i <= sizeof WRONG; i++) {
      Memory memory = {0};
      Error error = {0};
      memcpy(text, TEXT, sizeof TEXT);
      if (i < sizeof WRONG) text[at] = WRONG[i];
      Replay *replay = parse(&memory, text, i < sizeof WRONG ? sizeof TEXT - 1 : at, &error);
      assert_true(replay || error.text[0]);
      replay_free(replay);
      assert_int_equal(memory.live_bytes, 0);
    }
  }
}

static void memory_may_run_out(void **state) {
  Course *course = make_course(1);
  record(course, temp_path(*state, "run.rec"));
  free(course);
  Replay *replay = NULL;
  for (long count = 1; !replay; count++) {
    Memory memory = {.fail_after = count};
    Error error = {0};
    assert_true(count < 1000);
    replay = replay_open(&memory, temp_path(*state, "run.rec"), NULL, &error);
    assert_true(replay || error.text[0]);
    if (replay) replay_free(replay);
    assert_int_equal(memory.live_bytes, 0);
  }
}

static void a_recording_takes_its_place_when_it_is_whole(void **state) {
  Memory memory = {0};
  Error error = {0};
  ReplayHead head = {.build_id = "b", .step_seconds = 0.02, .width = 1, .height = 1};
  temp_write_text(*state, "old.rec", "old");
  Recorder *recorder = recorder_create(&memory, temp_path(*state, "old.rec"), &head, &error);
  assert_true(temp_has_text(*state, "old.rec", "old"));
  assert_true(recorder_close(recorder, 0, &error));
  assert_false(temp_has_text(*state, "old.rec", "old"));
  assert_null(recorder_create(&memory, temp_path(*state, "none/x.rec"), &head, &error));
  assert_non_null(strstr(error.text, "none/x.rec"));
  assert_null(replay_open(&memory, temp_path(*state, "none.rec"), NULL, &error));
  temp_make_folder(*state, "folder.rec");
  assert_null(replay_open(&memory, temp_path(*state, "folder.rec"), NULL, &error));
  assert_int_equal(memory.live_bytes, 0);
}

#define TEMP_TEST(function) cmocka_unit_test_setup_teardown(function, temp_folder_make, temp_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEMP_TEST(what_is_recorded_reads_back),
      TEMP_TEST(events_of_steps_that_were_left_out_are_passed_over),
      cmocka_unit_test(faults_are_told_with_their_line),
      cmocka_unit_test(damage_is_survived),
      TEMP_TEST(memory_may_run_out),
      TEMP_TEST(a_recording_takes_its_place_when_it_is_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
