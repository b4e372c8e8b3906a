-- Reads the documentation in the sources of the bindings. Comments of three slashes at the start of a line hold
-- entries; an empty one ends a paragraph, and the next paragraph may start an entry of its own:
--
--   /// World:find(name: string): Node?                  a function, above the C function that does it
--   /// class Model: Node                                a class of values, or a table of functions of the module
--   /// type Place: {position?: Vec3}                    a named type
--   /// callback palfrey.update(dt: number)              a function of the game that the runtime calls
--   /// event death                                      an event; after a colon, the fields that its table has besides
--
-- A first line goes on until it is complete. Then comes prose, in Markdown. A line "- `name`: text" explains
-- an option or field; it goes on in lines indented by two blanks.
local types = require "types"

local bindings = {}

local INTERNAL = "^%s*// Internal: " -- above a luaL_Reg table: no script sees these functions

-- ------------------------------------------------------------------------------------------------- reading comments

local KEYWORDS = {
  class = { pattern = "^class ([%w.]+)(.*)$" },
  type = { pattern = "^type (%w+):(.*)$" },
  callback = { pattern = "^callback palfrey%.(%w+)(%(.*)$" },
  event = { pattern = "^event (%w+):?(.*)$" },
}

--- The kind of entry a line starts, with its name and the rest of the line, or nil.
local function startOfEntry(line)
  local keyword = KEYWORDS[line:match "^%l+ " and line:match "^%l+"]
  if keyword then
    local name, rest = line:match(keyword.pattern)
    if name then return line:match "^%l+", name, rest end
  end
  local path, rest = line:match "^([%a_][%w_.:]*)(%(.*)$"
  if path then return "function", path, rest end
end

--- Whether a first line goes on: a bracket is open, or something must follow.
local function isOpen(text)
  local _, opened = text:gsub("[({]", "")
  local _, closed = text:gsub("[)}]", "")
  return opened > closed or text:find "[,:&|]%s*$" ~= nil
end

local function readHead(entry, rest)
  if entry.kind == "class" then
    entry.parent = rest:match "^: ([%w.]+)$"
  elseif entry.kind == "type" then
    entry.type = types.read(rest)
  elseif entry.kind == "event" then
    entry.type = rest:find "%S" and types.read(rest) or { kind = "table", fields = {} }
  else
    local signature = types.readSignature(rest)
    entry.parameters, entry.results = signature.parameters, signature.results
  end
  if entry.kind == "function" then
    entry.path = entry.name
    entry.owner, entry.separator, entry.name = entry.path:match "^(.-)([.:]?)([%w_]+)$"
  end
end

