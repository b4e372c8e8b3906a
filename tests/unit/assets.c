// The cache of models and textures: files that change while a game runs, and a GPU that lost everything.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "platform.h"
#include "support/toy_game.h"

static const uint8_t RED[4] = {255, 0, 0, 255}, GREEN[4] = {0, 255, 0, 255};
static const FrameSelection ALL = {0};

static const char SQUARE[] = "mtllib Paint.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\nusemtl paint\nf 1/1 2/1 3/1\n";
static const char PAINT[] = "newmtl paint\nKd 1 1 1\nmap_Kd paint.png\n";

static TextureAsset *need_texture(ToyGame *game, const char *path) {
  TextureAsset *texture = assets_acquire_texture(game->assets, path, &game->error);
  if (!texture) fail_msg("%s", game->error.text);
  return texture;
}

static ModelAsset *need_model(ToyGame *game, const char *path, FrameSelection frames) {
  ModelAsset *model = assets_acquire_model(game->assets, path, frames, &game->error);
  if (!model) fail_msg("%s", game->error.text);
  return model;
}

static void assert_size(const TextureAsset *texture, int wanted_width, int wanted_height) {
  int width, height;
  texture_size(texture->texture, &width, &height);
  assert_int_equal(width, wanted_width);
  assert_int_equal(height, wanted_height);
}

// --- Textures ---

static void a_texture_changes_in_place(void **state) {
  ToyGame *game = *state;
  toy_write_png(game, "skin.png", 4, 8, RED);
  TextureAsset *texture = need_texture(game, "skin.png");
  const Texture *before = texture->texture;
  GpuLive live = gpu_live(game->stage.gpu);
  toy_write_png(game, "skin.png", 16, 2, RED);
  assert_int_equal(toy_reload(game, "skin.png"), 1);
  assert_ptr_equal(need_texture(game, "skin.png"), texture);
  assert_ptr_equal(texture->texture, before);
  assert_size(texture, 16, 2);
  assert_int_equal(texture->use_count, 2);
  assert_int_equal(gpu_live(game->stage.gpu).textures, live.textures);
  assert_int_equal(toy_reload(game, "other.png"), 0);
}

static void a_bad_image_changes_nothing(void **state) {
  ToyGame *game = *state;
  toy_write_png(game, "skin.png", 4, 8, RED);
  TextureAsset *texture = need_texture(game, "skin.png");
  toy_write(game, "skin.png", "no image");
  toy_refuse(game, "skin.png", "skin.png");
  toy_write(game, "skin.png", "");
  toy_refuse(game, "skin.png", "skin.png");
  toy_remove(game, "skin.png");
  toy_refuse(game, "skin.png", "skin.png");
  toy_refuse(game, "../skin.png", "..");
  assert_size(texture, 4, 8);
  toy_write_png(game, "skin.png", 1, 1, RED);
  toy_reload(game, "./skin.png");
  assert_size(texture, 1, 1);
}

// Whatever is saved over an OBJ file is one, if without faces.
static void a_model_is_not_emptied(void **state) {
  ToyGame *game = *state;
  toy_write(game, "square.obj", SQUARE);
  ModelAsset *model = need_model(game, "square.obj", ALL);
  int triangles = model->model->meshes[0].index_count / 3;
  toy_write(game, "square.obj", "garbage");
  toy_refuse(game, "square.obj", "square.obj: there are no triangles in it any more");
  assert_int_equal(model->model->meshes[0].index_count / 3, triangles);
  assert_true(assets_is_shown(game->assets, "square.obj"));
  assert_false(assets_is_shown(game->assets, "circle.obj"));
  toy_write(game, "empty.obj", "v 0 0 0\n");
  need_model(game, "empty.obj", ALL);
  toy_write(game, "empty.obj", "v 0 1 0\n");
  assert_int_equal(toy_reload(game, "empty.obj"), 1);
}

static void what_nobody_uses_is_dropped(void **state) {
  ToyGame *game = *state;
  toy_write_png(game, "skin.png", 4, 4, RED);
  toy_write(game, "square.obj", SQUARE);
  toy_write(game, "Paint.mtl", PAINT);
  TextureAsset *texture = need_texture(game, "skin.png");
  ModelAsset *model = need_model(game, "square.obj", ALL);
  assets_release_texture(game->assets, texture);
  assets_release_model(game->assets, model);
  int revision = assets_revision(game->assets);
  assert_int_equal(toy_reload(game, "skin.png"), 0);
  assert_int_equal(toy_reload(game, "Paint.mtl"), 0);
  assert_true(assets_revision(game->assets) > revision);
  AssetBytes bytes = assets_count_bytes(game->assets);
  assert_true(bytes.models == 0 && bytes.textures == 0);
  // What was loaded ahead stays, and is up to date.
  texture = need_texture(game, "skin.png");
  texture->is_kept = true;
  assets_release_texture(game->assets, texture);
  toy_write_png(game, "skin.png", 2, 2, RED);
  assert_int_equal(toy_reload(game, "skin.png"), 1);
  assert_size(texture, 2, 2);
}

