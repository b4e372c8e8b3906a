-- reload_property.lua [SEED [PROGRAMS]]: edits programs at random and loads them again. After every edit, whatever held
-- a function of the file must run the new code with the state it had; after an edit that fails, nothing may differ.
--
-- It drives scripts/lib/reload.lua without the runtime, so that many edits take little time.
local seed = math.tointeger(arg[1]) or os.time()
local programs = math.tointeger(arg[2]) or 60
local EDITS = 12
math.randomseed(seed)

local sandbox, loaded = { error = error, setmetatable = setmetatable, ipairs = ipairs }, {}
sandbox.package = { loaded = loaded }
debug.getregistry().sandbox = sandbox -- where the runtime has it, too
palfrey = {}

-- ------------------------------------------------------------------------------- what the runtime gives to its scripts

local native = {}

function native.getSandbox() return sandbox, loaded end

function native.runChunk(chunk, locals, ...)
  debug.sethook(function()
    if debug.getinfo(2, "f").func ~= chunk then return end
    local i, name, value = 1, debug.getlocal(2, 1)
    while name do
      if name:sub(1, 1) ~= "(" then locals[name] = value end
      i = i + 1
      name, value = debug.getlocal(2, i)
    end
  end, "r")
  local results = table.pack(pcall(chunk, ...))
  debug.sethook()
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end

function native.stackOf() return 0 end
function native.handlersOf() return nil end
function native.getWorld() return nil end
function native.getQuit() return native end
native.callGame = pcall

local source
function native.readSource() return source end

local scripts = {}
local function ownScript(path)
  scripts[path] = scripts[path] or assert(loadfile(path))(native, nil, nil, ownScript, debug)
  return scripts[path]
end
local reload = ownScript "scripts/lib/reload.lua"

-- -------------------------------------------------------------------------------------------------------- programs

-- What a program can hold: each part is there or not in a version, and all answer with the version's number.
local NAMES = { "a", "b", "c", "d" }
local KINDS = {
  -- A function with a variable of its own at the top of the file.
  counter = function(n)
    return ("local %s_n = 0\nfunction M.%s() %s_n = %s_n + 1 return VERSION, %s_n end"):gsub("%%s", n)
  end,
  -- Functions made in calls, each with a variable of its own.
  factory = function(n)
    return ("function M.make_%s(k) return function() k = k + 1 return VERSION, k end end"):gsub("%%s", n)
  end,
  -- A local function behind one in the module.
  helper = function(n)
    return ("local function help_%s() return VERSION end\nfunction M.use_%s() return help_%s() end"):gsub("%%s", n)
  end,
  -- A class with instances.
  class = function(n)
    return ([[local C_%s = {} C_%s.__index = C_%s
function C_%s.new() return setmetatable({ hits = 0 }, C_%s) end
function C_%s:hit() self.hits = self.hits + 1 return VERSION, self.hits end
M.C_%s = C_%s]]):gsub("%%s", n)
  end,
  -- Nameless functions in a list.
  list = function(n)
    return ("M.list_%s = { function() return VERSION end, function() return VERSION, 2 end }"):gsub("%%s", n)
  end,
}
local KIND_NAMES = { "class", "counter", "factory", "helper", "list" }

