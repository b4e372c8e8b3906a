// 3DS files composed chunk by chunk: what each chunk comes to in the model.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "chunk_writer.h"
#include "loaders/material_list.h"
#include "loaders/model_pose.h"
#include "model_check.h"

static void check_near(float found, float expected, const char *what) {
  if (!(fabsf(found - expected) <= 1e-5f * fmaxf(1, fabsf(expected))))
    fail_msg("%s: %g, expected %g", what, (double)found, (double)expected);
}

static void check_vec3(Vec3 found, Vec3 expected, const char *what) {
  check_near(found.x, expected.x, what);
  check_near(found.y, expected.y, what);
  check_near(found.z, expected.z, what);
}

static void begin_editor(ChunkWriter *w) {
  memset(w, 0, sizeof *w);
  begin_chunk(w, 0x4d4d);
  begin_chunk(w, 0x3d3d);
}

static void begin_mesh(ChunkWriter *w, const char *name) {
  begin_chunk(w, 0x4000);
  write_text(w, name);
  begin_chunk(w, 0x4100);
}

static void end_mesh(ChunkWriter *w) {
  end_chunk(w);
  end_chunk(w);
}

static void put_vertices(ChunkWriter *w, const float *positions, int count) {
  begin_chunk(w, 0x4110);
  write_u16(w, (uint32_t)count);
  write_floats(w, positions, 3 * count);
  end_chunk(w);
}

static void begin_faces(ChunkWriter *w, const uint16_t *corners, int count) {
  begin_chunk(w, 0x4120);
  write_u16(w, (uint32_t)count);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 3; k++)
      write_u16(w, corners[3 * i + k]);
    write_u16(w, 7);
  }
}

static void put_smoothing(ChunkWriter *w, const uint32_t *groups, int count) {
  begin_chunk(w, 0x4150);
  for (int i = 0; i < count; i++)
    write_u32(w, groups[i]);
  end_chunk(w);
}

