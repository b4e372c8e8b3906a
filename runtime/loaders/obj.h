#ifndef PALFREY_LOADERS_OBJ_H
#define PALFREY_LOADERS_OBJ_H
// The inside of the OBJ loader: obj.c leads, obj_read.c reads statements, obj_mesh.c makes meshes, obj_materials.c finds
// the materials.
#include "loaders/loader.h"
#include "loaders/obj_mesh.h"

typedef enum WarningKind {
  WARN_OF_NUMBER,
  WARN_OF_FACE,
  WARN_OF_CORNER,
  WARN_OF_STATEMENT,
  WARN_OF_ELEMENT,
  WARNING_KIND_COUNT,
} WarningKind;

/// How a statement ended.
typedef enum Outcome {
  OUTCOME_GOOD,
  OUTCOME_NO_MEMORY,
  OUTCOME_NEEDS_TOTALS,  ///< an index points ahead: only the second way of reading can tell whether it is right
  OUTCOME_TOO_MUCH,      ///< the error is set
} Outcome;

/// A node of the model: an object, a group in it, or what stands before both. Numbers of names, -1 for none.
typedef struct Part {
  int object, group;
} Part;

static inline uint64_t obj_part_key(Part part) {
  return (uint64_t)(part.object + 1) << 32 | (uint32_t)(part.group + 1);
}

static inline Part obj_part_of_key(uint64_t key) {
  return (Part){(int)(key >> 32) - 1, (int)(uint32_t)key - 1};
}

typedef struct Obj {
  const LoadRequest *request;
  Model *model;
  Error *error;
  Text text;
  ObjMeshes meshes;
  NameTable objects, groups, material_names, libraries;
  IdMap part_ids;            ///< keys are obj_part_key
  ARRAY(ObjCorner) corners;  ///< of the face at hand
  bool reads_vertices, reads_faces;
  // How many there were before the statement at hand; negative indexes count back from here.
  int position_count, uv_count, normal_count;
  // What faces get.
  int object, group, part, material;
  uint32_t smoothing_group;
  bool is_object_unused, is_group_unused;  ///< named, and without faces so far
  int face_count, dropped_count;
  int warning_counts[WARNING_KIND_COUNT];
  const char *statement;
  const char *after;  ///< up to where it has been read
  char first_problem[128];
  int first_problem_line;
} Obj;

/// Reads all statements of which obj->reads_vertices and obj->reads_faces tell. Faces go into obj->meshes, names into the
/// tables.
Outcome obj_read_statements(Obj *obj);

/// Adds a line on each kind of warning that there were too many of.
void obj_warn_of_the_rest(Obj *obj);

/// Reads the libraries, makes the model's materials and images of them and leads the submeshes there, which until then have
/// 0 for "none" and else the number of the name + 1. False without memory.
bool obj_add_materials(Obj *obj);

#endif
