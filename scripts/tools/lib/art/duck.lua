-- The duck of the starter game: a round body with a tail, a neck that bends, wings, and feet that waddle. 24 units are
-- as long as a duck is high. It has the clips stand, run, peck and flap.
local clips = require "lib.art.duck_clips"
local mesh = require "lib.art.mesh"
local md2 = require "lib.art.md2"
local pose = require "lib.art.pose"
local rigid = require "lib.art.rigid"
local skeleton = require "lib.art.skeleton"
local skin = require "lib.art.duck_skin"

local duck = {}

local JOINTS = {
  { "body", nil, 0, 0, 8 },
  { "neck", "body", 4, 0, 12 },
  { "head", "neck", 5.6, 0, 16.5 },
  { "tail", "body", -6, 0, 10.5 },
}
skeleton.addSides(JOINTS, { { "leftWing", "body", 3.5, 4.2, 12.2 }, { "leftLeg", "body", 0, 2.4, 6 } })

local bones = skeleton.new(JOINTS)

-- Where the parts lie on the skin: x, y, width, height in texels.
local CHARTS = {
  body = { 3, 3, 122, 46 }, head = { 3, 54, 76, 36 }, beak = { 84, 54, 40, 18 }, wing = { 84, 77, 40, 24 },
  leg = { 3, 95, 34, 12 }, foot = { 42, 95, 36, 12 }, wingInside = { 84, 106, 40, 18 },
}

-- Rings upright across the body: `front` is down, `back` up.
local function addBody(model)
  model:loft { part = "body", sides = 10, chart = CHARTS.body, fold = true,
    start = { pole = { -12.2, 0, 15.6 }, joints = "tail" }, rings = {
      { at = { -9.4, 0, 13.2 }, tilt = 90, front = 1.5, back = 0.9, side = 2.0, joints = "tail" },
      { at = { -6.4, 0, 10.8 }, tilt = 90, front = 3.6, back = 2.7, side = 3.9, joints = { "tail", 0.4, "body", 0.6 } },
      { at = { -2.2, 0, 9.6 }, tilt = 90, front = 5.0, back = 4.0, side = 5.5, joints = "body" },
      { at = { 2.2, 0, 9.6 }, tilt = 90, front = 5.0, back = 4.1, side = 5.4, joints = "body" },
      { at = { 5.8, 0, 10.6 }, tilt = 90, front = 4.4, back = 3.6, side = 4.2, joints = { "body", 0.8, "neck", 0.2 } },
    }, finish = { pole = { 8.4, 0, 11.4 } } }
end

local function addHead(model)
  model:loft { part = "head", sides = 10, chart = CHARTS.head, fold = true, rings = {
    { at = { 3.6, 0, 10.8 }, tilt = 16, front = 3.0, side = 3.0, joints = { "body", 0.7, "neck", 0.3 } },
    { at = { 5.0, 0, 14.4 }, tilt = 10, front = 2.5, side = 2.3, joints = "neck" },
    { at = { 5.7, 0, 16.6 }, front = 2.6, side = 2.4, joints = { "neck", 0.5, "head", 0.5 } },
    { at = { 6.3, 0, 18.8 }, front = 3.4, back = 3.3, side = 3.3, joints = "head" },
    { at = { 6.4, 0, 20.8 }, front = 3.3, back = 3.4, side = 3.3, joints = "head" },
    { at = { 6.2, 0, 22.8 }, front = 2.2, back = 2.3, side = 2.2, joints = "head" },
  }, finish = { pole = { 6.0, 0, 23.8 } } }
  model:loft { part = "beak", sides = 6, chart = CHARTS.beak, rings = {
    { at = { 8.6, 0, 19.2 }, tilt = 90, front = 1.3, back = 1.3, side = 1.9, joints = "head" },
    { at = { 10.8, 0, 18.6 }, tilt = 90, front = 0.7, back = 0.7, side = 2.0, joints = "head" },
    { at = { 12.8, 0, 18.5 }, tilt = 90, front = 0.4, back = 0.4, side = 1.7, joints = "head" },
  }, finish = { pole = { 13.6, 0, 18.5 } } }
