// What the renderer draws, by arithmetic: each picture is compared with what the formulas of render.h say.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/offscreen.h"
#include "support/shapes.h"
#include "support/stage.h"

static Stage stage;

static GpuModel *upload(const Model *model) {
  Error error = {0};
  GpuModel *result = renderer_upload_model(stage.renderer, model, &error);
  if (!result) fail_msg("%s", error.text);
  return result;
}

static Texture *upload_pixels(int width, int height, const uint32_t *pixels) {
  Error error = {0};
  Image image = shape_image(width, height, pixels);
  Texture *texture = renderer_upload_image(stage.renderer, &image, &error);
  free(image.pixels);
  if (!texture) fail_msg("%s", error.text);
  return texture;
}

static void free_model(GpuModel *gpu_model, Model *model) {
  renderer_free_model(stage.renderer, gpu_model);
  model_free(model);
}

// Where a pixel's middle lies on the plane z = 0 for the parallel camera of shape_scene.
static Vec3 on_plane(int x, int y) {
  return vec3(((float)x + 0.5f - 160) / 60, (120 - (float)y - 0.5f) / 60, 0);
}

// --- Light ---

static Vec3 color_vector(Color color) {
  return vec3(color.r, color.g, color.b);
}

// One light at one point, as render.h has it.
static Vec3 light_term(const DrawLight *light, const ModelMaterial *material, Vec3 point, Vec3 normal, Vec3 eye) {
  Vec3 ray = vec3_negate(light->direction);
  float fade = 1;
  if (light->kind != LIGHT_DIRECTIONAL) {
    Vec3 way = vec3_sub(light->position, point);
    float part = light->range > 0 ? vec3_length(way) / light->range : 0;
    ray = vec3_normalize_or(way, normal);
    fade = fmaxf(0, 1 - part * part) * fmaxf(0, 1 - part * part);
  }
  if (light->kind == LIGHT_SPOT) {
    float cosine = -vec3_dot(ray, light->direction);
    fade *= clampf((cosine - light->cos_outer) / (light->cos_inner - light->cos_outer), 0, 1);
  }
  float facing = fmaxf(0, vec3_dot(normal, ray));
  Vec3 half = vec3_normalize_or(vec3_add(ray, vec3_normalize_or(vec3_sub(eye, point), normal)), normal);
  float shine = facing > 0 ? powf(fmaxf(0, vec3_dot(normal, half)), material->shininess) : 0;
  Vec3 sum = vec3_add(vec3_scale(color_vector(material->diffuse), facing),
                      vec3_scale(color_vector(material->specular), shine));
  return vec3_scale(vec3_mul(color_vector(light->color), sum), fade);
}

static Vec3 lit(const DrawScene *scene, const ModelMaterial *material, Vec3 point, Vec3 normal) {
  Vec3 sum = vec3_add(color_vector(material->emissive),
                      vec3_mul(color_vector(material->ambient), color_vector(scene->ambient)));
  for (int i = 0; i < scene->light_count; i++)
    sum = vec3_add(sum, light_term(&scene->lights[i], material, point, normal, scene->camera.world.origin));
  return sum;
}

// The square's colour at a pixel: that of the corners, blended over the lower or the upper triangle.
static Vec3 square_color(const DrawScene *scene, const ModelMaterial *material, int x, int y) {
  Vec3 p = on_plane(x, y), normal = vec3(0, 0, 1);
  Vec3 low = lit(scene, material, vec3(-1, -1, 0), normal), high = lit(scene, material, vec3(1, 1, 0), normal);
  bool is_lower = p.x > p.y;
  Vec3 side = lit(scene, material, is_lower ? vec3(1, -1, 0) : vec3(-1, 1, 0), normal);
  float u = (p.x + 1) / 2, v = (p.y + 1) / 2;
  float to_high = is_lower ? v : u, to_side = is_lower ? u - v : v - u;
  return vec3_add(vec3_add(vec3_scale(low, 1 - to_high - to_side), vec3_scale(high, to_high)),
                  vec3_scale(side, to_side));
}

