#include "loaders/mbj_fields.h"

#include <string.h>

#include "bytes.h"

const char MBJ_TAGS[MBJ_TAG_COUNT][5] = {
    "STRS", "DATA", "MODL", "MESH", "SUBM", "MRPH", "MATL", "IMGS", "SKNF",
    "NODE", "SKIN", "CLIP", "TRCK", "LITE", "CAMR", "LODS", "WARN", "COMP",
};

const uint16_t MBJ_RECORD_SIZES[MBJ_TAG_COUNT] = {
    [MBJ_MODEL] = 104,     [MBJ_MESHES] = 144, [MBJ_SUBMESHES] = 12, [MBJ_MORPH_TARGETS] = 32,
    [MBJ_MATERIALS] = 272, [MBJ_IMAGES] = 32,  [MBJ_SKIN_FILES] = 8, [MBJ_NODES] = 200,
    [MBJ_NODE_SKINS] = 32, [MBJ_CLIPS] = 40,   [MBJ_TRACKS] = 64,    [MBJ_LIGHTS] = 56,
    [MBJ_CAMERAS] = 96,    [MBJ_LODS] = 16,    [MBJ_WARNINGS] = 8,   [MBJ_COMPANIONS] = 20,
};

static const uint64_t NOTHING = UINT64_MAX;

// ---- Numbers

static void fail(MbjStream *s, const char *what) {
  if (!s->fault) s->fault = what;
}

static void run_out_of_memory(MbjStream *s) {
  if (!s->fault) s->is_out_of_memory = true;
  fail(s, "out of memory");
}

static void append(MbjStream *s, MbjBytes *out, const void *bytes, size_t size) {
  if (size > (size_t)(INT32_MAX - out->count) || !array_reserve(s->memory, out, (int)size)) {
    run_out_of_memory(s);
    return;
  }
  if (size > 0) memcpy(out->items + out->count, bytes, size);
  out->count += (int)size;
}

static void visit_bytes(MbjStream *s, uint8_t *bytes, size_t size) {
  if (s->is_writing) {
    append(s, &s->record, bytes, size);
  } else if ((size_t)(s->end - s->at) < size) {
    memset(bytes, 0, size);
    fail(s, "the section is truncated");
  } else {
    memcpy(bytes, s->at, size);
    s->at += size;
  }
}

static void visit_u32(MbjStream *s, uint32_t *value) {
  uint8_t bytes[4];
  put_u32(bytes, *value);
  visit_bytes(s, bytes, sizeof bytes);
  *value = read_u32(bytes);
}

static void visit_u64(MbjStream *s, uint64_t *value) {
  uint32_t low = (uint32_t)*value, high = (uint32_t)(*value >> 32);
  visit_u32(s, &low);
  visit_u32(s, &high);
  *value = low | (uint64_t)high << 32;
}

static void visit_int(MbjStream *s, int *value) {
  uint32_t bits = (uint32_t)*value;
  visit_u32(s, &bits);
  *value = (int)bits;
}

static void visit_float(MbjStream *s, float *value) {
  uint32_t bits;
  memcpy(&bits, value, sizeof bits);
  visit_u32(s, &bits);
  memcpy(value, &bits, sizeof bits);
}

static void visit_floats(MbjStream *s, float *values, int count) {
  for (int i = 0; i < count; i++)
    visit_float(s, &values[i]);
}

static void visit_bool(MbjStream *s, bool *value) {
  uint32_t bits = *value;
  visit_u32(s, &bits);
  *value = bits != 0;
}

/// One of `count` values.
static int visit_choice(MbjStream *s, int value, int count) {
  visit_int(s, &value);
  if (value >= 0 && value < count) return value;
  fail(s, "a choice is none of those there are");
  return 0;
}

static void visit_color(MbjStream *s, Color *color) {
  visit_floats(s, &color->r, 4);
}

static void visit_vec3(MbjStream *s, Vec3 *v) {
  visit_floats(s, &v->x, 3);
}

