// Worlds whose models change while they are shown.
#include "engine/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/toy_game.h"

#define TRIANGLE(y) "v 0 " #y " 0\nv 1 " #y " 0\nv 1 " #y " -1\nf -3 -2 -1\n"

static const uint8_t RED[4] = {255, 0, 0, 255};

static World *open_world(ToyGame *game) {
  WorldDesc desc = {.gravity = 9.81f, .step_seconds = 0.05f, .limits = {1000, 100}};
  World *world = world_create(&game->stage.memory, game->assets, &desc, &game->error);
  if (!world) fail_msg("%s", game->error.text);
  return world;
}

static ModelDesc model_desc(const char *path) {
  return (ModelDesc){.place = {.name = "thing", .scale = {1, 1, 1}}, .model = path, .frame = -1};
}

static Handle add(ToyGame *game, World *world, const ModelDesc *desc) {
  Handle node;
  if (!world_add_model(world, desc, &node, &game->error)) fail_msg("%s", game->error.text);
  return node;
}

static void step(ToyGame *game, World *world) {
  world_begin_step(world);
  if (!world_end_step(world, &game->error)) fail_msg("%s", game->error.text);
}

static void play(const World *world, Handle node, const char *clip) {
  ModelInstance *model = world_model(world, node);
  int index = model_find_clip(model->asset->model, clip);
  assert_true(index >= 0);
  animation_play(&model->animation, model->asset->model, index, &(PlayOptions){0});
}

static const char *clip_of(const World *world, Handle node) {
  const ModelInstance *model = world_model(world, node);
  return model->animation.clip >= 0 ? model->asset->model->clips[model->animation.clip].name : "";
}

// Marks frame 1 of a clip; returns how often it was passed in so many steps.
static int count_markers(ToyGame *game, World *world, int steps) {
  int count = 0;
  for (int i = 0; i < steps; i++) {
    step(game, world);
    for (int k = 0; k < world->events.count; k++)
      count += world->events.items[k].kind == EVENT_KIND_MARKER;
  }
  return count;
}

static Handle part(const World *world, const char *name) {
  Handle handle = scene_find(&world->scene, name);
  if (!handle.generation) fail_msg("there is no part %s", name);
  return handle;
}

static Node *node_of(const World *world, Handle handle) {
  Node *node = scene_get(&world->scene, handle);
  assert_non_null(node);
  return node;
}

// The height of what is met on the way down, or -1.
static float ground_at(World *world, float x, float z, const char **name) {
  WorldHit hit;
  RayQuery query = {.from = {x, 50, z}, .direction = {0, -1, 0}, .range = 100, .hits_backfaces = true};
  if (!world_raycast(world, &query, &hit)) return -1;
  *name = scene_get(&world->scene, hit.part_node)->name;
  return hit.point.y;
}

static float swept_ground_at(World *world, float x, float z) {
  WorldHit hit;
  SweepQuery query = {.from = {x, 50, z}, .to = {x, -50, z}, .radius = 0.01f};
  return world_sweep(world, &query, &hit) ? hit.point.y : -1;
}

// --- Clips ---

static void clips_go_on_by_name(void **state) {
  ToyGame *game = *state;
  World *world = open_world(game);
  toy_write_md2(game, "man.md2", "stand1 stand2 run1 run2 run3", 2);
  ModelDesc desc = model_desc("man.md2");
  desc.place.position = vec3(3, 4, 5);
  Handle man = add(game, world, &desc), other = add(game, world, &desc);
  play(world, man, "run");
  play(world, other, "stand");
  for (int i = 0; i < 3; i++)
    step(game, world);
  Animation *animation = &world_model(world, man)->animation;
  float time = animation->time;
  assert_true(time > 0.1f);
  toy_write_md2(game, "man.md2", "new1 run1 run2 run3 run4 stand1", 2);
  assert_int_equal(toy_reload(game, "man.md2"), 1);
  assert_string_equal(clip_of(world, man), "run");
  assert_true(animation->time == time && animation->is_playing && animation->loops);
  assert_int_equal(animation->pose.frame_a, 1 + (int)(time * 10));
  // A clip of one frame is shorter than the time that was reached.
  assert_string_equal(clip_of(world, other), "stand");
  assert_int_equal(world_model(world, other)->animation.pose.frame_a, 5);
  assert_true(vec3_equals(node_of(world, man)->position, vec3(3, 4, 5)));
  assert_string_equal(node_of(world, man)->name, "thing");
  toy_write_md2(game, "man.md2", "stand1 stand2", 2);
  toy_reload(game, "man.md2");
  assert_string_equal(clip_of(world, man), "");
  assert_false(animation->is_playing);
  assert_int_equal(animation->pose.frame_a, 0);
  step(game, world);
  // It starts anew when it is back, unless something else was asked for.
  animation_set_frame(&world_model(world, other)->animation, 1);
  toy_write_md2(game, "man.md2", "new1 run1 run2 stand1 stand2", 2);
  toy_reload(game, "man.md2");
  assert_string_equal(clip_of(world, man), "run");
  assert_true(animation->time == 0 && animation->is_playing && animation->loops);
  assert_string_equal(clip_of(world, other), "");
  step(game, world);
  assert_true(animation->time > 0);
  world_free(world);
}

