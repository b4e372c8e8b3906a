// Nodes of one scene, with skins, cameras and lights.
#include <string.h>

#include "loaders/gltf/gltf.h"

// ---- The tree

typedef struct Tree {
  Gltf *gltf;
  int *parents;  ///< by the file's nodes, -1 for roots
  int *first_children, *next_siblings;
  int count;        ///< of the model's nodes so far
  bool *is_wanted;  ///< roots of the scene
} Tree;

static bool add_first_child(Tree *tree, int parent, int child) {
  if (tree->parents[child] >= 0 || child == parent)
    return gltf_fail(tree->gltf, gltf_place(GLTF_NODES, parent), "node %d is a child of two nodes or of itself", child);
  tree->parents[child] = parent;
  tree->next_siblings[child] = tree->first_children[parent];
  tree->first_children[parent] = child;
  return true;
}

static bool read_children(Tree *tree, int parent) {
  Gltf *gltf = tree->gltf;
  int *children, count;
  if (!gltf_get_indexes(gltf, gltf_place(GLTF_NODES, parent), gltf->tables[GLTF_NODES].items[parent], "children",
                        GLTF_NODES, &children, &count))
    return false;
  bool is_good = true;
  // From the last to the first, so that the list is in the order of the file.
  for (int i = count - 1; i >= 0 && is_good; i--)
    is_good = add_first_child(tree, parent, children[i]);
  memory_free(gltf->request->memory, children);
  return is_good;
}

static bool link_nodes(Tree *tree) {
  int count = tree->gltf->tables[GLTF_NODES].count;
  for (int i = 0; i < count; i++)
    tree->parents[i] = tree->first_children[i] = tree->next_siblings[i] = -1;
  for (int i = 0; i < count; i++) {
    if (!read_children(tree, i)) return false;
  }
  return true;
}

// The roots of the file's scene, else of the first one, else all.
static bool choose_roots(Tree *tree) {
  Gltf *gltf = tree->gltf;
  int scene = gltf->tables[GLTF_SCENES].count > 0 ? 0 : -1, count = 0, *roots = NULL;
  if (!gltf_get_index(gltf, GLTF_NOWHERE, gltf->root, "scene", GLTF_SCENES, &scene)) return false;
  for (int i = 0; scene < 0 && i < gltf->tables[GLTF_NODES].count; i++)
    tree->is_wanted[i] = tree->parents[i] < 0;
  if (scene < 0) return true;
  GltfPlace place = gltf_place(GLTF_SCENES, scene);
  if (!gltf_get_indexes(gltf, place, gltf->tables[GLTF_SCENES].items[scene], "nodes", GLTF_NODES, &roots, &count))
    return false;
  bool is_good = true;
  for (int i = 0; i < count && is_good; i++) {
    is_good = tree->parents[roots[i]] < 0 || gltf_fail(gltf, place, "node %d is no root", roots[i]);
    tree->is_wanted[roots[i]] = true;
  }
  memory_free(gltf->request->memory, roots);
  return is_good;
}

// Parents get their numbers before their children.
static void number_below(Tree *tree, int root) {
  for (int at = root; at >= 0;) {
    tree->gltf->node_numbers[at] = tree->count++;
    int next = tree->first_children[at];
    while (next < 0 && at != root) {
      next = tree->next_siblings[at];
      at = tree->parents[at];
    }
    at = next;
  }
}

static bool number_nodes(Tree *tree) {
  Gltf *gltf = tree->gltf;
  if (!link_nodes(tree) || !choose_roots(tree)) return false;
  int count = gltf->tables[GLTF_NODES].count;
  for (int i = 0; i < count; i++)
    gltf->node_numbers[i] = -1;
  for (int i = 0; i < count; i++) {
    if (tree->is_wanted[i]) number_below(tree, i);
  }
  // A ring of nodes has no root and would silently be left out.
  for (int i = 0; i < count; i++) {
    int at = i;
    for (int steps = 0; at >= 0 && gltf->node_numbers[at] < 0; steps++) {
      if (steps > MODEL_MAX_DEPTH)
        return gltf_fail(gltf, gltf_place(GLTF_NODES, i), "the nodes form a cycle, or are nested too deeply");
      at = tree->parents[at];
    }
  }
  return true;
}

// ---- Nodes

// Column by column, of which the last row is left out.
static Affine affine_of(const float m[16]) {
  return (Affine){{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}};
}

