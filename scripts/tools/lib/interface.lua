-- The interface of the runtime as its bindings document it, checked against what they do: every function that scripts
-- can call is documented under the name it has, every documented one is there, and options are those that are read.
local bindings = require "bindings"

local interface = {}

-- Owners of functions of Lua's own library: described, but no part of the stubs.
local LIBRARIES = { [""] = true, math = true }

local function owns(tableName, owner)
  local class = tableName and tableName:match "^(%u+)_[%u_]*METHODS$"
  return not class or class == owner:upper()
end

--- Compares the functions given to Lua with the documented ones.
local function checkFunctions(source, report)
  local here, anywhere = {}, {}
  for _, entry in ipairs(source.entries) do
    if entry.cFunction then
      here[entry.file .. ":" .. entry.cFunction] = entry
      anywhere[entry.cFunction] = entry
    elseif entry.kind == "function" then
      report(entry.file, entry.line, entry.path .. ": a C function must follow its documentation")
    end
  end
  for _, given in ipairs(source.registrations) do
    local entry = here[given.file .. ":" .. given.cFunction] or anywhere[given.cFunction]
    if not entry then
      report(given.file, given.line, ("%s (%s): no documentation"):format(given.name, given.cFunction))
    elseif entry.name ~= given.name or not owns(given.tableName, entry.owner) then
      report(entry.file, entry.line, ("%s: is documented so, but registered as %s in %s"):format(entry.path, given.name,
        given.tableName or "a field"))
    end
    if entry then entry.isGiven = true end
  end
  for _, entry in ipairs(source.entries) do
    if entry.cFunction and not entry.isGiven then
      report(entry.file, entry.line, entry.path .. ": is documented, but registered nowhere")
    end
  end
end

