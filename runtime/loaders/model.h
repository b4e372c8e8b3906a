#ifndef PALFREY_LOADERS_MODEL_H
#define PALFREY_LOADERS_MODEL_H
// The one form every model file is loaded into: flat arrays and indexes in one arena, immutable once validated.
// Indexes are -1 where there is nothing. Positions are in engine axes (+Y up, -Z forward) and in the file's units, except
// packed vertex frames, which stay as in the file. Colours are display-space numbers 0..1. Times are seconds, angles
// radians. All counts of vertices are those of the GPU: corners that share position, normal and texture coordinates.
#include "error.h"
#include "memory.h"
#include "skin/track.h"
#include "skin/vertex_frames.h"
#include "vmath.h"

enum {
  MODEL_MAX_VERTICES = 4 * 1024 * 1024,  ///< of one mesh
  MODEL_MAX_TRIANGLES = 8 * 1024 * 1024,
  MODEL_MAX_NODES = 65536,
  MODEL_MAX_FRAMES = 4096,
  MODEL_MAX_DEPTH = 256,  ///< of the node hierarchy
  MODEL_MAX_WARNINGS = 64,
};

typedef struct Color {
  float r, g, b, a;
} Color;

typedef enum BlendMode {
  BLEND_REPLACE = 0,
  BLEND_ALPHA,
  BLEND_ADD,
  BLEND_MODULATE,
  BLEND_MODULATE_X2,
} BlendMode;

typedef enum TextureBlend {
  TEXTURE_MODULATE = 0,
  TEXTURE_REPLACE,
  TEXTURE_DECAL,
  TEXTURE_ADD,
  TEXTURE_BLEND,
} TextureBlend;

typedef enum TextureWrap { WRAP_REPEAT = 0, WRAP_CLAMP, WRAP_MIRROR } TextureWrap;

typedef enum TextureFilter { FILTER_SMOOTH = 0, FILTER_NEAREST } TextureFilter;

typedef enum CullMode { CULL_BACK = 0, CULL_FRONT, CULL_NONE } CullMode;

/// A texture on a material. The texture transform is u' = (uv_x, uv_y, uv_offset) as the columns of a 2x3 matrix.
typedef struct ModelTextureStage {
  int image;
  TextureBlend blend;
  Color blend_color;
  TextureWrap wrap_u, wrap_v;
  TextureFilter filter;
  bool has_mipmaps;
  float uv_x[2], uv_y[2], uv_offset[2];
} ModelTextureStage;

typedef struct ModelMaterial {
  const char *name;
  Color ambient, diffuse, specular, emissive;  ///< diffuse.a is the opacity
  float shininess;                             ///< Blinn-Phong exponent
  bool is_unlit, tracks_vertex_color;
  bool ignores_ambient;  ///< drawn as if `ambient` were 0 (faces of 3DS files that have no material)
  ModelTextureStage stages[2];
  // Compositing and polygon mode.
  BlendMode blend;
  float alpha_threshold;  ///< pixels with less alpha are dropped; 0 keeps all
  bool no_depth_test, no_depth_write, no_color_write, no_alpha_write;
  float depth_offset_factor, depth_offset_units;
  CullMode cull;
  bool winds_clockwise, is_two_sided_lit, is_flat, is_wire;
  int layer;
} ModelMaterial;

typedef struct ModelImage {
  const char *name;  ///< as the model writes it, "/" between parts; NULL when embedded
  const char *path;  ///< where it is meant to lie below the model's folder; NULL where that is the name
  Bytes embedded;    ///< the bytes of an image file inside the model
} ModelImage;

/// A run of triangles of a mesh with one material.
typedef struct ModelSubmesh {
  int material;
  int first_index, index_count;  ///< into the mesh's indices
} ModelSubmesh;

/// What a morph target adds to each vertex of its mesh: 3 floats each, normals may be NULL.
typedef struct ModelMorphTarget {
  const char *name;
  const float *positions, *normals;
  float default_weight;
} ModelMorphTarget;

