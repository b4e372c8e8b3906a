// Any bytes as a glTF model, text or binary; the part behind the first NUL of a text is the content of every file beside it.
#include "model_input.h"

typedef struct Beside {
  Memory *memory;
  const uint8_t *data;
  size_t size;
} Beside;

static bool read_beside(void *user, const char *path, Bytes *bytes, Error *error) {
  const Beside *beside = user;
  check_companion_path(path);
  *bytes = copy_input(beside->memory, beside->data, beside->size);
  return bytes->data || error_set_out_of_memory(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Memory memory = {0};
  bool is_binary = size >= 4 && memcmp(data, "glTF", 4) == 0;
  const uint8_t *end = size > 0 && !is_binary ? memchr(data, 0, size) : NULL;
  size_t text_size = end ? (size_t)(end - data) : size;
  Beside beside = {&memory, end ? end + 1 : data, end ? size - text_size - 1 : 0};
  LoadRequest request = {.memory = &memory, .path = "fuzz.gltf", .read = read_beside, .read_user = &beside};
  load_input(&request, data, text_size, size > 0 && data[size - 1] >= 192 ? 1 + (data[size - 1] & 63) : 0);
  return 0;
}
