-- The tables of a TrueType font besides the outlines. All take `font`: the sheet's glyphs and characters, the kerning
-- pairs and the texts of the name table.
local metrics = require "font_metrics"

local tables = {}

local REVISION = 0x00010000
local VERSION_1 = 0x00010000
local CREATED = 3850070400  -- 2026-01-01, in seconds since 1904: fixed, so that the file depends on its sources only
local MAGIC = 0x5F0F3CF5
local BASELINE_AT_0, BEARING_AT_X_MIN = 1, 2
local LEFT_TO_RIGHT = 2
local WINDOWS, UNICODE_BMP, ENGLISH = 3, 1, 0x409
local UNICODE, UNICODE_2 = 0, 3

--- The largest advance, the least bearings, the largest xMax and the box around the ink of all glyphs.
local function extremesOf(glyphs)
  local e = { advance = 0, left = math.huge, right = math.huge, extent = -math.huge,
    xMin = math.huge, yMin = math.huge, xMax = -math.huge, yMax = -math.huge }
  for _, glyph in ipairs(glyphs) do
    e.advance = math.max(e.advance, glyph.advance)
    if glyph.bounds then
      local xMin, yMin, xMax, yMax = table.unpack(glyph.bounds)
      e.left, e.right = math.min(e.left, xMin), math.min(e.right, glyph.advance - xMax)
      e.extent = math.max(e.extent, xMax)
      e.xMin, e.yMin = math.min(e.xMin, xMin), math.min(e.yMin, yMin)
      e.xMax, e.yMax = math.max(e.xMax, xMax), math.max(e.yMax, yMax)
    end
  end
  return e
end

function tables.head(font)
  local e = extremesOf(font.glyphs)
  local smallestSize, shortPlaces = 8, 0
  return string.pack(">I4I4I4I4I2I2i8i8i2i2i2i2I2I2i2i2i2", VERSION_1, REVISION, 0, MAGIC,
    BASELINE_AT_0 | BEARING_AT_X_MIN, metrics.unitsPerEm, CREATED, CREATED, e.xMin, e.yMin, e.xMax, e.yMax, 0,
    smallestSize, LEFT_TO_RIGHT, shortPlaces, 0)
end

