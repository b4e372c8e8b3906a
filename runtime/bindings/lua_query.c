// Rays, sweeps and overlaps, and the hit tables they give.
#include "bindings/binding.h"

#define LONGEST_RANGE 1000  // metres, where no range is given

enum { MAX_IGNORED = 64, MAX_HITS = 256 };

static void set_number(lua_State *L, const char *name, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}

static void set_string(lua_State *L, const char *name, const char *value) {
  lua_pushstring(L, value);
  lua_setfield(L, -2, name);
}

/// type Hit: {node: Node, name?: string, part?: string, material?: string, distance: number, x: number, y: number,
///   z: number, nx: number, ny: number, nz: number, triangle?: integer, u?: number, v?: number}
/// What a ray, sweep or shot met.
/// - `node`: the player or NPC it belongs to, else the node with the mesh
/// - `name`: of the nearest named node, upwards
/// - `part`: name of the part of a player or NPC
/// - `material`: name of the material
/// - `distance`: metres from the start; of a sweep, the way of the centre
/// - `x`: the point in the world, metres
/// - `nx`: the normal, of unit length, against the ray
/// - `triangle`: index in the mesh, from 0
/// - `u`: texture coordinates of the point
void binding_push_hit(lua_State *L, int world_index, const WorldHit *hit) {
  world_index = lua_absindex(L, world_index);
  lua_createtable(L, 0, 15);
  binding_push_node(L, world_index, hit->node);
  lua_setfield(L, -2, "node");
  set_string(L, "name", hit->name);
  set_string(L, "part", hit->part);
  set_string(L, "material", hit->material);
  set_number(L, "distance", hit->distance);
  set_number(L, "x", hit->point.x);
  set_number(L, "y", hit->point.y);
  set_number(L, "z", hit->point.z);
  set_number(L, "nx", hit->normal.x);
  set_number(L, "ny", hit->normal.y);
  set_number(L, "nz", hit->normal.z);
  if (hit->triangle < 0) return;
  lua_pushinteger(L, hit->triangle);
  lua_setfield(L, -2, "triangle");
  set_number(L, "u", hit->u);
  set_number(L, "v", hit->v);
}

// The nodes of `ignore`: one, or a list.
static int read_ignored(OptionTable options, World *world, Handle ignored[MAX_IGNORED]) {
  lua_State *L = options.lua;
  if (lua_getfield(L, options.table, "ignore") == LUA_TNIL) return 0;
  if (!lua_istable(L, -1)) {
    ignored[0] = options_node(options, "ignore", world);
    return 1;
  }
  int count = (int)lua_rawlen(L, -1), list = lua_gettop(L);
  if (count > MAX_IGNORED) options_raise(options, "ignore", "a list of at most 64 nodes");
  for (int i = 0; i < count; i++) {
    World *other;
    lua_rawgeti(L, list, i + 1);
    if (!binding_to_node(L, -1)) options_raise(options, "ignore", "a node or a list of nodes");
    ignored[i] = binding_check_node(L, lua_gettop(L), &other)->handle;
    if (other != world) luaL_error(L, "%s: option 'ignore': the node is of another world", options.function);
    lua_pop(L, 1);
  }
  return count;
}

static Vec3 required_vec3(OptionTable options, const char *name) {
  if (!options_has(options, name)) luaL_error(options.lua, "%s: option '%s' is missing", options.function, name);
  return options_vec3(options, name, vec3(0, 0, 0));
}

