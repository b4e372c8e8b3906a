-- The sample game: a castle courtyard, a knight, a centaur and an evil knight. Walk with W A S D, look with the mouse,
-- shoot with the left button, jump with space, start again with R. It is written to be read from top to bottom.
local palfrey = require "palfrey"
local cast = require "cast"

local RANGE, DAMAGE = 60, 10         -- of the player's crossbow: metres and health
local MOUSE_SPEED, PAD_SPEED = 0.15, 150   -- degrees a pixel, degrees a second

-- Everything that changes in the course of a game stands in this table; starting again makes a new one.
local game

local function start()
  local world = palfrey.newWorld{
    ambient = {0.42, 0.44, 0.52}, background = {0.62, 0.74, 0.88},
    fog = { mode = "linear", color = {0.62, 0.74, 0.88}, near = 25, far = 80 },
  }
  assert(world:addModel{ name = "Courtyard", model = "levels/courtyard.obj", collide = "mesh" })
  world:addLight{ kind = "directional", color = {0.85, 0.78, 0.62}, direction = {-1, -2, -1.4} }
  world:addLight{ kind = "point", color = {1, 0.6, 0.3}, position = {0, 3, -16}, range = 12 }

  local player = world:addPlayer{ name = "You", position = {0, 0, 10}, speed = 4.5, health = 100 }
  world:setCamera(world:addCamera{ follow = player, mode = "first", fov = 65 })

  game = { world = world, player = player, score = 0, left = 0, flash = 0 }
  game.cast = cast.enter(world, function(role)
    game.score = game.score + role.worth
    game.left = game.left - 1
    palfrey.hud.message(role.name .. " has fallen")
  end)
  game.left = #game.cast
  player:on("hit", function() game.flash = 0.3 end)
end

function palfrey.load()
  palfrey.input.bind{
    forward = {"w", "up", "pad:lefty-"}, back = {"s", "down", "pad:lefty+"},
    left = {"a", "left", "pad:leftx-"}, right = {"d", "right", "pad:leftx+"},
    fire = {"mouse1", "left ctrl", "pad:rightshoulder"}, jump = {"space", "pad:a"},
    restart = {"r", "pad:start"}, lookX = {"pad:rightx"}, lookY = {"pad:righty"},
  }
  palfrey.input.setMouseCaptured(true)
  start()
end

-- Turns the player by mouse and pad, walks it by keys and pad.
local function steer(player, dt)
  local input = palfrey.input
  local _, _, dx, dy = input.getMouse()
  player:look(-dx * MOUSE_SPEED - input.getAxis "lookX" * PAD_SPEED * dt,
              -dy * MOUSE_SPEED - input.getAxis "lookY" * PAD_SPEED * dt)
  player:move(input.getAxis "forward" - input.getAxis "back", input.getAxis "right" - input.getAxis "left")
  if input.wasPressed "jump" then player:jump() end
end

-- A shot names whoever, or whatever, it hits.
local function shoot(player)
  local hit = player:shoot{ range = RANGE, damage = DAMAGE }
  if hit then
    palfrey.hud.message(("You hit %s, %.1f m away"):format(hit.name, hit.distance))
  else
    palfrey.hud.message("You hit nothing")
  end
end

function palfrey.update(dt)
  if palfrey.input.wasPressed "restart" then start() end
  local player = game.player
  game.flash = math.max(0, game.flash - dt)
  if not player:isDead() then
    steer(player, dt)
    if palfrey.input.wasPressed "fire" then shoot(player) end
  end
  cast.update(game.cast, player, dt)
end

-- How the game ended, or nil while it goes on.
local function ending()
  if game.player:isDead() then return "You have fallen. Press R to start again." end
  if game.left == 0 then return "The courtyard is yours. Press R to start again." end
end

local function drawCrosshair(w, h)
  local color = {1, 1, 1, 0.8}
  palfrey.hud.rectangle(w / 2 - 9, h / 2 - 1, 6, 2, { color = color })
  palfrey.hud.rectangle(w / 2 + 3, h / 2 - 1, 6, 2, { color = color })
  palfrey.hud.rectangle(w / 2 - 1, h / 2 - 9, 2, 6, { color = color })
  palfrey.hud.rectangle(w / 2 - 1, h / 2 + 3, 2, 6, { color = color })
end

function palfrey.draw()
  local hud = palfrey.hud
  local w, h = hud.getSize()
  if game.flash > 0 then hud.rectangle(0, 0, w, h, { color = {0.8, 0, 0, game.flash} }) end
  drawCrosshair(w, h)
  hud.text(("Score %d"):format(game.score), 16, 12, { size = 24, color = {1, 0.95, 0.8} })
  hud.text(("Health %d"):format(game.player:getHealth()), w - 216, 12,
           { size = 24, color = {1, 0.95, 0.8}, align = "right", width = 200 })
  local text = ending()
  if text then hud.text(text, 0, h / 2 - 60, { size = 28, align = "center", width = w }) end
end
