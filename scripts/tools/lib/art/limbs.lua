-- What the bodies of the models have in common: spines turned joint by joint, and arms.
local rigid = require "lib.art.rigid"

local limbs = {}

-- Turns a joint by a channel {roll, pitch, yaw} within its parent.
function limbs.turn(bones, motions, name, parent, channel)
  motions[name] = bones:turn(name, rigid.euler(channel[1], channel[2], channel[3]), motions[parent])
end

-- Places an arm by the channels "<side>Arm" {forward, out, inward twist, elbow} and "<side>Hand" {roll, pitch, yaw};
-- `sign` is 1 on the left, -1 on the right.
function limbs.placeArm(bones, motions, pose, side, sign)
  local shoulder, elbow, hand = side .. "Shoulder", side .. "Elbow", side .. "Hand"
  local forward, out, twist, bend = table.unpack(pose[side .. "Arm"])
  local swing = rigid.multiply(rigid.roll(sign * out), rigid.yaw(-sign * twist))
  motions[shoulder] = bones:turn(shoulder, rigid.multiply(rigid.pitch(-forward), swing), motions.chest)
  motions[elbow] = bones:turn(elbow, rigid.pitch(-bend), motions[shoulder])
  limbs.turn(bones, motions, hand, elbow, pose[hand])
end

return limbs
