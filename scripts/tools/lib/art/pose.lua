-- Poses and the movement between them. A pose is a table of channels, each a list of numbers, such as hips = { roll,
-- pitch, yaw }. A clip is a list of keys { frame, pose } that curves are drawn through. What the channels mean is up to
-- the body.
local exact = require "lib.art.exact"

local pose = {}

-- The base pose with some channels replaced.
function pose.derive(base, changes)
  local result = {}
  for name, channel in pairs(base) do result[name] = channel end       -- order: copied into a table
  for name, channel in pairs(changes) do                               -- order: copied into a table
    assert(base[name], name)
    result[name] = channel
  end
  return result
end

-- Two poses mixed channel by channel.
function pose.mix(a, b, t)
  local result = {}
  for name, channel in pairs(a) do                                     -- order: each channel by itself
    local mixed = {}
    for i, value in ipairs(channel) do mixed[i] = exact.mix(value, b[name][i], t) end
    result[name] = mixed
  end
  return result
end

-- A curve through b and c that leaves b as if coming from a, and reaches c as if going to d (Catmull and Rom).
local function curve(a, b, c, d, t)
  return b + t / 2 * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
end

local function keyAt(keys, i, loopLength)
  if loopLength then
    local key = keys[(i - 1) % #keys + 1]
    return key[1] + loopLength * ((i - 1) // #keys), key[2]
  end
  local key = keys[exact.clamp(i, 1, #keys)]
  return key[1], key[2]
end

-- The pose at `frame`. With `loopLength` the keys repeat after so many frames, else the ends hold.
function pose.sample(keys, frame, loopLength)
  local i = 1
  while i < #keys and keys[i + 1][1] <= frame do i = i + 1 end
  local from, b = keyAt(keys, i, loopLength)
  local to, c = keyAt(keys, i + 1, loopLength)
  local _, a = keyAt(keys, i - 1, loopLength)
  local _, d = keyAt(keys, i + 2, loopLength)
  local t = to > from and (frame - from) / (to - from) or 0
  local result = {}
  for name, channel in pairs(b) do                                     -- order: each channel by itself
    local values = {}
    for k = 1, #channel do values[k] = curve(a[name][k], channel[k], c[name][k], d[name][k], t) end
    result[name] = values
  end
  return result
end

return pose
