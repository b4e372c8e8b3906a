// Windows and contexts without a display, and SDL's events as the engine sees them.
#include "platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <SDL.h>

// Address sanitizers do, to notice late uses.
#if defined(__SANITIZE_ADDRESS__)
#define KEEPS_FREED_MEMORY true
#elif defined(__has_feature)
#define KEEPS_FREED_MEMORY __has_feature(address_sanitizer)
#else
#define KEEPS_FREED_MEMORY false
#endif

static Platform *open_size(Memory *memory, int width, int height, bool is_headless) {
  Error error = {0};
  PlatformDesc desc = {.title = "test", .width = width, .height = height, .is_headless = is_headless};
  Platform *platform = platform_create(memory, &desc, &error);
  if (platform) return platform;
  // A machine without any driver for OpenGL ES cannot run this test.
  printf("skipped: %s\n", error.text);
  exit(77);
}

static void assert_has_gl(void) {
  typedef const unsigned char *GetString(unsigned name);
  void *address = platform_gl_function("glGetString");
  GetString *get_string;
  assert_non_null(address);
  memcpy(&get_string, &address, sizeof get_string);
  const char *version = (const char *)get_string(0x1f02);
  assert_non_null(version);
  assert_non_null(strstr(version, "OpenGL ES"));
}

static void headless_has_a_context_and_the_size_asked_for(void **state) {
  (void)state;
  Memory memory = {0};
  int width, height;
  Platform *platform = open_size(&memory, 321, 123, true);
  platform_get_size(platform, &width, &height);
  assert_int_equal(width, 321);
  assert_int_equal(height, 123);
  assert_has_gl();
  platform_present(platform);
  platform_free(platform);
  assert_int_equal(memory.live_bytes, 0);
}

// SDL's dummy driver has no OpenGL at all.
static void headless_does_without_sdl(void **state) {
  (void)state;
  Memory memory = {0};
  int width, height;
  char *held = SDL_strdup(SDL_getenv("SDL_VIDEODRIVER") ? SDL_getenv("SDL_VIDEODRIVER") : "offscreen");
  SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
  for (int i = 0; i < 3; i++) {
    Platform *platform = open_size(&memory, 64, 48, true);
    platform_get_size(platform, &width, &height);
    assert_int_equal(width, 64);
    assert_has_gl();
    platform_free(platform);
    assert_int_equal(memory.live_bytes, 0);
  }
  SDL_setenv("SDL_VIDEODRIVER", held, 1);
  SDL_free(held);
}

static void failures_tell_what_was_tried(void **state) {
  (void)state;
  Memory memory = {0};
  Error error = {0};
  PlatformDesc desc = {.title = "test", .width = 64, .height = 48};
  char *held = SDL_strdup(SDL_getenv("SDL_VIDEODRIVER"));
  SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
  assert_null(platform_create(&memory, &desc, &error));
  assert_non_null(strstr(error.text, "OpenGL ES 2.0"));
  SDL_setenv("SDL_VIDEODRIVER", "none such", 1);
  assert_null(platform_create(&memory, &desc, &error));
  assert_true(error.text[0] != 0);
  SDL_setenv("SDL_VIDEODRIVER", held, 1);
  SDL_free(held);
  assert_int_equal(memory.live_bytes, 0);
}

static void opening_again_and_again_takes_no_memory(void **state) {
  (void)state;
  Memory memory = {0};
  size_t settled = 0;
  for (int i = 0; i < 7; i++) {
    platform_free(open_size(&memory, 64, 64, true));
    // The driver keeps what it loaded the first times.
    if (i == 1) settled = platform_peak_rss_kb();
  }
  // What an emulator has translated counts as ours.
  bool is_emulated = SDL_getenv("PALFREY_EMULATED") != NULL;
  if (!KEEPS_FREED_MEMORY && !is_emulated) assert_true(platform_peak_rss_kb() < settled + 2 * 1024);
  assert_int_equal(memory.live_bytes, 0);
}

static void lose_and_restore(Platform *platform) {
  Error error = {0};
  assert_false(platform_is_context_lost(platform));
  for (int i = 0; i < 5; i++) {
    for (int times = 0; times <= i % 2; times++)
      platform_lose_context(platform);
    assert_true(platform_is_context_lost(platform));
    platform_present(platform);
    if (!platform_restore_context(platform, &error)) fail_msg("%s", error.text);
    assert_false(platform_is_context_lost(platform));
    assert_has_gl();
    platform_present(platform);
  }
  // Also one that the platform knows nothing of.
  assert_true(platform_restore_context(platform, &error));
  assert_has_gl();
}

