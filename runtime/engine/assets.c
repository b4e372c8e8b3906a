#include "engine/assets.h"

#include <stdio.h>
#include <string.h>

#include "engine/assets_parts.h"
#include "engine/model_cache.h"
#include "engine/skin_path.h"
#include "hash.h"
#include "loaders/loader.h"
#include "loaders/model_bounds.h"
#include "log.h"
#include "platform.h"
#include "skin/deform.h"

Assets *assets_create(Memory *memory, Files *files, Renderer *renderer, Error *error) {
  Assets *assets = memory_alloc(memory, sizeof *assets);
  if (!assets) {
    error_set_out_of_memory(error);
    return NULL;
  }
  *assets = (Assets){.memory = memory, .files = files, .renderer = renderer};
  return assets;
}

void assets_free_texture(Assets *assets, TextureAsset *asset) {
  if (asset->texture) renderer_free_texture(assets->renderer, asset->texture);
  memory_free(assets->memory, asset->path);
  memory_free(assets->memory, asset);
}

void assets_free_model(Assets *assets, ModelAsset *asset) {
  Memory *memory = assets->memory;
  int material_count = asset->model ? asset->model->material_count : 0;
  int mesh_count = asset->model ? asset->model->mesh_count : 0;
  for (int i = 0; asset->skins && i < material_count; i++) {
    if (asset->skins[i]) assets_release_texture(assets, asset->skins[i]);
  }
  for (int i = 0; asset->bvhs && i < mesh_count; i++)
    bvh_free(memory, asset->bvhs[i]);
  for (int i = 0; asset->deform_bounds.joints && i < mesh_count; i++)
    memory_free(memory, asset->deform_bounds.joints[i]);
  memory_free(memory, asset->deform_bounds.joints);
  memory_free(memory, asset->deform_bounds.joint_counts);
  memory_free(memory, asset->deform_bounds.targets);
  if (asset->gpu) renderer_free_model(assets->renderer, asset->gpu);
  model_free(asset->model);
  memory_free(memory, asset->skins);
  memory_free(memory, asset->textures);
  memory_free(memory, asset->bvhs);
  memory_free(memory, asset->frames);
  memory_free(memory, asset->path);
  memory_free(memory, asset);
}

static void drop_job(void *user, PreloadJob *job);

void assets_free(Assets *assets) {
  if (!assets) return;
  preloader_free(assets->preloader, drop_job);
  for (int i = 0; i < assets->models.count; i++)
    assets_free_model(assets, assets->models.items[i]);
  for (int i = 0; i < assets->textures.count; i++)
    assets_free_texture(assets, assets->textures.items[i]);
  array_free(assets->memory, &assets->models);
  array_free(assets->memory, &assets->textures);
  array_free(assets->memory, &assets->listeners);
  memory_free(assets->memory, assets);
}

// --- Textures ---

TextureAsset *assets_find_texture(const Assets *assets, const char *path) {
  for (int i = 0; i < assets->textures.count; i++) {
    if (strcmp(assets->textures.items[i]->path, path) == 0) return assets->textures.items[i];
  }
  return NULL;
}

bool assets_read_image(Assets *assets, const char *path, Image *image, Error *error) {
  Bytes bytes;
  if (!files_read(assets->files, path, &bytes, error)) return false;
  bool is_loaded = image_load(assets->memory, path, bytes, image, error);
  memory_free(assets->memory, bytes.data);
  return is_loaded;
}

// Takes over nothing: the image stays the caller's.
static TextureAsset *add_texture(Assets *assets, const char *path, const Image *image, Error *error) {
  TextureAsset *asset = memory_alloc(assets->memory, sizeof *asset);
  if (!asset) {
    error_set_out_of_memory(error);
    return NULL;
  }
  asset->path = memory_copy_string(assets->memory, path);
  if (!asset->path || !array_reserve(assets->memory, &assets->textures, 1))
    error_set_out_of_memory(error);
  else
    asset->texture = renderer_upload_image(assets->renderer, image, error);
  if (!asset->texture) {
    assets_free_texture(assets, asset);
    return NULL;
  }
  array_push(assets->memory, &assets->textures, asset);
  return asset;
}

void assets_set_maker(Assets *assets, ModelMaker maker) {
  assets->maker = maker;
}

bool assets_is_foreign(const Assets *assets, const char *path) {
  return assets->maker.handles && assets->maker.handles(assets->maker.user, path);
}

double assets_loading_seconds(const Assets *assets) {
  return assets->loading_seconds;
}

