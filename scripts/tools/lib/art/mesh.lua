-- A mesh made of lofts: skins drawn over a row of rings, each ring tied to the joints that move it. Faces are kept
-- counter-clockwise seen from outside. All indexes count from 1, ring columns from 0.
--
-- A mesh is { positions, weights, st, triangles }: positions {x, y, z}; weights {joint, share, joint, share...};
-- st {s, t, u, v} in texels and as shares of the chart; triangles {a, b, c, stA, stB, stC, part = name}.
local rigid = require "lib.art.rigid"
local exact = require "lib.art.exact"

local mesh = {}
mesh.__index = mesh

function mesh.new()
  return setmetatable({ positions = {}, weights = {}, st = {}, triangles = {} }, mesh)
end

function mesh:addVertex(position, joints)
  table.insert(self.positions, position)
  table.insert(self.weights, type(joints) == "string" and { joints, 1 } or joints)
  return #self.positions
end

-- A texture coordinate of a chart {x, y, width, height} at u, v in 0..1.
function mesh:addSt(chart, u, v)
  table.insert(self.st, { exact.round(chart[1] + chart[3] * u), exact.round(chart[2] + chart[4] * v), u, v })
  return #self.st
end

-- One face; `flip` turns it over.
function mesh:addTriangle(part, a, b, c, stA, stB, stC, flip)
  if flip then b, c, stB, stC = c, b, stC, stB end
  table.insert(self.triangles, { a, b, c, stA, stB, stC, part = part })
end

-- The corners of a ring { at, tilt, front, back, side, turn }: an ellipse around `at` whose half axes are `front` and
-- `back` (default: front) along x and `side` along y, bowed by `tilt` degrees, beginning at the back (and `turn`
-- columns on) and going to the right. `outline` gives the corners {forward, left} themselves instead. Returns the
-- corners, and their places on the flat ring.
local function ringPoints(ring, sides)
  local points, flat = {}, {}
  local c, s = exact.cos(ring.tilt or 0), exact.sin(ring.tilt or 0)
  for i = 0, sides - 1 do
    local f, l
    if ring.outline then
      f, l = ring.outline[i + 1][1], ring.outline[i + 1][2]
    else
      local angle = 180 + 360 * (i + (ring.turn or 0)) / sides
      f, l = exact.cos(angle), exact.sin(angle) * ring.side
      f = f * (f > 0 and ring.front or ring.back or ring.front)
    end
    points[i] = { ring.at[1] + f * c, ring.at[2] + l, ring.at[3] - f * s }
    flat[i] = { f, l }
  end
  return points, flat
end

-- Texture coordinates that show a ring as seen from its end, forward being up: those of the corners and of the middle.
local function flatSt(self, chart, flat)
  local low, high = { math.huge, math.huge }, { -math.huge, -math.huge }
  for i = 0, #flat do
    for axis = 1, 2 do
      low[axis], high[axis] = math.min(low[axis], flat[i][axis]), math.max(high[axis], flat[i][axis])
    end
  end
  local function st(f, l)
    return self:addSt(chart, (l - low[2]) / (high[2] - low[2]), (high[1] - f) / (high[1] - low[1]))
  end
  local corners = {}
  for i = 0, #flat do corners[i] = st(flat[i][1], flat[i][2]) end
  return corners, function() return st(0, 0) end
end

local function distance(a, b)
  return rigid.length(rigid.subtract(a, b))
end

-- How far up the cone over a ring it is to its pole, unless the cone has a picture of its own.
local function coneHeight(cap, ring)
  if not cap or not cap.pole or cap.chart or cap.sameAsStart then return 0 end
  local height, slant = distance(cap.pole, ring.at), 0.6 * (ring.side or 0)
  return math.sqrt(height * height + slant * slant)
end

