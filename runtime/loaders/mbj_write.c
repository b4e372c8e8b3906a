#include "loaders/mbj_write.h"

#include <string.h>

#include "bytes.h"
#include "loaders/mbj_fields.h"

typedef struct Section {
  size_t offset, size;
  int count;
} Section;

typedef struct Writer {
  MbjStream stream;
  MbjBytes body;  ///< the records of all sections, then texts and data
  Section sections[MBJ_TAG_COUNT];
} Writer;

static bool append_section(Writer *writer, MbjTag tag, const MbjBytes *bytes, int count) {
  Memory *memory = writer->stream.memory;
  int padding = -writer->body.count & (MBJ_ALIGNMENT - 1);
  if (bytes->count > INT32_MAX - writer->body.count - MBJ_ALIGNMENT ||
      !array_reserve(memory, &writer->body, bytes->count + padding))
    return false;
  memset(writer->body.items + writer->body.count, 0, (size_t)padding);
  writer->body.count += padding;
  writer->sections[tag] = (Section){(size_t)writer->body.count, (size_t)bytes->count, count};
  if (bytes->count > 0) memcpy(writer->body.items + writer->body.count, bytes->items, (size_t)bytes->count);
  writer->body.count += bytes->count;
  return true;
}

static int companion_count(const Model *model) {
  int count = 0;
  for (const ModelCompanion *companion = model->companions; companion; companion = companion->next)
    count++;
  return count;
}

static int record_count(Model *model, MbjTag tag, bool has_origin) {
  if (tag == MBJ_MODEL) return 1;
  if ((tag == MBJ_WARNINGS || tag == MBJ_COMPANIONS) && !has_origin) return 0;
  return tag == MBJ_COMPANIONS ? companion_count(model) : *mbj_record_count(model, tag);
}

static bool write_records(Writer *writer, Model *model, bool has_origin) {
  for (int tag = MBJ_MODEL; tag < MBJ_TAG_COUNT; tag++) {
    int count = record_count(model, (MbjTag)tag, has_origin);
    writer->stream.record.count = 0;
    for (int i = 0; i < count && !writer->stream.fault; i++)
      mbj_visit_record(&writer->stream, (MbjTag)tag, model, i);
    if (writer->stream.fault || !append_section(writer, (MbjTag)tag, &writer->stream.record, count)) return false;
  }
  return append_section(writer, MBJ_STRINGS, &writer->stream.out_strings, 1) &&
         append_section(writer, MBJ_DATA, &writer->stream.out_data, 1);
}

// Sections without records are left out, but for the two that others refer to.
static bool is_written(const Writer *writer, int tag) {
  return writer->sections[tag].count > 0;
}

static bool assemble(Writer *writer, Bytes *bytes) {
  uint32_t count = 0;
  for (int tag = 0; tag < MBJ_TAG_COUNT; tag++)
    count += is_written(writer, tag);
  size_t table = MBJ_HEADER_SIZE + count * MBJ_SECTION_SIZE;
  size_t start = (table + MBJ_ALIGNMENT - 1) / MBJ_ALIGNMENT * MBJ_ALIGNMENT;
  bytes->size = start + (size_t)writer->body.count;
  bytes->data = memory_alloc(writer->stream.memory, bytes->size);
  if (!bytes->data) return false;
  memcpy(bytes->data, "PMBJ", 4);
  put_u32(bytes->data + 4, MBJ_VERSION);
  put_u32(bytes->data + 8, count);
  uint8_t *entry = bytes->data + MBJ_HEADER_SIZE;
  for (int tag = 0; tag < MBJ_TAG_COUNT; tag++) {
    if (!is_written(writer, tag)) continue;
    const Section *section = &writer->sections[tag];
    memcpy(entry, MBJ_TAGS[tag], 4);
    put_u32(entry + 4, (uint32_t)section->count);
    put_u64(entry + 8, start + section->offset);
    put_u64(entry + 16, section->size);
    entry += MBJ_SECTION_SIZE;
  }
  memcpy(bytes->data + start, writer->body.items, (size_t)writer->body.count);
  return true;
}

bool mbj_write(Memory *memory, const Model *model, bool has_origin, Bytes *bytes, Error *error) {
  Writer writer = {.stream = {.is_writing = true, .memory = memory}};
  Model copy = *model;  // the visitors take fields that may be written; writing changes none
  *bytes = (Bytes){0};
  bool is_good = write_records(&writer, &copy, has_origin) && assemble(&writer, bytes);
  array_free(memory, &writer.body);
  array_free(memory, &writer.stream.record);
  array_free(memory, &writer.stream.out_strings);
  array_free(memory, &writer.stream.out_data);
  return is_good || error_set_out_of_memory(error);
}
