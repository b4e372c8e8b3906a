-- The capital letters. x counts from the first stem's centre line, or the left of the first bowl.
local m = require "font_metrics"

local STEM, ROUND, OPEN, DIAGONAL = m.stem + 4, m.round + 2, m.open, m.diagonal
local L = m.linesFor(m.capitalPen)

local MIDDLE = m.capHeight / 2
local RISE = L.capBowl - MIDDLE  -- half of an O's height
local BAR = 346                  -- the middle bars of E, H and the like

local function drawStem(pen, x)
  pen:line(x, L.foot, x, L.capHead)
end

local function drawO(pen)
  pen:ring(302, MIDDLE, 302, RISE)
end

local function drawD(pen)
  pen:from(0, L.base):to(0, L.capLine):to(150, L.capLine)
  pen:arc(168, MIDDLE, 286, L.capLine - MIDDLE, 90, -90):close()
end

local function drawI(pen)
  pen:line(0, L.join, 0, L.capJoin)
  pen:line(-100, L.capLine, 100, L.capLine)
  pen:line(-100, L.base, 100, L.base)
end

--- The arms of E, the stem at 0.
local function drawArms(pen, width)
  pen:from(width - 8, L.capLine):to(0, L.capLine):to(0, L.base):to(width, L.base):lift()
  pen:line(0, BAR, width - 44, BAR)
end

--- P, and the upper part of R.
local function drawP(pen, low)
  local rise = (L.capLine - low) / 2
  pen:from(0, L.foot):to(0, L.capLine):to(196, L.capLine):arc(196, low + rise, 166, rise, 90, -90):to(0, low):lift()
end

local function straightLetters(sheet)
  sheet:glyph("E", STEM, OPEN, function(pen) drawArms(pen, 322) end)
  sheet:glyph("F", STEM, OPEN - 6, function(pen)
    pen:from(0, L.foot):to(0, L.capLine):to(316, L.capLine):lift()
    pen:line(0, 326, 276, 326)
  end)
  sheet:glyph("H", STEM, STEM, function(pen)
    drawStem(pen, 0)
    drawStem(pen, 430)
    pen:line(0, BAR, 430, BAR)
  end)
  sheet:glyph("I", OPEN + 6, OPEN + 6, drawI)
  sheet:glyph("K", STEM, DIAGONAL + 2, function(pen)
    drawStem(pen, 0)
    pen:line(388, L.capHead, 14, 262)
    pen:line(132, 378, 410, L.foot)
  end)
  sheet:glyph("L", STEM, OPEN - 12, function(pen)
    pen:from(0, L.capHead):to(0, L.base):to(316, L.base)
  end)
  sheet:glyph("M", STEM, STEM, function(pen)
    pen:from(0, L.foot):to(0, L.capLine - 6):to(270, 190):to(540, L.capLine - 6):to(540, L.foot)
  end)
  sheet:glyph("N", STEM, STEM, function(pen)
    pen:from(0, L.foot):to(0, L.capLine - 6):to(436, L.base + 6):to(436, L.capHead)
  end)
  sheet:glyph("T", OPEN - 8, OPEN - 8, function(pen)
    pen:line(0, L.foot, 0, L.capJoin)
    pen:line(-226, L.capLine, 226, L.capLine)
  end)
  sheet:glyph("Z", OPEN + 4, OPEN, function(pen)
    pen:from(10, L.capLine):to(402, L.capLine):to(0, L.base):to(416, L.base)
  end)
end

local function diagonalLetters(sheet)
  local top, bottom = L.capHead - 2, L.foot + 2
  sheet:glyph("A", DIAGONAL, DIAGONAL, function(pen)
    pen:from(0, L.foot):to(246, top):to(492, L.foot):lift()
    pen:line(80, 208, 412, 208)
  end)
  sheet:glyph("V", DIAGONAL, DIAGONAL, function(pen)
    pen:from(0, L.capHead):to(244, bottom):to(488, L.capHead)
  end)
  sheet:glyph("W", DIAGONAL + 2, DIAGONAL + 2, function(pen)
    pen:from(0, L.capHead):to(180, bottom):to(374, 590):to(568, bottom):to(748, L.capHead)
  end)
  sheet:glyph("X", DIAGONAL + 2, DIAGONAL + 2, function(pen)
    pen:line(12, L.capHead, 448, L.foot)
    pen:line(0, L.foot, 436, L.capHead)
  end)
  sheet:glyph("Y", DIAGONAL, DIAGONAL, function(pen)
    pen:from(0, L.capHead):to(226, 296):to(452, L.capHead):lift()
    pen:line(226, 296, 226, L.foot)
  end)
