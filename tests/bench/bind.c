// What a checked call from Lua costs: node:setPosition(x, y, z) and its like, beside functions of the same shape that check
// nothing ("unchecked": the pointer is taken from the userdata as it is) and beside the way of Lua's own libraries
// ("checkudata": luaL_checkudata and luaL_checknumber). All three are methods found in a metatable of the same names, called
// by the same chunk of Lua, and do the same to the same node.
//
// usage: bench_bind [--quick]
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>

#include "bench.h"
#include "bindings/binding.h"
#include "support/bare_runtime.h"

enum { MAX_ROUNDS = 51, QUICK_ROUNDS = 11, CALLS = 200000, IMPL_COUNT = 3 };

static const char *const IMPLS[IMPL_COUNT] = {"palfrey", "unchecked", "checkudata"};

// --- The two that Palfrey is compared with ---

// As a value of Palfrey, with the engine's pointers in place of a handle that is looked up.
typedef struct PlainNode {
  World *world;
  Node *node;
} PlainNode;

static int unchecked_set_position(lua_State *L) {
  PlainNode *plain = lua_touserdata(L, 1);
  plain->node->position = vec3((float)lua_tonumber(L, 2), (float)lua_tonumber(L, 3), (float)lua_tonumber(L, 4));
  world_place_changed(plain->world, plain->node->handle);
  return 0;
}

static int unchecked_get_position(lua_State *L) {
  PlainNode *plain = lua_touserdata(L, 1);
  lua_pushnumber(L, plain->node->position.x);
  lua_pushnumber(L, plain->node->position.y);
  lua_pushnumber(L, plain->node->position.z);
  return 3;
}

static int unchecked_set_heading(lua_State *L) {
  PlainNode *plain = lua_touserdata(L, 1);
  scene_set_heading(plain->node, (float)lua_tonumber(L, 2));
  world_place_changed(plain->world, plain->node->handle);
  return 0;
}

static int checkudata_set_position(lua_State *L) {
  PlainNode *plain = luaL_checkudata(L, 1, "checkudata");
  plain->node->position =
      vec3((float)luaL_checknumber(L, 2), (float)luaL_checknumber(L, 3), (float)luaL_checknumber(L, 4));
  world_place_changed(plain->world, plain->node->handle);
  return 0;
}

static int checkudata_get_position(lua_State *L) {
  PlainNode *plain = luaL_checkudata(L, 1, "checkudata");
  lua_pushnumber(L, plain->node->position.x);
  lua_pushnumber(L, plain->node->position.y);
  lua_pushnumber(L, plain->node->position.z);
  return 3;
}

static int checkudata_set_heading(lua_State *L) {
  PlainNode *plain = luaL_checkudata(L, 1, "checkudata");
  scene_set_heading(plain->node, (float)luaL_checknumber(L, 2));
  world_place_changed(plain->world, plain->node->handle);
  return 0;
}

// Pushes a value whose methods are those of Palfrey's node at `node_index`, except for the ones listed.
static void push_plain(lua_State *L, int node_index, const char *name, const luaL_Reg *methods) {
  World *world;
  Node *node = binding_check_node(L, node_index, &world);
  PlainNode *plain = lua_newuserdatauv(L, sizeof *plain, 0);
  *plain = (PlainNode){world, node};
  luaL_newmetatable(L, name);
  lua_newtable(L);
  lua_getmetatable(L, node_index);
  lua_getfield(L, -1, "__index");
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -6);
  }
  lua_pop(L, 2);
  luaL_setfuncs(L, methods, 0);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

// --- Cases ---

typedef struct Case {
  const char *name;
  const char *chunk;  ///< gets a node and how often to call
  bool (*check)(const Node *node);
} Case;

static bool is_placed(const Node *node) {
  return node->position.x == CALLS && node->position.y == 2.5f && node->position.z == -3;
}

static bool is_turned(const Node *node) {
  return node->heading == CALLS % 360;
}

// The sum that the chunk raises otherwise tells that what was read is right.
static bool is_read(const Node *node) {
  return node->position.x == 1.5f;
}

