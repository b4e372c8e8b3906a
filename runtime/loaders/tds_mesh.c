// Meshes of a 3DS file with normals by smoothing groups. The normal of a face's corner is the sum of the unit normals of
// the faces around the same vertex that share a group with it; corners at one vertex with the same sum become one vertex.
#include <float.h>
#include <string.h>

#include "loaders/tds.h"

enum {
  FACE_SIZE = 8,
  // Different sets of groups at one vertex that are told apart: real files have a handful, and made-up ones must not take
  // for ever. Corners beyond share with nobody.
  MAX_SETS = 64,
};

static const Vec3 FALLBACK_NORMAL = {0, 1, 0};

// What the faces around a vertex of the file say.
typedef struct Around {
  Vec3 normal;           // the sum of their normals
  uint32_t any, common;  // smoothing groups that one or all of them are in
  uint32_t number;       // in the mesh, where all are in the same groups
} Around;

// Scratch memory, kept from mesh to mesh but for what a mesh adopts.
typedef struct Builder {
  Tds *tds;
  const TdsMesh *source;
  const uint8_t *vertices, *faces, *smoothing;
  uint32_t vertex_count, face_count, smoothing_count;
  ARRAY(Vec3) positions;          // of the file's vertices
  ARRAY(Vec3) face_normals;       // of unit length, or 0
  ARRAY(Around) around;           // of the file's vertices
  ARRAY(uint32_t) first_corners;  // of each vertex into `sorted`, and one more
  ARRAY(uint32_t) corners;        // at vertices where groups differ: 4 * face + corner
  ARRAY(uint32_t) sorted;         // the same vertex by vertex
  ARRAY(int) face_materials;      // then where the face's indices go
  ARRAY(int) used_materials;      // of the mesh, in the order of their first face
  int *face_counts;               // one a material: faces of the mesh at hand, then where its next index goes
  uint32_t *indices;              // of the mesh
  ARRAY(uint32_t) sources;        // of the mesh's vertices: which ones of the file
  ARRAY(Vec3) normals;            // of the mesh's vertices
  ARRAY(ModelSubmesh) submeshes;
} Builder;

static bool reserve(Builder *builder) {
  Memory *memory = builder->tds->request->memory;
  int vertices = (int)builder->vertex_count, faces = (int)builder->face_count;
  builder->corners.count = builder->used_materials.count = builder->sources.count = builder->normals.count = 0;
  return array_reserve(memory, &builder->positions, vertices) && array_reserve(memory, &builder->face_normals, faces) &&
         array_reserve(memory, &builder->around, vertices) &&
         array_reserve(memory, &builder->first_corners, vertices + 1) &&
         array_reserve(memory, &builder->corners, 3 * faces) &&
         array_reserve(memory, &builder->face_materials, faces) && array_reserve(memory, &builder->sources, vertices) &&
         array_reserve(memory, &builder->normals, vertices);
}

// ---- Reading the lists

static void read_positions(Builder *builder) {
  int repaired = 0;
  for (uint32_t i = 0; i < builder->vertex_count; i++) {
    const uint8_t *at = builder->vertices + 12 * (size_t)i;
    Vec3 v = tds_to_engine(vec3(read_f32(at), read_f32(at + 4), read_f32(at + 8)));
    if (!vec3_is_finite(v)) {
      v = vec3(isfinite(v.x) ? v.x : 0, isfinite(v.y) ? v.y : 0, isfinite(v.z) ? v.z : 0);
      repaired++;
    }
    builder->positions.items[i] = v;
  }
  if (repaired > 0) model_warn(builder->tds->model, "%d non-finite vertices, set to 0", repaired);
}

static const uint8_t *face_at(const Builder *builder, uint32_t face) {
  return builder->faces + FACE_SIZE * (size_t)face;
}

static uint32_t face_vertex(const Builder *builder, uint32_t face, uint32_t corner) {
  return read_u16(face_at(builder, face) + 2 * corner);
}

static uint32_t smoothing_groups(const Builder *builder, uint32_t face) {
  return face < builder->smoothing_count ? read_u32(builder->smoothing + 4 * (size_t)face) : 0;
}

