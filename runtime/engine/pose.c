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

Affine world_model_transform(const World *world, const ModelInstance *model) {
  return affine_mul(scene_get(&world->scene, model->node)->world, model->geometry);
}

const float *world_posed_positions(World *world, const ModelInstance *model) {
  const ModelMesh *mesh = &model->asset->model->meshes[model->mesh];
  if (mesh->positions) return mesh->positions;
  int index = (int)(model - world->models.items);
  if (world->posed_instance == index) return world->positions.items;
  int wanted = mesh->frames.vertex_count * 3;
  world->positions.count = 0;
  world->posed_instance = -1;
  if (!array_reserve(world->memory, &world->positions, wanted)) {
    world->is_out_of_memory = true;
    return NULL;
  }
  vertex_frames_blend(&mesh->frames, world_pose(world, model), world->positions.items);
  world->posed_instance = index;
  return world->positions.items;
}

static Bounds exact_bounds(World *world, const ModelInstance *model, Affine transform) {
  const ModelMesh *mesh = &model->asset->model->meshes[model->mesh];
  const float *positions = world_posed_positions(world, model);
  int count = mesh->positions ? mesh->vertex_count : mesh->frames.vertex_count;
  Bounds bounds = BOUNDS_EMPTY;
  if (!positions) return bounds;
  for (int i = 0; i < count; i++)
    bounds = bounds_add_point(
        bounds, affine_point(transform, vec3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2])));
  return bounds;
}

Bounds world_loose_bounds(const World *world, const ModelInstance *model, Affine transform) {
  const ModelMesh *mesh = &model->asset->model->meshes[model->mesh];
  if (mesh->positions) return bounds_transform(mesh->bounds, transform);
  // The bytes of a frame cannot leave the box from its translation to 255 times its scale further.
  FramePose pose = world_pose(world, model);
  FrameTransform a = vertex_frames_transform(&mesh->frames, pose.frame_a);
  FrameTransform b = vertex_frames_transform(&mesh->frames, pose.frame_b);
  Vec3 low = vec3_lerp(a.translation, b.translation, pose.mix);
  Vec3 high =
      vec3_lerp(vec3_add_scaled(a.translation, a.scale, 255), vec3_add_scaled(b.translation, b.scale, 255), pose.mix);
  Bounds local =
      bounds_add_point(bounds_add_point(BOUNDS_EMPTY, vertex_frames_to_engine(low)), vertex_frames_to_engine(high));
  return bounds_transform(local, transform);
}

bool world_node_bounds(World *world, Handle top, Bounds *bounds) {
  *bounds = BOUNDS_EMPTY;
  for (Handle at = {0}; (at = scene_next_below(&world->scene, top, at)).generation;) {
    const ModelInstance *model = world_model(world, at);
    if (!model || model->mesh < 0) continue;
    Affine transform = affine_mul(scene_current_world(&world->scene, scene_get(&world->scene, at)), model->geometry);
    *bounds = bounds_union(*bounds, exact_bounds(world, model, transform));
  }
  return !bounds_is_empty(*bounds);
}
