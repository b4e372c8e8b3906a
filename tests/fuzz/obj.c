// Any text as an OBJ model; what follows the first NUL is the content of every material library, but for UTF-16, where
// NULs are part of the text. Fails on crashes, on memory left behind, on paths that leave the folder and on refusals
// without a text.
#include "model_input.h"

typedef struct Library {
  Memory *memory;
  const uint8_t *data;
  size_t size;
} Library;

static bool read_library(void *user, const char *path, Bytes *bytes, Error *error) {
  const Library *library = user;
  check_companion_path(path);
  if (strcmp(path, "none") == 0) return error_set(error, "%s: not found", path);
  *bytes = copy_input(library->memory, library->data, library->size);
  return bytes->data || error_set_out_of_memory(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Memory memory = {0};
  bool is_utf16 = size > 1 && (data[0] ^ data[1]) == (0xfe ^ 0xff);
  const uint8_t *end = size > 0 && !is_utf16 ? memchr(data, 0, size) : NULL;
  size_t text_size = end ? (size_t)(end - data) : size;
  Library library = {&memory, end ? end + 1 : data, end ? size - text_size - 1 : 0};
  LoadRequest request = {.memory = &memory, .path = "fuzz.obj", .read = read_library, .read_user = &library};
  load_input(&request, data, text_size, size > 0 && data[size - 1] >= 192 ? 1 + (data[size - 1] & 63) : 0);
  return 0;
}
