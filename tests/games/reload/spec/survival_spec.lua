-- What survives when a file is loaded again, and what does not.
local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local testing = palfrey.testing

local folder = debug.getinfo(1, "S").source:match "^@(.*)/spec/"
local count = 0

--- Changes files, given as path and text in turn, in one step.
local function save(...)
  for i = 1, select("#", ...), 2 do testing.writeSource((select(i, ...)), (select(i + 1, ...))) end
  testing.step(1)
end

--- A module of a name not used before with that text; returns its value and a function that changes its text.
local function module(text)
  count = count + 1
  local name = "m" .. count
  save(name .. ".lua", text)
  return palfrey.inGame("return require(...)", name), function(new) save(name .. ".lua", new) end, name
end

local function message() return testing.getErrorScreen() or "" end

local function has(text, part)
  assert(text:find(part, 1, true), ("%q expected in: %s"):format(part, text))
end

after_each(function() assert.is_nil(testing.getErrorScreen()) end)

describe("functions", function()
  it("in the module's table are replaced, and the table stays the same", function()
    local m, change, name = module "local M = {} function M.f() return 1 end return M"
    change "local M = {} function M.f() return 2 end return M"
    assert.equal(2, m.f())
    assert.equal(m, palfrey.inGame("return require(...)", name))
  end)

  it("held in other tables, in upvalues and in variables of other modules are replaced", function()
    local m, change = module "local M = {} function M.f() return 1 end return M"
    local holder = { deep = { f = m.f }, [m.f] = "key" }
    palfrey.inGame("held = ...", holder)
    local caller = palfrey.inGame("local f = ... return function() return f() end", m.f)
    palfrey.inGame("caller = ...", caller)
    change "local M = {} function M.f() return 2 end return M"
    assert.equal(2, holder.deep.f())
    assert.equal("key", holder[m.f])
    assert.equal(m.f, holder.deep.f)
    assert.equal(2, palfrey.inGame "return caller()")
  end)

  it("that are local are replaced in those that call them", function()
    local m, change = module "local M = {} local function f() return 1 end function M.g() return f() end return M"
    change "local M = {} local function f() return 2 end function M.g() return f() end return M"
    assert.equal(2, m.g())
  end)

  it("made in a call get new code and keep their own variables", function()
    local text = [[local M = {}
      function M.counter(n) return function() n = n + 1 return n * %d end end
      return M]]
    local m, change = module(text:format(1))
    local a, b = m.counter(0), m.counter(10)
    palfrey.inGame("counters = { ... }", a, b)
    assert.equal(1, a())
    assert.equal(11, b())
    change(text:format(100))
    assert.equal(200, palfrey.inGame "return counters[1]()")
    assert.equal(1200, palfrey.inGame "return counters[2]()")
    assert.equal(300, palfrey.inGame "return counters[1]()")
  end)

  it("made several times by one line are told apart by where they are held", function()
    local text = [[local M = {}
      for _, name in ipairs { "a", "b" } do
        local calls = 0
        M[name] = function() calls = calls + 1 return name .. calls .. "%s" end
      end
      return M]]
    local m, change = module(text:format "")
    assert.same({ "a1", "a2", "b1" }, { m.a(), m.a(), m.b() })
    change(text:format "!")
    assert.same({ "a3!", "b2!" }, { m.a(), m.b() })
  end)

  it("on one line with the same code are told apart", function()
    local m, change = module "return { a = function() return 1 end, b = function() return 1 end }"
    local f, g = m.a, m.b
    palfrey.inGame("pair = { ... }", f, g)
    change "return { b = function() return 'b' end, a = function() return 'a' end }"
    assert.same({ "a", "b" }, { palfrey.inGame "return pair[1](), pair[2]()" })
  end)

  it("that move, or get others before them, are still found", function()
    local m, change = module [[local M = { list = {} }
      M.list[1] = function() return "first" end
      function M.keep() return M.list[1] end
      return M]]
    palfrey.inGame("kept = ...", m.keep())
    change [[local M = { list = {} }
      local function other() return "other" end
      function M.before() return other() end
      function M.keep() return M.list[1] end
      M.list[1] = function() return "still first" end
      return M]]
    assert.equal("still first", palfrey.inGame "return kept()")
    assert.equal("other", m.before())
  end)

  it("that were there in two branches share what is left of them", function()
    local text = [[return function(parent)
      local c = {} c.__index = c
      %s
      return c end]]
    local class, change = module(text:format [[
      if parent then setmetatable(c, { __call = function() return "child" end })
      else setmetatable(c, { __call = function() return "root" end }) end]])
    local root, child = class(), class {}
    palfrey.inGame("classes = { ... }", root, child)
    change(text:format [[setmetatable(c, { __call = function() return "any" end })]])
    assert.same({ "any", "any" }, { root(), child() })
  end)

  it("that the game has put in another's place keep to their own code", function()
    local text = [[local M = {} function M.idle() return "idle %s" end function M.run() return "run %s" end
      M.state = M.idle return M]]
    local m, change = module(text:format(1, 1))
    m.state = m.run
    change(text:format(2, 2))
    assert.same({ "run 2", "idle 2" }, { m.state(), m.idle() })
  end)

  it("that are gone leave the module's table, and raise where else they are held", function()
    local m, change, name = module "local M = {} function M.f() return 1 end function M.g() return 2 end return M"
    palfrey.inGame("kept = ...", m.f)
    change "local M = {} function M.g() return 3 end return M"
    assert.is_nil(m.f)
    assert.equal(3, m.g())
    local good, text = pcall(palfrey.inGame, "kept()")
    assert.is_false(good)
    has(text, name .. ".lua: this function (M.f, line 1 before) is no longer in the file")
  end)

  it("replace those of the second version, and of the tenth", function()
    local text = "local M = {} function M.f() return %d end return M"
    local m, change = module(text:format(0))
    for i = 1, 10 do
      change(text:format(i))
      assert.equal(i, m.f())
    end
  end)

  it("are replaced where a C function holds them", function()
    local m, change = module "local M = {} function M.f() return 1 end return M"
    palfrey.inGame("wrapped = coroutine.wrap(function(f) while true do coroutine.yield(f()) end end) wrapped(...)", m.f)
    change "local M = {} function M.f() return 2 end return M"
    assert.equal(2, palfrey.inGame "return wrapped()")
  end)
end)

