#include <string.h>

#include "engine/gpu_backend.h"
#include "log.h"

enum {
  LEAST_VERTEX_UNIFORM_VECTORS = 128,
  LEAST_FRAGMENT_UNIFORM_VECTORS = 16,
  LEAST_VARYING_VECTORS = 8,
  LEAST_VERTEX_ATTRIBUTES = 8,
  LEAST_TEXTURE_SIZE = 2048,  // the specification says 64, no device has less than this
  MAX_LOGGED_ERRORS = 20,
};

static int least(int a, int b) {
  return a < b ? a : b;
}

void gpu_note_error(Gpu *gpu, const char *what) {
  gpu->error_count++;
  if (gpu->error_count <= MAX_LOGGED_ERRORS) log_error("gpu: %s", what);
}

// Whether an argument is as it must be; our own mistake otherwise.
static bool expect(Gpu *gpu, bool is_right, const char *what) {
  if (!is_right) gpu_note_error(gpu, what);
  return is_right;
}

static void limit_profile(DeviceProfile *profile, DeviceLimit limit) {
  if (limit == DEVICE_LIMIT_DRIVER) return;
  profile->max_vertex_uniform_vectors = least(profile->max_vertex_uniform_vectors, LEAST_VERTEX_UNIFORM_VECTORS);
  profile->max_fragment_uniform_vectors = least(profile->max_fragment_uniform_vectors, LEAST_FRAGMENT_UNIFORM_VECTORS);
  profile->max_varying_vectors = least(profile->max_varying_vectors, LEAST_VARYING_VECTORS);
  profile->max_vertex_attributes = least(profile->max_vertex_attributes, LEAST_VERTEX_ATTRIBUTES);
  if (limit == DEVICE_LIMIT_PROFILE) return;
  profile->max_texture_size = least(profile->max_texture_size, LEAST_TEXTURE_SIZE);
  profile->has_uint_indices = profile->has_npot_textures = profile->has_standard_derivatives = false;
  profile->has_depth_texture = profile->has_depth24 = profile->has_debug = profile->has_fragment_highp = false;
}

static bool open_context(Gpu *gpu, Error *error) {
  gpu->context++;
  gpu->viewport_width = gpu->viewport_height = -1;
  if (!gpu->backend->open(gpu, &gpu->desc, error)) return false;
  limit_profile(&gpu->profile, gpu->desc.limit);
  return true;
}

Gpu *gpu_create(Memory *memory, const GpuDesc *desc, Error *error) {
  Gpu *gpu = memory_alloc(memory, sizeof *gpu);
  if (!gpu) {
    error_set_out_of_memory(error);
    return NULL;
  }
  gpu->memory = memory;
  gpu->backend = desc->is_null ? &GPU_NULL_BACKEND : &GPU_GLES2_BACKEND;
  gpu->desc = *desc;
  if (open_context(gpu, error)) return gpu;
  memory_free(memory, gpu);
  return NULL;
}

void gpu_free(Gpu *gpu) {
  if (!gpu) return;
  gpu->backend->close(gpu);
  memory_free(gpu->memory, gpu);
}

const DeviceProfile *gpu_profile(const Gpu *gpu) {
  return &gpu->profile;
}

const char *gpu_driver_name(const Gpu *gpu) {
  return gpu->driver_name;
}

int gpu_error_count(const Gpu *gpu) {
  return gpu->error_count;
}

GpuCounts gpu_counts(const Gpu *gpu) {
  return gpu->counts;
}

GpuLive gpu_live(const Gpu *gpu) {
  return gpu->live;
}

// --- A lost context ---

bool gpu_is_lost(const Gpu *gpu) {
  return gpu->backend->is_lost(gpu);
}

bool gpu_restore(Gpu *gpu, Error *error) {
  gpu->knows_state = false;
  gpu->program = NULL;
  gpu->target = NULL;
  memset(gpu->bound, 0, sizeof gpu->bound);
  memset(gpu->textures, 0, sizeof gpu->textures);
  memset(gpu->attributes, 0, sizeof gpu->attributes);
  gpu->enabled_mask = 0;
  gpu->has_debug_callback = false;
  return open_context(gpu, error);
}

