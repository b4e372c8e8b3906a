#include "engine/world.h"

#include <stdio.h>
#include <string.h>

#include "loaders/model_pose.h"

const char *const WORLD_EVENT_NAMES[EVENT_KIND_COUNT] = {"hit",     "death", "marker", "clipEnd",
                                                         "arrived", "touch", "see",    "hear"};

World *world_create(Memory *memory, Assets *assets, const WorldDesc *desc, Error *error) {
  World *world = memory_alloc(memory, sizeof *world);
  if (!world) {
    error_set_out_of_memory(error);
    return NULL;
  }
  world->memory = memory;
  world->assets = assets;
  world->desc = *desc;
  world->posed_instance = -1;
  scene_init(&world->scene, memory, desc->limits.nodes);
  random_seed(&world->random, desc->seed);
  world->colliders = colliders_create(memory, error);
  if (world->colliders && (!assets || assets_add_listener(assets, world_change_model, world, error))) return world;
  colliders_free(world->colliders);
  memory_free(memory, world);
  return NULL;
}

static void free_model_instance(World *world, ModelInstance *model) {
  animation_free(&model->animation, world->memory);
  world_free_rig(world->memory, &model->rig);
  world_free_lost_parts(world->memory, model);
  memory_free(world->memory, model->morph_weights);
  assets_release_texture(world->assets, model->skin);
  assets_release_model(world->assets, model->asset);
}

void world_free(World *world) {
  if (!world) return;
  Memory *memory = world->memory;
  if (world->assets) assets_remove_listener(world->assets, world);
  for (int i = 0; i < world->models.count; i++)
    free_model_instance(world, &world->models.items[i]);
  for (int i = 0; i < world->characters.count; i++)
    world_free_character(world, &world->characters.items[i]);
  array_free(memory, &world->models);
  array_free(memory, &world->joint_scratch);
  array_free(memory, &world->draw_joints);
  array_free(memory, &world->lights);
  array_free(memory, &world->cameras);
  array_free(memory, &world->characters);
  array_free(memory, &world->events);
  array_free(memory, &world->delivered);
  array_free(memory, &world->shots);
  array_free(memory, &world->removed);
  array_free(memory, &world->touching);
  array_free(memory, &world->touching_before);
  array_free(memory, &world->positions);
  array_free(memory, &world->ignored);
  array_free(memory, &world->draw_items);
  array_free(memory, &world->draw_lights);
  array_free(memory, &world->draw_boxes);
  colliders_free(world->colliders);
  scene_free(&world->scene);
  memory_free(memory, world);
}

// --- What nodes are ---

ModelInstance *world_model(const World *world, Handle handle) {
  const Node *node = scene_get(&world->scene, handle);
  return node && node->model >= 0 ? &world->models.items[node->model] : NULL;
}

LightInstance *world_light(const World *world, Handle handle) {
  const Node *node = scene_get(&world->scene, handle);
  return node && node->light >= 0 ? &world->lights.items[node->light] : NULL;
}

CameraInstance *world_camera(const World *world, Handle handle) {
  const Node *node = scene_get(&world->scene, handle);
  return node && node->camera >= 0 ? &world->cameras.items[node->camera] : NULL;
}

Character *world_character(const World *world, Handle handle) {
  const Node *node = scene_get(&world->scene, handle);
  return node && node->character >= 0 ? &world->characters.items[node->character] : NULL;
}

Handle world_character_above(const World *world, Handle handle) {
  for (const Node *node = scene_get(&world->scene, handle); node; node = scene_get(&world->scene, node->parent)) {
    if (node->character >= 0) return node->handle;
  }
  return (Handle){0};
}

uint32_t world_owner(Handle node) {
  return node.index;
}

// --- Making nodes ---

static bool add_node(World *world, NodeKind kind, const Placement *place, Handle *handle, Error *error) {
  if (!scene_add(&world->scene, kind, place->name, place->parent, handle, error)) return false;
  Node *node = scene_get(&world->scene, *handle);
  node->position = place->position;
  node->scale = place->scale;
  if (place->has_rotation) {
    scene_set_rotation(node, place->angle, place->axis);
  } else {
    scene_set_heading(node, place->heading);
  }
  return true;
}

bool world_add_group(World *world, const Placement *place, Handle *node, Error *error) {
  return add_node(world, NODE_GROUP, place, node, error);
}

