#ifndef PALFREY_ENGINE_FRUSTUM_H
#define PALFREY_ENGINE_FRUSTUM_H
// The planes around what a camera sees. In plain floats, because frustum.c is the one file that includes cglm, whose names
// (vec3) are also those of vmath.

/// From the rows of the matrix from the world to clip space: left, right, bottom, top, near, far as (normal, distance), the
/// normals of unit length and pointing inwards.
void frustum_find_planes(float clip_rows[4][4], float planes[6][4]);

#endif
