local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local near, within = support.near, support.within

describe("a rider", function()
  local world, horse, rider
  before_each(function()
    world = support.world()
    horse = assert(world:addNPC { name = "horse", model = "assets/man.md2", speed = 4 })
    rider = assert(world:addNPC { name = "rider", model = "assets/man.md2", parent = horse, position = { 0, 2, 0 } })
    palfrey.testing.step()
    horse:walkTo(0, 0, -8)
    palfrey.testing.step(240)
  end)

  it("goes with the NPC it is below, body and all", function()
    near({ 0, 2, 0 }, rider:getPosition())
    local x, y, z = rider:getWorldPosition()
    within(0.05, { 0, 2, -8 }, x, y, z)
    local hit = world:raycast { from = { 0, 3, 5 }, direction = { 0, 0, -1 } }
    assert.equal(rider, hit.node)
    hit = world:sweep { from = { 0, 3, 5 }, to = { 0, 3, -20 }, radius = 0.1 }
    within(0.1, 12.4, hit.distance)
    assert.equal(rider, hit.node)
  end)

  it("may sit low: neither pushes the other", function()
    rider:setPosition(0, 1, 0)
    horse:walkTo(5, 0, -8)
    palfrey.testing.step(200)
    within(0.05, { 5, 0, -8 }, horse:getPosition())
    near({ 0, 1, 0 }, rider:getPosition())
  end)

  it("gets off where it is", function()
    rider:setParent(nil)
    rider:walkTo(5, 0, -8)
    palfrey.testing.step(2)
    local x, y, z = rider:getWorldPosition()
    within(0.2, { 0, 2, -8 }, x, y, z)
    palfrey.testing.step(300)
    x, y, z = rider:getWorldPosition()
    within(0.1, { 5, 0, -8 }, x, y, z)
  end)

  it("that is removed leaves its horse; that goes with its horse", function()
    rider:remove()
    assert.is_true(horse:isAlive())
    palfrey.testing.step()
    local second = assert(world:addNPC { model = "assets/man.md2", parent = horse, position = { 0, 2, 0 } })
    horse:remove()
    assert.is_false(second:isAlive())
    palfrey.testing.step()
    assert.is_nil(world:sweep { from = { 0, 3, 5 }, to = { 0, 3, -20 }, radius = 0.1 })
  end)
end)

describe("a player on a lift that is its parent", function()
  local world, lift, player
  before_each(function()
    world = support.world()
    lift = support.block(world, { 0, -0.5, 0 }, { 4, 1, 4 })
    local holder = world:addGroup()
    lift:setParent(holder)
    player = world:addPlayer { parent = holder }
    lift = holder
    palfrey.testing.step(2)
  end)

  it("goes up and along, stands on it, and can jump and walk", function()
    local height = 0
    local function raise() -- before each step
      height = height + 0.02
      lift:setPosition(height, height, 0)
    end
    support.steps(60, raise)
    near({ 0, 0, 0 }, player:getPosition())
    local x, y = player:getWorldPosition()
    within(0.01, { height, height }, x, y)
    assert.is_true(player:isOnGround())
    player:jump()
    support.steps(15, raise)
    assert.is_true(select(2, player:getPosition()) > 0.4)
    support.steps(60, raise)
    within(0.05, 0, (select(2, player:getPosition())))
    support.steps(15, function()
      raise()
      player:move(1, 0)
    end)
    within(0.05, -1, (select(3, player:getPosition())))
  end)
end)
