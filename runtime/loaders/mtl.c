#include "loaders/mtl.h"

#include <string.h>

#include "loaders/companion.h"

// What a material says in several statements and means only together.
typedef struct Pending {
  bool is_open, has_opacity, has_ambient;
  float opacity, transparency;
  int illumination;
  const char *opacity_image;
} Pending;

typedef struct Mtl {
  MaterialList *list;
  const char *path;  // of the library, below the model's folder
  Text text;
  const char *line_start;
  ModelMaterial material;
  Pending pending;
  int warning_count;
} Mtl;

typedef struct MapOptions {
  MapPlacement placement;
  bool is_clamped;
  TextSlice unsupported;
} MapOptions;

enum { WARNINGS_PER_LIBRARY = 8, ILLUMINATION_UNSET = -1 };

// The message is the word with `before` and `after` around it.
static void warn(Mtl *mtl, const char *before, TextSlice word, const char *after) {
  if (mtl->warning_count++ >= WARNINGS_PER_LIBRARY) return;
  model_warn(mtl->list->model, "%s:%d: %s%.*s%s", mtl->path, text_line_number(&mtl->text, mtl->line_start), before,
             text_shown_length(word, 40), word.start, after);
}

// ---- Numbers and colours

static int read_numbers(const char **at, float *values, int limit) {
  int count = 0;
  while (count < limit) {
    const char *word = text_skip_blanks(*at);
    if (text_is_end(word) || text_number(&word, &values[count]) == NUMBER_NONE) break;
    *at = word;
    count++;
  }
  return count;
}

static void read_color(Mtl *mtl, TextSlice word, const char *at, Color *color) {
  float values[3];
  const char *first = at;
  TextSlice form = text_word(&first);
  if (text_equals_lower(form, "spectral") || text_equals_lower(form, "xyz")) {
    warn(mtl, "colours given as ", form, " are not supported");
    return;
  }
  int count = read_numbers(&at, values, 3);
  if (count == 0) {
    warn(mtl, "", word, " without numbers");
    return;
  }
  // One number stands for all three.
  color->r = values[0];
  color->g = values[count > 1 ? 1 : 0];
  color->b = values[count > 2 ? 2 : count - 1];
}

static void read_number(Mtl *mtl, TextSlice word, const char *at, float *value) {
  if (read_numbers(&at, value, 1) == 0) warn(mtl, "", word, " without a number");
}

static void read_opacity(Mtl *mtl, TextSlice word, const char *at) {
  const char *after = at;
  if (text_equals_lower(text_word(&after), "-halo")) at = after;
  if (read_numbers(&at, &mtl->pending.opacity, 1) == 1)
    mtl->pending.has_opacity = true;
  else
    warn(mtl, "", word, " without a number");
}

// ---- Texture maps

typedef enum OptionKind { OPTION_WORD, OPTION_TWO_NUMBERS, OPTION_VECTOR } OptionKind;

typedef struct MapOption {
  const char *name;
  OptionKind kind;
  bool is_harmless;  // what is made of it here is all that shows
} MapOption;

static const MapOption *find_option(TextSlice word) {
  static const MapOption OPTIONS[] = {
      {"-blendu", OPTION_WORD, true},     {"-blendv", OPTION_WORD, true},     {"-boost", OPTION_WORD, true},
      {"-bm", OPTION_WORD, true},         {"-cc", OPTION_WORD, true},         {"-clamp", OPTION_WORD, true},
      {"-imfchan", OPTION_WORD, true},    {"-texres", OPTION_WORD, true},     {"-type", OPTION_WORD, true},
      {"-colorspace", OPTION_WORD, true}, {"-mm", OPTION_TWO_NUMBERS, false}, {"-o", OPTION_VECTOR, true},
      {"-s", OPTION_VECTOR, true},        {"-t", OPTION_VECTOR, false},
  };
  for (size_t i = 0; i < sizeof OPTIONS / sizeof *OPTIONS; i++) {
    if (text_equals_lower(word, OPTIONS[i].name)) return &OPTIONS[i];
  }
  return NULL;
}

