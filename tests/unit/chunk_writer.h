#ifndef PALFREY_TESTS_CHUNK_WRITER_H
#define PALFREY_TESTS_CHUNK_WRITER_H
// Writes the nested chunks of 3DS files. Include cmocka first.
#include "put.h"

enum { WRITER_CAPACITY = 1 << 16, WRITER_MAX_DEPTH = 16 };

typedef struct ChunkWriter {
  uint8_t bytes[WRITER_CAPACITY];
  size_t size, open[WRITER_MAX_DEPTH];
  int depth;
} ChunkWriter;

static inline void write_u8(ChunkWriter *writer, uint32_t value) {
  assert_true(writer->size + 4 < WRITER_CAPACITY);
  writer->bytes[writer->size++] = (uint8_t)value;
}

static inline void write_u16(ChunkWriter *writer, uint32_t value) {
  write_u8(writer, value);
  write_u8(writer, value >> 8);
}

static inline void write_u32(ChunkWriter *writer, uint32_t value) {
  write_u16(writer, value);
  write_u16(writer, value >> 16);
}

static inline void write_f32(ChunkWriter *writer, float value) {
  put_f32(writer->bytes + writer->size, value);
  writer->size += 4;
  assert_true(writer->size + 4 < WRITER_CAPACITY);
}

static inline void write_floats(ChunkWriter *writer, const float *values, int count) {
  for (int i = 0; i < count; i++)
    write_f32(writer, values[i]);
}

static inline void write_text(ChunkWriter *writer, const char *text) {
  do {
    write_u8(writer, (uint8_t)*text);
  } while (*text++);
}

static inline void begin_chunk(ChunkWriter *writer, uint32_t id) {
  writer->open[writer->depth++] = writer->size;
  write_u16(writer, id);
  write_u32(writer, 0);
}

static inline void end_chunk(ChunkWriter *writer) {
  size_t start = writer->open[--writer->depth];
  put_u32(writer->bytes + start + 2, (uint32_t)(writer->size - start));
}

/// Ends the editor's chunk; the clip has 60 frames.
static inline void begin_keyframer(ChunkWriter *writer) {
  end_chunk(writer);
  begin_chunk(writer, 0xb000);
  begin_chunk(writer, 0xb008);
  write_u32(writer, 0);
  write_u32(writer, 60);
  end_chunk(writer);
}

/// A node with its header, to which parts may be added before its end.
static inline void begin_node(ChunkWriter *writer, uint32_t kind, uint32_t id, const char *name, uint32_t parent) {
  begin_chunk(writer, kind);
  begin_chunk(writer, 0xb030);
  write_u16(writer, id);
  end_chunk(writer);
  begin_chunk(writer, 0xb010);
  write_text(writer, name);
  write_u32(writer, 0);
  write_u16(writer, parent);
  end_chunk(writer);
}

#endif
