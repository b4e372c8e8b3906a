// The character controller: floors, walls, stairs, slopes, ceilings, wedges, and random walks that must stay inside.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "array.h"
#include "engine/mover.h"

#define STEP_SECONDS (1.0f / 60)

typedef struct Level {
  Memory memory;
  ARRAY(float) positions;
  ARRAY(uint32_t) indices;
  Bvh *bvh;
  ColliderSet *set;
} Level;

static const MoverShape PERSON = {.radius = 0.4f, .height = 1.8f, .step_height = 0.3f, .slope_limit = 0.785398f};

static float random_between(Random *random, float low, float high) {
  return low + (high - low) * random_float(random);
}

// The order in which the arguments of a call are computed is the compiler's; the walks are to be the same everywhere.
static Vec3 random_within(Random *random, Vec3 low, Vec3 high) {
  float x = random_between(random, low.x, high.x), y = random_between(random, low.y, high.y);
  return vec3(x, y, random_between(random, low.z, high.z));
}

static void add_triangle(Level *level, Vec3 a, Vec3 b, Vec3 c) {
  const Vec3 corners[] = {a, b, c};
  for (int i = 0; i < 3; i++) {
    array_push(&level->memory, &level->indices, (uint32_t)level->positions.count / 3);
    array_push(&level->memory, &level->positions, corners[i].x);
    array_push(&level->memory, &level->positions, corners[i].y);
    array_push(&level->memory, &level->positions, corners[i].z);
  }
}

static void add_quad(Level *level, Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
  add_triangle(level, a, b, c);
  add_triangle(level, a, c, d);
}

