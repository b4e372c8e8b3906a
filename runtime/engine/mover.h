#ifndef PALFREY_ENGINE_MOVER_H
#define PALFREY_ENGINE_MOVER_H
// The character controller: an upright capsule that slides along walls, climbs steps and slopes, stays on the ground it
// walks down, and falls where there is none. The same for players and NPCs. Units are metres and seconds.
// A body keeps a gap of 0.25 mm from everything, or a millionth of its coordinates where that is more: at rest its feet are
// that far above the floor. On slopes its speed over x and z stays as wanted.
#include "engine/collider.h"

typedef struct MoverShape {
  float radius, height;
  float step_height;  ///< ledges up to here are climbed
  float slope_limit;  ///< radians; steeper ground is slid down
} MoverShape;

typedef struct MoverState {
  Vec3 position;  ///< the feet
  Vec3 velocity;  ///< of the last step, as moved; y carries the fall
  bool on_ground;
  Vec3 ground_normal;
  uint32_t ground_owner;  ///< valid on the ground
} MoverState;

typedef struct MoverStep {
  Vec3 walk;         ///< wanted horizontal velocity; y is ignored
  float jump_speed;  ///< upward speed at the start of this step, 0 for none; only from the ground
  float gravity;     ///< downwards, m/s^2
  float seconds;
  ColliderFilter filter;
} MoverStep;

/// Moves one step. Any speed is safe. Overlaps at the start (something moved into us) are pushed out first.
void mover_step(const ColliderSet *set, const MoverShape *shape, MoverState *state, const MoverStep *step);

#endif
