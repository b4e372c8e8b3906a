// Models written as MBJ files and read back: every field, files cut and bent anywhere.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bytes.h"
#include "hash.h"
#include "loaders/mbj_fields.h"
#include "loaders/mbj_write.h"
#include "model_check.h"
#include "put.h"

// A model with something in every field.
typedef struct Everything {
  Model model;
  ModelMesh meshes[2];
  ModelSubmesh submeshes[2];
  ModelMorphTarget targets[1];
  ModelMaterial materials[1];
  ModelImage images[2];
  const char *skins[1];
  ModelNode nodes[3];
  ModelSkin node_skins[1];
  ModelClip clips[2];
  ModelTrack tracks[2];
  ModelLight lights[1];
  ModelCamera cameras[1];
  ModelLod lods[1];
  float positions[9], normals[9], uvs[6], weights[12], deltas[9], node_weights[1], times[2], values[8], tcb[10],
      spins[8];
  uint8_t colors[12], picture[5], frames[2 * (PACKED_FRAME_HEADER_SIZE + 12)];
  uint16_t joints[12], corners[3];
  uint32_t indices[3];
  int skin_joints[2];
  Affine bind[2];
  ModelTreeNode tree_nodes[3];
  int32_t tree_order[2];
} Everything;

static float next_number(Random *random) {
  return 1 + floorf(random_float(random) * 1000) / 16;
}

static void fill_floats(Random *random, float *values, int count) {
  for (int i = 0; i < count; i++)
    values[i] = next_number(random);
}

static void fill_meshes(Everything *e, Random *random) {
  fill_floats(random, e->positions, 9);
  fill_floats(random, e->normals, 9);
  fill_floats(random, e->uvs, 6);
  fill_floats(random, e->deltas, 9);
  for (int i = 0; i < 12; i++) {
    e->weights[i] = 0.25f;
    e->colors[i] = (uint8_t)random_next(random);
    e->joints[i] = (uint16_t)(random_next(random) % 2);
  }
  for (int i = 0; i < 2; i++) {
    uint8_t *frame = e->frames + i * (PACKED_FRAME_HEADER_SIZE + 12);
    for (int k = 0; k < 6; k++)
      put_f32(frame + 4 * k, next_number(random));
    memcpy(frame + 24, i ? "b1" : "a1", 3);
  }
  for (uint32_t i = 0; i < 3; i++)
    e->indices[i] = 2 - i;
  e->tree_nodes[0] = (ModelTreeNode){{{0, 0, 0}, {9, 9, 9}}, 1, 0};
  e->tree_nodes[1] = (ModelTreeNode){{{0, 0, 0}, {1, 9, 9}}, 0, 1};
  e->tree_nodes[2] = (ModelTreeNode){{{1, 0, 0}, {9, 9, 9}}, 1, 1};
  e->meshes[0] = (ModelMesh){.name = "shape",
                             .vertex_count = 3,
                             .positions = e->positions,
                             .normals = e->normals,
                             .uvs = e->uvs,
                             .colors = e->colors,
                             .joints = e->joints,
                             .weights = e->weights,
                             .indices = e->indices,
                             .index_count = 3,
                             .submesh_count = 1,
                             .morph_target_count = 1,
                             .tree = {e->tree_nodes, e->tree_order, 3, 2}};
  e->meshes[1] = (ModelMesh){.name = "frames",
                             .vertex_count = 3,
                             .indices = e->indices,
                             .index_count = 3,
                             .first_submesh = 1,
                             .submesh_count = 1,
                             .frames = {e->frames, PACKED_FRAME_HEADER_SIZE + 12, 2, 3},
                             .corner_vertices = e->corners};
  e->submeshes[0] = (ModelSubmesh){0, 0, 3};
  e->submeshes[1] = (ModelSubmesh){-1, 0, 3};
  e->targets[0] = (ModelMorphTarget){"smile", e->deltas, e->normals, 0.5f};
}

