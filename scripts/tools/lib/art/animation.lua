-- Runs the clips of a body: from frame names to the motions of its joints, and to the frames of its model.
local pose = require "lib.art.pose"
local rigid = require "lib.art.rigid"
local skeleton = require "lib.art.skeleton"

local animation = {}

-- Lifts all motions by `height`.
local function lift(motions, height)
  local up = rigid.translation(0, 0, height)
  local lifted = {}
  for name, motion in pairs(motions) do lifted[name] = rigid.multiply(up, motion) end    -- order: each by itself
  return lifted
end

-- The lowest height of a body, leaving out what moves with joints that `carried` names.
local function lowest(mesh, positions, carried)
  local low = math.huge
  for v, position in ipairs(positions) do
    if not carried[mesh.weights[v][1]] then low = math.min(low, position[3]) end
  end
  return low
end

-- For each of `frames` (of clips.frames): { name, positions, motions }. `body.place(pose, isFree)` moves the joints. In
-- a clip that is `grounded` the body, but for what its `CARRIED` joints hold, touches the floor in every frame.
function animation.run(frames, clips, body, mesh)
  local result = {}
  for i, frame in ipairs(frames) do
    local clip = clips[frame.clip]
    local motions = body.place(pose.sample(clip.keys, frame.index, clip.loop), clip.free)
    local positions = skeleton.deform(mesh, motions)
    if clip.grounded then
      motions = lift(motions, -lowest(mesh, positions, body.CARRIED))
      positions = skeleton.deform(mesh, motions)
    end
    result[i] = { name = frame.name, positions = positions, motions = motions }
  end
  return result
end

return animation
