// What every model has to keep to before anything else may use it. A loader's own checks give better messages, with the
// place in the file; these here make sure that no loader forgot one.
#include <string.h>

#include "loaders/model.h"

typedef struct Check {
  Model *model;
  const char *path;
  Error *error;
  // Meshes share neither submeshes nor morph targets, and have them in their own order: so each is looked at once.
  int submesh_end, target_end;
  int frame_count;  // of all meshes that have frames
} Check;

static bool is_index(int index, int count) {
  return index >= 0 && index < count;
}

static bool is_index_or_none(int index, int count) {
  return index >= -1 && index < count;
}

static bool is_range(int first, int count, int limit) {
  return first >= 0 && count >= 0 && first <= limit - count;
}

// All bits of the exponent set means infinite or not a number. Written without a way out, so that it vectorises.
static bool are_finite(const float *values, size_t count) {
  uint32_t found = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, values + i, sizeof bits);
    found |= (bits & 0x7f800000u) == 0x7f800000u;
  }
  return found == 0;
}

static bool are_finite_or_none(const float *values, int count, int components) {
  return !values || are_finite(values, (size_t)count * (size_t)components);
}

static bool is_affine_finite(Affine a) {
  return vec3_is_finite(a.x) && vec3_is_finite(a.y) && vec3_is_finite(a.z) && vec3_is_finite(a.origin);
}

static bool is_color_finite(Color c) {
  return isfinite(c.r) && isfinite(c.g) && isfinite(c.b) && isfinite(c.a);
}

static bool refuse(const Check *check, const char *kind, int index, const char *what) {
  return error_set(check->error, "%s: %s %d: %s", check->path, kind, index, what);
}

static bool check_counts(const Check *check) {
  const Model *m = check->model;
  const int counts[] = {m->mesh_count,  m->submesh_count, m->morph_target_count, m->material_count, m->image_count,
                        m->skin_count,  m->node_count,    m->node_skin_count,    m->clip_count,     m->track_count,
                        m->light_count, m->camera_count,  m->lod_count,          m->warning_count};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    if (counts[i] < 0) return error_set(check->error, "%s: a negative count", check->path);
  }
  if (m->node_count > MODEL_MAX_NODES)
    return error_set(check->error, "%s: %d nodes, the most is %d", check->path, m->node_count, MODEL_MAX_NODES);
  if (!is_index_or_none(m->active_camera, m->camera_count))
    return error_set(check->error, "%s: active camera %d of %d", check->path, m->active_camera, m->camera_count);
  if (!is_color_finite(m->fog.color) || !is_color_finite(m->ambient) || !is_color_finite(m->background) ||
      !isfinite(m->fog.near_distance) || !isfinite(m->fog.far_distance) || !isfinite(m->fog.density))
    return error_set(check->error, "%s: a number of fog, ambient light or background is not finite", check->path);
  return true;
}

static bool check_indices(const Check *check, int index, const ModelMesh *mesh) {
  if (mesh->index_count < 0 || mesh->index_count % 3 != 0 || mesh->index_count / 3 > MODEL_MAX_TRIANGLES)
    return refuse(check, "mesh", index, "the number of indices is not that of some triangles or too large");
  if (mesh->index_count > 0 && !mesh->indices) return refuse(check, "mesh", index, "indices are missing");
  uint32_t is_outside = 0;
  for (int i = 0; i < mesh->index_count; i++)
    is_outside |= mesh->indices[i] >= (uint32_t)mesh->vertex_count;
  for (int i = 0; is_outside && i < mesh->index_count; i++) {
    if (mesh->indices[i] >= (uint32_t)mesh->vertex_count)
      return error_set(check->error, "%s: mesh %d: vertex index %u is out of range, there are %d vertices", check->path,
                       index, mesh->indices[i], mesh->vertex_count);
  }
  return true;
}

