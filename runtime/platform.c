#include "platform.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "array.h"

enum { MAX_PADS = 8 };

struct Platform {
  Memory *memory;
  SDL_Window *window;
  SDL_GLContext context;
  SDL_GameController *pads[MAX_PADS];
  bool has_pads;  // the controller subsystem is started after the first frame: it costs start-up time
  bool is_headless;
  int width, height;  // without a window
};

static Platform *fail(Platform *platform, Error *error, const char *what) {
  error_set(error, "%s: %s", what, SDL_GetError());
  platform_free(platform);
  return NULL;
}

bool platform_has_display(void) {
  const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY"), *driver = getenv("SDL_VIDEODRIVER");
  return (x11 && x11[0]) || (wayland && wayland[0]) || (driver && driver[0]);
}

static void set_gl_attributes(int depth_bits) {
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 2);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 0);
  SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, depth_bits);
  SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
}

static bool open_window(Platform *platform, const PlatformDesc *desc) {
  // Headless pictures are drawn into targets of their own; the window is only there for the context.
  int width = desc->is_headless ? 16 : desc->width, height = desc->is_headless ? 16 : desc->height;
  Uint32 flags = SDL_WINDOW_OPENGL | (desc->is_headless ? SDL_WINDOW_HIDDEN : SDL_WINDOW_RESIZABLE);
  if (desc->is_fullscreen && !desc->is_headless) flags |= SDL_WINDOW_FULLSCREEN_DESKTOP;
  // Some boards have no depth buffer of 24 bits for windows.
  for (int depth_bits = 24; depth_bits >= 16 && !platform->context; depth_bits -= 8) {
    set_gl_attributes(depth_bits);
    if (platform->window) SDL_DestroyWindow(platform->window);
    platform->window =
        SDL_CreateWindow(desc->title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height, flags);
    if (platform->window) platform->context = SDL_GL_CreateContext(platform->window);
  }
  return platform->context && SDL_GL_GetCurrentContext() == platform->context;
}

Platform *platform_create(Memory *memory, const PlatformDesc *desc, Error *error) {
  Platform *platform = memory_alloc(memory, sizeof *platform);
  if (!platform) {
    error_set_out_of_memory(error);
    return NULL;
  }
  *platform =
      (Platform){.memory = memory, .is_headless = desc->is_headless, .width = desc->width, .height = desc->height};
  // Without GL there is nothing to open: events come from recordings and tests.
  if (desc->has_no_gl && desc->is_headless) return platform;
  SDL_SetHint(SDL_HINT_VIDEO_X11_FORCE_EGL, "1");
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
  if (desc->is_headless) SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
  if (!desc->is_headless && !platform_has_display()) {
    error_set(error, "there is no display to open a window on; --headless plays offscreen");
    platform_free(platform);
    return NULL;
  }
  if (SDL_Init(SDL_INIT_VIDEO) != 0) return fail(platform, error, "no video");
  if (!open_window(platform, desc)) return fail(platform, error, "no OpenGL ES 2.0 context");
  if (!desc->is_headless) SDL_GL_SetSwapInterval(desc->has_vsync ? 1 : 0);
  return platform;
}

void platform_free(Platform *platform) {
  if (!platform) return;
  for (int i = 0; i < MAX_PADS; i++) {
    if (platform->pads[i]) SDL_GameControllerClose(platform->pads[i]);
  }
  if (platform->context) SDL_GL_DeleteContext(platform->context);
  if (platform->window) SDL_DestroyWindow(platform->window);
  SDL_Quit();
  memory_free(platform->memory, platform);
}

void *platform_gl_function(const char *name) {
  return SDL_GL_GetProcAddress(name);
}

void platform_present(Platform *platform) {
  if (!platform->window || platform->is_headless) return;
  SDL_GL_SwapWindow(platform->window);
  if (platform->has_pads) return;
  platform->has_pads = true;
  // Pads that are there already are told as added.
  SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER);
}

void platform_get_size(const Platform *platform, int *width, int *height) {
  *width = platform->width;
  *height = platform->height;
  if (platform->window && !platform->is_headless) SDL_GL_GetDrawableSize(platform->window, width, height);
}

