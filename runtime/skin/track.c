#include "skin/track.h"

#include <string.h>

#include "vmath.h"

// ---- Finding the keys

static float wrap_time(const Track *track, float time) {
  float first = track->times[0], last = track->times[track->key_count - 1];
  return track->repeats && last > first && time > last ? fmodf(time - first, last - first) + first : time;
}

static bool is_between(const Track *track, int key, float time) {
  return key >= 0 && key + 1 < track->key_count && track->times[key] <= time && time < track->times[key + 1];
}

// The last key at or before a time that lies between the first and the last key.
static int find_key(const Track *track, float time, int cursor) {
  for (int key = cursor - 1; key <= cursor + 1; key++) {
    if (is_between(track, key, time)) return key;
  }
  int low = 0, high = track->key_count - 1;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (track->times[middle] <= time)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// ---- Splines with tension, continuity and bias (D. Kochanek, R. Bartels, "Interpolating Splines with Local Tension,
// Continuity, and Bias Control", 1984), with the corrections for uneven times that 3D Studio's published key code makes

typedef struct TcbKey {
  float tension, continuity, bias, ease_to, ease_from;
} TcbKey;

static TcbKey tcb_key(const Track *track, int key) {
  TcbKey result = {0};
  if (track->interpolation == INTERPOLATE_TCB) memcpy(&result, track->tcb + 5 * key, sizeof result);
  return result;
}

// What the ways from the key before and to the key after count in the tangents where a spline arrives at a key and leaves it.
typedef struct TangentWeights {
  float arriving_before, arriving_after, leaving_before, leaving_after;
} TangentWeights;

static TangentWeights tangent_weights(TcbKey k, float time_before, float time_after) {
  float before = 1, after = 1, half = 0.5f * (time_before + time_after);
  if (half > 0) {
    float pull = fabsf(k.continuity);
    before = time_before / half;
    after = time_after / half;
    before += pull - pull * before;
    after += pull - pull * after;
  }
  float slack = 0.5f * (1 - k.tension);
  return (TangentWeights){
      slack * (1 - k.continuity) * (1 + k.bias) * before,
      slack * (1 + k.continuity) * (1 - k.bias) * before,
      slack * (1 + k.continuity) * (1 + k.bias) * after,
      slack * (1 - k.continuity) * (1 - k.bias) * after,
  };
}

// Both ends ease in and out of a span; beyond 1 together they share it.
static float ease(float u, float from, float to) {
  float sum = from + to;
  if (!(sum > 0)) return u;
  if (sum > 1) {
    from /= sum;
    to /= sum;
  }
  float speed = 1 / (2 - from - to);
  if (u < from) return speed / from * u * u;
  if (u < 1 - to) return speed * (2 * u - from);
  return 1 - speed / to * (1 - u) * (1 - u);
}

// A tangent as a sum of keys.
typedef struct Tangent {
  int keys[4];
  float weights[4];
} Tangent;

static float time_at(const Track *track, int key) {
  return track->times[key];
}

// At the end of an open spline: `next` is the neighbour and `far` the one behind it.
static Tangent end_tangent(const Track *track, int end, int next, int far) {
  float slack = 1 - tcb_key(track, end).tension, sign = next > end ? 1 : -1;
  float near_time = fabsf(time_at(track, next) - time_at(track, end));
  float far_time = fabsf(time_at(track, far) - time_at(track, end));
  bool is_straight = track->key_count == 2 || !(far_time > 0);
  float near_weight = sign * slack * (is_straight ? 1 : 1.5f);
  float far_weight = is_straight ? 0 : sign * slack * -near_time / (2 * far_time);
  return (Tangent){{end, next, far, end}, {-near_weight - far_weight, near_weight, far_weight, 0}};
}

static Tangent tangent_at(const Track *track, int key, bool leaves) {
  int last = track->key_count - 1;
  bool is_end = key == 0 || key == last, is_seam = is_end && track->loops && last > 1;
  if (is_end && !is_seam) {
    int next = key == 0 ? 1 : last - 1;
    return end_tangent(track, key, next, last > 1 ? (key == 0 ? 2 : last - 2) : next);
  }
  // At the seam of a loop the last key stands for the first.
  int before = is_seam ? last - 1 : key - 1, after = is_seam ? 1 : key + 1;
  int arrival = is_seam ? last : key, departure = is_seam ? 0 : key;
  TangentWeights weights = tangent_weights(tcb_key(track, key), time_at(track, arrival) - time_at(track, before),
                                           time_at(track, after) - time_at(track, departure));
  float way_before = leaves ? weights.leaving_before : weights.arriving_before;
  float way_after = leaves ? weights.leaving_after : weights.arriving_after;
  return (Tangent){{before, arrival, departure, after}, {-way_before, way_before, -way_after, way_after}};
}

static float tangent_value(const Track *track, const Tangent *tangent, int component) {
  float sum = 0;
  for (int i = 0; i < 4; i++)
    sum += tangent->weights[i] * track->values[tangent->keys[i] * track->component_count + component];
  return sum;
}

static float hermite(float u, float from, float leaving, float to, float arriving) {
  float u2 = u * u, u3 = u2 * u;
  return (2 * u3 - 3 * u2 + 1) * from + (u3 - 2 * u2 + u) * leaving + (3 * u2 - 2 * u3) * to + (u3 - u2) * arriving;
}

static void sample_spline(const Track *track, int key, float u, float *value) {
  Tangent leaving = tangent_at(track, key, true), arriving = tangent_at(track, key + 1, false);
  int count = track->component_count;
  const float *from = track->values + key * count, *to = from + count;
  for (int i = 0; i < count; i++)
    value[i] = hermite(u, from[i], tangent_value(track, &leaving, i), to[i], tangent_value(track, &arriving, i));
}

// ---- Rotations (K. Shoemake, "Animating Rotation with Quaternion Curves", 1985)

static Quat quat_at(const Track *track, int key) {
  const float *q = track->values + 4 * key;
  return (Quat){q[0], q[1], q[2], q[3]};
}

// The way from a to b as they are: up to a full turn of what they rotate.
static Quat slerp_as_is(Quat a, Quat b, float t) {
  double dot = quat_dot(a, b);
  if (dot > 0.9995) return quat_slerp(a, b, t);
  // Opposite ones are half a turn of the quaternion apart, by any way.
  if (dot < -0.99999) {
    b = (Quat){-a.y, a.x, -a.w, a.z};
    dot = 0;
    t *= 2;
  }
  double angle = vmath_acos(dot), scale = 1 / vmath_sin(angle);
  float from = (float)(vmath_sin((1 - t) * angle) * scale), to = (float)(vmath_sin(t * angle) * scale);
  return (Quat){a.x * from + b.x * to, a.y * from + b.y * to, a.z * from + b.z * to, a.w * from + b.w * to};
}

static Vec3 quat_log(Quat q) {
  Vec3 axis = {q.x, q.y, q.z};
  float length = vec3_length(axis);
  return length > 1e-8f ? vec3_scale(axis, (float)vmath_atan2(length, q.w) / length) : vec3(0, 0, 0);
}

static Quat quat_exp(Vec3 v) {
  float angle = vec3_length(v), scale = angle > 1e-8f ? (float)vmath_sin(angle) / angle : 1;
  return (Quat){v.x * scale, v.y * scale, v.z * scale, (float)vmath_cos(angle)};
}

// The turn from one key to the next as a logarithm, by the shorter way.
static Vec3 turn_between(const Track *track, int from, int to) {
  Quat a = quat_at(track, from), b = quat_at(track, to);
  if (quat_dot(a, b) < 0) b = quat_negate(b);
  return quat_log(quat_mul(quat_conjugate(a), b));
}

// The inner point of a squad beside a key, where the spline leaves it or arrives. At an end the missing side mirrors the
// other one.
static Quat squad_point(const Track *track, int key, bool leaves) {
  int last = track->key_count - 1;
  bool has_before = key > 0, has_after = key < last;
  Vec3 before = has_before ? turn_between(track, key - 1, key) : turn_between(track, key, key + 1);
  Vec3 after = has_after ? turn_between(track, key, key + 1) : before;
  bool is_inner = has_before && has_after;
  TangentWeights weights =
      tangent_weights(tcb_key(track, key), is_inner ? time_at(track, key) - time_at(track, key - 1) : 0,
                      is_inner ? time_at(track, key + 1) - time_at(track, key) : 0);
  float way_before = leaves ? weights.leaving_before : 1 - weights.arriving_before;
  float way_after = leaves ? weights.leaving_after - 1 : -weights.arriving_after;
  Vec3 offset = vec3_add(vec3_scale(before, 0.5f * way_before), vec3_scale(after, 0.5f * way_after));
  return quat_mul(quat_at(track, key), quat_exp(offset));
}

static Quat squad(const Track *track, int key, float u) {
  Quat outer = slerp_as_is(quat_at(track, key), quat_at(track, key + 1), u);
  Quat inner = slerp_as_is(squad_point(track, key, true), squad_point(track, key + 1, false), u);
  return slerp_as_is(outer, inner, 2 * u * (1 - u));
}

static bool is_spline(const Track *track) {
  return track->interpolation == INTERPOLATE_SPLINE || track->interpolation == INTERPOLATE_TCB;
}

static Quat rotation_between(const Track *track, int key, float u) {
  const float *spin = track->spins ? track->spins + 4 * (key + 1) : NULL;
  if (spin && spin[3] != 0)
    return quat_mul(quat_from_axis_angle(vec3(spin[0], spin[1], spin[2]), spin[3] * u), quat_at(track, key));
  return is_spline(track) ? squad(track, key, u) : slerp_as_is(quat_at(track, key), quat_at(track, key + 1), u);
}

// ---- All kinds

static void store_rotation(Quat q, float *value) {
  q = quat_normalize(q);
  memcpy(value, &q, sizeof q);
}

// As glTF defines it: tangents are a second, so they are stretched to the span.
static void sample_cubic(const Track *track, int key, float u, float span, float *value) {
  int count = track->component_count;
  const float *from = track->values + 3 * key * count, *to = from + 3 * count;
  for (int i = 0; i < count; i++)
    value[i] = hermite(u, from[count + i], span * from[2 * count + i], to[count + i], span * to[i]);
}

static void sample_key(const Track *track, int key, float *value) {
  int count = track->component_count;
  const float *values = track->values + key * count;
  if (track->interpolation == INTERPOLATE_CUBIC) values = track->values + (3 * key + 1) * count;
  memcpy(value, values, (size_t)count * sizeof *value);
}

static void sample_between(const Track *track, int key, float time, float *value) {
  float span = track->times[key + 1] - track->times[key], u = (time - track->times[key]) / span;
  if (track->interpolation == INTERPOLATE_CUBIC) {
    sample_cubic(track, key, u, span, value);
    return;
  }
  if (is_spline(track)) u = ease(u, tcb_key(track, key).ease_from, tcb_key(track, key + 1).ease_to);
  if (track->property == TRACK_ROTATION) {
    store_rotation(rotation_between(track, key, u), value);
  } else if (is_spline(track)) {
    sample_spline(track, key, u, value);
  } else {
    const float *from = track->values + key * track->component_count, *to = from + track->component_count;
    for (int i = 0; i < track->component_count; i++)
      value[i] = lerpf(from[i], to[i], u);
  }
}

void track_sample(const Track *track, float time, int *cursor, float *value) {
  int last = track->key_count - 1;
  time = wrap_time(track, time);
  if (time <= track->times[0] || time >= track->times[last]) {
    sample_key(track, time <= track->times[0] ? 0 : last, value);
  } else {
    int key = *cursor = find_key(track, time, *cursor);
    if (track->interpolation == INTERPOLATE_STEP)
      sample_key(track, key, value);
    else
      sample_between(track, key, time, value);
  }
  if (track->property == TRACK_ROTATION) store_rotation((Quat){value[0], value[1], value[2], value[3]}, value);
}