static void draw_lit_square(const DrawLight *lights, int light_count, ModelMaterial material) {
  DrawScene scene = shape_scene(CAMERA_PARALLEL);
  scene.ambient = (Color){0.1f, 0.15f, 0.2f, 1};
  scene.lights = lights;
  scene.light_count = light_count;
  Model *model = shape_square(&stage.memory, material);
  GpuModel *gpu_model = upload(model);
  DrawItem item = shape_item(gpu_model, model, AFFINE_IDENTITY, 1);
  scene.items = &item;
  scene.item_count = 1;
  stage_draw(&stage, &scene);
  for (int y = 61; y < 180; y += 13) {
    for (int x = 101; x < 220; x += 13)
      stage_expect(&stage, x, y, square_color(&scene, &material, x, y), 2);
  }
  stage_expect(&stage, 98, 120, vec3(0, 0, 0), 0);
  free_model(gpu_model, model);
}

static const DrawLight SUN = {
    .kind = LIGHT_DIRECTIONAL, .color = {0.7f, 0.6f, 0.5f, 1}, .direction = {0.48f, 0, -0.877268f}};
static const DrawLight LAMP = {
    .kind = LIGHT_POINT, .color = {0.9f, 0.3f, 0.2f, 1}, .position = {0.5f, 0.7f, 1}, .range = 3};
static const DrawLight TORCH = {.kind = LIGHT_SPOT,
                                .color = {0.2f, 0.8f, 1, 1},
                                .position = {-0.5f, -0.5f, 2},
                                .direction = {0, 0, -1},
                                .range = 9,
                                .cos_inner = 0.95f,
                                .cos_outer = 0.8f};

static void test_light(void **state) {
  (void)state;
  ModelMaterial material = shape_material(0.8f, 0.7f, 0.6f);
  material.emissive = (Color){0.05f, 0, 0.1f, 1};
  DrawLight all[4] = {SUN, LAMP, TORCH, LAMP};
  all[3].range = 0;
  all[3].color = (Color){0.1f, 0.1f, 0.05f, 1};
  draw_lit_square(NULL, 0, material);
  draw_lit_square(&SUN, 1, material);
  draw_lit_square(&LAMP, 1, material);
  draw_lit_square(&TORCH, 1, material);
  draw_lit_square(all, 4, material);
  material.specular = (Color){0.4f, 0.5f, 0.6f, 1};
  material.shininess = 12;
  draw_lit_square(&SUN, 1, material);
  draw_lit_square(all, 4, material);
}

static void test_normals_follow_uneven_and_mirrored_scale(void **state) {
  (void)state;
  ModelMaterial material = shape_material(1, 1, 1);
  static const float SLOPE[] = {-1, 0, 1, 1, 0, 1, 1, 1, 0, -1, 1, 0};
  static const uint32_t INDICES[] = {0, 1, 2, 0, 2, 3};
  Model *model = shape_mesh(&stage.memory, &(ShapeDesc){4, 6, SLOPE, NULL, NULL, NULL, INDICES, material});
  GpuModel *gpu_model = upload(model);
  DrawScene scene = shape_scene(CAMERA_PARALLEL);
  DrawLight light = {.kind = LIGHT_DIRECTIONAL, .color = {1, 1, 1, 1}, .direction = {0, -1, 0}};
  scene.lights = &light;
  scene.light_count = scene.item_count = 1;
  const Vec3 scales[3] = {{1, 1, 1}, {1, 0.5f, 2}, {-1, 1, 1}};
  for (int i = 0; i < 3; i++) {
    DrawItem item = shape_item(gpu_model, model, affine_from_trs(vec3(0, 0, 0), QUAT_IDENTITY, scales[i]), 1);
    scene.items = &item;
    stage_draw(&stage, &scene);
    // The face goes from (y, z) = (0, 1) to (1, 0), so that its normal is (1 / y, 1 / z) of the scale.
    Vec3 normal = vec3_normalize_or(vec3(0, 1 / scales[i].y, 1 / scales[i].z), vec3(0, 0, 1));
    stage_expect(&stage, 160, 110, vec3(normal.y, normal.y, normal.y), 2);
  }
  free_model(gpu_model, model);
}

// --- Fog ---

