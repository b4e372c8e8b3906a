#include "app_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "default_font.h"
#include "json.h"
#include "platform.h"

void frame_times_add(FrameTimes *times, double seconds) {
  if (times->seconds.capacity == 0 && !array_reserve(times->memory, &times->seconds, FRAME_TIMES_KEPT)) return;
  if (times->seconds.count < times->seconds.capacity) times->seconds.items[times->seconds.count++] = (float)seconds;
}

void frame_times_free(FrameTimes *times, Memory *memory) {
  array_free(memory, &times->seconds);
}

void hit_tally_add(HitTally *tally, const char *name) {
  int at = 0;
  while (at < tally->entry_count && strcmp(tally->entries[at].name, name) != 0)
    at++;
  if (at == (int)(sizeof tally->entries / sizeof *tally->entries)) return;
  if (at == tally->entry_count)
    snprintf(tally->entries[tally->entry_count++].name, sizeof tally->entries[0].name, "%s", name);
  tally->entries[at].count++;
}

void report_json(const RunReport *report) {
  char hash[17];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)report->state_hash);
  Memory memory = {0};
  TextBuffer out = {.memory = &memory};
  JsonWriter json = {.out = &out};
  json_begin_object(&json);
  json_integer_field(&json, "frames", report->steps);
  json_number_field(&json, "seconds", (float)report->seconds);
  json_string_field(&json, "state_hash", hash);
  json_integer_field(&json, "draw_calls", report->stats.draw_calls);
  json_integer_field(&json, "triangles", report->stats.triangles);
  json_integer_field(&json, "lua_kb", report->lua_kb);
  json_integer_field(&json, "engine_kb", report->engine_kb);
  json_integer_field(&json, "lua_allocations", report->lua_allocations);
  json_integer_field(&json, "peak_rss_kb", (int64_t)platform_peak_rss_kb());
  json_key(&json, "errors");
  json_begin_array(&json);
  if (report->failure) json_string(&json, report->failure);
  json_end_array(&json);
  json_end_object(&json);
  const char *object = text_buffer_string(&out);
  if (object) puts(object);
  text_buffer_free(&out);
}

static int compare_floats(const void *a, const void *b) {
  float first = *(const float *)a, second = *(const float *)b;
  return (first > second) - (first < second);
}

void report_stats(const RunReport *report, FrameTimes *times, const HitTally *hits, const Assets *assets) {
  int count = times->seconds.count;
  float *sorted = times->seconds.items;
  if (count > 0) {
    qsort(sorted, (size_t)count, sizeof *sorted, compare_floats);
    fprintf(stderr, "frames:   %lld in %.1f s of game time\n", (long long)report->steps, report->seconds);
    fprintf(stderr, "times:    median %.2f ms, 99th percentile %.2f ms, worst %.2f ms\n",
            1000 * (double)sorted[count / 2], 1000 * (double)sorted[(int)((double)count * 0.99)],
            1000 * (double)sorted[count - 1]);
  }
  fprintf(stderr, "drawn:    %d draw calls, %d triangles in the last frame\n", report->stats.draw_calls,
          report->stats.triangles);
  fprintf(stderr, "hit:      ");
  for (int i = 0; i < hits->entry_count; i++)
    fprintf(stderr, "%s%s %d times", i > 0 ? ", " : "", hits->entries[i].name, hits->entries[i].count);
  fprintf(stderr, "%s\n", hits->entry_count == 0 ? "nobody" : "");
  AssetBytes bytes = assets_count_bytes(assets);
  fprintf(stderr, "assets:   %zu KB models, %zu KB on the GPU, %zu KB textures\n", bytes.models / 1024,
          bytes.gpu / 1024, bytes.textures / 1024);
  fprintf(stderr, "memory:   %d KB engine, %d KB Lua, %zu KB peak of the process\n", report->engine_kb, report->lua_kb,
          platform_peak_rss_kb());
}

Bytes app_default_font(void) {
  // The overlay only reads it.
  return (Bytes){(uint8_t *)default_font[0].data, default_font[0].size};
}
