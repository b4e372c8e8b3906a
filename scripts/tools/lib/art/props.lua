-- The things that stand in the courtyard, each an object with a name that the game can say.
local exact = require "lib.art.exact"
local animation = require "lib.art.animation"
local clips = require "lib.art.clips"
local knightMesh = require "lib.art.knight_mesh"
local knightBody = require "lib.art.knight_body"
local knightClips = require "lib.art.knight_clips"

local props = {}

local UNITS_PER_METRE = 24               -- of the characters
local STATUE_CLIP, STATUE_FRAME = "salute", 5
local STATUE_SCALE = 1.25
local STATUE_TILE = 0.9                  -- metres of stone texture on the figure

local function addWell(level, x, z)
  level:object("Well"):place(x, 0, z)
  level:lathe("stone", 0, 0, 10, {
    { 1.25, 0, true }, { 1.2, 0.85, true }, { 1.3, 0.9, true }, { 1.3, 1.05, true }, { 0.9, 1.05, true },
    { 0.9, 0.35, true },
  })
  level:lathe("water", 0, 0, 10, { { 0.9, 0.4, true }, { 0, 0.4, true } })
  for _, side in ipairs { -1, 1 } do
    level:box("wood", side * 1.1 - 0.09, 0.9, -0.09, side * 1.1 + 0.09, 2.5, 0.09)
  end
  level:box("wood", -1.2, 2.15, -0.06, 1.2, 2.27, 0.06)
  for _, side in ipairs { -1, 1 } do     -- the two slopes of the roof
    local low, high = side * 1.25, 0
    local a, b = math.min(low, high), math.max(low, high)
    local yA, yB = a == low and 2.35 or 3.15, b == low and 2.35 or 3.15
    level:block("roof", {
      { -1.5, yA, a }, { -1.5, yB, b }, { 1.5, yB, b }, { 1.5, yA, a },
      { -1.5, yA + 0.1, a }, { -1.5, yB + 0.1, b }, { 1.5, yB + 0.1, b }, { 1.5, yA + 0.1, a },
    })
  end
  level:object("Bucket")
  level:lathe("wood", 0.55, 0.9, 8, {
    { 0.16, 1.05, true }, { 0.21, 1.4, true }, { 0.17, 1.4, true }, { 0.14, 1.15, true }, { 0, 1.15, true },
  })
end

-- The saluting knight in stone, on its pedestal in the middle of the fountain.
local function addStatue(level, x, z, height)
  local mesh = knightMesh.build()
  local frames = {}
  for _, frame in ipairs(clips.frames(knightMesh.FRAME_COUNT)) do
    if frame.clip == STATUE_CLIP and frame.index == STATUE_FRAME then frames[1] = frame end
  end
  local positions = animation.run(frames, knightClips, knightBody, mesh)[1].positions
  local normals, scale = mesh:normals(positions), STATUE_SCALE / UNITS_PER_METRE
  level:object("Statue"):place(x, height, z)
  for _, triangle in ipairs(mesh.triangles) do
    local points, around, coordinates = {}, {}, {}
    for corner = 1, 3 do
      local p, n = positions[triangle[corner]], normals[triangle[corner]]
      points[corner] = { p[2] * scale, p[3] * scale, p[1] * scale }
      around[corner] = { n[2], n[3], n[1] }
      coordinates[corner] = { (points[corner][1] + points[corner][3]) / STATUE_TILE, points[corner][2] / STATUE_TILE }
    end
    level:face("marble", points, coordinates, around)
  end
end

local function addFountain(level, x, z)
  level:object("Fountain"):place(x, 0, z)
  level:lathe("stone", 0, 0, 12, {
    { 2.0, 0, true }, { 1.9, 0.15, true }, { 1.75, 0.45 }, { 1.9, 0.6, true }, { 1.9, 0.75, true }, { 1.6, 0.75, true },
    { 1.6, 0.3, true },
  })
  level:lathe("water", 0, 0, 12, { { 1.6, 0.55, true }, { 0, 0.55, true } })
  level:lathe("stone", 0, 0, 8, {
    { 0.75, 0.5, true }, { 0.75, 0.9, true }, { 0.55, 1.0, true }, { 0.55, 1.5, true }, { 0.75, 1.6, true },
    { 0.75, 1.75, true }, { 0, 1.75, true },
  })
  addStatue(level, x, z, 1.75)
end

