#include <stdio.h>
#include <string.h>

#include "app_parts.h"
#include "log.h"

enum { MAX_STEPS_PER_FRAME = 5 };

#define STAND_SECONDS 0.01  // between pictures of the error screen

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

static bool has_frames_left(const App *app) {
  int64_t limit = app->options->frames;
  if (limit < 0 && app->replay) limit = replay_step_count(app->replay);
  return limit < 0 || app->host.step < limit;
}

// ------------------------------------------------------------------------------------------------- scripts that fail

const char *app_error_text(void *user) {
  const App *app = user;
  return app->error_screen.is_shown ? app->error_screen.text : NULL;
}

void app_dismiss_error(void *user) {
  App *app = user;
  if (app->error_screen.is_shown) error_screen_hide(&app->error_screen, &app->host);
}

static void show_error(App *app, const char *text) {
  int width = 0, height = 0;
  bool has_picture = app->has_loaded && !app->error_screen.is_shown;
  const uint8_t *pixels = has_picture ? app_read_pixels(app, &width, &height, NULL) : NULL;
  log_error("%s", text);
  error_screen_show(&app->error_screen, &app->host, text, pixels, width, height);
}

// Lets the game stand still when a script has failed; all other failures end the run.
static bool stand_still(App *app) {
  if (!app->host.failure[0]) return false;
  show_error(app, app->host.failure);
  app->host.failure[0] = 0;
  return true;
}

static bool load_game(App *app, Error *error) {
  const Options *options = app->options;
  app->has_loaded =
      host_run_main(&app->host, error) && host_load(&app->host, options->arguments, options->argument_count, error);
  return app->has_loaded;
}

// Runs the game from its beginning, with the window and what is loaded already.
static bool restart(App *app, Error *error) {
  error_screen_hide(&app->error_screen, &app->host);
  return (app_restart_scripts(app, error) && load_game(app, error)) || stand_still(app);
}

// A file that was saved is loaded again, and the game goes on; one that never got to its first step begins anew.
static bool try_again(App *app, Error *error) {
  Host *host = &app->host;
  bool has_changed = false;
  if (!app->has_loaded) {
    WatchChange change;
    while (host->watch && watch_next(host->watch, &change))
      has_changed = true;
    return !has_changed || restart(app, error);
  }
  if (!host_reload(host, &has_changed, error)) return stand_still(app);
  if (has_changed && host->reload_message[0]) show_error(app, host->reload_message);
  if (has_changed && !host->reload_message[0]) error_screen_hide(&app->error_screen, host);
  return true;
}

static bool answer_events(App *app, bool *ends, Error *error) {
  Host *host = &app->host;
  if (!app_gather_input(app, error)) return false;
  input_begin_step(host->input);
  for (int i = 0; i < input_event_count(host->input) && app->error_screen.is_shown; i++) {
    switch (error_screen_answer(&app->error_screen, input_event_at(host->input, i))) {
      case ERROR_ANSWER_COPY:
        platform_set_clipboard(app->error_screen.text);
        break;
      case ERROR_ANSWER_QUIT:
        *ends = true;
        return true;
      case ERROR_ANSWER_RESTART:
        // Specs run in the game's own Lua state.
        if (app->options->verb != VERB_TEST && !restart(app, error)) return false;
        break;
      case ERROR_ANSWER_NONE:
        break;
    }
  }
  return true;
}

// One picture of the error screen.
static bool stand(App *app, bool *ends, Error *error) {
  if (!answer_events(app, ends, error)) return false;
  if (*ends) return true;
  if (app->error_screen.is_shown && !try_again(app, error)) return false;
  return !app->error_screen.is_shown || app_draw_error_screen(app, error);
}

bool app_step_for_test(void *user, Error *error) {
  App *app = user;
  bool ends = false;
  if (app->error_screen.is_shown) {
    if (!stand(app, &ends, error)) return false;
    if (app->error_screen.is_shown) return true;
  }
  return (app_step(app, error) && app_draw_frame(app, 1, error)) ||
         (stand_still(app) && app_draw_error_screen(app, error));
}

