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
  bool is_rotation;  ///< its values are unit quaternions that take the shorter ways
} Sampler;

typedef struct Builder {
  Gltf *gltf;
  GltfPlace place;
  GltfArray samplers;
  Sampler *read;
  ARRAY(ModelTrack) tracks;
  NameTable names;  ///< of the clips
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

static bool read_sampler(Builder *builder, int index, Sampler *sampler) {
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
  if (!gltf_accessor(gltf, input, &times) || !gltf_accessor(gltf, output, &values)) return false;
  if (times.components != 1 || times.type != GLTF_FLOAT)
    return gltf_fail(gltf, times.place, "times of an animation are not single floats");
  int64_t count = (int64_t)values.count * values.components;
  int64_t per_key = count / times.count;
  bool is_cubic = sampler->interpolation == INTERPOLATE_CUBIC;
  if (per_key * times.count != count || per_key < 1 || (is_cubic && per_key % 3 != 0))
    return gltf_fail(gltf, values.place, "count of %d values does not fit %d times", values.count, times.count);
  sampler->key_count = times.count;
  sampler->components = (int)(is_cubic ? per_key / 3 : per_key);
  float *read_times = read_array(builder, &times);
  sampler->times = read_times;
  sampler->values = read_times && check_times(builder, &times, read_times) ? read_array(builder, &values) : NULL;
  sampler->is_read = sampler->values != NULL;
  return sampler->is_read;
}

// The sampler of the engine goes from one quaternion to the next as they are.
static void take_shorter_ways(Sampler *sampler) {
  if (sampler->is_rotation) return;
  sampler->is_rotation = true;
  if (sampler->interpolation == INTERPOLATE_CUBIC) return;
  Quat before = QUAT_IDENTITY;
  for (int i = 0; i < sampler->key_count; i++) {
    Quat q;
    memcpy(&q, sampler->values + 4 * (size_t)i, sizeof q);
    q = quat_normalize(q);
    bool is_long = q.x * before.x + q.y * before.y + q.z * before.z + q.w * before.w < 0;
    if (is_long && sampler->interpolation == INTERPOLATE_LINEAR) q = (Quat){-q.x, -q.y, -q.z, -q.w};
    memcpy(sampler->values + 4 * (size_t)i, &q, sizeof q);
    before = q;
  }
}

// ---- Channels

static bool property_of(const char *path, TrackProperty *property, int *components) {
  static const struct {
    const char *path;
    TrackProperty property;
    int components;
  } PATHS[] = {{"translation", TRACK_TRANSLATION, 3},
               {"rotation", TRACK_ROTATION, 4},
               {"scale", TRACK_SCALE, 3},
               {"weights", TRACK_MORPH_WEIGHTS, 0}};
  for (size_t i = 0; i < sizeof PATHS / sizeof *PATHS; i++) {
    *property = PATHS[i].property;
    *components = PATHS[i].components;
    if (strcmp(PATHS[i].path, path) == 0) return true;
  }
  return false;
}

static bool add_track(Builder *builder, int node, int sampler_index, TrackProperty property, int components) {
  Gltf *gltf = builder->gltf;
  Sampler *sampler = &builder->read[sampler_index];
  int number = gltf->node_numbers[node];
  if (number < 0) return true;  // of another scene
  int mesh = gltf->model->nodes[number].mesh;
  if (property == TRACK_MORPH_WEIGHTS) components = mesh >= 0 ? gltf->model->meshes[mesh].morph_target_count : 0;
  if (components == 0) return true;
  if (!read_sampler(builder, sampler_index, sampler)) return false;
  if (sampler->components != components)
    return gltf_fail(gltf, builder->place, "values of %d numbers where %d are expected", sampler->components,
                     components);
  if (property == TRACK_ROTATION) take_shorter_ways(sampler);
  ModelTrack track = {.target = number,
                      .keys = {.property = property,
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
  int node = -1, components;
  TrackProperty property;
  if (!cJSON_IsObject(channel)) return gltf_fail(gltf, builder->place, "a channel is not an object");
  if (!gltf_get_integer(gltf, builder->place, channel, "sampler", 0, (int64_t)builder->samplers.count - 1, &sampler) ||
      !gltf_get_object(gltf, builder->place, channel, "target", &target) ||
      !gltf_get_text(gltf, builder->place, target, "path", &path) ||
      !gltf_get_index(gltf, builder->place, target, "node", GLTF_NODES, &node))
    return false;
  if (sampler < 0) return gltf_fail(gltf, builder->place, "a channel without a sampler");
  if (node < 0 || !property_of(path, &property, &components)) {
    model_warn(gltf->model, "animations[%d]: a channel of %.40s is not supported", builder->place.index, path);
    return true;
  }
  return add_track(builder, node, (int)sampler, property, components);
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

// Clips are played by name, so a name that is there already gets a number.
static const char *clip_name(Builder *builder, const cJSON *object) {
  const char *name = gltf_name(builder->gltf, builder->place, object, "clip");
  if (!name) return NULL;
  int known = builder->names.texts.count, id = name_table_add(&builder->names, (TextSlice){name, strlen(name)});
  if (id == known) return name;
  char numbered[256];
  int length = snprintf(numbered, sizeof numbered, "%.200s %d", name, builder->place.index);
  name = id >= 0 ? arena_copy_string(&builder->gltf->model->arena, numbered, (size_t)length) : NULL;
  if (!name) error_set_out_of_memory(builder->gltf->error);
  return name;
}

static bool add_clip(Builder *builder, const cJSON *object, int first) {
  Model *model = builder->gltf->model;
  if (builder->tracks.count == first) return true;
  ModelClip clip = {.name = clip_name(builder, object),
                    .kind = kind_of(builder, first),
                    .first_track = first,
                    .track_count = builder->tracks.count - first,
                    .start = INFINITY,
                    .fps = 30};
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
  builder->read = memory_alloc_array(memory, count, sizeof *builder->read);
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
  Builder builder = {.gltf = gltf, .names.ids.memory = memory};
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
