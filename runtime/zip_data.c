#include "zip_data.h"

#include <zlib.h>

enum { CHUNK = 16384 };

// An entry while it is read.
typedef struct Reader {
  const ZipDirectory *directory;
  const ZipEntry *entry;
  uint8_t *bytes;        // where they go, or NULL
  int64_t at;            // of the next packed byte in the file
  uint32_t packed_left;  // packed bytes that are still in the file
  uint64_t done;         // unpacked bytes so far
  uLong crc;
  Error *error;
} Reader;

static bool fail(Reader *reader, const char *what) {
  return error_set(reader->error, "damaged: %s", what);
}

static bool read_packed(Reader *reader, uint8_t *bytes, size_t size) {
  if (!zip_directory_read_at(reader->directory, reader->at, bytes, size, NULL))
    return fail(reader, "the zip has become shorter, or cannot be read");
  reader->at += (int64_t)size;
  reader->packed_left -= (uint32_t)size;
  return true;
}

static void count(Reader *reader, const uint8_t *bytes, size_t size) {
  reader->crc = crc32(reader->crc, bytes, (uInt)size);
  reader->done += size;
}

static bool copy_stored(Reader *reader) {
  uint8_t scratch[CHUNK];
  while (reader->packed_left > 0) {
    size_t size = reader->packed_left < CHUNK ? reader->packed_left : CHUNK;
    uint8_t *to = reader->bytes ? reader->bytes + reader->done : scratch;
    if (!read_packed(reader, to, size)) return false;
    count(reader, to, size);
  }
  return true;
}

// Where the next unpacked bytes go: behind the declared ones there is room to notice that there are more.
static void set_output(const Reader *reader, z_stream *stream, uint8_t *scratch) {
  uint64_t room = reader->entry->size - reader->done;
  bool is_kept = reader->bytes && room > 0;
  stream->next_out = is_kept ? reader->bytes + reader->done : scratch;
  stream->avail_out = is_kept ? (uInt)room : CHUNK;
}

static bool inflate_chunks(Reader *reader, z_stream *stream) {
  uint8_t packed[CHUNK], scratch[CHUNK];
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stream->avail_in == 0 && reader->packed_left > 0) {
      size_t size = reader->packed_left < CHUNK ? reader->packed_left : CHUNK;
      if (!read_packed(reader, packed, size)) return false;
      stream->next_in = packed;
      stream->avail_in = (uInt)size;
    }
    set_output(reader, stream, scratch);
    const uint8_t *from = stream->next_out;
    status = inflate(stream, Z_NO_FLUSH);
    count(reader, from, (size_t)(stream->next_out - from));
    if (reader->done > reader->entry->size) return fail(reader, "it unpacks to more bytes than declared");
    if (status == Z_BUF_ERROR) return fail(reader, "its packed bytes end early");
    if (status == Z_MEM_ERROR) return error_set_out_of_memory(reader->error);
    if (status != Z_OK && status != Z_STREAM_END) return fail(reader, "its packed bytes are no deflated data");
  }
  if (stream->avail_in > 0 || reader->packed_left > 0) return fail(reader, "it has bytes behind its packed data");
  return true;
}

static void *allocate(void *memory, uInt count_of_items, uInt size) {
  return memory_alloc_array(memory, count_of_items, size);
}

static void release(void *memory, void *block) {
  memory_free(memory, block);
}

static bool inflate_all(Reader *reader) {
  z_stream stream = {.zalloc = allocate, .zfree = release, .opaque = reader->directory->arena.memory};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return error_set_out_of_memory(reader->error);
  bool is_good = inflate_chunks(reader, &stream);
  inflateEnd(&stream);
  return is_good;
}

bool zip_data_read(const ZipDirectory *directory, const ZipEntry *entry, uint8_t *bytes, Error *error) {
  Reader reader = {.directory = directory,
                   .entry = entry,
                   .bytes = bytes,
                   .at = entry->data_at,
                   .packed_left = entry->packed_size,
                   .crc = crc32(0, NULL, 0),
                   .error = error};
  if (!(entry->method == ZIP_METHOD_STORED ? copy_stored(&reader) : inflate_all(&reader))) return false;
  if (reader.done != entry->size)
    return error_set(error, "damaged: it unpacks to %llu bytes, the directory says %lu",
                     (unsigned long long)reader.done, (unsigned long)entry->size);
  if (reader.crc != entry->crc32)
    return error_set(error, "damaged: its CRC-32 is %08lx, the directory says %08lx", (unsigned long)reader.crc,
                     (unsigned long)entry->crc32);
  return true;
}
