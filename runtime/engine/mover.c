#include "engine/mover.h"

#include "engine/sweep.h"

// Bodies keep this gap from everything, in metres, so that rounding never leaves them overlapping. Far from the origin, where
// places are rounded more coarsely, the gap grows with the rounding.
#define SKIN 2.5e-4f
// How far a body that overlaps something is pushed out in one step.
#define MOST_PUSH 0.3f
// Nothing moves further in one step, falls faster (m/s), or gets further away than this.
#define MOST_MOTION 1000.0f
#define MOST_FALL 500.0f
#define WORLD_EDGE 1e7f

enum { MAX_SLIDES = 8, MAX_PUSHES = 6 };

// One body while it is moved.
typedef struct Body {
  const ColliderSet *set;
  const MoverShape *shape;
  const MoverStep *step;
  Vec3 feet;
  float skin, tolerance;
  float least_up;  // the height of the normal of the steepest ground that can be walked
} Body;

static Sweep body_sweep(const Body *body, Vec3 motion, float skin) {
  const MoverShape *shape = body->shape;
  return (Sweep){
      .center = vec3(body->feet.x, body->feet.y + shape->height * 0.5f, body->feet.z),
      .radius = shape->radius + skin,
      .height = shape->height + 2 * skin,
      .motion = motion,
      .filter = body->step->filter,
  };
}

// Moves the body until something is met; true with the hit when it did not get all the way.
static bool travel(Body *body, Vec3 motion, SweepHit *hit) {
  Sweep sweep = body_sweep(body, motion, body->skin);
  bool is_hit = colliders_sweep(body->set, &sweep, hit);
  body->feet = vec3_add_scaled(body->feet, motion, is_hit ? hit->time : 1);
  return is_hit;
}

static bool is_walkable(const Body *body, Vec3 normal) {
  return normal.y >= body->least_up;
}

// Ground carries a body. Somebody's body is none, however flat its top. On an edge of flat ground a body can go on walking
// however it hangs over, or it would take off on every stair down; but it does not stay there.
static bool is_ground(const Body *body, const SweepHit *hit, bool is_walking) {
  if (hit->shape == COLLIDER_CAPSULE) return false;
  return is_walkable(body, hit->normal) || (is_walking && is_walkable(body, hit->face) && hit->normal.y > 0.01f);
}

// The plane a body on this ground walks along.
static Vec3 ground_plane(const Body *body, const SweepHit *ground) {
  if (is_walkable(body, ground->normal)) return ground->normal;
  return is_walkable(body, ground->face) ? ground->face : vec3(0, 1, 0);
}

// ------------------------------------------------------------------------------------------------- level motion

// The walls that were met while gliding over ground. Only x and z of the motion are free: the ground gives its height.
typedef struct Glide {
  Vec3 wanted;  // the direction of the whole motion, which nothing may turn back
  Vec3 ground;
  Vec3 walls[MAX_SLIDES];
  int count;
} Glide;

static Vec3 along_ground(Vec3 ground, Vec3 motion) {
  return vec3(motion.x, -(ground.x * motion.x + ground.z * motion.z) / ground.y, motion.z);
}

// A wall as it stands in the way of motions along the ground: level and of unit length, or zero when it leaves no way.
static Vec3 level_wall(const Glide *glide, Vec3 wall) {
  float share = wall.y / glide->ground.y;
  return vec3_normalize_or(vec3(wall.x - glide->ground.x * share, 0, wall.z - glide->ground.z * share), vec3(0, 0, 0));
}

static bool goes_into_walls(const Glide *glide, Vec3 motion, float slack) {
  for (int i = 0; i < glide->count; i++) {
    if (vec3_dot(motion, level_wall(glide, glide->walls[i])) < -slack) return true;
  }
  return false;
}

// What is left of a motion that may not go into any of the walls: the longest way along one of them, or nothing. It never
// leads back, so that nobody who pushes into a corner goes to and fro in it.
static Vec3 clip_level(const Glide *glide, Vec3 motion) {
  float slack = 1e-6f * vec3_length(motion), best_length = 0;
  Vec3 best = {0, 0, 0};
  if (!goes_into_walls(glide, motion, slack)) return motion;
  for (int i = 0; i < glide->count; i++) {
    Vec3 wall = level_wall(glide, glide->walls[i]);
    Vec3 along = vec3_add_scaled(motion, wall, -vec3_dot(motion, wall));
    float length = vec3_length(along);
    bool is_free = !vec3_equals(wall, vec3(0, 0, 0)) && !goes_into_walls(glide, along, slack);
    if (!is_free || length <= best_length || vec3_dot(along, glide->wanted) <= 0) continue;
    best = along;
    best_length = length;
  }
  return best;
}

