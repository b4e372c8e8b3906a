-- A stage for specs about worlds and nodes: there is a world from the start, and the specs make their own.
local palfrey = require "palfrey"

function palfrey.load()
  local world = palfrey.newWorld { ambient = { 1, 1, 1 } }
  world:addGroup { name = "Made by the game" }
end
