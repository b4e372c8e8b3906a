// The module itself: worlds, time, quitting, preloading.
#include <stdlib.h>
#include <string.h>

#include "bindings/binding.h"
#include "log.h"
#include "version.h"

/// palfrey.newWorld(options?: {ambient?: Color, background?: Color, fog?: Fog, gravity?: number}): World
/// A new world, which from now on is the one that is stepped and drawn.
/// - `ambient`: light that is everywhere ({0.2, 0.2, 0.2})
/// - `background`: colour where nothing is (black)
/// - `fog`: none unless given
/// - `gravity`: m/s^2, downwards (9.81)
static int new_world(lua_State *L) {
  Host *host = binding_host(L);
  if (host->is_drawing) return luaL_error(L, "newWorld: not inside palfrey.draw, which shows a world as it is");
  if (!host->assets) return luaL_error(L, "newWorld: not yet: conf.lua runs before there is anything to draw with");
  if (lua_isnoneornil(L, 1)) {
    lua_settop(L, 0);
    lua_newtable(L);
  }
  static const char *const KNOWN[] = {"ambient", "background", "fog", "gravity", NULL};
  OptionTable options = options_open(L, 1, "newWorld", KNOWN);
  WorldDesc desc = {
      .ambient = options_color(options, "ambient", (Color){0.2f, 0.2f, 0.2f, 1}),
      .background = options_color(options, "background", (Color){0, 0, 0, 1}),
      .gravity = options_number(options, "gravity", 9.81f),
      .step_seconds = host->config.step_seconds,
      .seed = host->seed,
      .limits = host->config.limits,
  };
  if (lua_getfield(L, 1, "fog") != LUA_TNIL) desc.fog = binding_read_fog(L, lua_gettop(L), "newWorld: fog");
  // Whatever can raise is done before there is a world that someone must own.
  WorldBox *box = binding_push_new_world(L);
  if (host->world_ref == LUA_NOREF) {
    lua_pushboolean(L, false);
    host->world_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  }
  Error error = {0};
  box->world = world_create(host->memory, host->assets, &desc, &error);
  if (!box->world) return luaL_error(L, "%s", error.text);
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, host->world_ref);
  host->world = box->world;
  host->worlds_made++;
  return 1;
}

/// palfrey.quit(code?: integer)
/// Ends the game after this step with an exit status of 0 to 255 (0), unless the callback palfrey.quit says no: the name is
/// read as this function and written as that callback.
static int quit(lua_State *L) {
  Host *host = binding_host(L);
  lua_Integer code = luaL_optinteger(L, 1, 0);
  luaL_argcheck(L, code >= 0 && code <= 255, 1, "an exit status from 0 to 255 expected");
  host->wants_quit = true;
  host->quit_status = (int)code;
  return 0;
}

/// palfrey.isPackaged(): boolean
/// Whether the game runs from a zip.
static int is_packaged(lua_State *L) {
  lua_pushboolean(L, files_is_packaged(binding_host(L)->files));
  return 1;
}

/// palfrey.getTime(): number
/// Seconds of game time: steps times their length. It does not depend on how fast the machine is.
static int get_time(lua_State *L) {
  lua_pushnumber(L, host_seconds(binding_host(L)));
  return 1;
}

/// palfrey.getStep(): integer
/// How many steps are done: 0 in palfrey.load and in the first palfrey.update.
static int get_step(lua_State *L) {
  lua_pushinteger(L, binding_host(L)->step);
  return 1;
}

/// palfrey.getVersion(): string
/// The version of the runtime, like "1.2.3".
static int get_version(lua_State *L) {
  lua_pushliteral(L, PALFREY_VERSION);
  return 1;
}

/// palfrey.log(...)
/// Writes its arguments to standard error: one line, with tabs between them.
static int write_log(lua_State *L) {
  int count = lua_gettop(L);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  for (int i = 1; i <= count; i++) {
    if (i > 1) luaL_addchar(&buffer, '\t');
    luaL_tolstring(L, i, NULL);
    luaL_addvalue(&buffer);
  }
  luaL_pushresult(&buffer);
  log_info("%s", lua_tostring(L, -1));
  return 0;
}

// Numbers before strings before everything else; within a type by value.
static int compare_keys(lua_State *L, int a, int b) {
  int type_a = lua_type(L, a), type_b = lua_type(L, b);
  if (type_a != type_b) {
    int rank_a = type_a == LUA_TNUMBER ? 0 : type_a == LUA_TSTRING ? 1 : 2 + type_a;
    int rank_b = type_b == LUA_TNUMBER ? 0 : type_b == LUA_TSTRING ? 1 : 2 + type_b;
    return rank_a < rank_b;
  }
  if (type_a == LUA_TBOOLEAN) return lua_toboolean(L, a) < lua_toboolean(L, b);
  return lua_compare(L, a, b, LUA_OPLT);
}

static int key_is_less(lua_State *L) {
  lua_pushboolean(L, compare_keys(L, 1, 2));
  return 1;
}

static int next_sorted(lua_State *L) {
  lua_Integer at = lua_tointeger(L, lua_upvalueindex(3)) + 1;
  lua_pushinteger(L, at);
  lua_replace(L, lua_upvalueindex(3));
  if (lua_rawgeti(L, lua_upvalueindex(2), at) == LUA_TNIL) return 1;
  lua_pushvalue(L, -1);
  lua_gettable(L, lua_upvalueindex(1));
  return 2;
}

