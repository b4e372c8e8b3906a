-- Random values for the types of signatures, right ones, nearly right ones and wrong ones. All chance comes from one
-- generator, so that a seed gives the same calls again.
local values = {}

local state = 1

function values.seed(seed)
  state = seed * 2654435761 % 4294967296 | 1
end

--- A whole number from 1 to `most` (xorshift, G. Marsaglia, 2003).
local function below(most)
  state = state ~ state << 13 & 0xffffffff
  state = state ~ state >> 17
  state = state ~ state << 5 & 0xffffffff
  return state % most + 1
end

local function chance(percent)
  return below(100) <= percent
end

local function pick(list)
  return list[below(#list)]
end

values.below, values.chance, values.pick = below, chance, pick

-- ------------------------------------------------------------------------------------------ what is alive, and was

-- Worlds, nodes and preloads that calls have returned. Old ones give way, and then may be collected.
local KEPT = { World = 4, Node = 60, Preload = 4 }
local kept = { World = {}, Node = {}, Preload = {} }

--- Keeps a result of a call where it is one of the runtime's values.
function values.keep(value)
  if type(value) == "table" then
    value = rawget(value, "node") or value[1]
  end
  if type(value) ~= "userdata" then return end
  local text = tostring(value)
  local list = kept[text == "world" and "World" or text:find "^preload" and "Preload" or "Node"]
  local most = KEPT[list == kept.World and "World" or list == kept.Preload and "Preload" or "Node"]
  list[#list < most and #list + 1 or below(most)] = value
end

--- A value of a class, mostly; of any class of nodes where there is none of that one.
function values.of(class)
  local list = kept[class] or kept.Node
  if #list == 0 then return nil end
  if list ~= kept.Node or class == "Node" then return pick(list) end
  local wanted = class:lower()
  for _ = 1, 8 do
    local node = pick(list)
    local text = tostring(node)
    local isOfClass = text:find(wanted, 1, true) == 1 or (wanted == "model" and text:find "^npc")
      or (wanted == "character" and (text:find "^npc" or text:find "^player"))
    if isOfClass then return node end
  end
  return pick(list)
end

-- ----------------------------------------------------------------------------------------------------------- basics

local NUMBERS = { 0, -0.0, 1, -1, 0.5, 1e-40, 1e9, -1e9, 1.1e9, 1e30, -1e30, 1e308, math.huge, -math.huge, 0 / 0,
  2 ^ 31, -2 ^ 31, 2 ^ 53, math.maxinteger, math.mininteger, 64, 65, 90, 255, 256, 360, 1e-5 }
local HUGE = ("x"):rep(200000)
local FILES = { "assets/man.md2", "assets/stick.md2", "assets/cube.obj", "assets/floor.obj", "assets/inner.png",
  "assets/blue.png", "assets/red.pcx", "assets/lost.md2", "plain.lua", "written", "folder/written", "level.lua", "",
  ".", "..", "../secret", "/etc/passwd", "folder", "assets", "no such file", "C:\\file", "a//b", "nul\0byte.obj" }
local WORDS = { "plain", "stand", "slide", "death1", "Box", "Floor", "Wall", "name", "hit", "death", "touch", "marker",
  "clipEnd", "w", "space", "mouse1", "pad:a", "pad:lefty-", "fire", "npc", "model", "#0", "none", "third" }
local STRINGS = { "", "\0", "a\0b", "\xff\xfe", "\xc3", "ö€𐍈", "%s%n%d", ("y"):rep(300), HUGE, "\n\t\r", "1", "0x10",
  "nan", "return 1", "return function() end", "error 'x'", "]]", "\27Lua" }

local function number()
  if chance(85) then return (below(4001) - 2001) / 100 end
  return pick(NUMBERS)
end

local function integer()
  if chance(85) then return below(12) - 2 end
  return pick(NUMBERS)
end

local function text(hint)
  if chance(10) then return pick(STRINGS) end
  local isPath = hint:find "file" or hint:find "path" or hint == "model" or hint == "skin" or hint == "folder"
  return pick(isPath and FILES or WORDS)
end

local LEAN = { __index = function(_, key) return key end, __len = function() return 3 end,
               __tostring = function() return "lean" end, __call = function() return 1 end }
local ROUGH = { __index = function() error "rough index" end, __len = function() error "rough length" end,
                __tostring = function() return 7 end, __eq = function() error "rough equality" end,
                __newindex = function() error "rough newindex" end, __lt = function() error "rough order" end }
local RING = {}
RING[1], RING.name, RING.parent = RING, RING, RING

local function oddTable()
  local way = below(6)
  if way == 1 then return setmetatable({}, LEAN) end
  if way == 2 then return setmetatable({}, ROUGH) end
  if way == 3 then return RING end
  if way == 4 then return { 1, nil, 3, [0] = 5, [2.5] = 1, [true] = false } end
  if way == 5 then return { [RING] = 1, [HUGE] = 2 } end
  return {}
end

-- What functions and coroutines that are given to the runtime do when they are called; set by main.lua.
values.body = function() end

local function func()
  return function(...) return values.body(...) end
end

local function thread()
  local made = coroutine.create(function(...)
    values.body(...)
    coroutine.yield(1)
    values.body(...)
  end)
  local far = below(3)
  for _ = 2, far do coroutine.resume(made) end
  return made
end

local anything
local ANY = { number, integer, function() return text "" end, function() return text "file" end, oddTable, func, thread,
  function() return chance(50) end, function() return nil end, function() return values.of "Node" end,
  function() return values.of "World" end, function() return values.of "Preload" end,
  function() return { number(), number(), number() } end, function() return { anything(), anything() } end,
  function() return { name = anything(), position = anything(), [text ""] = anything() } end }

function anything()
  return pick(ANY)()
end

values.anything = anything

-- ------------------------------------------------------------------------------------------------------------ types

local named

--- Gives the types that have names.
function values.setTypes(types)
  named = types
end

local of

local MADE = {
  number = function() return number() end,
  integer = function() return integer() end,
  string = text,
  boolean = function() return chance(50) end,
  ["function"] = func,
  table = oddTable,
  any = function() return anything() end,
  ["nil"] = function() return nil end,
  EventName = function() return pick { "hit", "death", "marker", "clipEnd", "arrived", "touch", "see", "hear" } end,
  Vec3 = function() return { number(), number(), number() } end,
  Color = function() return { below(11) / 10, below(11) / 10, 1, chance(20) and below(11) / 10 or nil } end,
}

local function fillFields(result, type)
  local parent = type.parent and named[type.parent]
  if parent then fillFields(result, parent) end
  for _, field in ipairs(type.fields) do
    if chance(field.isOptional and 25 or 96) then result[field.name] = of(field.type, field.name) end
  end
  return result
end

local KINDS = {
  word = function(type) return (type.text:gsub('"', "")) end,
  optional = function(type, hint) if chance(70) then return of(type.of, hint) end end,
  union = function(type, hint) return of(pick(type.of), hint) end,
  array = function(type, hint)
    local list = {}
    for i = 1, below(5) - (chance(30) and 1 or 0) do list[i] = of(type.of, hint) end
    return list
  end,
  generic = function(type, hint)
    local map = {}
    for _ = 1, below(3) do map[text(hint)] = of(type.of[#type.of], hint) end
    return map
  end,
  table = function(type) return fillFields({}, type) end,
  ["function"] = func,
  name = function(type, hint)
    local name = type.name
    if MADE[name] then return MADE[name](hint) end
    if named[name] then return of(named[name], hint) end
    return values.of(name)
  end,
}

--- A value of a type, as the signatures tell it, or now and then something else.
function of(type, hint)
  if chance(5) then return anything() end
  return KINDS[type.kind](type, hint)
end

--- Arguments for parameters; returns them with their number.
function values.arguments(parameters)
  local arguments, count = {}, 0
  for _, parameter in ipairs(parameters) do
    if parameter.isOptional and chance(40) or chance(2) then break end
    count = count + 1
    arguments[count] = of(parameter.type, parameter.name)
  end
  if chance(3) then
    count = count + 1
    arguments[count] = anything()
  end
  return arguments, count
end

return values
