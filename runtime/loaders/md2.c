// Quake II's models (Quake II source release, qfiles.h: dmdl_t and what it leads to). The frames stay as the file packs
// them, in the file's own bytes when all of them are kept.
#include "loaders/md2.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bytes.h"
#include "loaders/companion.h"
#include "loaders/frames.h"
#include "loaders/loader.h"
#include "loaders/names.h"
#include "loaders/text.h"

enum {
  HEADER_SIZE = 68,
  VERSION = 8,
  SKIN_SIZE = 64,
  ST_SIZE = 4,
  TRIANGLE_SIZE = 12,
  // Quake II's own limits are 2048 vertices, 4096 triangles, 512 frames and 32 skins; real files go past them.
  MAX_VERTICES = 65535,
  MAX_TRIANGLES = 65535,
  MAX_SKINS = 1024,
  MAX_GLCMDS = 4 * 4 * MAX_TRIANGLES,
  MAX_SCRATCH = 48 * 1024,  // bytes
};

typedef enum Field {
  FIELD_VERSION = 1,
  FIELD_SKIN_WIDTH,
  FIELD_SKIN_HEIGHT,
  FIELD_FRAME_SIZE,
  FIELD_SKINS,
  FIELD_VERTICES,
  FIELD_STS,
  FIELD_TRIANGLES,
  FIELD_GLCMDS,
  FIELD_FRAMES,
  FIELD_SKINS_OFFSET,
  FIELD_STS_OFFSET,
  FIELD_TRIANGLES_OFFSET,
  FIELD_FRAMES_OFFSET,
  FIELD_GLCMDS_OFFSET,
  FIELD_END,
} Field;

typedef struct Md2 {
  const LoadRequest *request;
  Model *model;
  uint8_t *bytes;
  size_t size;
  Error *error;
} Md2;

static int32_t field(const Md2 *md2, Field which) {
  return read_i32(md2->bytes + 4 * (size_t)which);
}

static const uint8_t *section(const Md2 *md2, Field offset) {
  return md2->bytes + field(md2, offset);
}

static size_t frame_need(const Md2 *md2) {
  return PACKED_FRAME_HEADER_SIZE + (size_t)field(md2, FIELD_VERTICES) * PACKED_VERTEX_SIZE;
}

static bool check_signature(const Md2 *md2) {
  const char *path = md2->request->path;
  if (md2->size < HEADER_SIZE)
    return error_set(md2->error, "%s: offset 0x%zx: truncated, the header needs %d bytes", path, md2->size,
                     HEADER_SIZE);
  if (memcmp(md2->bytes, "IDP2", 4) != 0) return error_set(md2->error, "%s: offset 0x0: magic is not IDP2", path);
  if (field(md2, FIELD_VERSION) != VERSION)
    return error_set(md2->error, "%s: offset 0x4: version %" PRId32 ", expected %d", path, field(md2, FIELD_VERSION),
                     VERSION);
  return true;
}

static bool check_counts(const Md2 *md2) {
  static const struct {
    Field field;
    int minimum, maximum;
    const char *name;
  } COUNTS[] = {
      {FIELD_SKINS, 0, MAX_SKINS, "skins"},
      {FIELD_VERTICES, 1, MAX_VERTICES, "vertices"},
      {FIELD_STS, 0, MAX_VERTICES, "texture coordinates"},
      {FIELD_TRIANGLES, 1, MAX_TRIANGLES, "triangles"},
      {FIELD_GLCMDS, 0, MAX_GLCMDS, "glcmds"},
      {FIELD_FRAMES, 1, MODEL_MAX_FRAMES, "frames"},
  };
  for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
    int32_t count = field(md2, COUNTS[i].field);
    if (count == 0 && COUNTS[i].minimum > 0)
      return error_set(md2->error, "%s: offset 0x%x: no %s, expected some", md2->request->path, 4 * COUNTS[i].field,
                       COUNTS[i].name);
    if (count < 0 || count > COUNTS[i].maximum)
      return error_set(md2->error, "%s: offset 0x%x: count of %s is %" PRId32 ", expected %d to %d", md2->request->path,
                       4 * COUNTS[i].field, COUNTS[i].name, count, COUNTS[i].minimum, COUNTS[i].maximum);
  }
  return true;
}

static bool is_inside(const Md2 *md2, Field offset, uint64_t size) {
  int32_t start = field(md2, offset);
  return size == 0 || (start >= HEADER_SIZE && (uint64_t)start + size <= md2->size);
}