TextureAsset *assets_acquire_texture(Assets *assets, const char *path, Error *error) {
  char clean[FILES_MAX_PATH];
  if (!files_clean_path(path, clean, error)) return NULL;
  TextureAsset *asset = assets_find_texture(assets, clean);
  if (!asset) {
    Image image = {0};
    double start = platform_seconds();
    if (assets_read_image(assets, clean, &image, error)) asset = add_texture(assets, clean, &image, error);
    image_free(assets->memory, &image);
    assets->loading_seconds += platform_seconds() - start;
  }
  if (asset) asset->use_count++;
  return asset;
}

void assets_release_texture(Assets *assets, TextureAsset *texture) {
  (void)assets;
  if (texture) texture->use_count--;
}

// --- Models ---

typedef struct CompanionReader {
  Assets *assets;
  const char *model_path;
} CompanionReader;

static bool read_companion(void *user, const char *path, Bytes *bytes, Error *error) {
  CompanionReader *reader = user;
  char joined[FILES_MAX_PATH], found[FILES_MAX_PATH];
  if (!skin_path_join(reader->model_path, path, joined)) return error_set(error, "%s: the path is too long", path);
  const char *actual = files_find_any_case(reader->assets->files, joined, found) ? found : joined;
  return files_read(reader->assets->files, actual, bytes, error);
}

static bool has_selection(const ModelAsset *asset, FrameSelection frames) {
  return asset->frame_count == frames.count &&
         (frames.count == 0 || memcmp(asset->frames, frames.frames, (size_t)frames.count * sizeof(int)) == 0);
}

static ModelAsset *find_model(const Assets *assets, const char *path, FrameSelection frames) {
  for (int i = 0; i < assets->models.count; i++) {
    ModelAsset *asset = assets->models.items[i];
    if (strcmp(asset->path, path) == 0 && has_selection(asset, frames)) return asset;
  }
  return NULL;
}

void assets_embedded_path(const ModelAsset *asset, const ModelImage *image, char path[FILES_MAX_PATH]) {
  snprintf(path, FILES_MAX_PATH, "%s#%d", asset->path, (int)(image - asset->model->images));
}

static TextureAsset *embedded_texture(Assets *assets, const ModelAsset *asset, const ModelImage *image, Error *error) {
  char path[FILES_MAX_PATH];
  assets_embedded_path(asset, image, path);
  TextureAsset *texture = assets_find_texture(assets, path);
  Image decoded = {0};
  if (!texture && image_load(assets->memory, path, image->embedded, &decoded, error))
    texture = add_texture(assets, path, &decoded, error);
  image_free(assets->memory, &decoded);
  if (texture) texture->use_count++;
  return texture;
}

bool assets_find_image(Assets *assets, const ModelAsset *asset, int material, char found[FILES_MAX_PATH]) {
  const Model *model = asset->model;
  int index = model->materials[material].stages[0].image;
  if (index >= 0) {
    const ModelImage *image = &model->images[index];
    return !image->embedded.data && skin_path_find(assets->files, asset->path, model_image_path(image), found);
  }
  // A character model that names no skin is shown with the image of its own name, where there is one.
  bool is_character = model->mesh_count > 0 && model->meshes[0].frames.frame_count > 0;
  return is_character && skin_path_find_own(assets->files, asset->path, found);
}

// A texture that is missing or broken is a warning: the model is drawn without it. `error` is set where one was found but
// could not be loaded.
static TextureAsset *material_texture(Assets *assets, const ModelAsset *asset, int material, Error *error) {
  int index = asset->model->materials[material].stages[0].image;
  const ModelImage *image = index >= 0 ? &asset->model->images[index] : NULL;
  char found[FILES_MAX_PATH];
  TextureAsset *texture = NULL;
  if (image && image->embedded.data) {
    texture = embedded_texture(assets, asset, image, error);
  } else if (assets_find_image(assets, asset, material, found)) {
    texture = assets_acquire_texture(assets, found, error);
  } else {
    if (image) log_warning("%s: no image found for \"%s\"", asset->path, image->name ? image->name : "");
    return NULL;
  }
  if (!texture && !error->is_out_of_memory) log_warning("%s: %s", asset->path, error->text);
  return texture;
}

static bool measure_joints(Memory *memory, const ModelMesh *mesh, Bounds **bounds, int *count) {
  for (size_t i = 0; mesh->joints && i < 4 * (size_t)mesh->vertex_count; i++)
    *count = mesh->joints[i] >= *count ? mesh->joints[i] + 1 : *count;
  if (*count == 0) return true;
  *bounds = memory_alloc_array(memory, (size_t)*count, sizeof **bounds);
  if (!*bounds) return false;
  deform_joint_bounds(&(JointWeights){mesh->joints, mesh->weights, mesh->vertex_count}, mesh->positions, *count,
                      *bounds);
  return true;
}

