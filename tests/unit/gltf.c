// glTF files composed by hand: a JSON text and the bytes it refers to.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "loaders/model_pose.h"
#include "model_check.h"
#include "put.h"

// A .glb while it is made: numbers are appended, then the JSON goes in front.
typedef struct Glb {
  uint8_t bin[4096], file[16384];
  size_t bin_size, size;
} Glb;

static void add_floats(Glb *glb, const float *values, int count) {
  for (int i = 0; i < count; i++, glb->bin_size += 4)
    put_f32(glb->bin + glb->bin_size, values[i]);
}

static void add_shorts(Glb *glb, const int *values, int count) {
  for (int i = 0; i < count; i++, glb->bin_size += 2)
    put_u16(glb->bin + glb->bin_size, (uint32_t)values[i]);
}

static void add_bytes(Glb *glb, const int *values, int count) {
  for (int i = 0; i < count; i++)
    glb->bin[glb->bin_size++] = (uint8_t)values[i];
}

static void align(Glb *glb) {
  glb->bin_size = (glb->bin_size + 3) / 4 * 4;
}

// `json` has single quotes for double ones.
static void pack(Glb *glb, const char *json) {
  size_t length = strlen(json), padded = (length + 3) / 4 * 4;
  align(glb);
  glb->size = 12 + 8 + padded + 8 + glb->bin_size;
  assert_true(glb->size <= sizeof glb->file);
  memcpy(glb->file, "glTF", 4);
  put_u32(glb->file + 4, 2);
  put_u32(glb->file + 8, (uint32_t)glb->size);
  put_u32(glb->file + 12, (uint32_t)padded);
  memcpy(glb->file + 16, "JSON", 4);
  memset(glb->file + 20, ' ', padded);
  for (size_t i = 0; i < length; i++)
    glb->file[20 + i] = (uint8_t)(json[i] == '\'' ? '"' : json[i]);
  uint8_t *bin = glb->file + 20 + padded;
  put_u32(bin, (uint32_t)glb->bin_size);
  memcpy(bin + 4, "BIN\0", 4);
  memcpy(bin + 8, glb->bin, glb->bin_size);
}

static Model *load_packed(Memory *memory, Glb *glb, const char *json) {
  pack(glb, json);
  return check_loads(memory, "a.glb", glb->file, glb->size);
}

static void check_near(float found, float expected, const char *what) {
  if (!(fabsf(found - expected) <= 1e-5f * fmaxf(1, fabsf(expected))))
    fail_msg("%s: %g, expected %g", what, (double)found, (double)expected);
}

#define START "{'asset':{'version':'2.0'},"
#define BUFFER "'buffers':[{'byteLength':%zu}],"
#define TRIANGLE_MESH "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],'nodes':[{'mesh':0}],"
#define POSITIONS_ACCESSOR "{'bufferView':0,'componentType':5126,'count':%d,'type':'VEC3'}"

