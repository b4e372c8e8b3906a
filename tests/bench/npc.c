// Vertex-animated characters: memory with one, five and all frames on the CPU, on the GPU and for the texture, beside what
// the M3GE paper of 2007 measured for models of the same size; load times; and that instances share one buffer.
//
// The paper's figures are the whole Java heap of its engine with the model loaded (table 2).
//
// usage: bench_npc FOLDER [--quick]; FOLDER holds models/knight.md2 and the others of the sample game
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "engine/gpu.h"
#include "engine/render.h"
#include "loaders/image.h"
#include "loaders/loader.h"

enum { MAX_ROUNDS = 31, FIVE = 5 };

typedef struct Paper {
  const char *name;
  double one, five, all;  // KB; 0 where the paper has no such model
} Paper;

static const Paper MODELS[] = {
    {"weapon", 84.5, 93.5, 471.9},
    {"axe", 57.0, 72.6, 732.8},
    {"centaur", 276.0, 322.2, 3053.9},
    {"knight", 263.9, 338.5, 3942.4},
};

#define PAPER_LOAD_MS 30000.0  // a model, on the paper's phone

typedef struct Bench {
  Memory memory;
  Renderer *renderer;
  int rounds;
} Bench;

static bool read_file(Memory *memory, const char *path, Bytes *bytes) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  rewind(file);
  bytes->data = size < 0 ? NULL : memory_resize(memory, NULL, (size_t)size + 1);
  bytes->size = size < 0 ? 0 : (size_t)size;
  bool is_good = bytes->data && fread(bytes->data, 1, bytes->size, file) == bytes->size;
  fclose(file);
  return is_good;
}

static Model *load(Bench *bench, const char *path, int frame_count) {
  int frames[FIVE] = {0, 1, 2, 3, 4};
  Bytes file = {0};
  Error error = {0};
  LoadRequest request = {
      .memory = &bench->memory, .path = path, .frames = frame_count ? frames : NULL, .frame_count = frame_count};
  Model *model = read_file(&bench->memory, path, &file) ? model_load(&request, file, &error) : NULL;
  if (!model) fprintf(stderr, "bench npc: %s: %s\n", path, error.text);
  return model;
}

// CPU and GPU memory with some of the frames; 0 frames means all.
static bool measure_memory(Bench *bench, const char *name, const char *path, int frame_count, const char *label) {
  Model *model = load(bench, path, frame_count);
  if (!model) return false;
  Error error = {0};
  GpuModel *gpu = renderer_upload_model(bench->renderer, model, &error);
  char what[64];
  snprintf(what, sizeof what, "%s-%s-cpu", name, label);
  bench_print("npc", what, "palfrey", (double)model_resident_bytes(model) / 1024, "KB", 1);
  snprintf(what, sizeof what, "%s-%s-gpu", name, label);
  bench_print("npc", what, "palfrey", (double)gpu_model_bytes(gpu) / 1024, "KB", 1);
  snprintf(what, sizeof what, "%s-%s-sum", name, label);
  bench_print("npc", what, "palfrey", (double)(model_resident_bytes(model) + gpu_model_bytes(gpu)) / 1024, "KB", 1);
  renderer_free_model(bench->renderer, gpu);
  model_free(model);
  return true;
}

// Bytes a file may cost: checked, not only told.
static bool check_bounds(Bench *bench, const char *name, const char *path) {
  Model *model = load(bench, path, 0);
  Bytes file = {0};
  Error error = {0};
  if (!model || !read_file(&bench->memory, path, &file)) return false;
  GpuModel *gpu = renderer_upload_model(bench->renderer, model, &error);
  const ModelMesh *mesh = &model->meshes[0];
  size_t limit =
      (size_t)mesh->vertex_count * (4 * (size_t)mesh->frames.frame_count + 8) + 2 * (size_t)mesh->index_count;
  double cpu_ratio = (double)model_resident_bytes(model) / (double)file.size;
  char what[64];
  snprintf(what, sizeof what, "%s-cpu-to-file", name);
  bench_print("npc", what, "palfrey", cpu_ratio, "x", 1);
  bool is_good = gpu_model_bytes(gpu) <= limit;
  if (!is_good)
    fprintf(stderr, "bench npc: %s takes %zu bytes on the GPU, %zu allowed\n", name, gpu_model_bytes(gpu), limit);
  renderer_free_model(bench->renderer, gpu);
  model_free(model);
  memory_free(&bench->memory, file.data);
  return is_good;
}

// Reads a file into a buffer that is there already: what the system takes, without memory to be found first.
static bool read_again(const char *path, uint8_t *buffer, size_t size) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  setvbuf(file, NULL, _IONBF, 0);
  bool is_good = fread(buffer, 1, size, file) == size;
  fclose(file);
  return is_good;
}

typedef struct LoadTimes {
  double reading[MAX_ROUNDS], parsing[MAX_ROUNDS], uploading[MAX_ROUNDS], ratio[MAX_ROUNDS], whole[MAX_ROUNDS];
} LoadTimes;

