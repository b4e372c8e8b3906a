#include "bindings/loader_table.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "bindings/binding.h"

// Where in the table: "clips[1].tracks[2]".
typedef struct Place {
  const char *list;
  int index;                  // from 1
  const struct Place *owner;  // the item that has the list, or NULL for the table itself
} Place;

// Metamethods and finalisers run while the table is read, so what was counted may be more when it is read.
static const char CHANGED[] = "the list grew while it was read";

static const char *push_place(lua_State *L, Place place) {
  if (!place.owner) return lua_pushfstring(L, "%s[%d]", place.list, place.index);
  return lua_pushfstring(L, "%s.%s[%d]", push_place(L, *place.owner), place.list, place.index);
}

static int fail(lua_State *L, Place place, const char *field, const char *what) {
  return luaL_error(L, "%s.%s: %s", push_place(L, place), field, what);
}

static void *allocate(lua_State *L, Model *model, size_t count, size_t size) {
  void *items = arena_alloc_array(&model->arena, count, size);
  if (!items) luaL_error(L, "not enough memory");
  return items;
}

// ---- Values of the table at the top

static const char *read_string(lua_State *L, Model *model, Place place, const char *field, const char *fallback) {
  int type = lua_getfield(L, -1, field);
  if (type != LUA_TNIL && type != LUA_TSTRING) fail(L, place, field, "a string expected");
  const char *text = type == LUA_TSTRING ? lua_tostring(L, -1) : fallback;
  const char *copy = text ? arena_copy_string(&model->arena, text, strlen(text)) : NULL;
  if (text && !copy) luaL_error(L, "not enough memory");
  lua_pop(L, 1);
  return copy;
}

// The name, or the kind and the number.
static const char *read_name(lua_State *L, Model *model, Place place, const char *kind) {
  char made[32];
  snprintf(made, sizeof made, "%s%d", kind, place.index);
  return read_string(L, model, place, "name", made);
}

static float read_number(lua_State *L, Place place, const char *field, float fallback) {
  int type = lua_getfield(L, -1, field);
  if (type != LUA_TNIL && type != LUA_TNUMBER) fail(L, place, field, "a number expected");
  float value = type == LUA_TNUMBER ? (float)lua_tonumber(L, -1) : fallback;
  if (!isfinite(value)) fail(L, place, field, "a finite number expected");
  lua_pop(L, 1);
  return value;
}

// An integer between the limits, or the fallback.
static int read_integer(lua_State *L, Place place, const char *field, int least, int most, int fallback) {
  int type = lua_getfield(L, -1, field), is_integer = 1;
  lua_Integer value = type == LUA_TNIL ? fallback : lua_tointegerx(L, -1, &is_integer);
  bool is_inside = is_integer && value >= least && value <= most;
  if (type != LUA_TNIL && most < least) fail(L, place, field, "there is nothing that it could name");
  if (type != LUA_TNIL && !is_inside)
    fail(L, place, field, lua_pushfstring(L, "a whole number from %d to %d expected", least, most));
  lua_pop(L, 1);
  return (int)value;
}

// Numbers in a row, `components` for each of some things; NULL where there are none. Raises unless they are finite.
static float *read_floats(lua_State *L, Model *model, Place place, const char *field, int components, int *count) {
  int type = lua_getfield(L, -1, field);
  *count = 0;
  if (type == LUA_TNIL) {
    lua_pop(L, 1);
    return NULL;
  }
  if (type != LUA_TTABLE) fail(L, place, field, "a list of numbers expected");
  lua_Unsigned length = lua_rawlen(L, -1);
  if (length % (lua_Unsigned)components != 0 || length > (lua_Unsigned)MODEL_MAX_VERTICES * 4)
    fail(L, place, field, lua_pushfstring(L, "%d numbers for each, got %I", components, (lua_Integer)length));
  float *values = allocate(L, model, (size_t)length, sizeof *values);
  for (lua_Unsigned i = 0; i < length; i++) {
    if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TNUMBER || !isfinite((float)lua_tonumber(L, -1)))
      fail(L, place, field, lua_pushfstring(L, "number %I: a finite number expected", (lua_Integer)i + 1));
    values[i] = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  *count = (int)(length / (lua_Unsigned)components);
  return values;
}

