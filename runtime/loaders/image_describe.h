#ifndef PALFREY_LOADERS_IMAGE_DESCRIBE_H
#define PALFREY_LOADERS_IMAGE_DESCRIBE_H
// What `palfrey info` tells about an image.
#include "loaders/image.h"
#include "text_buffer.h"

/// Writes one JSON object without a line break: format, width, height, channels of the file, the CRC-32 of the RGBA
/// bytes (top row first, as eight hexadecimal digits) and the warnings. False without memory.
bool image_describe_json(const Image *image, TextBuffer *out, Error *error);

#endif
