-- The textures of the courtyard. Each repeats without a seam; one side is 128 texels.
local exact = require "lib.art.exact"
local paint = require "lib.art.paint"
local png = require "lib.art.png"

local textures = {}

local SIZE, COLOURS = 128, 64
local hash, step, mix, scale = exact.hash, exact.step, paint.mix, paint.scale
local floor, abs, sqrt = math.floor, math.abs, math.sqrt

-- Noise with `cells` hills a side, 0..1, at u, v of 0..1.
local function cloud(u, v, cells, seed, octaves)
  return exact.fractal(u * cells, v * cells, 0.5, seed, octaves or 3, cells, cells)
end

-- The cells of a jittered grid: distances to the nearest and the second nearest centre, and the number of the nearest.
local function cells(u, v, count, seed)
  local x, y = u * count, v * count
  local first, second, owner = 9, 9, 0
  for cy = floor(y) - 1, floor(y) + 1 do
    for cx = floor(x) - 1, floor(x) + 1 do
      local wx, wy = cx % count, cy % count
      local dx = cx + 0.15 + 0.7 * hash(wx, wy, 0, seed) - x
      local dy = cy + 0.15 + 0.7 * hash(wx, wy, 1, seed) - y
      local distance = sqrt(dx * dx + dy * dy)
      if distance < first then
        first, second, owner = distance, first, wy * count + wx
      elseif distance < second then
        second = distance
      end
    end
  end
  return first, second, owner
end

local function between(value)            -- 0 in the middle of a unit, 1 at its ends
  return abs(value - floor(value) - 0.5) * 2
end

local painters = {}

-- Four courses of ashlar, two stones each, with mortar between and light on the upper edges.
function painters.stone(u, v)
  local rows = 4
  local row = floor(v * rows)
  local shift = (row % 2) * 0.25 + 0.08 * (hash(row, 0, 0, 201) - 0.5)
  local across = (u + shift) * 2
  local stone = floor(across) % 2
  local within, down = across - floor(across), v * rows - row
  local wobble = 0.02 * (cloud(u, v, 8, 202) - 0.5)
  local edge = math.min(within * 2, (1 - within) * 2, down, 1 - down) + wobble
  local tone = 0.78 + 0.30 * hash(stone, row, 0, 203)
  local colour = mix({ 0.62, 0.58, 0.52 }, { 0.56, 0.56, 0.57 }, hash(stone, row, 1, 204))
  colour = scale(colour, tone * (0.72 + 0.55 * cloud(u, v, 8, 205, 4)))
  colour = scale(colour, 1 + 0.16 * (step(0.16, 0.07, down) - step(0.80, 0.95, down)))
  local moss = step(0.60, 0.80, cloud(u, v, 4, 206, 3)) * step(0.6, 1, down)
  colour = mix(colour, { 0.36, 0.40, 0.24 }, 0.45 * moss)
  return mix(colour, { 0.30, 0.28, 0.26 }, step(0.065, 0.03, edge))
end

function painters.cobbles(u, v)
  local first, second, owner = cells(u, v, 8, 211)
  local gap = second - first
  local tone = 0.7 + 0.5 * hash(owner, 0, 0, 212)
  local colour = mix({ 0.50, 0.46, 0.41 }, { 0.44, 0.45, 0.48 }, hash(owner, 1, 0, 213))
  colour = scale(colour, tone * (1.12 - 0.6 * first * first) * (0.78 + 0.44 * cloud(u, v, 16, 214)))
  local earth = mix({ 0.22, 0.18, 0.13 }, { 0.24, 0.26, 0.13 }, step(0.45, 0.7, cloud(u, v, 4, 215)))
  return mix(earth, colour, step(0.03, 0.17, gap))
end

local function grain(u, v, seed)
  local coarse = exact.fractal(u * 32, v * 4, 0.5, seed, 2, 32, 4)
  return 0.5 * coarse + 0.5 * exact.noise(u * 64, v * 8, 0.5, seed + 7, 64, 8)
end

-- Four boards a side, upright, nailed at the ends.
function painters.wood(u, v)
  local board = floor(u * 4)
  local within = u * 4 - board
  local tone = 0.78 + 0.36 * hash(board, 0, 0, 221)
  local colour = mix({ 0.30, 0.19, 0.10 }, { 0.58, 0.40, 0.23 }, grain(u, v, 222 + board))
  colour = scale(colour, tone * (1 - 0.65 * step(0.88, 0.98, between(within))))
  local dx, dy = (abs(within - 0.5) - 0.28) * 32, (abs(v - 0.5) - 0.45) * 128
  local nail = dx * dx + dy * dy
  return nail < 2.2 and scale({ 0.30, 0.29, 0.29 }, 1.4 - 0.3 * nail) or colour
end

-- Eight courses of tiles with round ends.
function painters.roof(u, v)
  local rows = 8
  local y = v * rows
  local best
  for course = floor(y), floor(y) - 1, -1 do         -- the course above hangs over this one
    local x = u * 8 + (course % 2) * 0.5
    local tile, across = floor(x) % 8, (x - floor(x) - 0.5) * 2
    local length = 1.32 - 0.34 * across * across
    local down = y - course
    if down < length then
      local fire = hash(tile, course % rows, 0, 231)
      local colour = mix({ 0.58, 0.25, 0.17 }, { 0.44, 0.20, 0.18 }, fire)
      local light = (0.72 + 0.4 * hash(tile, course % rows, 1, 232)) * (0.8 + 0.4 * cloud(u, v, 16, 233))
      light = light * (1 - 0.5 * step(0.8, 1, abs(across))) * (1 + 0.3 * step(length - 0.2, length - 0.05, down))
      best = scale(colour, light * (0.62 + 0.4 * step(0.0, 0.55, down)))
    end
    if best and course < floor(y) then return best end
  end
  return best
