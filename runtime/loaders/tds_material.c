#include <string.h>

#include "loaders/tds.h"

// What a material says in several chunks and means only together.
typedef struct Pending {
  ModelMaterial material;
  bool has_name, has_self_illumination;
  float transparency, self_illumination, glossiness;
} Pending;

static float byte_color(ChunkReader *reader, Chunk *chunk) {
  return (float)chunk_u8(reader, chunk, "a colour") / 255;
}

static void read_color_value(ChunkReader *reader, Chunk *chunk, Color *color) {
  bool is_bytes = chunk->id == 0x0011 || chunk->id == 0x0012;
  float values[3];
  for (int i = 0; i < 3; i++)
    values[i] = is_bytes ? byte_color(reader, chunk) : chunk_f32(reader, chunk, "a colour");
  if (!isfinite(values[0]) || !isfinite(values[1]) || !isfinite(values[2])) {
    model_warn(reader->model, "offset 0x%zx: a colour is not finite, left out", chunk->start);
    return;
  }
  *color = (Color){values[0], values[1], values[2], color->a};
}

// 0010 and 0011 are as displayed, 0012 and 0013 their linear twins.
void tds_read_color(Tds *tds, Chunk *parent, Color *color) {
  Chunk chunk;
  bool has_display = false;
  while (chunk_next(&tds->reader, parent, &chunk)) {
    bool is_display = chunk.id == 0x0010 || chunk.id == 0x0011, is_linear = chunk.id == 0x0012 || chunk.id == 0x0013;
    if (is_display || (is_linear && !has_display))
      read_color_value(&tds->reader, &chunk, color);
    else if (!is_linear)
      tds_warn_unknown(tds, &chunk, "a colour");
    has_display = has_display || is_display;
  }
}

// As a fraction: whole percent in 16 bits, or the fraction itself.
static bool read_percentage_value(ChunkReader *reader, Chunk *chunk, float *value) {
  if (chunk->id == 0x0030) {
    *value = (float)(int16_t)chunk_u16(reader, chunk, "a percentage") / 100;
    return true;
  }
  if (chunk->id != 0x0031) return false;
  float fraction = chunk_f32(reader, chunk, "a percentage");
  if (isfinite(fraction)) *value = fraction;
  return true;
}

static void read_percentage(Tds *tds, Chunk *parent, float *value) {
  Chunk chunk;
  while (chunk_next(&tds->reader, parent, &chunk)) {
    if (!read_percentage_value(&tds->reader, &chunk, value)) tds_warn_unknown(tds, &chunk, "a percentage");
  }
}

// ---- Maps

typedef struct Map {
  TextSlice file;
  MapPlacement placement;
  uint16_t tiling;
} Map;

static void read_finite(ChunkReader *reader, Chunk *chunk, float *value) {
  float read = chunk_f32(reader, chunk, "a number of a map");
  if (isfinite(read)) *value = read;
}

// Blur, tints and how deep bumps are change nothing here.
static bool is_map_setting(uint16_t id) {
  return id == 0x0030 || id == 0x0031 || id == 0xa353 || id == 0xa252 || (id >= 0xa360 && id <= 0xa368);
}

static void read_map(Tds *tds, Chunk *parent, Map *map) {
  ChunkReader *reader = &tds->reader;
  Chunk chunk;
  while (chunk_next(reader, parent, &chunk)) {
    switch (chunk.id) {
      case 0xa300:
        map->file = chunk_text(reader, &chunk, "the name of a map");
        break;
      case 0xa351:
        map->tiling = chunk_u16(reader, &chunk, "the tiling of a map");
        break;
      case 0xa354:
        read_finite(reader, &chunk, &map->placement.scale[0]);
        break;
      case 0xa356:
        read_finite(reader, &chunk, &map->placement.scale[1]);
        break;
      case 0xa358:
        read_finite(reader, &chunk, &map->placement.offset[0]);
        break;
      case 0xa35a:
        read_finite(reader, &chunk, &map->placement.offset[1]);
        break;
      case 0xa35c:
        read_finite(reader, &chunk, &map->placement.angle);
        break;
      default:
        if (!is_map_setting(chunk.id)) tds_warn_unknown(tds, &chunk, "a map");
    }
  }
}

// Bits of the tiling: 1 mirrored, 4 not repeated.
static TextureWrap wrap_of(uint16_t tiling) {
  return tiling & 1 << 4 ? WRAP_CLAMP : tiling & 1 << 1 ? WRAP_MIRROR : WRAP_REPEAT;
}

static bool read_diffuse_map(Tds *tds, Chunk *parent, ModelMaterial *material) {
  Map map = {.placement = {.scale = {1, 1}}};
  ModelTextureStage *stage = &material->stages[0];
  bool is_inside = true;
  read_map(tds, parent, &map);
  if (map.file.length == 0) return true;
  if (!material_list_add_image(&tds->list, map.file, &stage->image, &is_inside)) return false;
  if (!is_inside)
    model_warn(tds->model, "map %.*s is outside the model's folder, only the last part of its name is used",
               text_shown_length(map.file, 100), map.file.start);
  map.placement.angle *= (float)RADIANS_PER_DEGREE;
  texture_stage_place(stage, &map.placement);
  stage->wrap_u = stage->wrap_v = wrap_of(map.tiling);
  return true;
}