function tables.hhea(font)
  local e = extremesOf(font.glyphs)
  local slopeRise, slopeRun = 1, 0
  return string.pack(">I4i2i2i2I2i2i2i2i2i2i2i2i2i2i2i2I2", VERSION_1, metrics.ascent, metrics.descent, metrics.lineGap,
    e.advance, e.left, e.right, e.extent, slopeRise, slopeRun, 0, 0, 0, 0, 0, 0, #font.glyphs)
end

function tables.hmtx(font)
  local rows = {}
  for i, glyph in ipairs(font.glyphs) do
    rows[i] = string.pack(">I2i2", glyph.advance, glyph.bounds and glyph.bounds[1] or 0)
  end
  return table.concat(rows)
end

function tables.maxp(font)
  local l = font.limits
  local zones, depth = 2, 1
  return string.pack(">I4I2I2I2I2I2I2I2I2I2I2I2I2I2I2", VERSION_1, #font.glyphs, l.points, l.contours,
    l.compositePoints, l.compositeContours, zones, 0, 0, 0, 0, 0, 0, l.parts, depth)
end

--- Groups the characters, sorted by code, into runs whose glyphs are as consecutive as the codes.
local function findRuns(characters)
  local runs = {}
  for _, character in ipairs(characters) do
    local run = runs[#runs]
    local delta = character.glyph.index - character.code
    if run and run.last + 1 == character.code and run.delta == delta then
      run.last = character.code
    else
      runs[#runs + 1] = { first = character.code, last = character.code, delta = delta }
    end
  end
  runs[#runs + 1] = { first = 0xFFFF, last = 0xFFFF, delta = 1 }
  return runs
end

local function packRuns(runs, format, field)
  local numbers = {}
  for i, run in ipairs(runs) do numbers[i] = string.pack(format, field(run)) end
  return table.concat(numbers)
end

--- Numbers that let readers search a list of `count` entries of a size by halving.
local function searchHints(count, size)
  local power = 1
  local exponent = 0
  while power * 2 <= count do power, exponent = power * 2, exponent + 1 end
  return power * size, exponent, (count - power) * size
end
tables.searchHints = searchHints

function tables.cmap(font)
  local runs = findRuns(font.characters)
  local range, selector, shift = searchHints(#runs, 2)
  local body = string.pack(">I2I2I2I2", #runs * 2, range, selector, shift)
    .. packRuns(runs, ">I2", function(run) return run.last end) .. string.pack(">I2", 0)
    .. packRuns(runs, ">I2", function(run) return run.first end)
    .. packRuns(runs, ">I2", function(run) return run.delta & 0xFFFF end)
    .. packRuns(runs, ">I2", function() return 0 end)
  local format, language = 4, 0
  local place = 4 + 2 * 8
  return string.pack(">I2I2", 0, 2) .. string.pack(">I2I2I4", UNICODE, UNICODE_2, place)
    .. string.pack(">I2I2I4", WINDOWS, UNICODE_BMP, place)
    .. string.pack(">I2I2I2", format, #body + 6, language) .. body
end

function tables.name(font)
  local records, texts = {}, {}
  local place = 0
  for _, entry in ipairs(font.names) do
    local text = entry.text:gsub(".", "\0%0")
    records[#records + 1] = string.pack(">I2I2I2I2I2I2", WINDOWS, UNICODE_BMP, ENGLISH, entry.id, #text, place)
    texts[#texts + 1] = text
    place = place + #text
  end
  return string.pack(">I2I2I2", 0, #records, 6 + 12 * #records) .. table.concat(records) .. table.concat(texts)
end

--- Without names of glyphs.
function tables.post()
  local version, underlinePlace, underlineHeight, isFixedPitch = 0x00030000, -110, 70, 0
  return string.pack(">I4i4i2i2I4I4I4I4I4", version, 0, underlinePlace, underlineHeight, isFixedPitch, 0, 0, 0, 0)
end

function tables.kern(font)
  local rows = {}
  for i, pair in ipairs(font.kerning) do
    rows[i] = string.pack(">I2I2i2", pair.left.index, pair.right.index, pair.value)
  end
  local range, selector, shift = searchHints(#rows, 6)
  local horizontal, tableCount = 1, 1
  return string.pack(">I2I2I2I2I2I2I2I2I2", 0, tableCount, 0, 14 + 6 * #rows, horizontal, #rows, range, selector, shift)
    .. table.concat(rows)
end

local function averageAdvance(glyphs)
  local sum, count = 0, 0
  for _, glyph in ipairs(glyphs) do
    if glyph.advance > 0 then sum, count = sum + glyph.advance, count + 1 end
  end
  return (sum + count // 2) // count
end

tables["OS/2"] = function(font)
  local m = metrics
  local e = extremesOf(font.glyphs)
  local weight, width, embeddable = 400, 5, 0
  local scriptWidth, scriptHeight, superY, subY = 650, 600, 350, 75
  local strikeoutHeight, strikeoutPlace = 70, m.xHeight // 2
  local panose = string.pack("BBBBBBBBBB", 2, 11, 6, 4, 2, 2, 2, 2, 2, 4)
  local basicLatin, latin1, latinA, punctuation, currency, letterlike, arrows, maths = 0, 1, 2, 31, 33, 35, 37, 38
  local ranges = { 0, 0 }
  for _, bit in ipairs { basicLatin, latin1, latinA, punctuation, currency, letterlike, arrows, maths } do
    ranges[bit // 32 + 1] = ranges[bit // 32 + 1] | 1 << bit % 32
  end
  local regularTypoMetrics = 1 << 6 | 1 << 7
  local latinPages = 1 << 0 | 1 << 1 | 1 << 4 | 1 << 7
  local characters = font.characters
  return string.pack(">I2i2I2I2I2i2i2i2i2i2i2i2i2i2i2i2", 4, averageAdvance(font.glyphs), weight, width, embeddable,
      scriptWidth, scriptHeight, 0, subY, scriptWidth, scriptHeight, 0, superY, strikeoutHeight, strikeoutPlace, 0)
    .. panose .. string.pack(">I4I4I4I4", ranges[1], ranges[2], 0, 0) .. "PLFY"
    .. string.pack(">I2I2I2i2i2i2I2I2I4I4i2i2I2I2I2", regularTypoMetrics, characters[1].code,
      characters[#characters].code, m.ascent, m.descent, m.lineGap, math.max(e.yMax, m.ascent),
      math.max(-e.yMin, -m.descent), latinPages, 0, m.xHeight, m.capHeight, 0, utf8.codepoint " ", 2)
end

return tables
