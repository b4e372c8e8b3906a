-- The screen that comes up when a script fails, on which the game stands until a file is saved.
local palfrey = require "palfrey"
local testing = palfrey.testing

local MAIN = [[
local palfrey = require "palfrey"

function palfrey.inGame(code, ...) return assert(load(code, "=game"))(...) end

local function helper(x)
  return x.field
end

function palfrey.update()
  palfrey.ticks = (palfrey.ticks or 0) + 1
  %s
end
]]

local function save(body, path)
  testing.writeSource(path or "main.lua", body)
  testing.step(1)
end

local function good() save(MAIN:format "") end

local function has(part)
  local text = testing.getErrorScreen() or "nothing"
  assert(text:find(part, 1, true), ("%q expected in: %s"):format(part, text))
end

describe("the error screen", function()
  before_each(good)
  after_each(good)

  it("shows the message and the game's own functions", function()
    save(MAIN:format "helper(nil)")
    has "main.lua:6: attempt to index a nil value (local 'x')"
    has "stack traceback:"
    has "main.lua:6: in "
    has "main.lua:11: in "
    assert.is_nil(testing.getErrorScreen():find("[C]", 1, true))
    assert.is_nil(testing.getErrorScreen():find("scripts/lib", 1, true))
  end)

  it("lets the game stand still until it is repaired", function()
    save(MAIN:format "error 'stop'")
    local ticks, step = palfrey.ticks, palfrey.getStep()
    testing.step(5)
    assert.equal(ticks, palfrey.ticks)
    assert.equal(step, palfrey.getStep())
    good()
    assert.is_nil(testing.getErrorScreen())
    testing.step(2)
    assert.is_true(palfrey.ticks > ticks)
    assert.is_true(palfrey.getStep() > step)
  end)

  it("goes over to the message of a file that cannot be loaded, and back", function()
    save(MAIN:format "error 'first'")
    has "first"
    save "function ("
    has "main.lua:1:"
    assert.is_nil(testing.getErrorScreen():find "first")
    save(MAIN:format "error 'second'")
    has "second"
  end)

  it("shows what a coroutine was doing", function()
    save(MAIN:format "coroutine.wrap(function() helper(nil) end)()")
    has "in a coroutine:"
    has "main.lua:6: in "
    save(MAIN:format "local ok, m = coroutine.resume(coroutine.create(helper)) error(m)")
    has "in a coroutine:"
  end)

  it("names the call that had returned nil", function()
    save(MAIN:format [[local world = palfrey.newWorld {}
  local model = world:addModel { model = "assets/nam.md2" }
  model:setPosition(1, 2, 3)]])
    has "main.lua:12: addModel returned nil: assets/nam.md2: there is no such file"
    save(MAIN:format [[local world = palfrey.newWorld {}
  local dragon = world:find "Dragon"
  local other = palfrey.files.read "none.txt"
  dragon:remove()]])
    has 'main.lua:12: find returned nil: no node is called "Dragon"'
    save(MAIN:format [[local world = palfrey.newWorld {}
  local cam = world:find "Camera"
  world:setCamera(cam)]])
    has 'main.lua:12: find returned nil: no node is called "Camera"'
  end)

  it("survives errors that are no text, bad UTF-8 and long ones", function()
    save(MAIN:format "error {}")
    has "table"
    save(MAIN:format [[error("\xff\xfe\x80 \0 after " .. ("long "):rep(5000))]])
    testing.step(2)
    has "\xff\xfe\x80"
    save(MAIN:format "error(setmetatable({}, { __tostring = function() error 'again' end }))")
    has "an error that is a table"
    save(MAIN:format "error(nil)")
    has "nil"
  end)

  it("comes up for errors while drawing, in handlers and in input", function()
    save(MAIN:format "" .. "function palfrey.draw() error 'in draw' end")
    has "in draw"
    good()
    save(MAIN:format "" .. "function palfrey.keypressed(key) error('key ' .. key) end")
    assert.is_nil(testing.getErrorScreen())
    testing.press "k"
    testing.step(1)
    has "key k"
    testing.release "k"
    testing.step(1)
    has "key k"
  end)

  it("is drawn over the last picture", function()
    save(MAIN:format "" ..
      "function palfrey.draw() palfrey.hud.rectangle(0, 0, 9999, 9999, { color = { 0, 1, 0 } }) end")
    testing.step(1)
    local w, h = palfrey.screen.getSize()
    local _, green = palfrey.screen.getPixel(w - 5, h // 2)
    assert.is_true(green > 250)
    save(MAIN:format "error 'on top'")
    local r, g, b = palfrey.screen.getPixel(w - 5, h // 2)
    assert.is_true(g > 30 and g < 100 and g > r + 15 and g > b + 10, ("%d %d %d"):format(r, g, b))
    -- With the context goes what was behind; the text stays, for those too who look before the next picture.
    local errors = testing.getGpuCounts().errors
    testing.step(1)
    testing.loseContext()
    _, g = palfrey.screen.getPixel(w - 5, h // 2)
    assert.is_true(g < 30)
    testing.step(2)
    has "on top"
    _, g = palfrey.screen.getPixel(w - 5, h // 2)
    assert.is_true(g < 30)
    assert.equal(errors, testing.getGpuCounts().errors)
  end)

  it("stops a callback that does not come back", function()
    save(MAIN:format "while true do pcall(function() while true do end end) end")
    has "took longer than 1 s, which is limits.seconds in conf.lua"
    has "main.lua:11: in "
  end)
end)

describe("a file that cannot be loaded", function()
  it("shows its message over the running game", function()
    good()
    palfrey.newWorld { background = { 0, 0, 1 } }
    testing.step(1)
    local before = { palfrey.screen.getPixel(3, 3) }
    save "function ("
    local ticks = palfrey.ticks
    testing.step(2)
    assert.equal(ticks + 2, palfrey.ticks)
    assert.are_not.same(before, { palfrey.screen.getPixel(3, 3) })
    good()
    testing.step(1)
    assert.same(before, { palfrey.screen.getPixel(3, 3) })
  end)
end)
