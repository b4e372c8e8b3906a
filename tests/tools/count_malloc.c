// Preloaded before a program, counts its calls of the C library for memory and tells the number at the end, on standard
// error: "malloc calls: N". What the engine allocates is that number less what Lua says it asked for.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

static atomic_long calls;

void *malloc(size_t size) {
  atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
  return __libc_realloc(block, size);
}

__attribute__((destructor)) static void tell(void) {
  char text[64];
  int length = snprintf(text, sizeof text, "malloc calls: %ld\n", atomic_load(&calls));
  if (write(STDERR_FILENO, text, (size_t)length) != length) _exit(1);
}
