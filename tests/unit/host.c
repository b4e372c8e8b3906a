// The Lua state from outside: opened and closed many times, with anything left alive in it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <lauxlib.h>

#include "bindings/binding.h"
#include "support/bare_runtime.h"

// Runs a chunk as the game's code.
static void run(BareRuntime *runtime, const char *chunk) {
  lua_State *L = runtime->host.lua;
  Error error = {0};
  assert_int_equal(luaL_loadstring(L, chunk), LUA_OK);
  bool is_good = binding_call(&runtime->host, 0, 0, &error);
  if (!is_good) fail_msg("%s", error.text);
}

static void open_game(BareRuntime *runtime) {
  Error error = {0};
  if (!bare_runtime_open(runtime, "tests/games/models", &error)) fail_msg("%s", error.text);
}

static void close_game(BareRuntime *runtime) {
  bare_runtime_close(runtime);
  assert_int_equal(runtime->memory.live_bytes, 0);
  assert_int_equal(runtime->host.lua_bytes, 0);
}

// Worlds that hold each other, coroutines that wait with something to close, preloads whose files still load.
static const char BUSY[] =
    "local worlds, waiting = {}, {} "
    "for i = 1, 5 do "
    "  local world = palfrey.newWorld() "
    "  worlds[i] = world "
    "  local npc = assert(world:addNPC { model = 'assets/man.md2' }) "
    "  npc:getData().others = worlds "
    "  world:on('hit', function() return waiting end) "
    "  waiting[i] = coroutine.create(function() "
    "    local last <close> = setmetatable({}, { __close = function() npc:setName 'closed' world:addGroup() end }) "
    "    coroutine.yield(npc) "
    "  end) "
    "  assert(coroutine.resume(waiting[i])) "
    "  world:addLight {}:getData().thread = waiting[i] "
    "  kept = { kept, palfrey.preload { 'assets/stick.md2', 'assets/lost.md2', 'assets/none.md2' }, waiting } "
    "end";

static void states_open_and_close_again_and_again(void **state) {
  (void)state;
  for (int i = 0; i < 200; i++) {
    BareRuntime runtime;
    open_game(&runtime);
    run(&runtime, BUSY);
    close_game(&runtime);
  }
}

// A state may be closed and opened while the parts around it stay, as when a game is started anew.
static void a_host_can_be_opened_again(void **state) {
  (void)state;
  BareRuntime runtime;
  open_game(&runtime);
  for (int i = 0; i < 50; i++) {
    Error error = {0};
    run(&runtime, BUSY);
    host_close(&runtime.host);
    assert_null(runtime.host.world);
    assert_int_equal(runtime.host.lua_bytes, 0);
    if (!host_open(&runtime.host, false, &error)) fail_msg("%s", error.text);
  }
  close_game(&runtime);
}

static void closing_runs_what_waits_to_be_closed_in_the_main_chunk(void **state) {
  (void)state;
  BareRuntime runtime;
  open_game(&runtime);
  lua_State *L = runtime.host.lua;
  // A value to close that is still on the stack of the state.
  assert_int_equal(luaL_dostring(L,
                                 "local world = palfrey.newWorld() local group = world:addGroup() "
                                 "return setmetatable({}, { __close = function() "
                                 "  group:remove() world:addGroup() palfrey.newWorld() palfrey.quit(3) end })"),
                   LUA_OK);
  lua_toclose(L, -1);
  close_game(&runtime);
  assert_int_equal(runtime.host.quit_status, 3);
}

// Every allocation that opening makes fails once and for good.
static void opening_fails_cleanly(void **state) {
  (void)state;
  BareRuntime runtime;
  open_game(&runtime);
  Host *host = &runtime.host;
  host_close(host);
  int failures = 0;
  for (long n = 1;; n++) {
    Error error = {0};
    host->lua_fail_after = n;
    host->lua_fail_count = 2;  // Lua asks again after a collection
    bool is_open = host_open(host, false, &error);
    if (!is_open) {
      failures++;
      assert_null(host->lua);
      assert_non_null(strstr(error.text, "memory"));
      assert_int_equal(host->lua_bytes, 0);
      continue;
    }
    host_close(host);
    if (host->lua_fail_after > 0) break;
  }
  assert_true(failures > 100);
  close_game(&runtime);
}

