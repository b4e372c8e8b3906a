// Keys, actions and axes, step by step.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/input.h"

typedef struct Fixture {
  Memory memory;
  Input *input;
} Fixture;

static int open_input(void **state) {
  static Fixture fixture;
  Error error;
  fixture = (Fixture){0};
  fixture.input = input_create(&fixture.memory, &error);
  *state = &fixture;
  return fixture.input ? 0 : -1;
}

static int close_input(void **state) {
  Fixture *fixture = *state;
  input_free(fixture->input);
  return fixture->memory.live_bytes == 0 ? 0 : -1;
}

static Input *input_of(void **state) {
  return ((Fixture *)*state)->input;
}

static void push(Input *input, const char *name, bool is_down) {
  Event event;
  Error error = {0};
  assert_true(input_make_event(name, is_down, &event, &error));
  assert_true(input_push(input, &event, &error));
}

static void bind(Input *input, const char *action, const char *first, const char *second) {
  const char *keys[] = {first, second};
  Error error = {0};
  assert_true(input_bind(input, action, keys, second ? 2 : 1, &error));
}

static void a_key_is_pressed_in_exactly_one_step(void **state) {
  Input *input = input_of(state);
  bind(input, "fire", "space", "mouse1");
  push(input, "space", true);
  assert_false(input_was_pressed(input, "fire"));
  input_begin_step(input);
  assert_true(input_was_pressed(input, "fire") && input_was_pressed(input, "space") && input_is_down(input, "fire"));
  input_begin_step(input);
  assert_false(input_was_pressed(input, "fire"));
  assert_true(input_is_down(input, "fire"));
  push(input, "space", false);
  input_begin_step(input);
  assert_true(input_was_released(input, "fire") && !input_is_down(input, "fire"));
  input_begin_step(input);
  assert_false(input_was_released(input, "fire"));
}

static void a_tap_within_one_step_is_seen_once(void **state) {
  Input *input = input_of(state);
  bind(input, "jump", "space", NULL);
  push(input, "space", true);
  push(input, "space", false);
  input_begin_step(input);
  assert_true(input_was_pressed(input, "jump") && input_was_released(input, "jump") && !input_is_down(input, "jump"));
  input_begin_step(input);
  assert_false(input_was_pressed(input, "jump") || input_was_released(input, "jump"));
}

static void an_action_is_down_while_any_of_its_keys_is(void **state) {
  Input *input = input_of(state);
  bind(input, "fire", "space", "mouse1");
  push(input, "space", true);
  input_begin_step(input);
  push(input, "mouse1", true);
  input_begin_step(input);
  assert_false(input_was_pressed(input, "fire"));
  push(input, "space", false);
  input_begin_step(input);
  assert_true(input_is_down(input, "fire") && !input_was_released(input, "fire"));
  push(input, "mouse1", false);
  input_begin_step(input);
  assert_true(input_was_released(input, "fire"));
}

static void repeats_do_not_press(void **state) {
  Input *input = input_of(state);
  Error error;
  push(input, "a", true);
  input_begin_step(input);
  Event repeat = {.type = EVENT_KEY_DOWN, .name = "a", .is_repeat = true};
  assert_true(input_push(input, &repeat, &error));
  input_begin_step(input);
  assert_false(input_was_pressed(input, "a"));
  assert_int_equal(input_event_count(input), 1);
}

static void axes_have_halves_and_a_dead_zone(void **state) {
  Input *input = input_of(state);
  Error error;
  bind(input, "forward", "w", "pad:lefty-");
  bind(input, "turn", "pad:leftx", NULL);
  Event axis = {.type = EVENT_PAD_AXIS, .name = "pad:lefty", .id = 1, .value = -0.8f};
  assert_true(input_push(input, &axis, &error));
  axis = (Event){.type = EVENT_PAD_AXIS, .name = "pad:leftx", .id = 1, .value = -0.6f};
  assert_true(input_push(input, &axis, &error));
  input_begin_step(input);
  assert_true(fabsf(input_axis(input, "forward") - 0.8f) < 1e-6f && input_is_down(input, "forward"));
  assert_true(fabsf(input_axis(input, "turn") + 0.6f) < 1e-6f);
  axis.value = 0.1f;
  assert_true(input_push(input, &axis, &error));
  input_begin_step(input);
  assert_true(input_axis(input, "turn") == 0);
}

static void losing_the_focus_lets_go_of_everything(void **state) {
  Input *input = input_of(state);
  Error error;
  push(input, "w", true);
  input_begin_step(input);
  Event focus = {.type = EVENT_FOCUS};
  assert_true(input_push(input, &focus, &error));
  input_begin_step(input);
  assert_true(input_was_released(input, "w") && !input_is_down(input, "w"));
}

static void unknown_names_are_named(void **state) {
  Input *input = input_of(state);
  Error error = {0};
  const char *key = "spacebar";
  assert_false(input_bind(input, "fire", &key, 1, &error));
  assert_non_null(strstr(error.text, "spacebar"));
  assert_false(input_is_known(input, "nonsense", &error));
  assert_non_null(strstr(error.text, "nonsense"));
  assert_true(input_is_known(input, "pad:a", &error) && input_is_known(input, "left shift", &error));
}

static void mouse_movement_adds_up_within_a_step(void **state) {
  Input *input = input_of(state);
  Error error;
  for (int i = 1; i <= 3; i++) {
    Event event = {.type = EVENT_MOUSE_MOVE, .x = (float)i, .y = 5, .dx = 1, .dy = -2};
    assert_true(input_push(input, &event, &error));
  }
  float x, y, dx, dy;
  input_begin_step(input);
  input_get_mouse(input, &x, &y, &dx, &dy);
  assert_true(x == 3 && y == 5 && dx == 3 && dy == -6);
  input_begin_step(input);
  input_get_mouse(input, &x, &y, &dx, &dy);
  assert_true(x == 3 && dx == 0 && dy == 0);
}

#define INPUT_TEST(function) cmocka_unit_test_setup_teardown(function, open_input, close_input)

int main(void) {
  const struct CMUnitTest tests[] = {
      INPUT_TEST(a_key_is_pressed_in_exactly_one_step),
      INPUT_TEST(a_tap_within_one_step_is_seen_once),
      INPUT_TEST(an_action_is_down_while_any_of_its_keys_is),
      INPUT_TEST(repeats_do_not_press),
      INPUT_TEST(axes_have_halves_and_a_dead_zone),
      INPUT_TEST(losing_the_focus_lets_go_of_everything),
      INPUT_TEST(unknown_names_are_named),
      INPUT_TEST(mouse_movement_adds_up_within_a_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