// Whether an object is of the current context: only then its name may reach the device.
static bool is_current(const Gpu *gpu, uint32_t context) {
  return context == gpu->context;
}

static bool expect_current(Gpu *gpu, uint32_t context) {
  return expect(gpu, is_current(gpu, context), "an object of a lost context");
}

// --- Buffers ---

static void bind_buffer(Gpu *gpu, GpuBuffer *buffer) {
  if (gpu->bound[buffer->kind] == buffer) return;
  gpu->bound[buffer->kind] = buffer;
  gpu->backend->bind_buffer(buffer->kind, buffer->name);
  gpu->counts.buffer_changes++;
}

GpuBuffer *gpu_buffer_create(Gpu *gpu, GpuBufferKind kind, const void *data, size_t size, Error *error) {
  GpuBuffer *buffer = memory_alloc(gpu->memory, sizeof *buffer);
  if (!buffer) {
    error_set_out_of_memory(error);
    return NULL;
  }
  int index_size = kind == GPU_WIDE_INDICES ? sizeof(uint32_t) : sizeof(uint16_t);
  if (kind == GPU_WIDE_INDICES) kind = GPU_INDICES;
  *buffer = (GpuBuffer){.name = gpu->backend->create_buffer(),
                        .context = gpu->context,
                        .kind = kind,
                        .index_size = index_size,
                        .size = size};
  gpu->live.buffers++;
  gpu->live.bytes += size;
  bind_buffer(gpu, buffer);
  gpu->backend->fill_buffer(kind, data, size, data == NULL);
  return buffer;
}

void gpu_buffer_replace(Gpu *gpu, GpuBuffer *buffer, const void *data, size_t size) {
  if (!expect_current(gpu, buffer->context)) return;
  bind_buffer(gpu, buffer);
  gpu->live.bytes += size - buffer->size;
  buffer->size = size;
  gpu->backend->fill_buffer(buffer->kind, data, size, true);
}

size_t gpu_buffer_size(const GpuBuffer *buffer) {
  return buffer ? buffer->size : 0;
}

void gpu_buffer_free(Gpu *gpu, GpuBuffer *buffer) {
  if (!buffer) return;
  // A new buffer may get the same address: the cache must not know it.
  for (int i = 0; i < GPU_MAX_ATTRIBUTES; i++) {
    if (gpu->attributes[i].buffer == buffer) gpu->attributes[i] = (GpuAttribute){0};
  }
  if (gpu->bound[buffer->kind] == buffer) gpu->bound[buffer->kind] = NULL;
  if (is_current(gpu, buffer->context)) gpu->backend->delete_buffer(buffer->name);
  gpu->live.buffers--;
  gpu->live.bytes -= buffer->size;
  memory_free(gpu->memory, buffer);
}

// --- Textures ---

static bool is_power_of_two(int value) {
  return value > 0 && (value & (value - 1)) == 0;
}

static size_t bytes_of_texture(const GpuTexture *texture) {
  size_t size = (size_t)texture->width * (size_t)texture->height * (texture->format == GPU_RGBA ? 4 : 1);
  return texture->has_mipmaps ? size * 4 / 3 : size;
}

static void bind_texture(Gpu *gpu, int unit, GpuTexture *texture) {
  if (gpu->textures[unit] == texture) return;
  gpu->textures[unit] = texture;
  gpu->backend->bind_texture(unit, texture->name);
  gpu->counts.texture_changes++;
}

