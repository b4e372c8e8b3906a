-- The measures all glyphs share, in font units: 1000 to the em, y upwards from the baseline.
--
-- A text of N pixels is N pixels from ascent to descent, which is the em. The x-height is half of that: in all even
-- sizes small letters fill whole pixels.
local metrics = {
  unitsPerEm = 1000,
  ascent = 800,
  descent = -200,
  lineGap = 200,

  xHeight = 500,
  capHeight = 670,   -- of capitals and figures
  ascender = 730,    -- of small letters like b
  descender = -190,  -- of small letters like p
  overshoot = 10,    -- round letters are larger by this, to look equally high

  smallPen = 90,
  capitalPen = 95,
  figurePen = 92,
  signPen = 86,
  markPen = 70,
  flatness = 0.1,  -- the pen is less high than wide by this part, so that horizontals look as heavy as verticals

  -- Side bearings: the room beside the ink of a glyph
  stem = 70,
  round = 40,
  open = 30,      -- like the right of c
  diagonal = 12,  -- like v

  figureAdvance = 560,
}

--- Where the centre lines of a pen run.
function metrics.linesFor(width)
  local half = width / 2
  local flat = half * (1 - metrics.flatness)
  local tip = half - 5  -- a stem's round end is a little longer than a flat one would be
  local m = metrics
  return {
    foot = tip,                         -- where a stem ends at the baseline
    join = half,                        -- where it ends inside of a horizontal on the baseline
    base = flat,                        -- that horizontal
    bowlBase = flat - m.overshoot,      -- the lowest point of a bowl
    xHead = m.xHeight - tip,            -- where a stem ends at the x-height
    xLine = m.xHeight - flat,
    xBowl = m.xHeight + m.overshoot - flat,
    capHead = m.capHeight - tip,
    capLine = m.capHeight - flat,
    capJoin = m.capHeight - half,       -- where a stem ends inside of a horizontal at the top
    capBowl = m.capHeight + m.overshoot - flat,
    ascHead = m.ascender - tip,
    ascBowl = m.ascender + m.overshoot - flat,
    descFoot = m.descender + tip,
    descBowl = m.descender + flat,
  }
end

return metrics
