// Start-up: from starting the process to its first frame, and its peak memory, for the runtime with the smallest game and
// for a bare program, in interleaved pairs. The ratio is the median of the ratios of the pairs.
//
// usage: bench_start PALFREY FLOOR GAME [--quick]
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

enum { MAX_ROUNDS = 31 };

typedef struct Start {
  double first_frame_ms, peak_mb;
} Start;

// Starts a program and reads its output up to the first line, which must be "first frame".
static bool run(char *const *command, Start *start) {
  int out[2];
  if (pipe(out) != 0) return false;
  double before = bench_seconds();
  pid_t child = fork();
  if (child == 0) {
    dup2(out[1], STDOUT_FILENO);
    close(out[0]);
    close(out[1]);
    execv(command[0], command);
    _exit(127);
  }
  close(out[1]);
  char line[64] = "";
  size_t used = 0;
  ssize_t got;
  while (used < sizeof line - 1 && (got = read(out[0], line + used, sizeof line - 1 - used)) > 0) {
    used += (size_t)got;
    if (strchr(line, '\n')) break;
  }
  start->first_frame_ms = 1000 * (bench_seconds() - before);
  while (read(out[0], line + sizeof line / 2, sizeof line / 2) > 0) {
  }
  close(out[0]);
  int status;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) != child) return false;
  start->peak_mb = (double)usage.ru_maxrss / 1024;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 && strncmp(line, "first frame", 11) == 0;
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: %s PALFREY FLOOR GAME [--quick]\n", argv[0]);
    return 2;
  }
  int rounds = bench_has_option(argc, argv, "--quick") ? 5 : MAX_ROUNDS;
  // Without a display both draw offscreen, by SDL's driver of that name.
  if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) setenv("SDL_VIDEODRIVER", "offscreen", 1);
  char *ours[] = {argv[1], argv[3], NULL}, *floor_command[] = {argv[2], NULL};
  double first[2][MAX_ROUNDS], peak[2][MAX_ROUNDS], ratio[MAX_ROUNDS], more[MAX_ROUNDS];
  for (int round = -1; round < rounds; round++) {  // the first pair fills the caches and does not count
    Start palfrey, bare;
    if (!run(ours, &palfrey) || !run(floor_command, &bare)) {
      fprintf(stderr, "bench start: a program did not show its first frame\n");
      return 1;
    }
    if (round < 0) continue;
    first[0][round] = palfrey.first_frame_ms;
    first[1][round] = bare.first_frame_ms;
    peak[0][round] = palfrey.peak_mb;
    peak[1][round] = bare.peak_mb;
    ratio[round] = palfrey.first_frame_ms / bare.first_frame_ms;
    more[round] = palfrey.peak_mb - bare.peak_mb;
  }
  bench_print("start", "first-frame", "palfrey", bench_median(first[0], rounds), "ms", rounds);
  bench_print("start", "first-frame", "floor", bench_median(first[1], rounds), "ms", rounds);
  bench_print("start", "first-frame-ratio", "palfrey", bench_median(ratio, rounds), "x", rounds);
  bench_print("start", "peak-memory", "palfrey", bench_median(peak[0], rounds), "MB", rounds);
  bench_print("start", "peak-memory", "floor", bench_median(peak[1], rounds), "MB", rounds);
  bench_print("start", "peak-memory-over", "palfrey", bench_median(more, rounds), "MB", rounds);
  return 0;
}
