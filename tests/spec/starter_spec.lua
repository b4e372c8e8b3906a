-- The game that `palfrey new` writes passes everything that there is for games: its own specs, packing, verifying, and
-- it takes the same course as a folder, as a zip and as a program. The runtime is in PALFREY.
local json = require "dkjson"
local PALFREY = os.getenv "PALFREY"
local OPTIONS = "--headless --null-gpu --frames 90 --json"

local folder

-- What a command writes on standard output and standard error, and its exit status.
local function run(command)
  local pipe <close> = assert(io.popen(("cd '%s' && { %s; } 2>&1"):format(folder, command)))
  local output = pipe:read "a"
  local _, _, status = pipe:close()
  return output, status
end

local function palfrey(arguments)
  return run(("'%s' %s"):format(PALFREY, arguments))
end

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

local function write(path, bytes, mode)
  local file <close> = assert(io.open(folder .. "/" .. path, mode or "wb"))
  assert(file:write(bytes))
end

local function assertGood(output, status)
  assert.equal(0, status, output)
  return output
end

describe("a new game", function()
  if not PALFREY then
    pending("needs the program in PALFREY")
    return
  end

  setup(function()
    folder = os.tmpname()
    os.remove(folder)
    assert(os.execute(("mkdir '%s'"):format(folder)))
    assertGood(palfrey "new game")
  end)

  teardown(function() os.execute(("rm -rf '%s'"):format(folder)) end)

  it("is what stands in scripts/starter, with the stubs beside", function()
    local pipe <close> = assert(io.popen "pwd")
    assertGood(run(("diff -r -x .palfrey '%s/scripts/starter' game"):format(pipe:read "l")))
    assert.equal(read "scripts/types/palfrey.lua", read(folder .. "/game/.palfrey/palfrey.lua"))
    local settings = json.decode(read(folder .. "/game/.luarc.json"))
    assert.equal("Lua 5.4", settings["runtime.version"])
    assert.equal(".palfrey", settings["workspace.library"][1])
  end)

  it("passes its own specs", function()
    local output = assertGood(palfrey "test game --size 480x270")
    assert.truthy(output:find("0 failures / 0 errors", 1, true), output)
  end)

  it("fails its picture-test when the picture is wrong", function()
    assertGood(run "cp -r game dark && printf 'function palfrey.draw() end' >> dark/main.lua")
    local output, status = palfrey "test dark --size 480x270 --filter=picture"
    assert.equal(1, status, output)
    assert.truthy(output:find("shows the count", 1, true), output)
  end)

  it("packs without a warning, verifies, and runs the same in every form", function()
    local output = assertGood(palfrey "pack game")
    assert.is_nil(output:find("warning", 1, true), output)
    assert.truthy(output:find "scripts +3 ", output)
    assert.truthy(assertGood(palfrey "verify game.zip"):find "^game.zip: ok: 1%d files")
    assertGood(palfrey "pack game --fuse -o fused")
    local asFolder = json.decode(assertGood(palfrey(OPTIONS .. " game")))
    local asZip = json.decode(assertGood(palfrey(OPTIONS .. " game.zip")))
    local fused = json.decode(assertGood(run(("PALFREY_OPTIONS='%s' ./fused --not-an-option"):format(OPTIONS))))
    assert.equal(90, asFolder.frames)
    assert.same(asFolder.state_hash, asZip.state_hash)
    assert.same(asFolder.state_hash, fused.state_hash)
  end)

  it("runs as a program that is renamed and signed, and is told of wrong options", function()
    assertGood(palfrey "pack game --fuse -o 'my game.bin'")
    assertGood(run "mkdir -p elsewhere && mv 'my game.bin' elsewhere/other")
    write("elsewhere/other", "0123456789", "ab")
    assertGood(run(("PALFREY_OPTIONS='%s' elsewhere/other"):format(OPTIONS)))
    assertGood(palfrey "verify elsewhere/other")
    local output, status = run "PALFREY_OPTIONS=--nonsense elsewhere/other"
    assert.equal(2, status)
    assert.truthy(output:find("PALFREY_OPTIONS: unknown option --nonsense", 1, true), output)
  end)

  it("gives its arguments to the game when fused", function()
    assertGood(run [[mkdir -p args && printf 'local palfrey = require "palfrey"
      function palfrey.load(list) print(table.concat(list, "|")) palfrey.quit(7) end' > args/main.lua]])
    assertGood(palfrey "pack args --fuse -o arguments")
    local output, status = run "PALFREY_OPTIONS='--headless --null-gpu' ./arguments --headless game 'a b'"
    assert.equal(7, status, output)
    assert.equal("--headless|game|a b\n", output)
  end)

  it("is not written over anything", function()
    local output, status = palfrey "new game"
    assert.equal(1, status)
    assert.truthy(output:find("palfrey new: game: is not empty", 1, true), output)
    write("file", "x")
    output, status = palfrey "new file"
    assert.equal(1, status)
    assert.truthy(output:find("file: cannot be used", 1, true), output)
    output, status = palfrey "new no/such"
    assert.equal(1, status)
    assert.truthy(output:find("no/such: cannot be made", 1, true), output)
    assertGood(run "mkdir void")
    assertGood(palfrey "new void/")
  end)

  it("leaves nothing behind where it cannot be written whole", function()
    -- The model is larger than what this shell may write.
    local output, status = run(("trap '' XFSZ; ulimit -f 40; '%s' new half"):format(PALFREY))
    assert.equal(1, status, output)
    assert.truthy(output:find("half/models/duck.md2: cannot be written", 1, true), output)
    assertGood(run "test ! -e half")
    assertGood(run "mkdir there")
    output, status = run(("trap '' XFSZ; ulimit -f 40; '%s' new there"):format(PALFREY))
    assert.equal(1, status, output)
    assertGood(run "rmdir there")
  end)

  it("packs from inside its folder, to a zip beside it", function()
    local output = assertGood(run(("cd game && '%s' pack ."):format(PALFREY)))
    assert.truthy(output:find("/game.zip: 1", 1, true), output)
  end)
end)

describe("verify", function()
  if not PALFREY then
    pending("needs the program in PALFREY")
    return
  end

  setup(function()
    folder = os.tmpname()
    os.remove(folder)
    assert(os.execute(("mkdir -p '%s/game'"):format(folder)))
    write("game/main.lua", "-- " .. ("a line of text "):rep(50))
    write("game/data.png", "stored bytes")
    assertGood(palfrey "pack game")
  end)

  teardown(function() os.execute(("rm -rf '%s'"):format(folder)) end)

  it("tells every fault, as lines and as JSON", function()
    local zip = read(folder .. "/game.zip")
    write("bad.zip", (zip:gsub("stored bytes", "stored bites")))
    local output, status = palfrey "verify bad.zip"
    assert.equal(1, status)
    assert.truthy(output:find "^bad.zip: data.png: damaged: its CRC%-32 is %x+, the directory says %x+\n$", output)
    output, status = run(("'%s' verify --json bad.zip 2>/dev/null"):format(PALFREY))
    assert.equal(1, status)
    local object = json.decode(output)
    assert.equal("zip", object.format)
    assert.equal(2, object.entries)
    assert.equal(1, #object.faults)
  end)

  it("wants a package that is a game", function()
    assertGood(run "mkdir -p outer/game && cp game/* outer/game && cp game/main.lua outer")
    assertGood(palfrey "pack outer")
    write("inner.zip", (read(folder .. "/outer.zip"):gsub("([^/])main%.lua", "%1mein.lua")))
    local output, status = palfrey "verify inner.zip"
    assert.equal(1, status)
    assert.equal("inner.zip: main.lua is not at the root but at game/main.lua\n", output)
    output, status = palfrey "verify game"
    assert.equal(1, status)
    assert.truthy(output:find "^game: ", output)
  end)
end)