static bool check_attributes(const Check *check, int index, const ModelMesh *mesh) {
  int count = mesh->vertex_count;
  if (count < 0 || count > MODEL_MAX_VERTICES) return refuse(check, "mesh", index, "too many vertices");
  if (count > 0 && !mesh->positions == !mesh->frames.frame_count)
    return refuse(check, "mesh", index, "needs either positions or frames");
  if (!mesh->joints != !mesh->weights) return refuse(check, "mesh", index, "joints need weights and weights joints");
  if (mesh->joints && !mesh->positions) return refuse(check, "mesh", index, "joints need positions");
  if (!are_finite_or_none(mesh->positions, count, 3)) return refuse(check, "mesh", index, "a position is not finite");
  if (!are_finite_or_none(mesh->normals, count, 3)) return refuse(check, "mesh", index, "a normal is not finite");
  if (!are_finite_or_none(mesh->uvs, count, 2))
    return refuse(check, "mesh", index, "a texture coordinate is not finite");
  if (!are_finite_or_none(mesh->weights, count, 4)) return refuse(check, "mesh", index, "a weight is not finite");
  return true;
}

static bool check_submeshes(Check *check, int index, const ModelMesh *mesh) {
  const Model *model = check->model;
  if (!is_range(mesh->first_submesh, mesh->submesh_count, model->submesh_count) ||
      (mesh->submesh_count > 0 && mesh->first_submesh < check->submesh_end))
    return refuse(check, "mesh", index, "submeshes out of range");
  if (mesh->submesh_count > 0) check->submesh_end = mesh->first_submesh + mesh->submesh_count;
  for (int i = mesh->first_submesh; i < mesh->first_submesh + mesh->submesh_count; i++) {
    const ModelSubmesh *submesh = &model->submeshes[i];
    if (!is_range(submesh->first_index, submesh->index_count, mesh->index_count) || submesh->first_index % 3 != 0 ||
        submesh->index_count % 3 != 0)
      return refuse(check, "submesh", i, "its triangles are not those of the mesh");
    if (!is_index_or_none(submesh->material, model->material_count))
      return refuse(check, "submesh", i, "material out of range");
  }
  return true;
}

static bool check_morph_targets(Check *check, int index, const ModelMesh *mesh) {
  const Model *model = check->model;
  if (!is_range(mesh->first_morph_target, mesh->morph_target_count, model->morph_target_count) ||
      (mesh->morph_target_count > 0 && mesh->first_morph_target < check->target_end))
    return refuse(check, "mesh", index, "morph targets out of range");
  if (mesh->morph_target_count > 0) check->target_end = mesh->first_morph_target + mesh->morph_target_count;
  for (int i = mesh->first_morph_target; i < mesh->first_morph_target + mesh->morph_target_count; i++) {
    const ModelMorphTarget *target = &model->morph_targets[i];
    if (!target->positions || !mesh->positions)
      return refuse(check, "morph target", i, "it or its mesh has no positions");
    if (!are_finite_or_none(target->positions, mesh->vertex_count, 3) ||
        !are_finite_or_none(target->normals, mesh->vertex_count, 3) || !isfinite(target->default_weight))
      return refuse(check, "morph target", i, "a number is not finite");
  }
  return true;
}

static bool check_frame(const Check *check, ModelMesh *mesh, int frame, int *largest_normal) {
  FrameTransform transform = vertex_frames_transform(&mesh->frames, frame);
  PackedRange range = vertex_frames_range(&mesh->frames, frame);
  Bounds bounds = packed_range_bounds(range, transform);
  if (!vec3_is_finite(transform.scale) || !vec3_is_finite(transform.translation) || !vec3_is_finite(bounds.min) ||
      !vec3_is_finite(bounds.max))
    return refuse(check, "frame", frame, "a position is not finite");
  mesh->bounds = bounds_union(mesh->bounds, bounds);
  if (range.high[3] > *largest_normal) *largest_normal = range.high[3];
  return true;
}

