-- Ways out of the sandbox that scripts have tried. Each is code of a game that returns true where it got out.
local palfrey = require "palfrey"

local ATTEMPTS = {
  -- Lua's own doors.
  "return io ~= nil",
  "return os.execute ~= nil or os.exit ~= nil or os.getenv ~= nil or os.remove ~= nil or os.rename ~= nil",
  "return os.tmpname ~= nil or os.setlocale ~= nil",
  "return package.loadlib ~= nil or package.cpath ~= nil or package.searchers ~= nil or package.searchpath ~= nil",
  "return package.preload ~= nil or package.config ~= nil",
  "for name in pairs(debug) do if name ~= 'traceback' then return true end end",
  "return string.dump ~= nil or ('').dump ~= nil",
  "return require 'io' ~= nil",
  "return require 'os' ~= os",
  "return require 'debug'.getregistry ~= nil",
  "return require 'package' ~= nil",
  "return require '_G' ~= _G",
  "return package.loaded.io ~= nil or package.loaded._G ~= nil or package.loaded.debug ~= nil",
  "local kept = package.loaded package.loaded = { io = 1 } local good, got = pcall(require, 'io') " ..
    "package.loaded = kept return good and got == 1",
  "package.loaded.io = true return io ~= nil",
  "return pcall(require, 'lfs')",
  "return pcall(require, 'busted')",
  "return pcall(require, 'socket')",
  -- Bytecode and environments.
  [[return load("\27Lua") ~= nil]],
  [[return load("\27Lua", "x", "b") ~= nil]],
  [[return load("\27Lua", "x", "bt") ~= nil]],
  [[local parts = { "\27", "Lua", "T" } local i = 0
    return load(function() i = i + 1 return parts[i] end, "x", "b") ~= nil]],
  [[local f = load("return _ENV.io or _G.io") return f() ~= nil]],
  [[local f = load("return io", "x", "t", nil) return pcall(f) and f() ~= nil]],
  [[local f = load("return io", "x", "t", setmetatable({}, { __index = function(_, k) return _G[k] end }))
    return f() ~= nil]],
  [[local _ENV = {} return io ~= nil]],
  [[return loadfile("/etc/passwd") ~= nil]],
  [[return loadfile("../main.lua") ~= nil]],
  [[return loadfile("conf.lua", "b") ~= nil and false]],
  [[return pcall(dofile, "/etc/passwd")]],
  [[return pcall(dofile)]],
  -- Metatables.
  "return getmetatable('') and getmetatable('').__index ~= nil",
  "return pcall(function() getmetatable('').__index = nil end)",
  "return pcall(setmetatable, '', {})",
  "return pcall(setmetatable, palfrey, {})",
  "return type(getmetatable(palfrey)) == 'table'",
  "return type(getmetatable(palfrey.newWorld {})) == 'table'",
  "return type(getmetatable(palfrey.newWorld {}:addGroup {})) == 'table'",
  "return type(getmetatable(palfrey.preload {})) == 'table'",
  "return pcall(function() palfrey.newWorld {}.__gc() end)",
  "return pcall(function() palfrey.newWorld {}:__gc() end)",
  "return pcall(function() palfrey.newWorld {}.__index = _G end)",
  "return rawget(palfrey.newWorld {}, 'x') ~= nil",
  "return pcall(rawset, palfrey.newWorld {}, 'x', 1)",
  "return pcall(setmetatable, {}, { __gc = function() end })",
  "local t = setmetatable({}, {}) getmetatable(t).__gc = function() escaped = true end t = nil " ..
    "collectgarbage() return escaped",
  "return pcall(setmetatable, setmetatable({}, { __metatable = 1 }), {})",
  -- Files.
  "return palfrey.files.read '/etc/passwd' ~= nil",
  "return palfrey.files.read '../main.lua' ~= nil",
  "return palfrey.files.read '..\\\\main.lua' ~= nil",
  "return palfrey.files.read 'a/../../x' ~= nil",
  "return palfrey.files.read 'C:\\\\x' ~= nil",
  "return palfrey.files.read 'main.lua\\0.txt' ~= nil",
  "return palfrey.files.write('../escaped.txt', 'x')",
  "return palfrey.files.write('/tmp/escaped.txt', 'x')",
  "return palfrey.files.write('', 'x')",
  "return palfrey.files.write('.', 'x')",
  "return palfrey.files.write('a/../../escaped.txt', 'x')",
  "return palfrey.files.remove '..'",
  "return palfrey.files.remove '/tmp'",
  "return palfrey.files.list '..' ~= nil",
  "return palfrey.files.list '/' ~= nil",
  "return palfrey.screen.screenshot '../escaped.png'",
  "return palfrey.newWorld {}:save '../escaped.lua'",
  "return palfrey.newWorld {}:load '/etc/passwd' ~= nil",
  "return palfrey.newWorld {}:load '../../secret.lua' ~= nil",
  "return palfrey.newWorld {}:addModel { model = '/etc/passwd' } ~= nil",
  "return palfrey.newWorld {}:addModel { model = '../x.obj' } ~= nil",
  "return pcall(palfrey.testing.writeSource, '../escaped.lua', 'x')",
  "return pcall(palfrey.testing.writeSource, '/tmp/escaped.lua', 'x')",
  -- Level files are data.
  [[palfrey.files.write("evil.lua", "return { groups = { { name = tostring(palfrey) } } }")
    return palfrey.newWorld {}:load "evil.lua" ~= nil]],
  [[palfrey.files.write("evil.lua", "while true do end")
    return palfrey.newWorld {}:load "evil.lua" ~= nil]],
  [[palfrey.files.write("evil.lua", "return ('x'):rep(1e9)")
    return palfrey.newWorld {}:load "evil.lua" ~= nil]],
  -- Memory and the collector.
  "return pcall(string.rep, 'x', 1 << 40)",
  "return pcall(string.rep, 'x', 400000000)",
  "return pcall(function() local t = {} for i = 1, math.huge do t[i] = ('x'):rep(1000000) .. i end end)",
  "return pcall(table.concat, setmetatable({}, { __len = function() return 1 << 40 end }))",
  "return pcall(collectgarbage, 'stop')",
  "return pcall(collectgarbage, 'incremental', 1000, 1000)",
  "return pcall(coroutine.wrap(function() for i = 1, 1e9 do coroutine.wrap(function() " ..
    "error 'x' end)() end end))",
}

describe("the sandbox", function()
  assert(#ATTEMPTS >= 50)
  for _, attempt in ipairs(ATTEMPTS) do
    it("holds against " .. attempt:gsub("%s+", " "):sub(1, 90), function()
      local good, escaped = pcall(palfrey.inGame, attempt)
      assert(not good or not escaped, tostring(escaped))
      palfrey.inGame "package.loaded.io, escaped = nil, nil"
      for _, path in ipairs { "/tmp/escaped.txt", "/tmp/escaped.lua", "tests/games/escaped.lua" } do
        assert.is_nil(io.open(path))
      end
    end)
  end

  it("keeps the game going after all of that", function()
    palfrey.testing.step(2)
    assert.is_nil(palfrey.testing.getErrorScreen())
  end)
end)