static void fill_material(ModelMaterial *m, Random *random) {
  *m = model_default_material();
  m->name = "paint";
  fill_floats(random, &m->ambient.r, 4);
  fill_floats(random, &m->diffuse.r, 4);
  fill_floats(random, &m->specular.r, 4);
  fill_floats(random, &m->emissive.r, 4);
  m->shininess = next_number(random);
  m->is_unlit = m->tracks_vertex_color = m->ignores_ambient = true;
  for (int i = 0; i < 2; i++) {
    ModelTextureStage *stage = &m->stages[i];
    stage->image = i;
    stage->blend = TEXTURE_ADD;
    fill_floats(random, &stage->blend_color.r, 4);
    stage->wrap_u = WRAP_CLAMP;
    stage->wrap_v = WRAP_MIRROR;
    stage->filter = FILTER_NEAREST;
    stage->has_mipmaps = false;
    fill_floats(random, stage->uv_x, 2);
    fill_floats(random, stage->uv_y, 2);
    fill_floats(random, stage->uv_offset, 2);
  }
  m->blend = BLEND_MODULATE_X2;
  m->alpha_threshold = 0.75f;
  m->no_depth_test = m->no_depth_write = m->no_color_write = m->no_alpha_write = true;
  m->depth_offset_factor = next_number(random);
  m->depth_offset_units = next_number(random);
  m->cull = CULL_FRONT;
  m->winds_clockwise = m->is_two_sided_lit = m->is_flat = m->is_wire = true;
  m->layer = -7;
}

static void fill_node(ModelNode *n, Everything *e, Random *random) {
  *n = model_default_node("node");
  n->mesh = n->skin = n->light = n->camera = 0;
  fill_floats(random, &n->translation.x, 3);
  fill_floats(random, &n->rotation.x, 4);
  fill_floats(random, &n->scale.x, 3);
  n->has_matrix = n->is_hidden = n->is_unpickable = true;
  fill_floats(random, &n->matrix.x.x, 12);
  fill_floats(random, &n->geometry.x.x, 12);
  n->alpha = 0.5f;
  n->morph_weights = e->node_weights;
  n->scope = 0xdeadbeef;
  n->user_id = 0xfeedf00d;
  n->alignment = ALIGN_BILLBOARD_Y;
  e->node_weights[0] = 0.125f;
}

static void fill_animation(Everything *e, Random *random) {
  e->skin_joints[0] = 1;
  e->skin_joints[1] = 2;
  fill_floats(random, &e->bind[0].x.x, 24);
  e->node_skins[0] = (ModelSkin){"bones", 2, e->skin_joints, e->bind, 1};
  e->clips[0] = (ModelClip){"walk", CLIP_SKELETAL, 0, 0, 0, 2, 0.25f, 1.5f, 24};
  e->clips[1] = (ModelClip){"wave", CLIP_VERTEX, 1, 1, 0, 0, 0.1f, 0.2f, 10};
  e->times[1] = 1;
  fill_floats(random, e->values, 8);
  fill_floats(random, e->tcb, 10);
  fill_floats(random, e->spins, 8);
  e->tracks[0] = (ModelTrack){
      .target = 1, .keys = {TRACK_ROTATION, INTERPOLATE_TCB, true, true, 4, 2, e->times, e->values, e->tcb, e->spins}};
  e->tracks[1] = (ModelTrack){.is_material = true,
                              .keys = {.property = TRACK_UV_OFFSET,
                                       .interpolation = INTERPOLATE_STEP,
                                       .component_count = 2,
                                       .key_count = 2,
                                       .times = e->times,
                                       .values = e->values}};
}

static void fill_scene(Everything *e, Random *random) {
  ModelLight *l = &e->lights[0];
  *l = (ModelLight){.kind = LIGHT_SPOT, .target = 2};
  fill_floats(random, &l->color.r, 4);
  fill_floats(random, l->attenuation, 3);
  l->intensity = next_number(random);
  l->range = next_number(random);
  l->inner_angle = next_number(random);
  l->outer_angle = next_number(random);
  l->exponent = next_number(random);
  ModelCamera *c = &e->cameras[0];
  *c = (ModelCamera){.kind = CAMERA_GENERIC, .target = 1};
  fill_floats(random, &c->fov, 6);
  fill_floats(random, c->projection, 16);
  e->lods[0] = (ModelLod){0, 1, 2.5f, 0.125f};
  e->images[0] = (ModelImage){.name = "a.png", .path = "art/a.png"};
  for (int i = 0; i < 5; i++)
    e->picture[i] = (uint8_t)(10 * i);
  e->images[1] = (ModelImage){.embedded = {e->picture, 5}};
  e->skins[0] = "skin.pcx";
}

