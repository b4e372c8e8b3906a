// palfrey.screen: the size of the picture, and its pixels.
#include "bindings/binding.h"

/// palfrey.screen.getSize(): integer, integer
/// Width and height in pixels.
static int get_size(lua_State *L) {
  binding_platform(L);
  lua_pushinteger(L, binding_host(L)->screen_width);
  lua_pushinteger(L, binding_host(L)->screen_height);
  return 2;
}

/// palfrey.screen.setFullscreen(fullscreen: boolean)
/// Fills the screen, or goes back to a window; nothing happens headless.
static int set_fullscreen(lua_State *L) {
  luaL_checktype(L, 1, LUA_TBOOLEAN);
  platform_set_fullscreen(binding_platform(L), lua_toboolean(L, 1) != 0);
  return 0;
}

static const uint8_t *last_pixels(lua_State *L, int *width, int *height, Error *error) {
  binding_platform(L);
  Host *host = binding_host(L);
  return host->actions.pixels(host->actions.app, width, height, error);
}

/// palfrey.screen.getPixel(x: integer, y: integer): integer, integer, integer
/// Red, green and blue, 0 to 255, of a pixel of the last drawn frame, counted from 0 at the top left. Headless too, but
/// with --null-gpu it raises. Not for decisions of the game's course.
static int get_pixel(lua_State *L) {
  float x = binding_check_number(L, 1), y = binding_check_number(L, 2);
  int width, height;
  Error error = {0};
  const uint8_t *pixels = last_pixels(L, &width, &height, &error);
  if (!pixels) return luaL_error(L, "getPixel: %s", error.text);
  luaL_argcheck(L, x >= 0 && x < (float)width, 1, "a pixel of the screen expected");
  luaL_argcheck(L, y >= 0 && y < (float)height, 2, "a pixel of the screen expected");
  const uint8_t *pixel = pixels + 4 * ((size_t)y * (size_t)width + (size_t)x);
  for (int i = 0; i < 3; i++)
    lua_pushinteger(L, pixel[i]);
  return 3;
}

/// palfrey.screen.screenshot(file: string): boolean?, string?
/// Writes the last drawn frame as PNG into the save folder. true, or nil and a message.
static int screenshot(lua_State *L) {
  Host *host = binding_host(L);
  const char *path = binding_check_string(L, 1);
  int width, height;
  Error error = {0};
  Bytes png = {0};
  const uint8_t *pixels = last_pixels(L, &width, &height, &error);
  bool is_good = pixels && image_encode_png(host->memory, pixels, width, height, 4, &png, &error) &&
                 files_write(host->files, path, png, &error);
  memory_free(host->memory, png.data);
  return binding_result(L, is_good, &error);
}

/// class palfrey.screen
/// The picture: its size, and its pixels.
void binding_open_screen(lua_State *L) {
  static const luaL_Reg FUNCTIONS[] = {
      {"getSize", get_size}, {"setFullscreen", set_fullscreen}, {"getPixel", get_pixel}, {"screenshot", screenshot},
      {NULL, NULL},
  };
  luaL_newlib(L, FUNCTIONS);
  lua_setfield(L, -2, "screen");
}
