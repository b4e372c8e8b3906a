// Files that change while a game runs, and the way back onto a GPU that lost everything.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "engine/assets_parts.h"
#include "engine/skin_path.h"
#include "log.h"

// What takes the place of a model, ready but not shown yet.
typedef struct Replacement {
  ModelAsset *asset, *fresh;
} Replacement;

typedef ARRAY(Replacement) Replacements;

// --- What depends on a file ---

static bool is_companion(const ModelAsset *asset, const char *path) {
  char joined[FILES_MAX_PATH];
  for (const ModelCompanion *companion = asset->model->companions; companion; companion = companion->next) {
    // Companions are found in any letter case.
    if (skin_path_join(asset->path, companion->path, joined) && strcasecmp(joined, path) == 0) return true;
  }
  return false;
}

static bool is_made_of(const ModelAsset *asset, const char *path) {
  return strcmp(asset->path, path) == 0 || is_companion(asset, path);
}

// Whether a texture is the file, or an image inside it.
static bool is_from(const TextureAsset *asset, const char *path) {
  size_t length = strlen(path);
  return strncmp(asset->path, path, length) == 0 && (asset->path[length] == 0 || asset->path[length] == '#');
}

void assets_drop_unused(Assets *assets, const char *path) {
  // Models first, which count as users of their textures.
  int kept = 0;
  for (int i = 0; i < assets->models.count; i++) {
    ModelAsset *asset = assets->models.items[i];
    if (asset->use_count > 0 || asset->is_kept || (path && !is_made_of(asset, path)))
      assets->models.items[kept++] = asset;
    else
      assets_free_model(assets, asset);
  }
  bool has_changed = kept < assets->models.count;
  assets->models.count = kept;
  kept = 0;
  for (int i = 0; i < assets->textures.count; i++) {
    TextureAsset *asset = assets->textures.items[i];
    if (asset->use_count > 0 || asset->is_kept || (path && !is_from(asset, path)))
      assets->textures.items[kept++] = asset;
    else
      assets_free_texture(assets, asset);
  }
  has_changed = has_changed || kept < assets->textures.count;
  assets->textures.count = kept;
  assets->revision += has_changed;
}

// --- Models ---

static void discard(Assets *assets, Replacements *replacements) {
  for (int i = 0; i < replacements->count; i++)
    assets_free_model(assets, replacements->items[i].fresh);
  array_free(assets->memory, replacements);
}

static bool has_triangles(const Model *model) {
  for (int i = 0; i < model->mesh_count; i++) {
    if (model->meshes[i].index_count > 0) return true;
  }
  return false;
}

// A text of which nothing can be used is a model without triangles; where there were some, it is hardly what was meant.
static bool check_emptied(const ModelAsset *asset, const Model *model, Error *error) {
  return has_triangles(model) || !has_triangles(asset->model) ||
         error_set(error, "%s: there are no triangles in it any more", asset->path);
}

// A file may be loaded several times, with other frames each.
static bool prepare_models(Assets *assets, const char *path, Replacements *replacements, Error *error) {
  for (int i = 0; i < assets->models.count; i++) {
    ModelAsset *asset = assets->models.items[i];
    if (!is_made_of(asset, path)) continue;
    FrameSelection frames = {asset->frames, asset->frame_count};
    Model *model = assets_read_model(assets, asset->path, frames, error);
    if (model && !check_emptied(asset, model, error)) {
      model_free(model);
      return false;
    }
    ModelAsset *fresh = model ? assets_make_model(assets, asset->path, frames, model, error) : NULL;
    if (!fresh) return false;
    if (array_push(assets->memory, replacements, (Replacement){asset, fresh})) continue;
    assets_free_model(assets, fresh);
    return error_set_out_of_memory(error);
  }
  return true;
}

// Images inside a model that are known already were taken for the same ones.
static void reload_embedded(Assets *assets, const ModelAsset *asset) {
  for (int i = 0; i < asset->model->image_count; i++) {
    const ModelImage *image = &asset->model->images[i];
    char path[FILES_MAX_PATH];
    Error error;
    Image decoded = {0};
    if (!image->embedded.data) continue;
    assets_embedded_path(asset, image, path);
    const TextureAsset *texture = assets_find_texture(assets, path);
    if (texture && (!image_load(assets->memory, path, image->embedded, &decoded, &error) ||
                    !renderer_replace_image(assets->renderer, texture->texture, &decoded, &error)))
      log_warning("%s", error.text);
    image_free(assets->memory, &decoded);
  }
}

static void replace_model(Assets *assets, ModelAsset *asset, ModelAsset *fresh) {
  ModelAsset old = *asset;
  *asset = *fresh;
  *fresh = old;
  asset->use_count = old.use_count;
  asset->is_kept = old.is_kept;
  assets->revision++;
  reload_embedded(assets, asset);
  for (int i = 0; i < assets->listeners.count; i++)
    assets->listeners.items[i].changed(assets->listeners.items[i].user, asset, fresh);
  assets_free_model(assets, fresh);
}

