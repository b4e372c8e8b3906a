#include "engine/world.h"

#define THIRD_PERSON_RADIUS 0.2f  // metres a following camera keeps from walls

Handle world_active_camera(const World *world) {
  if (scene_get(&world->scene, world->camera)) return world->camera;
  // Those that came with a model are seen through only where there is no other.
  for (int i = 0; i < world->cameras.count; i++) {
    if (!scene_get(&world->scene, world->cameras.items[i].node)->is_part) return world->cameras.items[i].node;
  }
  return world->cameras.count > 0 ? world->cameras.items[0].node : (Handle){0};
}

static Vec3 node_origin(const World *world, const Node *node) {
  return scene_current_world(&world->scene, node).origin;
}

// Where a camera that follows looks at: the eye of a character, the middle of anything else.
static Vec3 focus_of(World *world, Handle followed) {
  const Character *character = world_character(world, followed);
  if (character) return world_eye(world, character);
  Bounds bounds;
  return world_node_bounds(world, followed, &bounds) ? bounds_center(bounds)
                                                     : node_origin(world, scene_get(&world->scene, followed));
}

// As far back from the focus as walls allow.
static Vec3 behind(World *world, Handle followed, Vec3 focus, Vec3 look, float distance) {
  SweepQuery query = {
      .from = focus,
      .to = vec3_add_scaled(focus, look, -distance),
      .radius = THIRD_PERSON_RADIUS,
      .mask = scene_layer(NODE_MODEL),
      .ignored = &followed,
      .ignored_count = 1,
  };
  WorldHit hit;
  return vec3_add_scaled(focus, look, world_sweep(world, &query, &hit) ? -hit.distance : -distance);
}

static void put_at(World *world, Node *node, Vec3 position, Quat rotation) {
  const Node *parent = scene_get(&world->scene, node->parent);
  Affine inverse;
  if (parent && affine_invert(scene_current_world(&world->scene, parent), &inverse)) {
    Vec3 scale;
    affine_decompose(affine_mul(inverse, affine_from_trs(position, rotation, vec3(1, 1, 1))), &position, &rotation,
                     &scale);
  }
  node->position = position;
  scene_set_quat(node, rotation);
}

static void follow(World *world, const CameraInstance *camera, Node *node) {
  const Character *character = world_character(world, camera->follow);
  const Node *followed = scene_get(&world->scene, camera->follow);
  Vec3 focus = focus_of(world, camera->follow);
  Vec3 ahead = affine_vector(scene_current_world(&world->scene, followed), vec3(0, 0, -1));
  Vec3 look = character ? world_look(world, character) : vec3_normalize_or(ahead, vec3(0, 0, -1));
  if (camera->mode == CAMERA_ORBIT) {
    float heading = (float)(camera->orbit_heading * RADIANS_PER_DEGREE);
    float pitch = (float)(camera->orbit_pitch * RADIANS_PER_DEGREE);
    look = quat_rotate(quat_from_heading_pitch(heading, pitch), vec3(0, 0, -1));
  }
  Vec3 position = camera->mode == CAMERA_FIRST ? focus : behind(world, camera->follow, focus, look, camera->distance);
  put_at(world, node, position, quat_look_along(look));
}

static void orbit_point(World *world, const CameraInstance *camera, Node *node) {
  float heading = (float)(camera->orbit_heading * RADIANS_PER_DEGREE);
  float pitch = (float)(camera->orbit_pitch * RADIANS_PER_DEGREE);
  Vec3 look = quat_rotate(quat_from_heading_pitch(heading, pitch), vec3(0, 0, -1));
  put_at(world, node, vec3_add_scaled(camera->target, look, -camera->distance), quat_look_along(look));
}

static void look_at_target(World *world, const CameraInstance *camera, Node *node) {
  const Node *target = scene_get(&world->scene, camera->target_node);
  Vec3 position = node_origin(world, node), point = target ? focus_of(world, camera->target_node) : camera->target;
  Quat roll = quat_from_axis_angle(vec3(0, 0, 1), (float)(-camera->roll * RADIANS_PER_DEGREE));
  put_at(world, node, position, quat_mul(quat_look_along(vec3_sub(point, position)), roll));
}

static void aim_lights(World *world) {
  for (int i = 0; i < world->lights.count; i++) {
    const LightInstance *light = &world->lights.items[i];
    const Node *target = scene_get(&world->scene, light->target_node);
    Node *node = scene_get(&world->scene, light->node);
    if (!target) continue;
    Vec3 position = node_origin(world, node);
    put_at(world, node, position, quat_look_along(vec3_sub(node_origin(world, target), position)));
  }
}

void world_place_cameras(World *world) {
  aim_lights(world);
  for (int i = 0; i < world->cameras.count; i++) {
    CameraInstance *camera = &world->cameras.items[i];
    Node *node = scene_get(&world->scene, camera->node);
    if (camera->mode != CAMERA_FIXED && scene_get(&world->scene, camera->follow)) {
      follow(world, camera, node);
    } else if (camera->mode == CAMERA_ORBIT && camera->has_target) {
      orbit_point(world, camera, node);
    } else if (scene_get(&world->scene, camera->target_node)) {
      look_at_target(world, camera, node);
    }
  }
}

DrawCamera world_draw_camera(const World *world, Handle handle, float alpha) {
  const CameraInstance *camera = world_camera(world, handle);
  const Node *node = scene_get(&world->scene, handle);
  // One that was made since the last step stands where it was put.
  Affine place = node->is_new ? scene_current_world(&world->scene, node)
                 : alpha >= 1 ? node->world
                              : affine_lerp(node->previous_world, node->world, alpha);
  return (DrawCamera){
      .world = place,
      .kind = camera->kind,
      .fov = (float)(camera->fov * RADIANS_PER_DEGREE),
      .size = camera->size,
      .near_plane = camera->near_plane,
      .far_plane = camera->far_plane,
  };
}
