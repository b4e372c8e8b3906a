#include "pack_script.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "files.h"
#include "path.h"

static const char *const ASSETS[] = {"md2",  "obj", "mtl", "mbj", "3ds", "m3g", "gltf", "glb", "png", "jpg",
                                     "jpeg", "gif", "bmp", "tga", "pcx", "ogg", "wav",  "ttf", NULL};

// --- The script's strings ---

typedef struct Scanner {
  const char *start, *at;
  int line;
} Scanner;

// A string in quotes; `text` is cut when it is longer than any path.
typedef struct Literal {
  char text[FILES_MAX_PATH];
  int line;
  bool is_whole;               // neither cut nor with an escape other than of a backslash
  const char *before, *after;  // what stands around the quotes
} Literal;

static void skip_to(Scanner *scanner, const char *end) {
  for (; scanner->at < end; scanner->at++) {
    if (*scanner->at == '\n') scanner->line++;
  }
}

// The level of a long bracket "[==[" that starts here, or -1.
static int long_bracket_level(const char *at) {
  if (*at != '[') return -1;
  int level = (int)strspn(at + 1, "=");
  return at[1 + level] == '[' ? level : -1;
}

static void skip_long_bracket(Scanner *scanner, int level) {
  const char *at = scanner->at + level + 2;
  for (; *at; at++) {
    if (*at != ']' || (int)strspn(at + 1, "=") != level || at[1 + level] != ']') continue;
    at += level + 2;
    break;
  }
  skip_to(scanner, at);
}

static void read_quoted(Scanner *scanner, Literal *literal) {
  char quote = *scanner->at;
  size_t length = 0;
  literal->line = scanner->line;
  literal->before = scanner->at;
  literal->is_whole = true;
  for (scanner->at++; *scanner->at && *scanner->at != quote && *scanner->at != '\n'; scanner->at++) {
    if (*scanner->at == '\\') {
      scanner->at++;
      literal->is_whole = literal->is_whole && *scanner->at == '\\';
      if (!*scanner->at || *scanner->at == '\n') break;
    }
    if (length + 1 < sizeof literal->text)
      literal->text[length++] = *scanner->at;
    else
      literal->is_whole = false;
  }
  literal->text[length] = 0;
  literal->is_whole = literal->is_whole && *scanner->at == quote;
  if (*scanner->at == quote) scanner->at++;
  literal->after = scanner->at;
}

// Passes over comments and long strings to the next string in quotes.
static bool next_literal(Scanner *scanner, Literal *literal) {
  while (*scanner->at) {
    bool is_comment = scanner->at[0] == '-' && scanner->at[1] == '-';
    if (is_comment) scanner->at += 2;
    int level = long_bracket_level(scanner->at);
    if (level >= 0) {
      skip_long_bracket(scanner, level);
    } else if (is_comment) {
      skip_to(scanner, scanner->at + strcspn(scanner->at, "\n"));
    } else if (*scanner->at == '"' || *scanner->at == '\'') {
      read_quoted(scanner, literal);
      return true;
    } else {
      skip_to(scanner, scanner->at + 1);
    }
  }
  return false;
}

// --- Which of them are paths ---

static bool is_part_of_a_path(const Scanner *scanner, const Literal *literal) {
  const char *before = literal->before, *after = literal->after + strspn(literal->after, " \t\r\n");
  while (before > scanner->start && isspace((unsigned char)before[-1]))
    before--;
  bool is_appended = before - scanner->start >= 2 && before[-1] == '.' && before[-2] == '.';
  return is_appended || strncmp(after, "..", 2) == 0;
}

// The argument of a function that makes files or asks for them; none has to be there.
static bool is_of_save_folder(const Scanner *scanner, const Literal *literal) {
  static const char *const WORDS[] = {"write", "screenshot", "remove", "exists", "getInfo"};
  const char *end = literal->before;
  while (end > scanner->start && (isspace((unsigned char)end[-1]) || end[-1] == '('))
    end--;
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
    size_t length = strlen(WORDS[i]);
    if ((size_t)(end - scanner->start) >= length && strncmp(end - length, WORDS[i], length) == 0) return true;
  }
  return false;
}

static bool names_asset(const char *path) {
  return !strpbrk(path, "%*?") && path_has_extension(path, ASSETS);
}

static void warn(PackReport *report, const char *format, ...) PRINTF_LIKE(2, 3);

static void warn(PackReport *report, const char *format, ...) {
  if (report->warning_count == PACK_MAX_WARNINGS) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(report->warnings[report->warning_count++], sizeof report->warnings[0], format, arguments);
  va_end(arguments);
}

void pack_script_check(const PackList *list, const char *script, Bytes text, PackReport *report) {
  Scanner scanner = {(const char *)text.data, (const char *)text.data, 1};
  Literal literal;
  char path[FILES_MAX_PATH];
  while (next_literal(&scanner, &literal)) {
    if (!literal.is_whole || !files_clean_path(literal.text, path, NULL) || !names_asset(path)) continue;
    if (is_part_of_a_path(&scanner, &literal) || is_of_save_folder(&scanner, &literal)) continue;
    // A skin's path can be relative to its model.
    if (pack_list_find_below(list, path, false)) continue;
    const PackEntry *other = pack_list_find_below(list, path, true);
    if (other)
      warn(report, "%s:%d: \"%s\" is written \"%s\" in the folder", script, literal.line, literal.text,
           other->path + strlen(other->path) - strlen(path));
    else
      warn(report, "%s:%d: there is no file \"%s\"", script, literal.line, literal.text);
  }
}
