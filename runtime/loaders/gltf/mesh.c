// Meshes: the primitives of one become submeshes over common arrays, one behind the other. What one primitive lacks of what
// another has gets the neutral value.
#include <stdio.h>
#include <string.h>

#include "loaders/gltf/gltf.h"

enum { MAX_TARGETS = 1024, MAX_PRIMITIVES = 2048 };

typedef enum Attribute {
  POSITION = 0,
  NORMAL,
  UV,
  COLOR,
  JOINTS,
  WEIGHTS,
  MORE_JOINTS,
  MORE_WEIGHTS,
  ATTRIBUTE_COUNT,
} Attribute;

typedef enum PrimitiveMode {
  MODE_POINTS = 0,
  MODE_LINES,
  MODE_LINE_LOOP,
  MODE_LINE_STRIP,
  MODE_TRIANGLES,
  MODE_STRIP,
  MODE_FAN
} PrimitiveMode;

typedef struct Primitive {
  int64_t mode;
  int material;
  bool has[ATTRIBUTE_COUNT];
  GltfAccessor attributes[ATTRIBUTE_COUNT], indices;
  bool has_indices, is_flat;  ///< flat: without normals, so its corners are not shared
  const cJSON *targets;
  int corner_count;  ///< of the triangles
  int first_vertex, vertex_count;
} Primitive;

typedef struct Builder {
  Gltf *gltf;
  GltfPlace place;  ///< the mesh
  ModelMesh *mesh;
  ARRAY(Primitive) primitives;
  int target_count;
  bool is_counting;   ///< what all meshes will take, before any of them is made
  uint32_t *corners;  ///< of the primitive at hand: which of its vertices each corner shows
  ARRAY(ModelSubmesh) submeshes;
  ARRAY(ModelMorphTarget) targets;
} Builder;

// ---- Looking at a primitive

static bool get_attribute(Builder *builder, const cJSON *attributes, const char *key, Primitive *primitive,
                          Attribute attribute) {
  Gltf *gltf = builder->gltf;
  int index = -1;
  if (!gltf_get_index(gltf, builder->place, attributes, key, GLTF_ACCESSORS, &index)) return false;
  if (index < 0) return true;
  primitive->has[attribute] = true;
  if (!gltf_accessor(gltf, index, &primitive->attributes[attribute])) return false;
  if (primitive->attributes[attribute].count == primitive->attributes[POSITION].count) return true;
  return gltf_fail(gltf, builder->place, "count of %s is %d, there are %d positions", key,
                   primitive->attributes[attribute].count, primitive->attributes[POSITION].count);
}

static bool expect(Builder *builder, const Primitive *primitive, Attribute attribute, int components, int more) {
  const GltfAccessor *accessor = &primitive->attributes[attribute];
  if (!primitive->has[attribute] || accessor->components == components || accessor->components == more) return true;
  return gltf_fail(builder->gltf, accessor->place, "it has %d numbers an element, %d are expected",
                   accessor->components, components);
}

// Joints are indexes, and weights are parts of 1.
static bool check_kinds(Builder *builder, const Primitive *primitive) {
  for (int i = JOINTS; i <= MORE_JOINTS; i += 2) {
    GltfComponent type = primitive->attributes[i].type;
    if (primitive->has[i] && type != GLTF_UNSIGNED_BYTE && type != GLTF_UNSIGNED_SHORT)
      return gltf_fail(builder->gltf, primitive->attributes[i].place, "its joints are not unsigned bytes or shorts");
    if (primitive->has[i] != primitive->has[i + 1])
      return gltf_fail(builder->gltf, builder->place, "joints need weights and weights joints");
  }
  return expect(builder, primitive, POSITION, 3, 3) && expect(builder, primitive, NORMAL, 3, 3) &&
         expect(builder, primitive, UV, 2, 2) && expect(builder, primitive, COLOR, 4, 3) &&
         expect(builder, primitive, JOINTS, 4, 4) && expect(builder, primitive, WEIGHTS, 4, 4) &&
         expect(builder, primitive, MORE_JOINTS, 4, 4) && expect(builder, primitive, MORE_WEIGHTS, 4, 4);
}

