#include "loaders/model_bounds.h"

#include <string.h>

#include "loaders/model_pose.h"
#include "skin/deform.h"

enum {
  MOST_INSTANCES = 8,  // of all vertices together that are looked at one by one
};

typedef struct Measuring {
  const Model *model;
  Affine *worlds;    // of the nodes
  Affine *joints;    // scratch for one skin
  float *positions;  // scratch for one mesh
  int64_t left;      // vertices that may still be looked at
  Bounds bounds;
} Measuring;

static bool allocate(Measuring *measuring, Memory *memory) {
  const Model *model = measuring->model;
  int joint_count = 0, vertex_count = 0;
  for (int i = 0; i < model->node_skin_count; i++)
    joint_count = model->node_skins[i].joint_count > joint_count ? model->node_skins[i].joint_count : joint_count;
  for (int i = 0; i < model->mesh_count; i++) {
    const ModelMesh *mesh = &model->meshes[i];
    bool is_shaped = mesh->joints || mesh->morph_target_count > 0;
    if (is_shaped && mesh->vertex_count > vertex_count) vertex_count = mesh->vertex_count;
    measuring->left += (int64_t)MOST_INSTANCES * mesh->vertex_count;
  }
  measuring->worlds = memory_alloc_array(memory, (size_t)model->node_count, sizeof *measuring->worlds);
  measuring->joints = memory_alloc_array(memory, (size_t)joint_count, sizeof *measuring->joints);
  measuring->positions = memory_alloc_array(memory, (size_t)vertex_count, 3 * sizeof *measuring->positions);
  return measuring->worlds && measuring->joints && measuring->positions;
}

// The mesh's own positions, or the scratch where weights of morph targets shape it.
static const float *morphed_positions(Measuring *measuring, const ModelNode *node) {
  const ModelMesh *mesh = &measuring->model->meshes[node->mesh];
  const float *positions = mesh->positions;
  for (int i = 0; i < mesh->morph_target_count; i++) {
    const ModelMorphTarget *target = &measuring->model->morph_targets[mesh->first_morph_target + i];
    float weight = node->morph_weights ? node->morph_weights[i] : target->default_weight;
    if (weight == 0) continue;
    if (positions == mesh->positions)
      positions = memcpy(measuring->positions, positions, 3 * (size_t)mesh->vertex_count * sizeof *positions);
    deform_add_target(target->positions, weight, mesh->vertex_count, measuring->positions);
    measuring->left -= mesh->vertex_count;
  }
  return positions;
}

static void add_points(Measuring *measuring, const float *positions, int count, Affine transform) {
  for (const float *p = positions; p < positions + 3 * (size_t)count; p += 3)
    measuring->bounds = bounds_add_point(measuring->bounds, affine_point(transform, vec3(p[0], p[1], p[2])));
}

static void add_skinned(Measuring *measuring, const ModelMesh *mesh, const ModelSkin *skin, const float *positions) {
  for (int i = 0; i < skin->joint_count; i++)
    measuring->joints[i] = affine_mul(measuring->worlds[skin->joints[i]], skin->inverse_bind[i]);
  if (positions == mesh->positions)
    memcpy(measuring->positions, positions, 3 * (size_t)mesh->vertex_count * sizeof *positions);
  deform_by_joints(&(JointWeights){mesh->joints, mesh->weights, mesh->vertex_count}, measuring->joints,
                   measuring->positions, NULL);
  add_points(measuring, measuring->positions, mesh->vertex_count, AFFINE_IDENTITY);
}

static void add_node(Measuring *measuring, int index) {
  const ModelNode *node = &measuring->model->nodes[index];
  const ModelMesh *mesh = &measuring->model->meshes[node->mesh];
  const ModelSkin *skin = node->skin >= 0 && mesh->joints ? &measuring->model->node_skins[node->skin] : NULL;
  Affine transform = affine_mul(measuring->worlds[index], node->geometry);
  measuring->left -= mesh->vertex_count;
  if (!mesh->positions || measuring->left < 0) {
    // At the bind pose all joints carry a mesh to the same place.
    if (skin) transform = affine_mul(measuring->worlds[skin->joints[0]], skin->inverse_bind[0]);
    measuring->bounds = bounds_union(measuring->bounds, bounds_transform(mesh->bounds, transform));
    return;
  }
  const float *positions = morphed_positions(measuring, node);
  if (skin)
    add_skinned(measuring, mesh, skin, positions);
  else
    add_points(measuring, positions, mesh->vertex_count, transform);
}

bool model_rest_bounds(const Model *model, Memory *memory, Bounds *bounds) {
  if (model->mesh_count > 0 && model->meshes[0].frames.frame_count > 0) {
    *bounds = vertex_frames_bounds(&model->meshes[0].frames, (FramePose){0});
    return true;
  }
  Measuring measuring = {.model = model, .bounds = BOUNDS_EMPTY};
  bool is_good = allocate(&measuring, memory);
  if (is_good) model_node_worlds(model->nodes, model->node_count, measuring.worlds);
  for (int i = 0; is_good && i < model->node_count; i++) {
    if (model->nodes[i].mesh >= 0) add_node(&measuring, i);
  }
  *bounds = measuring.bounds;
  memory_free(memory, measuring.worlds);
  memory_free(memory, measuring.joints);
  memory_free(memory, measuring.positions);
  return is_good;
}
