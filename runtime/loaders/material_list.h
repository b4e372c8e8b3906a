#ifndef PALFREY_LOADERS_MATERIAL_LIST_H
#define PALFREY_LOADERS_MATERIAL_LIST_H
// Materials and the images they name, while a loader collects them; at the end they become the model's. A list starts with
// its model and the memory of its table set.
#include "array.h"
#include "loaders/model.h"
#include "loaders/names.h"
#include "loaders/text.h"

enum { MATERIAL_LIST_MAX = 4096 };

typedef struct MaterialList {
  Model *model;      ///< for warnings, and its arena for names
  const char *file;  ///< path below the model's folder of the file that names images; NULL for the model itself
  ARRAY(ModelMaterial) materials;
  ARRAY(ModelImage) images;
  NameTable image_paths;  ///< ids are the numbers of the images
} MaterialList;

/// The number of the image of that name, new or old, -1 when nothing is left of the name; the name is cleaned of what
/// leads out of the model's folder, of which `is_inside` tells. False without memory.
bool material_list_add_image(MaterialList *list, TextSlice written, int *image, bool *is_inside);

/// Adds the material; -1 without memory.
int material_list_add(MaterialList *list, ModelMaterial material);

/// Gives the model the materials and images. False without memory.
bool material_list_move(MaterialList *list);

void material_list_free(MaterialList *list);

/// How a file with v growing upwards lays a picture on a surface: texture coordinates are turned by `angle` (radians,
/// counter-clockwise about the picture's middle), multiplied by `scale`, and `offset` is added.
typedef struct MapPlacement {
  float scale[2], offset[2], angle;
} MapPlacement;

/// Sets the stage's transform, which works on v growing downwards.
void texture_stage_place(ModelTextureStage *stage, const MapPlacement *placement);

/// The one scale of highlights: the exponent of Blinn and Phong. OBJ's Ns is one. Percentages of 3D Studio (0 to 1) double
/// it with each tenth, 2^(10 g), so that 0 is as broad as it gets and 1 is 1024; none at all is 0.
float shininess_from_percentage(float glossiness);

#endif
