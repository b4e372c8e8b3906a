#include "loaders/text.h"

#include <math.h>
#include <string.h>

#include "utf8.h"

enum {
  // What the reading of many characters at once may touch past the text's end.
  PADDING = TEXT_WINDOW + 9,
  // The most digits that a mantissa of 64 bits takes for certain.
  MANTISSA_DIGITS = 19,
  // The most that a double holds for certain.
  EXACT_DIGITS = 15,
  EXPONENT_LIMIT = 9999,
};

// ---- Preparing

static uint32_t utf16_unit(const uint8_t *bytes, bool is_big) {
  return is_big ? (uint32_t)(bytes[0] << 8 | bytes[1]) : (uint32_t)(bytes[1] << 8 | bytes[0]);
}

static uint8_t *put_utf8(uint8_t *out, uint32_t c) {
  if (c < 0x80) {
    *out++ = (uint8_t)c;
    return out;
  }
  int continuation_count = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  static const uint8_t FIRST[4] = {0, 0xc0, 0xe0, 0xf0};
  *out++ = (uint8_t)(FIRST[continuation_count] | c >> (6 * continuation_count));
  while (continuation_count-- > 0)
    *out++ = (uint8_t)(0x80 | (c >> (6 * continuation_count) & 0x3f));
  return out;
}

static bool decode_utf16(Memory *memory, Bytes *file, bool is_big) {
  uint8_t *decoded = memory_resize(memory, NULL, file->size / 2 * 3 + PADDING);
  if (!decoded) return false;
  uint8_t *out = decoded;
  for (size_t i = 2; i + 1 < file->size; i += 2) {
    uint32_t unit = utf16_unit(file->data + i, is_big);
    bool is_high = unit >= 0xd800 && unit < 0xdc00;
    uint32_t low = is_high && i + 3 < file->size ? utf16_unit(file->data + i + 2, is_big) : 0;
    if (is_high && low >= 0xdc00 && low < 0xe000) {
      unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
      i += 2;
    } else if (unit >= 0xd800 && unit < 0xe000) {
      unit = 0xfffd;
    }
    out = put_utf8(out, unit);
  }
  memory_free(memory, file->data);
  *file = (Bytes){decoded, (size_t)(out - decoded)};
  return true;
}

static void unify_line_ends(char *text, const char *end) {
  for (; text < end; text++) {
    char ending = text[1] == '\n' ? ' ' : '\n';
    *text = *text == '\r' ? ending : *text;
  }
}

static bool is_comment_line(const char *start, const char *at) {
  while (at > start && at[-1] != '\n' && at[-1] != '\v')
    at--;
  return *text_skip_blanks(at) == '#';
}

// A "\" at a line's end becomes a blank and the line's end a "\v", so that lines can still be counted.
static void join_continued_lines(char *text, const char *end) {
  for (char *at = text; at < end && (at = memchr(at, '\\', (size_t)(end - at))); at++) {
    char *after = at + 1;
    while (text_is_blank(*after))
      after++;
    if (*after != '\n' || is_comment_line(text, at)) continue;
    *at = ' ';
    *after = '\v';
  }
}

// The start of the line that `end` stands in, looked for no further back than `start`.
static char *last_line(char *start, const char *end) {
  char *line = start + (end - start);
  while (line > start && line[-1] != '\n')
    line--;
  return line;
}

void text_make_ready(Text *text) {
  char *start = text->ready;
  const char *at = start;
  while (text->ready < text->end && text->ready == start) {
    size_t length = text->end - at < TEXT_AHEAD ? (size_t)(text->end - at) : TEXT_AHEAD;
    if (memchr(at, '\r', length) || memchr(at, '\\', length)) {
      unify_line_ends(start, text->end);
      join_continued_lines(start, text->end);
      // A continuation may have swallowed the end that the text's last line had; there is more padding behind it.
      *text->end = '\n';
      length = (size_t)(text->end - at);
    }
    // What is before this block holds no line's end: a long line is not searched again and again.
    char *line = last_line(start + (at - start), at + length);
    at += length;
    if (line > at - length) text->ready = line;
    if (at == text->end) text->ready = text->end;
  }
}

bool text_prepare(Memory *memory, Bytes *file, Text *text) {
  static const uint8_t UTF8_MARK[3] = {0xef, 0xbb, 0xbf};
  bool is_big = file->size >= 2 && file->data[0] == 0xfe && file->data[1] == 0xff;
  bool is_little = file->size >= 2 && file->data[0] == 0xff && file->data[1] == 0xfe;
  if ((is_big || is_little) && !decode_utf16(memory, file, is_big)) return false;
  uint8_t *data = memory_resize(memory, file->data, file->size + PADDING);
  if (!data) return false;
  file->data = data;
  memset(data + file->size, '\n', PADDING);
  size_t mark = file->size >= 3 && memcmp(data, UTF8_MARK, 3) == 0 ? 3 : 0;
  char *start = (char *)data + mark;
  *text = (Text){.start = start, .end = (char *)data + file->size, .ready = start};
  text_rewind(text);
  return true;
}

