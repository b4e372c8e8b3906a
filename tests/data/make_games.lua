-- Writes the small models and pictures of the games in tests/games, each into its folder assets. Run from the root of
-- the project: lua5.4 tests/data/make_games.lua. The same bytes at every call; all places are exact in 32-bit floats.

-- ------------------------------------------------------------------------------------------------- boxes

-- The faces of a box, +Y up: outward normal, its number among Quake II's normals in the axes of MD2, and two directions
-- along the edges whose cross product is the normal.
local FACES = {
  { normal = { 1, 0, 0 }, number = 104, a = { 0, 0, -1 }, b = { 0, 1, 0 } },
  { normal = { -1, 0, 0 }, number = 32, a = { 0, 0, 1 }, b = { 0, 1, 0 } },
  { normal = { 0, 1, 0 }, number = 5, a = { 1, 0, 0 }, b = { 0, 0, -1 } },
  { normal = { 0, -1, 0 }, number = 84, a = { 1, 0, 0 }, b = { 0, 0, 1 } },
  { normal = { 0, 0, 1 }, number = 143, a = { 1, 0, 0 }, b = { 0, 1, 0 } },
  { normal = { 0, 0, -1 }, number = 52, a = { -1, 0, 0 }, b = { 0, 1, 0 } },
}
local CORNERS = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } } -- counter-clockwise seen from outside

-- The corners of a face of the box from -1 to 1.
local function faceCorners(face)
  local corners = {}
  for i, corner in ipairs(CORNERS) do
    corners[i] = {}
    for axis = 1, 3 do
      corners[i][axis] = face.normal[axis] + corner[1] * face.a[axis] + corner[2] * face.b[axis]
    end
  end
  return corners
end

-- ------------------------------------------------------------------------------------------------- MD2

local UNIT = 64 -- steps of a coordinate in a metre

local SKIN_CORNERS = { { 16, 48 }, { 48, 48 }, { 48, 16 }, { 16, 16 } }

-- The same triangles as OpenGL commands, each a strip of its own; and how many words that is.
local function makeCommands(triangles)
  local parts = {}
  for i, triangle in ipairs(triangles) do
    local numbers = { ("<I2I2I2I2I2I2"):unpack(triangle) }
    parts[i] = ("<i4"):pack(3)
    for corner = 1, 3 do
      local s, t = table.unpack(SKIN_CORNERS[numbers[corner + 3] + 1])
      parts[i] = parts[i] .. ("<ffi4"):pack(s / 64, t / 64, numbers[corner])
    end
  end
  return table.concat(parts) .. ("<i4"):pack(0), 10 * #triangles + 1
end

