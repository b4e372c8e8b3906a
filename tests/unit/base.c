// The base: memory that counts and fails, arenas, arrays, pools, and mathematics that is the same everywhere.
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "array.h"
#include "pool.h"
#include "vmath.h"

static void memory_counts_what_lives(void **state) {
  (void)state;
  Memory memory = {0};
  void *first = memory_alloc(&memory, 100), *second = memory_alloc(&memory, 50);
  assert_int_equal(memory.live_bytes, 150);
  second = memory_resize(&memory, second, 200);
  assert_int_equal(memory.live_bytes, 300);
  memory_free(&memory, first);
  memory_free(&memory, second);
  memory_free(&memory, NULL);
  assert_int_equal(memory.live_bytes, 0);
  assert_int_equal(memory.peak_bytes, 300);
}

static void memory_fails_when_told(void **state) {
  (void)state;
  Memory memory = {.fail_after = 2};
  void *first = memory_alloc(&memory, 1);
  assert_non_null(first);
  assert_null(memory_alloc(&memory, 1));
  void *third = memory_alloc(&memory, 1);
  assert_non_null(third);
  memory_free(&memory, first);
  memory_free(&memory, third);
}

static void memory_fails_several_times_or_for_good(void **state) {
  (void)state;
  Memory memory = {.fail_after = 2, .fail_count = 2};
  bool is_there[5];
  for (int i = 0; i < 5; i++) {
    void *block = memory_alloc(&memory, 1);
    is_there[i] = block != NULL;
    memory_free(&memory, block);
  }
  assert_true(is_there[0] && !is_there[1] && !is_there[2] && is_there[3] && is_there[4]);
  memory = (Memory){.fail_after = 1, .fail_count = LONG_MAX};
  for (int i = 0; i < 100; i++)
    assert_null(memory_alloc(&memory, 1));
}

static void absurd_sizes_fail(void **state) {
  (void)state;
  Memory memory = {0};
  Arena arena = {.memory = &memory};
  assert_null(memory_alloc(&memory, SIZE_MAX));
  assert_null(memory_alloc_array(&memory, SIZE_MAX / 2, 4));
  assert_null(arena_alloc_array(&arena, SIZE_MAX / 2, 4));
}

static void arenas_free_everything(void **state) {
  (void)state;
  Memory memory = {0};
  Arena arena = {.memory = &memory};
  for (size_t size = 0; size < 3000; size += 97) {
    uint8_t *block = arena_alloc(&arena, size);
    assert_int_equal((uintptr_t)block % _Alignof(max_align_t), 0);
    for (size_t i = 0; i < size; i++)
      assert_int_equal(block[i], 0);
    memset(block, 0xff, size);
  }
  assert_true(arena_adopt(&arena, memory_alloc(&memory, 1000), 1000));
  uint16_t *unset = arena_alloc_unset(&arena, 1 << 20, sizeof *unset);
  memset(unset, 0xff, (1 << 20) * sizeof *unset);
  assert_null(arena_alloc_unset(&arena, SIZE_MAX / 2, 3));
  memory.fail_after = 2;
  assert_null(arena_alloc_unset(&arena, 1 << 20, 1));
  arena_free(&arena);
  assert_int_equal(memory.live_bytes, 0);
}

static void arrays_grow(void **state) {
  (void)state;
  Memory memory = {0};
  ARRAY(int) numbers = {0};
  for (int i = 0; i < 1000; i++)
    assert_true(array_push(&memory, &numbers, i * i));
  for (int i = 0; i < 1000; i++)
    assert_int_equal(numbers.items[i], i * i);
  memory.fail_after = 1;
  numbers.count = numbers.capacity;
  assert_false(array_push(&memory, &numbers, 1));
  assert_int_equal(numbers.count, numbers.capacity);
  array_free(&memory, &numbers);
  assert_int_equal(memory.live_bytes, 0);
}

static void handles_outlive_their_slots(void **state) {
  (void)state;
  Memory memory = {0};
  Pool pool = {0};
  Handle handles[100], again;
  for (int i = 0; i < 100; i++)
    assert_true(pool_acquire(&pool, &memory, &handles[i]));
  for (int i = 0; i < 100; i += 2)
    pool_release(&pool, handles[i]);
  for (int i = 0; i < 100; i++)
    assert_int_equal(pool_contains(&pool, handles[i]), i % 2);
  assert_true(pool_acquire(&pool, &memory, &again));
  assert_int_equal(again.index, 98);
  assert_false(handle_equals(again, handles[98]));
  assert_true(handle_equals(pool_handle_at(&pool, 98), again));
  pool_free(&pool, &memory);
  assert_int_equal(memory.live_bytes, 0);
}