// ---- Lines and words

int text_line_number(Text *text, const char *at) {
  for (; text->counted < at; text->counted++)
    text->line += *text->counted == '\n' || *text->counted == '\v';
  return text->line;
}

const char *text_skip_line(const Text *text, const char *at) {
  if (at >= text->end) return at;
  const char *end = memchr(at, '\n', (size_t)(text->end - at));
  return end ? end + 1 : text->end;
}

TextSlice text_word(const char **at) {
  const char *start = text_skip_blanks(*at);
  const char *end = text_is_end(start) ? start : text_skip_word(start);
  *at = end;
  return (TextSlice){start, (size_t)(end - start)};
}

TextSlice text_rest(const Text *text, const char *at) {
  const char *start = text_skip_blanks(at);
  const char *end = memchr(start, '\n', (size_t)(text->end + 1 - start));
  const char *comment = start;
  while ((comment = memchr(comment, '#', (size_t)(end - comment)))) {
    if (comment == start || text_is_blank(comment[-1])) {
      end = comment;
      break;
    }
    comment++;
  }
  while (end > start && text_is_blank(end[-1]))
    end--;
  return (TextSlice){start, (size_t)(end - start)};
}

bool text_equals(TextSlice slice, const char *word) {
  return strlen(word) == slice.length && memcmp(slice.start, word, slice.length) == 0;
}

bool text_equals_lower(TextSlice slice, const char *word) {
  if (strlen(word) != slice.length) return false;
  for (size_t i = 0; i < slice.length; i++) {
    char c = slice.start[i];
    if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != word[i]) return false;
  }
  return true;
}

// ---- Numbers

typedef struct Decimal {
  uint64_t mantissa;
  int digit_count;  // of the mantissa, zeros at its front not counted
  int exponent;     // of ten
  bool has_digits;
} Decimal;

static const double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

enum { LARGEST_EXACT_POWER = 22 };

static inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Reads digits one by one; those that no longer fit into the mantissa only count for the exponent.
static const char *read_digits(const char *at, Decimal *decimal, bool is_fraction) {
  for (; is_digit(*at); at++) {
    decimal->has_digits = true;
    bool fits = decimal->digit_count < MANTISSA_DIGITS;
    if (fits) {
      decimal->mantissa = decimal->mantissa * 10 + (uint64_t)(*at - '0');
      decimal->digit_count += decimal->mantissa != 0;
    }
    if (is_fraction && fits && decimal->exponent > -EXPONENT_LIMIT) decimal->exponent--;
    if (!is_fraction && !fits && decimal->exponent < EXPONENT_LIMIT) decimal->exponent++;
  }
  return at;
}

// "e", "E", "d" or "D" with digits behind it; anything else is left where it is.
static const char *read_exponent(const char *at, Decimal *decimal) {
  char letter = (char)(*at | 0x20);
  if (letter != 'e' && letter != 'd') return at;
  const char *digits = at + 1 + (at[1] == '-' || at[1] == '+');
  if (!is_digit(*digits)) return at;
  int exponent = 0;
  for (; is_digit(*digits); digits++) {
    if (exponent < EXPONENT_LIMIT) exponent = exponent * 10 + (*digits - '0');
  }
  decimal->exponent += at[1] == '-' ? -exponent : exponent;
  return digits;
}

// Mantissa and power are exact where both are small (W. Clinger, "How to read floating point numbers accurately",
// 1990); beyond that a few roundings of a double do not reach the last bit of a float.
static double decimal_value(const Decimal *decimal) {
  double value = (double)decimal->mantissa;
  int exponent = decimal->exponent;
  if (decimal->mantissa == 0 || exponent < -400) return 0;
  if (exponent > 400) return INFINITY;
  for (; exponent > LARGEST_EXACT_POWER; exponent -= LARGEST_EXACT_POWER)
    value *= POWERS[LARGEST_EXACT_POWER];
  for (; exponent < -LARGEST_EXACT_POWER; exponent += LARGEST_EXACT_POWER)
    value /= POWERS[LARGEST_EXACT_POWER];
  return exponent < 0 ? value / POWERS[-exponent] : value * POWERS[exponent];
}

// "nan" and "inf", after the sign. What old Microsoft libraries write, "1.#IND", is a 1 with junk behind it.
static bool is_no_number(const char *at) {
  TextSlice start = {at, 3};
  return text_equals_lower(start, "nan") || text_equals_lower(start, "inf");
}

