#define _XOPEN_SOURCE 700
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app.h"
#include "files_system.h"
#include "json.h"
#include "loaders/image.h"
#include "loaders/mbj_write.h"
#include "path.h"
#include "tools.h"
#include "tools_model.h"

static bool is_same_file(const char *a, const char *b) {
  struct stat first, second;
  return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

// The new file is there as a whole or not at all.
static bool write_file(const char *path, Bytes bytes, Error *error) {
  char place[2000], beside[2048];
  if (!system_output_path(path, place, sizeof place, error)) return false;
  snprintf(beside, sizeof beside, "%s.part", place);
  FILE *file = fopen(beside, "wb");
  bool is_good = file && fwrite(bytes.data, 1, bytes.size, file) == bytes.size;
  if (file && fclose(file) != 0) is_good = false;
  if (is_good && rename(beside, place) == 0) return true;
  int reason = errno;
  if (file) unlink(beside);
  return error_set(error, "%s: cannot be written: %s", path, strerror(reason));
}

static void print_warnings(const char *name, const Model *model) {
  for (int i = 0; i < model->warning_count; i++) {
    if (strncmp(model->warnings[i], "note:", 5) != 0)
      fprintf(stderr, "palfrey convert: warning: %s: %s\n", name, model->warnings[i]);
  }
}

static bool convert_model(ModelFile *file, Bytes content, Bytes *out, Error *error) {
  Model *model = tools_model_load(file, content, error);
  bool is_good =
      model && tools_model_add_trees(file->memory, model, error) && mbj_write(file->memory, model, false, out, error);
  if (is_good) print_warnings(file->name, model);
  model_free(model);
  return is_good;
}

static bool convert_image(ModelFile *file, Bytes content, Bytes *out, Error *error) {
  Image image = {0};
  bool is_good = image_load(file->memory, file->name, content, &image, error) &&
                 image_encode_png(file->memory, image.pixels, image.width, image.height, 4, out, error);
  memory_free(file->memory, content.data);
  image_free(file->memory, &image);
  return is_good;
}

static bool convert(const Options *options, ModelFile *file, Bytes *out, size_t *size, Error *error) {
  static const char *const MODEL_EXTENSIONS[] = {"mbj", NULL}, *const IMAGE_EXTENSIONS[] = {"png", NULL};
  bool makes_model = path_has_extension(options->output, MODEL_EXTENSIONS);
  if (!makes_model && !path_has_extension(options->output, IMAGE_EXTENSIONS))
    return error_set(error, "%s: models become .mbj and images .png", options->output);
  if (is_same_file(options->target, options->output))
    return error_set(error, "%s: this is the file that is to be read", options->output);
  Bytes content;
  if (!files_read(file->files, file->name, &content, error)) return false;
  *size = content.size;
  bool is_image = image_is_known(content, file->name);
  if (is_image == makes_model) {
    memory_free(file->memory, content.data);
    return error_set(error, "%s: %s do not become %s", file->name, is_image ? "images" : "models",
                     is_image ? "models" : "images");
  }
  return makes_model ? convert_model(file, content, out, error) : convert_image(file, content, out, error);
}

static void print_result(const Options *options, size_t before, size_t after, const Error *error) {
  Memory memory = {0};
  TextBuffer out = {.memory = &memory};
  JsonWriter json = {.out = &out};
  json_begin_object(&json);
  if (error) {
    json_string_field(&json, "error", error->text);
  } else {
    json_string_field(&json, "output", options->output);
    json_integer_field(&json, "bytesBefore", (int64_t)before);
    json_integer_field(&json, "bytes", (int64_t)after);
  }
  json_end_object(&json);
  const char *text = text_buffer_string(&out);
  if (text) puts(text);
  text_buffer_free(&out);
}

int tools_convert(const Options *options, const char *program) {
  Memory memory = {0};
  ModelFile file = {0};
  Error error = {0};
  Bytes out = {0};
  size_t size = 0;
  bool is_good = tools_model_open(&file, &memory, options->target, program, &error) &&
                 convert(options, &file, &out, &size, &error) && write_file(options->output, out, &error);
  tools_model_close(&file);
  if (!is_good) fprintf(stderr, "%s\n", error.text);
  if (options->has_json)
    print_result(options, size, out.size, is_good ? NULL : &error);
  else if (is_good)
    printf("%s: %.1f KB, %s %.1f KB\n", options->output, (double)out.size / 1024, file.name, (double)size / 1024);
  memory_free(&memory, out.data);
  return is_good ? EXIT_DONE : EXIT_GAME_ERROR;
}
