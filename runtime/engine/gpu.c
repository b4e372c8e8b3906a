#include "engine/gpu.h"

#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
#include <stdio.h>
#include <string.h>

#include "engine/gpu_backend.h"
#include "log.h"

// --- The device ---

// Whether a name is a whole word of the extension string. Never by address: the loader finds functions for any name.
static bool has_extension(const char *name) {
  const char *extensions = (const char *)glGetString(GL_EXTENSIONS);
  size_t length = strlen(name);
  for (const char *at = extensions; at && (at = strstr(at, name)); at += length) {
    bool starts = at == extensions || at[-1] == ' ';
    if (starts && (at[length] == ' ' || at[length] == 0)) return true;
  }
  return false;
}

static int get_integer(GLenum what) {
  GLint value = 0;
  glGetIntegerv(what, &value);
  return value;
}

static DeviceProfile ask_device(void) {
  GLint range[2] = {0, 0}, precision = 0;
  glGetShaderPrecisionFormat(GL_FRAGMENT_SHADER, GL_HIGH_FLOAT, range, &precision);
  return (DeviceProfile){
      .max_vertex_uniform_vectors = get_integer(GL_MAX_VERTEX_UNIFORM_VECTORS),
      .max_fragment_uniform_vectors = get_integer(GL_MAX_FRAGMENT_UNIFORM_VECTORS),
      .max_varying_vectors = get_integer(GL_MAX_VARYING_VECTORS),
      .max_vertex_attributes = get_integer(GL_MAX_VERTEX_ATTRIBS),
      .max_texture_size = get_integer(GL_MAX_TEXTURE_SIZE),
      .has_uint_indices = has_extension("GL_OES_element_index_uint"),
      .has_npot_textures = has_extension("GL_OES_texture_npot"),
      .has_fragment_highp = precision > 0,
      .has_standard_derivatives = has_extension("GL_OES_standard_derivatives"),
      .has_depth_texture = has_extension("GL_OES_depth_texture"),
      .has_depth24 = has_extension("GL_OES_depth24"),
      .has_debug = has_extension("GL_KHR_debug"),
  };
}

static void GL_APIENTRY on_debug_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                         const GLchar *message, const void *user) {
  (void)source, (void)id, (void)severity, (void)length;
  if (type == GL_DEBUG_TYPE_ERROR_KHR) gpu_note_error((Gpu *)user, message);
}

static void listen_to_errors(Gpu *gpu) {
  if (!gpu->profile.has_debug || !gpu->desc.load) return;
  PFNGLDEBUGMESSAGECALLBACKKHRPROC set_callback = NULL;
  // A function pointer from an object pointer: what POSIX asks for, and C only lets memcpy do.
  void *address = gpu->desc.load("glDebugMessageCallbackKHR");
  memcpy(&set_callback, &address, sizeof set_callback);
  if (!set_callback) return;
  glEnable(GL_DEBUG_OUTPUT_KHR);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS_KHR);
  set_callback(on_debug_message, gpu);
  gpu->has_debug_callback = true;
}

static void find_reset_status(Gpu *gpu) {
  const char *name = has_extension("GL_KHR_robustness")   ? "glGetGraphicsResetStatusKHR"
                     : has_extension("GL_EXT_robustness") ? "glGetGraphicsResetStatusEXT"
                                                          : NULL;
  void *address = name && gpu->desc.load ? gpu->desc.load(name) : NULL;
  memcpy(&gpu->get_reset_status, &address, sizeof address);
}

static bool gles2_open(Gpu *gpu, const GpuDesc *desc, Error *error) {
  const char *version = (const char *)glGetString(GL_VERSION);
  const char *renderer = (const char *)glGetString(GL_RENDERER);
  if (!version) return error_set(error, "no OpenGL ES context is current");
  if (strncmp(version, "OpenGL ES ", 10) != 0)
    return error_set(error, "the driver offers \"%s\", OpenGL ES 2.0 is needed", version);
  snprintf(gpu->driver_name, sizeof gpu->driver_name, "%s, %s", renderer ? renderer : "?", version);
  gpu->profile = ask_device();
  find_reset_status(gpu);
  if (desc->reports_errors) listen_to_errors(gpu);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  return true;
}

static void gles2_close(Gpu *gpu) {
  if (gpu->has_debug_callback) glDisable(GL_DEBUG_OUTPUT_KHR);
}

static bool gles2_is_lost(const Gpu *gpu) {
  return gpu->get_reset_status && gpu->get_reset_status() != GL_NO_ERROR;
}

