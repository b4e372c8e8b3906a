local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"

-- Draws once with a function and returns what it gave; the callback goes again.
local function draw(call)
  local results
  function palfrey.draw() results = { call() } end
  palfrey.testing.step()
  palfrey.draw = nil
  return table.unpack(results)
end

local function pixel(x, y)
  local r, g, b = palfrey.screen.getPixel(x, y)
  return ("%d %d %d"):format(r, g, b)
end

-- How many pixels of an area are not black.
local function count(x0, y0, x1, y1)
  local lit = 0
  for y = y0, y1 do
    for x = x0, x1 do
      local r, g, b = palfrey.screen.getPixel(x, y)
      if r + g + b > 100 then lit = lit + 1 end
    end
  end
  return lit
end

describe("the overlay", function()
  before_each(function() palfrey.newWorld() end)

  it("fills rectangles to the pixel", function()
    draw(function() palfrey.hud.rectangle(10, 20, 30, 5, { color = { 1, 0, 0 } }) end)
    assert.equal("255 0 0", pixel(10, 20))
    assert.equal("255 0 0", pixel(39, 24))
    for _, outside in ipairs { { 9, 20 }, { 10, 19 }, { 40, 24 }, { 39, 25 } } do
      assert.equal("0 0 0", pixel(table.unpack(outside)))
    end
  end)

  it("draws frames of a width, white unless told", function()
    draw(function() palfrey.hud.rectangle(10, 10, 20, 20, { line = 2 }) end)
    assert.equal("255 255 255", pixel(10, 10))
    assert.equal("255 255 255", pixel(28, 28))
    assert.equal("0 0 0", pixel(20, 20))
    assert.equal("0 0 0", pixel(13, 13))
  end)

  it("lets what is behind show through, in the order of the calls", function()
    draw(function()
      palfrey.hud.rectangle(0, 0, 20, 20, { color = { 1, 0, 0 } })
      palfrey.hud.rectangle(0, 0, 20, 20, { color = { 0, 1, 0, 0.5 } })
    end)
    local r, g, b = palfrey.screen.getPixel(5, 5)
    support.within(2, { 128, 128, 0 }, r, g, b)
    draw(function()
      palfrey.hud.rectangle(0, 0, 20, 20, { color = { 0, 1, 0 } })
      palfrey.hud.rectangle(0, 0, 20, 20, { color = { 1, 0, 0 } })
    end)
    assert.equal("255 0 0", pixel(5, 5))
  end)

  it("draws images as they are, scaled, in part and coloured", function()
    local done = draw(function() return palfrey.hud.image("assets/quarters.png", 10, 10) end)
    assert.is_true(done)
    assert.equal("255 0 0", pixel(10, 10))
    assert.equal("0 255 0", pixel(25, 10))
    assert.equal("0 0 255", pixel(10, 25))
    assert.equal("255 255 0", pixel(25, 25))
    assert.equal("0 0 0", pixel(26, 26))
    draw(function() palfrey.hud.image("assets/quarters.png", 0, 0, { w = 64, h = 32 }) end)
    assert.equal("0 255 0", pixel(60, 4))
    assert.equal("0 0 255", pixel(4, 28))
    assert.equal("0 0 0", pixel(4, 33))
    draw(function() palfrey.hud.image("assets/quarters.png", 0, 0, { source = { 8, 8, 8, 8 } }) end)
    assert.equal("255 255 0", pixel(3, 3))
    assert.equal("0 0 0", pixel(9, 3))
    draw(function() palfrey.hud.image("assets/quarters.png", 0, 0, { color = { 0, 1, 1 }, w = 64, h = 64 }) end)
    assert.equal("0 0 0", pixel(8, 8))
    assert.equal("0 255 0", pixel(56, 8))
  end)

  it("tells of images that are not there", function()
    local done, message = draw(function() return palfrey.hud.image("assets/nothing.png", 0, 0) end)
    assert.is_nil(done)
    assert.match("nothing.png", message, 1, true)
  end)

  it("writes text, from its top left, in its size and colour", function()
    draw(function() palfrey.hud.text("HHH", 50, 60, { size = 20, color = { 1, 1, 0 } }) end)
    assert.is_true(count(50, 60, 110, 80) > 30)
    assert.equal(0, count(0, 0, 319, 58))
    assert.equal(0, count(0, 60, 48, 120))
    assert.equal(0, count(50, 82, 319, 200))
    local large = (function()
      draw(function() palfrey.hud.text("HHH", 50, 60, { size = 40 }) end)
      return count(40, 50, 300, 120)
    end)()
    draw(function() palfrey.hud.text("HHH", 50, 60, { size = 20 }) end)
    assert.is_true(large > 2 * count(40, 50, 300, 120))
  end)

  it("aligns text around a place or in a width, and breaks lines", function()
    draw(function() palfrey.hud.text("MMMM", 160, 10, { align = "right" }) end)
    assert.is_true(count(100, 10, 160, 30) > 10)
    assert.equal(0, count(163, 0, 319, 40))
    draw(function() palfrey.hud.text("MMMM", 160, 10, { align = "center" }) end)
    local left, right = count(100, 10, 159, 30), count(160, 10, 220, 30)
    assert.is_true(left > 10 and right > 10)
    draw(function() palfrey.hud.text("one two three four five", 0, 0, { width = 50 }) end)
    assert.is_true(count(0, 20, 60, 60) > 10)
    assert.equal(0, count(60, 0, 319, 100))
    draw(function() palfrey.hud.text("a\nb", 0, 0, { size = 20 }) end)
    assert.is_true(count(0, 22, 40, 44) > 3)
  end)

  it("writes any value, and any text", function()
    draw(function()
      palfrey.hud.text(12.5, 0, 0)
      palfrey.hud.text(nil, 0, 20)
      palfrey.hud.text(true, 0, 40)
      palfrey.hud.text({}, 0, 60)
      palfrey.hud.text("", 0, 80)
      palfrey.hud.text("Zoë 名前 \255\254 \0 x", 0, 100)
      palfrey.hud.text(("long "):rep(2000), 0, 120)
    end)
    for y = 0, 60, 20 do assert.is_true(count(0, y, 60, y + 18) > 3) end
  end)

  it("is drawn anew for each picture", function()
    draw(function() palfrey.hud.rectangle(0, 0, 50, 50) end)
    palfrey.testing.step()
    assert.equal("0 0 0", pixel(10, 10))
  end)

  it("is only there inside draw", function()
    for _, call in ipairs {
      function() palfrey.hud.text("x", 0, 0) end,
      function() palfrey.hud.rectangle(0, 0, 1, 1) end,
      function() palfrey.hud.image("assets/quarters.png", 0, 0) end,
    } do
      assert.match("only inside palfrey.draw", support.raises(call))
    end
    function palfrey.update() palfrey.hud.text("x", 0, 0) end
    local message = support.failedStep()
    palfrey.update = nil
    assert.match("only inside palfrey.draw", message)
  end)

  it("refuses wrong numbers, options and what is no table of options", function()
    local function refused(call)
      local good, message = draw(function() return pcall(call) end)
      assert.is_false(good)
      return tostring(message)
    end
    assert.match("did you mean 'size'", refused(function() palfrey.hud.text("x", 0, 0, { sise = 3 }) end))
    assert.match("table of options", refused(function() palfrey.hud.text("x", 0, 0, 5) end))
    assert.match("table of options", refused(function() palfrey.hud.rectangle(0, 0, 1, 1, "red") end))
    assert.match("table of options", refused(function() palfrey.hud.image("a.png", 0, 0, true) end))
    assert.match('"center"', refused(function() palfrey.hud.text("x", 0, 0, { align = "middle" }) end))
    assert.match("512", refused(function() palfrey.hud.text("x", 0, 0, { size = 513 }) end))
    assert.match("above 0", refused(function() palfrey.hud.text("x", 0, 0, { size = 0 }) end))
    assert.match("finite", refused(function() palfrey.hud.rectangle(0, 0 / 0, 1, 1) end))
    assert.match("number expected", refused(function() palfrey.hud.text("5", 1) end))
    assert.match("source", refused(function() palfrey.hud.image("assets/quarters.png", 0, 0, { source = { 1 } }) end))
  end)

  it("has the size of the picture", function()
    assert.same({ 320, 240 }, { palfrey.hud.getSize() })
    assert.same({ 320, 240 }, { palfrey.screen.getSize() })
  end)
end)

