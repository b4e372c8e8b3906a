local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local near, raises = support.near, support.raises

local function write(name, text)
  assert(palfrey.files.write(name, text))
  return name
end

local function count(world)
  local number = 0
  for _ in world:each() do number = number + 1 end
  return number
end

describe("loading a level", function()
  local world
  before_each(function() world = palfrey.newWorld() end)

  it("makes what the file lists, and gives the nodes by their names", function()
    local nodes = assert(world:load "places/yard.lua")
    for name, kind in palfrey.sortedPairs { Yard = "model", Crate = "model", Statue = "model", Stick = "model",
      Sun = "light", Hero = "player", Guard = "npc", Upper = "group", Eye = "camera" } do
      assert.equal(kind, nodes[name]:getKind())
      assert.equal(world:find(name), nodes[name])
    end
    near({ 0.25, 0.5, 0.75 }, world:getAmbient())
    near({ 0.125, 0.25, 0.5 }, world:getBackground())
    assert.equal("shaded", world:getViewMode())
    near(20, nodes.Guard:getHealth())
    assert.is_true(nodes.Guard:isPlaying "run")
    assert.is_false(nodes.Crate:isVisible())
    assert.is_true(nodes.Wall:isVisible())
  end)

  it("finds references in any order", function()
    local nodes = assert(world:load "places/yard.lua")
    assert.equal(nodes.Upper, nodes.Lower:getParent())
    near({ 10, 0, -1 }, nodes.Statue:getWorldPosition())
    assert.equal(nodes.Guard, nodes.Stick:getParent())
    assert.equal(nodes.Eye, world:getCamera())
    assert.equal("third", nodes.Eye:getMode())
    palfrey.testing.step()
    local x, y, z = nodes.Eye:getWorldPosition()
    near({ 0, 1.62, 11 }, x, y, z)
    assert.equal(12, nodes.Statue:getFrame())
  end)

  it("takes gravity over", function()
    local nodes = assert(world:load "places/yard.lua")
    palfrey.testing.step(2)
    nodes.Hero:jump()
    palfrey.testing.step(30)
    local _, vy = nodes.Hero:getVelocity()
    near(4.5 - 5 * 29 / 60, vy)
  end)

  it("adds to what is there, and can be done twice", function()
    world:addGroup { name = "Before" }
    local first = assert(world:load "places/yard.lua")
    local second = assert(world:load "places/yard.lua")
    assert.is_true(world:find("Before"):isAlive())
    assert.not_equal(first.Guard, second.Guard)
    assert.equal(second.Guard, second.Stick:getParent())
    assert.equal(2, #world:findAll "Guard")
  end)

  it("can be read from the save folder, and is data alone: it has no names to use", function()
    write("own.lua", 'return { groups = { { name = "G" } } }')
    assert(world:load("own.lua").G)
    write("evil.lua", 'palfrey.quit(3) return {}')
    local nodes, message = world:load "evil.lua"
    assert.is_nil(nodes)
    assert.match("evil.lua:1", message, 1, true)
    write("global.lua", "return { groups = { { name = tostring(1) } } }")
    assert.is_nil((world:load "global.lua"))
  end)

  it("gives an empty table for an empty level", function()
    write("empty.lua", "return {}")
    assert.same({}, world:load "empty.lua")
  end)

  it("that fails gives nil and a message with the place, and adds nothing", function()
    local before = count(world)
    local failures = {
      { "syntax.lua", "return {\n  groups = {\n", "syntax.lua:%d+:" },
      { "word.lua", "return 'level'", "word.lua: .*table.*string" },
      { "nothing.lua", "", "nothing.lua: .*table.*nil" },
      { "raise.lua", "local x = nil\nreturn { ambient = x.y }", "raise.lua:2:" },
      { "field.lua", "return { group = {} }", "field.lua: unknown field 'group'" },
      { "mixed.lua", "return { 1, [true] = 2, groups = {} }", "mixed.lua: unknown field '1'" },
      { "host.lua", "return { models = { { model = 'assets/stick.md2', attached = true, parent = true } } }",
        "host.lua: models%[1%]: an attached model needs a parent" },
      { "id.lua", "return { groups = { { name = 'Made' }, { id = {} } } }",
        "id.lua: groups%[2%]: id: a number expected" },
      { "list.lua", "return { npcs = 5 }", "list.lua: npcs" },
      { "entry.lua", "return { groups = { {}, 7 } }", "entry.lua: groups%[2%]: a table expected, got number" },
      { "option.lua", "return { groups = { {}, { postion = { 1, 2, 3 } } } }",
        "option.lua: groups%[2%]: .*'postion'; did you mean 'position'" },
      { "kind.lua", 'return { lights = { { kind = "sun" } } }', 'kind.lua: lights%[1%]: .*"directional"' },
      { "model.lua", 'return { models = { { model = "assets/none.obj" } } }', "model.lua: models%[1%]: .*none.obj" },
      { "skin.lua", 'return { npcs = { { model = "assets/man.md2", skin = "no.png" } } }',
        "skin.lua: npcs%[1%]: .*no.png" },
      { "clip.lua", 'return { npcs = { { model = "assets/man.md2", animation = "fly" } } }',
        "clip.lua: npcs%[1%]: .*stand, slide" },
      { "parent.lua", 'return { groups = { { name = "a", parent = "b" } } }', "parent.lua: groups%[1%]: .*'b'" },
      { "circle.lua", 'return { groups = { { name = "a", parent = "b" }, { name = "b", parent = "a" } } }',
        "circle.lua: groups%[1%]: .*'b'" },
      { "player.lua", "return { player = { speed = -1 } }", "player.lua: player: .*speed" },
      { "fog.lua", 'return { groups = { { name = "a" } }, fog = { mode = "thick" } }', "fog.lua: .*\"linear\"" },
      { "color.lua", 'return { groups = { { name = "a" } }, ambient = 5 }', "color.lua: " },
      { "view.lua", 'return { viewMode = "xray" }', 'view.lua: .*"wire"' },
      { "gravity.lua", "return { gravity = {} }", "gravity.lua: " },
      { "visible.lua", 'return { groups = { { visible = 5 } } }', "visible.lua: groups%[1%]: .*boolean" },
      { "objects.lua", 'return { models = { { model = "assets/cube.obj", objects = { Cube = { scale = 1 } } } } }',
        "objects.lua: models%[1%]: " },
      { "active.lua", "return { groups = { { active = true } } }", "active.lua: groups%[1%]: .*camera" },
      { "orbit.lua", 'return { cameras = { { orbit = { "x" } } } }', "orbit.lua: cameras%[1%]: .*number" },
      { "attached.lua", 'return { models = { { model = "assets/stick.md2", attached = true } } }',
        "attached.lua: models%[1%]: .*parent" },
    }
    for _, case in ipairs(failures) do
      write(case[1], case[2])
      local nodes, message = world:load(case[1])
      assert.is_nil(nodes)
      assert.match(case[3], message)
      assert.equal(before, count(world))
    end
    local nodes, message = world:load "places/nowhere.lua"
    assert.is_nil(nodes)
    assert.match("places/nowhere.lua", message, 1, true)
    assert.is_nil((world:load "../main.lua"))
  end)

  it("that fails changes no colour, fog or camera", function()
    local camera = world:addCamera { name = "first" }
    world:setCamera(camera)
    write("late.lua", [[return { ambient = {1, 0, 0}, viewMode = "wire", fog = { mode = "thick" },
      cameras = { { name = "second", active = true } } }]])
    assert.is_nil((world:load "late.lua"))
    near({ 0.2, 0.2, 0.2 }, world:getAmbient())
    assert.equal("textured", world:getViewMode())
    assert.equal(camera, world:getCamera())
  end)

  it("takes a file's name alone", function()
    assert.match("string expected", raises(function() world:load(nil) end))
    assert.match("string expected", raises(function() world:load {} end))
    assert.match("string expected", raises(function() world:save() end))
  end)
end)

describe("saving a level", function()
  local world
  before_each(function() world = palfrey.newWorld() end)

  -- Saves, loads into a new world and saves again: both files must be the same. Returns the new world and its nodes.
  local function trip()
    assert.is_true(world:save "first.lua")
    local bytes = assert(palfrey.files.read "first.lua")
    assert.is_true(world:save "again.lua")
    assert.equal(bytes, palfrey.files.read "again.lua")
    local other = palfrey.newWorld()
    local nodes = assert(other:load "first.lua")
    assert.is_true(other:save "second.lua")
    assert.equal(bytes, palfrey.files.read "second.lua")
    palfrey.testing.step(3)
    return other, nodes
  end

  it("of an empty world gives a file that loads", function()
    trip()
  end)

  it("keeps colours, fog, gravity and view mode", function()
    world = palfrey.newWorld { ambient = { 0.1, 0.2, 0.3 }, background = { 1 / 3, 0.5, 0.7 }, gravity = 1.625,
                               fog = { mode = "linear", color = { 0.3, 0.2, 0.1 }, near = 1.5, far = 33 } }
    world:setViewMode "flat"
    local other = trip()
    near({ 0.1, 0.2, 0.3 }, other:getAmbient())
    near({ 1 / 3, 0.5, 0.7 }, other:getBackground())
    assert.equal("flat", other:getViewMode())
    world:setFog { mode = "exponential", density = 0.3 }
    trip()
    world:setFog { mode = "none" }
    trip()
  end)

  it("keeps places to the last bit, whatever the numbers", function()
    for i, number in ipairs { 1 / 3, -2 / 7, 1e-7, 123456.789, 1e6 + 0.1, -0.0, 16777217, 3.4e8 } do
      world:addGroup { name = "g" .. i, position = { number, -number, number / 3 }, heading = number % 360,
                       scale = { 1 / (i + 0.1), 1, 2 } }
      world:addGroup { name = "r" .. i, rotation = { number % 180, i, 2, -1 } }
    end
    local other = trip()
    for node in world:each() do
      local copy = other:find(node:getName())
      assert.same({ node:getPosition() }, { copy:getPosition() })
      assert.same({ node:getScale() }, { copy:getScale() })
      assert.same({ node:getHeading() }, { copy:getHeading() })
      assert.same({ node:getRotation() }, { copy:getRotation() })
    end
  end)

  it("keeps names of any kind, of many nodes or none", function()
    for _, name in ipairs { "plain", "Zoë \"the quick\"", "back\\slash", "two\nlines", "end", "1", "", "\t", "名" } do
      world:addGroup { name = name }
    end
    world:addGroup()
    world:addGroup { name = "twin" }
    world:addGroup { name = "twin" }
    local other = trip()
    assert.equal(2, #other:findAll "twin")
    for node in world:each() do
      if node:getName() then assert(other:find(node:getName())) end
    end
  end)

  it("keeps parents, also nameless ones, twins and those made later", function()
    local late = world:addGroup { name = "child" }
    local first = world:addGroup { name = "twin", position = { 1, 0, 0 } }
    local second = world:addGroup { name = "twin", position = { 2, 0, 0 } }
    local nameless = world:addGroup { position = { 0, 5, 0 } }
    late:setParent(second)
    world:addGroup { name = "deep", parent = nameless }
    world:addGroup { name = "other", parent = first, position = { 0, 1, 0 } }
    local other, nodes = trip()
    near({ 2, 0, 0 }, nodes.child:getParent():getPosition())
    near({ 0, 5, 0 }, nodes.deep:getWorldPosition())
    near({ 1, 1, 0 }, nodes.other:getWorldPosition())
    assert.equal(2, #other:findAll "twin")
  end)

  it("keeps models with skin, collide, frames, clip and frame", function()
    world:addModel { name = "a", model = "assets/man.md2", skin = "assets/blue.png", animation = "slide",
                     collide = "box" }
    world:addModel { name = "b", model = "assets/man.md2", frames = { 4, 5, 6, 8 }, frame = 6 }
    world:addModel { name = "c", model = "assets/man.md2", tall = 1.8, scale = 2 }
    world:addModel { name = "d", model = "assets/yard.obj", collide = "mesh" }
    local _, nodes = trip()
    assert.equal("assets/blue.png", nodes.a:getSkin())
    assert.is_true(nodes.a:isPlaying "slide")
    assert.equal(6, nodes.b:getFrame())
    assert.equal(1, #nodes.b:getClips())
    local _, y0, _, _, y1 = nodes.c:getBounds()
    near({ 0, 1.8 }, y0, y1)
  end)

  it("keeps the scale that a tall model was given later", function()
    for i, scale in ipairs { { 3, 3, 3 }, { 1, 0.7, 2 }, { -1, -2, 1 } } do
      local npc = assert(world:addNPC { name = "n" .. i, model = "assets/man.md2", tall = 1.8 })
      npc:setScale(table.unpack(scale))
    end
    local _, nodes = trip()
    for i = 1, 3 do
      near({ world:find("n" .. i):getScale() }, nodes["n" .. i]:getScale())
      near({ world:find("n" .. i):getBounds() }, nodes["n" .. i]:getBounds())
    end
  end)

  it("keeps what was changed at parts: hidden, not pickable, moved, turned, scaled", function()
    world:addModel { name = "yard", model = "assets/yard.obj" }
    world:find("Crate"):setVisible(false)
    world:find("Crate"):setPosition(1, 2, 3)
    world:find("Wall"):setPickable(false)
    world:find("Wall"):setScale(1, 2, 1)
    world:find("Floor"):setRotation(30, 1, 0, 0)
    local _, nodes = trip()
    assert.is_false(nodes.Crate:isVisible())
    near({ 1, 2, 3 }, nodes.Crate:getPosition())
    assert.is_false(nodes.Wall:isPickable())
    near({ 1, 2, 1 }, nodes.Wall:getScale())
    near({ 30, 1, 0, 0 }, nodes.Floor:getRotation())
  end)

  it("keeps hidden and unpickable nodes of any kind", function()
    world:addGroup { name = "g" }:setVisible(false)
    world:addLight { name = "l" }:setVisible(false)
    assert(world:addNPC { name = "n", model = "assets/man.md2" }):setPickable(false)
    local _, nodes = trip()
    assert.is_false(nodes.g:isVisible())
    assert.is_false(nodes.l:isVisible())
    assert.is_false(nodes.n:isPickable())
    assert.is_true(nodes.n:isVisible())
  end)

  it("keeps who stands still, and the end of what is played once", function()
    local function add(name) return assert(world:addNPC { name = name, model = "assets/man.md2" }) end
    add("still"):setFrame(6)
    local stopped = add "stopped"
    stopped:play "slide"
    add("dead"):play("death1", { loop = false })
    add("dying"):play("death1", { loop = false, speed = 0.1 })
    add("runs"):play "run"
    palfrey.testing.step(30)
    stopped:stop()
    local shown = stopped:getFrame()
    local _, nodes = trip()
    assert.equal(6, nodes.still:getFrame())
    assert.is_true(math.abs(nodes.stopped:getFrame() - shown) <= 0.5)
    assert.equal(world:find("dead"):getFrame(), nodes.dead:getFrame())
    assert.equal(nodes.dead:getFrame(), nodes.dying:getFrame())
    assert.equal("run", (nodes.runs:getClip()))
    for _, name in ipairs { "still", "stopped", "dead", "dying" } do
      assert.is_false(nodes[name]:isPlaying(), name)
    end
  end)

  it("keeps what is attached, and what that carries", function()
    local npc = assert(world:addNPC { name = "n", model = "assets/man.md2", tall = 1, position = { 3, 0, 0 } })
    local stick = assert(npc:attach { name = "s", model = "assets/stick.md2", skin = "assets/blue.png" })
    world:addLight { name = "torch", kind = "point", parent = stick, range = 4 }
    local _, nodes = trip()
    assert.equal(nodes.n, nodes.s:getParent())
    assert.equal(nodes.s, nodes.torch:getParent())
    near({ stick:getCenter() }, nodes.s:getCenter())
    nodes.n:setFrame(6)
    palfrey.testing.step()
    near({ 3 - 0.5, 0.75, 0 }, nodes.s:getCenter())
  end)

  it("keeps lights of all kinds", function()
    world:addLight { name = "ambient", kind = "ambient", color = { 0.5, 0.25, 0 } }
    world:addLight { name = "sun", kind = "directional", direction = { 1, -2, 3 }, intensity = 0.5 }
    world:addLight { name = "point", kind = "point", range = 7.5, position = { 1, 2, 3 } }
    world:addLight { name = "spot", kind = "spot", angle = 33, direction = { 0, 0, 1 } }
    local _, nodes = trip()
    near({ 0.5, 0.25, 0 }, nodes.ambient:getColor())
    near(0.5, nodes.sun:getIntensity())
    near({ world:find("sun"):getRotation() }, nodes.sun:getRotation())
    near({ world:find("spot"):getRotation() }, nodes.spot:getRotation())
  end)

  it("keeps cameras: which one is used, whom they follow, what they look at", function()
    local npc = assert(world:addNPC { name = "n", model = "assets/man.md2" })
    world:addCamera { name = "a", fov = 35, near = 0.5, far = 90, position = { 1, 2, 3 }, target = { 0, 0, 0 } }
    world:setCamera(world:addCamera { name = "b", follow = npc, mode = "third", distance = 2.5 })
    world:addCamera { name = "c", target = npc, kind = "parallel", size = 3 }
    world:addCamera { name = "d", follow = npc, mode = "first" }
    local orbit = world:addCamera { name = "e", mode = "orbit", follow = npc, distance = 9 }
    orbit:setOrbit(70, -35, 6)
    world:addCamera { name = "f", mode = "orbit", target = { 1, 2, 3 }, distance = 3 }
    palfrey.testing.step(2)
    local other, nodes = trip()
    assert.equal(nodes.b, other:getCamera())
    near(35, nodes.a:getFov())
    for name, mode in palfrey.sortedPairs { a = "fixed", b = "third", d = "first", e = "orbit", f = "orbit" } do
      assert.equal(mode, nodes[name]:getMode())
    end
    palfrey.testing.step()
    for _, name in ipairs { "a", "b", "c", "d", "e", "f" } do
      local node = world:find(name)
      near({ node:getWorldPosition() }, nodes[name]:getWorldPosition())
      near({ node:getRotation() }, nodes[name]:getRotation())
    end
  end)

  it("keeps players and NPCs with all their options", function()
    world:addPlayer { name = "p", position = { 1, 0, 0 }, heading = 20, height = 1.5, radius = 0.25, speed = 7,
                      jump = 2, health = 55, stepHeight = 0.75, slopeLimit = 30 }
    world:addNPC { name = "n", model = "assets/man.md2", tall = 1.8, speed = 5, turnRate = 90, arrive = 2, radius = 0.3,
                   height = 1, health = 0, collide = "none", forward = "+z", stepHeight = 0.1, slopeLimit = 60,
                   animation = "run", skin = "assets/green.png" }
    local other, nodes = trip()
    near(55, nodes.p:getHealth())
    assert.is_true(nodes.n:isDead())
    assert.is_true(nodes.n:isPlaying "run")
    assert.equal("assets/green.png", nodes.n:getSkin())
    local text = palfrey.files.read "first.lua"
    for _, word in ipairs { "stepHeight = 0.75", "slopeLimit = 30", "stepHeight = 0.100000001", "slopeLimit = 60" } do
      assert.match(word, text, 1, true)
    end
    assert.is_nil(other:sweep { from = { 0, 0.5, 5 }, to = { 0, 0.5, -5 }, radius = 0.1 })
  end)

  it("keeps a world that has gone on for a while", function()
    local nodes = assert(world:load "places/yard.lua")
    palfrey.testing.step(30)
    nodes.Guard:walkTo(0, 0, 0)
    nodes.Hero:damage(30)
    palfrey.testing.step(90)
    nodes.Stick:remove()
    nodes.Sun:setColor(0.5, 0.5, 1)
    local other, loaded = trip()
    near(70, loaded.Hero:getHealth())
    near({ 0.5, 0.5, 1 }, loaded.Sun:getColor())
    assert.is_nil(other:find "Stick")
  end)

  it("does not bring back a part that was removed", function()
    world:addModel { name = "yard", model = "assets/yard.obj" }
    world:find("Crate"):remove()
    local other = trip()
    assert.is_nil(other:find "Crate")
    assert(other:find "Wall")
  end)

  it("keeps the new name of a part", function()
    world:addModel { name = "yard", model = "assets/yard.obj" }
    world:find("Crate"):setName "Chest"
    world:find("Chest"):setVisible(false)
    local other = trip()
    assert.is_false(assert(other:find "Chest"):isVisible())
    assert.is_nil(other:find "Crate")
    world:find("Chest"):setName(nil)
    assert.is_nil((trip():find "Crate"))
  end)

  it("keeps changes at parts of the same name apart", function()
    assert(palfrey.files.write("twins.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
      .. ("o Twin\nf 1 2 3\no Other\nf 1 2 3\n"):rep(2)))
    local twins = assert(world:addModel { model = "twins.obj" }):getChildren()
    twins[#twins]:setPosition(1, 2, 3)
    local last = twins[#twins]:getName()
    local other = trip()
    local found = other:findAll(last)
    near({ 1, 2, 3 }, found[#found]:getPosition())
    if #found > 1 then near({ 0, 0, 0 }, found[1]:getPosition()) end
  end)

  it("keeps what hangs on a part that shares its name, as with two models of one file", function()
    local first = assert(world:addModel { model = "assets/cube.obj", position = { 5, 0, 0 } })
    local second = assert(world:addModel { model = "assets/cube.obj", position = { 9, 0, 0 } })
    world:addGroup { name = "lamp", parent = second:getChildren()[1], position = { 0, 1, 0 } }
    world:addGroup { name = "lamp below", parent = first:getChildren()[1], position = { 0, -1, 0 } }
    local _, nodes = trip()
    near({ 9, 1, 0 }, nodes.lamp:getWorldPosition())
    near({ 5, -1, 0 }, nodes["lamp below"]:getWorldPosition())
  end)

  it("gives the same bytes whatever refers to what, in any order of making", function()
    math.randomseed(3)
    for _ = 1, 30 do
      world = palfrey.newWorld()
      local nodes, ranks = {}, {}
      -- One of the first nodes, of lower rank than node i, so that references make no circle; or nil.
      local function lower(i, last)
        local other = math.random(2 * last)
        return other <= last and other ~= i and ranks[other] < ranks[i] and nodes[other] or nil
      end
      for i = 1, 14 do
        ranks[i] = math.random()
        local kind = math.random(6)
        local options = { position = { i, 0, 0 }, name = math.random() < 0.5 and "n" .. i or nil }
        if kind == 2 or kind == 5 then options.model = "assets/man.md2" end
        if kind == 3 and i > 1 then options.follow, options.target = lower(i, i - 1), lower(i, i - 1) end
        local method = ({ "addGroup", "addModel", "addCamera", "addLight", "addNPC", "addPlayer" })[kind]
        nodes[i] = assert(world[method](world, options))
      end
      for i, node in ipairs(nodes) do
        local parent = lower(i, #nodes)
        if parent then node:setParent(parent) end
      end
      trip()
    end
  end)

  it("stands a part that was put below another model", function()
    assert(palfrey.files.write("house.obj",
      "v 0 0 0\nv 1 0 0\nv 0 1 0\no House\ng Roof\nf 1 2 3\ng Door\nf 1 2 3\ng Wall\nf 1 2 3\n"))
    local house = assert(world:addModel { name = "all", model = "house.obj" })
    local man = assert(world:addNPC { name = "man", model = "assets/man.md2" })
    for _, name in ipairs { "Wall", "Door", "House" } do
      local part = world:find(name)
      if part then part:setParent(man) end
    end
    assert.is_true(world:save "moved.lua")
    house:remove()
    assert.is_true(world:save "moved.lua")
    assert(palfrey.newWorld():load "moved.lua")
  end)

  it("keeps what hangs on a part of a model", function()
    world:addModel { name = "yard", model = "assets/yard.obj" }
    world:addGroup { name = "on top", parent = world:find "Crate", position = { 4.5, 1, 0 } }
    local other, nodes = trip()
    assert.equal(other:find "Crate", nodes["on top"]:getParent())
    near({ 4.5, 1, 0 }, nodes["on top"]:getWorldPosition())
  end)

  it("does not keep the script's data, handlers and goals", function()
    local npc = assert(world:addNPC { name = "n", model = "assets/man.md2" })
    npc:getData().secret = 1
    npc:walkTo(5, 0, 5)
    npc:on("hit", print)
    local _, nodes = trip()
    assert.is_nil(nodes.n:getData().secret)
    assert.equal("idle", (nodes.n:getGoal()))
  end)

  it("makes folders, and says where it cannot write", function()
    assert.is_true(world:save "saves/slot 1/level.lua")
    assert(palfrey.newWorld():load "saves/slot 1/level.lua")
    local good, message = world:save "../level.lua"
    assert.is_nil(good)
    assert.is_string(message)
  end)
end)
