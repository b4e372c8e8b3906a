-- What the centaur does in each clip: key poses in the channels of lib/art/centaur_body.lua. A clip is { keys, loop =
-- frames after which it repeats, free = legs by angles, grounded = the body touches the floor }.
local derive = require "lib.art.pose".derive
local exact = require "lib.art.exact"

local sin, cos = exact.sin, exact.cos

-- At rest: the spear upright at the right side, the left hand on the hip.
local REST = {
  root = { 0, 0, 0 }, barrel = { 0, 0, 0 }, withers = { 0, 0, 0 }, waist = { 0, -2, 0 }, chest = { 0, 2, -4 },
  head = { 0, -2, 4 }, tail = { 0, 0 },
  leftArm = { -18, 22, 55, 62 }, leftHand = { 0, 0, 0 }, rightArm = { 12, 16, 0, 76 }, rightHand = { 0, 2, 0 },
  leftFront = { 0, 0, 0, 0 }, rightFront = { 0, 0, 0, 0 }, leftHind = { 0, 0, 0, 0 }, rightHind = { 0, 0, 0, 0 },
  leftFrontLeg = { 0, 0, 0, 0 }, rightFrontLeg = { 0, 0, 0, 0 },
  leftHindLeg = { 0, 0, 0, 0 }, rightHindLeg = { 0, 0, 0, 0 },
}

local function rest(changes)
  return derive(REST, changes)
end

local clips = {}

-- Breathes twice, swishes its tail, looks about, and paws the ground once with the left fore hoof.
local function stand()
  local keys = {}
  for frame = 0, 39, 2 do
    local breath, sway, look = sin(frame * 18), sin(frame * 9), sin(frame * 9 + 40)
    local paw = (frame > 22 and frame < 34) and sin((frame - 22) * 15) or 0
    keys[#keys + 1] = { frame, rest {
      root = { 0, 0.3 * sway, -0.3 - 0.2 * breath }, barrel = { 0.6 * sway, 0, 0 },
      waist = { 0, -2 + breath, 2 * sway }, chest = { 0, 2 - 1.5 * breath, -4 + 3 * look },
      head = { 0, -2 + breath, 4 + 24 * look * look * look }, tail = { 5 * breath, 22 * sin(frame * 27) },
      rightArm = { 12 + breath, 16 + breath, 0, 76 }, leftFront = { 3 * paw, 0, 3.5 * paw, 35 * paw },
    } }
  end
  return keys
end
clips.stand = { keys = stand(), loop = 40 }

-- A trotting hoof at a phase of 0..360: on the ground going back for the first half, then lifted forward.
local function trottingHoof(phase, stride, lift)
  if phase < 180 then return { stride * cos(phase), 0, 0, 0 } end
  local up = -sin(phase)
  return { stride * cos(phase), 0, lift * up, (phase < 290 and 60 or 10) * up }
end

-- The gait: hooves on opposite corners move together; the trunk sways a little against them.
local function trot(base, frames, stride, lift, bounce, lean)
  local keys = {}
  for frame = 0, frames - 1 do
    local phase = frame * 360 / frames
    local swing, beat = cos(phase), cos(2 * phase)
    local first, second = trottingHoof(phase, stride, lift), trottingHoof((phase + 180) % 360, stride, lift)
    keys[#keys + 1] = { frame, derive(base, {
      root = { 0, 0, base.root[3] - bounce * beat }, barrel = { 0, 2.5 * swing, 0 }, withers = { 0, -2 * swing, 0 },
      waist = { 0, lean - 2 * beat, 5 * swing }, chest = { 0, lean * 0.5, -9 * swing }, head = { 0, -lean, 4 * swing },
      tail = { -30 + 10 * beat, 10 * swing },
      leftFront = first, rightHind = first, rightFront = second, leftHind = second,
      leftArm = { base.leftArm[1] + 24 * swing, base.leftArm[2], base.leftArm[3], base.leftArm[4] },
      rightArm = { base.rightArm[1] - 6 * swing, base.rightArm[2], base.rightArm[3], base.rightArm[4] - 4 * beat },
    }) }
  end
  return keys
end
local RUNNING = rest { root = { 0, 0, -1.8 }, leftArm = { 10, 14, 20, 74 }, rightArm = { 20, 16, 10, 52 } }
clips.run = { keys = trot(RUNNING, 6, 11, 8, 0.9, 8), loop = 6, grounded = true }

