-- Punctuation, signs of mathematics and currency, arrows and other signs.
local m = require "font_metrics"

local L = m.linesFor(m.signPen)

local SIDE, NARROW = 46, 34       -- side bearings
local DOT = 112
local DOT_LINE = DOT / 2 - 4      -- the height of a full stop's middle
local AXIS = 320                  -- the height of the middle of + and the like
local WIDE = m.figureAdvance      -- of signs that stand with figures
local PART = 200                  -- half the width of those
local DASH_LINE = 262
local HALF_CAPITAL = m.capHeight / 2

local function drawComma(pen, x, y)
  pen:dot(x, y, DOT):weight(0.74):from(x + 22, y - 8):bend(x + 24, y - 82, x - 38, y - 136):lift():weight(1)
end

local function drawOpeningQuote(pen, x, y)
  pen:dot(x, y, DOT):weight(0.74):from(x - 22, y + 8):bend(x - 24, y + 82, x + 38, y + 136):lift():weight(1)
end

local function drawTick(pen, x)
  pen:line(x, m.capHeight - 36, x, m.capHeight - 190)
end

local function drawExclamation(pen)
  pen:dot(0, DOT_LINE, DOT):line(0, L.capHead, 0, 226)
end

local function drawQuestion(pen)
  pen:dot(150, DOT_LINE, DOT)
  pen:arc(150, 490, 150, L.capBowl - 490, 158, 0):curve(300, 384, 150, 376, 150, 226):lift()
end

--- Draws upside down, around the middle of the x-height.
local function turned(draw)
  return function(pen)
    draw(pen)
    for _, stroke in ipairs(pen.strokes) do
      if stroke.dot then stroke.dot[1], stroke.dot[2] = -stroke.dot[1], m.xHeight - stroke.dot[2] end
      for _, piece in ipairs(stroke) do
        for i = 1, 7, 2 do piece[i], piece[i + 1] = -piece[i], m.xHeight - piece[i + 1] end
      end
    end
  end
end

local function stops(sheet)
  sheet:glyph(".", SIDE, SIDE, function(pen) pen:dot(0, DOT_LINE, DOT) end)
  sheet:glyph(",", SIDE - 6, SIDE, function(pen) drawComma(pen, 0, DOT_LINE) end)
  sheet:glyph(":", SIDE + 8, SIDE + 8, function(pen) pen:dot(0, DOT_LINE, DOT):dot(0, 412, DOT) end)
  sheet:glyph(";", SIDE, SIDE + 8, function(pen)
    drawComma(pen, 0, DOT_LINE)
    pen:dot(0, 412, DOT)
  end)
  sheet:glyph("…", SIDE + 4, SIDE + 4, function(pen)
    pen:dot(0, DOT_LINE, DOT):dot(244, DOT_LINE, DOT):dot(488, DOT_LINE, DOT)
  end)
  sheet:glyph("·", SIDE, SIDE, function(pen) pen:dot(0, DASH_LINE, DOT) end)
  sheet:glyph("•", SIDE + 8, SIDE + 8, function(pen) pen:dot(0, DASH_LINE + 20, 216) end)
  sheet:glyph("!", SIDE + 24, SIDE + 24, drawExclamation)
  sheet:glyph("¡", SIDE + 24, SIDE + 24, turned(drawExclamation))
  sheet:glyph("?", NARROW, NARROW, drawQuestion)
  sheet:glyph("¿", NARROW, NARROW, turned(drawQuestion))
end