// Up to `limit` numbers; a word that only begins like a number is already the file's name. Returns how many.
static int read_vector(const char **at, float values[3], int limit) {
  int count = 0;
  while (count < limit) {
    const char *word = text_skip_blanks(*at), *after = word;
    if (text_is_end(word) || text_number(&after, &values[count]) != NUMBER_GOOD) break;
    *at = after;
    count++;
  }
  return count;
}

static void read_option(const MapOption *option, TextSlice name, const char **at, MapOptions *options) {
  float values[3] = {0};
  if (option->kind == OPTION_WORD) {
    TextSlice word = text_word(at);
    if (strcmp(option->name, "-clamp") == 0) options->is_clamped = text_equals_lower(word, "on");
    return;
  }
  int count = read_vector(at, values, option->kind == OPTION_VECTOR ? 3 : 2);
  bool is_scale = strcmp(option->name, "-s") == 0, is_offset = strcmp(option->name, "-o") == 0;
  for (int i = 0; i < 2 && i < count; i++) {
    if (is_scale) options->placement.scale[i] = values[i];
    if (is_offset) options->placement.offset[i] = values[i];
  }
  if (!option->is_harmless) options->unsupported = name;
}

// Options may stand before and behind the file's name, which may hold blanks. Returns the name.
static TextSlice read_map(const Mtl *mtl, const char *at, MapOptions *options) {
  TextSlice rest = text_rest(&mtl->text, at), name = {rest.start, 0};
  const char *end = rest.start + rest.length;
  for (at = rest.start; at < end;) {
    const char *after = at;
    TextSlice word = text_word(&after);
    const MapOption *option = find_option(word);
    if (option) {
      read_option(option, word, &after, options);
    } else if (word.length > 0) {
      if (name.length == 0) name.start = word.start;
      name.length = (size_t)(word.start + word.length - name.start);
    } else {
      break;
    }
    at = text_skip_blanks(after);
    // What follows options behind the name belongs to no name.
    if (option && name.length > 0 && at < end && *at != '-') break;
  }
  if (name.length >= 2 && name.start[0] == '"' && name.start[name.length - 1] == '"')
    return (TextSlice){name.start + 1, name.length - 2};
  return name;
}

static bool read_diffuse_map(Mtl *mtl, const char *at) {
  MapOptions options = {.placement.scale = {1, 1}};
  TextSlice written = read_map(mtl, at, &options);
  ModelTextureStage *stage = &mtl->material.stages[0];
  bool is_inside;
  if (!material_list_add_image(mtl->list, written, &stage->image, &is_inside)) return false;
  if (!is_inside) warn(mtl, "the path ", written, " leaves the model's folder; only its last part is used");
  if (options.unsupported.length > 0) warn(mtl, "the option ", options.unsupported, " is not supported");
  stage->wrap_u = stage->wrap_v = options.is_clamped ? WRAP_CLAMP : WRAP_REPEAT;
  texture_stage_place(stage, &options.placement);
  return true;
}

static bool read_opacity_map(Mtl *mtl, const char *at) {
  MapOptions options = {.placement.scale = {1, 1}};
  TextSlice written = read_map(mtl, at, &options);
  char path[COMPANION_MAX_PATH];
  companion_clean_path_from(mtl->path, written.start, written.length, path);
  mtl->pending.opacity_image = text_copy_utf8(&mtl->list->model->arena, path, strlen(path));
  return mtl->pending.opacity_image != NULL;
}

// ---- Materials

static void apply_opacity_map(Mtl *mtl) {
  ModelMaterial *material = &mtl->material;
  const char *opacity_image = mtl->pending.opacity_image;
  if (!opacity_image || !opacity_image[0]) return;
  int image = material->stages[0].image;
  if (image >= 0 && strcmp(model_image_path(&mtl->list->images.items[image]), opacity_image) == 0)
    material->blend = BLEND_ALPHA;
  else
    model_warn(mtl->list->model, "%s: material %s: an opacity map of its own is not supported: %s", mtl->path,
               material->name, opacity_image);
}

