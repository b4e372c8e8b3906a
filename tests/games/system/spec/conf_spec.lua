local palfrey = require "palfrey"

-- The program itself, for games that must be started anew. The tests of ctest name it.
local program = os.getenv "PALFREY"
local described = program and describe or pending

-- Runs a game of some files headless; returns its exit status, and what it wrote to both outputs.
local function run(files, options)
  local folder = os.tmpname()
  os.remove(folder)
  assert(os.execute(("mkdir -p '%s/game'"):format(folder)))
  for name, text in palfrey.sortedPairs(files) do
    local file = assert(io.open(folder .. "/game/" .. name, "w"))
    file:write(text)
    file:close()
  end
  local command = "XDG_DATA_HOME='%s' '%s' --headless --null-gpu %s '%s/game' 2>&1"
  local pipe = assert(io.popen(command:format(folder, program, options or "--frames 2", folder)))
  local output = pipe:read "a"
  local _, _, status = pipe:close()
  os.execute(("rm -rf '%s'"):format(folder))
  return status, output
end

local REPORT = [[
  function palfrey.update()
    local w, h = palfrey.screen.getSize()
    print(w, h, palfrey.getStep(), palfrey.getTime())
  end
]]

described("conf.lua", function()
  local function conf(lines) return "function palfrey.conf(t)\n" .. lines .. "\nend\n" end

  it("is not needed: 960 by 540 pixels, 60 steps a second", function()
    local status, output = run { ["main.lua"] = REPORT }
    assert.equal(0, status)
    assert.match("960\t540\t0\t0.0\n960\t540\t1\t0.01666", output, 1, true)
  end)

  it("sets size, step and identity", function()
    local status, output = run {
      ["conf.lua"] = conf "t.width, t.height, t.step, t.identity, t.title = 123, 45, 0.5, 'my saves', 'Ä title'",
      ["main.lua"] = REPORT .. "assert(palfrey.files.write('x', '')) assert(palfrey.files.read 'x' == '')",
    }
    assert.equal(0, status, output)
    assert.match("123\t45\t0\t0.0\n123\t45\t1\t0.5", output, 1, true)
  end)

  it("yields to --size", function()
    local _, output = run({ ["conf.lua"] = conf "t.width, t.height = 123, 45", ["main.lua"] = REPORT },
      "--frames 1 --size 64x32")
    assert.match("^64\t32\t", output)
  end)

  it("may hold no function conf, or nothing at all", function()
    for _, text in ipairs { "", "local x = 1", "palfrey.conf = 5" } do
      local status, output = run { ["conf.lua"] = text, ["main.lua"] = REPORT }
      assert.equal(0, status, output)
    end
  end)

  it("that is wrong ends the run with status 1 and a message that says what", function()
    for _, case in ipairs {
      { conf "t.widht = 5", "unknown option 'widht'; did you mean 'width'" },
      { conf "t.width = 'wide'", "option 'width': a whole number expected, got \"wide\"" },
      { conf "t.width = 0", "1 to 16384 pixels" },
      { conf "t.height = 20000", "1 to 16384 pixels" },
      { conf "t.width = 10.5", "a whole number" },
      { conf "t.step = 0", "option 'step'" },
      { conf "t.step = 2", "0.001 to 1 seconds" },
      { conf "t.step = 0/0", "option 'step'" },
      { conf "t.title = 5", "option 'title': a string expected" },
      { conf "t.title = ('x'):rep(500)", "a shorter text" },
      { conf "t.identity = '../x'", "../x" },
      { conf "t.identity = 'a/b'", "a/b" },
      { conf "t.identity = ''", "identity" },
      { conf "t.fullscreen = 1", "true or false" },
      { conf "t.vsync = 'yes'", "true or false" },
      { conf "t.limits = 5", "limits" },
      { conf "t.limits.node = 5", "did you mean 'nodes'" },
      { conf "t.limits.nodes = 0", "1 to 1000000" },
      { conf "t.limits.npcs = -1", "from 0 on" },
      { conf "t.limits.memory = 1", "4 to 16384" },
      { conf "local x = nil + 1", "conf.lua:2:" },
      { "x = = 1", "conf.lua:1:" },
      { "palfrey.newWorld()", "not yet" },
      { "palfrey.screen.getSize()", "not yet" },
    } do
      local status, output = run { ["conf.lua"] = case[1], ["main.lua"] = REPORT }
      assert.equal(1, status, case[1] .. "\n" .. output)
      assert.match(case[2], output, 1, true)
    end
  end)

  it("sets limits, whose errors name them", function()
    local _, output = run {
      ["conf.lua"] = conf "t.limits.nodes, t.limits.npcs = 5, 1",
      ["main.lua"] = [[local w = palfrey.newWorld()
        for i = 1, 5 do w:addGroup() end
        print(pcall(function() w:addGroup() end))]],
    }
    assert.match("limits.nodes in conf.lua is 5", output, 1, true)
  end)

  it("limits the memory of scripts", function()
    local status, output = run {
      ["conf.lua"] = conf "t.limits.memory = 8",
      ["main.lua"] = [[print(pcall(function() local t = {} for i = 1, 1e8 do t[i] = ("x"):rep(10000) .. i end end))
        collectgarbage() print("goes on")]],
    }
    assert.equal(0, status, output)
    assert.match("not enough memory", output, 1, true)
    assert.match("goes on", output, 1, true)
  end)

  it("ends a game that leaves no memory for its own callbacks", function()
    local status, output = run {
      ["conf.lua"] = conf "t.limits.memory = 8",
      ["main.lua"] = [[local player, hoard
        local sizes = { 100000, 1000, 0 }
        local function take(size) hoard = { ("x"):rep(size), hoard } end
        function palfrey.load() player = palfrey.newWorld():addPlayer { health = 1e6 } end
        function palfrey.update()
          for _ = 1, 50 do player:damage(1) end
          for i = 1, #sizes do while pcall(take, sizes[i]) do end end
        end]],
    }
    assert.equal(1, status, output)
    assert.match("limits.memory in conf.lua is 8 MB", output, 1, true)
  end)
end)

