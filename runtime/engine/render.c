#include <string.h>

#include "engine/shaders.h"
#include "engine/view.h"

enum { LIGHT_FLOATS = 12 };

typedef struct LightVectors {
  float vectors[LIGHT_FLOATS];
} LightVectors;

struct Renderer {
  Memory *memory;
  Gpu *gpu;
  Shaders *shaders;
  View view;
  ARRAY(LightVectors) lights;  // of the scene, as the shader wants them
  uint32_t texture_serial, mesh_serial;
  GpuBuffer *box_vertices, *box_lines;  // a cube from 0 to 1
};

// What drawing one command needs to know.
typedef struct Draw {
  Renderer *renderer;
  const DrawScene *scene;
  const DrawCommand *command;
  const VisibleItem *visible;
  const DrawItem *item;
  const GpuShape *shape;
  const GpuPart *part;
  const GpuChunk *chunk;
  const ModelMaterial *material;
  Texture *texture;  // NULL unless the program has one
  Affine place;      // from the mesh, for packed frames from the axes of the file, into the world
} Draw;

// --- Making and freeing ---

static bool make_box(Renderer *renderer, Error *error) {
  static const uint16_t LINES[24] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7};
  MeshVertex vertices[8];
  memset(vertices, 0, sizeof vertices);
  for (int i = 0; i < 8; i++) {
    for (int axis = 0; axis < 3; axis++)
      vertices[i].position[axis] = (float)(i >> axis & 1);
  }
  renderer->box_vertices = gpu_buffer_create(renderer->gpu, GPU_VERTICES, vertices, sizeof vertices, error);
  if (!renderer->box_vertices) return false;
  renderer->box_lines = gpu_buffer_create(renderer->gpu, GPU_INDICES, LINES, sizeof LINES, error);
  return renderer->box_lines != NULL;
}

Renderer *renderer_create(Memory *memory, Gpu *gpu, Error *error) {
  Renderer *renderer = memory_alloc(memory, sizeof *renderer);
  if (!renderer) {
    error_set_out_of_memory(error);
    return NULL;
  }
  *renderer = (Renderer){.memory = memory, .gpu = gpu, .view = {.memory = memory}};
  renderer->shaders = shaders_create(memory, gpu, error);
  if (renderer->shaders && make_box(renderer, error)) return renderer;
  renderer_free(renderer);
  return NULL;
}

void renderer_free(Renderer *renderer) {
  if (!renderer) return;
  gpu_buffer_free(renderer->gpu, renderer->box_vertices);
  gpu_buffer_free(renderer->gpu, renderer->box_lines);
  shaders_free(renderer->shaders);
  view_free(&renderer->view);
  array_free(renderer->memory, &renderer->lights);
  memory_free(renderer->memory, renderer);
}

Gpu *renderer_gpu(const Renderer *renderer) {
  return renderer->gpu;
}

Shaders *renderer_shaders(const Renderer *renderer) {
  return renderer->shaders;
}

GpuModel *renderer_upload_model(Renderer *renderer, const Model *model, Error *error) {
  GpuModel *result = gpu_model_create(renderer->memory, renderer->gpu, model, renderer->mesh_serial, error);
  if (result) renderer->mesh_serial += (uint32_t)model->mesh_count;
  return result;
}

void renderer_free_model(Renderer *renderer, GpuModel *model) {
  (void)renderer;
  gpu_model_free(model);
}

Texture *renderer_upload_image(Renderer *renderer, const Image *image, Error *error) {
  // 0 stands for no texture when sorting.
  return texture_create(renderer->memory, renderer->gpu, image, ++renderer->texture_serial, error);
}

void renderer_free_texture(Renderer *renderer, Texture *texture) {
  texture_free(renderer->memory, renderer->gpu, texture);
}

// --- Uniforms of the scene ---

static void set_vector(float vector[4], Vec3 v, float w) {
  vector[0] = v.x;
  vector[1] = v.y;
  vector[2] = v.z;
  vector[3] = w;
}

