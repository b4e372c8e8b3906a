#include "skin/vertex_frames.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "put.h"

enum { MAX_VERTICES = 37, FRAME_COUNT = 3, MAX_STRIDE = PACKED_FRAME_HEADER_SIZE + 4 * MAX_VERTICES + 5 };

static const float SCALES[FRAME_COUNT][3] = {{0.25f, 0.5f, 1.5f}, {0.1f, -0.3f, 0.7f}, {1e-3f, 2, 0}};
static const float TRANSLATIONS[FRAME_COUNT][3] = {{-30, 1, 2.5f}, {4, -5, 6}, {0, 0, -100}};

static uint8_t storage[FRAME_COUNT * MAX_STRIDE + 1];

// Frames of random bytes, at an odd address and with a gap between them.
static VertexFrames make_frames(int vertex_count) {
  VertexFrames frames = {storage + 1, PACKED_FRAME_HEADER_SIZE + 4 * (size_t)vertex_count + 5, FRAME_COUNT,
                         vertex_count};
  Random random;
  random_seed(&random, (uint64_t)vertex_count);
  for (size_t i = 0; i < sizeof storage; i++)
    storage[i] = (uint8_t)random_next(&random);
  for (int i = 0; i < FRAME_COUNT; i++) {
    uint8_t *header = storage + 1 + (size_t)i * frames.stride;
    for (int k = 0; k < 3; k++) {
      put_f32(header + 4 * k, SCALES[i][k]);
      put_f32(header + 12 + 4 * k, TRANSLATIONS[i][k]);
    }
    memcpy(header + 24, "a name of 16 ch.", 16);
  }
  return frames;
}

static Vec3 frame_position(const VertexFrames *frames, int frame, int vertex) {
  const uint8_t *bytes = frames->bytes + (size_t)frame * frames->stride + PACKED_FRAME_HEADER_SIZE + 4 * vertex;
  const float *s = SCALES[frame], *t = TRANSLATIONS[frame];
  return vertex_frames_to_engine(
      vec3((float)bytes[0] * s[0] + t[0], (float)bytes[1] * s[1] + t[1], (float)bytes[2] * s[2] + t[2]));
}

static void check_pose(const VertexFrames *frames, FramePose pose) {
  float positions[3 * MAX_VERTICES + 1];
  positions[3 * frames->vertex_count] = 1234;
  vertex_frames_blend(frames, pose, positions);
  assert_true(positions[3 * frames->vertex_count] == 1234);
  Bounds box = BOUNDS_EMPTY;
  for (int i = 0; i < frames->vertex_count; i++) {
    Vec3 a = frame_position(frames, pose.frame_a, i), b = frame_position(frames, pose.frame_b, i);
    Vec3 expected = vec3_lerp(a, b, pose.mix), p = vec3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
    if (pose.mix == 0) assert_true(vec3_equals(p, a));
    if (pose.mix == 1) assert_true(vec3_equals(p, b));
    assert_true(vec3_distance(p, expected) < 1e-3f);
    box = bounds_add_point(box, p);
  }
  Bounds bounds = vertex_frames_bounds(frames, pose);
  assert_true(vec3_equals(bounds.min, box.min) && vec3_equals(bounds.max, box.max));
}

static void test_poses_of_any_size(void **state) {
  (void)state;
  for (int vertex_count = 1; vertex_count <= MAX_VERTICES; vertex_count++) {
    VertexFrames frames = make_frames(vertex_count);
    check_pose(&frames, (FramePose){0, 1, 0});
    check_pose(&frames, (FramePose){0, 1, 0.3f});
    check_pose(&frames, (FramePose){1, 0, 1});
    check_pose(&frames, (FramePose){2, 2, 0.5f});
    check_pose(&frames, (FramePose){2, 1, 0.999f});
  }
}

// What the vector instructions do has to be what the plain loop does, bit for bit: four equal vertices give equal results
// whether they come in a group of four or at the end.
static void test_groups_and_rest_agree(void **state) {
  (void)state;
  VertexFrames frames = make_frames(MAX_VERTICES);
  for (int frame = 0; frame < FRAME_COUNT; frame++) {
    uint8_t *vertices = storage + 1 + (size_t)frame * frames.stride + PACKED_FRAME_HEADER_SIZE;
    for (int i = 1; i < MAX_VERTICES; i++)
      memcpy(vertices + 4 * i, vertices, 4);
  }
  float positions[3 * MAX_VERTICES];
  for (float mix = 0; mix <= 1; mix += 0.01f) {
    vertex_frames_blend(&frames, (FramePose){0, 1, mix}, positions);
    for (int i = 1; i < MAX_VERTICES; i++)
      assert_memory_equal(positions, positions + 3 * (size_t)i, 3 * sizeof *positions);
  }
}

