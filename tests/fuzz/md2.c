// Any bytes as an MD2 model. What loads is posed, measured and described. Fails on crashes, on memory left behind and on
// refusals without a text.
#include <stdlib.h>
#include <string.h>

#include "loaders/describe.h"
#include "loaders/loader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void pose(Memory *memory, const ModelMesh *mesh) {
  const VertexFrames *frames = &mesh->frames;
  float *positions = memory_alloc_array(memory, (size_t)frames->vertex_count, 3 * sizeof *positions);
  for (int i = 0; positions && i < frames->frame_count && i < 8; i++) {
    FramePose half_way = {i, (i + 1) % frames->frame_count, 0.5f};
    vertex_frames_blend(frames, half_way, positions);
    vertex_frames_bounds(frames, half_way);
    for (int k = 0; k < mesh->vertex_count; k++) {
      if (mesh->corner_vertices[k] >= frames->vertex_count) abort();
    }
  }
  memory_free(memory, positions);
}

static void describe(Memory *memory, const Model *model) {
  TextBuffer out = {.memory = memory};
  Error error;
  DescribeOptions options = {.has_frame = true};
  if (!model_describe_json(model, &options, &out, &error) || !model_describe_text(model, &options, &out, &error))
    abort();
  text_buffer_free(&out);
}

static void load(const uint8_t *data, size_t size, const int *frames, int frame_count, long fail_after) {
  Memory memory = {0};
  Error error = {0};
  Bytes bytes = {memory_alloc(&memory, size), size};
  if (size > 0) memcpy(bytes.data, data, size);
  LoadRequest request = {.memory = &memory, .path = "fuzz.md2", .frames = frames, .frame_count = frame_count};
  memory.fail_after = fail_after;
  Model *model = model_load(&request, bytes, &error);
  memory.fail_after = 0;
  if (!model && !error.text[0]) abort();
  // Some bytes are taken for another format, which has a target of its own.
  if (model && strcmp(model->format, "md2") == 0) {
    pose(&memory, &model->meshes[0]);
    describe(&memory, model);
  }
  model_free(model);
  if (memory.live_bytes != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // Some inputs run out of memory, and some keep only two of the frames.
  int hint = size > 0 ? data[size - 1] : 0;
  const int frames[2] = {hint & 1, 1 + (hint >> 1 & 3)};
  load(data, size, hint & 64 ? frames : NULL, 2, hint & 128 ? 1 + (hint & 31) : 0);
  return 0;
}
