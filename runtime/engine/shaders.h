#ifndef PALFREY_ENGINE_SHADERS_H
#define PALFREY_ENGINE_SHADERS_H
// The programs of the renderer: one source, compiled at first need for each combination of features that is drawn.
#include "engine/render.h"

/// Features of a program, as bits; the number of lights stands above them.
enum {
  SHADER_FRAMES = 1 << 0,  ///< packed vertex frames instead of plain vertices
  SHADER_COLORS = 1 << 1,  ///< vertex colours
  SHADER_TEXTURE = 1 << 2,
  SHADER_FOG_LINEAR = 1 << 3,
  SHADER_FOG_EXPONENTIAL = 1 << 4,
  SHADER_UNLIT = 1 << 5,  ///< the diffuse colour as it is
  SHADER_SPECULAR = 1 << 6,
  SHADER_ALPHA_TEST = 1 << 7,
  SHADER_BLENDED = 1 << 8,        ///< keeps the alpha; else it is 1
  SHADER_TWO_SIDED = 1 << 9,      ///< normals are turned towards the eye
  SHADER_LOCAL_LIGHTS = 1 << 10,  ///< point and spot lights among the lights
  SHADER_LIGHT_SHIFT = 11,        ///< 0 to 4 lights
  SHADER_FEATURE_BITS = 14,
};

/// Locations of the attributes.
enum { ATTRIBUTE_POSITION = 0, ATTRIBUTE_NORMAL, ATTRIBUTE_UV, ATTRIBUTE_COLOR, ATTRIBUTE_COUNT };

/// Slots of the uniforms. Places are given by rows: a point is transformed by a product with each row.
enum {
  UNIFORM_CLIP = 0,    ///< 4 rows, from the mesh to clip space
  UNIFORM_WORLD,       ///< 3 rows, from the mesh into the world
  UNIFORM_NORMAL,      ///< 3 rows, for normals
  UNIFORM_FRAMES,      ///< scale of frame A, scale of frame B, translation; the mix for normals in its w
  UNIFORM_DIRECTIONS,  ///< the 27 directions of packed normals; set by the cache
  UNIFORM_LIGHTS,      ///< 3 a light, see the source
  UNIFORM_MATERIAL,    ///< emissive; ambient times the world's; diffuse; specular with the exponent in w
  UNIFORM_EYE,         ///< the camera's place in the world
  UNIFORM_UV,          ///< 2 rows for (u, v, 1)
  UNIFORM_FOG,         ///< one row: the fog of a point of the mesh
  UNIFORM_SURFACE,     ///< fragment stage: colour of the fog, least alpha
  UNIFORM_COUNT,
};

typedef struct Shaders Shaders;

Shaders *shaders_create(Memory *memory, Gpu *gpu, Error *error);
void shaders_free(Shaders *shaders);

/// Lets go of all programs: they are made again at need.
void shaders_forget(Shaders *shaders);

/// The program for a set of features, made at first need.
GpuProgram *shaders_get(Shaders *shaders, uint32_t features, Error *error);

/// Those of a renderer.
Shaders *renderer_shaders(const Renderer *renderer);

/// The program of the overlay, with attributes position (2), colour at ATTRIBUTE_COLOR and texture coordinates, both in
/// pixels; slot 0 holds 2 / width, -2 / height of the screen and 1 / width, 1 / height of the texture. A mask is a texture
/// of alpha alone.
GpuProgram *shaders_get_overlay(Shaders *shaders, bool is_mask, Error *error);

#endif
