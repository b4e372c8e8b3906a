#include "engine/input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "array.h"
#include "nearest.h"

#define DEAD_ZONE 0.15f
#define AXIS_DOWN 0.5f  // from here on half an axis counts as a key that is down

enum { MAX_ACTION_KEYS = 16, MAX_NAMES_TO_GUESS = 64 };

// A key, button or axis that was heard of, by name. What happened in this step is kept for the negative half, the whole and
// the positive half: at half + 1.
typedef struct Key {
  char name[PLATFORM_NAME_SIZE];
  float value;  // 1 while down, or where the axis is
  bool was_pressed[3], was_released[3];
} Key;

// A key of an action: the index of the key, and which half of an axis counts (0 for the whole).
typedef struct BoundKey {
  int key, half;
} BoundKey;

typedef struct Action {
  char name[PLATFORM_NAME_SIZE];
  BoundKey keys[MAX_ACTION_KEYS];
  int key_count;
  bool is_down, was_pressed, was_released;
} Action;

typedef ARRAY(Event) EventArray;

struct Input {
  Memory *memory;
  ARRAY(Key) keys;
  ARRAY(Action) actions;
  EventArray waiting, current;
  float mouse_x, mouse_y, mouse_dx, mouse_dy;
};

Input *input_create(Memory *memory, Error *error) {
  Input *input = memory_alloc(memory, sizeof *input);
  if (!input) {
    error_set_out_of_memory(error);
    return NULL;
  }
  input->memory = memory;
  return input;
}

void input_free(Input *input) {
  if (!input) return;
  array_free(input->memory, &input->keys);
  array_free(input->memory, &input->actions);
  array_free(input->memory, &input->waiting);
  array_free(input->memory, &input->current);
  memory_free(input->memory, input);
}

// --- Names ---

static bool starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static bool is_mouse_button(const char *name) {
  return starts_with(name, "mouse") && name[5] >= '1' && name[5] <= '9' && !name[6];
}

// Splits "pad:lefty-" into the axis "pad:lefty" and the half -1.
static bool split_half_axis(const char *name, char axis[PLATFORM_NAME_SIZE], int *half) {
  size_t length = strlen(name);
  *half = 0;
  if (!starts_with(name, "pad:") || length >= PLATFORM_NAME_SIZE || length < 5) return false;
  memcpy(axis, name, length + 1);
  char last = name[length - 1];
  if (last == '-' || last == '+') {
    *half = last == '-' ? -1 : 1;
    axis[length - 1] = 0;
  }
  return platform_is_pad_axis(axis + 4);
}

static bool is_key_name(const char *name) {
  char axis[PLATFORM_NAME_SIZE];
  int half;
  if (strlen(name) >= PLATFORM_NAME_SIZE || !name[0]) return false;
  if (starts_with(name, "pad:")) return platform_is_pad_button(name + 4) || split_half_axis(name, axis, &half);
  return is_mouse_button(name) || platform_is_key(name);
}

static Key *find_key(const Input *input, const char *name) {
  for (int i = 0; i < input->keys.count; i++) {
    if (strcmp(input->keys.items[i].name, name) == 0) return &input->keys.items[i];
  }
  return NULL;
}

// The key's index; made at first sight. -1 without memory.
static int intern_key(Input *input, const char *name) {
  Key *known = find_key(input, name);
  if (known) return (int)(known - input->keys.items);
  Key key = {0};
  snprintf(key.name, sizeof key.name, "%s", name);
  return array_push(input->memory, &input->keys, key) ? input->keys.count - 1 : -1;
}

static Action *find_action(const Input *input, const char *name) {
  for (int i = 0; i < input->actions.count; i++) {
    if (strcmp(input->actions.items[i].name, name) == 0) return &input->actions.items[i];
  }
  return NULL;
}

static float half_value(float value, int half) {
  if (fabsf(value) < DEAD_ZONE) return 0;
  return half == 0 ? value : value * (float)half > 0 ? fabsf(value) : 0;
}

static bool is_half_down(float value, int half) {
  return fabsf(half_value(value, half)) >= AXIS_DOWN;
}

static bool is_action_down(const Input *input, const Action *action) {
  for (int i = 0; i < action->key_count; i++) {
    BoundKey bound = action->keys[i];
    if (is_half_down(input->keys.items[bound.key].value, bound.half)) return true;
  }
  return false;
}

