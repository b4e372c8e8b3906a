#include "shapes.h"

#include <stdlib.h>
#include <string.h>

static void *copy(Arena *arena, const void *data, size_t size) {
  void *result = data ? arena_alloc(arena, size) : NULL;
  if (result) memcpy(result, data, size);
  return result;
}

static Bounds find_bounds(const float *positions, int count) {
  Bounds bounds = BOUNDS_EMPTY;
  for (int i = 0; i < count; i++)
    bounds = bounds_add_point(bounds, vec3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]));
  return bounds;
}

static Model *new_model(Memory *memory, ModelMaterial material) {
  Model *model = memory_alloc(memory, sizeof *model);
  model->arena.memory = memory;
  model->format = "test";
  model->active_camera = -1;
  model->meshes = arena_alloc(&model->arena, sizeof *model->meshes);
  model->submeshes = arena_alloc(&model->arena, sizeof *model->submeshes);
  model->materials = copy(&model->arena, &material, sizeof material);
  model->mesh_count = model->submesh_count = model->material_count = 1;
  model->meshes[0].submesh_count = 1;
  return model;
}

Model *shape_mesh(Memory *memory, const ShapeDesc *desc) {
  Model *model = new_model(memory, desc->material);
  Arena *arena = &model->arena;
  ModelMesh *mesh = &model->meshes[0];
  size_t vertices = (size_t)desc->vertex_count;
  mesh->vertex_count = desc->vertex_count;
  mesh->positions = copy(arena, desc->positions, vertices * 12);
  mesh->normals = copy(arena, desc->normals, vertices * 12);
  mesh->uvs = copy(arena, desc->uvs, vertices * 8);
  mesh->colors = copy(arena, desc->colors, vertices * 4);
  mesh->indices = copy(arena, desc->indices, (size_t)desc->index_count * 4);
  mesh->index_count = model->submeshes[0].index_count = desc->index_count;
  mesh->bounds = find_bounds(mesh->positions, mesh->vertex_count);
  return model;
}

