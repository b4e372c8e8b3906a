-- Expands a pen's strokes into outlines. An outline is a closed list of quadratic curves { x0, y0, cx, cy, x1, y1 }
-- with the ink on the left of its direction. Ends and corners are round. Inside of sharp corners an outline may cross
-- itself, always so that the ink has a positive winding number: font_union.lua cleans that up.
local metrics = require "font_metrics"

local stroke = {}

-- The middle of a quadratic curve is at most so far from its chord. stb_truetype replaces curves by their chords where
-- that is less than 0.35 pixels: with longer curves small texts would lose their roundness.
local LARGEST_RISE, SMALLEST_RISE = 3, 0.01

local SMALLEST_CORNER = math.rad(4)
local SMALLEST_TURN = 1e-3
local PARAMETER_STEP = 1e-4

local function pointAt(piece, t)
  local s = 1 - t
  local a, b, c, d = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
  return a * piece[1] + b * piece[3] + c * piece[5] + d * piece[7],
    a * piece[2] + b * piece[4] + c * piece[6] + d * piece[8]
end

local function directionAt(piece, t)
  local s = 1 - t
  local a, b, c = s * s, 2 * s * t, t * t
  local dx = a * (piece[3] - piece[1]) + b * (piece[5] - piece[3]) + c * (piece[7] - piece[5])
  local dy = a * (piece[4] - piece[2]) + b * (piece[6] - piece[4]) + c * (piece[8] - piece[6])
  local length = math.sqrt(dx * dx + dy * dy)
  return dx / length, dy / length
end

--- Half the pen's width for a direction.
local function radiusFor(width, dx)
  return width / 2 * (1 - metrics.flatness * dx * dx)
end

local function radiusAt(piece, t)
  local swell = t * t * (3 - 2 * t)
  return radiusFor(piece[9] + (piece[10] - piece[9]) * swell, (directionAt(piece, t)))
end

--- The point beside the centre line, to the left for side 1, to the right for -1.
local function sidePoint(piece, t, side)
  local x, y = pointAt(piece, t)
  local dx, dy = directionAt(piece, t)
  local radius = radiusAt(piece, t) * side
  return x - dy * radius, y + dx * radius
end

local function sideDirection(piece, t, side)
  local t0, t1 = math.max(t - PARAMETER_STEP, 0), math.min(t + PARAMETER_STEP, 1)
  local x0, y0 = sidePoint(piece, t0, side)
  local x1, y1 = sidePoint(piece, t1, side)
  return x1 - x0, y1 - y0
end