local function quotes(sheet)
  local low, high, apart = DOT_LINE, m.capHeight - DOT / 2 + 6, 190
  local opening = high - 136 + 14
  sheet:glyph("'", SIDE + 10, SIDE + 10, function(pen) drawTick(pen, 0) end)
  sheet:glyph('"', SIDE + 10, SIDE + 10, function(pen)
    drawTick(pen, 0)
    drawTick(pen, 164)
  end)
  sheet:glyph("‘", NARROW, NARROW, function(pen) drawOpeningQuote(pen, 0, opening) end)
  sheet:glyph("’", NARROW, NARROW, function(pen) drawComma(pen, 0, high) end)
  sheet:glyph("‚", NARROW, NARROW, function(pen) drawComma(pen, 0, low) end)
  sheet:glyph("“", NARROW, NARROW, function(pen)
    drawOpeningQuote(pen, 0, opening)
    drawOpeningQuote(pen, apart, opening)
  end)
  sheet:glyph("”", NARROW, NARROW, function(pen)
    drawComma(pen, 0, high)
    drawComma(pen, apart, high)
  end)
  sheet:glyph("„", NARROW, NARROW, function(pen)
    drawComma(pen, 0, low)
    drawComma(pen, apart, low)
  end)
  local function drawAngle(pen, x, side)
    pen:from(x, 422):to(x + side * 132, 256):to(x, 90):lift()
  end
  sheet:glyph("‹", NARROW + 8, NARROW + 8, function(pen) drawAngle(pen, 0, -1) end)
  sheet:glyph("›", NARROW + 8, NARROW + 8, function(pen) drawAngle(pen, 0, 1) end)
  sheet:glyph("«", NARROW + 8, NARROW + 8, function(pen)
    drawAngle(pen, 0, -1)
    drawAngle(pen, 178, -1)
  end)
  sheet:glyph("»", NARROW + 8, NARROW + 8, function(pen)
    drawAngle(pen, 0, 1)
    drawAngle(pen, 178, 1)
  end)
  sheet:glyph("′", NARROW, NARROW, function(pen) pen:line(56, m.capHeight - 36, 0, m.capHeight - 190) end)
  sheet:glyph("″", NARROW, NARROW, function(pen)
    pen:line(56, m.capHeight - 36, 0, m.capHeight - 190)
    pen:line(210, m.capHeight - 36, 154, m.capHeight - 190)
  end)
end

local function dashes(sheet)
  sheet:glyph("-", SIDE, SIDE, function(pen) pen:line(0, DASH_LINE, 190, DASH_LINE) end)
  sheet:fixed("–", WIDE, function(pen) pen:line(0, DASH_LINE, 400, DASH_LINE) end)
  sheet:fixed("—", m.unitsPerEm, function(pen) pen:line(0, DASH_LINE, 850, DASH_LINE) end)
  sheet:glyph("_", 0, 0, function(pen) pen:line(0, -110, 400, -110) end)
  for _, same in ipairs { "\u{AD}", "‐", "‑" } do sheet:alias(same, "-") end
  sheet:alias("‒", "–")
  sheet:alias("―", "—")
end

local function brackets(sheet)
  local top, bottom = 716, -124
  local middle = (top + bottom) / 2
  local rise = (top - bottom) / 2
  sheet:glyph("(", SIDE + 10, NARROW, function(pen) pen:arc(190, middle, 190, rise, 122, 238) end)
  sheet:glyph(")", NARROW, SIDE + 10, function(pen) pen:arc(0, middle, 190, rise, 58, -58) end)
  sheet:glyph("[", SIDE + 26, NARROW, function(pen) pen:from(118, top):to(0, top):to(0, bottom):to(118, bottom) end)
  sheet:glyph("]", NARROW, SIDE + 26, function(pen) pen:from(0, top):to(118, top):to(118, bottom):to(0, bottom) end)
  local function drawBrace(pen, side)
    pen:from(side * 150, top):bend(side * 64, top, side * 64, top - 110):to(side * 64, middle + 100)
    pen:bend(side * 64, middle + 30, 0, middle):bend(side * 64, middle - 30, side * 64, middle - 100)
    pen:to(side * 64, bottom + 110):bend(side * 64, bottom, side * 150, bottom)
  end
  sheet:glyph("{", NARROW, NARROW, function(pen) drawBrace(pen, 1) end)
  sheet:glyph("}", NARROW, NARROW, function(pen) drawBrace(pen, -1) end)
  sheet:glyph("/", 20, 20, function(pen) pen:line(0, -64, 290, 706) end)
  sheet:glyph("\\", 20, 20, function(pen) pen:line(290, -64, 0, 706) end)
  sheet:glyph("|", SIDE + 40, SIDE + 40, function(pen) pen:line(0, bottom, 0, top) end)
  sheet:glyph("¦", SIDE + 40, SIDE + 40, function(pen) pen:line(0, bottom, 0, 220):line(0, 372, 0, top) end)
  sheet:glyph("⁄", -70, -70, function(pen) pen:line(0, 20, 370, m.capHeight - 20) end)
