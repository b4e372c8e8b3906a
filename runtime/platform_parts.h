#ifndef PALFREY_PLATFORM_PARTS_H
#define PALFREY_PLATFORM_PARTS_H
// What the files that make up platform.h share. SDL's types are named without its header, which only they include.
#include "platform.h"
#include "platform_egl.h"

enum { PLATFORM_MAX_PADS = 8 };

struct Platform {
  Memory *memory;
  struct SDL_Window *window;
  void *context;        // of SDL
  EglContext *own_egl;  // instead of a window and context of SDL
  struct _SDL_GameController *pads[PLATFORM_MAX_PADS];
  bool has_pads;  // the controller subsystem is started after the first frame: it costs start-up time
  bool is_headless, has_vsync, has_gl;
  bool is_context_lost;
  int width, height;  // without a window; else of the window while it does not fill the screen
};

void platform_close_pads(Platform *platform);

#endif