Model *shape_square(Memory *memory, ModelMaterial material) {
  static const float POSITIONS[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
  static const float NORMALS[] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
  static const float UVS[] = {0, 1, 1, 1, 1, 0, 0, 0};
  static const uint32_t INDICES[] = {0, 1, 2, 0, 2, 3};
  return shape_mesh(memory, &(ShapeDesc){4, 6, POSITIONS, NORMALS, UVS, NULL, INDICES, material});
}

Model *shape_waves(Memory *memory, int count, float height, ModelMaterial material) {
  int vertex_count = count * count, index_count = (count - 1) * (count - 1) * 6;
  float *positions = calloc((size_t)vertex_count, 12), *uvs = calloc((size_t)vertex_count, 8);
  uint32_t *indices = calloc((size_t)index_count, 4), *next = indices;
  for (int i = 0; i < vertex_count; i++) {
    float u = (float)(i % count) / (float)(count - 1), v = (float)(i / count) / (float)(count - 1);
    float bend = height * (float)(vmath_sin(u * 9) * vmath_cos(v * 7));
    memcpy(positions + 3 * i, (float[3]){2 * u - 1, bend, 2 * v - 1}, 12);
    memcpy(uvs + 2 * i, (float[2]){u, v}, 8);
  }
  for (int y = 0; y + 1 < count; y++) {
    for (int x = 0; x + 1 < count; x++) {
      uint32_t a = (uint32_t)(y * count + x), b = a + (uint32_t)count;
      memcpy(next, (uint32_t[6]){a, b, a + 1, a + 1, b, b + 1}, 24);
      next += 6;
    }
  }
  Model *model =
      shape_mesh(memory, &(ShapeDesc){vertex_count, index_count, positions, NULL, uvs, NULL, indices, material});
  free(positions);
  free(uvs);
  free(indices);
  return model;
}

// The direction of a vertex of the ball, in file axes: rings from pole to pole, twice as many columns as rings.
static Vec3 ball_direction(int rings, int vertex) {
  int columns = 2 * rings, ring = vertex / columns, column = vertex % columns;
  double down = PI * ring / (rings - 1), around = 2 * PI * column / columns;
  return vec3((float)(vmath_sin(down) * vmath_cos(around)), (float)(vmath_sin(down) * vmath_sin(around)),
              (float)vmath_cos(down));
}

static void write_float(uint8_t *bytes, float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  for (int i = 0; i < 4; i++)
    bytes[i] = (uint8_t)(bits >> (8 * i));
}

static void write_frame(uint8_t *frame, int rings, float radius, float flatness) {
  for (int i = 0; i < 3; i++) {
    write_float(frame + 4 * i, 2 * radius / 255);
    write_float(frame + 12 + 4 * i, -radius);
  }
  for (int i = 0; i < 2 * rings * rings; i++) {
    Vec3 direction = ball_direction(rings, i);
    Vec3 place = vec3(direction.x, direction.y, direction.z * flatness);
    uint8_t *vertex = frame + PACKED_FRAME_HEADER_SIZE + PACKED_VERTEX_SIZE * i;
    vertex[0] = (uint8_t)((place.x + 1) * 127.5f + 0.5f);
    vertex[1] = (uint8_t)((place.y + 1) * 127.5f + 0.5f);
    vertex[2] = (uint8_t)((place.z + 1) * 127.5f + 0.5f);
    vertex[3] = (uint8_t)vertex_frames_nearest_normal(vec3(direction.x, direction.y, direction.z / flatness));
  }
}

Model *shape_packed_ball(Memory *memory, int rings, int frame_count, float radius) {
  Model *model = new_model(memory, model_default_material());
  ModelMesh *mesh = &model->meshes[0];
  int columns = 2 * rings, vertex_count = columns * rings, index_count = (rings - 1) * columns * 6;
  size_t stride = PACKED_FRAME_HEADER_SIZE + (size_t)vertex_count * PACKED_VERTEX_SIZE;
  uint8_t *bytes = arena_alloc(&model->arena, stride * (size_t)frame_count);
  uint16_t *corners = arena_alloc(&model->arena, (size_t)vertex_count * 2);
  float *uvs = arena_alloc(&model->arena, (size_t)vertex_count * 8);
  uint32_t *indices = arena_alloc(&model->arena, (size_t)index_count * 4);
  for (int i = 0; i < frame_count; i++)
    write_frame(bytes + (size_t)i * stride, rings, radius, 1 - 0.5f * (float)i / (float)frame_count);
  for (int i = 0; i < vertex_count; i++) {
    corners[i] = (uint16_t)i;
    uvs[2 * i] = (float)(i % columns) / (float)columns;
    uvs[2 * i + 1] = (float)(i / columns) / (float)(rings - 1);
  }
  for (int i = 0; i < (rings - 1) * columns; i++) {
    uint32_t a = (uint32_t)i, b = (uint32_t)(i / columns * columns + (i + 1) % columns), down = (uint32_t)columns;
    memcpy(indices + 6 * i, (uint32_t[6]){a, a + down, b, b, a + down, b + down}, 24);
  }
  mesh->vertex_count = vertex_count;
  mesh->uvs = uvs;
  mesh->indices = indices;
  mesh->index_count = model->submeshes[0].index_count = index_count;
  mesh->frames = (VertexFrames){bytes, stride, frame_count, vertex_count};
  mesh->corner_vertices = corners;
  mesh->bounds = (Bounds){{-radius, -radius, -radius}, {radius, radius, radius}};
  return model;
}

ModelMaterial shape_material(float r, float g, float b) {
  ModelMaterial material = model_default_material();
  material.ambient = material.diffuse = (Color){r, g, b, 1};
  return material;
}

ModelMaterial shape_unlit(float r, float g, float b) {
  ModelMaterial material = shape_material(r, g, b);
  material.is_unlit = true;
  return material;
}

DrawScene shape_scene(CameraKind camera) {
  return (DrawScene){
      .camera =
          {
              .world = shape_at(0, 0, 5),
              .kind = camera,
              .fov = (float)(PI / 3),
              .size = 4,
              .near_plane = 0.1f,
              .far_plane = 100,
          },
      .has_camera = true,
      .background = {0, 0, 0, 1},
  };
}

DrawItem shape_item(GpuModel *gpu_model, const Model *model, Affine world, uint32_t id) {
  return (DrawItem){
      .model = gpu_model,
      .world = world,
      .bounds = bounds_transform(model->meshes[0].bounds, world),
      .id = id,
  };
}

Affine shape_at(float x, float y, float z) {
  return affine_from_trs(vec3(x, y, z), QUAT_IDENTITY, vec3(1, 1, 1));
}

Image shape_image(int width, int height, const uint32_t *pixels) {
  Image image = {.width = width, .height = height, .source_channels = 4, .format = "test"};
  image.pixels = malloc((size_t)width * (size_t)height * 4);
  for (int i = 0; i < width * height; i++) {
    for (int c = 0; c < 4; c++)
      image.pixels[4 * i + c] = (uint8_t)(pixels[i] >> (24 - 8 * c));
    if (image.pixels[4 * i + 3] != 255) image.has_alpha = true;
  }
  return image;
}