// Adds what was met as a wall. Bodies are upright walls whatever part of them was met.
static void add_wall(Glide *glide, const SweepHit *hit, Vec3 motion) {
  Vec3 wall = hit->normal;
  if (hit->shape == COLLIDER_CAPSULE)
    wall = vec3_normalize_or(vec3(wall.x, 0, wall.z), vec3_normalize_or(vec3_negate(motion), wall));
  glide->walls[glide->count++] = wall;
}

// Ground that was met ahead is climbed. Met again in spite of that, it is climbed a little more steeply than it is: rounding.
static void climb(Glide *glide, const SweepHit *hit) {
  bool is_same = vec3_dot(hit->normal, glide->ground) > 0.99999f;
  glide->ground = hit->normal;
  if (is_same && glide->ground.y < 0.999f) glide->ground.y -= 1e-4f;
}

// Whether a motion is long enough to be made.
static bool is_motion(Vec3 motion) {
  return motion.x * motion.x + motion.z * motion.z > 1e-14f;
}

// Glides along ground and walls, without steps.
static void glide_along(Body *body, Glide *glide, Vec3 motion) {
  SweepHit hit;
  for (int i = 0; i < MAX_SLIDES && is_motion(motion); i++) {
    if (!travel(body, along_ground(glide->ground, motion), &hit)) return;
    motion = vec3_scale(motion, 1 - hit.time);
    if (is_ground(body, &hit, false)) {
      climb(glide, &hit);
    } else {
      add_wall(glide, &hit, motion);
    }
    motion = clip_level(glide, motion);
  }
}

// ------------------------------------------------------------------------------------------------- falling

typedef struct Planes {
  Vec3 normals[MAX_SLIDES];
  int count;
} Planes;

static bool goes_into_planes(const Planes *planes, Vec3 motion, float slack) {
  for (int i = 0; i < planes->count; i++) {
    if (vec3_dot(motion, planes->normals[i]) < -slack) return true;
  }
  return false;
}

static void keep_longer(const Planes *planes, Vec3 motion, float slack, Vec3 *best) {
  if (vec3_length_squared(motion) > vec3_length_squared(*best) && !goes_into_planes(planes, motion, slack))
    *best = motion;
}

// What is left of a motion that may not go into any of the planes: along one, along the crease of two, or nothing.
static Vec3 clip_motion(const Planes *planes, Vec3 motion) {
  float slack = 1e-5f * vec3_length(motion);
  Vec3 best = {0, 0, 0};
  keep_longer(planes, motion, slack, &best);
  for (int i = 0; i < planes->count; i++) {
    Vec3 normal = planes->normals[i];
    keep_longer(planes, vec3_add_scaled(motion, normal, -vec3_dot(motion, normal)), slack, &best);
    for (int k = 0; k < i; k++) {
      Vec3 crease = vec3_normalize_or(vec3_cross(normal, planes->normals[k]), vec3(0, 0, 0));
      keep_longer(planes, vec3_scale(crease, vec3_dot(motion, crease)), slack, &best);
    }
  }
  return best;
}

typedef enum FallEnd {
  FALL_GOES_ON = 0,
  FALL_LANDS,
  FALL_IS_HELD,  // by several surfaces none of which is ground
} FallEnd;

// Moves up or down along whatever is met until there is ground.
static FallEnd fall(Body *body, float rise, bool is_walking, SweepHit *ground) {
  Planes planes = {.count = 0};
  Vec3 motion = {0, rise, 0};
  bool meets_body = false;
  for (int i = 0; i < MAX_SLIDES; i++) {
    if (vec3_length_squared(motion) < 1e-16f) return meets_body || rise > 0 ? FALL_GOES_ON : FALL_IS_HELD;
    SweepHit hit;
    if (!travel(body, motion, &hit)) return FALL_GOES_ON;
    if (rise <= 0 && is_ground(body, &hit, is_walking)) {
      *ground = hit;
      return FALL_LANDS;
    }
    meets_body |= hit.shape == COLLIDER_CAPSULE;
    planes.normals[planes.count++] = hit.normal;
    motion = vec3_scale(motion, 1 - hit.time);
    // Nobody balances on a head: who comes down on the very top of one moves off it, from the middle along +X.
    if (hit.shape == COLLIDER_CAPSULE && hit.normal.y > 0.99f) {
      Vec3 aside = vec3_normalize_or(vec3(hit.normal.x, 0, hit.normal.z), vec3(1, 0, 0));
      motion = vec3_scale(aside, vec3_length(motion));
    }
    motion = clip_motion(&planes, motion);
  }
  return FALL_GOES_ON;
}

