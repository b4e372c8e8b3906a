// The front of the gpu on the null backend: what it checks, counts and leaves out.
#include "engine/gpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define VERTEX "#version 100\nattribute vec4 a; uniform vec4 u[2]; void main() { gl_Position = a + u[1]; }\n"
#define FRAGMENT "#version 100\nvoid main() { gl_FragColor = vec4(1.0); }\n"

typedef struct Fixture {
  Memory memory;
  Gpu *gpu;
} Fixture;

static void open_gpu(Fixture *fixture, DeviceLimit limit) {
  Error error = {0};
  memset(fixture, 0, sizeof *fixture);
  fixture->gpu = gpu_create(&fixture->memory, &(GpuDesc){.is_null = true, .limit = limit}, &error);
  assert_non_null(fixture->gpu);
}

static void close_gpu(Fixture *fixture) {
  gpu_free(fixture->gpu);
  assert_int_equal(fixture->memory.live_bytes, 0);
}

static GpuProgramDesc program_desc(void) {
  return (GpuProgramDesc){
      .name = "test",
      .vertex_source = VERTEX,
      .fragment_source = FRAGMENT,
      .attributes = {"a"},
      .uniforms = {{"u", 2, false}},
  };
}

static void test_profile_is_cut_down(void **state) {
  (void)state;
  Fixture fixture;
  open_gpu(&fixture, DEVICE_LIMIT_PROFILE);
  const DeviceProfile *profile = gpu_profile(fixture.gpu);
  assert_int_equal(profile->max_vertex_uniform_vectors, 128);
  assert_int_equal(profile->max_fragment_uniform_vectors, 16);
  assert_int_equal(profile->max_varying_vectors, 8);
  assert_int_equal(profile->max_vertex_attributes, 8);
  assert_true(profile->has_npot_textures && profile->has_fragment_highp);
  close_gpu(&fixture);
  open_gpu(&fixture, DEVICE_LIMIT_BARE);
  profile = gpu_profile(fixture.gpu);
  assert_false(profile->has_npot_textures || profile->has_uint_indices || profile->has_standard_derivatives ||
               profile->has_depth_texture || profile->has_depth24 || profile->has_debug || profile->has_fragment_highp);
  close_gpu(&fixture);
  open_gpu(&fixture, DEVICE_LIMIT_DRIVER);
  assert_true(gpu_profile(fixture.gpu)->max_vertex_uniform_vectors > 128);
  close_gpu(&fixture);
}

static void expect_refused(Gpu *gpu, const GpuProgramDesc *desc, const char *reason) {
  Error error = {0};
  assert_null(gpu_program_create(gpu, desc, &error));
  if (!strstr(error.text, reason)) fail_msg("\"%s\" does not name \"%s\"", error.text, reason);
}

static void test_shaders_of_another_version_are_refused(void **state) {
  (void)state;
  Fixture fixture;
  open_gpu(&fixture, DEVICE_LIMIT_DRIVER);
  static const char *const SOURCES[] = {
      "#version 300 es\nvoid main() {}\n",
      "void main() {}\n",
      "\n#version 100\nvoid main() {}\n",
      "#version 1000\nvoid main() {}\n",
      " #version 100\n",
      "#version 100 es\n",
      NULL,
  };
  for (size_t i = 0; i < sizeof SOURCES / sizeof *SOURCES; i++) {
    GpuProgramDesc desc = program_desc();
    desc.vertex_source = SOURCES[i];
    expect_refused(fixture.gpu, &desc, "#version 100");
    desc = program_desc();
    desc.fragment_source = SOURCES[i];
    expect_refused(fixture.gpu, &desc, "#version 100");
  }
  close_gpu(&fixture);
}