static void fill_everything(Everything *e, Memory *memory) {
  Random random;
  random_seed(&random, 3);
  memset(e, 0, sizeof *e);
  fill_meshes(e, &random);
  fill_material(&e->materials[0], &random);
  for (int i = 0; i < 3; i++)
    e->nodes[i] = model_default_node(i == 1 ? "hip" : "knee");
  fill_node(&e->nodes[0], e, &random);
  e->nodes[2].parent = 1;
  fill_animation(e, &random);
  fill_scene(e, &random);
  e->model = (Model){.arena = {.memory = memory},
                     .source_format = "gltf",
                     .meshes = e->meshes,
                     .mesh_count = 2,
                     .submeshes = e->submeshes,
                     .submesh_count = 2,
                     .morph_targets = e->targets,
                     .morph_target_count = 1,
                     .materials = e->materials,
                     .material_count = 1,
                     .images = e->images,
                     .image_count = 2,
                     .skins = e->skins,
                     .skin_count = 1,
                     .nodes = e->nodes,
                     .node_count = 3,
                     .node_skins = e->node_skins,
                     .node_skin_count = 1,
                     .clips = e->clips,
                     .clip_count = 2,
                     .tracks = e->tracks,
                     .track_count = 2,
                     .lights = e->lights,
                     .light_count = 1,
                     .cameras = e->cameras,
                     .camera_count = 1,
                     .lods = e->lods,
                     .lod_count = 1,
                     .fog = {FOG_EXPONENTIAL, {1, 2, 3, 4}, 5, 6, 7},
                     .has_ambient = true,
                     .has_background = true,
                     .ambient = {0.1f, 0.2f, 0.3f, 1},
                     .background = {0.4f, 0.5f, 0.6f, 1},
                     .active_camera = 0,
                     .source_vertices = 11,
                     .source_uvs = 12,
                     .source_skin_width = 13,
                     .source_skin_height = 14,
                     .source_glcmds_triangles = 15};
}

static Bytes write_everything(Everything *e, Memory *memory) {
  Bytes bytes;
  Error error;
  fill_everything(e, memory);
  if (!mbj_write(memory, &e->model, false, &bytes, &error)) fail_msg("%s", error.text);
  return bytes;
}

// The same text in another place.
static void check_text(const char **a, const char **b) {
  assert_int_equal(!*a, !*b);
  if (*a) assert_string_equal(*a, *b);
  *a = *b = NULL;
}

#define CHECK_ARRAY(a, b, size)      \
  do {                               \
    assert_non_null(b);              \
    assert_memory_equal(a, b, size); \
    (a) = (b) = NULL;                \
  } while (0)

// What is left of two records after their texts and arrays were compared and taken out.
#define CHECK_REST(a, b) assert_memory_equal(&(a), &(b), sizeof(a))

static void check_meshes(Everything *e, const Model *model) {
  ModelMesh a = e->meshes[0], b = model->meshes[0];
  check_text(&a.name, &b.name);
  CHECK_ARRAY(a.positions, b.positions, 36);
  CHECK_ARRAY(a.normals, b.normals, 36);
  CHECK_ARRAY(a.uvs, b.uvs, 24);
  CHECK_ARRAY(a.colors, b.colors, 12);
  CHECK_ARRAY(a.joints, b.joints, 24);
  CHECK_ARRAY(a.weights, b.weights, 48);
  CHECK_ARRAY(a.indices, b.indices, 12);
  CHECK_ARRAY(a.tree.nodes, b.tree.nodes, sizeof e->tree_nodes);
  CHECK_ARRAY(a.tree.order, b.tree.order, 8);
  b.bounds = a.bounds;
  assert_int_equal(b.tree.node_count, 3);
  assert_int_equal(b.morph_target_count, 1);
  assert_int_equal(b.vertex_count, 3);
  const ModelMesh *frames = &model->meshes[1];
  assert_int_equal(frames->frames.stride, e->meshes[1].frames.stride);
  assert_memory_equal(frames->frames.bytes, e->frames, sizeof e->frames);
  assert_memory_equal(frames->corner_vertices, e->corners, sizeof e->corners);
  assert_memory_equal(model->submeshes, e->submeshes, sizeof e->submeshes);
  assert_memory_equal(model->morph_targets[0].positions, e->deltas, 36);
  assert_memory_equal(model->morph_targets[0].normals, e->normals, 36);
  assert_string_equal(model->morph_targets[0].name, "smile");
  assert_true(model->morph_targets[0].default_weight == 0.5f);
}

