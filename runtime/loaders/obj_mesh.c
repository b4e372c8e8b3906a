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

// Joined corners name normals made here by negative numbers: even ones are flat faces, odd ones smoothing groups.
static int flat_normal(int face) {
  return -2 - 2 * face;
}

static int smooth_normal(int index) {
  return -3 - 2 * index;
}

static bool is_smooth_normal(int normal) {
  return normal < -1 && normal % 2 != 0;
}

static int smooth_normal_index(int normal) {
  return (-3 - normal) / 2;
}

// Makes first_smooth as long as the positions may become.
static bool reserve_chains(ObjMeshes *meshes) {
  int count = meshes->positions.capacity;
  if (meshes->first_smooth_count >= count) return true;
  int *grown = memory_resize(meshes->memory, meshes->first_smooth, (size_t)count * sizeof *grown);
  if (!grown) return false;
  memset(grown + meshes->first_smooth_count, 0, (size_t)(count - meshes->first_smooth_count) * sizeof *grown);
  meshes->first_smooth = grown;
  meshes->first_smooth_count = count;
  return true;
}

// The normal of a smoothing group at a position; -1 without memory.
static int find_smooth_normal(ObjMeshes *meshes, int position, uint32_t group) {
  if (!reserve_chains(meshes)) return -1;
  int *first = &meshes->first_smooth[position], link = *first;
  for (int steps = 0; link > 0 && steps < CHAIN_LIMIT; steps++) {
    const ObjNormal *normal = &meshes->smooth_normals.items[link - 1];
    if (normal->group == group) return link - 1;
    link = normal->next;
  }
  if (!array_push(meshes->memory, &meshes->smooth_normals, (ObjNormal){{0, 0, 0}, group, *first})) return -1;
  *first = meshes->smooth_normals.count;
  return meshes->smooth_normals.count - 1;
}

// Each face counts by its angle at the corner, so that it does not matter how it is cut (G. Thürmer, C. Wüthrich,
// "Computing vertex normals from polygonal facets", 1998).
static bool make_smooth_normals(ObjMeshes *meshes, ObjCorner *corners, int count, uint32_t group) {
  const Vec3 *points = meshes->points.items;
  Vec3 face_normal = unit_polygon_normal(points, count);
  for (int i = 0; i < count; i++) {
    if (corners[i].normal >= 0) continue;
    int index = find_smooth_normal(meshes, corners[i].position, group);
    if (index < 0) return false;
    Vec3 *sum = &meshes->smooth_normals.items[index].sum;
    *sum = vec3_add_scaled(*sum, face_normal, corner_angle(points, count, i));
    corners[i].normal = smooth_normal(index);
  }
  return true;
}

// A face without a smoothing group shares its corners with no other. What its normal is shows when the meshes are made.
static void make_flat_normal(ObjMeshes *meshes, ObjCorner *corners, int count) {
  int normal = flat_normal(meshes->flat_face_count++);
  for (int i = 0; i < count; i++) {
    if (corners[i].normal < 0) corners[i].normal = normal;
  }
}

// ---- Faces

// The number of the joined corner; -1 without memory.
static int join_corner(ObjMeshes *meshes, const ObjCorner *corner) {
  uint32_t *first = &meshes->positions.items[corner->position].first_corner, link = *first;
  bool is_flat = corner->normal < 0 && !is_smooth_normal(corner->normal);
  for (int steps = 0; link > 0 && steps < CHAIN_LIMIT; steps++) {
    const ObjJoined *joined = &meshes->corners.items[link - 1];
    if (joined->uv == corner->uv && joined->normal == corner->normal) return (int)link - 1;
    // The corners of the face at hand stand in front, and a flat face shares with no other.
    if (is_flat && joined->normal != corner->normal) break;
    link = joined->next;
  }
  ObjJoined joined = {corner->position, corner->uv, corner->normal, *first};
  if (!array_push(meshes->memory, &meshes->corners, joined)) return -1;
  *first = (uint32_t)meshes->corners.count;
  return meshes->corners.count - 1;
}

