#include "engine/goal.h"

#define SETTLE_DISTANCE 0.02f   // metres from the goal's point where an NPC stands still
#define SETTLE_SECONDS 1.0f     // how long one who has arrived in a crowd tries to come nearer still
#define SLOWDOWN_RATE 6.0f      // per second: the last metres are walked at distance * rate
#define AVOID_MARGIN 0.5f       // metres between bodies from which on they keep apart
#define FLEE_DISTANCE 20.0f     // metres at which one who flees feels safe
#define FACE_WALK_MINIMUM 0.2f  // share of the speed kept while the body still turns

static Vec3 flat(Vec3 v) {
  return vec3(v.x, 0, v.z);
}

static Vec3 node_position(const World *world, Handle handle) {
  return scene_current_world(&world->scene, scene_get(&world->scene, handle)).origin;
}

static void drop_goal(World *world, Character *npc) {
  world_free_character(world, npc);
  npc->goal = (Goal){0};
}

static void tell_arrived(World *world, const Character *npc) {
  WorldEvent arrived = world_make_event(world, EVENT_KIND_ARRIVED, npc->node);
  world_push_event(world, &arrived);
}

// Walks towards a place at no more than `speed`; who still has to turn is slower.
static GoalMove walk_along(const World *world, const Character *npc, Vec3 way, float speed) {
  Vec3 direction = vec3_normalize_or(way, vec3(0, 0, 0));
  double heading = world_heading(world, scene_get(&world->scene, npc->node)) * RADIANS_PER_DEGREE;
  Vec3 front = vec3(-(float)vmath_sin(heading), 0, -(float)vmath_cos(heading));
  float aligned = clampf(vec3_dot(front, direction), FACE_WALK_MINIMUM, 1);
  Vec3 walk = vec3_add(vec3_scale(direction, speed * aligned), npc->avoidance);
  float length = vec3_length(walk);
  if (length > npc->speed) walk = vec3_scale(walk, npc->speed / length);
  return (GoalMove){walk, direction};
}

static float approach_speed(const World *world, const Character *npc, float distance) {
  float speed = npc->speed, slow = distance * SLOWDOWN_RATE, last = distance / world->desc.step_seconds;
  if (speed > slow) speed = slow;
  return speed > last ? last : speed;
}

static GoalMove steer_walk(World *world, Character *npc, Vec3 way) {
  float distance = vec3_length(way);
  if (!npc->goal.has_arrived && distance < npc->arrive) {
    npc->goal.has_arrived = true;
    tell_arrived(world, npc);
  }
  if (!npc->goal.has_arrived) return walk_along(world, npc, way, approach_speed(world, npc, distance));
  // Arrived: the rest of the way is walked only as far as nobody stands there.
  npc->goal.settling += world->desc.step_seconds;
  bool is_slow = vec3_length(flat(npc->mover.velocity)) < 0.05f * npc->speed;
  bool is_crowded = vec3_length_squared(npc->avoidance) > 0 && distance < npc->arrive;
  if (distance < SETTLE_DISTANCE || (is_crowded && (is_slow || npc->goal.settling > SETTLE_SECONDS))) {
    drop_goal(world, npc);
    return (GoalMove){0};
  }
  return walk_along(world, npc, way, approach_speed(world, npc, distance));
}

static GoalMove steer_patrol(World *world, Character *npc, Vec3 position) {
  Goal *goal = &npc->goal;
  Vec3 way = flat(vec3_sub(goal->points[goal->next_point], position));
  if (vec3_length(way) < npc->arrive) {
    tell_arrived(world, npc);
    if (goal->point_count == 1) {
      drop_goal(world, npc);
      return (GoalMove){0};
    }
    goal->next_point = (goal->next_point + 1) % goal->point_count;
    way = flat(vec3_sub(goal->points[goal->next_point], position));
  }
  return walk_along(world, npc, way, npc->speed);
}

