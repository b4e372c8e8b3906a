// Nodes of the keyframer and their tracks.
#include <stdlib.h>
#include <string.h>

#include "loaders/tds.h"

#define FRAMES_PER_SECOND 30.0f
#define HALF_TURN_AND_MORE ((float)PI + 1e-4f)

enum { KEY_FLAG_COUNT = 5, KEY_HEADER_SIZE = 6, TRACK_REPEATS = 1, TRACK_LOOPS = 2 };

static const int VALUE_COUNTS[TDS_TRACK_COUNT] = {
    [TDS_POSITION] = 3, [TDS_ROTATION] = 4, [TDS_SCALE] = 3, [TDS_FOV] = 1,
    [TDS_ROLL] = 1,     [TDS_COLOR] = 3,    [TDS_HIDE] = 0,
};

// ---- Reading

// Goes over the keys once, so that whoever comes later need not ask whether they are there.
static void check_keys(Tds *tds, Chunk *chunk, TdsTrackKind kind, uint32_t count) {
  ChunkReader *reader = &tds->reader;
  int32_t before = INT32_MIN;
  bool has_odd_flags = false, is_unordered = false;
  for (uint32_t i = 0; i < count && !reader->has_failed; i++) {
    int32_t frame = (int32_t)chunk_u32(reader, chunk, "a key");
    uint16_t flags = chunk_u16(reader, chunk, "a key");
    has_odd_flags = has_odd_flags || flags >> KEY_FLAG_COUNT;
    is_unordered = is_unordered || (i > 0 && frame <= before);
    before = frame;
    float value;
    for (int bit = 0; bit < KEY_FLAG_COUNT; bit++) {
      value = flags & 1 << bit ? chunk_f32(reader, chunk, "a key") : 0;
      if (!isfinite(value)) chunk_fail(reader, chunk->at - 4, "a number of a key is not finite");
    }
    for (int k = 0; k < VALUE_COUNTS[kind]; k++) {
      value = chunk_f32(reader, chunk, "a key");
      if (!isfinite(value)) chunk_fail(reader, chunk->at - 4, "the value of a key is not finite");
    }
  }
  if (has_odd_flags) model_warn(tds->model, "offset 0x%zx: unknown flags of a key", chunk->start);
  if (is_unordered) model_warn(tds->model, "offset 0x%zx: the keys of a track do not ascend", chunk->start);
}

static void read_track(Tds *tds, Chunk *chunk, TdsTrackKind kind, TdsTrack *track) {
  ChunkReader *reader = &tds->reader;
  TdsTrack read = {.flags = chunk_u16(reader, chunk, "a track")};
  if (!chunk_need(reader, chunk, 12, "a track")) return;
  chunk->at += 8;
  read.keys.count = chunk_u32(reader, chunk, "a track");
  size_t least = KEY_HEADER_SIZE + 4 * (size_t)VALUE_COUNTS[kind], left = chunk->end - chunk->at;
  if (read.keys.count > left / least) {
    chunk_fail(reader, chunk->at - 4, "key count is %u, %zu bytes hold %zu at most", read.keys.count, left,
               left / least);
    return;
  }
  read.keys.at = chunk->at;
  check_keys(tds, chunk, kind, read.keys.count);
  *track = read;
}

static int track_kind(uint16_t id) {
  static const uint16_t IDS[TDS_TRACK_COUNT] = {
      [TDS_POSITION] = 0xb020, [TDS_ROTATION] = 0xb021, [TDS_SCALE] = 0xb022, [TDS_FOV] = 0xb023,
      [TDS_ROLL] = 0xb024,     [TDS_COLOR] = 0xb025,    [TDS_HIDE] = 0xb029,
  };
  for (int i = 0; i < TDS_TRACK_COUNT; i++) {
    if (IDS[i] == id) return i;
  }
  return -1;
}

