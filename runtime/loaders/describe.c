#include "loaders/describe.h"

#include <string.h>

#include "loaders/model_pose.h"

static void write_color(JsonWriter *json, const char *key, Color color, int components) {
  float values[4] = {color.r, color.g, color.b, color.a};
  json_numbers_field(json, key, values, components);
}

static void write_vec3(JsonWriter *json, Vec3 v) {
  json_begin_array(json);
  json_number(json, v.x);
  json_number(json, v.y);
  json_number(json, v.z);
  json_end_array(json);
}

// ---- Meshes

static int joint_count_of_mesh(const Model *model, int mesh) {
  for (int i = 0; i < model->node_count && model->node_skin_count > 0; i++) {
    const ModelNode *node = &model->nodes[i];
    if (node->mesh == mesh && node->skin >= 0) return model->node_skins[node->skin].joint_count;
  }
  return 0;
}

// The clip that a time is of, or NULL: the named one, else the first.
static const ModelClip *shown_clip(const Model *model, const DescribeOptions *options) {
  int clip = options->clip ? model_find_clip(model, options->clip) : model->clip_count > 0 ? 0 : -1;
  return clip >= 0 ? &model->clips[clip] : NULL;
}

// The box of a mesh, or of one frame of it, or at a time of a clip of frames.
static Bounds shown_bounds(const Model *model, const ModelMesh *mesh, const DescribeOptions *options) {
  const ModelClip *clip = options->has_time ? shown_clip(model, options) : NULL;
  Bounds bounds = mesh->bounds;
  if (options->has_frame && mesh->frames.frame_count > 0)
    bounds = vertex_frames_bounds(&mesh->frames, (FramePose){options->frame, options->frame, 0});
  else if (clip && clip->kind == CLIP_VERTEX && mesh->frames.frame_count > 0)
    bounds = vertex_frames_bounds(&mesh->frames, model_clip_pose(clip, options->time, false));
  return bounds_is_empty(bounds) ? (Bounds){{0, 0, 0}, {0, 0, 0}} : bounds;
}

static void write_bounds(JsonWriter *json, Bounds bounds) {
  json_key(json, "bounds");
  json_begin_array(json);
  write_vec3(json, bounds.min);
  write_vec3(json, bounds.max);
  json_end_array(json);
}

static void write_submeshes(JsonWriter *json, const Model *model, const ModelMesh *mesh) {
  json_key(json, "submeshes");
  json_begin_array(json);
  for (int i = 0; i < mesh->submesh_count; i++) {
    const ModelSubmesh *submesh = &model->submeshes[mesh->first_submesh + i];
    json_begin_object(json);
    json_integer_field(json, "material", submesh->material);
    json_integer_field(json, "triangles", submesh->index_count / 3);
    json_end_object(json);
  }
  json_end_array(json);
}

static void write_meshes(JsonWriter *json, const Model *model, const DescribeOptions *options) {
  json_key(json, "meshes");
  json_begin_array(json);
  for (int i = 0; i < model->mesh_count; i++) {
    const ModelMesh *mesh = &model->meshes[i];
    json_begin_object(json);
    json_string_field(json, "name", mesh->name ? mesh->name : "");
    json_integer_field(json, "vertices", mesh->vertex_count);
    json_integer_field(json, "triangles", mesh->index_count / 3);
    write_bounds(json, shown_bounds(model, mesh, options));
    json_bool_field(json, "uv", mesh->uvs != NULL);
    json_bool_field(json, "normals", mesh->normals != NULL || mesh->frames.frame_count > 0);
    write_submeshes(json, model, mesh);
    json_integer_field(json, "joints", joint_count_of_mesh(model, i));
    json_integer_field(json, "morphTargets", mesh->morph_target_count);
    json_end_object(json);
  }
  json_end_array(json);
}

// ---- Materials and images

static const char *texture_name(const Model *model, const ModelMaterial *material) {
  int image = material->stages[0].image;
  if (image < 0) return NULL;
  const char *name = model->images[image].name;
  return name ? name : "embedded";
}

