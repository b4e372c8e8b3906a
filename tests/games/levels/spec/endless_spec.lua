-- Level files are data: code in them that does not end is stopped, and told with the file's name.
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
