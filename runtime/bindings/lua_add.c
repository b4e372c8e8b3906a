// world:add...: every maker takes one table of options.
#include <stdlib.h>

#include "bindings/binding.h"

#define PLACE_OPTIONS "name", "position", "heading", "rotation", "scale", "parent"

enum { MAX_FRAMES_OPTION = MODEL_MAX_FRAMES };

/// type Vec3: number[]
/// Three numbers {x, y, z}: a place in metres, or a direction.
///
/// type Color: number[]
/// {r, g, b} or {r, g, b, a}, numbers from 0 to 1 as the screen shows them. Lights may be brighter than 1.
static Vec3 read_scale(OptionTable options) {
  Vec3 scale = {1, 1, 1};
  lua_getfield(options.lua, options.table, "scale");
  bool is_table = lua_istable(options.lua, -1);
  lua_pop(options.lua, 1);
  if (is_table) {
    scale = options_vec3(options, "scale", scale);
  } else {
    float all = options_number(options, "scale", 1);
    scale = vec3(all, all, all);
  }
  if (scale.x == 0 || scale.y == 0 || scale.z == 0) options_raise(options, "scale", "a scale other than 0");
  return scale;
}

/// type Place: {name?: string, position?: Vec3, heading?: number, rotation?: number[], scale?: number|Vec3,
///   parent?: Node}
/// Options of everything that makes a node: what it is called and where it is.
/// - `name`: any text; several nodes may share one
/// - `position`: metres, relative to the parent ({0, 0, 0})
/// - `heading`: degrees about +Y: 0 looks along -Z, 90 along -X (0)
/// - `rotation`: {degrees, x, y, z}: about an axis, in place of the heading
/// - `scale`: one factor, or one for each axis (1)
/// - `parent`: the node it moves with; without it, it belongs to the world
static Placement read_place(OptionTable options, World *world) {
  Placement place = {
      .name = options_string(options, "name", NULL),
      .parent = options_node(options, "parent", world),
      .position = options_vec3(options, "position", vec3(0, 0, 0)),
      .scale = read_scale(options),
      .heading = options_number(options, "heading", 0),
  };
  if (lua_getfield(options.lua, options.table, "rotation") != LUA_TNIL) {
    float numbers[4];
    int count;
    if (!binding_pop_numbers(options.lua, numbers, 4, 4, &count))
      options_raise(options, "rotation", "{angle, x, y, z}: degrees about an axis");
    place.has_rotation = true;
    place.angle = numbers[0];
    place.axis = vec3(numbers[1], numbers[2], numbers[3]);
    if (!(vec3_length(place.axis) > 0)) options_raise(options, "rotation", "an axis other than 0, 0, 0");
    return place;
  }
  lua_pop(options.lua, 1);
  return place;
}

static int compare_ints(const void *a, const void *b) {
  int first = *(const int *)a, second = *(const int *)b;
  return (first > second) - (first < second);
}

// `frames`: a list of frame numbers of the file, or one number. The sorted list lives in a userdata left on the stack.
static FrameSelection read_frames(OptionTable options) {
  lua_State *L = options.lua;
  if (!options_has(options, "frames")) return (FrameSelection){0};
  lua_getfield(L, options.table, "frames");
  bool is_list = lua_istable(L, -1);
  lua_Integer count = is_list ? (lua_Integer)lua_rawlen(L, -1) : 1;
  if (count < 1 || count > MAX_FRAMES_OPTION) options_raise(options, "frames", "a list of frame numbers");
  int *frames = lua_newuserdatauv(L, (size_t)count * sizeof *frames, 0);
  for (int i = 0; i < count; i++) {
    if (is_list)
      lua_rawgeti(L, -2, i + 1);
    else
      lua_pushvalue(L, -2);
    int is_integer;
    lua_Integer frame = lua_tointegerx(L, -1, &is_integer);
    if (!is_integer || frame < 0 || frame >= MODEL_MAX_FRAMES)
      options_raise(options, "frames", "a list of frame numbers from 0 on");
    frames[i] = (int)frame;
    lua_pop(L, 1);
  }
  qsort(frames, (size_t)count, sizeof *frames, compare_ints);
  int unique = 0;
  for (int i = 0; i < count; i++) {
    if (i == 0 || frames[i] != frames[unique - 1]) frames[unique++] = frames[i];
  }
  return (FrameSelection){frames, unique};
}

