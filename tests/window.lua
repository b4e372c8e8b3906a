-- window.lua BIN SHAKER: plays tests/window in a window that SHAKER, preloaded, resizes, hides and minimises, and which
-- the game makes fill the screen. Every size is drawn to its corners, no step is lost, the driver finds nothing wrong,
-- and a window that cannot be seen costs next to nothing.
local binary, shaker = arg[1], arg[2]
local STEPS, FIRST = 160, "320 240"
local FULLSCREEN = { 60, 70, 71, 72, 73, 74 } -- on, off, ...
local SIZES = {
  { 5, "200 100" }, { 15, "1 1" }, { 20, "640 480" }, { 30, "2000 1500" }, { 40, "0 0" }, { 45, "300 200" },
}
local UNSEEN = { { "hide", 80, "show", 105 }, { "minimise", 115, "restore", 140 } }
local PICTURE_STEP = 130 -- while minimised
local MOST_CPU = 0.25    -- of the time, while nothing is seen

local function plan()
  local actions = {}
  for _, size in ipairs(SIZES) do actions[#actions + 1] = ("%d size %s"):format(table.unpack(size)) end
  for _, span in ipairs(UNSEEN) do
    actions[#actions + 1] = ("%d %s,%d %s"):format(span[2], span[1], span[4], span[3])
  end
  return table.concat(actions, ",")
end

local picture = os.tmpname()

local function play()
  local environment = ("SHAKE='%s' PALFREY_GL_ERRORS=1 LD_PRELOAD='%s' ASAN_OPTIONS=verify_asan_link_order=0"):format(
    plan(), shaker)
  local command = ("%s '%s' --size %s --frames %d --screenshot %s@%d tests/window %s 2>&1"):format(environment, binary,
    FIRST:gsub(" ", "x"), STEPS, picture, PICTURE_STEP, table.concat(FULLSCREEN, " "))
  local process <close> = assert(io.popen(command))
  local output = process:read "a"
  local _, _, status = process:close()
  return output, status
end

local output, status = play()
local failed = false
local function check(isGood, ...)
  if isGood then return end
  print(string.format(...))
  failed = true
end

if status == 3 then
  print("skipped: " .. output)
  os.exit(77)
end
check(status == 0, "exit status %s", status)
for complaint in output:gmatch "palfrey: [^\n]*" do
  check(complaint:find "context was lost", "the runtime complained: %s", complaint)
end

local steps = {}
for number, size, draws, cpu, result in output:gmatch "step (%d+) size (%d+ %d+) draws (%d+) cpu ([%d.]+) ([^\n]*)" do
  check(tonumber(number) == #steps, "step %d is missing before step %s", #steps, number)
  steps[#steps + 1] = { size = size, draws = tonumber(draws), cpu = tonumber(cpu), result = result }
end
check(#steps == STEPS, "%d steps, %d expected", #steps, STEPS)
if failed then
  print(output)
  os.exit(1)
end

local function expectSize(number, size)
  local step = steps[number + 1]
  check(step.result == "fills", "step %d, %s: %s", number, step.size, step.result)
  check(not size or step.size == size, "step %d: the size is %s, %s expected", number, step.size, tostring(size))
end

-- Each size has settled in the step before the next change.
expectSize(SIZES[1][1] - 1, FIRST)
for i, size in ipairs(SIZES) do
  local wanted = size[2] == "0 0" and SIZES[i - 1][2] or size[2] -- SDL has no window of no size
  expectSize((SIZES[i + 1] and SIZES[i + 1][1] or FULLSCREEN[1]) - 1, wanted)
end
local full = steps[FULLSCREEN[2]].size
check(full ~= "300 200", "the window never filled the screen")
expectSize(FULLSCREEN[2] - 1, full)
expectSize(UNSEEN[1][2] - 1, "300 200")
expectSize(STEPS - 1, "300 200")

for _, span in ipairs(UNSEEN) do
  local cpu, count = 0, 0
  for number = span[2] + 2, span[4] do
    local wanted = number == PICTURE_STEP and 1 or 0
    local step = steps[number + 1]
    check(step.draws == wanted, "step %d: %d pictures of a window that %ss", number, step.draws, span[1])
    cpu, count = cpu + step.cpu, count + 1
  end
  check(cpu < MOST_CPU * count / 60, "%s: %.3f s of the processor in %d steps", span[1], cpu, count)
  local after = 0
  for number = span[4] + 1, span[4] + 9 do after = after + steps[number + 1].draws end
  check(after > 0, "no picture after %s", span[3])
end

local file <close> = assert(io.open(picture, "rb"))
check(file:read(8) == "\x89PNG\r\n\x1a\n", "no picture of step %d", PICTURE_STEP)
os.remove(picture)
if failed then print(output) end
print(failed and "0 passed, 1 failed" or "1 passed, 0 failed")
os.exit(not failed)
