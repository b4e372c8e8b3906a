-- The stonework of the courtyard: ground, walls, gate, towers, the walkway with its steps and ramp, arches.
-- South is +Z. The ground inside the walls is 40 m by 40 m.
local exact = require "lib.art.exact"

local castle = {}

local HALF = 20                          -- from the middle of the court to its walls
local OUTSIDE = 22                       -- to their outer faces
local WALL_HEIGHT, MERLON_HEIGHT, MERLON_WIDTH = 6, 0.9, 1.6
local TOWER_RADIUS, TOWER_HEIGHT, TOWER_SIDES = 3.4, 9, 10
local ARCH_SEGMENTS = 9

local STEP_RISE, STEP_TREAD = 0.25, 0.4
local WALKWAY = { x0 = 16, x1 = HALF, z0 = -12, z1 = 8, height = 2 }
local RAMP_LENGTH = 4                    -- 26.6 degrees

castle.GARDEN_WALL_Z = 11                -- the garden lies south-west of it
castle.GARDEN_EDGE_X = -11

local function addGround(level)
  level:object("Ground"):place(0, 0, 0)
  level:quad("cobbles", { -OUTSIDE, 0, OUTSIDE }, { OUTSIDE, 0, OUTSIDE }, { OUTSIDE, 0, -OUTSIDE },
             { -OUTSIDE, 0, -OUTSIDE })
  level:object("Lawn")
  level:box("grass", -HALF, 0, castle.GARDEN_WALL_Z + 0.3, castle.GARDEN_EDGE_X - 0.3, 0.1, HALF, "bottom")
end

-- Merlons along the top of a wall that runs from x0 to x1, flush with its outer face at z.
local function addMerlons(level, x0, x1, y, z, depth)
  local count = exact.round((x1 - x0) / (2 * MERLON_WIDTH))
  for i = 0, count - 1 do
    local x = x0 + (i + 0.25) * (x1 - x0) / count
    level:box("stone", x, y, z, x + MERLON_WIDTH, y + MERLON_HEIGHT, z + depth, "bottom")
  end
end

-- The piece of wall over an opening that is `half` wide to each side of x = 0 and arched from `spring` up.
local function addArch(level, half, spring, top, z0, z1)
  local function corner(i)
    local angle = 180 - 180 * i / ARCH_SEGMENTS
    return half * exact.cos(angle), spring + half * exact.sin(angle)
  end
  for i = 0, ARCH_SEGMENTS - 1 do
    local xa, ya = corner(i)
    local xb, yb = corner(i + 1)
    level:quad("stone", { xa, ya, z1 }, { xb, yb, z1 }, { xb, top, z1 }, { xa, top, z1 })
    level:quad("stone", { xb, yb, z0 }, { xa, ya, z0 }, { xa, top, z0 }, { xb, top, z0 })
    level:quad("stone", { xa, ya, z0 }, { xb, yb, z0 }, { xb, yb, z1 }, { xa, ya, z1 })
    level:quad("stone", { xa, top, z1 }, { xb, top, z1 }, { xb, top, z0 }, { xa, top, z0 })
  end
end

-- A wall along one side, whose ends the towers hide; `yaw` turns it from the north to its place.
local function addWall(level, name, yaw)
  level:object(name):place(0, 0, 0, yaw)
  level:box("stone", -HALF, 0, -OUTSIDE, HALF, WALL_HEIGHT, -HALF, "bottom")
  addMerlons(level, -HALF, HALF, WALL_HEIGHT, -OUTSIDE, 0.5)
end

local GATE_HALF, GATE_SPRING, GATEHOUSE_HALF, GATEHOUSE_TOP = 2.5, 2.6, 6, 7.5

local function addGate(level)
  level:object("North wall"):place(0, 0, 0)
  for _, side in ipairs { -1, 1 } do
    local x0, x1 = math.min(side * GATEHOUSE_HALF, side * HALF), math.max(side * GATEHOUSE_HALF, side * HALF)
    level:box("stone", x0, 0, -OUTSIDE, x1, WALL_HEIGHT, -HALF, "bottom")
    addMerlons(level, x0, x1, WALL_HEIGHT, -OUTSIDE, 0.5)
  end
  level:object("Gatehouse")
  for _, side in ipairs { -1, 1 } do
    local from, to = side * GATE_HALF, side * GATEHOUSE_HALF
    level:box("stone", math.min(from, to), 0, -OUTSIDE - 0.5, math.max(from, to), GATEHOUSE_TOP, -HALF + 1, "bottom")
  end
  addArch(level, GATE_HALF, GATE_SPRING, GATEHOUSE_TOP, -OUTSIDE - 0.5, -HALF + 1)
  addMerlons(level, -GATEHOUSE_HALF, GATEHOUSE_HALF, GATEHOUSE_TOP, -HALF + 0.5, 0.5)
  addMerlons(level, -GATEHOUSE_HALF, GATEHOUSE_HALF, GATEHOUSE_TOP, -OUTSIDE - 0.5, 0.5)
  level:object("Gate")
  local doorZ = -HALF - 0.4
  for _, side in ipairs { -1, 1 } do
    local x0, x1 = math.min(0, side * GATE_HALF), math.max(0, side * GATE_HALF)
    level:box("wood", x0, 0, doorZ - 0.25, x1, GATE_SPRING + GATE_HALF, doorZ, "bottom")
    for _, y in ipairs { 0.7, 2.2, 3.7 } do
      level:box("iron", x0 + 0.08, y, doorZ, x1 - 0.08, y + 0.22, doorZ + 0.06)
    end
    level:box("iron", side * 0.3 - 0.06, 1.3, doorZ, side * 0.3 + 0.06, 1.7, doorZ + 0.16)
  end
