-- A stage for specs about players and NPCs: how they move, fight and tell of it. The specs make their own worlds.
local palfrey = require "palfrey"

function palfrey.load() palfrey.newWorld { ambient = { 1, 1, 1 } } end
