// Hot reload: from the moment at which an editor is done with a file to its new code running, in a game that draws at 60 Hz.
// The file is written by truncation or by renaming another over it, at times that have nothing to do with the game's.
//
// usage: bench_reload PALFREY FOLDER [--quick]; the folder is made, and removed at the end.
#define _DEFAULT_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

enum { MAX_ROUNDS = 200, PATH_SIZE = 1024 };

static const char GAME[] =
    "palfrey.log('version', %d)\n"
    "local state = { count = 0 }\n"
    "function palfrey.load() palfrey.newWorld {} end\n"
    "function palfrey.update() state.count = state.count + 1 end\n";

typedef struct Bench {
  char path[PATH_SIZE], beside[PATH_SIZE];
  pid_t child;
  FILE *output;
} Bench;

static void sleep_ms(double ms) {
  struct timespec time = {(time_t)(ms / 1000), (long)(ms * 1e6) % 1000000000};
  nanosleep(&time, NULL);
}

static bool write_game(const char *path, int version) {
  FILE *file = fopen(path, "w");
  if (!file) return false;
  fprintf(file, GAME, version);
  return fclose(file) == 0;
}

static bool start(Bench *bench, const char *program, const char *folder) {
  int out[2];
  if (!write_game(bench->path, 0) || pipe(out) != 0) return false;
  bench->child = fork();
  if (bench->child == 0) {
    dup2(out[1], STDERR_FILENO);
    close(out[0]);
    execl(program, program, folder, (char *)NULL);
    _exit(127);
  }
  close(out[1]);
  bench->output = fdopen(out[0], "r");
  return bench->child > 0 && bench->output;
}

// Waits for the line that says that a version runs; false when another line comes.
static bool await(Bench *bench, int version) {
  char line[256], wanted[64];
  snprintf(wanted, sizeof wanted, "version\t%d", version);
  return fgets(line, sizeof line, bench->output) && strstr(line, wanted);
}

static double change(Bench *bench, int version, bool renames) {
  bool is_written = write_game(renames ? bench->beside : bench->path, version);
  if (renames && is_written) is_written = rename(bench->beside, bench->path) == 0;
  double done = bench_seconds();
  return is_written && await(bench, version) ? 1000 * (bench_seconds() - done) : -1;
}

static bool measure(Bench *bench, int rounds, bool renames, int *version) {
  double times[MAX_ROUNDS], worst = 0;
  for (int i = 0; i < rounds; i++) {
    sleep_ms(20 + rand() % 60);
    times[i] = change(bench, ++*version, renames);
    if (times[i] < 0) return false;
    if (times[i] > worst) worst = times[i];
  }
  const char *name = renames ? "rename" : "write";
  char worst_name[32];
  snprintf(worst_name, sizeof worst_name, "%s-worst", name);
  bench_print("reload", name, "palfrey", bench_median(times, rounds), "ms", rounds);
  bench_print("reload", worst_name, "palfrey", worst, "ms", rounds);
  return true;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s PALFREY FOLDER [--quick]\n", argv[0]);
    return 2;
  }
  int rounds = bench_has_option(argc, argv, "--quick") ? 20 : MAX_ROUNDS, version = 0;
  if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) setenv("SDL_VIDEODRIVER", "offscreen", 1);
  Bench bench = {.child = -1};
  mkdir(argv[2], 0755);
  snprintf(bench.path, sizeof bench.path, "%s/main.lua", argv[2]);
  snprintf(bench.beside, sizeof bench.beside, "%s/.main.lua.part", argv[2]);
  bool is_good = start(&bench, argv[1], argv[2]) && await(&bench, 0) && measure(&bench, rounds, false, &version) &&
                 measure(&bench, rounds, true, &version);
  if (bench.child > 0) kill(bench.child, SIGTERM);
  if (bench.child > 0) waitpid(bench.child, NULL, 0);
  remove(bench.path);
  rmdir(argv[2]);
  if (!is_good) fprintf(stderr, "bench reload: the game did not run the new code\n");
  return is_good ? 0 : 1;
}
