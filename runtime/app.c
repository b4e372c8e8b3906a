#include "app.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_parts.h"
#include "debug_view.h"
#include "log.h"

#define FNV_OFFSET 14695981039346656037u

enum { HASH_EVERY_STEPS = 60 };

// ------------------------------------------------------------------------------------------------- one frame

uint64_t app_state_hash(void *user) {
  const App *app = user;
  return app->host.world ? world_hash(app->host.world, FNV_OFFSET) : FNV_OFFSET ^ (uint64_t)app->host.step;
}

// Puts what the user did, or what a recording says, in line for the next step.
bool app_gather_input(App *app, Error *error) {
  Event event;
  while (app->host.platform && platform_poll(app->host.platform, &event)) {
    // A recording is not disturbed by what happens while it is played, but the one who watches can end it.
    if (app->replay) {
      if (event.type == EVENT_QUIT) app->host.wants_quit = true;
    } else if (!input_push(app->host.input, &event, error)) {
      return false;
    }
  }
  while (app->replay && replay_next(app->replay, app->host.step, &event)) {
    if (!input_push(app->host.input, &event, error)) return false;
  }
  return true;
}

static bool record_step(App *app, Error *error) {
  int64_t step = app->host.step;
  for (int i = 0; app->recorder && i < input_event_count(app->host.input); i++) {
    if (!recorder_add(app->recorder, step, input_event_at(app->host.input, i), error)) return false;
  }
  return true;
}

// The hash after every 60th step goes into a recording, and is compared when it is replayed.
static bool check_course(App *app, Error *error) {
  int64_t step = app->host.step;
  uint64_t recorded;
  if (step % HASH_EVERY_STEPS != 0) return true;
  if (app->recorder) return recorder_add_hash(app->recorder, step, app_state_hash(app), error);
  // With both, the recording is made anew: what was done is kept, and its course is a new one.
  if (app->replay && replay_hash(app->replay, step, &recorded) && recorded != app_state_hash(app))
    return error_set(error, "the replay took another course than the recording at or before step %lld",
                     (long long)step);
  return true;
}

static void count_hits(App *app) {
  const World *world = app->host.world;
  for (int i = 0; world && i < world->delivered.count; i++) {
    const WorldEvent *event = &world->delivered.items[i];
    if (event->kind == EVENT_KIND_HIT) hit_tally_add(&app->hits, event->name[0] ? event->name : "(no name)");
  }
}

// What happened to the window becomes true for scripts in the step that tells them, in a replay as in the recording.
static void apply_window_events(Host *host) {
  for (int i = 0; i < input_event_count(host->input); i++) {
    const Event *event = input_event_at(host->input, i);
    if (event->type == EVENT_QUIT) host->wants_quit = true;
    if (event->type != EVENT_RESIZE) continue;
    host->screen_width = (int)event->x;
    host->screen_height = (int)event->y;
  }
}

// One step of the simulation: input, script, world.
bool app_step(App *app, Error *error) {
  Host *host = &app->host;
  if (!app_gather_input(app, error)) return false;
  input_begin_step(host->input);
  if (input_was_pressed(host->input, "f3")) app->shows_debug = !app->shows_debug;
  apply_window_events(host);
  if (!record_step(app, error)) return false;
  assets_finish_loads(host->assets);
  if (host->world) world_begin_step(host->world);
  if (app->options->has_stats) count_hits(app);
  bool has_changed;
  if (!host_reload(host, &has_changed, error)) return false;
  if (!host_update(host, error)) return false;
  if (host->world && !world_end_step(host->world, error)) return false;
  host->step++;
  return check_course(app, error);
}

void app_lose_context(void *user) {
  platform_lose_context(((App *)user)->host.platform);
}

static bool is_context_lost(const App *app) {
  return platform_is_context_lost(app->host.platform) || gpu_is_lost(app->gpu);
}

// A device may take away the context, with all that is on the GPU, at any time. Before the next picture everything is made
// again.
static bool survive_context_loss(App *app, Error *error) {
  Host *host = &app->host;
  int width, height;
  if (!is_context_lost(app)) return true;
  log_warning("the graphics context was lost; everything is put onto the GPU again");
  if (!platform_restore_context(host->platform, error) || !gpu_restore(app->gpu, error) ||
      !renderer_restore(host->renderer, error) || !assets_restore(host->assets, error) ||
      !overlay_restore(host->overlay, error) || !error_screen_restore(&app->error_screen, host, error))
    return false;
  if (!app->target) return true;
  platform_get_size(host->platform, &width, &height);
  gpu_target_free(app->gpu, app->target);
  app->target = gpu_target_create(app->gpu, width, height, error);
  app->is_target_drawn = false;
  return app->target != NULL;
}