static void check_tracks(Everything *e, const Model *model) {
  ModelTrack a = e->tracks[0], b = model->tracks[0];
  CHECK_ARRAY(a.keys.times, b.keys.times, 8);
  CHECK_ARRAY(a.keys.values, b.keys.values, 32);
  CHECK_ARRAY(a.keys.tcb, b.keys.tcb, 40);
  CHECK_ARRAY(a.keys.spins, b.keys.spins, 32);
  assert_true(a.target == b.target && a.keys.property == b.keys.property && b.keys.repeats && b.keys.loops);
  assert_int_equal(a.keys.interpolation, b.keys.interpolation);
  assert_true(model->tracks[1].is_material && model->tracks[1].keys.tcb == NULL);
  for (int i = 0; i < 2; i++) {
    ModelClip c = e->clips[i], d = model->clips[i];
    check_text(&c.name, &d.name);
    CHECK_REST(c, d);
  }
  const ModelSkin *skin = &model->node_skins[0];
  assert_memory_equal(skin->joints, e->skin_joints, sizeof e->skin_joints);
  assert_memory_equal(skin->inverse_bind, e->bind, sizeof e->bind);
  assert_int_equal(skin->root, 1);
}

static void test_every_field(void **state) {
  (void)state;
  static Everything e;
  Memory memory = {0};
  Bytes bytes = write_everything(&e, &memory);
  Model *model = check_loads(&memory, "a.mbj", bytes.data, bytes.size);
  assert_string_equal(model->format, "mbj");
  assert_string_equal(model->source_format, "gltf");
  check_meshes(&e, model);
  check_tracks(&e, model);
  ModelMaterial a = e.materials[0], b = model->materials[0];
  check_text(&a.name, &b.name);
  CHECK_REST(a, b);
  ModelNode n = e.nodes[0], m = model->nodes[0];
  check_text(&n.name, &m.name);
  CHECK_ARRAY(n.morph_weights, m.morph_weights, 4);
  CHECK_REST(n, m);
  CHECK_REST(e.lights[0], model->lights[0]);
  CHECK_REST(e.cameras[0], model->cameras[0]);
  CHECK_REST(e.lods[0], model->lods[0]);
  assert_string_equal(model->images[0].name, "a.png");
  assert_string_equal(model->images[0].path, "art/a.png");
  assert_null(model->images[1].path);
  assert_int_equal(model->images[1].embedded.size, 5);
  assert_memory_equal(model->images[1].embedded.data, e.picture, 5);
  assert_string_equal(model->skins[0], "skin.pcx");
  CHECK_REST(e.model.fog, model->fog);
  CHECK_REST(e.model.ambient, model->ambient);
  CHECK_REST(e.model.background, model->background);
  assert_true(model->has_ambient && model->has_background && model->active_camera == 0);
  assert_memory_equal(&e.model.source_vertices, &model->source_vertices, 5 * sizeof(int));
  // Once more gives the same bytes.
  Bytes again;
  Error error;
  assert_true(mbj_write(&memory, model, false, &again, &error));
  assert_int_equal(again.size, bytes.size);
  assert_memory_equal(again.data, bytes.data, bytes.size);
  memory_free(&memory, again.data);
  memory_free(&memory, bytes.data);
  check_freed(&memory, model);
}