static bool read_matrix(Gltf *gltf, GltfPlace place, const cJSON *object, ModelNode *node) {
  float m[16];
  if (!cJSON_GetObjectItemCaseSensitive(object, "matrix")) return true;
  if (!gltf_get_numbers(gltf, place, object, "matrix", 16, m)) return false;
  if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1)
    model_warn(gltf->model, "nodes[%d]: the last row of its matrix is not 0 0 0 1", place.index);
  node->has_matrix = true;
  node->matrix = affine_of(m);
  return true;
}

static bool read_transform(Gltf *gltf, GltfPlace place, const cJSON *object, ModelNode *node) {
  bool is_good = gltf_get_numbers(gltf, place, object, "translation", 3, &node->translation.x) &&
                 gltf_get_numbers(gltf, place, object, "rotation", 4, &node->rotation.x) &&
                 gltf_get_numbers(gltf, place, object, "scale", 3, &node->scale.x) &&
                 read_matrix(gltf, place, object, node);
  node->rotation = quat_normalize(node->rotation);
  return is_good;
}

static bool read_weights(Gltf *gltf, GltfPlace place, const cJSON *object, ModelNode *node) {
  int count = node->mesh >= 0 ? gltf->model->meshes[node->mesh].morph_target_count : 0;
  if (count == 0 || !cJSON_GetObjectItemCaseSensitive(object, "weights")) return true;
  float *weights = arena_alloc_array(&gltf->model->arena, (size_t)count, sizeof *weights);
  if (!weights) return error_set_out_of_memory(gltf->error);
  node->morph_weights = weights;
  return gltf_get_numbers(gltf, place, object, "weights", count, weights);
}

static bool add_node(Tree *tree, int index) {
  Gltf *gltf = tree->gltf;
  GltfPlace place = gltf_place(GLTF_NODES, index);
  const cJSON *object = gltf->tables[GLTF_NODES].items[index], *light;
  ModelNode *node = &gltf->model->nodes[gltf->node_numbers[index]];
  int parent = tree->parents[index];
  *node = model_default_node(gltf_name(gltf, place, object, "node"));
  if (!node->name) return false;
  node->parent = parent >= 0 ? gltf->node_numbers[parent] : -1;
  if (!gltf_get_index(gltf, place, object, "mesh", GLTF_MESHES, &node->mesh) ||
      !gltf_get_index(gltf, place, object, "skin", GLTF_SKINS, &node->skin) ||
      !gltf_get_index(gltf, place, object, "camera", GLTF_CAMERAS, &node->camera) ||
      !gltf_get_extension(gltf, place, object, "KHR_lights_punctual", &light) ||
      !gltf_get_index(gltf, place, light, "light", GLTF_LIGHTS, &node->light) ||
      !read_transform(gltf, place, object, node))
    return false;
  // Nothing is left of a mesh of points or lines.
  if (node->mesh >= 0 && gltf->model->meshes[node->mesh].vertex_count == 0) node->mesh = -1;
  if (node->mesh < 0) node->skin = -1;
  return read_weights(gltf, place, object, node);
}

static bool add_all_nodes(Tree *tree) {
  Gltf *gltf = tree->gltf;
  Model *model = gltf->model;
  if (tree->count > MODEL_MAX_NODES)
    return gltf_fail(gltf, GLTF_NOWHERE, "count of nodes is %d, the most is %d", tree->count, MODEL_MAX_NODES);
  model->nodes = arena_alloc_array(&model->arena, (size_t)tree->count, sizeof *model->nodes);
  if (!model->nodes) return error_set_out_of_memory(gltf->error);
  for (int i = 0; i < gltf->tables[GLTF_NODES].count; i++) {
    if (gltf->node_numbers[i] >= 0 && !add_node(tree, i)) return false;
  }
  model->node_count = tree->count;
  return true;
}

// ---- Skins

static bool read_bind_pose(Gltf *gltf, GltfPlace place, const cJSON *object, int count, Affine *bind) {
  static const GltfForm FORM = {16, 16, GLTF_BIT(GLTF_FLOAT), 0, false};
  int index = -1;
  GltfAccessor accessor;
  for (int i = 0; i < count; i++)
    bind[i] = AFFINE_IDENTITY;
  if (!gltf_get_index(gltf, place, object, "inverseBindMatrices", GLTF_ACCESSORS, &index)) return false;
  if (index < 0) return true;
  if (!gltf_accessor(gltf, index, &accessor)) return false;
  if (!gltf_expect(gltf, &accessor, &FORM, "inverseBindMatrices")) return false;
  if (accessor.count < count)
    return gltf_fail(gltf, accessor.place, "count of %d matrices for %d joints", accessor.count, count);
  if (!gltf_spend(gltf, place, (uint64_t)accessor.count)) return false;
  float *m = memory_alloc_array(gltf->request->memory, (size_t)accessor.count, 16 * sizeof(float));
  if (!m) return error_set_out_of_memory(gltf->error);
  gltf_read_floats(&accessor, 16, m);
  for (int i = 0; i < count; i++)
    bind[i] = affine_of(m + 16 * i);
  memory_free(gltf->request->memory, m);
  return true;
}

