-- The shape of the centaur: one skin from the rump of the horse over its breast and the human trunk to the crown, out
-- of which four legs, two arms and a tail grow; hair, and a spear in the right hand. It stands square, arms hanging.
local mesh = require "lib.art.mesh"
local rigid = require "lib.art.rigid"
local skeleton = require "lib.art.skeleton"

local centaur = {}

centaur.SKIN_SIZE = 256
centaur.FRAME_COUNT = 199
centaur.LONGER_CLIPS = { death3 = 1 }    -- it takes one frame more to come down from rearing

local LEFT_JOINTS = {
  { "leftShoulder", "chest", 13.8, 6.5, 49.4 },
  { "leftElbow", "leftShoulder", 13.5, 9.2, 42.4 },
  { "leftHand", "leftElbow", 13.8, 10.1, 35.4 },
  { "leftFrontHip", "withers", 11.6, 4.6, 25 },
  { "leftFrontKnee", "leftFrontHip", 12.3, 4.6, 13 },
  { "leftFrontFoot", "leftFrontKnee", 12, 4.6, 4 },
  { "leftHindHip", "barrel", -9, 4.8, 25 },
  { "leftHindKnee", "leftHindHip", -13.5, 4.8, 12.5 },
  { "leftHindFoot", "leftHindKnee", -12, 4.8, 4 },
}

-- Joints { name, parent, x, y, z }; the knee of a hind leg is its hock.
centaur.JOINTS = {
  { "barrel", nil, -2, 0, 27 },
  { "withers", "barrel", 7, 0, 28 },
  { "waist", "withers", 14.2, 0, 37 },
  { "chest", "waist", 14.2, 0, 43 },
  { "head", "chest", 14, 0, 53 },
  { "tailRoot", "barrel", -18.5, 0, 32 },
  { "tailTip", "tailRoot", -23, 0, 25 },
}

skeleton.addSides(centaur.JOINTS, LEFT_JOINTS)

-- Where the parts lie on the skin: x, y, width, height in texels, and the rings from which to which they show.
local TRUNK_CHARTS = {
  { 2, 2, 124, 120, first = 1, last = 7 },
  { 2, 126, 124, 62, first = 7, last = 12 },
  { 2, 192, 100, 60, first = 12, last = 14 },
}
local RUMP_CHART = { 194, 238, 16, 16 }
local TAIL_CHART, SPEAR_CHART, HAIR_CHART = { 218, 160, 36, 54 }, { 106, 192, 20, 60 }, { 130, 238, 60, 16 }

-- The charts of a limb above and below its knee, at x, y.
local function limbCharts(x, y, width, upper, lower, last)
  return { { x, y, width, upper, first = 1, last = 3 }, { x, y + upper + 3, width, lower, first = 3, last = last } }
end

-- The limbs: where on the trunk they begin, as bands and columns of the quads that open for them.
local LIMBS = {
  { part = "leftFront", bands = { 5, 6 }, columns = { 5 }, charts = limbCharts(130, 2, 58, 34, 38, 5),
    sole = { 130, 218, 15, 15 } },
  { part = "rightFront", bands = { 5, 6 }, columns = { 2 }, charts = limbCharts(192, 2, 58, 34, 38, 5),
    sole = { 148, 218, 15, 15 } },
  { part = "leftHind", bands = { 2, 3 }, columns = { 5 }, charts = limbCharts(130, 80, 58, 34, 38, 5),
    sole = { 166, 218, 15, 15 } },
  { part = "rightHind", bands = { 2, 3 }, columns = { 2 }, charts = limbCharts(192, 80, 58, 34, 38, 5),
    sole = { 184, 218, 15, 15 } },
  { part = "leftArm", bands = { 10 }, columns = { 5, 6 }, charts = limbCharts(130, 160, 40, 24, 26, 4),
    sole = { 204, 218, 14, 14 } },
  { part = "rightArm", bands = { 10 }, columns = { 1, 2 }, charts = limbCharts(174, 160, 40, 24, 26, 4),
    sole = { 222, 218, 14, 14 } },
}
local TAIL = { bands = { 1 }, columns = { 7, 0 } }
local TRUNK_SIDES = 8

