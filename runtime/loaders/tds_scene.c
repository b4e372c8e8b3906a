// The tree of nodes of a 3DS file. The keyframer names objects; what it does not name stands where it was saved. Positions of
// meshes are those of the world at the moment of saving, so each node also needs the way from there into its own space, and
// writers differ in what they mean by it: find_geometry knows the kinds there are.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "loaders/model_pose.h"
#include "loaders/tds.h"

// The editor's objects of one kind by their names.
typedef struct Objects {
  NameTable names;
  int *firsts;  // by the number of a name: the first object of it
} Objects;

typedef struct Scene {
  Tds *tds;
  int node_count;  // of the keyframer
  int *order;      // of the model's nodes: the keyframer's, parents first
  int *number;     // the way back
  Objects meshes, lights, cameras;
  int *next_meshes;   // one a mesh: the next one of its name, or -1
  int *mesh_of_node;  // by the keyframer's nodes
  int *first_nodes;   // one a mesh: the keyframer's node whose frame the mesh was saved in, or -1
  float *mesh_sizes;  // one a mesh, 0 until somebody asks
  ARRAY(ModelTrack) tracks;
  bool is_animated;
} Scene;

// ---- Parents

static bool link_parents(Tds *tds) {
  IdMap ids = {.memory = tds->request->memory};
  int *first_of_id = memory_alloc_array(tds->request->memory, (size_t)tds->nodes.count, sizeof *first_of_id);
  bool is_good = first_of_id != NULL;
  for (int i = 0; i < tds->nodes.count && is_good; i++) {
    const TdsNode *node = &tds->nodes.items[i];
    // Old files have no ids: then it is the order.
    int known = ids.keys.count, id = id_map_add(&ids, (uint64_t)(node->id >= 0 ? node->id : i));
    is_good = id >= 0;
    if (id == known) first_of_id[id] = i;
    if (is_good && id < known) model_warn(tds->model, "duplicate node id %d", node->id >= 0 ? node->id : i);
  }
  for (int i = 0; i < tds->nodes.count && is_good; i++) {
    TdsNode *node = &tds->nodes.items[i];
    if (node->parent_id == 0xffff) continue;
    int id = id_map_find(&ids, node->parent_id);
    if (id >= 0)
      node->parent = first_of_id[id];
    else
      model_warn(tds->model, "node %d: parent %u does not exist", i, node->parent_id);
  }
  id_map_free(&ids);
  memory_free(tds->request->memory, first_of_id);
  return is_good;
}

// Walks up from each node until it meets one that is known to end at a root; a node met twice on the way becomes a root.
static bool break_cycles(Tds *tds) {
  int *walk_of = memory_alloc_array(tds->request->memory, (size_t)tds->nodes.count, sizeof *walk_of);
  if (!walk_of) return false;
  for (int i = 0; i < tds->nodes.count; i++) {
    for (int at = i; at >= 0 && walk_of[at] == 0; at = tds->nodes.items[at].parent) {
      walk_of[at] = i + 1;
      int parent = tds->nodes.items[at].parent;
      if (parent < 0 || walk_of[parent] != i + 1) continue;
      model_warn(tds->model, "a cycle of nodes through \"%.*s\", cut there",
                 text_shown_length(tds->nodes.items[at].name, 100), tds->nodes.items[at].name.start);
      tds->nodes.items[at].parent = -1;
    }
  }
  memory_free(tds->request->memory, walk_of);
  return true;
}

