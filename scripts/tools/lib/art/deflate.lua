-- Compresses bytes in the zlib format (RFC 1950, 1951): matches found through chains of equal triples, one block with
-- Huffman codes made for its contents.
local deflate = {}

local WINDOW = 32768
local MIN_MATCH, MAX_MATCH = 3, 258
local MAX_CHAIN = 64                    -- candidates looked at for each match
local END_OF_BLOCK = 256
local MAX_CODE_BITS, MAX_LENGTH_CODE_BITS = 15, 7
local LENGTH_CODE_ORDER = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 }

-- For each code above the literals: its first value and its extra bits (RFC 1951, 3.2.5).
local function makeRanges(first, count, codesPerBit, freeCodes)
  local ranges, value = {}, first
  for code = 0, count - 1 do
    local bits = code < freeCodes and 0 or (code - freeCodes) // codesPerBit + 1
    ranges[code + 1] = { value, bits }
    value = value + (1 << bits)
  end
  return ranges
end

local LENGTHS = makeRanges(3, 28, 4, 8)
LENGTHS[29] = { 258, 0 }
local DISTANCES = makeRanges(1, 30, 2, 4)

local function findRange(ranges, value)
  local low, high = 1, #ranges
  while low < high do
    local middle = (low + high + 1) // 2
    if ranges[middle][1] <= value then low = middle else high = middle - 1 end
  end
  return low
end

local lengthCode = {}
for length = MIN_MATCH, MAX_MATCH do lengthCode[length] = findRange(LENGTHS, length) end

local function longestMatch(bytes, at, candidate, previous, limit)
  local best, bestAt, tries = 0, 0, MAX_CHAIN
  while candidate and at - candidate <= WINDOW and tries > 0 do
    if bytes[candidate + best] == bytes[at + best] then
      local length = 0
      while length < limit and bytes[candidate + length] == bytes[at + length] do length = length + 1 end
      if length > best then
        best, bestAt = length, candidate
        if best == limit then break end
      end
    end
    candidate, tries = previous[candidate], tries - 1
  end
  return best, at - bestAt
end

