#ifndef PALFREY_LOADERS_MBJ_FIELDS_H
#define PALFREY_LOADERS_MBJ_FIELDS_H
// The fields of an MBJ file, each named once: the same functions go over them for writing and for reading. Numbers are
// little-endian, and arrays lie in the file just as the model holds them. docs/mbj.md tells the layout byte by byte.
#include "array.h"
#include "loaders/model.h"

enum { MBJ_VERSION = 2, MBJ_HEADER_SIZE = 16, MBJ_SECTION_SIZE = 24, MBJ_ALIGNMENT = 16 };

typedef enum MbjTag {
  MBJ_STRINGS = 0,
  MBJ_DATA,
  MBJ_MODEL,
  MBJ_MESHES,
  MBJ_SUBMESHES,
  MBJ_MORPH_TARGETS,
  MBJ_MATERIALS,
  MBJ_IMAGES,
  MBJ_SKIN_FILES,
  MBJ_NODES,
  MBJ_NODE_SKINS,
  MBJ_CLIPS,
  MBJ_TRACKS,
  MBJ_LIGHTS,
  MBJ_CAMERAS,
  MBJ_LODS,
  MBJ_WARNINGS,
  MBJ_COMPANIONS,
  MBJ_TAG_COUNT,
} MbjTag;

/// Four letters each.
extern const char MBJ_TAGS[MBJ_TAG_COUNT][5];

/// The bytes of a record; 0 for the strings and the data.
extern const uint16_t MBJ_RECORD_SIZES[MBJ_TAG_COUNT];

typedef ARRAY(uint8_t) MbjBytes;

/// Where fields come from or go to. After a fault everything reads as 0 and `fault` says what it was.
typedef struct MbjStream {
  bool is_writing;
  const char *fault;
  bool is_out_of_memory;  ///< which is the fault
  // Reading: the section at hand, and what it refers to.
  uint8_t *at, *end;
  const char *strings;
  size_t string_size, strings_used;
  uint8_t *data;
  size_t data_size, data_used;
  Arena *arena;
  // Writing.
  Memory *memory;
  MbjBytes record, out_strings, out_data;
} MbjStream;

/// The records of all sections but the strings and the data, in the order of the tags: `index` of the list that the model
/// has for it.
void mbj_visit_record(MbjStream *stream, MbjTag tag, Model *model, int index);

/// Where the model keeps how many records of a kind it has; NULL for the sections that are no lists of it.
int *mbj_record_count(Model *model, MbjTag tag);

/// Room for the records of all sections in a model whose counts are known. False without memory.
bool mbj_allocate(Model *model);

#endif
