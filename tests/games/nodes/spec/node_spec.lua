local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local near, within = support.near, support.within

describe("a node", function()
  local world
  before_each(function() world = palfrey.newWorld() end)

  local function everyKind()
    return {
      group = world:addGroup(), model = assert(world:addModel { model = "assets/cube.obj" }),
      light = world:addLight {}, camera = world:addCamera(), player = world:addPlayer(),
      npc = assert(world:addNPC { model = "assets/man.md2" }),
    }
  end

  it("has its kind, and no name unless it was given one", function()
    for kind, node in palfrey.sortedPairs(everyKind()) do
      assert.equal(kind, node:getKind())
      assert.is_nil(node:getName())
      assert.equal(kind, tostring(node))
      node:setName "Anna"
      assert.equal(kind .. ' "Anna"', tostring(node))
      node:remove()
      assert.equal(kind .. " (removed)", tostring(node))
    end
  end)

  it("of any kind takes name, place, heading, scale and parent when it is made", function()
    local parent = world:addGroup { position = { 10, 0, 0 } }
    local place = { name = "Here", position = { 1, 2, 3 }, heading = 30, scale = { 1, 2, 3 }, parent = parent }
    local function make(method, extra)
      local options = {}
      for key, value in palfrey.sortedPairs(place) do options[key] = value end
      for key, value in palfrey.sortedPairs(extra or {}) do options[key] = value end
      return assert(world[method](world, options))
    end
    local model = { model = "assets/man.md2" }
    local nodes = { make "addGroup", make("addModel", model), make("addLight", { direction = nil }), make "addCamera",
                    make "addPlayer", make("addNPC", model) }
    for _, node in ipairs(nodes) do
      assert.equal("Here", node:getName())
      near({ 1, 2, 3 }, node:getPosition())
      near({ 11, 2, 3 }, node:getWorldPosition())
      near({ 1, 2, 3 }, node:getScale())
      assert.equal(parent, node:getParent())
      near(30, node:getHeading())
    end
    assert.same(nodes, parent:getChildren())
  end)

  it("gives back the numbers it was given", function()
    local node = world:addGroup()
    near({ 0, 0, 0 }, node:getPosition())
    near({ 1, 1, 1 }, node:getScale())
    near(0, node:getHeading())
    node:setPosition(-1.5, 2.25, 1000.125)
    near({ -1.5, 2.25, 1000.125 }, node:getPosition())
    node:setScale(2)
    near({ 2, 2, 2 }, node:getScale())
    node:setScale(-1, 0.5, 3)
    near({ -1, 0.5, 3 }, node:getScale())
    for _, heading in ipairs { 37.5, -90, 180, 270, 720, 0 } do
      node:setHeading(heading)
      assert.equal(heading, node:getHeading())
    end
    node:setRotation(40, 0, 0, 2)
    local angle, x, y, z = node:getRotation()
    near(40, angle)
    assert.is_true(x == 0 and y == 0 and z > 0)
  end)

  it("tells a heading as a rotation about +Y, and a rotation about +Y as a heading", function()
    local node = world:addGroup { heading = 50 }
    near({ 50, 0, 1, 0 }, node:getRotation())
    node:setRotation(70, 0, 3, 0)
    near(70, node:getHeading())
    node:setRotation(70, 0, -1, 0)
    near(-70, node:getHeading())
    local turned = world:addGroup { rotation = { 90, 0, 1, 0 } }
    near(90, turned:getHeading())
  end)

  it("is one value as long as it lives, whoever asks for it", function()
    for kind, node in palfrey.sortedPairs(everyKind()) do
      node:setName(kind)
      local byKey = { [node] = kind }
      collectgarbage()
      local found = world:find(kind)
      assert.is_true(rawequal(node, found))
      assert.equal(kind, byKey[found])
      for same in world:each(kind) do
        if same:getName() == kind then assert.is_true(rawequal(node, same)) end
      end
    end
  end)

  it("keeps a table of the script's own that is not another node's", function()
    local a, b = world:addGroup { name = "a" }, world:addGroup { name = "b" }
    a:getData().score = 7
    b:getData().score = 8
    collectgarbage()
    assert.equal(7, world:find("a"):getData().score)
    assert.equal(8, world:find("b"):getData().score)
    assert.is_true(rawequal(a:getData(), a:getData()))
  end)

  it("keeps the data of a node to which no Lua variable leads", function()
    world:addGroup { name = "lonely" }:getData().word = "kept"
    collectgarbage()
    collectgarbage()
    assert.equal("kept", world:find("lonely"):getData().word)
  end)

  it("does not hand its data on to the next node in its place", function()
    local old = world:addGroup { name = "x" }
    old:getData().secret = true
    old:remove()
    local new = world:addGroup { name = "x" }
    assert.is_nil(new:getData().secret)
    assert.not_equal(old, new)
    assert.is_false(old:isAlive())
    assert.is_true(new:isAlive())
  end)

  it("hides its metatable", function()
    assert.is_false(getmetatable(world:addGroup()))
    assert.is_false(getmetatable(world))
    assert.is_false(pcall(setmetatable, world:addGroup(), {}))
  end)

  it("is visible and pickable until it is told otherwise, by itself alone", function()
    local parent = world:addGroup()
    local child = world:addGroup { parent = parent }
    assert.is_true(child:isVisible() and child:isPickable())
    parent:setVisible(false)
    parent:setPickable(false)
    assert.is_true(child:isVisible() and child:isPickable())
    assert.is_false(parent:isVisible() or parent:isPickable())
    parent:setVisible(true)
    parent:setPickable(true)
    assert.is_true(parent:isVisible() and parent:isPickable())
  end)
end)

