#ifndef PALFREY_LOADERS_IMAGE_DESCRIBE_H
#define PALFREY_LOADERS_IMAGE_DESCRIBE_H
// What `palfrey info` tells about an image.
#include "loaders/image.h"

enum { IMAGE_JSON_SIZE = 4096 };  ///< enough for all warnings with every character escaped

/// Writes one JSON object without a line break: format, width, height, channels of the file, the CRC-32 of the RGBA
/// bytes (top row first, as eight hexadecimal digits) and the warnings.
void image_describe_json(const Image *image, char json[IMAGE_JSON_SIZE]);

#endif
