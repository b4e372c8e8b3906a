local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local near, within = support.near, support.within

local function point(hit) return hit.x, hit.y, hit.z end
local function normal(hit) return hit.nx, hit.ny, hit.nz end

describe("a ray", function()
  local world
  before_each(function() world = palfrey.newWorld() end)

  local function cube(options)
    options.model = "assets/cube.obj"
    return assert(world:addModel(options))
  end

  local function ray(from, direction, more)
    local options = { from = from, direction = direction }
    for key, value in palfrey.sortedPairs(more or {}) do options[key] = value end
    return world:raycast(options)
  end

  it("tells everything about what it meets", function()
    world:addModel { name = "Yard", model = "assets/yard.obj" }
    palfrey.testing.step()
    local hit = assert(ray({ 4.25, 0.75, 8 }, { 0, 0, -1 }))
    assert.equal(world:find "Crate", hit.node)
    assert.equal("Crate", hit.name)
    assert.equal("wood", hit.material)
    assert.is_nil(hit.part)
    near(7.5, hit.distance)
    near({ 4.25, 0.75, 0.5 }, point(hit))
    near({ 0, 0, 1 }, normal(hit))
    near(0.25, hit.u)
    near(0.25, math.min(hit.v, 1 - hit.v))
    assert.equal("integer", math.type(hit.triangle))
    assert.is_true(hit.triangle >= 8 and hit.triangle <= 9)
    local fields = {}
    for field in palfrey.sortedPairs(hit) do fields[#fields + 1] = field end
    assert.equal("distance material name node nx ny nz triangle u v x y z", table.concat(fields, " "))
  end)

  it("tells the texture coordinates of the whole face", function()
    cube {}
    palfrey.testing.step()
    local corner = assert(ray({ -0.499, -0.499, 5 }, { 0, 0, -1 }))
    local opposite = assert(ray({ 0.499, 0.499, 5 }, { 0, 0, -1 }))
    within(0.01, { 0, 1 }, corner.u, opposite.u)
    within(0.01, 1, math.abs(corner.v - opposite.v))
    local middle = assert(ray({ 0.25, 0.001, 5 }, { 0, 0, -1 }))
    near(0.75, middle.u)
    within(0.01, 0.5, middle.v)
  end)

  it("tells the texture coordinates of an MD2 as its skin has them", function()
    world:addModel { model = "assets/man.md2" }
    palfrey.testing.step()
    local left = assert(ray({ -0.49, 0.02, -5 }, { 0, 0, 1 }))
    local right = assert(ray({ 0.49, 1.98, -5 }, { 0, 0, 1 }))
    within(0.02, { 0.25, 0.75 }, math.min(left.u, right.u), math.max(left.u, right.u))
    within(0.02, { 0.25, 0.75 }, math.min(left.v, right.v), math.max(left.v, right.v))
    within(0.02, 0.75, left.v) -- the lower end of the skin is at the feet
  end)

  it("takes a direction of any length, and a point to go to", function()
    cube {}
    palfrey.testing.step()
    for _, length in ipairs { 1e-3, 0.5, 1, 40, 1e5 } do
      near(4.5, assert(ray({ 0, 0, 5 }, { 0, 0, -length })).distance)
    end
    near(4.5, assert(world:raycast { from = { 0, 0, 5 }, to = { 0, 0, 0.4 } }).distance)
    assert.is_nil(world:raycast { from = { 0, 0, 5 }, to = { 0, 0, 0.6 } })
  end)

  it("ends at its range, 1000 metres where none is given", function()
    cube {}
    cube { position = { 10, 0, 1000.1 } }
    cube { position = { 20, 0, 999 } }
    palfrey.testing.step()
    assert.is_nil(ray({ 0, 0, 5 }, { 0, 0, -1 }, { range = 4.4 }))
    near(4.5, ray({ 0, 0, 5 }, { 0, 0, -1 }, { range = 4.6 }).distance)
    assert.is_nil(ray({ 10, 0, -0.5 }, { 0, 0, 1 }))
    near(999, ray({ 20, 0, -0.5 }, { 0, 0, 1 }).distance)
    near(1000.1, ray({ 10, 0, -0.5 }, { 0, 0, 1 }, { range = 2000 }).distance)
  end)

  it("goes by the range also towards a point, where both are given", function()
    cube {}
    palfrey.testing.step()
    assert.is_nil(world:raycast { from = { 0, 0, 5 }, to = { 0, 0, 0 }, range = 2 })
    near(4.5, world:raycast { from = { 0, 0, 5 }, to = { 0, 0, 4 }, range = 10 }.distance)
  end)

  it("of no length meets nothing", function()
    cube {}
    palfrey.testing.step()
    assert.is_nil(world:raycast { from = { 0, 0, 0 }, to = { 0, 0, 0 } })
  end)

  it("misses back faces unless asked, so from inside it meets the outside alone", function()
    cube {}
    palfrey.testing.step()
    assert.is_nil(ray({ 0, 0, 0 }, { 0, 0, -1 }))
    local hit = assert(ray({ 0, 0, 0 }, { 0, 0, -1 }, { backfaces = true }))
    near(0.5, hit.distance)
    near({ 0, 0, 1 }, normal(hit))
    hit = assert(ray({ 0, 0, 5 }, { 0, 0, -1 }, { backfaces = true }))
    near(4.5, hit.distance)
    cube { position = { 0, 0, -3 } }
    palfrey.testing.step()
    near(2.5, ray({ 0, 0, 0 }, { 0, 0, -1 }).distance)
  end)

  it("along a face, a wall's edge or past a corner gives numbers or nothing", function()
    cube {}
    palfrey.testing.step()
    for _, from in ipairs { { 0.5, 0, 5 }, { 0.5, 0.5, 5 }, { -0.5, -0.5, 5 }, { 0, 0.5, 5 } } do
      local hit = ray(from, { 0, 0, -1 })
      if hit then
        near(1, math.sqrt(hit.nx ^ 2 + hit.ny ^ 2 + hit.nz ^ 2))
        near(from[1], hit.x)
      end
    end
    assert.is_nil(ray({ 0.501, 0, 5 }, { 0, 0, -1 }))
    assert.is_nil(ray({ 0, 0, -5 }, { 0, 0, -1 }))
  end)

  it("goes through no crack between two triangles", function()
    world:addModel { model = "assets/floor.obj" }
    palfrey.testing.step()
    for i = -19, 19 do
      assert(ray({ i, 3, i }, { 0, -1, 0 }), "diagonal " .. i)
      assert(ray({ 0, 3, i }, { 0, -1, 0 }), "seam " .. i)
      assert(ray({ 0, 3, i }, { 1e-4 * i, -1, 0 }), "near the seam " .. i)
    end
  end)

  it("names the nearest named node above what it met", function()
    local group = world:addGroup { name = "Group" }
    local inner = world:addGroup { parent = group }
    local nameless = cube { parent = inner }
    palfrey.testing.step()
    local hit = assert(ray({ 0, 0, 5 }, { 0, 0, -1 }))
    assert.equal("Cube", hit.name)
    assert.equal(nameless:getChildren()[1], hit.node)
    hit.node:setName(nil)
    hit = assert(ray({ 0, 0, 5 }, { 0, 0, -1 }))
    assert.equal("Group", hit.name)
    group:setName(nil)
    assert.is_nil(ray({ 0, 0, 5 }, { 0, 0, -1 }).name)
  end)

  it("sees new nodes from the next step on, removed ones no more at once", function()
    local node = cube {}
    assert.is_nil(ray({ 0, 0, 5 }, { 0, 0, -1 }))
    palfrey.testing.step()
    assert(ray({ 0, 0, 5 }, { 0, 0, -1 }))
    node:remove()
    assert.is_nil(ray({ 0, 0, 5 }, { 0, 0, -1 }))
  end)

  it("sees places as the last step left them", function()
    local node = cube {}
    palfrey.testing.step()
    node:setPosition(0, 0, -2)
    near(4.5, ray({ 0, 0, 5 }, { 0, 0, -1 }).distance)
    palfrey.testing.step()
    near(6.5, ray({ 0, 0, 5 }, { 0, 0, -1 }).distance)
  end)

  it("passes through what is not pickable, and what is below that", function()
    local group = world:addGroup()
    local near1 = cube { parent = group }
    local far = cube { position = { 0, 0, -5 } }
    palfrey.testing.step()
    near1:setPickable(false)
    assert.equal(far, ray({ 0, 0, 5 }, { 0, 0, -1 }).node:getParent())
    near1:setPickable(true)
    group:setPickable(false)
    assert.equal(far, ray({ 0, 0, 5 }, { 0, 0, -1 }).node:getParent())
    group:setPickable(true)
    assert.equal(near1, ray({ 0, 0, 5 }, { 0, 0, -1 }).node:getParent())
  end)

  it("meets what is invisible all the same", function()
    cube {}:setVisible(false)
    palfrey.testing.step()
    assert(ray({ 0, 0, 5 }, { 0, 0, -1 }))
  end)

  it("passes through ignored nodes and all below them, one or a list", function()
    local group = world:addGroup()
    local first, second = cube { parent = group }, cube { position = { 0, 0, -2 } }
    local third = cube { position = { 0, 0, -4 } }
    palfrey.testing.step()
    local function meets(ignore)
      local hit = ray({ 0, 0, 5 }, { 0, 0, -1 }, { ignore = ignore })
      return hit and hit.node:getParent()
    end
    assert.equal(first, meets(nil))
    assert.equal(first, meets {})
    assert.equal(second, meets(group))
    assert.equal(second, meets { first })
    assert.equal(third, meets { group, second })
    assert.is_nil(meets { group, second, third })
  end)

  it("meets only the kinds in its mask", function()
    cube {}
    local npc = assert(world:addNPC { model = "assets/man.md2", position = { 0, -1, -4 } })
    local player = assert(world:addPlayer { model = "assets/man.md2", position = { 0, -1, -8 } })
    palfrey.testing.step()
    local function meets(...)
      local hit = ray({ 0, 0, 5 }, { 0, 0, -1 }, { mask = { ... } })
      return hit and hit.node
    end
    assert.equal("model", meets("model"):getKind())
    assert.equal(npc, meets "npc")
    assert.equal(player, meets "player")
    assert.equal(npc, meets("player", "npc"))
    assert.is_nil(meets "light")
    assert.is_nil(meets())
  end)

  it("with all gives one hit a node, nearest first, and an empty list for none", function()
    local boxes = {}
    for i = 1, 5 do boxes[i] = cube { name = "b" .. i, position = { 0, 0, ((i * 3) % 5) * -2 } } end
    local npc = assert(world:addNPC { name = "npc", model = "assets/man.md2", position = { 0, -1, -20 } })
    assert(npc:attach { model = "assets/stick.md2", position = { -1, 0, -2 } })
    palfrey.testing.step()
    local hits = ray({ 0, 0, 5 }, { 0, 0, -1 }, { all = true })
    assert.equal(6, #hits)
    for i = 1, 5 do near(4.5 + (i - 1) * 2, hits[i].distance) end
    assert.equal(npc, hits[6].node)
    assert.same({}, ray({ 0, 0, 5 }, { 0, 0, 1 }, { all = true }))
    assert.equal(1, #ray({ 0, 0, 5 }, { 0, 0, -1 }, { all = true, range = 5 }))
    assert.equal(5, #ray({ 0, 0, 5 }, { 0, 0, -1 }, { all = true, mask = { "model" } }))
    assert.equal(1, #ray({ 0, 0, 5 }, { 0, 0, -1 }, { all = true, ignore = boxes }))
  end)

  it("takes up to 64 ignored nodes", function()
    local boxes = {}
    for i = 1, 65 do boxes[i] = cube { position = { 0, 0, -i * 2 } } end
    palfrey.testing.step()
    local last = table.remove(boxes)
    assert.equal(last, ray({ 0, 0, 5 }, { 0, 0, -1 }, { ignore = boxes }).node:getParent())
    boxes[65] = last
    assert.match("64 nodes",
      support.raises(function() world:raycast { from = { 0, 0, 5 }, to = { 0, 0, 0 }, ignore = boxes } end))
  end)

  it("meets the right face of a scaled, mirrored or turned node, with a unit normal against it", function()
    local node = cube { scale = { -1, 1, 1 } }
    palfrey.testing.step()
    local hit = assert(ray({ 0.2, 0.1, 5 }, { 0, 0, -1 }))
    near(4.5, hit.distance)
    near({ 0, 0, 1 }, normal(hit))
    near({ 1, 0, 0 }, normal(assert(ray({ 5, 0.1, 0.2 }, { -1, 0, 0 }))))

    node:setScale(1, 4, 1)
    node:setRotation(45, 1, 0, 0)
    palfrey.testing.step()
    hit = assert(ray({ 0, 0, 5 }, { 0, 0, -1 }))
    near({ 0, -math.sqrt(0.5), math.sqrt(0.5) }, normal(hit))
    within(1e-3, math.sqrt(0.5), hit.z)

    node:setScale(-2, 0.5, -3)
    node:setHeading(30)
    palfrey.testing.step()
    for angle = 0, 350, 10 do
      local x, z = math.cos(math.rad(angle)), math.sin(math.rad(angle))
      hit = assert(ray({ 10 * x, 0.1, 10 * z }, { -x, 0, -z }))
      near(1, math.sqrt(hit.nx ^ 2 + hit.ny ^ 2 + hit.nz ^ 2))
      assert.is_true(hit.nx * -x + hit.nz * -z < 0)
      local _, _, _, maxX = node:getBounds()
      assert.is_true(math.abs(hit.x) <= maxX + 1e-3)
    end
  end)

  it("meets a node below an unevenly scaled and turned parent where it is", function()
    local parent = world:addGroup { scale = { 4, 1, 1 } }
    cube { parent = parent, heading = 45 }
    palfrey.testing.step()
    -- The corner of the turned cube is at sqrt(0.5), four times as far along x.
    near(10 - 4 * math.sqrt(0.5), assert(ray({ 10, 0, 0 }, { -1, 0, 0 })).distance)
    local hit = assert(ray({ 1, 0, 10 }, { 0, 0, -1 }))
    near(math.sqrt(0.5) - 1 / 4, hit.z)
    local length = math.sqrt(1 + 1 / 16)
    near({ 0.25 / length, 0, 1 / length }, normal(hit))
  end)

  it("meets very small, very large and very far things", function()
    cube { scale = 1e-3 }
    cube { position = { 5000, 0, 0 }, scale = 1000 }
    palfrey.testing.step()
    near(4.9995, assert(ray({ 0, 0, 5 }, { 0, 0, -1 })).distance)
    near({ 0, 0, 1 }, normal(assert(ray({ 0.0001, 0.0001, 5 }, { 0, 0, -1 }))))
    within(0.01, 500, assert(ray({ 4000, 0, 0 }, { 1, 0, 0 })).distance)
  end)
end)

describe("a ray at a posed model", function()
  local world, man
  before_each(function()
    world = palfrey.newWorld()
    man = assert(world:addNPC { name = "Man", model = "assets/man.md2" })
    palfrey.testing.step()
  end)

  local function at(x, y) return world:raycast { from = { x, y or 1, 5 }, direction = { 0, 0, -1 } } end

  it("sees the frame, not the rest pose", function()
    local hit = assert(at(0))
    near(4.5, hit.distance)
    near({ 0, 0, 1 }, normal(hit))
    assert.equal(man, hit.node)
    man:setFrame(8)
    palfrey.testing.step()
    assert.is_nil(at(0))
    near(4.5, assert(at(-4)).distance)
    man:setFrame(11)
    palfrey.testing.step()
    assert.is_nil(at(0, 0.6))
    assert(at(0, 0.4))
  end)

  it("sees the pose between two frames", function()
    man:play "slide"
    palfrey.testing.step(9)
    assert(at(-1.5 + 0.49))
    assert(at(-1.5 - 0.49))
    assert.is_nil(at(-1.5 + 0.51))
    assert.is_nil(at(-1.5 - 0.51))
  end)

  it("sees the pose of a fade", function()
    man:setFrame(8)
    palfrey.testing.step()
    man:play("stand", { fade = 0.5 })
    palfrey.testing.step(15)
    assert(at(-2))
    assert.is_nil(at(0))
    assert.is_nil(at(-4))
  end)

  it("sees the pose scaled, mirrored and turned", function()
    man:setFrame(8)
    man:setScale(-0.5, 1, 1)
    palfrey.testing.step()
    local hit = assert(at(2.1))
    near({ 0, 0, 1 }, normal(hit))
    assert.is_nil(at(2.3))
    man:setScale(1)
    man:setHeading(180)
    palfrey.testing.step()
    near({ 0, 0, 1 }, normal(assert(at(4))))
  end)

  it("knows many of one model by their own poses", function()
    local others = {}
    for i = 1, 4 do
      others[i] = assert(world:addNPC { model = "assets/man.md2", position = { 0, 0, -10 * i }, frame = 4 + i })
    end
    palfrey.testing.step()
    for i = 1, 4 do assert.equal(others[i], at(-i).node) end
    for i = 4, 1, -1 do assert.equal(others[i], at(-i).node) end
  end)

  it("is the shot's as well: it sees the pose on the screen", function()
    local player = world:addPlayer { position = { -4, 0, 5 }, height = 1.8 }
    man:setFrame(8)
    assert.is_nil(player:shoot())
    palfrey.testing.step()
    local hit = assert(player:shoot())
    assert.equal(man, hit.node)
    near({ -4, 1.62, 0.5 }, point(hit))
  end)
end)
