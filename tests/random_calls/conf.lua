-- Small limits, so that calls reach them.
function palfrey.conf(t)
  t.identity = "random calls"
  t.limits.nodes, t.limits.npcs, t.limits.memory = 300, 40, 64
end
