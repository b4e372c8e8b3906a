// Clips that move the nodes of a model's file: their tracks act on the parts, which are nodes of the scene.
#include <string.h>

#include "engine/world.h"

void world_free_rig(Memory *memory, Rig *rig) {
  memory_free(memory, rig->parts);
  memory_free(memory, rig->cursors);
  memory_free(memory, rig->rests);
  memory_free(memory, rig->moved);
  *rig = (Rig){.clip = -1};
}

// A light's or camera's target is a part too.
static void link_target(World *world, const Model *model, const Rig *rig, const Node *part) {
  const ModelNode *source = &model->nodes[part->part];
  if (part->light >= 0 && source->light >= 0) {
    int target = model->lights[source->light].target;
    world->lights.items[part->light].target_node = target >= 0 ? rig->parts[target] : (Handle){0};
  }
  if (part->camera >= 0 && source->camera >= 0) {
    int target = model->cameras[source->camera].target;
    world->cameras.items[part->camera].target_node = target >= 0 ? rig->parts[target] : (Handle){0};
  }
}

bool world_link_rig(World *world, Handle root, Error *error) {
  const Model *model = world_model(world, root)->asset->model;
  Rig rig = {.clip = -1, .part_count = model->node_count};
  rig.parts = memory_alloc_array(world->memory, (size_t)model->node_count, sizeof *rig.parts);
  rig.cursors = memory_alloc_array(world->memory, (size_t)model->track_count, sizeof *rig.cursors);
  rig.rests = memory_alloc_array(world->memory, (size_t)model->track_count, sizeof *rig.rests);
  rig.moved = memory_alloc_array(world->memory, (size_t)model->node_count, sizeof *rig.moved);
  world_free_rig(world->memory, &world_model(world, root)->rig);
  if (!rig.parts || !rig.cursors || !rig.rests || !rig.moved) {
    world_free_rig(world->memory, &rig);
    return error_set_out_of_memory(error);
  }
  // Parts are made after what they are parts of.
  for (int pass = 0; pass < 2; pass++) {
    for (const Node *node = scene_get(&world->scene, root); node; node = scene_get(&world->scene, node->next_made)) {
      if (!node->is_part || node->part < 0 || !handle_equals(node->part_of, root)) continue;
      if (pass == 0)
        rig.parts[node->part] = node->handle;
      else
        link_target(world, model, &rig, node);
    }
  }
  world_model(world, root)->rig = rig;
  return true;
}

// In the middle of a fade the parts go on from where they are, ever nearer to where the clip has them.
static void move_part(World *world, Node *node, TrackProperty property, const float *v, float share) {
  switch (property) {
    case TRACK_TRANSLATION:
      node->position = vec3_lerp(node->position, vec3(v[0], v[1], v[2]), share);
      break;
    case TRACK_ROTATION:
      scene_set_quat(node, quat_slerp(node->rotation, (Quat){v[0], v[1], v[2], v[3]}, share));
      break;
    case TRACK_SCALE:
      node->scale = vec3_lerp(node->scale, vec3(v[0], v[1], v[2]), share);
      break;
    case TRACK_VISIBILITY:
      node->is_visible = v[0] >= 0.5f;
      break;
    case TRACK_COLOR:
      if (node->light >= 0) world->lights.items[node->light].color = (Color){v[0], v[1], v[2], 1};
      break;
    case TRACK_INTENSITY:
      if (node->light >= 0) world->lights.items[node->light].intensity = v[0];
      break;
    case TRACK_FOV:
      if (node->camera >= 0)
        world->cameras.items[node->camera].fov = clampf((float)(v[0] / RADIANS_PER_DEGREE), 1, 179);
      break;
    case TRACK_ROLL:
      if (node->camera >= 0) world->cameras.items[node->camera].roll = (float)(v[0] / RADIANS_PER_DEGREE);
      break;
    default:  // what the picture does not have yet
      break;
  }
}

