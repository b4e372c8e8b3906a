#include <string.h>

#include "array.h"
#include "engine/mesh.h"

typedef struct Builder {
  GpuModel *model;
  const ModelMesh *mesh;
  bool is_flat;
  uint64_t *places;  // of each vertex of the mesh: number of the chunk it is in, from 1, and its place there in 32 bits
  bool is_wide;
  float *own_normals;       // of a mesh that has none
  ARRAY(uint32_t) sources;  // of the chunk being made: which vertex of the mesh each of its vertices is
  ARRAY(uint32_t) indices;
  ARRAY(GpuChunk) chunks;
  ARRAY(GpuPart) parts;
} Builder;

static Vec3 position_at(const float *positions, uint32_t vertex) {
  const float *p = positions + 3 * (size_t)vertex;
  return vec3(p[0], p[1], p[2]);
}

static Vec3 face_normal(Vec3 a, Vec3 b, Vec3 c) {
  return vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
}

bool mesh_changes_shape(const ModelMesh *mesh) {
  return mesh->positions && (mesh->joints || mesh->morph_target_count > 0);
}

// The sum of the faces at each vertex, the larger ones counting more.
float *mesh_make_normals(Memory *memory, const ModelMesh *mesh, const float *positions) {
  float *normals = memory_alloc_array(memory, (size_t)mesh->vertex_count, 3 * sizeof(float));
  if (!normals) return NULL;
  for (int i = 0; i < mesh->index_count; i += 3) {
    const uint32_t *corner = mesh->indices + i;
    Vec3 normal = face_normal(position_at(positions, corner[0]), position_at(positions, corner[1]),
                              position_at(positions, corner[2]));
    for (int k = 0; k < 3; k++) {
      float *sum = normals + 3 * (size_t)corner[k];
      sum[0] += normal.x;
      sum[1] += normal.y;
      sum[2] += normal.z;
    }
  }
  return normals;
}

static void store_normal(MeshVertex *vertex, Vec3 normal) {
  normal = vec3_normalize_or(normal, vec3(0, 1, 0));
  const float parts[3] = {normal.x, normal.y, normal.z};
  for (int i = 0; i < 3; i++)
    vertex->normal[i] = (int16_t)floorf(clampf(parts[i], -1, 1) * 32767 + 0.5f);
}

void mesh_fill_vertices(const ModelMesh *mesh, const float *positions, const float *normals, const uint32_t *sources,
                        int count, bool is_flat, MeshVertex *vertices) {
  for (int i = 0; i < count; i++) {
    MeshVertex *vertex = &vertices[i];
    size_t source = sources[i];
    memset(vertex, 0, sizeof *vertex);
    memset(vertex->color, 255, sizeof vertex->color);
    memcpy(vertex->position, positions + 3 * source, sizeof vertex->position);
    if (mesh->uvs) memcpy(vertex->uv, mesh->uvs + 2 * source, sizeof vertex->uv);
    if (normals) store_normal(vertex, position_at(normals, sources[i]));
    if (mesh->colors) memcpy(vertex->color, mesh->colors + 4 * source, sizeof vertex->color);
  }
  for (int i = 0; is_flat && i < count; i += 3) {
    Vec3 normal = face_normal(position_at(positions, sources[i]), position_at(positions, sources[i + 1]),
                              position_at(positions, sources[i + 2]));
    for (int k = 0; k < 3; k++)
      store_normal(&vertices[i + k], normal);
  }
}

static GpuBuffer *upload_vertices(const Builder *builder, Error *error) {
  Memory *memory = builder->model->memory;
  const ModelMesh *mesh = builder->mesh;
  int count = builder->sources.count;
  MeshVertex *vertices = memory_alloc_array(memory, (size_t)count, sizeof *vertices);
  if (!vertices) {
    error_set_out_of_memory(error);
    return NULL;
  }
  mesh_fill_vertices(mesh, mesh->positions, mesh->normals ? mesh->normals : builder->own_normals,
                     builder->sources.items, count, builder->is_flat, vertices);
  GpuBuffer *buffer =
      gpu_buffer_create(builder->model->gpu, GPU_VERTICES, vertices, (size_t)count * sizeof *vertices, error);
  memory_free(memory, vertices);
  return buffer;
}

static bool keep_sources(const Builder *builder, GpuChunk *chunk, Error *error) {
  if (!mesh_changes_shape(builder->mesh)) return true;
  size_t size = (size_t)builder->sources.count * sizeof *chunk->sources;
  chunk->sources = memory_alloc(builder->model->memory, size);
  if (!chunk->sources) return error_set_out_of_memory(error);
  memcpy(chunk->sources, builder->sources.items, size);
  return true;
}

