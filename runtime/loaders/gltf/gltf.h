#ifndef PALFREY_LOADERS_GLTF_GLTF_H
#define PALFREY_LOADERS_GLTF_GLTF_H
// The inside of the glTF loader (Khronos Group, "glTF 2.0 Specification", 2021): gltf.c leads, json.c looks up typed
// values, buffer.c finds the bytes, accessor.c reads arrays, material.c, mesh.c, node.c and animation.c make the parts of
// the model. Nothing in the file is believed: every index, count and offset is checked where it is read.
#include <cjson/cJSON.h>

#include "array.h"
#include "loaders/companion.h"
#include "loaders/loader.h"
#include "loaders/text.h"

/// The top-level arrays, by which everything refers to everything.
typedef enum GltfTable {
  GLTF_BUFFERS = 0,
  GLTF_VIEWS,
  GLTF_ACCESSORS,
  GLTF_IMAGES,
  GLTF_SAMPLERS,
  GLTF_TEXTURES,
  GLTF_MATERIALS,
  GLTF_MESHES,
  GLTF_SKINS,
  GLTF_NODES,
  GLTF_SCENES,
  GLTF_CAMERAS,
  GLTF_ANIMATIONS,
  GLTF_LIGHTS,
  GLTF_TABLE_COUNT,
} GltfTable;

typedef struct GltfArray {
  const cJSON **items;
  int count;
} GltfArray;

enum { GLTF_OWNED_BY_FILE = -1 };

typedef struct GltfBuffer {
  uint8_t *data;
  size_t size;    ///< of what is there
  size_t length;  ///< of what the file says, not more
  int owner;      ///< the buffer that brought the bytes: itself, or one before that names the same file; or the .glb
  bool is_kept;   ///< the model points into what this buffer brought
} GltfBuffer;

/// Finds the byte a linear number is on the display without a power for each.
typedef struct GltfDisplay {
  bool is_made;
  float least[257];     ///< linear numbers from which on the byte is the index; the last is endless
  uint8_t first[1024];  ///< by 1024ths of linear numbers: a byte that is not too large
} GltfDisplay;

typedef struct Gltf {
  const LoadRequest *request;
  Model *model;
  Error *error;
  cJSON *root;
  GltfArray tables[GLTF_TABLE_COUNT];
  Bytes *file;
  const uint8_t *bin;  ///< the binary chunk of a .glb, or NULL
  size_t bin_size;
  bool is_file_kept;  ///< the model points into the file
  GltfBuffer *buffers;
  uint64_t input_bytes;  ///< of the file and all buffers
  uint64_t made;         ///< vertices and keys so far, see gltf_spend
  int *uv_sets;          ///< one a material: which set of texture coordinates its picture uses, or -1 without a picture
  int default_material;  ///< made for vertex colours that come without one; -1 until then
  bool is_quantized;     ///< KHR_mesh_quantization is declared
  GltfDisplay display;   ///< made at the first vertex colours
  int *node_numbers;     ///< of the model's nodes, by the file's; -1 for those of other scenes
  bool *is_joint;        ///< by the model's nodes
} Gltf;

/// What is at fault: "meshes[3]". Without a table it is the file as a whole.
typedef struct GltfPlace {
  const char *table;
  int index;
} GltfPlace;

static const GltfPlace GLTF_NOWHERE = {NULL, 0};

/// Sets the error, which begins with path and place; returns false.
bool gltf_fail(Gltf *gltf, GltfPlace place, const char *format, ...) PRINTF_LIKE(3, 4);
GltfPlace gltf_place(GltfTable table, int index);

// ---- json.c: values by type. A value that is not there leaves `value` as it is; one of another type is an error.

bool gltf_get_object(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, const cJSON **value);
bool gltf_get_array(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, const cJSON **value);
bool gltf_get_text(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, const char **value);
bool gltf_get_bool(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, bool *value);
bool gltf_get_number(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, float *value);
bool gltf_get_integer(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, int64_t least, int64_t most,
                      int64_t *value);
/// An array of just that many numbers.
bool gltf_get_numbers(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, int count, float *values);
/// An index into a table; stays as it is when the key is not there.
bool gltf_get_index(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, GltfTable table, int *index);
/// An array of indexes; the numbers are the caller's (memory_free).
bool gltf_get_indexes(Gltf *gltf, GltfPlace place, const cJSON *object, const char *key, GltfTable table, int **indexes,
                      int *count);
