// Describes worlds and nodes as the option tables that make them again: what scripts/lib/level.lua writes into a file.
// Numbers are pushed as the floats they are, so that writing and reading them back loses nothing.
#include <string.h>

#include "bindings/binding.h"
#include "loaders/model_pose.h"
#include "log.h"

static void set_number(lua_State *L, const char *name, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}

static void set_number_unless(lua_State *L, const char *name, float value, float usual) {
  if (value != usual) set_number(L, name, value);
}

static void set_string(lua_State *L, const char *name, const char *value) {
  lua_pushstring(L, value);
  lua_setfield(L, -2, name);
}

static void set_list(lua_State *L, const char *name, const float *values, int count) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushnumber(L, values[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, name);
}

static void set_vec3(lua_State *L, const char *name, Vec3 v) {
  set_list(L, name, (const float[]){v.x, v.y, v.z}, 3);
}

static void set_color(lua_State *L, const char *name, Color color) {
  set_list(L, name, (const float[]){color.r, color.g, color.b}, 3);
}

static void set_node(lua_State *L, const char *name, const World *world, Handle handle) {
  if (!scene_get(&world->scene, handle)) return;
  binding_push_world_of(L, 1);
  binding_push_node(L, -1, handle);
  lua_remove(L, -2);
  lua_setfield(L, -2, name);
}

static void set_scale(lua_State *L, Vec3 scale) {
  if (scale.x == 1 && scale.y == 1 && scale.z == 1) return;
  if (scale.x == scale.y && scale.y == scale.z)
    set_number(L, "scale", scale.x);
  else
    set_vec3(L, "scale", scale);
}

static void set_rotation(lua_State *L, const Node *node) {
  if (node->has_heading) {
    // A light that is not turned shines down, one of heading 0 ahead.
    if (node->heading != 0 || node->light >= 0) set_number(L, "heading", node->heading);
  } else {
    set_list(L, "rotation", (const float[]){node->axis_angle, node->axis.x, node->axis.y, node->axis.z}, 4);
  }
}

static void describe_place(lua_State *L, const World *world, const Node *node) {
  if (node->name) set_string(L, "name", node->name);
  if (!vec3_equals(node->position, vec3(0, 0, 0))) set_vec3(L, "position", node->position);
  set_rotation(L, node);
  set_node(L, "parent", world, node->parent);
}

// A clip that loops is played; who stands still does so at the nearest frame, and a clip that is played once at its end.
static void describe_animation(lua_State *L, const ModelInstance *model) {
  const Animation *animation = &model->animation;
  const ModelClip *clip = animation->clip >= 0 ? &model->asset->model->clips[animation->clip] : NULL;
  bool is_looping = animation->is_playing && animation->loops;
  if (model->host.generation) return;
  if (clip && (is_looping || clip->kind != CLIP_VERTEX)) set_string(L, "animation", clip->name);
  if (!clip && animation->frame > 0) set_number(L, "frame", world_file_frame(model, (int)animation->frame));
  if (!clip || is_looping) return;
  float time = animation->time;
  if (animation->is_playing) time = animation->speed < 0 ? 0 : clip_duration(clip, false);
  int frame = (int)lrintf(time * clip->fps);
  if (clip->kind != CLIP_VERTEX) {
    set_number(L, "frame", fminf((float)frame, (float)(model_clip_frames(clip) - 1)));
    return;
  }
  FramePose pose = model_clip_pose(clip, (float)frame / clip->fps, false);
  set_number(L, "frame", world_file_frame(model, pose.mix < 0.5f ? pose.frame_a : pose.frame_b));
}

// `tall` and the scale beside it: as they were given, unless a script has scaled the node since.
static void describe_tall(lua_State *L, const Node *node, const ModelInstance *model) {
  Bounds bounds = world_first_bounds(model);
  float height = bounds.max.y - bounds.min.y;
  Vec3 asked = model->asked_scale, made = vec3_scale(asked, model->tall / (height * fabsf(asked.y)));
  bool is_as_made = vec3_equals(node->scale, made);
  set_number(L, "tall", is_as_made ? model->tall : height * fabsf(node->scale.y));
  set_scale(L, is_as_made ? asked : node->scale);
}