static void test_origin(void **state) {
  (void)state;
  static Everything e;
  Memory memory = {0};
  Error error;
  Bytes bytes, content = {e.picture, 5};
  fill_everything(&e, &memory);
  model_warn(&e.model, "first");
  model_warn(&e.model, "second");
  model_add_companion(&e.model, "b.mtl", &content);
  model_add_companion(&e.model, "none.mtl", NULL);
  assert_true(mbj_write(&memory, &e.model, true, &bytes, &error));
  Model *model = check_loads(&memory, "a.mbj", bytes.data, bytes.size);
  assert_int_equal(model->warning_count, 2);
  assert_string_equal(model->warnings[1], "second");
  assert_string_equal(model->companions->path, "none.mtl");
  assert_true(model->companions->is_missing);
  assert_string_equal(model->companions->next->path, "b.mtl");
  assert_true(model->companions->next->hash == hash_bytes(content));
  arena_free(&e.model.arena);
  memory_free(&memory, bytes.data);
  check_freed(&memory, model);
}

static void test_bent_anywhere(void **state) {
  (void)state;
  static Everything e;
  Memory memory = {0};
  Bytes bytes = write_everything(&e, &memory);
  int refused = 0;
  for (size_t i = 0; i < 8 * bytes.size; i++) {
    Error error = {0};
    bytes.data[i / 8] ^= (uint8_t)(1 << i % 8);
    Model *model = load_bytes(&memory, "a.mbj", bytes.data, bytes.size, &error);
    bytes.data[i / 8] ^= (uint8_t)(1 << i % 8);
    if (!model) assert_int_equal(strncmp(error.text, "a.mbj: ", 7), 0);
    refused += !model;
    model_free(model);
  }
  assert_true(refused > 1000);
  for (size_t size = 0; size < bytes.size; size++) {
    Error error = {0};
    Model *model = load_bytes(&memory, "a.mbj", bytes.data, size, &error);
    assert_null(model);
  }
  memory_free(&memory, bytes.data);
  assert_int_equal(memory.live_bytes, 0);
}

static void test_some_frames(void **state) {
  (void)state;
  static Everything e;
  Memory written = {0}, memory = {0};
  Bytes bytes = write_everything(&e, &written);
  static const int SECOND[] = {1}, BEYOND[] = {0, 2};
  LoadRequest request = {.memory = &memory, .path = "a.mbj", .frames = SECOND, .frame_count = 1};
  Error error = {0};
  Model *model = model_load(&request, copy_bytes(&memory, bytes.data, bytes.size), &error);
  if (!model) fail_msg("%s", error.text);
  const ModelMesh *mesh = &model->meshes[1];
  assert_int_equal(mesh->frames.frame_count, 1);
  assert_memory_equal(mesh->frames.bytes, e.frames + sizeof e.frames / 2, sizeof e.frames / 2);
  Bounds bounds = vertex_frames_bounds(&e.meshes[1].frames, (FramePose){1, 1, 0});
  assert_memory_equal(&mesh->bounds, &bounds, sizeof bounds);
  assert_int_equal(model->clip_count, 1);
  assert_string_equal(model->clips[0].name, "b");
  assert_int_equal(model->clips[0].first_frame, 0);
  model_free(model);
  request.frames = BEYOND;
  request.frame_count = 2;
  assert_null(model_load(&request, copy_bytes(&memory, bytes.data, bytes.size), &error));
  assert_string_equal(error.text, "a.mbj: frame 2 does not exist, the model has 2 frames (0 to 1)");
  request.frames = SECOND;
  request.frame_count = 1;
  check_failing_allocations(&request, bytes.data, bytes.size);
  memory_free(&written, bytes.data);
}

static void test_refusals(void **state) {
  (void)state;
  static Everything e;
  Memory memory = {0};
  Bytes bytes = write_everything(&e, &memory);
  put_u32(bytes.data + 4, MBJ_VERSION + 1);
  check_refused("a.mbj", bytes.data, bytes.size, "version is 3, this runtime reads 2");
  put_u32(bytes.data + 4, MBJ_VERSION);
  memcpy(bytes.data + 16, "XYZW", 4);
  check_refused("a.mbj", bytes.data, bytes.size, "outside the section of texts");
  memory_free(&memory, bytes.data);
  // Trees that lead nowhere, in circles, or to triangles that are not there.
  const ModelTreeNode damaged[] = {{{{0, 0, 0}, {9, 9, 9}}, 0, 0},
                                   {{{0, 0, 0}, {9, 9, 9}}, 2, 0},
                                   {{{0, 0, 0}, {9, 9, 9}}, 1, 5},
                                   {{{0, 0, 0}, {NAN, 9, 9}}, 1, 0}};
  for (int i = 0; i < 4; i++) {
    Error error;
    fill_everything(&e, &memory);
    e.tree_nodes[0] = damaged[i];
    assert_true(mbj_write(&memory, &e.model, false, &bytes, &error));
    check_refused("a.mbj", bytes.data, bytes.size, "collision tree");
    memory_free(&memory, bytes.data);
  }
  // Leaves that share triangles: a ray would go over them again and again.
  fill_everything(&e, &memory);
  e.tree_nodes[1].count = 2;
  Error error;
  assert_true(mbj_write(&memory, &e.model, false, &bytes, &error));
  check_refused("a.mbj", bytes.data, bytes.size, "collision tree");
  memory_free(&memory, bytes.data);
}