// A long floor: each pixel's fog must be right, not only that of the corners.
static void draw_fog(ModelFog fog) {
  ModelMaterial material = shape_unlit(1, 1, 1);
  Model *model = shape_square(&stage.memory, material);
  GpuModel *gpu_model = upload(model);
  Quat lying = quat_from_axis_angle(vec3(1, 0, 0), (float)(-PI / 2));
  DrawScene scene = shape_scene(CAMERA_PERSPECTIVE);
  scene.fog = fog;
  scene.camera.world = shape_at(0, 1, 0);
  DrawItem item = shape_item(gpu_model, model, affine_from_trs(vec3(0, 0, 0), lying, vec3(90, 90, 90)), 1);
  scene.items = &item;
  scene.item_count = 1;
  stage_draw(&stage, &scene);
  for (int y = 130; y < 240; y += 9) {
    Vec3 origin, ray;
    camera_ray(&scene.camera, STAGE_WIDTH, STAGE_HEIGHT, 100.5f, (float)y + 0.5f, &origin, &ray);
    float depth = -ray.z * (-origin.y / ray.y);
    float left = expf(-fog.density * depth);
    if (fog.mode == FOG_LINEAR)
      left = clampf((fog.far_distance - depth) / (fog.far_distance - fog.near_distance), 0, 1);
    Vec3 color = vec3_lerp(color_vector(fog.color), vec3(1, 1, 1), left);
    stage_expect(&stage, 100, y, color, 2);
  }
  free_model(gpu_model, model);
}

static void test_fog(void **state) {
  (void)state;
  draw_fog((ModelFog){FOG_LINEAR, {0.2f, 0.4f, 0.6f, 1}, 2, 20, 0});
  draw_fog((ModelFog){FOG_EXPONENTIAL, {0.2f, 0.4f, 0.6f, 1}, 0, 0, 0.15f});
}

// --- Blending ---

static void test_blending(void **state) {
  (void)state;
  ModelMaterial glass = shape_unlit(0, 1, 0), glow = shape_unlit(0.25f, 0, 0.5f);
  glass.diffuse.a = 0.5f;
  glow.blend = BLEND_ADD;
  Model *models[3] = {shape_square(&stage.memory, glow), shape_square(&stage.memory, glass),
                      shape_square(&stage.memory, shape_unlit(1, 0, 0))};
  GpuModel *uploaded[3];
  DrawItem items[3];
  // The nearest first, so that only sorting makes it right.
  for (int i = 0; i < 3; i++) {
    uploaded[i] = upload(models[i]);
    items[i] = shape_item(uploaded[i], models[i], shape_at(0, 0, 2 - (float)i), (uint32_t)i);
  }
  DrawScene scene = shape_scene(CAMERA_PARALLEL);
  scene.items = items;
  scene.item_count = 3;
  stage_draw(&stage, &scene);
  stage_expect(&stage, 160, 120, vec3(0.75f, 0.5f, 0.5f), 1);
  assert_int_equal(stage_pixel(&stage, 160, 120)[3], 255);
  for (int i = 0; i < 3; i++)
    free_model(uploaded[i], models[i]);
}

static void test_cutout(void **state) {
  (void)state;
  const uint32_t pixels[4] = {0xff0000ff, 0x00ff0000, 0x00ff0000, 0x0000ffff};
  Texture *texture = upload_pixels(2, 2, pixels);
  ModelMaterial material = shape_unlit(1, 1, 1);
  material.blend = BLEND_ALPHA;
  Model *model = shape_square(&stage.memory, material);
  GpuModel *gpu_model = upload(model);
  DrawScene scene = shape_scene(CAMERA_PARALLEL);
  scene.background = (Color){1, 1, 0, 1};
  DrawItem item = shape_item(gpu_model, model, AFFINE_IDENTITY, 1);
  item.skin = texture;
  scene.items = &item;
  scene.item_count = 1;
  stage_draw(&stage, &scene);
  stage_expect(&stage, 130, 90, vec3(1, 0, 0), 5);
  stage_expect(&stage, 190, 90, vec3(1, 1, 0), 1);
  stage_expect(&stage, 190, 150, vec3(0, 0, 1), 5);
  renderer_free_texture(stage.renderer, texture);
  free_model(gpu_model, model);
}

// --- Textures ---

