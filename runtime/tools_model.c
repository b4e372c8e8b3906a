#include "tools_model.h"

#include <stdio.h>
#include <string.h>

#include "engine/bvh.h"

bool tools_model_open(ModelFile *file, Memory *memory, const char *path, const char *program, Error *error) {
  const char *slash = strrchr(path, '/');
  char folder[1024];
  if (!slash)
    snprintf(folder, sizeof folder, ".");
  else if (slash == path)
    snprintf(folder, sizeof folder, "/");
  else
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
  *file = (ModelFile){.memory = memory, .name = slash ? slash + 1 : path};
  if (!file->name[0] || strcmp(file->name, ".") == 0 || strcmp(file->name, "..") == 0)
    return error_set(error, "%s: is a folder, not a file", path);
  file->files = files_create(memory, program, error);
  return file->files && files_open_folder(file->files, folder, error);
}

void tools_model_close(ModelFile *file) {
  files_free(file->files);
}

static bool read_companion(void *user, const char *path, Bytes *bytes, Error *error) {
  ModelFile *file = user;
  char found[FILES_MAX_PATH];
  return files_read(file->files, files_find_any_case(file->files, path, found) ? found : path, bytes, error);
}

Model *tools_model_load(ModelFile *file, Bytes content, Error *error) {
  LoadRequest request = {.memory = file->memory,
                         .path = file->name,
                         .read = read_companion,
                         .read_user = file,
                         .linear_keys = file->has_linear_keys};
  return model_load(&request, content, error);
}

static bool copy_tree(Model *model, ModelTree tree, ModelTree *copy) {
  size_t nodes = (size_t)tree.node_count * sizeof *tree.nodes, order = (size_t)tree.order_count * sizeof *tree.order;
  void *node_copy = arena_alloc(&model->arena, nodes), *order_copy = arena_alloc(&model->arena, order);
  if (!node_copy || !order_copy) return false;
  memcpy(node_copy, tree.nodes, nodes);
  memcpy(order_copy, tree.order, order);
  *copy = (ModelTree){node_copy, order_copy, tree.node_count, tree.order_count};
  return true;
}

bool tools_model_add_trees(Memory *memory, Model *model, Error *error) {
  for (int i = 0; i < model->mesh_count; i++) {
    ModelMesh *mesh = &model->meshes[i];
    // What changes its shape is never run into triangle by triangle.
    bool is_stiff = mesh->positions && !mesh->joints && mesh->morph_target_count == 0;
    if (!is_stiff || mesh->index_count == 0 || mesh->tree.node_count > 0) continue;
    Bvh *bvh = bvh_build(memory, (TriangleSoup){mesh->positions, mesh->indices, mesh->index_count / 3}, error);
    if (!bvh) return false;
    ModelTree tree = bvh_tree(bvh);
    bool is_good = tree.node_count == 0 || copy_tree(model, tree, &mesh->tree);
    bvh_free(memory, bvh);
    if (!is_good) return error_set_out_of_memory(error);
  }
  return true;
}
