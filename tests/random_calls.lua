-- random_calls.lua BIN FOLDER COUNT [SEED [RUNS]]: plays tests/random_calls, which makes COUNT random calls of all that
-- scripts can call; again with the next seeds, where RUNS says so. FOLDER is for a copy of the game and its saves. What
-- can be called is read from the documentation of the bindings, so that a new function is called as soon as it has one.
-- The same seed makes the same calls again: random_calls.lua BIN FOLDER COUNT SEED.
package.path = "scripts/tools/lib/?.lua;" .. package.path
local bindings = require "bindings"

local binary, folder, count = arg[1], arg[2], tonumber(arg[3])
local firstSeed, runs = tonumber(arg[4] or 1), tonumber(arg[5] or 1)
local SECONDS_PER_CALL = 1 / 500       -- at the least, on a slow machine
local ENGINE_KB, PROCESS_KB = 60000, 700000   -- what the engine holds at the end, and what the process took at most

local function quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function shell(command)
  assert(os.execute(command), command)
end

-- ------------------------------------------------------------------------------------------------ writing signatures

local function write(value)
  if type(value) ~= "table" then return ("%q"):format(value) end
  local parts = {}
  for key, field in pairs(value) do -- order: it is read by keys
    parts[#parts + 1] = ("[%q] = %s"):format(key, write(field))
  end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

local function readSignatures()
  local paths = {}
  local pipe <close> = assert(io.popen "LC_ALL=C ls runtime/bindings/*.c")
  for path in pipe:lines() do paths[#paths + 1] = path end
  local all = bindings.read(paths, function(path, line, message)
    error(("%s:%d: %s"):format(path, line or 0, message))
  end)
  local found = { functions = {}, types = {} }
  for _, entry in ipairs(all.entries) do
    if entry.kind == "function" then
      table.insert(found.functions, { path = entry.path, owner = entry.owner, name = entry.name,
        isMethod = entry.separator == ":", parameters = entry.parameters })
    elseif entry.kind == "type" then
      found.types[entry.name] = entry.type
    end
  end
  assert(#found.functions > 100, "hardly any documented function was found")
  return found
end

-- ----------------------------------------------------------------------------------------------------------- playing

shell(("rm -rf %s && mkdir -p %s"):format(quote(folder), quote(folder)))
local game = quote(folder .. "/game")
shell(("cp -r tests/random_calls %s && cp -r tests/games/models/assets %s"):format(game, game))
local file <close> = assert(io.open(folder .. "/game/signatures.lua", "w"))
file:write("return ", write(readSignatures()), "\n")
file:close()

local function play(seed)
  local command = ("rm -rf %s/saves; XDG_DATA_HOME=%s/saves ASAN_OPTIONS=exitcode=99:quarantine_size_mb=32 " ..
    "timeout -s KILL %d %s --headless --null-gpu --json --seed %d %s/game %d %d 2>&1 | tail -c 100000"):format(
    quote(folder), quote(folder), 30 + math.ceil(count * SECONDS_PER_CALL), quote(binary), seed, quote(folder), count,
    seed)
  local pipe <close> = assert(io.popen(command))
  local output = pipe:read "a"
  local report = output:match '{"frames".*}'
  if not report or output:find "Sanitizer" or output:find "runtime error:" or not report:find '"errors":%[%]' then
    print(output:sub(-20000))
    return ("seed %d failed"):format(seed)
  end
  local engine, process = tonumber(report:match '"engine_kb":(%d+)'), tonumber(report:match '"peak_rss_kb":(%d+)')
  if engine > ENGINE_KB or process > PROCESS_KB then
    print(report)
    return ("seed %d took too much memory"):format(seed)
  end
  for line in output:gmatch "never returned: [^\n]*" do print(line) end
  print(("seed %d: %s, %s steps, engine %d KB, process at most %d KB"):format(seed,
        output:match "%d+ of %d+ calls returned", report:match '"frames":(%d+)', engine, process))
end

io.stdout:setvbuf "line"
for seed = firstSeed, firstSeed + runs - 1 do
  local fault = play(seed)
  if fault then
    print(fault)
    os.exit(1)
  end
end

shell("rm -rf " .. quote(folder))
