// The runtime's own scripts: Lua that is part of the program. They see Lua's own globals, not the game's, and are called
// with (native, files, loadData, ownScript, debug): functions of the engine for them alone, palfrey.files, a loader for files
// of data, a loader for further scripts of the runtime, and Lua's debug library.
#include <lualib.h>
#include <stdio.h>
#include <string.h>

#include "bindings/binding.h"
#include "own_scripts.h"

static const char OWN_SCRIPTS_KEY = 0;  // its address is the registry key of the scripts already loaded

void binding_open_own_scripts(lua_State *L) {
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &OWN_SCRIPTS_KEY);
}

// Data files get no names at all to use.
static int load_data(lua_State *L) {
  size_t size;
  const char *text = luaL_checklstring(L, 1, &size);
  if (luaL_loadbufferx(L, text, size, luaL_checkstring(L, 2), "t") != LUA_OK) {
    lua_pushnil(L);
    lua_insert(L, -2);
    return 2;
  }
  lua_newtable(L);
  lua_setupvalue(L, -2, 1);
  return 1;
}

static const EmbeddedFile_own_scripts *find_own_script(const char *path) {
  for (int i = 0; i < own_scripts_count; i++) {
    if (strcmp(own_scripts[i].path, path) == 0) return &own_scripts[i];
  }
  return NULL;
}

static int load_own_script(lua_State *L) {
  Error error = {0};
  if (!binding_load_own_script(L, luaL_checkstring(L, 1), &error)) return luaL_error(L, "%s", error.text);
  return 1;
}

// Pushes what a script is called with; returns how many values.
static int push_services(lua_State *L) {
  lua_newtable(L);
  luaL_setfuncs(L, BINDING_LEVEL_FUNCTIONS, 0);
  luaL_setfuncs(L, BINDING_RELOAD_FUNCTIONS, 0);
  lua_getglobal(L, "palfrey");
  lua_getfield(L, -1, "files");
  lua_remove(L, -2);
  lua_pushcfunction(L, load_data);
  lua_pushcfunction(L, load_own_script);
  luaL_requiref(L, LUA_DBLIBNAME, luaopen_debug, 0);
  return 5;
}

bool binding_load_own_script(lua_State *L, const char *path, Error *error) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &OWN_SCRIPTS_KEY);
  if (lua_getfield(L, -1, path) != LUA_TNIL) {
    lua_remove(L, -2);
    return true;
  }
  lua_pop(L, 1);
  const EmbeddedFile_own_scripts *file = find_own_script(path);
  char name[128];
  snprintf(name, sizeof name, "@%s", path);
  bool is_good = file && luaL_loadbufferx(L, (const char *)file->data, file->size, name, "t") == LUA_OK;
  if (is_good) {
    int count = push_services(L);
    is_good = lua_pcall(L, count, 1, 0) == LUA_OK;
  }
  if (!is_good) {
    error_set(error, "%s: %s", path, file ? lua_tostring(L, -1) : "is not among the runtime's scripts");
    return false;
  }
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, path);
  lua_remove(L, -2);
  return true;
}
