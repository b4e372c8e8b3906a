#ifndef PALFREY_VMATH_H
#define PALFREY_VMATH_H
// The mathematics of the simulation. Every function does the same operations in the same order on every processor:
// plain C without fused operations, and scalar functions of our own in place of libm's, whose results differ between
// processors. sqrt and fabs are exact everywhere and come from libm. Angles are radians, axes right-handed with +Y up.
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define PI 3.14159265358979323846
#define RADIANS_PER_DEGREE (PI / 180.0)

typedef struct Vec3 {
  float x, y, z;
} Vec3;

typedef struct Quat {
  float x, y, z, w;
} Quat;

/// An affine transform by its columns: a point p becomes x * p.x + y * p.y + z * p.z + origin.
typedef struct Affine {
  Vec3 x, y, z, origin;
} Affine;

/// An axis-aligned box; empty while min > max in any axis.
typedef struct Bounds {
  Vec3 min, max;
} Bounds;

// Scalars. Errors stay below 1e-14 for arguments up to 1e5; sine and cosine of larger ones lose digits but stay the same
// everywhere.
double vmath_sin(double x);
double vmath_cos(double x);
double vmath_atan2(double y, double x);
double vmath_asin(double x);
double vmath_acos(double x);
double vmath_exp(double x);
double vmath_log(double x);
double vmath_pow(double x, double y);

static inline float clampf(float value, float low, float high) {
  return value < low ? low : value > high ? high : value;
}

static inline float lerpf(float a, float b, float t) {
  return a + (b - a) * t;
}

static inline Vec3 vec3(float x, float y, float z) {
  return (Vec3){x, y, z};
}

