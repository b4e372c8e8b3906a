#ifndef PALFREY_WATCH_H
#define PALFREY_WATCH_H
// Files below a folder that change while a game runs, each told once its writer is done: after the last close or rename and
// a short time of rest, so that editors that truncate, write in pieces or rename are all heard of once. Linux tells of
// changes by inotify; on file systems of other machines, or where inotify has no watch left, the folders are looked through
// every tenth of a second. Names that begin with "." or end with "~" are passed over, links are not followed.
#include "error.h"
#include "memory.h"

typedef struct Watch Watch;

typedef struct WatchChange {
  char path[512];  ///< relative to the folder, "/" between parts
  bool is_gone;    ///< it was deleted or renamed
} WatchChange;

typedef struct WatchDesc {
  const char *folder;
  int most_folders;  ///< those nearest to the top are watched, the others passed over; 0 for 4000, with a warning
  bool polls;        ///< even where inotify would do
} WatchDesc;

Watch *watch_create(Memory *memory, const WatchDesc *desc, Error *error);
void watch_free(Watch *watch);

/// The next change that has come to rest; false when there is none now. Changes at about the same time come together.
bool watch_next(Watch *watch, WatchChange *change);

/// Whether changes wait for memory to be told.
bool watch_lacks_memory(const Watch *watch);

/// Whether a change of that path waits to be taken.
bool watch_is_ready(Watch *watch, const char *path);

#endif
