// Meshes: the primitives of one become submeshes over common arrays, one behind the other. What one primitive lacks of what
// another has gets the neutral value.
#include <stdio.h>
#include <string.h>

#include "loaders/gltf/primitive.h"

typedef struct Builder {
  Gltf *gltf;
  GltfPlace place;  ///< the mesh
  ModelMesh *mesh;
  ARRAY(Primitive) primitives;
  int set_count;  ///< of primitives with vertices of their own
  int target_count;
  uint32_t *corners;  ///< of the primitive at hand: which of its vertices each corner shows
  ARRAY(ModelSubmesh) submeshes;
  ARRAY(ModelMorphTarget) targets;
} Builder;

static bool find_corners(Builder *builder, const Primitive *primitive) {
  memory_free(builder->gltf->request->memory, builder->corners);
  builder->corners = primitive_corners(builder->gltf, builder->place, primitive);
  return builder->corners != NULL;
}

// ---- Arrays

// Where a primitive's part of a mesh's array begins; unshared corners are spread from the file's order afterwards.
static void read_attribute(const Builder *builder, const Primitive *primitive, const GltfAccessor *accessor,
                           int components, float *target, float *scratch) {
  if (!primitive->is_flat) {
    gltf_read_floats(accessor, components, target);
    return;
  }
  gltf_read_floats(accessor, components, scratch);
  for (int i = 0; i < primitive->corner_count; i++)
    memcpy(target + (size_t)i * (size_t)components, scratch + (size_t)builder->corners[i] * (size_t)components,
           (size_t)components * sizeof *target);
}

static void fill(float *target, int count, int components, const float *value) {
  for (int i = 0; i < count; i++)
    memcpy(target + (size_t)i * (size_t)components, value, (size_t)components * sizeof *target);
}

static void make_flat_normals(const Primitive *primitive, const float *positions, float *normals) {
  for (int i = 0; i + 2 < primitive->corner_count; i += 3) {
    Vec3 p[3];
    memcpy(p, positions + 3 * (size_t)i, sizeof p);
    Vec3 normal = vec3_normalize_or(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])), vec3(0, 1, 0));
    for (int k = 0; k < 3; k++)
      memcpy(normals + 3 * ((size_t)i + (size_t)k), &normal, sizeof normal);
  }
}

static bool has_anywhere(const Builder *builder, Attribute attribute) {
  for (int i = 0; i < builder->primitives.count; i++) {
    if (primitive_has(&builder->primitives.items[i], attribute)) return true;
  }
  return false;
}

// The arrays of a mesh that have to be filled; NULL where the file's own are used, or where there is nothing.
typedef struct Arrays {
  float *positions, *normals, *uvs, *colors, *weights;
  uint32_t *joints;
  float *more_weights;
  uint32_t *more_joints;
  float *scratch;  ///< 4 numbers for each vertex of the largest primitive that needs it, as the file has them
} Arrays;

static size_t scratch_vertices(const Builder *builder) {
  size_t largest = 0;
  for (int i = 0; i < builder->primitives.count; i++) {
    const Primitive *primitive = &builder->primitives.items[i];
    size_t size = (size_t)primitive->attributes[POSITION].count;
    bool needs_it = primitive->is_flat || primitive_has(primitive, COLOR);
    largest = needs_it && size > largest ? size : largest;
  }
  return largest;
}

// The arrays that are gone when the mesh is made.
static bool allocate_scratch(const Builder *builder, Arrays *arrays) {
  Memory *memory = builder->gltf->request->memory;
  size_t count = (size_t)builder->mesh->vertex_count;
  bool has_colors = has_anywhere(builder, COLOR), has_joints = has_anywhere(builder, JOINTS);
  bool has_more = has_anywhere(builder, MORE_JOINTS);
  arrays->scratch = memory_alloc_array(memory, scratch_vertices(builder), 4 * sizeof *arrays->scratch);
  if (has_colors) arrays->colors = memory_alloc_array(memory, count, 4 * sizeof *arrays->colors);
  if (has_joints) arrays->joints = memory_alloc_array(memory, count, 4 * sizeof *arrays->joints);
  if (has_more) arrays->more_joints = memory_alloc_array(memory, count, 4 * sizeof *arrays->more_joints);
  if (has_more) arrays->more_weights = memory_alloc_array(memory, count, 4 * sizeof *arrays->more_weights);
  return arrays->scratch && (arrays->colors || !has_colors) && (arrays->joints || !has_joints) &&
         ((arrays->more_joints && arrays->more_weights) || !has_more);
}