// --- Textures ---

static bool reload_texture(Assets *assets, const char *path, int *reloaded, Error *error) {
  const TextureAsset *asset = assets_find_texture(assets, path);
  Image image = {0};
  if (!asset) return true;
  bool is_good = assets_read_image(assets, path, &image, error) &&
                 renderer_replace_image(assets->renderer, asset->texture, &image, error);
  image_free(assets->memory, &image);
  *reloaded += is_good;
  return is_good;
}

// An image that came into being may be the one a material names, or a better match than the one it has.
static bool relink(Assets *assets, ModelAsset *asset, const char *path, int *reloaded, Error *error) {
  char found[FILES_MAX_PATH];
  bool has_changed = false;
  for (int i = 0; i < asset->model->material_count; i++) {
    TextureAsset *before = asset->skins[i];
    if (before && strcmp(before->path, path) == 0) continue;
    if (!assets_find_image(assets, asset, i, found) || strcmp(found, path) != 0) continue;
    TextureAsset *texture = assets_acquire_texture(assets, path, error);
    if (!texture) return false;
    assets_release_texture(assets, before);
    asset->skins[i] = texture;
    asset->textures[i] = texture->texture;
    has_changed = true;
  }
  *reloaded += has_changed;
  return true;
}

static bool relink_all(Assets *assets, const char *path, int *reloaded, Error *error) {
  if (!image_is_known((Bytes){0}, path)) return true;
  for (int i = 0; i < assets->models.count; i++) {
    if (!relink(assets, assets->models.items[i], path, reloaded, error)) return false;
  }
  return true;
}

bool assets_is_shown(const Assets *assets, const char *path) {
  bool is_shown = false;
  for (int i = 0; i < assets->models.count; i++)
    is_shown = is_shown || (assets->models.items[i]->use_count > 0 && is_made_of(assets->models.items[i], path));
  for (int i = 0; i < assets->textures.count; i++)
    is_shown = is_shown || (assets->textures.items[i]->use_count > 0 && is_from(assets->textures.items[i], path));
  return is_shown;
}

bool assets_reload(Assets *assets, const char *path, int *reloaded, Error *error) {
  char clean[FILES_MAX_PATH];
  Replacements replacements = {0};
  *reloaded = 0;
  if (!files_clean_path(path, clean, error)) return false;
  if (assets->preloader) preloader_restart(assets->preloader);
  assets_drop_unused(assets, clean);
  // All that can fail comes before the first change.
  if (!prepare_models(assets, clean, &replacements, error) || !reload_texture(assets, clean, reloaded, error)) {
    discard(assets, &replacements);
    return false;
  }
  for (int i = 0; i < replacements.count; i++)
    replace_model(assets, replacements.items[i].asset, replacements.items[i].fresh);
  *reloaded += replacements.count;
  array_free(assets->memory, &replacements);
  return relink_all(assets, clean, reloaded, error);
}

// --- A new context ---

// The bytes of an image inside a model that is loaded.
static Bytes find_embedded(const Assets *assets, const char *path) {
  for (int i = 0; i < assets->models.count; i++) {
    const ModelAsset *asset = assets->models.items[i];
    for (int k = 0; k < asset->model->image_count; k++) {
      const ModelImage *image = &asset->model->images[k];
      char embedded_path[FILES_MAX_PATH];
      if (!image->embedded.data) continue;
      assets_embedded_path(asset, image, embedded_path);
      if (strcmp(embedded_path, path) == 0) return image->embedded;
    }
  }
  return (Bytes){0};
}

static bool restore_texture(Assets *assets, const TextureAsset *asset, Error *error) {
  Image image = {0};
  Error reason = {0};
  Bytes embedded = find_embedded(assets, asset->path);
  bool is_read = embedded.data ? image_load(assets->memory, asset->path, embedded, &image, &reason)
                               : assets_read_image(assets, asset->path, &image, &reason);
  bool is_good = is_read && renderer_replace_image(assets->renderer, asset->texture, &image, &reason);
  image_free(assets->memory, &image);
  if (is_good) return true;
  if (reason.is_out_of_memory) return error_set_out_of_memory(error);
  log_warning("%s; a pattern is shown until the file is there again", reason.text);
  return renderer_replace_missing(assets->renderer, asset->texture, error);
}

bool assets_restore(Assets *assets, Error *error) {
  for (int i = 0; i < assets->models.count; i++) {
    if (!renderer_restore_model(assets->renderer, assets->models.items[i]->gpu, error)) return false;
  }
  for (int i = 0; i < assets->textures.count; i++) {
    if (!restore_texture(assets, assets->textures.items[i], error)) return false;
  }
  return true;
}