static void a_lost_context_is_replaced(void **state) {
  (void)state;
  Memory memory = {0};
  for (int is_headless = 0; is_headless < 2; is_headless++) {
    Platform *platform = open_size(&memory, 64, 48, is_headless);
    lose_and_restore(platform);
    platform_free(platform);
    platform = open_size(&memory, 64, 48, is_headless);
    platform_lose_context(platform);
    platform_free(platform);
  }
  char *held = SDL_strdup(SDL_getenv("SDL_VIDEODRIVER"));
  SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
  Platform *platform = open_size(&memory, 64, 48, true);
  lose_and_restore(platform);
  platform_lose_context(platform);
  platform_free(platform);
  SDL_setenv("SDL_VIDEODRIVER", held, 1);
  SDL_free(held);
  assert_int_equal(memory.live_bytes, 0);
}

static void without_gl_nothing_is_opened(void **state) {
  (void)state;
  Memory memory = {0};
  Error error = {0};
  Event event;
  PlatformDesc desc = {.title = "test", .width = 7, .height = 5, .is_headless = true, .has_no_gl = true};
  Platform *platform = platform_create(&memory, &desc, &error);
  int width, height;
  assert_non_null(platform);
  assert_int_equal(SDL_WasInit(SDL_INIT_VIDEO), 0);
  platform_get_size(platform, &width, &height);
  assert_int_equal(height, 5);
  platform_present(platform);
  assert_false(platform_poll(platform, &event));
  platform_lose_context(platform);
  assert_true(platform_is_context_lost(platform));
  assert_true(platform_restore_context(platform, &error));
  assert_false(platform_is_context_lost(platform));
  platform_free(platform);
}

// --- Events ---

static int open_window(void **state) {
  static Memory memory;
  *state = open_size(&memory, 200, 100, false);
  SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
  return 0;
}

static int close_window(void **state) {
  platform_free(*state);
  return 0;
}

static void push(SDL_Event event) {
  assert_int_equal(SDL_PushEvent(&event), 1);
}

static Event next_event(Platform *platform) {
  Event event = {0};
  assert_true(platform_poll(platform, &event));
  return event;
}

static void keys_have_names(void **state) {
  SDL_Event key = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = SDLK_LSHIFT}}};
  push(key);
  key.key.keysym.sym = SDLK_w;
  key.key.repeat = 1;
  push(key);
  key.key.type = SDL_KEYUP;
  push(key);
  Event event = next_event(*state);
  assert_int_equal(event.type, EVENT_KEY_DOWN);
  assert_string_equal(event.name, "left shift");
  assert_false(event.is_repeat);
  event = next_event(*state);
  assert_string_equal(event.name, "w");
  assert_true(event.is_repeat);
  event = next_event(*state);
  assert_int_equal(event.type, EVENT_KEY_UP);
}

static void the_mouse_is_told_in_pixels(void **state) {
  push((SDL_Event){.motion = {.type = SDL_MOUSEMOTION, .x = 10, .y = 20, .xrel = -3, .yrel = 4}});
  push((SDL_Event){.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_RIGHT, .x = 5, .y = 6}});
  push((SDL_Event){.wheel = {.type = SDL_MOUSEWHEEL, .y = -1}});
  Event event = next_event(*state);
  assert_int_equal(event.type, EVENT_MOUSE_MOVE);
  assert_true(event.x == 10 && event.y == 20 && event.dx == -3 && event.dy == 4);
  event = next_event(*state);
  assert_int_equal(event.type, EVENT_MOUSE_DOWN);
  assert_int_equal(event.button, 2);
  assert_string_equal(event.name, "mouse2");
  event = next_event(*state);
  assert_int_equal(event.type, EVENT_WHEEL);
  assert_true(event.dy == -1);
}

static void text_is_cut_at_a_whole_character(void **state) {
  SDL_Event text = {.text = {.type = SDL_TEXTINPUT}};
  memset(text.text.text, 'a', SDL_TEXTINPUTEVENT_TEXT_SIZE - 2);
  memcpy(text.text.text + PLATFORM_NAME_SIZE - 2, "\xc3\xa9", 2);
  push(text);
  Event event = next_event(*state);
  assert_int_equal(event.type, EVENT_TEXT);
  assert_int_equal(strlen(event.name), PLATFORM_NAME_SIZE - 2);
}

