#include "engine/overlay.h"

#include "array.h"
#include "engine/font.h"
#include "engine/shaders.h"
#include "engine/text_layout.h"
#include "engine/texture.h"

enum {
  DEFAULT_TEXT_SIZE = 16,  // pixels
  QUADS_PER_DRAW = 8192,   // whose corners 16-bit indices can reach
};

typedef struct OverlayVertex {
  float x, y, u, v;  // pixels of the screen and of the texture
  uint8_t color[4];
} OverlayVertex;

/// A run of quads with one texture; NULL is that of the font.
typedef struct Batch {
  Texture *texture;
  int first_quad, quad_count;
} Batch;

struct Overlay {
  Memory *memory;
  Renderer *renderer;
  Gpu *gpu;
  Font *font;
  int width, height;
  ARRAY(OverlayVertex) vertices;
  ARRAY(Batch) batches;
  GpuBuffer *vertex_buffer, *index_buffer;
  bool is_uploaded;
};

static bool make_indices(Overlay *overlay, Error *error) {
  static const uint16_t CORNERS[6] = {0, 1, 2, 2, 1, 3};
  uint16_t *indices = memory_alloc_array(overlay->memory, QUADS_PER_DRAW * 6, sizeof *indices);
  if (!indices) return error_set_out_of_memory(error);
  for (int i = 0; i < QUADS_PER_DRAW * 6; i++)
    indices[i] = (uint16_t)(i / 6 * 4 + CORNERS[i % 6]);
  overlay->index_buffer =
      gpu_buffer_create(overlay->gpu, GPU_INDICES, indices, QUADS_PER_DRAW * 6 * sizeof *indices, error);
  memory_free(overlay->memory, indices);
  return overlay->index_buffer != NULL;
}

Overlay *overlay_create(Memory *memory, Renderer *renderer, Bytes font, Error *error) {
  Overlay *overlay = memory_alloc(memory, sizeof *overlay);
  if (!overlay) {
    error_set_out_of_memory(error);
    return NULL;
  }
  *overlay = (Overlay){.memory = memory, .renderer = renderer, .gpu = renderer_gpu(renderer)};
  overlay->font = font_create(memory, overlay->gpu, font, error);
  if (overlay->font && make_indices(overlay, error)) return overlay;
  overlay_free(overlay);
  return NULL;
}

void overlay_free(Overlay *overlay) {
  if (!overlay) return;
  gpu_buffer_free(overlay->gpu, overlay->vertex_buffer);
  gpu_buffer_free(overlay->gpu, overlay->index_buffer);
  font_free(overlay->font);
  array_free(overlay->memory, &overlay->vertices);
  array_free(overlay->memory, &overlay->batches);
  memory_free(overlay->memory, overlay);
}

bool overlay_restore(Overlay *overlay, Error *error) {
  gpu_buffer_free(overlay->gpu, overlay->vertex_buffer);
  gpu_buffer_free(overlay->gpu, overlay->index_buffer);
  overlay->vertex_buffer = overlay->index_buffer = NULL;
  overlay->is_uploaded = false;
  font_forget_texture(overlay->font);
  return make_indices(overlay, error);
}

void overlay_begin(Overlay *overlay, int width, int height) {
  overlay->width = width;
  overlay->height = height;
  overlay->vertices.count = overlay->batches.count = 0;
  overlay->is_uploaded = false;
  font_begin(overlay->font);
}

// --- Collecting ---

typedef struct Rectangle {
  float x, y, width, height;
} Rectangle;

static void store_color(uint8_t bytes[4], Color color) {
  const float parts[4] = {color.r, color.g, color.b, color.a};
  for (int i = 0; i < 4; i++)
    bytes[i] = (uint8_t)(clampf(parts[i], 0, 1) * 255 + 0.5f);
}

