#include <stdio.h>
#include <string.h>

#include "app.h"
#include "files.h"
#include "json.h"
#include "tools.h"
#include "zip_check.h"

typedef struct Verification {
  const Options *options;
  ZipDirectory directory;
  TextBuffer text;  // of the JSON object
  JsonWriter json;
  int fault_count;
} Verification;

static void tell_line(Verification *verification, const char *line) {
  fprintf(stderr, "%s\n", line);
  json_string(&verification->json, line);
  verification->fault_count++;
}

static void tell_fault(void *user, const ZipEntry *entry, const char *what) {
  Verification *verification = user;
  char line[1024];
  zip_fault_text(&verification->directory, entry, what, line, sizeof line);
  tell_line(verification, line);
}

// A package is a game: it starts with main.lua.
static void check_main(Verification *verification) {
  const ZipDirectory *directory = &verification->directory;
  const ZipEntry *main = zip_directory_find(directory, "main.lua", strlen("main.lua"));
  if (main && main->kind == ZIP_FILE) return;
  char what[FILES_MAX_PATH + 64] = "there is no main.lua in it";
  for (int i = 0; i < directory->count; i++) {
    const ZipEntry *entry = directory->by_name[i];
    const char *slash = strchr(entry->name, '/');
    if (!slash || strcmp(slash, "/main.lua") != 0) continue;
    snprintf(what, sizeof what, "main.lua is not at the root but at %s", entry->name);
    break;
  }
  tell_fault(verification, NULL, what);
}

static void begin_json(Verification *verification) {
  JsonWriter *json = &verification->json;
  json_begin_object(json);
  json_string_field(json, "format", "zip");
  json_integer_field(json, "entries", verification->directory.count);
  json_key(json, "faults");
  json_begin_array(json);
}

static bool check(Verification *verification, Memory *memory, Error *error) {
  ZipDirectory *directory = &verification->directory;
  bool is_read = zip_directory_read(memory, verification->options->target, FILES_MAX_ENTRIES, directory, error);
  begin_json(verification);
  if (!is_read) return false;
  check_main(verification);
  return zip_check_data(directory, tell_fault, verification, error);
}

static void print_summary(Verification *verification) {
  const ZipDirectory *directory = &verification->directory;
  int64_t packed = 0, unpacked = 0;
  int files = 0;
  for (int i = 0; i < directory->count; i++) {
    files += directory->entries[i].kind == ZIP_FILE;
    packed += directory->entries[i].packed_size;
    unpacked += directory->entries[i].size;
  }
  if (verification->fault_count == 0)
    printf("%s: ok: %d files, %.1f KB packed, %.1f KB unpacked\n", verification->options->target, files,
           (double)packed / 1024, (double)unpacked / 1024);
}

static void print_json(Verification *verification) {
  JsonWriter *json = &verification->json;
  json_end_array(json);
  json_end_object(json);
  const char *text = text_buffer_string(&verification->text);
  if (text) puts(text);
}

int tools_verify(const Options *options) {
  Memory memory = {0};
  Error error = {0};
  Verification verification = {.options = options, .text = {.memory = &memory}};
  verification.json.out = &verification.text;
  bool is_done = check(&verification, &memory, &error);
  if (!is_done) tell_line(&verification, error.text);
  if (options->has_json)
    print_json(&verification);
  else
    print_summary(&verification);
  text_buffer_free(&verification.text);
  zip_directory_free(&verification.directory);
  return verification.fault_count == 0 ? EXIT_DONE : EXIT_GAME_ERROR;
}
