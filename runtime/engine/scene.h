#ifndef PALFREY_ENGINE_SCENE_H
#define PALFREY_ENGINE_SCENE_H
// The tree of nodes: names, places, parents. What a node is besides that (a model, a light, a character) is kept in dense
// arrays of the world, to which the node has an index. Nodes are named by handles; a pointer to one is valid until the
// next node is made. Transforms of the world are brought up to date once a step, in one pass over a flat list.
#include "error.h"
#include "pool.h"
#include "vmath.h"

typedef enum NodeKind {
  NODE_GROUP = 0,
  NODE_MODEL,
  NODE_LIGHT,
  NODE_CAMERA,
  NODE_PLAYER,
  NODE_NPC,
  NODE_KIND_COUNT,
} NodeKind;

/// Every node is on the layer of its kind; masks of queries are sets of these bits.
static inline uint32_t scene_layer(NodeKind kind) {
  return 1u << kind;
}

typedef struct Node {
  Handle handle;
  NodeKind kind;
  char *name;  ///< or NULL
  Handle parent, first_child, last_child, next_sibling, previous_sibling;
  Handle next_made, previous_made;  ///< all nodes in the order of their making

  // The place relative to the parent. The rotation is kept as it was given, so that reading it back and saving it lose
  // nothing: as a heading, else as axis and angle. `rotation` follows from it.
  Vec3 position, scale;
  bool has_heading;
  float heading;  ///< degrees
  Vec3 axis;
  float axis_angle;  ///< degrees
  Quat rotation;

  Affine world;           ///< as of the last pass
  Affine previous_world;  ///< of the pass before, for drawing in between
  bool is_new;            ///< not yet in a pass
  bool is_visible, is_pickable;
  bool is_part;    ///< came with the file of a model above it
  int part;        ///< which node of the file, when is_part; -1 once the file has it no more
  Handle part_of;  ///< the node that was given the model, when is_part
  uint32_t layers;

  // Indexes into the world's dense arrays, or -1.
  int model, light, camera, character;
} Node;

typedef struct Scene {
  Memory *memory;
  Pool pool;
  ARRAY(Node) nodes;        ///< by slot
  ARRAY(uint32_t) ordered;  ///< slots, parents before children
  bool is_order_stale;
  Handle first_made, last_made;
  int count, limit;
} Scene;

void scene_init(Scene *scene, Memory *memory, int limit);
void scene_free(Scene *scene);

/// Makes a node below `parent` ({0}: the world). The name is copied. The error names the limit.
bool scene_add(Scene *scene, NodeKind kind, const char *name, Handle parent, Handle *handle, Error *error);

/// Removes one node, which must have no children left.
void scene_remove(Scene *scene, Handle handle);

/// The living node of a handle, or NULL.
Node *scene_get(const Scene *scene, Handle handle);

bool scene_set_name(Scene *scene, Node *node, const char *name, Error *error);
void scene_set_heading(Node *node, float degrees);
void scene_set_rotation(Node *node, float degrees, Vec3 axis);
void scene_set_quat(Node *node, Quat rotation);

/// The heading in degrees: as it was set, else that of the rotation in -180..180.
float scene_get_heading(const Node *node);

/// Moves the node below another parent; its place in the world stays. False when `parent` is the node itself or below it.
bool scene_set_parent(Scene *scene, Handle handle, Handle parent, Error *error);

/// The transform as of now, from the places of the node and its parents.
Affine scene_current_world(const Scene *scene, const Node *node);
Affine scene_local_transform(const Node *node);

/// Brings all world transforms up to date. Allocates only after nodes were added.
bool scene_update(Scene *scene, Error *error);

/// The first node of that name in the order of making, or {0}.
Handle scene_find(const Scene *scene, const char *name);

/// Whether `ancestor` is the node or above it.
bool scene_is_within(const Scene *scene, Handle node, Handle ancestor);

/// The next node in depth-first order below `top`, starting with `top` itself for {0}; {0} at the end.
Handle scene_next_below(const Scene *scene, Handle top, Handle current);

#endif
