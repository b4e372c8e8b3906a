-- Arithmetic that gives the same bits on every machine. Only + - * / and square roots are used, which IEEE 754 rounds
-- exactly; the sine of a C library may differ in its last digit. Angles are degrees. The noise is made of integers.
local exact = {}

local PI = 3.14159265358979

local floor = math.floor

-- Sine of 0..90 degrees by its power series; eleven terms are more than a double can hold.
local function sineOfQuarter(degrees)
  local x = degrees * PI / 180
  local square, term, sum = x * x, x, x
  for i = 2, 20, 2 do
    term = -term * square / (i * (i + 1))
    sum = sum + term
  end
  return sum
end

function exact.sin(degrees)
  local angle, sign = degrees % 360, 1
  if angle >= 180 then angle, sign = angle - 180, -1 end
  if angle > 90 then angle = 180 - angle end
  return sign * sineOfQuarter(angle)
end

function exact.cos(degrees)
  return exact.sin(degrees + 90)
end

-- Nearest integer. The small bias decides what lies halfway, which symmetric shapes produce all the time.
function exact.round(value)
  return floor(value + 0.5 + 1e-7)
end

function exact.clamp(value, low, high)
  if value < low then return low end
  if value > high then return high end
  return value
end

function exact.mix(a, b, t)
  return a + (b - a) * t
end

-- 0 below `from`, 1 above `to`, smooth between them.
function exact.step(from, to, value)
  local t = exact.clamp((value - from) / (to - from), 0, 1)
  return t * t * (3 - 2 * t)
end

-- A number in 0..1 that depends on nothing but four integers.
function exact.hash(x, y, z, seed)
  local h = x * 374761393 + y * 668265263 + z * 1440662683 + seed * 2246822519
  h = (h ~ (h >> 13)) * 1274126177
  h = (h ~ (h >> 16)) * 2654435761
  return ((h ~ (h >> 15)) & 0xffff) / 0xffff
end

local hash, mix = exact.hash, exact.mix

-- Smooth noise in 0..1 with one hill or dale a unit. With periods (integers) it repeats in x and y.
function exact.noise(x, y, z, seed, periodX, periodY)
  local ix, iy, iz = floor(x), floor(y), floor(z)
  local fx, fy, fz = x - ix, y - iy, z - iz
  fx, fy, fz = fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy), fz * fz * (3 - 2 * fz)
  local jx, jy = ix + 1, iy + 1
  if periodX then ix, iy, jx, jy = ix % periodX, iy % periodY, jx % periodX, jy % periodY end
  local near = mix(mix(hash(ix, iy, iz, seed), hash(jx, iy, iz, seed), fx),
                   mix(hash(ix, jy, iz, seed), hash(jx, jy, iz, seed), fx), fy)
  local far = mix(mix(hash(ix, iy, iz + 1, seed), hash(jx, iy, iz + 1, seed), fx),
                  mix(hash(ix, jy, iz + 1, seed), hash(jx, jy, iz + 1, seed), fx), fy)
  return mix(near, far, fz)
end

-- Noise of several sizes, each half as large and half as strong as the one before, still in 0..1.
function exact.fractal(x, y, z, seed, octaves, periodX, periodY)
  local sum, weight, total = 0, 1, 0
  for octave = 1, octaves do
    sum = sum + weight * exact.noise(x, y, z, seed + octave, periodX, periodY)
    total = total + weight
    x, y, z, weight = x * 2, y * 2, z * 2, weight / 2
    if periodX then periodX, periodY = periodX * 2, periodY * 2 end
  end
  return sum / total
end

return exact