static void test_range_and_name(void **state) {
  (void)state;
  for (int vertex_count = 1; vertex_count <= MAX_VERTICES; vertex_count++) {
    VertexFrames frames = make_frames(vertex_count);
    PackedRange range = vertex_frames_range(&frames, 1), expected = {{255, 255, 255, 255}, {0, 0, 0, 0}};
    const uint8_t *bytes = frames.bytes + frames.stride + PACKED_FRAME_HEADER_SIZE;
    for (int i = 0; i < 4 * vertex_count; i++) {
      if (bytes[i] < expected.low[i % 4]) expected.low[i % 4] = bytes[i];
      if (bytes[i] > expected.high[i % 4]) expected.high[i % 4] = bytes[i];
    }
    assert_memory_equal(&range, &expected, sizeof range);
  }
  VertexFrames frames = make_frames(1);
  char name[17];
  vertex_frames_name(&frames, 2, name);
  assert_string_equal(name, "a name of 16 ch.");
}

// ---- Normals

enum { ICOSAHEDRON_CORNERS = 12, CUTS = 4 };

typedef struct Direction {
  double x, y, z;
} Direction;

static double distance(Direction a, Direction b) {
  return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static void make_icosahedron(Direction corners[ICOSAHEDRON_CORNERS]) {
  double ratio = (1 + sqrt(5)) / 2, small = 1 / sqrt(1 + ratio * ratio), large = ratio * small;
  for (int i = 0; i < 4; i++) {
    double a = i & 1 ? small : -small, b = i & 2 ? large : -large;
    corners[3 * i] = (Direction){0, b, a};
    corners[3 * i + 1] = (Direction){a, 0, b};
    corners[3 * i + 2] = (Direction){b, a, 0};
  }
}

static bool is_normal(Direction d) {
  double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  d = (Direction){d.x / length, d.y / length, d.z / length};
  for (int i = 0; i < PACKED_NORMAL_COUNT; i++) {
    Vec3 n = vertex_frames_normal(i);
    if (distance(d, (Direction){(double)n.x, (double)n.y, (double)n.z}) < 1e-6) return true;
  }
  return false;
}

static void check_face(Direction a, Direction b, Direction c) {
  for (int i = 0; i <= CUTS; i++) {
    for (int k = 0; i + k <= CUTS; k++) {
      int l = CUTS - i - k;
      assert_true(is_normal(
          (Direction){a.x * i + b.x * k + c.x * l, a.y * i + b.y * k + c.y * l, a.z * i + b.z * k + c.z * l}));
    }
  }
}

static void test_normals_are_those_of_the_cut_icosahedron(void **state) {
  (void)state;
  Direction corners[ICOSAHEDRON_CORNERS];
  make_icosahedron(corners);
  int face_count = 0;
  for (int i = 0; i < ICOSAHEDRON_CORNERS; i++) {
    for (int k = i + 1; k < ICOSAHEDRON_CORNERS; k++) {
      for (int l = k + 1; l < ICOSAHEDRON_CORNERS; l++) {
        bool is_face = distance(corners[i], corners[k]) < 1.1 && distance(corners[k], corners[l]) < 1.1 &&
                       distance(corners[l], corners[i]) < 1.1;
        if (is_face) check_face(corners[i], corners[k], corners[l]);
        face_count += is_face;
      }
    }
  }
  assert_int_equal(face_count, 20);
}

static void test_normals_are_all_different(void **state) {
  (void)state;
  for (int i = 0; i < PACKED_NORMAL_COUNT; i++) {
    Vec3 n = vertex_frames_normal(i);
    assert_true(fabsf(vec3_length(n) - 1) < 1e-6f);
    assert_int_equal(vertex_frames_nearest_normal(vec3_scale(n, 17)), i);
    uint8_t code = vertex_frames_normal_code(i);
    assert_true((code & 31) < PACKED_NORMAL_DIRECTION_COUNT);
    Vec3 d = vertex_frames_normal_direction(code & 31);
    assert_true(vec3_equals(d, vec3_abs(n)));
    for (int k = 0; k < i; k++)
      assert_true(vertex_frames_normal_code(k) != code);
  }
}

// Some of the order that files rely on.
static void test_order_of_normals(void **state) {
  (void)state;
  static const struct {
    int index;
    Vec3 normal;
  } KNOWN[] = {{0, {-0.525731f, 0, 0.850651f}},
               {5, {0, 0, 1}},
               {32, {0, 1, 0}},
               {52, {1, 0, 0}},
               {143, {-1, 0, 0}},
               {161, {-0.688191f, -0.587785f, -0.425325f}}};
  for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
    assert_true(vec3_distance(vertex_frames_normal(KNOWN[i].index), KNOWN[i].normal) < 2e-6f);
  assert_true(vec3_equals(vertex_frames_normal(255), vertex_frames_normal(161)));
  assert_int_equal(vertex_frames_normal_code(162), vertex_frames_normal_code(161));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_poses_of_any_size),
      cmocka_unit_test(test_groups_and_rest_agree),
      cmocka_unit_test(test_range_and_name),
      cmocka_unit_test(test_normals_are_those_of_the_cut_icosahedron),
      cmocka_unit_test(test_normals_are_all_different),
      cmocka_unit_test(test_order_of_normals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
