#include <string.h>

#include "engine/render_draw.h"
#include "skin/deform.h"

// The arrays of a mesh at work, in the scratch memory of the renderer.
typedef struct Deformed {
  float *positions, *normals;
} Deformed;

static bool copy_rest(Renderer *renderer, const ModelMesh *mesh, Deformed *deformed) {
  int size = 3 * mesh->vertex_count;
  renderer->deformed.count = 0;
  if (!array_reserve(renderer->memory, &renderer->deformed, 2 * size)) return false;
  deformed->positions = renderer->deformed.items;
  deformed->normals = mesh->normals ? renderer->deformed.items + size : NULL;
  memcpy(deformed->positions, mesh->positions, (size_t)size * sizeof(float));
  if (mesh->normals) memcpy(deformed->normals, mesh->normals, (size_t)size * sizeof(float));
  return true;
}

static void add_targets(const Model *model, const ModelMesh *mesh, const float *weights, Deformed *deformed) {
  for (int i = 0; i < mesh->morph_target_count; i++) {
    const ModelMorphTarget *target = &model->morph_targets[mesh->first_morph_target + i];
    deform_add_target(target->positions, weights[i], mesh->vertex_count, deformed->positions);
    if (target->normals && deformed->normals)
      deform_add_target(target->normals, weights[i], mesh->vertex_count, deformed->normals);
  }
}

static bool stream_chunks(Renderer *renderer, const GpuShape *shape, const ModelMesh *mesh, const Deformed *deformed,
                          bool is_flat) {
  float *made = mesh->normals ? NULL : mesh_make_normals(renderer->memory, mesh, deformed->positions);
  bool is_good = mesh->normals || made;
  for (int i = 0; i < shape->chunk_count && is_good; i++) {
    const GpuChunk *chunk = &shape->chunks[i];
    is_good = array_reserve(renderer->memory, &renderer->stream_vertices, chunk->vertex_count);
    if (!is_good) break;
    MeshVertex *vertices = renderer->stream_vertices.items + renderer->stream_vertices.count;
    mesh_fill_vertices(mesh, deformed->positions, made ? made : deformed->normals, chunk->sources, chunk->vertex_count,
                       is_flat, vertices);
    renderer->stream_vertices.count += chunk->vertex_count;
  }
  memory_free(renderer->memory, made);
  return is_good;
}

static bool stream_item(Renderer *renderer, const DrawScene *scene, const DrawItem *item) {
  const ModelMesh *mesh = item->model->meshes[item->mesh].mesh;
  Deformed deformed;
  if (!copy_rest(renderer, mesh, &deformed)) return false;
  if (item->morph_weights) add_targets(item->model->model, mesh, item->morph_weights, &deformed);
  if (item->joints)
    deform_by_joints(&(JointWeights){mesh->joints, mesh->weights, mesh->vertex_count}, item->joints, deformed.positions,
                     deformed.normals);
  return stream_chunks(renderer, view_shape(scene, item), mesh, &deformed, scene->mode == VIEW_FLAT);
}

static bool upload_stream(Renderer *renderer, Error *error) {
  size_t size = (size_t)renderer->stream_vertices.count * sizeof(MeshVertex);
  if (size == 0) return true;
  if (renderer->stream) {
    gpu_buffer_replace(renderer->gpu, renderer->stream, renderer->stream_vertices.items, size);
    return true;
  }
  renderer->stream = gpu_buffer_create(renderer->gpu, GPU_VERTICES, renderer->stream_vertices.items, size, error);
  return renderer->stream != NULL;
}

bool render_stream_deformed(Renderer *renderer, const DrawScene *scene, Error *error) {
  const View *view = &renderer->view;
  renderer->stream_vertices.count = renderer->stream_starts.count = 0;
  for (int i = 0; i < view->visible.count; i++) {
    const DrawItem *item = &scene->items[view->visible.items[i].item];
    const ModelMesh *mesh = item->model->meshes[item->mesh].mesh;
    bool is_deformed = mesh_changes_shape(mesh) && (item->joints || item->morph_weights);
    int start = is_deformed ? renderer->stream_vertices.count : -1;
    if (!array_push(renderer->memory, &renderer->stream_starts, start)) return error_set_out_of_memory(error);
    if (is_deformed && !stream_item(renderer, scene, item)) return error_set_out_of_memory(error);
  }
  return upload_stream(renderer, error);
}
