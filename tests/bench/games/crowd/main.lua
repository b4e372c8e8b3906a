-- As many NPCs of one model as the argument says, each in another clip and phase, all of them in the picture.
local palfrey = require "palfrey"

function palfrey.load(arguments)
  local count = math.tointeger(tonumber(arguments[1])) or 100
  local world = palfrey.newWorld{ ambient = {0.5, 0.5, 0.5}, background = {0.3, 0.4, 0.5} }
  world:addLight{ kind = "directional", direction = {-1, -2, -1} }
  local side = math.ceil(math.sqrt(count))
  world:addCamera{ position = {0, side * 0.9 + 3, side * 1.1 + 4}, target = {0, 0, 0}, far = 200 }
  for i = 0, count - 1 do
    local npc = assert(world:addNPC{
      name = "NPC " .. i, model = "models/knight.md2", scale = 1 / 24, collide = "none",
      position = {(i % side - side / 2) * 1.4, 0, (i // side - side / 2) * 1.4}, heading = i * 37,
    })
    local clips = npc:getClips()
    npc:play(clips[i % #clips + 1].name, { speed = 0.8 + i % 5 * 0.1 })
  end
end
