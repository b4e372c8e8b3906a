// The environment of the game's code: the names it may use and nothing else. Files are loaded through the game's own file
// system, as text only. Mathematics comes from vmath, so that a game takes the same course on every processor.
#include <stdio.h>
#include <string.h>

#include <lualib.h>

#include "bindings/binding.h"
#include "bindings/reload.h"

static const char SANDBOX_KEY = 0;  // its address is the registry key

void binding_push_sandbox(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &SANDBOX_KEY);
}

// Copies named fields from the table at `from` to the one at the top.
static void copy_fields(lua_State *L, int from, const char *const *names) {
  for (int i = 0; names[i]; i++) {
    lua_getfield(L, from, names[i]);
    lua_setfield(L, -2, names[i]);
  }
}

// --- Loading ---

// Leaves out a byte order mark and a first line for the shell.
static void skip_start(const char **text, size_t *size) {
  if (*size >= 3 && memcmp(*text, "\xef\xbb\xbf", 3) == 0) {
    *text += 3;
    *size -= 3;
  }
  // A first line for the shell becomes empty, so that line numbers stay right.
  if (*size > 0 && **text == '#') {
    while (*size > 0 && **text != '\n') {
      ++*text;
      --*size;
    }
  }
}

typedef struct SourceText {
  const char *path, *text;
  size_t size;
} SourceText;

static int compile(lua_State *L) {
  const SourceText *source = lua_touserdata(L, 1);
  bool is_good;
  if (binding_host(L)->is_watching) {
    lua_pushlstring(L, source->text, source->size);
    is_good = reload_compile(L, source->path);
  } else {
    is_good = luaL_loadbufferx(L, source->text, source->size, lua_pushfstring(L, "@%s", source->path), "t") == LUA_OK;
    if (is_good) binding_push_sandbox(L);
    if (is_good) lua_setupvalue(L, -2, 1);
  }
  return is_good ? 1 : lua_error(L);
}

bool binding_load_file(lua_State *L, const char *path, Error *error) {
  Host *host = binding_host(L);
  Bytes bytes;
  if (!files_read(host->files, path, &bytes, error)) return false;
  SourceText source = {path, (const char *)bytes.data, bytes.size};
  skip_start(&source.text, &source.size);
  // In a protected call, so that the bytes are freed even when Lua runs out of memory.
  lua_pushcfunction(L, compile);
  lua_pushlightuserdata(L, &source);
  int status = lua_pcall(L, 1, 1, 0);
  memory_free(host->memory, bytes.data);
  if (status == LUA_OK) return true;
  if (status == LUA_ERRMEM)
    error_set_out_of_memory(error);
  else
    error_set(error, "%s", lua_tostring(L, -1));
  lua_pop(L, 1);
  return false;
}

static int push_source(lua_State *L) {
  const SourceText *source = lua_touserdata(L, 1);
  lua_pushlstring(L, source->text, source->size);
  return 1;
}

// readSource(path)
int binding_read_source(lua_State *L) {
  Host *host = binding_host(L);
  SourceText source = {.path = binding_check_string(L, 1)};
  Bytes bytes;
  Error error = {0};
  if (!files_read(host->files, source.path, &bytes, &error)) return binding_fail(L, &error);
  source.text = (const char *)bytes.data;
  source.size = bytes.size;
  skip_start(&source.text, &source.size);
  lua_pushcfunction(L, push_source);
  lua_pushlightuserdata(L, &source);
  int status = lua_pcall(L, 1, 1, 0);
  memory_free(host->memory, bytes.data);
  return status == LUA_OK ? 1 : lua_error(L);
}

