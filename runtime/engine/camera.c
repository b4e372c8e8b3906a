#include "engine/camera.h"

CameraLens camera_lens(const DrawCamera *camera, int width, int height) {
  CameraLens lens = {.eye = camera->world.origin, .is_parallel = camera->kind == CAMERA_PARALLEL};
  lens.back = vec3_normalize_or(camera->world.z, vec3(0, 0, 1));
  lens.right = vec3_normalize_or(vec3_cross(camera->world.y, lens.back), vec3(1, 0, 0));
  lens.up = vec3_cross(lens.back, lens.right);
  float aspect = height > 0 ? (float)width / (float)height : 1;
  if (lens.is_parallel) {
    lens.scale_y = 2.0f / (camera->size > 0 ? camera->size : 1);
  } else {
    // Kept away from 0 and from a half turn, where the picture has no size.
    double half = clampf(camera->fov, 1e-3f, 3.14f) * 0.5;
    lens.scale_y = (float)(vmath_cos(half) / vmath_sin(half));
  }
  lens.scale_x = lens.scale_y / (aspect > 0 ? aspect : 1);
  lens.near_plane = lens.is_parallel || camera->near_plane > 0 ? camera->near_plane : 0.01f;
  lens.far_plane = camera->far_plane > lens.near_plane ? camera->far_plane : lens.near_plane + 1;
  return lens;
}

static void set_row(float row[4], Vec3 axis, float offset) {
  row[0] = axis.x;
  row[1] = axis.y;
  row[2] = axis.z;
  row[3] = offset;
}

void camera_clip_rows(const CameraLens *lens, float rows[4][4]) {
  float near = lens->near_plane, far = lens->far_plane;
  Vec3 right = vec3_scale(lens->right, lens->scale_x), up = vec3_scale(lens->up, lens->scale_y);
  set_row(rows[0], right, -vec3_dot(right, lens->eye));
  set_row(rows[1], up, -vec3_dot(up, lens->eye));
  // Depth in front of the eye is -back; near becomes -1 and far 1 (OpenGL ES 2.0, section 2.12).
  float scale = lens->is_parallel ? 2 / (far - near) : (far + near) / (far - near);
  float offset = lens->is_parallel ? -(far + near) / (far - near) : -2 * far * near / (far - near);
  Vec3 depth = vec3_negate(lens->back);
  float depth_offset = -vec3_dot(depth, lens->eye);
  set_row(rows[2], vec3_scale(depth, scale), depth_offset * scale + offset);
  if (lens->is_parallel) {
    set_row(rows[3], vec3(0, 0, 0), 1);
  } else {
    set_row(rows[3], depth, depth_offset);
  }
}

void camera_ray(const DrawCamera *camera, int width, int height, float x, float y, Vec3 *origin, Vec3 *direction) {
  CameraLens lens = camera_lens(camera, width, height);
  float across = (2 * x / (float)width - 1) / lens.scale_x, upwards = (1 - 2 * y / (float)height) / lens.scale_y;
  Vec3 offset = vec3_add(vec3_scale(lens.right, across), vec3_scale(lens.up, upwards));
  Vec3 forward = vec3_negate(lens.back);
  *origin = lens.is_parallel ? vec3_add(lens.eye, offset) : lens.eye;
  *direction = lens.is_parallel ? forward : vec3_normalize_or(vec3_add(forward, offset), forward);
}

bool camera_project(const DrawCamera *camera, int width, int height, Vec3 point, float *x, float *y) {
  CameraLens lens = camera_lens(camera, width, height);
  Vec3 ray = vec3_sub(point, lens.eye);
  float depth = -vec3_dot(ray, lens.back);
  // A point behind the eye is shown on the side it is on, not mirrored.
  float shrink = lens.is_parallel ? 1 : 1 / (fabsf(depth) > 1e-6f ? fabsf(depth) : 1e-6f);
  *x = (vec3_dot(ray, lens.right) * lens.scale_x * shrink + 1) * 0.5f * (float)width;
  *y = (1 - vec3_dot(ray, lens.up) * lens.scale_y * shrink) * 0.5f * (float)height;
  return depth > 0;
}
