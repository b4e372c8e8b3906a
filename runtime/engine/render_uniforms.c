#include <string.h>

#include "engine/render_draw.h"

static void set_vector(float vector[4], Vec3 v, float w) {
  vector[0] = v.x;
  vector[1] = v.y;
  vector[2] = v.z;
  vector[3] = w;
}

static void set_color(float vector[4], Color color, float scale, float w) {
  set_vector(vector, vec3(color.r * scale, color.g * scale, color.b * scale), w);
}

LightVectors render_light_vectors(const DrawLight *light) {
  LightVectors result;
  bool is_directional = light->kind == LIGHT_DIRECTIONAL;
  set_vector(result.vectors, is_directional ? vec3_negate(light->direction) : light->position, is_directional ? 0 : 1);
  bool has_range = !is_directional && light->range > 0;
  set_color(result.vectors + 4, light->color, 1, has_range ? 1 / (light->range * light->range) : 0);
  set_vector(result.vectors + 8, vec3(0, 0, 0), 1);
  if (light->kind == LIGHT_SPOT) {
    // (cosine - cos_outer) / (cos_inner - cos_outer) as slope and offset; the ray runs against the axis.
    float slope = 1 / fmaxf(light->cos_inner - light->cos_outer, 1e-4f);
    set_vector(result.vectors + 8, vec3_scale(light->direction, slope), -light->cos_outer * slope);
  }
  return result;
}

// The rows of `rows` after the transform `place`.
static void rows_after(float rows[][4], int count, Affine place, float (*result)[4]) {
  for (int i = 0; i < count; i++) {
    Vec3 row = vec3(rows[i][0], rows[i][1], rows[i][2]);
    set_vector(result[i], vec3(vec3_dot(row, place.x), vec3_dot(row, place.y), vec3_dot(row, place.z)),
               vec3_dot(row, place.origin) + rows[i][3]);
  }
}

static void set_place(const Draw *draw) {
  Gpu *gpu = draw->renderer->gpu;
  Affine m = draw->place;
  float clip[4][4];
  rows_after(draw->renderer->view.clip, 4, m, clip);
  gpu_program_set(gpu, UNIFORM_CLIP, clip[0], 4);
  if (draw->command->features >> SHADER_LIGHT_SHIFT == 0) return;
  const float world[12] = {m.x.x, m.y.x,      m.z.x, m.origin.x, m.x.y, m.y.y,
                           m.z.y, m.origin.y, m.x.z, m.y.z,      m.z.z, m.origin.z};
  gpu_program_set(gpu, UNIFORM_WORLD, world, 3);
  // Normals go by the cofactors, which are the inverse transpose times the determinant; its sign is put right.
  Vec3 yz = vec3_cross(m.y, m.z), zx = vec3_cross(m.z, m.x), xy = vec3_cross(m.x, m.y);
  float sign = vec3_dot(m.x, yz) < 0 ? -1.0f : 1.0f;
  float normal[3][4];
  set_vector(normal[0], vec3_scale(vec3(yz.x, zx.x, xy.x), sign), 0);
  set_vector(normal[1], vec3_scale(vec3(yz.y, zx.y, xy.y), sign), 0);
  set_vector(normal[2], vec3_scale(vec3(yz.z, zx.z, xy.z), sign), 0);
  gpu_program_set(gpu, UNIFORM_NORMAL, normal[0], 3);
}

FramePose render_pose(const Draw *draw) {
  int last = draw->item->model->meshes[draw->item->mesh].mesh->frames.frame_count - 1;
  FramePose pose = draw->item->pose;
  pose.frame_a = pose.frame_a < 0 ? 0 : pose.frame_a > last ? last : pose.frame_a;
  pose.frame_b = pose.frame_b < 0 ? 0 : pose.frame_b > last ? last : pose.frame_b;
  return pose;
}

static void set_frames(const Draw *draw) {
  const VertexFrames *frames = &draw->item->model->meshes[draw->item->mesh].mesh->frames;
  FramePose pose = render_pose(draw);
  FrameTransform a = vertex_frames_transform(frames, pose.frame_a), b = vertex_frames_transform(frames, pose.frame_b);
  float vectors[3][4];
  set_vector(vectors[0], vec3_scale(a.scale, 1 - pose.mix), 0);
  set_vector(vectors[1], vec3_scale(b.scale, pose.mix), 0);
  set_vector(vectors[2], vec3_add(vec3_scale(a.translation, 1 - pose.mix), vec3_scale(b.translation, pose.mix)),
             pose.mix);
  gpu_program_set(draw->renderer->gpu, UNIFORM_FRAMES, vectors[0], 3);
}

static void set_lights(const Draw *draw) {
  Renderer *renderer = draw->renderer;
  Vec3 back = renderer->view.lens.back;
  float vectors[RENDER_LIGHTS_PER_ITEM * LIGHT_FLOATS];
  int count = (int)(draw->command->features >> SHADER_LIGHT_SHIFT);
  if (count == 0) return;
  if (draw->scene->mode == VIEW_FLAT) {
    set_vector(vectors, back, 0);
    set_vector(vectors + 4, vec3(0.7f, 0.7f, 0.7f), 0);
    set_vector(vectors + 8, vec3(0, 0, 0), 1);
  } else {
    for (int i = 0; i < count; i++)
      memcpy(vectors + i * LIGHT_FLOATS, renderer->lights.items[draw->visible->lights[i]].vectors,
             sizeof(LightVectors));
  }
  gpu_program_set(renderer->gpu, UNIFORM_LIGHTS, vectors, 3 * count);
  Vec3 eye = renderer->view.lens.eye;
  gpu_program_set(renderer->gpu, UNIFORM_EYE, (float[4]){eye.x, eye.y, eye.z, 1}, 1);
}

