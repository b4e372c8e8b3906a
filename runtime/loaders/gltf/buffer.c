// Where the bytes are: the binary chunk, files beside the model, or text in base64.
#include <string.h>

#include "loaders/gltf/gltf.h"
#include "loaders/names.h"

// ---- Addresses

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// "%20" becomes a blank; a percent sign that no two digits follow stays one, and so does "%00" in text. Returns the length,
// at most `capacity`.
static size_t decode_percents(const char *uri, bool is_text, char *decoded, size_t capacity) {
  size_t length = 0;
  for (; *uri && length < capacity; length++) {
    int high = *uri == '%' ? hex_digit(uri[1]) : -1, low = high >= 0 ? hex_digit(uri[2]) : -1;
    bool is_code = low >= 0 && !(is_text && (high | low) == 0);
    decoded[length] = is_code ? (char)(high << 4 | low) : *uri;
    uri += is_code ? 3 : 1;
  }
  return length;
}

bool gltf_clean_uri(Gltf *gltf, GltfPlace place, const char *uri, char path[COMPANION_MAX_PATH]) {
  char decoded[1024];
  size_t length = decode_percents(uri, true, decoded, sizeof decoded);
  if (!companion_clean_path(decoded, length, path))
    model_warn(gltf->model, "%s[%d]: %.100s is outside the model's folder, only its last part is used", place.table,
               place.index, uri);
  return path[0] || gltf_fail(gltf, place, "the address \"%.100s\" names no file", uri);
}

bool gltf_raw_uri(const char *uri, const char *path, char raw[COMPANION_MAX_PATH]) {
  companion_clean_path(uri, strlen(uri), raw);
  return strchr(uri, '%') && raw[0] && strcmp(raw, path) != 0;
}

// ---- Base64 (RFC 4648)

enum { NO_DIGIT = 0xff };

static void fill_base64_values(uint8_t values[256]) {
  static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  memset(values, NO_DIGIT, 256);
  for (int i = 0; i < 64; i++)
    values[(uint8_t)DIGITS[i]] = (uint8_t)i;
}

// Decodes all whole groups of four digits; returns how many digits were good.
static size_t decode_groups(const char *text, size_t length, const uint8_t values[256], uint8_t *target) {
  size_t i = 0;
  for (; i + 4 <= length; i += 4, target += 3) {
    uint8_t a = values[(uint8_t)text[i]], b = values[(uint8_t)text[i + 1]];
    uint8_t c = values[(uint8_t)text[i + 2]], d = values[(uint8_t)text[i + 3]];
    if ((a | b | c | d) > 63) return i;
    target[0] = (uint8_t)(a << 2 | b >> 4);
    target[1] = (uint8_t)(b << 4 | c >> 2);
    target[2] = (uint8_t)(c << 6 | d);
  }
  return i;
}

static bool decode_base64(Gltf *gltf, GltfPlace place, const char *text, Bytes *bytes) {
  uint8_t values[256];
  size_t length = strlen(text), padded = length;
  // The "=" at the end may be missing, but not be too many.
  while (length > 0 && padded - length < 2 && text[length - 1] == '=')
    length--;
  size_t rest = length % 4, size = length / 4 * 3 + (rest > 0 ? rest - 1 : 0);
  uint8_t *data = memory_alloc(gltf->request->memory, size);
  if (!data) return error_set_out_of_memory(gltf->error);
  fill_base64_values(values);
  size_t good = decode_groups(text, length, values, data);
  bool is_good = good + rest == length && rest != 1;
  uint32_t bits = 0;
  for (size_t i = 0; i < rest && is_good; i++, good++) {
    uint8_t value = values[(uint8_t)text[good]];
    is_good = value != NO_DIGIT;
    bits = bits << 6 | value;
    if (i > 0) data[length / 4 * 3 + i - 1] = (uint8_t)(bits >> (6 - 2 * i));
  }
  if (is_good) {
    *bytes = (Bytes){data, size};
    return true;
  }
  memory_free(gltf->request->memory, data);
  return gltf_fail(gltf, place, "its base64 is damaged after %zu letters", good);
}

