// Wavefront OBJ (Wavefront Technologies, "Object Files (.obj)", appendix B1 of the Advanced Visualizer manual): polygons
// with their materials. Free-form surfaces, lines and points are skipped. Where the file has no normals, faces are flat
// outside smoothing groups, as the format says, and smooth within one.
#include "loaders/obj.h"

#include <string.h>

static void free_parts(Obj *obj) {
  name_table_free(&obj->objects);
  name_table_free(&obj->groups);
  id_map_free(&obj->part_ids);
}

static void free_all(Obj *obj) {
  Memory *memory = obj->request->memory;
  obj_meshes_free(&obj->meshes);
  free_parts(obj);
  name_table_free(&obj->material_names);
  name_table_free(&obj->libraries);
  array_free(memory, &obj->corners);
}

static void start_over(Obj *obj) {
  Memory *memory = obj->request->memory;
  Obj empty = {.request = obj->request,
               .model = obj->model,
               .error = obj->error,
               .text = obj->text,
               .object = -1,
               .group = -1,
               .part = -1};
  text_rewind(&empty.text);
  empty.meshes.memory = empty.meshes.buckets.memory = empty.meshes.triangulator.memory = memory;
  empty.objects.ids.memory = empty.groups.ids.memory = empty.material_names.ids.memory = memory;
  empty.libraries.ids.memory = empty.part_ids.memory = memory;
  *obj = empty;
}

// Room for what the text of most files comes to, so that no list has to move while it grows: each line of numbers takes
// some 30 characters and an index of a triangle some 26. Lists that stay shorter are trimmed, others grow on.
static bool reserve_lists(Obj *obj) {
  enum { LINE_SHARE = 128, INDEX_SHARE = 26 };
  Memory *memory = obj->request->memory;
  ObjMeshes *meshes = &obj->meshes;
  ptrdiff_t size = obj->text.end - obj->text.start;
  int lines = (int)(size / LINE_SHARE < MODEL_MAX_VERTICES ? size / LINE_SHARE : MODEL_MAX_VERTICES);
  int indices = (int)(size / INDEX_SHARE < MODEL_MAX_VERTICES ? size / INDEX_SHARE : MODEL_MAX_VERTICES);
  return array_reserve(memory, &meshes->positions, lines) && array_reserve(memory, &meshes->uvs, lines) &&
         array_reserve(memory, &meshes->normals, lines) && array_reserve(memory, &meshes->corners, lines) &&
         array_reserve(memory, &meshes->indices, indices);
}

// Most files define what faces use before the faces, and are read in one go. In the others all vertices come first.
static Outcome read_text(Obj *obj) {
  obj->reads_vertices = obj->reads_faces = true;
  if (!reserve_lists(obj)) return OUTCOME_NO_MEMORY;
  Outcome outcome = obj_read_statements(obj);
  if (outcome != OUTCOME_NEEDS_TOTALS) return outcome;
  free_all(obj);
  start_over(obj);
  obj->model->warning_count = 0;
  obj->reads_vertices = true;
  outcome = obj_read_statements(obj);
  if (outcome != OUTCOME_GOOD) return outcome;
  obj->reads_vertices = false;
  obj->reads_faces = true;
  obj->position_count = obj->uv_count = obj->normal_count = 0;
  text_rewind(&obj->text);
  return obj_read_statements(obj);
}

// ---- The model

static const char *copy_part_name(Obj *obj, Part part) {
  const NameTable *table = part.group >= 0 ? &obj->groups : &obj->objects;
  int name = part.group >= 0 ? part.group : part.object;
  if (name < 0) return arena_copy_string(&obj->model->arena, "default", 7);
  TextSlice text = table->texts.items[name];
  return text_copy_utf8(&obj->model->arena, text.start, text.length);
}

// A node for each part; a group's parent is its object.
static bool add_nodes(Obj *obj) {
  Model *model = obj->model;
  int part_count = obj->part_ids.keys.count;
  model->nodes = arena_alloc_array(&model->arena, (size_t)part_count, sizeof *model->nodes);
  if (!model->nodes) return false;
  for (int i = 0; i < part_count; i++) {
    Part part = obj_part_of_key(obj->part_ids.keys.items[i]);
    const char *name = copy_part_name(obj, part);
    if (!name) return false;
    model->nodes[i] = model_default_node(name);
    if (part.object >= 0 && part.group >= 0)
      model->nodes[i].parent = id_map_find(&obj->part_ids, obj_part_key((Part){part.object, -1}));
    model->node_count++;
  }
  return true;
}

static bool build_model(Obj *obj, Bytes *file) {
  Model *model = obj->model;
  model->source_vertices = obj->meshes.positions.count;
  model->source_uvs = obj->meshes.uvs.count;
  bool is_good = add_nodes(obj) && name_table_keep(&obj->material_names) && name_table_keep(&obj->libraries);
  // Memory is needed most from here on.
  free_parts(obj);
  memory_free(obj->request->memory, file->data);
  *file = (Bytes){0};
  is_good = is_good && obj_meshes_finish(&obj->meshes, model);
  // The largest part of the memory, before libraries are read.
  obj_meshes_free(&obj->meshes);
  obj->meshes = (ObjMeshes){.memory = obj->request->memory};
  return is_good && obj_add_materials(obj);
}

static bool finish(Obj *obj, Outcome outcome, Bytes *file) {
  if (outcome == OUTCOME_TOO_MUCH) return false;
  if (outcome == OUTCOME_NO_MEMORY) return error_set_out_of_memory(obj->error);
  if (obj->face_count > 0 && obj->face_count == obj->dropped_count)
    return error_set(obj->error, "%s:%d: none of %d faces can be used; the first one: %s", obj->request->path,
                     obj->first_problem_line, obj->face_count, obj->first_problem);
  obj_warn_of_the_rest(obj);
  if (obj->face_count == 0) model_warn(obj->model, "there are no faces in the file");
  if (triangulator_has_given_up(&obj->meshes.triangulator))
    model_warn(obj->model, "cutting its polygons into triangles takes too long, some triangles may be wrong");
  return build_model(obj, file) || error_set_out_of_memory(obj->error);
}

static bool load(const LoadRequest *request, Bytes *file, Model *model, Error *error) {
  Obj obj = {.request = request, .model = model, .error = error};
  if (!text_prepare(request->memory, file, &obj.text)) return error_set_out_of_memory(error);
  start_over(&obj);
  bool is_good = finish(&obj, read_text(&obj), file);
  free_all(&obj);
  return is_good;
}

const Loader OBJ_LOADER = {.name = "obj", .extensions = {"obj"}, .load = load};
