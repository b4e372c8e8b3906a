#ifndef PALFREY_ENGINE_SWEEP_H
#define PALFREY_ENGINE_SWEEP_H
// Exact sweeps of a sphere or an upright capsule. Both are an upright segment with a radius around it, and the distance of
// a moving segment from a convex shape is a convex function of time. Newton's method on it, started before the contact,
// therefore never steps past the contact, and the moving shape never passes anything at any speed.
#include "vmath.h"

/// The points of a segment: from `low` up by `height` (0 for a sphere's centre).
typedef struct UprightSegment {
  Vec3 low;
  float height;
} UprightSegment;

/// How near a segment is to a shape.
typedef struct Nearest {
  float distance;
  Vec3 normal;  ///< unit, from the shape's point towards the segment
  Vec3 point;   ///< on the shape
} Nearest;

Nearest nearest_on_triangle(UprightSegment segment, Vec3 a, Vec3 b, Vec3 c);

/// The same for another upright segment, whose radius is taken off: a sphere or capsule.
Nearest nearest_on_capsule(UprightSegment segment, UprightSegment other, float radius);

/// What a sweep is against: a function of the place of the segment.
typedef struct SweepTarget {
  Nearest (*nearest)(const struct SweepTarget *target, UprightSegment segment);
  Vec3 a, b, c;          ///< a triangle
  UprightSegment other;  ///< or a capsule
  float radius;
} SweepTarget;

SweepTarget sweep_target_triangle(Vec3 a, Vec3 b, Vec3 c);
SweepTarget sweep_target_capsule(UprightSegment other, float radius);

typedef struct Contact {
  float travelled;  ///< along the direction
  Nearest nearest;  ///< at the contact
  bool is_inside;   ///< nearer than the radius from the start
} Contact;

/// The smallest length that means anything at coordinates as large as these.
float sweep_tolerance(Vec3 place);

/// Moves a segment with `radius` around it along the unit `direction` for at most `length`. False when nothing is met. Who
/// touches from the start and does not go deeper is free to go.
bool sweep_segment(UprightSegment segment, float radius, Vec3 direction, float length, const SweepTarget *target,
                   Contact *contact);

#endif
