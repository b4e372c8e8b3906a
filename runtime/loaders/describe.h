#ifndef PALFREY_LOADERS_DESCRIBE_H
#define PALFREY_LOADERS_DESCRIBE_H
// What `palfrey info` tells about a model. See image_describe.h for images.
#include "json.h"
#include "loaders/model.h"

typedef struct ImageSize {
  int width, height;
} ImageSize;

/// What the model itself does not know. Zero means nothing is known.
typedef struct DescribeOptions {
  bool has_frame;
  int frame;  ///< with has_frame: of vertex animation, whose box is told in place of that of all frames
  bool has_time;
  float time;        ///< with has_time: seconds, of the tracks' own time or into a clip of frames
  const char *clip;  ///< that the time is of; NULL for the first
  size_t file_bytes, gpu_bytes, texture_bytes;
  const ImageSize *image_sizes;  ///< one for each of the model's images, or NULL
} DescribeOptions;

/// Writes one JSON object. False with an error when the frame or the clip does not exist or memory runs out.
bool model_describe_json(const Model *model, const DescribeOptions *options, TextBuffer *out, Error *error);

/// The same for people, in lines. False with an error as above.
bool model_describe_text(const Model *model, const DescribeOptions *options, TextBuffer *out, Error *error);

#endif