// Depth first from each root, in the order of the file; most files are in order already.
static bool order_nodes(Scene *scene) {
  const Tds *tds = scene->tds;
  int count = scene->node_count, done = 0;
  bool is_ordered = true;
  for (int i = 0; i < count; i++)
    is_ordered = is_ordered && tds->nodes.items[i].parent < i;
  if (is_ordered) {
    for (int i = 0; i < count; i++)
      scene->order[i] = scene->number[i] = i;
    return true;
  }
  int *first = memory_alloc_array(tds->request->memory, (size_t)count + 1, sizeof *first);
  int *next = memory_alloc_array(tds->request->memory, (size_t)count + 1, sizeof *next);
  if (first && next) {
    // first[0] and next belong to the roots; node i has number i + 1, and 0 ends a list.
    for (int i = count; i > 0; i--) {
      int parent = tds->nodes.items[i - 1].parent + 1;
      next[i] = first[parent];
      first[parent] = i;
    }
    for (int at = first[0]; at > 0;) {
      scene->number[at - 1] = done;
      scene->order[done++] = at - 1;
      int up = at;
      at = first[at];
      while (at == 0 && up > 0) {
        at = next[up];
        up = tds->nodes.items[up - 1].parent + 1;
      }
    }
  }
  memory_free(tds->request->memory, first);
  memory_free(tds->request->memory, next);
  return first && next;
}

// ---- Names

_Static_assert(offsetof(TdsMesh, name) == 0 && offsetof(TdsLight, name) == 0 && offsetof(TdsCamera, name) == 0,
               "objects begin with their name");

// Names `count` structs of `size` bytes that begin with their name. `nexts`, unless NULL, gets for each the next one of its
// name.
static bool name_objects(Objects *objects, Memory *memory, const void *items, size_t size, int count, int *nexts) {
  objects->names.ids.memory = memory;
  objects->firsts = memory_alloc_array(memory, (size_t)count, sizeof *objects->firsts);
  if (!objects->firsts) return false;
  for (int i = count - 1; i >= 0; i--) {
    const TextSlice *name = (const TextSlice *)(const void *)((const char *)items + size * (size_t)i);
    int known = objects->names.texts.count, id = name_table_add(&objects->names, *name);
    if (id < 0) return false;
    if (nexts) nexts[i] = id < known ? objects->firsts[id] : -1;
    objects->firsts[id] = i;
  }
  return true;
}

static bool name_all(Scene *scene) {
  const Tds *tds = scene->tds;
  Memory *memory = tds->request->memory;
  return name_objects(&scene->meshes, memory, tds->meshes.items, sizeof(TdsMesh), tds->meshes.count,
                      scene->next_meshes) &&
         name_objects(&scene->lights, memory, tds->lights.items, sizeof(TdsLight), tds->lights.count, NULL) &&
         name_objects(&scene->cameras, memory, tds->cameras.items, sizeof(TdsCamera), tds->cameras.count, NULL);
}

static void free_objects(Memory *memory, Objects *objects) {
  name_table_free(&objects->names);
  memory_free(memory, objects->firsts);
}

// The first object of a name, or -1.
static int find_object(const Objects *objects, TextSlice name) {
  int id = name_table_find(&objects->names, name);
  return id >= 0 ? objects->firsts[id] : -1;
}

// Several nodes of one name show the same mesh; but where there are several meshes of that name, one after the other.
static void match_meshes(Scene *scene) {
  const Tds *tds = scene->tds;
  for (int i = 0; i < tds->meshes.count; i++)
    scene->first_nodes[i] = -1;
  for (int i = 0; i < scene->node_count; i++) {
    const TdsNode *node = &tds->nodes.items[i];
    int mesh = node->kind == TDS_OBJECT ? find_object(&scene->meshes, node->name) : -1;
    scene->mesh_of_node[i] = mesh;
    if (mesh < 0) continue;
    int fresh = mesh;
    while (node->instance.length == 0 && fresh >= 0 && tds->meshes.items[fresh].node_count > 0)
      fresh = scene->next_meshes[fresh];
    // The search starts where the last one ended.
    if (fresh >= 0 && fresh != mesh) {
      mesh = scene->mesh_of_node[i] = fresh;
      scene->meshes.firsts[name_table_find(&scene->meshes.names, node->name)] = fresh;
    }
    tds->meshes.items[mesh].node_count++;
    if (scene->first_nodes[mesh] < 0 ||
        (node->instance.length == 0 && tds->nodes.items[scene->first_nodes[mesh]].instance.length > 0))
      scene->first_nodes[mesh] = i;
  }
}

// ---- The space of a mesh

