-- The shape of the knight: plate armour and a tabard, a helmet with a snout and a plume, a heater shield on the left
-- arm. It stands upright with its arms hanging down. Left limbs are drawn and mirrored; both share their part of the
-- skin.
local mesh = require "lib.art.mesh"
local rigid = require "lib.art.rigid"
local skeleton = require "lib.art.skeleton"

local knight = {}

knight.SKIN_SIZE = 256
knight.FRAME_COUNT = 198

-- Joints { name, parent, x, y, z }; 24 units are a metre.
local LEFT_JOINTS = {
  { "leftShoulder", "chest", 0, 8, 41.5 },
  { "leftElbow", "leftShoulder", 0, 9, 33.5 },
  { "leftHand", "leftElbow", 0, 9.5, 26.5 },
  { "leftHip", "pelvis", 0, 3.6, 27 },
  { "leftKnee", "leftHip", 0.3, 4, 15 },
  { "leftAnkle", "leftKnee", -0.4, 4.2, 4 },
}

knight.JOINTS = {
  { "pelvis", nil, 0, 0, 28 },
  { "waist", "pelvis", 0, 0, 30 },
  { "chest", "waist", 0, 0, 36 },
  { "head", "chest", 0, 0, 44.5 },
  { "plume", "head", -1, 0, 55 },
}

skeleton.addSides(knight.JOINTS, LEFT_JOINTS)

-- Where the parts lie on the skin: x, y, width, height in texels.
local CHARTS = {
  body = { 4, 4, 150, 116 }, helmet = { 160, 4, 92, 34 }, crown = { 160, 42, 26, 20 }, visor = { 190, 42, 28, 26 },
  plume = { 222, 42, 30, 44 }, shieldBack = { 160, 66, 26, 36 }, shieldRim = { 160, 106, 92, 6 },
  arm = { 4, 126, 62, 126 }, leg = { 72, 126, 62, 126 }, pauldron = { 140, 126, 44, 34 }, foot = { 140, 166, 44, 44 },
  knuckles = { 140, 214, 18, 18 }, poleyn = { 164, 214, 20, 20 }, shield = { 190, 118, 62, 92 },
}

local HEATER = {                         -- outline of the shield from the tip along its right edge
  { -9.5, 0 }, { -5.5, -4.2 }, { -0.5, -6 }, { 3.5, -6.4 }, { 7, -6.2 }, { 7, 6.2 }, { 3.5, 6.4 }, { -0.5, 6 },
  { -5.5, 4.2 },
}

-- The hem hangs between the thighs and swings with the nearer one.
local function hemJoints(share)
  return function(p)
    local left = p[2] > 0.1 and share or p[2] < -0.1 and 0 or share / 2
    local right = p[2] < -0.1 and share or p[2] > 0.1 and 0 or share / 2
    return { "pelvis", 1 - share, "leftHip", left, "rightHip", right }
  end
end

local function addTrunk(model)
  model:loft { part = "body", sides = 10, chart = CHARTS.body, start = {}, finish = {}, rings = {
    { at = { 0, 0, 18.5 }, front = 6.2, back = 5.8, side = 7.6, joints = hemJoints(0.8) },
    { at = { 0, 0, 25 }, front = 5.0, side = 6.7, joints = hemJoints(0.35) },
    { at = { 0, 0, 30 }, front = 3.9, side = 5.2, joints = { "pelvis", 0.5, "waist", 0.5 } },
    { at = { 0.2, 0, 35 }, front = 5.0, back = 4.4, side = 6.3, joints = { "waist", 0.5, "chest", 0.5 } },
    { at = { 0.1, 0, 39.5 }, front = 5.6, back = 5.0, side = 7.4, joints = "chest" },
    { at = { -0.3, 0, 43.6 }, front = 3.6, back = 3.8, side = 5.6, joints = "chest" },
  } }
end

local function addHead(model)
  model:loft { part = "helmet", sides = 8, chart = CHARTS.helmet, start = {}, rings = {
    { at = { 0, 0, 42.8 }, front = 4.3, back = 4.0, side = 4.3, joints = { "head", 0.5, "chest", 0.5 } },
    { at = { 0.2, 0, 46.2 }, front = 3.3, back = 3.4, side = 3.2, joints = "head" },
    { at = { 0.2, 0, 50 }, front = 3.9, back = 4.3, side = 3.7, joints = "head" },
    { at = { 0, 0, 53.4 }, front = 2.8, back = 3.2, side = 2.7, joints = "head" },
  }, finish = { pole = { -0.4, 0, 55.4 }, chart = CHARTS.crown } }
  model:loft { part = "visor", sides = 6, chart = CHARTS.visor, fold = true, rings = {
    { at = { 1.6, 0, 48.9 }, tilt = 90, front = 3.6, back = 3.0, side = 4.0, joints = "head" },
    { at = { 4.7, 0, 48.5 }, tilt = 90, front = 2.5, back = 1.9, side = 2.3, joints = "head" },
  }, finish = { pole = { 7.6, 0, 47.3 } } }
  model:loft { part = "plume", sides = 4, chart = CHARTS.plume, fold = true, start = {}, rings = {
    { at = { -0.2, 0, 54.4 }, tilt = -10, front = 0.9, side = 0.6, joints = "head" },
    { at = { -1.2, 0, 57.4 }, tilt = -45, front = 1.8, side = 1.1, joints = { "head", 0.5, "plume", 0.5 } },
    { at = { -4.2, 0, 58.6 }, tilt = -95, front = 2.2, side = 1.4, joints = "plume" },
    { at = { -7.4, 0, 55.8 }, tilt = -140, front = 2.3, side = 1.4, joints = "plume" },
    { at = { -8.8, 0, 51.2 }, tilt = -165, front = 1.7, side = 1.0, joints = "plume" },
  }, finish = { pole = { -8.6, 0, 46.4 } } }
