// Clips: poses at times, loops, ends, markers, fades.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/animation.h"
#include "loaders/model_pose.h"

// Two clips of an imagined model: frames 0-3 and 4-8, ten frames a second.
static ModelClip CLIPS[] = {
    {.name = "stand", .kind = CLIP_VERTEX, .first_frame = 0, .frame_count = 4, .fps = 10, .end = 0.4f},
    {.name = "run", .kind = CLIP_VERTEX, .first_frame = 4, .frame_count = 5, .fps = 10, .end = 0.5f},
};
static const Model MODEL = {.clips = CLIPS, .clip_count = 2};

typedef struct Told {
  int ends, markers;
  char last[16];
} Told;

static void count(void *user, const Marker *marker) {
  Told *told = user;
  if (!marker) {
    told->ends++;
    return;
  }
  told->markers++;
  strcpy(told->last, marker->name);
}

static void run_for(Animation *animation, float seconds, Told *told) {
  for (int i = 0; i < (int)(seconds * 60 + 0.5f); i++)
    animation_step(animation, &MODEL, 1.0f / 60, count, told);
}

// What a file or a command line asks for may be far beyond what an int holds.
static void a_time_beyond_all_frames_shows_the_last_one(void **state) {
  (void)state;
  ModelClip fast = CLIPS[1];
  fast.fps = 3e38f;
  const float TIMES[] = {1, 1e30f, INFINITY};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(model_clip_pose(&CLIPS[1], TIMES[i], false).frame_a, 8);
    assert_int_equal(model_clip_pose(&fast, TIMES[i], true).frame_a, 8);
  }
  ModelClip endless = {.name = "endless", .kind = CLIP_NODE, .fps = 30, .start = -3e38f, .end = 3e38f};
  assert_true(model_clip_frames(&endless) > 1 << 29);
}

static void a_clip_starts_exactly_at_its_first_frame(void **state) {
  (void)state;
  Animation animation;
  animation_init(&animation);
  animation_play(&animation, &MODEL, 1, &(PlayOptions){0});
  animation_update_pose(&animation, &MODEL);
  assert_int_equal(animation.pose.frame_a, 4);
  assert_true(animation.pose.mix == 0);
}

static void a_loop_blends_its_last_frame_into_the_first(void **state) {
  (void)state;
  Animation animation;
  Told told = {0};
  animation_init(&animation);
  animation_play(&animation, &MODEL, 1, &(PlayOptions){0});
  run_for(&animation, 0.45f, &told);
  assert_int_equal(animation.pose.frame_a, 8);
  assert_int_equal(animation.pose.frame_b, 4);
  assert_true(fabsf(animation.pose.mix - 0.5f) < 0.01f);
  assert_int_equal(told.ends, 0);
  run_for(&animation, 0.1f, &told);
  assert_int_equal(told.ends, 1);
  run_for(&animation, 5, &told);
  assert_int_equal(told.ends, 11);
}

static void a_single_run_holds_its_last_frame_and_ends_once(void **state) {
  (void)state;
  Animation animation;
  Told told = {0};
  animation_init(&animation);
  animation_play(&animation, &MODEL, 1, &(PlayOptions){.has_loop = true});
  run_for(&animation, 3, &told);
  assert_int_equal(told.ends, 1);
  assert_false(animation.is_playing);
  assert_int_equal(animation.pose.frame_a, 8);
  assert_true(animation.pose.mix == 0);
}

static void playing_again_does_not_start_again(void **state) {
  (void)state;
  Animation animation;
  Told told = {0};
  animation_init(&animation);
  animation_play(&animation, &MODEL, 1, &(PlayOptions){0});
  for (int i = 0; i < 15; i++) {
    animation_play(&animation, &MODEL, 1, &(PlayOptions){0});
    run_for(&animation, 1.0f / 60, &told);
  }
  assert_true(animation.time > 0.2f);
  animation_play(&animation, &MODEL, 1, &(PlayOptions){.restart = true});
  assert_true(animation.time == 0);
}

