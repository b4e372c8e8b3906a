-- make_stubs.lua [--check]: writes scripts/types/palfrey.lua (for the Lua language server) and docs/api.md (the manual)
-- from the documentation in runtime/bindings. With --check it writes nothing and fails when a file is not up to date.
-- In any case it fails when code and documentation of the bindings disagree. Run from the root of the project.
local folder = arg[0]:match "^(.*)/" or "."
package.path = folder .. "/lib/?.lua;" .. package.path

local interface = require "interface"
local manual = require "manual"
local stubs = require "stubs"

local STUBS, MANUAL = "scripts/types/palfrey.lua", "docs/api.md"
local INTRODUCTION = folder .. "/manual.md"

-- The order of the classes; what is not named comes behind.
local ORDER = { "palfrey", "World", "Node", "Group", "Model", "Light", "Camera", "Character", "NPC", "Player",
  "Preload", "palfrey.input", "palfrey.hud", "palfrey.sound", "palfrey.files", "palfrey.screen", "palfrey.testing" }

local function readFile(path)
  local file <close> = io.open(path, "rb")
  return file and file:read "a"
end

local function writeFile(path, text)
  local file <close> = assert(io.open(path, "wb"))
  assert(file:write(text))
end

--- The sources of the bindings, in an order that does not depend on the machine.
local function listSources()
  local pipe <close> = assert(io.popen "LC_ALL=C ls runtime/bindings/*.c")
  local paths = {}
  for path in pipe:lines() do paths[#paths + 1] = path end
  return paths
end

--- All classes in their order.
local function sortClasses(api)
  local sorted, isSorted = {}, {}
  local function add(class)
    if class and not isSorted[class.name] then sorted[#sorted + 1], isSorted[class.name] = class, true end
  end
  for _, name in ipairs(ORDER) do add(api.classes[name]) end
  for _, class in ipairs(api.classList) do add(class) end
  return sorted
end

--- The paragraph of a source's head comment that starts with these words: what it says is told in one place only.
local function commentOf(path, start)
  local paragraph = ""
  for line in readFile(path):gmatch "[^\n]*" do
    local text = line:match "^// ?(.*)$"
    if text and text ~= "" then
      paragraph = (paragraph .. " " .. text):gsub("^ ", "")
    else
      if paragraph:sub(1, #start) == start then return manual.wrap(paragraph) end
      paragraph = ""
    end
  end
  error(("%s: no paragraph of its comments starts with '%s'"):format(path, start), 0)
end

local function readIntroduction()
  return (readFile(INTRODUCTION):gsub("{{([%w_/]+%.h): ([^}]+)}}", commentOf))
end

local function fail(complaints)
  io.stderr:write(table.concat(complaints, "\n"), "\n")
  os.exit(1)
end

local function main(option)
  if option and option ~= "--check" then fail { "usage: make_stubs.lua [--check]" } end
  local api, complaints = interface.read(listSources())
  if #complaints > 0 then fail(complaints) end
  local classes = sortClasses(api)
  local files = {
    { path = MANUAL, text = manual.write(api, classes, readIntroduction()) },
    { path = STUBS, text = stubs.write(api, classes) },
  }
  for _, file in ipairs(files) do
    if not option then
      writeFile(file.path, file.text)
    elseif readFile(file.path) ~= file.text then
      complaints[#complaints + 1] = file.path .. ": is not up to date; run lua5.4 scripts/tools/make_stubs.lua"
    end
  end
  if #complaints > 0 then fail(complaints) end
end

main(...)
