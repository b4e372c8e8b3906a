-- How the knight's joints follow from a pose. Channels, in degrees and units, as they change the upright body:
--   root {forward, left, up}; hips, waist, chest, head {roll, pitch, yaw}; plume {pitch}
--   leftArm {forward, out, inward twist, elbow}; leftHand {roll, pitch, yaw}; the same for the right
--   leftFoot {forward, left, up, pitch, yaw}: where the foot is in the world, the leg reaching for it
--   leftLeg {forward, out, knee, ankle}: how a leg in the air is bent (in clips that are `free`, instead of leftFoot)
local rigid = require "lib.art.rigid"
local skeleton = require "lib.art.skeleton"
local limbs = require "lib.art.limbs"
local knightMesh = require "lib.art.knight_mesh"

local body = {}

local bones = skeleton.new(knightMesh.JOINTS)

body.CARRIED = {}

local KNEE_OUTWARD = 0.25                -- how far knees point sideways for one forward

local function placeFreeLeg(motions, pose, side, sign)
  local forward, out, knee, ankle = table.unpack(pose[side .. "Leg"])
  local swing = rigid.multiply(rigid.pitch(-forward), rigid.roll(sign * out))
  motions[side .. "Hip"] = bones:turn(side .. "Hip", swing, motions.pelvis)
  motions[side .. "Knee"] = bones:turn(side .. "Knee", rigid.pitch(knee), motions[side .. "Hip"])
  motions[side .. "Ankle"] = bones:turn(side .. "Ankle", rigid.pitch(ankle), motions[side .. "Knee"])
end

local function placeFoot(motions, pose, side, sign)
  local x, y, z, pitch, yaw = table.unpack(pose[side .. "Foot"])
  local ankle = bones:place(side .. "Ankle")
  local target = { ankle[1] + x, ankle[2] + y, ankle[3] + z }
  local pelvis, turned = motions.pelvis, rigid.yaw(yaw)
  local hint = { pelvis[1] + turned[1] + pelvis[2] * sign * KNEE_OUTWARD,
                 pelvis[4] + turned[4] + pelvis[5] * sign * KNEE_OUTWARD, pelvis[7] }
  local upper, lower, finish = bones:reach(side .. "Hip", side .. "Knee", side .. "Ankle", pelvis, target, hint,
                                           { 1, 0, 0 })
  motions[side .. "Hip"], motions[side .. "Knee"] = upper, lower
  motions[side .. "Ankle"] = bones:motionAt(side .. "Ankle", rigid.euler(0, pitch, yaw), finish)
end

-- The motions of all joints, by name.
function body.place(pose, isFree)
  local motions, hips, pelvis = {}, pose.hips, bones:place("pelvis")
  local at = { pelvis[1] + pose.root[1], pelvis[2] + pose.root[2], pelvis[3] + pose.root[3] }
  motions.pelvis = bones:motionAt("pelvis", rigid.euler(hips[1], hips[2], hips[3]), at)
  limbs.turn(bones, motions, "waist", "pelvis", pose.waist)
  limbs.turn(bones, motions, "chest", "waist", pose.chest)
  limbs.turn(bones, motions, "head", "chest", pose.head)
  motions.plume = bones:turn("plume", rigid.pitch(pose.plume[1]), motions.head)
  for side, sign in pairs { left = 1, right = -1 } do                  -- order: each side by itself
    limbs.placeArm(bones, motions, pose, side, sign)
    local placeLeg = isFree and placeFreeLeg or placeFoot
    placeLeg(motions, pose, side, sign)
  end
  return motions
end

return body
