// Any bytes as an image. What no content tells is tried as the formats that are known by name. Fails on crashes, on
// memory left behind and on refusals without a text.
#include <stdlib.h>

#include "loaders/image_describe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void load(const char *path, Bytes bytes, long fail_after) {
  Memory memory = {.fail_after = fail_after};
  Image image;
  Error error = {0};
  if (image_load(&memory, path, bytes, &image, &error)) {
    TextBuffer json = {.memory = &memory};
    if (!image_describe_json(&image, &json, &error) && !error.is_out_of_memory) abort();
    text_buffer_free(&json);
    image_free(&memory, &image);
  } else if (!error.text[0]) {
    abort();
  }
  if (memory.live_bytes != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Bytes bytes = {(uint8_t *)data, size};
  // Some inputs run out of memory at one of the first allocations.
  long fail_after = size > 0 && data[size - 1] > 250 ? data[size - 1] - 250 : 0;
  load("fuzz.tga", bytes, fail_after);
  if (!image_is_known(bytes, "fuzz")) load("fuzz.pcx", bytes, fail_after);
  return 0;
}
