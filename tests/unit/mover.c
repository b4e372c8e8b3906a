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

static float random_between(Random *random, float low, float high) {
  return low + (high - low) * random_float(random);
}

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
    Vec3 at = vec3(random_between(random, -7, 7), random_between(random, 0, 3), random_between(random, -7, 7)), c[3];
    for (int k = 0; k < 3; k++)
      c[k] = vec3_add(
          at, vec3(random_between(random, -2, 2), random_between(random, -1, 2), random_between(random, -2, 2)));
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
  assert_true(hash == 0x6bc4943138a0c413u);
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
      cmocka_unit_test(random_walks_stay_inside),
      cmocka_unit_test(a_walk_is_the_same_everywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