// Numbers that the quick way does not take: long ones, and what is hardly a number.
static NumberKind read_slowly(const char **at, float *value) {
  const char *start = *at, *digits = start + (*start == '-' || *start == '+');
  *value = 0;
  if (is_no_number(digits)) {
    *at = text_skip_word(digits);
    return NUMBER_NOT_FINITE;
  }
  Decimal decimal = {0};
  const char *end = read_digits(digits, &decimal, false);
  if (*end == '.') end = read_digits(end + 1, &decimal, true);
  if (!decimal.has_digits) return NUMBER_NONE;
  end = read_exponent(end, &decimal);
  float result = (float)decimal_value(&decimal);
  *at = text_skip_word(end);
  if (!isfinite(result)) return NUMBER_NOT_FINITE;
  *value = *start == '-' ? -result : result;
  return *at == end ? NUMBER_GOOD : NUMBER_WITH_JUNK;
}

NumberKind text_number(const char **at, float *value) {
  const char *start = *at, *end = start + (*start == '-');
  uint64_t mantissa = 0, part = 0;
  int whole_count = text_eight_digits(end, &mantissa), fraction_count = 0;
  end += whole_count;
  if (*end == '.') {
    fraction_count = text_eight_digits(++end, &part);
    mantissa = mantissa * (uint64_t)POWERS[fraction_count] + part;
    end += fraction_count;
    if (fraction_count == 8) {
      int more = text_eight_digits(end, &part);
      mantissa = mantissa * (uint64_t)POWERS[more] + part;
      fraction_count += more;
      end += more;
    }
  }
  // Up to 15 digits are less than 2^53, and a blank behind them proves that they were all.
  bool is_plain = whole_count < 8 && whole_count + fraction_count > 0 && whole_count + fraction_count <= EXACT_DIGITS &&
                  (unsigned char)*end <= ' ';
  if (!is_plain) return read_slowly(at, value);
  double magnitude = (double)mantissa / POWERS[fraction_count];
  *value = (float)(*start == '-' ? -magnitude : magnitude);
  *at = end;
  return NUMBER_GOOD;
}

// ---- Many numbers at once

// The value of what stands before the first of `others` among eight digits, as a fraction of 1e8. One of them is set.
static inline uint32_t fraction_of_eight(uint64_t digits, uint64_t others) {
  return text_digits_value(digits & (others ^ (others - 1)) >> 8);
}

int text_plain_numbers(const char **line, float *values, int limit) {
  static const double SCALES[2] = {1e8, -1e8};
  const char *at = *line;
  for (int count = 0; count < limit;) {
    bool is_negative = *at == '-';
    at += is_negative;
    const char *start = at;
    uint64_t whole = 0, fraction = 0;
    for (unsigned digit; (digit = (unsigned char)*at - (unsigned)'0') < 10; at++)
      whole = whole * 10 + digit;
    if (at == start || at - start > 7) return 0;
    if (*at == '.') {
      uint64_t word = read_u64((const uint8_t *)++at), others = text_others_of_eight(word);
      if (others == 0) return 0;
      fraction = fraction_of_eight(word ^ 0x3030303030303030u, others);
      int digit_count = __builtin_ctzll(others) >> 3;
      // With this many, as most files have, the next number need not wait for the count.
      if (digit_count == 6)
        at += 6;
      else
        at += digit_count;
    }
    values[count++] = (float)((double)(int64_t)(whole * 100000000 + fraction) / SCALES[is_negative]);
    if (*at == '\n') {
      *line = at;
      return count;
    }
    if (*at++ != ' ') return 0;
  }
  return 0;
}

// ---- Names

static bool is_utf8(const char *text, size_t length) {
  for (size_t i = 0, step; i < length; i += step) {
    step = utf8_sequence_length(text + i, length - i);
    if (step == 0) return false;
  }
  return true;
}

static void blank_controls(char *text) {
  for (; *text; text++) {
    if (text_is_blank(*text)) *text = ' ';
  }
}

char *text_copy_utf8(Arena *arena, const char *text, size_t length) {
  const unsigned char *bytes = (const unsigned char *)text;
  bool is_good = is_utf8(text, length);
  char *copy = is_good ? arena_copy_string(arena, text, length) : arena_alloc(arena, 2 * length + 1), *end = copy;
  if (!copy) return NULL;
  for (size_t i = 0; !is_good && i < length; i++) {
    if (bytes[i] >= 0x80) *end++ = (char)(0xc0 | bytes[i] >> 6);
    *end++ = (char)(bytes[i] < 0x80 ? bytes[i] : 0x80 | (bytes[i] & 0x3f));
  }
  blank_controls(copy);
  return copy;
}