static void gles2_poll_errors(Gpu *gpu) {
  enum { MAX_ERRORS = 16 };  // a lost context may have one more each time it is asked
  GLenum code;
  for (int i = 0; i < MAX_ERRORS && (code = glGetError()) != GL_NO_ERROR; i++) {
    char text[32];
    snprintf(text, sizeof text, "GL error 0x%04x", code);
    gpu_note_error(gpu, text);
  }
}

// --- Buffers and textures ---

static GLenum buffer_target(GpuBufferKind kind) {
  return kind == GPU_VERTICES ? GL_ARRAY_BUFFER : GL_ELEMENT_ARRAY_BUFFER;
}

static uint32_t gles2_create_buffer(void) {
  GLuint name = 0;
  glGenBuffers(1, &name);
  return name;
}

static void gles2_delete_buffer(uint32_t buffer) {
  glDeleteBuffers(1, &buffer);
}

static void gles2_bind_buffer(GpuBufferKind kind, uint32_t buffer) {
  glBindBuffer(buffer_target(kind), buffer);
}

static void gles2_fill_buffer(GpuBufferKind kind, const void *data, size_t size, bool is_dynamic) {
  glBufferData(buffer_target(kind), (GLsizeiptr)size, data, is_dynamic ? GL_STREAM_DRAW : GL_STATIC_DRAW);
}

static uint32_t gles2_create_texture(void) {
  GLuint name = 0;
  glGenTextures(1, &name);
  return name;
}

static void gles2_delete_texture(uint32_t texture) {
  glDeleteTextures(1, &texture);
}

static void gles2_bind_texture(int unit, uint32_t texture) {
  glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
  glBindTexture(GL_TEXTURE_2D, texture);
}

static GLenum pixel_format(GpuFormat format) {
  return format == GPU_RGBA ? GL_RGBA : GL_ALPHA;
}

static void gles2_fill_texture(const GpuTextureDesc *desc) {
  GLenum format = pixel_format(desc->format);
  glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, desc->width, desc->height, 0, format, GL_UNSIGNED_BYTE, desc->pixels);
  if (desc->has_mipmaps) glGenerateMipmap(GL_TEXTURE_2D);
}

static void gles2_fill_texture_rows(GpuFormat format, int width, int y, int height, const uint8_t *pixels) {
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, y, width, height, pixel_format(format), GL_UNSIGNED_BYTE, pixels);
}

static GLint wrap_mode(int wrap) {
  return wrap == GPU_CLAMP ? GL_CLAMP_TO_EDGE : wrap == GPU_MIRROR ? GL_MIRRORED_REPEAT : GL_REPEAT;
}

static void gles2_set_sampler(GpuSampler sampler, bool has_mipmaps) {
  GLint large = sampler.is_nearest ? GL_NEAREST : GL_LINEAR, small = large;
  if (has_mipmaps && !sampler.has_no_mipmaps)
    small = sampler.is_nearest ? GL_NEAREST_MIPMAP_NEAREST : GL_LINEAR_MIPMAP_LINEAR;
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, small);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, large);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap_mode(sampler.wrap_u));
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap_mode(sampler.wrap_v));
}

// --- Programs ---

static GLuint compile_shader(const char *name, GLenum stage, const char *source, Error *error) {
  GLuint shader = glCreateShader(stage);
  GLint is_compiled = GL_FALSE;
  glShaderSource(shader, 1, &source, NULL);
  glCompileShader(shader);
  glGetShaderiv(shader, GL_COMPILE_STATUS, &is_compiled);
  if (is_compiled) return shader;
  char log[400] = "";
  glGetShaderInfoLog(shader, sizeof log, NULL, log);
  glDeleteShader(shader);
  error_set(error, "shader %s, %s stage: %s", name, stage == GL_VERTEX_SHADER ? "vertex" : "fragment", log);
  return 0;
}

static GLuint link_program(const GpuProgramDesc *desc, GLuint vertex, GLuint fragment, Error *error) {
  GLuint program = glCreateProgram();
  glAttachShader(program, vertex);
  glAttachShader(program, fragment);
  for (GLuint i = 0; i < GPU_MAX_ATTRIBUTES; i++) {
    if (desc->attributes[i]) glBindAttribLocation(program, i, desc->attributes[i]);
  }
  GLint is_linked = GL_FALSE;
  glLinkProgram(program);
  glGetProgramiv(program, GL_LINK_STATUS, &is_linked);
  if (is_linked) return program;
  char log[400] = "";
  glGetProgramInfoLog(program, sizeof log, NULL, log);
  glDeleteProgram(program);
  error_set(error, "shader %s: %s", desc->name, log);
  return 0;
}

