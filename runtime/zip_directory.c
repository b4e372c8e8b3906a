#include "zip_directory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

// The end record is 22 bytes and a comment of up to 65535, at the very end of the file.
enum { END_SIZE = 22, END_SEARCH = END_SIZE + 65535, ENTRY_SIZE = 46, LOCAL_SIZE = 30 };

#define END_MAGIC 0x06054b50u
#define ENTRY_MAGIC 0x02014b50u
#define ZIP64_MARK 0xffffffffu

// The file while it is read.
typedef struct Reader {
  const char *path;
  FILE *file;
  long size;
  int entry_count;
  long directory_at, directory_size;
  int64_t prefix;  // bytes before the zip
  Error *error;
} Reader;

static bool read_at(Reader *reader, long at, uint8_t *bytes, size_t size) {
  if (fseek(reader->file, at, SEEK_SET) == 0 && fread(bytes, 1, size, reader->file) == size) return true;
  return error_set(reader->error, "%s: cannot be read", reader->path);
}

static bool take_end(Reader *reader, const uint8_t *end, long at, int most_entries) {
  uint32_t size = read_u32(end + 12), offset = read_u32(end + 16);
  reader->entry_count = read_u16(end + 10);
  if (reader->entry_count == 0) return error_set(reader->error, "%s: the zip is empty", reader->path);
  if (reader->entry_count > most_entries)
    return error_set(reader->error, "%s: the zip has %d entries, at most %d are allowed", reader->path,
                     reader->entry_count, most_entries);
  if (read_u16(end + 4) != 0 || read_u16(end + 6) != 0 || read_u16(end + 8) != reader->entry_count)
    return error_set(reader->error, "%s: a part of a zip; it has to be in one piece", reader->path);
  if (size == ZIP64_MARK || offset == ZIP64_MARK)
    return error_set(reader->error, "%s: a zip of the large form (zip64), which games do not need", reader->path);
  if ((int64_t)size + offset > at)
    return error_set(reader->error, "%s: the zip is damaged: its directory lies outside of it", reader->path);
  reader->directory_at = at - (long)size;
  reader->directory_size = (long)size;
  reader->prefix = reader->directory_at - (int64_t)offset;
  return true;
}

static bool find_end(Reader *reader, const uint8_t *tail, long tail_size, int most_entries) {
  long extra = -1;
  for (long at = tail_size - END_SIZE; at >= 0; at--) {
    if (read_u32(tail + at) != END_MAGIC) continue;
    long behind = tail_size - at - END_SIZE - read_u16(tail + at + 20);
    if (behind == 0) return take_end(reader, tail + at, reader->size - tail_size + at, most_entries);
    if (behind > 0 && extra < 0) extra = behind;
  }
  if (extra > 0)
    return error_set(reader->error, "%s: the zip is damaged: %ld bytes stand behind its end", reader->path, extra);
  return error_set(reader->error, "%s: not a zip, or only the start of one", reader->path);
}

static bool read_end(Reader *reader, Memory *memory, int most_entries) {
  reader->size = fseek(reader->file, 0, SEEK_END) == 0 ? ftell(reader->file) : -1;
  if (reader->size < 0) return error_set(reader->error, "%s: cannot be read", reader->path);
  long size = reader->size < END_SEARCH ? reader->size : END_SEARCH;
  uint8_t *tail = memory_alloc(memory, (size_t)size);
  if (!tail) return error_set_out_of_memory(reader->error);
  bool is_good = read_at(reader, reader->size - size, tail, (size_t)size) && find_end(reader, tail, size, most_entries);
  memory_free(memory, tail);
  return is_good;
}

// The upper half of the attributes is a file's mode where the zip was made on Unix (3) or a Mac (19).
static bool is_link(const uint8_t *entry) {
  int system = entry[5];
  return (system == 3 || system == 19) && (read_u16(entry + 40) & 0170000) == 0120000;
}

static bool read_entry(Reader *reader, ZipDirectory *directory, const uint8_t *bytes, const uint8_t *end,
                       size_t *used) {
  if (end - bytes < ENTRY_SIZE || read_u32(bytes) != ENTRY_MAGIC)
    return error_set(reader->error, "%s: the zip is damaged: entry %d of %d is none", reader->path,
                     directory->count + 1, reader->entry_count);
  size_t name_length = read_u16(bytes + 28);
  *used = ENTRY_SIZE + name_length + read_u16(bytes + 30) + read_u16(bytes + 32);
  if (*used > (size_t)(end - bytes))
    return error_set(reader->error, "%s: the zip is damaged: entry %d of %d is cut", reader->path, directory->count + 1,
                     reader->entry_count);
  char *name = arena_copy_string(&directory->arena, (const char *)bytes + ENTRY_SIZE, name_length);
  if (!name) return error_set_out_of_memory(reader->error);
  bool is_dos = bytes[5] == 0;
  for (size_t i = 0; is_dos && i < name_length; i++) {
    if (name[i] == '\\') name[i] = '/';
  }
  directory->entries[directory->count++] = (ZipEntry){
      .name = name,
      .name_length = (int)name_length,
      .flags = read_u16(bytes + 8),
      .method = read_u16(bytes + 10),
      .crc32 = read_u32(bytes + 16),
      .packed_size = read_u32(bytes + 20),
      .size = read_u32(bytes + 24),
      .offset = reader->prefix + read_u32(bytes + 42),
      .is_folder = name_length > 0 && name[name_length - 1] == '/',
      .is_link = is_link(bytes),
  };
  return true;
}

