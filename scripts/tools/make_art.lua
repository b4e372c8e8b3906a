-- lua5.4 scripts/tools/make_art.lua OUTDIR [knight|centaur|weapons|courtyard...]: makes the art of the sample game, all
-- of it or what is named, under OUTDIR/models and OUTDIR/levels; or that of the starter game, where `duck` or `meadow`
-- is named. The same bytes come out on every machine; what is checked in under games/sample and scripts/starter was
-- made by this program.
local here = arg[0]:match "^(.*)/" or "."
package.path = here .. "/?.lua;" .. package.path

local models = require "lib.art.models"
local courtyard = require "lib.art.courtyard"
local duck = require "lib.art.duck"
local meadow = require "lib.art.meadow"

local MAKERS = {
  { "knight", models.makeKnight },
  { "centaur", models.makeCentaur },
  { "weapons", models.makeWeapons },
  { "courtyard", courtyard.make },
  { "duck", duck.make, isOfStarter = true },
  { "meadow", meadow.make, isOfStarter = true },
}

local outFolder, wanted = arg[1], {}
if not outFolder then
  io.stderr:write "usage: lua5.4 scripts/tools/make_art.lua OUTDIR [knight|centaur|weapons|courtyard|duck|meadow...]\n"
  os.exit(2)
end
for i = 2, #arg do wanted[arg[i]] = true end

local function write(name, bytes)
  local file <close> = assert(io.open(outFolder .. "/" .. name, "wb"))
  assert(file:write(bytes))
end

local folders = (wanted.duck or wanted.meadow) and "models" or "models levels"
for folder in folders:gmatch "%S+" do assert(os.execute(("mkdir -p '%s/%s'"):format(outFolder, folder))) end
for _, maker in ipairs(MAKERS) do
  if wanted[maker[1]] or (#arg == 1 and not maker.isOfStarter) then maker[2](write) end
end