// The size the description tells for an active uniform, 0 for a sampler that is known, -1 for anything else.
static int described_size(const GpuProgramDesc *desc, const char *name, GLenum type) {
  for (int i = 0; type == GL_SAMPLER_2D && i < GPU_MAX_TEXTURES; i++) {
    if (desc->textures[i] && strcmp(desc->textures[i], name) == 0) return 0;
  }
  size_t length = strcspn(name, "[");
  for (int i = 0; type == GL_FLOAT_VEC4 && i < GPU_MAX_UNIFORMS; i++) {
    const char *known = desc->uniforms[i].name;
    if (known && strlen(known) == length && memcmp(known, name, length) == 0) return desc->uniforms[i].vector_count;
  }
  return -1;
}

// The count of vectors was checked against the profile by the description, so the source must not hold more.
static bool check_uniforms(const GpuProgramDesc *desc, GLuint program, Error *error) {
  GLint count = 0;
  glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
  for (GLint i = 0; i < count; i++) {
    char name[64] = "";
    GLint size = 0;
    GLenum type = 0;
    glGetActiveUniform(program, (GLuint)i, sizeof name, NULL, &size, &type, name);
    int described = described_size(desc, name, type);
    if (described < 0 || (described > 0 && size > described))
      return error_set(error, "shader %s: the uniform %s is not as described", desc->name, name);
  }
  return true;
}

static void find_uniforms(const GpuProgramDesc *desc, GLuint program, int32_t locations[GPU_MAX_UNIFORMS]) {
  glUseProgram(program);
  for (int i = 0; i < GPU_MAX_UNIFORMS; i++)
    locations[i] = desc->uniforms[i].name ? glGetUniformLocation(program, desc->uniforms[i].name) : -1;
  for (int i = 0; i < GPU_MAX_TEXTURES; i++) {
    if (desc->textures[i]) glUniform1i(glGetUniformLocation(program, desc->textures[i]), i);
  }
}

static uint32_t gles2_create_program(const GpuProgramDesc *desc, int32_t locations[GPU_MAX_UNIFORMS], Error *error) {
  GLuint vertex = compile_shader(desc->name, GL_VERTEX_SHADER, desc->vertex_source, error);
  GLuint fragment = vertex ? compile_shader(desc->name, GL_FRAGMENT_SHADER, desc->fragment_source, error) : 0;
  GLuint program = fragment ? link_program(desc, vertex, fragment, error) : 0;
  glDeleteShader(vertex);
  glDeleteShader(fragment);
  if (program && !check_uniforms(desc, program, error)) {
    glDeleteProgram(program);
    program = 0;
  }
  if (program) find_uniforms(desc, program, locations);
  return program;
}

static void gles2_delete_program(uint32_t program) {
  glDeleteProgram(program);
}

static void gles2_use_program(uint32_t program) {
  glUseProgram(program);
}

static void gles2_set_uniform(int32_t location, const float *vectors, int count) {
  glUniform4fv(location, count, vectors);
}

// --- Targets ---

static bool gles2_create_target(const DeviceProfile *profile, int width, int height, uint32_t names[3], Error *error) {
  glGenFramebuffers(1, &names[0]);
  glGenTextures(1, &names[1]);
  glGenRenderbuffers(1, &names[2]);
  // Renderbuffers of ES 2.0 have at most 5 or 6 bits a channel; a texture has 8.
  gles2_bind_texture(0, names[1]);
  gles2_fill_texture(&(GpuTextureDesc){.width = width, .height = height});
  gles2_set_sampler((GpuSampler){.wrap_u = GPU_CLAMP, .wrap_v = GPU_CLAMP}, false);
  glBindRenderbuffer(GL_RENDERBUFFER, names[2]);
  glRenderbufferStorage(GL_RENDERBUFFER, profile->has_depth24 ? GL_DEPTH_COMPONENT24_OES : GL_DEPTH_COMPONENT16, width,
                        height);
  glBindFramebuffer(GL_FRAMEBUFFER, names[0]);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, names[1], 0);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, names[2]);
  GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
  if (status == GL_FRAMEBUFFER_COMPLETE) return true;
  GPU_GLES2_BACKEND.delete_target(names);
  return error_set(error, "the device cannot draw into a picture of %d x %d pixels (0x%04x)", width, height, status);
}

static void gles2_delete_target(const uint32_t names[3]) {
  glDeleteFramebuffers(1, &names[0]);
  glDeleteTextures(1, &names[1]);
  glDeleteRenderbuffers(1, &names[2]);
}

static void gles2_bind_target(uint32_t framebuffer) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

static void gles2_finish(void) {
  glFinish();
}

