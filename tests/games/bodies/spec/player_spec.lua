local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local near, within, block = support.near, support.within, support.block

describe("a player", function()
  local world, player
  before_each(function() world = support.world() end)

  local function add(options)
    player = world:addPlayer(options)
    palfrey.testing.step(2)
  end

  -- Walks for some steps; before each of them `check` may look.
  local function walk(count, forward, right, check)
    support.steps(count, function()
      player:move(forward, right or 0)
      return check and check()
    end)
  end

  it("stands on the ground, its position at the feet", function()
    add { position = { 1, 0, 2 } }
    assert.is_true(player:isOnGround())
    near({ 1, 0, 2 }, player:getPosition())
    near({ 0, 0, 0 }, player:getVelocity())
    palfrey.testing.step(60)
    near({ 1, 0, 2 }, player:getPosition())
  end)

  it("walks by its speed along its heading, and stops with the key", function()
    for heading, way in palfrey.sortedPairs { [0] = { 0, -4 }, [90] = { -4, 0 }, [180] = { 0, 4 }, [-90] = { 4, 0 } } do
      add { heading = heading, speed = 4 }
      walk(60, 1)
      within(0.01, { way[1], 0, way[2] }, player:getPosition())
      local vx, vy, vz = player:getVelocity()
      within(0.01, { way[1], 0, way[2] }, vx, vy, vz)
      palfrey.testing.step(10)
      within(0.01, { way[1], 0, way[2] }, player:getPosition())
      near({ 0, 0, 0 }, player:getVelocity())
      player:remove()
    end
  end)

  it("walks sideways, backwards, slower by less, and no faster askew or by more", function()
    add { speed = 4 }
    walk(30, 0, 1)
    within(0.01, { 2, 0, 0 }, player:getPosition())
    walk(30, -1, 0)
    within(0.01, { 2, 0, 2 }, player:getPosition())
    walk(60, 0.5, 0)
    within(0.01, { 2, 0, 0 }, player:getPosition())
    player:setPosition(0, 0, 0)
    walk(60, 1, 1)
    local x, _, z = player:getPosition()
    within(0.02, { 4 * math.sqrt(0.5), -4 * math.sqrt(0.5) }, x, z)
    player:setPosition(0, 0, 0)
    walk(60, 100, 0)
    within(0.01, { 0, 0, -4 }, player:getPosition())
  end)

  it("goes the same way at any length of a step's parts: the last move of a step counts", function()
    add {}
    support.steps(60, function()
      player:move(0, 1)
      player:move(1, 0)
    end)
    within(0.01, { 0, 0, -4 }, player:getPosition())
  end)

  it("does not snag on the seam of two triangles or two floors", function()
    for z = -5, 5, 2.5 do
      add { position = { -3, 0, z }, heading = -90 }
      walk(90, 1)
      local x, y = player:getPosition()
      within(0.01, { 3, 0 }, x, y)
      player:remove()
    end
  end)

  it("looks around; the pitch ends at 89 degrees, the heading goes round", function()
    add {}
    near(0, player:getPitch())
    player:look(30, 20)
    near(30, player:getHeading())
    near(20, player:getPitch())
    player:look(0, 500)
    near(89, player:getPitch())
    player:look(0, -1000)
    near(-89, player:getPitch())
    player:look(170, 0)
    within(0.01, -160, player:getHeading())
    player:look(-360 * 3, 0)
    within(0.01, -160, player:getHeading())
  end)

  it("falls by gravity, lands, and is told so", function()
    add { position = { 0, 5, 0 } }
    local steps = 0
    support.steps(200, function()
      steps = steps + 1
      return player:isOnGround()
    end)
    -- t = sqrt(2 h / g) = 1.01 s
    within(3, 61 - 2, steps)
    within(0.01, { 0, 0, 0 }, player:getPosition())
    near({ 0, 0, 0 }, player:getVelocity())
  end)

  it("falls slower in a world of less gravity, and not at all without", function()
    world = support.world { gravity = 1.62 }
    add { position = { 0, 5, 0 } }
    palfrey.testing.step(58)
    within(0.1, 5 - 0.81, (select(2, player:getPosition())))
    world = support.world { gravity = 0 }
    add { position = { 0, 5, 0 } }
    palfrey.testing.step(60)
    near({ 0, 5, 0 }, player:getPosition())
  end)

  it("jumps from the ground alone, as high as its speed allows", function()
    add { jump = 5 }
    player:jump()
    local highest = 0
    support.steps(90, function()
      highest = math.max(highest, (select(2, player:getPosition())))
      player:jump() -- in the air it does nothing; on the ground it jumps again
      return player:isOnGround() and highest > 0.5
    end)
    within(0.1, 5 * 5 / (2 * 9.81), highest)
  end)

  it("does not jump with a jump of 0", function()
    add { jump = 0 }
    player:jump()
    palfrey.testing.step(5)
    near(0, (select(2, player:getPosition())))
  end)

  it("stops at walls and slides along them", function()
    block(world, { 0, 2, -5 }, { 10, 4, 0.5 })
    add { radius = 0.4 }
    walk(120, 1)
    within(0.01, { 0, 0, -4.75 + 0.4 }, player:getPosition())
    player:setHeading(-45)
    walk(30, 1)
    local x, _, z = player:getPosition()
    within(0.05, 4 * 0.5 * math.sqrt(0.5), x)
    within(0.01, -4.35, z)
  end)

  it("stops at boxes, spheres and NPCs too", function()
    block(world, { 0, 1, -5 }, 2, { collide = "box" })
    add { radius = 0.4 }
    walk(120, 1)
    within(0.01, -4 + 0.4, (select(3, player:getPosition())))
    block(world, { 5, 0.9, -5 }, 2, { collide = "sphere" })
    player:setPosition(5, 0, 0)
    walk(120, 1)
    assert.is_true((select(3, player:getPosition())) > -3.7)
    world:addNPC { model = "assets/man.md2", position = { -5, 0, -5 }, radius = 0.5 }
    player:setPosition(-5, 0, 0)
    walk(120, 1)
    within(0.05, -5 + 0.5 + 0.4, (select(3, player:getPosition())))
  end)

  it("walks through what has no collide", function()
    block(world, { 0, 2, -3 }, { 10, 4, 0.5 }, { collide = "none" })
    world:addNPC { model = "assets/man.md2", position = { 0, 0, -1.5 }, collide = "none" }
    add {}
    walk(60, 1)
    within(0.01, { 0, 0, -4 }, player:getPosition())
  end)

  it("gets into no corner of two walls", function()
    block(world, { 0, 2, -5 }, { 10, 4, 0.5 })
    block(world, { 5, 2, 0 }, { 0.5, 4, 10 })
    add { radius = 0.4, heading = -30 }
    walk(300, 1)
    within(0.02, { 4.75 - 0.4, 0, -4.75 + 0.4 }, player:getPosition())
  end)

  it("climbs steps of its stepHeight, and no higher ones", function()
    for i = 1, 4 do block(world, { 0, i * 0.25 / 2, -1 - i }, { 4, i * 0.25, 1 }) end
    add {}
    walk(60, 1)
    assert.is_true((select(2, player:getPosition())) > 0.6)
    walk(8, 1)
    palfrey.testing.step(5)
    within(0.01, 1, (select(2, player:getPosition())))
    assert.is_true(player:isOnGround())

    block(world, { 10, 0.2, -3 }, { 4, 0.4, 1 })
    player:setPosition(10, 0, 0)
    walk(90, 1)
    within(0.01, { 10, 0, -2.5 + 0.4 }, player:getPosition())

    local climber = world:addPlayer { position = { 10, 0, 5 }, stepHeight = 0.5, heading = 0 }
    player:remove()
    player = climber
    palfrey.testing.step()
    walk(120, 1)
    within(0.01, 0.4, (select(2, player:getPosition())))
  end)

  it("walks down steps without leaving the ground", function()
    for i = 1, 4 do block(world, { 0, i * 0.25 / 2, 1 + i }, { 4, i * 0.25, 1 }) end
    add { position = { 0, 1, 5 } }
    walk(75, 1, 0, function() assert.is_true(player:isOnGround()) end)
    within(0.01, 0, (select(2, player:getPosition())))
  end)

  it("walks up and down a slope it can climb, as fast as on the level", function()
    -- A slope of 30 degrees: its top edge is at y = 10 * sin 30.
    local angle = math.rad(30)
    block(world, { 0, 10 * math.sin(angle), -10 * math.cos(angle) }, { 8, 0.02, 20 }, { rotation = { 30, 1, 0, 0 } })
    add { position = { 0, 0, 2 } }
    walk(120, 1)
    local _, y, z = player:getPosition()
    assert.is_true(player:isOnGround())
    within(0.02, -6, z)
    within(0.1, 6 * math.tan(angle), y)
    local before = y
    palfrey.testing.step(60)
    within(0.02, before, (select(2, player:getPosition())))
    player:setHeading(180)
    walk(60, 1, 0, function() assert.is_true(player:isOnGround()) end)
    within(0.02, -2, (select(3, player:getPosition())))
    within(0.1, 2 * math.tan(angle), (select(2, player:getPosition())))
  end)

  local function slope(degrees)
    local angle = math.rad(degrees)
    block(world, { 0, 10 * math.sin(angle), -10 * math.cos(angle) - 2 }, { 8, 0.02, 20 },
      { rotation = { degrees, 1, 0, 0 } })
  end

  it("does not walk up what is steeper than its slopeLimit", function()
    slope(50)
    add {}
    walk(240, 1)
    assert.is_true(select(2, player:getPosition()) < 0.5)
    player:remove()
    add { slopeLimit = 55 }
    walk(240, 1)
    assert.is_true(select(2, player:getPosition()) > 2)
  end)

  it("walks up very steep slopes with a slopeLimit above them", function()
    slope(60)
    add { slopeLimit = 70 }
    walk(240, 1)
    assert.is_true(select(2, player:getPosition()) > 2)
  end)

  it("goes on falling while it is turned and scaled in every step", function()
    add { position = { 0, 5, 0 } }
    support.steps(60, function()
      player:setHeading(player:getHeading() + 5)
      player:setScale(1.5)
    end)
    within(0.01, { 0, 0, 0 }, player:getPosition())
    player:setHeading(20)
    assert.is_true(player:isOnGround())
    player:jump()
    palfrey.testing.step(10)
    assert.is_true(select(2, player:getPosition()) > 0.4)
  end)

  it("bumps its head on a ceiling", function()
    block(world, { 0, 2.5, 0 }, { 4, 1, 4 })
    add { height = 1.8, jump = 6 }
    player:jump()
    support.steps(60, function() assert.is_true(select(2, player:getPosition()) < 0.21) end)
    assert.is_true(player:isOnGround())
  end)

  it("does not fit under what is lower than it", function()
    block(world, { 0, 2, -3 }, { 6, 1, 2 })
    add { height = 1.8 }
    walk(120, 1)
    assert.is_true(select(3, player:getPosition()) > -1.7)
    player:remove()
    add { height = 1.1 }
    walk(120, 1)
    assert.is_true(select(3, player:getPosition()) < -5)
  end)

  it("fits under what is a little higher than it, like a door of 2 metres", function()
    block(world, { 0, 3, -3 }, { 6, 2, 2 })
    add { height = 1.8 }
    walk(120, 1)
    assert.is_true(select(3, player:getPosition()) < -5)
  end)

  it("falls off a ledge", function()
    block(world, { 0, 1, 0 }, { 4, 2, 4 })
    add { position = { 0, 2, 0 } }
    assert.is_true(player:isOnGround())
    walk(90, 1)
    assert.is_true(player:isOnGround())
    within(0.01, 0, (select(2, player:getPosition())))
  end)

  it("passes no wall and no floor at any speed", function()
    block(world, { 0, 2, -5 }, { 10, 4, 0.05 })
    for _, speed in ipairs { 10, 100, 1000, 30000 } do
      add { speed = speed, radius = 0.4 }
      walk(60, 1)
      within(0.02, { 0, 0, -4.975 + 0.4 }, player:getPosition())
      player:remove()
    end
    add { position = { 8, 3000, 8 } }
    palfrey.testing.step(60 * 30)
    within(0.01, { 8, 0, 8 }, player:getPosition())
  end)

  it("is where it is put, also in the air and in a wall, and gets out of the wall", function()
    block(world, { 0, 1, -5 }, { 4, 2, 1 })
    add {}
    player:setPosition(3, 7, 4)
    near({ 3, 7, 4 }, player:getPosition())
    palfrey.testing.step(120)
    within(0.01, { 3, 0, 4 }, player:getPosition())
    player:setPosition(0, 0, -4.3)
    palfrey.testing.step(30)
    assert.is_true(select(3, player:getPosition()) > -4.12)
  end)

  it("keeps its place in the world below a moved parent", function()
    local ship = world:addGroup { position = { 5, 0, 0 }, heading = 90 }
    add { parent = ship, position = { 0, 0, -2 } }
    within(0.01, { 3, 0, 0 }, player:getWorldPosition())
    within(0.01, { 0, 0, -2 }, player:getPosition())
  end)

  it("walks on a floor that is there from this step on, and falls when it goes", function()
    world = palfrey.newWorld()
    local floor = block(world, { 0, -0.5, 0 }, { 10, 1, 10 })
    add {}
    assert.is_true(player:isOnGround())
    block(world, { 0, -10, 0 }, { 10, 1, 10 })
    floor:remove()
    palfrey.testing.step(120)
    within(0.01, { 0, -9.5, 0 }, player:getPosition())
  end)

  it("walks on its height in a world without ground", function()
    world = palfrey.newWorld()
    add { position = { 0, 3, 0 } }
    assert.is_true(player:isOnGround())
    walk(60, 1)
    within(0.01, { 0, 3, -4 }, player:getPosition())
  end)

  it("is not blocked by the dead, and blocks no more when dead itself", function()
    local npc = assert(world:addNPC { model = "assets/man.md2", position = { 0, 0, -2 }, health = 0 })
    add {}
    walk(60, 1)
    within(0.01, { 0, 0, -4 }, player:getPosition())
    assert.is_true(npc:isDead())
    player:setHealth(0)
    walk(30, 1)
    within(0.01, { 0, 0, -4 }, player:getPosition())
  end)

  it("without a model has none of a model's functions, and says so", function()
    add {}
    assert.match("shows no model", support.raises(function() player:play "stand" end))
    assert.match("shows no model", support.raises(function() player:getSkin() end))
  end)

  it("with a model plays its clips, and is as large as its first frame", function()
    add { model = "assets/man.md2", animation = "slide", tall = 1 }
    assert.is_true(player:isPlaying "slide")
    local x0, y0, z0 = player:getBounds()
    assert.is_true(x0 < -0.25 and y0 == 0 and z0 == -0.25)
    block(world, { 0, 1, -3 }, { 4, 2, 1 })
    walk(120, 1)
    within(0.01, -2.5 + 0.25, (select(3, player:getPosition())))
  end)
end)
