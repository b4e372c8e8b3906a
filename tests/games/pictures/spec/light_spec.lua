local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local within, near, block = support.within, support.near, support.block

-- What the middle of the picture shows, as parts of full.
local function middle(x, y)
  palfrey.testing.step(2)
  local r, g, b = palfrey.screen.getPixel(x or 160, y or 120)
  return r / 255, g / 255, b / 255
end

local TOLERANCE = 0.02

describe("light", function()
  local world
  -- A white cube of 2 m whose face at z = 0 is seen from z = 5.
  local function stage(options)
    world = palfrey.newWorld(options or { ambient = { 0, 0, 0 } })
    world:addCamera { position = { 0, 0, 5 } }
    block(world, { 0, 0, -1 }, 2)
  end

  it("that is everywhere is the world's ambient", function()
    stage { ambient = { 0.25, 0.5, 0.75 } }
    within(TOLERANCE, { 0.25, 0.5, 0.75 }, middle())
    world:setAmbient(1, 0, 0.5)
    within(TOLERANCE, { 1, 0, 0.5 }, middle())
  end)

  it("of kind ambient adds to it", function()
    stage { ambient = { 0.25, 0.25, 0.25 } }
    local light = world:addLight { kind = "ambient", color = { 0.5, 0, 0.25 } }
    within(TOLERANCE, { 0.75, 0.25, 0.5 }, middle())
    light:remove()
    within(TOLERANCE, { 0.25, 0.25, 0.25 }, middle())
  end)

  it("of kind directional lights by its angle", function()
    stage()
    local light = world:addLight { kind = "directional", direction = { 0, 0, -1 }, color = { 1, 0.5, 0 } }
    within(TOLERANCE, { 1, 0.5, 0 }, middle())
    light:setDirection(0, -1, -1)
    within(TOLERANCE, { math.sqrt(0.5), 0.5 * math.sqrt(0.5), 0 }, middle())
    light:setDirection(0, 0, 1)
    within(TOLERANCE, { 0, 0, 0 }, middle())
    light:setHeading(0)
    within(TOLERANCE, { 1, 0.5, 0 }, middle())
  end)

  it("shines down unless it is told or turned", function()
    stage()
    local light = world:addLight { kind = "directional" }
    within(TOLERANCE, { 0, 0, 0 }, middle())
    light:remove()
    world:addLight { kind = "directional", heading = 0 }
    within(TOLERANCE, { 1, 1, 1 }, middle())
  end)

  it("changes by colour and intensity", function()
    stage()
    local light = world:addLight { kind = "directional", direction = { 0, 0, -1 }, intensity = 0.5 }
    within(TOLERANCE, { 0.5, 0.5, 0.5 }, middle())
    near(0.5, light:getIntensity())
    light:setIntensity(0.25)
    light:setColor(0.5, 1, 2)
    near({ 0.5, 1, 2 }, light:getColor())
    within(TOLERANCE, { 0.125, 0.25, 0.5 }, middle())
    light:setIntensity(0)
    within(TOLERANCE, { 0, 0, 0 }, middle())
  end)

  it("of kind point fades to its range", function()
    stage()
    local light = world:addLight { kind = "point", position = { 0, 0, 20 }, range = 40 }
    local function faded(distance, range) return (1 - (distance / range) ^ 2) ^ 2 end
    within(TOLERANCE, (faded(20, 40)), (middle()))
    light:setPosition(0, 0, 30)
    within(TOLERANCE, (faded(30, 40)), (middle()))
    light:setPosition(0, 0, 41)
    within(TOLERANCE, 0, (middle()))
    light:remove()
    world:addLight { kind = "point", position = { 0, 0, 900 } }
    within(TOLERANCE, 1, (middle()))
  end)

  it("of kind spot lights within its cone", function()
    stage()
    local light = world:addLight { kind = "spot", position = { 0, 0, 10 }, direction = { 0, 0, -1 }, angle = 60 }
    within(TOLERANCE, 1, (middle()))
    light:setDirection(1, 0, -1)
    within(TOLERANCE, 0, (middle()))
    light:lookAt(0, 0, 0)
    within(TOLERANCE, 1, (middle()))
  end)

  it("moves with its parent, and shines no more when it or that is hidden", function()
    stage()
    local holder = world:addGroup()
    local light = world:addLight { kind = "directional", direction = { 0, 0, -1 }, parent = holder }
    within(TOLERANCE, 1, (middle()))
    holder:setHeading(180)
    within(TOLERANCE, 0, (middle()))
    holder:setHeading(0)
    light:setVisible(false)
    within(TOLERANCE, 0, (middle()))
    light:setVisible(true)
    holder:setVisible(false)
    within(TOLERANCE, 0, (middle()))
    holder:setVisible(true)
    within(TOLERANCE, 1, (middle()))
  end)

  it("of several sources adds up, and ends at white", function()
    stage()
    world:addLight { kind = "directional", direction = { 0, 0, -1 }, color = { 0.25, 0.5, 0 } }
    world:addLight { kind = "directional", direction = { 0, 0, -1 }, color = { 0.25, 0.75, 0.125 } }
    within(TOLERANCE, { 0.5, 1, 0.125 }, middle())
  end)

  it("falls right on what is mirrored, scaled and turned", function()
    stage()
    local cube = world:find("Cube"):getParent()
    world:addLight { kind = "directional", direction = { 0, 0, -1 } }
    for _, scale in ipairs { { -2, 2, 2 }, { 2, 2, -2 }, { 8, 1, 2 }, { -2, -2, -2 } } do
      cube:setScale(table.unpack(scale))
      within(TOLERANCE, 1, (middle()))
    end
    cube:setScale(4, 4, 2)
    cube:setHeading(180)
    within(TOLERANCE, 1, (middle()))
  end)
end)

