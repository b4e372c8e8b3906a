#include "vmath.h"

const Quat QUAT_IDENTITY = {0, 0, 0, 1};
const Affine AFFINE_IDENTITY = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
const Bounds BOUNDS_EMPTY = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

#define LN2 0.69314718055994530942

// sin and cos by their Taylor series on [-pi/4, pi/4], where nine terms are exact to the last bit or two.
static double sin_series(double x) {
  double square = x * x, term = x, sum = x;
  for (int n = 1; n <= 9; n++) {
    term *= -square / (double)((2 * n) * (2 * n + 1));
    sum += term;
  }
  return sum;
}

static double cos_series(double x) {
  double square = x * x, term = 1, sum = 1;
  for (int n = 1; n <= 9; n++) {
    term *= -square / (double)((2 * n - 1) * (2 * n));
    sum += term;
  }
  return sum;
}

// Brings x into [-pi/4, pi/4] and tells in which quarter turn it was. pi/2 is taken in two parts (Cody and Waite): the
// first has so few bits that its products with the quarter count are exact.
static double reduce_to_quarter(double x, int *quarter) {
  const double HALF_PI_HIGH = 1.57079632673412561417, HALF_PI_LOW = 6.07710050650619224932e-11;
  if (fabs(x) > 1e5) x = fmod(x, 2 * PI);
  double count = floor(x / (PI / 2) + 0.5);
  *quarter = (int)((int64_t)count & 3);
  return (x - count * HALF_PI_HIGH) - count * HALF_PI_LOW;
}

double vmath_sin(double x) {
  if (!isfinite(x)) return NAN;
  int quarter;
  double rest = reduce_to_quarter(x, &quarter);
  double value = (quarter & 1) ? cos_series(rest) : sin_series(rest);
  return (quarter & 2) ? -value : value;
}

double vmath_cos(double x) {
  if (!isfinite(x)) return NAN;
  int quarter;
  double rest = reduce_to_quarter(x, &quarter);
  double value = (quarter & 1) ? sin_series(rest) : cos_series(rest);
  return (quarter == 1 || quarter == 2) ? -value : value;
}

// atan of a value in [0, 1]: atan(x) = 2 atan(x / (1 + sqrt(1 + x^2))) brings it below tan(pi/16) in two rounds, where
// the series converges fast.
static double atan_unit(double x) {
  double factor = 1;
  for (int round = 0; round < 2; round++) {
    x = x / (1 + sqrt(1 + x * x));
    factor *= 2;
  }
  double square = x * x, power = x, sum = x;
  for (int n = 1; n <= 11; n++) {
    power *= -square;
    sum += power / (double)(2 * n + 1);
  }
  return factor * sum;
}

double vmath_atan2(double y, double x) {
  if (isnan(x) || isnan(y)) return NAN;
  if (isinf(x) && isinf(y)) {
    x = copysign(1, x);
    y = copysign(1, y);
  }
  double across = fabs(x), up = fabs(y);
  double angle = up == 0 && across == 0 ? 0 : up <= across ? atan_unit(up / across) : PI / 2 - atan_unit(across / up);
  if (signbit(x)) angle = PI - angle;
  return signbit(y) ? -angle : angle;
}

double vmath_asin(double x) {
  return fabs(x) > 1 ? NAN : vmath_atan2(x, sqrt((1 - x) * (1 + x)));
}

double vmath_acos(double x) {
  return fabs(x) > 1 ? NAN : vmath_atan2(sqrt((1 - x) * (1 + x)), x);
}

double vmath_exp(double x) {
  if (isnan(x)) return NAN;
  if (x > 709.782712893384) return INFINITY;
  if (x < -745.2) return 0;
  double count = floor(x / LN2 + 0.5);
  const double LN2_HIGH = 6.93147180369123816490e-01, LN2_LOW = 1.90821492927058770002e-10;
  double rest = (x - count * LN2_HIGH) - count * LN2_LOW, term = 1, sum = 1;
  for (int n = 1; n <= 14; n++) {
    term *= rest / (double)n;
    sum += term;
  }
  return ldexp(sum, (int)count);
}

// log(m * 2^e) = e ln 2 + 2 artanh((m - 1) / (m + 1)) with m around 1.
double vmath_log(double x) {
  if (isnan(x) || x < 0) return NAN;
  if (x == 0) return -INFINITY;
  if (isinf(x)) return INFINITY;
  int exponent;
  double mantissa = frexp(x, &exponent);
  if (mantissa < 0.70710678118654752440) {
    mantissa *= 2;
    exponent--;
  }
  double ratio = (mantissa - 1) / (mantissa + 1), square = ratio * ratio, power = ratio, sum = ratio;
  for (int n = 1; n <= 12; n++) {
    power *= square;
    sum += power / (double)(2 * n + 1);
  }
  return exponent * LN2 + 2 * sum;
}

