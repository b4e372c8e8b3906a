local palfrey = require "palfrey"

-- A value that runs a function when its variable goes.
local function closing(f)
  return setmetatable({}, { __close = f })
end

describe("a coroutine", function()
  local world, npc
  before_each(function()
    world = palfrey.newWorld()
    npc = assert(world:addNPC { model = "assets/man.md2", name = "Man" })
  end)
  after_each(function()
    palfrey.update, palfrey.draw, palfrey.keypressed = nil, nil, nil
  end)

  it("may call everything, between yields", function()
    local made = {}
    local thread = coroutine.wrap(function()
      for i = 1, 20 do
        made[i] = world:addGroup { name = "Group " .. i, parent = made[i - 1] }
        coroutine.yield(made[i])
      end
      npc:walkTo(5, 0, 0)
    end)
    palfrey.update = function() thread() end
    for _ = 1, 21 do palfrey.testing.step() end
    assert.equal(20, #made)
    assert.equal(made[19], made[20]:getParent())
    assert.equal("walkTo", (npc:getGoal()))
  end)

  it("may draw the overlay", function()
    local drawn = 0
    palfrey.draw = function()
      coroutine.wrap(function()
        palfrey.hud.text("in a coroutine", 1, 2)
        drawn = drawn + 1
      end)()
    end
    palfrey.testing.step(2)
    assert.equal(2, drawn)
  end)

  it("gets the error of a call, which names its line", function()
    local thread = coroutine.create(function() npc:setPosition("far", 0, 0) end)
    local good, message = coroutine.resume(thread)
    assert.is_false(good)
    assert.matches("coroutine_spec.lua:%d+: bad argument #1 to 'setPosition'", message)
    assert.equal("dead", coroutine.status(thread))
    npc:setPosition(1, 2, 3)
  end)

  it("is told which call of its own may not yield: callbacks and handlers", function()
    palfrey.update = function() coroutine.yield() end
    assert.error_matches(function() palfrey.testing.step() end, "attempt to yield")
    palfrey.update = nil
    world:on("hit", function() coroutine.yield() end)
    npc:damage(1)
    assert.error_matches(function() palfrey.testing.step() end, "attempt to yield")
    world:off("hit")
    palfrey.testing.step()
  end)

  it("may run steps of a spec, fail in them, and leave the game as it was", function()
    local before = palfrey.getStep()
    do
      local thread = coroutine.wrap(function()
        palfrey.testing.step()
        coroutine.yield()
        palfrey.update = function() error "on purpose" end
        palfrey.testing.step()
      end)
      thread()
      assert.error_matches(thread, "on purpose")
    end
    palfrey.update = nil
    collectgarbage()
    palfrey.testing.step(3)
    assert.equal(before + 4, palfrey.getStep())
  end)

  it("that is collected while it waits takes nothing with it", function()
    local closed = 0
    for i = 1, 50 do
      local thread = coroutine.create(function()
        local group = world:addGroup { name = "held " .. i }
        local _ <close> = closing(function() closed = closed + 1 group:remove() end)
        coroutine.yield(group)
        npc:setName(group:getName())
      end)
      assert(coroutine.resume(thread))
    end
    collectgarbage()
    collectgarbage()
    assert.equal(0, closed)
    assert.equal(50, #world:findAll "held 1" + 49)
    palfrey.testing.step()
  end)

  it("that is closed runs what waits to be closed, which may call everything", function()
    local seen = {}
    local thread = coroutine.create(function()
      local _ <close> = closing(function() seen[#seen + 1] = palfrey.newWorld() end)
      local _ <close> = closing(function() npc:remove() collectgarbage() end)
      local _ <close> = closing(function() npc:setName "renamed" error "while closing" end)
      coroutine.yield()
    end)
    assert(coroutine.resume(thread))
    local good, message = coroutine.close(thread)
    assert.is_false(good)
    assert.matches("while closing", message)
    assert.equal(1, #seen)
    assert.is_false(npc:isAlive())
    palfrey.testing.step(2)
    assert.is_true(seen[1]:addGroup():isAlive())
  end)

  it("may call everything while an error unwinds", function()
    local order = {}
    local function fail()
      local _ <close> = closing(function(_, message)
        order[#order + 1] = message:match "bad argument #1 to 'walkTo'"
        order[#order + 1] = world:addGroup { name = "left behind" }:getName()
        order[#order + 1] = pcall(npc.walkTo, npc, {}, 0, 0)
      end)
      npc:walkTo({}, 0, 0)
    end
    local good, message = pcall(fail)
    assert.is_false(good)
    assert.matches("walkTo", message)
    assert.same({ "bad argument #1 to 'walkTo'", "left behind", false }, order)
    assert.is_true(xpcall(function() world:find "left behind":remove() end, print))
    good, message = xpcall(fail, function(text) return npc:getName() .. " says: " .. text end)
    assert.is_false(good)
    assert.matches("^Man says: ", message)
  end)

  it("may be nested as deep as Lua allows, and then is refused with a text", function()
    local deepest = 0
    local function dive(depth)
      deepest = depth
      return coroutine.wrap(function()
        world:raycast { from = { 0, 0, 5 }, to = { 0, 0, -5 } }
        dive(depth + 1)
      end)()
    end
    local good, message = pcall(dive, 1)
    assert.is_false(good)
    assert.matches("overflow", message)
    assert(deepest > 50)
    palfrey.testing.step()
  end)
end)