static bool check_section(const Md2 *md2, Field offset, uint64_t size, const char *name) {
  if (is_inside(md2, offset, size)) return true;
  const char *path = md2->request->path;
  int32_t start = field(md2, offset);
  if (start < HEADER_SIZE || (uint64_t)start > md2->size)
    return error_set(md2->error, "%s: offset 0x%x: offset of the %s is %" PRId32 ", outside %d to %zu", path,
                     4 * offset, name, start, HEADER_SIZE, md2->size);
  return error_set(md2->error, "%s: offset 0x%" PRIx32 ": truncated, the %s need %" PRIu64 " bytes, %zu are left", path,
                   (uint32_t)start, name, size, md2->size - (size_t)start);
}

static bool check_sections(const Md2 *md2) {
  uint64_t frame_size = (uint64_t)field(md2, FIELD_FRAME_SIZE), frame_count = (uint64_t)field(md2, FIELD_FRAMES);
  if (field(md2, FIELD_FRAME_SIZE) < 0 || frame_size < frame_need(md2))
    return error_set(md2->error, "%s: offset 0x%x: frame size %" PRId32 ", expected at least %zu", md2->request->path,
                     4 * FIELD_FRAME_SIZE, field(md2, FIELD_FRAME_SIZE), frame_need(md2));
  // The last frame may lack the filling that the frame size promises.
  uint64_t frames_size = frame_size * (frame_count - 1) + frame_need(md2);
  return check_section(md2, FIELD_STS_OFFSET, (uint64_t)field(md2, FIELD_STS) * ST_SIZE, "texture coordinates") &&
         check_section(md2, FIELD_TRIANGLES_OFFSET, (uint64_t)field(md2, FIELD_TRIANGLES) * TRIANGLE_SIZE,
                       "triangles") &&
         check_section(md2, FIELD_FRAMES_OFFSET, frames_size, "frames");
}

static void warn_of_header(const Md2 *md2) {
  int32_t width = field(md2, FIELD_SKIN_WIDTH), height = field(md2, FIELD_SKIN_HEIGHT);
  if ((size_t)field(md2, FIELD_FRAME_SIZE) != frame_need(md2))
    model_warn(md2->model, "framesize is %" PRId32 ", the frames need %zu", field(md2, FIELD_FRAME_SIZE),
               frame_need(md2));
  if (field(md2, FIELD_END) < 0 || (size_t)field(md2, FIELD_END) != md2->size)
    model_warn(md2->model, "the header tells of %" PRId32 " bytes, the file has %zu", field(md2, FIELD_END), md2->size);
  if (width <= 0 || height <= 0)
    model_warn(md2->model, "skin size is %" PRId32 " x %" PRId32 ", texture coordinates are taken as they are", width,
               height);
}

static bool check_triangles(const Md2 *md2) {
  const uint8_t *triangles = section(md2, FIELD_TRIANGLES_OFFSET);
  int vertex_count = field(md2, FIELD_VERTICES), st_count = field(md2, FIELD_STS);
  // Without texture coordinates their indexes are not looked at.
  int st_limit = st_count > 0 ? st_count : INT32_MAX;
  for (int i = 0; i < field(md2, FIELD_TRIANGLES); i++) {
    const uint8_t *triangle = triangles + (size_t)i * TRIANGLE_SIZE;
    int vertex = 0, st = 0;
    for (int k = 0; k < 3; k++) {
      vertex = read_u16(triangle + 2 * k) > vertex ? read_u16(triangle + 2 * k) : vertex;
      st = read_u16(triangle + 6 + 2 * k) > st ? read_u16(triangle + 6 + 2 * k) : st;
    }
    if (vertex >= vertex_count || st >= st_limit)
      return error_set(md2->error, "%s: offset 0x%zx: triangle %d has index %d of %s, there are %d", md2->request->path,
                       (size_t)(triangle - md2->bytes), i, vertex >= vertex_count ? vertex : st,
                       vertex >= vertex_count ? "a vertex" : "a texture coordinate",
                       vertex >= vertex_count ? vertex_count : st_count);
  }
  return true;
}

// Corners that show the same vertex at the same texture coordinate become one, and are numbered in the order of their
// first use. Most vertices have one texture coordinate and lead to their corner at once; the corners of a vertex with
// another one are found by both numbers.
typedef struct Joining {
  uint32_t *corner_of_vertex;  // number + 1, or 0
  IdMap others;                // keys are vertex << 16 | texture coordinate
  ARRAY(uint32_t) corner_of_other;
  ARRAY(uint16_t) vertices;  // by corner
  ARRAY(uint16_t) sts;       // by corner
} Joining;

