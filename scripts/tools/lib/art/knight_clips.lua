-- What the knight does in each clip: key poses, read by lib/art/pose.lua, in the channels of lib/art/knight_body.lua.
-- A clip is { keys, loop = frames after which it repeats, free = legs by angles, grounded = lowest point on floor }.
local derive = require "lib.art.pose".derive
local exact = require "lib.art.exact"

local sin, cos = exact.sin, exact.cos

-- On guard: the shield before the left shoulder, the weapon in the right hand, one foot before the other.
local GUARD = {
  root = { 0, 0, -1.2 }, hips = { 0, 3, -14 }, waist = { 0, 2, 4 }, chest = { 0, 0, 2 }, head = { 0, -3, 10 },
  plume = { 0 },
  leftArm = { 18, 12, 38, 78 }, leftHand = { 0, 0, 0 }, rightArm = { -4, 12, 8, 58 }, rightHand = { 0, 0, 0 },
  leftFoot = { 3, 0.8, 0, 0, 6 }, rightFoot = { -3, -0.8, 0, 0, -24 },
  leftLeg = { 8, 4, 14, 6 }, rightLeg = { -4, 6, 12, -6 },
}

local function guard(changes)
  return derive(GUARD, changes)
end

local clips = {}

-- Two breaths, a look to each side and a shift of the weight.
local function stand()
  local keys = {}
  for frame = 0, 39, 2 do
    local breath, sway, look = sin(frame * 18), sin(frame * 9), sin(frame * 9 - 60)
    keys[#keys + 1] = { frame, guard {
      root = { 0, 0.5 * sway, -1.2 - 0.25 * breath }, hips = { 0.8 * sway, 3, -14 + 2 * sway },
      waist = { 0, 2 + breath, 4 }, chest = { 0, -1.5 * breath, 2 - sway },
      head = { 0, -3 + 2 * breath, 10 + 16 * look * look * look }, plume = { 3 * breath },
      leftArm = { 18 + 1.5 * breath, 12 + breath, 38, 78 - 2 * breath },
      rightArm = { -4 + 2 * breath, 12 + 1.5 * breath, 8, 58 + 4 * sway },
    } }
  end
  return keys
end
clips.stand = { keys = stand(), loop = 40 }

-- Where a running foot is at a phase of 0..360: on the floor going back for the first half, then lifted forward.
local function runningFoot(phase, stride, lift)
  if phase < 180 then return { stride * cos(phase), 0, 0, 0, 0 } end
  local up = -sin(phase)
  return { stride * cos(phase), 0, lift * up, 55 * up * (phase < 290 and 1 or 0.2), 0 }
end

-- A cycle of steps: `frames` long, `stride` units to each side of the hips, leaning forward by `lean`.
local function steps(base, frames, stride, lift, lean, bounce)
  local keys = {}
  for frame = 0, frames - 1 do
    local phase = frame * 360 / frames
    local swing, beat = cos(phase), cos(2 * phase)
    local left, right = runningFoot(phase, stride, lift), runningFoot((phase + 180) % 360, stride, lift)
    left[1], right[1] = left[1] - stride * 0.1, right[1] - stride * 0.1
    left[2], right[2] = -1.2, 1.2
    keys[#keys + 1] = { frame, derive(base, {
      root = { 0, 0, base.root[3] - bounce * beat }, hips = { 3 * sin(phase), lean * 0.5, -8 * swing },
      waist = { 0, lean * 0.5, 4 * swing }, chest = { 0, lean * 0.3, 9 * swing }, head = { 0, -lean, -5 * swing },
      plume = { 22 + 8 * beat }, leftFoot = left, rightFoot = right,
      leftArm = { base.leftArm[1] - 10 * swing, base.leftArm[2] + 4, base.leftArm[3], base.leftArm[4] },
      rightArm = { 5 + 30 * swing, 14, 10, 72 },
    }) }
  end
  return keys
end
clips.run = { keys = steps(guard { root = { 0, 0, -2.2 } }, 6, 13, 9, 14, 0.9), loop = 6, grounded = true }

