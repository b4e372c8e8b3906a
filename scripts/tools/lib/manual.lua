-- Writes the interface as a manual in Markdown: the introduction, then classes, events, types, and what differs in
-- Lua's library, each function with its signature, prose and options.
local interface = require "interface"
local types = require "types"

local manual = {}

local WIDTH = 120

-- Headings of callbacks and events differ from those of functions and types of the same name.
local CALLBACK, EVENT = "callback palfrey.", "event "

local Writer = {}
Writer.__index = Writer

function Writer:line(text, ...)
  self.lines[#self.lines + 1] = select("#", ...) > 0 and text:format(...) or text
end

--- A paragraph, broken into lines.
function manual.wrap(text)
  local lines, line = {}, ""
  for word in text:gmatch "%S+" do
    if line ~= "" and #line + 1 + #word > WIDTH then
      lines[#lines + 1] = line
      line = ""
    end
    line = line == "" and word or line .. " " .. word
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

function Writer:paragraph(text)
  self:line(manual.wrap(text))
  self:line ""
end

function Writer:prose(entry)
  for _, paragraph in ipairs(entry.prose) do self:paragraph(paragraph) end
end

--- The place of a heading, as GitHub and others make it from its text.
local function anchor(heading)
  return heading:lower():gsub("[^%w%- _]", ""):gsub(" ", "-")
end

local function link(text, heading)
  return ("[%s](#%s)"):format(text, anchor(heading))
end

--- Tables in signatures are told as lists below them.
local function shortType(type)
  return type.kind == "table" and "table" or types.write(type)
end

local function signature(entry, path)
  local parameters, results = {}, ""
  for i, parameter in ipairs(entry.parameters) do
    local mark = parameter.isOptional and "?" or ""
    parameters[i] = parameter.name == "..." and "..." or
      ("%s%s: %s"):format(parameter.name, mark, shortType(parameter.type))
  end
  if #entry.results > 0 then results = ": " .. types.writeAll(entry.results) end
  return ("%s(%s)%s"):format(path, table.concat(parameters, ", "), results)
end

--- A bar would end the cell of a table.
local function cell(text)
  return (text:gsub("|", "\\|"))
end

--- The fields of a table as rows; those of a named type it includes are told where that type is.
function Writer:fields(tableType, title)
  self:line("| %s | type | |", title)
  self:line "| --- | --- | --- |"
  local isOwn = {}
  for _, field in ipairs(tableType.fields) do
    isOwn[field.name] = true
    self:line("| `%s%s` | `%s` | %s |", field.name, field.isOptional and "?" or "", cell(types.write(field.type)),
      cell(field.text or ""))
  end
  self:line ""
  if tableType.parent then
    local names = {}
    for _, field in ipairs(interface.fieldsOf(self.api, self.api.types[tableType.parent].type)) do
      if not isOwn[field.name] then names[#names + 1] = ("`%s`"):format(field.name) end
    end
    self:paragraph(("Also all of %s: %s."):format(link(tableType.parent, tableType.parent), table.concat(names, ", ")))
  end
end

function Writer:call(entry, heading, path, title)
  self:line("### %s", heading)
  self:line ""
  self:line "```lua"
  self:line(signature(entry, path))
  self:line "```"
  self:line ""
  self:prose(entry)
  for _, parameter in ipairs(entry.parameters) do
    if parameter.type.kind == "table" then
      self:fields(parameter.type, title)
      return
    end
  end
  if entry.table then self:fields(entry.table, "field") end
end

function Writer:class(class)
  self:line("## %s", class.name)
  self:line ""
  if class.parent then
    self:paragraph(("Also everything of a %s."):format(link(class.parent, class.parent)))
  end
  self:prose(class)
  for _, entry in ipairs(class.functions) do self:call(entry, entry.path, entry.path, "option") end
end

function Writer:callbacks()
  self:line "## Callbacks"
  self:line ""
  self:paragraph("Functions of the game that the runtime calls; a game sets those it wants. An error in one of them " ..
    "stops the game with a traceback.")
  for _, entry in ipairs(self.api.callbacks) do
    self:call(entry, CALLBACK .. entry.name, "palfrey." .. entry.name, "field")
  end
end

function Writer:events()
  self:line "## Events"
  self:line ""
  local base = self.api.types.Event
  self:prose(base)
  self:fields(base.type, "field")
  for _, event in ipairs(self.api.events) do
    self:line("### %s%s", EVENT, event.name)
    self:line ""
    self:prose(event)
    if #event.type.fields > 0 then self:fields(event.type, "field") end
  end
end

--- The types of the section about types; the table of events stands with them.
function Writer:namedTypes()
  local named = {}
  for _, entry in ipairs(self.api.typeList) do
    if entry.name ~= "Event" then named[#named + 1] = entry end
  end
  return named
end

function Writer:types()
  self:line "## Types"
  self:line ""
  self:paragraph("Names for tables and numbers in the signatures above.")
  for _, entry in ipairs(self:namedTypes()) do
    self:line("### %s", entry.name)
    self:line ""
    self:prose(entry)
    if entry.type.kind == "table" then
      self:fields(entry.type, "field")
    else
      self:line("`%s`", types.write(entry.type))
      self:line ""
    end
  end
end

function Writer:library()
  self:line "## Lua's library"
  self:line ""
  self:paragraph("What differs from the library of Lua 5.4.")
  for _, entry in ipairs(self.api.luaFunctions) do self:call(entry, entry.path, entry.path, "option") end
end

--- The headings of a section of the manual, for the table of contents.
local function contentsLine(title, headings)
  local links = {}
  for i, heading in ipairs(headings) do links[i] = link(heading:match "%w+$", heading) end
  local list = #links > 0 and ": " .. table.concat(links, ", ") or ""
  return ("- %s%s"):format(link(title, title), list)
end

local function headingsOf(entries, prefix)
  local headings = {}
  for i, entry in ipairs(entries) do headings[i] = entry.path or prefix .. entry.name end
  return headings
end

function Writer:contents(classes, introduction)
  local lines = {}
  local function add(title, headings) lines[#lines + 1] = contentsLine(title, headings) end
  for title in introduction:gmatch "\n## ([^\n]+)" do
    if title ~= "Contents" then add(title, {}) end
  end
  for i, class in ipairs(classes) do
    add(class.name, headingsOf(class.functions))
    if i == 1 then add("Callbacks", headingsOf(self.api.callbacks, CALLBACK)) end
  end
  add("Events", headingsOf(self.api.events, EVENT))
  add("Types", headingsOf(self:namedTypes(), ""))
  add("Lua's library", headingsOf(self.api.luaFunctions))
  return table.concat(lines, "\n")
end

--- The whole manual as a text. `classes` are in the order of the manual, the module first; `introduction` holds
--- "{{contents}}" where the table of contents goes.
function manual.write(api, classes, introduction)
  local writer = setmetatable({ api = api, lines = {} }, Writer)
  for i, class in ipairs(classes) do
    writer:class(class)
    if i == 1 then writer:callbacks() end
  end
  writer:events()
  writer:types()
  writer:library()
  local contents = writer:contents(classes, introduction)
  local text = introduction:gsub("{{contents}}", function() return contents end)
  return (text:gsub("\n+$", "\n\n") .. table.concat(writer.lines, "\n")):gsub("\n+$", "\n")
end

return manual
