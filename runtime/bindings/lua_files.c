// palfrey.files: the game's files, read-only, with the save folder on top of them.
#include <string.h>

#include "bindings/binding.h"

static const char *check_path(lua_State *L, int index) {
  size_t length;
  const char *path = luaL_checklstring(L, index, &length);
  luaL_argcheck(L, strlen(path) == length, index, "a path without zero bytes expected");
  return path;
}

/// palfrey.files.read(path: string): string?, string?
/// The whole file as bytes, or nil and a message.
static int read(lua_State *L) {
  Host *host = binding_host(L);
  const char *path = check_path(L, 1);
  Bytes bytes;
  Error error = {0};
  if (!files_read(host->files, path, &bytes, &error)) return binding_fail(L, &error);
  return binding_give_bytes(L, host->memory, &bytes);
}

/// palfrey.files.write(path: string, content: string): boolean?, string?
/// Writes into the save folder, making folders; the file is replaced at once or not at all. true, or nil and a message.
static int write(lua_State *L) {
  Host *host = binding_host(L);
  const char *path = check_path(L, 1);
  size_t length;
  const char *content = luaL_checklstring(L, 2, &length);
  Error error = {0};
  // files_write only reads the bytes.
  return binding_result(L, files_write(host->files, path, (Bytes){(uint8_t *)content, length}, &error), &error);
}

/// palfrey.files.exists(path: string): boolean
/// Whether there is a file or folder of that name.
static int exists(lua_State *L) {
  FileInfo info;
  lua_pushboolean(L, files_get_info(binding_host(L)->files, check_path(L, 1), &info));
  return 1;
}

/// palfrey.files.getInfo(path: string): {type: "file"|"folder", size: integer, modified: integer}?
/// What is known of a file or folder; nil when there is none.
/// - `type`: which of the two
/// - `size`: bytes
/// - `modified`: seconds since 1970, or -1 where it is not known; not for decisions of the game's course
static int get_info(lua_State *L) {
  FileInfo info;
  if (!files_get_info(binding_host(L)->files, check_path(L, 1), &info)) {
    lua_pushnil(L);
    return 1;
  }
  lua_createtable(L, 0, 3);
  lua_pushstring(L, info.is_folder ? "folder" : "file");
  lua_setfield(L, -2, "type");
  lua_pushinteger(L, info.size);
  lua_setfield(L, -2, "size");
  lua_pushinteger(L, info.modified);
  lua_setfield(L, -2, "modified");
  return 1;
}

typedef ARRAY(char *) NameList;

typedef struct ListContext {
  Memory *memory;
  NameList names;
  bool is_out_of_memory;
} ListContext;

static void add_name(void *user, const char *name, bool is_folder) {
  (void)is_folder;
  ListContext *context = user;
  char *copy = memory_copy_string(context->memory, name);
  if (copy && array_push(context->memory, &context->names, copy)) return;
  memory_free(context->memory, copy);
  context->is_out_of_memory = true;
}

static int push_names(lua_State *L) {
  const NameList *names = lua_touserdata(L, 1);
  lua_createtable(L, names->count, 0);
  for (int i = 0; i < names->count; i++) {
    lua_pushstring(L, names->items[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/// palfrey.files.list(folder: string): string[]?, string?
/// The names in a folder, of the game and of the save folder, sorted by bytes; "" is the root. nil and a message when
/// there is no such folder.
static int list(lua_State *L) {
  Host *host = binding_host(L);
  const char *folder = check_path(L, 1);
  ListContext context = {.memory = host->memory};
  Error error = {0};
  bool is_good = files_each(host->files, folder, add_name, &context, &error);
  if (is_good && context.is_out_of_memory) is_good = error_set_out_of_memory(&error);
  // In a protected call, so that the names are freed even when Lua runs out of memory.
  lua_pushcfunction(L, push_names);
  lua_pushlightuserdata(L, &context.names);
  int status = is_good ? lua_pcall(L, 1, 1, 0) : LUA_OK;
  for (int i = 0; i < context.names.count; i++)
    memory_free(host->memory, context.names.items[i]);
  array_free(host->memory, &context.names);
  if (!is_good) return binding_fail(L, &error);
  return status == LUA_OK ? 1 : lua_error(L);
}

/// palfrey.files.remove(path: string): boolean?, string?
/// Removes a file or an empty folder of the save folder. true, or nil and a message.
static int remove_file(lua_State *L) {
  Error error = {0};
  return binding_result(L, files_remove(binding_host(L)->files, check_path(L, 1), &error), &error);
}

/// class palfrey.files
/// The game's files (a folder or a zip), read-only, with the save folder on top of them: what is written is found
/// first. The save folder belongs to the `identity` of conf.lua. Paths are relative, with `/` between their parts; `..`
/// is refused.
void binding_open_files(lua_State *L) {
  static const luaL_Reg FUNCTIONS[] = {
      {"read", read}, {"write", write},        {"exists", exists}, {"getInfo", get_info},
      {"list", list}, {"remove", remove_file}, {NULL, NULL},
  };
  luaL_newlib(L, FUNCTIONS);
  lua_setfield(L, -2, "files");
}