static void frames_that_are_gone_show_the_last(void **state) {
  ToyGame *game = *state;
  World *world = open_world(game);
  toy_write_md2(game, "man.md2", "a1 a2 a3 a4 b1", 2);
  ModelDesc desc = model_desc("man.md2");
  desc.frame = 4;
  Handle still = add(game, world, &desc);
  desc.frame = -1;
  Handle fading = add(game, world, &desc);
  animation_set_frame(&world_model(world, fading)->animation, 4);
  animation_update_pose(&world_model(world, fading)->animation, world_model(world, fading)->asset->model);
  animation_play(&world_model(world, fading)->animation, world_model(world, fading)->asset->model, 0,
                 &(PlayOptions){.fade = 5});
  step(game, world);
  toy_write_md2(game, "man.md2", "a1 a2", 2);
  toy_reload(game, "man.md2");
  assert_int_equal(world_model(world, still)->animation.pose.frame_a, 1);
  assert_in_range(world_model(world, fading)->animation.pose.frame_a, 0, 1);
  assert_in_range(world_model(world, fading)->animation.pose.frame_b, 0, 1);
  assert_non_null(world_posed_positions(world, world_model(world, still)));
  step(game, world);
  world_free(world);
}

static void markers_belong_to_clips_by_name(void **state) {
  ToyGame *game = *state;
  World *world = open_world(game);
  toy_write_md2(game, "man.md2", "a1 a2 a3 b1 b2", 2);
  ModelDesc desc = model_desc("man.md2");
  Handle man = add(game, world, &desc);
  ModelInstance *model = world_model(world, man);
  int clip = model_find_clip(model->asset->model, "b");
  assert_true(
      animation_add_marker(&model->animation, world->memory, model->asset->model, clip, 1, "now", &game->error));
  play(world, man, "b");
  assert_int_equal(count_markers(game, world, 8), 2);
  toy_write_md2(game, "man.md2", "b1 b2 a1 a2 a3", 2);
  toy_reload(game, "man.md2");
  assert_int_equal(count_markers(game, world, 8), 2);
  // Gone with its clip, the marker comes back with it.
  toy_write_md2(game, "man.md2", "a1 a2 a3", 2);
  toy_reload(game, "man.md2");
  toy_reload(game, "man.md2");
  play(world, man, "a");
  assert_int_equal(count_markers(game, world, 8), 0);
  toy_write_md2(game, "man.md2", "a1 b1 b2", 2);
  toy_reload(game, "man.md2");
  assert_int_equal(count_markers(game, world, 8), 0);
  play(world, man, "b");
  assert_int_equal(count_markers(game, world, 8), 2);
  world_free(world);
}

static void selections_of_frames_hold(void **state) {
  ToyGame *game = *state;
  World *world = open_world(game);
  const int two[] = {1, 3};
  toy_write_md2(game, "man.md2", "a1 a2 b1 b2", 2);
  ModelDesc desc = model_desc("man.md2");
  desc.frames = (FrameSelection){two, 2};
  desc.frame = 3;
  Handle man = add(game, world, &desc);
  toy_write_md2(game, "man.md2", "x1 x2 a1 a2 b1 b2", 2);
  toy_reload(game, "man.md2");
  const ModelInstance *model = world_model(world, man);
  assert_int_equal(model->asset->model->meshes[0].frames.frame_count, 2);
  assert_int_equal(world_file_frame(model, model->animation.pose.frame_a), 3);
  world_free(world);
}

