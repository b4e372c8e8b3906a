#include "support/bare_runtime.h"

static bool open_parts(BareRuntime *runtime, const char *folder, Error *error) {
  Host *host = &runtime->host;
  Memory *memory = &runtime->memory;
  return (host->files = files_create(memory, "test", error)) && files_open_folder(host->files, folder, error) &&
         (host->input = input_create(memory, error)) &&
         (runtime->gpu = gpu_create(memory, &(GpuDesc){.is_null = true}, error)) &&
         (host->renderer = renderer_create(memory, runtime->gpu, error)) &&
         (host->assets = assets_create(memory, host->files, host->renderer, error)) && host_open(host, false, error);
}

bool bare_runtime_open(BareRuntime *runtime, const char *folder, Error *error) {
  *runtime = (BareRuntime){0};
  runtime->host.memory = &runtime->memory;
  runtime->host.config =
      (GameConfig){.step_seconds = 1.0f / 60, .limits = {.nodes = 1000, .npcs = 100}, .lua_memory_mb = 64};
  bool is_good = open_parts(runtime, folder, error);
  if (!is_good) bare_runtime_close(runtime);
  return is_good;
}

void bare_runtime_close(BareRuntime *runtime) {
  Host *host = &runtime->host;
  host_close(host);
  assets_free(host->assets);
  renderer_free(host->renderer);
  gpu_free(runtime->gpu);
  input_free(host->input);
  files_free(host->files);
}
