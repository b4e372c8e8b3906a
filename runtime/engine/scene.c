#include "engine/scene.h"

#include <string.h>

void scene_init(Scene *scene, Memory *memory, int limit) {
  *scene = (Scene){.memory = memory, .limit = limit};
}

void scene_free(Scene *scene) {
  for (int i = 0; i < scene->nodes.count; i++)
    memory_free(scene->memory, scene->nodes.items[i].name);
  array_free(scene->memory, &scene->nodes);
  array_free(scene->memory, &scene->ordered);
  pool_free(&scene->pool, scene->memory);
}

Node *scene_get(const Scene *scene, Handle handle) {
  return pool_contains(&scene->pool, handle) ? &scene->nodes.items[handle.index] : NULL;
}

static void link_to_parent(Scene *scene, Node *node, Handle parent_handle) {
  Node *parent = scene_get(scene, parent_handle);
  node->parent = parent ? parent_handle : (Handle){0};
  node->next_sibling = node->previous_sibling = (Handle){0};
  if (!parent) return;
  Node *last = scene_get(scene, parent->last_child);
  if (last) {
    last->next_sibling = node->handle;
    node->previous_sibling = last->handle;
  } else {
    parent->first_child = node->handle;
  }
  parent->last_child = node->handle;
}

static void unlink_from_parent(Scene *scene, Node *node) {
  Node *parent = scene_get(scene, node->parent);
  if (!parent) return;
  Node *previous = scene_get(scene, node->previous_sibling), *next = scene_get(scene, node->next_sibling);
  if (previous) {
    previous->next_sibling = node->next_sibling;
  } else {
    parent->first_child = node->next_sibling;
  }
  if (next) {
    next->previous_sibling = node->previous_sibling;
  } else {
    parent->last_child = node->previous_sibling;
  }
}

static void link_as_made(Scene *scene, Node *node) {
  node->previous_made = scene->last_made;
  Node *last = scene_get(scene, scene->last_made);
  if (last) {
    last->next_made = node->handle;
  } else {
    scene->first_made = node->handle;
  }
  scene->last_made = node->handle;
}

static void unlink_as_made(Scene *scene, Node *node) {
  Node *previous = scene_get(scene, node->previous_made), *next = scene_get(scene, node->next_made);
  if (previous) {
    previous->next_made = node->next_made;
  } else {
    scene->first_made = node->next_made;
  }
  if (next) {
    next->previous_made = node->previous_made;
  } else {
    scene->last_made = node->previous_made;
  }
}

bool scene_add(Scene *scene, NodeKind kind, const char *name, Handle parent, Handle *handle, Error *error) {
  if (scene->count >= scene->limit)
    return error_set_mistake(error, "the world is full: limits.nodes in conf.lua is %d", scene->limit);
  // All room is made before anything changes, so that a failure leaves the scene as it was.
  bool has_room = array_reserve(scene->memory, &scene->nodes, 1) &&
                  array_reserve(scene->memory, &scene->ordered, scene->count + 1 - scene->ordered.count);
  char *copy = has_room && name ? memory_copy_string(scene->memory, name) : NULL;
  if (!has_room || (name && !copy) || !pool_acquire(&scene->pool, scene->memory, handle)) {
    memory_free(scene->memory, copy);
    return error_set_out_of_memory(error);
  }
  if ((int)handle->index >= scene->nodes.count) scene->nodes.count = (int)handle->index + 1;
  Node *node = &scene->nodes.items[handle->index];
  *node = (Node){
      .handle = *handle,
      .kind = kind,
      .name = copy,
      .scale = {1, 1, 1},
      .has_heading = true,
      .axis = {0, 1, 0},
      .rotation = QUAT_IDENTITY,
      .world = AFFINE_IDENTITY,
      .previous_world = AFFINE_IDENTITY,
      .is_new = true,
      .is_visible = true,
      .is_pickable = true,
      .layers = scene_layer(kind),
      .model = -1,
      .light = -1,
      .camera = -1,
      .character = -1,
  };
  link_to_parent(scene, node, parent);
  link_as_made(scene, node);
  scene->count++;
  scene->is_order_stale = true;
  return true;
}

void scene_remove(Scene *scene, Handle handle) {
  Node *node = scene_get(scene, handle);
  unlink_from_parent(scene, node);
  unlink_as_made(scene, node);
  memory_free(scene->memory, node->name);
  node->name = NULL;
  pool_release(&scene->pool, handle);
  scene->count--;
  scene->is_order_stale = true;
}

bool scene_set_name(Scene *scene, Node *node, const char *name, Error *error) {
  char *copy = name ? memory_copy_string(scene->memory, name) : NULL;
  if (name && !copy) return error_set_out_of_memory(error);
  memory_free(scene->memory, node->name);
  node->name = copy;
  return true;
}