static void test_programs_must_fit_the_profile(void **state) {
  (void)state;
  Fixture fixture;
  Error error = {0};
  open_gpu(&fixture, DEVICE_LIMIT_PROFILE);
  GpuProgramDesc desc = program_desc();
  desc.uniforms[0].vector_count = 100;
  desc.uniforms[1] = (GpuUniform){"v", 28, false};
  desc.uniforms[2] = (GpuUniform){"w", 16, true};
  desc.varying_count = 8;
  for (int i = 0; i < GPU_MAX_ATTRIBUTES; i++)
    desc.attributes[i] = "a";
  GpuProgram *program = gpu_program_create(fixture.gpu, &desc, &error);
  assert_non_null(program);
  gpu_program_free(fixture.gpu, program);
  desc.uniforms[1].vector_count++;
  expect_refused(fixture.gpu, &desc, "129 uniform vectors of the vertex stage");
  desc.uniforms[1].vector_count--;
  desc.uniforms[2].vector_count++;
  expect_refused(fixture.gpu, &desc, "17 uniform vectors of the fragment stage");
  desc.uniforms[2].vector_count--;
  desc.varying_count++;
  expect_refused(fixture.gpu, &desc, "9 varyings");
  close_gpu(&fixture);
}

static void test_nothing_is_said_twice(void **state) {
  (void)state;
  Fixture fixture;
  Error error = {0};
  open_gpu(&fixture, DEVICE_LIMIT_PROFILE);
  Gpu *gpu = fixture.gpu;
  const float data[12] = {0};
  const uint16_t indices[3] = {0, 1, 2};
  GpuProgramDesc desc = program_desc();
  desc.textures[0] = "t";
  GpuProgram *program = gpu_program_create(gpu, &desc, &error);
  GpuBuffer *vertices = gpu_buffer_create(gpu, GPU_VERTICES, data, sizeof data, &error);
  GpuBuffer *index_buffer = gpu_buffer_create(gpu, GPU_INDICES, indices, sizeof indices, &error);
  GpuTexture *texture =
      gpu_texture_create(gpu, &(GpuTextureDesc){.width = 1, .height = 1, .pixels = (const uint8_t *)data}, &error);
  GpuCounts before = gpu_counts(gpu), once = {0};
  for (int i = 0; i < 5; i++) {
    const float vectors[8] = {1, 2, 3, 4};
    const GpuAttribute attribute = {vertices, GPU_FLOAT, 4, 16, 0};
    gpu_program_bind(gpu, program);
    gpu_program_set(gpu, 0, vectors, 2);
    gpu_texture_bind(gpu, 0, texture, (GpuSampler){.wrap_u = GPU_CLAMP});
    gpu_set_state(gpu, &(GpuState){.blend = GPU_BLEND_ALPHA, .cull = GPU_CULL_BACK});
    gpu_set_attributes(gpu, &attribute, 1);
    gpu_draw(gpu, GPU_TRIANGLES, index_buffer, 0, 3);
    if (i == 0) once = gpu_counts(gpu);
  }
  GpuCounts after = gpu_counts(gpu);
  assert_int_equal(after.draws - before.draws, 5);
  assert_int_equal(after.triangles - before.triangles, 5);
  assert_int_equal(once.program_changes - before.program_changes, 1);
  assert_int_equal(once.uniform_changes - before.uniform_changes, 1);
  assert_int_equal(once.attribute_changes - before.attribute_changes, 1);
  assert_true(once.state_changes > before.state_changes);
  after.draws = once.draws;
  after.triangles = once.triangles;
  assert_memory_equal(&after, &once, sizeof once);
  gpu_set_state(gpu, &(GpuState){.blend = GPU_OPAQUE, .cull = GPU_CULL_BACK});
  assert_int_equal(gpu_counts(gpu).state_changes, once.state_changes + 1);
  // What is freed is forgotten: a new object is bound although it may have the same address.
  gpu_program_free(gpu, program);
  program = gpu_program_create(gpu, &desc, &error);
  gpu_program_bind(gpu, program);
  assert_int_equal(gpu_counts(gpu).program_changes, once.program_changes + 1);
  assert_int_equal(gpu_error_count(gpu), 0);
  gpu_program_free(gpu, program);
  gpu_buffer_free(gpu, vertices);
  gpu_buffer_free(gpu, index_buffer);
  gpu_texture_free(gpu, texture);
  close_gpu(&fixture);
}