static void set_color(float vector[4], Color color, float scale, float w) {
  set_vector(vector, vec3(color.r * scale, color.g * scale, color.b * scale), w);
}

// The vectors of a light as the source of the shader describes them.
static LightVectors light_vectors(const DrawLight *light) {
  LightVectors result;
  bool is_directional = light->kind == LIGHT_DIRECTIONAL;
  set_vector(result.vectors, is_directional ? vec3_negate(light->direction) : light->position, is_directional ? 0 : 1);
  bool has_range = !is_directional && light->range > 0;
  set_color(result.vectors + 4, light->color, 1, has_range ? 1 / (light->range * light->range) : 0);
  set_vector(result.vectors + 8, vec3(0, 0, 0), 1);
  if (light->kind == LIGHT_SPOT) {
    // (cosine - cos_outer) / (cos_inner - cos_outer) as slope and offset; the ray runs against the axis.
    float slope = 1 / fmaxf(light->cos_inner - light->cos_outer, 1e-4f);
    set_vector(result.vectors + 8, vec3_scale(light->direction, slope), -light->cos_outer * slope);
  }
  return result;
}

static bool prepare_lights(Renderer *renderer, const DrawScene *scene, Error *error) {
  renderer->lights.count = 0;
  if (!array_reserve(renderer->memory, &renderer->lights, scene->light_count)) return error_set_out_of_memory(error);
  for (int i = 0; i < scene->light_count; i++)
    renderer->lights.items[renderer->lights.count++] = light_vectors(&scene->lights[i]);
  return true;
}

// --- Uniforms of an item ---

// The rows of `rows` after the transform `place`.
static void rows_after(float rows[][4], int count, Affine place, float (*result)[4]) {
  for (int i = 0; i < count; i++) {
    Vec3 row = vec3(rows[i][0], rows[i][1], rows[i][2]);
    set_vector(result[i], vec3(vec3_dot(row, place.x), vec3_dot(row, place.y), vec3_dot(row, place.z)),
               vec3_dot(row, place.origin) + rows[i][3]);
  }
}

static void set_place(const Draw *draw) {
  Gpu *gpu = draw->renderer->gpu;
  Affine m = draw->place;
  float clip[4][4];
  rows_after(draw->renderer->view.clip, 4, m, clip);
  gpu_program_set(gpu, UNIFORM_CLIP, clip[0], 4);
  if (draw->command->features >> SHADER_LIGHT_SHIFT == 0) return;
  const float world[12] = {m.x.x, m.y.x,      m.z.x, m.origin.x, m.x.y, m.y.y,
                           m.z.y, m.origin.y, m.x.z, m.y.z,      m.z.z, m.origin.z};
  gpu_program_set(gpu, UNIFORM_WORLD, world, 3);
  // Normals go by the cofactors, which are the inverse transpose times the determinant; its sign is put right.
  Vec3 yz = vec3_cross(m.y, m.z), zx = vec3_cross(m.z, m.x), xy = vec3_cross(m.x, m.y);
  float sign = vec3_dot(m.x, yz) < 0 ? -1.0f : 1.0f;
  float normal[3][4];
  set_vector(normal[0], vec3_scale(vec3(yz.x, zx.x, xy.x), sign), 0);
  set_vector(normal[1], vec3_scale(vec3(yz.y, zx.y, xy.y), sign), 0);
  set_vector(normal[2], vec3_scale(vec3(yz.z, zx.z, xy.z), sign), 0);
  gpu_program_set(gpu, UNIFORM_NORMAL, normal[0], 3);
}

static FramePose drawn_pose(const Draw *draw) {
  int last = draw->item->model->meshes[draw->item->mesh].mesh->frames.frame_count - 1;
  FramePose pose = draw->item->pose;
  pose.frame_a = pose.frame_a < 0 ? 0 : pose.frame_a > last ? last : pose.frame_a;
  pose.frame_b = pose.frame_b < 0 ? 0 : pose.frame_b > last ? last : pose.frame_b;
  return pose;
}