// Two triangles with a common edge, bent by a right angle: one lies on the ground, the other stands.
static const float BENT[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint16_t BENT_FACES[6] = {0, 1, 2, 0, 3, 1};

static void put_bent_mesh(ChunkWriter *w, const char *name, const uint32_t *groups) {
  begin_mesh(w, name);
  put_vertices(w, BENT[0], 4);
  begin_faces(w, BENT_FACES, 2);
  if (groups) put_smoothing(w, groups, 2);
  end_chunk(w);
  end_mesh(w);
}

static Model *load_written(Memory *memory, ChunkWriter *w) {
  while (w->depth > 0)
    end_chunk(w);
  return check_loads(memory, "scene.3ds", w->bytes, w->size);
}

static void put_percentage(ChunkWriter *w, uint32_t id, int percent) {
  begin_chunk(w, id);
  begin_chunk(w, 0x0030);
  write_u16(w, (uint32_t)percent);
  end_chunk(w);
  end_chunk(w);
}

static void put_byte_color(ChunkWriter *w, uint32_t id, uint32_t form, int r, int g, int b) {
  begin_chunk(w, id);
  begin_chunk(w, form);
  write_u8(w, (uint32_t)r);
  write_u8(w, (uint32_t)g);
  write_u8(w, (uint32_t)b);
  end_chunk(w);
  end_chunk(w);
}

static void begin_material(ChunkWriter *w, const char *name) {
  begin_chunk(w, 0xafff);
  begin_chunk(w, 0xa000);
  write_text(w, name);
  end_chunk(w);
}

// ---- Meshes

static void check_split(const uint32_t *groups, int vertices) {
  static ChunkWriter w;
  Memory memory = {0};
  begin_editor(&w);
  put_bent_mesh(&w, "bent", groups);
  Model *model = load_written(&memory, &w);
  assert_int_equal(model->mesh_count, 1);
  assert_int_equal(model->meshes[0].vertex_count, vertices);
  assert_int_equal(model->meshes[0].index_count, 6);
  check_freed(&memory, model);
}

static void test_smoothing_groups_split(void **state) {
  (void)state;
  check_split(NULL, 6);
  check_split((const uint32_t[]){0, 0}, 6);
  check_split((const uint32_t[]){1, 1}, 4);
  check_split((const uint32_t[]){1, 2}, 6);
  check_split((const uint32_t[]){3, 2}, 4);
  check_split((const uint32_t[]){0x80000000u, 0x80000000u}, 4);
  check_split((const uint32_t[]){1, 0}, 6);
}

static void test_normals_and_axes(void **state) {
  (void)state;
  static ChunkWriter w;
  Memory memory = {0};
  begin_editor(&w);
  put_bent_mesh(&w, "bent", (const uint32_t[]){5, 4});
  Model *model = load_written(&memory, &w);
  const ModelMesh *mesh = &model->meshes[0];
  assert_string_equal(mesh->name, "bent");
  // (x, y, z) of the file is (x, z, -y) here.
  check_vec3(mesh->bounds.min, vec3(0, 0, -1), "bounds");
  check_vec3(mesh->bounds.max, vec3(1, 1, 0), "bounds");
  // One face looks up and one along the file's +y, which is -z: along the edge both count alike.
  float half = sqrtf(0.5f);
  int shared = 0;
  for (int i = 0; i < mesh->vertex_count; i++) {
    Vec3 normal = vec3(mesh->normals[3 * i], mesh->normals[3 * i + 1], mesh->normals[3 * i + 2]);
    bool is_shared = vec3_distance(normal, vec3(0, half, -half)) < 1e-5f;
    bool is_single = vec3_distance(normal, vec3(0, 1, 0)) < 1e-5f || vec3_distance(normal, vec3(0, 0, -1)) < 1e-5f;
    assert_true(is_shared || is_single);
    shared += is_shared;
  }
  assert_int_equal(shared, 2);
  check_freed(&memory, model);
}

// A fan of triangles around vertex 0, each with other groups: the answer by definition, set by set.
static void test_random_groups(void **state) {
  (void)state;
  enum { FACES = 40 };
  static ChunkWriter w;
  Random random;
  random_seed(&random, 11);
  for (int round = 0; round < 50; round++) {
    float positions[FACES + 2][3];
    uint16_t faces[3 * FACES];
    uint32_t groups[FACES];
    int expected = 0;
    for (int i = 0; i < FACES + 2; i++) {
      for (int k = 0; k < 3; k++)
        positions[i][k] = i == 0 ? 0 : random_float(&random);
    }
    for (int i = 0; i < FACES; i++) {
      const uint16_t corners[3] = {0, (uint16_t)(i + 1), (uint16_t)(i + 2)};
      memcpy(faces + 3 * i, corners, sizeof corners);
      groups[i] = random_next(&random) & random_next(&random) & (round % 2 ? 0xffffffffu : 7u);
    }
    for (int i = 0; i < FACES; i++) {
      bool is_new = true;
      for (int k = 0; k < i && is_new && groups[i]; k++) {
        bool is_same = groups[k] != 0;
        for (int n = 0; n < FACES && is_same; n++)
          is_same = !(groups[n] & groups[i]) == !(groups[n] & groups[k]);
        is_new = !is_same;
      }
      expected += is_new;
    }
    Memory memory = {0};
    begin_editor(&w);
    begin_mesh(&w, "fan");
    put_vertices(&w, positions[0], FACES + 2);
    begin_faces(&w, faces, FACES);
    put_smoothing(&w, groups, FACES);
    end_chunk(&w);
    end_mesh(&w);
    Model *model = load_written(&memory, &w);
    int found = 0;
    for (int i = 0; i < model->meshes[0].vertex_count; i++) {
      const float *p = model->meshes[0].positions + 3 * i;
      found += p[0] == 0 && p[1] == 0 && p[2] == 0;
    }
    assert_int_equal(found, expected);
    check_freed(&memory, model);
  }
}

static void test_repairs(void **state) {
  (void)state;
  static ChunkWriter w;
  Memory memory = {0};
  float positions[4][3];
  memcpy(positions, BENT, sizeof BENT);
  positions[3][2] = NAN;
  begin_editor(&w);
  begin_mesh(&w, "bent");
  put_vertices(&w, positions[0], 4);
  begin_chunk(&w, 0x4140);
  write_u16(&w, 2);
  write_floats(&w, (const float[]){0.25f, 0.25f, INFINITY, 1}, 4);
  end_chunk(&w);
  begin_faces(&w, BENT_FACES, 2);
  begin_chunk(&w, 0x4130);
  write_text(&w, "nowhere");
  write_u16(&w, 2);
  write_u16(&w, 1);
  write_u16(&w, 99);
  end_chunk(&w);
  end_chunk(&w);
  end_mesh(&w);
  Model *model = load_written(&memory, &w);
  assert_true(has_warning(model, "1 non-finite vertices"));
  assert_true(has_warning(model, "2 uvs for 4 vertices"));
  assert_true(has_warning(model, "non-finite uvs"));
  assert_true(has_warning(model, "\"nowhere\" is not in the file"));
  assert_true(has_warning(model, "names 1 faces that are not there"));
  assert_non_null(model->meshes[0].uvs);
  check_freed(&memory, model);
}

static void test_length_too_long(void **state) {
  (void)state;
  for (int excess = 1; excess <= 9; excess += 4) {
    static ChunkWriter w;
    Memory memory = {0};
    begin_editor(&w);
    put_bent_mesh(&w, "bent", NULL);
    size_t object = 12;
    while (w.depth > 0)
      end_chunk(&w);
    put_u32(w.bytes + object + 2, read_u32(w.bytes + object + 2) + (uint32_t)excess);
    if (excess > 8) {
      check_refused("scene.3ds", w.bytes, w.size, "9 bytes past its parent");
      continue;
    }
    Model *model = check_loads(&memory, "scene.3ds", w.bytes, w.size);
    assert_true(has_warning(model, "past its parent, cut"));
    assert_int_equal(model->meshes[0].index_count, 6);
    check_freed(&memory, model);
  }
}

// ---- Materials

static void test_material(void **state) {
  (void)state;
  static ChunkWriter w;
  Memory memory = {0};
  begin_editor(&w);
  begin_material(&w, "shiny red");
  put_byte_color(&w, 0xa020, 0x0011, 255, 51, 0);
  begin_chunk(&w, 0xa010);
  begin_chunk(&w, 0x0013);  // linear alone counts
  write_floats(&w, (const float[]){0.5f, 0.25f, 0.125f}, 3);
  end_chunk(&w);
  end_chunk(&w);
  begin_chunk(&w, 0xa030);  // display and linear: display counts, in either order
  begin_chunk(&w, 0x0012);
  write_u16(&w, 0);
  write_u8(&w, 0);
  end_chunk(&w);
  begin_chunk(&w, 0x0010);
  write_floats(&w, (const float[]){0.75f, 0.5f, 1}, 3);
  end_chunk(&w);
  end_chunk(&w);
  put_percentage(&w, 0xa040, 50);
  put_percentage(&w, 0xa050, 25);
  begin_chunk(&w, 0xa084);
  begin_chunk(&w, 0x0031);
  write_f32(&w, 0.5f);
  end_chunk(&w);
  end_chunk(&w);
  begin_chunk(&w, 0xa081);
  end_chunk(&w);
  put_percentage(&w, 0xa230, 10);
  Model *model = load_written(&memory, &w);
  const ModelMaterial *material = &model->materials[0];
  assert_int_equal(model->material_count, 1);
  assert_string_equal(material->name, "shiny red");
  check_vec3(vec3(material->diffuse.r, material->diffuse.g, material->diffuse.b), vec3(1, 0.2f, 0), "diffuse");
  check_vec3(vec3(material->ambient.r, material->ambient.g, material->ambient.b), vec3(0.5f, 0.25f, 0.125f), "ambient");
  check_vec3(vec3(material->specular.r, material->specular.g, material->specular.b), vec3(0.75f, 0.5f, 1), "specular");
  check_vec3(vec3(material->emissive.r, material->emissive.g, material->emissive.b), vec3(0.5f, 0.1f, 0), "emissive");
  check_near(material->diffuse.a, 0.75f, "opacity");
  check_near(material->shininess, 32, "2^(10 * 0.5)");
  assert_int_equal(material->blend, BLEND_ALPHA);
  assert_int_equal(material->cull, CULL_NONE);
  assert_true(has_warning(model, "bump maps"));
  check_freed(&memory, model);
}

static void put_map(ChunkWriter *w, const char *file, int tiling, float angle) {
  begin_chunk(w, 0xa200);
  begin_chunk(w, 0xa300);
  write_text(w, file);
  end_chunk(w);
  begin_chunk(w, 0xa351);
  write_u16(w, (uint32_t)tiling);
  end_chunk(w);
  const float values[] = {2, 3, 0.25f, 0.5f, angle};
  for (int i = 0; i < 5; i++) {
    begin_chunk(w, 0xa354 + 2 * (uint32_t)i);
    write_f32(w, values[i]);
    end_chunk(w);
  }
  end_chunk(w);
}

// What the file says of (u, w), w upwards: turned about the middle, times scale, plus offset.
static void check_placement(const ModelTextureStage *stage, float angle) {
  for (int i = 0; i < 9; i++) {
    float u = 0.4f * (float)(i % 3), w = 0.3f * (float)(i / 3), c = cosf(angle), s = sinf(angle);
    float expected_u = 2 * (0.5f + (u - 0.5f) * c - (w - 0.5f) * s) + 0.25f;
    float expected_w = 3 * (0.5f + (u - 0.5f) * s + (w - 0.5f) * c) + 0.5f;
    float v = 1 - w;
    check_near(stage->uv_x[0] * u + stage->uv_y[0] * v + stage->uv_offset[0], expected_u, "u");
    check_near(stage->uv_x[1] * u + stage->uv_y[1] * v + stage->uv_offset[1], 1 - expected_w, "v");
  }
}

static void test_maps(void **state) {
  (void)state;
  static ChunkWriter w;
  Memory memory = {0};
  begin_editor(&w);
  begin_material(&w, "a");
  put_map(&w, "C:\\ART\\WALL.TGA", 0, 0);
  end_chunk(&w);
  begin_material(&w, "b");
  put_map(&w, "WALL.TGA", 2, 90);
  end_chunk(&w);
  begin_material(&w, "c");
  put_map(&w, "other.png", 16, 30);
  Model *model = load_written(&memory, &w);
  assert_int_equal(model->image_count, 2);
  assert_string_equal(model->images[0].name, "WALL.TGA");
  assert_true(has_warning(model, "outside the model's folder"));
  const TextureWrap wraps[3] = {WRAP_REPEAT, WRAP_MIRROR, WRAP_CLAMP};
  const float angles[3] = {0, 90, 30};
  for (int i = 0; i < 3; i++) {
    const ModelTextureStage *stage = &model->materials[i].stages[0];
    assert_int_equal(stage->image, i / 2);
    assert_int_equal(stage->wrap_u, wraps[i]);
    check_placement(stage, (float)(angles[i] * RADIANS_PER_DEGREE));
  }
  check_freed(&memory, model);
}

static void test_submeshes(void **state) {
  (void)state;
  static ChunkWriter w;
  Memory memory = {0};
  const uint16_t faces[] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 0, 2, 3};
  begin_editor(&w);
  begin_mesh(&w, "tetrahedron");  // before its materials
  begin_faces(&w, faces, 4);      // before its vertices
  begin_chunk(&w, 0x4130);
  write_text(&w, "b");
  write_u16(&w, 2);
  write_u16(&w, 1);
  write_u16(&w, 3);
  end_chunk(&w);
  begin_chunk(&w, 0x4130);
  write_text(&w, "a");
  write_u16(&w, 1);
  write_u16(&w, 2);
  end_chunk(&w);
  end_chunk(&w);
  put_vertices(&w, BENT[0], 4);
  end_mesh(&w);
  begin_material(&w, "a");
  begin_chunk(&w, 0xa000);
  write_text(&w, "another name, which does not count");
  end_chunk(&w);
  end_chunk(&w);
  begin_material(&w, "b");
  Model *model = load_written(&memory, &w);
  // Face 0 is in no group: the default material, which comes last of the materials.
  assert_int_equal(model->material_count, 3);
  assert_int_equal(model->submesh_count, 3);
  const int materials[3] = {2, 1, 0}, counts[3] = {3, 6, 3};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(model->submeshes[i].material, materials[i]);
    assert_int_equal(model->submeshes[i].index_count, counts[i]);
  }
  const ModelMaterial *plain = &model->materials[2];
  check_near(plain->diffuse.g, 0.587f, "diffuse");
  check_near(plain->ambient.g, 0.587f, "ambient");
  check_near(plain->specular.g, 0.896f, "specular");
  check_near(plain->diffuse.a, 1, "opacity");
  assert_true(plain->ignores_ambient);
  assert_true(plain->shininess == 0);
  check_freed(&memory, model);
}

