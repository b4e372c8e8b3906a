-- The functions of a Lua file, read from its compiled form (string.dump of Lua 5.4; the layout is that of ldump.c and
-- lundump.c in Lua's sources). A file's functions are numbered in the order in which they begin in the text, its own
-- main function being 1, and each is marked with file, version and number, so that a closure met later on tells which
-- function of which version it runs.
--
-- The mark stands in the name of the source behind a zero byte: messages, which take that name for a C string, do not
-- show it.
local find, format, sub = string.find, string.format, string.sub

local prototypes = {}

local HEADER = 4 + 1 + 1 + 6 -- signature, version, format, and the bytes that show damage
local CONSTANT_NUMBERS = { [0x03] = true, [0x13] = true } -- integers, floats
local CONSTANT_STRINGS = { [0x04] = true, [0x14] = true } -- short, long
local UPVALUE_SIZE = 3 -- bytes: in the enclosing function's registers or among its upvalues, index, kind

-- Numbers are stored in groups of seven bits, the last of which has the eighth bit set.
local function readSize(reader)
  local size = 0
  while true do
    local byte = reader.bytes:byte(reader.at)
    reader.at = reader.at + 1
    size = size << 7 | byte & 0x7f
    if byte & 0x80 ~= 0 then return size end
  end
end

local function writeSize(size)
  local groups = string.char(size & 0x7f | 0x80)
  while size > 0x7f do
    size = size >> 7
    groups = string.char(size & 0x7f) .. groups
  end
  return groups
end

-- A string has its length and one before it; 0 stands for none.
local function readString(reader)
  local size = readSize(reader)
  if size == 0 then return nil end
  local text = sub(reader.bytes, reader.at, reader.at + size - 2)
  reader.at = reader.at + size - 1
  return text
end

local function writeString(text) return writeSize(#text + 1) .. text end

local function skipConstants(reader)
  for _ = 1, readSize(reader) do
    local kind = reader.bytes:byte(reader.at)
    reader.at = reader.at + 1
    if CONSTANT_NUMBERS[kind] then
      reader.at = reader.at + reader.numberSize
    elseif CONSTANT_STRINGS[kind] then
      readString(reader)
    end
  end
end

local function readUpvalues(reader)
  local upvalues = {}
  for i = 1, readSize(reader) do
    local inStack, index = reader.bytes:byte(reader.at, reader.at + 1)
    upvalues[i] = { inStack = inStack ~= 0, index = index }
    reader.at = reader.at + UPVALUE_SIZE
  end
  return upvalues
end

-- Lines, then names of variables: only those of upvalues are of use here.
local function readDebug(reader, upvalues)
  local lineCount = readSize(reader)
  reader.at = reader.at + lineCount
  for _ = 1, 2 * readSize(reader) do readSize(reader) end
  for _ = 1, readSize(reader) do
    readString(reader)
    readSize(reader)
    readSize(reader)
  end
  for i = 1, readSize(reader) do upvalues[i].name = readString(reader) end
end

-- Reads one function and those in it. `shape` is its code and constants, by which a function is known again wherever
-- it stands; `pieces` are the bytes before and after the functions in it.
local function readFunction(reader, list, parent)
  readString(reader) -- the source's name, which is the same for all
  local start = reader.at
  local prototype = { parent = parent, children = {}, line = readSize(reader), lastLine = readSize(reader) }
  local number = #list + 1
  list[number] = prototype
  local codeStart = reader.at
  reader.at = reader.at + 3 -- parameters, whether there are more, registers
  local codeSize = readSize(reader) * reader.instructionSize
  reader.at = reader.at + codeSize
  skipConstants(reader)
  prototype.upvalues = readUpvalues(reader)
  local childCount = readSize(reader)
  prototype.head = sub(reader.bytes, start, reader.at - 1)
  local shape = { sub(reader.bytes, codeStart, reader.at - 1) }
  for i = 1, childCount do
    prototype.children[i] = readFunction(reader, list, number)
    shape[i + 1] = list[prototype.children[i]].shape
  end
  local tail = reader.at
  readDebug(reader, prototype.upvalues)
  prototype.tail = sub(reader.bytes, tail, reader.at - 1)
  for _, upvalue in ipairs(prototype.upvalues) do shape[#shape + 1] = upvalue.name end
  prototype.shape = table.concat(shape, "\n")
  return number
end

-- Which function's local variable an upvalue is.
local function findOwners(list)
  for _, prototype in ipairs(list) do
    for _, upvalue in ipairs(prototype.upvalues) do
      if not prototype.parent then
        upvalue.owner = 0 -- _ENV of the file itself
      elseif upvalue.inStack then
        upvalue.owner = prototype.parent
      else
        upvalue.owner = list[prototype.parent].upvalues[upvalue.index + 1].owner
      end
    end
  end
end

--- Reads the bytes of string.dump into a list of functions: {header, [number] = {parent, children, line, lastLine,
--- upvalues = {{name, owner}}, shape}}.
function prototypes.read(bytes)
  local reader = { bytes = bytes, at = HEADER + 1 }
  local instructionSize, integerSize, numberSize = bytes:byte(reader.at, reader.at + 2)
  assert(integerSize == numberSize, "integers and floats of different sizes")
  reader.instructionSize, reader.numberSize = instructionSize, numberSize
  reader.at = reader.at + 3 + integerSize + numberSize
  local list = { header = sub(bytes, 1, reader.at - 1) }
  reader.at = reader.at + 1 -- number of upvalues of the main function
  readFunction(reader, list, nil)
  findOwners(list)
  return list
end

local function write(list, number, mark, out)
  local prototype = list[number]
  out[#out + 1] = writeString(format("%s:%d", mark, number))
  out[#out + 1] = prototype.head
  for _, child in ipairs(prototype.children) do write(list, child, mark, out) end
  out[#out + 1] = prototype.tail
end

--- The compiled form of function `number` (the main function without one) with the functions in it, each marked.
function prototypes.write(list, path, version, number)
  number = number or 1
  local out = { list.header, string.char(#list[number].upvalues) }
  write(list, number, format("@%s\0%d", path, version), out)
  return table.concat(out)
end

--- Path, version and number of a function from the source it names; nil for functions without a mark.
function prototypes.readMark(source)
  local _, _, path, version, number = find(source, "^@([^\0]*)\0(%d+):(%d+)$")
  return path, math.tointeger(version), math.tointeger(number)
end

return prototypes