-- Draws the spear back over the shoulder and thrusts.
local DRAWN = rest { root = { -2, 0, -1 }, barrel = { 0, -3, 0 }, chest = { 0, -8, -30 }, waist = { 0, -4, -12 },
  head = { 0, 4, 36 }, rightArm = { -50, 34, 10, 112 }, rightHand = { 0, 56, 0 }, leftArm = { 60, 20, 10, 20 },
  leftFront = { 3, 0, 5, 30 } }
local THRUST = rest { root = { 3, 0, -2 }, barrel = { 0, 4, 0 }, chest = { 0, 12, 30 }, waist = { 0, 12, 14 },
  head = { 0, -12, -34 }, rightArm = { 84, 0, 10, 6 }, rightHand = { 0, 76, 0 }, leftArm = { -30, 30, 20, 40 },
  leftFront = { 7, 0, 0, 0 } }
clips.attack = { keys = {
  { 0, rest { rightArm = { -14, 24, 10, 96 }, chest = { 0, 0, -14 } } }, { 2, DRAWN },
  { 3, derive(DRAWN, { root = { 0, 0, -1 } }) }, { 4, THRUST },
  { 5, derive(THRUST, { root = { 4, 0, -2 }, rightArm = { 88, 0, 10, 2 } }) },
  { 7, rest { root = { 1, 0, -0.6 }, rightArm = { 24, 14, 4, 66 }, rightHand = { 0, 14, 0 }, chest = { 0, 2, 2 } } },
} }

local function flinch(worst, lighter)
  local after = {}
  for name, channel in pairs(worst) do                                 -- order: each channel by itself
    after[name] = {}
    for i, value in ipairs(channel) do after[name][i] = exact.mix(REST[name][i], value, 0.2) end
  end
  return { grounded = true, keys = { { 0, rest(lighter) }, { 1, rest(worst) }, { 3, rest(after) } } }
end
clips.pain1 = flinch({ waist = { -6, -20, 10 }, chest = { -6, -16, 18 }, head = { -8, -20, 0 }, root = { -2, 0, -1 },
  barrel = { 0, -6, 0 }, leftFront = { 2, 0, 6, 30 }, leftArm = { 30, 50, 10, 40 }, rightArm = { -10, 40, 0, 60 } },
  { chest = { -4, -12, 10 }, head = { 0, -14, 0 }, root = { -1, 0, -0.5 } })
clips.pain2 = flinch({ waist = { 0, 26, -6 }, chest = { 0, 26, -10 }, head = { 0, 22, 0 }, root = { -1, 0, -2.5 },
  barrel = { 0, 5, 0 }, leftArm = { 40, 4, 60, 80 }, tail = { -20, 20 } },
  { chest = { 0, 16, -6 }, head = { 0, 10, 0 }, root = { 0, 0, -1 } })
clips.pain3 = flinch({ waist = { 10, 4, -18 }, chest = { 14, 4, -26 }, head = { 14, 6, -26 }, barrel = { 5, 0, 0 },
  root = { 0, 1.5, -1 }, rightHind = { 0, -3, 0, 0 }, leftArm = { -10, 55, 0, 40 } },
  { chest = { 8, 2, -16 }, head = { 10, 4, -16 } })

-- A leap: gathered, stretched out in the air, landing on the fore hooves.
clips.jump = { free = true, keys = {
  { 0, rest { root = { 0, 0, -5 }, barrel = { 0, -6, 0 }, waist = { 0, 10, 0 }, leftFrontLeg = { 30, 0, 62, -30 },
              rightFrontLeg = { 24, 0, 52, -26 }, leftHindLeg = { 24, 0, 46, 22 }, rightHindLeg = { 20, 0, 40, 20 } } },
  { 1, rest { root = { 2, 0, 3 }, barrel = { 0, -20, 0 }, waist = { 0, 14, 0 }, leftFrontLeg = { 50, 0, 90, 30 },
              rightFrontLeg = { 40, 0, 100, 30 }, leftHindLeg = { -24, 0, -14, 20 }, rightHindLeg = { -18, 0, -10, 20 },
              tail = { -40, 0 } } },
  { 3, rest { root = { 3, 0, 9 }, barrel = { 0, -2, 0 }, waist = { 0, 6, 0 }, leftFrontLeg = { 58, 0, 50, 10 },
              rightFrontLeg = { 46, 0, 60, 10 }, leftHindLeg = { -34, 0, -10, 40 }, rightHindLeg = { -28, 0, -4, 40 },
              tail = { -50, 0 }, leftArm = { 40, 50, 0, 40 } } },
  { 4, rest { root = { 2, 0, 4 }, barrel = { 0, 12, 0 }, waist = { 0, -10, 0 }, leftFrontLeg = { 26, 0, 10, 0 },
              rightFrontLeg = { 18, 0, 12, 0 }, leftHindLeg = { 10, 0, 40, 20 }, rightHindLeg = { 4, 0, 44, 20 },
              tail = { -30, 0 } } },
  { 5, rest { root = { 0, 0, -3 }, barrel = { 0, 4, 0 }, waist = { 0, 6, 0 }, leftFrontLeg = { 20, 0, 44, -22 },
              rightFrontLeg = { 16, 0, 36, -20 }, leftHindLeg = { 14, 0, 32, 14 }, rightHindLeg = { 12, 0, 28, 14 } } },
} }