GpuTexture *gpu_texture_create(Gpu *gpu, const GpuTextureDesc *desc, Error *error) {
  int limit = gpu->profile.max_texture_size;
  if (desc->width <= 0 || desc->height <= 0 || desc->width > limit || desc->height > limit) {
    error_set(error, "a texture of %d x %d pixels: the device takes 1 to %d", desc->width, desc->height, limit);
    return NULL;
  }
  bool is_even = is_power_of_two(desc->width) && is_power_of_two(desc->height);
  if (desc->has_mipmaps && !is_even && !gpu->profile.has_npot_textures) {
    error_set(error, "a texture of %d x %d pixels: the device has mipmaps for powers of two only", desc->width,
              desc->height);
    return NULL;
  }
  GpuTexture *texture = memory_alloc(gpu->memory, sizeof *texture);
  if (!texture) {
    error_set_out_of_memory(error);
    return NULL;
  }
  *texture = (GpuTexture){
      .name = gpu->backend->create_texture(),
      .context = gpu->context,
      .width = desc->width,
      .height = desc->height,
      .format = desc->format,
      .has_mipmaps = desc->has_mipmaps,
  };
  gpu->live.textures++;
  gpu->live.bytes += bytes_of_texture(texture);
  bind_texture(gpu, 0, texture);
  gpu->backend->fill_texture(desc);
  return texture;
}

void gpu_texture_replace_rows(Gpu *gpu, GpuTexture *texture, int y, int height, const uint8_t *pixels) {
  bool is_inside = y >= 0 && height > 0 && y <= texture->height - height;
  if (!expect(gpu, is_inside && !texture->has_mipmaps, "rows outside of a texture, or of one with mipmaps")) return;
  if (!expect_current(gpu, texture->context)) return;
  bind_texture(gpu, 0, texture);
  // Also makes unit 0 the active one, which the cache knows nothing of.
  gpu->backend->bind_texture(0, texture->name);
  gpu->backend->fill_texture_rows(texture->format, texture->width, y, height, pixels);
}

void gpu_texture_bind(Gpu *gpu, int unit, GpuTexture *texture, GpuSampler sampler) {
  if (!expect(gpu, unit >= 0 && unit < GPU_MAX_TEXTURES && texture, "a texture unit that is not there")) return;
  if (!expect_current(gpu, texture->context)) return;
  bind_texture(gpu, unit, texture);
  bool is_even = is_power_of_two(texture->width) && is_power_of_two(texture->height);
  if (!is_even && !gpu->profile.has_npot_textures) sampler.wrap_u = sampler.wrap_v = GPU_CLAMP;
  if (texture->has_sampler && memcmp(&texture->sampler, &sampler, sizeof sampler) == 0) return;
  texture->sampler = sampler;
  texture->has_sampler = true;
  // The device changes the texture of the active unit, which is the one bound last.
  gpu->backend->bind_texture(unit, texture->name);
  gpu->backend->set_sampler(sampler, texture->has_mipmaps);
  gpu->counts.texture_changes++;
}

void gpu_texture_free(Gpu *gpu, GpuTexture *texture) {
  if (!texture) return;
  for (int i = 0; i < GPU_MAX_TEXTURES; i++) {
    if (gpu->textures[i] == texture) gpu->textures[i] = NULL;
  }
  if (is_current(gpu, texture->context)) gpu->backend->delete_texture(texture->name);
  gpu->live.textures--;
  gpu->live.bytes -= bytes_of_texture(texture);
  memory_free(gpu->memory, texture);
}

// --- Programs ---

static bool has_version(const char *source) {
  static const char FIRST_LINE[] = "#version 100\n";
  return source && strncmp(source, FIRST_LINE, sizeof FIRST_LINE - 1) == 0;
}

static bool check_budget(const char *name, const char *what, int count, int limit, Error *error) {
  return count <= limit || error_set(error, "shader %s: %d %s, the device takes %d", name, count, what, limit);
}