describe("directions", function()
  local world
  before_each(function() world = palfrey.newWorld() end)

  -- Where a point of a node's own space is in the world.
  local function inWorld(node, x, y, z)
    local probe = world:addGroup { parent = node, position = { x, y, z } }
    local wx, wy, wz = probe:getWorldPosition()
    probe:remove()
    return wx, wy, wz
  end

  it("of heading 0 look along -Z, and grow to the left", function()
    local node = world:addGroup()
    for heading, ahead in palfrey.sortedPairs { [0] = { 0, 0, -1 }, [90] = { -1, 0, 0 }, [180] = { 0, 0, 1 },
                                                [-90] = { 1, 0, 0 } } do
      node:setHeading(heading)
      near(ahead, inWorld(node, 0, 0, -1))
    end
  end)

  it("turn about any axis by the right hand", function()
    local node = world:addGroup()
    node:setRotation(90, 1, 0, 0)
    near({ 0, 1, 0 }, inWorld(node, 0, 0, -1))
    near({ 0, 0, 1 }, inWorld(node, 0, 1, 0))
    node:setRotation(90, 0, 0, 5)
    near({ 0, 1, 0 }, inWorld(node, 1, 0, 0))
    node:setRotation(120, 1, 1, 1)
    near({ 0, 1, 0 }, inWorld(node, 1, 0, 0))
    near({ 0, 0, 1 }, inWorld(node, 0, 1, 0))
  end)

  it("scale first, then turn, then move", function()
    local node = world:addGroup { position = { 10, 0, 0 }, heading = 90, scale = { 1, 2, 3 } }
    near({ 7, 0, 0 }, inWorld(node, 0, 0, -1))
    near({ 10, 0, -1 }, inWorld(node, 1, 0, 0))
    near({ 10, 2, 0 }, inWorld(node, 0, 1, 0))
  end)

  it("mirror with a negative scale", function()
    local node = world:addGroup { scale = { -1, 1, 1 } }
    near({ -2, 3, 4 }, inWorld(node, 2, 3, 4))
    local below = world:addGroup { parent = node, position = { 5, 0, 0 }, heading = 90 }
    near({ -5 + 1, 0, 0 }, inWorld(below, 0, 0, -1))
  end)

  it("look at a point of the world, from anywhere", function()
    local node = world:addGroup { position = { 1, 1, 1 } }
    for _, point in ipairs { { 5, 1, 1 }, { 1, 1, 8 }, { -3, 4, 2 }, { 1, 9, 1 }, { 1, -9, 1 } } do
      node:lookAt(table.unpack(point))
      local distance = math.sqrt((point[1] - 1) ^ 2 + (point[2] - 1) ^ 2 + (point[3] - 1) ^ 2)
      near(point, inWorld(node, 0, 0, -distance))
    end
    local heading = node:getHeading()
    node:lookAt(1, 1, 1)
    assert.equal(heading, node:getHeading())
  end)

  it("look at a point of the world also from below a turned parent", function()
    local parent = world:addGroup { position = { 3, 0, -2 }, rotation = { 55, 1, 2, 3 }, scale = 2 }
    local node = world:addGroup { parent = parent, position = { 1, 0, 0 } }
    node:lookAt(-4, 5, 6)
    local x, y, z = node:getWorldPosition()
    local distance = math.sqrt((-4 - x) ^ 2 + (5 - y) ^ 2 + (6 - z) ^ 2)
    near({ -4, 5, 6 }, inWorld(node, 0, 0, -distance / 2))
  end)
end)

