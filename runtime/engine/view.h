#ifndef PALFREY_ENGINE_VIEW_H
#define PALFREY_ENGINE_VIEW_H
// The front end of the renderer: from a scene to the sorted list of what is drawn. It makes no GPU call but for the buffers
// of the flat and wire views, which are made when they are first seen.
#include "array.h"
#include "engine/camera.h"
#include "engine/mesh.h"
#include "engine/texture.h"

/// One part of one item. Opaque parts come first, by program, texture and mesh, then front to back; blended ones follow
/// from back to front; what the keys leave open goes by id and part.
typedef struct DrawCommand {
  uint64_t key;
  uint32_t id;
  uint32_t features;  ///< of the program, see shaders.h
  int part;
  int visible;  ///< into the view's visible items
} DrawCommand;

/// What is known of an item that can be seen.
typedef struct VisibleItem {
  int item;                                 ///< into the scene's items
  float depth;                              ///< of the middle, metres in front of the eye
  uint16_t lights[RENDER_LIGHTS_PER_ITEM];  ///< into the scene's lights, ascending
  uint8_t light_count;
  bool has_local_lights;  ///< point or spot
} VisibleItem;

typedef struct View {
  Memory *memory;
  CameraLens lens;
  float clip[4][4];    ///< rows, from the world
  float planes[6][4];  ///< of the frustum, pointing inwards
  ARRAY(VisibleItem) visible;
  ARRAY(DrawCommand) commands, scratch;
  int culled_count;
} View;

/// Culls, chooses lights and sorts. Allocates only while the lists grow.
bool view_build(View *view, const DrawScene *scene, int width, int height, Error *error);
void view_free(View *view);

/// The material, the shape and the texture a part of an item is drawn with.
const ModelMaterial *view_material(const GpuModel *model, int material);
const GpuShape *view_shape(const DrawScene *scene, const DrawItem *item);
Texture *view_texture(const DrawItem *item, int material);

/// Whether a part is drawn over what is behind it.
bool view_is_blended(uint32_t features);

/// Whether a box reaches into the frustum, or comes near it.
bool view_sees(const View *view, Bounds bounds);

/// Chooses the lights that shine strongest on a box; of equals the first.
void view_choose_lights(const DrawScene *scene, Bounds bounds, VisibleItem *item);

/// How strongly a light shines on the nearest point of a box, 0 for not at all.
float view_light_strength(const DrawLight *light, Bounds bounds);

#endif