-- Rears: the trunk rises over the hind hooves, the fore hooves strike the air.
local function rear(height, strike)
  return { root = { -6 * height, 0, 9 * height }, barrel = { 0, -42 * height, 0 }, withers = { 0, -6 * height, 0 },
    waist = { 0, 22 * height, 0 }, chest = { 0, 10 * height, -4 }, head = { 0, 6 * height, 4 },
    leftFront = { (2 + 4 * strike) * height, 0, (32 + 6 * strike) * height, 50 * height },
    rightFront = { (2 - 4 * strike) * height, 0, (32 - 6 * strike) * height, 50 * height },
    tail = { 26 * height, 0 } }
end

-- Where others turn a somersault it rears, strikes out twice and comes down, then kicks with its hind legs.
local KICK = rest { root = { 2, 0, 1 }, barrel = { 0, 26, 0 }, waist = { 0, -24, 0 }, chest = { 0, -8, -4 },
  leftFront = { 3, 0, 0, 0 }, rightFront = { 1, 0, 0, 0 }, leftHind = { -16, 0, 28, 80 },
  rightHind = { -14, 0, 25, 80 }, tail = { -60, 0 }, leftArm = { 20, 60, 0, 40 } }
clips.flip = { keys = {
  { 0, rest { root = { -1, 0, -3 }, waist = { 0, 8, 0 } } }, { 2, rest(rear(0.9, 0)) }, { 3, rest(rear(1, 1)) },
  { 4, rest(rear(1, -1)) }, { 5, rest(rear(0.8, 1)) }, { 7, rest { root = { 1, 0, -2 } } }, { 9, KICK },
  { 11, rest { root = { 0, 0, -0.6 } } },
} }

-- The spear is lowered before the breast and raised, the head bowed, one fore hoof drawn back.
local SALUTE = rest { rightArm = { 62, -2, 44, 84 }, rightHand = { 0, 56, 0 }, head = { 0, 16, 0 },
  chest = { 0, 8, -2 }, waist = { 0, 8, 0 }, leftFront = { -6, 0, 0, 0 }, rightFront = { 4, 0, 0, 0 },
  root = { -1, 0, -2 }, barrel = { 0, 4, 0 }, leftArm = { 46, 6, 78, 86 } }
clips.salute = { keys = {
  { 0, rest {} }, { 3, SALUTE }, { 5, derive(SALUTE, { head = { 0, 24, 0 }, root = { -1, 0, -3 } }) },
  { 7, SALUTE }, { 10, rest {} },
} }

-- Rears with the spear held high.
local function brandish(height, strike, arm)
  local pose = rest(rear(height, strike))
  return derive(pose, { rightArm = { 150, 30, 0, 20 + arm }, rightHand = { 0, 70, 0 }, leftArm = { 70, 50, 0, 50 } })
end
clips.taunt = { keys = {
  { 0, rest {} }, { 3, brandish(0.7, 0, 30) }, { 5, brandish(1, 1, 0) }, { 7, brandish(1, -1, 30) },
  { 9, brandish(1, 1, 0) }, { 11, brandish(0.7, 0, 20) }, { 13, rest { root = { 0, 0, -2.5 }, waist = { 0, 6, 0 } } },
  { 16, rest {} },
} }