const char *const COLLIDE_NAMES[4] = {"none", "box", "sphere", "mesh"};

static const char *required_string(OptionTable options, const char *name) {
  const char *text = options_string(options, name, NULL);
  if (!text) luaL_error(options.lua, "%s: option '%s' is missing", options.function, name);
  return text;
}

static int frame_option(OptionTable options) {
  int frame = options_integer(options, "frame", -1);
  if (options_has(options, "frame") && frame < 0) options_raise(options, "frame", "a frame number from 0 on");
  return frame;
}

static void give_node(lua_State *L, Handle node) {
  binding_push_node(L, 1, node);
}

// Pushes the new node, or nil and the message. A failed maker leaves notes of removed nodes that no value has.
static int finish(lua_State *L, World *world, bool is_good, Handle node, const Error *error) {
  if (!is_good) {
    world->removed.count = 0;
    return binding_fail(L, error);
  }
  give_node(L, node);
  return 1;
}

/// World:addGroup(options?: Place): Group
/// Adds a node that only holds others.
static int add_group(lua_State *L) {
  World *world = binding_check_world(L, 1);
  static const char *const KNOWN[] = {PLACE_OPTIONS, NULL};
  if (lua_isnoneornil(L, 2)) {
    lua_settop(L, 1);
    lua_newtable(L);
  }
  Placement place = read_place(options_open(L, 2, "addGroup", KNOWN), world);
  Handle node;
  Error error = {0};
  return finish(L, world, world_add_group(world, &place, &node, &error), node, &error);
}

/// World:addModel(options: Place & {model: string, skin?: string, tall?: number,
///   collide?: "none"|"box"|"sphere"|"mesh", frames?: integer|integer[], animation?: string,
///   frame?: integer}): Model?, string?
/// Adds a model; every object or node of the file is a child found by its name. nil and a message when a file is
/// missing or broken. A file is loaded once, however many nodes show it.
/// - `model`: file of the model
/// - `skin`: image in place of the model's own
/// - `tall`: metres: scales the model so that its first frame is that high
/// - `collide`: what walkers and sweeps meet: a box or sphere around it, or its triangles ("none")
/// - `frames`: frames of the file to load, counted from 0 (all); what is left out takes no memory
/// - `animation`: clip to play, in a loop
/// - `frame`: frame to stand still at, from 0: of the file of a vertex-animated model, which then has no `animation`; else of
///   the `animation`, or the first clip
static int add_model(lua_State *L) {
  World *world = binding_check_world(L, 1);
  static const char *const KNOWN[] = {PLACE_OPTIONS, "model", "skin", "collide", "frames",
                                      "animation",   "frame", "tall", NULL};
  OptionTable options = options_open(L, 2, "addModel", KNOWN);
  ModelDesc desc = {
      .place = read_place(options, world),
      .model = required_string(options, "model"),
      .skin = options_string(options, "skin", NULL),
      .collide = (CollideKind)options_choice(options, "collide", COLLIDE_NAMES, 4, COLLIDE_NONE),
      .clip = options_string(options, "animation", NULL),
      .frame = frame_option(options),
      .tall = options_positive(options, "tall", 0),
  };
  desc.frames = read_frames(options);
  Handle node;
  Error error = {0};
  return finish(L, world, world_add_model(world, &desc, &node, &error), node, &error);
}

const char *const LIGHT_NAMES[4] = {"ambient", "directional", "point", "spot"};