static void write_materials(JsonWriter *json, const Model *model) {
  json_key(json, "materials");
  json_begin_array(json);
  for (int i = 0; i < model->material_count; i++) {
    const ModelMaterial *material = &model->materials[i];
    json_begin_object(json);
    json_string_field(json, "name", material->name ? material->name : "");
    write_color(json, "diffuse", material->diffuse, 4);
    write_color(json, "ambient", material->ambient, 3);
    write_color(json, "specular", material->specular, 3);
    write_color(json, "emissive", material->emissive, 3);
    json_number_field(json, "shininess", material->shininess);
    json_string_field(json, "texture", texture_name(model, material));
    json_end_object(json);
  }
  json_end_array(json);
}

static void write_images(JsonWriter *json, const Model *model, const ImageSize *sizes) {
  json_key(json, "images");
  json_begin_array(json);
  for (int i = 0; i < model->image_count; i++) {
    json_begin_object(json);
    json_string_field(json, "name", model->images[i].name ? model->images[i].name : "embedded");
    if (sizes && sizes[i].width > 0) {
      json_integer_field(json, "width", sizes[i].width);
      json_integer_field(json, "height", sizes[i].height);
    }
    json_end_object(json);
  }
  json_end_array(json);
}

// ---- Clips

static void write_clips(JsonWriter *json, const Model *model) {
  static const char *const KINDS[] = {"vertex", "node", "skeletal", "morph"};
  json_key(json, "clips");
  json_begin_array(json);
  for (int i = 0; i < model->clip_count; i++) {
    const ModelClip *clip = &model->clips[i];
    json_begin_object(json);
    json_string_field(json, "name", clip->name);
    json_string_field(json, "kind", KINDS[clip->kind]);
    json_number_field(json, "start", clip->start);
    json_number_field(json, "end", clip->end);
    json_integer_field(json, "frames", model_clip_frames(clip));
    json_end_object(json);
  }
  json_end_array(json);
}

static void write_frame_names(JsonWriter *json, const Model *model) {
  for (int i = 0; i < model->mesh_count; i++) {
    const VertexFrames *frames = &model->meshes[i].frames;
    if (frames->frame_count == 0) continue;
    json_key(json, "frameNames");
    json_begin_array(json);
    for (int frame = 0; frame < frames->frame_count; frame++) {
      char name[17];
      vertex_frames_name(frames, frame, name);
      json_string(json, name);
    }
    json_end_array(json);
    return;
  }
}

// ---- Nodes

static void write_affine(JsonWriter *json, Affine a) {
  const float rows[16] = {a.x.x, a.y.x, a.z.x, a.origin.x, a.x.y, a.y.y, a.z.y, a.origin.y,
                          a.x.z, a.y.z, a.z.z, a.origin.z, 0,     0,     0,     1};
  json_numbers_field(json, "world", rows, 16);
}

static void write_placed_nodes(JsonWriter *json, const ModelNode *nodes, const Affine *worlds, int count) {
  json_key(json, "nodes");
  json_begin_array(json);
  for (int i = 0; i < count; i++) {
    json_begin_object(json);
    json_string_field(json, "name", nodes[i].name ? nodes[i].name : "");
    json_integer_field(json, "parent", nodes[i].parent);
    json_integer_field(json, "mesh", nodes[i].mesh);
    write_affine(json, worlds[i]);
    json_end_object(json);
  }
  json_end_array(json);
}

// At rest, or at the time asked for.
static bool write_nodes(JsonWriter *json, const Model *model, const DescribeOptions *options) {
  Memory *memory = json->out->memory;
  size_t count = (size_t)model->node_count;
  ModelNode *nodes = memory_alloc_array(memory, count, sizeof *nodes);
  Affine *worlds = memory_alloc_array(memory, count, sizeof *worlds);
  bool is_good = nodes && worlds;
  if (is_good && count > 0) memcpy(nodes, model->nodes, count * sizeof *nodes);
  if (is_good) {
    const ModelClip *clip = options->has_time ? shown_clip(model, options) : NULL;
    if (clip && clip->kind != CLIP_VERTEX) model_pose_nodes(model, clip, options->time, nodes);
    model_node_worlds(nodes, model->node_count, worlds);
    write_placed_nodes(json, nodes, worlds, model->node_count);
  }
  memory_free(memory, nodes);
  memory_free(memory, worlds);
  return is_good;
}

