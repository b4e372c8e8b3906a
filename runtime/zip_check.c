#include "zip_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "files.h"
#include "zip_data.h"

enum { LOCAL_SIZE = 30, MAX_DEPTH = 32, MAX_RATIO = 1032 };  // deflate's best: 258 bytes for two bits

#define LOCAL_MAGIC 0x04034b50u
#define ZIP64_MARK 0xffffffffu

typedef struct Check {
  ZipDirectory *directory;
  ZipFaultVisitor *visit;
  void *user;
} Check;

static void tell(Check *check, ZipEntry *entry, const char *format, ...) PRINTF_LIKE(3, 4);

static void tell(Check *check, ZipEntry *entry, const char *format, ...) {
  char what[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  if (entry) entry->is_faulty = true;
  check->visit(check->user, entry, what);
}

// --- One entry of the directory ---

static const char *name_fault(const ZipEntry *entry) {
  const char *name = entry->name;
  if (entry->raw_length == 0) return "it has no name";
  if (memchr(entry->raw_name, 0, (size_t)entry->raw_length)) return "its name holds a zero byte";
  if (name[0] == '/' || (name[1] == ':' && name[2] == '/')) return "its name does not start at the root of the zip";
  if (strchr(name, '\\')) return "its name holds a backslash";
  if (entry->name_length >= FILES_MAX_PATH) return "its name is too long";
  int depth = 0;
  for (const char *part = name, *end = name + entry->name_length; part < end; depth++) {
    size_t length = strcspn(part, "/");
    if (length == 0) return "its name has an empty part";
    if (length < 3 && part[0] == '.' && part[length - 1] == '.') return "its name has \".\" or \"..\" for a folder";
    part += length + (part[length] == '/');
  }
  return depth > MAX_DEPTH ? "its folders are nested too deep" : NULL;
}

static const char *kind_fault(const ZipEntry *entry) {
  if (entry->flags & ZIP_FLAG_ENCRYPTED) return "it is encrypted";
  if (entry->kind == ZIP_LINK) return "it is a link, which packages cannot hold";
  if (entry->kind == ZIP_DEVICE) return "it is neither a file nor a folder";
  if (entry->size == ZIP64_MARK || entry->packed_size == ZIP64_MARK) return "it is of the large form (zip64)";
  if (entry->method != ZIP_METHOD_STORED && entry->method != ZIP_METHOD_DEFLATED)
    return "it is packed in another way than \"deflate\"";
  if (entry->kind == ZIP_FOLDER && entry->size > 0) return "it is a folder and has bytes";
  return NULL;
}

static const char *size_fault(const ZipDirectory *directory, const ZipEntry *entry) {
  if (entry->method == ZIP_METHOD_STORED && entry->size != entry->packed_size) return "its two sizes differ";
  if (entry->offset + LOCAL_SIZE + entry->raw_length + entry->packed_size > directory->at)
    return "it lies outside of the zip";
  if (entry->size > FILES_MAX_SIZE) return "it is larger than the 256 MB allowed";
  if ((uint64_t)entry->size > ((uint64_t)entry->packed_size + 1) * MAX_RATIO)
    return "it declares more bytes than its packed ones can hold";
  return NULL;
}

static void check_entry(Check *check, ZipEntry *entry) {
  const char *fault = name_fault(entry);
  if (!fault) fault = kind_fault(entry);
  if (!fault) fault = size_fault(check->directory, entry);
  if (fault) tell(check, entry, "%s", fault);
}

// --- Names ---

// A folder may be named by several entries; "a" is found for "a/" too.
static void check_twice(Check *check, ZipEntry *before, ZipEntry *entry) {
  bool is_same =
      before->name_length == entry->name_length && memcmp(before->name, entry->name, (size_t)entry->name_length) == 0;
  if (is_same && (before->kind == ZIP_FOLDER) != (entry->kind == ZIP_FOLDER))
    tell(check, entry, "it is in the zip twice, as a file and as a folder");
  else if (is_same)
    tell(check, entry, "it is in the zip twice");
}

static void check_folders(Check *check, ZipEntry *entry) {
  for (int i = 1; i < entry->name_length; i++) {
    if (entry->name[i] != '/') continue;
    const ZipEntry *folder = zip_directory_find(check->directory, entry->name, (size_t)i);
    if (!folder || folder->kind == ZIP_FOLDER) continue;
    tell(check, entry, "it lies in \"%.*s\", which is a file", i < 100 ? i : 100, entry->name);
    return;
  }
}

static void check_names(Check *check) {
  ZipDirectory *directory = check->directory;
  for (int i = 0; i < directory->count; i++) {
    ZipEntry *entry = directory->by_name[i];
    if (entry->is_faulty) continue;
    if (i > 0) check_twice(check, directory->by_name[i - 1], entry);
    if (!entry->is_faulty) check_folders(check, entry);
  }
}

// --- Local headers ---

// A streamed zip writes its headers before it knows sizes and sum. A size may also be marked as of the large form, which
// programs use where a file might have become large.
static bool agrees(const ZipEntry *entry, uint32_t local, uint32_t central) {
  bool is_streamed = entry->flags & ZIP_FLAG_STREAMED;
  return local == central || (is_streamed && local == 0);
}

static bool size_agrees(const ZipEntry *entry, uint32_t local, uint32_t central) {
  return local == ZIP64_MARK || agrees(entry, local, central);
}

static const char *local_fault(const ZipEntry *entry, const uint8_t *local) {
  if (read_u32(local) != LOCAL_MAGIC) return "there is no local header where it should be";
  if (read_u16(local + 26) != entry->raw_length ||
      memcmp(local + LOCAL_SIZE, entry->raw_name, (size_t)entry->raw_length) != 0)
    return "its local header has another name";
  if (read_u16(local + 8) != entry->method) return "its local header says it is packed in another way";
  if ((read_u16(local + 6) ^ entry->flags) & (ZIP_FLAG_ENCRYPTED | ZIP_FLAG_STREAMED))
    return "its local header has other flags";
  if (!agrees(entry, read_u32(local + 14), entry->crc32)) return "its local header has another CRC-32";
  if (!size_agrees(entry, read_u32(local + 18), entry->packed_size) ||
      !size_agrees(entry, read_u32(local + 22), entry->size))
    return "its local header has other sizes";
  return NULL;
}

static void check_local(Check *check, ZipEntry *entry) {
  uint8_t local[LOCAL_SIZE + FILES_MAX_PATH];
  const ZipDirectory *directory = check->directory;
  if (!zip_directory_read_at(directory, entry->offset, local, LOCAL_SIZE + (size_t)entry->raw_length, NULL)) {
    tell(check, entry, "its local header cannot be read");
    return;
  }
  const char *fault = local_fault(entry, local);
  int64_t data_at = entry->offset + LOCAL_SIZE + entry->raw_length + read_u16(local + 28);
  if (!fault && data_at + entry->packed_size > directory->at) fault = "it lies outside of the zip";
  if (fault)
    tell(check, entry, "%s", fault);
  else
    entry->data_at = data_at;
}

static int compare_offsets(const void *a, const void *b) {
  const ZipEntry *one = *(ZipEntry *const *)a, *other = *(ZipEntry *const *)b;
  if (one->offset != other->offset) return one->offset < other->offset ? -1 : 1;
  return (one > other) - (one < other);
}

// Entries that share bytes are how a small zip becomes a huge one.
static bool check_overlaps(Check *check, Error *error) {
  ZipDirectory *directory = check->directory;
  Memory *memory = directory->arena.memory;
  ZipEntry **sorted = memory_alloc_array(memory, (size_t)directory->count, sizeof *sorted);
  if (!sorted) return error_set_out_of_memory(error);
  int count = 0;
  for (int i = 0; i < directory->count; i++) {
    if (directory->entries[i].data_at > 0) sorted[count++] = &directory->entries[i];
  }
  if (count > 1) qsort(sorted, (size_t)count, sizeof *sorted, compare_offsets);
  int64_t end = 0;
  for (int i = 0; i < count; i++) {
    if (sorted[i]->offset < end) tell(check, sorted[i], "its bytes are those of another entry too");
    int64_t own_end = sorted[i]->data_at + sorted[i]->packed_size;
    end = own_end > end ? own_end : end;
  }
  memory_free(memory, sorted);
  return true;
}

// --- All of it ---

static void check_whole(Check *check) {
  const ZipDirectory *directory = check->directory;
  int64_t total = 0;
  for (int i = 0; i < directory->count; i++)
    total += directory->entries[i].size;
  if (total > ZIP_MAX_TOTAL)
    tell(check, NULL, "its files take %lld MB unpacked, at most %lld are allowed", (long long)(total >> 20),
         (long long)(ZIP_MAX_TOTAL >> 20));
  if (directory->unread_bytes > 0)
    tell(check, NULL, "the directory goes on for %lld bytes behind its %d entries", (long long)directory->unread_bytes,
         directory->count);
}

bool zip_check(ZipDirectory *directory, ZipFaultVisitor *visit, void *user, Error *error) {
  Check check = {directory, visit, user};
  for (int i = 0; i < directory->count; i++)
    check_entry(&check, &directory->entries[i]);
  check_whole(&check);
  check_names(&check);
  for (int i = 0; i < directory->count; i++) {
    if (!directory->entries[i].is_faulty) check_local(&check, &directory->entries[i]);
  }
  return check_overlaps(&check, error);
}

bool zip_check_data(ZipDirectory *directory, ZipFaultVisitor *visit, void *user, Error *error) {
  Check check = {directory, visit, user};
  if (!zip_check(directory, visit, user, error)) return false;
  for (int i = 0; i < directory->count; i++) {
    ZipEntry *entry = &directory->entries[i];
    Error fault = {0};
    if (!entry->is_faulty && !zip_data_read(directory, entry, NULL, &fault)) tell(&check, entry, "%s", fault.text);
  }
  return true;
}

void zip_fault_text(const ZipDirectory *directory, const ZipEntry *entry, const char *what, char *text, size_t size) {
  snprintf(text, size, "%s: %s%s%s", directory->path, entry ? entry->name : "", entry ? ": " : "", what);
  for (char *c = text; *c; c++) {
    if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = '?';
  }
}

typedef struct FirstFault {
  const ZipDirectory *directory;
  Error *error;
  bool is_there;
} FirstFault;

static void keep_first(void *user, const ZipEntry *entry, const char *what) {
  FirstFault *first = user;
  char text[sizeof first->error->text];
  if (first->is_there) return;
  first->is_there = true;
  zip_fault_text(first->directory, entry, what, text, sizeof text);
  error_set(first->error, "%s", text);
}

bool zip_check_or_refuse(ZipDirectory *directory, Error *error) {
  FirstFault first = {.directory = directory, .error = error};
  return zip_check(directory, keep_first, &first, error) && !first.is_there;
}