static void visit_affine(MbjStream *s, Affine *a) {
  visit_vec3(s, &a->x);
  visit_vec3(s, &a->y);
  visit_vec3(s, &a->z);
  visit_vec3(s, &a->origin);
}

// ---- Texts and arrays, which lie in sections of their own, in the order in which they are referred to. None shares bytes
// with another, so going over all takes no longer than the file is.

static void visit_string(MbjStream *s, const char **text) {
  uint64_t at = NOTHING;
  if (s->is_writing && *text) {
    at = (uint64_t)s->out_strings.count;
    append(s, &s->out_strings, *text, strlen(*text) + 1);
  }
  visit_u64(s, &at);
  if (s->is_writing) return;
  *text = NULL;
  if (at == NOTHING || s->fault) return;
  const char *start = at < s->string_size ? s->strings + at : NULL;
  const char *end = start ? memchr(start, 0, s->string_size - (size_t)at) : NULL;
  if (!end) {
    fail(s, "a text is outside the section of texts");
  } else if (at < s->strings_used) {
    fail(s, "a text shares bytes with one before it");
  } else {
    *text = start;
    s->strings_used = (size_t)at + (size_t)(end - start) + 1;
  }
}

// The bytes of each item the other way round, for machines that count from the high end.
static void swap_items(uint8_t *bytes, size_t size, size_t item) {
  for (size_t at = 0; item > 1 && at + item <= size; at += item) {
    for (size_t i = 0; i < item / 2; i++) {
      uint8_t byte = bytes[at + i];
      bytes[at + i] = bytes[at + item - 1 - i];
      bytes[at + item - 1 - i] = byte;
    }
  }
}

static void write_array(MbjStream *s, const void *items, size_t size, size_t item) {
  static const uint8_t PADDING[MBJ_ALIGNMENT] = {0};
  append(s, &s->out_data, PADDING, (size_t)-s->out_data.count % MBJ_ALIGNMENT);
  int start = s->out_data.count;
  append(s, &s->out_data, items, size);
  if (!bytes_are_native() && !s->fault) swap_items(s->out_data.items + start, size, item);
}

// An array of numbers of `item` bytes, `size` bytes in all, used where it lies, where it is brought into the order of the
// machine.
static const void *visit_array(MbjStream *s, const void *items, uint64_t size, size_t item) {
  uint64_t at = NOTHING;
  if (s->is_writing && items) {
    at = ((uint64_t)s->out_data.count + MBJ_ALIGNMENT - 1) / MBJ_ALIGNMENT * MBJ_ALIGNMENT;
    write_array(s, items, (size_t)size, item);
  }
  visit_u64(s, &at);
  if (s->is_writing) return items;
  if (at == NOTHING || s->fault) return NULL;
  if (!s->data || at % MBJ_ALIGNMENT != 0 || at > s->data_size || size > s->data_size - at) {
    fail(s, "an array is outside the section of data");
    return NULL;
  }
  if (at < s->data_used) {
    fail(s, "an array shares bytes with one before it");
    return NULL;
  }
  s->data_used = (size_t)(at + size);
  if (!bytes_are_native()) swap_items(s->data + at, (size_t)size, item);
  return s->data + at;
}

static uint64_t product(MbjStream *s, int64_t a, int64_t b) {
  if (a < 0 || b < 0 || (b > 0 && a > INT64_MAX / b)) {
    fail(s, "a count is negative or too large");
    return 0;
  }
  return (uint64_t)a * (uint64_t)b;
}

static const void *visit_numbers(MbjStream *s, const void *items, int64_t count, int64_t components) {
  return visit_array(s, items, product(s, count, 4 * components), 4);
}

// ---- Records

static void visit_model(MbjStream *s, Model *m) {
  visit_string(s, &m->source_format);
  m->fog.mode = (FogMode)visit_choice(s, (int)m->fog.mode, FOG_EXPONENTIAL + 1);
  visit_color(s, &m->fog.color);
  visit_float(s, &m->fog.near_distance);
  visit_float(s, &m->fog.far_distance);
  visit_float(s, &m->fog.density);
  visit_bool(s, &m->has_ambient);
  visit_bool(s, &m->has_background);
  visit_color(s, &m->ambient);
  visit_color(s, &m->background);
  visit_int(s, &m->active_camera);
  visit_int(s, &m->source_vertices);
  visit_int(s, &m->source_uvs);
  visit_int(s, &m->source_skin_width);
  visit_int(s, &m->source_skin_height);
  visit_int(s, &m->source_glcmds_triangles);
}

