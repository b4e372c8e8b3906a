// Images and materials. The metallic-roughness model becomes the one there is here: diffuse is the base colour; specular is
// the reflection straight on, 0.04 for what is no metal and the base colour for metal, less by the roughness; the exponent
// follows from the roughness (B. Karis, "Specular BRDF Reference", 2013: 2 / roughness^4 - 2).
#include <string.h>

#include "loaders/gltf/gltf.h"

float gltf_to_display(float linear) {
  if (!(linear > 0)) return 0;
  if (linear >= 1) return 1;
  return linear <= 0.0031308f ? 12.92f * linear : 1.055f * (float)vmath_pow(linear, 1 / 2.4) - 0.055f;
}

static void make_display(GltfDisplay *display) {
  display->is_made = true;
  display->least[0] = 0;
  display->least[256] = INFINITY;
  for (int i = 1; i < 256; i++) {
    double shown = (i - 0.5) / 255;
    display->least[i] = (float)(shown <= 0.04045 ? shown / 12.92 : vmath_pow((shown + 0.055) / 1.055, 2.4));
  }
  for (int i = 0, byte = 0; i < 1024; i++) {
    while (display->least[byte + 1] <= (float)i / 1024)
      byte++;
    display->first[i] = (uint8_t)byte;
  }
}

void gltf_to_display_bytes(Gltf *gltf, const float *colors, int count, uint8_t *bytes) {
  GltfDisplay *display = &gltf->display;
  if (!display->is_made) make_display(display);
  for (size_t i = 0; i < 4 * (size_t)count; i++) {
    float value = clampf(colors[i], 0, 1);
    if (i % 4 == 3) {
      bytes[i] = (uint8_t)(value * 255 + 0.5f);
      continue;
    }
    int byte = display->first[value < 1 ? (int)(value * 1024) : 1023];
    while (value >= display->least[byte + 1])
      byte++;
    bytes[i] = (uint8_t)byte;
  }
}

static Color display_color(const float *linear, float alpha) {
  return (Color){gltf_to_display(linear[0]), gltf_to_display(linear[1]), gltf_to_display(linear[2]), alpha};
}

// ---- Images

static bool embed_view(Gltf *gltf, int view_index, ModelImage *image) {
  GltfView view;
  if (!gltf_view(gltf, view_index, &view)) return false;
  image->embedded = (Bytes){(uint8_t *)(uintptr_t)view.data, view.size};
  gltf_keep(gltf, view.buffer);
  return true;
}

// The picture itself is read later, by its name. Where percent signs leave open which file is meant, the one that is there.
static bool choose_spelling(Gltf *gltf, const char *uri, char path[COMPANION_MAX_PATH]) {
  const LoadRequest *request = gltf->request;
  char raw[COMPANION_MAX_PATH];
  Bytes bytes;
  Error missing = {0};
  if (!request->read || !gltf_raw_uri(uri, path, raw)) return true;
  if (request->read(request->read_user, path, &bytes, &missing)) {
    memory_free(request->memory, bytes.data);
    return true;
  }
  if (!missing.is_out_of_memory && request->read(request->read_user, raw, &bytes, &missing)) {
    memory_free(request->memory, bytes.data);
    memcpy(path, raw, COMPANION_MAX_PATH);
  }
  return !missing.is_out_of_memory || error_set_out_of_memory(gltf->error);
}

static bool add_image(Gltf *gltf, int index, ModelImage *image) {
  GltfPlace place = gltf_place(GLTF_IMAGES, index);
  const cJSON *object = gltf->tables[GLTF_IMAGES].items[index];
  Arena *arena = &gltf->model->arena;
  const char *uri = NULL;
  char path[COMPANION_MAX_PATH];
  int view = -1;
  if (!gltf_get_text(gltf, place, object, "uri", &uri) ||
      !gltf_get_index(gltf, place, object, "bufferView", GLTF_VIEWS, &view))
    return false;
  if (!uri && view < 0) return gltf_fail(gltf, place, "it has neither \"uri\" nor \"bufferView\"");
  if (!uri) return embed_view(gltf, view, image);
  if (!gltf_decode_data_uri(gltf, place, uri, &image->embedded)) return false;
  if (image->embedded.data) {
    if (arena_adopt(arena, image->embedded.data, image->embedded.size)) return true;
    memory_free(gltf->request->memory, image->embedded.data);
    return error_set_out_of_memory(gltf->error);
  }
  if (!gltf_clean_uri(gltf, place, uri, path) || !choose_spelling(gltf, uri, path)) return false;
  image->name = text_copy_utf8(arena, path, strlen(path));
  return image->name || error_set_out_of_memory(gltf->error);
}

