#include "engine/model_cache.h"

#include <stdio.h>
#include <string.h>

#include "hash.h"
#include "loaders/mbj_write.h"

enum {
  // Smaller ones are read in less time than it takes to look for them.
  LEAST_SIZE = 16 * 1024,
};

// Stands for the model's own file among the companions.
static const char *const OWN = "";

bool model_cache_serves(Bytes source, const char *path) {
  const Loader *loader = source.size >= LEAST_SIZE ? loader_find(source, path, NULL) : NULL;
  bool is_binary = source.size >= 4 && memcmp(source.data, "glTF", 4) == 0;
  return loader == &OBJ_LOADER || (loader == &GLTF_LOADER && !is_binary);
}

static void name_file(const char *path, char name[40]) {
  Bytes text = {(uint8_t *)(uintptr_t)path, strlen(path)};
  snprintf(name, 40, "models/%016llx.mbj", (unsigned long long)hash_bytes(text));
}

// The content together with the program that made something of it.
static uint64_t stamped(uint64_t source_hash) {
  return source_hash ^ files_program_stamp();
}

static bool is_unchanged(const LoadRequest *request, const ModelCompanion *companion) {
  Bytes bytes = {0};
  bool is_read = request->read && request->read(request->read_user, companion->path, &bytes, NULL);
  bool is_same = is_read ? !companion->is_missing && hash_bytes(bytes) == companion->hash : companion->is_missing;
  memory_free(request->memory, bytes.data);
  return is_same;
}

// The entry of the model's own file is taken out on the way: nobody else knows of it.
static bool is_fresh(const LoadRequest *request, Model *model, uint64_t source_hash) {
  bool is_own = false, is_good = true;
  for (const ModelCompanion **at = &model->companions; *at && is_good;) {
    const ModelCompanion *companion = *at;
    if (strcmp(companion->path, OWN) == 0) {
      is_own = companion->hash == stamped(source_hash);
      *at = companion->next;
    } else {
      is_good = is_unchanged(request, companion);
      at = (const ModelCompanion **)(uintptr_t)&companion->next;
    }
  }
  return is_own && is_good;
}

// Files of the cache end with a hash of all before it, for this machine alone: its disk may be at fault.
static bool seal(Memory *memory, Bytes *bytes) {
  uint64_t hash = hash_bytes(*bytes);
  uint8_t *data = memory_resize(memory, bytes->data, bytes->size + sizeof hash);
  if (!data) return false;
  memcpy(data + bytes->size, &hash, sizeof hash);
  *bytes = (Bytes){data, bytes->size + sizeof hash};
  return true;
}

static bool unseal(Bytes *bytes) {
  uint64_t hash;
  if (bytes->size < sizeof hash) return false;
  bytes->size -= sizeof hash;
  memcpy(&hash, bytes->data + bytes->size, sizeof hash);
  return hash == hash_bytes(*bytes);
}

Model *model_cache_load(Files *files, const LoadRequest *request, uint64_t source_hash) {
  char name[40];
  Bytes bytes;
  name_file(request->path, name);
  if (!files_read_cache(files, name, &bytes)) return NULL;
  if (!unseal(&bytes)) {
    memory_free(request->memory, bytes.data);
    return NULL;
  }
  Model *model = model_load(&(LoadRequest){.memory = request->memory, .path = name}, bytes, NULL);
  bool is_good = model && strcmp(model->format, "mbj") == 0 && is_fresh(request, model, source_hash);
  // Whoever asks is to see the format that the game has.
  if (is_good) model->format = model->source_format;
  if (is_good) return model;
  model_free(model);
  return NULL;
}

void model_cache_store(Files *files, const LoadRequest *request, uint64_t source_hash, const Model *model) {
  char name[40];
  Bytes bytes;
  ModelCompanion own = {OWN, stamped(source_hash), false, model->companions};
  Model copy = *model;
  copy.companions = &own;
  name_file(request->path, name);
  if (!mbj_write(request->memory, &copy, true, &bytes, NULL)) return;
  if (seal(request->memory, &bytes)) files_write_cache(files, name, bytes);
  memory_free(request->memory, bytes.data);
}
