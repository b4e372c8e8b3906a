// What every node can do.
#include "bindings/binding.h"

static int push_vec3(lua_State *L, Vec3 v) {
  lua_pushnumber(L, v.x);
  lua_pushnumber(L, v.y);
  lua_pushnumber(L, v.z);
  return 3;
}

/// Node:getName(): string?
/// The name; nil for none.
static int get_name(lua_State *L) {
  World *world;
  const Node *node = binding_check_node(L, 1, &world);
  lua_pushstring(L, node->name);
  return 1;
}

/// Node:setName(name: string?)
/// Names the node anew; nil takes the name away. Several nodes may share one.
static int set_name(lua_State *L) {
  World *world;
  Node *node = binding_check_node(L, 1, &world);
  const char *name = lua_isnoneornil(L, 2) ? NULL : binding_check_string(L, 2);
  Error error;
  if (!scene_set_name(&world->scene, node, name, &error)) return luaL_error(L, "%s", error.text);
  return 0;
}

/// Node:getKind(): NodeKind
/// What it is.
static int get_kind(lua_State *L) {
  World *world;
  lua_pushstring(L, KIND_NAMES[binding_check_node(L, 1, &world)->kind]);
  return 1;
}

/// Node:getParent(): Node?
/// The node it moves with; nil when it belongs to the world.
static int get_parent(lua_State *L) {
  World *world;
  Handle parent = binding_check_node(L, 1, &world)->parent;
  binding_push_world_of(L, 1);
  binding_push_node(L, -1, parent);
  return 1;
}

/// Node:setParent(parent: Node?)
/// Puts the node below another one; its place in the world stays. nil makes it a child of the world. A node cannot be
/// below itself.
static int set_parent(lua_State *L) {
  World *world, *other;
  Handle node = binding_check_node(L, 1, &world)->handle, parent = {0};
  if (!lua_isnil(L, 2)) {
    parent = binding_check_node(L, 2, &other)->handle;
    luaL_argcheck(L, other == world, 2, "the node is of another world");
  }
  Error error;
  if (!world_set_parent(world, node, parent, &error)) return luaL_error(L, "%s", error.text);
  return 0;
}

/// Node:getChildren(): Node[]
/// The nodes right below it, parts of its model among them.
static int get_children(lua_State *L) {
  World *world;
  Handle child = binding_check_node(L, 1, &world)->first_child;
  lua_settop(L, 1);
  binding_push_world_of(L, 1);
  lua_newtable(L);
  for (int i = 1; child.generation; i++) {
    binding_push_node(L, 2, child);
    lua_rawseti(L, -2, i);
    child = scene_get(&world->scene, child)->next_sibling;
  }
  return 1;
}

/// Node:getPosition(): number, number, number
/// The place relative to the parent, metres.
static int get_position(lua_State *L) {
  World *world;
  return push_vec3(L, binding_check_node(L, 1, &world)->position);
}

/// Node:setPosition(x: number, y: number, z: number)
/// Puts the node there, relative to its parent, metres. A player or NPC is put there even where it does not fit.
static int set_position(lua_State *L) {
  World *world;
  Node *node = binding_check_node(L, 1, &world);
  node->position = binding_check_vec3(L, 2);
  world_place_changed(world, node->handle);
  return 0;
}

/// Node:getWorldPosition(): number, number, number
/// The place in the world, metres.
static int get_world_position(lua_State *L) {
  World *world;
  const Node *node = binding_check_node(L, 1, &world);
  return push_vec3(L, scene_current_world(&world->scene, node).origin);
}

/// Node:getHeading(): number
/// Degrees about +Y relative to the parent: 0 looks along -Z, and it grows counter-clockwise seen from above.
static int get_heading(lua_State *L) {
  World *world;
  lua_pushnumber(L, scene_get_heading(binding_check_node(L, 1, &world)));
  return 1;
}

/// Node:setHeading(degrees: number)
/// Turns the node about +Y alone, relative to its parent.
static int set_heading(lua_State *L) {
  World *world;
  Node *node = binding_check_node(L, 1, &world);
  scene_set_heading(node, binding_check_number(L, 2));
  world_place_changed(world, node->handle);
  return 0;
}

