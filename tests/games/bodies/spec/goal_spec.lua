local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local near, within, block, raises = support.near, support.within, support.block, support.raises

describe("an NPC", function()
  local world
  before_each(function() world = support.world() end)

  local function add(options)
    options = options or {}
    options.model = options.model or "assets/man.md2"
    return assert(world:addNPC(options))
  end

  local function count(node, event)
    local told = { count = 0 }
    node:on(event, function() told.count = told.count + 1 end)
    return told
  end

  local function flat(a, b)
    local ax, _, az = a:getWorldPosition()
    local bx, _, bz = b:getWorldPosition()
    return math.sqrt((ax - bx) ^ 2 + (az - bz) ^ 2)
  end

  it("stays where it is put, in the air too, until it moves", function()
    local npc = add { position = { 1, 3, 2 } }
    palfrey.testing.step(60)
    near({ 1, 3, 2 }, npc:getPosition())
    near({ 0, 0, 0 }, npc:getVelocity())
    npc:walkTo(4, 0, 2)
    palfrey.testing.step(120)
    within(0.05, { 4, 0, 2 }, npc:getPosition())
    assert.is_true(npc:isOnGround())
  end)

  it("has no goal at first, and the goal it was given last", function()
    local npc, mark = add(), world:addGroup()
    assert.same({ "idle" }, { npc:getGoal() })
    npc:walkTo(5, 0, 5)
    assert.equal("walkTo", (npc:getGoal()))
    npc:patrol { { 0, 0, 5 }, { 5, 0, 0 } }
    assert.equal("patrol", (npc:getGoal()))
    for _, goal in ipairs { "follow", "flee", "face" } do
      npc[goal](npc, mark)
      local kind, node = npc:getGoal()
      assert.equal(goal, kind)
      assert.equal(mark, node)
    end
    npc:idle()
    assert.same({ "idle" }, { npc:getGoal() })
  end)

  it("walks to a point, arrives once and stands there", function()
    local npc = add { speed = 4 }
    local arrived = count(npc, "arrived")
    npc:walkTo(6, 0, -3)
    support.steps(300, function()
      local vx, _, vz = npc:getVelocity()
      assert.is_true(math.sqrt(vx * vx + vz * vz) < 4.01)
    end)
    within(0.03, { 6, 0, -3 }, npc:getPosition())
    assert.equal(1, arrived.count)
    assert.equal("idle", (npc:getGoal()))
    near({ 0, 0, 0 }, npc:getVelocity())
    npc:walkTo(6, 0, -3)
    palfrey.testing.step(30)
    assert.equal(2, arrived.count)
  end)

  it("needs the time its speed tells", function()
    local npc = add { speed = 2, turnRate = 3600 }
    local arrived = count(npc, "arrived")
    npc:walkTo(0, 0, -10.5)
    local steps = support.steps(600, function() return arrived.count > 0 end)
    within(10, 300, steps)
  end)

  it("arrives as near as its option arrive", function()
    local npc = add { speed = 2, arrive = 3 }
    local at
    npc:on("arrived", function() at = select(3, npc:getPosition()) end)
    npc:walkTo(0, 0, -10)
    palfrey.testing.step(400)
    within(0.1, -7, at)
    within(0.05, -10, (select(3, npc:getPosition())))
  end)

  it("does not mind the height of the point", function()
    local npc = add()
    local arrived = count(npc, "arrived")
    npc:walkTo(3, 50, 0)
    palfrey.testing.step(200)
    assert.equal(1, arrived.count)
    within(0.03, { 3, 0, 0 }, npc:getPosition())
  end)

  it("turns no faster than its turnRate, and to where it walks", function()
    local npc = add { turnRate = 90 }
    npc:walkTo(10, 0, 0)
    local last = npc:getHeading()
    support.steps(80, function()
      local heading = npc:getHeading()
      assert.is_true(math.abs(heading - last) <= 90 / 60 + 1e-3)
      last = heading
    end)
    within(0.5, -90, npc:getHeading())
  end)

  it("is told of a goal that is dropped: idle stands still at once", function()
    local npc = add { speed = 4 }
    local arrived = count(npc, "arrived")
    npc:walkTo(10, 0, 0)
    palfrey.testing.step(60)
    npc:idle()
    palfrey.testing.step(2)
    local x = npc:getPosition()
    palfrey.testing.step(60)
    near(x, (npc:getPosition()))
    assert.equal(0, arrived.count)
  end)

  it("patrols from point to point, round and round, and tells of each", function()
    local npc = add { speed = 5, turnRate = 720 }
    local visits = {}
    npc:on("arrived", function()
      local x, _, z = npc:getPosition()
      visits[#visits + 1] = (x > 2 and "a" or "-") .. (z > 2 and "b" or "-")
    end)
    npc:patrol { { 4, 0, 0 }, { 4, 0, 4 }, { 0, 0, 4 } }
    palfrey.testing.step(600)
    assert.equal("a- ab -b a- ab -b", table.concat(visits, " ", 1, 6))
    assert.equal("patrol", (npc:getGoal()))
  end)

  it("patrols a single point by going there once", function()
    local npc = add()
    local arrived = count(npc, "arrived")
    npc:patrol { { 2, 0, 0 } }
    palfrey.testing.step(240)
    assert.equal(1, arrived.count)
    within(0.55, { 2, 0, 0 }, npc:getPosition())
  end)

  it("keeps a patrol of its own although the list is changed", function()
    local npc = add { speed = 4 }
    local points = { { 3, 0, 0 }, { 0, 0, 0 } }
    npc:patrol(points)
    points[1][1] = -30
    points[2] = nil
    palfrey.testing.step(45)
    assert.is_true(npc:getPosition() > 1)
  end)

  it("follows up to a distance, 2 m unless told", function()
    local leader = world:addGroup { position = { 8, 0, 0 } }
    local npc, close = add { speed = 4 }, add { speed = 4, position = { 0, 0, 6 } }
    npc:follow(leader)
    close:follow(leader, 1)
    palfrey.testing.step(300)
    within(0.1, 2, flat(npc, leader))
    within(0.1, 1, flat(close, leader))
    leader:setPosition(-8, 0, 0)
    palfrey.testing.step(400)
    within(0.1, 2, flat(npc, leader))
    assert.equal("follow", (npc:getGoal()))
  end)

  it("follows another that walks", function()
    local leader, npc = add { speed = 3 }, add { speed = 4, position = { 0, 0, 4 } }
    npc:follow(leader, 2)
    leader:walkTo(0, 0, -12)
    palfrey.testing.step(400)
    within(0.2, 2, flat(npc, leader))
  end)

  it("flees until it is 20 m away, also from right there", function()
    local threat = world:addGroup { position = { 1, 0, 0 } }
    local npc = add { speed = 8, position = { 0, 0, 0 } }
    npc:flee(threat)
    palfrey.testing.step(60)
    assert.is_true(flat(npc, threat) > 6)
    assert.is_true(npc:getPosition() < -4)
    local other = add { position = { 1, 0, 0 }, speed = 8 }
    other:flee(threat)
    palfrey.testing.step(60)
    assert.is_true(flat(other, threat) > 3)
  end)

  it("fleeing stands where it is safe", function()
    world = palfrey.newWorld()
    local threat = world:addGroup()
    local npc = add { speed = 20, position = { 0, 0, -19 } }
    npc:flee(threat)
    palfrey.testing.step(120)
    within(0.5, 20, flat(npc, threat))
    assert.equal("flee", (npc:getGoal()))
    threat:setPosition(0, 0, -10)
    palfrey.testing.step(120)
    within(0.5, 20, flat(npc, threat))
  end)

  it("faces a node without walking, and keeps facing it", function()
    local mark = world:addGroup { position = { -5, 0, 0 } }
    local npc = add { position = { 0, 0, 0 } }
    npc:face(mark)
    palfrey.testing.step(60)
    within(0.5, 90, npc:getHeading())
    mark:setPosition(0, 9, 5)
    palfrey.testing.step(60)
    within(0.5, 180, math.abs(npc:getHeading()))
    near({ 0, 0, 0 }, npc:getPosition())
  end)

  for _, goal in ipairs { "follow", "flee", "face" } do
    it("goes idle when the node it should " .. goal .. " is removed", function()
      local mark = world:addGroup { position = { 5, 0, 0 } }
      local npc = add { speed = 4 }
      npc[goal](npc, mark)
      palfrey.testing.step(5)
      mark:remove()
      local kind, node = npc:getGoal()
      assert.is_nil(node)
      assert.is_string(kind)
      palfrey.testing.step(3)
      assert.same({ "idle" }, { npc:getGoal() })
      local x = npc:getPosition()
      palfrey.testing.step(30)
      near(x, (npc:getPosition()))
    end)
  end

  it("can follow itself, which is to stand", function()
    local npc = add()
    npc:follow(npc)
    palfrey.testing.step(30)
    within(0.01, { 0, 0, 0 }, npc:getPosition())
  end)

  it("can be given a new goal by the handler of the old one", function()
    local npc = add { speed = 4 }
    local turns = 0
    npc:on("arrived", function()
      turns = turns + 1
      if turns < 4 then npc:walkTo(turns % 2 == 0 and 2 or -2, 0, 0) end
    end)
    npc:walkTo(2, 0, 0)
    palfrey.testing.step(400)
    assert.equal(4, turns)
    within(0.05, -2, (npc:getPosition()))
  end)

  it("climbs steps, falls off ledges and stops at walls", function()
    block(world, { 0, 0.125, -3 }, { 4, 0.25, 2 })
    block(world, { 0, 2, -10 }, { 8, 4, 1 })
    local npc = add { speed = 3, radius = 0.4 }
    npc:walkTo(0, 0, -3)
    palfrey.testing.step(120)
    within(0.02, 0.25, (select(2, npc:getPosition())))
    npc:walkTo(0, 0, -15)
    palfrey.testing.step(300)
    within(0.02, 0, (select(2, npc:getPosition())))
    within(0.02, -9.5 + 0.4, (select(3, npc:getPosition())))
    assert.equal("walkTo", (npc:getGoal()))
  end)

  it("walks on at its height once the last ground is removed, as it does where there never was any", function()
    local npc = add()
    npc:walkTo(0, 0, -20)
    palfrey.testing.step(30)
    world:find "Ground":remove()
    palfrey.testing.step(60)
    within(0.01, 0, (select(2, npc:getPosition())))
  end)

  it("walks below a parent that is moved, turned and scaled, to a point of the world", function()
    local ship = world:addGroup { position = { 5, 0, 5 }, heading = 90, scale = 2 }
    local npc = add { parent = ship, position = { 1, 0, 1 }, speed = 4 }
    npc:walkTo(-3, 0, 2)
    palfrey.testing.step(300)
    local x, _, z = npc:getWorldPosition()
    within(0.05, { -3, 2 }, x, z)
  end)

  it("cannot walk with a speed of 0, and says nothing of arriving", function()
    local npc = add { speed = 0 }
    local arrived = count(npc, "arrived")
    npc:walkTo(5, 0, 0)
    palfrey.testing.step(60)
    near({ 0, 0, 0 }, npc:getPosition())
    assert.equal(0, arrived.count)
  end)

  it("blocks the player, who blocks it", function()
    local npc = add { position = { 0, 0, -4 }, radius = 0.4 }
    local player = world:addPlayer { radius = 0.4 }
    support.steps(120, function() player:move(1, 0) end)
    assert.is_true(flat(npc, player) >= 0.79)
    local runner = add { position = { 6, 0, 0 }, radius = 0.4, speed = 4 }
    player:setPosition(0, 0, 0)
    runner:walkTo(-6, 0, 0)
    support.steps(200, function() assert.is_true(flat(runner, player) >= 0.75) end)
  end)

  it("does not stand in another after both walked to one place", function()
    local npcs = {}
    for i = 1, 6 do
      npcs[i] = add { position = { 6 * math.cos(i), 0, 6 * math.sin(i) }, radius = 0.4, speed = 3 }
      npcs[i]:walkTo(0, 0, 0)
    end
    palfrey.testing.step(400)
    for i = 1, 6 do
      for j = 1, i - 1 do assert.is_true(flat(npcs[i], npcs[j]) > 0.75) end
    end
  end)

  it("passes another that comes the other way", function()
    local a, b = add { position = { -5, 0, 0 }, radius = 0.4, speed = 3 }, add { position = { 5, 0, 0 }, radius = 0.4,
                                                                              speed = 3 }
    local arrivedA, arrivedB = count(a, "arrived"), count(b, "arrived")
    a:walkTo(5, 0, 0)
    b:walkTo(-5, 0, 0)
    support.steps(600, function() assert.is_true(flat(a, b) > 0.75) end)
    assert.equal(1, arrivedA.count)
    assert.equal(1, arrivedB.count)
  end)

  it("is as wide and high as its first frame, or as it is told", function()
    add { position = { 0, 0, 0 } }
    palfrey.testing.step()
    local hit = assert(world:sweep { from = { 0, 1, 9 }, to = { 0, 1, 0 }, radius = 0.1 })
    within(0.01, 9 - 0.6, hit.distance)
    assert.is_nil(world:sweep { from = { 0, 2.2, 9 }, to = { 0, 2.2, 0 }, radius = 0.1 })
    add { position = { 5, 0, 0 }, radius = 0.25, height = 3 }
    palfrey.testing.step()
    hit = assert(world:sweep { from = { 5, 2.5, 9 }, to = { 5, 2.5, 0 }, radius = 0.1 })
    within(0.01, 9 - 0.35, hit.distance)
  end)

  it("takes 1 to 64 points of a patrol", function()
    local npc = add()
    local points = {}
    for i = 1, 64 do points[i] = { i, 0, 0 } end
    npc:patrol(points)
    points[65] = { 0, 0, 0 }
    assert.match("1 to 64 points expected, got 65", raises(function() npc:patrol(points) end))
    assert.match("got 0", raises(function() npc:patrol {} end))
    assert.match("point 2", raises(function() npc:patrol { { 0, 0, 0 }, { 1, 2 } } end))
    assert.equal("patrol", (npc:getGoal()))
  end)

  it("tells of a touch once, at both, and again after they were apart", function()
    local told = {}
    world:on("touch", function(event) told[#told + 1] = event.name .. ">" .. event.other:getName() end)
    local a, b = add { name = "a", position = { -3, 0, 0 }, speed = 4 }, add { name = "b" }
    a:walkTo(0, 0, 0)
    palfrey.testing.step(180)
    table.sort(told)
    assert.equal("a>b b>a", table.concat(told, " "))
    a:walkTo(-5, 0, 0)
    palfrey.testing.step(120)
    a:walkTo(0, 0, 0)
    palfrey.testing.step(180)
    assert.equal(4, #told)
    assert.is_true(b:isAlive())
  end)
end)
