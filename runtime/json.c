#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

static void append_text(JsonWriter *json, const char *text) {
  text_buffer_append_string(json->out, text);
}

static void begin_value(JsonWriter *json) {
  if (json->needs_comma) append_text(json, ",");
  json->needs_comma = true;
}

static void begin(JsonWriter *json, const char *bracket) {
  begin_value(json);
  append_text(json, bracket);
  json->needs_comma = false;
}

static void end(JsonWriter *json, const char *bracket) {
  append_text(json, bracket);
  json->needs_comma = true;
}

void json_begin_object(JsonWriter *json) {
  begin(json, "{");
}

void json_end_object(JsonWriter *json) {
  end(json, "}");
}

void json_begin_array(JsonWriter *json) {
  begin(json, "[");
}

void json_end_array(JsonWriter *json) {
  end(json, "]");
}

void json_key(JsonWriter *json, const char *key) {
  json_string(json, key);
  append_text(json, ":");
  json->needs_comma = false;
}

static void append_character(JsonWriter *json, const char *text, size_t length) {
  unsigned char c = (unsigned char)text[0];
  if (c == '"' || c == '\\')
    text_buffer_append_format(json->out, "\\%c", c);
  else if (c < 0x20 || length == 0)
    text_buffer_append_format(json->out, "\\u%04x", c);
  else
    text_buffer_append(json->out, text, length);
}

void json_string(JsonWriter *json, const char *text) {
  begin_value(json);
  if (!text) {
    append_text(json, "null");
    return;
  }
  append_text(json, "\"");
  for (size_t left = strlen(text); left > 0;) {
    size_t length = utf8_sequence_length(text, left), step = length ? length : 1;
    append_character(json, text, length);
    text += step;
    left -= step;
  }
  append_text(json, "\"");
}

void json_integer(JsonWriter *json, int64_t value) {
  begin_value(json);
  text_buffer_append_format(json->out, "%lld", (long long)value);
}

void json_number(JsonWriter *json, float value) {
  char text[32] = "null";
  value += 0;  // -0 becomes 0
  for (int digits = 6; isfinite(value) && digits <= 9; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, (double)value);
    if (strtof(text, NULL) == value) break;
  }
  // Somebody may have set a locale with another decimal point.
  char *comma = strchr(text, ',');
  if (comma) *comma = '.';
  begin_value(json);
  append_text(json, text);
}

void json_bool(JsonWriter *json, bool value) {
  begin_value(json);
  append_text(json, value ? "true" : "false");
}

void json_string_field(JsonWriter *json, const char *key, const char *text) {
  json_key(json, key);
  json_string(json, text);
}

void json_integer_field(JsonWriter *json, const char *key, int64_t value) {
  json_key(json, key);
  json_integer(json, value);
}

void json_number_field(JsonWriter *json, const char *key, float value) {
  json_key(json, key);
  json_number(json, value);
}

void json_bool_field(JsonWriter *json, const char *key, bool value) {
  json_key(json, key);
  json_bool(json, value);
}

void json_numbers_field(JsonWriter *json, const char *key, const float *values, int count) {
  json_key(json, key);
  json_begin_array(json);
  for (int i = 0; i < count; i++)
    json_number(json, values[i]);
  json_end_array(json);
}
