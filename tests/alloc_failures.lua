-- alloc_failures.lua BIN FOLDER [--full] [NAME...]: plays games again and again, each time with another allocation that
-- fails: one of the engine or one of Lua's, alone or with all that come after it. Whatever fails, a run ends in time
-- with 0 (it got along without) or with 1 and a message that speaks of memory; a crash, a leak or a report of a
-- sanitizer is a fault. PALFREY_FAIL_ALLOCATION tells the runtime what to fail.
--
-- The games are the acceptance games, where they lie beside the project, the sample and a bench, and with --full those
-- of tests/games with their specs. FOLDER is for copies of games and for saves. With --full every allocation fails in
-- turn; of a game that makes very many those of loading, and then some. Otherwise a few of each game fail.
local binary, folder, isFull, names = arg[1], arg[2], false, {}
for i = 3, #arg do
  if arg[i] == "--full" then isFull = true else names[arg[i]] = true end
end

local VERY_MANY, LOADING = 5000, 1000   -- a game that makes more allocations fails those of loading in turn
local FEW, MANY, SPECS = 6, 400, 12     -- runs of one kind: in the short test, beyond loading, of games with specs
local TIMEOUT = 60              -- seconds of one run

local acceptance = os.getenv "PALFREY_ACCEPTANCE" or "../shared/acceptance"

-- Lua asks a second time, after a collection; so what is to be missed by it fails twice.
local KINDS = { "engine:%d", "engine:%d+", "lua:%d", "lua:%d-%d", "lua:%d+" }

-- Games that handle errors themselves: what they say then need not speak of memory.
local SPEAKS_OTHERWISE = { errors = true }
local READS_PIXELS = { skins_on_screen = true }
local CHANGES_ITSELF = { hot_reload = true }   -- and so begins with a new copy each time

local function quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function shell(command)
  assert(os.execute(command), command)
end

--- Runs a game with a plan of what to fail; its status as the shell has it, and what it wrote.
local function run(game, plan)
  if game.prepare then game.prepare() end
  local saves = folder .. "/saves"
  local command = ("rm -rf %s; cd %s; PALFREY_FAIL_ALLOCATION=%s XDG_DATA_HOME=%s ASAN_OPTIONS=exitcode=99 " ..
    "timeout -s KILL %d %s %s 2>&1; echo \"status $?\""):format(quote(saves), quote(game.cwd), plan, quote(saves),
    TIMEOUT, quote(binary), game.arguments)
  local pipe <close> = assert(io.popen(command))
  local output = pipe:read "a"
  return tonumber(output:match "status (%d+)\n$"), output
end

--- What is wrong with how a run ended, or nil.
local function fault(game, status, output)
  if output:find "Sanitizer" or output:find "runtime error:" then return "a sanitizer reports" end
  if status == 137 then return ("killed after %d s"):format(TIMEOUT) end
  if status ~= 0 and status ~= 1 then return "status " .. tostring(status) end
  if status == 0 or game.isLax then return end
  local message = output:gsub("allocations: [^\n]*\n", ""):gsub("status %d+\n$", "")
  if not message:find "%S" then return "status 1 without a message" end
  if not message:find "memory" then return "status 1, and the message does not speak of memory" end
end

--- The numbers to fail of `count` allocations.
local function choose(count, game)
  local numbers, wanted = {}, not isFull and FEW or game.hasSpecs and SPECS or MANY
  local inTurn = isFull and not game.hasSpecs and (count > VERY_MANY and LOADING or count) or 0
  for n = 1, inTurn do numbers[n] = n end
  local left = count - inTurn
  local step = math.max(1, left / wanted)
  -- From the middle of each stretch, so that games of the same start are not failed in the same places.
  for i = 0, math.min(wanted, left) - 1 do numbers[#numbers + 1] = inTurn + 1 + math.floor((i + 0.5) * step) end
  return numbers
end

local runs, faults, started = 0, 0, os.time()

local function play(game)
  local status, output = run(game, "none")
  local engine, lua = output:match "allocations: (%d+) of the engine, (%d+) of Lua\n"
  if not engine or (status ~= 0 and not game.isLax) then
    faults = faults + 1
    print(("FAIL %s without any failure: status %s\n%s"):format(game.name, status, output))
    return
  end
  for _, kind in ipairs(KINDS) do
    for _, n in ipairs(choose(tonumber(kind:match "^lua" and lua or engine), game)) do
      local plan = kind:format(n, n + 1)
      status, output = run(game, plan)
      runs = runs + 1
      local what = fault(game, status, output)
      if what then
        faults = faults + 1
        print(("FAIL %s %s: %s\n%s"):format(game.name, plan, what, output:sub(1, 4000)))
      end
    end
  end
  print(("%s: %s allocations of the engine, %s of Lua; %d runs so far, %d s"):format(game.name, engine, lua, runs,
        os.time() - started))
end

local function list(where)
  local found = {}
  local pipe <close> = assert(io.popen("ls " .. quote(where) .. " 2>/dev/null"))
  for name in pipe:lines() do
    if not next(names) or names[name] then found[#found + 1] = name end
  end
  return found
end

local function here()
  local pipe <close> = assert(io.popen "pwd")
  return pipe:read "l"
end

local root = here()
if not folder:find "^/" then folder = root .. "/" .. folder end
if not binary:find "^/" then binary = root .. "/" .. binary end
io.stdout:setvbuf "line"
shell(("rm -rf %s && mkdir -p %s"):format(quote(folder), quote(folder)))

local games = list(acceptance .. "/games")
if not io.open(acceptance .. "/run.py") then print("not played: there are no acceptance games in " .. acceptance) end
for _, name in ipairs(games) do
  local copy = folder .. "/" .. name
  local function makeCopy()
    shell(("rm -rf %s && cp -r %s %s && cp -r %s %s/assets"):format(quote(copy), quote(acceptance .. "/games/" .. name),
      quote(copy), quote(acceptance .. "/assets"), quote(copy)))
  end
  makeCopy()
  play { name = name, cwd = folder, isLax = SPEAKS_OTHERWISE[name], prepare = CHANGES_ITSELF[name] and makeCopy,
         arguments = ("--headless %s --frames 3000 --seed 1 %s"):format(READS_PIXELS[name] and "" or "--null-gpu",
           quote(copy)) }
end
for _, path in ipairs { "games/sample", "tests/bench/games/steady" } do
  local name = path:match "[^/]+$"
  if not next(names) or names[name] then
    play { name = name, cwd = root, arguments = "--headless --null-gpu --frames 30 " .. quote(path) }
  end
end
for _, name in ipairs(isFull and list "tests/games" or {}) do
  if not name:find "%.lua$" then
    play { name = "tests/games/" .. name, cwd = root, hasSpecs = true, isLax = true,
           arguments = "test " .. quote("tests/games/" .. name) }
  end
end
shell("rm -rf " .. quote(folder))
print(("%d runs, %d faults"):format(runs, faults))
os.exit(faults == 0 and 0 or 1)
