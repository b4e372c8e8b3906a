// Where the bytes are: the binary chunk, files beside the model, or text in base64.
#include <string.h>

#include "loaders/companion.h"
#include "loaders/gltf/gltf.h"

// ---- Addresses

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// "%20" becomes a blank; a percent sign that no two digits follow stays one.
static size_t decode_percents(const char *uri, char *decoded, size_t capacity) {
  size_t length = 0;
  for (; *uri && length + 1 < capacity; length++) {
    int high = *uri == '%' ? hex_digit(uri[1]) : -1, low = high >= 0 ? hex_digit(uri[2]) : -1;
    bool is_code = low >= 0 && (high | low) != 0;
    decoded[length] = is_code ? (char)(high << 4 | low) : *uri;
    uri += is_code ? 3 : 1;
  }
  decoded[length] = 0;
  return length;
}

bool gltf_clean_uri(Gltf *gltf, GltfPlace place, const char *uri, char path[256]) {
  char decoded[1024];
  size_t length = decode_percents(uri, decoded, sizeof decoded);
  if (!companion_clean_path(decoded, length, path))
    model_warn(gltf->model, "%s[%d]: %.100s is outside the model's folder, only its last part is used", place.table,
               place.index, uri);
  return path[0] || gltf_fail(gltf, place, "the address \"%.100s\" names no file", uri);
}

// ---- Base64 (RFC 4648)

static int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static bool decode_base64(Gltf *gltf, GltfPlace place, const char *text, Bytes *bytes) {
  size_t length = strlen(text);
  while (length > 0 && text[length - 1] == '=')
    length--;
  bytes->size = length / 4 * 3 + (length % 4 > 0 ? length % 4 - 1 : 0);
  bytes->data = memory_alloc(gltf->request->memory, bytes->size);
  if (!bytes->data) return error_set_out_of_memory(gltf->error);
  uint32_t bits = 0;
  size_t done = 0;
  for (size_t i = 0; i < length; i++) {
    int value = base64_value(text[i]);
    if (value < 0 || length % 4 == 1) {
      memory_free(gltf->request->memory, bytes->data);
      *bytes = (Bytes){0};
      return gltf_fail(gltf, place, "its base64 is damaged at letter %zu", i);
    }
    bits = bits << 6 | (uint32_t)value;
    if (i % 4 > 0) bytes->data[done++] = (uint8_t)(bits >> (6 - 2 * (i % 4)));
  }
  return true;
}

bool gltf_decode_data_uri(Gltf *gltf, GltfPlace place, const char *uri, Bytes *bytes) {
  *bytes = (Bytes){0};
  if (strncmp(uri, "data:", 5) != 0) return true;
  const char *comma = strchr(uri, ',');
  if (!comma || comma - uri < 7 || strncmp(comma - 7, ";base64", 7) != 0)
    return gltf_fail(gltf, place, "an address with data that is not in base64");
  return decode_base64(gltf, place, comma + 1, bytes);
}

// ---- Buffers

static bool read_file(Gltf *gltf, GltfPlace place, const char *uri, Bytes *bytes) {
  const LoadRequest *request = gltf->request;
  char path[COMPANION_MAX_PATH], raw[COMPANION_MAX_PATH];
  Error missing = {0};
  if (!gltf_clean_uri(gltf, place, uri, path)) return false;
  if (!request->read) return gltf_fail(gltf, place, "the file %s is not found", path);
  if (request->read(request->read_user, path, bytes, &missing)) return true;
  // Some writers do not know about percent signs.
  companion_clean_path(uri, strlen(uri), raw);
  if (!missing.is_out_of_memory && strchr(uri, '%') && raw[0] &&
      request->read(request->read_user, raw, bytes, &missing))
    return true;
  if (missing.is_out_of_memory) return error_set_out_of_memory(gltf->error);
  return gltf_fail(gltf, place, "the file %s is not found", path);
}

static bool load_buffer(Gltf *gltf, int index) {
  GltfPlace place = gltf_place(GLTF_BUFFERS, index);
  const cJSON *object = gltf->tables[GLTF_BUFFERS].items[index];
  GltfBuffer *buffer = &gltf->buffers[index];
  const char *uri = NULL;
  int64_t length = -1;
  Bytes bytes = {0};
  if (!gltf_get_integer(gltf, place, object, "byteLength", 1, INT64_C(1) << 40, &length) ||
      !gltf_get_text(gltf, place, object, "uri", &uri))
    return false;
  if (length < 0) return gltf_fail(gltf, place, "\"byteLength\" is missing");
  if (!uri && (index > 0 || !gltf->bin))
    return gltf_fail(gltf, place, "it has no \"uri\", and there is no binary chunk");
  if (uri && !gltf_decode_data_uri(gltf, place, uri, &bytes)) return false;
  if (uri && !bytes.data && !read_file(gltf, place, uri, &bytes)) return false;
  *buffer = uri ? (GltfBuffer){bytes.data, bytes.size, true, false}
                : (GltfBuffer){(uint8_t *)(uintptr_t)gltf->bin, gltf->bin_size, false, false};
  gltf->input_bytes += buffer->size;
  if ((uint64_t)length > buffer->size)
    return gltf_fail(gltf, place, "truncated: \"byteLength\" is %lld, there are %zu bytes", (long long)length,
                     buffer->size);
  buffer->size = (size_t)length;
  return true;
}

bool gltf_load_buffers(Gltf *gltf) {
  int count = gltf->tables[GLTF_BUFFERS].count;
  gltf->buffers = memory_alloc_array(gltf->request->memory, (size_t)count, sizeof *gltf->buffers);
  if (!gltf->buffers) return error_set_out_of_memory(gltf->error);
  for (int i = 0; i < count; i++) {
    if (!load_buffer(gltf, i)) return false;
  }
  return true;
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
  uint64_t size = gltf->buffers[buffer].size;
  if ((uint64_t)offset + (uint64_t)length > size)
    return gltf_fail(gltf, place, "bytes %lld to %lld are outside the buffer, which has %llu", (long long)offset,
                     (long long)(offset + length), (unsigned long long)size);
  *view = (GltfView){gltf->buffers[buffer].data + offset, (size_t)length, (size_t)stride, buffer};
  return true;
}

void gltf_keep(Gltf *gltf, int buffer) {
  if (gltf->buffers[buffer].is_owned)
    gltf->buffers[buffer].is_kept = true;
  else
    gltf->is_file_kept = true;
}

bool gltf_finish_buffers(Gltf *gltf, bool is_good) {
  Memory *memory = gltf->request->memory;
  Arena *arena = &gltf->model->arena;
  for (int i = 0; gltf->buffers && i < gltf->tables[GLTF_BUFFERS].count; i++) {
    GltfBuffer *buffer = &gltf->buffers[i];
    if (!buffer->is_owned) continue;
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
