#include "platform_egl.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdio.h>
#include <string.h>

// Pictures are drawn into targets of their own; the surface only has to be there.
enum { SURFACE_SIZE = 16, MAX_TRIED = 400 };

struct EglContext {
  Memory *memory;
  EGLDisplay display;
  EGLContext context;
  EGLSurface surface;  // EGL_NO_SURFACE where the driver does without
};

static bool has_extension(EGLDisplay display, const char *name) {
  const char *all = eglQueryString(display, EGL_EXTENSIONS);
  size_t length = strlen(name);
  for (const char *at = all; at && (at = strstr(at, name)); at += length) {
    bool is_start = at == all || at[-1] == ' ';
    if (is_start && (at[length] == ' ' || !at[length])) return true;
  }
  return false;
}

// --- Displays, by the ways there are to get one ---

static EGLDisplay get_platform_display(EGLenum platform, void *native) {
  PFNEGLGETPLATFORMDISPLAYEXTPROC get = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
  return get ? get(platform, native, NULL) : EGL_NO_DISPLAY;
}

static EGLDisplay get_surfaceless(void) {
  if (!has_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) return EGL_NO_DISPLAY;
  return get_platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY);
}

static EGLDisplay get_device(void) {
  if (!has_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device")) return EGL_NO_DISPLAY;
  PFNEGLQUERYDEVICESEXTPROC query = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
  EGLDeviceEXT device;
  EGLint count = 0;
  if (!query || !query(1, &device, &count) || count < 1) return EGL_NO_DISPLAY;
  return get_platform_display(EGL_PLATFORM_DEVICE_EXT, device);
}

static EGLDisplay get_default(void) {
  return eglGetDisplay(EGL_DEFAULT_DISPLAY);
}

typedef struct DisplayWay {
  const char *name;
  EGLDisplay (*get)(void);
} DisplayWay;

static const DisplayWay WAYS[] = {{"surfaceless", get_surfaceless}, {"device", get_device}, {"default", get_default}};

// --- The context ---

static bool choose_config(EGLDisplay display, EGLint surface_type, EGLConfig *config) {
  // Some drivers have no depth buffer of 24 bits.
  for (EGLint depth_bits = 24; depth_bits >= 16; depth_bits -= 8) {
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_SURFACE_TYPE, surface_type, EGL_RED_SIZE, 5,
                             EGL_DEPTH_SIZE,      depth_bits,         EGL_NONE};
    EGLint count = 0;
    if (eglChooseConfig(display, wanted, config, 1, &count) && count == 1) return true;
  }
  return false;
}

// Returns what failed, or NULL.
static const char *open_context(EglContext *egl) {
  static const EGLint VERSION[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
  static const EGLint TELLING_VERSION[] = {EGL_CONTEXT_CLIENT_VERSION, 2,
                                           EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
                                           EGL_LOSE_CONTEXT_ON_RESET_EXT, EGL_NONE};
  static const EGLint SIZE[] = {EGL_WIDTH, SURFACE_SIZE, EGL_HEIGHT, SURFACE_SIZE, EGL_NONE};
  EGLConfig config;
  if (!eglInitialize(egl->display, NULL, NULL)) return "eglInitialize";
  if (!eglBindAPI(EGL_OPENGL_ES_API)) return "eglBindAPI";
  bool has_surface = choose_config(egl->display, EGL_PBUFFER_BIT, &config);
  if (!has_surface && (!has_extension(egl->display, "EGL_KHR_surfaceless_context") ||
                       !choose_config(egl->display, EGL_DONT_CARE, &config)))
    return "eglChooseConfig";
  // Only a context that was asked for it tells when it was lost.
  if (has_extension(egl->display, "EGL_EXT_create_context_robustness"))
    egl->context = eglCreateContext(egl->display, config, EGL_NO_CONTEXT, TELLING_VERSION);
  if (egl->context == EGL_NO_CONTEXT) egl->context = eglCreateContext(egl->display, config, EGL_NO_CONTEXT, VERSION);
  if (egl->context == EGL_NO_CONTEXT) return "eglCreateContext";
  if (has_surface) egl->surface = eglCreatePbufferSurface(egl->display, config, SIZE);
  if (has_surface && egl->surface == EGL_NO_SURFACE) return "eglCreatePbufferSurface";
  if (!eglMakeCurrent(egl->display, egl->surface, egl->surface, egl->context)) return "eglMakeCurrent";
  return eglGetCurrentContext() == egl->context ? NULL : "eglGetCurrentContext";
}

static void close_context(EglContext *egl) {
  if (egl->display == EGL_NO_DISPLAY) return;
  eglMakeCurrent(egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  if (egl->surface != EGL_NO_SURFACE) eglDestroySurface(egl->display, egl->surface);
  if (egl->context != EGL_NO_CONTEXT) eglDestroyContext(egl->display, egl->context);
  eglTerminate(egl->display);
  eglReleaseThread();
  egl->surface = EGL_NO_SURFACE;
  egl->context = EGL_NO_CONTEXT;
}

EglContext *egl_context_create(Memory *memory, Error *error) {
  char tried[MAX_TRIED] = "";
  EglContext *egl = memory_alloc(memory, sizeof *egl);
  if (!egl) {
    error_set_out_of_memory(error);
    return NULL;
  }
  for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++) {
    *egl = (EglContext){memory, WAYS[i].get(), EGL_NO_CONTEXT, EGL_NO_SURFACE};
    const char *failed = egl->display == EGL_NO_DISPLAY ? "no display" : open_context(egl);
    if (!failed) return egl;
    size_t used = strlen(tried);
    snprintf(tried + used, sizeof tried - used, "%s%s: %s (0x%x)", used ? ", " : "", WAYS[i].name, failed,
             (unsigned)eglGetError());
    close_context(egl);
  }
  memory_free(memory, egl);
  error_set(error, "EGL %s", tried);
  return NULL;
}

void egl_context_free(EglContext *egl) {
  if (!egl) return;
  close_context(egl);
  memory_free(egl->memory, egl);
}

void *egl_context_function(const char *name) {
  // C has no cast from a function's address to a plain one, but the bits are the same wherever EGL is.
  void (*function)(void) = eglGetProcAddress(name);
  void *address;
  memcpy(&address, &function, sizeof address);
  return address;
}
