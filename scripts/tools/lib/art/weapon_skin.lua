-- Paints the axe and the sword. Places are measured from the middle of the grip: `along` the shaft towards the point,
-- and `out` to the edge.
local exact = require "lib.art.exact"
local paint = require "lib.art.paint"
local bake = require "lib.art.bake"
local knightMesh = require "lib.art.knight_mesh"
local weapons = require "lib.art.weapons"

local skin = {}

local COLOURS = 128
local BACKGROUND = { 0.2, 0.18, 0.16 }
local SHADOW_REACH = 4

local STEEL, GOLD = { 0.68, 0.70, 0.75 }, { 0.86, 0.64, 0.24 }
local WOOD, LEATHER, RUBY = { 0.46, 0.29, 0.15 }, { 0.30, 0.17, 0.10 }, { 0.75, 0.08, 0.10 }

local GRIP_X, GRIP_Y, GRIP_Z = knightMesh.GRIP[10], knightMesh.GRIP[11], knightMesh.GRIP[12]
local abs, fractal = math.abs, exact.fractal

local function along(p) return p.x - GRIP_X end
local function out(p) return GRIP_Z - p.z end

local function wood(p)
  return paint.scale(WOOD, 0.62 + 0.7 * fractal(p.x * 0.25, p.u * 8, 0, 101, 3))
end

-- Leather wound around in a slanting band.
local function wound(p)
  local band = (along(p) * 0.9 + p.u * 1.2) % 1
  return paint.scale(paint.leather(p, LEATHER), 0.6 + 0.7 * band)
end

local function axeBlade(p)
  local edge = out(p) - 7.6 + 0.045 * (along(p) - 12.5) * (along(p) - 12.5)
  local colour = paint.metal(p, STEEL)
  if edge > 0 then
    return paint.scale({ 0.86, 0.88, 0.92 }, 0.85 + 0.3 * fractal(p.x * 0.8, p.z * 3, 0, 102, 3))
  end
  if edge > -0.35 then colour = paint.scale(colour, 0.6) end
  local knot = out(p) - 4.6 - 0.9 * exact.sin(along(p) * 75)
  if abs(knot) < 0.32 and along(p) > 9.2 and along(p) < 17.2 then colour = paint.metal(p, GOLD) end
  if out(p) < -3.4 then colour = paint.scale(colour, 1.2) end
  return paint.scale(colour, 0.75 + 0.35 * exact.step(0, 5, out(p)))
end

local AXE_PAINTERS = {
  blade = axeBlade, shaft = wood, grip = wound,
  socket = function(p)
    local rim = math.min(along(p) - 10.6, 16.4 - along(p))
    return paint.rivets(paint.metal(p, rim < 1 and GOLD or STEEL), rim - 2, p.u * 6, 1.5, 0.4)
  end,
  pommel = function(p) return paint.metal(p, GOLD) end,
  spike = function(p) return paint.metal(p, STEEL) end,
}

-- The fuller, a groove along the middle, carries a line of gold letters near the guard.
local function swordBlade(p)
  local flat = abs(out(p))
  local colour = paint.scale(paint.metal(p, STEEL), 0.9 + 0.25 * exact.step(0.7, 1.3, flat))
  if along(p) < 22 and flat < 0.42 then
    colour = paint.scale(colour, 0.6)
    local letter = exact.hash(math.floor(along(p) * 2.2), math.floor(out(p) * 5), 3, 103)
    if along(p) < 12 and along(p) > 4 and letter > 0.5 then colour = paint.metal(p, GOLD) end
  end
  return colour
end

local SWORD_PAINTERS = {
  blade = swordBlade,
  guard = function(p)
    local colour = paint.metal(p, GOLD)
    if abs(out(p)) < 0.55 and abs(p.y - GRIP_Y) > 0.3 then return paint.scale(RUBY, 0.8 + 0.5 * p.open) end
    return abs(abs(out(p)) - 2) < 0.25 and paint.scale(colour, 0.5) or colour
  end,
  grip = function(p)
    if along(p) > -3.7 then return wound(p) end
    local fromMiddle = abs(along(p) + 5.3) + abs(out(p))
    if fromMiddle < 0.7 then return RUBY end
    return paint.metal(p, GOLD)
  end,
}

local function paintModel(model, painters)
  local samples = bake.sample(model, weapons.SKIN_SIZE, bake.openness(model, SHADOW_REACH, {}))
  return bake.paint(samples, weapons.SKIN_SIZE, COLOURS, BACKGROUND, function(sample)
    return paint.shade(painters[sample.part](sample), sample)
  end)
end

-- PNG files.
function skin.paintAxe(model) return paintModel(model, AXE_PAINTERS) end
function skin.paintSword(model) return paintModel(model, SWORD_PAINTERS) end

return skin
