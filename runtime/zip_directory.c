#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64
#include "zip_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes.h"
#include "cp437.h"
#include "utf8.h"

// The end record is 22 bytes and a comment of up to 65535; a signature or the like may stand behind it.
enum { END_SIZE = 22, MOST_BEHIND = 65536, END_SEARCH = END_SIZE + 65535 + MOST_BEHIND, ENTRY_SIZE = 46 };

#define END_MAGIC 0x06054b50u
#define ENTRY_MAGIC 0x02014b50u
#define ZIP64_MARK 0xffffffffu

// The file while it is read.
typedef struct Reader {
  ZipDirectory *directory;
  const char *path;
  int64_t size;
  int entry_count, most_entries;
  int64_t directory_size;
  int64_t prefix;  // bytes before the zip
  Error *error;
} Reader;

bool zip_directory_read_at(const ZipDirectory *directory, int64_t at, void *bytes, size_t size, Error *error) {
  size_t done = 0;
  while (done < size) {
    ssize_t got = pread(directory->file, (char *)bytes + done, size - done, (off_t)at + (off_t)done);
    if (got > 0) {
      done += (size_t)got;
    } else if (got == 0) {
      return error_set(error, "%s: ends at byte %lld, within what is to be read", directory->path,
                       (long long)at + (long long)done);
    } else if (errno != EINTR) {
      return error_set(error, "%s: cannot be read: %s", directory->path, strerror(errno));
    }
  }
  return true;
}

// --- The end record ---

// The comment of the record reaches the file's end, but for what may stand behind.
static bool fits_file(const Reader *reader, const uint8_t *end, int64_t at) {
  int64_t behind = reader->size - at - END_SIZE - read_u16(end + 20);
  return behind >= 0 && behind <= MOST_BEHIND;
}

static bool begins_with_entry(const Reader *reader, int64_t directory_at) {
  uint8_t magic[4];
  return zip_directory_read_at(reader->directory, directory_at, magic, sizeof magic, NULL) &&
         read_u32(magic) == ENTRY_MAGIC;
}

static bool take_end(Reader *reader, const uint8_t *end, int64_t at) {
  Error *error = reader->error;
  uint32_t size = read_u32(end + 12), offset = read_u32(end + 16);
  reader->entry_count = read_u16(end + 10);
  if (reader->entry_count == 0) return error_set(error, "%s: the zip is empty", reader->path);
  if (reader->entry_count > reader->most_entries)
    return error_set(error, "%s: the zip has %d entries, at most %d are allowed", reader->path, reader->entry_count,
                     reader->most_entries);
  if (read_u16(end + 4) != 0 || read_u16(end + 6) != 0 || read_u16(end + 8) != reader->entry_count)
    return error_set(error, "%s: a part of a zip; it has to be in one piece", reader->path);
  if (size == ZIP64_MARK || offset == ZIP64_MARK)
    return error_set(error, "%s: a zip of the large form (zip64), which games do not need", reader->path);
  if ((int64_t)size + offset > at)
    return error_set(error, "%s: the zip is damaged: its directory lies outside of it", reader->path);
  if (!begins_with_entry(reader, at - size))
    return error_set(error, "%s: the zip is damaged: entry 1 of %d is none", reader->path, reader->entry_count);
  reader->directory->at = at - size;
  reader->directory->end = at + END_SIZE + read_u16(end + 20);
  reader->directory_size = size;
  reader->prefix = at - size - offset;
  return true;
}

// The last record that leads to a directory. Where none does, the error is of the last that is one by its form.
static bool find_end(Reader *reader, const uint8_t *tail, int64_t tail_size) {
  Error *error = reader->error, ignored;
  bool has_record = false;
  for (int64_t at = tail_size - END_SIZE; at >= 0; at--) {
    int64_t in_file = reader->size - tail_size + at;
    if (read_u32(tail + at) != END_MAGIC || !fits_file(reader, tail + at, in_file)) continue;
    reader->error = has_record ? &ignored : error;
    bool is_good = take_end(reader, tail + at, in_file);
    reader->error = error;
    if (is_good) return true;
    has_record = true;
  }
  return !has_record && error_set(error, "%s: not a zip, or only the start of one", reader->path);
}

