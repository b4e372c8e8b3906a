#ifndef PALFREY_PACK_KIND_H
#define PALFREY_PACK_KIND_H
// What the files of a game are, by their extensions.
#include <stdbool.h>

typedef enum PackKind {
  PACK_OTHER = 0,
  PACK_SCRIPTS,
  PACK_MODELS,
  PACK_IMAGES,
  PACK_SOUNDS,
  PACK_FONTS,
  PACK_KIND_COUNT,
} PackKind;

PackKind pack_kind_of(const char *path);
const char *pack_kind_name(PackKind kind);

/// Whether scripts or models would name such a file by its path.
bool pack_kind_is_asset(PackKind kind);

/// Whether deflating it is of no use: models are read whole and often, media are compressed already.
bool pack_kind_is_stored(const char *path);

#endif
