#include <string.h>

#include "engine/goal.h"
#include "engine/world.h"

// A character without a model, or with one of no size, gets a body like a person's.
#define PERSON_RADIUS 0.4f
#define PERSON_HEIGHT 1.8f

static Vec3 node_scale(const World *world, const Node *node) {
  Vec3 position, scale;
  Quat rotation;
  affine_decompose(scene_current_world(&world->scene, node), &position, &rotation, &scale);
  return vec3_abs(scale);
}

// Radius, height and foot of the capsule around the model's first frame.
static void measure_body(const World *world, Character *character) {
  const Node *node = scene_get(&world->scene, character->node);
  const ModelInstance *model = world_model(world, character->node);
  float radius = PERSON_RADIUS, height = PERSON_HEIGHT;
  if (model) {
    Bounds bounds = world_first_bounds(model);
    Vec3 scale = node_scale(world, node), size = vec3_mul(vec3_sub(bounds.max, bounds.min), scale);
    if (!bounds_is_empty(bounds) && size.y > 0.01f) {
      radius = 0.5f * (size.x < size.z ? size.x : size.z);
      height = size.y;
      character->foot_offset = (bounds.min.y + model->geometry.origin.y) * scale.y;
    }
  }
  if (character->asked_radius > 0) radius = character->asked_radius;
  if (character->asked_height > 0) height = character->asked_height;
  character->shape.height = height;
  character->shape.radius = clampf(radius, 0.01f, height / 2);
  character->eye_height = 0.9f * height;
}

// glTF characters face +Z; the model is turned so that the front of every character is the node's -Z.
static void turn_forward(World *world, Character *character, const CharacterDesc *desc) {
  const ModelInstance *model = world_model(world, character->node);
  if (!model) return;
  bool faces_back = strcmp(model->asset->model->source_format, "gltf") == 0;
  character->forward_turn = desc->has_forward ? desc->forward_turn : faces_back ? 180 : 0;
  if (character->forward_turn == 0) return;
  Quat turn = quat_from_axis_angle(vec3(0, 1, 0), (float)(character->forward_turn * RADIANS_PER_DEGREE));
  world_change_geometry(world, character->node, affine_from_trs(vec3(0, 0, 0), turn, vec3(1, 1, 1)));
}

static Vec3 feet_of(const World *world, const Character *character) {
  Vec3 origin = scene_current_world(&world->scene, scene_get(&world->scene, character->node)).origin;
  return vec3(origin.x, origin.y + character->foot_offset, origin.z);
}

bool world_add_character(World *world, const CharacterDesc *desc, Handle handle, bool is_player, Error *error) {
  Character character = {
      .node = handle,
      .is_player = is_player,
      .health = desc->health,
      .is_dead = !(desc->health > 0),
      .speed = desc->speed,
      .turn_rate = desc->turn_rate,
      .arrive = desc->arrive,
      .jump_speed = desc->jump,
      .slope_limit = desc->slope_limit,
      .asked_radius = desc->radius,
      .asked_height = desc->height,
      .blocks = desc->blocks,
      .collider = -1,
  };
  character.shape.step_height = desc->step_height;
  character.shape.slope_limit = (float)(desc->slope_limit * RADIANS_PER_DEGREE);
  measure_body(world, &character);
  turn_forward(world, &character, desc);
  character.mover.position = feet_of(world, &character);
  if (!array_push(world->memory, &world->characters, character)) return error_set_out_of_memory(error);
  scene_get(&world->scene, handle)->character = world->characters.count - 1;
  return world_block(world, &world->characters.items[world->characters.count - 1], error);
}

void world_free_character(World *world, Character *character) {
  memory_free(world->memory, character->goal.points);
  character->goal.points = NULL;
}

static Affine capsule_place(const Character *character) {
  Affine place = AFFINE_IDENTITY;
  place.origin = character->mover.position;
  return place;
}

bool world_block(World *world, Character *character, Error *error) {
  if (!character->blocks || character->is_dead || character->collider >= 0) return true;
  Collider capsule = {
      .shape = COLLIDER_CAPSULE,
      .transform = capsule_place(character),
      .radius = character->shape.radius,
      .height = character->shape.height,
      .layers = scene_get(&world->scene, character->node)->layers,
      .owner = world_owner(character->node),
  };
  world->needs_refit = true;
  return colliders_add(world->colliders, &capsule, &character->collider, error);
}

static void unblock(World *world, Character *character) {
  if (character->collider < 0) return;
  colliders_remove(world->colliders, character->collider);
  character->collider = -1;
  world->needs_refit = true;
}

