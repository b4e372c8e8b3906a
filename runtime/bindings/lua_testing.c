// palfrey.testing: what specs and headless runs drive a game with.
#include <stdio.h>
#include <string.h>

#include "bindings/binding.h"

/// palfrey.testing.step(count?: integer)
/// Runs steps (1) and draws each of them, now; from a spec, not from inside a callback. When a script of the game fails, the
/// game stands on the error screen from then on, and a step does no more than to look for files that were repaired.
static int step(lua_State *L) {
  Host *host = binding_host(L);
  lua_Integer count = luaL_optinteger(L, 1, 1);
  luaL_argcheck(L, count >= 0, 1, "a number from 0 on expected");
  if (host->is_in_callback) return luaL_error(L, "step: not from inside a callback");
  // A spec may run in a coroutine; callbacks are then called from there.
  lua_State *outer = host->lua;
  host->lua = L;
  Error error = {0};
  bool is_good = true;
  host->failure[0] = 0;
  for (lua_Integer i = 0; is_good && i < count; i++)
    is_good = host->actions.step(host->actions.app, &error);
  host->lua = outer;
  return is_good ? 0 : luaL_error(L, "%s", host->failure[0] ? host->failure : error.text);
}

static void push_key(lua_State *L, const char *name, bool is_down) {
  Host *host = binding_host(L);
  Error error = {0};
  Event event;
  if (!input_make_event(name, is_down, &event, &error)) luaL_argerror(L, 1, error.text);
  input_get_waiting_mouse(host->input, &event.x, &event.y);
  if (!host->is_replaying && !input_push(host->input, &event, &error)) luaL_error(L, "%s", error.text);
}

/// palfrey.testing.press(key: string)
/// Presses a key, mouse or pad button at the next step; it stays down until released.
static int press(lua_State *L) {
  push_key(L, binding_check_string(L, 1), true);
  return 0;
}

/// palfrey.testing.release(key: string)
/// Releases a key, mouse or pad button at the next step.
static int release(lua_State *L) {
  push_key(L, binding_check_string(L, 1), false);
  return 0;
}

/// palfrey.testing.moveMouse(dx: number, dy: number)
/// Moves the mouse by pixels at the next step.
static int move_mouse(lua_State *L) {
  Host *host = binding_host(L);
  float dx = binding_check_number(L, 1), dy = binding_check_number(L, 2), x, y;
  input_get_waiting_mouse(host->input, &x, &y);
  Event event = {.type = EVENT_MOUSE_MOVE, .x = x + dx, .y = y + dy, .dx = dx, .dy = dy};
  Error error = {0};
  if (!host->is_replaying && !input_push(host->input, &event, &error)) return luaL_error(L, "%s", error.text);
  return 0;
}

/// palfrey.testing.getStateHash(): string
/// The state of the simulation as 16 hexadecimal digits: equal for the same game, seed and input.
static int get_state_hash(lua_State *L) {
  Host *host = binding_host(L);
  char text[17];
  snprintf(text, sizeof text, "%016llx", (unsigned long long)host->actions.state_hash(host->actions.app));
  lua_pushstring(L, text);
  return 1;
}

// Waits until the watch has noticed a change; false when it does not within two seconds.
static bool await_change(Watch *watch, const char *path) {
  double end = platform_seconds() + 2;
  while (!watch_is_ready(watch, path)) {
    if (platform_seconds() > end) return false;
    platform_sleep(0.001);
  }
  return true;
}

/// palfrey.testing.writeSource(path: string, text: string)
/// Changes a file of the game, which is a folder, as an editor would, and waits until that was noticed; the next step takes
/// it. Headless runs only.
static int write_source(lua_State *L) {
  Host *host = binding_host(L);
  const char *path = binding_check_string(L, 1);
  size_t size;
  const char *text = luaL_checklstring(L, 2, &size);
  char clean[FILES_MAX_PATH];
  Error error = {0};
  if (!host->is_headless) return luaL_error(L, "writeSource: in headless runs only");
  if (!host->watch)
    return luaL_error(L, "writeSource: nothing is watched: the game is a package, or --no-watch was given");
  if (!files_clean_path(path, clean, &error) ||
      !files_write_source(host->files, clean, (Bytes){(uint8_t *)text, size}, &error))
    return luaL_error(L, "writeSource: %s", error.text);
  if (!await_change(host->watch, clean))
    return luaL_error(L, "writeSource: %s: the change was not noticed%s", path,
                      watch_lacks_memory(host->watch) ? ": not enough memory" : "");
  return 0;
}

/// palfrey.testing.getErrorScreen(): string?
/// What an error screen or the message of a failed reload shows; nil when all is well.
static int get_error_screen(lua_State *L) {
  Host *host = binding_host(L);
  const char *text = host->actions.error_screen(host->actions.app);
  if (!text && host->reload_message[0]) text = host->reload_message;
  lua_pushstring(L, text);
  return 1;
}

/// palfrey.testing.loseContext()
/// Throws away the graphics context with all that is on the GPU, as a device may do at any time. Before the next picture
/// everything is made again.
static int lose_context(lua_State *L) {
  Host *host = binding_host(L);
  host->actions.lose_context(host->actions.app);
  return 0;
}

/// palfrey.testing.getGpuCounts(): {buffers: integer, textures: integer, programs: integer, targets: integer,
///   bytes: integer, errors: integer}
/// What is on the GPU now.
/// - `buffers`: of vertices and indices
/// - `textures`: images, and the letters of the font
/// - `programs`: shaders that were needed so far
/// - `targets`: pictures to draw into
/// - `bytes`: of all but the programs
/// - `errors`: mistakes of the runtime so far; with the environment variable PALFREY_GL_ERRORS those the driver finds too
static int get_gpu_counts(lua_State *L) {
  const Gpu *gpu = renderer_gpu(binding_host(L)->renderer);
  GpuLive live = gpu_live(gpu);
  lua_createtable(L, 0, 6);
  lua_pushinteger(L, live.buffers);
  lua_setfield(L, -2, "buffers");
  lua_pushinteger(L, live.textures);
  lua_setfield(L, -2, "textures");
  lua_pushinteger(L, live.programs);
  lua_setfield(L, -2, "programs");
  lua_pushinteger(L, live.targets);
  lua_setfield(L, -2, "targets");
  lua_pushinteger(L, (lua_Integer)live.bytes);
  lua_setfield(L, -2, "bytes");
  lua_pushinteger(L, gpu_error_count(gpu));
  lua_setfield(L, -2, "errors");
  return 1;
}

/// palfrey.testing.dismissError()
/// Lets a game that stands on the error screen go on, though no file was repaired.
static int dismiss_error(lua_State *L) {
  Host *host = binding_host(L);
  host->actions.dismiss_error(host->actions.app);
  return 0;
}

/// class palfrey.testing
/// What specs (`palfrey test`) and headless runs drive a game with.
void binding_open_testing(lua_State *L) {
  static const luaL_Reg FUNCTIONS[] = {
      {"step", step},
      {"press", press},
      {"release", release},
      {"moveMouse", move_mouse},
      {"getStateHash", get_state_hash},
      {"writeSource", write_source},
      {"getErrorScreen", get_error_screen},
      {"dismissError", dismiss_error},
      {"loseContext", lose_context},
      {"getGpuCounts", get_gpu_counts},
      {NULL, NULL},
  };
  luaL_newlib(L, FUNCTIONS);
  lua_setfield(L, -2, "testing");
}
