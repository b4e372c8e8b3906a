-- Merges outlines that overlap, or cross themselves, into outlines that do not. Rasterizers that add up the coverage of
-- outlines, like stb_truetype, draw overlapping edges too dark. An outline is a closed list of quadratic curves
-- { x0, y0, cx, cy, x1, y1 }; ink is where the winding number is positive.
--
-- All curves are cut where they cross. A part then belongs to the result if it has ink on its left only. The parts of
-- the result are chained at the cuts they share.
local union = {}

-- Each outline is shifted by this, less than rounding will ever show, in a direction of its own: no two edges coincide.
local SHIFT = 0.02
local SHIFT_TURN = math.rad(137.5)  -- from the direction of an outline to that of the next

local FLATNESS = 0.003   -- a curve this near to its chord crosses others where the chord does
local SIDE_STEP = 1e-4  -- how far beside a part its winding number is taken
local SAME_PARAMETER = 1e-7

local function pointAt(c, t)
  local s = 1 - t
  local a, b, d = s * s, 2 * s * t, t * t
  return a * c[1] + b * c[3] + d * c[5], a * c[2] + b * c[4] + d * c[6]
end

local function derivativeAt(c, t)
  local s = 1 - t
  return 2 * (s * (c[3] - c[1]) + t * (c[5] - c[3])), 2 * (s * (c[4] - c[2]) + t * (c[6] - c[4]))
end

local function cut(c, t0, t1)
  local x0, y0 = pointAt(c, t0)
  local x1, y1 = pointAt(c, t1)
  local s0, s1 = 1 - t0, 1 - t1
  local a, b, d = s0 * s1, s0 * t1 + t0 * s1, t0 * t1
  return { x0, y0, a * c[1] + b * c[3] + d * c[5], a * c[2] + b * c[4] + d * c[6], x1, y1 }
end

-- --- Crossings ---

local function boxesOverlap(a, b)
  local min, max = math.min, math.max
  return min(a[1], a[3], a[5]) <= max(b[1], b[3], b[5]) and min(b[1], b[3], b[5]) <= max(a[1], a[3], a[5])
    and min(a[2], a[4], a[6]) <= max(b[2], b[4], b[6]) and min(b[2], b[4], b[6]) <= max(a[2], a[4], a[6])
end

local function isFlat(c)
  return math.abs(c[1] - 2 * c[3] + c[5]) + math.abs(c[2] - 2 * c[4] + c[6]) < 4 * FLATNESS
end

--- Makes the parameters of a crossing exact. They may end outside of the curves.
local function refine(a, b, t, u)
  for _ = 1, 6 do
    local ax, ay = pointAt(a, t)
    local bx, by = pointAt(b, u)
    local adx, ady = derivativeAt(a, t)
    local bdx, bdy = derivativeAt(b, u)
    local det = adx * bdy - ady * bdx
    if det == 0 then break end
    local x, y = bx - ax, by - ay
    t = t + (x * bdy - y * bdx) / det
    u = u + (x * ady - y * adx) / det
  end
  return t, u
end

local function crossChords(a, b, report)
  local ax, ay, bx, by = a[5] - a[1], a[6] - a[2], b[5] - b[1], b[6] - b[2]
  local det = ax * by - ay * bx
  if det == 0 then return end
  local x, y = b[1] - a[1], b[2] - a[2]
  local t, u = (x * by - y * bx) / det, (x * ay - y * ax) / det
  local slack = 0.1
  if t > -slack and t < 1 + slack and u > -slack and u < 1 + slack then report(t, u) end
end

--- Calls report(t, u) near every crossing; the same one may be reported more than once.
local function findCrossings(a, b, t0, t1, u0, u1, report)
  if not boxesOverlap(a, b) then return end
  if isFlat(a) and isFlat(b) then
    return crossChords(a, b, function(t, u) report(t0 + (t1 - t0) * t, u0 + (u1 - u0) * u) end)
  end
  local tm, um = (t0 + t1) / 2, (u0 + u1) / 2
  local a0, a1, b0, b1 = cut(a, 0, 0.5), cut(a, 0.5, 1), cut(b, 0, 0.5), cut(b, 0.5, 1)
  findCrossings(a0, b0, t0, tm, u0, um, report)
  findCrossings(a0, b1, t0, tm, um, u1, report)
  findCrossings(a1, b0, tm, t1, u0, um, report)
  findCrossings(a1, b1, tm, t1, um, u1, report)
end

local function isInside(t)
  return t > SAME_PARAMETER and t < 1 - SAME_PARAMETER
end

local function isKnown(crossings, t, u)
  for _, known in ipairs(crossings) do
    if math.abs(known[1] - t) + math.abs(known[2] - u) < 10 * SAME_PARAMETER then return true end
  end
  return false
