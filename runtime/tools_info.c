#include <stdio.h>
#include <string.h>

#include "app.h"
#include "engine/skin_path.h"
#include "loaders/describe.h"
#include "loaders/image_describe.h"
#include "tools.h"
#include "tools_model.h"
#include "zip_check.h"

typedef struct Info {
  Memory memory;
  ModelFile file;
  const Options *options;
} Info;

// The sizes of the images a model names, where they are found and can be read; and the bytes of their textures.
static size_t measure_images(Info *info, const Model *model, ImageSize *sizes) {
  size_t texture_bytes = 0;
  for (int i = 0; i < model->image_count; i++) {
    char found[FILES_MAX_PATH] = "";
    Bytes bytes = model->images[i].embedded, file = {0};
    if (!bytes.data && skin_path_find(info->file.files, info->file.name, model_image_path(&model->images[i]), found) &&
        files_read(info->file.files, found, &file, NULL))
      bytes = file;
    Image image = {0};
    if (bytes.data && image_load(&info->memory, found, bytes, &image, NULL)) {
      sizes[i] = (ImageSize){image.width, image.height};
      texture_bytes += (size_t)image.width * (size_t)image.height * 4 * 4 / 3;  // with mipmaps
    }
    image_free(&info->memory, &image);
    memory_free(&info->memory, file.data);
  }
  return texture_bytes;
}

// What the buffers of a mesh take on the GPU; see render.h.
static size_t gpu_bytes(const Model *model) {
  size_t bytes = 0;
  for (int i = 0; i < model->mesh_count; i++) {
    const ModelMesh *mesh = &model->meshes[i];
    size_t vertex = mesh->frames.frame_count > 0 ? 4 * (size_t)mesh->frames.frame_count + 8 : 36;
    bytes += (size_t)mesh->vertex_count * vertex + (size_t)mesh->index_count * 2;
  }
  return bytes;
}

static bool describe(Info *info, const Model *model, size_t file_bytes, TextBuffer *out, Error *error) {
  ImageSize *sizes = memory_alloc_array(&info->memory, (size_t)model->image_count, sizeof *sizes);
  if (!sizes) return error_set_out_of_memory(error);
  DescribeOptions options = {
      .has_frame = info->options->frame >= 0,
      .frame = info->options->frame,
      .has_time = !isnan(info->options->time),
      .time = isnan(info->options->time) ? 0 : (float)info->options->time,
      .clip = info->options->clip,
      .file_bytes = file_bytes,
      .gpu_bytes = gpu_bytes(model),
      .texture_bytes = measure_images(info, model, sizes),
      .image_sizes = sizes,
  };
  bool is_good = info->options->has_json ? model_describe_json(model, &options, out, error)
                                         : model_describe_text(model, &options, out, error);
  memory_free(&info->memory, sizes);
  return is_good;
}

static bool tell_model(Info *info, Bytes file, Error *error) {
  size_t file_bytes = file.size;
  Model *model = tools_model_load(&info->file, file, error);
  if (!model) return false;
  TextBuffer out = {.memory = &info->memory};
  bool is_good = describe(info, model, file_bytes, &out, error);
  const char *text = is_good ? text_buffer_string(&out) : NULL;
  if (text) fputs(text, stdout);
  if (text && info->options->has_json) putchar('\n');
  if (is_good && !text) is_good = error_set_out_of_memory(error);
  text_buffer_free(&out);
  model_free(model);
  return is_good;
}

static bool print_image_json(Info *info, const Image *image, Error *error) {
  TextBuffer out = {.memory = &info->memory};
  bool is_good = image_describe_json(image, &out, error);
  if (is_good) puts(text_buffer_string(&out));
  text_buffer_free(&out);
  return is_good;
}

static void print_image(const Info *info, const Image *image) {
  printf("%s: %s, %d x %d pixels, %d channels\n", info->file.name, image->format, image->width, image->height,
         image->source_channels);
  for (int i = 0; i < image->warning_count; i++)
    printf("warning: %s\n", image->warnings[i]);
}

static bool tell_image(Info *info, Bytes file, Error *error) {
  Image image = {0};
  bool is_good = image_load(&info->memory, info->file.name, file, &image, error);
  memory_free(&info->memory, file.data);
  if (!is_good) return false;
  if (info->options->has_json)
    is_good = print_image_json(info, &image, error);
  else
    print_image(info, &image);
  image_free(&info->memory, &image);
  return is_good;
}

static bool is_zip(Bytes file) {
  return file.size >= 4 && memcmp(file.data, "PK\3\4", 4) == 0;
}

static void print_zip_json(Info *info, const ZipDirectory *directory) {
  TextBuffer out = {.memory = &info->memory};
  JsonWriter json = {.out = &out};
  json_begin_object(&json);
  json_string_field(&json, "format", "zip");
  json_key(&json, "entries");
  json_begin_array(&json);
  for (int i = 0; i < directory->count; i++) {
    const ZipEntry *entry = &directory->entries[i];
    json_begin_object(&json);
    json_string_field(&json, "name", entry->name);
    json_integer_field(&json, "size", entry->size);
    json_integer_field(&json, "packed", entry->packed_size);
    json_integer_field(&json, "method", entry->method);
    json_end_object(&json);
  }
  json_end_array(&json);
  json_key(&json, "warnings");
  json_begin_array(&json);
  json_end_array(&json);
  json_end_object(&json);
  const char *text = text_buffer_string(&out);
  if (text) puts(text);
  text_buffer_free(&out);
}

static bool tell_zip(Info *info, Bytes file, Error *error) {
  memory_free(&info->memory, file.data);
  ZipDirectory directory = {0};
  const char *path = info->options->target;
  bool is_good = zip_directory_read(&info->memory, path, FILES_MAX_ENTRIES, &directory, error) &&
                 zip_check_or_refuse(&directory, error);
  if (is_good && info->options->has_json) {
    print_zip_json(info, &directory);
  } else if (is_good) {
    printf("%s: zip, %d entries\n", info->file.name, directory.count);
    for (int i = 0; i < directory.count; i++) {
      const ZipEntry *entry = &directory.entries[i];
      printf("%10u %10u  %s\n", (unsigned)entry->size, (unsigned)entry->packed_size, entry->name);
    }
  }
  zip_directory_free(&directory);
  return is_good;
}

// An error's text, and the same in the one JSON object that answers.
static void print_error(const Options *options, const char *text) {
  fprintf(stderr, "%s\n", text);
  if (!options->has_json) return;
  Memory memory = {0};
  TextBuffer out = {.memory = &memory};
  JsonWriter json = {.out = &out};
  json_begin_object(&json);
  json_string_field(&json, "error", text);
  json_end_object(&json);
  const char *object = text_buffer_string(&out);
  if (object) puts(object);
  text_buffer_free(&out);
}

int tools_info(const Options *options, const char *program) {
  Info info = {.options = options};
  Error error = {0};
  Bytes file = {0};
  bool is_good = tools_model_open(&info.file, &info.memory, options->target, program, &error) &&
                 files_read(info.file.files, info.file.name, &file, &error);
  info.file.has_linear_keys = options->has_linear_keys;
  if (is_good && is_zip(file)) {
    is_good = tell_zip(&info, file, &error);
  } else if (is_good) {
    is_good = image_is_known(file, info.file.name) ? tell_image(&info, file, &error) : tell_model(&info, file, &error);
  }
  tools_model_close(&info.file);
  if (is_good) return EXIT_DONE;
  print_error(options, error.text);
  return EXIT_GAME_ERROR;
}