static bool read_end(Reader *reader, Error *error) {
  Memory *memory = reader->directory->arena.memory;
  struct stat info;
  if (fstat(reader->directory->file, &info) != 0 || !S_ISREG(info.st_mode))
    return error_set(error, "%s: is not a file", reader->path);
  reader->size = info.st_size;
  size_t size = reader->size < END_SEARCH ? (size_t)reader->size : END_SEARCH;
  uint8_t *tail = memory_alloc(memory, size);
  if (!tail) return error_set_out_of_memory(error);
  bool is_good = zip_directory_read_at(reader->directory, reader->size - (int64_t)size, tail, size, error) &&
                 find_end(reader, tail, (int64_t)size);
  memory_free(memory, tail);
  return is_good;
}

// --- The entries ---

// The upper half of the attributes is a file's mode where the zip was made on Unix (3) or a Mac (19).
static ZipKind entry_kind(const uint8_t *entry, bool has_slash) {
  int system = entry[5], type = read_u16(entry + 40) & 0170000;
  bool has_mode = (system == 3 || system == 19) && type != 0;
  if (has_mode && type == 0120000) return ZIP_LINK;
  if (has_mode && type != 0100000 && type != 0040000) return ZIP_DEVICE;
  return has_slash ? ZIP_FOLDER : ZIP_FILE;
}

// Names are UTF-8 whatever the flag for it says, and CP437 only where they cannot be UTF-8: few programs set the flag.
static const char *entry_name(Arena *arena, const ZipEntry *entry, bool is_of_dos) {
  char *name = arena_copy_string(arena, (const char *)entry->raw_name, (size_t)entry->raw_length);
  if (name && !utf8_is_valid(name)) {
    size_t room = (size_t)entry->raw_length * 3 + 4;
    char *converted = arena_alloc(arena, room);
    bool is_good = converted && cp437_to_utf8(name, converted, room);
    name = is_good ? converted : NULL;
  }
  for (char *c = name; name && is_of_dos && *c; c++) {
    if (*c == '\\') *c = '/';
  }
  return name;
}

static bool take_entry(Reader *reader, const uint8_t *bytes, ZipEntry *entry) {
  Arena *arena = &reader->directory->arena;
  int raw_length = read_u16(bytes + 28);
  *entry = (ZipEntry){
      .raw_name = (const uint8_t *)arena_copy_string(arena, (const char *)bytes + ENTRY_SIZE, (size_t)raw_length),
      .raw_length = raw_length,
      .flags = read_u16(bytes + 8),
      .method = read_u16(bytes + 10),
      .crc32 = read_u32(bytes + 16),
      .packed_size = read_u32(bytes + 20),
      .size = read_u32(bytes + 24),
      .offset = reader->prefix + read_u32(bytes + 42),
  };
  entry->name = entry->raw_name ? entry_name(arena, entry, bytes[5] == 0) : NULL;
  if (!entry->name) return error_set_out_of_memory(reader->error);
  entry->name_length = (int)strlen(entry->name);
  bool has_slash = entry->name_length > 0 && entry->name[entry->name_length - 1] == '/';
  entry->kind = entry_kind(bytes, has_slash);
  entry->name_length -= has_slash;
  return true;
}

static bool read_entry(Reader *reader, const uint8_t *bytes, const uint8_t *end, size_t *used) {
  ZipDirectory *directory = reader->directory;
  if (end - bytes < ENTRY_SIZE || read_u32(bytes) != ENTRY_MAGIC)
    return error_set(reader->error, "%s: the zip is damaged: entry %d of %d is none", reader->path,
                     directory->count + 1, reader->entry_count);
  *used = ENTRY_SIZE + (size_t)read_u16(bytes + 28) + read_u16(bytes + 30) + read_u16(bytes + 32);
  if (*used > (size_t)(end - bytes))
    return error_set(reader->error, "%s: the zip is damaged: entry %d of %d is cut", reader->path, directory->count + 1,
                     reader->entry_count);
  return take_entry(reader, bytes, &directory->entries[directory->count++]);
}