local function addLine(curves, x0, y0, x1, y1)
  if math.abs(x1 - x0) + math.abs(y1 - y0) > 1e-9 then
    curves[#curves + 1] = { x0, y0, (x0 + x1) / 2, (y0 + y1) / 2, x1, y1 }
  end
end

--- Adds the curve between two points with the given directions, or a line if there is none.
local function addCurve(curves, x0, y0, dx0, dy0, x1, y1, dx1, dy1)
  local cross = dx0 * dy1 - dy0 * dx1
  if cross * cross > SMALLEST_TURN ^ 2 * (dx0 * dx0 + dy0 * dy0) * (dx1 * dx1 + dy1 * dy1) then
    local ahead = ((x1 - x0) * dy1 - (y1 - y0) * dx1) / cross
    local back = ((y1 - y0) * dx0 - (x1 - x0) * dy0) / cross
    if ahead > 0 and back > 0 then
      curves[#curves + 1] = { x0, y0, x0 + dx0 * ahead, y0 + dy0 * ahead, x1, y1 }
      return
    end
  end
  addLine(curves, x0, y0, x1, y1)
end

local function angleBetween(ax, ay, bx, by)
  return math.atan(ax * by - ay * bx, ax * bx + ay * by)
end

--- The largest distance from the piece to its chords if it is divided into so many parts.
local function riseOfParts(piece, count)
  local rise = 0
  for i = 1, count do
    local x0, y0 = pointAt(piece, (i - 1) / count)
    local x, y = pointAt(piece, (i - 0.5) / count)
    local x1, y1 = pointAt(piece, i / count)
    rise = math.max(rise, math.sqrt((x - (x0 + x1) / 2) ^ 2 + (y - (y0 + y1) / 2) ^ 2))
  end
  return rise
end

--- How many quadratic curves a side of the piece takes. An even number, as an S turns the other way in its middle.
local function countParts(piece)
  if riseOfParts(piece, 2) < SMALLEST_RISE and piece[9] == piece[10] then return 1 end
  local count = 2
  while riseOfParts(piece, count) > LARGEST_RISE do count = count + 2 end
  return count
end

local function addSide(curves, piece, side)
  local count = countParts(piece)
  local x0, y0 = sidePoint(piece, 0, side)
  local dx0, dy0 = sideDirection(piece, 0, side)
  for i = 1, count do
    local x1, y1 = sidePoint(piece, i / count, side)
    local dx1, dy1 = sideDirection(piece, i / count, side)
    addCurve(curves, x0, y0, dx0, dy0, x1, y1, dx1, dy1)
    x0, y0, dx0, dy0 = x1, y1, dx1, dy1
  end
end

--- Adds an arc around (x, y) from one vector to the next, which need not be of the same length.
local function addArc(curves, x, y, ax, ay, angle, endLength)
  local startLength = math.sqrt(ax * ax + ay * ay)
  local largestAngle = 2 * math.acos(1 - LARGEST_RISE / startLength)
  local count = math.ceil(math.abs(angle) / largestAngle)
  local start = math.atan(ay, ax)
  local function vectorAt(i)
    local length = startLength + (endLength - startLength) * i / count
    return length * math.cos(start + angle * i / count), length * math.sin(start + angle * i / count)
  end
  for i = 1, count do
    local px, py = vectorAt(i - 1)
    local qx, qy = vectorAt(i)
    local sign = angle > 0 and 1 or -1
    addCurve(curves, x + px, y + py, -py * sign, px * sign, x + qx, y + qy, -qy * sign, qx * sign)
  end
end

--- Joins one side of two pieces that meet.
local function addJoin(curves, piece, nextPiece, side)
  local x, y = nextPiece[1], nextPiece[2]
  local x0, y0 = sidePoint(piece, 1, side)
  local x1, y1 = sidePoint(nextPiece, 0, side)
  local dx0, dy0 = directionAt(piece, 1)
  local dx1, dy1 = directionAt(nextPiece, 0)
  local turn = angleBetween(dx0, dy0, dx1, dy1)
  if math.abs(turn) < SMALLEST_CORNER then
    addLine(curves, x0, y0, x1, y1)
  elseif turn * side < 0 then
    addArc(curves, x, y, x0 - x, y0 - y, turn, radiusAt(nextPiece, 0))
  else
    addLine(curves, x0, y0, x, y)
    addLine(curves, x, y, x1, y1)
  end
end

local function makeSide(pieces, side)
  local curves = {}
  for i, piece in ipairs(pieces) do
    addSide(curves, piece, side)
    local nextPiece = pieces[i + 1] or pieces.closed and pieces[1]
    if nextPiece then addJoin(curves, piece, nextPiece, side) end
  end
  return curves
end

local function appendReversed(curves, others)
  for i = #others, 1, -1 do
    local c = others[i]
    curves[#curves + 1] = { c[5], c[6], c[3], c[4], c[1], c[2] }
  end
  return curves
end

local function addCap(curves, x, y, fromX, fromY, radius)
  addArc(curves, x, y, fromX - x, fromY - y, math.pi, radius)
end

local function expandOpen(pieces)
  local first, last = pieces[1], pieces[#pieces]
  local curves = makeSide(pieces, -1)
  local endX, endY = sidePoint(last, 1, -1)
  addCap(curves, last[7], last[8], endX, endY, radiusAt(last, 1))
  appendReversed(curves, makeSide(pieces, 1))
  local startX, startY = sidePoint(first, 0, 1)
  addCap(curves, first[1], first[2], startX, startY, radiusAt(first, 0))
  return curves
end

local function expandDot(x, y, diameter)
  local curves = {}
  addArc(curves, x, y, diameter / 2, 0, 2 * math.pi, diameter / 2)
  return curves
end

--- Returns the outlines of the strokes.
function stroke.expand(strokes)
  local outlines = {}
  for _, pieces in ipairs(strokes) do
    if pieces.dot then
      outlines[#outlines + 1] = expandDot(table.unpack(pieces.dot))
    elseif pieces.closed then
      outlines[#outlines + 1] = makeSide(pieces, -1)
      outlines[#outlines + 1] = appendReversed({}, makeSide(pieces, 1))
    else
      outlines[#outlines + 1] = expandOpen(pieces)
    end
  end
  return outlines
end

return stroke
