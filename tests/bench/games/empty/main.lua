-- The smallest game there is: it says when its first frame has been shown, and ends.
local palfrey = require "palfrey"
local frames = 0

function palfrey.draw()
  if frames == 1 then
    print("first frame")
    palfrey.quit()
  end
  frames = frames + 1
end