static bool give_light(World *world, Handle handle, const LightInstance *light, Error *error) {
  if (!array_push(world->memory, &world->lights, *light)) return error_set_out_of_memory(error);
  world->lights.items[world->lights.count - 1].node = handle;
  scene_get(&world->scene, handle)->light = world->lights.count - 1;
  return true;
}

static bool give_camera(World *world, Handle handle, const CameraInstance *camera, Error *error) {
  if (!array_push(world->memory, &world->cameras, *camera)) return error_set_out_of_memory(error);
  world->cameras.items[world->cameras.count - 1].node = handle;
  scene_get(&world->scene, handle)->camera = world->cameras.count - 1;
  return true;
}

bool world_add_light(World *world, const Placement *place, const LightInstance *light, Handle *node, Error *error) {
  if (!add_node(world, NODE_LIGHT, place, node, error)) return false;
  if (give_light(world, *node, light, error)) return true;
  world_remove(world, *node);
  return false;
}

bool world_add_camera(World *world, const Placement *place, const CameraInstance *camera, Handle *node, Error *error) {
  if (!add_node(world, NODE_CAMERA, place, node, error)) return false;
  if (give_camera(world, *node, camera, error)) return true;
  world_remove(world, *node);
  return false;
}

bool world_is_vertex_animated(const Model *model) {
  return model->mesh_count > 0 && model->meshes[0].frames.frame_count > 0;
}

bool world_give_mesh(World *world, Handle handle, ModelAsset *asset, int mesh, TextureAsset *skin, Error *error) {
  ModelInstance instance = {.node = handle,
                            .asset = asset,
                            .mesh = mesh,
                            .skin = skin,
                            .node_skin = -1,
                            .collider = -1,
                            .geometry = AFFINE_IDENTITY,
                            .bounds = BOUNDS_EMPTY};
  animation_init(&instance.animation);
  if (!array_push(world->memory, &world->models, instance)) return error_set_out_of_memory(error);
  scene_get(&world->scene, handle)->model = world->models.count - 1;
  asset->use_count++;
  if (skin) skin->use_count++;
  return true;
}

void world_place_part(Node *node, const ModelNode *source) {
  Quat rotation = source->rotation;
  node->position = source->translation;
  node->scale = source->scale;
  if (source->has_matrix) {
    affine_decompose(model_node_transform(source), &node->position, &rotation, &node->scale);
  }
  scene_set_quat(node, rotation);
}

static float degrees(float radians) {
  return (float)(radians / RADIANS_PER_DEGREE);
}

static LightInstance light_of(const ModelLight *source) {
  // A cone of half a turn has no outside to shine at.
  float outer = clampf(2 * degrees(source->outer_angle), 0.1f, 179);
  return (LightInstance){
      .kind = source->kind,
      .color = source->color,
      .intensity = source->intensity,
      .range = source->range,
      .angle = outer,
      .inner_angle = clampf(2 * degrees(source->inner_angle), 0.05f, outer),
  };
}

static CameraInstance camera_of(const ModelCamera *source) {
  CameraInstance camera = {
      .kind = source->kind == CAMERA_PARALLEL ? CAMERA_PARALLEL : CAMERA_PERSPECTIVE,
      .fov = clampf(degrees(source->fov), 1, 179),
      .size = source->size > 0 ? source->size : 10,
      .near_plane = source->near_plane > 0 ? source->near_plane : 0.1f,
      .far_plane = source->far_plane,
      .roll = degrees(source->roll),
      .distance = 4,
      .orbit_pitch = CAMERA_ORBIT_PITCH,
  };
  // Files without a far plane mean one that is never in the way.
  if (!(camera.far_plane > camera.near_plane)) camera.far_plane = camera.near_plane * 10000;
  return camera;
}

// Lights and cameras of a file are nodes like any other; but a hundred characters do not bring a hundred lamps.
static bool give_light_and_camera(World *world, const PartDesc *part, Handle handle, Error *error) {
  const Model *model = part->asset->model;
  const ModelNode *source = &model->nodes[part->index];
  NodeKind root = scene_get(&world->scene, part->root)->kind;
  if (source->light >= 0 && root != NODE_PLAYER && root != NODE_NPC) {
    LightInstance light = light_of(&model->lights[source->light]);
    if (!give_light(world, handle, &light, error)) return false;
  }
  if (source->camera < 0) return true;
  CameraInstance camera = camera_of(&model->cameras[source->camera]);
  return give_camera(world, handle, &camera, error);
}

