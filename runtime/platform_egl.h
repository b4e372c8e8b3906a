#ifndef PALFREY_PLATFORM_EGL_H
#define PALFREY_PLATFORM_EGL_H
// An OpenGL ES 2.0 context without a window, for headless runs where SDL cannot make one.
#include "error.h"
#include "memory.h"

typedef struct EglContext EglContext;

/// Makes a context current. The error tells what was tried and how each attempt ended.
EglContext *egl_context_create(Memory *memory, Error *error);
void egl_context_free(EglContext *context);

/// The address of a GL function, or NULL.
void *egl_context_function(const char *name);

#endif