static bool measure_round(Bench *bench, const char *path, Bytes warm, LoadTimes *times, int round) {
  Bytes file = {0};
  Error error = {0};
  double start = bench_seconds();
  if (!read_again(path, warm.data, warm.size)) return false;
  double read = bench_seconds();
  if (!read_file(&bench->memory, path, &file)) return false;
  double begun = bench_seconds();
  LoadRequest request = {.memory = &bench->memory, .path = path};
  Model *model = model_load(&request, file, &error);
  double parsed = bench_seconds();
  if (!model) return false;
  GpuModel *gpu = renderer_upload_model(bench->renderer, model, &error);
  double uploaded = bench_seconds();
  renderer_free_model(bench->renderer, gpu);
  model_free(model);
  if (round < 0) return true;
  times->reading[round] = 1e6 * (read - start);
  times->parsing[round] = 1e6 * (parsed - begun);
  times->uploading[round] = 1e6 * (uploaded - parsed);
  times->whole[round] = 1e3 * (uploaded - read);
  times->ratio[round] = times->parsing[round] / times->reading[round];
  return true;
}

// From bytes to validated frames, corner table and indices, against reading the file, in interleaved rounds; and the
// expansion into the vertex buffer apart.
static bool measure_times(Bench *bench, const char *name, const char *path) {
  LoadTimes times;
  Bytes warm = {0};
  if (!read_file(&bench->memory, path, &warm)) return false;
  bool is_good = true;
  for (int round = -1; is_good && round < bench->rounds; round++)
    is_good = measure_round(bench, path, warm, &times, round);
  memory_free(&bench->memory, warm.data);
  if (!is_good) return false;
  const struct {
    const char *what, *impl, *unit;
    double *values;
  } rows[] = {{"read", "floor", "us", times.reading},
              {"parse", "palfrey", "us", times.parsing},
              {"parse-to-read", "palfrey", "x", times.ratio},
              {"upload", "palfrey", "us", times.uploading},
              {"load", "palfrey", "ms", times.whole}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char what[64];
    snprintf(what, sizeof what, "%s-%s", name, rows[i].what);
    bench_print("npc", what, rows[i].impl, bench_median(rows[i].values, bench->rounds), rows[i].unit, bench->rounds);
  }
  return true;
}

static void measure_texture(Bench *bench, const char *name, const char *path) {
  Bytes file = {0};
  Error error = {0};
  Image image = {0};
  if (read_file(&bench->memory, path, &file) && image_load(&bench->memory, path, file, &image, &error)) {
    Texture *texture = renderer_upload_image(bench->renderer, &image, &error);
    char what[64];
    snprintf(what, sizeof what, "%s-texture", name);
    bench_print("npc", what, "palfrey", (double)texture_bytes(texture) / 1024, "KB", 1);
    renderer_free_texture(bench->renderer, texture);
  }
  image_free(&bench->memory, &image);
  memory_free(&bench->memory, file.data);
}

static bool measure_model(Bench *bench, const char *folder, const Paper *paper) {
  char path[1024], what[64];
  snprintf(path, sizeof path, "%s/models/%s.md2", folder, paper->name);
  const char *labels[] = {"one", "five", "all"};
  const double papers[] = {paper->one, paper->five, paper->all};
  const int counts[] = {1, FIVE, 0};
  for (int i = 0; i < 3; i++) {
    snprintf(what, sizeof what, "%s-%s", paper->name, labels[i]);
    bench_print("npc", what, "m3ge-2007", papers[i], "KB", 1);
    if (!measure_memory(bench, paper->name, path, counts[i], labels[i])) return false;
  }
  snprintf(what, sizeof what, "%s-load", paper->name);
  bench_print("npc", what, "m3ge-2007", PAPER_LOAD_MS, "ms", 1);
  bool is_good = check_bounds(bench, paper->name, path) && measure_times(bench, paper->name, path);
  snprintf(path, sizeof path, "%s/models/%s.png", folder, paper->name);
  measure_texture(bench, paper->name, path);
  return is_good;
}

// Models that others made: memory with all frames only.
static void measure_other(Bench *bench, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "bench npc: %s is not there and is left out\n", path);
    return;
  }
  fclose(file);
  const char *slash = strrchr(path, '/'), *file_name = slash ? slash + 1 : path, *dot = strrchr(file_name, '.');
  char name[64];
  snprintf(name, sizeof name, "%.*s", dot ? (int)(dot - file_name) : (int)strlen(file_name), file_name);
  (void)(measure_memory(bench, name, path, 0, "all") && check_bounds(bench, name, path) &&
         measure_times(bench, name, path));
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s FOLDER [--quick] [MODEL...]\n", argv[0]);
    return 2;
  }
  Bench bench = {.rounds = bench_has_option(argc, argv, "--quick") ? 5 : MAX_ROUNDS};
  Error error = {0};
  Gpu *gpu = gpu_create(&bench.memory, &(GpuDesc){.is_null = true}, &error);
  bench.renderer = gpu ? renderer_create(&bench.memory, gpu, &error) : NULL;
  if (!bench.renderer) {
    fprintf(stderr, "bench npc: %s\n", error.text);
    return 1;
  }
  bool is_good = true;
  for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++)
    is_good = measure_model(&bench, argv[1], &MODELS[i]) && is_good;
  for (int i = 2; i < argc; i++) {
    if (argv[i][0] != '-') measure_other(&bench, argv[i]);
  }
  renderer_free(bench.renderer);
  gpu_free(gpu);
  return is_good ? 0 : 1;
}
