#include "loaders/triangulate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_POINTS = 40000 };

static Vec3 points[MAX_POINTS];
static uint32_t triangles[3 * MAX_POINTS];

static double area_of(const Vec3 *polygon, int count) {
  double n[3];
  polygon_normal(polygon, count, n);
  return sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
}

static double area_of_triangles(int count) {
  double area = 0;
  for (int i = 0; i < count - 2; i++) {
    Vec3 triangle[3];
    for (int k = 0; k < 3; k++) {
      assert_true(triangles[3 * i + k] < (uint32_t)count);
      triangle[k] = points[triangles[3 * i + k]];
    }
    area += area_of(triangle, 3);
  }
  return area;
}

// A polygon that does not cut itself is covered once: the areas of its triangles add up to its own.
static void check_polygon(int count) {
  Memory memory = {0};
  Triangulator triangulator = {.memory = &memory};
  assert_true(triangulate(&triangulator, points, count, triangles));
  assert_false(triangulator_has_given_up(&triangulator));
  double expected = area_of(points, count), found = area_of_triangles(count);
  if (fabs(found - expected) > 1e-6 * expected) fail_msg("area %g, expected %g", found, expected);
  triangulator_free(&triangulator);
  assert_int_equal(memory.live_bytes, 0);
}

// All ways of starting at another corner, either way round, seen from several sides.
static void check_turned(const float (*shape)[2], int count) {
  static const Vec3 AXES[4][2] = {{{1, 0, 0}, {0, 1, 0}},
                                  {{0, 0, 1}, {0, 1, 0}},
                                  {{0.6f, 0, 0.8f}, {0, 1, 0}},
                                  {{0.48f, 0.6f, 0.64f}, {0.8f, 0, -0.6f}}};
  for (int axes = 0; axes < 4; axes++) {
    for (int first = 0; first < 2 * count; first++) {
      for (int i = 0; i < count; i++) {
        const float *p = shape[first < count ? (first + i) % count : (2 * count - 1 - i + first) % count];
        points[i] = vec3_add(vec3_scale(AXES[axes][0], p[0]), vec3_scale(AXES[axes][1], p[1]));
      }
      check_polygon(count);
    }
  }
}

static void test_shapes(void **state) {
  (void)state;
  static const float SQUARE[][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  static const float DART[][2] = {{0, 0}, {2, 1}, {0, 2}, {0.5f, 1}};
  static const float ELL[][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
  static const float STAR[][2] = {{0, 3}, {-1, 1}, {-3, 0}, {-1, -1}, {0, -3}, {1, -1}, {3, 0}, {1, 1}};
  static const float COMB[][2] = {{0, 0}, {7, 0}, {7, 3}, {6, 3}, {6, 1}, {5, 1}, {5, 3}, {4, 3},
                                  {4, 1}, {3, 1}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
  // Corners on straight edges.
  static const float STRAIGHT[][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
  // A window in a wall, joined to the outline by an edge that is passed both ways.
  static const float KEYHOLE[][2] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}};
  static const float TWO_HOLES[][2] = {{0, 0}, {8, 0}, {8, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3},
                                       {3, 1}, {5, 1}, {5, 3}, {7, 3}, {7, 1}, {5, 1}, {3, 1}, {1, 1}};
  check_turned(SQUARE, 4);
  check_turned(DART, 4);
  check_turned(ELL, 6);
  check_turned(STAR, 8);
  check_turned(COMB, 16);
  check_turned(STRAIGHT, 8);
  check_turned(KEYHOLE, 10);
  check_turned(TWO_HOLES, 16);
}

static void test_polygons_without_an_answer(void **state) {
  (void)state;
  static const Vec3 BOWTIE[] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}};
  static const Vec3 PENTAGRAM[] = {{0, 3, 0}, {2, -3, 0}, {-3, 1, 0}, {3, 1, 0}, {-2, -3, 0}};
  Memory memory = {0};
  Triangulator triangulator = {.memory = &memory};
  assert_true(triangulate(&triangulator, BOWTIE, 4, triangles));
  assert_true(triangulate(&triangulator, PENTAGRAM, 5, triangles));
  for (int i = 0; i < 9; i++)
    assert_true(triangles[i] < 5);
  // All corners in one place, on one line, and where squares overflow a float.
  memset(points, 0, sizeof points);
  assert_true(triangulate(&triangulator, points, 50, triangles));
  for (int i = 0; i < 50; i++)
    points[i] = vec3((float)(i * i % 7), 0, 0);
  assert_true(triangulate(&triangulator, points, 50, triangles));
  for (int i = 0; i < 50; i++)
    points[i] = vec3((float)(i * i % 7) * 5e37f, (float)(i % 5) * 5e37f, 0);
  assert_true(triangulate(&triangulator, points, 50, triangles));
  memory.fail_after = 1;
  assert_false(triangulate(&triangulator, points, 60, triangles));
  triangulator_free(&triangulator);
}