static void markers_are_told_once_a_pass(void **state) {
  (void)state;
  Memory memory = {0};
  Animation animation;
  Told told = {0};
  Error error;
  animation_init(&animation);
  assert_true(animation_add_marker(&animation, &memory, &MODEL, 1, 0, "start", &error));
  assert_true(animation_add_marker(&animation, &memory, &MODEL, 1, 2, "step", &error));
  animation_play(&animation, &MODEL, 1, &(PlayOptions){0});
  run_for(&animation, 0.1f, &told);
  assert_int_equal(told.markers, 1);
  assert_string_equal(told.last, "start");
  run_for(&animation, 0.2f, &told);
  assert_int_equal(told.markers, 2);
  assert_string_equal(told.last, "step");
  run_for(&animation, 0.5f * 10, &told);
  assert_int_equal(told.markers, 22);
  animation_free(&animation, &memory);
  assert_int_equal(memory.live_bytes, 0);
}

// A step longer than the clip tells of every pass, and of markers in the order of time.
static void long_steps_lose_nothing(void **state) {
  (void)state;
  Memory memory = {0};
  Animation animation;
  Told told = {0};
  Error error;
  animation_init(&animation);
  assert_true(animation_add_marker(&animation, &memory, &MODEL, 0, 1, "one", &error));
  animation_play(&animation, &MODEL, 0, &(PlayOptions){0});
  animation_step(&animation, &MODEL, 1.0f, count, &told);
  assert_int_equal(told.ends, 2);
  assert_int_equal(told.markers, 3);
  animation_free(&animation, &memory);
}

static void backwards_runs_end_at_the_first_frame(void **state) {
  (void)state;
  Animation animation;
  Told told = {0};
  animation_init(&animation);
  animation_play(&animation, &MODEL, 1, &(PlayOptions){.has_loop = true, .has_speed = true, .speed = -1});
  run_for(&animation, 1, &told);
  assert_int_equal(told.ends, 1);
  assert_int_equal(animation.pose.frame_a, 4);
  assert_true(animation.pose.mix == 0);
}

static void a_fade_leads_from_the_old_pose_to_the_new(void **state) {
  (void)state;
  Animation animation;
  Told told = {0};
  animation_init(&animation);
  animation_set_frame(&animation, 2);
  animation_update_pose(&animation, &MODEL);
  animation_play(&animation, &MODEL, 1, &(PlayOptions){.fade = 0.2f});
  run_for(&animation, 0.1f, &told);
  assert_int_equal(animation.pose.frame_a, 2);
  assert_true(fabsf(animation.pose.mix - 0.5f) < 0.02f);
  run_for(&animation, 0.2f, &told);
  assert_true(animation.pose.frame_a >= 4);
}

static void drawing_in_between_is_between(void **state) {
  (void)state;
  Animation animation;
  Told told = {0};
  animation_init(&animation);
  animation_play(&animation, &MODEL, 1, &(PlayOptions){0});
  run_for(&animation, 0.15f, &told);
  FramePose half = animation_drawn_pose(&animation, &MODEL, 0.5f, 1.0f / 60);
  FramePose whole = animation_drawn_pose(&animation, &MODEL, 1, 1.0f / 60);
  assert_int_equal(half.frame_a, 5);
  assert_true(fabsf(whole.mix - half.mix - 10.0f / 120) < 1e-4f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_time_beyond_all_frames_shows_the_last_one),
      cmocka_unit_test(a_clip_starts_exactly_at_its_first_frame),
      cmocka_unit_test(a_loop_blends_its_last_frame_into_the_first),
      cmocka_unit_test(a_single_run_holds_its_last_frame_and_ends_once),
      cmocka_unit_test(playing_again_does_not_start_again),
      cmocka_unit_test(markers_are_told_once_a_pass),
      cmocka_unit_test(long_steps_lose_nothing),
      cmocka_unit_test(backwards_runs_end_at_the_first_frame),
      cmocka_unit_test(a_fade_leads_from_the_old_pose_to_the_new),
      cmocka_unit_test(drawing_in_between_is_between),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