static bool check_frames(Check *check, int index, ModelMesh *mesh) {
  const VertexFrames *frames = &mesh->frames;
  size_t frame_size = PACKED_FRAME_HEADER_SIZE + (size_t)frames->vertex_count * PACKED_VERTEX_SIZE;
  if (!is_range(0, frames->frame_count, MODEL_MAX_FRAMES) || frames->vertex_count < 1 || !frames->bytes ||
      frames->stride < frame_size || !mesh->corner_vertices)
    return refuse(check, "mesh", index, "its frames are not complete");
  if (check->frame_count > 0 && frames->frame_count != check->frame_count)
    return refuse(check, "mesh", index, "it has not as many frames as another mesh");
  check->frame_count = frames->frame_count;
  int largest = 0, largest_normal = 0;
  for (int i = 0; i < mesh->vertex_count; i++)
    largest = mesh->corner_vertices[i] > largest ? mesh->corner_vertices[i] : largest;
  if (largest >= frames->vertex_count) return refuse(check, "mesh", index, "a corner's vertex is out of range");
  mesh->bounds = BOUNDS_EMPTY;
  for (int i = 0; i < frames->frame_count; i++) {
    if (!check_frame(check, mesh, i, &largest_normal)) return false;
  }
  // Nobody reads past the table of normals: vertex_frames_normal and vertex_frames_normal_code take any byte.
  if (largest_normal >= PACKED_NORMAL_COUNT)
    model_warn(check->model, "normal indexes up to %d; those above %d count as %d", largest_normal,
               PACKED_NORMAL_COUNT - 1, PACKED_NORMAL_COUNT - 1);
  return true;
}

// The box of some positions. Twelve numbers at once, so that they do not wait for each other and vectorise.
static Bounds positions_bounds(const float *positions, int count) {
  enum { WIDTH = 12 };
  float low[WIDTH], high[WIDTH];
  Bounds bounds = BOUNDS_EMPTY;
  int rest = count % (WIDTH / 3);
  for (int i = 0; i < rest; i++)
    bounds = bounds_add_point(bounds, vec3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]));
  if (count == rest) return bounds;
  const float *p = positions + 3 * (size_t)rest, *end = positions + 3 * (size_t)count;
  memcpy(low, p, sizeof low);
  memcpy(high, p, sizeof high);
  for (; p < end; p += WIDTH) {
    for (int k = 0; k < WIDTH; k++) {
      low[k] = p[k] < low[k] ? p[k] : low[k];
      high[k] = p[k] > high[k] ? p[k] : high[k];
    }
  }
  for (int i = 0; i < WIDTH; i += 3)
    bounds =
        bounds_union(bounds, (Bounds){vec3(low[i], low[i + 1], low[i + 2]), vec3(high[i], high[i + 1], high[i + 2])});
  return bounds;
}

// Whoever walks the tree comes to each node once, to no triangle that is not there, and never deeper than the limit.
static bool check_tree_node(const ModelTree *tree, const ModelMesh *mesh, int index, uint8_t *depths) {
  const ModelTreeNode *node = &tree->nodes[index];
  if (depths[index] == 0 || depths[index] > MODEL_TREE_MAX_DEPTH) return false;
  if (!vec3_is_finite(node->bounds.min) || !vec3_is_finite(node->bounds.max) || mesh->index_count == 0) return false;
  if (node->count > 0) return is_range(node->first, node->count, tree->order_count);
  if (node->count < 0 || node->first <= index || node->first >= tree->node_count - 1) return false;
  for (int i = 0; i < 2; i++) {
    if (depths[node->first + i] != 0) return false;
    depths[node->first + i] = (uint8_t)(depths[index] + 1);
  }
  return true;
}

static bool check_tree(const Check *check, int index, const ModelMesh *mesh) {
  const ModelTree *tree = &mesh->tree;
  if (tree->node_count == 0) return true;
  if (!mesh->positions || !tree->nodes || !tree->order || tree->order_count < 0 ||
      !is_range(0, tree->node_count, 2 * MODEL_MAX_TRIANGLES))
    return refuse(check, "mesh", index, "its collision tree is not one");
  uint8_t *depths = memory_alloc_array(check->model->arena.memory, (size_t)tree->node_count, 1);
  if (!depths) return error_set_out_of_memory(check->error);
  bool is_good = true;
  int64_t in_leaves = 0;
  depths[0] = 1;
  for (int i = 0; i < tree->node_count && is_good; i++) {
    is_good = check_tree_node(tree, mesh, i, depths);
    in_leaves += tree->nodes[i].count;
  }
  // A place in the order belongs to one leaf: a ray must not take longer than without a tree.
  is_good = is_good && in_leaves <= tree->order_count;
  for (int i = 0; i < tree->order_count && is_good; i++)
    is_good = is_index(tree->order[i], mesh->index_count / 3);
  memory_free(check->model->arena.memory, depths);
  return is_good || refuse(check, "mesh", index, "its collision tree is not one");
}

