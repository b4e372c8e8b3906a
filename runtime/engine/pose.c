#include "engine/world.h"

// Frames are told by their number in the file, as either model may have loaded a part of them. Beyond its own last frame
// an attached model keeps showing that one.
static int frame_beside(const ModelInstance *host, int frame, const ModelInstance *model) {
  int loaded = world_loaded_frame(model, world_file_frame(host, frame));
  return loaded >= 0 ? loaded : model->asset->model->meshes[0].frames.frame_count - 1;
}

FramePose world_pose(const World *world, const ModelInstance *model) {
  const ModelInstance *host = model->host.generation ? world_model(world, model->host) : NULL;
  if (!host) return model->animation.pose;
  FramePose pose = world_pose(world, host);
  return (FramePose){frame_beside(host, pose.frame_a, model), frame_beside(host, pose.frame_b, model), pose.mix};
}

static bool pose_vertices(World *world, const ModelInstance *model, Moment moment) {
  const ModelMesh *mesh = &model->asset->model->meshes[model->mesh];
  int wanted = 3 * (mesh->positions ? mesh->vertex_count : mesh->frames.vertex_count);
  world->positions.count = 0;
  world->posed_instance = -1;
  if (!array_reserve(world->memory, &world->positions, wanted)) {
    world->is_out_of_memory = true;
    return false;
  }
  if (mesh->positions) return world_deform(world, model, moment, world->positions.items);
  vertex_frames_blend(&mesh->frames, world_pose(world, model), world->positions.items);
  return true;
}

const float *world_posed_positions(World *world, const ModelInstance *model) {
  const ModelMesh *mesh = &model->asset->model->meshes[model->mesh];
  if (mesh->positions && !world_is_deformed(world, model)) return mesh->positions;
  int index = (int)(model - world->models.items);
  if (world->posed_instance == index) return world->positions.items;
  if (!pose_vertices(world, model, MOMENT_LAST_STEP)) return NULL;
  world->posed_instance = index;
  return world->positions.items;
}

// Of the mesh where its node is now.
static Bounds exact_bounds(World *world, const ModelInstance *model) {
  const ModelMesh *mesh = &model->asset->model->meshes[model->mesh];
  Affine transform = world_shape_transform(world, model, MOMENT_NOW);
  bool is_posed = !mesh->positions || world_is_deformed(world, model);
  if (is_posed && !pose_vertices(world, model, MOMENT_NOW)) return BOUNDS_EMPTY;
  const float *p = is_posed ? world->positions.items : mesh->positions;
  int count = mesh->positions ? mesh->vertex_count : mesh->frames.vertex_count;
  Bounds bounds = BOUNDS_EMPTY;
  for (int i = 0; i < count; i++, p += 3)
    bounds = bounds_add_point(bounds, affine_point(transform, vec3(p[0], p[1], p[2])));
  return bounds;
}

// The bytes of a frame cannot leave the box from its translation to 255 times its scale further.
static Bounds frames_bounds(const World *world, const ModelInstance *model, const VertexFrames *frames) {
  FramePose pose = world_pose(world, model);
  FrameTransform a = vertex_frames_transform(frames, pose.frame_a);
  FrameTransform b = vertex_frames_transform(frames, pose.frame_b);
  Vec3 low = vec3_lerp(a.translation, b.translation, pose.mix);
  Vec3 high =
      vec3_lerp(vec3_add_scaled(a.translation, a.scale, 255), vec3_add_scaled(b.translation, b.scale, 255), pose.mix);
  return bounds_add_point(bounds_add_point(BOUNDS_EMPTY, vertex_frames_to_engine(low)), vertex_frames_to_engine(high));
}

Bounds world_loose_bounds(World *world, const ModelInstance *model) {
  const ModelMesh *mesh = &model->asset->model->meshes[model->mesh];
  Bounds bounds = mesh->bounds;
  if (!mesh->positions)
    bounds = frames_bounds(world, model, &mesh->frames);
  else if (world_is_deformed(world, model))
    bounds = world_deformed_bounds(world, model, MOMENT_LAST_STEP);
  return bounds_transform(bounds, world_shape_transform(world, model, MOMENT_LAST_STEP));
}

bool world_node_bounds(World *world, Handle top, Bounds *bounds) {
  *bounds = BOUNDS_EMPTY;
  for (Handle at = {0}; (at = scene_next_below(&world->scene, top, at)).generation;) {
    const ModelInstance *model = world_model(world, at);
    if (model && model->mesh >= 0) *bounds = bounds_union(*bounds, exact_bounds(world, model));
  }
  return !bounds_is_empty(*bounds);
}