static float *read_attribute(lua_State *L, Model *model, Place place, const char *field, int components, int vertices) {
  int count;
  float *values = read_floats(L, model, place, field, components, &count);
  if (values && count != vertices)
    fail(L, place, field, lua_pushfstring(L, "there are %d positions, and values for %d", vertices, count));
  return values;
}

// From `least` to `most` numbers; where there are none, `values` stay as they are.
static void read_few(lua_State *L, Model *model, Place place, const char *field, int least, int most, float *values) {
  int found;
  const float *read = read_floats(L, model, place, field, 1, &found);
  if (read && (found < least || found > most))
    fail(L, place, field, lua_pushfstring(L, "%d numbers expected, got %d", most, found));
  if (read) memcpy(values, read, (size_t)found * sizeof *values);
}

// The list of a field of the table at the top, which it leaves there; its length.
static int open_list(lua_State *L, const char *list, int most) {
  int type = lua_getfield(L, -1, list);
  if (type != LUA_TNIL && type != LUA_TTABLE) luaL_error(L, "%s: a list expected, got %s", list, luaL_typename(L, -1));
  lua_Unsigned length = type == LUA_TTABLE ? lua_rawlen(L, -1) : 0;
  if (length > (lua_Unsigned)most) luaL_error(L, "%s: %d at most", list, most);
  return (int)length;
}

static void open_item(lua_State *L, Place place) {
  if (lua_rawgeti(L, -1, place.index) != LUA_TTABLE)
    luaL_error(L, "%s: a table expected, got %s", push_place(L, place), luaL_typename(L, -2));
}

static void check_fields(lua_State *L, Place place, const char *const *known) {
  int item = lua_gettop(L);
  binding_check_keys(L, item, push_place(L, place), known);
  lua_settop(L, item);
}

// ---- Materials

static void read_texture(lua_State *L, Model *model, Place place, ModelMaterial *material) {
  const char *texture = read_string(L, model, place, "texture", NULL);
  if (!texture) return;
  material->stages[0].image = model->image_count;
  model->images[model->image_count++] = (ModelImage){.name = texture};
}

static void read_materials(lua_State *L, Model *model) {
  static const char *const FIELDS[] = {"name",     "diffuse",   "ambient", "specular",
                                       "emissive", "shininess", "texture", NULL};
  int count = open_list(L, "materials", MODEL_MAX_NODES);
  model->materials = allocate(L, model, (size_t)count, sizeof *model->materials);
  model->images = allocate(L, model, (size_t)count, sizeof *model->images);
  for (int i = 0; i < count; i++) {
    Place place = {"materials", i + 1, NULL};
    ModelMaterial *material = &model->materials[i];
    *material = model_default_material();
    open_item(L, place);
    check_fields(L, place, FIELDS);
    material->name = read_name(L, model, place, "material");
    read_few(L, model, place, "diffuse", 3, 4, &material->diffuse.r);
    material->ambient = (Color){material->diffuse.r, material->diffuse.g, material->diffuse.b, 1};
    read_few(L, model, place, "ambient", 3, 4, &material->ambient.r);
    read_few(L, model, place, "specular", 3, 4, &material->specular.r);
    read_few(L, model, place, "emissive", 3, 4, &material->emissive.r);
    material->shininess = read_number(L, place, "shininess", 0);
    if (material->diffuse.a < 1) material->blend = BLEND_ALPHA;
    read_texture(L, model, place, material);
    lua_pop(L, 1);
    model->material_count++;
  }
  lua_pop(L, 1);
}

// ---- Meshes