describe("messages", function()
  before_each(function()
    palfrey.newWorld()
    palfrey.testing.step(60 * 20)
    assert.same({}, palfrey.hud.getMessages())
  end)

  it("stay for 3 seconds, or as told", function()
    palfrey.hud.message "short"
    palfrey.hud.message("long", 5)
    assert.same({ "short", "long" }, palfrey.hud.getMessages())
    palfrey.testing.step(3 * 60 - 1)
    assert.same({ "short", "long" }, palfrey.hud.getMessages())
    palfrey.testing.step(2)
    assert.same({ "long" }, palfrey.hud.getMessages())
    palfrey.testing.step(2 * 60)
    assert.same({}, palfrey.hud.getMessages())
  end)

  it("are 8 at most: the oldest gives way", function()
    for i = 1, 10 do palfrey.hud.message("m" .. i) end
    assert.same({ "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10" }, palfrey.hud.getMessages())
  end)

  it("that have gone give no way for those still shown", function()
    palfrey.hud.message("stays", 100)
    for i = 1, 7 do palfrey.hud.message("goes " .. i, 0.1) end
    palfrey.testing.step(10)
    for i = 1, 7 do palfrey.hud.message("new " .. i, 10) end
    assert.equal("stays", palfrey.hud.getMessages()[1])
    assert.equal(8, #palfrey.hud.getMessages())
    palfrey.testing.step(60 * 100)
  end)

  it("are of any value, seen at the bottom left", function()
    palfrey.hud.message(42)
    palfrey.hud.message(nil)
    palfrey.hud.message "5"
    assert.same({ "42", "nil", "5" }, palfrey.hud.getMessages())
    palfrey.testing.step()
    assert.is_true(count(10, 150, 80, 235) > 10)
    assert.equal(0, count(100, 0, 319, 239))
  end)

  it("that are too long end with a whole character", function()
    for length = 250, 257 do
      palfrey.hud.message(("x"):rep(length - 250) .. ("é"):rep(200), 0.01)
      local messages = palfrey.hud.getMessages()
      local shown = messages[#messages]
      assert.is_truthy(utf8.len(shown))
      assert.is_true(#shown >= 252)
    end
  end)

  it("need a value and a time above 0", function()
    assert.match("value expected", support.raises(function() palfrey.hud.message() end))
    assert.match("above 0", support.raises(function() palfrey.hud.message("x", 0) end))
    assert.match("number expected", support.raises(function() palfrey.hud.message("x", "long") end))
  end)
end)

describe("the screen", function()
  it("tells pixels inside it alone", function()
    palfrey.testing.step()
    for _, call in ipairs {
      function() palfrey.screen.getPixel(-1, 0) end, function() palfrey.screen.getPixel(320, 0) end,
      function() palfrey.screen.getPixel(0, 240) end, function() palfrey.screen.getPixel(0, -0.5) end,
    } do
      assert.match("pixel of the screen", support.raises(call))
    end
    assert.match("finite", support.raises(function() palfrey.screen.getPixel(0 / 0, 0) end))
    assert.match("number expected", support.raises(function() palfrey.screen.getPixel(1) end))
    local r, g, b = palfrey.screen.getPixel(319, 239)
    assert.equal("integer", math.type(r))
    assert.equal(0, r + g + b)
  end)

  it("is written as a picture that shows the same", function()
    draw(function()
      palfrey.hud.rectangle(0, 0, 160, 120, { color = { 1, 0, 0 } })
      palfrey.hud.rectangle(160, 120, 160, 120, { color = { 0, 0.5, 1 } })
    end)
    assert.is_true(palfrey.screen.screenshot "shots/one.png")
    local bytes = assert(palfrey.files.read "shots/one.png")
    assert.equal("\137PNG", bytes:sub(1, 4))
    local before = { pixel(5, 5), pixel(200, 5), pixel(300, 200) }
    draw(function() palfrey.hud.image("shots/one.png", 0, 0) end)
    assert.same(before, { pixel(5, 5), pixel(200, 5), pixel(300, 200) })
  end)

  it("says where a picture cannot be written", function()
    local done, message = palfrey.screen.screenshot "../one.png"
    assert.is_nil(done)
    assert.is_string(message)
  end)

  it("does not mind fullscreen where there is no window", function()
    palfrey.screen.setFullscreen(true)
    palfrey.screen.setFullscreen(false)
    assert.same({ 320, 240 }, { palfrey.screen.getSize() })
  end)
end)
