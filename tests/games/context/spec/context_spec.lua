local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local testing = palfrey.testing

-- The whole last picture as a string.
local function picture()
  assert(palfrey.screen.screenshot "picture.png")
  return (assert(palfrey.files.read "picture.png"))
end

local function draw()
  palfrey.hud.rectangle(4, 4, 60, 30, { color = { 1, 0.5, 0, 0.5 } })
  palfrey.hud.text("Čtyři koně, 50 €", 10, 40, { size = 19 })
  palfrey.hud.image("assets/quarters.png", 240, 10, { w = 48, h = 32 })
  palfrey.hud.text("after the image", 10, 200, { color = { 0, 1, 0 } })
end

-- Models of both kinds, skins, what is attached, lights and fog.
local function fill(options)
  local world = palfrey.newWorld {
    ambient = { 0.3, 0.3, 0.3 }, background = { 0.1, 0.2, 0.4 },
    fog = { mode = "linear", color = { 0.5, 0.5, 0.5 }, near = 4, far = 30 },
  }
  world:addModel { model = "assets/floor.obj", collide = "mesh", position = { 0, -1, 0 } }
  world:addModel { model = "assets/picture.obj", position = { -2, 0.5, 0 }, rotation = { 30, 1, 1, 0 } }
  world:addLight { kind = "directional", direction = { -1, -2, -3 }, color = { 1, 0.9, 0.8 } }
  world:addLight { kind = "point", position = { 2, 2, 2 }, range = 8 }
  local animation = options and options.animation
  local man = world:addNPC { model = "assets/man.md2", position = { 1, 0, 0 }, animation = animation }
  man:attach { model = "assets/stick.md2", skin = "assets/blue.png" }
  world:addNPC { model = "assets/man.md2", skin = "assets/green.png", position = { 3, 0, -3 }, heading = 50 }
  world:addCamera { position = { 0, 2, 8 }, target = { 0, 0.5, 0 } }
  return world, man
end

-- What is on the GPU once nothing of other pictures is there any more, and the picture is drawn.
local function countAfresh()
  testing.loseContext()
  testing.step()
  local counts = testing.getGpuCounts()
  assert.equal(0, counts.errors)
  return counts
end

