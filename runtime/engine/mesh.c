#include "engine/mesh.h"

static void free_shape(GpuModel *model, GpuShape *shape) {
  for (int i = 0; i < shape->chunk_count; i++) {
    GpuChunk *chunk = &shape->chunks[i];
    gpu_buffer_free(model->gpu, chunk->vertices);
    gpu_buffer_free(model->gpu, chunk->uvs);
    gpu_buffer_free(model->gpu, chunk->indices);
    gpu_buffer_free(model->gpu, chunk->lines);
    memory_free(model->memory, chunk->sources);
  }
  memory_free(model->memory, shape->chunks);
  memory_free(model->memory, shape->parts);
  *shape = (GpuShape){0};
}

static size_t shape_bytes(const GpuShape *shape) {
  size_t bytes = 0;
  for (int i = 0; i < shape->chunk_count; i++) {
    const GpuChunk *chunk = &shape->chunks[i];
    bytes += gpu_buffer_size(chunk->vertices) + gpu_buffer_size(chunk->uvs) + gpu_buffer_size(chunk->indices) +
             gpu_buffer_size(chunk->lines);
  }
  return bytes;
}

GpuModel *gpu_model_create(Memory *memory, Gpu *gpu, const Model *model, uint32_t first_serial, Error *error) {
  GpuModel *result = memory_alloc(memory, sizeof *result);
  GpuMesh *meshes = memory_alloc_array(memory, (size_t)model->mesh_count, sizeof *meshes);
  if (!result || !meshes) {
    memory_free(memory, result);
    memory_free(memory, meshes);
    error_set_out_of_memory(error);
    return NULL;
  }
  *result = (GpuModel){.memory = memory, .gpu = gpu, .model = model, .meshes = meshes};
  for (int i = 0; i < model->mesh_count; i++) {
    meshes[i].mesh = &model->meshes[i];
    meshes[i].serial = first_serial + (uint32_t)i;
    if (!mesh_build_shape(result, &meshes[i], false, &meshes[i].smooth, error)) {
      gpu_model_free(result);
      return NULL;
    }
  }
  return result;
}

bool gpu_model_restore(GpuModel *model, Error *error) {
  for (int i = 0; i < model->model->mesh_count; i++) {
    GpuMesh *mesh = &model->meshes[i];
    free_shape(model, &mesh->smooth);
    free_shape(model, &mesh->flat);  // made at need, as the lines are
    if (!mesh_build_shape(model, mesh, false, &mesh->smooth, error)) return false;
  }
  return true;
}

void gpu_model_free(GpuModel *model) {
  if (!model) return;
  for (int i = 0; i < model->model->mesh_count; i++) {
    free_shape(model, &model->meshes[i].smooth);
    free_shape(model, &model->meshes[i].flat);
  }
  memory_free(model->memory, model->meshes);
  memory_free(model->memory, model);
}

size_t gpu_model_bytes(const GpuModel *model) {
  size_t bytes = 0;
  for (int i = 0; i < model->model->mesh_count; i++)
    bytes += shape_bytes(&model->meshes[i].smooth) + shape_bytes(&model->meshes[i].flat);
  return bytes;
}

bool gpu_model_need_flat(GpuModel *model, int index, Error *error) {
  GpuMesh *mesh = &model->meshes[index];
  if (mesh->flat.is_made) return true;
  if (mesh_build_shape(model, mesh, true, &mesh->flat, error)) return true;
  free_shape(model, &mesh->flat);
  return false;
}

bool gpu_model_need_lines(GpuModel *model, int index, Error *error) {
  GpuMesh *mesh = &model->meshes[index];
  return mesh->smooth.has_lines || mesh_build_lines(model, mesh, &mesh->smooth, error);
}
