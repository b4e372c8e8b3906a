// Animations become clips, their channels tracks.
#include <stdio.h>
#include <string.h>

#include "loaders/gltf/gltf.h"
#include "loaders/names.h"

// A sampler that has been read, as several channels may use it.
typedef struct Sampler {
  bool is_read;
  TrackInterpolation interpolation;
  int key_count, components;  ///< components of one value
  const float *times;
  float *values;
} Sampler;

// What a channel's path says of the values.
typedef struct Path {
  const char *name;
  TrackProperty property;
  GltfForm form;
} Path;

typedef struct Builder {
  Gltf *gltf;
  GltfPlace place;
  GltfArray samplers;
  Sampler *read;  ///< two for each: as rotations, and as plain numbers
  ARRAY(ModelTrack) tracks;
  NameTable names;  ///< of the clips
  int last_number;  ///< given to a clip whose name was taken
} Builder;

// ---- Samplers

static bool read_interpolation(Builder *builder, const cJSON *object, TrackInterpolation *interpolation) {
  const char *name = "LINEAR";
  if (!gltf_get_text(builder->gltf, builder->place, object, "interpolation", &name)) return false;
  if (strcmp(name, "LINEAR") == 0)
    *interpolation = INTERPOLATE_LINEAR;
  else if (strcmp(name, "STEP") == 0)
    *interpolation = INTERPOLATE_STEP;
  else if (strcmp(name, "CUBICSPLINE") == 0)
    *interpolation = INTERPOLATE_CUBIC;
  else
    return gltf_fail(builder->gltf, builder->place, "\"interpolation\" %.20s is unknown", name);
  return true;
}

static float *read_array(Builder *builder, const GltfAccessor *accessor) {
  Gltf *gltf = builder->gltf;
  size_t count = (size_t)accessor->count, components = (size_t)accessor->components;
  if (!gltf_spend(gltf, builder->place, count)) return NULL;
  float *values = arena_alloc_array(&gltf->model->arena, count, components * sizeof *values);
  if (values)
    gltf_read_floats(accessor, accessor->components, values);
  else
    error_set_out_of_memory(gltf->error);
  return values;
}

static bool check_times(Builder *builder, const GltfAccessor *accessor, const float *times) {
  for (int i = 0; i < accessor->count; i++) {
    if (!isfinite(times[i]) || (i > 0 && times[i] < times[i - 1]))
      return gltf_fail(builder->gltf, accessor->place, "time %d of an animation is not finite or does not ascend", i);
  }
  return true;
}

// The sampler of the engine goes from one quaternion to the next as they are.
static void take_shorter_ways(Sampler *sampler) {
  if (sampler->interpolation == INTERPOLATE_CUBIC) return;
  Quat before = QUAT_IDENTITY;
  for (int i = 0; i < sampler->key_count; i++) {
    Quat q;
    memcpy(&q, sampler->values + 4 * (size_t)i, sizeof q);
    q = quat_normalize(q);
    if (sampler->interpolation == INTERPOLATE_LINEAR && quat_dot(q, before) < 0) q = quat_negate(q);
    memcpy(sampler->values + 4 * (size_t)i, &q, sizeof q);
    before = q;
  }
}

static bool fits(Builder *builder, const GltfAccessor *times, const GltfAccessor *values, Sampler *sampler) {
  int64_t count = (int64_t)values->count * values->components;
  int64_t per_key = count / times->count, parts = sampler->interpolation == INTERPOLATE_CUBIC ? 3 : 1;
  sampler->key_count = times->count;
  sampler->components = (int)(per_key / parts);
  return (per_key >= parts && per_key * times->count == count && per_key % parts == 0) ||
         gltf_fail(builder->gltf, values->place, "count of %d values does not fit %d times", values->count,
                   times->count);
}

static bool read_sampler(Builder *builder, int index, const Path *path, Sampler *sampler) {
  static const GltfForm TIME_FORM = {1, 1, GLTF_BIT(GLTF_FLOAT), 0, false};
  Gltf *gltf = builder->gltf;
  const cJSON *object = builder->samplers.items[index];
  int input = -1, output = -1;
  GltfAccessor times, values;
  if (sampler->is_read) return true;
  if (!gltf_get_index(gltf, builder->place, object, "input", GLTF_ACCESSORS, &input) ||
      !gltf_get_index(gltf, builder->place, object, "output", GLTF_ACCESSORS, &output) ||
      !read_interpolation(builder, object, &sampler->interpolation))
    return false;
  if (input < 0 || output < 0) return gltf_fail(gltf, builder->place, "a sampler without \"input\" or \"output\"");
  if (!gltf_accessor(gltf, input, &times) || !gltf_expect(gltf, &times, &TIME_FORM, "times of an animation") ||
      !gltf_accessor(gltf, output, &values) || !gltf_expect(gltf, &values, &path->form, path->name) ||
      !fits(builder, &times, &values, sampler))
    return false;
  float *read_times = read_array(builder, &times);
  sampler->times = read_times;
  sampler->values = read_times && check_times(builder, &times, read_times) ? read_array(builder, &values) : NULL;
  sampler->is_read = sampler->values != NULL;
  // Values of another size are refused by who asked for them.
  if (sampler->is_read && path->property == TRACK_ROTATION && sampler->components == 4) take_shorter_ways(sampler);
  return sampler->is_read;
}