-- How far along the loft, poles and all, each ring is, 0..1.
local function placeRings(options)
  local rings = options.rings
  local along = { coneHeight(options.start, rings[1]) }
  for r = 2, #rings do along[r] = along[r - 1] + distance(rings[r].at, rings[r - 1].at) end
  local total = math.max(along[#rings] + coneHeight(options.finish, rings[#rings]), 1e-9)
  for r = 1, #rings do along[r] = along[r] / total end
  return along
end

-- The loop of vertices turned, and reversed where needed, so that it lies corner by corner nearest to `points`.
local function alignLoop(self, loop, points)
  local count, best, bestSum = #loop, nil, nil
  for _, direction in ipairs { 1, -1 } do
    for first = 0, count - 1 do
      local candidate, sum = {}, 0
      for i = 0, count - 1 do
        candidate[i] = loop[(first + direction * i) % count + 1]
        sum = sum + distance(self.positions[candidate[i]], points[i])
      end
      if not bestSum or sum < bestSum - 1e-6 then best, bestSum = candidate, sum end
    end
  end
  return best
end

-- Rows of texture coordinates, made when first used: row(ring, chart)[column], columns 0..sides.
local function newRows(self, options, along)
  local rows = {}
  return function(ring, chart)
    local key = ring * 1000 + chart
    if not rows[key] then
      local row, sides, rect = {}, options.sides, options.charts[chart]
      local from = rect.first == 1 and 0 or along[rect.first]
      local to = rect.last == #along and 1 or along[rect.last]
      local v = (along[ring] - from) / math.max(to - from, 1e-9)
      for k = 0, sides do
        if options.fold then
          row[k] = k * 2 <= sides and self:addSt(rect, 2 * k / sides, v) or row[sides - k]
        else
          row[k] = self:addSt(rect, k / sides, v)
        end
      end
      rows[key] = row
    end
    return rows[key]
  end
end

local function addBand(self, options, lower, upper, lowerSt, upperSt, band, flip)
  local sides = options.sides
  for i = 0, sides - 1 do
    if not (options.holes and options.holes[band] and options.holes[band][i]) then
      local j = (i + 1) % sides
      local a, b, c, d = lower[i], lower[j], upper[j], upper[i]
      local sa, sb, sc, sd = lowerSt[i], lowerSt[i + 1], upperSt[i + 1], upperSt[i]
      if 2 * i < sides then             -- the diagonals of the two halves mirror each other
        self:addTriangle(options.part, a, b, c, sa, sb, sc, flip)
        self:addTriangle(options.part, a, c, d, sa, sc, sd, flip)
      else
        self:addTriangle(options.part, a, b, d, sa, sb, sd, flip)
        self:addTriangle(options.part, b, c, d, sb, sc, sd, flip)
      end
    end
  end
end

-- Closes an end with a fan, or with a cone where `cap` has a `pole` (and perhaps `joints`, default those of the
-- ring). A cap with a `chart` has a picture of its own, seen from the end; one that has `sameAsStart` shows that of the
-- other end; else the picture of the loft goes on. Returns the picture: corners and what makes its middle.
local function addCap(self, options, cap, ending)
  local sides, corners = options.sides, ending.corners
  local st, middle
  if cap.sameAsStart then
    st, middle = table.unpack(ending.startPicture)
  elseif cap.chart then
    st, middle = flatSt(self, cap.chart, ending.flat)
  else
    st = ending.row()
  end
  if cap.pole then
    local at = { rigid.apply(options.place or rigid.IDENTITY, table.unpack(cap.pole)) }
    local pole = self:addVertex(at, cap.joints or ending.ring.joints)
    local poleSt = middle and middle() or self:addSt(ending.rect, 0.5, ending.v)
    for i = 0, sides - 1 do
      local j = (i + 1) % sides
      local nextSt = st[middle and j or i + 1]
      self:addTriangle(options.part, corners[i], corners[j], pole, st[i], nextSt, poleSt, ending.flip)
    end
  else
    for i = 1, sides - 2 do
      self:addTriangle(options.part, corners[0], corners[i], corners[i + 1], st[0], st[i], st[i + 1], ending.flip)
    end
  end
  return { st, middle }
end

-- The vertices of all rings as grid[ring][column], and the rings as they lie flat.
local function addRings(self, options)
  local rings, sides, grid, flats = options.rings, options.sides, {}, {}
  for r, ring in ipairs(rings) do
    local points
    points, flats[r] = ringPoints(ring, sides)
    grid[r] = {}
    if r == 1 and options.loop then
      grid[r] = alignLoop(self, options.loop, ringPoints(rings[2], sides))
    else
      for i = 0, sides - 1 do
        local p, joints = points[i], ring.joints
        if type(joints) == "function" then joints = joints(p) end
        if options.place then p = { rigid.apply(options.place, p[1], p[2], p[3]) } end
        grid[r][i] = self:addVertex(p, joints)
      end
    end
  end
  return grid, flats
end

-- Draws a skin over `rings`. Options: part, sides, rings (each with the `joints` that move it, or a function that tells
-- them from a place), chart = rect or charts = rects with the `first` and `last` ring each, fold (left and right half
-- share the picture), start and finish (caps; nothing leaves the end open), loop (vertices to begin from instead of the
-- first ring), holes = { [band] = { [column] = true } }, place (a rigid motion of it all). Returns grid[ring][column].
function mesh:loft(options)
  local rings = options.rings
  local last = #rings
  if options.chart then
    local x, y, width, height = table.unpack(options.chart)
    options.charts = { { x, y, width, height, first = 1, last = last } }
  end
  local grid, flats = addRings(self, options)
  local row = newRows(self, options, placeRings(options))
  local function isDownward(r)
    local to = rings[r + 1] or rings[r]
    local tilt = to.tilt or 0
    local way = rigid.subtract(rings[r + 1] and to.at or options.finish.pole, rings[r].at)
    return way[1] * exact.sin(tilt) + way[3] * exact.cos(tilt) < 0
  end
  for chart, rect in ipairs(options.charts) do
    for r = rect.first, rect.last - 1 do
      addBand(self, options, grid[r], grid[r + 1], row(r, chart), row(r + 1, chart), r, isDownward(r))
    end
  end
  local startPicture
  local function close(cap, r, chart, v, flip)
    return addCap(self, options, cap, {
      ring = rings[r], corners = grid[r], flat = flats[r], rect = options.charts[chart], v = v, flip = flip,
      startPicture = startPicture, row = function() return row(r, chart) end,
    })
  end
  if options.start then startPicture = close(options.start, 1, 1, 0, not isDownward(1)) end
  if options.finish then close(options.finish, last, #options.charts, 1, isDownward(math.max(last - 1, 1))) end
  return grid
end

-- Adds what was made since `marks` (from mesh:mark) once more on the other side, with the same texture coordinates.
-- `rename` turns the names of joints and parts of the left into those of the right.
function mesh:mirror(marks, rename)
  local offset = #self.positions - marks.vertices
  for v = marks.vertices + 1, #self.positions do
    local p, joints = self.positions[v], {}
    for i, item in ipairs(self.weights[v]) do joints[i] = type(item) == "string" and rename(item) or item end
    self:addVertex({ p[1], -p[2], p[3] }, joints)
  end
  for t = marks.triangles + 1, #self.triangles do
    local a, b, c, stA, stB, stC = table.unpack(self.triangles[t])
    self:addTriangle(rename(self.triangles[t].part), a + offset, b + offset, c + offset, stA, stB, stC, true)
  end
end

function mesh:mark()
  return { vertices = #self.positions, triangles = #self.triangles }
end

-- Unit normals of all vertices at the given positions, larger faces counting more.
function mesh:normals(positions)
  local sums = {}
  for v = 1, #positions do sums[v] = { 0, 0, 0 } end
  for _, triangle in ipairs(self.triangles) do
    local a, b, c = positions[triangle[1]], positions[triangle[2]], positions[triangle[3]]
    local ux, uy, uz = b[1] - a[1], b[2] - a[2], b[3] - a[3]
    local vx, vy, vz = c[1] - a[1], c[2] - a[2], c[3] - a[3]
    local nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    for corner = 1, 3 do
      local sum = sums[triangle[corner]]
      sum[1], sum[2], sum[3] = sum[1] + nx, sum[2] + ny, sum[3] + nz
    end
  end
  for v, sum in ipairs(sums) do
    sums[v] = rigid.length(sum) > 1e-9 and rigid.normalize(sum) or { 0, 0, 1 }
  end
  return sums
end

return mesh
