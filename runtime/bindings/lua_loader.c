// Loaders in Lua: functions that make a model of a file's bytes.
#include <stdio.h>
#include <string.h>

#include "bindings/binding.h"
#include "bindings/loader_table.h"
#include "loaders/image.h"

static const char LOADERS = 0;  // its address is the registry key of a table: extension to function

// One file being read. The functions that scripts get have a box with its address, which is emptied at the end.
typedef struct Reading {
  const LoadRequest *request;
  Bytes file;
  Model *model;
} Reading;

static lua_State *running_state(Host *host) {
  return host->running ? host->running->thread : host->lua;
}

// In lower case and without a dot; false when it is too long to be one.
static bool lower_extension(const char *path, char extension[HOST_EXTENSION_SIZE]) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  size_t length = dot ? strlen(dot + 1) : 0;
  if (length == 0 || length >= HOST_EXTENSION_SIZE) return false;
  for (size_t i = 0; i <= length; i++)
    extension[i] = (char)(dot[i + 1] >= 'A' && dot[i + 1] <= 'Z' ? dot[i + 1] + 32 : dot[i + 1]);
  return true;
}

// read(path): the content of a file beside the model, or nil and a message.
static int read_beside(lua_State *L) {
  Reading **box = lua_touserdata(L, lua_upvalueindex(1));
  const char *path = binding_check_string(L, 1);
  if (!*box) return luaL_error(L, "the model has been read: its files are no longer at hand");
  const LoadRequest *request = (*box)->request;
  Bytes bytes = {0};
  Error error = {0};
  bool is_read = request->read ? request->read(request->read_user, path, &bytes, &error)
                               : error_set(&error, "%s: there is nothing to read it from", path);
  return is_read ? binding_give_bytes(L, request->memory, &bytes) : binding_fail(L, &error);
}

// (reading, box): calls the function and reads what it returns.
static int call_loader(lua_State *L) {
  const Reading *reading = lua_touserdata(L, 1);
  char extension[HOST_EXTENSION_SIZE];
  bool is_there = lower_extension(reading->request->path, extension) &&
                  lua_rawgetp(L, LUA_REGISTRYINDEX, &LOADERS) == LUA_TTABLE &&
                  lua_getfield(L, -1, extension) == LUA_TFUNCTION;
  if (!is_there) return luaL_error(L, "there is no loader any more");
  lua_pushlstring(L, (const char *)reading->file.data, reading->file.size);
  lua_pushstring(L, reading->request->path);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, read_beside, 1);
  lua_call(L, 3, 2);
  if (lua_isnil(L, -2))
    return luaL_error(L, "%s", lua_isstring(L, -1) ? lua_tostring(L, -1) : "the loader returned nil");
  lua_pop(L, 1);
  loader_table_read(L, reading->model);
  return 0;
}

// (reading): whatever comes of it, the box is empty afterwards.
static int read_model(lua_State *L) {
  Reading *reading = lua_touserdata(L, 1);
  Reading **box = lua_newuserdatauv(L, sizeof *box, 0);
  *box = reading;
  lua_pushcfunction(L, call_loader);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  int status = lua_pcall(L, 2, 0, 0);
  *box = NULL;
  return status == LUA_OK ? 0 : lua_error(L);
}

static bool handles(void *user, const char *path) {
  const Host *host = user;
  char extension[HOST_EXTENSION_SIZE];
  if (!lower_extension(path, extension)) return false;
  for (int i = 0; i < host->loader_count; i++) {
    if (strcmp(host->loader_extensions[i], extension) == 0) return true;
  }
  return false;
}

static bool fill(void *user, const LoadRequest *request, Bytes file, Model *model, Error *error) {
  lua_State *L = running_state(user);
  Reading reading = {request, file, model};
  int top = lua_gettop(L);
  // Nothing up to the call itself can raise.
  if (!lua_checkstack(L, 16)) return error_set_out_of_memory(error);
  lua_pushcfunction(L, read_model);
  lua_pushlightuserdata(L, &reading);
  int status = lua_pcall(L, 1, 0, 0);
  if (status == LUA_ERRMEM)
    error_set_out_of_memory(error);
  else if (status != LUA_OK)
    error_set(error, "%s: %s", request->path,
              lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "the loader failed");
  lua_settop(L, top);
  return status == LUA_OK;
}

/// palfrey.addLoader(extension: string, loader: function)
/// Lets models of another kind be named wherever models are: the function gets the content of the file, its path, and
/// `read`, which gives the content of a file beside it (or nil and a message). It returns a table, or nil and a message; see
/// [Loaders in Lua](#loaders-in-lua). A second call for the same extension takes the place of the first. What a loader
/// raises is the message that addModel returns with nil. The extension is without a dot and in any letter case; those of the
/// models and images that are read already raise.
static int add_loader(lua_State *L) {
  Host *host = binding_host(L);
  char path[HOST_EXTENSION_SIZE + 8], lower[HOST_EXTENSION_SIZE];
  const char *extension = binding_check_string(L, 1);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  snprintf(path, sizeof path, "x.%s", extension);
  luaL_argcheck(L, !strpbrk(extension, "./\\") && lower_extension(path, lower), 1,
                "an extension without a dot expected");
  snprintf(path, sizeof path, "x.%s", lower);
  Error unknown;
  if (loader_find((Bytes){0}, path, &unknown) || image_is_known((Bytes){0}, path))
    return luaL_error(L, "addLoader: .%s is read already", lower);
  bool is_known = handles(host, path);
  if (!is_known && host->loader_count == HOST_MAX_LOADERS)
    return luaL_error(L, "addLoader: %d loaders at most", HOST_MAX_LOADERS);
  if (!host->assets) return luaL_error(L, "addLoader: not yet: conf.lua runs before there is anything to load");
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &LOADERS) != LUA_TTABLE) {
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &LOADERS);
  }
  lua_pushvalue(L, 2);
  lua_setfield(L, -2, lower);
  if (!is_known) memcpy(host->loader_extensions[host->loader_count++], lower, sizeof lower);
  assets_set_maker(host->assets, (ModelMaker){handles, fill, host});
  return 0;
}

const luaL_Reg BINDING_LOADER_FUNCTIONS[] = {{"addLoader", add_loader}, {NULL, NULL}};