double vmath_pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (isnan(x) || isnan(y)) return NAN;
  bool whole = floor(y) == y, odd = whole && fabs(y) < 9007199254740992.0 && fmod(y, 2) != 0;
  if (whole && fabs(y) <= 64) {
    double result = 1, base = x;
    for (int n = (int)fabs(y); n > 0; n >>= 1) {
      if (n & 1) result *= base;
      base *= base;
    }
    return y < 0 ? 1 / result : result;
  }
  if (x < 0 && !whole && !isinf(x)) return NAN;
  double magnitude = x == 0 ? (y > 0 ? 0 : INFINITY) : vmath_exp(y * vmath_log(fabs(x)));
  return odd && signbit(x) ? -magnitude : magnitude;
}

Quat quat_from_axis_angle(Vec3 axis, float angle) {
  float length = vec3_length(axis);
  if (!(length > 1e-20f)) return QUAT_IDENTITY;
  float s = (float)vmath_sin(angle * 0.5) / length;
  return (Quat){axis.x * s, axis.y * s, axis.z * s, (float)vmath_cos(angle * 0.5)};
}

void quat_to_axis_angle(Quat q, Vec3 *axis, float *angle) {
  if (q.w < 0) q = quat_negate(q);
  float s = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z);
  *angle = (float)(2 * vmath_atan2(s, q.w));
  *axis = vec3_normalize_or(vec3(q.x, q.y, q.z), vec3(0, 1, 0));
}

Quat quat_mul(Quat a, Quat b) {
  return (Quat){
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  };
}

Quat quat_normalize(Quat q) {
  float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  if (!(length > 1e-20f)) return QUAT_IDENTITY;
  float s = 1.0f / length;
  return (Quat){q.x * s, q.y * s, q.z * s, q.w * s};
}

Quat quat_conjugate(Quat q) {
  return (Quat){-q.x, -q.y, -q.z, q.w};
}

Quat quat_negate(Quat q) {
  return (Quat){-q.x, -q.y, -q.z, -q.w};
}

float quat_dot(Quat a, Quat b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

Vec3 quat_rotate(Quat q, Vec3 v) {
  Vec3 axis = {q.x, q.y, q.z};
  Vec3 turn = vec3_scale(vec3_cross(axis, v), 2);
  return vec3_add(vec3_add_scaled(v, turn, q.w), vec3_cross(axis, turn));
}

Quat quat_slerp(Quat a, Quat b, float t) {
  float dot = quat_dot(a, b);
  if (dot < 0) {
    b = quat_negate(b);
    dot = -dot;
  }
  float from = 1 - t, to = t;
  if (dot < 0.9995f) {
    double angle = vmath_acos(dot), scale = 1 / vmath_sin(angle);
    from = (float)(vmath_sin((1 - t) * angle) * scale);
    to = (float)(vmath_sin(t * angle) * scale);
  }
  return quat_normalize(
      (Quat){a.x * from + b.x * to, a.y * from + b.y * to, a.z * from + b.z * to, a.w * from + b.w * to});
}

Quat quat_from_heading_pitch(float heading, float pitch) {
  return quat_mul(quat_from_axis_angle(vec3(0, 1, 0), heading), quat_from_axis_angle(vec3(1, 0, 0), pitch));
}

Quat quat_look_along(Vec3 direction) {
  float flat = sqrtf(direction.x * direction.x + direction.z * direction.z);
  float heading = flat > 1e-12f ? (float)vmath_atan2(-direction.x, -direction.z) : 0;
  return quat_from_heading_pitch(heading, (float)vmath_atan2(direction.y, flat));
}

float quat_heading(Quat q) {
  Vec3 forward = quat_rotate(q, vec3(0, 0, -1));
  // Looking straight up or down the heading is where the top of the head (up) or the chin (down) points.
  if (fabsf(forward.x) < 1e-6f && fabsf(forward.z) < 1e-6f) {
    Vec3 up = quat_rotate(q, vec3(0, 1, 0));
    forward = forward.y > 0 ? vec3_negate(up) : up;
  }
  return (float)vmath_atan2(-forward.x, -forward.z);
}

Affine affine_from_trs(Vec3 translation, Quat q, Vec3 scale) {
  float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  float xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  float wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return (Affine){
      vec3_scale(vec3(1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)), scale.x),
      vec3_scale(vec3(2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)), scale.y),
      vec3_scale(vec3(2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)), scale.z),
      translation,
  };
}

Affine affine_mul(Affine a, Affine b) {
  return (Affine){affine_vector(a, b.x), affine_vector(a, b.y), affine_vector(a, b.z), affine_point(a, b.origin)};
}

float affine_determinant(Affine a) {
  return vec3_dot(a.x, vec3_cross(a.y, a.z));
}

