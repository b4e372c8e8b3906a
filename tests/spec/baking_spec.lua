-- Models made ahead: by convert, by pack --bake, and by games that find text.
local json = require "dkjson"

local PALFREY = os.getenv "PALFREY"

local folder

local function sh(command)
  local pipe <close> = assert(io.popen(command .. " 2>&1; echo \"status $?\""))
  local output = pipe:read "a"
  return tonumber(output:match "status (%d+)\n$"), (output:gsub("status %d+\n$", ""))
end

local function palfrey(arguments, environment)
  return sh(("cd '%s' && %s '%s' %s"):format(folder, environment or "", PALFREY, arguments))
end

local function write(name, text)
  local file <close> = assert(io.open(folder .. "/" .. name, "wb"))
  file:write(text)
end

local function read(name)
  local file <close> = assert(io.open(folder .. "/" .. name, "rb"))
  return file:read "a"
end

local function describe_model(name)
  local status, output = palfrey("info --json " .. name)
  assert.equal(0, status, output)
  local info = json.decode(output)
  info.format, info.warnings, info.bytes = nil, nil, nil
  return info
end

--- A strip of quads, `height` above the ground, and enough of them to be worth a cache.
local function strip(height)
  local lines = { "mtllib paint.mtl", "usemtl paint" }
  for i = 0, 400 do
    table.insert(lines, ("v %d %.3f 0"):format(i, height))
    table.insert(lines, ("v %d %.3f 1"):format(i, height))
  end
  for i = 1, 400 do
    table.insert(lines, ("f %d %d %d %d"):format(2 * i - 1, 2 * i, 2 * i + 2, 2 * i + 1))
  end
  return table.concat(lines, "\n") .. "\n"
end

