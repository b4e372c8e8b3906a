// Meshes of joints and morph targets. The joints of a skinned mesh are parts of its model, which are nodes; the mesh itself
// is shaped in the space of the node that was given the model, wherever its own node is (glTF 2.0, 3.7.3.3).
#include <string.h>

#include "engine/world.h"
#include "skin/deform.h"

Affine world_place(const World *world, const Node *node, Moment moment) {
  if (moment.is_now) return scene_current_world(&world->scene, node);
  return moment.alpha >= 1 ? node->world : affine_lerp(node->previous_world, node->world, moment.alpha);
}

static const ModelInstance *root_of(const World *world, const ModelInstance *model) {
  const Node *node = scene_get(&world->scene, model->node);
  return node->is_part ? world_model(world, node->part_of) : NULL;
}

static const ModelSkin *skin_of(const ModelInstance *model) {
  return model->node_skin >= 0 ? &model->asset->model->node_skins[model->node_skin] : NULL;
}

bool world_is_skinned(const World *world, const ModelInstance *model) {
  const ModelInstance *root = skin_of(model) ? root_of(world, model) : NULL;
  return root && root->rig.parts && root->asset == model->asset && model->asset->model->meshes[model->mesh].joints;
}

bool world_is_deformed(const World *world, const ModelInstance *model) {
  return model->morph_weights || world_is_skinned(world, model);
}

Affine world_shape_transform(const World *world, const ModelInstance *model, Moment moment) {
  const ModelInstance *shaped = world_is_skinned(world, model) ? root_of(world, model) : model;
  return affine_mul(world_place(world, scene_get(&world->scene, shaped->node), moment), shaped->geometry);
}

// A joint that a script removed stays where the file has it.
static Affine joint_place(const World *world, const ModelInstance *root, int part, Moment moment, Affine root_place) {
  const Node *node = scene_get(&world->scene, root->rig.parts[part]);
  if (node) return world_place(world, node, moment);
  return affine_mul(root_place, world_source_transform(root->asset->model, part));
}

int world_joint_transforms(const World *world, const ModelInstance *model, Moment moment, Affine *transforms) {
  const ModelInstance *root = root_of(world, model);
  const ModelSkin *skin = skin_of(model);
  Affine place = world_place(world, scene_get(&world->scene, root->node), moment), into_root;
  affine_invert(place, &into_root);
  for (int i = 0; i < skin->joint_count; i++) {
    Affine joint = joint_place(world, root, skin->joints[i], moment, place);
    transforms[i] = affine_mul(affine_mul(into_root, joint), skin->inverse_bind[i]);
  }
  return skin->joint_count;
}

int world_joint_count(const World *world, const ModelInstance *model) {
  return world_is_skinned(world, model) ? skin_of(model)->joint_count : 0;
}

bool world_set_deformation(World *world, ModelInstance *model, const ModelNode *node, Error *error) {
  const Model *source = model->asset->model;
  const ModelMesh *mesh = &source->meshes[model->mesh];
  memory_free(world->memory, model->morph_weights);
  model->morph_weights = NULL;
  model->node_skin = node->skin;
  if (mesh->morph_target_count == 0) return true;
  model->morph_weights =
      memory_alloc_array(world->memory, (size_t)mesh->morph_target_count, sizeof *model->morph_weights);
  if (!model->morph_weights) return error_set_out_of_memory(error);
  for (int i = 0; i < mesh->morph_target_count; i++)
    model->morph_weights[i] = node->morph_weights ? node->morph_weights[i]
                                                  : source->morph_targets[mesh->first_morph_target + i].default_weight;
  return true;
}

// ---- Shapes on the CPU: for rays and exact boxes

static Affine *joint_scratch(World *world, int count) {
  world->joint_scratch.count = 0;
  if (array_reserve(world->memory, &world->joint_scratch, count)) return world->joint_scratch.items;
  world->is_out_of_memory = true;
  return NULL;
}

bool world_deform(World *world, const ModelInstance *model, Moment moment, float *positions) {
  const Model *source = model->asset->model;
  const ModelMesh *mesh = &source->meshes[model->mesh];
  memcpy(positions, mesh->positions, 3 * (size_t)mesh->vertex_count * sizeof *positions);
  for (int i = 0; model->morph_weights && i < mesh->morph_target_count; i++)
    deform_add_target(source->morph_targets[mesh->first_morph_target + i].positions, model->morph_weights[i],
                      mesh->vertex_count, positions);
  if (!world_is_skinned(world, model)) return true;
  Affine *joints = joint_scratch(world, skin_of(model)->joint_count);
  if (!joints) return false;
  world_joint_transforms(world, model, moment, joints);
  deform_by_joints(&(JointWeights){mesh->joints, mesh->weights, mesh->vertex_count}, joints, positions, NULL);
  return true;
}

// ---- Boxes that are never too small

// Morph targets move no vertex further than all of them move any.
static Bounds grow_by_targets(const ModelInstance *model, Bounds bounds) {
  const ModelMesh *mesh = &model->asset->model->meshes[model->mesh];
  for (int i = 0; model->morph_weights && i < mesh->morph_target_count; i++) {
    Bounds way = model->asset->deform_bounds.targets[mesh->first_morph_target + i];
    Vec3 a = vec3_scale(way.min, model->morph_weights[i]), b = vec3_scale(way.max, model->morph_weights[i]);
    bounds.min = vec3_add(bounds.min, vec3_min(a, b));
    bounds.max = vec3_add(bounds.max, vec3_max(a, b));
  }
  return bounds;
}

Bounds world_deformed_bounds(World *world, const ModelInstance *model, Moment moment) {
  const ModelMesh *mesh = &model->asset->model->meshes[model->mesh];
  if (!world_is_skinned(world, model)) return grow_by_targets(model, mesh->bounds);
  int count = skin_of(model)->joint_count;
  Affine *joints = joint_scratch(world, count);
  const Bounds *boxes = model->asset->deform_bounds.joints[model->mesh];
  Bounds bounds = BOUNDS_EMPTY;
  if (!joints) return bounds;
  world_joint_transforms(world, model, moment, joints);
  for (int i = 0; i < count && i < model->asset->deform_bounds.joint_counts[model->mesh]; i++) {
    if (!bounds_is_empty(boxes[i]))
      bounds = bounds_union(bounds, bounds_transform(grow_by_targets(model, boxes[i]), joints[i]));
  }
  return bounds;
}
