#include "loaders/frames.h"

#include <string.h>

#include "loaders/md2.h"

bool frames_check(const LoadRequest *request, int frame_count, Error *error) {
  for (int i = 0; i < request->frame_count; i++) {
    int frame = request->frames[i];
    if (frame < 0 || frame >= frame_count)
      return error_set(error, "%s: frame %d does not exist, the model has %d frames (0 to %d)", request->path, frame,
                       frame_count, frame_count - 1);
    if (i > 0 && frame <= request->frames[i - 1])
      return error_set(error, "%s: the frames to keep do not ascend at frame %d", request->path, frame);
  }
  return request->frame_count > 0 || error_set(error, "%s: no frames to keep", request->path);
}

bool frames_copy(Model *model, const LoadRequest *request, const VertexFrames *all, VertexFrames *kept) {
  size_t stride = PACKED_FRAME_HEADER_SIZE + (size_t)all->vertex_count * PACKED_VERTEX_SIZE;
  uint8_t *copy = arena_alloc_array(&model->arena, (size_t)request->frame_count, stride);
  if (!copy) return false;
  for (int i = 0; i < request->frame_count; i++)
    memcpy(copy + (size_t)i * stride, all->bytes + (size_t)request->frames[i] * all->stride, stride);
  *kept = (VertexFrames){copy, stride, request->frame_count, all->vertex_count};
  return true;
}

static Bounds all_bounds(const VertexFrames *frames) {
  Bounds bounds = BOUNDS_EMPTY;
  for (int i = 0; i < frames->frame_count; i++)
    bounds = bounds_union(bounds, vertex_frames_bounds(frames, (FramePose){i, i, 0}));
  return bounds;
}

bool frames_keep(Model *model, const LoadRequest *request, Error *error) {
  VertexFrames first = {0};
  for (int i = 0; i < model->mesh_count; i++) {
    ModelMesh *mesh = &model->meshes[i];
    VertexFrames all = mesh->frames;
    if (all.frame_count == 0) continue;
    if (!frames_check(request, all.frame_count, error)) return false;
    if (!frames_copy(model, request, &all, &mesh->frames)) return error_set_out_of_memory(error);
    mesh->bounds = all_bounds(&mesh->frames);
    if (first.frame_count == 0) first = all;
  }
  if (first.frame_count == 0)
    return error_set(error, "%s: frames to load are named, but it has no vertex frames", request->path);
  return md2_add_clips(model, &first, request->frames, request->frame_count) || error_set_out_of_memory(error);
}
