-- Read before anything else: what the window is like, and where saves go.
local palfrey = require "palfrey"

function palfrey.conf(t)
  t.title = "Palfrey: the courtyard"
  t.identity = "palfrey-sample"
  t.width, t.height = 960, 540
end