bool affine_invert(Affine a, Affine *inverse) {
  float determinant = affine_determinant(a);
  *inverse = AFFINE_IDENTITY;
  float scale = 1.0f / determinant;
  if (determinant == 0 || !isfinite(scale)) return false;
  // The rows of the inverse are the cross products of the columns.
  Vec3 row_x = vec3_scale(vec3_cross(a.y, a.z), scale);
  Vec3 row_y = vec3_scale(vec3_cross(a.z, a.x), scale);
  Vec3 row_z = vec3_scale(vec3_cross(a.x, a.y), scale);
  *inverse = (Affine){
      {row_x.x, row_y.x, row_z.x},
      {row_x.y, row_y.y, row_z.y},
      {row_x.z, row_y.z, row_z.z},
      {-vec3_dot(row_x, a.origin), -vec3_dot(row_y, a.origin), -vec3_dot(row_z, a.origin)},
  };
  return true;
}

// The quaternion of a matrix with orthonormal columns (K. Shoemake, "Quaternions", 1991).
static Quat quat_from_columns(Vec3 x, Vec3 y, Vec3 z) {
  float trace = x.x + y.y + z.z;
  Quat q;
  if (trace > 0) {
    float s = sqrtf(trace + 1) * 2;
    q = (Quat){(y.z - z.y) / s, (z.x - x.z) / s, (x.y - y.x) / s, s / 4};
  } else if (x.x > y.y && x.x > z.z) {
    float s = sqrtf(1 + x.x - y.y - z.z) * 2;
    q = (Quat){s / 4, (y.x + x.y) / s, (z.x + x.z) / s, (y.z - z.y) / s};
  } else if (y.y > z.z) {
    float s = sqrtf(1 + y.y - x.x - z.z) * 2;
    q = (Quat){(y.x + x.y) / s, s / 4, (z.y + y.z) / s, (z.x - x.z) / s};
  } else {
    float s = sqrtf(1 + z.z - x.x - y.y) * 2;
    q = (Quat){(z.x + x.z) / s, (z.y + y.z) / s, s / 4, (x.y - y.x) / s};
  }
  return quat_normalize(q);
}

void affine_decompose(Affine a, Vec3 *translation, Quat *rotation, Vec3 *scale) {
  *translation = a.origin;
  *scale = vec3(vec3_length(a.x), vec3_length(a.y), vec3_length(a.z));
  if (affine_determinant(a) < 0) scale->x = -scale->x;
  // A collapsed axis is replaced by one square to the others, so that the rotation stays a rotation.
  Vec3 y = vec3_normalize_or(a.y, vec3(0, 1, 0));
  Vec3 x = vec3_normalize_or(scale->x < 0 ? vec3_negate(a.x) : a.x, vec3(1, 0, 0));
  Vec3 z = vec3_normalize_or(vec3_cross(x, y), vec3(0, 0, 1));
  *rotation = quat_from_columns(x, vec3_cross(z, x), z);
}

Affine affine_lerp(Affine a, Affine b, float t) {
  Vec3 position_a, position_b, scale_a, scale_b;
  Quat rotation_a, rotation_b;
  affine_decompose(a, &position_a, &rotation_a, &scale_a);
  affine_decompose(b, &position_b, &rotation_b, &scale_b);
  return affine_from_trs(vec3_lerp(position_a, position_b, t), quat_slerp(rotation_a, rotation_b, t),
                         vec3_lerp(scale_a, scale_b, t));
}

Vec3 affine_normal(Affine a, Vec3 n) {
  // The cofactor matrix is the inverse transpose times the determinant; the determinant's sign is put right.
  Vec3 yz = vec3_cross(a.y, a.z), zx = vec3_cross(a.z, a.x), xy = vec3_cross(a.x, a.y);
  Vec3 result = vec3_add(vec3_add(vec3_scale(yz, n.x), vec3_scale(zx, n.y)), vec3_scale(xy, n.z));
  if (vec3_dot(a.x, yz) < 0) result = vec3_negate(result);
  return vec3_normalize_or(result, n);
}

Bounds bounds_transform(Bounds bounds, Affine a) {
  if (bounds_is_empty(bounds)) return bounds;
  Vec3 center = affine_point(a, bounds_center(bounds)), half = bounds_half_size(bounds);
  Vec3 reach = vec3_add(vec3_add(vec3_scale(vec3_abs(a.x), half.x), vec3_scale(vec3_abs(a.y), half.y)),
                        vec3_scale(vec3_abs(a.z), half.z));
  return (Bounds){vec3_sub(center, reach), vec3_add(center, reach)};
}

void random_seed(Random *random, uint64_t seed) {
  random->state = seed + 1442695040888963407u;
  random_next(random);
}

uint32_t random_next(Random *random) {
  uint64_t old = random->state;
  random->state = old * 6364136223846793005u + 1442695040888963407u;
  uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27);
  uint32_t turn = (uint32_t)(old >> 59);
  return (shifted >> turn) | (shifted << ((32 - turn) & 31));
}

float random_float(Random *random) {
  return (float)(random_next(random) >> 8) * (1.0f / 16777216.0f);
}
