#include <stdio.h>

#include "loaders/frames.h"
#include "path.h"

static const Loader *const LOADERS[] = {&MBJ_LOADER, &MD2_LOADER, &TDS_LOADER, &GLTF_LOADER, &OBJ_LOADER};

enum { LOADER_COUNT = sizeof LOADERS / sizeof *LOADERS };

static bool set_unknown_format_error(const char *path, Error *error) {
  char names[128] = "";
  size_t length = 0;
  for (int i = 0; i < LOADER_COUNT && length < sizeof names; i++) {
    int written = snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "", LOADERS[i]->name);
    if (written > 0) length += (size_t)written;
  }
  return error_set(error, "%s: unknown model format, expected one of: %s", path, names);
}

const Loader *loader_find(Bytes bytes, const char *path, Error *error) {
  for (int i = 0; i < LOADER_COUNT; i++) {
    if (LOADERS[i]->matches && LOADERS[i]->matches(bytes)) return LOADERS[i];
  }
  for (int i = 0; i < LOADER_COUNT; i++) {
    if (path_has_extension(path, LOADERS[i]->extensions)) return LOADERS[i];
  }
  set_unknown_format_error(path, error);
  return NULL;
}

typedef struct CompanionNoter {
  const LoadRequest *request;
  Model *model;
} CompanionNoter;

static bool read_and_note(void *user, const char *path, Bytes *bytes, Error *error) {
  CompanionNoter *noter = user;
  bool is_read = noter->request->read(noter->request->read_user, path, bytes, error);
  model_add_companion(noter->model, path, is_read ? bytes : NULL);
  return is_read;
}

// What the content becomes, by a loader of ours or by someone else's function.
typedef struct Making {
  const char *format;
  const Loader *loader;
  ModelFill *fill;
  void *user;
} Making;

static bool fill_model(const Making *making, const LoadRequest *request, Bytes *file, Model *model, Error *error) {
  CompanionNoter noter = {request, model};
  LoadRequest noted = *request;
  if (request->read) {
    noted.read = read_and_note;
    noted.read_user = &noter;
  }
  return making->loader ? making->loader->load(&noted, file, model, error)
                        : making->fill(making->user, &noted, *file, model, error);
}

static Model *make(const Making *making, const LoadRequest *request, Bytes file, Error *error) {
  Model *model = memory_alloc(request->memory, sizeof *model);
  if (!model) error_set_out_of_memory(error);
  bool is_good = false;
  if (model) {
    model->arena.memory = request->memory;
    model->format = model->source_format = making->format;
    model->active_camera = -1;
    bool is_selected = making->loader && making->loader->selects_frames;
    is_good = fill_model(making, request, &file, model, error) && model_validate(model, request->path, error) &&
              (!request->frames || is_selected || frames_keep(model, request, error));
  }
  memory_free(request->memory, file.data);
  if (is_good) return model;
  model_free(model);
  return NULL;
}

Model *model_load(const LoadRequest *request, Bytes file, Error *error) {
  const Loader *loader = loader_find(file, request->path, error);
  if (loader) return make(&(Making){.format = loader->name, .loader = loader}, request, file, error);
  memory_free(request->memory, file.data);
  return NULL;
}

Model *model_make(const LoadRequest *request, Bytes file, const char *format, ModelFill *fill, void *user,
                  Error *error) {
  return make(&(Making){format, NULL, fill, user}, request, file, error);
}
