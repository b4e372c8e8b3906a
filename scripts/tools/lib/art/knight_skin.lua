-- Paints the knight: what each part of the armour is made of, in the colours of a style. All lengths are the model's.
local exact = require "lib.art.exact"
local paint = require "lib.art.paint"
local bake = require "lib.art.bake"
local knightMesh = require "lib.art.knight_mesh"

local skin = {}

local COLOURS = 256
local BACKGROUND = { 0.2, 0.2, 0.22 }
local SHADOW_REACH = 9
local MOVING_PARTS = { leftArm = true, rightArm = true, shield = true }

local abs, sqrt = math.abs, math.sqrt

local GOLD = { 0.86, 0.66, 0.24 }

-- Signs: whether a point of the square -1..1 (right, up) belongs to it.
local function crossSign(x, y)
  local function arm(along, across)
    return along < 0.92 and across < 0.10 + 0.30 * along * along
  end
  return arm(abs(x), abs(y)) or arm(abs(y), abs(x))
end

local function skullSign(x, y)
  local cranium = x * x + (y - 0.25) * (y - 0.25) < 0.36
  local jaw = abs(x) < 0.34 and y < 0 and y > -0.72
  local eye = (abs(x) - 0.26) * (abs(x) - 0.26) + (y - 0.15) * (y - 0.15) < 0.036
  local nose = abs(x) < 0.10 * (0.05 - y) / 0.2 and y > -0.2 and y < 0.05
  local gap = y < -0.36 and abs(x * 6 - exact.round(x * 6)) < 0.16
  return (cranium or jaw) and not (eye or nose or gap)
end

skin.STYLES = {
  knight = {
    metal = { 0.70, 0.72, 0.76 }, mail = { 0.50, 0.51, 0.54 }, trim = GOLD, cloth = { 0.13, 0.25, 0.62 },
    border = GOLD, sign = crossSign, signColour = { 0.95, 0.84, 0.42 }, plume = { 0.78, 0.10, 0.10 },
    plumeTip = { 0.98, 0.55, 0.25 }, slit = { 0.03, 0.03, 0.04 }, field = { 0.90, 0.88, 0.82 },
    leather = { 0.40, 0.24, 0.13 },
  },
  knight_evil = {
    metal = { 0.27, 0.26, 0.29 }, mail = { 0.24, 0.22, 0.23 }, trim = { 0.70, 0.10, 0.08 },
    cloth = { 0.13, 0.11, 0.13 }, border = { 0.66, 0.06, 0.06 }, sign = skullSign, signColour = { 0.84, 0.12, 0.09 },
    plume = { 0.12, 0.10, 0.12 }, plumeTip = { 0.80, 0.08, 0.06 }, slit = { 1.0, 0.25, 0.08 },
    field = { 0.62, 0.05, 0.06 }, leather = { 0.20, 0.13, 0.11 },
  },
}

-- The tabard from hem to shoulders, open at the sides over mail, girded with a belt.
local function paintBody(p, style)
  local colour
  local side = abs(p.y) - (p.z > 30 and 4.4 or 5.6)
  if p.z > 42.4 then
    colour = paint.mail(p, style.mail)
  elseif side > 0 and p.z > 21 and p.nx * p.nx < 0.6 then
    colour = paint.mail(p, style.mail)
  elseif side > -0.5 and p.z > 21 and p.nx * p.nx < 0.7 then
    colour = paint.cloth(p, style.border, 10)
  else
    colour = paint.cloth(p, style.cloth, p.z > 30 and 10 or 20)
    if p.z < 20 or p.z > 41.6 then colour = paint.cloth(p, style.border, 20) end
    if p.z > 32 and style.sign(p.y / 4.2, (p.z - 37.2) / 4.4) then colour = paint.cloth(p, style.signColour, 10) end
  end
  if abs(p.z - 30) < 1.0 then
    colour = paint.leather(p, style.leather)
    if abs(p.z - 30) > 0.75 then colour = paint.scale(colour, 0.6) end
    if p.nx > 0 and abs(p.y) < 1.3 then
      colour = paint.metal(p, style.trim)
      if abs(p.y) < 0.7 and abs(p.z - 30) < 0.45 then colour = paint.scale(style.leather, 0.5) end
    end
  end
  local dirt = 1 - exact.step(18, 24, p.z)
  return paint.mix(colour, { 0.30, 0.24, 0.17 }, 0.45 * dirt * exact.fractal(p.x * 0.3, p.y * 0.3, p.z * 0.3, 51, 3))
end

local function paintHelmet(p, style)
  if p.z < 44.4 then return paint.rivets(paint.metal(p, style.trim), p.z - 43.6, p.u * 26, 1.6, 0.3) end
  local colour = paint.metal(p, style.metal)
  if abs(p.y) < 0.45 and p.z > 50 then colour = paint.metal(p, style.trim) end
  if abs(p.z - 46.2) < 0.25 then colour = paint.scale(colour, 0.55) end
  return paint.rivets(colour, p.z - 47.2, p.u * 24, 2, 0.34)
end

-- The eyes look out of a slit; below it the snout has holes to breathe through.
local function paintVisor(p, style)
  local colour = paint.metal(p, style.metal)
  local slit = p.z - 50.15 + 0.12 * abs(p.y)
  if abs(slit) < 0.38 and abs(p.y) > 0.25 and abs(p.y) < 2.9 and p.x > 1.8 then return style.slit end
  if abs(slit) < 0.75 then colour = paint.scale(colour, 1.2) end
  if p.x > 4.2 and p.z < 48.4 and abs(p.y) > 0.35 then
    local a, b = p.x * 1.5, p.z * 1.5
    if (a - exact.round(a)) * (a - exact.round(a)) + (b - exact.round(b)) * (b - exact.round(b)) < 0.075 then
      return paint.scale(colour, 0.18)
    end
  end
  if p.x < 2.2 then colour = paint.metal(p, style.trim) end
  if abs(p.y) < 0.22 then colour = paint.scale(colour, 1.25) end
  return colour