static bool are_finite(const float *values, int count) {
  for (int i = 0; i < count; i++) {
    if (!isfinite(values[i])) return false;
  }
  return true;
}

static void morph_part(const World *world, const Model *file, const Node *node, const float *weights, int count,
                       float share) {
  ModelInstance *model = node->model >= 0 ? &world->models.items[node->model] : NULL;
  if (!model || !model->morph_weights || count != file->meshes[model->mesh].morph_target_count) return;
  for (int i = 0; i < count; i++)
    model->morph_weights[i] = lerpf(model->morph_weights[i], weights[i], share);
}

// Room for as many numbers, which poses on the CPU use too.
static float *weight_scratch(World *world, int count) {
  world->positions.count = 0;
  world->posed_instance = -1;
  if (array_reserve(world->memory, &world->positions, count)) return world->positions.items;
  world->is_out_of_memory = true;
  return NULL;
}

static void play_track(World *world, const ModelInstance *root, const ModelTrack *track, int *cursor, float time,
                       float share) {
  const Track *keys = &track->keys;
  Node *node = track->is_material ? NULL : scene_get(&world->scene, root->rig.parts[track->target]);
  bool is_morph = keys->property == TRACK_MORPH_WEIGHTS;
  float few[4], *values = is_morph && node ? weight_scratch(world, keys->component_count) : few;
  if (!node || !values) return;
  track_sample(keys, time, cursor, values);
  // A spline through huge keys may leave the numbers there are.
  if (!are_finite(values, keys->component_count)) return;
  if (is_morph)
    morph_part(world, root->asset->model, node, values, keys->component_count, share);
  else
    move_part(world, node, keys->property, values, share);
}

// ---- Back to rest

static void rest_shape(World *world, const Model *file, const ModelNode *source, const Node *node, float share) {
  if (source->mesh < 0) return;
  const ModelMesh *mesh = &file->meshes[source->mesh];
  float *weights = weight_scratch(world, mesh->morph_target_count);
  for (int i = 0; weights && i < mesh->morph_target_count; i++)
    weights[i] = source->morph_weights ? source->morph_weights[i]
                                       : file->morph_targets[mesh->first_morph_target + i].default_weight;
  if (weights) morph_part(world, file, node, weights, mesh->morph_target_count, share);
}

// What the file has for a property of a node; false for what no part shows.
static bool rest_values(const Model *model, const ModelNode *source, TrackProperty property, float v[4]) {
  const ModelLight *light = source->light >= 0 ? &model->lights[source->light] : NULL;
  const ModelCamera *camera = source->camera >= 0 ? &model->cameras[source->camera] : NULL;
  Node place = {0};
  world_place_part(&place, source);
  switch (property) {
    case TRACK_TRANSLATION:
      memcpy(v, &place.position, sizeof place.position);
      return true;
    case TRACK_ROTATION:
      memcpy(v, &place.rotation, sizeof place.rotation);
      return true;
    case TRACK_SCALE:
      memcpy(v, &place.scale, sizeof place.scale);
      return true;
    case TRACK_VISIBILITY:
      v[0] = source->is_hidden ? 0 : 1;
      return true;
    case TRACK_COLOR:
      if (light) memcpy(v, &light->color, 3 * sizeof *v);
      return light != NULL;
    case TRACK_INTENSITY:
      if (light) v[0] = light->intensity;
      return light != NULL;
    case TRACK_FOV:
      if (camera) v[0] = camera->fov;
      return camera != NULL;
    case TRACK_ROLL:
      if (camera) v[0] = camera->roll;
      return camera != NULL;
    default:
      return false;
  }
}

static void rest_track(World *world, const Rig *rig, const Model *model, const ModelTrack *track, float share) {
  const ModelNode *source = &model->nodes[track->target];
  Node *node = scene_get(&world->scene, rig->parts[track->target]);
  float values[4];
  if (!node) return;
  if (track->keys.property == TRACK_MORPH_WEIGHTS)
    rest_shape(world, model, source, node, share);
  else if (rest_values(model, source, track->keys.property, values))
    move_part(world, node, track->keys.property, values, share);
}

