// Checks of arguments and options. All messages name the function, the option, what was expected and what came.
#include <math.h>
#include <string.h>

#include "bindings/binding.h"
#include "nearest.h"

#define LARGEST_NUMBER 1e9  // beyond this a place or size is a mistake, and floats could not hold it

enum { MAX_OPTION_NAMES = 64 };

// False for NaN and the infinities too.
static bool is_sane(double value) {
  return fabs(value) <= LARGEST_NUMBER;
}

// Raises what is wrong with the number. Kept apart so that the good way is short.
static void raise_number(lua_State *L, int index) {
  double value = luaL_checknumber(L, index);
  luaL_argerror(L, index, lua_pushfstring(L, "a finite number expected, got %f", value));
}

float binding_check_number(lua_State *L, int index) {
  int is_number;
  double value = lua_tonumberx(L, index, &is_number);
  if (!is_number || !is_sane(value)) raise_number(L, index);
  return (float)value;
}

const char *binding_check_string(lua_State *L, int index) {
  size_t length;
  const char *text = luaL_checklstring(L, index, &length);
  luaL_argcheck(L, strlen(text) == length, index, "a string without zero bytes expected");
  return text;
}

Vec3 binding_check_vec3(lua_State *L, int index) {
  return vec3(binding_check_number(L, index), binding_check_number(L, index + 1), binding_check_number(L, index + 2));
}

// Pushes `one of "a", "b", "c"`.
static void push_choices(lua_State *L, const char *const *names, int count) {
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  luaL_addstring(&buffer, "one of ");
  for (int i = 0; i < count; i++) {
    if (i > 0) luaL_addstring(&buffer, ", ");
    luaL_addchar(&buffer, '"');
    luaL_addstring(&buffer, names[i]);
    luaL_addchar(&buffer, '"');
  }
  luaL_pushresult(&buffer);
}

static int find_choice(const char *word, const char *const *names, int count) {
  for (int i = 0; i < count; i++) {
    if (strcmp(word, names[i]) == 0) return i;
  }
  return -1;
}

int binding_check_choice(lua_State *L, int index, const char *const *names, int count) {
  const char *word = binding_check_string(L, index);
  int choice = find_choice(word, names, count);
  if (choice >= 0) return choice;
  push_choices(L, names, count);
  return luaL_argerror(L, index, lua_pushfstring(L, "%s expected, got \"%s\"", lua_tostring(L, -1), word));
}

static int raise_unknown(lua_State *L, const char *function, const char *const *known, int count) {
  if (lua_type(L, -2) != LUA_TSTRING)
    return luaL_error(L, "%s: options are named, like position = {0, 0, 0}; got a %s as a name", function,
                      luaL_typename(L, -2));
  const char *key = lua_tostring(L, -2), *nearest = nearest_name(key, known, count);
  if (nearest) return luaL_error(L, "%s: unknown option '%s'; did you mean '%s'?", function, key, nearest);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  for (int i = 0; i < count; i++) {
    if (i > 0) luaL_addstring(&buffer, ", ");
    luaL_addstring(&buffer, known[i]);
  }
  luaL_pushresult(&buffer);
  return luaL_error(L, "%s: unknown option '%s'; there are: %s", function, key, lua_tostring(L, -1));
}

void binding_check_keys(lua_State *L, int index, const char *owner, const char *const *known) {
  int count = 0;
  while (known[count])
    count++;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    bool is_known = lua_type(L, -2) == LUA_TSTRING && find_choice(lua_tostring(L, -2), known, count) >= 0;
    if (!is_known) raise_unknown(L, owner, known, count);
    lua_pop(L, 1);
  }
}

OptionTable options_open(lua_State *L, int index, const char *function, const char *const *known) {
  if (!lua_istable(L, index))
    luaL_error(L, "%s: a table of options expected, got %s", function, luaL_typename(L, index));
  // What __index gives need not stay, and its code could change the world while the options are read.
  if (luaL_getmetafield(L, index, "__index") != LUA_TNIL)
    luaL_error(L, "%s: a plain table of options expected, got one with a metatable", function);
  binding_check_keys(L, index, function, known);
  return (OptionTable){L, index, function};
}

// Pushes the option's value; false (and nothing pushed) when it is not given.
static bool push_option(OptionTable options, const char *name) {
  if (lua_getfield(options.lua, options.table, name) != LUA_TNIL) return true;
  lua_pop(options.lua, 1);
  return false;
}

// Describes the value at the top: its type, and the value where it is short.
static const char *describe_top(lua_State *L) {
  switch (lua_type(L, -1)) {
    case LUA_TNUMBER:
    case LUA_TBOOLEAN:
      return lua_pushfstring(L, "%s", luaL_tolstring(L, -1, NULL));
    case LUA_TSTRING:
      return lua_pushfstring(L, "\"%s\"", lua_tostring(L, -1));
    default:
      return lua_pushfstring(L, "a %s", luaL_typename(L, -1));
  }
}

void options_raise(OptionTable options, const char *name, const char *expected) {
  lua_getfield(options.lua, options.table, name);
  const char *got = describe_top(options.lua);
  luaL_error(options.lua, "%s: option '%s': %s expected, got %s", options.function, name, expected, got);
  for (;;) {
  }
}

bool options_has(OptionTable options, const char *name) {
  bool has = push_option(options, name);
  if (has) lua_pop(options.lua, 1);
  return has;
}

