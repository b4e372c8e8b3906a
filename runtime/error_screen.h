#ifndef PALFREY_ERROR_SCREEN_H
#define PALFREY_ERROR_SCREEN_H
// What a window shows when a script has failed: the message, the lines of source around the place, and the functions that
// were at work, over the last good picture. The game stands still meanwhile.
#include "bindings/host.h"

enum { ERROR_EXCERPT_LINES = 7, ERROR_LINE_SIZE = 160 };

typedef struct ErrorScreen {
  bool is_shown;
  char text[8192];
  char path[FILES_MAX_PATH];  ///< of the excerpt, or ""
  int line;                   ///< where the error is, from 1
  int first_line, line_count;
  char lines[ERROR_EXCERPT_LINES][ERROR_LINE_SIZE];
  Texture *picture;  ///< or NULL
  bool is_ctrl_down;
} ErrorScreen;

typedef enum ErrorAnswer {
  ERROR_ANSWER_NONE = 0,
  ERROR_ANSWER_RESTART,  ///< F5
  ERROR_ANSWER_COPY,     ///< Ctrl+C
  ERROR_ANSWER_QUIT,     ///< Esc, or the window was closed
} ErrorAnswer;

/// `pixels` are the last good picture, RGBA with the top row first, or NULL.
void error_screen_show(ErrorScreen *screen, Host *host, const char *text, const uint8_t *pixels, int width, int height);
void error_screen_hide(ErrorScreen *screen, Host *host);

/// After renderer_restore: what was behind the text is gone, and black from now on.
bool error_screen_restore(ErrorScreen *screen, Host *host, Error *error);

/// Puts the screen into the overlay.
bool error_screen_draw(const ErrorScreen *screen, Host *host, int width, int height, Error *error);

/// What the user wants by an event.
ErrorAnswer error_screen_answer(ErrorScreen *screen, const Event *event);

/// Puts a message about files that could not be loaded again over the running game.
bool error_banner_draw(Host *host, const char *text, int width, Error *error);

#endif