static bool add_quad(Overlay *overlay, Texture *texture, Rectangle target, Rectangle source, Color color) {
  int batch_count = overlay->batches.count;
  if (batch_count == 0 || overlay->batches.items[batch_count - 1].texture != texture) {
    Batch batch = {texture, overlay->vertices.count / 4, 0};
    if (!array_push(overlay->memory, &overlay->batches, batch)) return false;
  }
  if (!array_reserve(overlay->memory, &overlay->vertices, 4)) return false;
  overlay->batches.items[overlay->batches.count - 1].quad_count++;
  for (int i = 0; i < 4; i++) {
    float right = (float)(i & 1), down = (float)(i >> 1);
    OverlayVertex vertex = {target.x + right * target.width,
                            target.y + down * target.height,
                            source.x + right * source.width,
                            source.y + down * source.height,
                            {0}};
    store_color(vertex.color, color);
    overlay->vertices.items[overlay->vertices.count++] = vertex;
  }
  return true;
}

static bool add_solid(Overlay *overlay, Rectangle target, Color color) {
  Rectangle source = {0, 0, 0, 0};
  font_solid(overlay->font, &source.x, &source.y);
  return add_quad(overlay, NULL, target, source, color);
}

bool overlay_rectangle(Overlay *overlay, float x, float y, float width, float height, Color color, float line,
                       Error *error) {
  bool is_frame = line > 0 && line * 2 < width && line * 2 < height;
  if (!is_frame) return add_solid(overlay, (Rectangle){x, y, width, height}, color) || error_set_out_of_memory(error);
  float inner = height - 2 * line;
  bool is_added = add_solid(overlay, (Rectangle){x, y, width, line}, color) &&
                  add_solid(overlay, (Rectangle){x, y + line, line, inner}, color) &&
                  add_solid(overlay, (Rectangle){x + width - line, y + line, line, inner}, color) &&
                  add_solid(overlay, (Rectangle){x, y + height - line, width, line}, color);
  return is_added || error_set_out_of_memory(error);
}

bool overlay_image(Overlay *overlay, Texture *texture, float x, float y, float width, float height, Color color,
                   const float *source, Error *error) {
  Rectangle part = {0, 0, (float)texture->width, (float)texture->height};
  if (source) part = (Rectangle){source[0], source[1], source[2], source[3]};
  return add_quad(overlay, texture, (Rectangle){x, y, width, height}, part, color) || error_set_out_of_memory(error);
}

static int size_steps(const TextStyle *style) {
  float size = style->size > 0 ? style->size : DEFAULT_TEXT_SIZE;
  return (int)(clampf(size, 1, FONT_MAX_SIZE) * FONT_SIZE_STEPS + 0.5f);
}

typedef struct GlyphPlacer {
  Overlay *overlay;
  float x, baseline;
  Color color;
} GlyphPlacer;

// Glyphs stand on whole pixels, where they are as sharp as they were drawn.
static bool place_glyph(void *user, const Glyph *glyph, float x) {
  const GlyphPlacer *placer = user;
  if (glyph->width == 0) return true;
  Rectangle target = {floorf(placer->x + x + 0.5f) + (float)glyph->left, placer->baseline + (float)glyph->top,
                      (float)glyph->width, (float)glyph->height};
  Rectangle source = {(float)glyph->x, (float)glyph->y, (float)glyph->width, (float)glyph->height};
  return add_quad(placer->overlay, NULL, target, source, placer->color);
}

bool overlay_text(Overlay *overlay, const char *text, size_t length, float x, float y, const TextStyle *style,
                  Error *error) {
  int size = size_steps(style);
  float line_height = font_line_height(overlay->font, size), ascent = font_ascent(overlay->font, size);
  float shift = style->align == TEXT_CENTER ? 0.5f : style->align == TEXT_RIGHT ? 1 : 0;
  TextSpan rest = {text, text + length};
  TextLine line;
  for (int i = 0; text_layout_take_line(overlay->font, size, style->width, &rest, &line); i++) {
    GlyphPlacer placer = {
        .overlay = overlay,
        .x = x + shift * (style->width - line.width),
        .baseline = floorf(y + (float)i * line_height + ascent + 0.5f),
        .color = style->color,
    };
    if (!text_layout_each_glyph(overlay->font, size, line.span, place_glyph, &placer))
      return error_set_out_of_memory(error);
  }
  return font_check_memory(overlay->font, error);
}

