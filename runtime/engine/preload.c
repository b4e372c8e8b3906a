#include "engine/preload.h"

#include <stdio.h>
#include <threads.h>

struct Preloader {
  Memory *memory;
  PreloadWork *work;
  void *user;
  thrd_t thread;
  mtx_t lock;
  cnd_t wake;
  bool is_ending;
  ARRAY(PreloadJob *) jobs;  ///< in the order of asking; done ones stay until they are taken
};

static void clear_job(Preloader *preloader, PreloadJob *job) {
  model_free(job->model);
  image_free(preloader->memory, &job->image);
  job->model = NULL;
  job->is_done = job->has_failed = job->is_stale = false;
}

static void free_job(Preloader *preloader, PreloadJob *job) {
  clear_job(preloader, job);
  memory_free(preloader->memory, job);
}

static PreloadJob *next_waiting(const Preloader *preloader) {
  for (int i = 0; i < preloader->jobs.count; i++) {
    if (!preloader->jobs.items[i]->is_done) return preloader->jobs.items[i];
  }
  return NULL;
}

static int run(void *user) {
  Preloader *preloader = user;
  mtx_lock(&preloader->lock);
  while (!preloader->is_ending) {
    PreloadJob *job = next_waiting(preloader);
    if (!job) {
      cnd_wait(&preloader->wake, &preloader->lock);
      continue;
    }
    mtx_unlock(&preloader->lock);
    preloader->work(preloader->user, job);
    mtx_lock(&preloader->lock);
    if (job->is_stale)
      clear_job(preloader, job);
    else
      job->is_done = true;
  }
  mtx_unlock(&preloader->lock);
  return 0;
}

Preloader *preloader_create(Memory *memory, PreloadWork *work, void *user, Error *error) {
  Preloader *preloader = memory_alloc(memory, sizeof *preloader);
  if (!preloader) {
    error_set_out_of_memory(error);
    return NULL;
  }
  preloader->memory = memory;
  preloader->work = work;
  preloader->user = user;
  mtx_init(&preloader->lock, mtx_plain);
  cnd_init(&preloader->wake);
  if (thrd_create(&preloader->thread, run, preloader) != thrd_success) {
    mtx_destroy(&preloader->lock);
    cnd_destroy(&preloader->wake);
    memory_free(memory, preloader);
    error_set(error, "no thread for loading could be started");
    return NULL;
  }
  return preloader;
}

void preloader_free(Preloader *preloader, PreloadWork *drop) {
  if (!preloader) return;
  mtx_lock(&preloader->lock);
  preloader->is_ending = true;
  cnd_signal(&preloader->wake);
  mtx_unlock(&preloader->lock);
  thrd_join(preloader->thread, NULL);
  for (int i = 0; i < preloader->jobs.count; i++) {
    drop(preloader->user, preloader->jobs.items[i]);
    free_job(preloader, preloader->jobs.items[i]);
  }
  array_free(preloader->memory, &preloader->jobs);
  mtx_destroy(&preloader->lock);
  cnd_destroy(&preloader->wake);
  memory_free(preloader->memory, preloader);
}

bool preloader_add(Preloader *preloader, const char *path, void *owner, Error *error) {
  PreloadJob *job = memory_alloc(preloader->memory, sizeof *job);
  if (!job) return error_set_out_of_memory(error);
  snprintf(job->path, sizeof job->path, "%s", path);
  job->owner = owner;
  mtx_lock(&preloader->lock);
  bool is_added = array_push(preloader->memory, &preloader->jobs, job);
  cnd_signal(&preloader->wake);
  mtx_unlock(&preloader->lock);
  if (is_added) return true;
  memory_free(preloader->memory, job);
  return error_set_out_of_memory(error);
}

void preloader_restart(Preloader *preloader) {
  mtx_lock(&preloader->lock);
  for (int i = 0; i < preloader->jobs.count; i++) {
    PreloadJob *job = preloader->jobs.items[i];
    // One that is not done may be in work now.
    if (job->is_done)
      clear_job(preloader, job);
    else
      job->is_stale = true;
  }
  cnd_signal(&preloader->wake);
  mtx_unlock(&preloader->lock);
}

PreloadJob *preloader_take(Preloader *preloader) {
  PreloadJob *job = NULL;
  mtx_lock(&preloader->lock);
  if (preloader->jobs.count > 0 && preloader->jobs.items[0]->is_done) {
    job = preloader->jobs.items[0];
    preloader->jobs.count--;
    for (int i = 0; i < preloader->jobs.count; i++)
      preloader->jobs.items[i] = preloader->jobs.items[i + 1];
  }
  mtx_unlock(&preloader->lock);
  return job;
}
