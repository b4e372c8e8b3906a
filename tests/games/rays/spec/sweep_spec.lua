local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local near, within = support.near, support.within

local function point(hit) return hit.x, hit.y, hit.z end
local function normal(hit) return hit.nx, hit.ny, hit.nz end

describe("a sweep", function()
  local world
  before_each(function() world = palfrey.newWorld() end)

  local function block(options)
    return support.block(world, options.position or { 0, 0, 0 }, options.scale or 1, options)
  end

  for _, collide in ipairs { "box", "mesh" } do
    it("of a sphere tells where it touches a " .. collide, function()
      local cube = block { name = "Block", collide = collide }
      palfrey.testing.step()
      local hit = assert(world:sweep { from = { 0.2, 0.1, 5 }, to = { 0.2, 0.1, -5 }, radius = 0.5 })
      within(2e-3, 4, hit.distance)
      within(2e-3, { 0.2, 0.1, 0.5 }, point(hit))
      near({ 0, 0, 1 }, normal(hit))
      assert.equal("Cube", hit.name)
      assert.equal(cube:getChildren()[1], hit.node)
    end)

    it("of a sphere meets an edge of a " .. collide .. " round", function()
      block { collide = collide }
      palfrey.testing.step()
      local hit = assert(world:sweep { from = { 0.8, 0, 5 }, to = { 0.8, 0, -5 }, radius = 0.5 })
      -- The centre is 0.3 beside the edge: it stops 0.4 before it.
      within(2e-3, 5 - 0.5 - 0.4, hit.distance)
      within(5e-3, { 0.6, 0, 0.8 }, normal(hit))
      within(5e-3, { 0.5, 0, 0.5 }, point(hit))
      assert.is_nil(world:sweep { from = { 1.01, 0, 5 }, to = { 1.01, 0, -5 }, radius = 0.5 })
    end)

    it("of a capsule stands upright at a " .. collide, function()
      block { collide = collide }
      palfrey.testing.step()
      local hit = assert(world:sweep { from = { 0, 1.2, 5 }, to = { 0, 1.2, -5 }, radius = 0.25, height = 2 })
      within(2e-3, 4.25, hit.distance)
      assert.is_nil(world:sweep { from = { 0, 1.6, 5 }, to = { 0, 1.6, -5 }, radius = 0.25, height = 2 })
      hit = assert(world:sweep { from = { 0, 5, 0 }, to = { 0, -5, 0 }, radius = 0.25, height = 2 })
      within(2e-3, 3.5, hit.distance)
      near({ 0, 1, 0 }, normal(hit))
    end)

    it("goes through no thin " .. collide .. ", however far it goes", function()
      block { scale = { 10, 10, 0.01 }, collide = collide }
      palfrey.testing.step()
      for _, far in ipairs { 3, 100, 10000 } do
        local hit = assert(world:sweep { from = { 0, 0, far }, to = { 0, 0, -far }, radius = 0.1 })
        within(far * 1e-4 + 2e-3, far - 0.105, hit.distance)
      end
    end)
  end

  it("meets a sphere as one", function()
    block { scale = 2, collide = "sphere" }
    palfrey.testing.step()
    local hit = assert(world:sweep { from = { 0, 0, 5 }, to = { 0, 0, -5 }, radius = 0.5 })
    within(2e-3, 3.5, hit.distance)
    hit = assert(world:sweep { from = { 0.9, 0, 5 }, to = { 0.9, 0, -5 }, radius = 0.5 })
    within(5e-3, { 0.6, 0, 0.8 }, normal(hit))
  end)

  it("misses what has no collide", function()
    block { collide = "none" }
    palfrey.testing.step()
    assert.is_nil(world:sweep { from = { 0, 0, 5 }, to = { 0, 0, -5 } })
    assert.same({}, world:overlap { position = { 0, 0, 0 } })
  end)

  it("follows scale, mirroring and rotation of the node", function()
    local cube = block { scale = { -2, 1, 1 } }
    palfrey.testing.step()
    within(2e-3, 3.75, assert(world:sweep { from = { 5, 0, 0 }, to = { -5, 0, 0 }, radius = 0.25 }).distance)
    cube:setScale(1)
    cube:setHeading(45)
    palfrey.testing.step()
    local hit = assert(world:sweep { from = { 5, 0, 0 }, to = { -5, 0, 0 }, radius = 0.25 })
    within(3e-3, 5 - math.sqrt(0.5) - 0.25, hit.distance)
  end)

  it("meets players and NPCs by their capsules, by name", function()
    local npc = assert(world:addNPC { name = "Npc", model = "assets/man.md2", position = { 0, 0, 0 }, radius = 0.4 })
    local player = world:addPlayer { name = "Hero", position = { 0, 0, -5 }, radius = 0.4, height = 1.8 }
    palfrey.testing.step()
    local function first(options)
      options.from, options.to, options.radius = { 0, 1, 5 }, { 0, 1, -20 }, 0.1
      local hit = world:sweep(options)
      return hit and hit.node, hit
    end
    local node, hit = first {}
    assert.equal(npc, node)
    assert.equal("Npc", hit.name)
    within(5e-3, 4.5, hit.distance)
    assert.equal(player, (first { ignore = npc }))
    assert.equal(player, (first { mask = { "player" } }))
    assert.is_nil((first { mask = { "model" } }))
    assert.is_nil((first { ignore = { npc, player } }))
  end)

  it("passes through any number of nodes below an ignored one", function()
    local crowd = world:addGroup()
    for _ = 1, 300 do world:addGroup { parent = crowd } end
    assert(world:addModel { model = "assets/cube.obj", collide = "box", position = { 0, 0, 50 }, parent = crowd })
    palfrey.testing.step()
    assert.is_table(world:sweep { from = { 0, 0, 55 }, to = { 0, 0, 45 } })
    assert.is_nil(world:sweep { from = { 0, 0, 55 }, to = { 0, 0, 45 }, ignore = crowd })
    assert.same({}, world:overlap { position = { 0, 0, 50 }, ignore = crowd })
  end)

  it("passes through ignored nodes and all below them", function()
    local group = world:addGroup()
    block { parent = group }
    palfrey.testing.step()
    assert(world:sweep { from = { 0, 0, 5 }, to = { 0, 0, -5 } })
    assert.is_nil(world:sweep { from = { 0, 0, 5 }, to = { 0, 0, -5 }, ignore = group })
  end)

  it("that starts in touch tells a way of 0 towards it, and is free to go away", function()
    support.block(world, { 0, 0, 0 }, 2)
    palfrey.testing.step()
    local hit = assert(world:sweep { from = { 0, 0, 1.25 }, to = { 0, 0, -5 }, radius = 0.5 })
    near(0, hit.distance)
    assert.is_nil(world:sweep { from = { 0, 0, 1.25 }, to = { 0, 0, 5 }, radius = 0.5 })
  end)

  it("of no length tells what is there, or nothing", function()
    block {}
    palfrey.testing.step()
    assert.is_nil(world:sweep { from = { 0, 0, 5 }, to = { 0, 0, 5 } })
  end)

  it("tells material and triangle of a mesh", function()
    assert(world:addModel { model = "assets/yard.obj", collide = "mesh" })
    palfrey.testing.step()
    local hit = assert(world:sweep { from = { 4.5, 0.6, 5 }, to = { 4.5, 0.6, -5 }, radius = 0.25 })
    assert.equal("wood", hit.material)
    assert.equal("Crate", hit.name)
    assert.equal("integer", math.type(hit.triangle))
  end)
end)

