// The state of the simulation as one number. This file is the list of what belongs to the state: named fields in the order
// of making, floats as their bits, never whole structs (padding), pointers, or anything of Lua or the GPU.
#include <string.h>

#include "engine/world.h"

#define FNV_PRIME 1099511628211u

typedef struct Hash {
  uint64_t value;
} Hash;

static void add_bits(Hash *hash, uint64_t bits, int byte_count) {
  for (int i = 0; i < byte_count; i++) {
    hash->value ^= (bits >> (8 * i)) & 0xff;
    hash->value *= FNV_PRIME;
  }
}

static void add_int(Hash *hash, int64_t value) {
  add_bits(hash, (uint64_t)value, 8);
}

static void add_float(Hash *hash, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  add_bits(hash, bits, 4);
}

static void add_vec3(Hash *hash, Vec3 v) {
  add_float(hash, v.x);
  add_float(hash, v.y);
  add_float(hash, v.z);
}

static void add_affine(Hash *hash, Affine a) {
  add_vec3(hash, a.x);
  add_vec3(hash, a.y);
  add_vec3(hash, a.z);
  add_vec3(hash, a.origin);
}

static void add_text(Hash *hash, const char *text) {
  for (; text && *text; text++)
    add_bits(hash, (unsigned char)*text, 1);
  add_bits(hash, 0, 1);
}

static void add_handle(Hash *hash, Handle handle) {
  add_bits(hash, handle.index, 4);
  add_bits(hash, handle.generation, 4);
}

static void add_node(Hash *hash, const Node *node) {
  add_int(hash, node->kind);
  add_text(hash, node->name);
  add_handle(hash, node->parent);
  add_vec3(hash, node->position);
  add_vec3(hash, node->axis);
  add_float(hash, node->axis_angle);
  add_vec3(hash, node->scale);
  add_affine(hash, node->world);
  add_int(hash, node->is_visible);
  add_int(hash, node->is_pickable);
}

static void add_model(Hash *hash, const ModelInstance *model) {
  const Animation *animation = &model->animation;
  add_int(hash, animation->clip);
  add_float(hash, animation->time);
  add_float(hash, animation->speed);
  add_float(hash, animation->frame);
  add_float(hash, animation->fade);
  add_float(hash, animation->fade_left);
  add_int(hash, animation->fade_frame);
  add_int(hash, animation->loops);
  add_int(hash, animation->is_playing);
  add_handle(hash, model->host);
  for (int i = 0; i < animation->markers.count; i++) {
    add_int(hash, animation->markers.items[i].clip);
    add_float(hash, animation->markers.items[i].time);
    add_text(hash, animation->markers.items[i].name);
  }
}

static void add_camera(Hash *hash, const CameraInstance *camera) {
  add_int(hash, camera->kind);
  add_int(hash, camera->mode);
  add_handle(hash, camera->follow);
  add_handle(hash, camera->target_node);
  add_vec3(hash, camera->target);
  add_float(hash, camera->size);
  add_float(hash, camera->fov);
  add_float(hash, camera->distance);
  add_float(hash, camera->orbit_heading);
  add_float(hash, camera->orbit_pitch);
}

static void add_character(Hash *hash, const Character *character) {
  const Goal *goal = &character->goal;
  add_float(hash, character->health);
  add_int(hash, character->is_dead);
  add_float(hash, character->pitch);
  add_vec3(hash, character->mover.position);
  add_vec3(hash, character->mover.velocity);
  add_int(hash, character->mover.on_ground);
  add_int(hash, character->has_moved);
  add_int(hash, character->is_resting);
  add_float(hash, character->speed);
  add_float(hash, character->turn_rate);
  add_float(hash, character->arrive);
  add_float(hash, character->jump_speed);
  add_float(hash, character->shape.radius);
  add_float(hash, character->shape.height);
  add_int(hash, goal->kind);
  for (int i = 0; i < goal->point_count; i++)
    add_vec3(hash, goal->points[i]);
  add_vec3(hash, goal->point);
  add_handle(hash, goal->node);
  add_float(hash, goal->distance);
  add_int(hash, goal->next_point);
  add_int(hash, goal->has_arrived);
  add_float(hash, goal->settling);
}

static void add_event(Hash *hash, const WorldEvent *event) {
  add_int(hash, event->kind);
  add_handle(hash, event->node);
  add_handle(hash, event->other);
  add_text(hash, event->name);
  add_text(hash, event->part);
  add_text(hash, event->material);
  add_text(hash, event->marker);
  add_float(hash, event->damage);
  add_vec3(hash, event->hit.point);
}

uint64_t world_hash(const World *world, uint64_t seed) {
  Hash hash = {seed};
  add_int(&hash, world->step);
  add_int(&hash, (int64_t)world->random.state);
  add_float(&hash, world->desc.gravity);
  add_handle(&hash, world->camera);
  for (const Node *node = scene_get(&world->scene, world->scene.first_made); node;
       node = scene_get(&world->scene, node->next_made)) {
    add_node(&hash, node);
    if (node->model >= 0) add_model(&hash, &world->models.items[node->model]);
    if (node->camera >= 0) add_camera(&hash, &world->cameras.items[node->camera]);
    if (node->character >= 0) add_character(&hash, &world->characters.items[node->character]);
  }
  for (int i = 0; i < world->events.count; i++)
    add_event(&hash, &world->events.items[i]);
  for (int i = 0; i < world->shots.count; i++)
    add_event(&hash, &world->shots.items[i]);
  // Who touches whom decides which touches are new in the next step.
  for (int i = 0; i < world->touching.count; i++) {
    add_handle(&hash, world->touching.items[i].a);
    add_handle(&hash, world->touching.items[i].b);
  }
  return hash.value;
}
