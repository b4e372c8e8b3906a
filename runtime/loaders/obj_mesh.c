#include "loaders/obj_mesh.h"

#include <string.h>

enum {
  // A position where this many different corners meet gets more, although they might be equal: without a limit, files
  // made for it would take for ever.
  CHAIN_LIMIT = 256,
};

static const Vec3 FALLBACK_NORMAL = {0, 1, 0};

// ---- Normals that the file lacks

static Vec3 unit_polygon_normal(const Vec3 *points, int count) {
  double n[3];
  polygon_normal(points, count, n);
  double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (!(length > 0) || !isfinite(length)) return (Vec3){0, 0, 0};
  return (Vec3){(float)(n[0] / length), (float)(n[1] / length), (float)(n[2] / length)};
}

// The angle at points[i], near enough (M. Abramowitz, I. Stegun, 4.4.45: within 1e-4).
static float corner_angle(const Vec3 *points, int count, int i) {
  Vec3 corner = points[i];
  Vec3 a = vec3_normalize_or(vec3_sub(points[i > 0 ? i - 1 : count - 1], corner), (Vec3){0, 0, 0});
  Vec3 b = vec3_normalize_or(vec3_sub(points[i + 1 < count ? i + 1 : 0], corner), (Vec3){0, 0, 0});
  float cosine = clampf(vec3_dot(a, b), -1, 1), x = fabsf(cosine);
  float angle = sqrtf(1 - x) * (1.5707288f + x * (-0.2121144f + x * (0.0742610f - x * 0.0187293f)));
  return cosine < 0 ? (float)PI - angle : angle;
}

static int push_normal(ObjMeshes *meshes, Vec3 sum, uint32_t group, int next) {
  if (!array_push(meshes->memory, &meshes->made_normals, (ObjNormal){sum, group, next})) return -1;
  return meshes->made_normals.count - 1;
}

// Makes first_made as long as the positions may become.
static bool reserve_chains(ObjMeshes *meshes) {
  int count = meshes->positions.capacity;
  if (meshes->first_made_count >= count) return true;
  int *grown = memory_resize(meshes->memory, meshes->first_made, (size_t)count * sizeof *grown);
  if (!grown) return false;
  memset(grown + meshes->first_made_count, 0, (size_t)(count - meshes->first_made_count) * sizeof *grown);
  meshes->first_made = grown;
  meshes->first_made_count = count;
  return true;
}

// The normal of a smoothing group at a position; -1 without memory.
static int find_smooth_normal(ObjMeshes *meshes, int position, uint32_t group) {
  if (!reserve_chains(meshes)) return -1;
  int link = meshes->first_made[position];
  for (int steps = 0; link > 0 && steps < CHAIN_LIMIT; steps++) {
    const ObjNormal *normal = &meshes->made_normals.items[link - 1];
    if (normal->group == group) return link - 1;
    link = normal->next;
  }
  int made = push_normal(meshes, (Vec3){0, 0, 0}, group, meshes->first_made[position]);
  if (made >= 0) meshes->first_made[position] = made + 1;
  return made;
}

// A made normal has the number -2 - index, so that it differs from "none" too.
static bool make_normals(ObjMeshes *meshes, ObjCorner *corners, int count, uint32_t group) {
  const Vec3 *points = meshes->points.items;
  Vec3 face_normal = unit_polygon_normal(points, count);
  int made = group == 0 ? push_normal(meshes, face_normal, 0, 0) : 0;
  for (int i = 0; i < count && made >= 0; i++) {
    if (corners[i].normal >= 0) continue;
    if (group != 0) {
      made = find_smooth_normal(meshes, corners[i].position, group);
      if (made < 0) return false;
      Vec3 *sum = &meshes->made_normals.items[made].sum;
      *sum = vec3_add_scaled(*sum, face_normal, corner_angle(points, count, i));
    }
    corners[i].normal = -2 - made;
  }
  return made >= 0;
}

// ---- Faces

