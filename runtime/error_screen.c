#include "error_screen.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loaders/image.h"

static const Color SHADE = {0.045f, 0.055f, 0.085f, 0.8f}, PANEL = {0.02f, 0.025f, 0.045f, 0.85f},
                   MARK = {0.55f, 0.16f, 0.14f, 0.75f}, RED = {0.93f, 0.36f, 0.30f, 1},
                   WHITE = {0.96f, 0.96f, 0.94f, 1}, GREY = {0.66f, 0.70f, 0.78f, 1}, FAINT = {0.46f, 0.50f, 0.58f, 1};

// ------------------------------------------------------------------------------------------------- the source

// Finds `path:line:` for a file of the game.
static bool find_place(Host *host, const char *text, char path[FILES_MAX_PATH], int *line) {
  for (const char *end = text; (end = strstr(end, ".lua:")); end++) {
    const char *start = end;
    while (start > text && !isspace((unsigned char)start[-1]) && start[-1] != '<' && start[-1] != '\'')
      start--;
    size_t length = (size_t)(end - start) + 4;
    FileInfo info;
    *line = atoi(end + 5);
    if (length >= FILES_MAX_PATH || *line < 1) continue;
    memcpy(path, start, length);
    path[length] = 0;
    if (files_get_info(host->files, path, &info) && !info.is_folder) return true;
  }
  return false;
}

// Copies a line without its end; tabs become blanks.
static void copy_line(char out[ERROR_LINE_SIZE], const char *line, size_t length) {
  size_t used = 0;
  for (size_t i = 0; i < length && line[i] != '\r' && used + 3 < ERROR_LINE_SIZE; i++) {
    if (line[i] == '\t') out[used++] = ' ';
    out[used++] = line[i] == '\t' ? ' ' : line[i];
  }
  out[used] = 0;
}

static void read_excerpt(ErrorScreen *screen, Host *host) {
  Bytes bytes;
  screen->line_count = 0;
  if (!find_place(host, screen->text, screen->path, &screen->line) ||
      !files_read(host->files, screen->path, &bytes, NULL)) {
    screen->path[0] = 0;
    return;
  }
  screen->first_line = screen->line > ERROR_EXCERPT_LINES / 2 ? screen->line - ERROR_EXCERPT_LINES / 2 : 1;
  const char *at = (const char *)bytes.data, *end = at + bytes.size;
  for (int number = 1; at < end && screen->line_count < ERROR_EXCERPT_LINES; number++) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop) stop = end;
    if (number >= screen->first_line) copy_line(screen->lines[screen->line_count++], at, (size_t)(stop - at));
    at = stop + 1;
  }
  memory_free(host->memory, bytes.data);
}

// ------------------------------------------------------------------------------------------------- coming and going

void error_screen_show(ErrorScreen *screen, Host *host, const char *text, const uint8_t *pixels, int width,
                       int height) {
  // A picture that is there already is of a game that ran.
  if (!screen->picture && pixels) {
    Image image = {.width = width, .height = height, .pixels = (uint8_t *)pixels};  // it is only read
    screen->picture = renderer_upload_image(host->renderer, &image, NULL);
  }
  snprintf(screen->text, sizeof screen->text, "%s", text);
  screen->is_shown = true;
  screen->is_ctrl_down = false;
  read_excerpt(screen, host);
}

bool error_screen_restore(ErrorScreen *screen, Host *host, Error *error) {
  uint8_t black[4] = {0, 0, 0, 255};
  Image image = {.width = 1, .height = 1, .pixels = black};
  return !screen->picture || renderer_replace_image(host->renderer, screen->picture, &image, error);
}

void error_screen_hide(ErrorScreen *screen, Host *host) {
  screen->is_shown = false;
  if (screen->picture) renderer_free_texture(host->renderer, screen->picture);
  screen->picture = NULL;
}

ErrorAnswer error_screen_answer(ErrorScreen *screen, const Event *event) {
  if (event->type == EVENT_QUIT) return ERROR_ANSWER_QUIT;
  if (event->type != EVENT_KEY_DOWN && event->type != EVENT_KEY_UP) return ERROR_ANSWER_NONE;
  bool is_down = event->type == EVENT_KEY_DOWN;
  if (strcmp(event->name, "left ctrl") == 0 || strcmp(event->name, "right ctrl") == 0) screen->is_ctrl_down = is_down;
  if (!is_down || event->is_repeat) return ERROR_ANSWER_NONE;
  if (strcmp(event->name, "f5") == 0) return ERROR_ANSWER_RESTART;
  if (strcmp(event->name, "escape") == 0) return ERROR_ANSWER_QUIT;
  return screen->is_ctrl_down && strcmp(event->name, "c") == 0 ? ERROR_ANSWER_COPY : ERROR_ANSWER_NONE;
}

// ------------------------------------------------------------------------------------------------- drawing

// Where the next text goes, from top to bottom.
typedef struct Page {
  Overlay *overlay;
  float x, y, width, size;
  Error *error;
} Page;