static bool read_entries(Reader *reader, Memory *memory, ZipDirectory *directory) {
  directory->entries = arena_alloc_array(&directory->arena, (size_t)reader->entry_count, sizeof *directory->entries);
  uint8_t *bytes = memory_alloc(memory, (size_t)reader->directory_size);
  bool is_good = (directory->entries && bytes) || error_set_out_of_memory(reader->error);
  is_good = is_good && read_at(reader, reader->directory_at, bytes, (size_t)reader->directory_size);
  const uint8_t *at = bytes;
  for (int i = 0; is_good && i < reader->entry_count; i++) {
    size_t used = 0;
    is_good = read_entry(reader, directory, at, bytes + reader->directory_size, &used);
    at += used;
  }
  memory_free(memory, bytes);
  return is_good;
}

bool zip_directory_read(Memory *memory, const char *path, int most_entries, ZipDirectory *directory, Error *error) {
  *directory = (ZipDirectory){.arena = {.memory = memory}};
  Reader reader = {.path = path, .error = error};
  reader.file = fopen(path, "rb");
  if (!reader.file) return error_set(error, "%s: cannot be opened: %s", path, strerror(errno));
  bool is_good = read_end(&reader, memory, most_entries);
  directory->at = reader.directory_at;
  is_good = is_good && read_entries(&reader, memory, directory);
  fclose(reader.file);
  return is_good;
}

void zip_directory_free(ZipDirectory *directory) {
  arena_free(&directory->arena);
}

// --- What a game may hold ---

enum { MAX_DEPTH = 32 };

static const char *name_fault(const ZipEntry *entry) {
  const char *name = entry->name;
  if (!name[0]) return "it has no name";
  if ((int)strlen(name) != entry->name_length) return "its name holds a zero byte";
  if (name[0] == '/' || (name[1] == ':' && name[2] == '/')) return "its name does not start at the root of the zip";
  if (strchr(name, '\\')) return "its name holds a backslash";
  int depth = 0;
  for (const char *part = name; part; depth++) {
    const char *slash = strchr(part, '/');
    size_t length = slash ? (size_t)(slash - part) : strlen(part);
    bool is_dots = length > 0 && length < 3 && part[0] == '.' && part[length - 1] == '.';
    if (is_dots) return "its name has \".\" or \"..\" for a folder";
    part = slash ? slash + 1 : NULL;
  }
  return depth > MAX_DEPTH ? "its folders are nested too deep" : NULL;
}

static const char *entry_fault(const ZipDirectory *directory, const ZipEntry *entry) {
  const char *fault = name_fault(entry);
  if (fault) return fault;
  if (entry->flags & ZIP_FLAG_ENCRYPTED) return "it is encrypted";
  if (entry->is_link) return "it is a link, which packages cannot hold";
  if (entry->is_folder) return NULL;
  if (entry->size == ZIP64_MARK || entry->packed_size == ZIP64_MARK) return "it is of the large form (zip64)";
  if (entry->method != ZIP_METHOD_STORED && entry->method != ZIP_METHOD_DEFLATED)
    return "it is packed in another way than \"deflate\"";
  if (entry->method == ZIP_METHOD_STORED && entry->size != entry->packed_size) return "its two sizes differ";
  if (entry->offset + LOCAL_SIZE + entry->name_length + entry->packed_size > directory->at)
    return "it lies outside of the zip";
  return NULL;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

// A name that is there twice, or as both a file and a folder, comes next to its like once the names are sorted: "a" is
// compared with "a" of "a/".
static bool check_twice(const ZipDirectory *directory, const char *path, Error *error) {
  Memory *memory = directory->arena.memory;
  Arena arena = {.memory = memory};
  char **names = arena_alloc_array(&arena, (size_t)directory->count, sizeof *names);
  bool is_good = names != NULL;
  for (int i = 0; is_good && i < directory->count; i++) {
    const ZipEntry *entry = &directory->entries[i];
    names[i] = arena_copy_string(&arena, entry->name, (size_t)entry->name_length - entry->is_folder);
    is_good = names[i] != NULL;
  }
  if (!is_good) error_set_out_of_memory(error);
  if (is_good) qsort(names, (size_t)directory->count, sizeof *names, compare_names);
  for (int i = 1; is_good && i < directory->count; i++) {
    if (strcmp(names[i - 1], names[i]) == 0)
      is_good = error_set(error, "%s: \"%s\" is in the zip twice", path, names[i]);
  }
  arena_free(&arena);
  return is_good;
}

bool zip_directory_check(const ZipDirectory *directory, const char *path, Error *error) {
  int64_t packed = 0;
  for (int i = 0; i < directory->count; i++) {
    const char *fault = entry_fault(directory, &directory->entries[i]);
    if (fault)
      return error_set(error, "%s: \"%s\" in the zip cannot be used: %s", path, directory->entries[i].name, fault);
    packed += directory->entries[i].packed_size;
  }
  if (packed > directory->at) return error_set(error, "%s: the zip is damaged: its files overlap", path);
  return check_twice(directory, path, error);
}
