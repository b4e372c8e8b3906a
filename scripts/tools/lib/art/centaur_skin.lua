-- Paints the centaur: chestnut coat, tanned skin, dark hair, leather and a spear. All lengths are the model's.
local exact = require "lib.art.exact"
local paint = require "lib.art.paint"
local bake = require "lib.art.bake"
local centaurMesh = require "lib.art.centaur_mesh"

local skin = {}

local COLOURS = 256
local BACKGROUND = { 0.25, 0.18, 0.12 }
local SHADOW_REACH = 9
local MOVING_PARTS = { leftArm = true, rightArm = true, spear = true, tail = true }

local COAT, COAT_DARK, COAT_PALE = { 0.52, 0.29, 0.14 }, { 0.20, 0.10, 0.06 }, { 0.72, 0.50, 0.30 }
local SOCK, HOOF = { 0.88, 0.83, 0.74 }, { 0.24, 0.20, 0.17 }
local FLESH, FLESH_RED, FLESH_SHADOW = { 0.80, 0.57, 0.42 }, { 0.78, 0.42, 0.32 }, { 0.50, 0.30, 0.21 }
local HAIR, HAIR_LIGHT = { 0.15, 0.09, 0.05 }, { 0.42, 0.26, 0.13 }
local LEATHER, GOLD = { 0.38, 0.22, 0.12 }, { 0.85, 0.65, 0.25 }
local STEEL, WOOD, TASSEL = { 0.70, 0.72, 0.76 }, { 0.50, 0.34, 0.19 }, { 0.70, 0.10, 0.10 }

local abs, step, fractal, mix = math.abs, exact.step, exact.fractal, paint.mix

-- How near a value is to a line of the given width, 1 on it.
local function line(distance, width)
  return 1 - step(width * 0.4, width, abs(distance))
end

local function coat(p)
  local colour = mix(COAT, COAT_DARK, 0.75 * step(0.45, 1, p.nz) * step(0.35, 0.65, fractal(p.x * 0.3, p.y, 0, 81, 2)))
  colour = mix(colour, COAT_PALE, 0.6 * step(0.2, 0.9, -p.nz))
  local dapple = fractal(p.x * 0.45, p.y * 0.45, p.z * 0.45, 82, 2)
  local hairs = fractal(p.x * 1.1, p.y * 3, p.z * 3, 83, 3)
  return paint.scale(mix(colour, COAT_PALE, 0.25 * step(0.55, 0.75, dapple)), 0.72 + 0.55 * hairs)
end

local function strands(p, across)
  local strand = fractal(across * 16, p.z * 0.22, p.x * 0.3, 84, 3)
  return mix(HAIR, HAIR_LIGHT, step(0.3, 0.8, strand))
end

local function flesh(p)
  local patch = fractal(p.x * 0.6, p.y * 0.6, p.z * 0.6, 85, 3)
  local pores = 0.92 + 0.16 * fractal(p.x * 3, p.y * 3, p.z * 3, 86, 2)
  return paint.scale(mix(FLESH, FLESH_RED, 0.5 * step(0.4, 0.8, patch)), pores)
end

-- Breast, belly and shoulder blades, drawn as soft shadows.
local function muscles(p)
  local y = abs(p.y)
  local shadow
  if p.nx > 0 then
    local breast = 44.6 + 0.10 * (y - 2.4) * (y - 2.4)
    shadow = math.max(line(p.z - breast, 0.9) * step(5.6, 4.6, y), 0.7 * line(p.y, 0.6) * step(37, 39, p.z))
    if p.z < 44 and y < 2.8 then
      shadow = math.max(shadow, 0.6 * line(p.z - 42.2, 0.6), 0.6 * line(p.z - 40.2, 0.6))
    end
    shadow = math.max(shadow, 0.6 * line(y - 3.0, 0.8) * step(44.5, 43, p.z), 0.5 * line(p.z - 50.4 - 0.1 * y, 0.5))
    if (y - 2.5) * (y - 2.5) + (p.z - 46.2) * (p.z - 46.2) < 0.2 then shadow = 0.8 end
  else
    local blade = 46.5 - 0.25 * (y - 2.2) * (y - 2.2)
    shadow = math.max(0.9 * line(p.y, 0.7), 0.6 * line(p.z - blade, 0.8) * step(5, 4, y) * step(0.5, 1, y))
  end
  return mix(flesh(p), FLESH_SHADOW, 0.75 * shadow)
end

-- A strap from the right shoulder to the left hip, studded with gold.
local function strap(p, colour)
  local across = (p.z - 44.5) * 0.72 + p.y * 0.69
  if abs(across) > 1.1 then return colour end
  local leather = paint.scale(paint.leather(p, LEATHER), abs(across) > 0.85 and 0.55 or 1)
  return paint.rivets(leather, across, (p.z - p.y) * 0.7, 2.2, 0.34)
end