// Writes a text, wrapped, below what is there.
static bool write_text(Page *page, const char *text, size_t length, float size, Color color) {
  TextStyle style = {.size = size, .color = color, .width = page->width};
  float width, height;
  overlay_measure(page->overlay, text, length, &style, &width, &height);
  bool is_good = overlay_text(page->overlay, text, length, page->x, page->y, &style, page->error);
  page->y += height;
  return is_good;
}

static bool write_excerpt(Page *page, const ErrorScreen *screen) {
  float line = page->size * 1.5f, height = line * (float)screen->line_count + page->size, gutter = page->size * 3.2f;
  if (screen->line_count == 0) return true;
  page->y += page->size;
  if (!overlay_rectangle(page->overlay, page->x, page->y, page->width, height, PANEL, 0, page->error)) return false;
  for (int i = 0; i < screen->line_count; i++) {
    int number = screen->first_line + i;
    bool is_here = number == screen->line;
    float y = page->y + page->size * 0.5f + line * (float)i;
    char label[16];
    snprintf(label, sizeof label, "%d", number);
    TextStyle count = {.size = page->size, .color = is_here ? WHITE : FAINT, .align = TEXT_RIGHT};
    TextStyle code = {.size = page->size, .color = is_here ? WHITE : GREY};
    const char *text = screen->lines[i];
    bool is_good =
        (!is_here || overlay_rectangle(page->overlay, page->x, y, page->width, line, MARK, 0, page->error)) &&
        overlay_text(page->overlay, label, strlen(label), page->x + gutter - page->size, y + line * 0.12f, &count,
                     page->error) &&
        overlay_text(page->overlay, text, strlen(text), page->x + gutter, y + line * 0.12f, &code, page->error);
    if (!is_good) return false;
  }
  page->y += height;
  return true;
}

// Splits the text into the message and the functions behind it.
static size_t message_length(const char *text) {
  const char *coroutine = strstr(text, "\nin a coroutine:"), *stack = strstr(text, "\nstack traceback:");
  const char *end = coroutine && (!stack || coroutine < stack) ? coroutine : stack;
  return end ? (size_t)(end - text) : strlen(text);
}

// The frames of the traceback, each on a line of its own, tabs as blanks.
static bool write_frames(Page *page, const char *frames) {
  page->y += page->size;
  for (const char *at = frames; *at;) {
    if (*at == '\n') at++;
    size_t length = strcspn(at, "\n");
    bool is_frame = *at == '\t';
    char line[256];
    snprintf(line, sizeof line, "%s%.*s", is_frame ? "    " : "", (int)(length - is_frame), at + is_frame);
    if (!write_text(page, line, strlen(line), page->size, is_frame ? GREY : FAINT)) return false;
    at += length;
  }
  return true;
}

static bool write_keys(const Page *page, const Host *host, int width, int height) {
  const char *text = host->watch ? "F5 restart      Ctrl+C copy      Esc quit      saving a file continues"
                                 : "F5 restart      Ctrl+C copy      Esc quit";
  float bar = page->size * 2.4f, y = (float)height - bar;
  TextStyle style = {.size = page->size, .color = WHITE};
  return overlay_rectangle(page->overlay, 0, y, (float)width, bar, PANEL, 0, page->error) &&
         overlay_text(page->overlay, text, strlen(text), page->x, y + page->size * 0.7f, &style, page->error);
}

bool error_screen_draw(const ErrorScreen *screen, Host *host, int width, int height, Error *error) {
  const Color NEUTRAL = {1, 1, 1, 1};
  float w = (float)width, h = (float)height, size = h / 34;
  size = size < 11 ? 11 : size > 20 ? 20 : size;
  float margin = w * 0.06f > 14 ? w * 0.06f : 14;
  Page page = {host->overlay, margin, h * 0.06f, w - 2 * margin, size, error};
  size_t length = message_length(screen->text);
  const char *title = "The game stands still: a script has failed";
  if (screen->picture && !overlay_image(page.overlay, screen->picture, 0, 0, w, h, NEUTRAL, NULL, error)) return false;
  return overlay_rectangle(page.overlay, 0, 0, w, h, SHADE, 0, error) &&
         overlay_rectangle(page.overlay, 0, 0, margin * 0.14f, h, RED, 0, error) &&
         write_text(&page, title, strlen(title), size * 0.95f, RED) && (page.y += size * 0.7f, true) &&
         write_text(&page, screen->text, length, size * 1.25f, WHITE) && write_excerpt(&page, screen) &&
         write_frames(&page, screen->text + length) && write_keys(&page, host, width, height);
}

bool error_banner_draw(Host *host, const char *text, int width, Error *error) {
  const float SIZE = 15, MARGIN = 12;
  TextStyle style = {.size = SIZE, .color = WHITE, .width = (float)width - 3 * MARGIN};
  size_t length = message_length(text);
  float text_width, text_height;
  overlay_measure(host->overlay, text, length, &style, &text_width, &text_height);
  float height = text_height + MARGIN;
  return overlay_rectangle(host->overlay, 0, 0, (float)width, height, (Color){0.05f, 0.05f, 0.08f, 0.88f}, 0, error) &&
         overlay_rectangle(host->overlay, 0, 0, 5, height, RED, 0, error) &&
         overlay_text(host->overlay, text, length, MARGIN * 1.5f, MARGIN * 0.5f, &style, error);
}
