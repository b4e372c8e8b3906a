-- Models whose file has several parts: they are scaled, lifted and turned as a whole.
local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"

local CUBE = "assets/cube.obj"   -- sides of 1 m around its origin

describe("a model of parts", function()
  it("stands on its origin when it is made tall", function()
    local world = support.world()
    local npc = assert(world:addNPC { model = CUBE, position = { 3, 0, 4 }, tall = 1 })
    palfrey.testing.step(2)
    support.near({ 2.5, 0, 3.5, 3.5, 1, 4.5 }, npc:getBounds())
    local hit = assert(world:raycast { from = { 3, 0.9, 9 }, direction = { 0, 0, -1 } })
    assert.equal(npc, hit.node)
    support.near(4.5, hit.distance)
  end)

  it("is turned to its front", function()
    local world = support.world()
    assert(world:addNPC { name = "Plain", model = CUBE, position = { 0, 1, 0 } })
    assert(world:addNPC { name = "Turned", model = CUBE, position = { 9, 1, 0 }, forward = "+x" })
    palfrey.testing.step(2)
    -- The side towards +X of the one is the side towards -Z of the other.
    local side = assert(world:raycast { from = { 4, 1.1, 0.2 }, direction = { -1, 0, 0 } })
    local front = assert(world:raycast { from = { 9.2, 1.1, -4 }, direction = { 0, 0, 1 } })
    assert.same({ "Plain", "Turned" }, { side.name, front.name })
    assert.equal(side.triangle // 2, front.triangle // 2)
  end)
end)

describe("a camera made just now", function()
  it("answers from its place", function()
    local world = support.world()
    local camera = world:addCamera { position = { 0, 5, 9 }, target = { 0, 5, 0 } }
    local w, h = palfrey.screen.getSize()
    local x, y, z, dx, dy, dz = camera:toRay(w / 2, h / 2)
    support.near({ 0, 5, 9 }, x, y, z)
    support.near({ 0, 0, -1 }, dx, dy, dz)
  end)
end)