static const Case CASES[] = {
    {"set-position", "local node, n = ... for i = 1, n do node:setPosition(i, 2.5, -3) end", is_placed},
    {"get-position",
     "local node, n = ... node:setPosition(1.5, 2, 3) local sum = 0 "
     "for i = 1, n do local x, y, z = node:getPosition() sum = sum + x + y + z end assert(sum == 6.5 * n)",
     is_read},
    {"heading", "local node, n = ... for i = 1, n do node:setHeading(i % 360) end", is_turned},
};

// Runs the chunk at index 1 on the value at `index`; seconds, or below 0 with a message on stderr.
static double run(lua_State *L, int index) {
  lua_pushvalue(L, 1);
  lua_pushvalue(L, index);
  lua_pushinteger(L, CALLS);
  double start = bench_thread_seconds();
  if (lua_pcall(L, 2, 0, 0) == LUA_OK) return bench_thread_seconds() - start;
  fprintf(stderr, "bench bind: %s\n", lua_tostring(L, -1));
  return -1;
}

// The values are at 2, 3 and 4, in the order of IMPLS. The same node is behind all of them.
static bool check_case(lua_State *L, const Case *test) {
  for (int i = 0; i < IMPL_COUNT; i++) {
    World *world;
    Node *node = binding_check_node(L, 2, &world);
    node->position = vec3(0, 0, 0);
    node->heading = -1;
    if (run(L, 2 + i) < 0) return false;
    if (test->check(node)) continue;
    fprintf(stderr, "bench bind: %s of %s did not do its work\n", test->name, IMPLS[i]);
    return false;
  }
  return true;
}

static bool measure_case(lua_State *L, const Case *test, int rounds) {
  double times[IMPL_COUNT][MAX_ROUNDS], ratios[MAX_ROUNDS];
  if (luaL_loadstring(L, test->chunk) != LUA_OK) return false;
  lua_replace(L, 1);
  if (!check_case(L, test)) return false;
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < IMPL_COUNT; i++) {
      int impl = (i + round) % IMPL_COUNT;
      times[impl][round] = run(L, 2 + impl);
      if (times[impl][round] < 0) return false;
    }
    ratios[round] = times[0][round] / times[1][round];
  }
  for (int i = 0; i < IMPL_COUNT; i++)
    bench_print("bind", test->name, IMPLS[i], 1e9 * bench_median(times[i], rounds) / CALLS, "ns/call", rounds);
  char name[64];
  snprintf(name, sizeof name, "%s-to-unchecked", test->name);
  bench_print("bind", name, "palfrey", bench_median(ratios, rounds), "x", rounds);
  return true;
}

static int measure_all(lua_State *L) {
  static const luaL_Reg UNCHECKED[] = {{"setPosition", unchecked_set_position},
                                       {"getPosition", unchecked_get_position},
                                       {"setHeading", unchecked_set_heading},
                                       {NULL, NULL}};
  static const luaL_Reg CHECKUDATA[] = {{"setPosition", checkudata_set_position},
                                        {"getPosition", checkudata_get_position},
                                        {"setHeading", checkudata_set_heading},
                                        {NULL, NULL}};
  int rounds = (int)lua_tointeger(L, 1);
  luaL_loadstring(L, "return palfrey.newWorld():addGroup()");
  lua_call(L, 0, 1);
  push_plain(L, 2, "unchecked", UNCHECKED);
  push_plain(L, 2, "checkudata", CHECKUDATA);
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    if (!measure_case(L, &CASES[i], rounds)) return luaL_error(L, "%s could not be measured", CASES[i].name);
  }
  return 0;
}

int main(int argc, char **argv) {
  BareRuntime runtime;
  Error error = {0};
  bool is_good = bare_runtime_open(&runtime, "tests/bench/games/empty", &error);
  if (is_good) {
    lua_State *L = runtime.host.lua;
    lua_pushcfunction(L, measure_all);
    lua_pushinteger(L, bench_has_option(argc, argv, "--quick") ? QUICK_ROUNDS : MAX_ROUNDS);
    is_good = lua_pcall(L, 1, 0, 0) == LUA_OK || error_set(&error, "%s", lua_tostring(L, -1));
    bare_runtime_close(&runtime);
  }
  if (!is_good) fprintf(stderr, "bench bind: %s\n", error.text);
  return is_good ? 0 : 1;
}