// The same square with the texture 1, 2 or 5.5 times over it, shifted by many whole turns.
static void test_texture_is_upright_and_repeats(void **state) {
  (void)state;
  const uint32_t pixels[4] = {0xff0000ff, 0x00ff00ff, 0x0000ffff, 0xffffffff};
  Texture *texture = upload_pixels(2, 2, pixels);
  const float shifts[3] = {0, 100, -7};
  for (int i = 0; i < 3; i++) {
    ModelMaterial material = shape_unlit(1, 1, 1);
    material.stages[0].uv_offset[0] = material.stages[0].uv_offset[1] = shifts[i];
    Model *model = shape_square(&stage.memory, material);
    GpuModel *gpu_model = upload(model);
    DrawScene scene = shape_scene(CAMERA_PARALLEL);
    DrawItem item = shape_item(gpu_model, model, AFFINE_IDENTITY, 1);
    Texture *textures[1] = {texture};
    item.textures = textures;
    scene.items = &item;
    scene.item_count = 1;
    stage_draw(&stage, &scene);
    // The middles of the four texels, where nothing is mixed.
    stage_expect(&stage, 130, 90, vec3(1, 0, 0), 5);
    stage_expect(&stage, 190, 90, vec3(0, 1, 0), 5);
    stage_expect(&stage, 130, 150, vec3(0, 0, 1), 5);
    stage_expect(&stage, 190, 150, vec3(1, 1, 1), 5);
    free_model(gpu_model, model);
  }
  renderer_free_texture(stage.renderer, texture);
}

static void test_uneven_texture_is_resized_at_need(void **state) {
  (void)state;
  enum { WIDTH = 100, HEIGHT = 37 };
  uint32_t pixels[WIDTH * HEIGHT];
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    pixels[i] =
        (uint32_t)(i % WIDTH * 255 / (WIDTH - 1)) << 24 | (uint32_t)(i / WIDTH * 255 / (HEIGHT - 1)) << 16 | 0xff;
  Texture *texture = upload_pixels(WIDTH, HEIGHT, pixels);
  int width, height;
  texture_size(texture, &width, &height);
  assert_int_equal(width, WIDTH);
  assert_int_equal(height, HEIGHT);
  assert_true(texture_bytes(texture) >= WIDTH * HEIGHT * 4);
  Model *model = shape_square(&stage.memory, shape_unlit(1, 1, 1));
  GpuModel *gpu_model = upload(model);
  DrawScene scene = shape_scene(CAMERA_PARALLEL);
  DrawItem item = shape_item(gpu_model, model, AFFINE_IDENTITY, 1);
  item.skin = texture;
  scene.items = &item;
  scene.item_count = 1;
  stage_draw(&stage, &scene);
  for (int y = 75; y < 170; y += 20) {
    for (int x = 115; x < 210; x += 20) {
      Vec3 p = on_plane(x, y);
      float u = ((p.x + 1) / 2 * WIDTH - 0.5f) / (WIDTH - 1), v = ((1 - p.y) / 2 * HEIGHT - 0.5f) / (HEIGHT - 1);
      stage_expect(&stage, x, y, vec3(u, v, 0), 3);
    }
  }
  renderer_free_texture(stage.renderer, texture);
  free_model(gpu_model, model);
}

// --- Cameras ---

static void expect_point_drawn(const DrawScene *scene, Vec3 point) {
  float x, y;
  assert_true(camera_project(&scene->camera, STAGE_WIDTH, STAGE_HEIGHT, point, &x, &y));
  if (x < 2 || y < 2 || x > STAGE_WIDTH - 2 || y > STAGE_HEIGHT - 2) return;
  assert_int_equal(stage_pixel(&stage, (int)x, (int)y)[0], 255);
  Vec3 origin, direction;
  camera_ray(&scene->camera, STAGE_WIDTH, STAGE_HEIGHT, x, y, &origin, &direction);
  Vec3 way = vec3_sub(point, origin);
  assert_true(vec3_length(vec3_cross(way, direction)) < 1e-4f * (1 + vec3_length(way)));
}