// --- Parts ---

static const char TWO_PARTS[] = "o floor\n" TRIANGLE(0) "o roof\n" TRIANGLE(3);
static const char OTHER_PARTS[] = "o door\n" TRIANGLE(1) "o floor\n" TRIANGLE(-2);

static void parts_go_on_by_name(void **state) {
  ToyGame *game = *state;
  World *world = open_world(game);
  const char *name = NULL;
  toy_write(game, "house.obj", TWO_PARTS);
  ModelDesc desc = model_desc("house.obj");
  desc.collide = COLLIDE_MESH;
  Handle house = add(game, world, &desc), floor = part(world, "floor"), roof = part(world, "roof");
  step(game, world);
  assert_true(ground_at(world, 0.7f, -0.1f, &name) == 3);
  toy_write(game, "house.obj", OTHER_PARTS);
  assert_int_equal(toy_reload(game, "house.obj"), 1);
  step(game, world);
  Handle door = part(world, "door");
  assert_true(handle_equals(part(world, "floor"), floor));
  assert_true(handle_equals(node_of(world, door)->parent, house));
  // The roof stays as a node, without a mesh.
  assert_null(world_model(world, roof));
  assert_string_equal(node_of(world, roof)->name, "roof");
  assert_true(ground_at(world, 0.7f, -0.1f, &name) == 1);
  assert_string_equal(name, "door");
  assert_true(swept_ground_at(world, 0.7f, -0.1f) == 1);
  node_of(world, door)->is_pickable = false;
  assert_true(ground_at(world, 0.7f, -0.1f, &name) == -2);
  // It comes back to the same node, wherever that is by now.
  node_of(world, roof)->position = vec3(0, 10, 0);
  toy_write(game, "house.obj", TWO_PARTS);
  toy_reload(game, "house.obj");
  step(game, world);
  assert_true(handle_equals(part(world, "roof"), roof));
  assert_true(ground_at(world, 0.7f, -0.1f, &name) == 13);
  assert_true(swept_ground_at(world, 0.7f, -0.1f) == 13);
  assert_null(world_model(world, door));
  assert_int_equal(world->static_collider_count, 2);
  world_remove(world, house);
  assert_int_equal(world->static_collider_count, 0);
  world_free(world);
}

// Nodes that show a triangle, whose three positions are given as text of base 64.
#define GLTF(positions, nodes)                                                                            \
  "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":36,\"uri\":\"data:;base64," positions    \
  "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,"             \
  "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{\"attributes\":{" \
  "\"POSITION\":0}}]}],\"nodes\":[" nodes "]}"
#define FLAT_GLTF(nodes) GLTF("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", nodes)
#define FLAT_NODE(name, x) "{\"name\":\"" name "\",\"mesh\":0,\"translation\":[" #x ",0,0]}"

static void lost_parts_come_back_as_the_file_has_them(void **state) {
  ToyGame *game = *state;
  World *world = open_world(game);
  const char *all = FLAT_GLTF(FLAT_NODE("a", 1) "," FLAT_NODE("b", 2) "," FLAT_NODE("c", 3) "," FLAT_NODE("d", 4));
  toy_write(game, "row.gltf", all);
  ModelDesc desc = model_desc("row.gltf");
  Handle row = add(game, world, &desc), b = part(world, "b"), c = part(world, "c");
  // A script renames one, moves one and removes one, before they are lost.
  assert_true(scene_set_name(&world->scene, node_of(world, b), "mine", &game->error));
  node_of(world, c)->position = vec3(0, 9, 0);
  world_remove(world, part(world, "d"));
  toy_write(game, "row.gltf", FLAT_GLTF(FLAT_NODE("a", 1)));
  toy_reload(game, "row.gltf");
  assert_null(world_model(world, b));
  assert_null(world_model(world, c));
  toy_write(game, "row.gltf",
            FLAT_GLTF(FLAT_NODE("d", 40) "," FLAT_NODE("c", 30) "," FLAT_NODE("b", 20) "," FLAT_NODE("a", 10)));
  toy_reload(game, "row.gltf");
  assert_non_null(world_model(world, b));
  assert_string_equal(node_of(world, b)->name, "mine");
  assert_true(vec3_equals(node_of(world, b)->position, vec3(20, 0, 0)));
  assert_non_null(world_model(world, c));
  assert_true(vec3_equals(node_of(world, c)->position, vec3(0, 9, 0)));
  assert_int_equal(scene_find(&world->scene, "b").generation, 0);
  assert_int_equal(scene_find(&world->scene, "d").generation, 0);
  // And once more, so that nothing is remembered that is there again.
  toy_write(game, "row.gltf", all);
  toy_reload(game, "row.gltf");
  assert_true(vec3_equals(node_of(world, b)->position, vec3(2, 0, 0)));
  assert_int_equal(scene_find(&world->scene, "d").generation, 0);
  assert_int_equal(world_model(world, row)->lost_parts.count, 0);
  toy_write(game, "row.gltf", FLAT_GLTF(FLAT_NODE("a", 1)));
  toy_reload(game, "row.gltf");
  step(game, world);
  world_free(world);
}

