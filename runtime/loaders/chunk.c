#include "loaders/chunk.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { HEADER_SIZE = 6, TOLERATED_BYTES = 8, TOLERANT_DEPTH = 1 };

bool chunk_fail(ChunkReader *reader, size_t at, const char *format, ...) {
  if (reader->has_failed) return false;
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  reader->has_failed = true;
  return error_set(reader->error, "%s: offset 0x%zx: %s", reader->path, at, text);
}

bool chunk_next(ChunkReader *reader, Chunk *parent, Chunk *child) {
  size_t left = parent->end - parent->at;
  if (reader->has_failed) return false;
  if (left < HEADER_SIZE) {
    if (left > 0) model_warn(reader->model, "offset 0x%zx: %zu stray bytes at the end of a chunk", parent->at, left);
    parent->at = parent->end;
    return false;
  }
  const uint8_t *header = reader->bytes + parent->at;
  uint32_t length = read_u32(header + 2);
  *child = (Chunk){read_u16(header), parent->at, parent->at + HEADER_SIZE, 0, parent->depth + 1};
  if (length < HEADER_SIZE)
    return chunk_fail(reader, parent->at, "chunk length of %04X is %u, expected 6 or more", child->id, length);
  if (length > left) {
    size_t excess = length - left;
    if (child->depth > TOLERANT_DEPTH && excess > TOLERATED_BYTES)
      return chunk_fail(reader, parent->at, "chunk %04X ends %zu bytes past its parent", child->id, excess);
    model_warn(reader->model, "offset 0x%zx: chunk %04X ends %zu bytes past its parent, cut", parent->at, child->id,
               excess);
    length = (uint32_t)left;
  }
  child->end = parent->at + length;
  parent->at = child->end;
  return true;
}

bool chunk_need(ChunkReader *reader, const Chunk *chunk, uint64_t size, const char *what) {
  size_t left = chunk->end - chunk->at;
  if (reader->has_failed) return false;
  return size <= left || chunk_fail(reader, chunk->at, "chunk %04X is truncated: %s need%s %llu bytes, %zu are left",
                                    chunk->id, what, size == 1 ? "s" : "", (unsigned long long)size, left);
}

uint8_t chunk_u8(ChunkReader *reader, Chunk *chunk, const char *what) {
  return chunk_need(reader, chunk, 1, what) ? reader->bytes[chunk->at++] : 0;
}

uint16_t chunk_u16(ChunkReader *reader, Chunk *chunk, const char *what) {
  if (!chunk_need(reader, chunk, 2, what)) return 0;
  chunk->at += 2;
  return read_u16(reader->bytes + chunk->at - 2);
}

uint32_t chunk_u32(ChunkReader *reader, Chunk *chunk, const char *what) {
  if (!chunk_need(reader, chunk, 4, what)) return 0;
  chunk->at += 4;
  return read_u32(reader->bytes + chunk->at - 4);
}

float chunk_f32(ChunkReader *reader, Chunk *chunk, const char *what) {
  if (!chunk_need(reader, chunk, 4, what)) return 0;
  chunk->at += 4;
  return read_f32(reader->bytes + chunk->at - 4);
}

void chunk_floats(ChunkReader *reader, Chunk *chunk, float *values, int count, const char *what) {
  for (int i = 0; i < count; i++)
    values[i] = chunk_f32(reader, chunk, what);
}

TextSlice chunk_text(ChunkReader *reader, Chunk *chunk, const char *what) {
  const char *start = (const char *)reader->bytes + chunk->at;
  const char *end = chunk->end > chunk->at ? memchr(start, 0, chunk->end - chunk->at) : NULL;
  if (reader->has_failed) return (TextSlice){"", 0};
  if (!end) {
    chunk_fail(reader, chunk->at, "chunk %04X: %s is not terminated", chunk->id, what);
    return (TextSlice){"", 0};
  }
  chunk->at += (size_t)(end - start) + 1;
  return (TextSlice){start, (size_t)(end - start)};
}