bool gltf_add_images(Gltf *gltf) {
  Model *model = gltf->model;
  int count = gltf->tables[GLTF_IMAGES].count;
  model->images = arena_alloc_array(&model->arena, (size_t)count, sizeof *model->images);
  if (!model->images) return error_set_out_of_memory(gltf->error);
  for (int i = 0; i < count; i++) {
    if (!add_image(gltf, i, &model->images[i])) return false;
    model->image_count++;
  }
  return true;
}

// ---- Textures

static bool wrap_of(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, TextureWrap *wrap) {
  int64_t value = 10497;
  if (!gltf_get_integer(gltf, place, object, key, 0, 65535, &value)) return false;
  *wrap = value == 33071 ? WRAP_CLAMP : value == 33648 ? WRAP_MIRROR : WRAP_REPEAT;
  return value == 33071 || value == 33648 || value == 10497 ||
         gltf_fail(gltf, place, "\"%s\" %lld is unknown", key, (long long)value);
}

static bool apply_sampler(Gltf *gltf, int index, ModelTextureStage *stage) {
  GltfPlace place = gltf_place(GLTF_SAMPLERS, index);
  const cJSON *object = gltf->tables[GLTF_SAMPLERS].items[index];
  int64_t larger = 9729, smaller = 9987;
  if (!wrap_of(gltf, place, object, "wrapS", &stage->wrap_u) ||
      !wrap_of(gltf, place, object, "wrapT", &stage->wrap_v) ||
      !gltf_get_integer(gltf, place, object, "magFilter", 9728, 9729, &larger) ||
      !gltf_get_integer(gltf, place, object, "minFilter", 9728, 9987, &smaller))
    return false;
  stage->filter = larger == 9728 ? FILTER_NEAREST : FILTER_SMOOTH;
  stage->has_mipmaps = smaller >= 9984;
  return true;
}

// Scale first, then the turn, counter-clockwise as seen with v downwards, then the offset (KHR_texture_transform).
static bool apply_transform(Gltf *gltf, GltfPlace place, const cJSON *transform, ModelTextureStage *stage,
                            int64_t *set) {
  float offset[2] = {0, 0}, scale[2] = {1, 1}, angle = 0;
  if (!transform) return true;
  if (!gltf_get_numbers(gltf, place, transform, "offset", 2, offset) ||
      !gltf_get_numbers(gltf, place, transform, "scale", 2, scale) ||
      !gltf_get_number(gltf, place, transform, "rotation", &angle) ||
      !gltf_get_integer(gltf, place, transform, "texCoord", 0, 255, set))
    return false;
  float c = (float)vmath_cos(angle), s = (float)vmath_sin(angle);
  stage->uv_x[0] = c * scale[0];
  stage->uv_y[0] = s * scale[1];
  stage->uv_x[1] = -s * scale[0];
  stage->uv_y[1] = c * scale[1];
  memcpy(stage->uv_offset, offset, sizeof offset);
  return true;
}

