// palfrey.hud: the 2D overlay, drawn inside palfrey.draw, and messages, which can be set anywhere.
#include "bindings/binding.h"

static Host *check_drawing(lua_State *L, const char *function) {
  Host *host = binding_host(L);
  if (!host->is_drawing) luaL_error(L, "%s: only inside palfrey.draw", function);
  return host;
}

static const char *const ALIGN_NAMES[] = {"left", "center", "right"};

/// palfrey.hud.text(text: any, x: number, y: number, options?: {size?: number, color?: Color,
///   align?: "left"|"center"|"right", width?: number})
/// Writes text, or any value as tostring shows it, its top left at a pixel. Lines end at "\n".
/// - `size`: height of a line in pixels, at most 512 (16)
/// - `color`: of the letters (white)
/// - `align`: within `width`, or around x where there is no width ("left")
/// - `width`: pixels at which lines are broken at blanks (never)
static int text(lua_State *L) {
  Host *host = check_drawing(L, "text");
  luaL_checkany(L, 1);
  lua_settop(L, 4);
  size_t length;
  const char *string = luaL_tolstring(L, 1, &length);
  float x = binding_check_number(L, 2), y = binding_check_number(L, 3);
  TextStyle style = {.size = 16, .color = {1, 1, 1, 1}};
  if (!lua_isnil(L, 4)) {
    static const char *const KNOWN[] = {"size", "color", "align", "width", NULL};
    OptionTable options = options_open(L, 4, "text", KNOWN);
    style.size = options_positive(options, "size", 16);
    style.color = options_color(options, "color", style.color);
    style.align = (TextAlign)options_choice(options, "align", ALIGN_NAMES, 3, TEXT_LEFT);
    style.width = options_positive(options, "width", 0);
    if (style.size > 512) options_raise(options, "size", "a size of at most 512 pixels");
  }
  Error error = {0};
  if (!overlay_text(host->overlay, string, length, x, y, &style, &error)) return luaL_error(L, "%s", error.text);
  return 0;
}

/// palfrey.hud.rectangle(x: number, y: number, width: number, height: number, options?: {color?: Color, line?: number})
/// A filled rectangle, or a frame.
/// - `color`: a fourth number below 1 lets what is behind show through (white)
/// - `line`: width of the frame in pixels; 0 fills (0)
static int rectangle(lua_State *L) {
  Host *host = check_drawing(L, "rectangle");
  float x = binding_check_number(L, 1), y = binding_check_number(L, 2);
  float width = binding_check_number(L, 3), height = binding_check_number(L, 4), line = 0;
  luaL_argcheck(L, width >= 0, 3, "a width from 0 on expected");
  luaL_argcheck(L, height >= 0, 4, "a height from 0 on expected");
  Color color = {1, 1, 1, 1};
  if (!lua_isnoneornil(L, 5)) {
    static const char *const KNOWN[] = {"color", "line", NULL};
    OptionTable options = options_open(L, 5, "rectangle", KNOWN);
    color = options_color(options, "color", color);
    line = options_not_negative(options, "line", 0);
  }
  Error error = {0};
  if (!overlay_rectangle(host->overlay, x, y, width, height, color, line, &error))
    return luaL_error(L, "%s", error.text);
  return 0;
}

/// palfrey.hud.image(file: string, x: number, y: number, options?: {w?: number, h?: number, color?: Color,
///   source?: number[]}): boolean?, string?
/// Draws an image, its top left at a pixel. true, or nil and a message when the file is missing or broken.
/// - `w`: width in pixels (that of the image or its part)
/// - `h`: height in pixels (that of the image or its part)
/// - `color`: multiplies the image (white)
/// - `source`: the part {x, y, w, h} of the image, in its pixels (all)
static int image(lua_State *L) {
  Host *host = check_drawing(L, "image");
  const char *path = binding_check_string(L, 1);
  float x = binding_check_number(L, 2), y = binding_check_number(L, 3);
  float width = 0, height = 0, source[4];
  bool has_source = false;
  Color color = {1, 1, 1, 1};
  if (!lua_isnoneornil(L, 4)) {
    static const char *const KNOWN[] = {"w", "h", "color", "source", NULL};
    OptionTable options = options_open(L, 4, "image", KNOWN);
    width = options_positive(options, "w", 0);
    height = options_positive(options, "h", 0);
    color = options_color(options, "color", color);
    int count;
    has_source = lua_getfield(L, 4, "source") != LUA_TNIL;
    if (!has_source)
      lua_pop(L, 1);
    else if (!binding_pop_numbers(L, source, 4, 4, &count))
      options_raise(options, "source", "{x, y, w, h}");
  }
  Error error = {0};
  TextureAsset *asset = assets_acquire_texture(host->assets, path, &error);
  if (!asset) return binding_fail(L, &error);
  asset->is_kept = true;
  int full_width, full_height;
  texture_size(asset->texture, &full_width, &full_height);
  if (width == 0) width = has_source ? source[2] : (float)full_width;
  if (height == 0) height = has_source ? source[3] : (float)full_height;
  bool is_good =
      overlay_image(host->overlay, asset->texture, x, y, width, height, color, has_source ? source : NULL, &error);
  assets_release_texture(host->assets, asset);
  return binding_result(L, is_good, &error);
}

/// palfrey.hud.message(text: any, seconds?: number)
/// Shows a line at the bottom left for some seconds of game time (3), the newest lowest. There are at most 8 at a time.
static int message(lua_State *L) {
  luaL_checkany(L, 1);
  lua_settop(L, 2);
  const char *string = luaL_tolstring(L, 1, NULL);
  float seconds = lua_isnil(L, 2) ? 3 : binding_check_number(L, 2);
  luaL_argcheck(L, seconds > 0, 2, "a number above 0 expected");
  host_add_message(binding_host(L), string, seconds);
  return 0;
}

/// palfrey.hud.getMessages(): string[]
/// The messages shown now, oldest first.
static int get_messages(lua_State *L) {
  Host *host = binding_host(L);
  double now = host_seconds(host);
  int count = 0;
  lua_newtable(L);
  for (int i = 0; i < host->message_count; i++) {
    if (host->messages[i].until <= now) continue;
    lua_pushstring(L, host->messages[i].text);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

/// palfrey.hud.getSize(): number, number
/// Width and height of the overlay in pixels.
static int get_size(lua_State *L) {
  binding_platform(L);
  lua_pushinteger(L, binding_host(L)->screen_width);
  lua_pushinteger(L, binding_host(L)->screen_height);
  return 2;
}

/// class palfrey.hud
/// The 2D overlay, in pixels from the top left. `text`, `rectangle` and `image` work only inside palfrey.draw and draw
/// in the order of their calls; the rest works anywhere.
void binding_open_hud(lua_State *L) {
  static const luaL_Reg FUNCTIONS[] = {
      {"text", text},       {"rectangle", rectangle},      {"image", image},
      {"message", message}, {"getMessages", get_messages}, {"getSize", get_size},
      {NULL, NULL},
  };
  luaL_newlib(L, FUNCTIONS);
  lua_setfield(L, -2, "hud");
}
