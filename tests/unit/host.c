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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_open_and_close_again_and_again),
      cmocka_unit_test(a_host_can_be_opened_again),
      cmocka_unit_test(closing_runs_what_waits_to_be_closed_in_the_main_chunk),
      cmocka_unit_test(opening_fails_cleanly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
