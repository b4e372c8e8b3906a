-- A stage for specs about level files. The specs make their own worlds.
local palfrey = require "palfrey"

function palfrey.load() palfrey.newWorld { ambient = { 1, 1, 1 } } end
