#include "load/own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loaders/loader.h"

typedef struct Opened {
  Memory memory;
  Bytes file;
  const char *path;
  Model *model;
} Opened;

static bool read_companion(void *user, const char *path, Bytes *bytes, Error *error) {
  FILE *file = fopen(path, "rb");
  long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  bytes->data = size < 0 ? NULL : memory_alloc(user, (size_t)size);
  bytes->size = bytes->data ? (size_t)size : 0;
  if (file) rewind(file);
  bool is_good = bytes->data && fread(bytes->data, 1, bytes->size, file) == bytes->size;
  if (file) fclose(file);
  return is_good || error_set(error, "%s: cannot be read", path);
}

static void *open_bytes(const void *bytes, size_t size, const char *file_name) {
  Opened *opened = calloc(1, sizeof *opened);
  if (!opened) return NULL;
  opened->path = file_name;
  opened->file = (Bytes){memory_resize(&opened->memory, NULL, size), size};
  if (!opened->file.data) abort();
  memcpy(opened->file.data, bytes, size);
  return opened;
}

static bool load(void *user) {
  Opened *opened = user;
  Error error = {0};
  LoadRequest request = {
      .memory = &opened->memory, .path = opened->path, .read = read_companion, .read_user = &opened->memory};
  opened->model = model_load(&request, opened->file, &error);
  if (!opened->model) fprintf(stderr, "bench load: %s\n", error.text);
  return opened->model != NULL;
}

// From the engine's axes to the format's.
static Vec3 to_file(const Model *model, Vec3 p) {
  if (strcmp(model->format, "md2") == 0) return vec3(-p.z, -p.x, p.y);
  return strcmp(model->format, "3ds") == 0 ? vec3(p.x, -p.z, p.y) : p;
}

static void tell(const void *user, LoadFacts *facts) {
  const Model *model = ((const Opened *)user)->model;
  load_facts_start(facts);
  for (int i = 0; i < model->mesh_count; i++) {
    const ModelMesh *mesh = &model->meshes[i];
    if (mesh->normals || mesh->frames.frame_count > 0) facts->triangle_count += mesh->index_count / 3;
    Vec3 a = to_file(model, mesh->bounds.min), b = to_file(model, mesh->bounds.max);
    load_facts_add_point(facts, a.x, a.y, a.z);
    load_facts_add_point(facts, b.x, b.y, b.z);
  }
}

static void close_opened(void *user) {
  Opened *opened = user;
  model_free(opened->model);
  if (opened->memory.live_bytes != 0) abort();
  free(opened);
}

const LoadPeer LOAD_PALFREY = {"palfrey", " obj 3ds md2 glb mbj ", open_bytes, load, tell, close_opened};

size_t load_palfrey_peak(const void *opened) {
  return ((const Opened *)opened)->memory.peak_bytes;
}

bool load_palfrey_can(const void *bytes, size_t size, const char *file_name) {
  // Looking does not change the bytes.
  return loader_find((Bytes){(uint8_t *)bytes, size}, file_name, &(Error){0}) != NULL;
}

// ---- The floor

typedef struct Reading {
  const char *path;
  size_t size;
  char *read, *copy;
} Reading;

static void *open_reading(const void *bytes, size_t size, const char *file_name) {
  (void)bytes;
  Reading *reading = calloc(1, sizeof *reading);
  if (reading) *reading = (Reading){.path = file_name, .size = size};
  return reading;
}

static bool read_and_copy(void *user) {
  Reading *reading = user;
  FILE *file = fopen(reading->path, "rb");
  if (!file) return false;
  setvbuf(file, NULL, _IONBF, 0);
  reading->read = malloc(reading->size);
  reading->copy = malloc(reading->size);
  bool is_good = reading->read && reading->copy && fread(reading->read, 1, reading->size, file) == reading->size;
  if (is_good) memcpy(reading->copy, reading->read, reading->size);
  fclose(file);
  return is_good;
}

static void close_reading(void *user) {
  Reading *reading = user;
  free(reading->read);
  free(reading->copy);
  free(reading);
}

const LoadPeer LOAD_FLOOR = {"floor", " obj 3ds md2 glb mbj ", open_reading, read_and_copy, NULL, close_reading};