static void visit_frames(MbjStream *s, VertexFrames *f) {
  uint64_t stride = f->stride;
  visit_u64(s, &stride);
  visit_int(s, &f->frame_count);
  visit_int(s, &f->vertex_count);
  if (stride > UINT32_MAX) fail(s, "the stride of the frames is absurd");
  // The last frame need not be followed by anything.
  uint64_t need = PACKED_FRAME_HEADER_SIZE + product(s, f->vertex_count, PACKED_VERTEX_SIZE);
  uint64_t size = f->frame_count > 0 && !s->fault ? product(s, f->frame_count - 1, (int64_t)stride) + need : 0;
  f->stride = (size_t)stride;
  f->bytes = visit_array(s, f->bytes, size, 1);
}

static void visit_mesh(MbjStream *s, ModelMesh *m) {
  visit_string(s, &m->name);
  visit_int(s, &m->vertex_count);
  visit_int(s, &m->index_count);
  visit_int(s, &m->first_submesh);
  visit_int(s, &m->submesh_count);
  visit_int(s, &m->first_morph_target);
  visit_int(s, &m->morph_target_count);
  m->positions = visit_numbers(s, m->positions, m->vertex_count, 3);
  m->normals = visit_numbers(s, m->normals, m->vertex_count, 3);
  m->uvs = visit_numbers(s, m->uvs, m->vertex_count, 2);
  m->colors = visit_array(s, m->colors, product(s, m->vertex_count, 4), 1);
  m->joints = visit_array(s, m->joints, product(s, m->vertex_count, 8), 2);
  m->weights = visit_numbers(s, m->weights, m->vertex_count, 4);
  m->indices = visit_numbers(s, m->indices, m->index_count, 1);
  visit_frames(s, &m->frames);
  m->corner_vertices = visit_array(s, m->corner_vertices, product(s, m->vertex_count, 2), 2);
  visit_int(s, &m->tree.node_count);
  visit_int(s, &m->tree.order_count);
  m->tree.nodes = visit_numbers(s, m->tree.nodes, m->tree.node_count, 8);
  m->tree.order = visit_numbers(s, m->tree.order, m->tree.order_count, 1);
}

static void visit_submesh(MbjStream *s, ModelSubmesh *m) {
  visit_int(s, &m->material);
  visit_int(s, &m->first_index);
  visit_int(s, &m->index_count);
}

// The mesh that a target belongs to says how many vertices it moves.
static int vertices_of_target(const Model *model, int index) {
  for (int i = 0; i < model->mesh_count; i++) {
    const ModelMesh *mesh = &model->meshes[i];
    if (index >= mesh->first_morph_target && index - mesh->first_morph_target < mesh->morph_target_count)
      return mesh->vertex_count;
  }
  return 0;
}

static void visit_morph_target(MbjStream *s, Model *model, int index) {
  ModelMorphTarget *t = &model->morph_targets[index];
  int vertex_count = s->is_writing ? vertices_of_target(model, index) : 0;
  visit_int(s, &vertex_count);
  visit_string(s, &t->name);
  t->positions = visit_numbers(s, t->positions, vertex_count, 3);
  t->normals = visit_numbers(s, t->normals, vertex_count, 3);
  visit_float(s, &t->default_weight);
}