static void test_camera_numbers_agree_with_the_picture(void **state) {
  (void)state;
  Model *model = shape_packed_ball(&stage.memory, 8, 1, 0.5f);
  model->materials[0].is_unlit = true;
  GpuModel *gpu_model = upload(model);
  Random random;
  random_seed(&random, 7);
  for (int i = 0; i < 40; i++) {
    DrawScene scene = shape_scene(i & 1 ? CAMERA_PARALLEL : CAMERA_PERSPECTIVE);
    Quat turn = quat_from_heading_pitch(random_float(&random) * 6, random_float(&random) - 0.5f);
    scene.camera.world = affine_from_trs(vec3(random_float(&random) * 9, 2, 1), turn, vec3(2, 2, 2));
    Vec3 inside = vec3((random_float(&random) - 0.5f) * 4, (random_float(&random) - 0.5f) * 3, -6);
    Vec3 point = affine_point(affine_from_trs(scene.camera.world.origin, turn, vec3(1, 1, 1)), inside);
    // About a pixel and a half across, with its middle at the point.
    float size = i & 1 ? 0.025f : 0.08f;
    DrawItem item = shape_item(gpu_model, model, affine_from_trs(point, QUAT_IDENTITY, vec3(size, size, size)), 1);
    scene.items = &item;
    scene.item_count = 1;
    stage_draw(&stage, &scene);
    expect_point_drawn(&scene, point);
  }
  DrawScene scene = shape_scene(CAMERA_PERSPECTIVE);
  float x, y;
  assert_false(camera_project(&scene.camera, STAGE_WIDTH, STAGE_HEIGHT, vec3(0, 0, 6), &x, &y));
  free_model(gpu_model, model);
}

// --- Vertex frames ---

// The same ball as packed frames, and as a plain mesh with the pose that the CPU computes.
static Model *posed_ball(const Model *ball, FramePose pose) {
  const ModelMesh *mesh = &ball->meshes[0];
  int count = mesh->vertex_count;
  float *positions = calloc((size_t)count, 12), *normals = calloc((size_t)count, 12);
  vertex_frames_blend(&mesh->frames, pose, positions);
  for (int i = 0; i < count; i++) {
    const uint8_t *a = mesh->frames.bytes + (size_t)pose.frame_a * mesh->frames.stride + PACKED_FRAME_HEADER_SIZE;
    const uint8_t *b = mesh->frames.bytes + (size_t)pose.frame_b * mesh->frames.stride + PACKED_FRAME_HEADER_SIZE;
    Vec3 normal = vec3_lerp(vertex_frames_normal(a[4 * i + 3]), vertex_frames_normal(b[4 * i + 3]), pose.mix);
    normal = vertex_frames_to_engine(normal);
    memcpy(normals + 3 * i, &normal, 12);
  }
  Model *model = shape_mesh(&stage.memory, &(ShapeDesc){count, mesh->index_count, positions, normals, mesh->uvs, NULL,
                                                        mesh->indices, ball->materials[0]});
  free(positions);
  free(normals);
  return model;
}

static void expect_same_picture(const uint8_t *wanted, int tolerance, int most_different) {
  int different = 0;
  for (int i = 0; i < STAGE_WIDTH * STAGE_HEIGHT; i++) {
    int worst = 0;
    for (int c = 0; c < 3; c++) {
      int difference = abs(wanted[4 * i + c] - stage.pixels[4 * i + c]);
      if (difference > worst) worst = difference;
    }
    different += worst > tolerance;
  }
  assert_in_range(different, 0, most_different);
}

static void test_packed_frames_equal_the_pose_of_the_cpu(void **state) {
  (void)state;
  uint8_t *wanted = malloc(sizeof stage.pixels);
  Model *ball = shape_packed_ball(&stage.memory, 12, 4, 1.5f);
  GpuModel *gpu_ball = upload(ball);
  const ModelMesh *mesh = &ball->meshes[0];
  int corner_bytes = 4 * mesh->frames.frame_count + 8;
  assert_int_equal(gpu_model_bytes(gpu_ball), mesh->vertex_count * corner_bytes + 2 * mesh->index_count);
  DrawScene scene = shape_scene(CAMERA_PERSPECTIVE);
  DrawLight lights[2] = {SUN, LAMP};
  scene.lights = lights;
  scene.light_count = 2;
  scene.item_count = 1;
  const FramePose poses[4] = {{0, 0, 0}, {0, 1, 0.25f}, {3, 1, 0.7f}, {2, 3, 1}};
  for (int i = 0; i < 4; i++) {
    Model *posed = posed_ball(ball, poses[i]);
    GpuModel *gpu_posed = upload(posed);
    Affine place = affine_from_trs(vec3(0.2f, 0.1f, 0), quat_from_heading_pitch(0.5f, 0.3f), vec3(1, 1, 1));
    DrawItem item = shape_item(gpu_posed, posed, place, 1);
    scene.items = &item;
    stage_draw(&stage, &scene);
    memcpy(wanted, stage.pixels, sizeof stage.pixels);
    assert_true(stage_pixel(&stage, 165, 115)[0] > 20);
    item = shape_item(gpu_ball, ball, place, 1);
    item.pose = poses[i];
    stage_draw(&stage, &scene);
    expect_same_picture(wanted, 1, 2);
    free_model(gpu_posed, posed);
  }
  free_model(gpu_ball, ball);
  free(wanted);
}

