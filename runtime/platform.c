#include <SDL.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "platform_parts.h"

static Platform *fail(Platform *platform, Error *error, const char *what) {
  error_set(error, "%s: %s", what, SDL_GetError());
  platform_free(platform);
  return NULL;
}

// --- Displays ---

static bool is_set(const char *variable) {
  const char *value = getenv(variable);
  return value && value[0];
}

// Screens without a display server, as on boards and handhelds.
static bool has_screen_device(void) {
  char path[] = "/dev/dri/card0";
  for (int number = 0; number < 10; number++) {
    path[sizeof path - 2] = (char)('0' + number);
    if (access(path, R_OK | W_OK) == 0) return true;
  }
  return false;
}

bool platform_has_display(void) {
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") || is_set("SDL_VIDEODRIVER") || has_screen_device();
}

// SDL takes its offscreen driver where it finds nothing better, and the game would run unseen.
static bool is_unseen(void) {
  const char *driver = SDL_GetCurrentVideoDriver();
  return driver && strcmp(driver, "offscreen") == 0 && !is_set("SDL_VIDEODRIVER");
}

static void set_gl_attributes(int depth_bits) {
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 2);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 0);
  SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, depth_bits);
  SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
}

// A driver tells that it lost a context only when it was asked to beforehand; not all take the question.
static void create_context(Platform *platform) {
  static const int NOTIFICATIONS[] = {SDL_GL_CONTEXT_RESET_LOSE_CONTEXT, SDL_GL_CONTEXT_RESET_NO_NOTIFICATION};
  for (int i = 0; i < 2 && !platform->context; i++) {
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_RESET_NOTIFICATION, NOTIFICATIONS[i]);
    platform->context = SDL_GL_CreateContext(platform->window);
  }
  if (platform->context && !platform->is_headless) SDL_GL_SetSwapInterval(platform->has_vsync ? 1 : 0);
}

static void close_context(Platform *platform) {
  if (platform->context) SDL_GL_DeleteContext(platform->context);
  platform->context = NULL;
}

static void close_window(Platform *platform) {
  close_context(platform);
  if (platform->window) SDL_DestroyWindow(platform->window);
  platform->window = NULL;
}

static bool open_window(Platform *platform, const PlatformDesc *desc) {
  // Headless pictures are drawn into targets of their own; the window is only there for the context.
  int width = desc->is_headless ? 16 : desc->width, height = desc->is_headless ? 16 : desc->height;
  Uint32 flags = desc->is_headless ? SDL_WINDOW_HIDDEN : SDL_WINDOW_RESIZABLE;
  if (desc->is_fullscreen && !desc->is_headless) flags |= SDL_WINDOW_FULLSCREEN_DESKTOP;
  if (!desc->has_no_gl) flags |= SDL_WINDOW_OPENGL;
  // Some boards have no depth buffer of 24 bits for windows.
  for (int depth_bits = 24; depth_bits >= 16 && !platform->context; depth_bits -= 8) {
    set_gl_attributes(depth_bits);
    if (platform->window) SDL_DestroyWindow(platform->window);
    platform->window =
        SDL_CreateWindow(desc->title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height, flags);
    if (platform->window && desc->has_no_gl) return true;
    if (platform->window) create_context(platform);
  }
  // Without a current context every call of GL would do nothing, and say nothing.
  return platform->context && SDL_GL_GetCurrentContext() == platform->context;
}

static bool open_headless(Platform *platform, const PlatformDesc *desc, Error *error) {
  char reason[128];
  Error own = {0};
  SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");  // the user's SDL_VIDEODRIVER is stronger
  if (SDL_Init(SDL_INIT_VIDEO) == 0 && open_window(platform, desc)) return true;
  SDL_strlcpy(reason, SDL_GetError(), sizeof reason);
  close_window(platform);
  platform->own_egl = egl_context_create(platform->memory, &own);
  return platform->own_egl || error_set(error, "no OpenGL ES 2.0 context: SDL: %s; %s", reason, own.text);
}

static Platform *open_seen(Platform *platform, const PlatformDesc *desc, Error *error) {
  bool has_display = platform_has_display();
  if (has_display && SDL_Init(SDL_INIT_VIDEO) != 0) return fail(platform, error, "no video");
  if (!has_display || is_unseen()) {
    error_set(error, "there is no display to open a window on; --headless plays offscreen");
    platform_free(platform);
    return NULL;
  }
  if (!open_window(platform, desc)) return fail(platform, error, "no window with OpenGL ES 2.0");
  return platform;
}