static void set_frames(const Draw *draw) {
  const VertexFrames *frames = &draw->item->model->meshes[draw->item->mesh].mesh->frames;
  FramePose pose = drawn_pose(draw);
  FrameTransform a = vertex_frames_transform(frames, pose.frame_a), b = vertex_frames_transform(frames, pose.frame_b);
  float vectors[3][4];
  set_vector(vectors[0], vec3_scale(a.scale, 1 - pose.mix), 0);
  set_vector(vectors[1], vec3_scale(b.scale, pose.mix), 0);
  set_vector(vectors[2], vec3_add(vec3_scale(a.translation, 1 - pose.mix), vec3_scale(b.translation, pose.mix)),
             pose.mix);
  gpu_program_set(draw->renderer->gpu, UNIFORM_FRAMES, vectors[0], 3);
}

static void set_lights(const Draw *draw) {
  Renderer *renderer = draw->renderer;
  Vec3 back = renderer->view.lens.back;
  float vectors[RENDER_LIGHTS_PER_ITEM * LIGHT_FLOATS];
  int count = (int)(draw->command->features >> SHADER_LIGHT_SHIFT);
  if (count == 0) return;
  if (draw->scene->mode == VIEW_FLAT) {
    set_vector(vectors, back, 0);
    set_vector(vectors + 4, vec3(0.7f, 0.7f, 0.7f), 0);
    set_vector(vectors + 8, vec3(0, 0, 0), 1);
  } else {
    for (int i = 0; i < count; i++)
      memcpy(vectors + i * LIGHT_FLOATS, renderer->lights.items[draw->visible->lights[i]].vectors,
             sizeof(LightVectors));
  }
  gpu_program_set(renderer->gpu, UNIFORM_LIGHTS, vectors, 3 * count);
  Vec3 eye = renderer->view.lens.eye;
  gpu_program_set(renderer->gpu, UNIFORM_EYE, (float[4]){eye.x, eye.y, eye.z, 1}, 1);
}

static void set_material(const Draw *draw) {
  const ModelMaterial *material = draw->material;
  Color ambient = draw->scene->ambient, diffuse = material->diffuse;
  float vectors[4][4];
  memset(vectors, 0, sizeof vectors);
  if (draw->scene->mode == VIEW_TEXTURED) {
    set_color(vectors[0], material->emissive, 1, 0);
    set_vector(vectors[1],
               vec3(material->ambient.r * ambient.r, material->ambient.g * ambient.g, material->ambient.b * ambient.b),
               0);
    set_color(vectors[2], diffuse, 1, diffuse.a);
    set_color(vectors[3], material->specular, 1, fmaxf(material->shininess, 1e-3f));
  } else if (draw->scene->mode == VIEW_SHADED) {
    set_color(vectors[1], ambient, 1, 0);
    set_vector(vectors[2], vec3(1, 1, 1), 1);
  } else if (draw->scene->mode == VIEW_FLAT) {
    // What the light at the camera leaves dark keeps three tenths.
    set_color(vectors[1], diffuse, 0.3f, 0);
    set_color(vectors[2], diffuse, 1, 1);
  } else {
    const Texture *texture = view_texture(draw->item, draw->part->material);
    Color average = texture ? texture->average : (Color){1, 1, 1, 1};
    set_vector(vectors[2], vec3(diffuse.r * average.r, diffuse.g * average.g, diffuse.b * average.b), 1);
  }
  gpu_program_set(draw->renderer->gpu, UNIFORM_MATERIAL, vectors[0], 4);
}

// By how many whole turns of the texture a row can be lowered, so that the middle of the part comes near 0.
static float whole_turns(float middle, TextureWrap wrap) {
  if (wrap == WRAP_CLAMP || !isfinite(middle)) return 0;
  return wrap == WRAP_MIRROR ? 2 * floorf(middle * 0.5f + 0.5f) : floorf(middle + 0.5f);
}

