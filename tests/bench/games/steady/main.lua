-- What a game does in every frame when nothing happens: it moves and turns a hundred nodes, asks where they are, reads
-- keys and draws an overlay. None of it may leave garbage behind, which tests/allocations.lua checks.
local palfrey = require "palfrey"
local nodes, player, light = {}, nil, nil

function palfrey.load()
  local world = palfrey.newWorld()
  for i = 1, 100 do nodes[i] = world:addGroup { name = "Node " .. i, position = { i, 0, 0 } } end
  for i = 51, 100 do nodes[i]:setParent(nodes[i - 50]) end
  light = world:addLight { kind = "point", position = { 0, 5, 0 }, range = 20 }
  player = world:addPlayer { position = { 0, 0, 5 } }
  world:addCamera { follow = player, mode = "third" }
  palfrey.input.bind { forward = { "w", "up" } }
end

function palfrey.update(dt)
  local time = palfrey.getTime()
  for i, node in ipairs(nodes) do
    local x, y, z = node:getPosition()
    node:setPosition(x, y + dt, z)
    node:setHeading(node:getHeading() + 1)
    node:setScale(1 + time % 1)
    node:setVisible(i % 2 == palfrey.getStep() % 2)
  end
  light:setColor(time % 1, 1, 1)
  light:setIntensity(time % 2)
  player:look(1, math.sin(time))
  player:move(palfrey.input.isDown "forward" and 1 or 0, 1)
  assert(player:getHealth() == 100 and player:getName() == nil and nodes[1]:getKind() == "group")
end

local STYLE, PLACE = { size = 20, color = { 1, 1, .5 }, align = "center", width = 200 }, { color = { 0, 0, 0, .5 } }

function palfrey.draw()
  local width, height = palfrey.hud.getSize()
  palfrey.hud.rectangle(0, height - 40, width, 40, PLACE)
  palfrey.hud.text("All is quiet", width / 2, height - 30, STYLE)
end