end

local function mathematics(sheet)
  local left, right = -PART, PART
  local function level(pen, y) pen:line(left, y, right, y) end
  local function drawPlus(pen, y, reach) pen:line(-reach, y, reach, y):line(0, y - reach, 0, y + reach) end
  local function drawTimes(pen)
    local reach = 156
    pen:line(-reach, AXIS - reach, reach, AXIS + reach):line(-reach, AXIS + reach, reach, AXIS - reach)
  end
  local function drawWave(pen, y)
    pen:from(left + 6, y - 42):curve(left + 30, y + 76, -66, y + 64, 0, y)
    pen:curve(66, y - 64, right - 30, y - 76, right - 6, y + 42):lift()
  end
  local function drawLess(pen, y, side)
    pen:from(side * 190, y + 196):to(side * -190, y):to(side * 190, y - 196):lift()
  end
  sheet:fixed("+", WIDE, function(pen) drawPlus(pen, AXIS, PART) end)
  sheet:fixed("−", WIDE, function(pen) level(pen, AXIS) end)
  sheet:fixed("×", WIDE, drawTimes)
  sheet:fixed("÷", WIDE, function(pen)
    level(pen, AXIS)
    pen:dot(0, AXIS + 180, DOT):dot(0, AXIS - 180, DOT)
  end)
  sheet:fixed("=", WIDE, function(pen)
    level(pen, AXIS + 86)
    level(pen, AXIS - 86)
  end)
  sheet:fixed("≠", WIDE, function(pen)
    level(pen, AXIS + 86)
    level(pen, AXIS - 86)
    pen:weight(0.85):line(-110, AXIS - 236, 110, AXIS + 236)
  end)
  sheet:fixed("±", WIDE, function(pen)
    drawPlus(pen, AXIS + 46, 184)
    level(pen, L.base)
  end)
  sheet:fixed("<", WIDE, function(pen) drawLess(pen, AXIS, 1) end)
  sheet:fixed(">", WIDE, function(pen) drawLess(pen, AXIS, -1) end)
  sheet:fixed("≤", WIDE, function(pen)
    drawLess(pen, AXIS + 80, 1)
    level(pen, L.base)
  end)
  sheet:fixed("≥", WIDE, function(pen)
    drawLess(pen, AXIS + 80, -1)
    level(pen, L.base)
  end)
  sheet:fixed("~", WIDE, function(pen) drawWave(pen, AXIS) end)
  sheet:fixed("≈", WIDE, function(pen)
    drawWave(pen, AXIS + 90)
    drawWave(pen, AXIS - 90)
  end)
  sheet:fixed("¬", WIDE, function(pen) pen:from(left, AXIS + 60):to(right, AXIS + 60):to(right, AXIS - 110) end)
  sheet:fixed("^", WIDE, function(pen) pen:from(-176, 430):to(0, L.capLine):to(176, 430) end)
  sheet:glyph("∞", SIDE, SIDE, function(pen)
    local x, rise = 190, 118
    pen:from(0, AXIS):curve(58, AXIS + 66, 106, AXIS + rise, x, AXIS + rise):arc(x, AXIS, 126, rise, 90, -90)
    pen:curve(106, AXIS - rise, 58, AXIS - 66, 0, AXIS):curve(-58, AXIS + 66, -106, AXIS + rise, -x, AXIS + rise)
    pen:arc(-x, AXIS, 126, rise, 90, 270):curve(-106, AXIS - rise, -58, AXIS - 66, 0, AXIS):close()
  end)
end

local function drawPercentRing(pen, x, y)
  pen:weight(0.84):ring(x, y, 106, 130):lift():weight(1)
end

