// Objects of the editor: meshes, lights and cameras.
#include <string.h>

#include "loaders/tds.h"

static Vec3 read_point(ChunkReader *reader, Chunk *chunk, const char *what) {
  float v[3];
  chunk_floats(reader, chunk, v, 3, what);
  return tds_to_engine(vec3(v[0], v[1], v[2]));
}

// A point that is not finite is the origin, with a warning.
static Vec3 read_finite_point(Tds *tds, Chunk *chunk, const char *what) {
  Vec3 point = read_point(&tds->reader, chunk, what);
  if (vec3_is_finite(point)) return point;
  model_warn(tds->model, "offset 0x%zx: %s is not finite, set to 0", chunk->start, what);
  return vec3(0, 0, 0);
}

static float read_finite(Tds *tds, Chunk *chunk, const char *what, float fallback) {
  float value = chunk_f32(&tds->reader, chunk, what);
  if (isfinite(value)) return value;
  model_warn(tds->model, "offset 0x%zx: %s is not finite, left out", chunk->start, what);
  return fallback;
}

// ---- Meshes

// A count of 16 bits and that many items.
static TdsSpan read_list(ChunkReader *reader, Chunk *chunk, uint32_t item_size, const char *what) {
  TdsSpan span = {0, chunk_u16(reader, chunk, what)};
  if (!chunk_need(reader, chunk, (uint64_t)span.count * item_size, what)) return (TdsSpan){0};
  span.at = chunk->at;
  chunk->at += span.count * item_size;
  return span;
}

static TdsSpan read_smoothing(const Chunk *chunk) {
  return (TdsSpan){chunk->at, (uint32_t)((chunk->end - chunk->at) / 4)};
}

static bool read_face_list(Tds *tds, Chunk *parent, TdsMesh *mesh) {
  ChunkReader *reader = &tds->reader;
  Chunk chunk;
  mesh->faces = read_list(reader, parent, 8, "faces");
  mesh->first_group = tds->groups.count;
  mesh->group_count = 0;
  while (chunk_next(reader, parent, &chunk)) {
    if (chunk.id == 0x4130) {
      TdsGroup group = {.name = chunk_text(reader, &chunk, "the name of a material")};
      group.faces = read_list(reader, &chunk, 2, "faces of a material");
      if (!array_push(tds->request->memory, &tds->groups, group)) return false;
      mesh->group_count++;
    } else if (chunk.id == 0x4150) {
      mesh->smoothing = read_smoothing(&chunk);
      if (mesh->smoothing.count != mesh->faces.count)
        model_warn(tds->model, "a smoothing list has %u entries for %u faces", mesh->smoothing.count,
                   mesh->faces.count);
    } else if (chunk.id != 0x4190) {
      tds_warn_unknown(tds, &chunk, "a face list");
    }
  }
  return true;
}

static void read_matrix(Tds *tds, Chunk *chunk, TdsMesh *mesh) {
  // The columns x, y, z and the origin, all in the file's axes: engine axes are x, z and -y.
  Vec3 x = read_point(&tds->reader, chunk, "a matrix"), y = read_point(&tds->reader, chunk, "a matrix");
  Vec3 z = read_point(&tds->reader, chunk, "a matrix"), origin = read_point(&tds->reader, chunk, "a matrix");
  Affine matrix = {x, z, vec3_negate(y), origin};
  mesh->has_matrix = vec3_is_finite(x) && vec3_is_finite(y) && vec3_is_finite(z) && vec3_is_finite(origin);
  mesh->matrix = matrix;
  if (!mesh->has_matrix)
    model_warn(tds->model, "offset 0x%zx: a non-finite mesh matrix, ignored", chunk->start);
  else if (fabsf(affine_determinant(matrix)) < 1e-20f)
    model_warn(tds->model, "offset 0x%zx: a singular mesh matrix", chunk->start);
}

static bool read_mesh_part(Tds *tds, Chunk *chunk, TdsMesh *mesh, TdsSpan *late_smoothing) {
  switch (chunk->id) {
    case 0x4110:
      mesh->vertices = read_list(&tds->reader, chunk, 12, "vertices");
      return true;
    case 0x4120:
      return read_face_list(tds, chunk, mesh);
    case 0x4140:
      mesh->uvs = read_list(&tds->reader, chunk, 8, "texture coordinates");
      return true;
    case 0x4150:
      *late_smoothing = read_smoothing(chunk);
      model_warn(tds->model, "a smoothing list outside the face list");
      return true;
    case 0x4160:
      read_matrix(tds, chunk, mesh);
      return true;
    default:
      if (chunk->id != 0x4111 && chunk->id != 0x4165 && chunk->id != 0x4170) tds_warn_unknown(tds, chunk, "a mesh");
      return true;
  }
}

static bool read_mesh(Tds *tds, Chunk *parent, TextSlice name) {
  TdsMesh mesh = {.name = name, .start = parent->start};
  TdsSpan late_smoothing = {0};
  Chunk chunk;
  while (chunk_next(&tds->reader, parent, &chunk)) {
    if (!read_mesh_part(tds, &chunk, &mesh, &late_smoothing)) return false;
  }
  if (mesh.smoothing.at == 0) mesh.smoothing = late_smoothing;
  if (mesh.uvs.count > 0 && mesh.uvs.count != mesh.vertices.count)
    model_warn(tds->model, "%u uvs for %u vertices", mesh.uvs.count, mesh.vertices.count);
  return array_push(tds->request->memory, &tds->meshes, mesh);
}

// ---- Lights

