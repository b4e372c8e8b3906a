-- The small letters. x counts from the first stem's centre line, or the left of the first bowl.
local m = require "font_metrics"

local STEM, ROUND, OPEN, DIAGONAL = m.stem, m.round, m.open, m.diagonal
local L = m.linesFor(m.smallPen)

local MIDDLE = m.xHeight / 2
local RISE = L.xBowl - MIDDLE   -- half of a bowl's height
local ARCH_WIDTH = 322          -- between the stems of n
local ARCH_START = 292          -- where arches leave their stem
local THIN = 0.66               -- the weight there
local BOWL = 183                -- half the width of b, d, p, q
local DOT, DOT_HEIGHT = 110, 640

--- A bowl whose side at (x, middle) hides in a stem: to the right of it for side 1.
local function bowl(pen, x, side)
  local from = side > 0 and 180 or 360
  local cx = x + side * BOWL
  pen:weight(THIN):from(x, MIDDLE):weight(1):arc(cx, MIDDLE, BOWL, RISE, from, 270)
  pen:arc(cx, MIDDLE, BOWL, RISE, 270, side > 0 and 450 or 90)
  pen:weight(THIN):arc(cx, MIDDLE, BOWL, RISE, 90, side > 0 and 180 or 0):close():weight(1)
end

--- An arch from the stem at x to where the next stem starts.
local function openArch(pen, x, width)
  local top = width * 0.52
  pen:weight(THIN):from(x, ARCH_START):weight(1):arc(x + top, ARCH_START, top, L.xBowl - ARCH_START, 180, 90)
  pen:arc(x + top, 306, width - top, L.xBowl - 306, 90, 0)
end

local function arch(pen, x, width)
  openArch(pen, x, width)
  pen:to(x + width, L.foot):lift()
end

local function drawN(pen)
  pen:line(0, L.foot, 0, L.xHead)
  arch(pen, 0, ARCH_WIDTH)
end

local function drawDotlessI(pen)
  pen:line(0, L.foot, 0, L.xHead)
end

--- The hook of j, joined to a stem at x.
local function hook(pen, x)
  pen:arc(x - 118, -40, 118, -40 - L.descBowl, 0, -82):lift()
end

local function drawDotlessJ(pen)
  pen:from(0, L.xHead)
  hook(pen, 0)
end

local function drawLegsOfK(pen)
  pen:line(274, L.xHead, 16, 204)
  pen:line(104, 292, 290, L.foot)
end

--- The stem of f and long s, bent to the right at the top.
local function drawCane(pen)
  pen:from(0, L.foot):arc(142, 562, 142, L.ascBowl - 562, 180, 78):lift()
end

local function roundLetters(sheet)
  sheet:glyph("b", STEM, ROUND, function(pen)
    pen:line(0, L.foot, 0, L.ascHead)
    bowl(pen, 0, 1)
  end)
  sheet:glyph("c", ROUND, OPEN, function(pen)
    pen:arc(190, MIDDLE, 190, RISE, 47, 313)
  end)
  sheet:glyph("d", ROUND, STEM, function(pen)
    pen:line(0, L.foot, 0, L.ascHead)
    bowl(pen, 0, -1)
  end)
  sheet:glyph("e", ROUND, OPEN, function(pen)
    pen:from(10, MIDDLE):to(378, MIDDLE):arc(189, MIDDLE, 189, RISE, 0, 316)
  end)
  sheet:glyph("g", ROUND, STEM, function(pen)
    pen:from(0, L.xHead):arc(-170, -22, 170, -22 - L.descBowl, 0, -128):lift()
    bowl(pen, 0, -1)
  end)
  sheet:glyph("o", ROUND, ROUND, function(pen)
    pen:ring(195, MIDDLE, 195, RISE)
  end)
  sheet:glyph("p", STEM, ROUND, function(pen)
    pen:line(0, L.descFoot, 0, L.xHead)
    bowl(pen, 0, 1)
  end)
  sheet:glyph("q", ROUND, STEM, function(pen)
    pen:line(0, L.descFoot, 0, L.xHead)
    bowl(pen, 0, -1)
  end)
end

local function archedLetters(sheet)
  sheet:glyph("h", STEM, STEM - 4, function(pen)
    pen:line(0, L.foot, 0, L.ascHead)
    arch(pen, 0, ARCH_WIDTH)
  end)
  sheet:glyph("m", STEM, STEM - 4, function(pen)
    pen:line(0, L.foot, 0, L.xHead)
    arch(pen, 0, 284)
    arch(pen, 284, 284)
  end)
  sheet:glyph("n", STEM, STEM - 4, drawN)
  sheet:glyph("ŋ", STEM, STEM - 4, function(pen)
    pen:line(0, L.foot, 0, L.xHead)
    openArch(pen, 0, ARCH_WIDTH)
    hook(pen, ARCH_WIDTH)
  end)
  sheet:glyph("r", STEM, 18, function(pen)
    pen:line(0, L.foot, 0, L.xHead)
    pen:weight(THIN):from(0, 270):weight(1):arc(178, 270, 178, L.xBowl - 270, 180, 78)
  end)
  sheet:glyph("u", STEM - 4, STEM, function(pen)
    local top, start = ARCH_WIDTH * 0.52, m.xHeight - ARCH_START
    pen:line(ARCH_WIDTH, L.foot, ARCH_WIDTH, L.xHead)
    pen:from(0, L.xHead):arc(ARCH_WIDTH - top, 194, ARCH_WIDTH - top, 194 - L.bowlBase, 180, 270)
    pen:weight(THIN):arc(ARCH_WIDTH - top, start, top, start - L.bowlBase, 270, 360)
  end)
end