static int compare_bytes(const char *a, size_t a_length, const char *b, size_t b_length) {
  int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
  return order ? order : (a_length > b_length) - (a_length < b_length);
}

// Of one name, entries stay in their order.
static int compare_names(const void *a, const void *b) {
  const ZipEntry *one = *(ZipEntry *const *)a, *other = *(ZipEntry *const *)b;
  int order = compare_bytes(one->name, (size_t)one->name_length, other->name, (size_t)other->name_length);
  return order ? order : (one > other) - (one < other);
}

static bool read_entries(Reader *reader) {
  ZipDirectory *directory = reader->directory;
  Memory *memory = directory->arena.memory;
  size_t count = (size_t)reader->entry_count;
  directory->entries = arena_alloc_array(&directory->arena, count, sizeof *directory->entries);
  directory->by_name = arena_alloc_array(&directory->arena, count, sizeof *directory->by_name);
  uint8_t *bytes = memory_alloc(memory, (size_t)reader->directory_size);
  bool is_good = (directory->entries && directory->by_name && bytes) || error_set_out_of_memory(reader->error);
  is_good =
      is_good && zip_directory_read_at(directory, directory->at, bytes, (size_t)reader->directory_size, reader->error);
  const uint8_t *at = bytes, *end = is_good ? bytes + reader->directory_size : bytes;
  for (int i = 0; is_good && i < reader->entry_count; i++) {
    size_t used = 0;
    is_good = read_entry(reader, at, end, &used);
    at += used;
    directory->by_name[i] = &directory->entries[i];
  }
  directory->unread_bytes = end - at;
  memory_free(memory, bytes);
  if (is_good) qsort(directory->by_name, count, sizeof *directory->by_name, compare_names);
  return is_good;
}

static bool open_file(Memory *memory, const char *path, ZipDirectory *directory, Error *error) {
  *directory = (ZipDirectory){.arena = {.memory = memory}, .path = path};
  // A pipe without a writer must not hold us up; it is refused as soon as it is looked at.
  directory->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  directory->is_open = directory->file >= 0;
  return directory->is_open || error_set(error, "%s: cannot be opened: %s", path, strerror(errno));
}

bool zip_directory_read(Memory *memory, const char *path, int most_entries, ZipDirectory *directory, Error *error) {
  Reader reader = {.directory = directory, .most_entries = most_entries, .error = error};
  if (!open_file(memory, path, directory, error)) return false;
  // Whoever asked may be gone by the time a file cannot be read.
  directory->path = reader.path = arena_copy_string(&directory->arena, path, strlen(path));
  if (!reader.path) return error_set_out_of_memory(error);
  return read_end(&reader, error) && read_entries(&reader);
}

bool zip_directory_is_there(Memory *memory, const char *path) {
  ZipDirectory directory;
  Error ignored;
  Reader reader = {.directory = &directory, .path = path, .most_entries = 65535, .error = &ignored};
  bool is_there = open_file(memory, path, &directory, &ignored) && read_end(&reader, &ignored);
  zip_directory_free(&directory);
  return is_there;
}

void zip_directory_free(ZipDirectory *directory) {
  if (directory->is_open) close(directory->file);
  directory->is_open = false;
  arena_free(&directory->arena);
}

ZipEntry *zip_directory_find(const ZipDirectory *directory, const char *name, size_t length) {
  int low = 0, high = directory->count - 1;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    ZipEntry *entry = directory->by_name[middle];
    int order = compare_bytes(entry->name, (size_t)entry->name_length, name, length);
    if (order == 0) return entry;
    if (order < 0)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return NULL;
}
