-- Plays the game by machine: steps run when they are asked for, and keys are pressed by name.
local palfrey = require "palfrey"
local step, press, release = palfrey.testing.step, palfrey.testing.press, palfrey.testing.release

-- Starts anew and returns the world that the game makes.
local function start()
  local world
  local newWorld = palfrey.newWorld
  function palfrey.newWorld(options)
    world = newWorld(options)
    return world
  end
  palfrey.load {}
  palfrey.newWorld = newWorld
  step()
  return world
end

local function distance(a, b)
  local ax, _, az = a:getPosition()
  local bx, _, bz = b:getPosition()
  return math.sqrt((ax - bx) ^ 2 + (az - bz) ^ 2)
end

-- Sets one node down beside another.
local function bring(node, to)
  local x, y, z = to:getPosition()
  node:setPosition(x + 1, y + 0.5, z)
end

describe("the game", function()
  local world, duck
  before_each(function()
    world = start()
    duck = world:find "Duck"
  end)

  it("starts with a duck on the ground and five ducklings", function()
    step(30)
    assert.is_true(duck:isOnGround())
    for i = 1, 5 do assert.equal("peck", world:find("Duckling " .. i):getClip()) end
  end)

  it("walks while a key is held, and waddles then", function()
    local _, _, before = duck:getPosition()
    press "w"
    step(60)
    assert.equal("run", duck:getClip())
    release "w"
    step(20)
    local _, _, after = duck:getPosition()
    assert.is_true(before - after > 2)
    assert.equal("stand", duck:getClip())
  end)

  it("cannot leave the meadow", function()
    press "s"
    step(420)
    release "s"
    local x, _, z = duck:getPosition()
    assert.is_true(math.sqrt(x * x + z * z) < 20)
  end)

  it("has ducklings that follow who finds them", function()
    local duckling = world:find "Duckling 1"
    bring(duck, duckling)
    step(2)
    assert.equal("follow", duckling:getGoal())
    local messages = palfrey.hud.getMessages()
    assert.equal("Duckling 1 follows you", messages[#messages])
    duck:setPosition(0, 0.5, 7)
    step(240)
    assert.is_true(distance(duckling, duck) < 2)
  end)

  it("is won when all are in the nest", function()
    local nest = world:find "Nest"
    for i = 1, 5 do
      bring(duck, world:find("Duckling " .. i))
      step(2)
    end
    local x, y, z = nest:getCenter()
    duck:setPosition(x + 1.8, y + 0.3, z)
    step(480)
    for i = 1, 5 do
      local duckling = world:find("Duckling " .. i)
      local px, _, pz = duckling:getPosition()
      assert.is_true(math.sqrt((px - x) ^ 2 + (pz - z) ^ 2) < 1.5, duckling:getName() .. " is not home")
      assert.equal("flap", duckling:getClip())
    end
  end)
end)