static void test_wrong_draws_are_counted_and_left_out(void **state) {
  (void)state;
  Fixture fixture;
  Error error = {0};
  open_gpu(&fixture, DEVICE_LIMIT_PROFILE);
  Gpu *gpu = fixture.gpu;
  const float data[12] = {0};
  const uint16_t indices[6] = {0, 1, 2, 0, 1, 2};
  GpuProgramDesc desc = program_desc();
  GpuProgram *program = gpu_program_create(gpu, &desc, &error);
  GpuBuffer *vertices = gpu_buffer_create(gpu, GPU_VERTICES, data, sizeof data, &error);
  GpuBuffer *index_buffer = gpu_buffer_create(gpu, GPU_INDICES, indices, sizeof indices, &error);
  const GpuAttribute attribute = {vertices, GPU_FLOAT, 4, 16, 0}, outside = {vertices, GPU_FLOAT, 4, 16, sizeof data};
  int errors = 0;
  gpu_draw(gpu, GPU_TRIANGLES, index_buffer, 0, 3);
  assert_int_equal(gpu_error_count(gpu), ++errors);
  gpu_program_bind(gpu, program);
  gpu_draw(gpu, GPU_TRIANGLES, index_buffer, 0, 3);
  assert_int_equal(gpu_error_count(gpu), ++errors);
  gpu_set_attributes(gpu, &outside, 1);
  assert_int_equal(gpu_error_count(gpu), ++errors);
  gpu_set_attributes(gpu, &attribute, 1);
  gpu_draw(gpu, GPU_TRIANGLES, index_buffer, 3, 6);
  assert_int_equal(gpu_error_count(gpu), ++errors);
  gpu_draw(gpu, GPU_TRIANGLES, index_buffer, 0, 4);
  assert_int_equal(gpu_error_count(gpu), ++errors);
  gpu_draw(gpu, GPU_TRIANGLES, vertices, 0, 3);
  assert_int_equal(gpu_error_count(gpu), ++errors);
  gpu_program_set(gpu, 0, data, 3);
  assert_int_equal(gpu_error_count(gpu), ++errors);
  gpu_program_set(gpu, 5, data, 1);
  assert_int_equal(gpu_counts(gpu).draws, 0);
  gpu_draw(gpu, GPU_TRIANGLES, index_buffer, 3, 3);
  assert_int_equal(gpu_counts(gpu).draws, 1);
  assert_int_equal(gpu_error_count(gpu), errors);
  gpu_program_free(gpu, program);
  gpu_buffer_free(gpu, vertices);
  gpu_buffer_free(gpu, index_buffer);
  close_gpu(&fixture);
}

static void test_texture_sizes_are_checked(void **state) {
  (void)state;
  Fixture fixture;
  Error error = {0};
  open_gpu(&fixture, DEVICE_LIMIT_BARE);
  GpuTextureDesc desc = {.width = 3, .height = 4, .has_mipmaps = true};
  assert_null(gpu_texture_create(fixture.gpu, &desc, &error));
  assert_non_null(strstr(error.text, "powers of two"));
  desc = (GpuTextureDesc){.width = gpu_profile(fixture.gpu)->max_texture_size + 1, .height = 4};
  assert_null(gpu_texture_create(fixture.gpu, &desc, &error));
  assert_null(gpu_target_create(fixture.gpu, 0, 10, &error));
  close_gpu(&fixture);
}

static void expect_live(const Gpu *gpu, int each, size_t bytes) {
  GpuLive live = gpu_live(gpu);
  assert_int_equal(live.buffers, 2 * each);
  assert_int_equal(live.textures, each);
  assert_int_equal(live.programs, each);
  assert_int_equal(live.targets, each);
  assert_int_equal(live.bytes, bytes);
}

