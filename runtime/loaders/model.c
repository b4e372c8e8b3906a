#include "loaders/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "hash.h"

static ModelTextureStage default_stage(void) {
  return (ModelTextureStage){
      .image = -1,
      .blend_color = {0, 0, 0, 0},
      .has_mipmaps = true,
      .uv_x = {1, 0},
      .uv_y = {0, 1},
  };
}

const char *model_image_path(const ModelImage *image) {
  return image->path ? image->path : image->name;
}

ModelMaterial model_default_material(void) {
  return (ModelMaterial){
      .name = "default",
      .ambient = {1, 1, 1, 1},
      .diffuse = {1, 1, 1, 1},
      .specular = {0, 0, 0, 1},
      .emissive = {0, 0, 0, 1},
      .stages = {default_stage(), default_stage()},
  };
}

ModelNode model_default_node(const char *name) {
  return (ModelNode){
      .name = name,
      .parent = -1,
      .mesh = -1,
      .skin = -1,
      .light = -1,
      .camera = -1,
      .rotation = QUAT_IDENTITY,
      .scale = {1, 1, 1},
      .matrix = AFFINE_IDENTITY,
      .geometry = AFFINE_IDENTITY,
      .alpha = 1,
      .scope = UINT32_MAX,
  };
}

static bool has_warning(const Model *model, const char *text) {
  for (int i = 0; i < model->warning_count; i++) {
    if (strcmp(model->warnings[i], text) == 0) return true;
  }
  return false;
}

void model_warn(Model *model, const char *format, ...) {
  if (model->warning_count >= MODEL_MAX_WARNINGS) return;
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (has_warning(model, text)) return;
  // A warning for which there is no memory is not worth failing for.
  if (!model->warnings) model->warnings = arena_alloc_array(&model->arena, MODEL_MAX_WARNINGS, sizeof(char *));
  char *copy = model->warnings ? arena_copy_string(&model->arena, text, strlen(text)) : NULL;
  if (copy) model->warnings[model->warning_count++] = copy;
}

void model_add_companion(Model *model, const char *path, const Bytes *content) {
  for (const ModelCompanion *known = model->companions; known; known = known->next) {
    if (strcmp(known->path, path) == 0) return;
  }
  ModelCompanion *companion = arena_alloc(&model->arena, sizeof *companion);
  char *copy = companion ? arena_copy_string(&model->arena, path, strlen(path)) : NULL;
  if (!copy) return;
  *companion = (ModelCompanion){copy, content ? hash_bytes(*content) : 0, !content, model->companions};
  model->companions = companion;
}

int model_find_clip(const Model *model, const char *name) {
  for (int i = 0; i < model->clip_count; i++) {
    if (strcmp(model->clips[i].name, name) == 0) return i;
  }
  return -1;
}

size_t model_resident_bytes(const Model *model) {
  return sizeof *model + model->arena.bytes;
}

void model_free(Model *model) {
  if (!model) return;
  Memory *memory = model->arena.memory;
  arena_free(&model->arena);
  memory_free(memory, model);
}
