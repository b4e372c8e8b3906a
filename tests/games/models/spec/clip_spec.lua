local palfrey = require "palfrey"
local support = dofile "tests/games/support.lua"
local near, raises = support.near, support.raises

local STEP = 1 / 60

describe("clips", function()
  local world, man
  before_each(function()
    world = palfrey.newWorld()
    man = assert(world:addModel { name = "Man", model = "assets/man.md2" })
  end)

  local function run(count) palfrey.testing.step(count) end

  -- Names of the events that a node or the world raised, in order, filled while the game runs.
  local function listen(node, ...)
    local heard = {}
    for _, event in ipairs { ... } do
      node:on(event, function(told) heard[#heard + 1] = told.marker or told.clip or told.type end)
    end
    return heard
  end

  it("are those of the file, with frames and duration", function()
    assert.same({ { name = "stand", frames = 4, duration = 0.4 }, { name = "slide", frames = 5, duration = 0.5 },
                  { name = "death1", frames = 3, duration = 0.3 }, { name = "wave", frames = 1, duration = 0.1 },
                  { name = "run", frames = 6, duration = 0.6 } },
      (function()
        local clips = man:getClips()
        for _, clip in ipairs(clips) do clip.duration = math.floor(clip.duration * 1e6 + 0.5) / 1e6 end
        return clips
      end)())
    assert.same({}, assert(world:addModel { model = "assets/cube.obj" }):getClips())
  end)

  it("do not play unless asked: the first frame stands still", function()
    run(30)
    assert.is_false(man:isPlaying())
    assert.equal(0, man:getFrame())
    local clip, time = man:getClip()
    assert.is_nil(clip)
    assert.equal(0, time)
  end)

  it("start exactly at their first frame and go on by 10 frames a second", function()
    man:play "slide"
    assert.equal(4, man:getFrame())
    assert.is_true(man:isPlaying() and man:isPlaying "slide")
    assert.is_false(man:isPlaying "stand")
    run(3)
    near(4.5, man:getFrame())
    local clip, time = man:getClip()
    assert.equal("slide", clip)
    near(3 * STEP, time)
    near(-0.5, (man:getCenter()))
    run(12)
    near(6.5, man:getFrame())
  end)

  it("blend from the last frame into the first, in a loop", function()
    man:play "slide"
    run(24)
    near(8, man:getFrame())
    near(-4, (man:getCenter()))
    run(3)
    near(-2, (man:getCenter()))
    run(3)
    near(4, man:getFrame())
    near(0, (man:getCenter()))
  end)

  it("hold the last frame without loop, and tell clipEnd once", function()
    local heard = listen(man, "clipEnd")
    man:play("slide", { loop = false })
    run(23)
    assert.is_true(man:isPlaying())
    run(3)
    assert.is_false(man:isPlaying())
    near(8, man:getFrame())
    run(100)
    near(8, man:getFrame())
    assert.same({ "slide" }, heard)
    local clip, time = man:getClip()
    assert.equal("slide", clip)
    near(0.4, time)
  end)

  it("tell clipEnd at each turn of a loop", function()
    local heard = listen(man, "clipEnd")
    man:play "stand"
    run(24 * 3 + 2)
    assert.same({ "stand", "stand", "stand" }, heard)
  end)

  it("of one frame hold it, end at once without loop, and turn on in a loop", function()
    local heard = listen(man, "clipEnd")
    man:play("wave", { loop = false })
    run(3)
    assert.same({ "wave" }, heard)
    assert.equal(12, man:getFrame())
    near({ 0, 2, 0 }, man:getCenter())
    man:play "wave"
    run(62)
    assert.equal(12, man:getFrame())
    assert.is_true(#heard >= 9 and #heard <= 12)
  end)

  it("do not start again when they are played in every step", function()
    for _ = 1, 15 do
      man:play "slide"
      run(1)
    end
    near(6.5, man:getFrame())
  end)

  it("start again with restart", function()
    man:play "slide"
    run(9)
    man:play("slide", { restart = true })
    assert.equal(4, man:getFrame())
    run(3)
    near(4.5, man:getFrame())
  end)

  it("take over new options while they play", function()
    man:play "slide"
    run(6)
    man:play("slide", { speed = 2 })
    run(3)
    near(6, man:getFrame())
    man:play("slide", { loop = false })
    run(60)
    near(8, man:getFrame())
    assert.is_false(man:isPlaying())
  end)

  it("keep an option that play does not name while they play, and lose it in another clip", function()
    man:play("slide", { speed = 0.5, loop = false })
    run(6)
    man:play "slide"
    run(6)
    near(5, man:getFrame())
    man:play "run"
    run(6)
    near(14, man:getFrame())
    run(60)
    assert.is_true(man:isPlaying "run")
  end)

  it("play faster, slower, backwards and not at all", function()
    man:play("slide", { speed = 3 })
    run(4)
    near(6, man:getFrame())
    man:play("run", { speed = 0.25 })
    run(24)
    near(14, man:getFrame())
    man:play("slide", { speed = -1, loop = false })
    near(8, man:getFrame())
    run(6)
    near(7, man:getFrame())
    run(60)
    near(4, man:getFrame())
    assert.is_false(man:isPlaying())
    man:play("run", { speed = 0 })
    run(30)
    near(13, man:getFrame())
    assert.is_true(man:isPlaying())
  end)

  it("are held by stop and go on from the start when played again", function()
    man:play "slide"
    run(9)
    man:stop()
    run(30)
    near(5.5, man:getFrame())
    assert.is_false(man:isPlaying())
    assert.equal("slide", (man:getClip()))
    man:play "slide"
    near(4, man:getFrame())
  end)

  it("fade in from the pose before", function()
    man:setFrame(8)
    run(2)
    man:play("stand", { fade = 0.5 })
    run(15)
    near(-2, (man:getCenter()))
    run(15)
    near(0, (man:getCenter()))
  end)

  it("end no fade that would jump: each step changes the pose by little", function()
    man:play "slide"
    run(12)
    local last = man:getCenter()
    man:play("stand", { fade = 0.25 })
    support.steps(20, function()
      local x = man:getCenter()
      assert.is_true(math.abs(x - last) < 0.4)
      last = x
    end)
  end)

  it("are told by name where there is no such clip, with those there are", function()
    local message = raises(function() man:play "walk" end)
    assert.match('"walk"', message, 1, true)
    assert.match("stand, slide, death1, wave, run", message, 1, true)
    assert.match("stand, slide", raises(function() man:isPlaying "Stand" end), 1, true)
    assert.match("stand, slide", raises(function() man:addMarker("jump", 0, "x") end), 1, true)
    assert.match("stand, slide",
      raises(function() world:addModel { model = "assets/man.md2", animation = "x" } end), 1, true)
    assert.match("no clips", raises(function() world:find("Cube"):play "x" end, world:addModel {
      model = "assets/cube.obj" }))
  end)

  it("of an NPC start with the option animation, and loop", function()
    local npc = assert(world:addNPC { model = "assets/man.md2", animation = "slide" })
    assert.is_true(npc:isPlaying "slide")
    run(6)
    near(5, npc:getFrame())
    run(60)
    assert.is_true(npc:isPlaying())
  end)
end)

describe("frames", function()
  local world, man
  before_each(function()
    world = palfrey.newWorld()
    man = assert(world:addModel { model = "assets/man.md2" })
  end)

  it("count in the file from 0, and end the clip", function()
    man:play "slide"
    palfrey.testing.step(3)
    man:setFrame(12)
    assert.equal(12, man:getFrame())
    assert.is_nil((man:getClip()))
    palfrey.testing.step(20)
    assert.equal(12, man:getFrame())
    near({ 0, 2, 0 }, man:getCenter())
  end)

  it("set are told at once, and are the pose that is shown from the next step on", function()
    man:setFrame(8)
    assert.equal(8, man:getFrame())
    near({ 0, 1, 0 }, man:getCenter())
    palfrey.testing.step()
    near({ -4, 1, 0 }, man:getCenter())
  end)

  it("given when the node is made stand still", function()
    local npc = assert(world:addNPC { model = "assets/man.md2", frame = 6 })
    near({ -2, 1, 0 }, npc:getCenter())
    palfrey.testing.step(20)
    assert.equal(6, npc:getFrame())
    assert.is_false(npc:isPlaying())
  end)

  it("that are not there raise, with how many there are", function()
    for _, frame in ipairs { 19, -1, 1000, 1 << 40 } do
      assert.match("19 frames", raises(function() man:setFrame(frame) end))
    end
    assert.equal(0, man:getFrame())
    assert.match("frame 19", raises(function() world:addModel { model = "assets/man.md2", frame = 19 } end))
    assert.match("frame", raises(function() world:addModel { model = "assets/man.md2", frame = -1 } end))
    assert.match("frame", raises(function() world:addModel { model = "assets/cube.obj", frame = 0 } end))
  end)

  it("can be loaded in part: numbers stay those of the file", function()
    local part = assert(world:addModel { model = "assets/man.md2", frames = { 8, 4, 5, 4 } })
    assert.equal(4, part:getFrame())
    part:setFrame(8)
    palfrey.testing.step()
    assert.equal(8, part:getFrame())
    near({ -4, 1, 0 }, part:getCenter())
    assert.match("frame 0", raises(function() part:setFrame(0) end))
    assert.match("3 frames", raises(function() part:setFrame(6) end))
    local clips = part:getClips()
    assert.equal(1, #clips)
    assert.equal("slide", clips[1].name)
    assert.equal(3, clips[1].frames)
  end)

  it("cannot be chosen where there are none", function()
    local nothing, message = world:addModel { model = "assets/cube.obj", frames = { 0 } }
    assert.is_nil(nothing)
    assert.equal("assets/cube.obj: frames to load are named, but it has no vertex frames", message)
  end)

  it("loaded in part can be a single number, and differ between models of one file", function()
    local one = assert(world:addModel { model = "assets/man.md2", frames = 12 })
    assert.equal(12, one:getFrame())
    near({ 0, 2, 0 }, one:getCenter())
    assert.equal(5, #man:getClips())
    man:setFrame(18)
    assert.equal(18, man:getFrame())
  end)

  it("loaded in part leave no clip of the others", function()
    local part = assert(world:addNPC { model = "assets/man.md2", frames = { 0, 1 }, animation = "stand" })
    assert.match("there are: stand%)$", raises(function() part:play "run" end))
    palfrey.testing.step(100)
    assert.is_true(part:getFrame() < 2)
  end)

  it("that the file has not make no model: nil and a message", function()
    local node, message = world:addModel { model = "assets/man.md2", frames = { 0, 99 } }
    assert.is_nil(node)
    assert.match("man.md2", message, 1, true)
    assert.match("99", message, 1, true)
  end)
end)

describe("markers", function()
  local world, man, heard
  before_each(function()
    world = palfrey.newWorld()
    man = assert(world:addModel { name = "Man", model = "assets/man.md2" })
    heard = {}
    man:on("marker", function(event) heard[#heard + 1] = event.marker end)
    man:on("clipEnd", function() heard[#heard + 1] = "end" end)
  end)

  it("are told once each time the clip passes them", function()
    man:addMarker("slide", 2, "middle")
    man:play "slide"
    palfrey.testing.step(11)
    assert.same({}, heard)
    palfrey.testing.step(3)
    assert.same({ "middle" }, heard)
    palfrey.testing.step(60)
    assert.same({ "middle", "end", "middle", "end", "middle" }, heard)
  end)

  it("at the first frame are told at the start and at each turn", function()
    man:addMarker("slide", 0, "start")
    man:play "slide"
    palfrey.testing.step(2)
    assert.same({ "start" }, heard)
    palfrey.testing.step(30)
    assert.same({ "start", "end", "start" }, heard)
  end)

  it("at the last frame are told before clipEnd", function()
    man:addMarker("slide", 4, "last")
    man:play("slide", { loop = false })
    palfrey.testing.step(60)
    assert.same({ "last", "end" }, heard)
  end)

  it("come in the order of time also when one step passes several, and backwards", function()
    for _, frame in ipairs { 3, 1, 2 } do man:addMarker("slide", frame, "at" .. frame) end
    man:play("slide", { speed = 30, loop = false })
    palfrey.testing.step(3)
    assert.same({ "at1", "at2", "at3", "end" }, heard)
    for i = 1, #heard do heard[i] = nil end
    man:play("slide", { speed = -30, loop = false })
    palfrey.testing.step(3)
    assert.same({ "at3", "at2", "at1", "end" }, heard)
  end)

  it("belong to their clip and their node", function()
    local other = assert(world:addModel { model = "assets/man.md2" })
    local all = {}
    world:on("marker", function(event) all[#all + 1] = tostring(event.name) .. " " .. event.marker end)
    man:addMarker("slide", 1, "mine")
    man:play "run"
    other:play "slide"
    palfrey.testing.step(30)
    assert.same({}, all)
    man:play "slide"
    palfrey.testing.step(10)
    assert.same({ "Man mine" }, all)
  end)

  it("may lie between frames, and must be in the clip", function()
    man:addMarker("slide", 1.5, "between")
    man:play "slide"
    palfrey.testing.step(8)
    assert.same({}, heard)
    palfrey.testing.step(3)
    assert.same({ "between" }, heard)
    assert.match("0 to 4", raises(function() man:addMarker("slide", 5, "x") end))
    assert.match("0 to 4", raises(function() man:addMarker("slide", -1, "x") end))
    assert.match("0 to 0", raises(function() man:addMarker("wave", 1, "x") end))
  end)
end)

describe("tall", function()
  local world
  before_each(function() world = palfrey.newWorld() end)

  it("scales a model so that its first frame has that height", function()
    local npc = assert(world:addNPC { model = "assets/man.md2", tall = 1.8, position = { 1, 0, 0 } })
    near({ 0.55, 0, -0.45, 1.45, 1.8, 0.45 }, npc:getBounds())
    near({ 0.9, 0.9, 0.9 }, npc:getScale())
    local model = assert(world:addModel { model = "assets/man.md2", tall = 4 })
    near({ -1, 0, -1, 1, 4, 1 }, model:getBounds())
  end)

  it("goes by the first frame, whatever frame is shown", function()
    local npc = assert(world:addNPC { model = "assets/man.md2", tall = 1, frame = 11 })
    near({ -0.25, 0, -0.25, 0.25, 0.25, 0.25 }, npc:getBounds())
  end)

  it("goes together with a scale: the proportions are the scale's", function()
    local npc = assert(world:addNPC { model = "assets/man.md2", tall = 2, scale = { 2, 1, 1 } })
    near({ -1, 0, -0.5, 1, 2, 0.5 }, npc:getBounds())
  end)
end)
