// Preloaded before a program that uses SDL, does to its window what a user would, by a plan in the environment variable
// SHAKE: "STEP ACTION[ WIDTH HEIGHT]" separated by commas, where a step is one emptied queue of events. Actions: size,
// hide, show, and minimise and restore, which are only told, as not every system can do them.
#define _GNU_SOURCE
#include <SDL.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long step;
static bool is_minimised;

static void *next(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) abort();
  return function;
}

static void tell(SDL_Window *window, Uint8 what) {
  SDL_Event event = {.window = {.type = SDL_WINDOWEVENT, .windowID = SDL_GetWindowID(window), .event = what}};
  SDL_PushEvent(&event);
}

static void act(SDL_Window *window, const char *action, int width, int height) {
  if (strcmp(action, "size") == 0) {
    SDL_SetWindowSize(window, width, height);
  } else if (strcmp(action, "hide") == 0) {
    SDL_HideWindow(window);
  } else if (strcmp(action, "show") == 0) {
    SDL_ShowWindow(window);
  } else if (strcmp(action, "minimise") == 0) {
    is_minimised = true;
    tell(window, SDL_WINDOWEVENT_MINIMIZED);
  } else if (strcmp(action, "restore") == 0) {
    is_minimised = false;
    tell(window, SDL_WINDOWEVENT_RESTORED);
  } else {
    fprintf(stderr, "shake_window: unknown action %s\n", action);
    abort();
  }
}

static void follow_plan(void) {
  const char *plan = getenv("SHAKE");
  SDL_Window *window = SDL_GetWindowFromID(1);
  for (; plan && window; plan = strchr(plan, ',') ? strchr(plan, ',') + 1 : NULL) {
    long when;
    char action[16];
    int width = 0, height = 0;
    if (sscanf(plan, "%ld %15[a-z] %d %d", &when, action, &width, &height) < 2) abort();
    if (when == step) act(window, action, width, height);
  }
  step++;
}

int SDL_PollEvent(SDL_Event *event) {
  int (*poll)(SDL_Event *);
  void *function = next("SDL_PollEvent");
  memcpy(&poll, &function, sizeof poll);
  int has_event = poll(event);
  if (!has_event) follow_plan();
  return has_event;
}

Uint32 SDL_GetWindowFlags(SDL_Window *window) {
  Uint32 (*get)(SDL_Window *);
  void *function = next("SDL_GetWindowFlags");
  memcpy(&get, &function, sizeof get);
  return get(window) | (is_minimised ? (Uint32)SDL_WINDOW_MINIMIZED : 0u);
}
