#include "loaders/gltf/primitive.h"

#include <stdio.h>
#include <string.h>

enum { MAX_TARGETS = 1024 };

typedef enum PrimitiveMode {
  MODE_POINTS = 0,
  MODE_LINES,
  MODE_LINE_LOOP,
  MODE_LINE_STRIP,
  MODE_TRIANGLES,
  MODE_STRIP,
  MODE_FAN
} PrimitiveMode;

// ---- Forms

enum {
  FLOATS = GLTF_BIT(GLTF_FLOAT),
  BYTES = GLTF_BIT(GLTF_BYTE),
  SHORTS = GLTF_BIT(GLTF_SHORT),
  UNSIGNED_SMALL = GLTF_BIT(GLTF_UNSIGNED_BYTE) | GLTF_BIT(GLTF_UNSIGNED_SHORT),
  UNSIGNED_INTS = GLTF_BIT(GLTF_UNSIGNED_INT),
  SMALL = BYTES | SHORTS | UNSIGNED_SMALL,
};

// The tables of "Meshes" in the specification and of KHR_mesh_quantization.
static const GltfForm FORMS[ATTRIBUTE_COUNT] = {
    [POSITION] = {3, 3, FLOATS, SMALL, false},
    [NORMAL] = {3, 3, FLOATS, BYTES | SHORTS, true},
    [UV] = {2, 2, FLOATS | UNSIGNED_SMALL, BYTES | SHORTS, false},
    [COLOR] = {4, 3, FLOATS | UNSIGNED_SMALL, 0, true},
    [JOINTS] = {4, 4, UNSIGNED_SMALL, 0, false},
    [WEIGHTS] = {4, 4, FLOATS | UNSIGNED_SMALL, 0, true},
    [MORE_JOINTS] = {4, 4, UNSIGNED_SMALL, 0, false},
    [MORE_WEIGHTS] = {4, 4, FLOATS | UNSIGNED_SMALL, 0, true},
};

static const GltfForm INDEX_FORM = {1, 1, UNSIGNED_SMALL | UNSIGNED_INTS, 0, false};
static const GltfForm POSITION_TARGET_FORM = {3, 3, FLOATS, BYTES | SHORTS, false};
static const GltfForm NORMAL_TARGET_FORM = {3, 3, FLOATS, BYTES | SHORTS, true};

// ---- Attributes

static bool get_attribute(Gltf *gltf, GltfPlace mesh, const cJSON *attributes, const char *key, Primitive *primitive,
                          Attribute attribute) {
  int *index = &primitive->accessors[attribute];
  GltfAccessor *accessor = &primitive->attributes[attribute];
  if (!gltf_get_index(gltf, mesh, attributes, key, GLTF_ACCESSORS, index)) return false;
  if (*index < 0) return true;
  if (!gltf_accessor(gltf, *index, accessor) || !gltf_expect(gltf, accessor, &FORMS[attribute], key)) return false;
  int count = primitive->attributes[POSITION].count;
  return accessor->count == count ||
         gltf_fail(gltf, mesh, "count of %s is %d, there are %d positions", key, accessor->count, count);
}

static bool check_joints(Gltf *gltf, GltfPlace mesh, const cJSON *attributes, const Primitive *primitive) {
  for (int i = JOINTS; i <= MORE_JOINTS; i += 2) {
    if ((primitive->accessors[i] < 0) != (primitive->accessors[i + 1] < 0))
      return gltf_fail(gltf, mesh, "joints need weights and weights joints");
  }
  if (primitive_has(primitive, MORE_JOINTS) && !primitive_has(primitive, JOINTS))
    return gltf_fail(gltf, mesh, "JOINTS_1 without JOINTS_0");
  if (attributes && cJSON_GetObjectItemCaseSensitive(attributes, "JOINTS_2"))
    model_warn(gltf->model, "meshes[%d]: more than 8 joints at a vertex are not supported, JOINTS_2 is left out",
               mesh.index);
  return true;
}