local function checkCallbacks(source, callbacks, report)
  for _, entry in ipairs(callbacks) do
    if not entry.code:find(('"%s"'):format(entry.name), 1, true) then
      report(entry.file, entry.line, ("palfrey.%s: the function below does not name this callback"):format(entry.name))
    end
    source.callbacks[entry.name] = nil
  end
  local names = {}
  for name in pairs(source.callbacks) do names[#names + 1] = name end -- order: sorted below
  table.sort(names)
  for _, name in ipairs(names) do
    report("runtime/bindings", nil, ("palfrey.%s: the callback has no documentation"):format(name))
  end
end

--- The table that an entry's items speak of: the type itself, or the first table among parameters and results.
local function tableOf(entry)
  if entry.type then return entry.type.kind == "table" and entry.type or nil end
  for _, parameter in ipairs(entry.parameters or {}) do
    if parameter.type.kind == "table" then return parameter.type end
  end
  for _, result in ipairs(entry.results or {}) do
    local type = result
    while type.kind == "optional" or type.kind == "array" do type = type.of end
    if type.kind == "table" then return type end
  end
end

--- All fields of a table, those of its parents first: {name, isOptional, type, text, parent = named type it is from}.
function interface.fieldsOf(api, tableType)
  local fields = {}
  local parent = tableType.parent and api.types[tableType.parent]
  if parent then
    for _, field in ipairs(interface.fieldsOf(api, parent.type)) do
      field.parent = field.parent or parent.name
      fields[#fields + 1] = field
    end
  end
  for _, field in ipairs(tableType.fields) do
    fields[#fields + 1] = { name = field.name, isOptional = field.isOptional, type = field.type, text = field.text }
  end
  return fields
end

--- Gives the fields of an entry's table their explanations.
local function explainFields(entry, report)
  local texts, own = {}, entry.table and entry.table.fields or {}
  for _, item in ipairs(entry.items) do texts[item.name] = item.text end
  for _, field in ipairs(own) do
    field.text, texts[field.name] = texts[field.name], nil
  end
  for _, item in ipairs(entry.items) do
    if texts[item.name] then
      report(entry.file, entry.line, ("%s: `%s` is explained, but not in the signature"):format(entry.name, item.name))
    end
  end
end

local function checkOptions(api, entry, report)
  if not entry.known or not entry.table then return end
  local isKnown, isDocumented = {}, {}
  for _, name in ipairs(entry.known) do isKnown[name] = true end
  for _, field in ipairs(interface.fieldsOf(api, entry.table)) do
    isDocumented[field.name] = true
    if not isKnown[field.name] then
      report(entry.file, entry.line, ("%s: the option %s is documented, but not read"):format(entry.name, field.name))
    end
  end
  for _, name in ipairs(entry.known) do
    if not isDocumented[name] then
      report(entry.file, entry.line, ("%s: the option %s is read, but not documented"):format(entry.name, name))
    end
  end
end

local BASIC_TYPES = {}
for name in ("any boolean function integer nil number string table"):gmatch "%l+" do BASIC_TYPES[name] = true end

--- Calls `visit` for all names of types in a tree.
local function eachName(tree, visit)
  if tree.kind == "name" then visit(tree.name) end
  if tree.parent then visit(tree.parent) end
  local of = tree.of
  if of then
    for _, part in ipairs(of.kind and { of } or of) do eachName(part, visit) end
  end
  for _, field in ipairs(tree.fields or tree.parameters or {}) do eachName(field.type, visit) end
  for _, result in ipairs(tree.results or {}) do eachName(result, visit) end
end

local function checkNames(api, entry, report)
  eachName({ of = entry.type, parameters = entry.parameters, results = entry.results }, function(name)
    if not BASIC_TYPES[name] and not api.names[name] then
      report(entry.file, entry.line, ("%s: there is no type %s"):format(entry.name, name))
    end
  end)
end

local function addFunction(api, entry, report)
  local class = api.classes[entry.owner]
  if class then
    table.insert(class.functions, entry)
  elseif LIBRARIES[entry.owner] then
    table.insert(api.luaFunctions, entry)
  else
    report(entry.file, entry.line, ("%s: there is no class %s"):format(entry.path, entry.owner))
  end
end

local function sortEntries(source, report)
  local api = { classes = {}, classList = {}, types = {}, typeList = {}, callbacks = {}, events = {}, luaFunctions = {},
    names = { EventName = true } }
  for _, entry in ipairs(source.entries) do
    if entry.kind == "class" then
      entry.functions = {}
      api.classes[entry.name], api.names[entry.name] = entry, true
      table.insert(api.classList, entry)
    elseif entry.kind == "type" then
      api.types[entry.name], api.names[entry.name] = entry, true
      table.insert(api.typeList, entry)
    elseif entry.kind == "event" then
      table.insert(api.events, entry)
    elseif entry.kind == "callback" then
      table.insert(api.callbacks, entry)
    end
  end
  for _, entry in ipairs(source.entries) do
    if entry.kind == "function" then addFunction(api, entry, report) end
  end
  return api
end

--- The events that documentation names are those of the engine.
local function checkEvents(api, report)
  local path = "runtime/engine/world.c"
  local file <close> = assert(io.open(path, "rb"))
  local names = file:read("a"):match "WORLD_EVENT_NAMES%[[%w_]*%] = (%b{})" or ""
  for _, entry in ipairs(api.events) do
    if not names:find(('"%s"'):format(entry.name), 1, true) then
      report(entry.file, entry.line, ("%s: there is no such event in %s"):format(entry.name, path))
    end
  end
end

--- Reads the sources of the bindings. Returns the interface and a list of complaints "path:line: message".
--- classes (name -> entry with functions) and classList, types and typeList, callbacks, events, luaFunctions.
function interface.read(paths)
  local complaints = {}
  local function report(file, line, message)
    complaints[#complaints + 1] = ("%s:%s %s"):format(file, line and line .. ":" or "", message)
  end
  local source = bindings.read(paths, report)
  local api = sortEntries(source, report)
  checkFunctions(source, report)
  checkCallbacks(source, api.callbacks, report)
  checkEvents(api, report)
  for _, entry in ipairs(source.entries) do
    entry.table = tableOf(entry)
    explainFields(entry, report)
  end
  for _, entry in ipairs(source.entries) do
    checkOptions(api, entry, report)
    checkNames(api, entry, report)
  end
  return api, complaints
end

return interface