static NodeKind part_kind(const World *world, const PartDesc *part) {
  const ModelNode *source = &part->asset->model->nodes[part->index];
  NodeKind root = scene_get(&world->scene, part->root)->kind;
  bool has_light = source->light >= 0 && root != NODE_PLAYER && root != NODE_NPC;
  return source->mesh >= 0 ? NODE_MODEL : source->camera >= 0 ? NODE_CAMERA : has_light ? NODE_LIGHT : NODE_MODEL;
}

bool world_add_part(World *world, const PartDesc *part, Handle *handle, Error *error) {
  const ModelNode *source = &part->asset->model->nodes[part->index];
  if (!scene_add(&world->scene, part_kind(world, part), source->name, part->parent, handle, error)) return false;
  Node *node = scene_get(&world->scene, *handle);
  world_place_part(node, source);
  node->is_part = true;
  node->part = part->index;
  node->part_of = part->root;
  node->is_visible = !source->is_hidden;
  node->is_pickable = !source->is_unpickable;
  if (!give_light_and_camera(world, part, *handle, error)) return false;
  if (source->mesh < 0) return true;
  if (!world_give_mesh(world, *handle, part->asset, source->mesh, part->skin, error)) return false;
  ModelInstance *instance = world_model(world, *handle);
  instance->geometry = source->geometry;
  if (!world_set_deformation(world, instance, source, error)) return false;
  return world_add_collider(world, instance, part->collide, error);
}

// Every node of the file becomes a node below `root`, with the same tree.
static bool add_parts(World *world, Handle root, ModelAsset *asset, TextureAsset *skin, CollideKind collide,
                      Error *error) {
  const Model *model = asset->model;
  Handle *handles = memory_alloc_array(world->memory, (size_t)model->node_count, sizeof *handles);
  if (!handles) return error_set_out_of_memory(error);
  bool is_good = true;
  for (int i = 0; is_good && i < model->node_count; i++) {
    int parent = model->nodes[i].parent;
    PartDesc part = {root, parent >= 0 ? handles[parent] : root, asset, i, skin, collide};
    is_good = world_add_part(world, &part, &handles[i], error);
  }
  memory_free(world->memory, handles);
  return is_good && world_link_rig(world, root, error);
}

bool world_unknown_clip(const Model *model, const char *name, Error *error) {
  char list[400] = "";
  size_t used = 0;
  for (int i = 0; i < model->clip_count && used < sizeof list - 1; i++) {
    int length = snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", model->clips[i].name);
    used += length > 0 ? (size_t)length : 0;
  }
  if (model->clip_count == 0) return error_set_mistake(error, "unknown clip \"%s\": the model has no clips", name);
  return error_set_mistake(error, "unknown clip \"%s\"; there are: %s", name, list);
}

static bool set_first_pose(ModelInstance *instance, const ModelDesc *desc, Error *error) {
  const Model *model = instance->asset->model;
  Animation *animation = &instance->animation;
  int count = 0;
  if (desc->clip && desc->frame >= 0 && world_is_vertex_animated(model))
    return error_set_mistake(error, "either 'frame' or 'animation', not both: frames of %s count in the file",
                             desc->model);
  if (desc->clip) {
    int clip = model_find_clip(model, desc->clip);
    if (clip < 0) return world_unknown_clip(model, desc->clip, error);
    animation_play(animation, model, clip, &(PlayOptions){0});
  }
  if (desc->frame >= 0 && !world_show_frame(instance, desc->frame, &count))
    return error_set_mistake(error, "frame %d is not there: %s has %d loaded frames", desc->frame, desc->model, count);
  animation_update_pose(animation, model);
  animation->previous_pose = animation->pose;
  return true;
}

void world_make_tall(ModelInstance *instance, Node *node, float tall) {
  Bounds bounds = world_first_bounds(instance);
  float height = bounds.max.y - bounds.min.y;
  if (!(tall > 0) || !(height > 0)) return;
  instance->tall = tall;
  instance->asked_scale = node->scale;
  node->scale = vec3_scale(node->scale, tall / (height * fabsf(node->scale.y)));
}

