local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local near, raises = support.near, support.raises

describe("health", function()
  local world, npc, player, heard
  before_each(function()
    world = support.world()
    npc = assert(world:addNPC { name = "Knight", model = "assets/man.md2", position = { 0, 0, -4 } })
    player = world:addPlayer { name = "Hero" }
    heard = {}
    for _, event in ipairs { "hit", "death" } do
      npc:on(event, function(told) heard[#heard + 1] = told end)
    end
    palfrey.testing.step(2)
  end)

  local function types()
    local words = {}
    for i, event in ipairs(heard) do words[i] = event.type end
    return table.concat(words, " ")
  end

  it("is 100 unless told, of players and NPCs", function()
    near(100, npc:getHealth())
    near(100, player:getHealth())
    near(35, assert(world:addNPC { model = "assets/man.md2", health = 35 }):getHealth())
    near(7.5, world:addPlayer { health = 7.5 }:getHealth())
    assert.is_false(npc:isDead() or player:isDead())
  end)

  it("is lowered by damage at once, and told at the next step", function()
    npc:damage(30, player)
    near(70, npc:getHealth())
    assert.equal("", types())
    palfrey.testing.step(2)
    assert.equal("hit", types())
    local event = heard[1]
    assert.equal(npc, event.node)
    assert.equal("Knight", event.name)
    assert.equal(player, event.by)
    near(30, event.damage)
    assert.is_nil(event.distance)
  end)

  it("does not go below 0; death comes after the hit, once", function()
    npc:damage(1000)
    assert.equal(0, npc:getHealth())
    assert.is_true(npc:isDead())
    npc:damage(10)
    palfrey.testing.step(3)
    assert.equal("hit death", types())
    assert.is_nil(heard[1].by)
    npc:damage(10)
    palfrey.testing.step(3)
    assert.equal("hit death", types())
    assert.is_true(npc:isAlive())
    assert.equal(npc, world:find "Knight")
  end)

  it("set to 0 kills without a hit, and above 0 brings back", function()
    npc:setHealth(0)
    palfrey.testing.step(2)
    assert.equal("death", types())
    npc:setHealth(0)
    palfrey.testing.step(2)
    assert.equal("death", types())
    npc:setHealth(50)
    assert.is_false(npc:isDead())
    npc:damage(50)
    palfrey.testing.step(2)
    assert.equal("death hit death", types())
  end)

  it("has no upper limit, and takes fractions", function()
    npc:setHealth(1e6)
    near(1e6, npc:getHealth())
    npc:setHealth(1)
    npc:damage(0.25)
    near(0.75, npc:getHealth())
    npc:damage(0)
    near(0.75, npc:getHealth())
  end)

  it("of 0 from the start is a dead one, without an event", function()
    local corpse = assert(world:addNPC { name = "Corpse", model = "assets/man.md2", health = 0 })
    local deaths = 0
    world:on("death", function() deaths = deaths + 1 end)
    palfrey.testing.step(3)
    assert.is_true(corpse:isDead())
    assert.equal(0, deaths)
  end)

  it("of the dead gives no goal and blocks nobody; the revived block again", function()
    npc:walkTo(0, 0, -20)
    npc:setHealth(0)
    palfrey.testing.step(30)
    near({ 0, 0, -4 }, npc:getPosition())
    assert.equal("idle", (npc:getGoal()))
    local function blocked()
      return world:sweep { from = { 0, 1, 0 }, to = { 0, 1, -8 }, radius = 0.2, ignore = player } ~= nil
    end
    assert.is_false(blocked())
    npc:setHealth(10)
    palfrey.testing.step()
    assert.is_true(blocked())
    npc:walkTo(3, 0, -4)
    palfrey.testing.step(180)
    near(3, math.floor(npc:getPosition() + 0.5))
  end)

  it("of the dead keeps falling who died in the air", function()
    local high = world:addPlayer { position = { 5, 4, 0 } }
    palfrey.testing.step(5)
    high:setHealth(0)
    palfrey.testing.step(120)
    near(0, math.floor(select(2, high:getPosition()) + 0.5))
  end)

  it("can be lowered by the node itself, and by anything that is a node", function()
    npc:damage(1, npc)
    npc:damage(1, world:addGroup { name = "Trap" })
    palfrey.testing.step(2)
    assert.equal(npc, heard[1].by)
    assert.equal("Trap", heard[2].by:getName())
  end)

  it("is no negative number, and damage neither", function()
    assert.match("from 0 on", raises(function() npc:setHealth(-1) end))
    assert.match("from 0 on", raises(function() npc:damage(-1) end))
    assert.match("finite", raises(function() npc:damage(0 / 0) end))
    near(100, npc:getHealth())
  end)
end)

describe("a shot", function()
  local world, npc, player
  before_each(function()
    world = support.world()
    npc = assert(world:addNPC { name = "Knight", model = "assets/man.md2", position = { 0, 0, -4 } })
    player = world:addPlayer { name = "Hero", height = 1.8 }
    palfrey.testing.step(2)
  end)

  it("hits from the eye along the look, and is known at once", function()
    local hit = assert(player:shoot())
    assert.equal(npc, hit.node)
    assert.equal("Knight", hit.name)
    near({ 0, 1.62, -3.5 }, hit.x, hit.y, hit.z)
    near({ 0, 0, 1 }, hit.nx, hit.ny, hit.nz)
    near(3.5, hit.distance)
  end)

  it("takes 10 of health unless told, at the next step", function()
    player:shoot()
    near(100, npc:getHealth())
    palfrey.testing.step()
    near(90, npc:getHealth())
    player:shoot { damage = 40 }
    player:shoot { damage = 0 }
    palfrey.testing.step()
    near(50, npc:getHealth())
  end)

  it("tells the hit with all of the ray's fields, the shooter and the damage", function()
    local event
    npc:on("hit", function(told) event = told end)
    local hit = player:shoot { damage = 3 }
    palfrey.testing.step(2)
    for field, value in palfrey.sortedPairs(hit) do assert.equal(value, event[field]) end
    assert.equal("hit", event.type)
    assert.equal(player, event.by)
    near(3, event.damage)
  end)

  it("goes up and down by the pitch, and where the heading looks", function()
    player:look(0, 60)
    assert.is_nil(player:shoot())
    player:look(0, -120)
    local hit = assert(player:shoot())
    assert.equal("Floor", hit.name)
    near(-1.62 / math.tan(math.rad(60)), hit.z)
    player:look(180, 60)
    assert.is_nil(player:shoot())
  end)

  it("ends at its range, and does not hit the shooter", function()
    assert.is_nil(player:shoot { range = 3.4 })
    assert(player:shoot { range = 3.6 })
    npc:remove()
    assert.is_nil(player:shoot())
  end)

  it("hits only the kinds of its mask", function()
    local wall = support.block(world, { 0, 1, -2 }, { 4, 2, 0.5 })
    palfrey.testing.step()
    assert.equal("Cube", player:shoot().name)
    assert.equal(npc, player:shoot { mask = { "npc" } }.node)
    assert.is_nil(player:shoot { mask = { "player" } })
    assert.is_true(wall:isAlive())
  end)

  it("at what has no health tells a hit of it all the same", function()
    local wall = support.block(world, { 0, 1, -2 }, { 4, 2, 0.5 })
    palfrey.testing.step()
    local own, all = 0, nil
    wall:getChildren()[1]:on("hit", function() own = own + 1 end)
    world:on("hit", function(event) all = event end)
    player:shoot { damage = 7 }
    palfrey.testing.step(2)
    assert.equal(1, own)
    assert.equal("Cube", all.name)
    assert.equal(player, all.by)
    near(100, npc:getHealth())
  end)

  it("strays by its spread, within the cone, the same for the same seed", function()
    support.block(world, { 0, 0, -20 }, { 60, 60, 0.1 })
    npc:remove()
    palfrey.testing.step()
    local widest, spots = 0, {}
    for _ = 1, 200 do
      local hit = assert(player:shoot { spread = 20, damage = 0 })
      local dx, dy, dz = hit.x, hit.y - 1.62, hit.z
      local angle = math.deg(math.acos(-dz / math.sqrt(dx * dx + dy * dy + dz * dz)))
      widest = math.max(widest, angle)
      spots[("%.3f"):format(hit.x)] = true
    end
    assert.is_true(widest <= 10.01 and widest > 7)
    local count = 0
    for _ in pairs(spots) do count = count + 1 end
    assert.is_true(count > 150)
  end)

  it("can be an NPC's", function()
    npc:setHeading(180)
    palfrey.testing.step()
    assert.is_nil(npc:shoot { mask = { "npc" } })
    local other = assert(world:addNPC { name = "Other", model = "assets/man.md2", position = { 0, 0, 6 } })
    palfrey.testing.step()
    local hit = assert(npc:shoot { damage = 5 })
    assert.equal(other, hit.node)
    palfrey.testing.step()
    near(95, other:getHealth())
  end)

  it("of many shooters in one step is dealt in their order: the last ones hit a dead one in vain", function()
    local shooters, told = {}, {}
    for i = 1, 5 do
      shooters[i] = world:addPlayer { name = "s" .. i, position = { 0, 0, 1 + i * 2 }, radius = 0.3 }
    end
    player:remove()
    for _, shooter in ipairs(shooters) do shooter:setPickable(false) end
    palfrey.testing.step()
    world:on("hit", function(event) told[#told + 1] = event.by:getName() end)
    world:on("death", function(event) told[#told + 1] = event.name .. " dead" end)
    for _, i in ipairs { 3, 1, 5, 2, 4 } do assert.equal(npc, shooters[i]:shoot { damage = 40 }.node) end
    palfrey.testing.step(2)
    assert.equal("s3 s1 s5 Knight dead", table.concat(told, " "))
    assert.equal(0, npc:getHealth())
  end)

  it("of a shooter that died after it still counts; a dead shooter's ray still answers", function()
    player:shoot { damage = 25 }
    player:setHealth(0)
    palfrey.testing.step()
    near(75, npc:getHealth())
  end)

  it("at each other in one step kills both", function()
    npc:setHeading(180)
    local other = assert(world:addNPC { name = "Other", model = "assets/man.md2", position = { 0, 0, 6 } })
    player:remove()
    palfrey.testing.step()
    assert.equal(other, npc:shoot { damage = 500 }.node)
    assert.equal(npc, other:shoot { damage = 500 }.node)
    palfrey.testing.step()
    assert.is_true(npc:isDead() and other:isDead())
  end)

  it("hits the dead, who take no damage and tell of nothing", function()
    npc:setHealth(0)
    palfrey.testing.step(2)
    local hits = 0
    npc:on("hit", function() hits = hits + 1 end)
    assert.equal(npc, player:shoot().node)
    palfrey.testing.step(2)
    assert.equal(0, hits)
  end)

  it("comes from 0.9 of the height, whatever the height", function()
    local tall = world:addPlayer { position = { 2, 0, 0 }, height = 4 }
    support.block(world, { 2, 3, -3 }, { 1, 4, 0.5 })
    palfrey.testing.step(2)
    near(3.6, assert(tall:shoot()).y)
  end)
end)

describe("events", function()
  local world, npc
  before_each(function()
    world = support.world()
    npc = assert(world:addNPC { name = "Knight", model = "assets/man.md2" })
    palfrey.testing.step()
  end)

  it("are told at the start of the next step, before update", function()
    local order = {}
    npc:on("hit", function() order[#order + 1] = "hit" end)
    function palfrey.update() order[#order + 1] = "update" end
    npc:damage(1)
    palfrey.testing.step()
    palfrey.update = nil
    assert.same({ "hit", "update" }, order)
  end)

  it("come to the node's own handlers first, then to the world's, each in the order of on", function()
    local order = {}
    world:on("hit", function() order[#order + 1] = "w1" end)
    npc:on("hit", function() order[#order + 1] = "n1" end)
    world:on("hit", function() order[#order + 1] = "w2" end)
    npc:on("hit", function() order[#order + 1] = "n2" end)
    npc:damage(1)
    palfrey.testing.step()
    assert.equal("n1 n2 w1 w2", table.concat(order, " "))
  end)

  it("all get the same table", function()
    local seen = {}
    npc:on("hit", function(event) seen[1], event.note = event, "mine" end)
    world:on("hit", function(event) seen[2] = event end)
    npc:damage(1)
    palfrey.testing.step()
    assert.equal(seen[1], seen[2])
    assert.equal("mine", seen[2].note)
  end)

  it("are taken away by off: one handler, or all of an event", function()
    local calls = {}
    local function a() calls[#calls + 1] = "a" end
    local function b() calls[#calls + 1] = "b" end
    for _, target in ipairs { npc, world } do
      target:on("hit", a)
      target:on("hit", b)
      target:off("hit", a)
      npc:damage(1)
      palfrey.testing.step()
      assert.same({ "b" }, calls)
      calls = {}
      target:on("hit", a)
      target:off "hit"
      npc:damage(1)
      palfrey.testing.step()
      assert.same({}, calls)
      target:off("hit", a)
      target:off "death"
    end
  end)

  it("call a handler as often as it was added, and off takes all of these away", function()
    local calls = 0
    local function count() calls = calls + 1 end
    npc:on("hit", count)
    npc:on("hit", count)
    npc:damage(1)
    palfrey.testing.step()
    assert.equal(2, calls)
    npc:off("hit", count)
    npc:damage(1)
    palfrey.testing.step()
    assert.equal(2, calls)
  end)

  it("let a handler take itself away: it was called once", function()
    local calls = 0
    local function once()
      calls = calls + 1
      npc:off("hit", once)
    end
    npc:on("hit", once)
    local after = 0
    npc:on("hit", function() after = after + 1 end)
    npc:damage(1)
    npc:damage(1)
    palfrey.testing.step(2)
    assert.equal(1, calls)
    assert.equal(2, after)
  end)

  it("let a handler add one, which hears of the next event", function()
    local late = 0
    npc:on("hit", function()
      if late == 0 then npc:on("hit", function() late = late + 1 end) end
    end)
    npc:damage(1)
    palfrey.testing.step()
    assert.equal(0, late)
    npc:damage(1)
    palfrey.testing.step()
    assert.equal(1, late)
  end)

  it("raised by a handler come a step later", function()
    local steps = {}
    npc:on("hit", function()
      steps[#steps + 1] = palfrey.getStep()
      if #steps < 3 then npc:damage(1) end
    end)
    local start = palfrey.getStep()
    npc:damage(1)
    palfrey.testing.step(5)
    assert.same({ start, start + 1, start + 2 }, steps)
  end)

  it("of a handler that raises stop the step with its place; the next step goes on", function()
    npc:on("hit", function() error "broken handler" end)
    npc:damage(1)
    local message = support.failedStep()
    assert.match("broken handler", message)
    assert.match("combat_spec.lua", message)
    npc:off "hit"
    palfrey.testing.step()
  end)

  it("of a world that is no longer the last one are told no more", function()
    local hits = 0
    world:on("hit", function() hits = hits + 1 end)
    npc:damage(1)
    palfrey.newWorld()
    palfrey.testing.step(3)
    assert.equal(0, hits)
  end)

  it("go on when a handler makes a new world", function()
    local told = {}
    npc:on("hit", function() palfrey.newWorld() end)
    world:on("hit", function() told[#told + 1] = "world" end)
    npc:damage(1)
    npc:damage(1)
    palfrey.testing.step(2)
    assert.same({ "world", "world" }, told)
  end)

  it("have names from a list", function()
    local message = raises(function() npc:on("Hit", print) end)
    assert.match('"hit", "death", "marker", "clipEnd", "arrived", "touch", "see", "hear"', message, 1, true)
    assert.match('"arrived"', raises(function() world:off "arived" end), 1, true)
    assert.match("function expected", raises(function() npc:on("hit") end))
    assert.match("function expected", raises(function() world:on("hit", {}) end))
    assert.match("function expected", raises(function() npc:off("hit", 5) end))
  end)

  it("can be heard at any kind of node", function()
    for _, node in ipairs { world:addGroup(), world:addLight {}, world:addCamera(), world:addPlayer() } do
      node:on("hit", print)
      node:off("hit", print)
    end
  end)

  it("keep a handler of a node alive to which no variable leads", function()
    local calls = 0
    assert(world:addNPC { name = "Lonely", model = "assets/man.md2" }):on("hit", function() calls = calls + 1 end)
    collectgarbage()
    collectgarbage()
    world:find("Lonely"):damage(1)
    palfrey.testing.step()
    assert.equal(1, calls)
  end)
end)