/// Node:getRotation(): number, number, number, number
/// Degrees, and the axis x, y, z they turn about, relative to the parent.
static int get_rotation(lua_State *L) {
  World *world;
  const Node *node = binding_check_node(L, 1, &world);
  lua_pushnumber(L, node->axis_angle);
  return 1 + push_vec3(L, node->axis);
}

/// Node:setRotation(degrees: number, ax: number, ay: number, az: number)
/// Turns the node by degrees about an axis of any length but 0, relative to its parent.
static int set_rotation(lua_State *L) {
  World *world;
  Node *node = binding_check_node(L, 1, &world);
  float degrees = binding_check_number(L, 2);
  Vec3 axis = binding_check_vec3(L, 3);
  luaL_argcheck(L, vec3_length(axis) > 0, 3, "an axis other than 0, 0, 0 expected");
  scene_set_rotation(node, degrees, axis);
  world_place_changed(world, node->handle);
  return 0;
}

/// Node:lookAt(x: number, y: number, z: number)
/// Turns the node's -Z towards a point of the world.
static int look_at(lua_State *L) {
  World *world;
  Node *node = binding_check_node(L, 1, &world);
  Vec3 target = binding_check_vec3(L, 2);
  Vec3 from = scene_current_world(&world->scene, node).origin, way = vec3_sub(target, from);
  if (!(vec3_length(way) > 0)) return 0;
  Quat rotation = quat_look_along(way);
  const Node *parent = scene_get(&world->scene, node->parent);
  if (parent) {
    Vec3 position, scale;
    Quat up;
    affine_decompose(scene_current_world(&world->scene, parent), &position, &up, &scale);
    rotation = quat_mul(quat_conjugate(up), rotation);
  }
  scene_set_quat(node, rotation);
  world_place_changed(world, node->handle);
  return 0;
}

/// Node:getScale(): number, number, number
/// The factors along x, y and z, relative to the parent.
static int get_scale(lua_State *L) {
  World *world;
  return push_vec3(L, binding_check_node(L, 1, &world)->scale);
}

/// Node:setScale(x: number, y?: number, z?: number)
/// Factors along x, y and z, or one for all; 0 raises.
static int set_scale(lua_State *L) {
  World *world;
  Node *node = binding_check_node(L, 1, &world);
  Vec3 scale;
  scale.x = binding_check_number(L, 2);
  scale.y = lua_isnoneornil(L, 3) ? scale.x : binding_check_number(L, 3);
  scale.z = lua_isnoneornil(L, 4) ? scale.x : binding_check_number(L, 4);
  luaL_argcheck(L, scale.x != 0 && scale.y != 0 && scale.z != 0, 2, "a scale other than 0 expected");
  node->scale = scale;
  world_place_changed(world, node->handle);
  return 0;
}

static Bounds node_bounds(lua_State *L, World *world, const Node *node) {
  Bounds bounds;
  bool is_seen = world_node_bounds(world, node->handle, &bounds);
  binding_check_memory(L, world);
  if (is_seen) return bounds;
  // A node with nothing to see is a point, or a character's body.
  Vec3 origin = scene_current_world(&world->scene, node).origin;
  bounds = (Bounds){origin, origin};
  if (node->character < 0) return bounds;
  const MoverShape *shape = &world->characters.items[node->character].shape;
  bounds.min = vec3_sub(origin, vec3(shape->radius, 0, shape->radius));
  bounds.max = vec3_add(origin, vec3(shape->radius, shape->height, shape->radius));
  return bounds;
}

/// Node:getCenter(): number, number, number
/// The middle of the node's bounds in the world.
static int get_center(lua_State *L) {
  World *world;
  const Node *node = binding_check_node(L, 1, &world);
  return push_vec3(L, bounds_center(node_bounds(L, world, node)));
}

/// Node:getBounds(): number, number, number, number, number, number
/// The smallest x, y, z and the largest x, y, z in the world of the node and all below it, of the pose now shown.
static int get_bounds(lua_State *L) {
  World *world;
  const Node *node = binding_check_node(L, 1, &world);
  Bounds bounds = node_bounds(L, world, node);
  push_vec3(L, bounds.min);
  return 3 + push_vec3(L, bounds.max);
}

