#include "hash.h"

#include "bytes.h"

static const uint64_t PRIME_1 = 0x9e3779b185ebca87u, PRIME_2 = 0xc2b2ae3d27d4eb4fu, PRIME_3 = 0x165667b19e3779f9u,
                      PRIME_4 = 0x85ebca77c2b2ae63u, PRIME_5 = 0x27d4eb2f165667c5u;

static uint64_t rotate(uint64_t x, int bits) {
  return x << bits | x >> (64 - bits);
}

static uint64_t add_word(uint64_t lane, uint64_t word) {
  return rotate(lane + word * PRIME_2, 31) * PRIME_1;
}

static uint64_t merge_lane(uint64_t hash, uint64_t lane) {
  return (hash ^ add_word(0, lane)) * PRIME_1 + PRIME_4;
}

// Four lanes of eight bytes each, so that the processor works on them side by side.
static uint64_t hash_stripes(const uint8_t **at, const uint8_t *end) {
  uint64_t lanes[4] = {PRIME_1 + PRIME_2, PRIME_2, 0, 0 - PRIME_1};
  for (; end - *at >= 32; *at += 32) {
    for (int i = 0; i < 4; i++)
      lanes[i] = add_word(lanes[i], read_u64(*at + 8 * i));
  }
  uint64_t hash = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) + rotate(lanes[3], 18);
  for (int i = 0; i < 4; i++)
    hash = merge_lane(hash, lanes[i]);
  return hash;
}

uint64_t hash_bytes(Bytes bytes) {
  const uint8_t *at = bytes.data, *end = at + bytes.size;
  uint64_t hash = (bytes.size >= 32 ? hash_stripes(&at, end) : PRIME_5) + bytes.size;
  for (; end - at >= 8; at += 8)
    hash = rotate(hash ^ add_word(0, read_u64(at)), 27) * PRIME_1 + PRIME_4;
  for (; end - at >= 4; at += 4)
    hash = rotate(hash ^ read_u32(at) * PRIME_1, 23) * PRIME_2 + PRIME_3;
  for (; at < end; at++)
    hash = rotate(hash ^ *at * PRIME_5, 11) * PRIME_1;
  hash = (hash ^ hash >> 33) * PRIME_2;
  hash = (hash ^ hash >> 29) * PRIME_3;
  return hash ^ hash >> 32;
}