/// World:raycast(options: {from: Vec3, direction?: Vec3, to?: Vec3, range?: number, mask?: NodeKind[],
///   ignore?: Node|Node[], all?: boolean, backfaces?: boolean}): Hit|Hit[]|nil
/// The first thing a ray meets, or nil. It sees the poses as the last step left them; nodes made since are not there
/// yet. Either `direction` or `to` must be given.
/// - `from`: where it starts
/// - `direction`: of any length but 0
/// - `to`: a point, in place of the direction; the ray ends there
/// - `range`: metres (1000, or up to `to`)
/// - `mask`: the kinds of nodes it can hit (all)
/// - `ignore`: what it passes through with all below it, up to 64 nodes
/// - `all`: a list of hits, one a node and nearest first, at most 256 (false)
/// - `backfaces`: meets triangles from behind too (false)
static int raycast(lua_State *L) {
  World *world = binding_check_world(L, 1);
  static const char *const KNOWN[] = {"from", "direction", "to", "range", "mask", "ignore", "all", "backfaces", NULL};
  OptionTable options = options_open(L, 2, "raycast", KNOWN);
  Handle ignored[MAX_IGNORED];
  RayQuery query = {
      .from = required_vec3(options, "from"),
      .range = options_positive(options, "range", LONGEST_RANGE),
      .mask = options_mask(options),
      .ignored = ignored,
      .hits_backfaces = options_boolean(options, "backfaces", false),
  };
  query.ignored_count = read_ignored(options, world, ignored);
  if (options_has(options, "to")) {
    query.direction = vec3_sub(options_vec3(options, "to", vec3(0, 0, 0)), query.from);
    if (!options_has(options, "range")) query.range = vec3_length(query.direction);
  } else {
    query.direction = required_vec3(options, "direction");
    if (!(vec3_length(query.direction) > 0)) options_raise(options, "direction", "a direction other than {0, 0, 0}");
  }
  if (options_boolean(options, "all", false)) {
    WorldHit hits[MAX_HITS];
    int count = world_raycast_all(world, &query, hits, MAX_HITS);
    binding_check_memory(L, world);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
      binding_push_hit(L, 1, &hits[i]);
      lua_rawseti(L, -2, i + 1);
    }
    return 1;
  }
  WorldHit hit;
  bool is_hit = world_raycast(world, &query, &hit);
  binding_check_memory(L, world);
  if (is_hit) {
    binding_push_hit(L, 1, &hit);
  } else {
    lua_pushnil(L);
  }
  return 1;
}

static void read_body(OptionTable options, SweepQuery *query) {
  query->radius = options_positive(options, "radius", 0.5f);
  query->height = options_positive(options, "height", 0);
  query->mask = options_mask(options);
  if (query->height > 0 && query->height < 2 * query->radius)
    options_raise(options, "height", "a height of at least twice the radius");
}

/// World:sweep(options: {from: Vec3, to: Vec3, radius?: number, height?: number, mask?: NodeKind[],
///   ignore?: Node|Node[]}): Hit?
/// Moves a sphere, or with `height` an upright capsule, and tells the first thing that blocks its way: what has
/// `collide`, players and NPCs. x, y, z of the hit is the point of contact.
/// - `from`: where the centre starts
/// - `to`: where the centre would end
/// - `radius`: metres (0.5)
/// - `height`: metres of a capsule from end to end, at least twice the radius
/// - `mask`: the kinds of nodes that block (all)
/// - `ignore`: what it passes through with all below it, up to 64 nodes
static int sweep(lua_State *L) {
  World *world = binding_check_world(L, 1);
  static const char *const KNOWN[] = {"from", "to", "radius", "height", "mask", "ignore", NULL};
  OptionTable options = options_open(L, 2, "sweep", KNOWN);
  Handle ignored[MAX_IGNORED];
  SweepQuery query = {.from = required_vec3(options, "from"), .to = required_vec3(options, "to"), .ignored = ignored};
  read_body(options, &query);
  query.ignored_count = read_ignored(options, world, ignored);
  WorldHit hit;
  bool is_hit = world_sweep(world, &query, &hit);
  binding_check_memory(L, world);
  if (is_hit) {
    binding_push_hit(L, 1, &hit);
  } else {
    lua_pushnil(L);
  }
  return 1;
}

/// World:overlap(options: {position: Vec3, radius?: number, height?: number, mask?: NodeKind[],
///   ignore?: Node|Node[]}): Node[]
/// The nodes whose bodies (what has `collide`, players and NPCs) meet a sphere or, with `height`, an upright capsule.
/// - `position`: its centre
/// - `radius`: metres (0.5)
/// - `height`: metres of a capsule from end to end, at least twice the radius
/// - `mask`: the kinds of nodes looked for (all)
/// - `ignore`: what is left out with all below it, up to 64 nodes
static int overlap(lua_State *L) {
  World *world = binding_check_world(L, 1);
  static const char *const KNOWN[] = {"position", "radius", "height", "mask", "ignore", NULL};
  OptionTable options = options_open(L, 2, "overlap", KNOWN);
  Handle ignored[MAX_IGNORED], found[MAX_HITS];
  SweepQuery query = {.from = required_vec3(options, "position"), .ignored = ignored};
  query.to = query.from;
  read_body(options, &query);
  query.ignored_count = read_ignored(options, world, ignored);
  int count = world_overlap(world, &query, found, MAX_HITS);
  binding_check_memory(L, world);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    binding_push_node(L, 1, found[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

const luaL_Reg WORLD_QUERY_METHODS[] = {{"raycast", raycast}, {"sweep", sweep}, {"overlap", overlap}, {NULL, NULL}};
