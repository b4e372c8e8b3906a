-- How games end: from anywhere, and with anything still going on. The program is in PALFREY; the sanitizers of its
-- build tell what is left behind, by another exit status than those of games.
local PALFREY = os.getenv "PALFREY"

--- Plays a game that is one file; its exit status, and what it wrote.
local function play(code)
  local path = os.tmpname()
  local file <close> = assert(io.open(path .. ".lua", "w"))
  file:write("local palfrey = require 'palfrey'\n", code)
  file:close()
  local command = "ASAN_OPTIONS=exitcode=99 '%s' --headless --null-gpu --frames 20 '%s.lua' 2>&1; echo \"status $?\""
  local pipe <close> = assert(io.popen(command:format(PALFREY, path)))
  local output = pipe:read "a"
  os.remove(path)
  os.remove(path .. ".lua")
  return tonumber(output:match "status (%d+)\n$"), output
end

local function ends(status, code)
  local got, output = play(code)
  assert(got == status, ("status %d expected, got %s from\n%s\n%s"):format(status, got, code, output))
  return output
end

local WORLD = "local world = palfrey.newWorld() local player = world:addPlayer {} "

describe("a game", function()
  if not PALFREY then
    pending("needs the program in PALFREY")
    return
  end

  it("may quit from everywhere", function()
    ends(3, "palfrey.quit(3)")
    ends(4, "function palfrey.load() palfrey.quit(4) end")
    ends(5, "function palfrey.update() palfrey.quit(5) end")
    ends(6, "function palfrey.draw() palfrey.quit(6) end")
    ends(7, "function palfrey.load() palfrey.testing.press 'space' end " ..
            "function palfrey.keypressed() palfrey.quit(7) end")
    ends(8, "function palfrey.load() " .. WORLD .. "player:on('hit', function() palfrey.quit(8) end) " ..
            "player:damage(1) end")
    ends(9, "function palfrey.update() coroutine.wrap(function() palfrey.quit(9) coroutine.yield() end)() end")
    ends(10, "function palfrey.update() local _ <close> = setmetatable({}, {__close = function() palfrey.quit(10) " ..
             "end}) end")
    ends(11, "function palfrey.update() pcall(error, setmetatable({}, {__tostring = error})) palfrey.quit(11) end")
    ends(12, "function palfrey.update() table.sort({3, 2, 1}, function(a, b) palfrey.quit(12) return a < b end) end")
    ends(13, "function palfrey.update() palfrey.quit(12) palfrey.quit(13) end")
  end)

  it("may quit or make a world while it is asked whether to quit", function()
    ends(2, "function palfrey.update() palfrey.quit(1) end function palfrey.quit() palfrey.quit(2) end")
    ends(0, "function palfrey.update() palfrey.quit(1) end function palfrey.quit() return true end")
    ends(1, "function palfrey.load() palfrey.newWorld() end function palfrey.update() palfrey.quit(1) end " ..
            "function palfrey.quit() for i = 1, 10 do palfrey.newWorld():addGroup() end collectgarbage() end")
    local output = ends(1, "function palfrey.update() palfrey.quit(0) end function palfrey.quit() error 'not now' end")
    assert.matches("not now", output)
  end)

  it("may end with coroutines that wait, and with what they would close", function()
    ends(0, WORLD .. "local waiting = {} function palfrey.update() " ..
            "local thread = coroutine.create(function() " ..
            "  local _ <close> = setmetatable({}, {__close = function() player:setName 'closed' end}) " ..
            "  coroutine.yield() end) " ..
            "coroutine.resume(thread) waiting[#waiting + 1] = thread player:getData()[#waiting] = thread end")
    ends(0, "function palfrey.update() worlds = {palfrey.newWorld(), worlds} worlds[1]:addLight {}:getData().up = " ..
            "worlds end")
    ends(0, "kept = palfrey.preload {'none.md2', 'none.png'} function palfrey.update() kept = {kept, " ..
            "palfrey.preload {'none.md2'}} end")
  end)

  it("that fails says why, whatever it throws, and leaves nothing behind", function()
    local cases = {
      ["error 'a text'"] = "a text",
      ["error {}"] = "table",
      ["error()"] = "nil",
      ["error(12)"] = "12",
      ["error(setmetatable({}, {__tostring = function() return 'in words' end}))"] = "in words",
      ["error(setmetatable({}, {__tostring = function() error 'no words' end}))"] = "%S",
      ["error(setmetatable({}, {__tostring = function() return 7 end}))"] = "%S",
      ["error(coroutine.create(print))"] = "thread",
      ["error(palfrey.newWorld())"] = "world",
      ["local function f() return f() + 1 end f()"] = "stack overflow",
      ["local t = setmetatable({}, {}) getmetatable(t).__index = t return t.x"] = "loop",
      ["local s = 'x' while true do s = s .. s end"] = "memory",
      ["local t = {} while true do t[#t + 1] = {} end"] = "memory",
      ["local _ <close> = setmetatable({}, {__close = function() error 'second' end}) error 'first'"] = "second",
      ["coroutine.wrap(function() error 'within' end)()"] = "within",
      ["coroutine.yield()"] = "yield",
      ["xpcall(error, function() error 'handler' end)  error 'after'"] = "after",
      ["string.rep('x', 1 << 40)"] = "%S",
    }
    for code, pattern in pairs(cases) do -- order: cases are apart
      local isSlow = pattern == "memory"
      for _, callback in ipairs(isSlow and { "update" } or { "load", "update", "draw" }) do
        local output = ends(1, ("%s function palfrey.%s() %s end"):format(WORLD, callback, code))
        assert.matches("palfrey: error: [^\n]*" .. pattern, output)
      end
    end
  end)

  it("may have anything in the place of a callback", function()
    for _, value in ipairs { "1", "'text'", "{}", "true", "palfrey.newWorld()", "coroutine.create(print)",
                             "setmetatable({}, {__call = true})", "setmetatable({}, {__call = function() end})" } do
      local code = "local value = %s palfrey.load, palfrey.update, palfrey.draw = value, value, value " ..
        "palfrey.keypressed, palfrey.conf, palfrey.quit = value, value, value palfrey.testing.press 'space'"
      local status, output = play(code:format(value))
      assert(status == 0 or status == 1 and output:find "palfrey: error: ", value .. "\n" .. output)
    end
  end)
end)
