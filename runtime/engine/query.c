#include <stdlib.h>

#include "engine/world.h"

// What a ray met of one instance, before it is told in the words of the world.
typedef struct MeshHit {
  int instance;
  TriangleHit triangle;
} MeshHit;

static Handle result_node(const World *world, const ModelInstance *model) {
  Handle character = world_character_above(world, model->node);
  return character.generation ? character : model->node;
}

static bool is_pickable(const World *world, const Node *node) {
  for (; node; node = scene_get(&world->scene, node->parent)) {
    if (!node->is_pickable) return false;
  }
  return true;
}

static bool is_ignored(const World *world, Handle node, const Handle *ignored, int count) {
  for (int i = 0; i < count; i++) {
    if (scene_is_within(&world->scene, node, ignored[i])) return true;
  }
  return false;
}

static bool may_hit(const World *world, const ModelInstance *model, const RayQuery *query) {
  const Node *node = scene_get(&world->scene, model->node);
  if (node->is_new || !is_pickable(world, node)) return false;
  const Node *result = scene_get(&world->scene, result_node(world, model));
  if (query->mask && !(result->layers & query->mask)) return false;
  return !is_ignored(world, model->node, query->ignored, query->ignored_count);
}

static Vec3 read_point(const float *positions, uint32_t index) {
  return vec3(positions[3 * index], positions[3 * index + 1], positions[3 * index + 2]);
}

// The corners of a triangle in mesh space, of the pose for vertex frames.
static Vec3 posed_corner(const ModelMesh *mesh, const float *positions, int index) {
  uint32_t corner = mesh->indices[index];
  return read_point(positions, mesh->corner_vertices ? mesh->corner_vertices[corner] : corner);
}

static bool triangle_corners(World *world, const ModelInstance *model, int triangle, Vec3 corners[3]) {
  const ModelMesh *mesh = &model->asset->model->meshes[model->mesh];
  const float *positions = world_posed_positions(world, model);
  if (!positions) return false;
  for (int i = 0; i < 3; i++)
    corners[i] = posed_corner(mesh, positions, 3 * triangle + i);
  return true;
}

static bool ray_hits_pose(World *world, const ModelInstance *model, Ray *ray, TriangleHit *hit) {
  const ModelMesh *mesh = &model->asset->model->meshes[model->mesh];
  const float *positions = world_posed_positions(world, model);
  bool is_hit = false;
  for (int i = 0; positions && i < mesh->index_count; i += 3) {
    Vec3 a = posed_corner(mesh, positions, i), b = posed_corner(mesh, positions, i + 1);
    if (!ray_hits_triangle(ray, a, b, posed_corner(mesh, positions, i + 2), hit)) continue;
    hit->triangle = i / 3;
    ray->max_distance = hit->distance;
    is_hit = true;
  }
  return is_hit;
}

static bool ray_hits_instance(World *world, ModelInstance *model, const Ray *ray, TriangleHit *hit) {
  Affine inverse;
  if (!affine_invert(world_shape_transform(world, model, MOMENT_LAST_STEP), &inverse)) return false;
  // The direction keeps its length in the world, so distances along the local ray are those in the world.
  Ray local = {affine_point(inverse, ray->origin), affine_vector(inverse, ray->direction), ray->max_distance,
               ray->hits_backfaces};
  bool is_posed = !model->asset->model->meshes[model->mesh].positions || world_is_deformed(world, model);
  if (is_posed) return ray_hits_pose(world, model, &local, hit);
  const Bvh *bvh = assets_get_bvh(world->assets, model->asset, model->mesh, NULL);
  if (!bvh) world->is_out_of_memory = true;
  return bvh && bvh_raycast(bvh, &local, hit);
}

static const ModelMaterial *triangle_material(const ModelInstance *model, int triangle) {
  const Model *source = model->asset->model;
  const ModelMesh *mesh = &source->meshes[model->mesh];
  for (int i = 0; i < mesh->submesh_count; i++) {
    const ModelSubmesh *submesh = &source->submeshes[mesh->first_submesh + i];
    int offset = 3 * triangle - submesh->first_index;
    if (offset >= 0 && offset < submesh->index_count && submesh->material >= 0)
      return &source->materials[submesh->material];
  }
  return NULL;
}

static const char *nearest_name_above(const World *world, const Node *node) {
  for (; node; node = scene_get(&world->scene, node->parent)) {
    if (node->name) return node->name;
  }
  return NULL;
}

