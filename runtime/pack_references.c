#include "pack_references.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "pack_kind.h"
#include "path.h"

enum { MAX_NAME = 128, MAX_EXTENSION = 4 };

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static size_t stem_length(const char *name) {
  const char *extension = path_extension(name);
  return *extension ? (size_t)(extension - name) - 1 : strlen(name);
}

static bool equals(const char *a, size_t a_length, const char *b, size_t b_length) {
  return a_length == b_length && strncasecmp(a, b, a_length) == 0;
}

// --- Strings of scripts ---

static bool is_end_of(const char *text, size_t length, const char *path) {
  size_t path_length = strlen(path);
  return length <= path_length && strncasecmp(path + path_length - length, text, length) == 0;
}

static bool is_start_of(const char *text, size_t length, const char *path) {
  if (length == 0 || length >= strlen(path) || strncasecmp(path, text, length) != 0) return false;
  return memchr(text, '/', length) || path[length] == '/';
}

void pack_references_in_literal(PackList *list, const char *text) {
  size_t length = strlen(text), plain = strcspn(text, "%");
  bool is_asset = pack_kind_is_asset(pack_kind_of(text));
  for (int i = 0; i < list->entries.count; i++) {
    PackEntry *entry = &list->entries.items[i];
    const char *name = last_part(entry->path);
    if (entry->is_used) continue;
    entry->is_used = (is_asset && is_end_of(text, length, entry->path)) || is_start_of(text, plain, entry->path) ||
                     equals(name, stem_length(name), text, length);
  }
}

// --- Names in bytes ---

// A model's own name of an image need not have the extension that the image has.
static void mark_name(PackList *list, const char *name, size_t length, size_t stem) {
  bool is_image = pack_kind_of(name) == PACK_IMAGES;
  for (int i = 0; i < list->entries.count; i++) {
    PackEntry *entry = &list->entries.items[i];
    const char *own = last_part(entry->path);
    if (entry->is_used) continue;
    entry->is_used = equals(own, strlen(own), name, length) ||
                     (is_image && pack_kind_of(own) == PACK_IMAGES && equals(own, stem_length(own), name, stem));
  }
}

// What ends at `end` may be the name from any word on: names can have spaces, and stand behind other words.
static void mark_names_before(PackList *list, const uint8_t *start, const uint8_t *dot, const uint8_t *end) {
  char name[MAX_NAME + 1];
  const uint8_t *from = dot;
  while (from > start && end - from < MAX_NAME && from[-1] >= 0x20 && !strchr("/\\\"'<>", from[-1]))
    from--;
  for (const uint8_t *word = from; word < dot; word++) {
    if (word != from && !strchr(" =,([", word[-1])) continue;
    size_t length = (size_t)(end - word);
    memcpy(name, word, length);
    name[length] = 0;
    mark_name(list, name, length, (size_t)(dot - word));
  }
}

void pack_references_in_bytes(PackList *list, Bytes bytes) {
  const uint8_t *limit = bytes.data + bytes.size;
  for (const uint8_t *dot = bytes.data; bytes.size > 0 && (dot = memchr(dot, '.', (size_t)(limit - dot))); dot++) {
    char extension[2 + MAX_EXTENSION + 2] = "x.";
    int length = 0;
    while (length <= MAX_EXTENSION && dot + 1 + length < limit && isalnum(dot[1 + length])) {
      extension[2 + length] = (char)dot[1 + length];
      length++;
    }
    if (length > MAX_EXTENSION || !pack_kind_is_asset(pack_kind_of(extension))) continue;
    mark_names_before(list, bytes.data, dot, dot + 1 + length);
  }
}

// --- What is left over ---

// A model that is named but has no skin of its own takes the image beside it that has its name.
static bool is_skin_beside_model(const PackList *list, const char *path) {
  size_t stem = (size_t)(path_extension(path) - path);
  for (int i = 0; pack_kind_of(path) == PACK_IMAGES && i < list->entries.count; i++) {
    const char *other = list->entries.items[i].path;
    bool is_model = list->entries.items[i].is_used && pack_kind_of(other) == PACK_MODELS;
    if (is_model && equals(path, stem, other, (size_t)(path_extension(other) - other))) return true;
  }
  return false;
}

void pack_references_warn(PackList *list, PackReport *report) {
  for (int i = 0; i < list->entries.count; i++) {
    const PackEntry *entry = &list->entries.items[i];
    if (entry->is_used || !pack_kind_is_asset(pack_kind_of(entry->path))) continue;
    if (!is_skin_beside_model(list, entry->path)) pack_warn(report, "%s: nothing in the game names it", entry->path);
  }
}