local GAME = [[
local palfrey = require "palfrey"
function palfrey.load()
  local world = palfrey.newWorld{ ambient = {1, 1, 1} }
  local model = assert(world:addModel{ model = "strip.obj", collide = "mesh" })
  world:addCamera{ position = {200, 30, 0.5}, target = {200, 0, 0.5} }
  local _, y0, _, _, y1 = model:getBounds()
  print(("bounds %.3f %.3f"):format(y0, y1))
  print("starts with " .. palfrey.files.read("strip.obj"):sub(1, 4))
end
function palfrey.draw() end
function palfrey.update()
  if palfrey.getStep() == 3 then
    local w, h = palfrey.screen.getSize()
    local r, g, b = palfrey.screen.getPixel(w // 2, h // 2)
    print(("pixel %d %d %d"):format(r, g, b))
  end
end
]]

describe("baking", function()
  if not PALFREY then
    pending("needs the program in PALFREY")
    return
  end

  before_each(function()
    folder = os.tmpname()
    os.remove(folder)
    assert(sh("mkdir -p '" .. folder .. "'") == 0)
    write("strip.obj", strip(2))
    write("paint.mtl", "newmtl paint\nKd 1 0 0\n")
    write("main.lua", GAME)
  end)

  after_each(function()
    sh("rm -rf '" .. folder .. "'")
  end)

  it("converts without losing anything", function()
    local status, output = palfrey "convert strip.obj strip.mbj"
    assert.equal(0, status, output)
    assert.same(describe_model "strip.obj", describe_model "strip.mbj")
    assert.equal(0, (palfrey "convert strip.mbj again.mbj"))
    assert.equal(read "strip.mbj", read "again.mbj")
    status, output = palfrey "convert --json strip.obj strip.mbj"
    assert.equal(0, status)
    local result = assert(json.decode(output))
    assert.equal("strip.mbj", result.output)
    assert.equal(#read "strip.mbj", result.bytes)
  end)

  it("converts images to PNG", function()
    write("dot.tga", ("<I1I1I1I2I2I1I2I2I2I2I1I1"):pack(0, 0, 2, 0, 0, 0, 0, 0, 1, 1, 24, 32) .. "\1\2\3")
    assert.equal(0, (palfrey "convert dot.tga dot.png"))
    assert.equal("\137PNG", read("dot.png"):sub(1, 4))
  end)

  it("refuses what cannot be, and leaves no file behind", function()
    for arguments, word in pairs { -- order: each stands for itself
      ["convert strip.obj strip.obj"] = "models become .mbj",
      ["convert strip.obj strip.png"] = "do not become",
      ["convert none.obj a.mbj"] = "none.obj",
      ["convert main.lua a.mbj"] = "unknown model format",
      ["convert strip.obj none/a.mbj"] = "cannot be written",
    } do
      local status, output = palfrey(arguments)
      assert.equal(1, status, arguments)
      assert.is_truthy(output:find(word, 1, true), arguments .. ": " .. output)
    end
    assert.equal(2, (palfrey "convert strip.obj"))
    assert.equal(2, (palfrey "convert"))
    assert.equal(0, (palfrey "convert strip.obj a.mbj"))
    local before = read "a.mbj"
    assert.equal(1, (palfrey "convert a.mbj ./a.mbj"))
    assert.equal(before, read "a.mbj")
    local _, left = sh(("ls '%s'"):format(folder))
    assert.is_nil(left:find ".part")
  end)

  it("packs models made ahead, and the game stays the same", function()
    local _, plain = palfrey "--headless --frames 5 --json ."
    assert.equal(0, (palfrey "pack --bake . -o baked.zip"))
    local _, baked = palfrey "--headless --frames 5 --json baked.zip"
    assert.equal(plain:match '"state_hash":"(%x+)"', baked:match '"state_hash":"(%x+)"')
    assert.equal(plain:match "bounds [^\n]+", baked:match "bounds [^\n]+")
    assert.equal(plain:match "pixel [^\n]+", baked:match "pixel [^\n]+")
    assert.equal("mtll", plain:match "starts with ([^\n]+)")
    assert.equal("PMBJ", baked:match "starts with ([^\n]+)")
  end)

  --- The names of what is in a package, sorted.
  local function packed(options)
    assert.equal(0, (palfrey("pack . -o packed.zip " .. options)))
    local _, output = palfrey "info packed.zip --json"
    local names = {}
    for i, entry in ipairs(json.decode(output).entries) do names[i] = entry.name end
    table.sort(names)
    sh(("rm '%s/packed.zip'"):format(folder))
    return table.concat(names, " ") .. " "
  end

  it("leaves out what models were made of, unless something else may need it", function()
    sh(("mkdir -p '%s/models'"):format(folder))
    write("models/other.obj", strip(1))
    write("models/paint.mtl", "newmtl paint\nmap_Kd wood.bmp\n")
    write("models/wood.bmp", "no picture")
    assert.equal("main.lua models/other.obj models/paint.mtl models/wood.bmp paint.mtl strip.obj ", packed "")
    assert.equal("main.lua models/other.obj models/wood.bmp strip.obj ", packed "--bake")
    write("read.lua", "local text = palfrey.files.read('models/' .. 'paint.mtl')")
    assert.equal("main.lua models/other.obj models/paint.mtl models/wood.bmp paint.mtl read.lua strip.obj ",
      packed "--bake")
    sh(("rm '%s/read.lua'"):format(folder))
    write("models/broken.obj", "mtllib paint.mtl\nf 1 2 3\n")
    assert.equal("main.lua models/broken.obj models/other.obj models/paint.mtl models/wood.bmp paint.mtl strip.obj ",
      packed "--bake")
  end)

  local function play()
    local status, output = palfrey("--headless --frames 5 .", "XDG_CACHE_HOME=$PWD/cache XDG_DATA_HOME=$PWD/data")
    assert.equal(0, status, output)
    return output:match "bounds ([^\n]+)", output:match "pixel ([^\n]+)"
  end

  local function cached()
    local _, paths = sh(("cd '%s' && find cache -name '*.mbj'"):format(folder))
    return paths:match "[^\n]+"
  end

  it("keeps text models in the cache until anything they are made of changes", function()
    local bounds, pixel = play()
    assert.equal("2.000 2.000", bounds)
    local path = assert(cached())
    local first = read(path)
    assert.same({ bounds, pixel }, { play() })
    assert.equal(first, read(path))
    write("strip.obj", strip(5))
    assert.equal("5.000 5.000", (play()))
    write("paint.mtl", "newmtl paint\nKd 0 1 0\n")
    local _, green = play()
    assert.is_not.equal(pixel, green)
    os.remove(folder .. "/paint.mtl")
    local _, bare = play()
    assert.is_not.equal(green, bare)
    write("paint.mtl", "newmtl paint\nKd 1 0 0\n")
    local _, red = play()
    assert.equal(pixel, red)
  end)

  it("makes damaged caches anew", function()
    play()
    local path = assert(cached())
    local good = read(path)
    local middle = #good // 2   -- among the positions
    for _, damaged in ipairs {
      "", "PMBJ", good:sub(1, -20), good:sub(1, 40) .. "\255\255\255\255" .. good:sub(45), good .. "\0",
      good:sub(1, middle) .. string.char(good:byte(middle + 1) ~ 64) .. good:sub(middle + 2),
    } do
      write(path, damaged)
      assert.equal("2.000 2.000", (play()))
      assert.equal(good, read(path))
    end
  end)
end)