static bool check_mesh(Check *check, int index) {
  ModelMesh *mesh = &check->model->meshes[index];
  if (!check_attributes(check, index, mesh) || !check_indices(check, index, mesh) ||
      !check_submeshes(check, index, mesh) || !check_morph_targets(check, index, mesh) ||
      !check_tree(check, index, mesh))
    return false;
  if (mesh->frames.frame_count != 0) return check_frames(check, index, mesh);
  mesh->bounds = positions_bounds(mesh->positions, mesh->vertex_count);
  return true;
}

static bool check_material(const Check *check, int index) {
  const ModelMaterial *m = &check->model->materials[index];
  bool is_finite = is_color_finite(m->ambient) && is_color_finite(m->diffuse) && is_color_finite(m->specular) &&
                   is_color_finite(m->emissive) && isfinite(m->shininess) && isfinite(m->alpha_threshold) &&
                   isfinite(m->depth_offset_factor) && isfinite(m->depth_offset_units);
  for (int i = 0; i < 2; i++) {
    const ModelTextureStage *stage = &m->stages[i];
    if (!is_index_or_none(stage->image, check->model->image_count))
      return refuse(check, "material", index, "image out of range");
    is_finite = is_finite && is_color_finite(stage->blend_color) && are_finite(stage->uv_x, 2) &&
                are_finite(stage->uv_y, 2) && are_finite(stage->uv_offset, 2);
  }
  return is_finite || refuse(check, "material", index, "a number is not finite");
}

// How many joints a mesh needs: looked at once, as any number of nodes may show it.
static int count_needed_joints(const ModelMesh *mesh, int *needed) {
  if (*needed == 0 && mesh->joints) {
    int largest = 0;
    for (size_t i = 0; i < 4 * (size_t)mesh->vertex_count; i++)
      largest = mesh->joints[i] > largest ? mesh->joints[i] : largest;
    *needed = largest + 1;
  }
  return *needed;
}

static bool check_node(const Check *check, int index, uint16_t *depths, int *needed_joints) {
  const Model *model = check->model;
  const ModelNode *node = &model->nodes[index];
  if (!is_index_or_none(node->parent, index)) return refuse(check, "node", index, "its parent does not come before it");
  depths[index] = node->parent < 0 ? 1 : (uint16_t)(depths[node->parent] + 1);
  if (depths[index] > MODEL_MAX_DEPTH)
    return error_set(check->error, "%s: node %d is nested deeper than %d", check->path, index, MODEL_MAX_DEPTH);
  if (!is_index_or_none(node->mesh, model->mesh_count) || !is_index_or_none(node->skin, model->node_skin_count) ||
      !is_index_or_none(node->light, model->light_count) || !is_index_or_none(node->camera, model->camera_count))
    return refuse(check, "node", index, "mesh, skin, light or camera out of range");
  int targets = node->mesh >= 0 ? model->meshes[node->mesh].morph_target_count : 0;
  if (!are_finite_or_none(node->morph_weights, targets, 1))
    return refuse(check, "node", index, "a weight of a morph target is not finite");
  Quat r = node->rotation;
  if (!vec3_is_finite(node->translation) || !vec3_is_finite(node->scale) || !isfinite(r.x + r.y + r.z + r.w) ||
      !is_affine_finite(node->geometry) || !isfinite(node->alpha) ||
      (node->has_matrix && !is_affine_finite(node->matrix)))
    return refuse(check, "node", index, "a number is not finite");
  if (node->mesh < 0 || node->skin < 0) return true;
  return count_needed_joints(&model->meshes[node->mesh], &needed_joints[node->mesh]) <=
             model->node_skins[node->skin].joint_count ||
         refuse(check, "node", index, "a joint of its mesh is out of range");
}

