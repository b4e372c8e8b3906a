// Sweeps against a slow reference that walks the way in small steps, under transforms too.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/collider.h"
#include "engine/sweep.h"

static float random_between(Random *random, float low, float high) {
  return low + (high - low) * random_float(random);
}

static Vec3 random_point(Random *random, float reach) {
  float x = random_between(random, -reach, reach), y = random_between(random, -reach, reach);
  return vec3(x, y, random_between(random, -reach, reach));
}

// The distance from a point to a triangle by trying many points of it; never below the true one.
static float sampled_distance(UprightSegment segment, Vec3 a, Vec3 b, Vec3 c) {
  enum { SAMPLES = 24 };
  float best = INFINITY;
  for (int i = 0; i <= SAMPLES; i++) {
    for (int k = 0; k <= SAMPLES - i; k++) {
      Vec3 p = vec3_add(vec3_add_scaled(a, vec3_sub(b, a), (float)i / SAMPLES),
                        vec3_scale(vec3_sub(c, a), (float)k / SAMPLES));
      float y = clampf(p.y, segment.low.y, segment.low.y + segment.height);
      float distance = vec3_distance(p, vec3(segment.low.x, y, segment.low.z));
      if (distance < best) best = distance;
    }
  }
  return best;
}

static void distances_agree_with_sampling(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 11);
  for (int i = 0; i < 4000; i++) {
    Vec3 a = random_point(&random, 2), b = random_point(&random, 2), c = random_point(&random, 2);
    UprightSegment segment = {random_point(&random, 3), i % 2 ? random_between(&random, 0, 2) : 0};
    SweepTarget target = sweep_target_triangle(a, b, c);
    Nearest nearest = sweep_nearest(&target, segment);
    float sampled = sampled_distance(segment, a, b, c);
    assert_true(nearest.distance <= sampled + 1e-4f);
    // A segment that passes through is told as deep as the way out is long.
    assert_true(nearest.distance > sampled - 0.35f || (nearest.distance <= 0 && sampled < 0.35f));
    assert_true(fabsf(vec3_length(nearest.normal) - 1) < 1e-4f);
  }
}

// At the contact the gap is the radius, and before it nothing is nearer.
static void contacts_are_the_first_touch(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 12);
  int hits = 0;
  for (int i = 0; i < 20000; i++) {
    Vec3 a = random_point(&random, 2), b = random_point(&random, 2), c = random_point(&random, 2);
    if (vec3_length(vec3_cross(vec3_sub(b, a), vec3_sub(c, a))) < 0.1f) continue;
    UprightSegment segment = {random_point(&random, 8), i % 2 ? 1.2f : 0};
    float radius = random_between(&random, 0.05f, 0.6f), length = random_between(&random, 1, 20);
    Vec3 aim = vec3_add(vec3_scale(vec3_add(a, vec3_add(b, c)), 1.0f / 3), random_point(&random, 2));
    Vec3 direction = vec3_normalize_or(vec3_sub(aim, segment.low), vec3(1, 0, 0));
    SweepTarget target = sweep_target_triangle(a, b, c);
    if (sweep_nearest(&target, segment).distance < radius) continue;
    Contact contact;
    bool is_hit = sweep_segment(segment, radius, direction, length, &target, &contact);
    float end = is_hit ? contact.travelled : length;
    for (int k = 0; k < 40; k++) {
      UprightSegment moved = {vec3_add_scaled(segment.low, direction, end * (float)k / 40), segment.height};
      assert_true(sweep_nearest(&target, moved).distance > radius - 1e-3f);
    }
    if (!is_hit) continue;
    hits++;
    assert_true(fabsf(contact.nearest.distance - radius) < 1e-3f);
    assert_true(vec3_dot(contact.nearest.normal, direction) <= 1e-3f);
  }
  assert_true(hits > 3000);
}

static void grazing_along_a_wall_is_free(void **state) {
  (void)state;
  SweepTarget wall = sweep_target_triangle(vec3(-50, 0, 0), vec3(50, 0, 0), vec3(0, 50, 0));
  UprightSegment segment = {{-3, 0.5f, 0.5f}, 1};
  Contact contact;
  assert_false(sweep_segment(segment, 0.5f, vec3(1, 0, 0), 6, &wall, &contact));
  assert_false(sweep_segment(segment, 0.5f, vec3(0, 0, 1), 6, &wall, &contact));
  assert_true(sweep_segment(segment, 0.5f, vec3(0, 0, -1), 6, &wall, &contact));
  assert_true(contact.travelled == 0);
}