local TRUNK_RINGS = {
  { at = { -18.6, 0, 28 }, tilt = 80, front = 3.4, back = 4, side = 3.6, joints = "barrel" },
  { at = { -15.6, 0, 27.4 }, tilt = 90, front = 6, back = 6.6, side = 6, joints = "barrel" },
  { at = { -9.5, 0, 27.2 }, tilt = 90, front = 6.8, back = 7.2, side = 6.9, joints = "barrel" },
  { at = { -2.5, 0, 26.8 }, tilt = 90, front = 7, back = 6.2, side = 6.4, joints = { "barrel", 0.8, "withers", 0.2 } },
  { at = { 5, 0, 26.8 }, tilt = 88, front = 7.2, back = 6.4, side = 6.4, joints = { "withers", 0.7, "barrel", 0.3 } },
  { at = { 11.2, 0, 28.2 }, tilt = 70, front = 6.5, back = 7, side = 6.2, joints = "withers" },
  { at = { 13.6, 0, 33.2 }, tilt = 32, front = 5.2, back = 4.6, side = 5.2, joints = { "withers", 0.9, "waist", 0.1 } },
  { at = { 14.2, 0, 38 }, tilt = 2, front = 3.4, back = 3.4, side = 4.5, joints = { "waist", 0.6, "withers", 0.4 } },
  { at = { 14.2, 0, 43 }, front = 4.0, back = 3.6, side = 5.7, joints = { "waist", 0.5, "chest", 0.5 } },
  { at = { 14, 0, 47.4 }, front = 4.6, back = 3.9, side = 7.0, joints = "chest" },
  { at = { 13.6, 0, 51.2 }, front = 2.6, back = 3.2, side = 5.5, joints = "chest" },
  { at = { 13.8, 0, 53.2 }, front = 1.7, back = 2.0, side = 1.8, joints = { "chest", 0.5, "head", 0.5 } },
  { at = { 14.6, 0, 55.8 }, front = 2.7, back = 2.7, side = 2.4, joints = "head" },
  { at = { 14.1, 0, 60.3 }, front = 2.7, back = 3.2, side = 2.7, joints = "head" },
}

-- Rings of a limb below the trunk. The first only says which way the limb sets out; the trunk's own corners replace it.
local function frontLegRings(side, y)
  local hip, knee, foot = side .. "FrontHip", side .. "FrontKnee", side .. "FrontFoot"
  return {
    { at = { 11, y, 27 }, front = 3, side = 3, joints = hip },
    { at = { 11.8, y, 19 }, front = 2.6, back = 2.5, side = 2.2, joints = hip },
    { at = { 12.3, y, 13 }, front = 1.8, back = 1.6, side = 1.6, joints = { hip, 0.5, knee, 0.5 } },
    { at = { 12, y, 4.6 }, front = 1.3, back = 1.4, side = 1.2, joints = { knee, 0.5, foot, 0.5 } },
    { at = { 12.8, y, 0 }, front = 2.4, back = 2, side = 2.1, joints = foot },
  }
end

local function hindLegRings(side, y)
  local hip, knee, foot = side .. "HindHip", side .. "HindKnee", side .. "HindFoot"
  return {
    { at = { -10, y, 27 }, front = 4, side = 3, joints = hip },
    { at = { -10.4, y, 18.5 }, front = 3.4, back = 3.2, side = 2.6, joints = { hip, 0.9, knee, 0.1 } },
    { at = { -13.5, y, 12.5 }, front = 1.7, back = 2.1, side = 1.6, joints = { hip, 0.4, knee, 0.6 } },
    { at = { -12, y, 4.6 }, front = 1.3, back = 1.5, side = 1.3, joints = { knee, 0.5, foot, 0.5 } },
    { at = { -11.2, y, 0 }, front = 2.4, back = 2, side = 2.1, joints = foot },
  }
end

