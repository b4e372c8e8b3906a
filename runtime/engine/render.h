#ifndef PALFREY_ENGINE_RENDER_H
#define PALFREY_ENGINE_RENDER_H
// Drawing in two ends: the world fills a DrawScene (what is there), the renderer culls it, sorts it by state and draws it
// with OpenGL ES 2.0. The renderer keeps nothing of a scene between frames, so drawing the same scene twice gives the same
// picture, and nothing it does can change the simulation.
//
// Lighting, at each vertex (J. Blinn, 1977): colour = emissive + ambient * world ambient + sum over the (at most 4) lights
// of light * attenuation * (diffuse * max(0, n.l) + specular * max(0, n.h)^shininess), h = normalize(l + v), the specular
// part only where n.l > 0. Point and spot lights fade with max(0, 1 - (d / range)^2)^2, spots also from cos_inner to
// cos_outer. Vertex colours multiply ambient and diffuse where the material tracks them, texture colours the sum without
// the specular part. Fog comes last, by the distance along the view. Nothing is clamped before the picture.
//
// The other views leave out textures, blending and fog: "shaded" is a white material under the scene's lights, "flat" the
// material's colour with one normal a triangle and a light at the camera instead of the scene's, "wire" lines in the
// material's colour (times the average of its texture).
#include "engine/gpu.h"
#include "loaders/image.h"
#include "loaders/model.h"

enum { RENDER_LIGHTS_PER_ITEM = 4 };

typedef struct Renderer Renderer;

/// The buffers of a model on the GPU. Vertex frames take 4 bytes a corner and frame, 8 bytes a corner for texture
/// coordinates and 2 bytes an index, however many instances show them. Buffers for flat and wire view are made at need.
typedef struct GpuModel GpuModel;

/// A texture, shared by all who draw with it.
typedef struct Texture Texture;

typedef enum ViewMode { VIEW_TEXTURED = 0, VIEW_SHADED, VIEW_FLAT, VIEW_WIRE } ViewMode;

typedef struct DrawCamera {
  Affine world;  ///< the camera's place, looking along -Z
  CameraKind kind;
  float fov;   ///< vertical, radians
  float size;  ///< full height of a parallel camera
  float near_plane, far_plane;
} DrawCamera;

typedef struct DrawLight {
  LightKind kind;
  Color color;     ///< times intensity
  Vec3 position;   ///< in the world
  Vec3 direction;  ///< unit, where the light travels
  float range;     ///< metres; 0 is endless
  float cos_inner, cos_outer;
} DrawLight;

/// One mesh at one place.
typedef struct DrawItem {
  GpuModel *model;  ///< gets what flat and wire views need when it is first drawn so
  int mesh;
  Affine world;
  Bounds bounds;         ///< in the world, of the pose; for culling
  FramePose pose;        ///< for vertex frames
  const Affine *joints;  ///< for a skinned mesh: from the mesh at the bind pose into the item's space; NULL for others
  const float *morph_weights;  ///< one a morph target of the mesh, or NULL
  Texture *const *textures;    ///< one a material of the model, entries may be NULL (no texture); NULL for none at all
  Texture *skin;               ///< replaces the texture of every material, or NULL
  uint32_t id;                 ///< breaks ties, so that the order of drawing is always the same
} DrawItem;

/// A line box for the debug overlay.
typedef struct DrawBox {
  Bounds bounds;
  Color color;
} DrawBox;

typedef struct DrawScene {
  DrawCamera camera;
  bool has_camera;
  Color background, ambient;
  ModelFog fog;
  ViewMode mode;
  const DrawLight *lights;
  const DrawItem *items;
  const DrawBox *boxes;
  int light_count, item_count, box_count;
} DrawScene;

typedef struct RenderStats {
  int draw_calls, triangles, items_drawn, items_culled, state_changes;
} RenderStats;

Renderer *renderer_create(Memory *memory, Gpu *gpu, Error *error);
/// Models and textures have been freed before.
void renderer_free(Renderer *renderer);

/// After gpu_restore: makes the renderer's own parts again. Models and textures are restored one by one.
bool renderer_restore(Renderer *renderer, Error *error);
Gpu *renderer_gpu(const Renderer *renderer);

/// Uploads a validated model, which must outlive the result.
GpuModel *renderer_upload_model(Renderer *renderer, const Model *model, Error *error);
bool renderer_restore_model(Renderer *renderer, GpuModel *model, Error *error);
void renderer_free_model(Renderer *renderer, GpuModel *model);
size_t gpu_model_bytes(const GpuModel *model);

/// Uploads an image with mipmaps, repeating; resizes sides that are not a power of two where the device asks for it.
Texture *renderer_upload_image(Renderer *renderer, const Image *image, Error *error);

/// Puts another image in place: whoever draws with the texture shows it from now on. On failure nothing changes.
bool renderer_replace_image(Renderer *renderer, Texture *texture, const Image *image, Error *error);

/// Puts a pattern in place that cannot be overlooked, for an image that is gone. The size it tells stays.
bool renderer_replace_missing(Renderer *renderer, Texture *texture, Error *error);
void renderer_free_texture(Renderer *renderer, Texture *texture);
size_t texture_bytes(const Texture *texture);
void texture_size(const Texture *texture, int *width, int *height);

/// Draws a scene over the whole of the current target, which is width x height pixels. `stats` is added to. Without a
/// camera there is only the background.
bool renderer_draw(Renderer *renderer, const DrawScene *scene, int width, int height, RenderStats *stats, Error *error);

// The camera's mathematics for scripts, with the same numbers as drawing, in vmath only. Pixels count from the top left,
// their centres at .5. camera_project tells whether the point is in front of the eye.
void camera_ray(const DrawCamera *camera, int width, int height, float x, float y, Vec3 *origin, Vec3 *direction);
bool camera_project(const DrawCamera *camera, int width, int height, Vec3 point, float *x, float *y);

#endif
