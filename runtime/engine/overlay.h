#ifndef PALFREY_ENGINE_OVERLAY_H
#define PALFREY_ENGINE_OVERLAY_H
// The 2D overlay: text, rectangles and images in pixels from the top left, collected while Lua draws and drawn in one go
// over the picture, in the order of the calls. What was collected stays until the next overlay_begin, so that a frame can
// be drawn again; textures in it must live as long.
#include "engine/render.h"

typedef struct Overlay Overlay;

typedef enum TextAlign { TEXT_LEFT = 0, TEXT_CENTER, TEXT_RIGHT } TextAlign;

typedef struct TextStyle {
  float size;  ///< from the top of the highest letter to the bottom of the lowest, pixels; 0 is 16
  Color color;
  TextAlign align;  ///< within `width`, or around x when width is 0
  float width;      ///< text is wrapped at blanks to this width, words that are wider inside; 0 never wraps
} TextStyle;

/// `font` are the bytes of a TrueType file, which must outlive the overlay.
Overlay *overlay_create(Memory *memory, Renderer *renderer, Bytes font, Error *error);
void overlay_free(Overlay *overlay);

/// After gpu_restore: makes what is on the GPU again. What was collected stays.
bool overlay_restore(Overlay *overlay, Error *error);

/// Forgets what was collected and starts a frame of this size.
void overlay_begin(Overlay *overlay, int width, int height);

/// UTF-8; bytes that are none show as the replacement character. Lines end at "\n". Fails only for lack of memory.
bool overlay_text(Overlay *overlay, const char *text, size_t length, float x, float y, const TextStyle *style,
                  Error *error);

/// The size of a text as overlay_text would draw it.
void overlay_measure(Overlay *overlay, const char *text, size_t length, const TextStyle *style, float *width,
                     float *height);

/// Filled, or a frame of `line` pixels when line > 0.
bool overlay_rectangle(Overlay *overlay, float x, float y, float width, float height, Color color, float line,
                       Error *error);

/// `source` is a part of the texture in pixels: x, y, width, height; NULL the whole.
bool overlay_image(Overlay *overlay, Texture *texture, float x, float y, float width, float height, Color color,
                   const float *source, Error *error);

/// Draws what was collected over the current target.
bool overlay_draw(Overlay *overlay, RenderStats *stats, Error *error);

#endif
