-- What the duck does in each clip. Channels, in degrees and units:
--   root {left, up}; lean, neck, head {roll, pitch, yaw}; tail {pitch}; wings {spread, sweep}
--   leftLeg, rightLeg {forward, lifted by}
local derive = require "lib.art.pose".derive
local exact = require "lib.art.exact"

local sin, cos = exact.sin, exact.cos

local REST = {
  root = { 0, 0 }, lean = { 0, 0, 0 }, neck = { 0, 0, 0 }, head = { 0, 0, 0 }, tail = { 0 }, wings = { 0, 0 },
  leftLeg = { 0, 0 }, rightLeg = { 0, 0 },
}

-- Breathes, looks about and shakes its tail once.
local function stand(phase)
  local look = sin(phase)
  return {
    root = { 0, -0.2 + 0.2 * sin(2 * phase) }, neck = { 0, 2 * sin(2 * phase), 14 * look * look * look },
    head = { 5 * sin(phase - 40), -2 * sin(2 * phase), 22 * look * look * look },
    tail = { 4 * sin(2 * phase) }, wings = { 2 + 2 * sin(2 * phase), 0 },
  }
end

-- Waddles: rolls over the foot that stands, the neck going forth and back with each step.
local function run(phase)
  local swing = sin(phase)
  return {
    root = { -0.7 * cos(phase), 0.5 * math.abs(cos(phase)) }, lean = { 9 * cos(phase), -3, 5 * swing },
    neck = { -4 * cos(phase), 9 + 8 * sin(2 * phase), -3 * swing },
    head = { -5 * cos(phase), -6 - 8 * sin(2 * phase), 0 },
    tail = { 5 * sin(2 * phase) }, wings = { 6 + 4 * cos(2 * phase), 0 },
    leftLeg = { 30 * swing, 1.7 * math.max(cos(phase), 0) }, rightLeg = { -30 * swing, 1.7 * math.max(-cos(phase), 0) },
  }
end

-- Bows twice to the grass, the tail going up.
local function peck(phase)
  local down = exact.step(-0.2, 0.7, -cos(phase))
  local nibble = down * sin(3 * phase)
  return {
    lean = { 0, 26 * down, 0 }, neck = { 0, 46 * down + 4 * nibble, 0 }, head = { 0, 22 * down + 8 * nibble, 0 },
    tail = { -14 * down }, wings = { 3 * down, 0 },
  }
end

-- Stands up and beats its wings.
local function flap(phase)
  local beat = sin(3 * phase)
  return {
    root = { 0, 0.4 + 0.5 * beat }, lean = { 0, -18, 0 }, neck = { 0, -10, 0 }, head = { 0, 24, 0 },
    tail = { 10 }, wings = { 56 + 50 * beat, 18 },
  }
end

-- In the order of the file.
local clips = {
  { name = "stand", count = 16, at = stand }, { name = "run", count = 8, at = run },
  { name = "peck", count = 12, at = peck }, { name = "flap", count = 12, at = flap },
}

for _, clip in ipairs(clips) do
  clip.keys = {}
  for frame = 0, clip.count - 1 do
    clip.keys[frame + 1] = { frame, derive(REST, clip.at(360 * frame / clip.count)) }
  end
end

return clips
