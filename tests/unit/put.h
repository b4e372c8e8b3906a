#ifndef PALFREY_TESTS_PUT_H
#define PALFREY_TESTS_PUT_H
// Little-endian numbers into the bytes of files made by hand; see bytes.h for put_u32.
#include "bytes.h"

static inline void put_u16(uint8_t *bytes, uint32_t value) {
  bytes[0] = (uint8_t)value;
  bytes[1] = (uint8_t)(value >> 8);
}

static inline void put_f32(uint8_t *bytes, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_u32(bytes, bits);
}

#endif
