-- A stage for specs about all that is around the world: input, files, time, modules, the sandbox. The game notes which
-- callbacks came.
local palfrey = require "palfrey"

local calls = {}

local function note(name)
  return function(...) calls[#calls + 1] = { name, ... } end
end

for _, name in ipairs { "keypressed", "keyreleased", "mousemoved", "mousepressed", "mousereleased", "gamepadpressed",
                        "gamepadreleased", "gamepadaxis", "wheelmoved", "textinput", "update" } do
  palfrey[name] = note(name)
end

function palfrey.load(arguments)
  palfrey.loaded = { type(arguments), #arguments, palfrey.getStep(), palfrey.getTime() }
  palfrey.newWorld { ambient = { 1, 1, 1 } }
end

--- Runs code in the game's sandbox, for the specs, which stand outside of it.
function palfrey.inGame(code, ...)
  return assert(load(code, "=game"))(...)
end

function palfrey.takeCalls()
  local taken = calls
  calls = {}
  return taken
end