// What files made for it could have gone over for each of their records.
static void test_nothing_is_shared(void **state) {
  (void)state;
  static Everything e;
  Memory memory = {0};
  Bytes bytes = write_everything(&e, &memory);
  // The table of sections: texts, data, model, meshes.
  const uint8_t *texts = bytes.data + 16, *meshes = texts + 3 * 24;
  uint8_t *last_text = bytes.data + read_u64(texts + 8) + read_u64(texts + 16) - 1;
  uint8_t *name = bytes.data + read_u64(meshes + 8), *positions = name + 32, *normals = positions + 8;
  assert_memory_equal(meshes, "MESH", 4);
  *last_text = 'a';
  check_refused("a.mbj", bytes.data, bytes.size, "outside the section of texts");
  *last_text = 0;
  uint8_t kept[8];
  memcpy(kept, name, 8);
  memset(name, 0, 8);
  check_refused("a.mbj", bytes.data, bytes.size, "a text shares bytes");
  memcpy(name, kept, 8);
  memcpy(normals, positions, 8);
  check_refused("a.mbj", bytes.data, bytes.size, "an array shares bytes");
  memory_free(&memory, bytes.data);
}

// A count is believed only where the records are there: room is made for all of them at once.
static void test_counts_of_records(void **state) {
  (void)state;
  static Everything e;
  Memory memory = {0};
  Bytes bytes = write_everything(&e, &memory);
  uint8_t *meshes = bytes.data + 16 + 3 * 24;
  const uint32_t COUNTS[] = {0, 1, 288, INT32_MAX, UINT32_MAX};
  for (int i = 0; i < 5; i++) {
    put_u32(meshes + 4, COUNTS[i]);
    check_refused("a.mbj", bytes.data, bytes.size, "count of records");
  }
  memory_free(&memory, bytes.data);
}

static void test_failing_allocations(void **state) {
  (void)state;
  static Everything e;
  Memory memory = {0}, other = {0};
  Bytes bytes = write_everything(&e, &other), again = {0};
  LoadRequest request = {.memory = &memory, .path = "a.mbj"};
  check_failing_allocations(&request, bytes.data, bytes.size);
  for (long n = 1; !again.data; n++) {
    Error error = {0};
    memory.fail_after = n;
    bool is_written = mbj_write(&memory, &e.model, false, &again, &error);
    if (!is_written) assert_true(error.is_out_of_memory);
  }
  memory.fail_after = 0;
  memory_free(&memory, again.data);
  assert_int_equal(memory.live_bytes, 0);
  memory_free(&other, bytes.data);
}

static void test_hash(void **state) {
  (void)state;
  // Known answers of xxHash's 64-bit variant with seed 0.
  assert_true(hash_bytes((Bytes){(uint8_t *)"", 0}) == 0xef46db3751d8e999u);
  assert_true(hash_bytes((Bytes){(uint8_t *)"a", 1}) == 0xd24ec4f1a98c6e5bu);
  assert_true(hash_bytes((Bytes){(uint8_t *)"abc", 3}) == 0x44bc2cf5ad770999u);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_field),
      cmocka_unit_test(test_origin),
      cmocka_unit_test(test_bent_anywhere),
      cmocka_unit_test(test_some_frames),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_failing_allocations),
      cmocka_unit_test(test_hash),
      cmocka_unit_test(test_nothing_is_shared),
      cmocka_unit_test(test_counts_of_records),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
