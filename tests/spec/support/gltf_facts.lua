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

return gltf_facts