// Puts the lowest point of the first frame onto the node's origin.
static void stand_on_origin(World *world, Handle handle) {
  Affine lift = AFFINE_IDENTITY;
  lift.origin.y = -world_first_bounds(world_model(world, handle)).min.y;
  world_change_geometry(world, handle, lift);
}

// Gives a node of any kind a model: its one mesh, or the model's nodes as parts below it.
static bool give_model(World *world, Handle handle, const ModelDesc *desc, Error *error) {
  ModelAsset *asset = assets_acquire_model(world->assets, desc->model, desc->frames, error);
  if (!asset) return false;
  TextureAsset *skin = NULL;
  bool is_good = !desc->skin || (skin = assets_acquire_texture(world->assets, desc->skin, error)) != NULL;
  bool is_single = world_is_vertex_animated(asset->model);
  is_good = is_good && world_give_mesh(world, handle, asset, is_single ? 0 : -1, skin, error);
  if (is_good) {
    ModelInstance *instance = world_model(world, handle);
    is_good = set_first_pose(instance, desc, error);
    if (is_good && desc->tall > 0) world_make_tall(instance, scene_get(&world->scene, handle), desc->tall);
    instance->collide = desc->collide;
    if (is_good && is_single) is_good = world_add_collider(world, instance, desc->collide, error);
    if (is_good && !is_single) is_good = add_parts(world, handle, asset, skin, desc->collide, error);
    if (is_good) world_pose_rig(world, world_model(world, handle), 0);
    if (is_good && desc->tall > 0) stand_on_origin(world, handle);
  }
  assets_release_texture(world->assets, skin);
  assets_release_model(world->assets, asset);
  return is_good;
}

bool world_add_model(World *world, const ModelDesc *desc, Handle *handle, Error *error) {
  if (!add_node(world, NODE_MODEL, &desc->place, handle, error)) return false;
  if (give_model(world, *handle, desc, error)) return true;
  world_remove(world, *handle);
  return false;
}

static bool add_character_node(World *world, const CharacterDesc *desc, bool is_player, Handle *handle, Error *error) {
  if (!add_node(world, is_player ? NODE_PLAYER : NODE_NPC, &desc->model.place, handle, error)) return false;
  bool is_good = (!desc->model.model || give_model(world, *handle, &desc->model, error)) &&
                 world_add_character(world, desc, *handle, is_player, error);
  if (!is_good) world_remove(world, *handle);
  return is_good;
}

bool world_add_player(World *world, const CharacterDesc *desc, Handle *node, Error *error) {
  return add_character_node(world, desc, true, node, error);
}

bool world_add_npc(World *world, const CharacterDesc *desc, Handle *node, Error *error) {
  int npc_count = 0;
  for (int i = 0; i < world->characters.count; i++)
    npc_count += !world->characters.items[i].is_player;
  if (npc_count >= world->desc.limits.npcs)
    return error_set_mistake(error, "too many NPCs: limits.npcs in conf.lua is %d", world->desc.limits.npcs);
  return add_character_node(world, desc, false, node, error);
}

bool world_attach(World *world, Handle host, const ModelDesc *desc, Handle *handle, Error *error) {
  ModelDesc attached = *desc;
  attached.place.parent = host;
  if (!world_add_model(world, &attached, handle, error)) return false;
  ModelInstance *model = world_model(world, *handle), *host_model = world_model(world, host);
  if (host_model && world_is_vertex_animated(host_model->asset->model) &&
      world_is_vertex_animated(model->asset->model)) {
    model->host = host;
    // The attached model was made for its host's space, so it takes the way from there into the host's node too.
    model->geometry = affine_mul(host_model->geometry, model->geometry);
    model->animation.pose = world_pose(world, model);
    model->animation.previous_pose = model->animation.pose;
  }
  return true;
}

Handle world_find_joint(const World *world, Handle host, const char *name) {
  const Node *node = scene_get(&world->scene, host);
  const ModelInstance *root = world_model(world, node->is_part ? node->part_of : host);
  for (int i = 0; root && i < root->rig.part_count; i++) {
    const char *part_name = root->asset->model->nodes[i].name;
    if (part_name && strcmp(part_name, name) == 0 && scene_get(&world->scene, root->rig.parts[i]))
      return root->rig.parts[i];
  }
  return (Handle){0};
}