// ---- Channels

enum {
  FLOATS = GLTF_BIT(GLTF_FLOAT),
  FRACTIONS = FLOATS | GLTF_BIT(GLTF_BYTE) | GLTF_BIT(GLTF_UNSIGNED_BYTE) | GLTF_BIT(GLTF_SHORT) |
              GLTF_BIT(GLTF_UNSIGNED_SHORT),
};

static const Path *find_path(const char *name) {
  static const Path PATHS[] = {
      {"translation", TRACK_TRANSLATION, {3, 3, FLOATS, 0, false}},
      {"rotation", TRACK_ROTATION, {4, 4, FRACTIONS, 0, true}},
      {"scale", TRACK_SCALE, {3, 3, FLOATS, 0, false}},
      {"weights", TRACK_MORPH_WEIGHTS, {1, 1, FRACTIONS, 0, true}},
  };
  for (size_t i = 0; i < sizeof PATHS / sizeof *PATHS; i++) {
    if (strcmp(PATHS[i].name, name) == 0) return &PATHS[i];
  }
  return NULL;
}

static bool add_track(Builder *builder, int node, int sampler_index, const Path *path) {
  Gltf *gltf = builder->gltf;
  Sampler *sampler = &builder->read[2 * sampler_index + (path->property == TRACK_ROTATION)];
  int number = gltf->node_numbers[node], components = path->form.components;
  if (number < 0) return true;  // of another scene
  int mesh = gltf->model->nodes[number].mesh;
  if (path->property == TRACK_MORPH_WEIGHTS) components = mesh >= 0 ? gltf->model->meshes[mesh].morph_target_count : 0;
  if (components == 0) return true;
  if (!read_sampler(builder, sampler_index, path, sampler)) return false;
  if (sampler->components != components)
    return gltf_fail(gltf, builder->place, "%s of %d numbers where %d are expected", path->name, sampler->components,
                     components);
  if (!gltf_spend(gltf, builder->place, (uint64_t)sampler->key_count)) return false;
  ModelTrack track = {.target = number,
                      .keys = {.property = path->property,
                               .interpolation = sampler->interpolation,
                               .component_count = components,
                               .key_count = sampler->key_count,
                               .times = sampler->times,
                               .values = sampler->values}};
  return array_push(gltf->request->memory, &builder->tracks, track) || error_set_out_of_memory(gltf->error);
}

static bool add_channel(Builder *builder, const cJSON *channel) {
  Gltf *gltf = builder->gltf;
  const cJSON *target = NULL;
  const char *path = "";
  int64_t sampler = -1;
  int node = -1;
  if (!cJSON_IsObject(channel)) return gltf_fail(gltf, builder->place, "a channel is not an object");
  if (!gltf_get_integer(gltf, builder->place, channel, "sampler", 0, (int64_t)builder->samplers.count - 1, &sampler) ||
      !gltf_get_object(gltf, builder->place, channel, "target", &target) ||
      !gltf_get_text(gltf, builder->place, target, "path", &path) ||
      !gltf_get_index(gltf, builder->place, target, "node", GLTF_NODES, &node))
    return false;
  if (sampler < 0) return gltf_fail(gltf, builder->place, "a channel without a sampler");
  const Path *known = find_path(path);
  if (node < 0 || !known) {
    model_warn(gltf->model, "animations[%d]: a channel of %.40s is not supported", builder->place.index, path);
    return true;
  }
  return add_track(builder, node, (int)sampler, known);
}

// ---- Clips

static ClipKind kind_of(const Builder *builder, int first) {
  bool is_morph = true;
  for (int i = first; i < builder->tracks.count; i++) {
    const ModelTrack *track = &builder->tracks.items[i];
    if (track->keys.property == TRACK_MORPH_WEIGHTS) continue;
    is_morph = false;
    if (builder->gltf->is_joint[track->target]) return CLIP_SKELETAL;
  }
  return is_morph ? CLIP_MORPH : CLIP_NODE;
}