local function face(p, colour)
  local y, z = abs(p.y), p.z
  if z < 56.9 - 0.5 * step(0.6, 1.6, y) and not (abs(z - 56.2) < 0.28 and y < 0.9) then
    return strands(p, p.y * 0.4)
  end
  if abs(z - 56.2) < 0.28 and y < 0.9 then return { 0.52, 0.22, 0.19 } end
  colour = mix(colour, FLESH_RED, 0.6 * step(1.2, 0.2, abs(z - 57.6) + abs(y - 1.5)))
  local eyeY, eyeZ = y - 1.05, z - 58.7
  local eye = eyeY * eyeY / 0.36 + eyeZ * eyeZ / 0.10
  if eye < 1 then return eyeY * eyeY + eyeZ * eyeZ < 0.07 and { 0.10, 0.07, 0.05 } or { 0.92, 0.90, 0.86 } end
  local nose = line(y - 0.42, 0.3) * step(57, 57.4, z) * step(58.8, 58, z)
  colour = mix(colour, FLESH_SHADOW, 0.8 * step(2.2, 1, eye) + 0.6 * nose)
  if abs(z - 59.45 + 0.15 * y) < 0.22 and y > 0.35 and y < 1.8 then return HAIR end
  return colour
end

local function head(p)
  local fringe = 60.4 + 0.7 * (fractal(p.y * 1.4, 0, 0, 87, 2) - 0.5)
  if p.z > fringe or p.nx < 0.1 and p.z > 54.4 then return strands(p, p.y * 0.25) end
  if p.z < 54.6 then return flesh(p) end
  if abs(p.z - fringe + 0.35) < 0.3 then return paint.metal(p, GOLD) end
  return face(p, flesh(p))
end

-- The coat runs up into the skin in a ragged line, under a belt.
local function paintTrunk(p)
  if p.z > 53 and p.x > 8 then return head(p) end
  if p.x < 7 then return coat(p) end
  local border = 37.0 + 1.6 * (fractal(p.y * 0.9, p.x * 0.9, 0, 88, 3) - 0.5)
  if abs(p.z - 38.6) < 0.9 then
    local belt = paint.scale(paint.leather(p, LEATHER), abs(p.z - 38.6) > 0.65 and 0.55 or 1)
    if p.nx > 0.5 and abs(p.y) < 1.1 then return paint.metal(p, GOLD) end
    return paint.rivets(belt, p.z - 38.6, p.u * 36, 2.4, 0.3)
  end
  if p.z < border then return coat(p) end
  return strap(p, muscles(p))
end

local function paintLeg(p)
  local colour = coat(p)
  colour = mix(colour, COAT_DARK, 0.8 * step(16, 11, p.z + 2 * (fractal(p.x, p.y, p.z, 89, 2) - 0.5)))
  local sock = step(7.5, 6.3, p.z + 2.4 * (fractal(p.x * 1.2, p.y * 1.2, p.z * 0.6, 90, 3) - 0.5))
  colour = mix(colour, paint.scale(SOCK, 0.75 + 0.4 * fractal(p.x * 2, p.y * 2, p.z * 0.7, 91, 3)), sock)
  if p.z < 2.3 or p.nz < -0.9 then
    return paint.scale(HOOF, 0.7 + 0.6 * fractal(p.x * 1.5, p.y * 1.5, p.z * 5, 92, 3) + 0.3 * line(p.z - 2.2, 0.4))
  end
  return colour
end

local function paintArm(p)
  if p.z > 36.6 and p.z < 41.2 then
    local edge = math.min(p.z - 36.6, 41.2 - p.z)
    if edge < 0.5 then return paint.metal(p, GOLD) end
    local lacing = line(abs((p.z * 1.1) % 2 - 1) - 0.5 + p.ny * 0.3, 0.2)
    return paint.scale(paint.leather(p, LEATHER), 1 - 0.5 * lacing)
  end
  if p.z < 36 then
    return mix(flesh(p), FLESH_SHADOW, 0.8 * line(p.x * 1.4 - exact.round(p.x * 1.4), 0.25) * step(35, 34, p.z))
  end
  local muscle = line(p.z - 46.4 + 0.3 * p.y * (p.y > 0 and 1 or -1) - 2.4, 1.0)
  return mix(flesh(p), FLESH_SHADOW, 0.45 * muscle)
end

local function paintSpear(p)
  local along = p.x - 13.9
  if along > 22.4 then
    local edge = step(0.3, 1.2, abs(p.y + 10.2) + abs(p.z - 34.6))
    return paint.scale(paint.metal(p, STEEL), 0.8 + 0.4 * edge)
  end
  if along > 19 then return paint.scale(TASSEL, 0.6 + 0.8 * fractal(p.x * 0.6, p.u * 12, 0, 93, 2)) end
  if along < -22 then return paint.metal(p, STEEL) end
  if abs(along) < 3 then return paint.scale(paint.leather(p, LEATHER), 0.7 + 0.5 * ((along * 0.9) % 1)) end
  return paint.scale(WOOD, 0.6 + 0.7 * fractal(p.x * 0.3, p.u * 7, 0, 94, 3))
end

local PAINTERS = {
  trunk = paintTrunk, leftFront = paintLeg, rightFront = paintLeg, leftHind = paintLeg, rightHind = paintLeg,
  leftArm = paintArm, rightArm = paintArm, spear = paintSpear,
  tail = function(p) return strands(p, p.u) end,
  hair = function(p) return strands(p, p.u) end,
}

-- The PNG file.
function skin.paint(model)
  local size = centaurMesh.SKIN_SIZE
  local samples = bake.sample(model, size, bake.openness(model, SHADOW_REACH, MOVING_PARTS))
  return bake.paint(samples, size, COLOURS, BACKGROUND, function(sample)
    return paint.shade(PAINTERS[sample.part](sample), sample)
  end)
end

return skin