static bool get_attributes(Builder *builder, const cJSON *object, Primitive *primitive) {
  const cJSON *attributes = NULL;
  char uv[16];
  int set = primitive->material >= 0 ? builder->gltf->uv_sets[primitive->material] : 0;
  snprintf(uv, sizeof uv, "TEXCOORD_%d", set);
  if (!gltf_get_object(builder->gltf, builder->place, object, "attributes", &attributes)) return false;
  primitive->attributes[POSITION].count = -1;
  int position = -1;
  if (!gltf_get_index(builder->gltf, builder->place, attributes, "POSITION", GLTF_ACCESSORS, &position)) return false;
  if (position < 0) return true;  // nothing to see
  primitive->has[POSITION] = true;
  return gltf_accessor(builder->gltf, position, &primitive->attributes[POSITION]) &&
         get_attribute(builder, attributes, "NORMAL", primitive, NORMAL) &&
         get_attribute(builder, attributes, uv, primitive, UV) &&
         get_attribute(builder, attributes, "COLOR_0", primitive, COLOR) &&
         get_attribute(builder, attributes, "JOINTS_0", primitive, JOINTS) &&
         get_attribute(builder, attributes, "WEIGHTS_0", primitive, WEIGHTS) &&
         get_attribute(builder, attributes, "JOINTS_1", primitive, MORE_JOINTS) &&
         get_attribute(builder, attributes, "WEIGHTS_1", primitive, MORE_WEIGHTS) && check_kinds(builder, primitive);
}

static bool get_indices(Builder *builder, const cJSON *object, Primitive *primitive) {
  int index = -1;
  if (!gltf_get_index(builder->gltf, builder->place, object, "indices", GLTF_ACCESSORS, &index)) return false;
  primitive->has_indices = index >= 0;
  if (index < 0) return true;
  if (!gltf_accessor(builder->gltf, index, &primitive->indices)) return false;
  GltfComponent type = primitive->indices.type;
  bool is_good = primitive->indices.components == 1 &&
                 (type == GLTF_UNSIGNED_BYTE || type == GLTF_UNSIGNED_SHORT || type == GLTF_UNSIGNED_INT);
  return is_good || gltf_fail(builder->gltf, primitive->indices.place, "it does not hold unsigned indices");
}

// How many triangles the mode makes of that many indices; what is left over is nothing.
static int triangle_corners(int64_t mode, int index_count) {
  if (mode == MODE_TRIANGLES) return index_count / 3 * 3;
  return index_count > 2 ? 3 * (index_count - 2) : 0;
}

static bool read_primitive(Builder *builder, const cJSON *object) {
  Gltf *gltf = builder->gltf;
  if (builder->primitives.count >= MAX_PRIMITIVES)
    return gltf_fail(gltf, builder->place, "it has more than %d primitives", MAX_PRIMITIVES);
  Primitive primitive = {.mode = MODE_TRIANGLES, .material = -1};
  if (!cJSON_IsObject(object)) return gltf_fail(gltf, builder->place, "a primitive is not an object");
  if (!gltf_get_integer(gltf, builder->place, object, "mode", 0, 6, &primitive.mode) ||
      !gltf_get_index(gltf, builder->place, object, "material", GLTF_MATERIALS, &primitive.material) ||
      !gltf_get_array(gltf, builder->place, object, "targets", &primitive.targets) ||
      !get_attributes(builder, object, &primitive) || !get_indices(builder, object, &primitive))
    return false;
  if (primitive.mode < MODE_TRIANGLES) {
    model_warn(gltf->model, "meshes[%d]: %s are not drawn", builder->place.index,
               primitive.mode == MODE_POINTS ? "points" : "lines");
    return true;
  }
  if (!primitive.has[POSITION]) {
    model_warn(gltf->model, "meshes[%d]: a primitive without positions, left out", builder->place.index);
    return true;
  }
  int count = primitive.attributes[POSITION].count;
  primitive.corner_count = triangle_corners(primitive.mode, primitive.has_indices ? primitive.indices.count : count);
  primitive.is_flat = !primitive.has[NORMAL];
  primitive.vertex_count = primitive.is_flat ? primitive.corner_count : count;
  int targets = primitive.targets ? cJSON_GetArraySize(primitive.targets) : 0;
  if (targets > MAX_TARGETS) return gltf_fail(gltf, builder->place, "count of morph targets is over %d", MAX_TARGETS);
  if (targets > builder->target_count) builder->target_count = targets;
  uint64_t cost = (uint64_t)primitive.vertex_count * (1 + (uint64_t)targets) + (uint64_t)primitive.corner_count / 4;
  if (builder->is_counting && !gltf_spend(gltf, builder->place, cost)) return false;
  return array_push(gltf->request->memory, &builder->primitives, primitive) || error_set_out_of_memory(gltf->error);
}

// ---- Corners

static uint32_t strip_index(uint32_t triangle, uint32_t corner) {
  // Every second triangle of a strip is wound the other way round.
  return corner == 0 ? triangle : triangle + (corner == 1 ? 1 + triangle % 2 : 2 - triangle % 2);
}

