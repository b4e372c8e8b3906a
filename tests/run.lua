-- run.lua [--full] [NAME]: builds and runs all tests (or those whose name matches NAME) and ends with one line
-- "N passed, N failed, N skipped". The list of tests is that of ctest (tests/CMakeLists.txt): this program says which
-- build runs which of them, and counts the cases that each reports. Run from the root of the project, usually by
-- ./dev test. With --built FOLDER LABELS it runs only the tests of these labels in a folder that is built already.
local full, pattern, built = false, nil, nil
do
  local i = 1
  while arg[i] do
    if arg[i] == "--full" then
      full = true
    elseif arg[i] == "--built" then
      built = { name = arg[i + 1]:match "[^/]+$", folder = arg[i + 1], labels = arg[i + 2] }
      i = i + 2
    else
      pattern = arg[i]
    end
    i = i + 1
  end
end

--- A build for another processor, tried in a container and under its emulator.
local function cross(arch, triplet)
  return { arch, ("sh tests/cross_models.sh && sh tests/containers.sh bookworm --put build/cross/models.tar " ..
    "sh tests/cross.sh %s %s"):format(arch, triplet) }
end

-- Goldens and acceptance games play what players get; specs and units run with sanitizers and assertions.
local stages = {
  { name = "release", labels = "lint|golden|sample|acceptance", without_build = "lint" },
  { name = "asan", labels = "unit|spec|game|sample|robust" },
  { name = "fuzz", labels = "fuzz" },
}
-- What runs outside of ctest, as {name, command}.
local others = {}
if built then
  stages = { built }
elseif full then
  stages[1].labels = "lint|tidy|unit|spec|game|golden|sample|acceptance|robust|soak"
  stages[2].labels = "unit|spec|game|golden|sample|acceptance|robust|soak"
  others = {
    { "trixie", "sh tests/containers.sh trixie ./dev test" },
    { "i386", "sh tests/containers.sh bookworm --arch i386 ./dev test" },
    cross("arm64", "aarch64-linux-gnu"),
    cross("armhf", "arm-linux-gnueabihf"),
    cross("s390x", "s390x-linux-gnu"),
    { "dist-arm64", "./dev dist arm64 && sh tests/dist.sh arm64" },
    { "dist-armhf", "./dev dist armhf && sh tests/dist.sh armhf" },
  }
end
-- Each target's share: 600 seconds in full, else 60 for all of them together, two at a time.
local function count_fuzzers()
  local pipe <close> = assert(io.popen "ls tests/fuzz/*.c | wc -l")
  return tonumber(pipe:read "a")
end
local fuzz_seconds = full and 600 or math.ceil(60 / count_fuzzers())

local count = { passed = 0, failed = 0, skipped = 0 }
local started = os.time()

local function indent(text)
  return "    " .. text:gsub("%s+$", ""):gsub("\n", "\n    ")
end

local function unescape(text)
  local names = { lt = "<", gt = ">", quot = '"', apos = "'", amp = "&" }
  return (text:gsub("&#x(%x+);", function(code)
    return utf8.char(tonumber(code, 16))
  end):gsub("&(%l+);", names))
end

--- Numbers of passed, failed and skipped cases that the output of one test speaks of; nil where it speaks of none.
local function read_counts(text)
  local passed, failed, skipped, found = 0, 0, 0, false
  for line in text:gmatch "[^\n]+" do
    local p, f, rest = line:match "^(%d+) passed, (%d+) failed(.*)$"
    if p then
      found = true
      passed, failed, skipped = passed + p, failed + f, skipped + (rest:match "(%d+) skipped" or 0)
    end
  end
  -- cmocka counts neither broken set-ups nor crashes as failed: whatever ran and did not pass has failed.
  local ran = 0
  for word, number in text:gmatch "%[[%s=]*(%u*)[%s=]*%] (%d+) test%(s%)" do
    found = true
    passed = passed + (word == "PASSED" and number or 0)
    skipped = skipped + (word == "SKIPPED" and number or 0)
    failed = failed - (word == "PASSED" and number or word == "SKIPPED" and number or 0)
    ran = ran + (word == "" and number or 0)
  end
  if found then
    return math.tointeger(passed), math.tointeger(math.max(0, failed + ran)), math.tointeger(skipped)
  end
end