// Fills who was hit, and the names of it.
static void tell_node(const World *world, Handle part, WorldHit *hit) {
  const Node *part_node = scene_get(&world->scene, part);
  Handle character = world_character_above(world, part);
  hit->part_node = part;
  hit->node = character.generation ? character : part;
  hit->name = nearest_name_above(world, scene_get(&world->scene, hit->node));
  hit->part = handle_equals(hit->node, part) ? NULL : part_node->name;
}

// Fills triangle, material and texture coordinates from a triangle of an instance.
static void tell_triangle(const ModelInstance *model, int triangle, float u, float v, WorldHit *hit) {
  const ModelMesh *mesh = &model->asset->model->meshes[model->mesh];
  const ModelMaterial *material = triangle_material(model, triangle);
  hit->triangle = triangle;
  hit->material = material ? material->name : NULL;
  if (!mesh->uvs) return;
  const uint32_t *corner = &mesh->indices[3 * triangle];
  for (int axis = 0; axis < 2; axis++) {
    float value = (1 - u - v) * mesh->uvs[2 * corner[0] + axis] + u * mesh->uvs[2 * corner[1] + axis] +
                  v * mesh->uvs[2 * corner[2] + axis];
    if (axis == 0)
      hit->u = value;
    else
      hit->v = value;
  }
}

static void tell_hit(World *world, const Ray *ray, const MeshHit *found, WorldHit *hit) {
  const ModelInstance *model = &world->models.items[found->instance];
  *hit = (WorldHit){.distance = found->triangle.distance, .triangle = -1};
  hit->point = vec3_add_scaled(ray->origin, ray->direction, hit->distance);
  tell_node(world, model->node, hit);
  tell_triangle(model, found->triangle.triangle, found->triangle.u, found->triangle.v, hit);
  Vec3 corners[3];
  if (!triangle_corners(world, model, found->triangle.triangle, corners)) return;
  Vec3 normal = vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0]));
  // Normalised first: a tiny triangle's cross product would vanish under the transform.
  normal =
      affine_normal(world_shape_transform(world, model, MOMENT_LAST_STEP), vec3_normalize_or(normal, vec3(0, 1, 0)));
  hit->normal = vec3_dot(normal, ray->direction) > 0 ? vec3_negate(normal) : normal;
}

static Ray world_ray(const RayQuery *query) {
  Vec3 direction = vec3_normalize_or(query->direction, vec3(0, 0, 0));
  return (Ray){query->from, direction, query->range, query->hits_backfaces};
}

bool world_raycast(World *world, const RayQuery *query, WorldHit *hit) {
  Ray ray = world_ray(query), shortened = ray;
  MeshHit best = {.instance = -1};
  for (int i = 0; i < world->models.count; i++) {
    ModelInstance *model = &world->models.items[i];
    float entry;
    if (model->mesh < 0 || !ray_hits_bounds(&shortened, model->bounds, &entry) || !may_hit(world, model, query))
      continue;
    TriangleHit triangle;
    if (!ray_hits_instance(world, model, &shortened, &triangle)) continue;
    if (best.instance >= 0 && triangle.distance >= shortened.max_distance) continue;
    best = (MeshHit){i, triangle};
    shortened.max_distance = triangle.distance;
  }
  if (best.instance < 0) return false;
  tell_hit(world, &ray, &best, hit);
  return true;
}

static int compare_hits(const void *a, const void *b) {
  const MeshHit *first = a, *second = b;
  if (first->triangle.distance != second->triangle.distance)
    return first->triangle.distance < second->triangle.distance ? -1 : 1;
  return first->instance - second->instance;
}

int world_raycast_all(World *world, const RayQuery *query, WorldHit *hits, int capacity) {
  Ray ray = world_ray(query);
  MeshHit *found = memory_alloc_array(world->memory, (size_t)world->models.count, sizeof *found);
  int found_count = 0, count = 0;
  if (!found) world->is_out_of_memory = true;
  for (int i = 0; found && i < world->models.count; i++) {
    ModelInstance *model = &world->models.items[i];
    float entry;
    if (model->mesh < 0 || !ray_hits_bounds(&ray, model->bounds, &entry) || !may_hit(world, model, query)) continue;
    found[found_count].instance = i;
    found_count += ray_hits_instance(world, model, &ray, &found[found_count].triangle);
  }
  if (found_count > 1) qsort(found, (size_t)found_count, sizeof *found, compare_hits);
  for (int i = 0; i < found_count && count < capacity; i++) {
    WorldHit hit;
    tell_hit(world, &ray, &found[i], &hit);
    bool is_known = false;
    for (int k = 0; k < count && !is_known; k++)
      is_known = handle_equals(hits[k].node, hit.node);
    if (!is_known) hits[count++] = hit;
  }
  memory_free(world->memory, found);
  return count;
}