static void set_material(const Draw *draw) {
  const ModelMaterial *material = draw->material;
  Color ambient = draw->scene->ambient, diffuse = material->diffuse;
  float vectors[4][4];
  memset(vectors, 0, sizeof vectors);
  if (material->ignores_ambient) ambient = (Color){0, 0, 0, 1};
  if (draw->scene->mode == VIEW_TEXTURED) {
    set_color(vectors[0], material->emissive, 1, 0);
    set_vector(vectors[1],
               vec3(material->ambient.r * ambient.r, material->ambient.g * ambient.g, material->ambient.b * ambient.b),
               0);
    set_color(vectors[2], diffuse, 1, diffuse.a);
    set_color(vectors[3], material->specular, 1, fmaxf(material->shininess, 1e-3f));
  } else if (draw->scene->mode == VIEW_SHADED) {
    set_color(vectors[1], ambient, 1, 0);
    set_vector(vectors[2], vec3(1, 1, 1), 1);
  } else if (draw->scene->mode == VIEW_FLAT) {
    // What the light at the camera leaves dark keeps three tenths.
    set_color(vectors[1], diffuse, 0.3f, 0);
    set_color(vectors[2], diffuse, 1, 1);
  } else {
    const Texture *texture = view_texture(draw->item, draw->part->material);
    Color average = texture ? texture->average : (Color){1, 1, 1, 1};
    set_vector(vectors[2], vec3(diffuse.r * average.r, diffuse.g * average.g, diffuse.b * average.b), 1);
  }
  gpu_program_set(draw->renderer->gpu, UNIFORM_MATERIAL, vectors[0], 4);
}

// By how many whole turns of the texture a row can be lowered, so that the middle of the part comes near 0.
static float whole_turns(float middle, TextureWrap wrap) {
  if (wrap == WRAP_CLAMP || !isfinite(middle)) return 0;
  return wrap == WRAP_MIRROR ? 2 * floorf(middle * 0.5f + 0.5f) : floorf(middle + 0.5f);
}

static void set_uvs(const Draw *draw) {
  const ModelTextureStage *stage = &draw->material->stages[0];
  const TextureWrap wraps[2] = {stage->wrap_u, stage->wrap_v};
  float u = (draw->part->uv_low[0] + draw->part->uv_high[0]) * 0.5f;
  float v = (draw->part->uv_low[1] + draw->part->uv_high[1]) * 0.5f;
  float rows[2][4];
  for (int i = 0; i < 2; i++) {
    float offset = stage->uv_offset[i];
    float middle = stage->uv_x[i] * u + stage->uv_y[i] * v + offset;
    set_vector(rows[i], vec3(stage->uv_x[i], stage->uv_y[i], offset - whole_turns(middle, wraps[i])), 0);
  }
  gpu_program_set(draw->renderer->gpu, UNIFORM_UV, rows[0], 2);
}

// Fog as one row over points of the mesh: linear fog as the part of the colour that is left, exponential fog as a power
// of two. Both are linear in the distance along the view, so they hold all over a large triangle.
static void set_fog(const Draw *draw) {
  const ModelFog *fog = &draw->scene->fog;
  const CameraLens *lens = &draw->renderer->view.lens;
  Vec3 forward = vec3_negate(lens->back);
  float scale = fog->density * 1.44269504f, offset = 0;
  if (fog->mode == FOG_LINEAR) {
    float span = fmaxf(fog->far_distance - fog->near_distance, 1e-6f);
    scale = -1 / span;
    offset = fog->far_distance / span;
  }
  Vec3 row = vec3_scale(forward, scale);
  float world[1][4], mesh[1][4];
  set_vector(world[0], row, offset - vec3_dot(row, lens->eye));
  rows_after(world, 1, draw->place, mesh);
  gpu_program_set(draw->renderer->gpu, UNIFORM_FOG, mesh[0], 1);
}

static void set_surface(const Draw *draw) {
  const ModelMaterial *material = draw->material;
  float threshold = material->alpha_threshold > 0 ? material->alpha_threshold : 0.5f;
  // What only adds light fades to none, what only takes it away to white.
  Color color = draw->scene->fog.color;
  if (material->blend == BLEND_ADD) color = (Color){0, 0, 0, 0};
  if (material->blend == BLEND_MODULATE) color = (Color){1, 1, 1, 1};
  if (material->blend == BLEND_MODULATE_X2) color = (Color){0.5f, 0.5f, 0.5f, 1};
  gpu_program_set(draw->renderer->gpu, UNIFORM_SURFACE, (float[4]){color.r, color.g, color.b, threshold}, 1);
}

void render_set_uniforms(const Draw *draw) {
  set_place(draw);
  set_lights(draw);
  set_material(draw);
  set_surface(draw);
  if (draw->command->features & SHADER_FRAMES) set_frames(draw);
  if (draw->command->features & (SHADER_FOG_LINEAR | SHADER_FOG_EXPONENTIAL)) set_fog(draw);
  if (draw->texture) set_uvs(draw);
}

void render_set_box_uniforms(Renderer *renderer, const DrawBox *box) {
  Vec3 size = vec3_sub(box->bounds.max, box->bounds.min);
  Affine place = {{size.x, 0, 0}, {0, size.y, 0}, {0, 0, size.z}, box->bounds.min};
  float clip[4][4], material[4][4] = {{0}};
  rows_after(renderer->view.clip, 4, place, clip);
  set_color(material[2], box->color, 1, 1);
  gpu_program_set(renderer->gpu, UNIFORM_CLIP, clip[0], 4);
  gpu_program_set(renderer->gpu, UNIFORM_MATERIAL, material[0], 4);
}