// ------------------------------------------------------------------------------------------------- running

static bool run_headless(App *app, Error *error) {
  bool ends = false;
  while (!ends && has_frames_left(app)) {
    double before = platform_seconds();
    if (!app_step(app, error) || !app_draw_frame(app, 1, error)) return false;
    app->frame_seconds = platform_seconds() - before;
    frame_times_add(&app->times, app->frame_seconds);
    if (!app_take_screenshots(app, app->host.step, error) || !wants_to_end(app, &ends, error)) return false;
  }
  return true;
}

// Whether this step's picture was asked for, or is the last one and that was.
static bool has_screenshot(const App *app) {
  for (int i = 0; i < app->options->screenshot_count; i++) {
    int64_t step = app->options->screenshots[i].step;
    if (step == app->host.step || (step == 0 && !has_frames_left(app))) return true;
  }
  return false;
}

// A minimised window goes on with its steps, at their times, but nothing is drawn. Between them it sleeps.
static bool show_frame(App *app, bool is_asked_for, double due, Error *error) {
  double step = app->host.config.step_seconds;
  if (is_asked_for) return app_draw_frame(app, 1, error) && app_take_screenshots(app, app->host.step, error);
  if (platform_is_seen(app->host.platform)) return app_draw_frame(app, due < step ? (float)(due / step) : 1, error);
  platform_sleep(step - due);
  return true;
}

// As many steps as are due, and a picture.
static bool run_frame(App *app, double *due, Error *error) {
  double step = app->host.config.step_seconds, now = platform_seconds();
  app->frame_seconds = now - app->last_frame;
  app->last_frame = now;
  frame_times_add(&app->times, app->frame_seconds);
  *due += app->frame_seconds;
  int steps = 0;
  bool is_asked_for = false;
  for (; *due >= step && steps < MAX_STEPS_PER_FRAME && has_frames_left(app) && !is_asked_for; steps++, *due -= step) {
    if (!app_step(app, error)) return false;
    is_asked_for = has_screenshot(app);
  }
  // What five steps did not catch up with is dropped: the game slows down instead of standing still.
  if (*due >= step && steps == MAX_STEPS_PER_FRAME) *due = 0;
  return show_frame(app, is_asked_for, *due, error);
}

static bool run_window(App *app, Error *error) {
  double due = app->host.config.step_seconds;  // the first picture shows a world that was stepped once
  app->last_frame = platform_seconds();
  for (bool ends = false; !ends && has_frames_left(app);) {
    if (app->error_screen.is_shown) {
      if (!stand(app, &ends, error)) return false;
      if (ends) app->host.quit_status = EXIT_GAME_ERROR;
      app->last_frame = platform_seconds();
      platform_sleep(STAND_SECONDS);
    } else if ((!run_frame(app, &due, error) || !wants_to_end(app, &ends, error)) && !stand_still(app)) {
      return false;
    }
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
  if (!host_run_specs(&app->host, options->target, arguments, count, error)) return false;
  // Specs that leave the game standing on its error have not looked.
  if (app->error_screen.is_shown && app->host.quit_status == EXIT_DONE) app->host.quit_status = EXIT_GAME_ERROR;
  return true;
}

bool app_run_game(App *app, Error *error) {
  Host *host = &app->host;
  const Options *options = app->options;
  bool has_window = options->verb == VERB_RUN && !options->is_headless;
  bool is_good = options->verb == VERB_VIEW ? start_viewer(app, error) : load_game(app, error);
  if (!is_good && (!has_window || !stand_still(app))) return false;
  if (options->verb == VERB_TEST) return run_specs(app, error);
  is_good = options->is_headless ? run_headless(app, error) : run_window(app, error);
  for (int i = 0; is_good && i < options->screenshot_count; i++) {
    int64_t step = options->screenshots[i].step;
    if (step > host->step)
      log_warning("%s: there was no step %lld: the run ended after %lld", options->screenshots[i].path, (long long)step,
                  (long long)host->step);
  }
  return is_good && app_take_screenshots(app, 0, error);
}