local function wave(side)
  return rest { leftArm = { 20, 150 + 4 * side, -70, 30 + 26 * side }, chest = { -3, 0, 2 + 3 * side },
    head = { 4 * side, -4, 14 }, tail = { 0, 20 * side } }
end
clips.wave = { keys = {
  { 0, rest {} }, { 2, wave(0) }, { 3, wave(1) }, { 5, wave(-1) }, { 7, wave(1) }, { 8, wave(0) }, { 10, rest {} },
} }

local POINTING = rest { rightArm = { 86, 6, 0, 4 }, rightHand = { 0, 82, 0 }, chest = { 0, 2, 16 }, waist = { 0, 2, 8 },
  head = { 0, -2, -18 }, leftFront = { 3, 0, 4, 30 } }
clips.point = { keys = {
  { 0, rest {} }, { 3, POINTING }, { 6, derive(POINTING, { rightArm = { 90, 6, 0, 2 } }) },
  { 8, derive(POINTING, { rightArm = { 84, 6, 0, 6 } }) }, { 11, rest {} },
} }

-- Crouching it sinks on bent legs and bows its trunk, the spear levelled.
local CROUCH = rest { root = { 0, 0, -8.5 }, barrel = { 0, 2, 0 }, waist = { 0, 26, 0 }, chest = { 0, 12, -4 },
  head = { 0, -30, 4 }, leftFront = { 4, 0.5, 0, 0 }, rightFront = { -1, -0.5, 0, 0 }, leftHind = { 2, 0.5, 0, 0 },
  rightHind = { -2, -0.5, 0, 0 }, rightArm = { 26, 20, 10, 50 }, rightHand = { 0, 46, 0 },
  leftArm = { 36, 16, 40, 60 } }
local function crouchStand()
  local keys = {}
  for frame = 0, 18 do
    local breath, sway = sin(frame * 720 / 19), sin(frame * 360 / 19)
    keys[#keys + 1] = { frame, derive(CROUCH, {
      root = { 0, 0.3 * sway, -8.5 - 0.25 * breath }, chest = { 0, 12 - 2 * breath, -4 + 3 * sway },
      head = { 0, -30 + breath, 4 + 10 * sway }, tail = { 0, 20 * breath },
    }) }
  end
  return keys
end
clips.crstand = { keys = crouchStand(), loop = 19 }
clips.crwalk = { keys = trot(derive(CROUCH, { root = { 0, 0, -8 } }), 6, 7, 4, 0.4, 30), loop = 6 }
clips.crattack = { keys = {
  { 0, CROUCH },
  { 3, derive(CROUCH, { rightArm = { -50, 36, 10, 100 }, rightHand = { 0, 2, 0 }, chest = { 0, 8, -26 },
                        head = { 0, -26, 26 } }) },
  { 5, derive(CROUCH, { root = { 3, 0, -8 }, rightArm = { 84, 0, 10, 8 }, rightHand = { 0, 50, 0 },
                        chest = { 0, 14, 26 }, head = { 0, -30, -24 } }) },
  { 6, derive(CROUCH, { root = { 3, 0, -8 }, rightArm = { 88, 0, 10, 4 }, rightHand = { 0, 50, 0 },
                        chest = { 0, 14, 28 }, head = { 0, -30, -26 } }) },
  { 8, derive(CROUCH, { rightArm = { 34, 18, 10, 44 } }) },
} }
clips.crpain = { keys = {
  { 0, derive(CROUCH, { waist = { 0, 16, 0 }, head = { 0, -34, 0 } }) },
  { 1, derive(CROUCH, { waist = { -6, 6, 8 }, chest = { -6, 0, 14 }, head = { -8, -34, 0 }, root = { -1.5, 0, -9.5 },
                        leftArm = { 30, 50, 10, 40 } }) },
  { 3, derive(CROUCH, { waist = { 0, 22, 0 } }) },
} }

-- Lying on the left side with legs stretched out; on the right side; sunk on its folded legs.
local ON_LEFT = rest { root = { 0, 6, -20 }, barrel = { -86, 0, 0 }, withers = { 0, 0, 0 }, waist = { -8, -10, 0 },
  chest = { -6, -6, 0 }, head = { -14, 8, 10 }, tail = { 20, -10 }, leftFrontLeg = { 26, -4, 30, 20 },
  rightFrontLeg = { 4, 8, 10, 20 }, leftHindLeg = { -6, -4, 4, 20 }, rightHindLeg = { 16, 8, 20, 20 },
  leftArm = { 80, 10, 0, 30 }, rightArm = { 66, -38, 0, 30 }, rightHand = { 0, 32, 0 } }