// Nodes and models may have gone since the scene was filled.
static bool refresh_scene(App *app, Error *error) {
  const Host *host = &app->host;
  if (app->scene_world != host->worlds_made) {
    app->scene = (DrawScene){.background = app->scene.background};
  } else if (host->world && app->scene_assets != assets_revision(host->assets)) {
    app->scene_assets = assets_revision(host->assets);
    return world_fill_scene(host->world, &app->draw, &app->scene, error);
  }
  return true;
}

static bool draw_world(App *app, Error *error) {
  int width, height;
  if (!survive_context_loss(app, error)) return false;
  platform_get_size(app->host.platform, &width, &height);
  gpu_target_bind(app->gpu, app->target);
  app->stats = (RenderStats){0};
  app->is_target_drawn = renderer_draw(app->host.renderer, &app->scene, width, height, &app->stats, error) &&
                         overlay_draw(app->host.overlay, &app->stats, error);
  // One that is lost just now is made again for the next picture.
  return app->is_target_drawn || is_context_lost(app);
}

static bool show_picture(App *app, Error *error) {
  app->has_pixels = false;
  if (!draw_world(app, error)) return false;
  if (app->target)
    gpu_finish(app->gpu);
  else
    platform_present(app->host.platform);
  return true;
}

bool app_draw_frame(App *app, float alpha, Error *error) {
  Host *host = &app->host;
  int width, height;
  platform_get_size(host->platform, &width, &height);
  app->draw = (WorldDraw){.alpha = alpha, .shows_boxes = app->shows_debug};
  app->scene = (DrawScene){.background = {0, 0, 0, 1}};
  app->scene_world = host->worlds_made;
  app->scene_assets = assets_revision(host->assets);
  if (host->world && !world_fill_scene(host->world, &app->draw, &app->scene, error)) return false;
  overlay_begin(host->overlay, width, height);
  if (!host_draw(host, error)) return false;
  if (app->shows_debug && !debug_view_draw(host, &app->stats, app->frame_seconds, error)) return false;
  if (host->reload_message[0] && !error_banner_draw(host, host->reload_message, width, error)) return false;
  return show_picture(app, error);
}

bool app_draw_error_screen(App *app, Error *error) {
  int width, height;
  platform_get_size(app->host.platform, &width, &height);
  app->scene = (DrawScene){.background = {0, 0, 0, 1}};
  overlay_begin(app->host.overlay, width, height);
  return error_screen_draw(&app->error_screen, &app->host, width, height, error) && show_picture(app, error);
}

// ------------------------------------------------------------------------------------------------- pictures

// Of the target.
static bool copy_pixels(App *app, int width, int height, Error *error) {
  uint8_t *pixels = memory_resize(&app->memory, app->pixels, (size_t)width * (size_t)height * 4);
  if (!pixels) return error_set_out_of_memory(error);
  app->pixels = pixels;
  gpu_target_bind(app->gpu, app->target);
  gpu_read_pixels(app->gpu, height, 0, 0, width, height, pixels);
  app->pixels_width = width;
  app->pixels_height = height;
  app->has_pixels = true;
  return true;
}

const uint8_t *app_read_pixels(void *user, int *width, int *height, Error *error) {
  App *app = user;
  if (app->options->has_null_gpu) {
    error_set(error, "there are no pictures with --null-gpu");
    return NULL;
  }
  if (app->has_pixels) {
    // The window may have another size by now.
    *width = app->pixels_width;
    *height = app->pixels_height;
    return app->pixels;
  }
  if (!survive_context_loss(app, error)) return NULL;
  platform_get_size(app->host.platform, width, height);
  // A window's picture is gone once it was shown, so the same frame is drawn again into a target.
  bool is_window = !app->target;
  if (is_window && !(app->target = gpu_target_create(app->gpu, *width, *height, error))) return NULL;
  bool is_drawn = !is_window && app->is_target_drawn;
  bool is_good =
      (is_drawn || (refresh_scene(app, error) && draw_world(app, error))) && copy_pixels(app, *width, *height, error);
  if (is_window) {
    gpu_target_free(app->gpu, app->target);
    app->target = NULL;
  }
  return is_good ? app->pixels : NULL;
}

