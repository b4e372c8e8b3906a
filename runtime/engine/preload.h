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
  void *owner;   ///< whom to tell, or NULL when nobody waits any more
  Model *model;  ///< what came out, if it was a model
  Image image;   ///< or an image
  bool is_done, has_failed;
  Error error;
} PreloadJob;

/// Decodes one job's file; runs on the thread.
typedef void PreloadWork(void *user, PreloadJob *job);

/// Starts the thread.
Preloader *preloader_create(Memory *memory, PreloadWork *work, void *user, Error *error);

/// Waits for the job being done, drops the others and ends the thread. NULL is allowed.
void preloader_free(Preloader *preloader);

bool preloader_add(Preloader *preloader, const char *path, void *owner, Error *error);

/// Takes out the next finished job: the caller frees it and what is in it. NULL when none is ready.
PreloadJob *preloader_take(Preloader *preloader);

#endif
