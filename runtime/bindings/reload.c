// Hot reload's side of C: what scripts/lib/reload.lua cannot do from Lua, and the taking of changed files.
#include "bindings/reload.h"

#include <lualib.h>
#include <stdio.h>
#include <string.h>

#include "array.h"
#include "log.h"

static const char RELOAD_KEY = 0;  // their addresses are registry keys: of what reload.lua returns,
static const char RUNS_KEY = 0;    // and of the table function of a file -> its local variables, while it runs

// --- Running a file while noting its local variables ---

// Puts the local variables of a function into the table at the top.
static void copy_locals(lua_State *L, lua_Debug *activation) {
  const char *name;
  for (int i = 1; (name = lua_getlocal(L, activation, i)); i++) {
    if (name[0] == '(')
      lua_pop(L, 1);
    else
      lua_setfield(L, -2, name);
  }
}

// Local variables at the top of a file are seen for the last time when its function returns.
static void note_locals(lua_State *L, lua_Debug *activation) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &RUNS_KEY);
  lua_pushnil(L);
  if (!lua_next(L, -2)) {
    // A run that ended by an error has left the hook, until its file was collected.
    lua_sethook(L, NULL, 0, 0);
    lua_pop(L, 1);
    return;
  }
  lua_pop(L, 2);
  lua_getinfo(L, "f", activation);
  if (lua_rawget(L, -2) == LUA_TTABLE) copy_locals(L, activation);
  lua_pop(L, 2);
}

// runChunk(chunk, locals, ...): calls the chunk with what is behind, puts its local variables into the table, and returns
// what it returns.
static int run_chunk(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &RUNS_KEY);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_rawset(L, -3);
  lua_pop(L, 1);
  lua_remove(L, 2);
  lua_pushvalue(L, 1);
  lua_insert(L, 1);
  lua_Hook outer = lua_gethook(L);
  int mask = lua_gethookmask(L), count = lua_gethookcount(L);
  lua_sethook(L, note_locals, LUA_MASKRET, 0);
  lua_call(L, lua_gettop(L) - 2, LUA_MULTRET);
  lua_sethook(L, outer, mask, count);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &RUNS_KEY);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  lua_rawset(L, -3);
  lua_pop(L, 1);
  return lua_gettop(L) - 1;
}

// --- What Lua's own libraries do not show ---

// stackOf(coroutine): how many values wait on the stack of one that was not started; stackOf(coroutine, i[, value]) reads
// or replaces one.
static int stack_of(lua_State *L) {
  lua_State *thread = lua_tothread(L, 1);
  luaL_argexpected(L, thread, 1, "coroutine");
  int count = lua_status(thread) == LUA_OK ? lua_gettop(thread) : 0;
  if (lua_gettop(L) == 1) {
    lua_pushinteger(L, count);
    return 1;
  }
  lua_Integer i = luaL_checkinteger(L, 2);
  luaL_argcheck(L, i >= 1 && i <= count && lua_checkstack(thread, 1), 2, "a value on the stack expected");
  if (lua_gettop(L) == 2) {
    lua_pushvalue(thread, (int)i);
    lua_xmove(thread, L, 1);
    return 1;
  }
  lua_settop(L, 3);
  lua_xmove(L, thread, 1);
  lua_replace(thread, (int)i);
  return 0;
}

// getSandbox(): the globals of the game, and the table of its loaded modules.
static int get_sandbox(lua_State *L) {
  binding_push_sandbox(L);
  lua_getfield(L, -1, "package");
  lua_getfield(L, -1, "loaded");
  lua_remove(L, -2);
  return 2;
}

// handlersOf(value): the table event -> list of handlers of a world or node; nil where it has none.
static int handlers_of(lua_State *L) {
  luaL_checkany(L, 1);
  if (binding_to_node(L, 1))
    lua_getiuservalue(L, 1, NODE_HANDLERS);
  else if (binding_is_world(L, 1))
    lua_getiuservalue(L, 1, WORLD_HANDLERS);
  else
    lua_pushnil(L);
  return 1;
}

// getWorld(): the value of the world that is stepped and drawn, or nil.
static int get_world(lua_State *L) {
  Host *host = binding_host(L);
  if (host->world)
    lua_rawgeti(L, LUA_REGISTRYINDEX, host->world_ref);
  else
    lua_pushnil(L);
  return 1;
}

// setWorld(world): lets that world be stepped and drawn.
static int set_world(lua_State *L) {
  Host *host = binding_host(L);
  World *world = binding_check_world(L, 1);
  lua_pushvalue(L, 1);
  lua_rawseti(L, LUA_REGISTRYINDEX, host->world_ref);
  host->world = world;
  return 0;
}

// getQuit(): what the game set as palfrey.quit.
static int get_quit(lua_State *L) {
  binding_push_quit_callback(L);
  return 1;
}

// callGame(f, ...): as pcall, for code of the game: with a traceback in the message, and no longer than a callback may take.
static int call_game(lua_State *L) {
  Host *host = binding_host(L);
  luaL_checkany(L, 1);
  binding_push_traceback_handler(L);
  lua_insert(L, 1);
  binding_start_time(host);
  bool is_good = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 1) == LUA_OK;
  binding_stop_time(host);
  lua_pushboolean(L, is_good);
  lua_replace(L, 1);
  return lua_gettop(L);
}