static Bounds measure_target(const ModelMesh *mesh, const ModelMorphTarget *target) {
  Bounds way = {{0, 0, 0}, {0, 0, 0}};
  for (const float *p = target->positions; p < target->positions + 3 * (size_t)mesh->vertex_count; p += 3)
    way = bounds_add_point(way, vec3(p[0], p[1], p[2]));
  return way;
}

static bool measure_deformation(Memory *memory, const Model *model, DeformBounds *bounds, Error *error) {
  bounds->joints = memory_alloc_array(memory, (size_t)model->mesh_count, sizeof *bounds->joints);
  bounds->joint_counts = memory_alloc_array(memory, (size_t)model->mesh_count, sizeof *bounds->joint_counts);
  bounds->targets = memory_alloc_array(memory, (size_t)model->morph_target_count, sizeof *bounds->targets);
  if (!bounds->joints || !bounds->joint_counts || !bounds->targets) return error_set_out_of_memory(error);
  for (int i = 0; i < model->mesh_count; i++) {
    const ModelMesh *mesh = &model->meshes[i];
    if (!measure_joints(memory, mesh, &bounds->joints[i], &bounds->joint_counts[i]))
      return error_set_out_of_memory(error);
    for (int k = mesh->first_morph_target; k < mesh->first_morph_target + mesh->morph_target_count; k++)
      bounds->targets[k] = measure_target(mesh, &model->morph_targets[k]);
  }
  return true;
}

static bool finish_model(Assets *assets, ModelAsset *asset, Error *error) {
  const Model *model = asset->model;
  size_t materials = (size_t)model->material_count, meshes = (size_t)model->mesh_count;
  asset->skins = memory_alloc_array(assets->memory, materials, sizeof *asset->skins);
  asset->textures = memory_alloc_array(assets->memory, materials, sizeof *asset->textures);
  asset->bvhs = memory_alloc_array(assets->memory, meshes, sizeof *asset->bvhs);
  if (!asset->skins || !asset->textures || !asset->bvhs) return error_set_out_of_memory(error);
  if (!measure_deformation(assets->memory, model, &asset->deform_bounds, error)) return false;
  if (!model_rest_bounds(model, assets->memory, &asset->rest_bounds)) return error_set_out_of_memory(error);
  asset->gpu = renderer_upload_model(assets->renderer, model, error);
  if (!asset->gpu) return false;
  for (int i = 0; i < model->material_count; i++) {
    Error missing = {0};
    asset->skins[i] = material_texture(assets, asset, i, &missing);
    if (missing.is_out_of_memory) return error_set_out_of_memory(error);
    asset->textures[i] = asset->skins[i] ? asset->skins[i]->texture : NULL;
  }
  for (int i = 0; i < model->warning_count; i++) {
    bool is_note = strncmp(model->warnings[i], "note:", 5) == 0;
    if (!is_note) log_warning("%s: %s", asset->path, model->warnings[i]);
  }
  return true;
}

static LoadRequest make_request(CompanionReader *reader, FrameSelection frames) {
  return (LoadRequest){.memory = reader->assets->memory,
                       .path = reader->model_path,
                       .read = read_companion,
                       .read_user = reader,
                       .frames = frames.count ? frames.frames : NULL,
                       .frame_count = frames.count};
}

Model *assets_read_own_model(Assets *assets, const char *path, FrameSelection frames, Error *error) {
  Bytes file;
  if (!files_read(assets->files, path, &file, error)) return NULL;
  CompanionReader reader = {assets, path};
  LoadRequest request = make_request(&reader, frames);
  if (!model_cache_serves(file, path)) return model_load(&request, file, error);
  uint64_t hash = hash_bytes(file);
  Model *model = model_cache_load(assets->files, &request, hash);
  if (model) {
    memory_free(assets->memory, file.data);
    return model;
  }
  model = model_load(&request, file, error);
  if (model) model_cache_store(assets->files, &request, hash, model);
  return model;
}

Model *assets_read_model(Assets *assets, const char *path, FrameSelection frames, Error *error) {
  Bytes file;
  if (!assets_is_foreign(assets, path)) return assets_read_own_model(assets, path, frames, error);
  if (!files_read(assets->files, path, &file, error)) return NULL;
  CompanionReader reader = {assets, path};
  LoadRequest request = make_request(&reader, frames);
  return model_make(&request, file, "lua", assets->maker.fill, assets->maker.user, error);
}

