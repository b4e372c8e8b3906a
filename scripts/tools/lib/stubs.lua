-- Writes the interface as LuaCATS annotations, which the Lua language server completes, explains and checks games by.
local types = require "types"

local stubs = {}

local WIDTH = 120

local HEAD = [[
---@meta palfrey
-- luacheck: ignore 211 212 241 431, no max line length
-- What the Lua language server needs to know of Palfrey: the folder of this file belongs among the libraries of its
-- workspace settings. `palfrey new` sets that up.
-- Generated from the comments in runtime/bindings by scripts/tools/make_stubs.lua.

]]

local Writer = {}
Writer.__index = Writer

function Writer:line(text, ...)
  self.lines[#self.lines + 1] = select("#", ...) > 0 and text:format(...) or text
end

--- Prose as comment lines.
function Writer:prose(text)
  local line = "---"
  for word in text:gmatch "%S+" do
    if #line + 1 + #word > WIDTH and line ~= "---" then
      self:line(line)
      line = "---"
    end
    line = line .. " " .. word
  end
  if line ~= "---" then self:line(line) end
end

function Writer:paragraphs(entry)
  for i, paragraph in ipairs(entry.prose) do
    if i > 1 then self:line "---" end
    self:prose(paragraph)
  end
end

--- The language server shares names of types between all libraries, so ours carry the name of the module.
function Writer:renamer()
  return function(name) return self.api.names[name] and "palfrey." .. name or name end
end

function Writer:write(type)
  return types.write(type, self:renamer())
end

function Writer:fields(tableType)
  for _, field in ipairs(tableType.fields) do
    local text = field.text and " " .. field.text or ""
    self:line("---@field %s%s %s%s", field.name, field.isOptional and "?" or "", self:write(field.type), text)
  end
end

--- A class with the fields of a table.
function Writer:tableClass(className, tableType)
  local parent = tableType.parent and ": palfrey." .. tableType.parent or ""
  self:line("---@class %s%s", className, parent)
  self:fields(tableType)
end

--- A table of options gets a class of its own, so that every option can carry its explanation. Returns its name.
function Writer:optionClass(entry)
  local path = entry.path or entry.name
  local name = ("palfrey.%s.options"):format(path:gsub("^palfrey%.", ""):gsub(":", "."))
  self:tableClass(name, entry.table)
  self:line ""
  return name
end

--- The type of a parameter; `optionClass` stands for the table of options.
function Writer:parameterType(parameter, optionClass)
  return parameter.type.kind == "table" and optionClass or self:write(parameter.type)
end

function Writer:overloads(entry)
  local first, second = entry.parameters[1], entry.parameters[2]
  if not (first and first.type.name == "EventName" and second and second.type.kind == "function") then return end
  for _, event in ipairs(self.api.events) do
    self:line('---@overload fun(self: palfrey.%s, event: "%s", handler: fun(event: palfrey.%s))', entry.owner,
      event.name, stubs.eventClass(event))
  end
end

local function takesOptions(entry)
  for _, parameter in ipairs(entry.parameters) do
    if parameter.type.kind == "table" then return true end
  end
  return false
end

function Writer:functionStub(entry)
  local optionClass = takesOptions(entry) and self:optionClass(entry)
  self:paragraphs(entry)
  for _, parameter in ipairs(entry.parameters) do
    local type = self:parameterType(parameter, optionClass)
    self:line("---@param %s%s %s", parameter.name, parameter.isOptional and "?" or "", type)
  end
  for _, result in ipairs(entry.results) do self:line("---@return %s", self:write(result)) end
  self:overloads(entry)
  self:line("function %s(%s) end", entry.path, types.writeNames(entry.parameters))
  self:line ""
end

--- `fields` writes what the class has besides its functions.
function Writer:class(entry, fields)
  local isModule = entry.name:match "^palfrey" ~= nil
  self:paragraphs(entry)
  self:line("---@class %s%s", isModule and entry.name or "palfrey." .. entry.name,
    entry.parent and ": palfrey." .. entry.parent or "")
  if fields then fields() end
  self:line("%s%s = {}", isModule and "" or "local ", entry.name)
  self:line ""
end

--- The type of a function; `optionClass` stands for the table of options.
function Writer:functionType(entry, optionClass)
  local parameters = {}
  for i, parameter in ipairs(entry.parameters) do
    parameters[i] = ("%s%s: %s"):format(parameter.name, parameter.isOptional and "?" or "",
      self:parameterType(parameter, optionClass))
  end
  local results = #entry.results > 0 and ": " .. types.writeAll(entry.results, self:renamer()) or ""
  return ("fun(%s)%s"):format(table.concat(parameters, ", "), results)
end

--- The classes of the options of callbacks, which stand before the class whose fields the callbacks are.
function Writer:callbackOptions()
  local classes = {}
  for _, entry in ipairs(self.api.callbacks) do
    classes[entry] = takesOptions(entry) and self:optionClass(entry) or nil
  end
  return classes
end

--- A callback is a field for the game to set. It may share its name with a function of the module, which is there until
--- it does.
function Writer:callback(entry, sameName, optionClass)
  local type = self:functionType(entry, optionClass)
  if sameName then
    self:paragraphs(sameName)
    self:line "---"
    type = ("(%s)|(%s)"):format(self:functionType(sameName), type)
  end
  self:paragraphs(entry)
  self:line("---@field %s %s", entry.name, type)
end

function Writer:type(entry)
  self:paragraphs(entry)
  if entry.type.kind == "table" then
    self:tableClass("palfrey." .. entry.name, entry.type)
  else
    self:line("---@alias palfrey.%s %s", entry.name, self:write(entry.type))
  end
  self:line ""
end

--- The class of an event's table: "clipEnd" -> "ClipEndEvent".
function stubs.eventClass(event)
  return event.name:gsub("^%l", string.upper) .. "Event"
end

function Writer:events()
  local names = {}
  for i, event in ipairs(self.api.events) do names[i] = ('"%s"'):format(event.name) end
  self:line("---@alias palfrey.EventName %s", table.concat(names, "|"))
  self:line ""
  for _, event in ipairs(self.api.events) do
    self:paragraphs(event)
    local parents = "palfrey.Event"
    if event.type.parent then parents = parents .. ", palfrey." .. event.type.parent end
    self:line("---@class palfrey.%s: %s", stubs.eventClass(event), parents)
    self:line('---@field type "%s"', event.name)
    self:fields(event.type)
    self:line ""
  end
end

local function byName(entries)
  local named = {}
  for _, entry in ipairs(entries) do named[entry.name] = entry end
  return named
end

--- The module with the callbacks as its fields, then its functions.
function Writer:module(class)
  local functions, isCallback = byName(class.functions), byName(self.api.callbacks)
  local optionClasses = self:callbackOptions()
  self:class(class, function()
    for _, entry in ipairs(self.api.callbacks) do
      self:callback(entry, functions[entry.name], optionClasses[entry])
    end
  end)
  for _, entry in ipairs(class.functions) do
    if not isCallback[entry.name] then self:functionStub(entry) end
  end
end

--- All of the interface as one file: the module and the other classes in this order, then named types and events.
function stubs.write(api, classes)
  local writer = setmetatable({ api = api, lines = {} }, Writer)
  writer:module(classes[1])
  for i = 2, #classes do
    writer:class(classes[i])
    for _, entry in ipairs(classes[i].functions) do writer:functionStub(entry) end
  end
  for _, entry in ipairs(api.typeList) do writer:type(entry) end
  writer:events()
  writer:line "return palfrey"
  return HEAD .. table.concat(writer.lines, "\n") .. "\n"
end

return stubs
