-- What can be told of a glTF file without understanding it: counts and bounds as its JSON states them.
local json = require "dkjson"

local gltf_facts = {}

--- The decoded JSON of a .gltf or .glb file's bytes.
function gltf_facts.decode(bytes)
  if bytes:sub(1, 4) ~= "glTF" then return json.decode(bytes) end
  local length = ("<I4"):unpack(bytes, 13)
  return json.decode(bytes:sub(21, 20 + length))
end

--- The nodes below the scene that is shown, as a set of numbers from 0.
local function shown_nodes(document)
  local shown, pending = {}, {}
  local scene = document.scenes and document.scenes[(document.scene or 0) + 1]
  for _, root in ipairs(scene and scene.nodes or {}) do
    table.insert(pending, root)
  end
  while #pending > 0 do
    local node = table.remove(pending)
    shown[node] = true
    for _, child in ipairs(document.nodes[node + 1].children or {}) do
      table.insert(pending, child)
    end
  end
  return shown
end

function gltf_facts.count_shown_nodes(document)
  local count = 0
  for _ in pairs(shown_nodes(document)) do -- order: they are only counted
    count = count + 1
  end
  return count
end

local CORNERS = {
  [4] = function(count) return count // 3 * 3 end,
  [5] = function(count) return 3 * math.max(count - 2, 0) end,
  [6] = function(count) return 3 * math.max(count - 2, 0) end,
}

--- Triangles, vertices (nil where it depends on joining) and the box of a mesh.
function gltf_facts.mesh(document, mesh)
  local facts = { triangles = 0, vertices = 0 }
  for _, primitive in ipairs(mesh.primitives) do
    local position = document.accessors[primitive.attributes.POSITION + 1]
    local indices = primitive.indices and document.accessors[primitive.indices + 1]
    local corners = CORNERS[primitive.mode or 4]
    local count = corners and corners((indices or position).count) or 0
    facts.triangles = facts.triangles + count // 3
    if corners then facts.vertices = facts.vertices + (primitive.attributes.NORMAL and position.count or count) end
    for axis = 1, position.min and not position.sparse and 3 or 0 do
      facts.low, facts.high = facts.low or {}, facts.high or {}
      facts.low[axis] = math.min(facts.low[axis] or math.huge, position.min[axis])
      facts.high[axis] = math.max(facts.high[axis] or -math.huge, position.max[axis])
    end
  end
  return facts
end

--- The first and last time of an animation.
function gltf_facts.span(document, animation)
  local first, last = math.huge, -math.huge
  for _, channel in ipairs(animation.channels) do
    local input = document.accessors[animation.samplers[channel.sampler + 1].input + 1]
    first, last = math.min(first, input.min[1]), math.max(last, input.max[1])
  end
  return first, last
end

local IDENTITY = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }

--- Matrices by columns.
local function multiply(a, b)
  local product = {}
  for column = 0, 3 do
    for row = 1, 4 do
      local sum = 0
      for k = 0, 3 do
        sum = sum + a[4 * k + row] * b[4 * column + k + 1]
      end
      product[4 * column + row] = sum
    end
  end
  return product
end

local function local_matrix(node)
  if node.matrix then return node.matrix end
  local x, y, z, w = table.unpack(node.rotation or { 0, 0, 0, 1 })
  local sx, sy, sz = table.unpack(node.scale or { 1, 1, 1 })
  local tx, ty, tz = table.unpack(node.translation or { 0, 0, 0 })
  return {
    sx * (1 - 2 * (y * y + z * z)), sx * 2 * (x * y + z * w), sx * 2 * (x * z - y * w), 0,
    sy * 2 * (x * y - z * w), sy * (1 - 2 * (x * x + z * z)), sy * 2 * (y * z + x * w), 0,
    sz * 2 * (x * z + y * w), sz * 2 * (y * z - x * w), sz * (1 - 2 * (x * x + y * y)), 0,
    tx, ty, tz, 1,
  }
end

--- Where the nodes of the scene are, by their names or "node" and their numbers.
function gltf_facts.worlds(document)
  local worlds = {}
  local function place(index, above)
    local node = document.nodes[index + 1]
    local world = multiply(above, local_matrix(node))
    worlds[node.name or "node" .. index] = world
    for _, child in ipairs(node.children or {}) do
      place(child, world)
    end
  end
  local scene = document.scenes[(document.scene or 0) + 1]
  for _, root in ipairs(scene.nodes) do
    place(root, IDENTITY)
  end
  return worlds
end

return gltf_facts