// --- Views ---

static void draw_mode(DrawScene *scene, ViewMode mode, uint8_t *picture) {
  scene->mode = mode;
  stage_draw(&stage, scene);
  memcpy(picture, stage.pixels, sizeof stage.pixels);
}

static void test_every_view_differs(void **state) {
  (void)state;
  const uint32_t pixels[4] = {0xff0000ff, 0x00ff00ff, 0x0000ffff, 0xffffffff};
  Texture *texture = upload_pixels(2, 2, pixels);
  Model *models[2] = {shape_waves(&stage.memory, 24, 0.2f, shape_material(0.9f, 0.8f, 0.7f)),
                      shape_packed_ball(&stage.memory, 8, 3, 0.5f)};
  GpuModel *uploaded[2] = {upload(models[0]), upload(models[1])};
  size_t bytes = gpu_model_bytes(uploaded[1]);
  DrawItem items[2] = {shape_item(uploaded[0], models[0], AFFINE_IDENTITY, 1),
                       shape_item(uploaded[1], models[1], shape_at(0, 0.6f, 0), 2)};
  items[0].skin = items[1].skin = texture;
  items[1].pose = (FramePose){0, 2, 0.5f};
  DrawScene scene = shape_scene(CAMERA_PERSPECTIVE);
  scene.camera.world = affine_from_trs(vec3(0, 2, 2.4f), quat_from_heading_pitch(0, -0.6f), vec3(1, 1, 1));
  DrawLight light = SUN;
  scene.lights = &light;
  scene.items = items;
  scene.item_count = 2;
  scene.light_count = 1;
  uint8_t *pictures = malloc(4 * sizeof stage.pixels);
  for (int mode = 0; mode < 4; mode++)
    draw_mode(&scene, (ViewMode)mode, pictures + (size_t)mode * sizeof stage.pixels);
  for (int a = 0; a < 4; a++) {
    for (int b = a + 1; b < 4; b++)
      assert_memory_not_equal(pictures + (size_t)a * sizeof stage.pixels, pictures + (size_t)b * sizeof stage.pixels,
                              sizeof stage.pixels);
  }
  assert_true(gpu_model_bytes(uploaded[1]) > bytes);
  draw_mode(&scene, VIEW_TEXTURED, stage.pixels);
  assert_memory_equal(stage.pixels, pictures, sizeof stage.pixels);
  free(pictures);
  renderer_free_texture(stage.renderer, texture);
  free_model(uploaded[0], models[0]);
  free_model(uploaded[1], models[1]);
}

// A ridge with one smooth normal along its top: in the flat view each side has one colour all over.
static void test_flat_view_has_one_normal_a_triangle(void **state) {
  (void)state;
  static const float RIDGE[] = {-1, 1, 0, -1, -1, 0, 0, 1, 1, 0, -1, 1, 1, 1, 0.5f, 1, -1, 0.5f};
  static const uint32_t INDICES[] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5};
  ModelMaterial material = shape_material(0.5f, 1, 0.5f);
  Model *model = shape_mesh(&stage.memory, &(ShapeDesc){6, 12, RIDGE, NULL, NULL, NULL, INDICES, material});
  GpuModel *gpu_model = upload(model);
  DrawScene scene = shape_scene(CAMERA_PARALLEL);
  DrawItem item = shape_item(gpu_model, model, AFFINE_IDENTITY, 1);
  scene.mode = VIEW_FLAT;
  scene.items = &item;
  scene.item_count = 1;
  stage_draw(&stage, &scene);
  float left = 0.3f + 0.7f * (float)sqrt(0.5), right = 0.3f + 0.7f / (float)sqrt(1.25);
  for (int y = 70; y < 170; y += 20) {
    for (int x = 105; x < 215; x += 10) {
      float shade = x < 160 ? left : right;
      if (x != 160) stage_expect(&stage, x, y, vec3(0.5f * shade, shade, 0.5f * shade), 2);
    }
  }
  free_model(gpu_model, model);
}

