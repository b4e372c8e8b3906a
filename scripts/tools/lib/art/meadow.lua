-- The place of the starter game: a hollow with a pond, a nest and stones, hills around it that nobody climbs, and a
-- tree to be set up anywhere.
local exact = require "lib.art.exact"
local obj = require "lib.art.obj"
local props = require "lib.art.props"
local rigid = require "lib.art.rigid"
local textures = require "lib.art.textures"

local meadow = {}

local HALF, CELL = 22, 2                 -- the ground reaches that far from the middle, in cells of so many metres
local HILLS_FROM, HILLS_TO, HILLS_HEIGHT = 13.5, 20, 7
local POND = { x = -4.5, z = -2.5, across = 4.6, along = 3.6, depth = 0.75 }
local WATER_LEVEL = -0.22
local NEST = { x = 5, z = -6 }
local STONES = { { 7.5, 3, 0.9 }, { 8.6, 2.2, 0.6 }, { -9.5, 5, 1.2 }, { -1.5, -10, 1.0 }, { 0.4, -6.4, 0.4 } }

local WHITE, DULL, GLEAM = { 1, 1, 1 }, { 0, 0, 0 }, { 0.5, 0.5, 0.5 }
local GROUND_MATERIALS = {
  { name = "grass", texture = "grass.png", tile = 4, diffuse = WHITE, specular = DULL, shininess = 1 },
  { name = "water", texture = "water.png", tile = 3, diffuse = WHITE, specular = GLEAM, shininess = 60 },
  { name = "stone", texture = "marble.png", tile = 1.6, diffuse = { 0.85, 0.85, 0.88 },
    specular = DULL, shininess = 1 },
  { name = "hay", texture = "hay.png", tile = 0.8, diffuse = WHITE, specular = DULL, shininess = 1 },
}
local TREE_MATERIALS = {
  { name = "bark", texture = "bark.png", tile = 1.2, diffuse = WHITE, specular = DULL, shininess = 1 },
  { name = "leaves", texture = "leaves.png", tile = 1.6, diffuse = WHITE, specular = DULL, shininess = 1 },
}
local TEXTURES = { "grass", "water", "marble", "hay", "bark", "leaves" }

-- How high the ground is: waves of grass, the bowl of the pond, hills around.
local function heightAt(x, z)
  local away = math.sqrt(x * x + z * z)
  local px, pz = (x - POND.x) / POND.across, (z - POND.z) / POND.along
  local inPond = exact.step(1.0, 0.55, math.sqrt(px * px + pz * pz))
  local nx, nz = (x - NEST.x) / 2.6, (z - NEST.z) / 2.6
  local atNest = exact.step(1, 0.4, math.sqrt(nx * nx + nz * nz))
  local waves = 0.5 * (exact.fractal(x * 0.16 + 50, z * 0.16 + 50, 0, 411, 2) - 0.5)
  local ridge = HILLS_HEIGHT + 5 * exact.noise(x * 0.13 + 9, z * 0.13 + 9, 0, 412)
  return exact.mix(waves, 0.12, atNest) - POND.depth * inPond + exact.step(HILLS_FROM, HILLS_TO, away) * ridge
end

local function normalAt(x, z)
  local d = 0.6
  return rigid.normalize { heightAt(x - d, z) - heightAt(x + d, z), 2 * d, heightAt(x, z - d) - heightAt(x, z + d) }
end

local function addGround(level)
  level:object("Ground"):place(0, 0, 0)
  for z = -HALF, HALF - CELL, CELL do
    for x = -HALF, HALF - CELL, CELL do
      local points, normals = {}, {}
      for i, corner in ipairs { { x, z + CELL }, { x + CELL, z + CELL }, { x + CELL, z }, { x, z } } do
        points[i] = { corner[1], heightAt(corner[1], corner[2]), corner[2] }
        normals[i] = normalAt(corner[1], corner[2])
      end
      level:face("grass", { points[1], points[2], points[3] }, nil, { normals[1], normals[2], normals[3] })
      level:face("grass", { points[1], points[3], points[4] }, nil, { normals[1], normals[3], normals[4] })
    end
  end
end

local function addWater(level)
  level:object("Pond"):place(POND.x, WATER_LEVEL, POND.z)
  local sides, points = 20, {}
  for i = 0, sides - 1 do
    local angle = -360 * i / sides
    points[i + 1] = { 1.1 * POND.across * exact.cos(angle), 0, 1.1 * POND.along * exact.sin(angle) }
  end
  for i = 1, sides do level:face("water", { { 0, 0, 0 }, points[i], points[i % sides + 1] }) end
end

local function addNest(level)
  level:object("Nest"):place(NEST.x, heightAt(NEST.x, NEST.z), NEST.z)
  level:lathe("hay", 0, 0, 12, {
    { 1.35, -0.1, true }, { 1.4, 0.1 }, { 1.2, 0.26 }, { 0.95, 0.2 }, { 0.7, 0.08 }, { 0, 0.05 },
  })
end

local function addStones(level)
  for i, stone in ipairs(STONES) do
    local x, z, size = table.unpack(stone)
    level:object(("Stone %d"):format(i)):place(x, heightAt(x, z), z, 70 * i)
    level:lathe("stone", 0, 0, 7, {
      { size * 0.9, -0.3 }, { size, 0.2 * size }, { size * 0.8, 0.62 * size }, { size * 0.35, 0.85 * size },
      { 0, 0.9 * size },
    }, 0.72)
  end
end

function meadow.make(write)
  local level, tree = obj.new(GROUND_MATERIALS), obj.new(TREE_MATERIALS)
  addGround(level)
  addWater(level)
  addNest(level)
  addStones(level)
  props.addTree(tree, 0, 0)
  write("models/meadow.obj", level:encode("meadow.mtl"))
  write("models/meadow.mtl", level:encodeMaterials())
  write("models/tree.obj", tree:encode("tree.mtl"))
  write("models/tree.mtl", tree:encodeMaterials())
  for _, name in ipairs(TEXTURES) do write("models/" .. name .. ".png", textures.make(name)) end
end

return meadow
