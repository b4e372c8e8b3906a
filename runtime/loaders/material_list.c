#include "loaders/material_list.h"

#include <string.h>

#include "loaders/companion.h"

bool material_list_add_image(MaterialList *list, TextSlice written, int *image, bool *is_inside) {
  Arena *arena = &list->model->arena;
  char name[COMPANION_MAX_PATH], path[COMPANION_MAX_PATH];
  *image = -1;
  companion_clean_path(written.start, written.length, name);
  *is_inside = companion_clean_path_from(list->file ? list->file : "", written.start, written.length, path);
  if (!name[0] || !path[0]) return true;
  ModelImage named = {text_copy_utf8(arena, name, strlen(name)), text_copy_utf8(arena, path, strlen(path)), {0}};
  if (!named.name || !named.path) return false;
  *image = name_table_add(&list->image_paths, (TextSlice){named.path, strlen(named.path)});
  if (*image < 0) return false;
  if (strcmp(named.name, named.path) == 0) named.path = NULL;
  return *image < list->images.count || array_push(arena->memory, &list->images, named);
}

int material_list_add(MaterialList *list, ModelMaterial material) {
  return array_push(list->model->arena.memory, &list->materials, material) ? list->materials.count - 1 : -1;
}

bool material_list_move(MaterialList *list) {
  Model *model = list->model;
  size_t materials_size = (size_t)list->materials.count * sizeof *model->materials;
  size_t images_size = (size_t)list->images.count * sizeof *model->images;
  model->materials = arena_alloc(&model->arena, materials_size);
  model->images = arena_alloc(&model->arena, images_size);
  if (!model->materials || !model->images) return false;
  if (materials_size) memcpy(model->materials, list->materials.items, materials_size);
  if (images_size) memcpy(model->images, list->images.items, images_size);
  model->material_count = list->materials.count;
  model->image_count = list->images.count;
  return true;
}

void material_list_free(MaterialList *list) {
  Memory *memory = list->model->arena.memory;
  array_free(memory, &list->materials);
  array_free(memory, &list->images);
  name_table_free(&list->image_paths);
}

// With a = angle and everything about the middle m = 0.5, in the file's axes (u, w), w = 1 - v:
//   u' = su * (m + (u - m) cos a - (w - m) sin a) + ou,  w' = sw * (m + (u - m) sin a + (w - m) cos a) + ow,  v' = 1 - w'.
void texture_stage_place(ModelTextureStage *stage, const MapPlacement *placement) {
  float su = placement->scale[0], sw = placement->scale[1], ou = placement->offset[0], ow = placement->offset[1];
  float c = (float)vmath_cos(placement->angle), s = (float)vmath_sin(placement->angle);
  stage->uv_x[0] = su * c;
  stage->uv_y[0] = su * s;
  stage->uv_offset[0] = su * (0.5f - 0.5f * c - 0.5f * s) + ou;
  stage->uv_x[1] = -sw * s;
  stage->uv_y[1] = sw * c;
  stage->uv_offset[1] = 1 - sw * (0.5f - 0.5f * s + 0.5f * c) - ow;
}

float shininess_from_percentage(float glossiness) {
  return glossiness > 0 ? (float)vmath_pow(2, 10.0 * (glossiness < 1 ? glossiness : 1)) : 0;
}
