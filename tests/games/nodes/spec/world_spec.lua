local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local near, raises = support.near, support.raises

describe("a world", function()
  it("has the colours, the fog and the view mode it was given", function()
    local world = palfrey.newWorld { ambient = { 0.25, 0.5, 0.75 }, background = { 0.125, 0, 1 } }
    near({ 0.25, 0.5, 0.75 }, world:getAmbient())
    near({ 0.125, 0, 1 }, world:getBackground())
    world:setAmbient(1, 0.5, 0)
    world:setBackground(0, 0.25, 0.5)
    near({ 1, 0.5, 0 }, world:getAmbient())
    near({ 0, 0.25, 0.5 }, world:getBackground())
    assert.equal("textured", world:getViewMode())
    for _, mode in ipairs { "shaded", "flat", "wire", "textured" } do
      world:setViewMode(mode)
      assert.equal(mode, world:getViewMode())
    end
  end)

  it("is dim and black unless told otherwise", function()
    local world = palfrey.newWorld()
    near({ 0.2, 0.2, 0.2 }, world:getAmbient())
    near({ 0, 0, 0 }, world:getBackground())
    assert.is_nil(world:getCamera())
  end)

  it("says what it is", function()
    local world = palfrey.newWorld()
    assert.equal("world", tostring(world))
    assert.equal("userdata", type(world))
  end)

  it("made last is the one that is stepped", function()
    local first = palfrey.newWorld()
    local falling = first:addPlayer { position = { 0, 5, 0 } }
    first:addModel { model = "assets/floor.obj", collide = "mesh" }
    palfrey.testing.step(5)
    local _, before = falling:getPosition()
    local second = palfrey.newWorld()
    palfrey.testing.step(5)
    local _, after = falling:getPosition()
    assert.is_true(before < 5)
    assert.equal(before, after)
    assert.is_nil(second:find "Ground")
  end)

  it("stays usable while it is not the one that is stepped", function()
    local first = palfrey.newWorld()
    local group = first:addGroup { name = "here" }
    palfrey.newWorld()
    collectgarbage()
    palfrey.testing.step()
    group:setPosition(1, 2, 3)
    near({ 1, 2, 3 }, group:getWorldPosition())
    assert.equal(group, first:find "here")
  end)

  it("lives as long as one of its nodes is held", function()
    local group = palfrey.newWorld():addGroup { name = "held" }
    palfrey.newWorld()
    collectgarbage()
    collectgarbage()
    assert.is_true(group:isAlive())
    assert.equal("held", group:getName())
  end)

  it("can be made many times without holding on to memory", function()
    local function make()
      for _ = 1, 50 do
        local world = palfrey.newWorld()
        for i = 1, 20 do world:addGroup { name = "g" .. i }:getData().self = world end
      end
      collectgarbage()
      collectgarbage()
    end
    make()
    local before = collectgarbage "count"
    make()
    make()
    assert.is_true(collectgarbage "count" < before + 200)
  end)

  it("of a game is not the one of another: nodes cannot be mixed", function()
    local first, second = palfrey.newWorld(), palfrey.newWorld()
    local stranger = first:addGroup()
    local own = second:addGroup()
    local camera = first:addCamera()
    assert.match("another world", raises(function() own:setParent(stranger) end))
    assert.match("another world", raises(function() second:addGroup { parent = stranger } end))
    assert.match("another world", raises(function() second:setCamera(camera) end))
    assert.match("another world", raises(function() second:addCamera { follow = stranger } end))
    local player = second:addPlayer()
    local walker = assert(second:addNPC { model = "assets/man.md2" })
    assert.match("another world", raises(function() player:damage(1, stranger) end))
    assert.match("another world", raises(function() walker:follow(stranger) end))
    assert.match("another world",
      raises(function() second:raycast { from = { 0, 0, 0 }, to = { 1, 0, 0 }, ignore = stranger } end))
  end)
end)

describe("find, findAll and each", function()
  local world, first, second, third
  before_each(function()
    world = palfrey.newWorld()
    first = world:addGroup { name = "twin" }
    second = world:addCamera { name = "twin" }
    third = world:addLight { name = "other" }
  end)

  local function visited(kind)
    local nodes = {}
    for node in world:each(kind) do nodes[#nodes + 1] = node end
    return nodes
  end

  it("give the first of a name, all of it, and nil or nothing for none", function()
    assert.equal(first, world:find "twin")
    assert.same({ first, second }, world:findAll "twin")
    assert.is_nil(world:find "nobody")
    assert.same({}, world:findAll "nobody")
    assert.is_nil(world:find "")
  end)

  it("follow a change of the name", function()
    first:setName "single"
    assert.equal(second, world:find "twin")
    assert.equal(first, world:find "single")
    first:setName(nil)
    assert.is_nil(first:getName())
    assert.is_nil(world:find "single")
    third:setName "twin"
    assert.same({ second, third }, world:findAll "twin")
  end)

  it("walk in the order of making, over all nodes or one kind", function()
    assert.same({ first, second, third }, visited())
    assert.same({ second }, visited "camera")
    assert.same({}, visited "npc")
    local fourth = world:addGroup { parent = third }
    assert.same({ first, fourth }, visited "group")
  end)

  it("find the parts of a model", function()
    local yard = assert(world:addModel { name = "Yard", model = "assets/yard.obj" })
    local crate = assert(world:find "Crate")
    assert.equal("model", crate:getKind())
    assert.equal(yard, crate:getParent())
    assert.equal("Floor Wall Crate", support.names(yard:getChildren()))
    assert.same({ yard, world:find "Floor", world:find "Wall", crate }, visited "model")
  end)

  it("leave out nodes made and removed while walking", function()
    local seen = {}
    for node in world:each() do
      seen[#seen + 1] = node
      world:addGroup { name = "new" }
      if node == first then second:remove() end
    end
    assert.same({ first, third }, seen)
    assert.equal(2, #world:findAll "new")
  end)

  it("let the node at hand be removed while walking", function()
    local count = 0
    for node in world:each() do
      node:remove()
      count = count + 1
    end
    assert.equal(3, count)
    assert.same({}, visited())
  end)

  it("can be walked by two loops at a time", function()
    local pairsSeen = 0
    for _ in world:each() do
      for _ in world:each() do pairsSeen = pairsSeen + 1 end
    end
    assert.equal(9, pairsSeen)
  end)

  it("take any text as a name, also of no ASCII and very long", function()
    local long = ("x"):rep(5000)
    for _, name in ipairs { "Zoë", "名前", "a b\nc", long, "\"'\\" } do
      local node = world:addGroup { name = name }
      assert.equal(name, node:getName())
      assert.equal(node, world:find(name))
    end
  end)

  it("take an empty text as a name that is found", function()
    local node = world:addGroup { name = "" }
    assert.equal("", node:getName())
    assert.equal(node, world:find "")
  end)
end)