float options_number(OptionTable options, const char *name, float fallback) {
  if (!push_option(options, name)) return fallback;
  if (lua_type(options.lua, -1) != LUA_TNUMBER) options_raise(options, name, "a number");
  double value = lua_tonumber(options.lua, -1);
  lua_pop(options.lua, 1);
  if (!is_sane(value)) options_raise(options, name, "a finite number");
  return (float)value;
}

float options_positive(OptionTable options, const char *name, float fallback) {
  float value = options_number(options, name, fallback);
  if (options_has(options, name) && !(value > 0)) options_raise(options, name, "a number above 0");
  return value;
}

float options_not_negative(OptionTable options, const char *name, float fallback) {
  float value = options_number(options, name, fallback);
  if (options_has(options, name) && !(value >= 0)) options_raise(options, name, "a number from 0 on");
  return value;
}

int options_integer(OptionTable options, const char *name, int fallback) {
  if (!push_option(options, name)) return fallback;
  int is_integer;
  lua_Integer value = lua_tointegerx(options.lua, -1, &is_integer);
  bool is_number = lua_type(options.lua, -1) == LUA_TNUMBER;
  lua_pop(options.lua, 1);
  if (!is_number || !is_integer || value < -1000000000 || value > 1000000000)
    options_raise(options, name, "a whole number");
  return (int)value;
}

bool options_boolean(OptionTable options, const char *name, bool fallback) {
  if (!push_option(options, name)) return fallback;
  if (!lua_isboolean(options.lua, -1)) options_raise(options, name, "true or false");
  bool value = lua_toboolean(options.lua, -1) != 0;
  lua_pop(options.lua, 1);
  return value;
}

const char *options_string(OptionTable options, const char *name, const char *fallback) {
  if (!push_option(options, name)) return fallback;
  if (lua_type(options.lua, -1) != LUA_TSTRING) options_raise(options, name, "a string");
  size_t length;
  const char *text = lua_tolstring(options.lua, -1, &length);
  lua_pop(options.lua, 1);
  if (strlen(text) != length) options_raise(options, name, "a string without zero bytes");
  return text;
}

bool binding_pop_numbers(lua_State *L, float *numbers, int least, int most, int *count) {
  bool is_good = lua_istable(L, -1);
  int length = is_good ? (int)lua_rawlen(L, -1) : 0;
  is_good = is_good && length >= least && length <= most;
  for (int i = 0; is_good && i < length; i++) {
    is_good = lua_rawgeti(L, -1, i + 1) == LUA_TNUMBER && is_sane(lua_tonumber(L, -1));
    if (is_good) numbers[i] = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  *count = length;
  return is_good;
}

Vec3 options_vec3(OptionTable options, const char *name, Vec3 fallback) {
  if (!push_option(options, name)) return fallback;
  float numbers[3];
  int count;
  if (!binding_pop_numbers(options.lua, numbers, 3, 3, &count))
    options_raise(options, name, "{x, y, z} of finite numbers");
  return vec3(numbers[0], numbers[1], numbers[2]);
}

Color options_color(OptionTable options, const char *name, Color fallback) {
  if (!push_option(options, name)) return fallback;
  float numbers[4] = {0, 0, 0, 1};
  int count;
  if (!binding_pop_numbers(options.lua, numbers, 3, 4, &count))
    options_raise(options, name, "a colour {r, g, b} or {r, g, b, a} of numbers 0..1");
  return (Color){numbers[0], numbers[1], numbers[2], numbers[3]};
}

int options_choice(OptionTable options, const char *name, const char *const *names, int count, int fallback) {
  const char *word = options_string(options, name, NULL);
  if (!word) return fallback;
  int choice = find_choice(word, names, count);
  if (choice < 0) {
    push_choices(options.lua, names, count);
    options_raise(options, name, lua_tostring(options.lua, -1));
  }
  return choice;
}

Handle options_node(OptionTable options, const char *name, World *world) {
  if (!push_option(options, name)) return (Handle){0};
  NodeRef *ref = binding_to_node(options.lua, -1);
  if (!ref) options_raise(options, name, "a node");
  World *of;
  binding_check_node(options.lua, lua_gettop(options.lua), &of);
  lua_pop(options.lua, 1);
  if (of != world) luaL_error(options.lua, "%s: option '%s': the node is of another world", options.function, name);
  return ref->handle;
}

uint32_t options_mask(OptionTable options) {
  if (!push_option(options, "mask")) return 0;
  lua_State *L = options.lua;
  if (!lua_istable(L, -1)) options_raise(options, "mask", "a list of layer names");
  uint32_t mask = 0;
  int count = (int)lua_rawlen(L, -1);
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, -1, i);
    int kind = lua_type(L, -1) == LUA_TSTRING ? find_choice(lua_tostring(L, -1), KIND_NAMES, NODE_KIND_COUNT) : -1;
    if (kind < 0) {
      const char *got = describe_top(L);
      push_choices(L, KIND_NAMES, NODE_KIND_COUNT);
      luaL_error(L, "%s: option 'mask': %s expected, got %s", options.function, lua_tostring(L, -1), got);
    }
    mask |= scene_layer((NodeKind)kind);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  // An empty list names no layer at all, which is not the same as giving no list.
  return mask ? mask : 1u << 31;
}
