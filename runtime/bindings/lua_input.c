// palfrey.input: actions and keys.
#include "bindings/binding.h"

enum { MAX_KEYS_PER_ACTION = 16 };

/// palfrey.input.bind(actions: table<string, string|string[]>)
/// Names the keys of actions: `{ fire = {"space", "mouse1", "pad:a"}, forward = {"w", "pad:lefty-"} }`. An action has
/// up to 16 keys and is down while any of them is; binding it again replaces them. A key that does not exist raises.
static int bind(lua_State *L) {
  Host *host = binding_host(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) return luaL_error(L, "bind: an action is named by a string");
    const char *action = lua_tostring(L, -2), *keys[MAX_KEYS_PER_ACTION];
    bool is_single = lua_type(L, -1) == LUA_TSTRING;
    int count = is_single ? 1 : lua_istable(L, -1) ? (int)lua_rawlen(L, -1) : 0;
    if (count < 1 || count > MAX_KEYS_PER_ACTION)
      return luaL_error(L, "bind: action '%s': a list of 1 to %d keys expected", action, MAX_KEYS_PER_ACTION);
    int list = lua_gettop(L);
    luaL_checkstack(L, count + 8, "too many keys");
    for (int i = 0; i < count; i++) {
      if (is_single)
        lua_pushvalue(L, list);
      else
        lua_rawgeti(L, list, i + 1);
      if (lua_type(L, -1) != LUA_TSTRING) return luaL_error(L, "bind: action '%s': a key is a string", action);
      keys[i] = lua_tostring(L, -1);
    }
    Error error = {0};
    if (!input_bind(host->input, action, keys, count, &error)) return luaL_error(L, "bind: %s", error.text);
    lua_settop(L, list - 1);
  }
  return 0;
}

static const char *check_name(lua_State *L, const Input *input) {
  const char *name = binding_check_string(L, 1);
  Error error = {0};
  if (!input_is_known(input, name, &error)) luaL_argerror(L, 1, error.text);
  return name;
}

/// palfrey.input.isDown(name: string): boolean
/// Whether an action or key is down.
static int is_down(lua_State *L) {
  const Input *input = binding_host(L)->input;
  lua_pushboolean(L, input_is_down(input, check_name(L, input)));
  return 1;
}

/// palfrey.input.wasPressed(name: string): boolean
/// True in exactly the step in which an action or key went down, however short the press.
static int was_pressed(lua_State *L) {
  const Input *input = binding_host(L)->input;
  lua_pushboolean(L, input_was_pressed(input, check_name(L, input)));
  return 1;
}

/// palfrey.input.wasReleased(name: string): boolean
/// True in exactly the step in which an action or key came up.
static int was_released(lua_State *L) {
  const Input *input = binding_host(L)->input;
  lua_pushboolean(L, input_was_released(input, check_name(L, input)));
  return 1;
}

/// palfrey.input.getAxis(name: string): number
/// The strongest of the action's keys: -1 to 1 for a whole axis, 0 to 1 for buttons and half axes. Below 0.15 it is 0.
static int get_axis(lua_State *L) {
  const Input *input = binding_host(L)->input;
  lua_pushnumber(L, input_axis(input, check_name(L, input)));
  return 1;
}

/// palfrey.input.getMouse(): number, number, number, number
/// x and y in pixels from the top left, then how far it moved in this step to the right and down.
static int get_mouse(lua_State *L) {
  float x, y, dx, dy;
  input_get_mouse(binding_host(L)->input, &x, &y, &dx, &dy);
  lua_pushnumber(L, x);
  lua_pushnumber(L, y);
  lua_pushnumber(L, dx);
  lua_pushnumber(L, dy);
  return 4;
}

/// palfrey.input.setMouseCaptured(captured: boolean)
/// Hides the pointer and keeps it in the window, for looking around.
static int set_mouse_captured(lua_State *L) {
  luaL_checktype(L, 1, LUA_TBOOLEAN);
  platform_set_mouse_captured(binding_platform(L), lua_toboolean(L, 1) != 0);
  return 0;
}

/// class palfrey.input
/// What is pressed in this step. A name is that of an action, else of a key; any other raises. Keys have SDL's names in
/// lower case ("a", "space", "left shift"), mouse buttons are "mouse1" (left), "mouse2" (right) and "mouse3", buttons
/// of a game pad "pad:a", its axes "pad:leftx", and half an axis "pad:lefty-".
void binding_open_input(lua_State *L) {
  static const luaL_Reg FUNCTIONS[] = {
      {"bind", bind},
      {"isDown", is_down},
      {"wasPressed", was_pressed},
      {"wasReleased", was_released},
      {"getAxis", get_axis},
      {"getMouse", get_mouse},
      {"setMouseCaptured", set_mouse_captured},
      {NULL, NULL},
  };
  luaL_newlib(L, FUNCTIONS);
  lua_setfield(L, -2, "input");
}