static void visit_stage(MbjStream *s, ModelTextureStage *t) {
  visit_int(s, &t->image);
  t->blend = (TextureBlend)visit_choice(s, (int)t->blend, TEXTURE_BLEND + 1);
  visit_color(s, &t->blend_color);
  t->wrap_u = (TextureWrap)visit_choice(s, (int)t->wrap_u, WRAP_MIRROR + 1);
  t->wrap_v = (TextureWrap)visit_choice(s, (int)t->wrap_v, WRAP_MIRROR + 1);
  t->filter = (TextureFilter)visit_choice(s, (int)t->filter, FILTER_NEAREST + 1);
  visit_bool(s, &t->has_mipmaps);
  visit_floats(s, t->uv_x, 2);
  visit_floats(s, t->uv_y, 2);
  visit_floats(s, t->uv_offset, 2);
}

static void visit_material(MbjStream *s, ModelMaterial *m) {
  visit_string(s, &m->name);
  visit_color(s, &m->ambient);
  visit_color(s, &m->diffuse);
  visit_color(s, &m->specular);
  visit_color(s, &m->emissive);
  visit_float(s, &m->shininess);
  visit_bool(s, &m->is_unlit);
  visit_bool(s, &m->tracks_vertex_color);
  visit_bool(s, &m->ignores_ambient);
  visit_stage(s, &m->stages[0]);
  visit_stage(s, &m->stages[1]);
  m->blend = (BlendMode)visit_choice(s, (int)m->blend, BLEND_MODULATE_X2 + 1);
  visit_float(s, &m->alpha_threshold);
  visit_bool(s, &m->no_depth_test);
  visit_bool(s, &m->no_depth_write);
  visit_bool(s, &m->no_color_write);
  visit_bool(s, &m->no_alpha_write);
  visit_float(s, &m->depth_offset_factor);
  visit_float(s, &m->depth_offset_units);
  m->cull = (CullMode)visit_choice(s, (int)m->cull, CULL_NONE + 1);
  visit_bool(s, &m->winds_clockwise);
  visit_bool(s, &m->is_two_sided_lit);
  visit_bool(s, &m->is_flat);
  visit_bool(s, &m->is_wire);
  visit_int(s, &m->layer);
}

static void visit_image(MbjStream *s, ModelImage *m) {
  uint64_t size = m->embedded.size;
  visit_string(s, &m->name);
  visit_string(s, &m->path);
  visit_u64(s, &size);
  m->embedded.data = (uint8_t *)(uintptr_t)visit_array(s, m->embedded.data, size, 1);
  m->embedded.size = (size_t)size;
}

static void visit_node(MbjStream *s, ModelNode *n) {
  visit_string(s, &n->name);
  visit_int(s, &n->parent);
  visit_int(s, &n->mesh);
  visit_int(s, &n->skin);
  visit_int(s, &n->light);
  visit_int(s, &n->camera);
  visit_vec3(s, &n->translation);
  visit_floats(s, &n->rotation.x, 4);
  visit_vec3(s, &n->scale);
  visit_bool(s, &n->has_matrix);
  visit_affine(s, &n->matrix);
  visit_affine(s, &n->geometry);
  visit_bool(s, &n->is_hidden);
  visit_bool(s, &n->is_unpickable);
  visit_float(s, &n->alpha);
  visit_u32(s, &n->scope);
  visit_u32(s, &n->user_id);
  n->alignment = (NodeAlignment)visit_choice(s, (int)n->alignment, ALIGN_BILLBOARD_Y + 1);
}

// A node's own weights of morph targets follow, as they need the meshes to be known.
static void visit_node_weights(MbjStream *s, Model *model, ModelNode *n) {
  bool has_mesh = n->mesh >= 0 && n->mesh < model->mesh_count;
  n->morph_weights = visit_numbers(s, n->morph_weights, has_mesh ? model->meshes[n->mesh].morph_target_count : 0, 1);
}

static void visit_node_skin(MbjStream *s, ModelSkin *k) {
  visit_string(s, &k->name);
  visit_int(s, &k->joint_count);
  k->joints = visit_numbers(s, k->joints, k->joint_count, 1);
  k->inverse_bind = visit_numbers(s, k->inverse_bind, k->joint_count, 12);
  visit_int(s, &k->root);
}