static inline Vec3 vec3_add(Vec3 a, Vec3 b) {
  return (Vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline Vec3 vec3_sub(Vec3 a, Vec3 b) {
  return (Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline Vec3 vec3_mul(Vec3 a, Vec3 b) {
  return (Vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

static inline Vec3 vec3_scale(Vec3 a, float s) {
  return (Vec3){a.x * s, a.y * s, a.z * s};
}

/// a + b * s
static inline Vec3 vec3_add_scaled(Vec3 a, Vec3 b, float s) {
  return (Vec3){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}

static inline Vec3 vec3_negate(Vec3 a) {
  return (Vec3){-a.x, -a.y, -a.z};
}

static inline float vec3_dot(Vec3 a, Vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vec3 vec3_cross(Vec3 a, Vec3 b) {
  return (Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float vec3_length_squared(Vec3 a) {
  return vec3_dot(a, a);
}

static inline float vec3_length(Vec3 a) {
  return sqrtf(vec3_dot(a, a));
}

static inline float vec3_distance(Vec3 a, Vec3 b) {
  return vec3_length(vec3_sub(a, b));
}

/// The unit vector along `a`, or `fallback` where `a` has no direction.
static inline Vec3 vec3_normalize_or(Vec3 a, Vec3 fallback) {
  float length = vec3_length(a);
  return length > 1e-20f ? vec3_scale(a, 1.0f / length) : fallback;
}

static inline Vec3 vec3_lerp(Vec3 a, Vec3 b, float t) {
  return (Vec3){lerpf(a.x, b.x, t), lerpf(a.y, b.y, t), lerpf(a.z, b.z, t)};
}

static inline Vec3 vec3_min(Vec3 a, Vec3 b) {
  return (Vec3){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

static inline Vec3 vec3_max(Vec3 a, Vec3 b) {
  return (Vec3){a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

static inline Vec3 vec3_abs(Vec3 a) {
  return (Vec3){fabsf(a.x), fabsf(a.y), fabsf(a.z)};
}

static inline bool vec3_is_finite(Vec3 a) {
  return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline bool vec3_equals(Vec3 a, Vec3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

extern const Quat QUAT_IDENTITY;
extern const Affine AFFINE_IDENTITY;
extern const Bounds BOUNDS_EMPTY;

/// The right-handed rotation by `angle` about `axis`, which need not be of unit length; identity for a zero axis.
Quat quat_from_axis_angle(Vec3 axis, float angle);

/// The inverse of quat_from_axis_angle: angle in 0..pi and a unit axis (+Y for no rotation).
void quat_to_axis_angle(Quat q, Vec3 *axis, float *angle);

/// The rotation `a` after the rotation `b`.
Quat quat_mul(Quat a, Quat b);
Quat quat_normalize(Quat q);
Quat quat_conjugate(Quat q);

/// The same rotation by the other one of its two quaternions.
Quat quat_negate(Quat q);
float quat_dot(Quat a, Quat b);
Vec3 quat_rotate(Quat q, Vec3 v);

/// Spherical interpolation by the shorter way.
Quat quat_slerp(Quat a, Quat b, float t);

/// The rotation that turns -Z towards `direction` with +Y as far up as possible. Straight up and down keep heading 0.
Quat quat_look_along(Vec3 direction);

/// The rotation by `heading` about +Y, then by `pitch` about the turned +X (positive looks up).
Quat quat_from_heading_pitch(float heading, float pitch);

/// The heading of -Z turned by `q`: 0 along -Z, growing counter-clockwise seen from above.
float quat_heading(Quat q);

Affine affine_from_trs(Vec3 translation, Quat rotation, Vec3 scale);

/// The transform `a` after the transform `b`.
Affine affine_mul(Affine a, Affine b);

/// The inverse; false and identity when the transform has none.
bool affine_invert(Affine a, Affine *inverse);

/// Splits into translation, rotation and scale. A mirrored transform gets a negative x scale; shear is lost.
void affine_decompose(Affine a, Vec3 *translation, Quat *rotation, Vec3 *scale);

float affine_determinant(Affine a);

/// Interpolates position, rotation and scale apart, for drawing between two steps.
Affine affine_lerp(Affine a, Affine b, float t);

static inline Vec3 affine_vector(Affine a, Vec3 v) {
  return (Vec3){a.x.x * v.x + a.y.x * v.y + a.z.x * v.z, a.x.y * v.x + a.y.y * v.y + a.z.y * v.z,
                a.x.z * v.x + a.y.z * v.y + a.z.z * v.z};
}

static inline Vec3 affine_point(Affine a, Vec3 p) {
  return vec3_add(affine_vector(a, p), a.origin);
}

/// A surface normal under `a`: the inverse transpose up to a positive factor, of unit length. Right for mirrored and
/// unevenly scaled transforms.
Vec3 affine_normal(Affine a, Vec3 normal);

static inline Bounds bounds_add_point(Bounds bounds, Vec3 p) {
  return (Bounds){vec3_min(bounds.min, p), vec3_max(bounds.max, p)};
}

static inline Bounds bounds_union(Bounds a, Bounds b) {
  return (Bounds){vec3_min(a.min, b.min), vec3_max(a.max, b.max)};
}

static inline bool bounds_is_empty(Bounds bounds) {
  return !(bounds.min.x <= bounds.max.x && bounds.min.y <= bounds.max.y && bounds.min.z <= bounds.max.z);
}

static inline bool bounds_overlap(Bounds a, Bounds b) {
  return a.min.x <= b.max.x && a.max.x >= b.min.x && a.min.y <= b.max.y && a.max.y >= b.min.y && a.min.z <= b.max.z &&
         a.max.z >= b.min.z;
}

static inline Vec3 bounds_center(Bounds bounds) {
  return vec3_scale(vec3_add(bounds.min, bounds.max), 0.5f);
}

static inline Vec3 bounds_half_size(Bounds bounds) {
  return vec3_scale(vec3_sub(bounds.max, bounds.min), 0.5f);
}

static inline Bounds bounds_grow(Bounds bounds, float by) {
  return (Bounds){vec3_sub(bounds.min, vec3(by, by, by)), vec3_add(bounds.max, vec3(by, by, by))};
}

/// The box around the transformed box (J. Arvo, "Transforming Axis-Aligned Bounding Boxes", Graphics Gems, 1990).
Bounds bounds_transform(Bounds bounds, Affine a);

/// A pseudo random generator, PCG32 (M. O'Neill, 2014); seed it with random_seed.
typedef struct Random {
  uint64_t state;
} Random;

void random_seed(Random *random, uint64_t seed);
uint32_t random_next(Random *random);

/// Uniform in [0, 1).
float random_float(Random *random);

#endif