static bool check_program(const Gpu *gpu, const GpuProgramDesc *desc, Error *error) {
  if (!has_version(desc->vertex_source) || !has_version(desc->fragment_source))
    return error_set(error, "shader %s: the first line is not \"#version 100\"", desc->name);
  int vectors[2] = {0, 0}, attribute_count = 0;
  for (int i = 0; i < GPU_MAX_UNIFORMS; i++) {
    if (desc->uniforms[i].name) vectors[desc->uniforms[i].is_fragment] += desc->uniforms[i].vector_count;
  }
  for (int i = 0; i < GPU_MAX_ATTRIBUTES; i++) {
    if (desc->attributes[i]) attribute_count = i + 1;
  }
  const DeviceProfile *profile = &gpu->profile;
  return check_budget(desc->name, "uniform vectors of the vertex stage", vectors[0],
                      profile->max_vertex_uniform_vectors, error) &&
         check_budget(desc->name, "uniform vectors of the fragment stage", vectors[1],
                      profile->max_fragment_uniform_vectors, error) &&
         check_budget(desc->name, "varyings", desc->varying_count, profile->max_varying_vectors, error) &&
         check_budget(desc->name, "attributes", attribute_count, profile->max_vertex_attributes, error);
}

static void describe_program(GpuProgram *program, const GpuProgramDesc *desc) {
  int total = 0;
  for (int i = 0; i < GPU_MAX_UNIFORMS; i++) {
    program->first_vector[i] = total;
    program->vector_count[i] = desc->uniforms[i].name ? desc->uniforms[i].vector_count : 0;
    total += program->vector_count[i];
  }
  for (int i = 0; i < GPU_MAX_ATTRIBUTES; i++) {
    if (desc->attributes[i]) program->attribute_mask |= 1u << i;
  }
  while (program->texture_count < GPU_MAX_TEXTURES && desc->textures[program->texture_count])
    program->texture_count++;
}

GpuProgram *gpu_program_create(Gpu *gpu, const GpuProgramDesc *desc, Error *error) {
  if (!check_program(gpu, desc, error)) return NULL;
  int total = 0;
  for (int i = 0; i < GPU_MAX_UNIFORMS; i++)
    total += desc->uniforms[i].name ? desc->uniforms[i].vector_count : 0;
  GpuProgram *program = memory_alloc(gpu->memory, sizeof *program);
  float *vectors = memory_alloc_array(gpu->memory, (size_t)total, 4 * sizeof(float));
  if (program && vectors) {
    describe_program(program, desc);
    program->vectors = vectors;
    program->name = gpu->backend->create_program(desc, program->locations, error);
    // Creating a program may have used it, to tell its samplers their units.
    gpu->program = NULL;
    program->context = gpu->context;
    if (program->name) {
      gpu->live.programs++;
      return program;
    }
  } else {
    error_set_out_of_memory(error);
  }
  memory_free(gpu->memory, vectors);
  memory_free(gpu->memory, program);
  return NULL;
}

void gpu_program_bind(Gpu *gpu, GpuProgram *program) {
  if (gpu->program == program || !expect_current(gpu, program->context)) return;
  gpu->program = program;
  gpu->backend->use_program(program->name);
  gpu->counts.program_changes++;
}

void gpu_program_set(Gpu *gpu, int slot, const float *vectors, int count) {
  GpuProgram *program = gpu->program;
  if (!expect(gpu, program && slot >= 0 && slot < GPU_MAX_UNIFORMS, "a uniform without a program")) return;
  if (program->locations[slot] < 0 || program->vector_count[slot] == 0) return;
  if (!expect(gpu, count > 0 && count <= program->vector_count[slot], "too many vectors for a uniform")) return;
  float *known = program->vectors + 4 * program->first_vector[slot];
  size_t size = (size_t)count * 4 * sizeof(float);
  if (count <= program->known_count[slot] && memcmp(known, vectors, size) == 0) return;
  memcpy(known, vectors, size);
  if (count > program->known_count[slot]) program->known_count[slot] = count;
  gpu->backend->set_uniform(program->locations[slot], vectors, count);
  gpu->counts.uniform_changes++;
}