static void the_save_folder_decides(void **state) {
  ToyGame *game = *state;
  toy_write_png(game, "skin.png", 4, 4, RED);
  TextureAsset *texture = need_texture(game, "skin.png");
  toy_write_png(game, "other.png", 8, 8, RED);
  Bytes bytes;
  assert_true(files_read(game->files, "other.png", &bytes, &game->error));
  assert_true(files_write(game->files, "skin.png", bytes, &game->error));
  memory_free(&game->stage.memory, bytes.data);
  toy_reload(game, "skin.png");
  assert_size(texture, 8, 8);
  assert_true(files_remove(game->files, "skin.png", &game->error));
  toy_reload(game, "skin.png");
  assert_size(texture, 4, 4);
}

// --- Models ---

static void a_model_changes_in_place_with_every_selection(void **state) {
  ToyGame *game = *state;
  const int two[] = {0, 2};
  toy_write_md2(game, "man.md2", "stand1 stand2 run1", 2);
  ModelAsset *all = need_model(game, "man.md2", ALL), *some = need_model(game, "man.md2", (FrameSelection){two, 2});
  assert_ptr_not_equal(all, some);
  toy_write_md2(game, "man.md2", "stand1 stand2 run1 run2", 2);
  assert_int_equal(toy_reload(game, "man.md2"), 2);
  assert_int_equal(all->model->meshes[0].frames.frame_count, 4);
  assert_int_equal(some->model->meshes[0].frames.frame_count, 2);
  assert_ptr_equal(need_model(game, "man.md2", (FrameSelection){two, 2}), some);
  // With too few frames for one of them neither changes.
  toy_write_md2(game, "man.md2", "stand1 stand2", 2);
  toy_refuse(game, "man.md2", "man.md2");
  assert_int_equal(all->model->meshes[0].frames.frame_count, 4);
  assert_int_equal(some->model->meshes[0].frames.frame_count, 2);
  toy_write(game, "man.md2", "IDP2 and no more");
  toy_refuse(game, "man.md2", "man.md2");
  toy_remove(game, "man.md2");
  toy_refuse(game, "man.md2", "man.md2");
  assert_int_equal(all->model->clip_count, 2);
}

static void companions_belong_to_their_model(void **state) {
  ToyGame *game = *state;
  toy_write(game, "parts/square.obj", SQUARE);
  ModelAsset *model = need_model(game, "parts/square.obj", ALL);
  assert_true(model->model->material_count == 0 || !model->skins[0]);
  // The library comes into being, under a name in other letter case.
  toy_write(game, "parts/paint.MTL", PAINT);
  assert_int_equal(toy_reload(game, "parts/paint.MTL"), 1);
  assert_int_equal(model->model->material_count, 1);
  assert_null(model->skins[0]);
  // So does the image.
  toy_write_png(game, "parts/paint.png", 4, 4, RED);
  assert_int_equal(toy_reload(game, "parts/paint.png"), 1);
  assert_non_null(model->skins[0]);
  assert_ptr_equal(model->textures[0], model->skins[0]->texture);
  assert_size(model->skins[0], 4, 4);
  toy_write_png(game, "parts/paint.png", 8, 4, RED);
  assert_int_equal(toy_reload(game, "parts/paint.png"), 1);
  assert_size(model->skins[0], 8, 4);
  // Another name in the library.
  toy_write_png(game, "parts/other.png", 2, 2, RED);
  toy_write(game, "parts/paint.MTL", "newmtl paint\nKd 0.5 1 1\nmap_Kd other.png\n");
  assert_int_equal(toy_reload(game, "parts/paint.MTL"), 1);
  assert_string_equal(model->skins[0]->path, "parts/other.png");
  assert_true(model->model->materials[0].diffuse.r == 0.5f);
  assert_int_equal(model->skins[0]->use_count, 1);
  assert_int_equal(toy_reload(game, "paint.MTL"), 0);
}

static void folders_in_front_of_an_image_may_be_missing(void **state) {
  ToyGame *game = *state;
  static const char *const PLACES[] = {"art/tex/paint.png", "tex/paint.png", "paint.png"};
  toy_write(game, "square.obj", SQUARE);
  toy_write(game, "Paint.mtl", "newmtl paint\nmap_Kd art\\tex\\paint.png\n");
  for (int i = 2; i >= 0; i--) {
    toy_write_png(game, PLACES[i], 4, 4, RED);
    ModelAsset *square = need_model(game, "square.obj", ALL);
    if (i < 2) assert_int_equal(toy_reload(game, PLACES[i]), 1);
    assert_string_equal(square->skins[0]->path, PLACES[i]);
  }
}