// Of unit length, or 0 where it cannot be told.
static Vec3 triangle_normal(Vec3 a, Vec3 b, Vec3 c) {
  Vec3 normal = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
  float length = vec3_length(normal);
  return length > 1e-20f && length <= FLT_MAX ? vec3_scale(normal, 1 / length) : vec3(0, 0, 0);
}

// Checks the indexes and finds the normals of the faces and around the vertices. A face that names a vertex twice has no
// normal to count twice.
static bool read_faces(Builder *builder) {
  Around *around = builder->around.items;
  const Vec3 *positions = builder->positions.items;
  for (uint32_t i = 0; i < builder->vertex_count; i++)
    around[i] = (Around){.common = UINT32_MAX};
  for (uint32_t face = 0; face < builder->face_count; face++) {
    uint32_t v[3];
    for (uint32_t k = 0; k < 3; k++) {
      v[k] = face_vertex(builder, face, k);
      if (v[k] >= builder->vertex_count) {
        size_t offset = (size_t)(face_at(builder, face) - builder->tds->reader.bytes);
        return chunk_fail(&builder->tds->reader, offset, "face %u has vertex index %u, there are %u vertices", face,
                          v[k], builder->vertex_count);
      }
    }
    Vec3 normal = triangle_normal(positions[v[0]], positions[v[1]], positions[v[2]]);
    builder->face_normals.items[face] = normal;
    uint32_t groups = smoothing_groups(builder, face);
    for (int k = 0; k < 3; k++) {
      around[v[k]].normal = vec3_add(around[v[k]].normal, normal);
      around[v[k]].any |= groups;
      around[v[k]].common &= groups;
    }
  }
  return true;
}

// ---- Materials

// The number of the material, or -1 for the default one.
static int find_material(const Tds *tds, TextSlice name) {
  int id = name_table_find(&tds->material_names, name);
  if (id < 0)
    model_warn(tds->model, "material \"%.*s\" is not in the file, the default one is used",
               text_shown_length(name, 100), name.start);
  return id;
}

static void assign_materials(Builder *builder) {
  Tds *tds = builder->tds;
  for (uint32_t i = 0; i < builder->face_count; i++)
    builder->face_materials.items[i] = -1;
  for (int i = 0; i < builder->source->group_count; i++) {
    const TdsGroup *group = &tds->groups.items[builder->source->first_group + i];
    int material = find_material(tds, group->name);
    uint32_t outside = 0;
    for (uint32_t k = 0; k < group->faces.count; k++) {
      uint32_t face = read_u16(tds->reader.bytes + group->faces.at + 2 * (size_t)k);
      if (face < builder->face_count)
        builder->face_materials.items[face] = material;
      else
        outside++;
    }
    if (outside > 0) model_warn(tds->model, "a material group names %u faces that are not there", outside);
  }
}

// As the format's own programs draw faces without a material.
static bool add_default_material(Tds *tds) {
  ModelMaterial material = model_default_material();
  material.ambient = material.diffuse = (Color){0.587f, 0.587f, 0.587f, 1};
  material.specular = (Color){0.896f, 0.896f, 0.896f, 1};
  material.ignores_ambient = true;
  tds->default_material = material_list_add(&tds->list, material);
  return tds->default_material >= 0;
}

static bool count_materials(Builder *builder) {
  Tds *tds = builder->tds;
  for (uint32_t i = 0; i < builder->face_count; i++) {
    int *material = &builder->face_materials.items[i];
    if (*material < 0) {
      if (tds->default_material < 0 && !add_default_material(tds)) return false;
      *material = tds->default_material;
    }
    if (builder->face_counts[*material]++ > 0) continue;
    if (!array_push(tds->request->memory, &builder->used_materials, *material)) return false;
  }
  return true;
}

