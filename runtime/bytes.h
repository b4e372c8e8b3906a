#ifndef PALFREY_BYTES_H
#define PALFREY_BYTES_H
// Little-endian numbers of binary files, at any alignment and on any processor. The caller has checked the bounds.
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

// Compilers do not always see that bytes put together are the number that lies there, above all not in loops.
static inline uint16_t read_u16(const uint8_t *bytes) {
  uint16_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

static inline uint32_t read_u32(const uint8_t *bytes) {
  uint32_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

static inline uint64_t read_u64(const uint8_t *bytes) {
  uint64_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

#else

static inline uint16_t read_u16(const uint8_t *bytes) {
  return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static inline uint32_t read_u32(const uint8_t *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline uint64_t read_u64(const uint8_t *bytes) {
  return read_u32(bytes) | (uint64_t)read_u32(bytes + 4) << 32;
}

#endif

/// Whether the machine's own numbers are as those of files: whole arrays can then be taken as they lie there.
static inline bool bytes_are_native(void) {
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

static inline int16_t read_i16(const uint8_t *bytes) {
  return (int16_t)read_u16(bytes);
}

static inline int32_t read_i32(const uint8_t *bytes) {
  return (int32_t)read_u32(bytes);
}

static inline float read_f32(const uint8_t *bytes) {
  uint32_t bits = read_u32(bytes);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline void put_u32(uint8_t *bytes, uint32_t value) {
  bytes[0] = (uint8_t)value;
  bytes[1] = (uint8_t)(value >> 8);
  bytes[2] = (uint8_t)(value >> 16);
  bytes[3] = (uint8_t)(value >> 24);
}

static inline void put_u64(uint8_t *bytes, uint64_t value) {
  put_u32(bytes, (uint32_t)value);
  put_u32(bytes + 4, (uint32_t)(value >> 32));
}

#endif