void gpu_program_free(Gpu *gpu, GpuProgram *program) {
  if (!program) return;
  if (gpu->program == program) gpu->program = NULL;
  if (is_current(gpu, program->context)) gpu->backend->delete_program(program->name);
  gpu->live.programs--;
  memory_free(gpu->memory, program->vectors);
  memory_free(gpu->memory, program);
}

// --- Targets ---

// Colour and depth.
static size_t bytes_of_target(const GpuTarget *target) {
  return (size_t)target->width * (size_t)target->height * 8;
}

GpuTarget *gpu_target_create(Gpu *gpu, int width, int height, Error *error) {
  int limit = gpu->profile.max_texture_size;
  if (width <= 0 || height <= 0 || width > limit || height > limit) {
    error_set(error, "a picture of %d x %d pixels: the device takes 1 to %d", width, height, limit);
    return NULL;
  }
  GpuTarget *target = memory_alloc(gpu->memory, sizeof *target);
  if (!target) {
    error_set_out_of_memory(error);
    return NULL;
  }
  target->context = gpu->context;
  target->width = width;
  target->height = height;
  bool is_made = gpu->backend->create_target(&gpu->profile, width, height, target->names, error);
  // Making it bound its parts.
  gpu->textures[0] = NULL;
  gpu->backend->bind_target(gpu->target ? gpu->target->names[0] : 0);
  if (is_made) {
    gpu->live.targets++;
    gpu->live.bytes += bytes_of_target(target);
    return target;
  }
  memory_free(gpu->memory, target);
  return NULL;
}

void gpu_target_bind(Gpu *gpu, GpuTarget *target) {
  if (gpu->target == target || (target && !expect_current(gpu, target->context))) return;
  gpu->target = target;
  gpu->backend->bind_target(target ? target->names[0] : 0);
}

void gpu_target_free(Gpu *gpu, GpuTarget *target) {
  if (!target) return;
  if (gpu->target == target) gpu_target_bind(gpu, NULL);
  if (is_current(gpu, target->context)) gpu->backend->delete_target(target->names);
  gpu->live.targets--;
  gpu->live.bytes -= bytes_of_target(target);
  memory_free(gpu->memory, target);
}

void gpu_finish(Gpu *gpu) {
  gpu->backend->finish();
}

void gpu_read_pixels(Gpu *gpu, int target_height, int x, int y, int width, int height, uint8_t *rgba) {
  bool is_inside = x >= 0 && y >= 0 && width > 0 && height > 0 && y <= target_height - height;
  if (!expect(gpu, is_inside, "pixels outside of the picture")) return;
  gpu->backend->read_pixels(x, target_height - y - height, width, height, rgba);
  size_t row_size = (size_t)width * 4;
  for (int top = 0, bottom = height - 1; top < bottom; top++, bottom--) {
    uint8_t *a = rgba + (size_t)top * row_size, *b = rgba + (size_t)bottom * row_size;
    for (size_t i = 0; i < row_size; i++) {
      uint8_t byte = a[i];
      a[i] = b[i];
      b[i] = byte;
    }
  }
}

// --- Drawing ---

void gpu_set_viewport(Gpu *gpu, int width, int height) {
  if (!expect(gpu, width > 0 && height > 0, "an empty viewport")) return;
  if (gpu->viewport_width == width && gpu->viewport_height == height) return;
  gpu->viewport_width = width;
  gpu->viewport_height = height;
  gpu->backend->set_viewport(width, height);
}

void gpu_clear(Gpu *gpu, const float color[4]) {
  // Clearing obeys the masks of colour and depth.
  gpu_set_state(gpu, &(GpuState){.cull = GPU_CULL_BACK});
  gpu->backend->clear(color);
}