end

local function roundLetters(sheet)
  sheet:glyph("B", STEM, ROUND - 2, function(pen)
    local waist = 354
    local upper, lower = (L.capLine - waist) / 2, (waist - L.base) / 2
    pen:from(40, waist):to(196, waist):arc(196, waist + upper, 144, upper, -90, 90)
    pen:to(0, L.capLine):to(0, L.base)
    pen:from(140, waist):to(200, waist):arc(200, L.base + lower, 166, lower, 90, -90):to(0, L.base)
  end)
  sheet:glyph("C", ROUND, OPEN, function(pen)
    pen:arc(286, MIDDLE, 286, RISE, 46, 314)
  end)
  sheet:glyph("D", STEM, ROUND, drawD)
  sheet:glyph("G", ROUND, STEM - 12, function(pen)
    local low = 300
    pen:arc(288, MIDDLE, 288, RISE, 48, 180):arc(288, low, 288, low - L.bowlBase, 180, 360):to(576, BAR - 30)
    pen:to(366, BAR - 30)
  end)
  sheet:glyph("J", OPEN - 6, STEM, function(pen)
    pen:from(0, L.capHead):arc(-148, 196, 148, 196 - L.bowlBase, 0, -152)
  end)
  sheet:glyph("O", ROUND, ROUND, drawO)
  sheet:glyph("P", STEM, OPEN, function(pen)
    drawP(pen, 288)
  end)
  sheet:glyph("Q", ROUND, ROUND, function(pen)
    drawO(pen)
    pen:line(368, 186, 560, -8)
  end)
  sheet:glyph("R", STEM, DIAGONAL + 8, function(pen)
    drawP(pen, 304)
    pen:line(206, 304, 384, L.foot)
  end)
  sheet:glyph("S", OPEN + 6, OPEN + 4, function(pen)
    local top, low = 482, 182
    pen:arc(200, top, 180, L.capBowl - top, 38, 180):curve(20, 316, 390, 366, 390, low)
    pen:arc(200, low, 190, low - L.bowlBase, 0, -146)
  end)
  sheet:glyph("U", STEM - 4, STEM - 4, function(pen)
    local start = 236
    pen:from(0, L.capHead):arc(213, start, 213, start - L.bowlBase, 180, 360):to(426, L.capHead)
  end)
end

local function otherLetters(sheet)
  sheet:glyph("Æ", DIAGONAL, OPEN, function(pen)
    pen:from(0, L.foot):to(306, L.capLine):to(700, L.capLine):lift()
    pen:from(376, L.capJoin):to(376, L.base):to(708, L.base):lift()
    pen:line(376, BAR, 664, BAR)
    pen:line(96, 196, 376, 196)
  end)
  sheet:glyph("Œ", ROUND, OPEN, function(pen)
    pen:from(400, L.capLine):to(286, L.capLine):arc(286, MIDDLE, 286, L.capLine - MIDDLE, 90, 270):to(400, L.base)
    pen:line(400, L.join, 400, L.capJoin):line(390, L.capLine, 738, L.capLine):line(390, L.base, 746, L.base)
    pen:line(400, BAR, 702, BAR)
  end)
  sheet:glyph("Þ", STEM, OPEN + 6, function(pen)
    drawStem(pen, 0)
    pen:from(0, 530):to(196, 530):arc(196, 350, 166, 180, 90, -90):to(0, 170)
  end)
  sheet:glyph("Ŋ", STEM, STEM - 4, function(pen)
    drawStem(pen, 0)
    pen:weight(0.7):from(0, 400):weight(1):arc(218, 400, 218, L.capBowl - 400, 180, 90)
    pen:arc(218, 420, 208, L.capBowl - 420, 90, 0):arc(300, 20, 126, 20 - L.descBowl, 0, -90)
  end)
end

return function(sheet)
  sheet:usePen(m.capitalPen)
  straightLetters(sheet)
  diagonalLetters(sheet)
  roundLetters(sheet)
  otherLetters(sheet)
end