void world_leave_host(World *world, ModelInstance *model) {
  FramePose pose = world_pose(world, model);
  model->host = (Handle){0};
  animation_set_frame(&model->animation, (float)pose.frame_a + (pose.frame_b > pose.frame_a ? pose.mix : 0));
}

bool world_set_parent(World *world, Handle node, Handle parent, Error *error) {
  if (!scene_set_parent(&world->scene, node, parent, error)) return false;
  ModelInstance *model = world_model(world, node);
  if (!model || !model->host.generation || handle_equals(model->host, parent)) return true;
  world_leave_host(world, model);
  return true;
}

// --- Removing ---

void world_remove_collider(World *world, ModelInstance *model) {
  if (model->collider < 0) return;
  colliders_remove(world->colliders, model->collider);
  model->collider = -1;
  world->static_collider_count--;
  world->has_ground_changed = true;
  world->needs_refit = true;
}

void world_take_mesh(World *world, Node *node) {
  int index = node->model;
  ModelInstance *model = &world->models.items[index];
  world_remove_collider(world, model);
  node->model = -1;
  free_model_instance(world, model);
  int last = --world->models.count;
  if (index != last) {
    world->models.items[index] = world->models.items[last];
    scene_get(&world->scene, world->models.items[index].node)->model = index;
  }
  world->posed_instance = -1;
}

static void remove_light(World *world, Node *node) {
  int index = node->light, last = --world->lights.count;
  // The order is kept: the first lights win where there are too many.
  for (int i = index; i < last; i++) {
    world->lights.items[i] = world->lights.items[i + 1];
    scene_get(&world->scene, world->lights.items[i].node)->light = i;
  }
}

static void remove_camera(World *world, Node *node) {
  int index = node->camera, last = --world->cameras.count;
  for (int i = index; i < last; i++) {
    world->cameras.items[i] = world->cameras.items[i + 1];
    scene_get(&world->scene, world->cameras.items[i].node)->camera = i;
  }
}

static void remove_character(World *world, Node *node) {
  int index = node->character;
  Character *character = &world->characters.items[index];
  if (character->collider >= 0) {
    colliders_remove(world->colliders, character->collider);
    world->needs_refit = true;
  }
  world_free_character(world, character);
  int last = --world->characters.count;
  if (index != last) {
    world->characters.items[index] = world->characters.items[last];
    scene_get(&world->scene, world->characters.items[index].node)->character = index;
  }
}

static void remove_single(World *world, Handle handle) {
  Node *node = scene_get(&world->scene, handle);
  if (node->model >= 0) world_take_mesh(world, node);
  if (node->light >= 0) remove_light(world, node);
  if (node->camera >= 0) remove_camera(world, node);
  if (node->character >= 0) remove_character(world, node);
  scene_remove(&world->scene, handle);
  // Without memory for the note the bindings keep a value for a dead handle, which does no harm.
  (void)array_push(world->memory, &world->removed, handle);
}

static Handle deepest_below(const World *world, Handle handle) {
  for (;;) {
    const Node *node = scene_get(&world->scene, handle);
    if (!node->last_child.generation) return handle;
    handle = node->last_child;
  }
}

void world_remove(World *world, Handle top) {
  while (scene_get(&world->scene, top))
    remove_single(world, deepest_below(world, top));
}

// What a script has set stays.
static void change_light(World *world, Node *node, const ModelLight *before, const ModelLight *after) {
  if (!after) {
    remove_light(world, node);
    node->light = -1;
    return;
  }
  LightInstance *light = &world->lights.items[node->light], old = light_of(before), fresh = light_of(after);
  fresh.node = light->node;
  if (memcmp(&light->color, &old.color, sizeof old.color) != 0) fresh.color = light->color;
  if (light->intensity != old.intensity) fresh.intensity = light->intensity;
  *light = fresh;
}

static void change_camera(World *world, Node *node, const ModelCamera *before, const ModelCamera *after) {
  if (!after) {
    remove_camera(world, node);
    node->camera = -1;
    return;
  }
  CameraInstance *camera = &world->cameras.items[node->camera], old = camera_of(before), fresh = camera_of(after);
  if (camera->fov == old.fov) camera->fov = fresh.fov;
  camera->kind = fresh.kind;
  camera->size = fresh.size;
  camera->near_plane = fresh.near_plane;
  camera->far_plane = fresh.far_plane;
  camera->roll = fresh.roll;
}

