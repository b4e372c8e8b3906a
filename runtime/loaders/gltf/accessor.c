#include <string.h>

#include "bytes.h"
#include "loaders/gltf/gltf.h"

enum { FEWEST_BYTES_A_VERTEX = 3 };

static size_t component_size(GltfComponent type) {
  return type == GLTF_BYTE || type == GLTF_UNSIGNED_BYTE     ? 1
         : type == GLTF_SHORT || type == GLTF_UNSIGNED_SHORT ? 2
                                                             : 4;
}

static size_t element_size(const GltfAccessor *accessor) {
  return component_size(accessor->type) * (size_t)accessor->components;
}

static bool get_component_type(Gltf *gltf, GltfPlace place, const cJSON *object, GltfComponent *type) {
  int64_t value = 0;
  if (!gltf_get_integer(gltf, place, object, "componentType", 0, 65535, &value)) return false;
  bool is_known =
      (value >= GLTF_BYTE && value <= GLTF_UNSIGNED_SHORT) || value == GLTF_UNSIGNED_INT || value == GLTF_FLOAT;
  *type = (GltfComponent)value;
  return is_known || gltf_fail(gltf, place, "\"componentType\" %lld is unknown", (long long)value);
}

static bool get_components(Gltf *gltf, GltfPlace place, const cJSON *object, int *components) {
  static const struct {
    const char *name;
    int count;
  } TYPES[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
  const char *name = "";
  if (!gltf_get_text(gltf, place, object, "type", &name)) return false;
  for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
    *components = TYPES[i].count;
    if (strcmp(TYPES[i].name, name) == 0) return true;
  }
  // Small matrices, whose columns have gaps, are for attributes of applications' own.
  return gltf_fail(gltf, place, "\"type\" %.20s is none that is used here", name);
}

// Whether the elements lie inside the view: the last one need not be followed by a whole stride.
static bool check_extent(Gltf *gltf, GltfPlace place, const GltfView *view, int64_t offset, size_t stride,
                         int64_t count, size_t element) {
  uint64_t need = (uint64_t)offset + (uint64_t)(count - 1) * stride + element;
  if (need <= view->size) return true;
  return gltf_fail(gltf, place, "count %lld needs %llu bytes, its view has %zu", (long long)count,
                   (unsigned long long)need, view->size);
}

static bool find_sparse_part(Gltf *gltf, GltfPlace place, const cJSON *sparse, const char *key, const cJSON **part) {
  return gltf_get_object(gltf, place, sparse, key, part) &&
         (*part || gltf_fail(gltf, place, "its sparse \"%s\" are missing", key));
}

// `count` elements of `element` bytes without gaps.
static bool find_sparse_data(Gltf *gltf, GltfPlace place, const cJSON *part, const char *key, size_t element,
                             int64_t count, const uint8_t **data) {
  int view_index = -1;
  int64_t offset = 0;
  GltfView view;
  if (!gltf_get_index(gltf, place, part, "bufferView", GLTF_VIEWS, &view_index) ||
      !gltf_get_integer(gltf, place, part, "byteOffset", 0, INT64_C(1) << 40, &offset))
    return false;
  if (view_index < 0) return gltf_fail(gltf, place, "its sparse \"%s\" have no view", key);
  if (!gltf_view(gltf, view_index, &view) || !check_extent(gltf, place, &view, offset, element, count, element))
    return false;
  *data = view.data + offset;
  return true;
}

static uint32_t read_integer(const uint8_t *data, GltfComponent type) {
  switch (type) {
    case GLTF_UNSIGNED_BYTE:
      return *data;
    case GLTF_BYTE:
      return (uint32_t)(int8_t)*data;
    case GLTF_UNSIGNED_SHORT:
      return read_u16(data);
    case GLTF_SHORT:
      return (uint32_t)read_i16(data);
    default:
      return read_u32(data);
  }
}

static bool check_sparse_indexes(Gltf *gltf, const GltfAccessor *accessor) {
  size_t size = component_size(accessor->sparse_type);
  int64_t before = -1;
  for (int i = 0; i < accessor->sparse_count; i++) {
    uint32_t index = read_integer(accessor->sparse_indexes + (size_t)i * size, accessor->sparse_type);
    if (index >= (uint32_t)accessor->count || (int64_t)index <= before)
      return gltf_fail(gltf, accessor->place, "sparse index %u is out of range or order, there are %d elements", index,
                       accessor->count);
    before = index;
  }
  return true;
}

