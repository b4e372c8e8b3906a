#include "watch.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "array.h"
#include "log.h"

// A folder with more in it is hardly one of a game.
enum { MOST_FOLDERS = 4000, MAX_FILES = 50000, PATH_SIZE = sizeof((WatchChange *)0)->path, REAL_SIZE = 2048 };

#define REST_SECONDS 0.03      // after the last close; an editor that writes twice does so within a few ms
#define GONE_SECONDS 0.4       // some editors rename a file away before they write it anew
#define EMPTY_SECONDS 1.0      // a file that was emptied is about to be written
#define TOGETHER_SECONDS 0.03  // how long a change waits for others to come to rest
#define POLL_SECONDS 0.1
#define POLL_SHARE 20  // looking through the folders takes a 20th of the time at most

typedef struct Folder {
  int descriptor;  // inotify's
  char *path;      // "" is the root
} Folder;

// A file that has changed, which is not told yet.
typedef struct Pending {
  char *path;
  double due;        // when it will have come to rest
  bool is_written;   // someone has written to it and not closed it
  bool was_awaited;  // it was empty, and time to write it has passed
} Pending;

typedef struct Stamp {
  struct timespec modified;
  off_t size;
  ino_t inode;
} Stamp;

// What polling remembers of a file.
typedef struct Seen {
  char *path;
  Stamp stamp;
  bool is_there, is_settled;
} Seen;

struct Watch {
  Memory *memory;
  char *root;
  int inotify;  // or -1: the folders are polled
  ARRAY(Folder) folders;
  ARRAY(Pending) pending;
  ARRAY(Seen) seen;
  int next_seen, most_folders;
  double next_poll;
  bool has_polled, has_warned;
  bool has_lost;  // a folder or a change, for lack of memory
};

static double now_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool is_passed_over(const char *name) {
  size_t length = strlen(name);
  return name[0] == '.' || name[length - 1] == '~' || (name[0] == '#' && name[length - 1] == '#');
}

static bool join(char out[PATH_SIZE], const char *folder, const char *name) {
  return snprintf(out, PATH_SIZE, "%s%s%s", folder, folder[0] ? "/" : "", name) < PATH_SIZE;
}

static bool real_path(const Watch *watch, const char *path, char out[REAL_SIZE]) {
  return snprintf(out, REAL_SIZE, "%s%s%s", watch->root, path[0] ? "/" : "", path) < REAL_SIZE;
}

static bool look_at(const Watch *watch, const char *path, struct stat *info) {
  char real[REAL_SIZE];
  return real_path(watch, path, real) && lstat(real, info) == 0;
}

static void warn_once(Watch *watch) {
  if (!watch->has_warned) log_warning("%s: too much to watch: some changes of files will not be seen", watch->root);
  watch->has_warned = true;
}

// --- Changes on their way ---

static Pending *find_pending(const Watch *watch, const char *path) {
  for (int i = 0; i < watch->pending.count; i++) {
    if (strcmp(watch->pending.items[i].path, path) == 0) return &watch->pending.items[i];
  }
  return NULL;
}

// Without memory for something, all is looked through again when there is some.
static void note(Watch *watch, const char *path, double rest_seconds, bool is_written) {
  Pending *known = find_pending(watch, path);
  if (!known) {
    Pending pending = {.path = memory_copy_string(watch->memory, path)};
    if (!pending.path || !array_push(watch->memory, &watch->pending, pending)) {
      memory_free(watch->memory, pending.path);
      watch->has_lost = true;
      return;
    }
    known = &watch->pending.items[watch->pending.count - 1];
  }
  known->due = now_seconds() + rest_seconds;
  known->is_written = is_written;
  known->was_awaited = false;
}

// --- Looking through folders ---

typedef void FileVisit(Watch *watch, const char *path, const struct stat *info);
typedef void FolderVisit(Watch *watch, const char *path);
typedef ARRAY(char *) PathList;