// Takes the body to where the node is; false when it is there already.
static bool follow_node(World *world, Character *character) {
  const float ROUNDING = 4e-6f;
  Vec3 feet = feet_of(world, character);
  if (vec3_distance(feet, character->mover.position) <= ROUNDING * (1 + vec3_length(feet))) return false;
  character->mover.position = feet;
  character->is_resting = false;
  if (character->collider < 0) return true;
  colliders_get(world->colliders, character->collider)->transform = capsule_place(character);
  colliders_touch(world->colliders, character->collider);
  world->needs_refit = true;
  return true;
}

void world_measure_again(World *world, Character *character) {
  character->foot_offset = 0;
  measure_body(world, character);
  character->is_resting = false;
  if (character->collider >= 0) {
    Collider *capsule = colliders_get(world->colliders, character->collider);
    capsule->radius = character->shape.radius;
    capsule->height = character->shape.height;
    colliders_touch(world->colliders, character->collider);
    world->needs_refit = true;
  }
  (void)follow_node(world, character);
}

void world_character_placed(World *world, Character *character) {
  // Turned or scaled where it stands, it goes on walking or falling.
  if (!follow_node(world, character)) return;
  character->mover = (MoverState){.position = character->mover.position};
  character->has_moved = character->is_player;
}

void world_character_carried(World *world, Character *character) {
  (void)follow_node(world, character);
}

Vec3 world_eye(const World *world, const Character *character) {
  Vec3 feet = feet_of(world, character);
  return vec3(feet.x, feet.y + character->eye_height, feet.z);
}

Vec3 world_look(const World *world, const Character *character) {
  const Node *node = scene_get(&world->scene, character->node);
  Vec3 position, scale;
  Quat rotation;
  affine_decompose(scene_current_world(&world->scene, node), &position, &rotation, &scale);
  Quat pitch = quat_from_axis_angle(vec3(1, 0, 0), (float)(character->pitch * RADIANS_PER_DEGREE));
  return quat_rotate(quat_mul(rotation, pitch), vec3(0, 0, -1));
}

// --- Health ---

static void die(World *world, Character *character) {
  character->is_dead = true;
  world_free_character(world, character);
  character->goal = (Goal){0};
  character->is_resting = false;
  unblock(world, character);
  WorldEvent death = world_make_event(world, EVENT_KIND_DEATH, character->node);
  world_push_event(world, &death);
}

static void lower_health(World *world, Character *character, const WorldEvent *hit) {
  if (character->is_dead) return;
  character->health -= hit->damage;
  world_push_event(world, hit);
  if (character->health > 0) return;
  character->health = 0;
  die(world, character);
}

void world_damage(World *world, Handle victim, float damage, Handle by) {
  WorldEvent hit = world_make_event(world, EVENT_KIND_HIT, victim);
  hit.other = by;
  hit.damage = damage;
  lower_health(world, world_character(world, victim), &hit);
}

void world_set_health(World *world, Handle handle, float health) {
  Character *character = world_character(world, handle);
  character->health = health > 0 ? health : 0;
  if (character->health <= 0) {
    if (!character->is_dead) die(world, character);
  } else if (character->is_dead) {
    character->is_dead = false;
    character->is_resting = false;
    if (!world_block(world, character, NULL)) world->is_out_of_memory = true;
  }
}

void world_deal_shots(World *world) {
  for (int i = 0; i < world->shots.count; i++) {
    const WorldEvent *hit = &world->shots.items[i];
    Character *victim = world_character(world, hit->node);
    if (victim) {
      lower_health(world, victim, hit);
    } else if (scene_get(&world->scene, hit->node)) {
      world_push_event(world, hit);
    }
  }
  world->shots.count = 0;
}

// --- Movement ---

float world_heading(const World *world, const Node *node) {
  if (!node->parent.generation) return scene_get_heading(node);
  Vec3 position, scale;
  Quat rotation;
  affine_decompose(scene_current_world(&world->scene, node), &position, &rotation, &scale);
  return (float)(quat_heading(rotation) / RADIANS_PER_DEGREE);
}

void world_set_goal(World *world, Handle npc, const Goal *goal) {
  Character *character = world_character(world, npc);
  world_free_character(world, character);
  character->goal = *goal;
  character->is_resting = false;
  if (!character->is_dead) return;
  // The dead have no goals.
  world_free_character(world, character);
  character->goal = (Goal){0};
}

static Vec3 player_walk(const World *world, const Character *player) {
  double heading = world_heading(world, scene_get(&world->scene, player->node)) * RADIANS_PER_DEGREE;
  float s = (float)vmath_sin(heading), c = (float)vmath_cos(heading);
  float forward = player->wish_forward, right = player->wish_right;
  float length = sqrtf(forward * forward + right * right);
  float scale = player->speed / (length > 1 ? length : 1);
  return vec3((right * c - forward * s) * scale, 0, (-right * s - forward * c) * scale);
}

