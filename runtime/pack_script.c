#include "pack_script.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "files.h"
#include "pack_kind.h"
#include "pack_references.h"
#include "path.h"

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

// Whether the string is the first argument of one of these functions; the list ends with NULL.
static bool is_argument_of(const Scanner *scanner, const Literal *literal, const char *const *functions) {
  const char *end = literal->before;
  while (end > scanner->start && (isspace((unsigned char)end[-1]) || end[-1] == '('))
    end--;
  for (; *functions; functions++) {
    size_t length = strlen(*functions);
    const char *start = end - length;
    if ((size_t)(end - scanner->start) < length || strncmp(start, *functions, length) != 0) continue;
    if (start == scanner->start || !(isalnum((unsigned char)start[-1]) || start[-1] == '_')) return true;
  }
  return false;
}

// Functions that make files or ask for them; none has to be there.
static const char *const OF_SAVE_FOLDER[] = {"write", "screenshot", "remove", "exists", "getInfo", "save", NULL};
static const char *const REQUIRE[] = {"require", NULL};

// As the runtime looks for a module: a.b is a/b.lua or a/b/init.lua.
static const PackEntry *find_module(const PackList *list, const char *name, bool any_case) {
  char slashed[FILES_MAX_PATH], path[FILES_MAX_PATH + 16];
  snprintf(slashed, sizeof slashed, "%s", name);
  for (char *c = slashed; *c; c++) {
    if (*c == '.') *c = '/';
  }
  const PackEntry *entry = NULL;
  for (int i = 0; i < 2 && !entry; i++) {
    int length =
        i == 0 ? snprintf(path, sizeof path, "%s.lua", slashed) : snprintf(path, sizeof path, "%s/init.lua", slashed);
    entry = length > 0 ? pack_list_find(list, path, any_case) : NULL;
  }
  return entry;
}

static void check_module(const PackList *list, const char *script, const Literal *literal, PackReport *report) {
  if (strcmp(literal->text, "palfrey") == 0 || find_module(list, literal->text, false)) return;
  const PackEntry *other = find_module(list, literal->text, true);
  if (other)
    pack_warn(report, "%s:%d: require \"%s\", but the file is written \"%s\"", script, literal->line, literal->text,
              other->path);
  else
    pack_warn(report, "%s:%d: there is no module \"%s\"", script, literal->line, literal->text);
}

static void check_path(const PackList *list, const char *script, const Literal *literal, PackReport *report) {
  char path[FILES_MAX_PATH];
  if (!files_clean_path(literal->text, path, NULL) || strpbrk(path, "%*?")) return;
  // Levels and data that are missing may be saved by the game itself.
  static const char *const SAVED[] = {"lua", "bin", NULL};
  PackKind kind = pack_kind_of(path);
  // A skin's path can be relative to its model.
  if (!(pack_kind_is_asset(kind) || kind == PACK_SCRIPTS) || pack_list_find_below(list, path, false)) return;
  const PackEntry *other = pack_list_find_below(list, path, true);
  if (other)
    pack_warn(report, "%s:%d: \"%s\" is written \"%s\" in the folder", script, literal->line, literal->text,
              other->path + strlen(other->path) - strlen(path));
  else if (!path_has_extension(path, SAVED))
    pack_warn(report, "%s:%d: there is no file \"%s\"", script, literal->line, literal->text);
}

void pack_script_check(PackList *list, const char *script, Bytes text, PackReport *report) {
  Scanner scanner = {(const char *)text.data, (const char *)text.data, 1};
  Literal literal;
  while (next_literal(&scanner, &literal)) {
    bool is_part = is_part_of_a_path(&scanner, &literal);
    pack_references_in_literal(list, literal.text);
    if (!literal.is_whole || is_part) continue;
    if (is_argument_of(&scanner, &literal, REQUIRE))
      check_module(list, script, &literal, report);
    else if (!is_argument_of(&scanner, &literal, OF_SAVE_FOLDER))
      check_path(list, script, &literal, report);
  }
}