static void read_spot(Tds *tds, Chunk *parent, TdsLight *light) {
  light->has_target = true;
  light->light.kind = LIGHT_SPOT;
  light->target = read_finite_point(tds, parent, "the target of a spot");
  // Full cones, degrees.
  float hotspot = read_finite(tds, parent, "the hotspot", 40), falloff = read_finite(tds, parent, "the falloff", 45);
  light->light.outer_angle = (float)(clampf(falloff, 0, 360) * 0.5 * RADIANS_PER_DEGREE);
  light->light.inner_angle = (float)(clampf(hotspot, 0, falloff > 0 ? falloff : 0) * 0.5 * RADIANS_PER_DEGREE);
  // What is left are shadows, projectors and the shape of the cone, which are not drawn.
  Chunk chunk;
  while (chunk_next(&tds->reader, parent, &chunk)) {
    bool is_known =
        chunk.id == 0x4627 || chunk.id == 0x4630 || chunk.id == 0x4641 || (chunk.id >= 0x4650 && chunk.id <= 0x4658);
    if (!is_known) tds_warn_unknown(tds, &chunk, "a spot");
  }
}

static void read_light_color(Tds *tds, Chunk *chunk, TdsLight *light, bool *has_display) {
  float values[3];
  bool is_bytes = chunk->id == 0x0011 || chunk->id == 0x0012, is_display = chunk->id <= 0x0011;
  for (int i = 0; i < 3; i++)
    values[i] = is_bytes ? (float)chunk_u8(&tds->reader, chunk, "a colour") / 255
                         : read_finite(tds, chunk, "the colour of a light", 1);
  if (is_display || !*has_display) light->light.color = (Color){values[0], values[1], values[2], 1};
  *has_display = *has_display || is_display;
}

static bool read_light(Tds *tds, Chunk *parent, TextSlice name) {
  TdsLight light = {.name = name};
  light.light =
      (ModelLight){.kind = LIGHT_POINT, .color = {1, 1, 1, 1}, .intensity = 1, .attenuation = {1, 0, 0}, .target = -1};
  bool has_display = false, fades = false;
  float range = 0;
  Chunk chunk;
  light.position = read_finite_point(tds, parent, "the position of a light");
  while (chunk_next(&tds->reader, parent, &chunk)) {
    if (chunk.id >= 0x0010 && chunk.id <= 0x0013) {
      read_light_color(tds, &chunk, &light, &has_display);
    } else if (chunk.id == 0x4610) {
      read_spot(tds, &chunk, &light);
    } else if (chunk.id == 0x4620) {
      light.is_off = true;
    } else if (chunk.id == 0x4625) {
      fades = true;
    } else if (chunk.id == 0x465a) {
      range = read_finite(tds, &chunk, "the outer range", 0);
    } else if (chunk.id == 0x465b) {
      light.light.intensity = read_finite(tds, &chunk, "the multiplier", 1);
    } else if (chunk.id != 0x4659 && chunk.id != 0x4654 && chunk.id != 0x4627 && chunk.id != 0x4630 &&
               chunk.id != 0x4641 && chunk.id != 0x4680) {
      tds_warn_unknown(tds, &chunk, "a light");
    }
  }
  light.light.range = fades && range > 0 ? range : 0;
  return array_push(tds->request->memory, &tds->lights, light);
}

// ---- Cameras

static bool read_camera(Tds *tds, Chunk *parent, TextSlice name) {
  TdsCamera camera = {.name = name};
  camera.position = read_finite_point(tds, parent, "the position of a camera");
  camera.target = read_finite_point(tds, parent, "the target of a camera");
  float roll = read_finite(tds, parent, "the roll", 0), lens = read_finite(tds, parent, "the lens", 0);
  // A lens of 2400 mm sees one degree.
  float fov = lens > 0 ? 2400 / lens : 45;
  camera.camera = (ModelCamera){.kind = CAMERA_PERSPECTIVE,
                                .fov = (float)(clampf(fov, 0.01f, 179) * RADIANS_PER_DEGREE),
                                .roll = (float)(roll * RADIANS_PER_DEGREE),
                                .aspect = 1,
                                .target = -1};
  Chunk chunk;
  while (chunk_next(&tds->reader, parent, &chunk)) {
    if (chunk.id == 0x4720) {
      camera.camera.near_plane = read_finite(tds, &chunk, "the near range", 0);
      camera.camera.far_plane = read_finite(tds, &chunk, "the far range", 0);
    } else if (chunk.id != 0x4710) {
      tds_warn_unknown(tds, &chunk, "a camera");
    }
  }
  return array_push(tds->request->memory, &tds->cameras, camera);
}

bool tds_read_object(Tds *tds, Chunk *parent) {
  TextSlice name = chunk_text(&tds->reader, parent, "the name of an object");
  int first_mesh = tds->meshes.count;
  bool is_hidden = false, is_good = true;
  Chunk chunk;
  while (is_good && chunk_next(&tds->reader, parent, &chunk)) {
    if (chunk.id == 0x4100)
      is_good = read_mesh(tds, &chunk, name);
    else if (chunk.id == 0x4600)
      is_good = read_light(tds, &chunk, name);
    else if (chunk.id == 0x4700)
      is_good = read_camera(tds, &chunk, name);
    else if (chunk.id == 0x4010)
      is_hidden = true;
    else if (chunk.id < 0x4011 || chunk.id > 0x4017)
      tds_warn_unknown(tds, &chunk, "an object");
  }
  for (int i = first_mesh; i < tds->meshes.count && is_hidden; i++)
    tds->meshes.items[i].is_hidden = true;
  return is_good;
}
