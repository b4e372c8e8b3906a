#include "loaders/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "path.h"
#include "vmath.h"

typedef struct Prepared {
  Memory memory;
  Bytes file;
  Text text;
} Prepared;

static void prepare_bytes(Prepared *prepared, const void *data, size_t size) {
  *prepared = (Prepared){0};
  prepared->file = (Bytes){memory_alloc(&prepared->memory, size), size};
  memcpy(prepared->file.data, data, size);
  assert_true(text_prepare(&prepared->memory, &prepared->file, &prepared->text));
  for (const char *at = prepared->text.start; at < prepared->text.end; at = text_skip_line(&prepared->text, at))
    text_reach(&prepared->text, at);
}

static void prepare(Prepared *prepared, const char *text) {
  prepare_bytes(prepared, text, strlen(text));
}

static void check_text(Prepared *prepared, const char *expected) {
  assert_int_equal(prepared->text.end - prepared->text.start, strlen(expected));
  assert_memory_equal(prepared->text.start, expected, strlen(expected));
  assert_int_equal(*prepared->text.end, '\n');
  memory_free(&prepared->memory, prepared->file.data);
  assert_int_equal(prepared->memory.live_bytes, 0);
}

static void test_line_ends(void **state) {
  (void)state;
  static const char *const CASES[][2] = {
      {"", ""},
      {"a\nb", "a\nb"},
      {"a\r\nb\r\n", "a \nb \n"},
      {"a\rb\r", "a\nb "},
      {"a\r\r\nb", "a\n \nb"},
      {"\xef\xbb\xbf"
       "a",
       "a"},
      {"a \\\n b", "a  \v b"},
      {"a \\  \r\n b\\", "a     \v b "},
      {"# a \\\nb", "# a \\\nb"},
      {"a\\\n# b\\\nc", "a \v# b\\\nc"},
      {"a\\b\\\\\nc", "a\\b\\ \vc"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    Prepared prepared;
    prepare(&prepared, CASES[i][0]);
    check_text(&prepared, CASES[i][1]);
  }
}

static void test_utf16(void **state) {
  (void)state;
  // A letter, one of two and one of three bytes in UTF-8, a pair, and half a pair.
  static const char UTF8[] = "v\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xb4\xef\xbf\xbd\n";
  static const uint16_t UNITS[] = {0xfeff, 'v', 0xe9, 0x20ac, 0xd83d, 0xdc34, 0xdc00, '\n'};
  for (int is_big = 0; is_big < 2; is_big++) {
    uint8_t bytes[sizeof UNITS + 1] = {0};
    for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++) {
      bytes[2 * i + (size_t)is_big] = (uint8_t)UNITS[i];
      bytes[2 * i + (size_t)!is_big] = (uint8_t)(UNITS[i] >> 8);
    }
    Prepared prepared;
    // The odd byte at the end is no unit.
    prepare_bytes(&prepared, bytes, sizeof bytes);
    check_text(&prepared, UTF8);
  }
}

static void test_words_and_lines(void **state) {
  (void)state;
  Prepared prepared;
  prepare(&prepared, "usemtl \t a b#1  # c\nnext\\\nstill\nlast");
  const char *at = prepared.text.start;
  TextSlice word = text_word(&at);
  assert_true(text_equals(word, "usemtl") && text_equals_lower(word, "usemtl"));
  assert_true(text_equals(text_rest(&prepared.text, at), "a b#1"));
  assert_true(text_equals(text_word(&at), "a"));
  assert_true(text_equals(text_word(&at), "b#1"));
  assert_int_equal(text_word(&at).length, 0);
  at = text_skip_line(&prepared.text, at);
  assert_int_equal(text_line_number(&prepared.text, at), 2);
  at = text_skip_line(&prepared.text, at);
  assert_int_equal(text_line_number(&prepared.text, at), 4);
  assert_true(text_equals(text_word(&at), "last"));
  assert_true(text_skip_line(&prepared.text, at) >= prepared.text.end);
  memory_free(&prepared.memory, prepared.file.data);
}

static NumberKind read_number(const char *text, float *value, size_t *length) {
  char line[512];
  snprintf(line, sizeof line, "%s\n%*s", text, 16, "");
  const char *at = line;
  NumberKind kind = text_number(&at, value);
  *length = (size_t)(at - line);
  return kind;
}

