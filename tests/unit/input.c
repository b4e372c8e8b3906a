// What is pressed, step by step.
#include "engine/input.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static Memory memory;

static int open_input(void **state) {
  memory = (Memory){0};
  *state = input_create(&memory, NULL);
  return *state ? 0 : -1;
}

static int close_input(void **state) {
  input_free(*state);
  assert_int_equal(memory.live_bytes, 0);
  return 0;
}

static void send(Input *input, const char *name, bool is_down) {
  Event event;
  assert_true(input_make_event(name, is_down, &event, NULL));
  assert_true(input_push(input, &event, NULL));
}

static void send_axis(Input *input, const char *name, float value) {
  Event event = {.type = EVENT_PAD_AXIS, .id = 1, .value = value};
  strcpy(event.name, name);
  assert_true(input_push(input, &event, NULL));
}

static void bind(Input *input, const char *action, const char *first, const char *second) {
  const char *keys[] = {first, second};
  Error error;
  assert_true(input_bind(input, action, keys, second ? 2 : 1, &error));
}

// Down, pressed, released: as three letters, or "-" for what is not.
static void assert_is(const Input *input, const char *name, const char *expected) {
  char found[4] = {input_is_down(input, name) ? 'd' : '-', input_was_pressed(input, name) ? 'p' : '-',
                   input_was_released(input, name) ? 'r' : '-', 0};
  assert_string_equal(found, expected);
}

static void a_key_is_pressed_in_one_step(void **state) {
  Input *input = *state;
  send(input, "w", true);
  assert_is(input, "w", "---");
  input_begin_step(input);
  assert_is(input, "w", "dp-");
  input_begin_step(input);
  assert_is(input, "w", "d--");
  send(input, "w", false);
  input_begin_step(input);
  assert_is(input, "w", "--r");
  input_begin_step(input);
  assert_is(input, "w", "---");
}

static void a_tap_within_a_step_is_seen_once(void **state) {
  Input *input = *state;
  bind(input, "fire", "space", "mouse1");
  send(input, "space", true);
  send(input, "space", false);
  input_begin_step(input);
  assert_is(input, "space", "-pr");
  assert_is(input, "fire", "-pr");
  assert_int_equal(input_event_count(input), 2);
  assert_int_equal(input_event_at(input, 1)->type, EVENT_KEY_UP);
  input_begin_step(input);
  assert_is(input, "fire", "---");
  assert_int_equal(input_event_count(input), 0);
}

static void a_second_tap_is_seen_as_well(void **state) {
  Input *input = *state;
  bind(input, "fire", "space", NULL);
  send(input, "space", true);
  input_begin_step(input);
  send(input, "space", false);
  send(input, "space", true);
  input_begin_step(input);
  assert_is(input, "fire", "dpr");
}

static void repeats_of_a_held_key_are_none(void **state) {
  Input *input = *state;
  Event event;
  send(input, "w", true);
  input_begin_step(input);
  input_make_event("w", true, &event, NULL);
  event.is_repeat = true;
  input_push(input, &event, NULL);
  input_begin_step(input);
  assert_is(input, "w", "d--");
}

static void an_action_is_down_while_any_key_is(void **state) {
  Input *input = *state;
  bind(input, "fire", "space", "mouse1");
  send(input, "space", true);
  input_begin_step(input);
  assert_is(input, "fire", "dp-");
  send(input, "mouse1", true);
  send(input, "space", false);
  input_begin_step(input);
  assert_is(input, "fire", "d--");
  send(input, "mouse1", false);
  input_begin_step(input);
  assert_is(input, "fire", "--r");
}

static void binding_again_replaces_keys(void **state) {
  Input *input = *state;
  bind(input, "fire", "space", NULL);
  send(input, "space", true);
  input_begin_step(input);
  bind(input, "fire", "x", NULL);
  assert_is(input, "fire", "dp-");
  input_begin_step(input);
  assert_is(input, "fire", "--r");
  bind(input, "jump", "space", NULL);
  assert_is(input, "jump", "d--");
  input_begin_step(input);
  assert_is(input, "jump", "d--");
  input_clear_bindings(input);
  assert_false(input_is_known(input, "jump", NULL));
}

