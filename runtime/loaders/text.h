#ifndef PALFREY_LOADERS_TEXT_H
#define PALFREY_LOADERS_TEXT_H
// The lexing that OBJ and MTL share. text_prepare and text_reach bring a file into one form, in which every line ends with
// "\n" and reading never needs to ask for the end of the buffer: numbers and names stop at a line's end, and the text ends
// with some lines that are empty. Nothing depends on the locale.
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "memory.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
  TEXT_WINDOW = 63,        ///< how many characters are looked at at once
  TEXT_AHEAD = 16 * 1024,  ///< how many are brought into the one form ahead of reading
};

/// Part of a text; not ended by a NUL.
typedef struct TextSlice {
  const char *start;
  size_t length;
} TextSlice;

/// A prepared text. Lines are counted only when somebody asks, and only ever forwards.
typedef struct Text {
  const char *start;
  char *ready;  ///< the start of the first line that is not yet in the one form, or the end
  char *end;
  const char *counted;
  int line;
} Text;

typedef enum NumberKind {
  NUMBER_NONE = 0,  ///< there is none; nothing was read
  NUMBER_GOOD,
  NUMBER_WITH_JUNK,   ///< something follows directly that does not belong to it
  NUMBER_NOT_FINITE,  ///< value is 0
} NumberKind;

/// Decodes UTF-16, skips a byte order mark. May move the bytes, which stay the caller's. False without memory.
bool text_prepare(Memory *memory, Bytes *file, Text *text);

/// To be called before lines are read from the start again, so that they are counted from there.
static inline void text_rewind(Text *text) {
  text->counted = text->start;
  text->line = 1;
}

/// The function behind text_reach.
void text_make_ready(Text *text);

/// To be called with the start of every line before it is read: ends lines with "\n" (from CRLF, LF or CR) and joins
/// continued ones. Some way ahead, not in all the text: what has just been looked through is read from the cache.
static inline void text_reach(Text *text, const char *line) {
  // Memory delivers what is looked through next while this line is read. (Behind the end nothing is fetched.)
  __builtin_prefetch((const void *)((uintptr_t)line + TEXT_AHEAD));
  if (line >= text->ready) text_make_ready(text);
}

/// The number of the line, from 1 on. `at` must not go back by more than a line between calls.
int text_line_number(Text *text, const char *at);

/// Blanks within a line; the joint of a continued line ("\v") and NULs count as such.
static inline bool text_is_blank(char c) {
  return c != '\n' && (unsigned char)c <= ' ';
}

static inline bool text_is_word_end(char c) {
  return (unsigned char)c <= ' ';
}

static inline const char *text_skip_blanks(const char *at) {
  while (text_is_blank(*at))
    at++;
  return at;
}

/// Whether a statement ends here: at a line's end or a comment. `at` stands at the start of a word.
static inline bool text_is_end(const char *at) {
  return *at == '\n' || *at == '#';
}

static inline const char *text_skip_word(const char *at) {
  while (!text_is_word_end(*at))
    at++;
  return at;
}

/// The start of the next line.
const char *text_skip_line(const Text *text, const char *at);

/// The next word of the line, or an empty slice; moves `at` behind it.
TextSlice text_word(const char **at);

/// The rest of the line without blanks at its ends and without a comment.
TextSlice text_rest(const Text *text, const char *at);

/// The precision with which "%.*s" shows a text, `most` characters of it.
static inline int text_shown_length(TextSlice text, int most) {
  return text.length < (size_t)most ? (int)text.length : most;
}

bool text_equals(TextSlice slice, const char *word);

/// As text_equals, for ASCII letters of either case in the slice and a word in lower case.
bool text_equals_lower(TextSlice slice, const char *word);

/// Reads a decimal number at the start of a word, correct to the last bit of a float but for the rarest cases, and
/// moves `at` to the end of the word.
NumberKind text_number(const char **at, float *value);