bool input_bind(Input *input, const char *name, const char *const *keys, int key_count, Error *error) {
  if (strlen(name) >= PLATFORM_NAME_SIZE || !name[0])
    return error_set(error, "action '%s': a name of 1 to %d bytes expected", name, PLATFORM_NAME_SIZE - 1);
  if (key_count > MAX_ACTION_KEYS) return error_set(error, "action '%s': at most %d keys", name, MAX_ACTION_KEYS);
  Action action = {.key_count = key_count};
  snprintf(action.name, sizeof action.name, "%s", name);
  for (int i = 0; i < key_count; i++) {
    char axis[PLATFORM_NAME_SIZE];
    if (!is_key_name(keys[i])) return error_set(error, "action '%s': there is no key '%s'", name, keys[i]);
    bool is_axis = split_half_axis(keys[i], axis, &action.keys[i].half);
    action.keys[i].key = intern_key(input, is_axis ? axis : keys[i]);
    if (action.keys[i].key < 0) return error_set_out_of_memory(error);
  }
  Action *old = find_action(input, name);
  if (old) {
    // What it was until now stays true for this step; the next one sees what the new keys make of it.
    action.is_down = old->is_down;
    action.was_pressed = old->was_pressed;
    action.was_released = old->was_released;
    *old = action;
    return true;
  }
  // A key that is held when its action is made was not pressed for it.
  action.is_down = is_action_down(input, &action);
  return array_push(input->memory, &input->actions, action) || error_set_out_of_memory(error);
}

void input_clear_bindings(Input *input) {
  input->actions.count = 0;
}

bool input_make_event(const char *name, bool is_down, Event *event, Error *error) {
  char axis[PLATFORM_NAME_SIZE];
  int half;
  *event = (Event){0};
  if (!is_key_name(name)) return error_set(error, "there is no key '%s'", name);
  bool is_axis = split_half_axis(name, axis, &half);
  snprintf(event->name, sizeof event->name, "%s", is_axis ? axis : name);
  if (is_axis) {
    event->type = EVENT_PAD_AXIS;
    event->value = !is_down ? 0 : half < 0 ? -1 : 1;
    event->id = 1;
  } else if (starts_with(name, "pad:")) {
    event->type = is_down ? EVENT_PAD_DOWN : EVENT_PAD_UP;
    event->id = 1;
  } else if (is_mouse_button(name)) {
    event->type = is_down ? EVENT_MOUSE_DOWN : EVENT_MOUSE_UP;
    event->button = name[5] - '0';
  } else {
    event->type = is_down ? EVENT_KEY_DOWN : EVENT_KEY_UP;
  }
  return true;
}

// --- Steps ---

static bool is_of_key(EventType type) {
  return type == EVENT_KEY_DOWN || type == EVENT_KEY_UP || type == EVENT_MOUSE_DOWN || type == EVENT_MOUSE_UP ||
         type == EVENT_PAD_DOWN || type == EVENT_PAD_UP || type == EVENT_PAD_AXIS;
}

// All memory is taken here, so that a step needs none.
bool input_push(Input *input, const Event *event, Error *error) {
  bool is_good = (!is_of_key(event->type) || intern_key(input, event->name) >= 0) &&
                 array_push(input->memory, &input->waiting, *event);
  return is_good || error_set_out_of_memory(error);
}

static void set_key(Input *input, const char *name, float value) {
  Key *key = find_key(input, name);
  if (!key) return;
  for (int half = -1; half <= 1; half++) {
    bool is_down = is_half_down(value, half), was_down = is_half_down(key->value, half);
    if (is_down && !was_down) key->was_pressed[half + 1] = true;
    if (!is_down && was_down) key->was_released[half + 1] = true;
  }
  key->value = value;
}

static void apply(Input *input, const Event *event) {
  switch (event->type) {
    case EVENT_KEY_DOWN:
      if (event->is_repeat) break;
      set_key(input, event->name, 1);
      break;
    case EVENT_MOUSE_DOWN:
    case EVENT_PAD_DOWN:
      set_key(input, event->name, 1);
      break;
    case EVENT_KEY_UP:
    case EVENT_MOUSE_UP:
    case EVENT_PAD_UP:
      set_key(input, event->name, 0);
      break;
    case EVENT_PAD_AXIS:
      set_key(input, event->name, event->value);
      break;
    case EVENT_MOUSE_MOVE:
      input->mouse_x = event->x;
      input->mouse_y = event->y;
      input->mouse_dx += event->dx;
      input->mouse_dy += event->dy;
      break;
    case EVENT_FOCUS:
      // Keys released while another window had the keyboard are never told: all go up.
      for (int i = 0; event->value == 0 && i < input->keys.count; i++)
        set_key(input, input->keys.items[i].name, 0);
      break;
    default:
      break;
  }
}