static bool get_attributes(Gltf *gltf, GltfPlace mesh, const cJSON *object, Primitive *primitive) {
  const cJSON *attributes = NULL;
  char uv[24];
  int set = primitive->material >= 0 ? gltf->uv_sets[primitive->material] : -1;
  snprintf(uv, sizeof uv, "TEXCOORD_%d", set > 0 ? set : 0);
  for (int i = 0; i < ATTRIBUTE_COUNT; i++)
    primitive->accessors[i] = -1;
  if (!gltf_get_object(gltf, mesh, object, "attributes", &attributes)) return false;
  if (!attributes || !cJSON_GetObjectItemCaseSensitive(attributes, "POSITION")) return true;  // nothing to see
  // The positions come first: all others are as many.
  if (!get_attribute(gltf, mesh, attributes, "POSITION", primitive, POSITION) ||
      !get_attribute(gltf, mesh, attributes, "NORMAL", primitive, NORMAL) ||
      !get_attribute(gltf, mesh, attributes, uv, primitive, UV) ||
      !get_attribute(gltf, mesh, attributes, "COLOR_0", primitive, COLOR) ||
      !get_attribute(gltf, mesh, attributes, "JOINTS_0", primitive, JOINTS) ||
      !get_attribute(gltf, mesh, attributes, "WEIGHTS_0", primitive, WEIGHTS) ||
      !get_attribute(gltf, mesh, attributes, "JOINTS_1", primitive, MORE_JOINTS) ||
      !get_attribute(gltf, mesh, attributes, "WEIGHTS_1", primitive, MORE_WEIGHTS) ||
      !check_joints(gltf, mesh, attributes, primitive))
    return false;
  if (set >= 0 && !primitive_has(primitive, UV))
    model_warn(gltf->model, "meshes[%d]: it has no %s, which the picture of its material needs", mesh.index, uv);
  return true;
}

static bool get_indices(Gltf *gltf, GltfPlace mesh, const cJSON *object, Primitive *primitive) {
  int index = -1;
  if (!gltf_get_index(gltf, mesh, object, "indices", GLTF_ACCESSORS, &index)) return false;
  primitive->has_indices = index >= 0;
  return index < 0 || (gltf_accessor(gltf, index, &primitive->indices) &&
                       gltf_expect(gltf, &primitive->indices, &INDEX_FORM, "indices"));
}

// ---- Sharing

static bool is_same_index(const cJSON *a, const cJSON *b, const char *key) {
  const cJSON *one = cJSON_GetObjectItemCaseSensitive(a, key), *other = cJSON_GetObjectItemCaseSensitive(b, key);
  return one && other ? cJSON_IsNumber(one) && cJSON_IsNumber(other) && one->valueint == other->valueint : one == other;
}

static bool has_same_targets(const Primitive *a, const Primitive *b) {
  if (a->target_count != b->target_count) return false;
  const cJSON *one = a->targets ? a->targets->child : NULL, *other = b->targets ? b->targets->child : NULL;
  for (; one && other; one = one->next, other = other->next) {
    if (!is_same_index(one, other, "POSITION") || !is_same_index(one, other, "NORMAL")) return false;
  }
  return true;
}

// Some writers give all primitives of a mesh the same arrays and only the indices differ: those are held once.
static bool has_same_vertices(const Primitive *a, const Primitive *b) {
  return !a->is_flat && !b->is_flat && memcmp(a->accessors, b->accessors, sizeof a->accessors) == 0 &&
         has_same_targets(a, b);
}

// ---- The primitive

// How many triangles the mode makes of that many indices; what is left over is nothing.
static int triangle_corners(int64_t mode, int index_count) {
  if (mode == MODE_TRIANGLES) return index_count / 3 * 3;
  return index_count > 2 ? 3 * (index_count - 2) : 0;
}