static bool add_corner(Joining *joining, uint16_t vertex, uint16_t st) {
  return array_push(joining->others.memory, &joining->vertices, vertex) &&
         array_push(joining->others.memory, &joining->sts, st);
}

// The number + 1 of a corner whose vertex has another one too; 0 without memory.
static uint32_t find_other_corner(Joining *joining, uint16_t vertex, uint16_t st) {
  int id = id_map_add(&joining->others, (uint32_t)vertex << 16 | st);
  if (id < 0) return 0;
  if (id < joining->corner_of_other.count) return joining->corner_of_other.items[id];
  uint32_t number = (uint32_t)joining->vertices.count + 1;
  bool is_good =
      add_corner(joining, vertex, st) && array_push(joining->others.memory, &joining->corner_of_other, number);
  return is_good ? number : 0;
}

static bool join_corners(const Md2 *md2, Joining *joining, uint32_t *indices) {
  // The file winds clockwise seen from outside.
  static const int TURNED[3] = {0, 2, 1};
  const uint8_t *triangle = section(md2, FIELD_TRIANGLES_OFFSET);
  bool has_sts = field(md2, FIELD_STS) > 0;
  for (int i = 0; i < field(md2, FIELD_TRIANGLES); i++, triangle += TRIANGLE_SIZE) {
    for (int k = 0; k < 3; k++) {
      const uint8_t *corner = triangle + 2 * TURNED[k];
      uint16_t vertex = read_u16(corner), st = has_sts ? read_u16(corner + 6) : 0;
      uint32_t number = joining->corner_of_vertex[vertex];
      if (number == 0) {
        if (!add_corner(joining, vertex, st)) return false;
        number = joining->corner_of_vertex[vertex] = (uint32_t)joining->vertices.count;
      } else if (joining->sts.items[number - 1] != st) {
        number = find_other_corner(joining, vertex, st);
        if (number == 0) return false;
      }
      *indices++ = number - 1;
    }
  }
  return true;
}

static void write_uvs(const Md2 *md2, const Joining *joining, float *uvs) {
  const uint8_t *sts = section(md2, FIELD_STS_OFFSET);
  int32_t width = field(md2, FIELD_SKIN_WIDTH), height = field(md2, FIELD_SKIN_HEIGHT);
  float u_scale = 1.0f / (float)(width > 0 ? width : 1), v_scale = 1.0f / (float)(height > 0 ? height : 1);
  for (int i = 0; i < joining->sts.count; i++) {
    const uint8_t *st = sts + (size_t)joining->sts.items[i] * ST_SIZE;
    // Quake II's OpenGL renderer draws at the middle of the texel.
    *uvs++ = ((float)read_i16(st) + 0.5f) * u_scale;
    *uvs++ = ((float)read_i16(st + 2) + 0.5f) * v_scale;
  }
}

static bool fill_corners(const Md2 *md2, const Joining *joining, ModelMesh *mesh) {
  Arena *arena = &md2->model->arena;
  bool has_uvs = field(md2, FIELD_STS) > 0;
  size_t count = (size_t)joining->vertices.count;
  uint16_t *vertices = arena_alloc_array(arena, count, sizeof *vertices);
  float *uvs = has_uvs ? arena_alloc_array(arena, 2 * count, sizeof *uvs) : NULL;
  if (!vertices || (has_uvs && !uvs)) return false;
  memcpy(vertices, joining->vertices.items, count * sizeof *vertices);
  if (has_uvs) write_uvs(md2, joining, uvs);
  mesh->vertex_count = (int)count;
  mesh->corner_vertices = vertices;
  mesh->uvs = uvs;
  return true;
}

// Once the corners are joined nobody needs the file's triangles any more, and an index takes just the place of a corner.
// Not where something else lies there too, in a hostile file, nor where the scratch memory would be more than what the
// result saves.
static bool may_reuse_triangles(const Md2 *md2) {
  int64_t start = field(md2, FIELD_TRIANGLES_OFFSET), frames = field(md2, FIELD_FRAMES_OFFSET);
  int64_t end = start + (int64_t)field(md2, FIELD_TRIANGLES) * TRIANGLE_SIZE;
  int64_t frames_end = frames + (int64_t)field(md2, FIELD_FRAME_SIZE) * field(md2, FIELD_FRAMES);
  return !md2->request->frames && start % (int64_t)sizeof(uint32_t) == 0 && end - start <= MAX_SCRATCH &&
         (end <= frames || frames_end <= start);
}

