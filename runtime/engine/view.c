#include "engine/view.h"

#include <string.h>

#include "engine/frustum.h"
#include "engine/shaders.h"

// --- What a part is drawn with ---

static const ModelMaterial DEFAULT_MATERIAL = {
    .name = "default",
    .ambient = {1, 1, 1, 1},
    .diffuse = {1, 1, 1, 1},
    .specular = {0, 0, 0, 1},
    .emissive = {0, 0, 0, 1},
    .stages = {{.image = -1, .uv_x = {1, 0}, .uv_y = {0, 1}}, {.image = -1, .uv_x = {1, 0}, .uv_y = {0, 1}}},
};

const ModelMaterial *view_material(const GpuModel *model, int material) {
  return material >= 0 ? &model->model->materials[material] : &DEFAULT_MATERIAL;
}

const GpuShape *view_shape(const DrawScene *scene, const DrawItem *item) {
  const GpuMesh *mesh = &item->model->meshes[item->mesh];
  return scene->mode == VIEW_FLAT ? &mesh->flat : &mesh->smooth;
}

Texture *view_texture(const DrawItem *item, int material) {
  if (item->skin) return item->skin;
  return material >= 0 && item->textures ? item->textures[material] : NULL;
}

bool view_is_blended(uint32_t features) {
  return features & SHADER_BLENDED;
}

static bool has_specular(const ModelMaterial *material) {
  return material->specular.r > 0 || material->specular.g > 0 || material->specular.b > 0;
}

static uint32_t blend_features(const ModelMaterial *material, const Texture *texture, bool has_colors) {
  if (material->blend != BLEND_REPLACE && material->blend != BLEND_ALPHA) return SHADER_BLENDED;
  uint32_t test = material->alpha_threshold > 0 ? SHADER_ALPHA_TEST : 0;
  if (material->diffuse.a < 1) return SHADER_BLENDED | test;
  if (material->blend == BLEND_REPLACE) return test;
  TextureAlpha alpha = texture ? texture->alpha : TEXTURE_OPAQUE;
  if (has_colors || alpha == TEXTURE_TRANSLUCENT) return SHADER_BLENDED | test;
  // What is either there or not needs no order from back to front.
  return alpha == TEXTURE_CUTOUT ? SHADER_ALPHA_TEST : test;
}

static uint32_t light_features(const VisibleItem *visible) {
  return (uint32_t)visible->light_count << SHADER_LIGHT_SHIFT | (visible->has_local_lights ? SHADER_LOCAL_LIGHTS : 0u);
}

static uint32_t textured_features(const DrawScene *scene, const DrawItem *item, const VisibleItem *visible,
                                  const ModelMaterial *material, const Texture *texture) {
  const ModelMesh *mesh = item->model->meshes[item->mesh].mesh;
  bool has_colors = mesh->colors && (material->is_unlit || material->tracks_vertex_color);
  if (!mesh->uvs) texture = NULL;
  uint32_t features = blend_features(material, texture, has_colors);
  if (has_colors) features |= SHADER_COLORS;
  if (texture) features |= SHADER_TEXTURE;
  if (scene->fog.mode == FOG_LINEAR) features |= SHADER_FOG_LINEAR;
  if (scene->fog.mode == FOG_EXPONENTIAL) features |= SHADER_FOG_EXPONENTIAL;
  if (material->is_unlit) return features | SHADER_UNLIT;
  if (visible->light_count > 0 && has_specular(material)) features |= SHADER_SPECULAR;
  if (visible->light_count > 0 && material->is_two_sided_lit) features |= SHADER_TWO_SIDED;
  return features | light_features(visible);
}

static uint32_t part_features(const DrawScene *scene, const DrawItem *item, const VisibleItem *visible,
                              const ModelMaterial *material, const Texture *texture) {
  uint32_t frames = item->model->meshes[item->mesh].mesh->frames.frame_count > 0 ? SHADER_FRAMES : 0;
  switch (scene->mode) {
    case VIEW_SHADED:
      return frames | light_features(visible) |
             (visible->light_count > 0 && material->is_two_sided_lit ? SHADER_TWO_SIDED : 0u);
    case VIEW_FLAT:
      return frames | 1u << SHADER_LIGHT_SHIFT;
    case VIEW_WIRE:
      return frames | SHADER_UNLIT;
    default:
      return frames | textured_features(scene, item, visible, material, texture);
  }
}

// --- Culling ---

bool view_sees(const View *view, Bounds bounds) {
  Vec3 center = bounds_center(bounds), half = bounds_half_size(bounds);
  for (int i = 0; i < 6; i++) {
    const float *p = view->planes[i];
    float distance = p[0] * center.x + p[1] * center.y + p[2] * center.z + p[3];
    float reach = fabsf(p[0]) * half.x + fabsf(p[1]) * half.y + fabsf(p[2]) * half.z;
    if (distance < -reach) return false;
  }
  return !bounds_is_empty(bounds);
}

// --- Sorting ---

