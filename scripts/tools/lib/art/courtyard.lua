-- The level of the sample game: the castle, what stands in it, its materials and textures.
local castle = require "lib.art.castle"
local obj = require "lib.art.obj"
local props = require "lib.art.props"
local textures = require "lib.art.textures"

local courtyard = {}

local WHITE, DULL, GLEAM = { 1, 1, 1 }, { 0.05, 0.05, 0.05 }, { 0.5, 0.5, 0.5 }

-- `tile` is how many metres one picture covers.
local MATERIALS = {
  { name = "stone", texture = "stone.png", tile = 2, diffuse = WHITE, specular = DULL, shininess = 10 },
  { name = "cobbles", texture = "cobbles.png", tile = 2, diffuse = WHITE, specular = DULL, shininess = 10 },
  { name = "wood", texture = "wood.png", tile = 1, diffuse = WHITE, specular = DULL, shininess = 8 },
  { name = "roof", texture = "roof.png", tile = 2, diffuse = WHITE, specular = DULL, shininess = 12 },
  { name = "grass", texture = "grass.png", tile = 2, diffuse = WHITE, specular = { 0, 0, 0 }, shininess = 1 },
  { name = "leaves", texture = "leaves.png", tile = 2, diffuse = WHITE, specular = DULL, shininess = 8 },
  { name = "bark", texture = "bark.png", tile = 1, diffuse = WHITE, specular = { 0, 0, 0 }, shininess = 1 },
  { name = "hay", texture = "hay.png", tile = 1, diffuse = WHITE, specular = { 0, 0, 0 }, shininess = 1 },
  { name = "iron", texture = "iron.png", tile = 0.5, diffuse = WHITE, specular = GLEAM, shininess = 40 },
  { name = "water", texture = "water.png", tile = 1.5, diffuse = WHITE, specular = { 0.9, 0.9, 0.9 }, shininess = 80 },
  { name = "banner", texture = "banner.png", tile = 1, diffuse = WHITE, specular = { 0, 0, 0 }, shininess = 1 },
  { name = "marble", texture = "marble.png", tile = 1, diffuse = WHITE, specular = { 0.2, 0.2, 0.2 }, shininess = 30 },
  { name = "cloth", texture = "marble.png", tile = 1, diffuse = { 0.8, 0.1, 0.1 }, specular = DULL, shininess = 4 },
  { name = "gold", texture = "marble.png", tile = 1, diffuse = { 1, 0.8, 0.25 }, specular = GLEAM, shininess = 30 },
  { name = "embers", texture = "embers.png", tile = 1, diffuse = WHITE, specular = { 0, 0, 0 }, shininess = 1 },
}

function courtyard.build()
  local level = obj.new(MATERIALS)
  castle.build(level)
  props.build(level)
  return level
end

function courtyard.make(write)
  local level = courtyard.build()
  write("levels/courtyard.obj", level:encode("courtyard.mtl"))
  write("levels/courtyard.mtl", level:encodeMaterials())
  for _, name in ipairs(textures.NAMES) do write("levels/" .. name .. ".png", textures.make(name)) end
end

return courtyard
