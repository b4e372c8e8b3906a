// The floor of start-up: a bare program that opens an SDL2 window with OpenGL ES 2.0 and a Lua state, shows one cleared
// frame, says so, shows another and ends.
#include <GLES2/gl2.h>
#include <SDL.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>

int main(int argc, char **argv) {
  (void)argc;
  (void)argv;
  SDL_SetHint(SDL_HINT_VIDEO_X11_FORCE_EGL, "1");
  if (SDL_Init(SDL_INIT_VIDEO) != 0) return 1;
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 2);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 0);
  SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
  SDL_Window *window = SDL_CreateWindow("floor", 0, 0, 960, 540, SDL_WINDOW_OPENGL);
  SDL_GLContext context = window ? SDL_GL_CreateContext(window) : NULL;
  lua_State *lua = luaL_newstate();
  if (!context || !lua) return 1;
  luaL_openlibs(lua);
  for (int frame = 0; frame < 2; frame++) {
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    SDL_GL_SwapWindow(window);
    if (frame == 0) {
      puts("first frame");
      fflush(stdout);
    }
  }
  lua_close(lua);
  SDL_GL_DeleteContext(context);
  SDL_DestroyWindow(window);
  SDL_Quit();
  return 0;
}