static bool start_run(ObjMeshes *meshes, int part, int material) {
  uint64_t key = (uint64_t)(uint32_t)part << 32 | (uint32_t)material;
  int count = meshes->runs.count;
  if (count > 0 && meshes->buckets.keys.items[meshes->runs.items[count - 1].bucket] == key) return true;
  int bucket = id_map_add(&meshes->buckets, key);
  if (bucket < 0) return false;
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
  bool is_smooth = lacks_normals && smoothing_group != 0;
  if ((is_smooth || count > 3) && !gather_points(meshes, corners, count)) return false;
  if (is_smooth && !make_smooth_normals(meshes, corners, count, smoothing_group)) return false;
  if (lacks_normals && !is_smooth) make_flat_normal(meshes, corners, count);
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

// Gives back what an array has too much; if that fails it just stays as it is.
static void trim(Memory *memory, void **items, int *capacity, int count, size_t item_size) {
  void *trimmed = count > 0 ? memory_resize(memory, *items, (size_t)count * item_size) : NULL;
  if (!trimmed) return;
  *items = trimmed;
  *capacity = count;
}

static void trim_all(ObjMeshes *m) {
  trim(m->memory, (void **)&m->positions.items, &m->positions.capacity, m->positions.count, sizeof *m->positions.items);
  trim(m->memory, (void **)&m->uvs.items, &m->uvs.capacity, m->uvs.count, sizeof *m->uvs.items);
  trim(m->memory, (void **)&m->normals.items, &m->normals.capacity, m->normals.count, sizeof *m->normals.items);
  trim(m->memory, (void **)&m->corners.items, &m->corners.capacity, m->corners.count, sizeof *m->corners.items);
  trim(m->memory, (void **)&m->smooth_normals.items, &m->smooth_normals.capacity, m->smooth_normals.count,
       sizeof *m->smooth_normals.items);
  trim(m->memory, (void **)&m->indices.items, &m->indices.capacity, m->indices.count, sizeof *m->indices.items);
}

// Most files have all triangles of a bucket together, and the parts in the order of their first use.
static bool are_sorted(const ObjMeshes *meshes, const Sorting *sorting) {
  if (meshes->runs.count != meshes->buckets.keys.count) return false;
  for (int run = 0; run < meshes->runs.count; run++) {
    if (meshes->runs.items[run].bucket != sorting->order[run]) return false;
  }
  return true;
}

// Brings the indices into the order of the buckets. They belong to the model from here on.
static bool sort_indices(ObjMeshes *meshes, Model *model, Sorting *sorting) {
  size_t size = (size_t)meshes->indices.count * sizeof *sorting->indices;
  if (are_sorted(meshes, sorting)) {
    if (!arena_adopt(&model->arena, meshes->indices.items, size)) return false;
    sorting->indices = meshes->indices.items;
    meshes->indices.items = NULL;
    return true;
  }
  sorting->indices = arena_alloc(&model->arena, size);
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

// The vertices of a mesh: numbers of corners, or NULL when they are all corners in their order.
typedef struct Vertices {
  const ObjMeshes *meshes;
  const uint32_t *corners;
  int count;
} Vertices;

static const ObjJoined *vertex_corner(const Vertices *vertices, uint32_t index) {
  return &vertices->meshes->corners.items[vertices->corners ? vertices->corners[index] : index];
}

// A zero vector where only the faces around can tell.
static Vec3 corner_normal(const ObjMeshes *meshes, const ObjJoined *corner) {
  if (corner->normal >= 0) return meshes->normals.items[corner->normal];
  if (!is_smooth_normal(corner->normal)) return (Vec3){0, 0, 0};
  Vec3 sum = meshes->smooth_normals.items[smooth_normal_index(corner->normal)].sum;
  return vec3_normalize_or(sum, FALLBACK_NORMAL);
}

static bool needs_face_normal(const ObjMeshes *meshes, const ObjJoined *corner) {
  return vec3_equals(corner_normal(meshes, corner), (Vec3){0, 0, 0});
}

static void fill_vertices(const Vertices *vertices, Vec3 *positions, Vec3 *normals) {
  for (int i = 0; i < vertices->count; i++) {
    const ObjJoined *corner = vertex_corner(vertices, (uint32_t)i);
    const ObjPosition *p = &vertices->meshes->positions.items[corner->position];
    positions[i] = vec3(p->x, p->y, p->z);
    normals[i] = corner_normal(vertices->meshes, corner);
  }
}

// Normals of flat faces, and those that the file has but that point nowhere, are made of the triangles around.
static void add_face_normals(const Vertices *vertices, const ModelMesh *mesh, const Vec3 *positions, Vec3 *normals) {
  for (int i = 0; i < mesh->index_count; i += 3) {
    const uint32_t *triangle = mesh->indices + i;
    Vec3 points[3] = {positions[triangle[0]], positions[triangle[1]], positions[triangle[2]]};
    Vec3 face_normal = unit_polygon_normal(points, 3);
    for (int k = 0; k < 3; k++) {
      if (needs_face_normal(vertices->meshes, vertex_corner(vertices, triangle[k])))
        normals[triangle[k]] = vec3_add(normals[triangle[k]], face_normal);
    }
  }
  for (int i = 0; i < vertices->count; i++) {
    if (needs_face_normal(vertices->meshes, vertex_corner(vertices, (uint32_t)i)))
      normals[i] = vec3_normalize_or(normals[i], FALLBACK_NORMAL);
  }
}

static bool fill_uvs(const Vertices *vertices, Model *model, ModelMesh *mesh) {
  bool has_uvs = false;
  for (int i = 0; i < vertices->count && !has_uvs; i++)
    has_uvs = vertex_corner(vertices, (uint32_t)i)->uv >= 0;
  if (!has_uvs) return true;
  ObjUv *uvs = arena_alloc_unset(&model->arena, (size_t)vertices->count, sizeof *uvs);
  for (int i = 0; uvs && i < vertices->count; i++) {
    int uv = vertex_corner(vertices, (uint32_t)i)->uv;
    const ObjUv *written = uv >= 0 ? &vertices->meshes->uvs.items[uv] : &(ObjUv){0, 1};
    // The file counts v from the bottom of the picture.
    uvs[i] = (ObjUv){written->u, 1 - written->v};
  }
  mesh->uvs = uvs ? &uvs->u : NULL;
  return uvs != NULL;
}

static bool fill_colors(const Vertices *vertices, Model *model, ModelMesh *mesh) {
  const ObjMeshes *meshes = vertices->meshes;
  if (meshes->colors.count == 0) return true;
  ObjColor *colors = arena_alloc_unset(&model->arena, (size_t)vertices->count, sizeof *colors);
  for (int i = 0; colors && i < vertices->count; i++) {
    int position = vertex_corner(vertices, (uint32_t)i)->position;
    colors[i] = position < meshes->colors.count ? meshes->colors.items[position] : (ObjColor){255, 255, 255, 255};
  }
  mesh->colors = colors ? &colors->r : NULL;
  return colors != NULL;
}

static bool fill_mesh(const Vertices *vertices, Model *model, ModelMesh *mesh) {
  Arena *arena = &model->arena;
  mesh->vertex_count = vertices->count;
  Vec3 *positions = arena_alloc_unset(arena, (size_t)vertices->count, sizeof *positions);
  Vec3 *normals = arena_alloc_unset(arena, (size_t)vertices->count, sizeof *normals);
  if (!positions || !normals) return false;
  fill_vertices(vertices, positions, normals);
  if (vertices->meshes->has_zero_normals || vertices->meshes->flat_face_count > 0)
    add_face_normals(vertices, mesh, positions, normals);
  mesh->positions = &positions->x;
  mesh->normals = &normals->x;
  return fill_uvs(vertices, model, mesh) && fill_colors(vertices, model, mesh);
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

static ModelMesh *add_mesh(const ObjMeshes *meshes, const Sorting *sorting, int part, Model *model) {
  ModelMesh *mesh = &model->meshes[model->mesh_count];
  *mesh = (ModelMesh){.name = model->nodes[part].name};
  add_submeshes(meshes, sorting, part, model, mesh);
  model->nodes[part].mesh = model->mesh_count++;
  return mesh;
}

// With all faces in one mesh the corners already are its vertices, in the order of their first use.
static bool fill_only_mesh(const ObjMeshes *meshes, const Sorting *sorting, Model *model) {
  ModelMesh *mesh = add_mesh(meshes, sorting, bucket_part(meshes, 0), model);
  Vertices vertices = {meshes, NULL, meshes->corners.count};
  mesh->indices = sorting->indices;
  return fill_mesh(&vertices, model, mesh);
}

static bool fill_meshes(ObjMeshes *meshes, const Sorting *sorting, Model *model) {
  uint32_t *corners = memory_alloc_array(meshes->memory, (size_t)meshes->corners.count, sizeof *corners);
  bool is_good = corners != NULL;
  uint32_t *indices = sorting->indices, base = 0;
  for (int i = 0; i < meshes->corners.count; i++)
    meshes->corners.items[i].next = 0;
  for (int part = 0; part < model->node_count && is_good; part++) {
    if (sorting->first_of_part[part] == sorting->first_of_part[part + 1]) continue;
    ModelMesh *mesh = add_mesh(meshes, sorting, part, model);
    Vertices vertices = {meshes, corners, number_vertices(meshes, indices, mesh->index_count, base, corners)};
    mesh->indices = indices;
    is_good = fill_mesh(&vertices, model, mesh);
    base += (uint32_t)vertices.count;
    indices += mesh->index_count;
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
    trim_all(meshes);
    order_buckets(meshes, part_count, &sorting);
    is_good = sort_indices(meshes, model, &sorting) &&
              (bucket_count == 1 ? fill_only_mesh(meshes, &sorting, model) : fill_meshes(meshes, &sorting, model));
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
  array_free(memory, &meshes->smooth_normals);
  array_free(memory, &meshes->points);
  array_free(memory, &meshes->joined);
  memory_free(memory, meshes->first_smooth);
  id_map_free(&meshes->buckets);
  triangulator_free(&meshes->triangulator);
}