static void a_better_match_takes_the_place_of_an_image(void **state) {
  ToyGame *game = *state;
  toy_write(game, "square.obj", SQUARE);
  toy_write(game, "Paint.mtl", PAINT);
  toy_write_md2(game, "man.md2", "stand1", 2);
  ModelAsset *man = need_model(game, "man.md2", ALL);
  assert_true(man->model->material_count == 1 && !man->skins[0]);
  toy_write_png(game, "man.png", 4, 4, RED);
  assert_int_equal(toy_reload(game, "man.png"), 1);
  assert_string_equal(man->skins[0]->path, "man.png");
  toy_write(game, "paint.png", "broken");
  ModelAsset *square = need_model(game, "square.obj", ALL);
  assert_null(square->skins[0]);
  toy_refuse(game, "paint.png", "paint.png");
  toy_write_png(game, "paint.png", 4, 4, RED);
  assert_int_equal(toy_reload(game, "paint.png"), 1);
  assert_non_null(square->skins[0]);
}

static void reloading_takes_no_memory(void **state) {
  ToyGame *game = *state;
  size_t settled[2] = {0, 0};
  GpuLive live[2];
  toy_write(game, "square.obj", SQUARE);
  toy_write(game, "Paint.mtl", PAINT);
  toy_write_png(game, "paint.png", 4, 4, RED);
  toy_write_md2(game, "man.md2", "a1 a2", 2);
  need_model(game, "square.obj", ALL);
  ModelAsset *man = need_model(game, "man.md2", ALL);
  for (int i = 0; i < 200; i++) {
    int odd = i % 2;
    toy_write_md2(game, "man.md2", odd ? "a1 a2 b1 b2 b3" : "a1 a2", 2);
    toy_write_png(game, "paint.png", odd ? 64 : 4, 16, RED);
    assert_int_equal(toy_reload(game, "man.md2"), 1);
    assert_int_equal(toy_reload(game, "paint.png"), 1);
    assert_int_equal(toy_reload(game, "square.obj"), 1);
    assert_int_equal(toy_reload(game, "Paint.mtl"), 1);
    assert_int_equal(man->model->clip_count, 1 + odd);
    if (i < 2) {
      settled[odd] = game->stage.memory.live_bytes;
      live[odd] = gpu_live(game->stage.gpu);
    }
    assert_int_equal(game->stage.memory.live_bytes, settled[odd]);
    GpuLive now = gpu_live(game->stage.gpu);
    assert_true(now.buffers == live[odd].buffers && now.textures == live[odd].textures && now.bytes == live[odd].bytes);
  }
}

static void running_out_of_memory_changes_nothing(void **state) {
  ToyGame *game = *state;
  toy_write(game, "square.obj", SQUARE);
  toy_write(game, "Paint.mtl", PAINT);
  toy_write_png(game, "paint.png", 4, 4, RED);
  ModelAsset *model = need_model(game, "square.obj", ALL);
  toy_write(game, "square.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\no a\nf 1 2 3\no b\nf 1 3 4\n");
  toy_write_png(game, "paint.png", 8, 8, RED);
  size_t before = game->stage.memory.live_bytes;
  for (long i = 1; i < 1000; i++) {
    int reloaded;
    game->stage.memory.fail_after = i;
    bool is_good = assets_reload(game->assets, "paint.png", &reloaded, &game->error) &&
                   assets_reload(game->assets, "square.obj", &reloaded, &game->error);
    game->stage.memory.fail_after = 0;
    if (is_good) {
      assert_int_equal(model->model->mesh_count, 2);
      assert_true(i > 10);
      return;
    }
    assert_int_equal(model->model->mesh_count, 1);
    assert_int_equal(model->use_count, 1);
    if (i == 1) assert_int_equal(game->stage.memory.live_bytes, before);
  }
  fail_msg("it never went well");
}

// --- Preloading ---

static void finish(ToyGame *game, const Preload *preload) {
  for (int tries = 0; tries < 5000 && preload_progress(preload) < 1; tries++) {
    assets_finish_loads(game->assets);
    platform_sleep(0.001);
  }
  assert_true(preload_progress(preload) == 1);
}