describe("fog", function()
  local world
  before_each(function()
    world = palfrey.newWorld { ambient = { 1, 1, 1 } }
    world:addCamera {}
    block(world, { 0, 0, -11 }, { 4, 4, 2 }) -- its face is 10 m away
  end)

  it("of mode linear grows from near to far", function()
    within(TOLERANCE, { 1, 1, 1 }, middle())
    world:setFog { mode = "linear", color = { 0, 0.5, 1 }, near = 5, far = 25 }
    within(TOLERANCE, { 0.75, 0.875, 1 }, middle())
    world:setFog { color = { 0, 0, 0 }, near = 0, far = 20 }
    within(TOLERANCE, { 0.5, 0.5, 0.5 }, middle())
    world:setFog { color = { 1, 0, 0 }, near = 1, far = 10 }
    within(TOLERANCE, { 1, 0, 0 }, middle())
    world:setFog { color = { 1, 0, 0 }, near = 10.5, far = 20 }
    within(TOLERANCE, { 1, 1, 1 }, middle())
  end)

  it("of mode exponential thickens with the distance", function()
    world:setFog { mode = "exponential", color = { 0, 0, 0 }, density = 0.1 }
    within(TOLERANCE, math.exp(-1), (middle()))
    world:setFog { mode = "exponential", color = { 0, 0, 0 }, density = 0 }
    within(TOLERANCE, 1, (middle()))
  end)

  it("leaves the background alone, and goes with mode none", function()
    world:setBackground(0, 1, 0)
    world:setFog { color = { 1, 0, 0 }, near = 1, far = 5 }
    within(TOLERANCE, { 1, 0, 0 }, middle())
    within(TOLERANCE, { 0, 1, 0 }, middle(5, 5))
    world:setFog { mode = "none" }
    within(TOLERANCE, { 1, 1, 1 }, middle())
  end)
end)

