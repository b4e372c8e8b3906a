#ifndef PALFREY_ENGINE_ASSETS_H
#define PALFREY_ENGINE_ASSETS_H
// Models and textures by path: loaded once, however many nodes show them, counted. They change only as a whole, when
// their file did (assets_reload): whoever holds one goes on with the new content. What nobody uses any more stays ready
// until assets_trim, when a world goes. Everything here happens on the main thread, except what preloading reads and decodes.
#include "engine/bvh.h"
#include "engine/render.h"
#include "files.h"
#include "loaders/loader.h"

typedef struct Assets Assets;

typedef struct TextureAsset {
  char *path;
  Texture *texture;
  int use_count;
  bool is_kept;  ///< loaded ahead, or shown by the overlay: stays without users
} TextureAsset;

/// Which vertex frames of a model are wanted: `count` 0 for all.
typedef struct FrameSelection {
  const int *frames;
  int count;
} FrameSelection;

/// How far deformed meshes reach, without looking at each vertex.
typedef struct DeformBounds {
  Bounds **joints;    ///< for each mesh with joints: the box at the bind pose of what each joint carries
  int *joint_counts;  ///< one a mesh
  Bounds *targets;    ///< for each morph target: how far it moves vertices; 0, 0, 0 is in it
} DeformBounds;

typedef struct ModelAsset {
  char *path;
  Model *model;
  GpuModel *gpu;
  TextureAsset **skins;  ///< one a material: the texture of its first stage, or NULL
  Texture **textures;    ///< the same, ready for drawing
  Bvh **bvhs;            ///< one a mesh, built at first need; vertex frames have none
  DeformBounds deform_bounds;
  Bounds
      rest_bounds;  ///< of the whole model, in its root's space: its first loaded frame, or where its nodes are at rest
  int *frames;      ///< the selection it was loaded with
  int frame_count;
  int use_count;
  bool is_kept;  ///< loaded ahead, or shown by the overlay: stays without users
} ModelAsset;

Assets *assets_create(Memory *memory, Files *files, Renderer *renderer, Error *error);
void assets_free(Assets *assets);

/// Who makes models of files of other kinds. It is asked on the main thread only.
typedef struct ModelMaker {
  bool (*handles)(void *user, const char *path);
  ModelFill *fill;
  void *user;
} ModelMaker;
void assets_set_maker(Assets *assets, ModelMaker maker);

/// Seconds that loading has taken so far.
double assets_loading_seconds(const Assets *assets);

/// Loads at need and counts one more user; give it back with assets_release_model.
ModelAsset *assets_acquire_model(Assets *assets, const char *path, FrameSelection frames, Error *error);
void assets_release_model(Assets *assets, ModelAsset *model);

TextureAsset *assets_acquire_texture(Assets *assets, const char *path, Error *error);
void assets_release_texture(Assets *assets, TextureAsset *texture);

/// The tree of a mesh for rays and collision, built now if it was not. NULL for vertex frames.
const Bvh *assets_get_bvh(Assets *assets, ModelAsset *model, int mesh, Error *error);

/// Frees what nobody uses and is not kept.
void assets_trim(Assets *assets);

// --- Changed files ---

/// Reads again what came from a file that changed: the texture of it, the models of it, those it is a companion of (the
/// MTL of an OBJ), and the images that materials name, also where there was none before. Each is replaced in place, and
/// `reloaded` says how many were; textures and models nobody uses are dropped. With an error everything is as before.
bool assets_reload(Assets *assets, const char *path, int *reloaded, Error *error);

/// Whether something that is used came from the file with that clean path.
bool assets_is_shown(const Assets *assets, const char *path);

/// Told of each model that was replaced, before the old content (all of `old` but its counts) is freed.
typedef void ModelChanged(void *user, ModelAsset *asset, const ModelAsset *old);
bool assets_add_listener(Assets *assets, ModelChanged *changed, void *user, Error *error);
void assets_remove_listener(Assets *assets, void *user);

/// Counts the times at which assets were replaced or freed: a DrawScene filled before the last one is not to be drawn.
int assets_revision(const Assets *assets);

/// After renderer_restore: puts everything onto the GPU again, models from memory, textures from their files. A texture
/// whose file is missing or broken by now becomes a pattern, with a warning.
bool assets_restore(Assets *assets, Error *error);

/// What all assets hold, in bytes.
typedef struct AssetBytes {
  size_t models, gpu, textures;
} AssetBytes;
AssetBytes assets_count_bytes(const Assets *assets);

// Preloading: the files are read and decoded by a thread and handed to the GPU by assets_finish_loads, one a call;
// or, with `now`, all of it is done at once. Errors are kept as texts, one a file.
typedef struct Preload Preload;
Preload *assets_preload(Assets *assets, const char *const *paths, int count, bool now, Error *error);
void assets_finish_loads(Assets *assets);
float preload_progress(const Preload *preload);
int preload_error_count(const Preload *preload);
const char *preload_error(const Preload *preload, int index);

/// The task is done with; loading goes on if it has not ended.
void preload_release(Assets *assets, Preload *preload);

#endif
