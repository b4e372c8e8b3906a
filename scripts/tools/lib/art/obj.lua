-- Collects faces and writes them as Wavefront OBJ with its MTL. Axes are the game's: +Y up, -Z to the north, metres.
-- Faces are counter-clockwise seen from outside. Shapes are drawn in a space of their own, which `place` sets.
local exact = require "lib.art.exact"
local rigid = require "lib.art.rigid"

local obj = {}
obj.__index = obj

local MAX_CELL = 4                       -- metres: larger faces are cut up, for light is worked out at corners

-- `materials` is a list of { name, texture, tile = metres that one picture covers, diffuse, specular, shininess }.
function obj.new(materials)
  local self = setmetatable({ materials = materials, tiles = {}, objects = {} }, obj)
  for _, material in ipairs(materials) do self.tiles[material.name] = material.tile end
  return self:place(0, 0, 0)
end

-- What is drawn from now on belongs to an object of this name.
function obj:object(name)
  self.current = { name = name, faces = {} }
  table.insert(self.objects, self.current)
  return self
end

-- What is drawn from now on is turned by `yaw` degrees to the left and moved to x, y, z.
function obj:place(x, y, z, yaw)
  local c, s = exact.cos(yaw or 0), exact.sin(yaw or 0)
  self.motion = { c, 0, s, 0, 1, 0, -s, 0, c, x, y, z }
  return self
end

local function faceNormal(points)
  local sum = { 0, 0, 0 }
  for i = 2, #points - 1 do
    local n = rigid.cross(rigid.subtract(points[i], points[1]), rigid.subtract(points[i + 1], points[1]))
    sum = rigid.along(sum, n, 1)
  end
  return rigid.normalize(sum)
end

-- Texture coordinates of a place on a face that looks along `normal`: the picture lies upright on walls.
local function boxCoordinates(point, normal, tile)
  local x, y, z = math.abs(normal[1]), math.abs(normal[2]), math.abs(normal[3])
  if y > x and y > z then return { point[1] / tile, -point[3] / tile } end
  if x > z then return { (normal[1] > 0 and -point[3] or point[3]) / tile, point[2] / tile } end
  return { (normal[3] > 0 and point[1] or -point[1]) / tile, point[2] / tile }
end

-- One face. `coordinates` and `normals` are lists like `points`, or nil for flat ones laid on from the nearest side.
function obj:face(material, points, coordinates, normals)
  local flat = faceNormal(points)
  local face, tile, m = { material = material }, self.tiles[material], self.motion
  for i, p in ipairs(points) do
    local n = normals and normals[i] or flat
    local x, y, z = rigid.apply(m, p[1], p[2], p[3])
    local nx, ny, nz = rigid.apply(m, n[1], n[2], n[3])
    face[i] = { x, y, z, nx - m[10], ny - m[11], nz - m[12],
                uv = coordinates and coordinates[i] or boxCoordinates(p, flat, tile) }
  end
  table.insert(self.current.faces, face)
  return self
end

-- A point of the patch between four corners.
local function bilinear(a, b, c, d, u, v)
  local point = {}
  for axis = 1, 3 do
    point[axis] = exact.mix(exact.mix(a[axis], b[axis], u), exact.mix(d[axis], c[axis], u), v)
  end
  return point
end

local function cellCount(a, b)
  return math.max(1, math.ceil(rigid.length(rigid.subtract(a, b)) / MAX_CELL - 1e-6))
end

-- A face of four corners, cut into cells no larger than MAX_CELL.
function obj:quad(material, a, b, c, d)
  local across, up = cellCount(a, b), cellCount(a, d)
  for j = 0, up - 1 do
    for i = 0, across - 1 do
      local u0, u1, v0, v1 = i / across, (i + 1) / across, j / up, (j + 1) / up
      self:face(material, { bilinear(a, b, c, d, u0, v0), bilinear(a, b, c, d, u1, v0),
                            bilinear(a, b, c, d, u1, v1), bilinear(a, b, c, d, u0, v1) })
    end
  end
  return self
end

-- A body of six faces: corners 1-4 are its bottom, counter-clockwise seen from above, 5-8 its top likewise. `without`
-- names a side that is left out: "bottom" or "top".
function obj:block(material, corners, without)
  local c = corners
  if without ~= "bottom" then self:quad(material, c[4], c[3], c[2], c[1]) end
  if without ~= "top" then self:quad(material, c[5], c[6], c[7], c[8]) end
  for i = 1, 4 do
    local j = i % 4 + 1
    self:quad(material, c[i], c[j], c[j + 4], c[i + 4])
  end
  return self
end