describe("local variables at the top of a file", function()
  it("keep their values for the new functions, also for added ones", function()
    local m, change = module [[local M = {} local count = 0
      function M.bump() count = count + 1 return count end return M]]
    m.bump()
    m.bump()
    change [[local M = {} local count = 0
      function M.bump() count = count + 10 return count end
      function M.look() return count end return M]]
    assert.equal(2, m.look())
    assert.equal(12, m.bump())
    assert.equal(12, m.look())
  end)

  it("that the game has not changed take the file's new value", function()
    local m, change = module "local M = {} local SPEED = 5 function M.f() return SPEED end return M"
    change "local M = {} local SPEED = 7 function M.f() return SPEED end return M"
    assert.equal(7, m.f())
    change "local M = {} local SPEED = 9 function M.f() return SPEED end return M"
    assert.equal(9, m.f())
  end)

  it("of the same name in blocks of their own stay apart", function()
    local text = [[local M = {}
      do local n = 1 function M.a() n = n + 1 return n%s end end
      do local n = 100 function M.b() n = n + 1 return n%s end end
      return M]]
    local m, change = module(text:format("", ""))
    m.a()
    m.b()
    change(text:format("+0", "+0"))
    assert.same({ 3, 102 }, { m.a(), m.b() })
  end)

  it("keep a table, which takes in what is new", function()
    local m, change = module [[local M = {} local state = { hp = 10, list = { 1, 2, 3 } }
      function M.state() return state end return M]]
    local state = m.state()
    state.hp, state.seen = 4, true
    change [[local M = {} local state = { hp = 20, list = { 1, 5 }, mp = 3 }
      function M.state() return state end return M]]
    assert.equal(state, m.state())
    assert.same({ hp = 4, seen = true, list = { 1, 5 }, mp = 3 }, state)
  end)

  it("that were nil at first keep what they got", function()
    local m, change = module "local M = {} local x function M.set(v) x = v end function M.get() return x end return M"
    m.set(5)
    change "local M = {} local x function M.set(v) x = v end function M.get() return x, 'new' end return M"
    assert.same({ 5, "new" }, { m.get() })
  end)

  it("with false and nil keep those", function()
    local m, change = module [[local M = {} local on = true
      function M.set(v) on = v end function M.get() return on end return M]]
    m.set(false)
    change "local M = {} local on = true function M.set(v) on = v end function M.get() return on, 1 end return M"
    assert.same({ false, 1 }, { m.get() })
  end)
end)