// A submesh for each material, its triangles in the order of the file.
static bool add_submeshes(Builder *builder, ModelMesh *mesh) {
  mesh->first_submesh = builder->submeshes.count;
  for (int i = 0; i < builder->used_materials.count; i++) {
    int material = builder->used_materials.items[i], count = 3 * builder->face_counts[material];
    ModelSubmesh submesh = {material, mesh->index_count, count};
    if (!array_push(builder->tds->request->memory, &builder->submeshes, submesh)) return false;
    builder->face_counts[material] = mesh->index_count;
    mesh->index_count += count;
  }
  mesh->submesh_count = builder->submeshes.count - mesh->first_submesh;
  for (uint32_t i = 0; i < builder->face_count; i++) {
    int *material = &builder->face_materials.items[i], *next = &builder->face_counts[*material];
    *material = *next;
    *next += 3;
  }
  for (int i = 0; i < builder->used_materials.count; i++)
    builder->face_counts[builder->used_materials.items[i]] = 0;
  builder->indices =
      arena_alloc_unset(&builder->tds->model->arena, (size_t)mesh->index_count, sizeof *builder->indices);
  mesh->indices = builder->indices;
  return mesh->indices != NULL;
}

// ---- Normals

static bool add_vertex(Builder *builder, uint32_t source, Vec3 normal, uint32_t *number) {
  Memory *memory = builder->tds->request->memory;
  *number = (uint32_t)builder->sources.count;
  return array_push(memory, &builder->sources, source) &&
         array_push(memory, &builder->normals, vec3_normalize_or(normal, FALLBACK_NORMAL));
}

// Where the index of a corner goes.
static uint32_t *corner_index(const Builder *builder, uint32_t corner) {
  return &builder->indices[(uint32_t)builder->face_materials.items[corner / 4] + corner % 4];
}

// The faces around one vertex by what groups they are in.
typedef struct GroupSets {
  int count;
  uint32_t groups[MAX_SETS];
  Vec3 sums[MAX_SETS];         // of the normals of the faces in just these groups
  uint64_t sharing[MAX_SETS];  // which sets have a group in common with it
  int64_t numbers[MAX_SETS];   // of its vertex, or -1
} GroupSets;

static int find_set(const GroupSets *sets, uint32_t groups) {
  for (int i = 0; i < sets->count; i++) {
    if (sets->groups[i] == groups) return i;
  }
  return -1;
}

static void collect_sets(const Builder *builder, const uint32_t *corners, uint32_t count, GroupSets *sets) {
  sets->count = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t face = corners[i] / 4, groups = smoothing_groups(builder, face);
    bool is_again = i > 0 && corners[i - 1] / 4 == face;
    if (groups == 0 || is_again) continue;
    int set = find_set(sets, groups);
    if (set < 0 && sets->count < MAX_SETS) {
      set = sets->count++;
      sets->groups[set] = groups;
      sets->sums[set] = vec3(0, 0, 0);
      sets->numbers[set] = -1;
    }
    if (set >= 0) sets->sums[set] = vec3_add(sets->sums[set], builder->face_normals.items[face]);
  }
}

static uint64_t sets_sharing(const GroupSets *sets, uint32_t groups, Vec3 *sum) {
  uint64_t sharing = 0;
  for (int i = 0; i < sets->count; i++) {
    if (!(sets->groups[i] & groups)) continue;
    sharing |= (uint64_t)1 << i;
    *sum = vec3_add(*sum, sets->sums[i]);
  }
  return sharing;
}

// Sets that share with the same ones have the same normal, and so the same vertex.
static bool number_sets(Builder *builder, uint32_t vertex, GroupSets *sets) {
  for (int i = 0; i < sets->count; i++) {
    Vec3 sum = {0, 0, 0};
    uint32_t number;
    sets->sharing[i] = sets_sharing(sets, sets->groups[i], &sum);
    for (int k = 0; k < i && sets->numbers[i] < 0; k++) {
      if (sets->sharing[k] == sets->sharing[i]) sets->numbers[i] = sets->numbers[k];
    }
    if (sets->numbers[i] >= 0) continue;
    if (!add_vertex(builder, vertex, sum, &number)) return false;
    sets->numbers[i] = number;
  }
  return true;
}

static bool split_by_groups(Builder *builder, uint32_t vertex, const uint32_t *corners, uint32_t count) {
  GroupSets sets;
  collect_sets(builder, corners, count, &sets);
  if (!number_sets(builder, vertex, &sets)) return false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t face = corners[i] / 4, groups = smoothing_groups(builder, face),
             *number = corner_index(builder, corners[i]);
    int set = groups ? find_set(&sets, groups) : -1;
    if (set >= 0) {
      *number = (uint32_t)sets.numbers[set];
    } else if (i > 0 && corners[i - 1] / 4 == face) {
      *number = *corner_index(builder, corners[i - 1]);
    } else {
      Vec3 sum = builder->face_normals.items[face];
      sets_sharing(&sets, groups, &sum);
      if (!add_vertex(builder, vertex, sum, number)) return false;
    }
  }
  return true;
}