static void add_box(Level *level, Vec3 low, Vec3 high) {
  Vec3 p[8];
  for (int i = 0; i < 8; i++)
    p[i] = vec3(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
  add_quad(level, p[0], p[2], p[3], p[1]);
  add_quad(level, p[4], p[5], p[7], p[6]);
  add_quad(level, p[0], p[4], p[6], p[2]);
  add_quad(level, p[1], p[3], p[7], p[5]);
  add_quad(level, p[0], p[1], p[5], p[4]);
  add_quad(level, p[2], p[6], p[7], p[3]);
}

static void add_floor(Level *level, float half, int tiles) {
  float size = 2 * half / (float)tiles;
  for (int x = 0; x < tiles; x++) {
    for (int z = 0; z < tiles; z++) {
      Vec3 low = vec3(-half + size * (float)x, 0, -half + size * (float)z);
      add_quad(level, low, vec3(low.x, 0, low.z + size), vec3(low.x + size, 0, low.z + size),
               vec3(low.x + size, 0, low.z));
    }
  }
}

static void finish_under(Level *level, Affine transform) {
  Error error;
  TriangleSoup soup = {level->positions.items, level->indices.items, level->indices.count / 3};
  level->bvh = bvh_build(&level->memory, soup, &error);
  level->set = colliders_create(&level->memory, &error);
  Collider mesh = {.shape = COLLIDER_MESH, .mesh = level->bvh, .transform = transform, .layers = 1, .owner = 1};
  int id;
  assert_true(colliders_add(level->set, &mesh, &id, &error));
  assert_true(colliders_refit(level->set, &error));
}

static void finish(Level *level) {
  finish_under(level, AFFINE_IDENTITY);
}

static void drop_level(Level *level) {
  colliders_free(level->set);
  bvh_free(&level->memory, level->bvh);
  array_free(&level->memory, &level->positions);
  array_free(&level->memory, &level->indices);
  assert_int_equal(level->memory.live_bytes, 0);
}

static void step_with(const Level *level, MoverState *state, Vec3 walk, float jump) {
  MoverStep step = {.walk = walk, .jump_speed = jump, .gravity = 9.81f, .seconds = STEP_SECONDS};
  mover_step(level->set, &PERSON, state, &step);
  assert_true(vec3_is_finite(state->position));
}

static void walk_for(const Level *level, MoverState *state, Vec3 walk, float seconds) {
  for (int i = 0; i < (int)(seconds * 60); i++)
    step_with(level, state, walk, 0);
}

static void it_falls_and_stands_still(void **unused) {
  (void)unused;
  Level level = {0};
  add_floor(&level, 20, 10);
  finish(&level);
  MoverState state = {.position = {0.3f, 3, 0.7f}};
  walk_for(&level, &state, vec3(0, 0, 0), 2);
  assert_true(state.on_ground);
  assert_true(fabsf(state.position.y) < 1e-3f);
  Vec3 rest = state.position;
  walk_for(&level, &state, vec3(0, 0, 0), 60);
  assert_true(vec3_equals(state.position, rest));
  drop_level(&level);
}

// Over the edges of many flat tiles it neither catches nor bobs nor leaves the ground.
static void seams_are_not_felt(void **unused) {
  (void)unused;
  Level level = {0};
  add_floor(&level, 30, 61);
  finish(&level);
  MoverState state = {.position = {-20, 0, -20}, .on_ground = true};
  for (int i = 0; i < 600; i++) {
    Vec3 before = state.position;
    step_with(&level, &state, vec3(2.1f, 0, 2.9f), 0);
    assert_true(state.on_ground);
    assert_true(fabsf(state.position.x - before.x - 2.1f / 60) < 1e-4f);
    assert_true(fabsf(state.position.z - before.z - 2.9f / 60) < 1e-4f);
    assert_true(fabsf(state.position.y) < 1e-3f);
  }
  drop_level(&level);
}

static void walls_hold_at_any_speed(void **unused) {
  (void)unused;
  Level level = {0};
  add_floor(&level, 200, 4);
  add_box(&level, vec3(-50, 0, -10.05f), vec3(50, 4, -9.95f));
  finish(&level);
  const float speeds[] = {1, 10, 100, 500, 5000};
  for (int i = 0; i < 5; i++) {
    MoverState state = {.position = {1.7f, 0, 0}, .on_ground = true};
    // At 45 degrees it slides along without passing.
    walk_for(&level, &state, vec3(0, 0, -speeds[i]), 12 / (speeds[i] < 12 ? speeds[i] : 12) * 2);
    assert_true(state.position.z > -9.95f + 0.4f - 1e-3f && state.position.z < -9.95f + 0.4f + 1e-2f);
    assert_true(fabsf(state.position.x - 1.7f) < 1e-3f);
    float before = state.position.x;
    walk_for(&level, &state, vec3(3, 0, -3), 1);
    assert_true(state.position.x > before + 2.9f);
    assert_true(state.position.z > -9.95f + 0.4f - 1e-3f);
  }
  drop_level(&level);
}

static void stairs_are_climbed_up_to_the_step_height(void **unused) {
  (void)unused;
  const float heights[] = {0.1f, 0.25f, 0.3f, 0.4f, 0.6f};
  for (int i = 0; i < 5; i++) {
    Level level = {0};
    add_floor(&level, 20, 4);
    for (int k = 0; k < 8; k++)
      add_box(&level, vec3(-3, 0, -2 - 0.4f * (float)(k + 1)),
              vec3(3, heights[i] * (float)(k + 1), -2 - 0.4f * (float)k));
    add_box(&level, vec3(-3, 0, -12), vec3(3, heights[i] * 8, -5.2f));
    finish(&level);
    MoverState state = {.position = {0, 0, 0}, .on_ground = true};
    walk_for(&level, &state, vec3(0, 0, -3), 2.5f);
    if (heights[i] <= 0.3f) {
      assert_true(state.on_ground);
      assert_true(fabsf(state.position.y - heights[i] * 8) < 0.01f);
      // And down again without leaving the ground.
      for (int k = 0; k < 150; k++) {
        step_with(&level, &state, vec3(0, 0, 3), 0);
        assert_true(state.on_ground);
      }
      assert_true(fabsf(state.position.y) < 0.01f);
    } else {
      assert_true(state.position.y < 0.05f);
      assert_true(state.position.z > -2 + 0.4f - 1e-2f);
    }
    drop_level(&level);
  }
}

static void add_slope(Level *level, float degrees) {
  float rise = 20 * (float)(vmath_sin(degrees * RADIANS_PER_DEGREE) / vmath_cos(degrees * RADIANS_PER_DEGREE));
  add_floor(level, 20, 4);
  add_quad(level, vec3(-20, 0, -2), vec3(20, 0, -2), vec3(20, rise, -22), vec3(-20, rise, -22));
}

static void slopes_are_walked_up_to_the_limit(void **unused) {
  (void)unused;
  const float degrees[] = {10, 30, 44, 50, 60};
  for (int i = 0; i < 5; i++) {
    Level level = {0};
    add_slope(&level, degrees[i]);
    finish(&level);
    MoverState state = {.position = {0, 0, 0}, .on_ground = true};
    walk_for(&level, &state, vec3(0, 0, -3), 2);
    if (degrees[i] < 45) {
      assert_true(fabsf(state.position.z + 6) < 0.1f);
      assert_true(state.on_ground);
      Vec3 rest = state.position;
      walk_for(&level, &state, vec3(0, 0, 0), 5);
      assert_true(vec3_distance(rest, state.position) < 1e-4f);
      for (int k = 0; k < 60; k++) {
        step_with(&level, &state, vec3(0, 0, 3), 0);
        assert_true(state.on_ground);
      }
    } else {
      assert_true(state.position.z > -2.3f);
      assert_true(state.position.y < 0.3f);
      // Dropped onto it, it slides down.
      MoverState dropped = {.position = {0, 9, -5}};
      walk_for(&level, &dropped, vec3(0, 0, 0), 6);
      assert_true(dropped.position.y < 0.3f);
    }
    drop_level(&level);
  }
}

static void ceilings_stop_a_jump(void **unused) {
  (void)unused;
  Level level = {0};
  add_floor(&level, 10, 2);
  add_box(&level, vec3(-5, 2.1f, -5), vec3(5, 2.3f, 5));
  finish(&level);
  MoverState state = {.position = {0, 0, 0}, .on_ground = true};
  float highest = 0;
  step_with(&level, &state, vec3(0, 0, 0), 5);
  for (int i = 0; i < 120; i++) {
    if (state.position.y > highest) highest = state.position.y;
    step_with(&level, &state, vec3(0, 0, 0), 0);
  }
  assert_true(highest > 0.25f && highest < 0.31f);
  assert_true(state.on_ground && fabsf(state.position.y) < 1e-3f);
  drop_level(&level);
}

static void a_wedge_neither_lets_through_nor_shakes(void **unused) {
  (void)unused;
  Level level = {0};
  add_floor(&level, 20, 4);
  add_quad(&level, vec3(-4, 0, 0), vec3(0, 0, -10), vec3(0, 5, -10), vec3(-4, 5, 0));
  add_quad(&level, vec3(0, 0, -10), vec3(4, 0, 0), vec3(4, 5, 0), vec3(0, 5, -10));
  finish(&level);
  MoverState state = {.position = {0.2f, 0, 2}, .on_ground = true};
  walk_for(&level, &state, vec3(0, 0, -20), 3);
  Vec3 rest = state.position;
  assert_true(rest.z > -9 && rest.z < -7);
  for (int i = 0; i < 120; i++) {
    step_with(&level, &state, vec3(0, 0, -20), 0);
    assert_true(vec3_distance(rest, state.position) < 0.02f);
  }
  drop_level(&level);
}

static void bodies_block_and_are_no_ground(void **unused) {
  (void)unused;
  Level level = {0};
  Error error;
  int id;
  add_floor(&level, 20, 4);
  finish(&level);
  Collider body = {
      .shape = COLLIDER_CAPSULE, .transform = AFFINE_IDENTITY, .radius = 0.5f, .height = 1.2f, .layers = 2, .owner = 7};
  body.transform.origin = vec3(0, 0, -5);
  assert_true(colliders_add(level.set, &body, &id, &error));
  assert_true(colliders_refit(level.set, &error));
  MoverState state = {.position = {0, 0, 0}, .on_ground = true};
  walk_for(&level, &state, vec3(0, 0, -4), 3);
  assert_true(fabsf(state.position.z + 4.1f) < 0.01f);
  assert_true(fabsf(state.position.y) < 1e-3f);
  MoverState above = {.position = {0.1f, 4, -5}};
  walk_for(&level, &above, vec3(0, 0, 0), 4);
  assert_true(above.position.y < 0.1f);
  drop_level(&level);
}

static void what_overlaps_is_pushed_out(void **unused) {
  (void)unused;
  Level level = {0};
  add_floor(&level, 20, 4);
  add_box(&level, vec3(-1, 0, -1), vec3(1, 3, 1));
  finish(&level);
  MoverState state = {.position = {1.2f, 0, 0}, .on_ground = true};
  walk_for(&level, &state, vec3(0, 0, 0), 1);
  assert_true(state.position.x > 1.399f);
  drop_level(&level);
}

// A plane of crooked triangles under `slope`, around a place that may be far away.
static void add_crooked_plane(Level *level, Random *random, Vec3 normal, Vec3 origin, float size) {
  enum { TILES = 48 };
  static Vec3 points[TILES + 1][TILES + 1];
  for (int i = 0; i <= TILES; i++) {
    for (int k = 0; k <= TILES; k++) {
      float x = ((float)(i - TILES / 2) + random_between(random, -0.4f, 0.4f)) * size;
      float z = ((float)(k - TILES / 2) + random_between(random, -0.4f, 0.4f)) * size;
      points[i][k] = vec3_add(origin, vec3(x, -(normal.x * x + normal.z * z) / normal.y, z));
    }
  }
  for (int i = 0; i < TILES; i++) {
    for (int k = 0; k < TILES; k++)
      add_quad(level, points[i][k], points[i][k + 1], points[i + 1][k + 1], points[i + 1][k]);
  }
}

// Whatever the size of the triangles, the slope and the speed, every step is exactly as long as wanted.
static void slopes_have_no_seams(void **unused) {
  (void)unused;
  for (int seed = 0; seed < 24; seed++) {
    Random random;
    random_seed(&random, (uint64_t)seed + 1);
    Level level = {0};
    float slope = 0.2f * (float)(seed % 4), speed = seed % 5 == 0 ? 300 : random_between(&random, 0.4f, 15);
    float size = speed > 100 ? 20 : random_between(&random, 0.1f, 2);
    double turned = random_between(&random, 0, 6.28f), heading = random_between(&random, 0, 6.28f);
    Vec3 normal = {(float)(vmath_sin(slope) * vmath_cos(turned)), (float)vmath_cos(slope),
                   (float)(vmath_sin(slope) * vmath_sin(turned))};
    Vec3 walk = {speed * (float)vmath_cos(heading), 0, speed * (float)vmath_sin(heading)};
    add_crooked_plane(&level, &random, normal, vec3(20, 0, -20), size);
    finish(&level);
    MoverState state = {.position = {20, 0.5f, -20}};
    walk_for(&level, &state, vec3(0, 0, 0), 1);
    float reach = 22 * size - speed / 60;
    while (fabsf(state.position.x - 20) < reach && fabsf(state.position.z + 20) < reach) {
      Vec3 before = state.position;
      step_with(&level, &state, walk, 0);
      assert_true(state.on_ground);
      assert_true(fabsf(state.position.x - before.x - walk.x / 60) < 5e-5f);
      assert_true(fabsf(state.position.z - before.z - walk.z / 60) < 5e-5f);
    }
    drop_level(&level);
  }
}

static int add_collider(Level *level, Collider collider) {
  Error error;
  int id;
  collider.layers = 1;
  assert_true(colliders_add(level->set, &collider, &id, &error));
  assert_true(colliders_refit(level->set, &error));
  return id;
}

static Affine at_place(float x, float y, float z) {
  Affine place = AFFINE_IDENTITY;
  place.origin = vec3(x, y, z);
  return place;
}

static void boxes_and_spheres_can_be_stood_on(void **unused) {
  (void)unused;
  Level level = {0};
  add_floor(&level, 20, 4);
  finish(&level);
  add_collider(&level,
               (Collider){.shape = COLLIDER_BOX, .transform = at_place(0, 1, 0), .half_size = {2, 1, 2}, .owner = 3});
  add_collider(&level, (Collider){.shape = COLLIDER_SPHERE, .transform = at_place(8, 1, 0), .radius = 1, .owner = 4});
  for (int i = 0; i < 2; i++) {
    MoverState state = {.position = {8 * (float)i, 4, 0}};
    walk_for(&level, &state, vec3(0, 0, 0), 2);
    assert_true(state.on_ground && fabsf(state.position.y - 2) < 1e-3f);
    assert_int_equal(state.ground_owner, 3 + i);
  }
  drop_level(&level);
}

// The very middle of a head is no place to stay either.
static void nobody_stands_on_a_head(void **unused) {
  (void)unused;
  Level level = {0};
  add_floor(&level, 20, 4);
  finish(&level);
  add_collider(&level,
               (Collider){.shape = COLLIDER_CAPSULE, .transform = AFFINE_IDENTITY, .radius = 0.4f, .height = 1.8f});
  MoverState state = {.position = {0, 5, 0}};
  walk_for(&level, &state, vec3(0, 0, 0), 5);
  assert_true(state.on_ground && fabsf(state.position.y) < 1e-3f);
  drop_level(&level);
}

// A lift carries up and down, without ever losing who stands on it.
static void a_lift_keeps_its_passenger(void **unused) {
  (void)unused;
  Level level = {0};
  add_floor(&level, 20, 4);
  finish(&level);
  int lift = add_collider(
      &level, (Collider){.shape = COLLIDER_BOX, .transform = at_place(0, 0.5f, 0), .half_size = {2, 0.5f, 2}});
  MoverState state = {.position = {0, 1.001f, 0}};
  walk_for(&level, &state, vec3(0, 0, 0), 1);
  for (int i = 0; i < 400; i++) {
    float top = 1 + 2 * (float)vmath_sin(i * 0.02);
    colliders_get(level.set, lift)->transform.origin.y = top - 0.5f;
    colliders_touch(level.set, lift);
    step_with(&level, &state, vec3(0, 0, 0), 0);
    if (top > 0) assert_true(state.on_ground && fabsf(state.position.y - top) < 2e-3f);
  }
  drop_level(&level);
}

// What moves into a body pushes it along, up to a wall but not through it.
static void nothing_is_pushed_through_a_wall(void **unused) {
  (void)unused;
  Level level = {0};
  add_floor(&level, 20, 4);
  add_box(&level, vec3(-10, 0, -3.1f), vec3(10, 4, -3));
  finish(&level);
  int crusher =
      add_collider(&level, (Collider){.shape = COLLIDER_BOX, .transform = at_place(0, 1, 3), .half_size = {2, 1, 1}});
  MoverState state = {.position = {0.1f, 0, 0}, .on_ground = true};
  for (int i = 0; i < 150; i++) {
    colliders_get(level.set, crusher)->transform.origin.z -= 0.05f;
    colliders_touch(level.set, crusher);
    float face = colliders_get(level.set, crusher)->transform.origin.z - 1;
    step_with(&level, &state, vec3(0, 0, 0), 0);
    assert_true(state.position.z > -3 + 0.4f - 1e-3f);
    assert_true(state.position.y > -1e-3f);
    if (face > -2.1f) assert_true(fabsf(state.position.z - fminf(0, face - 0.4f)) < 2e-3f);
  }
  drop_level(&level);
}

static void far_away_it_works_too(void **unused) {
  (void)unused;
  Level level = {0};
  const Vec3 far = {1e5f, -3e4f, 1e5f};
  Random random;
  random_seed(&random, 1);
  add_crooked_plane(&level, &random, vec3(0, 1, 0), far, 4);
  add_box(&level, vec3(far.x - 50, far.y, far.z - 10.1f), vec3(far.x + 50, far.y + 4, far.z - 10));
  finish(&level);
  MoverState state = {.position = {far.x, far.y + 2, far.z}};
  walk_for(&level, &state, vec3(0, 0, 0), 2);
  assert_true(state.on_ground && fabsf(state.position.y - far.y) < 0.2f);
  Vec3 rest = state.position;
  walk_for(&level, &state, vec3(0, 0, 0), 10);
  assert_true(vec3_equals(rest, state.position));
  walk_for(&level, &state, vec3(0, 0, -500), 1);
  assert_true(state.position.z > far.z - 10 + 0.4f && state.position.z < far.z - 9);
  drop_level(&level);
}

static void odd_steps_are_harmless(void **unused) {
  (void)unused;
  const float odd[] = {0, -1, 1e-30f, 1e10f, 1e30f, INFINITY, NAN};
  Level level = {0};
  Random random;
  random_seed(&random, 5);
  add_floor(&level, 20, 4);
  finish(&level);
  MoverState state = {.position = {0, 1, 0}};
  for (int i = 0; i < 5000; i++) {
    float v[5];
    for (int k = 0; k < 5; k++) {
      uint32_t pick = random_next(&random) % 30;
      v[k] = pick < 7 ? odd[pick] : random_between(&random, -2, 2);
    }
    MoverStep step = {
        .walk = {v[0], v[1], v[2]}, .jump_speed = v[3], .gravity = 9.81f, .seconds = i % 9 ? 1.0f / 60 : v[4]};
    mover_step(level.set, &PERSON, &state, &step);
    assert_true(vec3_is_finite(state.position) && vec3_is_finite(state.velocity));
  }
  drop_level(&level);
}

// --- Random walks ---

// A closed room with a bumpy floor and random triangles standing about; nobody ever gets out of it.
static void make_room(Level *level, Random *random) {
  enum { TILES = 12 };
  const float HALF = 8;
  float heights[TILES + 1][TILES + 1];
  for (int x = 0; x <= TILES; x++) {
    for (int z = 0; z <= TILES; z++)
      heights[x][z] = random_between(random, 0, 1.5f);
  }
  float size = 2 * HALF / TILES;
  for (int x = 0; x < TILES; x++) {
    for (int z = 0; z < TILES; z++) {
      float x0 = -HALF + size * (float)x, z0 = -HALF + size * (float)z;
      add_quad(level, vec3(x0, heights[x][z], z0), vec3(x0, heights[x][z + 1], z0 + size),
               vec3(x0 + size, heights[x + 1][z + 1], z0 + size), vec3(x0 + size, heights[x + 1][z], z0));
    }
  }
  Vec3 p[8];
  for (int i = 0; i < 8; i++)
    p[i] = vec3(i & 1 ? HALF : -HALF, i & 2 ? 7.0f : -1.0f, i & 4 ? HALF : -HALF);
  add_quad(level, p[0], p[1], p[3], p[2]);
  add_quad(level, p[4], p[6], p[7], p[5]);
  add_quad(level, p[0], p[2], p[6], p[4]);
  add_quad(level, p[1], p[5], p[7], p[3]);
  add_quad(level, p[2], p[3], p[7], p[6]);
  for (int i = 0; i < 40; i++) {
    Vec3 at = random_within(random, vec3(-7, 0, -7), vec3(7, 3, 7)), c[3];
    for (int k = 0; k < 3; k++)
      c[k] = vec3_add(at, random_within(random, vec3(-2, -1, -2), vec3(2, 2, 2)));
    add_triangle(level, c[0], c[1], c[2]);
  }
}

static uint64_t walk_randomly(uint64_t seed, int steps) {
  Level level = {0};
  Random random;
  random_seed(&random, seed);
  make_room(&level, &random);
  finish(&level);
  MoverState state = {.position = {0, 4.5f, 0}};
  uint64_t hash = 14695981039346656037u;
  Vec3 walk = {0, 0, 0};
  for (int i = 0; i < steps; i++) {
    if (i % 7 == 0) {
      float speed = random_float(&random) < 0.2f ? 500 : random_between(&random, 0.5f, 12);
      double angle = random_between(&random, 0, 6.283f);
      walk = vec3(speed * (float)vmath_cos(angle), 0, speed * (float)vmath_sin(angle));
    }
    step_with(&level, &state, walk, random_float(&random) < 0.05f ? 6 : 0);
    Vec3 at = state.position;
    assert_true(fabsf(at.x) < 8 && fabsf(at.z) < 8 && at.y > -0.5f && at.y < 7);
    uint32_t bits[3];
    memcpy(bits, &at, sizeof bits);
    for (int k = 0; k < 3; k++)
      hash = (hash ^ bits[k]) * 1099511628211u;
  }
  drop_level(&level);
  return hash;
}

static void random_walks_stay_inside(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 20; seed++)
    walk_randomly(seed, 1000);
}

