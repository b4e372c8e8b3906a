#ifndef PALFREY_SKIN_TRACK_H
#define PALFREY_SKIN_TRACK_H
// The keys of one animated property, and its value at any time between them. Times are seconds and ascend, several keys may
// share one. Before the first key the first value holds, after the last one the last.
#include <stdbool.h>

typedef enum TrackProperty {
  TRACK_TRANSLATION = 0,  ///< 3 components
  TRACK_ROTATION,         ///< 4: a quaternion x, y, z, w
  TRACK_SCALE,            ///< 3
  TRACK_VISIBILITY,       ///< 1
  TRACK_ALPHA,            ///< 1
  TRACK_MORPH_WEIGHTS,    ///< one a target
  TRACK_COLOR,            ///< 3: of a light or material
  TRACK_INTENSITY,        ///< 1
  TRACK_FOV,              ///< 1
  TRACK_ROLL,             ///< 1
  TRACK_UV_OFFSET,        ///< 2
  TRACK_PROPERTY_COUNT,
} TrackProperty;

typedef enum TrackInterpolation {
  INTERPOLATE_LINEAR = 0,  ///< rotations by slerp
  INTERPOLATE_STEP,
  INTERPOLATE_CUBIC,   ///< Hermite with in and out tangents (glTF)
  INTERPOLATE_SPLINE,  ///< as INTERPOLATE_TCB with all numbers 0, squad for rotations (JSR-184)
  INTERPOLATE_TCB,     ///< tension, continuity, bias, ease (3DS)
  TRACK_INTERPOLATION_COUNT,
} TrackInterpolation;

/// Rotations are interpolated from one quaternion to the next as they are, the long way too: who wants the shorter way turns
/// signs beforehand.
typedef struct Track {
  TrackProperty property;
  TrackInterpolation interpolation;
  bool repeats;  ///< after the last key comes the first again
  bool loops;    ///< first and last key are one pose, which the spline passes smoothly (TCB, 3 keys or more)
  int component_count, key_count;
  const float *times;   ///< one a key
  const float *values;  ///< component_count a key; cubic: in-tangent, value, out-tangent in a row, tangents a second
  const float *tcb;     ///< tension, continuity, bias, ease to, ease from: 5 a key, or NULL
  const float *spins;   ///< rotations: unit axis and angle since the key before, 4 a key, for turns too long for two
                        ///< quaternions to tell; angle 0 where they can. NULL for none
} Track;

/// Writes the component_count numbers at a time, rotations of unit length. `cursor` is the key of an earlier call, or any
/// number: with times that follow each other finding the key takes no search.
void track_sample(const Track *track, float time, int *cursor, float *value);

#endif