static bool count_parts(Gltf *gltf, GltfPlace mesh, const Primitive *before, Primitive *primitive) {
  int count = primitive->attributes[POSITION].count;
  primitive->corner_count =
      triangle_corners(primitive->mode, primitive->has_indices ? primitive->indices.count : count);
  primitive->is_flat = !primitive_has(primitive, NORMAL);
  primitive->target_count = primitive->targets ? cJSON_GetArraySize(primitive->targets) : 0;
  primitive->next_target = primitive->targets ? primitive->targets->child : NULL;
  if (primitive->target_count > MAX_TARGETS)
    return gltf_fail(gltf, mesh, "count of morph targets is over %d", MAX_TARGETS);
  if (primitive_has(primitive, COLOR) && primitive->material < 0) primitive->material = gltf_default_material(gltf);
  primitive->is_shared = before && has_same_vertices(before, primitive);
  primitive->vertex_count = primitive->is_shared ? 0 : primitive->is_flat ? primitive->corner_count : count;
  // Unshared corners are found by reading the whole arrays first, those of the morph targets too.
  uint64_t vertices = (uint64_t)primitive->vertex_count;
  if (primitive->is_flat) vertices += (uint64_t)count * (1 + (uint64_t)primitive->target_count);
  uint64_t corners = (uint64_t)(primitive->has_indices ? primitive->indices.count : 0);
  corners = corners > (uint64_t)primitive->corner_count ? corners : (uint64_t)primitive->corner_count;
  return gltf_spend(gltf, mesh, vertices + corners / 4);
}

bool primitive_read(Gltf *gltf, GltfPlace mesh, const cJSON *object, const Primitive *before, Primitive *primitive) {
  *primitive = (Primitive){.mode = MODE_TRIANGLES, .material = -1};
  if (!cJSON_IsObject(object)) return gltf_fail(gltf, mesh, "a primitive is not an object");
  if (!gltf_get_integer(gltf, mesh, object, "mode", MODE_POINTS, MODE_FAN, &primitive->mode) ||
      !gltf_get_index(gltf, mesh, object, "material", GLTF_MATERIALS, &primitive->material) ||
      !gltf_get_array(gltf, mesh, object, "targets", &primitive->targets) ||
      !get_attributes(gltf, mesh, object, primitive) || !get_indices(gltf, mesh, object, primitive))
    return false;
  if (primitive->mode < MODE_TRIANGLES) {
    model_warn(gltf->model, "meshes[%d]: %s are not drawn", mesh.index,
               primitive->mode == MODE_POINTS ? "points" : "lines");
    return true;
  }
  if (!primitive_has(primitive, POSITION)) {
    model_warn(gltf->model, "meshes[%d]: a primitive without positions, left out", mesh.index);
    return true;
  }
  return count_parts(gltf, mesh, before, primitive);
}

bool primitive_target(Gltf *gltf, GltfPlace mesh, const Primitive *primitive, const cJSON *target, const char *key,
                      GltfAccessor *accessor, bool *has_any) {
  const GltfForm *form = strcmp(key, "NORMAL") == 0 ? &NORMAL_TARGET_FORM : &POSITION_TARGET_FORM;
  int index = -1, count = primitive->attributes[POSITION].count;
  if (!cJSON_IsObject(target)) return gltf_fail(gltf, mesh, "a morph target is not an object");
  if (!gltf_get_index(gltf, mesh, target, key, GLTF_ACCESSORS, &index)) return false;
  *has_any = index >= 0;
  if (index < 0) return true;
  if (!gltf_accessor(gltf, index, accessor) || !gltf_expect(gltf, accessor, form, "a morph target")) return false;
  return accessor->count == count ||
         gltf_fail(gltf, accessor->place, "a morph target of %d elements for %d positions", accessor->count, count);
}

// ---- Corners

static uint32_t strip_index(uint32_t triangle, uint32_t corner) {
  // Every second triangle of a strip is wound the other way round.
  return corner == 0 ? triangle : triangle + (corner == 1 ? 1 + triangle % 2 : 2 - triangle % 2);
}