/// load(chunk: string|function, name?: string, mode?: "t", env?: table): function?, string?
/// As in Lua, for text alone: bytecode is refused. Without `env` the chunk sees the game's globals.
static int load_text(lua_State *L) {
  int has_environment = lua_gettop(L) >= 4;
  lua_settop(L, 4);
  const char *mode = luaL_optstring(L, 3, "t");
  if (!strchr(mode, 't')) {
    lua_pushnil(L);
    lua_pushliteral(L, "only text can be loaded, no bytecode");
    return 2;
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_pushliteral(L, "t");
  if (has_environment)
    lua_pushvalue(L, 4);
  else
    binding_push_sandbox(L);
  lua_call(L, 4, LUA_MULTRET);
  // As everywhere, exhausted memory is raised: a script that is asked for a chunk expects one.
  bool has_message = lua_isnil(L, 5) && lua_type(L, 6) == LUA_TSTRING;
  if (has_message && strcmp(lua_tostring(L, 6), "not enough memory") == 0) return lua_error(L);
  return lua_gettop(L) - 4;
}

/// loadfile(path: string, mode?: "t", env?: table): function?, string?
/// As in Lua, for files of the game.
static int load_file(lua_State *L) {
  const char *path = binding_check_string(L, 1);
  Error error = {0};
  if (!binding_load_file(L, path, &error)) return binding_fail(L, &error);
  if (lua_gettop(L) >= 4 && !lua_isnone(L, 3)) {
    lua_pushvalue(L, 3);
    lua_setupvalue(L, -2, 1);
  }
  return 1;
}

/// dofile(path: string): any
/// Runs a file of the game anew and returns what it returns; raises when it is missing or broken.
static int do_file(lua_State *L) {
  const char *path = binding_check_string(L, 1);
  lua_settop(L, 1);
  Error error = {0};
  if (!binding_load_file(L, path, &error)) return luaL_error(L, "%s", error.text);
  int added = reload_prepare_run(L, path);
  lua_call(L, added, LUA_MULTRET);
  return lua_gettop(L) - 1;
}

// Finds the file of a module: a.b is a/b.lua or a/b/init.lua.
static bool find_module(lua_State *L, const char *name, char path[FILES_MAX_PATH]) {
  const char *slashed = luaL_gsub(L, name, ".", "/");
  FileInfo info;
  bool is_found = false;
  for (int i = 0; i < 2 && !is_found; i++) {
    int length = i == 0 ? snprintf(path, FILES_MAX_PATH, "%s.lua", slashed)
                        : snprintf(path, FILES_MAX_PATH, "%s/init.lua", slashed);
    is_found = length < FILES_MAX_PATH && files_get_info(binding_host(L)->files, path, &info) && !info.is_folder;
  }
  lua_pop(L, 1);
  return is_found;
}

// The module is being loaded: whoever asks for it now has made a circle.
static const char LOADING = 0;

/// require(name: string): any
/// Runs a file of the game once: "a.b" is a/b.lua or a/b/init.lua. There is no package.path and no C module.
static int require_module(lua_State *L) {
  const char *name = binding_check_string(L, 1);
  lua_settop(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  if (lua_getfield(L, 2, name) != LUA_TNIL) {
    if (lua_islightuserdata(L, -1) && lua_touserdata(L, -1) == &LOADING)
      return luaL_error(L, "module '%s' requires itself, directly or through others", name);
    return 1;
  }
  char path[FILES_MAX_PATH];
  if (!find_module(L, name, path)) {
    const char *slashed = luaL_gsub(L, name, ".", "/");
    return luaL_error(L, "module '%s' not found: there is neither %s.lua nor %s/init.lua", name, slashed, slashed);
  }
  Error error = {0};
  if (!binding_load_file(L, path, &error)) return luaL_error(L, "%s", error.text);
  lua_pushlightuserdata(L, (void *)&LOADING);
  lua_setfield(L, 2, name);
  int added = reload_prepare_run(L, path);
  lua_pushvalue(L, 1);
  lua_pushstring(L, path);
  if (lua_pcall(L, added + 2, 1, 0) != LUA_OK) {
    lua_pushnil(L);
    lua_setfield(L, 2, name);
    return lua_error(L);
  }
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushboolean(L, true);
  }
  lua_pushvalue(L, -1);
  lua_setfield(L, 2, name);
  return 1;
}

// --- Replaced functions ---

/// collectgarbage(action?: "collect"|"count"|"step"): number|boolean
/// As in Lua, with these actions alone.
static int limited_collect(lua_State *L) {
  static const char *const ACTIONS[] = {"collect", "count", "step"};
  lua_settop(L, 1);
  if (lua_isnil(L, 1)) {
    lua_pushliteral(L, "collect");
    lua_replace(L, 1);
  }
  int action = binding_check_choice(L, 1, ACTIONS, 3);
  if (action == 1) {
    lua_pushnumber(L, lua_gc(L, LUA_GCCOUNT) + lua_gc(L, LUA_GCCOUNTB) / 1024.0);
  } else if (action == 0) {
    lua_pushinteger(L, lua_gc(L, LUA_GCCOLLECT));
  } else {
    lua_pushboolean(L, lua_gc(L, LUA_GCSTEP, 0));
  }
  return 1;
}

// Sets the metatable at 2 for the value at 1. Bound functions hold pointers while they allocate, so no code of a game or of
// a spec may run then.
static int set_without_finalizer(lua_State *L) {
  lua_settop(L, 2);
  if (lua_istable(L, 2)) {
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL) return luaL_argerror(L, 2, "there are no finalizers: __gc is never called");
    lua_settop(L, 2);
  }
  lua_setmetatable(L, 1);
  return 1;
}

