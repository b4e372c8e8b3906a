#ifndef PALFREY_PLATFORM_H
#define PALFREY_PLATFORM_H
// The one door to SDL: a window with an OpenGL ES 2.0 context, or the same offscreen, and what the user does as plain
// events. Keys have SDL's names in lower case ("space", "left shift", "a"), mouse buttons are "mouse1"..., pad buttons
// "pad:a" and pad axes "pad:leftx" as SDL's game controller names them.
#include "error.h"
#include "memory.h"

enum { PLATFORM_NAME_SIZE = 32 };

typedef enum EventType {
  EVENT_NONE = 0,
  EVENT_QUIT,
  EVENT_KEY_DOWN,    ///< name, is_repeat
  EVENT_KEY_UP,      ///< name
  EVENT_TEXT,        ///< text
  EVENT_MOUSE_MOVE,  ///< x, y, dx, dy (pixels)
  EVENT_MOUSE_DOWN,  ///< x, y, button (1 left, 2 right, 3 middle)
  EVENT_MOUSE_UP,
  EVENT_WHEEL,     ///< dx, dy
  EVENT_PAD_DOWN,  ///< id, name
  EVENT_PAD_UP,
  EVENT_PAD_AXIS,    ///< id, name, value -1..1
  EVENT_TOUCH_DOWN,  ///< id, x, y (pixels)
  EVENT_TOUCH_MOVE,
  EVENT_TOUCH_UP,
  EVENT_RESIZE,  ///< x, y: the new size
  EVENT_FOCUS,   ///< value 1 or 0
} EventType;

typedef struct Event {
  EventType type;
  char name[PLATFORM_NAME_SIZE];  ///< of key, button or axis; the text of EVENT_TEXT (cut at a whole character)
  bool is_repeat;
  int id, button;
  float x, y, dx, dy, value;
} Event;

typedef struct Platform Platform;

typedef struct PlatformDesc {
  const char *title;
  int width, height;
  bool is_headless, is_fullscreen, has_vsync;
  bool has_no_gl;  ///< no context at all (with the null GPU)
} PlatformDesc;

/// Headless uses SDL's offscreen driver (or SDL_VIDEODRIVER), or an EGL context of its own where SDL cannot; the error says
/// what was tried. Game pads are looked for after the first picture, to start sooner.
Platform *platform_create(Memory *memory, const PlatformDesc *desc, Error *error);
void platform_free(Platform *platform);

/// Whether the context is gone: it was thrown away, or could not be shown any more. Drivers that tell of it in other ways
/// tell the gpu.
bool platform_is_context_lost(const Platform *platform);

/// Makes another context current in place of a lost one, trying for a few seconds as long as the device does not answer.
bool platform_restore_context(Platform *platform, Error *error);

/// Throws the context away, as a device may do at any time: for tests.
void platform_lose_context(Platform *platform);

/// Whether a window could be opened here: false without a display server (SDL would then run unseen).
bool platform_has_display(void);

/// The next event that is waiting; false when there is none.
bool platform_poll(Platform *platform, Event *event);

/// Shows what was drawn.
void platform_present(Platform *platform);

/// Whether a picture would be seen: not while the window is minimised or hidden. Headless pictures always are.
bool platform_is_seen(const Platform *platform);

/// The size of the picture in pixels. A window that has none counts as 1 x 1.
void platform_get_size(const Platform *platform, int *width, int *height);
void platform_set_fullscreen(Platform *platform, bool on);
void platform_set_mouse_captured(Platform *platform, bool on);

/// Puts a text on the clipboard, where there is one.
void platform_set_clipboard(const char *text);

/// The address of a GL function of an extension, or NULL.
void *platform_gl_function(const char *name);

/// Whether a key, pad button or pad axis of that name exists (the latter two without "pad:").
bool platform_is_key(const char *name);
bool platform_is_pad_button(const char *name);
bool platform_is_pad_axis(const char *name);

/// Seconds since some start, for pacing and measuring only; never for the simulation.
double platform_seconds(void);
/// Sleeps for at least that long.
void platform_sleep(double seconds);
size_t platform_peak_rss_kb(void);

#endif
