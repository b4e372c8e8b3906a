#ifndef PALFREY_LOADERS_GLTF_PRIMITIVE_H
#define PALFREY_LOADERS_GLTF_PRIMITIVE_H
// One primitive of a mesh, checked: which accessors its attributes are, and how many triangles it makes.
#include "loaders/gltf/gltf.h"

typedef enum Attribute {
  POSITION = 0,
  NORMAL,
  UV,
  COLOR,
  JOINTS,
  WEIGHTS,
  MORE_JOINTS,
  MORE_WEIGHTS,
  ATTRIBUTE_COUNT,
} Attribute;

typedef struct Primitive {
  int64_t mode;
  int material;
  int accessors[ATTRIBUTE_COUNT];  ///< -1 for what it lacks
  GltfAccessor attributes[ATTRIBUTE_COUNT], indices;
  bool has_indices;
  bool is_flat;    ///< without normals, so its corners are not shared
  bool is_shared;  ///< its vertices are those of the primitive before it
  const cJSON *targets;
  int target_count;
  const cJSON *next_target;        ///< the one that is read next
  int corner_count;                ///< of the triangles
  int first_vertex, vertex_count;  ///< of its own vertices, in the mesh
} Primitive;

static inline bool primitive_has(const Primitive *primitive, Attribute attribute) {
  return primitive->accessors[attribute] >= 0;
}

/// Reads the JSON and checks the accessors. Without corners where there is nothing to draw, which has been warned of.
/// `before` is the primitive before it in the mesh, or NULL.
bool primitive_read(Gltf *gltf, GltfPlace mesh, const cJSON *object, const Primitive *before, Primitive *primitive);

/// Which of the primitive's vertices, counted as in the file, each corner of its triangles shows: the caller's
/// (memory_free). NULL with the error set for an index out of range.
uint32_t *primitive_corners(Gltf *gltf, GltfPlace mesh, const Primitive *primitive);

/// The same for shared corners, as indices into the mesh: written to `indices`, where room for two more than the
/// corners is needed.
bool primitive_indices(Gltf *gltf, GltfPlace mesh, const Primitive *primitive, uint32_t *indices);

/// Points `indices` at those in the file, where the model can use them as they lie there, else at nothing.
bool primitive_indices_in_place(Gltf *gltf, GltfPlace mesh, const Primitive *primitive, const uint32_t **indices);

/// Checks what a morph target adds to an attribute ("POSITION" or "NORMAL"); `has_any` is false where it adds nothing.
bool primitive_target(Gltf *gltf, GltfPlace mesh, const Primitive *primitive, const cJSON *target, const char *key,
                      GltfAccessor *accessor, bool *has_any);

#endif
