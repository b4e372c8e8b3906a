-- make_gltf_seeds.lua FOLDER: writes the small glTF files that fuzzing starts from. One has all that the loader knows,
-- others what leads elsewhere in it: text with data in it or beside it (behind a NUL, see gltf.c), integers in place of
-- floats, strips and fans.
local json = require "dkjson"
local folder = assert(arg[1], "usage: make_gltf_seeds.lua FOLDER")

local BYTE, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT, UNSIGNED_INT, FLOAT = 5120, 5121, 5122, 5123, 5125, 5126
local CODES = {
  [BYTE] = "b", [UNSIGNED_BYTE] = "B", [SHORT] = "<h", [UNSIGNED_SHORT] = "<H", [UNSIGNED_INT] = "<I4", [FLOAT] = "<f",
}
local SIZES = { SCALAR = 1, VEC2 = 2, VEC3 = 3, VEC4 = 4, MAT4 = 16 }

--- A document and the bytes it refers to.
local function newDocument()
  local document = {
    asset = { version = "2.0" }, accessors = {}, bufferViews = {}, meshes = {}, nodes = {}, scene = 0,
    scenes = { { nodes = { 0 } } },
  }
  return { document = document, bytes = "" }
end

local function addView(file, bytes)
  file.bytes = file.bytes .. ("\0"):rep(-#file.bytes % 4)
  table.insert(file.document.bufferViews, { buffer = 0, byteOffset = #file.bytes, byteLength = #bytes })
  file.bytes = file.bytes .. bytes
  return #file.document.bufferViews - 1
end

local function packNumbers(componentType, numbers)
  local parts = {}
  for i, number in ipairs(numbers) do
    parts[i] = CODES[componentType]:pack(number)
  end
  return table.concat(parts)
end

--- Adds an accessor with a view of its own; returns its index.
local function addArray(file, componentType, type, numbers, more)
  local accessor = {
    bufferView = addView(file, packNumbers(componentType, numbers)), componentType = componentType,
    count = #numbers // SIZES[type], type = type,
  }
  for key, value in pairs(more or {}) do -- order: keys of one table
    accessor[key] = value
  end
  table.insert(file.document.accessors, accessor)
  return #file.document.accessors - 1
end

local function packGlb(file)
  file.document.buffers = { { byteLength = #file.bytes } }
  local text = json.encode(file.document, { indent = false })
  text = text .. (" "):rep(-#text % 4)
  local bytes = file.bytes .. ("\0"):rep(-#file.bytes % 4)
  return ("<c4I4I4"):pack("glTF", 2, 28 + #text + #bytes) .. ("<s4"):pack(text):gsub("^(....)", "%1JSON")
    .. ("<s4"):pack(bytes):gsub("^(....)", "%1BIN\0")
end

local DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

local function encodeBase64(bytes)
  local groups = bytes:gsub("..?.?", function(group)
    local a, b, c = group:byte(1, 3)
    local bits, letters = a << 16 | (b or 0) << 8 | (c or 0), {}
    for i = 1, 4 do
      local digit = bits >> (24 - 6 * i) & 63
      letters[i] = i <= #group + 1 and DIGITS:sub(digit + 1, digit + 1) or "="
    end
    return table.concat(letters)
  end)
  return groups
end

local function write(name, content)
  local file = assert(io.open(folder .. "/" .. name, "wb"))
  file:write(content)
  file:close()
end

local SQUARE = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0 }

local function addMaterials(document)
  document.extensionsUsed = { "KHR_lights_punctual", "KHR_materials_unlit", "KHR_texture_transform" }
  document.images = { { bufferView = 0, mimeType = "image/png" }, { uri = "my%20skin.png" } }
  document.samplers = { { magFilter = 9728, minFilter = 9984, wrapS = 33071, wrapT = 33648 } }
  document.textures = { { source = 0, sampler = 0 }, { source = 1 } }
  local transform = { offset = { 0.5, 0 }, rotation = 1, scale = { 2, 2 }, texCoord = 0 }
  document.materials = {
    {
      pbrMetallicRoughness = {
        baseColorFactor = { 1, 0.5, 0, 1 }, metallicFactor = 0, roughnessFactor = 0.5,
        baseColorTexture = { index = 0, texCoord = 0, extensions = { KHR_texture_transform = transform } },
      },
      alphaMode = "MASK", alphaCutoff = 0.25, doubleSided = true, emissiveFactor = { 0, 0, 1 },
    },
    { extensions = { KHR_materials_unlit = json.decode "{}" }, alphaMode = "BLEND",
      pbrMetallicRoughness = { baseColorTexture = { index = 1 } } },
  }
end

local function addAnimation(file, document)
  local times = addArray(file, FLOAT, "SCALAR", { 0, 0.5 })
  local turns = addArray(file, FLOAT, "VEC4", { 0, 0, 0, 1, 0, 0, -0.6, -0.8 })
  local ways = addArray(file, FLOAT, "VEC3", { 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0 })
  local weights = addArray(file, UNSIGNED_BYTE, "SCALAR", { 0, 255 }, { normalized = true })
  document.animations = { {
    name = "wave",
    samplers = {
      { input = times, output = turns },
      { input = times, output = ways, interpolation = "CUBICSPLINE" },
      { input = times, output = weights, interpolation = "STEP" },
    },
    channels = {
      { sampler = 0, target = { node = 2, path = "rotation" } },
      { sampler = 1, target = { node = 1, path = "translation" } },
      { sampler = 2, target = { node = 0, path = "weights" } },
    },
  } }
end

--- All that there is, in one file.
local function makeWhole()
  local file = newDocument()
  local document = file.document
  local attributes = {
    POSITION = addArray(file, FLOAT, "VEC3", SQUARE),
    NORMAL = addArray(file, FLOAT, "VEC3", { 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1 }),
    TEXCOORD_0 = addArray(file, UNSIGNED_SHORT, "VEC2", { 0, 0, 65535, 0, 0, 65535, 65535, 65535 },
      { normalized = true }),
    COLOR_0 = addArray(file, UNSIGNED_BYTE, "VEC4", { 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 9, 9, 9, 9 },
      { normalized = true }),
    JOINTS_0 = addArray(file, UNSIGNED_BYTE, "VEC4", { 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 }),
    WEIGHTS_0 = addArray(file, FLOAT, "VEC4", { 0.5, 0.5, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 }),
  }
  attributes.JOINTS_1, attributes.WEIGHTS_1 = attributes.JOINTS_0, attributes.WEIGHTS_0
  local indices = addArray(file, UNSIGNED_SHORT, "SCALAR", { 0, 1, 2, 2, 1, 3 })
  local target = addArray(file, FLOAT, "VEC3", { 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4 })
  document.accessors[target + 1].sparse = {
    count = 1, indices = { bufferView = addView(file, "\1\0\0\0"), componentType = UNSIGNED_INT },
    values = { bufferView = addView(file, packNumbers(FLOAT, { 7, 8, 9 })) },
  }
  local targets = { { POSITION = target, NORMAL = target } }
  document.meshes = { {
    name = "all", weights = { 0.5 }, extras = { targetNames = { "smile" } },
    primitives = {
      { attributes = attributes, indices = indices, material = 0, targets = targets },
      { attributes = attributes, indices = indices, material = 1, targets = targets },
      { attributes = { POSITION = 0 }, mode = 5 },
    },
  } }
  document.skins = { { joints = { 1, 2 }, skeleton = 1,
    inverseBindMatrices = addArray(file, FLOAT, "MAT4", {
      1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1,
    }) } }
  document.cameras = { { type = "perspective", perspective = { yfov = 1, znear = 0.1 } },
    { type = "orthographic", orthographic = { xmag = 1, ymag = 1, znear = 0, zfar = 9 } } }
  document.extensions = { KHR_lights_punctual = { lights = {
    { type = "spot", color = { 1, 1, 0 }, intensity = 2, range = 5, spot = { outerConeAngle = 0.5 } },
  } } }
  document.nodes = {
    { mesh = 0, skin = 0, weights = { 0.25 } },
    { name = "root", children = { 2 }, camera = 0 },
    { name = "tip", translation = { 0, 1, 0 }, rotation = { 0, 0, 0, 1 }, scale = { 1, 1, 1 }, camera = 1,
      extensions = { KHR_lights_punctual = { light = 0 } } },
    { matrix = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }, mesh = 0 },
  }
  document.scenes = { { nodes = { 0, 1, 3 } } }
  addMaterials(document)
  addAnimation(file, document)
  return file
end

--- A few triangles of integers, without normals.
local function makeSmall(mode)
  local file = newDocument()
  file.document.extensionsUsed = { "KHR_mesh_quantization" }
  file.document.meshes = { { primitives = { { mode = mode, attributes = {
    POSITION = addArray(file, SHORT, "VEC3", SQUARE),
    COLOR_0 = addArray(file, UNSIGNED_SHORT, "VEC3", { 0, 0, 9, 0, 9, 0, 9, 0, 0, 9, 9, 9 }, { normalized = true }),
    TEXCOORD_0 = addArray(file, BYTE, "VEC2", { 0, 0, 127, 0, 0, 127, 127, 127 }, { normalized = true }),
  } } } } }
  file.document.nodes = { { mesh = 0 } }
  return file
end

local function makeText(file, uri, beside)
  file.document.buffers = { { byteLength = #file.bytes, uri = uri } }
  return json.encode(file.document, { indent = true }) .. (beside or "")
end

write("whole.glb", packGlb(makeWhole()))
write("fan.glb", packGlb(makeSmall(6)))
local inside = makeWhole()
write("inside.gltf", makeText(inside, "data:application/octet-stream;base64," .. encodeBase64(inside.bytes)))
local beside = makeSmall(4)
write("beside.gltf", makeText(beside, "a%20b.bin", "\0" .. beside.bytes))