static bool are_close(float a, float b, float tolerance) {
  return fabsf(a - b) <= tolerance;
}

static bool is_column_close(Vec3 a, Vec3 b) {
  const float RELATIVE = 2e-3f;
  return are_close(a.x, b.x, RELATIVE * fmaxf(1, fabsf(b.x))) && are_close(a.y, b.y, RELATIVE * fmaxf(1, fabsf(b.y))) &&
         are_close(a.z, b.z, RELATIVE * fmaxf(1, fabsf(b.z)));
}

static bool is_close(Affine a, Affine b, float size) {
  float distance = 1e-3f * size + 1e-4f;
  return is_column_close(a.x, b.x) && is_column_close(a.y, b.y) && is_column_close(a.z, b.z) &&
         are_close(a.origin.x, b.origin.x, distance) && are_close(a.origin.y, b.origin.y, distance) &&
         are_close(a.origin.z, b.origin.z, distance);
}

// Its largest side, 1 for none.
static float mesh_size(const ModelMesh *mesh) {
  Bounds box = BOUNDS_EMPTY;
  for (int i = 0; i < mesh->vertex_count; i++)
    box = bounds_add_point(box, vec3(mesh->positions[3 * i], mesh->positions[3 * i + 1], mesh->positions[3 * i + 2]));
  if (bounds_is_empty(box)) return 1;
  Vec3 size = vec3_sub(box.max, box.min);
  float largest = fmaxf(size.x, fmaxf(size.y, size.z));
  return largest > 0 ? largest : 1;
}

static Affine shift(Vec3 by) {
  Affine a = AFFINE_IDENTITY;
  a.origin = by;
  return a;
}

// From the stored vertices into the node, by what fits its place at frame 0 and the mesh's object frame: most writers save
// with W = M, 3D Studio for DOS with W = M and the pivot on top, some save no object frame at all; where nothing fits, the file
// was saved at another frame. Worked out on real files; node places at frame 0 reproduce what is stored.
static Affine find_geometry(const Tds *tds, const TdsMesh *mesh, const TdsNode *node, Affine world, float size) {
  Affine frame = mesh->has_matrix ? mesh->matrix : AFFINE_IDENTITY, inverse, inverse_world;
  bool has_pivot = vec3_length(node->pivot) > 1e-7f;
  if (!affine_invert(frame, &inverse)) return affine_invert(world, &inverse_world) ? inverse_world : AFFINE_IDENTITY;
  Affine without_pivot = affine_mul(shift(vec3_negate(node->pivot)), inverse);
  if (is_close(world, frame, size)) return inverse;
  if (has_pivot && is_close(world, affine_mul(frame, shift(node->pivot)), size)) return without_pivot;
  if (is_close(frame, AFFINE_IDENTITY, size) && affine_invert(world, &inverse_world)) return inverse_world;
  return has_pivot && !tds->is_max_scene ? without_pivot : inverse;
}

// Where nothing moves, vertices are where they were saved; only further instances need to know more.
static Affine node_geometry(Scene *scene, int node, const Affine *worlds) {
  const Tds *tds = scene->tds;
  int mesh = scene->mesh_of_node[node], first = scene->first_nodes[mesh];
  float *size = &scene->mesh_sizes[mesh];
  Affine inverse;
  if (!scene->is_animated && node == first && affine_invert(worlds[scene->number[node]], &inverse)) return inverse;
  if (*size == 0) *size = mesh_size(&tds->model->meshes[mesh]);
  return find_geometry(tds, &tds->meshes.items[mesh], &tds->nodes.items[first], worlds[scene->number[first]], *size);
}

// ---- Nodes

static const char *node_name(Scene *scene, const TdsNode *node) {
  TextSlice name = node->instance.length > 0 ? node->instance : node->name;
  char text[256];
  bool is_target = node->kind == TDS_CAMERA_TARGET || node->kind == TDS_LIGHT_TARGET;
  if (!is_target) return text_copy_utf8(&scene->tds->model->arena, name.start, name.length);
  // Targets are called like what looks at them.
  int length = snprintf(text, sizeof text, "%.*s.Target", text_shown_length(name, 200), name.start);
  return text_copy_utf8(&scene->tds->model->arena, text, (size_t)length);
}