void world_change_light_and_camera(World *world, Node *node, const Model *old, int old_part, const Model *model,
                                   int part) {
  int light = old->nodes[old_part].light, camera = old->nodes[old_part].camera;
  int new_light = part >= 0 ? model->nodes[part].light : -1, new_camera = part >= 0 ? model->nodes[part].camera : -1;
  if (node->light >= 0 && light >= 0)
    change_light(world, node, &old->lights[light], new_light >= 0 ? &model->lights[new_light] : NULL);
  if (node->camera >= 0 && camera >= 0)
    change_camera(world, node, &old->cameras[camera], new_camera >= 0 ? &model->cameras[new_camera] : NULL);
}

// --- Models ---

bool world_set_skin(World *world, Handle handle, const char *path, Error *error) {
  TextureAsset *skin = assets_acquire_texture(world->assets, path, error);
  if (!skin) return false;
  const ModelAsset *asset = world_model(world, handle)->asset;
  for (Handle at = {0}; (at = scene_next_below(&world->scene, handle, at)).generation;) {
    ModelInstance *model = world_model(world, at);
    if (!model || model->asset != asset) continue;
    assets_release_texture(world->assets, model->skin);
    model->skin = skin;
    skin->use_count++;
  }
  assets_release_texture(world->assets, skin);
  return true;
}

int world_file_frame(const ModelInstance *model, int loaded) {
  return loaded < model->asset->frame_count ? model->asset->frames[loaded] : loaded;
}

int world_loaded_frame(const ModelInstance *model, int file_frame) {
  const ModelAsset *asset = model->asset;
  for (int i = 0; i < asset->frame_count; i++) {
    if (asset->frames[i] == file_frame) return i;
  }
  bool is_there = asset->frame_count == 0 && world_is_vertex_animated(asset->model) && file_frame >= 0 &&
                  file_frame < asset->model->meshes[0].frames.frame_count;
  return is_there ? file_frame : -1;
}

bool world_show_frame(ModelInstance *model, int frame, int *count) {
  const Model *source = model->asset->model;
  Animation *animation = &model->animation;
  if (world_is_vertex_animated(source) || source->clip_count == 0) {
    *count = world_is_vertex_animated(source) ? source->meshes[0].frames.frame_count : 0;
    int loaded = world_loaded_frame(model, frame);
    if (loaded >= 0) animation_set_frame(animation, (float)loaded);
    return loaded >= 0;
  }
  int clip = animation->clip >= 0 ? animation->clip : 0;
  *count = model_clip_frames(&source->clips[clip]);
  if (frame < 0 || frame >= *count) return false;
  animation_stand_at(animation, clip, (float)frame / source->clips[clip].fps);
  return true;
}

Affine world_source_transform(const Model *source, int index) {
  Affine transform = AFFINE_IDENTITY;
  for (; index >= 0; index = source->nodes[index].parent) {
    transform = affine_mul(model_node_transform(&source->nodes[index]), transform);
  }
  return transform;
}

Bounds world_first_bounds(const ModelInstance *model) {
  const Model *source = model->asset->model;
  bool is_part = model->mesh >= 0 && !world_is_vertex_animated(source);
  return is_part ? source->meshes[model->mesh].bounds : model->asset->rest_bounds;
}

void world_change_geometry(World *world, Handle root, Affine change) {
  ModelInstance *model = world_model(world, root);
  model->geometry = affine_mul(change, model->geometry);
  const ModelAsset *asset = model->asset;
  for (Handle at = root; (at = scene_next_below(&world->scene, root, at)).generation;) {
    ModelInstance *part = world_model(world, at);
    const Node *node = scene_get(&world->scene, at);
    if (!part || !node->is_part || part->asset != asset || part->mesh < 0) continue;
    // The change is one of the root's space, so it is made there: out of the part's node and back into it.
    Affine way = world_source_transform(asset->model, node->part), inverse;
    if (!affine_invert(way, &inverse)) continue;
    part->geometry = affine_mul(inverse, affine_mul(change, affine_mul(way, part->geometry)));
    world_sync_collider(world, part);
  }
}