// The usual case: all faces around a vertex are in the same groups.
static bool is_smooth(const Around *around) {
  return around->any != 0 && around->any == around->common;
}

static bool add_smooth_vertices(Builder *builder) {
  for (uint32_t vertex = 0; vertex < builder->vertex_count; vertex++) {
    Around *around = &builder->around.items[vertex];
    if (is_smooth(around) && !add_vertex(builder, vertex, around->normal, &around->number)) return false;
  }
  return true;
}

// Gives the corners at smooth vertices their indices, and collects and counts the others.
static void join_smooth_corners(Builder *builder) {
  uint32_t *counts = builder->first_corners.items, *corners = builder->corners.items, corner_count = 0;
  memset(counts, 0, ((size_t)builder->vertex_count + 1) * sizeof *counts);
  for (uint32_t face = 0; face < builder->face_count; face++) {
    uint32_t *indices = builder->indices + builder->face_materials.items[face];
    for (uint32_t k = 0; k < 3; k++) {
      uint32_t vertex = face_vertex(builder, face, k);
      const Around *around = &builder->around.items[vertex];
      if (is_smooth(around)) {
        indices[k] = around->number;
      } else {
        counts[vertex + 1]++;
        corners[corner_count++] = 4 * face + k;
      }
    }
  }
  builder->corners.count = (int)corner_count;
}

// A counting sort by their vertex.
static bool sort_corners(Builder *builder) {
  uint32_t *first = builder->first_corners.items;
  if (!array_reserve(builder->tds->request->memory, &builder->sorted, builder->corners.count)) return false;
  for (uint32_t i = 0; i < builder->vertex_count; i++)
    first[i + 1] += first[i];
  for (int i = 0; i < builder->corners.count; i++) {
    uint32_t corner = builder->corners.items[i];
    builder->sorted.items[first[face_vertex(builder, corner / 4, corner % 4)]++] = corner;
  }
  // Every entry now stands at the end of its vertex, which is the start of the next.
  for (uint32_t i = builder->vertex_count; i > 0; i--)
    first[i] = first[i - 1];
  first[0] = 0;
  return true;
}

static bool make_vertices(Builder *builder) {
  if (!add_smooth_vertices(builder)) return false;
  join_smooth_corners(builder);
  if (!sort_corners(builder)) return false;
  for (uint32_t vertex = 0; vertex < builder->vertex_count; vertex++) {
    const uint32_t *first = &builder->first_corners.items[vertex];
    if (first[0] < first[1] && !split_by_groups(builder, vertex, builder->sorted.items + first[0], first[1] - first[0]))
      return false;
  }
  return true;
}

// ---- Meshes

// Vertices beyond the list, and numbers that are none, get 0. The file's v grows upwards.
static bool fill_uvs(Builder *builder, ModelMesh *mesh) {
  const TdsSpan *span = &builder->source->uvs;
  const uint8_t *source = builder->tds->reader.bytes + span->at;
  if (span->count == 0) return true;
  float *uvs = arena_alloc_unset(&builder->tds->model->arena, (size_t)mesh->vertex_count, 2 * sizeof *uvs);
  bool is_repaired = false;
  for (int i = 0; uvs && i < mesh->vertex_count; i++) {
    uint32_t vertex = builder->sources.items[i];
    float u = 0, v = 0;
    if (vertex < span->count) {
      u = read_f32(source + 8 * (size_t)vertex);
      v = read_f32(source + 8 * (size_t)vertex + 4);
    }
    bool is_good = isfinite(u) && isfinite(v);
    is_repaired = is_repaired || !is_good;
    uvs[2 * i] = is_good ? u : 0;
    uvs[2 * i + 1] = 1 - (is_good ? v : 0);
  }
  if (is_repaired) model_warn(builder->tds->model, "non-finite uvs, set to 0");
  mesh->uvs = uvs;
  return uvs != NULL;
}