static void test_shininess(void **state) {
  (void)state;
  check_near(shininess_from_percentage(0), 0, "none");
  check_near(shininess_from_percentage(0.1f), 2, "a tenth doubles");
  check_near(shininess_from_percentage(0.2f), 4, "a tenth doubles");
  check_near(shininess_from_percentage(1), 1024, "all");
  check_near(shininess_from_percentage(7), 1024, "more than all");
}

// ---- Lights and cameras

static void put_camera(ChunkWriter *w) {
  begin_chunk(w, 0x4000);
  write_text(w, "eye");
  begin_chunk(w, 0x4700);
  write_floats(w, (const float[]){0, -10, 2, 0, 0, 2, 0, 48}, 8);
  begin_chunk(w, 0x4720);
  write_floats(w, (const float[]){1, 500}, 2);
  end_chunk(w);
  end_chunk(w);
  end_chunk(w);
}

static void put_spot(ChunkWriter *w) {
  begin_chunk(w, 0x4000);
  write_text(w, "spot");
  begin_chunk(w, 0x4600);
  write_floats(w, (const float[]){0, 0, 10}, 3);
  begin_chunk(w, 0x0010);
  write_floats(w, (const float[]){1, 0.5f, 0.25f}, 3);
  end_chunk(w);
  begin_chunk(w, 0x4610);
  write_floats(w, (const float[]){0, 0, 0, 40, 60}, 5);
  end_chunk(w);
  begin_chunk(w, 0x4625);
  end_chunk(w);
  begin_chunk(w, 0x465a);
  write_f32(w, 30);
  end_chunk(w);
  begin_chunk(w, 0x465b);
  write_f32(w, 1.5f);
  end_chunk(w);
  end_chunk(w);
  end_chunk(w);
}

