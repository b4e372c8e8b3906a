#ifndef PALFREY_APP_PARTS_H
#define PALFREY_APP_PARTS_H
// What the files of the app share: app.c is one frame, app_loop.c frames one after another, app_open.c what has to be there
// before.
#include "app.h"
#include "app_report.h"
#include "bindings/host.h"
#include "error_screen.h"
#include "replay.h"

typedef struct App {
  Memory memory;
  const Options *options;
  Host host;  ///< files, input, platform, renderer, assets and the game's Lua state
  Gpu *gpu;
  GpuTarget *target;     ///< what is drawn into without a window, and where pixels are read
  bool is_target_drawn;  ///< with the last frame
  Recorder *recorder;
  Replay *replay;
  int scene_world;   ///< whose scene it is: the number of worlds made when it was drawn
  DrawScene scene;   ///< the last frame's, so that it can be drawn again
  WorldDraw draw;    ///< what it was filled with
  int scene_assets;  ///< and the revision of the assets that it shows
  RenderStats stats;
  uint8_t *pixels;
  int pixels_width, pixels_height;
  bool has_pixels;  ///< pixels are those of the last frame
  bool shows_debug;
  bool has_loaded;  ///< main.lua and palfrey.load have come to their end
  ErrorScreen error_screen;
  double frame_seconds, last_frame;  ///< for pacing and the debug view
  FrameTimes times;
  HitTally hits;
} App;

// One frame (app.c).
bool app_gather_input(App *app,
                      Error *error);  ///< puts what the user did, or a recording says, in line for the next step
bool app_step(App *app, Error *error);
bool app_draw_frame(App *app, float alpha, Error *error);  ///< `alpha` of the way from the step before to the last one
bool app_draw_error_screen(App *app, Error *error);
const uint8_t *app_read_pixels(void *app, int *width, int *height, Error *error);
bool app_take_screenshots(App *app, int64_t step, Error *error);  ///< those asked for at this step; 0 asks for the last
uint64_t app_state_hash(void *app);
void app_lose_context(void *app);

// Frames one after another (app_loop.c).
bool app_run_game(App *app, Error *error);
bool app_step_for_test(void *app, Error *error);  ///< a step and its picture, for palfrey.testing.step
const char *app_error_text(void *app);            ///< what the error screen says, or NULL

// Making and freeing the parts (app_open.c).
bool app_open_game(App *app, const char *program,
                   Error *error);  ///< up to conf.lua, which says what the window is like
bool app_open_screen(App *app, Error *error);
bool app_open_renderer(App *app, Error *error);
bool app_restart_scripts(App *app, Error *error);  ///< a new Lua state, before main.lua runs
void app_close(App *app);

#endif
