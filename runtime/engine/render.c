#include <string.h>

#include "engine/render_draw.h"

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
  gpu_buffer_free(renderer->gpu, renderer->stream);
  shaders_free(renderer->shaders);
  view_free(&renderer->view);
  array_free(renderer->memory, &renderer->stream_vertices);
  array_free(renderer->memory, &renderer->stream_starts);
  array_free(renderer->memory, &renderer->deformed);
  array_free(renderer->memory, &renderer->lights);
  memory_free(renderer->memory, renderer);
}

bool renderer_restore(Renderer *renderer, Error *error) {
  gpu_buffer_free(renderer->gpu, renderer->box_vertices);
  gpu_buffer_free(renderer->gpu, renderer->box_lines);
  gpu_buffer_free(renderer->gpu, renderer->stream);
  renderer->box_vertices = renderer->box_lines = renderer->stream = NULL;
  shaders_forget(renderer->shaders);
  return make_box(renderer, error);
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

bool renderer_restore_model(Renderer *renderer, GpuModel *model, Error *error) {
  (void)renderer;
  return gpu_model_restore(model, error);
}

void renderer_free_model(Renderer *renderer, GpuModel *model) {
  (void)renderer;
  gpu_model_free(model);
}

Texture *renderer_upload_image(Renderer *renderer, const Image *image, Error *error) {
  // 0 stands for no texture when sorting.
  return texture_create(renderer->memory, renderer->gpu, image, ++renderer->texture_serial, error);
}

bool renderer_replace_image(Renderer *renderer, Texture *texture, const Image *image, Error *error) {
  return texture_replace(renderer->memory, renderer->gpu, texture, image, error);
}

bool renderer_replace_missing(Renderer *renderer, Texture *texture, Error *error) {
  enum { SIDE = 8 };
  static const uint8_t COLORS[2][4] = {{255, 0, 255, 255}, {0, 0, 0, 255}};
  uint8_t pixels[SIDE * SIDE * 4];
  for (int i = 0; i < SIDE * SIDE; i++)
    memcpy(pixels + 4 * i, COLORS[(i / SIDE + i) & 1], 4);
  int width = texture->width, height = texture->height;
  if (!renderer_replace_image(renderer, texture, &(Image){.width = SIDE, .height = SIDE, .pixels = pixels}, error))
    return false;
  texture->width = width;
  texture->height = height;
  return true;
}

void renderer_free_texture(Renderer *renderer, Texture *texture) {
  texture_free(renderer->memory, renderer->gpu, texture);
}

// --- State ---

static void set_attributes(const Draw *draw) {
  GpuAttribute attributes[ATTRIBUTE_COUNT] = {{NULL, GPU_FLOAT, 0, 0, 0}};
  uint32_t features = draw->command->features;
  GpuBuffer *vertices = draw->vertices;
  if (features & SHADER_FRAMES) {
    FramePose pose = render_pose(draw);
    size_t frame_size = (size_t)draw->chunk->vertex_count * PACKED_VERTEX_SIZE;
    attributes[ATTRIBUTE_POSITION] =
        (GpuAttribute){vertices, GPU_BYTE_COUNT, 4, PACKED_VERTEX_SIZE, (size_t)pose.frame_a * frame_size};
    attributes[ATTRIBUTE_NORMAL] =
        (GpuAttribute){vertices, GPU_BYTE_COUNT, 4, PACKED_VERTEX_SIZE, (size_t)pose.frame_b * frame_size};
    if (features & SHADER_TEXTURE)
      attributes[ATTRIBUTE_UV] = (GpuAttribute){draw->chunk->uvs, GPU_FLOAT, 2, 2 * sizeof(float), 0};
  } else {
    const int stride = sizeof(MeshVertex);
    size_t at = draw->first_vertex * sizeof(MeshVertex);
    attributes[ATTRIBUTE_POSITION] =
        (GpuAttribute){vertices, GPU_FLOAT, 3, stride, at + offsetof(MeshVertex, position)};
    attributes[ATTRIBUTE_NORMAL] =
        (GpuAttribute){vertices, GPU_SHORT_UNIT, 3, stride, at + offsetof(MeshVertex, normal)};
    if (features & SHADER_TEXTURE)
      attributes[ATTRIBUTE_UV] = (GpuAttribute){vertices, GPU_FLOAT, 2, stride, at + offsetof(MeshVertex, uv)};
    if (features & SHADER_COLORS)
      attributes[ATTRIBUTE_COLOR] =
          (GpuAttribute){vertices, GPU_BYTE_UNIT, 4, stride, at + offsetof(MeshVertex, color)};
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

static bool prepare_lights(Renderer *renderer, const DrawScene *scene, Error *error) {
  renderer->lights.count = 0;
  if (!array_reserve(renderer->memory, &renderer->lights, scene->light_count)) return error_set_out_of_memory(error);
  for (int i = 0; i < scene->light_count; i++)
    renderer->lights.items[renderer->lights.count++] = render_light_vectors(&scene->lights[i]);
  return true;
}

// Deformed meshes lie in the stream, chunk after chunk.
static void find_vertices(Draw *draw) {
  int start = draw->renderer->stream_starts.items[draw->command->visible];
  draw->vertices = start >= 0 ? draw->renderer->stream : draw->chunk->vertices;
  draw->first_vertex = start >= 0 ? (size_t)start : 0;
  for (int i = 0; start >= 0 && i < draw->part->chunk; i++)
    draw->first_vertex += (size_t)draw->shape->chunks[i].vertex_count;
}

static Draw make_draw(Renderer *renderer, const DrawScene *scene, const DrawCommand *command) {
  // Files have x forward, y left, z up; (x, y, z) becomes (-y, z, -x), here as columns.
  static const Affine FRAME_AXES = {{0, 0, -1}, {-1, 0, 0}, {0, 1, 0}, {0, 0, 0}};
  Draw draw = {.renderer = renderer, .scene = scene, .command = command};
  draw.visible = &renderer->view.visible.items[command->visible];
  draw.item = &scene->items[draw.visible->item];
  draw.shape = view_shape(scene, draw.item);
  draw.part = &draw.shape->parts[command->part];
  draw.chunk = &draw.shape->chunks[draw.part->chunk];
  find_vertices(&draw);
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
  render_set_uniforms(&draw);
  if (draw.texture) bind_texture(&draw);
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
    render_set_box_uniforms(renderer, box);
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
  if (!view_build(view, scene, width, height, error) || !prepare_lights(renderer, scene, error) ||
      !render_stream_deformed(renderer, scene, error))
    return false;
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