// From y = 1 to 5, twice as high by its node.
#define HIGH_GLTF GLTF("AAAAAAAAgD8AAAAAAACAPwAAgD8AAAAAAAAAAAAAoEAAAAAA", "{\"mesh\":0,\"scale\":[1,2,1]}")

static void tall_holds_from_one_format_to_another(void **state) {
  ToyGame *game = *state;
  World *world = open_world(game);
  toy_write_md2(game, "thing.gltf", "stand1", 4);
  ModelDesc desc = model_desc("thing.gltf");
  desc.tall = 2;
  Handle thing = add(game, world, &desc);
  float scale = node_of(world, thing)->scale.y;
  assert_true(fabsf(scale - 0.5f) < 1e-5f);
  toy_write(game, "thing.gltf", HIGH_GLTF);
  toy_reload(game, "thing.gltf");
  assert_true(fabsf(node_of(world, thing)->scale.y - 0.25f) < 1e-5f);
  toy_write_md2(game, "thing.gltf", "stand1", 4);
  toy_reload(game, "thing.gltf");
  assert_true(fabsf(node_of(world, thing)->scale.y - 0.5f) < 1e-5f);
  world_free(world);
}

static void what_a_script_changed_on_parts_stays(void **state) {
  ToyGame *game = *state;
  World *world = open_world(game);
  toy_write(game, "house.obj", TWO_PARTS);
  toy_write_png(game, "one.png", 2, 2, RED);
  toy_write_png(game, "two.png", 2, 2, RED);
  ModelDesc desc = model_desc("house.obj");
  desc.skin = "one.png";
  Handle house = add(game, world, &desc), floor = part(world, "floor"), roof = part(world, "roof");
  assert_true(world_set_skin(world, roof, "two.png", &game->error));
  assert_true(scene_set_name(&world->scene, node_of(world, floor), "ground", &game->error));
  node_of(world, floor)->position = vec3(5, 0, 0);
  node_of(world, floor)->is_visible = false;
  Handle lamp;
  Placement place = {.name = "lamp", .parent = roof, .scale = {1, 1, 1}};
  assert_true(world_add_group(world, &place, &lamp, &game->error));
  toy_write(game, "house.obj", "o wall\n" TRIANGLE(1) "o roof\n" TRIANGLE(1) "o floor\n" TRIANGLE(2));
  toy_reload(game, "house.obj");
  assert_string_equal(node_of(world, floor)->name, "ground");
  assert_true(node_of(world, floor)->position.x == 5 && !node_of(world, floor)->is_visible);
  assert_string_equal(world_model(world, floor)->skin->path, "one.png");
  assert_string_equal(world_model(world, roof)->skin->path, "two.png");
  assert_string_equal(world_model(world, part(world, "wall"))->skin->path, "one.png");
  assert_true(handle_equals(node_of(world, lamp)->parent, roof));
  // What a script removed does not come back.
  world_remove(world, roof);
  toy_reload(game, "house.obj");
  assert_false(scene_find(&world->scene, "roof").generation != 0);
  // What it took out of the model goes on, without the model too.
  Handle wall = part(world, "wall");
  assert_true(world_set_parent(world, wall, (Handle){0}, &game->error));
  toy_reload(game, "house.obj");
  world_remove(world, house);
  toy_write(game, "house.obj", TWO_PARTS);
  toy_reload(game, "house.obj");
  assert_null(world_model(world, wall));
  step(game, world);
  world_free(world);
}

