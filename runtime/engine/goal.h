#ifndef PALFREY_ENGINE_GOAL_H
#define PALFREY_ENGINE_GOAL_H
// Where an NPC wants to go: the goal a script gave becomes a wanted velocity and a direction to face, once a step, in C.
#include "engine/world.h"

typedef struct GoalMove {
  Vec3 walk;  ///< wanted horizontal velocity, m/s
  Vec3 face;  ///< direction to turn to, or 0
} GoalMove;

/// Also notices arrival, which is told as an event, and drops goals that are done.
GoalMove goal_steer(World *world, Character *npc);

/// Sets Character.avoidance of everybody who stands close to somebody else.
void goal_avoid_neighbours(World *world);

#endif