/// A node of a collision tree. A leaf has `count` triangles from `first` in the order; an inner node has `count` 0 and its
/// children at `first` and `first + 1`, behind itself.
typedef struct ModelTreeNode {
  Bounds bounds;
  int32_t first, count;
} ModelTreeNode;

/// A bounding volume hierarchy over the triangles of a mesh, made ahead; node_count 0 for none.
typedef struct ModelTree {
  const ModelTreeNode *nodes;
  const int32_t *order;  ///< numbers of triangles, so that those of a leaf lie together
  int node_count, order_count;
} ModelTree;

enum { MODEL_TREE_MAX_DEPTH = 80 };

/// Either `positions` or `frames` gives the shape. With frames, `corner_vertices` tells which packed vertex each of the
/// vertex_count corners shows.
typedef struct ModelMesh {
  const char *name;
  int vertex_count;
  const float *positions;   ///< 3 a vertex
  const float *normals;     ///< 3 a vertex or NULL
  const float *uvs;         ///< 2 a vertex, v downwards from the top of the picture, or NULL
  const uint8_t *colors;    ///< 4 a vertex or NULL
  const uint16_t *joints;   ///< 4 a vertex, into the joints of the node's skin, or NULL
  const float *weights;     ///< 4 a vertex, their sum 1, or NULL
  const uint32_t *indices;  ///< 3 a triangle, counter-clockwise from outside
  int index_count;
  int first_submesh, submesh_count;
  int first_morph_target, morph_target_count;
  VertexFrames frames;              ///< frame_count 0 for a mesh with positions
  const uint16_t *corner_vertices;  ///< vertex_count entries, or NULL
  Bounds bounds;                    ///< of the positions, or of all frames
  ModelTree tree;                   ///< of a mesh with positions, where the file has one
} ModelMesh;

typedef enum NodeAlignment { ALIGN_NONE = 0, ALIGN_BILLBOARD, ALIGN_BILLBOARD_Y } NodeAlignment;

typedef struct ModelNode {
  const char *name;
  int parent;  ///< always before its children
  int mesh, skin, light, camera;
  Vec3 translation;
  Quat rotation;
  Vec3 scale;
  bool has_matrix;
  Affine matrix;    ///< after translation, rotation and scale, when has_matrix
  Affine geometry;  ///< from the mesh into the node (3DS pivots and object frames)
  bool is_hidden, is_unpickable;
  float alpha;
  const float *morph_weights;  ///< one a morph target of the mesh, in place of the targets' own; or NULL
  uint32_t scope;              ///< as a mask (JSR-184)
  uint32_t user_id;            ///< as in the file (JSR-184)
  NodeAlignment alignment;
} ModelNode;

typedef struct ModelSkin {
  const char *name;
  int joint_count;
  const int *joints;           ///< nodes
  const Affine *inverse_bind;  ///< one a joint: from the mesh into the joint at the bind pose
  int root;                    ///< node or -1
} ModelSkin;

/// What a track moves.
typedef struct ModelTrack {
  int target;  ///< node; or material, for TRACK_COLOR, TRACK_ALPHA and TRACK_UV_OFFSET
  bool is_material;
  Track keys;
} ModelTrack;

typedef enum ClipKind { CLIP_VERTEX = 0, CLIP_NODE, CLIP_SKELETAL, CLIP_MORPH } ClipKind;

/// A named stretch of animation: frames of the packed vertex frames, or tracks.
typedef struct ModelClip {
  const char *name;
  ClipKind kind;
  int first_frame, frame_count;  ///< vertex clips, counted in the loaded frames
  int first_track, track_count;
  float start, end;  ///< seconds
  float fps;         ///< frames a second, for vertex clips and for counting markers
} ModelClip;

typedef enum LightKind { LIGHT_AMBIENT = 0, LIGHT_DIRECTIONAL, LIGHT_POINT, LIGHT_SPOT } LightKind;

