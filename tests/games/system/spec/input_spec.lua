local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local near, raises = support.near, support.raises
local input, testing = palfrey.input, palfrey.testing

-- The steps, of some, in which a question is answered with yes.
local function stepsWith(count, question)
  local steps = {}
  for i = 1, count do
    testing.step()
    if question() then steps[#steps + 1] = i end
  end
  return steps
end

describe("input", function()
  before_each(function()
    for _, key in ipairs { "space", "w", "a", "left shift", "mouse1", "mouse2", "pad:a", "pad:leftx", "pad:lefty" } do
      testing.release(key)
    end
    testing.step(2)
    palfrey.takeCalls()
  end)

  -- Calls of the game's callbacks since the last time, without update.
  local function calls()
    local kept = {}
    for _, call in ipairs(palfrey.takeCalls()) do
      if call[1] ~= "update" then kept[#kept + 1] = call end
    end
    return kept
  end

  it("of a key is down from the next step on until it is released", function()
    testing.press "space"
    assert.is_false(input.isDown "space")
    testing.step()
    assert.is_true(input.isDown "space")
    testing.step(5)
    assert.is_true(input.isDown "space")
    testing.release "space"
    assert.is_true(input.isDown "space")
    testing.step()
    assert.is_false(input.isDown "space")
  end)

  it("wasPressed and wasReleased are true in exactly one step", function()
    testing.press "w"
    assert.same({ 1 }, stepsWith(4, function() return input.wasPressed "w" end))
    testing.release "w"
    assert.same({ 1 }, stepsWith(4, function() return input.wasReleased "w" end))
  end)

  it("of a press shorter than a step is seen as pressed and released", function()
    testing.press "a"
    testing.release "a"
    testing.step()
    assert.is_true(input.wasPressed "a" and input.wasReleased "a")
    assert.is_false(input.isDown "a")
    testing.step()
    assert.is_false(input.wasPressed "a" or input.wasReleased "a")
  end)

  it("of a key pressed twice is one press", function()
    testing.press "a"
    testing.step()
    testing.press "a"
    testing.step()
    assert.is_false(input.wasPressed "a")
    assert.is_true(input.isDown "a")
  end)

  it("calls the game, before update, in the order of what happened", function()
    testing.press "left shift"
    testing.press "mouse2"
    testing.release "mouse2"
    testing.press "pad:a"
    testing.release "pad:a"
    testing.release "left shift"
    testing.step()
    local names = {}
    for _, call in ipairs(palfrey.takeCalls()) do names[#names + 1] = call[1] end
    assert.equal("keypressed mousepressed mousereleased gamepadpressed gamepadreleased keyreleased update",
      table.concat(names, " "))
  end)

  it("tells callbacks what it was", function()
    testing.press "space"
    testing.press "mouse1"
    testing.press "pad:lefty+"
    testing.step()
    local told = calls()
    assert.same({ "keypressed", "space", false }, told[1])
    assert.equal("mousepressed", told[2][1])
    assert.equal(1, told[2][4])
    assert.same({ "gamepadaxis", 1, "pad:lefty", 1 }, told[3])
  end)

  it("bound to an action is down while any of its keys is", function()
    input.bind { fire = { "space", "mouse1", "pad:a" } }
    testing.press "space"
    testing.step()
    assert.is_true(input.isDown "fire" and input.wasPressed "fire")
    testing.press "mouse1"
    testing.step()
    assert.is_true(input.isDown "fire")
    assert.is_false(input.wasPressed "fire")
    testing.release "space"
    testing.step()
    assert.is_true(input.isDown "fire")
    assert.is_false(input.wasReleased "fire")
    testing.release "mouse1"
    testing.step()
    assert.is_false(input.isDown "fire")
    assert.is_true(input.wasReleased "fire")
    testing.press "pad:a"
    assert.same({ 1 }, stepsWith(3, function() return input.wasPressed "fire" end))
  end)

  it("bound again forgets the keys before", function()
    input.bind { go = "w" }
    input.bind { go = { "a" } }
    testing.press "w"
    testing.step()
    assert.is_false(input.isDown "go")
    testing.press "a"
    testing.step()
    assert.is_true(input.isDown "go")
  end)

  it("of an action comes before the key of the same name", function()
    input.bind { space = "w" }
    testing.press "space"
    testing.step()
    assert.is_false(input.isDown "space")
    testing.press "w"
    testing.step()
    assert.is_true(input.isDown "space")
    input.bind { space = "space" }
  end)

  it("of axes is a number: 1 and 0 for keys, a half axis by its side, the strongest of an action", function()
    input.bind { forward = { "w", "pad:lefty-" }, side = "pad:leftx" }
    near(0, input.getAxis "forward")
    testing.press "w"
    testing.step()
    near(1, input.getAxis "forward")
    testing.release "w"
    testing.press "pad:lefty-"
    testing.step()
    near(1, input.getAxis "forward")
    near(-1, input.getAxis "pad:lefty")
    near(1, input.getAxis "pad:lefty-")
    near(0, input.getAxis "pad:lefty+")
    assert.is_true(input.isDown "forward")
    testing.release "pad:lefty-"
    testing.press "pad:leftx-"
    testing.step()
    near(0, input.getAxis "forward")
    near(-1, input.getAxis "side")
    testing.press "pad:leftx+"
    testing.step()
    near(1, input.getAxis "side")
  end)

  it("of half an axis is pressed and released once, as an action and by its own name", function()
    input.bind { back = "pad:lefty+", forward = "pad:lefty-" }
    testing.press "pad:lefty+"
    testing.step()
    assert.is_true(input.wasPressed "back" and input.wasPressed "pad:lefty+")
    assert.is_false(input.wasPressed "forward" or input.wasPressed "pad:lefty-")
    testing.step()
    assert.is_false(input.wasPressed "back" or input.wasPressed "pad:lefty+")
    testing.press "pad:lefty-"
    testing.step()
    assert.is_true(input.wasReleased "back" and input.wasReleased "pad:lefty+")
    assert.is_true(input.wasPressed "forward" and input.wasPressed "pad:lefty-")
    testing.release "pad:lefty-"
    testing.step()
    assert.is_true(input.wasReleased "forward" and input.wasReleased "pad:lefty-")
    assert.is_false(input.wasReleased "back" or input.wasReleased "pad:lefty+")
  end)

  it("of the mouse adds up its ways in a step", function()
    local x0, y0 = input.getMouse()
    testing.moveMouse(3, -4)
    testing.step()
    local x, y, dx, dy = input.getMouse()
    near({ x0 + 3, y0 - 4, 3, -4 }, x, y, dx, dy)
    testing.step()
    near({ x0 + 3, y0 - 4, 0, 0 }, input.getMouse())
    testing.moveMouse(1, 0)
    testing.moveMouse(10, 5)
    testing.step()
    x, y, dx, dy = input.getMouse()
    near({ x0 + 14, y0 + 1, 11, 5 }, x, y, dx, dy)
    local moves = {}
    for _, call in ipairs(calls()) do
      if call[1] == "mousemoved" then moves[#moves + 1] = call end
    end
    assert.equal(3, #moves)
  end)

  it("of a mouse button tells where the mouse is", function()
    testing.moveMouse(20, 30)
    testing.press "mouse1"
    testing.release "mouse1"
    testing.step()
    local x, y = input.getMouse()
    local told = calls()
    assert.same({ "mousepressed", x, y, 1 }, told[2])
    assert.same({ "mousereleased", x, y, 1 }, told[3])
  end)

  it("can capture the mouse where there is none", function()
    input.setMouseCaptured(true)
    input.setMouseCaptured(false)
  end)

  it("knows keys by SDL's names in lower case, and refuses others", function()
    for _, key in ipairs { "a", "0", "f12", "escape", "return", "left ctrl", "up", "keypad 5", ";", "mouse3",
                           "pad:start", "pad:righttrigger", "pad:rightx-" } do
      assert.is_false(input.isDown(key))
    end
    for _, key in ipairs { "A", "Space", "spcae", "", "mouse0", "pad:", "pad:z", "pad:A",
                           "left  shift", "pad:leftx*", "Mouse1" } do
      assert.match("neither an action nor a key", raises(function() input.isDown(key) end))
      assert.match("neither", raises(function() input.wasPressed(key) end))
      assert.match("neither", raises(function() input.wasReleased(key) end))
      assert.match("neither", raises(function() input.getAxis(key) end))
      assert.match("no key", raises(function() testing.press(key) end))
      assert.match("no key", raises(function() testing.release(key) end))
      assert.match("no key", raises(function() input.bind { x = { key } } end))
    end
  end)

  it("is bound by a table of names and keys", function()
    assert.match("table expected", raises(function() input.bind "fire" end))
    assert.match("named by a string", raises(function() input.bind { "space" } end))
    assert.match("'fire': a list of 1 to 16 keys", raises(function() input.bind { fire = {} } end))
    assert.match("a key is a string", raises(function() input.bind { fire = { 5 } } end))
    assert.match("a list of 1 to 16", raises(function() input.bind { fire = true } end))
    local many = {}
    for i = 1, 17 do many[i] = "a" end
    assert.match("1 to 16", raises(function() input.bind { fire = many } end))
    many[17] = nil
    input.bind { fire = many }
    assert.match("name of 1 to", raises(function() input.bind { [("x"):rep(200)] = "a" } end))
    assert.match("boolean expected", raises(function() input.setMouseCaptured(1) end))
  end)
end)
