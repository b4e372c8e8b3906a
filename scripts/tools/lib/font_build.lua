-- Builds the font: draws the glyphs onto a sheet and encodes them as a TrueType file.
local file = require "font_file"
local glyf = require "font_glyf"
local kerning = require "font_kerning"
local metrics = require "font_metrics"
local Sheet = require "font_sheet"
local tables = require "font_tables"

local SPACE = 270

-- Blanks besides the space, and their widths.
local BLANKS = {
  { "\u{2002}", 500 }, { "\u{2003}", 1000 }, { "\u{2007}", metrics.figureAdvance }, { "\u{2009}", 180 },
  { "\u{200A}", 90 }, { "\u{202F}", 180 },
}

local NAMES = {
  { id = 0, text = "Drawn by scripts/tools/make_font.lua of Palfrey" },
  { id = 1, text = "Palfrey" },
  { id = 2, text = "Regular" },
  { id = 3, text = "Palfrey Regular 1.0" },
  { id = 4, text = "Palfrey" },
  { id = 5, text = "Version 1.0" },
  { id = 6, text = "Palfrey-Regular" },
}

--- An empty box, and one with a question mark, for what the font does not have. The first must be the first glyph.
local function addReplacements(sheet)
  sheet:usePen(60)
  sheet:fixed(".notdef", 600, function(pen)
    pen:from(0, 30):to(440, 30):to(440, 640):to(0, 640):close()
  end)
  sheet:extend("\u{FFFD}", ".notdef", function(pen)
    pen:arc(220, 440, 92, 82, 160, 0):curve(312, 370, 220, 360, 220, 276):lift():dot(220, 164, 80)
  end)
end

local function addBlanks(sheet)
  sheet:blank(" ", SPACE)
  sheet:alias("\u{A0}", " ")
  for _, blank in ipairs(BLANKS) do sheet:blank(blank[1], blank[2]) end
end

local function drawSheet()
  local sheet = Sheet.new()
  addReplacements(sheet)
  addBlanks(sheet)
  for _, part in ipairs { "font_figures", "font_capital", "font_small", "font_signs", "font_latin" } do
    require(part)(sheet)
  end
  table.sort(sheet.characters, function(a, b) return a.code < b.code end)
  return sheet
end

--- Returns the bytes of the file.
return function()
  local sheet = drawSheet()
  local font = {
    glyphs = sheet.glyphs, characters = sheet.characters, kerning = kerning.list(sheet), names = NAMES,
  }
  local outlines, places, limits = glyf.encode(font.glyphs)
  font.limits = limits
  return file.join {
    { tag = "OS/2", bytes = tables["OS/2"](font) },
    { tag = "cmap", bytes = tables.cmap(font) },
    { tag = "glyf", bytes = outlines },
    { tag = "head", bytes = tables.head(font) },
    { tag = "hhea", bytes = tables.hhea(font) },
    { tag = "hmtx", bytes = tables.hmtx(font) },
    { tag = "kern", bytes = tables.kern(font) },
    { tag = "loca", bytes = places },
    { tag = "maxp", bytes = tables.maxp(font) },
    { tag = "name", bytes = tables.name(font) },
    { tag = "post", bytes = tables.post() },
  }
end
