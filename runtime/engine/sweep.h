#ifndef PALFREY_ENGINE_SWEEP_H
#define PALFREY_ENGINE_SWEEP_H
// Exact sweeps of a sphere or an upright capsule. Both are an upright segment with a radius around it, and the distance of
// a moving segment from a convex shape is a convex function of time. Newton's method on it, started before the contact,
// therefore never steps past the contact, and the moving shape never passes anything at any speed.
// Everything in here is computed in double: the squares of coordinates as large as floats go then stay harmless, and large
// triangles and places far from the origin lose no digits.
#include "vmath.h"

/// The points of a segment: from `low` up by `height` (0 for a sphere's centre).
typedef struct UprightSegment {
  Vec3 low;
  float height;
} UprightSegment;

/// How near a segment is to a shape.
typedef struct Nearest {
  float distance;  ///< below 0: the segment goes through the triangle, and this far is the shorter way out
  Vec3 normal;     ///< unit, from the shape's point towards the segment
  Vec3 point;      ///< on the shape
} Nearest;

/// A vector with the digits of doubles.
typedef struct Wide {
  double x, y, z;
} Wide;

/// What a sweep is against, prepared: a triangle or an upright segment with a radius.
typedef struct SweepTarget {
  Wide corners[3], edges[3];  ///< each edge from its corner to the next one
  Wide inward[3];             ///< in the triangle's plane, from the edge to the inside
  double edge_inverse[3];     ///< of the squared lengths; 0 where the corners coincide
  Wide normal;                ///< unit; zero for a triangle without area
  Wide low;                   ///< of the segment
  double height, radius;
  bool is_round;
} SweepTarget;

SweepTarget sweep_target_triangle(Vec3 a, Vec3 b, Vec3 c);

/// A sphere or capsule by its core.
SweepTarget sweep_target_capsule(UprightSegment core, float radius);

/// The distance of a segment (without any radius of its own) from the target.
Nearest sweep_nearest(const SweepTarget *target, UprightSegment segment);

typedef struct Contact {
  float travelled;  ///< along the direction
  Nearest nearest;  ///< at the contact
  bool is_inside;   ///< nearer than the radius from the start, by more than rounding
} Contact;

/// The rounding of places as large as this one, in metres, with some room: what is deeper by less is not in touch.
float sweep_tolerance(Vec3 place);

/// Moves a segment with `radius` around it along the unit `direction` for at most `length`. False when nothing is met. A
/// shape that only touches, or that would go deeper by no more than 2 tolerances, is free to go: this is what lets it glide
/// over the seams of a floor. Radii below that count as that.
bool sweep_segment(UprightSegment segment, float radius, Vec3 direction, float length, const SweepTarget *target,
                   Contact *contact);

#endif