describe("what is drawn", function()
  local world
  before_each(function()
    world = palfrey.newWorld { ambient = { 1, 1, 1 }, background = { 0, 0, 0.5 } }
    world:addCamera { position = { 0, 0, 3 } }
  end)

  it("is the background where nothing is, black without a world's word", function()
    within(TOLERANCE, { 0, 0, 0.5 }, middle())
    world:setBackground(1, 0.5, 0)
    within(TOLERANCE, { 1, 0.5, 0 }, middle())
    palfrey.newWorld()
    within(TOLERANCE, { 0, 0, 0 }, middle())
  end)

  it("shows pictures the right way up and round", function()
    assert(world:addModel { model = "assets/picture.obj", position = { 0, 0, -0.5 } })
    palfrey.testing.step(2)
    -- The face of 1 m is seen from 3 m at a fov of 60 degrees: about 69 pixels high.
    local function at(x, y)
      local r, g, b = palfrey.screen.getPixel(x, y)
      return ("%d%d%d"):format(r // 128, g // 128, b // 128)
    end
    assert.equal("100", at(160 - 17, 120 - 17))
    assert.equal("010", at(160 + 17, 120 - 17))
    assert.equal("001", at(160 - 17, 120 + 17))
    assert.equal("110", at(160 + 17, 120 + 17))
  end)

  it("is what is visible, itself and above", function()
    local group = world:addGroup()
    local cube = block(world, { 0, 0, 0 }, 1, { parent = group })
    within(TOLERANCE, { 1, 1, 1 }, middle())
    cube:setVisible(false)
    within(TOLERANCE, { 0, 0, 0.5 }, middle())
    cube:setVisible(true)
    group:setVisible(false)
    within(TOLERANCE, { 0, 0, 0.5 }, middle())
    group:setVisible(true)
    within(TOLERANCE, { 1, 1, 1 }, middle())
    group:remove()
    within(TOLERANCE, { 0, 0, 0.5 }, middle())
  end)

  it("hides what is behind", function()
    local red = assert(world:addModel { model = "assets/man.md2", position = { 0, -1, -2 } })
    local blue = assert(world:addModel { model = "assets/man.md2", skin = "assets/blue.png", position = { 0, -1, 0 } })
    within(TOLERANCE, { 0, 0, 1 }, middle())
    blue:setPosition(0, -1, -4)
    within(TOLERANCE, { 1, 0, 0 }, middle())
    red:remove()
    within(TOLERANCE, { 0, 0, 1 }, middle())
  end)

  it("is the pose of the step", function()
    local man = assert(world:addModel { model = "assets/man.md2", position = { 0, -1, 0 } })
    within(TOLERANCE, { 1, 0, 0 }, middle())
    man:setFrame(8)
    within(TOLERANCE, { 0, 0, 0.5 }, middle())
  end)

  describe("in the view modes", function()
    before_each(function()
      world:setAmbient(0, 0, 0)
      world:addLight { kind = "directional", direction = { 0, 0, -1 }, intensity = 0.5 }
      assert(world:addModel { model = "assets/man.md2", position = { 0, -1, 0 } })
    end)

    it("textured shows the skin under the lights", function()
      within(TOLERANCE, { 0.5, 0, 0 }, middle())
    end)

    it("shaded shows white under the lights", function()
      world:setViewMode "shaded"
      within(TOLERANCE, { 0.5, 0.5, 0.5 }, middle())
    end)

    it("flat shows the material's colour, lit from the camera", function()
      world:setViewMode "flat"
      local r, g, b = middle()
      assert.is_true(r > 0.9 and g > 0.9 and b > 0.9)
    end)

    it("wire shows lines with nothing between them", function()
      world:setViewMode "wire"
      palfrey.testing.step(2)
      local lines, nothing = 0, 0
      for x = 100, 220 do
        local r, _, b = palfrey.screen.getPixel(x, 100)
        if r > 100 then lines = lines + 1 end
        if r < 10 and b > 100 then nothing = nothing + 1 end
      end
      assert.is_true(lines >= 3 and lines < 20)
      assert.is_true(nothing > 80)
    end)

    it("fog is left out of all but textured", function()
      world:setFog { color = { 0, 1, 0 }, near = 0.1, far = 0.2 }
      within(TOLERANCE, { 0, 1, 0 }, middle())
      world:setViewMode "shaded"
      within(TOLERANCE, { 0.5, 0.5, 0.5 }, middle())
    end)
  end)
end)
