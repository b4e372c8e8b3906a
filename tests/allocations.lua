-- allocations.lua BIN COUNTER GAME [--no-garbage]: plays a game for some steps and for twice as many, with a library
-- before the C library that counts calls for memory. The steps in between may not have allocated anything but what
-- Lua asked for, and after a full collection Lua may not hold more than before. With --no-garbage Lua may not have
-- asked for anything either.
local binary, counter, game, hasNoGarbage = arg[1], arg[2], arg[3], arg[4] == "--no-garbage"
local FIRST, SECOND = 1200, 2400   -- steps; what happens in the sample's first second is not counted
local LUA_SLACK_KB = 64            -- tables that a longer game has grown

local function play(steps)
  local command = ("LD_PRELOAD='%s' '%s' --headless --null-gpu --json --frames %d '%s' 2>&1"):format(counter, binary,
                                                                                                    steps, game)
  local process <close> = assert(io.popen(command))
  local output = process:read "a"
  local calls = output:match "malloc calls: (%d+)"
  local lua, kb = output:match '"lua_allocations":(%d+)', output:match '"lua_kb":(%d+)'
  if not (calls and lua and kb) then
    print(output)
    os.exit(1)
  end
  return { engine = tonumber(calls) - tonumber(lua), lua = tonumber(lua), kb = tonumber(kb) }
end

play(1) -- bakes what the cache does not hold yet, which the runs that count then find there
local short, long = play(FIRST), play(SECOND)
local engine, lua, grown = long.engine - short.engine, long.lua - short.lua, long.kb - short.kb
print(("%d allocations of the engine and %d of Lua in %d steps; Lua holds %d KB after a collection, %d KB more"):format(
      engine, lua, SECOND - FIRST, long.kb, grown))
os.exit(engine == 0 and grown <= LUA_SLACK_KB and not (hasNoGarbage and lua > 0) and 0 or 1)