static ModelAsset *new_model_asset(Assets *assets, const char *path, FrameSelection frames, Error *error) {
  Memory *memory = assets->memory;
  ModelAsset *asset = memory_alloc(memory, sizeof *asset);
  if (asset) {
    asset->path = memory_copy_string(memory, path);
    asset->frames = memory_alloc_array(memory, (size_t)frames.count, sizeof *asset->frames);
  }
  if (!asset || !asset->path || !asset->frames) {
    if (asset) assets_free_model(assets, asset);
    error_set_out_of_memory(error);
    return NULL;
  }
  if (frames.count > 0) memcpy(asset->frames, frames.frames, (size_t)frames.count * sizeof(int));
  asset->frame_count = frames.count;
  return asset;
}

ModelAsset *assets_make_model(Assets *assets, const char *path, FrameSelection frames, Model *model, Error *error) {
  ModelAsset *asset = new_model_asset(assets, path, frames, error);
  if (!asset) {
    model_free(model);
    return NULL;
  }
  asset->model = model;
  if (finish_model(assets, asset, error)) return asset;
  assets_free_model(assets, asset);
  return NULL;
}

// Takes over the model.
static ModelAsset *add_model(Assets *assets, const char *path, FrameSelection frames, Model *model, Error *error) {
  ModelAsset *asset = assets_make_model(assets, path, frames, model, error);
  if (!asset || array_push(assets->memory, &assets->models, asset)) return asset;
  assets_free_model(assets, asset);
  error_set_out_of_memory(error);
  return NULL;
}

ModelAsset *assets_acquire_model(Assets *assets, const char *path, FrameSelection frames, Error *error) {
  char clean[FILES_MAX_PATH];
  if (!files_clean_path(path, clean, error)) return NULL;
  ModelAsset *asset = find_model(assets, clean, frames);
  if (!asset) {
    double start = platform_seconds() - assets->loading_seconds;  // its textures count in it
    Model *model = assets_read_model(assets, clean, frames, error);
    if (model) asset = add_model(assets, clean, frames, model, error);
    assets->loading_seconds = platform_seconds() - start;
  }
  if (asset) asset->use_count++;
  return asset;
}

void assets_release_model(Assets *assets, ModelAsset *model) {
  (void)assets;
  if (model) model->use_count--;
}

const Bvh *assets_get_bvh(Assets *assets, ModelAsset *asset, int mesh_index, Error *error) {
  const ModelMesh *mesh = &asset->model->meshes[mesh_index];
  if (!mesh->positions) return NULL;
  if (!asset->bvhs[mesh_index]) {
    TriangleSoup soup = {mesh->positions, mesh->indices, mesh->index_count / 3};
    asset->bvhs[mesh_index] = mesh->tree.node_count > 0 ? bvh_adopt(assets->memory, soup, &mesh->tree, error)
                                                        : bvh_build(assets->memory, soup, error);
  }
  return asset->bvhs[mesh_index];
}

void assets_trim(Assets *assets) {
  assets_drop_unused(assets, NULL);
}

AssetBytes assets_count_bytes(const Assets *assets) {
  AssetBytes bytes = {0};
  for (int i = 0; i < assets->models.count; i++) {
    const ModelAsset *asset = assets->models.items[i];
    bytes.models += model_resident_bytes(asset->model);
    bytes.gpu += gpu_model_bytes(asset->gpu);
    for (int mesh = 0; mesh < asset->model->mesh_count; mesh++) {
      if (asset->bvhs[mesh]) bytes.models += bvh_bytes(asset->bvhs[mesh]);
    }
  }
  for (int i = 0; i < assets->textures.count; i++)
    bytes.textures += texture_bytes(assets->textures.items[i]->texture);
  return bytes;
}

// --- Listeners ---

bool assets_add_listener(Assets *assets, ModelChanged *changed, void *user, Error *error) {
  ModelListener listener = {changed, user};
  return array_push(assets->memory, &assets->listeners, listener) || error_set_out_of_memory(error);
}

void assets_remove_listener(Assets *assets, void *user) {
  int kept = 0;
  for (int i = 0; i < assets->listeners.count; i++) {
    if (assets->listeners.items[i].user != user) assets->listeners.items[kept++] = assets->listeners.items[i];
  }
  assets->listeners.count = kept;
}

int assets_revision(const Assets *assets) {
  return assets->revision;
}

// --- Preloading ---

struct Preload {
  int job_count, done_count;
  bool is_released;
  ARRAY(char *) errors;  ///< NULL for one whose text found no memory
};

static void free_preload(Assets *assets, Preload *preload) {
  for (int i = 0; i < preload->errors.count; i++)
    memory_free(assets->memory, preload->errors.items[i]);
  array_free(assets->memory, &preload->errors);
  memory_free(assets->memory, preload);
}