local function figureSigns(sheet)
  local low, high = 136, m.capHeight - 136
  sheet:glyph("%", NARROW, NARROW, function(pen)
    drawPercentRing(pen, 106, high)
    drawPercentRing(pen, 556, low)
    pen:line(150, 36, 512, m.capHeight - 36)
  end)
  sheet:glyph("‰", NARROW, NARROW, function(pen)
    drawPercentRing(pen, 106, high)
    drawPercentRing(pen, 556, low)
    drawPercentRing(pen, 858, low)
    pen:line(150, 36, 512, m.capHeight - 36)
  end)
  sheet:fixed("#", WIDE + 60, function(pen)
    pen:line(88, 30, 172, 640):line(300, 30, 384, 640):line(20, 446, 464, 446):line(0, 222, 440, 222)
  end)
  sheet:fixed("$", WIDE, function(pen)
    local top, bottom = 452, 180
    pen:arc(180, top, 158, 586 - top, 36, 180):curve(22, 318, 358, 316, 358, bottom)
    pen:arc(186, bottom, 172, bottom - 54, 0, -146):lift():line(184, -56, 184, 720)
  end)
  sheet:fixed("€", WIDE, function(pen)
    pen:arc(250, HALF_CAPITAL, 206, L.capBowl - HALF_CAPITAL, 52, 308):lift()
    pen:line(-26, 394, 300, 394):line(-26, 272, 276, 272)
  end)
  sheet:fixed("£", WIDE, function(pen)
    pen:arc(240, 500, 138, L.capBowl - 500, 24, 180):curve(102, 380, 190, 160, 20, L.base):to(374, L.base):lift()
    pen:line(30, 316, 306, 316)
  end)
  sheet:fixed("¥", WIDE, function(pen)
    pen:from(0, L.capHead):to(206, 318):to(412, L.capHead):lift():line(206, 318, 206, L.foot)
    pen:line(40, 284, 372, 284):line(40, 152, 372, 152)
  end)
  sheet:fixed("¢", WIDE, function(pen)
    pen:arc(186, 270, 186, 206, 48, 312):lift():line(194, -20, 194, 560)
  end)
  sheet:fixed("¤", WIDE, function(pen)
    pen:ring(0, AXIS, 138, 138)
    for _, x in ipairs { -1, 1 } do
      for _, y in ipairs { -1, 1 } do pen:line(x * 108, AXIS + y * 108, x * 178, AXIS + y * 178) end
    end
  end)
  sheet:glyph("°", NARROW, NARROW, function(pen) pen:weight(0.78):ring(0, 562, 106, 106) end)
end

local function letterSigns(sheet)
  sheet:glyph("&", NARROW + 6, 20, function(pen)
    pen:from(496, L.foot):to(128, 446):curve(60, 526, 96, L.capBowl, 232, L.capBowl)
    pen:curve(380, L.capBowl, 400, 486, 270, 404):to(110, 308):curve(-40, 214, 0, L.bowlBase, 200, L.bowlBase)
    pen:curve(370, L.bowlBase, 452, 140, 474, 318)
  end)
  sheet:glyph("@", NARROW + 6, NARROW + 6, function(pen)
    local x, y = 390, 262
    pen:weight(0.9):ring(x - 12, y, 128, 142)
    pen:from(x + 128, y + 136):to(x + 122, y - 40):curve(x + 122, y - 190, x + 370, y - 190, x + 370, y + 40)
    pen:arc(x, y + 40, 370, 362, 0, 270):bend(x + 120, y - 322, x + 216, y - 276)
  end)
  sheet:glyph("*", NARROW, NARROW, function(pen)
    local y = 520
    for _, angle in ipairs { 90, 162, 234, 306, 378 } do
      pen:weight(0.86):line(0, y, 146 * math.cos(math.rad(angle)), y + 146 * math.sin(math.rad(angle)))
    end
  end)
  sheet:glyph("§", SIDE, SIDE, function(pen)
    pen:weight(0.86):arc(160, 560, 138, L.capBowl - 560, 38, 180):curve(22, 428, 330, 424, 330, 270)
    pen:arc(220, 270, 110, 90, 0, -90):lift()
    pen:arc(160, -6, 138, 110, -142, 0):curve(298, 126, -10, 130, -10, 284):arc(100, 284, 110, 90, 180, 90)
  end)
  sheet:glyph("¶", NARROW, SIDE + 20, function(pen)
    pen:line(160, -96, 160, L.capLine):line(330, -96, 330, L.capLine)
    pen:from(330, L.capLine):to(160, L.capLine):arc(160, 472, 150, L.capLine - 472, 90, 270):lift()
    pen:weight(2.4):line(104, 480, 104, 466)
  end)
  sheet:glyph("†", NARROW, NARROW, function(pen) pen:line(0, -96, 0, L.capHead):line(-160, 456, 160, 456) end)
  sheet:glyph("‡", NARROW, NARROW, function(pen)
    pen:line(0, -96, 0, L.capHead):line(-160, 456, 160, 456):line(-160, 112, 160, 112)
  end)
  sheet:glyph("µ", m.stem, m.stem - 10, function(pen)
    pen:line(0, L.descFoot, 0, L.xHead):line(316, L.foot, 316, L.xHead)
    pen:from(0, 190):arc(150, 190, 150, 190 - L.bowlBase, 180, 270):arc(150, 200, 166, 200 - L.bowlBase, 270, 360)
  end)
