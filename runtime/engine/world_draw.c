#include "engine/world.h"

static bool is_visible(const World *world, const Node *node) {
  for (; node; node = scene_get(&world->scene, node->parent)) {
    if (!node->is_visible) return false;
  }
  return true;
}

// Whom the picture is taken from the eyes of: that body is not drawn.
static Handle first_person(const World *world, Handle camera_node) {
  const CameraInstance *camera = world_camera(world, camera_node);
  return camera && camera->mode == CAMERA_FIRST ? camera->follow : (Handle){0};
}

// The item's joints are set when all are known: until then the array may move.
static bool add_joints(World *world, const ModelInstance *model, float alpha, Error *error) {
  int count = world_joint_count(world, model);
  if (!array_reserve(world->memory, &world->draw_joints, count)) return error_set_out_of_memory(error);
  if (count > 0)
    world->draw_joints.count += world_joint_transforms(world, model, (Moment){false, alpha},
                                                       world->draw_joints.items + world->draw_joints.count);
  return true;
}

static void set_joints(World *world) {
  const Affine *next = world->draw_joints.items;
  for (int i = 0; i < world->draw_items.count; i++) {
    DrawItem *item = &world->draw_items.items[i];
    int count = world_joint_count(world, world_model(world, pool_handle_at(&world->scene.pool, item->id)));
    item->joints = count > 0 ? next : NULL;
    next += count;
  }
}

static bool add_items(World *world, const WorldDraw *draw, Handle hidden, Error *error) {
  for (int i = 0; i < world->models.count; i++) {
    const ModelInstance *model = &world->models.items[i];
    const Node *node = scene_get(&world->scene, model->node);
    if (model->mesh < 0 || node->is_new || !is_visible(world, node)) continue;
    if (hidden.generation && scene_is_within(&world->scene, model->node, hidden)) continue;
    FramePose pose =
        model->host.generation || draw->alpha >= 1
            ? world_pose(world, model)
            : animation_drawn_pose(&model->animation, model->asset->model, draw->alpha, world->desc.step_seconds);
    DrawItem item = {
        .model = model->asset->gpu,
        .mesh = model->mesh,
        .world = world_shape_transform(world, model, (Moment){false, draw->alpha}),
        .bounds = model->bounds,
        .pose = pose,
        .morph_weights = model->morph_weights,
        .textures = model->asset->textures,
        .skin = model->skin ? model->skin->texture : NULL,
        .id = model->node.index,
    };
    if (!array_push(world->memory, &world->draw_items, item)) return error_set_out_of_memory(error);
    if (!add_joints(world, model, draw->alpha, error)) return false;
  }
  set_joints(world);
  return true;
}

static bool add_lights(World *world, float alpha, DrawScene *scene, Error *error) {
  for (int i = 0; i < world->lights.count; i++) {
    const LightInstance *light = &world->lights.items[i];
    const Node *node = scene_get(&world->scene, light->node);
    if (!is_visible(world, node)) continue;
    Color color = light->color;
    color.r *= light->intensity;
    color.g *= light->intensity;
    color.b *= light->intensity;
    if (light->kind == LIGHT_AMBIENT) {
      scene->ambient.r += color.r;
      scene->ambient.g += color.g;
      scene->ambient.b += color.b;
      continue;
    }
    Affine place = world_place(world, node, (Moment){false, alpha});
    double inner = light->inner_angle > 0 ? light->inner_angle : light->angle * 0.8;
    DrawLight drawn = {
        .kind = light->kind,
        .color = color,
        .position = place.origin,
        .direction = vec3_normalize_or(vec3_negate(place.z), vec3(0, -1, 0)),
        .range = light->range,
        .cos_outer = (float)vmath_cos(light->angle * 0.5 * RADIANS_PER_DEGREE),
        .cos_inner = (float)vmath_cos(inner * 0.5 * RADIANS_PER_DEGREE),
    };
    if (!array_push(world->memory, &world->draw_lights, drawn)) return error_set_out_of_memory(error);
  }
  return true;
}

static bool add_boxes(World *world, Error *error) {
  static const Color CHARACTER_COLOR = {1, 0.8f, 0.2f, 1}, MODEL_COLOR = {0.4f, 0.7f, 1, 1};
  for (int i = 0; i < world->models.count; i++) {
    const ModelInstance *model = &world->models.items[i];
    if (model->mesh < 0) continue;
    bool is_character = world_character_above(world, model->node).generation != 0;
    DrawBox box = {model->bounds, is_character ? CHARACTER_COLOR : MODEL_COLOR};
    if (!array_push(world->memory, &world->draw_boxes, box)) return error_set_out_of_memory(error);
  }
  return true;
}

bool world_fill_scene(World *world, const WorldDraw *draw, DrawScene *scene, Error *error) {
  world->draw_items.count = world->draw_lights.count = world->draw_boxes.count = world->draw_joints.count = 0;
  *scene = (DrawScene){
      .background = world->desc.background,
      .ambient = world->desc.ambient,
      .fog = world->desc.fog,
      .mode = world->view_mode,
  };
  Handle camera = world_active_camera(world);
  scene->has_camera = camera.generation != 0;
  if (scene->has_camera) scene->camera = world_draw_camera(world, camera, draw->alpha);
  if (!add_items(world, draw, first_person(world, camera), error)) return false;
  if (!add_lights(world, draw->alpha, scene, error)) return false;
  if (draw->shows_boxes && !add_boxes(world, error)) return false;
  scene->items = world->draw_items.items;
  scene->item_count = world->draw_items.count;
  scene->lights = world->draw_lights.items;
  scene->light_count = world->draw_lights.count;
  scene->boxes = world->draw_boxes.items;
  scene->box_count = world->draw_boxes.count;
  return true;
}
