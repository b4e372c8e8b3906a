#include "bindings/host.h"

#include <lualib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/binding.h"
#include "bindings/reload.h"

Host *binding_host(lua_State *L) {
  return *(Host **)lua_getextraspace(L);
}

Platform *binding_platform(lua_State *L) {
  Host *host = binding_host(L);
  if (!host->platform) luaL_error(L, "not yet: conf.lua runs before there is a screen");
  return host->platform;
}

// Lua's memory is counted apart and capped, so that a script cannot eat the machine's.
static void *allocate(void *user, void *block, size_t old_size, size_t new_size) {
  Host *host = user;
  if (!block) old_size = 0;
  if (new_size == 0) {
    host->lua_bytes -= old_size;
    free(block);
    return NULL;
  }
  bool is_shrinking = new_size <= old_size;
  if (!is_shrinking && host->lua_bytes - old_size + new_size > host->lua_limit) return NULL;
  host->lua_allocation_count++;
  bool fails = memory_counts_to_failure(&host->lua_fail_after, host->lua_fail_count) && !is_shrinking;
  void *resized = fails ? NULL : realloc(block, new_size);
  // Lua counts on it that a block can always become smaller.
  if (!resized && is_shrinking) resized = block;
  if (resized) host->lua_bytes = host->lua_bytes - old_size + new_size;
  return resized;
}

// Takes what a failed call left on the stack for the failure of the game.
static bool keep_failure(Host *host, int status, Error *error) {
  const char *message = lua_tostring(host->lua, -1);
  if (status == LUA_ERRMEM)
    snprintf(host->failure, sizeof host->failure, "not enough memory: limits.memory in conf.lua is %d MB",
             host->config.lua_memory_mb);
  else
    snprintf(host->failure, sizeof host->failure, "%s", message ? message : "an error without a message");
  lua_pop(host->lua, 1);
  return error_set(error, "%s", host->failure);
}

// --- Callbacks that do not come back ---

// What was loaded since the callback began took time that is not its fault: it gets as much again, once for each load.
static void allow_for_loading(Host *host) {
  double loading = host->assets ? assets_loading_seconds(host->assets) : 0, more = loading - host->loading_seconds;
  host->loading_seconds = loading;
  if (!host->is_late || more < 0.1) return;
  host->is_late = 0;
  watchdog_start(host->watchdog, more);
}

// Once time is over every instruction raises, so that no pcall of the game can hold on to it.
static void raise_late(lua_State *L, lua_Debug *activation) {
  (void)activation;
  Host *host = binding_host(L);
  lua_sethook(L, NULL, 0, 0);
  allow_for_loading(host);
  if (!host->is_late) return;
  lua_sethook(L, raise_late, LUA_MASKCOUNT, 1);
  luaL_error(L, "this took longer than %d s, which is limits.seconds in conf.lua", host->config.callback_seconds);
}

// Inside a signal handler: Lua allows to set a hook there.
static void set_late(void *user) {
  Host *host = user;
  host->is_late = 1;
  lua_sethook(host->lua, raise_late, LUA_MASKCOUNT, 1);
  for (const RunningCoroutine *running = host->running; running; running = running->outer)
    lua_sethook(running->thread, raise_late, LUA_MASKCOUNT, 1);
}

void binding_start_time(Host *host) {
  host->loading_seconds = host->assets ? assets_loading_seconds(host->assets) : 0;
  if (host->watchdog) watchdog_start(host->watchdog, host->config.callback_seconds);
}

void binding_stop_time(Host *host) {
  if (host->watchdog) watchdog_stop(host->watchdog);
  if (!host->is_late) return;
  host->is_late = 0;
  lua_sethook(host->lua, NULL, 0, 0);
}

static void begin_callback(Host *host) {
  host->is_in_callback = true;
  host->base_level = binding_count_levels(host->lua);
  host->running = NULL;
  if (!host->is_reloading) binding_start_time(host);
}

static void end_callback(Host *host) {
  host->is_in_callback = false;
  host->base_level = 0;
  binding_stop_time(host);
}

