// What a world can do besides making nodes and answering queries.
#include <string.h>

#include "bindings/binding.h"

/// World:setCamera(camera: Camera)
/// The camera the world is drawn from; without it the first one made.
static int set_camera(lua_State *L) {
  World *world = binding_check_world(L, 1), *other;
  Handle camera = binding_check_camera(L, 2, &other)->node;
  luaL_argcheck(L, other == world, 2, "the camera is of another world");
  world->camera = camera;
  return 0;
}

/// World:getCamera(): Camera?
/// The camera the world is drawn from; nil while there is none.
static int get_camera(lua_State *L) {
  World *world = binding_check_world(L, 1);
  binding_push_node(L, 1, world_active_camera(world));
  return 1;
}

const char *const VIEW_NAMES[4] = {"textured", "shaded", "flat", "wire"};

/// World:setViewMode(mode: "textured"|"shaded"|"flat"|"wire")
/// How everything is drawn: with textures and lights; white with lights; one colour a triangle, lit from the camera;
/// lines.
static int set_view_mode(lua_State *L) {
  World *world = binding_check_world(L, 1);
  world->view_mode = (ViewMode)binding_check_choice(L, 2, VIEW_NAMES, 4);
  return 0;
}

/// World:getViewMode(): "textured"|"shaded"|"flat"|"wire"
/// How everything is drawn.
static int get_view_mode(lua_State *L) {
  lua_pushstring(L, VIEW_NAMES[binding_check_world(L, 1)->view_mode]);
  return 1;
}

/// World:find(name: string): Node?
/// The node of that name that was made first, or nil. Parts of models are found as well.
static int find(lua_State *L) {
  World *world = binding_check_world(L, 1);
  const char *name = binding_check_string(L, 2);
  Handle found = scene_find(&world->scene, name);
  if (!scene_get(&world->scene, found)) binding_note_nil(L, lua_pushfstring(L, "no node is called \"%s\"", name));
  binding_push_node(L, 1, found);
  return 1;
}