// Numbers of vertices from 1 on, or one after the other.
static void read_indices(lua_State *L, Model *model, Place place, ModelMesh *mesh) {
  int type = lua_getfield(L, -1, "indices");
  if (type != LUA_TNIL && type != LUA_TTABLE) fail(L, place, "indices", "a list of numbers expected");
  lua_Unsigned count = type == LUA_TNIL ? (lua_Unsigned)mesh->vertex_count : lua_rawlen(L, -1);
  if (count % 3 != 0 || count / 3 > MODEL_MAX_TRIANGLES)
    fail(L, place, type == LUA_TNIL ? "positions" : "indices",
         lua_pushfstring(L, "3 %sfor each triangle expected, got %I", type == LUA_TNIL ? "vertices " : "",
                         (lua_Integer)count));
  uint32_t *indices = allocate(L, model, (size_t)count, sizeof *indices);
  for (lua_Unsigned i = 0; i < count; i++) {
    lua_Integer index = (lua_Integer)i + 1;
    int is_integer = 1;
    if (type == LUA_TTABLE) {
      lua_rawgeti(L, -1, (lua_Integer)i + 1);
      index = lua_tointegerx(L, -1, &is_integer);
      lua_pop(L, 1);
    }
    if (!is_integer || index < 1 || index > mesh->vertex_count)
      fail(L, place, "indices",
           lua_pushfstring(L, "number %I: a vertex from 1 to %d expected", (lua_Integer)i + 1, mesh->vertex_count));
    indices[i] = (uint32_t)index - 1;
  }
  lua_pop(L, 1);
  mesh->indices = indices;
  mesh->index_count = (int)count;
}

static void read_colors(lua_State *L, Model *model, Place place, ModelMesh *mesh) {
  const float *values = read_attribute(L, model, place, "colors", 4, mesh->vertex_count);
  if (!values) return;
  uint8_t *colors = allocate(L, model, (size_t)mesh->vertex_count, 4);
  for (size_t i = 0; i < 4 * (size_t)mesh->vertex_count; i++)
    colors[i] = (uint8_t)(clampf(values[i], 0, 1) * 255 + 0.5f);
  mesh->colors = colors;
}

static int read_material(lua_State *L, const Model *model, Place place) {
  return read_integer(L, place, "material", 1, model->material_count, 0) - 1;
}

// A run of indices, those of whole triangles.
static ModelSubmesh read_submesh(lua_State *L, const Model *model, Place place, const ModelMesh *mesh) {
  static const char *const FIELDS[] = {"first", "count", "material", NULL};
  open_item(L, place);
  check_fields(L, place, FIELDS);
  int first = read_integer(L, place, "first", 1, mesh->index_count, 1) - 1, rest = mesh->index_count - first;
  ModelSubmesh submesh = {read_material(L, model, place), first, read_integer(L, place, "count", 0, rest, rest)};
  if (first % 3 != 0) fail(L, place, "first", "the start of a triangle expected: 1, 4, 7 and so on");
  if (submesh.index_count % 3 != 0) fail(L, place, "count", "3 for each triangle expected");
  lua_pop(L, 1);
  return submesh;
}

// One material for all, or runs of indices with one each. There are `room` more places in the model's list.
static void read_submeshes(lua_State *L, Model *model, Place place, ModelMesh *mesh, size_t room) {
  int whole = read_material(L, model, place), count = open_list(L, "submeshes", MODEL_MAX_NODES);
  if ((size_t)count > room || room == 0) fail(L, place, "submeshes", CHANGED);
  mesh->first_submesh = model->submesh_count;
  mesh->submesh_count = count > 0 ? count : 1;
  ModelSubmesh *submeshes = model->submeshes + model->submesh_count;
  submeshes[0] = (ModelSubmesh){whole, 0, mesh->index_count};
  for (int i = 0; i < count; i++)
    submeshes[i] = read_submesh(L, model, (Place){"submeshes", i + 1, &place}, mesh);
  lua_pop(L, 1);
  model->submesh_count += mesh->submesh_count;
  for (int i = 0; mesh->colors && i < mesh->submesh_count; i++) {
    if (submeshes[i].material >= 0) model->materials[submeshes[i].material].tracks_vertex_color = true;
  }
}

static void read_mesh(lua_State *L, Model *model, Place place, ModelMesh *mesh, size_t submesh_room) {
  static const char *const FIELDS[] = {"name",    "positions", "normals",   "uvs", "colors",
                                       "indices", "material",  "submeshes", NULL};
  check_fields(L, place, FIELDS);
  *mesh = (ModelMesh){.name = read_name(L, model, place, "mesh")};
  float *positions = read_floats(L, model, place, "positions", 3, &mesh->vertex_count);
  if (!positions) fail(L, place, "positions", "they are missing");
  mesh->positions = positions;
  mesh->normals = read_attribute(L, model, place, "normals", 3, mesh->vertex_count);
  mesh->uvs = read_attribute(L, model, place, "uvs", 2, mesh->vertex_count);
  read_colors(L, model, place, mesh);
  read_indices(L, model, place, mesh);
  read_submeshes(L, model, place, mesh, submesh_room);
}

