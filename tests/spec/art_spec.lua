-- The art of the sample game and of the starter: what is checked in is what its generators make, and the models are
-- what the format and the game expect. Plain Lua, run from the root of the project.
local CHECKED_IN, STARTER = "games/sample", "scripts/starter"

-- Triangles, texture coordinates, frames and size in KB of each model.
local MODELS = {
  { "knight", triangles = 634, st = 307, frames = 198, kilobytes = 312 },
  { "centaur", triangles = 536, st = 469, frames = 199, kilobytes = 240 },
  { "axe", triangles = 126, st = 78, frames = 173, kilobytes = 62 },
  { "weapon", triangles = 72, st = 70, frames = 173, kilobytes = 38 },
}
local SIZE_TOLERANCE = 0.02

-- First frame and length of every clip that a player's model has, by the stem of its frame names.
local CLIPS = {
  { "stand", 0, 40 }, { "run", 40, 6 }, { "attack", 46, 8 }, { "pain1", 54, 4 }, { "pain2", 58, 4 }, { "pain3", 62, 4 },
  { "jump", 66, 6 }, { "flip", 72, 12 }, { "salute", 84, 11 }, { "taunt", 95, 17 }, { "wave", 112, 11 },
  { "point", 123, 12 }, { "crstnd", 135, 19 }, { "crwalk", 154, 6 }, { "crattak", 160, 9 }, { "crpain", 169, 4 },
  { "crdeath", 173, 5 }, { "death1", 178, 6 }, { "death2", 184, 6 }, { "death3", 190, 8 },
}

local FILES = {
  "models/knight.md2", "models/knight.png", "models/knight_evil.png", "models/centaur.md2", "models/centaur.png",
  "models/axe.md2", "models/axe.png", "models/weapon.md2", "models/weapon.png", "levels/courtyard.obj",
  "levels/courtyard.mtl", "levels/stone.png", "levels/cobbles.png", "levels/wood.png", "levels/roof.png",
  "levels/grass.png", "levels/leaves.png", "levels/bark.png", "levels/hay.png", "levels/iron.png", "levels/water.png",
  "levels/marble.png", "levels/embers.png", "levels/banner.png",
}

local STARTER_FILES = {
  "models/bark.png", "models/duck.md2", "models/duck.png", "models/duckling.png", "models/grass.png", "models/hay.png",
  "models/leaves.png", "models/marble.png", "models/meadow.mtl", "models/meadow.obj", "models/tree.mtl",
  "models/tree.obj", "models/water.png",
}

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

local HEADER = {
  "version", "skinWidth", "skinHeight", "frameSize", "skinCount", "vertexCount", "stCount", "triangleCount",
  "commandCount", "frameCount", "skinsAt", "stAt", "trianglesAt", "framesAt", "commandsAt", "endsAt",
}

local function readHeader(bytes)
  local header = {}
  for i, field in ipairs(HEADER) do header[field] = string.unpack("<i4", bytes, 4 * i + 1) end
  return header
end

-- Triangles as { vertices = {a, b, c}, st = {a, b, c} }, counted from 0.
local function readTriangles(bytes, header)
  local triangles = {}
  for i = 0, header.triangleCount - 1 do
    local a, b, c, sa, sb, sc = string.unpack("<I2I2I2I2I2I2", bytes, header.trianglesAt + 12 * i + 1)
    triangles[i + 1] = { vertices = { a, b, c }, st = { sa, sb, sc } }
  end
  return triangles
end

local function readFrame(bytes, header, index)
  local at = header.framesAt + header.frameSize * index + 1
  local sx, sy, sz, tx, ty, tz = string.unpack("<ffffff", bytes, at)
  local frame = { name = bytes:sub(at + 24, at + 39):match "^%Z*", positions = {} }
  for v = 0, header.vertexCount - 1 do
    local x, y, z, normal = bytes:byte(at + 40 + 4 * v, at + 43 + 4 * v)
    frame.positions[v] = { x * sx + tx, y * sy + ty, z * sz + tz, normal = normal }
  end
  return frame
end

-- Positive where triangles are counter-clockwise seen from outside.
local function signedVolume(triangles, positions)
  local sum = 0
  for _, triangle in ipairs(triangles) do
    local a, b, c = positions[triangle.vertices[1]], positions[triangle.vertices[2]], positions[triangle.vertices[3]]
    sum = sum + a[1] * (b[2] * c[3] - b[3] * c[2]) + a[2] * (b[3] * c[1] - b[1] * c[3])
              + a[3] * (b[1] * c[2] - b[2] * c[1])
  end
  return sum / 6
end

-- A triangle as text, begun at its least corner so that turning it makes no difference.
local function nameTriangle(corners)
  local first = 1
  for i = 2, 3 do
    if corners[i] < corners[first] then first = i end
  end
  return corners[first] .. " " .. corners[first % 3 + 1] .. " " .. corners[(first + 1) % 3 + 1]
end

