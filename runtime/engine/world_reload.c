// What a world makes of a model whose file was read again. Nodes keep handles, places, skins, clips by name and what a
// script attached; parts are found again by their names in the file. What a script changed on a part stays, what is as
// the old file had it becomes as the new one has it.
#include <stdlib.h>
#include <string.h>

#include "engine/world.h"
#include "log.h"

typedef struct NamedPart {
  const char *name;
  int index;
} NamedPart;

typedef struct Change {
  World *world;
  ModelAsset *asset;         // with the new content
  const ModelAsset *before;  // the old content
  const Model *old, *model;
  bool is_single;                // one mesh with frames, shown by the root itself
  int *new_of_old, *old_of_new;  // parts of both files; -1 where the other has none
  NamedPart *names;              // of the new parts, sorted
  Handle *nodes, *old_nodes;     // of the root at hand: by new and by old part
  int *lost;                     // the same by new part: number + 1 among the root's lost parts, 0 for none
} Change;

// --- Parts by name ---

static int compare_names(const void *a, const void *b) {
  const NamedPart *first = a, *second = b;
  int order = strcmp(first->name, second->name);
  return order ? order : first->index - second->index;
}

static NamedPart *sort_names(Memory *memory, const Model *model) {
  NamedPart *names = memory_alloc_array(memory, (size_t)model->node_count, sizeof *names);
  for (int i = 0; names && i < model->node_count; i++)
    names[i] = (NamedPart){model->nodes[i].name ? model->nodes[i].name : "", i};
  if (names && model->node_count > 1) qsort(names, (size_t)model->node_count, sizeof *names, compare_names);
  return names;
}

// Parts that share a name are paired in the order of the files.
static void pair_names(Change *change, const NamedPart *old_names) {
  int old_count = change->old->node_count, count = change->model->node_count;
  for (int i = 0; i < old_count; i++)
    change->new_of_old[i] = -1;
  for (int i = 0; i < count; i++)
    change->old_of_new[i] = -1;
  for (int i = 0, k = 0; i < old_count && k < count;) {
    int order = strcmp(old_names[i].name, change->names[k].name);
    if (order == 0) {
      change->new_of_old[old_names[i].index] = change->names[k].index;
      change->old_of_new[change->names[k].index] = old_names[i].index;
    }
    i += order <= 0;
    k += order >= 0;
  }
}

static bool prepare(Change *change) {
  Memory *memory = change->world->memory;
  size_t old_count = (size_t)change->old->node_count, count = (size_t)change->model->node_count;
  NamedPart *old_names = sort_names(memory, change->old);
  change->names = sort_names(memory, change->model);
  change->new_of_old = memory_alloc_array(memory, old_count, sizeof *change->new_of_old);
  change->old_of_new = memory_alloc_array(memory, count, sizeof *change->old_of_new);
  change->nodes = memory_alloc_array(memory, count, sizeof *change->nodes);
  change->old_nodes = memory_alloc_array(memory, old_count, sizeof *change->old_nodes);
  change->lost = memory_alloc_array(memory, count, sizeof *change->lost);
  bool is_good = old_names && change->names && change->new_of_old && change->old_of_new && change->nodes &&
                 change->old_nodes && change->lost;
  if (is_good) pair_names(change, old_names);
  memory_free(memory, old_names);
  return is_good;
}

static void free_change(Change *change) {
  Memory *memory = change->world->memory;
  memory_free(memory, change->names);
  memory_free(memory, change->new_of_old);
  memory_free(memory, change->old_of_new);
  memory_free(memory, change->nodes);
  memory_free(memory, change->old_nodes);
  memory_free(memory, change->lost);
}

