function palfrey.conf(t)
  t.width, t.height = 640, 360
  t.limits.seconds = 1
end