static void parts_follow_the_tree_of_the_file(void **state) {
  ToyGame *game = *state;
  World *world = open_world(game);
  toy_write(game, "tree.obj", "o a\n" TRIANGLE(0) "g leaf\n" TRIANGLE(1) "o b\n" TRIANGLE(2));
  ModelDesc desc = model_desc("tree.obj");
  Handle root = add(game, world, &desc), leaf = part(world, "leaf");
  assert_true(handle_equals(node_of(world, leaf)->parent, part(world, "a")));
  node_of(world, leaf)->position = vec3(1, 2, 3);
  toy_write(game, "tree.obj", "o b\n" TRIANGLE(0) "g leaf\n" TRIANGLE(1) "o a\n" TRIANGLE(2));
  toy_reload(game, "tree.obj");
  assert_true(handle_equals(node_of(world, leaf)->parent, part(world, "b")));
  assert_true(vec3_equals(node_of(world, leaf)->position, vec3(1, 2, 3)));
  // The parent goes, and takes its children along only in the file.
  toy_write(game, "tree.obj", "g leaf\n" TRIANGLE(1));
  toy_reload(game, "tree.obj");
  assert_true(handle_equals(node_of(world, leaf)->parent, root));
  // Moved by a script it stays there.
  assert_true(world_set_parent(world, leaf, part(world, "a"), &game->error));
  toy_write(game, "tree.obj", "o b\n" TRIANGLE(0) "g leaf\n" TRIANGLE(1));
  toy_reload(game, "tree.obj");
  assert_true(handle_equals(node_of(world, leaf)->parent, part(world, "a")));
  step(game, world);
  world_free(world);
}

static void a_file_may_become_another_kind_of_model(void **state) {
  ToyGame *game = *state;
  World *world = open_world(game);
  toy_write_md2(game, "thing.obj", "a1 a2", 2);
  ModelDesc desc = model_desc("thing.obj");
  desc.collide = COLLIDE_BOX;
  Handle thing = add(game, world, &desc);
  Handle hat, weapon;
  assert_true(world_attach(world, thing, &desc, &weapon, &game->error));
  ModelDesc other = model_desc("hat.md2");
  toy_write_md2(game, "hat.md2", "a1 a2", 1);
  assert_true(world_attach(world, thing, &other, &hat, &game->error));
  play(world, thing, "a");
  step(game, world);
  for (int round = 0; round < 3; round++) {
    toy_write(game, "thing.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\no left\nf 1 2 3\no right\nf 1 2 3\n");
    toy_reload(game, "thing.obj");
    assert_int_equal(world_model(world, thing)->mesh, -1);
    assert_false(world_model(world, hat)->host.generation != 0);
    assert_non_null(world_model(world, part(world, "left")));
    step(game, world);
    toy_write_md2(game, "thing.obj", "a1 a2", 2);
    toy_reload(game, "thing.obj");
    assert_int_equal(world_model(world, thing)->mesh, 0);
    assert_null(world_model(world, part(world, "left")));
    step(game, world);
  }
  world_free(world);
}

// --- What follows from the shape ---

static CharacterDesc character_desc(const char *path) {
  return (CharacterDesc){.model = model_desc(path), .health = 100, .speed = 2, .blocks = true, .slope_limit = 45};
}