static bool read_sparse(Gltf *gltf, const cJSON *object, GltfAccessor *accessor) {
  GltfPlace place = accessor->place;
  const cJSON *sparse = NULL, *indexes = NULL, *values = NULL;
  int64_t count = 0;
  if (!gltf_get_object(gltf, place, object, "sparse", &sparse)) return false;
  if (!sparse) return true;
  if (!gltf_get_integer(gltf, place, sparse, "count", 1, accessor->count, &count)) return false;
  if (count == 0) return gltf_fail(gltf, place, "its sparse \"count\" is missing");
  if (!find_sparse_part(gltf, place, sparse, "indices", &indexes) ||
      !find_sparse_part(gltf, place, sparse, "values", &values) ||
      !get_component_type(gltf, place, indexes, &accessor->sparse_type) ||
      !find_sparse_data(gltf, place, indexes, "indices", component_size(accessor->sparse_type), count,
                        &accessor->sparse_indexes) ||
      !find_sparse_data(gltf, place, values, "values", element_size(accessor), count, &accessor->sparse_values))
    return false;
  accessor->sparse_count = (int)count;
  bool is_unsigned = accessor->sparse_type == GLTF_UNSIGNED_BYTE || accessor->sparse_type == GLTF_UNSIGNED_SHORT ||
                     accessor->sparse_type == GLTF_UNSIGNED_INT;
  if (!is_unsigned) return gltf_fail(gltf, place, "its sparse indices are not unsigned integers");
  return gltf_spend(gltf, place, (uint64_t)count) && check_sparse_indexes(gltf, accessor);
}

bool gltf_accessor(Gltf *gltf, int index, GltfAccessor *accessor) {
  GltfPlace place = gltf_place(GLTF_ACCESSORS, index);
  const cJSON *object = gltf->tables[GLTF_ACCESSORS].items[index];
  int64_t count = 0, offset = 0;
  int view_index = -1;
  *accessor = (GltfAccessor){.place = place, .buffer = -1};
  if (!gltf_get_integer(gltf, place, object, "count", 1, INT32_MAX / 64, &count) ||
      !gltf_get_integer(gltf, place, object, "byteOffset", 0, INT64_C(1) << 40, &offset) ||
      !gltf_get_index(gltf, place, object, "bufferView", GLTF_VIEWS, &view_index) ||
      !gltf_get_bool(gltf, place, object, "normalized", &accessor->is_normalized) ||
      !get_component_type(gltf, place, object, &accessor->type) ||
      !get_components(gltf, place, object, &accessor->components))
    return false;
  if (count == 0) return gltf_fail(gltf, place, "\"count\" is missing");
  accessor->count = (int)count;
  size_t element = element_size(accessor);
  // Without a view all elements are zero: cheap to write down, so there may not be many more than bytes.
  if (view_index < 0 && (uint64_t)count > gltf->input_bytes / FEWEST_BYTES_A_VERTEX)
    return gltf_fail(gltf, place, "count %lld without a view is more than the whole file can have", (long long)count);
  if (view_index >= 0) {
    GltfView view;
    if (!gltf_view(gltf, view_index, &view)) return false;
    accessor->stride = view.stride > 0 ? view.stride : element;
    if (accessor->stride < element)
      return gltf_fail(gltf, place, "elements of %zu bytes do not fit a stride of %zu", element, accessor->stride);
    if (!check_extent(gltf, place, &view, offset, accessor->stride, count, element)) return false;
    accessor->data = view.data + offset;
    accessor->buffer = view.buffer;
  }
  return read_sparse(gltf, object, accessor);
}

bool gltf_expect(Gltf *gltf, GltfAccessor *accessor, const GltfForm *form, const char *what) {
  unsigned bit = GLTF_BIT(accessor->type);
  if (accessor->components != form->components && accessor->components != form->or_components)
    return gltf_fail(gltf, accessor->place, "%s of %d numbers an element, %d are expected", what, accessor->components,
                     form->components);
  if (!(bit & (form->types | form->quantized)))
    return gltf_fail(gltf, accessor->place, "%s cannot have \"componentType\" %d", what, accessor->type);
  if (!(bit & form->types) && !gltf->is_quantized)
    model_warn(gltf->model, "accessors[%d]: %s are integers, but KHR_mesh_quantization is not declared",
               accessor->place.index, what);
  bool is_float = accessor->type == GLTF_FLOAT;
  if (form->must_normalize && !is_float && !accessor->is_normalized) {
    model_warn(gltf->model, "accessors[%d]: %s are integers that are not marked as normalized, taken as such",
               accessor->place.index, what);
    accessor->is_normalized = true;
  }
  return true;
}

// ---- Reading

// As the specification says for normalised integers; the lowest of them counts as -1, like the one above it.
static float read_float(const uint8_t *data, GltfComponent type, bool is_normalized) {
  float value;
  switch (type) {
    case GLTF_FLOAT:
      return read_f32(data);
    case GLTF_UNSIGNED_BYTE:
      return is_normalized ? (float)*data / 255 : (float)*data;
    case GLTF_BYTE:
      value = (float)(int8_t)*data;
      return is_normalized ? fmaxf(value / 127, -1) : value;
    case GLTF_UNSIGNED_SHORT:
      return is_normalized ? (float)read_u16(data) / 65535 : (float)read_u16(data);
    case GLTF_SHORT:
      value = (float)read_i16(data);
      return is_normalized ? fmaxf(value / 32767, -1) : value;
    default:
      return (float)read_u32(data);
  }
}

