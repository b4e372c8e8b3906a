local palfrey = require "palfrey"

local function raises(pattern, f, ...)
  local good, message = pcall(f, ...)
  assert(not good, "an error expected")
  assert.matches(pattern, message)
end

describe("the collector", function()
  after_each(function()
    palfrey.update, palfrey.draw = nil, nil
    palfrey.newWorld()
  end)

  it("hands a finalized world back from a weak table only as a removed one", function()
    local weak = setmetatable({}, { __mode = "k" })
    do
      local world = palfrey.newWorld()
      world:addGroup { name = "in it" }
      weak[world] = true
    end
    palfrey.newWorld()
    palfrey.testing.step()
    collectgarbage()
    local found = next(weak)
    assert.equal("userdata", type(found))
    raises("world was removed", found.addGroup, found)
    raises("world was removed", found.find, found, "in it")
    raises("world was removed", function() for _ in found:each() do error "a node" end end)
    raises("world was removed", found.save, found, "gone.lua")
    assert.equal("world", tostring(found))
    weak[found] = nil
    found = nil
    collectgarbage()
    assert.is_nil(next(weak))
  end)

  it("keeps a world as long as one of its nodes", function()
    local node = palfrey.newWorld():addGroup { name = "last" }
    palfrey.newWorld()
    palfrey.testing.step()
    collectgarbage()
    collectgarbage()
    assert.is_true(node:isAlive())
    node:setPosition(1, 2, 3)
    assert.equal("last", node:getName())
  end)

  it("cannot be played by hand: metatables are out of reach; a world finalized by force is a removed one", function()
    local world = palfrey.newWorld()
    local npc, group = assert(world:addNPC { model = "assets/man.md2" }), world:addGroup()
    local task = palfrey.preload { "assets/stick.md2" }
    for _, value in ipairs { world, npc, group, task } do
      assert.is_false(getmetatable(value))
      raises("boolean", function() return getmetatable(value).__gc(value) end)
      assert.is_false(palfrey.inGame("return getmetatable(...)", value))
      raises("protected metatable", palfrey.inGame, "setmetatable(..., nil)", setmetatable({}, { __metatable = 1 }))
    end
    for _ = 1, 2 do
      debug.getmetatable(world).__gc(world)
      debug.getmetatable(task).__gc(task)
    end
    raises("world was removed", world.addGroup, world)
    raises("npc was removed", npc.setPosition, npc, 0, 0, 0)
    raises("group was removed", group.getChildren, group)
    raises("preload was removed", task.getProgress, task)
    assert.is_false(npc:isAlive())
    assert.equal("npc (removed)", tostring(npc))
    assert.is_true(npc == npc and npc ~= group)
    palfrey.testing.step(2)
  end)

  it("may finalize worlds, nodes and preloads in any order, also from within handlers", function()
    local random = 12345
    local function below(most)
      random = (random * 1103515245 + 12345) % 2147483648
      return random // 65536 % most + 1
    end
    local kept = {}
    local function make()
      local world = palfrey.newWorld()
      world:on("hit", function() collectgarbage() end)
      local npc = assert(world:addNPC { model = "assets/man.md2" })
      npc:on("hit", function() kept[below(20)] = nil collectgarbage "step" end)
      npc:damage(1, npc)
      kept[below(20)] = world
      kept[below(20)] = npc
      kept[below(20)] = assert(npc:attach { model = "assets/stick.md2" })
      kept[below(20)] = palfrey.preload { "assets/stick.md2", "assets/none.obj" }
      kept[below(20)] = { world, npc, kept[below(20)] }
    end
    for _ = 1, 100 do
      make()
      palfrey.testing.step()
      kept[below(20)] = nil
      if below(3) == 1 then collectgarbage() end
    end
  end)

  it("calls no finalizers of scripts: a spec cannot set one either", function()
    local refused = "there are no finalizers"
    raises(refused, setmetatable, {}, { __gc = print })
    raises(refused, debug.setmetatable, {}, { __gc = print })
    raises(refused, palfrey.inGame, "setmetatable({}, { __gc = print })")
    -- What Lua finds in a metatable after it was set does not count.
    local late = {}
    setmetatable({}, late)
    late.__gc = function() error "it was called" end
    collectgarbage()
    assert.equal("lean", getmetatable(debug.setmetatable(print, { __metatable = "lean" })))
    debug.setmetatable(print, nil)
  end)
end)

describe("a handler", function()
  after_each(function() palfrey.newWorld() end)

  it("may make a new world, drop the old one and collect; the other events are still told", function()
    local world, told = palfrey.newWorld(), 0
    local men = {}
    for i = 1, 5 do men[i] = assert(world:addNPC { model = "assets/man.md2", position = { 3 * i, 0, 0 } }) end
    world:on("hit", function(event)
      told = told + 1
      event.node:remove()
      palfrey.newWorld()
      men, world = {}, nil
      collectgarbage()
      collectgarbage()
    end)
    for _, man in ipairs(men) do man:damage(1) end
    palfrey.testing.step(3)
    assert.equal(5, told)
  end)

  it("may take away every handler and node there is, its own too", function()
    local world, told = palfrey.newWorld(), {}
    local men = {}
    for i = 1, 3 do
      men[i] = assert(world:addNPC { model = "assets/man.md2", position = { 3 * i, 0, 0 } })
      men[i]:on("hit", function()
        told[#told + 1] = i
        for node in world:each() do node:remove() end
        world:off "hit"
        men[i] = nil
        collectgarbage()
      end)
    end
    world:on("hit", function() told[#told + 1] = "world" end)
    for i = 1, 3 do men[i]:damage(1) end
    palfrey.testing.step(2)
    assert.equal(1, told[1])
    assert.equal(1, #told)
  end)
end)