static uint32_t mode_index(int64_t mode, uint32_t i) {
  if (mode == MODE_TRIANGLES) return i;
  if (mode == MODE_STRIP) return strip_index(i / 3, i % 3);
  return i % 3 == 2 ? 0 : i / 3 + 1 + i % 3;
}

// Fills builder->corners: which vertex of the file each corner of the triangles shows.
static bool find_corners(Builder *builder, const Primitive *primitive) {
  Memory *memory = builder->gltf->request->memory;
  uint32_t count = (uint32_t)primitive->attributes[POSITION].count, largest = 0;
  uint32_t *indices = NULL;
  memory_free(memory, builder->corners);
  builder->corners = memory_alloc_array(memory, (size_t)primitive->corner_count, sizeof(uint32_t));
  if (primitive->has_indices) {
    indices = memory_alloc_array(memory, (size_t)primitive->indices.count, sizeof(uint32_t));
    if (indices) gltf_read_integers(&primitive->indices, indices);
  }
  bool has_memory = builder->corners && (indices || !primitive->has_indices);
  for (int i = 0; has_memory && i < primitive->corner_count; i++) {
    uint32_t index = mode_index(primitive->mode, (uint32_t)i);
    builder->corners[i] = indices ? indices[index] : index;
    largest = builder->corners[i] > largest ? builder->corners[i] : largest;
  }
  memory_free(memory, indices);
  if (!has_memory) return error_set_out_of_memory(builder->gltf->error);
  return largest < count || gltf_fail(builder->gltf, builder->place,
                                      "vertex index %u is out of range, there are %u vertices", largest, count);
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
    if (builder->primitives.items[i].has[attribute]) return true;
  }
  return false;
}

// The arrays of a mesh that have to be filled; NULL where the file's own are used, or where there is nothing.
typedef struct Arrays {
  float *positions, *normals, *uvs, *colors, *weights;
  uint32_t *joints;
  float *more_weights;
  uint32_t *more_joints;
  float *scratch;  ///< where there are flat primitives or colours: of the largest primitive, 4 numbers a vertex
} Arrays;

static bool allocate_scratch(const Builder *builder, Arrays *arrays) {
  Memory *memory = builder->gltf->request->memory;
  size_t count = (size_t)builder->mesh->vertex_count, largest = 0;
  for (int i = 0; i < builder->primitives.count; i++) {
    size_t size = (size_t)builder->primitives.items[i].attributes[POSITION].count;
    largest = size > largest ? size : largest;
  }
  bool is_good = true, has_flat = false;
  for (int i = 0; i < builder->primitives.count; i++)
    has_flat = has_flat || builder->primitives.items[i].is_flat;
  if (!has_flat && !has_anywhere(builder, COLOR)) largest = 0;
  arrays->scratch = memory_alloc_array(memory, largest, 4 * sizeof(float));
  if (has_anywhere(builder, COLOR)) is_good = (arrays->colors = memory_alloc_array(memory, count, 4 * sizeof(float)));
  if (has_anywhere(builder, JOINTS))
    is_good = is_good && (arrays->joints = memory_alloc_array(memory, count, 4 * sizeof(uint32_t)));
  if (has_anywhere(builder, MORE_JOINTS))
    is_good = is_good && (arrays->more_joints = memory_alloc_array(memory, count, 4 * sizeof(uint32_t))) &&
              (arrays->more_weights = memory_alloc_array(memory, count, 4 * sizeof(float)));
  return is_good && arrays->scratch;
}

// The file's own numbers where they lie as they are needed, which is only known of a mesh of one primitive; else room for
// them.
static bool find_array(Builder *builder, Attribute attribute, int components, const float **result, float **room) {
  const Primitive *first = &builder->primitives.items[0];
  bool may_stay = builder->primitives.count == 1 && !first->is_flat && first->has[attribute];
  *result = may_stay ? gltf_floats_in_place(builder->gltf, &first->attributes[attribute], components) : NULL;
  if (*result) return true;
  size_t count = (size_t)builder->mesh->vertex_count;
  *result = *room = arena_alloc_array(&builder->gltf->model->arena, count, (size_t)components * sizeof(float));
  return *room != NULL;
}