// A triangle of packed vertices gets the one of the 162 normals that is nearest to its own.
static void flatten_packed_normals(const Builder *builder, int frame, uint8_t *packed) {
  Vec3 scale = vertex_frames_transform(&builder->mesh->frames, frame).scale;
  for (int i = 0; i < builder->sources.count; i += 3) {
    uint8_t *triangle = packed + (size_t)i * PACKED_VERTEX_SIZE;
    Vec3 corners[3];
    for (int k = 0; k < 3; k++) {
      const uint8_t *p = triangle + k * PACKED_VERTEX_SIZE;
      corners[k] = vec3_mul(vec3(p[0], p[1], p[2]), scale);
    }
    Vec3 normal = face_normal(corners[0], corners[1], corners[2]);
    uint8_t code = vertex_frames_normal_code(vertex_frames_nearest_normal(normal));
    for (int k = 0; k < 3; k++)
      triangle[k * PACKED_VERTEX_SIZE + 3] = code;
  }
}

static void fill_frame(const Builder *builder, int frame, uint8_t *packed) {
  const ModelMesh *mesh = builder->mesh;
  const uint8_t *vertices = mesh->frames.bytes + (size_t)frame * mesh->frames.stride + PACKED_FRAME_HEADER_SIZE;
  for (int i = 0; i < builder->sources.count; i++) {
    size_t vertex = mesh->corner_vertices[builder->sources.items[i]];
    uint8_t *target = packed + (size_t)i * PACKED_VERTEX_SIZE;
    memcpy(target, vertices + vertex * PACKED_VERTEX_SIZE, PACKED_VERTEX_SIZE);
    target[3] = vertex_frames_normal_code(target[3]);
  }
  if (builder->is_flat) flatten_packed_normals(builder, frame, packed);
}

static GpuBuffer *upload_frames(const Builder *builder, Error *error) {
  Memory *memory = builder->model->memory;
  size_t frame_size = (size_t)builder->sources.count * PACKED_VERTEX_SIZE;
  size_t frame_count = (size_t)builder->mesh->frames.frame_count;
  uint8_t *packed = memory_alloc_array(memory, frame_count, frame_size);
  if (!packed) {
    error_set_out_of_memory(error);
    return NULL;
  }
  for (size_t i = 0; i < frame_count; i++)
    fill_frame(builder, (int)i, packed + i * frame_size);
  GpuBuffer *buffer = gpu_buffer_create(builder->model->gpu, GPU_VERTICES, packed, frame_count * frame_size, error);
  memory_free(memory, packed);
  return buffer;
}

static GpuBuffer *upload_uvs(const Builder *builder, Error *error) {
  Memory *memory = builder->model->memory;
  size_t count = (size_t)builder->sources.count;
  float *uvs = memory_alloc_array(memory, count, 2 * sizeof(float));
  if (!uvs) {
    error_set_out_of_memory(error);
    return NULL;
  }
  for (size_t i = 0; builder->mesh->uvs && i < count; i++)
    memcpy(uvs + 2 * i, builder->mesh->uvs + 2 * (size_t)builder->sources.items[i], 2 * sizeof(float));
  GpuBuffer *buffer = gpu_buffer_create(builder->model->gpu, GPU_VERTICES, uvs, count * 2 * sizeof(float), error);
  memory_free(memory, uvs);
  return buffer;
}

bool mesh_is_wide(const GpuModel *model, int corner_count) {
  return gpu_profile(model->gpu)->has_uint_indices && corner_count > MESH_MAX_CHUNK_VERTICES;
}

GpuBuffer *mesh_upload_indices(GpuModel *model, const uint32_t *indices, int count, bool is_wide, Error *error) {
  size_t size = (size_t)count * sizeof(uint16_t);
  if (is_wide) return gpu_buffer_create(model->gpu, GPU_WIDE_INDICES, indices, 2 * size, error);
  uint16_t *narrow = memory_alloc(model->memory, size);
  if (!narrow) {
    error_set_out_of_memory(error);
    return NULL;
  }
  for (int i = 0; i < count; i++)
    narrow[i] = (uint16_t)indices[i];
  GpuBuffer *buffer = gpu_buffer_create(model->gpu, GPU_INDICES, narrow, size, error);
  memory_free(model->memory, narrow);
  return buffer;
}