// In the air: walls first, then up or down. Returns whether it lands.
static bool fly(Body *body, Vec3 motion, float *vertical_speed, SweepHit *ground) {
  Glide glide = {.wanted = motion, .ground = {0, 1, 0}};
  float rise = *vertical_speed * body->step->seconds;
  glide_along(body, &glide, motion);
  float before = body->feet.y;
  FallEnd end = fall(body, rise, false, ground);
  float moved = body->feet.y - before;
  // Held up by steep ground on several sides it stands, or it could never get away.
  bool is_stopped = rise > 0 ? moved < 0.5f * rise : moved > 0.01f * rise;
  bool is_held = end == FALL_IS_HELD && is_stopped;
  if (is_held) *ground = (SweepHit){.normal = {0, 1, 0}, .face = {0, 1, 0}};
  // Down a steep slope the speed goes on growing: clipping the motion makes g sin^2 of g, as it should.
  if (end == FALL_LANDS || is_stopped) *vertical_speed = 0;
  return end == FALL_LANDS || is_held;
}

// Straight down to ground. A leaning wall that is touched may push aside by no more than the gap to it: who would have to
// slide further is in the air.
static bool drop(Body *body, float by, bool is_walking, SweepHit *ground) {
  Vec3 start = body->feet;
  if (fall(body, -by, is_walking, ground) != FALL_LANDS) return false;
  Vec3 aside = vec3(body->feet.x - start.x, 0, body->feet.z - start.z);
  return vec3_length(aside) <= 8 * body->skin;
}

// Goes down to ground that is no further than a step below; stays where it is without such ground.
static bool snap_down(Body *body, bool is_walking, SweepHit *ground) {
  Vec3 start = body->feet;
  float reach = body->shape->step_height > 4 * body->skin ? body->shape->step_height : 4 * body->skin;
  bool lands = drop(body, reach, is_walking, ground);
  // Within the gap it stays exactly where it is, so that nobody who stands still ever moves.
  if (!lands || (!is_walking && start.y - body->feet.y <= 4 * body->skin)) body->feet = start;
  return lands;
}

// ------------------------------------------------------------------------------------------------- walking

// Steps over what was met: up, forward, and down to ground not more than a step above the start. The step must have led past
// the obstacle; else, and without ground, the body has not moved.
static bool step_over(Body *body, const SweepHit *obstacle, Vec3 motion, SweepHit *ground) {
  Vec3 start = body->feet;
  float step = body->shape->step_height;
  SweepHit hit;
  if (!(step > 0)) return false;
  travel(body, vec3(0, step, 0), &hit);
  float lifted = body->feet.y - start.y;
  Glide glide = {.wanted = motion, .ground = {0, 1, 0}};
  Vec3 wall = level_wall(&glide, obstacle->normal);
  if (lifted > 2 * body->skin) {
    glide_along(body, &glide, motion);
    bool passes = vec3_dot(vec3_sub(start, body->feet), wall) > 2 * body->tolerance;
    if (passes && drop(body, lifted + step, true, ground) && ground->point.y - start.y <= step + 4 * body->skin)
      return true;
  }
  body->feet = start;
  return false;
}

// No step goes further at once, so that it comes down on the next stair and not before the one after.
static Vec3 limit_step(const Body *body, Vec3 motion) {
  float length = vec3_length(motion), most = 0.5f * body->shape->radius;
  return length > most ? vec3_scale(motion, most / length) : motion;
}

// Over ground, climbing what can be climbed. Returns whether there still is ground at the end.
static bool walk(Body *body, Vec3 plane, Vec3 motion, SweepHit *ground) {
  Glide glide = {.wanted = motion, .ground = plane};
  SweepHit hit;
  for (int i = 0; i < MAX_SLIDES && is_motion(motion); i++) {
    if (!travel(body, along_ground(glide.ground, motion), &hit)) break;
    motion = vec3_scale(motion, 1 - hit.time);
    Vec3 part = limit_step(body, motion);
    if (is_ground(body, &hit, false)) {
      climb(&glide, &hit);
    } else if (hit.shape != COLLIDER_CAPSULE && step_over(body, &hit, part, ground)) {
      motion = vec3_sub(motion, part);
      glide = (Glide){.wanted = glide.wanted, .ground = ground_plane(body, ground)};
      continue;
    } else {
      add_wall(&glide, &hit, motion);
    }
    motion = clip_level(&glide, motion);
  }
  return snap_down(body, true, ground);
}