/// Lights shine along -Z of their node.
typedef struct ModelLight {
  LightKind kind;
  Color color;
  float intensity;
  float range;                     ///< metres; 0 is endless
  float attenuation[3];            ///< 1 / (a + b d + c d^2)
  float inner_angle, outer_angle;  ///< half angles of a spot's cone
  float exponent;                  ///< of a spot
  int target;                      ///< node a spot shines at, or -1
} ModelLight;

typedef enum CameraKind { CAMERA_PERSPECTIVE = 0, CAMERA_PARALLEL, CAMERA_GENERIC } CameraKind;

/// Cameras look along -Z of their node.
typedef struct ModelCamera {
  CameraKind kind;
  float fov;   ///< vertical, perspective
  float size;  ///< full height, parallel
  float near_plane, far_plane, aspect;
  float roll;
  int target;            ///< node the camera looks at, or -1
  float projection[16];  ///< generic, column-major
} ModelCamera;

/// A mesh drawn in place of another one from a distance on.
typedef struct ModelLod {
  int mesh, replacement;
  float distance;  ///< how far away, in heights of the mesh
  float error;     ///< largest deviation in model units
} ModelLod;

typedef enum FogMode { FOG_NONE = 0, FOG_LINEAR, FOG_EXPONENTIAL } FogMode;

typedef struct ModelFog {
  FogMode mode;
  Color color;
  float near_distance, far_distance, density;
} ModelFog;

/// A file the loader asked for besides the model's own.
typedef struct ModelCompanion {
  const char *path;  ///< below the model's folder; there may be no such file
  uint64_t hash;     ///< of its content, see hash_bytes; 0 where nothing was read
  bool is_missing;
  const struct ModelCompanion *next;
} ModelCompanion;

typedef struct Model {
  Arena arena;
  const char *format;         ///< "md2", "obj", ...
  const char *source_format;  ///< of the file that an MBJ file was made of; else the same as `format`
  const ModelCompanion *companions;
  ModelMesh *meshes;
  ModelSubmesh *submeshes;
  ModelMorphTarget *morph_targets;
  ModelMaterial *materials;
  ModelImage *images;
  const char **skins;  ///< file names of skins, as written in the model
  ModelNode *nodes;
  ModelSkin *node_skins;
  ModelClip *clips;
  ModelTrack *tracks;
  ModelLight *lights;
  ModelCamera *cameras;
  ModelLod *lods;
  const char **warnings;
  int mesh_count, submesh_count, morph_target_count, material_count, image_count, skin_count, node_count,
      node_skin_count, clip_count, track_count, light_count, camera_count, lod_count, warning_count;
  ModelFog fog;
  bool has_ambient, has_background;
  Color ambient, background;
  int active_camera;  ///< of the cameras, or -1
  // What the file itself holds, for `palfrey info`: 0 where the format has no such thing.
  int source_vertices, source_uvs, source_skin_width, source_skin_height, source_glcmds_triangles;
} Model;

/// The material of a file that names none: white, ambient and diffuse 1, no highlight.
ModelMaterial model_default_material(void);

/// Where an image that is not embedded is meant to lie below the model's folder.
const char *model_image_path(const ModelImage *image);

/// A node at the origin with nothing in it.
ModelNode model_default_node(const char *name);

/// Adds a warning once (a second one with the same text is dropped, and so is everything past MODEL_MAX_WARNINGS). One that
/// starts with "note:" is harmless, and only `palfrey info` tells it.
void model_warn(Model *model, const char *format, ...) PRINTF_LIKE(2, 3);

/// Notes once that a file was asked for, and what came of it (NULL: it is missing). For want of memory it is not noted.
void model_add_companion(Model *model, const char *path, const Bytes *content);

/// Checks every index, count, range and number of a loaded model in one linear pass and fills the bounds. Every loader's
/// result goes through here before anything else uses it. `path` starts the error's text.
bool model_validate(Model *model, const char *path, Error *error);

/// The clip of that name, or -1.
int model_find_clip(const Model *model, const char *name);

/// Bytes the model holds on the CPU, the struct itself included.
size_t model_resident_bytes(const Model *model);

/// Frees a model made by model_load. NULL is allowed.
void model_free(Model *model);

#endif
