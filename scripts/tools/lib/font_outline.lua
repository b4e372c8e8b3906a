-- Outlines as TrueType stores them: lists of points { x, y, on } with whole coordinates, the ink on the right of their
-- direction. Points off the curve are control points; halfway between two of those a point on the curve is implied.
local outline = {}

local STRAIGHT = 0.3  -- a curve whose control point is this near to the middle of its chord becomes a line

-- Halves are rounded up, even if the last bits of sines and cosines, which vary between machines, make them a bit less.
local HALF = 0.500001

function outline.nearest(value)
  return math.floor(value + HALF)
end

local nearest = outline.nearest

local function isStraight(c)
  return math.abs(c[1] - 2 * c[3] + c[5]) / 2 + math.abs(c[2] - 2 * c[4] + c[6]) / 2 < STRAIGHT
end

--- The points of the curves, in the opposite direction.
local function listPoints(curves)
  local points = {}
  for i = #curves, 1, -1 do
    local c = curves[i]
    local x, y = nearest(c[5]), nearest(c[6])
    local last = points[#points]
    if not (last and last.on and last.x == x and last.y == y) then points[#points + 1] = { x = x, y = y, on = true } end
    if not isStraight(c) and (x ~= nearest(c[1]) or y ~= nearest(c[2])) then
      points[#points + 1] = { x = nearest(c[3]), y = nearest(c[4]), on = false }
    end
  end
  local first, last = points[1], points[#points]
  if last.on and last.x == first.x and last.y == first.y then points[#points] = nil end
  return points
end

--- True for points on the way of a line or halfway between two control points.
local function isImplied(before, point, after)
  if not point.on or before.on ~= after.on then return false end
  if not before.on then
    return math.abs(before.x + after.x - 2 * point.x) <= 1 and math.abs(before.y + after.y - 2 * point.y) <= 1
  end
  local dx, dy = after.x - before.x, after.y - before.y
  local x, y = point.x - before.x, point.y - before.y
  local isBetween = x * dx + y * dy > 0 and x * dx + y * dy < dx * dx + dy * dy
  return isBetween and math.abs(x * dy - y * dx) < 0.7 * math.sqrt(dx * dx + dy * dy)
end

local function removeImplied(points)
  local kept = {}
  for i, point in ipairs(points) do
    local before = kept[#kept] or points[#points]
    local after = points[i + 1] or kept[1] or points[1]
    if i == 1 or not isImplied(before, point, after) then kept[#kept + 1] = point end
  end
  return kept
end

--- Makes outlines of whole points of merged outlines of quadratic curves, leaving out those without area.
function outline.round(outlines)
  local result = {}
  for _, curves in ipairs(outlines) do
    local points = removeImplied(listPoints(curves))
    if #points > 2 then result[#result + 1] = points end
  end
  return result
end

local function extendByQuadratic(low, high, a, b, c)
  low, high = math.min(low, a, c), math.max(high, a, c)
  local t = (a - b) / (a - 2 * b + c)
  if t > 0 and t < 1 then
    local value = (1 - t) * (1 - t) * a + 2 * t * (1 - t) * b + t * t * c
    low, high = math.min(low, value), math.max(high, value)
  end
  return low, high
end

--- Returns xMin, yMin, xMax, yMax of outlines of quadratic curves.
function outline.boundsOfCurves(outlines)
  local xMin, yMin, xMax, yMax = math.huge, math.huge, -math.huge, -math.huge
  for _, curves in ipairs(outlines) do
    for _, c in ipairs(curves) do
      xMin, xMax = extendByQuadratic(xMin, xMax, c[1], c[3], c[5])
      yMin, yMax = extendByQuadratic(yMin, yMax, c[2], c[4], c[6])
    end
  end
  return xMin, yMin, xMax, yMax
end

--- The quadratic curves of outlines of points.
local function toCurves(outlines)
  local result = {}
  for i, points in ipairs(outlines) do
    local curves, count = {}, #points
    local function onPoint(index, neighbour)
      local p, q = points[(index - 1) % count + 1], points[(neighbour - 1) % count + 1]
      if p.on then return p.x, p.y end
      return (p.x + q.x) / 2, (p.y + q.y) / 2
    end
    for j, p in ipairs(points) do
      local after = points[j % count + 1]
      if not p.on then
        local x0, y0 = onPoint(j - 1, j)
        local x1, y1 = onPoint(j + 1, j)
        curves[#curves + 1] = { x0, y0, p.x, p.y, x1, y1 }
      elseif after.on then
        curves[#curves + 1] = { p.x, p.y, (p.x + after.x) / 2, (p.y + after.y) / 2, after.x, after.y }
      end
    end
    result[i] = curves
  end
  return result
end

--- Returns xMin, yMin, xMax, yMax of outlines of points, as whole numbers around them.
function outline.bounds(outlines)
  local xMin, yMin, xMax, yMax = outline.boundsOfCurves(toCurves(outlines))
  return math.floor(xMin), math.floor(yMin), math.ceil(xMax), math.ceil(yMax)
end

function outline.move(outlines, dx, dy)
  for _, curves in ipairs(outlines) do
    for _, c in ipairs(curves) do
      for i = 1, 5, 2 do
        c[i], c[i + 1] = c[i] + dx, c[i + 1] + dy
      end
    end
  end
end

return outline
