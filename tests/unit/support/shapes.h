#ifndef TESTS_SHAPES_H
#define TESTS_SHAPES_H
// Small models made by hand, and the scene around them.
#include "engine/render.h"

typedef struct ShapeDesc {
  int vertex_count, index_count;
  const float *positions, *normals, *uvs;  ///< normals and uvs may be NULL
  const uint8_t *colors;                   ///< or NULL
  const uint32_t *indices;
  ModelMaterial material;
} ShapeDesc;

/// A model of one mesh with one material. Free it with model_free.
Model *shape_mesh(Memory *memory, const ShapeDesc *desc);

/// A square from (-1, -1, 0) to (1, 1, 0) that faces +Z, the top of its texture upwards.
Model *shape_square(Memory *memory, ModelMaterial material);

/// A height field over (-1, 0, -1) to (1, 0, 1) of count x count vertices, bent like waves of the given height.
Model *shape_waves(Memory *memory, int count, float height, ModelMaterial material);

/// A ball around the origin of about the given radius as packed frames: each frame is a bit flatter than the one before.
Model *shape_packed_ball(Memory *memory, int rings, int frame_count, float radius);

/// Plain white under light, or as it is.
ModelMaterial shape_material(float r, float g, float b);
ModelMaterial shape_unlit(float r, float g, float b);

/// A scene without anything: black, ambient 0, a camera at (0, 0, 5) that looks at the origin, with a picture 4 high for
/// a parallel one.
DrawScene shape_scene(CameraKind camera);

/// An item at a place, its bounds taken from the mesh.
DrawItem shape_item(GpuModel *gpu_model, const Model *model, Affine world, uint32_t id);
Affine shape_at(float x, float y, float z);

/// An image of width x height pixels; `pixels` are 0xRRGGBBAA. Its pixels come from malloc: free them.
Image shape_image(int width, int height, const uint32_t *pixels);

#endif