-- A box `width` by `height` by `depth`, standing at the middle of its foot. Frames are {name, x, y, z[, height]}: where
-- the foot is, and the height where it is another. Skins are names; each face shows the middle of the skin.
local function makeMd2(width, height, depth, frames, skins)
  local points, normals, triangles = {}, {}, {}
  for _, face in ipairs(FACES) do
    local first = #points
    for _, corner in ipairs(faceCorners(face)) do
      points[#points + 1] = corner
      normals[#normals + 1] = face.number
    end
    -- The triangles of MD2 go clockwise seen from outside.
    triangles[#triangles + 1] = ("<I2I2I2I2I2I2"):pack(first, first + 2, first + 1, 0, 2, 1)
    triangles[#triangles + 1] = ("<I2I2I2I2I2I2"):pack(first, first + 3, first + 2, 0, 3, 2)
  end
  local frameData = {}
  for _, frame in ipairs(frames) do
    local name, x, y, z, tall = table.unpack(frame)
    tall = tall or height
    -- The axes of the file are forward, left and up.
    frameData[#frameData + 1] = ("<ffffffc16"):pack(1 / UNIT, 1 / UNIT, 1 / UNIT, -z - depth / 2, -x - width / 2, y,
      name .. ("\0"):rep(16 - #name))
    for i, point in ipairs(points) do
      frameData[#frameData + 1] = ("BBBB"):pack(point[3] < 0 and depth * UNIT // 1 or 0,
        point[1] < 0 and width * UNIT // 1 or 0, point[2] > 0 and tall * UNIT // 1 or 0, normals[i])
    end
  end
  local commands, count = makeCommands(triangles)
  local names = {}
  for i, name in ipairs(skins) do names[i] = name .. ("\0"):rep(64 - #name) end
  local coords = {}
  for i, corner in ipairs(SKIN_CORNERS) do coords[i] = ("<i2i2"):pack(table.unpack(corner)) end
  local parts = { table.concat(names), table.concat(coords), table.concat(triangles), table.concat(frameData),
                  commands }
  local offsets, at = {}, 68
  for i, part in ipairs(parts) do
    offsets[i] = at
    at = at + #part
  end
  local header = ("<c4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4i4"):pack("IDP2", 8, 64, 64, 40 + 4 * #points, #skins, #points, 4,
    #triangles, count, #frames, offsets[1], offsets[2], offsets[3], offsets[4], offsets[5], at)
  return header .. table.concat(parts)
end

-- A man 1 wide, 2 high and 1 deep. Frames in the file: stand 0..3, slide 4..8 (0..4 m to the left), death1 9..11 (2, 1
-- and 0.5 high), wave 12 (a metre up), run 13..18 (0, 0.25 ... 1.25 m forward).
local function manFrames()
  local frames = {}
  for i = 1, 4 do frames[#frames + 1] = { ("stand%02d"):format(i), 0, 0, 0 } end
  for i = 1, 5 do frames[#frames + 1] = { ("slide%02d"):format(i), -(i - 1), 0, 0 } end
  for i = 1, 3 do frames[#frames + 1] = { ("death1%02d"):format(i), 0, 0, 0, 4 / 2 ^ i } end
  frames[#frames + 1] = { "wave", 0, 1, 0 }
  for i = 1, 6 do frames[#frames + 1] = { "run" .. i, 0, 0, -(i - 1) / 4 } end
  return frames
end

-- What the man carries: a stick at his right with the same frames, and one whose file ends after the slide.
local function stickFrames(count)
  local frames = {}
  for i, frame in ipairs(manFrames()) do
    if i <= count then frames[i] = { frame[1], frame[2] + 1, frame[3] + 1, frame[4] } end
  end
  return frames
end

-- ------------------------------------------------------------------------------------------------- OBJ

local Obj = {}
Obj.__index = Obj

local function newObj(library)
  local lines = { "mtllib " .. library, "vt 0 0", "vt 1 0", "vt 1 1", "vt 0 1" }
  return setmetatable({ lines = lines, points = 0, normals = 0 }, Obj)
end

function Obj:begin(name, material)
  self.lines[#self.lines + 1] = "o " .. name
  self.lines[#self.lines + 1] = "usemtl " .. material
end

function Obj:quad(corners, normal)
  for _, corner in ipairs(corners) do
    self.lines[#self.lines + 1] = ("v %.9g %.9g %.9g"):format(table.unpack(corner))
  end
  self.lines[#self.lines + 1] = ("vn %.9g %.9g %.9g"):format(table.unpack(normal))
  self.normals = self.normals + 1
  local words = {}
  for i = 1, 4 do words[i] = ("%d/%d/%d"):format(self.points + i, i, self.normals) end
  self.lines[#self.lines + 1] = "f " .. table.concat(words, " ")
  self.points = self.points + 4
end

function Obj:box(low, high)
  for _, face in ipairs(FACES) do
    local corners = faceCorners(face)
    for _, corner in ipairs(corners) do
      for axis = 1, 3 do corner[axis] = corner[axis] > 0 and high[axis] or low[axis] end
    end
    self:quad(corners, face.normal)
  end
end

-- 40 by 40 metres, in two halves that meet at x = 0.
function Obj:floor()
  self:begin("Floor", "stone")
  for x = -20, 0, 20 do
    self:quad({ { x, 0, 20 }, { x + 20, 0, 20 }, { x + 20, 0, -20 }, { x, 0, -20 } }, { 0, 1, 0 })
  end
end

function Obj:text() return table.concat(self.lines, "\n") .. "\n" end

local function makeFloor()
  local obj = newObj "paint.mtl"
  obj:floor()
  return obj:text()
end

-- A cube of one metre around the origin; the picture on its sides, if any, stands upright.
local function makeCube(library, material)
  local obj = newObj(library)
  obj:begin("Cube", material)
  obj:box({ -0.5, -0.5, -0.5 }, { 0.5, 0.5, 0.5 })
  return obj:text()
end

local function makeYard()
  local obj = newObj "paint.mtl"
  obj:floor()
  obj:begin("Wall", "brick")
  obj:box({ -5, 0, -10.25 }, { 5, 4, -10 })
  obj:begin("Crate", "wood")
  obj:box({ 4, 0, -0.5 }, { 5, 1, 0.5 })
  return obj:text()
end

-- Materials are {name, red, green, blue[, picture]}.
local function makeMaterials(...)
  local lines = {}
  for _, material in ipairs { ... } do
    local name, r, g, b, picture = table.unpack(material)
    local color = ("%.9g %.9g %.9g"):format(r, g, b)
    lines[#lines + 1] = ("newmtl %s\nKa %s\nKd %s\nKs 0 0 0"):format(name, color, color)
    if picture then lines[#lines + 1] = "map_Kd " .. picture end
  end
  return table.concat(lines, "\n") .. "\n"
end

-- ------------------------------------------------------------------------------------------------- pictures

local function crc32(data)
  local crc = 0xffffffff
  for i = 1, #data do
    crc = crc ~ data:byte(i)
    for _ = 1, 8 do crc = (crc & 1) == 1 and (crc >> 1) ~ 0xedb88320 or crc >> 1 end
  end
  return crc ~ 0xffffffff
end

local function adler32(data)
  local a, b = 1, 0
  for i = 1, #data do
    a = (a + data:byte(i)) % 65521
    b = (b + a) % 65521
  end
  return b << 16 | a
end

local function chunk(kind, data) return (">I4"):pack(#data) .. kind .. data .. (">I4"):pack(crc32(kind .. data)) end

-- A picture, not compressed; color(x, y) gives three bytes, x and y from 0 at the top left.
local function makePng(width, height, color)
  local bytes = {}
  for y = 0, height - 1 do
    bytes[#bytes + 1] = "\0"
    for x = 0, width - 1 do bytes[#bytes + 1] = ("BBB"):pack(color(x, y)) end
  end
  local data = table.concat(bytes)
  local stored = "\x78\x01\x01" .. ("<I2I2"):pack(#data, #data ~ 0xffff) .. data .. (">I4"):pack(adler32(data))
  local head = (">I4I4BBBBB"):pack(width, height, 8, 2, 0, 0, 0)
  return "\x89PNG\r\n\x1a\n" .. chunk("IHDR", head) .. chunk("IDAT", stored) .. chunk("IEND", "")
end

local function makePlainPng(r, g, b)
  return makePng(16, 16, function() return r, g, b end)
end

-- Red and green above, blue and yellow below.
local function makeQuarters()
  return makePng(16, 16, function(x, y)
    if y < 8 then return x < 8 and 255 or 0, x < 8 and 0 or 255, 0 end
    return x < 8 and 0 or 255, x < 8 and 0 or 255, x < 8 and 255 or 0
  end)
end

-- One colour, as number 1 of a palette.
local function makePcx(r, g, b)
  local header = ("<BBBBI2I2I2I2I2I2c48BBI2I2c58"):pack(10, 5, 1, 8, 0, 0, 15, 15, 72, 72, ("\0"):rep(48), 0, 1, 16, 1,
    ("\0"):rep(58))
  return header .. ("\xd0\x01"):rep(16) .. "\x0c" .. "\0\0\0" .. ("BBB"):pack(r, g, b) .. ("\0"):rep(3 * 254)
end

-- ------------------------------------------------------------------------------------------------- files

local ASSETS = {
  ["man.md2"] = makeMd2(1, 2, 1, manFrames(), { "models\\Man\\RED.PCX", "blue.tga" }),
  ["plain.md2"] = makeMd2(1, 2, 1, manFrames(), {}),
  ["named.md2"] = makeMd2(1, 2, 1, { { "stand01", 0, 0, 0 } }, { "skins/inner.png" }),
  ["lost.md2"] = makeMd2(1, 2, 1, { { "stand01", 0, 0, 0 } }, { "nowhere.pcx" }),
  ["stick.md2"] = makeMd2(0.25, 1, 0.25, stickFrames(19), { "green.png" }),
  ["short.md2"] = makeMd2(0.25, 1, 0.25, stickFrames(6), {}),
  ["floor.obj"] = makeFloor(),
  ["cube.obj"] = makeCube("paint.mtl", "white"),
  ["picture.obj"] = makeCube("picture.mtl", "picture"),
  ["yard.obj"] = makeYard(),
  ["paint.mtl"] = makeMaterials({ "stone", 0.5, 0.5, 0.5 }, { "brick", 0.5, 0.25, 0.25 }, { "wood", 0.75, 0.5, 0.25 },
    { "white", 1, 1, 1 }),
  ["picture.mtl"] = makeMaterials { "picture", 1, 1, 1, "quarters.png" },
  ["red.pcx"] = makePcx(255, 0, 0),
  ["blue.png"] = makePlainPng(0, 0, 255),
  ["green.png"] = makePlainPng(0, 255, 0),
  ["inner.png"] = makePlainPng(255, 255, 0),
  ["quarters.png"] = makeQuarters(),
}

local STAGE = { "floor.obj", "cube.obj", "paint.mtl" }
local MAN = { "man.md2", "red.pcx", "blue.png", "green.png" }
local GAMES = {
  nodes = { MAN, STAGE, { "yard.obj" } },
  models = { MAN, STAGE, { "plain.md2", "named.md2", "lost.md2", "stick.md2", "short.md2", "inner.png" } },
  rays = { MAN, STAGE, { "yard.obj", "stick.md2" } },
  bodies = { MAN, STAGE },
  levels = { MAN, STAGE, { "yard.obj", "stick.md2" } },
  pictures = { MAN, STAGE, { "picture.obj", "picture.mtl", "quarters.png" } },
  reload = { MAN },
  system = { MAN, STAGE },
  context = { MAN, STAGE, { "stick.md2", "picture.obj", "picture.mtl", "quarters.png" } },
  mistakes = { MAN, STAGE, { "yard.obj" } },
  orders = { MAN, STAGE, { "stick.md2" } },
}

for game, lists in pairs(GAMES) do -- order: the files do not depend on it
  local folder = ("tests/games/%s/assets/"):format(game)
  assert(os.execute("mkdir -p " .. folder))
  for _, list in ipairs(lists) do
    for _, name in ipairs(list) do
      local file = assert(io.open(folder .. name, "wb"))
      file:write(ASSETS[name])
      file:close()
    end
  end
end
