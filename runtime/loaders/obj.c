#include "loaders/loader.h"

static bool load(const LoadRequest *request, Bytes *file, Model *model, Error *error) {
  (void)file, (void)model;
  return error_set(error, "%s: not yet", request->path);
}

const Loader OBJ_LOADER = {.name = "obj", .extensions = {"obj"}, .load = load};
