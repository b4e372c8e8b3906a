#ifndef PALFREY_ENGINE_PRELOAD_H
#define PALFREY_ENGINE_PRELOAD_H
// A thread that reads and decodes files ahead of need. Jobs go in at one end and come out, done, at the other; only the
// main thread talks to the GPU and to the caches.
#include "array.h"
#include "files.h"
#include "loaders/image.h"
#include "loaders/model.h"

typedef struct Preloader Preloader;

typedef struct PreloadJob {
  char path[FILES_MAX_PATH];
  void *owner;   ///< whom to tell
  Model *model;  ///< what came out, if it was a model
  Image image;   ///< or an image
  bool is_done, has_failed;
  bool is_stale;  ///< to be done again
  Error error;
} PreloadJob;

/// Does something with one job.
typedef void PreloadWork(void *user, PreloadJob *job);

/// Starts the thread, on which `work` decodes the files.
Preloader *preloader_create(Memory *memory, PreloadWork *work, void *user, Error *error);

/// Waits for the job being done, ends the thread and frees the jobs nobody took, after telling `drop` of each. NULL is
/// allowed.
void preloader_free(Preloader *preloader, PreloadWork *drop);

bool preloader_add(Preloader *preloader, const char *path, void *owner, Error *error);

/// Files may have changed: those of all jobs that nobody took are read anew.
void preloader_restart(Preloader *preloader);

/// Takes out the next finished job: the caller frees it and what is in it. NULL when none is ready.
PreloadJob *preloader_take(Preloader *preloader);

#endif