// Uploads what was collected as one chunk and starts the next.
static bool end_chunk(Builder *builder, Error *error) {
  if (builder->sources.count == 0) return true;
  if (!array_push(builder->model->memory, &builder->chunks, (GpuChunk){.vertex_count = builder->sources.count}))
    return error_set_out_of_memory(error);
  GpuChunk *chunk = &builder->chunks.items[builder->chunks.count - 1];
  if (builder->mesh->frames.frame_count > 0) {
    chunk->vertices = upload_frames(builder, error);
    chunk->uvs = chunk->vertices ? upload_uvs(builder, error) : NULL;
    if (!chunk->uvs) return false;
  } else {
    chunk->vertices = upload_vertices(builder, error);
    if (!chunk->vertices || !keep_sources(builder, chunk, error)) return false;
  }
  chunk->indices =
      mesh_upload_indices(builder->model, builder->indices.items, builder->indices.count, builder->is_wide, error);
  builder->sources.count = builder->indices.count = 0;
  return chunk->indices != NULL;
}

static bool begin_part(Builder *builder, int material, Error *error) {
  GpuPart part = {
      .chunk = builder->chunks.count,
      .material = material,
      .first_index = builder->indices.count,
      .uv_low = {INFINITY, INFINITY},
      .uv_high = {-INFINITY, -INFINITY},
  };
  return array_push(builder->model->memory, &builder->parts, part) || error_set_out_of_memory(error);
}

static bool add_corner(Builder *builder, GpuPart *part, uint32_t vertex) {
  Memory *memory = builder->model->memory;
  uint64_t number = (uint64_t)builder->chunks.count + 1, place = builder->places[vertex];
  if (builder->is_flat || place >> 32 != number) {
    place = number << 32 | (uint32_t)builder->sources.count;
    builder->places[vertex] = place;
    if (!array_push(memory, &builder->sources, vertex)) return false;
  }
  for (int i = 0; i < 2; i++) {
    float value = builder->mesh->uvs ? builder->mesh->uvs[2 * (size_t)vertex + (size_t)i] : 0;
    if (value < part->uv_low[i]) part->uv_low[i] = value;
    if (value > part->uv_high[i]) part->uv_high[i] = value;
  }
  part->index_count++;
  return array_push(memory, &builder->indices, (uint32_t)place);
}

static bool add_submesh(Builder *builder, const ModelSubmesh *submesh, Error *error) {
  if (submesh->index_count == 0) return true;
  if (!begin_part(builder, submesh->material, error)) return false;
  for (int i = 0; i < submesh->index_count; i += 3) {
    const uint32_t *corners = builder->mesh->indices + submesh->first_index + i;
    if (!builder->is_wide && builder->sources.count + 3 > MESH_MAX_CHUNK_VERTICES) {
      if (!end_chunk(builder, error) || !begin_part(builder, submesh->material, error)) return false;
    }
    GpuPart *part = &builder->parts.items[builder->parts.count - 1];
    for (int k = 0; k < 3; k++) {
      if (!add_corner(builder, part, corners[k])) return error_set_out_of_memory(error);
    }
  }
  return true;
}

static bool prepare(Builder *builder, Error *error) {
  const ModelMesh *mesh = builder->mesh;
  Memory *memory = builder->model->memory;
  builder->places = memory_alloc_array(memory, (size_t)mesh->vertex_count, sizeof *builder->places);
  if (!builder->places) return error_set_out_of_memory(error);
  if (mesh->normals || !mesh->positions || builder->is_flat) return true;
  builder->own_normals = mesh_make_normals(memory, mesh, mesh->positions);
  return builder->own_normals || error_set_out_of_memory(error);
}

bool mesh_build_shape(GpuModel *model, GpuMesh *mesh, bool is_flat, GpuShape *shape, Error *error) {
  Builder builder = {.model = model, .mesh = mesh->mesh, .is_flat = is_flat};
  builder.is_wide = mesh_is_wide(model, is_flat ? mesh->mesh->index_count : mesh->mesh->vertex_count);
  bool is_built = prepare(&builder, error);
  for (int i = 0; is_built && i < mesh->mesh->submesh_count; i++)
    is_built = add_submesh(&builder, &model->model->submeshes[mesh->mesh->first_submesh + i], error);
  is_built = is_built && end_chunk(&builder, error);
  memory_free(model->memory, builder.places);
  memory_free(model->memory, builder.own_normals);
  array_free(model->memory, &builder.sources);
  array_free(model->memory, &builder.indices);
  // Half a shape too, so that what it holds is freed with the model.
  *shape = (GpuShape){
      .is_made = is_built,
      .chunks = builder.chunks.items,
      .parts = builder.parts.items,
      .chunk_count = builder.chunks.count,
      .part_count = builder.parts.count,
  };
  return is_built;
}
