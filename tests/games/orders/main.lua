-- A stage for specs about coroutines, closing and collecting in odd orders. Specs set what the callbacks do.
local palfrey = require "palfrey"

function palfrey.load()
  palfrey.newWorld { ambient = { 1, 1, 1 } }
end

--- Runs code in the game's sandbox, for the specs, which stand outside of it.
function palfrey.inGame(code, ...)
  return assert(load(code, "=game"))(...)
end
