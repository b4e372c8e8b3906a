-- Accents, and the letters composed with them: those of Latin-1 and Latin Extended-A.
local m = require "font_metrics"

local LINE = 616                -- the height of the middle of a mark above small letters
local RAISE_CAPITAL = m.capHeight - m.xHeight - 18
local RAISE_ASCENDER = m.ascender - m.xHeight - 8
local SIDE = 60                 -- room beside an accent that stands alone
local DOT = 94

local function marksAbove(sheet)
  sheet:glyph("`", SIDE, SIDE, function(pen) pen:line(-44, LINE + 48, 36, LINE - 38) end)
  sheet:glyph("´", SIDE, SIDE, function(pen) pen:line(44, LINE + 48, -36, LINE - 38) end)
  sheet:glyph("ˆ", SIDE, SIDE, function(pen) pen:from(-92, LINE - 40):to(0, LINE + 44):to(92, LINE - 40) end)
  sheet:glyph("ˇ", SIDE, SIDE, function(pen) pen:from(-92, LINE + 44):to(0, LINE - 40):to(92, LINE + 44) end)
  sheet:glyph("˜", SIDE, SIDE, function(pen)
    pen:from(-118, LINE - 26):curve(-100, LINE + 56, -44, LINE + 44, 0, LINE + 4)
    pen:curve(44, LINE - 36, 100, LINE - 48, 118, LINE + 34)
  end)
  sheet:glyph("¨", SIDE, SIDE, function(pen) pen:dot(-92, LINE, DOT):dot(92, LINE, DOT) end)
  sheet:glyph("¯", SIDE, SIDE, function(pen) pen:line(-112, LINE, 112, LINE) end)
  sheet:glyph("˘", SIDE, SIDE, function(pen) pen:arc(0, LINE + 44, 102, 74, 180, 360) end)
  sheet:glyph("˙", SIDE, SIDE, function(pen) pen:dot(0, LINE, DOT + 8) end)
  sheet:glyph("˚", SIDE, SIDE, function(pen) pen:weight(0.82):ring(0, LINE + 30, 66, 66) end)
  sheet:glyph("˝", SIDE, SIDE, function(pen)
    pen:line(-34, LINE + 48, -104, LINE - 38):line(112, LINE + 48, 42, LINE - 38)
  end)
  sheet:glyph("turnedcomma", SIDE, SIDE, function(pen) pen:line(24, LINE + 62, -10, LINE - 34) end)
  sheet:glyph("commaabove", 10, 10, function(pen) pen:line(14, 700, -16, 560) end)
end

local function drawCedilla(pen, x)
  pen:from(x, 10):to(x - 10, -58):curve(x + 92, -50, x + 92, -170, x - 62, -158)
end

--- An ogonek that hangs on the baseline at x.
local function drawOgonek(pen, x)
  pen:from(x, 24):curve(x - 96, -70, x - 88, -176, x + 32, -146)
end

local function marksBelow(sheet)
  sheet:glyph("¸", SIDE, SIDE, function(pen) drawCedilla(pen, 0) end)
  sheet:glyph("˛", SIDE, SIDE, function(pen) drawOgonek(pen, 0) end)
  sheet:glyph("commabelow", SIDE, SIDE, function(pen) pen:line(18, -88, -16, -184) end)
end

-- Rows of a mark, the letters to compose and their bases. Small letters without ascender.
local SMALL = {
  { "`", "àèìòù", "aeıou" }, { "´", "áéíóúýćńŕśź", "aeıouycnrsz" }, { "ˆ", "âêîôûĉĝŝŵŷ", "aeıoucgswy" },
  { "˜", "ãñõĩũ", "anoıu" }, { "¨", "äëïöüÿ", "aeıouy" }, { "¯", "āēīōū", "aeıou" }, { "˘", "ăĕğĭŏŭ", "aegıou" },
  { "˙", "ċėġż", "cegz" }, { "ˇ", "čěňřšž", "cenrsz" }, { "˝", "őű", "ou" }, { "˚", "åů", "au" },
  { "turnedcomma", "ģ", "g" }, { "commabelow", "ņŗșț", "nrst" },
}