static void make_circle(int count, float (*radius)(int i)) {
  for (int i = 0; i < count; i++) {
    double angle = 2 * PI * i / count;
    points[i] = vec3((float)vmath_cos(angle) * radius(i), (float)vmath_sin(angle) * radius(i), 0);
  }
}

static float round_radius(int i) {
  (void)i;
  return 1;
}

static float toothed_radius(int i) {
  return i % 2 ? 1 : 0.9f;
}

static void test_large_polygons(void **state) {
  (void)state;
  make_circle(2000, round_radius);
  check_polygon(2000);
  make_circle(2000, toothed_radius);
  check_polygon(2000);
  make_circle(MAX_POINTS, round_radius);
  check_polygon(MAX_POINTS);
  make_circle(MAX_POINTS, toothed_radius);
  check_polygon(MAX_POINTS);
}

// Two arms of a spiral, out and back: hardly a corner is an ear at first.
static void make_spiral(int count) {
  for (int i = 0; i < count; i++) {
    bool is_back = i >= count / 2;
    double t = 0.1 * (is_back ? count - 1 - i : i), radius = (is_back ? 0.8 : 1.0) + 0.2 * t;
    points[i] = vec3((float)(vmath_cos(t) * radius), (float)(vmath_sin(t) * radius), 0);
  }
}

// Teeth of random length on both sides of a line, which reach between each other.
static void make_comb(int count, Random *random) {
  for (int i = 0; i < count / 2; i++) {
    float height = i % 2 ? 0.9f * random_float(random) : 0.0f;
    points[i] = vec3((float)i, height - 1, 0);
    points[count - 1 - i] = vec3((float)i, height, 0);
  }
}

static void test_intricate_polygons(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 3);
  for (int count = 100; count <= MAX_POINTS; count *= 20) {
    make_spiral(count);
    check_polygon(count);
    make_comb(count, &random);
    check_polygon(count);
  }
}

// Polygons whose triangles take n * n to choose well are done with in bounded time, all of a file together.
static void test_work_is_limited(void **state) {
  (void)state;
  Memory memory = {0};
  Triangulator triangulator = {.memory = &memory};
  Random random;
  random_seed(&random, 1);
  for (int i = 0; i < MAX_POINTS; i++)
    points[i] = vec3(random_float(&random), random_float(&random), 0);
  for (int i = 0; i < 5; i++) {
    assert_true(triangulate(&triangulator, points, MAX_POINTS, triangles));
    assert_true(triangulator.work < 300 * 1000 * 1000);
  }
  assert_true(triangulator_has_given_up(&triangulator));
  triangulator_free(&triangulator);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shapes),          cmocka_unit_test(test_polygons_without_an_answer),
      cmocka_unit_test(test_large_polygons),  cmocka_unit_test(test_intricate_polygons),
      cmocka_unit_test(test_work_is_limited),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
