// What an error of a script says: its message, which call had returned nil where that is behind it, and the functions of
// the game that were at work, in coroutines too. Frames of the runtime and of Lua's own library are left out.
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "bindings/binding.h"
#include "log.h"

// Its address is the registry key of {message, traceback} of the coroutine that failed last.
static const char COROUTINE_KEY = 0;

// --- Frames ---

enum { MOST_FRAMES = 40 };

// Adds the line with which Lua's own traceback begins at this level.
static void add_frame(lua_State *L, lua_State *thread, int level) {
  luaL_traceback(L, thread, NULL, level);
  const char *line = strchr(lua_tostring(L, -1), '\n');
  if (line)
    lua_pushlstring(L, line, 1 + strcspn(line + 1, "\n"));
  else
    lua_pushliteral(L, "");
  lua_remove(L, -2);
  lua_concat(L, 2);
}

// Pushes the functions of the game that are at work in a thread, from one level up to another, a line each.
static void push_frames(lua_State *L, lua_State *thread, int level, int end) {
  lua_Debug at;
  int count = 0;
  lua_pushliteral(L, "");
  for (; level < end && lua_getstack(thread, level, &at); level++) {
    lua_getinfo(thread, "S", &at);
    if (strcmp(at.what, "C") == 0 || strncmp(at.source, "@scripts/lib/", 13) == 0) continue;
    if (++count > MOST_FRAMES) {
      lua_pushliteral(L, "\n\t...");
      lua_concat(L, 2);
      return;
    }
    add_frame(L, thread, level);
  }
}

// --- Coroutines ---

// Keeps the traceback of a coroutine that has failed with the message at the top of L's stack: what is told of the error
// later comes from the one who resumed it.
static void keep_coroutine(lua_State *L, lua_State *co) {
  int message = lua_gettop(L);
  lua_createtable(L, 2, 0);
  lua_pushvalue(L, message);
  lua_rawseti(L, -2, 1);
  push_frames(L, co, 0, INT_MAX);
  // One coroutine may have failed for another's failure.
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &COROUTINE_KEY) == LUA_TTABLE) {
    bool is_same = lua_rawgeti(L, -1, 1) != LUA_TNIL && lua_rawequal(L, -1, message);
    lua_rawgeti(L, -2, 2);
    if (is_same) {
      lua_pushfstring(L, "%s%s", lua_tostring(L, -1), lua_tostring(L, message + 2));
      lua_replace(L, message + 2);
    }
  }
  lua_settop(L, message + 2);
  lua_rawseti(L, -2, 2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &COROUTINE_KEY);
}

// Resumes a coroutine with the `count` values at the top. Returns how many values it gave, on L's stack, or -1 with an
// error value there.
static int resume(lua_State *L, lua_State *co, int count) {
  Host *host = binding_host(L);
  if (!lua_checkstack(co, count)) {
    lua_pushliteral(L, "too many arguments to resume");
    return -1;
  }
  lua_xmove(L, co, count);
  RunningCoroutine running = {co, host->running};
  host->running = &running;
  int results = 0, status = lua_resume(co, L, count, &results);
  host->running = running.outer;
  if (status == LUA_OK || status == LUA_YIELD) {
    if (!lua_checkstack(L, results + 1)) {
      lua_pop(co, results);
      lua_pushliteral(L, "too many results to resume");
      return -1;
    }
    lua_xmove(co, L, results);
    return results;
  }
  lua_xmove(co, L, 1);
  keep_coroutine(L, co);
  return -1;
}

// coroutine.resume(co, ...): as in Lua; tracebacks of errors show what the coroutine was doing.
static int coroutine_resume(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argexpected(L, co, 1, "coroutine");
  int results = resume(L, co, lua_gettop(L) - 1);
  lua_pushboolean(L, results >= 0);
  lua_insert(L, results >= 0 ? -(results + 1) : -2);
  return results >= 0 ? results + 1 : 2;
}

// Closes the variables of a coroutine that are to be closed, which may run code of the game. Returns the status of that,
// with an error value on the coroutine's stack.
static int close_variables(lua_State *L, lua_State *co) {
  Host *host = binding_host(L);
  RunningCoroutine running = {co, host->running};
  host->running = &running;
  int status = lua_resetthread(co);
  host->running = running.outer;
  return status;
}

static int resume_wrapped(lua_State *L) {
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  int results = resume(L, co, lua_gettop(L));
  if (results >= 0) return results;
  // An error while closing takes the place of the first.
  if (lua_status(co) > LUA_YIELD && close_variables(L, co) != LUA_OK) lua_xmove(co, L, 1);
  return lua_error(L);
}

// coroutine.close(co): as in Lua.
static int coroutine_close(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argexpected(L, co, 1, "coroutine");
  lua_Debug activation;
  bool is_normal = lua_status(co) == LUA_OK && lua_getstack(co, 0, &activation);  // it has resumed another
  if (co == L || is_normal) return luaL_error(L, "cannot close a %s coroutine", co == L ? "running" : "normal");
  bool is_good = close_variables(L, co) == LUA_OK;
  lua_pushboolean(L, is_good);
  if (is_good) return 1;
  lua_xmove(co, L, 1);
  return 2;
}

// coroutine.wrap(f): as in Lua; tracebacks of errors show what the coroutine was doing.
static int coroutine_wrap(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  lua_pushcclosure(L, resume_wrapped, 1);
  return 1;
}

// Internal: they take the place of those of Lua's library.
const luaL_Reg BINDING_COROUTINE_FUNCTIONS[] = {
    {"close", coroutine_close}, {"resume", coroutine_resume}, {"wrap", coroutine_wrap}, {NULL, NULL}};

// --- Calls that returned nil ---

