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

// --- An independent reference, in double and by search only ---

enum { SEARCH = 36 };

typedef struct Point {
  double x, y, z;
} Point;

static Point between(Point a, Point b, double t) {
  return (Point){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
}

static double distance_to_upright(Point p, Point low, double height) {
  double y = p.y - low.y, over = y < 0 ? y : y > height ? y - height : 0;
  return sqrt((p.x - low.x) * (p.x - low.x) + over * over + (p.z - low.z) * (p.z - low.z));
}

// The distance of a triangle's row, from side to side, from the segment. All these are convex, so thirds find the least.
static double row_distance(const Point corners[3], double row, Point low, double height) {
  Point left = between(corners[0], corners[1], row), right = between(corners[0], corners[2], row);
  double from = 0, to = 1;
  for (int i = 0; i < SEARCH; i++) {
    double first = from + (to - from) / 3, second = to - (to - from) / 3;
    bool goes_left = distance_to_upright(between(left, right, first), low, height) <
                     distance_to_upright(between(left, right, second), low, height);
    if (goes_left) to = second;
    if (!goes_left) from = first;
  }
  return distance_to_upright(between(left, right, (from + to) / 2), low, height);
}

static double slow_distance(const Point corners[3], Point low, double height) {
  double from = 0, to = 1;
  for (int i = 0; i < SEARCH; i++) {
    double first = from + (to - from) / 3, second = to - (to - from) / 3;
    bool goes_left = row_distance(corners, first, low, height) < row_distance(corners, second, low, height);
    if (goes_left) to = second;
    if (!goes_left) from = first;
  }
  return row_distance(corners, (from + to) / 2, low, height);
}

static Point point_of(Vec3 v) {
  return (Point){v.x, v.y, v.z};
}

// The first time in 0..1 at which the distance is down to the radius, or 2: the lowest place of the way by thirds, then the
// crossing before it by halves. `least` gets the least distance.
static double slow_sweep(const Point corners[3], Point low, double height, Vec3 motion, double radius, double *least) {
  double from = 0, to = 1;
  const Point end = {low.x + motion.x, low.y + motion.y, low.z + motion.z};
  for (int i = 0; i < SEARCH; i++) {
    double first = from + (to - from) / 3, second = to - (to - from) / 3;
    bool goes_left = slow_distance(corners, between(low, end, first), height) <
                     slow_distance(corners, between(low, end, second), height);
    if (goes_left) to = second;
    if (!goes_left) from = first;
  }
  *least = slow_distance(corners, between(low, end, to), height);
  if (*least > radius) return 2;
  for (from = 0; to - from > 1e-7;) {
    double middle = (from + to) / 2;
    if (slow_distance(corners, between(low, end, middle), height) > radius)
      from = middle;
    else
      to = middle;
  }
  return from;
}

static void sweeps_agree_with_a_slow_search(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 41);
  int hits = 0, misses = 0;
  for (int i = 0; i < 500; i++) {
    Vec3 a = random_point(&random, 2), b = random_point(&random, 2), c = random_point(&random, 2);
    // Slivers, large triangles and upright walls among them.
    if (i % 5 == 1) c = vec3_add_scaled(vec3_lerp(a, b, random_float(&random)), random_point(&random, 1), 1e-3f);
    if (i % 5 == 2) a = vec3_scale(a, 100);
    if (i % 5 == 3) b = vec3(a.x, a.y + 2, a.z);
    UprightSegment segment = {random_point(&random, 6), i % 2 ? random_between(&random, 0, 2) : 0};
    float radius = random_between(&random, 0.02f, 0.8f);
    Vec3 aim =
        vec3_add(vec3_lerp(a, vec3_lerp(b, c, random_float(&random)), random_float(&random)), random_point(&random, 1));
    Vec3 motion = vec3_scale(vec3_sub(aim, segment.low), random_between(&random, 0.5f, 2));
    const Point corners[3] = {point_of(a), point_of(b), point_of(c)};
    if (slow_distance(corners, point_of(segment.low), segment.height) < radius + 1e-4) continue;
    double least, time = slow_sweep(corners, point_of(segment.low), segment.height, motion, radius, &least);
    SweepTarget target = sweep_target_triangle(a, b, c);
    Contact contact;
    float length = vec3_length(motion);
    bool is_hit = sweep_segment(segment, radius, vec3_scale(motion, 1 / length), length, &target, &contact);
    // What only grazes may go either way.
    if (fabs(least - radius) < 5e-5) continue;
    assert_int_equal(is_hit, time <= 1);
    hits += is_hit;
    misses += !is_hit;
    if (!is_hit) continue;
    // Told as the gap it makes: where the way runs along a surface its end is as uncertain as the direction is rounded.
    double slope = fabs((double)vec3_dot(motion, contact.nearest.normal)) / length;
    assert_true(fabs(contact.travelled - time * length) * slope < 4e-5);
  }
  assert_true(hits > 100 && misses > 50);
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

static int add(ColliderSet *set, Collider collider) {
  Error error;
  int id;
  collider.layers = 1;
  assert_true(colliders_add(set, &collider, &id, &error));
  assert_true(colliders_refit(set, &error));
  return id;
}

// Somebody who has moved far since the last refit is found where he is, and no longer where he was.
static void who_moves_is_seen_at_once(void **state) {
  (void)state;
  Memory memory = {0};
  Error error;
  ColliderSet *set = colliders_create(&memory, &error);
  int id =
      add(set, (Collider){.shape = COLLIDER_CAPSULE, .transform = AFFINE_IDENTITY, .radius = 0.4f, .height = 1.8f});
  for (int i = 0; i < 200; i++) {
    Vec3 place = vec3(1.7f * (float)i, 0, -0.9f * (float)i);
    colliders_get(set, id)->transform.origin = place;
    colliders_touch(set, id);
    SweepHit hit;
    Sweep here = {.center = vec3(place.x - 3, 0.9f, place.z), .radius = 0.3f, .motion = {6, 0, 0}};
    assert_true(colliders_sweep(set, &here, &hit) && fabsf(hit.time * 6 - 2.3f) < 1e-4f);
    here.center.x -= 50;
    assert_false(colliders_sweep(set, &here, &hit));
  }
  uint32_t owner;
  Sweep there = {.center = colliders_get(set, id)->transform.origin, .radius = 0.3f};
  assert_int_equal(colliders_overlap(set, &there, &owner, 1), 1);
  colliders_remove(set, id);
  assert_int_equal(colliders_overlap(set, &there, &owner, 1), 0);
  colliders_free(set);
}

static void boxes_are_solid(void **state) {
  (void)state;
  Memory memory = {0};
  Error error;
  ColliderSet *set = colliders_create(&memory, &error);
  add(set, (Collider){.shape = COLLIDER_BOX, .transform = AFFINE_IDENTITY, .half_size = {5, 4, 3}, .owner = 9});
  Sweep inside = {.center = {1, 0.5f, -2}, .radius = 0.25f};
  SweepHit hit;
  uint32_t owner;
  assert_int_equal(colliders_overlap(set, &inside, &owner, 1), 1);
  assert_true(colliders_penetration(set, &inside, &hit));
  assert_true(hit.starts_inside && fabsf(hit.depth - 1.25f) < 1e-5f && hit.normal.z == -1);
  inside.motion = vec3(20, 0, 0);
  assert_false(colliders_sweep(set, &inside, &hit));
  colliders_free(set);
}

// Nothing that a caller can hand over makes a number that is none.
static void odd_input_is_harmless(void **state) {
  (void)state;
  const float odd[] = {0, -1, 1e-30f, 1e30f, -3e38f, INFINITY, NAN};
  const float positions[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 5, 5, 5, 5, 5, 5, 1e5f, 0, 0};
  const uint32_t indices[] = {0, 1, 2, 0, 0, 1, 3, 4, 0, 0, 1, 5, 2, 5, 3};
  Memory memory = {0};
  Error error;
  Random random;
  random_seed(&random, 3);
  Bvh *bvh = bvh_build(&memory, (TriangleSoup){positions, indices, 5}, &error);
  ColliderSet *set = colliders_create(&memory, &error);
  add(set, (Collider){.shape = COLLIDER_MESH, .mesh = bvh, .transform = AFFINE_IDENTITY});
  add(set, (Collider){.shape = COLLIDER_MESH, .mesh = bvh, .transform = {{1, 0, 0}, {0, 0, 0}, {0, 0, 1}, {0, 0, 0}}});
  add(set,
      (Collider){
          .shape = COLLIDER_BOX, .transform = {{1, 0, 0}, {0, 0, 0}, {0, 0, 1}, {0, 0, 0}}, .half_size = {1, 1, 1}});
  add(set, (Collider){.shape = COLLIDER_CAPSULE, .transform = AFFINE_IDENTITY});
  add(set, (Collider){.shape = COLLIDER_SPHERE, .transform = AFFINE_IDENTITY, .radius = 1});
  for (int i = 0; i < 20000; i++) {
    float v[8];
    for (int k = 0; k < 8; k++) {
      uint32_t pick = random_next(&random) % 20;
      v[k] = pick < 7 ? odd[pick] : random_between(&random, -2, 2);
    }
    Sweep sweep = {{v[0], v[1], v[2]}, fabsf(v[3]), v[4], {v[5], v[6], v[7]}, {0, NULL, 0}};
    bool is_odd = !vec3_is_finite(sweep.center) || !vec3_is_finite(sweep.motion) || !isfinite(v[3]) || !isfinite(v[4]);
    SweepHit hit;
    uint32_t owner;
    if (colliders_sweep(set, &sweep, &hit) && !is_odd)
      assert_true(hit.time >= 0 && hit.time <= 1 && vec3_is_finite(hit.normal) && vec3_is_finite(hit.point));
    if (colliders_penetration(set, &sweep, &hit) && !is_odd) assert_true(hit.depth >= 0 && vec3_is_finite(hit.normal));
    (void)colliders_overlap(set, &sweep, &owner, 1);
  }
  colliders_free(set);
  bvh_free(&memory, bvh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_agree_with_sampling), cmocka_unit_test(contacts_are_the_first_touch),
      cmocka_unit_test(grazing_along_a_wall_is_free),  cmocka_unit_test(meshes_and_boxes_agree_under_any_transform),
      cmocka_unit_test(the_grid_misses_nobody),        cmocka_unit_test(sweeps_agree_with_a_slow_search),
      cmocka_unit_test(who_moves_is_seen_at_once),     cmocka_unit_test(boxes_are_solid),
      cmocka_unit_test(odd_input_is_harmless),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
