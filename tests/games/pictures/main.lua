-- A stage for specs about what is seen: cameras, lights, fog, view modes and the overlay, at 320 by 240 pixels.
local palfrey = require "palfrey"

function palfrey.load() palfrey.newWorld { ambient = { 1, 1, 1 } } end
