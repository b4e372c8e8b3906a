-- The pen that draws glyphs: it records centre lines, in font units with y upwards, as strokes of cubic curves.
-- A stroke is a list of pieces { x0, y0, x1, y1, x2, y2, x3, y3, w0, w1 }, w being the pen's width at the ends of the
-- piece, and may be closed. A stroke without pieces is a dot: { dot = { x, y, diameter } }. font_stroke.lua makes
-- outlines of them.
local Pen = {}
Pen.__index = Pen

-- Reach of the handles of a quarter turn, as a part of its radius. A circle has 0.5523; more makes bowls squarer, which
-- keeps counters open at small sizes.
local ROUNDNESS = 0.585

local QUARTER = 90

function Pen.new(width)
  return setmetatable({ strokes = {}, width = width }, Pen)
end

--- Starts a stroke.
function Pen:from(x, y)
  self.stroke = { closed = false }
  self.strokes[#self.strokes + 1] = self.stroke
  self.x, self.y = x, y
  self.lastWidth = self.width
  return self
end

--- Sets the width for what follows, as a part of the glyph's usual width. Inside a stroke the next piece swells to it.
function Pen:weight(factor)
  self.usualWidth = self.usualWidth or self.width
  self.width = self.usualWidth * factor
  return self
end

--- A cubic curve.
function Pen:curve(x1, y1, x2, y2, x3, y3)
  local stroke = self.stroke
  stroke[#stroke + 1] = { self.x, self.y, x1, y1, x2, y2, x3, y3, self.lastWidth, self.width }
  self.x, self.y, self.lastWidth = x3, y3, self.width
  return self
end

--- A straight line.
function Pen:to(x, y)
  local dx, dy = (x - self.x) / 3, (y - self.y) / 3
  return self:curve(self.x + dx, self.y + dy, x - dx, y - dy, x, y)
end

--- A curve that starts towards (cx, cy) and arrives from there.
function Pen:bend(cx, cy, x, y)
  local function handle(from, to) return from + (to - from) * 2 / 3 end
  return self:curve(handle(self.x, cx), handle(self.y, cy), handle(x, cx), handle(y, cy), x, y)
end

--- The part of the cubic curve p between the parameters t0 and t1, in one dimension.
local function cutCurve(p, t0, t1)
  local function blossom(a, b, c)
    local function mix(from, to, t) return from + (to - from) * t end
    local p01, p12, p23 = mix(p[1], p[2], a), mix(p[2], p[3], a), mix(p[3], p[4], a)
    return mix(mix(p01, p12, b), mix(p12, p23, b), c)
  end
  return blossom(t0, t0, t0), blossom(t0, t0, t1), blossom(t0, t1, t1), blossom(t1, t1, t1)
end

local function sinCosOfQuarter(index)
  local turn = index % 4
  return turn == 1 and 1 or turn == 3 and -1 or 0, turn == 0 and 1 or turn == 2 and -1 or 0
end

--- The part of the ellipse's quarter `index` between two angles, both within it.
local function quarterPart(cx, cy, rx, ry, index, from, to)
  local s0, c0 = sinCosOfQuarter(index)
  local s1, c1 = sinCosOfQuarter(index + 1)
  local k = ROUNDNESS
  local xs = { c0, c0 + k * c1, c1 + k * c0, c1 }
  local ys = { s0, s0 + k * s1, s1 + k * s0, s1 }
  local t0, t1 = from / QUARTER - index, to / QUARTER - index
  local x0, x1, x2, x3 = cutCurve(xs, t0, t1)
  local y0, y1, y2, y3 = cutCurve(ys, t0, t1)
  return {
    cx + rx * x0, cy + ry * y0, cx + rx * x1, cy + ry * y1, cx + rx * x2, cy + ry * y2, cx + rx * x3, cy + ry * y3,
  }
end

--- An arc around (cx, cy) between two angles in degrees, 0 being to the right and 90 up; clockwise if from > to. It is
--- joined with a line to what was drawn before, or starts a stroke if the last one was ended.
function Pen:arc(cx, cy, rx, ry, from, to)
  local step = to > from and 1 or -1
  local at = from
  while at ~= to do
    local index = step > 0 and at // QUARTER or -(-at // QUARTER) - 1
    local stop = step > 0 and math.min(to, (index + 1) * QUARTER) or math.max(to, index * QUARTER)
    local p = quarterPart(cx, cy, rx, ry, index, at, stop)
    if not self.stroke then
      self:from(p[1], p[2])
    elseif math.abs(p[1] - self.x) + math.abs(p[2] - self.y) > 0.01 then
      self:to(p[1], p[2])
    end
    self:curve(p[3], p[4], p[5], p[6], p[7], p[8])
    at = stop
  end
  return self
end

--- Ends a stroke, so that the next arc starts one.
function Pen:lift()
  self.stroke = nil
  return self
end

--- Joins the stroke's end to its start.
function Pen:close()
  local first = self.stroke[1]
  if math.abs(first[1] - self.x) + math.abs(first[2] - self.y) > 0.01 then self:to(first[1], first[2]) end
  self.stroke.closed = true
  return self:lift()
end

--- A whole ellipse.
function Pen:ring(cx, cy, rx, ry)
  return self:lift():arc(cx, cy, rx, ry, 0, 4 * QUARTER):close()
end

--- A full disc.
function Pen:dot(x, y, diameter)
  self.strokes[#self.strokes + 1] = { dot = { x, y, diameter } }
  return self:lift()
end

--- A single line as a stroke of its own.
function Pen:line(x0, y0, x1, y1)
  return self:from(x0, y0):to(x1, y1):lift()
end

return Pen
