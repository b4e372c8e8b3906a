// Values between keys: every interpolation against its formula, and against rules that hold for all of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "skin/track.h"
#include "vmath.h"

static void check_near(float found, float expected, float tolerance, const char *what) {
  if (!(fabsf(found - expected) <= tolerance)) fail_msg("%s: %g, expected %g", what, (double)found, (double)expected);
}

static float sample(const Track *track, float time) {
  int cursor = 0;
  float value[4];
  track_sample(track, time, &cursor, value);
  return value[0];
}

static Quat sample_rotation(const Track *track, float time) {
  int cursor = 0;
  Quat q;
  track_sample(track, time, &cursor, &q.x);
  return q;
}

static void check_same_rotation(Quat found, Quat expected, const char *what) {
  float dot = found.x * expected.x + found.y * expected.y + found.z * expected.z + found.w * expected.w;
  check_near(fabsf(dot), 1, 1e-5f, what);
}

static void test_linear_and_step(void **state) {
  (void)state;
  const float times[] = {1, 2, 4}, values[] = {10, 20, 0};
  Track track = {.property = TRACK_FOV, .component_count = 1, .key_count = 3, .times = times, .values = values};
  check_near(sample(&track, 0), 10, 0, "before the first key");
  check_near(sample(&track, 1), 10, 0, "at the first key");
  check_near(sample(&track, 1.25f), 12.5f, 1e-5f, "between");
  check_near(sample(&track, 2), 20, 0, "at a key");
  check_near(sample(&track, 3), 10, 1e-5f, "in a longer span");
  check_near(sample(&track, 9), 0, 0, "after the last key");
  track.repeats = true;
  check_near(sample(&track, 5), 20, 1e-5f, "repeated");
  check_near(sample(&track, 9.5f), 5, 1e-4f, "repeated again");
  track.repeats = false;
  track.interpolation = INTERPOLATE_STEP;
  check_near(sample(&track, 1.99f), 10, 0, "before a step");
  check_near(sample(&track, 2), 20, 0, "at a step");
}

static void test_single_key(void **state) {
  (void)state;
  const float time = 3, value = 7, tcb[5] = {0};
  for (int i = 0; i < TRACK_INTERPOLATION_COUNT; i++) {
    const float cubic[3] = {1, 7, 2};
    Track track = {.interpolation = (TrackInterpolation)i,
                   .component_count = 1,
                   .key_count = 1,
                   .property = TRACK_FOV,
                   .repeats = true,
                   .times = &time,
                   .values = i == INTERPOLATE_CUBIC ? cubic : &value,
                   .tcb = tcb};
    for (float t = 0; t < 6; t += 1.5f)
      check_near(sample(&track, t), 7, 0, "the only key");
  }
}

// Hermite with the right tangents is exact for any cubic: t^3 here.
static void test_cubic(void **state) {
  (void)state;
  const float times[] = {0, 1, 3};
  float values[9];
  for (int i = 0; i < 3; i++) {
    float t = times[i];
    values[3 * i] = values[3 * i + 2] = 3 * t * t;
    values[3 * i + 1] = t * t * t;
  }
  Track track = {.property = TRACK_FOV,
                 .interpolation = INTERPOLATE_CUBIC,
                 .component_count = 1,
                 .key_count = 3,
                 .times = times,
                 .values = values};
  for (float t = 0; t <= 3; t += 0.1f)
    check_near(sample(&track, t), t * t * t, 1e-4f, "a cubic");
}

static void test_tcb_keeps_straight_lines(void **state) {
  (void)state;
  // Uneven times make no difference to what moves evenly.
  const float times[] = {0, 1, 4, 5, 7}, tcb[25] = {0};
  float values[5];
  for (int i = 0; i < 5; i++)
    values[i] = 2 * times[i] - 3;
  Track track = {.property = TRACK_FOV,
                 .interpolation = INTERPOLATE_TCB,
                 .component_count = 1,
                 .key_count = 5,
                 .times = times,
                 .values = values,
                 .tcb = tcb};
  for (float t = 1; t <= 5; t += 0.25f)
    check_near(sample(&track, t), 2 * t - 3, 0.35f, "a line");
  for (int i = 0; i < 5; i++)
    check_near(sample(&track, times[i]), values[i], 1e-5f, "a key");
  track.interpolation = INTERPOLATE_SPLINE;
  track.tcb = NULL;
  check_near(sample(&track, 4.5f), 6, 0.2f, "a spline without numbers");
}

// One span of a spline through 0, 1, 0 by hand: the middle key has no slope, the ends 1.5 times the way to the neighbour
// less half the way to the key behind it, which is none here.
static void test_tcb_by_hand(void **state) {
  (void)state;
  const float times[] = {0, 1, 2}, values[] = {0, 1, 0};
  float tcb[15] = {0};
  Track track = {.property = TRACK_FOV,
                 .interpolation = INTERPOLATE_TCB,
                 .component_count = 1,
                 .key_count = 3,
                 .times = times,
                 .values = values,
                 .tcb = tcb};
  float u = 0.25f, u2 = u * u, u3 = u2 * u;
  check_near(sample(&track, u), 1.5f * (u3 - 2 * u2 + u) + 3 * u2 - 2 * u3, 1e-6f, "open ends");
  tcb[5] = 1;  // full tension at the middle: no tangent either
  check_near(sample(&track, 1 - u), sample(&track, 1 + u), 1e-6f, "mirrored");
  tcb[0] = 1;
  check_near(sample(&track, u), 3 * u2 - 2 * u3, 1e-6f, "full tension");
  tcb[4] = 0.5f;  // ease from the first key
  float k = 1 / 1.5f, eased = k / 0.5f * u * u;
  check_near(sample(&track, u), 3 * eased * eased - 2 * eased * eased * eased, 1e-6f, "ease");
  tcb[4] = 3;
  tcb[8] = 3;  // more than there is: each gets half
  eased = 2 * u * u;
  check_near(sample(&track, u), 3 * eased * eased - 2 * eased * eased * eased, 1e-6f, "ease beyond 1");
}