// The file's own numbers where they lie as they are needed, where all primitives of the mesh share them; else room for
// them.
static bool find_array(Builder *builder, Attribute attribute, int components, const float **result, float **room) {
  const Primitive *first = &builder->primitives.items[0];
  bool may_stay = builder->set_count == 1 && !first->is_flat && primitive_has(first, attribute);
  *result = may_stay ? gltf_array_in_place(builder->gltf, &first->attributes[attribute], GLTF_FLOAT, components) : NULL;
  if (*result) return true;
  size_t count = (size_t)builder->mesh->vertex_count;
  *result = *room = arena_alloc_array(&builder->gltf->model->arena, count, (size_t)components * sizeof(float));
  return *room != NULL;
}

static bool allocate(Builder *builder, Arrays *arrays) {
  ModelMesh *mesh = builder->mesh;
  bool has_joints = has_anywhere(builder, JOINTS);
  if (has_joints)
    arrays->weights =
        arena_alloc_array(&builder->gltf->model->arena, (size_t)mesh->vertex_count, 4 * sizeof *arrays->weights);
  return (arrays->weights || !has_joints) && find_array(builder, POSITION, 3, &mesh->positions, &arrays->positions) &&
         find_array(builder, NORMAL, 3, &mesh->normals, &arrays->normals) &&
         (!has_anywhere(builder, UV) || find_array(builder, UV, 2, &mesh->uvs, &arrays->uvs)) &&
         allocate_scratch(builder, arrays);
}

static void free_arrays(Memory *memory, Arrays *arrays) {
  memory_free(memory, arrays->colors);
  memory_free(memory, arrays->joints);
  memory_free(memory, arrays->more_joints);
  memory_free(memory, arrays->more_weights);
  memory_free(memory, arrays->scratch);
}

static void read_joints(const Builder *builder, const Primitive *primitive, const GltfAccessor *accessor,
                        uint32_t *target, float *scratch) {
  uint32_t *raw = (uint32_t *)(void *)scratch;
  gltf_read_integers(accessor, primitive->is_flat ? raw : target);
  for (int i = 0; primitive->is_flat && i < primitive->corner_count; i++)
    memcpy(target + 4 * (size_t)i, raw + 4 * (size_t)builder->corners[i], 4 * sizeof *target);
}

static void fill_primitive(const Builder *builder, const Primitive *primitive, const Arrays *arrays) {
  static const float WHITE[4] = {1, 1, 1, 1}, NOTHING[4] = {0, 0, 0, 0};
  size_t first = (size_t)primitive->first_vertex;
  const GltfAccessor *a = primitive->attributes;
  float *scratch = arrays->scratch;
  if (arrays->positions) read_attribute(builder, primitive, &a[POSITION], 3, arrays->positions + 3 * first, scratch);
  if (primitive->is_flat)
    make_flat_normals(primitive, arrays->positions + 3 * first, arrays->normals + 3 * first);
  else if (arrays->normals)
    read_attribute(builder, primitive, &a[NORMAL], 3, arrays->normals + 3 * first, scratch);
  if (arrays->uvs && primitive_has(primitive, UV))
    read_attribute(builder, primitive, &a[UV], 2, arrays->uvs + 2 * first, scratch);
  else if (arrays->uvs)
    fill(arrays->uvs + 2 * first, primitive->vertex_count, 2, NOTHING);
  if (arrays->colors) fill(arrays->colors + 4 * first, primitive->vertex_count, 4, WHITE);
  if (primitive_has(primitive, COLOR)) {
    fill(scratch, a[COLOR].count, 4, WHITE);
    read_attribute(builder, primitive, &a[COLOR], 4, arrays->colors + 4 * first, scratch);
  }
  if (primitive_has(primitive, JOINTS)) {
    read_joints(builder, primitive, &a[JOINTS], arrays->joints + 4 * first, scratch);
    read_attribute(builder, primitive, &a[WEIGHTS], 4, arrays->weights + 4 * first, scratch);
  }
  if (primitive_has(primitive, MORE_JOINTS)) {
    read_joints(builder, primitive, &a[MORE_JOINTS], arrays->more_joints + 4 * first, scratch);
    read_attribute(builder, primitive, &a[MORE_WEIGHTS], 4, arrays->more_weights + 4 * first, scratch);
  }
}

