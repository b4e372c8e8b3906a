#include "app.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app_report.h"
#include "bindings/host.h"
#include "debug_view.h"
#include "log.h"
#include "replay.h"
#include "version.h"

#define FNV_OFFSET 14695981039346656037u

enum { MAX_STEPS_PER_FRAME = 5, HASH_EVERY_STEPS = 60 };

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
  double frame_seconds, last_frame;  ///< for pacing and the debug view
  FrameTimes times;
  HitTally hits;
} App;

// ------------------------------------------------------------------------------------------------- one frame

static uint64_t state_hash(void *user) {
  const App *app = user;
  return app->host.world ? world_hash(app->host.world, FNV_OFFSET) : FNV_OFFSET ^ (uint64_t)app->host.step;
}

// Puts what the user did, or what a recording says, in line for the next step.
static bool gather_input(App *app, Error *error) {
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
  if (app->recorder) return recorder_add_hash(app->recorder, step, state_hash(app), error);
  // With both, the recording is made anew: what was done is kept, and its course is a new one.
  if (app->replay && replay_hash(app->replay, step, &recorded) && recorded != state_hash(app))
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
static bool step_game(App *app, Error *error) {
  Host *host = &app->host;
  if (!gather_input(app, error)) return false;
  input_begin_step(host->input);
  if (input_was_pressed(host->input, "f3")) app->shows_debug = !app->shows_debug;
  apply_window_events(host);
  if (!record_step(app, error)) return false;
  assets_finish_loads(host->assets);
  if (host->world) world_begin_step(host->world);
  if (app->options->has_stats) count_hits(app);
  bool has_taken;
  if (!host_reload(host, &has_taken, error)) return false;
  if (!host_update(host, error)) return false;
  if (host->world && !world_end_step(host->world, error)) return false;
  host->step++;
  return check_course(app, error);
}

static void lose_context(void *user) {
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
      !overlay_restore(host->overlay, error))
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

// One picture, `alpha` of the way from the step before to the last one.
static bool draw_frame(App *app, float alpha, Error *error) {
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
  app->has_pixels = false;
  if (!draw_world(app, error)) return false;
  if (app->target)
    gpu_finish(app->gpu);
  else
    platform_present(host->platform);
  return true;
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

static const uint8_t *read_pixels(void *user, int *width, int *height, Error *error) {
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
  const uint8_t *pixels = read_pixels(app, &width, &height, error);
  bool is_good = pixels && image_encode_png(&app->memory, pixels, width, height, 4, &png, error);
  FILE *file = is_good ? fopen(path, "wb") : NULL;
  if (is_good && !file) is_good = error_set(error, "%s: the screenshot cannot be written", path);
  if (file && fwrite(png.data, 1, png.size, file) != png.size)
    is_good = error_set(error, "%s: the screenshot cannot be written", path);
  if (file && fclose(file) != 0) is_good = error_set(error, "%s: the screenshot cannot be written", path);
  memory_free(&app->memory, png.data);
  return is_good;
}

static bool has_frames_left(const App *app) {
  int64_t limit = app->options->frames;
  if (limit < 0 && app->replay) limit = replay_step_count(app->replay);
  return limit < 0 || app->host.step < limit;
}

// Whether this step's picture was asked for, or is the last one and that was.
static bool has_screenshot(const App *app) {
  for (int i = 0; i < app->options->screenshot_count; i++) {
    int64_t step = app->options->screenshots[i].step;
    if (step == app->host.step || (step == 0 && !has_frames_left(app))) return true;
  }
  return false;
}

// Screenshots asked for at this step; step 0 asks for the last.
static bool take_screenshots(App *app, int64_t step, Error *error) {
  for (int i = 0; i < app->options->screenshot_count; i++) {
    const ScreenshotRequest *request = &app->options->screenshots[i];
    if (request->step == step && !write_screenshot(app, request->path, error)) return false;
  }
  return true;
}

// ------------------------------------------------------------------------------------------------- running

// Asks the game whether it agrees to end.
static bool wants_to_end(App *app, bool *ends, Error *error) {
  *ends = false;
  if (!app->host.wants_quit) return true;
  if (!host_may_quit(&app->host, ends, error)) return false;
  if (*ends) return true;
  app->host.wants_quit = false;
  app->host.quit_status = 0;
  return true;
}

static const char *error_screen(void *user) {
  (void)user;
  return NULL;
}

static bool step_and_draw(void *user, Error *error) {
  App *app = user;
  return step_game(app, error) && draw_frame(app, 1, error);
}

static bool run_headless(App *app, Error *error) {
  bool ends = false;
  while (!ends && has_frames_left(app)) {
    double before = platform_seconds();
    if (!step_and_draw(app, error)) return false;
    app->frame_seconds = platform_seconds() - before;
    frame_times_add(&app->times, app->frame_seconds);
    if (!take_screenshots(app, app->host.step, error) || !wants_to_end(app, &ends, error)) return false;
  }
  return true;
}

// A minimised window goes on with its steps, at their times, but nothing is drawn. Between them it sleeps.
static bool show_frame(App *app, bool is_asked_for, double step, double due, Error *error) {
  if (is_asked_for) return draw_frame(app, 1, error);
  if (platform_is_seen(app->host.platform)) return draw_frame(app, due < step ? (float)(due / step) : 1, error);
  platform_sleep(step - due);
  return true;
}

static bool run_window(App *app, Error *error) {
  double step = app->host.config.step_seconds, due = step;  // the first picture shows a world that was stepped once
  app->last_frame = platform_seconds();
  for (bool ends = false; !ends && has_frames_left(app);) {
    double now = platform_seconds();
    app->frame_seconds = now - app->last_frame;
    app->last_frame = now;
    frame_times_add(&app->times, app->frame_seconds);
    due += app->frame_seconds;
    int steps = 0;
    bool is_asked_for = false;
    for (; due >= step && steps < MAX_STEPS_PER_FRAME && has_frames_left(app) && !is_asked_for; steps++, due -= step) {
      if (!step_game(app, error)) return false;
      is_asked_for = has_screenshot(app);
    }
    // What five steps did not catch up with is dropped: the game slows down instead of standing still.
    if (due >= step && steps == MAX_STEPS_PER_FRAME) due = 0;
    if (!show_frame(app, is_asked_for, step, due, error)) return false;
    if (steps > 0 && !take_screenshots(app, app->host.step, error)) return false;
    if (!wants_to_end(app, &ends, error)) return false;
  }
  return true;
}

static bool start_viewer(App *app, Error *error) {
  const Options *options = app->options;
  const char *slash = strrchr(options->target, '/');
  ViewRequest request = {.model = slash ? slash + 1 : options->target,
                         .skin = options->skin,
                         .clip = options->clip,
                         .mode = options->mode,
                         .time = options->time};
  return host_view(&app->host, &request, error);
}

// The arguments of busted for `palfrey test`.
static bool run_specs(App *app, Error *error) {
  const Options *options = app->options;
  char output[1200], filter[1200];
  const char *arguments[2];
  int count = 0;
  if (options->output) {
    snprintf(output, sizeof output, "--output=%s", options->output);
    arguments[count++] = output;
  }
  if (options->filter) {
    snprintf(filter, sizeof filter, "--filter=%s", options->filter);
    arguments[count++] = filter;
  }
  return host_run_specs(&app->host, options->target, arguments, count, error);
}

static bool run_game(App *app, Error *error) {
  Host *host = &app->host;
  const Options *options = app->options;
  if (options->verb == VERB_VIEW) {
    if (!start_viewer(app, error)) return false;
  } else if (!host_run_main(host, error) || !host_load(host, options->arguments, options->argument_count, error)) {
    return false;
  }
  if (options->verb == VERB_TEST) return run_specs(app, error);
  bool is_good = options->is_headless ? run_headless(app, error) : run_window(app, error);
  for (int i = 0; is_good && i < options->screenshot_count; i++) {
    int64_t step = options->screenshots[i].step;
    if (step > host->step)
      log_warning("%s: there was no step %lld: the run ended after %lld", options->screenshots[i].path, (long long)step,
                  (long long)host->step);
  }
  return is_good && take_screenshots(app, 0, error);
}

// ------------------------------------------------------------------------------------------------- making the parts

static void set_defaults(App *app) {
  GameConfig *config = &app->host.config;
  *config = (GameConfig){
      .width = 960,
      .height = 540,
      .step_seconds = 1.0f / 60,
      .has_vsync = true,
      .limits = {.nodes = 20000, .npcs = 2000},
      .lua_memory_mb = 256,
      .callback_seconds = 5,
  };
  snprintf(config->title, sizeof config->title, "%s", files_game_name(app->host.files));
  snprintf(config->identity, sizeof config->identity, "%s", files_game_name(app->host.files));
}

// The command line wins over conf.lua, and a recording over both.
static bool settle_config(App *app, Error *error) {
  const Options *options = app->options;
  GameConfig *config = &app->host.config;
  if (options->width > 0) {
    config->width = options->width;
    config->height = options->height;
  }
  if (app->replay) {
    const ReplayHead *head = replay_head(app->replay);
    config->width = head->width;
    config->height = head->height;
    config->step_seconds = (float)head->step_seconds;
  }
  if (!options->record) return true;
  ReplayHead head = {
      .seed = app->host.seed, .step_seconds = config->step_seconds, .width = config->width, .height = config->height};
  snprintf(head.build_id, sizeof head.build_id, "%s", PALFREY_BUILD_ID);
  app->recorder = recorder_create(&app->memory, options->record, &head, error);
  return app->recorder != NULL;
}

static uint64_t choose_seed(const App *app) {
  if (app->replay) return replay_head(app->replay)->seed;
  if (app->options->has_seed || app->options->is_headless) return app->options->seed;
  return (uint64_t)time(NULL);
}

// The viewer works on the folder of its model, which holds no game.
static bool open_files(App *app, Error *error) {
  const char *target = app->options->target, *slash = strrchr(target, '/');
  if (app->options->verb != VERB_VIEW) return files_open_game(app->host.files, target, error);
  char folder[1024];
  int length = slash ? (int)(slash - target) : 0;
  snprintf(folder, sizeof folder, "%.*s", slash && length == 0 ? 1 : length, target);
  return files_open_folder(app->host.files, slash ? folder : ".", error);
}

// Packages do not change.
static bool start_watch(App *app, Error *error) {
  Host *host = &app->host;
  char folder[2048];
  bool wants = !app->options->has_no_watch && app->options->verb != VERB_VIEW;
  host->is_watching = wants && files_real_path(host->files, "", false, folder, sizeof folder);
  if (!host->is_watching) return true;
  return (host->watch = watch_create(&app->memory, folder, false, error)) != NULL;
}

// Everything up to the game's configuration: it decides what the window is like.
static bool open_game(App *app, const char *program, Error *error) {
  Host *host = &app->host;
  const Options *options = app->options;
  host->memory = &app->memory;
  host->actions = (HostActions){app, step_and_draw, read_pixels, state_hash, error_screen, lose_context};
  host->prints_to_stderr = options->has_json;
  host->is_replaying = options->replay != NULL;
  host->is_headless = options->is_headless || options->verb == VERB_TEST;
  host->is_synchronous = options->is_headless || options->record || options->replay;
  if (!(host->files = files_create(&app->memory, program, error))) return false;
  if (!open_files(app, error) || !start_watch(app, error)) return false;
  const char *build_id = options->record ? NULL : PALFREY_BUILD_ID;
  if (options->replay && !(app->replay = replay_open(&app->memory, options->replay, build_id, error))) return false;
  set_defaults(app);
  host->seed = choose_seed(app);
  if (!(host->input = input_create(&app->memory, error))) return false;
  return host_open(host, options->verb == VERB_TEST, error) && host_configure(host, error) &&
         settle_config(app, error) && files_set_identity(host->files, host->config.identity, error);
}

static bool open_screen(App *app, Error *error) {
  Host *host = &app->host;
  const Options *options = app->options;
  PlatformDesc window = {
      .title = host->config.title,
      .width = host->config.width,
      .height = host->config.height,
      .is_headless = options->is_headless,
      .is_fullscreen = host->config.is_fullscreen,
      .has_vsync = host->config.has_vsync,
      .has_no_gl = options->has_null_gpu,
  };
  GpuDesc gpu = {.is_null = options->has_null_gpu,
                 .reports_errors = getenv("PALFREY_GL_ERRORS") != NULL,
                 .load = platform_gl_function};
  host->platform = platform_create(&app->memory, &window, error);
  if (!host->platform) return false;
  // A replay is told of the sizes its recording saw, beginning with the one in its head.
  platform_get_size(host->platform, &host->screen_width, &host->screen_height);
  if (app->replay) {
    host->screen_width = host->config.width;
    host->screen_height = host->config.height;
  }
  return (app->gpu = gpu_create(&app->memory, &gpu, error)) != NULL;
}

static bool open_renderer(App *app, Error *error) {
  Host *host = &app->host;
  if (!(host->renderer = renderer_create(&app->memory, app->gpu, error))) return false;
  host->overlay = overlay_create(&app->memory, host->renderer, app_default_font(), error);
  host->assets = assets_create(&app->memory, host->files, host->renderer, error);
  if (!host->overlay || !host->assets) return false;
  if (!app->options->is_headless) return true;
  app->target = gpu_target_create(app->gpu, host->config.width, host->config.height, error);
  return app->target != NULL;
}

static void close_all(App *app) {
  Host *host = &app->host;
  host_close(host);
  overlay_free(host->overlay);
  assets_free(host->assets);
  renderer_free(host->renderer);
  if (app->target) gpu_target_free(app->gpu, app->target);
  gpu_free(app->gpu);
  platform_free(host->platform);
  input_free(host->input);
  watch_free(host->watch);
  replay_free(app->replay);
  files_free(host->files);
  memory_free(&app->memory, app->pixels);
  frame_times_free(&app->times, &app->memory);
}

static void report(App *app, const char *failure) {
  RunReport summary = {
      .steps = app->host.step,
      .seconds = host_seconds(&app->host),
      .state_hash = state_hash(app),
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
  bool is_open = open_game(&app, program, &error), has_screen = is_open && open_screen(&app, &error);
  if (is_open && !has_screen && !error.is_out_of_memory) status = EXIT_NO_GRAPHICS;
  bool is_good = has_screen && open_renderer(&app, &error) && run_game(&app, &error);
  if (app.recorder && !recorder_close(app.recorder, app.host.step, &error)) is_good = false;
  const char *failure = is_good ? NULL : app.host.failure[0] ? app.host.failure : error.text;
  if (failure) log_error("%s", failure);
  if (options->verb == VERB_RUN) report(&app, failure);
  if (failure && status == EXIT_DONE) status = EXIT_GAME_ERROR;
  if (!failure) status = app.host.quit_status;
  close_all(&app);
  if (failure_plan)
    fprintf(stderr, "allocations: %zu of the engine, %lld of Lua\n", (size_t)app.memory.allocation_count,
            (long long)app.host.lua_allocation_count);
  return status;
}