static void test_lights_and_cameras(void **state) {
  (void)state;
  static ChunkWriter w;
  Memory memory = {0};
  begin_editor(&w);
  put_byte_color(&w, 0x2100, 0x0011, 51, 102, 255);
  put_byte_color(&w, 0x1200, 0x0011, 0, 0, 51);
  put_camera(&w);
  put_spot(&w);
  Model *model = load_written(&memory, &w);
  assert_true(model->has_ambient && model->has_background);
  check_near(model->ambient.g, 0.4f, "ambient");
  check_near(model->background.b, 0.2f, "background");
  assert_int_equal(model->node_count, 2);
  const ModelLight *light = &model->lights[0];
  assert_int_equal(light->kind, LIGHT_SPOT);
  check_near(light->outer_angle, (float)(30 * RADIANS_PER_DEGREE), "falloff");
  check_near(light->inner_angle, (float)(20 * RADIANS_PER_DEGREE), "hotspot");
  check_near(light->range, 30, "range");
  check_near(light->intensity, 1.5f, "multiplier");
  check_vec3(quat_rotate(model->nodes[0].rotation, vec3(0, 0, -1)), vec3(0, -1, 0), "the spot shines down");
  const ModelCamera *camera = &model->cameras[0];
  check_near(camera->fov, (float)(50 * RADIANS_PER_DEGREE), "a lens of 48 mm");
  check_near(camera->near_plane, 1, "near");
  check_near(camera->far_plane, 500, "far");
  const ModelNode *node = &model->nodes[1];
  check_vec3(node->translation, vec3(0, 2, 10), "the camera's place");
  check_vec3(quat_rotate(node->rotation, vec3(0, 0, -1)), vec3(0, 0, -1), "the camera looks along -z");
  check_freed(&memory, model);
}