static void test_forms_of_numbers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    NumberKind kind;
    float value;
  } CASES[] = {
      {"0", NUMBER_GOOD, 0},
      {"-0", NUMBER_GOOD, 0},
      {"3", NUMBER_GOOD, 3},
      {"+3", NUMBER_GOOD, 3},
      {".5", NUMBER_GOOD, 0.5f},
      {"5.", NUMBER_GOOD, 5},
      {"-.7e+2", NUMBER_GOOD, -70},
      {"1e+10", NUMBER_GOOD, 1e10f},
      {"1D3", NUMBER_GOOD, 1000},
      {"1d-3", NUMBER_GOOD, 1e-3f},
      {"1E038", NUMBER_GOOD, 1e38f},
      {"1e-400", NUMBER_GOOD, 0},
      {"0.00000001", NUMBER_GOOD, 1e-8f},
      {"0.500000001", NUMBER_GOOD, 0.500000001f},
      {"-0.50000000", NUMBER_GOOD, -0.5f},
      {"12345678", NUMBER_GOOD, 12345678},
      {"123456789012345678901234567890", NUMBER_GOOD, 1.2345679e29f},
      {"0.000000000000000000000000000000001234567890123456789", NUMBER_GOOD, 1.2345679e-33f},
      {"100000000000000000000e-20", NUMBER_GOOD, 1},
      {"3.4028234663852886e38", NUMBER_GOOD, 3.40282347e38f},
      {"1.17549435e-38", NUMBER_GOOD, 1.17549435e-38f},
      {"1e-45", NUMBER_GOOD, 1e-45f},
      {"1abc", NUMBER_WITH_JUNK, 1},
      {"1.5.5", NUMBER_WITH_JUNK, 1.5f},
      {"1e", NUMBER_WITH_JUNK, 1},
      {"1e+", NUMBER_WITH_JUNK, 1},
      {"0x10", NUMBER_WITH_JUNK, 0},
      {"1,5", NUMBER_WITH_JUNK, 1},
      {"nan", NUMBER_NOT_FINITE, 0},
      {"-1.#IND", NUMBER_WITH_JUNK, -1},
      {"-NaN", NUMBER_NOT_FINITE, 0},
      {"inf", NUMBER_NOT_FINITE, 0},
      {"-infinity", NUMBER_NOT_FINITE, 0},
      {"1e999", NUMBER_NOT_FINITE, 0},
      {"1e39", NUMBER_NOT_FINITE, 0},
      {"x", NUMBER_NONE, 0},
      {"-", NUMBER_NONE, 0},
      {".", NUMBER_NONE, 0},
      {"-.e5", NUMBER_NONE, 0},
      {"+-1", NUMBER_NONE, 0},
      {"", NUMBER_NONE, 0},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    float value = 0;
    size_t length;
    assert_int_equal(read_number(CASES[i].text, &value, &length), CASES[i].kind);
    if (value != CASES[i].value) fail_msg("%s is %.9g", CASES[i].text, (double)value);
    assert_int_equal(length, CASES[i].kind == NUMBER_NONE ? 0 : strlen(CASES[i].text));
  }
}

// The nearest float may be missed only where a double lies in the middle between two, which no random number hits.
static void test_numbers_are_exact(void **state) {
  (void)state;
  static const char *const FORMATS[] = {"%.6f", "%.8f", "%.12f", "%g", "%.9g", "%.17g", "%e", "%.20e"};
  Random random;
  random_seed(&random, 1);
  for (int i = 0; i < 200000; i++) {
    double fine = (double)random_float(&random) + (double)random_float(&random) * 1e-7;
    double value = i % 3 == 0 ? fine * 2000 - 1000 : (fine - 0.5) * pow(10, (double)(random_next(&random) % 70) - 38);
    char text[128];
    const char *format = FORMATS[random_next(&random) % 8];
    snprintf(text, sizeof text, format, value);
    float expected = strtof(text, NULL), found = 0;
    size_t length;
    if (!isfinite(expected)) continue;
    assert_int_equal(read_number(text, &found, &length), NUMBER_GOOD);
    if (found != expected) fail_msg("%s is %.9g, expected %.9g", text, (double)found, (double)expected);
  }
}

static void test_eight_digits(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int count;
    uint64_t value;
  } CASES[] = {{"x1234567", 0, 0},        {"1/2/3/4/", 1, 1}, {"98 54321", 2, 98},       {"1234567:", 7, 1234567},
               {"12345678", 8, 12345678}, {"00000000", 8, 0}, {"99999999", 8, 99999999}, {"12\xb1\xff\x80\0:/", 2, 12}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    uint64_t value = 77;
    assert_int_equal(text_eight_digits(CASES[i].text, &value), CASES[i].count);
    assert_true(value == CASES[i].value);
  }
}

static void test_copies_are_utf8(void **state) {
  (void)state;
  Memory memory = {0};
  Arena arena = {.memory = &memory};
  assert_string_equal(text_copy_utf8(&arena, "caf\xc3\xa9", 5), "caf\xc3\xa9");
  assert_string_equal(text_copy_utf8(&arena, "caf\xe9", 4), "caf\xc3\xa9");
  assert_string_equal(text_copy_utf8(&arena, "\xff\xfe", 2), "\xc3\xbf\xc3\xbe");
  assert_string_equal(text_copy_utf8(&arena, "a\vb\tc", 5), "a b c");
  assert_string_equal(text_copy_utf8(&arena, "", 0), "");
  arena_free(&arena);
}