static bool read_texture(Gltf *gltf, GltfPlace place, const cJSON *parent, const char *key, int material) {
  ModelTextureStage *stage = &gltf->model->materials[material].stages[0];
  const cJSON *info = NULL, *transform = NULL;
  int texture = -1, sampler = -1;
  int64_t set = 0;
  if (!gltf_get_object(gltf, place, parent, key, &info)) return false;
  if (!info) return true;
  *stage = model_default_material().stages[0];
  if (!gltf_get_index(gltf, place, info, "index", GLTF_TEXTURES, &texture) ||
      !gltf_get_integer(gltf, place, info, "texCoord", 0, 255, &set) ||
      !gltf_get_extension(gltf, place, info, "KHR_texture_transform", &transform) ||
      !apply_transform(gltf, place, transform, stage, &set))
    return false;
  if (texture < 0) return gltf_fail(gltf, place, "\"%s\" names no texture", key);
  const cJSON *object = gltf->tables[GLTF_TEXTURES].items[texture];
  place = gltf_place(GLTF_TEXTURES, texture);
  if (!gltf_get_index(gltf, place, object, "source", GLTF_IMAGES, &stage->image) ||
      !gltf_get_index(gltf, place, object, "sampler", GLTF_SAMPLERS, &sampler))
    return false;
  if (stage->image < 0)
    model_warn(gltf->model, "textures[%d]: its picture is of a kind that is not supported", texture);
  gltf->uv_sets[material] = (int)set;
  return sampler < 0 || apply_sampler(gltf, sampler, stage);
}

// ---- Materials

typedef struct Surface {
  float base[4], specular[3], roughness;
} Surface;

static bool read_metallic(Gltf *gltf, GltfPlace place, const cJSON *object, int material, Surface *surface) {
  const cJSON *pbr = NULL;
  float metallic = 1;
  if (!gltf_get_object(gltf, place, object, "pbrMetallicRoughness", &pbr) ||
      !gltf_get_numbers(gltf, place, pbr, "baseColorFactor", 4, surface->base) ||
      !gltf_get_number(gltf, place, pbr, "metallicFactor", &metallic) ||
      !gltf_get_number(gltf, place, pbr, "roughnessFactor", &surface->roughness) ||
      !read_texture(gltf, place, pbr, "baseColorTexture", material))
    return false;
  metallic = clampf(metallic, 0, 1);
  for (int i = 0; i < 3; i++)
    surface->specular[i] = lerpf(0.04f, clampf(surface->base[i], 0, 1), metallic);
  return true;
}

// An older extension in which both colours are given.
static bool read_specular(Gltf *gltf, GltfPlace place, const cJSON *object, int material, Surface *surface) {
  const cJSON *extension;
  float glossiness = 1;
  if (!gltf_get_extension(gltf, place, object, "KHR_materials_pbrSpecularGlossiness", &extension)) return false;
  if (!extension) return true;
  memcpy(surface->base, (const float[]){1, 1, 1, 1}, sizeof surface->base);
  memcpy(surface->specular, (const float[]){1, 1, 1}, sizeof surface->specular);
  bool is_good = gltf_get_numbers(gltf, place, extension, "diffuseFactor", 4, surface->base) &&
                 gltf_get_numbers(gltf, place, extension, "specularFactor", 3, surface->specular) &&
                 gltf_get_number(gltf, place, extension, "glossinessFactor", &glossiness) &&
                 read_texture(gltf, place, extension, "diffuseTexture", material);
  surface->roughness = 1 - glossiness;
  return is_good;
}

static bool read_emission(Gltf *gltf, GltfPlace place, const cJSON *object, ModelMaterial *material) {
  float emissive[3] = {0, 0, 0}, strength = 1;
  const cJSON *extension;
  if (!gltf_get_numbers(gltf, place, object, "emissiveFactor", 3, emissive) ||
      !gltf_get_extension(gltf, place, object, "KHR_materials_emissive_strength", &extension) ||
      !gltf_get_number(gltf, place, extension, "emissiveStrength", &strength))
    return false;
  // The factor says how strongly a picture shines, which is mostly black: without it nothing shines.
  if (cJSON_GetObjectItemCaseSensitive(object, "emissiveTexture")) strength = 0;
  for (int i = 0; i < 3; i++)
    emissive[i] *= strength;
  material->emissive = display_color(emissive, 1);
  return true;
}

