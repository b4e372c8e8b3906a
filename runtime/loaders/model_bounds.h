#ifndef PALFREY_LOADERS_MODEL_BOUNDS_H
#define PALFREY_LOADERS_MODEL_BOUNDS_H
// How large a model is.
#include "loaders/model.h"

/// The box of what a validated model shows at rest, in its root's space: the first frame, or each vertex where nodes, joints
/// and morph targets have it. Of meshes that very many nodes show, the boxes are taken in place of the vertices. Empty
/// without a mesh. False without memory.
bool model_rest_bounds(const Model *model, Memory *memory, Bounds *bounds);

#endif
