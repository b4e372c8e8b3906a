// Palfrey's own models, made ahead of other formats: what a device loads without working through it. See docs/mbj.md.
#include <string.h>

#include "bytes.h"
#include "loaders/loader.h"
#include "loaders/mbj_fields.h"

enum { MAX_COMPANIONS = 4096 };

typedef struct Section {
  uint8_t *start;
  size_t size;
  uint32_t count;
  bool is_there;
} Section;

typedef struct Mbj {
  const LoadRequest *request;
  Model *model;
  Error *error;
  Bytes file;
  Section sections[MBJ_TAG_COUNT];
} Mbj;

static bool fail(const Mbj *mbj, size_t offset, const char *what) {
  return error_set(mbj->error, "%s: offset 0x%zx: %s", mbj->request->path, offset, what);
}

static int find_tag(const uint8_t *tag) {
  for (int i = 0; i < MBJ_TAG_COUNT; i++) {
    if (memcmp(tag, MBJ_TAGS[i], 4) == 0) return i;
  }
  return -1;
}

static bool read_entry(Mbj *mbj, size_t at) {
  const uint8_t *entry = mbj->file.data + at;
  uint32_t count = read_u32(entry + 4);
  uint64_t offset = read_u64(entry + 8), size = read_u64(entry + 16);
  int tag = find_tag(entry);
  if (offset > mbj->file.size || size > mbj->file.size - offset) return fail(mbj, at, "a section is outside the file");
  if (tag < 0) {
    model_warn(mbj->model, "offset 0x%zx: an unknown section, skipped", at);
    return true;
  }
  if (offset % MBJ_ALIGNMENT != 0) return fail(mbj, at, "a section does not begin at a multiple of 16");
  if (mbj->sections[tag].is_there) return fail(mbj, at, "a section is there twice");
  // Before there is room made for the records: theirs takes hardly more than what they are read from.
  if (tag > MBJ_DATA && (count > INT32_MAX || size != (uint64_t)count * MBJ_RECORD_SIZES[tag]))
    return fail(mbj, at, "count of records does not fit the size of the section");
  mbj->sections[tag] = (Section){mbj->file.data + offset, (size_t)size, count, true};
  return true;
}

static bool read_table(Mbj *mbj) {
  if (mbj->file.size < MBJ_HEADER_SIZE) return fail(mbj, 0, "truncated: the header has 16 bytes");
  uint32_t version = read_u32(mbj->file.data + 4), count = read_u32(mbj->file.data + 8);
  if (version != MBJ_VERSION)
    return error_set(mbj->error, "%s: offset 0x4: version is %u, this runtime reads %d: convert the model again",
                     mbj->request->path, version, MBJ_VERSION);
  if (count > (mbj->file.size - MBJ_HEADER_SIZE) / MBJ_SECTION_SIZE)
    return fail(mbj, 8, "truncated: the table of sections is longer than the file");
  for (uint32_t i = 0; i < count; i++) {
    if (!read_entry(mbj, MBJ_HEADER_SIZE + (size_t)i * MBJ_SECTION_SIZE)) return false;
  }
  return mbj->sections[MBJ_MODEL].count == 1 || fail(mbj, 8, "the section MODL is missing");
}

static bool set_counts(Mbj *mbj) {
  for (int tag = MBJ_MESHES; tag < MBJ_TAG_COUNT; tag++) {
    int *count = mbj_record_count(mbj->model, (MbjTag)tag);
    if (count && tag != MBJ_WARNINGS) *count = (int)mbj->sections[tag].count;
  }
  if (mbj->sections[MBJ_WARNINGS].count > MODEL_MAX_WARNINGS || mbj->sections[MBJ_COMPANIONS].count > MAX_COMPANIONS)
    return fail(mbj, 0, "count of warnings or companions is too large");
  // What was found out about this file itself is dropped for what is written in it.
  if (mbj->sections[MBJ_WARNINGS].count > 0) mbj->model->warning_count = (int)mbj->sections[MBJ_WARNINGS].count;
  const char **warnings = mbj->model->warnings;
  if (!mbj_allocate(mbj->model)) return error_set_out_of_memory(mbj->error);
  if (mbj->sections[MBJ_WARNINGS].count == 0 && warnings) mbj->model->warnings = warnings;
  return true;
}

static bool read_section(Mbj *mbj, MbjStream *stream, MbjTag tag) {
  const Section *section = &mbj->sections[tag];
  if (!section->is_there) return true;
  stream->at = section->start;
  stream->end = section->start + section->size;
  for (uint32_t i = 0; i < section->count && !stream->fault; i++)
    mbj_visit_record(stream, tag, mbj->model, (int)i);
  if (!stream->fault) return true;
  if (stream->is_out_of_memory) return error_set_out_of_memory(mbj->error);
  return fail(mbj, (size_t)(stream->at - mbj->file.data), stream->fault);
}

// Morph targets say themselves how many vertices they move: their meshes must agree.
static bool check_targets(const Mbj *mbj) {
  const Section *section = &mbj->sections[MBJ_MORPH_TARGETS];
  int end = 0;
  for (int i = 0; i < mbj->model->mesh_count; i++) {
    const ModelMesh *mesh = &mbj->model->meshes[i];
    if (mesh->morph_target_count > 0 && mesh->first_morph_target < end) return true;  // model_validate refuses it
    for (int k = 0; k < mesh->morph_target_count; k++) {
      int target = mesh->first_morph_target + k;
      if ((uint32_t)target >= section->count) return true;  // this, too
      end = target + 1;
      const uint8_t *at = section->start + (size_t)target * MBJ_RECORD_SIZES[MBJ_MORPH_TARGETS];
      if (read_u32(at) != (uint32_t)mesh->vertex_count)
        return fail(mbj, (size_t)(at - mbj->file.data), "a morph target is of another mesh");
    }
  }
  return true;
}

static bool read_sections(Mbj *mbj) {
  const Section *strings = &mbj->sections[MBJ_STRINGS], *data = &mbj->sections[MBJ_DATA];
  MbjStream stream = {.strings = (const char *)strings->start,
                      .string_size = strings->size,
                      .data = data->start,
                      .data_size = data->size,
                      .arena = &mbj->model->arena};
  mbj->model->companions = NULL;
  for (int tag = MBJ_MODEL; tag < MBJ_TAG_COUNT; tag++) {
    if (!read_section(mbj, &stream, (MbjTag)tag)) return false;
  }
  if (!mbj->model->source_format) mbj->model->source_format = "mbj";
  return check_targets(mbj);
}

static bool matches(Bytes bytes) {
  return bytes.size >= 4 && memcmp(bytes.data, "PMBJ", 4) == 0;
}

static bool load(const LoadRequest *request, Bytes *file, Model *model, Error *error) {
  Mbj mbj = {.request = request, .model = model, .error = error, .file = *file};
  if (!matches(*file)) return fail(&mbj, 0, "no magic PMBJ of an MBJ file");
  if (!read_table(&mbj) || !set_counts(&mbj) || !read_sections(&mbj)) return false;
  if (!arena_adopt(&model->arena, file->data, file->size)) return error_set_out_of_memory(error);
  file->data = NULL;
  return true;
}

const Loader MBJ_LOADER = {.name = "mbj", .extensions = {"mbj"}, .matches = matches, .load = load};
