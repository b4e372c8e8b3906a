-- Who stands still does so only as long as there is something to stand on; who is dead wants nothing any more.
local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"

describe("a body at rest", function()
  it("falls when its ground goes", function()
    local world = support.world()
    local shelf = assert(world:addModel { model = "assets/floor.obj", position = { 0, 3, 0 }, scale = 0.1,
                                          collide = "mesh" })
    local npc = assert(world:addNPC { model = "assets/man.md2", position = { 0, 3, 0 } })
    npc:walkTo(0.3, 3, 0)
    palfrey.testing.step(120)
    support.within(0.05, 3, (select(2, npc:getPosition())))
    shelf:remove()
    palfrey.testing.step(120)
    support.within(0.05, 0, (select(2, npc:getPosition())))
  end)
end)

describe("the dead", function()
  it("take no goals", function()
    local world = support.world()
    local npc = assert(world:addNPC { model = "assets/man.md2" })
    npc:damage(1000)
    npc:walkTo(5, 0, 5)
    assert.equal("idle", (npc:getGoal()))
    npc:setHealth(10)
    palfrey.testing.step(30)
    support.near({ 0, 0, 0 }, npc:getPosition())
  end)
end)

describe("below a turned parent", function()
  it("a player walks where it looks", function()
    local world = support.world()
    local parent = world:addGroup { heading = 90 }
    local player = world:addPlayer { parent = parent, speed = 3 }
    palfrey.testing.step(2)
    for _ = 1, 60 do
      player:move(1, 0)
      palfrey.testing.step(1)
    end
    support.within(0.05, { -3, 0, 0 }, player:getWorldPosition())
  end)
end)