void overlay_measure(Overlay *overlay, const char *text, size_t length, const TextStyle *style, float *width,
                     float *height) {
  int size = size_steps(style), line_count = 0;
  TextSpan rest = {text, text + length};
  TextLine line;
  *width = 0;
  while (text_layout_take_line(overlay->font, size, style->width, &rest, &line)) {
    if (line.width > *width) *width = line.width;
    line_count++;
  }
  *height = (float)line_count * font_line_height(overlay->font, size);
}

// --- Drawing ---

static bool upload(Overlay *overlay, Error *error) {
  size_t size = (size_t)overlay->vertices.count * sizeof(OverlayVertex);
  if (overlay->is_uploaded) return true;
  if (!overlay->vertex_buffer) {
    overlay->vertex_buffer = gpu_buffer_create(overlay->gpu, GPU_VERTICES, NULL, 0, error);
    if (!overlay->vertex_buffer) return false;
  }
  gpu_buffer_replace(overlay->gpu, overlay->vertex_buffer, overlay->vertices.items, size);
  overlay->is_uploaded = true;
  return true;
}

static void draw_quads(Overlay *overlay, int first, int count) {
  const int stride = sizeof(OverlayVertex);
  while (count > 0) {
    int now = count < QUADS_PER_DRAW ? count : QUADS_PER_DRAW;
    size_t start = (size_t)first * 4 * sizeof(OverlayVertex);
    GpuBuffer *buffer = overlay->vertex_buffer;
    GpuAttribute attributes[ATTRIBUTE_COUNT] = {
        [ATTRIBUTE_POSITION] = {buffer, GPU_FLOAT, 2, stride, start + offsetof(OverlayVertex, x)},
        [ATTRIBUTE_UV] = {buffer, GPU_FLOAT, 2, stride, start + offsetof(OverlayVertex, u)},
        [ATTRIBUTE_COLOR] = {buffer, GPU_BYTE_UNIT, 4, stride, start + offsetof(OverlayVertex, color)},
    };
    gpu_set_attributes(overlay->gpu, attributes, ATTRIBUTE_COUNT);
    gpu_draw(overlay->gpu, GPU_TRIANGLES, overlay->index_buffer, 0, now * 6);
    first += now;
    count -= now;
  }
}

static bool draw_batch(Overlay *overlay, const Batch *batch, Error *error) {
  GpuProgram *program = shaders_get_overlay(renderer_shaders(overlay->renderer), !batch->texture, error);
  if (!program) return false;
  int width, height;
  GpuTexture *texture;
  if (batch->texture) {
    texture_size(batch->texture, &width, &height);
    texture = batch->texture->gpu;
  } else {
    texture = font_texture(overlay->font, &width, &height, error);
    if (!texture) return false;
  }
  const float scale[4] = {2 / (float)overlay->width, -2 / (float)overlay->height, 1 / (float)width, 1 / (float)height};
  gpu_program_bind(overlay->gpu, program);
  gpu_program_set(overlay->gpu, 0, scale, 1);
  gpu_texture_bind(overlay->gpu, 0, texture, (GpuSampler){.wrap_u = GPU_CLAMP, .wrap_v = GPU_CLAMP});
  draw_quads(overlay, batch->first_quad, batch->quad_count);
  return true;
}

bool overlay_draw(Overlay *overlay, RenderStats *stats, Error *error) {
  if (overlay->batches.count == 0) return true;
  GpuCounts before = gpu_counts(overlay->gpu);
  if (!upload(overlay, error)) return false;
  gpu_set_viewport(overlay->gpu, overlay->width, overlay->height);
  gpu_set_state(overlay->gpu, &(GpuState){.blend = GPU_BLEND_ALPHA, .no_depth_test = true, .no_depth_write = true});
  for (int i = 0; i < overlay->batches.count; i++) {
    if (!draw_batch(overlay, &overlay->batches.items[i], error)) return false;
  }
  if (stats) {
    GpuCounts after = gpu_counts(overlay->gpu);
    stats->draw_calls += after.draws - before.draws;
    stats->triangles += after.triangles - before.triangles;
  }
  return true;
}
