#include "skin/vertex_frames.h"

#include <string.h>

#include "bytes.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// The corners of an icosahedron with unit radius are (0, 0.8507, 0.5257), its two rotations and all their signs. Cutting
// each of its faces into 4 x 4 flat triangles and pushing the 162 corners to the sphere gives the normals of Quake II's
// models. These are the ones with no negative part, in descending order.
static const float NORMAL_DIRECTIONS[PACKED_NORMAL_DIRECTION_COUNT][3] = {
    {1, 0, 0},
    {0.955422563f, 0.295241809f, 0},
    {0.951056516f, 0.162459848f, 0.262865556f},
    {0.864187827f, 0.442862713f, 0.238855641f},
    {0.850650808f, 0.525731112f, 0},
    {0.850650808f, 0, 0.525731112f},
    {0.809016994f, 0.309016994f, 0.5f},
    {0.716566922f, 0.681718354f, 0.147620904f},
    {0.68819096f, 0.587785252f, 0.425325404f},
    {0.681718354f, 0.147620904f, 0.716566922f},
    {0.587785252f, 0.425325404f, 0.68819096f},
    {0.525731112f, 0.850650808f, 0},
    {0.525731112f, 0, 0.850650808f},
    {0.5f, 0.809016994f, 0.309016994f},
    {0.442862713f, 0.238855641f, 0.864187827f},
    {0.425325404f, 0.68819096f, 0.587785252f},
    {0.309016994f, 0.5f, 0.809016994f},
    {0.295241809f, 0, 0.955422563f},
    {0.262865556f, 0.951056516f, 0.162459848f},
    {0.238855641f, 0.864187827f, 0.442862713f},
    {0.162459848f, 0.262865556f, 0.951056516f},
    {0.147620904f, 0.716566922f, 0.681718354f},
    {0, 1, 0},
    {0, 0.955422563f, 0.295241809f},
    {0, 0.850650808f, 0.525731112f},
    {0, 0.525731112f, 0.850650808f},
    {0, 0, 1},
};

// The order in which files count the normals: direction and signs as vertex_frames_normal_code packs them.
static const uint8_t NORMAL_CODES[PACKED_NORMAL_COUNT] = {
    44,  46,  49,  48,  52,  26,  24,  53,  21,  25,  16,  12,  17,  14,  20,  41,  38,  42,  36,  35,  39,
    40,  45,  51,  47,  167, 173, 43,  152, 179, 151, 178, 22,  23,  50,  19,  18,  13,  147, 146, 141, 4,
    7,   135, 11,  15,  3,   8,   6,   9,   10,  1,   0,   2,   68,  65,  67,  66,  70,  73,  5,   131, 134,
    130, 140, 137, 201, 133, 198, 195, 194, 149, 144, 143, 142, 138, 136, 181, 176, 153, 172, 174, 177, 180,
    154, 145, 148, 238, 240, 244, 216, 245, 213, 217, 208, 206, 212, 211, 205, 207, 199, 200, 202, 215, 86,
    210, 88,  87,  83,  82,  77,  71,  75,  243, 237, 242, 100, 231, 103, 107, 109, 115, 114, 99,  102, 104,
    105, 110, 106, 112, 117, 111, 116, 78,  84,  80,  85,  89,  79,  74,  72,  33,  34,  32,  37,  97,  98,
    163, 162, 166, 227, 226, 230, 169, 233, 165, 168, 170, 175, 239, 234, 232};

FrameTransform vertex_frames_transform(const VertexFrames *frames, int frame) {
  const uint8_t *header = frames->bytes + (size_t)frame * frames->stride;
  return (FrameTransform){
      .scale = {read_f32(header), read_f32(header + 4), read_f32(header + 8)},
      .translation = {read_f32(header + 12), read_f32(header + 16), read_f32(header + 20)},
  };
}

void vertex_frames_name(const VertexFrames *frames, int frame, char name[17]) {
  memcpy(name, frames->bytes + (size_t)frame * frames->stride + 24, 16);
  name[16] = 0;
}