typedef enum NodeContent { CONTENT_LIGHT, CONTENT_CAMERA } NodeContent;

static int find_node_with(const Model *model, NodeContent content, int index) {
  for (int i = 0; i < model->node_count; i++) {
    const ModelNode *node = &model->nodes[i];
    if ((content == CONTENT_LIGHT ? node->light : node->camera) == index) return i;
  }
  return -1;
}

static void write_lights(JsonWriter *json, const Model *model) {
  static const char *const KINDS[] = {"ambient", "directional", "point", "spot"};
  json_key(json, "lights");
  json_begin_array(json);
  for (int i = 0; i < model->light_count; i++) {
    json_begin_object(json);
    json_string_field(json, "kind", KINDS[model->lights[i].kind]);
    write_color(json, "color", model->lights[i].color, 3);
    json_integer_field(json, "node", find_node_with(model, CONTENT_LIGHT, i));
    json_end_object(json);
  }
  json_end_array(json);
}

static void write_cameras(JsonWriter *json, const Model *model) {
  static const char *const KINDS[] = {"perspective", "parallel", "generic"};
  json_key(json, "cameras");
  json_begin_array(json);
  for (int i = 0; i < model->camera_count; i++) {
    const ModelCamera *camera = &model->cameras[i];
    json_begin_object(json);
    json_string_field(json, "kind", KINDS[camera->kind]);
    json_number_field(json, "fov", (float)(camera->fov / RADIANS_PER_DEGREE));
    json_number_field(json, "near", camera->near_plane);
    json_number_field(json, "far", camera->far_plane);
    json_integer_field(json, "node", find_node_with(model, CONTENT_CAMERA, i));
    json_end_object(json);
  }
  json_end_array(json);
}

// ---- The whole

static void write_strings(JsonWriter *json, const char *key, const char *const *texts, int count) {
  json_key(json, key);
  json_begin_array(json);
  for (int i = 0; i < count; i++)
    json_string(json, texts[i]);
  json_end_array(json);
}

static void write_source(JsonWriter *json, const Model *model) {
  json_key(json, "source");
  json_begin_object(json);
  json_integer_field(json, "vertices", model->source_vertices);
  json_integer_field(json, "uvs", model->source_uvs);
  json_integer_field(json, "skinWidth", model->source_skin_width);
  json_integer_field(json, "skinHeight", model->source_skin_height);
  json_integer_field(json, "glcmdsTriangles", model->source_glcmds_triangles);
  json_end_object(json);
}

static void write_bytes(JsonWriter *json, const Model *model, const DescribeOptions *options) {
  json_key(json, "bytes");
  json_begin_object(json);
  json_integer_field(json, "file", (int64_t)options->file_bytes);
  json_integer_field(json, "resident", (int64_t)model_resident_bytes(model));
  json_integer_field(json, "gpu", (int64_t)options->gpu_bytes);
  json_integer_field(json, "texture", (int64_t)options->texture_bytes);
  json_end_object(json);
}

static bool check_options(const Model *model, const DescribeOptions *options, Error *error) {
  if (options->clip && model_find_clip(model, options->clip) < 0)
    return error_set(error, "there is no clip \"%s\"", options->clip);
  int frame_count = 0;
  for (int i = 0; i < model->mesh_count; i++) {
    int count = model->meshes[i].frames.frame_count;
    if (count > frame_count) frame_count = count;
  }
  if (!options->has_frame || (options->frame >= 0 && options->frame < frame_count)) return true;
  return error_set(error, "frame %d does not exist, the model has %d frames", options->frame, frame_count);
}