static void push_path(Watch *watch, PathList *list, const char *path) {
  if (list->count >= watch->most_folders) {
    warn_once(watch);
    return;
  }
  char *copy = memory_copy_string(watch->memory, path);
  if (copy && array_push(watch->memory, list, copy)) return;
  memory_free(watch->memory, copy);
  watch->has_lost = true;
}

static void look_into(Watch *watch, const char *folder, PathList *folders, FileVisit *visit_file) {
  char real[REAL_SIZE], path[PATH_SIZE];
  DIR *entries = real_path(watch, folder, real) ? opendir(real) : NULL;
  if (!entries) return;
  for (struct dirent *entry; (entry = readdir(entries));) {
    struct stat info;
    if (is_passed_over(entry->d_name) || !join(path, folder, entry->d_name) || !look_at(watch, path, &info)) continue;
    if (S_ISDIR(info.st_mode))
      push_path(watch, folders, path);
    else if (S_ISREG(info.st_mode))
      visit_file(watch, path, &info);
  }
  closedir(entries);
}

// Visits a folder and all below it, nearer ones first.
static void scan(Watch *watch, const char *from, FolderVisit *visit_folder, FileVisit *visit_file) {
  PathList folders = {0};
  push_path(watch, &folders, from);
  for (int i = 0; i < folders.count; i++) {
    if (visit_folder) visit_folder(watch, folders.items[i]);
    look_into(watch, folders.items[i], &folders, visit_file);
  }
  for (int i = 0; i < folders.count; i++)
    memory_free(watch->memory, folders.items[i]);
  array_free(watch->memory, &folders);
}

// --- Polling ---

static bool is_same(const Stamp *a, const Stamp *b) {
  return a->modified.tv_sec == b->modified.tv_sec && a->modified.tv_nsec == b->modified.tv_nsec && a->size == b->size &&
         a->inode == b->inode;
}

// Folders list their files in the same order again, so that the one behind the last is nearly always the one looked for.
static Seen *find_seen(Watch *watch, const char *path) {
  int count = watch->seen.count;
  for (int i = 0; i < count; i++) {
    int at = (watch->next_seen + i) % count;
    if (strcmp(watch->seen.items[at].path, path) != 0) continue;
    watch->next_seen = at + 1;
    return &watch->seen.items[at];
  }
  return NULL;
}

// A file that looks the same twice in a row has come to rest.
static void poll_file(Watch *watch, const char *path, const struct stat *info) {
  Stamp stamp = {info->st_mtim, info->st_size, info->st_ino};
  Seen *seen = find_seen(watch, path);
  if (!seen) {
    Seen new_one = {memory_copy_string(watch->memory, path), stamp, true, !watch->has_polled};
    if (new_one.path && watch->seen.count < MAX_FILES && array_push(watch->memory, &watch->seen, new_one)) return;
    memory_free(watch->memory, new_one.path);
    warn_once(watch);
    return;
  }
  seen->is_there = true;
  if (!is_same(&seen->stamp, &stamp)) {
    seen->stamp = stamp;
    seen->is_settled = false;
  } else if (!seen->is_settled) {
    seen->is_settled = true;
    note(watch, path, 0, false);
  }
}

static void poll_folders(Watch *watch) {
  double start = now_seconds();
  if (start < watch->next_poll) return;
  for (int i = 0; i < watch->seen.count; i++)
    watch->seen.items[i].is_there = false;
  scan(watch, "", NULL, poll_file);
  watch->has_polled = true;
  int kept = 0;
  for (int i = 0; i < watch->seen.count; i++) {
    Seen seen = watch->seen.items[i];
    if (seen.is_there) {
      watch->seen.items[kept++] = seen;
    } else {
      note(watch, seen.path, GONE_SECONDS, false);
      memory_free(watch->memory, seen.path);
    }
  }
  watch->seen.count = kept;
  double end = now_seconds(), pause = (end - start) * POLL_SHARE;
  watch->next_poll = end + (pause > POLL_SECONDS ? pause : POLL_SECONDS);
}

