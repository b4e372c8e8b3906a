// Prints what an image file holds, as `palfrey info FILE --json` does: one JSON object on stdout, exit status 1 and an
// object with the error if the file is refused. Options are accepted and ignored.
#include <stdio.h>
#include <string.h>

#include "loaders/image_describe.h"

static bool read_file(Memory *memory, const char *path, Bytes *bytes) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  bool is_good = fseek(file, 0, SEEK_END) == 0;
  long size = ftell(file);
  is_good = is_good && size >= 0 && fseek(file, 0, SEEK_SET) == 0;
  if (is_good) bytes->data = memory_alloc(memory, (size_t)size);
  is_good = is_good && bytes->data && fread(bytes->data, 1, (size_t)size, file) == (size_t)size;
  if (is_good) bytes->size = (size_t)size;
  fclose(file);
  return is_good;
}

static void print_error(const char *text) {
  printf("{\"error\":\"");
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') putchar('\\');
    putchar((unsigned char)*text < 0x20 ? ' ' : *text);
  }
  printf("\"}\n");
}

int main(int count, char **arguments) {
  const char *path = NULL;
  for (int i = 1; i < count; i++) {
    if (strncmp(arguments[i], "--", 2) != 0) path = arguments[i];
  }
  if (!path) {
    fprintf(stderr, "usage: image_info FILE\n");
    return 2;
  }
  Memory memory = {0};
  Bytes bytes = {0};
  Image image = {0};
  Error error = {.text = "cannot read the file"};
  bool is_good = read_file(&memory, path, &bytes) && image_load(&memory, path, bytes, &image, &error);
  if (is_good) {
    char json[IMAGE_JSON_SIZE];
    image_describe_json(&image, json);
    printf("%s\n", json);
  } else {
    print_error(error.text);
  }
  image_free(&memory, &image);
  memory_free(&memory, bytes.data);
  return is_good ? 0 : 1;
}
