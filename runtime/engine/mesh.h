#ifndef PALFREY_ENGINE_MESH_H
#define PALFREY_ENGINE_MESH_H
// What a model is on the GPU; only the renderer's own files include this. A mesh becomes a shape: runs of at most 65535
// vertices (chunks), where the device has indices of 16 bits only, and in them runs of triangles with one material (parts). There are two
// shapes: the smooth one, and the flat one, whose triangles share no corners so that each can have its own normal.
#include "array.h"
#include "engine/gpu.h"
#include "engine/render.h"

enum { MESH_MAX_CHUNK_VERTICES = 65535 };

/// A vertex of a mesh without frames.
typedef struct MeshVertex {
  float position[3];
  int16_t normal[4];  ///< -32767 to 32767 for -1 to 1; the fourth is padding
  float uv[2];
  uint8_t color[4];
} MeshVertex;

typedef struct GpuChunk {
  GpuBuffer
      *vertices;   ///< MeshVertex; or for each frame in a row PACKED_VERTEX_SIZE bytes a vertex: x, y, z, normal code
  GpuBuffer *uvs;  ///< 2 floats a vertex, with frames only
  GpuBuffer *indices;
  GpuBuffer *lines;  ///< made at need
  int vertex_count;
  uint32_t *sources;  ///< which vertex of the mesh each is, for meshes that change their shape; else NULL
} GpuChunk;

typedef struct GpuPart {
  int chunk, material;  ///< material -1: the default one
  int first_index, index_count;
  int first_line, line_index_count;  ///< into the chunk's lines
  float uv_low[2], uv_high[2];
} GpuPart;

typedef struct GpuShape {
  bool is_made, has_lines;
  GpuChunk *chunks;
  GpuPart *parts;
  int chunk_count, part_count;
} GpuShape;

typedef struct GpuMesh {
  const ModelMesh *mesh;
  uint32_t serial;  ///< in the order of making, for sorting
  GpuShape smooth, flat;
} GpuMesh;

struct GpuModel {
  Memory *memory;
  Gpu *gpu;
  const Model *model;
  GpuMesh *meshes;
};

/// `first_serial` numbers the meshes.
GpuModel *gpu_model_create(Memory *memory, Gpu *gpu, const Model *model, uint32_t first_serial, Error *error);
/// After gpu_restore: makes the buffers again.
bool gpu_model_restore(GpuModel *model, Error *error);
void gpu_model_free(GpuModel *model);

/// Makes the flat shape, or the lines of the smooth one, unless they are there.
bool gpu_model_need_flat(GpuModel *model, int mesh, Error *error);
bool gpu_model_need_lines(GpuModel *model, int mesh, Error *error);

/// The parts of the building of shapes, in mesh_build.c and mesh_lines.c.
bool mesh_changes_shape(const ModelMesh *mesh);  ///< by joints or morph targets
/// 3 floats a vertex, of no certain length, for a mesh that lacks normals. NULL without memory.
float *mesh_make_normals(Memory *memory, const ModelMesh *mesh, const float *positions);
/// Whether a shape of so many corners is one chunk with indices of 32 bits.
bool mesh_is_wide(const GpuModel *model, int corner_count);
/// Uploads indices, cut to 16 bits unless they are wide. NULL with the error set.
GpuBuffer *mesh_upload_indices(GpuModel *model, const uint32_t *indices, int count, bool is_wide, Error *error);
/// Fills vertices from arrays that are those of the mesh, or deformed ones; with `is_flat` three of them are a triangle.
void mesh_fill_vertices(const ModelMesh *mesh, const float *positions, const float *normals, const uint32_t *sources,
                        int count, bool is_flat, MeshVertex *vertices);
bool mesh_build_shape(GpuModel *model, GpuMesh *mesh, bool is_flat, GpuShape *shape, Error *error);
bool mesh_build_lines(GpuModel *model, GpuMesh *mesh, GpuShape *shape, Error *error);

#endif