static const uint8_t *packed_vertices(const VertexFrames *frames, int frame) {
  return frames->bytes + (size_t)frame * frames->stride + PACKED_FRAME_HEADER_SIZE;
}

// A pose's positions are a * from_a + b * from_b + origin with the bytes a and b of the two frames. The parts are in
// engine axes, each with its sign: which byte goes where is the business of the loops.
typedef struct Blend {
  const uint8_t *a, *b;
  Vec3 from_a, from_b, origin;
} Blend;

static Blend make_blend(const VertexFrames *frames, FramePose pose) {
  FrameTransform a = vertex_frames_transform(frames, pose.frame_a);
  FrameTransform b = vertex_frames_transform(frames, pose.frame_b);
  float keep = 1 - pose.mix;
  return (Blend){
      .a = packed_vertices(frames, pose.frame_a),
      .b = packed_vertices(frames, pose.frame_b),
      .from_a = vertex_frames_to_engine(vec3_scale(a.scale, keep)),
      .from_b = vertex_frames_to_engine(vec3_scale(b.scale, pose.mix)),
      .origin = vertex_frames_to_engine(vec3_add(vec3_scale(a.translation, keep), vec3_scale(b.translation, pose.mix))),
  };
}

// The engine's x, y, z come from the file's y, z, x.
static inline Vec3 blend_vertex(const Blend *blend, int vertex) {
  const uint8_t *a = blend->a + (size_t)vertex * PACKED_VERTEX_SIZE;
  const uint8_t *b = blend->b + (size_t)vertex * PACKED_VERTEX_SIZE;
  return (Vec3){(float)a[1] * blend->from_a.x + (float)b[1] * blend->from_b.x + blend->origin.x,
                (float)a[2] * blend->from_a.y + (float)b[2] * blend->from_b.y + blend->origin.y,
                (float)a[0] * blend->from_a.z + (float)b[0] * blend->from_b.z + blend->origin.z};
}

static Vec3 file_order(Vec3 engine) {
  return (Vec3){engine.z, engine.x, engine.y};
}

static inline void store_vertex(float *positions, int vertex, Vec3 p) {
  positions[3 * vertex] = p.x;
  positions[3 * vertex + 1] = p.y;
  positions[3 * vertex + 2] = p.z;
}

#if defined(__SSE2__)

// The same operations on four vertices, each a vector of x, y, z in the file's order and the normal, which is not used.
typedef struct FourVertices {
  __m128 v[4];
} FourVertices;

typedef struct VectorBlend {
  __m128 from_a, from_b, origin;
} VectorBlend;

static __m128 load_vec3(Vec3 v) {
  return _mm_setr_ps(v.x, v.y, v.z, 0);
}

static VectorBlend load_blend(const Blend *blend) {
  return (VectorBlend){load_vec3(file_order(blend->from_a)), load_vec3(file_order(blend->from_b)),
                       load_vec3(file_order(blend->origin))};
}

static inline FourVertices unpack_vertices(const uint8_t *bytes) {
  __m128i packed = _mm_loadu_si128((const __m128i *)bytes), zero = _mm_setzero_si128();
  __m128i low = _mm_unpacklo_epi8(packed, zero), high = _mm_unpackhi_epi8(packed, zero);
  return (FourVertices){{_mm_cvtepi32_ps(_mm_unpacklo_epi16(low, zero)), _mm_cvtepi32_ps(_mm_unpackhi_epi16(low, zero)),
                         _mm_cvtepi32_ps(_mm_unpacklo_epi16(high, zero)),
                         _mm_cvtepi32_ps(_mm_unpackhi_epi16(high, zero))}};
}

static inline FourVertices blend_vertices(const Blend *blend, const VectorBlend *vectors, int vertex) {
  FourVertices a = unpack_vertices(blend->a + (size_t)vertex * PACKED_VERTEX_SIZE);
  FourVertices b = unpack_vertices(blend->b + (size_t)vertex * PACKED_VERTEX_SIZE);
  for (int i = 0; i < 4; i++) {
    __m128 sum = _mm_add_ps(_mm_mul_ps(a.v[i], vectors->from_a), _mm_mul_ps(b.v[i], vectors->from_b));
    a.v[i] = _mm_add_ps(sum, vectors->origin);
  }
  return a;
}

