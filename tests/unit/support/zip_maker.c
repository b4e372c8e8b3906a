#include "support/zip_maker.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "put.h"

enum { LOCAL_SIZE = 30, ENTRY_SIZE = 46, END_SIZE = 22, MADE_BY_UNIX = 3 << 8, MAX_ZIP = 1 << 16 };

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

// The 26 bytes that a local header and an entry of the directory have in common.
static void put_common(uint8_t *bytes, const ZipPart *part) {
  size_t length = strlen(part->content);
  put_u16(bytes, 20);
  put_u16(bytes + 2, (uint32_t)part->flags);
  put_u16(bytes + 4, (uint32_t)part->method);
  put_u16(bytes + 8, 0x21);
  put_u32(bytes + 10, (uint32_t)crc32(0, (const Bytef *)part->content, (uInt)length));
  put_u32(bytes + 14, part->size ? part->size : (uint32_t)length);
  put_u32(bytes + 18, part->size ? part->size : (uint32_t)length);
  put_u16(bytes + 22, name_length(part));
}

static void add_local(Output *output, const ZipPart *part) {
  uint8_t header[LOCAL_SIZE] = {'P', 'K', 3, 4};
  put_common(header + 4, part);
  add(output, header, sizeof header);
  add(output, part->name, name_length(part));
  add_text(output, part->content);
}

static void add_entry(Output *output, const ZipPart *part, uint32_t offset) {
  uint8_t entry[ENTRY_SIZE] = {'P', 'K', 1, 2};
  put_u16(entry + 4, part->is_of_dos ? 20 : MADE_BY_UNIX | 30);
  put_common(entry + 6, part);
  put_u32(entry + 38, part->attributes ? part->attributes : 0100644u << 16);
  put_u32(entry + 42, offset);
  add(output, entry, sizeof entry);
  add(output, part->name, name_length(part));
}

void zip_make(const TempFolder *folder, const char *path, const ZipShape *shape) {
  Output *output = calloc(1, sizeof *output);
  uint32_t offsets[64];
  if (!output || shape->count > 64) abort();
  add_text(output, shape->before);
  size_t start = output->size;
  for (int i = 0; i < shape->count; i++) {
    offsets[i] = (uint32_t)(output->size - start);
    add_local(output, &shape->parts[i]);
  }
  size_t directory = output->size;
  for (int i = 0; i < shape->count; i++)
    add_entry(output, &shape->parts[i], offsets[i]);
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
