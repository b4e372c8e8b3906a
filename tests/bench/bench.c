#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double clock_seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_seconds(void) {
  return clock_seconds(CLOCK_MONOTONIC);
}

double bench_thread_seconds(void) {
  return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

static int compare_doubles(const void *a, const void *b) {
  double first = *(const double *)a, second = *(const double *)b;
  return (first > second) - (first < second);
}

double bench_median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare_doubles);
  return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

void bench_print(const char *bench, const char *name, const char *impl, double value, const char *unit, int rounds) {
  printf("{\"bench\":\"%s\",\"case\":\"%s\",\"impl\":\"%s\",\"value\":%.6g,\"unit\":\"%s\",\"rounds\":%d}\n", bench,
         name, impl, value, unit, rounds);
  fflush(stdout);
}

bool bench_has_option(int argc, char **argv, const char *option) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], option) == 0) return true;
  }
  return false;
}