// Blends all but the last vertices and returns their number. Each store writes one float too many, which the next
// vertex overwrites, so that the last one must be left to the caller.
static int blend_in_fours(const Blend *blend, int vertex_count, float *positions) {
  VectorBlend vectors = load_blend(blend);
  int vertex = 0;
  for (; vertex + 4 < vertex_count; vertex += 4) {
    FourVertices p = blend_vertices(blend, &vectors, vertex);
    for (int i = 0; i < 4; i++) {
      _mm_storeu_ps(positions + 3 * (vertex + i), _mm_shuffle_ps(p.v[i], p.v[i], _MM_SHUFFLE(3, 0, 2, 1)));
    }
  }
  return vertex;
}

static int bound_in_fours(const Blend *blend, int vertex_count, Bounds *bounds) {
  if (vertex_count < 4) return 0;
  VectorBlend vectors = load_blend(blend);
  __m128 low = _mm_set1_ps(INFINITY), high = _mm_set1_ps(-INFINITY);
  int vertex = 0;
  for (; vertex + 4 <= vertex_count; vertex += 4) {
    FourVertices p = blend_vertices(blend, &vectors, vertex);
    for (int i = 0; i < 4; i++) {
      low = _mm_min_ps(low, p.v[i]);
      high = _mm_max_ps(high, p.v[i]);
    }
  }
  float lows[4], highs[4];
  _mm_storeu_ps(lows, low);
  _mm_storeu_ps(highs, high);
  *bounds = (Bounds){{lows[1], lows[2], lows[0]}, {highs[1], highs[2], highs[0]}};
  return vertex;
}

static void fold_range(__m128i low, __m128i high, PackedRange *range) {
  low = _mm_min_epu8(low, _mm_srli_si128(low, 8));
  low = _mm_min_epu8(low, _mm_srli_si128(low, 4));
  high = _mm_max_epu8(high, _mm_srli_si128(high, 8));
  high = _mm_max_epu8(high, _mm_srli_si128(high, 4));
  int low_bytes = _mm_cvtsi128_si32(low), high_bytes = _mm_cvtsi128_si32(high);
  memcpy(range->low, &low_bytes, 4);
  memcpy(range->high, &high_bytes, 4);
}

typedef struct VectorRange {
  __m128i low, high;
} VectorRange;

static inline VectorRange widen_range(VectorRange range, __m128i packed) {
  return (VectorRange){_mm_min_epu8(range.low, packed), _mm_max_epu8(range.high, packed)};
}

// Two ranges at a time, for which the second half of the work need not wait for the first. The last eight vertices overlap
// with those before.
static int range_in_eights(const uint8_t *bytes, int vertex_count, PackedRange *range) {
  VectorRange a = {_mm_set1_epi8(-1), _mm_setzero_si128()}, b = a;
  int count = vertex_count >= 8 ? vertex_count : 0;
  const uint8_t *end = bytes + (size_t)count * PACKED_VERTEX_SIZE;
  for (const uint8_t *at = bytes; at < end; at += 32) {
    if (end - at < 32) at = end - 32;
    a = widen_range(a, _mm_loadu_si128((const __m128i *)at));
    b = widen_range(b, _mm_loadu_si128((const __m128i *)(at + 16)));
  }
  fold_range(_mm_min_epu8(a.low, b.low), _mm_max_epu8(a.high, b.high), range);
  return count;
}

#else

static int blend_in_fours(const Blend *blend, int vertex_count, float *positions) {
  (void)blend, (void)vertex_count, (void)positions;
  return 0;
}

static int bound_in_fours(const Blend *blend, int vertex_count, Bounds *bounds) {
  (void)blend, (void)vertex_count, (void)bounds;
  return 0;
}

static int range_in_eights(const uint8_t *bytes, int vertex_count, PackedRange *range) {
  (void)bytes, (void)vertex_count;
  memset(range->low, 255, 4);
  memset(range->high, 0, 4);
  return 0;
}

