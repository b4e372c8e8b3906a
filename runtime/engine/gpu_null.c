// The backend that draws nothing: it answers like a generous driver and forgets all it is told. Numbers of objects are
// all 1; nothing looks at them.
#include <stdio.h>
#include <string.h>

#include "engine/gpu_backend.h"

static bool null_open(Gpu *gpu, const GpuDesc *desc, Error *error) {
  (void)desc, (void)error;
  gpu->profile = (DeviceProfile){
      .max_vertex_uniform_vectors = 256,
      .max_fragment_uniform_vectors = 256,
      .max_varying_vectors = 16,
      .max_vertex_attributes = 16,
      .max_texture_size = 8192,
      .has_uint_indices = true,
      .has_npot_textures = true,
      .has_fragment_highp = true,
      .has_standard_derivatives = true,
      .has_depth_texture = true,
      .has_depth24 = true,
      .has_debug = true,
  };
  snprintf(gpu->driver_name, sizeof gpu->driver_name, "null");
  return true;
}

static void null_gpu(Gpu *gpu) {
  (void)gpu;
}

static bool null_is_lost(const Gpu *gpu) {
  (void)gpu;
  return false;
}

static uint32_t null_create(void) {
  return 1;
}

static void null_delete(uint32_t name) {
  (void)name;
}

static void null_bind_buffer(GpuBufferKind kind, uint32_t buffer) {
  (void)kind, (void)buffer;
}

static void null_fill_buffer(GpuBufferKind kind, const void *data, size_t size, bool is_dynamic) {
  (void)kind, (void)data, (void)size, (void)is_dynamic;
}

static void null_bind_texture(int unit, uint32_t texture) {
  (void)unit, (void)texture;
}

static void null_fill_texture(const GpuTextureDesc *desc) {
  (void)desc;
}

static void null_fill_texture_rows(GpuFormat format, int width, int y, int height, const uint8_t *pixels) {
  (void)format, (void)width, (void)y, (void)height, (void)pixels;
}

static void null_set_sampler(GpuSampler sampler, bool has_mipmaps) {
  (void)sampler, (void)has_mipmaps;
}

static uint32_t null_create_program(const GpuProgramDesc *desc, int32_t locations[GPU_MAX_UNIFORMS], Error *error) {
  (void)error;
  for (int i = 0; i < GPU_MAX_UNIFORMS; i++)
    locations[i] = desc->uniforms[i].name ? i : -1;
  return 1;
}

static void null_set_uniform(int32_t location, const float *vectors, int count) {
  (void)location, (void)vectors, (void)count;
}

static bool null_create_target(const DeviceProfile *profile, int width, int height, uint32_t names[3], Error *error) {
  (void)profile, (void)width, (void)height, (void)error;
  names[0] = names[1] = names[2] = 1;
  return true;
}

static void null_delete_target(const uint32_t names[3]) {
  (void)names;
}

static void null_finish(void) {
}

static void null_read_pixels(int x, int y, int width, int height, uint8_t *rgba) {
  (void)x, (void)y;
  memset(rgba, 0, (size_t)width * (size_t)height * 4);
}

static void null_two_ints(int a, int b) {
  (void)a, (void)b;
}

static void null_clear(const float color[4]) {
  (void)color;
}

static void null_set_blend(GpuBlend blend) {
  (void)blend;
}

static void null_set_cull(GpuCull cull) {
  (void)cull;
}

static void null_bool(bool on) {
  (void)on;
}

static void null_set_depth(bool tests, bool writes) {
  (void)tests, (void)writes;
}

static void null_set_offset(float factor, float units) {
  (void)factor, (void)units;
}

static void null_enable_attribute(int location, bool on) {
  (void)location, (void)on;
}

static void null_set_attribute(int location, const GpuAttribute *attribute) {
  (void)location, (void)attribute;
}

static void null_draw(GpuPrimitive primitive, int index_size, int first, int count) {
  (void)primitive, (void)index_size, (void)first, (void)count;
}

const GpuBackend GPU_NULL_BACKEND = {
    .open = null_open,
    .close = null_gpu,
    .is_lost = null_is_lost,
    .poll_errors = null_gpu,
    .create_buffer = null_create,
    .delete_buffer = null_delete,
    .bind_buffer = null_bind_buffer,
    .fill_buffer = null_fill_buffer,
    .create_texture = null_create,
    .delete_texture = null_delete,
    .bind_texture = null_bind_texture,
    .fill_texture = null_fill_texture,
    .fill_texture_rows = null_fill_texture_rows,
    .set_sampler = null_set_sampler,
    .create_program = null_create_program,
    .delete_program = null_delete,
    .use_program = null_delete,
    .set_uniform = null_set_uniform,
    .create_target = null_create_target,
    .delete_target = null_delete_target,
    .bind_target = null_delete,
    .read_pixels = null_read_pixels,
    .finish = null_finish,
    .set_viewport = null_two_ints,
    .clear = null_clear,
    .set_blend = null_set_blend,
    .set_cull = null_set_cull,
    .set_front = null_bool,
    .set_depth = null_set_depth,
    .set_color_write = null_bool,
    .set_offset = null_set_offset,
    .enable_attribute = null_enable_attribute,
    .set_attribute = null_set_attribute,
    .draw = null_draw,
};