// The first part of a name that no node stands for yet, or -1.
static int find_free_part(const Change *change, const char *name) {
  int low = 0, high = change->model->node_count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (strcmp(change->names[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < change->model->node_count && strcmp(change->names[low].name, name) == 0; low++) {
    int part = change->names[low].index;
    if (!change->nodes[part].generation && !change->lost[part]) return part;
  }
  return -1;
}

// --- One node ---

// Parts of a change that cannot be made are left out.
static void leave_out(const Change *change, const Error *error) {
  if (error->is_out_of_memory)
    change->world->is_out_of_memory = true;
  else
    log_warning("%s was read again, but not all of it is shown: %s", change->asset->path, error->text);
}

static void make_collider(const Change *change, ModelInstance *model) {
  Error error = {0};
  world_remove_collider(change->world, model);
  if (!world_add_collider(change->world, model, model->collide, &error)) leave_out(change, &error);
}

// All parts of a model are moved together by the geometry of its root, each in its own space.
static Affine part_geometry(const Change *change, const ModelInstance *root, int part) {
  Affine geometry = change->model->nodes[part].geometry, inverse;
  if (!root || memcmp(&root->geometry, &AFFINE_IDENTITY, sizeof geometry) == 0) return geometry;
  Affine way = world_source_transform(change->model, part);
  if (!affine_invert(way, &inverse)) return geometry;
  return affine_mul(inverse, affine_mul(root->geometry, affine_mul(way, geometry)));
}

static void show_part(const Change *change, Handle root, Handle handle, int part) {
  World *world = change->world;
  Node *node = scene_get(&world->scene, handle);
  int mesh = part >= 0 ? change->model->nodes[part].mesh : -1;
  node->part = part;
  if (mesh < 0) {
    if (node->model >= 0) world_take_mesh(world, node);
    return;
  }
  const ModelInstance *top = world_model(world, root);
  if (node->model < 0) {
    Error error = {0};
    CollideKind collide = top ? top->collide : COLLIDE_NONE;
    if (!world_give_mesh(world, handle, change->asset, mesh, top ? top->skin : NULL, &error)) {
      leave_out(change, &error);
      return;
    }
    top = world_model(world, root);
    world_model(world, handle)->collide = collide;
  }
  ModelInstance *model = world_model(world, handle);
  model->mesh = mesh;
  model->geometry = part_geometry(change, top, part);
  Error error = {0};
  if (!world_set_deformation(world, model, &change->model->nodes[part], &error)) leave_out(change, &error);
  animation_change_model(&model->animation, world->memory, change->old, change->model);
  make_collider(change, model);
}

static bool has_place_of(const Node *node, const ModelNode *source) {
  Node original = *node;
  world_place_part(&original, source);
  return vec3_equals(node->position, original.position) && vec3_equals(node->scale, original.scale) &&
         vec3_equals(node->axis, original.axis) && node->axis_angle == original.axis_angle;
}

// Takes over what the new file has in another way than before.
static void update_part(const Change *change, Node *node, const ModelNode *before, int part) {
  const ModelNode *after = &change->model->nodes[part];
  if (has_place_of(node, before)) world_place_part(node, after);
  if (node->is_visible == !before->is_hidden) node->is_visible = !after->is_hidden;
  if (node->is_pickable == !before->is_unpickable) node->is_pickable = !after->is_unpickable;
}

// --- Parts that are gone ---

void world_free_lost_parts(Memory *memory, ModelInstance *root) {
  for (int i = 0; i < root->lost_parts.count; i++)
    memory_free(memory, root->lost_parts.items[i].name);
  array_free(memory, &root->lost_parts);
}

static void lose_part(const Change *change, Handle root, int old_part) {
  World *world = change->world;
  const ModelNode *source = &change->old->nodes[old_part];
  LostPart lost = {.node = change->old_nodes[old_part], .source = *source, .found = -1};
  lost.name = memory_copy_string(world->memory, source->name ? source->name : "");
  if (!lost.name || !array_push(world->memory, &world_model(world, root)->lost_parts, lost)) {
    memory_free(world->memory, lost.name);
    world->is_out_of_memory = true;
  }
  Node *node = scene_get(&world->scene, lost.node);
  if (!node) return;
  world_change_light_and_camera(world, node, change->old, old_part, change->model, -1);
  show_part(change, root, lost.node, -1);
}

static void find_lost_parts(Change *change, Handle root) {
  ModelInstance *model = world_model(change->world, root);
  for (int i = 0; i < model->lost_parts.count; i++) {
    LostPart *lost = &model->lost_parts.items[i];
    lost->found = change->is_single ? -1 : find_free_part(change, lost->name);
    if (lost->found < 0) continue;
    change->lost[lost->found] = i + 1;
    if (scene_get(&change->world->scene, lost->node)) change->nodes[lost->found] = lost->node;
  }
}

static void forget_found_parts(World *world, Handle root) {
  ModelInstance *model = world_model(world, root);
  int kept = 0;
  for (int i = 0; i < model->lost_parts.count; i++) {
    LostPart *lost = &model->lost_parts.items[i];
    if (lost->found < 0)
      model->lost_parts.items[kept++] = *lost;
    else
      memory_free(world->memory, lost->name);
  }
  model->lost_parts.count = kept;
}

// --- The parts of one root ---

static Handle node_of(const Handle *nodes, int part, Handle root) {
  return part >= 0 ? nodes[part] : root;
}

static void list_nodes(Change *change, Handle root) {
  const Scene *scene = &change->world->scene;
  memset(change->nodes, 0, (size_t)change->model->node_count * sizeof *change->nodes);
  memset(change->lost, 0, (size_t)change->model->node_count * sizeof *change->lost);
  memset(change->old_nodes, 0, (size_t)change->old->node_count * sizeof *change->old_nodes);
  for (Node *node = scene_get(scene, scene->first_made); node; node = scene_get(scene, node->next_made)) {
    if (!node->is_part || node->part < 0 || !handle_equals(node->part_of, root)) continue;
    int part = change->new_of_old[node->part];
    change->old_nodes[node->part] = node->handle;
    if (part >= 0 && !change->is_single) change->nodes[part] = node->handle;
  }
  find_lost_parts(change, root);
}

// Whether the new file has a part somewhere else in its tree, and no script has moved it before.
static bool is_moved(const Change *change, Handle root, int part) {
  const Node *node = scene_get(&change->world->scene, change->nodes[part]);
  int old_part = change->old_of_new[part];
  if (!node || old_part < 0 || !handle_equals(change->old_nodes[old_part], node->handle)) return false;
  Handle before = node_of(change->old_nodes, change->old->nodes[old_part].parent, root);
  Handle after = node_of(change->nodes, change->model->nodes[part].parent, root);
  return handle_equals(node->parent, before) && after.generation && !handle_equals(before, after);
}

// Another parent with the same place relative to it.
static void move_below(Scene *scene, Handle handle, Handle parent) {
  Node before = *scene_get(scene, handle), *node = scene_get(scene, handle);
  if (!scene_set_parent(scene, handle, parent, NULL)) return;
  node->position = before.position;
  node->scale = before.scale;
  node->has_heading = before.has_heading;
  node->heading = before.heading;
  node->axis = before.axis;
  node->axis_angle = before.axis_angle;
  node->rotation = before.rotation;
}

// First all come off, then each goes to its place: two may have changed places with each other.
static void move_parts(Change *change, Handle root, bool *moves) {
  Scene *scene = &change->world->scene;
  for (int i = 0; i < change->model->node_count; i++)
    moves[i] = is_moved(change, root, i);
  for (int i = 0; i < change->model->node_count; i++) {
    if (moves[i]) move_below(scene, change->nodes[i], root);
  }
  for (int i = 0; i < change->model->node_count; i++) {
    if (moves[i]) move_below(scene, change->nodes[i], node_of(change->nodes, change->model->nodes[i].parent, root));
  }
}

static bool add_part(const Change *change, Handle root, int part) {
  World *world = change->world;
  const ModelInstance *top = world_model(world, root);
  Error error = {0};
  PartDesc desc = {.root = root,
                   .parent = node_of(change->nodes, change->model->nodes[part].parent, root),
                   .asset = change->asset,
                   .index = part,
                   .skin = top->skin,
                   .collide = top->collide};
  // Below a part that a script has removed nothing grows.
  if (!desc.parent.generation) return true;
  if (!world_add_part(world, &desc, &change->nodes[part], &error)) {
    leave_out(change, &error);
    return false;
  }
  ModelInstance *model = world_model(world, change->nodes[part]);
  if (!model) return true;
  model->geometry = part_geometry(change, world_model(world, root), part);
  world_sync_collider(world, model);
  return true;
}

static void change_parts(Change *change, Handle root, bool was_single) {
  World *world = change->world;
  list_nodes(change, root);
  for (int i = 0; i < change->old->node_count; i++) {
    // The file of one mesh that vertex frames move, too, has nodes, but none of them are parts.
    if (!was_single && (change->new_of_old[i] < 0 || change->is_single)) lose_part(change, root, i);
  }
  if (change->is_single) return;
  bool *moves = memory_alloc_array(world->memory, (size_t)change->model->node_count, sizeof *moves);
  if (moves)
    move_parts(change, root, moves);
  else
    world->is_out_of_memory = true;
  memory_free(world->memory, moves);
  bool has_room = true;
  for (int i = 0; i < change->model->node_count; i++) {
    int old_part = change->old_of_new[i];
    if (change->lost[i] && change->nodes[i].generation) {
      const LostPart *lost = &world_model(world, root)->lost_parts.items[change->lost[i] - 1];
      update_part(change, scene_get(&world->scene, lost->node), &lost->source, i);
      show_part(change, root, lost->node, i);
    } else if (change->nodes[i].generation) {
      Node *node = scene_get(&world->scene, change->nodes[i]);
      update_part(change, node, &change->old->nodes[old_part], i);
      world_change_light_and_camera(world, node, change->old, old_part, change->model, i);
      show_part(change, root, change->nodes[i], i);
    } else if (has_room && !change->lost[i] && (old_part < 0 || was_single)) {
      has_room = add_part(change, root, i);
    }
  }
  forget_found_parts(world, root);
}

// --- Roots ---

// `tall` holds for the new first frame too, unless a script has scaled the node since.
static void keep_tall(const Change *change, ModelInstance *model, Node *node) {
  Bounds before = change->before->rest_bounds, after = change->asset->rest_bounds;
  if (!(model->tall > 0) || bounds_is_empty(before) || bounds_is_empty(after)) return;
  Vec3 asked = model->asked_scale;
  float height = before.max.y - before.min.y;
  if (vec3_equals(node->scale, vec3_scale(asked, model->tall / (height * fabsf(asked.y))))) {
    node->scale = asked;
    world_make_tall(model, node, model->tall);
  }
  Vec3 lift = affine_vector(model->geometry, vec3(0, before.min.y - after.min.y, 0));
  model->geometry.origin = vec3_add(model->geometry.origin, lift);
}

// What is attached to a root is moved by the root's geometry, and shows its frames as long as both have some.
static void change_attached(const Change *change, Handle host, Affine before) {
  World *world = change->world;
  Affine after = world_model(world, host)->geometry, inverse;
  for (int i = 0; i < world->models.count; i++) {
    ModelInstance *model = &world->models.items[i];
    if (!model->host.generation || !handle_equals(model->host, host)) continue;
    if (memcmp(&before, &after, sizeof before) != 0 && affine_invert(before, &inverse))
      model->geometry = affine_mul(after, affine_mul(inverse, model->geometry));
    if (!change->is_single) world_leave_host(world, model);
  }
}

static void change_root(Change *change, Handle root) {
  World *world = change->world;
  ModelInstance *model = world_model(world, root);
  Affine geometry = model->geometry;
  bool was_single = model->mesh >= 0;
  world_rest_rig(world, model, change->old);
  model->mesh = change->is_single ? 0 : -1;
  keep_tall(change, model, scene_get(&world->scene, root));
  animation_change_model(&model->animation, world->memory, change->old, change->model);
  if (!change->is_single && model->host.generation) {
    model->host = (Handle){0};
    animation_set_frame(&model->animation, 0);
  }
  make_collider(change, model);
  change_parts(change, root, was_single);
  Error error = {0};
  if (!world_link_rig(world, root, &error)) leave_out(change, &error);
  change_attached(change, root, geometry);
  Character *character = world_character(world, root);
  if (character) world_measure_again(world, character);
}

// A part whose root was removed while it had another parent.
static bool is_orphan(const World *world, const Node *node) {
  return node->is_part && !scene_get(&world->scene, node->part_of);
}

static void change_nodes(Change *change) {
  World *world = change->world;
  // Nodes that are added on the way come last, and are parts.
  for (Handle at = world->scene.first_made; scene_get(&world->scene, at);) {
    const Node *node = scene_get(&world->scene, at);
    const ModelInstance *model = world_model(world, at);
    if (model && model->asset == change->asset) {
      if (!node->is_part)
        change_root(change, at);
      else if (is_orphan(world, node))
        show_part(change, (Handle){0}, at, change->is_single ? -1 : change->new_of_old[node->part]);
    }
    at = scene_get(&world->scene, at)->next_made;
  }
}

// Without memory to find out what belongs where, nothing that may be wrong is shown.
static void hide_parts(Change *change) {
  World *world = change->world;
  world->is_out_of_memory = true;
  for (Node *node = scene_get(&world->scene, world->scene.first_made); node;
       node = scene_get(&world->scene, node->next_made)) {
    ModelInstance *model = world_model(world, node->handle);
    const ModelInstance *root = node->is_part ? world_model(world, node->part_of) : NULL;
    if (root && root->asset == change->asset) node->part = -1;
    if (!model || model->asset != change->asset) continue;
    animation_change_model(&model->animation, world->memory, change->old, change->model);
    if (node->is_part) {
      world_take_mesh(world, node);
    } else {
      world_free_rig(world->memory, &model->rig);
      model->host = (Handle){0};
      model->mesh = change->is_single ? 0 : -1;
      make_collider(change, model);
    }
  }
}

// What else follows from the shapes.
static void settle(const Change *change) {
  World *world = change->world;
  for (int i = 0; i < world->models.count; i++) {
    ModelInstance *model = &world->models.items[i];
    const ModelInstance *host = model->host.generation ? world_model(world, model->host) : NULL;
    if (host && (model->asset == change->asset || host->asset == change->asset)) {
      model->animation.pose = world_pose(world, model);
      model->animation.previous_pose = model->animation.pose;
    }
    bool is_placed = model->mesh >= 0 && !scene_get(&world->scene, model->node)->is_new;
    if (is_placed && model->asset == change->asset) model->bounds = world_loose_bounds(world, model);
  }
  world->posed_instance = -1;
  world->has_ground_changed = true;
  world->needs_refit = true;
}

static bool shows(const World *world, const ModelAsset *asset) {
  for (int i = 0; i < world->models.count; i++) {
    if (world->models.items[i].asset == asset) return true;
  }
  return false;
}

void world_change_model(void *user, ModelAsset *asset, const ModelAsset *old) {
  World *world = user;
  if (!shows(world, asset)) return;
  Change change = {.world = world,
                   .asset = asset,
                   .before = old,
                   .old = old->model,
                   .model = asset->model,
                   .is_single = world_is_vertex_animated(asset->model)};
  if (prepare(&change))
    change_nodes(&change);
  else
    hide_parts(&change);
  free_change(&change);
  settle(&change);
}
