local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local raises = support.raises

local NAN, INFINITE = 0 / 0, math.huge
local MAN, CUBE = "assets/man.md2", "assets/cube.obj"

describe("a mistake", function()
  local world, group, model, npc, player, light, camera
  before_each(function()
    world = palfrey.newWorld()
    group = world:addGroup()
    model = assert(world:addModel { model = MAN })
    npc = assert(world:addNPC { model = MAN })
    player = world:addPlayer {}
    light = world:addLight {}
    camera = world:addCamera {}
  end)

  -- Each case is a call on a line of its own, and what the message must hold. The call's line is the one blamed.
  local function check(cases)
    for i = 1, #cases, 2 do
      local message = raises(cases[i])
      if not message:find(cases[i + 1], 1, true) then
        error(("case %d: '%s' expected in '%s'"):format((i + 1) // 2, cases[i + 1], message))
      end
    end
  end

  it("in the name of an option names the nearest one", function()
    check {
      function() world:addNPC { model = MAN, haelth = 1 } end, "unknown option 'haelth'; did you mean 'health'?",
      function() world:addNPC { modle = MAN } end, "unknown option 'modle'; did you mean 'model'?",
      function() world:addNPC { model = MAN, Position = { 0, 0, 0 } } end, "did you mean 'position'",
      function() world:addNPC { model = MAN, turnrate = 1 } end, "did you mean 'turnRate'",
      function() world:addPlayer { hieght = 2 } end, "did you mean 'height'",
      function() world:addPlayer { slopelimit = 2 } end, "did you mean 'slopeLimit'",
      function() world:addModel { model = CUBE, colide = "box" } end, "did you mean 'collide'",
      function() world:addModel { model = CUBE, sclae = 2 } end, "did you mean 'scale'",
      function() world:addGroup { nmae = "x" } end, "did you mean 'name'",
      function() world:addLight { colour = { 1, 1, 1 } } end, "did you mean 'color'",
      function() world:addLight { intensty = 1 } end, "did you mean 'intensity'",
      function() world:addCamera { fvo = 60 } end, "did you mean 'fov'",
      function() world:addCamera { traget = group } end, "did you mean 'target'",
      function() palfrey.newWorld { ambiant = { 1, 1, 1 } } end, "did you mean 'ambient'",
      function() palfrey.newWorld { fog = { colr = { 1, 1, 1 } } } end, "did you mean 'color'",
      function() world:setFog { dens = 1 } end, "unknown option 'dens'",
      function() world:raycast { form = { 0, 0, 0 }, to = { 0, 0, 1 } } end, "did you mean 'from'",
      function() world:sweep { from = { 0, 0, 0 }, to = { 0, 0, 1 }, raduis = 1 } end, "did you mean 'radius'",
      function() world:overlap { positon = { 0, 0, 0 } } end, "did you mean 'position'",
      function() model:play("stand", { lopp = true }) end, "did you mean 'loop'",
      function() model:attach { model = CUBE, posiiton = { 0, 0, 0 } } end, "did you mean 'position'",
      function() player:shoot { dmg = 1 } end, "unknown option 'dmg'",
      function() player:shoot { damge = 1 } end, "did you mean 'damage'",
    }
  end)

  it("in the name of an option far from all lists all", function()
    check {
      function() player:shoot { zzzzzz = 1 } end, "there are: range, damage, spread, mask",
      function() palfrey.newWorld { qqqqqqqq = 1 } end, "there are: ambient, background, fog, gravity",
    }
  end)

  it("in a word lists the right ones", function()
    check {
      function() world:addLight { kind = "sun" } end, '"ambient", "directional", "point", "spot"',
      function() world:addCamera { kind = "ortho" } end, '"perspective", "parallel"',
      function() world:addCamera { mode = "second" } end, '"fixed", "first", "third", "orbit"',
      function() camera:setMode "Third" end, '"fixed", "first", "third", "orbit"',
      function() world:setViewMode "xray" end, '"textured", "shaded", "flat", "wire"',
      function() world:addModel { model = CUBE, collide = "hull" } end, '"none", "box", "sphere", "mesh"',
      function() world:addNPC { model = MAN, collide = "ghost" } end, '"none", "capsule"',
      function() world:addNPC { model = MAN, forward = "+y" } end, '"-z", "+z", "-x", "+x"',
      function() world:setFog { mode = "thick" } end, '"none", "linear", "exponential"',
      function() world:each "tree" end, '"group", "model", "light", "camera", "player", "npc"',
      function() world:raycast { from = { 0, 0, 0 }, to = { 0, 0, 1 }, mask = { "wall" } } end,
      '"group", "model", "light", "camera", "player", "npc" expected, got "wall"',
      function() npc:on("hurt", print) end, '"hit", "death"',
      function() model:play "walk" end, "stand, slide, death1, wave, run",
    }
  end)

  it("in the type of an option names option, what is right and what came", function()
    check {
      function() world:addModel { model = 5 } end, "addModel: option 'model': a string expected, got 5",
      function() world:addModel { model = true } end, "option 'model': a string expected, got true",
      function() world:addModel { model = {} } end, "option 'model': a string expected, got a table",
      function() world:addNPC { model = MAN, skin = 1 } end, "option 'skin': a string expected",
      function() world:addGroup { name = {} } end, "option 'name': a string expected, got a table",
      function() world:addGroup { name = 5 } end, "option 'name': a string expected, got 5",
      function() world:addGroup { position = "here" } end, "option 'position': {x, y, z} of finite numbers expected",
      function() world:addGroup { position = 5 } end, "got 5",
      function() world:addGroup { position = { 1, 2 } } end, "option 'position': {x, y, z}",
      function() world:addGroup { position = { 1, 2, 3, 4 } } end, "option 'position': {x, y, z}",
      function() world:addGroup { position = { 1, 2, "3" } } end, "option 'position': {x, y, z}",
      function() world:addGroup { position = { x = 1, y = 2, z = 3 } } end, "option 'position': {x, y, z}",
      function() world:addGroup { heading = "north" } end, "option 'heading': a number expected, got \"north\"",
      function() world:addGroup { heading = "90" } end, "option 'heading': a number expected",
      function() world:addGroup { rotation = 90 } end, "option 'rotation': {angle, x, y, z}",
      function() world:addGroup { rotation = { 90, 0, 1 } } end, "option 'rotation': {angle, x, y, z}",
      function() world:addGroup { scale = "big" } end, "option 'scale': a number expected",
      function() world:addGroup { scale = { 1, 2 } } end, "option 'scale'",
      function() world:addGroup { parent = "group" } end, "option 'parent': a node expected",
      function() world:addGroup { parent = world } end, "option 'parent': a node expected",
      function() world:addLight { color = 5 } end, "option 'color': a colour {r, g, b}",
      function() world:addLight { color = { 1, 1 } } end, "option 'color': a colour {r, g, b}",
      function() world:addLight { color = "red" } end, "option 'color': a colour",
      function() world:addCamera { target = 5 } end, "option 'target'",
      function() world:addCamera { follow = {} } end, "option 'follow': a node expected",
      function() world:addModel { model = MAN, frames = "all" } end, "option 'frames': a list of frame numbers",
      function() world:addModel { model = MAN, frames = {} } end, "option 'frames'",
      function() world:addModel { model = MAN, frames = { 1.5 } } end, "option 'frames'",
      function() world:addModel { model = MAN, frame = 1.5 } end, "option 'frame': a whole number expected",
      function() world:addModel { model = MAN, animation = 3 } end, "option 'animation': a string expected",
      function() model:play("stand", { loop = 1 }) end, "option 'loop': true or false expected, got 1",
      function() model:play("stand", { speed = true }) end, "option 'speed': a number expected, got true",
      function() world:raycast { from = { 0, 0, 0 }, to = { 1, 0, 0 }, all = "yes" } end, "true or false",
      function() world:raycast { from = { 0, 0, 0 }, to = { 1, 0, 0 }, mask = "npc" } end, "a list of layer names",
      function() world:raycast { from = { 0, 0, 0 }, to = { 1, 0, 0 }, mask = { 5 } } end, "got 5",
      function() world:raycast { from = { 0, 0, 0 }, to = { 1, 0, 0 }, ignore = 5 } end, "'ignore': a node",
      function() world:raycast { from = { 0, 0, 0 }, to = { 1, 0, 0 }, ignore = { 5 } } end, "a list of nodes",
      function() palfrey.newWorld { gravity = "down" } end, "option 'gravity': a number expected",
      function() palfrey.newWorld { fog = "thick" } end, "a table of options expected, got string",
      function() model:attach { model = CUBE, joint = 5 } end, "option 'joint': a string expected",
    }
  end)

  it("in a number: not finite, absurd, too small", function()
    check {
      function() group:setPosition(NAN, 0, 0) end, "finite number expected",
      function() group:setPosition(0, INFINITE, 0) end, "finite number expected",
      function() group:setPosition(0, 0, -INFINITE) end, "finite number expected",
      function() group:setPosition(1e30, 0, 0) end, "finite number expected",
      function() group:setHeading(NAN) end, "finite number expected",
      function() group:setRotation(NAN, 0, 1, 0) end, "finite number expected",
      function() group:setRotation(90, 0, 0, 0) end, "axis other than 0",
      function() group:setScale(0) end, "scale other than 0",
      function() group:setScale(1, 0, 1) end, "scale other than 0",
      function() group:setScale(NAN) end, "finite number expected",
      function() group:lookAt(NAN, 0, 0) end, "finite number expected",
      function() world:addGroup { position = { NAN, 0, 0 } } end, "finite numbers",
      function() world:addGroup { position = { 0, 1e12, 0 } } end, "finite numbers",
      function() world:addGroup { scale = 0 } end, "a scale other than 0",
      function() world:addGroup { scale = { 1, 0, 1 } } end, "a scale other than 0",
      function() world:addGroup { heading = INFINITE } end, "option 'heading': a finite number",
      function() world:addGroup { rotation = { 90, 0, 0, 0 } } end, "option 'rotation'",
      function() world:addPlayer { height = 0 } end, "option 'height': a number above 0 expected, got 0",
      function() world:addPlayer { height = -1 } end, "option 'height': a number above 0",
      function() world:addPlayer { radius = 0 } end, "option 'radius': a number above 0",
      function() world:addPlayer { speed = -1 } end, "option 'speed': a number from 0 on",
      function() world:addPlayer { health = -1 } end, "option 'health': a number from 0 on",
      function() world:addPlayer { stepHeight = -1 } end, "option 'stepHeight': a number from 0 on",
      function() world:addPlayer { slopeLimit = 90 } end, "below 90 degrees",
      function() world:addPlayer { jump = NAN } end, "option 'jump'",
      function() world:addNPC { model = MAN, tall = 0 } end, "option 'tall': a number above 0",
      function() world:addNPC { model = MAN, turnRate = 0 } end, "option 'turnRate': a number above 0",
      function() world:addNPC { model = MAN, arrive = -1 } end, "option 'arrive': a number above 0",
      function() world:addLight { intensity = -1 } end, "option 'intensity': a number from 0 on",
      function() world:addLight { range = -1 } end, "option 'range': a number from 0 on",
      function() world:addLight { kind = "spot", angle = 180 } end, "below 180 degrees",
      function() world:addLight { direction = { 0, 0, 0 } } end, "option 'direction': a direction other than",
      function() world:addCamera { fov = 180 } end, "below 180 degrees",
      function() world:addCamera { fov = 0 } end, "option 'fov': a number above 0",
      function() world:addCamera { near = 0 } end, "option 'near': a number above 0",
      function() world:addCamera { near = 5, far = 5 } end, "option 'far': a distance beyond 'near'",
      function() world:addCamera { kind = "parallel", size = 0 } end, "option 'size': a number above 0",
      function() world:addCamera { distance = 0 } end, "option 'distance': a number above 0",
      function() world:setFog { near = 5, far = 3 } end, "option 'far': a distance beyond 'near'",
      function() world:setFog { near = -1 } end, "option 'near': a number from 0 on",
      function() world:raycast { from = { 0, 0, 0 }, direction = { 0, 0, 0 } } end, "a direction other than",
      function() world:raycast { from = { 0, 0, 0 }, to = { 0, 0, 1 }, range = 0 } end, "'range': a number above 0",
      function() world:sweep { from = { 0, 0, 0 }, to = { 1, 0, 0 }, radius = 0 } end, "'radius': a number above 0",
      function() world:sweep { from = { 0, 0, 0 }, to = { 1, 0, 0 }, height = 0.5 } end, "at least twice the radius",
      function() player:shoot { range = 0 } end, "option 'range': a number above 0",
      function() player:shoot { damage = -5 } end, "option 'damage': a number from 0 on",
      function() player:move(NAN, 0) end, "finite number expected",
      function() player:look(0, INFINITE) end, "finite number expected",
      function() npc:walkTo(0, 0, NAN) end, "finite number expected",
      function() npc:follow(player, -1) end, "from 0 on",
      function() camera:setFov(0) end, "between 0 and 180",
      function() camera:setFov(180) end, "between 0 and 180",
      function() camera:setOrbit(0, 0, 0) end, "above 0",
      function() light:setIntensity(-1) end, "from 0 on",
      function() light:setDirection(0, 0, 0) end, "a direction other than",
      function() light:setColor(NAN, 0, 0) end, "finite number expected",
      function() model:play("stand", { fade = -1 }) end, "option 'fade': a number from 0 on",
      function() model:play("stand", { speed = INFINITE }) end, "option 'speed': a finite number",
    }
  end)

  it("of leaving something out says what", function()
    check {
      function() world:addModel {} end, "addModel: option 'model' is missing",
      function() world:addNPC {} end, "addNPC: option 'model' is missing",
      function() model:attach {} end, "attach: option 'model' is missing",
      function() world:raycast {} end, "raycast: option 'from' is missing",
      function() world:raycast { from = { 0, 0, 0 } } end, "raycast: option 'direction' is missing",
      function() world:sweep { from = { 0, 0, 0 } } end, "sweep: option 'to' is missing",
      function() world:overlap {} end, "overlap: option 'position' is missing",
      function() world:addPlayer { skin = "x.png" } end, "option 'skin' needs a model",
      function() world:addPlayer { animation = "run" } end, "option 'animation' needs a model",
      function() world:addPlayer { frame = 3 } end, "option 'frame' needs a model",
      function() world:addPlayer { tall = 3 } end, "option 'tall' needs a model",
      function() world:addModel { model = MAN, animation = "run", frame = 3 } end, "either 'frame' or 'animation'",
      function() world:addNPC { model = MAN, animation = "run", frame = 3 } end, "either 'frame' or 'animation'",
      function() world:addModel() end, "addModel: a table of options expected, got no value",
      function() world:addNPC(MAN) end, "addNPC: a table of options expected, got string",
      function() world:addLight() end, "addLight: a table of options expected",
      function() world:addGroup(setmetatable({}, { __index = {} })) end, "addGroup: a plain table of options expected",
      function() world:raycast(7) end, "raycast: a table of options expected, got number",
      function() world:addGroup { "crates" } end, "options are named",
      function() world:find() end, "string expected, got no value",
      function() world:setCamera() end, "node expected, got no value",
      function() group:setPosition() end, "number expected, got no value",
      function() group:setPosition(1, 2) end, "number expected, got no value",
      function() group:setParent() end, "node expected, got no value",
      function() group:setVisible() end, "boolean expected, got no value",
      function() camera:toRay(1) end, "number expected, got no value",
      function() npc:walkTo(1) end, "number expected, got no value",
      function() npc:follow() end, "node expected, got no value",
      function() npc:patrol() end, "table expected, got no value",
      function() npc:damage() end, "number expected, got no value",
      function() player:move(1) end, "number expected, got no value",
      function() model:play() end, "string expected, got no value",
      function() model:addMarker("stand", 1) end, "string expected, got no value",
    }
  end)

  it("in the type of an argument names it", function()
    check {
      function() group:setPosition("left", 0, 0) end, "bad argument #1 to 'setPosition' (number expected, got string)",
      function() group:setPosition(0, {}, 0) end, "bad argument #2 to 'setPosition' (number expected, got table)",
      function() group:setName {} end, "bad argument #1 to 'setName'",
      function() group:setVisible(1) end, "boolean expected, got number",
      function() group:setPickable "no" end, "boolean expected, got string",
      function() group:setParent(world) end, "node expected, got",
      function() world:setCamera(light) end, "camera expected, got light",
      function() npc:follow(5) end, "node expected, got number",
      function() npc:damage(1, 5) end, "node expected, got number",
      function() camera:setFollow(5) end, "node expected, got number",
      function() model:setFrame(1.5) end, "bad argument #1 to 'setFrame'",
      function() model:setFrame "x" end, "bad argument #1 to 'setFrame'",
      function() model:setSkin(nil) end, "string expected, got nil",
    }
  end)

  it("of a zero byte in a string is told, which would else end it there", function()
    check {
      function() group:setName "a\0b" end, "bad argument #1 to 'setName' (a string without zero bytes expected)",
      function() world:find "a\0b" end, "without zero bytes",
      function() world:findAll "a\0b" end, "without zero bytes",
      function() world:load "a\0b" end, "without zero bytes",
      function() world:save "a\0b" end, "without zero bytes",
      function() group:on("hit\0", print) end, "without zero bytes",
      function() world:setViewMode "flat\0" end, "without zero bytes",
      function() model:play "stand\0" end, "without zero bytes",
      function() model:setSkin "assets/blue.png\0" end, "without zero bytes",
      function() model:addMarker("stand", 0, "a\0") end, "without zero bytes",
      function() world:addGroup { name = "a\0b" } end, "option 'name': a string without zero bytes",
      function() world:addModel { model = CUBE .. "\0" } end, "option 'model': a string without zero bytes",
      function() world:addLight { kind = "spot\0" } end, "option 'kind': a string without zero bytes",
      function() palfrey.input.isDown "a\0b" end, "without zero bytes",
      function() palfrey.testing.press "a\0b" end, "without zero bytes",
      function() palfrey.screen.screenshot "a\0b" end, "without zero bytes",
    }
  end)

  it("in self says what was expected", function()
    check {
      function() group.getPosition() end, "node expected, got no value",
      function() group.getPosition(nil) end, "node expected, got nil",
      function() group.getPosition(world) end, "node expected, got",
      function() group.getPosition {} end, "node expected, got table",
      function() group.getPosition(io.stdout) end, "node expected, got FILE*",
      function() group.isAlive(nil) end, "node expected, got nil",
      function() world.find(group, "x") end, "world expected, got",
      function() world.find(nil, "x") end, "world expected, got nil",
      function() npc.walkTo(group, 0, 0, 0) end, "expected, got group",
      function() npc.getHealth(camera) end, "npc or player expected, got camera",
      function() light.getColor(group) end, "light expected, got group",
      function() camera.getFov(light) end, "camera expected, got light",
      function() model.getClips(group) end, "this group shows no model",
      function() npc.walkTo(player, 0, 0, 0) end, "npc expected, got player",
      function() player.move(npc, 1, 0) end, "player expected, got npc",
      function() player.look(npc, 1, 0) end, "player expected, got npc",
    }
  end)

  it("of calling a function of another kind is a nil value, as in Lua", function()
    for _, name in ipairs { "walkTo", "getHealth", "play", "getColor", "toRay", "move" } do
      assert.is_nil(group[name])
    end
    assert.is_nil(player.walkTo)
    assert.is_nil(npc.jump)
    assert.is_nil(light.toRay)
  end)

  it("leaves no node behind", function()
    local count = 0
    for _ in world:each() do count = count + 1 end
    for _, options in ipairs { { model = MAN, animation = "no" }, { model = MAN, frame = 99 }, { model = "no.md2" },
                               { model = MAN, skin = "no.png" }, { model = MAN, speed = -1 },
                               { model = MAN, position = 5 } } do
      pcall(world.addNPC, world, options)
      pcall(world.addModel, world, options)
      pcall(world.addPlayer, world, options)
      pcall(model.attach, model, options)
    end
    local after = 0
    for _ in world:each() do after = after + 1 end
    assert.equal(count, after)
    assert.same({}, model:getChildren())
  end)

  it("made often costs no memory", function()
    local function fail()
      for _ = 1, 3000 do
        pcall(group.setPosition, group, 1, "bad")
        pcall(world.addModel, world, { model = MAN, animation = "no" })
        pcall(world.raycast, world, { from = { 0, 0, 0 }, to = { 1, 1, 1 }, ignore = { group, 5 } })
      end
      collectgarbage()
      collectgarbage()
    end
    fail()
    local before = collectgarbage "count"
    fail()
    assert.is_true(collectgarbage "count" < before + 100)
  end)

  it("that is a fact of the world is told, not raised", function()
    local function told(word, result, message)
      assert.is_nil(result)
      assert.match(word, message, 1, true)
    end
    palfrey.files.write("cut.md2", palfrey.files.read(MAN):sub(1, 100))
    palfrey.files.write("text.md2", "no model at all, but a text that is longer than a header of this format would be")
    palfrey.files.write("bad.obj", "v 0 0 0\nf 1 2 3\n")
    for _, method in ipairs { "addModel", "addNPC", "addPlayer" } do
      told("nothing.md2", world[method](world, { model = "assets/nothing.md2" }))
      told("cut.md2", world[method](world, { model = "cut.md2" }))
      told("text.md2", world[method](world, { model = "text.md2" }))
      told("bad.obj", world[method](world, { model = "bad.obj" }))
      told("nothing.png", world[method](world, { model = MAN, skin = "assets/nothing.png" }))
      told("../", world[method](world, { model = "../man.md2" }))
      told("man.xyz", world[method](world, { model = "assets/man.xyz" }))
      told("blue.png", world[method](world, { model = "assets/blue.png" }))
    end
  end)
end)

describe("limits", function()
  it("of nodes are told with their name in conf.lua, also by what needs many nodes", function()
    local world = palfrey.newWorld()
    for _ = 1, 20000 - 3 do world:addGroup() end
    local made, message = pcall(world.addModel, world, { model = "assets/yard.obj" })
    assert.is_false(made)
    assert.match("limits.nodes in conf.lua is 20000", message, 1, true)
    world:addGroup()
    world:addGroup()
    local last = world:addGroup()
    assert.match("limits.nodes in conf.lua is 20000", raises(function() world:addGroup() end), 1, true)
    assert.match("limits.nodes", raises(function() world:addCamera() end), 1, true)
    last:remove()
    world:addGroup()
  end)
end)
