#include "engine/mover.h"

#include "engine/sweep.h"

// Bodies keep this gap from everything, so that rounding never leaves them overlapping.
#define SKIN 2.5e-4f
// How far a body that overlaps something is pushed out in one step.
#define MOST_PUSH 0.3f

enum { MAX_SLIDES = 5, MAX_PUSHES = 4 };

// One body while it is moved.
typedef struct Body {
  const ColliderSet *set;
  const MoverShape *shape;
  const MoverStep *step;
  Vec3 feet;
} Body;

static float skin_at(Vec3 place) {
  float rounding = 4 * sweep_tolerance(place);
  return SKIN > rounding ? SKIN : rounding;
}

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
  Sweep sweep = body_sweep(body, motion, skin_at(body->feet));
  bool is_hit = colliders_sweep(body->set, &sweep, hit);
  body->feet = vec3_add_scaled(body->feet, motion, is_hit ? hit->time : 1);
  return is_hit;
}

static bool is_walkable(const Body *body, Vec3 normal) {
  return normal.y >= (float)vmath_cos(body->shape->slope_limit) - 1e-4f;
}

// Somebody's body is not ground, however flat its top.
static bool is_ground(const Body *body, const SweepHit *hit) {
  bool is_body = hit->triangle < 0 && !vec3_equals(hit->face, vec3(0, 0, 0)) && vec3_equals(hit->face, hit->normal);
  return is_walkable(body, hit->face) && hit->normal.y > 0.01f && !is_body;
}

// ------------------------------------------------------------------------------------------------- sliding

typedef struct Planes {
  Vec3 normals[MAX_SLIDES];
  int count;
} Planes;

// What is left of a motion that may not go into any of the planes: along the last one, along the crease of two, or nothing.
static Vec3 clip_motion(Vec3 motion, const Planes *planes) {
  Vec3 last = planes->normals[planes->count - 1];
  Vec3 along = vec3_add_scaled(motion, last, -vec3_dot(motion, last));
  for (int i = 0; i < planes->count - 1; i++) {
    Vec3 other = planes->normals[i];
    if (vec3_dot(along, other) >= -1e-6f) continue;
    Vec3 crease = vec3_cross(last, other);
    float length = vec3_length(crease);
    if (length < 1e-4f) return vec3(0, 0, 0);
    crease = vec3_scale(crease, 1 / length);
    along = vec3_scale(crease, vec3_dot(motion, crease));
    for (int k = 0; k < planes->count; k++) {
      if (vec3_dot(along, planes->normals[k]) < -1e-4f * vec3_length(along)) return vec3(0, 0, 0);
    }
    return along;
  }
  return along;
}

// Moves horizontally; whatever is met acts as an upright wall.
static void slide_walls(Body *body, Vec3 motion) {
  Planes planes = {.count = 0};
  for (int i = 0; i < MAX_SLIDES && vec3_length_squared(motion) > 1e-14f; i++) {
    SweepHit hit;
    if (!travel(body, motion, &hit)) return;
    Vec3 wall =
        vec3_normalize_or(vec3(hit.normal.x, 0, hit.normal.z), vec3_normalize_or(vec3_negate(motion), vec3(1, 0, 0)));
    planes.normals[planes.count++] = wall;
    motion = clip_motion(vec3_scale(motion, 1 - hit.time), &planes);
  }
}

// Moves in any direction along whatever is met; tells the ground it came to, if any.
static bool slide_freely(Body *body, Vec3 motion, SweepHit *ground) {
  Planes planes = {.count = 0};
  for (int i = 0; i < MAX_SLIDES && vec3_length_squared(motion) > 1e-14f; i++) {
    SweepHit hit;
    if (!travel(body, motion, &hit)) return false;
    if (motion.y <= 0 && is_ground(body, &hit)) {
      *ground = hit;
      return true;
    }
    planes.normals[planes.count++] = hit.normal;
    motion = clip_motion(vec3_scale(motion, 1 - hit.time), &planes);
  }
  return false;
}

// ------------------------------------------------------------------------------------------------- walking