static void touches_sizes_and_focus_are_told(void **state) {
  push((SDL_Event){.tfinger = {.type = SDL_FINGERDOWN, .fingerId = 3, .x = 0.5f, .y = 0.25f}});
  push((SDL_Event){.window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_SIZE_CHANGED}});
  push((SDL_Event){.window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_FOCUS_LOST}});
  push((SDL_Event){.quit = {.type = SDL_QUIT}});
  Event event = next_event(*state);
  assert_int_equal(event.type, EVENT_TOUCH_DOWN);
  assert_int_equal(event.id, 3);
  assert_true(event.x == 100 && event.y == 25);
  event = next_event(*state);
  assert_int_equal(event.type, EVENT_RESIZE);
  assert_true(event.x == 200 && event.y == 100);
  event = next_event(*state);
  assert_int_equal(event.type, EVENT_FOCUS);
  assert_true(event.value == 0);
  assert_int_equal(next_event(*state).type, EVENT_QUIT);
}

// The next event of a type; others on the way are passed over.
static bool find_event(Platform *platform, EventType type, Event *event) {
  for (int tries = 0; tries < 100; tries++) {
    while (platform_poll(platform, event)) {
      if (event->type == type) return true;
    }
    platform_sleep(0.002);
  }
  return false;
}

static void pads_come_and_go(void **state) {
  Event event;
  platform_present(*state);
  for (int round = 0; round < 2; round++) {
    int device = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                           SDL_CONTROLLER_BUTTON_MAX, 0);
    assert_true(device >= 0);
    SDL_Joystick *pad = SDL_JoystickOpen(device);
    assert_non_null(pad);
    while (platform_poll(*state, &event)) {
    }
    SDL_JoystickSetVirtualButton(pad, SDL_CONTROLLER_BUTTON_A, 1);
    assert_true(find_event(*state, EVENT_PAD_DOWN, &event));
    assert_string_equal(event.name, "pad:a");
    assert_int_equal(event.id, 1);
    SDL_JoystickSetVirtualAxis(pad, SDL_CONTROLLER_AXIS_LEFTY, -32768);
    assert_true(find_event(*state, EVENT_PAD_AXIS, &event));
    assert_string_equal(event.name, "pad:lefty");
    assert_true(event.value == -1);
    SDL_JoystickClose(pad);
    assert_int_equal(SDL_JoystickDetachVirtual(device), 0);
    // What was held comes up when the pad goes.
    assert_true(find_event(*state, EVENT_PAD_UP, &event));
    while (platform_poll(*state, &event)) {
    }
  }
}

static void names_have_one_spelling(void **state) {
  (void)state;
  static const char *const KEYS[] = {"w",   "space",    "left shift", "return",  "escape",
                                     "f12", "keypad 1", "1",          "\xc3\xa9"};
  static const char *const NO_KEYS[] = {"", "W", "Space", "none such", "pad:a", "mouse1"};
  for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++)
    assert_true(platform_is_key(KEYS[i]));
  for (size_t i = 0; i < sizeof NO_KEYS / sizeof *NO_KEYS; i++)
    assert_false(platform_is_key(NO_KEYS[i]));
  assert_true(platform_is_pad_button("a"));
  assert_true(platform_is_pad_button("dpup"));
  assert_false(platform_is_pad_button("A"));
  assert_false(platform_is_pad_button("leftx"));
  assert_true(platform_is_pad_axis("leftx"));
  assert_true(platform_is_pad_axis("righttrigger"));
  assert_false(platform_is_pad_axis("+leftx"));
  assert_false(platform_is_pad_axis("a"));
}

static void displays_are_told_from_none(void **state) {
  (void)state;
  assert_true(platform_has_display());
  assert_true(platform_seconds() > 0);
}

#define WINDOW_TEST(function) cmocka_unit_test_setup_teardown(function, open_window, close_window)

int main(void) {
  SDL_setenv("SDL_VIDEODRIVER", "offscreen", 0);
  SDL_setenv("MESA_GLES_VERSION_OVERRIDE", "2.0", 0);
  SDL_setenv("SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS", "1", 0);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(headless_has_a_context_and_the_size_asked_for),
      cmocka_unit_test(headless_does_without_sdl),
      cmocka_unit_test(failures_tell_what_was_tried),
      cmocka_unit_test(opening_again_and_again_takes_no_memory),
      cmocka_unit_test(a_lost_context_is_replaced),
      cmocka_unit_test(without_gl_nothing_is_opened),
      WINDOW_TEST(keys_have_names),
      WINDOW_TEST(the_mouse_is_told_in_pixels),
      WINDOW_TEST(text_is_cut_at_a_whole_character),
      WINDOW_TEST(touches_sizes_and_focus_are_told),
      WINDOW_TEST(pads_come_and_go),
      cmocka_unit_test(names_have_one_spelling),
      cmocka_unit_test(displays_are_told_from_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
