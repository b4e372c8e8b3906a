// Trees against brute force on random triangles, and the edges of the ray tests.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/bvh.h"

enum { TRIANGLES = 600 };

typedef struct Soup {
  float positions[TRIANGLES * 9];
  uint32_t indices[TRIANGLES * 3];
} Soup;

static float random_between(Random *random, float low, float high) {
  return low + (high - low) * random_float(random);
}

static Vec3 random_point(Random *random, float reach) {
  float x = random_between(random, -reach, reach), y = random_between(random, -reach, reach);
  return vec3(x, y, random_between(random, -reach, reach));
}

static TriangleSoup fill(Soup *soup, Random *random) {
  for (int i = 0; i < TRIANGLES; i++) {
    Vec3 at = random_point(random, 20);
    for (int k = 0; k < 3; k++) {
      // Every tenth triangle is a line or a point, which nothing can hit.
      Vec3 corner = i % 10 == 0 ? at : vec3_add(at, random_point(random, 2));
      memcpy(&soup->positions[9 * i + 3 * k], &corner, sizeof corner);
      soup->indices[3 * i + k] = (uint32_t)(3 * i + k);
    }
  }
  return (TriangleSoup){soup->positions, soup->indices, TRIANGLES};
}

static Vec3 corner_of(const Soup *soup, int triangle, int k) {
  const float *p = &soup->positions[9 * triangle + 3 * k];
  return vec3(p[0], p[1], p[2]);
}

static bool brute_raycast(const Soup *soup, const Ray *ray, TriangleHit *hit) {
  Ray shortened = *ray;
  bool is_hit = false;
  for (int i = 0; i < TRIANGLES; i++) {
    if (!ray_hits_triangle(&shortened, corner_of(soup, i, 0), corner_of(soup, i, 1), corner_of(soup, i, 2), hit))
      continue;
    hit->triangle = i;
    shortened.max_distance = hit->distance;
    is_hit = true;
  }
  return is_hit;
}

static void rays_agree_with_brute_force(void **state) {
  (void)state;
  static Soup soup;
  Memory memory = {0};
  Random random;
  Error error;
  random_seed(&random, 5);
  Bvh *bvh = bvh_build(&memory, fill(&soup, &random), &error);
  int hits = 0;
  for (int i = 0; i < 20000; i++) {
    Ray ray = {random_point(&random, 25), random_point(&random, 1), random_between(&random, 1, 200), i % 2 == 0};
    TriangleHit expected = {0}, found = {0};
    bool is_hit = brute_raycast(&soup, &ray, &expected);
    assert_int_equal(bvh_raycast(bvh, &ray, &found), is_hit);
    hits += is_hit;
    if (!is_hit) continue;
    assert_int_equal(found.triangle, expected.triangle);
    assert_true(found.distance == expected.distance && found.u == expected.u && found.v == expected.v);
  }
  assert_true(hits > 500);
  bvh_free(&memory, bvh);
  assert_int_equal(memory.live_bytes, 0);
}

static float mark(void *user, int triangle, Vec3 a, Vec3 b, Vec3 c, float limit) {
  (void)a;
  (void)b;
  (void)c;
  ((bool *)user)[triangle] = true;
  return limit;
}

// Whatever a query visits besides, it leaves out nothing that the box meets.
static void queries_miss_nothing(void **state) {
  (void)state;
  static Soup soup;
  Memory memory = {0};
  Random random;
  Error error;
  random_seed(&random, 9);
  Bvh *bvh = bvh_build(&memory, fill(&soup, &random), &error);
  for (int i = 0; i < 500; i++) {
    Vec3 at = random_point(&random, 20), half = vec3_abs(random_point(&random, 4));
    Bounds box = {vec3_sub(at, half), vec3_add(at, half)};
    bool visited[TRIANGLES] = {false};
    bvh_query(bvh, box, mark, visited);
    for (int k = 0; k < TRIANGLES; k++) {
      Bounds bounds = BOUNDS_EMPTY;
      for (int corner = 0; corner < 3; corner++)
        bounds = bounds_add_point(bounds, corner_of(&soup, k, corner));
      if (k % 10 != 0 && bounds_overlap(bounds, box)) assert_true(visited[k]);
    }
  }
  bvh_free(&memory, bvh);
}

