#ifndef PALFREY_LOADERS_OBJ_MESH_H
#define PALFREY_LOADERS_OBJ_MESH_H
// From faces that name their positions, texture coordinates and normals apart to meshes as a GPU takes them: faces are
// triangulated, equal corners joined, missing normals made. Faces arrive in the order of the file and each belongs to a
// part (which becomes a mesh) and a material (which becomes a submesh of it).
#include "loaders/model.h"
#include "loaders/names.h"
#include "loaders/triangulate.h"

typedef struct ObjPosition {
  float x, y, z;
  uint32_t first_corner;  ///< of the chain of joined corners here: number + 1, or 0
} ObjPosition;

typedef struct ObjUv {
  float u, v;
} ObjUv;

typedef struct ObjColor {
  uint8_t r, g, b, a;
} ObjColor;

/// A corner of a face, counted from 0; uv and normal are -1 where there is none.
typedef struct ObjCorner {
  int position, uv, normal;
} ObjCorner;

/// A corner that several faces may share. Negative normals are made here: of a flat face, or of a smoothing group.
typedef struct ObjJoined {
  int position, uv, normal;
  uint32_t next;  ///< number + 1 of the next one at this position; when the meshes are made, where it went
} ObjJoined;

/// The normal of a smoothing group around one position.
typedef struct ObjNormal {
  Vec3 sum;
  uint32_t group;
  int next;  ///< number + 1 of the next one at this position
} ObjNormal;

/// Triangles in a row with the same part and material.
typedef struct ObjRun {
  int bucket;
  uint32_t first_index;
} ObjRun;

typedef struct ObjMeshes {
  Memory *memory;
  ARRAY(ObjPosition) positions;
  ARRAY(ObjUv) uvs;
  ARRAY(Vec3) normals;
  bool has_zero_normals;
  ARRAY(ObjColor) colors;  ///< none, or one a position
  ARRAY(ObjJoined) corners;
  ARRAY(uint32_t) indices;  ///< of corners
  ARRAY(ObjRun) runs;
  ARRAY(ObjNormal) smooth_normals;
  int flat_face_count;
  int *first_smooth;  ///< one a position, once there are smoothing groups: number + 1 in smooth_normals
  int first_smooth_count;
  IdMap buckets;  ///< a part with a material: keys are part << 32 | material
  Triangulator triangulator;
  // Of the face at hand.
  ARRAY(Vec3) points;
  ARRAY(uint32_t) joined;
} ObjMeshes;

/// Adds a face of three or more corners, whose numbers must be in range. False without memory.
bool obj_meshes_add_face(ObjMeshes *meshes, ObjCorner *corners, int count, int part, int material,
                         uint32_t smoothing_group);

/// Makes the model's meshes and submeshes. The model's nodes are the parts: those with faces get a mesh of their name.
/// Uses up what it needs of `meshes`. False without memory.
bool obj_meshes_finish(ObjMeshes *meshes, Model *model);

void obj_meshes_free(ObjMeshes *meshes);

#endif
