#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app_parts.h"
#include "version.h"

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

bool app_open_game(App *app, const char *program, Error *error) {
  Host *host = &app->host;
  const Options *options = app->options;
  host->memory = &app->memory;
  host->actions =
      (HostActions){app, app_step_for_test, app_read_pixels, app_state_hash, app_error_text, app_lose_context};
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

// The window stays as it is, whatever conf.lua says by now.
bool app_restart_scripts(App *app, Error *error) {
  Host *host = &app->host;
  host_close(host);
  input_clear_bindings(host->input);
  host->step = 0;
  host->message_count = host->nil_result_count = 0;
  host->failure[0] = host->reload_message[0] = 0;
  host->wants_quit = false;
  set_defaults(app);
  return host_open(host, false, error) && host_configure(host, error);
}

bool app_open_screen(App *app, Error *error) {
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

bool app_open_renderer(App *app, Error *error) {
  Host *host = &app->host;
  if (!(host->renderer = renderer_create(&app->memory, app->gpu, error))) return false;
  host->overlay = overlay_create(&app->memory, host->renderer, app_default_font(), error);
  host->assets = assets_create(&app->memory, host->files, host->renderer, error);
  if (!host->overlay || !host->assets) return false;
  if (!app->options->is_headless) return true;
  app->target = gpu_target_create(app->gpu, host->config.width, host->config.height, error);
  return app->target != NULL;
}

void app_close(App *app) {
  Host *host = &app->host;
  host_close(host);
  if (host->renderer) error_screen_hide(&app->error_screen, host);
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
