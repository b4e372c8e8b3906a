#include "engine/shaders.h"

#include <stdio.h>
#include <string.h>

#include "array.h"
#include "skin/vertex_frames.h"

enum { MAX_SOURCE = 8192 };

// Lighting is per vertex, in the world; the formula is the one of render.h. A light is three vectors: the place and 1, or
// the direction it comes from and 0; its colour and 1 / range^2 (0: endless); the axis of a spot's cone times a slope,
// and an offset, whose sum with the product of axis and ray is the part that passes (slope 0, offset 1: all).
static const char VERTEX_SOURCE[] =
    "attribute vec4 a_position;\n"
    "uniform vec4 u_clip[4];\n"
    "uniform vec4 u_material[4];\n"
    "varying vec4 v_color;\n"
    "#ifdef FRAMES\n"
    "attribute vec4 a_position_b;\n"
    "uniform vec4 u_frames[3];\n"
    "uniform vec4 u_directions[27];\n"
    // Bits 0-4 are the direction, bits 5-7 the signs of x, y, z.
    "vec3 unpack_normal(float code) {\n"
    "  vec3 negative;\n"
    "  negative.z = step(127.5, code);\n"
    "  code -= 128.0 * negative.z;\n"
    "  negative.y = step(63.5, code);\n"
    "  code -= 64.0 * negative.y;\n"
    "  negative.x = step(31.5, code);\n"
    "  code -= 32.0 * negative.x;\n"
    "  return u_directions[int(code + 0.5)].xyz * (1.0 - 2.0 * negative);\n"
    "}\n"
    "#else\n"
    "attribute vec3 a_normal;\n"
    "#endif\n"
    "#ifdef TEXTURE\n"
    "attribute vec2 a_uv;\n"
    "uniform vec4 u_uv[2];\n"
    "varying vec2 v_uv;\n"
    "#endif\n"
    "#ifdef COLORS\n"
    "attribute vec4 a_color;\n"
    "#endif\n"
    "#ifdef FOG\n"
    "uniform vec4 u_fog;\n"
    "varying float v_fog;\n"
    "#endif\n"
    "#ifdef SPECULAR\n"
    "varying vec3 v_specular;\n"
    "#endif\n"
    "#ifdef NEEDS_PLACE\n"
    "uniform vec4 u_world[3];\n"
    "uniform vec4 u_eye;\n"
    "#endif\n"
    "#if LIGHTS > 0\n"
    "uniform vec4 u_normal[3];\n"
    "uniform vec4 u_lights[3 * LIGHTS];\n"
    "void add_light(vec4 place, vec4 color, vec4 cone, vec3 point, vec3 normal, inout vec3 diffuse, inout vec3 shine) "
    "{\n"
    "  vec3 light = color.rgb;\n"
    "#ifdef LOCAL_LIGHTS\n"
    "  vec3 ray = place.xyz - point * place.w;\n"
    "  float square = max(dot(ray, ray), 1e-12);\n"
    "  ray *= inversesqrt(square);\n"
    "  float fade = max(0.0, 1.0 - square * color.w);\n"
    "  light *= fade * fade * clamp(cone.w - dot(ray, cone.xyz), 0.0, 1.0);\n"
    "#else\n"
    "  vec3 ray = place.xyz;\n"
    "#endif\n"
    "  float facing = max(0.0, dot(normal, ray));\n"
    "  diffuse += light * facing;\n"
    "#ifdef SPECULAR\n"
    "  vec3 halfway = normalize(ray + normalize(u_eye.xyz - point));\n"
    "  shine += light * step(1e-6, facing) * pow(max(1e-6, dot(normal, halfway)), u_material[3].w);\n"
    "#endif\n"
    "}\n"
    "#endif\n"
    "void main() {\n"
    "#ifdef FRAMES\n"
    "  vec4 p = vec4(a_position.xyz * u_frames[0].xyz + a_position_b.xyz * u_frames[1].xyz + u_frames[2].xyz, 1.0);\n"
    "#else\n"
    "  vec4 p = vec4(a_position.xyz, 1.0);\n"
    "#endif\n"
    "  gl_Position = vec4(dot(u_clip[0], p), dot(u_clip[1], p), dot(u_clip[2], p), dot(u_clip[3], p));\n"
    "  vec4 tint = vec4(1.0);\n"
    "#ifdef COLORS\n"
    "  tint = a_color;\n"
    "#endif\n"
    "#ifdef UNLIT\n"
    "  v_color = u_material[2] * tint;\n"
    "#else\n"
    "  vec3 diffuse = vec3(0.0), shine = vec3(0.0);\n"
    "#if LIGHTS > 0\n"
    "#ifdef FRAMES\n"
    "  vec3 n = mix(unpack_normal(a_position.w), unpack_normal(a_position_b.w), u_frames[2].w);\n"
    "#else\n"
    "  vec3 n = a_normal;\n"
    "#endif\n"
    "  n = normalize(vec3(dot(u_normal[0].xyz, n), dot(u_normal[1].xyz, n), dot(u_normal[2].xyz, n)));\n"
    "  vec3 point = vec3(0.0);\n"
    "#ifdef NEEDS_PLACE\n"
    "  point = vec3(dot(u_world[0], p), dot(u_world[1], p), dot(u_world[2], p));\n"
    "#ifdef TWO_SIDED\n"
    "  n = faceforward(n, point - u_eye.xyz, n);\n"
    "#endif\n"
    "#endif\n"
    "  for (int i = 0; i < LIGHTS; i++)\n"
    "    add_light(u_lights[3 * i], u_lights[3 * i + 1], u_lights[3 * i + 2], point, n, diffuse, shine);\n"
    "#endif\n"
    "  v_color.rgb = u_material[0].rgb + (u_material[1].rgb + u_material[2].rgb * diffuse) * tint.rgb;\n"
    "  v_color.a = u_material[2].a * tint.a;\n"
    "#ifdef SPECULAR\n"
    "  v_specular = u_material[3].rgb * shine;\n"
    "#endif\n"
    "#endif\n"
    "#ifdef TEXTURE\n"
    "  v_uv = vec2(dot(u_uv[0].xyz, vec3(a_uv, 1.0)), dot(u_uv[1].xyz, vec3(a_uv, 1.0)));\n"
    "#endif\n"
    "#ifdef FOG\n"
    "  v_fog = dot(u_fog, p);\n"
    "#endif\n"
    "}\n";