// An action goes down with its first key and up with its last. It is looked at after each event, so that a tap within
// one step counts as both.
static void update_actions(Input *input) {
  for (int i = 0; i < input->actions.count; i++) {
    Action *action = &input->actions.items[i];
    bool is_down = is_action_down(input, action);
    if (is_down && !action->is_down) action->was_pressed = true;
    if (!is_down && action->is_down) action->was_released = true;
    action->is_down = is_down;
  }
}

static void forget_last_step(Input *input) {
  input->mouse_dx = input->mouse_dy = 0;
  for (int i = 0; i < input->keys.count; i++) {
    Key *key = &input->keys.items[i];
    memset(key->was_pressed, 0, sizeof key->was_pressed);
    memset(key->was_released, 0, sizeof key->was_released);
  }
  for (int i = 0; i < input->actions.count; i++)
    input->actions.items[i].was_pressed = input->actions.items[i].was_released = false;
}

void input_begin_step(Input *input) {
  EventArray past = input->current;
  input->current = input->waiting;
  input->waiting = past;
  input->waiting.count = 0;
  forget_last_step(input);
  update_actions(input);
  for (int i = 0; i < input->current.count; i++) {
    apply(input, &input->current.items[i]);
    update_actions(input);
  }
}

int input_event_count(const Input *input) {
  return input->current.count;
}

const Event *input_event_at(const Input *input, int index) {
  return &input->current.items[index];
}

// --- Questions ---

bool input_is_known(const Input *input, const char *name, Error *error) {
  if (find_action(input, name) || is_key_name(name)) return true;
  const char *names[MAX_NAMES_TO_GUESS];
  int count = 0;
  for (; count < input->actions.count && count < MAX_NAMES_TO_GUESS; count++)
    names[count] = input->actions.items[count].name;
  const char *nearest = nearest_name(name, names, count);
  if (!nearest) return error_set(error, "'%s' is neither an action nor a key", name);
  return error_set(error, "'%s' is neither an action nor a key; did you mean '%s'?", name, nearest);
}

// A key by its name, which may be half an axis.
static const Key *find_named_key(const Input *input, const char *name, int *half) {
  char axis[PLATFORM_NAME_SIZE];
  return find_key(input, split_half_axis(name, axis, half) ? axis : name);
}

static float key_value(const Input *input, const char *name) {
  int half;
  const Key *key = find_named_key(input, name, &half);
  return key ? half_value(key->value, half) : 0;
}

bool input_is_down(const Input *input, const char *name) {
  const Action *action = find_action(input, name);
  return action ? action->is_down : fabsf(key_value(input, name)) >= AXIS_DOWN;
}

bool input_was_pressed(const Input *input, const char *name) {
  const Action *action = find_action(input, name);
  if (action) return action->was_pressed;
  int half;
  const Key *key = find_named_key(input, name, &half);
  return key && key->was_pressed[half + 1];
}

bool input_was_released(const Input *input, const char *name) {
  const Action *action = find_action(input, name);
  if (action) return action->was_released;
  int half;
  const Key *key = find_named_key(input, name, &half);
  return key && key->was_released[half + 1];
}

float input_axis(const Input *input, const char *name) {
  const Action *action = find_action(input, name);
  if (!action) return key_value(input, name);
  float strongest = 0;
  for (int i = 0; i < action->key_count; i++) {
    float value = half_value(input->keys.items[action->keys[i].key].value, action->keys[i].half);
    if (fabsf(value) > fabsf(strongest)) strongest = value;
  }
  return strongest;
}

void input_get_mouse(const Input *input, float *x, float *y, float *dx, float *dy) {
  *x = input->mouse_x;
  *y = input->mouse_y;
  *dx = input->mouse_dx;
  *dy = input->mouse_dy;
}

void input_get_waiting_mouse(const Input *input, float *x, float *y) {
  *x = input->mouse_x;
  *y = input->mouse_y;
  for (int i = 0; i < input->waiting.count; i++) {
    if (input->waiting.items[i].type != EVENT_MOUSE_MOVE) continue;
    *x = input->waiting.items[i].x;
    *y = input->waiting.items[i].y;
  }
}