end

local function addArm(model)
  model:loft { part = "leftArm", sides = 6, chart = CHARTS.arm, finish = { chart = CHARTS.knuckles }, rings = {
    { at = { 0, 7.6, 42.5 }, front = 2.3, side = 2.0, joints = "leftShoulder" },
    { at = { 0, 8.5, 38 }, front = 2.3, side = 2.0, joints = "leftShoulder" },
    { at = { 0, 9, 33.5 }, front = 2.0, back = 2.3, side = 1.9, joints = { "leftShoulder", 0.5, "leftElbow", 0.5 } },
    { at = { 0, 9.3, 29.6 }, front = 2.7, side = 2.5, joints = "leftElbow" },
    { at = { 0, 9.5, 27 }, front = 1.6, side = 1.5, joints = { "leftElbow", 0.4, "leftHand", 0.6 } },
    { at = { 0.3, 9.5, 25 }, front = 2.2, side = 1.7, joints = "leftHand" },
    { at = { 0.3, 9.4, 22.8 }, front = 1.6, side = 1.2, joints = "leftHand" },
  } }
  model:loft { part = "leftPauldron", sides = 6, chart = CHARTS.pauldron, start = {}, rings = {
    { at = { 0, 8.9, 39.2 }, front = 3.9, side = 2.9, joints = { "leftShoulder", 0.7, "chest", 0.3 } },
    { at = { 0, 8.3, 42.6 }, front = 3.5, side = 3.1, joints = { "leftShoulder", 0.5, "chest", 0.5 } },
  }, finish = { pole = { 0, 7.4, 44.7 }, joints = "chest" } }
end

local function addLeg(model)
  model:loft { part = "leftLeg", sides = 6, chart = CHARTS.leg, rings = {
    { at = { 0, 3.7, 27.5 }, front = 3.0, side = 2.3, joints = "leftHip" },
    { at = { 0.2, 3.8, 21.5 }, front = 2.9, side = 2.5, joints = "leftHip" },
    { at = { 0.3, 4, 15 }, front = 2.2, back = 2.2, side = 2.1, joints = { "leftHip", 0.5, "leftKnee", 0.5 } },
    { at = { -0.2, 4.1, 10.6 }, front = 2.2, back = 3.0, side = 2.4, joints = "leftKnee" },
    { at = { -0.4, 4.2, 3.4 }, front = 1.7, side = 1.6, joints = { "leftKnee", 0.5, "leftAnkle", 0.5 } },
  } }
  model:loft { part = "leftPoleyn", sides = 5, chart = CHARTS.poleyn, rings = {
    { at = { 1.3, 4, 15 }, tilt = 90, front = 2.6, side = 2.7, joints = { "leftHip", 0.5, "leftKnee", 0.5 } },
  }, finish = { pole = { 4.1, 4, 15.3 }, chart = CHARTS.poleyn } }
  model:loft { part = "leftFoot", sides = 6, chart = CHARTS.foot, start = {}, finish = {}, rings = {
    { at = { -2.7, 4.2, 2 }, tilt = 90, turn = 0.5, front = 2.3, back = 2.6, side = 1.7, joints = "leftAnkle" },
    { at = { 1.8, 4.3, 1.7 }, tilt = 90, turn = 0.5, front = 1.96, back = 2.2, side = 2.3, joints = "leftAnkle" },
    { at = { 6.2, 4.6, 0.8 }, tilt = 90, turn = 0.5, front = 0.92, back = 0.6, side = 0.8, joints = "leftAnkle" },
  } }
end

-- The shield faces left of the hanging forearm with its top forward: bending the elbow sets it upright.
local function addShield(model)
  model:loft { part = "shield", sides = 9, chart = CHARTS.shieldRim, start = { chart = CHARTS.shieldBack }, rings = {
    { at = { 0, 0, -0.5 }, outline = HEATER, joints = "leftElbow" },
    { at = { 0, 0, 0.1 }, outline = HEATER, joints = "leftElbow" },
  }, finish = { pole = { 0, 0, 1.9 }, chart = CHARTS.shield },
  place = { 1, 0, 0, 0, 0, 1, 0, -1, 0, 1.2, 12.2, 29.5 } }
end

function knight.build()
  local model = mesh.new()
  addTrunk(model)
  addHead(model)
  local limbs = model:mark()
  addArm(model)
  addLeg(model)
  model:mirror(limbs, skeleton.toRight)
  addShield(model)
  return model
end

-- Where the right hand's grip is at rest, for what it holds.
knight.GRIP = rigid.translation(0.3, -9.5, 24.6)

return knight