static const float SQUARE[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

static const char *write_json(const char *format, ...) {
  static char text[8192];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

// ---- Primitives

// A square of four positions without indices.
static Model *load_mode(Memory *memory, int mode) {
  static Glb glb;
  glb = (Glb){0};
  // A strip goes from side to side.
  const float zigzag[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  add_floats(&glb, mode == 5 ? zigzag : SQUARE, 12);
  return load_packed(memory, &glb,
                     write_json(START BUFFER "'bufferViews':[{'buffer':0,'byteLength':48}],"
                                             "'accessors':[" POSITIONS_ACCESSOR "],"
                                             "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':%d}]}],"
                                             "'nodes':[{'mesh':0}]}",
                                glb.bin_size, 4, mode));
}

static void test_modes(void **state) {
  (void)state;
  const int modes[] = {0, 4, 5, 6, 1, 2, 3}, expected[] = {0, 3, 6, 6, 0, 0, 0};
  for (int i = 0; i < 7; i++) {
    Memory memory = {0};
    Model *model = load_mode(&memory, modes[i]);
    if (expected[i] == 0) {
      assert_int_equal(model->nodes[0].mesh, -1);
      assert_true(has_warning(model, modes[i] == 0 ? "points are not drawn" : "lines are not drawn"));
    } else {
      assert_int_equal(model->meshes[0].index_count, expected[i]);
      // Without normals corners are not shared and lie flat.
      assert_int_equal(model->meshes[0].vertex_count, expected[i]);
      for (int k = 0; k < expected[i]; k++)
        check_near(model->meshes[0].normals[3 * k + 2], 1, "flat normal, the front kept in strips and fans");
    }
    check_freed(&memory, model);
  }
}

static void test_plain_triangle_in_place(void **state) {
  (void)state;
  static Glb glb;
  glb = (Glb){0};
  Memory memory = {0};
  add_floats(&glb, SQUARE, 12);
  add_floats(&glb, (const float[]){0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, 12);
  add_shorts(&glb, (const int[]){0, 1, 2, 0, 2, 3}, 6);
  align(&glb);
  Model *model = load_packed(
      &memory, &glb,
      write_json(START BUFFER
                 "'bufferViews':[{'buffer':0,'byteLength':48},{'buffer':0,'byteOffset':48,'byteLength':48},"
                 "{'buffer':0,'byteOffset':96,'byteLength':12}],"
                 "'accessors':[" POSITIONS_ACCESSOR ",{'bufferView':1,'componentType':5126,'count':4,'type':'VEC3'},"
                 "{'bufferView':2,'componentType':5123,'count':6,'type':'SCALAR'}],"
                 "'meshes':[{'name':'square','primitives':[{'attributes':{'POSITION':0,'NORMAL':1},"
                 "'indices':2}]}],'nodes':[{'name':'n','mesh':0,'translation':[1,2,3]}]}",
                 glb.bin_size, 4));
  const ModelMesh *mesh = &model->meshes[0];
  assert_string_equal(mesh->name, "square");
  assert_int_equal(mesh->vertex_count, 4);
  assert_int_equal(mesh->index_count, 6);
  assert_memory_equal(mesh->positions, SQUARE, sizeof SQUARE);
  assert_true(mesh->uvs == NULL && mesh->colors == NULL && mesh->joints == NULL);
  assert_string_equal(model->nodes[0].name, "n");
  check_near(model->nodes[0].translation.z, 3, "translation");
  assert_int_equal(model->submeshes[0].material, -1);
  check_freed(&memory, model);
}

// Quantised positions, normalised texture coordinates and colours, interleaved.
static void test_quantised(void **state) {
  (void)state;
  static Glb glb;
  glb = (Glb){0};
  Memory memory = {0};
  for (int i = 0; i < 3; i++) {
    add_shorts(&glb, (const int[]){i, -10 * i, 300, 0}, 4);
    add_bytes(&glb, (const int[]){0, 0, 127, 0}, 4);
    add_shorts(&glb, (const int[]){65535, 0}, 2);
    add_bytes(&glb, (const int[]){255, 0, 55, 128}, 4);
  }
  Model *model = load_packed(
      &memory, &glb,
      write_json(START
                 "'extensionsUsed':['KHR_mesh_quantization'],'extensionsRequired':['KHR_mesh_quantization']," BUFFER
                 "'bufferViews':[{'buffer':0,'byteLength':60,'byteStride':20}],'accessors':["
                 "{'bufferView':0,'componentType':5122,'count':3,'type':'VEC3'},"
                 "{'bufferView':0,'byteOffset':8,'componentType':5120,'normalized':true,'count':3,'type':'VEC3'},"
                 "{'bufferView':0,'byteOffset':12,'componentType':5123,'normalized':true,'count':3,'type':'VEC2'},"
                 "{'bufferView':0,'byteOffset':16,'componentType':5121,'normalized':true,'count':3,'type':'VEC4'}],"
                 "'materials':[{}],"
                 "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':1,'TEXCOORD_0':2,'COLOR_0':3},"
                 "'material':0}]}],'nodes':[{'mesh':0}]}",
                 glb.bin_size));
  const ModelMesh *mesh = &model->meshes[0];
  check_near(mesh->positions[7], -20, "a short");
  check_near(mesh->positions[8], 300, "a short");
  check_near(mesh->normals[2], 1, "a normalised byte");
  check_near(mesh->uvs[0], 1, "a normalised unsigned short");
  assert_int_equal(mesh->colors[0], 255);
  assert_int_equal(mesh->colors[2], 128);  // linear 55 of 255 shows as half
  assert_int_equal(mesh->colors[3], 128);
  assert_true(model->materials[0].tracks_vertex_color);
  check_freed(&memory, model);
}

static void test_sparse(void **state) {
  (void)state;
  static Glb glb;
  glb = (Glb){0};
  Memory memory = {0};
  add_floats(&glb, SQUARE, 9);
  add_shorts(&glb, (const int[]){1, 0}, 2);
  add_floats(&glb, (const float[]){7, 8, 9}, 3);
  const char *format = START BUFFER
      "'bufferViews':[{'buffer':0,'byteLength':36},{'buffer':0,'byteOffset':36,'byteLength':2},"
      "{'buffer':0,'byteOffset':40,'byteLength':12}],"
      "'accessors':[{%s'componentType':5126,'count':3,'type':'VEC3','sparse':{'count':1,"
      "'indices':{'bufferView':1,'componentType':5123},'values':{'bufferView':2}}}]," TRIANGLE_MESH
      "'scene':0,"
      "'scenes':[{'nodes':[0]}]}";
  Model *model = load_packed(&memory, &glb, write_json(format, glb.bin_size, "'bufferView':0,"));
  const float expected[9] = {0, 0, 0, 7, 8, 9, 1, 1, 0};
  assert_memory_equal(model->meshes[0].positions, expected, sizeof expected);
  model_free(model);
  // Without a view all others are zero.
  model = load_packed(&memory, &glb, write_json(format, glb.bin_size, ""));
  const float zeros[9] = {0, 0, 0, 7, 8, 9, 0, 0, 0};
  assert_memory_equal(model->meshes[0].positions, zeros, sizeof zeros);
  check_freed(&memory, model);
}

// ---- Materials

static void test_materials(void **state) {
  (void)state;
  static Glb glb;
  glb = (Glb){0};
  Memory memory = {0};
  add_bytes(&glb, (const int[]){1, 2, 3, 4}, 4);
  Model *model = load_packed(
      &memory, &glb,
      write_json(
          START
          "'extensionsUsed':['KHR_materials_unlit','KHR_texture_transform','EXT_strange']," BUFFER
          "'bufferViews':[{'buffer':0,'byteLength':4}],"
          "'images':[{'uri':'my%%20skin.png'},{'bufferView':0,'mimeType':'image/png'},"
          "{'uri':'data:image/png;base64,AQIDBA=='}],"
          "'samplers':[{'wrapS':33071,'wrapT':33648,'magFilter':9728,'minFilter':9729}],"
          "'textures':[{'source':0,'sampler':0},{'source':1},{'source':2}],"
          "'materials':[{'name':'plain','pbrMetallicRoughness':{'baseColorFactor':[0.5,1,0,0.25],"
          "'metallicFactor':0,'roughnessFactor':0.5,'baseColorTexture':{'index':0}},'alphaMode':'BLEND'},"
          "{'alphaMode':'MASK','alphaCutoff':0.75,'doubleSided':true,'emissiveFactor':[1,0,0],"
          "'extensions':{'KHR_materials_unlit':{}},'pbrMetallicRoughness':{'baseColorTexture':{'index':1,'extensions':"
          "{'KHR_texture_transform':{'offset':[0.5,0.25],'scale':[2,4],'rotation':1.5707963}}}},"
          "'normalTexture':{'index':0}},{'pbrMetallicRoughness':{'baseColorFactor':[1,1,1,0.5],"
          "'baseColorTexture':{'index':2}}}]}",
          glb.bin_size));
  const ModelMaterial *m = model->materials;
  check_near(m[0].diffuse.r, 0.7353569f, "half of linear light as the display shows it");
  check_near(m[0].diffuse.a, 0.25f, "opacity");
  assert_int_equal(m[0].blend, BLEND_ALPHA);
  check_near(m[0].shininess, 30, "2 / 0.5^4 - 2");
  assert_string_equal(model->images[m[0].stages[0].image].name, "my skin.png");
  assert_int_equal(m[0].stages[0].wrap_u, WRAP_CLAMP);
  assert_int_equal(m[0].stages[0].wrap_v, WRAP_MIRROR);
  assert_int_equal(m[0].stages[0].filter, FILTER_NEAREST);
  assert_false(m[0].stages[0].has_mipmaps);
  check_near(m[1].alpha_threshold, 0.75f, "cutoff");
  assert_int_equal(m[1].cull, CULL_NONE);
  assert_true(m[1].is_unlit);
  check_near(m[1].emissive.r, 1, "emissive");
  // (1, 0) is scaled to (2, 0), turned to (0, -2) and moved.
  const ModelTextureStage *stage = &m[1].stages[0];
  check_near(stage->uv_x[0] + stage->uv_offset[0], 0.5f, "u");
  check_near(stage->uv_x[1] + stage->uv_offset[1], -1.75f, "v");
  assert_int_equal(model->images[1].embedded.size, 4);
  assert_memory_equal(model->images[1].embedded.data, "\1\2\3\4", 4);
  assert_memory_equal(model->images[2].embedded.data, "\1\2\3\4", 4);
  check_near(m[2].diffuse.a, 1, "opaque materials have no opacity");
  assert_true(has_warning(model, "EXT_strange"));
  assert_true(has_warning(model, "normalTexture"));
  check_freed(&memory, model);
}

// ---- Nodes

static void test_tree(void **state) {
  (void)state;
  static Glb glb;
  glb = (Glb){0};
  Memory memory = {0};
  Model *model =
      load_packed(&memory, &glb,
                  START
                  "'extensionsUsed':['KHR_lights_punctual'],'extensions':{'KHR_lights_punctual':{'lights':["
                  "{'type':'spot','color':[1,0,0],'intensity':4,'spot':{'innerConeAngle':0.25,'outerConeAngle':0.5}},"
                  "{'type':'directional','intensity':2}]}},"
                  "'cameras':[{'type':'perspective','perspective':{'yfov':0.5,'znear':0.25}},"
                  "{'type':'orthographic','orthographic':{'xmag':2,'ymag':3,'znear':1,'zfar':9}}],"
                  "'scene':1,'scenes':[{'nodes':[3]},{'nodes':[2,4]}],"
                  "'nodes':[{'name':'hand','translation':[0,1,0]},{'children':[0],'camera':0},"
                  "{'children':[1],'matrix':[0,0,-1,0,0,1,0,0,1,0,0,0,5,0,0,1]},{'name':'elsewhere'},"
                  "{'name':'lamp','camera':1,'extensions':{'KHR_lights_punctual':{'light':0}}}]}");
  assert_int_equal(model->node_count, 4);
  const char *names[4] = {"node2", "node1", "hand", "lamp"};
  const int parents[4] = {-1, 0, 1, -1};
  for (int i = 0; i < 4; i++) {
    assert_string_equal(model->nodes[i].name, names[i]);
    assert_int_equal(model->nodes[i].parent, parents[i]);
  }
  Affine worlds[4];
  model_node_worlds(model->nodes, 4, worlds);
  check_near(worlds[2].origin.x, 5, "x");
  check_near(worlds[2].origin.y, 1, "y");
  assert_int_equal(model->nodes[1].camera, 0);
  check_near(model->cameras[0].fov, 0.5f, "fov");
  check_near(model->cameras[1].size, 6, "twice ymag");
  assert_int_equal(model->cameras[1].kind, CAMERA_PARALLEL);
  assert_int_equal(model->nodes[3].light, 0);
  check_near(model->lights[0].outer_angle, 0.5f, "cone");
  check_near(model->lights[0].range, 8, "4 candela are gone at 8 m");
  check_near(model->lights[1].intensity, 2, "of a sun");
  check_freed(&memory, model);
}

// ---- Skins and animations

#define SKINNED                                                                                   \
  START BUFFER                                                                                    \
      "'bufferViews':[{'buffer':0,'byteLength':36},{'buffer':0,'byteOffset':36,'byteLength':12}," \
      "{'buffer':0,'byteOffset':48,'byteLength':48},{'buffer':0,'byteOffset':96,'byteLength':8}," \
      "{'buffer':0,'byteOffset':104,'byteLength':32}],"                                           \
      "'accessors':[" POSITIONS_ACCESSOR                                                          \
      ",{'bufferView':1,'componentType':5121,'count':3,'type':'VEC4'},"                           \
      "{'bufferView':2,'componentType':5126,'count':3,'type':'VEC4'},"                            \
      "{'bufferView':3,'componentType':5126,'count':2,'type':'SCALAR'},"                          \
      "{'bufferView':4,'componentType':5126,'count':2,'type':'VEC4'}],"                           \
      "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2}}]}],"     \
      "'skins':[{'joints':[1,2]}],'nodes':[{'mesh':0,'skin':0},{'children':[2]},{'translation':[0,1,0]}],"

static void fill_skinned(Glb *glb, int joint) {
  *glb = (Glb){0};
  add_floats(glb, SQUARE, 9);
  add_bytes(glb, (const int[]){0, joint, 9, 9, 1, 0, 0, 0, 0, 1, 0, 0}, 12);
  add_floats(glb, (const float[]){2, 2, 0, 0, 0, 0, 0, 0, 0.25f, 0.25f, 0, 0}, 12);
  add_floats(glb, (const float[]){0, 2}, 2);
  // The second is the first one turned a little, with all signs turned round.
  add_floats(glb, (const float[]){0, 0, 0, 1, 0, 0, -0.6f, -0.8f}, 8);
}

static void test_skin(void **state) {
  (void)state;
  static Glb glb;
  Memory memory = {0};
  fill_skinned(&glb, 1);
  Model *model = load_packed(&memory, &glb,
                             write_json(SKINNED "'animations':[{'name':'bend','samplers':[{'input':3,'output':4}],"
                                                "'channels':[{'sampler':0,'target':{'node':2,'path':'rotation'}}]},"
                                                "{'name':'bend','samplers':[{'input':3,'output':4}],"
                                                "'channels':[{'sampler':0,'target':{'node':2,'path':'rotation'}}]}]}",
                                        glb.bin_size, 3));
  const ModelMesh *mesh = &model->meshes[0];
  const float weights[12] = {0.5f, 0.5f, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0};
  for (int i = 0; i < 12; i++)
    check_near(mesh->weights[i], weights[i], "a weight");
  assert_int_equal(mesh->joints[1], 1);
  assert_int_equal(mesh->joints[2], 0);  // 9 had no weight
  assert_true(has_warning(model, "1 vertices without weights"));
  assert_int_equal(model->node_skins[0].joint_count, 2);
  assert_int_equal(model->clip_count, 2);
  assert_string_equal(model->clips[0].name, "bend");
  assert_string_equal(model->clips[1].name, "bend 2");
  assert_int_equal(model->clips[0].kind, CLIP_SKELETAL);
  check_near(model->clips[0].end, 2, "end");
  ModelNode nodes[3];
  memcpy(nodes, model->nodes, sizeof nodes);
  model_pose_nodes(model, &model->clips[0], 1, nodes);
  // Half of the shorter way: the angle whose half has sine 0.6, halved.
  check_near(fabsf(nodes[2].rotation.w), cosf(asinf(0.6f) / 2), "half way");
  check_freed(&memory, model);
  fill_skinned(&glb, 2);
  pack(&glb, write_json(SKINNED "'scene':0,'scenes':[{'nodes':[0,1]}]}", glb.bin_size, 3));
  check_refused("a.glb", glb.file, glb.size, "joint");
}

static void test_morph_and_cubic(void **state) {
  (void)state;
  static Glb glb;
  glb = (Glb){0};
  Memory memory = {0};
  add_floats(&glb, SQUARE, 9);
  add_floats(&glb, (const float[]){0, 0, 1, 0, 0, 2, 0, 0, 3}, 9);
  add_floats(&glb, (const float[]){0, 1}, 2);
  // In-tangent, value, out-tangent of two keys.
  add_floats(&glb, (const float[]){0, 0.25f, 1, 1, 0.75f, 0}, 6);
  Model *model = load_packed(
      &memory, &glb,
      write_json(START BUFFER
                 "'bufferViews':[{'buffer':0,'byteLength':104}],'accessors':[" POSITIONS_ACCESSOR
                 ",{'bufferView':0,'byteOffset':36,'componentType':5126,'count':3,'type':'VEC3'},"
                 "{'bufferView':0,'byteOffset':72,'componentType':5126,'count':2,'type':'SCALAR'},"
                 "{'bufferView':0,'byteOffset':80,'componentType':5126,'count':6,'type':'SCALAR'}],"
                 "'meshes':[{'weights':[0.5],'extras':{'targetNames':['smile']},"
                 "'primitives':[{'attributes':{'POSITION':0},'targets':[{'POSITION':1}]}]}],"
                 "'nodes':[{'mesh':0},{'mesh':0,'weights':[0.125]}],'animations':[{'samplers':[{'input':2,'output':3,"
                 "'interpolation':'CUBICSPLINE'}],'channels':[{'sampler':0,'target':{'node':0,'path':'weights'}}]}]}",
                 glb.bin_size, 3));
  assert_int_equal(model->morph_target_count, 1);
  assert_string_equal(model->morph_targets[0].name, "smile");
  check_near(model->morph_targets[0].positions[8], 3, "a delta");
  check_near(model->morph_targets[0].default_weight, 0.5f, "weight of the mesh");
  check_near(model->nodes[1].morph_weights[0], 0.125f, "weight of the node");
  assert_int_equal(model->clips[0].kind, CLIP_MORPH);
  float value;
  int cursor = 0;
  track_sample(&model->tracks[0].keys, 0.5f, &cursor, &value);
  check_near(value, 0.5f, "half of 0.25 and 0.75, tangents 1 and 1");
  track_sample(&model->tracks[0].keys, 1, &cursor, &value);
  check_near(value, 0.75f, "the last key");
  check_freed(&memory, model);
}

// ---- Refusals

static void check_text_refused(const char *json, const char *word) {
  char text[2048];
  size_t length = strlen(json);
  for (size_t i = 0; i <= length; i++)
    text[i] = json[i] == '\'' ? '"' : json[i];
  check_refused("a.gltf", text, length, word);
}

#define DATA                                                                                             \
  "'buffers':[{'byteLength':36,'uri':'data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAACAPwAAgD8AAAAA'}]," \
  "'bufferViews':[{'buffer':0,'byteLength':36}],"

static void test_refusals(void **state) {
  (void)state;
  check_text_refused("", "empty");
  check_text_refused("{'asset':{'version':'2.0'}", "not JSON");
  check_text_refused("{\n\n'asset' 1}", "a.gltf:3: this is not JSON");
  check_text_refused("[]", "not an object");
  check_text_refused("{'asset':{'version':'1.0'}}", "version");
  check_text_refused("{}", "asset");
  check_text_refused(START "'extensionsRequired':['KHR_draco_mesh_compression']}", "KHR_draco_mesh_compression");
  check_text_refused(START "'scene':'hello'}", "\"scene\" is not an index");
  check_text_refused(START "'nodes':{}}", "\"nodes\" is not an array");
  check_text_refused(START "'nodes':[7]}", "nodes[0]: this is not an object");
  check_text_refused(START "'nodes':[{'children':[0]}]}", "nodes[0]");
  check_text_refused(START "'nodes':[{'children':[1]},{'children':[0]}]}", "cycle");
  check_text_refused(START "'nodes':[{'children':[2]},{'children':[2]},{}]}", "child of two");
  check_text_refused(START "'nodes':[{'mesh':3}]}", "index 3, there are 0 meshes");
  check_text_refused(START "'nodes':[{'translation':[1,2]}]}", "3 numbers");
  check_text_refused(START "'nodes':[{'translation':[1,2,1e99]}]}", "3 numbers");
  check_text_refused(START "'buffers':[{'byteLength':4,'uri':'none.bin'}]}", "none.bin is not found");
  check_text_refused(START "'buffers':[{'byteLength':40,'uri':'data:;base64,AAAA'}]}", "truncated");
  check_text_refused(START "'buffers':[{'byteLength':3,'uri':'data:;base64,A*AA'}]}", "base64");
  check_text_refused(
      START DATA "'accessors':[{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'}]," TRIANGLE_MESH "'x':0}",
      "count 4 needs 48 bytes");
  check_text_refused(
      START DATA
      "'accessors':[{'bufferView':0,'componentType':5126,'count':4611686018427387904,'type':'SCALAR'}]," TRIANGLE_MESH
      "'x':0}",
      "count");
  check_text_refused(START DATA "'accessors':[{'componentType':5126,'count':9999999,'type':'VEC3'}]," TRIANGLE_MESH
                                "'x':0}",
                     "more than the whole file");
  check_text_refused(START DATA
                     "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3','sparse':"
                     "{'count':1,'indices':{'bufferView':0,'componentType':5125,'byteOffset':24},"
                     "'values':{'bufferView':0}}}]," TRIANGLE_MESH "'x':0}",
                     "sparse index");
}

static void test_json_bomb(void **state) {
  (void)state;
  enum { SIZE = 4 << 20 };
  char *text = malloc(SIZE);
  assert_non_null(text);
  memset(text, '0', SIZE);
  for (int i = 1; i < SIZE; i += 2)
    text[i] = ',';
  memcpy(text, "{\"a\":[", 6);
  memcpy(text + SIZE - 3, "0]}", 3);
  check_refused("a.gltf", text, SIZE, "values");
  memset(text, '[', SIZE);
  memcpy(text, "{\"a\":", 5);
  check_refused("a.gltf", text, SIZE, "a.gltf:");
  free(text);
}

// ---- Files beside the model

static bool read_beside(void *user, const char *path, Bytes *bytes, Error *error) {
  Memory *memory = user;
  if (strcmp(path, "100%.bin") != 0) return error_set(error, "%s: not found", path);
  *bytes = copy_bytes(memory, SQUARE, 36);
  return bytes->data || error_set_out_of_memory(error);
}

static void test_companion(void **state) {
  (void)state;
  static const char TEXT[] =
      "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":36,\"uri\":\"100%25.bin\"}],"
      "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
      "\"count\":3,\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
      "\"nodes\":[{\"mesh\":0}]}";
  Memory memory = {0};
  Error error = {0};
  LoadRequest request = {.memory = &memory, .path = "a.gltf", .read = read_beside, .read_user = &memory};
  Model *model = model_load(&request, copy_bytes(&memory, TEXT, sizeof TEXT - 1), &error);
  if (!model) fail_msg("%s", error.text);
  assert_int_equal(model->meshes[0].vertex_count, 3);
  check_freed(&memory, model);
}

static void test_robust(void **state) {
  (void)state;
  static Glb glb;
  Memory memory = {0};
  LoadRequest request = {.memory = &memory, .path = "a.glb"};
  fill_skinned(&glb, 1);
  pack(&glb, write_json(SKINNED "'animations':[{'samplers':[{'input':3,'output':4}],"
                                "'channels':[{'sampler':0,'target':{'node':2,'path':'rotation'}}]}]}",
                        glb.bin_size, 3));
  check_failing_allocations(&request, glb.file, glb.size);
  for (size_t size = 0; size < glb.size; size++) {
    Error error = {0};
    Model *model = load_bytes(&memory, "a.glb", glb.file, size, &error);
    assert_null(model);
    assert_int_equal(strncmp(error.text, "a.glb:", 6), 0);
    assert_int_equal(memory.live_bytes, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_modes),     cmocka_unit_test(test_plain_triangle_in_place),
      cmocka_unit_test(test_quantised), cmocka_unit_test(test_sparse),
      cmocka_unit_test(test_materials), cmocka_unit_test(test_tree),
      cmocka_unit_test(test_skin),      cmocka_unit_test(test_morph_and_cubic),
      cmocka_unit_test(test_refusals),  cmocka_unit_test(test_json_bomb),
      cmocka_unit_test(test_companion), cmocka_unit_test(test_robust),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
