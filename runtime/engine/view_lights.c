#include "engine/view.h"

// Whether the ball around the box lies outside of a spot's cone.
static bool is_outside_cone(const DrawLight *light, Vec3 center, float radius) {
  Vec3 way = vec3_sub(center, light->position);
  float along = vec3_dot(way, light->direction);
  float across = sqrtf(fmaxf(0, vec3_length_squared(way) - along * along));
  float cosine = light->cos_outer, sine = sqrtf(fmaxf(0, 1 - cosine * cosine));
  return across * cosine - along * sine > radius;
}

float view_light_strength(const DrawLight *light, Bounds bounds) {
  float strength = fmaxf(light->color.r, fmaxf(light->color.g, light->color.b));
  if (light->kind == LIGHT_AMBIENT || !(strength > 0)) return 0;
  if (light->kind == LIGHT_DIRECTIONAL) return strength;
  Vec3 nearest = vec3_max(bounds.min, vec3_min(bounds.max, light->position));
  if (light->kind == LIGHT_SPOT && is_outside_cone(light, bounds_center(bounds), vec3_length(bounds_half_size(bounds))))
    return 0;
  if (light->range <= 0) return strength;
  float reach = vec3_distance(nearest, light->position) / light->range;
  float fade = fmaxf(0, 1 - reach * reach);
  return strength * fade * fade;
}

void view_choose_lights(const DrawScene *scene, Bounds bounds, VisibleItem *item) {
  float strengths[RENDER_LIGHTS_PER_ITEM];
  int count = 0;
  for (int i = 0; i < scene->light_count; i++) {
    float strength = view_light_strength(&scene->lights[i], bounds);
    if (!(strength > 0) || (count == RENDER_LIGHTS_PER_ITEM && strength <= strengths[count - 1])) continue;
    // Insertion by falling strength; the weakest drops out.
    int place = count < RENDER_LIGHTS_PER_ITEM ? count++ : count - 1;
    for (; place > 0 && strengths[place - 1] < strength; place--) {
      strengths[place] = strengths[place - 1];
      item->lights[place] = item->lights[place - 1];
    }
    strengths[place] = strength;
    item->lights[place] = (uint16_t)i;
  }
  item->light_count = (uint8_t)count;
  // In the scene's order, so that neighbours give the device the same lights in the same places.
  for (int i = 1; i < count; i++) {
    for (int k = i; k > 0 && item->lights[k - 1] > item->lights[k]; k--) {
      uint16_t light = item->lights[k];
      item->lights[k] = item->lights[k - 1];
      item->lights[k - 1] = light;
    }
  }
  item->has_local_lights = false;
  for (int i = 0; i < count; i++)
    item->has_local_lights = item->has_local_lights || scene->lights[item->lights[i]].kind != LIGHT_DIRECTIONAL;
}