static void bodies_are_measured_again(void **state) {
  ToyGame *game = *state;
  World *world = open_world(game);
  toy_write_md2(game, "man.md2", "a1", 2);
  CharacterDesc desc = character_desc("man.md2");
  Handle man, tall, fixed;
  assert_true(world_add_npc(world, &desc, &man, &game->error));
  desc.model.tall = 1.5f;
  assert_true(world_add_npc(world, &desc, &tall, &game->error));
  desc.height = 1.25f;
  desc.radius = 0.25f;
  assert_true(world_add_npc(world, &desc, &fixed, &game->error));
  step(game, world);
  assert_true(fabsf(world_character(world, man)->shape.height - 2) < 1e-5f);
  assert_true(fabsf(node_of(world, tall)->scale.y - 0.75f) < 1e-5f);
  toy_write_md2(game, "man.md2", "a1", 3);
  toy_reload(game, "man.md2");
  step(game, world);
  const Character *character = world_character(world, man);
  assert_true(fabsf(character->shape.height - 3) < 1e-5f && fabsf(character->eye_height - 2.7f) < 1e-5f);
  assert_true(colliders_get(world->colliders, character->collider)->height == character->shape.height);
  assert_true(fabsf(node_of(world, tall)->scale.y - 0.5f) < 1e-5f);
  assert_true(fabsf(world_character(world, tall)->shape.height - 1.5f) < 1e-5f);
  assert_true(world_character(world, fixed)->shape.height == 1.25f);
  assert_true(world_character(world, fixed)->shape.radius == 0.25f);
  // A script's scale is not undone.
  node_of(world, tall)->scale = vec3(2, 2, 2);
  toy_write_md2(game, "man.md2", "a1", 2);
  toy_reload(game, "man.md2");
  assert_true(node_of(world, tall)->scale.y == 2);
  Bounds bounds;
  assert_true(world_node_bounds(world, man, &bounds));
  assert_true(fabsf(bounds.max.y - bounds.min.y - 2) < 1e-4f);
  world_free(world);
}

static void attached_models_follow(void **state) {
  ToyGame *game = *state;
  World *world = open_world(game);
  toy_write_md2(game, "man.md2", "a1 a2 a3", 2);
  toy_write_md2(game, "axe.md2", "a1 a2 a3", 1);
  ModelDesc desc = model_desc("man.md2"), axe = model_desc("axe.md2");
  desc.tall = 1;
  Handle man = add(game, world, &desc), weapon;
  assert_true(world_attach(world, man, &axe, &weapon, &game->error));
  animation_set_frame(&world_model(world, man)->animation, 2);
  step(game, world);
  assert_int_equal(world_model(world, weapon)->animation.pose.frame_a, 2);
  toy_write_md2(game, "axe.md2", "a1 a2", 1);
  toy_reload(game, "axe.md2");
  assert_int_equal(world_model(world, weapon)->animation.pose.frame_a, 1);
  step(game, world);
  toy_write_md2(game, "axe.md2", "a1 a2 a3 a4", 1);
  toy_reload(game, "axe.md2");
  toy_write_md2(game, "man.md2", "a1 a2", 4);
  toy_reload(game, "man.md2");
  assert_int_equal(world_model(world, man)->animation.pose.frame_a, 1);
  assert_int_equal(world_model(world, weapon)->animation.pose.frame_a, 1);
  assert_true(handle_equals(world_model(world, weapon)->host, man));
  Affine own = world_model(world, weapon)->geometry, host = world_model(world, man)->geometry;
  assert_true(vec3_equals(own.origin, host.origin));
  step(game, world);
  world_free(world);
}

// --- All of it at once ---

static void every_world_is_told(void **state) {
  ToyGame *game = *state;
  World *first = open_world(game), *second = open_world(game), *empty = open_world(game);
  toy_write(game, "house.obj", TWO_PARTS);
  ModelDesc desc = model_desc("house.obj");
  add(game, first, &desc);
  add(game, second, &desc);
  world_free(empty);
  toy_write(game, "house.obj", "o floor\n" TRIANGLE(4));
  toy_reload(game, "house.obj");
  World *const worlds[] = {first, second};
  for (int i = 0; i < 2; i++) {
    const char *name = NULL;
    step(game, worlds[i]);
    assert_true(ground_at(worlds[i], 0.7f, -0.1f, &name) == 4);
    assert_null(world_model(worlds[i], part(worlds[i], "roof")));
  }
  world_free(first);
  toy_reload(game, "house.obj");
  world_free(second);
}

static void limits_of_nodes_hold(void **state) {
  ToyGame *game = *state;
  World *world = open_world(game);
  toy_write(game, "house.obj", TWO_PARTS);
  ModelDesc desc = model_desc("house.obj");
  add(game, world, &desc);
  world->scene.limit = world->scene.count + 1;
  toy_write(game, "house.obj", "o a\n" TRIANGLE(0) "o b\n" TRIANGLE(0) "o c\n" TRIANGLE(0));
  toy_reload(game, "house.obj");
  assert_int_equal(world->scene.count, world->scene.limit);
  step(game, world);
  world_free(world);
}