static bool check_nodes(const Check *check) {
  Memory *memory = check->model->arena.memory;
  int count = check->model->node_count;
  uint16_t *depths = memory_alloc_array(memory, (size_t)count, sizeof *depths);
  int *needed_joints = memory_alloc_array(memory, (size_t)check->model->mesh_count, sizeof *needed_joints);
  bool is_good = (depths && needed_joints) || error_set_out_of_memory(check->error);
  for (int i = 0; i < count && is_good; i++)
    is_good = check_node(check, i, depths, needed_joints);
  memory_free(memory, depths);
  memory_free(memory, needed_joints);
  return is_good;
}

static bool check_node_skin(const Check *check, int index) {
  const Model *model = check->model;
  const ModelSkin *skin = &model->node_skins[index];
  if (skin->joint_count < 1 || skin->joint_count > MODEL_MAX_NODES || !is_index_or_none(skin->root, model->node_count))
    return refuse(check, "skin", index, "joints or root out of range");
  if (!skin->joints || !skin->inverse_bind) return refuse(check, "skin", index, "its joints are missing");
  for (int i = 0; i < skin->joint_count; i++) {
    if (!is_index(skin->joints[i], model->node_count)) return refuse(check, "skin", index, "a joint is out of range");
    if (!is_affine_finite(skin->inverse_bind[i])) return refuse(check, "skin", index, "a bind pose is not finite");
  }
  return true;
}

static int track_components(const Model *model, const ModelTrack *track) {
  switch (track->keys.property) {
    case TRACK_TRANSLATION:
    case TRACK_SCALE:
    case TRACK_COLOR:
      return 3;
    case TRACK_ROTATION:
      return 4;
    case TRACK_UV_OFFSET:
      return 2;
    case TRACK_VISIBILITY:
    case TRACK_ALPHA:
    case TRACK_INTENSITY:
    case TRACK_FOV:
    case TRACK_ROLL:
      return 1;
    case TRACK_MORPH_WEIGHTS: {
      int mesh = model->nodes[track->target].mesh;
      return mesh < 0 ? 0 : model->meshes[mesh].morph_target_count;
    }
    case TRACK_PROPERTY_COUNT:
      break;
  }
  return 0;
}

static bool check_keys(const Check *check, int index, const Track *keys) {
  size_t count = (size_t)keys->key_count, components = (size_t)keys->component_count;
  size_t values = count * components * (keys->interpolation == INTERPOLATE_CUBIC ? 3 : 1);
  if (values > INT32_MAX) return refuse(check, "track", index, "too many keys");
  if (!are_finite(keys->times, count) || !are_finite(keys->values, values) ||
      (keys->tcb && !are_finite(keys->tcb, 5 * count)) || (keys->spins && !are_finite(keys->spins, 4 * count)))
    return refuse(check, "track", index, "a number is not finite");
  if (keys->interpolation == INTERPOLATE_TCB && !keys->tcb) return refuse(check, "track", index, "no tension keys");
  for (size_t i = 1; i < count; i++) {
    if (keys->times[i] < keys->times[i - 1]) return refuse(check, "track", index, "its times do not ascend");
  }
  return true;
}

static bool check_track(const Check *check, int index) {
  const Model *model = check->model;
  const ModelTrack *track = &model->tracks[index];
  const Track *keys = &track->keys;
  if (!is_index(track->target, track->is_material ? model->material_count : model->node_count))
    return refuse(check, "track", index, "target out of range");
  if (!is_index((int)keys->property, TRACK_PROPERTY_COUNT) ||
      !is_index((int)keys->interpolation, TRACK_INTERPOLATION_COUNT))
    return refuse(check, "track", index, "unknown property or interpolation");
  if (track->is_material && keys->property != TRACK_COLOR && keys->property != TRACK_UV_OFFSET &&
      keys->property != TRACK_ALPHA)
    return refuse(check, "track", index, "a material does not have this property");
  if (keys->key_count < 1 || !keys->times || !keys->values || keys->component_count < 1 ||
      keys->component_count != track_components(model, track))
    return refuse(check, "track", index, "no keys, or keys of a wrong size");
  return check_keys(check, index, keys);
}