// The bits of a float of 0 or more, whose order as a number is that of the floats.
static uint32_t ordered_bits(float value) {
  uint32_t bits;
  value = value > 0 ? value : 0;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// From the top: layer (8 bits), blended (1); then opaque: program (14), texture (14), mesh (12), depth (15);
// blended: depth, the farthest first (32), and the rest of no matter. Serials are cut to their bits: two that fall
// together are only not told apart.
static uint64_t sort_key(const ModelMaterial *material, uint32_t features, const Texture *texture, uint32_t mesh_serial,
                         float depth) {
  uint64_t layer = (uint64_t)(uint8_t)(material->layer + 128), is_blended = view_is_blended(features);
  uint64_t key = layer << 56 | is_blended << 55;
  if (is_blended) return key | (uint64_t)~ordered_bits(depth) << 23;
  uint64_t texture_serial = texture ? texture->serial & 0x3fff : 0;
  return key | (uint64_t)features << 41 | texture_serial << 27 | (uint64_t)(mesh_serial & 0xfff) << 15 |
         (ordered_bits(depth) >> 17 & 0x7fff);
}

static bool comes_before(const DrawCommand *a, const DrawCommand *b) {
  if (a->key != b->key) return a->key < b->key;
  return a->id != b->id ? a->id < b->id : a->part < b->part;
}

static void merge(const DrawCommand *source, DrawCommand *target, int start, int middle, int end) {
  int left = start, right = middle;
  for (int i = start; i < end; i++) {
    bool takes_left = left < middle && (right >= end || !comes_before(&source[right], &source[left]));
    target[i] = source[takes_left ? left++ : right++];
  }
}

static void sort_runs(DrawCommand *commands, int count, int run) {
  for (int start = 0; start < count; start += run) {
    int end = start + run < count ? start + run : count;
    for (int i = start + 1; i < end; i++) {
      DrawCommand command = commands[i];
      int place = i;
      for (; place > start && comes_before(&command, &commands[place - 1]); place--)
        commands[place] = commands[place - 1];
      commands[place] = command;
    }
  }
}

// Merge sort from short runs upwards: stable, without allocation.
static bool sort_commands(View *view, Error *error) {
  enum { RUN = 8 };
  int count = view->commands.count;
  if (!array_reserve(view->memory, &view->scratch, count)) return error_set_out_of_memory(error);
  DrawCommand *source = view->commands.items, *target = view->scratch.items;
  sort_runs(source, count, RUN);
  for (int run = RUN; run < count; run *= 2) {
    for (int start = 0; start < count; start += 2 * run) {
      int middle = start + run < count ? start + run : count;
      int end = middle + run < count ? middle + run : count;
      merge(source, target, start, middle, end);
    }
    DrawCommand *swap = source;
    source = target;
    target = swap;
  }
  if (source != view->commands.items) memcpy(view->commands.items, source, (size_t)count * sizeof *source);
  return true;
}

// --- Building ---

static bool need_shape(const DrawScene *scene, const DrawItem *item, Error *error) {
  if (scene->mode == VIEW_FLAT) return gpu_model_need_flat(item->model, item->mesh, error);
  if (scene->mode == VIEW_WIRE) return gpu_model_need_lines(item->model, item->mesh, error);
  return true;
}

static bool add_parts(View *view, const DrawScene *scene, const DrawItem *item, Error *error) {
  const GpuShape *shape = view_shape(scene, item);
  const VisibleItem *visible = &view->visible.items[view->visible.count - 1];
  uint32_t mesh_serial = item->model->meshes[item->mesh].serial;
  if (!array_reserve(view->memory, &view->commands, shape->part_count)) return error_set_out_of_memory(error);
  for (int i = 0; i < shape->part_count; i++) {
    const GpuPart *part = &shape->parts[i];
    if (part->index_count == 0) continue;
    const ModelMaterial *material = view_material(item->model, part->material);
    const Texture *texture = view_texture(item, part->material);
    uint32_t features = part_features(scene, item, visible, material, texture);
    view->commands.items[view->commands.count++] = (DrawCommand){
        .key = sort_key(material, features, texture, mesh_serial, visible->depth),
        .id = item->id,
        .features = features,
        .part = i,
        .visible = view->visible.count - 1,
    };
  }
  return true;
}

static bool add_item(View *view, const DrawScene *scene, int index, Error *error) {
  const DrawItem *item = &scene->items[index];
  if (!need_shape(scene, item, error)) return false;
  VisibleItem visible = {.item = index};
  visible.depth = vec3_dot(vec3_sub(view->lens.eye, bounds_center(item->bounds)), view->lens.back);
  if (scene->mode == VIEW_TEXTURED || scene->mode == VIEW_SHADED) view_choose_lights(scene, item->bounds, &visible);
  if (!array_push(view->memory, &view->visible, visible)) return error_set_out_of_memory(error);
  return add_parts(view, scene, item, error);
}

bool view_build(View *view, const DrawScene *scene, int width, int height, Error *error) {
  view->visible.count = view->commands.count = view->culled_count = 0;
  if (!scene->has_camera) return true;
  view->lens = camera_lens(&scene->camera, width, height);
  camera_clip_rows(&view->lens, view->clip);
  frustum_find_planes(view->clip, view->planes);
  for (int i = 0; i < scene->item_count; i++) {
    if (!view_sees(view, scene->items[i].bounds)) {
      view->culled_count++;
    } else if (!add_item(view, scene, i, error)) {
      return false;
    }
  }
  return sort_commands(view, error);
}

void view_free(View *view) {
  array_free(view->memory, &view->visible);
  array_free(view->memory, &view->commands);
  array_free(view->memory, &view->scratch);
}