// --- Colliders ---

static const float CUBE_POSITIONS[] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1,
                                       -1, -1, 1,  1, -1, 1,  -1, 1, 1,  1, 1, 1};
static const uint32_t CUBE_INDICES[] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 4, 6, 0, 6, 2,
                                        1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3};

// A cube as a mesh and the same as a box block alike, scaled, mirrored and turned.
static void meshes_and_boxes_agree_under_any_transform(void **state) {
  (void)state;
  Memory memory = {0};
  Error error;
  Random random;
  random_seed(&random, 21);
  Bvh *cube = bvh_build(&memory, (TriangleSoup){CUBE_POSITIONS, CUBE_INDICES, 12}, &error);
  for (int i = 0; i < 300; i++) {
    Vec3 scale =
        vec3(random_between(&random, 0.3f, 3), random_between(&random, 0.3f, 3), random_between(&random, 0.3f, 3));
    if (i % 3 == 0) scale.x = -scale.x;
    Affine place =
        affine_from_trs(random_point(&random, 2),
                        quat_from_axis_angle(random_point(&random, 1), random_between(&random, -3, 3)), scale);
    SweepHit hits[2] = {{.time = 0}, {.time = 0}};
    bool is_hit[2];
    Vec3 from = vec3_scale(vec3_normalize_or(random_point(&random, 1), vec3(1, 0, 0)), 12);
    for (int kind = 0; kind < 2; kind++) {
      ColliderSet *set = colliders_create(&memory, &error);
      Collider collider = {.shape = kind ? COLLIDER_BOX : COLLIDER_MESH,
                           .mesh = cube,
                           .transform = place,
                           .half_size = {1, 1, 1},
                           .layers = 1,
                           .owner = 5};
      int id;
      assert_true(colliders_add(set, &collider, &id, &error) && colliders_refit(set, &error));
      Sweep sweep = {.center = from, .radius = 0.3f, .height = i % 2 ? 1.5f : 0, .motion = vec3_scale(from, -1.6f)};
      is_hit[kind] = colliders_sweep(set, &sweep, &hits[kind]);
      colliders_free(set);
    }
    assert_int_equal(is_hit[0], is_hit[1]);
    if (is_hit[0]) assert_true(fabsf(hits[0].time - hits[1].time) < 1e-3f && hits[0].owner == 5);
  }
  bvh_free(&memory, cube);
  assert_int_equal(memory.live_bytes, 0);
}

// The grid finds the same capsules as looking at each one.
static void the_grid_misses_nobody(void **state) {
  (void)state;
  enum { COUNT = 300 };
  Memory memory = {0};
  Error error;
  Random random;
  random_seed(&random, 31);
  ColliderSet *set = colliders_create(&memory, &error);
  Vec3 places[COUNT];
  for (uint32_t i = 0; i < COUNT; i++) {
    places[i] = vec3(random_between(&random, -30, 30), 0, random_between(&random, -30, 30));
    Collider body = {.shape = COLLIDER_CAPSULE,
                     .transform = AFFINE_IDENTITY,
                     .radius = 0.5f,
                     .height = 1.8f,
                     .layers = 1,
                     .owner = i};
    body.transform.origin = places[i];
    int id;
    assert_true(colliders_add(set, &body, &id, &error));
  }
  assert_true(colliders_refit(set, &error));
  for (int i = 0; i < 400; i++) {
    float radius = i % 10 == 0 ? 20 : random_between(&random, 0.2f, 3);
    Vec3 at = vec3(random_between(&random, -30, 30), 0.9f, random_between(&random, -30, 30));
    uint32_t owners[COUNT];
    Sweep place = {.center = at, .radius = radius};
    int found = colliders_overlap(set, &place, owners, COUNT), expected = 0;
    for (int k = 0; k < COUNT; k++) {
      float gap = sqrtf((at.x - places[k].x) * (at.x - places[k].x) + (at.z - places[k].z) * (at.z - places[k].z));
      expected += gap < radius + 0.5f - 1e-4f;
    }
    assert_true(found >= expected && found <= expected + 1);
  }
  colliders_free(set);
  assert_int_equal(memory.live_bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_agree_with_sampling), cmocka_unit_test(contacts_are_the_first_touch),
      cmocka_unit_test(grazing_along_a_wall_is_free),  cmocka_unit_test(meshes_and_boxes_agree_under_any_transform),
      cmocka_unit_test(the_grid_misses_nobody),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
