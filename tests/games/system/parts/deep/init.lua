-- A module that is a folder, and needs another.
local counter = require "parts.counter"
return { counter = counter }