end

local function addSide(model)
  model:loft { part = "leftWing", sides = 6, chart = CHARTS.wing, start = { pole = { -9.4, 3.4, 13.6 } }, rings = {
    { at = { -6.0, 4.5, 11.9 }, tilt = 90, front = 1.3, back = 1.1, side = 0.7, joints = "leftWing" },
    { at = { -1.6, 5.5, 11.0 }, tilt = 90, front = 2.7, back = 2.0, side = 1.0, joints = "leftWing" },
    { at = { 2.6, 5.0, 11.2 }, tilt = 90, front = 2.3, back = 1.7, side = 0.9, joints = "leftWing" },
  }, finish = { pole = { 5.0, 3.9, 11.4 } } }
  model:loft { part = "leftLeg", sides = 5, chart = CHARTS.leg, rings = {
    { at = { -0.2, 2.4, 6.4 }, front = 1.1, side = 1.1, joints = "leftLeg" },
    { at = { 0, 2.5, 0.6 }, front = 0.7, side = 0.7, joints = "leftLeg" },
  } }
  model:loft { part = "leftFoot", sides = 6, chart = CHARTS.foot, start = {}, rings = {
    { at = { -1.2, 2.5, 0.5 }, tilt = 90, front = 0.5, back = 0.6, side = 0.8, joints = "leftLeg" },
    { at = { 1.2, 2.6, 0.5 }, tilt = 90, front = 0.5, back = 0.5, side = 1.5, joints = "leftLeg" },
    { at = { 3.6, 2.8, 0.35 }, tilt = 90, front = 0.35, back = 0.3, side = 2.2, joints = "leftLeg" },
  }, finish = {} }
end

function duck.build()
  local model = mesh.new()
  addBody(model)
  addHead(model)
  local marks = model:mark()
  addSide(model)
  model:mirror(marks, skeleton.toRight)
  return model
end

-- The motions of all joints; duck_clips.lua says what the channels of a pose mean.
local function place(frame)
  local motions, at = {}, bones:place("body")
  local function turn(name, parent, channel)
    motions[name] = bones:turn(name, rigid.euler(channel[1], channel[2], channel[3]), motions[parent])
  end
  motions.body = bones:motionAt("body", rigid.euler(table.unpack(frame.lean)),
                                { at[1], at[2] + frame.root[1], at[3] + frame.root[2] })
  turn("neck", "body", frame.neck)
  turn("head", "neck", frame.head)
  turn("tail", "body", { 0, frame.tail[1], 0 })
  local onGround = rigid.translation(0, frame.root[1], math.max(frame.root[2], 0))
  for side, sign in pairs { left = 1, right = -1 } do                  -- order: each side by itself
    local swing, lift = table.unpack(frame[side .. "Leg"])
    turn(side .. "Wing", "body", { -sign * frame.wings[1], 0, sign * frame.wings[2] })
    local leg = bones:turn(side .. "Leg", rigid.pitch(-swing), onGround)
    motions[side .. "Leg"] = rigid.multiply(rigid.translation(0, 0, lift), leg)
  end
  return motions
end

local function frames(model)
  local list = {}
  for _, clip in ipairs(clips) do
    for index = 0, clip.count - 1 do
      local motions = place(pose.sample(clip.keys, index, clip.count))
      list[#list + 1] = { name = ("%s%02d"):format(clip.name, index + 1), positions = skeleton.deform(model, motions) }
    end
  end
  return list
end

function duck.make(write)
  local model = duck.build()
  write("models/duck.md2", md2.encode { mesh = model, skinSize = skin.SIZE, frames = frames(model),
    skins = { "models/duck.png", "models/duckling.png" } })
  local skins = skin.paint(model)
  write("models/duck.png", skins.duck)
  write("models/duckling.png", skins.duckling)
end

return duck
