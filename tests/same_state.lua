-- same_state.lua BIN FOLDER: plays the sample's recording as a folder and as a zip, with and without pictures, and in a
-- window whose frames fall between the steps as they will. The state must be the same, bit for bit, after each.
local binary, folder = arg[1], arg[2]
local GAME, RECORDING, STEPS = "games/sample", "tests/replay/sample.rec", 240

local function run(command)
  local process <close> = assert(io.popen(command .. " 2>&1"))
  return process:read "a"
end

assert(os.execute(("mkdir -p '%s'"):format(folder)))
local zip = folder .. "/sample.zip"
print(run(("'%s' pack %s -o '%s'"):format(binary, GAME, zip)))

local RUNS = {
  { "a folder, drawn", "--headless", GAME },
  { "a folder, without pictures", "--headless --null-gpu", GAME },
  { "a zip", "--headless", zip },
  { "a window", "", GAME },
}
local first, isGood
for _, run_of in ipairs(RUNS) do
  local name, options, game = table.unpack(run_of)
  local output = run(("'%s' %s --frames %d --replay %s --json '%s'"):format(binary, options, STEPS, RECORDING, game))
  local hash = output:match '"state_hash":"(%x+)"'
  print(("%-28s %s"):format(name, hash or output))
  first = first or hash
  isGood = isGood ~= false and hash ~= nil and hash == first
end
os.exit(isGood and 0 or 1)