end

local function paintPlume(p, style)
  local strand = exact.fractal(p.u * 9, p.v * 3, 0, 61, 3)
  local colour = paint.mix(style.plume, style.plumeTip, exact.step(0.35, 1, p.v + 0.5 * (strand - 0.5)))
  return paint.scale(colour, 0.5 + 0.95 * strand)
end

local function paintArm(p, style)
  local colour = paint.metal(p, style.metal)
  if p.z > 39.5 or (p.z > 32.4 and p.z < 35) then
    colour = paint.mail(p, style.mail)
  elseif p.z > 35 then
    colour = abs(p.z - 35.5) < 0.45 and paint.metal(p, style.trim) or colour
  elseif p.z > 28.3 then
    if p.z > 31.7 or p.z < 29.6 then colour = paint.metal(p, style.trim) end
    colour = paint.rivets(colour, p.z - 30.6, p.u * 14, 2.3, 0.32)
  elseif p.z > 27 or p.nz < -0.8 then
    colour = paint.leather(p, style.leather)
  else
    colour = paint.plates(colour, (27 - p.z) / 1.05)
  end
  return colour
end

local function paintPauldron(p, style)
  local colour = paint.plates(paint.metal(p, style.metal), (45.5 - p.z) / 2.05)
  if p.z < 40.0 then colour = paint.metal(p, style.trim) end
  return paint.rivets(colour, p.z - 40.7, p.u * 20, 2.5, 0.36)
end

local function paintLeg(p, style)
  if p.z > 24 or (p.z > 12.9 and p.z < 16.6) then return paint.mail(p, style.mail) end
  local colour = paint.metal(p, style.metal)
  local ridge = p.nx > 0 and abs(p.y - 4) or 9
  if ridge < 0.3 then colour = paint.scale(colour, 1.25) elseif ridge < 0.7 then colour = paint.scale(colour, 0.85) end
  local edge = math.min(abs(p.z - 23.6), abs(p.z - 17), abs(p.z - 12.5), abs(p.z - 4.4))
  if edge < 0.45 then colour = paint.metal(p, style.trim) end
  if p.nx < -0.2 and abs(p.z - 9) < 0.5 then colour = paint.leather(p, style.leather) end
  return colour
end

local function paintPoleyn(p, style)
  local colour = paint.metal(p, style.metal)
  local out = sqrt((p.y - 4) * (p.y - 4) + (p.z - 15.2) * (p.z - 15.2))
  if out > 1.75 then return paint.metal(p, style.trim) end
  return paint.rivets(colour, out, 0, 4, 0.5)
end

local function paintFoot(p, style)
  local colour = paint.plates(paint.metal(p, paint.scale(style.metal, 0.8)), (p.x + 4) / 1.5)
  if p.z < 0.35 or p.nz < -0.7 then colour = paint.leather(p, style.leather) end
  local dirt = 1 - exact.step(0, 3, p.z)
  return paint.mix(colour, { 0.30, 0.24, 0.17 }, 0.5 * dirt * exact.fractal(p.x, p.y, p.z, 52, 3))
end

-- Per pale, with the sign over both halves, in a riveted rim. On the flat shield x points up and z across.
local function paintShield(p, style)
  local up, across = p.x - 1.2, p.z - 29.5
  if p.ny < 0 then
    local plank = across / 2.2 - math.floor(across / 2.2)
    local wood = paint.leather(p, { 0.46, 0.31, 0.18 })
    if abs(up + 2) < 0.8 or abs(up - 3) < 0.8 then wood = paint.leather(p, style.leather) end
    return plank < 0.1 and paint.scale(wood, 0.5) or wood
  end
  local rim = math.max(abs(across) - (5.55 - 0.05 * (3 - up) * math.max(3 - up, 0) * 0.72), up - 6.1)
  if rim > 0 or p.y < 12.35 then
    return paint.rivets(paint.metal(p, style.trim), rim - 0.45, up + 40, 2.2, 0.36)
  end
  local colour = across > 0 and style.cloth or style.field
  if style.sign(across / 4.2, (up - 0.6) / 4.6) then
    colour = across > 0 and style.signColour or paint.scale(style.signColour, 0.9)
  end
  local scratch = exact.fractal(p.x * 0.7 + p.z * 0.7, p.z * 2.5 - p.x * 2.5, 0, 71, 3)
  local worn = 0.82 + 0.30 * exact.fractal(p.x * 0.5, p.z * 0.5, 0, 72, 3)
  colour = paint.scale(colour, rim > -0.4 and worn - 0.25 or worn)
  return scratch > 0.72 and paint.mix(colour, style.metal, 0.5) or colour
end

local PAINTERS = {
  body = paintBody, helmet = paintHelmet, visor = paintVisor, plume = paintPlume, leftArm = paintArm,
  leftPauldron = paintPauldron, leftLeg = paintLeg, leftPoleyn = paintPoleyn, leftFoot = paintFoot,
  shield = paintShield,
}

-- PNG files by style name.
function skin.paint(model)
  local size, files = knightMesh.SKIN_SIZE, {}
  local samples = bake.sample(model, size, bake.openness(model, SHADOW_REACH, MOVING_PARTS))
  for _, name in ipairs { "knight", "knight_evil" } do
    local style = skin.STYLES[name]
    files[name] = bake.paint(samples, size, COLOURS, BACKGROUND, function(sample)
      local colour = PAINTERS[sample.part](sample, style)
      return colour == style.slit and colour or paint.shade(colour, sample)
    end)
  end
  return files
end

return skin