static GoalMove steer_follow(const World *world, const Character *npc, Vec3 way) {
  float gap = vec3_length(way) - npc->goal.distance;
  if (gap < SETTLE_DISTANCE) return (GoalMove){vec3(0, 0, 0), way};
  return walk_along(world, npc, way, approach_speed(world, npc, gap));
}

static GoalMove steer_flee(const World *world, const Character *npc, Vec3 way) {
  if (vec3_length(way) > FLEE_DISTANCE) return (GoalMove){0};
  // One who stands exactly where the threat is runs straight ahead.
  double heading = world_heading(world, scene_get(&world->scene, npc->node)) * RADIANS_PER_DEGREE;
  Vec3 ahead = vec3(-(float)vmath_sin(heading), 0, -(float)vmath_cos(heading));
  Vec3 away = vec3_length(way) > 1e-4f ? vec3_negate(way) : ahead;
  return walk_along(world, npc, away, npc->speed);
}

static bool needs_node(GoalKind kind) {
  return kind == GOAL_FOLLOW || kind == GOAL_FLEE || kind == GOAL_FACE;
}

GoalMove goal_steer(World *world, Character *npc) {
  Goal *goal = &npc->goal;
  if (npc->is_dead || goal->kind == GOAL_IDLE) return (GoalMove){0};
  if (needs_node(goal->kind) && !scene_get(&world->scene, goal->node)) {
    drop_goal(world, npc);
    return (GoalMove){0};
  }
  Vec3 position = node_position(world, npc->node);
  Vec3 target = needs_node(goal->kind) ? node_position(world, goal->node) : goal->point;
  Vec3 way = flat(vec3_sub(target, position));
  switch (goal->kind) {
    case GOAL_WALK:
      return steer_walk(world, npc, way);
    case GOAL_PATROL:
      return steer_patrol(world, npc, position);
    case GOAL_FOLLOW:
      return steer_follow(world, npc, way);
    case GOAL_FLEE:
      return steer_flee(world, npc, way);
    case GOAL_FACE:
      return (GoalMove){vec3(0, 0, 0), way};
    case GOAL_IDLE:
      break;
  }
  return (GoalMove){0};
}

static Character *owner_character(const World *world, const Collider *collider) {
  return world_character(world, pool_handle_at(&world->scene.pool, collider->owner));
}

// One body pushes another away, and a little to the side of where that one is going, so that two who meet head on pass
// each other on the right.
static void avoid(Character *character, Vec3 away, float closeness) {
  Vec3 going = vec3_normalize_or(flat(character->mover.velocity), vec3(0, 0, 0));
  Vec3 right = vec3(-going.z, 0, going.x);
  float ahead = -vec3_dot(going, away);
  Vec3 push = vec3_scale(away, closeness);
  if (ahead > 0.5f) push = vec3_add_scaled(push, right, closeness * ahead);
  character->avoidance = vec3_add_scaled(character->avoidance, push, 0.5f * character->speed);
}

static void avoid_pair(void *user, const Collider *a, const Collider *b) {
  const World *world = user;
  Character *first = owner_character(world, a), *second = owner_character(world, b);
  if (!first || !second) return;
  // A rider does not keep apart from its horse.
  if (scene_is_within(&world->scene, first->node, second->node)) return;
  if (scene_is_within(&world->scene, second->node, first->node)) return;
  Vec3 away = flat(vec3_sub(a->transform.origin, b->transform.origin));
  float distance = vec3_length(away), gap = distance - a->radius - b->radius;
  away = vec3_normalize_or(away, vec3(1, 0, 0));
  float closeness = clampf(1 - gap / AVOID_MARGIN, 0, 1);
  avoid(first, away, closeness);
  avoid(second, vec3_negate(away), closeness);
}

void goal_avoid_neighbours(World *world) {
  for (int i = 0; i < world->characters.count; i++)
    world->characters.items[i].avoidance = vec3(0, 0, 0);
  colliders_each_capsule_pair(world->colliders, AVOID_MARGIN, avoid_pair, world);
}
