-- The documentation of the Lua interface is complete and up to date: what the bindings register, their comments, the
-- stubs for the language server and the manual agree.
local GENERATOR = "lua5.4 scripts/tools/make_stubs.lua"
local STUBS = "scripts/types/palfrey.lua"
local MANUAL = "docs/api.md"

local function readFile(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

local function run(command)
  local pipe <close> = assert(io.popen(command .. " 2>&1"))
  return pipe:read "a", (pipe:close())
end

--- The names scripts may rely on, as "owner name name ...".
local NAMES = [[
palfrey: newWorld quit isPackaged getTime getStep getVersion log preload sortedPairs
World: load save addGroup addModel addLight addCamera addPlayer addNPC setCamera getCamera setViewMode find findAll each
  raycast sweep overlap on off
Node: getName setName getKind getParent setParent getChildren getPosition setPosition getWorldPosition getHeading
  setHeading getRotation setRotation lookAt getScale setScale getCenter getBounds isVisible setVisible isPickable
  setPickable getData isAlive remove on off
Model: setSkin getSkin getClips play stop isPlaying getClip getFrame setFrame addMarker attach
Camera: toRay toScreen
Character: getHealth setHealth damage isDead getVelocity isOnGround shoot
NPC: idle walkTo follow patrol flee face getGoal
Player: move look jump
Preload: getProgress isDone getErrors
palfrey.input: bind isDown wasPressed wasReleased getAxis getMouse setMouseCaptured
palfrey.hud: text rectangle image message getMessages getSize
palfrey.files: read write exists list remove getInfo
palfrey.screen: getSize setFullscreen screenshot getPixel
palfrey.testing: step press release moveMouse getStateHash
]]

local CALLBACKS = [[conf load update draw quit keypressed keyreleased textinput mousemoved mousepressed mousereleased
  wheelmoved gamepadpressed gamepadreleased gamepadaxis touchpressed touchmoved touchreleased resize focus]]

local HIT_FIELDS = "node name part distance x y z nx ny nz triangle material u v"

local function has(text, part)
  return text:find(part, 1, true) ~= nil
end

describe("the documentation of the Lua interface", function()
  it("is up to date", function()
    local output, isGood = run(GENERATOR .. " --check")
    assert.is_true(isGood or false, output)
  end)

  it("has stubs that are Lua and return the module", function()
    local environment = {}
    local module = assert(load(readFile(STUBS), "@" .. STUBS, "t", environment))()
    assert.equal(module, environment.palfrey)
    assert.is_function(environment.palfrey.newWorld)
    assert.is_function(environment.palfrey.hud.text)
  end)

  it("names every function", function()
    local stubs, manual = readFile(STUBS), readFile(MANUAL)
    for owner, names in NAMES:gsub("\n  ", " "):gmatch "([%w.]+): ([^\n]+)" do
      local separator = owner:match "^palfrey" and "." or ":"
      for name in names:gmatch "%w+" do
        local path = owner .. separator .. name
        local isThere = has(stubs, ("function %s("):format(path)) or has(stubs, ("\n---@field %s (fun("):format(name))
        assert.is_true(isThere, path .. " in the stubs")
        assert.is_true(has(manual, ("\n### %s\n"):format(path)), path .. " in the manual")
      end
    end
  end)

  it("names every callback", function()
    local stubs, manual = readFile(STUBS), readFile(MANUAL)
    local module = stubs:match "\n%-%-%-@class palfrey\n(.-)\npalfrey = {}\n"
    for name in CALLBACKS:gmatch "%w+" do
      assert.is_truthy(module:find(("@field %s %%(?fun%%("):format(name)), name)
      assert.is_true(has(manual, ("\n### callback palfrey.%s\n"):format(name)), name)
    end
  end)

  it("names every field of a hit and every event", function()
    local stubs = readFile(STUBS)
    local hit = stubs:match "\n%-%-%-@class palfrey%.Hit\n(.-)\n\n"
    for field in HIT_FIELDS:gmatch "%w+" do
      assert.is_truthy(hit:find("@field " .. field .. "%??%s"), field)
    end
    for event in ("hit death marker clipEnd arrived touch"):gmatch "%w+" do
      assert.is_true(has(stubs, ('---@field type "%s"'):format(event)), event)
    end
  end)

  it("has a manual whose links lead somewhere", function()
    local manual, headings = readFile(MANUAL), {}
    for heading in manual:gmatch "\n##+ ([^\n]+)" do
      headings[heading:lower():gsub("[^%w%- _]", ""):gsub(" ", "-")] = true
    end
    for target in manual:gmatch "%]%(#([^)]+)%)" do
      assert.is_true(headings[target], "#" .. target)
    end
  end)
end)

describe("the generator", function()
  package.path = "scripts/tools/lib/?.lua;" .. package.path
  local interface = require "interface"

  --- What it complains of in a source of bindings.
  local function complaintsAbout(code)
    local path = os.tmpname()
    do
      local file <close> = assert(io.open(path, "wb"))
      file:write(code)
    end
    local _, complaints = interface.read { path }
    os.remove(path)
    for i, complaint in ipairs(complaints) do
      complaints[i] = complaint:sub(1, #path) == path and complaint:sub(#path + 2) or complaint
    end
    return complaints
  end

  local GOOD = [[
/// class World
const luaL_Reg WORLD_METHODS[] = {{"find", find}, {NULL, NULL}};

/// World:find(options: {name: string}): World?
/// - `name`: whose
static int find(lua_State *L) {
  static const char *const KNOWN[] = {"name", NULL};
}
]]

  local function expect(complaint, pattern, replacement)
    local code, count = GOOD:gsub(pattern, replacement)
    assert.equal(1, count)
    assert.equal(complaint, complaintsAbout(code)[1])
  end

  it("accepts what agrees", function()
    assert.same({}, complaintsAbout(GOOD))
  end)

  it("refuses a registered function without documentation", function()
    expect("2: seek (seek): no documentation", '{"find", find}', '%0, {"seek", seek}')
  end)

  it("refuses documentation of a function that is not registered", function()
    expect("4: World:find: is documented, but registered nowhere", '{"find", find}, ', "")
  end)

  it("refuses another name or class than the registered one", function()
    expect("4: World:find: is documented so, but registered as seek in WORLD_METHODS", '"find"', '"seek"')
    expect("4: World:find: is documented so, but registered as find in NODE_METHODS", "WORLD_METHODS", "NODE_METHODS")
  end)

  it("refuses options that are not those read", function()
    expect("4: find: the option all is read, but not documented", '"name"', '%0, "all"')
    expect("4: find: the option all is documented, but not read", "name: string", "%0, all?: boolean")
    expect("4: find: `nome` is explained, but not in the signature", "`name`", "`nome`")
  end)

  it("refuses unknown types and broken signatures", function()
    expect("4: find: there is no type Wurld", "World%?", "Wurld?")
    expect("4: a type expected at ' : string}): World?'", "name: string", "name: : string")
  end)

  it("refuses a callback without documentation", function()
    local complaints = complaintsAbout(GOOD .. 'push_callback(host, "draw")\n')
    assert.same({ "runtime/bindings: palfrey.draw: the callback has no documentation" }, complaints)
  end)
end)