-- The weapon goes up behind the shoulder, comes down before the left foot, and back to guard.
clips.attack = { grounded = true, keys = {
  { 0, guard { rightArm = { -30, 25, -10, 70 }, chest = { 0, -4, -8 }, hips = { 0, 2, -22 } } },
  { 2, guard { rightArm = { 150, 30, 0, 75 }, rightHand = { 0, 50, 0 }, chest = { -4, -14, -18 },
               waist = { 0, -6, -8 }, hips = { 0, -2, -26 }, root = { -2, 0, -1 }, head = { 0, 6, 30 } } },
  { 3, guard { rightArm = { 160, 18, 0, 60 }, rightHand = { 0, 55, 0 }, chest = { -4, -10, -10 },
               waist = { 0, -2, -4 }, root = { 1, 0, -1.4 }, leftFoot = { 6, 0.8, 1.5, -10, 6 },
               head = { 0, 4, 24 } } },
  { 4, guard { rightArm = { 85, 5, 20, 18 }, rightHand = { 0, 55, 0 }, chest = { 2, 14, 16 }, waist = { 0, 12, 10 },
               hips = { 0, 8, 2 }, root = { 4, 0, -3.2 }, leftFoot = { 9, 0.8, 0, 0, 4 }, head = { 0, -8, -6 },
               leftArm = { -10, 25, 30, 70 } } },
  { 5, guard { rightArm = { 40, -12, 30, 12 }, rightHand = { 0, 60, 0 }, chest = { 4, 20, 24 }, waist = { 0, 16, 14 },
               hips = { 0, 10, 8 }, root = { 5, 0, -4.2 }, leftFoot = { 9, 0.8, 0, 0, 4 }, head = { 0, -14, -14 },
               leftArm = { -18, 30, 30, 60 }, rightFoot = { -3, -0.8, 1, 20, -24 } } },
  { 7, guard { rightArm = { 14, 6, 14, 45 }, chest = { 0, 4, 6 }, hips = { 0, 4, -10 }, root = { 1, 0, -1.8 },
               leftFoot = { 5, 0.8, 0, 0, 6 } } },
} }

clips.pain1 = { grounded = true, keys = {
  { 0, guard { chest = { -6, -12, 14 }, head = { 0, -16, 6 }, root = { -1.5, 0, -1.6 } } },
  { 1, guard { chest = { -10, -18, 24 }, waist = { -4, -10, 8 }, head = { -8, -24, 0 }, root = { -3, 1, -2.6 },
               leftArm = { 30, 40, 20, 50 }, rightArm = { -35, 40, 0, 40 }, rightFoot = { -6, -0.8, 0, 0, -24 } } },
  { 3, guard { chest = { -2, -2, 6 }, root = { -1, 0, -1.6 }, rightFoot = { -4, -0.8, 0, 0, -24 } } },
} }
clips.pain2 = { grounded = true, keys = {
  { 0, guard { chest = { 0, 14, -8 }, head = { 0, 12, 0 }, root = { -0.5, 0, -2.4 } } },
  { 1, guard { chest = { 0, 30, -12 }, waist = { 0, 20, -4 }, head = { 0, 20, 0 }, root = { -2, 0, -5 },
               leftArm = { 45, 0, 60, 85 }, rightArm = { 35, 0, 50, 90 } } },
  { 3, guard { chest = { 0, 6, 0 }, root = { -0.5, 0, -1.8 } } },
} }
clips.pain3 = { grounded = true, keys = {
  { 0, guard { chest = { 10, 2, -18 }, head = { 12, 4, -16 }, root = { 0, 0.6, -1.6 } } },
  { 1, guard { chest = { 18, 6, -34 }, waist = { 10, 2, -12 }, head = { 16, 6, -30 }, root = { -1, 2, -3 },
               leftArm = { -10, 45, 0, 40 }, rightArm = { 20, 40, 30, 70 } } },
  { 3, guard { chest = { 3, 2, -6 }, root = { 0, 0.4, -1.6 } } },
} }

local AIRBORNE = guard { hips = { 0, 4, 0 }, leftLeg = { 55, 6, 80, 20 }, rightLeg = { 10, 6, 60, 25 } }
clips.jump = { free = true, keys = {
  { 0, guard { root = { 0, 0, -7 }, hips = { 0, 18, -6 }, leftLeg = { 62, 6, 86, -20 }, rightLeg = { 52, 8, 74, -14 },
               leftArm = { -20, 20, 20, 60 }, rightArm = { -40, 20, 0, 40 } } },
  { 1, derive(AIRBORNE, { root = { 0, 0, 1 }, hips = { 0, 6, -4 }, leftLeg = { 20, 4, 20, 30 },
               rightLeg = { -6, 4, 16, 35 }, rightArm = { 60, 30, 10, 60 }, rightHand = { 0, 35, 0 },
               leftArm = { 50, 30, 30, 60 } }) },
  { 3, derive(AIRBORNE, { root = { 0, 0, 6 }, rightArm = { 75, 35, 10, 60 }, rightHand = { 0, 50, 0 },
               leftArm = { 45, 45, 20, 60 } }) },
  { 4, derive(AIRBORNE, { root = { 0, 0, 3 }, leftLeg = { 35, 6, 40, -5 }, rightLeg = { 15, 6, 30, -5 } }) },
  { 5, guard { root = { 0, 0, -5 }, hips = { 0, 14, -6 }, leftLeg = { 54, 6, 72, -18 },
               rightLeg = { 46, 8, 64, -16 } } },
} }