// ---- The keyframer

// Keys of `size` floats, each after its frame.
static void put_track(ChunkWriter *w, uint32_t id, int size, const float *keys, int count) {
  begin_chunk(w, id);
  write_u16(w, 0);
  write_u32(w, 0);
  write_u32(w, 0);
  write_u32(w, (uint32_t)count);
  for (int i = 0; i < count; i++) {
    write_u32(w, (uint32_t)(int)keys[i * (size + 1)]);
    write_u16(w, 0);
    write_floats(w, keys + i * (size + 1) + 1, size);
  }
  end_chunk(w);
}

static Affine world_at(const Model *model, int node, float time) {
  ModelNode nodes[16];
  Affine worlds[16];
  memcpy(nodes, model->nodes, (size_t)model->node_count * sizeof *nodes);
  if (model->clip_count > 0) model_pose_nodes(model, &model->clips[0], time, nodes);
  model_node_worlds(nodes, model->node_count, worlds);
  return worlds[node];
}

// The child comes before its parent, turns twice around in one key, and the parent moves.
static void test_hierarchy(void **state) {
  (void)state;
  static ChunkWriter w;
  Memory memory = {0};
  begin_editor(&w);
  put_bent_mesh(&w, "arm", NULL);
  begin_keyframer(&w);
  begin_node(&w, 0xb002, 7, "arm", 3);
  put_track(&w, 0xb020, 3, (const float[]){0, 1, 0, 0}, 1);
  put_track(&w, 0xb021, 4, (const float[]){0, 0, 0, 0, 1, 60, (float)(4 * PI), 0, 0, 1}, 2);
  end_chunk(&w);
  begin_node(&w, 0xb002, 3, "$$$DUMMY", 0xffff);
  begin_chunk(&w, 0xb011);
  write_text(&w, "shoulder");
  end_chunk(&w);
  put_track(&w, 0xb020, 3, (const float[]){0, 0, 0, 0, 30, 0, 3, 0, 60, 0, 0, 0}, 3);
  Model *model = load_written(&memory, &w);
  assert_int_equal(model->node_count, 2);
  assert_string_equal(model->nodes[0].name, "shoulder");
  assert_string_equal(model->nodes[1].name, "arm");
  assert_int_equal(model->nodes[1].parent, 0);
  assert_int_equal(model->clip_count, 1);
  check_near(model->clips[0].end, 2, "60 frames");
  check_near(model->clips[0].fps, 30, "frames a second");
  check_vec3(world_at(model, 1, 1).origin, vec3(1, 0, -3), "the child follows");
  // Frame 7.5 of 60 is a quarter turn of the two, the other way round than right-handed about the file's z, our y.
  Affine quarter = world_at(model, 1, 0.25f);
  check_vec3(quarter.x, vec3(0, 0, 1), "a quarter turn");
  check_freed(&memory, model);
}