// Takes turns between two states of all files.
static void write_state(ToyGame *game, int odd) {
  toy_write(game, "house.obj", odd ? OTHER_PARTS : TWO_PARTS);
  toy_write_md2(game, "man.md2", odd ? "b1 b2 a1 a2 a3" : "a1 a2", odd ? 3 : 2);
  toy_write_png(game, "skin.png", odd ? 32 : 8, 8, RED);
}

static void fill(ToyGame *game, World *world) {
  ModelDesc house = model_desc("house.obj");
  house.collide = COLLIDE_MESH;
  house.skin = "skin.png";
  CharacterDesc man = character_desc("man.md2");
  man.model.clip = "a";
  man.model.tall = 1.5f;
  Handle node, axe;
  for (int i = 0; i < 3; i++) {
    add(game, world, &house);
    assert_true(world_add_npc(world, &man, &node, &game->error));
    assert_true(world_attach(world, node, &man.model, &axe, &game->error));
  }
  step(game, world);
}

static void reload_all(ToyGame *game) {
  static const char *const PATHS[] = {"house.obj", "man.md2", "skin.png"};
  for (int i = 0; i < 3; i++)
    assert_int_equal(toy_reload(game, PATHS[i]), 1);
}

static void two_hundred_reloads_take_no_memory(void **state) {
  ToyGame *game = *state;
  World *world = open_world(game);
  size_t settled[2] = {0, 0};
  GpuLive live[2] = {{0}};
  write_state(game, 0);
  fill(game, world);
  for (int i = 0; i < 200; i++) {
    int odd = (i + 1) % 2;
    write_state(game, odd);
    reload_all(game);
    step(game, world);
    GpuLive now = gpu_live(game->stage.gpu);
    if (i < 8) {
      settled[odd] = game->stage.memory.live_bytes;
      live[odd] = now;
    }
    assert_int_equal(game->stage.memory.live_bytes, settled[odd]);
    assert_true(now.bytes == live[odd].bytes && now.buffers == live[odd].buffers && now.textures == live[odd].textures);
  }
  assert_int_equal(game->stage.memory.live_bytes, settled[0]);
  world_free(world);
}

// However little memory there is, the world can be stepped and freed afterwards.
static void running_out_of_memory_harms_nobody(void **state) {
  ToyGame *game = *state;
  World *world = open_world(game);
  write_state(game, 0);
  fill(game, world);
  bool has_failed = true;
  for (long i = 1; i < 2000 && has_failed; i++) {
    int reloaded;
    write_state(game, (int)i % 2);
    game->stage.memory.fail_after = i;
    (void)assets_reload(game->assets, "house.obj", &reloaded, &game->error);
    (void)assets_reload(game->assets, "man.md2", &reloaded, &game->error);
    has_failed = game->stage.memory.fail_after <= 0;
    game->stage.memory.fail_after = 0;
    world_begin_step(world);
    bool is_good = world_end_step(world, &game->error);
    if (!is_good) assert_true(has_failed && game->error.is_out_of_memory);
  }
  assert_false(has_failed);
  const char *name;
  assert_true(ground_at(world, 0.7f, -0.1f, &name) >= 0);
  world_free(world);
}

#define TOY_TEST(function) cmocka_unit_test_setup_teardown(function, toy_game_open, toy_game_close)

int main(void) {
  const struct CMUnitTest tests[] = {
      TOY_TEST(clips_go_on_by_name),
      TOY_TEST(frames_that_are_gone_show_the_last),
      TOY_TEST(markers_belong_to_clips_by_name),
      TOY_TEST(selections_of_frames_hold),
      TOY_TEST(parts_go_on_by_name),
      TOY_TEST(lost_parts_come_back_as_the_file_has_them),
      TOY_TEST(tall_holds_from_one_format_to_another),
      TOY_TEST(what_a_script_changed_on_parts_stays),
      TOY_TEST(parts_follow_the_tree_of_the_file),
      TOY_TEST(a_file_may_become_another_kind_of_model),
      TOY_TEST(bodies_are_measured_again),
      TOY_TEST(attached_models_follow),
      TOY_TEST(every_world_is_told),
      TOY_TEST(limits_of_nodes_hold),
      TOY_TEST(two_hundred_reloads_take_no_memory),
      TOY_TEST(running_out_of_memory_harms_nobody),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