/// palfrey.sortedPairs(values: table): fun(): any, any
/// As pairs, in the order of the keys: numbers first, then strings, then booleans; other keys raise. The same in every
/// run, which the order of pairs is not. Keys added while it walks are left out.
static int sorted_pairs(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_getfield(L, lua_upvalueindex(1), "sort");
  lua_newtable(L);
  int count = 0;
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    lua_pop(L, 1);
    int type = lua_type(L, -1);
    if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TBOOLEAN)
      return luaL_error(L, "sortedPairs: keys are numbers, strings or booleans; got a %s", lua_typename(L, type));
    lua_pushvalue(L, -1);
    lua_rawseti(L, 3, ++count);
  }
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 3);
  lua_pushcfunction(L, key_is_less);
  lua_call(L, 2, 0);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 3);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_sorted, 3);
  return 1;
}

// --- Preloading ---

/// class Preload
/// What palfrey.preload returns: how far the loading of its files is.
typedef struct PreloadRef {
  Preload *preload;
} PreloadRef;

static Preload *check_preload(lua_State *L) {
  PreloadRef *ref = luaL_checkudata(L, 1, "preload");
  if (!ref->preload) luaL_error(L, "preload was removed");
  return ref->preload;
}

static int collect_preload(lua_State *L) {
  PreloadRef *ref = luaL_checkudata(L, 1, "preload");
  if (ref->preload) preload_release(binding_host(L)->assets, ref->preload);
  ref->preload = NULL;
  return 0;
}

/// Preload:getProgress(): number
/// 0 at the start, 1 when all files are loaded or have failed.
static int get_progress(lua_State *L) {
  lua_pushnumber(L, preload_progress(check_preload(L)));
  return 1;
}

/// Preload:isDone(): boolean
/// Whether the progress is 1; files that failed count as done.
static int is_done(lua_State *L) {
  lua_pushboolean(L, preload_progress(check_preload(L)) >= 1);
  return 1;
}

/// Preload:getErrors(): string[]
/// What went wrong, one text a file.
static int get_errors(lua_State *L) {
  Preload *preload = check_preload(L);
  lua_newtable(L);
  for (int i = 0; i < preload_error_count(preload); i++) {
    lua_pushstring(L, preload_error(preload, i));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/// palfrey.preload(files: string[]): Preload
/// Loads models and images in the background, so that naming them later does not hold up the game. Headless, recording
/// or replaying it is done when the call returns.
static int preload(lua_State *L) {
  Host *host = binding_host(L);
  if (!host->assets) return luaL_error(L, "preload: not yet: conf.lua runs before there is anything to draw with");
  luaL_checktype(L, 1, LUA_TTABLE);
  int count = (int)lua_rawlen(L, 1);
  const char **paths = lua_newuserdatauv(L, (size_t)(count > 0 ? count : 1) * sizeof *paths, 0);
  luaL_checkstack(L, count + 8, "too many files");
  for (int i = 0; i < count; i++) {
    if (lua_rawgeti(L, 1, i + 1) != LUA_TSTRING)
      luaL_error(L, "preload: file %d: a string expected, got %s", i + 1, luaL_typename(L, -1));
    paths[i] = lua_tostring(L, -1);
  }
  PreloadRef *ref = lua_newuserdatauv(L, sizeof *ref, 0);
  ref->preload = NULL;
  luaL_setmetatable(L, "preload");
  Error error = {0};
  ref->preload = assets_preload(host->assets, paths, count, host->is_synchronous, &error);
  if (!ref->preload) return luaL_error(L, "%s", error.text);
  return 1;
}

static void open_preload(lua_State *L) {
  static const luaL_Reg METHODS[] = {
      {"getProgress", get_progress}, {"isDone", is_done}, {"getErrors", get_errors}, {NULL, NULL}};
  luaL_newmetatable(L, "preload");
  lua_pushboolean(L, false);
  lua_setfield(L, -2, "__metatable");
  lua_pushcfunction(L, collect_preload);
  lua_setfield(L, -2, "__gc");
  luaL_newlib(L, METHODS);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}

/// class palfrey
/// The module: `local palfrey = require "palfrey"`, or just the global of that name.
// palfrey.quit is a function to call and a callback to set. The callback is kept apart, so that one does not hide the other.
static const char QUIT_CALLBACK = 0;  // its address is the registry key

/// callback palfrey.quit(): boolean?
/// Someone closes the window, or palfrey.quit was called. Returning true keeps the game running.
static int set_field(lua_State *L) {
  if (lua_type(L, 2) == LUA_TSTRING && strcmp(lua_tostring(L, 2), "quit") == 0) {
    lua_rawsetp(L, LUA_REGISTRYINDEX, &QUIT_CALLBACK);
  } else {
    lua_rawset(L, 1);
  }
  return 0;
}

void binding_push_quit_callback(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &QUIT_CALLBACK);
}

// Gives the module at the top its metatable.
static void open_quit(lua_State *L) {
  static const luaL_Reg HIDDEN[] = {{"quit", quit}, {NULL, NULL}};
  lua_newtable(L);
  luaL_newlib(L, HIDDEN);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, set_field);
  lua_setfield(L, -2, "__newindex");
  lua_pushboolean(L, false);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
}

void binding_open_module(lua_State *L) {
  static const luaL_Reg FUNCTIONS[] = {
      {"newWorld", new_world},     {"isPackaged", is_packaged}, {"getTime", get_time}, {"getStep", get_step},
      {"getVersion", get_version}, {"log", write_log},          {"preload", preload},  {NULL, NULL},
  };
  open_preload(L);
  luaL_newlib(L, FUNCTIONS);
  luaL_setfuncs(L, BINDING_LOADER_FUNCTIONS, 0);
  open_quit(L);
  lua_getglobal(L, "table");
  lua_pushcclosure(L, sorted_pairs, 1);
  lua_setfield(L, -2, "sortedPairs");
  binding_open_input(L);
  binding_open_hud(L);
  binding_open_files(L);
  binding_open_screen(L);
  binding_open_testing(L);
}