static bool write_screenshot(App *app, const char *path, Error *error) {
  int width, height;
  Bytes png = {0};
  const uint8_t *pixels = app_read_pixels(app, &width, &height, error);
  bool is_good = pixels && image_encode_png(&app->memory, pixels, width, height, 4, &png, error);
  FILE *file = is_good ? fopen(path, "wb") : NULL;
  if (is_good && !file) is_good = error_set(error, "%s: the screenshot cannot be written", path);
  if (file && fwrite(png.data, 1, png.size, file) != png.size)
    is_good = error_set(error, "%s: the screenshot cannot be written", path);
  if (file && fclose(file) != 0) is_good = error_set(error, "%s: the screenshot cannot be written", path);
  memory_free(&app->memory, png.data);
  return is_good;
}

// Screenshots asked for at this step; step 0 asks for the last.
bool app_take_screenshots(App *app, int64_t step, Error *error) {
  for (int i = 0; i < app->options->screenshot_count; i++) {
    const ScreenshotRequest *request = &app->options->screenshots[i];
    if (request->step == step && !write_screenshot(app, request->path, error)) return false;
  }
  return true;
}

static void report(App *app, const char *failure) {
  RunReport summary = {
      .steps = app->host.step,
      .seconds = host_seconds(&app->host),
      .state_hash = app_state_hash(app),
      .stats = app->stats,
      .lua_kb = app->host.lua ? host_lua_kb(&app->host, true) : 0,
      .engine_kb = (int)(app->memory.live_bytes / 1024),
      .lua_allocations = app->host.lua_allocation_count,
      .failure = failure,
  };
  if (app->options->has_json) report_json(&summary);
  if (app->options->has_stats && app->host.assets) report_stats(&summary, &app->times, &app->hits, app->host.assets);
}

// For tests/alloc_failures.lua: PALFREY_FAIL_ALLOCATION=engine:N or lua:N makes the N-th allocation of the engine or of Lua
// fail, N-M those from N to M, N+ all from N on. With any value, how many there were is told at the end.
static void plan_failure(App *app, const char *plan) {
  bool is_lua = plan && strncmp(plan, "lua:", 4) == 0, is_engine = plan && strncmp(plan, "engine:", 7) == 0;
  if (!is_lua && !is_engine) return;
  char *end;
  long first = strtol(strchr(plan, ':') + 1, &end, 10), count = 1;
  if (*end == '-') count = strtol(end + 1, NULL, 10) - first + 1;
  if (*end == '+') count = LONG_MAX;
  if (first < 1 || count < 1) return;
  *(is_lua ? &app->host.lua_fail_after : &app->memory.fail_after) = first;
  *(is_lua ? &app->host.lua_fail_count : &app->memory.fail_count) = count;
}

int app_run(const Options *options, const char *program) {
  App app = {.options = options, .times.memory = &app.memory};
  const char *failure_plan = getenv("PALFREY_FAIL_ALLOCATION");
  plan_failure(&app, failure_plan);
  Error error = {0};
  int status = EXIT_DONE;
  bool is_open = app_open_game(&app, program, &error), has_screen = is_open && app_open_screen(&app, &error);
  if (is_open && !has_screen && !error.is_out_of_memory) status = EXIT_NO_GRAPHICS;
  bool is_good = has_screen && app_open_renderer(&app, &error) && app_run_game(&app, &error);
  if (app.recorder && !recorder_close(app.recorder, app.host.step, &error)) is_good = false;
  const char *failure = is_good ? NULL : app.host.failure[0] ? app.host.failure : error.text;
  if (failure) log_error("%s", failure);
  if (is_good) failure = app_error_text(&app);  // which was told when it came up
  if (options->verb == VERB_RUN) report(&app, failure);
  if (failure && status == EXIT_DONE) status = EXIT_GAME_ERROR;
  if (!failure) status = app.host.quit_status;
  app_close(&app);
  if (failure_plan)
    fprintf(stderr, "allocations: %zu of the engine, %lld of Lua\n", (size_t)app.memory.allocation_count,
            (long long)app.host.lua_allocation_count);
  return status;
}