static void describe_model(lua_State *L, const Node *node, const ModelInstance *model) {
  const ModelAsset *asset = model->asset;
  set_string(L, "model", asset->path);
  if (model->skin) set_string(L, "skin", model->skin->path);
  if (model->tall > 0)
    describe_tall(L, node, model);
  else
    set_scale(L, node->scale);
  describe_animation(L, model);
  if (asset->frame_count == 0) return;
  lua_createtable(L, asset->frame_count, 0);
  for (int i = 0; i < asset->frame_count; i++) {
    lua_pushinteger(L, asset->frames[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "frames");
}

static void describe_light(lua_State *L, const LightInstance *light) {
  set_string(L, "kind", LIGHT_NAMES[light->kind]);
  set_color(L, "color", light->color);
  set_number_unless(L, "intensity", light->intensity, 1);
  set_number_unless(L, "range", light->range, 0);
  if (light->kind == LIGHT_SPOT) set_number(L, "angle", light->angle);
}

static void describe_camera(lua_State *L, const World *world, const CameraInstance *camera) {
  set_string(L, "kind", CAMERA_NAMES[camera->kind]);
  if (camera->kind == CAMERA_PERSPECTIVE)
    set_number(L, "fov", camera->fov);
  else
    set_number(L, "size", camera->size);
  set_number(L, "near", camera->near_plane);
  set_number(L, "far", camera->far_plane);
  set_string(L, "mode", MODE_NAMES[camera->mode]);
  set_number_unless(L, "distance", camera->distance, 4);
  set_node(L, "follow", world, camera->follow);
  set_node(L, "target", world, camera->target_node);
  if (camera->mode == CAMERA_ORBIT && camera->has_target) set_vec3(L, "target", camera->target);
  if (camera->orbit_heading != 0 || camera->orbit_pitch != CAMERA_ORBIT_PITCH)
    set_list(L, "orbit", (const float[]){camera->orbit_heading, camera->orbit_pitch}, 2);
}

static void describe_character(lua_State *L, const Character *character) {
  set_number(L, "health", character->health);
  set_number(L, "speed", character->speed);
  set_number(L, "radius", character->shape.radius);
  set_number(L, "height", character->shape.height);
  set_number_unless(L, "stepHeight", character->shape.step_height, 0.3f);
  set_number_unless(L, "slopeLimit", character->slope_limit, 45);
  if (character->is_player) {
    set_number(L, "jump", character->jump_speed);
    return;
  }
  set_number(L, "turnRate", character->turn_rate);
  set_number_unless(L, "arrive", character->arrive, 0.5f);
  if (!character->blocks) set_string(L, "collide", "none");
  for (int i = 1; i < 4; i++) {
    if (character->forward_turn == FORWARD_TURNS[i]) set_string(L, "forward", FORWARD_NAMES[i]);
  }
}

static void set_flags(lua_State *L, const Node *node, bool usually_visible, bool usually_pickable) {
  if (node->is_visible != usually_visible) {
    lua_pushboolean(L, node->is_visible);
    lua_setfield(L, -2, "visible");
  }
  if (node->is_pickable != usually_pickable) {
    lua_pushboolean(L, node->is_pickable);
    lua_setfield(L, -2, "pickable");
  }
}

// describe(node): the kind of the node, the options that make it, and flags and lights that are set afterwards.
static int describe(lua_State *L) {
  World *world;
  const Node *node = binding_check_node(L, 1, &world);
  const ModelInstance *model = world_model(world, node->handle);
  lua_newtable(L);
  describe_place(L, world, node);
  if (model)
    describe_model(L, node, model);
  else
    set_scale(L, node->scale);
  if (node->kind == NODE_MODEL && model) {
    if (model->host.generation)
      set_string(L, "attached", "true");
    else if (model->collide != COLLIDE_NONE)
      set_string(L, "collide", COLLIDE_NAMES[model->collide]);
  }
  if (node->light >= 0) describe_light(L, &world->lights.items[node->light]);
  if (node->camera >= 0) describe_camera(L, world, &world->cameras.items[node->camera]);
  if (node->character >= 0) describe_character(L, &world->characters.items[node->character]);
  set_flags(L, node, true, true);
  return 1;
}

// The model a part came with; NULL when the node that shows it is gone, or the part itself with a change of the file.
static const Model *source_model(const World *world, const Node *part) {
  const ModelInstance *owner = part->is_part && part->part >= 0 ? world_model(world, part->part_of) : NULL;
  return owner ? owner->asset->model : NULL;
}

// Whether a script gave a part another parent than its file. Level files cannot say that.
static bool has_moved(const World *world, const Node *part) {
  const ModelInstance *owner = world_model(world, part->part_of);
  int parent = owner->asset->model->nodes[part->part].parent;
  return owner->rig.parts && !handle_equals(part->parent, parent < 0 ? part->part_of : owner->rig.parts[parent]);
}

// warnOfMovedParts(world, path): tells of each part that will not be where it is when the level is loaded.
static int warn_of_moved_parts(lua_State *L) {
  World *world = binding_check_world(L, 1);
  const char *path = binding_check_string(L, 2);
  for (const Node *node = scene_get(&world->scene, world->scene.first_made); node;
       node = scene_get(&world->scene, node->next_made)) {
    const Model *model = source_model(world, node);
    if (!model || !has_moved(world, node)) continue;
    const char *name = model->nodes[node->part].name;
    log_warning("%s: \"%s\" of %s has another parent than in its file, and is saved where that has it", path,
                name ? name : "", world_model(world, node->part_of)->asset->path);
  }
  return 0;
}

// Pushes what a level file calls a part: its name in the model's file, or its number where that name is not its own.
static void push_part_key(lua_State *L, const Model *model, int part) {
  const char *name = model->nodes[part].name;
  int count = 0;
  for (int i = 0; name && i < model->node_count; i++) {
    const char *other = model->nodes[i].name;
    count += other && strcmp(name, other) == 0;
  }
  if (count == 1)
    lua_pushstring(L, name);
  else
    lua_pushfstring(L, "#%d", part);
}

static void set_new_name(lua_State *L, const char *name, const char *original) {
  if (name == original || (name && original && strcmp(name, original) == 0)) return;
  if (name)
    lua_pushstring(L, name);
  else
    lua_pushboolean(L, false);
  lua_setfield(L, -2, "name");
}

// describePart(node): nil for a node that is as its model file has it, else a table of what a script changed; whether the
// node came with a model file at all; what level files call it; and the node that was given the model.
static int describe_part(lua_State *L) {
  World *world;
  Node *node = binding_check_node(L, 1, &world);
  const Model *model = source_model(world, node);
  if (!model) {
    lua_pushnil(L);
    lua_pushboolean(L, node->is_part);
    return 2;
  }
  const ModelNode *source = &model->nodes[node->part];
  lua_newtable(L);
  set_new_name(L, node->name, source->name);
  // What a clip says of the part is no change by a script.
  bool is_animated = world_is_animated_part(world, node);
  set_flags(L, node, is_animated ? node->is_visible : !source->is_hidden, !source->is_unpickable);
  Node original = *node;
  scene_set_quat(&original, source->rotation);
  bool is_placed = !source->has_matrix && !is_animated && !has_moved(world, node);
  if (is_placed && !vec3_equals(node->position, source->translation)) set_vec3(L, "position", node->position);
  if (is_placed && !vec3_equals(node->scale, source->scale)) set_vec3(L, "scale", node->scale);
  if (is_placed && (node->axis_angle != original.axis_angle || !vec3_equals(node->axis, original.axis)))
    set_list(L, "rotation", (const float[]){node->axis_angle, node->axis.x, node->axis.y, node->axis.z}, 4);
  lua_pushnil(L);
  if (!lua_next(L, -2))
    lua_pushnil(L);
  else
    lua_pop(L, 2);
  lua_pushboolean(L, true);
  push_part_key(L, model, node->part);
  binding_push_world_of(L, 1);
  binding_push_node(L, -1, node->part_of);
  lua_remove(L, -2);
  return 4;
}

// describeMissing(node): what level files call the parts of its model that a script removed.
static int describe_missing(lua_State *L) {
  World *world;
  const Node *top = binding_check_node(L, 1, &world);
  const ModelInstance *owner = top->is_part ? NULL : world_model(world, top->handle);
  lua_newtable(L);
  if (!owner || owner->mesh >= 0) return 1;
  const Model *model = owner->asset->model;
  bool *is_there = lua_newuserdatauv(L, ((size_t)model->node_count + 1) * sizeof *is_there, 0);
  memset(is_there, 0, ((size_t)model->node_count + 1) * sizeof *is_there);
  for (const Node *node = scene_get(&world->scene, world->scene.first_made); node;
       node = scene_get(&world->scene, node->next_made)) {
    bool is_shown = node->is_part && node->part >= 0 && handle_equals(node->part_of, top->handle);
    if (is_shown) is_there[node->part] = true;
  }
  for (int part = 0, count = 0; part < model->node_count; part++) {
    if (is_there[part]) continue;
    push_part_key(L, model, part);
    lua_rawseti(L, -3, ++count);
  }
  lua_pop(L, 1);
  return 1;
}

// describeWorld(world): the options of newWorld, the view mode, and the camera that was set.
static int describe_world(lua_State *L) {
  World *world = binding_check_world(L, 1);
  const WorldDesc *desc = &world->desc;
  lua_newtable(L);
  set_color(L, "ambient", desc->ambient);
  set_color(L, "background", desc->background);
  set_number_unless(L, "gravity", desc->gravity, 9.81f);
  if (world->view_mode != VIEW_TEXTURED) set_string(L, "viewMode", VIEW_NAMES[world->view_mode]);
  if (desc->fog.mode != FOG_NONE) {
    lua_newtable(L);
    set_string(L, "mode", FOG_NAMES[desc->fog.mode]);
    set_color(L, "color", desc->fog.color);
    set_number(L, "near", desc->fog.near_distance);
    set_number(L, "far", desc->fog.far_distance);
    if (desc->fog.mode == FOG_EXPONENTIAL) set_number(L, "density", desc->fog.density);
    lua_setfield(L, -2, "fog");
  }
  if (scene_get(&world->scene, world->camera)) {
    binding_push_node(L, 1, world->camera);
    lua_setfield(L, -2, "camera");
  }
  return 1;
}

static int set_gravity(lua_State *L) {
  World *world = binding_check_world(L, 1);
  world->desc.gravity = binding_check_number(L, 2);
  return 0;
}

static void stop_data(lua_State *L, lua_Debug *activation) {
  (void)activation;
  luaL_error(L, "it computes too long for a file of data");
}

// runData(chunk): as pcall, for the code of a level file, which is data and has no reason to run for long.
static int run_data(lua_State *L) {
  enum { MOST_INSTRUCTIONS = 10000000 };
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lua_Hook outer = lua_gethook(L);
  int outer_mask = lua_gethookmask(L), outer_count = lua_gethookcount(L);
  lua_sethook(L, stop_data, LUA_MASKCOUNT, MOST_INSTRUCTIONS);
  bool is_good = lua_pcall(L, 0, 1, 0) == LUA_OK;
  lua_sethook(L, outer, outer_mask, outer_count);
  lua_pushboolean(L, is_good);
  lua_insert(L, -2);
  return 2;
}

// Internal: for scripts/lib/level.lua alone.
const luaL_Reg BINDING_LEVEL_FUNCTIONS[] = {
    {"describe", describe},
    {"describePart", describe_part},
    {"describeWorld", describe_world},
    {"describeMissing", describe_missing},
    {"warnOfMovedParts", warn_of_moved_parts},
    {"runData", run_data},
    {"setGravity", set_gravity},
    {NULL, NULL},
};
