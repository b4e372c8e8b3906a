#ifndef PALFREY_ENGINE_CAMERA_H
#define PALFREY_ENGINE_CAMERA_H
// The one place where a camera becomes numbers: drawing, picking and projecting all use these. Scale in the camera's place
// is ignored.
#include "engine/render.h"

typedef struct CameraLens {
  Vec3 eye, right, up, back;  ///< unit axes in the world
  float scale_x, scale_y;     ///< from the view plane (at distance 1, or anywhere for parallel ones) to -1..1
  float near_plane, far_plane;
  bool is_parallel;
} CameraLens;

CameraLens camera_lens(const DrawCamera *camera, int width, int height);

/// The rows of the matrix from the world to clip space.
void camera_clip_rows(const CameraLens *lens, float rows[4][4]);

#endif