static void set_uvs(const Draw *draw) {
  const ModelTextureStage *stage = &draw->material->stages[0];
  const TextureWrap wraps[2] = {stage->wrap_u, stage->wrap_v};
  float u = (draw->part->uv_low[0] + draw->part->uv_high[0]) * 0.5f;
  float v = (draw->part->uv_low[1] + draw->part->uv_high[1]) * 0.5f;
  float rows[2][4];
  for (int i = 0; i < 2; i++) {
    float offset = stage->uv_offset[i];
    float middle = stage->uv_x[i] * u + stage->uv_y[i] * v + offset;
    set_vector(rows[i], vec3(stage->uv_x[i], stage->uv_y[i], offset - whole_turns(middle, wraps[i])), 0);
  }
  gpu_program_set(draw->renderer->gpu, UNIFORM_UV, rows[0], 2);
}

// Fog as one row over points of the mesh: linear fog as the part of the colour that is left, exponential fog as a power
// of two. Both are linear in the distance along the view, so they hold all over a large triangle.
static void set_fog(const Draw *draw) {
  const ModelFog *fog = &draw->scene->fog;
  const CameraLens *lens = &draw->renderer->view.lens;
  Vec3 forward = vec3_negate(lens->back);
  float scale = fog->density * 1.44269504f, offset = 0;
  if (fog->mode == FOG_LINEAR) {
    float span = fmaxf(fog->far_distance - fog->near_distance, 1e-6f);
    scale = -1 / span;
    offset = fog->far_distance / span;
  }
  Vec3 row = vec3_scale(forward, scale);
  float world[1][4], mesh[1][4];
  set_vector(world[0], row, offset - vec3_dot(row, lens->eye));
  rows_after(world, 1, draw->place, mesh);
  gpu_program_set(draw->renderer->gpu, UNIFORM_FOG, mesh[0], 1);
}

static void set_surface(const Draw *draw) {
  const ModelMaterial *material = draw->material;
  float threshold = material->alpha_threshold > 0 ? material->alpha_threshold : 0.5f;
  // What only adds light fades to none, what only takes it away to white.
  Color color = draw->scene->fog.color;
  if (material->blend == BLEND_ADD) color = (Color){0, 0, 0, 0};
  if (material->blend == BLEND_MODULATE) color = (Color){1, 1, 1, 1};
  if (material->blend == BLEND_MODULATE_X2) color = (Color){0.5f, 0.5f, 0.5f, 1};
  gpu_program_set(draw->renderer->gpu, UNIFORM_SURFACE, (float[4]){color.r, color.g, color.b, threshold}, 1);
}

// --- State ---

static void set_attributes(const Draw *draw) {
  GpuAttribute attributes[ATTRIBUTE_COUNT] = {{NULL, GPU_FLOAT, 0, 0, 0}};
  uint32_t features = draw->command->features;
  GpuBuffer *vertices = draw->chunk->vertices;
  if (features & SHADER_FRAMES) {
    FramePose pose = drawn_pose(draw);
    size_t frame_size = (size_t)draw->chunk->vertex_count * PACKED_VERTEX_SIZE;
    attributes[ATTRIBUTE_POSITION] =
        (GpuAttribute){vertices, GPU_BYTE_COUNT, 4, PACKED_VERTEX_SIZE, (size_t)pose.frame_a * frame_size};
    attributes[ATTRIBUTE_NORMAL] =
        (GpuAttribute){vertices, GPU_BYTE_COUNT, 4, PACKED_VERTEX_SIZE, (size_t)pose.frame_b * frame_size};
    if (features & SHADER_TEXTURE)
      attributes[ATTRIBUTE_UV] = (GpuAttribute){draw->chunk->uvs, GPU_FLOAT, 2, 2 * sizeof(float), 0};
  } else {
    const int stride = sizeof(MeshVertex);
    attributes[ATTRIBUTE_POSITION] = (GpuAttribute){vertices, GPU_FLOAT, 3, stride, offsetof(MeshVertex, position)};
    attributes[ATTRIBUTE_NORMAL] = (GpuAttribute){vertices, GPU_SHORT_UNIT, 3, stride, offsetof(MeshVertex, normal)};
    if (features & SHADER_TEXTURE)
      attributes[ATTRIBUTE_UV] = (GpuAttribute){vertices, GPU_FLOAT, 2, stride, offsetof(MeshVertex, uv)};
    if (features & SHADER_COLORS)
      attributes[ATTRIBUTE_COLOR] = (GpuAttribute){vertices, GPU_BYTE_UNIT, 4, stride, offsetof(MeshVertex, color)};
  }
  gpu_set_attributes(draw->renderer->gpu, attributes, ATTRIBUTE_COUNT);
}