// The normals become the mesh's own as they are.
static bool adopt_normals(Builder *builder, ModelMesh *mesh) {
  size_t size = (size_t)mesh->vertex_count * sizeof *builder->normals.items;
  Vec3 *normals = memory_resize(builder->tds->request->memory, builder->normals.items, size);
  if (!normals) return false;
  builder->normals.items = normals;
  if (!arena_adopt(&builder->tds->model->arena, normals, size)) return false;
  mesh->normals = &normals->x;
  builder->normals.items = NULL;
  builder->normals.capacity = 0;
  return true;
}

static bool fill_vertices(Builder *builder, ModelMesh *mesh) {
  mesh->vertex_count = builder->sources.count;
  Vec3 *positions = arena_alloc_unset(&builder->tds->model->arena, (size_t)mesh->vertex_count, sizeof *positions);
  if (!positions || !adopt_normals(builder, mesh)) return false;
  for (int i = 0; i < mesh->vertex_count; i++)
    positions[i] = builder->positions.items[builder->sources.items[i]];
  mesh->positions = &positions->x;
  return fill_uvs(builder, mesh);
}

static bool build_mesh(Builder *builder, const TdsMesh *source, ModelMesh *mesh) {
  const uint8_t *bytes = builder->tds->reader.bytes;
  builder->source = source;
  builder->vertices = bytes + source->vertices.at;
  builder->faces = bytes + source->faces.at;
  builder->smoothing = bytes + source->smoothing.at;
  builder->vertex_count = source->vertices.count;
  builder->face_count = source->faces.count;
  builder->smoothing_count = source->smoothing.count;
  *mesh = (ModelMesh){.name = text_copy_utf8(&builder->tds->model->arena, source->name.start, source->name.length)};
  if (!mesh->name || !reserve(builder)) return false;
  builder->tds->model->source_vertices += (int)source->vertices.count;
  builder->tds->model->source_uvs += (int)source->uvs.count;
  read_positions(builder);
  if (!read_faces(builder)) return false;
  assign_materials(builder);
  return count_materials(builder) && add_submeshes(builder, mesh) && make_vertices(builder) &&
         fill_vertices(builder, mesh);
}

static bool move_submeshes(Builder *builder) {
  Model *model = builder->tds->model;
  size_t size = (size_t)builder->submeshes.count * sizeof *model->submeshes;
  model->submeshes = arena_alloc(&model->arena, size);
  if (!model->submeshes) return false;
  if (size > 0) memcpy(model->submeshes, builder->submeshes.items, size);
  model->submesh_count = builder->submeshes.count;
  return true;
}

static void free_builder(Builder *builder) {
  Memory *memory = builder->tds->request->memory;
  array_free(memory, &builder->positions);
  array_free(memory, &builder->face_normals);
  array_free(memory, &builder->around);
  array_free(memory, &builder->first_corners);
  array_free(memory, &builder->corners);
  array_free(memory, &builder->sorted);
  array_free(memory, &builder->sources);
  array_free(memory, &builder->normals);
  array_free(memory, &builder->face_materials);
  array_free(memory, &builder->used_materials);
  array_free(memory, &builder->submeshes);
  memory_free(memory, builder->face_counts);
}

bool tds_build_meshes(Tds *tds) {
  Model *model = tds->model;
  Builder builder = {.tds = tds};
  model->meshes = arena_alloc_array(&model->arena, (size_t)tds->meshes.count, sizeof *model->meshes);
  // One more than the file has, for add_default_material.
  builder.face_counts =
      memory_alloc_array(tds->request->memory, (size_t)tds->list.materials.count + 1, sizeof *builder.face_counts);
  bool is_good = model->meshes && builder.face_counts;
  for (int i = 0; i < tds->meshes.count && is_good; i++) {
    is_good = build_mesh(&builder, &tds->meshes.items[i], &model->meshes[i]);
    model->mesh_count += is_good;
  }
  is_good = is_good && move_submeshes(&builder);
  free_builder(&builder);
  return is_good || (!tds->reader.has_failed && error_set_out_of_memory(tds->reader.error));
}