describe("parents", function()
  local world
  before_each(function() world = palfrey.newWorld() end)

  it("carry their children along", function()
    local parent = world:addGroup { position = { 1, 0, 0 } }
    local child = world:addGroup { parent = parent, position = { 0, 0, -2 } }
    local grandchild = world:addGroup { parent = child, position = { 0, 1, 0 } }
    near({ 1, 1, -2 }, grandchild:getWorldPosition())
    parent:setHeading(90)
    near({ -1, 1, 0 }, grandchild:getWorldPosition())
    parent:setScale(2)
    near({ -3, 2, 0 }, grandchild:getWorldPosition())
    near({ 0, 1, 0 }, grandchild:getPosition())
  end)

  it("are nil at the top; setParent(nil) puts a node there", function()
    local parent = world:addGroup()
    local child = world:addGroup { parent = parent }
    assert.is_nil(parent:getParent())
    assert.equal(parent, child:getParent())
    child:setParent(nil)
    assert.is_nil(child:getParent())
    assert.same({}, parent:getChildren())
  end)

  it("change without moving the node in the world", function()
    local old = world:addGroup { position = { 1, 2, 3 }, heading = 40, scale = 2 }
    local new = world:addGroup { position = { -4, 0, 1 }, rotation = { 70, 1, 0, 1 }, scale = 0.5 }
    local node = world:addGroup { parent = old, position = { 1, 1, 1 }, heading = 10 }
    local tip = world:addGroup { parent = node, position = { 0.5, -1, 2 } }
    local at, tipAt = { node:getWorldPosition() }, { tip:getWorldPosition() }
    for _, parent in ipairs { new, old, new } do
      node:setParent(parent)
      assert.equal(parent, node:getParent())
      near(at, node:getWorldPosition())
      near(tipAt, tip:getWorldPosition())
    end
    node:setParent(nil)
    near(at, node:getPosition())
    near(tipAt, tip:getWorldPosition())
    near({ 2, 2, 2 }, node:getScale())
    near(50, node:getHeading())
  end)

  it("change without moving the node also where a parent mirrors", function()
    local mirror = world:addGroup { position = { 1, 0, 0 }, heading = 30, scale = { -1, 1, 1 } }
    local node = world:addGroup { position = { 2, 3, 4 }, heading = 20 }
    local tip = world:addGroup { parent = node, position = { 1, 2, -3 } }
    local tipAt = { tip:getWorldPosition() }
    node:setParent(mirror)
    near({ 2, 3, 4 }, node:getWorldPosition())
    near(tipAt, tip:getWorldPosition())
    node:setParent(nil)
    near({ 2, 3, 4 }, node:getPosition())
    near(tipAt, tip:getWorldPosition())
  end)

  it("list their children in the order in which they came", function()
    local parent = world:addGroup()
    local a = world:addGroup { parent = parent }
    local b, c = world:addGroup(), world:addGroup { parent = parent }
    assert.same({ a, c }, parent:getChildren())
    assert.same({ a, c }, parent:getChildren(1, {}))
    b:setParent(parent)
    assert.same({ a, c, b }, parent:getChildren())
    a:setParent(parent)
    assert.same({ c, b, a }, parent:getChildren())
    c:remove()
    assert.same({ b, a }, parent:getChildren())
  end)

  it("cannot be the node itself or one below it", function()
    local a = world:addGroup()
    local b = world:addGroup { parent = a }
    local c = world:addGroup { parent = b }
    for _, parent in ipairs { a, b, c } do
      local message = support.raises(function() a:setParent(parent) end)
      assert.match("child of itself", message)
    end
    assert.is_nil(a:getParent())
    assert.equal(b, c:getParent())
  end)

  it("can be deep", function()
    local node = world:addGroup()
    local top = node
    for _ = 1, 1000 do node = world:addGroup { parent = node, position = { 0, 1, 0 } } end
    near({ 0, 1000, 0 }, node:getWorldPosition())
    palfrey.testing.step()
    top:remove()
    assert.is_false(node:isAlive())
  end)
end)