static bool check_clip(const Check *check, int index) {
  const Model *model = check->model;
  const ModelClip *clip = &model->clips[index];
  if (!clip->name || !isfinite(clip->start) || !isfinite(clip->end) || clip->end < clip->start ||
      !isfinite(clip->end - clip->start) || !isfinite(clip->fps) || clip->fps < 0)
    return refuse(check, "clip", index, "no name or no times");
  bool is_vertex_clip = clip->kind == CLIP_VERTEX;
  if (is_vertex_clip && (clip->frame_count < 1 || !(clip->fps > 0) ||
                         !is_range(clip->first_frame, clip->frame_count, check->frame_count)))
    return refuse(check, "clip", index, "frames out of range");
  if (!is_vertex_clip && !is_range(clip->first_track, clip->track_count, model->track_count))
    return refuse(check, "clip", index, "tracks out of range");
  return true;
}

static bool check_light(const Check *check, int index) {
  const ModelLight *l = &check->model->lights[index];
  if (!is_index_or_none(l->target, check->model->node_count))
    return refuse(check, "light", index, "target out of range");
  if (is_color_finite(l->color) && isfinite(l->intensity) && isfinite(l->range) && are_finite(l->attenuation, 3) &&
      isfinite(l->inner_angle) && isfinite(l->outer_angle) && isfinite(l->exponent))
    return true;
  return refuse(check, "light", index, "a number is not finite");
}

static bool check_camera(const Check *check, int index) {
  const ModelCamera *c = &check->model->cameras[index];
  if (!is_index_or_none(c->target, check->model->node_count))
    return refuse(check, "camera", index, "target out of range");
  if (isfinite(c->fov) && isfinite(c->size) && isfinite(c->near_plane) && isfinite(c->far_plane) &&
      isfinite(c->aspect) && isfinite(c->roll) && are_finite(c->projection, 16))
    return true;
  return refuse(check, "camera", index, "a number is not finite");
}

static bool check_lod(const Check *check, int index) {
  const ModelLod *lod = &check->model->lods[index];
  int count = check->model->mesh_count;
  if (is_index(lod->mesh, count) && is_index(lod->replacement, count) && isfinite(lod->distance) &&
      isfinite(lod->error))
    return true;
  return refuse(check, "level of detail", index, "out of range");
}

static bool check_image(const Check *check, int index) {
  const ModelImage *image = &check->model->images[index];
  return image->name || image->embedded.data || refuse(check, "image", index, "has neither a name nor bytes");
}

static bool check_skin_file(const Check *check, int index) {
  return check->model->skins[index] || refuse(check, "skin file", index, "has no name");
}

static bool check_warning(const Check *check, int index) {
  return check->model->warnings[index] || refuse(check, "warning", index, "has no text");
}

static bool check_companions(const Check *check) {
  for (const ModelCompanion *companion = check->model->companions; companion; companion = companion->next) {
    if (!companion->path) return error_set(check->error, "%s: a companion has no path", check->path);
  }
  return true;
}

static bool check_meshes(Check *check) {
  for (int i = 0; i < check->model->mesh_count; i++) {
    if (!check_mesh(check, i)) return false;
  }
  return true;
}

static bool check_each(const Check *check, int count, bool (*check_one)(const Check *check, int index)) {
  for (int i = 0; i < count; i++) {
    if (!check_one(check, i)) return false;
  }
  return true;
}

bool model_validate(Model *model, const char *path, Error *error) {
  Check check = {.model = model, .path = path, .error = error};
  // Skins and nodes come in the order in which the later ones rely on the earlier: a node's joints are looked up in its
  // skin, a track's components in its node's mesh.
  return check_counts(&check) && check_each(&check, model->image_count, check_image) &&
         check_each(&check, model->material_count, check_material) && check_meshes(&check) &&
         check_each(&check, model->node_skin_count, check_node_skin) && check_nodes(&check) &&
         check_each(&check, model->track_count, check_track) && check_each(&check, model->clip_count, check_clip) &&
         check_each(&check, model->light_count, check_light) && check_each(&check, model->camera_count, check_camera) &&
         check_each(&check, model->lod_count, check_lod) && check_each(&check, model->skin_count, check_skin_file) &&
         check_each(&check, model->warning_count, check_warning) && check_companions(&check);
}