void scene_set_heading(Node *node, float degrees) {
  node->has_heading = true;
  node->heading = degrees;
  node->axis = vec3(0, 1, 0);
  node->axis_angle = degrees;
  node->rotation = quat_from_axis_angle(node->axis, (float)(degrees * RADIANS_PER_DEGREE));
}

void scene_set_rotation(Node *node, float degrees, Vec3 axis) {
  node->has_heading = false;
  node->axis = axis;
  node->axis_angle = degrees;
  node->rotation = quat_from_axis_angle(axis, (float)(degrees * RADIANS_PER_DEGREE));
}

void scene_set_quat(Node *node, Quat rotation) {
  Vec3 axis;
  float angle;
  quat_to_axis_angle(rotation, &axis, &angle);
  float degrees = (float)(angle / RADIANS_PER_DEGREE);
  if (fabsf(axis.x) < 1e-6f && fabsf(axis.z) < 1e-6f) {
    scene_set_heading(node, axis.y < 0 ? -degrees : degrees);
  } else {
    scene_set_rotation(node, degrees, axis);
  }
}

float scene_get_heading(const Node *node) {
  return node->has_heading ? node->heading : (float)(quat_heading(node->rotation) / RADIANS_PER_DEGREE);
}

bool scene_is_within(const Scene *scene, Handle handle, Handle ancestor) {
  for (Node *node = scene_get(scene, handle); node; node = scene_get(scene, node->parent)) {
    if (handle_equals(node->handle, ancestor)) return true;
  }
  return false;
}

bool scene_set_parent(Scene *scene, Handle handle, Handle parent_handle, Error *error) {
  Node *node = scene_get(scene, handle), *parent = scene_get(scene, parent_handle);
  if (parent && scene_is_within(scene, parent_handle, handle))
    return error_set(error, "a node cannot become a child of itself or of a node below it");
  Affine inverse, world = scene_current_world(scene, node);
  if (parent && !affine_invert(scene_current_world(scene, parent), &inverse))
    return error_set(error, "the new parent has a scale of 0");
  unlink_from_parent(scene, node);
  link_to_parent(scene, node, parent_handle);
  Quat rotation;
  affine_decompose(parent ? affine_mul(inverse, world) : world, &node->position, &rotation, &node->scale);
  scene_set_quat(node, rotation);
  scene->is_order_stale = true;
  return true;
}

Affine scene_local_transform(const Node *node) {
  return affine_from_trs(node->position, node->rotation, node->scale);
}

Affine scene_current_world(const Scene *scene, const Node *node) {
  Affine world = scene_local_transform(node);
  for (Node *up = scene_get(scene, node->parent); up; up = scene_get(scene, up->parent))
    world = affine_mul(scene_local_transform(up), world);
  return world;
}

Handle scene_next_below(const Scene *scene, Handle top, Handle current) {
  Node *node = scene_get(scene, current);
  if (!node) return top;
  if (node->first_child.generation) return node->first_child;
  while (node && !handle_equals(node->handle, top)) {
    if (node->next_sibling.generation) return node->next_sibling;
    node = scene_get(scene, node->parent);
  }
  return (Handle){0};
}

// Lists all nodes depth first, roots in the order of their making. The room was made when the nodes were.
static void rebuild_order(Scene *scene) {
  scene->ordered.count = 0;
  for (Node *root = scene_get(scene, scene->first_made); root; root = scene_get(scene, root->next_made)) {
    if (root->parent.generation) continue;
    Handle at = {0};
    while ((at = scene_next_below(scene, root->handle, at)).generation)
      scene->ordered.items[scene->ordered.count++] = at.index;
  }
  scene->is_order_stale = false;
}

bool scene_update(Scene *scene, Error *error) {
  if (scene->is_order_stale) {
    if (!array_reserve(scene->memory, &scene->ordered, scene->count - scene->ordered.count))
      return error_set_out_of_memory(error);
    rebuild_order(scene);
  }
  Node *nodes = scene->nodes.items;
  for (int i = 0; i < scene->ordered.count; i++) {
    Node *node = &nodes[scene->ordered.items[i]];
    Affine local = scene_local_transform(node);
    Affine world = node->parent.generation ? affine_mul(nodes[node->parent.index].world, local) : local;
    node->previous_world = node->is_new ? world : node->world;
    node->world = world;
    node->is_new = false;
  }
  return true;
}

Handle scene_find(const Scene *scene, const char *name) {
  for (Node *node = scene_get(scene, scene->first_made); node; node = scene_get(scene, node->next_made)) {
    if (node->name && strcmp(node->name, name) == 0) return node->handle;
  }
  return (Handle){0};
}
