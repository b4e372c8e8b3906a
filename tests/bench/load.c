// Loading models: from the bytes of a file in memory to arrays as a GPU takes them, on one thread, beside other libraries
// and beside reading and copying the file ("floor"). Rounds are interleaved and values medians of the thread's processor
// time; NAME-to-PEER is the median of the ratios of the rounds, NAME-peak the most memory that was alive, the file's own
// with it. What takes Palfrey less than a millisecond is loaded several times a round, by everyone. Every implementation's
// triangles and bounds are checked before it is timed.
//
// usage: bench_load FOLDER KNIGHT [--quick] [--only CASE] [PEER.so...]; FOLDER is where the files are made
#define _DEFAULT_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "bytes.h"
#include "load/maker.h"
#include "load/own.h"

enum { MAX_ROUNDS = 15, QUICK_ROUNDS = 5, LONG_ROUNDS = 5, MAX_PEERS = 8, MEGABYTE = 1000 * 1000, LONG_SIZE = 50 };

typedef struct Case {
  const char *name, *extension;
  int megabytes;
  MakeFile *make;  // or NULL for the knight
  bool is_alone;   // without the others: a size among several
} Case;

static const Case CASES[] = {
    // Beside the others.
    {"obj-10MB", "obj", 10, load_make_obj, false},
    {"obj-100MB", "obj", 100, load_make_obj, false},
    {"3ds-2MB", "3ds", 2, load_make_3ds, false},
    {"md2-knight", "md2", 0, NULL, false},
    {"glb-10MB", "glb", 10, load_make_glb, false},
    {"mbj-10MB", "mbj", 10, load_make_mbj, false},
    // Alone, to be set against another size.
    {"obj-1MB", "obj", 1, load_make_obj, true},
    {"obj-2MB", "obj", 2, load_make_obj, true},
    {"obj-5MB", "obj", 5, load_make_obj, true},
    {"obj-10MB-alone", "obj", 10, load_make_obj, true},
    {"obj-20MB", "obj", 20, load_make_obj, true},
    {"obj-50MB", "obj", 50, load_make_obj, true},
    {"3ds-20MB", "3ds", 20, load_make_3ds, true},
    {"3ds-40MB", "3ds", 40, load_make_3ds, true},
    {"glb-5MB", "glb", 5, load_make_glb, true},
    {"glb-10MB-alone", "glb", 10, load_make_glb, true},
    {"glb-50MB", "glb", 50, load_make_glb, true},
    {"glb-100MB", "glb", 100, load_make_glb, true},
};

enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

/// Twice the file should take twice the time; the same model made ahead far less.
static const char *const PAIRS[][2] = {
    {"obj-10MB", "mbj-10MB"},  {"obj-1MB", "obj-2MB"},   {"obj-5MB", "obj-10MB-alone"}, {"obj-10MB-alone", "obj-20MB"},
    {"obj-50MB", "obj-100MB"}, {"3ds-20MB", "3ds-40MB"}, {"glb-5MB", "glb-10MB-alone"}, {"glb-50MB", "glb-100MB"},
};

typedef struct Bench {
  const LoadPeer *peers[MAX_PEERS];  // Palfrey is the first
  int peer_count;
  const char *knight, *only;
  bool is_quick;
  double medians[CASE_COUNT];  // of Palfrey, 0 where it was not measured
} Bench;

typedef struct Input {
  const Case *test;
  char file_name[64];
  const char *path;
  void *bytes;
  size_t size;
  LoadFacts facts;
  int loads;  // a round
} Input;

static bool has_word(const char *words, const char *word) {
  char spaced[32];
  snprintf(spaced, sizeof spaced, " %s ", word);
  return strstr(words, spaced) != NULL;
}

// ---- Input

static void *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  rewind(file);
  char *bytes = end > 0 ? malloc((size_t)end) : NULL;
  *size = bytes ? fread(bytes, 1, (size_t)end, file) : 0;
  fclose(file);
  return bytes;
}

