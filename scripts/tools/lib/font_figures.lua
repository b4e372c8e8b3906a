-- Figures, all of one width, and what is made of small ones: fractions and exponents.
local m = require "font_metrics"

local L = m.linesFor(m.figurePen)

local MIDDLE = m.capHeight / 2
local RISE = L.capBowl - MIDDLE

local drawings = {}

drawings["0"] = function(pen)
  pen:ring(200, MIDDLE, 200, RISE)
  pen:dot(200, MIDDLE, 96)
end

drawings["1"] = function(pen)
  pen:from(-142, 518):to(0, L.capLine):to(0, L.join):lift()
  pen:line(-150, L.base, 150, L.base)
end

drawings["2"] = function(pen)
  pen:arc(184, 462, 176, L.capBowl - 462, 156, 0):curve(360, 330, 180, 220, 8, L.base):to(384, L.base)
end

drawings["3"] = function(pen)
  pen:arc(178, 494, 158, L.capBowl - 494, 146, 0):arc(176, 492, 160, 136, 360, 270):to(116, 356):lift()
  pen:from(150, 356):to(180, 356):arc(180, 192, 184, 164, 90, 0):arc(180, 192, 184, 192 - L.bowlBase, 0, -148)
end

drawings["4"] = function(pen)
  pen:from(290, L.foot):to(290, L.capLine):to(0, 196):to(408, 196)
end

drawings["5"] = function(pen)
  pen:from(342, L.capLine):to(62, L.capLine):to(36, 372)
  pen:bend(100, 418, 182, 418):arc(182, 222, 186, 196, 90, 0):arc(182, 222, 186, 222 - L.bowlBase, 0, -146)
end

drawings["6"] = function(pen)
  pen:ring(196, 218, 196, 218 - L.bowlBase)
  pen:from(304, L.capHead - 4):bend(0, 500, 0, 218)
end

drawings["7"] = function(pen)
  pen:from(0, L.capLine):to(376, L.capLine):bend(196, 330, 132, L.foot)
end

drawings["8"] = function(pen)
  local waist = 356
  pen:ring(190, (waist + L.capBowl) / 2, 164, (L.capBowl - waist) / 2)
  pen:ring(190, (waist + L.bowlBase) / 2, 192, (waist - L.bowlBase) / 2)
end

drawings["9"] = function(pen)
  local center = m.capHeight - 218
  pen:ring(196, center, 196, 218 - L.bowlBase)
  pen:from(88, L.foot + 4):bend(392, 170, 392, center)
end

--- Figures of a reduced size, standing on a height. Their pen is thinner, but not by as much.
local SMALL, SMALL_PEN = 0.58, 66

--- Wraps a drawing so that its coordinates are scaled and moved.
local function shrink(draw, dx, dy)
  return function(pen)
    local first = #pen.strokes + 1
    draw(pen:lift())
    for i = first, #pen.strokes do
      for _, piece in ipairs(pen.strokes[i]) do
        for j = 1, 7, 2 do
          piece[j], piece[j + 1] = piece[j] * SMALL + dx, piece[j + 1] * SMALL + dy
        end
      end
    end
    pen:lift()
  end
end

-- The upper figure, where it goes, and the lower one.
local FRACTIONS = { { "½", "1", 100, "2" }, { "¼", "1", 100, "4" }, { "¾", "3", 0, "4" } }

local EXPONENTS = { { "¹", "1" }, { "²", "2" }, { "³", "3" } }

return function(sheet)
  sheet:usePen(m.figurePen)
  for figure = 0, 9 do
    sheet:figure(tostring(figure), drawings[tostring(figure)])
  end
  sheet:usePen(SMALL_PEN)
  local raised = m.capHeight * (1 - SMALL) + 2
  for _, entry in ipairs(EXPONENTS) do
    sheet:glyph(entry[1], 30, 30, shrink(drawings[entry[2]], 0, raised))
  end
  for _, entry in ipairs(FRACTIONS) do
    local upper, lower = shrink(drawings[entry[2]], entry[3], raised), shrink(drawings[entry[4]], 420, 0)
    sheet:glyph(entry[1], 30, 30, function(pen)
      upper(pen)
      lower(pen)
      pen:line(190, 20, 460, m.capHeight - 20)
    end)
  end
end