// The same bits in every build and on every processor.
static void a_walk_is_the_same_everywhere(void **unused) {
  (void)unused;
  uint64_t hash = walk_randomly(42, 500);
  assert_true(hash == 0x4b32f368e804c789u);
}

// A bumpy closed shell with sharp folds and some loose triangles; the first `count` triangles are the shell.
static int make_shell(Level *level, Random *random) {
  enum { RINGS = 10, SIDES = 20 };
  Vec3 points[RINGS + 1][SIDES];
  float size = random_between(random, 4, 8), bumps = random_between(random, 0, 0.35f) * size;
  for (int i = 0; i <= RINGS; i++) {
    for (int k = 0; k < SIDES; k++) {
      bool is_pole = i == 0 || i == RINGS;
      double down = PI * i / RINGS, round = 2 * PI * k / SIDES;
      float reach = is_pole ? size : size + random_between(random, -bumps, bumps);
      points[i][k] =
          vec3(is_pole ? 0 : reach * (float)(vmath_sin(down) * vmath_cos(round)), reach * (float)vmath_cos(down),
               is_pole ? 0 : reach * (float)(vmath_sin(down) * vmath_sin(round)));
    }
  }
  for (int i = 0; i < RINGS; i++) {
    for (int k = 0; k < SIDES; k++) {
      int next = (k + 1) % SIDES;
      if (i > 0) add_triangle(level, points[i][k], points[i + 1][k], points[i][next]);
      if (i < RINGS - 1) add_triangle(level, points[i][next], points[i + 1][k], points[i + 1][next]);
    }
  }
  int count = level->indices.count / 3;
  for (int i = 0; i < 30; i++) {
    Vec3 at = random_within(random, vec3(-size, -size, -size), vec3(size, 0, size));
    Vec3 c[3];
    for (int k = 0; k < 3; k++)
      c[k] = vec3_add(at, random_within(random, vec3(-2, -1, -2), vec3(2, 1, 2)));
    add_triangle(level, c[0], c[1], c[2]);
  }
  return count;
}