bool model_describe_json(const Model *model, const DescribeOptions *options, TextBuffer *out, Error *error) {
  JsonWriter writer = {.out = out}, *json = &writer;
  if (!check_options(model, options, error)) return false;
  json_begin_object(json);
  json_string_field(json, "format", model->format);
  write_strings(json, "warnings", model->warnings, model->warning_count);
  write_meshes(json, model, options);
  write_materials(json, model);
  write_images(json, model, options->image_sizes);
  write_strings(json, "skins", model->skins, model->skin_count);
  write_clips(json, model);
  if (!write_nodes(json, model, options)) return error_set_out_of_memory(error);
  write_lights(json, model);
  write_cameras(json, model);
  write_frame_names(json, model);
  write_source(json, model);
  write_bytes(json, model, options);
  json_end_object(json);
  return text_buffer_string(out) || error_set_out_of_memory(error);
}

// ---- For people

static void print_name(TextBuffer *out, const char *kind, const char *name) {
  text_buffer_append_string(out, kind);
  text_buffer_append_string(out, " \"");
  text_buffer_append_string(out, name ? name : "");
  text_buffer_append_string(out, "\"");
}

static void print_meshes(TextBuffer *out, const Model *model, const DescribeOptions *options) {
  Vec3 zero = {0, 0, 0};  // added to -0 it is 0
  for (int i = 0; i < model->mesh_count; i++) {
    const ModelMesh *mesh = &model->meshes[i];
    Bounds box = shown_bounds(model, mesh, options);
    box = (Bounds){vec3_add(box.min, zero), vec3_add(box.max, zero)};
    print_name(out, "mesh", mesh->name);
    text_buffer_append_format(out, ": %d vertices, %d triangles%s, x %g to %g, y %g to %g, z %g to %g\n",
                              mesh->vertex_count, mesh->index_count / 3, mesh->uvs ? "" : ", no texture coordinates",
                              (double)box.min.x, (double)box.max.x, (double)box.min.y, (double)box.max.y,
                              (double)box.min.z, (double)box.max.z);
  }
}

static void print_materials(TextBuffer *out, const Model *model) {
  for (int i = 0; i < model->material_count; i++) {
    const ModelMaterial *material = &model->materials[i];
    const char *texture = texture_name(model, material);
    Color c = material->diffuse;
    print_name(out, "material", material->name);
    text_buffer_append_format(out, ": diffuse %g %g %g, opacity %g", (double)c.r, (double)c.g, (double)c.b,
                              (double)c.a);
    if (texture) print_name(out, ", texture", texture);
    text_buffer_append_string(out, "\n");
  }
}

static void print_clips(TextBuffer *out, const Model *model) {
  for (int i = 0; i < model->clip_count; i++) {
    const ModelClip *clip = &model->clips[i];
    print_name(out, "clip", clip->name);
    if (clip->kind == CLIP_VERTEX)
      text_buffer_append_format(out, ": frames %d to %d\n", clip->first_frame,
                                clip->first_frame + clip->frame_count - 1);
    else
      text_buffer_append_format(out, ": %g s\n", (double)(clip->end - clip->start));
  }
}

bool model_describe_text(const Model *model, const DescribeOptions *options, TextBuffer *out, Error *error) {
  if (!check_options(model, options, error)) return false;
  text_buffer_append_format(out, "%s model, %zu bytes, %zu in memory, %d nodes, %d lights, %d cameras\n", model->format,
                            options->file_bytes, model_resident_bytes(model), model->node_count, model->light_count,
                            model->camera_count);
  print_meshes(out, model, options);
  print_materials(out, model);
  for (int i = 0; i < model->skin_count; i++) {
    print_name(out, "skin", model->skins[i]);
    text_buffer_append_string(out, "\n");
  }
  print_clips(out, model);
  for (int i = 0; i < model->warning_count; i++) {
    text_buffer_append_string(out, "warning: ");
    text_buffer_append_string(out, model->warnings[i]);
    text_buffer_append_string(out, "\n");
  }
  return text_buffer_string(out) || error_set_out_of_memory(error);
}