/// World:addLight(options: Place & {kind?: "ambient"|"directional"|"point"|"spot", color?: Color, intensity?: number,
///   direction?: Vec3, range?: number, angle?: number}): Light
/// Adds a light. Each thing is lit by the (at most) 4 lights that reach it most.
/// - `kind`: "ambient" is everywhere, "directional" comes from afar, like the sun ("point")
/// - `color`: of the light ({1, 1, 1})
/// - `intensity`: factor of the colour, 0 or more (1)
/// - `direction`: where a directional light or a spot travels ({0, -1, 0} unless there is a heading or rotation)
/// - `range`: metres at which a point light or a spot has faded to nothing; 0 never fades (0)
/// - `angle`: degrees of a spot's full cone, below 180 (45)
static int add_light(lua_State *L) {
  World *world = binding_check_world(L, 1);
  static const char *const KNOWN[] = {PLACE_OPTIONS, "kind", "color", "intensity", "direction", "range", "angle", NULL};
  OptionTable options = options_open(L, 2, "addLight", KNOWN);
  Placement place = read_place(options, world);
  LightInstance light = {
      .kind = (LightKind)options_choice(options, "kind", LIGHT_NAMES, 4, LIGHT_POINT),
      .color = options_color(options, "color", (Color){1, 1, 1, 1}),
      .intensity = options_not_negative(options, "intensity", 1),
      .range = options_not_negative(options, "range", 0),
      .angle = options_positive(options, "angle", 45),
  };
  if (light.angle >= 180) options_raise(options, "angle", "a cone below 180 degrees");
  bool is_turned = place.has_rotation || options_has(options, "heading");
  bool has_direction = options_has(options, "direction");
  Vec3 direction = options_vec3(options, "direction", vec3(0, -1, 0));
  if (!(vec3_length(direction) > 0)) options_raise(options, "direction", "a direction other than {0, 0, 0}");
  Handle node;
  Error error = {0};
  if (!world_add_light(world, &place, &light, &node, &error)) return finish(L, world, false, node, &error);
  if (has_direction || !is_turned) scene_set_quat(scene_get(&world->scene, node), quat_look_along(direction));
  give_node(L, node);
  return 1;
}

const char *const CAMERA_NAMES[2] = {"perspective", "parallel"};
const char *const MODE_NAMES[4] = {"fixed", "first", "third", "orbit"};

// The camera's target: a point or a node.
static void read_target(OptionTable options, World *world, CameraInstance *camera) {
  lua_State *L = options.lua;
  lua_getfield(L, options.table, "target");
  bool is_point = lua_istable(L, -1);
  lua_pop(L, 1);
  if (is_point) {
    camera->target = options_vec3(options, "target", camera->target);
    camera->has_target = true;
  } else {
    camera->target_node = options_node(options, "target", world);
  }
}

static CameraInstance read_camera(OptionTable options, World *world) {
  CameraInstance camera = {
      .kind = (CameraKind)options_choice(options, "kind", CAMERA_NAMES, 2, CAMERA_PERSPECTIVE),
      .fov = options_positive(options, "fov", 60),
      .size = options_positive(options, "size", 10),
      .near_plane = options_positive(options, "near", 0.1f),
      .far_plane = options_positive(options, "far", 500),
      .follow = options_node(options, "follow", world),
      .distance = options_positive(options, "distance", 4),
      .orbit_pitch = CAMERA_ORBIT_PITCH,
  };
  if (camera.fov >= 180) options_raise(options, "fov", "an angle below 180 degrees");
  if (camera.far_plane <= camera.near_plane) options_raise(options, "far", "a distance beyond 'near'");
  read_target(options, world, &camera);
  int usual = camera.follow.generation ? CAMERA_THIRD : CAMERA_FIXED;
  camera.mode = (CameraMode)options_choice(options, "mode", MODE_NAMES, 4, usual);
  return camera;
}

/// World:addCamera(options?: Place & {kind?: "perspective"|"parallel", fov?: number, size?: number, near?: number,
///   far?: number, target?: Vec3|Node, follow?: Node, mode?: "fixed"|"first"|"third"|"orbit",
///   distance?: number}): Camera
/// Adds a camera, which looks along its -Z.
/// - `kind`: with or without perspective ("perspective")
/// - `fov`: vertical angle of view in degrees, below 180 (60)
/// - `size`: full height that a parallel camera sees, metres (10)
/// - `near`: metres to the nearest thing seen (0.1)
/// - `far`: metres to the farthest thing seen (500)
/// - `target`: a point it is turned to now, or a node it keeps looking at
/// - `follow`: the node that the modes other than "fixed" go by
/// - `mode`: "first" sees with the eyes of `follow`; "third" stays behind it and in front of walls; "orbit" looks from
///   where setOrbit says, also at a point; "fixed" stays where it is put ("third" with `follow`, else "fixed")
/// - `distance`: metres from what is followed, in the modes "third" and "orbit" (4)
static int add_camera(lua_State *L) {
  World *world = binding_check_world(L, 1);
  static const char *const KNOWN[] = {PLACE_OPTIONS, "kind",   "fov",  "size",     "near", "far",
                                      "target",      "follow", "mode", "distance", NULL};
  if (lua_isnoneornil(L, 2)) {
    lua_settop(L, 1);
    lua_newtable(L);
  }
  OptionTable options = options_open(L, 2, "addCamera", KNOWN);
  Placement place = read_place(options, world);
  CameraInstance camera = read_camera(options, world);
  Handle node;
  Error error = {0};
  if (!world_add_camera(world, &place, &camera, &node, &error)) return finish(L, world, false, node, &error);
  if (camera.has_target && camera.mode == CAMERA_FIXED) {
    Vec3 from = scene_current_world(&world->scene, scene_get(&world->scene, node)).origin;
    scene_set_quat(scene_get(&world->scene, node), quat_look_along(vec3_sub(camera.target, from)));
  }
  give_node(L, node);
  return 1;
}

