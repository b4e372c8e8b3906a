local palfrey = require "palfrey"

describe("the skin of a model", function()
  local world
  before_each(function() world = palfrey.newWorld { ambient = { 1, 1, 1 } } end)

  -- The colour at the middle of the picture, with the model before the camera.
  local function color(node)
    local camera = world:addCamera { position = { 0, 1, 3 } }
    world:setCamera(camera)
    palfrey.testing.step()
    local w, h = palfrey.screen.getSize()
    local r, g, b = palfrey.screen.getPixel(w // 2, h // 2)
    camera:remove()
    assert(node:isAlive())
    return ("%d %d %d"):format(r // 128, g // 128, b // 128)
  end

  it("is found by the name in the file, without its folders, in any case", function()
    local man = assert(world:addModel { model = "assets/man.md2" }) -- "models\Man\RED.PCX"
    assert.equal("assets/red.pcx", man:getSkin())
    assert.equal("1 0 0", color(man))
  end)

  it("is found with another ending", function()
    palfrey.files.write("tga/model.md2", (palfrey.files.read("assets/man.md2"):gsub("models\\Man\\RED.PCX",
      "players/x/blue.tga")))
    palfrey.files.write("tga/BLUE.Png", palfrey.files.read "assets/blue.png")
    local man = assert(world:addModel { model = "tga/model.md2" })
    assert.equal("tga/BLUE.Png", man:getSkin())
    assert.equal("0 0 1", color(man))
  end)

  it("is found as written, in the folder it names", function()
    palfrey.files.write("deep/model.md2", palfrey.files.read "assets/named.md2") -- "skins/inner.png"
    palfrey.files.write("deep/skins/inner.png", palfrey.files.read "assets/green.png")
    palfrey.files.write("deep/inner.png", palfrey.files.read "assets/blue.png")
    local man = assert(world:addModel { model = "deep/model.md2" })
    assert.equal("deep/skins/inner.png", man:getSkin())
    assert.equal("0 1 0", color(man))
  end)

  it("is found by its base name beside the model where the folder is not there", function()
    local man = assert(world:addModel { model = "assets/named.md2" })
    assert.equal("assets/inner.png", man:getSkin())
    assert.equal("1 1 0", color(man))
  end)

  it("is none, and no error, where the file is nowhere", function()
    local man = assert(world:addModel { model = "assets/lost.md2" })
    assert.is_nil(man:getSkin())
    assert.equal("1 1 1", color(man))
  end)

  it("is none for a model that names none", function()
    local man = assert(world:addModel { model = "assets/plain.md2" })
    assert.is_nil(man:getSkin())
    assert.equal("1 1 1", color(man))
  end)

  it("is the one given, for models, NPCs and players", function()
    for method, model in palfrey.sortedPairs { addModel = "man", addNPC = "plain", addPlayer = "man" } do
      local node = assert(world[method](world, { model = "assets/" .. model .. ".md2", skin = "assets/green.png" }))
      assert.equal("assets/green.png", node:getSkin())
      assert.equal("0 1 0", color(node))
      node:remove()
    end
  end)

  it("can be changed at any time, for one of many that share a model", function()
    local one = assert(world:addNPC { model = "assets/man.md2" })
    local two = assert(world:addNPC { model = "assets/man.md2", position = { 5, 0, 0 } })
    assert.is_true(two:setSkin "assets/blue.png")
    assert.equal("1 0 0", color(one))
    assert.is_true(one:setSkin "assets/green.png")
    assert.equal("0 1 0", color(one))
    assert.equal("assets/blue.png", two:getSkin())
    one:remove()
    two:setPosition(0, 0, 0)
    assert.equal("0 0 1", color(two))
  end)

  it("is the same file however its path is written", function()
    local man = assert(world:addModel { model = "assets/man.md2" })
    assert.is_true(man:setSkin "assets//./blue.png")
    assert.equal("assets/blue.png", man:getSkin())
  end)

  it("stays when another one is missing or broken; nil and a message say which", function()
    local man = assert(world:addModel { model = "assets/man.md2", skin = "assets/green.png" })
    palfrey.files.write("half.png", palfrey.files.read("assets/blue.png"):sub(1, 60))
    palfrey.files.write("text.png", "not a picture")
    for _, file in ipairs { "assets/nothing.png", "half.png", "text.png", "assets/cube.obj" } do
      local good, message = man:setSkin(file)
      assert.is_nil(good)
      assert.match(file, message, 1, true)
      assert.equal("assets/green.png", man:getSkin())
    end
    assert.equal("0 1 0", color(man))
  end)

  it("covers the whole of a model of many parts", function()
    local cube = assert(world:addModel { model = "assets/cube.obj", position = { 0, 1, 0 } })
    assert.equal("1 1 1", color(cube))
    assert.is_true(cube:setSkin "assets/blue.png")
    assert.equal("0 0 1", color(cube))
    assert.equal("assets/blue.png", cube:getSkin())
    local part = cube:getChildren()[1]
    assert.equal("assets/blue.png", part:getSkin())
  end)

  it("can come from the save folder, as the model can", function()
    palfrey.files.write("mine/man.md2", palfrey.files.read "assets/man.md2")
    palfrey.files.write("mine/skin.png", palfrey.files.read "assets/green.png")
    local man = assert(world:addNPC { model = "mine/man.md2", skin = "mine/skin.png" })
    assert.equal("0 1 0", color(man))
  end)
end)
