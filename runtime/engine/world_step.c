#include <stdio.h>
#include <stdlib.h>

#include "engine/world.h"

// --- Events ---

static void copy_name(char out[WORLD_NAME_SIZE], const char *name) {
  snprintf(out, WORLD_NAME_SIZE, "%s", name ? name : "");
}

WorldEvent world_make_event(const World *world, WorldEventKind kind, Handle handle) {
  WorldEvent event = {.kind = kind, .node = handle};
  const Node *node = scene_get(&world->scene, handle);
  copy_name(event.name, node ? node->name : NULL);
  return event;
}

void world_set_event_hit(WorldEvent *event, const WorldHit *hit) {
  event->has_hit = true;
  event->hit = *hit;
  copy_name(event->name, hit->name);
  copy_name(event->part, hit->part);
  copy_name(event->material, hit->material);
}

void world_push_event(World *world, const WorldEvent *event) {
  if (!array_push(world->memory, &world->events, *event)) world->is_out_of_memory = true;
}

// --- Animation ---

typedef struct NoticeContext {
  World *world;
  const ModelInstance *model;
} NoticeContext;

// A character's model speaks for the character.
static void notice_animation(void *user, const Marker *marker) {
  NoticeContext *context = user;
  const ModelInstance *model = context->model;
  WorldEvent event = world_make_event(context->world, marker ? EVENT_KIND_MARKER : EVENT_KIND_CLIP_END, model->node);
  copy_name(event.marker, marker ? marker->name : model->asset->model->clips[model->animation.clip].name);
  world_push_event(context->world, &event);
}

static void step_animations(World *world) {
  for (int i = 0; i < world->models.count; i++) {
    ModelInstance *model = &world->models.items[i];
    NoticeContext context = {world, model};
    if (!model->host.generation) {
      animation_step(&model->animation, model->asset->model, world->desc.step_seconds, notice_animation, &context);
      world_pose_rig(world, model, world->desc.step_seconds);
    }
  }
  // Who is attached follows after everybody moved on.
  for (int i = 0; i < world->models.count; i++) {
    ModelInstance *model = &world->models.items[i];
    if (!model->host.generation) continue;
    model->animation.previous_pose = model->animation.pose;
    model->animation.pose = world_pose(world, model);
  }
  world->posed_instance = -1;
}

// --- Colliders ---

static bool affine_equals(const Affine *a, const Affine *b) {
  return vec3_equals(a->x, b->x) && vec3_equals(a->y, b->y) && vec3_equals(a->z, b->z) &&
         vec3_equals(a->origin, b->origin);
}

// The collider's space: the mesh's, or for boxes and spheres the middle of the mesh's box.
static Affine collider_transform(const World *world, const ModelInstance *model, ColliderShape shape) {
  Affine transform = world_shape_transform(world, model, MOMENT_NOW);
  if (shape != COLLIDER_MESH) {
    const ModelMesh *mesh = &model->asset->model->meshes[model->mesh];
    Bounds bounds = mesh->positions ? mesh->bounds : world_first_bounds(model);
    transform.origin = affine_point(transform, bounds_center(bounds));
  }
  return transform;
}

static float sphere_radius(Affine transform, Vec3 half) {
  float x = half.x * vec3_length(transform.x), y = half.y * vec3_length(transform.y),
        z = half.z * vec3_length(transform.z);
  float most = x > y ? x : y;
  return most > z ? most : z;
}

bool world_add_collider(World *world, ModelInstance *model, CollideKind collide, Error *error) {
  model->collide = collide;
  if (collide == COLLIDE_NONE || model->mesh < 0) return true;
  const ModelMesh *mesh = &model->asset->model->meshes[model->mesh];
  Bounds bounds = mesh->positions ? mesh->bounds : world_first_bounds(model);
  if (bounds_is_empty(bounds)) return true;
  // What changes its shape has no fixed triangles to run into: the box of its first frame, or of its rest, stands for it.
  bool is_mesh = collide == COLLIDE_MESH && mesh->positions && !world_is_deformed(world, model);
  Collider collider = {
      .shape = is_mesh                     ? COLLIDER_MESH
               : collide == COLLIDE_SPHERE ? COLLIDER_SPHERE
                                           : COLLIDER_BOX,
      .half_size = bounds_half_size(bounds),
      .layers = scene_get(&world->scene, model->node)->layers,
      .owner = world_owner(model->node),
  };
  collider.transform = collider_transform(world, model, collider.shape);
  collider.radius = sphere_radius(collider.transform, collider.half_size);
  if (is_mesh) {
    collider.mesh = assets_get_bvh(world->assets, model->asset, model->mesh, error);
    if (!collider.mesh) return false;
  }
  if (!colliders_add(world->colliders, &collider, &model->collider, error)) return false;
  world->static_collider_count++;
  world->has_ground_changed = true;
  world->needs_refit = true;
  return true;
}

