local palfrey = require "palfrey"

function palfrey.conf(t)
  t.width, t.height = 320, 240
  t.title = "Context"
  t.identity = "context of the specs"
end
