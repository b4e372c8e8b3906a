// Lights and cameras.
#include "bindings/binding.h"

/// Light:getColor(): number, number, number
/// Red, green and blue.
static int get_color(lua_State *L) {
  World *world;
  Color color = binding_check_light(L, 1, &world)->color;
  lua_pushnumber(L, color.r);
  lua_pushnumber(L, color.g);
  lua_pushnumber(L, color.b);
  return 3;
}

/// Light:setColor(r: number, g: number, b: number)
/// Red, green and blue, 1 being full.
static int set_color(lua_State *L) {
  World *world;
  LightInstance *light = binding_check_light(L, 1, &world);
  Vec3 color = binding_check_vec3(L, 2);
  light->color = (Color){color.x, color.y, color.z, 1};
  return 0;
}

/// Light:getIntensity(): number
/// The factor of the colour.
static int get_intensity(lua_State *L) {
  World *world;
  lua_pushnumber(L, binding_check_light(L, 1, &world)->intensity);
  return 1;
}

/// Light:setIntensity(intensity: number)
/// The factor of the colour, 0 or more.
static int set_intensity(lua_State *L) {
  World *world;
  LightInstance *light = binding_check_light(L, 1, &world);
  float intensity = binding_check_number(L, 2);
  luaL_argcheck(L, intensity >= 0, 2, "a number from 0 on expected");
  light->intensity = intensity;
  return 0;
}

/// Light:setDirection(x: number, y: number, z: number)
/// Turns the light: the direction, of any length but 0, is where it travels.
static int set_direction(lua_State *L) {
  World *world;
  Handle light = binding_check_light(L, 1, &world)->node;
  Vec3 direction = binding_check_vec3(L, 2);
  luaL_argcheck(L, vec3_length(direction) > 0, 2, "a direction other than 0, 0, 0 expected");
  scene_set_quat(scene_get(&world->scene, light), quat_look_along(direction));
  return 0;
}

/// class Light: Node
/// A light. It shines from its position along its -Z.
const luaL_Reg LIGHT_METHODS[] = {
    {"getColor", get_color},         {"setColor", set_color},         {"getIntensity", get_intensity},
    {"setIntensity", set_intensity}, {"setDirection", set_direction}, {NULL, NULL},
};

// --- Cameras ---

static void screen_size(lua_State *L, int *width, int *height) {
  const Host *host = binding_host(L);
  *width = host->screen_width;
  *height = host->screen_height;
}

/// Camera:toRay(x: number, y: number): number, number, number, number, number, number
/// Origin and unit direction, both in the world, of the ray through a pixel.
static int to_ray(lua_State *L) {
  World *world;
  Handle camera = binding_check_camera(L, 1, &world)->node;
  float x = binding_check_number(L, 2), y = binding_check_number(L, 3);
  int width, height;
  screen_size(L, &width, &height);
  DrawCamera drawn = world_draw_camera(world, camera, 1);
  Vec3 origin, direction;
  camera_ray(&drawn, width, height, x, y, &origin, &direction);
  lua_pushnumber(L, origin.x);
  lua_pushnumber(L, origin.y);
  lua_pushnumber(L, origin.z);
  lua_pushnumber(L, direction.x);
  lua_pushnumber(L, direction.y);
  lua_pushnumber(L, direction.z);
  return 6;
}

/// Camera:toScreen(x: number, y: number, z: number): number, number, boolean
/// The pixel at which a point of the world is seen, and whether it is in front of the camera.
static int to_screen(lua_State *L) {
  World *world;
  Handle camera = binding_check_camera(L, 1, &world)->node;
  Vec3 point = binding_check_vec3(L, 2);
  int width, height;
  screen_size(L, &width, &height);
  DrawCamera drawn = world_draw_camera(world, camera, 1);
  float x, y;
  bool in_front = camera_project(&drawn, width, height, point, &x, &y);
  lua_pushnumber(L, x);
  lua_pushnumber(L, y);
  lua_pushboolean(L, in_front);
  return 3;
}

/// Camera:getFov(): number
/// The vertical angle of view, degrees.
static int get_fov(lua_State *L) {
  World *world;
  lua_pushnumber(L, binding_check_camera(L, 1, &world)->fov);
  return 1;
}

/// Camera:setFov(degrees: number)
/// The vertical angle of view, between 0 and 180; a parallel camera has none.
static int set_fov(lua_State *L) {
  World *world;
  CameraInstance *camera = binding_check_camera(L, 1, &world);
  float fov = binding_check_number(L, 2);
  luaL_argcheck(L, fov > 0 && fov < 180, 2, "an angle between 0 and 180 degrees expected");
  camera->fov = fov;
  return 0;
}

/// Camera:getMode(): "fixed"|"first"|"third"|"orbit"
/// How it follows; see addCamera.
static int get_mode(lua_State *L) {
  World *world;
  lua_pushstring(L, MODE_NAMES[binding_check_camera(L, 1, &world)->mode]);
  return 1;
}

/// Camera:setMode(mode: "fixed"|"first"|"third"|"orbit")
/// How it follows; see addCamera.
static int set_mode(lua_State *L) {
  World *world;
  CameraInstance *camera = binding_check_camera(L, 1, &world);
  camera->mode = (CameraMode)binding_check_choice(L, 2, MODE_NAMES, 4);
  return 0;
}

/// Camera:setFollow(node: Node?)
/// The node that the modes "first", "third" and "orbit" go by; nil for none.
static int set_follow(lua_State *L) {
  World *world, *other;
  CameraInstance *camera = binding_check_camera(L, 1, &world);
  Handle follow = {0};
  if (!lua_isnil(L, 2)) {
    follow = binding_check_node(L, 2, &other)->handle;
    luaL_argcheck(L, other == world, 2, "the node is of another world");
  }
  camera->follow = follow;
  return 0;
}

/// Camera:setOrbit(heading: number, pitch: number, distance?: number)
/// How the mode "orbit" looks at what it follows: degrees (-20 of pitch at first, kept between -89 and 89), and metres
/// away (as before).
static int set_orbit(lua_State *L) {
  World *world;
  CameraInstance *camera = binding_check_camera(L, 1, &world);
  float heading = binding_check_number(L, 2), pitch = binding_check_number(L, 3);
  float distance = lua_isnoneornil(L, 4) ? camera->distance : binding_check_number(L, 4);
  luaL_argcheck(L, distance > 0, 4, "a distance above 0 expected");
  camera->orbit_heading = heading;
  camera->orbit_pitch = clampf(pitch, -89, 89);
  camera->distance = distance;
  return 0;
}

/// class Camera: Node
/// A camera, which looks along its -Z. Pixels count from the top left; the middle of the first one is at 0.5, 0.5.
const luaL_Reg CAMERA_METHODS[] = {
    {"toRay", to_ray},         {"toScreen", to_screen}, {"getFov", get_fov},
    {"setFov", set_fov},       {"getMode", get_mode},   {"setMode", set_mode},
    {"setFollow", set_follow}, {"setOrbit", set_orbit}, {NULL, NULL},
};