bool binding_call(Host *host, int count, int results, Error *error) {
  lua_State *L = host->lua;
  int handler = lua_gettop(L) - count;
  binding_push_traceback_handler(L);
  lua_insert(L, handler);
  bool is_outermost = !host->is_in_callback;
  if (is_outermost) begin_callback(host);
  int status = lua_pcall(L, count, results, handler);
  if (is_outermost) end_callback(host);
  lua_remove(L, handler);
  return status == LUA_OK || keep_failure(host, status, error);
}

// --- Parts of the host that put names and values on Lua's stack ---

typedef struct PartCall {
  Host *host;
  HostPart *run;
  void *user;
  Error *error;
  bool is_good;
} PartCall;

static int run_part(lua_State *L) {
  PartCall *call = lua_touserdata(L, 1);
  call->is_good = call->run(call->host, call->user, call->error);
  return 0;
}

bool binding_protect(Host *host, HostPart *run, void *user, Error *error) {
  PartCall call = {host, run, user, error, false};
  lua_pushcfunction(host->lua, run_part);
  lua_pushlightuserdata(host->lua, &call);
  int status = lua_pcall(host->lua, 1, 0, 0);
  return status == LUA_OK ? call.is_good : keep_failure(host, status, error);
}

// --- Opening ---

static int open_libraries(lua_State *L) {
  bool is_full = lua_toboolean(L, 1) != 0;
  if (is_full) {
    luaL_openlibs(L);
  } else {
    // Internal: the parts of Lua's own library; what a game sees of them is up to sandbox.c.
    static const luaL_Reg LIBRARIES[] = {{"_G", luaopen_base},       {"coroutine", luaopen_coroutine},
                                         {"string", luaopen_string}, {"table", luaopen_table},
                                         {"math", luaopen_math},     {"utf8", luaopen_utf8}};
    for (size_t i = 0; i < sizeof LIBRARIES / sizeof *LIBRARIES; i++) {
      luaL_requiref(L, LIBRARIES[i].name, LIBRARIES[i].func, 1);
      lua_pop(L, 1);
    }
  }
  binding_open_values(L);
  binding_open_module(L);
  lua_pushvalue(L, -1);
  lua_setglobal(L, "palfrey");
  if (is_full) {
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, "palfrey");
  }
  binding_open_own_scripts(L);
  binding_open_sandbox(L);
  reload_open(L);
  lua_getglobal(L, "math");
  lua_getfield(L, -1, "randomseed");
  lua_pushinteger(L, (lua_Integer)binding_host(L)->seed);
  lua_call(L, 1, 0);
  return 0;
}

bool host_open(Host *host, bool has_full_libraries, Error *error) {
  host->loader_count = 0;
  host->lua_limit = (size_t)host->config.lua_memory_mb * 1024 * 1024;
  host->world_ref = LUA_NOREF;
  host->lua = lua_newstate(allocate, host);
  if (!host->lua) return error_set_out_of_memory(error);
  *(Host **)lua_getextraspace(host->lua) = host;
  lua_gc(host->lua, LUA_GCGEN, 0, 0);
  lua_pushcfunction(host->lua, open_libraries);
  lua_pushboolean(host->lua, has_full_libraries);
  bool is_open = binding_call(host, 1, 0, error) &&
                 (host->watchdog = watchdog_create(host->memory, set_late, host, error)) != NULL;
  if (!is_open) host_close(host);
  return is_open;
}

void host_close(Host *host) {
  if (!host->lua) return;
  watchdog_free(host->watchdog);
  host->watchdog = NULL;
  lua_close(host->lua);
  host->lua = NULL;
  host->world = NULL;
}

// --- Callbacks ---

bool binding_push_callback(Host *host, const char *name) {
  lua_State *L = host->lua;
  luaL_checkstack(L, 16, "a callback");
  lua_getglobal(L, "palfrey");
  // A table that can be called will do: specs put spies in the place of callbacks.
  bool has = lua_getfield(L, -1, name) == LUA_TFUNCTION;
  if (!has && luaL_getmetafield(L, -1, "__call") != LUA_TNIL) {
    lua_pop(L, 1);
    has = true;
  }
  lua_remove(L, -2);
  if (!has) lua_pop(L, 1);
  return has;
}