describe("tables", function()
  it("keep fields that the file does not set, and those the game has changed", function()
    local m, change = module "return { speed = 1, score = 0 }"
    m.note, m.score = "kept", 12
    change "return { speed = 2, score = 0 }"
    assert.same({ speed = 2, score = 12, note = "kept" }, m)
    change "return { speed = 3, score = 100 }"
    assert.same({ speed = 3, score = 12, note = "kept" }, m)
  end)

  it("that the game replaced stay", function()
    local m, change = module "return { enemies = {}, f = function() end }"
    local enemies = { "a", "b" }
    m.enemies = enemies
    change "return { enemies = { 'x' }, f = function() return 1 end }"
    assert.equal(enemies, m.enemies)
    assert.same({ "a", "b" }, enemies)
  end)

  it("that refer to themselves and to each other are merged", function()
    local text = [[local M = {} M.self, M.other = M, { back = M, n = %d } M.other.twin = { M.other }
      function M.f() return M.other.back end return M]]
    local m, change = module(text:format(1))
    local other = m.other
    change(text:format(2))
    assert.equal(m, m.self)
    assert.equal(other, m.other)
    assert.equal(m, other.back)
    assert.equal(other, other.twin[1])
    assert.equal(2, other.n)
    assert.equal(m, m.f())
  end)

  it("with metatables keep class and instances together", function()
    local text = [[local Enemy = {} Enemy.__index = Enemy
      function Enemy.new(hp) return setmetatable({ hp = hp }, Enemy) end
      function Enemy:hit(n) self.hp = self.hp - n * %d return self.hp end
      function Enemy.__tostring(e) return "enemy %d of " .. e.hp end
      return Enemy]]
    local Enemy, change = module(text:format(1, 1))
    local enemy = Enemy.new(100)
    change(text:format(10, 2))
    assert.equal(90, enemy:hit(1))
    assert.equal("enemy 2 of 90", tostring(enemy))
    assert.equal(Enemy, getmetatable(enemy))
    assert.equal(Enemy, getmetatable(Enemy.new(1)))
  end)

  it("whose metatable is a table of its own get its new functions", function()
    local text = "local mt = { __call = function() return %d end } return setmetatable({}, mt)"
    local m, change = module(text:format(1))
    assert.equal(1, m())
    change(text:format(2))
    assert.equal(2, m())
  end)

  it("that inherit from classes of other files follow", function()
    local base, changeBase, name = module [[local B = {} B.__index = B function B:f() return 1 end return B]]
    local class = module(([[local B = require %q local C = setmetatable({}, B) C.__index = C
      function C.new() return setmetatable({}, C) end return C]]):format(name))
    local object = class.new()
    assert.equal(1, object:f())
    changeBase [[local B = {} B.__index = B function B:f() return 2 end return B]]
    assert.equal(2, object:f())
    assert.equal(base.f, object.f)
  end)

  it("returned as lists get shorter with the file", function()
    local m, change = module "return { 'a', 'b', 'c', note = 1 }"
    change "return { 'a', 'b' }"
    assert.same({ "a", "b", note = 1 }, m)
  end)

  it("follow the file where the game has changed nothing", function()
    local m, change = module "return { waves = { { n = 1 }, { n = 2 }, { n = 3 } } }"
    change "return { waves = { { n = 5 }, { n = 2 } } }"
    assert.same({ { n = 5 }, { n = 2 } }, m.waves)
  end)
end)