static void turn_towards(const World *world, const Character *character, Vec3 direction, float seconds) {
  Node *node = scene_get(&world->scene, character->node);
  float wanted = (float)(vmath_atan2(-direction.x, -direction.z) / RADIANS_PER_DEGREE);
  float turn = wanted - world_heading(world, node);
  turn -= 360 * floorf((turn + 180) / 360);
  float most = character->turn_rate * seconds;
  float heading = scene_get_heading(node) + clampf(turn, -most, most);
  heading -= 360 * floorf((heading + 180) / 360);
  scene_set_heading(node, heading);
}

// The moved feet become the node's place, which is relative to its parent.
static void place_node(World *world, const Character *character) {
  Node *node = scene_get(&world->scene, character->node);
  Vec3 origin = character->mover.position;
  origin.y -= character->foot_offset;
  Node *parent = scene_get(&world->scene, node->parent);
  Affine inverse;
  if (parent && affine_invert(scene_current_world(&world->scene, parent), &inverse))
    origin = affine_point(inverse, origin);
  node->position = origin;
}

enum { MAX_RIDERS = 32 };

// Those a body does not run into: itself, and characters above and below it in the tree, like riders.
static int list_related(const World *world, Handle self, uint32_t owners[MAX_RIDERS]) {
  int count = 0;
  for (Handle at = {0}; (at = scene_next_below(&world->scene, self, at)).generation && count < MAX_RIDERS / 2;) {
    if (scene_get(&world->scene, at)->character >= 0) owners[count++] = world_owner(at);
  }
  Handle up = scene_get(&world->scene, self)->parent;
  for (const Node *node; (node = scene_get(&world->scene, up)) && count < MAX_RIDERS; up = node->parent) {
    if (node->character >= 0) owners[count++] = world_owner(up);
  }
  return count;
}

static void move_body(World *world, Character *character, Vec3 walk, float jump_speed) {
  uint32_t related[MAX_RIDERS];
  int related_count = list_related(world, character->node, related);
  bool has_ground = world->static_collider_count > 0;
  MoverStep step = {
      .walk = walk,
      .jump_speed = jump_speed,
      .gravity = has_ground ? world->desc.gravity : 0,
      .seconds = world->desc.step_seconds,
      .filter = {.ignored = related, .ignored_count = related_count},
  };
  // Without any level there is nothing to fall onto: everybody walks on the height they are at.
  if (!has_ground) character->mover.velocity.y = 0;
  Vec3 before = character->mover.position;
  mover_step(world->colliders, &character->shape, &character->mover, &step);
  if (!has_ground) character->mover.on_ground = true;
  place_node(world, character);
  bool stands = vec3_distance(before, character->mover.position) < 1e-6f && character->mover.on_ground;
  character->is_resting = stands && !character->is_player && character->goal.kind == GOAL_IDLE;
  if (character->collider < 0) return;
  colliders_get(world->colliders, character->collider)->transform = capsule_place(character);
  colliders_touch(world->colliders, character->collider);
}

static void move_player(World *world, Character *player) {
  Vec3 walk = player->is_dead ? vec3(0, 0, 0) : player_walk(world, player);
  move_body(world, player, walk, player->wish_jump && !player->is_dead ? player->jump_speed : 0);
  player->wish_forward = player->wish_right = 0;
  player->wish_jump = false;
}

static void move_npc(World *world, Character *npc) {
  GoalMove move = goal_steer(world, npc);
  float seconds = world->desc.step_seconds;
  bool turns = vec3_length_squared(move.face) > 1e-12f;
  if (turns) turn_towards(world, npc, move.face, seconds);
  bool walks = vec3_length_squared(move.walk) > 0;
  if (walks) npc->has_moved = true;
  if (npc->has_moved && !npc->is_resting) move_body(world, npc, move.walk, 0);
}

void world_move_characters(World *world) {
  goal_avoid_neighbours(world);
  for (int i = 0; world->has_ground_changed && i < world->characters.count; i++)
    world->characters.items[i].is_resting = false;
  world->has_ground_changed = false;
  for (int i = 0; i < world->characters.count; i++) {
    Character *character = &world->characters.items[i];
    if (character->is_player) {
      move_player(world, character);
    } else if (!character->is_dead || (character->has_moved && !character->is_resting)) {
      move_npc(world, character);
    }
  }
  // Who rides on another goes where that one went.
  for (int i = 0; i < world->characters.count; i++) {
    Character *character = &world->characters.items[i];
    if (scene_get(&world->scene, character->node)->parent.generation) world_character_carried(world, character);
  }
}