// The number of the joined corner; -1 without memory.
static int join_corner(ObjMeshes *meshes, const ObjCorner *corner) {
  uint32_t *first = &meshes->positions.items[corner->position].first_corner, link = *first;
  for (int steps = 0; link > 0 && steps < CHAIN_LIMIT; steps++) {
    const ObjJoined *joined = &meshes->corners.items[link - 1];
    if (joined->uv == corner->uv && joined->normal == corner->normal) return (int)link - 1;
    link = joined->next;
  }
  ObjJoined joined = {corner->position, corner->uv, corner->normal, *first};
  if (!array_push(meshes->memory, &meshes->corners, joined)) return -1;
  *first = (uint32_t)meshes->corners.count;
  return meshes->corners.count - 1;
}

static bool start_run(ObjMeshes *meshes, int part, int material) {
  int bucket = id_map_add(&meshes->buckets, (uint64_t)(uint32_t)part << 32 | (uint32_t)material);
  if (bucket < 0) return false;
  int count = meshes->runs.count;
  if (count > 0 && meshes->runs.items[count - 1].bucket == bucket) return true;
  return array_push(meshes->memory, &meshes->runs, (ObjRun){bucket, (uint32_t)meshes->indices.count});
}

static bool gather_points(ObjMeshes *meshes, const ObjCorner *corners, int count) {
  meshes->points.count = 0;
  if (!array_reserve(meshes->memory, &meshes->points, count)) return false;
  meshes->points.count = count;
  for (int i = 0; i < count; i++) {
    const ObjPosition *p = &meshes->positions.items[corners[i].position];
    meshes->points.items[i] = vec3(p->x, p->y, p->z);
  }
  return true;
}

static bool add_triangles(ObjMeshes *meshes, int count) {
  int index_count = 3 * (count - 2);
  const uint32_t *joined = meshes->joined.items;
  if (!array_reserve(meshes->memory, &meshes->indices, index_count)) return false;
  uint32_t *indices = meshes->indices.items + meshes->indices.count;
  if (count == 3) {
    memcpy(indices, joined, 3 * sizeof *indices);
  } else {
    if (!triangulate(&meshes->triangulator, meshes->points.items, count, indices)) return false;
    for (int i = 0; i < index_count; i++)
      indices[i] = joined[indices[i]];
  }
  meshes->indices.count += index_count;
  return true;
}

bool obj_meshes_add_face(ObjMeshes *meshes, ObjCorner *corners, int count, int part, int material,
                         uint32_t smoothing_group) {
  bool lacks_normals = false;
  for (int i = 0; i < count; i++)
    lacks_normals |= corners[i].normal < 0;
  if ((lacks_normals || count > 3) && !gather_points(meshes, corners, count)) return false;
  if (lacks_normals && !make_normals(meshes, corners, count, smoothing_group)) return false;
  meshes->joined.count = 0;
  if (!array_reserve(meshes->memory, &meshes->joined, count)) return false;
  for (int i = 0; i < count; i++) {
    int joined = join_corner(meshes, &corners[i]);
    if (joined < 0) return false;
    meshes->joined.items[i] = (uint32_t)joined;
  }
  return start_run(meshes, part, material) && add_triangles(meshes, count);
}

// ---- Meshes

// Where the triangles of each bucket go, and which buckets a part has.
typedef struct Sorting {
  uint32_t *index_counts;  // by bucket
  uint32_t *cursors;       // by bucket: where its next index goes
  int *order;              // the buckets, part by part in the order of their first use
  int *first_of_part;      // into the order, part_count + 1 entries
  uint32_t *indices;
} Sorting;

static int bucket_part(const ObjMeshes *meshes, int bucket) {
  return (int)(meshes->buckets.keys.items[bucket] >> 32);
}

static int bucket_material(const ObjMeshes *meshes, int bucket) {
  return (int)(uint32_t)meshes->buckets.keys.items[bucket];
}