local function armRings(side, sign)
  local shoulder, elbow, hand = side .. "Shoulder", side .. "Elbow", side .. "Hand"
  return {
    { at = { 13.8, sign * 6, 49 }, front = 2, side = 2, joints = shoulder },
    { at = { 13.5, sign * 9.2, 42.6 }, front = 2.2, side = 2.0, joints = { shoulder, 0.5, elbow, 0.5 } },
    { at = { 13.7, sign * 10, 36.4 }, front = 1.6, side = 1.4, joints = { elbow, 0.5, hand, 0.5 } },
    { at = { 13.9, sign * 10.2, 33.2 }, front = 1.9, side = 1.5, joints = hand },
  }
end

local RINGS = {
  leftFront = frontLegRings("left", 4.6), rightFront = frontLegRings("right", -4.6),
  leftHind = hindLegRings("left", 4.8), rightHind = hindLegRings("right", -4.8),
  leftArm = armRings("left", 1), rightArm = armRings("right", -1),
}

-- Marks the quads of an opening as missing, and later names the six corners around it.
local function openHole(holes, opening)
  for _, band in ipairs(opening.bands) do
    holes[band] = holes[band] or {}
    for _, column in ipairs(opening.columns) do holes[band][column] = true end
  end
end

local function loopAround(grid, opening)
  local first, last = opening.bands[1], opening.bands[#opening.bands] + 1
  local left, right = opening.columns[1], opening.columns[#opening.columns] + 1
  local loop = {}
  local function add(ring, column) table.insert(loop, grid[ring][column % TRUNK_SIDES]) end
  if #opening.bands == 2 then
    for ring = first, last do add(ring, left) end
    for ring = last, first, -1 do add(ring, right) end
  else
    local middle = left + 1
    for _, column in ipairs { left, middle, right % TRUNK_SIDES } do add(first, column) end
    for _, column in ipairs { right % TRUNK_SIDES, middle, left } do add(last, column) end
  end
  return loop
end

local function addTail(model, loop)
  model:loft { part = "tail", sides = 6, chart = TAIL_CHART, loop = loop, rings = {
    { at = { -18, 0, 33 }, tilt = -60, front = 2, side = 2, joints = "tailRoot" },
    { at = { -22.4, 0, 30.6 }, tilt = -130, front = 1.7, side = 1.7, joints = { "tailRoot", 0.8, "tailTip", 0.2 } },
    { at = { -24.6, 0, 21 }, tilt = -172, front = 2.0, side = 1.7, joints = "tailTip" },
  }, finish = { pole = { -24, 0, 9 } } }
end

local function addHair(model)
  model:loft { part = "hair", sides = 4, chart = HAIR_CHART, start = { pole = { 10.6, 0, 48 }, joints = "chest" },
    rings = { { at = { 12.6, 0, 57.4 }, tilt = 0, front = 2.0, back = 3.0, side = 3.0, joints = "head" } },
    finish = { pole = { 13.0, 0, 62.4 } } }
end

-- The spear lies along x in the hanging hand: bending the elbow sets it upright.
local function addSpear(model)
  local function ring(x, radius)
    return { at = { x, 0, 0 }, tilt = 90, front = radius, side = radius, joints = "rightHand" }
  end
  model:loft { part = "spear", sides = 3, chart = SPEAR_CHART, start = {}, place = rigid.translation(13.9, -10.2, 34.6),
    rings = { ring(-24, 0.5), ring(22, 0.55), ring(23.5, 1.5) }, finish = { pole = { 31, 0, 0 } } }
end

function centaur.build()
  local model, holes = mesh.new(), {}
  for _, limb in ipairs(LIMBS) do openHole(holes, limb) end
  openHole(holes, TAIL)
  local grid = model:loft { part = "trunk", sides = TRUNK_SIDES, charts = TRUNK_CHARTS, rings = TRUNK_RINGS,
    holes = holes, start = { chart = RUMP_CHART }, finish = { pole = { 13.8, 0, 62.2 } } }
  for _, limb in ipairs(LIMBS) do
    model:loft { part = limb.part, sides = 6, charts = limb.charts, rings = RINGS[limb.part],
      loop = loopAround(grid, limb), finish = { chart = limb.sole } }
  end
  addTail(model, loopAround(grid, TAIL))
  addHair(model)
  addSpear(model)
  return model
end

return centaur