static void visit_clip(MbjStream *s, ModelClip *c) {
  visit_string(s, &c->name);
  c->kind = (ClipKind)visit_choice(s, (int)c->kind, CLIP_MORPH + 1);
  visit_int(s, &c->first_frame);
  visit_int(s, &c->frame_count);
  visit_int(s, &c->first_track);
  visit_int(s, &c->track_count);
  visit_float(s, &c->start);
  visit_float(s, &c->end);
  visit_float(s, &c->fps);
}

static void visit_track(MbjStream *s, ModelTrack *t) {
  Track *k = &t->keys;
  visit_int(s, &t->target);
  visit_bool(s, &t->is_material);
  k->property = (TrackProperty)visit_choice(s, (int)k->property, TRACK_PROPERTY_COUNT);
  k->interpolation = (TrackInterpolation)visit_choice(s, (int)k->interpolation, TRACK_INTERPOLATION_COUNT);
  visit_bool(s, &k->repeats);
  visit_bool(s, &k->loops);
  visit_int(s, &k->component_count);
  visit_int(s, &k->key_count);
  int64_t components = (int64_t)k->component_count * (k->interpolation == INTERPOLATE_CUBIC ? 3 : 1);
  k->times = visit_numbers(s, k->times, k->key_count, 1);
  k->values = visit_numbers(s, k->values, k->key_count, components);
  k->tcb = visit_numbers(s, k->tcb, k->key_count, 5);
  k->spins = visit_numbers(s, k->spins, k->key_count, 4);
}

static void visit_light(MbjStream *s, ModelLight *l) {
  l->kind = (LightKind)visit_choice(s, (int)l->kind, LIGHT_SPOT + 1);
  visit_color(s, &l->color);
  visit_float(s, &l->intensity);
  visit_float(s, &l->range);
  visit_floats(s, l->attenuation, 3);
  visit_float(s, &l->inner_angle);
  visit_float(s, &l->outer_angle);
  visit_float(s, &l->exponent);
  visit_int(s, &l->target);
}

static void visit_camera(MbjStream *s, ModelCamera *c) {
  c->kind = (CameraKind)visit_choice(s, (int)c->kind, CAMERA_GENERIC + 1);
  visit_float(s, &c->fov);
  visit_float(s, &c->size);
  visit_float(s, &c->near_plane);
  visit_float(s, &c->far_plane);
  visit_float(s, &c->aspect);
  visit_float(s, &c->roll);
  visit_int(s, &c->target);
  visit_floats(s, c->projection, 16);
}

static void visit_lod(MbjStream *s, ModelLod *l) {
  visit_int(s, &l->mesh);
  visit_int(s, &l->replacement);
  visit_float(s, &l->distance);
  visit_float(s, &l->error);
}

// The list is linked from its last entry on: reading makes it anew in the same order.
static void visit_companion(MbjStream *s, Model *model, int index) {
  ModelCompanion companion = {0};
  const ModelCompanion *known = model->companions;
  for (int i = 0; s->is_writing && known && i < index; i++)
    known = known->next;
  if (s->is_writing && known) companion = *known;
  visit_string(s, &companion.path);
  visit_u64(s, &companion.hash);
  visit_bool(s, &companion.is_missing);
  if (s->is_writing || s->fault) return;
  ModelCompanion *copy = arena_alloc(s->arena, sizeof *copy);
  if (!copy) {
    run_out_of_memory(s);
    return;
  }
  *copy = companion;
  copy->next = NULL;
  const ModelCompanion **last = &model->companions;
  while (*last)
    last = (const ModelCompanion **)(uintptr_t) & (*last)->next;
  *last = copy;
}