static uint32_t run_end(const ObjMeshes *meshes, int run) {
  return run + 1 < meshes->runs.count ? meshes->runs.items[run + 1].first_index : (uint32_t)meshes->indices.count;
}

static void free_sorting(Memory *memory, Sorting *sorting) {
  memory_free(memory, sorting->index_counts);
  memory_free(memory, sorting->cursors);
  memory_free(memory, sorting->order);
  memory_free(memory, sorting->first_of_part);
}

static bool allocate_sorting(const ObjMeshes *meshes, int part_count, Sorting *sorting) {
  size_t bucket_count = (size_t)meshes->buckets.keys.count;
  Memory *memory = meshes->memory;
  sorting->index_counts = memory_alloc_array(memory, bucket_count, sizeof *sorting->index_counts);
  sorting->cursors = memory_alloc_array(memory, bucket_count, sizeof *sorting->cursors);
  sorting->order = memory_alloc_array(memory, bucket_count, sizeof *sorting->order);
  sorting->first_of_part = memory_alloc_array(memory, (size_t)part_count + 1, sizeof *sorting->first_of_part);
  return sorting->index_counts && sorting->cursors && sorting->order && sorting->first_of_part;
}

static void order_buckets(const ObjMeshes *meshes, int part_count, Sorting *sorting) {
  int bucket_count = meshes->buckets.keys.count;
  for (int run = 0; run < meshes->runs.count; run++)
    sorting->index_counts[meshes->runs.items[run].bucket] += run_end(meshes, run) - meshes->runs.items[run].first_index;
  int *first = sorting->first_of_part;
  for (int i = 0; i < bucket_count; i++)
    first[bucket_part(meshes, i) + 1]++;
  for (int part = 0; part < part_count; part++)
    first[part + 1] += first[part];
  for (int i = 0; i < bucket_count; i++)
    sorting->order[first[bucket_part(meshes, i)]++] = i;
  // Every entry now stands at its part's end, which is the next one's start.
  for (int part = part_count; part > 0; part--)
    first[part] = first[part - 1];
  first[0] = 0;
  uint32_t next = 0;
  for (int i = 0; i < bucket_count; i++) {
    sorting->cursors[sorting->order[i]] = next;
    next += sorting->index_counts[sorting->order[i]];
  }
}

// Brings the indices into the order of the buckets. They belong to the model from here on.
static bool sort_indices(ObjMeshes *meshes, Model *model, Sorting *sorting) {
  size_t count = (size_t)meshes->indices.count;
  if (meshes->runs.count == 1) {
    uint32_t *trimmed = memory_resize(meshes->memory, meshes->indices.items, count * sizeof *trimmed);
    if (!trimmed) return false;
    meshes->indices.items = trimmed;
    meshes->indices.capacity = (int)count;
    if (!arena_adopt(&model->arena, trimmed, count * sizeof *trimmed)) return false;
    sorting->indices = trimmed;
    meshes->indices.items = NULL;
    return true;
  }
  sorting->indices = arena_alloc_array(&model->arena, count, sizeof *sorting->indices);
  if (!sorting->indices) return false;
  for (int run = 0; run < meshes->runs.count; run++) {
    const ObjRun *r = &meshes->runs.items[run];
    uint32_t run_count = run_end(meshes, run) - r->first_index;
    memcpy(sorting->indices + sorting->cursors[r->bucket], meshes->indices.items + r->first_index,
           run_count * sizeof *sorting->indices);
    sorting->cursors[r->bucket] += run_count;
  }
  array_free(meshes->memory, &meshes->indices);
  return true;
}

static Vec3 corner_normal(const ObjMeshes *meshes, const ObjJoined *corner) {
  if (corner->normal >= 0) return meshes->normals.items[corner->normal];
  return vec3_normalize_or(meshes->made_normals.items[-2 - corner->normal].sum, FALLBACK_NORMAL);
}

