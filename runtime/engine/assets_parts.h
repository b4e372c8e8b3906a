#ifndef PALFREY_ENGINE_ASSETS_PARTS_H
#define PALFREY_ENGINE_ASSETS_PARTS_H
// What the files that make up assets.h share.
#include "array.h"
#include "engine/assets.h"
#include "engine/preload.h"

typedef struct ModelListener {
  ModelChanged *changed;
  void *user;
} ModelListener;

struct Assets {
  Memory *memory;
  Files *files;
  Renderer *renderer;
  ARRAY(ModelAsset *) models;
  ARRAY(TextureAsset *) textures;
  ARRAY(ModelListener) listeners;
  Preloader *preloader;
  ModelMaker maker;
  double loading_seconds;
  int revision;
};

bool assets_read_image(Assets *assets, const char *path, Image *image, Error *error);
Model *assets_read_model(Assets *assets, const char *path, FrameSelection frames, Error *error);

/// The same for formats that are read here, on any thread.
Model *assets_read_own_model(Assets *assets, const char *path, FrameSelection frames, Error *error);

/// Whether someone else makes models of such files.
bool assets_is_foreign(const Assets *assets, const char *path);

/// A model that is ready but not in the cache. Takes over the model.
ModelAsset *assets_make_model(Assets *assets, const char *path, FrameSelection frames, Model *model, Error *error);

void assets_free_model(Assets *assets, ModelAsset *asset);
void assets_free_texture(Assets *assets, TextureAsset *asset);

/// Frees what nobody uses and is not kept; with a clean path, only what came from that file.
void assets_drop_unused(Assets *assets, const char *path);

TextureAsset *assets_find_texture(const Assets *assets, const char *path);

/// The file of a material's texture, by what the model names or by the model's own name; false when there is none, or when
/// the image is inside the model.
bool assets_find_image(Assets *assets, const ModelAsset *asset, int material, char found[FILES_MAX_PATH]);

/// The cache's path of an image inside a model.
void assets_embedded_path(const ModelAsset *asset, const ModelImage *image, char path[FILES_MAX_PATH]);

#endif
