-- The frame of a TrueType file: its tables, their directory and checksums.
local tables = require "font_tables"

local file = {}

local TRUE_TYPE = 0x00010000
local CHECKSUM_GOAL = 0xB1B0AFBA
local ADJUSTMENT_PLACE = 8  -- of the adjustment to that goal, in the table head

--- The sum of all words.
function file.checksum(bytes)
  bytes = bytes .. ("\0"):rep(-#bytes % 4)
  local sum = 0
  for place = 1, #bytes, 4 do sum = sum + string.unpack(">I4", bytes, place) end
  return sum & 0xFFFFFFFF
end

--- Joins tables { tag, bytes }, which must be sorted by tag.
function file.join(list)
  local range, selector, shift = tables.searchHints(#list, 16)
  local directory = { string.pack(">I4I2I2I2I2", TRUE_TYPE, #list, range, selector, shift) }
  local bodies = {}
  local place = 12 + 16 * #list
  local headPlace
  for _, entry in ipairs(list) do
    local body = entry.bytes .. ("\0"):rep(-#entry.bytes % 4)
    if entry.tag == "head" then headPlace = place end
    directory[#directory + 1] = string.pack(">c4I4I4I4", entry.tag, file.checksum(body), place, #entry.bytes)
    bodies[#bodies + 1] = body
    place = place + #body
  end
  local bytes = table.concat(directory) .. table.concat(bodies)
  local adjustment = (CHECKSUM_GOAL - file.checksum(bytes)) & 0xFFFFFFFF
  local split = headPlace + ADJUSTMENT_PLACE
  return bytes:sub(1, split) .. string.pack(">I4", adjustment) .. bytes:sub(split + 5)
end

return file
