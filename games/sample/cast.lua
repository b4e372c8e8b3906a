-- Who is in the courtyard: models, skins, what they hold, where they walk and how they take a hit.
local cast = {}

-- One entry a character. `points` is a patrol; `hunts` is how near the player may come before it is attacked. Whoever
-- hunts comes from anywhere once it was shot at.
local ROLES = {
  {
    name = "Knight", model = "models/knight.md2", skin = "models/knight.png", weapon = "models/axe.md2",
    position = {-7, 0, -6}, speed = 1.6, health = 40, worth = 10,
    points = { {-7, 0, -6}, {7, 0, -6}, {7, 0, 3}, {-7, 0, 3} },
  },
  {
    name = "Centaur", model = "models/centaur.md2", skin = "models/centaur.png",
    position = {9, 0, -9}, height = 2.6, speed = 3.2, health = 60, worth = 20,
    points = { {9, 0, -9}, {-9, 0, -9}, {-9, 0, 6}, {9, 0, 6} },
  },
  {
    name = "Evil Knight", model = "models/knight.md2", skin = "models/knight_evil.png", weapon = "models/weapon.md2",
    position = {0, 0, -12}, speed = 2.4, health = 50, worth = 50, hunts = 14,
  },
}

-- Quake II models count 24 units to the metre.
local UNITS_PER_METRE = 24
local REACH = 1.9          -- metres at which a blow lands
local BLOW_SECONDS = 0.8   -- from one blow to the next
local BLOW_DAMAGE = 8

-- Plays a clip once and goes on with another when it has ended.
local function playThen(npc, clip, nextClip)
  npc:play(clip, { loop = false, fade = 0.1, restart = true })
  npc:getData().afterwards = nextClip
end

local function distanceBetween(a, b)
  local ax, _, az = a:getPosition()
  local bx, _, bz = b:getPosition()
  return math.sqrt((ax - bx) ^ 2 + (az - bz) ^ 2)
end

-- Attacks the player when near, runs after it when it can be seen, waits otherwise.
local function hunt(npc, role, player, dt)
  local data = npc:getData()
  local distance = distanceBetween(npc, player)
  data.untilBlow = math.max(0, (data.untilBlow or 0) - dt)
  if player:isDead() or (distance > role.hunts and not data.isAngry) then
    npc:idle()
  elseif distance > REACH then
    if npc:getGoal() ~= "follow" then npc:follow(player, REACH * 0.8) end
  elseif data.untilBlow == 0 then
    npc:face(player)
    playThen(npc, "attack", "stand")
    player:damage(BLOW_DAMAGE, npc)
    data.untilBlow = BLOW_SECONDS
  end
end

-- Walking or standing, unless a blow or a hit is being played.
local function chooseClip(npc)
  if npc:getData().afterwards then return end
  local vx, _, vz = npc:getVelocity()
  npc:play(vx * vx + vz * vz > 0.1 and "run" or "stand", { fade = 0.15 })
end

-- Puts one character into the world. `onDeath(role)` is called once.
local function add(world, role, onDeath)
  local npc = assert(world:addNPC{
    name = role.name, model = role.model, skin = role.skin, position = role.position,
    scale = 1 / UNITS_PER_METRE, animation = "stand", speed = role.speed, health = role.health,
    radius = 0.45, height = role.height,
  })
  local weapon = role.weapon and assert(npc:attach{ model = role.weapon })
  if role.points then npc:patrol(role.points) end

  npc:on("hit", function()
    npc:getData().isAngry = true
    if not npc:isDead() then playThen(npc, "pain" .. math.random(3), "stand") end
  end)
  npc:on("clipEnd", function(event)
    local data = npc:getData()
    if data.afterwards and not npc:isDead() and event.clip == npc:getClip() then
      npc:play(data.afterwards, { fade = 0.1 })
      data.afterwards = nil
    end
  end)
  npc:on("death", function()
    npc:play("death" .. math.random(3), { loop = false, fade = 0.1 })
    if weapon then weapon:remove() end
    onDeath(role)
  end)
  return { npc = npc, role = role }
end

-- Adds everybody; returns the list of { npc, role }.
function cast.enter(world, onDeath)
  local members = {}
  for i, role in ipairs(ROLES) do members[i] = add(world, role, onDeath) end
  return members
end

function cast.update(members, player, dt)
  for _, member in ipairs(members) do
    if not member.npc:isDead() then
      if member.role.hunts then hunt(member.npc, member.role, player, dt) end
      chooseClip(member.npc)
    end
  end
end

return cast