// --- inotify ---

static void stop_inotify(Watch *watch) {
  for (int i = 0; i < watch->folders.count; i++)
    memory_free(watch->memory, watch->folders.items[i].path);
  array_free(watch->memory, &watch->folders);
  if (watch->inotify >= 0) close(watch->inotify);
  watch->inotify = -1;
}

static void watch_folder(Watch *watch, const char *path) {
  char real[REAL_SIZE];
  if (watch->inotify < 0 || !real_path(watch, path, real)) return;
  int descriptor = inotify_add_watch(watch->inotify, real,
                                     IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE |
                                         IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK);
  if (descriptor < 0) {
    // No watch is left: the folders that have one would not be enough.
    if (access(real, R_OK | X_OK) == 0) stop_inotify(watch);
    return;
  }
  // A folder that is watched already has been renamed.
  for (int i = 0; i < watch->folders.count; i++) {
    Folder *folder = &watch->folders.items[i];
    if (folder->descriptor != descriptor) continue;
    char *copy = memory_copy_string(watch->memory, path);
    if (!copy) return;
    memory_free(watch->memory, folder->path);
    folder->path = copy;
    return;
  }
  Folder folder = {descriptor, memory_copy_string(watch->memory, path)};
  if (folder.path && array_push(watch->memory, &watch->folders, folder)) return;
  memory_free(watch->memory, folder.path);
  inotify_rm_watch(watch->inotify, descriptor);
  watch->has_lost = true;
}

static void pass_file(Watch *watch, const char *path, const struct stat *info) {
  (void)watch, (void)path, (void)info;
}

static void note_file(Watch *watch, const char *path, const struct stat *info) {
  (void)info;
  if (!find_pending(watch, path)) note(watch, path, REST_SECONDS, false);
}

static void forget_folder(Watch *watch, int descriptor) {
  for (int i = 0; i < watch->folders.count; i++) {
    if (watch->folders.items[i].descriptor != descriptor) continue;
    memory_free(watch->memory, watch->folders.items[i].path);
    watch->folders.items[i] = watch->folders.items[--watch->folders.count];
    return;
  }
}

static const char *folder_of(const Watch *watch, int descriptor) {
  for (int i = 0; i < watch->folders.count; i++) {
    if (watch->folders.items[i].descriptor == descriptor) return watch->folders.items[i].path;
  }
  return NULL;
}

static void take_event(Watch *watch, const struct inotify_event *event) {
  char path[PATH_SIZE];
  if (event->mask & IN_Q_OVERFLOW) {
    scan(watch, "", watch_folder, note_file);
    return;
  }
  if (event->mask & IN_IGNORED) forget_folder(watch, event->wd);
  const char *folder = folder_of(watch, event->wd);
  if (!folder || event->len == 0 || is_passed_over(event->name) || !join(path, folder, event->name)) return;
  if (event->mask & IN_ISDIR) {
    // Files in it may be older than the watch on it.
    if (event->mask & (IN_CREATE | IN_MOVED_TO)) scan(watch, path, watch_folder, note_file);
  } else if (event->mask & IN_MODIFY) {
    note(watch, path, REST_SECONDS, true);
  } else if (event->mask & (IN_CLOSE_WRITE | IN_MOVED_TO)) {
    note(watch, path, REST_SECONDS, false);
  } else if (event->mask & (IN_MOVED_FROM | IN_DELETE)) {
    note(watch, path, GONE_SECONDS, false);
  }
}

static void read_events(Watch *watch) {
  _Alignas(struct inotify_event) char buffer[16384];
  ssize_t size;
  while (watch->inotify >= 0 && (size = read(watch->inotify, buffer, sizeof buffer)) > 0) {
    for (const char *at = buffer; at < buffer + size;) {
      const struct inotify_event *event = (const struct inotify_event *)(const void *)at;
      take_event(watch, event);
      at += sizeof *event + event->len;
    }
  }
}

