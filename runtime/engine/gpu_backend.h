#ifndef PALFREY_ENGINE_GPU_BACKEND_H
#define PALFREY_ENGINE_GPU_BACKEND_H
// What stands behind the front of the gpu: a table of plain device calls. Objects are the device's numbers; arguments have
// been checked, and redundant calls left out, before they come here.
#include "engine/gpu.h"

typedef struct GpuBackend {
  bool (*open)(Gpu *gpu, const GpuDesc *desc, Error *error);  ///< fills profile and driver name
  void (*close)(Gpu *gpu);
  bool (*is_lost)(const Gpu *gpu);
  void (*poll_errors)(Gpu *gpu);
  uint32_t (*create_buffer)(void);
  void (*delete_buffer)(uint32_t buffer);
  void (*bind_buffer)(GpuBufferKind kind, uint32_t buffer);
  void (*fill_buffer)(GpuBufferKind kind, const void *data, size_t size, bool is_dynamic);
  uint32_t (*create_texture)(void);
  void (*delete_texture)(uint32_t texture);
  void (*bind_texture)(int unit, uint32_t texture);
  void (*fill_texture)(const GpuTextureDesc *desc);
  void (*fill_texture_rows)(GpuFormat format, int width, int y, int height, const uint8_t *pixels);
  void (*set_sampler)(GpuSampler sampler, bool has_mipmaps);
  uint32_t (*create_program)(const GpuProgramDesc *desc, int32_t locations[GPU_MAX_UNIFORMS], Error *error);
  void (*delete_program)(uint32_t program);
  void (*use_program)(uint32_t program);
  void (*set_uniform)(int32_t location, const float *vectors, int count);
  bool (*create_target)(const DeviceProfile *profile, int width, int height, uint32_t names[3], Error *error);
  void (*delete_target)(const uint32_t names[3]);
  void (*bind_target)(uint32_t framebuffer);
  void (*read_pixels)(int x, int y, int width, int height, uint8_t *rgba);  ///< bottom row first
  void (*finish)(void);
  void (*set_viewport)(int width, int height);
  void (*clear)(const float color[4]);
  void (*set_blend)(GpuBlend blend);
  void (*set_cull)(GpuCull cull);
  void (*set_front)(bool is_clockwise);
  void (*set_depth)(bool tests, bool writes);
  void (*set_color_write)(bool writes);
  void (*set_offset)(float factor, float units);
  void (*enable_attribute)(int location, bool on);
  void (*set_attribute)(int location, const GpuAttribute *attribute);  ///< of the bound vertex buffer
  void (*draw)(GpuPrimitive primitive, int index_size, int first, int count);
} GpuBackend;

extern const GpuBackend GPU_GLES2_BACKEND, GPU_NULL_BACKEND;

// Each object knows the context it was made in: those of a lost one have names that mean nothing, or something else, now.
struct GpuBuffer {
  uint32_t name, context;
  GpuBufferKind kind;  ///< wide indices are indices here, as they share what is bound
  int index_size;      ///< bytes
  size_t size;
};

struct GpuTexture {
  uint32_t name, context;
  int width, height;
  GpuFormat format;
  bool has_mipmaps, has_sampler;
  GpuSampler sampler;  ///< what the device was told last
};

struct GpuProgram {
  uint32_t name, context;
  uint32_t attribute_mask;
  int texture_count;
  int32_t locations[GPU_MAX_UNIFORMS];  ///< -1: no such uniform
  int first_vector[GPU_MAX_UNIFORMS], vector_count[GPU_MAX_UNIFORMS];
  int known_count[GPU_MAX_UNIFORMS];  ///< vectors the device was told
  float *vectors;                     ///< their values
};

struct GpuTarget {
  uint32_t names[3];  ///< framebuffer, colour texture, depth buffer
  uint32_t context;
  int width, height;
};

struct Gpu {
  Memory *memory;
  const GpuBackend *backend;
  GpuDesc desc;
  DeviceProfile profile;
  char driver_name[128];
  bool has_debug_callback;
  uint32_t (*get_reset_status)(void);  ///< 0 as long as all is well; NULL where the driver does not tell
  uint32_t context;                    ///< a number for the current one, counted from 1
  int error_count;
  GpuCounts counts;
  GpuLive live;
  // What the device was told last, so that it is not told again.
  bool knows_state;
  GpuState state;
  GpuProgram *program;
  GpuBuffer *bound[2];  ///< by kind
  GpuTexture *textures[GPU_MAX_TEXTURES];
  GpuTarget *target;
  GpuAttribute attributes[GPU_MAX_ATTRIBUTES];
  uint32_t enabled_mask;
  int viewport_width, viewport_height;
};

/// Counts and logs an error of the driver or of our own.
void gpu_note_error(Gpu *gpu, const char *what);

#endif