-- The text as symbols: a literal is its byte, a match is length << 16 | distance.
local function findMatches(bytes)
  local symbols, last, previous, count = {}, {}, {}, #bytes
  local function remember(at)
    if at + 2 > count then return end
    local key = bytes[at] << 16 | bytes[at + 1] << 8 | bytes[at + 2]
    previous[at], last[key] = last[key], at
  end
  local at = 1
  while at <= count do
    local length, distance = 0, 0
    if at + 2 <= count then
      local candidate = last[bytes[at] << 16 | bytes[at + 1] << 8 | bytes[at + 2]]
      length, distance = longestMatch(bytes, at, candidate, previous, math.min(MAX_MATCH, count - at + 1))
    end
    if length < MIN_MATCH then length = 1 end
    symbols[#symbols + 1] = length == 1 and bytes[at] or length << 16 | distance
    for i = at, at + length - 1 do remember(i) end
    at = at + length
  end
  return symbols
end

-- Depths of the leaves of the Huffman tree over `counts` (from 0), none deeper than `limit`.
local function codeLengths(counts, size, limit)
  while true do
    local nodes = {}
    for symbol = 0, size - 1 do
      if counts[symbol] > 0 then nodes[#nodes + 1] = { counts[symbol], symbol } end
    end
    while #nodes < 2 do nodes[#nodes + 1] = { 1, #nodes == 1 and nodes[1][2] == 0 and 1 or 0 } end
    local order = 0
    local function before(a, b)
      if a[1] ~= b[1] then return a[1] > b[1] end
      return a[2] > b[2]
    end
    table.sort(nodes, before)
    while #nodes > 1 do
      local a, b = table.remove(nodes), table.remove(nodes)
      order = order + 1
      local parent = { a[1] + b[1], size + order, a, b }
      local at = #nodes + 1
      while at > 1 and before(parent, nodes[at - 1]) do at = at - 1 end
      table.insert(nodes, at, parent)
    end
    local lengths, deepest = {}, 0
    for symbol = 0, size - 1 do lengths[symbol] = 0 end
    local function descend(node, depth)
      if node[3] then
        descend(node[3], depth + 1)
        descend(node[4], depth + 1)
      else
        lengths[node[2]] = depth
        deepest = math.max(deepest, depth)
      end
    end
    descend(nodes[1], 0)
    if deepest <= limit then return lengths end
    local flatter = {}
    for symbol = 0, size - 1 do flatter[symbol] = (counts[symbol] + 1) // 2 end
    counts = flatter
  end
end

-- Canonical codes, bit-reversed because Huffman codes are sent from their top bit.
local function makeCodes(lengths, size)
  local codes, code = {}, 0
  for length = 1, MAX_CODE_BITS do
    for symbol = 0, size - 1 do
      if lengths[symbol] == length then
        local reversed = 0
        for bit = 0, length - 1 do reversed = reversed | (code >> bit & 1) << (length - 1 - bit) end
        codes[symbol], code = reversed, code + 1
      end
    end
    code = code << 1
  end
  return codes
end

local function newWriter()
  local parts, buffer, filled = {}, 0, 0
  local writer = {}
  function writer.bits(value, count)
    buffer, filled = buffer | value << filled, filled + count
    while filled >= 8 do
      parts[#parts + 1] = string.char(buffer & 0xFF)
      buffer, filled = buffer >> 8, filled - 8
    end
  end
  function writer.finish()
    if filled > 0 then writer.bits(0, 8 - filled) end
    return table.concat(parts)
  end
  return writer
end

local function countSymbols(symbols)
  local literals, distances = {}, {}
  for i = 0, 285 do literals[i] = 0 end
  for i = 0, 29 do distances[i] = 0 end
  for _, symbol in ipairs(symbols) do
    if symbol < 256 then
      literals[symbol] = literals[symbol] + 1
    else
      local l, d = 256 + lengthCode[symbol >> 16], findRange(DISTANCES, symbol & 0xFFFF) - 1
      literals[l], distances[d] = literals[l] + 1, distances[d] + 1
    end
  end
  literals[END_OF_BLOCK] = 1
  return literals, distances
end

-- The header of a dynamic block: the code lengths of both trees, without run codes, themselves Huffman coded.
local function writeTrees(writer, literalLengths, distanceLengths)
  local all, counts = {}, {}
  for i = 0, 285 do all[#all + 1] = literalLengths[i] end
  for i = 0, 29 do all[#all + 1] = distanceLengths[i] end
  for i = 0, 18 do counts[i] = 0 end
  for _, length in ipairs(all) do counts[length] = counts[length] + 1 end
  local lengths = codeLengths(counts, 19, MAX_LENGTH_CODE_BITS)
  local codes = makeCodes(lengths, 19)
  writer.bits(286 - 257, 5)
  writer.bits(30 - 1, 5)
  writer.bits(19 - 4, 4)
  for _, symbol in ipairs(LENGTH_CODE_ORDER) do writer.bits(lengths[symbol], 3) end
  for _, length in ipairs(all) do writer.bits(codes[length], lengths[length]) end
end

local function compress(bytes)
  local symbols = findMatches(bytes)
  local literalCounts, distanceCounts = countSymbols(symbols)
  local literalLengths = codeLengths(literalCounts, 286, MAX_CODE_BITS)
  local distanceLengths = codeLengths(distanceCounts, 30, MAX_CODE_BITS)
  local literals, distances = makeCodes(literalLengths, 286), makeCodes(distanceLengths, 30)
  local writer = newWriter()
  writer.bits(1, 1)                     -- the last block
  writer.bits(2, 2)                     -- with its own codes
  writeTrees(writer, literalLengths, distanceLengths)
  for _, symbol in ipairs(symbols) do
    if symbol < 256 then
      writer.bits(literals[symbol], literalLengths[symbol])
    else
      local length, distance = symbol >> 16, symbol & 0xFFFF
      local l, d = lengthCode[length], findRange(DISTANCES, distance)
      writer.bits(literals[256 + l], literalLengths[256 + l])
      writer.bits(length - LENGTHS[l][1], LENGTHS[l][2])
      writer.bits(distances[d - 1], distanceLengths[d - 1])
      writer.bits(distance - DISTANCES[d][1], DISTANCES[d][2])
    end
  end
  writer.bits(literals[END_OF_BLOCK], literalLengths[END_OF_BLOCK])
  return writer.finish()
end

local function adler(bytes)
  local a, b = 1, 0
  for _, byte in ipairs(bytes) do
    a = (a + byte) % 65521
    b = (b + a) % 65521
  end
  return b << 16 | a
end

function deflate.zlib(text)
  local bytes = {}
  for i = 1, #text do bytes[i] = text:byte(i) end
  return "\x78\xDA" .. compress(bytes) .. string.pack(">I4", adler(bytes))
end

return deflate