describe("globals and callbacks", function()
  it("that come and go and come again follow the file", function()
    local rest = [[local palfrey = require "palfrey"
      function palfrey.inGame(code, ...) return assert(load(code, "=game"))(...) end ]]
    save("main.lua", rest .. "function palfrey.update() palfrey.mark = 1 end function f() return 1 end")
    save("main.lua", rest)
    save("main.lua", rest .. "function palfrey.update() palfrey.mark = 2 end function f() return 2 end")
    testing.step(1)
    assert.same({ 2, 2 }, { palfrey.mark, (palfrey.inGame "return f()") })
    save("main.lua", rest)
  end)

  it("of main.lua follow the file and keep state", function()
    local main = [[
      local palfrey = require "palfrey"
      score, limit = score0 or 0, %d
      function add() score = score + %d end
      function palfrey.update() ticks = (ticks or 0) + 1 palfrey.version = %d end
      function palfrey.inGame(code, ...) return assert(load(code, "=game"))(...) end]]
    save("main.lua", main:format(10, 1, 1))
    palfrey.inGame "add()"
    assert.equal(1, palfrey.version)
    save("main.lua", main:format(20, 5, 2))
    palfrey.inGame "add()"
    testing.step(1)
    assert.same({ 6, 20 }, { palfrey.inGame "return score, limit" })
    assert.equal(2, palfrey.version)
    assert.is_true(palfrey.inGame "return ticks" >= 3)
  end)

  it("that are no longer there are no longer called", function()
    save("main.lua", [[local palfrey = require "palfrey"
      function palfrey.update() palfrey.calls = (palfrey.calls or 0) + 1 end
      function palfrey.inGame(code, ...) return assert(load(code, "=game"))(...) end]])
    testing.step(3)
    local calls = palfrey.calls
    assert.is_true(calls >= 3)
    save("main.lua", [[local palfrey = require "palfrey"
      function palfrey.inGame(code, ...) return assert(load(code, "=game"))(...) end]])
    testing.step(3)
    assert.equal(calls, palfrey.calls)
    assert.is_nil(rawget(palfrey, "update"))
  end)

  it("palfrey.quit among them", function()
    local rest = [[local palfrey = require "palfrey"
      function palfrey.inGame(code, ...) return assert(load(code, "=game"))(...) end ]]
    save("main.lua", rest .. "function palfrey.quit() return true end")
    save("main.lua", rest)
    assert.is_function(palfrey.quit)
  end)

  it("palfrey.reloaded is told which files were taken", function()
    local _, change, name = module "return { 1 }"
    local told
    palfrey.inGame("palfrey.reloaded = ...", function(files) told = files end)
    change "return { 2 }"
    assert.same({ name .. ".lua" }, told)
    told = nil
    change "return { "
    assert.is_nil(told)
    has(message(), name .. ".lua:1:")
    change "return { 3 }"
    assert.same({ name .. ".lua" }, told)
    palfrey.inGame "palfrey.reloaded = nil"
  end)
end)