// What a track has at frame 0.
static void set_rest(ModelNode *node, ModelCamera *camera, ModelLight *light, const Track *track) {
  float v[4];
  int cursor = 0;
  model_move_node(node, track, 0);
  track_sample(track, 0, &cursor, v);
  if (track->property == TRACK_FOV && camera) camera->fov = v[0];
  if (track->property == TRACK_ROLL && camera) camera->roll = v[0];
  if (track->property == TRACK_COLOR && light) light->color = (Color){v[0], v[1], v[2], 1};
}

static bool has_track(TdsNodeKind node, TdsTrackKind track) {
  switch (track) {
    case TDS_POSITION:
    case TDS_HIDE:
      return true;
    case TDS_ROTATION:
    case TDS_SCALE:
      return node == TDS_OBJECT;
    case TDS_FOV:
    case TDS_ROLL:
      return node == TDS_CAMERA;
    default:
      return track == TDS_COLOR && (node == TDS_LIGHT || node == TDS_SPOT);
  }
}

static bool add_tracks(Scene *scene, const TdsNode *source, int number) {
  Model *model = scene->tds->model;
  ModelNode *node = &model->nodes[number];
  ModelCamera *camera = node->camera >= 0 ? &model->cameras[node->camera] : NULL;
  ModelLight *light = node->light >= 0 ? &model->lights[node->light] : NULL;
  for (int kind = 0; kind < TDS_TRACK_COUNT; kind++) {
    ModelTrack track = {.target = number};
    if (!has_track(source->kind, (TdsTrackKind)kind)) continue;
    if (!tds_build_track(scene->tds, source, (TdsTrackKind)kind, &track.keys)) return false;
    if (track.keys.key_count == 0) continue;
    set_rest(node, camera, light, &track.keys);
    if (track.keys.key_count == 1) continue;
    scene->is_animated = true;
    if (!array_push(scene->tds->request->memory, &scene->tracks, track)) return false;
  }
  return true;
}

static bool add_keyframer_node(Scene *scene, int number) {
  Tds *tds = scene->tds;
  const TdsNode *source = &tds->nodes.items[scene->order[number]];
  ModelNode *node = &tds->model->nodes[number];
  const char *name = node_name(scene, source);
  if (!name) return false;
  *node = model_default_node(name);
  node->parent = source->parent >= 0 ? scene->number[source->parent] : -1;
  if (source->kind == TDS_CAMERA) {
    node->camera = find_object(&scene->cameras, source->name);
    if (node->camera >= 0) tds->cameras.items[node->camera].node_count++;
  } else if (source->kind == TDS_LIGHT || source->kind == TDS_SPOT) {
    node->light = find_object(&scene->lights, source->name);
    if (node->light >= 0) tds->lights.items[node->light].node_count++;
  }
  return add_tracks(scene, source, number);
}

// A target belongs to the camera or light of its name.
static void link_targets(const Scene *scene) {
  const Tds *tds = scene->tds;
  for (int i = 0; i < scene->node_count; i++) {
    const TdsNode *node = &tds->nodes.items[i];
    bool is_camera = node->kind == TDS_CAMERA_TARGET;
    if (!is_camera && node->kind != TDS_LIGHT_TARGET) continue;
    int object = find_object(is_camera ? &scene->cameras : &scene->lights, node->name);
    if (object < 0) continue;
    int *target = is_camera ? &tds->model->cameras[object].target : &tds->model->lights[object].target;
    if (*target < 0) *target = scene->number[i];
  }
}