/// Node:isVisible(): boolean
/// Whether the node itself is shown; one above it may still be hidden.
static int is_visible(lua_State *L) {
  World *world;
  lua_pushboolean(L, binding_check_node(L, 1, &world)->is_visible);
  return 1;
}

/// Node:setVisible(visible: boolean)
/// Shows or hides the node and all below it.
static int set_visible(lua_State *L) {
  World *world;
  Node *node = binding_check_node(L, 1, &world);
  luaL_checktype(L, 2, LUA_TBOOLEAN);
  node->is_visible = lua_toboolean(L, 2) != 0;
  return 0;
}

/// Node:isPickable(): boolean
/// Whether rays and shots hit the node itself.
static int is_pickable(lua_State *L) {
  World *world;
  lua_pushboolean(L, binding_check_node(L, 1, &world)->is_pickable);
  return 1;
}

/// Node:setPickable(pickable: boolean)
/// Whether rays and shots hit the node and all below it.
static int set_pickable(lua_State *L) {
  World *world;
  Node *node = binding_check_node(L, 1, &world);
  luaL_checktype(L, 2, LUA_TBOOLEAN);
  node->is_pickable = lua_toboolean(L, 2) != 0;
  return 0;
}

/// Node:getData(): table
/// A table of the script's own that lives as long as the node. It is not saved with a level.
static int get_data(lua_State *L) {
  World *world;
  binding_check_node(L, 1, &world);
  if (lua_getiuservalue(L, 1, NODE_DATA) == LUA_TTABLE) return 1;
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, 1, NODE_DATA);
  return 1;
}

/// Node:isAlive(): boolean
/// Whether the node is still there; the one question a removed node answers.
static int is_alive(lua_State *L) {
  NodeRef *ref = binding_to_node(L, 1);
  if (!ref) return luaL_typeerror(L, 1, "node");
  lua_pushboolean(L, ref->box->world && scene_get(&ref->box->world->scene, ref->handle));
  return 1;
}

/// Node:remove()
/// Removes the node and all below it, at any time, also from its own handlers.
static int remove_node(lua_State *L) {
  World *world;
  Handle node = binding_check_node(L, 1, &world)->handle;
  world_remove(world, node);
  binding_push_world_of(L, 1);
  binding_forget_removed(L, -1);
  return 0;
}

/// Node:on(event: EventName, handler: fun(event: Event))
/// Calls the handler for each event of that name at this node. A handler may remove nodes and handlers.
static int on(lua_State *L) {
  World *world;
  binding_check_node(L, 1, &world);
  return binding_add_handler(L, NODE_HANDLERS);
}

/// Node:off(event: EventName, handler?: function)
/// Takes one handler away, or all of the event.
static int off(lua_State *L) {
  World *world;
  binding_check_node(L, 1, &world);
  return binding_remove_handler(L, NODE_HANDLERS);
}

/// class Node
/// Anything in a world: models and their parts, lights, cameras, groups, players, NPCs. As long as it lives it is one
/// Lua value, so `==` and table keys work; using it afterwards raises "<kind> was removed".
///
/// class Group: Node
/// A node that only holds others.
const luaL_Reg NODE_METHODS[] = {
    {"getName", get_name},
    {"setName", set_name},
    {"getKind", get_kind},
    {"getParent", get_parent},
    {"setParent", set_parent},
    {"getChildren", get_children},
    {"getPosition", get_position},
    {"setPosition", set_position},
    {"getWorldPosition", get_world_position},
    {"getHeading", get_heading},
    {"setHeading", set_heading},
    {"getRotation", get_rotation},
    {"setRotation", set_rotation},
    {"lookAt", look_at},
    {"getScale", get_scale},
    {"setScale", set_scale},
    {"getCenter", get_center},
    {"getBounds", get_bounds},
    {"isVisible", is_visible},
    {"setVisible", set_visible},
    {"isPickable", is_pickable},
    {"setPickable", set_pickable},
    {"getData", get_data},
    {"isAlive", is_alive},
    {"remove", remove_node},
    {"on", on},
    {"off", off},
    {NULL, NULL},
};