// Corners that are not shared count up.
static bool fill_indices(Builder *builder, const Primitive *primitive, uint32_t *indices) {
  if (!primitive->is_flat) return primitive_indices(builder->gltf, builder->place, primitive, indices);
  for (int i = 0; i < primitive->corner_count; i++)
    indices[i] = (uint32_t)primitive->first_vertex + (uint32_t)i;
  return find_corners(builder, primitive);
}

static bool add_submesh(Builder *builder, const Primitive *primitive) {
  ModelSubmesh submesh = {primitive->material, builder->mesh->index_count, primitive->corner_count};
  builder->mesh->index_count += primitive->corner_count;
  return array_push(builder->gltf->request->memory, &builder->submeshes, submesh) ||
         error_set_out_of_memory(builder->gltf->error);
}

// ---- What follows from the arrays

// Vertex colours are linear and multiply the material's, so they too are brought to what the display shows.
static bool finish_colors(Builder *builder, const Arrays *arrays) {
  ModelMesh *mesh = builder->mesh;
  if (!arrays->colors) return true;
  uint8_t *colors = arena_alloc_array(&builder->gltf->model->arena, (size_t)mesh->vertex_count, 4);
  if (!colors) return error_set_out_of_memory(builder->gltf->error);
  for (size_t i = 0; i < 4 * (size_t)mesh->vertex_count; i++) {
    if (!isfinite(arrays->colors[i]))
      return gltf_fail(builder->gltf, builder->place, "a colour of vertex %zu is not finite", i / 4);
  }
  gltf_to_display_bytes(builder->gltf, arrays->colors, mesh->vertex_count, colors);
  mesh->colors = colors;
  for (int i = mesh->first_submesh; i < builder->submeshes.count; i++) {
    int material = builder->submeshes.items[i].material;
    if (material >= 0) builder->gltf->model->materials[material].tracks_vertex_color = true;
  }
  return true;
}

// Of up to eight influences the four strongest stay.
static bool keep_strongest(uint32_t *joints, float *weights, const uint32_t *more_joints, const float *more_weights) {
  bool has_dropped = false;
  for (int i = 0; i < 4; i++) {
    int weakest = 0;
    for (int k = 1; k < 4; k++)
      weakest = weights[k] < weights[weakest] ? k : weakest;
    has_dropped = has_dropped || (more_weights[i] > 0 && weights[weakest] > 0);
    if (!(more_weights[i] > weights[weakest])) continue;
    weights[weakest] = more_weights[i];
    joints[weakest] = more_joints[i];
  }
  return has_dropped;
}

// False where there is nothing to bring to 1.
static bool normalize_weights(float *weights) {
  float sum = 0;
  for (int i = 0; i < 4; i++) {
    weights[i] = weights[i] > 0 && isfinite(weights[i]) ? weights[i] : 0;
    sum += weights[i];
  }
  bool is_good = sum > 1e-6f && isfinite(sum);
  for (int i = 0; i < 4; i++)
    weights[i] = is_good ? weights[i] / sum : i == 0;
  return is_good;
}

