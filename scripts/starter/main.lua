-- Five ducklings are lost in the meadow. Walk up to one and it follows you; lead them all to the nest.
-- Walk with W A S D or the arrow keys, look with the mouse, jump with space, start again with R.
local palfrey = require "palfrey"
local flock = require "flock"

local MOUSE_SPEED, PAD_SPEED = 0.15, 150   -- degrees a pixel, degrees a second
local SKY = {0.68, 0.84, 0.95}
local TREES = {                            -- x, z, heading
  {-9, 8, 20}, {-11.5, -3, 80}, {-6, -11, 140}, {3, -12.5, 10}, {10.5, -8, 200}, {11.5, 5, 60}, {4, 11, 170},
}

-- Everything that changes in the course of a game stands in this table; starting again makes a new one.
local game

local function addMeadow(world)
  assert(world:addModel{ name = "Meadow", model = "models/meadow.obj", collide = "mesh" })
  for _, tree in ipairs(TREES) do
    local x, z, heading = table.unpack(tree)
    local hit = world:raycast{ from = {x, 20, z}, direction = {0, -1, 0} }
    assert(world:addModel{ name = "Tree", model = "models/tree.obj", collide = "mesh", heading = heading,
                           position = {x, hit and hit.y or 0, z}, scale = 0.8 + (heading % 7) / 20 })
  end
  world:addLight{ kind = "directional", color = {0.95, 0.88, 0.70}, direction = {-1, -1.6, -0.7} }
end

local function start()
  local world = palfrey.newWorld{
    ambient = {0.42, 0.46, 0.52}, background = SKY,
    fog = { mode = "linear", color = SKY, near = 18, far = 70 },
  }
  addMeadow(world)
  local duck = assert(world:addPlayer{
    name = "Duck", model = "models/duck.md2", tall = 0.95, animation = "stand",
    position = {1, 0.3, 7}, speed = 3.2, radius = 0.3, height = 0.9,
  })
  world:setCamera(world:addCamera{ follow = duck, mode = "third", distance = 4.5, fov = 55 })
  duck:look(0, -8)
  game = { world = world, duck = duck, flock = flock.new(world, duck), seconds = 0 }
end

function palfrey.load()
  palfrey.input.bind{
    forward = {"w", "up", "pad:lefty-"}, back = {"s", "down", "pad:lefty+"},
    left = {"a", "left", "pad:leftx-"}, right = {"d", "right", "pad:leftx+"},
    jump = {"space", "pad:a"}, restart = {"r", "pad:start"}, lookX = {"pad:rightx"}, lookY = {"pad:righty"},
  }
  palfrey.input.setMouseCaptured(true)
  start()
end

-- Turns the duck by mouse and pad, walks it by keys and pad.
local function steer(duck, dt)
  local input = palfrey.input
  local _, _, dx, dy = input.getMouse()
  duck:look(-dx * MOUSE_SPEED - input.getAxis "lookX" * PAD_SPEED * dt,
            -dy * MOUSE_SPEED - input.getAxis "lookY" * PAD_SPEED * dt)
  duck:move(input.getAxis "forward" - input.getAxis "back", input.getAxis "right" - input.getAxis "left")
  if input.wasPressed "jump" then duck:jump() end
end

function palfrey.update(dt)
  if palfrey.input.wasPressed "restart" then start() end
  steer(game.duck, dt)
  flock.playWalk(game.duck, "stand")
  flock.update(game.flock)
  if not flock.isHome(game.flock) then game.seconds = game.seconds + dt end
end

function palfrey.draw()
  local hud = palfrey.hud
  local w, h = hud.getSize()
  local atHome, all = flock.count(game.flock)
  hud.rectangle(12, 12, 218, 42, { color = {0, 0, 0, 0.35} })
  hud.text(("Ducklings  %d / %d"):format(atHome, all), 24, 18, { size = 26, color = {1, 0.93, 0.6} })
  if flock.isHome(game.flock) then
    hud.text(("All home in %.0f seconds. Press R to play again."):format(game.seconds), 0, h / 2 - 90,
             { size = 28, align = "center", width = w })
  end
end
