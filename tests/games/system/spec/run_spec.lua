local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local raises = support.raises

describe("time", function()
  it("is counted in steps of the length in conf.lua", function()
    local step, time = palfrey.getStep(), palfrey.getTime()
    palfrey.testing.step(50)
    assert.equal(step + 50, palfrey.getStep())
    support.near(time + 1, palfrey.getTime())
    assert.equal("integer", math.type(palfrey.getStep()))
  end)

  it("of a step is what update gets, once a step", function()
    palfrey.takeCalls()
    palfrey.testing.step(3)
    local calls = palfrey.takeCalls()
    assert.equal(3, #calls)
    for _, call in ipairs(calls) do
      assert.equal("update", call[1])
      support.within(1e-6, 0.02, call[2])
    end
  end)

  it("was 0 in load, which got the list of arguments", function()
    assert.same({ "table", 0, 0, 0 }, palfrey.loaded)
  end)

  it("goes by steps that can be 0, but not fewer", function()
    local step = palfrey.getStep()
    palfrey.testing.step(0)
    assert.equal(step, palfrey.getStep())
    assert.match("from 0 on", raises(function() palfrey.testing.step(-1) end))
    assert.match("number", raises(function() palfrey.testing.step "x" end))
  end)

  it("is not stepped from inside a callback", function()
    local update, message = palfrey.update, nil
    function palfrey.update() message = select(2, pcall(palfrey.testing.step)) end
    palfrey.testing.step()
    palfrey.update = update
    assert.match("not from inside a callback", message)
  end)

  it("can be stepped from a coroutine", function()
    local step = palfrey.getStep()
    coroutine.wrap(function() palfrey.testing.step(2) end)()
    assert.equal(step + 2, palfrey.getStep())
  end)

  it("stands still at errors of the game, with message and place, until they are dismissed", function()
    local update = palfrey.update
    local object = setmetatable({}, { __tostring = function() return "told" end })
    for _, value in ipairs { "text", "two\nlines", 5, object } do
      function palfrey.update() error(value) end
      local message = support.failedStep()
      assert.match(tostring(value), message, 1, true)
      assert.match("run_spec.lua", message, 1, true)
    end
    function palfrey.update() error() end
    assert.match("nil", support.failedStep())
    palfrey.update = update
    palfrey.testing.step()
    assert.is_nil(palfrey.testing.getErrorScreen())
  end)

  it("is not stopped by quit in a spec; the callback can say no", function()
    assert.match("0 to 255", raises(function() palfrey.quit(256) end))
    assert.match("0 to 255", raises(function() palfrey.quit(-1) end))
    assert.match("number", raises(function() palfrey.quit "now" end))
  end)

  it("of the runtime: version, package", function()
    assert.match("^%d+%.%d+%.%d+", palfrey.getVersion())
    assert.is_false(palfrey.isPackaged())
  end)
end)

describe("the hash of the state", function()
  -- A scripted game of everything that moves; the same script must come to the same state.
  local function play(change)
    local world = support.world()
    local player = world:addPlayer { position = { 0, 1, 5 } }
    local npcs = {}
    for i = 1, 8 do
      npcs[i] = assert(world:addNPC { name = "n" .. i, model = "assets/man.md2", position = { i - 4, 0, -i },
                                      animation = "run" })
      npcs[i]:walkTo(4 - i, 0, i)
    end
    npcs[1]:follow(player)
    npcs[2]:flee(player)
    world:on("arrived", function(event) event.node:walkTo(0, 0, 0) end)
    world:on("death", function(event) event.node:remove() end)
    local hashes = {}
    support.steps(150, function(i)
      player:move(math.sin(i / 10), math.cos(i / 7))
      player:look(math.sin(i) * 10, 0)
      if i % 20 == 0 then player:jump() end
      if i % 10 == 0 then player:shoot { damage = 60, spread = 10 } end
      if i == 100 and change then change(world, player, npcs) end
      hashes[#hashes + 1] = palfrey.testing.getStateHash()
    end)
    return hashes
  end

  it("is 16 digits, and changes from step to step", function()
    local hashes = play()
    for _, hash in ipairs(hashes) do assert.match("^%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x$", hash) end
    assert.not_equal(hashes[1], hashes[2])
  end)

  it("is the same in the same game, step by step", function()
    assert.same(play(), play())
  end)

  it("differs from the step on in which something differs", function()
    local first = play()
    for _, change in ipairs {
      function(_, player) player:look(0.01, 0) end,
      function(_, player) player:damage(1) end,
      function(_, _, npcs) npcs[8]:setPosition(9, 0, 9) end,
      function(world) world:addGroup() end,
      function(_, _, npcs) npcs[7]:play("stand") end,
      function(_, _, npcs) npcs[7]:setName "other" end,
      function(_, _, npcs) npcs[7]:setVisible(false) end,
      function(_, _, npcs) npcs[6]:remove() end,
    } do
      local second = play(change)
      assert.equal(first[99], second[99])
      assert.not_equal(first[120], second[120])
    end
  end)

  it("is not changed by looking", function()
    local first = play()
    local second = play(function(world, player, npcs)
      world:raycast { from = { 0, 1, 0 }, direction = { 0, 0, -1 }, all = true }
      world:sweep { from = { 0, 1, 0 }, to = { 0, 1, -9 } }
      world:overlap { position = { 0, 0, 0 } }
      world:find "n3"
      npcs[4]:getBounds()
      player:getData().x = 1
      palfrey.screen.getPixel(0, 0)
      palfrey.hud.message "hello"
      world:save "looked.lua"
      for _ in world:each() do collectgarbage() end
    end)
    assert.same(first, second)
  end)
end)

describe("preload", function()
  it("is done when it returns, headless, and tells what went wrong", function()
    local task = palfrey.preload { "assets/man.md2", "assets/blue.png", "assets/nothing.png", "assets/none.obj",
                                   "../x.png" }
    assert.is_true(task:isDone())
    assert.equal(1, task:getProgress())
    local errors = task:getErrors()
    assert.equal(3, #errors)
    assert.match("nothing.png", table.concat(errors, " "), 1, true)
    assert.match("none.obj", table.concat(errors, " "), 1, true)
  end)

  it("of nothing is done", function()
    local task = palfrey.preload {}
    assert.is_true(task:isDone())
    assert.equal(1, task:getProgress())
    assert.same({}, task:getErrors())
  end)

  it("leaves models and pictures that work as if loaded in the ordinary way", function()
    palfrey.preload { "assets/man.md2", "assets/green.png", "assets/man.md2" }
    local world = palfrey.newWorld { ambient = { 1, 1, 1 } }
    assert(world:addNPC { model = "assets/man.md2", skin = "assets/green.png" })
  end)

  it("takes a list of strings", function()
    assert.match("table expected", raises(function() palfrey.preload "assets/man.md2" end))
    assert.match("file 2: a string expected, got number", raises(function() palfrey.preload { "a", 5 } end))
  end)

  it("can be dropped at any time", function()
    for _ = 1, 50 do palfrey.preload { "assets/man.md2", "assets/nothing.png" } end
    collectgarbage()
    palfrey.testing.step()
  end)
end)

describe("sortedPairs", function()
  local function keys(values)
    local list = {}
    for key, value in palfrey.sortedPairs(values) do
      list[#list + 1] = tostring(key)
      assert.equal(values[key], value)
    end
    return table.concat(list, " ")
  end

  it("walks numbers, then strings, then booleans, each in order", function()
    assert.equal("-1 1 1.5 2 a b c false true",
      keys { [true] = 1, [false] = 2, b = 3, a = 4, c = 5, [2] = 6, [1] = 7, [1.5] = 8, [-1] = 9 })
    assert.equal("", keys {})
  end)

  it("leaves out keys added while it walks, and can bear removal", function()
    local values, seen = { a = 1, b = 2, c = 3 }, {}
    for key in palfrey.sortedPairs(values) do
      seen[#seen + 1] = key
      values["new" .. key] = true
      values.c = nil
    end
    assert.equal("a b", table.concat(seen, " ", 1, 2))
    assert.is_true(#seen <= 3)
  end)

  it("refuses keys that have no order, and what is no table", function()
    assert.match("keys are numbers, strings or booleans; got a table",
      raises(function() palfrey.sortedPairs { [{}] = 1, [{}] = 2 } end))
    assert.match("keys are numbers", raises(function() palfrey.sortedPairs { [{}] = 1 } end))
    assert.match("table expected", raises(function() palfrey.sortedPairs(nil) end))
  end)
end)