static bool finish_weights(Builder *builder, const Arrays *arrays) {
  ModelMesh *mesh = builder->mesh;
  if (!arrays->joints) return true;
  uint16_t *joints = arena_alloc_array(&builder->gltf->model->arena, (size_t)mesh->vertex_count, 4 * sizeof *joints);
  if (!joints) return error_set_out_of_memory(builder->gltf->error);
  bool has_dropped = false;
  int weightless = 0;
  for (size_t i = 0; i < 4 * (size_t)mesh->vertex_count; i += 4) {
    if (arrays->more_joints)
      has_dropped |=
          keep_strongest(arrays->joints + i, arrays->weights + i, arrays->more_joints + i, arrays->more_weights + i);
    if (!normalize_weights(arrays->weights + i)) {
      weightless++;
      arrays->joints[i] = 0;
    }
    // A joint without weight may be any: it must not count as one that is missing.
    for (size_t k = 0; k < 4; k++)
      joints[i + k] = arrays->weights[i + k] > 0 ? (uint16_t)arrays->joints[i + k] : 0;
  }
  if (has_dropped) model_warn(builder->gltf->model, "note: of more than 4 joints at a vertex the strongest 4 are kept");
  if (weightless > 0)
    model_warn(builder->gltf->model, "meshes[%d]: %d vertices without weights, bound to the first joint",
               builder->place.index, weightless);
  mesh->joints = joints;
  mesh->weights = arrays->weights;
  return true;
}

// ---- Morph targets

static const char *target_name(Builder *builder, const cJSON *name, int index) {
  char made[32];
  snprintf(made, sizeof made, "target%d", index);
  const char *text = name && cJSON_IsString(name) ? name->valuestring : made;
  return text_copy_utf8(&builder->gltf->model->arena, text, strlen(text));
}

// The names are no part of the format, but where all writers put them.
static const cJSON *first_target_name(const cJSON *mesh) {
  const cJSON *extras = cJSON_GetObjectItemCaseSensitive(mesh, "extras");
  const cJSON *names = cJSON_IsObject(extras) ? cJSON_GetObjectItemCaseSensitive(extras, "targetNames") : NULL;
  return cJSON_IsArray(names) ? names->child : NULL;
}

static bool read_target_array(Builder *builder, const Primitive *primitive, const char *key, float *target,
                              float *scratch) {
  GltfAccessor accessor;
  bool has_any;
  if (!primitive_target(builder->gltf, builder->place, primitive, primitive->next_target, key, &accessor, &has_any))
    return false;
  if (has_any) read_attribute(builder, primitive, &accessor, 3, target + 3 * (size_t)primitive->first_vertex, scratch);
  return true;
}

// The part of one primitive in the arrays of its next target. Flat normals stay as they are.
static bool read_target(Builder *builder, Primitive *primitive, float *positions, float *normals, float *scratch) {
  if (primitive->is_shared || !primitive->next_target) return true;
  bool is_good = (!primitive->is_flat || find_corners(builder, primitive)) &&
                 read_target_array(builder, primitive, "POSITION", positions, scratch) &&
                 (!normals || primitive->is_flat || read_target_array(builder, primitive, "NORMAL", normals, scratch));
  primitive->next_target = primitive->next_target->next;
  return is_good;
}

static bool has_target_normals(const Builder *builder) {
  for (int i = 0; i < builder->primitives.count; i++) {
    const Primitive *primitive = &builder->primitives.items[i];
    const cJSON *target = primitive->is_flat ? NULL : primitive->next_target;
    if (target && cJSON_GetObjectItemCaseSensitive(target, "NORMAL")) return true;
  }
  return false;
}

static bool add_target(Builder *builder, const cJSON *name, int index, float weight, float *scratch) {
  Gltf *gltf = builder->gltf;
  Arena *arena = &gltf->model->arena;
  size_t count = (size_t)builder->mesh->vertex_count;
  bool has_normals = has_target_normals(builder);
  float *positions = arena_alloc_array(arena, count, 3 * sizeof(float));
  float *normals = has_normals ? arena_alloc_array(arena, count, 3 * sizeof(float)) : NULL;
  ModelMorphTarget target = {target_name(builder, name, index), positions, normals, weight};
  bool has_memory = positions && (normals || !has_normals) && target.name;
  if (!has_memory || !array_push(gltf->request->memory, &builder->targets, target))
    return error_set_out_of_memory(gltf->error);
  for (int i = 0; i < builder->primitives.count; i++) {
    if (!read_target(builder, &builder->primitives.items[i], positions, normals, scratch)) return false;
  }
  return true;
}

