#ifndef PALFREY_ENGINE_MODEL_CACHE_H
#define PALFREY_ENGINE_MODEL_CACHE_H
// Models that are text in a game's files are baked once into the user's folder for caches, as MBJ files with what they were
// made of: by which program, of which content of the model and of the files it read. One that fits in nothing else is made
// anew; what cannot be read or written is no error.
#include "files.h"
#include "loaders/loader.h"

/// Whether a model is worth it: large enough, and of a format that takes work to read.
bool model_cache_serves(Bytes source, const char *path);

/// The model as it was baked of this content, or NULL. `request` as for model_load.
Model *model_cache_load(Files *files, const LoadRequest *request, uint64_t source_hash);

/// Keeps a model that was loaded of this content.
void model_cache_store(Files *files, const LoadRequest *request, uint64_t source_hash, const Model *model);

#endif