const char *const FORWARD_NAMES[4] = {"-z", "+z", "-x", "+x"};

const float FORWARD_TURNS[4] = {0, 180, -90, 90};

/// type CharacterOptions: Place & {model?: string, skin?: string, animation?: string, frame?: integer, tall?: number,
///   health?: number, radius?: number, height?: number, forward?: "-z"|"+z"|"-x"|"+x", speed?: number,
///   stepHeight?: number, slopeLimit?: number}
/// Options of players and NPCs. They stand on their feet, where the lowest point of the model is.
/// - `model`: file of the model
/// - `skin`: image in place of the model's own
/// - `animation`: clip to play, in a loop
/// - `frame`: frame to stand still at, from 0: of the file of a vertex-animated model, which then has no `animation`; else of
///   the `animation`, or the first clip
/// - `tall`: metres: scales the model so that its first frame is that high
/// - `health`: 0 makes a dead one (100)
/// - `radius`: metres, of the capsule that blocks (from the first frame; 0.4 without a model)
/// - `height`: metres, of the capsule (from the first frame; 1.8 without a model)
/// - `forward`: where the model's front is in its file ("+z" for glTF, else "-z")
/// - `speed`: metres a second (player 4, NPC 2)
/// - `stepHeight`: metres it climbs without jumping (0.3)
/// - `slopeLimit`: degrees of the steepest ground it can walk up (45)
static CharacterDesc read_character(OptionTable options, World *world) {
  CharacterDesc desc = {
      .model =
          {
              .place = read_place(options, world),
              .model = options_string(options, "model", NULL),
              .skin = options_string(options, "skin", NULL),
              .clip = options_string(options, "animation", NULL),
              .frame = frame_option(options),
              .tall = options_positive(options, "tall", 0),
          },
      .health = options_not_negative(options, "health", 100),
      .radius = options_positive(options, "radius", 0),
      .height = options_positive(options, "height", 0),
      .has_forward = options_has(options, "forward"),
      .forward_turn = FORWARD_TURNS[options_choice(options, "forward", FORWARD_NAMES, 4, 0)],
      .step_height = options_not_negative(options, "stepHeight", 0.3f),
      .slope_limit = options_positive(options, "slopeLimit", 45),
      .blocks = true,
  };
  if (desc.slope_limit >= 90) options_raise(options, "slopeLimit", "an angle below 90 degrees");
  static const char *const OF_MODELS[] = {"skin", "animation", "frame", "tall"};
  for (int i = 0; i < 4 && !desc.model.model; i++) {
    if (options_has(options, OF_MODELS[i]))
      luaL_error(options.lua, "%s: option '%s' needs a model", options.function, OF_MODELS[i]);
  }
  return desc;
}

#define CHARACTER_OPTIONS                                                                                         \
  PLACE_OPTIONS, "model", "skin", "animation", "frame", "tall", "health", "radius", "height", "forward", "speed", \
      "stepHeight", "slopeLimit"

/// World:addPlayer(options?: CharacterOptions & {jump?: number}): Player?, string?
/// Adds a player: a body that walks, jumps and shoots, with or without a model. nil and a message when a file is
/// missing or broken.
/// - `jump`: upward speed of a jump, metres a second (4.5)
static int add_player(lua_State *L) {
  World *world = binding_check_world(L, 1);
  static const char *const KNOWN[] = {CHARACTER_OPTIONS, "jump", NULL};
  if (lua_isnoneornil(L, 2)) {
    lua_settop(L, 1);
    lua_newtable(L);
  }
  OptionTable options = options_open(L, 2, "addPlayer", KNOWN);
  CharacterDesc desc = read_character(options, world);
  desc.speed = options_not_negative(options, "speed", 4);
  desc.jump = options_not_negative(options, "jump", 4.5f);
  Handle node;
  Error error = {0};
  return finish(L, world, world_add_player(world, &desc, &node, &error), node, &error);
}

