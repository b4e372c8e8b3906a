#ifndef PALFREY_BINDINGS_HOST_H
#define PALFREY_BINDINGS_HOST_H
// What Lua is bound to: the parts of the runtime a game can reach, and the game's Lua state. One Host serves one game. The
// app owns the parts and drives the host: it calls the callbacks, hands out events and asks whether to go on.
#include <lua.h>
#include <signal.h>

#include "engine/assets.h"
#include "engine/input.h"
#include "engine/overlay.h"
#include "engine/world.h"
#include "files.h"
#include "platform.h"
#include "watch.h"
#include "watchdog.h"

typedef struct GameConfig {
  char title[128];
  char identity[64];
  int width, height;
  float step_seconds;
  bool is_fullscreen, has_vsync;
  WorldLimits limits;
  int lua_memory_mb;
  int callback_seconds;
} GameConfig;

/// What the app does for scripts.
typedef struct HostActions {
  void *app;
  /// One step of the simulation, with its drawing (palfrey.testing.step).
  bool (*step)(void *app, Error *error);
  /// The pixels of the last drawn frame: RGBA, top row first; NULL without pictures. Valid until the next frame.
  const uint8_t *(*pixels)(void *app, int *width, int *height, Error *error);
  uint64_t (*state_hash)(void *app);
  /// What the error screen says, or NULL.
  const char *(*error_screen)(void *app);
  void (*dismiss_error)(void *app);
  /// Throws the graphics context away, as a device may do (palfrey.testing.loseContext).
  void (*lose_context)(void *app);
} HostActions;

enum { HOST_MAX_MESSAGES = 8, HOST_MESSAGE_SIZE = 256 };

enum { HOST_MAX_LOADERS = 32, HOST_EXTENSION_SIZE = 32 };

typedef struct HudMessage {
  char text[HOST_MESSAGE_SIZE];
  double until;  ///< game seconds
} HudMessage;

/// A call that returned nil and a message, so that the harm the nil does later can be explained.
typedef struct NilResult {
  char path[FILES_MAX_PATH];  ///< where it was called
  int line;
  char text[512];
} NilResult;

enum { HOST_MAX_NIL_RESULTS = 8 };

/// Coroutines that have resumed each other.
typedef struct RunningCoroutine {
  lua_State *thread;
  struct RunningCoroutine *outer;
} RunningCoroutine;

typedef struct Host {
  Memory *memory;
  Files *files;
  Assets *assets;
  Input *input;
  Renderer *renderer;
  Overlay *overlay;
  Platform *platform;
  Watch *watch;  ///< of the game's folder, or NULL
  HostActions actions;
  GameConfig config;
  GameConfig defaults, asked;  ///< before conf.lua, and as it left it; the command line may say otherwise
  uint64_t seed;
  bool prints_to_stderr;  ///< what scripts print, because standard output is for JSON
  bool is_replaying;      ///< input comes from a recording, which holds that of palfrey.testing too
  bool is_headless;
  bool is_watching;     ///< files of the game that change are loaded again
  bool is_synchronous;  ///< headless, recording or replaying: preloading is done at its call

  lua_State *lua;
  RunningCoroutine *volatile running;  ///< the innermost coroutine at work, or NULL
  size_t lua_bytes, lua_limit;
  int64_t lua_allocation_count;  ///< blocks ever made or moved
  atomic_long lua_fail_after;    ///< as Memory's, for Lua's own memory
  long lua_fail_count;
  int worlds_made;                  ///< how many there were so far
  int screen_width, screen_height;  ///< as scripts see it: changes in the step that tells of it
  World *world;                     ///< the one made last, or NULL; owned by its Lua value
  int world_ref;                    ///< of that value, in the registry
  int64_t step;
  bool is_drawing;            ///< inside palfrey.draw
  char failure[8192];         ///< message and traceback of the last script error
  char reload_message[2048];  ///< what could not be loaded again, or ""
  NilResult nil_results[HOST_MAX_NIL_RESULTS];
  int nil_result_count;  ///< ever
  bool is_in_callback;
  bool is_reloading;  ///< what puts code into the place of other code must come to its end, however long it takes
  int base_level;     ///< functions at work below the running callback
  Watchdog *watchdog;
  double loading_seconds;         ///< of the assets, when the callback's time began to run
  volatile sig_atomic_t is_late;  ///< the running callback took too long
  bool wants_quit;
  int quit_status;
  char loader_extensions[HOST_MAX_LOADERS][HOST_EXTENSION_SIZE];  ///< of loaders in Lua
  int loader_count;
  HudMessage messages[HOST_MAX_MESSAGES];
  int message_count;
} Host;

/// Makes the Lua state. `has_full_libraries` is for specs alone: the game is sandboxed in any case.
bool host_open(Host *host, bool has_full_libraries, Error *error);

/// Closes the state, and with it all worlds. Must come before renderer and GPU go.
void host_close(Host *host);

/// Runs conf.lua, if there is one, and reads palfrey.conf into host->config, which holds the defaults before.
bool host_configure(Host *host, Error *error);

/// Runs the game's main file.
bool host_run_main(Host *host, Error *error);

/// palfrey.load(arguments)
bool host_load(Host *host, const char *const *arguments, int count, Error *error);

/// Takes files of the game that have changed, between two steps; palfrey.reloaded is told of those that were loaded again.
/// host->reload_message says what could not be. Fails when palfrey.reloaded raises.
bool host_reload(Host *host, bool *has_changed, Error *error);

/// The callbacks of the input events of this step, then world events, then palfrey.update.
bool host_update(Host *host, Error *error);

/// palfrey.draw, into the overlay.
bool host_draw(Host *host, Error *error);

/// palfrey.quit: whether the game agrees to end.
bool host_may_quit(Host *host, bool *agrees, Error *error);

/// Runs a spec runner from the runtime's own scripts with the full libraries; its status is host->quit_status.
bool host_run_specs(Host *host, const char *folder, const char *const *arguments, int count, Error *error);

/// What `palfrey view` is asked to show; texts may be NULL, the time NAN.
typedef struct ViewRequest {
  const char *model, *skin, *clip, *mode;
  double time;
} ViewRequest;

/// Sets up the runtime's own viewer as the game.
bool host_view(Host *host, const ViewRequest *request, Error *error);

double host_seconds(const Host *host);

/// Adds a message for the HUD; the oldest gives way.
void host_add_message(Host *host, const char *text, double seconds);

/// Memory the scripts hold, in KB, after a full collection when `collect`.
int host_lua_kb(Host *host, bool collect);

#endif
