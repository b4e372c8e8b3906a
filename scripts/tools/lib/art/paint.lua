-- Materials for the painters of skins. A colour is {r, g, b} of 0..1; a sample is one of bake.sample.
local exact = require "lib.art.exact"

local paint = {}

local mix, step, fractal, hash = exact.mix, exact.step, exact.fractal, exact.hash

function paint.mix(a, b, t)
  return { mix(a[1], b[1], t), mix(a[2], b[2], t), mix(a[3], b[3], t) }
end

function paint.scale(colour, factor)
  return { colour[1] * factor, colour[2] * factor, colour[3] * factor }
end

-- A colour in its own shadow: dark where little sky is seen, a little darker underneath.
function paint.shade(colour, sample)
  local light = mix(0.42, 1.04, step(0.1, 0.95, sample.open)) * mix(0.86, 1.06, step(-1, 1, sample.nz))
  return paint.scale(colour, light)
end

-- Polished metal: it mirrors a pale sky, a dark ridge of hills and lighter ground; brushed and dented a little.
function paint.metal(sample, base)
  local bent = sample.nz + 0.25 * (fractal(sample.x * 0.5, sample.y * 0.5, sample.z * 0.5, 11, 3) - 0.5)
  local mirror = 0.72 + 0.50 * step(0.05, 0.75, bent) - 0.22 * step(-0.45, -0.05, bent) * (1 - step(0.0, 0.3, bent))
  local brushed = 0.90 + 0.20 * fractal(sample.x * 2, sample.y * 2, sample.z * 7, 12, 3)
  local spot = step(0.62, 0.78, fractal(sample.x * 0.9, sample.y * 0.9, sample.z * 0.9, 13, 4))
  local colour = paint.scale(base, mirror * brushed)
  return paint.mix(colour, { base[1] * 0.45, base[2] * 0.40, base[3] * 0.34 }, 0.35 * spot)
end

-- Rings of mail, two texels each, every other row shifted by one.
function paint.mail(sample, base)
  local s, t = sample.s + (sample.t // 2 % 2), sample.t
  local light = (s % 2 == 0) and (t % 2 == 0 and 1.15 or 0.8) or (t % 2 == 0 and 0.7 or 0.42)
  return paint.scale(base, light * (0.85 + 0.3 * hash(s // 2, t // 2, 0, 21)))
end

-- Woven cloth that falls in folds around the body's axis and grows dirty towards the ground.
function paint.cloth(sample, base, folds)
  local around = sample.u * folds + 0.8 * fractal(sample.x * 0.2, sample.y * 0.2, sample.z * 0.15, 31, 2)
  local fold = 0.5 + 0.5 * exact.sin(360 * around)
  local weave = 0.94 + 0.12 * hash(sample.s, sample.t, 1, 32)
  local patch = 0.86 + 0.28 * fractal(sample.x * 0.4, sample.y * 0.4, sample.z * 0.4, 33, 3)
  return paint.scale(base, (0.72 + 0.36 * fold) * weave * patch)
end

function paint.leather(sample, base)
  local grain = 0.70 + 0.6 * fractal(sample.x * 1.6, sample.y * 1.6, sample.z * 1.6, 41, 4)
  return paint.scale(base, grain)
end

-- Grooves where overlapping plates end: dark below each edge, bright on it. `along` counts plates.
function paint.plates(colour, along)
  local within = along - math.floor(along)
  local light = 1 - 0.5 * (1 - step(0, 0.16, within)) + 0.25 * step(0.80, 0.94, within)
  return paint.scale(colour, light)
end

-- A row of rivets: `across` and `along` in units from the row's line and along it, one each `spacing`.
function paint.rivets(colour, across, along, spacing, radius)
  local from = (along / spacing - math.floor(along / spacing) - 0.5) * spacing
  local distance = math.sqrt(across * across + from * from) / radius
  if distance > 1.5 then return colour end
  if distance > 1 then return paint.scale(colour, 0.55) end
  return paint.scale(colour, 1.45 - 0.4 * distance)
end

return paint
