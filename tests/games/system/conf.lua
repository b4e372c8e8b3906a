local palfrey = require "palfrey"

function palfrey.conf(t)
  t.width, t.height = 160, 120
  t.step = 1 / 50
  t.limits.nodes = 500
  t.limits.npcs = 20
  t.identity = "system"
end
