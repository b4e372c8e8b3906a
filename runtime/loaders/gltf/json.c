#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "loaders/gltf/gltf.h"

GltfPlace gltf_place(GltfTable table, int index) {
  static const char *const NAMES[GLTF_TABLE_COUNT] = {
      "buffers", "bufferViews", "accessors", "images", "samplers", "textures",   "materials",
      "meshes",  "skins",       "nodes",     "scenes", "cameras",  "animations", "lights",
  };
  return (GltfPlace){NAMES[table], index};
}

bool gltf_fail(Gltf *gltf, GltfPlace place, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!place.table) return error_set(gltf->error, "%s: %s", gltf->request->path, text);
  return error_set(gltf->error, "%s: %s[%d]: %s", gltf->request->path, place.table, place.index, text);
}

static const cJSON *find(const cJSON *object, const char *key) {
  return object ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

static bool expected(Gltf *gltf, GltfPlace place, const char *key, const char *what) {
  return gltf_fail(gltf, place, "\"%s\" is not %s", key, what);
}

bool gltf_get_object(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, const cJSON **value) {
  const cJSON *item = find(object, key);
  if (!item) return true;
  if (!cJSON_IsObject(item)) return expected(gltf, place, key, "an object");
  *value = item;
  return true;
}

bool gltf_get_array(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, const cJSON **value) {
  const cJSON *item = find(object, key);
  if (!item) return true;
  if (!cJSON_IsArray(item)) return expected(gltf, place, key, "an array");
  *value = item;
  return true;
}

bool gltf_get_text(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, const char **value) {
  const cJSON *item = find(object, key);
  if (!item) return true;
  if (!cJSON_IsString(item)) return expected(gltf, place, key, "a string");
  *value = item->valuestring;
  return true;
}

bool gltf_get_bool(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, bool *value) {
  const cJSON *item = find(object, key);
  if (!item) return true;
  if (!cJSON_IsBool(item)) return expected(gltf, place, key, "true or false");
  *value = cJSON_IsTrue(item);
  return true;
}

static bool is_number(const cJSON *item, float *value) {
  *value = (float)item->valuedouble;
  return cJSON_IsNumber(item) && isfinite(*value);
}

bool gltf_get_number(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, float *value) {
  const cJSON *item = find(object, key);
  float number;
  if (!item) return true;
  if (!is_number(item, &number)) return expected(gltf, place, key, "a finite number");
  *value = number;
  return true;
}

static bool is_integer(const cJSON *item, int64_t least, int64_t most) {
  double number = item->valuedouble;
  return cJSON_IsNumber(item) && number == floor(number) && number >= (double)least && number <= (double)most;
}

bool gltf_get_integer(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, int64_t least, int64_t most,
                      int64_t *value) {
  const cJSON *item = find(object, key);
  if (!item) return true;
  if (!is_integer(item, least, most))
    return gltf_fail(gltf, place, "\"%s\" is not a whole number from %lld to %lld", key, (long long)least,
                     (long long)most);
  *value = (int64_t)item->valuedouble;
  return true;
}

bool gltf_get_numbers(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, int count, float *values) {
  const cJSON *array = NULL, *item;
  if (!gltf_get_array(gltf, place, object, key, &array)) return false;
  if (!array) return true;
  int found = 0;
  cJSON_ArrayForEach(item, array) {
    float number;
    if (found == count || !is_number(item, &number))
      return gltf_fail(gltf, place, "\"%s\" is not %d numbers", key, count);
    values[found++] = number;
  }
  return found == count || gltf_fail(gltf, place, "\"%s\" is not %d numbers", key, count);
}

static bool check_index(Gltf *gltf, GltfPlace place, const cJSON *item, const char *key, GltfTable table) {
  int count = gltf->tables[table].count;
  if (is_integer(item, 0, (int64_t)count - 1)) return true;
  if (is_integer(item, 0, INT32_MAX))
    return gltf_fail(gltf, place, "\"%s\" is index %d, there are %d %s", key, (int)item->valuedouble, count,
                     gltf_place(table, 0).table);
  return expected(gltf, place, key, "an index");
}

bool gltf_get_index(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, GltfTable table, int *index) {
  const cJSON *item = find(object, key);
  if (!item) return true;
  if (!check_index(gltf, place, item, key, table)) return false;
  *index = (int)item->valuedouble;
  return true;
}

bool gltf_get_indexes(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, GltfTable table, int **indexes,
                      int *count) {
  const cJSON *array = NULL, *item;
  *indexes = NULL;
  *count = 0;
  if (!gltf_get_array(gltf, place, object, key, &array)) return false;
  if (!array) return true;
  *indexes = memory_alloc_array(gltf->request->memory, (size_t)cJSON_GetArraySize(array), sizeof **indexes);
  if (!*indexes) return error_set_out_of_memory(gltf->error);
  cJSON_ArrayForEach(item, array) {
    if (!check_index(gltf, place, item, key, table)) {
      memory_free(gltf->request->memory, *indexes);
      *indexes = NULL;
      return false;
    }
    (*indexes)[(*count)++] = (int)item->valuedouble;
  }
  return true;
}

bool gltf_get_extension(Gltf *gltf, GltfPlace place, const cJSON *object, const char *name, const cJSON **value) {
  const cJSON *extensions = NULL;
  *value = NULL;
  return gltf_get_object(gltf, place, object, "extensions", &extensions) &&
         gltf_get_object(gltf, place, extensions, name, value);
}

const char *gltf_name(Gltf *gltf, GltfPlace place, const cJSON *object, const char *kind) {
  const char *name = NULL;
  char made[40];
  if (!gltf_get_text(gltf, place, object, "name", &name)) return NULL;
  if (!name || !name[0]) {
    snprintf(made, sizeof made, "%s%d", kind, place.index);
    name = made;
  }
  const char *copy = text_copy_utf8(&gltf->model->arena, name, strlen(name));
  if (!copy) error_set_out_of_memory(gltf->error);
  return copy;
}
