-- Paints the duck: a white one, and its yellow young.
local bake = require "lib.art.bake"
local exact = require "lib.art.exact"
local paint = require "lib.art.paint"

local skin = {}

skin.SIZE = 128

local COLOURS, SHADOW_REACH = 128, 7
local BACKGROUND = { 0.8, 0.8, 0.75 }
local MOVING_PARTS = { leftWing = true, rightWing = true }

local EYE = { y = 2.6, z = 20.2, x = 8.4 }

local COATS = {
  duck = { feathers = { 0.97, 0.96, 0.93 }, deep = { 0.72, 0.76, 0.84 }, wing = { 0.90, 0.91, 0.94 },
           cap = { 0.97, 0.96, 0.93 }, beak = { 0.98, 0.62, 0.16 }, feet = { 1.0, 0.58, 0.16 } },
  duckling = { feathers = { 1.0, 0.89, 0.36 }, deep = { 0.93, 0.68, 0.16 }, wing = { 0.98, 0.78, 0.24 },
               cap = { 0.95, 0.72, 0.26 }, beak = { 0.95, 0.52, 0.18 }, feet = { 0.95, 0.52, 0.18 } },
}

-- Rows of feathers, each round at its end and dark below it.
local function feathers(p, colour, deep, size)
  local row = (p.x * 0.8 + p.z * 0.5) / size
  local across = (math.abs(p.y) + p.z * 0.35) / size + (math.floor(row) % 2) * 0.5
  local within = across - math.floor(across) - 0.5
  local down = row - math.floor(row) + 0.5 * within * within
  local edge = exact.step(0.72, 1.0, down)
  return paint.mix(colour, deep, 0.5 * edge + 0.14 * exact.fractal(p.x, p.y, p.z, 401, 3))
end

local function eye(p)
  local dx, dz = p.x - EYE.x, p.z - EYE.z
  local distance = math.sqrt(dx * dx + dz * dz)
  if math.abs(p.y) < 1.2 or distance > 0.85 then return nil end
  local hx, hz = dx - 0.25, dz - 0.3
  if hx * hx + hz * hz < 0.07 then return { 1, 1, 1 } end
  return { 0.06, 0.05, 0.05 }
end

local function colourOf(p, coat)
  if p.part == "beak" then
    local isNostril = p.x > 9.4 and p.x < 10.1 and math.abs(math.abs(p.y) - 0.8) < 0.25 and p.nz > 0.3
    if isNostril then return { 0.35, 0.20, 0.08 } end
    return paint.scale(coat.beak, 0.9 + 0.2 * exact.fractal(p.x, p.y, p.z, 402, 2))
  end
  if p.part:match "Leg$" or p.part:match "Foot$" then
    local web = 0.85 + 0.15 * exact.sin(p.y * 200)
    return paint.scale(coat.feet, p.part:match "Foot$" and web or 0.9)
  end
  if p.part:match "Wing$" then return feathers(p, coat.wing, coat.deep, 2.4) end
  if p.part == "head" then
    local cap = exact.step(20.6, 22.2, p.z - 0.35 * (p.x - 6))
    return paint.mix(feathers(p, coat.feathers, coat.deep, 1.1), coat.cap, 0.8 * cap)
  end
  local back = exact.step(0.55, 0.95, p.nz)
  return feathers(p, paint.mix(coat.feathers, coat.cap, 0.6 * back), coat.deep, 2.2)
end

-- The PNG files of both coats.
function skin.paint(mesh)
  local samples = bake.sample(mesh, skin.SIZE, bake.openness(mesh, SHADOW_REACH, MOVING_PARTS))
  local function coatOf(coat)
    return bake.paint(samples, skin.SIZE, COLOURS, BACKGROUND, function(p)
      local painted = p.part == "head" and eye(p)
      if painted then return painted end
      local light = exact.mix(0.62, 1.04, exact.step(0.1, 0.95, p.open))
      light = light * exact.mix(0.88, 1.05, exact.step(-1, 1, p.nz))
      return paint.scale(colourOf(p, coat), light)
    end)
  end
  return { duck = coatOf(COATS.duck), duckling = coatOf(COATS.duckling) }
end

return skin