static void test_wire_view_draws_lines_only(void **state) {
  (void)state;
  Model *model = shape_square(&stage.memory, shape_material(0, 1, 1));
  GpuModel *gpu_model = upload(model);
  DrawScene scene = shape_scene(CAMERA_PARALLEL);
  DrawItem item = shape_item(gpu_model, model, AFFINE_IDENTITY, 1);
  scene.mode = VIEW_WIRE;
  scene.background = (Color){0.2f, 0, 0, 1};
  scene.items = &item;
  scene.item_count = 1;
  stage_draw(&stage, &scene);
  int lines = 0, background = 0;
  for (int i = 0; i < STAGE_WIDTH * STAGE_HEIGHT; i++) {
    const uint8_t *p = stage.pixels + 4 * i;
    lines += p[0] == 0 && p[1] == 255 && p[2] == 255;
    background += p[0] == 51 && p[1] == 0 && p[2] == 0;
  }
  assert_int_equal(lines + background, STAGE_WIDTH * STAGE_HEIGHT);
  // Four sides of 120 pixels and one diagonal, once.
  assert_in_range(lines, 590, 606);
  free_model(gpu_model, model);
}

// --- Large meshes, boxes, nothing at all ---

// The same pictures whether a mesh of 90,000 vertices goes in one piece or in several.
static void draw_large_mesh(DeviceLimit limit, uint8_t *pictures) {
  enum { SIDE = 300 };
  static Stage own;
  stage_open(&own, limit, false);
  Error error;
  Model *model = shape_waves(&own.memory, SIDE, 0.2f, shape_material(0.2f, 0.4f, 1));
  GpuModel *gpu_model = renderer_upload_model(own.renderer, model, &error);
  assert_non_null(gpu_model);
  DrawScene scene = shape_scene(CAMERA_PARALLEL);
  scene.ambient = (Color){0.5f, 0.5f, 0.5f, 1};
  scene.camera.world = affine_from_trs(vec3(0, 3, 0), quat_from_heading_pitch(0, (float)(-PI / 2)), vec3(1, 1, 1));
  DrawItem item = shape_item(gpu_model, model, AFFINE_IDENTITY, 1);
  scene.items = &item;
  scene.item_count = 1;
  for (int mode = 0; mode < 4; mode++) {
    scene.mode = (ViewMode)mode;
    stage_draw(&own, &scene);
    assert_int_equal(own.stats.draw_calls == 1, gpu_profile(own.gpu)->has_uint_indices);
    if (mode != VIEW_WIRE) assert_int_equal(own.stats.triangles, (SIDE - 1) * (SIDE - 1) * 2);
    memcpy(pictures + (size_t)mode * sizeof own.pixels, own.pixels, sizeof own.pixels);
  }
  renderer_free_model(own.renderer, gpu_model);
  model_free(model);
  stage_close(&own);
}

static void test_large_mesh_is_split(void **state) {
  (void)state;
  static uint8_t split[4 * sizeof stage.pixels], whole[4 * sizeof stage.pixels];
  draw_large_mesh(DEVICE_LIMIT_BARE, split);
  draw_large_mesh(DEVICE_LIMIT_DRIVER, whole);
  // Other precision may shift a pixel by one; what is drawn is the same.
  int different = 0;
  for (size_t i = 0; i < sizeof split; i++)
    different += abs(split[i] - whole[i]) > 2;
  assert_true(different < (int)(sizeof split / 1000));
}

static void test_boxes_are_lines(void **state) {
  (void)state;
  DrawScene scene = shape_scene(CAMERA_PARALLEL);
  DrawBox box = {{{-1, -1, -1}, {1, 1, 1}}, {1, 0.5f, 0, 1}};
  scene.boxes = &box;
  scene.box_count = 1;
  stage_draw(&stage, &scene);
  int lines = 0;
  for (int i = 0; i < STAGE_WIDTH * STAGE_HEIGHT; i++)
    lines += stage.pixels[4 * i] == 255;
  assert_in_range(lines, 470, 490);
  stage_expect(&stage, 160, 120, vec3(0, 0, 0), 0);
}

static void test_without_camera_there_is_the_background(void **state) {
  (void)state;
  DrawScene scene = shape_scene(CAMERA_PARALLEL);
  scene.has_camera = false;
  scene.background = (Color){0.2f, 0.4f, 0.8f, 0};
  stage_draw(&stage, &scene);
  stage_expect(&stage, 5, 5, vec3(0.2f, 0.4f, 0.8f), 0);
  assert_int_equal(stage_pixel(&stage, 5, 5)[3], 255);
  assert_int_equal(stage.stats.draw_calls, 0);
}

