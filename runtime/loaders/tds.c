// 3D Studio's files (Autodesk, 3D Studio File Toolkit, 1993 to 1996; layout and meaning as gathered from public descriptions
// and from real files): meshes with smoothing groups, materials, lights, cameras and the keyframer's hierarchy.
#include "loaders/tds.h"

#include <string.h>

enum {
  CHUNK_MAIN = 0x4d4d,
  CHUNK_LIBRARY = 0x3daa,
  CHUNK_PROJECT = 0xc23d,
  CHUNK_VERSION = 0x0002,
  CHUNK_EDITOR = 0x3d3d,
  CHUNK_MATERIAL = 0xafff,
  CHUNK_OBJECT = 0x4000,
  CHUNK_AMBIENT = 0x2100,
  CHUNK_BACKGROUND = 0x1200,
  CHUNK_KEYFRAMER = 0xb000,
};

void tds_warn_unknown(Tds *tds, const Chunk *chunk, const char *parent) {
  model_warn(tds->model, "unknown chunk %04X in %s, skipped", chunk->id, parent);
}

// Settings of the editor and of its renderer that mean nothing here.
static bool is_editor_setting(uint16_t id) {
  static const uint16_t KNOWN[] = {0x3d3e, 0x0100, 0x1100, 0x1101, 0x1201, 0x1300, 0x1301, 0x1400, 0x1410,
                                   0x1420, 0x1430, 0x1440, 0x1450, 0x1460, 0x1470, 0x1500, 0x2200, 0x2201,
                                   0x2210, 0x2300, 0x2301, 0x2302, 0x2303, 0x3000, 0x7000, 0x7001};
  for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
    if (KNOWN[i] == id) return true;
  }
  return false;
}

static bool read_editor(Tds *tds, Chunk *editor) {
  Chunk chunk;
  bool is_good = true;
  while (is_good && chunk_next(&tds->reader, editor, &chunk)) {
    switch (chunk.id) {
      case CHUNK_MATERIAL:
        is_good = tds_read_material(tds, &chunk);
        break;
      case CHUNK_OBJECT:
        is_good = tds_read_object(tds, &chunk);
        break;
      case CHUNK_AMBIENT:
        tds->model->has_ambient = true;
        tds_read_color(tds, &chunk, &tds->model->ambient);
        break;
      case CHUNK_BACKGROUND:
        tds->model->has_background = true;
        tds_read_color(tds, &chunk, &tds->model->background);
        break;
      default:
        if (!is_editor_setting(chunk.id)) tds_warn_unknown(tds, &chunk, "the editor");
    }
  }
  return is_good;
}

static bool read_main(Tds *tds, Chunk *main_chunk) {
  Chunk chunk;
  bool is_good = true;
  while (is_good && chunk_next(&tds->reader, main_chunk, &chunk)) {
    switch (chunk.id) {
      case CHUNK_EDITOR:
        is_good = read_editor(tds, &chunk);
        break;
      case CHUNK_KEYFRAMER:
        is_good = tds_read_keyframer(tds, &chunk);
        break;
      case CHUNK_MATERIAL:
        model_warn(tds->model, "a material outside the editor's chunk");
        is_good = tds_read_material(tds, &chunk);
        break;
      case CHUNK_VERSION:
        break;
      default:
        tds_warn_unknown(tds, &chunk, "the main chunk");
    }
  }
  return is_good;
}

static bool is_main(uint16_t id) {
  return id == CHUNK_MAIN || id == CHUNK_LIBRARY || id == CHUNK_PROJECT;
}

static bool read_file(Tds *tds, Bytes file) {
  ChunkReader *reader = &tds->reader;
  if (file.size < 6) return chunk_fail(reader, 0, "truncated: the file has %zu bytes, expected 6 or more", file.size);
  uint32_t length = read_u32(file.data + 2);
  Chunk main_chunk = {read_u16(file.data), 0, 6, file.size, 0};
  if (!is_main(main_chunk.id)) return chunk_fail(reader, 0, "no magic 4D4D of a 3DS file, found %04X", main_chunk.id);
  if (length < 6) return chunk_fail(reader, 0, "main chunk length is %u, expected 6 or more", length);
  if (length > file.size) {
    model_warn(tds->model, "the main chunk tells of %u bytes, the file has %zu", length, file.size);
  } else if (length < file.size) {
    model_warn(tds->model, "%zu bytes after the main chunk", file.size - length);
    main_chunk.end = length;
  }
  if (!read_main(tds, &main_chunk)) return error_set_out_of_memory(reader->error);
  return !reader->has_failed;
}

static void free_all(Tds *tds) {
  Memory *memory = tds->request->memory;
  material_list_free(&tds->list);
  name_table_free(&tds->material_names);
  array_free(memory, &tds->groups);
  array_free(memory, &tds->meshes);
  array_free(memory, &tds->lights);
  array_free(memory, &tds->cameras);
  array_free(memory, &tds->nodes);
}

static bool load(const LoadRequest *request, Bytes *file, Model *model, Error *error) {
  Tds tds = {.request = request,
             .reader = {.bytes = file->data, .path = request->path, .model = model, .error = error},
             .model = model,
             .list = {.model = model, .image_paths.ids.memory = request->memory},
             .material_names.ids.memory = request->memory,
             .default_material = -1};
  bool is_good = read_file(&tds, *file) && tds_build_meshes(&tds) && tds_build_scene(&tds);
  if (is_good && !material_list_move(&tds.list)) is_good = error_set_out_of_memory(error);
  free_all(&tds);
  return is_good;
}

// Two letters are a weak signature: the length must fit too, or the file's name decide.
static bool matches(Bytes bytes) {
  if (bytes.size < 6 || !is_main(read_u16(bytes.data))) return false;
  uint32_t length = read_u32(bytes.data + 2);
  return length >= 6 && length <= bytes.size;
}

const Loader TDS_LOADER = {.name = "3ds", .extensions = {"3ds"}, .matches = matches, .load = load};
