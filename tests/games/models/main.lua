-- A stage for specs about models: skins, clips and what is attached. The specs make their own worlds.
local palfrey = require "palfrey"

function palfrey.load() palfrey.newWorld { ambient = { 1, 1, 1 } } end