void platform_set_fullscreen(Platform *platform, bool on) {
  if (platform->window && !platform->is_headless)
    SDL_SetWindowFullscreen(platform->window, on ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
}

void platform_set_mouse_captured(Platform *platform, bool on) {
  if (platform->window && !platform->is_headless) SDL_SetRelativeMouseMode(on ? SDL_TRUE : SDL_FALSE);
}

// --- Events ---

static void lower(char *out, size_t size, const char *prefix, const char *name) {
  snprintf(out, size, "%s%s", prefix, name ? name : "");
  for (char *c = out; *c; c++) {
    if (*c >= 'A' && *c <= 'Z') *c = (char)(*c + 32);
  }
}

static bool translate_key(const SDL_KeyboardEvent *key, Event *event) {
  event->type = key->type == SDL_KEYDOWN ? EVENT_KEY_DOWN : EVENT_KEY_UP;
  event->is_repeat = key->repeat != 0;
  lower(event->name, sizeof event->name, "", SDL_GetKeyName(key->keysym.sym));
  return event->name[0] != 0;
}

static bool translate_button(const SDL_MouseButtonEvent *button, Event *event) {
  // SDL counts left, middle, right; games count left, right, middle.
  static const int BUTTONS[] = {0, 1, 3, 2, 4, 5};
  event->type = button->type == SDL_MOUSEBUTTONDOWN ? EVENT_MOUSE_DOWN : EVENT_MOUSE_UP;
  event->button = button->button < 6 ? BUTTONS[button->button] : button->button;
  event->x = (float)button->x;
  event->y = (float)button->y;
  snprintf(event->name, sizeof event->name, "mouse%d", event->button);
  return true;
}

static int pad_number(const Platform *platform, SDL_JoystickID id) {
  for (int i = 0; i < MAX_PADS; i++) {
    if (platform->pads[i] && SDL_JoystickInstanceID(SDL_GameControllerGetJoystick(platform->pads[i])) == id)
      return i + 1;
  }
  return 0;
}

static void add_pad(Platform *platform, int device) {
  for (int i = 0; i < MAX_PADS; i++) {
    if (platform->pads[i]) continue;
    platform->pads[i] = SDL_GameControllerOpen(device);
    return;
  }
}

static void remove_pad(Platform *platform, SDL_JoystickID id) {
  int number = pad_number(platform, id);
  if (number == 0) return;
  SDL_GameControllerClose(platform->pads[number - 1]);
  platform->pads[number - 1] = NULL;
}

static bool translate_pad(const Platform *platform, const SDL_Event *sdl, Event *event) {
  if (sdl->type == SDL_CONTROLLERAXISMOTION) {
    event->type = EVENT_PAD_AXIS;
    event->id = pad_number(platform, sdl->caxis.which);
    event->value = sdl->caxis.value < 0 ? (float)sdl->caxis.value / 32768 : (float)sdl->caxis.value / 32767;
    lower(event->name, sizeof event->name,
          "pad:", SDL_GameControllerGetStringForAxis((SDL_GameControllerAxis)sdl->caxis.axis));
  } else {
    event->type = sdl->type == SDL_CONTROLLERBUTTONDOWN ? EVENT_PAD_DOWN : EVENT_PAD_UP;
    event->id = pad_number(platform, sdl->cbutton.which);
    lower(event->name, sizeof event->name,
          "pad:", SDL_GameControllerGetStringForButton((SDL_GameControllerButton)sdl->cbutton.button));
  }
  return event->id != 0;
}

static bool translate_touch(const Platform *platform, const SDL_TouchFingerEvent *finger, Event *event) {
  int width, height;
  platform_get_size(platform, &width, &height);
  event->type = finger->type == SDL_FINGERDOWN ? EVENT_TOUCH_DOWN
                : finger->type == SDL_FINGERUP ? EVENT_TOUCH_UP
                                               : EVENT_TOUCH_MOVE;
  event->id = (int)finger->fingerId;
  event->x = finger->x * (float)width;
  event->y = finger->y * (float)height;
  return true;
}

static bool translate_window(const Platform *platform, const SDL_WindowEvent *window, Event *event) {
  int width, height;
  switch (window->event) {
    case SDL_WINDOWEVENT_SIZE_CHANGED:
      platform_get_size(platform, &width, &height);
      event->type = EVENT_RESIZE;
      event->x = (float)width;
      event->y = (float)height;
      return true;
    case SDL_WINDOWEVENT_FOCUS_GAINED:
    case SDL_WINDOWEVENT_FOCUS_LOST:
      event->type = EVENT_FOCUS;
      event->value = window->event == SDL_WINDOWEVENT_FOCUS_GAINED;
      return true;
    default:
      return false;
  }
}

// Text comes in one piece of UTF-8; one that is too long ends at a whole character.
static bool translate_text(const SDL_TextInputEvent *text, Event *event) {
  event->type = EVENT_TEXT;
  size_t length = strlen(text->text);
  if (length >= sizeof event->name) {
    length = sizeof event->name - 1;
    while (length > 0 && (text->text[length] & 0xc0) == 0x80)
      length--;
  }
  memcpy(event->name, text->text, length);
  return length > 0;
}

static bool translate(Platform *platform, const SDL_Event *sdl, Event *event) {
  *event = (Event){0};
  switch (sdl->type) {
    case SDL_QUIT:
      event->type = EVENT_QUIT;
      return true;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
      return translate_key(&sdl->key, event);
    case SDL_TEXTINPUT:
      return translate_text(&sdl->text, event);
    case SDL_MOUSEMOTION:
      *event = (Event){.type = EVENT_MOUSE_MOVE,
                       .x = (float)sdl->motion.x,
                       .y = (float)sdl->motion.y,
                       .dx = (float)sdl->motion.xrel,
                       .dy = (float)sdl->motion.yrel};
      return true;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
      return translate_button(&sdl->button, event);
    case SDL_MOUSEWHEEL:
      *event = (Event){.type = EVENT_WHEEL, .dx = (float)sdl->wheel.x, .dy = (float)sdl->wheel.y};
      return true;
    case SDL_CONTROLLERDEVICEADDED:
      add_pad(platform, sdl->cdevice.which);
      return false;
    case SDL_CONTROLLERDEVICEREMOVED:
      remove_pad(platform, sdl->cdevice.which);
      return false;
    case SDL_CONTROLLERAXISMOTION:
    case SDL_CONTROLLERBUTTONDOWN:
    case SDL_CONTROLLERBUTTONUP:
      return translate_pad(platform, sdl, event);
    case SDL_FINGERDOWN:
    case SDL_FINGERUP:
    case SDL_FINGERMOTION:
      return translate_touch(platform, &sdl->tfinger, event);
    case SDL_WINDOWEVENT:
      return translate_window(platform, &sdl->window, event);
    default:
      return false;
  }
}

bool platform_poll(Platform *platform, Event *event) {
  SDL_Event sdl;
  while (SDL_WasInit(SDL_INIT_VIDEO) && SDL_PollEvent(&sdl)) {
    if (translate(platform, &sdl, event)) return true;
  }
  return false;
}

// SDL finds names in any case, but events have them in lower case alone.
static bool has_upper_case(const char *name) {
  for (; *name; name++) {
    if (*name >= 'A' && *name <= 'Z') return true;
  }
  return false;
}

bool platform_is_key(const char *name) {
  return !has_upper_case(name) && SDL_GetKeyFromName(name) != SDLK_UNKNOWN;
}

bool platform_is_pad_button(const char *name) {
  return !has_upper_case(name) && SDL_GameControllerGetButtonFromString(name) != SDL_CONTROLLER_BUTTON_INVALID;
}

bool platform_is_pad_axis(const char *name) {
  return !has_upper_case(name) && SDL_GameControllerGetAxisFromString(name) != SDL_CONTROLLER_AXIS_INVALID;
}

// --- Time and memory ---

double platform_seconds(void) {
  return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency();
}

void platform_sleep(double seconds) {
  if (seconds > 0) SDL_Delay((Uint32)(seconds * 1000));
}

size_t platform_peak_rss_kb(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (size_t)usage.ru_maxrss : 0;
}