// The box of all frames and the count of triangles, from the places that the format gives (Quake II, qfiles.h).
static void tell_md2(const uint8_t *bytes, LoadFacts *facts) {
  enum { FRAME_SIZE = 16, VERTICES = 24, TRIANGLES = 32, FRAMES = 40, FRAMES_OFFSET = 56, FRAME_HEAD = 40 };
  load_facts_start(facts);
  facts->triangle_count = read_i32(bytes + TRIANGLES);
  for (int i = 0; i < read_i32(bytes + FRAMES); i++) {
    const uint8_t *frame = bytes + read_i32(bytes + FRAMES_OFFSET) + (long)i * read_i32(bytes + FRAME_SIZE);
    for (int k = 0; k < read_i32(bytes + VERTICES); k++) {
      float p[3];
      for (int axis = 0; axis < 3; axis++)
        p[axis] = frame[FRAME_HEAD + 4 * k + axis] * read_f32(frame + 4 * axis) + read_f32(frame + 12 + 4 * axis);
      load_facts_add_point(facts, p[0], p[1], p[2]);
    }
  }
}

static bool make_input(const Bench *bench, const Case *test, Input *input) {
  *input = (Input){.test = test};
  snprintf(input->file_name, sizeof input->file_name, "%s.%s", test->name, test->extension);
  if (test->make && !test->make(input->file_name, (size_t)test->megabytes * MEGABYTE, &input->facts)) return false;
  input->path = test->make ? input->file_name : bench->knight;
  input->bytes = read_file(input->path, &input->size);
  if (!input->bytes) return false;
  if (!test->make) tell_md2(input->bytes, &input->facts);
  return true;
}

// ---- Rounds

static bool is_near(const float *a, const float *b) {
  for (int i = 0; i < 3; i++) {
    if (!(fabsf(a[i] - b[i]) <= 1e-4f * (1 + fabsf(b[i])))) return false;
  }
  return true;
}

static bool check(const Input *input, const LoadPeer *peer, const void *opened) {
  LoadFacts facts;
  if (!peer->tell) return true;
  peer->tell(opened, &facts);
  const LoadFacts *expected = &input->facts;
  if (facts.triangle_count == expected->triangle_count && is_near(facts.min, expected->min) &&
      is_near(facts.max, expected->max))
    return true;
  fprintf(stderr, "bench load: %s: %s has %ld triangles in (%g %g %g)-(%g %g %g), ", input->test->name, peer->name,
          facts.triangle_count, (double)facts.min[0], (double)facts.min[1], (double)facts.min[2], (double)facts.max[0],
          (double)facts.max[1], (double)facts.max[2]);
  fprintf(stderr, "expected are %ld in (%g %g %g)-(%g %g %g)\n", expected->triangle_count, (double)expected->min[0],
          (double)expected->min[1], (double)expected->min[2], (double)expected->max[0], (double)expected->max[1],
          (double)expected->max[2]);
  return false;
}

// Loads once; the result is in milliseconds, negative when it went wrong.
static double load_once(const Input *input, const LoadPeer *peer, bool is_checked, size_t *peak) {
  void *opened = peer->open(input->bytes, input->size, input->path);
  if (!opened) return -1;
  double before = bench_thread_seconds();
  bool is_good = peer->load(opened);
  double took = 1000 * (bench_thread_seconds() - before);
  if (!is_good) fprintf(stderr, "bench load: %s: %s could not load it\n", input->test->name, peer->name);
  is_good = is_good && (!is_checked || check(input, peer, opened));
  if (peer == &LOAD_PALFREY) *peak = load_palfrey_peak(opened);
  peer->close(opened);
  return is_good ? took : -1;
}

// One round: the mean of its loads.
static double measure(const Input *input, const LoadPeer *peer, size_t *peak) {
  double sum = 0;
  for (int i = 0; i < input->loads; i++) {
    double took = load_once(input, peer, false, peak);
    if (took < 0) return took;
    sum += took;
  }
  return sum / input->loads;
}

// So many that they take a millisecond or more. The second load shows how long one takes.
static bool choose_loads(Input *input, size_t *peak) {
  enum { MOST = 100 };
  double first = load_once(input, &LOAD_PALFREY, false, peak), took = load_once(input, &LOAD_PALFREY, false, peak);
  if (first < 0 || took < 0) return false;
  input->loads = took * MOST < 1 ? MOST : (int)ceil(1 / took);
  return true;
}

static void print(const char *name, const char *suffix, const char *impl, double value, const char *unit, int rounds) {
  char what[64];
  snprintf(what, sizeof what, "%s%s", name, suffix);
  bench_print("load", what, impl, value, unit, rounds);
}