#endif

void vertex_frames_blend(const VertexFrames *frames, FramePose pose, float *positions) {
  Blend blend = make_blend(frames, pose);
  int vertex = blend_in_fours(&blend, frames->vertex_count, positions);
  for (; vertex < frames->vertex_count; vertex++)
    store_vertex(positions, vertex, blend_vertex(&blend, vertex));
}

PackedRange vertex_frames_range(const VertexFrames *frames, int frame) {
  const uint8_t *bytes = packed_vertices(frames, frame);
  PackedRange range;
  int vertex = range_in_eights(bytes, frames->vertex_count, &range);
  for (; vertex < frames->vertex_count; vertex++) {
    for (int i = 0; i < 4; i++) {
      uint8_t byte = bytes[(size_t)vertex * PACKED_VERTEX_SIZE + (size_t)i];
      if (byte < range.low[i]) range.low[i] = byte;
      if (byte > range.high[i]) range.high[i] = byte;
    }
  }
  return range;
}

Bounds packed_range_bounds(PackedRange range, FrameTransform t) {
  Vec3 low = vec3(range.low[0], range.low[1], range.low[2]), high = vec3(range.high[0], range.high[1], range.high[2]);
  Vec3 first = vertex_frames_to_engine(vec3_add(vec3_mul(low, t.scale), t.translation));
  Vec3 last = vertex_frames_to_engine(vec3_add(vec3_mul(high, t.scale), t.translation));
  // The axes and a negative scale turn the ends round.
  return (Bounds){vec3_min(first, last), vec3_max(first, last)};
}

static Bounds frame_bounds(const VertexFrames *frames, int frame) {
  return packed_range_bounds(vertex_frames_range(frames, frame), vertex_frames_transform(frames, frame));
}

Bounds vertex_frames_bounds(const VertexFrames *frames, FramePose pose) {
  if (pose.mix == 0) return frame_bounds(frames, pose.frame_a);
  if (pose.mix == 1) return frame_bounds(frames, pose.frame_b);
  Blend blend = make_blend(frames, pose);
  Bounds bounds = BOUNDS_EMPTY;
  int vertex = bound_in_fours(&blend, frames->vertex_count, &bounds);
  for (; vertex < frames->vertex_count; vertex++)
    bounds = bounds_add_point(bounds, blend_vertex(&blend, vertex));
  return bounds;
}

uint8_t vertex_frames_normal_code(int index) {
  if (index < 0) index = 0;
  return NORMAL_CODES[index < PACKED_NORMAL_COUNT ? index : PACKED_NORMAL_COUNT - 1];
}

Vec3 vertex_frames_normal_direction(int direction) {
  const float *d = NORMAL_DIRECTIONS[direction];
  return vec3(d[0], d[1], d[2]);
}

Vec3 vertex_frames_normal(int index) {
  uint8_t code = vertex_frames_normal_code(index);
  Vec3 n = vertex_frames_normal_direction(code & 31);
  return vec3(code & 32 ? -n.x : n.x, code & 64 ? -n.y : n.y, code & 128 ? -n.z : n.z);
}

int vertex_frames_nearest_normal(Vec3 direction) {
  Vec3 positive = vec3_abs(direction);
  int best = 0;
  for (int i = 1; i < PACKED_NORMAL_DIRECTION_COUNT; i++) {
    if (vec3_dot(vertex_frames_normal_direction(i), positive) >
        vec3_dot(vertex_frames_normal_direction(best), positive))
      best = i;
  }
  // A part that is zero has no sign in the codes.
  Vec3 n = vertex_frames_normal_direction(best);
  int code = best | (direction.x < 0 && n.x > 0 ? 32 : 0) | (direction.y < 0 && n.y > 0 ? 64 : 0) |
             (direction.z < 0 && n.z > 0 ? 128 : 0);
  int index = 0;
  while (index < PACKED_NORMAL_COUNT - 1 && NORMAL_CODES[index] != code)
    index++;
  return index;
}
