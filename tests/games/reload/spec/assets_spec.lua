-- Levels, models and textures that change while they are shown.
local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local testing = palfrey.testing
local folder = debug.getinfo(1, "S").source:match "^@(.*)/spec/"

local function save(path, content)
  testing.writeSource(path, content)
  testing.step(1)
end

local function read(path)
  local file <close> = assert(io.open(folder .. "/" .. path, "rb"))
  return file:read "a"
end

local function message() return testing.getErrorScreen() or "" end

describe("levels", function()
  local LEVEL = [[return {
    ambient = { %s },
    groups = { { name = "camp", position = { %s } } },
    npcs = { { name = "one", model = "assets/man.md2", position = { 1, 0, 0 }, %s } },
    lights = { { kind = "point", name = "lamp", position = { 0, 2, 0 }, intensity = %s } %s },
  }]]
  local world, nodes

  before_each(function()
    save("yard.lua", LEVEL:format("0.1, 0.1, 0.1", "0, 0, 0", "health = 50", "1", ""))
    world = palfrey.newWorld {}
    nodes = assert(world:load "yard.lua")
  end)

  it("change at the nodes that are there", function()
    nodes.one:setPosition(5, 0, 5)
    nodes.one:damage(10)
    save("yard.lua", LEVEL:format("0.2, 0.1, 0.1", "0, 7, 0", "health = 50", "3", ""))
    assert.same({ 0, 7, 0 }, { nodes.camp:getPosition() })
    assert.equal(3, nodes.lamp:getIntensity())
    assert.same({ 5, 0, 5 }, { nodes.one:getPosition() })
    assert.equal(40, nodes.one:getHealth())
    assert.equal(nodes.one, world:find "one")
  end)

  it("make what is new and remove what is gone", function()
    save("yard.lua", LEVEL:format("0.1, 0.1, 0.1", "0, 0, 0", "health = 50", "1",
      ', { kind = "point", name = "second", position = { 1, 1, 1 } }'))
    assert.is_truthy(world:find "second")
    assert.equal(nodes.lamp, world:find "lamp")
    save("yard.lua", 'return { lights = { { kind = "point", name = "second" } } }')
    assert.is_nil(world:find "lamp")
    assert.is_false(nodes.one:isAlive())
    assert.is_truthy(world:find "second")
  end)

  it("make a node anew where nothing can be set", function()
    save("yard.lua", LEVEL:format("0.1, 0.1, 0.1", "0, 0, 0", "health = 50, radius = 2", "1", ""))
    assert.is_false(nodes.one:isAlive())
    assert.is_truthy(world:find "one")
    assert.equal(1, #world:findAll "one")
  end)

  it("that are broken change nothing", function()
    save("yard.lua", LEVEL:format("0.1, 0.1, 0.1", "0, 9, 0", "health = 50, hats = 2", "1", ""))
    assert.is_truthy(message():find("yard.lua: npcs[1]", 1, true), message())
    assert.same({ 0, 0, 0 }, { nodes.camp:getPosition() })
    assert.is_true(nodes.one:isAlive())
    save("yard.lua", "return {")
    assert.is_truthy(message():find("yard.lua:1:", 1, true), message())
    save("yard.lua", LEVEL:format("0.1, 0.1, 0.1", "0, 9, 0", "health = 50", "1", ""))
    assert.equal("", message())
    assert.same({ 0, 9, 0 }, { nodes.camp:getPosition() })
  end)

  it("leave worlds alone that are gone", function()
    world = nil
    nodes = nil
    palfrey.newWorld {}
    collectgarbage()
    save("yard.lua", "return {}")
    assert.equal("", message())
  end)
end)

describe("textures and models", function()
  it("change where they are shown", function()
    local world = palfrey.newWorld { ambient = { 1, 1, 1 } }
    save("assets/skin.png", read "assets/blue.png")
    local npc = assert(world:addNPC { model = "assets/man.md2", skin = "assets/skin.png", position = { 0, 0, 0 } })
    world:setCamera(world:addCamera { position = { 0, 1, 3 }, target = { 0, 1, 0 } })
    testing.step(2)
    local w, h = palfrey.screen.getSize()
    local _, _, blue = palfrey.screen.getPixel(w // 2, h // 2)
    assert.is_true(blue > 200)
    local told
    palfrey.inGame("palfrey.reloaded = ...", function(files) told = files end)
    save("assets/skin.png", read "assets/green.png")
    assert.same({ "assets/skin.png" }, told)
    local _, green = palfrey.screen.getPixel(w // 2, h // 2)
    assert.is_true(green > 200)
    local man = read "assets/man.md2"
    save("assets/skin.png", "no picture")
    assert.is_truthy(message():find("assets/skin.png", 1, true), message())
    _, green = palfrey.screen.getPixel(w // 2, h - h // 3)
    assert.is_true(green > 200)
    save("assets/man.md2", "no model")
    assert.is_truthy(message():find("assets/man.md2", 1, true), message())
    assert.is_true(npc:isAlive())
    save("assets/skin.png", read "assets/red.pcx")
    save("assets/man.md2", man)
    save("assets/skin.png", read "assets/blue.png")
    assert.equal("", message())
    palfrey.inGame "palfrey.reloaded = nil"
  end)

  it("that failed for want of another file are good again with it", function()
    local GLTF = [[{"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":"%s.bin"}],
      "bufferViews":[{"buffer":0,"byteLength":36}],
      "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
      "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}]}]]
    local world = palfrey.newWorld {}
    save("assets/first.bin", ("<fffffffff"):pack(0, 0, 0, 1, 0, 0, 0, 1, 0))
    save("assets/flag.gltf", GLTF:format "first")
    local flag = assert(world:addModel { model = "assets/flag.gltf" })
    save("assets/flag.gltf", GLTF:format "second")
    assert.is_truthy(message():find("second.bin", 1, true), message())
    save("assets/second.bin", ("<fffffffff"):pack(0, 0, 0, 5, 0, 0, 0, 1, 0))
    assert.equal("", message())
    assert.equal(5, (select(4, flag:getBounds())))
  end)

  it("that are deleted stay, with a message", function()
    local world = palfrey.newWorld {}
    local man = read "assets/man.md2"
    save("assets/twin.md2", man)
    local npc = assert(world:addNPC { model = "assets/twin.md2" })
    local told = support.deleteWatched(folder .. "/assets/twin.md2")
    assert.is_truthy(told:find("assets/twin.md2: the file is gone; what it gave stays", 1, true), told)
    assert.is_truthy(npc:getBounds())
    save("assets/twin.md2", man)
    assert.equal("", message())
  end)
end)
