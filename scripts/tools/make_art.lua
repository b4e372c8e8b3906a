-- lua5.4 scripts/tools/make_art.lua OUTDIR [knight|centaur|weapons|courtyard...]: makes the art of the sample game, all
-- of it or what is named, under OUTDIR/models and OUTDIR/levels. The same bytes come out on every machine; what is
-- checked in under games/sample was made by this program.
local here = arg[0]:match "^(.*)/" or "."
package.path = here .. "/?.lua;" .. package.path

local models = require "lib.art.models"
local courtyard = require "lib.art.courtyard"

local MAKERS = {
  { "knight", models.makeKnight },
  { "centaur", models.makeCentaur },
  { "weapons", models.makeWeapons },
  { "courtyard", courtyard.make },
}

local outFolder, wanted = arg[1], {}
if not outFolder then
  io.stderr:write("usage: lua5.4 scripts/tools/make_art.lua OUTDIR [knight|centaur|weapons|courtyard...]\n")
  os.exit(2)
end
for i = 2, #arg do wanted[arg[i]] = true end

local function write(name, bytes)
  local file <close> = assert(io.open(outFolder .. "/" .. name, "wb"))
  assert(file:write(bytes))
end

assert(os.execute(("mkdir -p '%s/models' '%s/levels'"):format(outFolder, outFolder)))
for _, maker in ipairs(MAKERS) do
  if #arg == 1 or wanted[maker[1]] then maker[2](write) end
end
