-- Calls everything that scripts can call, with random values: arguments COUNT and SEED. tests/random_calls.lua writes
-- the signatures, from the documentation of the bindings, and plays this game. It ends with 0 when each call returned
-- or raised a text that does not speak of the runtime's own scripts.
local palfrey = require "palfrey"
local values = require "values"
local signatures = require "signatures" -- {functions = {{path, owner, name, isMethod, parameters}...}, types = {...}}

local CALLS_IN_UPDATE, CALLS_IN_DRAW = 60, 10
local MOST_DEPTH = 3                 -- of calls from within calls
local LUA_MEMORY_KB = 60000
local SLOW = { ["palfrey.testing.writeSource"] = true } -- waits for the change to be noticed: called rarely

local left, seed, depth, made, returned = 0, 0, 0, 0, 0
local failure                        -- what is wrong; raised where nothing catches it
local isGood = {}                    -- functions that have returned at least once

local function fail(what, signature, message)
  failure = failure or ("seed %d, call %d, %s: %s: %s"):format(seed, made, signature and signature.path or "?", what,
    tostring(message):sub(1, 2000))
  left = 0
end

--- The function of a signature, and what it is called on.
local function find(signature)
  if signature.isMethod then
    local receiver = values.of(signature.owner)
    if values.chance(2) then receiver = values.anything() end
    local found, method = pcall(function() return receiver[signature.name] end)
    return found and method or nil, receiver
  end
  local at = _G
  for part in signature.path:gmatch "[^.]+" do at = at and at[part] end
  return at
end

local WAYS = {
  pcall,
  function(f, ...) return coroutine.resume(coroutine.create(f), ...) end,
  function(f, ...) return pcall(coroutine.wrap(f), ...) end,
  function(f, ...) return xpcall(f, function(message) return message end, ...) end,
  function(f, ...)   -- while an error of another kind is on its way
    local arguments, count = { ... }, select("#", ...)
    local good, message
    pcall(function()
      local _ <close> = setmetatable({}, { __close = function()
        good, message = pcall(f, table.unpack(arguments, 1, count))
      end })
      error "on the way"
    end)
    return good, message
  end,
}

local function check(signature, good, first, ...)
  if good then
    isGood[signature.path], returned = true, returned + 1
    values.keep(first)
    return first, ...
  end
  if type(first) ~= "string" then fail("the error is a " .. type(first), signature, first) end
  if first:find "scripts/lib/" and not first:find "rough" then fail("an error inside the runtime", signature, first) end
end

--- Calls something with something, unless there have been enough calls.
local function callOne(...)
  if left <= 0 or depth >= MOST_DEPTH then return ... end
  left, made, depth = left - 1, made + 1, depth + 1
  local signature = values.pick(signatures.functions)
  local method, receiver = find(signature)
  local isPutOff = SLOW[signature.path] and not (values.chance(5) and values.chance(5))
  if isPutOff or (signature.isMethod and values.chance(98) and method == nil) then
    depth = depth - 1
    return ...
  end
  local arguments, count = values.arguments(signature.parameters)
  if signature.isMethod then
    table.insert(arguments, 1, receiver)
    if receiver ~= nil then count = count + 1 end
  end
  local way = (type(method) ~= "function" or values.chance(90)) and pcall or values.pick(WAYS)
  check(signature, way(method, table.unpack(arguments, 1, count)))
  depth = depth - 1
end

function values.body(...)
  if values.chance(30) then callOne(...) end
  -- As a handler of events it would end the game.
  if depth > 0 and values.chance(10) then error "a function of the game" end
  return ...
end

local function callSome(count)
  for _ = 1, count do callOne() end
end

local NAMES = { "keypressed", "keyreleased", "textinput", "mousemoved", "mousepressed", "mousereleased", "wheelmoved",
  "gamepadpressed", "gamepadreleased", "gamepadaxis", "touchpressed", "touchmoved", "touchreleased", "resize", "focus",
  "reloaded" }
for _, name in ipairs(NAMES) do
  palfrey[name] = function() callSome(2) end
end

-- Worlds that have enough in them to be worth calling.
local function makeWorld()
  local world = palfrey.newWorld()
  values.keep(world)
  values.keep(world:addModel { model = "assets/floor.obj", collide = "mesh", name = "Floor" })
  values.keep(world:addNPC { model = "assets/man.md2", position = { 0, 0, -3 }, name = "Box" })
  values.keep(world:addNPC { model = "assets/stick.md2", position = { 0.2, 0, -3 } })
  values.keep(world:addPlayer { model = "assets/man.md2", name = "Wall" })
  values.keep(world:addPlayer())
  values.keep(world:addLight {})
  values.keep(world:addCamera())
  for _, event in ipairs { "hit", "death", "touch", "clipEnd", "arrived", "marker" } do
    world:on(event, function() callSome(2) end)
  end
end

function palfrey.load(arguments)
  left, seed = tonumber(arguments[1]), tonumber(arguments[2])
  values.seed(seed)
  values.setTypes(signatures.types)
  palfrey.quit = function()
    callSome(1)
    return left > 0
  end
  makeWorld()
  callSome(CALLS_IN_UPDATE)
end

function palfrey.update()
  callSome(CALLS_IN_UPDATE)
  if values.chance(3) then makeWorld() end
  if values.chance(1) and collectgarbage "count" > LUA_MEMORY_KB / 2 then
    collectgarbage()
    if collectgarbage "count" > LUA_MEMORY_KB then fail("Lua holds too much memory", nil, collectgarbage "count") end
  end
  if failure then error(failure, 0) end
  if left > 0 then return end
  palfrey.log(("%d of %d calls returned"):format(returned, made))
  for _, signature in ipairs(signatures.functions) do
    if not isGood[signature.path] then palfrey.log("never returned: " .. signature.path) end
  end
  palfrey.quit = nil
  palfrey.quit(0)
end

function palfrey.draw()
  callSome(CALLS_IN_DRAW)
end