end

local function addTower(level, name, x, z)
  level:object(name):place(x, 0, z)
  local r, top = TOWER_RADIUS, TOWER_HEIGHT
  level:lathe("stone", 0, 0, TOWER_SIDES, {
    { r + 0.35, 0, true }, { r, 1.2, true }, { r, top / 2 + 0.6, true }, { r, top - 1, true },
    { r + 0.4, top - 0.4, true }, { r + 0.4, top, true }, { 0, top, true },
  })
  level:lathe("roof", 0, 0, TOWER_SIDES, {
    { 0, top - 0.05, true }, { r + 0.8, top - 0.05, true }, { r * 0.5, top + 3.0 }, { 0, top + 5.2 },
  })
  level:lathe("iron", 0, 0, 4, { { 0.07, top + 5, true }, { 0.05, top + 6.4, true }, { 0, top + 6.5 } })
end

-- A raised way along the east wall, with steps up at its south end and a ramp at its north end.
local function addWalkway(level)
  local way = WALKWAY
  level:object("Walkway"):place(0, 0, 0)
  level:box("stone", way.x0, 0, way.z0, way.x1, way.height, way.z1, "bottom")
  level:object("Steps")
  local count = exact.round(way.height / STEP_RISE)
  for i = 1, count - 1 do
    local z = way.z1 + (count - 1 - i) * STEP_TREAD
    level:box("stone", way.x0 + 0.5, 0, z, way.x1, i * STEP_RISE, z + STEP_TREAD, "bottom")
  end
  level:object("Ramp")
  local z0, z1 = way.z0 - RAMP_LENGTH, way.z0
  level:block("stone", {
    { way.x0 + 0.5, 0, z1 }, { way.x1, 0, z1 }, { way.x1, 0, z0 }, { way.x0 + 0.5, 0, z0 },
    { way.x0 + 0.5, way.height, z1 }, { way.x1, way.height, z1 }, { way.x1, 0.001, z0 }, { way.x0 + 0.5, 0.001, z0 },
  }, "bottom")
  level:object("Railing")
  for i = 0, 5 do
    local z = way.z0 + 0.5 + i * (way.z1 - way.z0 - 1) / 5
    level:box("wood", way.x0 + 0.1, way.height, z - 0.08, way.x0 + 0.26, way.height + 1, z + 0.08, "bottom")
  end
  for _, y in ipairs { 0.45, 0.88 } do
    level:box("wood", way.x0 + 0.14, way.height + y, way.z0 + 0.3, way.x0 + 0.22, way.height + y + 0.1, way.z1 - 0.3)
  end
end

-- The low wall around the garden, with an arch to walk through.
local function addGarden(level)
  local z, edge, height = castle.GARDEN_WALL_Z, castle.GARDEN_EDGE_X, 1.3
  local archX, half = -15.5, 1.3
  level:object("Garden wall"):place(0, 0, 0)
  level:box("stone", -HALF, 0, z - 0.3, archX - half - 0.7, height, z + 0.3, "bottom")
  level:box("stone", archX + half + 0.7, 0, z - 0.3, edge + 0.3, height, z + 0.3, "bottom")
  level:box("stone", edge - 0.3, 0, z + 0.3, edge + 0.3, height, HALF, "bottom")
  level:object("Arch"):place(archX, 0, z)
  for _, side in ipairs { -1, 1 } do
    local from, to = side * half, side * (half + 0.7)
    level:box("stone", math.min(from, to), 0, -0.45, math.max(from, to), 4, 0.45, "bottom")
  end
  addArch(level, half, 2.1, 4, -0.45, 0.45)
  level:box("stone", -half - 0.85, 4, -0.6, half + 0.85, 4.3, 0.6)
end

function castle.build(level)
  addGround(level)
  addGate(level)
  addWall(level, "West wall", 90)
  addWall(level, "South wall", 180)
  addWall(level, "East wall", 270)
  addTower(level, "North-west tower", -HALF - 0.5, -HALF - 0.5)
  addTower(level, "North-east tower", HALF + 0.5, -HALF - 0.5)
  addTower(level, "South-west tower", -HALF - 0.5, HALF + 0.5)
  addTower(level, "South-east tower", HALF + 0.5, HALF + 0.5)
  addWalkway(level)
  addGarden(level)
end

return castle