end

--- Signs inside of signs are drawn with a finer pen.
local function fineSigns(sheet)
  sheet:usePen(58)
  local fine = m.linesFor(58)
  local function drawRound(pen) pen:ring(0, HALF_CAPITAL, 336, 336) end
  sheet:glyph("©", NARROW, NARROW, function(pen)
    drawRound(pen)
    pen:arc(8, HALF_CAPITAL, 160, 170, 48, 312)
  end)
  sheet:glyph("®", NARROW, NARROW, function(pen)
    drawRound(pen)
    pen:from(-96, 170):to(-96, 502):to(20, 502):arc(20, 416, 96, 86, 90, -90):to(-96, 330):lift()
    pen:line(26, 330, 122, 170)
  end)
  sheet:glyph("™", NARROW, NARROW, function(pen)
    local top, bottom = m.capHeight - fine.base, 336
    pen:line(0, top, 240, top):line(120, top, 120, bottom)
    pen:from(336, bottom):to(336, top):to(466, 440):to(596, top):to(596, bottom)
  end)
  sheet:glyph("ª", NARROW, NARROW, function(pen)
    pen:arc(86, 560, 86, 84, 150, 0):to(172, 400):lift()
    pen:from(172, 540):to(92, 540):arc(92, 468, 88, 72, 90, 270):bend(172, 396, 172, 480)
    pen:line(0, 296, 184, 296)
  end)
  sheet:glyph("º", NARROW, NARROW, function(pen)
    pen:ring(106, 520, 106, 124):line(0, 296, 212, 296)
  end)
end

local function arrows(sheet)
  local reach, head, axis = 300, 178, 300
  local function drawArrow(pen, dx, dy)
    local tipX, tipY = dx * reach, axis + dy * reach
    pen:line(-dx * reach, axis - dy * reach, tipX, tipY)
    pen:from(tipX - (dx + dy) * head, tipY - (dy + dx) * head):to(tipX, tipY)
    pen:to(tipX - (dx - dy) * head, tipY - (dy - dx) * head):lift()
  end
  sheet:fixed("←", 800, function(pen) drawArrow(pen, -1, 0) end)
  sheet:fixed("↑", 560, function(pen) drawArrow(pen, 0, 1) end)
  sheet:fixed("→", 800, function(pen) drawArrow(pen, 1, 0) end)
  sheet:fixed("↓", 560, function(pen) drawArrow(pen, 0, -1) end)
end

return function(sheet)
  sheet:usePen(m.signPen)
  stops(sheet)
  quotes(sheet)
  dashes(sheet)
  brackets(sheet)
  mathematics(sheet)
  figureSigns(sheet)
  letterSigns(sheet)
  arrows(sheet)
  fineSigns(sheet)
end
