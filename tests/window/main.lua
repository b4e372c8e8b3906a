-- Watches its own window: each line tells of one step, what was drawn since the one before, and whether the picture
-- fills the window: its corners, and a cube to the right of the middle that stands where the camera says. The arguments
-- are steps at which it fills the screen, or does so no more. Now and then the context is lost.
local palfrey = require "palfrey"
local world, camera, cpu
local draws, isFull, toggles = 0, false, {}

function palfrey.load(args)
  for _, step in ipairs(args) do toggles[tonumber(step)] = true end
  world = palfrey.newWorld { ambient = { 1, 1, 1 } }
  world:addModel { model = "assets/cube.obj", position = { 1, 0, 0 }, scale = 0.5 }
  camera = world:addCamera { position = { 0, 0, 6 } }
  cpu = os.clock()
end

local function is(x, y, r, g, b)
  local red, green, blue = palfrey.screen.getPixel(x, y)
  return red == r and green == g and blue == b
end

local function fills(w, h)
  if w < 16 or h < 16 then return pcall(palfrey.screen.getPixel, w - 1, h - 1) end
  local x, y = camera:toScreen(1, 0, 0)
  local r, g, b = palfrey.screen.getPixel(math.floor(x), math.floor(y))
  local isInside = not pcall(palfrey.screen.getPixel, w, h)
  return isInside and is(0, 0, 255, 0, 0) and is(w - 1, h - 1, 0, 255, 0) and r + g + b > 300
end

function palfrey.update()
  local w, h = palfrey.screen.getSize()
  local good, result = pcall(fills, w, h)
  local now = os.clock()
  print(("step %d size %d %d draws %d cpu %.6f %s"):format(palfrey.getStep(), w, h, draws, now - cpu,
    not good and result or result and "fills" or "fails"))
  draws, cpu = 0, now
  if palfrey.getStep() % 25 == 7 then palfrey.testing.loseContext() end
  if toggles[palfrey.getStep()] then
    isFull = not isFull
    palfrey.screen.setFullscreen(isFull)
  end
end

function palfrey.draw()
  local w, h = palfrey.hud.getSize()
  draws = draws + 1
  palfrey.hud.rectangle(0, 0, 4, 4, { color = { 1, 0, 0 } })
  palfrey.hud.rectangle(w - 4, h - 4, 4, 4, { color = { 0, 1, 0 } })
end

function palfrey.resize(w, h)
  assert(w == palfrey.screen.getSize() and h == select(2, palfrey.screen.getSize()))
  print(("resize %d %d"):format(w, h))
end