// The functions that stand for libm's agree with it.
static void scalar_functions_are_right(void **state) {
  (void)state;
  for (int i = -20000; i < 20000; i++) {
    double x = i * 0.0371, y = (i % 1001) * 0.013;
    assert_true(fabs(vmath_sin(x) - sin(x)) < 1e-14);
    assert_true(fabs(vmath_cos(x) - cos(x)) < 1e-14);
    assert_true(fabs(vmath_atan2(x, y) - atan2(x, y)) < 1e-14);
    assert_true(fabs(vmath_exp(y) - exp(y)) <= 1e-14 * exp(y));
    assert_true(fabs(vmath_log(fabs(x) + 1e-3) - log(fabs(x) + 1e-3)) < 1e-13);
    double unit = (i % 1000) / 1000.0;
    assert_true(fabs(vmath_asin(unit) - asin(unit)) < 1e-14);
    assert_true(fabs(vmath_acos(unit) - acos(unit)) < 1e-14);
    double power = pow(fabs(x) + 0.1, unit * 5);
    assert_true(fabs(vmath_pow(fabs(x) + 0.1, unit * 5) - power) <= 1e-13 * power);
  }
}

static void scalar_functions_know_their_edges(void **state) {
  (void)state;
  assert_true(vmath_atan2(0.0, -1.0) == PI && vmath_atan2(-0.0, -1.0) == -PI);
  assert_true(vmath_atan2(0.0, 0.0) == 0);
  assert_true(isnan(vmath_sin(INFINITY)) && isnan(vmath_log(-1)) && isnan(vmath_asin(2)));
  assert_true(vmath_exp(-1000) == 0 && isinf(vmath_exp(1000)) && isinf(vmath_log(0)));
  assert_true(vmath_pow(-2, 3) == -8 && vmath_pow(2, -2) == 0.25 && vmath_pow(0, 0) == 1);
  assert_true(isfinite(vmath_sin(1e300)));
}

static float random_between(Random *random, float low, float high) {
  return low + (high - low) * random_float(random);
}

static Affine random_affine(Random *random) {
  Vec3 axis = vec3(random_between(random, -1, 1), random_between(random, -1, 1), random_between(random, -1, 1));
  Vec3 scale = vec3(random_between(random, -3, 3), random_between(random, 0.1f, 3), random_between(random, 0.1f, 3));
  if (fabsf(scale.x) < 0.1f) scale.x = 0.1f;
  return affine_from_trs(vec3(random_between(random, -9, 9), 1, 2),
                         quat_from_axis_angle(axis, random_between(random, -6, 6)), scale);
}

static void transforms_undo_and_split(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 7);
  for (int i = 0; i < 2000; i++) {
    Affine affine = random_affine(&random), inverse;
    Vec3 point = vec3(random_between(&random, -5, 5), random_between(&random, -5, 5), random_between(&random, -5, 5));
    assert_true(affine_invert(affine, &inverse));
    assert_true(vec3_distance(affine_point(inverse, affine_point(affine, point)), point) < 1e-3f);
    Vec3 position, scale;
    Quat rotation;
    affine_decompose(affine, &position, &rotation, &scale);
    Affine rebuilt = affine_from_trs(position, rotation, scale);
    assert_true(vec3_distance(affine_point(rebuilt, point), affine_point(affine, point)) < 1e-3f);
    // A transformed normal stays square to transformed tangents.
    Vec3 tangent = vec3_cross(point, vec3(0, 1, 0));
    if (vec3_length(tangent) > 0.1f)
      assert_true(fabsf(vec3_dot(affine_normal(affine, point),
                                 vec3_normalize_or(affine_vector(affine, tangent), tangent))) < 1e-3f);
  }
  Affine inverse;
  assert_false(affine_invert((Affine){{1, 0, 0}, {0, 0, 0}, {0, 0, 1}, {0, 0, 0}}, &inverse));
}

static void headings_point_where_the_axes_say(void **state) {
  (void)state;
  // 0 looks along -Z, 90 along -X: counter-clockwise seen from above.
  Vec3 front = quat_rotate(quat_from_heading_pitch((float)(PI / 2), 0), vec3(0, 0, -1));
  assert_true(vec3_distance(front, vec3(-1, 0, 0)) < 1e-6f);
  for (float x = -1; x <= 1; x += 0.25f) {
    Vec3 direction = vec3_normalize_or(vec3(x, 0.3f, -0.5f), vec3(0, 0, -1));
    assert_true(vec3_distance(quat_rotate(quat_look_along(direction), vec3(0, 0, -1)), direction) < 1e-5f);
  }
  assert_true(fabsf(quat_heading(quat_look_along(vec3(0, -1, 0)))) < 1e-5f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_counts_what_lives),
      cmocka_unit_test(memory_fails_when_told),
      cmocka_unit_test(memory_fails_several_times_or_for_good),
      cmocka_unit_test(absurd_sizes_fail),
      cmocka_unit_test(arenas_free_everything),
      cmocka_unit_test(arrays_grow),
      cmocka_unit_test(handles_outlive_their_slots),
      cmocka_unit_test(scalar_functions_are_right),
      cmocka_unit_test(scalar_functions_know_their_edges),
      cmocka_unit_test(transforms_undo_and_split),
      cmocka_unit_test(headings_point_where_the_axes_say),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