static bool decode_plain_data(Gltf *gltf, const char *text, Bytes *bytes) {
  bytes->data = memory_alloc(gltf->request->memory, strlen(text));
  if (!bytes->data) return error_set_out_of_memory(gltf->error);
  bytes->size = decode_percents(text, false, (char *)bytes->data, strlen(text));
  return true;
}

// "data:image/png;base64,iVBO..." (RFC 2397). The scheme and what follows the last semicolon are of either case.
bool gltf_decode_data_uri(Gltf *gltf, GltfPlace place, const char *uri, Bytes *bytes) {
  *bytes = (Bytes){0};
  if (strlen(uri) < 5 || !text_equals_lower((TextSlice){uri, 5}, "data:")) return true;
  const char *comma = strchr(uri, ',');
  if (!comma) return gltf_fail(gltf, place, "an address with data, but without a comma before it");
  bool is_base64 = comma - uri >= 12 && text_equals_lower((TextSlice){comma - 7, 7}, ";base64");
  return is_base64 ? decode_base64(gltf, place, comma + 1, bytes) : decode_plain_data(gltf, comma + 1, bytes);
}

// ---- Buffers

static bool read_file(Gltf *gltf, GltfPlace place, const char *uri, const char *path, Bytes *bytes) {
  const LoadRequest *request = gltf->request;
  char raw[COMPANION_MAX_PATH];
  Error missing = {0};
  if (!request->read) return gltf_fail(gltf, place, "the file %s is not found", path);
  if (request->read(request->read_user, path, bytes, &missing)) return true;
  if (!missing.is_out_of_memory && gltf_raw_uri(uri, path, raw) &&
      request->read(request->read_user, raw, bytes, &missing))
    return true;
  if (missing.is_out_of_memory) return error_set_out_of_memory(gltf->error);
  return gltf_fail(gltf, place, "the file %s is not found", path);
}

// Which buffers brought the files that are there already: many may name one, which is held once.
typedef struct Files {
  NameTable paths;
  int *buffers;  ///< by the path's number
} Files;

static bool find_or_read_file(Gltf *gltf, Files *files, int index, const char *uri) {
  GltfPlace place = gltf_place(GLTF_BUFFERS, index);
  GltfBuffer *buffer = &gltf->buffers[index];
  char path[COMPANION_MAX_PATH];
  Bytes bytes;
  if (!gltf_clean_uri(gltf, place, uri, path)) return false;
  const char *kept = arena_copy_string(&gltf->model->arena, path, strlen(path));
  int known = files->paths.texts.count;
  int id = kept ? name_table_add(&files->paths, (TextSlice){kept, strlen(kept)}) : -1;
  if (id < 0) return error_set_out_of_memory(gltf->error);
  if (id < known) {
    int owner = files->buffers[id];
    *buffer = (GltfBuffer){gltf->buffers[owner].data, gltf->buffers[owner].size, 0, owner, false};
    return true;
  }
  if (!read_file(gltf, place, uri, path, &bytes)) return false;
  files->buffers[id] = index;
  *buffer = (GltfBuffer){bytes.data, bytes.size, 0, index, false};
  gltf->input_bytes += bytes.size;
  return true;
}

static bool find_bytes(Gltf *gltf, Files *files, int index, const char *uri) {
  GltfPlace place = gltf_place(GLTF_BUFFERS, index);
  Bytes bytes = {0};
  if (!uri && (index > 0 || !gltf->bin))
    return gltf_fail(gltf, place, "it has no \"uri\", and there is no binary chunk");
  if (!uri) {
    gltf->buffers[index] = (GltfBuffer){(uint8_t *)(uintptr_t)gltf->bin, gltf->bin_size, 0, GLTF_OWNED_BY_FILE, false};
    return true;
  }
  if (!gltf_decode_data_uri(gltf, place, uri, &bytes)) return false;
  if (!bytes.data) return find_or_read_file(gltf, files, index, uri);
  gltf->buffers[index] = (GltfBuffer){bytes.data, bytes.size, 0, index, false};
  return true;
}