// --- Shaders ---

static void test_shaders_are_checked_against_their_description(void **state) {
  (void)state;
  static const char FRAGMENT[] = "#version 100\nprecision mediump float;\nvoid main() { gl_FragColor = vec4(1.0); }\n";
  Error error = {0};
  GpuProgramDesc desc = {
      .name = "test",
      .vertex_source =
          "#version 100\nattribute vec4 a;\nuniform vec4 u[5];\n"
          "void main() { gl_Position = a + u[int(a.x)]; }\n",
      .fragment_source = FRAGMENT,
      .attributes = {"a"},
      .uniforms = {{"u", 4, false}},
  };
  assert_null(gpu_program_create(stage.gpu, &desc, &error));
  assert_non_null(strstr(error.text, "not as described"));
  desc.uniforms[0].vector_count = 5;
  GpuProgram *program = gpu_program_create(stage.gpu, &desc, &error);
  assert_non_null(program);
  gpu_program_free(stage.gpu, program);
  desc.vertex_source = "#version 100\nvoid main() { nonsense; }\n";
  assert_null(gpu_program_create(stage.gpu, &desc, &error));
  assert_non_null(strstr(error.text, "vertex stage"));
  stage.expected_errors = gpu_error_count(stage.gpu);
}

static int open_stage(void **state) {
  offscreen_open();
  stage_open(&stage, *(const DeviceLimit *)*state, false);
  return 0;
}

static int close_stage(void **state) {
  (void)state;
  stage_close(&stage);
  offscreen_close();
  return 0;
}

// --- A lost context ---

static unsigned reset_status;

static unsigned get_reset_status(void) {
  return reset_status;
}

// The driver's functions, but for the one that tells of a reset.
static void *load_with_reset(const char *name) {
  unsigned (*function)(void) = get_reset_status;
  void *address;
  memcpy(&address, &function, sizeof address);
  return strstr(name, "GraphicsResetStatus") ? address : offscreen_load(name);
}

static void test_a_reset_is_noticed(void **state) {
  (void)state;
  Memory memory = {0};
  Error error = {0};
  Gpu *gpu = gpu_create(&memory, &(GpuDesc){.load = load_with_reset}, &error);
  assert_non_null(gpu);
  reset_status = 0;
  assert_false(gpu_is_lost(gpu));
  reset_status = 0x8254;  // GL_INNOCENT_CONTEXT_RESET
  bool is_told = gpu_is_lost(gpu);
  reset_status = 0;
  assert_true(gpu_restore(gpu, &error));
  assert_false(gpu_is_lost(gpu));
  gpu_free(gpu);
  assert_int_equal(memory.live_bytes, 0);
  if (!is_told) skip();  // the driver has neither of the extensions
}

int main(void) {
  static const DeviceLimit LIMITS[] = {DEVICE_LIMIT_PROFILE, DEVICE_LIMIT_BARE, DEVICE_LIMIT_DRIVER};
  static const char *const NAMES[] = {"at the smallest profile", "without extensions", "with all of the driver"};
  int failures = 0;
  for (int i = 0; i < 3; i++) {
#define TEST(function) cmocka_unit_test_prestate_setup_teardown(function, open_stage, close_stage, (void *)&LIMITS[i])
    const struct CMUnitTest tests[] = {
        TEST(test_light),
        TEST(test_normals_follow_uneven_and_mirrored_scale),
        TEST(test_fog),
        TEST(test_blending),
        TEST(test_cutout),
        TEST(test_texture_is_upright_and_repeats),
        TEST(test_uneven_texture_is_resized_at_need),
        TEST(test_camera_numbers_agree_with_the_picture),
        TEST(test_packed_frames_equal_the_pose_of_the_cpu),
        TEST(test_every_view_differs),
        TEST(test_flat_view_has_one_normal_a_triangle),
        TEST(test_wire_view_draws_lines_only),
        TEST(test_large_mesh_is_split),
        TEST(test_boxes_are_lines),
        TEST(test_without_camera_there_is_the_background),
        TEST(test_shaders_are_checked_against_their_description),
        TEST(test_a_reset_is_noticed),
    };
    failures += cmocka_run_group_tests_name(NAMES[i], tests, NULL, NULL);
  }
  return failures;
}