// Prints a peer's median, and Palfrey's ratio to it. `times` is sorted by this, `own` is not.
static void print_peer(const Input *input, const LoadPeer *peer, double *times, const double *own, int rounds) {
  double ratios[MAX_ROUNDS];
  for (int i = 0; i < rounds; i++)
    ratios[i] = own[i] / times[i];
  print(input->test->name, "", peer->name, bench_median(times, rounds), "ms", rounds);
  char suffix[32];
  snprintf(suffix, sizeof suffix, "-to-%s", peer->name);
  print(input->test->name, suffix, LOAD_PALFREY.name, bench_median(ratios, rounds), "x", rounds);
}

static bool run_rounds(Bench *bench, Input *input) {
  const LoadPeer *peers[MAX_PEERS];
  double times[MAX_PEERS][MAX_ROUNDS];
  int count = 0, rounds = bench->is_quick ? QUICK_ROUNDS : MAX_ROUNDS;
  size_t peak = 0;
  if (!choose_loads(input, &peak)) return false;
  if (input->test->megabytes >= LONG_SIZE) rounds = LONG_ROUNDS;
  for (int i = 0; i < (input->test->is_alone ? 1 : bench->peer_count); i++) {
    // What a peer does wrong leaves it out, what we do wrong is an error.
    if (!has_word(bench->peers[i]->formats, input->test->extension)) continue;
    if (load_once(input, bench->peers[i], true, &peak) >= 0)
      peers[count++] = bench->peers[i];
    else if (i == 0)
      return false;
  }
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < count; i++) {
      times[i][round] = measure(input, peers[i], &peak);
      if (times[i][round] < 0) return false;
    }
  }
  for (int i = 1; i < count; i++)
    print_peer(input, peers[i], times[i], times[0], rounds);
  double median = bench_median(times[0], rounds);
  bench->medians[input->test - CASES] = median;
  print(input->test->name, "", LOAD_PALFREY.name, median, "ms", rounds);
  print(input->test->name, "-peak", LOAD_PALFREY.name, (double)peak / (double)input->size, "bytes/file byte", 1);
  return true;
}

static bool run_case(Bench *bench, const Case *test) {
  if (bench->only && strcmp(bench->only, test->name) != 0) return true;
  Input input;
  bool is_good = make_input(bench, test, &input);
  if (!is_good) {
    fprintf(stderr, "bench load: %s: its file could not be made or read\n", test->name);
  } else if (!load_palfrey_can(input.bytes, input.size, input.path)) {
    fprintf(stderr, "bench load: %s is left out: there is no loader for it\n", test->name);
  } else {
    is_good = run_rounds(bench, &input);
  }
  free(input.bytes);
  return is_good;
}

static double median_of(const Bench *bench, const char *name) {
  for (int i = 0; i < CASE_COUNT; i++) {
    if (strcmp(CASES[i].name, name) == 0) return bench->medians[i];
  }
  return 0;
}

static void print_pairs(const Bench *bench) {
  for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
    double once = median_of(bench, PAIRS[i][0]), twice = median_of(bench, PAIRS[i][1]);
    char suffix[32];
    snprintf(suffix, sizeof suffix, "-to-%s", PAIRS[i][0]);
    if (once > 0 && twice > 0) print(PAIRS[i][1], suffix, LOAD_PALFREY.name, twice / once, "x", 1);
  }
}

// ---- Peers

static void add_peer(Bench *bench, const char *path) {
  void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const LoadPeer *peer = object ? dlsym(object, "LOAD_PEER") : NULL;
  if (!peer)
    fprintf(stderr, "bench load: %s is left out: %s\n", path, dlerror());
  else if (bench->peer_count < MAX_PEERS)
    bench->peers[bench->peer_count++] = peer;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s FOLDER KNIGHT [--quick] [--only CASE] [PEER.so...]\n", argv[0]);
    return 2;
  }
  Bench bench = {.peers = {&LOAD_PALFREY, &LOAD_FLOOR}, .peer_count = 2};
  bench.is_quick = bench_has_option(argc, argv, "--quick");
  char *knight = realpath(argv[2], NULL);
  bench.knight = knight;
  for (int i = 3; i < argc; i++) {
    if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
      bench.only = argv[++i];
    else if (argv[i][0] != '-')
      add_peer(&bench, argv[i]);
  }
  if (!knight || chdir(argv[1]) != 0) {
    fprintf(stderr, "bench load: %s or %s is not there\n", argv[1], argv[2]);
    return 1;
  }
  bool is_good = true;
  for (int i = 0; i < CASE_COUNT; i++)
    is_good = run_case(&bench, &CASES[i]) && is_good;
  print_pairs(&bench);
  free(knight);
  return is_good ? 0 : 1;
}