static bool add_skin(Gltf *gltf, int index, ModelSkin *skin) {
  GltfPlace place = gltf_place(GLTF_SKINS, index);
  const cJSON *object = gltf->tables[GLTF_SKINS].items[index];
  Arena *arena = &gltf->model->arena;
  int *joints, count, root = -1;
  if (!gltf_get_indexes(gltf, place, object, "joints", GLTF_NODES, &joints, &count)) return false;
  int *numbers = arena_alloc_array(arena, (size_t)count, sizeof *numbers);
  Affine *bind = arena_alloc_array(arena, (size_t)count, sizeof *bind);
  const char *name = gltf_name(gltf, place, object, "skin");
  bool is_good = name && ((numbers && bind) || error_set_out_of_memory(gltf->error));
  if (is_good && count == 0) is_good = gltf_fail(gltf, place, "it has no joints, expected some");
  for (int i = 0; i < count && is_good; i++) {
    numbers[i] = gltf->node_numbers[joints[i]];
    if (numbers[i] >= 0)
      gltf->is_joint[numbers[i]] = true;
    else
      is_good = gltf_fail(gltf, place, "its joint, node %d, is in no scene that is loaded", joints[i]);
  }
  is_good = is_good && gltf_get_index(gltf, place, object, "skeleton", GLTF_NODES, &root) &&
            read_bind_pose(gltf, place, object, count, bind);
  memory_free(gltf->request->memory, joints);
  *skin = (ModelSkin){name, count, numbers, bind, root >= 0 ? gltf->node_numbers[root] : -1};
  return is_good;
}

static bool add_skins(Gltf *gltf) {
  Model *model = gltf->model;
  int count = gltf->tables[GLTF_SKINS].count;
  model->node_skins = arena_alloc_array(&model->arena, (size_t)count, sizeof *model->node_skins);
  int *numbers = memory_alloc_array(gltf->request->memory, (size_t)count, sizeof *numbers);
  bool is_good = (model->node_skins && numbers) || error_set_out_of_memory(gltf->error);
  // Those of other scenes are left out.
  for (int i = 0; i < model->node_count && is_good; i++) {
    if (model->nodes[i].skin >= 0) numbers[model->nodes[i].skin] = 1;
  }
  for (int i = 0; i < count && is_good; i++) {
    if (numbers[i] == 0) continue;
    numbers[i] = model->node_skin_count;
    is_good = add_skin(gltf, i, &model->node_skins[model->node_skin_count]);
    model->node_skin_count += is_good;
  }
  for (int i = 0; i < model->node_count && is_good; i++) {
    if (model->nodes[i].skin >= 0) model->nodes[i].skin = numbers[model->nodes[i].skin];
  }
  memory_free(gltf->request->memory, numbers);
  return is_good;
}

// ---- Cameras

static bool add_camera(Gltf *gltf, int index, ModelCamera *camera) {
  GltfPlace place = gltf_place(GLTF_CAMERAS, index);
  const cJSON *object = gltf->tables[GLTF_CAMERAS].items[index], *lens = NULL;
  const char *type = "";
  float height = 1;
  *camera = (ModelCamera){.kind = CAMERA_PERSPECTIVE, .fov = 1, .aspect = 1, .near_plane = 0.1f, .target = -1};
  if (!gltf_get_text(gltf, place, object, "type", &type)) return false;
  bool is_parallel = strcmp(type, "orthographic") == 0;
  if (!is_parallel && strcmp(type, "perspective") != 0)
    return gltf_fail(gltf, place, "\"type\" %.20s is unknown", type);
  if (!gltf_get_object(gltf, place, object, type, &lens)) return false;
  if (!lens) return gltf_fail(gltf, place, "\"%s\" is missing", type);
  if (is_parallel) camera->kind = CAMERA_PARALLEL;
  bool is_good = gltf_get_number(gltf, place, lens, "yfov", &camera->fov) &&
                 gltf_get_number(gltf, place, lens, "aspectRatio", &camera->aspect) &&
                 gltf_get_number(gltf, place, lens, "ymag", &height) &&
                 gltf_get_number(gltf, place, lens, "znear", &camera->near_plane) &&
                 gltf_get_number(gltf, place, lens, "zfar", &camera->far_plane);
  if (!is_good) return false;
  camera->size = 2 * fabsf(height);
  bool is_wide = is_parallel ? camera->size > 0 : camera->fov > 0 && camera->fov < (float)PI && camera->near_plane > 0;
  return is_wide || gltf_fail(gltf, place, "its lens sees nothing: angle %g, height %g, near plane %g",
                              (double)camera->fov, (double)camera->size, (double)camera->near_plane);
}