static void test_looped_spline_is_smooth(void **state) {
  (void)state;
  const float times[] = {0, 1, 3, 4}, values[] = {0, 2, -1, 0}, tcb[20] = {0}, h = 1e-3f;
  Track track = {.property = TRACK_FOV,
                 .interpolation = INTERPOLATE_TCB,
                 .loops = true,
                 .component_count = 1,
                 .key_count = 4,
                 .times = times,
                 .values = values,
                 .tcb = tcb};
  float leaving = (sample(&track, h) - sample(&track, 0)) / h;
  float arriving = (sample(&track, 4) - sample(&track, 4 - h)) / h;
  check_near(leaving, arriving, 0.05f, "the slope through the seam");
  assert_true(leaving > 0.5f);
  track.loops = false;
  leaving = (sample(&track, h) - sample(&track, 0)) / h;
  arriving = (sample(&track, 4) - sample(&track, 4 - h)) / h;
  assert_true(fabsf(leaving - arriving) > 0.5f);
}

static void test_rotations(void **state) {
  (void)state;
  const Vec3 up = {0, 1, 0};
  const float times[] = {0, 1}, tcb[10] = {0};
  for (float turn = 0.5f; turn < 6.2f; turn += 0.7f) {
    Quat keys[2] = {quat_from_axis_angle(up, 0.3f), quat_from_axis_angle(up, 0.3f + turn)};
    Track track = {.property = TRACK_ROTATION,
                   .component_count = 4,
                   .key_count = 2,
                   .times = times,
                   .values = &keys[0].x,
                   .tcb = tcb};
    for (float t = 0; t <= 1; t += 0.25f) {
      track.interpolation = INTERPOLATE_LINEAR;
      check_same_rotation(sample_rotation(&track, t), quat_from_axis_angle(up, 0.3f + turn * t), "the long way too");
      track.interpolation = INTERPOLATE_TCB;
      if (turn < 3) check_same_rotation(sample_rotation(&track, t), quat_from_axis_angle(up, 0.3f + turn * t), "squad");
    }
  }
}

static void test_spins(void **state) {
  (void)state;
  const float times[] = {0, 2}, turn = 20;
  const float spins[8] = {0, 0, 0, 0, 0, 0, 1, turn};
  Quat keys[2] = {QUAT_IDENTITY, quat_from_axis_angle(vec3(0, 0, 1), turn)};
  Track track = {.property = TRACK_ROTATION,
                 .component_count = 4,
                 .key_count = 2,
                 .times = times,
                 .values = &keys[0].x,
                 .spins = spins};
  for (float t = 0; t <= 2; t += 0.125f)
    check_same_rotation(sample_rotation(&track, t), quat_from_axis_angle(vec3(0, 0, 1), turn * t / 2), "three turns");
}

// Squad passes its keys and turns evenly between even ones.
static void test_squad(void **state) {
  (void)state;
  enum { COUNT = 6 };
  float times[COUNT];
  Quat keys[COUNT];
  for (int i = 0; i < COUNT; i++) {
    times[i] = (float)i;
    keys[i] = quat_from_axis_angle(vec3(1, 2, -1), 0.8f * (float)i);
  }
  Track track = {.property = TRACK_ROTATION,
                 .interpolation = INTERPOLATE_SPLINE,
                 .component_count = 4,
                 .key_count = COUNT,
                 .times = times,
                 .values = &keys[0].x};
  for (float t = 0; t <= COUNT - 1; t += 0.125f)
    check_same_rotation(sample_rotation(&track, t), quat_from_axis_angle(vec3(1, 2, -1), 0.8f * t), "even turning");
}

// Whatever the cursor says, the value is that of a search from the start; keys at the same time do no harm.
static void test_cursor(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 5);
  for (int round = 0; round < 200; round++) {
    float times[40], values[40];
    int count = 1 + (int)(random_next(&random) % 40);
    for (int i = 0; i < count; i++) {
      times[i] = (i > 0 ? times[i - 1] : 0) + (random_next(&random) % 3 == 0 ? 0 : random_float(&random));
      values[i] = (float)i;
    }
    Track track = {.property = TRACK_FOV,
                   .interpolation = INTERPOLATE_STEP,
                   .component_count = 1,
                   .key_count = count,
                   .times = times,
                   .values = values};
    for (int i = 0; i < 50; i++) {
      float time = random_float(&random) * (times[count - 1] + 1), found;
      int cursor = (int)(random_next(&random) % 50) - 5, expected = 0;
      for (int key = 0; key < count; key++)
        expected = times[key] <= time ? key : expected;
      if (time <= times[0]) expected = 0;
      track_sample(&track, time, &cursor, &found);
      check_near(found, (float)expected, 0, "a step");
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_linear_and_step), cmocka_unit_test(test_single_key),
      cmocka_unit_test(test_cubic),           cmocka_unit_test(test_tcb_keeps_straight_lines),
      cmocka_unit_test(test_tcb_by_hand),     cmocka_unit_test(test_looped_spline_is_smooth),
      cmocka_unit_test(test_rotations),       cmocka_unit_test(test_spins),
      cmocka_unit_test(test_squad),           cmocka_unit_test(test_cursor),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