static bool allocate(Builder *builder, Arrays *arrays) {
  ModelMesh *mesh = builder->mesh;
  bool is_good = find_array(builder, POSITION, 3, &mesh->positions, &arrays->positions) &&
                 find_array(builder, NORMAL, 3, &mesh->normals, &arrays->normals);
  if (has_anywhere(builder, UV)) is_good = is_good && find_array(builder, UV, 2, &mesh->uvs, &arrays->uvs);
  if (has_anywhere(builder, JOINTS))
    is_good = is_good && (arrays->weights = arena_alloc_array(&builder->gltf->model->arena, (size_t)mesh->vertex_count,
                                                              4 * sizeof(float)));
  return is_good && allocate_scratch(builder, arrays);
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
  if (arrays->uvs && primitive->has[UV])
    read_attribute(builder, primitive, &a[UV], 2, arrays->uvs + 2 * first, scratch);
  else if (arrays->uvs)
    fill(arrays->uvs + 2 * first, primitive->vertex_count, 2, NOTHING);
  if (arrays->colors) fill(arrays->colors + 4 * first, primitive->vertex_count, 4, WHITE);
  if (primitive->has[COLOR]) {
    fill(scratch, a[COLOR].count, 4, WHITE);
    read_attribute(builder, primitive, &a[COLOR], 4, arrays->colors + 4 * first, scratch);
  }
  if (primitive->has[JOINTS]) {
    read_joints(builder, primitive, &a[JOINTS], arrays->joints + 4 * first, scratch);
    read_attribute(builder, primitive, &a[WEIGHTS], 4, arrays->weights + 4 * first, scratch);
  }
  if (primitive->has[MORE_JOINTS]) {
    read_joints(builder, primitive, &a[MORE_JOINTS], arrays->more_joints + 4 * first, scratch);
    read_attribute(builder, primitive, &a[MORE_WEIGHTS], 4, arrays->more_weights + 4 * first, scratch);
  }
}

// Triangles as they come, which is what nearly all primitives are, need no list of their corners.
static bool are_indices_ready(const Primitive *primitive) {
  return primitive->mode == MODE_TRIANGLES && primitive->has_indices && !primitive->is_flat &&
         primitive->corner_count == primitive->indices.count;
}

static bool read_ready_indices(Builder *builder, const Primitive *primitive, uint32_t *indices) {
  uint32_t count = (uint32_t)primitive->attributes[POSITION].count, first = (uint32_t)primitive->first_vertex;
  bool is_outside = false;
  gltf_read_integers(&primitive->indices, indices);
  for (int i = 0; i < primitive->corner_count; i++) {
    is_outside |= indices[i] >= count;
    indices[i] += first;
  }
  // Looked for again, for the message.
  return !is_outside || find_corners(builder, primitive);
}

static bool add_indices(Builder *builder, const Primitive *primitive, uint32_t *indices) {
  ModelSubmesh submesh = {primitive->material, builder->mesh->index_count, primitive->corner_count};
  if (are_indices_ready(primitive)) {
    if (!read_ready_indices(builder, primitive, indices)) return false;
  } else {
    if (!find_corners(builder, primitive)) return false;
    for (int i = 0; i < primitive->corner_count; i++)
      indices[i] = (uint32_t)primitive->first_vertex + (primitive->is_flat ? (uint32_t)i : builder->corners[i]);
  }
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
    float value = i % 4 == 3 ? clampf(arrays->colors[i], 0, 1) : gltf_to_display(arrays->colors[i]);
    colors[i] = (uint8_t)(value * 255 + 0.5f);
  }
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

static const char *target_name(Builder *builder, const cJSON *names, int index) {
  char made[32];
  const cJSON *name = names ? cJSON_GetArrayItem(names, index) : NULL;
  snprintf(made, sizeof made, "target%d", index);
  const char *text = name && cJSON_IsString(name) ? name->valuestring : made;
  return text_copy_utf8(&builder->gltf->model->arena, text, strlen(text));
}

static bool read_target_array(Builder *builder, const Primitive *primitive, int index, const char *key, float *target,
                              float *scratch) {
  const cJSON *object = primitive->targets ? cJSON_GetArrayItem(primitive->targets, index) : NULL;
  int accessor_index = -1;
  GltfAccessor accessor;
  if (!object) return true;
  if (!gltf_get_index(builder->gltf, builder->place, object, key, GLTF_ACCESSORS, &accessor_index)) return false;
  if (accessor_index < 0) return true;
  if (!gltf_accessor(builder->gltf, accessor_index, &accessor)) return false;
  if (accessor.count != primitive->attributes[POSITION].count || accessor.components != 3)
    return gltf_fail(builder->gltf, accessor.place, "a morph target of %d elements for %d positions", accessor.count,
                     primitive->attributes[POSITION].count);
  read_attribute(builder, primitive, &accessor, 3, target + 3 * (size_t)primitive->first_vertex, scratch);
  return true;
}