static void fill_vertices(const ObjMeshes *meshes, const uint32_t *corners, int count, float *positions,
                          float *normals) {
  for (int i = 0; i < count; i++) {
    const ObjJoined *corner = &meshes->corners.items[corners[i]];
    const ObjPosition *p = &meshes->positions.items[corner->position];
    Vec3 n = corner_normal(meshes, corner);
    memcpy(positions + 3 * (size_t)i, &(Vec3){p->x, p->y, p->z}, sizeof n);
    memcpy(normals + 3 * (size_t)i, &n, sizeof n);
  }
}

// Normals that the file has but that point nowhere become that of a face around.
static void repair_normals(const ModelMesh *mesh, const float *positions, float *normals) {
  for (int i = 0; i < mesh->index_count; i += 3) {
    Vec3 points[3];
    for (int k = 0; k < 3; k++)
      memcpy(&points[k], positions + 3 * (size_t)mesh->indices[i + k], sizeof points[k]);
    Vec3 face_normal = unit_polygon_normal(points, 3);
    for (int k = 0; k < 3; k++) {
      float *normal = normals + 3 * (size_t)mesh->indices[i + k];
      if (vec3_length_squared(vec3(normal[0], normal[1], normal[2])) == 0)
        memcpy(normal, &face_normal, sizeof face_normal);
    }
  }
  for (int i = 0; i < mesh->vertex_count; i++) {
    float *normal = normals + 3 * (size_t)i;
    if (vec3_length_squared(vec3(normal[0], normal[1], normal[2])) == 0)
      memcpy(normal, &FALLBACK_NORMAL, sizeof FALLBACK_NORMAL);
  }
}

static bool fill_uvs(const ObjMeshes *meshes, Model *model, const uint32_t *corners, ModelMesh *mesh) {
  bool has_uvs = false;
  for (int i = 0; i < mesh->vertex_count && !has_uvs; i++)
    has_uvs = meshes->corners.items[corners[i]].uv >= 0;
  if (!has_uvs) return true;
  ObjUv *uvs = arena_alloc_array(&model->arena, (size_t)mesh->vertex_count, sizeof *uvs);
  for (int i = 0; uvs && i < mesh->vertex_count; i++) {
    int uv = meshes->corners.items[corners[i]].uv;
    // The file counts v from the bottom of the picture.
    if (uv >= 0) uvs[i] = (ObjUv){meshes->uvs.items[uv].u, 1 - meshes->uvs.items[uv].v};
  }
  mesh->uvs = uvs ? &uvs->u : NULL;
  return uvs != NULL;
}

static bool fill_colors(const ObjMeshes *meshes, Model *model, const uint32_t *corners, ModelMesh *mesh) {
  if (meshes->colors.count == 0) return true;
  ObjColor *colors = arena_alloc_array(&model->arena, (size_t)mesh->vertex_count, sizeof *colors);
  for (int i = 0; colors && i < mesh->vertex_count; i++) {
    int position = meshes->corners.items[corners[i]].position;
    colors[i] = position < meshes->colors.count ? meshes->colors.items[position] : (ObjColor){255, 255, 255, 255};
  }
  mesh->colors = colors ? &colors->r : NULL;
  return colors != NULL;
}

// Numbers the vertices of a mesh in the order of their first use, in place of the corners' numbers over all meshes.
// `base` is how many vertices the meshes before have; larger marks are those of this mesh.
static int number_vertices(ObjMeshes *meshes, uint32_t *indices, int index_count, uint32_t base, uint32_t *corners) {
  uint32_t count = 0;
  for (int i = 0; i < index_count; i++) {
    ObjJoined *corner = &meshes->corners.items[indices[i]];
    if (corner->next <= base) {
      corners[count] = indices[i];
      corner->next = base + ++count;
    }
    indices[i] = corner->next - base - 1;
  }
  return (int)count;
}