// Something of all that takes memory of the engine, and twice the step that follows.
static const char WORK[] =
    "local world = palfrey.newWorld() "
    "world:addGroup { name = 'group' } world:addLight {} world:addCamera {} "
    "assert(world:addModel { model = 'assets/floor.obj', collide = 'mesh', skin = 'assets/inner.png' }) "
    "assert(world:addModel { model = 'assets/cube.obj', collide = 'box', position = {0, 0, -9} }) "
    "local man = assert(world:addNPC { model = 'assets/man.md2', position = {0, 0, -3} }) "
    "assert(man:attach { model = 'assets/stick.md2' }) "
    "local player = world:addPlayer { position = {0, 0, -2.5} } "
    "man:setName 'Man' man:patrol { {1, 0, 1}, {2, 0, 2} } man:addMarker('stand', 1, 'mark') man:play 'stand' "
    "palfrey.input.bind { fire = { 'space', 'mouse1' } } palfrey.testing.press 'space' "
    "step() "
    "assert(player:shoot()) man:damage(1) man:setHealth(0) man:setHealth(10) "
    "assert(#world:raycast { from = {0, 1, 5}, to = {0, 1, -20}, all = true } > 0) "
    "assert(world:raycast { from = {0, 5, 0}, to = {0, -5, 0} }) "
    "assert(world:sweep { from = {0, 5, 0}, to = {0, -5, 0}, ignore = player }) "
    "assert(#world:overlap { position = {0, 0, -3}, radius = 1 } > 0) "
    "assert(man:getBounds()) assert(#palfrey.files.list 'assets' > 3) assert(palfrey.files.read 'main.lua') "
    "for _ = 1, 12 do step() end "
    "local task = palfrey.preload { 'assets/none.md2', 'assets/none.png' } "
    "assert(#task:getErrors() == 2)";

static int step_world(lua_State *L) {
  Host *host = binding_host(L);
  Error error = {0};
  world_begin_step(host->world);
  if (!binding_deliver_events(host, &error) || !world_end_step(host->world, &error))
    return luaL_error(L, "%s", error.text);
  return 0;
}

// Whatever allocation of the engine fails, the script is told; nothing is left out in silence, or left behind.
static void exhausted_memory_is_raised(void **state) {
  (void)state;
  int failures = 0, got_over = 0;
  for (long n = 1;; n++) {
    BareRuntime runtime;
    open_game(&runtime);
    runtime.host.is_synchronous = true;
    lua_State *L = runtime.host.lua;
    Error error = {0};
    lua_register(L, "step", step_world);
    assert_int_equal(luaL_loadstring(L, WORK), LUA_OK);
    runtime.memory.fail_after = n;
    bool is_good = binding_call(&runtime.host, 0, 0, &error), has_failed = runtime.memory.fail_after <= 0;
    if (!is_good && !(has_failed && strstr(error.text, "out of memory"))) fail_msg("allocation %ld: %s", n, error.text);
    failures += !is_good;
    got_over += is_good && has_failed;
    close_game(&runtime);
    if (!has_failed) break;
  }
  assert_true(failures > 100);
  // A loader can do without giving back what it took too much, and a preload without the text of an error.
  assert_true(got_over * 10 < failures);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_open_and_close_again_and_again),
      cmocka_unit_test(a_host_can_be_opened_again),
      cmocka_unit_test(closing_runs_what_waits_to_be_closed_in_the_main_chunk),
      cmocka_unit_test(opening_fails_cleanly),
      cmocka_unit_test(exhausted_memory_is_raised),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