static bool add_targets(Builder *builder, const cJSON *object, float *scratch) {
  Gltf *gltf = builder->gltf;
  const cJSON *extras = NULL, *names = NULL;
  float *weights = memory_alloc_array(gltf->request->memory, (size_t)builder->target_count, sizeof *weights);
  size_t count = (size_t)builder->mesh->vertex_count;
  builder->mesh->first_morph_target = builder->targets.count;
  bool is_good = weights || error_set_out_of_memory(gltf->error);
  is_good = is_good && gltf_get_numbers(gltf, builder->place, object, "weights", builder->target_count, weights);
  extras = cJSON_GetObjectItemCaseSensitive(object, "extras");
  names = cJSON_IsObject(extras) ? cJSON_GetObjectItemCaseSensitive(extras, "targetNames") : NULL;
  if (names && !cJSON_IsArray(names)) names = NULL;
  for (int i = 0; i < builder->target_count && is_good; i++) {
    float *positions = arena_alloc_array(&gltf->model->arena, count, 3 * sizeof(float));
    float *normals = arena_alloc_array(&gltf->model->arena, count, 3 * sizeof(float));
    ModelMorphTarget target = {target_name(builder, names, i), positions, normals, weights[i]};
    is_good = (positions && normals && target.name && array_push(gltf->request->memory, &builder->targets, target)) ||
              error_set_out_of_memory(gltf->error);
    for (int k = 0; k < builder->primitives.count && is_good; k++) {
      const Primitive *primitive = &builder->primitives.items[k];
      is_good = (!primitive->is_flat || find_corners(builder, primitive)) &&
                read_target_array(builder, primitive, i, "POSITION", positions, scratch) &&
                (primitive->is_flat || read_target_array(builder, primitive, i, "NORMAL", normals, scratch));
    }
  }
  builder->mesh->morph_target_count = builder->targets.count - builder->mesh->first_morph_target;
  memory_free(gltf->request->memory, weights);
  return is_good;
}

// ---- Meshes

static bool count_vertices(Builder *builder, int *index_count) {
  int64_t vertices = 0, corners = 0;
  for (int i = 0; i < builder->primitives.count; i++) {
    Primitive *primitive = &builder->primitives.items[i];
    primitive->first_vertex = (int)vertices;
    vertices += primitive->vertex_count;
    corners += primitive->corner_count;
    if (vertices > MODEL_MAX_VERTICES || corners / 3 > MODEL_MAX_TRIANGLES)
      return gltf_fail(builder->gltf, builder->place, "count of vertices is over %d", MODEL_MAX_VERTICES);
  }
  builder->mesh->vertex_count = (int)vertices;
  *index_count = (int)corners;
  return true;
}

static bool fill_mesh(Builder *builder, const cJSON *object, int index_count) {
  Gltf *gltf = builder->gltf;
  ModelMesh *mesh = builder->mesh;
  Arrays arrays = {0};
  uint32_t *indices = arena_alloc_array(&gltf->model->arena, (size_t)index_count, sizeof *indices);
  bool is_good = (indices && allocate(builder, &arrays)) || error_set_out_of_memory(gltf->error);
  for (int i = 0; i < builder->primitives.count && is_good; i++) {
    const Primitive *primitive = &builder->primitives.items[i];
    is_good = add_indices(builder, primitive, indices + mesh->index_count);
    if (is_good) fill_primitive(builder, primitive, &arrays);
  }
  mesh->indices = indices;
  is_good = is_good && finish_colors(builder, &arrays) && finish_weights(builder, &arrays) &&
            add_targets(builder, object, arrays.scratch);
  free_arrays(gltf->request->memory, &arrays);
  return is_good;
}

static bool read_primitives(Builder *builder, const cJSON *object) {
  const cJSON *primitives = NULL, *item;
  builder->primitives.count = builder->target_count = 0;
  if (!gltf_get_array(builder->gltf, builder->place, object, "primitives", &primitives)) return false;
  cJSON_ArrayForEach(item, primitives) {
    if (!read_primitive(builder, item)) return false;
  }
  return true;
}

static bool add_mesh(Builder *builder, const cJSON *object) {
  Gltf *gltf = builder->gltf;
  int index_count = 0;
  *builder->mesh =
      (ModelMesh){.name = gltf_name(gltf, builder->place, object, "mesh"), .first_submesh = builder->submeshes.count};
  if (!builder->mesh->name || !read_primitives(builder, object)) return false;
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
  bool is_good = model->meshes || error_set_out_of_memory(gltf->error);
  builder.is_counting = true;
  for (int i = 0; i < count && is_good; i++) {
    builder.place = gltf_place(GLTF_MESHES, i);
    is_good = read_primitives(&builder, gltf->tables[GLTF_MESHES].items[i]);
  }
  builder.is_counting = false;
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