static GpuBlend gpu_blend(const Draw *draw) {
  static const GpuBlend BLENDS[] = {
      [BLEND_REPLACE] = GPU_BLEND_ALPHA,  // with a diffuse alpha below 1
      [BLEND_ALPHA] = GPU_BLEND_ALPHA,       [BLEND_ADD] = GPU_BLEND_ADD,
      [BLEND_MODULATE] = GPU_BLEND_MODULATE, [BLEND_MODULATE_X2] = GPU_BLEND_MODULATE_X2,
  };
  return view_is_blended(draw->command->features) ? BLENDS[draw->material->blend] : GPU_OPAQUE;
}

static void set_state(const Draw *draw) {
  static const GpuCull CULLS[] = {
      [CULL_BACK] = GPU_CULL_BACK, [CULL_FRONT] = GPU_CULL_FRONT, [CULL_NONE] = GPU_CULL_NONE};
  const ModelMaterial *material = draw->material;
  GpuState state = {
      .blend = (uint8_t)gpu_blend(draw),
      .cull = (uint8_t)CULLS[material->cull],
      .is_clockwise = material->winds_clockwise != (affine_determinant(draw->place) < 0),
      .no_depth_test = material->no_depth_test,
      .no_depth_write = material->no_depth_write || view_is_blended(draw->command->features),
      .no_color_write = material->no_color_write,
      .offset_factor = material->depth_offset_factor,
      .offset_units = material->depth_offset_units,
  };
  gpu_set_state(draw->renderer->gpu, &state);
}

static void bind_texture(const Draw *draw) {
  static const uint8_t WRAPS[] = {[WRAP_REPEAT] = GPU_REPEAT, [WRAP_CLAMP] = GPU_CLAMP, [WRAP_MIRROR] = GPU_MIRROR};
  const ModelTextureStage *stage = &draw->material->stages[0];
  GpuSampler sampler = {WRAPS[stage->wrap_u], WRAPS[stage->wrap_v], stage->filter == FILTER_NEAREST, 0};
  gpu_texture_bind(draw->renderer->gpu, 0, draw->texture->gpu, sampler);
}

// --- Drawing ---

static Draw make_draw(Renderer *renderer, const DrawScene *scene, const DrawCommand *command) {
  // Files have x forward, y left, z up; (x, y, z) becomes (-y, z, -x), here as columns.
  static const Affine FRAME_AXES = {{0, 0, -1}, {-1, 0, 0}, {0, 1, 0}, {0, 0, 0}};
  Draw draw = {.renderer = renderer, .scene = scene, .command = command};
  draw.visible = &renderer->view.visible.items[command->visible];
  draw.item = &scene->items[draw.visible->item];
  draw.shape = view_shape(scene, draw.item);
  draw.part = &draw.shape->parts[command->part];
  draw.chunk = &draw.shape->chunks[draw.part->chunk];
  draw.material = view_material(draw.item->model, draw.part->material);
  draw.texture = command->features & SHADER_TEXTURE ? view_texture(draw.item, draw.part->material) : NULL;
  draw.place = command->features & SHADER_FRAMES ? affine_mul(draw.item->world, FRAME_AXES) : draw.item->world;
  return draw;
}