// Counts one file as done. There is room for its error since the beginning.
static void preload_note(Assets *assets, Preload *preload, const Error *failure) {
  preload->done_count++;
  if (!failure) return;
  preload->errors.items[preload->errors.count++] = memory_copy_string(assets->memory, failure->text);
}

static bool is_image_path(const char *path) {
  return image_is_known((Bytes){0}, path);
}

static void preload_now(Assets *assets, Preload *preload, const char *path) {
  Error error;
  bool is_loaded;
  if (is_image_path(path)) {
    TextureAsset *texture = assets_acquire_texture(assets, path, &error);
    is_loaded = texture != NULL;
    if (texture) texture->is_kept = true;
    assets_release_texture(assets, texture);
  } else {
    ModelAsset *model = assets_acquire_model(assets, path, (FrameSelection){0}, &error);
    is_loaded = model != NULL;
    if (model) model->is_kept = true;
    assets_release_model(assets, model);
  }
  preload_note(assets, preload, is_loaded ? NULL : &error);
}

// Runs on the loading thread: reads and decodes, touches no cache.
static void decode_job(void *user, PreloadJob *job) {
  Assets *assets = user;
  if (is_image_path(job->path)) {
    job->has_failed = !assets_read_image(assets, job->path, &job->image, &job->error);
  } else {
    job->model = assets_read_own_model(assets, job->path, (FrameSelection){0}, &job->error);
    job->has_failed = !job->model;
  }
}

// A task that was given back goes with its last file.
static void close_job(Assets *assets, PreloadJob *job, const Error *failure) {
  Preload *preload = job->owner;
  preload_note(assets, preload, failure);
  if (preload->is_released && preload->done_count == preload->job_count) free_preload(assets, preload);
}

static void drop_job(void *user, PreloadJob *job) {
  close_job(user, job, NULL);
}

static void finish_job(Assets *assets, PreloadJob *job) {
  Error error = job->error;
  bool is_loaded = !job->has_failed;
  if (job->model) {
    // It may have been loaded in the ordinary way meanwhile.
    ModelAsset *model = find_model(assets, job->path, (FrameSelection){0});
    if (model)
      model_free(job->model);
    else
      model = add_model(assets, job->path, (FrameSelection){0}, job->model, &error);
    if (model) model->is_kept = true;
    is_loaded = model != NULL;
  } else if (job->image.pixels) {
    TextureAsset *texture = assets_find_texture(assets, job->path);
    if (!texture) texture = add_texture(assets, job->path, &job->image, &error);
    if (texture) texture->is_kept = true;
    is_loaded = texture != NULL;
    image_free(assets->memory, &job->image);
  }
  close_job(assets, job, is_loaded ? NULL : &error);
  memory_free(assets->memory, job);
}

void assets_finish_loads(Assets *assets) {
  PreloadJob *job = assets->preloader ? preloader_take(assets->preloader) : NULL;
  if (job) finish_job(assets, job);
}

static bool queue_job(Assets *assets, Preload *preload, const char *path, Error *error) {
  if (!assets->preloader) assets->preloader = preloader_create(assets->memory, decode_job, assets, error);
  return assets->preloader && preloader_add(assets->preloader, path, preload, error);
}

Preload *assets_preload(Assets *assets, const char *const *paths, int count, bool now, Error *error) {
  Preload *preload = memory_alloc(assets->memory, sizeof *preload);
  if (!preload || !array_reserve(assets->memory, &preload->errors, count)) {
    memory_free(assets->memory, preload);
    error_set_out_of_memory(error);
    return NULL;
  }
  preload->job_count = count;
  for (int i = 0; i < count; i++) {
    char clean[FILES_MAX_PATH];
    Error failure;
    if (!files_clean_path(paths[i], clean, &failure)) {
      preload_note(assets, preload, &failure);
    } else if (now || assets_is_foreign(assets, clean) || !queue_job(assets, preload, clean, &failure)) {
      preload_now(assets, preload, clean);
    }
  }
  return preload;
}

float preload_progress(const Preload *preload) {
  return preload->job_count > 0 ? (float)preload->done_count / (float)preload->job_count : 1;
}

int preload_error_count(const Preload *preload) {
  return preload->errors.count;
}

const char *preload_error(const Preload *preload, int index) {
  return preload->errors.items[index] ? preload->errors.items[index] : "out of memory";
}

void preload_release(Assets *assets, Preload *preload) {
  if (preload->done_count == preload->job_count) {
    free_preload(assets, preload);
  } else {
    preload->is_released = true;
  }
}