static bool add_targets(Builder *builder, const cJSON *object, float *scratch) {
  Gltf *gltf = builder->gltf;
  int count = builder->target_count;
  const cJSON *name = first_target_name(object);
  float *weights = memory_alloc_array(gltf->request->memory, (size_t)count, sizeof *weights);
  builder->mesh->first_morph_target = builder->targets.count;
  bool is_good = weights || error_set_out_of_memory(gltf->error);
  is_good = is_good && gltf_get_numbers(gltf, builder->place, object, "weights", count, weights) &&
            gltf_spend(gltf, builder->place, (uint64_t)count * (uint64_t)builder->mesh->vertex_count);
  for (int i = 0; i < count && is_good; i++, name = name ? name->next : NULL)
    is_good = add_target(builder, name, i, weights[i], scratch);
  builder->mesh->morph_target_count = builder->targets.count - builder->mesh->first_morph_target;
  memory_free(gltf->request->memory, weights);
  return is_good;
}

// ---- Meshes

static bool count_vertices(Builder *builder, int *index_count) {
  int64_t vertices = 0, corners = 0;
  for (int i = 0; i < builder->primitives.count; i++) {
    Primitive *primitive = &builder->primitives.items[i];
    primitive->first_vertex = primitive->is_shared ? primitive[-1].first_vertex : (int)vertices;
    vertices += primitive->vertex_count;
    corners += primitive->corner_count;
    if (vertices > MODEL_MAX_VERTICES || corners / 3 > MODEL_MAX_TRIANGLES)
      return gltf_fail(builder->gltf, builder->place, "count of vertices is over %d", MODEL_MAX_VERTICES);
  }
  builder->mesh->vertex_count = (int)vertices;
  *index_count = (int)corners;
  return true;
}

// The indices of the only primitive may stay where they are; all others are copied one behind the other.
static bool find_indices(Builder *builder, int index_count, uint32_t **room) {
  Gltf *gltf = builder->gltf;
  *room = NULL;
  if (builder->primitives.count == 1) {
    const uint32_t **indices = &builder->mesh->indices;
    if (!primitive_indices_in_place(gltf, builder->place, &builder->primitives.items[0], indices)) return false;
    if (*indices) return true;
  }
  builder->mesh->indices = *room = arena_alloc_array(&gltf->model->arena, (size_t)index_count + 2, sizeof **room);
  return *room || error_set_out_of_memory(gltf->error);
}

static bool fill_mesh(Builder *builder, const cJSON *object, int index_count) {
  Gltf *gltf = builder->gltf;
  ModelMesh *mesh = builder->mesh;
  Arrays arrays = {0};
  uint32_t *indices;
  bool is_good = find_indices(builder, index_count, &indices) &&
                 (allocate(builder, &arrays) || error_set_out_of_memory(gltf->error));
  for (int i = 0; i < builder->primitives.count && is_good; i++) {
    const Primitive *primitive = &builder->primitives.items[i];
    is_good =
        (!indices || fill_indices(builder, primitive, indices + mesh->index_count)) && add_submesh(builder, primitive);
    if (is_good && !primitive->is_shared) fill_primitive(builder, primitive, &arrays);
  }
  is_good = is_good && finish_colors(builder, &arrays) && finish_weights(builder, &arrays) &&
            add_targets(builder, object, arrays.scratch);
  free_arrays(gltf->request->memory, &arrays);
  return is_good;
}

