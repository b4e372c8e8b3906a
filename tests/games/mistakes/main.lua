-- A stage for specs about errors: what is raised, where, and in which words. The specs make their own worlds.
local palfrey = require "palfrey"

function palfrey.load() palfrey.newWorld { ambient = { 1, 1, 1 } } end
