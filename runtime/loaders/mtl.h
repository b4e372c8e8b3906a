#ifndef PALFREY_LOADERS_MTL_H
#define PALFREY_LOADERS_MTL_H
// Material libraries of OBJ files. All materials of all libraries go into one list; a model may use some of them.
#include "array.h"
#include "loaders/loader.h"
#include "loaders/text.h"

enum { MTL_MAX_MATERIALS = 4096 };

typedef struct MtlList {
  Model *model;  ///< for warnings, and its arena for names
  ARRAY(ModelMaterial) materials;
  ARRAY(ModelImage) images;
} MtlList;

/// Reads a library of the given name (for warnings) into the list. The bytes stay the caller's but may be changed and
/// moved. False without memory.
bool mtl_read(MtlList *list, const char *name, Bytes *file);

void mtl_list_free(MtlList *list);

#endif