void world_sync_collider(World *world, ModelInstance *model) {
  if (model->collider < 0) return;
  Collider *collider = colliders_get(world->colliders, model->collider);
  Affine transform = collider_transform(world, model, collider->shape);
  if (affine_equals(&transform, &collider->transform)) return;
  collider->transform = transform;
  collider->radius = sphere_radius(transform, collider->half_size);
  colliders_touch(world->colliders, model->collider);
  world->needs_refit = true;
  world->has_ground_changed = true;
}

static void node_place_changed(World *world, const Node *node, bool is_top) {
  if (node->model >= 0) world_sync_collider(world, &world->models.items[node->model]);
  if (node->character < 0) return;
  Character *character = &world->characters.items[node->character];
  if (is_top)
    world_character_placed(world, character);
  else
    world_character_carried(world, character);
}

void world_place_changed(World *world, Handle top) {
  for (Handle at = top; at.generation; at = scene_next_below(&world->scene, top, at))
    node_place_changed(world, scene_get(&world->scene, at), handle_equals(at, top));
}

// --- Touching ---

static int compare_handles(Handle a, Handle b) {
  if (a.index != b.index) return a.index < b.index ? -1 : 1;
  return a.generation < b.generation ? -1 : a.generation > b.generation;
}

static int compare_pairs(const void *a, const void *b) {
  const TouchPair *first = a, *second = b;
  int order = compare_handles(first->a, second->a);
  return order ? order : compare_handles(first->b, second->b);
}

static void note_touch(void *user, const Collider *a, const Collider *b) {
  World *world = user;
  TouchPair pair = {pool_handle_at(&world->scene.pool, a->owner), pool_handle_at(&world->scene.pool, b->owner)};
  if (!array_push(world->memory, &world->touching, pair)) world->is_out_of_memory = true;
  const TouchPair *before = world->touching_before.items;
  if (before && bsearch(&pair, before, (size_t)world->touching_before.count, sizeof pair, compare_pairs)) return;
  WorldEvent first = world_make_event(world, EVENT_KIND_TOUCH, pair.a);
  WorldEvent second = world_make_event(world, EVENT_KIND_TOUCH, pair.b);
  first.other = pair.b;
  second.other = pair.a;
  world_push_event(world, &first);
  world_push_event(world, &second);
}

static void find_touches(World *world) {
  const float TOUCH_DISTANCE = 0.02f;  // metres between two bodies that touch; they keep a thin gap
  world->touching_before.count = 0;
  for (int i = 0; i < world->touching.count; i++) {
    if (!array_push(world->memory, &world->touching_before, world->touching.items[i])) world->is_out_of_memory = true;
  }
  world->touching.count = 0;
  colliders_each_capsule_pair(world->colliders, TOUCH_DISTANCE, note_touch, world);
  // Sorted, so that the next step finds them fast.
  if (world->touching.count > 1)
    qsort(world->touching.items, (size_t)world->touching.count, sizeof *world->touching.items, compare_pairs);
}

// --- The step ---

void world_begin_step(World *world) {
  WorldEvents told = world->delivered;
  world->delivered = world->events;
  world->events = told;
  world->events.count = 0;
}

static bool refit(World *world, Error *error) {
  world->needs_refit = false;
  return colliders_refit(world->colliders, error);
}

bool world_end_step(World *world, Error *error) {
  world_deal_shots(world);
  // What the script added or moved must already be there for those who walk in this step.
  if (world->needs_refit && !refit(world, error)) return false;
  world_move_characters(world);
  step_animations(world);
  world_place_cameras(world);
  if (!scene_update(&world->scene, error)) return false;
  for (int i = 0; i < world->models.count; i++) {
    ModelInstance *model = &world->models.items[i];
    if (model->mesh < 0) continue;
    model->bounds = world_loose_bounds(world, model);
    world_sync_collider(world, model);
  }
  if (!refit(world, error)) return false;
  find_touches(world);
  world->step++;
  if (!world->is_out_of_memory) return true;
  world->is_out_of_memory = false;
  return error_set_out_of_memory(error);
}
