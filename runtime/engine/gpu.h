#ifndef PALFREY_ENGINE_GPU_H
#define PALFREY_ENGINE_GPU_H
// The one door to OpenGL ES 2.0: buffers, textures, programs, targets, state and draws. A context must be current on the
// calling thread. Every call goes through one front (gpu_state.c) that checks the arguments, leaves out what would not
// change anything and counts; behind it stands either GL (gpu.c, the only file that includes GLES2) or nothing at all
// (gpu_null.c), for runs without pictures. A wrong argument is our own mistake: the call does nothing and counts as an error.
#include "error.h"
#include "memory.h"

/// What the runtime lets itself use of the device: the driver's answer, cut down to a profile. The smallest profile is what
/// OpenGL ES 2.0 guarantees, with every extension absent.
typedef struct DeviceProfile {
  int max_vertex_uniform_vectors;    ///< at least 128
  int max_fragment_uniform_vectors;  ///< at least 16
  int max_varying_vectors;           ///< at least 8
  int max_vertex_attributes;         ///< at least 8
  int max_texture_size;
  bool has_uint_indices;   ///< OES_element_index_uint
  bool has_npot_textures;  ///< OES_texture_npot
  bool has_fragment_highp;
  bool has_standard_derivatives;  ///< OES_standard_derivatives
  bool has_depth_texture;         ///< OES_depth_texture
  bool has_depth24;               ///< OES_depth24
  bool has_debug;                 ///< KHR_debug
} DeviceProfile;

typedef enum DeviceLimit {
  DEVICE_LIMIT_PROFILE = 0,  ///< the counts of the smallest profile, the driver's extensions and texture size
  DEVICE_LIMIT_BARE,         ///< the smallest profile without any extension or highp
  DEVICE_LIMIT_DRIVER,       ///< whatever the driver offers
} DeviceLimit;

/// Finds the address of a GL function of an extension, as SDL_GL_GetProcAddress does.
typedef void *GpuLoadFunction(const char *name);

typedef struct GpuDesc {
  bool is_null;
  DeviceLimit limit;
  bool reports_errors;    ///< errors of the driver are counted and logged (in tests): by KHR_debug, else by asking
  GpuLoadFunction *load;  ///< for KHR_debug and KHR_robustness; may be NULL
} GpuDesc;

typedef struct Gpu Gpu;

Gpu *gpu_create(Memory *memory, const GpuDesc *desc, Error *error);
/// Everything made with the gpu has been freed before.
void gpu_free(Gpu *gpu);
const DeviceProfile *gpu_profile(const Gpu *gpu);
/// The name and version of the driver: golden images are exact for one only.
const char *gpu_driver_name(const Gpu *gpu);

/// How many errors the driver reported so far (with reports_errors), our own wrong arguments included.
int gpu_error_count(const Gpu *gpu);

/// What reached the device, since gpu_create.
typedef struct GpuCounts {
  int draws, triangles;
  int program_changes, texture_changes, buffer_changes, attribute_changes, uniform_changes, state_changes;
} GpuCounts;
GpuCounts gpu_counts(const Gpu *gpu);

/// What was made and not freed yet, and what it takes on the device.
typedef struct GpuLive {
  int buffers, textures, programs, targets;
  size_t bytes;
} GpuLive;
GpuLive gpu_live(const Gpu *gpu);

// --- A lost context ---

/// Whether the driver says that the context was lost: everything in it is gone, and drawing has no effect any more. Only
/// drivers with GL_KHR_robustness or GL_EXT_robustness say so. Cheap.
bool gpu_is_lost(const Gpu *gpu);

/// Starts anew in the context that is current now. What was made before is void: its owners free it, which the device is
/// not told of, and make it again. To draw with it is a mistake.
bool gpu_restore(Gpu *gpu, Error *error);

// --- Buffers ---

typedef enum GpuBufferKind { GPU_VERTICES = 0, GPU_INDICES, GPU_WIDE_INDICES } GpuBufferKind;
typedef struct GpuBuffer GpuBuffer;

/// `data` may be NULL. Indices are 16 bits each; wide ones, which need has_uint_indices, 32.
GpuBuffer *gpu_buffer_create(Gpu *gpu, GpuBufferKind kind, const void *data, size_t size, Error *error);
/// Replaces the whole content, of any size.
void gpu_buffer_replace(Gpu *gpu, GpuBuffer *buffer, const void *data, size_t size);
size_t gpu_buffer_size(const GpuBuffer *buffer);
void gpu_buffer_free(Gpu *gpu, GpuBuffer *buffer);

// --- Textures ---

typedef enum GpuFormat { GPU_RGBA = 0, GPU_ALPHA } GpuFormat;
typedef enum GpuWrap { GPU_REPEAT = 0, GPU_CLAMP, GPU_MIRROR } GpuWrap;

/// How a texture is read. {0} is smooth, with mipmaps where there are some, repeating.
typedef struct GpuSampler {
  uint8_t wrap_u, wrap_v;  ///< GpuWrap
  uint8_t is_nearest, has_no_mipmaps;
} GpuSampler;

