#include <stdio.h>
#include <string.h>

#include "load/maker.h"
#include "loaders/loader.h"
#include "loaders/mbj_write.h"

static const char SOURCE[] = "mbj-source.obj";

enum { SOURCE_SIZE = 10 * 1000 * 1000 };

static bool read_source(Memory *memory, Bytes *bytes) {
  FILE *file = fopen(SOURCE, "rb");
  long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (file) rewind(file);
  *bytes = (Bytes){size > 0 ? memory_alloc(memory, (size_t)size) : NULL, size > 0 ? (size_t)size : 0};
  bool is_good = bytes->data && fread(bytes->data, 1, bytes->size, file) == bytes->size;
  if (file) fclose(file);
  return is_good;
}

bool load_make_mbj(const char *path, size_t size, LoadFacts *facts) {
  (void)size;
  Memory memory = {0};
  Error error = {0};
  Bytes source = {0}, written = {0};
  LoadRequest request = {.memory = &memory, .path = SOURCE};
  if (!load_make_obj(SOURCE, SOURCE_SIZE, facts) || !read_source(&memory, &source)) return false;
  Model *model = model_load(&request, source, &error);
  bool is_good = model && mbj_write(&memory, model, false, &written, &error);
  FILE *file = is_good ? fopen(path, "wb") : NULL;
  is_good = file && fwrite(written.data, 1, written.size, file) == written.size;
  if (file) is_good = fclose(file) == 0 && is_good;
  memory_free(&memory, written.data);
  model_free(model);
  if (!is_good) fprintf(stderr, "bench load: %s: %s\n", path, error.text);
  return is_good;
}