static bool is_track_of(const ModelClip *clip, int track) {
  return clip && track >= clip->first_track && track < clip->first_track + clip->track_count;
}

// Notes what the clip before, and those before it that are still fading out, moved and this one does not.
static void change_clip(Rig *rig, const Model *model, const ModelClip *clip, int number) {
  const ModelClip *before = rig->clip >= 0 ? &model->clips[rig->clip] : NULL;
  memset(rig->moved, 0, (size_t)rig->part_count * sizeof *rig->moved);
  for (int i = clip ? clip->first_track : 0; is_track_of(clip, i); i++) {
    const ModelTrack *track = &model->tracks[i];
    if (!track->is_material) rig->moved[track->target] |= 1u << track->keys.property;
  }
  rig->rest_count = 0;
  for (int i = 0; i < model->track_count; i++) {
    const ModelTrack *track = &model->tracks[i];
    bool was_moved = !track->is_material && (rig->rests[i] || is_track_of(before, i));
    rig->rests[i] = was_moved && !(rig->moved[track->target] & 1u << track->keys.property);
    rig->rest_count += rig->rests[i];
  }
  rig->clip = number;
}

static void go_to_rest(World *world, Rig *rig, const Model *model, float share) {
  for (int i = 0; i < model->track_count && rig->rest_count > 0; i++) {
    if (!rig->rests[i]) continue;
    rest_track(world, rig, model, &model->tracks[i], share);
    if (share < 1) continue;
    rig->rests[i] = 0;
    rig->rest_count--;
  }
}

// ---- The clip at hand

static const ModelClip *rig_clip(const ModelInstance *root) {
  int index = root->animation.clip;
  const ModelClip *clip = index >= 0 ? &root->asset->model->clips[index] : NULL;
  return root->rig.parts && clip && clip->kind != CLIP_VERTEX ? clip : NULL;
}

void world_pose_rig(World *world, ModelInstance *root, float seconds) {
  const Animation *animation = &root->animation;
  const Model *model = root->asset->model;
  const ModelClip *clip = rig_clip(root);
  Rig *rig = &root->rig;
  int number = clip ? animation->clip : -1;
  bool is_fading = animation->fade_left > 0;
  bool is_same = rig->clip == number && rig->time == animation->time && !is_fading && rig->rest_count == 0;
  if (!rig->parts || is_same) return;
  if (rig->clip != number) change_clip(rig, model, clip, number);
  rig->time = animation->time;
  float share = is_fading ? seconds / (animation->fade_left + seconds) : 1;
  go_to_rest(world, rig, model, share);
  if (!clip) return;
  float time = clip->start + animation->time;
  for (int i = clip->first_track; is_track_of(clip, i); i++)
    play_track(world, root, &model->tracks[i], &rig->cursors[i], time, share);
}

void world_rest_rig(World *world, ModelInstance *root, const Model *model) {
  Rig *rig = &root->rig;
  if (!rig->parts) return;
  change_clip(rig, model, NULL, -1);
  go_to_rest(world, rig, model, 1);
}

bool world_is_animated_part(const World *world, const Node *part) {
  const ModelInstance *root = part->is_part && part->part >= 0 ? world_model(world, part->part_of) : NULL;
  const ModelClip *clip = root ? rig_clip(root) : NULL;
  if (!root || !root->rig.parts) return false;
  bool has_rests = root->rig.rest_count > 0;
  int first = has_rests || !clip ? 0 : clip->first_track;
  int end = has_rests ? root->asset->model->track_count : clip ? first + clip->track_count : 0;
  for (int i = first; i < end; i++) {
    const ModelTrack *track = &root->asset->model->tracks[i];
    bool moves = root->rig.rests[i] || (is_track_of(clip, i) && !track->is_material);
    if (moves && track->target == part->part) return true;
  }
  return false;
}
