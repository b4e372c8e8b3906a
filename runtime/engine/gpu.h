#ifndef PALFREY_ENGINE_GPU_H
#define PALFREY_ENGINE_GPU_H
// The one door to OpenGL ES 2.0. Only gpu.c includes GLES2. A context must be current on the calling thread. The null
// backend makes no GL call: it checks arguments and counts, for runs without pictures.
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
  bool has_uint_indices;         ///< OES_element_index_uint
  bool has_npot_textures;        ///< OES_texture_npot
  bool has_fragment_highp;
  bool has_standard_derivatives; ///< OES_standard_derivatives
  bool has_depth_texture;        ///< OES_depth_texture
  bool has_debug;                ///< KHR_debug
} DeviceProfile;

typedef enum DeviceLimit {
  DEVICE_LIMIT_PROFILE = 0,  ///< the sizes of the smallest profile, the driver's extensions
  DEVICE_LIMIT_BARE,         ///< the smallest profile without any extension
  DEVICE_LIMIT_DRIVER,       ///< whatever the driver offers
} DeviceLimit;

typedef struct GpuDesc {
  bool is_null;
  DeviceLimit limit;
  bool reports_errors;  ///< KHR_debug errors are counted and logged (in tests)
} GpuDesc;

typedef struct Gpu Gpu;

Gpu *gpu_create(Memory *memory, const GpuDesc *desc, Error *error);
void gpu_free(Gpu *gpu);
const DeviceProfile *gpu_profile(const Gpu *gpu);

/// How many errors the driver reported so far (only with reports_errors).
int gpu_error_count(const Gpu *gpu);

#endif