describe("a lost context", function()
  before_each(function() palfrey.draw = draw end)
  after_each(function() palfrey.draw = nil end)

  for _, mode in ipairs { "textured", "shaded", "flat", "wire" } do
    it("leaves the picture as it was, to the pixel: " .. mode, function()
      fill():setViewMode(mode)
      testing.step(2)
      local before, counts = picture(), countAfresh()
      for _ = 1, 5 do
        testing.loseContext()
        testing.step()
        assert.equal(before, picture())
        assert.same(counts, testing.getGpuCounts())
      end
    end)
  end

  it("is survived at every frame, the first one too, once and twice in a row", function()
    local clip = "run"
    local pictures = {}
    fill { animation = clip }
    for i = 1, 6 do
      testing.step()
      pictures[i] = picture()
    end
    assert.not_equal(pictures[1], pictures[5])
    local hash = testing.getStateHash()
    for twice = 0, 1 do
      for lost = 1, #pictures do
        math.randomseed(1)
        fill { animation = clip }
        for i = 1, #pictures do
          if i == lost then testing.loseContext() end
          if i == lost and twice == 1 then testing.loseContext() end
          testing.step()
          if i >= lost then assert.equal(pictures[i], picture()) end
        end
      end
    end
    assert.equal(0, testing.getGpuCounts().errors)
    assert.equal(16, #hash)
  end)

  it("changes nothing of the game's course", function()
    local function play(loses)
      math.randomseed(7)
      local _, man = fill { animation = "run" }
      man:walkTo(3, 0, 3)
      for i = 1, 30 do
        if loses and i % 4 == 0 then testing.loseContext() end
        testing.step()
      end
      local x, y, z = man:getPosition()
      return ("%.9g %.9g %.9g %.9g"):format(x, y, z, select(2, man:getClip()))
    end
    local kept = play(false)
    assert.equal(kept, play(true))
  end)

  it("may go away inside update and draw", function()
    fill()
    testing.step(2)
    local before = picture()
    function palfrey.update() testing.loseContext() end
    testing.step()
    assert.equal(before, picture())
    testing.step()
    assert.equal(before, picture())
    palfrey.update = nil
    function palfrey.draw()
      draw()
      testing.loseContext()
    end
    testing.step()
    assert.equal(before, picture())
    assert.equal(0, testing.getGpuCounts().errors)
  end)

  it("leaves the last picture readable before the next", function()
    fill()
    testing.step(2)
    local before = picture()
    testing.step()
    testing.loseContext()
    assert.equal(before, picture())
    local r = palfrey.screen.getPixel(10, 10)
    testing.step()
    testing.loseContext()
    assert.equal(r, (palfrey.screen.getPixel(10, 10)))
  end)

  it("takes nothing of what is loaded while it is gone", function()
    local world, man = fill()
    testing.step(2)
    man:setSkin "assets/blue.png"
    world:addModel { model = "assets/cube.obj", position = { -1, 1, 3 } }
    testing.step()
    local before = picture()
    world, man = fill()
    testing.step()
    testing.loseContext()
    man:setSkin "assets/blue.png"
    world:addModel { model = "assets/cube.obj", position = { -1, 1, 3 } }
    testing.step()
    testing.step()
    assert.equal(before, picture())
  end)

  it("comes amid preloading", function()
    fill()
    local task = palfrey.preload { "assets/cube.obj", "assets/red.pcx", "assets/stick.md2" }
    testing.loseContext()
    testing.step()
    assert.is_true(task:isDone())
    assert.same({}, task:getErrors())
  end)

  it("comes after textures and models were released", function()
    local world = fill()
    local extra = world:addModel { model = "assets/cube.obj", position = { 0, 1, 4 }, skin = "assets/blue.png" }
    testing.step()
    extra:remove()
    testing.step()
    local before = picture()
    testing.loseContext()
    testing.step()
    assert.equal(before, picture())
    fill()
    collectgarbage() -- with the world before go its models
    collectgarbage()
    testing.loseContext()
    testing.step()
    assert.equal(before, picture())
  end)

  it("shows a pattern for an image that is gone by then, until it is there again", function()
    local green = assert(palfrey.files.read "assets/green.png")
    assert(palfrey.files.write("skin.png", green))
    local world = palfrey.newWorld { ambient = { 1, 1, 1 } }
    local block = support.block(world, { 0, 0, 0 }, { 4, 4, 0.1 }, { model = "assets/picture.obj", skin = "skin.png" })
    world:addCamera { position = { 0, 0, 4 } }
    testing.step()
    support.near({ 0, 255, 0 }, palfrey.screen.getPixel(160, 120))
    local function seen()
      local colors = {}
      for x = 100, 220 do -- along the middle of a row of the pattern
        local r, g, b = palfrey.screen.getPixel(x, 107)
        local name = g > 200 and r + b < 50 and "green" or g > 50 and "other" or r + b > 450 and "magenta"
          or r + b < 50 and "black"
        if name then colors[name] = true end
      end
      return colors
    end
    for _, content in ipairs { false, "no image at all" } do
      if content then
        assert(palfrey.files.write("skin.png", content))
      else
        assert(palfrey.files.remove "skin.png")
      end
      testing.loseContext()
      testing.step()
      assert.same({ magenta = true, black = true }, seen())
    end
    assert.equal("skin.png", block:getSkin())
    assert(palfrey.files.write("skin.png", green))
    testing.loseContext()
    testing.step()
    assert.same({ green = true }, seen())
    assert.equal(0, testing.getGpuCounts().errors)
    assert(palfrey.files.remove "skin.png")
  end)

  it("takes no memory, however often it comes", function()
    fill()
    testing.step(2)
    local counts = countAfresh()
    for _ = 1, 40 do
      testing.loseContext()
      testing.step()
    end
    assert.same(counts, testing.getGpuCounts())
  end)
end)