// Clips are played by name, so a name that is there already gets a number: "walk 2". Those without one are
// "clip1", "clip2" and so on.
static const char *clip_name(Builder *builder, const cJSON *object) {
  Arena *arena = &builder->gltf->model->arena;
  GltfPlace place = {builder->place.table, builder->place.index + 1};
  const char *name = gltf_name(builder->gltf, place, object, "clip"), *base = name;
  while (name) {
    int known = builder->names.texts.count, id = name_table_add(&builder->names, (TextSlice){name, strlen(name)});
    if (id == known) return name;
    char numbered[256];
    int length = snprintf(numbered, sizeof numbered, "%.200s %d", base, ++builder->last_number);
    name = id >= 0 ? arena_copy_string(arena, numbered, (size_t)length) : NULL;
    if (!name) error_set_out_of_memory(builder->gltf->error);
  }
  return NULL;
}

// The frames a second that all keys lie on, of those that animators use; 30 where they lie on none.
static float rate_of(const Builder *builder, int first) {
  static const float RATES[] = {30, 24, 25, 60, 50, 120};
  for (size_t i = 0; i < sizeof RATES / sizeof *RATES; i++) {
    bool is_even = true;
    for (int k = first; k < builder->tracks.count && is_even; k++) {
      const Track *keys = &builder->tracks.items[k].keys;
      for (int j = 0; j < keys->key_count && is_even; j++) {
        float frame = keys->times[j] * RATES[i];
        is_even = fabsf(frame - roundf(frame)) < 0.02f;
      }
    }
    if (is_even) return RATES[i];
  }
  return 30;
}

static bool add_clip(Builder *builder, const cJSON *object, int first) {
  Model *model = builder->gltf->model;
  if (builder->tracks.count == first) return true;
  ModelClip clip = {.name = clip_name(builder, object),
                    .kind = kind_of(builder, first),
                    .first_track = first,
                    .track_count = builder->tracks.count - first,
                    .start = INFINITY,
                    .fps = rate_of(builder, first)};
  if (!clip.name) return false;
  for (int i = first; i < builder->tracks.count; i++) {
    const Track *keys = &builder->tracks.items[i].keys;
    clip.start = fminf(clip.start, keys->times[0]);
    clip.end = fmaxf(clip.end, keys->times[keys->key_count - 1]);
  }
  model->clips[model->clip_count++] = clip;
  return true;
}

static bool list_samplers(Builder *builder, const cJSON *object) {
  Gltf *gltf = builder->gltf;
  Memory *memory = gltf->request->memory;
  const cJSON *array = NULL, *item;
  memory_free(memory, builder->samplers.items);
  memory_free(memory, builder->read);
  builder->samplers = (GltfArray){0};
  builder->read = NULL;
  if (!gltf_get_array(gltf, builder->place, object, "samplers", &array)) return false;
  size_t count = array ? (size_t)cJSON_GetArraySize(array) : 0;
  builder->samplers.items = memory_alloc_array(memory, count, sizeof *builder->samplers.items);
  builder->read = memory_alloc_array(memory, count, 2 * sizeof *builder->read);
  if (!builder->samplers.items || !builder->read) return error_set_out_of_memory(gltf->error);
  cJSON_ArrayForEach(item, array) {
    if (!cJSON_IsObject(item)) return gltf_fail(gltf, builder->place, "a sampler is not an object");
    builder->samplers.items[builder->samplers.count++] = item;
  }
  return true;
}

static bool add_animation(Builder *builder, const cJSON *object) {
  const cJSON *channels = NULL, *item;
  int first = builder->tracks.count;
  if (!list_samplers(builder, object) || !gltf_get_array(builder->gltf, builder->place, object, "channels", &channels))
    return false;
  cJSON_ArrayForEach(item, channels) {
    if (!add_channel(builder, item)) return false;
  }
  return add_clip(builder, object, first);
}

bool gltf_add_animations(Gltf *gltf) {
  Model *model = gltf->model;
  Memory *memory = gltf->request->memory;
  int count = gltf->tables[GLTF_ANIMATIONS].count;
  Builder builder = {.gltf = gltf, .names.ids.memory = memory, .last_number = 1};
  model->clips = arena_alloc_array(&model->arena, (size_t)count, sizeof *model->clips);
  bool is_good = model->clips || error_set_out_of_memory(gltf->error);
  for (int i = 0; i < count && is_good; i++) {
    builder.place = gltf_place(GLTF_ANIMATIONS, i);
    is_good = add_animation(&builder, gltf->tables[GLTF_ANIMATIONS].items[i]);
  }
  size_t size = (size_t)builder.tracks.count * sizeof *model->tracks;
  if (is_good) model->tracks = arena_alloc(&model->arena, size);
  if (is_good && !model->tracks) is_good = error_set_out_of_memory(gltf->error);
  if (is_good && size > 0) memcpy(model->tracks, builder.tracks.items, size);
  model->track_count = is_good ? builder.tracks.count : 0;
  memory_free(memory, builder.samplers.items);
  memory_free(memory, builder.read);
  array_free(memory, &builder.tracks);
  name_table_free(&builder.names);
  return is_good;
}
