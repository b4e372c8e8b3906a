-- The sample game with a hundred more NPCs that walk about in it. The sample's own main.lua is sample.lua here.
local palfrey = require "palfrey"
require "sample"

local EXTRA, SIDE = 100, 10
local newWorld = palfrey.newWorld

-- The sample keeps its world to itself, so it is caught where it is made.
function palfrey.newWorld(options)
  local world = newWorld(options)
  for i = 0, EXTRA - 1 do
    local x, z = (i % SIDE - SIDE / 2) * 2.6, (i // SIDE - SIDE / 2) * 2.6
    local npc = assert(world:addNPC{ name = "Walker " .. i, model = "models/knight.md2", scale = 1 / 24,
                                     position = {x, 0.05, z}, speed = 1.5, radius = 0.4, animation = "run" })
    npc:patrol{ {x, 0, z}, {x + 1.5, 0, z + 1.5} }
  end
  return world
end