static void update(Watch *watch) {
  if (watch->has_lost) {
    watch->has_lost = false;
    scan(watch, "", watch_folder, note_file);
  }
  if (watch->inotify >= 0) read_events(watch);
  if (watch->inotify < 0) poll_folders(watch);
}

// --- The watch ---

// File systems that others write to, of which inotify does not hear (numbers from statfs(2)).
static bool is_remote(const char *folder) {
  static const unsigned REMOTE[] = {0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x786f4256};
  struct statfs info;
  if (statfs(folder, &info) != 0) return false;
  for (size_t i = 0; i < sizeof REMOTE / sizeof *REMOTE; i++) {
    if ((unsigned)info.f_type == REMOTE[i]) return true;
  }
  return false;
}

Watch *watch_create(Memory *memory, const WatchDesc *desc, Error *error) {
  Watch *watch = memory_alloc(memory, sizeof *watch);
  char *root = memory_copy_string(memory, desc->folder);
  if (!watch || !root) {
    memory_free(memory, watch);
    memory_free(memory, root);
    error_set_out_of_memory(error);
    return NULL;
  }
  *watch = (Watch){.memory = memory,
                   .root = root,
                   .inotify = -1,
                   .most_folders = desc->most_folders > 0 ? desc->most_folders : MOST_FOLDERS,
                   .has_warned = desc->most_folders > 0};
  if (!desc->polls && !is_remote(desc->folder)) watch->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (watch->inotify >= 0) scan(watch, "", watch_folder, pass_file);
  if (watch->inotify < 0) poll_folders(watch);
  return watch;
}

void watch_free(Watch *watch) {
  if (!watch) return;
  stop_inotify(watch);
  for (int i = 0; i < watch->pending.count; i++)
    memory_free(watch->memory, watch->pending.items[i].path);
  for (int i = 0; i < watch->seen.count; i++)
    memory_free(watch->memory, watch->seen.items[i].path);
  array_free(watch->memory, &watch->pending);
  array_free(watch->memory, &watch->seen);
  memory_free(watch->memory, watch->root);
  memory_free(watch->memory, watch);
}

// Whether others that changed at about the same time have come to rest, too, or have had their time.
static bool is_quiet(const Watch *watch, const Pending *pending, double now) {
  if (now > pending->due + TOGETHER_SECONDS) return true;
  for (int i = 0; i < watch->pending.count; i++) {
    double due = watch->pending.items[i].due;
    if (due > now && due < now + REST_SECONDS) return false;
  }
  return true;
}

// An empty file is given time to be written.
static bool is_at_rest(Watch *watch, Pending *pending, double now, WatchChange *change) {
  if (pending->is_written || pending->due > now || !is_quiet(watch, pending, now)) return false;
  struct stat info;
  bool is_there = look_at(watch, pending->path, &info) && S_ISREG(info.st_mode);
  if (is_there && info.st_size == 0 && !pending->was_awaited) {
    pending->was_awaited = true;
    pending->due = now + EMPTY_SECONDS;
    return false;
  }
  memcpy(change->path, pending->path, strlen(pending->path) + 1);
  change->is_gone = !is_there;
  return true;
}

bool watch_next(Watch *watch, WatchChange *change) {
  update(watch);
  double now = watch->pending.count > 0 ? now_seconds() : 0;
  for (int i = 0; i < watch->pending.count; i++) {
    if (!is_at_rest(watch, &watch->pending.items[i], now, change)) continue;
    memory_free(watch->memory, watch->pending.items[i].path);
    watch->pending.items[i] = watch->pending.items[--watch->pending.count];
    return true;
  }
  return false;
}

bool watch_lacks_memory(const Watch *watch) {
  return watch->has_lost;
}

bool watch_is_ready(Watch *watch, const char *path) {
  update(watch);
  WatchChange change;
  Pending *pending = find_pending(watch, path);
  return pending && is_at_rest(watch, pending, now_seconds(), &change);
}