static void axes_have_halves_and_a_dead_zone(void **state) {
  Input *input = *state;
  bind(input, "forward", "w", "pad:lefty-");
  bind(input, "back", "pad:lefty+", NULL);
  bind(input, "turn", "pad:leftx", NULL);
  send_axis(input, "pad:lefty", -0.1f);
  input_begin_step(input);
  assert_true(input_axis(input, "forward") == 0);
  send_axis(input, "pad:lefty", -0.75f);
  send_axis(input, "pad:leftx", -0.25f);
  input_begin_step(input);
  assert_true(input_axis(input, "forward") == 0.75f);
  assert_true(input_axis(input, "back") == 0);
  assert_true(input_axis(input, "turn") == -0.25f);
  assert_true(input_axis(input, "pad:lefty") == -0.75f);
  assert_true(input_axis(input, "pad:lefty-") == 0.75f);
  assert_is(input, "forward", "dp-");
  assert_is(input, "pad:lefty-", "dp-");
  assert_is(input, "pad:lefty+", "---");
  assert_is(input, "turn", "---");
  send_axis(input, "pad:lefty", 1);
  send(input, "w", true);
  input_begin_step(input);
  assert_is(input, "back", "dp-");
  assert_true(input_axis(input, "forward") == 1);
}

static void losing_the_focus_lets_go(void **state) {
  Input *input = *state;
  bind(input, "fire", "space", NULL);
  send(input, "space", true);
  send_axis(input, "pad:leftx", 1);
  input_begin_step(input);
  assert_true(input_push(input, &(Event){.type = EVENT_FOCUS, .value = 0}, NULL));
  input_begin_step(input);
  assert_is(input, "fire", "--r");
  assert_true(input_axis(input, "pad:leftx") == 0);
}

static void the_mouse_adds_up(void **state) {
  Input *input = *state;
  float x, y, dx, dy;
  input_push(input, &(Event){.type = EVENT_MOUSE_MOVE, .x = 5, .y = 6, .dx = 1, .dy = 2}, NULL);
  input_push(input, &(Event){.type = EVENT_MOUSE_MOVE, .x = 8, .y = 4, .dx = 3, .dy = -2}, NULL);
  input_get_waiting_mouse(input, &x, &y);
  assert_true(x == 8 && y == 4);
  input_begin_step(input);
  input_get_mouse(input, &x, &y, &dx, &dy);
  assert_true(x == 8 && y == 4 && dx == 4 && dy == 0);
  input_begin_step(input);
  input_get_mouse(input, &x, &y, &dx, &dy);
  assert_true(x == 8 && y == 4 && dx == 0 && dy == 0);
}

static void wrong_names_are_told(void **state) {
  Input *input = *state;
  static const char *const WRONG[] = {"",     "spacebar", "W",      "mouse0",     "mouse10",
                                      "pad:", "pad:q",    "pad:a-", "pad:lefty--"};
  Error error = {0};
  for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
    Event event;
    assert_false(input_bind(input, "fire", &WRONG[i], 1, &error));
    assert_false(input_make_event(WRONG[i], true, &event, &error));
    assert_false(input_is_known(input, WRONG[i], &error));
  }
  assert_false(input_is_known(input, "fire", &error));
  bind(input, "fire", "space", NULL);
  assert_true(input_is_known(input, "fire", NULL));
  assert_true(input_is_known(input, "pad:lefty-", NULL));
  assert_false(input_is_known(input, "fier", &error));
  assert_non_null(strstr(error.text, "'fire'"));
  assert_false(input_bind(input, "", WRONG, 0, &error));
  assert_false(input_bind(input, "an action with a name that is too long", WRONG, 0, &error));
}

static void steps_take_no_memory(void **state) {
  Input *input = *state;
  bind(input, "fire", "space", NULL);
  for (int step = 0; step < 100; step++) {
    size_t before = memory.allocation_count;
    send(input, "space", step % 2 == 0);
    if (step > 2) assert_int_equal(memory.allocation_count, before);
    before = memory.allocation_count;
    input_begin_step(input);
    assert_int_equal(memory.allocation_count, before);
    assert_int_equal(input_event_count(input), 1);
  }
}

#define INPUT_TEST(function) cmocka_unit_test_setup_teardown(function, open_input, close_input)

int main(void) {
  const struct CMUnitTest tests[] = {
      INPUT_TEST(a_key_is_pressed_in_one_step),
      INPUT_TEST(a_tap_within_a_step_is_seen_once),
      INPUT_TEST(a_second_tap_is_seen_as_well),
      INPUT_TEST(repeats_of_a_held_key_are_none),
      INPUT_TEST(an_action_is_down_while_any_key_is),
      INPUT_TEST(binding_again_replaces_keys),
      INPUT_TEST(axes_have_halves_and_a_dead_zone),
      INPUT_TEST(losing_the_focus_lets_go),
      INPUT_TEST(the_mouse_adds_up),
      INPUT_TEST(wrong_names_are_told),
      INPUT_TEST(steps_take_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
