#ifndef PALFREY_LOADERS_MBJ_WRITE_H
#define PALFREY_LOADERS_MBJ_WRITE_H
// Models as MBJ files.
#include "loaders/model.h"

/// Writes a validated model: the same bytes for the same model. With `has_origin` the warnings of loading and the companions
/// with their hashes go in too, as a cache needs them. The bytes belong to the caller (memory_free).
bool mbj_write(Memory *memory, const Model *model, bool has_origin, Bytes *bytes, Error *error);

#endif
