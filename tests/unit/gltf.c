// glTF files composed by hand: a JSON text and the bytes it refers to.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gltf_file.h"
#include "loaders/model_pose.h"

#define BUFFER "'buffers':[{'byteLength':%zu}],"
#define TRIANGLE_MESH "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],'nodes':[{'mesh':0}],"
#define POSITIONS_ACCESSOR "{'bufferView':0,'componentType':5126,'count':%d,'type':'VEC3'}"

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

// What is written by older exporters, and what shines.
static void test_more_materials(void **state) {
  (void)state;
  static Glb glb;
  glb = (Glb){0};
  Memory memory = {0};
  Model *model = load_packed(
      &memory, &glb,
      START
      "'images':[{'uri':'a.png'}],'textures':[{'source':0},{}],'materials':["
      "{'extensions':{'KHR_materials_pbrSpecularGlossiness':{'diffuseFactor':[0,1,0,0.5],'specularFactor':[0,0,1],"
      "'glossinessFactor':0.5,'diffuseTexture':{'index':0}}},'alphaMode':'BLEND'},"
      "{'emissiveFactor':[0.25,0,0],'extensions':{'KHR_materials_emissive_strength':{'emissiveStrength':2}}},"
      "{'emissiveFactor':[1,1,1],'emissiveTexture':{'index':0}},"
      "{'pbrMetallicRoughness':{'metallicRoughnessTexture':{'index':0},'baseColorTexture':{'index':1}}},"
      "{'pbrMetallicRoughness':{'baseColorFactor':[1,0,0,1],'roughnessFactor':0.25}}]}");
  const ModelMaterial *m = model->materials;
  check_near(m[0].diffuse.g, 1, "diffuse");
  check_near(m[0].diffuse.a, 0.5f, "opacity");
  check_near(m[0].specular.b, 0.7353569f, "half of the specular colour as the display shows it");
  check_near(m[0].specular.r, 0, "specular");
  assert_int_equal(m[0].stages[0].image, 0);
  check_near(m[1].emissive.r, 0.7353569f, "twice a quarter as the display shows it");
  // Its picture says where it shines.
  check_near(m[2].emissive.r, 0, "emissive");
  assert_true(has_warning(model, "emissiveTexture"));
  assert_true(has_warning(model, "note: pictures of metallicRoughnessTexture"));
  assert_true(has_warning(model, "textures[1]: its picture is of a kind"));
  assert_int_equal(m[3].stages[0].image, -1);
  // A metal reflects its own colour.
  check_near(m[4].specular.r, 0.880825f, "three quarters as the display shows it");
  check_near(m[4].specular.g, 0, "specular of a red metal");
  check_near(m[4].shininess, 2 / 0.00390625f - 2, "2 / 0.25^4 - 2");
  check_freed(&memory, model);
  check_text_refused(START "'materials':[{'alphaMode':'GLASS'}]}", "materials[0]: \"alphaMode\" GLASS is unknown");
  check_text_refused(START "'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{}}}]}", "names no texture");
  check_text_refused(START
                     "'samplers':[{'wrapS':1}],'textures':[{'sampler':0}],'materials':"
                     "[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0}}}]}",
                     "samplers[0]: \"wrapS\" 1 is unknown");
  check_text_refused(START "'images':[{}]}", "images[0]: it has neither");
}

// ---- Nodes

// A chain of nodes, each below the one before it.
static char *write_chain(int count) {
  char *text = malloc((size_t)count * 32 + 128), *at = text;
  assert_non_null(text);
  at += sprintf(at, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
  for (int i = 0; i + 1 < count; i++)
    at += sprintf(at, "{\"children\":[%d]},", i + 1);
  sprintf(at, "{}]}");
  return text;
}

static void test_deep_chains(void **state) {
  (void)state;
  Memory memory = {0};
  char *text = write_chain(MODEL_MAX_DEPTH);
  Model *model = check_loads(&memory, "a.gltf", text, strlen(text));
  assert_int_equal(model->node_count, MODEL_MAX_DEPTH);
  check_freed(&memory, model);
  free(text);
  text = write_chain(60000);
  check_refused("a.gltf", text, strlen(text), "nested");
  free(text);
  text = write_chain(MODEL_MAX_NODES + 1);
  check_refused("a.gltf", text, strlen(text), "count of nodes");
  free(text);
}

static void test_nodes_refused(void **state) {
  (void)state;
  check_text_refused(START "'nodes':[{'children':[1]},{}],'scenes':[{'nodes':[1]}]}", "scenes[0]: node 1 is no root");
  check_text_refused(START "'nodes':[{'children':[1,1]},{}]}", "child of two");
  check_text_refused(START "'nodes':[{'matrix':[1,2,3]}]}", "nodes[0]: \"matrix\" is not 16 numbers");
  check_text_refused(START "'nodes':[{'name':5}]}", "nodes[0]: \"name\" is not a string");
  check_text_refused(START "'cameras':[{'type':'fisheye'}]}", "cameras[0]: \"type\" fisheye is unknown");
  check_text_refused(START "'cameras':[{'type':'perspective'}]}", "\"perspective\" is missing");
  check_text_refused(START "'cameras':[{'type':'perspective','perspective':{'yfov':0,'znear':1}}]}", "sees nothing");
  check_text_refused(START "'cameras':[{'type':'orthographic','orthographic':{'ymag':0}}]}", "sees nothing");
  check_text_refused(START "'extensions':{'KHR_lights_punctual':{'lights':[{'type':'area'}]}}}",
                     "lights[0]: \"type\" area is unknown");
  check_text_refused(START "'nodes':[{'extensions':{'KHR_lights_punctual':{'light':0}}}]}", "there are 0 lights");
}

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

// ---- Robustness

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
      cmocka_unit_test(test_modes),           cmocka_unit_test(test_plain_triangle_in_place),
      cmocka_unit_test(test_quantised),       cmocka_unit_test(test_sparse),
      cmocka_unit_test(test_materials),       cmocka_unit_test(test_tree),
      cmocka_unit_test(test_more_materials),  cmocka_unit_test(test_deep_chains),
      cmocka_unit_test(test_nodes_refused),   cmocka_unit_test(test_skin),
      cmocka_unit_test(test_morph_and_cubic), cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_json_bomb),       cmocka_unit_test(test_robust),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
