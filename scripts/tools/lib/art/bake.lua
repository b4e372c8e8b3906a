-- Paints the skin of a mesh texel by texel: for each one the place on the body that it covers is worked out, and a
-- painter is asked for its colour. So patterns and shadows cross the seams of the skin without a break.
local exact = require "lib.art.exact"
local rigid = require "lib.art.rigid"
local png = require "lib.art.png"

local bake = {}

local GUTTER = 2                        -- texels painted beyond the edge of each chart, for filtering
local RAY_COUNT = 40
local RAY_START = 0.15                  -- rays begin this far above the surface
local GOLDEN_ANGLE = 137.50776405

-- Directions spread evenly over the sphere.
local function sphereDirections(count)
  local directions = {}
  for i = 1, count do
    local z = 1 - (2 * i - 1) / count
    local radius = math.sqrt(1 - z * z)
    directions[i] = { radius * exact.cos(i * GOLDEN_ANGLE), radius * exact.sin(i * GOLDEN_ANGLE), z }
  end
  return directions
end

-- How far along a ray a triangle is hit, or nil (Moeller and Trumbore).
local function hitDistance(origin, direction, triangle)
  local p = rigid.cross(direction, triangle.edge2)
  local determinant = rigid.dot(triangle.edge1, p)
  if determinant < 1e-9 and determinant > -1e-9 then return end
  local t = rigid.subtract(origin, triangle.corner)
  local u = rigid.dot(t, p) / determinant
  if u < 0 or u > 1 then return end
  local q = rigid.cross(t, triangle.edge1)
  local v = rigid.dot(direction, q) / determinant
  if v < 0 or u + v > 1 then return end
  local distance = rigid.dot(triangle.edge2, q) / determinant
  return distance > 0 and distance or nil
end

local function prepareTriangles(mesh)
  local prepared = {}
  for i, triangle in ipairs(mesh.triangles) do
    local a, b, c = mesh.positions[triangle[1]], mesh.positions[triangle[2]], mesh.positions[triangle[3]]
    local centre = { (a[1] + b[1] + c[1]) / 3, (a[2] + b[2] + c[2]) / 3, (a[3] + b[3] + c[3]) / 3 }
    local function far(p) return rigid.length(rigid.subtract(p, centre)) end
    prepared[i] = { corner = a, edge1 = rigid.subtract(b, a), edge2 = rigid.subtract(c, a), centre = centre,
                    radius = math.max(far(a), far(b), far(c)), part = triangle.part }
  end
  return prepared
end

-- How open each vertex lies to the sky around it, 0..1, counting what is nearer than `reach`. Parts whose names
-- `ignore` holds cast no shadow: they move about.
function bake.openness(mesh, reach, ignore)
  local triangles, directions = prepareTriangles(mesh), sphereDirections(RAY_COUNT)
  local normals, openness = mesh:normals(mesh.positions), {}
  for v, position in ipairs(mesh.positions) do
    local normal = normals[v]
    local origin, near = rigid.along(position, normal, RAY_START), {}
    for _, triangle in ipairs(triangles) do
      local away = rigid.length(rigid.subtract(triangle.centre, origin))
      if away < reach + triangle.radius and not ignore[triangle.part] then near[#near + 1] = triangle end
    end
    local open, total = 0, 0
    for _, direction in ipairs(directions) do
      local weight = rigid.dot(direction, normal)
      if weight > 0.05 then
        local nearest = reach
        for _, triangle in ipairs(near) do
          nearest = math.min(nearest, hitDistance(origin, direction, triangle) or reach)
        end
        open, total = open + weight * nearest / reach, total + weight
      end
    end
    openness[v] = open / total
  end
  return openness
end

-- Calls visit(x, y, shares of the three corners, how far inside) for the texels that a triangle covers or nearly so.
local function coverTexels(size, a, b, c, visit)
  local area = (b[1] - a[1]) * (c[2] - a[2]) - (c[1] - a[1]) * (b[2] - a[2])
  if area == 0 then return end
  local function bounds(axis)
    local low, high = math.min(a[axis], b[axis], c[axis]) - GUTTER, math.max(a[axis], b[axis], c[axis]) + GUTTER
    return math.max(low, 0), math.min(high, size - 1)
  end
  local function side(p, q, x, y)
    return ((q[1] - p[1]) * (y - p[2]) - (x - p[1]) * (q[2] - p[2])) / area
  end
  local function height(p, q)           -- of the triangle over an edge, in texels
    return math.abs(area) / math.sqrt((q[1] - p[1]) * (q[1] - p[1]) + (q[2] - p[2]) * (q[2] - p[2]))
  end
  local x0, x1 = bounds(1)
  local y0, y1 = bounds(2)
  local heightA, heightB, heightC = height(b, c), height(c, a), height(a, b)
  for y = y0, y1 do
    for x = x0, x1 do
      local shareA, shareB, shareC = side(b, c, x, y), side(c, a, x, y), side(a, b, x, y)
      local inside = math.min(shareA * heightA, shareB * heightB, shareC * heightC, 0)
      if inside > -GUTTER then
        shareA, shareB, shareC = math.max(shareA, 0), math.max(shareB, 0), math.max(shareC, 0)
        local sum = shareA + shareB + shareC
        visit(x, y, shareA / sum, shareB / sum, shareC / sum, inside)
      end
    end
  end
end

-- The places on the body that the texels show: samples[y * size + x + 1] = { part, x, y, z, nx, ny, nz, u, v, s, t,
-- open }, missing where the skin shows nothing. Where parts share texels the first part counts.
function bake.sample(mesh, size, openness)
  local normals, samples = mesh:normals(mesh.positions), {}
  for _, triangle in ipairs(mesh.triangles) do
    local p1, p2, p3 = mesh.positions[triangle[1]], mesh.positions[triangle[2]], mesh.positions[triangle[3]]
    local n1, n2, n3 = normals[triangle[1]], normals[triangle[2]], normals[triangle[3]]
    local o1, o2, o3 = openness[triangle[1]], openness[triangle[2]], openness[triangle[3]]
    local s1, s2, s3 = mesh.st[triangle[4]], mesh.st[triangle[5]], mesh.st[triangle[6]]
    coverTexels(size, s1, s2, s3, function(x, y, a, b, c, inside)
      local index = y * size + x + 1
      if samples[index] and samples[index].inside >= inside then return end
      samples[index] = { part = triangle.part, inside = inside, s = x, t = y,
        x = a * p1[1] + b * p2[1] + c * p3[1], y = a * p1[2] + b * p2[2] + c * p3[2],
        z = a * p1[3] + b * p2[3] + c * p3[3],
        nx = a * n1[1] + b * n2[1] + c * n3[1], ny = a * n1[2] + b * n2[2] + c * n3[2],
        nz = a * n1[3] + b * n2[3] + c * n3[3],
        u = a * s1[3] + b * s2[3] + c * s3[3], v = a * s1[4] + b * s2[4] + c * s3[4],
        open = a * o1 + b * o2 + c * o3 }
    end)
  end
  return samples
end

-- A PNG file of what `paint(sample)` answers, a colour {r, g, b} of 0..1, for each sample.
function bake.paint(samples, size, colours, background, paint)
  local pixels = {}
  for i = 1, size * size do
    local colour = samples[i] and paint(samples[i]) or background
    for channel = 1, 3 do
      pixels[#pixels + 1] = exact.clamp(exact.round(colour[channel] * 255), 0, 255)
    end
  end
  return png.encode(size, size, pixels, colours)
end

return bake