static bool close_material(Mtl *mtl) {
  Pending *pending = &mtl->pending;
  ModelMaterial *material = &mtl->material;
  if (!pending->is_open) return true;
  // "d" wins over "Tr", about whose meaning writers disagree.
  float opacity = pending->has_opacity ? pending->opacity : 1 - pending->transparency;
  material->diffuse.a = clampf(opacity, 0, 1);
  if (material->diffuse.a < 1) material->blend = BLEND_ALPHA;
  if (!pending->has_ambient) material->ambient = material->diffuse;
  material->ambient.a = 1;
  if (material->shininess < 0) material->shininess = 0;
  material->is_unlit = pending->illumination == 0;
  apply_opacity_map(mtl);
  return material_list_add(mtl->list, *material) >= 0;
}

static bool open_material(Mtl *mtl, const char *at) {
  if (!close_material(mtl)) return false;
  mtl->pending = (Pending){.illumination = ILLUMINATION_UNSET};
  TextSlice name = text_rest(&mtl->text, at);
  if (mtl->list->materials.count >= MATERIAL_LIST_MAX) {
    warn(mtl, "too many materials; left out from here on: ", name, "");
    return true;
  }
  mtl->material = model_default_material();
  mtl->material.name = text_copy_utf8(&mtl->list->model->arena, name.start, name.length);
  mtl->pending.is_open = true;
  return mtl->material.name != NULL;
}

// Statements that say nothing about how this engine draws.
static bool is_ignored(TextSlice word) {
  static const char *const IGNORED[] = {
      "ni",     "tf",       "kt",     "sharpness", "pr",       "pm",      "ps",          "pc",
      "pcr",    "aniso",    "anisor", "map_ka",    "map_ks",   "map_ke",  "map_ns",      "map_pr",
      "map_pm", "map_ps",   "map_tf", "map_bump",  "bump",     "disp",    "decal",       "map_disp",
      "refl",   "map_refl", "norm",   "map_tr",    "map_norm", "map_aat", "map_opacity", "map_emissive",
  };
  for (size_t i = 0; i < sizeof IGNORED / sizeof *IGNORED; i++) {
    if (text_equals_lower(word, IGNORED[i])) return true;
  }
  return false;
}

static bool read_statement(Mtl *mtl, const char *at) {
  TextSlice word = text_word(&at);
  ModelMaterial *material = &mtl->material;
  float number = ILLUMINATION_UNSET;
  if (word.length == 0) return true;
  if (text_equals_lower(word, "newmtl")) return open_material(mtl, at);
  if (!mtl->pending.is_open) {
    warn(mtl, "the statement ", word, " stands before any newmtl");
  } else if (text_equals_lower(word, "ka")) {
    read_color(mtl, word, at, &material->ambient);
    mtl->pending.has_ambient = true;
  } else if (text_equals_lower(word, "kd")) {
    read_color(mtl, word, at, &material->diffuse);
  } else if (text_equals_lower(word, "ks")) {
    read_color(mtl, word, at, &material->specular);
  } else if (text_equals_lower(word, "ke")) {
    read_color(mtl, word, at, &material->emissive);
  } else if (text_equals_lower(word, "ns")) {
    read_number(mtl, word, at, &material->shininess);
  } else if (text_equals_lower(word, "d")) {
    read_opacity(mtl, word, at);
  } else if (text_equals_lower(word, "tr")) {
    read_number(mtl, word, at, &mtl->pending.transparency);
  } else if (text_equals_lower(word, "illum")) {
    read_number(mtl, word, at, &number);
    mtl->pending.illumination = (int)clampf(number, -1, 100);
  } else if (text_equals_lower(word, "map_kd")) {
    return read_diffuse_map(mtl, at);
  } else if (text_equals_lower(word, "map_d")) {
    return read_opacity_map(mtl, at);
  } else if (!is_ignored(word)) {
    warn(mtl, "the statement ", word, " is unknown");
  }
  return true;
}

bool mtl_read(MaterialList *list, const char *path, Bytes *file) {
  Mtl mtl = {.list = list, .path = path};
  list->file = path;
  if (!text_prepare(list->model->arena.memory, file, &mtl.text)) return false;
  for (const char *at = mtl.text.start; at < mtl.text.end; at = text_skip_line(&mtl.text, at)) {
    text_reach(&mtl.text, at);
    mtl.line_start = at;
    if (!read_statement(&mtl, at)) return false;
  }
  return close_material(&mtl);
}