/// World:addNPC(options: CharacterOptions & {model: string, frames?: integer|integer[], turnRate?: number,
///   arrive?: number, collide?: "none"|"capsule"}): NPC?, string?
/// Adds a character that scripts give goals to. nil and a message when a file is missing or broken. It stays where it
/// is put until it first moves; then it follows the ground.
/// - `model`: file of the model
/// - `frames`: frames of the file to load, counted from 0 (all)
/// - `turnRate`: degrees a second (360)
/// - `arrive`: metres from its goal where it has arrived (0.5)
/// - `collide`: "none": nobody runs into it ("capsule")
static int add_npc(lua_State *L) {
  World *world = binding_check_world(L, 1);
  static const char *const KNOWN[] = {CHARACTER_OPTIONS, "frames", "turnRate", "collide", "arrive", NULL};
  static const char *const COLLIDES[] = {"none", "capsule", "box", "sphere", "mesh"};
  OptionTable options = options_open(L, 2, "addNPC", KNOWN);
  CharacterDesc desc = read_character(options, world);
  desc.model.model = required_string(options, "model");
  desc.speed = options_not_negative(options, "speed", 2);
  desc.turn_rate = options_positive(options, "turnRate", 360);
  desc.arrive = options_positive(options, "arrive", 0.5f);
  desc.blocks = options_choice(options, "collide", COLLIDES, 5, 1) != 0;
  desc.model.frames = read_frames(options);
  Handle node;
  Error error = {0};
  return finish(L, world, world_add_npc(world, &desc, &node, &error), node, &error);
}

const luaL_Reg WORLD_ADD_METHODS[] = {
    {"addGroup", add_group},
    {"addModel", add_model},
    {"addLight", add_light},
    {"addCamera", add_camera},
    {"addPlayer", add_player},
    {"addNPC", add_npc},
    {NULL, NULL},
};

/// Model:attach(options: {model: string, skin?: string, name?: string, joint?: string, position?: Vec3,
///   heading?: number, rotation?: number[], scale?: number|Vec3}): Model?, string?
/// Adds a model that moves with this node, or with one of its joints, and goes with it. Attached to a vertex-animated model,
/// a vertex-animated one shows the frame of its host. nil and a message when a file is missing or broken.
/// - `model`: file of the model
/// - `skin`: image in place of the model's own
/// - `name`: of the new node
/// - `joint`: name in this model's file of the joint, or another node, that it is fixed to; one the model has not raises
/// - `position`: in metres of this node or of the joint ({0, 0, 0})
/// - `heading`: degrees (0)
/// - `rotation`: {degrees, x, y, z}, in place of the heading
/// - `scale`: one factor, or one for each axis (1)
int binding_attach(lua_State *L) {
  World *world;
  Node *host = binding_check_node(L, 1, &world);
  static const char *const KNOWN[] = {"name",  "position", "heading", "rotation", "scale",
                                      "model", "skin",     "joint",   NULL};
  OptionTable options = options_open(L, 2, "attach", KNOWN);
  ModelDesc desc = {
      .place = read_place(options, world),
      .model = required_string(options, "model"),
      .skin = options_string(options, "skin", NULL),
      .frame = -1,
  };
  Handle node, host_handle = host->handle;
  const char *joint = options_string(options, "joint", NULL);
  if (joint) desc.place.parent = world_find_joint(world, host_handle, joint);
  if (joint && !desc.place.parent.generation) luaL_error(L, "attach: the model has no joint \"%s\"", joint);
  Error error = {0};
  bool is_good =
      joint ? world_add_model(world, &desc, &node, &error) : world_attach(world, host_handle, &desc, &node, &error);
  if (!is_good) {
    world->removed.count = 0;
    return binding_fail(L, &error);
  }
  binding_push_world_of(L, 1);
  binding_push_node(L, -1, node);
  return 1;
}
