#include "pack_kind.h"

#include <stddef.h>

#include "path.h"

static const char *const SCRIPTS[] = {"lua", NULL};
static const char *const MODELS[] = {"md2", "obj", "mtl", "mbj", "3ds", "m3g", "gltf", "glb", "bin", NULL};
static const char *const IMAGES[] = {"png", "jpg", "jpeg", "gif", "bmp", "tga", "pcx", NULL};
static const char *const SOUNDS[] = {"ogg", "wav", NULL};
static const char *const FONTS[] = {"ttf", "otf", NULL};

static const struct {
  const char *name;
  const char *const *extensions;
} KINDS[PACK_KIND_COUNT] = {
    [PACK_OTHER] = {"other", NULL},     [PACK_SCRIPTS] = {"scripts", SCRIPTS}, [PACK_MODELS] = {"models", MODELS},
    [PACK_IMAGES] = {"images", IMAGES}, [PACK_SOUNDS] = {"sounds", SOUNDS},    [PACK_FONTS] = {"fonts", FONTS},
};

PackKind pack_kind_of(const char *path) {
  for (int kind = PACK_SCRIPTS; kind < PACK_KIND_COUNT; kind++) {
    if (path_has_extension(path, KINDS[kind].extensions)) return (PackKind)kind;
  }
  return PACK_OTHER;
}

const char *pack_kind_name(PackKind kind) {
  return KINDS[kind].name;
}

bool pack_kind_is_asset(PackKind kind) {
  return kind >= PACK_MODELS;
}

bool pack_kind_is_stored(const char *path) {
  static const char *const STORED[] = {"md2", "mbj", "3ds",  "m3g", "glb", "bin",
                                       "png", "jpg", "jpeg", "gif", "ogg", NULL};
  return path_has_extension(path, STORED);
}
