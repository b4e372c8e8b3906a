// Models, and players and NPCs that show one: skins, clips, frames, what is attached.
#include "bindings/binding.h"
#include "loaders/model_pose.h"

#include <limits.h>

/// Model:setSkin(file: string): boolean?, string?
/// Shows another image on the whole model, at any time. true, or nil and a message when the file is missing or broken.
static int set_skin(lua_State *L) {
  World *world;
  Handle node = binding_check_model(L, 1, &world)->node;
  const char *path = binding_check_string(L, 2);
  Error error = {0};
  return binding_result(L, world_set_skin(world, node, path, &error), &error);
}

/// Model:getSkin(): string?
/// File of the image shown: the one set, else the first that the model names; nil for none.
static int get_skin(lua_State *L) {
  World *world;
  const ModelInstance *model = binding_check_model(L, 1, &world);
  const ModelAsset *asset = model->asset;
  const TextureAsset *skin = model->skin;
  for (int i = 0; !skin && i < asset->model->material_count; i++)
    skin = asset->skins[i];
  lua_pushstring(L, skin ? skin->path : NULL);
  return 1;
}

/// Model:getClips(): {name: string, frames: integer, duration: number}[]
/// The clips of the model, in the order of the file.
/// - `name`: for Quake II's models see [Clips of MD2](#clips-of-md2)
/// - `frames`: how many; clips of nodes count theirs 30 times a second
/// - `duration`: seconds of one turn in a loop
static int get_clips(lua_State *L) {
  World *world;
  const Model *model = binding_check_model(L, 1, &world)->asset->model;
  lua_createtable(L, model->clip_count, 0);
  for (int i = 0; i < model->clip_count; i++) {
    const ModelClip *clip = &model->clips[i];
    lua_createtable(L, 0, 3);
    lua_pushstring(L, clip->name);
    lua_setfield(L, -2, "name");
    lua_pushinteger(L, model_clip_frames(clip));
    lua_setfield(L, -2, "frames");
    lua_pushnumber(L, clip_duration(clip, true));
    lua_setfield(L, -2, "duration");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int check_clip(lua_State *L, int index, const Model *model) {
  const char *name = binding_check_string(L, index);
  int clip = model_find_clip(model, name);
  Error error = {0};
  if (clip < 0) {
    world_unknown_clip(model, name, &error);
    luaL_argerror(L, index, error.text);
  }
  return clip;
}

/// Model:play(clip: string, options?: {loop?: boolean, fade?: number, speed?: number, restart?: boolean})
/// Plays a clip. One that is playing already takes the options over without starting again, unless `restart`.
/// - `loop`: false holds the last frame at the end (true)
/// - `fade`: seconds in which the picture before blends into the clip (0)
/// - `speed`: factor; negative plays backwards (1)
/// - `restart`: start again from the first frame (false)
static int play(lua_State *L) {
  World *world;
  ModelInstance *model = binding_check_model(L, 1, &world);
  int clip = check_clip(L, 2, model->asset->model);
  PlayOptions options = {0};
  if (!lua_isnoneornil(L, 3)) {
    static const char *const KNOWN[] = {"loop", "fade", "speed", "restart", NULL};
    OptionTable table = options_open(L, 3, "play", KNOWN);
    options.has_loop = options_has(table, "loop");
    options.loop = options_boolean(table, "loop", true);
    options.has_speed = options_has(table, "speed");
    options.speed = options_number(table, "speed", 1);
    options.fade = options_not_negative(table, "fade", 0);
    options.restart = options_boolean(table, "restart", false);
  }
  animation_play(&model->animation, model->asset->model, clip, &options);
  return 0;
}

/// Model:stop()
/// Holds the clip where it is.
static int stop(lua_State *L) {
  World *world;
  animation_stop(&binding_check_model(L, 1, &world)->animation);
  return 0;
}

/// Model:isPlaying(clip?: string): boolean
/// Whether that clip, or any, plays. One that ended without `loop` does not.
static int is_playing(lua_State *L) {
  World *world;
  const ModelInstance *model = binding_check_model(L, 1, &world);
  int clip = lua_isnoneornil(L, 2) ? model->animation.clip : check_clip(L, 2, model->asset->model);
  lua_pushboolean(L, model->animation.is_playing && model->animation.clip == clip);
  return 1;
}

/// Model:getClip(): string?, number
/// The clip that plays, was stopped or ended, and the seconds in it; nil and 0 for none.
static int get_clip(lua_State *L) {
  World *world;
  const ModelInstance *model = binding_check_model(L, 1, &world);
  int clip = model->animation.clip;
  lua_pushstring(L, clip >= 0 ? model->asset->model->clips[clip].name : NULL);
  lua_pushnumber(L, clip >= 0 ? model->animation.time : 0);
  return 2;
}

/// Model:getFrame(): number
/// The frame shown, counted in the file from 0, or in the clip where clips move nodes or bones; between two frames the part of the way counts as a fraction.
static int get_frame(lua_State *L) {
  World *world;
  const ModelInstance *model = binding_check_model(L, 1, &world);
  float frame = animation_get_frame(&model->animation, model->asset->model);
  int whole = (int)frame;
  lua_pushnumber(L, (double)world_file_frame(model, whole) + (double)(frame - (float)whole));
  return 1;
}

/// Model:setFrame(frame: integer)
/// Leaves the clip and stands still at a frame, counted in the file from 0; where clips move nodes or bones, in the clip
/// at hand, else in the first. A frame that is not there raises.
static int set_frame(lua_State *L) {
  World *world;
  ModelInstance *model = binding_check_model(L, 1, &world);
  lua_Integer frame = luaL_checkinteger(L, 2);
  int count;
  if (!world_show_frame(model, frame >= 0 && frame < INT_MAX ? (int)frame : -1, &count))
    luaL_argerror(L, 2, lua_pushfstring(L, "frame %I is not there: %d frames are loaded", frame, count));
  return 0;
}

/// Model:addMarker(clip: string, frame: number, name: string)
/// Raises a "marker" event of this name each time the clip passes the frame, counted in the clip from 0: footsteps, the
/// moment of a blow.
static int add_marker(lua_State *L) {
  World *world;
  ModelInstance *model = binding_check_model(L, 1, &world);
  const Model *source = model->asset->model;
  int clip = check_clip(L, 2, source);
  float frame = binding_check_number(L, 3);
  const char *name = binding_check_string(L, 4);
  int last = model_clip_frames(&source->clips[clip]) - 1;
  if (frame < 0 || frame > (float)last) luaL_argerror(L, 3, lua_pushfstring(L, "a frame from 0 to %d expected", last));
  Error error;
  if (!animation_add_marker(&model->animation, world->memory, source, clip, frame, name, &error))
    return luaL_error(L, "%s", error.text);
  return 0;
}

/// class Model: Node
/// A node that shows a model, and what it plays. A clip that is not in the model raises, with a list of those that are.
const luaL_Reg MODEL_METHODS[] = {
    {"setSkin", set_skin},   {"getSkin", get_skin},     {"getClips", get_clips},    {"play", play},
    {"stop", stop},          {"isPlaying", is_playing}, {"getClip", get_clip},      {"getFrame", get_frame},
    {"setFrame", set_frame}, {"addMarker", add_marker}, {"attach", binding_attach}, {NULL, NULL},
};
