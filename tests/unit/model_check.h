#ifndef PALFREY_TESTS_MODEL_CHECK_H
#define PALFREY_TESTS_MODEL_CHECK_H
// What the tests of model loaders share. Include cmocka first.
#include <stdio.h>
#include <string.h>

#include "loaders/loader.h"

/// Copies the bytes, as a loader takes over what it gets.
static inline Bytes copy_bytes(Memory *memory, const void *data, size_t size) {
  Bytes bytes = {memory_alloc(memory, size), size};
  if (bytes.data && size > 0) memcpy(bytes.data, data, size);
  return bytes;
}

static inline Model *load_bytes(Memory *memory, const char *path, const void *data, size_t size, Error *error) {
  LoadRequest request = {.memory = memory, .path = path};
  return model_load(&request, copy_bytes(memory, data, size), error);
}

static inline Model *check_loads(Memory *memory, const char *path, const void *data, size_t size) {
  Error error = {0};
  Model *model = load_bytes(memory, path, data, size, &error);
  if (!model) fail_msg("%s", error.text);
  return model;
}

/// The error must begin with the path and contain the word.
static inline void check_refused(const char *path, const void *data, size_t size, const char *word) {
  Memory memory = {0};
  Error error = {0};
  Model *model = load_bytes(&memory, path, data, size, &error);
  if (model) fail_msg("accepted, expected an error about \"%s\"", word);
  if (strncmp(error.text, path, strlen(path)) != 0 || !strstr(error.text, word))
    fail_msg("the error is \"%s\", expected one about \"%s\"", error.text, word);
  assert_int_equal(memory.live_bytes, 0);
}

static inline void check_freed(Memory *memory, Model *model) {
  model_free(model);
  assert_int_equal(memory->live_bytes, 0);
}

static inline bool has_warning(const Model *model, const char *word) {
  for (int i = 0; i < model->warning_count; i++) {
    if (strstr(model->warnings[i], word)) return true;
  }
  return false;
}

/// Fails every allocation in turn until loading succeeds; nothing may leak on the way.
static inline void check_failing_allocations(LoadRequest *request, const void *data, size_t size) {
  Memory *memory = request->memory;
  for (long n = 1;; n++) {
    Error error = {0};
    Bytes bytes = copy_bytes(memory, data, size);
    memory->fail_after = n;
    Model *model = model_load(request, bytes, &error);
    bool has_failed = memory->fail_after == 0;
    memory->fail_after = 0;
    if (!model) assert_true(error.is_out_of_memory);
    model_free(model);
    assert_int_equal(memory->live_bytes, 0);
    if (!has_failed) return;
  }
}

#endif