static void test_hidden_and_targets(void **state) {
  (void)state;
  static ChunkWriter w;
  Memory memory = {0};
  begin_editor(&w);
  put_bent_mesh(&w, "lamp", NULL);
  put_camera(&w);
  begin_keyframer(&w);
  begin_node(&w, 0xb003, 0, "eye", 0xffff);
  put_track(&w, 0xb020, 3, (const float[]){0, 0, -10, 2}, 1);
  put_track(&w, 0xb023, 1, (const float[]){0, 30, 30, 60}, 2);
  end_chunk(&w);
  begin_node(&w, 0xb004, 1, "eye", 0xffff);
  put_track(&w, 0xb020, 3, (const float[]){0, 0, 0, 0}, 1);
  end_chunk(&w);
  begin_node(&w, 0xb002, 2, "lamp", 0xffff);
  put_track(&w, 0xb029, 0, (const float[]){10, 20}, 2);
  end_chunk(&w);
  Model *model = load_written(&memory, &w);
  assert_string_equal(model->nodes[1].name, "eye.Target");
  assert_int_equal(model->nodes[0].camera, 0);
  assert_int_equal(model->cameras[0].target, 1);
  check_near(model->cameras[0].fov, (float)(30 * RADIANS_PER_DEGREE), "fov at frame 0");
  const float frames[] = {0, 9, 10, 19, 20, 60};
  const bool hidden[] = {false, false, true, true, false, false};
  for (int i = 0; i < 6; i++) {
    ModelNode nodes[3];
    memcpy(nodes, model->nodes, sizeof nodes);
    model_pose_nodes(model, &model->clips[0], frames[i] / 30, nodes);
    assert_int_equal(nodes[2].is_hidden, hidden[i]);
  }
  check_freed(&memory, model);
}