describe("bounds and centre", function()
  local world
  before_each(function() world = palfrey.newWorld() end)

  it("are those of the mesh in the world", function()
    local cube = assert(world:addModel { model = "assets/cube.obj", position = { 1, 2, 3 } })
    near({ 0.5, 1.5, 2.5, 1.5, 2.5, 3.5 }, cube:getBounds())
    near({ 1, 2, 3 }, cube:getCenter())
    cube:setScale(2, 4, -6)
    near({ 0, 0, 0, 2, 4, 6 }, cube:getBounds())
    cube:setScale(1)
    cube:setHeading(45)
    local half = math.sqrt(0.5)
    near({ 1 - half, 1.5, 3 - half, 1 + half, 2.5, 3 + half }, cube:getBounds())
  end)

  it("follow parents that are turned and unevenly scaled", function()
    local parent = world:addGroup { heading = 90, scale = { 1, 1, 4 } }
    local cube = assert(world:addModel { model = "assets/cube.obj", parent = parent, position = { 0, 0, -1 } })
    near({ -6, -0.5, -0.5, -2, 0.5, 0.5 }, cube:getBounds())
    near({ -6, -0.5, -0.5, -2, 0.5, 0.5 }, parent:getBounds())
  end)

  it("are at once those of a new place, without a step", function()
    local cube = assert(world:addModel { model = "assets/cube.obj" })
    cube:setPosition(10, 0, 0)
    near({ 10, 0, 0 }, cube:getCenter())
  end)

  it("hold everything below the node", function()
    local group = world:addGroup { position = { 0, 1, 0 } }
    local one = assert(world:addModel { model = "assets/cube.obj", parent = group, position = { 2, 0, 0 } })
    world:addModel { model = "assets/cube.obj", parent = group, position = { -4, 0, 0 } }
    near({ -4.5, 0.5, -0.5, 2.5, 1.5, 0.5 }, group:getBounds())
    one:remove()
    near({ -4.5, 0.5, -0.5, -3.5, 1.5, 0.5 }, group:getBounds())
  end)

  it("of the parts of a model are the parts'", function()
    world:addModel { model = "assets/yard.obj", position = { 100, 0, 0 } }
    near({ 104, 0, -0.5, 105, 1, 0.5 }, world:find("Crate"):getBounds())
    near({ 104.5, 0.5, 0 }, world:find("Crate"):getCenter())
    near({ 95, 0, -10.25, 105, 4, -10 }, world:find("Wall"):getBounds())
  end)

  it("of a node with nothing to see are its place; of a player its body", function()
    local group = world:addGroup { position = { 1, 2, 3 } }
    near({ 1, 2, 3, 1, 2, 3 }, group:getBounds())
    near({ 1, 2, 3 }, world:addCamera { position = { 1, 2, 3 } }:getCenter())
    local player = world:addPlayer { position = { 5, 0, 0 }, radius = 0.5, height = 2 }
    near({ 4.5, 0, -0.5, 5.5, 2, 0.5 }, player:getBounds())
    near({ 5, 1, 0 }, player:getCenter())
  end)

  it("of an animated model are those of its pose", function()
    local man = assert(world:addModel { model = "assets/man.md2", position = { 0, 0, 5 } })
    near({ -0.5, 0, 4.5, 0.5, 2, 5.5 }, man:getBounds())
    man:setFrame(8)
    palfrey.testing.step()
    near({ -4.5, 0, 4.5, -3.5, 2, 5.5 }, man:getBounds())
    man:setFrame(11)
    palfrey.testing.step()
    near({ -0.5, 0, 4.5, 0.5, 0.5, 5.5 }, man:getBounds())
  end)

  it("stay finite for models far away and very small", function()
    local cube = assert(world:addModel { model = "assets/cube.obj", position = { 1e6, 0, 0 }, scale = 1e-3 })
    within(0.1, { 1e6, 0, 0 }, cube:getCenter())
    for _, number in ipairs { cube:getBounds() } do assert.is_true(math.abs(number) < 2e6) end
  end)
end)