// What must not lose digits is declared with FINE: highp where the device has it. Elsewhere 10 bits must do, for which
// the vertex stage has brought texture coordinates near 0 and fog into its own units.
static const char FRAGMENT_SOURCE[] =
    "precision mediump float;\n"
    "varying vec4 v_color;\n"
    "uniform vec4 u_surface;\n"
    "#ifdef TEXTURE\n"
    "uniform sampler2D u_texture;\n"
    "varying FINE vec2 v_uv;\n"
    "#endif\n"
    "#ifdef FOG\n"
    "varying FINE float v_fog;\n"
    "#endif\n"
    "#ifdef SPECULAR\n"
    "varying vec3 v_specular;\n"
    "#endif\n"
    "void main() {\n"
    "  vec4 color = v_color;\n"
    "#ifdef TEXTURE\n"
    "  color *= texture2D(u_texture, v_uv);\n"
    "#endif\n"
    "#ifdef ALPHA_TEST\n"
    "  if (color.a < u_surface.a) discard;\n"
    "#endif\n"
    "#ifdef SPECULAR\n"
    "  color.rgb += v_specular;\n"
    "#endif\n"
    "#ifdef FOG_LINEAR\n"
    "  color.rgb = mix(u_surface.rgb, color.rgb, clamp(v_fog, 0.0, 1.0));\n"
    "#endif\n"
    "#ifdef FOG_EXPONENTIAL\n"
    "  color.rgb = mix(u_surface.rgb, color.rgb, exp2(-max(v_fog, 0.0)));\n"
    "#endif\n"
    "#ifndef BLENDED\n"
    "  color.a = 1.0;\n"
    "#endif\n"
    "  gl_FragColor = color;\n"
    "}\n";

static const char OVERLAY_VERTEX_SOURCE[] =
    "attribute vec2 a_position;\n"
    "attribute vec2 a_uv;\n"
    "attribute vec4 a_color;\n"
    "uniform vec4 u_scale;\n"
    "varying vec4 v_color;\n"
    "varying vec2 v_uv;\n"
    "void main() {\n"
    "  gl_Position = vec4(a_position * u_scale.xy + vec2(-1.0, 1.0), 0.0, 1.0);\n"
    "  v_color = a_color;\n"
    "  v_uv = a_uv * u_scale.zw;\n"
    "}\n";

