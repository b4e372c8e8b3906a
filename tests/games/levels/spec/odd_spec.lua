-- Odd level files and odd callbacks: data that does not end, cameras that follow what hangs on them, drawing that makes
-- worlds.
local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"

describe("a level file", function()
  it("that never ends is stopped", function()
    local world = support.world()
    assert(palfrey.files.write("endless.lua", "while true do end"))
    local nodes, message = world:load "endless.lua"
    assert.is_nil(nodes)
    assert.truthy(message:find("endless.lua", 1, true) and message:find("too long", 1, true))
    palfrey.files.remove "endless.lua"
  end)

  it("may hold a camera that follows what hangs on it", function()
    local world = support.world()
    local camera = world:addCamera { name = "Eye" }
    camera:setFollow(world:addGroup { name = "Hand", parent = camera })
    assert(world:save "eye.lua")
    local other = palfrey.newWorld {}
    local nodes = assert(other:load "eye.lua")
    assert.equal(nodes.Eye, nodes.Hand:getParent())
    assert(other:save "eye2.lua")
    assert.equal(palfrey.files.read "eye.lua", palfrey.files.read "eye2.lua")
    palfrey.files.remove "eye.lua"
    palfrey.files.remove "eye2.lua"
  end)
end)

describe("palfrey.draw", function()
  it("cannot make a world, for it shows one", function()
    local good, message
    palfrey.draw = function() good, message = pcall(palfrey.newWorld) end
    palfrey.testing.step(1)
    palfrey.draw = nil
    assert.is_false(good)
    assert.truthy(message:find("newWorld", 1, true))
  end)

  it("can be a table that is called", function()
    local calls = 0
    palfrey.draw = setmetatable({}, { __call = function() calls = calls + 1 end })
    palfrey.testing.step(2)
    palfrey.draw = nil
    assert.equal(2, calls)
  end)
end)