local function choose(list) return list[math.random(#list)] end

local function shuffle(list)
  for i = #list, 2, -1 do
    local j = math.random(i)
    list[i], list[j] = list[j], list[i]
  end
end

-- A random choice of parts, in random order with random room between them.
local function newText(version, parts)
  local out = { "local M = {}" }
  shuffle(parts)
  for _, part in ipairs(parts) do
    if math.random(3) == 1 then
      out[#out + 1] = choose { "", "-- function end", "local unused = function() end", "\n\n" }
    end
    out[#out + 1] = (KINDS[part.kind](part.name):gsub("VERSION", version))
  end
  out[#out + 1] = "return M"
  return table.concat(out, "\n")
end

local function randomParts()
  local parts = {}
  for _, kind in ipairs(KIND_NAMES) do
    for _, name in ipairs(NAMES) do
      if math.random(4) > 1 then parts[#parts + 1] = { kind = kind, name = name } end
    end
  end
  return parts
end

-- -------------------------------------------------------------------------------------------------------- the check

local function fail(text, ...)
  print(("seed %d: " .. text):format(seed, ...))
  print(source)
  print "0 passed, 1 failed"
  os.exit(1)
end

local function equals(what, got, expected)
  if got ~= expected then fail("%s: %s instead of %s", what, tostring(got), tostring(expected)) end
end

-- Holders of what a program makes: {f = function of this holder, check = function(version)}.
local function newHolders(M, parts, holders)
  for _, part in ipairs(parts) do
    local n, kind = part.name, part.kind
    local key = kind .. n
    if kind == "factory" then
      local start = math.random(100)
      local made = M["make_" .. n](start)
      holders[#holders + 1] = { part = key, f = made, count = start }
    elseif kind == "counter" then
      holders[#holders + 1] = { part = key, f = M[n], shared = key }
    elseif kind == "helper" then
      holders[#holders + 1] = { part = key, f = M["use_" .. n] }
    elseif kind == "class" then
      local object = M["C_" .. n].new()
      holders[#holders + 1] = { part = key, object = object, count = 0 }
    else
      holders[#holders + 1] = { part = key, f = choose(M["list_" .. n]) }
    end
  end
end

-- Calls every holder: those whose part was there in every version since run the present one.
local function checkHolders(holders, counts, version, isThere)
  for _, holder in ipairs(holders) do
    holder.isGone = holder.isGone or not isThere[holder.part]
    local f = holder.f
    if holder.object then f = function() return holder.object:hit() end end
    if holder.isGone then
      if holder.f then
        local good, message = pcall(f)
        equals(holder.part .. " of a function that is gone", good, false)
        if not tostring(message):find "no longer in the file" then fail("message: %s", tostring(message)) end
      end
    else
      local got, count = f()
      equals(holder.part .. ": version", got, version)
      if holder.shared then
        counts[holder.shared] = counts[holder.shared] + 1
        equals(holder.part .. ": shared count", count, counts[holder.shared])
      elseif holder.count then
        holder.count = holder.count + 1
        equals(holder.part .. ": own count", count, holder.count)
      end
    end
  end
end

local edits, failed = 0, 0

local function setOf(parts)
  local set = {}
  for _, part in ipairs(parts) do set[part.kind .. part.name] = true end
  return set
end

-- A variable lives as long as a function uses it.
local function keepCounts(counts, isThere)
  for _, name in ipairs(NAMES) do
    local key = "counter" .. name
    if not isThere[key] then counts[key] = nil else counts[key] = counts[key] or 0 end
  end
end

local function breakText(text)
  return choose {
    function() return text:sub(1, -10) .. " end end end" end,
    function() return "leaked = true\n" .. text:gsub("return M$", "error 'on purpose'") end,
    function() return text:gsub("return M$", "M.list_a, M.late = 5, {}\nnothing.x = 1") end,
  }()
end

for program = 1, programs do
  local path, version = ("program%d.lua"):format(program), 1
  local parts, holders, counts = randomParts(), {}, {}
  source = newText(version, parts)
  local chunk = assert(reload.compile(path, source))
  local M = reload.run(path, chunk, "program", path)
  loaded.program = M
  sandbox.holders = holders
  for _ = 1, EDITS do
    local isThere = setOf(parts)
    keepCounts(counts, isThere)
    newHolders(M, parts, holders)
    checkHolders(holders, counts, version, isThere)
    if math.random(3) == 1 then
      local good = source
      source = breakText(newText(version + 1, randomParts()))
      local taken, message = reload.take { { path = path } }
      if #taken > 0 or not message then fail "a broken file was taken" end
      equals("a global that a broken file has set", sandbox.leaked, nil)
      checkHolders(holders, counts, version, isThere)
      source, failed = good, failed + 1
      reload.take { { path = path } }
    end
    version, parts = version + 1, randomParts()
    source = newText(version, parts)
    local taken, message = reload.take { { path = path } }
    if #taken ~= 1 then fail("not taken: %s", tostring(message)) end
    isThere = setOf(parts)
    keepCounts(counts, isThere)
    checkHolders(holders, counts, version, isThere)
    equals("the module", loaded.program, M)
    edits = edits + 1
  end
end
-- Saved again and again, a file takes no more memory than after its first saves.
local function memoryAfter(saves)
  for i = 1, saves do
    source = newText(i, { { kind = "class", name = "a" }, { kind = "counter", name = "b" },
                          { kind = "factory", name = "c" }, { kind = "list", name = "d" } })
    if #reload.take { { path = "again.lua" } } ~= 1 then fail "not taken" end
  end
  collectgarbage()
  collectgarbage()
  return collectgarbage "count"
end

source = newText(0, {})
loaded.again = reload.run("again.lua", assert(reload.compile("again.lua", source)), "again")
local early, late = memoryAfter(30), memoryAfter(300)
if late > early + 20 then fail("300 saves take %.0f KB", late - early) end

print(("%d programs, %d edits, %d of them failing at first; seed %d"):format(programs, edits, failed, seed))
print "1 passed, 0 failed"