static bool add_primitive(Builder *builder, const cJSON *object) {
  // Each takes far more memory than the text of one.
  enum { MOST = 2048 };
  Gltf *gltf = builder->gltf;
  if (builder->primitives.count >= MOST) return gltf_fail(gltf, builder->place, "it has more than %d primitives", MOST);
  Primitive primitive;
  int count = builder->primitives.count;
  const Primitive *before = count > 0 ? &builder->primitives.items[count - 1] : NULL;
  if (!primitive_read(gltf, builder->place, object, before, &primitive)) return false;
  if (primitive.corner_count == 0) return true;
  builder->set_count += !primitive.is_shared;
  if (primitive.target_count > builder->target_count) builder->target_count = primitive.target_count;
  return array_push(gltf->request->memory, &builder->primitives, primitive) || error_set_out_of_memory(gltf->error);
}

static bool add_primitives(Builder *builder, const cJSON *object) {
  const cJSON *primitives = NULL, *item;
  builder->primitives.count = builder->target_count = builder->set_count = 0;
  if (!gltf_get_array(builder->gltf, builder->place, object, "primitives", &primitives)) return false;
  cJSON_ArrayForEach(item, primitives) {
    if (!add_primitive(builder, item)) return false;
  }
  return true;
}

// Counts what all meshes will take, so that a file that wants too much is refused before any of them is made.
static bool check_cost(Builder *builder) {
  Gltf *gltf = builder->gltf;
  uint64_t made = gltf->made;
  for (int i = 0; i < gltf->tables[GLTF_MESHES].count; i++) {
    builder->place = gltf_place(GLTF_MESHES, i);
    if (!add_primitives(builder, gltf->tables[GLTF_MESHES].items[i])) return false;
  }
  gltf->made = made;
  return true;
}

static bool add_mesh(Builder *builder, const cJSON *object) {
  Gltf *gltf = builder->gltf;
  int index_count = 0;
  *builder->mesh =
      (ModelMesh){.name = gltf_name(gltf, builder->place, object, "mesh"), .first_submesh = builder->submeshes.count};
  if (!builder->mesh->name || !add_primitives(builder, object)) return false;
  if (!count_vertices(builder, &index_count)) return false;
  if (builder->primitives.count > 0 && !fill_mesh(builder, object, index_count)) return false;
  builder->mesh->submesh_count = builder->submeshes.count - builder->mesh->first_submesh;
  gltf->model->source_vertices += builder->mesh->vertex_count;
  return true;
}

static bool move_lists(Builder *builder) {
  Model *model = builder->gltf->model;
  size_t submeshes = (size_t)builder->submeshes.count * sizeof *model->submeshes;
  size_t targets = (size_t)builder->targets.count * sizeof *model->morph_targets;
  model->submeshes = arena_alloc(&model->arena, submeshes);
  model->morph_targets = arena_alloc(&model->arena, targets);
  if (!model->submeshes || !model->morph_targets) return error_set_out_of_memory(builder->gltf->error);
  if (submeshes) memcpy(model->submeshes, builder->submeshes.items, submeshes);
  if (targets) memcpy(model->morph_targets, builder->targets.items, targets);
  model->submesh_count = builder->submeshes.count;
  model->morph_target_count = builder->targets.count;
  return true;
}

bool gltf_add_meshes(Gltf *gltf) {
  Model *model = gltf->model;
  Memory *memory = gltf->request->memory;
  int count = gltf->tables[GLTF_MESHES].count;
  Builder builder = {.gltf = gltf};
  model->meshes = arena_alloc_array(&model->arena, (size_t)count, sizeof *model->meshes);
  bool is_good = (model->meshes || error_set_out_of_memory(gltf->error)) && check_cost(&builder);
  for (int i = 0; i < count && is_good; i++) {
    builder.place = gltf_place(GLTF_MESHES, i);
    builder.mesh = &model->meshes[i];
    is_good = add_mesh(&builder, gltf->tables[GLTF_MESHES].items[i]);
    model->mesh_count += is_good;
  }
  is_good = is_good && move_lists(&builder);
  memory_free(memory, builder.corners);
  array_free(memory, &builder.primitives);
  array_free(memory, &builder.submeshes);
  array_free(memory, &builder.targets);
  return is_good;
}
