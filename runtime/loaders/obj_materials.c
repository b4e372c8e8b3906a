#include <string.h>

#include "loaders/companion.h"
#include "loaders/mtl.h"
#include "loaders/obj.h"

enum { MAX_LIBRARIES = 64 };

// The files that have been asked for: each is read once, however often it is named.
typedef struct Libraries {
  MaterialList *list;
  NameTable paths;
  ARRAY(bool) are_found;  // by the number of the path
} Libraries;

static bool read_file(Obj *obj, Libraries *libraries, const char *path, bool *is_found) {
  const LoadRequest *request = obj->request;
  Bytes bytes = {0};
  Error missing = {0};
  *is_found = request->read && request->read(request->read_user, path, &bytes, &missing);
  bool is_good = !missing.is_out_of_memory && array_push(request->memory, &libraries->are_found, *is_found) &&
                 (!*is_found || mtl_read(libraries->list, path, &bytes));
  memory_free(request->memory, bytes.data);
  return is_good;
}

// Reads one library when it is there; `is_found` tells.
static bool read_library(Obj *obj, Libraries *libraries, TextSlice name, bool *is_found) {
  char path[COMPANION_MAX_PATH];
  bool is_inside = companion_clean_path(name.start, name.length, path);
  *is_found = false;
  if (!is_inside)
    model_warn(obj->model, "material library %.*s is outside the model's folder; looked for %s",
               text_shown_length(name, 100), name.start, path);
  if (!path[0]) return true;
  const char *kept = arena_copy_string(&obj->model->arena, path, strlen(path));
  int id = kept ? name_table_add(&libraries->paths, (TextSlice){kept, strlen(kept)}) : -1;
  if (id < 0) return false;
  if (id == libraries->are_found.count) return read_file(obj, libraries, kept, is_found);
  *is_found = libraries->are_found.items[id];
  return true;
}

static void warn_of_missing_library(Obj *obj, TextSlice name) {
  model_warn(obj->model, "material library \"%.*s\" not found", text_shown_length(name, 100), name.start);
}

// The next of several names in a line; "\ " is a blank inside a name. The result lies in `buffer`.
static TextSlice next_library_name(TextSlice *names, char buffer[COMPANION_MAX_PATH]) {
  size_t i = 0, length = 0;
  while (i < names->length && text_is_blank(names->start[i]))
    i++;
  for (; i < names->length && !text_is_blank(names->start[i]); i++) {
    bool is_escaped = names->start[i] == '\\' && i + 1 < names->length && text_is_blank(names->start[i + 1]);
    if (is_escaped) i++;
    if (length < COMPANION_MAX_PATH) buffer[length++] = names->start[i];
  }
  names->start += i;
  names->length -= i;
  return (TextSlice){buffer, length};
}

// The whole line may be one name with blanks in it, or several names.
static bool read_libraries_of_line(Obj *obj, Libraries *libraries, TextSlice line) {
  bool is_found = false, has_blanks = false;
  for (size_t i = 0; i < line.length; i++)
    has_blanks |= text_is_blank(line.start[i]);
  if (!read_library(obj, libraries, line, &is_found)) return false;
  if (is_found) return true;
  if (!has_blanks) {
    warn_of_missing_library(obj, line);
    return true;
  }
  char buffer[COMPANION_MAX_PATH];
  for (int i = 0; i < MAX_LIBRARIES; i++) {
    TextSlice name = next_library_name(&line, buffer);
    if (name.length == 0) break;
    if (!read_library(obj, libraries, name, &is_found)) return false;
    if (!is_found) warn_of_missing_library(obj, name);
  }
  return true;
}

static bool read_libraries(Obj *obj, MaterialList *list) {
  int count = obj->libraries.texts.count;
  if (count > MAX_LIBRARIES) {
    model_warn(obj->model, "%d material libraries, the first %d are read", count, MAX_LIBRARIES);
    count = MAX_LIBRARIES;
  }
  Memory *memory = obj->request->memory;
  Libraries libraries = {.list = list, .paths.ids.memory = memory};
  bool is_good = true;
  for (int i = 0; i < count && is_good; i++)
    is_good = read_libraries_of_line(obj, &libraries, obj->libraries.texts.items[i]);
  name_table_free(&libraries.paths);
  array_free(memory, &libraries.are_found);
  return is_good;
}

// Of materials with the same name the first one counts. From here on the number of a name is that of its material.
static bool name_materials(MaterialList *list, NameTable *names) {
  int kept = 0;
  for (int i = 0; i < list->materials.count; i++) {
    const char *name = list->materials.items[i].name;
    int id = name_table_add(names, (TextSlice){name, strlen(name)});
    if (id < 0) return false;
    if (id == kept) list->materials.items[kept++] = list->materials.items[i];
  }
  list->materials.count = kept;
  return true;
}

static int add_default_material(MaterialList *list, const char *name) {
  ModelMaterial material = model_default_material();
  if (name) material.name = name;
  return material_list_add(list, material);
}

// The number of the material with a name that the file uses; -1 without memory.
static int find_material(MaterialList *list, NameTable *names, TextSlice name) {
  const char *copy = text_copy_utf8(&list->model->arena, name.start, name.length);
  int id = copy ? name_table_add(names, (TextSlice){copy, strlen(copy)}) : -1;
  if (id < 0 || id < list->materials.count) return id;
  model_warn(list->model, "material \"%s\" is in no library, a default one is used", copy);
  return add_default_material(list, copy);
}

// Turns the submeshes' numbers of names into numbers of materials.
static bool lead_submeshes(Obj *obj, MaterialList *list, const int *material_of_name) {
  Model *model = obj->model;
  int without = -1;
  for (int i = 0; i < model->submesh_count; i++) {
    int *material = &model->submeshes[i].material;
    if (*material > 0) {
      *material = material_of_name[*material - 1];
      continue;
    }
    if (without < 0) without = add_default_material(list, NULL);
    if (without < 0) return false;
    *material = without;
  }
  return true;
}

static bool find_materials(Obj *obj, MaterialList *list, NameTable *names) {
  int name_count = obj->material_names.texts.count;
  int *material_of_name = memory_alloc_array(obj->request->memory, (size_t)name_count, sizeof *material_of_name);
  bool is_good = material_of_name && name_materials(list, names);
  for (int i = 0; i < name_count && is_good; i++) {
    material_of_name[i] = find_material(list, names, obj->material_names.texts.items[i]);
    is_good = material_of_name[i] >= 0;
  }
  is_good = is_good && lead_submeshes(obj, list, material_of_name);
  memory_free(obj->request->memory, material_of_name);
  return is_good;
}

// Vertex colours are for the material to use, and an OBJ file cannot say so.
static void track_vertex_colors(Model *model) {
  for (int i = 0; i < model->mesh_count; i++) {
    const ModelMesh *mesh = &model->meshes[i];
    for (int k = 0; mesh->colors && k < mesh->submesh_count; k++)
      model->materials[model->submeshes[mesh->first_submesh + k].material].tracks_vertex_color = true;
  }
}

bool obj_add_materials(Obj *obj) {
  Memory *memory = obj->request->memory;
  MaterialList list = {.model = obj->model, .image_paths.ids.memory = memory};
  NameTable names = {.ids.memory = memory};
  bool is_good = read_libraries(obj, &list) && find_materials(obj, &list, &names) && material_list_move(&list);
  if (is_good) track_vertex_colors(obj->model);
  name_table_free(&names);
  material_list_free(&list);
  return is_good;
}
