-- What the specs of the games in this folder share. Specs run from the root of the project:
-- local support = dofile "tests/games/support.lua"
local palfrey = require "palfrey"
local luassert = require "luassert"

local support = {}

--- Fails unless all numbers are as expected: near({expected...}, got...) or near(expected, got), each within 1e-3.
function support.near(expected, ...)
  return support.within(1e-3, expected, ...)
end

--- The same with another tolerance.
function support.within(tolerance, expected, ...)
  if type(expected) ~= "table" then expected = { expected } end
  local got = { ... }
  local function show(numbers)
    local words = {}
    for i, number in ipairs(numbers) do
      words[i] = type(number) == "number" and ("%.6g"):format(number) or tostring(number)
    end
    return "(" .. table.concat(words, ", ") .. ")"
  end
  local isNear = #got == #expected
  for i = 1, #expected do
    isNear = isNear and type(got[i]) == "number" and math.abs(got[i] - expected[i]) <= tolerance
  end
  luassert(isNear, ("%s expected, got %s"):format(show(expected), show(got)))
end

--- Runs a step in which a script of the game must fail; returns what the error screen says, and lets the game go on.
function support.failedStep()
  palfrey.testing.step()
  local text = palfrey.testing.getErrorScreen()
  luassert(text, "the game should have failed in this step")
  palfrey.testing.dismissError()
  return text
end

--- Calls a function that must raise an error at its own line, which is all on one line; returns the message without it.
function support.raises(call)
  local info = debug.getinfo(call, "S")
  local good, message = pcall(call)
  luassert(not good, "an error expected, at line " .. info.linedefined)
  message = tostring(message)
  local file, line, text = message:match "^([^\n]-):(%d+): (.*)$"
  luassert(file and info.source:find(file:gsub("^%.%.%.", ""), 1, true) and tonumber(line) == info.linedefined,
    ("the caller's line %d expected in: %s"):format(info.linedefined, message))
  return text
end

--- A new world with a floor of 40 by 40 metres at y = 0, if not told otherwise.
function support.world(options)
  local world = palfrey.newWorld(options or { ambient = { 1, 1, 1 } })
  assert(world:addModel { name = "Ground", model = "assets/floor.obj", collide = "mesh" })
  return world
end

--- A box with sides of the lengths in `size` around `position`: something to run into.
function support.block(world, position, size, options)
  local all = { model = "assets/cube.obj", collide = "mesh", position = position, scale = size }
  for key, value in pairs(options or {}) do all[key] = value end -- order: keys differ
  return assert(world:addModel(all))
end

--- Runs steps, calling a function before each of them; it may return true to stop. Returns how many were run.
function support.steps(count, before)
  for i = 1, count do
    if before and before(i) then return i - 1 end
    palfrey.testing.step()
  end
  return count
end

--- Deletes a file of the game; returns the message that the watch comes to show.
function support.deleteWatched(path)
  assert(os.remove(path))
  local text
  for _ = 1, 2000 do
    palfrey.testing.step()
    text = palfrey.testing.getErrorScreen()
    if text then break end
    os.execute "sleep 0.005"
  end
  return text or ""
end

--- The names of nodes, as one string.
function support.names(nodes)
  local names = {}
  for i, node in ipairs(nodes) do names[i] = tostring(node:getName()) end
  return table.concat(names, " ")
end

return support
