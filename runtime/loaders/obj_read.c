#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "loaders/mtl.h"
#include "loaders/obj.h"

enum { WARNINGS_PER_KIND = 4, SHOWN_LENGTH = 20 };

static void warn(Obj *obj, WarningKind kind, const char *format, ...) PRINTF_LIKE(3, 4);

static void warn(Obj *obj, WarningKind kind, const char *format, ...) {
  if (obj->warning_counts[kind]++ >= WARNINGS_PER_KIND) return;
  char text[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  model_warn(obj->model, "line %d: %s", text_line_number(&obj->text, obj->statement), text);
}

void obj_warn_of_the_rest(Obj *obj) {
  static const char *const NAMES[WARNING_KIND_COUNT] = {"numbers", "faces", "corners", "statements",
                                                        "lines and points"};
  for (int i = 0; i < WARNING_KIND_COUNT; i++) {
    int rest = obj->warning_counts[i] - WARNINGS_PER_KIND;
    if (rest > 0) model_warn(obj->model, "%d more warnings of %s", rest, NAMES[i]);
  }
}

// ---- Vertices

static void warn_of_number(Obj *obj, NumberKind kind, const char *start) {
  TextSlice word = {start, (size_t)(text_skip_word(start) - start)};
  static const char *const PROBLEMS[] = {
      [NUMBER_NONE] = "is not a number",
      [NUMBER_WITH_JUNK] = "does not end like a number",
      [NUMBER_NOT_FINITE] = "is a non-finite number, taken as 0",
  };
  warn(obj, WARN_OF_NUMBER, "\"%.*s\" %s", text_shown_length(word, SHOWN_LENGTH), word.start, PROBLEMS[kind]);
}

// Reads up to `limit` numbers and returns how many there were.
static int read_numbers(Obj *obj, const char *at, float *values, int limit) {
  at = text_skip_blanks(at);
  int count = text_plain_numbers(&at, values, limit);
  obj->after = at;
  if (count > 0) return count;
  for (; count < limit; count++) {
    at = text_skip_blanks(at);
    if (text_is_end(at)) break;
    const char *start = at;
    NumberKind kind = text_number(&at, &values[count]);
    if (kind != NUMBER_GOOD) warn_of_number(obj, kind, start);
    if (kind == NUMBER_NONE) break;
  }
  obj->after = at;
  return count;
}

static uint8_t color_byte(float value) {
  return (uint8_t)(clampf(value, 0, 1) * 255 + 0.5f);
}

// The list of colours begins with the first position that has one; all before it are white.
static bool add_color(Obj *obj, const float *rgb) {
  ObjMeshes *meshes = &obj->meshes;
  ObjColor white = {255, 255, 255, 255};
  if (!rgb && meshes->colors.count == 0) return true;
  while (meshes->colors.count < meshes->positions.count - 1) {
    if (!array_push(meshes->memory, &meshes->colors, white)) return false;
  }
  ObjColor color = rgb ? (ObjColor){color_byte(rgb[0]), color_byte(rgb[1]), color_byte(rgb[2]), 255} : white;
  return array_push(meshes->memory, &meshes->colors, color);
}

// Without anything behind it a "v" is no vertex: files full of them would take far more memory than they have bytes.
static bool is_empty_statement(const char *after) {
  return text_is_end(text_skip_blanks(after));
}

static Outcome read_position(Obj *obj, const char *at) {
  // x y z [w] [r g b]: the weight means something for free-form surfaces only.
  float v[7] = {0};
  int count = read_numbers(obj, at, v, 7);
  if (count < 3) warn(obj, WARN_OF_NUMBER, "a position of %d numbers, expected 3", count);
  if (count == 0 && is_empty_statement(at)) return OUTCOME_GOOD;
  ObjPosition position = {v[0], v[1], v[2], 0};
  bool is_good = array_push(obj->meshes.memory, &obj->meshes.positions, position) &&
                 add_color(obj, count >= 6 ? v + count - 3 : NULL);
  obj->position_count = obj->meshes.positions.count;
  return is_good ? OUTCOME_GOOD : OUTCOME_NO_MEMORY;
}

static Outcome read_uv(Obj *obj, const char *at) {
  // A third number is for textures with depth.
  float v[3] = {0};
  read_numbers(obj, at, v, 3);
  bool is_good = array_push(obj->meshes.memory, &obj->meshes.uvs, (ObjUv){v[0], v[1]});
  obj->uv_count = obj->meshes.uvs.count;
  return is_good ? OUTCOME_GOOD : OUTCOME_NO_MEMORY;
}

// Nearly all normals are of unit length already, up to the four digits or more with which they are written.
static Vec3 unit_normal(Vec3 v, bool *is_zero) {
  if (fabsf(vec3_length_squared(v) - 1) < 2e-4f) return v;
  double length = sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
  double scale = length > 0 ? 1 / length : 0;
  *is_zero = length == 0;
  return vec3((float)(v.x * scale), (float)(v.y * scale), (float)(v.z * scale));
}

static Outcome read_normal(Obj *obj, const char *at) {
  float v[3] = {0};
  bool is_zero = false;
  read_numbers(obj, at, v, 3);
  Vec3 normal = unit_normal(vec3(v[0], v[1], v[2]), &is_zero);
  obj->meshes.has_zero_normals |= is_zero;
  bool is_good = array_push(obj->meshes.memory, &obj->meshes.normals, normal);
  obj->normal_count = obj->meshes.normals.count;
  return is_good ? OUTCOME_GOOD : OUTCOME_NO_MEMORY;
}

// ---- Parts

static Outcome find_part(Obj *obj, int object, int group, int *part) {
  *part = id_map_add(&obj->part_ids, obj_part_key((Part){object, group}));
  if (*part < MODEL_MAX_NODES) return *part < 0 ? OUTCOME_NO_MEMORY : OUTCOME_GOOD;
  error_set(obj->error, "%s:%d: more than %d objects and groups", obj->request->path,
            text_line_number(&obj->text, obj->statement), MODEL_MAX_NODES);
  return OUTCOME_TOO_MUCH;
}

// Sets obj->part to the object and group at hand. The object comes first: it is the group's parent.
static Outcome enter_part(Obj *obj) {
  Outcome outcome = OUTCOME_GOOD;
  if (obj->object >= 0) outcome = find_part(obj, obj->object, -1, &obj->part);
  if (outcome == OUTCOME_GOOD) outcome = find_part(obj, obj->object, obj->group, &obj->part);
  return outcome;
}

// Names without faces are nodes too: places are marked like that.
static Outcome leave_object(Obj *obj) {
  return obj->is_object_unused ? find_part(obj, obj->object, -1, &obj->part) : OUTCOME_GOOD;
}

static Outcome leave_group(Obj *obj) {
  return obj->is_group_unused ? enter_part(obj) : OUTCOME_GOOD;
}

// The name of an object or group: its number, -1 for none.
static Outcome read_name(Obj *obj, const char *at, NameTable *names, int *name) {
  TextSlice text = text_rest(&obj->text, at);
  *name = text.length > 0 ? name_table_add(names, text) : -1;
  obj->part = -1;
  return text.length > 0 && *name < 0 ? OUTCOME_NO_MEMORY : OUTCOME_GOOD;
}

// A group goes on into a new object.
static Outcome read_object(Obj *obj, const char *at) {
  Outcome outcome = leave_object(obj);
  if (outcome == OUTCOME_GOOD) outcome = read_name(obj, at, &obj->objects, &obj->object);
  obj->is_object_unused = obj->object >= 0;
  return outcome;
}

static Outcome read_group(Obj *obj, const char *at) {
  Outcome outcome = leave_group(obj);
  if (outcome == OUTCOME_GOOD) outcome = read_name(obj, at, &obj->groups, &obj->group);
  obj->is_group_unused = obj->group >= 0;
  return outcome;
}

// ---- Faces

// Up to 18 digits and a sign; more digits make a number that is out of range anyway.
static bool read_index(const char **at, int64_t *index) {
  const char *digits = *at + (**at == '-' || **at == '+');
  uint64_t value = 0;
  int count = text_eight_digits(digits, &value);
  if (count == 0) return false;
  const char *end = digits + count;
  while (count == 8 && *end >= '0' && *end <= '9') {
    value = value < 100000000000000000u ? value * 10 + (uint64_t)(*end - '0') : INT64_MAX;
    end++;
  }
  *index = **at == '-' ? -(int64_t)value : (int64_t)value;
  *at = end;
  return true;
}

// From the file's counting, from 1 on or back from the last one, to ours; -1 when it is out of range.
static inline int resolve(int64_t index, int count_here, int count_in_all) {
  int64_t resolved = index > 0 ? index - 1 : index < 0 ? count_here + index : -1;
  return resolved >= 0 && resolved < count_in_all ? (int)resolved : -1;
}

static void drop_face(Obj *obj, const char *format, ...) PRINTF_LIKE(2, 3);

static void drop_face(Obj *obj, const char *format, ...) {
  char text[sizeof obj->first_problem];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (obj->dropped_count++ == 0) {
    memcpy(obj->first_problem, text, sizeof text);
    obj->first_problem_line = text_line_number(&obj->text, obj->statement);
  }
  warn(obj, WARN_OF_FACE, "%s, face dropped", text);
}

// A texture coordinate or normal of a corner; moves `at` behind it. Returns -1 where there is none.
static Outcome read_part_index(Obj *obj, const char **at, bool is_uv, int *index) {
  int64_t written;
  *index = -1;
  if (!read_index(at, &written)) return OUTCOME_GOOD;
  int count_here = is_uv ? obj->uv_count : obj->normal_count;
  int count = is_uv ? obj->meshes.uvs.count : obj->meshes.normals.count;
  *index = resolve(written, count_here, count);
  if (*index >= 0) return OUTCOME_GOOD;
  if (obj->reads_vertices && written > count) return OUTCOME_NEEDS_TOTALS;
  warn(obj, WARN_OF_CORNER, "%s index %lld is out of range (1 to %d), left out",
       is_uv ? "texture coordinate" : "normal", (long long)written, count);
  return OUTCOME_GOOD;
}

static void skip_junk(Obj *obj, const char **at) {
  if (**at == '/' || text_is_word_end(**at)) return;
  warn(obj, WARN_OF_CORNER, "an index does not end like a number");
  while (**at != '/' && !text_is_word_end(**at))
    ++*at;
}

// Reads what follows the position in "v", "v/vt", "v//vn" or "v/vt/vn".
static Outcome read_corner_parts(Obj *obj, const char **at, ObjCorner *corner) {
  Outcome outcome = OUTCOME_GOOD;
  skip_junk(obj, at);
  if (**at == '/') {
    ++*at;
    outcome = read_part_index(obj, at, true, &corner->uv);
    skip_junk(obj, at);
  }
  if (**at == '/' && outcome == OUTCOME_GOOD) {
    ++*at;
    outcome = read_part_index(obj, at, false, &corner->normal);
  }
  *at = text_skip_word(*at);
  return outcome;
}

static bool is_same_corner(const ObjCorner *a, const ObjCorner *b) {
  return a->position == b->position && a->uv == b->uv && a->normal == b->normal;
}

// A face's line as it is read the quick way: what is no digit, counted from `text`, of what is not read yet.
typedef struct PlainLine {
  const char *text;
  uint64_t others;
  const char *at;
} PlainLine;

static inline PlainLine plain_line(const char *at) {
  return (PlainLine){at, text_others(at), at};
}

// The digits up to the next character that is none; moves behind that one.
static inline DigitRun next_run(PlainLine *line) {
  const char *end = line->text + text_next_other(line->others);
  DigitRun run = {end, (unsigned)(end - line->at)};
  line->others &= line->others - 1;
  line->at = end + 1;
  return run;
}

// Reads a corner and the character behind it. False when there is anything but indexes in range.
static inline bool read_plain_corner(const ObjMeshes *meshes, PlainLine *line, ObjCorner *corner) {
  DigitRun position = next_run(line), uv = {position.end, 0}, normal = uv;
  if (*position.end == '/') {
    uv = next_run(line);
    if (*uv.end == '/') normal = next_run(line);
  }
  if (position.count > 8 || uv.count > 8 || normal.count > 8) return false;
  int32_t written[4];
  text_three_runs(position, uv, normal, written);
  *corner = (ObjCorner){written[0] - 1, written[1] - 1, written[2] - 1};
  return (unsigned)corner->position < (unsigned)meshes->positions.count &&
         ((unsigned)corner->uv < (unsigned)meshes->uvs.count || uv.count == 0) &&
         ((unsigned)corner->normal < (unsigned)meshes->normals.count || normal.count == 0);
}

// How many corners a face may have: every vertex twice, for the bridges to holes. Lines are cheaper to write than faces are
// to cut, and without a limit files made for it would take far more memory than they have bytes.
static int most_corners(const Obj *obj) {
  enum { FREE = 64 };
  return 2 * obj->meshes.positions.count + FREE;
}

// The quick way for nearly all faces: fills obj->corners when the line is nothing but corners with one blank in between.
static bool read_plain_corners(Obj *obj, const char *at) {
  enum { CORNER_LENGTH = 3 * 8 + 3 };  // at most
  PlainLine line = plain_line(at);
  int count = 0, limit = most_corners(obj);
  do {
    if (count == limit) return false;
    if (line.at - line.text > TEXT_WINDOW - CORNER_LENGTH) line = plain_line(line.at);
    obj->corners.count = count;
    if (!array_reserve(obj->request->memory, &obj->corners, 1)) return false;
    if (!read_plain_corner(&obj->meshes, &line, &obj->corners.items[count++])) return false;
  } while (line.at[-1] == ' ' && *line.at != '\n');
  obj->corners.count = count;
  obj->after = line.at[-1] == '\n' ? line.at - 1 : line.at;
  return *obj->after == '\n';
}

// Fills obj->corners. Sets `is_good` to false, and drops the face, when a position is not right.
static Outcome read_corners(Obj *obj, const char *at, bool *is_good) {
  int position_count = obj->meshes.positions.count;
  at = text_skip_blanks(at);
  if (at - obj->text.start >= 8 && read_plain_corners(obj, at)) return OUTCOME_GOOD;
  obj->corners.count = 0;
  for (; !text_is_end(at); at = text_skip_blanks(at)) {
    TextSlice word = {at, 0};
    int64_t written;
    if (!read_index(&at, &written)) {
      word.length = (size_t)(text_skip_word(at) - at);
      drop_face(obj, "index \"%.*s\" is not a number", text_shown_length(word, SHOWN_LENGTH), word.start);
      *is_good = false;
      return OUTCOME_GOOD;
    }
    if (obj->corners.count == most_corners(obj)) {
      if (obj->reads_vertices) return OUTCOME_NEEDS_TOTALS;
      drop_face(obj, "a face of more than %d corners with %d vertices", obj->corners.count, position_count);
      *is_good = false;
      return OUTCOME_GOOD;
    }
    ObjCorner corner = {resolve(written, obj->position_count, position_count), -1, -1};
    if (corner.position < 0) {
      if (obj->reads_vertices && written > position_count) return OUTCOME_NEEDS_TOTALS;
      drop_face(obj, "vertex index %lld is out of range (1 to %d)", (long long)written, position_count);
      *is_good = false;
      return OUTCOME_GOOD;
    }
    Outcome outcome = read_corner_parts(obj, &at, &corner);
    if (outcome != OUTCOME_GOOD) return outcome;
    if (!array_push(obj->request->memory, &obj->corners, corner)) return OUTCOME_NO_MEMORY;
  }
  obj->after = at;
  return OUTCOME_GOOD;
}

static bool has_repeated_corners(const ObjCorner *corners, int count) {
  const ObjCorner *before = &corners[count - 1];
  for (int i = 0; i < count; i++) {
    if (is_same_corner(before, &corners[i])) return true;
    before = &corners[i];
  }
  return false;
}

// Corners that follow themselves say nothing; the last one is followed by the first.
static void remove_repeated_corners(Obj *obj) {
  ObjCorner *corners = obj->corners.items;
  int count = obj->corners.count, kept = 0;
  if (count < 2 || !has_repeated_corners(corners, count)) return;
  for (int i = 0; i < count; i++) {
    if (kept == 0 || !is_same_corner(&corners[kept - 1], &corners[i])) corners[kept++] = corners[i];
  }
  while (kept > 1 && is_same_corner(&corners[kept - 1], &corners[0]))
    kept--;
  warn(obj, WARN_OF_CORNER, "repeated corner");
  obj->corners.count = kept;
}

static Outcome read_face(Obj *obj, const char *at) {
  bool is_good = true;
  obj->face_count++;
  Outcome outcome = read_corners(obj, at, &is_good);
  if (outcome != OUTCOME_GOOD || !is_good) return outcome;
  remove_repeated_corners(obj);
  if (obj->corners.count < 3) {
    drop_face(obj, "a face of %d corners, expected 3 or more", obj->corners.count);
    return OUTCOME_GOOD;
  }
  if (obj->part < 0) outcome = enter_part(obj);
  if (outcome != OUTCOME_GOOD) return outcome;
  obj->is_object_unused = obj->is_group_unused = false;
  bool is_added = obj_meshes_add_face(&obj->meshes, obj->corners.items, obj->corners.count, obj->part, obj->material,
                                      obj->smoothing_group);
  return is_added ? OUTCOME_GOOD : OUTCOME_NO_MEMORY;
}

// ---- Other statements

static void read_smoothing(Obj *obj, const char *at) {
  TextSlice word = text_word(&at);
  const char *start = word.start;
  int64_t group;
  if (word.length == 0 || text_equals_lower(word, "off") || text_equals_lower(word, "null"))
    obj->smoothing_group = 0;
  else
    obj->smoothing_group = read_index(&start, &group) ? (uint32_t)group : 1;
}

// Material 0 is that of faces before any usemtl.
static Outcome read_usemtl(Obj *obj, const char *at) {
  int id = name_table_add(&obj->material_names, text_rest(&obj->text, at));
  if (id < 0) return OUTCOME_NO_MEMORY;
  if (id >= MATERIAL_LIST_MAX) {
    error_set(obj->error, "%s:%d: more than %d materials", obj->request->path,
              text_line_number(&obj->text, obj->statement), MATERIAL_LIST_MAX);
    return OUTCOME_TOO_MUCH;
  }
  obj->material = id + 1;
  return OUTCOME_GOOD;
}

static Outcome read_mtllib(Obj *obj, const char *at) {
  TextSlice name = text_rest(&obj->text, at);
  if (name.length == 0) return OUTCOME_GOOD;
  return name_table_add(&obj->libraries, name) >= 0 ? OUTCOME_GOOD : OUTCOME_NO_MEMORY;
}

// Free-form geometry and display attributes of the format, and extensions that real files carry.
static bool is_known_but_skipped(TextSlice word) {
  static const char *const SKIPPED[] = {
      "vp",         "cstype",    "deg",   "bmat",  "step", "curv", "curv2",  "surf",     "parm",     "trim",
      "hole",       "scrv",      "sp",    "end",   "con",  "mg",   "bevel",  "c_interp", "d_interp", "lod",
      "shadow_obj", "trace_obj", "ctech", "stech", "call", "csh",  "maplib", "usemap",   "vw",
  };
  for (size_t i = 0; i < sizeof SKIPPED / sizeof *SKIPPED; i++) {
    if (text_equals_lower(word, SKIPPED[i])) return true;
  }
  return false;
}

static Outcome read_other_statement(Obj *obj, const char *at) {
  TextSlice word = text_word(&at);
  if (word.length == 0 || !obj->reads_faces) return OUTCOME_GOOD;
  if (text_equals(word, "fo")) return read_face(obj, at);
  if (text_equals(word, "o")) return read_object(obj, at);
  if (text_equals(word, "g")) return read_group(obj, at);
  if (text_equals(word, "usemtl")) return read_usemtl(obj, at);
  if (text_equals(word, "mtllib")) return read_mtllib(obj, at);
  if (text_equals(word, "s")) {
    read_smoothing(obj, at);
  } else if (text_equals(word, "l") || text_equals(word, "p")) {
    warn(obj, WARN_OF_ELEMENT, "%s are not drawn", word.start[0] == 'l' ? "lines" : "points");
  } else {
    bool is_known = is_known_but_skipped(word);
    warn(obj, WARN_OF_STATEMENT, "statement \"%.*s\" is %s", text_shown_length(word, SHOWN_LENGTH), word.start,
         is_known ? "not supported" : "unknown");
  }
  return OUTCOME_GOOD;
}

static Outcome read_vertex(Obj *obj, const char *at) {
  bool is_position = text_is_word_end(at[1]), is_uv = at[1] == 't', is_normal = at[1] == 'n';
  if (!is_position && !((is_uv || is_normal) && text_is_word_end(at[2]))) return read_other_statement(obj, at);
  const char *after = is_position ? at + 1 : at + 2;
  if (obj->reads_vertices)
    return is_position ? read_position(obj, after) : is_uv ? read_uv(obj, after) : read_normal(obj, after);
  obj->position_count += is_position && !is_empty_statement(after);
  obj->uv_count += is_uv;
  obj->normal_count += is_normal;
  return OUTCOME_GOOD;
}

Outcome obj_read_statements(Obj *obj) {
  Outcome outcome = OUTCOME_GOOD;
  const char *at = obj->text.start;
  while (at < obj->text.end && outcome == OUTCOME_GOOD) {
    text_reach(&obj->text, at);
    at = text_skip_blanks(at);
    obj->statement = obj->after = at;
    if (*at == 'v') {
      outcome = read_vertex(obj, at);
    } else if (*at == 'f' && text_is_word_end(at[1])) {
      if (obj->reads_faces) outcome = read_face(obj, at + 1);
    } else if (!text_is_end(at)) {
      outcome = read_other_statement(obj, at);
    }
    // Mostly the statement was read to its line's end.
    at = *obj->after == '\n' ? obj->after + 1 : text_skip_line(&obj->text, obj->after);
  }
  if (outcome == OUTCOME_GOOD) outcome = leave_group(obj);
  return outcome == OUTCOME_GOOD ? leave_object(obj) : outcome;
}
