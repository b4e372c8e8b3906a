-- Kerning: pairs of letters that need less room between them than their side bearings leave. A rule holds for all its
-- letters on the left with all on the right, and for the letters composed with those.
local RULES = {
  { "A", "TVWY", -44 }, { "A", "vwy", -22 }, { "A", "‘’“”'\"", -50 },
  { "BP", "VWY", -14 }, { "DOQ", "AVWXY", -18 }, { "DOQ", ".,", -16 },
  { "F", "A", -40 }, { "F", ".,…", -70 },
  { "KX", "CGOQ", -24 }, { "KX", "cdeoq", -14 }, { "KX", "vwy", -20 },
  { "L", "TVWY", -60 }, { "L", "vwy", -32 }, { "L", "‘’“”'\"", -80 }, { "L", "COQ", -20 },
  { "P", "A", -46 }, { "P", ".,…", -84 },
  { "R", "TVWY", -18 },
  { "T", "A", -44 }, { "T", "acdegoqs", -64 }, { "T", "mnpruvwxyz", -46 }, { "T", ".,…", -66 }, { "T", "-–—:;", -44 },
  { "VW", "A", -40 }, { "VW", "acdegoqs", -28 }, { "VW", "mnpru", -14 }, { "VW", ".,…", -62 }, { "VW", "-–—", -20 },
  { "Y", "A", -48 }, { "Y", "acdegoqs", -54 }, { "Y", "mnpru", -36 }, { "Y", "vwxyz", -18 }, { "Y", ".,…", -70 },
  { "Y", "-–—:;", -46 }, { "Y", "COQG", -20 },
  { "f", ".,…", -24 },
  { "r", ".,…", -52 }, { "r", "-–—", -20 },
  { "vwy", ".,…", -44 }, { "kx", "cdeoq", -14 },
  { ".,", "‘’“”'\"", -40 }, { ".,", "TVWY", -54 }, { "-–—", "TVWY", -40 },
}

local kerning = {}

--- Lists, for each letter's glyph, itself and those composed with it, in the sheet's order.
local function familiesOf(sheet)
  local families = {}
  for _, glyph in ipairs(sheet.glyphs) do
    families[glyph] = { glyph }
    if glyph.base then table.insert(families[glyph.base], glyph) end
  end
  return families
end

local function glyphsOf(sheet, families, letters)
  local list = {}
  for _, code in utf8.codes(letters) do
    local family = families[sheet:get(utf8.char(code))]
    table.move(family, 1, #family, #list + 1, list)
  end
  return list
end

--- Returns pairs { left, right, value } of the sheet's glyphs, in the order the table kern wants.
function kerning.list(sheet)
  local families = familiesOf(sheet)
  local pairsList = {}
  for _, rule in ipairs(RULES) do
    for _, left in ipairs(glyphsOf(sheet, families, rule[1])) do
      for _, right in ipairs(glyphsOf(sheet, families, rule[2])) do
        pairsList[#pairsList + 1] = { left = left, right = right, value = rule[3] }
      end
    end
  end
  table.sort(pairsList, function(a, b)
    if a.left ~= b.left then return a.left.index < b.left.index end
    return a.right.index < b.right.index
  end)
  return pairsList
end

return kerning