// Whether or not the thread has begun with them.
static void files_that_change_amid_preloading_are_read_anew(void **state) {
  ToyGame *game = *state;
  const char *const paths[] = {"man.md2", "skin.png", "none.png"};
  for (int wait = 0; wait < 6; wait++) {
    toy_write_md2(game, "man.md2", "a1 a2", 2);
    toy_write_png(game, "skin.png", 4, 4, RED);
    Preload *preload = assets_preload(game->assets, paths, 3, false, &game->error);
    assert_non_null(preload);
    platform_sleep(0.002 * wait);
    toy_write_md2(game, "man.md2", "a1 a2 b1", 2);
    toy_write_png(game, "skin.png", 8, 8, RED);
    assert_int_equal(toy_reload(game, "man.md2"), 0);
    assert_int_equal(toy_reload(game, "skin.png"), 0);
    finish(game, preload);
    assert_int_equal(preload_error_count(preload), 1);
    preload_release(game->assets, preload);
    ModelAsset *model = need_model(game, "man.md2", ALL);
    TextureAsset *texture = need_texture(game, "skin.png");
    assert_int_equal(model->model->clip_count, 2);
    assert_size(texture, 8, 8);
    model->is_kept = texture->is_kept = false;
    assets_release_model(game->assets, model);
    assets_release_texture(game->assets, texture);
    assets_trim(game->assets);
  }
}

// --- A GPU that lost everything ---

static void restore(ToyGame *game) {
  bool is_good = gpu_restore(game->stage.gpu, &game->error) && renderer_restore(game->stage.renderer, &game->error) &&
                 assets_restore(game->assets, &game->error);
  if (!is_good) fail_msg("%s", game->error.text);
  gpu_target_free(game->stage.gpu, game->stage.target);
  game->stage.target = gpu_target_create(game->stage.gpu, STAGE_WIDTH, STAGE_HEIGHT, &game->error);
  gpu_target_bind(game->stage.gpu, game->stage.target);
}

static void all_is_made_again(void **state) {
  ToyGame *game = *state;
  toy_write(game, "square.obj", SQUARE);
  toy_write(game, "Paint.mtl", PAINT);
  toy_write_png(game, "paint.png", 4, 4, RED);
  toy_write_png(game, "gone.png", 16, 8, GREEN);
  toy_write_md2(game, "man.md2", "a1 a2", 2);
  need_model(game, "square.obj", ALL);
  need_model(game, "man.md2", ALL);
  TextureAsset *gone = need_texture(game, "gone.png");
  size_t bytes = game->stage.memory.live_bytes;
  GpuLive live = gpu_live(game->stage.gpu);
  restore(game);
  GpuLive now = gpu_live(game->stage.gpu);
  assert_true(now.buffers == live.buffers && now.textures == live.textures && now.targets == live.targets);
  assert_int_equal(now.bytes, live.bytes);
  assert_int_equal(game->stage.memory.live_bytes, bytes);
  // A pattern has the size that scripts know.
  toy_remove(game, "gone.png");
  restore(game);
  assert_size(gone, 16, 8);
  toy_write_png(game, "gone.png", 16, 8, GREEN);
  assert_int_equal(toy_reload(game, "gone.png"), 1);
  assert_int_equal(gpu_live(game->stage.gpu).bytes, live.bytes);
}

static void a_new_context_may_lack_memory(void **state) {
  ToyGame *game = *state;
  toy_write(game, "square.obj", SQUARE);
  toy_write_png(game, "skin.png", 4, 4, RED);
  need_model(game, "square.obj", ALL);
  need_texture(game, "skin.png");
  bool has_failed = true;
  for (long i = 1; i < 1000 && has_failed; i++) {
    assert_true(gpu_restore(game->stage.gpu, &game->error));
    game->stage.memory.fail_after = i;
    bool is_good = renderer_restore(game->stage.renderer, &game->error) && assets_restore(game->assets, &game->error);
    has_failed = game->stage.memory.fail_after <= 0;
    game->stage.memory.fail_after = 0;
    if (!is_good) assert_non_null(strstr(game->error.text, "memory"));
    if (!has_failed) assert_true(is_good);
  }
  assert_false(has_failed);
  restore(game);
}

#define TOY_TEST(function) cmocka_unit_test_setup_teardown(function, toy_game_open, toy_game_close)

int main(void) {
  const struct CMUnitTest tests[] = {
      TOY_TEST(a_texture_changes_in_place),
      TOY_TEST(a_bad_image_changes_nothing),
      TOY_TEST(a_model_is_not_emptied),
      TOY_TEST(what_nobody_uses_is_dropped),
      TOY_TEST(the_save_folder_decides),
      TOY_TEST(a_model_changes_in_place_with_every_selection),
      TOY_TEST(companions_belong_to_their_model),
      TOY_TEST(folders_in_front_of_an_image_may_be_missing),
      TOY_TEST(a_better_match_takes_the_place_of_an_image),
      TOY_TEST(reloading_takes_no_memory),
      TOY_TEST(running_out_of_memory_changes_nothing),
      TOY_TEST(files_that_change_amid_preloading_are_read_anew),
      TOY_TEST(all_is_made_again),
      TOY_TEST(a_new_context_may_lack_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