function props.addTree(level, x, z)
  level:object("Tree"):place(x, 0, z)
  level:lathe("bark", 0, 0, 8, {
    { 0.75, 0.05 }, { 0.42, 0.5 }, { 0.34, 1.8 }, { 0.38, 2.6 }, { 0.2, 4.4 }, { 0, 5 },
  })
  local blobs = { { 0, 4.9, 0, 1.9 }, { 1.2, 4.0, 0.5, 1.3 }, { -1.1, 4.2, 0.7, 1.35 }, { 0.1, 4.1, -1.2, 1.3 } }
  for _, blob in ipairs(blobs) do
    local bx, by, bz, r = table.unpack(blob)
    level:place(x + bx, by, z + bz, 40 * by)
    level:lathe("leaves", 0, 0, 8, {
      { 0, -0.8 * r }, { 0.82 * r, -0.5 * r }, { 0.98 * r, 0.15 * r }, { 0.6 * r, 0.75 * r }, { 0, 0.95 * r },
    })
  end
end

local function addBarrel(level, number, x, z)
  level:object(("Barrel %d"):format(number)):place(x, 0, z, number * 50)
  level:lathe("wood", 0, 0, 8, {
    { 0.36, 0, true }, { 0.45, 0.35 }, { 0.45, 0.65 }, { 0.36, 1.0, true }, { 0.32, 1.0, true }, { 0.32, 0.94, true },
    { 0, 0.94, true },
  })
  for _, hoop in ipairs { { 0.415, 0.16 }, { 0.415, 0.78 } } do
    local radius, y = hoop[1], hoop[2]
    level:lathe("iron", 0, 0, 8, { { radius + 0.005, y, true }, { radius + 0.005, y + 0.08, true } })
  end
end

-- A crate of boards between four posts.
local function addCrate(level, number, x, y, z, size, yaw)
  level:object(("Crate %d"):format(number)):place(x, y, z, yaw)
  local half, post = size / 2, size * 0.1
  level:box("wood", -half + 0.03, 0.01, -half + 0.03, half - 0.03, size - 0.03, half - 0.03)
  for _, sx in ipairs { -1, 1 } do
    for _, sz in ipairs { -1, 1 } do
      local x0, z0 = sx > 0 and half - post or -half, sz > 0 and half - post or -half
      level:box("bark", x0, 0, z0, x0 + post, size, z0 + post)
    end
  end
end

-- A wheel in the plane of y and z, `x` from the middle of what it carries.
local function addWheel(level, x, z, radius)
  local sides, width = 8, 0.07
  local function rim(i, r)
    return radius + r * exact.sin(360 * i / sides), z + r * exact.cos(360 * i / sides)
  end
  for i = 0, sides - 1 do
    local yA, zA = rim(i, radius)
    local yB, zB = rim(i + 1, radius)
    local yC, zC = rim(i + 1, radius * 0.82)
    local yD, zD = rim(i, radius * 0.82)
    level:quad("wood", { x + width, yD, zD }, { x + width, yC, zC }, { x + width, yB, zB }, { x + width, yA, zA })
    level:quad("wood", { x - width, yA, zA }, { x - width, yB, zB }, { x - width, yC, zC }, { x - width, yD, zD })
    level:quad("iron", { x - width, yB, zB }, { x - width, yA, zA }, { x + width, yA, zA }, { x + width, yB, zB })
    level:quad("wood", { x - width, yD, zD }, { x - width, yC, zC }, { x + width, yC, zC }, { x + width, yD, zD })
  end
  level:box("wood", x - 0.05, 0.2, z - 0.05, x + 0.05, 2 * radius - 0.2, z + 0.05)
  level:box("wood", x - 0.05, radius - 0.05, z - radius * 0.85, x + 0.05, radius + 0.05, z + radius * 0.85)
  level:box("iron", x - 0.12, radius - 0.12, z - 0.12, x + 0.12, radius + 0.12, z + 0.12)
end

