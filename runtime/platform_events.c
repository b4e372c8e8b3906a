// SDL's events as plain ones, and the game pads that come and go with them.
#include <SDL.h>
#include <stdio.h>
#include <string.h>

#include "platform_parts.h"

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
  for (int i = 0; i < PLATFORM_MAX_PADS; i++) {
    if (platform->pads[i] && SDL_JoystickInstanceID(SDL_GameControllerGetJoystick(platform->pads[i])) == id)
      return i + 1;
  }
  return 0;
}

static void add_pad(Platform *platform, int device) {
  for (int i = 0; i < PLATFORM_MAX_PADS; i++) {
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

void platform_close_pads(Platform *platform) {
  for (int i = 0; i < PLATFORM_MAX_PADS; i++) {
    if (platform->pads[i]) SDL_GameControllerClose(platform->pads[i]);
    platform->pads[i] = NULL;
  }
}

// --- Names ---

// SDL finds names in any letter case; events have one, so only that one is a name.
static bool is_same_name(const char *name, const char *found) {
  char lowered[PLATFORM_NAME_SIZE];
  lower(lowered, sizeof lowered, "", found);
  return lowered[0] && strcmp(lowered, name) == 0;
}

bool platform_is_key(const char *name) {
  return is_same_name(name, SDL_GetKeyName(SDL_GetKeyFromName(name)));
}

bool platform_is_pad_button(const char *name) {
  return is_same_name(name, SDL_GameControllerGetStringForButton(SDL_GameControllerGetButtonFromString(name)));
}

bool platform_is_pad_axis(const char *name) {
  return is_same_name(name, SDL_GameControllerGetStringForAxis(SDL_GameControllerGetAxisFromString(name)));
}
