-- The game behind `palfrey view`: one model on a turntable. Arrow keys or the mouse turn it, the wheel or + and - come
-- nearer, space stops and starts, N and P choose the clip, 1 to 4 the view mode, F3 shows numbers.
local palfrey = palfrey   -- the runtime's own scripts have it as a global

local MODES = { "textured", "shaded", "flat", "wire" }
local FIELD_OF_VIEW = 35
local TURN_SPEED = 90   -- degrees a second by key
local DRAG_SPEED = 0.4  -- degrees a pixel by mouse

local world, model, camera
local heading, pitch, distance = 205, -12, 1   -- degrees and metres: from the front, a little to the side
local clips, clipIndex = {}, 0
local seekTime   -- seconds into the clip where it is to stand still, until it does

local function placeCamera()
  local x, y, z = model:getCenter()
  local h, p = math.rad(heading), math.rad(pitch)
  local flat = math.cos(p) * distance
  camera:setPosition(x + math.sin(h) * flat, y - math.sin(p) * distance, z + math.cos(h) * flat)
  camera:lookAt(x, y, z)
end

-- Far enough away to see the whole model.
local function fit()
  local x0, y0, z0, x1, y1, z1 = model:getBounds()
  local radius = 0.5 * math.sqrt((x1 - x0) ^ 2 + (y1 - y0) ^ 2 + (z1 - z0) ^ 2)
  distance = math.max(radius, 0.001) / math.sin(math.rad(FIELD_OF_VIEW / 2)) * 1.05
  return distance
end

local function choose(index)
  if #clips == 0 then return end
  clipIndex = (index - 1) % #clips + 1
  model:play(clips[clipIndex].name, { restart = true })
end

-- request: model, skin, clip, time (seconds into the clip; then it stands still), mode, format (of the model, or of
-- what it was converted from).
local function start(request)
  world = palfrey.newWorld{ ambient = {0.5, 0.5, 0.55}, background = {0.2, 0.23, 0.28} }
  world:setViewMode(request.mode or "textured")
  world:addLight{ kind = "directional", color = {0.75, 0.72, 0.65}, direction = {-1, -1.5, -1} }
  world:addLight{ kind = "directional", color = {0.2, 0.22, 0.3}, direction = {1, -0.2, 0.6} }
  model = assert(world:addModel{ model = request.model, skin = request.skin })
  -- Characters of glTF look along +Z.
  if request.format == "gltf" then heading = heading - 180 end
  clips = model:getClips()
  local size = fit()
  camera = world:addCamera{ fov = FIELD_OF_VIEW, near = size / 100, far = size * 100 }
  for i, clip in ipairs(clips) do
    if clip.name == request.clip then choose(i) end
  end
  if not request.clip then choose(1) end
  seekTime = request.time
  placeCamera()
end

-- One step at the speed that takes it all the way, then a stop.
local function seek(dt)
  if not seekTime or clipIndex == 0 then return end
  if seekTime < 0 then
    model:stop()
    seekTime = nil
  else
    model:play(clips[clipIndex].name, { speed = seekTime / dt, restart = true })
    seekTime = -1
  end
end

function palfrey.update(dt)
  local input = palfrey.input
  seek(dt)
  local _, _, dx, dy = input.getMouse()
  if input.isDown "mouse1" then
    heading, pitch = heading - dx * DRAG_SPEED, pitch - dy * DRAG_SPEED
  end
  if input.isDown "left" then heading = heading - TURN_SPEED * dt end
  if input.isDown "right" then heading = heading + TURN_SPEED * dt end
  if input.isDown "up" then pitch = pitch - TURN_SPEED * dt end
  if input.isDown "down" then pitch = pitch + TURN_SPEED * dt end
  pitch = math.max(-89, math.min(89, pitch))
  if input.wasPressed "space" then
    if model:isPlaying() then model:stop() else choose(clipIndex) end
  end
  if input.wasPressed "n" then choose(clipIndex + 1) end
  if input.wasPressed "p" then choose(clipIndex - 1) end
  for i, name in ipairs(MODES) do
    if input.wasPressed(tostring(i)) then world:setViewMode(name) end
  end
  placeCamera()
end

function palfrey.wheelmoved(_, dy)
  distance = distance * (dy > 0 and 0.9 or 1.1)
end

function palfrey.draw()
  local _, h = palfrey.hud.getSize()
  local clip = clips[clipIndex]
  local text = clip and ("%s  %d frames"):format(clip.name, clip.frames) or "no clips"
  palfrey.hud.text(text, 12, h - 28, { size = 16, color = {0.85, 0.88, 0.95, 0.9} })
end

return start
