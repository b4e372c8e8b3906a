#include "loaders/image_describe.h"

#include <stdio.h>
#include <zlib.h>

/// Appends a JSON string; everything that is not printable ASCII becomes an escape. Returns the new length.
static int append_string(char *json, int length, const char *text) {
  json[length++] = '"';
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c < 0x20 || c >= 0x7F) {
      length += snprintf(json + length, 7, "\\u%04x", c);
    } else {
      if (c == '"' || c == '\\') json[length++] = '\\';
      json[length++] = (char)c;
    }
  }
  json[length++] = '"';
  return length;
}

void image_describe_json(const Image *image, char json[IMAGE_JSON_SIZE]) {
  size_t size = (size_t)image->width * (size_t)image->height * 4;
  int length = snprintf(json, IMAGE_JSON_SIZE,
                        "{\"format\":\"%s\",\"width\":%d,\"height\":%d,\"channels\":%d,\"rgba_crc32\":\"%08lx\","
                        "\"warnings\":[",
                        image->format, image->width, image->height, image->source_channels,
                        (unsigned long)crc32_z(crc32_z(0, NULL, 0), image->pixels, size));
  // At most 4 x 127 characters of 6 bytes each: they always fit.
  for (int i = 0; i < image->warning_count; i++) {
    if (i > 0) json[length++] = ',';
    length = append_string(json, length, image->warnings[i]);
  }
  snprintf(json + length, (size_t)(IMAGE_JSON_SIZE - length), "]}");
}
