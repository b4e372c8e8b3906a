-- Read before anything else: what the window is like, and where saves go. Everything here may be left out.
local palfrey = require "palfrey"

function palfrey.conf(t)
  t.title = "Ducklings"
  t.identity = "ducklings"   -- the folder for saves: give your game a name of its own
  t.width, t.height = 960, 540
end