void binding_note_nil(lua_State *L, const char *message) {
  Host *host = binding_host(L);
  lua_Debug call, caller;
  if (!lua_getstack(L, 0, &call) || !lua_getinfo(L, "n", &call)) return;
  if (!lua_getstack(L, 1, &caller) || !lua_getinfo(L, "Sl", &caller) || caller.source[0] != '@') return;
  NilResult *result = &host->nil_results[host->nil_result_count++ % HOST_MAX_NIL_RESULTS];
  snprintf(result->path, sizeof result->path, "%s", caller.source + 1);
  snprintf(result->text, sizeof result->text, "%s:%d: %s returned nil: %s", caller.short_src, caller.currentline,
           call.name ? call.name : "the call", message);
  result->line = caller.currentline;
}

// Copies one line of a file of the game; false when there is none.
static bool read_line(Host *host, const char *path, int line, char *out, size_t size) {
  Bytes bytes;
  if (!files_read(host->files, path, &bytes, NULL)) return false;
  const char *at = (const char *)bytes.data;
  for (int i = 1; at && i < line; i++) {
    at = strchr(at, '\n');
    if (at) at++;
  }
  if (at) snprintf(out, size, "%.*s", (int)strcspn(at, "\r\n"), at);
  memory_free(host->memory, bytes.data);
  return at != NULL;
}

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

// Whether a word stands in a text as a whole.
static bool has_word(const char *text, const char *word, size_t length) {
  for (const char *at = text; (at = strstr(at, word)); at++) {
    if ((at == text || !is_word(at[-1])) && !is_word(at[length])) return true;
  }
  return false;
}

// Whether a name that `line` assigns to occurs in `other`.
static bool shares_target(const char *line, const char *other) {
  const char *end = strchr(line, '=');
  for (const char *at = line; end && at < end;) {
    size_t length = 0;
    while (at + length < end && is_word(at[length]))
      length++;
    char word[64];
    bool fits = length > 0 && length < sizeof word && !isdigit((unsigned char)at[0]);
    if (fits) {
      memcpy(word, at, length);
      word[length] = 0;
      if (strcmp(word, "local") != 0 && strcmp(word, "self") != 0 && has_word(other, word, length)) return true;
    }
    at += length > 0 ? length : 1;
  }
  return false;
}

// Finds the call whose nil was put into a variable that stands on the line where nil did harm.
static const NilResult *find_cause(lua_State *L, const char *message) {
  Host *host = binding_host(L);
  lua_Debug at;
  char failed[512], called[512];
  bool is_about_nil = strstr(message, "a nil value") || strstr(message, "got nil") || strstr(message, "got no value");
  int level = 1;
  while (is_about_nil && lua_getstack(L, level, &at) && lua_getinfo(L, "Sl", &at) && at.currentline < 0)
    level++;
  if (!is_about_nil || !lua_getstack(L, level, &at) || !lua_getinfo(L, "Sl", &at) || at.source[0] != '@') return NULL;
  if (!read_line(host, at.source + 1, at.currentline, failed, sizeof failed)) return NULL;
  int count = host->nil_result_count < HOST_MAX_NIL_RESULTS ? host->nil_result_count : HOST_MAX_NIL_RESULTS;
  for (int i = 1; i <= count; i++) {
    const NilResult *result = &host->nil_results[(host->nil_result_count - i) % HOST_MAX_NIL_RESULTS];
    bool is_read = read_line(host, result->path, result->line, called, sizeof called);
    if (is_read && shares_target(called, failed)) return result;
  }
  return NULL;
}

// --- The whole text ---

static int to_text(lua_State *L) {
  luaL_tolstring(L, 1, NULL);
  return 1;
}

// Pushes the message as text. A value's own __tostring may fail.
static const char *push_message(lua_State *L) {
  lua_pushcfunction(L, to_text);
  lua_pushvalue(L, 1);
  if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
    lua_pop(L, 1);
    lua_pushfstring(L, "an error that is a %s", luaL_typename(L, 1));
  }
  return lua_tostring(L, -1);
}

// Adds a part of the text, if there is anything to say.
static void add_part(luaL_Buffer *buffer, const char *heading, const char *text) {
  if (!text || !text[0]) return;
  luaL_addstring(buffer, heading);
  luaL_addstring(buffer, text);
}

// What the coroutine that failed with this error was doing, or NULL; it stays on the stack.
static const char *push_coroutine(lua_State *L, const char *message) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &COROUTINE_KEY) != LUA_TTABLE) return NULL;
  lua_rawgeti(L, -1, 1);
  lua_rawgeti(L, -2, 2);
  const char *failure = lua_tostring(L, -2);
  bool is_same = lua_rawequal(L, -2, 1) || (failure && failure[0] && strstr(message, failure));
  return is_same ? lua_tostring(L, -1) : NULL;
}

static int add_traceback(lua_State *L) {
  lua_settop(L, 1);
  const char *message = push_message(L);
  const NilResult *cause = find_cause(L, message);
  // What is below belongs to the spec that steps the game.
  push_frames(L, L, 1, binding_count_levels(L) - binding_host(L)->base_level);
  const char *frames = lua_tostring(L, -1), *coroutine = push_coroutine(L, message);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  luaL_addstring(&buffer, message);
  add_part(&buffer, "\n", cause ? cause->text : NULL);
  add_part(&buffer, "\nin a coroutine:", coroutine);
  add_part(&buffer, "\nstack traceback:", frames);
  luaL_pushresult(&buffer);
  return 1;
}

int binding_count_levels(lua_State *L) {
  lua_Debug at;
  int count = 0;
  while (lua_getstack(L, count, &at))
    count++;
  return count;
}

void binding_push_traceback_handler(lua_State *L) {
  lua_pushcfunction(L, add_traceback);
}
