#include "loaders/image_describe.h"

#include <stdio.h>
#include <zlib.h>

#include "json.h"

static void write_crc(JsonWriter *json, const Image *image) {
  size_t size = (size_t)image->width * (size_t)image->height * 4;
  char text[17];
  snprintf(text, sizeof text, "%08lx", (unsigned long)crc32_z(crc32_z(0, NULL, 0), image->pixels, size));
  json_string_field(json, "rgba_crc32", text);
}

bool image_describe_json(const Image *image, TextBuffer *out, Error *error) {
  JsonWriter json = {.out = out};
  json_begin_object(&json);
  json_string_field(&json, "format", image->format);
  json_integer_field(&json, "width", image->width);
  json_integer_field(&json, "height", image->height);
  json_integer_field(&json, "channels", image->source_channels);
  write_crc(&json, image);
  json_key(&json, "warnings");
  json_begin_array(&json);
  for (int i = 0; i < image->warning_count; i++)
    json_string(&json, image->warnings[i]);
  json_end_array(&json);
  json_end_object(&json);
  return text_buffer_string(out) || error_set_out_of_memory(error);
}