// --- Sweeps and overlaps, against colliders ---

// What is asked of the colliders. Left out are the ignored nodes and all below them.
static Sweep make_sweep(World *world, const SweepQuery *query) {
  world->ignored.count = 0;
  for (int i = 0; i < query->ignored_count; i++) {
    for (Handle at = {0}; (at = scene_next_below(&world->scene, query->ignored[i], at)).generation;) {
      if (!array_push(world->memory, &world->ignored, world_owner(at))) world->is_out_of_memory = true;
    }
  }
  ColliderFilter filter = {.mask = query->mask, .ignored = world->ignored.items, .ignored_count = world->ignored.count};
  return (Sweep){query->from, query->radius, query->height, vec3_sub(query->to, query->from), filter};
}

bool world_sweep(World *world, const SweepQuery *query, WorldHit *hit) {
  Sweep sweep = make_sweep(world, query);
  SweepHit found;
  if (!colliders_sweep(world->colliders, &sweep, &found)) return false;
  Handle part = pool_handle_at(&world->scene.pool, found.owner);
  *hit = (WorldHit){.triangle = -1, .point = found.point, .normal = found.normal};
  hit->distance = found.time * vec3_length(sweep.motion);
  tell_node(world, part, hit);
  const ModelInstance *model = world_model(world, part);
  if (model && model->mesh >= 0 && found.triangle >= 0) tell_triangle(model, found.triangle, found.u, found.v, hit);
  return true;
}

int world_overlap(World *world, const SweepQuery *query, Handle *nodes, int capacity) {
  Sweep sweep = make_sweep(world, query);
  uint32_t *owners = memory_alloc_array(world->memory, (size_t)capacity, sizeof *owners);
  if (!owners) {
    world->is_out_of_memory = true;
    return 0;
  }
  int found = colliders_overlap(world->colliders, &sweep, owners, capacity), count = 0;
  for (int i = 0; i < found && i < capacity; i++) {
    Handle node = pool_handle_at(&world->scene.pool, owners[i]);
    Handle character = world_character_above(world, node);
    if (character.generation) node = character;
    bool is_known = !node.generation;
    for (int k = 0; k < count && !is_known; k++)
      is_known = handle_equals(nodes[k], node);
    if (!is_known) nodes[count++] = node;
  }
  memory_free(world->memory, owners);
  return count;
}

// --- Shots ---

// A direction within a cone of `spread` degrees around `look`.
static Vec3 spread_direction(World *world, Vec3 look, float spread) {
  if (!(spread > 0)) return look;
  Vec3 side = vec3_normalize_or(vec3_cross(look, vec3(0, 1, 0)), vec3(1, 0, 0)), up = vec3_cross(side, look);
  double around = random_float(&world->random) * 2 * PI;
  double off = sqrt(random_float(&world->random)) * spread * 0.5 * RADIANS_PER_DEGREE;
  Vec3 turned = vec3_add(vec3_scale(side, (float)vmath_cos(around)), vec3_scale(up, (float)vmath_sin(around)));
  return vec3_add(vec3_scale(look, (float)vmath_cos(off)), vec3_scale(turned, (float)vmath_sin(off)));
}

bool world_shoot(World *world, Handle shooter, const ShotDesc *shot, WorldHit *hit) {
  const Character *character = world_character(world, shooter);
  RayQuery query = {
      .from = world_eye(world, character),
      .direction = spread_direction(world, world_look(world, character), shot->spread),
      .range = shot->range,
      .mask = shot->mask,
      .ignored = &shooter,
      .ignored_count = 1,
  };
  if (!world_raycast(world, &query, hit)) return false;
  WorldEvent event = world_make_event(world, EVENT_KIND_HIT, hit->node);
  world_set_event_hit(&event, hit);
  event.other = shooter;
  event.damage = shot->damage;
  if (!array_push(world->memory, &world->shots, event)) world->is_out_of_memory = true;
  return true;
}