// By the number of walls in some odd direction.
static bool is_in_shell(const Level *level, int count, Vec3 place) {
  int walls = 0;
  for (int i = 0; i < count; i++) {
    Vec3 c[3];
    for (int k = 0; k < 3; k++) {
      const float *p = &level->positions.items[3 * level->indices.items[3 * i + k]];
      c[k] = vec3(p[0], p[1], p[2]);
    }
    Ray ray = {place, {0.5377f, 0.3312f, 0.7754f}, 100, true};
    TriangleHit hit;
    walls += ray_hits_triangle(&ray, c[0], c[1], c[2], &hit);
  }
  return walls % 2 == 1;
}

// Besides never getting out, nobody overlaps anything, nor walks faster than wanted.
static void nobody_leaves_a_closed_shell(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    Level level = {0};
    Random random;
    random_seed(&random, seed * 31);
    int count = make_shell(&level, &random);
    finish(&level);
    MoverState state = {.position = {0, 0, 0}};
    Vec3 walk = {0, 0, 0};
    for (int i = 0; i < 1000; i++) {
      if (i % 30 == 0) {
        float speed = random_float(&random) < 0.3f ? 500 : random_between(&random, 0, 12);
        double heading = random_between(&random, 0, 6.283f);
        walk = vec3(speed * (float)vmath_cos(heading), 0, speed * (float)vmath_sin(heading));
      }
      Vec3 before = state.position;
      bool stood = state.on_ground;
      step_with(&level, &state, walk, random_float(&random) < 0.02f ? 6 : 0);
      Vec3 middle = vec3(state.position.x, state.position.y + 0.9f, state.position.z);
      assert_true(is_in_shell(&level, count, middle));
      Sweep place = {.center = middle, .radius = PERSON.radius, .height = PERSON.height};
      SweepHit hit;
      if (i > 100) assert_false(colliders_penetration(level.set, &place, &hit));
      Vec3 moved = vec3(state.position.x - before.x, 0, state.position.z - before.z);
      if (stood && state.on_ground) assert_true(vec3_length(moved) < vec3_length(walk) / 60 + 3e-3f);
    }
    drop_level(&level);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_falls_and_stands_still),
      cmocka_unit_test(seams_are_not_felt),
      cmocka_unit_test(walls_hold_at_any_speed),
      cmocka_unit_test(stairs_are_climbed_up_to_the_step_height),
      cmocka_unit_test(slopes_are_walked_up_to_the_limit),
      cmocka_unit_test(ceilings_stop_a_jump),
      cmocka_unit_test(a_wedge_neither_lets_through_nor_shakes),
      cmocka_unit_test(bodies_block_and_are_no_ground),
      cmocka_unit_test(what_overlaps_is_pushed_out),
      cmocka_unit_test(slopes_have_no_seams),
      cmocka_unit_test(boxes_and_spheres_can_be_stood_on),
      cmocka_unit_test(nobody_stands_on_a_head),
      cmocka_unit_test(a_lift_keeps_its_passenger),
      cmocka_unit_test(nothing_is_pushed_through_a_wall),
      cmocka_unit_test(far_away_it_works_too),
      cmocka_unit_test(odd_steps_are_harmless),
      cmocka_unit_test(nobody_leaves_a_closed_shell),
      cmocka_unit_test(random_walks_stay_inside),
      cmocka_unit_test(a_walk_is_the_same_everywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
