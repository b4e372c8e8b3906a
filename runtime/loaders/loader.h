#ifndef PALFREY_LOADERS_LOADER_H
#define PALFREY_LOADERS_LOADER_H
// From the bytes of a file to a validated Model. A loader knows one format, keeps no state of its own and may run on any
// thread. The format is picked by content, then by the file's name.
#include "loaders/model.h"

/// Reads a file a model refers to. `path` is relative to the model's folder; the callee refuses paths that leave the game.
/// The bytes belong to the caller (memory_free).
typedef bool ReadFile(void *user, const char *path, Bytes *bytes, Error *error);

typedef struct LoadRequest {
  Memory *memory;
  const char *path;  ///< of the model, for messages
  ReadFile *read;    ///< may be NULL: companion files are then missing, which is a warning
  void *read_user;
  const int *frames;  ///< which vertex frames to keep, ascending, counted in the file; NULL keeps all
  int frame_count;
  bool linear_keys;  ///< straight lines between the keys of 3DS files in place of their splines
} LoadRequest;

typedef struct Loader {
  const char *name;           ///< "md2"
  const char *extensions[3];  ///< lower case without dot, NULL after the last
  bool selects_frames;        ///< loads the request's frames only; for others that is done afterwards
  /// Whether the content can only be of this format. Formats without a signature leave it NULL.
  bool (*matches)(Bytes bytes);
  /// Fills an empty model (arena ready). A loader that keeps parts of the file adopts `file->data` into the arena, one that
  /// is done with it early frees it, and both set it to NULL; otherwise the file stays the caller's, though its bytes may
  /// have been changed and moved by memory_resize.
  /// On failure the caller frees the model.
  bool (*load)(const LoadRequest *request, Bytes *file, Model *model, Error *error);
} Loader;

extern const Loader MBJ_LOADER;
extern const Loader MD2_LOADER;
extern const Loader OBJ_LOADER;
extern const Loader TDS_LOADER;
extern const Loader GLTF_LOADER;

/// The loader for a file, or NULL with an error that names the formats there are.
const Loader *loader_find(Bytes bytes, const char *path, Error *error);

/// Loads and validates. Takes over `file` in any case. Free the result with model_free.
Model *model_load(const LoadRequest *request, Bytes file, Error *error);

/// Fills an empty model from the bytes of a file, which stay the caller's.
typedef bool ModelFill(void *user, const LoadRequest *request, Bytes file, Model *model, Error *error);

/// As model_load, for a format that no loader here knows. `format` must outlive the model.
Model *model_make(const LoadRequest *request, Bytes file, const char *format, ModelFill *fill, void *user,
                  Error *error);

#endif
