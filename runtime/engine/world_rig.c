// Clips that move the nodes of a model's file: their tracks act on the parts, which are nodes of the scene.
#include <string.h>

#include "engine/world.h"

void world_free_rig(Memory *memory, Rig *rig) {
  memory_free(memory, rig->parts);
  memory_free(memory, rig->cursors);
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
  world_free_rig(world->memory, &world_model(world, root)->rig);
  if (!rig.parts || !rig.cursors) {
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
static void move_part(World *world, Node *node, const Track *keys, const float *v, float share) {
  switch (keys->property) {
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

static void morph_part(World *world, const Node *node, const Track *keys, int *cursor, float time, float share) {
  ModelInstance *model = node->model >= 0 ? &world->models.items[node->model] : NULL;
  int count = keys->component_count;
  world->positions.count = 0;
  world->posed_instance = -1;
  if (!model || !model->morph_weights || count != model->asset->model->meshes[model->mesh].morph_target_count) return;
  if (!array_reserve(world->memory, &world->positions, count)) {
    world->is_out_of_memory = true;
    return;
  }
  float *weights = world->positions.items;
  track_sample(keys, time, cursor, weights);
  if (!are_finite(weights, count)) return;
  for (int i = 0; i < count; i++)
    model->morph_weights[i] = lerpf(model->morph_weights[i], weights[i], share);
}

static void play_track(World *world, Rig *rig, const ModelTrack *track, int *cursor, float time, float share) {
  float values[4];
  Node *node = track->is_material ? NULL : scene_get(&world->scene, rig->parts[track->target]);
  if (!node) return;
  if (track->keys.property == TRACK_MORPH_WEIGHTS) {
    morph_part(world, node, &track->keys, cursor, time, share);
    return;
  }
  track_sample(&track->keys, time, cursor, values);
  // A spline through huge keys may leave the numbers there are.
  if (are_finite(values, track->keys.component_count)) move_part(world, node, &track->keys, values, share);
}

static const ModelClip *rig_clip(const ModelInstance *root) {
  int index = root->animation.clip;
  const ModelClip *clip = index >= 0 ? &root->asset->model->clips[index] : NULL;
  return root->rig.parts && clip && clip->kind != CLIP_VERTEX ? clip : NULL;
}

void world_pose_rig(World *world, ModelInstance *root, float seconds) {
  const Animation *animation = &root->animation;
  const ModelClip *clip = rig_clip(root);
  Rig *rig = &root->rig;
  bool is_fading = animation->fade_left > 0;
  if (!clip || (rig->clip == animation->clip && rig->time == animation->time && !is_fading)) return;
  rig->clip = animation->clip;
  rig->time = animation->time;
  float share = is_fading ? seconds / (animation->fade_left + seconds) : 1;
  float time = clip->start + animation->time;
  for (int i = clip->first_track; i < clip->first_track + clip->track_count; i++)
    play_track(world, rig, &root->asset->model->tracks[i], &rig->cursors[i], time, share);
}

bool world_is_animated_part(const World *world, const Node *part) {
  const ModelInstance *root = part->is_part && part->part >= 0 ? world_model(world, part->part_of) : NULL;
  const ModelClip *clip = root ? rig_clip(root) : NULL;
  if (!clip) return false;
  for (int i = clip->first_track; i < clip->first_track + clip->track_count; i++) {
    const ModelTrack *track = &root->asset->model->tracks[i];
    if (!track->is_material && track->target == part->part) return true;
  }
  return false;
}
