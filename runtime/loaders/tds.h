#ifndef PALFREY_LOADERS_TDS_H
#define PALFREY_LOADERS_TDS_H
// The inside of the 3DS loader: tds.c leads and reads the outer chunks, tds_material.c materials, tds_object.c meshes,
// lights and cameras, tds_keyframer.c nodes and their tracks; then tds_mesh.c makes meshes with normals by smoothing groups
// and tds_scene.c the tree of nodes and the clip. What is large stays in the file's bytes until then: only its place is
// noted.
//
// Everything is brought into engine axes as it is read: (x, y, z) becomes (x, z, -y).
#include "loaders/chunk.h"
#include "loaders/loader.h"
#include "loaders/material_list.h"
#include "loaders/names.h"

static inline Vec3 tds_to_engine(Vec3 v) {
  return vec3(v.x, v.z, -v.y);
}

/// A list in the file: where its items begin and how many there are.
typedef struct TdsSpan {
  size_t at;
  uint32_t count;
} TdsSpan;

/// Faces of a mesh with one material.
typedef struct TdsGroup {
  TextSlice name;
  TdsSpan faces;
} TdsGroup;

typedef struct TdsMesh {
  TextSlice name;
  size_t start;  ///< of its chunk, for messages
  TdsSpan vertices, uvs, faces, smoothing;
  int first_group, group_count;
  bool has_matrix;
  Affine matrix;  ///< object frame, in engine axes
  bool is_hidden;
  int node_count;  ///< that show it
} TdsMesh;

typedef struct TdsLight {
  TextSlice name;
  ModelLight light;
  Vec3 position, target;
  bool has_target, is_off;
  int node_count;
} TdsLight;

typedef struct TdsCamera {
  TextSlice name;
  ModelCamera camera;
  Vec3 position, target;
  int node_count;
} TdsCamera;

typedef enum TdsNodeKind {
  TDS_AMBIENT = 0xb001,
  TDS_OBJECT,
  TDS_CAMERA,
  TDS_CAMERA_TARGET,
  TDS_LIGHT,
  TDS_LIGHT_TARGET,
  TDS_SPOT,
} TdsNodeKind;

typedef enum TdsTrackKind {
  TDS_POSITION = 0,
  TDS_ROTATION,
  TDS_SCALE,
  TDS_FOV,
  TDS_ROLL,
  TDS_COLOR,
  TDS_HIDE,
  TDS_TRACK_COUNT,
} TdsTrackKind;

/// Keys in the file: each a frame (i32), flags (u16), a float for each of the five lowest flags, and the value.
typedef struct TdsTrack {
  TdsSpan keys;
  uint16_t flags;
} TdsTrack;

typedef struct TdsNode {
  TdsNodeKind kind;
  TextSlice name, instance;
  int id;  ///< as written, or -1
  uint16_t parent_id;
  int parent;  ///< of the nodes in the file's order, or -1
  Vec3 pivot;
  TdsTrack tracks[TDS_TRACK_COUNT];
} TdsNode;

typedef struct Tds {
  const LoadRequest *request;
  ChunkReader reader;
  Model *model;
  MaterialList list;
  NameTable material_names;  ///< ids are those of the materials
  ARRAY(TdsGroup) groups;
  ARRAY(TdsMesh) meshes;
  ARRAY(TdsLight) lights;
  ARRAY(TdsCamera) cameras;
  ARRAY(TdsNode) nodes;
  bool is_max_scene;  ///< the keyframer's name is the one that 3ds Max gives
  uint32_t segment_first, segment_last;
  int default_material;  ///< of faces without any, or -1
} Tds;

/// Warns of a chunk that nobody here knows, inside of "a mesh" or the like.
void tds_warn_unknown(Tds *tds, const Chunk *chunk, const char *parent);

/// A colour in any of its forms: sets the three parts; the display-space one wins over the linear one.
void tds_read_color(Tds *tds, Chunk *chunk, Color *color);

/// The readers of one chunk each. False without memory; errors of the file stay in the chunk reader.
bool tds_read_material(Tds *tds, Chunk *chunk);
bool tds_read_object(Tds *tds, Chunk *chunk);
bool tds_read_keyframer(Tds *tds, Chunk *chunk);

/// Gives the model its meshes, one for each of the file's. False with the error set.
bool tds_build_meshes(Tds *tds);

/// Gives the model its nodes, lights, cameras and the clip. False with the error set.
bool tds_build_scene(Tds *tds);

/// One node's track as the model's, values in engine axes; no keys where the file has none. False without memory.
bool tds_build_track(Tds *tds, const TdsNode *node, TdsTrackKind kind, Track *track);

#endif