/// World:findAll(name: string): Node[]
/// All nodes of that name, in the order of their making.
static int find_all(lua_State *L) {
  World *world = binding_check_world(L, 1);
  const char *name = binding_check_string(L, 2);
  lua_newtable(L);
  int count = 0;
  for (const Node *node = scene_get(&world->scene, world->scene.first_made); node;
       node = scene_get(&world->scene, node->next_made)) {
    if (!node->name || strcmp(node->name, name) != 0) continue;
    binding_push_node(L, 1, node->handle);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

// The iterator: up-values are the list of nodes at the start, and how far it got. Nodes removed meanwhile are left out.
static int next_node(lua_State *L) {
  lua_Integer at = lua_tointeger(L, lua_upvalueindex(2));
  for (;;) {
    if (lua_rawgeti(L, lua_upvalueindex(1), ++at) == LUA_TNIL) return 1;
    NodeRef *ref = binding_to_node(L, -1);
    if (ref->box->world && scene_get(&ref->box->world->scene, ref->handle)) break;
    lua_pop(L, 1);
  }
  lua_pushinteger(L, at);
  lua_replace(L, lua_upvalueindex(2));
  return 1;
}

/// World:each(kind?: NodeKind): fun(): Node?
/// Walks all nodes, or those of a kind, in the order of their making: `for node in world:each "npc" do`. Nodes made
/// meanwhile are left out, and so are those removed.
static int each(lua_State *L) {
  World *world = binding_check_world(L, 1);
  int kind = lua_isnoneornil(L, 2) ? -1 : binding_check_choice(L, 2, KIND_NAMES, NODE_KIND_COUNT);
  lua_newtable(L);
  int count = 0;
  for (const Node *node = scene_get(&world->scene, world->scene.first_made); node;
       node = scene_get(&world->scene, node->next_made)) {
    if (kind >= 0 && (int)node->kind != kind) continue;
    binding_push_node(L, 1, node->handle);
    lua_rawseti(L, -2, ++count);
  }
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_node, 2);
  return 1;
}

/// World:on(event: EventName, handler: fun(event: Event))
/// Calls the handler for each event of that name at any node, after the node's own handlers.
static int on(lua_State *L) {
  binding_check_world(L, 1);
  return binding_add_handler(L, WORLD_HANDLERS);
}

/// World:off(event: EventName, handler?: function)
/// Takes one handler away, or all of the event.
static int off(lua_State *L) {
  binding_check_world(L, 1);
  return binding_remove_handler(L, WORLD_HANDLERS);
}

// Calls a function of the level script with all arguments.
static int call_level_script(lua_State *L, const char *function) {
  binding_check_world(L, 1);
  binding_check_string(L, 2);
  Error error;
  if (!binding_load_own_script(L, "scripts/lib/level.lua", &error)) return luaL_error(L, "%s", error.text);
  lua_getfield(L, -1, function);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_call(L, 2, LUA_MULTRET);
  return lua_gettop(L) - 3;
}

/// World:load(file: string): table<string, Node>?, string?
/// Adds what a level file describes. The table leads from names to nodes. nil and a message when the file is missing or
/// broken; nothing is added then.
static int load(lua_State *L) {
  lua_settop(L, 2);
  return call_level_script(L, "load");
}

/// World:save(file: string): boolean?, string?
/// Writes the world as a level file into the save folder. Loading and saving again gives the same bytes. Who stands still is
/// saved at the nearest frame, a clip that is played once at its end. A node of a model's file with another parent than there is
/// saved where the file has it, with a warning.
static int save(lua_State *L) {
  lua_settop(L, 2);
  return call_level_script(L, "save");
}

const char *const FOG_NAMES[3] = {"none", "linear", "exponential"};

/// type Fog: {mode?: "none"|"linear"|"exponential", color?: Color, near?: number, far?: number, density?: number}
/// What things far from the camera fade into.
/// - `mode`: "linear" grows from `near` to `far`, "exponential" is 1 - e^(-density * distance) ("linear")
/// - `color`: the background has a colour of its own, which should be the same ({0.5, 0.5, 0.5})
/// - `near`: metres from the camera where linear fog begins (10)
/// - `far`: metres from the camera where nothing else is seen (100)
/// - `density`: of exponential fog, per metre (0.02)
// Reads a fog table; used by newWorld and setFog.
ModelFog binding_read_fog(lua_State *L, int index, const char *function) {
  static const char *const KNOWN[] = {"mode", "color", "near", "far", "density", NULL};
  OptionTable options = options_open(L, index, function, KNOWN);
  ModelFog fog = {
      .mode = (FogMode)options_choice(options, "mode", FOG_NAMES, 3, FOG_LINEAR),
      .color = options_color(options, "color", (Color){0.5f, 0.5f, 0.5f, 1}),
      .near_distance = options_not_negative(options, "near", 10),
      .far_distance = options_positive(options, "far", 100),
      .density = options_not_negative(options, "density", 0.02f),
  };
  if (fog.far_distance <= fog.near_distance) options_raise(options, "far", "a distance beyond 'near'");
  return fog;
}

/// World:setFog(fog: Fog)
/// Replaces the fog; `{mode = "none"}` takes it away.
static int set_fog(lua_State *L) {
  World *world = binding_check_world(L, 1);
  world->desc.fog = binding_read_fog(L, 2, "setFog");
  return 0;
}

static int set_color(lua_State *L, Color *color) {
  Vec3 rgb = binding_check_vec3(L, 2);
  *color = (Color){rgb.x, rgb.y, rgb.z, 1};
  return 0;
}

static int push_color(lua_State *L, Color color) {
  lua_pushnumber(L, color.r);
  lua_pushnumber(L, color.g);
  lua_pushnumber(L, color.b);
  return 3;
}

/// World:setAmbient(r: number, g: number, b: number)
/// The light that is everywhere, as red, green, blue.
static int set_ambient(lua_State *L) {
  return set_color(L, &binding_check_world(L, 1)->desc.ambient);
}

/// World:getAmbient(): number, number, number
/// The light that is everywhere, as red, green, blue.
static int get_ambient(lua_State *L) {
  return push_color(L, binding_check_world(L, 1)->desc.ambient);
}

/// World:setBackground(r: number, g: number, b: number)
/// The colour where nothing is, as red, green, blue.
static int set_background(lua_State *L) {
  return set_color(L, &binding_check_world(L, 1)->desc.background);
}

/// World:getBackground(): number, number, number
/// The colour where nothing is, as red, green, blue.
static int get_background(lua_State *L) {
  return push_color(L, binding_check_world(L, 1)->desc.background);
}

/// class World
/// A scene and all that happens in it. The world made last is the one that is stepped and drawn.
const luaL_Reg WORLD_METHODS[] = {
    {"setCamera", set_camera},
    {"getCamera", get_camera},
    {"setViewMode", set_view_mode},
    {"getViewMode", get_view_mode},
    {"find", find},
    {"findAll", find_all},
    {"each", each},
    {"on", on},
    {"off", off},
    {"load", load},
    {"save", save},
    {"setFog", set_fog},
    {"setAmbient", set_ambient},
    {"getAmbient", get_ambient},
    {"setBackground", set_background},
    {"getBackground", get_background},
    {NULL, NULL},
};