--- Adds one test to the counts; `status` is "passed", "failed" or "skipped", `text` its output.
local function add(name, status, text)
  local passed, failed, skipped = read_counts(text)
  if not passed then
    passed, failed, skipped = 0, 0, 0
    count[status] = count[status] + 1
  elseif status == "failed" and failed == 0 then
    failed = 1 -- the cases went well, then it crashed or leaked
  end
  count.passed, count.failed, count.skipped = count.passed + passed, count.failed + failed, count.skipped + skipped
  if status == "failed" then
    print(("\nfailed: %s\n%s\n"):format(name, indent(text)))
  else
    for line in text:gmatch "[^\n]+" do
      if line:match "^skipped: " then
        print(("%s: %s"):format(name, line))
      end
    end
  end
end

--- Runs a command while showing one line for each test that ends, and returns whether any did.
local function show_progress(command, build)
  local pipe, any = assert(io.popen(command .. " 2>&1")), false
  for line in pipe:lines() do
    local name, status, seconds = line:match "Test%s+#%d+: (%S+) [ .]*(.-)%s+([%d.]+) sec"
    if name then
      any = true
      status = status:gsub("^%*+", ""):lower()
      print(("%-8s %-7s %s (%s s)"):format(status == "passed" and "ok" or status, build, name, seconds))
    elseif line:match "^CMake Error" or line:match "^Unable to find" then
      print(line)
    end
  end
  pipe:close()
  return any
end

local function run_stage(stage)
  local folder, labels = stage.folder, stage.labels
  if not folder then
    folder = "build/" .. stage.name
    print("\n" .. stage.name .. ": building")
    if not os.execute("./dev build " .. stage.name) then
      count.failed = count.failed + 1
      print("failed: the build " .. stage.name)
      labels = stage.without_build
      if not labels then
        return
      end
    end
  end
  local report = folder .. "/tests.xml"
  os.remove(report)
  local command = ("PALFREY_FUZZ_SECONDS=%d ctest --test-dir %s -j 2 -L '^(%s)$' --output-junit tests.xml " ..
    "--test-output-size-passed 4000000 --test-output-size-failed 4000000 %s %s"):format(fuzz_seconds, folder, labels,
    full and "-C Full" or "", pattern and ("-R '%s'"):format(pattern) or "")
  if not show_progress(command, stage.name) then
    return
  end
  local file = assert(io.open(report), "ctest left no " .. report)
  local statuses = { run = "passed", fail = "failed", notrun = "skipped", disabled = "skipped" }
  for head, body in file:read("a"):gmatch "<testcase ([^>]*)>(.-)</testcase>" do
    local status = statuses[head:match 'status="(%l+)"'] or "failed"
    if status == "skipped" and not body:find "SKIP_" then
      status = "failed" -- ctest calls a test not run whose program is missing
    end
    local text = unescape(body:match "<system%-out>(.*)</system%-out>" or "")
    local message = unescape(body:match '<failure message="([^"]*)"' or "")
    add(stage.name .. " " .. head:match 'name="([^"]*)"', status, status == "failed" and text .. message or text)
  end
  file:close()
end

local function run_other(name, command)
  print("\n" .. name .. ": " .. command)
  local log = "build/" .. name .. ".log"
  local _, _, code = os.execute(("%s >%s 2>&1"):format(command, log))
  local file = assert(io.open(log))
  local text = file:read "a"
  file:close()
  add(name, code == 0 and "passed" or code == 77 and "skipped" or "failed", text)
end

io.stdout:setvbuf "line"
-- A name that begins with a kind of test needs only the builds which run that kind.
local kind = pattern and pattern:match "^%^?(%l+)/"
for _, stage in ipairs(stages) do
  if not kind or ("|" .. stage.labels .. "|"):find("|" .. kind .. "|", 1, true) then
    run_stage(stage)
  end
end
for _, other in ipairs(others) do
  if not pattern or other[1]:find(pattern, 1, true) then
    run_other(table.unpack(other))
  end
end

local seconds = os.time() - started
print(("\nIn %d min %02d s:"):format(seconds // 60, seconds % 60))
print(("%d passed, %d failed, %d skipped"):format(count.passed, count.failed, count.skipped))
os.exit(count.failed == 0 and count.passed > 0 and 0 or 1)
