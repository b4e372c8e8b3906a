#ifndef PALFREY_LOADERS_MTL_H
#define PALFREY_LOADERS_MTL_H
// Material libraries of OBJ files. All materials of all libraries go into one list; a model may use some of them.
#include "loaders/loader.h"
#include "loaders/material_list.h"

/// Reads a library into the list. `path` is where it lies below the model's folder, which is where its images are looked for
/// too; it must outlive the list. The bytes stay the caller's but may be changed and moved. False without memory.
bool mtl_read(MaterialList *list, const char *path, Bytes *file);

#endif