end

function painters.grass(u, v)
  local blades = exact.noise(u * 64, v * 16, 0.5, 241, 64, 16)
  local colour = mix({ 0.18, 0.28, 0.09 }, { 0.42, 0.52, 0.20 }, 0.6 * blades + 0.5 * cloud(u, v, 8, 242) - 0.1)
  local first, _, owner = cells(u, v, 6, 243)
  if first < 0.06 and hash(owner, 0, 0, 244) > 0.5 then return { 0.92, 0.88, 0.62 } end
  return scale(colour, 0.82 + 0.36 * hash(floor(u * SIZE), floor(v * SIZE), 0, 245))
end

function painters.leaves(u, v)
  local first, second, owner = cells(u, v, 12, 251)
  local colour = mix({ 0.14, 0.27, 0.08 }, { 0.40, 0.52, 0.16 }, hash(owner, 0, 0, 252))
  colour = scale(colour, 1.25 - 0.8 * first)
  local deep = step(0.06, 0.0, second - first) + 0.6 * step(0.5, 0.3, cloud(u, v, 6, 253))
  return mix(colour, { 0.05, 0.10, 0.03 }, exact.clamp(0.75 * deep, 0, 1))
end

function painters.bark(u, v)
  local ridge = abs(2 * exact.fractal(u * 14, v * 3, 0.5, 261, 3, 14, 3) - 1)
  return scale(mix({ 0.16, 0.11, 0.07 }, { 0.46, 0.35, 0.25 }, step(0, 0.5, ridge)), 0.8 + 0.4 * cloud(u, v, 8, 262))
end

function painters.hay(u, v)
  local straw = exact.noise(u * 6, v * 48, 0.5, 271, 6, 48) * 0.6 + exact.noise(u * 40, v * 5, 0.5, 272, 40, 5) * 0.4
  return mix({ 0.44, 0.32, 0.12 }, { 0.90, 0.76, 0.40 }, step(0.2, 0.8, straw))
end

function painters.iron(u, v)
  local colour = scale({ 0.30, 0.31, 0.34 }, 0.6 + 0.8 * cloud(u, v, 8, 281, 4))
  return mix(colour, { 0.42, 0.24, 0.14 }, 0.7 * step(0.60, 0.75, cloud(u, v, 6, 282, 4)))
end

function painters.water(u, v)
  local wave = abs(2 * cloud(u, v, 6, 291, 3) - 1)
  return mix({ 0.52, 0.72, 0.78 }, { 0.12, 0.30, 0.40 }, step(0, 0.35, wave))
end

function painters.marble(u, v)
  local vein = step(0.10, 0.0, abs(2 * cloud(u, v, 4, 296, 4) - 1))
  local colour = scale({ 0.74, 0.72, 0.68 }, 0.80 + 0.34 * cloud(u, v, 8, 297, 4))
  return mix(colour, { 0.50, 0.48, 0.45 }, 0.5 * vein)
end

function painters.embers(u, v)
  local first, second = cells(u, v, 8, 298)
  local glow = step(0.22, 0.0, second - first)
  return mix(scale({ 0.55, 0.16, 0.07 }, 1.2 - first), { 1.0, 0.72, 0.20 }, glow)
end

-- A banner, seen once: gold border and a tower on red, in hanging folds.
function painters.banner(u, v)
  local x, y = abs(u - 0.5), v
  local fold = 0.84 + 0.26 * (0.5 + 0.5 * exact.sin(u * 1080 + 40 * exact.sin(v * 200)))
  local thread = 0.92 + 0.16 * hash(floor(u * SIZE), floor(v * SIZE), 0, 301)
  local wall = x < 0.20 and y > 0.42 and y < 0.72
  local merlon = x < 0.24 and y > 0.32 and y < 0.44 and not (y < 0.38 and between(x * 12.5 + 0.5) > 0.5)
  local foot = x < 0.26 and y > 0.70 and y < 0.76
  local door = x < 0.065 and y > 0.60 or x * x + (y - 0.60) * (y - 0.60) < 0.0042
  local window = x > 0.08 and x < 0.12 and y > 0.48 and y < 0.55
  local border = (x > 0.43 or y < 0.05 or y > 0.95) and x < 0.475
  local isGold = border or (wall or merlon or foot) and not (door and y < 0.72) and not window
  return scale(isGold and { 0.88, 0.68, 0.24 } or { 0.62, 0.08, 0.09 }, fold * thread)
end

-- In the order in which they are written.
textures.NAMES = { "stone", "cobbles", "wood", "roof", "grass", "leaves", "bark", "hay", "iron", "water", "marble",
  "embers", "banner" }

-- The PNG file of a texture.
function textures.make(name)
  local pixels = {}
  for y = 0, SIZE - 1 do
    for x = 0, SIZE - 1 do
      local colour = painters[name]((x + 0.5) / SIZE, (y + 0.5) / SIZE)
      for channel = 1, 3 do
        pixels[#pixels + 1] = exact.clamp(exact.round(colour[channel] * 255), 0, 255)
      end
    end
  end
  return png.encode(SIZE, SIZE, pixels, COLOURS)
end

return textures