// Kinds of writers: the first face's corner in the node's space, posed at frame 0, has to be where it was stored.
static void check_pivot_rule(bool has_matrix, bool has_pivot, bool is_max) {
  static ChunkWriter w;
  Memory memory = {0};
  begin_editor(&w);
  begin_mesh(&w, "box");
  put_vertices(&w, BENT[0], 4);
  begin_faces(&w, BENT_FACES, 2);
  end_chunk(&w);
  if (has_matrix) {
    begin_chunk(&w, 0x4160);
    write_floats(&w, (const float[]){0, 1, 0, -1, 0, 0, 0, 0, 1, 5, 6, 7}, 12);
    end_chunk(&w);
  }
  end_mesh(&w);
  begin_keyframer(&w);
  begin_chunk(&w, 0xb00a);
  write_u16(&w, 5);
  write_text(&w, is_max ? "MAXSCENE" : "");
  write_u32(&w, 60);
  end_chunk(&w);
  begin_node(&w, 0xb002, 0, "box", 0xffff);
  if (has_pivot) {
    begin_chunk(&w, 0xb013);
    write_floats(&w, (const float[]){1, 2, 3}, 3);
    end_chunk(&w);
  }
  // The place is that of the object frame; with 3D Studio's pivots, of the pivot in it: M * (1, 2, 3) = (3, 7, 10).
  Vec3 at = has_pivot && !is_max ? vec3(5 - 2, 6 + 1, 7 + 3) : vec3(5, 6, 7);
  if (!has_matrix) at = vec3(2, 2, 2);
  put_track(&w, 0xb020, 3, (const float[]){0, at.x, at.y, at.z, 30, 9, 9, 9}, 2);
  put_track(&w, 0xb021, 4, (const float[]){0, (float)(-PI / 2), 0, 0, 1}, 1);
  Model *model = load_written(&memory, &w);
  Affine posed = affine_mul(world_at(model, 0, 0), model->nodes[0].geometry);
  check_vec3(affine_point(posed, vec3(1, 2, 3)), vec3(1, 2, 3), "stored is posed at frame 0");
  check_freed(&memory, model);
}

static void test_pivot_rules(void **state) {
  (void)state;
  check_pivot_rule(true, false, true);
  check_pivot_rule(true, true, true);
  check_pivot_rule(true, true, false);
  check_pivot_rule(false, true, false);
  check_pivot_rule(false, false, false);
}

static void test_instances(void **state) {
  (void)state;
  static ChunkWriter w;
  Memory memory = {0};
  begin_editor(&w);
  put_bent_mesh(&w, "tree", NULL);
  put_bent_mesh(&w, "stone", NULL);
  begin_keyframer(&w);
  begin_node(&w, 0xb002, 0, "tree", 0xffff);
  end_chunk(&w);
  begin_node(&w, 0xb002, 1, "tree", 0xffff);
  begin_chunk(&w, 0xb011);
  write_text(&w, "second tree");
  end_chunk(&w);
  put_track(&w, 0xb020, 3, (const float[]){0, 10, 0, 0}, 1);
  Model *model = load_written(&memory, &w);
  assert_int_equal(model->node_count, 3);
  assert_int_equal(model->mesh_count, 2);
  assert_int_equal(model->nodes[0].mesh, 0);
  assert_int_equal(model->nodes[1].mesh, 0);
  assert_string_equal(model->nodes[1].name, "second tree");
  assert_string_equal(model->nodes[2].name, "stone");
  assert_int_equal(model->nodes[2].mesh, 1);
  assert_int_equal(model->clip_count, 0);
  check_freed(&memory, model);
}

// Names and parents that are not there stay nobody's, however often they are asked for and whatever else is there twice.
static void test_unknown_names(void **state) {
  (void)state;
  static ChunkWriter w;
  static const int IDS[4] = {7, 7, 8, 9};
  Memory memory = {0};
  begin_editor(&w);
  put_bent_mesh(&w, "box", NULL);
  put_bent_mesh(&w, "box", NULL);
  begin_keyframer(&w);
  for (int i = 0; i < 4; i++) {
    begin_node(&w, 0xb002, (uint32_t)IDS[i], i == 0 ? "box" : "$$$DUMMY", i == 0 ? 0xffff : 99);
    end_chunk(&w);
  }
  Model *model = load_written(&memory, &w);
  assert_int_equal(model->node_count, 5);  // and the second box, which no node shows
  assert_int_equal(model->nodes[0].mesh, 0);
  for (int i = 1; i < 4; i++) {
    assert_int_equal(model->nodes[i].mesh, -1);
    assert_int_equal(model->nodes[i].parent, -1);
  }
  assert_int_equal(model->nodes[4].mesh, 1);
  check_freed(&memory, model);
}