// debug.setmetatable, which specs have.
static int set_any_metatable(lua_State *L) {
  luaL_argexpected(L, lua_istable(L, 2) || lua_isnil(L, 2), 2, "nil or table");
  return set_without_finalizer(L);
}

/// setmetatable(table: table, metatable?: table): table
/// As in Lua, but `__gc` raises: when it would be called is not the same in every run.
static int set_metatable(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, lua_istable(L, 2) || lua_isnil(L, 2), 2, "nil or table");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) return luaL_error(L, "cannot change a protected metatable");
  return set_without_finalizer(L);
}

/// print(...)
/// Writes to standard output; to standard error where that is kept for JSON.
static int print(lua_State *L) {
  FILE *out = binding_host(L)->prints_to_stderr ? stderr : stdout;
  int count = lua_gettop(L);
  for (int i = 1; i <= count; i++) {
    size_t length;
    const char *text = luaL_tolstring(L, i, &length);
    if (i > 1) fputc('\t', out);
    fwrite(text, 1, length, out);
    lua_pop(L, 1);
  }
  fputc('\n', out);
  fflush(out);
  return 0;
}

// A message handler that a script gives to xpcall. It is not called for lack of time: no instruction would raise in it.
static int guarded_handler(lua_State *L) {
  lua_settop(L, 1);
  if (binding_host(L)->is_late) return 1;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

static int finish_xpcall(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  return lua_gettop(L);
}

/// xpcall(f: function, handler: function, ...: any): boolean, any
/// As in Lua.
static int safe_xpcall(lua_State *L) {
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, guarded_handler, 1);
  lua_replace(L, 2);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_callk(L, lua_gettop(L) - 1, LUA_MULTRET, 0, finish_xpcall);
  return finish_xpcall(L, LUA_OK, 0);
}

// Without a seed Lua would take time and addresses.
/// math.randomseed(seed?: number)
/// Without an argument it takes the seed of the run (--seed), so that even then the numbers are the same again.
static int seed_random(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  if (lua_gettop(L) == 1) lua_pushinteger(L, (lua_Integer)binding_host(L)->seed);
  lua_call(L, lua_gettop(L) - 1, 0);
  return 0;
}

/// math.sin(x: number): number
static int math_sin(lua_State *L) {
  lua_pushnumber(L, vmath_sin(luaL_checknumber(L, 1)));
  return 1;
}

/// math.cos(x: number): number
static int math_cos(lua_State *L) {
  lua_pushnumber(L, vmath_cos(luaL_checknumber(L, 1)));
  return 1;
}

/// math.tan(x: number): number
static int math_tan(lua_State *L) {
  double x = luaL_checknumber(L, 1);
  lua_pushnumber(L, vmath_sin(x) / vmath_cos(x));
  return 1;
}

/// math.asin(x: number): number
static int math_asin(lua_State *L) {
  lua_pushnumber(L, vmath_asin(luaL_checknumber(L, 1)));
  return 1;
}

/// math.acos(x: number): number
static int math_acos(lua_State *L) {
  lua_pushnumber(L, vmath_acos(luaL_checknumber(L, 1)));
  return 1;
}

/// math.atan(y: number, x?: number): number
static int math_atan(lua_State *L) {
  lua_pushnumber(L, vmath_atan2(luaL_checknumber(L, 1), luaL_optnumber(L, 2, 1)));
  return 1;
}

/// math.exp(x: number): number
static int math_exp(lua_State *L) {
  lua_pushnumber(L, vmath_exp(luaL_checknumber(L, 1)));
  return 1;
}

/// math.log(x: number, base?: number): number
static int math_log(lua_State *L) {
  double value = vmath_log(luaL_checknumber(L, 1));
  lua_pushnumber(L, lua_isnoneornil(L, 2) ? value : value / vmath_log(luaL_checknumber(L, 2)));
  return 1;
}