local CAPITAL = {
  { "`", "ÀÈÌÒÙ", "AEIOU" }, { "´", "ÁÉÍÓÚÝĆĹŃŔŚŹ", "AEIOUYCLNRSZ" }, { "ˆ", "ÂÊÎÔÛĈĜĤĴŜŴŶ", "AEIOUCGHJSWY" },
  { "˜", "ÃÑÕĨŨ", "ANOIU" }, { "¨", "ÄËÏÖÜŸ", "AEIOUY" }, { "¯", "ĀĒĪŌŪ", "AEIOU" }, { "˘", "ĂĔĞĬŎŬ", "AEGIOU" },
  { "˙", "ĊĖĠİŻ", "CEGIZ" }, { "ˇ", "ČĎĚŇŘŠŤŽ", "CDENRSTZ" }, { "˝", "ŐŰ", "OU" }, { "˚", "ÅŮ", "AU" },
}

local BELOW = { { "commabelow", "ĢĶĻŅŖȘȚķļ", "GKLNRSTkl" } }

local ASCENDER = { { "ˆ", "ĥ", "h" }, { "´", "ĺ", "l" } }

-- Letters with a comma behind them instead of a caron above, and how far that is moved.
local COMMA_BEHIND = { { "ď", "d", 4 }, { "ľ", "l", -64 }, { "ť", "t", -52 }, { "Ľ", "L", -160 } }

local function composeRows(sheet, rows, dy)
  for _, row in ipairs(rows) do
    local mark, letters, bases = table.unpack(row)
    local baseOffset = 1
    for _, code in utf8.codes(letters) do
      local base = utf8.char(utf8.codepoint(bases, baseOffset))
      baseOffset = utf8.offset(bases, 2, baseOffset)
      sheet:compose(utf8.char(code), base, mark, dy)
    end
  end
end

local function composed(sheet)
  composeRows(sheet, SMALL, 0)
  composeRows(sheet, CAPITAL, RAISE_CAPITAL)
  composeRows(sheet, ASCENDER, RAISE_ASCENDER)
  composeRows(sheet, BELOW, 0)
  sheet:compose("ĵ", "dotlessj", "ˆ", 0)
  for _, entry in ipairs(COMMA_BEHIND) do
    sheet:pair(entry[1], entry[2], "commaabove", entry[3])
  end
  sheet:pair("ŉ", "’", "n", -20)
  sheet:pair("ĳ", "i", "j", -8)
  sheet:pair("Ĳ", "I", "J", -8)
  sheet:pair("ŀ", "l", "·", -60)
  sheet:pair("Ŀ", "L", "·", -170)
end

-- --- Marks that touch their letter are drawn with it: x as in font_small.lua and font_capital.lua ---

local function cedillas(sheet)
  for _, entry in ipairs { { "ç", "c", 200 }, { "ş", "s", 150 }, { "Ç", "C", 292 }, { "Ş", "S", 200 } } do
    sheet:extend(entry[1], entry[2], function(pen) drawCedilla(pen:weight(0.76), entry[3]) end)
  end
  for _, entry in ipairs { { "ţ", "t", 104 }, { "Ţ", "T", 0 } } do
    sheet:extend(entry[1], entry[2], function(pen) drawCedilla(pen:weight(0.76), entry[3]) end)
  end
end

local function ogoneks(sheet)
  local places = {
    { "ą", "a", 300 }, { "ę", "e", 232 }, { "į", "i", 0 }, { "ų", "u", 322 },
    { "Ą", "A", 480 }, { "Ę", "E", 290 }, { "Į", "I", 10 }, { "Ų", "U", 240 },
  }
  for _, entry in ipairs(places) do
    sheet:extend(entry[1], entry[2], function(pen) drawOgonek(pen:weight(0.78), entry[3]) end)
  end
end

local function barred(sheet)
  local bars = {
    { "đ", "d", -190, 604, 76, 604 }, { "ħ", "h", -76, 604, 190, 604 }, { "ŧ", "t", -104, 268, 170, 268 },
    { "ł", "l", -84, 316, 104, 434 }, { "ø", "o", 6, -6, 384, 506 },
    { "Ð", "D", -84, 340, 200, 340 }, { "Ħ", "H", -84, 512, 514, 512 },
    { "Ŧ", "T", -140, 330, 140, 330 }, { "Ł", "L", -84, 276, 176, 436 }, { "Ø", "O", 26, -8, 578, 678 },
  }
  for _, entry in ipairs(bars) do
    sheet:extend(entry[1], entry[2], function(pen)
      pen:weight(0.84):line(table.unpack(entry, 3))
    end)
  end
  sheet:alias("Đ", "Ð")
end

return function(sheet)
  sheet:usePen(m.markPen)
  marksAbove(sheet)
  marksBelow(sheet)
  composed(sheet)
  cedillas(sheet)
  ogoneks(sheet)
  barred(sheet)
end