-- A somersault forward; the hips turn a full circle.
local function tucked(angle, height, tuck)
  return guard { root = { 0, 0, height }, hips = { 0, angle, 0 }, waist = { 0, 24 * tuck, 0 },
    chest = { 0, 22 * tuck, 0 }, head = { 0, 18 * tuck, 0 }, leftLeg = { 20 + 90 * tuck, 6, 20 + 95 * tuck, 0 },
    rightLeg = { 10 + 95 * tuck, 6, 20 + 95 * tuck, 0 }, leftArm = { 60, 20, 40, 80 }, rightArm = { 50, 20, 20, 80 } }
end
clips.flip = { free = true, keys = {
  { 0, guard { root = { 0, 0, -6 }, hips = { 0, 16, 0 }, leftLeg = { 56, 6, 78, -20 },
               rightLeg = { 50, 8, 72, -14 } } },
  { 2, tucked(20, 4, 0.1) }, { 4, tucked(100, 14, 0.9) }, { 6, tucked(200, 17, 1) }, { 8, tucked(300, 11, 0.8) },
  { 10, tucked(362, -2, 0.2) },
  { 11, guard { root = { 0, 0, -6 }, hips = { 0, 372, 0 }, leftLeg = { 54, 6, 74, -20 },
                rightLeg = { 48, 8, 68, -14 } } },
} }

-- Both heels together, the weapon before the face, held there, and back.
local SALUTE = guard { root = { 0, 0, -0.2 }, hips = { 0, 0, 0 }, waist = { 0, 0, 0 }, head = { 0, 0, 0 },
  leftFoot = { 0.5, -0.6, 0, 0, 12 }, rightFoot = { 0.5, 0.6, 0, 0, -12 },
  leftArm = { 4, 14, 30, 70 }, rightArm = { 52, -6, 48, 112 }, rightHand = { 0, 72, 0 } }
clips.salute = { keys = {
  { 0, guard {} }, { 3, SALUTE }, { 5, derive(SALUTE, { head = { 0, 10, 0 }, chest = { 0, 3, 0 } }) },
  { 7, SALUTE }, { 10, guard {} },
} }

-- Beats the weapon high in the air, three times, the shield flung wide.
local function cheer(up)
  return guard { root = { 0, 0, -1 - 1.5 * (1 - up) }, hips = { 0, 0, -6 }, chest = { 0, -10 * up, 4 },
    head = { 0, -14 * up, 0 }, rightArm = { 130 + 35 * up, 24, 0, 70 - 60 * up }, rightHand = { 0, 75, 0 },
    leftArm = { 30, 55 + 12 * up, 10, 60 }, plume = { 10 * up } }
end
clips.taunt = { keys = {
  { 0, guard {} }, { 3, cheer(1) }, { 5, cheer(0) }, { 7, cheer(1) }, { 9, cheer(0) }, { 11, cheer(1) },
  { 13, cheer(0.6) }, { 16, guard {} },
} }

-- The left arm, shield and all, waves overhead.
local function wave(side)
  return guard { leftArm = { 30, 135 + 6 * side, -60, 35 + 28 * side }, chest = { -4, -2, 4 + 3 * side },
    head = { 4 * side, -6, 14 } }
end
clips.wave = { keys = {
  { 0, guard {} }, { 2, wave(0) }, { 3, wave(1) }, { 5, wave(-1) }, { 7, wave(1) }, { 8, wave(0) }, { 10, guard {} },
} }

-- The weapon points at somebody far off.
local POINTING = guard { rightArm = { 88, 4, 0, 4 }, rightHand = { 0, 82, 0 }, chest = { 0, 0, 20 },
  waist = { 0, 2, 10 }, head = { 0, -2, -16 }, root = { 1.5, 0, -1.6 }, leftArm = { 5, 18, 30, 80 } }
