-- Runs busted inside the runtime, for `palfrey test`. Specs have all of Lua's libraries and drive the game, which stays
-- in its sandbox, through palfrey.testing.
--
-- run(folder, arguments) returns the exit status: 0 when all specs passed.

-- busted ends the process by os.exit, which would skip the runtime's own end: it is caught as an error of this kind.
local Exit = {}

local function exitStatus(code)
  if code == nil or code == true then return 0 end
  if code == false then return 1 end
  return code
end

return function(folder, arguments)
  local found, runner = pcall(require, "busted.runner")
  if not found and not tostring(runner):find "module 'busted.runner' not found" then
    io.stderr:write("busted could not be loaded: ", tostring(runner), "\n")
    return 1
  end
  if not found then
    io.stderr:write("palfrey test needs busted for Lua 5.4 (Debian: lua-busted)\n", tostring(runner), "\n")
    return 2
  end
  arg = { [0] = "palfrey test" }
  for _, argument in ipairs(arguments) do arg[#arg + 1] = argument end
  arg[#arg + 1] = folder .. "/spec"
  local exit = os.exit
  os.exit = function(code) error(setmetatable({ status = exitStatus(code) }, Exit), 0) end
  local good, failure = pcall(runner, { standalone = false })
  os.exit = exit
  if good then return 0 end
  if getmetatable(failure) == Exit then return failure.status end
  io.stderr:write(tostring(failure), "\n")
  return 1
end
