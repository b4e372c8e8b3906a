#include "offscreen.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>

static SDL_Window *window;
static SDL_GLContext context;

static void skip(const char *what) {
  printf("skipped: %s: %s\n", what, SDL_GetError());
  exit(77);
}

void offscreen_open(void) {
  SDL_setenv("SDL_VIDEODRIVER", "offscreen", 0);
  SDL_setenv("MESA_GLES_VERSION_OVERRIDE", "2.0", 0);
  if (SDL_Init(SDL_INIT_VIDEO) != 0) skip("no video");
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 2);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 0);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, SDL_GL_CONTEXT_DEBUG_FLAG);
  window = SDL_CreateWindow("test", 0, 0, 64, 64, SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN);
  if (!window) skip("no window");
  context = SDL_GL_CreateContext(window);
  if (!context) skip("no OpenGL ES 2.0 context");
}

void offscreen_close(void) {
  SDL_GL_DeleteContext(context);
  SDL_DestroyWindow(window);
  SDL_Quit();
}

void *offscreen_load(const char *name) {
  return SDL_GL_GetProcAddress(name);
}