-- A two-wheeled cart of hay, its shafts resting on the ground.
local function addCart(level, x, z, yaw)
  level:object("Cart"):place(x, 0, z, yaw)
  level:box("wood", -0.9, 0.75, -1.4, 0.9, 0.87, 1.4)
  for _, side in ipairs { -1, 1 } do
    level:box("wood", side * 0.87 - 0.04, 0.87, -1.4, side * 0.87 + 0.04, 1.35, 1.4, "bottom")
    level:block("wood", {
      { side * 0.6 - 0.06, 0.72, 1.4 }, { side * 0.6 + 0.06, 0.72, 1.4 },
      { side * 0.6 + 0.06, 0.72, 0.6 }, { side * 0.6 - 0.06, 0.72, 0.6 },
      { side * 0.6 - 0.06, 0.82, 1.4 }, { side * 0.6 + 0.06, 0.82, 1.4 },
      { side * 0.6 + 0.06, 0.82, 0.6 }, { side * 0.6 - 0.06, 0.82, 0.6 },
    })
    level:block("wood", {
      { side * 0.6 - 0.06, 0.01, 3.4 }, { side * 0.6 + 0.06, 0.01, 3.4 },
      { side * 0.6 + 0.06, 0.7, 1.4 }, { side * 0.6 - 0.06, 0.7, 1.4 },
      { side * 0.6 - 0.06, 0.13, 3.4 }, { side * 0.6 + 0.06, 0.13, 3.4 },
      { side * 0.6 + 0.06, 0.82, 1.4 }, { side * 0.6 - 0.06, 0.82, 1.4 },
    })
    addWheel(level, side * 1.08, -0.1, 0.75)
  end
  level:box("wood", -0.83, 0.87, -1.4, 0.83, 1.3, -1.32, "bottom")
  level:box("wood", -1.1, 0.69, -0.16, 1.1, 0.81, -0.04)
  level:object("Hay")
  level:lathe("hay", 0, 0, 8, { { 0.8, 0.87 }, { 0.86, 1.25 }, { 0.6, 1.7 }, { 0, 1.85 } }, 1.5)
end

-- A cloth on a pole before a wall; `yaw` 0 hangs it on the north wall.
local function addBanner(level, number, x, z, yaw)
  level:object(("Banner %d"):format(number)):place(x, 0, z, yaw)
  local half, top, bottom, front = 0.75, 5.1, 2.0, 0.22
  level:box("wood", -half - 0.15, top, front - 0.06, half + 0.15, top + 0.1, front + 0.04)
  local function at(column, row)
    local x0 = -half + 2 * half * column / 4
    local wave = 0.05 * exact.sin(column * 120 + row * 70) * row / 3
    local point = row == 3 and column % 2 == 1 and 0.25 or 0
    return { x0, top + (bottom - top) * row / 3 + point, front + wave }, { column / 4, 1 - row / 3 }
  end
  for row = 0, 2 do
    for column = 0, 3 do
      local points, coordinates = {}, {}
      local corners = { { column, row + 1 }, { column + 1, row + 1 }, { column + 1, row }, { column, row } }
      for i, corner in ipairs(corners) do points[i], coordinates[i] = at(corner[1], corner[2]) end
      level:face("banner", points, coordinates)
    end
  end
end

-- An open shed along the west wall.
local function addStable(level)
  level:object("Stable"):place(0, 0, 0)
  for _, z in ipairs { -7.5, -3.5, 0.5 } do
    level:box("wood", -16.15, 0, z - 0.15, -15.85, 2.7, z + 0.15, "bottom")
    level:block("wood", {
      { -20, 3.35, z + 0.1 }, { -15.6, 2.6, z + 0.1 }, { -15.6, 2.6, z - 0.1 }, { -20, 3.35, z - 0.1 },
      { -20, 3.6, z + 0.1 }, { -15.6, 2.85, z + 0.1 }, { -15.6, 2.85, z - 0.1 }, { -20, 3.6, z - 0.1 },
    })
  end
  level:block("roof", {
    { -20, 3.6, 1.2 }, { -15.3, 2.8, 1.2 }, { -15.3, 2.8, -8.2 }, { -20, 3.6, -8.2 },
    { -20, 3.75, 1.2 }, { -15.3, 2.95, 1.2 }, { -15.3, 2.95, -8.2 }, { -20, 3.75, -8.2 },
  })
  level:object("Partition")
  level:box("wood", -19.9, 0, -3.56, -16.2, 1.4, -3.44, "bottom")
  level:object("Trough")
  level:box("wood", -19.8, 0, -6.8, -19.0, 0.6, -4.6, "bottom")
  level:box("hay", -19.7, 0.55, -6.7, -19.1, 0.68, -4.7, "bottom")
  level:object("Haystack")
  level:lathe("hay", -18.2, -1.4, 8, { { 1.3, 0 }, { 1.35, 0.5 }, { 0.95, 1.2 }, { 0.35, 1.7 }, { 0, 1.8 } })