static void read_node_part(Tds *tds, Chunk *chunk, TdsNode *node, bool *has_header) {
  ChunkReader *reader = &tds->reader;
  float pivot[3];
  int kind = track_kind(chunk->id);
  switch (chunk->id) {
    case 0xb030:
      node->id = chunk_u16(reader, chunk, "the id of a node");
      break;
    case 0xb010:
      *has_header = true;
      node->name = chunk_text(reader, chunk, "the name of a node");
      chunk_u32(reader, chunk, "the flags of a node");
      node->parent_id = chunk_u16(reader, chunk, "the parent of a node");
      break;
    case 0xb011:
      node->instance = chunk_text(reader, chunk, "the name of an instance");
      break;
    case 0xb013:
      chunk_floats(reader, chunk, pivot, 3, "a pivot");
      node->pivot = tds_to_engine(vec3(pivot[0], pivot[1], pivot[2]));
      if (vec3_is_finite(node->pivot)) break;
      model_warn(tds->model, "offset 0x%zx: a pivot is not finite, ignored", chunk->start);
      node->pivot = vec3(0, 0, 0);
      break;
    case 0xb014:
    case 0xb015:
      break;
    case 0xb026:
    case 0xb027:
    case 0xb028:
      model_warn(tds->model, "tracks of %s are not played", chunk->id == 0xb026 ? "morphs" : "spots' cones");
      break;
    default:
      if (kind >= 0)
        read_track(tds, chunk, (TdsTrackKind)kind, &node->tracks[kind]);
      else
        tds_warn_unknown(tds, chunk, "a node");
  }
}

static bool read_node(Tds *tds, Chunk *parent) {
  TdsNode node = {.kind = (TdsNodeKind)parent->id, .id = -1, .parent_id = 0xffff, .parent = -1, .name = {"", 0}};
  bool has_header = false;
  Chunk chunk;
  while (chunk_next(&tds->reader, parent, &chunk))
    read_node_part(tds, &chunk, &node, &has_header);
  if (!has_header) model_warn(tds->model, "node %d has no header", tds->nodes.count);
  if (tds->nodes.count >= MODEL_MAX_NODES)
    return chunk_fail(&tds->reader, parent->start, "node count is more than %d", MODEL_MAX_NODES) || true;
  return array_push(tds->request->memory, &tds->nodes, node);
}

bool tds_read_keyframer(Tds *tds, Chunk *parent) {
  ChunkReader *reader = &tds->reader;
  Chunk chunk;
  while (chunk_next(reader, parent, &chunk)) {
    if (chunk.id == 0xb00a) {
      chunk_u16(reader, &chunk, "the revision");
      tds->is_max_scene = text_equals(chunk_text(reader, &chunk, "the name of the keyframer"), "MAXSCENE");
    } else if (chunk.id == 0xb008) {
      tds->segment_first = chunk_u32(reader, &chunk, "the segment");
      tds->segment_last = chunk_u32(reader, &chunk, "the segment");
    } else if (chunk.id >= TDS_AMBIENT && chunk.id <= TDS_SPOT) {
      if (!read_node(tds, &chunk)) return false;
    } else if (chunk.id != 0xb009 && chunk.id != 0x7000 && chunk.id != 0x7001 && chunk.id != 0x7020) {
      tds_warn_unknown(tds, &chunk, "the keyframer");
    }
  }
  return true;
}

// ---- Tracks for the model

typedef struct Key {
  int32_t frame;
  uint32_t order;  ///< in the file
  float tcb[KEY_FLAG_COUNT];
  float value[4];
} Key;

static int compare_keys(const void *a, const void *b) {
  const Key *first = a, *second = b;
  if (first->frame != second->frame) return first->frame < second->frame ? -1 : 1;
  return first->order < second->order ? -1 : 1;
}

// In the order of frames; those of the same frame all stay, as turns of rotations add up.
static Key *collect_keys(Tds *tds, const TdsTrack *track, TdsTrackKind kind) {
  const uint8_t *at = tds->reader.bytes + track->keys.at;
  Key *keys = memory_alloc_array(tds->request->memory, track->keys.count, sizeof *keys);
  bool is_sorted = true;
  for (uint32_t i = 0; keys && i < track->keys.count; i++) {
    keys[i].frame = read_i32(at);
    keys[i].order = i;
    uint16_t flags = read_u16(at + 4);
    at += KEY_HEADER_SIZE;
    for (int bit = 0; bit < KEY_FLAG_COUNT; bit++) {
      if (!(flags & 1 << bit)) continue;
      keys[i].tcb[bit] = read_f32(at);
      at += 4;
    }
    for (int k = 0; k < VALUE_COUNTS[kind]; k++, at += 4)
      keys[i].value[k] = read_f32(at);
    is_sorted = is_sorted && (i == 0 || keys[i - 1].frame <= keys[i].frame);
  }
  if (keys && !is_sorted) qsort(keys, track->keys.count, sizeof *keys, compare_keys);
  return keys;
}