// Triangles that shrink towards a point make the deepest trees there are.
static void deep_trees_are_safe(void **state) {
  (void)state;
  enum { COUNT = 3000 };
  static float positions[COUNT * 9];
  static uint32_t indices[COUNT * 3];
  Memory memory = {0};
  Error error;
  for (int i = 0; i < COUNT; i++) {
    float size = (float)vmath_pow(0.98, i);
    const float corners[9] = {size, 0, 0, size, size * 0.01f, 0, size, 0, size * 0.01f};
    memcpy(&positions[9 * i], corners, sizeof corners);
    for (int k = 0; k < 3; k++)
      indices[3 * i + k] = (uint32_t)(3 * i + k);
  }
  Bvh *bvh = bvh_build(&memory, (TriangleSoup){positions, indices, COUNT}, &error);
  Ray ray = {{2, 0.0001f, 0.0001f}, {-1, 0, 0}, 10, true};
  TriangleHit hit;
  assert_true(bvh_raycast(bvh, &ray, &hit));
  assert_int_equal(hit.triangle, 0);
  bvh_free(&memory, bvh);
}

static void nothing_is_a_tree_too(void **state) {
  (void)state;
  Memory memory = {0};
  Error error;
  Bvh *bvh = bvh_build(&memory, (TriangleSoup){NULL, NULL, 0}, &error);
  Ray ray = {{0, 0, 0}, {1, 0, 0}, 10, true};
  TriangleHit hit;
  assert_false(bvh_raycast(bvh, &ray, &hit));
  assert_true(bounds_is_empty(bvh_bounds(bvh)));
  bvh_free(&memory, bvh);
  for (long n = 1; n < 8; n++) {
    static Soup soup;
    Random random;
    random_seed(&random, 1);
    TriangleSoup triangles = fill(&soup, &random);
    memory.fail_after = n;
    bvh_free(&memory, bvh_build(&memory, triangles, &error));
    memory.fail_after = 0;
    assert_int_equal(memory.live_bytes, 0);
  }
}

static void rays_along_a_face_are_numbers(void **state) {
  (void)state;
  Bounds box = {{-1, -1, -1}, {1, 1, 1}};
  float entry;
  Ray ray = {{1, 0, 5}, {0, 0, -1}, 100, false};
  assert_true(ray_hits_bounds(&ray, box, &entry) && entry == 4);
  ray.origin.x = 1.0001f;
  assert_false(ray_hits_bounds(&ray, box, &entry));
  ray = (Ray){{0, 0, 0}, {0, 0, -1}, 100, false};
  assert_true(ray_hits_bounds(&ray, box, &entry) && entry == 0);
  ray = (Ray){{0, 0, -5}, {0, 0, -1}, 100, false};
  assert_false(ray_hits_bounds(&ray, box, &entry));
  ray = (Ray){{0, 0, 5}, {0, 0, 0}, 100, false};
  assert_false(ray_hits_bounds(&ray, box, &entry));
}

static void back_faces_are_missed_unless_asked_for(void **state) {
  (void)state;
  Vec3 a = {-1, -1, 0}, b = {1, -1, 0}, c = {0, 1, 0};
  Ray front = {{0, 0, 1}, {0, 0, -2}, 10, false}, back = {{0, 0, -1}, {0, 0, 1}, 10, false};
  TriangleHit hit;
  assert_true(ray_hits_triangle(&front, a, b, c, &hit) && hit.distance == 0.5f);
  assert_false(ray_hits_triangle(&back, a, b, c, &hit));
  back.hits_backfaces = true;
  assert_true(ray_hits_triangle(&back, a, b, c, &hit) && hit.distance == 1);
}