static void gles2_read_pixels(int x, int y, int width, int height, uint8_t *rgba) {
  glReadPixels(x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
}

// --- State and drawing ---

static void set_capability(GLenum capability, bool on) {
  if (on)
    glEnable(capability);
  else
    glDisable(capability);
}

static void gles2_set_viewport(int width, int height) {
  glViewport(0, 0, width, height);
}

static void gles2_clear(const float color[4]) {
  glClearColor(color[0], color[1], color[2], color[3]);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

// The alpha of the picture stays as it is: blended surfaces do not make holes into a window or a screenshot.
static void gles2_set_blend(GpuBlend blend) {
  set_capability(GL_BLEND, blend != GPU_OPAQUE);
  GLenum source = GL_SRC_ALPHA, target = GL_ONE_MINUS_SRC_ALPHA;
  if (blend == GPU_BLEND_ADD) target = GL_ONE;
  if (blend == GPU_BLEND_MODULATE) source = GL_DST_COLOR, target = GL_ZERO;
  if (blend == GPU_BLEND_MODULATE_X2) source = GL_DST_COLOR, target = GL_SRC_COLOR;
  if (blend != GPU_OPAQUE) glBlendFuncSeparate(source, target, GL_ZERO, GL_ONE);
}

static void gles2_set_cull(GpuCull cull) {
  set_capability(GL_CULL_FACE, cull != GPU_CULL_NONE);
  if (cull != GPU_CULL_NONE) glCullFace(cull == GPU_CULL_BACK ? GL_BACK : GL_FRONT);
}

static void gles2_set_front(bool is_clockwise) {
  glFrontFace(is_clockwise ? GL_CW : GL_CCW);
}

static void gles2_set_depth(bool tests, bool writes) {
  // Without the test GL writes no depth at all, so a surface that only writes passes always.
  set_capability(GL_DEPTH_TEST, tests || writes);
  glDepthFunc(tests ? GL_LEQUAL : GL_ALWAYS);
  glDepthMask(writes);
}

static void gles2_set_color_write(bool writes) {
  glColorMask(writes, writes, writes, writes);
}

static void gles2_set_offset(float factor, float units) {
  set_capability(GL_POLYGON_OFFSET_FILL, factor != 0 || units != 0);
  glPolygonOffset(factor, units);
}

static void gles2_enable_attribute(int location, bool on) {
  if (on)
    glEnableVertexAttribArray((GLuint)location);
  else
    glDisableVertexAttribArray((GLuint)location);
}

static void gles2_set_attribute(int location, const GpuAttribute *attribute) {
  static const GLenum TYPES[] = {GL_FLOAT, GL_UNSIGNED_BYTE, GL_UNSIGNED_BYTE, GL_SHORT};
  bool is_unit = attribute->type == GPU_BYTE_UNIT || attribute->type == GPU_SHORT_UNIT;
  glVertexAttribPointer((GLuint)location, attribute->components, TYPES[attribute->type], is_unit, attribute->stride,
                        (const void *)attribute->offset);
}

static void gles2_draw(GpuPrimitive primitive, int index_size, int first, int count) {
  glDrawElements(primitive == GPU_TRIANGLES ? GL_TRIANGLES : GL_LINES, count,
                 index_size == 4 ? GL_UNSIGNED_INT : GL_UNSIGNED_SHORT,
                 (const void *)((size_t)first * (size_t)index_size));
}

const GpuBackend GPU_GLES2_BACKEND = {
    .open = gles2_open,
    .close = gles2_close,
    .is_lost = gles2_is_lost,
    .poll_errors = gles2_poll_errors,
    .create_buffer = gles2_create_buffer,
    .delete_buffer = gles2_delete_buffer,
    .bind_buffer = gles2_bind_buffer,
    .fill_buffer = gles2_fill_buffer,
    .create_texture = gles2_create_texture,
    .delete_texture = gles2_delete_texture,
    .bind_texture = gles2_bind_texture,
    .fill_texture = gles2_fill_texture,
    .fill_texture_rows = gles2_fill_texture_rows,
    .set_sampler = gles2_set_sampler,
    .create_program = gles2_create_program,
    .delete_program = gles2_delete_program,
    .use_program = gles2_use_program,
    .set_uniform = gles2_set_uniform,
    .create_target = gles2_create_target,
    .delete_target = gles2_delete_target,
    .bind_target = gles2_bind_target,
    .read_pixels = gles2_read_pixels,
    .finish = gles2_finish,
    .set_viewport = gles2_set_viewport,
    .clear = gles2_clear,
    .set_blend = gles2_set_blend,
    .set_cull = gles2_set_cull,
    .set_front = gles2_set_front,
    .set_depth = gles2_set_depth,
    .set_color_write = gles2_set_color_write,
    .set_offset = gles2_set_offset,
    .enable_attribute = gles2_enable_attribute,
    .set_attribute = gles2_set_attribute,
    .draw = gles2_draw,
};