// A key turns by its angle since the key before, the other way round than right-handed (see tds.h for the axes).
static void add_rotation(const Key *key, Quat *sum, float *value, float *spin) {
  Vec3 axis = vec3_normalize_or(tds_to_engine(vec3(key->value[1], key->value[2], key->value[3])), vec3(0, 0, 0));
  float angle = -key->value[0];
  *sum = quat_normalize(quat_mul(quat_from_axis_angle(axis, angle), *sum));
  memcpy(value, sum, sizeof *sum);
  if (fabsf(angle) > HALF_TURN_AND_MORE) memcpy(spin, (float[4]){axis.x, axis.y, axis.z, angle}, 4 * sizeof *spin);
}

static void convert_value(TdsTrackKind kind, const float *v, float *value) {
  Vec3 point = vec3(v[0], v[1], v[2]);
  if (kind == TDS_POSITION)
    point = tds_to_engine(point);
  else if (kind == TDS_SCALE)
    point = vec3(point.x, point.z, point.y);
  else if (kind == TDS_FOV || kind == TDS_ROLL)
    point.x = (float)(point.x * RADIANS_PER_DEGREE);
  memcpy(value, &point, (size_t)VALUE_COUNTS[kind] * sizeof *value);
}

// Shown at first, each key turns it over: one key more says so before the first.
static bool build_visibility(Arena *arena, const Key *keys, int count, Track *track) {
  float *times = arena_alloc_array(arena, (size_t)count + 1, sizeof *times);
  float *values = arena_alloc_array(arena, (size_t)count + 1, sizeof *values);
  if (!times || !values) return false;
  times[0] = (float)keys[0].frame / FRAMES_PER_SECOND - 1;
  values[0] = 1;
  for (int i = 0; i < count; i++) {
    times[i + 1] = (float)keys[i].frame / FRAMES_PER_SECOND;
    values[i + 1] = i % 2 == 0 ? 0 : 1;
  }
  *track = (Track){.property = TRACK_VISIBILITY,
                   .interpolation = INTERPOLATE_STEP,
                   .component_count = 1,
                   .key_count = count + 1,
                   .times = times,
                   .values = values};
  return true;
}

static bool fill_track(const Tds *tds, const TdsTrack *source, TdsTrackKind kind, const Key *keys, Track *track) {
  static const TrackProperty PROPERTIES[TDS_TRACK_COUNT] = {
      [TDS_POSITION] = TRACK_TRANSLATION,
      [TDS_ROTATION] = TRACK_ROTATION,
      [TDS_SCALE] = TRACK_SCALE,
      [TDS_FOV] = TRACK_FOV,
      [TDS_ROLL] = TRACK_ROLL,
      [TDS_COLOR] = TRACK_COLOR,
  };
  Arena *arena = &tds->model->arena;
  size_t count = source->keys.count, components = (size_t)VALUE_COUNTS[kind];
  float *times = arena_alloc_array(arena, count, sizeof *times);
  float *values = arena_alloc_array(arena, count * components, sizeof *values);
  float *tcb = arena_alloc_array(arena, count * KEY_FLAG_COUNT, sizeof *tcb);
  float *spins = kind == TDS_ROTATION ? arena_alloc_array(arena, count * 4, sizeof *spins) : NULL;
  if (!times || !values || !tcb || (kind == TDS_ROTATION && !spins)) return false;
  Quat sum = QUAT_IDENTITY;
  for (size_t i = 0; i < count; i++) {
    times[i] = (float)keys[i].frame / FRAMES_PER_SECOND;
    memcpy(tcb + KEY_FLAG_COUNT * i, keys[i].tcb, sizeof keys[i].tcb);
    if (kind == TDS_ROTATION)
      add_rotation(&keys[i], &sum, values + 4 * i, spins + 4 * i);
    else
      convert_value(kind, keys[i].value, values + components * i);
  }
  *track = (Track){.property = PROPERTIES[kind],
                   .interpolation = tds->request->linear_keys ? INTERPOLATE_LINEAR : INTERPOLATE_TCB,
                   .repeats = source->flags & TRACK_REPEATS,
                   .loops = source->flags & TRACK_LOOPS,
                   .component_count = (int)components,
                   .key_count = (int)count,
                   .times = times,
                   .values = values,
                   .tcb = tcb,
                   .spins = spins};
  return true;
}

bool tds_build_track(Tds *tds, const TdsNode *node, TdsTrackKind kind, Track *track) {
  const TdsTrack *source = &node->tracks[kind];
  *track = (Track){0};
  if (source->keys.count == 0) return true;
  Key *keys = collect_keys(tds, source, kind);
  if (!keys) return false;
  bool is_good = kind == TDS_HIDE ? build_visibility(&tds->model->arena, keys, (int)source->keys.count, track)
                                  : fill_track(tds, source, kind, keys, track);
  memory_free(tds->request->memory, keys);
  return is_good;
}
