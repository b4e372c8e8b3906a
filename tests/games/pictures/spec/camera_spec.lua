local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local near, within, block = support.near, support.within, support.block

local WIDTH, HEIGHT = 320, 240

describe("a camera", function()
  local world
  before_each(function() world = palfrey.newWorld { ambient = { 1, 1, 1 } } end)

  local function add(options)
    local camera = world:addCamera(options)
    world:setCamera(camera)
    palfrey.testing.step()
    return camera
  end

  -- Whether what is drawn at a pixel is brighter than the black behind.
  local function isLit(x, y)
    local r, g, b = palfrey.screen.getPixel(x, y)
    return r + g + b > 300
  end

  -- The pixel at which a camera sees a point that must be in front of it.
  local function seen(camera, px, py, pz)
    local x, y, inFront = camera:toScreen(px, py, pz)
    assert.is_true(inFront)
    return x, y
  end

  it("looks along its -Z: the middle of the picture", function()
    local camera = add { position = { 1, 2, 3 } }
    near({ 1, 2, 3, 0, 0, -1 }, camera:toRay(WIDTH / 2, HEIGHT / 2))
    near({ WIDTH / 2, HEIGHT / 2 }, seen(camera, 1, 2, -50))
    camera:setHeading(90)
    palfrey.testing.step()
    near({ 1, 2, 3, -1, 0, 0 }, camera:toRay(WIDTH / 2, HEIGHT / 2))
  end)

  it("sees its fov from the top to the bottom of the picture", function()
    for _, fov in ipairs { 20, 60, 90, 140 } do
      local camera = add { fov = fov }
      near(fov, camera:getFov())
      local _, _, _, dx, dy, dz = camera:toRay(WIDTH / 2, 0)
      near(fov / 2, math.deg(math.atan(dy, -dz)))
      near(0, dx)
      _, _, _, dx, dy, dz = camera:toRay(WIDTH, HEIGHT / 2)
      near(math.tan(math.rad(fov / 2)) * WIDTH / HEIGHT, dx / -dz)
      near(0, dy)
    end
    local camera = add {}
    camera:setFov(30)
    palfrey.testing.step()
    local _, _, _, _, dy, dz = camera:toRay(0, HEIGHT)
    near(-math.tan(math.rad(15)), dy / -dz)
  end)

  it("gives rays of unit length that lead back to their pixels", function()
    for _, kind in ipairs { "perspective", "parallel" } do
      local camera = add { kind = kind, position = { 3, -2, 5 }, rotation = { 130, 1, 2, -1 }, fov = 75, size = 6 }
      for _, pixel in ipairs { { 0.5, 0.5 }, { 160, 120 }, { 319.5, 12 }, { 20, 239.5 }, { -30, 300 } } do
        local ox, oy, oz, dx, dy, dz = camera:toRay(table.unpack(pixel))
        near(1, math.sqrt(dx * dx + dy * dy + dz * dz))
        local x, y, inFront = camera:toScreen(ox + 7 * dx, oy + 7 * dy, oz + 7 * dz)
        within(0.01, pixel, x, y)
        assert.is_true(inFront)
      end
    end
  end)

  it("says what is behind it", function()
    local camera = add {}
    local _, _, inFront = camera:toScreen(0, 0, -1)
    assert.is_true(inFront)
    _, _, inFront = camera:toScreen(0, 0, 1)
    assert.is_false(inFront)
    local x, y
    x, y, inFront = camera:toScreen(0, 0, 0)
    assert.is_false(inFront)
    assert.is_true(x == x and y == y)
  end)

  for _, kind in ipairs { "perspective", "parallel" } do
    it("of kind " .. kind .. " draws where its rays meet", function()
      world:setViewMode "flat"
      block(world, { 0.4, -0.3, 0 }, { 1, 2, 1 }, { rotation = { 40, 1, 1, 0 } })
      block(world, { -1.2, 0.5, -1 }, { 0.5, 0.5, 3 }, { heading = 20 })
      local camera = add { kind = kind, size = 4, fov = 50, position = { 0.3, 0.7, 4 }, target = { 0, 0, 0 } }
      palfrey.testing.step()
      local lit, edges = 0, 0
      for y = 2, HEIGHT - 3, 5 do
        for x = 2, WIDTH - 3, 5 do
          local function meets(px, py)
            local ox, oy, oz, dx, dy, dz = camera:toRay(px, py)
            return world:raycast { from = { ox, oy, oz }, direction = { dx, dy, dz } } ~= nil
          end
          local met = meets(x + 0.5, y + 0.5)
          if met ~= isLit(x, y) then
            -- Only at an edge may rays and pixels disagree.
            edges = edges + 1
            local all = meets(x - 0.1, y - 0.1) and meets(x + 1.1, y - 0.1) and meets(x - 0.1, y + 1.1)
              and meets(x + 1.1, y + 1.1)
            assert.is_false(met and all)
          end
          if met then lit = lit + 1 end
        end
      end
      assert.is_true(lit > 100)
      assert.is_true(edges <= 4)
    end)
  end

  it("of kind parallel sees its size as the full height, near and far alike", function()
    local camera = add { kind = "parallel", size = 8 }
    local ox, oy, oz, dx, dy, dz = camera:toRay(WIDTH / 2, 0)
    near({ 0, 4, 0, 0, 0, -1 }, ox, oy, oz, dx, dy, dz)
    near({ 160 + 30, 120 }, seen(camera, 1, 0, -2))
    near({ 160 + 30, 120 }, seen(camera, 1, 0, -200))
  end)

  it("draws nothing nearer than near, nor farther than far", function()
    block(world, { 0, 0, -5 }, 1)
    add {}
    assert.is_true(isLit(160, 120))
    add { near = 6 }
    assert.is_false(isLit(160, 120))
    add { far = 4 }
    assert.is_false(isLit(160, 120))
    add { near = 4, far = 6 }
    assert.is_true(isLit(160, 120))
  end)

  it("is turned to a point once, and to a node for good", function()
    local mark = world:addGroup { position = { 3, 0, 0 } }
    local once = add { position = { 0, 0, 5 }, target = { 3, 0, 0 } }
    local ever = add { position = { 0, 0, 5 }, target = mark }
    near({ 160, 120 }, seen(once, 3, 0, 0))
    near({ 160, 120 }, seen(ever, 3, 0, 0))
    mark:setPosition(-2, 1, -4)
    once:setPosition(1, 0, 5)
    palfrey.testing.step()
    near({ 160, 120 }, seen(ever, -2, 1, -4))
    near({ 160, 120 }, seen(once, 4, 0, 0))
    mark:remove()
    ever:setPosition(0, 0, 6)
    palfrey.testing.step()
    assert.is_true(ever:isAlive())
  end)

  it("looks at the middle of what it looks at, at the eye of a character", function()
    local cube = block(world, { 0, 3, 0 }, 1)
    local camera = add { position = { 0, 0, 5 }, target = cube }
    near({ 160, 120 }, seen(camera, 0, 3, 0))
    local npc = assert(world:addNPC { model = "assets/man.md2", position = { 4, 0, 0 } })
    camera = add { position = { 0, 0, 5 }, target = npc }
    near({ 160, 120 }, seen(camera, 4, 1.8, 0))
  end)

  it("in mode first sees with the eyes of whom it follows", function()
    local player = world:addPlayer { position = { 2, 0, 0 }, height = 2 }
    local camera = add { follow = player, mode = "first" }
    near({ 2, 1.8, 0 }, camera:getWorldPosition())
    player:look(90, 0)
    palfrey.testing.step()
    near({ 2, 1.8, 0, -1, 0, 0 }, camera:toRay(160, 120))
    player:look(0, 30)
    palfrey.testing.step()
    local _, _, _, dx, dy = camera:toRay(160, 120)
    near({ -math.cos(math.rad(30)), 0.5 }, dx, dy)
  end)

  it("in mode third stays behind and looks along, at its distance", function()
    local player = world:addPlayer { height = 2 }
    local camera = add { follow = player }
    assert.equal("third", camera:getMode())
    near({ 0, 1.8, 4 }, camera:getWorldPosition())
    near({ 0, 1.8, 4, 0, 0, -1 }, camera:toRay(160, 120))
    player:look(90, -30)
    palfrey.testing.step()
    near({ 4 * math.cos(math.rad(30)), 1.8 + 2, 0 }, camera:getWorldPosition())
    local far = add { follow = player, distance = 10 }
    near({ 10 * math.cos(math.rad(30)), 1.8 + 5, 0 }, far:getWorldPosition())
  end)

  it("in mode third comes nearer where a wall is in the way", function()
    block(world, { 0, 2, 2 }, { 6, 4, 0.5 })
    local player = world:addPlayer { height = 2 }
    local camera = add { follow = player }
    palfrey.testing.step()
    local _, _, z = camera:getWorldPosition()
    assert.is_true(z > 1 and z < 1.75)
    player:setPosition(0, 0, -20)
    palfrey.testing.step(2)
    within(0.02, { 0, 1.8, -16 }, camera:getWorldPosition())
  end)

  it("in mode orbit looks from where setOrbit says, at a node or a point", function()
    local cube = block(world, { 1, 2, 3 }, 1)
    local camera = add { follow = cube, mode = "orbit", distance = 5 }
    camera:setOrbit(0, 0)
    palfrey.testing.step()
    near({ 1, 2, 8 }, camera:getWorldPosition())
    camera:setOrbit(90, 0, 3)
    palfrey.testing.step()
    near({ 4, 2, 3 }, camera:getWorldPosition())
    near({ 160, 120 }, seen(camera, 1, 2, 3))
    camera:setOrbit(0, -90)
    palfrey.testing.step()
    local x, y, z = camera:getWorldPosition()
    within(0.06, { 1, 5, 3 }, x, y, z)
    camera = add { mode = "orbit", target = { 0, 1, 0 }, distance = 2 }
    camera:setOrbit(180, 0)
    palfrey.testing.step()
    near({ 0, 1, -2 }, camera:getWorldPosition())
  end)

  it("in mode fixed stays where it is, whatever it follows", function()
    local player = world:addPlayer {}
    local camera = add { follow = player, mode = "fixed", position = { 9, 9, 9 } }
    player:setPosition(3, 0, 0)
    palfrey.testing.step(5)
    near({ 9, 9, 9 }, camera:getWorldPosition())
    camera:setMode "first"
    palfrey.testing.step()
    near({ 3, 1.62, 0 }, camera:getWorldPosition())
  end)

  it("stays where it was when whom it follows goes, and follows another on request", function()
    local first, second = world:addPlayer {}, world:addPlayer { position = { 5, 0, 0 } }
    local camera = add { follow = first }
    first:remove()
    palfrey.testing.step(2)
    near({ 0, 1.62, 4 }, camera:getWorldPosition())
    camera:setFollow(second)
    palfrey.testing.step()
    near({ 5, 1.62, 4 }, camera:getWorldPosition())
    camera:setFollow(nil)
    second:setPosition(0, 0, 0)
    palfrey.testing.step(2)
    near({ 5, 1.62, 4 }, camera:getWorldPosition())
  end)

  it("below a parent moves with it", function()
    local ship = world:addGroup { position = { 0, 0, 10 } }
    local camera = add { parent = ship, position = { 0, 1, 0 } }
    near({ 0, 1, 10, 0, 0, -1 }, camera:toRay(160, 120))
    ship:setHeading(90)
    ship:setScale(3)
    palfrey.testing.step()
    near({ 0, 3, 10, -1, 0, 0 }, camera:toRay(160, 120))
  end)

  it("is used first if it was made first, then the one that is set, then the next when that goes", function()
    local first, second = world:addCamera(), world:addCamera()
    assert.equal(first, world:getCamera())
    world:setCamera(second)
    assert.equal(second, world:getCamera())
    second:remove()
    assert.equal(first, world:getCamera())
    first:remove()
    assert.is_nil(world:getCamera())
    palfrey.testing.step()
  end)
end)
