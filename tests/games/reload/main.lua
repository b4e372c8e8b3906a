-- A stage for specs about files that change while the game runs. It is played in a copy of its folder.
local palfrey = require "palfrey"

function palfrey.load()
  palfrey.newWorld {}
end

--- Runs code in the game's sandbox, for the specs, which stand outside of it.
function palfrey.inGame(code, ...)
  return assert(load(code, "=game"))(...)
end