// reloadAsset(path): reads models and textures that came from the file again. Whether there were any, or nil and a message.
static int reload_asset(lua_State *L) {
  Host *host = binding_host(L);
  const char *path = binding_check_string(L, 1);
  int reloaded = 0;
  Error error = {0};
  if (!assets_reload(host->assets, path, &reloaded, &error)) return binding_fail(L, &error);
  lua_pushboolean(L, reloaded > 0);
  return 1;
}

// isShown(path): whether models or textures of the file are in use.
static int is_shown(lua_State *L) {
  lua_pushboolean(L, assets_is_shown(binding_host(L)->assets, binding_check_string(L, 1)));
  return 1;
}

// isWatching(): whether changed files are loaded again.
static int is_watching(lua_State *L) {
  lua_pushboolean(L, binding_host(L)->is_watching);
  return 1;
}

// Internal: for scripts/lib/reload.lua and level_reload.lua.
const luaL_Reg BINDING_RELOAD_FUNCTIONS[] = {
    {"runChunk", run_chunk},
    {"stackOf", stack_of},
    {"getSandbox", get_sandbox},
    {"handlersOf", handlers_of},
    {"getWorld", get_world},
    {"setWorld", set_world},
    {"getQuit", get_quit},
    {"callGame", call_game},
    {"compareConf", binding_compare_conf},
    {"readSource", binding_read_source},
    {"reloadAsset", reload_asset},
    {"isShown", is_shown},
    {"isWatching", is_watching},
    {NULL, NULL},
};

// --- Files as they are loaded ---

static void push_function(lua_State *L, const char *name) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &RELOAD_KEY);
  lua_getfield(L, -1, name);
  lua_remove(L, -2);
}

void reload_open(lua_State *L) {
  if (!binding_host(L)->is_watching) return;
  lua_newtable(L);
  lua_newtable(L);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &RUNS_KEY);
  Error error = {0};
  if (!binding_load_own_script(L, "scripts/lib/reload.lua", &error)) luaL_error(L, "%s", error.text);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &RELOAD_KEY);
}

bool reload_compile(lua_State *L, const char *path) {
  push_function(L, "compile");
  lua_insert(L, -2);
  lua_pushstring(L, path);
  lua_insert(L, -2);
  lua_call(L, 2, 2);
  bool is_good = lua_isfunction(L, -2);
  lua_remove(L, is_good ? -1 : -2);
  return is_good;
}

int reload_prepare_run(lua_State *L, const char *path) {
  if (!binding_host(L)->is_watching) return 0;
  push_function(L, "run");
  lua_insert(L, -2);
  lua_pushstring(L, path);
  lua_insert(L, -2);
  return 2;
}

// --- Taking changes ---

// Pushes the list of the changes that have come to rest, of which the first was taken already.
static void push_changes(lua_State *L, WatchChange *change) {
  int count = 0;
  lua_newtable(L);
  do {
    lua_createtable(L, 0, 2);
    lua_pushstring(L, change->path);
    lua_setfield(L, -2, "path");
    lua_pushboolean(L, change->is_gone);
    lua_setfield(L, -2, "isGone");
    lua_rawseti(L, -2, ++count);
  } while (watch_next(binding_host(L)->watch, change));
}

static void show_message(Host *host, const char *text) {
  if (text && strcmp(text, host->reload_message) != 0) log_error("%s", text);
  snprintf(host->reload_message, sizeof host->reload_message, "%.*s", (int)sizeof host->reload_message - 1,
           text ? text : "");
}

// take(change): returns the list of paths that were taken.
static int take_changes(lua_State *L) {
  push_function(L, "take");
  push_changes(L, lua_touserdata(L, 1));
  lua_call(L, 1, 2);
  show_message(binding_host(L), lua_tostring(L, -1));
  lua_pop(L, 1);
  return 1;
}

/// callback palfrey.reloaded(changedFiles: string[])
/// Files of the game have changed and were loaded again, between two steps: the place to bring up to date what depends on
/// them.
static bool reload_changes(Host *host, void *user, Error *error) {
  lua_State *L = host->lua;
  lua_pushcfunction(L, take_changes);
  lua_pushlightuserdata(L, user);
  // All there is is copied for a moment, so that it can be put back.
  size_t limit = host->lua_limit;
  host->lua_limit += 2 * host->lua_bytes + (32u << 20);
  host->is_reloading = true;
  bool is_good = binding_call(host, 1, 1, error);
  host->is_reloading = false;
  host->lua_limit = limit;
  if (!is_good) {
    show_message(host, host->failure);
    host->failure[0] = 0;
    return true;
  }
  if (lua_rawlen(L, -1) == 0 || !binding_push_callback(host, "reloaded")) {
    lua_pop(L, 1);
    return true;
  }
  lua_insert(L, -2);
  return binding_call(host, 1, 0, error);
}

bool host_reload(Host *host, bool *has_changed, Error *error) {
  WatchChange change;
  *has_changed = host->watch && watch_next(host->watch, &change);
  return !*has_changed || binding_protect(host, reload_changes, &change, error);
}
