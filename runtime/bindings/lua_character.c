// Players and NPCs: health, goals, the player's body.
#include <string.h>

#include "bindings/binding.h"

/// Character:getHealth(): number
/// 100 unless addNPC or addPlayer said otherwise; never below 0.
static int get_health(lua_State *L) {
  World *world;
  lua_pushnumber(L, binding_check_character(L, 1, &world)->health);
  return 1;
}

/// Character:setHealth(health: number)
/// 0 kills; more than 0 brings the dead back. There is no upper limit.
static int set_health(lua_State *L) {
  World *world;
  Handle node = binding_check_character(L, 1, &world)->node;
  float health = binding_check_number(L, 2);
  luaL_argcheck(L, health >= 0, 2, "a number from 0 on expected");
  world_set_health(world, node, health);
  return 0;
}

/// Character:damage(amount: number, by?: Node)
/// Lowers the health at once; "hit", with `by`, and then "death" are told at the next step. The dead take no damage.
static int damage(lua_State *L) {
  World *world, *other;
  Handle node = binding_check_character(L, 1, &world)->node, by = {0};
  float amount = binding_check_number(L, 2);
  luaL_argcheck(L, amount >= 0, 2, "a number from 0 on expected");
  if (!lua_isnoneornil(L, 3)) {
    by = binding_check_node(L, 3, &other)->handle;
    luaL_argcheck(L, other == world, 3, "the node is of another world");
  }
  world_damage(world, node, amount, by);
  return 0;
}

/// Character:isDead(): boolean
/// Whether the health has come down to 0.
static int is_dead(lua_State *L) {
  World *world;
  lua_pushboolean(L, binding_check_character(L, 1, &world)->is_dead);
  return 1;
}

/// Character:getVelocity(): number, number, number
/// Metres a second along x, y, z, in the last step.
static int get_velocity(lua_State *L) {
  World *world;
  Vec3 velocity = binding_check_character(L, 1, &world)->mover.velocity;
  lua_pushnumber(L, velocity.x);
  lua_pushnumber(L, velocity.y);
  lua_pushnumber(L, velocity.z);
  return 3;
}

/// Character:isOnGround(): boolean
/// Whether the feet stood on something in the last step.
static int is_on_ground(lua_State *L) {
  World *world;
  lua_pushboolean(L, binding_check_character(L, 1, &world)->mover.on_ground);
  return 1;
}

/// Character:shoot(options?: {range?: number, damage?: number, spread?: number, mask?: NodeKind[]}): Hit?
/// Shoots from the eye along the look. What was hit is known at once, nil for nothing; damage and the events "hit" and
/// "death" follow at the next step.
/// - `range`: metres (1000)
/// - `damage`: taken from the health of a player or NPC (10)
/// - `spread`: degrees of the full cone within which the shot strays by chance (0)
/// - `mask`: the kinds of nodes it can hit (all)
static int shoot(lua_State *L) {
  World *world;
  Handle node = binding_check_character(L, 1, &world)->node;
  ShotDesc shot = {.range = 1000, .damage = 10};
  if (!lua_isnoneornil(L, 2)) {
    static const char *const KNOWN[] = {"range", "damage", "spread", "mask", NULL};
    OptionTable options = options_open(L, 2, "shoot", KNOWN);
    shot.range = options_positive(options, "range", shot.range);
    shot.damage = options_not_negative(options, "damage", shot.damage);
    shot.spread = options_not_negative(options, "spread", 0);
    shot.mask = options_mask(options);
  }
  WorldHit hit;
  bool is_hit = world_shoot(world, node, &shot, &hit);
  binding_check_memory(L, world);
  if (!is_hit) {
    lua_pushnil(L);
    return 1;
  }
  binding_push_world_of(L, 1);
  binding_push_hit(L, lua_gettop(L), &hit);
  return 1;
}

/// class Character: Model
/// What players and NPCs share. The dead remain nodes until they are removed: they block nobody and have no goal.
/// Functions of models raise for a player without one.
const luaL_Reg CHARACTER_METHODS[] = {
    {"getHealth", get_health},     {"setHealth", set_health},    {"damage", damage}, {"isDead", is_dead},
    {"getVelocity", get_velocity}, {"isOnGround", is_on_ground}, {"shoot", shoot},   {NULL, NULL},
};

// --- NPC goals ---

static Character *check_npc(lua_State *L, World **world) {
  Character *character = binding_check_character(L, 1, world);
  luaL_argcheck(L, !character->is_player, 1, "npc expected, got player");
  return character;
}

/// NPC:idle()
/// Drops the goal and stands still.
static int idle(lua_State *L) {
  World *world;
  Handle npc = check_npc(L, &world)->node;
  world_set_goal(world, npc, &(Goal){0});
  return 0;
}

/// NPC:walkTo(x: number, y: number, z: number)
/// Walks straight to a point; "arrived" is told once, when it is as near as the option `arrive` of addNPC (0.5 m). The
/// height of the point does not matter.
static int walk_to(lua_State *L) {
  World *world;
  Handle npc = check_npc(L, &world)->node;
  Goal goal = {.kind = GOAL_WALK, .point = binding_check_vec3(L, 2)};
  world_set_goal(world, npc, &goal);
  return 0;
}

static int set_node_goal(lua_State *L, Goal goal) {
  World *world, *other;
  Handle npc = check_npc(L, &world)->node;
  goal.node = binding_check_node(L, 2, &other)->handle;
  luaL_argcheck(L, other == world, 2, "the node is of another world");
  world_set_goal(world, npc, &goal);
  return 0;
}

