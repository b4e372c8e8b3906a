-- The tables glyf and loca of a TrueType font, and what other tables have to know of the outlines.
local outline = require "font_outline"

local glyf = {}

local ON_CURVE, X_SHORT, Y_SHORT, REPEAT, X_SAME, Y_SAME = 1, 2, 4, 8, 16, 32  -- X_SAME with X_SHORT: is positive
local WORDS, OFFSETS, ROUND_OFFSETS, MORE, USE_METRICS = 1, 2, 4, 0x20, 0x200

--- The flag and the bytes of a coordinate, which is stored as the difference to the one before.
local function encodeDelta(delta, short, same)
  if delta == 0 then return same, "" end
  if math.abs(delta) < 256 then return short | (delta > 0 and same or 0), string.pack("B", math.abs(delta)) end
  return 0, string.pack(">i2", delta)
end

local function packFlags(flags)
  local bytes, i = {}, 1
  while i <= #flags do
    local count = 1
    while count < 256 and flags[i + count] == flags[i] do count = count + 1 end
    if count > 2 then
      bytes[#bytes + 1] = string.pack("BB", flags[i] | REPEAT, count - 1)
    else
      bytes[#bytes + 1] = string.pack("B", flags[i]):rep(count)
    end
    i = i + count
  end
  return table.concat(bytes)
end

local function encodeOutlines(glyph)
  local ends, flags, xs, ys = {}, {}, {}, {}
  local x, y = 0, 0
  for _, points in ipairs(glyph.outlines) do
    for _, point in ipairs(points) do
      local xFlag, xBytes = encodeDelta(point.x - x, X_SHORT, X_SAME)
      local yFlag, yBytes = encodeDelta(point.y - y, Y_SHORT, Y_SAME)
      flags[#flags + 1] = (point.on and ON_CURVE or 0) | xFlag | yFlag
      xs[#xs + 1], ys[#ys + 1] = xBytes, yBytes
      x, y = point.x, point.y
    end
    ends[#ends + 1] = string.pack(">I2", #flags - 1)
  end
  return string.pack(">i2i2i2i2i2", #glyph.outlines, table.unpack(glyph.bounds)) .. table.concat(ends)
    .. string.pack(">I2", 0) .. packFlags(flags) .. table.concat(xs) .. table.concat(ys)
end

local function encodeParts(glyph)
  local bytes = { string.pack(">i2i2i2i2i2", -1, table.unpack(glyph.bounds)) }
  for i, part in ipairs(glyph.parts) do
    local base, dx, dy = table.unpack(part)
    local flags = WORDS | OFFSETS | ROUND_OFFSETS
    if i < #glyph.parts then flags = flags | MORE end
    if i == 1 and base.advance == glyph.advance then flags = flags | USE_METRICS end
    bytes[#bytes + 1] = string.pack(">I2I2i2i2", flags, base.index, dx, dy)
  end
  return table.concat(bytes)
end

local function movedOutlines(outlines, dx, dy, result)
  for _, points in ipairs(outlines) do
    local moved = {}
    for i, point in ipairs(points) do moved[i] = { x = point.x + dx, y = point.y + dy, on = point.on } end
    result[#result + 1] = moved
  end
end

--- All outlines of a glyph, those of its parts included.
function glyf.outlinesOf(glyph)
  if glyph.outlines then return glyph.outlines end
  local result = {}
  for _, part in ipairs(glyph.parts) do
    movedOutlines(glyf.outlinesOf(part[1]), part[2], part[3], result)
  end
  return result
end

local function countPoints(outlines)
  local count = 0
  for _, points in ipairs(outlines) do count = count + #points end
  return count
end

--- Sets the `bounds` { xMin, yMin, xMax, yMax } of all glyphs with ink. Returns the tables glyf and loca and the
--- largest counts for maxp.
function glyf.encode(glyphs)
  local limits = { points = 0, contours = 0, compositePoints = 0, compositeContours = 0, parts = 0 }
  local bodies, places, size = {}, {}, 0
  for i, glyph in ipairs(glyphs) do
    local outlines = glyf.outlinesOf(glyph)
    local body = ""
    if #outlines > 0 then
      glyph.bounds = { outline.bounds(outlines) }
      body = glyph.parts and encodeParts(glyph) or encodeOutlines(glyph)
      body = body .. ("\0"):rep(-#body % 4)
    end
    local points = glyph.parts and "compositePoints" or "points"
    local contours = glyph.parts and "compositeContours" or "contours"
    limits[points] = math.max(limits[points], countPoints(outlines))
    limits[contours] = math.max(limits[contours], #outlines)
    limits.parts = math.max(limits.parts, glyph.parts and #glyph.parts or 0)
    bodies[i], places[i] = body, string.pack(">I2", size // 2)
    size = size + #body
  end
  places[#places + 1] = string.pack(">I2", size // 2)
  return table.concat(bodies), table.concat(places), limits
end

return glyf