static const char OVERLAY_FRAGMENT_SOURCE[] =
    "precision mediump float;\n"
    "uniform sampler2D u_texture;\n"
    "varying vec4 v_color;\n"
    "varying FINE vec2 v_uv;\n"
    "void main() {\n"
    "#ifdef MASK\n"
    "  gl_FragColor = vec4(v_color.rgb, v_color.a * texture2D(u_texture, v_uv).a);\n"
    "#else\n"
    "  gl_FragColor = v_color * texture2D(u_texture, v_uv);\n"
    "#endif\n"
    "}\n";

typedef struct Entry {
  uint32_t features;
  GpuProgram *program;
} Entry;

struct Shaders {
  Memory *memory;
  Gpu *gpu;
  ARRAY(Entry) entries;
  GpuProgram *overlay[2];
};

Shaders *shaders_create(Memory *memory, Gpu *gpu, Error *error) {
  Shaders *shaders = memory_alloc(memory, sizeof *shaders);
  if (!shaders) {
    error_set_out_of_memory(error);
    return NULL;
  }
  shaders->memory = memory;
  shaders->gpu = gpu;
  return shaders;
}

void shaders_forget(Shaders *shaders) {
  for (int i = 0; i < shaders->entries.count; i++)
    gpu_program_free(shaders->gpu, shaders->entries.items[i].program);
  for (int i = 0; i < 2; i++) {
    gpu_program_free(shaders->gpu, shaders->overlay[i]);
    shaders->overlay[i] = NULL;
  }
  shaders->entries.count = 0;
}

void shaders_free(Shaders *shaders) {
  if (!shaders) return;
  shaders_forget(shaders);
  array_free(shaders->memory, &shaders->entries);
  memory_free(shaders->memory, shaders);
}

static int light_count(uint32_t features) {
  return (int)(features >> SHADER_LIGHT_SHIFT);
}

static bool needs_place(uint32_t features) {
  return light_count(features) > 0 && (features & (SHADER_LOCAL_LIGHTS | SHADER_SPECULAR | SHADER_TWO_SIDED));
}

static void write_defines(uint32_t features, bool has_highp, char *text, size_t size) {
  static const char *const NAMES[] = {
      "FRAMES",   "COLORS",     "TEXTURE", "FOG_LINEAR", "FOG_EXPONENTIAL", "UNLIT",
      "SPECULAR", "ALPHA_TEST", "BLENDED", "TWO_SIDED",  "LOCAL_LIGHTS",
  };
  size_t length = (size_t)snprintf(text, size, "#define FINE %s\n#define LIGHTS %d\n", has_highp ? "highp" : "mediump",
                                   light_count(features));
  for (int i = 0; i < SHADER_LIGHT_SHIFT; i++) {
    if (features >> i & 1) length += (size_t)snprintf(text + length, size - length, "#define %s\n", NAMES[i]);
  }
  if (features & (SHADER_FOG_LINEAR | SHADER_FOG_EXPONENTIAL))
    length += (size_t)snprintf(text + length, size - length, "#define FOG\n");
  if (needs_place(features)) snprintf(text + length, size - length, "#define NEEDS_PLACE\n");
}

static void join_source(const char *defines, const char *body, char source[MAX_SOURCE]) {
  snprintf(source, MAX_SOURCE, "#version 100\n%s%s", defines, body);
}