// How many runs all meshes have together.
static size_t count_submeshes(lua_State *L, int mesh_count) {
  size_t total = 0;
  for (int i = 0; i < mesh_count; i++) {
    open_item(L, (Place){"meshes", i + 1, NULL});
    int count = open_list(L, "submeshes", MODEL_MAX_NODES);
    total += count > 0 ? (size_t)count : 1;
    lua_pop(L, 2);
  }
  return total;
}

static void read_meshes(lua_State *L, Model *model) {
  int count = open_list(L, "meshes", MODEL_MAX_NODES);
  if (count == 0) luaL_error(L, "meshes: one or more expected");
  model->meshes = allocate(L, model, (size_t)count, sizeof *model->meshes);
  size_t submesh_count = count_submeshes(L, count);
  model->submeshes = allocate(L, model, submesh_count, sizeof *model->submeshes);
  for (int i = 0; i < count; i++) {
    Place place = {"meshes", i + 1, NULL};
    open_item(L, place);
    read_mesh(L, model, place, &model->meshes[i], submesh_count - (size_t)model->submesh_count);
    lua_pop(L, 1);
    model->mesh_count++;
    model->source_vertices += model->meshes[i].vertex_count;
  }
  lua_pop(L, 1);
}

// ---- Nodes

static Quat turn(const float *angle_and_axis) {
  Vec3 axis = {angle_and_axis[1], angle_and_axis[2], angle_and_axis[3]};
  return quat_from_axis_angle(axis, (float)(angle_and_axis[0] * RADIANS_PER_DEGREE));
}

static void read_node(lua_State *L, Model *model, Place place, ModelNode *node) {
  static const char *const FIELDS[] = {"name", "parent", "mesh", "position", "rotation", "scale", NULL};
  float rotation[4] = {0, 0, 1, 0};
  check_fields(L, place, FIELDS);
  *node = model_default_node(read_name(L, model, place, "node"));
  node->parent = read_integer(L, place, "parent", 1, place.index - 1, 0) - 1;
  node->mesh = read_integer(L, place, "mesh", 1, model->mesh_count, 0) - 1;
  read_few(L, model, place, "position", 3, 3, &node->translation.x);
  read_few(L, model, place, "rotation", 4, 4, rotation);
  read_few(L, model, place, "scale", 3, 3, &node->scale.x);
  node->rotation = turn(rotation);
}

// Without nodes there is one for each mesh.
static void read_nodes(lua_State *L, Model *model) {
  int count = open_list(L, "nodes", MODEL_MAX_NODES), total = count > 0 ? count : model->mesh_count;
  model->nodes = allocate(L, model, (size_t)total, sizeof *model->nodes);
  for (int i = 0; i < total; i++) {
    if (count > 0) {
      Place place = {"nodes", i + 1, NULL};
      open_item(L, place);
      read_node(L, model, place, &model->nodes[i]);
      lua_pop(L, 1);
    } else {
      model->nodes[i] = model_default_node(model->meshes[i].name);
      model->nodes[i].mesh = i;
    }
    model->node_count++;
  }
  lua_pop(L, 1);
}

// ---- Clips

static TrackProperty read_property(lua_State *L, Place place) {
  static const char *const NAMES[] = {"translation", "rotation", "scale"};
  lua_getfield(L, -1, "property");
  const char *name = lua_tostring(L, -1);
  int found = -1;
  for (int i = 0; name && i < 3; i++)
    found = strcmp(name, NAMES[i]) == 0 ? i : found;
  if (found < 0) fail(L, place, "property", "\"translation\", \"rotation\" or \"scale\" expected");
  lua_pop(L, 1);
  return (TrackProperty)found;
}

