#include "engine/frustum.h"

#define CGLM_ALL_UNALIGNED
#include <cglm/cglm.h>

void frustum_find_planes(float clip_rows[4][4], float planes[6][4]) {
  mat4 columns;
  glm_mat4_transpose_to(clip_rows, columns);
  glm_frustum_planes(columns, planes);
}