static bool join_and_fill(const Md2 *md2, ModelMesh *mesh, uint32_t *indices) {
  Memory *memory = md2->request->memory;
  size_t vertex_count = (size_t)field(md2, FIELD_VERTICES);
  Joining joining = {.others.memory = memory};
  joining.corner_of_vertex = memory_alloc_array(memory, vertex_count, sizeof *joining.corner_of_vertex);
  mesh->indices = indices;
  bool is_good = joining.corner_of_vertex && join_corners(md2, &joining, indices) && fill_corners(md2, &joining, mesh);
  memory_free(memory, joining.corner_of_vertex);
  id_map_free(&joining.others);
  array_free(memory, &joining.corner_of_other);
  array_free(memory, &joining.vertices);
  array_free(memory, &joining.sts);
  return is_good || error_set_out_of_memory(md2->error);
}

static bool add_corners(const Md2 *md2, ModelMesh *mesh) {
  Memory *memory = md2->request->memory;
  bool reuses = may_reuse_triangles(md2);
  mesh->index_count = 3 * field(md2, FIELD_TRIANGLES);
  size_t size = (size_t)mesh->index_count * sizeof(uint32_t);
  uint32_t *indices = reuses ? memory_resize(memory, NULL, size) : arena_alloc(&md2->model->arena, size);
  if (!indices) return error_set_out_of_memory(md2->error);
  bool is_good = join_and_fill(md2, mesh, indices);
  if (!reuses) return is_good;
  uint8_t *triangles = md2->bytes + field(md2, FIELD_TRIANGLES_OFFSET);
  memcpy(triangles, indices, size);
  mesh->indices = (const uint32_t *)(const void *)triangles;
  memory_free(memory, indices);
  return is_good;
}

static bool add_skins(const Md2 *md2) {
  Model *model = md2->model;
  int count = field(md2, FIELD_SKINS);
  if (!is_inside(md2, FIELD_SKINS_OFFSET, (uint64_t)count * SKIN_SIZE)) {
    model_warn(model, "the skin names are outside the file and left out");
    return true;
  }
  model->skins = arena_alloc_array(&model->arena, (size_t)count, sizeof *model->skins);
  if (!model->skins) return error_set_out_of_memory(md2->error);
  for (int i = 0; i < count; i++) {
    const char *name = (const char *)section(md2, FIELD_SKINS_OFFSET) + (size_t)i * SKIN_SIZE;
    const char *end = memchr(name, 0, SKIN_SIZE);
    model->skins[i] = text_copy_utf8(&model->arena, name, end ? (size_t)(end - name) : SKIN_SIZE);
    if (!model->skins[i]) return error_set_out_of_memory(md2->error);
  }
  model->skin_count = count;
  return true;
}

static bool add_image(const Md2 *md2, ModelMaterial *material) {
  Model *model = md2->model;
  char path[COMPANION_MAX_PATH];
  if (model->skin_count == 0) return true;
  companion_clean_path(model->skins[0], strlen(model->skins[0]), path);
  if (!path[0]) return true;
  model->images = arena_alloc(&model->arena, sizeof *model->images);
  const char *name = model->images ? arena_copy_string(&model->arena, path, strlen(path)) : NULL;
  if (!name) return error_set_out_of_memory(md2->error);
  model->images[0] = (ModelImage){.name = name};
  model->image_count = 1;
  material->stages[0].image = 0;
  return true;
}

static bool add_parts(const Md2 *md2) {
  Model *model = md2->model;
  model->meshes = arena_alloc(&model->arena, sizeof *model->meshes);
  model->submeshes = arena_alloc(&model->arena, sizeof *model->submeshes);
  model->materials = arena_alloc(&model->arena, sizeof *model->materials);
  model->nodes = arena_alloc(&model->arena, sizeof *model->nodes);
  if (!model->meshes || !model->submeshes || !model->materials || !model->nodes)
    return error_set_out_of_memory(md2->error);
  model->materials[0] = model_default_material();
  model->nodes[0] = model_default_node("model");
  model->nodes[0].mesh = 0;
  ModelMesh *mesh = &model->meshes[0];
  *mesh = (ModelMesh){.name = "model", .submesh_count = 1};
  // The corners come last: they may overwrite the triangles, where the skins of a hostile file could lie.
  if (!add_skins(md2) || !add_image(md2, &model->materials[0]) || !add_corners(md2, mesh)) return false;
  model->submeshes[0] = (ModelSubmesh){.index_count = mesh->index_count};
  model->mesh_count = model->submesh_count = model->material_count = model->node_count = 1;
  model->source_vertices = field(md2, FIELD_VERTICES);
  model->source_uvs = field(md2, FIELD_STS);
  model->source_skin_width = field(md2, FIELD_SKIN_WIDTH);
  model->source_skin_height = field(md2, FIELD_SKIN_HEIGHT);
  return true;
}