local ON_RIGHT = derive(ON_LEFT, { root = { 0, -6, -20 }, barrel = { 86, 0, 0 }, waist = { 8, -10, 0 },
  chest = { 6, -6, 8 }, head = { 14, 8, -10 }, leftFrontLeg = { 8, 8, 14, 20 }, rightFrontLeg = { 30, -4, 34, 20 },
  leftHindLeg = { 14, 8, 16, 20 }, rightHindLeg = { -8, -4, 0, 20 }, leftArm = { 50, -34, 0, 30 },
  rightArm = { 110, 10, 0, 30 }, rightHand = { 0, 40, 0 } })
local SUNK = rest { root = { 0, 0, -17 }, barrel = { 0, 0, 0 }, waist = { 0, 30, 0 }, chest = { 0, 34, 0 },
  head = { 0, 36, 0 }, leftFrontLeg = { 62, 6, 150, 40 }, rightFrontLeg = { 56, 6, 146, 40 },
  leftHindLeg = { 66, 8, 84, 30 }, rightHindLeg = { 62, 8, 80, 30 }, leftArm = { 20, 14, 10, 20 },
  rightArm = { 30, 20, 0, 20 }, rightHand = { 0, 60, 0 }, tail = { 30, 16 } }
local BUCKLING = rest { root = { 0, 0, -8 }, barrel = { 0, 10, 0 }, waist = { 0, -16, 0 }, chest = { 0, -12, 0 },
  head = { 0, -20, 0 }, leftFrontLeg = { 40, 2, 110, 0 }, rightFrontLeg = { 34, 2, 100, 0 },
  leftHindLeg = { 10, 2, 20, 10 }, rightHindLeg = { 6, 2, 14, 10 }, leftArm = { 50, 40, 0, 40 },
  rightArm = { 20, 50, 0, 40 } }

clips.death1 = { free = true, grounded = true, keys = {
  { 0, derive(BUCKLING, { barrel = { -4, -6, 0 }, leftFrontLeg = { 20, 0, 40, 10 },
                          rightFrontLeg = { 30, 0, 50, 10 } }) },
  { 2, derive(BUCKLING, { barrel = { -30, 6, 0 } }) },
  { 3, derive(ON_LEFT, { barrel = { -66, 4, 0 }, leftFrontLeg = { 40, 0, 80, 20 } }) }, { 4, ON_LEFT },
  { 5, derive(ON_LEFT, { barrel = { -88, 0, 0 }, head = { -18, 10, 10 } }) },
} }
clips.death2 = { free = true, grounded = true, keys = {
  { 0, derive(BUCKLING, { barrel = { 0, 4, 0 }, waist = { 0, 10, 0 } }) }, { 2, derive(BUCKLING, {}) },
  { 4, derive(SUNK, { waist = { 0, 10, 0 }, chest = { 0, 10, 0 } }) }, { 5, SUNK },
} }
clips.death3 = { free = true, grounded = true, keys = {
  { 0, derive(BUCKLING, { barrel = { 6, -24, 0 }, leftFrontLeg = { 60, 0, 60, 10 },
                          rightFrontLeg = { 50, 0, 90, 10 } }) },
  { 2, derive(BUCKLING, { barrel = { 14, -34, 8 }, leftFrontLeg = { 70, 0, 70, 10 }, rightFrontLeg = { 80, 0, 60, 10 },
                          leftHindLeg = { 34, 2, 20, -20 }, rightHindLeg = { 30, 2, 16, -20 } }) },
  { 4, derive(BUCKLING, { barrel = { 44, -14, 8 }, rightHindLeg = { 30, 2, 60, 10 } }) },
  { 6, derive(ON_RIGHT, { barrel = { 78, 0, 4 } }) }, { 8, ON_RIGHT },
} }
clips.crdeath = { free = true, grounded = true, keys = {
  { 0, derive(SUNK, { waist = { 0, 10, 0 }, head = { 0, -10, 0 } }) }, { 2, derive(SUNK, { barrel = { -34, 0, 0 } }) },
  { 3, derive(ON_LEFT, { barrel = { -70, 0, 0 }, leftFrontLeg = { 50, 0, 100, 20 } }) }, { 4, ON_LEFT },
} }

return clips
