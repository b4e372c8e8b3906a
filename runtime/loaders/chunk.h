#ifndef PALFREY_LOADERS_CHUNK_H
#define PALFREY_LOADERS_CHUNK_H
// Reading of files made of nested chunks: each an id (u16), its whole length (u32) and its content. Reading past the end of
// a chunk sets the error once, after which everything reads as 0 and no chunk follows: callers check has_failed at the end
// of what belongs together.
#include "loaders/model.h"
#include "loaders/text.h"

typedef struct ChunkReader {
  const uint8_t *bytes;
  const char *path;  ///< for messages
  Model *model;      ///< gets the warnings
  Error *error;
  bool has_failed;
} ChunkReader;

typedef struct Chunk {
  uint16_t id;
  size_t start, at, end;  ///< of the header, of what is read next, of the content
  int depth;              ///< 0 for the main chunk
} Chunk;

/// Sets the error with the offset of `at`; returns false.
bool chunk_fail(ChunkReader *reader, size_t at, const char *format, ...) PRINTF_LIKE(3, 4);

/// The next chunk inside `parent`; false at the end, and after an error. One that ends past its parent is cut, with a warning,
/// where it is one of the two outermost (whose length writers get wrong) or only 8 bytes too long; else that is an error.
bool chunk_next(ChunkReader *reader, Chunk *parent, Chunk *child);

/// Whether that many bytes are left; else sets the error, which says what was looked for.
bool chunk_need(ChunkReader *reader, const Chunk *chunk, uint64_t size, const char *what);

uint8_t chunk_u8(ChunkReader *reader, Chunk *chunk, const char *what);
uint16_t chunk_u16(ChunkReader *reader, Chunk *chunk, const char *what);
uint32_t chunk_u32(ChunkReader *reader, Chunk *chunk, const char *what);
float chunk_f32(ChunkReader *reader, Chunk *chunk, const char *what);
void chunk_floats(ChunkReader *reader, Chunk *chunk, float *values, int count, const char *what);

/// Text up to a NUL, which must be there.
TextSlice chunk_text(ChunkReader *reader, Chunk *chunk, const char *what);

#endif