// The names of the maps that are not drawn, by their chunks; NULL for other chunks.
static const char *undrawn_map(uint16_t id) {
  switch (id) {
    case 0xa33a:
      return "second texture";
    case 0xa210:
      return "opacity";
    case 0xa230:
      return "bump";
    case 0xa204:
      return "specular";
    case 0xa33c:
      return "shininess";
    case 0xa33d:
      return "self illumination";
    case 0xa220:
      return "reflection";
    default:
      return id >= 0xa33e && id <= 0xa34c && id % 2 == 0 ? "mask" : NULL;
  }
}

static void skip_map(Tds *tds, Chunk *parent, const char *kind) {
  Map map = {0};
  read_map(tds, parent, &map);
  model_warn(tds->model, "note: %s maps are not drawn", kind);
}

// ---- Materials

// Of several names the first one counts, so that numbers of names are those of materials.
static bool read_name(Tds *tds, Chunk *chunk, Pending *pending) {
  TextSlice name = chunk_text(&tds->reader, chunk, "the name of a material");
  if (pending->has_name) {
    model_warn(tds->model, "material \"%s\" has another name, left out", pending->material.name);
    return true;
  }
  pending->has_name = true;
  pending->material.name = text_copy_utf8(&tds->model->arena, name.start, name.length);
  if (!pending->material.name) return false;
  int known = tds->material_names.texts.count, id = name_table_add(&tds->material_names, name);
  if (id >= 0 && id < known)
    model_warn(tds->model, "material \"%s\" is there twice, the first one counts", pending->material.name);
  return id >= 0;
}

static bool is_material_setting(uint16_t id) {
  return (id >= 0xa320 && id <= 0xa338) || id == 0xa041 || id == 0xa052 || id == 0xa053 || id == 0xa082 ||
         id == 0xa087 || id == 0xa088 || id == 0xa08a || id == 0xa08c || id == 0xa08e || id == 0xa240 || id == 0xa250 ||
         id == 0xa252 || id == 0xa310;
}

// What else a material is made of: flags, whose presence is what they say, and maps.
static bool read_other(Tds *tds, Chunk *chunk, Pending *pending) {
  ModelMaterial *material = &pending->material;
  const char *undrawn = undrawn_map(chunk->id);
  switch (chunk->id) {
    case 0xa081:
      material->cull = CULL_NONE;
      material->is_two_sided_lit = true;
      return true;
    case 0xa083:
      material->blend = BLEND_ADD;
      return true;
    case 0xa085:
      material->is_wire = true;
      return true;
    case 0xa100:
      material->is_flat = chunk_u16(&tds->reader, chunk, "the shading") == 1;
      return true;
    case 0xa200:
      return read_diffuse_map(tds, chunk, material);
    case 0xa080:
      pending->has_self_illumination = true;
      return true;
    default:
      if (undrawn)
        skip_map(tds, chunk, undrawn);
      else if (!is_material_setting(chunk->id))
        tds_warn_unknown(tds, chunk, "a material");
      return true;
  }
}

static bool read_part(Tds *tds, Chunk *chunk, Pending *pending) {
  ModelMaterial *material = &pending->material;
  switch (chunk->id) {
    case 0xa000:
      return read_name(tds, chunk, pending);
    case 0xa010:
      tds_read_color(tds, chunk, &material->ambient);
      return true;
    case 0xa020:
      tds_read_color(tds, chunk, &material->diffuse);
      return true;
    case 0xa030:
      tds_read_color(tds, chunk, &material->specular);
      return true;
    case 0xa040:
      read_percentage(tds, chunk, &pending->glossiness);
      return true;
    case 0xa050:
      read_percentage(tds, chunk, &pending->transparency);
      return true;
    case 0xa084:
      read_percentage(tds, chunk, &pending->self_illumination);
      return true;
    default:
      return read_other(tds, chunk, pending);
  }
}

static void close_material(Pending *pending) {
  ModelMaterial *material = &pending->material;
  Color diffuse = material->diffuse;
  float glow = clampf(pending->self_illumination, 0, 1);
  if (pending->has_self_illumination && glow == 0) glow = 1;
  material->diffuse.a = clampf(1 - pending->transparency, 0, 1);
  if (material->diffuse.a < 1 && material->blend == BLEND_REPLACE) material->blend = BLEND_ALPHA;
  material->shininess = shininess_from_percentage(pending->glossiness);
  if (glow > 0) material->emissive = (Color){diffuse.r * glow, diffuse.g * glow, diffuse.b * glow, 1};
}

bool tds_read_material(Tds *tds, Chunk *parent) {
  Pending pending = {.material = model_default_material()};
  int count = tds->list.materials.count;
  Chunk chunk;
  if (count >= MATERIAL_LIST_MAX) {
    model_warn(tds->model, "more than %d materials, the rest is left out", MATERIAL_LIST_MAX);
    return true;
  }
  while (chunk_next(&tds->reader, parent, &chunk)) {
    if (!read_part(tds, &chunk, &pending)) return false;
  }
  if (!pending.has_name) {
    model_warn(tds->model, "a material without a name");
    pending.material.name = arena_copy_string(&tds->model->arena, "", 0);
    if (!pending.material.name || name_table_add(&tds->material_names, (TextSlice){"", 0}) < 0) return false;
  }
  // Of materials with the same name the first one counts.
  if (tds->material_names.texts.count == count) return true;
  close_material(&pending);
  return material_list_add(&tds->list, pending.material) >= 0;
}
