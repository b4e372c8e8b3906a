local palfrey = require "palfrey"

function palfrey.conf(t)
  t.width, t.height = 320, 240
  t.title = "Pictures"
  t.identity = "pictures of the specs"
end
