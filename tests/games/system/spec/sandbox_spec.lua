local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"

-- Runs code as the game would; specs stand outside of the sandbox.
local run = palfrey.inGame

local function refused(code)
  local good, message = pcall(run, code)
  assert.is_false(good)
  return tostring(message)
end

describe("the sandbox", function()
  it("has Lua's library but what reaches out of the game", function()
    assert.is_true(run [[return io == nil and os.execute == nil and os.exit == nil and os.getenv == nil
      and os.remove == nil and os.rename == nil and os.tmpname == nil and string.dump == nil and package.loadlib == nil
      and package.path == nil and package.cpath == nil and package.preload == nil and package.searchers == nil
      and debug.getregistry == nil and debug.getupvalue == nil and debug.sethook == nil and warn == nil]])
    assert.is_true(run [[return type(os.time()) == "number" and type(os.clock()) == "number"
      and type(os.date()) == "string" and os.difftime(3, 1) == 2 and #debug.traceback() > 0]])
    assert.equal("a,b", run [[return table.concat({ "a", "b" }, ",")]])
    assert.equal(4, run [[local t = { 3, 1, 4 } table.sort(t) return t[3] ]])
    assert.equal("é", run [[return utf8.char(233)]])
    assert.equal("ABC", run [[return ("abc"):upper()]])
    assert.equal(3, run [[return coroutine.wrap(function() coroutine.yield(3) end)()]])
  end)

  it("has its own globals, which specs do not see, nor the other way", function()
    run [[secret = 5]]
    assert.equal(5, run [[return secret]])
    assert.is_nil(rawget(_G, "secret"))
    rawset(_G, "outside", 1)
    assert.is_nil(run [[return outside]])
    rawset(_G, "outside", nil)
    assert.is_true(run [[return _G.secret == secret and _G._G == _G]])
    run [[secret = nil]]
  end)

  it("cannot change the libraries of the runtime", function()
    run [[kept = { string.format, string.gsub, string.match, table.concat, math.floor }
      string.format, string.gsub, string.match, table.concat, math.floor = nil, nil, nil, nil, nil]]
    local world = palfrey.newWorld()
    world:addGroup { name = "a\nb", position = { 0.5, 1, 2 } }
    local saved, message = world:save "after.lua"
    local loaded = world:load "after.lua"
    run [[string.format, string.gsub, string.match = kept[1], kept[2], kept[3]
      table.concat, math.floor, kept = kept[4], kept[5], nil]]
    assert.is_true(saved, message)
    assert.is_table(loaded)
    assert.equal("function", type(table.concat))
    assert.equal("function", type(math.floor))
  end)

  it("hides the metatables of strings, worlds and nodes", function()
    assert.is_false(run [[return getmetatable("")]])
    assert.is_false(run [[return getmetatable(palfrey.newWorld())]])
    assert.is_false(run [[return getmetatable(palfrey)]])
    refused [[setmetatable(palfrey, {})]]
    refused [[getmetatable("").__index = nil]]
    refused [[palfrey.newWorld().x = 1]]
    refused [[palfrey.newWorld():addGroup().x = 1]]
  end)

  it("has metatables without finalizers", function()
    assert.equal(5, run [[return setmetatable({}, { __index = { five = 5 } }).five]])
    assert.is_nil(run [[return getmetatable(setmetatable(setmetatable({}, {}), nil))]])
    assert.matches("protected", refused [[setmetatable(setmetatable({}, { __metatable = 1 }), {})]])
    assert.matches("nil or table expected", refused [[setmetatable({}, 1)]])
    assert.matches("nil or table expected", refused [[setmetatable({})]])
    assert.matches("no finalizers", refused [[setmetatable({}, { __gc = function() end })]])
  end)

  it("loads text, no bytecode", function()
    assert.equal(42, run [[return load("return 6 * 7")()]])
    assert.equal(7, run [[local parts = { "return ", "7", nil } local i = 0
      return load(function() i = i + 1 return parts[i] end)()]])
    assert.equal(3, run [[return load("return x", "=c", "t", { x = 3 })()]])
    assert.is_nil(run [[return load("return x", "=c", "t", {})()]])
    assert.is_true(run [[local f, message = load("x =") return f == nil and #message > 0]])
    local code = string.dump(function() return 42 end)
    for _, mode in ipairs { "t", "b", "bt" } do
      local f, message = run("local c, m = ... return load(c, '=c', m)", code, mode)
      assert.is_nil(f)
      assert.is_string(message)
    end
    assert.is_nil((run("local c = ... return load(c)", code)))
    assert.is_nil((run([[local code, isDone = ..., false
      return load(function() if not isDone then isDone = true return code end end)]], code)))
    assert(palfrey.files.write("code.lua", code))
    assert.is_nil((run [[return loadfile "code.lua"]]))
    refused [[dofile "code.lua"]]
    refused [[require "code"]]
  end)

  it("keeps code that load made inside", function()
    assert.is_nil(run [[return load("return io")()]])
    run [[load("made = 9")()]]
    assert.equal(9, run [[return made]])
    assert.is_nil(rawget(_G, "made"))
  end)

  it("collects garbage by three words alone", function()
    assert.is_true(run [[return collectgarbage "count" > 0]])
    assert.equal(0, run [[return collectgarbage()]])
    assert.equal("boolean", type(run [[return collectgarbage "step"]]))
    assert.match('"collect", "count", "step"', refused [[collectgarbage "stop"]], 1, true)
  end)

  it("catches errors, also deep ones and those of no text", function()
    assert.is_false((run [[return pcall(error)]]))
    assert.equal("x", select(2, run [[return pcall(error, "x", 0)]]))
    assert.match("stack overflow", refused [[local function f() return 1 + f() end f()]])
    assert.match("^handled", select(2, run [[return xpcall(error, function(m) return "handled " .. m end, "x")]]))
  end)

  it("stands endless strings and tables until memory is up, and goes on", function()
    assert.match("memory", refused [[local t = {} for i = 1, 1e9 do t[i] = ("x"):rep(1000000) .. i end]])
    collectgarbage()
    assert.equal(2, run [[return 1 + 1]])
  end)

  it("calls a C function with the wrong self without harm", function()
    refused [[palfrey.newWorld().find(nil, "x")]]
    refused [[palfrey.newWorld().find(palfrey.newWorld():addGroup(), "x")]]
    refused [[local g = palfrey.newWorld():addGroup() g.getPosition(palfrey.newWorld())]]
    refused [[local t = palfrey.preload {} t.isDone(palfrey.newWorld())]]
    refused [[local t = palfrey.preload {} palfrey.newWorld().find(t, "x")]]
  end)
end)

describe("modules", function()
  it("are run once, and given their name and path", function()
    assert.is_true(run [[return require "parts.counter" == require "parts.counter"]])
    assert.same({ "parts.counter", "parts/counter.lua" }, run [[local c = require "parts.counter"
      return { c.name, c.path }]])
    assert.equal(1, run [[return require("parts.counter").bump()]])
    assert.equal(2, run [[return require("parts.counter").bump()]])
  end)

  it("can be folders with init.lua, and need others", function()
    assert.is_true(run [[return require("parts.deep").counter == require "parts.counter"]])
  end)

  it("that return nothing are true", function()
    assert.is_true(run [[return require "parts.nothing"]])
  end)

  it("are kept in package.loaded, and run anew when taken out of it", function()
    assert.is_true(run [[return package.loaded["parts.counter"] == require "parts.counter"]])
    assert.is_true(run [[local old = require "parts.counter"
      package.loaded["parts.counter"] = nil
      return require "parts.counter" ~= old]])
    assert.is_true(run [[return require "palfrey" == palfrey]])
  end)

  it("in a circle are refused, and so are those that are not there or broken", function()
    assert.match("requires itself", refused [[require "parts.circle"]])
    local message = refused [[require "parts.missing"]]
    assert.match("parts/missing.lua", message, 1, true)
    assert.match("parts/missing/init.lua", message, 1, true)
    assert.match("^game:1:", message)
    palfrey.files.write("broken.lua", "return {\n  oops oops\n}")
    assert.match("broken.lua:2:", refused [[require "broken"]], 1, true)
    palfrey.files.write("raises.lua", "\nerror 'while loading'")
    assert.match("raises.lua:2: while loading", refused [[require "raises"]], 1, true)
    palfrey.files.write("raises.lua", "return 'now good'")
    assert.equal("now good", run [[return require "raises"]])
    for _, name in ipairs { "../main", "/etc/passwd", "io", "os", "debug", "busted" } do
      refused(("require %q"):format(name))
    end
  end)

  it("by dofile are run each time, and loadfile gives the function", function()
    palfrey.files.write("values.lua", "times = (times or 0) + 1 return times, 'second', nil")
    assert.same({ 1, "second", nil, n = 3 }, table.pack(run [[return dofile "values.lua"]]))
    assert.equal(2, (run [[return dofile "values.lua"]]))
    assert.equal(3, run [[return (loadfile "values.lua"())]])
    assert.equal(1, run [[local env = {} return (loadfile("values.lua", "t", env)())]])
    assert.match("nowhere.lua", refused [[dofile "nowhere.lua"]], 1, true)
    assert.match("^game:1:", refused [[dofile "nowhere.lua"]])
    local f, message = run [[return loadfile "nowhere.lua"]]
    assert.is_nil(f)
    assert.match("nowhere.lua", message, 1, true)
    f, message = run [[return loadfile "broken.lua"]]
    assert.is_nil(f)
    assert.match("broken.lua:2:", message, 1, true)
    assert.is_nil((run [[return loadfile "../support.lua"]]))
  end)

  it("may begin with a byte order mark and a line for the shell", function()
    local word, count = run [[return dofile "parts/marked.lua"]]
    assert.equal("marked", word)
    assert.equal(0, count)
    palfrey.files.write("shell.lua", "#!/bin/sh\nreturn debug.traceback()")
    assert.match("shell.lua:2:", run [[return dofile "shell.lua"]], 1, true)
  end)
end)

describe("mathematics", function()
  local math = run [[return math]]

  it("is right", function()
    for i = -40, 40 do
      local x = i / 7
      support.within(1e-12, _G.math.sin(x), math.sin(x))
      support.within(1e-12, _G.math.cos(x), math.cos(x))
      support.within(1e-9, _G.math.atan(x), math.atan(x))
      support.within(1e-9 * (1 + _G.math.exp(x)), _G.math.exp(x), math.exp(x))
      support.within(1e-12, x, math.sqrt(x * x) * (x < 0 and -1 or 1))
      support.within(1e-9, _G.math.atan(x, 0.3), math.atan(x, 0.3))
      if x > 0 then support.within(1e-12, _G.math.log(x), math.log(x)) end
      if math.abs(x) <= 1 then
        support.within(1e-12, _G.math.asin(x), math.asin(x))
        support.within(1e-12, _G.math.acos(x), math.acos(x))
      end
    end
  end)

  it("is right where it is exact", function()
    assert.equal(0, math.sin(0))
    assert.equal(1, math.cos(0))
    assert.equal(1, math.exp(0))
    assert.equal(0, math.log(1))
    assert.equal(3, math.log(8, 2))
    assert.equal(3, math.log(1000, 10))
    assert.equal(10, math.log(1024, 2))
    assert.equal(math.pi / 2, math.atan(1, 0))
    assert.equal(math.pi, math.atan(0, -1))
    assert.equal(math.pi / 2, math.asin(1))
    assert.equal(0, math.acos(1))
    support.within(1e-15, math.pi / 4, math.atan(1))
  end)

  it("stands huge, infinite and missing numbers", function()
    local function isNan(x) return x ~= x end
    assert.is_true(isNan(math.sin(math.huge)) and isNan(math.cos(-math.huge)) and isNan(math.log(-1)))
    assert.is_true(isNan(math.asin(2)) and isNan(math.acos(-2)) and isNan(math.sin(0 / 0)))
    assert.equal(math.huge, math.exp(1000))
    assert.equal(0, math.exp(-1000))
    assert.equal(-math.huge, math.log(0))
    assert.equal(math.huge, math.log(math.huge))
    for _, x in ipairs { 1e6, 1e9, 1e15, -1e12 } do
      support.within(1e-15 * math.abs(x), _G.math.sin(x), math.sin(x))
      support.within(1e-6, 1, math.sin(x) ^ 2 + math.cos(x) ^ 2)
    end
  end)

  it("gives the same bits everywhere", function()
    local bits = {}
    for i = 1, 200 do
      local x = i * 0.37 - 30
      for _, name in ipairs { "sin", "cos", "tan", "exp", "atan" } do bits[#bits + 1] = ("<d"):pack(math[name](x)) end
      bits[#bits + 1] = ("<d"):pack(math.log(i * 1.7))
      bits[#bits + 1] = ("<d"):pack(math.asin(i / 200))
    end
    local sum = 0
    for byte in table.concat(bits):gmatch "." do sum = (sum * 31 + byte:byte()) & 0xffffffff end
    assert.equal("c2100b36", ("%08x"):format(sum))
  end)

  it("of chance is the same for the same seed", function()
    local function numbers() return { math.random(1000), math.random(1000), math.random() } end
    math.randomseed(5)
    local first = numbers()
    math.randomseed(5)
    assert.same(first, numbers())
    math.randomseed()
    local own = numbers()
    math.randomseed()
    assert.same(own, numbers())
    math.randomseed(0)
    assert.same(own, numbers())
  end)

  it("refuses what are no numbers", function()
    for _, name in ipairs { "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log" } do
      assert.match("number expected, got no value", support.raises(function() math[name]() end))
      assert.match("number expected, got table", support.raises(function() math[name] {} end))
    end
  end)
end)