/// The value of eight bytes 0 to 9, the first digit in the lowest one (D. Lemire, "Quickly parsing eight digits", 2018).
static inline uint32_t text_digits_value(uint64_t digits) {
  digits = digits * 10 + (digits >> 8);
  return (uint32_t)(((digits & 0x000000ff000000ffu) * 0x000f424000000064u +
                     ((digits >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u) >>
                    32);
}

/// Eight characters with every digit turned into its value.
static inline uint64_t text_digit_bytes(const char *at) {
  return read_u64((const uint8_t *)at) ^ 0x3030303030303030u;
}

/// The top bit of each byte of eight characters that is not a digit.
static inline uint64_t text_others_of_eight(uint64_t word) {
  uint64_t digits = word ^ 0x3030303030303030u;
  return (((digits & 0x7f7f7f7f7f7f7f7fu) + 0x7676767676767676u) | digits) & 0x8080808080808080u;
}

/// Up to eight digits at once; returns how many there are.
static inline int text_eight_digits(const char *at, uint64_t *value) {
  uint64_t word = read_u64((const uint8_t *)at);
  uint64_t digits = word ^ 0x3030303030303030u, others = text_others_of_eight(word);
  int count = 8;
  if (others) {
    count = __builtin_ctzll(others) / 8;
    if (count == 0) return *value = 0, 0;
    digits <<= 64 - 8 * count;
  }
  *value = text_digits_value(digits);
  return count;
}

#if defined(__SSE2__)
static inline uint64_t text_digit_bits_of_sixteen(const char *at) {
  // Moved up by 127 - '9', digits are the largest numbers of a byte with sign.
  __m128i moved = _mm_add_epi8(_mm_loadu_si128((const __m128i *)(const void *)at), _mm_set1_epi8(127 - '9'));
  return (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(moved, _mm_set1_epi8(127 - 10)));
}
#else
static inline uint64_t text_digit_bits_of_eight(const char *at) {
  uint64_t others = text_others_of_eight(read_u64((const uint8_t *)at));
  // The product has the eight bits side by side at its top.
  return ((others ^ 0x8080808080808080u) >> 7) * 0x0102040810204080u >> 56;
}

static inline uint64_t text_digit_bits_of_sixteen(const char *at) {
  return text_digit_bits_of_eight(at) | text_digit_bits_of_eight(at + 8) << 8;
}
#endif

/// What is no digit in the 64 characters from `at` on: a bit each, the first one lowest. Finding the ends of several
/// numbers at once is quicker than going from one to the next, where each has to wait for the one before.
static inline uint64_t text_others(const char *at) {
  return ~(text_digit_bits_of_sixteen(at) | text_digit_bits_of_sixteen(at + 16) << 16 |
           text_digit_bits_of_sixteen(at + 32) << 32 | text_digit_bits_of_sixteen(at + 48) << 48);
}

/// The place of the lowest of these bits; TEXT_WINDOW when there is none below it.
static inline int text_next_other(uint64_t others) {
  return __builtin_ctzll(others | (uint64_t)1 << TEXT_WINDOW);
}

/// Up to eight digits by their end. There must be eight characters of the text before it.
typedef struct DigitRun {
  const char *end;
  unsigned count;
} DigitRun;

/// Masks of the last bytes of eight, by how many they are.
static const uint64_t TEXT_LAST_BYTES[9] = {
    0,
    0xff00000000000000u,
    0xffff000000000000u,
    0xffffff0000000000u,
    0xffffffff00000000u,
    0xffffffffff000000u,
    0xffffffffffff0000u,
    0xffffffffffffff00u,
    0xffffffffffffffffu,
};

#if defined(__SSE2__)
// Eight bytes from each of two places.
static inline __m128i text_two_of_eight(const void *a, const void *b) {
  return _mm_castps_si128(_mm_loadh_pi(_mm_castsi128_ps(_mm_loadl_epi64(a)), b));
}

// Two runs as four numbers of four digits, in pairs.
static inline __m128i text_four_digits_of_two(DigitRun a, DigitRun b) {
  __m128i bytes = text_two_of_eight(a.end - 8, b.end - 8);
  __m128i mask = text_two_of_eight(&TEXT_LAST_BYTES[a.count], &TEXT_LAST_BYTES[b.count]);
  __m128i digits = _mm_and_si128(_mm_subs_epu8(bytes, _mm_set1_epi8('0')), mask);
  // (a + 256 b) (10 * 256 + 1) has 10 a + b in its upper byte.
  __m128i twos = _mm_srli_epi16(_mm_mullo_epi16(digits, _mm_set1_epi16(10 * 256 + 1)), 8);
  return _mm_madd_epi16(twos, _mm_set1_epi32(1 << 16 | 100));
}

/// The values of three runs at once; that of no digits is 0.
static inline void text_three_runs(DigitRun a, DigitRun b, DigitRun c, int32_t values[4]) {
  __m128i fours = _mm_packs_epi32(text_four_digits_of_two(a, b), text_four_digits_of_two(c, c));
  _mm_storeu_si128((__m128i *)(void *)values, _mm_madd_epi16(fours, _mm_set1_epi32(1 << 16 | 10000)));
}
#else
static inline int32_t text_run_value(DigitRun run) {
  return (int32_t)text_digits_value(text_digit_bytes(run.end - 8) & TEXT_LAST_BYTES[run.count]);
}

static inline void text_three_runs(DigitRun a, DigitRun b, DigitRun c, int32_t values[4]) {
  values[0] = text_run_value(a);
  values[1] = text_run_value(b);
  values[2] = text_run_value(c);
  values[3] = 0;
}
#endif

/// Reads a line's rest that is nothing but up to `limit` numbers as most files have them, like -1.25 and with up to seven
/// digits on each side of the point, with one blank in between, and moves `line` to the line's end; returns how many there
/// are. Anything else gives 0 and `line` stays.
int text_plain_numbers(const char **line, float *values, int limit);

/// Copies text into the arena as UTF-8 with a NUL: bytes that are not UTF-8 are taken as Latin-1. NULL without memory.
char *text_copy_utf8(Arena *arena, const char *text, size_t length);

#endif