clips.point = { keys = {
  { 0, guard {} }, { 3, POINTING }, { 6, derive(POINTING, { rightArm = { 92, 4, 0, 2 } }) },
  { 8, derive(POINTING, { rightArm = { 86, 4, 0, 6 } }) }, { 11, guard {} },
} }

local CROUCH = guard { root = { -1, 0, -11 }, hips = { 0, 18, -10 }, waist = { 0, 8, 4 }, chest = { 0, 4, 2 },
  head = { 0, -24, 6 }, leftFoot = { 6, 1, 0, 0, 6 }, rightFoot = { -6, -1, 0, 26, -14 },
  leftArm = { 40, 12, 38, 88 }, rightArm = { -10, 20, 8, 70 } }
local function crouchStand()
  local keys = {}
  for frame = 0, 18 do
    local breath, sway = sin(frame * 720 / 19), sin(frame * 360 / 19)
    keys[#keys + 1] = { frame, derive(CROUCH, {
      root = { -1, 0.4 * sway, -11 - 0.3 * breath }, chest = { 0, 4 - 2 * breath, 2 },
      head = { 0, -24 + breath, 6 + 8 * sway }, rightArm = { -10 + 2 * breath, 20, 8, 70 + 3 * sway },
    }) }
  end
  return keys
end
clips.crstand = { keys = crouchStand(), loop = 19 }
clips.crwalk = { keys = steps(derive(CROUCH, { root = { 0, 0, -10 } }), 6, 8, 4, 26, 0.5), loop = 6 }
clips.crattack = { keys = {
  { 0, derive(CROUCH, { rightArm = { 10, 20, 8, 90 } }) },
  { 3, derive(CROUCH, { rightArm = { 140, 24, 0, 85 }, rightHand = { 0, 50, 0 }, chest = { -2, -8, -16 },
                        root = { -2, 0, -10 } }) },
  { 5, derive(CROUCH, { rightArm = { 70, -4, 24, 12 }, rightHand = { 0, 60, 0 }, chest = { 2, 16, 22 },
                        root = { 2, 0, -11 }, hips = { 0, 22, 0 } }) },
  { 6, derive(CROUCH, { rightArm = { 45, -10, 30, 12 }, rightHand = { 0, 60, 0 }, chest = { 2, 18, 24 },
                        root = { 2, 0, -11 }, hips = { 0, 22, 0 } }) },
  { 8, derive(CROUCH, { rightArm = { 0, 16, 10, 66 } }) },
} }
clips.crpain = { keys = {
  { 0, derive(CROUCH, { chest = { 0, -8, 12 }, head = { 0, -30, 6 } }) },
  { 1, derive(CROUCH, { chest = { -8, -16, 22 }, head = { -6, -36, 0 }, root = { -3, 0, -11.5 },
                        leftArm = { 30, 40, 20, 60 }, rightArm = { -30, 40, 0, 50 } }) },
  { 3, derive(CROUCH, { chest = { 0, 2, 4 } }) },
} }

-- Lying on the back, limbs apart; on the face; on the left side, curled up.
local ON_BACK = guard { root = { -20, 0, -22 }, hips = { 4, -90, 0 }, waist = { 0, 4, 0 }, chest = { 0, 2, 0 },
  head = { 14, 4, 20 }, plume = { -20 }, leftLeg = { 8, 16, 18, 25 }, rightLeg = { -2, 10, 2, 30 },
  leftArm = { 10, 70, 0, 25 }, rightArm = { 20, 85, 60, 25 }, rightHand = { 0, 40, 0 } }
local ON_FACE = guard { root = { 18, 0, -22 }, hips = { 0, 90, 0 }, waist = { 0, 0, 0 }, chest = { 0, -4, 0 },
  head = { 20, -10, 30 }, plume = { 10 }, leftLeg = { 2, 14, 6, 50 }, rightLeg = { 14, 8, 30, 50 },
  leftArm = { 60, 70, 20, 60 }, rightArm = { 130, 40, 0, 30 }, rightHand = { 0, 60, 0 } }
local ON_SIDE = guard { root = { -4, 16, -22 }, hips = { -84, 0, 18 }, waist = { 0, 14, 0 }, chest = { 0, 10, 0 },
  head = { 10, 14, 0 }, plume = { 0 }, leftLeg = { 46, 4, 70, 20 }, rightLeg = { 26, 0, 44, 20 },
  leftArm = { 70, 20, 10, 50 }, rightArm = { 46, -10, 30, 60 }, rightHand = { 0, 50, 0 } }

