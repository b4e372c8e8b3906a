-- What the knight holds: an axe and a sword, modelled in the knight's space. In each frame they are where the right
-- hand of the knight is in that frame, so that a weapon drawn at the place of its bearer is held by it. In the grip's
-- own space it points along x; its edge looks down when the arm hangs, forward when it is bent.
local mesh = require "lib.art.mesh"
local rigid = require "lib.art.rigid"
local skeleton = require "lib.art.skeleton"
local knightMesh = require "lib.art.knight_mesh"

local weapons = {}

weapons.SKIN_SIZE = 128
weapons.FRAME_COUNT = 173               -- the standing knight's and the crouching one's, up to its death

local GRIP = knightMesh.GRIP
-- Rings lie flat in the plane of the blade, their forward along the shaft and their left where the edge is.
local BLADE_PLANE = { 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0 }
local HAND = "rightHand"

-- A ring around the shaft at x.
local function ring(x, height, width)
  return { at = { x, 0, 0 }, tilt = 90, front = height, side = width, joints = HAND }
end

local AXE_CHARTS = {
  blade = { 4, 4, 84, 76 }, shaft = { 4, 84, 120, 12 }, grip = { 4, 100, 56, 24 }, socket = { 64, 100, 60, 24 },
  pommel = { 94, 4, 30, 34 }, spike = { 94, 44, 30, 34 },
}

-- The head of the axe from the poll over the upper horn, down the edge and back along the beard {along, outward}.
local AXE_HEAD = {
  { 13.5, -3.2 }, { 15.2, -2.2 }, { 15.6, 1.4 }, { 15.8, 3.4 }, { 17.4, 6.0 }, { 19.6, 8.4 }, { 16.6, 9.8 },
  { 13, 10.3 }, { 9.6, 9.8 }, { 7, 8.6 }, { 5.6, 6.8 }, { 9, 5.2 }, { 11, 3.4 }, { 11.4, 1.4 }, { 11.6, -2.2 },
  { 12, -5.6 },
}

function weapons.buildAxe()
  local model, charts = mesh.new(), AXE_CHARTS
  model:loft { part = "shaft", sides = 6, place = GRIP, chart = charts.shaft, start = {}, finish = {}, rings = {
    ring(-11, 0.7, 0.6), ring(3, 0.6, 0.5), ring(17, 0.7, 0.6),
  } }
  model:loft { part = "grip", sides = 6, place = GRIP, chart = charts.grip, fold = true, start = {}, finish = {},
    rings = { ring(-6, 0.85, 0.75), ring(3.2, 0.8, 0.7) } }
  model:loft { part = "socket", sides = 6, place = GRIP, chart = charts.socket, start = {}, finish = {}, rings = {
    ring(10.6, 1.1, 1.0), ring(16.4, 1.15, 1.05),
  } }
  model:loft { part = "pommel", sides = 6, place = GRIP, chart = charts.pommel, start = { pole = { -13, 0, 0 } },
    rings = { ring(-11.2, 1.3, 1.2) }, finish = { pole = { -9.6, 0, 0 } } }
  model:loft { part = "spike", sides = 6, place = GRIP, chart = charts.spike, start = {},
    rings = { ring(16.6, 0.9, 0.8) }, finish = { pole = { 21.6, 0, 0 } } }
  model:loft { part = "blade", sides = 16, place = rigid.multiply(GRIP, BLADE_PLANE), chart = charts.blade,
    rings = { { at = { 0, 0, 0 }, outline = AXE_HEAD, joints = HAND } },
    start = { pole = { 13.4, 2.2, -0.85 }, chart = charts.blade },
    finish = { pole = { 13.4, 2.2, 0.85 }, sameAsStart = true } }
  return model
end

local SWORD_CHARTS = {
  blade = { 4, 4, 36, 76, first = 1, last = 2 }, point = { 4, 82, 36, 40, first = 2, last = 3 },
  guard = { 46, 4, 78, 36 }, quillonLeft = { 46, 46, 20, 20 }, quillonRight = { 70, 46, 20, 20 },
  grip = { 46, 74, 40, 48, first = 1, last = 2 }, pommel = { 92, 74, 32, 48, first = 2, last = 3 },
}

function weapons.buildSword()
  local model, charts = mesh.new(), SWORD_CHARTS
  model:loft { part = "blade", sides = 4, place = GRIP, charts = { charts.blade, charts.point }, start = {}, rings = {
    ring(2.6, 1.5, 0.45), ring(18, 1.25, 0.36), ring(27, 0.95, 0.28),
  }, finish = { pole = { 31, 0, 0 } } }
  local function quillon(y, x, height)
    return { at = { x, 0, y }, turn = 0.5, front = height, side = height * 0.9, joints = HAND }
  end
  model:loft { part = "guard", sides = 4, chart = charts.guard,
    place = rigid.multiply(GRIP, { 1, 0, 0, 0, 1, 0, 0, 0, 1, 2.4, 0, 0 }),
    start = { chart = charts.quillonLeft }, finish = { chart = charts.quillonRight }, rings = {
    quillon(-5.2, 1.0, 0.95), quillon(-2, 0, 0.75), quillon(2, 0, 0.75), quillon(5.2, 1.0, 0.95),
  } }
  model:loft { part = "grip", sides = 4, place = GRIP, charts = { charts.grip, charts.pommel }, start = {}, rings = {
    ring(2.2, 0.75, 0.65), ring(-3.6, 0.7, 0.6), ring(-5.2, 1.5, 1.2),
  }, finish = { pole = { -6.6, 0, 0 } } }
  return model
end

-- The frames of a weapon in the hand of a knight whose `frames` (of animation.run) these are.
function weapons.frames(model, frames)
  local result = {}
  for i = 1, weapons.FRAME_COUNT do
    result[i] = { name = frames[i].name, positions = skeleton.deform(model, frames[i].motions) }
  end
  return result
end

return weapons