/// NPC:follow(node: Node, distance?: number)
/// Walks after a node up to a distance in metres (2). The goal ends when the node is removed.
static int follow(lua_State *L) {
  Goal goal = {.kind = GOAL_FOLLOW, .distance = lua_isnoneornil(L, 3) ? 2 : binding_check_number(L, 3)};
  luaL_argcheck(L, goal.distance >= 0, 3, "a distance from 0 on expected");
  return set_node_goal(L, goal);
}

/// NPC:flee(node: Node)
/// Runs from a node while it is nearer than 20 m.
static int flee(lua_State *L) {
  return set_node_goal(L, (Goal){.kind = GOAL_FLEE});
}

/// NPC:face(node: Node)
/// Stands and keeps turning to a node.
static int face(lua_State *L) {
  return set_node_goal(L, (Goal){.kind = GOAL_FACE});
}

/// NPC:patrol(points: Vec3[])
/// Walks from point to point (1 to 64 of them) and round again, for ever; "arrived" is told at each.
static int patrol(lua_State *L) {
  World *world;
  Handle npc = check_npc(L, &world)->node;
  luaL_checktype(L, 2, LUA_TTABLE);
  int count = (int)lua_rawlen(L, 2);
  if (count < 1 || count > GOAL_MAX_POINTS)
    luaL_argerror(L, 2, lua_pushfstring(L, "a list of 1 to %d points expected, got %d", GOAL_MAX_POINTS, count));
  Vec3 points[GOAL_MAX_POINTS];
  for (int i = 0; i < count; i++) {
    float numbers[3];
    int length;
    lua_rawgeti(L, 2, i + 1);
    if (!binding_pop_numbers(L, numbers, 3, 3, &length))
      luaL_argerror(L, 2, lua_pushfstring(L, "point %d: {x, y, z} of finite numbers expected", i + 1));
    points[i] = vec3(numbers[0], numbers[1], numbers[2]);
  }
  Goal goal = {.kind = GOAL_PATROL, .point_count = count};
  goal.points = memory_alloc_array(world->memory, (size_t)count, sizeof *points);
  if (!goal.points) return luaL_error(L, "out of memory");
  memcpy(goal.points, points, (size_t)count * sizeof *points);
  world_set_goal(world, npc, &goal);
  return 0;
}

/// NPC:getGoal(): "idle"|"walkTo"|"follow"|"patrol"|"flee"|"face", Node?
/// The goal, and the node that it is about. After arriving, walkTo ends as "idle".
static int get_goal(lua_State *L) {
  static const char *const NAMES[] = {"idle", "walkTo", "follow", "patrol", "flee", "face"};
  World *world;
  const Goal *goal = &check_npc(L, &world)->goal;
  Handle node = goal->node;
  lua_pushstring(L, NAMES[goal->kind]);
  binding_push_world_of(L, 1);
  binding_push_node(L, -1, scene_get(&world->scene, node) ? node : (Handle){0});
  lua_remove(L, -2);
  return 2;
}

/// class NPC: Character
/// A character with a goal: it has one at a time, and a new one takes the place of the old. Walking, it climbs steps,
/// falls off ledges, keeps apart from others, and knows nothing of ways around obstacles.
const luaL_Reg NPC_METHODS[] = {
    {"idle", idle}, {"walkTo", walk_to}, {"follow", follow},    {"patrol", patrol},
    {"flee", flee}, {"face", face},      {"getGoal", get_goal}, {NULL, NULL},
};

// --- Player ---

static Character *check_player(lua_State *L, World **world) {
  Character *character = binding_check_character(L, 1, world);
  luaL_argcheck(L, character->is_player, 1, "player expected, got npc");
  return character;
}

/// Player:move(forward: number, right: number)
/// Walks in this step alone: -1 to 1 of the player's speed along and across its heading. To be called in each step.
static int move(lua_State *L) {
  World *world;
  Character *player = check_player(L, &world);
  float forward = binding_check_number(L, 2), right = binding_check_number(L, 3);
  player->wish_forward = clampf(forward, -1, 1);
  player->wish_right = clampf(right, -1, 1);
  return 0;
}

/// Player:look(headingDelta: number, pitchDelta: number)
/// Turns by degrees, to the left and up where positive; the pitch stays between -89 and 89.
static int look(lua_State *L) {
  World *world;
  Character *player = check_player(L, &world);
  float heading = binding_check_number(L, 2), pitch = binding_check_number(L, 3);
  Node *node = scene_get(&world->scene, player->node);
  float turned = scene_get_heading(node) + heading;
  scene_set_heading(node, turned - 360 * floorf((turned + 180) / 360));
  player->pitch = clampf(player->pitch + pitch, -89, 89);
  return 0;
}

/// Player:getPitch(): number
/// Degrees from -89 to 89; positive looks up.
static int get_pitch(lua_State *L) {
  World *world;
  lua_pushnumber(L, check_player(L, &world)->pitch);
  return 1;
}

/// Player:jump()
/// Jumps in this step if it stands on the ground.
static int jump(lua_State *L) {
  World *world;
  check_player(L, &world)->wish_jump = true;
  return 0;
}

/// class Player: Character
/// A character moved by what the script asks for in each step. Its eye, from which it shoots, is 0.9 of its height
/// above its feet.
const luaL_Reg PLAYER_METHODS[] = {
    {"move", move}, {"look", look}, {"getPitch", get_pitch}, {"jump", jump}, {NULL, NULL},
};