static void read_elements(const GltfAccessor *accessor, const uint8_t *data, size_t stride, int count,
                          int target_components, float *target) {
  int components = accessor->components < target_components ? accessor->components : target_components;
  size_t size = component_size(accessor->type), packed = (size_t)components * sizeof(float);
  bool is_plain = accessor->type == GLTF_FLOAT && bytes_are_native();
  if (is_plain && stride == packed && components == target_components) {
    memcpy(target, data, (size_t)count * packed);
    return;
  }
  for (int i = 0; i < count; i++, data += stride, target += target_components) {
    if (is_plain) {
      memcpy(target, data, packed);
      continue;
    }
    for (int k = 0; k < components; k++)
      target[k] = read_float(data + (size_t)k * size, accessor->type, accessor->is_normalized);
  }
}

void gltf_read_floats(const GltfAccessor *accessor, int target_components, float *target) {
  size_t element = element_size(accessor);
  if (accessor->data) {
    read_elements(accessor, accessor->data, accessor->stride, accessor->count, target_components, target);
  } else {
    memset(target, 0, (size_t)accessor->count * (size_t)target_components * sizeof *target);
  }
  for (int i = 0; i < accessor->sparse_count; i++) {
    size_t size = component_size(accessor->sparse_type);
    uint32_t index = read_integer(accessor->sparse_indexes + (size_t)i * size, accessor->sparse_type);
    read_elements(accessor, accessor->sparse_values + (size_t)i * element, element, 1, target_components,
                  target + (size_t)index * (size_t)target_components);
  }
}

// Indices without gaps, which are most: written so that the loops vectorise.
static void read_packed_shorts(const uint8_t *data, size_t count, uint32_t *target) {
  if (!bytes_are_native()) {
    for (size_t i = 0; i < count; i++)
      target[i] = read_u16(data + 2 * i);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    uint16_t value;
    memcpy(&value, data + 2 * i, sizeof value);
    target[i] = value;
  }
}

static void read_integer_elements(const GltfAccessor *accessor, uint32_t *target) {
  size_t components = (size_t)accessor->components, size = component_size(accessor->type);
  size_t count = (size_t)accessor->count, stride = accessor->stride;
  const uint8_t *data = accessor->data;
  bool is_packed = stride == size * components;
  if (is_packed && accessor->type == GLTF_UNSIGNED_SHORT) {
    read_packed_shorts(data, count * components, target);
    return;
  }
  if (is_packed && accessor->type == GLTF_UNSIGNED_INT && bytes_are_native()) {
    memcpy(target, data, count * components * sizeof *target);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < components; k++)
      target[i * components + k] = read_integer(data + i * stride + k * size, accessor->type);
  }
}

void gltf_read_integers(const GltfAccessor *accessor, uint32_t *target) {
  size_t components = (size_t)accessor->components, size = component_size(accessor->type);
  size_t element = element_size(accessor);
  if (accessor->data)
    read_integer_elements(accessor, target);
  else
    memset(target, 0, (size_t)accessor->count * components * sizeof *target);
  for (size_t i = 0; i < (size_t)accessor->sparse_count; i++) {
    size_t index =
        read_integer(accessor->sparse_indexes + i * component_size(accessor->sparse_type), accessor->sparse_type);
    for (size_t k = 0; k < components; k++)
      target[index * components + k] = read_integer(accessor->sparse_values + i * element + k * size, accessor->type);
  }
}

const void *gltf_array_in_place(Gltf *gltf, const GltfAccessor *accessor, GltfComponent type, int components) {
  bool is_packed = accessor->data && accessor->type == type && accessor->components == components &&
                   accessor->stride == (size_t)components * component_size(type) && accessor->sparse_count == 0;
  bool is_aligned = (uintptr_t)accessor->data % component_size(type) == 0;
  if (!is_packed || !is_aligned || !bytes_are_native()) return NULL;
  gltf_keep(gltf, accessor->buffer);
  return accessor->data;
}

bool gltf_spend(Gltf *gltf, GltfPlace place, uint64_t count) {
  enum { USES_OF_A_BYTE = 2, FREE = 1 << 19 };
  gltf->made += count;
  if (gltf->made <= USES_OF_A_BYTE * gltf->input_bytes + FREE) return true;
  return gltf_fail(gltf, place, "the same data is used too often: %llu vertices or keys of %llu bytes",
                   (unsigned long long)gltf->made, (unsigned long long)gltf->input_bytes);
}
