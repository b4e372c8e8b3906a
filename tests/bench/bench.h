#ifndef PALFREY_BENCH_BENCH_H
#define PALFREY_BENCH_BENCH_H
// What all benchmarks share: time, medians and the one line of JSON a result is.
#include <stdbool.h>
#include <stddef.h>

/// Seconds of the wall clock.
double bench_seconds(void);

/// Seconds of processor time of this thread.
double bench_thread_seconds(void);

/// The median; sorts `values`.
double bench_median(double *values, int count);

/// {"bench":...,"case":...,"impl":...,"value":...,"unit":...,"rounds":...}
void bench_print(const char *bench, const char *name, const char *impl, double value, const char *unit, int rounds);

bool bench_has_option(int argc, char **argv, const char *option);

#endif