-- Thrown on the back.
clips.death1 = { free = true, grounded = true, keys = {
  { 0, guard { hips = { 0, -12, -10 }, chest = { 0, -14, 6 }, head = { 0, -20, 0 }, leftArm = { 40, 40, 20, 50 },
               rightArm = { 20, 50, 0, 40 }, leftLeg = { 20, 4, 20, -4 }, rightLeg = { -2, 6, 14, 0 } } },
  { 2, derive(ON_BACK, { root = { -12, 0, -8 }, hips = { 2, -52, -6 }, leftLeg = { 50, 8, 50, 10 },
               rightLeg = { 30, 8, 40, 10 }, leftArm = { 90, 50, 20, 40 }, rightArm = { 80, 50, 20, 40 },
               head = { 0, 20, 0 } }) },
  { 3, derive(ON_BACK, { root = { -19, 0, -18 }, hips = { 4, -84, 0 }, leftLeg = { 34, 12, 40, 20 },
               rightLeg = { 20, 8, 22, 20 } }) },
  { 4, derive(ON_BACK, { hips = { 4, -92, 0 }, leftLeg = { 14, 14, 24, 20 }, rightLeg = { 6, 10, 8, 20 } }) },
  { 5, ON_BACK },
} }

-- Sinks to the knees and falls on the face.
local KNEELING = guard { root = { 0, 0, -13 }, hips = { 0, 4, 0 }, chest = { 0, 18, 0 }, head = { 0, 24, 0 },
  leftLeg = { 4, 8, 92, 40 }, rightLeg = { -2, 8, 90, 40 }, leftArm = { 0, 20, 10, 30 }, rightArm = { 0, 20, 0, 30 } }
clips.death2 = { free = true, grounded = true, keys = {
  { 0, guard { chest = { 0, 16, 0 }, head = { 0, 14, 0 }, leftLeg = { 24, 4, 40, -14 },
               rightLeg = { 10, 6, 36, -8 } } },
  { 2, KNEELING },
  { 3, derive(ON_FACE, { root = { 8, 0, -14 }, hips = { 0, 48, 0 }, leftLeg = { -2, 8, 60, 45 },
                         rightLeg = { 4, 8, 64, 45 } }) },
  { 4, derive(ON_FACE, { hips = { 0, 86, 0 }, leftLeg = { 2, 10, 40, 50 }, rightLeg = { 14, 8, 50, 50 } }) },
  { 5, ON_FACE },
} }

-- Spun round by the blow, reels, and goes down on the left side.
clips.death3 = { free = true, grounded = true, keys = {
  { 0, guard { chest = { 8, 0, -24 }, head = { 10, 0, -20 }, hips = { 4, 0, -24 } } },
  { 2, guard { hips = { -14, 6, 10 }, chest = { -10, 10, 16 }, head = { -12, 10, 10 }, leftArm = { 20, 50, 10, 30 },
               rightArm = { 40, 60, 0, 40 }, leftLeg = { 26, 6, 40, -10 }, rightLeg = { -6, 14, 16, 0 } } },
  { 4, derive(ON_SIDE, { root = { -2, 6, -12 }, hips = { -46, 4, 16 }, leftLeg = { 50, 4, 80, 10 },
                         rightLeg = { 10, 14, 30, 10 }, rightArm = { 70, 60, 0, 40 } }) },
  { 5, derive(ON_SIDE, { hips = { -78, 0, 18 }, rightArm = { 60, 30, 10, 40 }, rightLeg = { 16, 8, 36, 20 } }) },
  { 7, ON_SIDE },
} }

-- Out of the crouch over backward.
clips.crdeath = { free = true, grounded = true, keys = {
  { 0, guard { root = { 0, 0, -11 }, hips = { 0, 0, -6 }, chest = { 0, -8, 0 }, leftLeg = { 80, 8, 100, -20 },
               rightLeg = { 50, 8, 100, -10 } } },
  { 2, derive(ON_BACK, { root = { -10, 0, -18 }, hips = { 2, -52, 0 }, leftLeg = { 70, 12, 80, 10 },
               rightLeg = { 50, 12, 70, 10 } }) },
  { 3, derive(ON_BACK, { root = { -14, 0, -22 }, hips = { 2, -86, 0 }, leftLeg = { 40, 14, 60, 10 },
               rightLeg = { 26, 12, 40, 10 } }) },
  { 4, derive(ON_BACK, { root = { -14, 0, -22 }, leftLeg = { 26, 16, 44, 15 }, rightLeg = { 4, 12, 10, 25 } }) },
} }

return clips