// A bumpy closed shell around the origin: a ray from inside cannot get out, least of all through an edge or a corner.
static void closed_shells_leave_no_gap(void **state) {
  (void)state;
  enum { RINGS = 12, SIDES = 24, COUNT = 2 * RINGS * SIDES };
  static float positions[(RINGS + 1) * SIDES * 3];
  static uint32_t indices[COUNT * 3];
  Memory memory = {0};
  Error error;
  Random random;
  random_seed(&random, 77);
  for (int i = 0; i <= RINGS; i++) {
    for (int k = 0; k < SIDES; k++) {
      bool is_pole = i == 0 || i == RINGS;
      double down = PI * i / RINGS, round = 2 * PI * k / SIDES, size = is_pole ? 5 : random_between(&random, 4, 6);
      float *p = &positions[(i * SIDES + k) * 3];
      p[0] = is_pole ? 0 : (float)(size * vmath_sin(down) * vmath_cos(round));
      p[1] = (float)(size * vmath_cos(down));
      p[2] = is_pole ? 0 : (float)(size * vmath_sin(down) * vmath_sin(round));
    }
  }
  for (uint32_t i = 0; i < RINGS * SIDES; i++) {
    uint32_t next = i % SIDES == SIDES - 1 ? i + 1 - SIDES : i + 1;
    const uint32_t corners[6] = {i, i + SIDES, next, next, i + SIDES, next + SIDES};
    memcpy(&indices[6 * i], corners, sizeof corners);
  }
  Bvh *bvh = bvh_build(&memory, (TriangleSoup){positions, indices, COUNT}, &error);
  for (int i = 0; i < 60000; i++) {
    const float *p = &positions[3 * indices[random_next(&random) % (COUNT * 3)]];
    const float *q = &positions[3 * indices[random_next(&random) % (COUNT * 3)]];
    Vec3 to = vec3(p[0], p[1], p[2]), other = vec3(q[0], q[1], q[2]);
    if (i % 3 == 1) to = vec3_lerp(to, other, 0.5f);
    Ray ray = {random_point(&random, 1.5f), {0, 0, 0}, INFINITY, true};
    if (i % 3 == 2) {
      // Along an edge, from a point beside it.
      uint32_t triangle = random_next(&random) % COUNT;
      const float *a = &positions[3 * indices[3 * triangle]], *b = &positions[3 * indices[3 * triangle + 1]];
      to = vec3_lerp(vec3(a[0], a[1], a[2]), vec3(b[0], b[1], b[2]), random_float(&random));
    }
    ray.direction = vec3_sub(to, ray.origin);
    TriangleHit hit;
    assert_true(bvh_raycast(bvh, &ray, &hit));
  }
  bvh_free(&memory, bvh);
}

static void the_lowest_triangle_wins_a_tie(void **state) {
  (void)state;
  enum { COPIES = 40 };
  const float positions[9] = {-1, -1, 0, 1, -1, 0, 0, 1, 0};
  uint32_t indices[COPIES * 3];
  Memory memory = {0};
  Error error;
  for (uint32_t i = 0; i < COPIES * 3; i++)
    indices[i] = i % 3;
  Bvh *bvh = bvh_build(&memory, (TriangleSoup){positions, indices, COPIES}, &error);
  Ray ray = {{0.1f, 0, 3}, {0, 0, -1}, 10, false};
  TriangleHit hit;
  assert_true(bvh_raycast(bvh, &ray, &hit));
  assert_int_equal(hit.triangle, 0);
  bvh_free(&memory, bvh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rays_agree_with_brute_force),   cmocka_unit_test(queries_miss_nothing),
      cmocka_unit_test(deep_trees_are_safe),           cmocka_unit_test(nothing_is_a_tree_too),
      cmocka_unit_test(rays_along_a_face_are_numbers), cmocka_unit_test(back_faces_are_missed_unless_asked_for),
      cmocka_unit_test(closed_shells_leave_no_gap),    cmocka_unit_test(the_lowest_triangle_wins_a_tie),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
