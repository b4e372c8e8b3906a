#ifndef PALFREY_ENGINE_INPUT_H
#define PALFREY_ENGINE_INPUT_H
// What is pressed, as the simulation sees it. Events are gathered between steps and take effect at the next step, so that
// a key pressed and released within one frame is still seen, in exactly one step.
#include "error.h"
#include "memory.h"
#include "platform.h"

typedef struct Input Input;

Input *input_create(Memory *memory, Error *error);
void input_free(Input *input);

/// Binds an action to keys, replacing what it had. A key is a name as in platform.h; "pad:lefty-" is half an axis.
/// The error names a key that does not exist.
bool input_bind(Input *input, const char *action, const char *const *keys, int key_count, Error *error);
void input_clear_bindings(Input *input);

/// Puts an event in line for the next step.
bool input_push(Input *input, const Event *event, Error *error);

/// Starts a step: applies the events in line, which can then be walked with input_event_count and input_event_at.
void input_begin_step(Input *input);
int input_event_count(const Input *input);
const Event *input_event_at(const Input *input, int index);

/// The event of pressing or releasing a key, button or axis by its name; the error names one that does not exist.
bool input_make_event(const char *name, bool is_down, Event *event, Error *error);

/// A name is an action, else a key. False with an error when it is neither.
bool input_is_known(const Input *input, const char *name, Error *error);
bool input_is_down(const Input *input, const char *name);
bool input_was_pressed(const Input *input, const char *name);   ///< in this step
bool input_was_released(const Input *input, const char *name);  ///< in this step

/// The strongest of the action's keys: 0..1 for buttons and half axes, -1..1 for a whole axis; dead zone 0.15.
float input_axis(const Input *input, const char *name);

void input_get_mouse(const Input *input, float *x, float *y, float *dx, float *dy);

/// Where the mouse will be when the events in line are applied.
void input_get_waiting_mouse(const Input *input, float *x, float *y);

#endif