static GpuProgramDesc describe(uint32_t features) {
  bool has_frames = features & SHADER_FRAMES, has_texture = features & SHADER_TEXTURE;
  bool has_fog = features & (SHADER_FOG_LINEAR | SHADER_FOG_EXPONENTIAL), has_place = needs_place(features);
  int lights = light_count(features);
  return (GpuProgramDesc){
      .attributes = {"a_position", has_frames ? "a_position_b" : "a_normal", has_texture ? "a_uv" : NULL,
                     features & SHADER_COLORS ? "a_color" : NULL},
      .uniforms =
          {
              [UNIFORM_CLIP] = {"u_clip", 4, false},
              [UNIFORM_WORLD] = {has_place ? "u_world" : NULL, 3, false},
              [UNIFORM_NORMAL] = {lights > 0 ? "u_normal" : NULL, 3, false},
              [UNIFORM_FRAMES] = {has_frames ? "u_frames" : NULL, 3, false},
              [UNIFORM_DIRECTIONS] = {has_frames ? "u_directions" : NULL, PACKED_NORMAL_DIRECTION_COUNT, false},
              [UNIFORM_LIGHTS] = {lights > 0 ? "u_lights" : NULL, 3 * lights, false},
              [UNIFORM_MATERIAL] = {"u_material", 4, false},
              [UNIFORM_EYE] = {has_place ? "u_eye" : NULL, 1, false},
              [UNIFORM_UV] = {has_texture ? "u_uv" : NULL, 2, false},
              [UNIFORM_FOG] = {has_fog ? "u_fog" : NULL, 1, false},
              [UNIFORM_SURFACE] = {"u_surface", 1, true},
          },
      .textures = {has_texture ? "u_texture" : NULL},
      .varying_count = 1 + has_texture + has_fog + ((features & SHADER_SPECULAR) != 0),
  };
}

static void set_directions(Gpu *gpu, GpuProgram *program) {
  float directions[4 * PACKED_NORMAL_DIRECTION_COUNT] = {0};
  for (int i = 0; i < PACKED_NORMAL_DIRECTION_COUNT; i++) {
    Vec3 direction = vertex_frames_normal_direction(i);
    memcpy(directions + 4 * i, &direction, sizeof direction);
  }
  gpu_program_bind(gpu, program);
  gpu_program_set(gpu, UNIFORM_DIRECTIONS, directions, PACKED_NORMAL_DIRECTION_COUNT);
}

static GpuProgram *compile(Shaders *shaders, uint32_t features, Error *error) {
  char defines[512], vertex[MAX_SOURCE], fragment[MAX_SOURCE], name[32];
  write_defines(features, gpu_profile(shaders->gpu)->has_fragment_highp, defines, sizeof defines);
  join_source(defines, VERTEX_SOURCE, vertex);
  join_source(defines, FRAGMENT_SOURCE, fragment);
  snprintf(name, sizeof name, "scene %04x", features);
  GpuProgramDesc desc = describe(features);
  desc.name = name;
  desc.vertex_source = vertex;
  desc.fragment_source = fragment;
  GpuProgram *program = gpu_program_create(shaders->gpu, &desc, error);
  if (program && (features & SHADER_FRAMES)) set_directions(shaders->gpu, program);
  return program;
}

GpuProgram *shaders_get(Shaders *shaders, uint32_t features, Error *error) {
  for (int i = 0; i < shaders->entries.count; i++) {
    if (shaders->entries.items[i].features == features) return shaders->entries.items[i].program;
  }
  if (!array_reserve(shaders->memory, &shaders->entries, 1)) {
    error_set_out_of_memory(error);
    return NULL;
  }
  GpuProgram *program = compile(shaders, features, error);
  if (program) array_push(shaders->memory, &shaders->entries, (Entry){features, program});
  return program;
}

GpuProgram *shaders_get_overlay(Shaders *shaders, bool is_mask, Error *error) {
  if (shaders->overlay[is_mask]) return shaders->overlay[is_mask];
  char defines[128], vertex[MAX_SOURCE], fragment[MAX_SOURCE];
  bool has_highp = gpu_profile(shaders->gpu)->has_fragment_highp;
  snprintf(defines, sizeof defines, "#define FINE %s\n%s", has_highp ? "highp" : "mediump",
           is_mask ? "#define MASK\n" : "");
  join_source(defines, OVERLAY_VERTEX_SOURCE, vertex);
  join_source(defines, OVERLAY_FRAGMENT_SOURCE, fragment);
  GpuProgramDesc desc = {
      .name = is_mask ? "overlay mask" : "overlay image",
      .vertex_source = vertex,
      .fragment_source = fragment,
      .attributes = {[ATTRIBUTE_POSITION] = "a_position", [ATTRIBUTE_UV] = "a_uv", [ATTRIBUTE_COLOR] = "a_color"},
      .uniforms = {{"u_scale", 1, false}},
      .textures = {"u_texture"},
      .varying_count = 2,
  };
  shaders->overlay[is_mask] = gpu_program_create(shaders->gpu, &desc, error);
  return shaders->overlay[is_mask];
}