static bool run_main(Host *host, void *user, Error *error) {
  (void)user;
  const char *path = files_main(host->files);
  if (!binding_load_file(host->lua, path, error)) {
    snprintf(host->failure, sizeof host->failure, "%s", error ? error->text : "");
    return false;
  }
  int added = reload_prepare_run(host->lua, path);
  return binding_call(host, added, 0, error);
}

bool host_run_main(Host *host, Error *error) {
  return binding_protect(host, run_main, NULL, error);
}

typedef struct Arguments {
  const char *const *texts;
  int count;
} Arguments;

static void push_arguments(lua_State *L, const Arguments *arguments) {
  lua_createtable(L, arguments->count, 0);
  for (int i = 0; i < arguments->count; i++) {
    lua_pushstring(L, arguments->texts[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

/// callback palfrey.load(arguments: string[])
/// Once, before the first step: the place to make the world. The arguments are those behind the game on the command
/// line.
static bool call_load(Host *host, void *user, Error *error) {
  if (!binding_push_callback(host, "load")) return true;
  push_arguments(host->lua, user);
  return binding_call(host, 1, 0, error);
}

bool host_load(Host *host, const char *const *arguments, int count, Error *error) {
  return binding_protect(host, call_load, &(Arguments){arguments, count}, error);
}

/// callback palfrey.keypressed(key: string, isRepeat: boolean)
/// A key went down; keys that are held repeat.
///
/// callback palfrey.keyreleased(key: string)
/// A key came up.
///
/// callback palfrey.textinput(text: string)
/// Text was typed, as the keyboard's layout and input method make it, in UTF-8.
///
/// callback palfrey.mousemoved(x: number, y: number, dx: number, dy: number)
/// The mouse moved to a pixel from the top left, and by how far.
///
/// callback palfrey.mousepressed(x: number, y: number, button: integer)
/// A mouse button went down at a pixel: 1 left, 2 right, 3 middle.
///
/// callback palfrey.mousereleased(x: number, y: number, button: integer)
/// A mouse button came up.
///
/// callback palfrey.wheelmoved(dx: number, dy: number)
/// The wheel turned: to the right and up where positive.
///
/// callback palfrey.gamepadpressed(pad: integer, button: string)
/// A button of a game pad went down, such as "pad:a".
///
/// callback palfrey.gamepadreleased(pad: integer, button: string)
/// A button of a game pad came up.
///
/// callback palfrey.gamepadaxis(pad: integer, axis: string, value: number)
/// An axis of a game pad, such as "pad:leftx", moved to a value from -1 to 1.
///
/// callback palfrey.touchpressed(id: integer, x: number, y: number)
/// A finger touched a pixel from the top left; `id` is the same until it is lifted.
///
/// callback palfrey.touchmoved(id: integer, x: number, y: number)
/// A finger moved to a pixel.
///
/// callback palfrey.touchreleased(id: integer, x: number, y: number)
/// A finger was lifted.
///
/// callback palfrey.resize(width: number, height: number)
/// The window has a new size in pixels.
///
/// callback palfrey.focus(has: boolean)
/// The window gained or lost the keyboard.
static const char *event_callback(const Event *event) {
  switch (event->type) {
    case EVENT_KEY_DOWN:
      return "keypressed";
    case EVENT_KEY_UP:
      return "keyreleased";
    case EVENT_TEXT:
      return "textinput";
    case EVENT_MOUSE_MOVE:
      return "mousemoved";
    case EVENT_MOUSE_DOWN:
      return "mousepressed";
    case EVENT_MOUSE_UP:
      return "mousereleased";
    case EVENT_WHEEL:
      return "wheelmoved";
    case EVENT_PAD_DOWN:
      return "gamepadpressed";
    case EVENT_PAD_UP:
      return "gamepadreleased";
    case EVENT_PAD_AXIS:
      return "gamepadaxis";
    case EVENT_TOUCH_DOWN:
      return "touchpressed";
    case EVENT_TOUCH_MOVE:
      return "touchmoved";
    case EVENT_TOUCH_UP:
      return "touchreleased";
    case EVENT_RESIZE:
      return "resize";
    case EVENT_FOCUS:
      return "focus";
    case EVENT_QUIT:
    case EVENT_NONE:
      break;
  }
  return NULL;
}

// Pushes what the callback of an event gets; returns how many values.
static int push_event_arguments(lua_State *L, const Event *event) {
  switch (event->type) {
    case EVENT_KEY_DOWN:
      lua_pushstring(L, event->name);
      lua_pushboolean(L, event->is_repeat);
      return 2;
    case EVENT_KEY_UP:
    case EVENT_TEXT:
      lua_pushstring(L, event->name);
      return 1;
    case EVENT_WHEEL:
      lua_pushnumber(L, event->dx);
      lua_pushnumber(L, event->dy);
      return 2;
    case EVENT_PAD_DOWN:
    case EVENT_PAD_UP:
    case EVENT_PAD_AXIS:
      lua_pushinteger(L, event->id);
      lua_pushstring(L, event->name);
      if (event->type != EVENT_PAD_AXIS) return 2;
      lua_pushnumber(L, event->value);
      return 3;
    case EVENT_TOUCH_DOWN:
    case EVENT_TOUCH_MOVE:
    case EVENT_TOUCH_UP:
      lua_pushinteger(L, event->id);
      break;
    case EVENT_FOCUS:
      lua_pushboolean(L, event->value != 0);
      return 1;
    default:
      break;
  }
  bool is_touch = event->type >= EVENT_TOUCH_DOWN && event->type <= EVENT_TOUCH_UP;
  lua_pushnumber(L, event->x);
  lua_pushnumber(L, event->y);
  if (is_touch) return 3;
  if (event->type == EVENT_RESIZE) return 2;
  if (event->type == EVENT_MOUSE_MOVE) {
    lua_pushnumber(L, event->dx);
    lua_pushnumber(L, event->dy);
    return 4;
  }
  lua_pushinteger(L, event->button);
  return 3;
}

static bool tell_input(Host *host, Error *error) {
  for (int i = 0; i < input_event_count(host->input); i++) {
    const Event *event = input_event_at(host->input, i);
    const char *callback = event_callback(event);
    if (!callback || !binding_push_callback(host, callback)) continue;
    if (!binding_call(host, push_event_arguments(host->lua, event), 0, error)) return false;
  }
  return true;
}

/// callback palfrey.update(dt: number)
/// Once in each step, after the callbacks of input and the events; `dt` is the length of a step in seconds, always the
/// same. Steps go on at their times while the window is minimised.
static bool call_update(Host *host, void *user, Error *error) {
  (void)user;
  if (!tell_input(host, error) || !binding_deliver_events(host, error)) return false;
  if (!binding_push_callback(host, "update")) return true;
  lua_pushnumber(host->lua, host->config.step_seconds);
  return binding_call(host, 1, 0, error);
}

bool host_update(Host *host, Error *error) {
  return binding_protect(host, call_update, NULL, error);
}

static bool draw_messages(Host *host, Error *error) {
  const float SIZE = 18, LINE = 26, MARGIN = 16;
  int width, height, shown = 0;
  platform_get_size(host->platform, &width, &height);
  for (int i = host->message_count - 1; i >= 0; i--) {
    const HudMessage *message = &host->messages[i];
    double left = message->until - host_seconds(host);
    if (left <= 0) continue;
    float alpha = left < 0.5 ? (float)(left * 2) : 1, y = (float)height - MARGIN - LINE * (float)++shown;
    TextStyle shadow = {.size = SIZE, .color = {0, 0, 0, 0.7f * alpha}};
    TextStyle style = {.size = SIZE, .color = {1, 0.96f, 0.86f, alpha}};
    size_t length = strlen(message->text);
    if (!overlay_text(host->overlay, message->text, length, MARGIN + 1.5f, y + 1.5f, &shadow, error)) return false;
    if (!overlay_text(host->overlay, message->text, length, MARGIN, y, &style, error)) return false;
  }
  return true;
}

/// callback palfrey.draw()
/// Once for each picture, after the world is drawn: the place for palfrey.hud. It must not change the world. While the
/// window is minimised there are no pictures, but for those that --screenshot asks for.
static bool call_draw(Host *host, void *user, Error *error) {
  (void)user;
  return !binding_push_callback(host, "draw") || binding_call(host, 0, 0, error);
}

bool host_draw(Host *host, Error *error) {
  host->is_drawing = true;
  bool is_good = binding_protect(host, call_draw, NULL, error);
  host->is_drawing = false;
  return is_good && draw_messages(host, error);
}

bool host_may_quit(Host *host, bool *agrees, Error *error) {
  *agrees = true;
  binding_push_quit_callback(host->lua);
  if (!lua_isfunction(host->lua, -1)) {
    lua_pop(host->lua, 1);
    return true;
  }
  if (!binding_call(host, 0, 1, error)) return false;
  *agrees = !lua_toboolean(host->lua, -1);
  lua_pop(host->lua, 1);
  return true;
}

typedef struct SpecCall {
  const char *folder;
  Arguments arguments;
} SpecCall;

static bool run_specs(Host *host, void *user, Error *error) {
  const SpecCall *call = user;
  lua_State *L = host->lua;
  lua_settop(L, 0);
  if (!binding_load_own_script(L, "scripts/lib/spec_runner.lua", error)) return false;
  lua_pushstring(L, call->folder);
  push_arguments(L, &call->arguments);
  // Specs may step the game, so they do not count as a callback.
  binding_push_traceback_handler(L);
  lua_insert(L, 1);
  bool is_good = lua_pcall(L, 2, 1, 1) == LUA_OK;
  if (is_good) {
    host->quit_status = (int)lua_tointeger(L, -1);
  } else {
    snprintf(host->failure, sizeof host->failure, "%s", lua_tostring(L, -1));
    error_set(error, "%s", host->failure);
  }
  lua_settop(L, 0);
  return is_good;
}

bool host_run_specs(Host *host, const char *folder, const char *const *arguments, int count, Error *error) {
  return binding_protect(host, run_specs, &(SpecCall){folder, {arguments, count}}, error);
}

static bool set_up_view(Host *host, void *user, Error *error) {
  const ViewRequest *request = user;
  lua_State *L = host->lua;
  if (!binding_load_own_script(L, "scripts/lib/view.lua", error)) return false;
  ModelAsset *asset = assets_acquire_model(host->assets, request->model, (FrameSelection){0}, error);
  if (!asset) return false;
  bool is_good = !request->clip || model_find_clip(asset->model, request->clip) >= 0 ||
                 world_unknown_clip(asset->model, request->clip, error);
  lua_newtable(L);
  const char *const fields[][2] = {{"model", request->model},
                                   {"skin", request->skin},
                                   {"clip", request->clip},
                                   {"mode", request->mode},
                                   {"format", asset->model->source_format}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    lua_pushstring(L, fields[i][1]);
    lua_setfield(L, -2, fields[i][0]);
  }
  if (!isnan(request->time)) {
    lua_pushnumber(L, request->time);
    lua_setfield(L, -2, "time");
  }
  is_good = is_good && binding_call(host, 1, 0, error);
  assets_release_model(host->assets, asset);
  return is_good;
}

bool host_view(Host *host, const ViewRequest *request, Error *error) {
  ViewRequest copy = *request;
  return binding_protect(host, set_up_view, &copy, error);
}

double host_seconds(const Host *host) {
  return (double)host->step * (double)host->config.step_seconds;
}

// Messages whose time is over.
static void drop_old_messages(Host *host) {
  int kept = 0;
  for (int i = 0; i < host->message_count; i++) {
    if (host->messages[i].until > host_seconds(host)) host->messages[kept++] = host->messages[i];
  }
  host->message_count = kept;
}

void host_add_message(Host *host, const char *text, double seconds) {
  drop_old_messages(host);
  if (host->message_count == HOST_MAX_MESSAGES) {
    memmove(host->messages, host->messages + 1, sizeof *host->messages * (HOST_MAX_MESSAGES - 1));
    host->message_count--;
  }
  HudMessage *message = &host->messages[host->message_count++];
  size_t length = strlen(text);
  if (length >= sizeof message->text) {
    // Cut before a byte that begins a character.
    length = sizeof message->text - 1;
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
      length--;
  }
  memcpy(message->text, text, length);
  message->text[length] = 0;
  message->until = host_seconds(host) + seconds;
}

int host_lua_kb(Host *host, bool collect) {
  if (collect) lua_gc(host->lua, LUA_GCCOLLECT);
  return (int)(host->lua_bytes / 1024);
}