typedef struct GpuTextureDesc {
  int width, height;
  GpuFormat format;
  const uint8_t *pixels;  ///< top row first, or NULL
  bool has_mipmaps;       ///< they are made of the pixels; both sides must be powers of two or the profile allow others
} GpuTextureDesc;

typedef struct GpuTexture GpuTexture;

GpuTexture *gpu_texture_create(Gpu *gpu, const GpuTextureDesc *desc, Error *error);
/// Replaces `height` whole rows from `y` on.
void gpu_texture_replace_rows(Gpu *gpu, GpuTexture *texture, int y, int height, const uint8_t *pixels);
void gpu_texture_bind(Gpu *gpu, int unit, GpuTexture *texture, GpuSampler sampler);
void gpu_texture_free(Gpu *gpu, GpuTexture *texture);

// --- Programs ---

enum { GPU_MAX_ATTRIBUTES = 8, GPU_MAX_UNIFORMS = 16, GPU_MAX_TEXTURES = 2 };

/// An array of vec4: the only kind of uniform there is, so that the count of vectors is exact.
typedef struct GpuUniform {
  const char *name;  ///< NULL for a slot that this program has no use for
  int vector_count;
  bool is_fragment;
} GpuUniform;

typedef struct GpuProgramDesc {
  const char *name;                             ///< for messages
  const char *vertex_source, *fragment_source;  ///< the first line is "#version 100"
  const char *attributes[GPU_MAX_ATTRIBUTES];   ///< the location is the index; NULL where unused
  GpuUniform uniforms[GPU_MAX_UNIFORMS];        ///< the slot is the index
  const char *textures[GPU_MAX_TEXTURES];       ///< the unit is the index
  int varying_count;                            ///< vectors
} GpuProgramDesc;

typedef struct GpuProgram GpuProgram;

/// Refuses what the profile cannot hold, and uniforms in the source that the description does not tell of.
GpuProgram *gpu_program_create(Gpu *gpu, const GpuProgramDesc *desc, Error *error);
void gpu_program_bind(Gpu *gpu, GpuProgram *program);
/// Sets the first `count` vectors of a uniform of the bound program. A slot without use is ignored.
void gpu_program_set(Gpu *gpu, int slot, const float *vectors, int count);
void gpu_program_free(Gpu *gpu, GpuProgram *program);

// --- Targets ---

typedef struct GpuTarget GpuTarget;

/// A picture of its own with colour and depth, for runs without a window.
GpuTarget *gpu_target_create(Gpu *gpu, int width, int height, Error *error);
/// NULL is the window.
void gpu_target_bind(Gpu *gpu, GpuTarget *target);
void gpu_target_free(Gpu *gpu, GpuTarget *target);

/// Reads RGBA from the bound target, top row first; x and y count from the top left of a picture `target_height` high.
void gpu_read_pixels(Gpu *gpu, int target_height, int x, int y, int width, int height, uint8_t *rgba);

/// Waits until everything asked for is drawn. A window does that when it is shown; without one, nothing else would, and
/// the driver would collect frames without end.
void gpu_finish(Gpu *gpu);

// --- Drawing ---

typedef enum GpuBlend {
  GPU_OPAQUE = 0,
  GPU_BLEND_ALPHA,
  GPU_BLEND_ADD,
  GPU_BLEND_MODULATE,
  GPU_BLEND_MODULATE_X2
} GpuBlend;
typedef enum GpuCull { GPU_CULL_NONE = 0, GPU_CULL_BACK, GPU_CULL_FRONT } GpuCull;

typedef struct GpuState {
  uint8_t blend, cull;  ///< GpuBlend, GpuCull
  bool is_clockwise;    ///< the front of a triangle
  bool no_depth_test, no_depth_write, no_color_write;
  float offset_factor, offset_units;  ///< of depth
} GpuState;

/// Where an attribute comes from. `buffer` NULL: the attribute is off.
typedef enum GpuType { GPU_FLOAT = 0, GPU_BYTE_COUNT, GPU_BYTE_UNIT, GPU_SHORT_UNIT } GpuType;
typedef struct GpuAttribute {
  GpuBuffer *buffer;
  GpuType type;  ///< floats; bytes 0..255; bytes as 0..1; shorts as -1..1
  int components, stride;
  size_t offset;
} GpuAttribute;

typedef enum GpuPrimitive { GPU_TRIANGLES = 0, GPU_LINES } GpuPrimitive;

void gpu_set_viewport(Gpu *gpu, int width, int height);
/// Clears colour (r, g, b, a) and depth.
void gpu_clear(Gpu *gpu, const float color[4]);
void gpu_set_state(Gpu *gpu, const GpuState *state);
/// Sets the locations 0 to count - 1; those above are turned off.
void gpu_set_attributes(Gpu *gpu, const GpuAttribute *attributes, int count);
/// Draws `count` indices from the index `first` on with all that is bound and set.
void gpu_draw(Gpu *gpu, GpuPrimitive primitive, GpuBuffer *indices, int first, int count);

#endif
