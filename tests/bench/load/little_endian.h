#ifndef PALFREY_BENCH_LOAD_LITTLE_ENDIAN_H
#define PALFREY_BENCH_LOAD_LITTLE_ENDIAN_H
// Little-endian numbers into binary files.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static inline void write_u16(FILE *file, uint32_t value) {
  putc((int)(value & 0xff), file);
  putc((int)(value >> 8 & 0xff), file);
}

static inline void write_u32(FILE *file, uint32_t value) {
  write_u16(file, value);
  write_u16(file, value >> 16);
}

static inline void write_f32(FILE *file, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  write_u32(file, bits);
}

#endif