end

--- Gives each curve a list of cuts { t, vertex }; the two curves of a crossing share the vertex.
local function addCuts(curves)
  for i, a in ipairs(curves) do
    for j = i + 1, #curves do
      local b = curves[j]
      local crossings = {}
      findCrossings(a, b, 0, 1, 0, 1, function(t, u)
        t, u = refine(a, b, t, u)
        if isInside(t) and isInside(u) and not isKnown(crossings, t, u) then
          crossings[#crossings + 1] = { t, u }
          local vertex = {}
          a.cuts[#a.cuts + 1] = { t = t, vertex = vertex }
          b.cuts[#b.cuts + 1] = { t = u, vertex = vertex }
        end
      end)
    end
  end
end

-- --- Winding numbers ---

--- Counts how a part of a curve that only rises or only falls passes the ray from (x, y) to the right.
local function countPass(c, t0, t1, x, y)
  local _, y0 = pointAt(c, t0)
  local _, y1 = pointAt(c, t1)
  if (y0 <= y) == (y1 <= y) then return 0 end
  local low, high = t0, t1
  for _ = 1, 40 do
    local middle = (low + high) / 2
    local _, my = pointAt(c, middle)
    if (my <= y) == (y0 <= y) then low = middle else high = middle end
  end
  if pointAt(c, low) <= x then return 0 end
  return y1 > y0 and 1 or -1
end

local function windingAt(curves, x, y)
  local winding = 0
  for _, c in ipairs(curves) do
    local isBeside = math.max(c[1], c[3], c[5]) <= x
    local isOutside = math.min(c[2], c[4], c[6]) > y or math.max(c[2], c[4], c[6]) <= y
    if not isBeside and not isOutside then
      local turn = (c[2] - c[4]) / (c[2] - 2 * c[4] + c[6])
      if turn > 0 and turn < 1 then
        winding = winding + countPass(c, 0, turn, x, y) + countPass(c, turn, 1, x, y)
      else
        winding = winding + countPass(c, 0, 1, x, y)
      end
    end
  end
  return winding
end

local function isBorder(curves, part)
  local x, y = pointAt(part, 0.5)
  local dx, dy = derivativeAt(part, 0.5)
  local scale = SIDE_STEP / math.sqrt(dx * dx + dy * dy)
  return windingAt(curves, x - dy * scale, y + dx * scale) == 1
    and windingAt(curves, x + dy * scale, y - dx * scale) == 0
end

-- --- The result ---

--- Copies the curves of all outlines. A curve starts exactly where the one before ends, without differences in the last
--- bits through which a ray could slip.
local function collectCurves(outlines)
  local curves = {}
  for number, outline in ipairs(outlines) do
    local shiftX, shiftY = SHIFT * math.cos(number * SHIFT_TURN), SHIFT * math.sin(number * SHIFT_TURN)
    local start = { x = outline[1][1] + shiftX, y = outline[1][2] + shiftY }
    local from = start
    for i, c in ipairs(outline) do
      local to = i == #outline and start or { x = c[5] + shiftX, y = c[6] + shiftY }
      curves[#curves + 1] = {
        from.x, from.y, c[3] + shiftX, c[4] + shiftY, to.x, to.y, cuts = {}, from = from, to = to,
      }
      from = to
    end
  end
  return curves
end

--- Returns the parts of all curves that are borders of the ink, with their vertices `from` and `to`.
local function findBorders(curves)
  local borders = {}
  for _, curve in ipairs(curves) do
    table.sort(curve.cuts, function(a, b) return a.t < b.t end)
    curve.cuts[#curve.cuts + 1] = { t = 1, vertex = curve.to }
    local t, from = 0, curve.from
    for _, stop in ipairs(curve.cuts) do
      local part = cut(curve, t, stop.t)
      part.from, part.to = from, stop.vertex
      if isBorder(curves, part) then borders[#borders + 1] = part end
      t, from = stop.t, stop.vertex
    end
  end
  return borders
end

local function chain(borders)
  local leaving = {}
  for _, part in ipairs(borders) do
    assert(not leaving[part.from], "two borders start at one point")
    leaving[part.from] = part
  end
  local outlines = {}
  for _, first in ipairs(borders) do
    local part, outline = first, {}
    while part and not part.used do
      part.used = true
      outline[#outline + 1] = part
      part = leaving[part.to]
    end
    assert(part == first or #outline == 0, "a border does not close")
    if #outline > 0 then outlines[#outlines + 1] = outline end
  end
  return outlines
end

--- Returns outlines with the same ink as these.
function union.merge(outlines)
  local curves = collectCurves(outlines)
  addCuts(curves)
  return chain(findBorders(curves))
end

return union