static bool load_buffer(Gltf *gltf, Files *files, int index) {
  GltfPlace place = gltf_place(GLTF_BUFFERS, index);
  const cJSON *object = gltf->tables[GLTF_BUFFERS].items[index];
  GltfBuffer *buffer = &gltf->buffers[index];
  const char *uri = NULL;
  int64_t length = -1;
  if (!gltf_get_integer(gltf, place, object, "byteLength", 1, INT64_C(1) << 40, &length) ||
      !gltf_get_text(gltf, place, object, "uri", &uri))
    return false;
  if (length < 0) return gltf_fail(gltf, place, "\"byteLength\" is missing");
  if (!find_bytes(gltf, files, index, uri)) return false;
  if ((uint64_t)length > buffer->size)
    return gltf_fail(gltf, place, "truncated: \"byteLength\" is %lld, there are %zu bytes", (long long)length,
                     buffer->size);
  buffer->length = (size_t)length;
  return true;
}

bool gltf_load_buffers(Gltf *gltf) {
  Memory *memory = gltf->request->memory;
  int count = gltf->tables[GLTF_BUFFERS].count;
  gltf->buffers = memory_alloc_array(memory, (size_t)count, sizeof *gltf->buffers);
  Files files = {.paths.ids.memory = memory, .buffers = memory_alloc_array(memory, (size_t)count, sizeof(int))};
  bool is_good = (gltf->buffers && files.buffers) || error_set_out_of_memory(gltf->error);
  for (int i = 0; i < count && is_good; i++)
    is_good = load_buffer(gltf, &files, i);
  memory_free(memory, files.buffers);
  name_table_free(&files.paths);
  return is_good;
}

bool gltf_view(Gltf *gltf, int index, GltfView *view) {
  GltfPlace place = gltf_place(GLTF_VIEWS, index);
  const cJSON *object = gltf->tables[GLTF_VIEWS].items[index];
  int64_t offset = 0, length = -1, stride = 0;
  int buffer = -1;
  if (!gltf_get_index(gltf, place, object, "buffer", GLTF_BUFFERS, &buffer) ||
      !gltf_get_integer(gltf, place, object, "byteOffset", 0, INT64_C(1) << 40, &offset) ||
      !gltf_get_integer(gltf, place, object, "byteLength", 1, INT64_C(1) << 40, &length) ||
      !gltf_get_integer(gltf, place, object, "byteStride", 4, 252, &stride))
    return false;
  if (buffer < 0 || length < 0) return gltf_fail(gltf, place, "\"buffer\" or \"byteLength\" is missing");
  uint64_t size = gltf->buffers[buffer].length;
  if ((uint64_t)offset + (uint64_t)length > size)
    return gltf_fail(gltf, place, "bytes %lld to %lld are outside the buffer, which has %llu", (long long)offset,
                     (long long)(offset + length), (unsigned long long)size);
  *view = (GltfView){gltf->buffers[buffer].data + offset, (size_t)length, (size_t)stride, buffer};
  return true;
}

void gltf_keep(Gltf *gltf, int buffer) {
  int owner = gltf->buffers[buffer].owner;
  if (owner == GLTF_OWNED_BY_FILE)
    gltf->is_file_kept = true;
  else
    gltf->buffers[owner].is_kept = true;
}

bool gltf_finish_buffers(Gltf *gltf, bool is_good) {
  Memory *memory = gltf->request->memory;
  Arena *arena = &gltf->model->arena;
  for (int i = 0; gltf->buffers && i < gltf->tables[GLTF_BUFFERS].count; i++) {
    GltfBuffer *buffer = &gltf->buffers[i];
    if (buffer->owner != i) continue;
    if (is_good && buffer->is_kept) {
      is_good = arena_adopt(arena, buffer->data, buffer->size) || error_set_out_of_memory(gltf->error);
      if (is_good) continue;
    }
    memory_free(memory, buffer->data);
  }
  if (is_good && gltf->is_file_kept) {
    is_good = arena_adopt(arena, gltf->file->data, gltf->file->size) || error_set_out_of_memory(gltf->error);
    if (is_good) gltf->file->data = NULL;
  }
  memory_free(memory, gltf->buffers);
  return is_good;
}
