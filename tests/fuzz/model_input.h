#ifndef PALFREY_TESTS_MODEL_INPUT_H
#define PALFREY_TESTS_MODEL_INPUT_H
// What the fuzz targets of model loaders share: any bytes are loaded, and what loads is posed and described. Fails on
// crashes, on memory left behind, on refusals without a text and on more memory than a file may cost.
#include <stdlib.h>
#include <string.h>

#include "loaders/describe.h"
#include "loaders/loader.h"
#include "loaders/model_pose.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline Bytes copy_input(Memory *memory, const uint8_t *data, size_t size) {
  Bytes bytes = {memory_alloc(memory, size), size};
  if (bytes.data && size > 0) memcpy(bytes.data, data, size);
  return bytes;
}

/// Companions are asked for by clean paths below the model's folder only.
static inline void check_companion_path(const char *path) {
  if (!path[0] || path[0] == '/' || strchr(path, '\\') || strstr(path, "//")) abort();
  for (const char *part = path; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL) {
    size_t length = strcspn(part, "/");
    if ((length == 1 && part[0] == '.') || (length == 2 && part[0] == '.' && part[1] == '.')) abort();
  }
}

/// Times around and between the keys; every number must stay one.
static inline void pose_input(Memory *memory, const Model *model) {
  ModelNode *nodes = memory_alloc_array(memory, (size_t)model->node_count, sizeof *nodes);
  for (int i = 0; nodes && i < model->clip_count && i < 4; i++) {
    const ModelClip *clip = &model->clips[i];
    if (clip->kind == CLIP_VERTEX) continue;
    if (model->node_count > 0) memcpy(nodes, model->nodes, (size_t)model->node_count * sizeof *nodes);
    for (int k = -1; k <= 5; k++)
      model_pose_nodes(model, clip, clip->start + (clip->end - clip->start) * 0.25f * (float)k, nodes);
  }
  memory_free(memory, nodes);
}

static inline void describe_input(Memory *memory, const Model *model) {
  TextBuffer out = {.memory = memory};
  Error error;
  DescribeOptions options = {.has_time = true, .time = 0.3f};
  if (!model_describe_json(model, &options, &out, &error) || !model_describe_text(model, &options, &out, &error))
    abort();
  text_buffer_free(&out);
}

/// `fail_after` as that of Memory. Takes over nothing.
static inline void load_input(LoadRequest *request, const uint8_t *data, size_t size, long fail_after) {
  Memory *memory = request->memory;
  Error error = {0};
  Bytes bytes = copy_input(memory, data, size);
  memory->fail_after = fail_after;
  Model *model = model_load(request, bytes, &error);
  memory->fail_after = 0;
  if (!model && !error.text[0]) abort();
  if (model) {
    pose_input(memory, model);
    describe_input(memory, model);
  }
  model_free(model);
  if (memory->live_bytes != 0) abort();
}

/// One input of which the last byte may say that memory runs out.
static inline void load_input_or_fail(LoadRequest *request, const uint8_t *data, size_t size) {
  load_input(request, data, size, size > 0 && data[size - 1] >= 192 ? 1 + (data[size - 1] & 63) : 0);
}

#endif