void mbj_visit_record(MbjStream *s, MbjTag tag, Model *m, int index) {
  switch (tag) {
    case MBJ_MODEL:
      visit_model(s, m);
      break;
    case MBJ_MESHES:
      visit_mesh(s, &m->meshes[index]);
      break;
    case MBJ_SUBMESHES:
      visit_submesh(s, &m->submeshes[index]);
      break;
    case MBJ_MORPH_TARGETS:
      visit_morph_target(s, m, index);
      break;
    case MBJ_MATERIALS:
      visit_material(s, &m->materials[index]);
      break;
    case MBJ_IMAGES:
      visit_image(s, &m->images[index]);
      break;
    case MBJ_SKIN_FILES:
      visit_string(s, &m->skins[index]);
      break;
    case MBJ_NODES:
      visit_node(s, &m->nodes[index]);
      visit_node_weights(s, m, &m->nodes[index]);
      break;
    case MBJ_NODE_SKINS:
      visit_node_skin(s, &m->node_skins[index]);
      break;
    case MBJ_CLIPS:
      visit_clip(s, &m->clips[index]);
      break;
    case MBJ_TRACKS:
      visit_track(s, &m->tracks[index]);
      break;
    case MBJ_LIGHTS:
      visit_light(s, &m->lights[index]);
      break;
    case MBJ_CAMERAS:
      visit_camera(s, &m->cameras[index]);
      break;
    case MBJ_LODS:
      visit_lod(s, &m->lods[index]);
      break;
    case MBJ_WARNINGS:
      visit_string(s, &m->warnings[index]);
      break;
    case MBJ_COMPANIONS:
      visit_companion(s, m, index);
      break;
    case MBJ_STRINGS:
    case MBJ_DATA:
    case MBJ_TAG_COUNT:
      break;
  }
}

int *mbj_record_count(Model *m, MbjTag tag) {
  int *counts[MBJ_TAG_COUNT] = {
      [MBJ_MESHES] = &m->mesh_count,
      [MBJ_SUBMESHES] = &m->submesh_count,
      [MBJ_MORPH_TARGETS] = &m->morph_target_count,
      [MBJ_MATERIALS] = &m->material_count,
      [MBJ_IMAGES] = &m->image_count,
      [MBJ_SKIN_FILES] = &m->skin_count,
      [MBJ_NODES] = &m->node_count,
      [MBJ_NODE_SKINS] = &m->node_skin_count,
      [MBJ_CLIPS] = &m->clip_count,
      [MBJ_TRACKS] = &m->track_count,
      [MBJ_LIGHTS] = &m->light_count,
      [MBJ_CAMERAS] = &m->camera_count,
      [MBJ_LODS] = &m->lod_count,
      [MBJ_WARNINGS] = &m->warning_count,
  };
  return counts[tag];
}

bool mbj_allocate(Model *m) {
  Arena *a = &m->arena;
  m->meshes = arena_alloc_array(a, (size_t)m->mesh_count, sizeof *m->meshes);
  m->submeshes = arena_alloc_array(a, (size_t)m->submesh_count, sizeof *m->submeshes);
  m->morph_targets = arena_alloc_array(a, (size_t)m->morph_target_count, sizeof *m->morph_targets);
  m->materials = arena_alloc_array(a, (size_t)m->material_count, sizeof *m->materials);
  m->images = arena_alloc_array(a, (size_t)m->image_count, sizeof *m->images);
  m->skins = arena_alloc_array(a, (size_t)m->skin_count, sizeof *m->skins);
  m->nodes = arena_alloc_array(a, (size_t)m->node_count, sizeof *m->nodes);
  m->node_skins = arena_alloc_array(a, (size_t)m->node_skin_count, sizeof *m->node_skins);
  m->clips = arena_alloc_array(a, (size_t)m->clip_count, sizeof *m->clips);
  m->tracks = arena_alloc_array(a, (size_t)m->track_count, sizeof *m->tracks);
  m->lights = arena_alloc_array(a, (size_t)m->light_count, sizeof *m->lights);
  m->cameras = arena_alloc_array(a, (size_t)m->camera_count, sizeof *m->cameras);
  m->lods = arena_alloc_array(a, (size_t)m->lod_count, sizeof *m->lods);
  m->warnings = arena_alloc_array(a, MODEL_MAX_WARNINGS, sizeof *m->warnings);
  return m->meshes && m->submeshes && m->morph_targets && m->materials && m->images && m->skins && m->nodes &&
         m->node_skins && m->clips && m->tracks && m->lights && m->cameras && m->lods && m->warnings;
}