-- A box between two corners.
function obj:box(material, x0, y0, z0, x1, y1, z1, without)
  return self:block(material, {
    { x0, y0, z1 }, { x1, y0, z1 }, { x1, y0, z0 }, { x0, y0, z0 },
    { x0, y1, z1 }, { x1, y1, z1 }, { x1, y1, z0 }, { x0, y1, z0 },
  }, without)
end

-- A body turned about the upright through x, z: `profile` lists { radius, height, sharp } from the bottom up outside.
-- Light is smooth around it, and along the profile but for `sharp` rings. `squash` makes it narrower along z.
function obj:lathe(material, x, z, sides, profile, squash)
  local tile = self.tiles[material]
  local function slope(k)                -- of the side below ring k, as {outward, up}
    local dr, dy = profile[k][1] - profile[k - 1][1], profile[k][2] - profile[k - 1][2]
    local length = math.sqrt(dr * dr + dy * dy)
    return { dy / length, -dr / length }
  end
  local function normalAt(k, side, angle)
    local own, other = slope(side), slope(side)
    local neighbour = k == side and k + 1 or side - 1
    if not profile[k][3] and neighbour > 1 and neighbour <= #profile then other = slope(neighbour) end
    local outward, up = own[1] + other[1], own[2] + other[2]
    return rigid.normalize { outward * exact.cos(angle), up, outward * exact.sin(angle) / (squash or 1) }
  end
  local widest = 0
  for _, ring in ipairs(profile) do widest = math.max(widest, ring[1]) end
  local turns = math.max(1, exact.round(2 * 3.14159 * widest / tile)) / sides
  local along = 0
  for k = 2, #profile do
    local low, high = profile[k - 1], profile[k]
    local length = math.sqrt((high[1] - low[1]) * (high[1] - low[1]) + (high[2] - low[2]) * (high[2] - low[2]))
    for i = 0, sides - 1 do
      local points, coordinates, normals = {}, {}, {}
      local function add(ring, column)
        local angle, radius = -360 * column / sides, profile[ring][1]
        points[#points + 1] = { x + radius * exact.cos(angle), profile[ring][2],
                                z + radius * exact.sin(angle) * (squash or 1) }
        coordinates[#coordinates + 1] = { column * turns, (ring == k and along + length or along) / tile }
        normals[#normals + 1] = normalAt(ring, k, angle)
      end
      if low[1] > 0 then add(k - 1, i) end
      add(k - 1, low[1] > 0 and i + 1 or i + 0.5)
      if high[1] > 0 then add(k, i + 1) end
      add(k, high[1] > 0 and i or i + 0.5)
      self:face(material, points, coordinates, normals)
    end
    along = along + length
  end
  return self
end

local function formatList(format, values)
  local parts = {}
  for i, value in ipairs(values) do
    local text = format:format(value)
    if text:find("%.") then text = text:gsub("0+$", ""):gsub("%.$", "") end
    parts[i] = text == "-0" and "0" or text
  end
  return table.concat(parts, " ")
end

-- The text of the OBJ file. Equal corners are written once.
function obj:encode(library)
  local lines, counts, known = { "mtllib " .. library }, { v = 0, vt = 0, vn = 0 }, { v = {}, vt = {}, vn = {} }
  local function index(kind, format, values)
    local text = formatList(format, values)
    if not known[kind][text] then
      counts[kind] = counts[kind] + 1
      known[kind][text] = counts[kind]
      lines[#lines + 1] = kind .. " " .. text
    end
    return known[kind][text]
  end
  for _, object in ipairs(self.objects) do
    lines[#lines + 1] = "o " .. object.name
    for _, material in ipairs(self.materials) do
      local isNamed = false
      for _, face in ipairs(object.faces) do
        if face.material == material.name then
          local corners = {}
          for i, p in ipairs(face) do
            corners[i] = ("%d/%d/%d"):format(index("v", "%.3f", { p[1], p[2], p[3] }), index("vt", "%.3f", p.uv),
                                             index("vn", "%.2f", { p[4], p[5], p[6] }))
          end
          if not isNamed then lines[#lines + 1] = "usemtl " .. material.name end
          isNamed = true
          lines[#lines + 1] = "f " .. table.concat(corners, " ")
        end
      end
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

-- The text of the MTL file.
function obj:encodeMaterials()
  local lines = {}
  for _, material in ipairs(self.materials) do
    lines[#lines + 1] = "newmtl " .. material.name
    lines[#lines + 1] = "Kd " .. formatList("%.2f", material.diffuse)
    lines[#lines + 1] = "Ks " .. formatList("%.2f", material.specular)
    lines[#lines + 1] = ("Ns %d"):format(material.shininess)
    lines[#lines + 1] = "map_Kd " .. material.texture .. "\n"
  end
  return table.concat(lines, "\n")
end

return obj
