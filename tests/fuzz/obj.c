// Any text as an OBJ model; what follows the first NUL is the content of every material library, but for UTF-16, where
// NULs are part of the text. Fails on crashes, on memory left behind, on paths that leave the folder and on refusals
// without a text.
#include <stdlib.h>
#include <string.h>

#include "loaders/describe.h"
#include "loaders/loader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Library {
  Memory *memory;
  const uint8_t *data;
  size_t size;
} Library;

static Bytes copy(Memory *memory, const uint8_t *data, size_t size) {
  Bytes bytes = {memory_alloc(memory, size), size};
  if (bytes.data && size > 0) memcpy(bytes.data, data, size);
  return bytes;
}

static void check_path(const char *path) {
  if (!path[0] || path[0] == '/' || strchr(path, '\\') || strstr(path, "//")) abort();
  for (const char *part = path; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL) {
    size_t length = strcspn(part, "/");
    if ((length == 1 && part[0] == '.') || (length == 2 && part[0] == '.' && part[1] == '.')) abort();
  }
}

static bool read_library(void *user, const char *path, Bytes *bytes, Error *error) {
  const Library *library = user;
  check_path(path);
  if (strcmp(path, "none") == 0) return error_set(error, "%s: not found", path);
  *bytes = copy(library->memory, library->data, library->size);
  return bytes->data || error_set_out_of_memory(error);
}

static void describe(Memory *memory, const Model *model) {
  TextBuffer out = {.memory = memory};
  Error error;
  if (!model_describe_json(model, &(DescribeOptions){0}, &out, &error) ||
      !model_describe_text(model, &(DescribeOptions){0}, &out, &error))
    abort();
  text_buffer_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Memory memory = {0};
  Error error = {0};
  bool is_utf16 = size > 1 && (data[0] ^ data[1]) == (0xfe ^ 0xff);
  const uint8_t *end = size > 0 && !is_utf16 ? memchr(data, 0, size) : NULL;
  size_t text_size = end ? (size_t)(end - data) : size;
  Library library = {&memory, end ? end + 1 : data, end ? size - text_size - 1 : 0};
  LoadRequest request = {.memory = &memory, .path = "fuzz.obj", .read = read_library, .read_user = &library};
  // Some inputs run out of memory.
  Bytes bytes = copy(&memory, data, text_size);
  memory.fail_after = size > 0 && data[size - 1] >= 192 ? 1 + (data[size - 1] & 63) : 0;
  Model *model = model_load(&request, bytes, &error);
  memory.fail_after = 0;
  if (!model && !error.text[0]) abort();
  if (model) describe(&memory, model);
  model_free(model);
  if (memory.live_bytes != 0) abort();
  return 0;
}
