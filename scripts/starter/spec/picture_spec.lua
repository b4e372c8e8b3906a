-- Looks at the picture. Drivers differ by a shade here and there, so these specs ask what colour things are, not for
-- exact pixels.
local palfrey = require "palfrey"

-- The mean colour of a patch of 9 by 9 pixels around a place from 0 to 1 across and down.
local function colorAt(across, down)
  local width, height = palfrey.screen.getSize()
  local red, green, blue = 0, 0, 0
  for dy = -4, 4 do
    for dx = -4, 4 do
      local r, g, b = palfrey.screen.getPixel(width * across // 1 + dx, height * down // 1 + dy)
      red, green, blue = red + r / 81, green + g / 81, blue + b / 81
    end
  end
  return red, green, blue
end

describe("the picture", function()
  setup(function()
    palfrey.load {}
    palfrey.testing.step(30)
  end)

  it("has sky above", function()
    local r, g, b = colorAt(0.6, 0.05)
    assert.is_true(math.abs(r - 173) < 6 and math.abs(g - 214) < 6 and math.abs(b - 242) < 6)
  end)

  it("has grass below", function()
    local r, g, b = colorAt(0.3, 0.9)
    assert.is_true(g > r and g > b and g > 50)
  end)

  it("has a white duck in the middle", function()
    local r, g, b = colorAt(0.5, 0.58)
    assert.is_true(math.min(r, g, b) > 120, ("%.0f %.0f %.0f"):format(r, g, b))
    assert.is_true(math.max(r, g, b) - math.min(r, g, b) < 40)
  end)

  it("shows the count", function()
    local isLit = false
    for x = 24, 200 do
      local r, g, b = palfrey.screen.getPixel(x, 32)
      isLit = isLit or (r > 200 and g > 190 and b < 190)
    end
    assert.is_true(isLit)
  end)
end)