local function tallLetters(sheet)
  sheet:glyph("f", OPEN - 12, 14, function(pen)
    drawCane(pen)
    pen:line(-104, L.xLine, 190, L.xLine)
  end)
  sheet:glyph("ı", STEM, STEM, drawDotlessI)
  sheet:glyph("i", STEM, STEM, function(pen)
    drawDotlessI(pen)
    pen:dot(0, DOT_HEIGHT, DOT)
  end)
  sheet:glyph("dotlessj", 4, STEM, drawDotlessJ).center = 120
  sheet:glyph("j", 4, STEM, function(pen)
    drawDotlessJ(pen)
    pen:dot(0, DOT_HEIGHT, DOT)
  end)
  sheet:glyph("k", STEM, DIAGONAL + 4, function(pen)
    pen:line(0, L.foot, 0, L.ascHead)
    drawLegsOfK(pen)
  end)
  sheet:glyph("ĸ", STEM, DIAGONAL + 4, function(pen)
    pen:line(0, L.foot, 0, L.xHead)
    drawLegsOfK(pen)
  end)
  sheet:glyph("l", STEM, OPEN - 6, function(pen)
    pen:from(0, L.ascHead):arc(112, 136, 112, 136 - L.bowlBase, 180, 278)
  end).center = STEM + m.smallPen / 2
  sheet:glyph("ſ", OPEN, 14, function(pen)
    drawCane(pen)
    pen:line(-70, L.xLine, 0, L.xLine)
  end)
  sheet:glyph("t", OPEN - 12, OPEN - 10, function(pen)
    pen:from(0, 604):arc(130, 150, 130, 150 - L.bowlBase, 180, 284):lift()
    pen:line(-104, L.xLine, 190, L.xLine)
  end)
  sheet:glyph("þ", STEM, ROUND, function(pen)
    pen:line(0, L.descFoot, 0, L.ascHead)
    bowl(pen, 0, 1)
  end)
end

local function diagonalLetters(sheet)
  local bottom = L.foot + 2
  sheet:glyph("v", DIAGONAL, DIAGONAL, function(pen)
    pen:from(0, L.xHead):to(178, bottom):to(356, L.xHead)
  end)
  sheet:glyph("w", DIAGONAL, DIAGONAL, function(pen)
    pen:from(0, L.xHead):to(142, bottom):to(282, 440):to(422, bottom):to(564, L.xHead)
  end)
  sheet:glyph("x", DIAGONAL + 4, DIAGONAL + 4, function(pen)
    pen:line(0, L.xHead, 326, L.foot)
    pen:line(0, L.foot, 326, L.xHead)
  end)
  sheet:glyph("y", DIAGONAL, DIAGONAL, function(pen)
    pen:line(0, L.xHead, 178, bottom + 8)
    pen:from(356, L.xHead):to(168, 2):bend(112, -144, -6, L.descBowl)
  end)
  sheet:glyph("z", OPEN, OPEN, function(pen)
    pen:from(6, L.xLine):to(300, L.xLine):to(0, L.base):to(312, L.base)
  end)
end

local function drawUpperBowlOfA(pen)
  pen:arc(150, 318, 150, L.xBowl - 318, 152, 0)
end

local function drawLowerBowlOfA(pen)
  pen:lift():weight(0.9):from(300, 282):to(168, 282)
  pen:weight(1):arc(150, 155, 150, 127, 90, 180):arc(150, 155, 150, 155 - L.bowlBase, 180, 270)
  pen:weight(THIN):arc(150, 186, 150, 186 - L.bowlBase, 270, 360):weight(1)
end

local function doubleLetters(sheet)
  sheet:glyph("a", OPEN + 8, STEM - 4, function(pen)
    drawUpperBowlOfA(pen)
    pen:to(300, L.foot)
    drawLowerBowlOfA(pen)
  end)
  sheet:glyph("æ", OPEN + 8, OPEN, function(pen)
    drawUpperBowlOfA(pen)
    pen:to(300, 186)
    drawLowerBowlOfA(pen)
    pen:lift():from(300, MIDDLE):to(660, MIDDLE):arc(480, MIDDLE, 180, RISE, 0, 316)
  end)
  sheet:glyph("œ", ROUND, OPEN, function(pen)
    pen:ring(190, MIDDLE, 190, RISE)
    pen:from(380, MIDDLE):to(740, MIDDLE):arc(560, MIDDLE, 180, RISE, 0, 316)
  end)
  sheet:glyph("s", OPEN + 4, OPEN + 2, function(pen)
    local top, low = 362, 140
    pen:arc(150, top, 132, L.xBowl - top, 36, 180):curve(18, 242, 292, 272, 292, low)
    pen:arc(150, low, 142, low - L.bowlBase, 0, -146)
  end)
  sheet:glyph("ß", STEM, OPEN, function(pen)
    pen:from(0, L.foot):arc(160, 560, 160, L.ascBowl - 560, 180, 90):arc(160, 572, 142, L.ascBowl - 572, 90, 0)
    pen:curve(302, 470, 176, 470, 176, 376):curve(176, 280, 372, 290, 372, 150)
    pen:arc(232, 150, 140, 150 - L.bowlBase, 0, -118)
  end)
  sheet:glyph("ð", ROUND, ROUND, function(pen)
    pen:ring(190, 225, 190, 225 - L.bowlBase)
    pen:from(90, L.ascHead):bend(372, 620, 380, 230):lift()
    pen:weight(0.8):line(96, 560, 318, 664)
  end)
end

return function(sheet)
  sheet:usePen(m.smallPen)
  roundLetters(sheet)
  archedLetters(sheet)
  tallLetters(sheet)
  diagonalLetters(sheet)
  doubleLetters(sheet)
end