static bool place_meshes(Scene *scene) {
  Tds *tds = scene->tds;
  Affine *worlds = memory_alloc_array(tds->request->memory, (size_t)scene->node_count, sizeof *worlds);
  if (!worlds) return false;
  model_node_worlds(tds->model->nodes, scene->node_count, worlds);
  for (int i = 0; i < scene->node_count; i++) {
    int mesh = scene->mesh_of_node[i];
    if (mesh < 0 || tds->model->meshes[mesh].vertex_count == 0) continue;
    ModelNode *node = &tds->model->nodes[scene->number[i]];
    node->mesh = mesh;
    node->geometry = node_geometry(scene, i, worlds);
    node->is_hidden = node->is_hidden || tds->meshes.items[mesh].is_hidden;
  }
  memory_free(tds->request->memory, worlds);
  return true;
}

// ---- What the keyframer does not name

static ModelNode *add_extra_node(Tds *tds, TextSlice name) {
  const char *copy = text_copy_utf8(&tds->model->arena, name.start, name.length);
  if (!copy) return NULL;
  ModelNode *node = &tds->model->nodes[tds->model->node_count++];
  *node = model_default_node(copy);
  return node;
}

static Quat look_with_roll(Vec3 from, Vec3 to, float roll) {
  Quat look = vec3_equals(from, to) ? QUAT_IDENTITY : quat_look_along(vec3_sub(to, from));
  return quat_mul(look, quat_from_axis_angle(vec3(0, 0, 1), -roll));
}

static bool add_extra_nodes(Tds *tds) {
  for (int i = 0; i < tds->meshes.count; i++) {
    if (tds->meshes.items[i].node_count > 0) continue;
    ModelNode *node = add_extra_node(tds, tds->meshes.items[i].name);
    if (!node) return false;
    if (tds->model->meshes[i].vertex_count > 0) node->mesh = i;
    node->is_hidden = tds->meshes.items[i].is_hidden;
  }
  for (int i = 0; i < tds->lights.count; i++) {
    const TdsLight *light = &tds->lights.items[i];
    if (light->node_count > 0) continue;
    ModelNode *node = add_extra_node(tds, light->name);
    if (!node) return false;
    node->light = i;
    node->translation = light->position;
    if (light->has_target) node->rotation = look_with_roll(light->position, light->target, 0);
  }
  for (int i = 0; i < tds->cameras.count; i++) {
    const TdsCamera *camera = &tds->cameras.items[i];
    if (camera->node_count > 0) continue;
    ModelNode *node = add_extra_node(tds, camera->name);
    if (!node) return false;
    node->camera = i;
    node->translation = camera->position;
    node->rotation = look_with_roll(camera->position, camera->target, camera->camera.roll);
  }
  return true;
}

// Where the keyframer names a camera or spot but not its target, the direction is that of the editor.
static void turn_without_target(Tds *tds) {
  for (int i = 0; i < tds->model->node_count; i++) {
    ModelNode *node = &tds->model->nodes[i];
    if (node->camera >= 0 && tds->model->cameras[node->camera].target < 0) {
      const TdsCamera *camera = &tds->cameras.items[node->camera];
      node->rotation = look_with_roll(camera->position, camera->target, camera->camera.roll);
    }
    if (node->light >= 0 && tds->model->lights[node->light].target < 0) {
      const TdsLight *light = &tds->lights.items[node->light];
      if (light->has_target) node->rotation = look_with_roll(light->position, light->target, 0);
    }
  }
}

// ---- The whole

static bool add_lights_and_cameras(Tds *tds) {
  Model *model = tds->model;
  model->lights = arena_alloc_array(&model->arena, (size_t)tds->lights.count, sizeof *model->lights);
  model->cameras = arena_alloc_array(&model->arena, (size_t)tds->cameras.count, sizeof *model->cameras);
  if (!model->lights || !model->cameras) return false;
  for (int i = 0; i < tds->lights.count; i++) {
    model->lights[i] = tds->lights.items[i].light;
    if (tds->lights.items[i].is_off) model->lights[i].intensity = 0;
  }
  for (int i = 0; i < tds->cameras.count; i++)
    model->cameras[i] = tds->cameras.items[i].camera;
  model->light_count = tds->lights.count;
  model->camera_count = tds->cameras.count;
  return true;
}

