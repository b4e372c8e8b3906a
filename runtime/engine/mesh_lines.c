#include <stdlib.h>

#include "array.h"
#include "engine/mesh.h"

// An edge as its lower and its higher vertex, so that both triangles at it name it alike.
typedef ARRAY(uint64_t) EdgeArray;

static uint64_t edge(uint32_t a, uint32_t b) {
  return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static int compare_edges(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

// The triangles of a chunk are not kept on the CPU: they are found again in the model, as mesh_build.c numbered them.
typedef struct Walk {
  Memory *memory;
  const ModelMesh *mesh;
  uint64_t *places;
  uint64_t chunk_number;
  int vertex_count;
} Walk;

static uint32_t find_place(Walk *walk, uint32_t vertex) {
  uint64_t place = walk->places[vertex];
  if (place >> 32 != walk->chunk_number) {
    place = walk->chunk_number << 32 | (uint32_t)walk->vertex_count++;
    walk->places[vertex] = place;
  }
  return (uint32_t)place;
}

static bool collect_edges(Walk *walk, const uint32_t *indices, int index_count, EdgeArray *edges) {
  edges->count = 0;
  if (index_count <= 0) return true;
  if (!array_reserve(walk->memory, edges, index_count) || !edges->items) return false;
  for (int i = 0; i < index_count; i += 3) {
    uint32_t a = find_place(walk, indices[i]), b = find_place(walk, indices[i + 1]);
    uint32_t c = find_place(walk, indices[i + 2]);
    edges->items[edges->count++] = edge(a, b);
    edges->items[edges->count++] = edge(b, c);
    edges->items[edges->count++] = edge(c, a);
  }
  qsort(edges->items, (size_t)edges->count, sizeof *edges->items, compare_edges);
  return true;
}

typedef ARRAY(uint32_t) LineArray;

static bool add_lines(Walk *walk, const EdgeArray *edges, GpuPart *part, LineArray *lines) {
  part->first_line = lines->count;
  for (int i = 0; i < edges->count; i++) {
    if (i > 0 && edges->items[i] == edges->items[i - 1]) continue;
    if (!array_push(walk->memory, lines, (uint32_t)(edges->items[i] >> 32))) return false;
    if (!array_push(walk->memory, lines, (uint32_t)edges->items[i])) return false;
  }
  part->line_index_count = lines->count - part->first_line;
  return true;
}

static bool upload_lines(GpuModel *model, GpuChunk *chunk, LineArray *lines, Error *error) {
  gpu_buffer_free(model->gpu, chunk->lines);
  bool is_wide = mesh_is_wide(model, chunk->vertex_count);
  chunk->lines = mesh_upload_indices(model, lines->items, lines->count, is_wide, error);
  lines->count = 0;
  return chunk->lines != NULL;
}

// Parts are in the order of the mesh's triangles: those of a submesh follow one another, cut where a chunk was full.
static bool walk_parts(GpuModel *model, Walk *walk, GpuShape *shape, EdgeArray *edges, LineArray *lines, Error *error) {
  const ModelSubmesh *submesh = model->model->submeshes + walk->mesh->first_submesh;
  int done = 0;
  for (int i = 0; i < shape->part_count; i++) {
    GpuPart *part = &shape->parts[i];
    while (done >= submesh->index_count) {
      submesh++;
      done = 0;
    }
    if (walk->chunk_number != (uint64_t)part->chunk + 1) {
      walk->chunk_number = (uint64_t)part->chunk + 1;
      walk->vertex_count = 0;
    }
    const uint32_t *indices = walk->mesh->indices + submesh->first_index + done;
    if (!collect_edges(walk, indices, part->index_count, edges) || !add_lines(walk, edges, part, lines))
      return error_set_out_of_memory(error);
    done += part->index_count;
    bool is_last = i + 1 == shape->part_count || shape->parts[i + 1].chunk != part->chunk;
    if (is_last && !upload_lines(model, &shape->chunks[part->chunk], lines, error)) return false;
  }
  return true;
}

bool mesh_build_lines(GpuModel *model, GpuMesh *mesh, GpuShape *shape, Error *error) {
  Walk walk = {.memory = model->memory, .mesh = mesh->mesh};
  walk.places = memory_alloc_array(model->memory, (size_t)mesh->mesh->vertex_count, sizeof *walk.places);
  if (!walk.places) return error_set_out_of_memory(error);
  EdgeArray edges = {0};
  LineArray lines = {0};
  shape->has_lines = walk_parts(model, &walk, shape, &edges, &lines, error);
  memory_free(model->memory, walk.places);
  array_free(model->memory, &edges);
  array_free(model->memory, &lines);
  return shape->has_lines;
}
