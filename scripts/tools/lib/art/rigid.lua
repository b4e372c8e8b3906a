-- Vectors {x, y, z} and rigid motions. A motion is twelve numbers: three rows of a rotation, then the translation.
-- Axes are Quake II's: x forward, y left, z up. Positive pitch bows forward, positive yaw turns left, positive roll
-- leans right.
local exact = require "lib.art.exact"

local rigid = {}

rigid.IDENTITY = { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 }

function rigid.translation(x, y, z)
  return { 1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z }
end

function rigid.roll(degrees)
  local c, s = exact.cos(degrees), exact.sin(degrees)
  return { 1, 0, 0, 0, c, -s, 0, s, c, 0, 0, 0 }
end

function rigid.pitch(degrees)
  local c, s = exact.cos(degrees), exact.sin(degrees)
  return { c, 0, s, 0, 1, 0, -s, 0, c, 0, 0, 0 }
end

function rigid.yaw(degrees)
  local c, s = exact.cos(degrees), exact.sin(degrees)
  return { c, -s, 0, s, c, 0, 0, 0, 1, 0, 0, 0 }
end

-- The motion that does b first, then a.
function rigid.multiply(a, b)
  local m = {}
  for row = 0, 2 do
    local p, q, r = a[row * 3 + 1], a[row * 3 + 2], a[row * 3 + 3]
    for column = 1, 3 do
      m[row * 3 + column] = p * b[column] + q * b[column + 3] + r * b[column + 6]
    end
    m[row + 10] = p * b[10] + q * b[11] + r * b[12] + a[row + 10]
  end
  return m
end

-- Rolled first, then pitched, then turned.
function rigid.euler(roll, pitch, yaw)
  return rigid.multiply(rigid.yaw(yaw), rigid.multiply(rigid.pitch(pitch), rigid.roll(roll)))
end

function rigid.apply(m, x, y, z)
  return m[1] * x + m[2] * y + m[3] * z + m[10],
         m[4] * x + m[5] * y + m[6] * z + m[11],
         m[7] * x + m[8] * y + m[9] * z + m[12]
end

function rigid.subtract(a, b)
  return { a[1] - b[1], a[2] - b[2], a[3] - b[3] }
end

function rigid.dot(a, b)
  return a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
end

function rigid.cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

function rigid.length(a)
  return math.sqrt(rigid.dot(a, a))
end

function rigid.normalize(a)
  local length = rigid.length(a)
  return { a[1] / length, a[2] / length, a[3] / length }
end

-- a + b * factor
function rigid.along(a, b, factor)
  return { a[1] + b[1] * factor, a[2] + b[2] * factor, a[3] + b[3] * factor }
end

-- The rotation whose third axis is `up` and whose first is as near to `forward` as it can be.
function rigid.frame(up, forward)
  local z = rigid.normalize(up)
  local y = rigid.normalize(rigid.cross(z, forward))
  local x = rigid.cross(y, z)
  return { x[1], y[1], z[1], x[2], y[2], z[2], x[3], y[3], z[3], 0, 0, 0 }
end

-- The inverse of a pure rotation.
function rigid.transpose(m)
  return { m[1], m[4], m[7], m[2], m[5], m[8], m[3], m[6], m[9], 0, 0, 0 }
end

return rigid
