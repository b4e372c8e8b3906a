// conf.lua: what a game starts with.
#include <stdio.h>
#include <string.h>

#include "bindings/binding.h"

static void push_limits(lua_State *L, const GameConfig *config) {
  lua_newtable(L);
  lua_pushinteger(L, config->limits.nodes);
  lua_setfield(L, -2, "nodes");
  lua_pushinteger(L, config->limits.npcs);
  lua_setfield(L, -2, "npcs");
  lua_pushinteger(L, config->lua_memory_mb);
  lua_setfield(L, -2, "memory");
  lua_pushinteger(L, config->callback_seconds);
  lua_setfield(L, -2, "seconds");
}

/// type Limits: {nodes?: integer, npcs?: integer, memory?: integer, seconds?: integer}
/// What a game may use at most; going beyond is an error that names the limit.
/// - `nodes`: of a world, up to 1000000 (20000)
/// - `npcs`: of a world (2000)
/// - `memory`: MB that scripts may take, 4 to 16384 (256)
/// - `seconds`: that a callback may take, 1 to 3600 (5)
static void read_limits(lua_State *L, int index, GameConfig *config) {
  static const char *const KNOWN[] = {"nodes", "npcs", "memory", "seconds", NULL};
  OptionTable options = options_open(L, index, "conf.lua: limits", KNOWN);
  config->limits.nodes = options_integer(options, "nodes", config->limits.nodes);
  config->limits.npcs = options_integer(options, "npcs", config->limits.npcs);
  config->lua_memory_mb = options_integer(options, "memory", config->lua_memory_mb);
  config->callback_seconds = options_integer(options, "seconds", config->callback_seconds);
  if (config->limits.nodes < 1 || config->limits.nodes > 1000000) options_raise(options, "nodes", "1 to 1000000");
  if (config->limits.npcs < 0) options_raise(options, "npcs", "a number from 0 on");
  if (config->lua_memory_mb < 4 || config->lua_memory_mb > 16384) options_raise(options, "memory", "4 to 16384 (MB)");
  if (config->callback_seconds < 1 || config->callback_seconds > 3600) options_raise(options, "seconds", "1 to 3600");
}

static void copy_text(char *out, size_t size, OptionTable options, const char *name) {
  const char *text = options_string(options, name, out);
  if (strlen(text) >= size) options_raise(options, name, "a shorter text");
  if (text != out) memcpy(out, text, strlen(text) + 1);
}

// Calls palfrey.conf(t), where there is one, and reads t back.
/// callback palfrey.conf(t: {title?: string, identity?: string, width?: integer, height?: integer, step?: number,
///   fullscreen?: boolean, vsync?: boolean, limits?: Limits})
/// In conf.lua, before there is a window: changes what the game starts with.
/// - `title`: of the window (the name of the folder or zip)
/// - `identity`: name of the save folder (the name of the folder or zip without its ending)
/// - `width`: pixels, 1 to 16384 (960)
/// - `height`: pixels, 1 to 16384 (540)
/// - `step`: seconds of a step, 0.001 to 1 (1/60)
/// - `fullscreen`: fill the screen (false)
/// - `vsync`: wait for the screen before showing a picture (true)
/// - `limits`: t.limits is a table already
static int call_conf(lua_State *L) {
  static const char *const KNOWN[] = {"title",      "identity", "width",  "height", "step",
                                      "fullscreen", "vsync",    "limits", NULL};
  GameConfig *config = lua_touserdata(L, 1);
  lua_getglobal(L, "palfrey");
  if (lua_getfield(L, -1, "conf") != LUA_TFUNCTION) return 0;
  lua_newtable(L);
  int table = lua_gettop(L);
  push_limits(L, config);
  lua_setfield(L, table, "limits");
  lua_pushvalue(L, table - 1);
  lua_pushvalue(L, table);
  lua_call(L, 1, 0);
  OptionTable options = options_open(L, table, "conf.lua", KNOWN);
  copy_text(config->title, sizeof config->title, options, "title");
  copy_text(config->identity, sizeof config->identity, options, "identity");
  config->width = options_integer(options, "width", config->width);
  config->height = options_integer(options, "height", config->height);
  config->step_seconds = options_positive(options, "step", config->step_seconds);
  config->is_fullscreen = options_boolean(options, "fullscreen", config->is_fullscreen);
  config->has_vsync = options_boolean(options, "vsync", config->has_vsync);
  if (config->width < 1 || config->width > 16384) options_raise(options, "width", "1 to 16384 pixels");
  if (config->height < 1 || config->height > 16384) options_raise(options, "height", "1 to 16384 pixels");
  if (config->step_seconds < 0.001f || config->step_seconds > 1) options_raise(options, "step", "0.001 to 1 seconds");
  lua_getfield(L, table, "limits");
  read_limits(L, lua_gettop(L), config);
  return 0;
}

// Runs conf.lua and reads what it asks for into the configuration, which holds the defaults before.
static bool run_conf(Host *host, GameConfig *config, Error *error) {
  lua_State *L = host->lua;
  if (!binding_load_file(L, "conf.lua", error) || !binding_call(host, 0, 0, error)) return false;
  lua_pushcfunction(L, call_conf);
  lua_pushlightuserdata(L, config);
  return binding_call(host, 1, 0, error);
}

bool host_configure(Host *host, Error *error) {
  FileInfo info;
  host->defaults = host->config;
  if (files_get_info(host->files, "conf.lua", &info) && !run_conf(host, &host->config, error)) return false;
  host->asked = host->config;
  host->lua_limit = (size_t)host->config.lua_memory_mb * 1024 * 1024;
  return true;
}

// Adds the name of a setting that differs to a list in words.
static void add_setting(lua_State *L, bool differs, const char *name) {
  if (!differs) return;
  lua_pushfstring(L, "%s%s%s", lua_tostring(L, -1), lua_tostring(L, -1)[0] ? ", " : "", name);
  lua_remove(L, -2);
}

int binding_compare_conf(lua_State *L) {
  Host *host = binding_host(L);
  Error error = {0};
  GameConfig config = host->defaults;
  const GameConfig *asked = &host->asked;
  if (!run_conf(host, &config, &error)) {
    lua_pushfstring(L, "%s\nThe game goes on with what it was started with.", error.text);
    return 1;
  }
  lua_pushliteral(L, "");
  add_setting(L, strcmp(config.title, asked->title) != 0, "title");
  add_setting(L, strcmp(config.identity, asked->identity) != 0, "identity");
  add_setting(L, config.width != asked->width, "width");
  add_setting(L, config.height != asked->height, "height");
  add_setting(L, config.step_seconds != asked->step_seconds, "step");
  add_setting(L, config.is_fullscreen != asked->is_fullscreen, "fullscreen");
  add_setting(L, config.has_vsync != asked->has_vsync, "vsync");
  add_setting(L, config.limits.nodes != asked->limits.nodes, "limits.nodes");
  add_setting(L, config.limits.npcs != asked->limits.npcs, "limits.npcs");
  add_setting(L, config.lua_memory_mb != asked->lua_memory_mb, "limits.memory");
  add_setting(L, config.callback_seconds != asked->callback_seconds, "limits.seconds");
  if (lua_tostring(L, -1)[0])
    lua_pushfstring(L, "conf.lua: what is new in it (%s) needs a restart of the game", lua_tostring(L, -1));
  else
    lua_pushnil(L);
  return 1;
}
