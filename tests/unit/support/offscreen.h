#ifndef TESTS_OFFSCREEN_H
#define TESTS_OFFSCREEN_H
// An OpenGL ES 2.0 context without a display, for tests that look at pixels. One at a time.

/// Makes a context current, or ends the process with 77 (skipped) and the reason.
void offscreen_open(void);
void offscreen_close(void);

/// The address of a GL function, for gpu_create.
void *offscreen_load(const char *name);

#endif
