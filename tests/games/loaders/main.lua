-- A stage for specs about models of other kinds: loaders in Lua, and clips that move nodes, joints and shapes.
local palfrey = require "palfrey"

-- Boxes as text: a line for each, its name and its half sizes; "paint FILE" names a file with a colour.
local function readBoxes(bytes, path, read)
  local model = { meshes = {}, materials = {} }
  for line in bytes:gmatch "[^\n]+" do
    local paint = line:match "^paint (.+)"
    if paint then
      local r, g, b = assert(read(paint)):match "(%S+) (%S+) (%S+)"
      model.materials[1] = { name = "paint", diffuse = { tonumber(r), tonumber(g), tonumber(b) } }
    else
      local name, x, y, z = line:match "(%S+) (%S+) (%S+) (%S+)"
      if not name then return nil, "line \"" .. line .. "\" is no box" end
      x, y, z = tonumber(x), tonumber(y), tonumber(z)
      table.insert(model.meshes, {
        name = name,
        positions = { -x, -y, z, x, -y, z, x, y, z, -x, y, z, -x, -y, -z, x, -y, -z, x, y, -z, -x, y, -z },
        indices = {
          1, 2, 3, 1, 3, 4, 6, 5, 8, 6, 8, 7, 5, 1, 4, 5, 4, 8, 2, 6, 7, 2, 7, 3, 4, 3, 7, 4, 7, 8, 5, 6, 2, 5, 2, 1,
        },
        material = #model.materials > 0 and 1 or nil,
      })
    end
  end
  palfrey.lastPath, palfrey.lastRead = path, read   -- for the specs
  return model
end

-- One triangle in binary, which turns about +Y in a clip.
local function readTurn(bytes)
  local count, offset = ("<I4"):unpack(bytes)
  local positions = {}
  for i = 1, 3 * count do
    positions[i], offset = ("<f"):unpack(bytes, offset)
  end
  return {
    meshes = { { name = "fan", positions = positions } },
    nodes = { { name = "axle", position = { 0, 1, 0 } }, { name = "blade", parent = 1, mesh = 1 } },
    clips = { { name = "spin", tracks = {
      { node = 1, property = "rotation", times = { 0, 1, 2 }, values = { 0, 0, 1, 0, 180, 0, 1, 0, 360, 0, 1, 0 } },
    } } },
  }
end

-- Two nodes, and clips that move one or both of them; in a file that says "calm", "raise left" moves neither.
local function readPair(bytes)
  local function move(node, property, ...)
    return { node = node, property = property, times = { 0 }, values = { ... } }
  end
  local turn = { 90, 0, 1, 0 }
  return {
    meshes = { { name = "chip", positions = { 0, 0, 0, 1, 0, 0, 0, 1, 0 } } },
    nodes = {
      { name = "left", position = { -1, 0, 0 }, mesh = 1 },
      { name = "right", position = { 1, 0, 0 }, mesh = 1 },
    },
    clips = {
      { name = "raise left", tracks = bytes:find "calm" and {} or { move(1, "translation", -1, 4, 0),
        move(1, "rotation", table.unpack(turn)), move(1, "scale", 2, 2, 2) } },
      { name = "raise right", tracks = { move(2, "translation", 1, 4, 0) } },
      { name = "raise both", tracks = { move(1, "translation", -1, 8, 0), move(2, "translation", 1, 8, 0) } },
    },
  }
end

palfrey.addLoader("box", readBoxes)
palfrey.addLoader("pair", readPair)
palfrey.addLoader("TURN", readTurn)

function palfrey.load() palfrey.newWorld { ambient = { 1, 1, 1 } } end