end

local function addTarget(level, x, z, yaw)
  level:object("Archery target"):place(x, 0, z, yaw)
  for _, side in ipairs { -1, 1 } do
    level:block("wood", {
      { side * 0.6 - 0.06, 0, 0.3 }, { side * 0.6 + 0.06, 0, 0.3 }, { side * 0.6 + 0.06, 0, 0.18 },
      { side * 0.6 - 0.06, 0, 0.18 }, { side * 0.15 - 0.06, 1.9, -0.1 }, { side * 0.15 + 0.06, 1.9, -0.1 },
      { side * 0.15 + 0.06, 1.9, -0.22 }, { side * 0.15 - 0.06, 1.9, -0.22 },
    }, "bottom")
  end
  local rings = { { 0.75, "hay", 0.16 }, { 0.5, "cloth", 0.18 }, { 0.25, "gold", 0.20 } }
  for _, ring in ipairs(rings) do
    local radius, material, front = ring[1], ring[2], ring[3]
    local sides, centre = 12, { 0, 1.2, front }
    for i = 0, sides - 1 do
      local function rim(k, depth)
        return { radius * exact.cos(360 * k / sides), 1.2 + radius * exact.sin(360 * k / sides), depth }
      end
      level:face(material, { centre, rim(i, front), rim(i + 1, front) })
      if material == "hay" then
        level:face(material, { rim(i, front), rim(i, -0.06), rim(i + 1, -0.06), rim(i + 1, front) })
        level:face(material, { { 0, 1.2, -0.06 }, rim(i + 1, -0.06), rim(i, -0.06) })
      end
    end
  end
end

local function addBench(level, number, x, z, yaw)
  level:object(("Bench %d"):format(number)):place(x, 0, z, yaw)
  level:box("wood", -1, 0.42, -0.22, 1, 0.5, 0.22)
  for _, side in ipairs { -1, 1 } do
    level:box("wood", side * 0.75 - 0.06, 0, -0.18, side * 0.75 + 0.06, 0.42, 0.18, "bottom")
  end
end

-- An iron basket of embers on a stone foot, either side of the gate.
local function addBrazier(level, number, x, z)
  level:object(("Brazier %d"):format(number)):place(x, 0, z)
  level:lathe("stone", 0, 0, 6, {
    { 0.3, 0, true }, { 0.25, 0.2, true }, { 0.09, 0.3 }, { 0.09, 0.95 }, { 0.2, 1.0, true },
  })
  level:lathe("iron", 0, 0, 6, { { 0.15, 1.0, true }, { 0.38, 1.3, true }, { 0.34, 1.3, true }, { 0.2, 1.15, true } })
  level:lathe("embers", 0, 0, 6, { { 0.28, 1.2 }, { 0.22, 1.36 }, { 0, 1.48 } })
end

function props.build(level)
  addWell(level, 12.5, 3)
  addFountain(level, -3, -2)
  props.addTree(level, -15.5, 15.8)
  for i, place in ipairs { { 15.2, -4 }, { 15.3, -5 }, { 14.4, -4.6 }, { 12.4, 18.9 }, { 11.4, 18.7 } } do
    addBarrel(level, i, place[1], place[2])
  end
  addCrate(level, 1, 13.4, 0, -15.4, 1.2, 10)
  addCrate(level, 2, 14.8, 0, -15.8, 1.0, -15)
  addCrate(level, 3, 13.5, 1.2, -15.4, 0.8, 32)
  addCrate(level, 4, -13.5, 0, -17.6, 1.2, 24)
  addCart(level, -14.2, -12.4, 35)
  addStable(level)
  addTarget(level, 6, 18.2, 180)
  addBench(level, 1, 1, 19.2, 180)
  addBench(level, 2, -12.2, 9.2, 0)
  addBrazier(level, 1, -3.8, -17.4)
  addBrazier(level, 2, 3.8, -17.4)
  local banners = {
    { -9, -20, 0 }, { 9, -20, 0 }, { -20, 5, 90 }, { -20, -12, 90 }, { -5, 20, 180 }, { 5, 20, 180 }, { 20, -6, 270 },
    { 20, 3, 270 },
  }
  for i, place in ipairs(banners) do
    addBanner(level, i, place[1], place[2], place[3])
  end
end

return props