// Steps up as far as there is room, goes forward, and comes down again as far as it went up and a step further. False when
// that does not end on ground within a step of where it began; the body has then not moved.
static bool walk_over(Body *body, Vec3 motion, SweepHit *ground) {
  Vec3 start = body->feet;
  SweepHit hit;
  float step = body->shape->step_height;
  travel(body, vec3(0, step, 0), &hit);
  float lifted = body->feet.y - start.y;
  slide_walls(body, motion);
  bool has_ground = slide_freely(body, vec3(0, -(lifted + step), 0), ground) &&
                    ground->point.y - start.y <= step + 4 * skin_at(start);
  if (!has_ground) body->feet = start;
  return has_ground;
}

// On the ground: over what can be climbed, else along it.
static bool walk(Body *body, Vec3 motion, SweepHit *ground) {
  if (walk_over(body, motion, ground)) return true;
  slide_walls(body, motion);
  // The way down is a step at most: beyond that there is no ground any more.
  Vec3 moved = body->feet;
  if (slide_freely(body, vec3(0, -body->shape->step_height, 0), ground)) return true;
  body->feet = moved;
  return false;
}

// Whether the body stands where it is; it does not move.
static bool is_supported(Body *body, SweepHit *ground) {
  Vec3 start = body->feet;
  bool stands = travel(body, vec3(0, -4 * skin_at(start), 0), ground) && is_ground(body, ground);
  body->feet = start;
  return stands;
}

// ------------------------------------------------------------------------------------------------- falling

// Up or down by the vertical speed, after the walls; lands on walkable ground and slides down what is too steep.
static bool fly(Body *body, Vec3 motion, float *vertical_speed, SweepHit *ground) {
  slide_walls(body, vec3(motion.x, 0, motion.z));
  float before = body->feet.y;
  bool lands = slide_freely(body, vec3(0, motion.y, 0), ground);
  // Down a steep slope the speed goes on growing: the slope turns g into g sin^2 by clipping the motion, as it should. A
  // ceiling, or a crease that holds the body, takes it away.
  float moved = body->feet.y - before;
  bool is_stopped = motion.y > 0 ? moved < 0.5f * motion.y : moved > 1e-3f * motion.y;
  if (lands || is_stopped) *vertical_speed = 0;
  return lands;
}

// What overlaps the body pushes it out.
static void push_out(Body *body) {
  float left = MOST_PUSH;
  for (int i = 0; i < MAX_PUSHES && left > 0; i++) {
    Sweep place = body_sweep(body, vec3(0, 0, 0), 0);
    SweepHit hit;
    float tolerance = sweep_tolerance(body->feet);
    if (!colliders_penetration(body->set, &place, &hit) || hit.depth <= 2 * tolerance) return;
    float push = hit.depth + skin_at(body->feet);
    if (push > left) push = left;
    body->feet = vec3_add_scaled(body->feet, hit.normal, push);
    left -= push;
  }
}

// ------------------------------------------------------------------------------------------------- the step

static bool move_on_ground(Body *body, MoverState *state, Vec3 motion, SweepHit *ground) {
  bool is_still = motion.x == 0 && motion.z == 0;
  if (is_still && is_supported(body, ground)) return true;
  if (!is_still && walk(body, motion, ground)) return true;
  // Stepped off: from here on it falls.
  state->velocity.y = 0;
  return false;
}

void mover_step(const ColliderSet *set, const MoverShape *shape, MoverState *state, const MoverStep *step) {
  Body body = {set, shape, step, state->position};
  Vec3 start = state->position, motion = vec3(step->walk.x * step->seconds, 0, step->walk.z * step->seconds);
  SweepHit ground = {0};
  push_out(&body);
  bool jumps = step->jump_speed > 0 && state->on_ground, lands = false;
  float vertical_speed = jumps ? step->jump_speed : state->velocity.y;
  if (state->on_ground && !jumps) {
    lands = move_on_ground(&body, state, motion, &ground);
    vertical_speed = 0;
  } else {
    vertical_speed -= jumps ? 0 : step->gravity * step->seconds;
    motion.y = vertical_speed * step->seconds;
    lands = fly(&body, motion, &vertical_speed, &ground);
  }
  state->position = body.feet;
  state->on_ground = lands;
  state->ground_normal = lands ? ground.face : vec3(0, 1, 0);
  state->ground_owner = lands ? ground.owner : 0;
  state->velocity = vec3_scale(vec3_sub(body.feet, start), 1 / step->seconds);
  state->velocity.y = lands ? 0 : vertical_speed;
}