/// The object of an extension, or NULL.
bool gltf_get_extension(Gltf *gltf, GltfPlace place, const cJSON *object, const char *name, const cJSON **value);
/// The name in the file, else the kind and the number. NULL with the error set for want of memory.
const char *gltf_name(Gltf *gltf, GltfPlace place, const cJSON *object, const char *kind);

// ---- buffer.c

bool gltf_load_buffers(Gltf *gltf);
/// The bytes of a view; `stride` is 0 where the file gives none, `buffer` says whose they are.
typedef struct GltfView {
  const uint8_t *data;
  size_t size, stride;
  int buffer;
} GltfView;
bool gltf_view(Gltf *gltf, int index, GltfView *view);
/// The model will point into the buffer: it stays.
void gltf_keep(Gltf *gltf, int buffer);
/// Hands what is kept to the model and frees the rest.
bool gltf_finish_buffers(Gltf *gltf, bool is_good);
/// The bytes of "data:...;base64,": the caller's. `data` stays NULL for other addresses.
bool gltf_decode_data_uri(Gltf *gltf, GltfPlace place, const char *uri, Bytes *bytes);
/// A path below the model's folder of an address; "%20" is a blank.
bool gltf_clean_uri(Gltf *gltf, GltfPlace place, const char *uri, char path[COMPANION_MAX_PATH]);
/// The path as the address is written, for writers that do not know about percent signs; false where it is no other one.
bool gltf_raw_uri(const char *uri, const char *path, char raw[COMPANION_MAX_PATH]);

// ---- accessor.c

typedef enum GltfComponent {
  GLTF_BYTE = 5120,
  GLTF_UNSIGNED_BYTE,
  GLTF_SHORT,
  GLTF_UNSIGNED_SHORT,
  GLTF_UNSIGNED_INT = 5125,
  GLTF_FLOAT,
} GltfComponent;

/// A checked accessor: all its elements are there.
typedef struct GltfAccessor {
  GltfPlace place;
  int count, components;  ///< elements, and numbers in each
  GltfComponent type;
  bool is_normalized;
  const uint8_t *data;  ///< NULL for zeros
  size_t stride;
  int buffer;
  int sparse_count;
  const uint8_t *sparse_indexes, *sparse_values;
  GltfComponent sparse_type;
} GltfAccessor;

bool gltf_accessor(Gltf *gltf, int index, GltfAccessor *accessor);

/// What may stand where: sums of GLTF_BIT(type).
typedef struct GltfForm {
  int components, or_components;
  unsigned types;       ///< by the specification itself
  unsigned quantized;   ///< with KHR_mesh_quantization too
  bool must_normalize;  ///< integers are parts of 1
} GltfForm;
#define GLTF_BIT(type) (1u << ((type)-GLTF_BYTE))

/// Refuses an accessor of another form. Integers that are not marked as normalised where they have to be count as such.
bool gltf_expect(Gltf *gltf, GltfAccessor *accessor, const GltfForm *form, const char *what);
/// All numbers as floats, `components` an element (those beyond the accessor's own stay as they are), each element
/// `target_components` apart in `target`.
void gltf_read_floats(const GltfAccessor *accessor, int target_components, float *target);
void gltf_read_integers(const GltfAccessor *accessor, uint32_t *target);
/// The accessor's numbers as they lie in the buffer, where they are this machine's without gaps; else NULL.
const void *gltf_array_in_place(Gltf *gltf, const GltfAccessor *accessor, GltfComponent type, int components);
/// Counts what is made of the file: one that makes far more of its bytes than they are is refused.
bool gltf_spend(Gltf *gltf, GltfPlace place, uint64_t count);

// ---- The parts of the model

bool gltf_add_images(Gltf *gltf);
bool gltf_add_materials(Gltf *gltf);
bool gltf_add_meshes(Gltf *gltf);
bool gltf_add_nodes(Gltf *gltf);  ///< with skins, cameras and lights
bool gltf_add_animations(Gltf *gltf);

/// The index of a plain white material, added when first asked for.
int gltf_default_material(Gltf *gltf);
/// A linear number of the file as the display shows it (IEC 61966-2-1).
float gltf_to_display(float linear);
/// The same as bytes, for `count` colours of four numbers, the last of them opacity.
void gltf_to_display_bytes(Gltf *gltf, const float *colors, int count, uint8_t *bytes);

#endif