// ------------------------------------------------------------------------------------------------- overlaps

// Moves along `normal` as far as others let it. What pushes and what blocks give the way together: out of a groove it leads
// upwards.
static bool push(Body *body, Vec3 normal, float by) {
  Vec3 start = body->feet;
  for (int i = 0; i < 3; i++) {
    SweepHit hit;
    if (!travel(body, vec3_scale(normal, by), &hit) || hit.time > 0.5f) return true;
    normal = vec3_normalize_or(vec3_add(normal, hit.normal), vec3(0, 0, 0));
  }
  return vec3_distance(start, body->feet) > body->tolerance;
}

// What overlaps the body pushes it out, but never through something else.
static void push_out(Body *body) {
  float left = MOST_PUSH;
  for (int i = 0; i < MAX_PUSHES && left > body->skin; i++) {
    Sweep place = body_sweep(body, vec3(0, 0, 0), 0);
    SweepHit hit;
    if (!colliders_penetration(body->set, &place, &hit) || hit.depth <= body->tolerance) return;
    float by = hit.depth + body->skin < left ? hit.depth + body->skin : left;
    if (!push(body, hit.normal, by)) return;
    left -= by;
  }
}

// ------------------------------------------------------------------------------------------------- the step

static bool move_on_ground(Body *body, const MoverState *state, Vec3 motion, SweepHit *ground) {
  if (!is_motion(motion)) return snap_down(body, false, ground);
  return walk(body, is_walkable(body, state->ground_normal) ? state->ground_normal : vec3(0, 1, 0), motion, ground);
}

// The level motion of the step, made harmless.
static Vec3 wanted_motion(const MoverStep *step) {
  Vec3 motion = {step->walk.x * step->seconds, 0, step->walk.z * step->seconds};
  if (!vec3_is_finite(motion)) return vec3(0, 0, 0);
  motion.x = clampf(motion.x, -MOST_MOTION, MOST_MOTION);
  motion.z = clampf(motion.z, -MOST_MOTION, MOST_MOTION);
  return motion;
}

static Body make_body(const ColliderSet *set, const MoverShape *shape, const MoverState *state, const MoverStep *step) {
  Body body = {.set = set, .shape = shape, .step = step, .feet = state->position};
  body.tolerance = sweep_tolerance(body.feet);
  body.skin = SKIN > 4 * body.tolerance ? SKIN : 4 * body.tolerance;
  body.least_up = (float)vmath_cos(shape->slope_limit) - 1e-4f;
  return body;
}

static Vec3 inside_world(Vec3 place) {
  return vec3(clampf(place.x, -WORLD_EDGE, WORLD_EDGE), clampf(place.y, -WORLD_EDGE, WORLD_EDGE),
              clampf(place.z, -WORLD_EDGE, WORLD_EDGE));
}

void mover_step(const ColliderSet *set, const MoverShape *shape, MoverState *state, const MoverStep *step) {
  if (!(step->seconds > 0) || !vec3_is_finite(state->position)) return;
  Body body = make_body(set, shape, state, step);
  Vec3 start = state->position, motion = wanted_motion(step);
  SweepHit ground = {0};
  push_out(&body);
  bool jumps = step->jump_speed > 0 && state->on_ground, lands = false;
  float vertical_speed = jumps ? step->jump_speed : state->on_ground ? 0 : state->velocity.y;
  if (state->on_ground && !jumps) {
    lands = move_on_ground(&body, state, motion, &ground);
    motion = vec3(0, 0, 0);
  }
  if (!lands) {
    // Who has stepped off begins to fall in the same step.
    vertical_speed = clampf(vertical_speed - (jumps ? 0 : step->gravity * step->seconds), -MOST_FALL, MOST_FALL);
    lands = fly(&body, motion, &vertical_speed, &ground);
  }
  state->position = inside_world(body.feet);
  state->on_ground = lands;
  state->ground_normal = lands ? ground_plane(&body, &ground) : vec3(0, 1, 0);
  state->ground_owner = lands ? ground.owner : 0;
  state->velocity = vec3_scale(vec3_sub(state->position, start), 1 / step->seconds);
  state->velocity.y = lands ? 0 : vertical_speed;
}
