-- `palfrey info` of packages, and how it writes numbers: the command is in PALFREY.
local json = require "dkjson"
local PALFREY = os.getenv "PALFREY"

local function run(command)
  local pipe <close> = assert(io.popen(command .. " 2>/dev/null"))
  local output = pipe:read "a"
  return output, pipe:close()
end

describe("info of a package", function()
  if not PALFREY then
    pending("needs the program in PALFREY")
    return
  end

  it("lists its files", function()
    local zip = os.tmpname()
    assert.truthy(select(2, run(("'%s' pack games/sample -o '%s'"):format(PALFREY, zip))))
    local info = json.decode((run(("'%s' info '%s' --json"):format(PALFREY, zip))))
    os.remove(zip)
    assert.equal("zip", info.format)
    local methods = {}
    for _, entry in ipairs(info.entries) do methods[entry.name] = entry.method end
    assert.equal(8, methods["main.lua"])
    assert.equal(0, methods["models/knight.md2"])
    assert.equal(8, methods["levels/courtyard.obj"])
  end)

  it("names what is cut off", function()
    local zip = os.tmpname()
    local file <close> = assert(io.open(zip, "wb"))
    file:write("PK\3\4", ("x"):rep(100))
    file:flush()
    local output, good = run(("'%s' info '%s' --json"):format(PALFREY, zip))
    os.remove(zip)
    assert.falsy(good)
    assert.truthy(json.decode(output).error:find(zip, 1, true))
  end)
end)

describe("info of a model", function()
  if not PALFREY then
    pending("needs the program in PALFREY")
    return
  end

  it("has one zero", function()
    local name = os.tmpname()
    local path = name .. ".obj"
    local file <close> = assert(io.open(path, "wb"))
    file:write "v -0 0 -0\nv 1 -0 -0\nv 1 1 -0\nf 1 2 3\n"
    file:flush()
    for _, option in ipairs { "--json", "" } do
      local output = run(("'%s' info '%s' %s"):format(PALFREY, path, option))
      assert.truthy(output:find("0", 1, true))
      assert.is_nil(output:find "%-0[^.]", option)
    end
    os.remove(path)
    os.remove(name)
  end)
end)
