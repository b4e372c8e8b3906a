// glTF 2.0 as text (.gltf) and in one binary file (.glb).
#include "loaders/gltf/gltf.h"

#include <string.h>

#include "bytes.h"

enum {
  GLB_HEADER_SIZE = 12,
  GLB_CHUNK_HEADER_SIZE = 8,
  GLB_JSON = 0x4e4f534a,
  GLB_BIN = 0x004e4942,
  MAX_MEMBERS = 256
};

static const char QUANTIZATION[] = "KHR_mesh_quantization";

// ---- The binary container

static bool read_glb(Gltf *gltf, Bytes file, Bytes *json) {
  const char *path = gltf->request->path;
  if (file.size < GLB_HEADER_SIZE + GLB_CHUNK_HEADER_SIZE)
    return error_set(gltf->error, "%s: offset 0x0: truncated: the file has %zu bytes", path, file.size);
  uint32_t version = read_u32(file.data + 4), length = read_u32(file.data + 8);
  if (version != 2) return error_set(gltf->error, "%s: offset 0x4: version is %u, expected 2", path, version);
  if (length > file.size)
    return error_set(gltf->error, "%s: offset 0x8: truncated: the length is %u, the file has %zu bytes", path, length,
                     file.size);
  if (length < file.size) model_warn(gltf->model, "%zu bytes after the end of the file's length", file.size - length);
  for (size_t at = GLB_HEADER_SIZE; at + GLB_CHUNK_HEADER_SIZE <= length;) {
    uint32_t size = read_u32(file.data + at), type = read_u32(file.data + at + 4);
    if (size > length - at - GLB_CHUNK_HEADER_SIZE)
      return error_set(gltf->error, "%s: offset 0x%zx: truncated: a chunk of %u bytes, %zu are left", path, at, size,
                       length - at - GLB_CHUNK_HEADER_SIZE);
    uint8_t *data = file.data + at + GLB_CHUNK_HEADER_SIZE;
    if (at == GLB_HEADER_SIZE && type != GLB_JSON)
      return error_set(gltf->error, "%s: offset 0x%zx: the first chunk is not JSON", path, at);
    if (at == GLB_HEADER_SIZE) {
      *json = (Bytes){data, size};
    } else if (type == GLB_BIN && !gltf->bin) {
      gltf->bin = data;
      gltf->bin_size = size;
    }
    at += GLB_CHUNK_HEADER_SIZE + ((size_t)size + 3) / 4 * 4;
  }
  return json->data || error_set(gltf->error, "%s: offset 0xc: truncated: there is no JSON", path);
}

// ---- JSON

// At least what the parsed text will take: a value is one block of the parser's, each text and name another. Texts of real
// models cost 4 to 10 times their size.
static bool check_cost(Gltf *gltf, Bytes json) {
  enum { VALUE_COST = 80, TEXT_COST = 32, MOST_TIMES_THE_SIZE = 16, FREE = 8 << 20 };
  size_t values = 1, texts = 0;
  bool is_in_string = false;
  for (size_t i = 0; i < json.size; i++) {
    uint8_t c = json.data[i];
    if (c == '"') {
      texts += is_in_string;
      is_in_string = !is_in_string;
    } else if (is_in_string) {
      i += c == '\\';
    } else {
      values += c == ',' || c == '[' || c == '{';
    }
  }
  uint64_t cost = (uint64_t)values * VALUE_COST + (uint64_t)texts * TEXT_COST;
  if (cost <= MOST_TIMES_THE_SIZE * (uint64_t)json.size + FREE) return true;
  return gltf_fail(gltf, GLTF_NOWHERE, "the JSON has %zu values and %zu texts in %zu bytes, which no model needs",
                   values, texts, json.size);
}

static int line_of(Bytes json, const char *at) {
  int line = 1;
  for (const char *c = (const char *)json.data; c < at; c++)
    line += *c == '\n';
  return line;
}

static bool parse(Gltf *gltf, Bytes json) {
  const char *text = (const char *)json.data, *end = NULL, *path = gltf->request->path;
  if (json.size == 0) return error_set(gltf->error, "%s:1: the file is empty", path);
  if (!check_cost(gltf, json)) return false;
  gltf->root = cJSON_ParseWithLengthOpts(text, json.size, &end, false);
  if (!gltf->root) return error_set(gltf->error, "%s:%d: this is not JSON", path, line_of(json, end ? end : text));
  for (const char *c = end; c < text + json.size; c++) {
    if (*c && !strchr(" \t\r\n", *c))
      return error_set(gltf->error, "%s:%d: text after the end", path, line_of(json, c));
  }
  return cJSON_IsObject(gltf->root) || error_set(gltf->error, "%s:1: the JSON is not an object", path);
}

// ---- The top level

static bool check_version(Gltf *gltf) {
  const cJSON *asset = NULL;
  const char *version = NULL, *least = NULL;
  if (!gltf_get_object(gltf, GLTF_NOWHERE, gltf->root, "asset", &asset)) return false;
  if (!asset) return gltf_fail(gltf, GLTF_NOWHERE, "\"asset\" with the version is missing");
  if (!gltf_get_text(gltf, GLTF_NOWHERE, asset, "version", &version) ||
      !gltf_get_text(gltf, GLTF_NOWHERE, asset, "minVersion", &least))
    return false;
  if (!version || version[0] != '2')
    return gltf_fail(gltf, GLTF_NOWHERE, "version is %.20s, expected 2.0", version ? version : "missing");
  if (least && strcmp(least, "2.0") != 0)
    return gltf_fail(gltf, GLTF_NOWHERE, "version %.20s is needed to read it", least);
  return true;
}

