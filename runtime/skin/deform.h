#ifndef PALFREY_SKIN_DEFORM_H
#define PALFREY_SKIN_DEFORM_H
// Shapes that follow weights: morph targets, which add to each vertex, and joints, which carry it. Positions and normals are
// 3 floats a vertex; source and result may be the same array.
#include <stdint.h>

#include "vmath.h"

/// result += weight * deltas. A weight of 0 costs nothing.
void deform_add_target(const float *deltas, float weight, int vertex_count, float *result);

/// What each vertex hangs on: 4 joints and their weights, which sum up to 1.
typedef struct JointWeights {
  const uint16_t *joints;
  const float *weights;
  int vertex_count;
} JointWeights;

/// Linear blend skinning (J. P. Lewis et al., "Pose Space Deformation", 2000): each vertex by the weighted sum of its joints'
/// transforms, which lead from the mesh at the bind pose to the pose. Normals keep their direction, not their length, and
/// may be NULL.
void deform_by_joints(const JointWeights *weights, const Affine *joints, float *positions, float *normals);

/// The box of the vertices that each joint has any weight of, `joint_count` of them; empty for none. Joints from there on
/// are left out.
void deform_joint_bounds(const JointWeights *weights, const float *positions, int joint_count, Bounds *bounds);

#endif