static bool read_modes(Gltf *gltf, GltfPlace place, const cJSON *object, ModelMaterial *material) {
  const char *mode = "OPAQUE";
  float cutoff = 0.5f;
  bool is_two_sided = false;
  const cJSON *unlit;
  if (!gltf_get_text(gltf, place, object, "alphaMode", &mode) ||
      !gltf_get_number(gltf, place, object, "alphaCutoff", &cutoff) ||
      !gltf_get_bool(gltf, place, object, "doubleSided", &is_two_sided) ||
      !gltf_get_extension(gltf, place, object, "KHR_materials_unlit", &unlit))
    return false;
  material->is_unlit = unlit != NULL;
  if (is_two_sided) {
    material->cull = CULL_NONE;
    material->is_two_sided_lit = true;
  }
  if (strcmp(mode, "BLEND") == 0) {
    material->blend = BLEND_ALPHA;
  } else if (strcmp(mode, "MASK") == 0) {
    material->alpha_threshold = clampf(cutoff, 0, 1);
  } else if (strcmp(mode, "OPAQUE") == 0) {
    material->diffuse.a = 1;
  } else {
    return gltf_fail(gltf, place, "\"alphaMode\" %.20s is unknown", mode);
  }
  return true;
}

// Pictures of what a material has besides its colour.
static void warn_of_maps(Gltf *gltf, const cJSON *object) {
  static const struct {
    const char *parent, *key, *severity;
  } MAPS[] = {
      {NULL, "normalTexture", "note: "},
      {NULL, "occlusionTexture", "note: "},
      {"pbrMetallicRoughness", "metallicRoughnessTexture", "note: "},
      {NULL, "emissiveTexture", ""},
  };
  for (size_t i = 0; i < sizeof MAPS / sizeof *MAPS; i++) {
    const cJSON *parent = MAPS[i].parent ? cJSON_GetObjectItemCaseSensitive(object, MAPS[i].parent) : object;
    if (parent && cJSON_GetObjectItemCaseSensitive(parent, MAPS[i].key))
      model_warn(gltf->model, "%spictures of %s are not drawn", MAPS[i].severity, MAPS[i].key);
  }
}

static bool add_material(Gltf *gltf, int index) {
  GltfPlace place = gltf_place(GLTF_MATERIALS, index);
  const cJSON *object = gltf->tables[GLTF_MATERIALS].items[index];
  ModelMaterial *material = &gltf->model->materials[index];
  Surface surface = {.base = {1, 1, 1, 1}, .roughness = 1};
  *material = model_default_material();
  material->name = gltf_name(gltf, place, object, "material");
  gltf->uv_sets[index] = -1;
  if (!material->name || !read_metallic(gltf, place, object, index, &surface) ||
      !read_specular(gltf, place, object, index, &surface) || !read_emission(gltf, place, object, material))
    return false;
  float roughness = clampf(surface.roughness, 0, 1), alpha = fmaxf(roughness * roughness, 0.045f);
  for (int i = 0; i < 3; i++)
    surface.specular[i] *= 1 - roughness;
  material->diffuse = display_color(surface.base, clampf(surface.base[3], 0, 1));
  material->ambient = (Color){material->diffuse.r, material->diffuse.g, material->diffuse.b, 1};
  material->specular = display_color(surface.specular, 1);
  material->shininess = fmaxf(2 / (alpha * alpha) - 2, 0);
  warn_of_maps(gltf, object);
  return read_modes(gltf, place, object, material);
}

bool gltf_add_materials(Gltf *gltf) {
  Model *model = gltf->model;
  int count = gltf->tables[GLTF_MATERIALS].count;
  // One more than the file has, for gltf_default_material.
  model->materials = arena_alloc_array(&model->arena, (size_t)count + 1, sizeof *model->materials);
  gltf->uv_sets = memory_alloc_array(gltf->request->memory, (size_t)count + 1, sizeof *gltf->uv_sets);
  if (!model->materials || !gltf->uv_sets) return error_set_out_of_memory(gltf->error);
  for (int i = 0; i < count; i++) {
    if (!add_material(gltf, i)) return false;
    model->material_count++;
  }
  return true;
}

int gltf_default_material(Gltf *gltf) {
  Model *model = gltf->model;
  if (gltf->default_material < 0) {
    gltf->default_material = model->material_count;
    model->materials[model->material_count] = model_default_material();
    model->materials[model->material_count].name = "default";
    gltf->uv_sets[model->material_count++] = -1;
  }
  return gltf->default_material;
}
