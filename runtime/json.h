#ifndef PALFREY_JSON_H
#define PALFREY_JSON_H
// Writes JSON into a growing text. Commas come by themselves; the caller opens and closes in pairs. Starts with
// `JsonWriter json = {.out = &buffer}`; the buffer tells whether memory ran out.
#include <stdint.h>

#include "text_buffer.h"

typedef struct JsonWriter {
  TextBuffer *out;
  bool needs_comma;
} JsonWriter;

void json_begin_object(JsonWriter *json);
void json_end_object(JsonWriter *json);
void json_begin_array(JsonWriter *json);
void json_end_array(JsonWriter *json);

/// The key of the value that follows, inside an object.
void json_key(JsonWriter *json, const char *key);

/// NULL becomes null. Bytes that are not UTF-8 are taken as Latin-1.
void json_string(JsonWriter *json, const char *text);
void json_integer(JsonWriter *json, int64_t value);

/// The shortest form that reads back as the same float; what is not finite becomes null.
void json_number(JsonWriter *json, float value);
void json_bool(JsonWriter *json, bool value);

// A key with its value.
void json_string_field(JsonWriter *json, const char *key, const char *text);
void json_integer_field(JsonWriter *json, const char *key, int64_t value);
void json_number_field(JsonWriter *json, const char *key, float value);
void json_bool_field(JsonWriter *json, const char *key, bool value);

/// A key with an array of numbers.
void json_numbers_field(JsonWriter *json, const char *key, const float *values, int count);

#endif
