#include "skin/deform.h"

#include <stddef.h>

void deform_add_target(const float *deltas, float weight, int vertex_count, float *result) {
  if (weight == 0) return;
  for (size_t i = 0; i < 3 * (size_t)vertex_count; i++)
    result[i] += weight * deltas[i];
}

static Vec3 get(const float *v) {
  return (Vec3){v[0], v[1], v[2]};
}

static void set(float *target, Vec3 v) {
  target[0] = v.x;
  target[1] = v.y;
  target[2] = v.z;
}

static Affine blend(const uint16_t *joints, const float *weights, const Affine *transforms) {
  Affine sum = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < 4; i++) {
    if (weights[i] == 0) continue;
    const Affine *joint = &transforms[joints[i]];
    sum.x = vec3_add_scaled(sum.x, joint->x, weights[i]);
    sum.y = vec3_add_scaled(sum.y, joint->y, weights[i]);
    sum.z = vec3_add_scaled(sum.z, joint->z, weights[i]);
    sum.origin = vec3_add_scaled(sum.origin, joint->origin, weights[i]);
  }
  return sum;
}

void deform_by_joints(const JointWeights *weights, const Affine *joints, float *positions, float *normals) {
  for (size_t i = 0; i < (size_t)weights->vertex_count; i++) {
    Affine transform = blend(weights->joints + 4 * i, weights->weights + 4 * i, joints);
    set(positions + 3 * i, affine_point(transform, get(positions + 3 * i)));
    if (normals) set(normals + 3 * i, affine_vector(transform, get(normals + 3 * i)));
  }
}

void deform_joint_bounds(const JointWeights *weights, const float *positions, int joint_count, Bounds *bounds) {
  for (int i = 0; i < joint_count; i++)
    bounds[i] = BOUNDS_EMPTY;
  for (size_t i = 0; i < 4 * (size_t)weights->vertex_count; i++) {
    int joint = weights->joints[i];
    if (weights->weights[i] != 0 && joint < joint_count)
      bounds[joint] = bounds_add_point(bounds[joint], get(positions + 3 * (i / 4)));
  }
}