describe("handlers", function()
  local text = [[local M = { heard = {} }
    function M.start(world)
      local node = world:addGroup {}
      local npc = world:addNPC { model = "assets/man.md2", position = { 0, 0, 0 } }
      npc:on("hit", function(e) M.heard[#M.heard + 1] = "node %d " .. e.damage end)
      world:on("hit", function(e) M.heard[#M.heard + 1] = "world %d " .. e.damage end)
      M.npc = npc
    end
    return M]]

  it("registered with on are replaced", function()
    local m, change = module(text:format(1, 1))
    local world = palfrey.newWorld {}
    m.start(world)
    m.npc:damage(1)
    testing.step(1)
    change(text:format(2, 2))
    m.npc:damage(2)
    testing.step(1)
    assert.same({ "node 1 1.0", "world 1 1.0", "node 2 2.0", "world 2 2.0" }, m.heard)
  end)

  it("are not called twice when the file registers them at its top", function()
    palfrey.inGame "world = palfrey.newWorld {} npc = world:addNPC { model = 'assets/man.md2' }"
    local m, change = module "heard = 0 world:on('hit', function() heard = heard + 1 end) return {}"
    change "heard = 0 world:on('hit', function() heard = heard + 10 end) return {}"
    assert.is_table(m)
    palfrey.inGame "npc:damage(1)"
    testing.step(1)
    assert.equal(10, palfrey.inGame "return heard")
  end)

  it("whose function is gone are called no more", function()
    palfrey.inGame "world = palfrey.newWorld {} npc = world:addNPC { model = 'assets/man.md2' } heard = 0"
    local m, change = module [[local M = {}
      function M.start() world:on("hit", function() heard = heard + 1 end) end
      return M]]
    m.start()
    change "local M = {} function M.start() end return M"
    palfrey.inGame "npc:damage(1)"
    testing.step(1)
    assert.equal(0, palfrey.inGame "return heard")
  end)
end)

describe("coroutines", function()
  it("that are suspended go on in the old code and call new functions", function()
    local text = [[local M = {}
      function M.word() return "%s" end
      local function helper() return "helper %s" end
      M.run = M.run or coroutine.wrap(function()
        while true do coroutine.yield(M.word() .. " " .. helper()) end
      end)
      return M]]
    local m, change = module(text:format("old", "old"))
    assert.equal("old helper old", m.run())
    change(text:format("new", "new"))
    assert.equal("new helper new", m.run())
    assert.equal("new helper new", m.run())
  end)

  it("that were not started run the new code", function()
    local text = "local M = {} function M.body() return '%s' end return M"
    local m, change = module(text:format "old")
    palfrey.inGame("co = coroutine.create(...)", m.body)
    change(text:format "new")
    assert.same({ true, "new" }, { palfrey.inGame "return coroutine.resume(co)" })
  end)

  it("hold old functions in their variables, which are replaced", function()
    local text = "local M = {} function M.f(n) return '%s' .. n end return M"
    local m, change = module(text:format "old")
    palfrey.inGame([[local M = ...
      co = coroutine.wrap(function(...)
        local f, rest = M.f, table.pack(...)
        while true do coroutine.yield(f(1) .. (...)(2) .. rest[1](3)) end
      end) co(M.f)]], m)
    change(text:format "new")
    assert.equal("new1new2new3", palfrey.inGame "return co()")
  end)
end)

describe("modules", function()
  it("that return functions are replaced for all who hold them", function()
    local f, change, name = module "local n = 0 return function() n = n + 1 return n end"
    palfrey.inGame("held = ...", f)
    f()
    change "local n = 0 return function() n = n + 1 return n * 100 end"
    assert.equal(200, palfrey.inGame "return held()")
    assert.equal(300, palfrey.inGame("return require(...)()", name))
  end)

  it("that return other values give those to the next require", function()
    local value, change, name = module "return 5"
    assert.equal(5, value)
    change "return 6"
    assert.equal(6, palfrey.inGame("return require(...)", name))
    change "return { 7 }"
    assert.same({ 7 }, palfrey.inGame("return require(...)", name))
    change "return function() return 8 end"
    assert.equal(8, palfrey.inGame("return require(...)", name)())
  end)

  it("that require each other are loaded again one by one", function()
    save("circle_a.lua", [[local A = {} package.loaded.circle_a = A local B = require "circle_b"
        function A.name() return "a1" end function A.both() return A.name() .. B.name() end return A]],
      "circle_b.lua", [[local B = {} package.loaded.circle_b = B
        function B.name() return "b1" end
        function B.both() return require "circle_a".name() .. B.name() end return B]])
    local a = palfrey.inGame "package.loaded.circle_a = nil return require 'circle_a'"
    assert.equal("a1b1", a.both())
    save("circle_a.lua", [[local A = {} package.loaded.circle_a = A local B = require "circle_b"
        function A.name() return "a2" end function A.both() return A.name() .. B.name() end return A]],
      "circle_b.lua", [[local B = {} package.loaded.circle_b = B
        function B.name() return "b2" end
        function B.both() return require "circle_a".name() .. B.name() end return B]])
    assert.equal("a2b2", a.both())
    assert.equal("a2b2", palfrey.inGame "return require 'circle_b'.both()")
  end)

  it("that need each other's new functions while they run find them", function()
    save("need_b.lua", "return { one = function() return 1 end }",
      "need_a.lua", "local b = require 'need_b' return { value = b.one() }")
    local a = palfrey.inGame "return require 'need_a'"
    -- need_a.lua is told first, but what it needs comes with need_b.lua.
    save("need_a.lua", "local b = require 'need_b' return { value = b.two() }",
      "need_b.lua", "return { two = function() return 2 end }")
    assert.equal(2, a.value)
  end)

  it("whose file is deleted go on, and are taken again when it is back", function()
    local m, change, name = module "return { f = function() return 1 end }"
    local path = folder .. "/" .. name .. ".lua"
    has(support.deleteWatched(path), name .. ".lua: the file is gone; its code goes on")
    assert.equal(1, m.f())
    change "return { f = function() return 2 end }"
    assert.equal(2, m.f())
  end)

  it("run by dofile or loaded by loadfile are replaced, too", function()
    save("extra.lua", "return { f = function() return 1 end }")
    local made = palfrey.inGame "made = dofile 'extra.lua' return made"
    local chunk = palfrey.inGame "chunk = loadfile 'extra.lua' return chunk"
    assert.equal(1, made.f() * chunk().f())
    save("extra.lua", "return { f = function() return 2 end }")
    assert.equal(2, made.f())
    assert.equal(2, palfrey.inGame "return chunk().f()")
  end)
end)

describe("a file that fails", function()
  it("to compile changes nothing and says where", function()
    local m, change, name = module "local M = {} function M.f() return 1 end return M"
    change "local M = {\nfunction M.f( return 2"
    has(message(), name .. ".lua:2:")
    assert.equal(1, m.f())
    change "local M = {} function M.f() return 3 end return M"
    assert.equal(3, m.f())
  end)

  it("while it runs leaves globals, tables, variables and functions as they were", function()
    local other = module [[local hidden = 1
      return { list = {}, set = function(v) hidden = v end, get = function() return hidden end }]]
    palfrey.inGame("other = ... counter = 7", other)
    local m, change, name = module "local M = { n = 1 } function M.f() return 1 end return M"
    m.state = "kept"
    change [[local M = { n = 2 } function M.f() return 2 end
      counter = 8
      added = true
      other.list[1] = "x"
      other.set(2)
      palfrey.update = function() error "never" end
      setmetatable(other, { __index = function() return "wrong" end })
      error "on purpose"]]
    has(message(), name .. ".lua:8: on purpose")
    has(message(), "Calls it had made into the engine are not undone")
    assert.equal(1, m.f())
    assert.same({ n = 1, f = m.f, state = "kept" }, m)
    assert.same({ 7, nil, 1 }, { palfrey.inGame "return counter, added, other.get()" })
    assert.same({}, other.list)
    assert.is_nil(other.missing)
    assert.is_nil(rawget(palfrey, "update"))
    testing.step(2)
    change "local M = { n = 3 } function M.f() return 3 end return M"
    assert.same({ 3, 3, "kept" }, { m.n, m.f(), m.state })
  end)

  it("with an error that is no text, or in a coroutine, says so", function()
    local m, change, name = module "return { 1 }"
    change "error({})"
    has(message(), "table")
    change "coroutine.wrap(function() local x = nil; x() end)()"
    has(message(), name .. ".lua:1:")
    change "return { 2 }"
    assert.same({ 2 }, m)
  end)

  it("keeps its message while others are saved, and is tried again with them", function()
    local m, change, name = module "return { 1 }"
    local _, changeOther, other = module "return {}"
    change(("return { require(%q).value() }"):format(other))
    has(message(), name .. ".lua:1:")
    assert.same({ 1 }, m)
    changeOther "return { value = function() return 5 end }"
    assert.same({ 5 }, m)
  end)

  it("after a module of its own was loaded for the first time forgets that module", function()
    local m, change, name = module "return { 1 }"
    save("first_time.lua", "loads = (loads or 0) + 1 return { loads }")
    change "require 'first_time' error 'later'"
    has(message(), name .. ".lua:1: later")
    assert.is_nil(palfrey.inGame "return package.loaded.first_time or loads")
    change "return { require 'first_time'[1] }"
    assert.same({ 1 }, m)
  end)
end)

describe("worlds", function()
  it("made at the top of a file stay", function()
    local text = [[local world = palfrey.newWorld {} local node = world:addGroup { name = "here" }
      return { world = function() return world, node end, n = %d }]]
    local m, change = module(text:format(1))
    local world, node = m.world()
    change(text:format(2))
    local again, nodeAgain = m.world()
    assert.equal(world, again)
    assert.equal(node, nodeAgain)
    assert.is_true(node:isAlive())
    assert.equal(2, m.n)
    assert.equal(1, #world:findAll "here")
  end)
end)

describe("conf.lua", function()
  it("says what needs a restart", function()
    local before = palfrey.files.read "conf.lua"
    save("conf.lua", before .. "local conf = palfrey.conf\n" ..
      "function palfrey.conf(t) conf(t) t.width = 123 t.title = 'new' t.limits.npcs = 5 end")
    has(message(), "conf.lua: what is new in it (title, width, limits.npcs) needs a restart of the game")
    save("conf.lua", "function palfrey.conf(t) t.widht = 123 end")
    has(message(), "did you mean 'width'?")
    save("conf.lua", before)
  end)
end)

describe("odd files", function()
  it("with a byte order mark, a first line for the shell, or nothing in them", function()
    local m, change = module "\xef\xbb\xbf#!/usr/bin/env lua\nreturn { 1 }"
    change "\xef\xbb\xbf#!/usr/bin/env lua\nreturn { 2 }"
    assert.same({ 2 }, m)
    change "#\nreturn { 3 }"
    assert.same({ 3 }, m)
  end)

  it("saved without a change are not run again", function()
    palfrey.inGame "runs = 0"
    local _, change = module "runs = runs + 1 return {}"
    change "runs = runs + 1 return {}"
    assert.equal(1, palfrey.inGame "return runs")
  end)

  it("may be long and deep", function()
    local parts = { "local M = {}" }
    for i = 1, 500 do
      parts[#parts + 1] = ("function M.f%d() return function() return %d + %%d end end"):format(i, i)
    end
    parts[#parts + 1] = "return M"
    local text = table.concat(parts, "\n")
    local m, change = module((text:gsub("%%d", "0")))
    local inner = m.f400()
    palfrey.inGame("inner = ...", inner)
    change((text:gsub("%%d", "1000")))
    assert.same({ 1007, 1400 }, { m.f7()(), palfrey.inGame "return inner()" })
  end)
end)