static bool draw_command(Renderer *renderer, const DrawScene *scene, const DrawCommand *command, Error *error) {
  GpuProgram *program = shaders_get(renderer->shaders, command->features, error);
  if (!program) return false;
  Draw draw = make_draw(renderer, scene, command);
  gpu_program_bind(renderer->gpu, program);
  set_state(&draw);
  set_place(&draw);
  set_lights(&draw);
  set_material(&draw);
  set_surface(&draw);
  if (command->features & SHADER_FRAMES) set_frames(&draw);
  if (command->features & (SHADER_FOG_LINEAR | SHADER_FOG_EXPONENTIAL)) set_fog(&draw);
  if (draw.texture) {
    bind_texture(&draw);
    set_uvs(&draw);
  }
  set_attributes(&draw);
  if (scene->mode == VIEW_WIRE) {
    gpu_draw(renderer->gpu, GPU_LINES, draw.chunk->lines, draw.part->first_line, draw.part->line_index_count);
  } else {
    gpu_draw(renderer->gpu, GPU_TRIANGLES, draw.chunk->indices, draw.part->first_index, draw.part->index_count);
  }
  return true;
}

static bool draw_boxes(Renderer *renderer, const DrawScene *scene, Error *error) {
  if (scene->box_count == 0 || !scene->has_camera) return true;
  GpuProgram *program = shaders_get(renderer->shaders, SHADER_UNLIT, error);
  if (!program) return false;
  Gpu *gpu = renderer->gpu;
  GpuAttribute attributes[2] = {
      {renderer->box_vertices, GPU_FLOAT, 3, sizeof(MeshVertex), 0},
      {renderer->box_vertices, GPU_SHORT_UNIT, 3, sizeof(MeshVertex), offsetof(MeshVertex, normal)}};
  gpu_program_bind(gpu, program);
  gpu_set_state(gpu, &(GpuState){0});
  gpu_set_attributes(gpu, attributes, 2);
  for (int i = 0; i < scene->box_count; i++) {
    const DrawBox *box = &scene->boxes[i];
    if (!view_sees(&renderer->view, box->bounds)) continue;
    Vec3 size = vec3_sub(box->bounds.max, box->bounds.min);
    Affine place = {{size.x, 0, 0}, {0, size.y, 0}, {0, 0, size.z}, box->bounds.min};
    float clip[4][4], material[4][4] = {{0}};
    rows_after(renderer->view.clip, 4, place, clip);
    set_color(material[2], box->color, 1, 1);
    gpu_program_set(gpu, UNIFORM_CLIP, clip[0], 4);
    gpu_program_set(gpu, UNIFORM_MATERIAL, material[0], 4);
    gpu_draw(gpu, GPU_LINES, renderer->box_lines, 0, 24);
  }
  return true;
}

static void count_draws(RenderStats *stats, GpuCounts before, GpuCounts after) {
  stats->draw_calls += after.draws - before.draws;
  stats->triangles += after.triangles - before.triangles;
  stats->state_changes += after.program_changes - before.program_changes + after.texture_changes -
                          before.texture_changes + after.state_changes - before.state_changes + after.buffer_changes -
                          before.buffer_changes;
}

bool renderer_draw(Renderer *renderer, const DrawScene *scene, int width, int height, RenderStats *stats,
                   Error *error) {
  Gpu *gpu = renderer->gpu;
  GpuCounts before = gpu_counts(gpu);
  gpu_set_viewport(gpu, width, height);
  gpu_clear(gpu, (float[4]){scene->background.r, scene->background.g, scene->background.b, 1});
  View *view = &renderer->view;
  if (!view_build(view, scene, width, height, error) || !prepare_lights(renderer, scene, error)) return false;
  for (int i = 0; i < view->commands.count; i++) {
    if (!draw_command(renderer, scene, &view->commands.items[i], error)) return false;
  }
  if (!draw_boxes(renderer, scene, error)) return false;
  if (!stats) return true;
  count_draws(stats, before, gpu_counts(gpu));
  stats->items_drawn += view->visible.count;
  stats->items_culled += view->culled_count;
  return true;
}
