#ifndef PALFREY_TOOLS_MODEL_H
#define PALFREY_TOOLS_MODEL_H
// Models and images by their real path, for the verbs of the command line. The folder of the file becomes the root of a file
// system, so that companions are found as in a game.
#include "files.h"
#include "loaders/loader.h"

typedef struct ModelFile {
  Memory *memory;
  Files *files;
  const char *name;  ///< of the file in its folder
  bool has_linear_keys;
} ModelFile;

/// Opens the folder of a file; `program` is argv[0]. Close it in any case. There is one at a time.
bool tools_model_open(ModelFile *file, Memory *memory, const char *path, const char *program, Error *error);
void tools_model_close(ModelFile *file);

/// Loads the file's content, which it takes over, as a model.
Model *tools_model_load(ModelFile *file, Bytes content, Error *error);

/// Gives the meshes that can be run into their collision trees, which live in the model.
bool tools_model_add_trees(Memory *memory, Model *model, Error *error);

#endif
