#include "support/zip_maker.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "put.h"

enum { LOCAL_SIZE = 30, ENTRY_SIZE = 46, END_SIZE = 22, MADE_BY_UNIX = 3 << 8, MAX_ZIP = 1 << 17, MAX_PARTS = 64 };

typedef struct Output {
  uint8_t bytes[MAX_ZIP];
  size_t size;
} Output;

static void add(Output *output, const void *bytes, size_t size) {
  if (output->size + size > sizeof output->bytes) abort();
  if (size > 0) memcpy(output->bytes + output->size, bytes, size);
  output->size += size;
}

static void add_text(Output *output, const char *text) {
  if (text) add(output, text, strlen(text));
}

static uint32_t name_length(const ZipPart *part) {
  return part->name_length ? (uint32_t)part->name_length : (uint32_t)strlen(part->name);
}

// The bytes of a part as they stand in the zip, and what is said of them.
typedef struct Packed {
  uint8_t bytes[MAX_ZIP];
  uint32_t packed_size, size, crc32;
} Packed;

static void deflate_content(Packed *packed, const char *content) {
  z_stream stream = {.next_in = (Bytef *)content, .avail_in = (uInt)strlen(content)};
  stream.next_out = packed->bytes;
  stream.avail_out = sizeof packed->bytes;
  if (deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) abort();
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) abort();
  packed->packed_size = (uint32_t)stream.total_out;
  deflateEnd(&stream);
}

static Packed *pack(const ZipPart *part) {
  Packed *packed = calloc(1, sizeof *packed);
  size_t length = strlen(part->content);
  if (!packed || length > sizeof packed->bytes) abort();
  packed->size = part->size ? part->size : (uint32_t)length;
  packed->crc32 = part->crc32 ? part->crc32 : (uint32_t)crc32(0, (const Bytef *)part->content, (uInt)length);
  if (part->is_deflated) {
    deflate_content(packed, part->content);
  } else {
    memcpy(packed->bytes, part->content, length);
    packed->packed_size = packed->size;
  }
  packed->packed_size += (uint32_t)part->extra_packed;
  return packed;
}

// The 26 bytes that a local header and an entry of the directory have in common.
static void put_common(uint8_t *bytes, const ZipPart *part, const Packed *packed) {
  put_u16(bytes, 20);
  put_u16(bytes + 2, (uint32_t)(part->flags | (part->is_streamed ? 8 : 0)));
  put_u16(bytes + 4, (uint32_t)(part->is_deflated ? 8 : part->method));
  put_u16(bytes + 8, 0x21);
  put_u32(bytes + 10, packed->crc32);
  put_u32(bytes + 14, packed->packed_size);
  put_u32(bytes + 18, packed->size);
  put_u16(bytes + 22, name_length(part));
}

static void change_local(uint8_t *bytes, const ZipPart *part) {
  if (part->local_method) put_u16(bytes + 4, (uint32_t)part->local_method);
  if (part->is_streamed) memset(bytes + 10, 0, 12);
  if (part->local_crc32) put_u32(bytes + 10, part->local_crc32);
  if (part->local_size) put_u32(bytes + 18, part->local_size);
  if (part->local_name) put_u16(bytes + 22, (uint32_t)strlen(part->local_name));
}

static void add_local(Output *output, const ZipPart *part, const Packed *packed) {
  uint8_t header[LOCAL_SIZE] = {'P', 'K', 3, 4}, descriptor[16] = {'P', 'K', 7, 8};
  put_common(header + 4, part, packed);
  memcpy(descriptor + 4, header + 14, 12);
  change_local(header + 4, part);
  add(output, header, sizeof header);
  if (part->local_name)
    add_text(output, part->local_name);
  else
    add(output, part->name, name_length(part));
  size_t size = part->is_deflated ? packed->packed_size : strlen(part->content);
  add(output, packed->bytes, size);
  if (part->is_streamed) add(output, descriptor, sizeof descriptor);
}

static void add_entry(Output *output, const ZipPart *part, const Packed *packed, uint32_t offset) {
  uint8_t entry[ENTRY_SIZE] = {'P', 'K', 1, 2};
  put_u16(entry + 4, part->is_of_dos ? 20 : MADE_BY_UNIX | 30);
  put_common(entry + 6, part, packed);
  put_u32(entry + 38, part->attributes ? part->attributes : 0100644u << 16);
  put_u32(entry + 42, offset);
  add(output, entry, sizeof entry);
  add(output, part->name, name_length(part));
}

void zip_make(const TempFolder *folder, const char *path, const ZipShape *shape) {
  Output *output = calloc(1, sizeof *output);
  uint32_t offsets[MAX_PARTS];
  Packed *packed[MAX_PARTS];
  if (!output || shape->count > MAX_PARTS) abort();
  add_text(output, shape->before);
  size_t start = output->size;
  for (int i = 0; i < shape->count; i++) {
    int shared = shape->parts[i].shares_part;
    packed[i] = pack(&shape->parts[i]);
    offsets[i] = shared ? offsets[shared - 1] : (uint32_t)(output->size - start);
    if (!shared) add_local(output, &shape->parts[i], packed[i]);
  }
  size_t directory = output->size;
  for (int i = 0; i < shape->count; i++) {
    add_entry(output, &shape->parts[i], packed[i], offsets[i]);
    free(packed[i]);
  }
  uint8_t end[END_SIZE] = {'P', 'K', 5, 6};
  uint32_t count = (uint32_t)(shape->declared_count ? shape->declared_count : shape->count);
  put_u16(end + 8, count);
  put_u16(end + 10, count);
  put_u32(end + 12, (uint32_t)(output->size - directory));
  put_u32(end + 16, (uint32_t)(directory - start));
  put_u16(end + 20, shape->comment ? (uint32_t)strlen(shape->comment) : 0);
  add(output, end, sizeof end);
  add_text(output, shape->comment);
  add_text(output, shape->after);
  temp_write(folder, path, output->bytes, output->size);
  free(output);
}

void zip_make_parts(const TempFolder *folder, const char *path, const ZipPart *parts, int count) {
  zip_make(folder, path, &(ZipShape){.parts = parts, .count = count});
}