void gpu_set_state(Gpu *gpu, const GpuState *state) {
  const GpuBackend *backend = gpu->backend;
  const GpuState *known = &gpu->state;
  bool is_first = !gpu->knows_state;
  int changes = 0;
  if (is_first || known->blend != state->blend) changes++, backend->set_blend((GpuBlend)state->blend);
  if (is_first || known->cull != state->cull) changes++, backend->set_cull((GpuCull)state->cull);
  if (is_first || known->is_clockwise != state->is_clockwise) changes++, backend->set_front(state->is_clockwise);
  if (is_first || known->no_depth_test != state->no_depth_test || known->no_depth_write != state->no_depth_write)
    changes++, backend->set_depth(!state->no_depth_test, !state->no_depth_write);
  if (is_first || known->no_color_write != state->no_color_write)
    changes++, backend->set_color_write(!state->no_color_write);
  if (is_first || known->offset_factor != state->offset_factor || known->offset_units != state->offset_units)
    changes++, backend->set_offset(state->offset_factor, state->offset_units);
  gpu->counts.state_changes += changes;
  gpu->state = *state;
  gpu->knows_state = true;
}

static bool same_attribute(const GpuAttribute *a, const GpuAttribute *b) {
  return a->buffer == b->buffer && a->offset == b->offset && a->stride == b->stride && a->type == b->type &&
         a->components == b->components;
}

void gpu_set_attributes(Gpu *gpu, const GpuAttribute *attributes, int count) {
  if (!expect(gpu, count > 0 && count <= gpu->profile.max_vertex_attributes && count <= GPU_MAX_ATTRIBUTES,
              "more attributes than the device has"))
    return;
  uint32_t mask = 0;
  for (int i = 0; i < count; i++) {
    const GpuAttribute *attribute = &attributes[i];
    if (!attribute->buffer) continue;
    if (!expect(gpu, attribute->buffer->kind == GPU_VERTICES && attribute->offset < attribute->buffer->size,
                "an attribute that does not lie in a vertex buffer"))
      continue;
    if (!expect_current(gpu, attribute->buffer->context)) continue;
    mask |= 1u << i;
    if (same_attribute(attribute, &gpu->attributes[i])) continue;
    gpu->attributes[i] = *attribute;
    bind_buffer(gpu, attribute->buffer);
    gpu->backend->set_attribute(i, attribute);
    gpu->counts.attribute_changes++;
  }
  uint32_t changed = mask ^ gpu->enabled_mask;
  for (int i = 0; changed >> i; i++) {
    if (changed >> i & 1) gpu->backend->enable_attribute(i, mask >> i & 1);
  }
  gpu->enabled_mask = mask;
}

static bool check_draw(Gpu *gpu, GpuPrimitive primitive, const GpuBuffer *indices, int first, int count) {
  const GpuProgram *program = gpu->program;
  if (!expect(gpu, program != NULL, "a draw without a program")) return false;
  if (!expect(gpu, (program->attribute_mask & ~gpu->enabled_mask) == 0, "a draw without all its attributes"))
    return false;
  if (!expect(gpu, indices && indices->kind == GPU_INDICES, "a draw without indices")) return false;
  if (!expect_current(gpu, indices->context)) return false;
  size_t index_count = indices->size / (size_t)indices->index_size;
  if (!expect(gpu, first >= 0 && count > 0 && (size_t)first + (size_t)count <= index_count,
              "a draw past the end of its indices"))
    return false;
  for (int i = 0; i < program->texture_count; i++) {
    if (!expect(gpu, gpu->textures[i] != NULL, "a draw without its texture")) return false;
  }
  return expect(gpu, count % (primitive == GPU_TRIANGLES ? 3 : 2) == 0, "a draw of a part of a triangle or line");
}

void gpu_draw(Gpu *gpu, GpuPrimitive primitive, GpuBuffer *indices, int first, int count) {
  if (!check_draw(gpu, primitive, indices, first, count)) return;
  bind_buffer(gpu, indices);
  gpu->backend->draw(primitive, indices->index_size, first, count);
  gpu->counts.draws++;
  if (primitive == GPU_TRIANGLES) gpu->counts.triangles += count / 3;
  if (gpu->desc.reports_errors && !gpu->has_debug_callback) gpu->backend->poll_errors(gpu);
}