static bool is_supported(const char *extension) {
  static const char *const SUPPORTED[] = {
      QUANTIZATION,          "KHR_texture_transform",           "KHR_materials_unlit",
      "KHR_lights_punctual", "KHR_materials_emissive_strength", "KHR_materials_pbrSpecularGlossiness",
  };
  for (size_t i = 0; i < sizeof SUPPORTED / sizeof *SUPPORTED; i++) {
    if (strcmp(SUPPORTED[i], extension) == 0) return true;
  }
  return false;
}

static bool check_extensions(Gltf *gltf) {
  const cJSON *required = NULL, *used = NULL, *item;
  if (!gltf_get_array(gltf, GLTF_NOWHERE, gltf->root, "extensionsRequired", &required) ||
      !gltf_get_array(gltf, GLTF_NOWHERE, gltf->root, "extensionsUsed", &used))
    return false;
  cJSON_ArrayForEach(item, required) {
    if (!cJSON_IsString(item)) return gltf_fail(gltf, GLTF_NOWHERE, "\"extensionsRequired\" is not a list of names");
    gltf->is_quantized = gltf->is_quantized || strcmp(item->valuestring, QUANTIZATION) == 0;
    if (!is_supported(item->valuestring))
      return gltf_fail(gltf, GLTF_NOWHERE, "it needs the extension %.80s, which is not supported", item->valuestring);
  }
  cJSON_ArrayForEach(item, used) {
    if (!cJSON_IsString(item)) return gltf_fail(gltf, GLTF_NOWHERE, "\"extensionsUsed\" is not a list of names");
    gltf->is_quantized = gltf->is_quantized || strcmp(item->valuestring, QUANTIZATION) == 0;
    if (!is_supported(item->valuestring))
      model_warn(gltf->model, "the extension %.80s is not supported", item->valuestring);
  }
  return true;
}

static bool fill_table(Gltf *gltf, GltfTable table, const cJSON *object, const char *key) {
  const cJSON *array = NULL, *item;
  GltfArray *result = &gltf->tables[table];
  if (!gltf_get_array(gltf, GLTF_NOWHERE, object, key, &array)) return false;
  int count = array ? cJSON_GetArraySize(array) : 0;
  result->items = memory_alloc_array(gltf->request->memory, (size_t)count, sizeof *result->items);
  if (!result->items) return error_set_out_of_memory(gltf->error);
  cJSON_ArrayForEach(item, array) {
    if (!cJSON_IsObject(item)) return gltf_fail(gltf, gltf_place(table, result->count), "this is not an object");
    // What is looked up again and again has to be found fast.
    if (cJSON_GetArraySize(item) > MAX_MEMBERS)
      return gltf_fail(gltf, gltf_place(table, result->count), "it has more than %d members", MAX_MEMBERS);
    result->items[result->count++] = item;
  }
  return true;
}

static bool fill_tables(Gltf *gltf) {
  const cJSON *lights = NULL;
  for (int i = 0; i < GLTF_LIGHTS; i++) {
    if (!fill_table(gltf, (GltfTable)i, gltf->root, gltf_place((GltfTable)i, 0).table)) return false;
  }
  return gltf_get_extension(gltf, GLTF_NOWHERE, gltf->root, "KHR_lights_punctual", &lights) &&
         fill_table(gltf, GLTF_LIGHTS, lights, "lights");
}

// ---- The whole

static bool build(Gltf *gltf) {
  return check_version(gltf) && check_extensions(gltf) && fill_tables(gltf) && gltf_load_buffers(gltf) &&
         gltf_add_images(gltf) && gltf_add_materials(gltf) && gltf_add_meshes(gltf) && gltf_add_nodes(gltf) &&
         gltf_add_animations(gltf);
}

static bool is_glb(Bytes bytes) {
  return bytes.size >= 4 && memcmp(bytes.data, "glTF", 4) == 0;
}

// Whether a text can only be glTF: an object that soon names its "asset".
static bool is_text(Bytes bytes) {
  enum { LOOKED_AT = 4096 };
  static const char KEY[] = "\"asset\"";
  size_t end = bytes.size < LOOKED_AT ? bytes.size : LOOKED_AT, i = 0;
  if (end >= 3 && memcmp(bytes.data, "\xef\xbb\xbf", 3) == 0) i = 3;
  while (i < end && strchr(" \t\r\n", bytes.data[i]) && bytes.data[i])
    i++;
  if (i == end || bytes.data[i] != '{') return false;
  for (; i + sizeof KEY - 1 <= end; i++) {
    if (memcmp(bytes.data + i, KEY, sizeof KEY - 1) == 0) return true;
  }
  return false;
}

static bool matches(Bytes bytes) {
  return is_glb(bytes) || is_text(bytes);
}

static bool load(const LoadRequest *request, Bytes *file, Model *model, Error *error) {
  Gltf gltf = {.request = request,
               .model = model,
               .error = error,
               .file = file,
               .input_bytes = file->size,
               .default_material = -1};
  Bytes json = *file;
  bool is_good = (!is_glb(*file) || read_glb(&gltf, *file, &json)) && parse(&gltf, json) && build(&gltf);
  is_good = gltf_finish_buffers(&gltf, is_good);
  cJSON_Delete(gltf.root);
  for (int i = 0; i < GLTF_TABLE_COUNT; i++)
    memory_free(request->memory, gltf.tables[i].items);
  memory_free(request->memory, gltf.uv_sets);
  memory_free(request->memory, gltf.node_numbers);
  memory_free(request->memory, gltf.is_joint);
  return is_good;
}

const Loader GLTF_LOADER = {.name = "gltf", .extensions = {"gltf", "glb"}, .matches = matches, .load = load};
