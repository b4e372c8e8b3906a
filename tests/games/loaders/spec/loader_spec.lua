local palfrey = require "palfrey"

describe("a loader in Lua", function()
  local world
  before_each(function()
    world = palfrey.newWorld { ambient = { 1, 1, 1 } }
  end)

  local function near(expected, found)
    assert.is_true(math.abs(expected - found) < 1e-4, ("%g, expected %g"):format(found, expected))
  end

  it("gives models to whoever names their files", function()
    local chest = assert(world:addModel { model = "models/chest.box" })
    assert.equal("models/chest.box", palfrey.lastPath)
    local lid = world:find "lid"
    assert.equal(chest, lid:getParent())
    local x0, y0, z0, x1, y1, z1 = chest:getBounds()
    assert.same({ -1, -0.5, -2, 1, 0.5, 2 }, { x0, y0, z0, x1, y1, z1 })
    local npc = assert(world:addNPC { model = "models/chest.box", tall = 2, position = { 5, 0, 0 } })
    palfrey.testing.step(2)
    local _, low, _, _, high = npc:getBounds()
    near(2, high - low)
    local hit = world:raycast { from = { 0, 0, 10 }, direction = { 0, 0, -1 } }
    assert.equal("lid", hit.name)
    assert.equal("paint", hit.material)
    near(2, hit.z)
  end)

  it("may be preloaded", function()
    local task = palfrey.preload { "models/chest.box", "models/bad.box" }
    while not task:isDone() do palfrey.testing.step(1) end
    assert.equal(1, #task:getErrors())
    assert.matches("models/bad.box: .*is no box", task:getErrors()[1])
  end)

  it("plays the clips it describes", function()
    local mill = assert(world:addModel { model = "models/mill.turn" })
    local clip = mill:getClips()[1]
    assert.equal("spin", clip.name)
    near(2, clip.duration)
    mill:play "spin"
    palfrey.testing.step(30)
    -- Half a second is a quarter turn to the left: +X goes to -Z.
    local x0, _, z0, x1, _, z1 = world:find("blade"):getBounds()
    near(0, x0)
    near(0, x1)
    near(-1, z0)
    near(0, z1)
    mill:setFrame(30)
    assert.equal(30, mill:getFrame())
    palfrey.testing.step(1)
    x0 = world:find("blade"):getBounds()
    near(-1, x0)
  end)

  it("is a fact of the world when it fails", function()
    local nothing, message = world:addModel { model = "models/bad.box" }
    assert.is_nil(nothing)
    assert.matches("^models/bad.box: .*line \"lid 1 2\" is no box", message)
    assert.is_nil((world:addModel { model = "models/none.box" }))
  end)

  it("does not lend its files for longer", function()
    world:addModel { model = "models/chest.box" }
    assert.has_error(function() palfrey.lastRead "red.txt" end,
      "the model has been read: its files are no longer at hand")
  end)

  it("cannot take the place of those that are there", function()
    for _, name in ipairs { "obj", "GLB", "md2", "mbj", "3ds", "png" } do
      assert.error_matches(function() palfrey.addLoader(name, function() end) end, "is read already")
    end
    for _, name in ipairs { "", "a.b", ".box", "a/b", ("x"):rep(100) } do
      assert.error_matches(function() palfrey.addLoader(name, function() end) end, "extension without a dot")
    end
    assert.has_error(function() palfrey.addLoader("x", 3) end)
  end)

  it("is held to what a model has to be, and told where it is not", function()
    local TRIANGLE = { 0, 0, 0, 1, 0, 0, 0, 1, 0 }
    -- A table whose list is empty the first time it is looked at, and has items from then on.
    local function growing(key, item)
      local seen = false
      return setmetatable(item, { __index = function(_, asked)
        local was_seen = seen
        seen = seen or asked == key
        return was_seen and asked == key and { {}, {}, {} } or nil
      end })
    end
    local function with(mesh)
      mesh.positions = mesh.positions or TRIANGLE
      return { meshes = { mesh } }
    end
    local cases = {
      { 3, "a table that describes a model expected, got number" },
      { {}, "meshes: one or more expected" },
      { { meshes = { 3 } }, "meshes%[1%]: a table expected" },
      { { meshes = { {} } }, "meshes%[1%].positions: they are missing" },
      { with { positions = { 1, 2 } }, "meshes%[1%].positions: 3 numbers for each, got 2" },
      { with { positions = { 1, 2, 0 / 0 } }, "meshes%[1%].positions: number 3: a finite number" },
      { with { positions = { 1, 2, "x" } }, "meshes%[1%].positions: number 3: a finite number" },
      { with { uvs = { 1, 2 } }, "meshes%[1%].uvs: there are 3 positions, and values for 1" },
      { with { indices = { 1, 2 } }, "meshes%[1%].indices: 3 for each triangle" },
      { with { indices = { 1, 2, 4 } }, "meshes%[1%].indices: number 3: a vertex from 1 to 3" },
      { with { indices = { 1, 2, 1.5 } }, "meshes%[1%].indices: number 3" },
      { with { positions = { 0, 0, 0, 1, 0, 0 } },
        "meshes%[1%].positions: 3 vertices for each triangle expected, got 2" },
      { with { material = 1 }, "meshes%[1%].material: there is nothing that it could name" },
      { with { uv = { 1 } }, "meshes%[1%]: unknown option 'uv'; did you mean 'uvs'%?" },
      { { meshes = { { positions = TRIANGLE } }, Clips = {} },
        "the model: unknown option 'Clips'; did you mean 'clips'%?" },
      { with { name = {} }, "meshes%[1%].name: a string expected" },
      { with { submeshes = { { first = 9 } } }, "meshes%[1%]%.submeshes%[1%].first: a whole number" },
      { with { submeshes = { { first = 2 } } }, "meshes%[1%]%.submeshes%[1%].first: the start of a triangle" },
      { with { submeshes = { { count = 2 } } }, "meshes%[1%]%.submeshes%[1%].count: 3 for each triangle" },
      { with { submeshes = { { last = 3 } } }, "meshes%[1%]%.submeshes%[1%]: unknown option 'last'" },
      { { meshes = { { positions = TRIANGLE } }, nodes = { { mesh = 2 } } }, "nodes%[1%].mesh" },
      { { meshes = { { positions = TRIANGLE } }, nodes = { { parent = 1 } } },
        "nodes%[1%].parent: there is nothing that it could name" },
      { { meshes = { { positions = TRIANGLE } }, nodes = { { rotation = { 90, 0, 1 } } } },
        "nodes%[1%].rotation: 4 numbers expected, got 3" },
      { { meshes = { growing("submeshes", { positions = TRIANGLE }) } }, "submeshes: the list grew" },
      { { meshes = { { positions = TRIANGLE } }, clips = { growing("tracks", {}) } }, "tracks: the list grew" },
      { { meshes = { { positions = TRIANGLE } }, clips = { { tracks = { { property = "colour" } } } } },
        "clips%[1%]%.tracks%[1%].property" },
      { { meshes = { { positions = TRIANGLE } },
          clips = { { tracks = { { property = "scale", times = { 1, 0 }, values = { 1, 1, 1, 1, 1, 1 } } } } } },
        "clips%[1%]%.tracks%[1%].times: number 2 is less than the one before" },
    }
    for i, case in ipairs(cases) do
      palfrey.addLoader("wrong", function() return case[1] end)
      palfrey.files.write("any.wrong", "x" .. i)
      local nothing, message = world:addModel { model = "any.wrong" }
      assert.is_nil(nothing)
      assert.matches("^any.wrong: .*" .. case[2], message)
    end
    palfrey.addLoader("wrong", function() error { "a table" } end)
    local _, message = world:addModel { model = "any.wrong" }
    assert.matches("any.wrong: the loader failed", message)
    palfrey.files.remove "any.wrong"
  end)

  it("makes its models again when their files change", function()
    local chest = assert(world:addModel { model = "models/chest.box" })
    palfrey.testing.writeSource("models/chest.box", "paint red.txt\nlid 3 0.5 2\n")
    palfrey.testing.step(2)
    local x0 = chest:getBounds()
    near(-3, x0)
    palfrey.testing.writeSource("models/chest.box", "paint red.txt\nlid 1 0.5 2\nfoot 0.25 0.25 0.25\n")
  end)
end)

describe("a model with clips of its nodes", function()
  it("is at rest where a clip does not move it", function()
    local world = palfrey.newWorld {}
    local pair = assert(world:addModel { name = "pair", model = "models/two.pair" })
    local left, right = world:find "left", world:find "right"
    local function check(leftY, rightY)
      local _, y = left:getPosition()
      assert.is_true(math.abs(y - leftY) < 1e-4, "left at " .. y)
      _, y = right:getPosition()
      assert.is_true(math.abs(y - rightY) < 1e-4, "right at " .. y)
    end
    pair:play "raise left"
    palfrey.testing.step()
    check(4, 0)
    assert.same({ 2, 2, 2 }, { left:getScale() })
    pair:play "raise right"
    palfrey.testing.step()
    check(0, 4)
    assert.same({ 1, 1, 1 }, { left:getScale() })
    local degrees = left:getRotation()
    assert.equal(0, degrees)
    pair:play "raise both"
    palfrey.testing.step()
    check(8, 8)
    -- What a clip that is fading out moved goes to rest as the fade goes on, also when another one begins amid it.
    pair:play("raise right", { fade = 1 })
    palfrey.testing.step(15)
    local _, y = left:getPosition()
    assert.is_true(y > 4 and y < 8, "left at " .. y)
    pair:play("raise right", { restart = true })
    palfrey.testing.step()
    check(0, 4)
    pair:play "raise both"
    palfrey.testing.step()
    pair:play("raise left", { fade = 0.5 })
    palfrey.testing.step(10)
    pair:play("raise right", { fade = 0.5 })
    palfrey.testing.step(40)
    check(0, 4)
    assert(world:save "rest.lua")
    assert.is_nil(palfrey.files.read "rest.lua":find "objects")
    palfrey.files.remove "rest.lua"
    pair:play "raise left"
    palfrey.testing.step()
    check(4, 0)
    palfrey.testing.writeSource("models/two.pair", "calm\n")
    palfrey.testing.step(2)
    check(0, 0)
    palfrey.testing.writeSource("models/two.pair", "two\n")
    palfrey.testing.step(2)
    check(4, 0)
    pair:play "raise right"
    palfrey.testing.step()
    -- What a script moves afterwards stays.
    left:setPosition(-1, 2, 0)
    palfrey.testing.step(3)
    check(2, 4)
  end)

  it("carries what is attached to a joint, in a level that was saved too", function()
    local function check(world)
      world:find("mill"):play "spin"
      palfrey.testing.step(30)
      assert.equal("blade", world:find("load"):getParent():getName())
      -- A quarter turn to the left brings +Z to +X.
      local x, y, z = world:find("load"):getWorldPosition()
      assert.is_true(math.abs(x - 5) < 1e-4 and math.abs(y - 1) < 1e-4 and math.abs(z) < 1e-4)
    end
    local world = palfrey.newWorld {}
    local mill = assert(world:addModel { name = "mill", model = "models/mill.turn", position = { 2, 0, 0 } })
    assert(mill:attach { name = "load", model = "models/chest.box", joint = "blade", position = { 0, 0, 3 } })
    check(world)
    local is_good, message = pcall(mill.attach, mill, { model = "models/chest.box", joint = "Blade" })
    assert.is_false(is_good)
    assert.matches('the model has no joint "Blade"', message)
    assert(world:save "joints.lua")
    local again = palfrey.newWorld {}
    assert(again:load "joints.lua")
    check(again)
    palfrey.files.remove "joints.lua"
  end)

  it("stands still at a frame of a clip, in a level that was saved too", function()
    local world = palfrey.newWorld {}
    local mill = assert(world:addModel { name = "mill", model = "models/mill.turn", animation = "spin", frame = 15 })
    assert.equal(15, mill:getFrame())
    assert.is_false(mill:isPlaying())
    palfrey.testing.step(5)
    world:find("mill"):play "spin"
    palfrey.testing.step(29)
    mill:stop()
    mill:setFrame(15)
    palfrey.testing.step()
    local saved_x = world:find("blade"):getBounds()
    assert(world:save "still.lua")
    local again = palfrey.newWorld {}
    assert(again:load "still.lua")
    palfrey.testing.step(5)
    assert.is_false(again:find("mill"):isPlaying())
    assert.equal(15, again:find("mill"):getFrame())
    assert.is_true(math.abs(saved_x - again:find("blade"):getBounds()) < 1e-4)
    palfrey.files.remove "still.lua"
    local good, message = pcall(world.addModel, world, { model = "models/mill.turn", animation = "spin", frame = 61 })
    assert.is_false(good)
    assert.matches("frame 61 is not there", message)
  end)

  it("is saved as the file has it where a script changed the tree", function()
    local world = palfrey.newWorld {}
    assert(world:addModel { model = "models/two.pair", position = { 3, 0, 0 } })
    local left, right = world:find "left", world:find "right"
    right:setParent(left)
    left:setParent(world:addGroup { position = { 0, 7, 0 } })
    assert(world:save "tree.lua") -- with a warning for each
    local again = palfrey.newWorld {}
    assert(again:load "tree.lua")
    assert.same({ 2, 0, 0 }, { again:find("left"):getWorldPosition() })
    assert.same({ 4, 0, 0 }, { again:find("right"):getWorldPosition() })
    palfrey.files.remove "tree.lua"
  end)

  it("is saved without what its clip moves", function()
    local world = palfrey.newWorld {}
    local mill = assert(world:addModel { name = "mill", model = "models/mill.turn" })
    mill:play "spin"
    palfrey.testing.step(20)
    assert(world:save "mill.lua")
    local saved = palfrey.files.read "mill.lua"
    assert.is_nil(saved:find "objects")
    local again = palfrey.newWorld {}
    assert(again:load "mill.lua")
    palfrey.testing.step(5)
    assert(again:save "again.lua")
    assert.equal(saved, palfrey.files.read "again.lua")
    palfrey.files.remove "mill.lua"
    palfrey.files.remove "again.lua"
  end)

  it("brings its lights and cameras, and a camera of the game's own goes before them", function()
    local world = palfrey.newWorld {}
    local model = assert(world:addModel { model = "models/whole.glb" })
    local camera
    for _, node in ipairs(model:getChildren()) do
      if node:getKind() == "camera" then camera = node end
      for _, child in ipairs(node:getChildren()) do
        if child:getKind() == "camera" then camera = camera or child end
      end
    end
    assert(camera, "no camera among the nodes")
    assert.is_true(world:getCamera():getKind() == "camera")
    local own = world:addCamera { position = { 0, 0, 5 } }
    assert.equal(own, world:getCamera())
    world:setCamera(camera)
    assert.equal(camera, world:getCamera())
    palfrey.testing.step(3)
  end)
end)