static void test_extensions_of_paths(void **state) {
  (void)state;
  static const char *const PICTURES[] = {"jpg", "jpeg", NULL};
  assert_string_equal(path_extension("a/b.c/d.e.Md2"), "Md2");
  assert_string_equal(path_extension("a.b/c"), "");
  assert_string_equal(path_extension("a/.lua"), "");
  assert_string_equal(path_extension("a/.b.lua"), "lua");
  assert_string_equal(path_extension("a."), "");
  assert_string_equal(path_extension(""), "");
  assert_true(path_has_extension("a/b.JPeG", PICTURES));
  assert_false(path_has_extension("a/b.jp", PICTURES));
  assert_false(path_has_extension("a.jpg/b", PICTURES));
  assert_false(path_has_extension("a/.jpg", PICTURES));
  assert_false(path_has_extension("jpg", PICTURES));
}

// Lines of numbers: those that are read the quick way are what strtof makes of them, the others are left alone.
static void test_plain_numbers(void **state) {
  (void)state;
  static const struct {
    const char *line;
    int limit, count;
  } CASES[] = {
      {"1", 3, 1},
      {"0.5 -0.25 12.345678", 3, 3},
      {"-0 -0.0 0.0000001", 3, 3},
      {"1234567.1234567 -1.000001 3.1415926", 3, 3},
      {"16777217 0.1 33554.4335", 3, 0},  // more than seven digits
      {"9999999.5 0.3000001 1.2345678", 3, 3},
      {"1 2 3 0.1 0.2 0.3 0.4", 7, 7},
      {"1 2 3 4", 3, 0},
      {"1  2", 3, 0},
      {"1 2 ", 3, 0},
      {"1\t2", 3, 0},
      {"1. -2.", 3, 2},
      {".5", 3, 0},
      {"+1", 3, 0},
      {"--1", 3, 0},
      {"1-2", 3, 0},
      {"1.2.3", 3, 0},
      {"1e5", 3, 0},
      {"0.12345678", 3, 0},
      {"1 a", 3, 0},
      {"nan", 3, 0},
      {"1 # 2", 3, 0},
      {"", 3, 0},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    Prepared prepared;
    prepare(&prepared, CASES[i].line);
    const char *at = prepared.text.start;
    char *expected = (char *)CASES[i].line;
    float values[8];
    int count = text_plain_numbers(&at, values, CASES[i].limit);
    if (count != CASES[i].count) fail_msg("\"%s\" has %d numbers", CASES[i].line, count);
    assert_ptr_equal(at, count > 0 ? prepared.text.end : prepared.text.start);
    for (int k = 0; k < count; k++) {
      float number = strtof(expected, &expected);
      assert_memory_equal(&values[k], &number, sizeof number);
    }
    memory_free(&prepared.memory, prepared.file.data);
  }
}

static void test_others(void **state) {
  (void)state;
  Prepared prepared;
  prepare(&prepared, "12/3 a0:9\x80\xff-");
  assert_int_equal(text_others(prepared.text.start) & 0x1fff, 0x1eb4 | 0x1000);
  assert_int_equal(text_next_other(text_others(prepared.text.start)), 2);
  assert_int_equal(text_next_other(0), TEXT_WINDOW);
  memory_free(&prepared.memory, prepared.file.data);
}

static void test_runs_of_digits(void **state) {
  (void)state;
  static const char TEXT[] = "........1 12345678/07 ";
  int32_t values[4];
  text_three_runs((DigitRun){TEXT + 9, 1}, (DigitRun){TEXT + 18, 8}, (DigitRun){TEXT + 21, 2}, values);
  assert_int_equal(values[0], 1);
  assert_int_equal(values[1], 12345678);
  assert_int_equal(values[2], 7);
  for (int count = 1; count <= 8; count++) {
    static const int EXPECTED[] = {0, 8, 78, 678, 5678, 45678, 345678, 2345678, 12345678};
    text_three_runs((DigitRun){TEXT + 18, 0}, (DigitRun){TEXT + 9, 0}, (DigitRun){TEXT + 18, (unsigned)count}, values);
    assert_int_equal(values[0], 0);
    assert_int_equal(values[1], 0);
    assert_int_equal(values[2], EXPECTED[count]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_line_ends),         cmocka_unit_test(test_utf16),
      cmocka_unit_test(test_words_and_lines),   cmocka_unit_test(test_forms_of_numbers),
      cmocka_unit_test(test_numbers_are_exact), cmocka_unit_test(test_eight_digits),
      cmocka_unit_test(test_copies_are_utf8),   cmocka_unit_test(test_extensions_of_paths),
      cmocka_unit_test(test_plain_numbers),     cmocka_unit_test(test_others),
      cmocka_unit_test(test_runs_of_digits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