static void test_cycles(void **state) {
  (void)state;
  static ChunkWriter w;
  Memory memory = {0};
  begin_editor(&w);
  begin_keyframer(&w);
  const uint32_t parents[5] = {1, 2, 0, 2, 4};
  for (uint32_t i = 0; i < 5; i++) {
    begin_node(&w, 0xb002, i, "$$$DUMMY", parents[i]);
    end_chunk(&w);
  }
  Model *model = load_written(&memory, &w);
  assert_true(has_warning(model, "cycle"));
  assert_int_equal(model->node_count, 5);
  int roots = 0;
  for (int i = 0; i < 5; i++)
    roots += model->nodes[i].parent < 0;
  assert_int_equal(roots, 2);
  check_freed(&memory, model);
}

// ---- Robustness

// A file with everything in it.
static void write_everything(ChunkWriter *w) {
  begin_editor(w);
  begin_material(w, "red");
  put_byte_color(w, 0xa020, 0x0011, 255, 0, 0);
  put_map(w, "red.png", 0, 10);
  end_chunk(w);
  begin_mesh(w, "bent");
  put_vertices(w, BENT[0], 4);
  begin_chunk(w, 0x4140);
  write_u16(w, 4);
  write_floats(w, (const float[]){0, 0, 1, 0, 0, 1, 1, 1}, 8);
  end_chunk(w);
  begin_faces(w, BENT_FACES, 2);
  begin_chunk(w, 0x4130);
  write_text(w, "red");
  write_u16(w, 1);
  write_u16(w, 1);
  end_chunk(w);
  put_smoothing(w, (const uint32_t[]){3, 2}, 2);
  end_chunk(w);
  end_mesh(w);
  put_camera(w);
  put_spot(w);
  begin_keyframer(w);
  begin_node(w, 0xb002, 1, "bent", 2);
  put_track(w, 0xb021, 4, (const float[]){0, 0, 0, 0, 1, 60, 9, 0, 0, 1, 60, 1, 1, 0, 0}, 3);
  put_track(w, 0xb029, 0, (const float[]){10, 20}, 2);
  end_chunk(w);
  begin_node(w, 0xb002, 2, "$$$DUMMY", 0xffff);
  put_track(w, 0xb020, 3, (const float[]){30, 0, 3, 0, 0, 0, 0, 0}, 2);
  end_chunk(w);
  begin_node(w, 0xb003, 3, "eye", 0xffff);
  put_track(w, 0xb024, 1, (const float[]){0, 1, 30, 90}, 2);
  while (w->depth > 0)
    end_chunk(w);
}

static void test_failing_allocations(void **state) {
  (void)state;
  static ChunkWriter w;
  Memory memory = {0};
  LoadRequest request = {.memory = &memory, .path = "scene.3ds"};
  write_everything(&w);
  check_failing_allocations(&request, w.bytes, w.size);
}

static void test_cut_anywhere(void **state) {
  (void)state;
  static ChunkWriter w;
  write_everything(&w);
  for (size_t size = 0; size < w.size; size++) {
    Memory memory = {0};
    Error error = {0};
    Model *model = load_bytes(&memory, "scene.3ds", w.bytes, size, &error);
    if (!model) assert_true(strstr(error.text, "scene.3ds: offset 0x") == error.text);
    model_free(model);
    assert_int_equal(memory.live_bytes, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_smoothing_groups_split),
      cmocka_unit_test(test_normals_and_axes),
      cmocka_unit_test(test_random_groups),
      cmocka_unit_test(test_repairs),
      cmocka_unit_test(test_length_too_long),
      cmocka_unit_test(test_material),
      cmocka_unit_test(test_maps),
      cmocka_unit_test(test_submeshes),
      cmocka_unit_test(test_shininess),
      cmocka_unit_test(test_lights_and_cameras),
      cmocka_unit_test(test_hierarchy),
      cmocka_unit_test(test_hidden_and_targets),
      cmocka_unit_test(test_pivot_rules),
      cmocka_unit_test(test_instances),
      cmocka_unit_test(test_unknown_names),
      cmocka_unit_test(test_cycles),
      cmocka_unit_test(test_failing_allocations),
      cmocka_unit_test(test_cut_anywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
