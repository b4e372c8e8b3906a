-- The smallest game there is: it says when its first frame has been shown, and ends.
local palfrey = require "palfrey"

function palfrey.update()
  if palfrey.getStep() == 1 then
    print("first frame")
    palfrey.quit()
  end
end
