-- Writes PNG pictures with up to 256 colours: picks the palette by median cut, compresses with deflate.lua.
local deflate = require "lib.art.deflate"

local png = {}

local CRC_POLYNOMIAL = 0xEDB88320
local BIN_BITS = 6                      -- of each channel that still matter when colours are counted
local BIN_SHIFT = 8 - BIN_BITS

local crcTable = {}
for byte = 0, 255 do
  local crc = byte
  for _ = 1, 8 do
    crc = crc & 1 == 1 and (crc >> 1) ~ CRC_POLYNOMIAL or crc >> 1
  end
  crcTable[byte] = crc
end

local function checksum(text)
  local crc = 0xFFFFFFFF
  for i = 1, #text do
    crc = crcTable[(crc ~ text:byte(i)) & 0xFF] ~ (crc >> 8)
  end
  return crc ~ 0xFFFFFFFF
end

local function chunk(kind, data)
  return string.pack(">I4", #data) .. kind .. data .. string.pack(">I4", checksum(kind .. data))
end

-- Counts the colours: a list of bins { r, g, b, count, key } in the order in which they first occur.
local function countColours(pixels)
  local bins, byKey = {}, {}
  for i = 1, #pixels, 3 do
    local r, g, b = pixels[i], pixels[i + 1], pixels[i + 2]
    local key = (r >> BIN_SHIFT) << 2 * BIN_BITS | (g >> BIN_SHIFT) << BIN_BITS | b >> BIN_SHIFT
    local bin = byKey[key]
    if not bin then
      bin = { 0, 0, 0, 0, key }
      byKey[key], bins[#bins + 1] = bin, bin
    end
    bin[1], bin[2], bin[3], bin[4] = bin[1] + r, bin[2] + g, bin[3] + b, bin[4] + 1
  end
  for _, bin in ipairs(bins) do
    for channel = 1, 3 do bin[channel] = bin[channel] / bin[4] end
  end
  return bins
end

-- A box of bins with the channel in which it is widest, and how much there is to gain by cutting it.
local function newBox(bins)
  local box = { bins = bins, weight = 0, channel = 1, gain = 0 }
  local widest = -1
  for channel = 1, 3 do
    local low, high = 255, 0
    for _, bin in ipairs(bins) do
      low, high = math.min(low, bin[channel]), math.max(high, bin[channel])
    end
    if high - low > widest then widest, box.channel = high - low, channel end
  end
  for _, bin in ipairs(bins) do box.weight = box.weight + bin[4] end
  if #bins > 1 then box.gain = widest * widest * math.sqrt(box.weight) end
  return box
end

local function cut(box)
  local channel = box.channel
  table.sort(box.bins, function(a, b)
    if a[channel] ~= b[channel] then return a[channel] < b[channel] end
    return a[5] < b[5]
  end)
  local low, high, weight = {}, {}, 0
  for i, bin in ipairs(box.bins) do
    local toLow = i == 1 or (weight + bin[4] / 2 <= box.weight / 2 and i < #box.bins)
    table.insert(toLow and low or high, bin)
    weight = weight + bin[4]
  end
  return newBox(low), newBox(high)
end

-- The palette { {r, g, b}... } and which entry each bin has.
local function choosePalette(bins, size)
  local boxes = { newBox(bins) }
  while #boxes < size do
    local best = 1
    for i, box in ipairs(boxes) do
      if box.gain > boxes[best].gain then best = i end
    end
    if boxes[best].gain == 0 then break end
    boxes[best], boxes[#boxes + 1] = cut(boxes[best])
  end
  local palette, entryOf = {}, {}
  for i, box in ipairs(boxes) do
    local sum = { 0, 0, 0 }
    for _, bin in ipairs(box.bins) do
      entryOf[bin[5]] = i - 1
      for channel = 1, 3 do sum[channel] = sum[channel] + bin[channel] * bin[4] end
    end
    for channel = 1, 3 do sum[channel] = math.floor(sum[channel] / box.weight + 0.5) end
    palette[i] = sum
  end
  return palette, entryOf
end

-- The bytes of a PNG file. `pixels` are width * height times r, g, b as integers of 0..255, from the top left.
function png.encode(width, height, pixels, colours)
  local palette, entryOf = choosePalette(countColours(pixels), colours)
  local rows = {}
  for y = 0, height - 1 do
    local row = { "\0" }                -- no filter: neighbours in a palette have nothing to do with each other
    for x = 0, width - 1 do
      local i = (y * width + x) * 3
      local r, g, b = pixels[i + 1], pixels[i + 2], pixels[i + 3]
      row[x + 2] = string.char(
        entryOf[(r >> BIN_SHIFT) << 2 * BIN_BITS | (g >> BIN_SHIFT) << BIN_BITS | b >> BIN_SHIFT])
    end
    rows[y + 1] = table.concat(row)
  end
  local entries = {}
  for i, colour in ipairs(palette) do entries[i] = string.char(table.unpack(colour)) end
  return "\137PNG\r\n\26\n"
    .. chunk("IHDR", string.pack(">I4I4BBBBB", width, height, 8, 3, 0, 0, 0))
    .. chunk("PLTE", table.concat(entries))
    .. chunk("IDAT", deflate.zlib(table.concat(rows)))
    .. chunk("IEND", "")
end

return png
