-- The types in the signatures of the bindings: read into trees, written as LuaCATS or as people read them.
--
--   type    = part ("|" part)*
--   part    = primary ("[]" | "?")*                     Node  string?  number[][]
--   primary = NAME ("<" type ("," type)* ">")?          integer  table<string, Node>
--           | '"' word '"'                              a word of an enumeration
--           | "{" field ("," field)* "}"                a table; field = NAME "?"? ":" type
--           | "fun(" parameters ")" (":" results)?      a function
--   options = NAME "&" table                            a table with the fields of a named type and more
local types = {}

local Reader = {}
Reader.__index = Reader

function Reader:fail(expected)
  error(("%s expected at '%s'"):format(expected, self.text:sub(self.at, self.at + 20)), 0)
end

--- Moves past a pattern and returns what it captures, or nil.
function Reader:accept(pattern)
  local _, stop, capture = self.text:find("^%s*" .. pattern, self.at)
  if not stop then return nil end
  self.at = stop + 1
  return capture or true
end

function Reader:expect(pattern, expected)
  return self:accept(pattern) or self:fail(expected)
end

function Reader:list(close, readItem)
  local items = {}
  if self:accept(close) then return items end
  repeat items[#items + 1] = readItem(self) until not self:accept(",")
  self:expect(close, "'" .. close:gsub("%%", "") .. "'")
  return items
end

--- A parameter or a field: name, whether it may be left out, type.
function Reader:field()
  if self:accept("%.%.%.") then
    return { name = "...", type = self:accept(":") and self:type() or { kind = "name", name = "any" } }
  end
  local name = self:expect("([%a_][%w_]*)", "a name")
  local isOptional = self:accept("%?") ~= nil
  self:expect(":", "':' after " .. name)
  return { name = name, isOptional = isOptional, type = self:type() }
end

function Reader:results()
  local results = {}
  if self:accept(":") then
    repeat results[#results + 1] = self:type() until not self:accept(",")
  end
  return results
end

function Reader:primary()
  local word = self:accept('("[^"]*")')
  if word then return { kind = "word", text = word } end
  if self:accept("{") then return { kind = "table", fields = self:list("}", self.field) } end
  if self:accept("fun%(") then
    return { kind = "function", parameters = self:list("%)", self.field), results = self:results() }
  end
  local name = self:expect("([%a_][%w_.]*)", "a type")
  if self:accept("<") then return { kind = "generic", name = name, of = self:list(">", self.type) } end
  if self:accept("&") then
    self:expect("{", "a table after '&'")
    return { kind = "table", parent = name, fields = self:list("}", self.field) }
  end
  return { kind = "name", name = name }
end

function Reader:part()
  local part = self:primary()
  while true do
    if self:accept("%[%]") then
      part = { kind = "array", of = part }
    elseif self:accept("%?") then
      part = { kind = "optional", of = part }
    else
      return part
    end
  end
end

function Reader:type()
  local parts = { self:part() }
  while self:accept("|") do parts[#parts + 1] = self:part() end
  return #parts == 1 and parts[1] or { kind = "union", of = parts }
end

local function newReader(text)
  return setmetatable({ text = text, at = 1 }, Reader)
end

local function finish(reader, result)
  if reader:accept("(%S)") then
    reader.at = reader.at - 1
    reader:fail("the end")
  end
  return result
end

--- Reads a type; raises a message for anything else.
function types.read(text)
  local reader = newReader(text)
  return finish(reader, reader:type())
end

--- Reads "(parameters): results".
function types.readSignature(text)
  local reader = newReader(text)
  reader:expect("%(", "'('")
  local parameters = reader:list("%)", reader.field)
  return finish(reader, { parameters = parameters, results = reader:results() })
end

-- ---------------------------------------------------------------------------------------------------------- writing

local write

local function writeList(items, writeItem, rename)
  local texts = {}
  for i, item in ipairs(items) do texts[i] = writeItem(item, rename) end
  return table.concat(texts, ", ")
end

local function writeField(field, rename)
  if field.name == "..." then return "..." end
  return ("%s%s: %s"):format(field.name, field.isOptional and "?" or "", write(field.type, rename))
end

local WRITERS = {
  name = function(type, rename) return rename(type.name) end,
  word = function(type) return type.text end,
  generic = function(type, rename) return ("%s<%s>"):format(type.name, writeList(type.of, write, rename)) end,
  array = function(type, rename) return write(type.of, rename) .. "[]" end,
  optional = function(type, rename) return write(type.of, rename) .. "?" end,
  union = function(type, rename)
    local texts = {}
    for i, part in ipairs(type.of) do texts[i] = write(part, rename) end
    return table.concat(texts, "|")
  end,
  table = function(type, rename)
    local parent = type.parent and rename(type.parent) .. " & " or ""
    return ("%s{ %s }"):format(parent, writeList(type.fields, writeField, rename))
  end,
  ["function"] = function(type, rename)
    local results = #type.results > 0 and ": " .. writeList(type.results, write, rename) or ""
    return ("fun(%s)%s"):format(writeList(type.parameters, writeField, rename), results)
  end,
}

function write(type, rename)
  return WRITERS[type.kind](type, rename)
end

--- Writes a type; `rename` gives names of types another form.
function types.write(type, rename)
  return write(type, rename or function(name) return name end)
end

--- Writes "parameters" of a signature, without types.
function types.writeNames(parameters)
  local names = {}
  for i, parameter in ipairs(parameters) do names[i] = parameter.name end
  return table.concat(names, ", ")
end

--- Writes several types, with commas between.
function types.writeAll(list, rename)
  return writeList(list, types.write, rename)
end

return types