Platform *platform_create(Memory *memory, const PlatformDesc *desc, Error *error) {
  Platform *platform = memory_alloc(memory, sizeof *platform);
  if (!platform) {
    error_set_out_of_memory(error);
    return NULL;
  }
  *platform = (Platform){.memory = memory,
                         .is_headless = desc->is_headless,
                         .has_vsync = desc->has_vsync,
                         .has_gl = !desc->has_no_gl,
                         .width = desc->width,
                         .height = desc->height};
  SDL_SetHint(SDL_HINT_VIDEO_X11_FORCE_EGL, "1");  // GLX would load a second driver first
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
  if (!desc->is_headless) return open_seen(platform, desc, error);
  // Without GL there is nothing to open: events come from recordings and tests.
  if (desc->has_no_gl || open_headless(platform, desc, error)) return platform;
  platform_free(platform);
  return NULL;
}

void platform_free(Platform *platform) {
  if (!platform) return;
  platform_close_pads(platform);
  egl_context_free(platform->own_egl);
  close_window(platform);
  SDL_Quit();
  memory_free(platform->memory, platform);
}

// --- Lost contexts ---

bool platform_is_context_lost(const Platform *platform) {
  return platform->is_context_lost;
}

void platform_lose_context(Platform *platform) {
  close_context(platform);
  egl_context_free(platform->own_egl);
  platform->own_egl = NULL;
  platform->is_context_lost = true;
}

bool platform_restore_context(Platform *platform, Error *error) {
  enum { TRIES = 30, PAUSE_MS = 100 };
  bool is_restored = !platform->has_gl;
  Error own = {0};
  platform_lose_context(platform);
  // A device that was reset may need a while.
  for (int i = 0; i < TRIES && !is_restored; i++) {
    if (i > 0) SDL_Delay(PAUSE_MS);
    if (platform->window)
      create_context(platform);
    else
      platform->own_egl = egl_context_create(platform->memory, &own);
    is_restored = platform->context || platform->own_egl;
  }
  if (!is_restored)
    return error_set(error, "the OpenGL ES context was lost and there is no new one: %s",
                     platform->window ? SDL_GetError() : own.text);
  platform->is_context_lost = false;
  return true;
}

void *platform_gl_function(const char *name) {
  void *function = SDL_GL_GetProcAddress(name);  // NULL while SDL has no context
  return function ? function : egl_context_function(name);
}

// SDL does not return what came of it, but EGL's name of the error is in its text.
static void show(Platform *platform) {
  SDL_ClearError();
  SDL_GL_SwapWindow(platform->window);
  if (strstr(SDL_GetError(), "EGL_CONTEXT_LOST")) platform->is_context_lost = true;
}

void platform_present(Platform *platform) {
  if (!platform->window || platform->is_headless) return;
  if (platform->context)
    show(platform);
  else
    SDL_Delay(1);
  if (platform->has_pads) return;
  platform->has_pads = true;
  // Pads that are there already are told as added.
  SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER);
}

void platform_get_size(const Platform *platform, int *width, int *height) {
  *width = platform->width;
  *height = platform->height;
  if (platform->window && !platform->is_headless) SDL_GL_GetDrawableSize(platform->window, width, height);
  if (*width < 1) *width = 1;
  if (*height < 1) *height = 1;
}

bool platform_is_seen(const Platform *platform) {
  const Uint32 UNSEEN = SDL_WINDOW_MINIMIZED | SDL_WINDOW_HIDDEN;
  return platform->is_headless || !platform->window || !(SDL_GetWindowFlags(platform->window) & UNSEEN);
}

void platform_set_fullscreen(Platform *platform, bool on) {
  if (!platform->window || platform->is_headless) return;
  bool was_on = SDL_GetWindowFlags(platform->window) & SDL_WINDOW_FULLSCREEN;
  if (on && !was_on) SDL_GetWindowSize(platform->window, &platform->width, &platform->height);
  SDL_SetWindowFullscreen(platform->window, on ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
  // Without a window manager SDL leaves it as large as the screen.
  if (!on && was_on) SDL_SetWindowSize(platform->window, platform->width, platform->height);
}

void platform_set_mouse_captured(Platform *platform, bool on) {
  if (platform->window && !platform->is_headless) SDL_SetRelativeMouseMode(on ? SDL_TRUE : SDL_FALSE);
}

// --- Time and memory ---

double platform_seconds(void) {
  return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency();
}

void platform_set_clipboard(const char *text) {
  SDL_SetClipboardText(text);
}

void platform_sleep(double seconds) {
  if (seconds > 0) SDL_Delay((Uint32)(seconds * 1000) + 1);
}

size_t platform_peak_rss_kb(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (size_t)usage.ru_maxrss : 0;
}