static void add_math(lua_State *L) {
  static const char *const NAMES[] = {"abs",        "ceil",      "deg",        "floor", "fmod", "huge", "max",
                                      "maxinteger", "min",       "mininteger", "modf",  "pi",   "rad",  "random",
                                      "sqrt",       "tointeger", "type",       "ult",   NULL};
  static const luaL_Reg OWN[] = {{"sin", math_sin},   {"cos", math_cos},   {"tan", math_tan},
                                 {"asin", math_asin}, {"acos", math_acos}, {"atan", math_atan},
                                 {"exp", math_exp},   {"log", math_log},   {NULL, NULL}};
  lua_getglobal(L, "math");
  lua_newtable(L);
  copy_fields(L, lua_gettop(L) - 1, NAMES);
  luaL_setfuncs(L, OWN, 0);
  lua_getfield(L, -2, "randomseed");
  lua_pushcclosure(L, seed_random, 1);
  lua_setfield(L, -2, "randomseed");
  lua_remove(L, -2);
  lua_setfield(L, -2, "math");
}

// A copy of a whole library, so that a game's changes to it do not reach the runtime's own scripts.
static void add_copy(lua_State *L, const char *library, const char *left_out) {
  lua_newtable(L);
  lua_getglobal(L, library);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    bool is_left_out = left_out && strcmp(lua_tostring(L, -2), left_out) == 0;
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    if (is_left_out)
      lua_pop(L, 2);
    else
      lua_rawset(L, -5);
  }
  lua_pop(L, 1);
  lua_setfield(L, -2, library);
}

static void add_os(lua_State *L) {
  static const char *const NAMES[] = {"clock", "date", "difftime", "time", NULL};
  luaL_requiref(L, "os", luaopen_os, 0);
  lua_newtable(L);
  copy_fields(L, lua_gettop(L) - 1, NAMES);
  lua_remove(L, -2);
  lua_setfield(L, -2, "os");
}

static void add_debug(lua_State *L) {
  // Internal: games see the traceback alone, specs all of the library.
  static const luaL_Reg GUARDED[] = {{"setmetatable", set_any_metatable}, {NULL, NULL}};
  luaL_requiref(L, "debug", luaopen_debug, 0);
  luaL_setfuncs(L, GUARDED, 0);
  lua_newtable(L);
  lua_getfield(L, -2, "traceback");
  lua_setfield(L, -2, "traceback");
  lua_remove(L, -2);
  lua_setfield(L, -2, "debug");
}

// package.loaded and require share one table, which knows the module "palfrey".
static void add_package(lua_State *L) {
  lua_newtable(L);
  lua_newtable(L);
  lua_getglobal(L, "palfrey");
  lua_setfield(L, -2, "palfrey");
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, require_module, 1);
  lua_setfield(L, -4, "require");
  lua_setfield(L, -2, "loaded");
  lua_setfield(L, -2, "package");
}

// Methods of strings are those of the game's string library, and their metatable is out of reach.
static void guard_strings(lua_State *L) {
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_getfield(L, -3, "string");
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, false);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 2);
}

void binding_open_sandbox(lua_State *L) {
  static const char *const NAMES[] = {"assert",   "error",    "getmetatable", "ipairs",   "next",   "pairs",
                                      "pcall",    "rawequal", "rawget",       "rawlen",   "rawset", "select",
                                      "tonumber", "tostring", "type",         "_VERSION", NULL};
  static const luaL_Reg OWN[] = {
      {"loadfile", load_file},         {"dofile", do_file}, {"collectgarbage", limited_collect},
      {"setmetatable", set_metatable}, {"print", print},    {NULL, NULL}};
  // Not in the sandbox alone: specs have a wider environment.
  lua_pushcfunction(L, set_metatable);
  lua_setglobal(L, "setmetatable");
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &SANDBOX_KEY);
  lua_pushglobaltable(L);
  lua_insert(L, -2);
  copy_fields(L, lua_gettop(L) - 1, NAMES);
  luaL_setfuncs(L, OWN, 0);
  lua_getfield(L, -2, "load");
  lua_pushcclosure(L, load_text, 1);
  lua_setfield(L, -2, "load");
  lua_getfield(L, -2, "xpcall");
  lua_pushcclosure(L, safe_xpcall, 1);
  lua_setfield(L, -2, "xpcall");
  lua_remove(L, -2);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "_G");
  lua_getglobal(L, "palfrey");
  lua_setfield(L, -2, "palfrey");
  add_copy(L, "coroutine", NULL);
  lua_getfield(L, -1, "coroutine");
  luaL_setfuncs(L, BINDING_COROUTINE_FUNCTIONS, 0);
  lua_pop(L, 1);
  add_copy(L, "string", "dump");
  add_copy(L, "table", NULL);
  add_copy(L, "utf8", NULL);
  add_math(L);
  add_os(L);
  add_debug(L);
  add_package(L);
  guard_strings(L);
}