local function readProse(entry, lines)
  local paragraph, item
  for _, line in ipairs(lines) do
    local name, text = line:match "^%- `([%w_]+)`: (.*)$"
    if name then
      item = { name = name, text = text }
      table.insert(entry.items, item)
      paragraph = nil
    elseif item and line:match "^  %S" then
      item.text = item.text .. " " .. line:sub(3)
    elseif line == "" then
      paragraph, item = nil, nil
    elseif paragraph then
      paragraph = paragraph .. " " .. line
      entry.prose[#entry.prose] = paragraph
    else
      paragraph, item = line, nil
      table.insert(entry.prose, paragraph)
    end
  end
end

--- Reads the entries of one comment into `source.entries`.
local function readComment(source, lines, first, after)
  local at = 1
  while at <= #lines do
    local kind, name, rest = startOfEntry(lines[at])
    if not kind then
      source.report(first + at - 1, "neither a signature nor class, type, callback or event: " .. lines[at])
      return
    end
    local entry = { kind = kind, name = name, prose = {}, items = {}, file = source.path, line = first + at - 1 }
    while isOpen(rest) and at < #lines do
      at = at + 1
      rest = rest .. " " .. lines[at]
    end
    local isGood, message = pcall(readHead, entry, rest)
    if not isGood then
      source.report(entry.line, message)
      return
    end
    local prose = {}
    at = at + 1
    while at <= #lines and not (lines[at - 1] == "" and startOfEntry(lines[at])) do
      table.insert(prose, lines[at])
      at = at + 1
    end
    readProse(entry, prose)
    entry.code = after
    entry.cFunction = kind == "function" and after:match "^[%w_%s*]-([%w_]+)%(" or nil
    table.insert(source.entries, entry)
  end
end

local function readComments(source, text)
  local lines, first, number = {}, nil, 0
  for line, stop in text:gmatch "([^\n]*)\n()" do
    number = number + 1
    local comment = line:match "^/// ?(.*)$"
    if comment and comment:sub(1, 1) ~= "<" then
      first = first or number
      table.insert(lines, comment)
    elseif first then
      -- What the comment stands above: up to the end of the function, or of the declaration.
      local start = stop - #line - 1
      local code = text:sub(start, (text:find("\n};?\n", start) or #text) + 1)
      readComment(source, lines, first, code)
      lines, first = {}, nil
    end
  end
end

-- ------------------------------------------------------------------------------------------------- reading code

local function lineAt(text, position)
  local _, count = text:sub(1, position):gsub("\n", "")
  return count + 1
end

--- The functions a source gives to Lua, with the names they get.
local function readRegistrations(source, text)
  for start, tableName, values in text:gmatch "()luaL_Reg%s+([%w_]+)%[%]%s*=%s*(%b{})" do
    local before = text:sub(1, start):match "([^\n]*)\n[^\n]*$" or ""
    if not before:find(INTERNAL) then
      for name, cFunction in values:gmatch '{"([%w_]+)",%s*([%w_]+)}' do
        table.insert(source.registrations, { name = name, cFunction = cFunction, tableName = tableName,
          file = source.path, line = lineAt(text, start) })
      end
    end
  end
  for start, cFunction, name in text:gmatch '()lua_pushc%l+%(L, ([%w_]+)[^)]*%);%s*lua_setfield%(L, %-%d, "(%w+)"%)' do
    table.insert(source.registrations, { name = name, cFunction = cFunction, file = source.path,
      line = lineAt(text, start) })
  end
end

--- The callbacks a source calls.
local function readCallbacks(source, text)
  local function add(name) source.callbacks[name] = true end
  for name in text:gmatch 'push_callback%(host, "(%w+)"%)' do add(name) end
  for name in (text:match "\nstatic const char %*event_callback.-\n}\n" or ""):gmatch 'return "(%w+)"' do add(name) end
end

local function readMacros(source, text)
  for name, value in text:gsub("\\\n", " "):gmatch "#define (%u+_OPTIONS)%s+([^\n]+)" do source.macros[name] = value end
end

--- The names in the list KNOWN of a C function, or nil.
local function knownOptions(entry, macros)
  local list = entry.code:match "KNOWN%[%]%s*=%s*(%b{})"
  if not list then return nil end
  repeat
    local count
    list, count = list:gsub("%u+_OPTIONS", macros)
  until count == 0
  local names = {}
  for name in list:gmatch '"(%w+)"' do names[#names + 1] = name end
  return names
end

--- Reads all sources: entries in the order of the files, registrations, callbacks. `report(file, line, message)` gets
--- what is wrong within them.
function bindings.read(paths, report)
  local all = { entries = {}, registrations = {}, callbacks = {} }
  for _, path in ipairs(paths) do
    local file <close> = assert(io.open(path, "rb"))
    local text = file:read "a"
    local source = { path = path, entries = all.entries, registrations = all.registrations,
      callbacks = all.callbacks, macros = {} }
    function source.report(line, message) report(path, line, message) end
    local first = #all.entries + 1
    readComments(source, text)
    readRegistrations(source, text)
    readCallbacks(source, text)
    readMacros(source, text)
    for i = first, #all.entries do
      all.entries[i].known = knownOptions(all.entries[i], source.macros)
    end
  end
  return all
end

return bindings