static bool fill_mesh(ObjMeshes *meshes, Model *model, ModelMesh *mesh, uint32_t base, uint32_t *indices,
                      uint32_t *corners) {
  Arena *arena = &model->arena;
  mesh->vertex_count = number_vertices(meshes, indices, mesh->index_count, base, corners);
  mesh->indices = indices;
  float *positions = arena_alloc_array(arena, (size_t)mesh->vertex_count, 3 * sizeof *positions);
  float *normals = arena_alloc_array(arena, (size_t)mesh->vertex_count, 3 * sizeof *normals);
  if (!positions || !normals) return false;
  fill_vertices(meshes, corners, mesh->vertex_count, positions, normals);
  if (meshes->has_zero_normals) repair_normals(mesh, positions, normals);
  mesh->positions = positions;
  mesh->normals = normals;
  return fill_uvs(meshes, model, corners, mesh) && fill_colors(meshes, model, corners, mesh);
}

static void add_submeshes(const ObjMeshes *meshes, const Sorting *sorting, int part, Model *model, ModelMesh *mesh) {
  mesh->first_submesh = model->submesh_count;
  for (int i = sorting->first_of_part[part]; i < sorting->first_of_part[part + 1]; i++) {
    int bucket = sorting->order[i], index_count = (int)sorting->index_counts[bucket];
    model->submeshes[model->submesh_count++] =
        (ModelSubmesh){bucket_material(meshes, bucket), mesh->index_count, index_count};
    mesh->index_count += index_count;
  }
  mesh->submesh_count = model->submesh_count - mesh->first_submesh;
}

static bool fill_meshes(ObjMeshes *meshes, const Sorting *sorting, Model *model) {
  uint32_t *corners = memory_alloc_array(meshes->memory, (size_t)meshes->corners.count, sizeof *corners);
  bool is_good = corners != NULL;
  uint32_t *indices = sorting->indices, base = 0;
  for (int i = 0; i < meshes->corners.count; i++)
    meshes->corners.items[i].next = 0;
  for (int part = 0; part < model->node_count && is_good; part++) {
    if (sorting->first_of_part[part] == sorting->first_of_part[part + 1]) continue;
    ModelMesh *mesh = &model->meshes[model->mesh_count];
    *mesh = (ModelMesh){.name = model->nodes[part].name};
    add_submeshes(meshes, sorting, part, model, mesh);
    is_good = fill_mesh(meshes, model, mesh, base, indices, corners);
    base += (uint32_t)mesh->vertex_count;
    indices += mesh->index_count;
    model->nodes[part].mesh = model->mesh_count++;
  }
  memory_free(meshes->memory, corners);
  return is_good;
}

bool obj_meshes_finish(ObjMeshes *meshes, Model *model) {
  Sorting sorting = {0};
  int part_count = model->node_count;
  size_t bucket_count = (size_t)meshes->buckets.keys.count;
  model->meshes = arena_alloc_array(&model->arena, (size_t)part_count, sizeof *model->meshes);
  model->submeshes = arena_alloc_array(&model->arena, bucket_count, sizeof *model->submeshes);
  bool is_good = model->meshes && model->submeshes && allocate_sorting(meshes, part_count, &sorting);
  if (is_good) {
    order_buckets(meshes, part_count, &sorting);
    is_good = sort_indices(meshes, model, &sorting) && fill_meshes(meshes, &sorting, model);
  }
  free_sorting(meshes->memory, &sorting);
  return is_good;
}

void obj_meshes_free(ObjMeshes *meshes) {
  Memory *memory = meshes->memory;
  array_free(memory, &meshes->positions);
  array_free(memory, &meshes->uvs);
  array_free(memory, &meshes->normals);
  array_free(memory, &meshes->colors);
  array_free(memory, &meshes->corners);
  array_free(memory, &meshes->indices);
  array_free(memory, &meshes->runs);
  array_free(memory, &meshes->made_normals);
  array_free(memory, &meshes->points);
  array_free(memory, &meshes->joined);
  memory_free(memory, meshes->first_made);
  id_map_free(&meshes->buckets);
  triangulator_free(&meshes->triangulator);
}