static void test_objects_of_a_lost_context_are_void(void **state) {
  (void)state;
  Fixture fixture;
  Error error = {0};
  open_gpu(&fixture, DEVICE_LIMIT_PROFILE);
  Gpu *gpu = fixture.gpu;
  GpuProgramDesc desc = program_desc();
  GpuTextureDesc texture_desc = {.width = 4, .height = 4};
  const uint16_t triangle[3] = {0, 1, 2};
  expect_live(gpu, 0, 0);
  GpuProgram *program = gpu_program_create(gpu, &desc, &error);
  GpuTexture *texture = gpu_texture_create(gpu, &texture_desc, &error);
  GpuTarget *target = gpu_target_create(gpu, 2, 2, &error);
  GpuBuffer *vertices = gpu_buffer_create(gpu, GPU_VERTICES, NULL, 10, &error);
  GpuBuffer *indices = gpu_buffer_create(gpu, GPU_INDICES, triangle, sizeof triangle, &error);
  gpu_buffer_replace(gpu, vertices, NULL, 100);
  expect_live(gpu, 1, 4 * 16 + 8 * 4 + 100 + 6);
  gpu_program_bind(gpu, program);
  gpu_target_bind(gpu, target);
  GpuAttribute attribute = {vertices, GPU_FLOAT, 2, 8, 0};
  gpu_set_attributes(gpu, &attribute, 1);
  gpu_draw(gpu, GPU_TRIANGLES, indices, 0, 3);
  assert_int_equal(gpu_error_count(gpu), 0);
  assert_int_equal(gpu_counts(gpu).draws, 1);
  assert_false(gpu_is_lost(gpu));
  assert_true(gpu_restore(gpu, &error));
  int errors = 0;
  gpu_program_bind(gpu, program);
  assert_int_equal(gpu_error_count(gpu), ++errors);
  gpu_target_bind(gpu, target);
  assert_int_equal(gpu_error_count(gpu), ++errors);
  gpu_texture_bind(gpu, 0, texture, (GpuSampler){0});
  assert_int_equal(gpu_error_count(gpu), ++errors);
  gpu_texture_replace_rows(gpu, texture, 0, 1, NULL);
  assert_int_equal(gpu_error_count(gpu), ++errors);
  gpu_buffer_replace(gpu, vertices, NULL, 5);
  assert_int_equal(gpu_error_count(gpu), ++errors);
  gpu_set_attributes(gpu, &attribute, 1);
  assert_int_equal(gpu_error_count(gpu), ++errors);
  GpuProgram *again = gpu_program_create(gpu, &desc, &error);
  GpuBuffer *vertices_again = gpu_buffer_create(gpu, GPU_VERTICES, NULL, 10, &error);
  attribute.buffer = vertices_again;
  gpu_program_bind(gpu, again);
  gpu_set_attributes(gpu, &attribute, 1);
  gpu_draw(gpu, GPU_TRIANGLES, indices, 0, 3);
  assert_int_equal(gpu_error_count(gpu), ++errors);
  assert_int_equal(gpu_counts(gpu).draws, 1);
  gpu_program_free(gpu, program);
  gpu_program_free(gpu, again);
  gpu_texture_free(gpu, texture);
  gpu_target_free(gpu, target);
  gpu_buffer_free(gpu, vertices);
  gpu_buffer_free(gpu, vertices_again);
  gpu_buffer_free(gpu, indices);
  expect_live(gpu, 0, 0);
  assert_int_equal(gpu_error_count(gpu), errors);
  close_gpu(&fixture);
}

static void test_running_out_of_memory(void **state) {
  (void)state;
  Fixture fixture;
  Error error = {0};
  open_gpu(&fixture, DEVICE_LIMIT_PROFILE);
  GpuProgramDesc desc = program_desc();
  for (long n = 1; n <= 2; n++) {
    fixture.memory.fail_after = n;
    assert_null(gpu_program_create(fixture.gpu, &desc, &error));
  }
  fixture.memory.fail_after = 1;
  assert_null(gpu_buffer_create(fixture.gpu, GPU_VERTICES, NULL, 10, &error));
  fixture.memory.fail_after = 1;
  assert_null(gpu_texture_create(fixture.gpu, &(GpuTextureDesc){.width = 1, .height = 1}, &error));
  fixture.memory.fail_after = 1;
  assert_null(gpu_target_create(fixture.gpu, 1, 1, &error));
  fixture.memory.fail_after = 1;
  assert_null(gpu_create(&fixture.memory, &(GpuDesc){.is_null = true}, &error));
  close_gpu(&fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_profile_is_cut_down),
      cmocka_unit_test(test_shaders_of_another_version_are_refused),
      cmocka_unit_test(test_programs_must_fit_the_profile),
      cmocka_unit_test(test_nothing_is_said_twice),
      cmocka_unit_test(test_wrong_draws_are_counted_and_left_out),
      cmocka_unit_test(test_texture_sizes_are_checked),
      cmocka_unit_test(test_objects_of_a_lost_context_are_void),
      cmocka_unit_test(test_running_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
