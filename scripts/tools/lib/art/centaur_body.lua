-- How the centaur's joints follow from a pose. Channels, in degrees and units, as they change the square stance:
--   root {forward, left, up}; barrel, withers, waist, chest, head {roll, pitch, yaw}; tail {pitch, yaw}
--   leftArm {forward, out, inward twist, elbow}; leftHand {roll, pitch, yaw}; the same for the right
--   leftFront, rightFront, leftHind, rightHind {forward, left, up, pitch}: where a hoof is, the leg reaching for it
--   leftFrontLeg... {forward, out, knee, foot}: how legs off the ground are bent (in clips that are `free`)
local rigid = require "lib.art.rigid"
local skeleton = require "lib.art.skeleton"
local limbs = require "lib.art.limbs"
local centaurMesh = require "lib.art.centaur_mesh"

local body = {}

body.CARRIED = { rightHand = true }      -- with the spear

local bones = skeleton.new(centaurMesh.JOINTS)

-- Knees of front legs give way forward, hocks backward.
local LEGS = {
  { "leftFront", parent = "withers", side = 1, knee = 1 }, { "rightFront", parent = "withers", side = -1, knee = 1 },
  { "leftHind", parent = "barrel", side = 1, knee = -1 }, { "rightHind", parent = "barrel", side = -1, knee = -1 },
}

local function placeFreeLeg(motions, pose, leg)
  local name = leg[1]
  local forward, out, knee, foot = table.unpack(pose[name .. "Leg"])
  local swing = rigid.multiply(rigid.pitch(-forward), rigid.roll(leg.side * out))
  motions[name .. "Hip"] = bones:turn(name .. "Hip", swing, motions[leg.parent])
  motions[name .. "Knee"] = bones:turn(name .. "Knee", rigid.pitch(leg.knee * knee), motions[name .. "Hip"])
  motions[name .. "Foot"] = bones:turn(name .. "Foot", rigid.pitch(foot), motions[name .. "Knee"])
end

local function placeHoof(motions, pose, leg)
  local name = leg[1]
  local x, y, z, pitch = table.unpack(pose[name])
  local rest, parent = bones:place(name .. "Foot"), motions[leg.parent]
  local hint = { parent[1] * leg.knee, parent[4] * leg.knee, parent[7] * leg.knee }
  local upper, lower, finish = bones:reach(name .. "Hip", name .. "Knee", name .. "Foot", parent,
    { rest[1] + x, rest[2] + y, rest[3] + z }, hint, { leg.knee, 0, 0 })
  motions[name .. "Hip"], motions[name .. "Knee"] = upper, lower
  motions[name .. "Foot"] = bones:motionAt(name .. "Foot", rigid.pitch(pitch), finish)
end

-- The motions of all joints, by name.
function body.place(pose, isFree)
  local motions, barrel, place = {}, pose.barrel, bones:place("barrel")
  motions.barrel = bones:motionAt("barrel", rigid.euler(barrel[1], barrel[2], barrel[3]),
    { place[1] + pose.root[1], place[2] + pose.root[2], place[3] + pose.root[3] })
  limbs.turn(bones, motions, "withers", "barrel", pose.withers)
  limbs.turn(bones, motions, "waist", "withers", pose.waist)
  limbs.turn(bones, motions, "chest", "waist", pose.chest)
  limbs.turn(bones, motions, "head", "chest", pose.head)
  local pitch, yaw = pose.tail[1], pose.tail[2]
  motions.tailRoot = bones:turn("tailRoot", rigid.euler(0, pitch, yaw), motions.barrel)
  motions.tailTip = bones:turn("tailTip", rigid.euler(0, pitch * 0.6, yaw), motions.tailRoot)
  limbs.placeArm(bones, motions, pose, "left", 1)
  limbs.placeArm(bones, motions, pose, "right", -1)
  for _, leg in ipairs(LEGS) do
    local placeLeg = isFree and placeFreeLeg or placeHoof
    placeLeg(motions, pose, leg)
  end
  return motions
end

return body
