#ifndef PALFREY_ENGINE_RENDER_DRAW_H
#define PALFREY_ENGINE_RENDER_DRAW_H
// What the parts of the renderer's back end share: render.c walks the list and sets state, render_uniforms.c turns an item,
// its material and its lights into the vectors the shaders want, render_deform.c shapes meshes of joints and morph targets.
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
  // Meshes that change their shape, as this frame shows them: all in one buffer, in the order of the visible items.
  GpuBuffer *stream;
  ARRAY(MeshVertex) stream_vertices;
  ARRAY(int) stream_starts;  // one a visible item: its first vertex there, or -1
  ARRAY(float) deformed;     // scratch: positions, then normals
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
  GpuBuffer *vertices;  // of the chunk, from `first_vertex` on
  size_t first_vertex;
  const ModelMaterial *material;
  Texture *texture;  // NULL unless the program has one
  Affine place;      // from the mesh, for packed frames from the axes of the file, into the world
} Draw;

/// The vectors of a light as the source of the shader describes them.
LightVectors render_light_vectors(const DrawLight *light);

/// Sets all uniforms of the bound program for a draw.
void render_set_uniforms(const Draw *draw);

/// The uniforms of a line box.
void render_set_box_uniforms(Renderer *renderer, const DrawBox *box);

/// The pose of a draw, its frames among those there are.
FramePose render_pose(const Draw *draw);

/// Deforms what can be seen of meshes that change their shape and puts it into the stream.
bool render_stream_deformed(Renderer *renderer, const DrawScene *scene, Error *error);

#endif