static bool add_clip(Scene *scene) {
  Tds *tds = scene->tds;
  Model *model = tds->model;
  int count = scene->tracks.count;
  if (count == 0) return true;
  model->tracks = arena_alloc_array(&model->arena, (size_t)count, sizeof *model->tracks);
  model->clips = arena_alloc(&model->arena, sizeof *model->clips);
  const char *name = arena_copy_string(&model->arena, "default", 7);
  if (!model->tracks || !model->clips || !name) return false;
  memcpy(model->tracks, scene->tracks.items, (size_t)count * sizeof *model->tracks);
  ModelClip clip = {.name = name, .kind = CLIP_NODE, .track_count = count, .fps = 30};
  clip.start = (float)tds->segment_first / clip.fps;
  clip.end = (float)tds->segment_last / clip.fps;
  if (tds->segment_last <= tds->segment_first) {
    clip.start = clip.end = 0;
    for (int i = 0; i < count; i++)
      clip.end = fmaxf(clip.end, model->tracks[i].keys.times[model->tracks[i].keys.key_count - 1]);
  }
  model->clips[0] = clip;
  model->track_count = count;
  model->clip_count = 1;
  return true;
}

static bool allocate(Scene *scene) {
  Tds *tds = scene->tds;
  Memory *memory = tds->request->memory;
  size_t count = (size_t)scene->node_count;
  size_t most = count + (size_t)tds->meshes.count + (size_t)tds->lights.count + (size_t)tds->cameras.count;
  scene->order = memory_alloc_array(memory, count, sizeof(int));
  scene->number = memory_alloc_array(memory, count, sizeof(int));
  scene->mesh_of_node = memory_alloc_array(memory, count, sizeof(int));
  scene->next_meshes = memory_alloc_array(memory, (size_t)tds->meshes.count, sizeof(int));
  scene->first_nodes = memory_alloc_array(memory, (size_t)tds->meshes.count, sizeof(int));
  scene->mesh_sizes = memory_alloc_array(memory, (size_t)tds->meshes.count, sizeof(float));
  tds->model->nodes = arena_alloc_array(&tds->model->arena, most, sizeof *tds->model->nodes);
  return scene->order && scene->number && scene->mesh_of_node && scene->next_meshes && scene->first_nodes &&
         scene->mesh_sizes && tds->model->nodes;
}

static void free_scene(Scene *scene) {
  Memory *memory = scene->tds->request->memory;
  memory_free(memory, scene->order);
  memory_free(memory, scene->number);
  memory_free(memory, scene->mesh_of_node);
  memory_free(memory, scene->first_nodes);
  memory_free(memory, scene->mesh_sizes);
  memory_free(memory, scene->next_meshes);
  free_objects(memory, &scene->meshes);
  free_objects(memory, &scene->lights);
  free_objects(memory, &scene->cameras);
  array_free(memory, &scene->tracks);
}

static bool build(Scene *scene) {
  Tds *tds = scene->tds;
  if (!allocate(scene) || !link_parents(tds) || !break_cycles(tds) || !order_nodes(scene) || !name_all(scene) ||
      !add_lights_and_cameras(tds))
    return false;
  match_meshes(scene);
  for (; tds->model->node_count < scene->node_count; tds->model->node_count++) {
    if (!add_keyframer_node(scene, tds->model->node_count)) return false;
  }
  link_targets(scene);
  if (!place_meshes(scene) || !add_extra_nodes(tds) || !add_clip(scene)) return false;
  turn_without_target(tds);
  return true;
}

bool tds_build_scene(Tds *tds) {
  Scene scene = {.tds = tds, .node_count = tds->nodes.count};
  int64_t most = (int64_t)tds->nodes.count + tds->meshes.count + tds->lights.count + tds->cameras.count;
  if (most > MODEL_MAX_NODES)
    return chunk_fail(&tds->reader, 0, "object count is %lld, the most is %d", (long long)most, MODEL_MAX_NODES);
  bool is_good = build(&scene);
  free_scene(&scene);
  return is_good || error_set_out_of_memory(tds->reader.error);
}