// Triangle n of a fan is (n + 1, n + 2, 0), as the specification numbers them.
static uint32_t mode_index(int64_t mode, uint32_t i) {
  if (mode == MODE_STRIP) return strip_index(i / 3, i % 3);
  return i % 3 == 2 ? 0 : i / 3 + 1 + i % 3;
}

// The indices of the file, or those that count up where it has none.
static uint32_t *read_indices(Gltf *gltf, const Primitive *primitive) {
  int count = primitive->has_indices ? primitive->indices.count : primitive->attributes[POSITION].count;
  uint32_t *indices = memory_alloc_array(gltf->request->memory, (size_t)count, sizeof *indices);
  if (!indices) return error_set_out_of_memory(gltf->error), NULL;
  if (primitive->has_indices) {
    gltf_read_integers(&primitive->indices, indices);
    return indices;
  }
  for (int i = 0; i < count; i++)
    indices[i] = (uint32_t)i;
  return indices;
}

static uint32_t *spread(Gltf *gltf, const Primitive *primitive, uint32_t *indices) {
  uint32_t *corners = memory_alloc_array(gltf->request->memory, (size_t)primitive->corner_count, sizeof *corners);
  for (int i = 0; corners && i < primitive->corner_count; i++)
    corners[i] = indices[mode_index(primitive->mode, (uint32_t)i)];
  memory_free(gltf->request->memory, indices);
  if (!corners) error_set_out_of_memory(gltf->error);
  return corners;
}

// The largest, after which `first_vertex` is added to all.
static uint32_t finish_indices(uint32_t *indices, int count, uint32_t first_vertex) {
  uint32_t largest = 0;
  for (int i = 0; i < count; i++) {
    largest = indices[i] > largest ? indices[i] : largest;
    indices[i] += first_vertex;
  }
  return largest;
}

static bool check_largest(Gltf *gltf, GltfPlace mesh, const Primitive *primitive, uint32_t largest) {
  uint32_t count = (uint32_t)primitive->attributes[POSITION].count;
  return largest < count ||
         gltf_fail(gltf, mesh, "vertex index %u is out of range, there are %u vertices", largest, count);
}

uint32_t *primitive_corners(Gltf *gltf, GltfPlace mesh, const Primitive *primitive) {
  uint32_t *corners = read_indices(gltf, primitive);
  if (corners && primitive->mode != MODE_TRIANGLES) corners = spread(gltf, primitive, corners);
  if (!corners) return NULL;
  if (check_largest(gltf, mesh, primitive, finish_indices(corners, primitive->corner_count, 0))) return corners;
  memory_free(gltf->request->memory, corners);
  return NULL;
}

bool primitive_indices(Gltf *gltf, GltfPlace mesh, const Primitive *primitive, uint32_t *indices) {
  if (primitive->mode == MODE_TRIANGLES && primitive->has_indices) {
    gltf_read_integers(&primitive->indices, indices);
  } else {
    uint32_t *corners = primitive_corners(gltf, mesh, primitive);
    if (!corners) return false;
    memcpy(indices, corners, (size_t)primitive->corner_count * sizeof *indices);
    memory_free(gltf->request->memory, corners);
  }
  return check_largest(gltf, mesh, primitive,
                       finish_indices(indices, primitive->corner_count, (uint32_t)primitive->first_vertex));
}

bool primitive_indices_in_place(Gltf *gltf, GltfPlace mesh, const Primitive *primitive, const uint32_t **indices) {
  uint32_t largest = 0;
  *indices = NULL;
  if (primitive->mode != MODE_TRIANGLES || !primitive->has_indices || primitive->is_flat) return true;
  *indices = gltf_array_in_place(gltf, &primitive->indices, GLTF_UNSIGNED_INT, 1);
  for (int i = 0; *indices && i < primitive->corner_count; i++)
    largest = (*indices)[i] > largest ? (*indices)[i] : largest;
  return check_largest(gltf, mesh, primitive, largest);
}
