-- The ducklings: where they hide, whom they follow, and when they are home.
local palfrey = require "palfrey"

local flock = {}

local HIDING_PLACES = { {-8.5, 2}, {-3, -8.5}, {8.8, -2}, {-6.5, 9}, {7.5, 7.5} }
local FINDS_AT, NEST_AT = 1.6, 2.4         -- metres: from the duck to a duckling, from a duckling to the nest
local IN_NEST = { {0, 0}, {0.45, 0.2}, {-0.4, 0.3}, {0.2, -0.45}, {-0.35, -0.35} }

-- Squared distance over the ground between two nodes.
local function distance2(a, b)
  local ax, _, az = a:getPosition()
  local bx, _, bz = b:getPosition()
  return (ax - bx) * (ax - bx) + (az - bz) * (az - bz)
end

local function addDuckling(world, index, place)
  local npc = assert(world:addNPC{
    name = "Duckling " .. index, model = "models/duck.md2", skin = "models/duckling.png", tall = 0.5,
    animation = "peck", position = {place[1], 0.3, place[2]}, heading = index * 75,
    speed = 3.4, radius = 0.18, height = 0.5, collide = "none",
  })
  return { npc = npc, state = "lost" }     -- then "following", then "home"
end

-- Puts the ducklings into a world. `duck` is who finds them.
function flock.new(world, duck)
  local self = { duck = duck, nest = assert(world:find "Nest"), last = duck, ducklings = {} }
  for i, place in ipairs(HIDING_PLACES) do self.ducklings[i] = addDuckling(world, i, place) end
  return self
end

-- Waddling, or `still` for whoever stands.
function flock.playWalk(character, still)
  local vx, _, vz = character:getVelocity()
  character:play(vx * vx + vz * vz > 0.05 and "run" or still, { fade = 0.15 })
end

-- Puts a duckling at the end of the line.
local function lineUp(self, duckling)
  duckling.npc:follow(self.last, self.last == self.duck and 0.8 or 0.45)
  self.last = duckling.npc
end

local function follow(self, duckling)
  duckling.state = "following"
  lineUp(self, duckling)
  palfrey.hud.message(duckling.npc:getName() .. " follows you")
end

-- Goes to its place in the nest; the others line up anew behind the duck.
local function goHome(self, duckling, place)
  local x, y, z = self.nest:getCenter()
  duckling.state = "home"
  duckling.npc:walkTo(x + place[1], y, z + place[2])
  self.last = self.duck
  for _, other in ipairs(self.ducklings) do
    if other.state == "following" then lineUp(self, other) end
  end
end

local STILL = { lost = "peck", following = "stand", home = "flap" }

function flock.update(self)
  local nestX, _, nestZ = self.nest:getCenter()
  for i, duckling in ipairs(self.ducklings) do
    local x, _, z = duckling.npc:getPosition()
    local toNest2 = (x - nestX) * (x - nestX) + (z - nestZ) * (z - nestZ)
    if duckling.state == "lost" and distance2(duckling.npc, self.duck) < FINDS_AT * FINDS_AT then
      follow(self, duckling)
    elseif duckling.state == "following" and toNest2 < NEST_AT * NEST_AT then
      goHome(self, duckling, IN_NEST[i])
    end
    flock.playWalk(duckling.npc, STILL[duckling.state])
  end
end

-- How many are home, and how many there are.
function flock.count(self)
  local count = 0
  for _, duckling in ipairs(self.ducklings) do
    if duckling.state == "home" then count = count + 1 end
  end
  return count, #self.ducklings
end

function flock.isHome(self)
  local count, all = flock.count(self)
  return count == all
end

return flock