static void read_glcmds(const Md2 *md2) {
  int word_count = field(md2, FIELD_GLCMDS);
  if (word_count == 0) {
    model_warn(md2->model, "note: no glcmds; the triangle list is used in any case");
    return;
  }
  const char *problem = "they are outside the file";
  int triangle_count = -1;
  if (is_inside(md2, FIELD_GLCMDS_OFFSET, (uint64_t)word_count * 4))
    triangle_count =
        md2_count_glcmds_triangles(section(md2, FIELD_GLCMDS_OFFSET), word_count, field(md2, FIELD_VERTICES), &problem);
  md2->model->source_glcmds_triangles = triangle_count > 0 ? triangle_count : 0;
  if (problem) model_warn(md2->model, "glcmds not used: %s", problem);
}

static bool check_transforms(const Md2 *md2, const VertexFrames *all) {
  const LoadRequest *request = md2->request;
  int count = request->frames ? request->frame_count : all->frame_count, full_names = 0;
  for (int i = 0; i < count; i++) {
    int frame = request->frames ? request->frames[i] : i;
    const uint8_t *header = all->bytes + (size_t)frame * all->stride;
    FrameTransform transform = vertex_frames_transform(all, frame);
    Vec3 end = vec3_add_scaled(transform.translation, transform.scale, 255);
    if (!vec3_is_finite(transform.scale) || !vec3_is_finite(transform.translation) || !vec3_is_finite(end))
      return error_set(md2->error, "%s: offset 0x%zx: frame %d: scale or translation is not finite", request->path,
                       (size_t)(header - md2->bytes), frame);
    full_names += memchr(header + 24, 0, 16) == NULL;
  }
  if (full_names) model_warn(md2->model, "%d frame names fill all 16 characters and lack an end", full_names);
  return true;
}

// The frames that stay are the file's own bytes, which the model adopts, or a copy.
static bool keep_frames(const Md2 *md2, const VertexFrames *all, Bytes *file, VertexFrames *kept) {
  if (md2->request->frames)
    return frames_copy(md2->model, md2->request, all, kept) || error_set_out_of_memory(md2->error);
  if (!arena_adopt(&md2->model->arena, file->data, file->size)) return error_set_out_of_memory(md2->error);
  file->data = NULL;
  *kept = *all;
  return true;
}

static bool add_frames(const Md2 *md2, Bytes *file) {
  VertexFrames all = {.bytes = section(md2, FIELD_FRAMES_OFFSET),
                      .stride = (size_t)field(md2, FIELD_FRAME_SIZE),
                      .frame_count = field(md2, FIELD_FRAMES),
                      .vertex_count = field(md2, FIELD_VERTICES)};
  const LoadRequest *request = md2->request;
  if (request->frames && !frames_check(request, all.frame_count, md2->error)) return false;
  if (!check_transforms(md2, &all)) return false;
  if (!md2_add_clips(md2->model, &all, request->frames, request->frame_count))
    return error_set_out_of_memory(md2->error);
  return keep_frames(md2, &all, file, &md2->model->meshes[0].frames);
}

static bool matches(Bytes bytes) {
  return bytes.size >= 4 && memcmp(bytes.data, "IDP2", 4) == 0;
}

static bool load(const LoadRequest *request, Bytes *file, Model *model, Error *error) {
  Md2 md2 = {request, model, file->data, file->size, error};
  if (!check_signature(&md2) || !check_counts(&md2) || !check_sections(&md2) || !check_triangles(&md2)) return false;
  warn_of_header(&md2);
  read_glcmds(&md2);
  return add_parts(&md2) && add_frames(&md2, file);
}

const Loader MD2_LOADER = {
    .name = "md2", .extensions = {"md2"}, .selects_frames = true, .matches = matches, .load = load};
