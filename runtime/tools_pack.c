#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "app.h"
#include "array.h"
#include "files_system.h"
#include "loaders/mbj_write.h"
#include "pack.h"
#include "tools.h"
#include "tools_model.h"

// Without -o the package stands beside the folder and has its name; a program also that of the machine it runs on.
static void name_package(const Options *options, char *path, size_t size) {
  const char *folder = options->target, *slash = strrchr(folder, '/'), *last = slash ? slash + 1 : folder;
  char real[1024];
  struct utsname machine;
  if (options->output) {
    snprintf(path, size, "%s", options->output);
    return;
  }
  // "." and ".." are no names, nor is what ends with a slash.
  bool is_named = last[0] && strcmp(last, ".") != 0 && strcmp(last, "..") != 0;
  if (!is_named && system_real_path(folder, real, sizeof real)) folder = real;
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/')
    length--;
  bool has_machine = options->has_fuse && uname(&machine) == 0;
  snprintf(path, size, "%.*s.%s", (int)length, folder,
           has_machine         ? machine.machine
           : options->has_fuse ? "program"
                               : "zip");
}

static void print_warnings(const PackReport *report) {
  int kept = report->warning_count < PACK_MAX_WARNINGS ? report->warning_count : PACK_MAX_WARNINGS;
  for (int i = 0; i < kept; i++)
    fprintf(stderr, "palfrey pack: warning: %s\n", report->warnings[i]);
  if (kept < report->warning_count)
    fprintf(stderr, "palfrey pack: warning: and %d more\n", report->warning_count - kept);
}

static void print_report(const char *path, const PackReport *report) {
  printf("%s: %d files, %.1f KB\n", path, report->file_count, (double)report->packed_bytes / 1024);
  printf("  %-8s %6s %11s %11s\n", "kind", "files", "KB", "KB packed");
  for (int i = 1; i <= PACK_KIND_COUNT; i++) {
    PackKind kind = (PackKind)(i % PACK_KIND_COUNT);  // what is of no kind comes last
    const PackTotal *total = &report->totals[kind];
    if (total->file_count > 0)
      printf("  %-8s %6d %11.1f %11.1f\n", pack_kind_name(kind), total->file_count, (double)total->bytes / 1024,
             (double)total->packed_bytes / 1024);
  }
}

static bool find_program(const Options *options, char *program, size_t size, Error *error) {
  if (!options->has_fuse) return true;
  return system_program_path(program, size) || error_set(error, "the runtime's own file cannot be found");
}

// What the frames of MD2 need no making ready for, and what is ready, stays.
static bool is_worth_baking(const Bytes *bytes, const char *path) {
  Error unknown;
  const Loader *loader = loader_find(*bytes, path, &unknown);
  return loader && loader != &MD2_LOADER && loader != &MBJ_LOADER;
}

typedef struct Baker {
  Memory *memory;
  const char *folder, *program;
  Arena names;                   // of the files below
  ARRAY(const char *) baked_in;  // what baked models were made of besides their own files, as the game names it
  bool has_failed;               // a model needs what it is made of after all
} Baker;

// The companion of a model, as the game names it.
static bool add_baked_in(Baker *baker, const char *model, const char *companion) {
  const char *slash = strrchr(model, '/');
  size_t length = slash ? (size_t)(slash + 1 - model) : 0;
  char *path = arena_alloc(&baker->names, length + strlen(companion) + 1);
  if (!path) return false;
  memcpy(path, model, length);
  strcpy(path + length, companion);
  return array_push(baker->memory, &baker->baked_in, path);
}

static bool is_baked_in(void *user, const char *path) {
  const Baker *baker = user;
  for (int i = 0; i < baker->baked_in.count && !baker->has_failed; i++) {
    if (strcmp(baker->baked_in.items[i], path) == 0) return true;
  }
  return false;
}

static bool bake(void *user, const char *path, Bytes *bytes, PackReport *report) {
  Baker *baker = user;
  char real[2048];
  ModelFile file = {0};
  Error error = {0};
  Bytes baked = {0}, copy = {memory_alloc(baker->memory, bytes->size), bytes->size};
  if (!copy.data) return false;
  if (!is_worth_baking(bytes, path)) {
    memory_free(baker->memory, copy.data);
    return true;
  }
  if (bytes->size > 0) memcpy(copy.data, bytes->data, bytes->size);
  snprintf(real, sizeof real, "%s/%s", baker->folder, path);
  bool is_open = tools_model_open(&file, baker->memory, real, baker->program, &error);
  if (!is_open) memory_free(baker->memory, copy.data);
  Model *model = is_open ? tools_model_load(&file, copy, &error) : NULL;
  bool is_good = model && tools_model_add_trees(baker->memory, model, &error) &&
                 mbj_write(baker->memory, model, false, &baked, &error);
  for (const ModelCompanion *companion = is_good ? model->companions : NULL; companion && !error.is_out_of_memory;
       companion = companion->next) {
    if (!add_baked_in(baker, path, companion->path)) error_set_out_of_memory(&error);
  }
  model_free(model);
  tools_model_close(&file);
  if (error.is_out_of_memory) {
    memory_free(baker->memory, baked.data);
    return false;
  }
  if (!is_good) {
    baker->has_failed = true;
    pack_warn(report, "%s: not baked: %s", path, error.text);
    return true;
  }
  memory_free(baker->memory, bytes->data);
  *bytes = baked;
  return true;
}

int tools_pack(const Options *options, const char *own) {
  Memory memory = {0};
  PackReport report = {0};
  Error error = {0};
  char path[1024], program[1024];
  name_package(options, path, sizeof path);
  Baker baker = {.memory = &memory, .folder = options->target, .program = own, .names.memory = &memory};
  PackDesc desc = {.folder = options->target,
                   .path = path,
                   .program = options->has_fuse ? program : NULL,
                   .bake = options->has_bake ? bake : NULL,
                   .is_baked_in = is_baked_in,
                   .bake_user = &baker};
  bool is_good = find_program(options, program, sizeof program, &error) && pack_folder(&memory, &desc, &report, &error);
  array_free(&memory, &baker.baked_in);
  arena_free(&baker.names);
  print_warnings(&report);
  if (is_good) {
    print_report(path, &report);
    return EXIT_DONE;
  }
  fprintf(stderr, "palfrey pack: %s\n", error.text);
  return EXIT_GAME_ERROR;
}
