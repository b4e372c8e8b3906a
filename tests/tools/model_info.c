// Prints what a model file holds, as `palfrey info FILE [--json] [--frame N]` does for models: material libraries are read
// from beside it. Exit status 1 and the error if the file is refused.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loaders/describe.h"
#include "loaders/loader.h"

typedef struct Folder {
  Memory *memory;
  const char *path;  // with the slash at its end
  int length;
} Folder;

static bool read_whole(Memory *memory, const char *path, Bytes *bytes, Error *error) {
  FILE *file = fopen(path, "rb");
  if (!file) return error_set(error, "%s: cannot be opened", path);
  bool is_good = fseek(file, 0, SEEK_END) == 0;
  long size = ftell(file);
  is_good = is_good && size >= 0 && fseek(file, 0, SEEK_SET) == 0;
  if (is_good) bytes->data = memory_alloc(memory, (size_t)size);
  is_good = is_good && bytes->data && fread(bytes->data, 1, (size_t)size, file) == (size_t)size;
  bytes->size = is_good ? (size_t)size : 0;
  fclose(file);
  return is_good || error_set(error, "%s: cannot be read", path);
}

static bool read_companion(void *user, const char *path, Bytes *bytes, Error *error) {
  const Folder *folder = user;
  char full[1024];
  snprintf(full, sizeof full, "%.*s%s", folder->length, folder->path, path);
  return read_whole(folder->memory, full, bytes, error);
}

static bool describe(Memory *memory, const char *path, bool is_json, DescribeOptions *options, TextBuffer *out,
                     Error *error) {
  Bytes file = {0};
  const char *slash = strrchr(path, '/');
  Folder folder = {memory, path, slash ? (int)(slash + 1 - path) : 0};
  LoadRequest request = {.memory = memory, .path = path, .read = read_companion, .read_user = &folder};
  if (!read_whole(memory, path, &file, error)) return false;
  options->file_bytes = file.size;
  Model *model = model_load(&request, file, error);
  bool is_good = model && (is_json ? model_describe_json(model, options, out, error)
                                   : model_describe_text(model, options, out, error));
  model_free(model);
  return is_good;
}

static void print_error(const char *text, bool is_json, TextBuffer *out) {
  fprintf(stderr, "%s\n", text);
  if (!is_json) return;
  JsonWriter json = {.out = out};
  out->characters.count = 0;
  json_begin_object(&json);
  json_string_field(&json, "error", text);
  json_end_object(&json);
}

int main(int count, char **arguments) {
  const char *path = NULL;
  bool is_json = false;
  DescribeOptions options = {0};
  for (int i = 1; i < count; i++) {
    if (strcmp(arguments[i], "--frame") == 0 && i + 1 < count) {
      options.has_frame = true;
      options.frame = atoi(arguments[++i]);
    } else if (strcmp(arguments[i], "--json") == 0) {
      is_json = true;
    } else {
      path = arguments[i];
    }
  }
  if (!path) {
    fprintf(stderr, "usage: model_info FILE [--json] [--frame N]\n");
    return 2;
  }
  Memory memory = {0};
  TextBuffer out = {.memory = &memory};
  Error error = {0};
  bool is_good = describe(&memory, path, is_json, &options, &out, &error);
  if (!is_good) print_error(error.text, is_json, &out);
  const char *text = text_buffer_string(&out);
  if (text) printf("%s%s", text, is_json ? "\n" : "");
  text_buffer_free(&out);
  return is_good ? 0 : 1;
}
