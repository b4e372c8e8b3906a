local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local raises = support.raises

describe("a removed node", function()
  local world
  before_each(function() world = palfrey.newWorld() end)

  local function make()
    return {
      group = world:addGroup(), model = assert(world:addModel { model = "assets/cube.obj" }),
      light = world:addLight {}, camera = world:addCamera(), player = world:addPlayer(),
      npc = assert(world:addNPC { model = "assets/man.md2" }),
    }
  end

  -- Every method there is, with arguments that a living node would take.
  local ARGUMENTS = {
    group = { getName = {}, setName = { "x" }, getKind = {}, getParent = {}, setParent = { nil, n = 1 },
              getChildren = {}, getPosition = {}, setPosition = { 0, 0, 0 }, getWorldPosition = {}, getHeading = {},
              setHeading = { 1 }, getRotation = {}, setRotation = { 1, 0, 1, 0 }, lookAt = { 1, 2, 3 }, getScale = {},
              setScale = { 1 }, getCenter = {}, getBounds = {}, isVisible = {}, setVisible = { true },
              isPickable = {}, setPickable = { true }, getData = {}, remove = {},
              on = { "hit", print }, off = { "hit" } },
    model = { setSkin = { "assets/blue.png" }, getSkin = {}, getClips = {}, play = { "stand" }, stop = {},
              isPlaying = {}, getClip = {}, getFrame = {}, setFrame = { 0 }, addMarker = { "stand", 0, "x" },
              attach = { { model = "assets/cube.obj" } } },
    light = { getColor = {}, setColor = { 1, 1, 1 }, getIntensity = {}, setIntensity = { 1 },
              setDirection = { 0, -1, 0 } },
    camera = { toRay = { 1, 1 }, toScreen = { 0, 0, 0 }, getFov = {}, setFov = { 60 }, getMode = {},
               setMode = { "fixed" }, setFollow = { nil, n = 1 }, setOrbit = { 0, 0 } },
    npc = { getHealth = {}, setHealth = { 1 }, damage = { 1 }, isDead = {}, getVelocity = {}, isOnGround = {},
            shoot = {}, idle = {}, walkTo = { 0, 0, 0 }, patrol = { { { 0, 0, 0 } } }, getGoal = {} },
    player = { getHealth = {}, setHealth = { 1 }, damage = { 1 }, isDead = {}, getVelocity = {}, isOnGround = {},
               shoot = {}, move = { 0, 0 }, look = { 0, 0 }, getPitch = {}, jump = {} },
  }

  it("raises '<kind> was removed' at the caller's line for every method but isAlive", function()
    for kind, node in palfrey.sortedPairs(make()) do
      node:remove()
      assert.is_false(node:isAlive())
      for _, methods in ipairs { ARGUMENTS.group, ARGUMENTS[kind] } do
        for method, arguments in palfrey.sortedPairs(methods) do
          local message = raises(function() local _ = node[method](node, table.unpack(arguments, 1, arguments.n)) end)
          assert.equal(kind .. " was removed", message)
        end
      end
    end
  end)

  it("raises as an option or argument of others too", function()
    local nodes = make()
    local gone, camera, npc, player = world:addGroup(), nodes.camera, nodes.npc, nodes.player
    gone:remove()
    local zero = { 0, 0, 0 }
    for _, call in ipairs {
      function() world:addGroup { parent = gone } end,
      function() world:addModel { model = "assets/cube.obj", parent = gone } end,
      function() world:addCamera { follow = gone } end,
      function() world:addCamera { target = gone } end,
      function() world:raycast { from = zero, direction = { 0, 0, 1 }, ignore = gone } end,
      function() world:raycast { from = zero, direction = { 0, 0, 1 }, ignore = { npc, gone } } end,
      function() world:sweep { from = zero, to = { 0, 0, 1 }, ignore = gone } end,
      function() world:overlap { position = zero, ignore = { gone } } end,
      function() npc:follow(gone) end,
      function() npc:flee(gone) end,
      function() npc:face(gone) end,
      function() npc:damage(1, gone) end,
      function() player:setParent(gone) end,
      function() camera:setFollow(gone) end,
    } do
      assert.equal("group was removed", raises(call))
    end
  end)

  it("raises as the camera of a world", function()
    local camera = world:addCamera()
    camera:remove()
    assert.equal("camera was removed", raises(function() world:setCamera(camera) end))
    assert.is_nil(world:getCamera())
  end)

  it("takes all below it along, and nothing else", function()
    local top = world:addGroup()
    local middle = world:addGroup { parent = top }
    local low, other = world:addGroup { parent = middle }, world:addGroup()
    middle:remove()
    assert.is_true(top:isAlive() and other:isAlive())
    assert.is_false(middle:isAlive() or low:isAlive())
    assert.same({}, top:getChildren())
  end)

  it("takes the parts of its model along", function()
    local yard = assert(world:addModel { model = "assets/yard.obj" })
    local crate = world:find "Crate"
    yard:remove()
    assert.is_false(crate:isAlive())
    assert.is_nil(world:find "Wall")
    assert.equal("model was removed", raises(function() crate:getName() end))
  end)

  it("can be a part of a model; the others stay", function()
    local yard = assert(world:addModel { model = "assets/yard.obj", collide = "mesh" })
    world:find("Crate"):remove()
    palfrey.testing.step()
    assert.equal("Floor Wall", support.names(yard:getChildren()))
    assert.is_nil(world:raycast { from = { 4.5, 0.5, 5 }, direction = { 0, 0, -1 }, range = 6 })
    assert.same({}, world:overlap { position = { 4.5, 0.6, 0 }, radius = 0.2 })
  end)

  it("can go in any order, in any kind of mixture", function()
    math.randomseed(11)
    for _ = 1, 20 do
      local nodes = {}
      for i = 1, 30 do
        local parent = nodes[math.random(0, #nodes)]
        if parent and not parent:isAlive() then parent = nil end
        local kind = i % 6
        nodes[i] = kind == 0 and world:addGroup { parent = parent }
          or kind == 1 and assert(world:addModel { model = "assets/man.md2", parent = parent, collide = "box" })
          or kind == 2 and world:addLight { parent = parent }
          or kind == 3 and world:addCamera { parent = parent }
          or kind == 4 and world:addPlayer { parent = parent }
          or assert(world:addNPC { model = "assets/man.md2", parent = parent, animation = "stand" })
        if math.random() < 0.2 then
          local victim = nodes[math.random(#nodes)]
          if victim:isAlive() then victim:remove() end
        end
      end
      palfrey.testing.step()
      while #nodes > 0 do
        local node = table.remove(nodes, math.random(#nodes))
        if node:isAlive() then node:remove() end
        assert.is_false(node:isAlive())
        if math.random() < 0.1 then palfrey.testing.step() end
      end
    end
    for node in world:each() do error("still there: " .. tostring(node)) end
  end)

  it("leaves handles that do not become others' by many makings in their place", function()
    local old = {}
    for i = 1, 200 do
      local node = world:addGroup { name = "n" .. i }
      node:remove()
      old[i] = node
    end
    local new = world:addGroup { name = "new" }
    for _, node in ipairs(old) do
      assert.is_false(node:isAlive())
      assert.is_false(node == new)
    end
  end)

  it("is still equal to itself and good as a key", function()
    local node = world:addGroup()
    local seen = { [node] = "x" }
    node:remove()
    assert.equal(node, node)
    assert.equal("x", seen[node])
  end)
end)

describe("removing in handlers", function()
  local world, player, npc, other
  before_each(function()
    world = support.world()
    player = world:addPlayer { name = "Hero", position = { 0, 0, 5 } }
    npc = assert(world:addNPC { name = "One", model = "assets/man.md2", position = { 0, 0, 0 }, health = 10 })
    other = assert(world:addNPC { name = "Two", model = "assets/man.md2", position = { 4, 0, 0 }, health = 10 })
    palfrey.testing.step(2)
  end)

  it("of hit: death is still told to the world, with the name", function()
    local told = {}
    npc:on("hit", function(event) event.node:remove() end)
    npc:on("death", function() told[#told + 1] = "own" end)
    world:on("death", function(event) told[#told + 1] = event.name .. tostring(event.node:isAlive()) end)
    assert(player:shoot { damage = 50 })
    palfrey.testing.step(3)
    assert.same({ "Onefalse" }, told)
  end)

  it("of the world's hit: the node's own death handler is not called any more", function()
    local own = 0
    npc:on("death", function() own = own + 1 end)
    world:on("hit", function(event) if event.node:isAlive() then event.node:remove() end end)
    npc:damage(50, player)
    palfrey.testing.step(3)
    assert.equal(0, own)
  end)

  it("of death: the later handlers of the same event are still called", function()
    local calls = {}
    npc:on("death", function() calls[#calls + 1] = 1 npc:remove() end)
    npc:on("death", function(event) calls[#calls + 1] = event.node:isAlive() and "alive" or "gone" end)
    npc:damage(10)
    palfrey.testing.step(2)
    assert.same({ 1, "gone" }, calls)
  end)

  it("of another node: it goes, its own events are told to the world alone", function()
    local own, all = 0, 0
    npc:on("hit", function() other:remove() end)
    other:on("hit", function() own = own + 1 end)
    world:on("hit", function() all = all + 1 end)
    npc:damage(1)
    other:damage(1)
    palfrey.testing.step(2)
    assert.equal(0, own)
    assert.equal(2, all)
    assert.is_true(npc:isAlive())
    assert.is_false(other:isAlive())
  end)

  it("of everything at once leaves a world that goes on", function()
    npc:on("hit", function()
      for node in world:each() do node:remove() end
    end)
    npc:damage(1)
    other:damage(100)
    palfrey.testing.step(3)
    for node in world:each() do error("still there: " .. tostring(node)) end
    assert(world:addNPC { model = "assets/man.md2" }):damage(1)
    palfrey.testing.step(3)
  end)

  it("of marker, clipEnd and arrived", function()
    local function gone(event, node, act)
      node:on(event, function() node:remove() end)
      act()
      palfrey.testing.step(120)
      assert.is_false(node:isAlive())
    end
    gone("marker", npc, function()
      npc:addMarker("stand", 2, "m")
      npc:play "stand"
    end)
    gone("clipEnd", other, function() other:play("stand", { loop = false }) end)
    local walker = assert(world:addNPC { model = "assets/man.md2", position = { -4, 0, 0 } })
    gone("arrived", walker, function() walker:walkTo(-4, 0, 2) end)
  end)

  it("of touch: both hear of it although one is gone", function()
    local heard = {}
    world:on("touch", function(event) heard[#heard + 1] = tostring(event.name) end)
    npc:on("touch", function() npc:remove() end)
    npc:walkTo(4, 0, 0)
    palfrey.testing.step(180)
    assert.is_false(npc:isAlive())
    table.sort(heard)
    assert.same({ "One", "Two" }, heard)
  end)

  it("of a callback of input or update, and new nodes in their place", function()
    function palfrey.update()
      if npc:isAlive() then
        npc:remove()
        npc = assert(world:addNPC { name = "Heir", model = "assets/man.md2" })
      end
    end
    palfrey.testing.step(50)
    palfrey.update = nil
    assert.equal("Heir", npc:getName())
    assert.equal(1, #world:findAll "Heir")
  end)

  it("of the shooter before its shot is dealt: the hit is told without it", function()
    local by = "unset"
    npc:on("hit", function(event) by = event.by and event.by:isAlive() end)
    player:shoot { damage = 3 }
    player:remove()
    palfrey.testing.step(2)
    assert.is_false(by)
    support.near(7, npc:getHealth())
  end)

  it("of the victim between two shots of one step", function()
    player:shoot { damage = 3 }
    npc:remove()
    palfrey.testing.step(2)
    local hit = player:shoot { damage = 3 }
    assert.is_nil(hit)
  end)
end)
