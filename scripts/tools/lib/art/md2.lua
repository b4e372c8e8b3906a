-- Writes Quake II models (MD2, version 8). Faces come in counter-clockwise and are stored clockwise, as the format has
-- it.
local normals = require "lib.art.md2_normals"
local strips = require "lib.art.strips"
local exact = require "lib.art.exact"

local md2 = {}

local MAGIC, VERSION = "IDP2", 8
local HEADER_SIZE, SKIN_NAME_SIZE, FRAME_NAME_SIZE = 68, 64, 16
local STEPS = 255                       -- a coordinate is one byte between the frame's bounds

local function packSkins(names)
  local parts = {}
  for i, name in ipairs(names) do parts[i] = name .. ("\0"):rep(SKIN_NAME_SIZE - #name) end
  return table.concat(parts)
end

local function packSt(list)
  local parts = {}
  for i, st in ipairs(list) do parts[i] = string.pack("<i2i2", st[1], st[2]) end
  return table.concat(parts)
end

local function clockwise(triangles)
  local turned = {}
  for i, t in ipairs(triangles) do turned[i] = { t[1] - 1, t[3] - 1, t[2] - 1, t[4] - 1, t[6] - 1, t[5] - 1 } end
  return turned
end

local function packTriangles(triangles)
  local parts = {}
  for i, t in ipairs(triangles) do parts[i] = string.pack("<I2I2I2I2I2I2", table.unpack(t)) end
  return table.concat(parts)
end

-- A 32-bit float as the reader will see it.
local function asFloat(value)
  return (string.unpack("<f", string.pack("<f", value)))
end

-- One frame: scale and translation of each axis, the name, then three bytes and a normal for each vertex.
local function packFrame(mesh, frame)
  local scale, low = {}, {}
  for axis = 1, 3 do
    local least, most = math.huge, -math.huge
    for _, position in ipairs(frame.positions) do
      least, most = math.min(least, position[axis]), math.max(most, position[axis])
    end
    scale[axis], low[axis] = asFloat(math.max(most - least, 1e-3) / STEPS), asFloat(least)
  end
  local parts = { string.pack("<ffffff", scale[1], scale[2], scale[3], low[1], low[2], low[3]),
                  frame.name .. ("\0"):rep(FRAME_NAME_SIZE - #frame.name) }
  local directions = mesh:normals(frame.positions)
  for v, position in ipairs(frame.positions) do
    local bytes = {}
    for axis = 1, 3 do
      bytes[axis] = exact.clamp(exact.round((position[axis] - low[axis]) / scale[axis]), 0, STEPS)
    end
    local n = directions[v]
    parts[#parts + 1] = string.char(bytes[1], bytes[2], bytes[3], normals.nearest(n[1], n[2], n[3]))
  end
  return table.concat(parts)
end

-- The drawing commands; their coordinates point to the middle of a texel.
local function packCommands(triangles, st, skinSize)
  local parts = {}
  for _, command in ipairs(strips.make(triangles)) do
    parts[#parts + 1] = string.pack("<i4", command.strip and #command or -#command)
    for _, corner in ipairs(command) do
      local texel = st[corner[2] + 1]
      parts[#parts + 1] = string.pack("<ffi4", (texel[1] + 0.5) / skinSize, (texel[2] + 0.5) / skinSize, corner[1])
    end
  end
  parts[#parts + 1] = string.pack("<i4", 0)
  return table.concat(parts)
end

-- The bytes of a file. `model` is { mesh, skinSize, skins = names, frames = { { name, positions }... } }.
function md2.encode(model)
  local mesh = model.mesh
  local triangles, frames = clockwise(mesh.triangles), {}
  for i, frame in ipairs(model.frames) do frames[i] = packFrame(mesh, frame) end
  local commands = packCommands(triangles, mesh.st, model.skinSize)
  local sections = { packSkins(model.skins), packSt(mesh.st), packTriangles(triangles), table.concat(frames), commands }
  local offsets, offset = {}, HEADER_SIZE
  for i, section in ipairs(sections) do offsets[i], offset = offset, offset + #section end
  return MAGIC .. string.pack("<" .. ("i4"):rep(16), VERSION, model.skinSize, model.skinSize, #frames[1],
    #model.skins, #mesh.positions, #mesh.st, #triangles, #commands // 4, #frames,
    offsets[1], offsets[2], offsets[3], offsets[4], offsets[5], offset) .. table.concat(sections)
end

return md2