// ---- Lights

// Lights here have no physical unit: 1 is full. A lamp of I candela lights what is d metres away with I / d^2 lux, so it is
// full up to a metre and gone where a sixteenth is left, unless the file says where.
static void set_intensity(ModelLight *light, float intensity) {
  bool is_sun = light->kind == LIGHT_DIRECTIONAL;
  light->intensity = is_sun ? intensity : clampf(intensity, 0, 1);
  if (!is_sun && light->range <= 0) light->range = 4 * sqrtf(fmaxf(intensity, 0));
}

static bool add_light(Gltf *gltf, int index, ModelLight *light) {
  GltfPlace place = gltf_place(GLTF_LIGHTS, index);
  const cJSON *object = gltf->tables[GLTF_LIGHTS].items[index], *spot = NULL;
  const char *type = "";
  float color[3] = {1, 1, 1}, intensity = 1;
  *light = (ModelLight){.attenuation = {1, 0, 0}, .outer_angle = (float)(PI / 4), .target = -1};
  if (!gltf_get_text(gltf, place, object, "type", &type) || !gltf_get_numbers(gltf, place, object, "color", 3, color) ||
      !gltf_get_number(gltf, place, object, "intensity", &intensity) ||
      !gltf_get_number(gltf, place, object, "range", &light->range) ||
      !gltf_get_object(gltf, place, object, "spot", &spot) ||
      !gltf_get_number(gltf, place, spot, "innerConeAngle", &light->inner_angle) ||
      !gltf_get_number(gltf, place, spot, "outerConeAngle", &light->outer_angle))
    return false;
  if (strcmp(type, "directional") == 0)
    light->kind = LIGHT_DIRECTIONAL;
  else if (strcmp(type, "point") == 0)
    light->kind = LIGHT_POINT;
  else if (strcmp(type, "spot") == 0)
    light->kind = LIGHT_SPOT;
  else
    return gltf_fail(gltf, place, "\"type\" %.20s is unknown", type);
  light->color = (Color){gltf_to_display(color[0]), gltf_to_display(color[1]), gltf_to_display(color[2]), 1};
  set_intensity(light, intensity);
  return true;
}

static bool add_cameras_and_lights(Gltf *gltf) {
  Model *model = gltf->model;
  int cameras = gltf->tables[GLTF_CAMERAS].count, lights = gltf->tables[GLTF_LIGHTS].count;
  model->cameras = arena_alloc_array(&model->arena, (size_t)cameras, sizeof *model->cameras);
  model->lights = arena_alloc_array(&model->arena, (size_t)lights, sizeof *model->lights);
  if (!model->cameras || !model->lights) return error_set_out_of_memory(gltf->error);
  for (; model->camera_count < cameras; model->camera_count++) {
    if (!add_camera(gltf, model->camera_count, &model->cameras[model->camera_count])) return false;
  }
  for (; model->light_count < lights; model->light_count++) {
    if (!add_light(gltf, model->light_count, &model->lights[model->light_count])) return false;
  }
  return true;
}

bool gltf_add_nodes(Gltf *gltf) {
  Memory *memory = gltf->request->memory;
  size_t count = (size_t)gltf->tables[GLTF_NODES].count;
  Tree tree = {.gltf = gltf};
  gltf->node_numbers = memory_alloc_array(memory, count, sizeof(int));
  gltf->is_joint = memory_alloc_array(memory, count, sizeof(bool));
  tree.parents = memory_alloc_array(memory, count, sizeof(int));
  tree.first_children = memory_alloc_array(memory, count, sizeof(int));
  tree.next_siblings = memory_alloc_array(memory, count, sizeof(int));
  tree.is_wanted = memory_alloc_array(memory, count, sizeof(bool));
  bool is_good = (gltf->node_numbers && gltf->is_joint && tree.parents && tree.first_children && tree.next_siblings &&
                  tree.is_wanted) ||
                 error_set_out_of_memory(gltf->error);
  is_good = is_good && number_nodes(&tree) && add_all_nodes(&tree) && add_skins(gltf) && add_cameras_and_lights(gltf);
  memory_free(memory, tree.parents);
  memory_free(memory, tree.first_children);
  memory_free(memory, tree.next_siblings);
  memory_free(memory, tree.is_wanted);
  return is_good;
}