-- The triangles that the drawing commands make, sorted by name.
local function drawnTriangles(bytes, header)
  local names, at = {}, header.commandsAt + 1
  while true do
    local count
    count, at = string.unpack("<i4", bytes, at)
    if count == 0 then break end
    local corners = {}
    for i = 1, math.abs(count) do
      local s, t, vertex
      s, t, vertex, at = string.unpack("<ffi4", bytes, at)
      corners[i] = ("%d(%.2f,%.2f)"):format(vertex, s * header.skinWidth - 0.5, t * header.skinHeight - 0.5)
    end
    for i = 3, #corners do
      local a, b = corners[i - 2], corners[i - 1]
      if count < 0 then a = corners[1] elseif i % 2 == 0 then a, b = b, a end
      names[#names + 1] = nameTriangle { a, b, corners[i] }
    end
  end
  table.sort(names)
  return names, at
end

local function storedTriangles(bytes, header)
  local names = {}
  for i, triangle in ipairs(readTriangles(bytes, header)) do
    local corners = {}
    for k = 1, 3 do
      local s, t = string.unpack("<i2i2", bytes, header.stAt + 4 * triangle.st[k] + 1)
      corners[k] = ("%d(%.2f,%.2f)"):format(triangle.vertices[k], s, t)
    end
    names[i] = nameTriangle(corners)
  end
  table.sort(names)
  return names
end

local function describeArt(title, words, files, checkedIn)
  describe(title, function()
    local folder = os.tmpname()

    setup(function()
      assert(os.remove(folder))
      assert(os.execute(("lua5.4 scripts/tools/make_art.lua '%s' %s"):format(folder, words)))
    end)

    teardown(function()
      os.execute(("rm -rf '%s'"):format(folder))
    end)

    for _, name in ipairs(files) do
      it("makes " .. name .. " as it is checked in", function()
        assert.is_true(read(folder .. "/" .. name) == read(checkedIn .. "/" .. name))
      end)
    end
  end)
end

describeArt("the art of the sample game", "", FILES, CHECKED_IN)
describeArt("the art of the starter", "duck meadow", STARTER_FILES, STARTER)

for _, model in ipairs(MODELS) do
  describe("the model " .. model[1], function()
    local bytes = read(("%s/models/%s.md2"):format(CHECKED_IN, model[1]))
    local header = readHeader(bytes)

    it("has the counts and the size of its plan", function()
      assert.equal("IDP2", bytes:sub(1, 4))
      assert.equal(8, header.version)
      assert.equal(model.triangles, header.triangleCount)
      assert.equal(model.st, header.stCount)
      assert.equal(model.frames, header.frameCount)
      assert.equal(40 + 4 * header.vertexCount, header.frameSize)
      assert.equal(#bytes, header.endsAt)
      local share = #bytes / (model.kilobytes * 1024)
      assert.is_true(share > 1 - SIZE_TOLERANCE and share < 1 + SIZE_TOLERANCE)
    end)

    it("names pictures that are there as its skins", function()
      assert.is_true(header.skinCount > 0)
      for i = 0, header.skinCount - 1 do
        local at = header.skinsAt + 64 * i
        read(CHECKED_IN .. "/" .. bytes:sub(at + 1, at + 64):match "^%Z*")
      end
    end)

    it("is clockwise from outside in every frame", function()
      local triangles = readTriangles(bytes, header)
      for index = 0, header.frameCount - 1 do
        assert.is_true(signedVolume(triangles, readFrame(bytes, header, index).positions) < 0)
      end
    end)

    it("draws with its commands the triangles that it stores", function()
      local names, at = drawnTriangles(bytes, header)
      assert.equal(header.commandsAt + 4 * header.commandCount + 1, at)
      assert.same(storedTriangles(bytes, header), names)
    end)

    it("has known normals only", function()
      for index = 0, header.frameCount - 1 do
        for _, position in ipairs(readFrame(bytes, header, index).positions) do
          assert.is_true(position.normal < 162)
        end
      end
    end)

    it("has the clips of a Quake II player", function()
      for _, clip in ipairs(CLIPS) do
        for i = 1, clip[3] do
          local index = clip[2] + i - 1
          if index < header.frameCount then
            assert.equal(("%s%02d"):format(clip[1], i), readFrame(bytes, header, index).name)
          end
        end
      end
    end)
  end)
end

for _, name in ipairs { "knight", "centaur" } do
  describe("the model " .. name, function()
    it("stands with its feet at height 0", function()
      local bytes = read(("%s/models/%s.md2"):format(CHECKED_IN, name))
      local lowest = math.huge
      for _, position in pairs(readFrame(bytes, readHeader(bytes), 0).positions) do
        lowest = math.min(lowest, position[3])
      end
      assert.is_true(math.abs(lowest) < 0.3)
    end)
  end)
end

describe("the courtyard", function()
  it("has 3000 to 6000 triangles in named objects", function()
    local triangles, objects = 0, {}
    for line in read(CHECKED_IN .. "/levels/courtyard.obj"):gmatch "[^\n]+" do
      local name = line:match "^o (.+)"
      if name then
        assert.is_nil(objects[name])
        objects[name] = true
      elseif line:match "^f " then
        triangles = triangles + select(2, line:gsub(" %d", "")) - 2
      end
    end
    assert.is_true(triangles >= 3000 and triangles <= 6000)
    for _, wanted in ipairs { "Ground", "Gate", "Well", "Fountain", "Statue", "Tree", "Steps", "Ramp", "Arch" } do
      assert.is_true(objects[wanted])
    end
  end)
end)