described("a run", function()
  it("ends with the status of quit, at the end of its step, unless the game says no", function()
    local status, output = run({ ["main.lua"] = [[
      function palfrey.update() palfrey.quit(7) print "still" end]] }, "--frames 5")
    assert.equal(7, status)
    assert.equal("still\n", output)
    status, output = run({ ["main.lua"] = [[
      local quit, asked = palfrey.quit, 0
      function palfrey.quit() asked = asked + 1 return asked < 3 end
      function palfrey.update() print(asked) quit(4) end]] }, "--frames 9")
    assert.equal(4, status)
    assert.equal("0\n1\n2\n", output)
  end)

  it("gives the arguments behind the game to load", function()
    local folder = os.tmpname()
    os.remove(folder)
    assert(os.execute(("mkdir -p '%s'"):format(folder)))
    local file = assert(io.open(folder .. "/main.lua", "w"))
    file:write "function palfrey.load(a) print(#a, a[1], a[2], a[3], palfrey.getStep()) end"
    file:close()
    local pipe = assert(io.popen(("'%s' --headless --null-gpu --frames 1 '%s' one '' --headless 2>&1"):format(program,
      folder)))
    assert.equal("3\tone\t\t--headless\t0\n", pipe:read "a")
    pipe:close()
    os.execute(("rm -rf '%s'"):format(folder))
  end)

  it("that raises ends with status 1, message, place and traceback", function()
    for callback, line in palfrey.sortedPairs { load = 2, update = 2, draw = 2 } do
      local status, output = run { ["main.lua"] = ("function palfrey.%s()\n  error 'broken'\nend"):format(callback) }
      assert.equal(1, status)
      assert.match(("main.lua:%d: broken"):format(line), output, 1, true)
      assert.match("stack traceback", output, 1, true)
    end
    local status, output = run { ["main.lua"] = "x = = 1" }
    assert.equal(1, status)
    assert.match("main.lua:1:", output, 1, true)
  end)

  it("takes its chance from --seed, 0 without", function()
    local game = { ["main.lua"] = "print(math.random(1 << 40), math.random())" }
    local _, first = run(game)
    local _, same = run(game, "--frames 1 --seed 0")
    local _, other = run(game, "--frames 1 --seed 1")
    assert.equal(first, same)
    assert.not_equal(first, other)
  end)

  it("has no pictures with --null-gpu, and says so", function()
    local status, output = run { ["main.lua"] = [[function palfrey.update()
      print(pcall(palfrey.screen.getPixel, 0, 0)) print(palfrey.screen.screenshot "x.png") end]] }
    assert.equal(0, status)
    assert.match("null-gpu", output, 1, true)
  end)

  it("comes to the same state as the last time, in a process of its own", function()
    local game = { ["main.lua"] = [[
      local world = palfrey.newWorld()
      local player = world:addPlayer { position = { 0, 2, 0 } }
      function palfrey.update()
        player:move(math.random(), math.random())
        player:look(math.random() * 9, 0)
        if palfrey.getStep() == 99 then print(palfrey.testing.getStateHash()) end
      end]] }
    local _, first = run(game, "--frames 100")
    local _, second = run(game, "--frames 100")
    assert.match("^%x+\n$", first)
    assert.equal(first, second)
  end)
end)