// From angle and axis a key to quaternions, each by the shorter way from the one before; half a turn as it was meant.
static void turn_keys(float *values, int count) {
  Quat before = QUAT_IDENTITY;
  for (int i = 0; i < count; i++) {
    Quat q = turn(values + 4 * i);
    if (quat_dot(q, before) < -1e-4f) q = quat_negate(q);
    memcpy(values + 4 * i, &q, sizeof q);
    before = q;
  }
}

static void read_track(lua_State *L, Model *model, Place place, ModelTrack *track) {
  static const char *const FIELDS[] = {"node", "property", "times", "values", NULL};
  Track *keys = &track->keys;
  int value_count;
  check_fields(L, place, FIELDS);
  *track = (ModelTrack){.target = read_integer(L, place, "node", 1, model->node_count, 1) - 1};
  keys->property = read_property(L, place);
  keys->component_count = keys->property == TRACK_ROTATION ? 4 : 3;
  keys->times = read_floats(L, model, place, "times", 1, &keys->key_count);
  float *values = read_floats(L, model, place, "values", keys->component_count, &value_count);
  if (!keys->times || !values || keys->key_count == 0 || value_count != keys->key_count)
    fail(L, place, "values", lua_pushfstring(L, "%d numbers for each of the times expected", keys->component_count));
  for (int i = 1; i < keys->key_count; i++) {
    if (keys->times[i] < keys->times[i - 1])
      fail(L, place, "times", lua_pushfstring(L, "number %d is less than the one before", i + 1));
  }
  if (keys->property == TRACK_ROTATION) turn_keys(values, keys->key_count);
  keys->values = values;
}

static int count_tracks(lua_State *L, int clip_count) {
  int total = 0;
  for (int i = 0; i < clip_count; i++) {
    open_item(L, (Place){"clips", i + 1, NULL});
    total += open_list(L, "tracks", MODEL_MAX_NODES);
    lua_pop(L, 2);
  }
  return total;
}

// There are `room` more places in the model's list of tracks.
static void read_clip(lua_State *L, Model *model, Place place, ModelClip *clip, int room) {
  static const char *const FIELDS[] = {"name", "fps", "tracks", NULL};
  check_fields(L, place, FIELDS);
  *clip = (ModelClip){.name = read_name(L, model, place, "clip"),
                      .kind = CLIP_NODE,
                      .first_track = model->track_count,
                      .fps = read_number(L, place, "fps", 30)};
  if (!(clip->fps > 0)) fail(L, place, "fps", "a number above 0 expected");
  clip->track_count = open_list(L, "tracks", MODEL_MAX_NODES);
  if (clip->track_count > room) fail(L, place, "tracks", CHANGED);
  for (int i = 0; i < clip->track_count; i++) {
    Place inner = {"tracks", i + 1, &place};
    ModelTrack *track = &model->tracks[model->track_count];
    open_item(L, inner);
    read_track(L, model, inner, track);
    lua_pop(L, 1);
    model->track_count++;
    clip->end = fmaxf(clip->end, track->keys.times[track->keys.key_count - 1]);
  }
  lua_pop(L, 1);
}

static void read_clips(lua_State *L, Model *model) {
  int count = open_list(L, "clips", 4096);
  model->clips = allocate(L, model, (size_t)count, sizeof *model->clips);
  int track_count = count_tracks(L, count);
  model->tracks = allocate(L, model, (size_t)track_count, sizeof *model->tracks);
  for (int i = 0; i < count; i++) {
    Place place = {"clips", i + 1, NULL};
    open_item(L, place);
    read_clip(L, model, place, &model->clips[i], track_count - model->track_count);
    lua_pop(L, 1);
    model->clip_count++;
  }
  lua_pop(L, 1);
}

void loader_table_read(lua_State *L, Model *model) {
  if (!lua_istable(L, -1)) luaL_error(L, "a table that describes a model expected, got %s", luaL_typename(L, -1));
  static const char *const FIELDS[] = {"meshes", "nodes", "clips", "materials", NULL};
  luaL_checkstack(L, 24, NULL);
  binding_check_keys(L, lua_gettop(L), "the model", FIELDS);
  read_materials(L, model);
  read_meshes(L, model);
  read_nodes(L, model);
  read_clips(L, model);
}