describe("overlap", function()
  local world
  before_each(function() world = palfrey.newWorld() end)

  it("lists each body that meets the sphere, once", function()
    local a = support.block(world, { 0, 0, 0 }, 1, { name = "a" })
    support.block(world, { 1, 0, 0 }, 1, { name = "b" })
    support.block(world, { 9, 0, 0 }, 1, { name = "c" })
    local npc = assert(world:addNPC { name = "npc", model = "assets/man.md2", position = { 0, -1, 0.75 } })
    palfrey.testing.step()
    local found = world:overlap { position = { 0.5, 0, 0 }, radius = 0.6 }
    local names = {}
    for _, node in ipairs(found) do names[#names + 1] = node == npc and "npc" or node:getParent():getName() end
    table.sort(names)
    assert.equal("a b npc", table.concat(names, " "))
    assert.equal(2, #world:overlap { position = { 0.5, 0, 0 }, radius = 0.6, ignore = npc })
    assert.equal(1, #world:overlap { position = { 0.5, 0, 0 }, radius = 0.6, mask = { "npc" } })
    assert.equal(2, #world:overlap { position = { 0.5, 0, 0 }, radius = 0.6, ignore = a })
    assert.same({}, world:overlap { position = { 0, 5, 0 } })
  end)

  it("takes an upright capsule", function()
    support.block(world, { 0, 2, 0 }, 1)
    palfrey.testing.step()
    assert.same({}, world:overlap { position = { 0, 0.8, 0 }, radius = 0.25 })
    assert.equal(1, #world:overlap { position = { 0, 0.8, 0 }, radius = 0.25, height = 2 })
  end)

  it("is told of a sphere from within", function()
    support.block(world, { 10, 0, 0 }, 4, { collide = "sphere" })
    palfrey.testing.step()
    assert.equal(1, #world:overlap { position = { 10, 0, 0 }, radius = 0.1 })
  end)

  it("is told of a box from within", function()
    support.block(world, { 0, 0, 0 }, 4, { collide = "box" })
    palfrey.testing.step()
    assert.equal(1, #world:overlap { position = { 0, 0, 0 }, radius = 0.1 })
  end)
end)
