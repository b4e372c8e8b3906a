-- A stage for specs that take away the graphics context: with something of everything that is on the GPU.
local palfrey = require "palfrey"

function palfrey.load() palfrey.newWorld() end
